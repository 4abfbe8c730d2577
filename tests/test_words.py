"""Words on the screen are plain English: phrases that nobody speaks stay out of all that the kit can say."""

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "nomic_nb"
#: What was said once, and what is said now.
UNSPOKEN = {
    r"It is the turn of": "Ann’s turn: proposal",
    r", part: ": "Ann’s turn: proposal",
    r"Could stand there": "Expected …",
    r"this cannot stand here": "this does not belong here",
    r"The base is all who may vote": "Counted against all 3 voters",
    r"in passing no longer": "the double step can no longer be captured en passant",
    r"\beach in \{": "Ann’s vote decides the result in 2 of the 4 ways the others can vote",
    r"throws \{.*by hand": "Ann rolls a 5, entered by hand",
    r"and has \{": "Ann: +5 points, now 5",
    r"rule of tier": "a mutable rule beats a reading rule",
    r"void no more": "is no longer void",
    r"a rule is no more": "a rule was repealed",
    r"\ba (army|immutable|event|effect|action|answer|empty|open|own|undo|array)\b": "an army",
}


def spoken():
    """Yield every text of the package that is not a docstring, with its place, and every page."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        about = {
            node.body[0].value
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body
            and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
        }  # fmt: skip
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                yield f"{path.name}, line {node.lineno}", ast.unparse(node)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in about:
                yield f"{path.name}, line {node.lineno}", node.value
    for path in sorted([*PACKAGE.rglob("*.md"), *PACKAGE.rglob("*.toml")]):
        yield path.name, path.read_text(encoding="utf-8")


@pytest.mark.parametrize("phrase", UNSPOKEN)
def test_nobody_has_to_read_it(phrase):
    assert [where for where, said in spoken() if re.search(phrase, said)] == []
