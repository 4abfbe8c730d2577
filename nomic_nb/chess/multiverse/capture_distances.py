"""How far pieces are from capturing on a square, whatever is in between: a bound that takes no search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nomic_nb.chess.multiverse.geometry import each_bit, union_of_bits
from nomic_nb.chess.multiverse.movement_tables import Movement, compile_movement
from nomic_nb.chess.multiverse.pieces import Piece
from nomic_nb.chess.multiverse.pushes import Push

#: What moves alike: a movement, and whether it becomes something else at the end of the board.
_Walker = tuple[Movement, bool]


class CaptureDistances:
    """The least number of moves that each piece of an army needs to capture on one square.

    It is counted as if every square were free to go to, and had something to capture: so no piece is nearer than it
    says, and a piece that never gets there does not get there on any board.

    Parameters
    ----------
    push : Push
        Boards put together, and who moves there.
    board : str
        One of these boards.
    square : int
        The square on it.
    movement : callable
        How a piece moves, in Betza notation; also one that a pawn has become.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse.multiverse import half_boards
    >>> from nomic_nb.chess.multiverse.rules import Law
    >>> boards, law = half_boards(["white", "yellow"]), Law()
    >>> roads = CaptureDistances(Push(boards, law, "white", ("white", "yellow")), *boards.square("yellow.e1"),
    ... law.movement)
    >>> [roads.moves(boards.at(f"white.{square}")) for square in ("d1", "e1", "b1", "c1")]
    [1, 7, 5, 2]
    """

    def __init__(self, push: Push, board: str, square: int, movement: Callable[[Piece], str]) -> None:
        self._push, self._movement = push, movement
        self.boards = push.boards
        self._walkers: dict[tuple[int, str, str], _Walker] = {}
        self._zone = union_of_bits(force.zone for force in push.generator.forces)
        self._become: dict[_Walker, list[_Walker]] = {}
        #: for each bit from which a walker gets there, the moves that it needs
        self._known: dict[_Walker, dict[int, int]] = {}
        for piece in push.pieces.values():
            walker = self._walker_of(piece)
            if piece.army == push.army.name and walker not in self._become:
                terms = push.law.terms
                kinds = terms.promotion if piece.kind in terms.pawns else ""
                self._become[walker] = [self._walker_of(replace(piece, kind=kind)) for kind in kinds]
        for walker, others in self._become.items():
            self._known |= {each_walker: {} for each_walker in (walker, *others)}
        self._search_backwards(1 << push.local(board, square))

    def _walker_of(self, piece: Piece) -> _Walker:
        """Return (a piece's compiled movement, whether its kind promotes as pawns do), from a cache."""
        key = piece.id, piece.kind, piece.board
        if key not in self._walkers:
            turned = self._push.turned(piece.army, piece.board)
            movement = compile_movement(self._movement(piece), self._push.geometry, turned=turned)
            self._walkers[key] = movement, piece.kind in self._push.law.terms.pawns
        return self._walkers[key]

    def _search_backwards(self, goal: int) -> None:
        """Fill in the distances of all pieces by searching backwards from the target square (bit `goal`)."""
        castled: dict[int, int] = {}
        for castling_move in self._push.generator.castles:
            for origin, target in (
                (castling_move.king, castling_move.king_to),
                (castling_move.partner, castling_move.partner_to),
            ):
                castled[origin] = castled.get(origin, 0) | target
        near, full, count, grown = dict.fromkeys(self._known, 0), self._push.geometry.full, 0, True
        while grown:
            before, count, grown = dict(near), count + 1, False
            for walker, known in self._known.items():
                promoted = self._zone & union_of_bits(before[successor] for successor in self._become.get(walker, ()))
                for bit in each_bit(full & ~before[walker]):
                    arrives, captures = walker[0].ever[bit]
                    if captures & goal if count == 1 else (arrives | castled.get(bit, 0)) & (before[walker] | promoted):
                        known[bit], grown = count, True
                        near[walker] |= bit

    def moves(self, piece: Piece) -> int | None:
        """Return the least number of moves a piece needs to capture on the target square; None if it never can.

        Parameters
        ----------
        piece : Piece
            One of the army's pieces on these boards.
        """
        return self._known[self._walker_of(piece)].get(1 << self._push.local(piece.board, piece.square))
