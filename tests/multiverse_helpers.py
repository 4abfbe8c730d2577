"""What the tests of the multiverse do over and over: find a move, put universes together."""

from __future__ import annotations

from dataclasses import replace

from nomic_nb.chess.multiverse.geometry import UNIVERSE, Geometry
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import Army, Board, BoardMove, Passing, Piece
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import Law


def find_move(state: Multiverse, law: Law, army: str, text: str, boards: tuple[str, ...]) -> BoardMove:
    """Return the legal move that a text such as ``white.e2-white.e4=Q`` names."""
    return next(one for one in Push(state, law, army, boards).moves() if one.text.lower() == text.lower())


def universe(name: str, near: Army, far: Army) -> Multiverse:
    """Return one board with two armies facing each other; `merge` puts several together."""
    state = Multiverse({}, {}, {}).add_board(Board(name, UNIVERSE))
    state = state.add_army(replace(near, home=name, far=False, hand="white"))
    return state.add_army(replace(far, home=name, far=True, hand="black"))


def merge(*parts: Multiverse) -> Multiverse:
    """Return several multiverses as one; pieces of all but the first get new numbers."""
    boards: dict[str, Board] = {}
    armies: dict[str, Army] = {}
    pieces: dict[int, Piece] = {}
    passings: list[Passing] = []
    next_id = 1
    for part in parts:
        boards.update(part.boards)
        armies.update(part.armies)
        offset = next_id - 1
        for number, piece in part.pieces.items():
            pieces[number + offset] = replace(piece, id=number + offset)
        passings.extend(replace(one, piece=one.piece + offset) for one in part.passings)
        next_id += part.next_id - 1
    return Multiverse(boards, armies, pieces, parts[0].join if parts else "rotate", tuple(passings), next_id)


def forget_passings(state: Multiverse, *armies: str) -> Multiverse:
    """Return the multiverse without squares passed by these armies' pieces; of all, if none is named."""
    kept = tuple(one for one in state.passings if armies and state.pieces[one.piece].army not in armies)
    return replace(state, passings=kept)


def with_holes(geometry: Geometry, *names: str) -> Geometry:
    """Return a board with these squares taken out."""
    return replace(geometry, holes=geometry.holes | {geometry.square(name) for name in names})


def attacked(state: Multiverse, law: Law, boards: tuple[str, ...]) -> dict[int, tuple[int, ...]]:
    """Return every royal piece that is attacked on these boards, with the hostile pieces that attack it."""
    there = (Push(state, law, army, boards) for army in state.armies_on(boards))
    return {king: by for push in there for king, by in push.checkers().items()}
