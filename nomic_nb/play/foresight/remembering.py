"""What was found of play as it stands, for all changes that are looked at meanwhile: it is the same for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import NamedTuple

from nomic_nb.law.values import Value
from nomic_nb.law.view import ACTION, METER, Meter, Spent, Undecided, View
from nomic_nb.play.state import State, state_of

#: Of what a state is looked at that may be another one for each change that is supposed.
_APART = ("proposals", "unsettled")
_SEEN = tuple(one.name for one in fields(State) if one.name not in _APART)
#: Steps that what looks into what is to come may take in one action.
AHEAD = 500_000
#: How many answers are remembered.
MOST = 400


class _Known(NamedTuple):
    state: State
    value: Value
    evidence: str
    steps: int


_KNOWN: dict[tuple[str, object], _Known] = {}


def _same(one: State, other: State) -> bool:
    """Tell whether two states differ in nothing but what is proposed."""
    return one is other or all(getattr(one, name) is getattr(other, name) for name in _SEEN)


@contextmanager
def looking_ahead(view: View) -> Iterator[View]:
    """Let what looks into what is to come take from a budget of its own, one for each action.

    Where less than an action is tried, it takes from what there is for that.

    Raises
    ------
    Undecided
        It is spent.
    """
    meter = view.meter or Meter()
    if meter.steps < ACTION:
        yield view
        return
    if meter.apart is None:
        meter.apart = Meter(AHEAD, meter.left_out, stops=True, anew=meter.anew)
        meter.apart.apart = meter.apart
    with meter.apart.running():
        then = View(view.state, view.env, view.law)
        then.open_keys = view.open_keys
        try:
            yield then
        except Spent:
            raise Undecided(f"to see what comes of it takes more than {AHEAD:,} steps") from None
        finally:
            view.evidence |= then.evidence


def remembered(view: View, what: str, about: object, find: Callable[[View], Value]) -> Value:
    """Return what a function finds, and remember it with its evidence and the steps that it took.

    Parameters
    ----------
    view : View
        The evaluation that asks.
    what, about
        The function, and what it is asked about.
    find : callable
        Finds it in a view, and leaves its evidence there under the name of the function.

    Raises
    ------
    Undecided
        It takes more steps than there are to look ahead.
    """
    with looking_ahead(view) as then:
        return _remembered(then, what, about, find)


def _remembered(view: View, what: str, about: object, find: Callable[[View], Value]) -> Value:
    state, meter = state_of(view), METER.get()
    known = _KNOWN.get((what, about))
    if known is not None and _same(known.state, state) and (meter is None or not meter.anew):
        if meter is not None:
            meter.charge_once(known, known.steps, view.part)
        if known.evidence:
            view.evidence[what] = known.evidence
        return known.value
    before = meter.left if meter is not None else 0
    value = find(view)
    steps = before - meter.left if meter is not None else 0
    if meter is not None and not meter.anew:
        if len(_KNOWN) >= MOST or any(one.state.game != state.game for one in _KNOWN.values()):
            _KNOWN.clear()  # a state keeps the law of every vote of its game, and games that are over go
        found = _KNOWN[what, about] = _Known(state, value, view.evidence.get(what, ""), steps)
        meter.pay(found)
    return value
