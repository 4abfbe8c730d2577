"""What a law sets off, tried once before the vote: whether it comes to an end, and whether it takes too many steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from typing import cast

from nomic_nb.explore.cases import MOST_FACES, reads
from nomic_nb.law.clauses import On
from nomic_nb.law.resolver import Law
from nomic_nb.law.values import Ref, Type, Value
from nomic_nb.law.view import ACTION, Meter, Part, Spent
from nomic_nb.play.asking import ask
from nomic_nb.play.engine import Endless
from nomic_nb.play.events import Cause
from nomic_nb.play.loop import numbers_of
from nomic_nb.play.state import State
from nomic_nb.play.trial import Trial, calm

#: Players to whom something is let happen where rules tell them apart.
MOST_TRIED = 6


def try_out(state: State, player: str, steps: int = ACTION) -> tuple[tuple[str, ...], tuple[int | str, ...]]:
    """Let everything happen once that rules listen for.

    Parameters
    ----------
    state : State
        A calm one; it is not touched.
    player : str
        To whom it happens, where rules do not tell players apart.
    steps : int
        How many one of these may take; all of them together take twice as many at most.

    Returns
    -------
    tuple
        What is to be said of rules that set themselves off for ever, and the numbers of those that take too many steps.
    """
    endless: frozenset[Cause] = frozenset()
    told: tuple[str, ...] = ()
    costly: frozenset[Part] = frozenset()
    left = steps  # of them all together
    for begin in _everything(state, player):
        engine, meter = Trial(calm(state), endless), Meter(steps, stops=True)
        try:
            with meter.running():
                begin(engine)
        except Endless as found:
            endless |= found.causes
            told += found.told
        except Spent:
            costly |= meter.costly(1)
        left -= steps - meter.left
        if left < 0 or costly:
            break
    return tuple(dict.fromkeys(told)), numbers_of(state, costly)


def _everything(state: State, player: str) -> Iterator[Callable[[Trial], None]]:
    """Yield all that can set rules off: each event that they listen for, and each offer."""
    for event in state.law.triggers:
        for env in _examples(state, event, player):
            yield partial(Trial.happen, event=event, env=env)
    for source in state.law.offers:
        names = {name for one in source.clause.expressions for name in one.names}
        for name in _values(state, "player", Type("player"), player, every="player" in names):
            yield partial(Trial.taking, offer=source, player=str(cast(Ref, name).id))


def _examples(state: State, event: str, player: str) -> Iterator[dict[str, Value]]:
    """Yield what an event may bind: each part of a turn and each counter, and one of everything else.

    Each face of a die, and each player, where what rules answer to it depends on that.
    """
    binds = state.law.vocabulary.events[event].binds
    told_apart = _told_apart(state.law, event)
    values = [_values(state, name, kind, player, every=name in told_apart) for name, kind in binds.items()]
    for one in product(*values):
        yield dict(zip(binds, one, strict=True))


def _told_apart(law: Law, event: str) -> frozenset[str]:
    """Return the names on which hangs whether rules answer to an event, and faces also where a term depends on them."""
    found: set[str] = set()
    for source in law.triggers[event]:
        clause = cast(On, source.clause)
        found |= {name for one in (clause.condition, clause.among) if one is not None for name in one.names}
        for one in clause.expressions:
            found |= {"face"} & {*one.names, *(name for key in law.dependence.keys_of(one) for name in reads(law, key))}
    return frozenset(found)


def _values(state: State, name: str, kind: Type, player: str, *, every: bool) -> tuple[Value, ...]:
    if kind.name == "number":
        sides = ask(state, "dice.sides").value if name == "face" and every else 1
        return tuple(range(1, min(sides, MOST_FACES) + 1)) if isinstance(sides, int) else (1,)
    if kind.name == "player":
        others = [one for one in state.playing if one != player] if every else []
        return tuple(Ref("player", one) for one in [player, *others[: MOST_TRIED - 1]])
    if name == "part":
        found = ask(state, "turn.parts")
        return cast(tuple[Value, ...], found.value) if found.answered else ()
    if name == "counter":
        return tuple(one for one, shape in state.law.tables.items() if shape.keys == ("player",))
    if kind.name == "text":
        return ("for",)
    boards = state.position
    there: dict[str, Iterable[int | str]] = {
        "rule": state.rules.rules, "proposal": state.proposals, "judgment": state.judgments,
        "piece": boards.pieces if boards is not None else (), "army": boards.armies if boards is not None else (),
    }  # fmt: skip
    return tuple(Ref(kind.name, id) for id in [*there.get(kind.name, ())][-1:])
