"""List everything that people and programs rely on: `python tests/public_names.py` writes it to `public_names.txt`.

A name that is removed or changed breaks somebody's notebook, record or script, so a change of the list comes with a
line in CHANGELOG.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterator
from pathlib import Path

import nomic_nb as nb
from nomic_nb import engine
from nomic_nb.engine.play.declarations import ACTIONS, EVENT_KINDS, HOST_ACTIONS
from nomic_nb.engine.play.events import EVENT_FORM
from nomic_nb.engine.play.record_limits import FORMAT, VERSION
from nomic_nb.engine.record.log import HEADER_FIELDS
from nomic_nb.engine.rulesets.literate import ABOUT_FIELDS, known_rulesets
from nomic_nb.notebook.panels.magics import MAGICS
from nomic_nb.study import reference

ROOT = Path(__file__).parent.parent
LISTED = ROOT / "tests" / "public_names.txt"


def parameters(found: object) -> str:
    """Return the names of the parameters, with `=` where there is a default."""
    try:
        signature = inspect.signature(found)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    said = []
    for one in signature.parameters.values():
        if one.name in ("self", "cls"):
            continue
        star = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        said.append(f"{star}{one.name}{'' if one.default is one.empty else '='}")
    return f"({', '.join(said)})"


def members(name: str, found: object) -> Iterator[str]:
    """Yield a name and, of a class, every public member."""
    if not inspect.isclass(found):
        yield name + (parameters(found) if callable(found) else "")
        return
    yield name + parameters(found)
    for one in sorted(dir(found)):
        member = inspect.getattr_static(found, one)
        if one.startswith("_") or getattr(member, "__objclass__", None) is object or hasattr(Exception, one):
            continue
        called = getattr(found, one, None)
        yield f"{name}.{one}" + (parameters(called) if callable(called) else "")


def names() -> list[str]:
    """Return every line of the list, in order."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines: list[str] = []
    for name in sorted({*nb.__all__, "help", "open"} - {"language", "library", "multiverse"}):
        lines += members(f"nb.{name}", getattr(nb, name))
    for name in sorted({*nb.multiverse.__all__, *" ".join(nb.multiverse._ELSEWHERE.values()).split()}):
        lines += members(f"nb.multiverse.{name}", getattr(nb.multiverse, name))
    lines += [f"nb.language.{name}{parameters(getattr(nb.language, name))}" for name in nb.language.__all__]
    ready_made = sorted(nb.library.catalogue, key=lambda one: one.name)
    lines += [f"nb.library.{one.name}({one.parameters})" for one in ready_made]
    lines += [f"engine.{name}" for name in engine.__all__]
    lines += [f"rule set {name}" for name in known_rulesets()]
    lines += [f"page {name}" for name in sorted(reference.page_names())]
    lines += [f"extra {name}" for name in sorted(project["optional-dependencies"])]
    lines += [f"command {name}" for name in sorted(project["scripts"])]
    lines += [f"magic {name}" for name in sorted(MAGICS)]
    lines += [f"action {name}({', '.join(one.fields)})" for name, one in sorted({**ACTIONS, **HOST_ACTIONS}.items())]
    lines += [f"event {name}({', '.join(one.binds)})" for name, one in sorted(EVENT_KINDS.items())]
    lines += [f"record {FORMAT} {VERSION}, events {EVENT_FORM}: {', '.join(sorted(HEADER_FIELDS))}"]
    lines += [f"rule file about: {', '.join(ABOUT_FIELDS)}"]
    return lines


if __name__ == "__main__":
    LISTED.write_text("".join(f"{line}\n" for line in names()), encoding="utf-8")
