"""Every sentence that the kit says with a code, as it stands in the source, and one of each kind of event.

`PYTHONPATH=$PWD:tests python tests/golden/sentences.py` writes `sentences/` again: a rewording changes these files, and
no other test.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from golden.golden_games import GAMES, HERE

import nomic_nb as nb
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.study.language import PACKAGE, called_name, error_names, literal, modules, sayings

FOLDER = HERE / "sentences"


def groups() -> dict[str, str]:
    """Return what the files hold, by name: a file for each folder, with the sentences of each module by their code."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for one in sayings():
        layer, *rest = one.path.relative_to(PACKAGE).with_suffix("").parts
        name = "-".join([layer, *rest[:-1]]) if rest else "top"
        said = (one.template or "").replace("\n", "\\n")
        found[name][(rest or [layer])[-1]].append(f"{one.code}: {said}" if one.code else f"… {said}")
    return {name: "\n".join(_blocks(found[name])) for name in sorted(found)}


def _blocks(found: dict[str, list[str]]) -> Iterator[str]:
    for module in sorted(found):
        yield "\n".join([f"[{module}]", *sorted(set(found[module])), ""])


def events() -> str:
    """Return the first event of each kind in the golden games as it is told."""
    told: dict[str, str] = {}
    for system in GAMES:
        for event in nb.load(HERE / f"{system}.jsonl").timeline.events:
            told.setdefault(event.kind, sentence(event).replace("\n", "\\n"))
    return "".join(f"{kind}: {told[kind]}\n" for kind in sorted(told))


def plain() -> set[str]:
    """Return where an error for people is made of plain text."""
    found = set()
    for path, module in modules():
        nodes = list(ast.walk(module))
        functions = [one for one in nodes if isinstance(one, ast.FunctionDef)]
        for call in nodes:
            if isinstance(call, ast.Call) and called_name(call) in error_names() and len(call.args) == 1:
                around = [one for one in functions if one.lineno <= call.lineno <= (one.end_lineno or 0)]
                if _is_plain(call.args[0], {text for one in around for text in _texts(one)}):
                    found.add(f"{path.relative_to(PACKAGE)}:{call.lineno}")
    return found


def _texts(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the names that a function gives to plain texts."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _is_plain(node.value, set()):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))


def _is_plain(node: ast.expr, texts: set[str]) -> bool:
    if isinstance(node, ast.IfExp | ast.BoolOp | ast.Tuple):
        parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else getattr(node, "values", None) or node.elts
        return any(_is_plain(part, texts) for part in parts)
    if isinstance(node, ast.Call):
        return called_name(node) in ("str", "format", "join")
    return (
        isinstance(node, ast.JoinedStr | ast.BinOp)
        or literal(node) not in (None, "")
        or (isinstance(node, ast.Name) and node.id in texts)
    )


def whole() -> dict[str, str]:
    """Return all files of the folder, by name."""
    return {**groups(), "events": events()}


def main() -> None:
    """Write the folder again."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.txt"):
        path.unlink()
    for name, text in whole().items():
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
