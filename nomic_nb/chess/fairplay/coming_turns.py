"""How things will stand in the turns to come if nobody does anything: with the change at hand, and without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from operator import attrgetter
from typing import NamedTuple, TypeAlias, cast
from weakref import WeakKeyDictionary

from nomic_nb.chess.fairplay.attacks import MOVE_KEYS
from nomic_nb.chess.fairplay.fairness import CIRCUITS_AHEAD
from nomic_nb.chess.fairplay.hypotheticals import (
    compared_fields,
    find_once,
    lookahead_budget,
    proposal_at_hand,
    suppose_form,
)
from nomic_nb.chess.play.events import moves_of_turn
from nomic_nb.chess.play.moving import FORM
from nomic_nb.engine.law.clauses import TriggerClause
from nomic_nb.engine.law.expressions import CHANCE_APART, IN_TIME, compile_node
from nomic_nb.engine.law.faults import with_faults
from nomic_nb.engine.law.nodes import IF_LAW_PREFIX, Expression, Run, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import ThingRef, Value
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.agenda_items import AgendaItem
from nomic_nb.engine.play.engine import ITEM
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.trial_adoption import TrialEngine, calm_state
from nomic_nb.engine.play.turn_order import next_turn_holder, read_turn_order
from nomic_nb.engine.play.values import Turn
from nomic_nb.engine.words import count_phrase

#: Turns to come that are looked at, at most.
MOST_TURNS_AHEAD = 60
#: Steps for letting one turn pass, apart from what rules do in it.
TURN_COST = 100


class FutureMoment(NamedTuple):
    """After how many turns, how things stand then, and how they would stand without the change at hand."""

    ended: int
    then: State
    anyway: Callable[[], State]


class TurnForecast(NamedTuple):
    """What is known of the turns to come, and what leaves the next one open."""

    states: tuple[State, ...]
    doubt: Undecided | None = None

    def after(self, turns: int) -> State:
        """Return how things stand after so many turns.

        Raises
        ------
        Undecided
            That is open.
        """
        if turns >= len(self.states) and self.doubt is not None:
            raise self.doubt
        return self.states[turns]


def _trigger_rules(engine: TrialEngine, event: str, **env: Value) -> None:
    """Let rules answer to an event; what somebody is to choose or to throw is left undone."""
    engine._begin_step()
    engine.simulate_event(event, env)
    if engine.state.questions:
        raise Undecided(
            say("table-would-be-asked", "the table would be asked: {question}", question=engine.state.questions[0].text)
        )
    engine.state = engine.state.replace(waiting=())


#: What of the state only passes with each turn, but for what is read of it.
_PASSING = frozenset(("turn", "circuit", "turns", "hand", "ended", "place", "sequence", "agenda", "seq"))
#: Fields of the state, as they were seen.
Sight: TypeAlias = "list[tuple[str, object]]"


class _PassingTurns(TrialEngine):
    """An engine that lets turns pass: what led to nothing is left out until something changes on which that hangs."""

    def __init__(self, state: State) -> None:
        super().__init__(state, frozenset())
        #: What led to nothing, and that on which it hangs, as it was.
        self.calm: dict[object, Sight] = {}
        #: On what it hangs whether the clause at work leads to anything.
        self.asked: list[Expression] = []
        #: Of lists, those for whom a part of a condition held, and on what that hangs.
        self.kept: dict[object, tuple[tuple[Value, ...], Sight, tuple[Value, ...]]] = {}

    def _is_as_seen(self, seen: Sight | None) -> bool:
        state = self.state
        for name, was in seen or ():
            if attrgetter(name)(state) is not was:
                return False
        return seen is not None

    def _is_calm(self, item: AgendaItem) -> bool:
        return item.kind == "trigger" and self._is_as_seen(self.calm.get((item.cause, *item.env.items())))

    def then(self, *items: AgendaItem) -> None:
        """Put these on the agenda behind everything else; nothing where none of them leads to anything."""
        if self.state.agenda or not all(map(self._is_calm, items)):
            super().then(*items)

    def _seen(self, *expressions: Expression) -> Sight | None:
        """Return all on which it hangs what expressions come to; None where that cannot be said."""
        dependence = self.law.dependence
        reads = frozenset[str]().union(*map(dependence.read_by, expressions))
        if "*" in reads:
            return None
        # The very same clauses, where only rules without any have changed.
        law = [("law.candidates", self.law.candidates)] if any(map(dependence.keys_of, expressions)) else []
        return [*law, *((name, getattr(self.state, name)) for name in reads)]

    def _set_off(self, item: AgendaItem) -> None:
        if self._is_calm(item):
            return
        before = len(list(self.state.agenda))
        clause = cast(TriggerClause, item.clause)
        self.asked = [*clause.asked]
        super()._set_off(item)
        seen = self._seen(*self.asked)
        if seen is not None and len(list(self.state.agenda)) == before:
            self.calm[item.cause, *item.env.items()] = seen

    def cases(self, each: str, among: Expression, condition: Expression | None) -> list[Mapping[str, Value]]:
        """Return the same for a case, part after part of the condition."""
        language, env = self.law.language, self.item.env
        if condition is None or language.apart(condition, each):
            return super().cases(each, among, condition)
        try:
            left, asked = cast("tuple[Value, ...]", among.run(self.view())), [among]
            self._charge_steps(ITEM * len(left))
            for part in _parts(language.vocabulary, condition):
                if not left:
                    break
                left = self._those(each, left, part)
                asked.append(part)
        except Undecided:
            return super().cases(each, among, condition)
        self.asked = asked
        return [{**env, each: one} for one in left]

    def _those(self, each: str, among: tuple[Value, ...], part: Expression) -> tuple[Value, ...]:
        """Return those on a list for whom a part of a condition holds."""
        names = self.law.dependence.looked_at(part).case
        what = each, part, *(one for one in self.item.env.items() if one[0] in names)
        if what in self.kept:
            before, seen, kept = self.kept[what]
            if before == among and self._is_as_seen(seen):
                return kept
        case, found = self.view(), list[Value]()
        for one in among:
            case.spend(0, part.work)
            case.bind(each, one)
            if part.run(case):
                found.append(one)
        now = self._seen(part)
        if now is not None:
            self.kept[what] = among, now, tuple(found)
        return tuple(found)

    def settle(self) -> None:
        """Settle what is not settled as it was."""
        if self._is_as_seen(self.calm.get(())):
            return
        before = self.state
        super().settle()
        if self.state is before:
            # The terms that are looked up when everything is done that an event sets off.
            reads = {
                name
                for key in ("precedence.tiers", "precedence.by", "win.winners", "win.by_change", "win.replaced", *FORM)
                for name in self.law.dependence.fields_read(key)
            }
            if "*" not in reads:
                self.calm[()] = [(name, getattr(before, name)) for name in vars(before).keys() - _PASSING | reads]


@lru_cache(256)
def _parts(vocabulary: Vocabulary, condition: Expression) -> tuple[Expression, ...]:
    """Return all that has to be so for a condition."""
    return tuple(
        replace(condition, node=one, canonical=one.canonical, run=with_faults(compile_node(one, vocabulary)))
        for one in condition.node.conjuncts
    )


def pass_turns(view: View, state: State) -> Iterator[State]:
    """Yield how things stand after each turn in which nobody does anything, chance apart."""
    engine = _PassingTurns(calm_state(state))
    while True:
        view.spend(1, TURN_COST)
        now = engine.state
        if not now.over and now.person_names:
            go = now.turns[0] if now.turns else None
            player = ThingRef("player", go.player if go else now.person_names[0])
            engine.state = now.replace(ended=now.ended + 1, turns=(), hand=0)
            _trigger_rules(engine, "turn_ended", player=player)
            _begin_next_turn(engine)
        yield engine.state


def _begin_next_turn(engine: TrialEngine) -> None:
    """Let the next turn begin, and the circuit end where it was the last one in it."""
    engine.schedule_due_effects()
    engine.finish()
    state = engine.state
    order = read_turn_order(state.read("turn.sequence"))
    name, place = next_turn_holder(state, order)
    if name is None:
        return
    if place <= state.place:
        _trigger_rules(engine, "circuit_ended", circuit=state.circuit)
        engine.state = engine.state.replace(circuit=state.circuit + 1)
    state, player = engine.state, order.holder(engine.state, name)
    army = name if order.of == "army" else None
    turn = Turn(state.turn + 1, player, army=army, march=moves_of_turn(state, army, player))
    engine.state = state.replace(turn=turn.number, hand=turn.number, turns=(turn,), place=place, sequence=order.names)
    _trigger_rules(engine, "turn_begun", player=ThingRef("player", player))
    for part in engine.state.read("turn.parts"):
        for event in ("part_begun", "part_ended"):
            _trigger_rules(engine, event, player=ThingRef("player", player), part=part)
        engine.state = engine.state.replace(turns=tuple(replace(one, duties=()) for one in engine.state.turns))


def describe_turns(ended: int) -> str:
    """Return after how many turns something comes, in words."""
    return "at once" if not ended else f"after {count_phrase(ended, 'turn')}"


def _forecast_turns(view: View, state: State, turns: int) -> TurnForecast:
    """Return how things stand now and after each of so many turns, as far as that is known."""
    found = [state]
    try:
        found += (then for _, then in zip(range(turns), pass_turns(view, state), strict=False))
    except Undecided as doubt:
        return TurnForecast(tuple(found), doubt)
    return TurnForecast(tuple(found))


def forecast_with_change(view: View, turns: int) -> Iterator[FutureMoment]:
    """Yield how things stand once the change at hand is adopted, then after each turn to come: so many states in all.

    Raises
    ------
    Undecided
        The next one is open.
    """
    state, change, after = state_of(view), proposal_at_hand(view), suppose_form(view, CHANCE_APART)[0]
    if state.position is None:
        return
    most = max(turns, count_states_ahead(state)) - 1
    anyway = _forecast_without_change(view, most)
    with lookahead_budget(view) as ahead:
        then: TurnForecast = find_once(
            ahead, ("then", most), (state, change), lambda then: _forecast_turns(then, after, most)
        )
    for ended in range(max(turns, 1)):
        yield FutureMoment(ended, then.after(ended), partial(anyway.after, ended))


def _forecast_without_change(view: View, turns: int) -> TurnForecast:
    """Return how things stand in the turns to come without the change at hand."""
    state = state_of(view)
    with lookahead_budget(view) as ahead:
        found: TurnForecast = find_once(
            ahead,
            ("anyway", turns),
            compared_fields(state),
            lambda then: _forecast_turns(then, state, turns),
            anew=True,
        )
        return found


def count_states_ahead(state: State) -> int:
    """Return how many states are looked at: until so many circuits have ended."""
    return min(MOST_TURNS_AHEAD, CIRCUITS_AHEAD * len(state.playing)) + 1


def find_moments(view: View) -> Iterator[FutureMoment]:
    """Yield the turns to come in which something that bears on moves is not as it was before, the first one at once.

    Raises
    ------
    Undecided
        The next one is open.
    """
    state, after = state_of(view), suppose_form(view, CHANCE_APART)[0]
    if state.position is None:
        return
    if _is_unchanged_by_time(view, state, after):
        yield FutureMoment(0, after, lambda: state)
        return
    before = None
    for moment in forecast_with_change(view, count_states_ahead(state)):
        if before is None or not _have_same_moves(before, moment.then):
            yield moment
        before = moment.then


def _is_unchanged_by_time(view: View, state: State, after: State) -> bool:
    """Tell whether time changes nothing: no rule that was made in play answers to events, and none comes into force."""
    made = (one for some in after.law.triggers.values() for one in some if one.rule.how != "initial")
    if any(made) or after.later or state.later:
        return False
    course = _forecast_without_change(view, count_states_ahead(state) - 1)
    if course.doubt is not None:
        return False
    same = find_once(
        view, ("steady", ""), (course,), lambda _: all(_have_same_moves(state, one) for one in course.states)
    )
    return cast("bool", same)


def _have_same_moves(state: State, other: State) -> bool:
    """Tell whether all that bears on moves is the same in two states, except for what is only the time."""
    (says, read), (says_then, read_then) = _find_move_clauses(state.law), _find_move_clauses(other.law)
    same = says == says_then and read == read_then and state.playing == other.playing
    return same and all(getattr(state, name) is getattr(other, name) for name in ("position", *read))


#: Of bodies of law, what in them bears on moves: it is asked for each turn to come.
_MOVE_CLAUSES: WeakKeyDictionary[Law, tuple[object, tuple[str, ...]]] = WeakKeyDictionary()


def _find_move_clauses(law: Law) -> tuple[object, tuple[str, ...]]:
    """Return what the clauses that bear on moves say, and what of the state they read that does not only pass by."""
    if law not in _MOVE_CLAUSES:
        sources = [one for found in law.dependence.behind(*MOVE_KEYS).values() for one in found]
        sources += law.replacements.get("captured", ())
        says = [(one.rule.id, one.rule.scope, one.rule.lifted, one.rule.guarded, one.clause) for one in sources]
        read = {name for key in MOVE_KEYS for name in law.dependence.fields_read(key)}
        _MOVE_CLAUSES[law] = says, tuple(sorted(read & {"players", "tables"}))
    return _MOVE_CLAUSES[law]


def evaluate_after_change(view: View, form: str, run: Run) -> Value:
    """Return what something comes to if the change at hand is adopted; in time, whether that makes it so.

    It makes so what is true at once, or in one of the turns to come, and would not be true then without it. Only turns
    in which something that bears on moves is not as it would be without it are looked at.
    """
    if form != IN_TIME:
        return view.within(*suppose_form(view, form), run)
    doubt = None
    try:
        for moment in find_moments(view):
            try:
                if not _have_same_moves(moment.then, moment.anyway()) and _evaluate_at(view, run, moment):
                    return True
            except Undecided as open_then:
                doubt = doubt or open_then
    except Undecided as open_later:
        doubt = doubt or open_later
    if doubt is not None:
        raise doubt
    return False


def _evaluate_at(view: View, run: Run, moment: FutureMoment) -> bool:
    with lookahead_budget(view) as ahead:
        if ahead.within(moment.then, moment.then.law, run) is not True:
            return False
        found, anyway = ahead.evidence, moment.anyway()
        ahead.evidence = {}
        without = ahead.within(anyway, anyway.law, run)
        if moment.ended:
            ahead.evidence = {name: f"{describe_turns(moment.ended)}, {said}" for name, said in found.items()}
        else:
            now = {name: said.replace(IF_LAW_PREFIX, "without it, ", 1) for name, said in ahead.evidence.items()}
            ahead.evidence = found | {f"without {name}": said for name, said in now.items()}
        return without is not True
