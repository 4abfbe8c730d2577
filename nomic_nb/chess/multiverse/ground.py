"""Boards put together for an army: where their squares lie, which way pieces look, and ranks as it counts them."""

from __future__ import annotations

from nomic_nb.chess.multiverse.errors import GeometryError
from nomic_nb.chess.multiverse.geometry import Geometry, each, union
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.terms import Law


class Ground:
    """Boards put together for an army; nothing of it hangs on where pieces stand.

    Parameters
    ----------
    state : Multiverse
    law : Law
    army : str
    boards : tuple[str, ...]

    Raises
    ------
    GeometryError
        For a half-board with itself, and boards that do not go together.
    """

    def __init__(self, state: Multiverse, law: Law, army: str, boards: tuple[str, ...]) -> None:
        self.state = state
        self.law = law
        self.army = state._army(army)
        self.boards = tuple(boards)
        #: The board, where the squares of each board lie on it, and of which square of which board each of its own is.
        self.geometry, self.places, self.origin = self._join()
        #: Whether pieces of the army look down the joined board, by the board on which they stand.
        self._looks = {board: self.turned(army, board) for board in self.boards}
        #: Where its pieces promote, and where parts marked ``i`` hold; None: for pieces that have not moved.
        self.zone, self.initial = self._zone(), self._initial()

    def _join(self) -> tuple[Geometry, list[tuple[int, ...]], dict[int, tuple[str, int]]]:
        found = [self.state._board(name) for name in self.boards]
        if len(found) == 2 and self.boards[0] == self.boards[1]:
            raise GeometryError(f"half-board {self.boards[0]!r} cannot be pushed together with itself")
        if len(found) != 1 and not (len(found) == 2 and all(board.half for board in found)):
            raise GeometryError(
                f"a push is two half-boards, or one board by itself; not {', '.join(self.boards) or 'nothing'}"
            )
        return self.state.together(self.boards)

    def local(self, board: str, square: int) -> int:
        """Return where a square of one of the boards lies once they are put together."""
        return self.places[self.boards.index(board)][square]

    def turned(self, name: str, board: str) -> bool:
        """Tell whether the pieces of an army look down the joined board from where they stand.

        On their home half they look away from the home rank, on any other towards that half's back rank.
        """
        army = self.state.armies[name]
        at_home = army.home == board
        if len(self.boards) == 1:
            return not at_home if self.state.boards[board].half else army.far
        return at_home == (board == self.boards[1])

    def _own_rank(self, board: str, rank: int) -> int:
        """Return the bits of a rank as the army counts them when it stands on a board."""
        there = self.state.boards[board]
        if board != self.army.home if there.half else self.army.far:
            rank = self.geometry.ranks + 1 - rank
        where = self.places[self.boards.index(board)]
        return sum(1 << where[bit.bit_length() - 1] for bit in each(there.geometry.rank_bits(rank)))

    def _initial(self) -> int | None:
        ranks = self.law.terms.initial_ranks
        if ranks is None:
            return None
        home = self.army.home
        return sum(self._own_rank(home, rank) for rank in ranks) if home in self.boards else 0

    def _zone(self) -> int:
        ranks, home = self.law.terms.promotion_ranks, self.army.home
        if ranks is not None:
            return union(self._own_rank(board, rank) for board in self.boards for rank in ranks)
        abroad = [board for board in self.boards if board != home or not self.state.boards[board].half]
        return union(self._own_rank(board, self.geometry.ranks) for board in abroad)

    def _place(self, bit: int) -> tuple[str, int]:
        return self.origin[bit.bit_length() - 1]

    def _apart(self, bits: int) -> list[tuple[str, int]]:
        """Return the squares of each board among some squares, where there are any."""
        if len(self.boards) == 1:
            return [(self.boards[0], bits)]
        halves = zip(self.boards, self.places, strict=True)
        found = [
            (board, union(1 << at for at, here in enumerate(where) if bits >> here & 1)) for board, where in halves
        ]
        return [(board, there) for board, there in found if there]
