"""Rules, the parts they are made of, and the book that holds them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cached_property
from types import MappingProxyType

from nomic_nb.engine.display import Displayed
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.clauses import ClaimClause, Clause, SetClause
from nomic_nb.engine.law.language import Line
from nomic_nb.engine.law.nodes import Expression
from nomic_nb.engine.law.values import ThingRef
from nomic_nb.engine.messages import Message, say

#: A rule's number as the system writes it: 203, -110, "R8", "A1".
Number = int | str
#: The scope of a rule that is for no universe in particular.
EVERYWHERE_SCOPE = "everywhere"
#: The name under which a clause finds what its key would be without it.
OTHERWISE = "otherwise"


@frozen
class RulePart:
    """The original text of a rule, or one amendment of it (rule 103 mentions both).

    Parameters
    ----------
    wording : str
        For people.
    law : str
        For the machine; may be empty.
    lines : tuple of Line
        The clauses of `law`.
    number : int or str
        The proposal that made it, or the rule's first number.
    beside : bool
        Whether it adds to the earlier text instead of replacing it.
    repealed : bool
        Whether it was repealed on its own. It keeps its place, so the numbers of other parts do not change.
    """

    wording: str
    law: str
    lines: tuple[Line, ...] = field(repr=False)
    number: Number
    beside: bool = False
    repealed: bool = False


@frozen
class SourceClause:
    """A clause, and the rule that contains it."""

    rule: Rule
    clause: Clause

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions of the law language in the clause."""
        return self.clause.expressions

    @cached_property
    def adds_to_key(self) -> bool:
        """Whether the clause modifies the value that others give its key, as in ``otherwise + 1``.

        Such a clause does not contradict clauses of its tier that set the whole value of the key.
        """
        return isinstance(self.clause, SetClause) and OTHERWISE in self.clause.value.names

    def __str__(self) -> str:
        return f"rule {self.rule.number}: {self.clause.words}"


#: Clauses of rules, in an order that says which of them is first.
Sources = tuple[SourceClause, ...]


class RuleVersionId(int):
    """The id of a rule, for a reader of an earlier version; it identifies the same rule."""

    rule: Rule


@frozen
class Rule(Displayed):
    """One version of a rule. It never changes; a rule change makes another version.

    Parameters
    ----------
    id : int
        Stays the same for as long as the rule exists.
    number : int or str
        Its present number.
    title, tier : str
        A short name, and the tier: ``immutable``, ``mutable``, ``reading``, ``ruling`` …
    parts : tuple of Part
        The original, then its amendments.
    how : str
        Origin of this version: ``initial``, ``enacted``, ``amended``, ``transmuted``, ``settled`` …
    proposal : int or str or None
        The proposal that made this version.
    event : int
        Sequence number of the event that made it; 0 for the initial set.
    turn, circuit : int
        Turn and round in which it was made.
    author : str or None
        Player who proposed it.
    scope : str
        ``everywhere``, or the name of one universe.
    lifted : tuple of str
        The universes for which it was repealed.
    notes : tuple of str
        The kit's notes on the source.
    answers : str
        The key that a ruling settles; empty for every other rule.
    ruleset : str
        The rule set that it was imported with; empty for every other rule.
    guarded : bool
        Whether it is guaranteed at present.
    maker : str or None
        Player who proposed it first; for a rule made by another rule, the maker of that one.
    before : Rule or None
        The version before this one.
    remarks : tuple of str
        Remarks of a law book on the rule, such as that it is void. They are not part of the
        rule, and are ignored in comparisons.
    kept : str
        Note of a law book on who enforces the rule, also ignored; empty without one.
    """

    id: int
    number: Number
    title: str
    tier: str
    parts: tuple[RulePart, ...]
    how: str = "initial"
    proposal: Number | None = None
    event: int = 0
    turn: int = 0
    author: str | None = None
    scope: str = EVERYWHERE_SCOPE
    notes: tuple[str, ...] = ()
    answers: str = ""
    ruleset: str = ""
    lifted: tuple[str, ...] = ()
    circuit: int = 0
    guarded: bool = False
    maker: str | None = None
    before: Rule | None = field(default=None, repr=False)
    remarks: tuple[str, ...] = field(default=(), repr=False, compare=False)
    kept: str = field(default="", repr=False, compare=False)

    @property
    def has_words_only(self) -> bool:
        """Whether people apply the rule, because it has no clauses but ``prevails over`` and ``defers to``."""
        return all(isinstance(clause, ClaimClause) for clause in self.clauses)

    @cached_property
    def is_local(self) -> bool:
        """Whether the rule holds in some universes only."""
        return self.scope != EVERYWHERE_SCOPE or bool(self.lifted)

    def applies_in(self, where: str | None) -> bool:
        """Tell whether the rule holds in the universe `where` or, for None, outside of all universes."""
        return where not in self.lifted if self.scope == EVERYWHERE_SCOPE else where == self.scope

    @property
    def reach_in_words(self) -> str:
        """Where the rule holds, as “for X” or “repealed for X”; empty if it holds in all universes."""
        if self.scope != EVERYWHERE_SCOPE:
            return f"for {self.scope}"
        return f"repealed for {' and '.join(self.lifted)}" if self.lifted else ""

    @cached_property
    def ref(self) -> ThingRef:
        """The reference by which the values of expressions point at this rule, in whatever version."""
        return ThingRef("rule", self.id)

    @property
    def version_ref(self) -> ThingRef:
        """The reference by which the values of expressions point at exactly this version of the rule."""
        id = RuleVersionId(self.id)
        id.rule = self
        return ThingRef("rule", id)

    @cached_property
    def parts_in_force(self) -> tuple[RulePart, ...]:
        """The texts in force: the last one that replaces all before it, and the amendments added beside it."""
        rule_parts = []
        for part in reversed(self.parts):
            if part.repealed:
                continue
            rule_parts.append(part)
            if not part.beside:
                break
        return tuple(reversed(rule_parts))

    @cached_property
    def wording(self) -> str:
        """The text for people that is in force, amendments included."""
        return "\n\n".join(part.wording for part in self.parts_in_force)

    @cached_property
    def law(self) -> str:
        """The text of the machine-readable clauses that are in force, amendments included."""
        return "\n".join(part.law for part in self.parts_in_force if part.law)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The machine-readable clauses that are in force, parsed."""
        return tuple(line.clause for part in self.parts_in_force for line in part.lines)

    @cached_property
    def sources(self) -> Sources:
        """The clauses in force, each paired with this rule."""
        return tuple(SourceClause(self, clause) for clause in self.clauses)

    @cached_property
    def by_subject(self) -> Mapping[object, Sources]:
        """The clauses in force, grouped by the key that they set or, if they set none, by their class."""
        found: dict[object, Sources] = {}
        for source in self.sources:
            subject = source.clause.key if isinstance(source.clause, SetClause) else type(source.clause)
            found[subject] = (*found.get(subject, ()), source)
        return found

    @cached_property
    def constant_texts(self) -> frozenset[str]:
        """All quoted texts in the rule's clauses, with the words of its offers."""
        return frozenset(text for clause in self.clauses for text in clause.texts_shown_or_compared)

    @cached_property
    def looked_up_keys(self) -> frozenset[str]:
        """The names of the law's keys, such as ``vote.quota``, that the rule's clauses read."""
        return frozenset(key for clause in self.clauses for expression in clause.expressions for key in expression.keys)

    @property
    def all_versions(self) -> tuple[Rule, ...]:
        """All versions of the rule up to this one, the first one first."""
        rules = [self]
        while rules[-1].before is not None:
            rules.append(rules[-1].before)
        return tuple(reversed(rules))

    @cached_property
    def all_numbers(self) -> frozenset[Number]:
        """All numbers that the rule has now or had in earlier versions."""
        return frozenset(old.number for old in self.all_versions)

    @cached_property
    def first_version(self) -> Rule:
        """The version in which the rule came into being."""
        return self if self.before is None else self.before.first_version

    def __str__(self) -> str:
        standing = ", ".join(label for label in (self.tier, self.reach_in_words) if label)
        sentences = [f"{self.number}. {self.title} ({standing})" + (f" {self.kept}" if self.kept else ""), self.wording]
        sentences += [f"    {line}" for line in self.law.splitlines()] or ["    (no clauses)"]
        sentences += [f"  {remark}" for remark in self.remarks]
        return "\n".join(sentences)

    @property
    def amendments(self) -> Mapping[int, RulePart]:
        """The amendments of the rule, including repealed ones, by their position, counted from 1."""
        return MappingProxyType(dict(enumerate(self.parts[1:], 1)))


@frozen
class VoidReason:
    """Why a rule is void, or suspended.

    Parameters
    ----------
    against : int or None
        Id of the rule that it contradicts; None if a rule suspends it, until one revives it.
    key : str
        The key on which they conflict; empty if a Judge found the conflict.
    version : int or None
        The event that made the version which a Judge found void; None if the clauses show it.
    """

    against: int | None
    key: str = ""
    version: int | None = None

    @property
    def is_suspended(self) -> bool:
        """Whether the rule is suspended by another rule, rather than void for contradicting one."""
        return self.against is None


@frozen
class RuleBook:
    """All rules in force, and former rules. Immutable; a change makes another book.

    Parameters
    ----------
    rules : mapping of int to Rule
        Rules by id, in the order in which they were made.
    repealed : tuple of Rule
        Their last versions.
    void : mapping of int to Void
        Rules that are listed but have no effect.
    version : int
        Counts the books of one game.
    """

    rules: Mapping[int, Rule] = field(default_factory=dict)
    repealed: tuple[Rule, ...] = ()
    void: Mapping[int, VoidReason] = field(default_factory=dict)
    version: int = 0

    @cached_property
    def by_number(self) -> Mapping[Number, Rule]:
        """The rules of the book by their present numbers."""
        return {rule.number: rule for rule in self.rules.values()}

    def rule_numbered(self, number: Number | None) -> Rule | None:
        """Return the rule with a number now; None if no rule has it, or for None."""
        return None if number is None else self.by_number.get(number)

    @cached_property
    def in_force(self) -> tuple[Rule, ...]:
        """The rules of the book that are neither void nor suspended."""
        return tuple([rule for rule in self.rules.values() if rule.id not in self.void])

    @cached_property
    def next_id(self) -> int:
        """The id for the next new rule: one that no rule of the book has or had."""
        return max([*self.rules, *[rule.id for rule in self.repealed]], default=0) + 1

    @cached_property
    def following(self) -> dict[object, tuple[RuleBook, Rule]]:
        """A cache of one entry: the last change made to this book, mapped to the next book and the rule concerned."""
        return {}

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules.values())

    def with_rule(self, rule: Rule) -> RuleBook:
        """Return a copy of the book with this rule added, or replacing its older version."""
        rules = {**self.rules, rule.id: rule}
        return replace(self, rules=rules, version=self.version + 1)

    def without_rules(self, *ids: int) -> RuleBook:
        """Return a copy of the book in which the rules with these ids are repealed."""
        rules = {rule_id: rule for rule_id, rule in self.rules.items() if rule_id not in ids}
        repealed = (*self.repealed, *(self.rules[id] for id in ids))
        void = {rule_id: why for rule_id, why in self.void.items() if rule_id not in ids}
        return replace(self, rules=rules, repealed=repealed, void=void, version=self.version + 1)

    def with_void_rules(self, void: Mapping[int, VoidReason]) -> RuleBook:
        """Return a copy of the book in which exactly these rules are void, given as a mapping of id to reason."""
        return replace(self, void=dict(void), version=self.version + 1)

    def find_renumbered(self, number: Number | None) -> Rule | None:
        """Return the rule that once had a number but has another now; None if no rule had it."""
        return next((rule for rule in self.rules.values() if number in rule.all_numbers), None)

    def missing_rule_message(self, number: Number) -> Message:
        """Return the message on why no rule has a number now: renumbered, repealed, or never used."""
        now = self.find_renumbered(number)
        if now is not None:
            return say(
                "rule-renumbered", "rule {rule} has a new number: it is now rule {now}", rule=number, now=now.number
            )
        for rule in self.repealed:
            if number in rule.all_numbers:
                if rule.answers:
                    return say("ruling-over", "ruling {rule} no longer holds", rule=number)
                return say("rule-repealed", "rule {rule} was repealed", rule=number)
        sentence = str(number).replace(" ", "").casefold()
        near = [candidate.number for candidate in self if str(candidate.number).casefold() == sentence]
        gone = say("rule-unknown", "there is no rule {rule}", rule=number)
        if near:
            return gone.embed_in("{message}; did you mean {near}?", near=near[0])
        known = list(self.by_number)
        alike = [other for other in known if isinstance(other, str) == isinstance(number, str)] or known
        alike.sort(key=lambda other: (len(other), other) if isinstance(other, str) else (0, other))
        if not alike:
            return gone
        return gone.embed_in("{message}; rules are numbered {first} to {last}", first=alike[0], last=alike[-1])
