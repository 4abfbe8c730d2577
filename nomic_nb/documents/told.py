"""Which events are told, and in what words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nomic_nb.law.rules import Number
from nomic_nb.markup.words import full_sentence, upper_first
from nomic_nb.play.engine import Moment
from nomic_nb.play.events import Event
from nomic_nb.play.state import State
from nomic_nb.record.seals import NOTHING, Seals
from nomic_nb.record.sentences import sentence

#: What is told by other things: headings, tallies, or what follows from it.
BEHIND_THE_SCENES = frozenset({
    "adopted", "circuit_ended", "defeated", "game_started", "obliged", "part_begun", "part_ended", "passed_by",
    "turn_begun", "turn_ended", "vote_opened",
})  # fmt: skip
#: What an adopted proposal does.
CHANGES = frozenset({"amended", "enacted", "repealed", "transmuted", "without_effect"})
#: What the glyphs mean (PGN standard, section 10).
GLYPHS = {
    "!": "good", "?": "a mistake", "!!": "brilliant", "??": "a blunder", "!?": "interesting", "?!": "dubious",
    "□": "forced",
}  # fmt: skip


def told(event: Event, sealed: Seals = NOTHING) -> str:
    """Tell an event in a sentence.

    Parameters
    ----------
    event : Event
        What happened.
    sealed : Seals
        What nobody may see yet.

    Examples
    --------
    >>> told(Event(9, 1, 1, "throw", "Ann", "counted", {"counter": "points", "amount": -10, "now": "21/2"}))
    'Ann: −10 points, now 21/2.'
    """
    data = event.data
    if event.kind == "annotated":
        comment = " ".join(part for part in (data["nag"], data["text"]) if part)
        return f"A comment on event {data['at']}, taken back: {comment}"
    said = sentence(event, sealed)
    # What is quoted has its own full stop.
    return upper_first(said) if said.endswith((".”", "!”", "?”", "…”")) else full_sentence(said)


def votes_told(moments: Sequence[Moment]) -> set[int]:
    """Return the ballots that a tally tells of, by the number of their event.

    Those are the last ballots of each voter in a vote that closes, or that is open now. What was
    changed or taken back before the vote closed is not among them.
    """
    told_of: set[int] = set()
    cast: dict[Number, dict[str, int]] = {}
    then: list[dict[Number, dict[str, int]]] = [{}]

    def counted(state: State, number: Number) -> Iterable[int]:
        vote = state.proposals[number].vote
        return (seq for name, seq in cast.get(number, {}).items() if vote is not None and name in vote.ballots)

    for event, state in moments:
        number: Number = event.data.get("number", "")
        if event.kind == "undone":
            cast = then[event.data["to"]]
        elif event.kind == "balloted":
            cast = {**cast, number: {**cast.get(number, {}), str(event.actor): event.seq}}
        elif event.kind == "vote_closed":
            told_of.update(counted(state, number))
            cast = {one: ballots for one, ballots in cast.items() if one != number}
        then.append(cast)
    now = moments[-1][1]
    for number in cast:
        if now.proposals[number].open:
            told_of.update(counted(now, number))
    return told_of
