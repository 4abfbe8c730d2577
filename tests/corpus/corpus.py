"""The documents of this folder, read: rules that real players made, with their clauses and what play shows of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import board_helpers
import make_a_rule_helpers
import play_helpers

import nomic_nb as nb

HERE = Path(__file__).parent
#: What becomes of a rule: play obeys it, asks those who know, leaves it to people, or it cannot be said.
ANSWERS = ("Obeyed", "Asked", "For people", "Cannot be said")
#: What became of a first draft, which somebody wrote with nothing but the guide: where play does not do what the rule
#: says, voters were told that its clauses come to nothing, or they say less than the rule.
DRAFTS = ("obeyed", "warned", "says less", "refused", "not tried")


@dataclass(frozen=True)
class Said:
    """A rule of the documents.

    Parameters
    ----------
    number : int
        Its place among the 200.
    id : str
        What the collection calls it.
    kept_by : str
        ``machine``, ``prompt`` or ``human``: who could keep it, as the collection has it.
    answer : str
        One of `ANSWERS`.
    reason : str
        What stands behind the answer.
    clauses, check : str
        The law, and what is played to see that it is obeyed.
    """

    number: int
    id: str
    kept_by: str
    answer: str
    reason: str
    clauses: str
    check: str


@dataclass(frozen=True)
class Draft:
    """A first draft: its clauses, what became of it, a check of its own where names are its own, what it leaves out."""

    id: str
    became: str
    clauses: str
    check: str
    leaves_out: str


def _block(text: str, kind: str) -> str:
    found = re.search(rf"^```{kind}\n(.*?)^```$", text, re.M | re.S)
    return found[1] if found else ""


@cache
def corpus() -> dict[str, Said]:
    """Return all rules in order, by what the collection calls them."""
    found: dict[str, Said] = {}
    for path in sorted(HERE.glob("rules_*.md")):
        for section in re.split(r"^## ", path.read_text("utf-8"), flags=re.M)[1:]:
            head = re.match(r"(\d+)\. (\S+)\n", section)
            about = re.search(r"^\*.* · (machine|prompt|human)\*$", section, re.M)
            said = re.search(rf"^\*\*({'|'.join(ANSWERS)})\.\*\* ?(.*)$", section, re.M)
            assert head is not None, section[:80]
            assert about is not None, section[:80]
            if said is None:
                continue  # not written yet
            one = Said(
                int(head[1]), head[2], about[1], said[1], said[2], _block(section, "law"), _block(section, "python")
            )
            assert one.id not in found, one.id
            found[one.id] = one
    return found


@cache
def drafts() -> dict[str, Draft]:
    """Return the first drafts."""
    found: dict[str, Draft] = {}
    for section in re.split(r"^## ", (HERE / "first_drafts.md").read_text("utf-8"), flags=re.M)[1:]:
        head = re.match(rf"(\S+) – ({'|'.join(DRAFTS)})\n", section)
        assert head is not None, section[:80]
        left = re.search(r"^\*\*Left out:\*\* (.*)$", section, re.M)
        clauses, check = _block(section, "law"), _block(section, "python")
        found[head[1]] = Draft(head[1], head[2], clauses, check, left[1] if left else "")
    return found


def play(check: str, clauses: str, name: str, names: dict[str, Any] | None = None) -> None:
    """Play what stands below a rule; `clauses` in it are the clauses. What is named there stays in `names`."""
    names = {} if names is None else names
    names |= {"nb": nb, "clauses": clauses.strip()}
    for helpers in (play_helpers, board_helpers, make_a_rule_helpers):
        names |= {one: getattr(helpers, one) for one in vars(helpers) if not one.startswith("_")}
    exec(compile(check, name, "exec"), names)  # noqa: S102 - our own documents
