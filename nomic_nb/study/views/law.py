"""What players see of the law: the rules by number, the terms by key."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from nomic_nb.engine.arguments import plainly
from nomic_nb.engine.errors import NotThere
from nomic_nb.engine.law.changes import as_number
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.play import state as play
from nomic_nb.engine.play.decision import few
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Note
from nomic_nb.engine.record.seals import seals
from nomic_nb.engine.shown import Shown
from nomic_nb.engine.words import grouped
from nomic_nb.study import frames
from nomic_nb.study.views.in_force import beside_wording
from nomic_nb.study.views.judgments import Judgments
from nomic_nb.study.views.kept import signs

if TYPE_CHECKING:
    import pandas as pd


def in_counting_order(number: RuleNumber) -> tuple[bool, list[tuple[int, str]]]:
    """Return what numbers of rules are sorted by where people read them.

    Examples
    --------
    >>> sorted(["R10", -201, "R2", 301, -216, "P2.1", "P1.12"], key=in_counting_order)
    [-216, -201, 301, 'P1.12', 'P2.1', 'R2', 'R10']
    """
    if not isinstance(number, str):
        return False, [(number, "")]
    return True, [(int(one), "") if one.isdigit() else (-1, one) for one in re.findall(r"[0-9]+|[^0-9]+", number)]


class LawBook(Shown):
    """The rules in force, by number; iterating goes through them in order.

    Parameters
    ----------
    timeline : Timeline
        The game.
    state : State
        The moment at which it is looked at.
    """

    def __init__(self, timeline: Timeline, state: play.State) -> None:
        self.timeline, self.state = timeline, state

    @plainly
    def __getitem__(self, number: RuleNumber) -> Rule:
        """Return the rule that has this number now, with what is to be remarked on it.

        Raises
        ------
        KeyError
            There is none; the message says what became of it.
        """
        rule = self.state.rules.by_number.get(as_number(number))
        if rule is None:
            proposal = self.state.proposals.get(number)
            note = f"; proposal {number}: {proposal.status}" if proposal else ""
            raise NotThere(self.state.rules.whereabouts(number) + note)
        return self.remarked(rule)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int | str) and as_number(number) in self.state.rules.by_number

    def __iter__(self) -> Iterator[Rule]:
        return (rule for rules in self.by_tier().values() for rule in rules)

    def __len__(self) -> int:
        return len(self.state.rules.rules)

    def void(self, rule: Rule) -> str:
        """Return why a rule is void; empty where it is not."""
        why = self.state.rules.void.get(rule.id)
        if why is None:
            return ""
        if why.against is None:
            return "suspended, until a rule revives it"
        other = self.state.rules.rules.get(why.against)
        if other is None:  # in the very moment in which the other rule was repealed
            return "void: what it contradicted is repealed"
        cited = self.state.find("precedence.void").rule
        return f"void: it contradicts rule {other.number}{said_on(why.key)} (rule {cited})"

    def remarked(self, rule: Rule) -> Rule:
        """Return a rule with who keeps it, and remarks: void, in force otherwise than worded, judgments on it."""
        void = self.void(rule)
        otherwise = () if void else beside_wording(rule, self.state)
        found = (*filter(None, [void]), *otherwise, *Judgments(self.state).remarks(rule))
        return replace(rule, remarks=found, kept="" if void else signs(rule))

    def by_tier(self) -> dict[str, list[Rule]]:
        """Return the rules by their standing, the strongest first, each in order of numbers."""
        order = self.state.law.order
        in_order = sorted(self.state.rules, key=lambda one: (order.tier(one), one.tier, in_counting_order(one.number)))
        return grouped((rule.tier, rule) for rule in in_order)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What players wrote down beside the rules: definitions and suggested fixes."""
        return self.state.notes

    @property
    def frame(self) -> pd.DataFrame:
        """The rules in force as a DataFrame; see `record.frames.rules` for its columns."""
        return frames.rules(self.state.rules)

    @property
    def versions(self) -> pd.DataFrame:
        """Every version of every rule as a DataFrame; see `record.frames.versions` for its columns."""
        return frames.versions(self.state.rules, self.state, seals(self.timeline))

    def __str__(self) -> str:
        lines = []
        for tier, rules in self.by_tier().items():
            lines.append(f"{tier} ({len(rules)})")
            for rule in rules:
                void = self.void(rule)
                lines.append(f"  {rule.number}. {rule.title} " + (f"[{void}]" if void else signs(rule)))
                lines += [f"      {one}" for one in self.remarked(rule).remarks if one != void]
        if self.notes:
            lines += ["written down, and no law", *(f"  {one.name}: {one.text} ({one.player})" for one in self.notes)]
        return "\n".join(lines)


def said_on(key: str) -> str:
    """Return on what two rules contradict each other, in words."""
    return f" on {key}" if key else ", as the Judge found"


class LawInForce(Shown):
    """The terms of the law, by key: ``game.law["vote.quota"]``."""

    def __init__(self, state: play.State) -> None:
        self.state = state

    @plainly
    def __getitem__(self, key: str) -> Finding:
        """Return what the law holds of a key.

        Raises
        ------
        KeyError
            There is no such key.
        """
        state = self.state
        try:
            return state.find(key)
        except KeyError:
            known = list(state.law.vocabulary.terms)
            near = difflib.get_close_matches(str(key), known, 3)
            parts = [one for one in known if str(key).lower() in one]
            hint = f"did you mean {' or '.join(near)}?" if near else f"there are {few(parts or known)}"
            raise NotThere(f"there is no key {key!r}; {hint}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.state.law.vocabulary.keys)

    def __len__(self) -> int:
        return len(self.state.law.vocabulary.keys)

    def __str__(self) -> str:
        return "\n".join(str(self[key]).split("\n", 1)[0] for key in self.state.law.vocabulary.terms)
