"""What everything has in common that shows itself in a notebook."""

from __future__ import annotations

from functools import singledispatch


@singledispatch
def html_of(shown: object) -> str:
    """Return an object's HTML; its plain text if no HTML is registered for its class.

    Examples
    --------
    >>> html_of("1 < 2")
    '<pre>1 &lt; 2</pre>'
    """
    from html import escape

    return f"<pre>{escape(str(shown))}</pre>"


@singledispatch
def text_of(shown: object) -> str:
    """Return an object's plain text; its `repr` if no text is registered for its class.

    Examples
    --------
    >>> text_of("1 < 2")
    "'1 < 2'"
    """
    return repr(shown)


#: A notebook typesets what is between dollar signs, which hides it or garbles it, but not below these classes.
#: They are one word for the older MathJax and one for the newer.
INERT_CLASSES = "tex2jax_ignore mathjax_ignore"


class Displayed:
    """Shows itself as HTML in a notebook, and elsewhere as its text."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return the object's HTML, as `html_of` makes it, for a notebook to show."""
        return html_of(self)

    def __repr__(self) -> str:
        return str(self)


class DisplayedAlike(Displayed):
    """Shows itself as plain text too as it does as HTML: both are written from the same tree."""

    __slots__ = ()

    def __str__(self) -> str:
        return text_of(self)
