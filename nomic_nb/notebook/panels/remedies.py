"""Why a change that somebody is writing would have no effect, and another change that would have it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.changes import Change, amend
from nomic_nb.engine.law.clauses import Clause, SetClause
from nomic_nb.engine.law.nodes import BudgetExceeded, limit_steps
from nomic_nb.engine.law.rules import Number, Rule
from nomic_nb.engine.messages import Message
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.engine.words import full_sentence, join_words
from nomic_nb.notebook.panels.forms import Json
from nomic_nb.study.review.adoption import is_change_permitted
from nomic_nb.study.review.remarks import STEPS_AT_ONCE, draft_warnings
from nomic_nb.study.review.warnings.consistency import find_unmatched_numbers
from nomic_nb.study.views.remarks import WarningSign

#: The warning that another rule always overrides a clause.
OVERRIDDEN = "always-defeated"
#: Warnings that the game continues as before, because an amendment leaves the clauses as they are.
CLAUSES_STAY = ("only-wording-changes", "number-in-no-clause")
#: Warnings that players have to apply a rule themselves.
NO_CLAUSES = ("without-clauses", "clauses-taken-away")


def no_effect_data(state: State, player: str, change: Change, signs: Sequence[WarningSign]) -> Json:
    """Return why a change, or a clause of it, would have no effect, and what would have it, as JSON data.

    Parameters
    ----------
    state : State
        How things stand.
    player : str
        Who would propose it.
    change : Change
        The change that is being written.
    signs : sequence of WarningSign
        The warnings that it gets.

    Returns
    -------
    dict
        ``reason``, a sentence, and ``remedy``: the text of a button and another change as form data, or None. Empty
        if no warning says that the change has no effect.
    """
    evidence = next(_why_no_effect(change, signs), None)
    if evidence is None:
        return {}
    remedies = (
        {"text": text, "change": change_form_data(other)}
        for text, other in _possible_remedies(state, change, signs)
        if _would_have_effect(state, player, other)
    )
    return {"reason": _reason_in_words(change, evidence), "remedy": next(remedies, None)}


def change_form_data(change: Change) -> Json:
    """Return a change as the data of a filled-in form, without a title that it would get anyway."""
    data = change.to_json()
    return data if change.given_title else {name: value for name, value in data.items() if name != "title"}


# ----------------------------------------------------------------------------------------------------------- reasons


def _why_no_effect(change: Change, signs: Sequence[WarningSign]) -> Iterator[Message]:
    """Yield the reasons why a change has no effect in the game, overridden clauses first."""
    idle = [sign.evidence for sign in signs if sign.kind == "no-difference"]
    yield from sorted(idle, key=lambda message: not _is_overridden_now(message))
    codes = (*(CLAUSES_STAY if change.kind == "amend" and change.law is None else ()), *NO_CLAUSES)
    if not change.parts:  # of which others may have an effect
        yield from (sign.evidence for sign in signs if sign.evidence.code in codes)


def _reason_in_words(change: Change, evidence: Message) -> str:
    """Return what a warning says as one plain sentence."""
    if _is_overridden_now(evidence):
        clause = evidence.values["clause"]
        what = "this" if _is_only_clause(change, clause) else f"“{clause}”"
        return f"Rule {evidence.values['rule']} would override {what}, because {evidence.values['reason']}."
    return full_sentence(re.split(r"[.;] (?=[A-Z])", evidence, maxsplit=1)[0])


def _is_only_clause(change: Change, clause: object) -> bool:
    """Tell whether a single change puts only this clause into the law."""
    return not change.parts and (change.law or "").strip() == getattr(clause, "words", None)


def _is_overridden_now(evidence: Message) -> bool:
    """Tell whether a warning says that a clause of the change itself is overridden, and not one that comes later."""
    return evidence.code == OVERRIDDEN and "when" not in evidence.values


# ---------------------------------------------------------------------------------------------------------- remedies


def _possible_remedies(state: State, change: Change, signs: Sequence[WarningSign]) -> Iterator[tuple[str, Change]]:
    """Yield the text of a button and a change to make instead, for each that may have the effect that was meant."""
    if change.parts or change.kind not in ("enact", "amend"):
        return
    reasons = list(_why_no_effect(change, signs))
    overridden = [evidence for evidence in reasons if _is_overridden_now(evidence)]
    if overridden:
        number, clause = cast(Number, overridden[0].values["rule"]), overridden[0].values["clause"]
        rule = state.rules.rule_numbered(number)
        if rule is not None and isinstance(clause, SetClause) and _is_only_clause(change, clause):
            other = _with_clause_replaced(change, rule, clause)
            if other is not None:
                yield f"Amend rule {number} instead", other
        if all("below" in evidence.values for evidence in overridden):
            numbers = list(dict.fromkeys(str(evidence.values["below"]) for evidence in overridden))
            lines = "\n".join(f"prevails over {below}" for below in numbers)
            rules = f"rule{'s' if len(numbers) > 1 else ''} {join_words(numbers)}"
            yield f"Let it take precedence over {rules}", replace(change, law=f"{change.law}\n{lines}")
    elif change.target is not None and change.part is None and not change.add and reasons[0].code in CLAUSES_STAY:
        rule = state.rules.rule_numbered(change.target)
        law = _law_with_new_number(rule, change.wording or "") if rule is not None else None
        if law is not None:
            yield f"Change the clause to “{law[1]}”", replace(change, law=law[0])


def _with_clause_replaced(change: Change, rule: Rule, clause: SetClause) -> Change | None:
    """Return the amendment that replaces a clause by the one that overrides it; None if that is not clear.

    The wording of the change comes with it only if the rule says nothing else.
    """
    same = [old for old in rule.clauses if _set_the_same(old, clause)]
    if len(same) != 1 or len(rule.parts_in_force) != 1 or rule.law.count(same[0].words) != 1:
        return None
    whole = len(rule.clauses) == 1
    wording, title = (change.wording, change.given_title or "") if whole else (None, "")
    return amend(rule.number, wording, rule.law.replace(same[0].words, clause.words), title=title)


def _set_the_same(one: Clause, other: SetClause) -> bool:
    """Tell whether two clauses set the same term; of clauses on how pieces move, for the same kind of piece."""
    if not isinstance(one, SetClause) or one.key != other.key:
        return False
    return getattr(one, "kind", "") == getattr(other, "kind", "")


def _law_with_new_number(rule: Rule, wording: str) -> tuple[str, str] | None:
    """Return a rule's clauses with the number that a new wording has, and the changed clause; None if not clear.

    A wording says “lose 10 points” where a clause has -10: the number in the clause keeps its sign.
    """
    new, old = find_unmatched_numbers(wording, rule.clauses)
    if len(new) != 1 or len(old) != 1:
        return None
    clause, number = old[0]
    signed = -new[0] if number < 0 < new[0] else new[0]
    words, count = re.subn(rf"(?<![\w.]){re.escape(str(number))}(?![\w.])", str(signed), clause.words)
    if count != 1 or rule.law.count(clause.words) != 1:
        return None
    return rule.law.replace(clause.words, words), words


def _would_have_effect(state: State, player: str, change: Change) -> bool:
    """Tell whether a player may propose a change, and no warning says that it has no effect."""
    try:
        check_change(state, change)
        with limit_steps(STEPS_AT_ONCE):
            if is_change_permitted(calm_state(state), change, player)[0] is False:
                return False
    except (BudgetExceeded, IllegalAction, LawError, LookupError):
        return False
    return not any(_why_no_effect(change, draft_warnings(state, player, change)[0]))
