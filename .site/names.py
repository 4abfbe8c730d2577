"""The pages that list the public names, made from `names.toml` and the docstrings."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import nomic_nb as nb
from nomic_nb import engine

DOORS = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))["door"]
#: What a name on the list begins with, and where it is.
PLACES = {"nb": "nomic_nb", "game": "nomic_nb.Game", "engine": "nomic_nb.engine"}


def listed_names() -> list[str]:
    """Return every name that has a place on a page, as `names.toml` writes it."""
    return [name for door in DOORS for group in door["group"] for name in group["names"].split()]


def directive(name: str) -> Iterator[str]:
    """Yield the lines that show the docstring of a name.

    Examples
    --------
    >>> list(directive("game.scores"))
    ['.. autoproperty:: nomic_nb.Game.scores', '']
    """
    start, *path = name.split(".")
    found: object = {"nb": nb, "game": nb.Game, "engine": engine}[start]
    for part in path[:-1]:
        found = getattr(found, part)
    kept = inspect.getattr_static(found, path[-1], None)
    one = getattr(found, path[-1])
    if start == "game":
        kind = "property" if isinstance(kept, property) else "method"
    else:
        kind = "class" if inspect.isclass(one) else "function"
    yield f".. auto{kind}:: {'.'.join((PLACES[start], *path))}"
    if kind == "class" and one is not nb.Game and start != "engine":
        yield "   :members:"
        yield "   :inherited-members: Exception"
    yield ""


def door_page(door: dict) -> str:
    """Return the page of a door in Markdown."""
    lines = [f"# {door['title']}", "", door["about"], ""]
    for group in door["group"]:
        lines += [f"## {group['heading']}", "", *([group["about"], ""] if "about" in group else [])]
        lines += ["```{eval-rst}", *(line for name in group["names"].split() for line in directive(name)), "```", ""]
    return "\n".join(lines)


def escape(text: str) -> str:
    """Return a text in which Markdown finds nothing to mark up."""
    return re.sub(r"([\\`*_<>\[\]#|])", r"\\\1", text)


LIBRARY = """# Ready-made rules

`nb.library.simple_majority().change(203)` amends rule 203 with a ready-made rule. Without a number, `change()` makes a
new rule of it. The values in brackets are those that a rule has if you give none.
`nb.library.search("votes in secret")` finds rules by everyday words.
"""
READY_MADE = """### {title}

`nb.library.{name}({parameters})`

{wording}
"""


def library_page() -> str:
    """Return the page of all ready-made rules, by subject."""
    parts = [LIBRARY]
    frame = nb.library.catalogue.frame.reset_index()
    for subject, rows in frame.groupby("subject", sort=False):
        parts.append(f"## {str(subject).capitalize()}\n")
        for row in rows.to_dict("records"):
            parts.append(READY_MADE.format(**row | {"wording": escape(row["wording"])}))
            parts += [f"```law\n{row['law']}\n```\n"] if row["law"] else []
    return "\n".join(parts)
