"""Signs that a change would wreck play, or bring it to a standstill."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from nomic_nb.engine.law.clauses import Set
from nomic_nb.engine.law.findings import Finding, as_set
from nomic_nb.engine.law.nodes import Expression, Undecided, View
from nomic_nb.engine.law.rules import Number, Rule, Source
from nomic_nb.engine.law.values import Ref
from nomic_nb.engine.play.adoptability import barred, is_owed
from nomic_nb.engine.play.permissions import forbidden, permission
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.turn_order import players_in
from nomic_nb.engine.play.values import names_of
from nomic_nb.engine.words import cited, listed
from nomic_nb.study.review.adoption import Future, closed
from nomic_nb.study.review.boards.compare import OnBoards
from nomic_nb.study.review.cases import of_an_example
from nomic_nb.study.review.queries import could_say, done_under, written_at_will
from nomic_nb.study.review.seen import Seen
from nomic_nb.study.review.terms import answer_and_rule
from nomic_nb.study.review.votes import casts
from nomic_nb.study.review.warnings.clarity import never

#: Actions that play waits for, and goes on by no other way.
AWAITED = frozenset({
    "begin_turn", "call_vote", "choose", "close_vote", "consent", "end_turn", "reveal", "roll", "rule_on", "seal",
    "vote",
})  # fmt: skip

#: Names by which a ban on proposals is about some proposals alone.
_WHO_OR_WHAT = frozenset({"change", "player", "proposal", "proponent", "mover", "movers", "target", "targets"})
#: What of the state stays while play waits, but for the clock, or is no matter of what players do.
_STAYING = frozenset({
    "circuit", "clock", "hand", "players", "position", "rules", "seats", "sequence", "turn", "turns",
})  # fmt: skip

#: What of players is otherwise once somebody is back, or has done something.
_OF_THOSE_AWAY = frozenset({"present", "idle"})


def wrecks(before: State, seen: Seen, future: Future, player: str, boards: OnBoards | None) -> Iterator[str]:
    """Yield what a change would wreck.

    Parameters
    ----------
    before : State
        As things stand.
    seen : Seen
        What adoption brings.
    future : Future
        Whether a rule-change could still pass.
    player : str
        The proponent.
    boards : OnBoards or None
        What changes on the boards.
    """
    adoption, turned = seen.adoption, seen.turned
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
    electorate, then = (of_an_example(one, "vote.electorate", player) for one in (after, before))
    if _empty(electorate) and not _empty(then):
        yield f"nobody may vote any more{cited(electorate.rule)}"
    turns = after.find("turn.sequence")
    if turns.answered and not players_in(after, turns.value):
        yield f"nobody has a turn any more{cited(turns.rule)}"
    yield from _no_turns(before, after)
    if adoption.winners:
        won = next((event.rule for event in adoption.events if event.kind == "won"), None)
        yield f"{listed(adoption.winners)} would win at once{cited(won)}"
    waits = set(after.playing) - set(after.persons) - set(before.playing)  # for dummies that have come in
    if waits or any(one.key.startswith(("vote.", "may.")) for one in turned):
        yield from closed(before, after, player)
    if boards is not None:
        if boards.stuck:
            yield f"no legal move would be left to {listed(boards.stuck)}"
        if boards.undecided:
            yield f"play stops when an army is to move, and the table is asked: {boards.undecided}"
    for doubt in adoption.doubts:
        yield f"play stops, and the table is asked: {doubt}"


def _empty(electorate: Finding) -> bool:
    return electorate.answered and not names_of(electorate.value)


def _no_turns(before: State, after: State) -> Iterator[str]:
    """Say that nobody may begin a turn any more, once the turns that are under way are over."""

    def barred(state: State) -> list[Finding]:
        idle = state.but(turns=(), hand=0)
        found = [permission(idle, "begin_turn", name) for name in names_of(idle.find("turn.sequence").value)]
        return found if found and all(forbidden(one) for one in found) else []

    then = barred(after)
    if then and not barred(before) and not any(_can_be_lifted(after, as_set(one)) for one in then[0].sources):
        yield f"nobody may begin a turn any more{cited(then[0].rule)}"


def _no_more(before: State, after: State, action: str) -> Iterator[str]:
    """Say that no rule brings anybody to propose, or to move, any more."""
    try:
        if is_owed(after.law, after, action) or not is_owed(before.law, before, action):
            return
    except Undecided:
        return
    parts = after.find("turn.parts")
    yield f"nobody gets to {action} any more; the parts of a turn are {answer_and_rule(parts)}"


def standing_still(seen: Seen) -> Iterator[str]:
    """Yield who could not propose, and where play could come to stand still, so that somebody wins by it."""
    after = seen.adoption.after
    if not seen.adoption.in_force:
        return
    when = {one.clause.words: one.when for one in seen.supposed}
    for one in seen.supposed:
        if one.clause.key == "may.propose":
            tables = after.law.dependence.looked_at(cast(Expression, one.clause.condition)).tables
            if not written_at_will(after.law, tables):
                hangs = _hangs_on_what_is_done(one.clause)
                yield from _proposers(after if hangs else one.state, one.when, one.rule.number)
    wins = after.find("win.when_stuck")
    told = f"; then rule {wins.rule} says who wins" if wins.rule is not None else ""
    if _waits_for_dummies(seen, after):
        yield f"play can come to a standstill: it waits for the ballot of a dummy, which no rule casts{told}"
    bans = ((one.new, clause) for one in seen.standing for clause in one.fresh if isinstance(clause, Set))
    for rule, clause in bans:
        action = clause.key.removeprefix("may.")
        if clause.value.node.value is not False:
            continue
        if action == "propose" and clause.words not in when:
            yield from _proposers(after, "", cast(Rule, rule).number)
        surely = action in AWAITED and _is_awaited(after, action) and not _can_be_lifted(after, clause, action)
        if surely and not any(never(after.law, Source(cast(Rule, rule), clause))):
            where = f" where {when[clause.words]}" if clause.words in when else ""
            meaning = after.law.vocabulary.actions[action].meaning
            yield f"play can come to a standstill: it waits for somebody to {meaning}, which is forbidden{where}{told}"


def _hangs_on_what_is_done(clause: Set) -> bool:
    """Tell whether a ban is about what is proposed, or by whom: others can propose, or something else."""
    return clause.condition is not None and not _WHO_OR_WHAT.isdisjoint(clause.condition.names)


def _is_awaited(state: State, action: str) -> bool:
    """Tell whether play ever waits for an act under this law, and goes on by no other way."""
    match action:
        case "end_turn":
            return could_say(state.law, "turn.ended_by", "player")
        case "close_vote":
            return of_an_example(state, "vote.duty").value is not True
        case "consent":
            return bool(state.law.speaking("judge.consent"))
        case "rule_on":
            return bool(state.law.speaking("judge.candidates"))
        case "choose" | "seal" | "reveal":
            sealed = could_say(state.law, "dice.source", "committed") or could_say(
                state.law, "secret.kept_by", "players"
            )
            asking = {one.form.begins[0] for one in done_under(state.law)}
            return "let" in asking if action == "choose" else sealed or "let" in asking
    return True


def _can_be_lifted(state: State, clause: Set, action: str = "") -> bool:
    """Tell whether something that players can do could end a ban, so that play waits for that, or nothing is sure."""
    condition = clause.condition
    if condition is None:
        return False
    dependence = state.law.dependence
    fields = dependence.read_by(condition) - _STAYING
    if fields - {"tables"} or not condition.words.isdisjoint(_OF_THOSE_AWAY):
        return True
    tables = dependence.looked_at(condition).tables & state.law.tables.keys()
    if written_at_will(state.law, tables):
        return True
    views = (View(state, {"player": Ref("player", name)}, state.law) for name in state.persons)
    if action == "begin_turn" and "player" in condition.names:  # the turns of some are only passed over
        return not all(_holds(condition, view) for view in views)
    return "tables" in fields and not any(_holds(condition, view) for view in views)


def _holds(condition: Expression, view: View) -> bool:
    try:
        return condition.run(view) is True
    except Undecided:
        return False


def _waits_for_dummies(seen: Seen, after: State) -> bool:
    """Tell whether votes would wait for dummies that a clause lets enter later on."""
    some = (effect for clause in seen.fresh for effect in clause.every_effect())
    if not any(one.form.name == "enter" and one.kind == "dummy" for one in some) or casts(after.law):
        return False
    none_yet = after.persons and set(after.playing) <= set(after.persons)
    return bool(none_yet) and of_an_example(after, "vote.duty").value is True


def _proposers(state: State, when: str, rule: Number) -> Iterator[str]:
    """Say who cannot propose anything where a clause holds."""
    out = [name for name in state.persons if barred(state, name, "propose") is not None]
    if out:
        who = "nobody can" if len(out) == len(state.persons) else f"{listed(out)} cannot"
        yield f"{who} propose{f' while {when}' if when else ' any more'}{cited(rule)}"
