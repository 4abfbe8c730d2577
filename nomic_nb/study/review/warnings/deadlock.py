"""Signs that a change would wreck play, bring it to a standstill, or leave nobody a way to win."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from nomic_nb.chess.play.records import KEYS
from nomic_nb.engine.law.clauses import Instead, On, Set
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
from nomic_nb.study.review.queries import could_say, done_under, in_force, written_at_will
from nomic_nb.study.review.seen import Seen
from nomic_nb.study.review.terms import Turned, answer_and_rule
from nomic_nb.study.review.votes import casts
from nomic_nb.study.review.warnings.no_effect import never
from nomic_nb.study.review.warnings.winnability import unwinnable

#: Terms without which boards cannot do. What is left out, only rules of other subjects look up, or what an army does
#: that enters.
NEEDED_ON_BOARDS = frozenset(key.name for key in KEYS) - {
    "army.array", "board.files", "board.ranks", "ladder.kinds", "move.spare_partner",
}  # fmt: skip
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


def hopeless(before: State, seen: Seen) -> Iterator[str]:
    """Yield what nobody could do, or come to, any more; what is so already is not said."""
    after = seen.adoption.after if seen.adoption.in_force else seen.adoption.written
    for look, told in _LOOKS:
        found = look(after)
        if found is not None and look(before) is None:
            yield f"{told}{cited(found.rule)}"
    for one in seen.supposed:
        found = unwinnable(one.state) if one.clause.key == "win.winners" else None
        if found is not None and unwinnable(before) is None:
            yield f"nobody wins any more where {one.when}{cited(found.rule)}"
    if _puts_out(before) and not _puts_out(after) and "players" in after.law.dependence.fields_read("win.winners"):
        won = cited(after.find("win.winners").rule)
        yield f"no rule puts anybody out any more, and who wins depends on who is left{won}"
    yield from _silent(after, seen.turned)
    yield from _passed_over(before, after)
    for clause in seen.of(On):
        ends = any(one.form.name == "end" and one.what != "play" for one in clause.effects_at_once())
        if clause.event in ("turn_begun", "part_begun") and clause.condition is None and clause.among is None and ends:
            yield f"nobody gets to do anything in a turn: “{clause.words}” ends each as it begins"


def _puts_out(state: State) -> bool:
    """Tell whether a rule in force puts players out, and none puts something in place of that whatever happens."""
    clauses = [part for one in in_force(state.law) for part in one.whole]
    if any(isinstance(one, Instead) and one.event == "eliminated" and one.condition is None for one in clauses):
        return False
    return any(effect.form.name == "eliminate" for clause in clauses for effect in clause.every_effect())


def _uncaptured(state: State) -> Finding | None:
    """Return what keeps royal pieces from being captured, whoever would do it."""
    if state.position is None:
        return None
    royals = state.find("royal.capture")
    if royals.value == "never":
        return royals
    found = [state.find("capture.from", army=Ref("army", name)) for name in state.position.armies]
    return found[0] if found and all(one.answered and one.value == () for one in found) else None


def _unmoved(state: State) -> Finding | None:
    """Return what keeps everybody from moving: a ban that looks at nothing, or no moves in a turn."""
    if state.position is None:
        return None
    bans = [permission(state, "move", name) for name in state.playing]
    if bans and all(one.answered and forbidden(one) for one in bans):
        return bans[0]
    counts = [state.find("move.count", army=Ref("army", name)) for name in state.position.armies]
    return counts[0] if counts and all(one.answered and one.value == 0 for one in counts) else None


#: What is looked for, each with what is said where it is so, and was not.
_LOOKS: tuple[tuple[Callable[[State], Finding | None], str], ...] = (
    (unwinnable, "nobody wins any more, neither who is left alone nor who has most"),
    (_uncaptured, "no royal piece can be captured any more"),
    (_unmoved, "nobody may move any more"),
)


def _passed_over(before: State, after: State) -> Iterator[str]:
    """Say who has turns, and would have none any more, where others have them still."""
    then, now = before.find("turn.sequence"), after.find("turn.sequence")
    if then.answered and now.answered and (left := set(players_in(after, now.value))):
        lost = [one for one in after.playing if one in players_in(before, then.value) and one not in left]
        if lost:
            yield f"{listed(lost)} would have no turn any more{cited(now.rule)}"
    extra, next_ones = before.find("turn.next"), after.find("turn.next")
    always = all(as_set(one).condition is None for one in next_ones.sources)
    if next_ones.answered and always and (names := names_of(next_ones.value)) and not names_of(extra.value or ()):
        yield f"whenever a turn ends, the next would be {listed(names, 'and')}’s again{cited(next_ones.rule)}"


def _silent(after: State, turned: tuple[Turned, ...]) -> Iterator[str]:
    silent = [one for one in turned if one.new.outcome == "silent"]
    if not silent:
        return
    expressions = (one for clause in in_force(after.law) for one in clause.expressions)
    looked_up = {key for one in expressions for key in after.law.dependence.keys_of(one)}
    needed = {key.name for key in after.law.vocabulary.keys.values() if key.needed} | looked_up
    needed |= NEEDED_ON_BOARDS if after.position is not None else set()
    gone = [one.where for one in silent if one.key in needed]
    if len(gone) == 1:
        yield f"no rule says what {gone[0]} is any more; play stops there, and the table is asked"
    elif gone:
        yield f"{len(gone)} things that play needs would be laid down by no rule: {'; '.join(gone)}; the table is asked"


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
