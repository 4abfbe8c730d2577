"""Whether a piece could ever be captured, if nobody moved but one army that hunts it: a search with a stated limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

from nomic_nb.chess.fairplay.attacks import Mover, clock_fields_of_moves, find_movers
from nomic_nb.chess.fairplay.fairness import CIRCUITS_TO_COME
from nomic_nb.chess.fairplay.hypotheticals import lookahead_function
from nomic_nb.chess.multiverse.capture_distances import CaptureDistances
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.captures import UNUSUAL_RESULTS, capture_result
from nomic_nb.chess.play.functions import movement_notation
from nomic_nb.chess.play.records import PIECE, describe_piece, find_piece, kind_name
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
DISTANCES_COST = 100
#: What a piece is taken to be from its goal that can never get there.
UNREACHABLE = 1_000
#: What makes a position, the line of play that leads to it, and what tells whether rules permit its last move.
SearchNode: TypeAlias = "tuple[Callable[[], Multiverse], tuple[str, ...], Callable[[], bool] | None]"


def _position_key(position: Multiverse, board: str) -> tuple[object, ...]:
    """Return a key that is equal for positions with the same pieces on one board."""
    return tuple(sorted([(at, piece.id, piece.kind, piece.moved) for at, piece in position.standing[board].items()]))


class _Hunter:
    """An army that hunts one piece, with its movers for the coming circuits."""

    def __init__(self, view: View, state: State, army: str, piece: Piece, first: int) -> None:
        self.army, self.piece = army, piece
        circuits = CIRCUITS_TO_COME if clock_fields_of_moves(state.law) else 1
        self.movers = find_movers(view, state, army, [piece.board], circuits, first)
        self._roads = [self._find_capture_distances(view, *self.movers[0])] if self.movers else []

    def _find_capture_distances(self, view: View, mover: Mover, turns: list[State]) -> CaptureDistances:
        """Return how far each piece of the army is from capturing the hunted piece."""
        view.spend_steps(1, DISTANCES_COST)
        moves = partial(movement_notation, mover.law, turns[0], boards=mover.boards)
        return CaptureDistances(mover.push(turns[0]), self.piece.board, self.piece.square, moves)

    def count_moves_to_capture(self, piece: Piece) -> int:
        """Return the least number of moves that a piece needs to capture the hunted piece."""
        there = [roads.moves(piece) for roads in self._roads if piece.board in roads.boards]
        return min([moves for moves in there if moves is not None], default=UNREACHABLE)

    def can_never_capture(self, state: State) -> bool:
        """Tell whether the army can surely never capture the hunted piece."""
        if len(self.movers) != 1 or not self.movers[0][0].settled or multiverse_of(state).boards[self.piece.board].half:
            return not self.movers
        mover, turns = self.movers[0]
        if not mover.open or self.piece.army not in mover.push(turns[0]).captures:
            return True
        own = [piece for piece in multiverse_of(state).standing[self.piece.board].values() if piece.army == self.army]
        able = [piece for piece in own if self.count_moves_to_capture(piece) < UNREACHABLE]
        return not (
            any(self._may_capture(mover, turn, piece) for piece in able for turn in turns)
            if mover.settled_captures
            else able
        )

    def _may_capture(self, mover: Mover, asked: State, piece: Piece) -> bool:
        """Tell whether rules would let a piece, promoted or not, capture the hunted piece."""
        terms = mover.push(asked).law.terms
        for kind in (piece.kind, *(terms.promotion if piece.kind in terms.pawns else ())):
            there = asked.replace(position=multiverse_of(asked).with_pieces(replace(piece, kind=kind)))
            origin, target = (piece.board, piece.square), (self.piece.board, self.piece.square)
            capture = BoardMove(piece.id, self.army, origin, target, mover.boards, "", "", (self.piece.id,))
            if (
                mover.rules_permit(there, capture)
                and capture_result(there.law, there, capture, self.piece.id) != "instead"
            ):
                return True
        return False

    def moves(self, position: Multiverse) -> Iterator[tuple[BoardMove, Callable[[], bool]]]:
        """Yield the moves in a position, each with a function that tells whether rules permit it."""
        for mover, turns in self.movers:
            placed = [state.replace(position=position) for state in turns]
            for move in mover.pseudo_legal_moves(placed[0]):
                yield move, partial(_is_permitted_in_any_turn, mover, placed, move)


def _is_permitted_in_any_turn(mover: Mover, turns: list[State], move: BoardMove) -> bool:
    """Tell whether rules permit a move in any of these turns."""
    return any(mover.rules_permit(state, move) for state in turns)


def _without_other_boards(position: Multiverse, piece: Piece) -> Multiverse:
    """Return a position without the pieces on other boards, if those cannot matter to a piece."""
    if position.boards[piece.board].half:
        return position
    here = {standing_piece.id: standing_piece for standing_piece in position.standing[piece.board].values()}
    return replace(
        position, pieces=here, passings=tuple(passing for passing in position.passings if passing.piece in here)
    )


def find_capturing_line(view: View, state: State, piece: Piece, first: int = 0) -> tuple[tuple[str, ...] | None, int]:
    """Return moves by which one army alone captures a piece, and how many positions were searched.

    So many circuits from now they begin.

    There is no line where no army could ever get there, or all positions were looked at that can come about, and in
    none it can be captured.

    Raises
    ------
    Undecided
        As many positions were looked at as may be, and it is still open.
    """
    position, looked, doubt = _without_other_boards(multiverse_of(state), piece), 0, None
    state = state.replace(position=position)
    own, here = position.armies[piece.army].controller, position.armies_on([piece.board])
    for army, other_army in position.armies.items():
        if other_army.controller == own or army not in here:
            continue
        hunter = _Hunter(view, state, army, piece, first)
        if hunter.can_never_capture(state):
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
    """Search the positions that an army can reach by itself, the most promising first."""
    piece, known, order, left_out = hunter.piece, set[object](), count(), False
    waiting: list[tuple[int, int, SearchNode]] = [(0, next(order), (partial(multiverse_of, state), (), None))]
    while waiting:
        make_position, line, permitted = heappop(waiting)[2]
        multiverse = make_position()
        key = _position_key(multiverse, piece.board)
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
        placed = state.replace(position=multiverse)
        for move, permits in hunter.moves(multiverse):
            told, results = (*line, move.text), [capture_result(state.law, placed, move, id) for id in move.taken]
            if piece.id in move.taken:
                if "instead" not in results and permits():
                    return told, len(known)
            elif {"instead", *UNUSUAL_RESULTS}.isdisjoint(results):
                then: SearchNode = (partial(multiverse.play, move), told, permits)
                heappush(
                    waiting,
                    (len(told) + hunter.count_moves_to_capture(multiverse.moved_piece(move)), next(order), then),
                )
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
    """Tell whether one army could ever capture a piece if no other army moved."""
    state = state_of(view)
    words = describe_piece(state, id)
    if id not in multiverse_of(state).pieces:
        gone = find_piece(state, id)
        view.evidence["can_be_captured"] = f"the {kind_name(gone.kind)} of {gone.army} is gone"
        return False
    piece, timed = multiverse_of(state).pieces[id], clock_fields_of_moves(state.law)
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
        sentence = f"the {words} can be captured: {', '.join(line[:MOST_MOVES_SHOWN])}{more}"
    elif looked:
        sentence = f"nothing captures the {words} in any of the {looked} positions that can come about"
    else:
        sentence = f"no piece of others could ever capture the {words}"
    view.evidence["can_be_captured"] = sentence
    return line is not None
