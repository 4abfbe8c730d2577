"""A look at a change: what comes of it, tried once before the vote, and the signs of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import cast

from nomic_nb.explore.boards.compare import OnBoards, on_boards
from nomic_nb.explore.cases import MOST_FACES, Cases, reads
from nomic_nb.explore.hopeless import NEEDED_ON_BOARDS, hopeless
from nomic_nb.explore.passing import Future, future_of
from nomic_nb.explore.scoring import wins_by_its_score
from nomic_nb.explore.seen import Seen, Smell
from nomic_nb.explore.smells import smells
from nomic_nb.explore.terms import Supposition, compare, suppositions, tried, unreached
from nomic_nb.explore.wreck import standing_still, wrecks
from nomic_nb.frozen import frozen
from nomic_nb.law.changes import Change
from nomic_nb.law.clauses import On
from nomic_nb.law.making import find_target
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Number
from nomic_nb.law.values import Ref, Type, Value
from nomic_nb.law.view import ACTION, Meter, Part, Spent
from nomic_nb.play.engine import Endless
from nomic_nb.play.events import Cause
from nomic_nb.play.left_out import numbers_of
from nomic_nb.play.state import State
from nomic_nb.play.trial import Adoption, Trial, adopt, calm, put_into
from nomic_nb.play.values import Vote

#: Players to whom something is let happen where rules tell them apart.
MOST_TRIED = 6


def try_out(state: State, player: str, steps: int) -> tuple[tuple[str, ...], tuple[int | str, ...]]:
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
    """Yield all that can set rules off: each event that they listen for, and each offer.

    An event for each part of a turn and each counter, and for one of everything else that it binds; for each face of
    a die, and each player, where what rules answer to it depends on that.
    """
    for event in state.law.triggers:
        binds, told_apart = state.law.vocabulary.events[event].binds, _told_apart(state.law, event)
        values = [_values(state, name, kind, player, every=name in told_apart) for name, kind in binds.items()]
        for one in product(*values):
            yield partial(Trial.happen, event=event, env=dict(zip(binds, one, strict=True)))
    for source in state.law.offers:
        names = {name for one in source.clause.expressions for name in one.names}
        for name in _values(state, "player", Type("player"), player, every="player" in names):
            yield partial(Trial.taking, offer=source, player=str(cast(Ref, name).id))


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
        sides = state.find("dice.sides").value if name == "face" and every else 1
        return tuple(range(1, min(sides, MOST_FACES) + 1)) if isinstance(sides, int) else (1,)
    if kind.name == "player":
        others = [one for one in state.playing if one != player] if every else []
        return tuple(Ref("player", one) for one in [player, *others[: MOST_TRIED - 1]])
    if name == "part":
        found = state.find("turn.parts")
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


@frozen
class Look:
    """What a change comes to.

    Parameters
    ----------
    seen : Seen
        The rule before and after, what adoption brings, the terms that change, and rules that meet.
    boards : OnBoards or None
        What is different on the boards.
    future : Future
        Whether any rule-change could still be adopted afterwards.
    signs : tuple of Smell
        Warning signs.
    """

    seen: Seen
    boards: OnBoards | None
    future: Future
    signs: tuple[Smell, ...]


def look(
    base: State, change: Change, player: str, number: Number | None, vote: Vote | None, *,
    steps: int = ACTION, whole: bool = True,
) -> Look:  # fmt: skip
    """Adopt a change on trial, try what it sets off, and compare the law before and after.

    Parameters
    ----------
    base : State
        A calm one; it is not touched.
    change, player, number, vote
        As `adopt` takes them.
    steps : int
        How many steps one thing may take that is tried.
    whole : bool
        Whether to look at all terms and at the boards, which takes long, and not only at the terms that the rule sets.
    """
    adoption = adopt(base, change, player, number, vote, steps=steps)
    if adoption.in_force and not (adoption.endless or adoption.costly):
        endless, costly = try_out(calm(adoption.after), player, steps)
        adoption = replace(adoption, endless=endless, costly=costly)
    seen = _seen(base, change, player, adoption, steps, whole=whole)
    painted, now = None, adoption.written
    if adoption.in_force:
        now = calm(adoption.after)
        keys = tuple(one.key for one in seen.turned)
        painted = on_boards(Cases(base, now, player, seen.changed), adoption, keys) if whole else None
    future = future_of(now)
    scored = wins_by_its_score(base, change, player, number)
    wrecked = (*wrecks(base, seen, future, player, painted), *standing_still(seen), *hopeless(base, seen), *scored)
    return Look(seen, painted, future, (*smells(seen), *(Smell("destructive", one) for one in wrecked)))


def look_at_once(base: State, change: Change, player: str, number: Number | None) -> tuple[Smell, ...]:
    """Return the signs that can be seen without trying anything out: parameters are those of `look`."""
    seen = _seen(base, change, player, put_into(base, change, player, number))
    return (*smells(seen), *(Smell("destructive", one) for one in hopeless(base, seen)))


def _seen(
    base: State, change: Change, player: str, adoption: Adoption, steps: int = ACTION, *, whole: bool = False
) -> Seen:
    """Return what is seen of a change: terms that change, also where new clauses come to hold; and rules that meet."""
    old, new = find_target(base.rules, change) if change.target is not None else None, adoption.rule
    seen = Seen(change, old, new, adoption, steps=steps)
    if not adoption.in_force:
        return seen
    after = calm(adoption.after)
    cases = Cases(base, after, player, seen.changed)
    turned, met = compare(cases, None if whole else _looked_at(cases, seen))
    supposed: tuple[Supposition, ...] = ()
    if new is not None and new.id in after.rules.rules and new.id not in after.rules.void:
        supposed = tuple(suppositions(after, new, old))
        then, meets = tried(cases, turned, supposed)
        turned, met = (*turned, *then), tuple(dict.fromkeys((*met, *meets)))
    lost = tuple(unreached(cases, seen.fresh))
    return replace(seen, turned=turned, met=met, supposed=supposed, unreached=lost)


def _looked_at(cases: Cases, seen: Seen) -> tuple[str, ...]:
    """Return the terms that the rule sets; where rules rank otherwise, those without which play stops, too."""
    if cases.before.law.order == cases.after.law.order:
        return seen.keys
    needed = (one.name for one in seen.law.vocabulary.keys.values() if one.needed or one.name in NEEDED_ON_BOARDS)
    return tuple(dict.fromkeys((*seen.keys, *needed)))
