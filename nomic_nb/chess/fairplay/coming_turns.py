"""The coming turns if nobody does anything, with the proposed change and without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from math import prod
from operator import attrgetter, is_
from typing import Any, NamedTuple, TypeAlias, cast
from weakref import WeakKeyDictionary

from nomic_nb.chess.fairplay.attacks import MOVE_KEYS, clock_fields_of_moves, find_attacks, state_at_next_turn
from nomic_nb.chess.fairplay.evidence import ends_of, evidence_on_board, reword_evidence
from nomic_nb.chess.fairplay.fairness import CIRCUITS_AHEAD
from nomic_nb.chess.fairplay.hypotheticals import (
    compared_fields,
    examined_proposal,
    lookahead_budget,
    lookahead_function,
    recall_or_find,
    state_and_law_after_change,
)
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.events import new_turn_moves
from nomic_nb.chess.play.legal import move_options
from nomic_nb.chess.play.moving import BOARD_FORM_KEYS, make_move
from nomic_nb.chess.play.records import (
    KIND_TYPE,
    PIECES,
    armies_of,
    describe_piece,
    find_piece,
    function,
    referenced_ids,
    royals_among,
)
from nomic_nb.engine.law.clauses import TriggerClause
from nomic_nb.engine.law.expressions import CHANCE_APART, IN_TIME, check_number_size, lazy_compilation
from nomic_nb.engine.law.nodes import IF_LAW_PREFIX, AbsentName, Expression, Run, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import NUMBER, TRUTH, ThingRef, Value
from nomic_nb.engine.law.vocabulary import Key, Vocabulary
from nomic_nb.engine.play.agenda_items import AgendaItem
from nomic_nb.engine.play.engine import ITEM
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.trial_adoption import TrialEngine, calm_state
from nomic_nb.engine.play.turn_order import next_turn_holder, read_turn_order
from nomic_nb.engine.play.values import PLAYER, Turn
from nomic_nb.engine.words import count_phrase, join_words

# ---------------------------------------------- how things will be in the turns to come if nobody does anything


#: Turns to come that are looked at, at most.
MOST_TURNS_AHEAD = 60
#: Steps for letting one turn pass, apart from what rules do in it.
TURN_COST = 100


class FutureMoment(NamedTuple):
    """A coming turn: the state then with the proposed change, and the state without it."""

    ended: int
    then: State
    anyway: Callable[[], State]


class TurnForecast(NamedTuple):
    """The states forecast for the coming turns, and the doubt that leaves the next one open."""

    states: tuple[State, ...]
    doubt: Undecided | None = None

    def after(self, turns: int) -> State:
        """Return the state forecast for the end of this many turns (0 for now); raise `Undecided` if it is open.

        Raises
        ------
        Undecided
            The forecast does not reach that far.
        """
        if turns >= len(self.states) and self.doubt is not None:
            raise self.doubt
        return self.states[turns]


def _trigger_rules(engine: TrialEngine, event: str, **env: Value) -> None:
    """Let rules react to a simulated event with these bound names; leave out choices and dice rolls."""
    engine._begin_step()
    engine.simulate_event(event, env)
    if engine.state.questions:
        raise Undecided(
            "table-would-be-asked",
            "the players would be asked: {question}",
            question=engine.state.questions[0].text,
        )
    engine.state = engine.state.replace(waiting=())


#: What of the state only passes with each turn, but for what is read of it.
_PASSING = frozenset(("turn", "circuit", "turns", "hand", "ended", "place", "sequence", "agenda", "seq"))
#: Fields of the state, as they were seen.
SeenFields: TypeAlias = "list[tuple[str, object]]"


class _TurnPassingEngine(TrialEngine):
    """Engine that lets turns pass, and skips rules that did nothing until something changes."""

    def __init__(self, state: State) -> None:
        super().__init__(state, frozenset())
        #: What led to nothing, and that on which it hangs, as it was.
        self.calm: dict[object, SeenFields] = {}
        #: On what it hangs whether the clause at work leads to anything.
        self.asked: list[Expression] = []
        #: Of lists, those for whom a part of a condition held, and on what that hangs.
        self.kept: dict[object, tuple[tuple[Value, ...], SeenFields, tuple[Value, ...]]] = {}

    def _is_unchanged_since(self, seen: SeenFields | None) -> bool:
        """Tell whether state fields still have the values in `seen`; False if that is None."""
        state = self.state
        for name, was in seen or ():
            if attrgetter(name)(state) is not was:
                return False
        return seen is not None

    def _is_known_to_do_nothing(self, item: AgendaItem) -> bool:
        """Tell whether a triggered clause did nothing last time, and nothing it depends on has changed."""
        return item.kind == "trigger" and self._is_unchanged_since(self.calm.get((item.cause, *item.env.items())))

    def put_last(self, *items: AgendaItem) -> None:
        """Put items at the end of the agenda, unless all of them are known to do nothing."""
        if self.state.agenda or not all(map(self._is_known_to_do_nothing, items)):
            super().put_last(*items)

    def _fields_read_by(self, *expressions: Expression) -> SeenFields | None:
        """Return the state fields that expressions read, as (name, value) pairs; None if they are unknown."""
        dependence = self.law.dependence
        reads = frozenset[str]().union(*map(dependence.fields_of_expression, expressions))
        if "*" in reads:
            return None
        # The very same clauses, where only rules without any have changed.
        law = [("law.candidates", self.law.candidates)] if any(map(dependence.keys_of_expression, expressions)) else []
        return [*law, *((name, getattr(self.state, name)) for name in reads)]

    def _fire_trigger(self, item: AgendaItem) -> None:
        """Run a clause unless it is known to do nothing; remember it if it did nothing."""
        if self._is_known_to_do_nothing(item):
            return
        before = len(list(self.state.agenda))
        clause = cast(TriggerClause, item.clause)
        self.asked = [*clause.asked]
        super()._fire_trigger(item)
        seen = self._fields_read_by(*self.asked)
        if seen is not None and len(list(self.state.agenda)) == before:
            self.calm[item.cause, *item.env.items()] = seen

    def cases_meeting_condition(
        self, each: str, among: Expression, condition: Expression | None
    ) -> list[Mapping[str, Value]]:
        """Return the current case with `each` bound, for each value in `among` that meets a condition."""
        language, env = self.law.language, self.item.env
        if condition is None or language.apart(condition, each):
            return super().cases_meeting_condition(each, among, condition)
        try:
            left, asked = cast("tuple[Value, ...]", among.run(self.view())), [among]
            self._charge_steps(ITEM * len(left))
            for part in _split_condition(language.vocabulary, condition):
                if not left:
                    break
                left = self._filter_by_part(each, left, part)
                asked.append(part)
        except Undecided:
            return super().cases_meeting_condition(each, among, condition)
        self.asked = asked
        return [{**env, each: value} for value in left]

    def _filter_by_part(self, each: str, among: tuple[Value, ...], part: Expression) -> tuple[Value, ...]:
        """Return the values in `among` for which, bound to the name `each`, one part of a condition holds."""
        names = self.law.dependence.reads_of_expression(part).case
        what = each, part, *(binding for binding in self.item.env.items() if binding[0] in names)
        if what in self.kept:
            before, seen, kept = self.kept[what]
            if before == among and self._is_unchanged_since(seen):
                return kept
        case, values = self.view(), list[Value]()
        for value in among:
            case.spend_steps(0, part.step_cost)
            case.bind(each, value)
            if part.run(case):
                values.append(value)
        now = self._fields_read_by(part)
        if now is not None:
            self.kept[what] = among, now, tuple(values)
        return tuple(values)

    def end_trial_step(self) -> None:
        """Update precedence, winners and boards, unless that did nothing last time and nothing changed since."""
        if self._is_unchanged_since(self.calm.get(())):
            return
        before = self.state
        super().end_trial_step()
        if self.state is before:
            # The terms that are looked up when everything is done that an event sets off.
            reads = {
                name
                for key in (
                    "precedence.tiers",
                    "precedence.by",
                    "win.winners",
                    "win.by_change",
                    "win.replaced",
                    *BOARD_FORM_KEYS,
                )
                for name in self.law.dependence.fields_read(key)
            }
            if "*" not in reads:
                self.calm[()] = [(name, getattr(before, name)) for name in vars(before).keys() - _PASSING | reads]


@lru_cache(256)
def _split_condition(vocabulary: Vocabulary, condition: Expression) -> tuple[Expression, ...]:
    """Return the parts of a condition that are joined by “and”, each as an expression."""
    return tuple(
        replace(condition, node=node, compile=lazy_compilation(node, vocabulary)) for node in condition.node.conjuncts
    )


def pass_turns(view: View, state: State) -> Iterator[State]:
    """Yield, without end, the state after one, two … more turns in which no player acts, without dice rolls."""
    engine = _TurnPassingEngine(calm_state(state))
    while True:
        view.spend_steps(1, TURN_COST)
        now = engine.state
        if not now.over and now.person_names:
            go = now.turns[0] if now.turns else None
            player = ThingRef("player", go.player if go else now.person_names[0])
            engine.state = now.replace(ended=now.ended + 1, turns=(), hand=0)
            _trigger_rules(engine, "turn_ended", player=player)
            _begin_next_turn(engine)
        yield engine.state


def _begin_next_turn(engine: TrialEngine) -> None:
    """Begin the next turn, and end the round if its last turn has passed."""
    engine.schedule_due_effects()
    engine.finish_agenda()
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
    turn = Turn(state.turn + 1, player, army=army, march=new_turn_moves(state, army, player))
    engine.state = state.replace(turn=turn.number, hand=turn.number, turns=(turn,), place=place, sequence=order.names)
    _trigger_rules(engine, "turn_begun", player=ThingRef("player", player))
    for part in engine.state.read("turn.parts"):
        for event in ("part_begun", "part_ended"):
            _trigger_rules(engine, event, player=ThingRef("player", player), part=part)
        engine.state = engine.state.replace(
            turns=tuple(replace(open_turn, duties=()) for open_turn in engine.state.turns)
        )


def describe_turns(ended: int) -> str:
    """Return words for the moment after so many turns: “at once” for 0, “after 2 turns” for 2."""
    return "at once" if not ended else f"after {count_phrase(ended, 'turn')}"


def _forecast_turns(view: View, state: State, turns: int) -> TurnForecast:
    """Return the states now and after each of `turns` coming turns, as far as they can be known."""
    states = [state]
    try:
        states += (then for _, then in zip(range(turns), pass_turns(view, state), strict=False))
    except Undecided as doubt:
        return TurnForecast(tuple(states), doubt)
    return TurnForecast(tuple(states))


def forecast_with_change(view: View, turns: int) -> Iterator[FutureMoment]:
    """Yield `turns` moments (at least 1) from the adoption of the proposed change on: at once, then turn by turn.

    Raises
    ------
    Undecided
        The next one is open.
    """
    state, change, after = state_of(view), examined_proposal(view), state_and_law_after_change(view, CHANCE_APART)[0]
    if state.position is None:
        return
    most = max(turns, count_states_ahead(state)) - 1
    anyway = _forecast_without_change(view, most)
    with lookahead_budget(view) as ahead:
        then: TurnForecast = recall_or_find(
            ahead, ("then", most), (state, change), lambda then: _forecast_turns(then, after, most)
        )
    for ended in range(max(turns, 1)):
        yield FutureMoment(ended, then.after(ended), partial(anyway.after, ended))


def _forecast_without_change(view: View, turns: int) -> TurnForecast:
    """Return the states now and after each coming turn if the proposed change is not adopted."""
    state = state_of(view)
    with lookahead_budget(view) as ahead:
        turn_forecast: TurnForecast = recall_or_find(
            ahead,
            ("anyway", turns),
            compared_fields(state),
            lambda then: _forecast_turns(then, state, turns),
            anew=True,
        )
        return turn_forecast


def count_states_ahead(state: State) -> int:
    """Return how many states a forecast holds: now, and after each turn of five rounds (at most 60 turns)."""
    return min(MOST_TURNS_AHEAD, CIRCUITS_AHEAD * len(state.names_of_players)) + 1


def find_moments_with_new_moves(view: View) -> Iterator[FutureMoment]:
    """Yield the moments after the proposed change at which the possible moves may differ from the moment before.

    Raises
    ------
    Undecided
        The next one is open.
    """
    state, after = state_of(view), state_and_law_after_change(view, CHANCE_APART)[0]
    if state.position is None:
        return
    if _time_changes_nothing(view, state, after):
        yield FutureMoment(0, after, lambda: state)
        return
    before = None
    for moment in forecast_with_change(view, count_states_ahead(state)):
        if before is None or not _have_same_moves(before, moment.then):
            yield moment
        before = moment.then


def _time_changes_nothing(view: View, state: State, after: State) -> bool:
    """Tell whether the possible moves surely stay the same as turns pass, both without and with the change."""
    clauses = (source for some in after.law.triggers.values() for source in some if source.rule.how != "initial")
    if any(clauses) or after.later or state.later:
        return False
    course = _forecast_without_change(view, count_states_ahead(state) - 1)
    if course.doubt is not None:
        return False
    same = recall_or_find(
        view,
        ("steady", ""),
        (course,),
        lambda _: all(_have_same_moves(state, coming_state) for coming_state in course.states),
    )
    return cast("bool", same)


def _have_same_moves(state: State, other: State) -> bool:
    """Tell whether everything that decides the moves, time aside, is the same in two states."""
    (says, read), (says_then, read_then) = _move_clauses_and_fields(state.law), _move_clauses_and_fields(other.law)
    same = says == says_then and read == read_then and state.names_of_players == other.names_of_players
    return same and all(getattr(state, name) is getattr(other, name) for name in ("position", *read))


#: Of bodies of law, what in them bears on moves: it is asked for each turn to come.
_MOVE_CLAUSES: WeakKeyDictionary[Law, tuple[object, tuple[str, ...]]] = WeakKeyDictionary()


def _move_clauses_and_fields(law: Law) -> tuple[object, tuple[str, ...]]:
    """Return the clauses that decide which moves there are, for comparison, and which state fields they read."""
    if law not in _MOVE_CLAUSES:
        sources = [source for clauses in law.dependence.clauses_behind_keys(*MOVE_KEYS).values() for source in clauses]
        sources += law.replacements.get("captured", ())
        says = [
            (source.rule.id, source.rule.scope, source.rule.lifted, source.rule.guarded, source.clause)
            for source in sources
        ]
        read = {name for key in MOVE_KEYS for name in law.dependence.fields_read(key)}
        _MOVE_CLAUSES[law] = says, tuple(sorted(read & {"players", "tables"}))
    return _MOVE_CLAUSES[law]


def evaluate_after_change(view: View, form: str, run: Run) -> Value:
    """Return the value of `run` after the proposed change; for form `IN_TIME`, whether it turns true now or later.

    It makes so what is true at once, or in one of the turns to come, and would not be true then without it. Only turns
    in which something that bears on moves is not as it would be without it are looked at.
    """
    if form != IN_TIME:
        return view.run_under_law(*state_and_law_after_change(view, form), run)
    doubt = None
    try:
        for moment in find_moments_with_new_moves(view):
            try:
                if not _have_same_moves(moment.then, moment.anyway()) and _becomes_true_at(view, run, moment):
                    return True
            except Undecided as open_then:
                doubt = doubt or open_then
    except Undecided as open_later:
        doubt = doubt or open_later
    if doubt is not None:
        raise doubt
    return False


def _becomes_true_at(view: View, run: Run, moment: FutureMoment) -> bool:
    """Tell whether a condition (`run`) holds at a coming moment only because of the change; note the evidence."""
    with lookahead_budget(view) as ahead:
        if ahead.run_under_law(moment.then, moment.then.law, run) is not True:
            return False
        evidence, anyway = ahead.evidence, moment.anyway()
        ahead.evidence = {}
        without = ahead.run_under_law(anyway, anyway.law, run)
        if moment.ended:
            ahead.evidence = {
                name: reword_evidence(sentence, f"{describe_turns(moment.ended)}, {sentence}")
                for name, sentence in evidence.items()
            }
        else:
            now = {
                name: reword_evidence(sentence, sentence.replace(IF_LAW_PREFIX, "without it, ", 1))
                for name, sentence in ahead.evidence.items()
            }
            ahead.evidence = evidence | {f"without {name}": sentence for name, sentence in now.items()}
        return without is not True


# ------------------------------------------------------------------------------------------------- what is to come


#: Outcomes of rolls that are gone through.
MOST_OUTCOMES = 1_000
#: Steps that it is worth to try a move, apart from what it sets off.
MOVE_COST = 60
#: Moves that are tried for one player; beyond them it is open whether one wins.
MOST_MOVES_TRIED = 400

KEYS = (
    Key("piece.worth", NUMBER, "how many points a kind of piece is worth", "when rules compare losses",
        {"kind": KIND_TYPE}, by_rules=True),
)  # fmt: skip


@function(
    "the points that a player loses on average through rolls in the proposed change that remove pieces; left open "
    "if that is not an average over single dice", PLAYER, gives=NUMBER, keys=("piece.worth",),
)  # fmt: skip
def _expected_loss(view: View, name: str) -> Value:
    """Return the points that a player loses on average where pieces are removed by rolls, exactly."""
    law, loss = cast(Law, view.law), Fraction(0)
    lines = law.language.read_clauses(examined_proposal(view).change.law)
    clauses = [
        inner_clause
        for line in lines
        for inner_clause in line.clause.with_inner_clauses
        if isinstance(inner_clause, TriggerClause)
    ]
    chance = any("thrown" in trigger.events_made for trigger in clauses)
    for clause in clauses:
        rolls = [effect for effect in clause.all_effects() if "thrown" in effect.form.makes]
        removals = [*clause.all_effects("remove")]
        if chance and removals:
            if not rolls or any(effect.form.name != "roll" for effect in rolls):
                raise Undecided(
                    "throw-not-before-removal",
                    "the average loss can be worked out only if dice are rolled first and then decide what is removed",
                )
            if clause.each is not None:
                raise Undecided(
                    "throw-for-each-not-reckoned",
                    "the average loss can’t be worked out here if several things each get their own roll",
                )
            try:
                loss += _mean_loss(view, rolls, removals, name)
            except AbsentName as error:
                raise Undecided(
                    "fall-depends-on-what-is-there",
                    "what the roll removes depends on the {what} there at that time",
                    what=error.name,
                ) from None
    view.evidence[f"expected_loss {name}"] = f"{name} would lose {loss} points on average"
    return check_number_size(loss)


def _mean_loss(view: View, dice: list[Any], removals: list[Any], player: str) -> Fraction:
    """Return the mean worth of a player's pieces that effects (`removals`) take, over all outcomes of the dice."""
    if any(die.dice.run(view) != 1 for die in dice):
        raise Undecided(
            "throw-of-several-dice-not-reckoned",
            "the average loss can be worked out only for dice that are rolled one at a time",
        )
    sides: list[int] = [die.sides.run(view) for die in dice]
    outcomes = prod(sides)
    if not 1 <= outcomes <= MOST_OUTCOMES:
        raise Undecided(
            "too-many-outcomes",
            "the roll has {outcomes} possible outcomes, but only 1 to {most} can be worked through",
            outcomes=outcomes,
            most=MOST_OUTCOMES,
        )
    total = Fraction(0)
    for faces in product(*(range(1, side + 1) for side in sides)):
        view.spend_steps(1, 5)
        env = {**view.env, **{die.name: face for die, face in zip(dice, faces, strict=True)}}
        then = View(view.state, env, view.law)
        gone = {id for removal in removals for id in referenced_ids(removal.pieces.run(then), "piece")}
        total += sum((_piece_worth(view, id, player) for id in gone), start=Fraction(0))
    return total / outcomes


def _piece_worth(view: View, id: Any, player: str) -> Fraction:
    """Return the points that a piece is worth if it is a player's own; 0 otherwise."""
    state = state_of(view)
    piece = find_piece(state, id)
    if multiverse_of(state).armies[piece.army].controller != player:
        return Fraction(0)
    return Fraction(cast(int, view.value_of_key("piece.worth", kind=piece.kind.upper())))


def _read_turn_count(turns: Value) -> int:
    """Return a value that is a number of coming turns; raise `Undecided` for any other value."""
    if not isinstance(turns, int) or not 0 <= turns <= MOST_TURNS_AHEAD:
        raise Undecided(
            "count-of-turns-out-of-range",
            "the number of turns to look ahead must be a whole number from 0 to {most}",
            most=MOST_TURNS_AHEAD,
        )
    return turns


@function(
    "the pieces that the proposed change would by itself take off the boards before that many turns have ended, if "
    "nobody does anything, ignoring chance", NUMBER, gives=PIECES,
)  # fmt: skip
def _lost_within(view: View, turns: Value) -> list[int]:
    state = state_of(view)
    for ended, then, anyway in forecast_with_change(view, _read_turn_count(turns)):
        gone = multiverse_of(state).pieces.keys() - multiverse_of(then).pieces.keys()
        if gone:  # what goes without it is not its doing
            gone &= multiverse_of(anyway()).pieces.keys()
        if gone:
            lost = [f"the {describe_piece(state, id)}" for id in sorted(gone)]
            pieces = map(multiverse_of(state).pieces.__getitem__, sorted(gone))
            view.evidence["lost_within"] = evidence_on_board(
                f"{describe_turns(ended)} it removes {join_words(lost[:8])}",
                multiverse_of(state),
                squares=[(piece.board, piece.square) for piece in pieces],
            )
            return sorted(gone)
    return []


@function(
    "the royal pieces that the proposed change would by itself expose to attack, not at once but before that many "
    "turns have ended, if nobody does anything, ignoring chance", NUMBER, gives=PIECES,
)  # fmt: skip
def _attacked_within(view: View, turns: Value) -> list[int]:
    most = _read_turn_count(turns)
    with lookahead_budget(view) as then:
        of = state_of(view), examined_proposal(view)
        known: _AttackForecast = recall_or_find(then, ("attacked_within", ""), of, _forecast_attacks_on_royals)
    attacks = {id: sentence for id, (ended, sentence) in known.on.items() if ended < most}
    if not attacks and known.doubt is not None and known.until < most:
        raise known.doubt
    if most > CIRCUITS_AHEAD * len(state_of(view).names_of_players) + 1 and not attacks:
        raise Undecided(
            "too-far-ahead",
            "only the next {circuits} rounds are checked",
            circuits=CIRCUITS_AHEAD,
        )
    if attacks:
        said_of = [f"{describe_turns(ended)} {sentence}" for ended, sentence in map(known.on.__getitem__, attacks)]
        first = known.on[next(iter(attacks))][1]  # which is shown
        view.evidence["attacked_within"] = reword_evidence(first, join_words(said_of))
    return sorted(attacks)


class _AttackForecast(NamedTuple):
    """When royal pieces are first attacked, and up to which turn that is known."""

    on: dict[int, tuple[int, str]]
    until: int = 0
    doubt: Undecided | None = None


def _forecast_attacks_on_royals(view: View) -> _AttackForecast:
    """Return when, through the proposed change, each royal piece is first attacked, and by what."""
    first_attacks, seen, at, looked = dict[int, tuple[int, str]](), tuple[object, ...](), list[object](), 0
    try:
        for ended, then, anyway in forecast_with_change(view, count_states_ahead(state_of(view))):
            stands = multiverse_of(then), then.law, then.tables
            time = [getattr(then, name) for name in sorted(clock_fields_of_moves(then.law))]
            if seen and not (all(map(is_, stands, seen)) and time == at):
                first_attacks |= {
                    id: (ended, sentence)
                    for id, sentence in _find_new_attacks(view, then, anyway)
                    if id not in first_attacks
                }
            seen, at, looked = stands, time, looked + 1
    except Undecided as doubt:
        return _AttackForecast(first_attacks, looked, doubt)
    return _AttackForecast(first_attacks)


def _find_new_attacks(view: View, then: State, anyway: Callable[[], State]) -> Iterator[tuple[int, str]]:
    """Yield each royal piece attacked in state `then` but not in `anyway()`: its number, and the attack in words."""
    pieces = multiverse_of(then).pieces
    for king in cast(tuple[ThingRef, ...], royals_among(View(then, {}, then.law), pieces.values())):
        id = cast(int, king.id)
        attack = next(find_attacks(view, then, pieces[id]), None)
        piece = multiverse_of(anyway()).pieces.get(id) if attack is not None else None
        if attack is not None and not (piece and any(find_attacks(view, anyway(), piece))):
            sentence = f"the {describe_piece(then, attack.piece)} attacks the {describe_piece(then, id)}"
            yield id, evidence_on_board(sentence, multiverse_of(then), ends_of([attack]))


@lookahead_function("whether a player could win with the next ordinary move, ignoring chance", PLAYER, TRUTH)
def _can_win(view: View, name: str) -> bool:
    """Tell whether a player could win with the next ordinary move."""
    state = state_of(view)
    armies = armies_of(state, name)
    if not armies or name not in state.names_of_players:
        return False
    asked = state_at_next_turn(calm_state(state), armies[0])
    options = move_options(asked)
    for option in options[:MOST_MOVES_TRIED]:
        view.spend_steps(1, MOVE_COST)
        engine = TrialEngine(asked, frozenset())
        engine._begin_step()
        make_move(engine, name, option)
        engine.finish_agenda()
        if name in engine.state.winners:
            moves = ends_of([option.move] if option.move is not None else [])
            view.evidence["can_win"] = evidence_on_board(f"{name} could win with {option}", multiverse_of(state), moves)
            return True
    if len(options) > MOST_MOVES_TRIED:
        raise Undecided(
            "too-many-moves-to-try",
            "only {tried} of {player}’s {count} possible moves were tried",
            tried=MOST_MOVES_TRIED,
            player=name,
            count=len(options),
        )
    return False
