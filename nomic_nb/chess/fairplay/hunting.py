"""Whether a piece could ever be captured, if nobody moved but one army that hunts it: a search with a stated limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

from nomic_nb.chess.fairplay.impartial import TO_COME
from nomic_nb.chess.fairplay.supposing import looks_ahead
from nomic_nb.chess.fairplay.threats import Mover, movers_of, told_by_the_clock
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.multiverse.roads import Roads
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.captures import UNUSUAL, result_of
from nomic_nb.chess.play.functions import movement_of
from nomic_nb.chess.play.records import PIECE, name_of_kind, piece_of, piece_words
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.values import TRUTH
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.state import State, state_of

#: How many circuits from now a hunt is, where rules look at the time: what is so for good, is so then.
LATER = 1_000
#: Positions that are looked at for one piece and one army; beyond them it is open whether it can be captured.
POSITIONS = 250
#: Moves of a line of play that are told.
TOLD = 8
#: Steps that it is worth to find how far the pieces of an army are.
ROADS = 100
#: What a piece is taken to be from its goal that can never get there.
NEVER = 1_000
#: A position, the line of play that leads to it, and what tells whether rules permit the last move of that.
Node: TypeAlias = "tuple[Multiverse, tuple[str, ...], Callable[[], bool] | None]"


def _key(position: Multiverse, board: str) -> tuple[object, ...]:
    """Return what tells positions apart: what stands where on one board."""
    return tuple(sorted((at, one.id, one.kind, one.moved) for at, one in position.standing[board].items()))


class _Hunter:
    """An army that hunts a piece, with its movers for circuits from the first one on: it can wait for any of them."""

    def __init__(self, view: View, state: State, army: str, piece: Piece, first: int) -> None:
        self.army, self.piece = army, piece
        circuits = TO_COME if told_by_the_clock(state.law) else 1
        self.movers = movers_of(view, state, army, [piece.board], circuits, first)
        self._roads = [self._find_roads(view, *self.movers[0])] if self.movers else []

    def _find_roads(self, view: View, mover: Mover, turns: list[State]) -> Roads:
        view.spend(1, ROADS)
        moves = partial(movement_of, mover.law, turns[0], boards=mover.boards)
        return Roads(mover.push(turns[0]), self.piece.board, self.piece.square, moves)

    def far(self, piece: Piece) -> int:
        """Return how many moves one of its pieces needs at least, the one that captures among them."""
        there = (roads.moves(piece) for roads in self._roads if piece.board in roads.boards)
        return min((moves for moves in there if moves is not None), default=NEVER)

    def hopeless(self, state: State) -> bool:
        """Tell whether it surely never captures the piece: none of its own gets there, or none that does may."""
        if len(self.movers) != 1 or not self.movers[0][0].settled or multiverse_of(state).boards[self.piece.board].half:
            return not self.movers
        mover, turns = self.movers[0]
        if not mover.open or self.piece.army not in mover.push(turns[0]).captures:
            return True
        own = [one for one in multiverse_of(state).standing[self.piece.board].values() if one.army == self.army]
        able = [one for one in own if self.far(one) < NEVER]
        return not (
            any(self._may(mover, turn, one) for one in able for turn in turns) if mover.settled_captures else able
        )

    def _may(self, mover: Mover, asked: State, piece: Piece) -> bool:
        """Tell whether rules let a piece capture, as what it is and as what it can become, from wherever it stands."""
        terms = mover.push(asked).law.terms
        for kind in (piece.kind, *(terms.promotion if piece.kind in terms.pawns else ())):
            there = asked.but(position=multiverse_of(asked).with_pieces(replace(piece, kind=kind)))
            origin, target = (piece.board, piece.square), (self.piece.board, self.piece.square)
            capture = BoardMove(piece.id, self.army, origin, target, mover.boards, "", "", (self.piece.id,))
            if mover.permits(there, capture) and result_of(there.law, there, capture, self.piece.id) != "instead":
                return True
        return False

    def moves(self, position: Multiverse) -> Iterator[tuple[BoardMove, Callable[[], bool]]]:
        """Yield the moves in a position, each with what tells whether rules permit it, to be asked where it matters."""
        for mover, turns in self.movers:
            placed = [one.but(position=position) for one in turns]
            for move in mover.any_moves(placed[0]):
                yield move, partial(_permit, mover, placed, move)


def _permit(mover: Mover, turns: list[State], move: BoardMove) -> bool:
    return any(mover.permits(one, move) for one in turns)


def _apart(position: Multiverse, piece: Piece) -> Multiverse:
    """Return what can matter to a piece: in a universe, nothing but what stands there."""
    if position.boards[piece.board].half:
        return position
    here = {one.id: one for one in position.standing[piece.board].values()}
    return replace(position, pieces=here, passings=tuple(one for one in position.passings if one.piece in here))


def line_against(view: View, state: State, piece: Piece, first: int = 0) -> tuple[tuple[str, ...] | None, int]:
    """Return moves by which one army captures a piece that nobody defends, and how many positions were looked at.

    So many circuits from now they begin.

    There is no line where no army could ever get there, or all positions were looked at that can come about, and in
    none it can be captured.

    Raises
    ------
    Undecided
        As many positions were looked at as may be, and it is still open.
    """
    position, looked, doubt = _apart(multiverse_of(state), piece), 0, None
    state = state.but(position=position)
    own, here = position.armies[piece.army].controller, position.armies_on([piece.board])
    for army, one in position.armies.items():
        if one.controller == own or army not in here:
            continue
        hunter = _Hunter(view, state, army, piece, first)
        if hunter.hopeless(state):
            continue
        try:
            line, more = _hunt(state, hunter)
        except Undecided as error:
            doubt = doubt or error
            continue
        looked += more
        if line is not None:
            return line, looked
    if doubt is not None:
        raise doubt
    return None, looked


def _hunt(state: State, hunter: _Hunter) -> tuple[tuple[str, ...] | None, int]:
    """Go through the positions that an army can bring about, the most promising first: a short line, a near piece."""
    piece, known, order, left_out = hunter.piece, set[object](), count(), False
    waiting: list[tuple[int, int, Node]] = [(0, next(order), (multiverse_of(state), (), None))]
    while waiting:
        there, line, permitted = heappop(waiting)[2]
        key = _key(there, piece.board)
        if key in known or not (permitted is None or permitted()):
            continue
        known.add(key)
        if len(known) > POSITIONS:
            words = piece_words(state, piece.id)
            raise Undecided(
                say(
                    "capture-not-found",
                    "{looked_at} positions were looked at, and in none the {pieces} can be captured yet",
                    looked_at=POSITIONS,
                    pieces=words,
                )
            )
        placed = state.but(position=there)
        for move, permits in hunter.moves(there):
            told, results = (*line, move.text), [result_of(state.law, placed, move, id) for id in move.taken]
            if piece.id in move.taken:
                if "instead" not in results and permits():
                    return told, len(known)
            elif {"instead", *UNUSUAL}.isdisjoint(results):
                then = there.play(move)
                heappush(waiting, (len(told) + hunter.far(then.pieces[move.piece]), next(order), (then, told, permits)))
            else:
                left_out = True
    if left_out:
        raise Undecided(
            say("captures-not-looked-into", "what captures leave on the boards under these rules is not looked into")
        )
    return None, len(known)


@looks_ahead(
    "whether one army could capture a piece, by however many moves of its own that rules permit, if nobody else moved; "
    f"open once {POSITIONS} positions are looked at for one army", PIECE, TRUTH, traits="alike",
)  # fmt: skip
def _can_be_captured(view: View, id: int) -> bool:
    state = state_of(view)
    words = piece_words(state, id)
    if id not in multiverse_of(state).pieces:
        gone = piece_of(state, id)
        view.evidence["can_be_captured"] = f"the {name_of_kind(gone.kind)} of {gone.army} is gone"
        return False
    piece, timed = multiverse_of(state).pieces[id], told_by_the_clock(state.law)
    line, looked = line_against(view, state, piece, LATER if timed else 0)
    if line is not None and timed and line_against(view, state, piece)[0] is None:
        raise Undecided(
            say(
                "capture-only-later",
                "nothing captures the {pieces} in the next {circuits} circuits, though later it could be captured",
                pieces=words,
                circuits=TO_COME,
            )
        )
    if line is not None:
        more = f" and {len(line) - TOLD} more" if len(line) > TOLD else ""
        said = f"the {words} can be captured: {', '.join(line[:TOLD])}{more}"
    elif looked:
        said = f"nothing captures the {words} in any of the {looked} positions that can come about"
    else:
        said = f"no piece of others could ever capture the {words}"
    view.evidence["can_be_captured"] = said
    return line is not None
