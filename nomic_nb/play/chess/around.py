"""Effects that go round the edges of boards: rows that come in again on the other side, boards that grow all around."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from nomic_nb.law.forms import declare
from nomic_nb.law.places import One, Some
from nomic_nb.law.values import NUMBER, Value, list_of, within
from nomic_nb.law.view import Undecided
from nomic_nb.multiverse.errors import MultiverseError
from nomic_nb.multiverse.geometry import MAX_SIZE
from nomic_nb.play.chess.effects import EFFECTS, Env, carry, check_join, moved_by, reaches, step_of, value_of
from nomic_nb.play.chess.events import on
from nomic_nb.play.chess.keys import BOARD, PIECE
from nomic_nb.play.chess.records import many_refs
from nomic_nb.play.engine import Engine
from nomic_nb.play.pending import Item

_NOT_A_RING = within("a ring of squares", 1, MAX_SIZE)


@declare(
    EFFECTS,
    "shift {pieces} around by {step}",
    example='shift pieces_on_rank(board_named("white"), 2) around by [1, 0]',
    makes=("carried",),
    ordered_by=("people",),
    pieces=Some(PIECE, "pieces are needed here"),
    step=One(list_of(NUMBER), "a step: files to the right, ranks ahead"),
)
def shift_around(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Let pieces go so far on their boards, all at once; who leaves at an edge comes in again at the other one."""
    right, ahead = step_of(cast(tuple[Value, ...], value_of(engine, item, effect.step)))
    boards = {name: replace(one.geometry, wraps="both") for name, one in on(engine.state).boards.items()}
    carry(engine, moved_by(engine, item, effect.pieces, boards, right, ahead))
    return item.env


@declare(
    EFFECTS,
    "grow {boards} around by {width}",
    example="grow boards around by 1",
    makes=("grown",),
    ordered_by=("people",),
    boards=Some(BOARD, "boards are needed here"),
    width=One(NUMBER, "how many squares wide the ring is", misfit=_NOT_A_RING),
)
def grow_around(engine: Engine, item: Item, effect: Any) -> Env | None:
    """Let boards have a ring of squares more; what stands on them stays, and squares are named anew from the corner."""
    width = value_of(engine, item, effect.width)
    if wrong := _NOT_A_RING(width):
        raise Undecided(wrong)
    ring = cast(int, width)
    for ref in many_refs(value_of(engine, item, effect.boards), "board"):
        if not reaches(engine, item, str(ref.id)):
            continue
        old = on(engine.state).boards[str(ref.id)].geometry
        try:
            old.grow(front=ring, back=ring, left=ring, right=ring)
        except MultiverseError as error:
            raise Undecided(str(error)) from None
        check_join(on(engine.state), str(ref.id), old.ranks + 2 * ring)
        engine.emit("grown", None, env={"board": ref}, board=ref.id, ranks=ring, around=True)
    return item.env
