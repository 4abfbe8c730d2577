"""Who keeps a rule: the game by itself, the game by what people tell it, or people alone; a mark for each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from nomic_nb.chess.fairplay.supposing import FOR_PEOPLE
from nomic_nb.engine.law.choosing import MINUTES
from nomic_nb.engine.law.clauses import Claim, Clause, Draft, On, Set
from nomic_nb.engine.law.nodes import Node
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.play import judgment
from nomic_nb.engine.play.clock import MIDNIGHT
from nomic_nb.engine.play.declaring import ACTIONS
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.words import listed

#: Notes of a rule set begin so where the game keeps to a rule that has no clauses: the program, or what others say.
KEPT = ("Kept by the kit itself", "Kept by the clauses of other rules")
#: Notes of a rule set have these words where something in the wording is left to people beside the clauses.
LEFT_TO_PEOPLE = "for the players"
#: What people are asked for, in the order in which it is said.
ANSWER, SAY, JUDGE, TIME = "to answer", "what is so", "to judge", "for the time"
#: The same, by the kind of event that somebody brings about by telling the game.
TOLD = {one.makes: f"to {one.name}" for one in ACTIONS.values() if one.heard}
_OF_JUDGES = frozenset(one.name for one in judgment.KEYS)


#: Marks beside a rule: a letter that is full, half or empty, so that no colour is needed, and words.
GAME, ASKS, PEOPLE = "● game", "◐ asks people", "○ people"


def kept_by(rule: Rule) -> tuple[str, ...]:
    """Return who keeps a rule, as its clauses have it: the game, people whom it asks, people alone, or several of them.

    Parameters
    ----------
    rule : Rule
        As it is in force.

    Returns
    -------
    tuple of str
        At least one mark.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> rules = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).rules
    >>> kept_by(rules[203]), kept_by(rules[210])
    (('● game',), ('○ people',))
    """
    known = language().vocabulary
    asked = [tuple(_asked(one, known)) for one in rule.clauses if not isinstance(one, Claim | Draft)]
    how = list(dict.fromkeys(way for ways in asked for way in ways))
    marks = [GAME] if () in asked or kept_without_clauses(rule) else []
    marks += [f"{ASKS} {listed(how)}"] if how else []
    return (*marks, PEOPLE) if not marks or _left(rule) else tuple(marks)


def signs(rule: Rule) -> str:
    """Return the marks beside a rule as a text.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> signs(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).rules[101])
    '● game ○ people'
    """
    return " ".join(kept_by(rule))


def kept_without_clauses(rule: Rule) -> bool:
    """Tell whether the game keeps to a rule that has no clauses."""
    return not rule.clauses and len(rule.parts) == 1 and any(one.startswith(KEPT) for one in rule.notes)


def _left(rule: Rule) -> bool:
    """Tell whether people keep a part of a rule: one in words alone, or what its rule set leaves to them."""
    noted = len(rule.parts) == 1 and any(LEFT_TO_PEOPLE in one for one in rule.notes)
    return noted or any(not one.law.strip() for one in rule.standing if rule.clauses)


def _asked(clause: Clause, known: Vocabulary) -> Iterator[str]:
    """Yield what people are asked for so that a clause can be kept."""
    if isinstance(clause, Set) and clause.key in _OF_JUDGES:
        yield JUDGE
    if isinstance(clause, On):
        if clause.event in TOLD:
            yield TOLD[clause.event]
        effects = list(clause.every_effect())
        if any(one.form.begins == ("let",) for one in effects):  # and not chance
            yield ANSWER
        if clause.event == MIDNIGHT or any(getattr(one, "unit", None) in MINUTES for one in effects):
            yield TIME
    nodes = [node for one in clause.expressions for node in one.walk()]
    if any(node.kind == "call" and node.text == FOR_PEOPLE for node in nodes):
        yield SAY
    if any(_by_the_clock(node, known) for node in nodes):
        yield TIME


def _by_the_clock(node: Node, known: Vocabulary) -> bool:
    """Tell whether what a part of an expression speaks of is known only where somebody has recorded the time."""
    if node.kind == "name" and (fact := known.facts.get(node.text)) is not None:
        return "clock" in fact.reads
    return node.kind == "field" and node.text in _timed_fields(known)


@cache
def _timed_fields(known: Vocabulary) -> frozenset[str]:
    return frozenset(name for (_, name), one in known.fields.items() if "clock" in one.reads)
