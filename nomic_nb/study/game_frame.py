"""Data frames whose text a notebook shows as it stands: none of it is taken for a formula.

This module alone imports pandas at once, so whoever makes a frame imports it then.
"""

from __future__ import annotations

import pandas as pd

from nomic_nb.engine.display import INERT_CLASSES


class GameFrame(pd.DataFrame):
    """A data frame like any other; what is cut out of it or made from it shows itself in the same way."""

    @property
    def _constructor(self) -> type[GameFrame]:
        """The class of data frames that pandas makes out of this one: `GameFrame` again."""
        return GameFrame

    def _repr_html_(self) -> str | None:
        """Return the data frame as HTML in which no text is taken for a formula; None if pandas gives no HTML."""
        repr_html = super()._repr_html_()  # type: ignore[misc]
        return None if repr_html is None else f'<div class="{INERT_CLASSES}">{repr_html}</div>'
