"""Count what a module brings in: `python tests/engine/size.py nomic_nb.engine`."""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from functools import cache
from pathlib import Path

LAYOUT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip


@cache
def tokens(text: str) -> int:
    """Return the tokens of a module without comments, docstrings and layout."""
    about: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            said = first.value if isinstance(first, ast.Expr) else None
            if isinstance(said, ast.Constant) and isinstance(said.value, str):
                about.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    found = inside = 0
    for one in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[one.type]
        inside -= kind == "FSTRING_END"  # from Python 3.12 on a formatted text is several tokens; it counts as one
        if kind != "FSTRING_END" and not inside and one.type not in LAYOUT and one.start[0] not in about:
            found += 1
        inside += kind == "FSTRING_START"
    return found


def closure(root: Path, start: str) -> dict[str, int]:
    """Return the modules that one brings in, wherever it imports them, each with its tokens."""
    files = {}
    for path in (root / "nomic_nb").rglob("*.py"):
        parts = path.relative_to(root).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    found: dict[str, int] = {}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name in found or name not in files or name == "nomic_nb":
            continue
        text = files[name].read_text(encoding="utf-8")
        found[name] = tokens(text)
        waiting += [one for one in imported(text) if one in files]
        waiting.append(name.rpartition(".")[0])
    return found


@cache
def imported(text: str) -> tuple[str, ...]:
    """Return what a module imports, with what may be a module in what it imports from."""
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
    return tuple(found)


if __name__ == "__main__":
    counted = closure(Path(__file__).parents[2], sys.argv[1])
    for module, count in sorted(counted.items(), key=lambda one: -one[1]):
        sys.stdout.write(f"{count:7} {module}\n")
    sys.stdout.write(f"{sum(counted.values()):7} in {len(counted)} modules\n")
