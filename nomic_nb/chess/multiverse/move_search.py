"""A player that looks ahead: alpha-beta over the legal moves of a position, whatever its pieces and its rules.

This is also a specification. A second implementation that follows it finds the same move after the same number of
nodes. All numbers are whole, and divisions round down.

Values. A position is worth, to White, the sum of ``on_square`` of White’s pieces less that of Black’s (`PieceValues`).
A royal piece adds ``active`` instead once the other side’s pieces that are not royal are worth less than `CALM`
together. If one side’s are worth nothing, the other side gets 10 for each half step of files and ranks between the
royal piece of that side and the middle of the board, and loses 4 for each step between both royal pieces; of several,
that on the lowest square counts. The side to move has this value or its negative.

Keys. ``mix(n)`` is 64 random bits. A piece has the number (side × classes + class) × squares + square. Then follow
castling rights, the square passed in a double step and unmoved pieces that have special moves, by square, and one
number for Black to move. Then promoted pieces that go to hand as what they were, by square; pieces in hand, by
(side × classes + class) × 256 + how many there are; and checks still to give, by side × 100 + how many. The key of a
position is the exclusive or of the bits of all its numbers. Pieces in hand are worth what they are anywhere.

Order. First the best move so far, at the root, or that in the table. Then captures, by 8 times the gain less the worth
of the piece that moves, then other moves by their history. Moves that are equal in this are in order of their texts.
The gain is the worth of all hostile pieces taken, and what a promotion adds. The history of a move, by side and text,
grows by the square of the depth whenever it takes nothing and is good enough to end the search of a position.

Search. The depths from 1 to `DEPTHS` are searched one after the other, with a new table and empty history for each move
that is wanted. The first move of a position has the window from alpha to beta, the others that from alpha to alpha + 1.
From depth 3 on, moves after the sixth that take nothing are searched a ply less deep. Of a move other than the first
that is better than alpha, the search is repeated with the whole window and depth, unless it had the whole depth and
reaches beta. A position that stood before in the game, since the last capture or pawn move, or in this line is worth 0,
and so is one with moves after 50 moves. A won game is worth `MATE` less the plies to its end from the root.

Table. Each position that was searched has an entry: its key, the depth, the best value, which bound it is, and the best
move. Its place are the lowest 16 bits of the key, and the newest entry stays. Values of decided games are kept as seen
from their position. Below the root, an entry of the same key and at least this depth whose bound decides is the answer.

Captures. At depth 0, the side to move has at least the value of the position. Only captures follow, for at most
`MOST_CAPTURES` plies; none of them is searched if value, gain and `MARGIN` together are no better than alpha.

Nodes. Each move made counts as one. When there are no more, the best move so far of the last depth counts; if there is
none, the first in order.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from nomic_nb.chess.kernel import MOST_PATH, KernelPlayer
from nomic_nb.chess.multiverse.errors import MoveError, MultiverseError
from nomic_nb.chess.multiverse.generator import Move
from nomic_nb.chess.multiverse.geometry import each_bit
from nomic_nb.chess.multiverse.kernel_tables import kernel_for, words_of_state, words_of_values
from nomic_nb.chess.multiverse.paths import ComputedDict
from nomic_nb.chess.multiverse.piece_values import PieceValues, mix
from nomic_nb.chess.multiverse.position_state import Outcome, PositionState
from nomic_nb.chess.multiverse.positions import Position
from nomic_nb.chess.multiverse.rules import Rules
from nomic_nb.engine.arguments import explain_argument_errors

MATE = 1_000_000
#: Values beyond this are those of games that are decided.
DECIDED = MATE - 1_000
DEPTHS = 40
NODES, MOST_NODES = 2_000, 10**9
#: Nodes in all from which the compiled kernel searches; for fewer, its tables would take longer than searching does.
KERNEL_NODES = 200
#: What the other side has when a royal piece may come forward.
CALM = 1_600
#: Bits of a key that say the place of an entry.
PLACES = (1 << 16) - 1
#: Sums that are kept from one move to the next, for each class.
MOST_KNOWN = 50_000
#: Plies of captures after the last other move, and what a capture is allowed to miss.
MOST_CAPTURES, MARGIN = 12, 60
#: Classes of moves in their order.
_BEST, _CAPTURE = 1 << 60, 1 << 40
EXACT, AT_LEAST, AT_MOST = range(3)


def check_count(name: str, number: int, least: int, most: int = MOST_NODES) -> int:
    """Return a number of nodes, plies or games, or refuse one that is out of range."""
    if type(number) is not int or not least <= number <= most:
        raise MultiverseError(
            "count-out-of-range",
            "{name} must be a whole number from {least} to {most}, not {found!r}",
            name=name,
            least=least,
            most=most,
            found=number,
        )
    return number


def check_seconds(seconds: float) -> float:
    """Return a time, or refuse one that is not more than 0."""
    if not 0 < seconds < math.inf:
        raise MultiverseError("seconds-not-positive", "seconds must be more than 0, not {found}", found=seconds)
    return seconds


def have_same_pieces(rules: Rules, others: Rules) -> bool:
    """Tell whether two rules have the same board, the same options, and pieces that move alike."""

    def told(one: Rules) -> tuple[object, ...]:
        moves = [[force.movement.notation.text for force in generator.forces] for generator in one.generators]
        return one.kinds, one.terms, one.geometry, moves

    return rules is others or told(rules) == told(others)


class _Stop(Exception):  # noqa: N818 - no error: time is up
    """There are no more nodes, or no more time."""


class Player:
    """A player for positions with the same pieces and options; `player` makes one.

    Parameters
    ----------
    position : Position
    nodes : int, optional
    seconds : float, optional
    depth : int, optional

    Attributes
    ----------
    value : int
        What the position is worth to the side to move, in hundredths of a pawn or so; `MATE` less the plies to the
        end of a game that is won.
    depth : int
        How many plies deep all moves were searched.
    searched : int
        The number of nodes.
    """

    kind = "player"

    def __init__(self, position: Position, nodes: int | None, seconds: float | None, depth: int | None) -> None:
        for name, limit, most in (("nodes", nodes, MOST_NODES), ("depth", depth, DEPTHS)):
            if limit is not None:
                check_count(name, limit, 1, most)
        if seconds is not None:
            check_seconds(seconds)
        self.rules, self._limits = position.rules, (nodes, seconds, depth)
        self._given: dict[int, tuple[int, int]] = {}
        #: What was found, as texts as long as nobody has asked for it, and the position in which it begins.
        self._line: Sequence[str] = []
        self._line_begins: Position | None = None
        #: How many nodes it was asked for so far.
        self._wanted = 0
        self.value = self.depth = self.searched = 0
        self._early = not position.terms.check or bool(getattr(position, "_extra", None))
        self._compile()

    def __repr__(self) -> str:
        named = zip(("nodes", "seconds", "depth"), self._limits, strict=True)
        return f"<player with {', '.join(f'{name}={limit}' for name, limit in named if limit is not None)}>"

    # Values

    @property
    def values(self) -> Mapping[str, int | tuple[int, int]]:
        """What each kind is worth, by letter; (for White, for Black) if that differs. Set it to change some of them.

        Examples
        --------
        >>> from nomic_nb.chess.multiverse.positions import position
        >>> bot = player(position())
        >>> bot.values = {"q": 950}
        >>> bot.values["q"]
        950
        """
        pairs = zip(*self.tables.worth, strict=True)
        return MappingProxyType({
            kind: white if white == black else (white, black)
            for kind, (white, black) in zip(self.rules.kinds, pairs, strict=True)
        })  # fmt: skip

    @values.setter
    def values(self, given: Mapping[str, int | tuple[int, int]]) -> None:
        for kind, value in given.items():
            pair = value if isinstance(value, tuple) else (value, value)
            if kind not in self.rules.classes or len(pair) != 2 or not all(
                type(one) is int and abs(one) <= 100_000 for one in pair
            ):  # fmt: skip
                raise MultiverseError(
                    "piece-value-unusable",
                    "a value needs a kind of piece ({kinds}) and a whole number up to 100000, not {kind!r}: {value!r}",
                    kinds=", ".join(self.rules.kinds), kind=kind, value=value,
                )  # fmt: skip
            self._given[self.rules.classes[kind]] = pair
        self._compile()

    def _compile(self) -> None:
        """Make the tables by which positions are valued and told apart."""
        rules, self.tables = self.rules, PieceValues(self.rules, self._given)
        self._kernel: KernelPlayer | None = None
        classes, size = len(rules.kinds), rules.geometry.size
        self._worth, self._after = self.tables.worth, 2 * classes * size

        def table(side: int, at: int) -> dict[int, tuple[int, int]]:
            first, on_square = (side * classes + at) * size, self.tables.on_square[side][at]
            royal = at in rules.royal

            def summed(bits: int) -> tuple[int, int]:
                value = key = 0
                for bit in each_bit(bits):
                    value += 0 if royal else on_square[bit]
                    key ^= mix(first + bit.bit_length() - 1)
                return value, key

            return ComputedDict(summed)

        self._sums = [[table(side, at) for at in range(classes)] for side in (0, 1)]
        self._rest: dict[tuple[Any, ...], tuple[int, int]] = ComputedDict(self._look_at_rest)
        self._fresh = () if rules.regions is not None else rules.fresh

    def _look_at_rest(self, rest: tuple[Any, ...]) -> tuple[int, int]:
        """Return what pieces in hand are worth to White, and the part of the key that is not of pieces on the board."""
        side, rights, passed, unmoved, *more = rest
        size, key = self.rules.geometry.size, 0
        for number, bits in enumerate((rights, passed, unmoved)):
            for bit in each_bit(bits):
                key ^= mix(self._after + number * size + bit.bit_length() - 1)
        if side:
            key ^= mix(self._after + 3 * size)
        value, first, classes = 0, self._after + 3 * size + 1, len(self.rules.kinds)
        for extra in filter(None, more):
            for bit in each_bit(extra.promoted):
                key ^= mix(first + bit.bit_length() - 1)
            first += size
            for owner, hand in enumerate(extra.hands):
                for at, count in enumerate(hand):
                    if count:
                        key ^= mix(first + (owner * classes + at) * 256 + count)
                        value += (-1 if owner else 1) * count * self._worth[owner][at]
            for owner, count in enumerate(extra.checks):
                key ^= mix(first + 2 * classes * 256 + owner * 100 + count)
            first += 2 * classes * 256 + 200
            for at, bits in enumerate(extra.former):
                for bit in each_bit(bits):
                    key ^= mix(first + at * size + bit.bit_length() - 1)
        return value, key

    def _look(self, state: PositionState) -> tuple[int, int]:
        """Return what a state is worth to the side to move, and its key."""
        (mine, theirs), side = state.sides, state.side
        white = black = key = 0
        for table, bits in zip(self._sums[0], mine):  # noqa: B905 - as many
            if bits:
                value, mark = table[bits]
                white += value
                key ^= mark
        for table, bits in zip(self._sums[1], theirs):  # noqa: B905
            if bits:
                value, mark = table[bits]
                black += value
                key ^= mark
        unmoved = 0
        for at in self._fresh:
            unmoved |= (mine[at] | theirs[at]) & state.unmoved
        in_hand, mark = self._rest[(side, state.rights, state.passed, unmoved, *state[9:])]
        key ^= mark
        value = white - black + in_hand
        for at in self.rules.royal:
            for bits, others, own, sign in ((mine[at], black, 0, 1), (theirs[at], white, 1, -1)):
                table_of = self.tables.active if others < CALM else self.tables.on_square
                for bit in each_bit(bits):
                    value += sign * table_of[own][at][bit]
        if not white or not black:
            value += self._mop_up(state, white, black)
        return (-value if side else value), key

    def _mop_up(self, state: PositionState, white: int, black: int) -> int:
        """Return what the side with pieces gains by driving a royal piece that is alone to the edge."""
        kings = [self.rules.royals(side) for side in state.sides]
        if not (kings[0] and kings[1]) or white == black:
            return 0
        files, ranks = self.rules.geometry.files, self.rules.geometry.ranks
        at = [divmod((king & -king).bit_length() - 1, files) for king in kings]
        (rank, file), apart = at[not black], abs(at[0][0] - at[1][0]) + abs(at[0][1] - at[1][1])
        out = abs(2 * rank - ranks + 1) + abs(2 * file - files + 1)
        return (10 * out - 4 * apart) * (1 if white else -1)

    def look(self, position: Position) -> tuple[int, int]:
        """Return what a position is worth to the side to move without looking ahead, and its key.

        Two positions have the same key if they count as the same; that others have it is most unlikely.
        """
        return self._look(position._state)

    def material(self, position: Position) -> int:
        """Return what all pieces of both sides on the board are worth together."""
        pairs = zip(self._worth, position._state.sides, strict=True)
        return sum(worth * bits.bit_count() for values, sets in pairs for worth, bits in zip(values, sets, strict=True))

    # Search

    def move(self, position: Position, among: Collection[str] | None = None) -> Move:
        """Return the move that the player makes in a position, which stays as it is.

        The same position, with the same moves before it, and the same number of nodes give the same move.

        Parameters
        ----------
        position : Position
            One with the pieces and options that the player was made for.
        among : collection of str, optional
            The moves to choose from; default all legal moves.

        Raises
        ------
        MultiverseError
            The position has other pieces or options, or the game is over.

        Examples
        --------
        >>> from nomic_nb.chess.multiverse.positions import position
        >>> start = position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
        >>> bot = player(start)
        >>> bot.move(start), bot.line
        ('a1a8', ['a1a8'])
        """
        if not have_same_pieces(position.rules, self.rules):
            raise MultiverseError(
                "player-of-other-pieces", "this player was made for other pieces or options; make one for this position"
            )
        board = position._copy_as(Position)
        roots = [move for move in board.moves() if among is None or move in among]
        if board.outcome() is not None or not roots:
            raise MoveError("no-move-to-choose", "the game is over, or no move is left to choose from")
        every: tuple[dict[Any, tuple[int, int]], ...] = (*self._sums[0], *self._sums[1], self._rest)
        for known in every:
            if len(known) > MOST_KNOWN:
                known.clear()
        nodes, seconds, depth = self._limits
        self._wanted += KERNEL_NODES if nodes is None else nodes
        if self._wanted >= KERNEL_NODES:
            chosen = self._search_compiled(board, roots, [] if among is None else list(roots))
            if chosen is not None:
                return chosen
        self._left = -1 if nodes is None else nodes
        self._end = None if seconds is None else time.perf_counter() + seconds
        self._roots, self.line = roots, [self._in_order(board._state, roots, None, {})[0][1]]
        self.value = self.depth = 0
        self._table: dict[int, tuple[int, int, int, int, Move]] = {}
        self._history: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.searched = 0
        self._path = self._earlier_keys(board)
        try:
            for plies in range(1, (depth or DEPTHS) + 1):
                value, _ = self._search(board, plies, -MATE, MATE, 0)
                self.depth = plies
                if abs(value) > DECIDED and MATE - abs(value) <= plies:
                    break
        except _Stop:
            pass
        return self.line[0]

    def _earlier_keys(self, position: Position) -> set[int]:
        """Return the keys of the positions since the last capture or pawn move that are not this one."""
        state = position._state
        since = position._past[-state.halfmoves :] if state.halfmoves else []
        return {self._look(earlier)[1] for earlier, *_ in since} - {self._look(state)[1]}

    def _compiled(self) -> KernelPlayer | None:
        """Return the kernel with what pieces are worth; None if it leaves them to Python."""
        kernel = kernel_for(self.rules)
        if isinstance(kernel, str):
            return None
        if self._kernel is None:
            self._kernel = KernelPlayer(kernel, words_of_values(self.tables))
        return self._kernel

    def _search_compiled(self, position: Position, roots: list[Move], among: list[Move]) -> Move | None:
        """Return the move that the compiled kernel finds; None if there is no kernel for this."""
        kernel = self._compiled()
        if kernel is None:
            return None
        nodes, seconds, depth = self._limits
        limits = -1 if nodes is None else nodes, seconds or 0, depth or DEPTHS
        state, path = words_of_state(position._state, kernel.width), sorted(self._earlier_keys(position))
        if len(path) >= MOST_PATH:
            return None
        try:
            found = kernel.search(state, *limits, path, among)
        except MemoryError:
            return None
        if found is None:  # another thread is at it
            return None
        self.searched, self.depth, self.value, line = found
        self._line, self._line_begins = line, position.copy()
        return roots[roots.index(line[0])]  # type: ignore[arg-type]

    @property
    def line(self) -> list[Move]:
        """The moves that the player expects, its own first."""
        if self._line_begins is not None:
            board, self._line_begins = self._line_begins, None
            self._line = [board.push(text).last for text in self._line]  # type: ignore[misc]
        return self._line  # type: ignore[return-value]

    @line.setter
    def line(self, moves: list[Move]) -> None:
        self._line, self._line_begins = moves, None

    def _made(self, board: Position, move: Move) -> None:
        """Make a move on a board, and count it.

        Raises
        ------
        _Stop
            There are no more nodes, or no more time.
        """
        if self.searched == self._left or (
            self._end is not None and not self.searched & 31 and time.perf_counter() > self._end
        ):
            raise _Stop
        self.searched += 1
        board.push(move)

    def _search(self, board: Position, depth: int, alpha: int, beta: int, ply: int) -> tuple[int, list[Move]]:  # noqa: C901
        """Return what a position is worth to the side to move, so many plies deep, and the line to be expected."""
        state = board._state
        if self._early and ply and (end := board.outcome()):
            return self._ended(end, state, ply), []
        value, key = self._look(state)
        if ply and (key in self._path or (state.halfmoves >= 100 and board.moves())):
            return 0, []
        if depth <= 0:
            return self._captures(board, value, alpha, beta, ply, MOST_CAPTURES), []
        entry, best_before = self._table.get(key & PLACES), None
        if ply == 0:
            best_before = self.line[0] if self.depth else None
        elif entry is not None and entry[0] == key:
            _, deep, known, bound, best_before = entry
            if abs(known) > DECIDED:
                known -= ply if known > 0 else -ply
            if deep >= depth and (
                bound == EXACT or (bound == AT_LEAST and known >= beta) or (bound == AT_MOST and known <= alpha)
            ):
                return known, []
        moves = board.moves() if ply else self._roots
        if not moves:
            end = board.outcome()
            return (self._ended(end, state, ply) if end else 0), []
        first, best, best_move, line, history = alpha, -MATE - 1, moves[0], [], self._history[state.side]
        foe = state.occupied[1 - state.side]
        self._path.add(key)
        try:
            for number, (_, move) in enumerate(self._in_order(state, moves, best_before, history)):
                quiet = not move.change.taken & foe
                self._made(board, move)
                less = 1 if depth >= 3 and number >= 6 and quiet else 0
                if number:
                    got, ahead = self._search(board, depth - 1 - less, -alpha - 1, -alpha, ply + 1)
                if not number or (-got > alpha and (less or -got < beta)):
                    got, ahead = self._search(board, depth - 1, -beta, -alpha, ply + 1)
                board.pop()
                if -got > best:
                    best, best_move = -got, move
                    if best > alpha:
                        alpha, line = best, [move, *ahead]
                        if not ply:
                            self.line, self.value = line, best
                    if best >= beta:
                        if quiet:
                            history[move] = history.get(move, 0) + depth * depth
                        break
        finally:
            self._path.discard(key)
        bound = AT_MOST if best <= first else AT_LEAST if best >= beta else EXACT
        kept = best + (ply if best > 0 else -ply) if abs(best) > DECIDED else best
        self._table[key & PLACES] = (key, depth, kept, bound, best_move)
        return best, line

    def _ended(self, end: Outcome, state: PositionState, ply: int) -> int:
        """Return what an ended game is worth to the side to move."""
        if not end.winner:
            return 0
        return MATE - ply if (end.winner == "black") == bool(state.side) else ply - MATE

    def _in_order(
        self, state: PositionState, moves: Iterable[Move], first: Move | None, history: Mapping[str, int]
    ) -> list[tuple[int, Move]]:
        """Return moves in the order in which they are searched, each with the number that it is ordered by."""
        worth, foe = self._worth[state.side], state.occupied[1 - state.side]
        ordered = []
        for move in moves:
            change = move.change
            if move == first:
                order = -_BEST
            elif change.taken & foe:
                order = -_CAPTURE - 8 * self._gain(state, move) + worth[change.mover]
            else:
                order = -history.get(move, 0)
            ordered.append((order, move))
        ordered.sort()
        return ordered

    def _gain(self, state: PositionState, move: Move) -> int:
        """Return the worth of the hostile pieces that a move takes, and what a promotion adds."""
        side, change = state.side, move.change
        gain, taken = self._worth[side][change.becomes] - self._worth[side][change.mover], change.taken
        for value, bits in zip(self._worth[1 - side], state.sides[1 - side]):  # noqa: B905 - as many
            if bits & taken:
                gain += value * (bits & taken).bit_count()
        return gain

    def _captures(self, board: Position, value: int, alpha: int, beta: int, ply: int, left: int) -> int:
        """Return what a position is worth to the side to move, if only captures follow."""
        if value >= beta or not left:
            return value
        best, alpha, state = value, max(alpha, value), board._state
        foe = state.occupied[1 - state.side]
        found = [(self._gain(state, move), move) for move in board.moves() if move.taken and move.change.taken & foe]
        worth = self._worth[state.side]
        for gain, move in sorted(found, key=lambda one: (worth[one[1].change.mover] - 8 * one[0], one[1])):
            if value + gain + MARGIN <= alpha:
                continue
            self._made(board, move)
            end = board.outcome() if self._early else None
            if end is not None:
                got = -self._ended(end, board._state, ply + 1)
            else:
                got = -self._captures(board, self._look(board._state)[0], -beta, -alpha, ply + 1, left - 1)
            board.pop()
            if got > best:
                best, alpha = got, max(alpha, got)
                if got >= beta:
                    break
        return best


@explain_argument_errors
def player(
    position: Position, *, nodes: int | None = None, seconds: float | None = None, depth: int | None = None
) -> Player:
    """Return a player for positions with these pieces and options, whatever they are.

    No piece is known by its name: a kind is worth the squares that it reaches. The player looks ahead as far as its
    limits allow.

    Parameters
    ----------
    position : Position
    nodes : int, optional
        How many moves it makes while it thinks; 2,000 if there is no other limit. The same number gives the same moves
        on every machine.
    seconds : float, optional
        How long it thinks.
    depth : int, optional
        How many plies it looks ahead at most.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> start = nb.multiverse.position(pieces={"n": "NW"})
    >>> bot = nb.multiverse.player(start, nodes=500)
    >>> bot.move(start) in start.moves()
    True
    """
    if nodes is None and seconds is None and depth is None:
        nodes = NODES
    return Player(position, nodes, seconds, depth)
