"""The vocabulary of play, put together, and the law language over it."""

from __future__ import annotations

from functools import cache

from nomic_nb.law.language import Language
from nomic_nb.law.rules import Rule, RuleBook
from nomic_nb.law.vocabulary import Vocabulary
from nomic_nb.play.boards import effects as boards_done
from nomic_nb.play.boards import happenings as on_boards
from nomic_nb.play.boards import keys as of_boards
from nomic_nb.play.boards import records as about_boards
from nomic_nb.play.effects import EFFECTS
from nomic_nb.play.facts import FACTS, FUNCTIONS, RECORDS
from nomic_nb.play.happenings import ACTIONS, EVENTS
from nomic_nb.play.keys import KEYS
from nomic_nb.rulesets.literate import find_ruleset, known


@cache
def language() -> Language:
    """Return the law language as play speaks it; one for all games, so that clauses are read once."""
    return Language(
        Vocabulary.of(
            (*KEYS, *of_boards.KEYS),
            (*FACTS, *about_boards.FACTS),
            (*FUNCTIONS, *about_boards.FUNCTIONS),
            (*RECORDS, *about_boards.RECORDS),
            (*EVENTS, *on_boards.EVENTS),
            (*ACTIONS, *on_boards.ACTIONS),
            known(),
            (*EFFECTS, *boards_done.EFFECTS),
        )
    )


def library(name: str) -> tuple[Rule, ...]:
    """Return the rules of a rule set that comes with the kit."""
    return find_ruleset(name, language()).rules


def digests(book: RuleBook) -> dict[str, str]:
    """Return the rule sets that rules of a book bring in, by name, with the digests of their texts."""
    names = sorted({rule.ruleset for rule in book if rule.ruleset})
    return {name: find_ruleset(name, language()).digest for name in names}
