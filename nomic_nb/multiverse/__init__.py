"""Boards, armies and pieces whose movement is text.

The multiverse knows nothing of law or of play: it is told how pieces move and what stands where, and says
what moves there are.
"""

from nomic_nb.multiverse.errors import (
    FenError,
    GeometryError,
    MoveError,
    MultiverseError,
    NotationError,
    PlacementError,
)
from nomic_nb.multiverse.positions import Position, position

__all__ = [
    "FenError",
    "GeometryError",
    "MoveError",
    "MultiverseError",
    "NotationError",
    "PlacementError",
    "Position",
    "position",
]
