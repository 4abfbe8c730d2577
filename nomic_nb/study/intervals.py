"""Shares, differences and lengths with their 95 % intervals; games that were left unfinished are censored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import exp, hypot, log, sqrt
from typing import NamedTuple

#: Standard deviations on either side in a 95 % interval, and games from which a figure is given at all.
Z, FEW = 1.96, 20
TOO_FEW = "too few games to tell"


class Interval(NamedTuple):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """Whether a difference is more or less than 0, or may be either."""
        return "more" if self.low > 0 else "less" if self.high < 0 else "may be chance"


def wilson(hits: float, n: int) -> Interval:
    """Return a share of n with Wilson’s interval, which goes from 0 to 1 if n is 0.

    Examples
    --------
    >>> [round(bound, 3) for bound in wilson(10, 20)]
    [0.5, 0.299, 0.701]
    >>> [round(bound, 3) for bound in wilson(0, 20)]
    [0.0, 0.0, 0.161]
    """
    if not n:
        return Interval(0.0, 0.0, 1.0)
    share, scale = hits / n, 1 + Z * Z / n
    centre, half = share + Z * Z / (2 * n), Z * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    return Interval(share, max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale))


def difference(first: Interval, second: Interval) -> Interval:
    """Return by how much a second figure is more than a first one; for shares, with Newcombe’s interval.

    Examples
    --------
    >>> [round(bound, 4) for bound in difference(wilson(48, 80), wilson(56, 70))]
    [0.2, 0.0524, 0.3339]
    """
    value = second.value - first.value
    low, high = (
        hypot(second.value - second.low, first.high - first.value),
        hypot(second.high - second.value, first.value - first.low),
    )
    return Interval(value, value - low, value + high)


class Step(NamedTuple):
    """The games still going after a turn: their share with its interval, how many were watched, how many ended."""

    turn: int
    going: float
    low: float
    high: float
    games: int
    ended: int


def survival(games: Iterable[tuple[int, bool]]) -> list[Step]:
    """Return the share of games still going after each turn, by Kaplan and Meier.

    Parameters
    ----------
    games : iterable of (int, bool)
        The turns of each game, and whether it ended then; otherwise it was left unfinished.

    Examples
    --------
    >>> [(step.turn, round(step.going, 3)) for step in survival([(1, True), (2, False), (3, True), (4, False)])]
    [(0, 1.0), (1, 0.75), (2, 0.75), (3, 0.375), (4, 0.375)]
    """
    ordered = sorted(games)
    left, going, spread = len(ordered), 1.0, 0.0
    steps = [Step(0, 1.0, 1.0, 1.0, left, 0)]
    for turn, found in groupby(ordered, key=lambda game: game[0]):
        over = [is_over for _, is_over in found]
        ended = sum(over)
        going *= 1 - ended / left
        spread += ended / (left * (left - ended)) if left > ended else 0.0
        if 0 < going < 1:  # the interval of log(-log) stays between 0 and 1
            wide = exp(Z * sqrt(spread) / log(going))
            low, high = sorted((going**wide, going ** (1 / wide)))
        else:
            low, high = (wilson(left, left).low, 1.0) if going else (0.0, steps[-1].high)
        steps.append(Step(turn, going, low, high, left, ended))
        left -= len(over)
    return steps


def mean_turns(steps: Sequence[Step], until: int) -> Interval:
    """Return the mean number of turns that games go on within the first `until`, with Greenwood’s interval.

    Examples
    --------
    >>> mean_turns(survival([(2, True), (4, True)]), 4).value
    3.0
    """
    ends = [*(step.turn for step in steps[1:]), until]
    areas = [step.going * max(0, min(end, until) - step.turn) for step, end in zip(steps, ends, strict=True)]
    variance = sum(
        sum(areas[at:]) ** 2 * step.ended / (step.games * (step.games - step.ended))
        for at, step in enumerate(steps)
        if step.games > step.ended
    )
    half = Z * sqrt(variance)
    return Interval(sum(areas), sum(areas) - half, sum(areas) + half)


def median_turns(steps: Sequence[Step]) -> float | None:
    """Return the turn after which half of the games are over; None if more than half still go on at the end.

    Examples
    --------
    >>> median_turns(survival([(2, True), (4, True), (9, False)])), median_turns(survival([(9, False)]))
    (4, None)
    """
    return next((step.turn for step in steps if step.going <= 0.5), None)
