"""What a rule-change must be for anybody to propose it: its form, its texts, its size."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from nomic_nb.errors import LawError
from nomic_nb.law.change import KINDS, LONGEST_TITLE, PROPOSED, Change
from nomic_nb.law.rules import Number

#: Characters that a wording, and the law of one rule, may have.
LONGEST_WORDING, LONGEST_LAW = 4_000, 8_000
#: What a change may take in a record, where letters beyond ASCII take six bytes or twelve.
LARGEST_CHANGE = 48_000
#: Rules that one change repeals.
MOST_TOGETHER = 500
#: Changes that one proposal makes together.
MOST_PARTS = 50


def from_json(data: dict[str, Any]) -> Change:
    """Return the change that `Change.to_json` wrote.

    Raises
    ------
    LawError
        Where a field is unknown or holds something else than it should.
    """
    wanted: dict[str, tuple[type, ...]] = {
        "kind": (str,), "target": (int, str), "wording": (str,), "law": (str,), "title": (str,), "part": (int,),
        "add": (bool,), "universe": (str,), "standing": (str,), "also": (list, tuple), "parts": (list,),
        "apart": (bool,),
        "renames": (list,), "revises": (int, str),
    }  # fmt: skip
    flags = ("add", "apart")
    for name, value in data.items():
        if name not in wanted or not isinstance(value, wanted[name]) or (name not in flags and isinstance(value, bool)):
            raise LawError(f"a change has no {name!r} like this", found=repr(value)[:40], expected=", ".join(wanted))
    if data.get("kind") not in PROPOSED:
        raise LawError("there is no such kind of change", found=repr(data.get("kind")), expected=", ".join(PROPOSED))
    parts = data.get("parts", [])
    if len(parts) > MOST_PARTS or not all(isinstance(one, dict) and "parts" not in one for one in parts):
        raise LawError(f"at most {MOST_PARTS} changes are made together, each a single one", found=f"{len(parts)}")
    return screened(shaped(restored(data)))


def restored(data: Mapping[str, Any]) -> Change:
    """Return the change that `Change.to_json` wrote, where it was checked before."""
    lists = {name: tuple(data.get(name, ())) for name in ("also", "renames")}
    return Change(**{**data, **lists, "parts": tuple(restored(one) for one in data.get("parts", ()))})


def shaped(change: Change) -> Change:
    """Refuse a change that says nothing, or more than one of its kind can say."""
    if change.kind == "together" or change.parts or change.apart or change.renames:
        return _shaped_together(change)
    if (change.kind == "revise") != (change.revises is not None):
        raise LawError("to revise needs the number of a proposal, and no other change has one", found=change.kind)
    if wrong := _aimed_wrong(change) or _said_wrong(change) or _repealed_wrong(change):
        raise LawError(wrong, found=repr(change.headline))
    return change


def _aimed_wrong(change: Change) -> str:
    """Say why a change has no rule, or a proposal, to be about, or has one too many."""
    kind = change.kind
    if kind in ("enact", "revise"):
        if change.target is not None or change.add or (change.part is not None and kind == "enact"):
            return f"{'a new rule' if kind == 'enact' else 'another form of a proposal'} has no target"
    elif change.target is None:
        return f"to {kind} needs the number of a rule"
    if change.standing and kind != "enact":
        return "a standing is asked for a new rule alone"
    if change.universe and (kind in ("transmute", "revise") or change.part is not None):
        return "a rule is made, or repealed as a whole, for one universe"
    return "a rule is amended as it is, and not for one universe" if change.universe and kind == "amend" else ""


def _said_wrong(change: Change) -> str:
    """Say why a change says nothing, or more than one of its kind can say."""
    kind, says = change.kind, change.wording is not None or change.law is not None or bool(change.title)
    if kind == "enact":
        return "" if change.wording is not None else "a new rule has wording"
    if kind == "revise":
        return "" if says else "another form of a proposal has other wording, clauses or title"
    if kind != "amend":
        more = says or change.add or (kind == "transmute" and change.part is not None)
        return f"to {kind} brings no text along" if more else ""
    if not says:
        return "an amendment changes wording, law or title"
    if change.add and (change.wording is None or change.part is not None):
        return "what is added beside a rule has wording of its own, and belongs to the rule itself"
    return ""


def _repealed_wrong(change: Change) -> str:
    """Say why several rules cannot be repealed together."""
    if change.also and (change.kind != "repeal" or change.part is not None):
        return "only whole rules are changed together, by a repeal"
    if len({change.target, *change.also}) <= len(change.also) or len(change.also) >= MOST_TOGETHER:
        return f"each rule is repealed once, and at most {MOST_TOGETHER} together"
    if not all(isinstance(one, int | str) and not isinstance(one, bool) for one in change.also):
        return "rules are named by their numbers"
    return ""


def _shaped_together(change: Change) -> Change:
    """Refuse changes that cannot be made together, with the part that is at fault."""
    own = replace(change, kind="together", parts=(), apart=False, renames=())
    names = all(isinstance(one, str) and re.fullmatch(r"[a-z]\w*", one) for one in change.renames)
    wrong = ""
    if change.kind != "together" or own != Change("together"):
        wrong = "changes that are made together have texts and targets of their own"
    elif not 2 <= len(change.parts) <= MOST_PARTS and not (change.parts and change.renames):
        wrong = f"from 2 to {MOST_PARTS} changes are made together"
    elif change.renames and (len(change.renames) != 2 or not names or change.apart):
        wrong = "one name takes the place of another, in all parts together"
    if wrong:
        raise LawError(wrong, found=str(len(change.parts)))
    seen: dict[Number, int] = {}
    for at, part in enumerate(change.parts, 1):
        try:
            if part.kind not in KINDS or part.parts:
                raise LawError("a part is a change of one rule, and not of a proposal", found=part.kind)
            screened(shaped(part))
        except LawError as error:
            raise in_part(error, at) from None
        for one in part.each:
            if one.target is not None and not change.apart and seen.setdefault(one.target, at) != at:
                said = f"rule {one.target} is changed by part {seen[one.target]} already; one part says all of it"
                raise in_part(LawError(said, found=repr(one.headline)), at)
    return change


def in_part(error: LawError, part: int) -> LawError:
    """Return an error with the part in it that it is about."""
    made = error.moved()
    made.message = f"part {part}: {error.message}"
    made.offset, made.part = error.offset, part
    return made


def screened(change: Change) -> Change:
    """Refuse texts that are too long or cannot be seen, and what no record could hold."""
    for name, text, longest in (
        ("wording", change.wording, LONGEST_WORDING),
        ("law", change.law, LONGEST_LAW),
        ("title", change.title, LONGEST_TITLE),
        ("name of a universe", change.universe, LONGEST_TITLE),
        ("standing", change.standing, LONGEST_TITLE),
    ):
        check_text(name, text or "", longest)
    size = len(json.dumps(change.to_json()))
    if size > LARGEST_CHANGE:
        raise LawError(f"a change takes at most {LARGEST_CHANGE} bytes in a record", found=f"{size}")
    if change.wording is not None and not change.wording.strip():
        raise LawError("a rule needs wording", found="nothing", expected="a sentence that people can read")
    return change


def check_text(what: str, text: str, longest: int) -> None:
    """Refuse a text that is too long or has characters that cannot be seen.

    Raises
    ------
    LawError
        With line and column of the character.
    """
    if not isinstance(text, str):
        raise LawError(f"the {what} is a text", found=type(text).__name__, expected="a text")
    if len(text) > longest:
        raise LawError(f"the {what} has at most {longest} characters", found=str(len(text)))
    if text.replace("\n", "").replace("\t", "").isprintable():  # as it mostly is
        return
    for at, letter in enumerate(text):
        if letter not in "\n\t" and unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
            before = text[:at]
            raise LawError(
                f"the {what} has a character that cannot be seen",
                line=before.count("\n") + 1,
                column=at - before.rfind("\n"),
                found=f"U+{ord(letter):04X}",
            )
