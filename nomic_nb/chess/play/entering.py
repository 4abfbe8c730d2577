"""How armies enter: each on a half-board of its own, or on a universe that it shares with others."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from nomic_nb.chess.multiverse.geometry import MAX_SIZE, Geometry
from nomic_nb.chess.multiverse.pieces import LIVERIES
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.effects import check_join, reaches
from nomic_nb.chess.play.events import set_up_on
from nomic_nb.engine.law.places import One, Players, Some
from nomic_nb.engine.law.values import TEXT, Value
from nomic_nb.engine.law.view import NotDone, Undecided
from nomic_nb.engine.play.cases import names_of
from nomic_nb.engine.play.declaring import effect
from nomic_nb.engine.play.engine import Engine

#: Armies in a game, and letters of the name of an army or a board.
MOST_ARMIES, LONGEST_NAME = len(LIVERIES), 20


class _Home(NamedTuple):
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
    army=One(TEXT, "an army's name"),
    who=Players(),
    boards=Some(TEXT, "universes have names, and"),
)
def enter_army(engine: Engine, effect: Any) -> None:
    """Set up armies on half-boards of their own, one for each player that is named, or on universes of these names."""
    for player in names_of(engine.value(effect.who)):
        named = None if effect.boards is None else engine.value(effect.boards)
        for board in named if isinstance(named, tuple) else (named,):
            if not reaches(engine, str(board)):
                continue
            _enter_one(engine, player, engine.value(effect.army), None if board is None else str(board))


def _enter_one(engine: Engine, player: str, name: Value, board: str | None) -> None:
    state = engine.state
    if player not in state.playing:
        raise Undecided(f"nobody called {player} is in the game")
    armies = multiverse_of(state).armies
    plain = isinstance(name, str) and name.isascii() and name.isalnum() and len(name) <= LONGEST_NAME
    if name in armies:
        raise NotDone(f"there is an army {name} already")
    if not isinstance(name, str) or not plain:
        raise Undecided(f"an army has a name of its own, letters and digits, at most {LONGEST_NAME}")
    if len(armies) >= MOST_ARMIES:
        raise NotDone(f"there are at most {MOST_ARMIES} armies")
    home = _half_board(engine, name) if board is None else _universe(engine, board)
    array = _array(engine, home)
    used = {(army.colour, army.mark) for army in armies.values()}
    colour, mark = next(one for one in (LIVERIES.get(name), *LIVERIES.values()) if one and one not in used)
    data = {"join": engine.read("join.how")} if board is None else {"on": board, "far": home.far}
    engine.emit(
        "army_entered", player, **data, army=name, files=home.geometry.files, ranks=home.geometry.ranks,
        array=array, colour=colour, mark=mark,
    )  # fmt: skip


def _half_board(engine: Engine, name: str) -> _Home:
    """Return a half-board of an army's own, which is called like the army."""
    geometry = _sizes(engine, name)
    if name in multiverse_of(engine.state).boards:
        raise NotDone(f"there is a board {name} already")
    check_join(engine.state, name, geometry.ranks)
    return _Home(name, geometry, len(multiverse_of(engine.state).armies) + 1)


def _universe(engine: Engine, board: str) -> _Home:
    """Return a universe, a new one where there is none of this name, and the side that is still free."""
    there = multiverse_of(engine.state).boards.get(board)
    if there is None:
        if not re.fullmatch(r"[A-Za-z0-9:_-]+", board) or len(board) > LONGEST_NAME or board[-1] == ":":
            raise Undecided(
                f"a universe has a name of letters, digits and colons, at most {LONGEST_NAME}, and not {board[:40]!r}"
            )
        return _Home(board, _sizes(engine, board), 1)
    if there.half:
        raise NotDone(f"{board} is a half-board, and has an army of its own")
    place = sum(army.home == board for army in multiverse_of(engine.state).armies.values()) + 1
    return _Home(board, there.geometry, place, far=place == 2)


def _sizes(engine: Engine, name: str) -> Geometry:
    sizes = [engine.read(key, army=name) for key in ("board.files", "board.ranks")]
    if not all(isinstance(one, int) and 1 <= one <= MAX_SIZE for one in sizes):
        raise Undecided(f"a board has 1 to {MAX_SIZE} files and ranks")
    return Geometry(*sizes)


def _array(engine: Engine, home: _Home) -> list[str]:
    """Return the ranks that an army sets up, once it is sure that there is room for them."""
    array = [str(one) for one in engine.read("army.array", place=home.place)]
    files, ranks = home.geometry.files, home.geometry.ranks
    if len(array) > ranks or any(len(row) != files or not _is_row(row) for row in array):
        raise Undecided(f"an array has at most {ranks} ranks of {files} capital letters, or dots for empty squares")
    standing = multiverse_of(engine.state).standing.get(home.board, {})
    for at, _ in set_up_on(home.geometry, array, far=home.far):
        if at in standing:
            raise NotDone(f"there is no room for the array: something stands on {home.geometry.name(at)} already")
    return array


def _is_row(row: str) -> bool:
    return all(one == "." or "A" <= one <= "Z" for one in row)
