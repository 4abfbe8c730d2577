"""Whether rule-changes could still be adopted, and why not where they could not (114)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nomic_nb.explore.cases import Label, examples, together
from nomic_nb.explore.votes import needed_for
from nomic_nb.explore.words import answer_and_rule
from nomic_nb.law.changes import Change
from nomic_nb.law.values import Ref, Value
from nomic_nb.law.view import Undecided, View
from nomic_nb.markup.words import cited
from nomic_nb.play.asking import ask, forbidden, may
from nomic_nb.play.possible import (
    SUPPOSED,
    adoption_possible,
    could_pass,
    is_owed,
    may_ever_propose,
    supposed,
    supposed_case,
)
from nomic_nb.play.state import State

#: Reasons that are told.
MOST_REASONS = 4


@dataclass(frozen=True)
class Future:
    """Whether some rule-change could be adopted after this one.

    Parameters
    ----------
    possible : bool or None
        None where the law does not say.
    reason : str
        An example where one could; why not, or what is open, where none could.
    """

    possible: bool | None
    reason: str

    @property
    def in_short(self) -> str:
        """``yes``, ``no`` or ``undecided``."""
        return "undecided" if self.possible is None else "yes" if self.possible else "no"

    def __str__(self) -> str:
        return f"{self.in_short}: {self.reason}" if self.reason else self.in_short


def future_of(state: State) -> Future:
    """Say whether a rule-change could still be adopted.

    Parameters
    ----------
    state : State
        A calm one, after the change.
    """
    law = state.law
    try:
        possible = adoption_possible(View(state, {}, law)) is True
    except Undecided as doubt:
        return Future(None, doubt.reason)
    if not state.persons:
        return Future(possible, "nobody is left who could propose")
    if not possible and not is_owed(law, state, "propose"):
        parts = ask(state, "turn.parts")
        return Future(False, f"no rule brings a player to propose; the parts of a turn are {answer_and_rule(parts)}")
    reasons: dict[str, list[Label]] = {}
    for label, change, _ in examples(state, state, None):
        for name in state.persons:
            passes, why = _could_pass(state, change, name)
            if passes and possible:
                return Future(True, f"for example {together([label])}: {why}")
            if not passes:
                labels = reasons.setdefault(why, [])
                if label not in labels:
                    labels.append(label)
    if possible:
        return Future(True, "as play goes on, but not as things stand now")
    told = [f"{together(labels)}: {why}" for why, labels in list(reasons.items())[:MOST_REASONS]]
    return Future(possible, "; ".join(told))


def closed(before: State, after: State, player: str) -> Iterator[str]:
    """Yield the kinds of change that could pass before, and cannot afterwards, by the reason."""
    found: dict[str, list[Label]] = {}
    for label, then, now in examples(before, after, None):
        passes, why = _could_pass(after, now, player)
        if passes or not _could_pass(before, then, player)[0] or _only_now(after, now, player):
            continue
        others = (one for one in after.persons if one != player)
        if not _turned_round(after, now, player) and not any(_could_pass(after, now, one)[0] for one in others):
            found.setdefault(why, []).append(label)
    for why, labels in found.items():
        yield f"{together(labels)} is no longer possible: {why}"


def _turned_round(state: State, change: Change, name: str) -> bool:
    """Tell whether a change passes by other ballots than those in favour: the quota is found when they are known."""
    asked = supposed(state, change, name)
    if ask(asked, "vote.quota_when", supposed_case()).value != "closing":
        return False
    try:
        return could_pass(state.law, state, change, name)
    except Undecided:
        return False


def _only_now(state: State, change: Change, name: str) -> bool:
    """Tell whether a change is barred as things stand, and not for good."""
    asked = supposed(state, change, name)
    case: dict[str, Value] = {**supposed_case(), "player": Ref("player", name)}
    return forbidden(may(asked, "propose", name, **supposed_case())) and may_ever_propose(state.law, asked, case)


def _could_pass(state: State, change: Change, name: str) -> tuple[bool, str]:
    """Tell whether a change could be adopted if this player proposed it, and what it needs or lacks."""
    asked = supposed(state, change, name)
    found = may(asked, "propose", name, **supposed_case())
    if not found.answered:
        return False, f"whether it can be proposed is open: {found.reason or found.outcome}"
    if forbidden(found):
        return False, f"it cannot be proposed{cited(found.rule)}"
    needed, _ = needed_for(asked, asked.proposals[SUPPOSED], power=False)
    return needed.passes is True, needed.in_short if needed.passes else needed.why
