"""How armies enter: each on a half-board of its own, or on a universe that it shares with others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, TypeAlias

from nomic_nb.chess.multiverse.arrangement import Arrangement, boards_of_fen, read_armies, read_fen_on, write_armies
from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.geometry import MAX_SIZE, Geometry
from nomic_nb.chess.multiverse.pieces import LIVERIES, Passing, Piece
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.effects import check_join, rule_reaches
from nomic_nb.chess.play.events import home_squares, moves_of_turn
from nomic_nb.chess.play.functions import chess_terms
from nomic_nb.chess.play.records import current_moves
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.nodes import NotDone, Undecided
from nomic_nb.engine.law.slots import PlayersSlot, SingleSlot, SomeSlot
from nomic_nb.engine.law.values import TEXT, Value
from nomic_nb.engine.messages import say
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
    """Where an army is at home.

    Parameters
    ----------
    board : str
        Its half-board, or its universe.
    geometry : Geometry
        Of this board.
    place : int
        Which army it is: of all, or of those that are at home in the universe.
    far : bool
        Whether it stands on the far side.
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
    boards=SomeSlot(TEXT, "universes have names, and"),
)
def enter_army(engine: Engine, effect: Any) -> None:
    """Set up armies on half-boards of their own, one for each player that is named, or on universes of these names."""
    for player in player_names(engine.value(effect.who)):
        named = None if effect.boards is None else engine.value(effect.boards)
        for board in named if isinstance(named, tuple) else (named,):
            if not rule_reaches(engine, str(board)):
                continue
            _enter_player_army(engine, player, engine.value(effect.army), None if board is None else str(board))


def _enter_player_army(engine: Engine, player: str, name: Value, board: str | None) -> None:
    state = engine.state
    if player not in state.playing:
        raise Undecided(say("nobody-of-this-name-in-the-game", "nobody called {player} is in the game", player=player))
    armies = multiverse_of(state).armies
    plain = isinstance(name, str) and name.isascii() and name.isalnum() and len(name) <= LONGEST_NAME
    if name in armies:
        raise NotDone(say("army-there-already", "there is an army {army} already", army=name))
    if not isinstance(name, str) or not plain:
        raise Undecided(
            say(
                "army-name-unusable",
                "an army has a name of its own, letters and digits, at most {most}",
                most=LONGEST_NAME,
            )
        )
    if len(armies) >= MOST_ARMIES:
        raise NotDone(say("too-many-armies", "there are at most {most} armies", most=MOST_ARMIES))
    home = _new_half_board(engine, name) if board is None else _find_universe(engine, board)
    array = _home_array(engine, home)
    used = {(army.colour, army.mark) for army in armies.values()}
    colour, mark = next(one for one in (LIVERIES.get(name), *LIVERIES.values()) if one and one not in used)
    data = {"join": engine.read("join.how")} if board is None else {"on": board, "far": home.far}
    engine.emit(
        "army_entered", player, **data, army=name, files=home.geometry.files, ranks=home.geometry.ranks,
        array=array, colour=colour, mark=mark,
    )  # fmt: skip


def _new_half_board(engine: Engine, name: str) -> _ArmyHome:
    """Return a half-board of an army's own, which is called like the army."""
    geometry = _board_sizes(engine, name)
    if name in multiverse_of(engine.state).boards:
        raise NotDone(say("board-there-already", "there is a board {board} already", board=name))
    check_join(engine.state, name, geometry.ranks)
    return _ArmyHome(name, geometry, len(multiverse_of(engine.state).armies) + 1)


def _find_universe(engine: Engine, board: str) -> _ArmyHome:
    """Return a universe, a new one where there is none of this name, and the side that is still free."""
    there = multiverse_of(engine.state).boards.get(board)
    if there is None:
        if not re.fullmatch(r"[A-Za-z0-9:_-]+", board) or len(board) > LONGEST_NAME or board[-1] == ":":
            raise Undecided(
                say(
                    "universe-name-unusable",
                    "a universe has a name of letters, digits and colons, at most {most}, and not {board!r}",
                    most=LONGEST_NAME,
                    board=board[:40],
                )
            )
        return _ArmyHome(board, _board_sizes(engine, board), 1)
    if there.half:
        raise NotDone(say("half-board-taken", "{board} is a half-board, and has an army of its own", board=board))
    place = sum(army.home == board for army in multiverse_of(engine.state).armies.values()) + 1
    return _ArmyHome(board, there.geometry, place, far=place == 2)


def _board_sizes(engine: Engine, name: str) -> Geometry:
    sizes = [engine.read(key, army=name) for key in ("board.files", "board.ranks")]
    if not all(isinstance(one, int) and 1 <= one <= MAX_SIZE for one in sizes):
        raise Undecided(say("board-size-not-allowed", "a board has 1 to {most} files and ranks", most=MAX_SIZE))
    return Geometry(*sizes)


def _home_array(engine: Engine, home: _ArmyHome) -> list[str]:
    """Return the ranks that an army sets up, once it is sure that there is room for them."""
    array = [str(one) for one in engine.read("army.array", place=home.place)]
    files, ranks = home.geometry.files, home.geometry.ranks
    if len(array) > ranks or any(len(row) != files or not _is_array_row(row) for row in array):
        raise Undecided(
            say(
                "array-of-wrong-size",
                "an array has at most {ranks} ranks of {files} capital letters, or dots for empty squares",
                ranks=ranks,
                files=files,
            )
        )
    standing = multiverse_of(engine.state).standing.get(home.board, {})
    for at, _ in home_squares(home.geometry, array, far=home.far):
        if at in standing:
            raise NotDone(
                say(
                    "no-room-for-array",
                    "there is no room for the array: something stands on {square} already",
                    square=home.geometry.name(at),
                )
            )
    return array


def _is_array_row(row: str) -> bool:
    return all(one == "." or "A" <= one <= "Z" for one in row)


# ----------------------------------------------------------------------------------------------- setting up boards


#: A FEN, or the pieces of every army.
GivenPosition: TypeAlias = Annotated[str | dict[str, str], FieldSpec(said="a FEN, or the pieces of every army")]


@action("set_up", host=True)
def set_up(engine: Engine, position: GivenPosition, agreed: NamesField, reason: WordsField) -> None:
    """Set up the boards, because everyone at the table agrees on how they stand."""
    state = engine.state
    check_undisturbed(state)
    if state.position is None:
        raise IllegalAction(
            say("no-boards-to-set-up", "there are no boards in this game on which pieces could be set up")
        )
    if state.waiting:
        raise IllegalAction(
            say("setup-during-a-decision", "somebody has to throw or to choose first; boards are set up after that")
        )
    if state.mated or any(turn.march is not None and turn.march.pushes for turn in state.turns):
        raise IllegalAction(
            say("setup-during-the-moves", "boards are set up before the moves of a turn, and not in the middle of them")
        )
    who, why = check_unanimity(state, agreed, reason, "setting up boards")
    try:
        made = _read_position(state, position)
    except MultiverseError as error:
        raise IllegalAction(error.said) from None
    _check_kinds(state, made)
    pieces = [[one.kind, one.army, one.board, one.square, one.moved, one.royal] for one in made.pieces]
    engine.emit("set_up", pieces=pieces, agreed=who, reason=why, data={"passed": made.passed})


def _read_position(state: State, position: object) -> Arrangement:
    if isinstance(position, str):
        there, march = multiverse_of(state), current_moves(state)
        mover = march.armies[0] if march is not None and len(march.armies) == 1 else None  # of the turn at hand
        terms = chess_terms(state.law, state, mover or next(iter(there.armies)), boards_of_fen(there))
        return read_fen_on(there, position, terms, mover)
    texts = position if isinstance(position, Mapping) else {}
    return read_armies(multiverse_of(state), texts, _pawn_kinds(state))


def _pawn_kinds(state: State) -> str:
    """Return the kinds that the law takes for pawns."""
    return "".join(state.read("pawn.kinds", push=tuple(multiverse_of(state).boards)[:1])).lower()


def _check_kinds(state: State, made: Arrangement) -> None:
    """Refuse pieces of which no rule says how they move."""
    for kind, army, board in dict.fromkeys((one.kind, one.army, one.board) for one in made.pieces):
        if state.find("piece.moves", army=army, kind=kind.upper(), push=(board,)).outcome == "silent":
            raise IllegalAction(
                say(
                    "cannot-set-up-unmoving-kind",
                    "no rule says how a piece {kind} of {army} moves; it cannot be set up",
                    kind=kind.upper(),
                    army=army,
                )
            )


def written_position(state: State) -> dict[str, str]:
    """Return the pieces of every army as they stand, as `set_up` takes them."""
    return write_armies(multiverse_of(state), _pawn_kinds(state))


def _describe_set_up(event: Event) -> str:
    data = event.data
    pieces = count_phrase(len(data["pieces"]), "piece")
    return f"{join_words(data['agreed'])} set up {pieces} on the boards ({data['reason']})"


@declare_event("set_up", told=_describe_set_up)
def _apply_set_up(state: State, event: Event) -> State:
    position, left = multiverse_of(state), dict(multiverse_of(state).pieces)
    bare = replace(position, pieces=MappingProxyType({}), passings=())
    kept = _unchanged_pieces(left, event.data["pieces"])
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
    state = state.replace(position=bare, gone={**state.gone, **left})
    # The moves of the turns under way are those of the boards as they stand now.
    turns = tuple(replace(turn, march=moves_of_turn(state, turn.army, turn.player)) for turn in state.turns)
    return state.replace(turns=turns)


def _unchanged_pieces(there: Mapping[int, Piece], pieces: list[list[Any]]) -> dict[int, int]:
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
