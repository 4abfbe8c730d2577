"""What players see of a game: the law book, the law, proposals and tallies, the ledger, what is pending.

Views hold no state of their own; each looks at the game it belongs to.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from nomic_nb.errors import NotThere
from nomic_nb.law.changes import Change, as_number
from nomic_nb.law.resolver import Finding
from nomic_nb.law.rules import Number as RuleNumber
from nomic_nb.law.rules import Rule
from nomic_nb.law.values import Number
from nomic_nb.play import state as play
from nomic_nb.play.decisions import Decision, few
from nomic_nb.play.events import number_from_json
from nomic_nb.play.table import Table
from nomic_nb.record import frames
from nomic_nb.record.sentences import SEALED
from nomic_nb.shown import Shown

if TYPE_CHECKING:
    import pandas as pd


class LawBook(Shown):
    """The rules in force, by number; iterating goes through them in order.

    Parameters
    ----------
    table : Table
        The game.
    state : State
        The moment at which it is looked at.
    """

    def __init__(self, table: Table, state: play.State) -> None:
        self.table, self.state = table, state

    def __getitem__(self, number: RuleNumber) -> Rule:
        """Return the rule that has this number now.

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
        return rule

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int | str) and as_number(number) in self.state.rules.by_number

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.state.rules)

    def __len__(self) -> int:
        return len(self.state.rules.rules)

    def void(self, rule: Rule) -> str:
        """Return why a rule is void; empty where it is not."""
        why = self.state.rules.void.get(rule.id)
        if why is None:
            return ""
        other = self.state.rules.rules.get(why.against)
        if other is None:  # in the very moment in which the other rule was repealed
            return "void: what it contradicted is repealed"
        cited = self.state.law.find("precedence.void", self.state, {}).rule
        return f"void: it contradicts rule {other.number}{_on(why.key)} (rule {cited})"

    def by_tier(self) -> dict[str, list[Rule]]:
        """Return the rules by their standing, the strongest first, each in order of numbers."""
        order = self.state.law.order
        found: dict[str, list[Rule]] = {}
        for rule in sorted(self.state.rules, key=lambda one: (order.tier(one), one.tier)):
            found.setdefault(rule.tier, []).append(rule)
        for rules in found.values():
            rules.sort(key=lambda one: (isinstance(one.number, str), one.number))
        return found

    @property
    def frame(self) -> pd.DataFrame:
        """The rules in force as a DataFrame; see `record.frames.rules` for its columns."""
        return frames.rules(self.state.rules)

    @property
    def versions(self) -> pd.DataFrame:
        """Every version of every rule as a DataFrame; see `record.frames.versions` for its columns."""
        return frames.versions(self.state.rules, self.state)

    def __str__(self) -> str:
        lines = []
        for tier, rules in self.by_tier().items():
            lines.append(f"{tier} ({len(rules)})")
            for rule in rules:
                void = self.void(rule)
                lines.append(f"  {rule.number}. {rule.title}" + (f" [{void}]" if void else ""))
        return "\n".join(lines)

    __repr__ = __str__


class LawInForce(Shown):
    """The terms of the law, by key: ``game.law["vote.quota"]``."""

    def __init__(self, state: play.State) -> None:
        self.state = state

    def __getitem__(self, key: str) -> Finding:
        """Return what the law holds of a key.

        Raises
        ------
        KeyError
            There is no such key.
        """
        state = self.state
        try:
            return state.law.find(key, state, {})
        except KeyError:
            known = [one for one in state.law.vocabulary.keys if not one.startswith("may.")]
            near = difflib.get_close_matches(str(key), known, 3)
            hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
            raise NotThere(f"there is no key {key!r}; {hint}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.state.law.vocabulary.keys)

    def __len__(self) -> int:
        return len(self.state.law.vocabulary.keys)

    def __str__(self) -> str:
        return "\n".join(str(self[key]).split("\n", 1)[0] for key in self if not key.startswith("may."))

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class Tally(Shown):
    """A vote, as it stands or as it ended.

    Parameters
    ----------
    number : int or str
        The proposal.
    votes_for, votes_against : int or Fraction or None
        Weight of the ballots; None while they are sealed.
    ballots : mapping of str to str
        By voter, in the order in which they were cast.
    not_voted : tuple of str
        Voters without a ballot.
    eligible : int or Fraction
        Weight of all who may vote: the base of every share.
    quota : int or Fraction
        Weight in favour that adopts.
    quota_rule : int or str or None
        The rule that says so.
    status : str
        Of the proposal.
    """

    number: RuleNumber
    votes_for: Number | None
    votes_against: Number | None
    ballots: Mapping[str, str]
    not_voted: tuple[str, ...]
    eligible: Number
    quota: Number
    quota_rule: RuleNumber | None
    status: str
    note: str = ""

    @property
    def verdict(self) -> str:
        """The outcome, or what is still needed, in a sentence made from what decides."""
        rule = "" if self.quota_rule is None else f" (rule {self.quota_rule})"
        need = f"{self.quota} of {self.eligible} in favour {'is' if self.quota == 1 else 'are'} needed{rule}"
        if self.status == "open":
            missing = f"{_list(self.not_voted)} {'has' if len(self.not_voted) == 1 else 'have'} not voted"
            if self.votes_for is None:
                return f"Open, ballots sealed: {missing}; {need}."
            return f"Open: {self.votes_for} for, {self.votes_against} against; {missing}; {need}."
        head = {
            "adopted": "Adopted", "waiting": "Adopted, not yet in force", "without effect": "Adopted without effect",
            "defeated": "Defeated", "lapsed": "Lapsed",
        }[self.status]  # fmt: skip
        note = f" {self.note[0].upper()}{self.note[1:]}." if self.note else ""
        return f"{head}: {self.votes_for} for, {self.votes_against} against; {need}.{note}"

    def __str__(self) -> str:
        lines = [f"Vote on {self.number}. {self.verdict}"]
        lines += [f"  {name}: {ballot}" for name, ballot in self.ballots.items()]
        lines += [f"  {name}: –" for name in self.not_voted]
        return "\n".join(lines)

    __repr__ = __str__


def _list(names: Sequence[str]) -> str:
    if not names:
        return "nobody"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _on(key: str) -> str:
    return f" on {key}" if key else ", as the Judge found"


def _void_note(proposal: play.Proposal, state: play.State) -> str:
    """Say that the rule which a proposal made is void, where it is."""
    for id, why in state.rules.void.items():
        rule, other = state.rules.rules.get(id), state.rules.rules.get(why.against)
        if rule is not None and other is not None and rule.proposal == proposal.number:
            return f"rule {rule.number} is void: it contradicts rule {other.number}{_on(why.key)}"
    return ""


def tally_of(proposal: play.Proposal, state: play.State | None = None) -> Tally | None:
    """Return the tally of a proposal, or None where no vote has opened."""
    vote = proposal.vote
    if vote is None:
        return None
    hidden = vote.sealed and proposal.status == "open"
    return Tally(
        proposal.number,
        None if hidden else vote.weight("for"),
        None if hidden else vote.weight("against"),
        dict.fromkeys(vote.ballots, SEALED) if hidden else dict(vote.ballots),
        vote.waiting,
        sum(vote.weights.values(), start=0),
        vote.quota,
        vote.quota_rule,
        proposal.status,
        proposal.note or (_void_note(proposal, state) if state is not None else ""),
    )


class Proposal(Shown):
    """A proposal, as it stands whenever it is looked at.

    Parameters
    ----------
    table : Table
        The game.
    number : int or str
        Its number.
    """

    def __init__(self, table: Table, number: RuleNumber) -> None:
        self.table, self.number = table, number

    @property
    def now(self) -> play.Proposal:
        """How it stands."""
        return self.table.state.proposals[self.number]

    @property
    def change(self) -> Change:
        """What is proposed."""
        return self.now.change

    @property
    def proponent(self) -> str:
        """Who made it."""
        return self.now.proponent

    @property
    def wording(self) -> str:
        """The proposed wording; empty where none is."""
        return self.change.wording or ""

    @property
    def law(self) -> str:
        """The proposed clauses; empty where there are none."""
        return self.change.law or ""

    @property
    def outcome(self) -> str:
        """``debate``, ``open``, ``adopted``, ``waiting``, ``without effect``, ``defeated`` or ``lapsed``."""
        return self.now.status

    @property
    def tally(self) -> Tally | None:
        """The vote; None where it has not opened."""
        return tally_of(self.now, self.table.state)

    @property
    def ballots(self) -> dict[str, str]:
        """The ballots by voter, in the order in which they were cast."""
        tally = self.tally
        return dict(tally.ballots) if tally else {}

    @property
    def rule(self) -> Rule | None:
        """The rule to be changed, as it stood before the change; None for a new rule."""
        target = self.change.target
        if target is None:
            return None
        for event, state in reversed(self.table.moments):  # one that was undone may have had this number
            if event.kind == "proposed" and event.data["number"] == self.number:
                return state.rules.by_number.get(target)
        return None

    def __str__(self) -> str:
        tally = self.tally
        head = f"Proposal {self.number} by {self.proponent}: {self.change}"
        return f"{head}\n{tally.verdict if tally else 'In debate.'}"

    __repr__ = __str__


class Proposals(Shown):
    """All proposals of a game, by number; iterating goes through them in order."""

    def __init__(self, table: Table, state: play.State) -> None:
        self.table, self.state = table, state

    def __getitem__(self, number: RuleNumber) -> Proposal:
        """Return a proposal.

        Raises
        ------
        KeyError
            There is none of this number.
        """
        if number not in self.state.proposals:
            known = ", ".join(str(one) for one in self.state.proposals) or "none yet"
            raise NotThere(f"there is no proposal {number}; there are {known}")
        return Proposal(self.table, number)

    def __iter__(self) -> Iterator[Proposal]:
        return (Proposal(self.table, number) for number in self.state.proposals)

    def __len__(self) -> int:
        return len(self.state.proposals)

    @property
    def frame(self) -> pd.DataFrame:
        """The proposals as a DataFrame; see `record.frames.proposals` for its columns."""
        return frames.proposals(self.state)

    def __str__(self) -> str:
        lines = [
            f"{one.number}: {one.change.headline} ({one.proponent}) – {one.status}"
            for one in self.state.proposals.values()
        ]
        return "\n".join(lines) or "no proposals yet"

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class Entry:
    """One change of a counter.

    Parameters
    ----------
    seq, turn : int
        When.
    player : str or None
        Whose; None for a counter of the game.
    counter : str
        What is counted.
    amount, now : int or Fraction
        By how much it changed, and what it is now; exact.
    rule : int or str or None
        The rule that says so.
    why : str
        Its clause.
    """

    seq: int
    turn: int
    player: str | None
    counter: str
    amount: Number
    now: Number
    rule: RuleNumber | None
    why: str

    def __str__(self) -> str:
        rule = self.why if self.rule is None else f"rule {self.rule}"
        return (
            f"turn {self.turn}  {self.player or 'game'}  {_signed(self.amount)} {self.counter} = {self.now}  ({rule})"
        )

    __repr__ = __str__


class Ledger(Shown):
    """Every change of a counter that stands, with the rule behind it."""

    def __init__(self, table: Table) -> None:
        self.entries = tuple(
            Entry(
                event.seq,
                event.turn,
                event.actor,
                event.data["counter"],
                number_from_json(event.data["amount"]),
                number_from_json(event.data["now"]),
                event.cause.rule if event.cause else None,
                event.cause.words if event.cause else "agreed by the table",
            )
            for event in table.standing
            if event.kind == "counted"
        )
        self.table = table

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, at: int | slice) -> Entry | tuple[Entry, ...]:
        return self.entries[at]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def frame(self) -> pd.DataFrame:
        """The ledger as a DataFrame; see `record.frames.ledger` for its columns."""
        return frames.ledger(self.table.standing)

    def __str__(self) -> str:
        lines = [str(one) for one in self.entries]
        return "\n".join(lines) or "nothing has been counted yet"

    __repr__ = __str__


def _signed(number: Number) -> str:
    return f"+{number}" if number >= 0 else f"−{-number}"


class Pending(Shown, Sequence[Decision]):
    """The open decisions: who must or may decide what, by which rule."""

    def __init__(self, decisions: tuple[Decision, ...], ended: str = "") -> None:
        self.decisions, self.ended = decisions, ended

    @overload
    def __getitem__(self, at: int) -> Decision: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Decision, ...]: ...
    def __getitem__(self, at: int | slice) -> Decision | tuple[Decision, ...]:
        return self.decisions[at]

    def __len__(self) -> int:
        return len(self.decisions)

    def of(self, player: str) -> tuple[Decision, ...]:
        """Return what one player must or may decide."""
        return tuple(one for one in self.decisions if one.player in (player, None))

    def __str__(self) -> str:
        lines = []
        for one in self.decisions:
            rule = "" if one.rule is None else f" (rule {one.rule})"
            options = f": {few(one.options)}" if one.options else ""
            may = "" if one.must else ", if they like"
            lines.append(f"{one.player or 'anyone'} – {one.prompt}{options}{may}{rule}  → {one.action}")
        return "\n".join(lines) or self.ended or "nothing is pending"

    __repr__ = __str__
