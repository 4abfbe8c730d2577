"""The vocabulary of play, put together, and the law language over it."""

from __future__ import annotations

from functools import cache

from nomic_nb.law.language import Language
from nomic_nb.law.vocabulary import Vocabulary
from nomic_nb.play import (  # noqa: F401 - what they declare is gathered here
    by_hand,
    changing,
    duties,
    hosting,
    joining,
    judgment,
    obliging,
    points,
    proposals,
    questions,
    rulings,
    saying,
    sealing,
    throws,
    turns,
    voiding,
    votes,
    winning,
)
from nomic_nb.play.chess import effects as boards_done
from nomic_nb.play.chess import events, moving  # noqa: F401 - here too
from nomic_nb.play.chess import keys as of_boards
from nomic_nb.play.chess import records as about_boards
from nomic_nb.play.declaring import ACTIONS, KINDS
from nomic_nb.play.effects import EFFECTS
from nomic_nb.play.facts import FACTS, FUNCTIONS, RECORDS
from nomic_nb.play.keys import KEYS
from nomic_nb.rulesets.literate import known


@cache
def language() -> Language:
    """Return the law language as play speaks it; one for all games, so that clauses are read once."""
    return Language(
        Vocabulary.of(
            (*KEYS, *of_boards.KEYS),
            (*FACTS, *about_boards.FACTS),
            (*FUNCTIONS, *about_boards.FUNCTIONS),
            (*RECORDS, *about_boards.RECORDS),
            (one for one in KINDS.values() if one.meaning),
            ACTIONS.values(),
            known(),
            (*EFFECTS, *boards_done.EFFECTS),
        )
    )
