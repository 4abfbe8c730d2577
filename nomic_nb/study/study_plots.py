"""Plots of studies of positions as SVG, each with its table and a sentence; no other package is needed."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from statistics import fmean
from typing import TYPE_CHECKING, Any

from nomic_nb.chess.multiverse.pictures import SvgPicture, add_element, finish_picture, new_canvas
from nomic_nb.study.frames import make_frame
from nomic_nb.study.sweeps.figures import Figure

if TYPE_CHECKING:
    import pandas as pd

    from nomic_nb.study.position_study import Study

#: Sizes in a drawing: its width, where lines begin and end, a row, and a square of a board.
WIDTH, LEFT, RIGHT, ROW, SQUARE = 640, 170, 450, 26, 44
#: The first moves of an opening tree, and the replies to each.
MOVES, REPLIES = 6, 3
INK, PALE = "#1a1a1a", (10, 61, 145)
#: What is said without enough games.
TOO_FEW = "Too few games to tell."
#: A row of a drawing: its name, what is drawn with its interval, and words.
Row = tuple[str, float | None, float | None, float | None, str]


class StudyFigure(Figure):
    """A figure that draws itself as SVG: a notebook shows the drawing, the sentence and the table."""

    def __init__(self, title: str, note: str, data: pd.DataFrame, picture: SvgPicture) -> None:
        super().__init__(title, note, data, lambda *_: None)
        self._picture = picture

    @property
    def svg(self) -> str:
        """The drawing as SVG, for pages and papers."""
        return self._picture.svg_for_file

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return {"text/html": self._picture.to_html() + self._repr_html_(), "text/plain": str(self)}


class StudyPlots:
    """The plots of a study, as `Study.plots`; each is a figure with its table (``data``) and a sentence (``note``).

    Examples
    --------
    >>> import nomic_nb as nb
    >>> knights = nb.multiverse.study(nb.multiverse.position(pieces={"n": "NW"}), games=0)
    >>> print(knights.plots.mobility("n").note)
    On boards filled at random, a white n reaches 8.8 squares on average, and 12.0 from c3.
    No game was needed.
    """

    def __init__(self, study: Study) -> None:
        self._study = study

    def __repr__(self) -> str:
        return "Plots: balance, reasons, openings, mobility(kind), heat(kind), compare(other)"

    @property
    def balance(self) -> StudyFigure:
        """The score and the share of decided games, with their intervals."""
        figures, study = self._study.figures, self._study
        shares = [study._figure(name) for name in ("score", "decided")]
        rows: list[Row] = [(name, value, low, high, "") for name, value, low, high, *_ in shares]
        told = [row[-1] for row in shares]
        return self._figure("Balance", told, figures, rows, (0, 1), 0.5)

    @property
    def reasons(self) -> StudyFigure:
        """How games ended, each with its share."""
        data = self._study.reasons
        rows: list[Row] = [
            (one["reason"], one["share"], one["low"], one["high"], f"{one['games']}")
            for one in (data.to_dict("records") if self._study.enough else [])
        ]
        told = f"Most games end by {rows[0][0]} ({rows[0][4]})." if rows else TOO_FEW
        return self._figure("How games ended", [told], data, rows, (0, 1))

    @property
    def openings(self) -> StudyFigure:
        """The best first moves and the best replies to each, by what they are worth to who moves first."""
        study, rows = self._study, list[tuple[str, str, int, int]]()
        for move, value, line, nodes in study._openings(study._start)[:MOVES]:
            rows.append((move, "", value, nodes))
            after = study._start.after(line.split()[0])
            rows += [(move, reply, -worth, nodes) for reply, worth, _, nodes in study._openings(after)[:REPLIES]]
        data = make_frame("string: move reply; int64: value nodes", rows)
        shown: list[Row] = [
            (f"… {reply}" if reply else move, value, None, None, f"{value}") for move, reply, value, _ in rows
        ]
        most = max([1, *(abs(row[2]) for row in rows)])
        best = [f"The player likes {rows[0][0]} best: {rows[0][2]} hundredths of a pawn or so."] if rows else []
        return self._figure("Openings", best, data, shown, (-most, most), 0)

    def mobility(self, kind: str, side: str = "white") -> StudyFigure:
        """Return a map of how many squares a kind reaches from each square, on boards filled at random."""
        study, geometry = self._study, self._study._start.geometry
        values = study._reach(kind, side)
        best = max(values, key=values.__getitem__)
        mean = fmean(values.values())
        told = (
            f"On boards filled at random, a {side} {kind} reaches {mean:.1f} squares on average, and "
            f"{values[best]:.1f} from {geometry.name(best)}."
        )
        return self._map("Squares reached", "squares", [told, "No game was needed."], values)

    def heat(self, kind: str, side: str = "white") -> StudyFigure:
        """Return a map of how often in a game a kind moves to each square."""
        values = self._study._heat(kind, side)
        best = max(values, key=values.__getitem__)
        name = self._study._start.geometry.name(best)
        told = f"In a game, {side}’s {kind} goes most often to {name}: {values[best]:.1f} times."
        return self._map("Where they went", "moves", [told if self._study.enough else TOO_FEW, self._behind], values)

    def compare(self, other: Study) -> StudyFigure:
        """Return the differences between this study and another with their intervals, each on a scale of its own."""
        data, rows = self._study.compare(other), list[Row]()
        for one in data.to_dict("records"):
            ends = [None if isnan(one[name]) else one[name] for name in ("difference", "low", "high")]
            most = max([1e-9, *(abs(end) for end in ends if end is not None)])
            value, low, high = (None if end is None else end / most for end in ends)
            rows.append((one["measure"], value, low, high, one["said"]))
        told = [f"{name}: {said}." for name, *_, said in rows]
        return self._figure("Differences", told, data, rows, (-1, 1), 0)

    @property
    def _behind(self) -> str:
        """What the figures rest on."""
        return next(self._study._lines())

    def _figure(
        self,
        title: str,
        told: Sequence[str],
        data: pd.DataFrame,
        rows: Sequence[Row],
        ends: tuple[float, float],
        line: float | None = None,
    ) -> StudyFigure:
        """Return a figure of rows, with what it rests on after the sentences."""
        picture = _draw_rows(title, told, rows, ends, line)
        return StudyFigure(title, "\n".join([*told, self._behind]), data, picture)

    def _map(self, title: str, column: str, told: Sequence[str], values: dict[int, float]) -> StudyFigure:
        """Return a figure with a value for each square of the board."""
        geometry = self._study._start.geometry
        rows = [(geometry.name(at), value) for at, value in values.items()]
        root = new_canvas(geometry.files * SQUARE, geometry.ranks * SQUARE, title)
        most = max([1e-9, *values.values()])
        for at, value in values.items():
            x, y = at % geometry.files * SQUARE, (geometry.ranks - 1 - at // geometry.files) * SQUARE
            share = value / most
            red, green, blue = (round(255 - share * (255 - part)) for part in PALE)
            add_element(root, "rect", x=x, y=y, width=SQUARE, height=SQUARE, fill=f"#{red:02x}{green:02x}{blue:02x}")
            ink = "#ffffff" if share > 0.5 else INK
            middle = {"x": x + SQUARE / 2, "y": y + SQUARE / 2, "font_size": 12, "fill": ink, "text_anchor": "middle"}
            add_element(root, "text", geometry.name(at), **middle)
            add_element(root, "text", f"{value:.1f}", **middle | {"y": y + SQUARE / 2 + 14})
        data = make_frame(f"string: square; float64: {column}", rows)
        picture = finish_picture(root, f"{title}: {told[0]}", geometry.files * SQUARE)
        return StudyFigure(title, "\n".join(told), data, picture)


def _draw_rows(
    title: str, told: Sequence[str], rows: Sequence[Row], ends: tuple[float, float], line: float | None = None
) -> SvgPicture:
    """Return a drawing with a dot, its interval and words in each row, and a dashed line at a value."""

    def across(value: float) -> float:
        return LEFT + (RIGHT - LEFT) * (value - ends[0]) / (ends[1] - ends[0])

    root = new_canvas(WIDTH, (len(rows) + 1) * ROW, title)
    add_element(root, "rect", width=WIDTH, height=(len(rows) + 1) * ROW, fill="#ffffff")
    for end in (*ends, *([] if line is None else [line])):
        dashes = {"stroke_dasharray": "4 3"} if end == line else {}
        add_element(root, "line", x1=across(end), x2=across(end), y1=0, y2=len(rows) * ROW, stroke="#8a8a8a", **dashes)
        add_element(root, "text", f"{end:g}", x=across(end), y=(len(rows) + 0.7) * ROW, **_text("middle"))
    for number, (name, value, low, high, words) in enumerate(rows):
        y = (number + 0.5) * ROW
        add_element(root, "text", name, x=LEFT - 8, y=y + 4, **_text("end"))
        add_element(root, "text", words, x=RIGHT + 8, y=y + 4, **_text("start"))
        for begin, stop, width in ((low, high, 2), (line if low is None else None, value, 8)):
            if begin is not None and stop is not None:
                add_element(
                    root, "line", x1=across(begin), x2=across(stop), y1=y, y2=y, stroke="#0a3d91", stroke_width=width
                )
        if value is not None and low is not None:
            add_element(root, "circle", cx=across(value), cy=y, r=5, fill="#0a3d91")
    return finish_picture(root, f"{title}: {' '.join(told)}", WIDTH)


def _text(anchor: str) -> dict[str, object]:
    """Return how a text is written."""
    return {"font_size": 13, "fill": INK, "text_anchor": anchor}
