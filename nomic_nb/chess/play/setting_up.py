"""Setting up boards: what everybody at the table agrees on, for problems and for games that are gone on with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, Any, TypeAlias

from nomic_nb.chess.multiverse.arrangement import Arrangement, boards_of_fen, read_armies, read_fen_on, write_armies
from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.pieces import Passing, Piece
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.events import march_of
from nomic_nb.chess.play.records import march_at_hand
from nomic_nb.chess.play.terms import terms_of
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.play.declaring import Names, Takes, Words, action, happens
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.permission import agreed_by_all, calm
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import listed, plural

#: A FEN, or the pieces of every army.
Given: TypeAlias = Annotated[str | dict[str, str], Takes(said="a FEN, or the pieces of every army")]


@action("set_up", host=True)
def set_up(engine: Engine, position: Given, agreed: Names, reason: Words) -> None:
    """Set up the boards, because everyone at the table agrees on how they stand."""
    state = engine.state
    calm(state)
    if state.position is None:
        raise IllegalAction("there are no boards in this game on which pieces could be set up")
    if state.waiting:
        raise IllegalAction("somebody has to throw or to choose first; boards are set up after that")
    if state.mated or any(turn.march is not None and turn.march.pushes for turn in state.turns):
        raise IllegalAction("boards are set up before the moves of a turn, and not in the middle of them")
    who, why = agreed_by_all(state, agreed, reason, "setting up boards")
    try:
        made = _read(state, position)
    except MultiverseError as error:
        raise IllegalAction(str(error)) from None
    _check_kinds(state, made)
    pieces = [[one.kind, one.army, one.board, one.square, one.moved, one.royal] for one in made.pieces]
    engine.emit("set_up", pieces=pieces, agreed=who, reason=why, data={"passed": made.passed})


def _read(state: State, position: object) -> Arrangement:
    if isinstance(position, str):
        there, march = multiverse_of(state), march_at_hand(state)
        mover = march.armies[0] if march is not None and len(march.armies) == 1 else None  # of the turn at hand
        terms = terms_of(state.law, state, mover or next(iter(there.armies)), boards_of_fen(there))
        return read_fen_on(there, position, terms, mover)
    texts = position if isinstance(position, Mapping) else {}
    return read_armies(multiverse_of(state), texts, _pawns(state))


def _pawns(state: State) -> str:
    """Return the kinds that the law takes for pawns."""
    return "".join(state.read("pawn.kinds", push=tuple(multiverse_of(state).boards)[:1])).lower()


def _check_kinds(state: State, made: Arrangement) -> None:
    """Refuse pieces of which no rule says how they move."""
    for kind, army, board in dict.fromkeys((one.kind, one.army, one.board) for one in made.pieces):
        if state.find("piece.moves", army=army, kind=kind.upper(), push=(board,)).outcome == "silent":
            raise IllegalAction(f"no rule says how a piece {kind.upper()} of {army} moves; it cannot be set up")


def arrangement(state: State) -> dict[str, str]:
    """Return the pieces of every army as they stand, as `set_up` takes them."""
    return write_armies(multiverse_of(state), _pawns(state))


def _told(event: Event) -> str:
    data = event.data
    return f"{listed(data['agreed'])} set up {plural(len(data['pieces']), 'piece')} on the boards ({data['reason']})"


@happens("set_up", told=_told)
def _set_up(state: State, event: Event) -> State:
    position, left = multiverse_of(state), dict(multiverse_of(state).pieces)
    bare = replace(position, pieces=MappingProxyType({}), passings=())
    kept = _known(left, event.data["pieces"])
    ids: list[int] = []
    for at, (kind, army, board, square, moved, royal) in enumerate(event.data["pieces"]):
        if at in kept:
            piece = replace(left.pop(kept[at]), board=board, square=square, moved=moved, royal=royal)
            bare = bare.with_pieces(piece)
            ids.append(piece.id)
        else:
            ids.append(bare.next_id)
            bare = bare.place(kind, army, board, square, moved=moved, royal=royal)
    if "passed" in event.data:
        board, square, at = event.data["passed"]
        bare = replace(bare, passings=(Passing(board, square, ids[at]),))
    state = state.but(position=bare, gone={**state.gone, **left})
    # The moves of the turns under way are those of the boards as they stand now.
    turns = tuple(replace(turn, march=march_of(state, turn.army, turn.player)) for turn in state.turns)
    return state.but(turns=turns)


def _known(there: Mapping[int, Piece], pieces: list[list[Any]]) -> dict[int, int]:
    """Return which pieces are still the ones that they were: those that stay first, then others of army and kind."""
    kept: dict[int, int] = {}
    for stays in (True, False):
        for at, (kind, army, board, square, *_) in enumerate(pieces):
            same = (
                id
                for id, one in there.items()
                if id not in kept.values()
                and (one.kind, one.army) == (kind, army)
                and (not stays or (one.board, one.square) == (board, square))
            )
            found = next(same, None) if at not in kept else None
            if found is not None:
                kept[at] = found
    return kept
