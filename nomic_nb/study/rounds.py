"""Rounds in which players seal values and reveal them: which of them a player has still to reveal."""

from __future__ import annotations

from nomic_nb.engine.play.dice import SealingRound
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.waiting import open_rounds
from nomic_nb.engine.subjects.sealed_values import owed_round, secrets_of_player


def unrevealed_round(state: State, player: str) -> SealingRound | None:
    """Return a round in which a player has sealed but not yet revealed; None if there is none."""
    sealed = (sealing for _, sealing in open_rounds(state) if player in sealing.seals and player not in sealing.reveals)
    later = (secret.round for secret in secrets_of_player(state, player))
    return owed_round(state, player, "reveal") or next(sealed, None) or next(later, None)
