"""Suggestions for a wording that can be read in a game."""

from __future__ import annotations

from itertools import islice

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.state import State
from nomic_nb.study.library.phrase_book import MOST_SUGGESTIONS, Phrase, Suggestions, find_suggestions
from nomic_nb.study.library.ready_made import CatalogueEntry


def suggest_in_game(state: State, wording: str) -> Suggestions:
    """Return the nearest phrases and ready-made rules for a wording, of those that can be read in a game.

    Parameters
    ----------
    state : State
        The state of the game.
    wording : str
        A sentence, as players say it.
    """
    boards = state.position is not None

    def fits(found: Phrase | CatalogueEntry) -> bool:
        return boards or not (found.on_boards if isinstance(found, CatalogueEntry) else found.system)

    found = (one for one in find_suggestions(wording, state.person_names, fits) if _can_be_read(state, one.change()))
    return Suggestions(list(islice(found, MOST_SUGGESTIONS)))


def _can_be_read(state: State, change: Change) -> bool:
    """Tell whether a change can be read in a game: it may speak of what nobody counts there."""
    try:
        check_change(state, change)
    except (IllegalAction, LawError, LookupError):
        return False
    return True
