"""What a law sets off, tried once before the vote: whether it comes to an end, and whether it takes too many steps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import cast

from nomic_nb.explore.asking import ask
from nomic_nb.explore.trial import Trial, calm
from nomic_nb.law.values import Ref, Type, Value
from nomic_nb.law.view import ACTION, Meter, Part, Spent
from nomic_nb.play.engine import Endless
from nomic_nb.play.events import Cause
from nomic_nb.play.loop import numbers_of
from nomic_nb.play.state import State


def try_out(state: State, player: str) -> tuple[frozenset[Cause], tuple[int | str, ...]]:
    """Let everything happen once that rules listen for.

    Parameters
    ----------
    state : State
        A calm one; it is not touched.
    player : str
        To whom it happens.

    Returns
    -------
    tuple
        The clauses that set themselves off for ever, and the numbers of the rules that take too many steps.
    """
    endless: frozenset[Cause] = frozenset()
    costly: frozenset[Part] = frozenset()
    left = 2 * ACTION  # of them all together
    for event in state.law.triggers:
        for env in _examples(state, event, player):
            engine, meter = Trial(calm(state), endless), Meter(stops=True)
            try:
                with meter.running():
                    engine.happen(event, env)
            except Endless as found:
                endless |= found.causes
            except Spent:
                costly |= meter.costly(1)
            left -= ACTION - meter.left
            if left < 0 or costly:
                return endless, numbers_of(state, costly)
    return endless, numbers_of(state, costly)


def _examples(state: State, event: str, player: str) -> Iterator[dict[str, Value]]:
    """Yield what an event may bind: each part of a turn and each counter, and one of everything else."""
    binds = state.law.vocabulary.events[event].binds
    values = [_values(state, name, kind, player) for name, kind in binds.items()]
    for one in product(*values):
        yield dict(zip(binds, one, strict=True))


def _values(state: State, name: str, kind: Type, player: str) -> tuple[Value, ...]:
    if kind.name == "number":
        return (1,)
    if kind.name == "player":
        return (Ref("player", player),)
    if name == "part":
        found = ask(state, "turn.parts")
        return cast(tuple[Value, ...], found.value) if found.answered else ()
    if name == "counter":
        return tuple(one for one, per in state.law.counters.items() if per == "player")
    if kind.name == "text":
        return ("for",)
    ids: dict[str, tuple[int | str, ...]] = {
        "rule": tuple(state.rules.rules), "proposal": tuple(state.proposals), "judgment": tuple(state.judgments),
    }  # fmt: skip
    if state.position is not None:
        ids |= {"piece": tuple(state.position.pieces), "army": tuple(state.position.armies)}
    return tuple(Ref(kind.name, id) for id in ids.get(kind.name, ())[-1:])
