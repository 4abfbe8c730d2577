"""The book after a rule change, and rule sets that a rule imports: in force while that rule is."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import cast

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import IncorporateClause
from nomic_nb.engine.law.language import Line
from nomic_nb.engine.law.rules import EVERYWHERE_SCOPE, Number, Rule, RuleBook, RulePart
from nomic_nb.engine.messages import say


@frozen
class ChangeContext:
    """The circumstances in which a change takes effect.

    Parameters
    ----------
    number : int or str or None
        The proposal; None for an automatic change.
    event, turn : int
        When.
    author : str or None
        Who proposed it.
    tier : str
        Tier of an enacted or transmuted rule.
    takes_number : bool
        Whether an amended or transmuted rule takes the proposal's number (108).
    circuit : int
        The current round.
    label : int or str
        Label of the rule instead of the proposal's number; empty if it takes that number.
    maker : str or None
        Maker of the rule that enacts a new one automatically.
    """

    number: Number | None
    event: int
    turn: int
    author: str | None
    tier: str = ""
    takes_number: bool = True
    circuit: int = 0
    label: Number = ""
    maker: str | None = None


def find_target(book: RuleBook, change: Change) -> Rule:
    """Return the rule that a change of a single rule targets; raise `LookupError` if it is missing.

    Raises
    ------
    LookupError
        There is no such rule or amendment; the message says what happened to it.
    """
    rule, part = book.rule_numbered(change.target), change.part
    if rule is None:
        raise LookupError(book.missing_rule_message(change.target if change.target is not None else "none"))
    if part is not None:
        known = [one for one, rule_part in rule.amendments.items() if not rule_part.repealed]
        if part not in known:
            there = "all its amendments have been repealed" if rule.amendments else "it has never been amended"
            there = f"it has {', '.join(map(str, known))}" if known else there
            raise LookupError(
                say(
                    "amendment-unknown",
                    "rule {rule} has no amendment {amendment}; {there}",
                    rule=rule.number,
                    amendment=part,
                    there=there,
                    known=known,
                )
            )
    return rule


def find_targets(book: RuleBook, change: Change) -> tuple[Rule, ...]:
    """Return all rules that a change amends, repeals or transmutes; empty if it only enacts rules.

    Raises
    ------
    LookupError
        There is no such rule or amendment.
    """
    every = [one for part in change.numbered_changes for one in part.single_rule_changes]
    return tuple([find_target(book, one) for one in every if one.target is not None])


def book_after_change(
    book: RuleBook, change: Change, lines: tuple[Line, ...], making: ChangeContext
) -> tuple[RuleBook, Rule]:
    """Return the rule book after a change with parsed clauses (`lines`), and the rule enacted, changed or repealed.

    Parameters
    ----------
    book : RuleBook
        The current book, which stays unchanged.
    change : Change
        The change to make.
    lines : tuple of Line
        The clauses of the change's law, already read.
    making : Making
        Number, time and author of the change.

    Raises
    ------
    LookupError
        There is no such rule or amendment.
    """
    made_by = change, lines, making
    made = book.following.get(made_by)
    if made is None:
        made = _make_book(book, change, lines, making)
        book.following.clear()
        book.following[made_by] = made
    return made


def _make_book(book: RuleBook, change: Change, lines: tuple[Line, ...], making: ChangeContext) -> tuple[RuleBook, Rule]:
    """Build, without the cache, what `book_after_change` returns: the new rule book and the rule concerned."""
    number = making.number
    if change.kind == "enact":
        called = making.label or (number if number is not None else _next_free_label(book))
        part = RulePart(change.wording or "", change.law or "", lines, called)
        rule = Rule(
            book.next_id, part.number, change.title, making.tier, (part,), "enacted", number, making.event,
            making.turn, making.author, change.universe or EVERYWHERE_SCOPE, circuit=making.circuit,
            maker=making.author or making.maker,
        )  # fmt: skip
        return book.with_rule(rule), rule
    for further in change.single_rule_changes[1:]:
        book, _ = book_after_change(book, further, (), making)
    old = find_target(book, change)
    rule = replace(
        old, number=number if making.takes_number and number is not None else old.number,
        title=change.title or old.title, proposal=number, event=making.event, turn=making.turn, author=making.author,
        circuit=making.circuit, before=old, answers="",  # a ruling that is changed settles a question no more
    )  # fmt: skip
    if change.kind == "repeal" and change.universe and old.scope == EVERYWHERE_SCOPE:
        lifted = tuple(dict.fromkeys((*old.lifted, change.universe)))
        rule = replace(rule, how="repealed there", number=old.number, lifted=lifted)
        return book.with_rule(rule), rule
    if change.kind == "repeal" and change.part is None:
        return book.without_rules(old.id), replace(rule, how="repealed", number=old.number)
    if change.kind == "transmute":
        rule = replace(rule, how="transmuted", tier=making.tier)
    elif change.kind == "repeal":
        at = change.part or 0
        parts = (*old.parts[:at], replace(old.parts[at], repealed=True), *old.parts[at + 1 :])
        rule = replace(rule, how="amendment repealed", parts=parts)
    else:
        how = "amended" if number is not None else "automatic"
        # With other clauses it is no longer the answer that those asked gave, but a rule like others.
        answers = old.answers if change.law is None else ""
        rule = replace(rule, how=how, answers=answers, parts=_parts_after_amendment(old, change, lines, rule.number))
    return book.with_rule(rule), rule


def _next_free_label(book: RuleBook) -> str:
    """Return the first unused label of E1, E2, …, which serve as numbers of rules that rules enact."""
    taken = frozenset[Number]().union(*(rule.all_numbers for rule in (*book, *book.repealed)))
    return next(label for label in map("E{}".format, itertools.count(1)) if label not in taken)


def _parts_after_amendment(old: Rule, change: Change, lines: tuple[Line, ...], number: Number) -> tuple[RulePart, ...]:
    """Return a rule's texts after an amendment with the clauses `lines`; `number` is the rule's new number."""
    at, (wording, law) = change.part, (change.wording, change.law)
    if change.add and at is None:
        return (*old.parts, RulePart(wording or "", law or "", lines, number, beside=True))
    standing = tuple(line for part in old.parts_in_force for line in part.lines)
    kept = RulePart(old.wording, old.law, standing, number) if at is None else replace(old.parts[at], number=number)
    new = replace(
        kept, wording=kept.wording if wording is None else wording, law=kept.law if law is None else law,
        lines=kept.lines if law is None else lines, repealed=False,
    )  # fmt: skip
    return (*old.parts, new) if at is None else (*old.parts[:at], new, *old.parts[at + 1 :])


#: Finds the rules of a rule set by its name.
Library = Callable[[str], tuple[Rule, ...]]


def incorporated_rulesets(book: RuleBook) -> tuple[str, ...]:
    """Return the names of the rule sets, such as ``fide-chess``, that ``incorporate`` clauses import."""
    some = [source.clause for rule in book.in_force for source in rule.by_subject.get(IncorporateClause, ())]
    return tuple(dict.fromkeys([cast(IncorporateClause, clause).name for clause in some]))


def with_incorporated_rulesets(book: RuleBook, library: Library) -> RuleBook:
    """Return a book with exactly the rule sets its clauses incorporate; `library` finds a set's rules by name.

    Imported rules keep their numbers, their tier and, while they stay, their ids; rules changed since
    stay changed. A rule whose number is already taken is left out, so every number names one rule.
    """
    tried = set()
    while True:
        names = incorporated_rulesets(book)
        here = {rule.ruleset for rule in book if rule.ruleset}
        gone = [rule.id for rule in book if rule.ruleset and rule.ruleset not in names]
        new = [name for name in names if name not in here and name not in tried]
        if not gone and not new:
            return book
        for id in gone:
            book = book.without_rules(id)
        for name in new:
            tried.add(name)
            brought = (rule for rule in library(name) if rule.number not in book.by_number)
            rules = {id: replace(rule, id=id, ruleset=name) for id, rule in enumerate(brought, book.next_id)}
            book = replace(book, rules={**book.rules, **rules}, version=book.version + 1)
