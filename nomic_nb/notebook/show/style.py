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


@cache
def token_rules(used_by: str, place: str = ".nnb", *, as_system: bool = False) -> str:
    """Return the tokens (sizes and colours that all style sheets share) that a style sheet uses, light and dark.

    Parameters
    ----------
    used_by : str
        The style sheet.
    place : str
        Selector of the elements that have the tokens.
    as_system : bool
        Whether the system decides between light and dark, not what surrounds the output. Paper is always light.
    """
    (_, plain), (dark, colours) = re.findall(r"([^{}]+)\{(.*?)\}", style_rules(name="tokens.css"))
    tokens = dict(re.findall(r"(--[\w-]+):([^;]+)", plain))
    names, texts = {"color-scheme"}, [used_by]
    while texts:
        more = set(re.findall(r"var\((--[\w-]+)", "".join(texts))) & tokens.keys() - names
        names, texts = names | more, [tokens[name] for name in more]
    light, night = (
        ";".join(one for one in values.split(";") if one.partition(":")[0] in names) for values in (plain, colours)
    )
    if as_system:
        return f"{place}{{{light}}}@media screen and (prefers-color-scheme:dark){{{place}{{{night}}}}}"
    return f"{place}{{{light}}}@media screen{{{dark.rpartition(' ')[0]} {place}{{{night}}}}}"


def shorten_css(text: str) -> str:
    """Return a style sheet without comments and needless spaces.

    Examples
    --------
    >>> shorten_css("/* Quiet. */ p { color: red; margin: 0 2px; }")
    'p{color:red;margin:0 2px}'
    >>> shorten_css("p * .a, p * var { width: calc(2 * var(--step) * .5) }")
    'p * .a,p * var{width:calc(2*var(--step)*.5)}'
    """
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s*([{};,>/])\s*", r"\1", re.sub(r"\s+", " ", text)).replace(": ", ":").replace(" !", "!")
    text = re.sub(r'="([a-z][\w-]*)"\]', r"=\1]", text)
    return re.sub(r" (\*) (?=\.?\d|(?:var)?\()|;(?=\})", r"\1", text).strip()  # of a product, not “any element”


def style_element() -> Element:
    """Return the ``style`` element with the kit's style sheet and the tokens that it uses."""
    return build_element("style", token_rules(style_rules()), style_rules())
