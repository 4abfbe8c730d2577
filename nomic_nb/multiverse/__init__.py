"""Boards, armies and pieces whose movement is text.

The multiverse knows nothing of law or of play: it is told how pieces move and what stands where, and says
what moves there are.
"""

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

#: What is brought when it is asked for, by its name here: drawing and several armies are not for everyone.
_ELSEWHERE = (
    "Law", "Push", "all_moves", "draw_multiverse", "draw_push", "half_boards", "move_diagram", "read_pgn", "sentence",
    "write_pgn",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """Bring what is not needed by a position alone."""
    if name not in _ELSEWHERE:
        raise AttributeError(f"the multiverse has no {name!r}")
    from nomic_nb.multiverse import choices, diagram, drawing, multiverse, pgn, pushes, told, words

    return {
        "Law": told.Law, "Push": pushes.Push, "all_moves": choices.all_moves, "half_boards": multiverse.half_boards,
        "draw_multiverse": drawing.draw_multiverse, "draw_push": drawing.draw_push, "move_diagram": diagram.diagram,
        "read_pgn": pgn.read_pgn, "sentence": words.sentence, "write_pgn": pgn.write_pgn,
    }[name]  # fmt: skip


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
