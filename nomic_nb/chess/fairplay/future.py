"""How things will stand in the turns to come if nobody does anything: with the change at hand, and without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple, cast
from weakref import WeakKeyDictionary

from nomic_nb.chess.fairplay.impartial import AHEAD
from nomic_nb.chess.fairplay.supposing import SEEN, looking_ahead, once, proposal_at_hand, supposed_as
from nomic_nb.chess.fairplay.threats import BEARING
from nomic_nb.chess.play.events import march_of
from nomic_nb.engine.law.expressions import CHANCE_APART, IN_TIME
from nomic_nb.engine.law.nodes import IF_LAW, Expression, Run, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import Ref, Value
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.trial import Trial, calm
from nomic_nb.engine.play.turn_order import next_in, sequence_of
from nomic_nb.engine.play.values import Turn
from nomic_nb.engine.words import plural

#: Turns to come that are looked at, at most.
MOST_TURNS = 60
#: Steps for letting one turn pass, apart from what rules do in it.
TURN = 100


class Moment(NamedTuple):
    """After how many turns, how things stand then, and how they would stand without the change at hand."""

    ended: int
    then: State
    anyway: Callable[[], State]


class Course(NamedTuple):
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


def _happen(engine: Trial, event: str, **env: Value) -> None:
    """Let rules answer to an event; what somebody is to choose or to throw is left undone."""
    engine._begin_step()
    engine.happen(event, env)
    if engine.state.questions:
        raise Undecided(
            say("table-would-be-asked", "the table would be asked: {question}", question=engine.state.questions[0].text)
        )
    engine.state = engine.state.but(waiting=())


class _Idle(Trial):
    """An engine that lets turns pass: what most clauses look at is the same in each circuit."""

    def cases(self, each: str, among: Expression, condition: Expression | None) -> list[Mapping[str, Value]]:
        """Return the same for a case as long as nothing changes on which it depends."""
        asked = [one for one in (among, condition) if one is not None]
        fields = tuple({name for one in asked for name in self.law.dependence.read_by(one)})
        if "*" in fields:
            return super().cases(each, among, condition)
        memo, part = ("cases", each, *asked, *self.item.env.items()), (self.cause.id if self.cause else 0, "")
        find = partial(super().cases, each, among, condition)
        return cast("list[Mapping[str, Value]]", self.law.remembered(memo, fields, self.state, part, find))


def idle(view: View, state: State) -> Iterator[State]:
    """Yield how things stand after each turn in which nobody does anything, chance apart."""
    engine = _Idle(calm(state), frozenset())
    while True:
        view.spend(1, TURN)
        now = engine.state
        if not now.over and now.persons:
            go = now.turns[0] if now.turns else None
            player = Ref("player", go.player if go else now.persons[0])
            engine.state = now.but(ended=now.ended + 1, turns=(), hand=0)
            _happen(engine, "turn_ended", player=player)
            _next_turn(engine)
        yield engine.state


def _next_turn(engine: Trial) -> None:
    """Let the next turn begin, and the circuit end where it was the last one in it."""
    engine.take_up_later()
    engine.finish()
    state = engine.state
    order = sequence_of(state.read("turn.sequence"))
    name, place = next_in(state, order)
    if name is None:
        return
    if place <= state.place:
        _happen(engine, "circuit_ended", circuit=state.circuit)
        engine.state = engine.state.but(circuit=state.circuit + 1)
    state, player = engine.state, order.holder(engine.state, name)
    army = name if order.of == "army" else None
    turn = Turn(state.turn + 1, player, army=army, march=march_of(state, army, player))
    engine.state = state.but(turn=turn.number, hand=turn.number, turns=(turn,), place=place, sequence=order.names)
    _happen(engine, "turn_begun", player=Ref("player", player))
    for part in engine.state.read("turn.parts"):
        for event in ("part_begun", "part_ended"):
            _happen(engine, event, player=Ref("player", player), part=part)
        engine.state = engine.state.but(turns=tuple(replace(one, duties=()) for one in engine.state.turns))


def in_turns(ended: int) -> str:
    """Return after how many turns something comes, in words."""
    return "at once" if not ended else f"after {plural(ended, 'turn')}"


def _course(view: View, state: State, turns: int) -> Course:
    """Return how things stand now and after each of so many turns, as far as that is known."""
    found = [state]
    try:
        found += (then for _, then in zip(range(turns), idle(view, state), strict=False))
    except Undecided as doubt:
        return Course(tuple(found), doubt)
    return Course(tuple(found))


def turns_ahead(view: View, turns: int) -> Iterator[Moment]:
    """Yield how things stand once the change at hand is adopted, then after each turn to come: so many states in all.

    Raises
    ------
    Undecided
        The next one is open.
    """
    state, change, after = state_of(view), proposal_at_hand(view), supposed_as(view, CHANCE_APART)[0]
    if state.position is None:
        return
    most = max(turns, _horizon(state)) - 1
    anyway = _course_without(view, most)
    with looking_ahead(view) as ahead:
        then: Course = once(ahead, ("then", most), (state, change), lambda then: _course(then, after, most))
    for ended in range(max(turns, 1)):
        yield Moment(ended, then.after(ended), partial(anyway.after, ended))


def _course_without(view: View, turns: int) -> Course:
    """Return how things stand in the turns to come without the change at hand."""
    state = state_of(view)
    seen = tuple(getattr(state, name) for name in SEEN)
    with looking_ahead(view) as ahead:
        found: Course = once(ahead, ("anyway", turns), seen, lambda then: _course(then, state, turns), anew=True)
        return found


def _horizon(state: State) -> int:
    """Return how many states are looked at: until so many circuits have ended."""
    return min(MOST_TURNS, AHEAD * len(state.playing)) + 1


def moments(view: View) -> Iterator[Moment]:
    """Yield the turns to come in which something that bears on moves is not as it was before, the first one at once.

    Raises
    ------
    Undecided
        The next one is open.
    """
    state, after = state_of(view), supposed_as(view, CHANCE_APART)[0]
    if state.position is None:
        return
    if _nothing_acts(view, state, after):
        yield Moment(0, after, lambda: state)
        return
    before = None
    for moment in turns_ahead(view, _horizon(state)):
        if before is None or not _stand_alike(before, moment.then):
            yield moment
        before = moment.then


def _nothing_acts(view: View, state: State, after: State) -> bool:
    """Tell whether time changes nothing: no rule that was made in play answers to events, and none comes into force."""
    made = (one for some in after.law.triggers.values() for one in some if one.rule.how != "initial")
    if any(made) or after.later or state.later:
        return False
    course = _course_without(view, _horizon(state) - 1)
    if course.doubt is not None:
        return False
    same = once(view, ("steady", ""), (course,), lambda _: all(_stand_alike(state, one) for one in course.states))
    return cast("bool", same)


def _stand_alike(state: State, other: State) -> bool:
    """Tell whether all that bears on moves is the same in two states, except for what is only the time."""
    (says, read), (says_then, read_then) = _bearing(state.law), _bearing(other.law)
    same = says == says_then and read == read_then and state.playing == other.playing
    return same and all(getattr(state, name) is getattr(other, name) for name in ("position", *read))


#: Of bodies of law, what in them bears on moves: it is asked for each turn to come.
_BEARING: WeakKeyDictionary[Law, tuple[object, tuple[str, ...]]] = WeakKeyDictionary()


def _bearing(law: Law) -> tuple[object, tuple[str, ...]]:
    """Return what the clauses that bear on moves say, and what of the state they read that does not only pass by."""
    if law not in _BEARING:
        sources = [one for _, found in law.dependence.behind(*BEARING) for one in found]
        sources += law.replacements.get("captured", ())
        says = [(one.rule.id, one.rule.scope, one.rule.lifted, one.rule.guarded, one.clause) for one in sources]
        read = {name for key in BEARING for name in law.dependence.fields_read(key)}
        _BEARING[law] = says, tuple(sorted(read & {"players", "tables"}))
    return _BEARING[law]


def afterwards(view: View, form: str, run: Run) -> Value:
    """Return what something comes to if the change at hand is adopted; in time, whether that makes it so.

    It makes so what is true at once, or in one of the turns to come, and would not be true then without it. Only turns
    in which something that bears on moves is not as it would be without it are looked at.
    """
    if form != IN_TIME:
        return view.within(*supposed_as(view, form), run)
    doubt = None
    try:
        for moment in moments(view):
            try:
                if not _stand_alike(moment.then, moment.anyway()) and _makes_so(view, run, moment):
                    return True
            except Undecided as open_then:
                doubt = doubt or open_then
    except Undecided as open_later:
        doubt = doubt or open_later
    if doubt is not None:
        raise doubt
    return False


def _makes_so(view: View, run: Run, moment: Moment) -> bool:
    with looking_ahead(view) as ahead:
        if ahead.within(moment.then, moment.then.law, run) is not True:
            return False
        found, anyway = ahead.evidence, moment.anyway()
        ahead.evidence = {}
        without = ahead.within(anyway, anyway.law, run)
        if moment.ended:
            ahead.evidence = {name: f"{in_turns(moment.ended)}, {said}" for name, said in found.items()}
        else:
            now = {name: said.replace(IF_LAW, "without it, ", 1) for name, said in ahead.evidence.items()}
            ahead.evidence = found | {f"without {name}": said for name, said in now.items()}
        return without is not True
