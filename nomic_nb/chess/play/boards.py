"""The boards of a game: what the state keeps of them, as the multiverse that it is."""

from __future__ import annotations

from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.engine.play.state import State

#: Of a game that has none.
NO_BOARDS = Multiverse({}, {}, {})


def multiverse_of(state: State) -> Multiverse:
    """Return the boards; an empty multiverse if there are none."""
    found: Multiverse = state.position or NO_BOARDS
    return found
