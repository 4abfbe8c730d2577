"""What rules can say of boards, armies, pieces and squares: records, facts, and how functions are declared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import Army, Board, Piece
from nomic_nb.chess.multiverse.terms import NAMES
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.keys import ARMIES, ARMY, BOARD, BOARDS, KIND, PIECE, PIECES, PLAYER, SQUARE
from nomic_nb.chess.play.moves import March
from nomic_nb.engine.law.values import NUMBER, PLAIN, TEXT, TRUTH, Ref, Type, Value, list_of, maybe, pointed
from nomic_nb.engine.law.view import NotDone, Undecided, View
from nomic_nb.engine.law.vocabulary import EVERYTHING, Fact, Field, Function, Record
from nomic_nb.engine.play.declaring import Does, fact, of_each
from nomic_nb.engine.play.state import State, state_of

PLAYERS, SQUARES = list_of(PLAYER), list_of(SQUARE)
_ON, _ANYWHERE = ("position",), ("position", "gone")


def position_of(view: View) -> Multiverse:
    """Return the boards as they stand.

    Raises
    ------
    Undecided
        There are none in this game.
    """
    position: Multiverse | None = state_of(view).position
    if position is None:
        raise NotDone("there are no boards in this game")
    return position


def army_of(view: View, id: Any) -> Army:
    """Return an army by its name."""
    found = position_of(view).armies.get(id)
    if found is None:
        raise Undecided(f"there is no army {id}")
    return found


def armies_of(state: State, player: str) -> tuple[str, ...]:
    """Return the names of the armies that a player controls, in batting order."""
    return tuple(name for name, army in multiverse_of(state).armies.items() if army.controller == player)


def in_a_hand(state: State, id: Any) -> bool:
    """Tell whether a piece is in the hand of an army."""
    return any(id in hand for hand in state.hands.values())


def piece_of(state: State, id: Any) -> Piece:
    """Return a piece, on a board or gone from it."""
    found = multiverse_of(state).pieces.get(id) or state.gone.get(id)
    if found is None:
        raise Undecided("there is no such piece")
    return found


def board_of(view: View, id: Any) -> Board:
    """Return a board by its name."""
    found = position_of(view).boards.get(id)
    if found is None:
        raise Undecided(f"there is no board {id}")
    return found


def square_of(position: Multiverse, name: Any) -> tuple[str, int]:
    """Return board and square by a name such as ``white.e4``."""
    try:
        return position.square(name)
    except MultiverseError as error:
        raise Undecided(str(error)) from None


def where_of(env: Mapping[str, Value], state: Any) -> str | None:
    """Return the universe that a case is in: where is played, or where its piece or square is."""
    push, board, piece, square = (env.get(name) for name in ("push", "board", "piece", "square"))
    if isinstance(push, tuple) and not isinstance(push, Ref):
        return str(cast(Ref, push[0]).id) if len(push) == 1 else None
    if isinstance(board, Ref):
        return str(board.id)
    if isinstance(piece, Ref):
        return piece_of(state, piece.id).board
    return str(square.id).rpartition(".")[0] if isinstance(square, Ref) else None


def id_in(value: Value, kind: str) -> Any:
    """Return the name or number of what the law points at, one thing of a kind."""
    if isinstance(value, Ref) and value.kind == kind:
        return value.id
    raise Undecided(f"there is no {kind} here")


def ids_in(value: Value, kind: str) -> tuple[Any, ...]:
    """Return the names or numbers of what the law points at, one thing of a kind, several or none."""
    if value is None:
        return ()
    if isinstance(value, tuple) and not isinstance(value, Ref):
        return tuple(one for each in value for one in ids_in(each, kind))
    return (id_in(value, kind),)


#: What is declared of functions, by the module in which it is.
DECLARED: defaultdict[str, list[Function]] = defaultdict(list)


def function(
    meaning: str, *takes: Type, gives: Type, reads: tuple[str, ...] = EVERYTHING, keys: tuple[str, ...] = (),
) -> Callable[[Does], Does]:  # fmt: skip
    """Declare a function of the law, called like the one that it decorates, which has things by their names and ids.

    Parameters
    ----------
    meaning, gives, reads, keys
        As in `Function`; where nothing is said of what it reads, it is everything.
    *takes : Type
        Of what type its arguments are.
    """

    def given(kind: Type, value: Value) -> Any:
        if kind.item is not None:
            return list(ids_in(value, kind.item.name))
        return value if kind.name in PLAIN else id_in(value, kind.name)

    def decorate(find: Does) -> Does:
        def call(view: View, *values: Value) -> Value:
            return pointed(gives, find(view, *map(given, takes, values)))

        DECLARED[find.__module__].append(Function(find.__name__.strip("_"), takes, gives, meaning, call, reads, keys))
        return find

    return decorate


def name_of_kind(letter: str) -> str:
    """Return what a kind of piece is called: its capital letter where it has no name."""
    return NAMES.get(letter.lower(), letter.upper())


def piece_words(state: State, id: Any) -> str:
    """Name a piece for people: its kind and where it stands."""
    piece = piece_of(state, id)
    kind = name_of_kind(piece.kind)
    if piece.id not in multiverse_of(state).pieces:
        return f"{kind} of {piece.army}, {'in hand' if in_a_hand(state, id) else 'gone'}"
    owner = "" if piece.army == piece.board else f" of {piece.army}"
    return f"{kind}{owner} {multiverse_of(state).name(piece.board, piece.square)}"


def march_at_hand(state: State) -> March | None:
    """Return the moves of the turn at hand, where it has any."""
    return state.go.march if state.go is not None else None


def own_pieces(view: View, army: Any) -> list[int]:
    """Return the numbers of an army's pieces, in their order."""
    return sorted(id for id, piece in position_of(view).pieces.items() if piece.army == army)


def standing_on(view: View, board: Any) -> list[tuple[int, Piece]]:
    """Return the pieces on a board by their squares, in the order of these."""
    return sorted(position_of(view).standing[board_of(view, board).name].items())


def royal(view: View, piece: Piece) -> bool:
    """Tell whether a piece is royal: as it was designated, or as its kind is."""
    return bool(royal_among(view, (piece,)))


def royal_among(view: View, pieces: Iterable[Piece]) -> Value:
    """Return the royal ones of some pieces, in the order of their numbers; the law is asked once for each board."""
    kinds: dict[str, Any] = {}
    found = []
    for piece in pieces:
        if piece.royal is None and piece.board not in kinds:
            kinds[piece.board] = view.key("royal.kinds", push=(Ref("board", piece.board),))
        if piece.royal or (piece.royal is None and piece.kind.upper() in kinds[piece.board]):
            found.append(piece.id)
    return pointed(PIECES, sorted(found))


def _piece_at(view: View, id: Any) -> Piece:
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


def _march(view: View) -> March:
    """Return the moves of the turn at hand; none where it has none."""
    return march_at_hand(state_of(view)) or March((), ())


def _coordinates(view: View, id: Any) -> tuple[int, int]:
    """Return rank and file of a square, counted from nought."""
    board, square = square_of(position_of(view), id)
    return divmod(square, position_of(view).boards[board].geometry.files)


def _rivals(view: View, id: Any) -> Value:
    own = army_of(view, id).controller
    found = multiverse_of(state_of(view)).armies.items()
    return pointed(ARMIES, [name for name, army in found if army.controller != own])


RECORDS = (
    Record("army", "a set of pieces that move together", (
        Field("name", TEXT, "the name", (), lambda _, id: id),
        *of_each(
            army_of, _ON,
            ("controller", PLAYER, "who moves it"),
            ("home", BOARD, "the board it is at home on"),
            ("colour", TEXT, "its colour"),
        ),
        Field("rivals", ARMIES, "the armies of other players", _ON, _rivals),
        Field("pieces", PIECES, "its pieces on the boards", _ON,
              lambda view, id: pointed(PIECES, own_pieces(view, id))),
        Field("hand", PIECES, "the pieces that it has in hand", ("hands",),
              lambda view, id: pointed(PIECES, state_of(view).hands.get(str(id), ()))),
    ), kept=True),
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
        Field("in_hand", TRUTH, "whether it is in a hand, to be dropped", ("hands",),
              lambda view, id: in_a_hand(state_of(view), id)),
        *of_each(_piece_at, _ANYWHERE, ("moved", TRUTH, "whether it has ever moved")),
        Field("moved_this_turn", TRUTH, "whether it has moved in this turn", ("turns", "hand"),
              lambda view, id: id in _march(view).moved),
        Field("at_end", TRUTH, "whether it stands on the back rank of a half-board that is not its army's",
              _ANYWHERE, _piece(_at_end)),
    ), kept=True),
    Record("board", "a half-board, or a universe", (
        Field("name", TEXT, "the name", (), lambda _, id: id),
        *of_each(
            board_of, _ON,
            ("files", NUMBER, "how many files it has", lambda board: board.geometry.files),
            ("ranks", NUMBER, "how many ranks it has", lambda board: board.geometry.ranks),
        ),
        Field("pieces", PIECES, "the pieces on it", _ON,
              lambda view, id: pointed(PIECES, [piece.id for _, piece in standing_on(view, id)])),
        Field("held", TRUTH, "whether pieces of the army on turn stood on it when the turn began", ("turns", "hand"),
              lambda view, id: id in _march(view).held),
        Field("pushed", NUMBER, "how often it was moved on or pushed in this turn", ("turns", "hand"),
              lambda view, id: _march(view).pushed(str(id))),
    ), kept=True),
    Record("square", "a square of a board", (
        Field("name", TEXT, "its name, such as white.e4", (), lambda _, id: id),
        Field("board", BOARD, "its board", _ON, lambda view, id: Ref("board", square_of(position_of(view), id)[0])),
        *of_each(
            _coordinates, _ON,
            ("file", NUMBER, "its file, 1 for a", lambda at: at[1] + 1),
            ("rank", NUMBER, "its rank, counted from the owner's side", lambda at: at[0] + 1),
        ),
        *of_each(
            lambda view, id: position_of(view).at(id), _ON,
            ("piece", maybe(PIECE), "what stands on it", lambda piece: piece and piece.id),
        ),
    ), kept=True),
)  # fmt: skip


def _armies(state: State) -> Mapping[str, Army]:
    return multiverse_of(state).armies


FACTS = (
    fact("armies", ARMIES, "all armies, in the order in which they were chosen", _armies, reads=_ON),
    fact("batting_order", ARMIES, "the armies in the order that was settled before play", _armies, reads=_ON),
    fact("army", maybe(ARMY), "the army whose turn is at hand", lambda state: state.go and state.go.army,
         reads=("turns", "hand")),
    fact("boards", BOARDS, "all boards", lambda state: multiverse_of(state).boards, reads=_ON),
    Fact("kinds", list_of(KIND), "the kinds of pieces that are on the boards", _ON,
         lambda view: tuple(sorted({piece.kind.upper() for piece in position_of(view).pieces.values()}))),
    fact("mated_armies", ARMIES, "the armies that are mated and were not yet taken over", lambda state: state.mated,
         reads=("mated",)),
)  # fmt: skip
