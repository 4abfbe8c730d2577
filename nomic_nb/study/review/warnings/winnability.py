"""Whether nobody can win any more: proved by trying all cases that a rule on winning can tell apart, or not said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, product

from nomic_nb.engine.law.findings import Finding, set_clause_of
from nomic_nb.engine.law.nodes import Expression, Node, Undecided, walk_all
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import SourceClause
from nomic_nb.engine.law.values import LARGEST, ThingRef, Value
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import player_names

#: On what it may hang who wins, so that all cases can be tried.
TRIED_FIELDS = frozenset({"players", "tables", "turn", "circuit", "seats", "rules"})
#: Players up to whom all cases are tried, and cases in all.
MOST_PLAYERS, MOST_CASES = 12, 3_000


def find_unwinnable(state: State) -> Finding | None:
    """Return what the law says of who wins, if it is nobody in every case; None if somebody can, or nothing is sure."""
    found = state.find("win.winners")
    if not found.answered or player_names(found.value):
        return None
    cases = _distinct_states(state, _clauses_on_winning(state.law, found))
    if cases is None:
        return None
    some = list(islice(cases, MOST_CASES + 1))
    for one in some:
        then = one.find("win.winners")
        if not then.answered or player_names(then.value):
            return None
    return found if len(some) <= MOST_CASES else None


def _clauses_on_winning(law: Law, found: Finding) -> list[Expression]:
    """Return what it hangs on who wins: clauses that one without a condition always defeats say nothing."""
    always = [one for one in found.sources if set_clause_of(one).condition is None and not one.adds]
    speaking = [one for one in law.sources("win.winners") if not any(_does_defeat(law, two, one) for two in always)]
    own = [one for source in speaking for one in source.expressions]
    return own + law.dependence.expressions_behind(*law.dependence.keys_of(*own))


def _does_defeat(law: Law, one: SourceClause, other: SourceClause) -> bool:
    try:
        return not any(source is other for source in law.precedence.prevailing([one, other], "win.winners")[0])
    except Undecided:
        return False


def _distinct_states(state: State, expressions: Sequence[Expression]) -> Iterator[State] | None:
    """Return all states that expressions can tell apart; None if those are more than can be tried."""
    dependence = state.law.dependence
    reads = frozenset().union(*(dependence.read_by(one) for one in expressions))
    tables = {name for one in expressions for name in dependence.looked_at(one).tables} & state.law.tables.keys()
    if not reads <= TRIED_FIELDS or len(state.playing) > MOST_PLAYERS or not all(map(_is_plain, expressions)):
        return None
    negated = (one.negated.value for one in walk_all(expressions) if one.negated)
    below = {-one for one in negated if type(one) is int}
    numbers = sorted(below | {number for one in expressions for number in one.numbers()})
    around = (0, *dict.fromkeys(near for one in numbers for near in (one - 1, one, one + 1)), LARGEST, -LARGEST)
    texts = (*dict.fromkeys(text for one in expressions for text in one.texts()), "")
    kinds: dict[str, Sequence[Value]] = {"number": around, "text": texts, "truth": (True, False)}
    shapes = {name: state.law.tables[name] for name in sorted(tables)}
    if any(one.keys not in ((), ("player",)) or one.holds.name not in kinds for one in shapes.values()):
        return None
    clock = tuple(one for one in around if one > 0) if reads & {"turn", "circuit"} else (state.turn,)
    each = [kinds[one.holds.name] for one in shapes.values() for _ in range(1 + (one.keys == ("player",)))]
    return _all_states(state, tuple(shapes), clock, each)


def _all_states(
    state: State, tables: Sequence[str], clock: Sequence[int], each: Sequence[Sequence[Value]]
) -> Iterator[State]:
    """Yield the states in which so many are left, one of them has this, and the others all have that."""
    for turn, circuit in product(clock, clock):
        for own in state.playing:
            others = [name for name in state.playing if name != own]
            for left in range(len(others) + 1):
                here = {own, *others[:left]}
                players = {name: replace(one, playing=name in here) for name, one in state.players.items()}
                base = state.replace(players=players, turn=turn, circuit=circuit)
                for values in product(*each):
                    yield _state_with_values(base, tables, own, values)


def _state_with_values(state: State, tables: Sequence[str], own: str, values: Sequence[Value]) -> State:
    """Return the state with values in its tables: of one player and of the others, or of the game."""
    found, waiting = dict(state.tables), list(values)
    for name in tables:
        if state.law.tables[name].keys == ():
            found[name] = found[name].put((), waiting.pop(0))
            continue
        mine, theirs = waiting.pop(0), waiting.pop(0)
        for player in state.players:
            found[name] = found[name].put((ThingRef("player", player),), mine if player == own else theirs)
    return state.replace(tables=found)


def _is_plain(expression: Expression) -> bool:
    """Tell whether an expression tells no more apart than how things compare with what it names."""
    inner = [one.loop for one in expression.walk() if one.loop]
    quantifiers = [one for one in inner if one in ("any", "all")]
    # More of them could ask for several others who differ from one another.
    few = len(inner) - len(quantifiers) <= 1 and len(quantifiers) <= 1
    return few and all(map(_distinguishes_players, expression.walk()))


def _distinguishes_players(node: Node) -> bool:
    if node.function:
        return node.function == "count" and node.parts[0].name != ""
    if node.comparison in ("<", "<=", ">", ">="):
        # Two that both vary have values between which there are none that are tried.
        return any(part.is_constant or part.key or part.negated for part in node.parts)
    if node.negated:
        return node.negated.is_constant
    return not (node.arithmetic or node.supposition or (node.table and not node.field))
