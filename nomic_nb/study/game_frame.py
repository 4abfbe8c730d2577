"""Data frames whose text stays text: a notebook shows no formula of it, and a spreadsheet runs none.

This module alone imports pandas at once, so whoever makes a frame imports it then.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from nomic_nb.engine.display import INERT_CLASSES
from nomic_nb.study.named_values import missing_name_error

#: What a spreadsheet takes for the beginning of a formula.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def inert_cell(cell: Any) -> Any:
    """Return a cell for a spreadsheet: a text that would be a formula gets an apostrophe, anything else stays.

    Examples
    --------
    >>> inert_cell("=1+1"), inert_cell("-5"), inert_cell(-5), inert_cell(("+1", 2))
    ("'=1+1", "'-5", -5, ("'+1", 2))
    """
    if isinstance(cell, tuple):  # the label of a row or column in several levels
        return tuple(map(inert_cell, cell))
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_SIGNS) else cell


class GameSeries(pd.Series):
    """A series like any other; a label that it does not have is refused with those that it has."""

    @property
    def _constructor(self) -> type[GameSeries]:
        """The class of series that pandas makes out of this one: `GameSeries` again."""
        return GameSeries

    def __getitem__(self, key: Any) -> Any:
        """Return the value of a label, or part of the series.

        Raises
        ------
        KeyError
            There is no such label.
        """
        try:
            return super().__getitem__(key)
        except KeyError as error:
            raise missing_name_error(key, self.index) from error

    def to_csv(self, *args: Any, **options: Any) -> Any:
        """Write the series as CSV, as pandas does; text that a spreadsheet would run gets an apostrophe."""
        return GameFrame(self).to_csv(*args, **options)


class GameFrame(pd.DataFrame):
    """A data frame like any other; what is cut out of it or made from it shows itself in the same way."""

    @property
    def _constructor(self) -> type[GameFrame]:
        """The class of data frames that pandas makes out of this one: `GameFrame` again."""
        return GameFrame

    def __getitem__(self, key: Any) -> Any:
        """Return a column, several columns, or some of the rows.

        Raises
        ------
        KeyError
            There is no such column.
        """
        try:
            return super().__getitem__(key)
        except KeyError as error:
            raise missing_name_error(key, self.columns) from error

    def _repr_html_(self) -> str | None:
        """Return the data frame as HTML in which no text is taken for a formula; None if pandas gives no HTML."""
        repr_html = super()._repr_html_()  # type: ignore[misc]
        return None if repr_html is None else f'<div class="{INERT_CLASSES}">{repr_html}</div>'

    def to_csv(self, *args: Any, **options: Any) -> Any:
        """Write the data frame as CSV, as pandas does; text that a spreadsheet would run gets an apostrophe."""
        inert = pd.DataFrame(self)  # a shallow copy
        for at, kind in enumerate(self.dtypes):
            if kind.kind == "O":  # text, or anything
                inert.isetitem(at, self.iloc[:, at].map(inert_cell).array)
        inert.index, inert.columns = (axis.map(inert_cell) if len(axis) else axis for axis in inert.axes)
        return inert.to_csv(*args, **options)
