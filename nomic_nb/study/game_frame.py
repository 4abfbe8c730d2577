"""Data frames whose text stays text: a notebook shows no formula of it, and a spreadsheet runs none.

This module alone imports pandas at once, so whoever makes a frame imports it then.
"""

from __future__ import annotations

import json
from io import StringIO
from typing import Any, Self

import pandas as pd

from nomic_nb.engine.display import INERT_CLASSES
from nomic_nb.study.named_values import missing_name_error

#: What a spreadsheet takes for the beginning of a formula.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
#: What pandas reads as a missing value.
MISSING_SIGNS = frozenset((
    "#N/A", "#N/A N/A", "#NA", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
))  # fmt: skip


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


def _flat_cell(cell: Any) -> Any:
    """Return a cell as CSV keeps it: lists and dicts as JSON, equal line ends, no text that reads as missing."""
    if isinstance(cell, list | dict | tuple):
        return json.dumps(cell, ensure_ascii=False)
    if not isinstance(cell, str):
        return cell
    return f"'{cell}" if cell in MISSING_SIGNS else cell.replace("\r\n", "\n").replace("\r", "\n")


class _NamedItems:
    """What series and frames share: a name that is not there is refused with those that are."""

    @property
    def _constructor(self) -> type[Self]:
        """The class that pandas makes out of this one: the same again."""
        return type(self)

    def __getitem__(self, key: Any) -> Any:
        """Return the value of a label, a column, several columns, or some of the rows.

        Raises
        ------
        KeyError
            There is no such label or column.
        """
        try:
            return super().__getitem__(key)  # type: ignore[misc]
        except KeyError as error:
            raise missing_name_error(key, self.keys()) from error  # type: ignore[attr-defined]


class GameSeries(_NamedItems, pd.Series):
    """A series like any other; a label that it does not have is refused with those that it has."""

    def to_csv(self, *args: Any, **options: Any) -> Any:
        """Write the series as CSV, as pandas does; text that a spreadsheet would run gets an apostrophe."""
        return GameFrame(self).to_csv(*args, **options)


class GameFrame(_NamedItems, pd.DataFrame):
    """A data frame like any other; what is cut out of it or made from it shows itself in the same way."""

    @property
    def flat(self) -> GameFrame:
        """The data frame as `pandas.read_csv` reads it back from CSV; a dict in a cell becomes columns of its own.

        Text, numbers and truth values only: exact fractions and dates are text, lists are JSON. A text that reads like
        a missing value, such as ``NA``, gets an apostrophe.

        Examples
        --------
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> flat = new_game("discordian-nomic", ["Ann", "Ben"], seed=7).history.flat
        >>> flat.equals(GameFrame(pd.read_csv(StringIO(flat.to_csv(index=False)))))
        True
        """
        columns: dict[str, list[Any]] = {}
        for name, column in self.reset_index(drop=self.index.name is None).items():
            cells = list(column)
            keys = dict.fromkeys(key for cell in cells if isinstance(cell, dict) for key in cell)
            if keys:
                columns |= {f"{name}_{key}": [_flat_cell(cell.get(key)) for cell in cells] for key in keys}
            else:
                columns[str(name)] = [_flat_cell(cell) for cell in cells]
        text = GameFrame(columns, dtype="object").to_csv(index=False, lineterminator="\n")
        return GameFrame(pd.read_csv(StringIO(text), low_memory=False))

    def to_json(self, *args: Any, **options: Any) -> Any:
        """Write the data frame as JSON, as pandas does; dates are text."""
        return super().to_json(*args, **{"date_format": "iso", **options})

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
