"""How a game begins on the engine alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from nomic_nb.engine.play.game_setup import GameSetup
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import find_ruleset, term_as_expression


def begin(
    ruleset: str | Path, players: Sequence[str], *, seed: int = 0, terms: Mapping[str, object] | None = None
) -> Timeline:
    """Begin a game with a rule set, players and the settings (`terms`) agreed before play; return its timeline.

    Parameters
    ----------
    ruleset : str or Path
        The name of a rule set, or the path of a rule file.
    players : sequence of str
        Names of the players, in seating order.
    seed : int
        Seed of the game's dice.
    terms : mapping of str to object, optional
        Settings agreed before play, by key.

    Returns
    -------
    Timeline
        The game: ``do`` performs an action, ``state`` is the current state, and ``events`` has everything that
        happened.

    Raises
    ------
    LawError
        There is no such rule set, or no such setting.
    ValueError
        The rule set needs fewer or more players, or a name or the seed cannot be used.

    Examples
    --------
    >>> game = begin("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> game.state.turn
    1
    """
    plain = {key: term_as_expression(language(), key, value) for key, value in (terms or {}).items()}
    return Timeline(GameSetup(find_ruleset(ruleset, language()), tuple(players), seed, plain))
