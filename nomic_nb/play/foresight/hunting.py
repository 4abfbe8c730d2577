"""Whether a piece could ever be captured, if nobody moved but one army that hunts it: a search with a stated limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

from nomic_nb.law.values import TRUTH, Value
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import EVERYTHING, Function
from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.multiverse.pieces import BoardMove, Piece
from nomic_nb.play.chess.keys import PIECE
from nomic_nb.play.chess.legal import sets_of_boards
from nomic_nb.play.chess.movers import Mover
from nomic_nb.play.chess.records import one_ref, piece_of, piece_words
from nomic_nb.play.foresight.remembering import remembered
from nomic_nb.play.foresight.threats import TO_COME, next_turn_of, told_by_the_clock
from nomic_nb.play.state import State, state_of

#: Positions that are looked at for one piece; beyond them it is open whether it can be captured.
POSITIONS = 500
#: Moves of a line of play that are told.
TOLD = 8
#: A position, the line of play that leads to it, and what tells whether rules permit the last move of that.
Node: TypeAlias = "tuple[Multiverse, tuple[str, ...], Callable[[], bool] | None]"


def _key(position: Multiverse, board: str) -> tuple[object, ...]:
    """Return what tells positions apart: what stands where on one board."""
    return tuple(sorted((at, one.id, one.kind, one.moved) for at, one in position.standing[board].items()))


def _far(position: Multiverse, move: BoardMove, piece: Piece) -> int:
    """Return how far a move ends from a piece, in steps of a king; the nearer it comes, the sooner it is tried."""
    if move.target[0] != piece.board:
        return 2 * max(position.boards[piece.board].geometry.files, 8)
    files = position.boards[piece.board].geometry.files
    (one, two), (three, four) = divmod(move.target[1], files), divmod(piece.square, files)
    return max(abs(one - three), abs(two - four))


class _Hunter:
    """An army that hunts, with its movers for the circuits to come: it can wait for any of them."""

    def __init__(self, view: View, state: State, army: str, board: str) -> None:
        self.army, self.movers = army, list[tuple[int, Mover]]()
        for later in range(TO_COME if told_by_the_clock(state.law) else 1):
            asked = next_turn_of(state, army, later)
            joined = (one for one in sets_of_boards(asked, asked.multiverse, army) if board in one)
            self.movers += [(later, Mover(view, asked, army, one)) for one in joined]

    def moves(self, state: State) -> Iterator[tuple[BoardMove, Callable[[], bool]]]:
        """Yield the moves in a position, each with what tells whether rules permit it, to be asked where it matters."""
        for later, mover in self.movers:
            asked = next_turn_of(state, self.army, later)
            for move in mover.any_moves(asked):
                yield move, partial(mover.permits, asked, move)


def _apart(position: Multiverse, piece: Piece) -> Multiverse:
    """Return what can matter to a piece: in a universe, nothing but what stands there."""
    if position.boards[piece.board].half:
        return position
    here = {one.id: one for one in position.standing[piece.board].values()}
    return replace(position, pieces=here, passings=tuple(one for one in position.passings if one.piece in here))


def _may_capture(view: View, state: State, army: str, piece: Piece) -> bool:
    """Tell whether an army may capture those of a piece's army at all; where it hangs on the position, it may."""
    asked = next_turn_of(state, army)
    for boards in sets_of_boards(asked, asked.multiverse, army):
        mover = Mover(view, asked, army, boards)
        if piece.board in boards and (not mover.settled or piece.army in mover.push(asked).captures):
            return True
    return False


def line_against(view: View, state: State, piece: Piece) -> tuple[tuple[str, ...] | None, int]:
    """Return moves by which one army captures a piece that nobody defends, and how many positions were looked at.

    There is no line where all positions were looked at that can come about, and in none it can be captured.

    Raises
    ------
    Undecided
        As many positions were looked at as may be, and it is still open.
    """
    position, looked = _apart(state.multiverse, piece), 0
    state = state.but(position=position)
    own = position.armies[piece.army].controller
    for army, one in position.armies.items():
        if one.controller == own or not any(two.army == army for two in position.standing[piece.board].values()):
            continue
        if not _may_capture(view, state, army, piece):
            continue
        order, known, hunter = count(), set[object](), _Hunter(view, state, army, piece.board)
        waiting: list[tuple[int, int, int, Node]] = [(0, 0, next(order), (position, (), None))]
        while waiting:
            there, line, permitted = heappop(waiting)[3]
            key = _key(there, piece.board)
            if key in known or not (permitted is None or permitted()):
                continue
            known.add(key)
            looked += 1
            if looked > POSITIONS:
                words = piece_words(state, piece.id)
                raise Undecided(f"{POSITIONS} positions were looked at, and in none the {words} can be captured yet")
            for move, permits in hunter.moves(state.but(position=there)):
                told = (*line, move.text)
                if piece.id not in move.taken:
                    far = _far(position, move, piece)
                    heappush(waiting, (far, len(told), next(order), (there.play(move), told, permits)))
                elif permits():
                    return told, looked
    return None, looked


def _can_be_captured(view: View, value: Value) -> Value:
    piece = piece_of(state_of(view), one_ref(value, "piece").id)
    return remembered(view, "can_be_captured", piece.id, lambda: _is_hunted_down(view, piece))


def _is_hunted_down(view: View, piece: Piece) -> Value:
    state = state_of(view)
    words = piece_words(state, piece.id)
    if state.position is None or piece.id not in state.position.pieces:
        return False
    line, looked = line_against(view, state, piece)
    if line is None:
        said = f"nothing captures the {words} in any of the {looked} positions that can come about"
    else:
        more = f" and {len(line) - TOLD} more" if len(line) > TOLD else ""
        said = f"the {words} can be captured: {', '.join(line[:TOLD])}{more}"
    view.evidence["can_be_captured"] = said
    return line is not None


FUNCTIONS = (
    Function("can_be_captured", (PIECE,), TRUTH, "whether one army could capture a piece, by however many moves of its "
             f"own that rules permit, if nobody else moved; open once {POSITIONS} positions are looked at",
             _can_be_captured, reads=EVERYTHING),
)  # fmt: skip
