"""What is to come: what a change takes by chance, or as time goes by, and whether the next move wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import prod
from operator import is_
from typing import Any, NamedTuple, cast

from nomic_nb.chess.fairplay.attacks import clock_fields_of_moves, find_attacks, state_at_next_turn
from nomic_nb.chess.fairplay.coming_turns import (
    MOST_TURNS_AHEAD,
    count_states_ahead,
    describe_turns,
    forecast_with_change,
)
from nomic_nb.chess.fairplay.fairness import CIRCUITS_AHEAD
from nomic_nb.chess.fairplay.hypotheticals import lookahead_budget, lookahead_function, proposal_at_hand, recall_or_find
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.legal import move_options
from nomic_nb.chess.play.moving import make_move
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
from nomic_nb.engine.law.expressions import check_number_size
from nomic_nb.engine.law.nodes import AbsentName, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import NUMBER, TRUTH, ThingRef, Value
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.trial_adoption import TrialEngine, calm_state
from nomic_nb.engine.play.values import PLAYER
from nomic_nb.engine.words import join_words

#: Outcomes of throws that are gone through.
MOST_OUTCOMES = 1_000
#: Steps that it is worth to try a move, apart from what it sets off.
MOVE_COST = 60
#: Moves that are tried for one player; beyond them it is open whether one wins.
MOST_MOVES_TRIED = 400

KEYS = (
    Key("piece.worth", NUMBER, "how many points a kind of piece is worth", "where rules compare what is lost",
        {"kind": KIND_TYPE}, by_rules=True),
)  # fmt: skip


@function(
    "the points that a player loses on average by the throws in the change at hand that remove pieces; open where that "
    "is not the mean over single dice", PLAYER, gives=NUMBER, keys=("piece.worth",),
)  # fmt: skip
def _expected_loss(view: View, name: str) -> Value:
    """Return the points that a player loses on average where pieces are removed by throws, exactly."""
    law, loss = cast(Law, view.law), Fraction(0)
    lines = law.language.read_clauses(proposal_at_hand(view).change.law)
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
                    say(
                        "throw-not-before-removal",
                        "only throws of dice are reckoned that stand before what they remove",
                    )
                )
            if clause.each is not None:
                raise Undecided(
                    say(
                        "throw-for-each-not-reckoned",
                        "what is expected of a throw for each of several is not reckoned here",
                    )
                )
            try:
                loss += _mean_loss(view, rolls, removals, name)
            except AbsentName as error:
                raise Undecided(
                    say(
                        "fall-depends-on-what-is-there",
                        "what falls by the throw depends on the {what} that there is then",
                        what=error.name,
                    )
                ) from None
    view.evidence[f"expected_loss {name}"] = f"{name} must expect to lose {loss} points"
    return check_number_size(loss)


def _mean_loss(view: View, dice: list[Any], removals: list[Any], player: str) -> Fraction:
    """Return the mean number of points that a player loses, over all outcomes of the dice."""
    if any(die.dice.run(view) != 1 for die in dice):
        raise Undecided(say("throw-of-several-dice-not-reckoned", "only throws of single dice are reckoned here"))
    sides: list[int] = [die.sides.run(view) for die in dice]
    outcomes = prod(sides)
    if not 1 <= outcomes <= MOST_OUTCOMES:
        raise Undecided(
            say(
                "too-many-outcomes",
                "there are {outcomes} outcomes of the throw, and at most {most} are reckoned",
                outcomes=outcomes,
                most=MOST_OUTCOMES,
            )
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
    """Return a value as a number of coming turns, or raise that it is out of range."""
    if not isinstance(turns, int) or not 0 <= turns <= MOST_TURNS_AHEAD:
        raise Undecided(
            say(
                "count-of-turns-out-of-range",
                "a count of turns to come is a whole number from 0 to {most}",
                most=MOST_TURNS_AHEAD,
            )
        )
    return turns


@function(
    "the pieces that the change at hand takes off the boards by itself before so many turns have ended, if nobody did "
    "anything, chance apart", NUMBER, gives=PIECES,
)  # fmt: skip
def _lost_within(view: View, turns: Value) -> list[int]:
    state = state_of(view)
    for ended, then, anyway in forecast_with_change(view, _read_turn_count(turns)):
        gone = multiverse_of(state).pieces.keys() - multiverse_of(then).pieces.keys()
        if gone:  # what goes without it is not its doing
            gone &= multiverse_of(anyway()).pieces.keys()
        if gone:
            lost = [f"the {describe_piece(state, id)}" for id in sorted(gone)]
            view.evidence["lost_within"] = f"{describe_turns(ended)} it takes off {join_words(lost[:8])}"
            return sorted(gone)
    return []


@function(
    "the royal pieces that the change at hand lets be attacked by itself, not at once but before so many turns have "
    "ended, if nobody did anything, chance apart", NUMBER, gives=PIECES,
)  # fmt: skip
def _attacked_within(view: View, turns: Value) -> list[int]:
    most = _read_turn_count(turns)
    with lookahead_budget(view) as then:
        of = state_of(view), proposal_at_hand(view)
        known: _AttackForecast = recall_or_find(then, ("attacked_within", ""), of, _forecast_attacks_on_royals)
    attacks = {id: sentence for id, (ended, sentence) in known.on.items() if ended < most}
    if not attacks and known.doubt is not None and known.until < most:
        raise known.doubt
    if most > CIRCUITS_AHEAD * len(state_of(view).names_of_players) + 1 and not attacks:
        raise Undecided(
            say(
                "too-far-ahead",
                "what comes later than {circuits} circuits from now is not looked at",
                circuits=CIRCUITS_AHEAD,
            )
        )
    if attacks:
        said_of = [f"{describe_turns(ended)} {sentence}" for ended, sentence in map(known.on.__getitem__, attacks)]
        view.evidence["attacked_within"] = join_words(said_of)
    return sorted(attacks)


class _AttackForecast(NamedTuple):
    """When royal pieces are first attacked, and up to which turn that is known."""

    on: dict[int, tuple[int, str]]
    until: int = 0
    doubt: Undecided | None = None


def _forecast_attacks_on_royals(view: View) -> _AttackForecast:
    """Forecast when the change at hand first lets royal pieces be attacked, and by what."""
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
    """Yield the royal pieces that are attacked only because of the change, and the attack in words."""
    pieces = multiverse_of(then).pieces
    for king in cast(tuple[ThingRef, ...], royals_among(View(then, {}, then.law), pieces.values())):
        id = cast(int, king.id)
        attack = next(find_attacks(view, then, pieces[id]), None)
        piece = multiverse_of(anyway()).pieces.get(id) if attack is not None else None
        if attack is not None and not (piece and any(find_attacks(view, anyway(), piece))):
            yield id, f"the {describe_piece(then, attack.piece)} attacks the {describe_piece(then, id)}"


@lookahead_function("whether a player could win with the next ordinary move, chance apart", PLAYER, TRUTH)
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
            view.evidence["can_win"] = f"{name} could win by {option}"
            return True
    if len(options) > MOST_MOVES_TRIED:
        raise Undecided(
            say(
                "too-many-moves-to-try",
                "{tried} moves of {player} were tried, and there are {count}",
                tried=MOST_MOVES_TRIED,
                player=name,
                count=len(options),
            )
        )
    return False
