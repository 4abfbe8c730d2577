"""Boards, armies and pieces whose movement is text.

The multiverse knows nothing of law or of play: it is told how pieces move and what stands where, and says
what moves there are.
"""

from nomic_nb.chess.multiverse.errors import (
    FenError,
    GeometryError,
    MoveError,
    MultiverseError,
    NotationError,
    PlacementError,
)
from nomic_nb.chess.multiverse.positions import Position, position
from nomic_nb.engine.arguments import lazy_names

#: Where things are that are brought when they are asked for: drawing and several armies are not for everyone.
_ELSEWHERE = {
    "rules": "Law", "pushes": "Push all_moves", "multiverse": "half_boards", "python_chess": "read_pgn write_pgn",
    "drawing": "draw_multiverse draw_push move_diagram", "movement_sentences": "sentence", "move_search": "player",
    "..study.position_study": "study", "..study.uci_engine": "engine",  # what stands above brings these itself
    "definitions": "from_ini to_ini variant variants", "habits": "Board", "links": "open_link",
    ".play.position_law": "to_law", "extra_rules": "bare checks extinct lost_all race reach",
}  # fmt: skip
__getattr__ = lazy_names(__name__, _ELSEWHERE, "the multiverse")


def __dir__() -> list[str]:
    return sorted({*__all__, *" ".join(_ELSEWHERE.values()).split()})


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
