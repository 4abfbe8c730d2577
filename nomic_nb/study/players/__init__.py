"""Seats for programs: what a player sees as plain data, what an answer looks like, and programs that play."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.study.packages import missing_package_error
from nomic_nb.study.players.commands import program
from nomic_nb.study.players.kinds import contrary, random
from nomic_nb.study.players.loop import Game
from nomic_nb.study.players.sensible_player import sensible
from nomic_nb.study.players.standings import prospects

if TYPE_CHECKING:
    from nomic_nb.study.players.environments import NomicEnvironment

__all__ = ["contrary", "environment", "program", "prospects", "random", "sensible"]


@explain_argument_errors
def environment(begin: Callable[[int], Game], turns: int = 100) -> NomicEnvironment:
    """Return a PettingZoo environment (AEC) for learning agents, which needs the package ``pettingzoo``.

    Parameters
    ----------
    begin : callable
        Takes a seed and returns a new game, always with the same players.
    turns : int
        Turn at whose beginning a game is cut off.

    Returns
    -------
    AECEnv
        The environment. An action is the place of an answer in ``seat.acts(512)``; a mask says which there are.

    Raises
    ------
    ModuleNotFoundError
        The package is missing; the message says how to install it.
    """
    try:
        from nomic_nb.study.players.environments import NomicEnvironment
    except ModuleNotFoundError as error:
        raise missing_package_error(error, "Environments", "pettingzoo>=1.25") from None
    return NomicEnvironment(begin, turns)
