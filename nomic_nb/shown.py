"""What everything has in common that shows itself in a notebook."""

from __future__ import annotations

from importlib import import_module

#: A notebook typesets what stands between dollar signs, which hides it or garbles it, but not below these classes.
#: They are one word for the older MathJax and one for the newer.
INERT = "tex2jax_ignore mathjax_ignore"


class Shown:
    """Shows itself as HTML in a notebook; how is said in `nomic_nb.show`, which stands on everything else."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        html: str = import_module("nomic_nb.show").html(self)
        return html
