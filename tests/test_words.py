"""Words on the screen are plain English: phrases that nobody speaks stay out of all that the kit can say."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "nomic_nb"
#: What was said once, and what is said now.
UNSPOKEN = {
    r"It is the turn of": "Ann’s turn: proposal",
    r", part: ": "Ann’s turn: proposal",
    r"Could stand there": "Expected …",
    r"this cannot stand here": "this doesn’t belong here",
    r"The base is all who may vote": "Counted against all 3 voters",
    r"in passing no longer": "a double step made before can no longer be captured en passant",
    r"\beach in \{": "Ann’s vote is decisive in 2 of the 4 ways the others can vote",
    r"throws \{.*by hand": "Ann rolls a 5, entered by hand",
    r"and has \{": "Ann: +5 points, now 5",
    r"rule of tier": "a mutable rule beats a reading rule",
    r"void no more": "is no longer void",
    r"a rule is no more": "a rule was repealed",
    r"\bhangs? on\b": "depends on",
    r"\bis no (move|movement|ballot|whole number|game by itself|player's name|annotation)\b": "is not a move",
    r"(holds|there|joined) no (more|longer)\b": "no longer holds",
    r"\bthat \{player\} \w+s\b": "Ann is not allowed to throw",
    r"an army more": "one more army",
    r"say alike|says alike": "say the same",
    r"divided by nothing": "divided by zero",
    r"reckoning takes|number to reckon": "the calculation takes …",
    r"low line": "an underscore",
    r"(an|one|exactly one) own piece": "a piece of its own side",
    r"captur\w+ in passing": "captured en passant",
    r"(number|term|=Q|missing) (stands )?behind": "comes after it",
    r"time enough": "enough time",
    r"(listed|join)\([^{}]*\)\} (has|is|was|does)\b": "Ann and Ben have",
    r"(die|dice|a throw) of \d+ sides": "a die with 6 sides",
    r"come to stand still": "come to a standstill",
    r"things any more that": "things that … no longer",
    r"it is rule \S+ now": "it is now rule 301",
    r"takes long\b": "takes a long time",
    r"\ba (army|immutable|event|effect|action|answer|empty|open|own|undo|array)\b": "an army",
}


@cache
def spoken():
    """Return every text of the package that is not a docstring, with its place, and every page."""
    said = []
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
                said.append((f"{path.name}, line {node.lineno}", ast.unparse(node)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in about:
                said.append((f"{path.name}, line {node.lineno}", node.value))
    pages = sorted([*PACKAGE.rglob("*.md"), *PACKAGE.rglob("*.toml")])
    return [*said, *((path.name, path.read_text(encoding="utf-8")) for path in pages)]


@pytest.mark.slow
def test_nobody_has_to_read_them():
    """All in one, since reading the package takes longer than looking through it."""
    assert [(phrase, where) for phrase in UNSPOKEN for where, said in spoken() if re.search(phrase, said)] == []
