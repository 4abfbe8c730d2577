"""Functions of the law on boards, armies, pieces and squares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

from nomic_nb.law.values import NUMBER, TEXT, Ref, Type, Value, list_of, maybe
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import Fact, Function
from nomic_nb.multiverse.pieces import COLOURS, MARKS, livery
from nomic_nb.play.chess.keys import ARMIES, ARMY, BOARD, PIECES, PLAYER, SQUARE
from nomic_nb.play.chess.records import (
    armies_at,
    army_of,
    board_of,
    many_refs,
    one_ref,
    position_of,
    refs,
    royal,
    royal_among,
    square_of,
)
from nomic_nb.play.state import state_of

PLAYERS, SQUARES = list_of(PLAYER), list_of(SQUARE)
_ON = ("position",)


def _controlled(view: View, player: Value) -> tuple[str, ...]:
    name = one_ref(player, "player").id
    return tuple(army.name for army in armies_at(state_of(view)).values() if army.controller == name)


def _armies_of(view: View, player: Value) -> Value:
    return refs("army", _controlled(view, player))


def _armies_in(_: View, armies: Value) -> Value:
    return many_refs(armies, "army")


def _kings_of(view: View, army: Value) -> Value:
    name = one_ref(army, "army").id
    position = position_of(view)
    own = sorted(id for id, piece in position.pieces.items() if piece.army == name and royal(view, piece))
    return refs("piece", own)


def _pieces_of(view: View, player: Value) -> Value:
    armies, pieces = _controlled(view, player), position_of(view).pieces
    return refs("piece", sorted(id for id, piece in pieces.items() if piece.army in armies))


def _royals_of(view: View, player: Value) -> Value:
    armies = _controlled(view, player)
    return royal_among(view, (one for one in position_of(view).pieces.values() if one.army in armies))


def _royals(view: View) -> Value:
    return royal_among(view, position_of(view).pieces.values())


def ladder(view: View) -> tuple[str, ...]:
    """Return the kinds in order, as the law has them."""
    return tuple(str(one) for one in cast(tuple[Value, ...], view.key("ladder.kinds")))


def _on_ladder(view: View, player: Value, steps: Callable[[int, int], bool]) -> Value:
    armies = _controlled(view, player)
    if not armies:
        return ()
    kinds = ladder(view)
    found = [
        piece
        for piece in position_of(view).pieces.values()
        if piece.army in armies
        and piece.kind.upper() in kinds
        and steps(kinds.index(piece.kind.upper()), len(kinds))
        and not royal(view, piece)
    ]
    return refs("piece", [piece.id for piece in sorted(found, key=lambda one: one.id)])


def _promotable(view: View, player: Value) -> Value:
    return _on_ladder(view, player, lambda at, count: at + 1 < count)


def _demotable(view: View, player: Value) -> Value:
    return _on_ladder(view, player, lambda at, _: at >= 0)


def _captor(view: View, army: Value) -> Value:
    captor = state_of(view).mated.get(str(one_ref(army, "army").id))
    if captor is None:
        raise Undecided("this army is not mated")
    return Ref("player", captor)


def _next_of(view: View, liveries: Iterable[tuple[str, int]]) -> Value:
    """Return the name of the first of these colours and marks that no army has."""
    armies = armies_at(state_of(view))
    names = (colour if mark == 0 else f"{colour}{mark + 1}" for colour, mark in liveries)
    free = next((name for name in names if name not in armies), None)
    if free is None:
        raise Undecided("there are no colours left for another army")
    return free


def _next_colour(view: View) -> Value:
    return _next_of(view, map(livery, range(len(COLOURS) * MARKS)))


def _next_mark(view: View, place: Value) -> Value:
    if not isinstance(place, int) or not 1 <= place <= len(COLOURS):
        raise Undecided(f"colours have places from 1 to {len(COLOURS)}")
    return _next_of(view, ((COLOURS[place - 1], mark) for mark in range(MARKS)))


def _on_rank(view: View, board: Value, rank: Value) -> Value:
    found = board_of(view, one_ref(board, "board").id)
    if not isinstance(rank, int):
        raise Undecided("a rank is a whole number")
    files, standing = found.geometry.files, position_of(view).standing[found.name]
    row = [square for square in sorted(standing) if square // files + 1 == rank]
    return refs("piece", [standing[square].id for square in row])


def _army_named(view: View, name: Value) -> Value:
    return Ref("army", army_of(view, str(name)).name)


def _square_named(view: View, name: Value) -> Value:
    board, square = square_of(position_of(view), str(name))
    return Ref("square", position_of(view).name(board, square))


def _board_named(view: View, name: Value) -> Value:
    return Ref("board", board_of(view, str(name)).name)


def _empty(view: View, board: Value) -> Value:
    found = board_of(view, one_ref(board, "board").id)
    position = position_of(view)
    there = position.standing[found.name]
    free = [at for at in range(found.geometry.size) if found.geometry.full >> at & 1 and at not in there]
    return refs("square", [position.name(found.name, at) for at in free])


def _square_at(view: View, board: Value, file: Value, rank: Value) -> Value:
    found = board_of(view, one_ref(board, "board").id)
    shape = found.geometry
    if not isinstance(file, int) or not isinstance(rank, int):
        raise Undecided("files and ranks are whole numbers")
    at = (rank - 1) * shape.files + file - 1
    if not (1 <= file <= shape.files and 1 <= rank <= shape.ranks) or at in shape.holes:
        return None
    return Ref("square", position_of(view).name(found.name, at))


def _neighbours(view: View, square: Value) -> Value:
    position = position_of(view)
    board, at = square_of(position, one_ref(square, "square").id)
    shape = position.boards[board].geometry
    steps = ((right, ahead) for ahead in (-1, 0, 1) for right in (-1, 0, 1) if right or ahead)
    found = {shape.step(at, right, ahead) for right, ahead in steps} - {None, at}
    return refs("square", [position.name(board, one) for one in sorted(cast("set[int]", found))])


def _all_squares(view: View) -> Value:
    position = state_of(view).position
    boards = position.boards.values() if position is not None else ()
    return refs("square", [
        position_of(view).name(one.name, at)
        for one in boards for at in range(one.geometry.size) if one.geometry.full >> at & 1
    ])  # fmt: skip


def _in_batting_order(view: View, players: Value) -> Value:
    named, state = [ref.id for ref in many_refs(players, "player")], state_of(view)
    order = dict.fromkeys([*(army.controller for army in armies_at(state).values()), *state.players])
    return refs("player", [name for name in order if name in named])


_ANY = Type("any")

FACTS = (
    Fact("royals", PIECES, "the royal pieces on the boards", _ON, _royals, keys=("royal.kinds",)),
    Fact("squares", SQUARES, "all squares, board by board", _ON, _all_squares),
)  # fmt: skip

FUNCTIONS = (
    Function("armies_of", (PLAYER,), ARMIES, "the armies that a player controls", _armies_of, reads=_ON),
    Function("armies_in", (_ANY,), ARMIES, "an army, or armies, as a list", _armies_in),
    Function("in_batting_order", (PLAYERS,), PLAYERS, "these players, in the order of the armies that they control",
             _in_batting_order, reads=("position", "players")),
    Function("kings_of", (ARMY,), PIECES, "an army's royal pieces", _kings_of, reads=_ON, keys=("royal.kinds",)),
    Function("pieces_of", (PLAYER,), PIECES, "a player's pieces on the boards", _pieces_of, reads=_ON),
    Function("royals_of", (PLAYER,), PIECES, "the royal pieces of a player", _royals_of, reads=_ON,
             keys=("royal.kinds",)),
    Function("promotable", (PLAYER,), PIECES, "a player's pieces that can go up the ladder", _promotable, reads=_ON,
             keys=("ladder.kinds", "royal.kinds")),
    Function("demotable", (PLAYER,), PIECES, "a player's pieces that can go down the ladder", _demotable, reads=_ON,
             keys=("ladder.kinds", "royal.kinds")),
    Function("captor", (ARMY,), PLAYER, "who gets an army once it is mated", _captor, reads=("mated",)),
    Function("next_colour", (), TEXT, "the name of the next army: a colour that none has yet", _next_colour, reads=_ON),
    Function("next_mark", (NUMBER,), TEXT, "the name of the next army in the colour of this place, 1 for the first: "
             "white, white2, white3", _next_mark, reads=_ON),
    Function("pieces_on_rank", (BOARD, NUMBER), PIECES, "the pieces on a rank of a board", _on_rank, reads=_ON),
    Function("empty_squares", (BOARD,), SQUARES, "the empty squares of a board: those on which nothing stands",
             _empty, reads=_ON),
    Function("square_at", (BOARD, NUMBER, NUMBER), maybe(SQUARE), "the square on a file and a rank of a board, 1 for "
             "the first of each; none where there is none", _square_at, reads=_ON),
    Function("neighbours", (SQUARE,), SQUARES, "the squares around a square, on its board", _neighbours, reads=_ON),
    Function("army_named", (TEXT,), ARMY, "the army of this name", _army_named, reads=_ON),
    Function("board_named", (TEXT,), BOARD, "the board of this name", _board_named, reads=_ON),
    Function("square_named", (TEXT,), SQUARE, "the square of this name, such as white.e4", _square_named, reads=_ON),
)  # fmt: skip
