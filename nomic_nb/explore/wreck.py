"""Signs that a change would wreck play."""

from __future__ import annotations

from collections.abc import Iterator

from nomic_nb.explore.boards.compare import OnBoards
from nomic_nb.explore.future import Future, closed
from nomic_nb.explore.terms import Turned
from nomic_nb.explore.words import answer_and_rule
from nomic_nb.law.changes import Change
from nomic_nb.law.findings import Finding
from nomic_nb.law.view import Undecided
from nomic_nb.markup.words import cited, listed
from nomic_nb.play.asking import ask, forbidden, may
from nomic_nb.play.chess.keys import KEYS
from nomic_nb.play.people import names_of
from nomic_nb.play.possible import is_owed, supposed, supposed_case
from nomic_nb.play.sequence import players_in
from nomic_nb.play.state import State
from nomic_nb.play.trial import Adoption

#: Terms without which boards cannot do. What is left out, only rules of other subjects look up, or what an army does
#: that enters.
NEEDED_ON_BOARDS = frozenset(key.name for key in KEYS) - {
    "army.array", "board.files", "board.ranks", "ladder.kinds", "move.spare_partner",
}  # fmt: skip


def wrecks(
    before: State, adoption: Adoption, future: Future, player: str, turned: tuple[Turned, ...],
    boards: OnBoards | None = None,
) -> Iterator[str]:  # fmt: skip
    """Yield what a change would wreck.

    Parameters
    ----------
    before : State
        As things stand.
    adoption : Adoption
        What adoption brings.
    future : Future
        Whether a rule-change could still pass.
    player : str
        The proponent.
    turned : tuple of Turned
        Terms that change.
    boards : OnBoards, optional
        What changes on the boards.
    """
    after = adoption.after if adoption.in_force else adoption.written
    if adoption.stopped_by is not None:
        yield f"it breaks a requirement, and would have no effect: {adoption.note}"
    if future.possible is False:
        yield f"no rule-change could be adopted afterwards: {future.reason}"
    elif future.possible is None:
        yield f"whether any rule-change could be adopted afterwards is open: {future.reason}"
    if future.possible is not False:
        yield from _no_more(before, after, "propose")
    if after.position is not None:
        yield from _no_more(before, after, "move")
    electorate = _electorate(after, player)
    if _empty(electorate) and not _empty(_electorate(before, player)):
        yield f"nobody may vote any more{cited(electorate.rule)}"
    turns = ask(after, "turn.sequence")
    if turns.answered and not players_in(after, turns.value):
        yield f"nobody has a turn any more{cited(turns.rule)}"
    yield from _no_turns(before, after)
    if adoption.winners:
        won = next(event for event in adoption.events if event.kind == "won")
        yield f"{listed(adoption.winners)} would win at once{cited(won.cause.rule if won.cause else None)}"
    yield from _silent(after, turned)
    waits = set(after.playing) - set(after.persons) - set(before.playing)  # for dummies that have come in
    if waits or any(one.key.startswith(("vote.", "may.")) for one in turned):
        yield from closed(before, after, player)
    if boards is not None:
        yield from _on_boards(boards)
    for doubt in adoption.doubts:
        yield f"play stops, and the table is asked: {doubt}"


def _electorate(state: State, player: str) -> Finding:
    asked = supposed(state, Change("enact", None, "An example.", title="An example"), player)
    return ask(asked, "vote.electorate", supposed_case())


def _empty(electorate: Finding) -> bool:
    return electorate.answered and not names_of(electorate.value)


def _on_boards(boards: OnBoards) -> Iterator[str]:
    """Say that armies cannot move any more, or that nobody can tell."""
    if boards.stuck:
        yield f"no legal move would be left to {listed(boards.stuck)}"
    if boards.undecided:
        yield f"play stops when an army is to move, and the table is asked: {boards.undecided}"


def _no_turns(before: State, after: State) -> Iterator[str]:
    """Say that nobody may begin a turn any more, once the turns that are under way are over."""

    def barred(state: State) -> list[Finding]:
        idle = state.but(turns=(), hand=0)
        found = [may(idle, "begin_turn", name) for name in names_of(ask(idle, "turn.sequence").value)]
        return found if found and all(forbidden(one) for one in found) else []

    then = barred(after)
    if then and not barred(before):
        yield f"nobody may begin a turn any more{cited(then[0].rule)}"


def _silent(after: State, turned: tuple[Turned, ...]) -> Iterator[str]:
    looked_up = {
        key
        for rule in after.rules.in_force
        for clause in rule.clauses
        for expression in clause.expressions
        for key in after.law.dependence.keys_of(expression)
    }
    needed = {key.name for key in after.law.vocabulary.keys.values() if key.needed} | looked_up
    needed |= NEEDED_ON_BOARDS if after.position is not None else set()
    gone = [one.where for one in turned if one.new.outcome == "silent" and one.key in needed]
    if len(gone) == 1:
        yield f"no rule says what {gone[0]} is any more; play stops there, and the table is asked"
    elif gone:
        yield f"{len(gone)} things that play needs would be laid down by no rule: {'; '.join(gone)}; the table is asked"


def _no_more(before: State, after: State, action: str) -> Iterator[str]:
    """Say that no rule brings anybody to propose, or to move, any more."""
    try:
        if is_owed(after.law, after, action) or not is_owed(before.law, before, action):
            return
    except Undecided:
        return
    parts = ask(after, "turn.parts")
    yield f"nobody gets to {action} any more; the parts of a turn are {answer_and_rule(parts)}"
