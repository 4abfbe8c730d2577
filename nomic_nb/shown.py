"""What everything has in common that shows itself in a notebook."""

from __future__ import annotations

from importlib import import_module


class Shown:
    """Shows itself as HTML in a notebook; how is said in `nomic_nb.show`, which stands on everything else."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        html: str = import_module("nomic_nb.show").html(self)
        return html
