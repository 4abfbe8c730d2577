"""Whether a piece could ever be captured, if nobody moved but one army that hunts it: a search with a stated limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

from nomic_nb.chess.fairplay.attacks import Mover, clock_facts_of_moves, find_movers
from nomic_nb.chess.fairplay.fairness import CIRCUITS_TO_COME
from nomic_nb.chess.fairplay.hypotheticals import lookahead_function
from nomic_nb.chess.multiverse.capture_distances import CaptureDistances
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.captures import UNUSUAL_RESULTS, capture_result
from nomic_nb.chess.play.functions import movement_notation
from nomic_nb.chess.play.records import PIECE, describe_piece, kind_name, piece_of
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.values import TRUTH
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.state import State, state_of

#: How many circuits from now a hunt is, where rules look at the time: what is so for good, is so then.
LATEST_TURN = 1_000
#: Positions that are looked at for one piece and one army; beyond them it is open whether it can be captured.
MOST_POSITIONS = 250
#: Moves of a line of play that are told.
MOST_MOVES_SHOWN = 8
#: Steps that it is worth to find how far the pieces of an army are.
ROADS_COST = 100
#: What a piece is taken to be from its goal that can never get there.
UNREACHABLE = 1_000
#: What makes a position, the line of play that leads to it, and what tells whether rules permit its last move.
SearchNode: TypeAlias = "tuple[Callable[[], Multiverse], tuple[str, ...], Callable[[], bool] | None]"


def _position_key(position: Multiverse, board: str) -> tuple[object, ...]:
    """Return what tells positions apart: what stands where on one board."""
    return tuple(sorted([(at, one.id, one.kind, one.moved) for at, one in position.standing[board].items()]))


class _Hunter:
    """An army that hunts a piece, with its movers for circuits from the first one on: it can wait for any of them."""

    def __init__(self, view: View, state: State, army: str, piece: Piece, first: int) -> None:
        self.army, self.piece = army, piece
        circuits = CIRCUITS_TO_COME if clock_facts_of_moves(state.law) else 1
        self.movers = find_movers(view, state, army, [piece.board], circuits, first)
        self._roads = [self._find_roads(view, *self.movers[0])] if self.movers else []

    def _find_roads(self, view: View, mover: Mover, turns: list[State]) -> CaptureDistances:
        view.spend(1, ROADS_COST)
        moves = partial(movement_notation, mover.law, turns[0], boards=mover.boards)
        return CaptureDistances(mover.push(turns[0]), self.piece.board, self.piece.square, moves)

    def far(self, piece: Piece) -> int:
        """Return how many moves one of its pieces needs at least, the one that captures among them."""
        there = [roads.moves(piece) for roads in self._roads if piece.board in roads.boards]
        return min([moves for moves in there if moves is not None], default=UNREACHABLE)

    def is_hopeless(self, state: State) -> bool:
        """Tell whether it surely never captures the piece: none of its own gets there, or none that does may."""
        if len(self.movers) != 1 or not self.movers[0][0].settled or multiverse_of(state).boards[self.piece.board].half:
            return not self.movers
        mover, turns = self.movers[0]
        if not mover.open or self.piece.army not in mover.push(turns[0]).captures:
            return True
        own = [one for one in multiverse_of(state).standing[self.piece.board].values() if one.army == self.army]
        able = [one for one in own if self.far(one) < UNREACHABLE]
        return not (
            any(self._may_capture(mover, turn, one) for one in able for turn in turns)
            if mover.settled_captures
            else able
        )

    def _may_capture(self, mover: Mover, asked: State, piece: Piece) -> bool:
        """Tell whether rules let a piece capture, as what it is and as what it can become, from wherever it stands."""
        terms = mover.push(asked).law.terms
        for kind in (piece.kind, *(terms.promotion if piece.kind in terms.pawns else ())):
            there = asked.replace(position=multiverse_of(asked).with_pieces(replace(piece, kind=kind)))
            origin, target = (piece.board, piece.square), (self.piece.board, self.piece.square)
            capture = BoardMove(piece.id, self.army, origin, target, mover.boards, "", "", (self.piece.id,))
            if mover.permits(there, capture) and capture_result(there.law, there, capture, self.piece.id) != "instead":
                return True
        return False

    def moves(self, position: Multiverse) -> Iterator[tuple[BoardMove, Callable[[], bool]]]:
        """Yield the moves in a position, each with what tells whether rules permit it, to be asked where it matters."""
        for mover, turns in self.movers:
            placed = [one.replace(position=position) for one in turns]
            for move in mover.any_moves(placed[0]):
                yield move, partial(_is_permitted, mover, placed, move)


def _is_permitted(mover: Mover, turns: list[State], move: BoardMove) -> bool:
    return any(mover.permits(one, move) for one in turns)


def _relevant_position(position: Multiverse, piece: Piece) -> Multiverse:
    """Return what can matter to a piece: in a universe, nothing but what stands there."""
    if position.boards[piece.board].half:
        return position
    here = {one.id: one for one in position.standing[piece.board].values()}
    return replace(position, pieces=here, passings=tuple(one for one in position.passings if one.piece in here))


def find_capturing_line(view: View, state: State, piece: Piece, first: int = 0) -> tuple[tuple[str, ...] | None, int]:
    """Return moves by which one army captures a piece that nobody defends, and how many positions were looked at.

    So many circuits from now they begin.

    There is no line where no army could ever get there, or all positions were looked at that can come about, and in
    none it can be captured.

    Raises
    ------
    Undecided
        As many positions were looked at as may be, and it is still open.
    """
    position, looked, doubt = _relevant_position(multiverse_of(state), piece), 0, None
    state = state.replace(position=position)
    own, here = position.armies[piece.army].controller, position.armies_on([piece.board])
    for army, one in position.armies.items():
        if one.controller == own or army not in here:
            continue
        hunter = _Hunter(view, state, army, piece, first)
        if hunter.is_hopeless(state):
            continue
        try:
            line, more = _search_positions(state, hunter)
        except Undecided as error:
            doubt = doubt or error
            continue
        looked += more
        if line is not None:
            return line, looked
    if doubt is not None:
        raise doubt
    return None, looked


def _search_positions(state: State, hunter: _Hunter) -> tuple[tuple[str, ...] | None, int]:
    """Go through the positions that an army can bring about, the most promising first: a short line, a near piece."""
    piece, known, order, left_out = hunter.piece, set[object](), count(), False
    waiting: list[tuple[int, int, SearchNode]] = [(0, next(order), (partial(multiverse_of, state), (), None))]
    while waiting:
        make_position, line, permitted = heappop(waiting)[2]
        there = make_position()
        key = _position_key(there, piece.board)
        if key in known or not (permitted is None or permitted()):
            continue
        known.add(key)
        if len(known) > MOST_POSITIONS:
            words = describe_piece(state, piece.id)
            raise Undecided(
                say(
                    "capture-not-found",
                    "{looked_at} positions were looked at, and in none the {pieces} can be captured yet",
                    looked_at=MOST_POSITIONS,
                    pieces=words,
                )
            )
        placed = state.replace(position=there)
        for move, permits in hunter.moves(there):
            told, results = (*line, move.text), [capture_result(state.law, placed, move, id) for id in move.taken]
            if piece.id in move.taken:
                if "instead" not in results and permits():
                    return told, len(known)
            elif {"instead", *UNUSUAL_RESULTS}.isdisjoint(results):
                then: SearchNode = (partial(there.play, move), told, permits)
                heappush(waiting, (len(told) + hunter.far(there.moved_piece(move)), next(order), then))
            else:
                left_out = True
    if left_out:
        raise Undecided(
            say("captures-not-looked-into", "what captures leave on the boards under these rules is not looked into")
        )
    return None, len(known)


@lookahead_function(
    "whether one army could capture a piece, by however many moves of its own that rules permit, if nobody else moved; "
    f"open once {MOST_POSITIONS} positions are looked at for one army", PIECE, TRUTH, traits="alike",
)  # fmt: skip
def _can_be_captured(view: View, id: int) -> bool:
    state = state_of(view)
    words = describe_piece(state, id)
    if id not in multiverse_of(state).pieces:
        gone = piece_of(state, id)
        view.evidence["can_be_captured"] = f"the {kind_name(gone.kind)} of {gone.army} is gone"
        return False
    piece, timed = multiverse_of(state).pieces[id], clock_facts_of_moves(state.law)
    line, looked = find_capturing_line(view, state, piece, LATEST_TURN if timed else 0)
    if line is not None and timed and find_capturing_line(view, state, piece)[0] is None:
        raise Undecided(
            say(
                "capture-only-later",
                "nothing captures the {pieces} in the next {circuits} circuits, though later it could be captured",
                pieces=words,
                circuits=CIRCUITS_TO_COME,
            )
        )
    if line is not None:
        more = f" and {len(line) - MOST_MOVES_SHOWN} more" if len(line) > MOST_MOVES_SHOWN else ""
        said = f"the {words} can be captured: {', '.join(line[:MOST_MOVES_SHOWN])}{more}"
    elif looked:
        said = f"nothing captures the {words} in any of the {looked} positions that can come about"
    else:
        said = f"no piece of others could ever capture the {words}"
    view.evidence["can_be_captured"] = said
    return line is not None
