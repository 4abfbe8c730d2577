"""Boards, armies and pieces whose movement is text.

The multiverse knows nothing of law or of play: it is told how pieces move and what stands where, and says
what moves there are.
"""

from importlib import import_module
from typing import Any

from nomic_nb.multiverse.errors import (
    FenError,
    GeometryError,
    MoveError,
    MultiverseError,
    NotationError,
    PlacementError,
)
from nomic_nb.multiverse.positions import Position, position

#: Where the rest is found when it is asked for: drawing and several armies are not for everyone.
_ELSEWHERE = {
    "Law": ("pushes", "Law"),
    "Push": ("pushes", "Push"),
    "all_moves": ("pushes", "all_moves"),
    "draw_multiverse": ("drawing", "draw_multiverse"),
    "draw_push": ("drawing", "draw_push"),
    "half_boards": ("multiverse", "half_boards"),
    "move_diagram": ("diagram", "diagram"),
    "sentence": ("words", "sentence"),
}


def __getattr__(name: str) -> Any:
    """Bring what is not needed by a position alone."""
    if name not in _ELSEWHERE:
        raise AttributeError(f"the multiverse has no {name!r}")
    module, attribute = _ELSEWHERE[name]
    return getattr(import_module(f"nomic_nb.multiverse.{module}"), attribute)


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
