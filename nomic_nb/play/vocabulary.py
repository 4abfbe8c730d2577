"""The vocabulary of play, put together, and the law language over it."""

from __future__ import annotations

from functools import cache

from nomic_nb.law.language import Language
from nomic_nb.law.vocabulary import Vocabulary
from nomic_nb.play.facts import FACTS, FUNCTIONS, RECORDS
from nomic_nb.play.happenings import ACTIONS, EVENTS
from nomic_nb.play.keys import KEYS


@cache
def language() -> Language:
    """Return the law language as play speaks it; one for all games, so that clauses are read once."""
    return Language(Vocabulary.of(KEYS, FACTS, FUNCTIONS, RECORDS, EVENTS, ACTIONS))
