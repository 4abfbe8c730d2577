"""What a change at hand takes off the boards by itself: at once, or as time goes by and nobody does anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from nomic_nb.law.expressions import CHANCE_APART
from nomic_nb.law.values import NUMBER, Ref, Value
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import EVERYTHING, Function
from nomic_nb.markup.words import listed
from nomic_nb.play.chess.events import march_of
from nomic_nb.play.chess.keys import PIECES
from nomic_nb.play.chess.records import piece_words, refs
from nomic_nb.play.foresight.supposing import afterwards
from nomic_nb.play.sequence import next_in, sequence_of
from nomic_nb.play.state import State, state_of
from nomic_nb.play.trial import Trial, calm
from nomic_nb.play.values import Turn

#: Turns to come that are gone through at most.
MOST_TURNS = 60
#: Steps that it is worth to let a turn go by.
TURN = 100


def _happen(engine: Trial, event: str, **env: Value) -> None:
    """Let rules answer to an event; what somebody is to choose or to throw is left undone."""
    engine._begin_step()
    engine.happen(event, env)
    if engine.state.questions:
        raise Undecided(f"the table would be asked: {engine.state.questions[0].text}")
    engine.state = engine.state.but(waiting=())


def idle(view: View, state: State) -> Iterator[State]:
    """Yield how things stand after each turn in which nobody does anything, chance apart."""
    engine = Trial(calm(state), frozenset())
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
    for part in cast("tuple[str, ...]", engine.state.read("turn.parts")):
        _happen(engine, "part_begun", player=Ref("player", player), part=part)
        engine.state = engine.state.but(turns=tuple(replace(one, duties=()) for one in engine.state.turns))


def _lost_within(view: View, turns: Value) -> Value:
    if not isinstance(turns, int) or not 0 <= turns <= MOST_TURNS:
        raise Undecided(f"a count of turns to come is a whole number from 0 to {MOST_TURNS}")
    state = state_of(view)
    if state.position is None:
        return ()
    after = cast(State, afterwards(view, CHANCE_APART)[0])
    here = set(state.position.pieces)
    anyway, then = idle(view, state), idle(view, after)
    for ended in range(max(turns, 1)):
        gone = here - set((next(then) if ended else after).multiverse.pieces)
        if ended:  # what goes without it is not its doing
            gone -= here - set(next(anyway).multiverse.pieces)
        if gone:
            when = "at once" if not ended else f"after {ended} turn{'s' if ended > 1 else ''}"
            lost = [f"the {piece_words(state, id)}" for id in sorted(gone)]
            view.evidence["lost_within"] = f"{when} it takes off {listed(lost[:8])}"
            return refs("piece", sorted(gone))
    return ()


FUNCTIONS = (
    Function("lost_within", (NUMBER,), PIECES, "the pieces that the change at hand takes off the boards by itself "
             "before so many turns have ended, if nobody did anything, chance apart", _lost_within, reads=EVERYTHING),
)  # fmt: skip
