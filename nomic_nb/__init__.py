"""Play, teach and study Nomic in a notebook: the rules are data that run, and changing them is a move."""

from nomic_nb.errors import IllegalAction, LawError, RecordError
from nomic_nb.game import Game, load, new_game, rulesets
from nomic_nb.law.changes import amend, enact, repeal, transmute
from nomic_nb.rulesets import library

__version__ = "0.1.0"

__all__ = [
    "Game",
    "IllegalAction",
    "LawError",
    "RecordError",
    "amend",
    "enact",
    "library",
    "load",
    "new_game",
    "repeal",
    "rulesets",
    "transmute",
]
