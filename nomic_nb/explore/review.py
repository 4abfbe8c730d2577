"""Review: what a rule-change would do, told before anyone votes on it."""

from __future__ import annotations

import difflib
from dataclasses import replace

from nomic_nb.errors import IllegalAction, LawError
from nomic_nb.explore.boards.meter import Meter as Fair
from nomic_nb.explore.boards.meter import meter
from nomic_nb.explore.boards.pieces import TOLD
from nomic_nb.explore.look import look
from nomic_nb.explore.passing import permitted, steps_to, way_round, why_not
from nomic_nb.explore.references import dangling
from nomic_nb.explore.smells import unread
from nomic_nb.explore.standing import moved, voided
from nomic_nb.explore.text import Review, allowed_in_words, verdict
from nomic_nb.explore.votes import needed_for
from nomic_nb.law.changes import Change, from_json
from nomic_nb.law.making import Making, make
from nomic_nb.law.rules import Number
from nomic_nb.law.view import Spent, bounded, metered
from nomic_nb.markup.words import cited, listed
from nomic_nb.play.decisions import numbers_are_assigned
from nomic_nb.play.lawmaking import check_change
from nomic_nb.play.numbering import check_number
from nomic_nb.play.proposals import with_proposal
from nomic_nb.play.state import State
from nomic_nb.play.timeline import Timeline
from nomic_nb.play.trial import Adoption, as_proposed, calm, number_for
from nomic_nb.record.sentences import sentence
from nomic_nb.views.proposed import proposed
from nomic_nb.views.redline import Difference

#: Steps that may be taken for what is told while a change is written: a tenth of a second or so.
STEPS = 30_000
#: Where what a change does is not found within these steps.
LONG = "What it would do takes longer to find out than one waits while writing."
#: Where it is open whether a change can be proposed.
NEVERTHELESS = (
    "You can propose it nevertheless: it is looked at in full then, and what stays open the players are asked."
)
#: Events that are told elsewhere in a review.
_TOLD = frozenset({
    "vote_closed", "adopted", "enacted", "amended", "repealed", "transmuted", "without_effect", "voided", "revived",
    "won", "asked", *TOLD,
})  # fmt: skip


def review(timeline: Timeline, player: str, change: Change, number: Number | None = None) -> Review:
    """Say what a change would do if it were proposed now and adopted. The game stays as it is.

    It begins where the vote closes with every ballot in favour: what rules do before that, while it is
    proposed and voted on, is left out, and so is what depends on a throw.

    Parameters
    ----------
    timeline : Timeline
        The game.
    player : str
        Who would propose it, whoever's turn it is.
    change : Change
        Made by `enact`, `amend`, `repeal`, `transmute`, `together` or `reword`.
    number : int, optional
        The number that the proposal shall have, where others assign numbers.

    Returns
    -------
    Review

    Raises
    ------
    IllegalAction
        Nobody of this name plays, or a proposal cannot have this number.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    >>> found = review(game.timeline, "Ann", nb.amend(203, law="set vote.quota to majority(vote.electorate)"))
    >>> print(found.turned[0])
    vote.quota, to enact a rule or to amend, repeal or transmute a mutable rule: 3 (rule 203) → 2 (rule 301)
    >>> print(found.future)
    yes: for example to enact a rule: 2 of 3 in favour (rule 301)
    """
    state = timeline.state
    if not isinstance(change, Change):
        raise TypeError("a change is made by enact, amend, repeal or transmute")
    if player not in state.players:
        near = difflib.get_close_matches(str(player), state.players, 1)
        hint = f"did you mean {near[0]}?" if near else f"the players are {', '.join(state.players)}"
        raise IllegalAction(f"nobody called {player!r} plays here; {hint}")
    base = calm(state)
    check_number(state, number)
    example = number is None
    number = number_for(state, change, player) if number is None else number
    example = example and number not in state.proposals and numbers_are_assigned(state)
    try:
        change = from_json(change.to_json())
        check_change(base, change)
    except LawError as error:
        redline = _as_written(base, change, number)
        return Review(change, player, number, example, error, redline=redline, smells=unread(change, error))
    except LookupError as error:
        return Review(change, player, number, example, missing=str(error.args[0]), proposable=False)
    with metered():
        return replace(_reviewed(base, change, player, number), example=example)


def in_short(timeline: Timeline, player: str, change: Change) -> tuple[list[str], Fair | None]:
    """Return the sentences of a review that matter most, and the meter, as far as they are found while one writes."""
    try:
        with bounded(STEPS):
            found = review(timeline, player, change)
        return [*filter(None, verdict(found)), *([NEVERTHELESS] if found.proposable is None else [])], found.power
    except Spent:
        base = calm(timeline.state)
        said = [*_allowed(base, change, player), LONG]
    try:
        with bounded(STEPS):
            return said, meter(base, change, player)
    except Spent:
        return said, None


def _allowed(base: State, change: Change, player: str) -> list[str]:
    """Say whether a change can be proposed, and where that is open, what is left of the question."""
    try:
        with bounded(STEPS):
            allowed, finding = permitted(base, change, player)
            barred = why_not(base, change, player, finding) if allowed is False else finding.reason
    except Spent:
        return ["Whether a rule forbids it takes longer to find out, too.", NEVERTHELESS]
    return [allowed_in_words(allowed, barred), *([NEVERTHELESS] if allowed is None else [])]


def _as_written(state: State, change: Change, number: Number | None) -> Difference | None:
    """Return the redline of a change whose clauses cannot be read: only their text is compared."""
    if change.parts or change.kind == "revise":
        return None
    old = state.rules.numbered(change.target)
    making = Making(number, state.seq + 1, state.turn, None, old.tier if old else "")
    try:
        _, new = make(state.rules, change, (), making)
    except LookupError:
        return None
    return Difference(old, new)


def _reviewed(base: State, change: Change, player: str, number: Number | None) -> Review:
    proposal = base.proposals.get(number) if number is not None else None
    if proposal is None:
        proposal = replace(as_proposed(base, change, player, number, None)[1], status="debate")
    asked = with_proposal(base, proposal)
    votes = needed_for(asked, proposal)
    found = look(base, change, player, number, votes.vote)
    seen = found.seen
    after = calm(seen.adoption.after)
    allowed, finding = permitted(base, change, player)
    barred = allowed is False
    steps = steps_to(base, change, player) if barred else ()
    instead = way_round(base, change, player) if barred and not steps else None
    return Review(
        change, player, number, proposable=allowed,
        barred="" if allowed else why_not(base, change, player, finding) if barred else finding.reason,
        redline=None if change.parts or change.kind == "revise" else Difference(seen.old, seen.new),
        parts=proposed(asked, proposal.number).parts, votes=votes, turned=seen.turned, met=seen.met,
        voided=voided(base, after), moved=moved(base, after), dangling=dangling(base, after, seen.changed),
        on_boards=found.boards, power=meter(base, change, player),
        follows=tuple(_follows(seen.adoption)), smells=found.signs, steps=steps, way_round=instead,
        adoption=seen.adoption, future=found.future,
    )  # fmt: skip


def _follows(adoption: Adoption) -> list[str]:
    """Say in words what an adoption sets off, apart from what is told elsewhere."""
    found = []
    for event in adoption.events:
        automatic = "change" in event.data and event.data["number"] is None
        if automatic or event.kind not in _TOLD:
            found.append(sentence(event) + cited(event.cause.rule if event.cause else None))
    asked = {one.id: one for one in adoption.after.polls.values() if one.several and one.open}
    found += [f"what follows once {listed(one.who)} answered is left out{cited(one.rule)}" for one in asked.values()]
    for one in adoption.after.waiting:
        if one.poll in asked:
            continue
        among = f", one of {len(one.options)}" if one.options else ""
        what = "is to throw" if one.action == "roll" else f"chooses {one.name}{among}"
        found.append(f"{one.player or 'somebody'} {what}{cited(one.rule)}; what follows then is left out")
    found += [f"what rule {rule} does then depends on a throw" for rule in adoption.throwing]
    return found
