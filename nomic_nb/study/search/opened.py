"""What a rule change opens: loopholes that are there after it and were not before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from tempfile import TemporaryFile

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.trial_adoption import Adoption, calm_state, try_adoption
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.record.log import RecordReader, record_lines
from nomic_nb.engine.words import join_words
from nomic_nb.study.search.loopholes import Loopholes, find_loopholes, never
from nomic_nb.study.views.remarks import WarningSign
from nomic_nb.study.views.tables import is_anything_hidden

#: Processor time for each search: there are two for each player at most.
SECONDS = 6.0
NO_EFFECT = "Not decided whether it opens a loophole: it did not take effect on trial."
GAME_OVER = "The game would be over, so nobody could use a loophole."
HIDDEN = "Not decided whether it opens a loophole: a search could tell what some players keep secret."
NO_SEARCH = "Not decided whether it opens a loophole: the search ended without a result."
#: Seconds between two looks at a search in a process of its own.
LOOK = 0.1


@frozen
class PlayerSearch:
    """What a player alone could reach against all others after a change.

    Parameters
    ----------
    name : str
        The player.
    after : Loopholes
        What the player could reach after the change.
    before : Loopholes or None
        What the player could reach before, with as many deeds; None if nothing was found or the player is new.
    """

    name: str
    after: Loopholes
    before: Loopholes | None

    @property
    def line(self) -> str:
        """The deeds of the line that was found, in words; empty if none was."""
        if not self.after.certificates:
            return ""
        one = self.after.certificates[0]
        done = {(deed.player, deed.action) for deed in one.deeds}
        deeds = [sentence(event) for event in one.events if (event.actor or "", event.do) in done]
        deeds += one.withheld
        return ", then ".join(deeds if len(deeds) < MOST_TOLD else [*deeds[:2], "so on"])

    @property
    def is_new(self) -> bool | None:
        """Whether the change opens the loophole; None if that is not decided."""
        if self.before is None:
            return True
        return False if self.before.certificates else None if self.before.reasons else True

    def __str__(self) -> str:
        if not self.line:
            return f"{self.name} alone against all others: {self.after.claim}."
        news = {True: "This change opens it.", False: f"{self.name} can already do so now."}
        told = news.get(self.is_new, "It is not decided whether this is new.")  # type: ignore[arg-type]
        return f"{self.name} could win even if all others vote against: {self.line}. {told}"


#: Deeds that are told one by one.
MOST_TOLD = 5


def search_players(
    timeline: Timeline, adoption: Adoption, seconds: float = SECONDS, stop: Callable[[], bool] = never
) -> Iterator[PlayerSearch]:
    """Yield what each player could reach alone after a change that was adopted on trial."""
    supposed = timeline.trial(0)
    supposed.moments = [*timeline.moments[:-1], (timeline.moments[-1][0], calm_state(adoption.after))]
    for name in supposed.state.person_names:
        after, before = find_loopholes(supposed, name, seconds=seconds, stop=stop), None
        if after.certificates and name in timeline.state.person_names:
            depth = min(len(after.certificates[0].deeds), after.depth)
            before = find_loopholes(timeline, name, depth=depth, seconds=seconds, stop=stop)
        yield PlayerSearch(name, after, before)


def reason_for_no_search(timeline: Timeline, adoption: Adoption | None) -> str:
    """Return a sentence on why nobody is searched for after a change; empty if there is no reason."""
    if is_anything_hidden(timeline):
        return HIDDEN
    if adoption is None or not adoption.in_force:
        return NO_EFFECT
    return GAME_OVER if adoption.after.over else ""


def sentences_on_loopholes(timeline: Timeline, adoption: Adoption | None) -> tuple[str, ...]:
    """Return sentences on what a change lets single players reach against all others; all voters see the same ones.

    Parameters
    ----------
    timeline : Timeline
        The game before the change.
    adoption : Adoption or None
        The trial adoption of the change.
    """
    reason = reason_for_no_search(timeline, adoption)
    if reason or adoption is None:
        return (reason,)
    return tuple(map(str, search_players(timeline, adoption)))


@frozen
class LoopholeReport:
    """What a search found that a proposal opens, as plain data.

    Parameters
    ----------
    who : tuple of str
        The players who could win alone after the change, and not before it.
    how : str
        What the first of them would do; empty if there is none.
    bounds : tuple of str
        What was found of each player and what was not, in sentences.
    """

    who: tuple[str, ...]
    how: str
    bounds: tuple[str, ...]

    @property
    def signs(self) -> tuple[WarningSign, ...]:
        """A warning for voters; nothing if no loophole was found."""
        if not self.who:
            return ()
        who = join_words(self.who, "or")
        told = say("opens-a-loophole", "{who} could win even if all others vote against: {how}", who=who, how=self.how)
        return (WarningSign("loophole", "destructive", told),)


def search_proposal(
    timeline: Timeline, number: Number, seconds: float, stop: Callable[[], bool] = never
) -> LoopholeReport:
    """Return what an open proposal lets single players reach, within so much processor time in all."""
    proposal = timeline.state.proposals[number]
    adoption = try_adoption(calm_state(timeline.state), proposal.change, proposal.proponent, number)
    if reason := reason_for_no_search(timeline, adoption):
        return LoopholeReport((), "", (reason,))
    each = seconds / 2 / max(1, len(adoption.after.person_names))
    searches = list(search_players(timeline, adoption, each, stop))
    opened = [one for one in searches if one.line and one.is_new is not False]
    how = opened[0].line if opened else ""
    return LoopholeReport(tuple(one.name for one in opened), how, tuple(map(str, searches)))


def search_apart(timeline: Timeline, number: Number, seconds: float, stop: Callable[[], bool]) -> LoopholeReport | None:
    """Return what `search_proposal` finds, in a process of its own, so that this one stays quick; None if stopped."""
    if is_anything_hidden(timeline):  # a record does not have what is under seal
        return LoopholeReport((), "", (HIDDEN,))
    command = [sys.executable, "-c", f"from {__name__} import main; main()", json.dumps(number), str(seconds)]
    with TemporaryFile() as asked, TemporaryFile() as told:
        asked.write("\n".join(record_lines(timeline)).encode())
        asked.seek(0)
        process = subprocess.Popen(  # noqa: S603 - Python itself, with the kit
            command, stdin=asked, stdout=told, stderr=subprocess.DEVNULL
        )
        try:
            while process.poll() is None:
                if stop():
                    return None
                time.sleep(LOOK)
        finally:
            process.kill()
            process.wait()
        told.seek(0)
        found = told.read()
    if not found:
        return LoopholeReport((), "", (NO_SEARCH,))
    who, how, bounds = json.loads(found)
    return LoopholeReport(tuple(who), how, tuple(bounds))


def main() -> None:
    """Search the game whose record stands on standard input; write a report on one of its proposals as JSON."""
    if hasattr(os, "nice"):
        os.nice(10)  # whoever plays comes first
    timeline = RecordReader(sys.stdin.buffer.read().split(b"\n")).read_game()
    found = search_proposal(timeline, json.loads(sys.argv[1]), float(sys.argv[2]))
    sys.stdout.write(json.dumps([found.who, found.how, found.bounds]))
