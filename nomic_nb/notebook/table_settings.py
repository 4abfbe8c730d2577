"""What a form asks before play: the points to win, what happens if several win at once, and players who are away."""

from __future__ import annotations

import re
from typing import Any

from nomic_nb.engine.errors import LawError, WrongValue
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import RuleSet, is_fixed_term

POINTS, JOINT = "win.points", "win.joint"
#: For whom votes and turns wait.
WAITING_KEYS = ("turn.sequence", "vote.electorate")
#: What happens if several players win at once: the label, and the value of the key; the first is the default.
JOINT_CHOICES = (
    ("they win together", "joint"),
    ("the player whose turn it is wins, if among them", "on turn"),
    ("decide when it happens", ""),
)


def choices_of_ruleset(ruleset: RuleSet) -> dict[str, Any]:
    """Return what players can agree on before play: the points as published, and whether they can choose the rest."""
    return {
        "points": _text_of_term(ruleset, POINTS),
        "joint": _can_agree(ruleset, JOINT, '"joint"') and not ruleset.is_key_set(JOINT),
        "away": any(_present_only(ruleset, key) for key in WAITING_KEYS),
    }


def agreed_terms(ruleset: RuleSet, *, points: str = "", joint: str = "", away: bool = False) -> dict[str, object]:
    """Return the terms for a new game that represent what was chosen in a form.

    Parameters
    ----------
    ruleset : RuleSet
        The rule set that will be played.
    points : str
        The points to win as typed; empty for those of the rule set.
    joint : str
        What happens if several win at once; empty to leave it open.
    away : bool
        Whether players who are marked as away have no vote and get no new turn; a turn that has begun continues.

    Raises
    ------
    ValueError
        The points are no whole number.
    """
    choices, terms = choices_of_ruleset(ruleset), dict[str, object]()
    if points.strip() and choices["points"]:
        terms[POINTS] = _read_whole_number(points.strip())
    if joint and choices["joint"]:
        terms[JOINT] = joint
    if away:
        terms |= {key: text for key in WAITING_KEYS if (text := _present_only(ruleset, key))}
    return terms


def _text_of_term(ruleset: RuleSet, key: str) -> str:
    """Return, as text, the expression to which a clause without a condition sets a key; empty if none does."""
    clauses = (clause for rule in ruleset.rules for clause in rule.clauses)
    return next((clause.value.text for clause in clauses if is_fixed_term(clause) and clause.key == key), "")


def _present_only(ruleset: RuleSet, key: str) -> str:
    """Return the law text that a rule set gives a key, restricted to players present; empty if that is impossible."""
    sentence = _text_of_term(ruleset, key)
    free = next(name for name in "pqrstuvw" if not re.search(rf"\b{name}\b", sentence))
    texts = (f"[{free} for {free} in {sentence} if {free}.{present}]" for present in ("present", "controller.present"))
    return next((text for text in texts if _can_agree(ruleset, key, text)), "")


def _can_agree(ruleset: RuleSet, key: str, text: str) -> bool:
    """Tell whether a rule set takes an expression as the value of a key agreed before play."""
    try:
        ruleset.with_terms({key: text}, language())
    except LawError:
        return False
    return True


def _read_whole_number(text: str) -> int:
    """Return the whole number in a text; raise WrongValue if it is none."""
    try:
        return int(text)
    except ValueError:
        raise WrongValue(
            "points-not-whole-number", "points must be a whole number, not “{found}”", found=text[:40]
        ) from None
