"""What rules can say of boards, armies, pieces and squares: records, facts and functions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import cast

from nomic_nb.law.values import NUMBER, TEXT, TRUTH, Ref, Type, Value, list_of, maybe
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import Fact, Field, Function, Record
from nomic_nb.multiverse.armies import COLOURS, MARKS, Army, livery
from nomic_nb.multiverse.errors import MultiverseError
from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.multiverse.pieces import Board, Piece
from nomic_nb.multiverse.terms import NAMES
from nomic_nb.play.chess.keys import ARMIES, ARMY, BOARD, BOARDS, KIND, PIECE, PIECES, PLAYER, SQUARE
from nomic_nb.play.declaring import fact, of_each
from nomic_nb.play.state import State, state_of
from nomic_nb.play.values import March

PLAYERS, SQUARES = list_of(PLAYER), list_of(SQUARE)
_ON, _ANYWHERE = ("position",), ("position", "gone")


def position_of(view: View) -> Multiverse:
    """Return the boards as they stand.

    Raises
    ------
    Undecided
        There are none in this game.
    """
    position = state_of(view).position
    if position is None:
        raise Undecided("there are no boards in this game")
    return position


def refs(kind: str, ids: Iterable[str | int]) -> tuple[Value, ...]:
    """Return things as the law points at them."""
    return tuple(Ref(kind, id) for id in ids)


def army_of(view: View, id: str | int) -> Army:
    """Return an army by its name."""
    found = position_of(view).armies.get(str(id))
    if found is None:
        raise Undecided(f"there is no army {id}")
    return found


def piece_of(state: State, id: str | int) -> Piece:
    """Return a piece, on a board or gone from it."""
    here = state.position.pieces.get(cast(int, id)) if state.position is not None else None
    found = here or state.gone.get(cast(int, id))
    if found is None:
        raise Undecided("there is no such piece")
    return found


def board_of(view: View, id: str | int) -> Board:
    """Return a board by its name."""
    found = position_of(view).boards.get(str(id))
    if found is None:
        raise Undecided(f"there is no board {id}")
    return found


def square_of(position: Multiverse, name: str | int) -> tuple[str, int]:
    """Return board and square by a name such as ``white.e4``."""
    try:
        return position.square(str(name))
    except MultiverseError as error:
        raise Undecided(str(error)) from None


def where_of(env: Mapping[str, Value], state: object) -> str | None:
    """Return the universe that a case is in: where is played, or where its piece or square is."""
    push, board, piece, square = (env.get(name) for name in ("push", "board", "piece", "square"))
    if isinstance(push, tuple) and not isinstance(push, Ref):
        return str(cast(Ref, push[0]).id) if len(push) == 1 else None
    if isinstance(board, Ref):
        return str(board.id)
    if isinstance(piece, Ref):
        return piece_of(cast("State", state), piece.id).board
    return str(square.id).rpartition(".")[0] if isinstance(square, Ref) else None


def one_ref(value: Value, kind: str) -> Ref:
    """Return what the law points at, one thing of a kind."""
    if isinstance(value, Ref) and value.kind == kind:
        return value
    raise Undecided(f"there is no {kind} here")


def many_refs(value: Value, kind: str) -> tuple[Ref, ...]:
    """Return what the law points at, one thing of a kind, several or none."""
    if value is None:
        return ()
    if isinstance(value, tuple) and not isinstance(value, Ref):
        return tuple(one for each in value for one in many_refs(each, kind))
    return (one_ref(value, kind),)


def piece_words(state: State, id: str | int) -> str:
    """Name a piece for people: its kind and where it stands."""
    piece = piece_of(state, id)
    kind = NAMES.get(piece.kind, piece.kind.upper())
    if state.position is None or piece.id not in state.position.pieces:
        hand = any(id in ids for ids in state.hands.values())
        return f"{kind} of {piece.army}, {'in hand' if hand else 'gone'}"
    owner = "" if piece.army == piece.board else f" of {piece.army}"
    return f"{kind}{owner} {state.position.name(piece.board, piece.square)}"


def march_at_hand(state: State) -> March | None:
    """Return the moves of the turn at hand, where it has any."""
    return state.go.march if state.go is not None else None


def own_pieces(view: View, army: str | int) -> tuple[Value, ...]:
    """Return an army's pieces, in the order of their numbers."""
    pieces = position_of(view).pieces
    return refs("piece", sorted(id for id, piece in pieces.items() if piece.army == army))


def royal(view: View, piece: Piece) -> bool:
    """Tell whether a piece is royal: as it was designated, or as its kind is."""
    if piece.royal is not None:
        return piece.royal
    kinds = cast(tuple[Value, ...], view.key("royal.kinds", push=(Ref("board", piece.board),)))
    return piece.kind.upper() in kinds


def _counter(kind: str) -> Callable[[View, int | str, str], Value]:
    def get(view: View, id: int | str, name: str) -> Value:
        marks = state_of(view).marks.get(name)
        if marks is None or marks.per != kind:
            raise Undecided(f"no rule ever tracked {name} per {kind}")
        return marks.values.get(id, marks.start)

    return get


def _piece_at(view: View, id: int | str) -> Piece:
    return piece_of(state_of(view), id)


def _piece(get: Callable[[View, Piece], Value]) -> Callable[[View, int | str], Value]:
    return lambda view, id: get(view, _piece_at(view, id))


def _standing(view: View, piece: Piece) -> Value:
    position = position_of(view)
    if piece.id not in position.pieces:
        return None
    return Ref("square", position.name(piece.board, piece.square))


def _at_end(view: View, piece: Piece) -> Value:
    """Tell whether a piece stands on the back rank of a half-board that is not its army's."""
    position = position_of(view)
    if piece.id not in position.pieces:
        return False
    army, board = position.armies[piece.army], position.boards[piece.board]
    rank = piece.square // board.geometry.files
    if board.half:
        return army.home != board.name and rank == 0
    return rank == (0 if army.far else board.geometry.ranks - 1)


def _is_in_hand(view: View, id: int | str) -> Value:
    return any(id in ids for ids in state_of(view).hands.values())


def _moved_now(view: View, piece: Piece) -> Value:
    march = march_at_hand(state_of(view))
    return march is not None and piece.id in march.moved


def _held(view: View, id: int | str) -> Value:
    march = march_at_hand(state_of(view))
    return march is not None and id in march.held


def _pushed(view: View, id: int | str) -> Value:
    march = march_at_hand(state_of(view))
    return 0 if march is None else march.pushed(str(id))


def _board_pieces(view: View, id: int | str) -> Value:
    standing = position_of(view).standing[board_of(view, id).name]
    return refs("piece", [standing[square].id for square in sorted(standing)])


def _square_piece(view: View, id: int | str) -> Value:
    found = position_of(view).at(str(id))
    return None if found is None else Ref("piece", found.id)


def _rank(view: View, id: int | str) -> Value:
    board, square = square_of(position_of(view), id)
    return square // position_of(view).boards[board].geometry.files + 1


def _file(view: View, id: int | str) -> Value:
    board, square = square_of(position_of(view), id)
    return square % position_of(view).boards[board].geometry.files + 1


RECORDS = (
    Record("army", "a set of pieces that move together", (
        Field("name", TEXT, "the name", (), lambda _, id: id),
        *of_each(
            army_of, _ON,
            ("controller", PLAYER, "who moves it"),
            ("home", BOARD, "the board it is at home on"),
            ("colour", TEXT, "its colour"),
        ),
        Field("pieces", PIECES, "its pieces on the boards", _ON, own_pieces),
        Field("hand", PIECES, "the pieces that it has in hand", ("hands",),
              lambda view, id: refs("piece", state_of(view).hands.get(str(id), ()))),
    ), _counter("army"), ("marks",)),
    Record("piece", "a piece", (
        *of_each(
            _piece_at, _ANYWHERE,
            ("kind", KIND, "its kind, a capital letter", lambda piece: piece.kind.upper()),
            ("army", ARMY, "the army it is in"),
            ("born", ARMY, "the army it started in"),
        ),
        Field("owner", PLAYER, "who controls its army", _ANYWHERE,
              _piece(lambda view, piece: Ref("player", army_of(view, piece.army).controller))),
        *of_each(
            _piece_at, _ANYWHERE,
            ("home", BOARD, "the board it started on"),
            ("board", BOARD, "the board it stands on, or stood on"),
        ),
        Field("square", maybe(SQUARE), "where it stands; none where it is gone", _ANYWHERE, _piece(_standing)),
        Field("royal", TRUTH, "whether it is royal", _ANYWHERE, _piece(royal), ("royal.kinds",)),
        Field("in_hand", TRUTH, "whether it is in a hand, to be dropped", ("hands",), _is_in_hand),
        *of_each(_piece_at, _ANYWHERE, ("moved", TRUTH, "whether it has ever moved")),
        Field("moved_this_turn", TRUTH, "whether it has moved in this turn", ("turns", "hand"), _piece(_moved_now)),
        Field("at_end", TRUTH, "whether it stands on the back rank of a half-board that is not its army's",
              _ANYWHERE, _piece(_at_end)),
    ), _counter("piece"), ("marks",)),
    Record("board", "a half-board, or a universe", (
        Field("name", TEXT, "the name", (), lambda _, id: id),
        *of_each(
            board_of, _ON,
            ("files", NUMBER, "how many files it has", lambda board: board.geometry.files),
            ("ranks", NUMBER, "how many ranks it has", lambda board: board.geometry.ranks),
        ),
        Field("pieces", PIECES, "the pieces on it", _ON, _board_pieces),
        Field("held", TRUTH, "whether pieces of the army on turn stood on it when the turn began", ("turns", "hand"),
              _held),
        Field("pushed", NUMBER, "how often it was pushed in this turn", ("turns", "hand"), _pushed),
    )),
    Record("square", "a square of a board", (
        Field("name", TEXT, "its name, such as white.e4", (), lambda _, id: id),
        Field("board", BOARD, "its board", _ON, lambda view, id: Ref("board", square_of(position_of(view), id)[0])),
        Field("file", NUMBER, "its file, 1 for a", _ON, _file),
        Field("rank", NUMBER, "its rank, counted from the owner's side", _ON, _rank),
        Field("piece", maybe(PIECE), "what stands on it", _ON, _square_piece),
    )),
)  # fmt: skip


def _kinds(view: View) -> Value:
    return tuple(sorted({piece.kind.upper() for piece in position_of(view).pieces.values()}))


def _boards(state: State) -> Collection[str]:
    return state.position.boards if state.position is not None else ()


def _armies(state: State) -> Mapping[str, Army]:
    return state.position.armies if state.position is not None else {}


FACTS = (
    fact("armies", ARMIES, "all armies, in the order in which they were chosen", _armies, reads=_ON),
    fact("batting_order", ARMIES, "the same: the order of armies that was settled before play", _armies, reads=_ON),
    fact("army", maybe(ARMY), "the army whose turn is at hand", lambda state: state.go and state.go.army,
         reads=("turns", "hand")),
    fact("boards", BOARDS, "all boards", _boards, reads=_ON),
    Fact("kinds", list_of(KIND), "the kinds of pieces that are on the boards", _ON, _kinds),
    fact("mated_armies", ARMIES, "the armies that are mated and were not yet taken over", lambda state: state.mated,
         reads=("mated",)),
)  # fmt: skip


def _controlled(view: View, player: Value) -> tuple[str, ...]:
    name = one_ref(player, "player").id
    return tuple(army.name for army in _armies(state_of(view)).values() if army.controller == name)


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
    pieces = sorted(position_of(view).pieces.items())
    return refs("piece", [id for id, piece in pieces if piece.army in armies and royal(view, piece)])


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
    armies = _armies(state_of(view))
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


def _in_batting_order(view: View, players: Value) -> Value:
    named, state = [ref.id for ref in many_refs(players, "player")], state_of(view)
    order = dict.fromkeys([*(army.controller for army in _armies(state).values()), *state.players])
    return refs("player", [name for name in order if name in named])


_ANY = Type("any")

FUNCTIONS = (
    Function("armies_of", (PLAYER,), ARMIES, "the armies that a player controls", _armies_of, reads=_ON),
    Function("armies_in", (_ANY,), ARMIES, "an army, or armies, as a list", _armies_in),
    Function("in_batting_order", (PLAYERS,), PLAYERS, "these players, in the order of the armies that they control",
             _in_batting_order, reads=("position", "players")),
    Function("kings_of", (ARMY,), PIECES, "an army's royal pieces", _kings_of, reads=_ON, keys=("royal.kinds",)),
    Function("pieces_of", (PLAYER,), PIECES, "a player's pieces on the boards", _pieces_of, reads=_ON),
    Function("royals_of", (PLAYER,), PIECES, "a player's royal pieces", _royals_of, reads=_ON, keys=("royal.kinds",)),
    Function("promotable", (PLAYER,), PIECES, "a player's pieces that can go up the ladder", _promotable, reads=_ON,
             keys=("ladder.kinds", "royal.kinds")),
    Function("demotable", (PLAYER,), PIECES, "a player's pieces that can go down the ladder", _demotable, reads=_ON,
             keys=("ladder.kinds", "royal.kinds")),
    Function("captor", (ARMY,), PLAYER, "who gets an army that is mated", _captor, reads=("mated",)),
    Function("next_colour", (), TEXT, "the name of the next army: a colour that none has yet", _next_colour, reads=_ON),
    Function("next_mark", (NUMBER,), TEXT, "the name of the next army in the colour of this place, 1 for the first: "
             "white, white2, white3", _next_mark, reads=_ON),
    Function("pieces_on_rank", (BOARD, NUMBER), PIECES, "the pieces on a rank of a board", _on_rank, reads=_ON),
    Function("empty_squares", (BOARD,), SQUARES, "the squares of a board on which nothing stands", _empty, reads=_ON),
    Function("army_named", (TEXT,), ARMY, "the army of this name", _army_named, reads=_ON),
    Function("board_named", (TEXT,), BOARD, "the board of this name", _board_named, reads=_ON),
    Function("square_named", (TEXT,), SQUARE, "the square of this name, such as white.e4", _square_named, reads=_ON),
)  # fmt: skip
