"""Boards, armies and pieces whose movement is text.

The multiverse knows nothing of law or of play: it is told how pieces move and what stands where, and says
what moves there are.
"""

from importlib import import_module
from typing import Any

from nomic_nb.chess.multiverse.errors import (
    FenError,
    GeometryError,
    MoveError,
    MultiverseError,
    NotationError,
    PlacementError,
)
from nomic_nb.chess.multiverse.positions import Position, position
from nomic_nb.engine.arguments import unknown_name

#: Where things are that are brought when they are asked for: drawing and several armies are not for everyone.
_ELSEWHERE = {
    "Law": "rules", "Push": "pushes", "all_moves": "pushes", "half_boards": "multiverse",
    "draw_multiverse": "drawing", "draw_push": "drawing", "move_diagram": "drawing", "read_pgn": "pgn",
    "sentence": "movement_sentences", "write_pgn": "pgn",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Bring what is not needed by a position alone."""
    if name not in _ELSEWHERE:
        if name.startswith("_"):
            raise AttributeError(name)
        raise unknown_name("the multiverse", name, (*_ELSEWHERE, *globals()))
    return getattr(import_module(f"{__name__}.{_ELSEWHERE[name]}"), name)


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
