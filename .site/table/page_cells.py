"""The cells of the home page: each runs as in a notebook, and its output is HTML."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from table_host import Answer, answered

from nomic_nb.study import frames

#: The names that the cells share.
SCOPE: dict[str, Any] = {}


class PlainFrame:
    """A data frame as far as a page without pandas shows it: chosen columns, and the last rows."""

    def __init__(self, names: Iterable[str], columns: Iterable[Sequence[Any]], index: str) -> None:
        self.index, self.columns = index, dict(zip(names, columns, strict=True))

    def __getitem__(self, names: Sequence[str]) -> PlainFrame:
        shown = (self.index, *names)
        return PlainFrame(shown, [self.columns[name] for name in shown], self.index)

    def tail(self, count: int) -> PlainFrame:
        """Return the last rows."""
        return PlainFrame(self.columns, [column[-count:] for column in self.columns.values()], self.index)

    def _repr_html_(self) -> str:
        rows = [("th", *self.columns), *(("td", *row) for row in zip(*self.columns.values(), strict=True))]
        head, *body = (
            f"<tr><th>{label}</th>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"
            for tag, label, *cells in rows
        )
        return f'<table class="dataframe"><thead>{head}</thead><tbody>{"".join(body)}</tbody></table>'


def use_plain_frames(module: Any = frames) -> None:
    """Show the history without pandas, of which the site has no copy."""
    module.frame_of_columns, module.history_frame = PlainFrame, module.history_frame.__wrapped__


@answered
def run_cell(source: str) -> Answer:
    """Run a cell, and return the HTML of its last line, which is an expression."""
    *statements, last = source.strip().splitlines()
    exec("\n".join(statements), SCOPE)  # noqa: S102 - the own text of the page
    return {"html": eval(last, SCOPE)._repr_html_()}  # noqa: S307


if sys.platform == "emscripten":
    use_plain_frames()
