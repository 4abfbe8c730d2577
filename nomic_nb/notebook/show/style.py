"""The style sheet, which every output carries with it: a saved notebook has nowhere else to find it."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from xml.etree.ElementTree import Element

from nomic_nb.notebook.markup.tree import build_element


@cache
def style_rules(package: str = "nomic_nb.notebook.show", name: str = "style.css") -> str:
    """Return the text of the style sheet `name` in a package, without comments and needless spaces."""
    return shorten_css(files(package).joinpath(name).read_text(encoding="utf-8"))


def shorten_css(text: str) -> str:
    """Return a style sheet without comments and needless spaces.

    Examples
    --------
    >>> shorten_css("/* Quiet. */ p { color: red; margin: 0 2px; }")
    'p{color:red;margin:0 2px;}'
    """
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"\s*([{};,>])\s*", r"\1", re.sub(r"\s+", " ", text)).replace(": ", ":").strip()


def style_element() -> Element:
    """Return the ``style`` element with the kit's style sheet."""
    return build_element("style", style_rules())
