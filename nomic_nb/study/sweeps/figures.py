"""A figure: a title, a table and a note on what is behind it, with a chart if the package altair is there."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from nomic_nb.engine.display import INERT_CLASSES, Displayed
from nomic_nb.study.packages import PackageError, missing_package_error

if TYPE_CHECKING:
    import pandas as pd

#: What JupyterLab draws by itself, without a network.
VEGA_LITE = "application/vnd.vegalite.v5+json"
#: Characters in a line below the title of a chart.
WIDTH = 64


class Figure(Displayed):
    """A table with a chart: a notebook shows the chart if altair is installed, and otherwise the table.

    Attributes
    ----------
    title : str
        What it shows.
    note : str
        Its games, the kind of players, and the interval.
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

    @property
    def svg(self) -> str:
        """The chart as SVG, for pages and papers.

        Raises
        ------
        ModuleNotFoundError
            A package is missing; the message says how to install it.
        """
        chart = self.chart.to_json()
        try:
            import vl_convert
        except ModuleNotFoundError as error:
            raise missing_package_error(error, "Charts as SVG", "vl-convert-python>=1.7,<2") from None
        return str(vl_convert.vegalite_to_svg(chart, vl_version="5.20"))

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        """Return what a notebook shows: the chart, or the table if none exists."""
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


def draw_curves(alt: Any, data: pd.DataFrame) -> Any:
    """Return steps with bands over turns; colour and dashes say the same."""
    base = alt.Chart(data).encode(alt.X("turn:Q"), alt.Color("what:N", legend=None), tooltip=list(data.columns))
    band = base.mark_area(interpolate="step-after", opacity=0.15).encode(y="low:Q", y2="high:Q")
    share = alt.Y("going:Q", title="share still going", scale=alt.Scale(domain=[0, 1]))
    dashes = alt.StrokeDash("what:N", legend=alt.Legend(title=None, orient="bottom", labelLimit=600))
    return band + base.mark_line(interpolate="step-after").encode(share, strokeDash=dashes)


def draw_dots(alt: Any, data: pd.DataFrame) -> Any:
    """Return a dot with its interval for each row, by facet, with a dashed line to compare it with, and the verdict.

    The first column is the facet, the second says what the row is about, and the third the figure.
    """
    facet, about, figure = data.columns[:3]
    base = alt.Chart(data).encode(alt.Y(f"{about}:N", sort=None, title=None), tooltip=list(data.columns))
    spans = base.mark_rule().encode(alt.X("low:Q", title=figure), x2="high:Q")
    line = alt.Chart(data).mark_rule(strokeDash=[4, 3]).encode(x="line:Q")
    dots = base.mark_point(filled=True, size=60).encode(x=f"{figure}:Q")
    words = base.mark_text(align="left", x=305).encode(text="verdict:N")
    facets = alt.Facet(f"{facet}:N", sort=None, title=None)
    layers = alt.layer(line, spans, dots, words).properties(width=300)
    return layers.facet(facets, columns=1).resolve_scale(x="independent", y="independent")
