"""The front end: plain modules and a style sheet, one for notebooks and pages."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_BUILT = Path(__file__).parents[2] / "_widgets"
#: Where they are: in the package, or beside it in a clone.
WIDGETS = _BUILT if _BUILT.is_dir() else Path(__file__).parents[3] / "widgets"
#: In the order in which they need each other. Names at their top level must differ; a test sees to it.
MODULES = ("core", "boards", "vote", "change", "seal", "forms", "panel")
#: Panels that put themselves into the whole, where they are loaded.
MORE = ("freely", "law", "complete", "together", "history", "host", "judge", "cells")


@cache
def text(name: str) -> str:
    """Return a file of the front end as it is handed out: a script without lines that are remarks alone."""
    found = (WIDGETS / name).read_text(encoding="utf-8")
    return re.sub(r"^\s*(//.*|/\*\*.*\*/)\n", "", found, flags=re.MULTILINE) if name.endswith(".js") else found


@cache
def joined() -> str:
    """Return the modules as one: a notebook loads a module as text, and relative imports fail in it."""
    parts = []
    for name in (*MODULES, *MORE):
        module = re.sub(r'^import [^;]+ from "\./[a-z]+\.js";\n', "", text(f"{name}.js"), flags=re.MULTILINE)
        module = re.sub(r"^export default .*\n", "", module, flags=re.MULTILINE)
        module = re.sub(r"^export (?=(const|let|function|class|async) )", "", module, flags=re.MULTILINE)
        parts.append(f"// {name}.js\n{module}")
    return "\n".join([*parts, "export default { render };\n"])
