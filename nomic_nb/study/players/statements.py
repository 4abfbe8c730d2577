"""What players say beside a proposal: statements, and reasons for ballots. None is an act, and no record has them."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change, check_text_storable
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Proposal
from nomic_nb.engine.record.seals import current_seals
from nomic_nb.study.players.asked import Json

#: Letters of a reason or a statement.
LONGEST = 280


@frozen
class Statement:
    """What a player says beside a proposal.

    Parameters
    ----------
    proposal : str
        The number of the proposal.
    by : str
        The player.
    text : str
        The words, in one line.
    change : Change
        The change that was proposed then; the words are not shown beside another one.
    ballot : str or None
        The ballot for which it is a reason; None for a statement.
    secret : bool
        Whether the vote was secret then, so that others see it only after the vote.
    """

    proposal: str
    by: str
    text: str
    change: Change
    ballot: str | None
    secret: bool


_SAID: WeakKeyDictionary[Timeline, dict[str, dict[tuple[str, bool], Statement]]] = WeakKeyDictionary()


def read_statement(timeline: Timeline, player: str, details: Json, *, reason: bool = False) -> Statement:
    """Return what a player says of an open proposal, from ``{"proposal": …, "text": …}``.

    Raises
    ------
    IllegalAction, LawError
        The text is missing, too long or has what cannot be seen, the proposal is not open, or a reason comes before a
        ballot.
    """
    text, number = details.get("text"), str(details.get("proposal"))
    text = " ".join(text.split()) if isinstance(text, str) else ""
    if not text or len(text) > LONGEST:
        raise IllegalAction(say("reason-length", "a reason or a statement can have 1 to {most} letters", most=LONGEST))
    check_text_storable("text", text, LONGEST)
    proposal = _proposal(timeline, number)
    vote, is_open = (proposal.vote, proposal.is_open) if proposal is not None else (None, False)
    ballot = vote.ballots.get(player) if reason and vote is not None else None
    if proposal is None or not is_open or (reason and ballot is None):
        raise IllegalAction(
            say("reason-without-ballot", "give a reason after you have voted, while the vote is open")
            if reason
            else say("statement-without-proposal", "there is no open proposal {number}", number=number[:40])
        )
    return Statement(number, player, text, proposal.change, ballot, vote is not None and vote.sealed)


def keep_statement(timeline: Timeline, statement: Statement) -> None:
    """Show a statement from now on, in place of the player's earlier one on this proposal."""
    said = _SAID.setdefault(timeline, {}).setdefault(statement.proposal, {})
    said[statement.by, statement.ballot is None] = statement


def all_statements(timeline: Timeline) -> list[Statement]:
    """Return everything that was said beside proposals of a game."""
    return [one for said in list(_SAID.get(timeline, {}).values()) for one in list(said.values())]


def statements_for(timeline: Timeline, player: str | None) -> dict[str, list[Statement]]:
    """Return what was said beside each proposal, as far as a player may see it; of None, as far as all may."""
    return {
        number: list(_visible(timeline, number, list(said.values()), player))
        for number, said in list(_SAID.get(timeline, {}).items())
    }


def _visible(timeline: Timeline, number: str, said: list[Statement], player: str | None) -> Iterator[Statement]:
    """Yield the statements on a proposal that a player may see: in a secret vote, those of others after it."""
    proposal, hidden = _proposal(timeline, number), False
    if proposal is None:
        return
    ballots = proposal.vote.ballots if proposal.vote is not None else {}
    if proposal.vote is not None and proposal.vote.sealed:
        with timeline.lock:
            hidden = proposal.is_open or proposal.number in current_seals(timeline).proposals
    for one in said:
        holds = one.change == proposal.change and one.ballot in (None, ballots.get(one.by))
        if holds and (one.by == player or not (hidden and one.secret)):
            yield one


def _proposal(timeline: Timeline, number: str) -> Proposal | None:
    """Return the proposal with a number, given as text; None if there is none."""
    return next((one for key, one in timeline.state.proposals.items() if str(key) == number), None)
