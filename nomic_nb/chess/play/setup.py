"""How armies enter: each on a half-board of its own, or on a universe that it shares with others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from string import ascii_uppercase
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, TypeAlias

from nomic_nb.chess.multiverse.arrangement import (
    Arrangement,
    boards_of_fen,
    read_armies,
    read_fen_of_boards,
    write_armies,
)
from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.geometry import MAX_SIZE, Geometry
from nomic_nb.chess.multiverse.pieces import LIVERIES, Passing, Piece
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.effects import check_joined_depth, rule_applies_on_board
from nomic_nb.chess.play.events import array_squares, new_turn_moves
from nomic_nb.chess.play.functions import chess_terms
from nomic_nb.chess.play.records import current_turn_moves
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.nodes import NotDone, Undecided
from nomic_nb.engine.law.slots import PlayersSlot, SingleSlot, SomeSlot
from nomic_nb.engine.law.values import TEXT, Value
from nomic_nb.engine.play.declarations import FieldSpec, NamesField, WordsField, action, declare_event, effect
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.permissions import check_unanimity, check_undisturbed
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import player_names
from nomic_nb.engine.words import count_phrase, join_words

# ------------------------------------------------------------------------------------------------ how armies enter


#: Armies in a game, and letters of the name of an army or a board.
MOST_ARMIES, LONGEST_NAME = len(LIVERIES), 20


class _ArmyHome(NamedTuple):
    """The board and side on which an army is at home, and its place in the order.

    Parameters
    ----------
    board : str
        Its half-board, or its universe.
    geometry : Geometry
        Of this board.
    place : int
        Which army it is: of all, or of those that are at home in the universe.
    far : bool
        Whether it is on the far side.
    """

    board: str
    geometry: Geometry
    place: int
    far: bool = False


@effect(
    "enter army {army} for {who} [on {boards}]",
    example='enter army "azure" for player',
    makes="army_entered",
    army=SingleSlot(TEXT, "an army's name"),
    who=PlayersSlot(),
    boards=SomeSlot(TEXT, "universes must be given by name"),
)
def enter_army(engine: Engine, effect: Any) -> None:
    """Set up new armies on separate half-boards, one for each player named, or on the universes with these names."""
    for player in player_names(engine.evaluate(effect.who)):
        named = None if effect.boards is None else engine.evaluate(effect.boards)
        for board in named if isinstance(named, tuple) else (named,):
            if not rule_applies_on_board(engine, str(board)):
                continue
            _enter_player_army(engine, player, engine.evaluate(effect.army), None if board is None else str(board))


def _enter_player_army(engine: Engine, player: str, name: Value, board: str | None) -> None:
    """Set up a new army for a player, in the universe `board` or, if that is None, on a new half-board."""
    state = engine.state
    if player not in state.names_of_players:
        raise Undecided("nobody-of-this-name-in-the-game", "no player in the game is called {player}", player=player)
    armies = multiverse_of(state).armies
    plain = isinstance(name, str) and name.isascii() and name.isalnum() and len(name) <= LONGEST_NAME
    if name in armies:
        raise NotDone("army-there-already", "there is already an army called {army}", army=name)
    if not isinstance(name, str) or not plain:
        raise Undecided(
            "army-name-unusable",
            "an army’s name can have only letters and digits, at most {most}",
            most=LONGEST_NAME,
        )
    if len(armies) >= MOST_ARMIES:
        raise NotDone("too-many-armies", "a game can have at most {most} armies", most=MOST_ARMIES)
    home = _home_on_new_half_board(engine, name) if board is None else _find_home_in_universe(engine, board)
    array = _home_array(engine, home)
    used = {(army.colour, army.mark) for army in armies.values()}
    colour, mark = next(livery for livery in (LIVERIES.get(name), *LIVERIES.values()) if livery and livery not in used)
    data = {"join": engine.read("join.how")} if board is None else {"on": board, "far": home.far}
    engine.emit(
        "army_entered", player, **data, army=name, files=home.geometry.files, ranks=home.geometry.ranks,
        array=array, colour=colour, mark=mark,
    )  # fmt: skip


def _home_on_new_half_board(engine: Engine, name: str) -> _ArmyHome:
    """Return the home (board, side, place) of a new army on a half-board of its own, which has its name."""
    geometry = _new_board_geometry(engine, name)
    if name in multiverse_of(engine.state).boards:
        raise NotDone("board-there-already", "there is already a board called {board}", board=name)
    check_joined_depth(engine.state, name, geometry.ranks)
    return _ArmyHome(name, geometry, len(multiverse_of(engine.state).armies) + 1)


def _find_home_in_universe(engine: Engine, board: str) -> _ArmyHome:
    """Return the home (board, side, place) of a new army in a universe, on the side that is still free."""
    there = multiverse_of(engine.state).boards.get(board)
    if there is None:
        if not re.fullmatch(r"[A-Za-z0-9:_-]+", board) or len(board) > LONGEST_NAME or board[-1] == ":":
            raise Undecided(
                "universe-name-unusable",
                "a universe can’t be called {board!r}: its name must be letters, digits and colons, at most {most}",
                most=LONGEST_NAME,
                board=board[:40],
            )
        return _ArmyHome(board, _new_board_geometry(engine, board), 1)
    if there.half:
        raise NotDone("half-board-taken", "{board} is a half-board and already has its own army", board=board)
    place = sum(army.home == board for army in multiverse_of(engine.state).armies.values()) + 1
    return _ArmyHome(board, there.geometry, place, far=place == 2)


def _new_board_geometry(engine: Engine, name: str) -> Geometry:
    """Return the geometry that the law gives to the board of a new army."""
    sizes = [engine.read(key, army=name) for key in ("board.files", "board.ranks")]
    if not all(isinstance(siz, int) and 1 <= siz <= MAX_SIZE for siz in sizes):
        raise Undecided(
            "board-size-not-allowed", "a board must have 1 to {most} files and 1 to {most} ranks", most=MAX_SIZE
        )
    return Geometry(*sizes)


def _home_array(engine: Engine, home: _ArmyHome) -> list[str]:
    """Return the rows of kinds that an army sets up by law, or raise if they do not fit on its board."""
    array = [str(row) for row in engine.read("army.array", place=home.place)]
    files, ranks = home.geometry.files, home.geometry.ranks
    if len(array) > ranks or any(len(row) != files or not {*row} <= {".", *ascii_uppercase} for row in array):
        raise Undecided(
            "array-of-wrong-size",
            "an array can have at most {ranks} ranks, each with {files} capital letters (dots for empty squares)",
            ranks=ranks,
            files=files,
        )
    standing = multiverse_of(engine.state).standing.get(home.board, {})
    for at, _ in array_squares(home.geometry, array, far=home.far):
        if at in standing:
            raise NotDone(
                "no-room-for-array",
                "there is no room for the array: {square} is already occupied",
                square=home.geometry.name(at),
            )
    return array


# ----------------------------------------------------------------------------------------------- setting up boards


#: A FEN, or the pieces of every army.
GivenPosition: TypeAlias = Annotated[str | dict[str, str], FieldSpec(said="a FEN, or the pieces of every army")]


@action("set_up", host=True)
def set_up(engine: Engine, position: GivenPosition, agreed: NamesField, reason: WordsField) -> None:
    """Set up the boards in a position that everyone at the table agrees on."""
    state = engine.state
    check_undisturbed(state)
    if state.position is None:
        raise IllegalAction("no-boards-to-set-up", "this game has no boards to set up pieces on")
    if state.waiting:
        raise IllegalAction(
            "setup-during-a-decision", "somebody has to roll or choose first. After that, you can set up the boards"
        )
    if state.mated or any(turn.march is not None and turn.march.pushes for turn in state.turns):
        raise IllegalAction(
            "setup-during-the-moves",
            "you can’t set up the boards in the middle of a turn’s moves. Do it before the first move",
        )
    who, why = check_unanimity(state, agreed, reason, "setting up boards")
    try:
        arrangement = _read_given_position(state, position)
    except MultiverseError as error:
        raise IllegalAction(error.said) from None
    _check_kinds_can_move(state, arrangement)
    pieces = [
        [placed.kind, placed.army, placed.board, placed.square, placed.moved, placed.royal]
        for placed in arrangement.pieces
    ]
    engine.emit("set_up", pieces=pieces, agreed=who, reason=why, data={"passed": arrangement.passed})


def _read_given_position(state: State, position: object) -> Arrangement:
    """Read a position that players give, as a FEN or as the pieces of every army."""
    if isinstance(position, str):
        multiverse, march = multiverse_of(state), current_turn_moves(state)
        mover = march.armies[0] if march is not None and len(march.armies) == 1 else None  # of the current turn
        terms = chess_terms(state.law, state, mover or next(iter(multiverse.armies)), boards_of_fen(multiverse))
        return read_fen_of_boards(multiverse, position, terms, mover)
    texts = position if isinstance(position, Mapping) else {}
    return read_armies(multiverse_of(state), texts, pawn_kinds(state))


def pawn_kinds(state: State) -> str:
    """Return the letters of the kinds that are pawns by law, in one text; empty if the law gives no answer."""
    finding = state.find("pawn.kinds", push=tuple(multiverse_of(state).boards)[:1])
    return "".join(finding.value if finding.answered else ()).lower()


def _check_kinds_can_move(state: State, arrangement: Arrangement) -> None:
    """Refuse to set up pieces for which no rule says how they move."""
    for kind, army, board in dict.fromkeys((placed.kind, placed.army, placed.board) for placed in arrangement.pieces):
        if state.find("piece.moves", army=army, kind=kind.upper(), push=(board,)).outcome == "silent":
            raise IllegalAction(
                "cannot-set-up-unmoving-kind",
                "no rule says how {army}’s piece {kind} moves, so it can’t be set up",
                kind=kind.upper(),
                army=army,
            )


def position_as_texts(state: State) -> dict[str, str]:
    """Return the text of each army's pieces, by army name, as the action `set_up` takes them."""
    return write_armies(multiverse_of(state), pawn_kinds(state))


def _describe_set_up(event: Event) -> str:
    """Return the sentence that tells who set up the boards, and why."""
    data = event.data
    pieces = count_phrase(len(data["pieces"]), "piece")
    return f"{join_words(data['agreed'])} set up {pieces} on the boards ({data['reason']})"


@declare_event("set_up", told=_describe_set_up)
def _apply_set_up(state: State, event: Event) -> State:
    """Return the state after the boards were set up."""
    position, left = multiverse_of(state), dict(multiverse_of(state).pieces)
    bare = replace(position, pieces=MappingProxyType({}), passings=())
    kept = _match_old_pieces(left, event.data["pieces"])
    ids = []
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
    state = state.replace(position=bare, gone={**state.gone, **left})
    # The moves of the turns in progress are those of the boards as they are now.
    turns = tuple(replace(turn, march=new_turn_moves(state, turn.army, turn.player)) for turn in state.turns)
    return state.replace(turns=turns)


def _match_old_pieces(old_pieces: Mapping[int, Piece], new_pieces: list[list[Any]]) -> dict[int, int]:
    """Return, by index in `new_pieces`, the number of the old piece that each of them continues."""
    kept: dict[int, int] = {}
    for stays in (True, False):
        for at, (kind, army, board, square, *_) in enumerate(new_pieces):
            same = (
                id
                for id, piece in old_pieces.items()
                if id not in kept.values()
                and (piece.kind, piece.army) == (kind, army)
                and (not stays or piece.place == (board, square))
            )
            piece_id = next(same, None) if at not in kept else None
            if piece_id is not None:
                kept[at] = piece_id
    return kept
