"""Suggestions for a wording that can be read in a game."""

from __future__ import annotations

from itertools import islice
from weakref import WeakKeyDictionary

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.index import find_contradicted_rules
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import adopt_without_effects, calm_state
from nomic_nb.study.library.phrase_book import (
    MOST_SUGGESTIONS,
    Suggestions,
    find_suggestions,
    phrase_book,
    phrase_entries,
)
from nomic_nb.study.review.cases import number_of_change


def suggest_in_game(state: State, wording: str, least: float = 0) -> Suggestions:
    """Return the nearest phrases and ready-made rules for a wording, of those that a game can read.

    Rules that would be void at once are left out.

    Parameters
    ----------
    state : State
        The state of the game.
    wording : str
        A sentence, as players say it.
    least : float
        How much the words that they share with it must count, as in `WordSearch.rank`.
    """
    boards, base = state.position is not None, calm_state(state)
    found = (
        one
        for one in find_suggestions(wording, state.person_names, boards=boards, least=least)
        if _can_be_read(state, change := one.change()) and not _is_void_at_once(base, change)
    )
    return Suggestions(list(islice(found, MOST_SUGGESTIONS)))


#: Which phrases can be read, by body of law, and whether there are boards.
_KNOWN: WeakKeyDictionary[Law, dict[bool, tuple[str, ...]]] = WeakKeyDictionary()


def fitting_phrases(state: State) -> tuple[str, ...]:
    """Return the names of the phrases that can be read in a game; found once while the law is the same."""
    known, boards, base = _KNOWN.setdefault(state.law, {}), state.position is not None, calm_state(state)
    if boards not in known:
        known[boards] = tuple(
            phrase.name
            for phrase in phrase_book()
            if (boards or not phrase.system) and _can_be_read(base, phrase_entries()[phrase.name].rule.change())
        )
    return known[boards]


def _can_be_read(state: State, change: Change) -> bool:
    """Tell whether a change can be read in a game: it may mention what nobody counts there."""
    try:
        check_change(state, change)
    except (IllegalAction, LawError, LookupError):
        return False
    return True


def _is_void_at_once(state: State, change: Change) -> bool:
    """Tell whether the rule that a change makes would be void, because it contradicts a stronger one."""
    player = state.names_of_players[0]
    after = adopt_without_effects(state, change, player, number_of_change(state, change, player)).after
    tiers = after.find("precedence.void").value or ()
    return len(find_contradicted_rules(after.law, tiers)) > len(find_contradicted_rules(state.law, tiers))
