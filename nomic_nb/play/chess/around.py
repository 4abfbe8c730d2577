"""Effects that go round the edges of boards: rows that come in again on the other side, boards that grow all around."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from nomic_nb.law.places import One, Some
from nomic_nb.law.values import NUMBER, list_of, within
from nomic_nb.law.view import Undecided
from nomic_nb.multiverse.errors import MultiverseError
from nomic_nb.multiverse.geometry import MAX_SIZE
from nomic_nb.play.chess.effects import PIECES, carry, check_join, moved_by, reaches, step_of
from nomic_nb.play.chess.keys import BOARD
from nomic_nb.play.chess.records import many_refs
from nomic_nb.play.declaring import effect
from nomic_nb.play.engine import Engine

_NOT_A_RING = within("a ring of squares", 1, MAX_SIZE)


@effect(
    "shift {pieces} around by {step}",
    example='shift pieces_on_rank(board_named("white"), 2) around by [1, 0]',
    makes="carried",
    ordered_by="people",
    pieces=PIECES,
    step=One(list_of(NUMBER), "a step: files to the right, ranks ahead"),
)
def shift_around(engine: Engine, effect: Any) -> None:
    """Let pieces go so far on their boards, all at once; who leaves at an edge comes in again at the other one."""
    right, ahead = step_of(engine.value(effect.step))
    boards = {name: replace(one.geometry, wraps="both") for name, one in engine.state.multiverse.boards.items()}
    carry(engine, moved_by(engine, effect.pieces, boards, right, ahead))


@effect(
    "grow {boards} around by {width}",
    example="grow boards around by 1",
    makes="grown",
    ordered_by="people",
    boards=Some(BOARD, "boards are needed here"),
    width=One(NUMBER, "how many squares wide the ring is", misfit=_NOT_A_RING),
)
def grow_around(engine: Engine, effect: Any) -> None:
    """Let boards have a ring of squares more; what stands on them stays, and squares are named anew from the corner."""
    width = engine.value(effect.width)
    if wrong := _NOT_A_RING(width):
        raise Undecided(wrong)
    ring = cast(int, width)
    for ref in many_refs(engine.value(effect.boards), "board"):
        if not reaches(engine, str(ref.id)):
            continue
        old = engine.state.multiverse.boards[str(ref.id)].geometry
        try:
            old.grow(front=ring, back=ring, left=ring, right=ring)
        except MultiverseError as error:
            raise Undecided(str(error)) from None
        check_join(engine.state.multiverse, str(ref.id), old.ranks + 2 * ring)
        engine.emit("grown", board=ref.id, ranks=ring, around=True)
