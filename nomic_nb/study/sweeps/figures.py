"""Figures of sweeps: each has a title, a table and a note on its games, and a chart if the package altair is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Protocol

from nomic_nb.engine.display import INERT_CLASSES, Displayed
from nomic_nb.study.frames import column_types, make_frame
from nomic_nb.study.packages import PackageError, missing_package_error
from nomic_nb.study.sweeps.intervals import (
    FEW,
    TOO_FEW,
    Interval,
    Step,
    mean_turns,
    median_turns,
    share_difference,
    turns_difference,
    wilson,
)
from nomic_nb.study.sweeps.jobs import Job, Row

if TYPE_CHECKING:
    import pandas as pd

#: What JupyterLab draws by itself, without a network.
VEGA_LITE = "application/vnd.vegalite.v5+json"
#: Characters in a line below the title of a chart.
WIDTH = 100
#: What each figure says of its interval.
BELOW = f"Below {FEW} games: {TOO_FEW}."
LONG_COLUMNS = column_types("string: what", "int64: turn", "float64: going low high", "int64: games ended")
FAIR_COLUMNS = column_types(
    "string: what", "int64: seat", "string: player kind", "int64: wins games", "float64: share low high equal",
    "string: verdict",
)  # fmt: skip
RULE_COLUMNS = column_types("string: what rule", "int64: wins games", "float64: share low high")
CHANGE_COLUMNS = column_types(
    "string: second measure", "float64: first_figure second_figure difference low high",
    "int64: first_games second_games", "string: verdict",
)  # fmt: skip


class Sweep(Protocol):
    """Games of which figures are made; printed, it says which they are and who plays."""

    what: str
    jobs: tuple[Job, ...]

    @property
    def rows(self) -> list[Row]:
        """The rows of the games that were played."""

    @property
    def survival(self) -> list[Step]:
        """The share of games still going after each turn."""


class Figure(Displayed):
    """A table with a chart: a notebook shows the chart if altair is installed, and otherwise the table.

    Attributes
    ----------
    title : str
        What it shows.
    note : str
        The games behind it, the kind of players, and the interval.
    data : DataFrame
        Everything that the chart shows.
    """

    def __init__(self, title: str, note: str, data: pd.DataFrame, draw: Callable[[Any, pd.DataFrame], Any]) -> None:
        self.title, self.note, self.data, self._draw = title, note, data, draw

    @property
    def chart(self) -> Any:
        """The Altair chart.

        Raises
        ------
        ModuleNotFoundError
            The package altair is missing; the message says how to install it.
        """
        try:
            import altair as alt
        except ModuleNotFoundError as error:
            raise missing_package_error(error, "Charts", "altair>=5.5,<6") from None
        lines = [line for told in self.note.split("\n") for line in wrap(told, WIDTH)]
        title = alt.Title(self.title, subtitle=lines, anchor="start")
        return self._draw(alt, self.data).properties(title=title)

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        """Return what a notebook shows: the chart, or the table if there is none."""
        try:
            return {VEGA_LITE: self.chart.to_dict(), "text/plain": str(self)}
        except PackageError as error:
            return {"text/html": f"{self._repr_html_()}<p>{escape(str(error))}</p>", "text/plain": f"{self}\n{error}"}

    def _repr_html_(self) -> str:
        table = self.data.round(3).to_html(index=False, border=0, na_rep="", escape=True)
        note = escape(self.note).replace("\n", "<br>")
        return f'<div class="{INERT_CLASSES}"><p><strong>{escape(self.title)}</strong></p>{table}<p>{note}</p></div>'

    def __str__(self) -> str:
        return f"{self.title}\n{self.data.round(3).to_string(index=False, na_rep='')}\n{self.note}"


def _note(sweeps: Sequence[Sweep], *more: str) -> str:
    """Return a note on the games behind a figure, the kind of players, and the interval."""
    return "\n".join([*map(str, sweeps), *more])


# ------------------------------------------------------------------------------------------------------ how long


def how_long(sweeps: Sequence[Sweep]) -> Figure:
    """Return a figure of the share of games still going after each turn."""
    rows = [[one.what, *step] for one in sweeps for step in one.survival]
    told = [f"{one.what}: {_half_over(one)}." for one in sweeps]
    interval = "Kaplan–Meier with 95 % intervals. Unfinished games count up to their last turn."
    data = make_frame(LONG_COLUMNS, rows)
    return Figure("Share of games still going", _note(sweeps, *told, interval), data, _draw_long)


def _half_over(sweep: Sweep) -> str:
    """Return in words after which turn half of the games are over."""
    median, games = median_turns(sweep.survival), sweep.survival[0].games
    if games < FEW:
        return TOO_FEW
    return "more than half still go on at the end" if median is None else f"half are over by turn {median}"


def _draw_long(alt: Any, data: pd.DataFrame) -> Any:
    """Return lines with bands; colour and dashes say the same."""
    base = alt.Chart(data).encode(alt.X("turn:Q"), alt.Color("what:N", legend=None), tooltip=list(data.columns))
    band = base.mark_area(interpolate="step-after", opacity=0.15).encode(y="low:Q", y2="high:Q")
    share = alt.Y("going:Q", title="share still going", scale=alt.Scale(domain=[0, 1]))
    dashes = alt.StrokeDash("what:N", legend=alt.Legend(title=None, orient="bottom", labelLimit=600))
    line = base.mark_line(interpolate="step-after").encode(share, strokeDash=dashes)
    return band + line


# ------------------------------------------------------------------------------------------------------ how fair


def how_fair(sweeps: Sequence[Sweep]) -> Figure:
    """Return a figure of the share of wins by seat, among games with one winner."""
    data = make_frame(FAIR_COLUMNS, [row for one in sweeps for row in _seats(one)])
    interval = f"Games with one winner. Wilson’s 95 % intervals; the dashed line is an equal share. {BELOW}"
    return Figure("Wins by seat", _note(sweeps, interval), data, _draw_fair)


def _seats(sweep: Sweep) -> Iterator[list[Any]]:
    """Yield the row of each seat."""
    job, won = sweep.jobs[0], Counter(row["winner_seat"] for row in sweep.rows if row["winner_seat"])
    games, equal = won.total(), 1 / len(job.players)
    for seat, (player, kind) in enumerate(zip(job.players, job.kinds, strict=True), 1):
        found = _share(won[seat], games)
        verdict = TOO_FEW if games < FEW else Interval(*(bound - equal for bound in found)).verdict
        yield [sweep.what, seat, player, kind, won[seat], games, *found, equal, verdict]


def _share(hits: int, games: int) -> Sequence[Any]:
    """Return a share with its interval; nothing if there are too few games."""
    return wilson(hits, games) if games >= FEW else (None, None, None)


def _draw_fair(alt: Any, data: pd.DataFrame) -> Any:
    """Return points with their intervals, a line at an equal share, and the verdict in words."""
    base = alt.Chart(data).encode(alt.Y("seat:O"), tooltip=list(data.columns))
    share = alt.X("share:Q", title="share of wins", scale=alt.Scale(domain=[0, 1]))
    line = alt.Chart(data).mark_rule(strokeDash=[4, 3]).encode(x="equal:Q")
    words = base.mark_text(align="left", x=405).encode(text="verdict:N")
    spans, points = base.mark_rule().encode(x="low:Q", x2="high:Q"), base.mark_point(filled=True, size=70).encode(share)
    return alt.layer(line, spans, points, words).properties(width=400).facet(alt.Facet("what:N", title=None), columns=1)


# ------------------------------------------------------------------------------------------- which rule decides


def which_decides(sweep: Sweep) -> Figure:
    """Return a figure of the rules by which games were won."""
    won = Counter(row["by_rule"] or "no rule" for row in sweep.rows if row["winner"])
    rows = [[sweep.what, rule, wins, won.total(), *_share(wins, won.total())] for rule, wins in won.most_common()]
    interval = f"Games that were won. Wilson’s 95 % intervals. {BELOW}"
    return Figure("Rules by which games are won", _note([sweep], interval), make_frame(RULE_COLUMNS, rows), _draw_rules)


def _draw_rules(alt: Any, data: pd.DataFrame) -> Any:
    """Return bars with their numbers, and the intervals of the shares."""
    base = alt.Chart(data).encode(alt.Y("rule:N", sort=None), tooltip=list(data.columns))
    bars, told = base.mark_bar().encode(alt.X("wins:Q", title="games won")), base.mark_text(align="left", dx=4)
    share = alt.X("share:Q", title="share of them", scale=alt.Scale(domain=[0, 1]))
    spans = base.mark_rule().encode(x="low:Q", x2="high:Q") + base.mark_point(filled=True).encode(share)
    return (bars + told.encode(x="wins:Q", text="wins:Q")) | spans


class Comparison(Figure):
    """What differs between a sweep and others, with 95 % intervals.

    Parameters
    ----------
    first : Sweep
        The sweep with which the others are compared.
    others : mapping of str to Sweep
        The other sweeps, by what the table calls them.
    refusals : sequence of str
        Sentences on sweeps that could not be played.
    """

    def __init__(self, first: Sweep, others: Mapping[str, Sweep], refusals: Sequence[str] = ()) -> None:
        self._sweeps = [first, *others.values()]
        rows = [[what, *row] for what, other in others.items() for row in _differences(first, other)]
        note = (
            "Each difference is the second figure minus the first, with its 95 % interval (Newcombe for shares, "
            f"Greenwood for turns). About one interval in twenty leaves out 0 by chance alone. {BELOW}"
        )
        told = [str(one) for one in self._sweeps]
        if len(others) > 1:
            wrong = [row["error"] != "" for other in others.values() for row in other.rows]
            told[1:] = [f"{len(others)} others with {len(wrong)} games in all, {sum(wrong)} of them with an error."]
        note = "\n".join([*told, *refusals, note])
        super().__init__("What differs", note, make_frame(CHANGE_COLUMNS, rows), _draw_changes)

    @property
    def how_long(self) -> Figure:
        """A figure of how long games go on in all these sweeps."""
        return how_long(self._sweeps)

    @property
    def how_fair(self) -> Figure:
        """A figure of the share of wins by seat in all these sweeps."""
        return how_fair(self._sweeps)


def _differences(*sweeps: Sweep) -> Iterator[list[Any]]:
    """Yield each measure of two sweeps, with both figures, their difference, its interval, games and the verdict."""
    until, steps = min(one.jobs[0].turns for one in sweeps), [one.survival for one in sweeps]
    begun = [[row for row in one.rows if row["turns"]] for one in sweeps]
    over = [[row for row in rows if row["over"] and row["turns"] <= until] for rows in begun]
    means = [mean_turns(one, until)[0] for one in steps]
    yield _difference(f"mean turns, of {until}", means, turns_difference(steps[0], steps[1], until), [*map(len, begun)])
    shares = {f"over by turn {until}": (list(map(len, over)), list(map(len, begun)))}
    for seat in range(1, 1 + min(len(one.jobs[0].players) for one in sweeps)):
        won = [sum(row["winner_seat"] == seat for row in rows) for rows in over]
        shares[f"games won by seat {seat}"] = won, list(map(len, over))
    for measure, (hits, games) in shares.items():
        first, second = (wilson(*one) if one[1] else Interval(0, 0, 1) for one in zip(hits, games, strict=True))
        yield _difference(measure, [first.value, second.value], share_difference(first, second), games)


def _difference(measure: str, figures: Sequence[float], found: Interval, games: Sequence[int]) -> list[Any]:
    """Return the row of a measure; without figures if there are too few games."""
    return [measure, *([None] * 5 if min(games) < FEW else [*figures, *found]), *games,
            TOO_FEW if min(games) < FEW else found.verdict]  # fmt: skip


def _draw_changes(alt: Any, data: pd.DataFrame) -> Any:
    """Return a dot with its interval for each sweep and measure; its shape is the verdict."""
    base = alt.Chart(data).encode(alt.Y("second:N", sort=None, title=None), tooltip=list(data.columns))
    dots = base.mark_point(size=60).encode(x="difference:Q", shape=alt.Shape("verdict:N", title=None))
    zero = alt.Chart(data).mark_rule(strokeDash=[4, 3]).encode(x=alt.datum(0))
    spans = base.mark_rule().encode(alt.X("low:Q", title="difference"), x2="high:Q")
    words = base.transform_filter(f"datum.verdict == '{TOO_FEW}'").mark_text().encode(x=alt.datum(0), text="verdict:N")
    facets = alt.Facet("measure:N", sort=None, title=None)
    layers = alt.layer(zero, spans, dots, words).properties(width=240)
    return layers.facet(facets, columns=2).resolve_scale(x="independent")
