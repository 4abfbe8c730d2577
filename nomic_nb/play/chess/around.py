"""Effects that go round the edges of boards: rows that come in again on the other side, boards that grow all around."""

from __future__ import annotations

from typing import Any

from nomic_nb.law.places import One
from nomic_nb.law.values import NUMBER, within
from nomic_nb.multiverse.geometry import MAX_SIZE
from nomic_nb.play.chess.effects import STEP, grow_by, on_boards, on_pieces, shift_by
from nomic_nb.play.engine import Engine

_NOT_A_RING = within("a ring of squares", 1, MAX_SIZE)


@on_pieces(
    "shift {pieces} around by {step}",
    example='shift pieces_on_rank(board_named("white"), 2) around by [1, 0]',
    makes="carried",
    step=STEP,
)
def shift_around(engine: Engine, effect: Any) -> None:
    """Let pieces go so far on their boards, all at once; who leaves at an edge comes in again at the other one."""
    shift_by(engine, effect, around=True)


@on_boards(
    "grow {boards} around by {width}",
    example="grow boards around by 1",
    width=One(NUMBER, "how many squares wide the ring is", misfit=_NOT_A_RING),
)
def grow_around(engine: Engine, effect: Any) -> None:
    """Let boards have a ring of squares more; what stands on them stays, and squares are named anew from the corner."""
    width = engine.value(effect.width)
    grow_by(engine, effect, width, _NOT_A_RING(width), around=True)
