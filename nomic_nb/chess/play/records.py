"""What rules can say about boards, armies, pieces and squares: records, facts, and how functions are declared."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from string import ascii_uppercase
from typing import Any, cast

from nomic_nb.chess.multiverse.betza import parse_betza
from nomic_nb.chess.multiverse.errors import MultiverseError, NotationError
from nomic_nb.chess.multiverse.geometry import MAX_SIZE
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import Army, Board, Piece, Place
from nomic_nb.chess.multiverse.rules import KIND_NAMES
from nomic_nb.chess.play.boards import TurnMoves, multiverse_of
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law.checking import KIND_EXPECTED
from nomic_nb.engine.law.clauses import Form
from nomic_nb.engine.law.nodes import NotDone, Undecided, View, nothing_here_message
from nomic_nb.engine.law.traits import Trait, has_trait
from nomic_nb.engine.law.values import (
    NUMBER,
    PLAIN_KINDS,
    TEXT,
    TRUTH,
    ThingRef,
    Type,
    Value,
    as_refs,
    list_type,
    make_range_check,
    optional_type,
    text_type,
    value_text,
)
from nomic_nb.engine.law.vocabulary import ALL_FIELDS, Event, Fact, Field, Function, Key, Record
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.declarations import ActionFunction, declare_fact, declare_fields
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.turn_order import unknown_army_message

# -------------------------------------------------------------------------------- the terms of the law that boards


PLAYER, ARMY, PIECE, BOARD, SQUARE = map(Type, ("player", "army", "piece", "board", "square"))
ARMIES, PIECES, BOARDS, TEXTS, NUMBERS = map(list_type, (ARMY, PIECE, BOARD, TEXT, NUMBER))
#: A kind of piece: one capital letter.
KIND_TYPE = text_type(TEXT, tuple(ascii_uppercase))

#: The case of an army, of boards pushed together by one, of a capture, of a mate.
ARMY_CASE = {"army": ARMY}
PUSH_CASE = {**ARMY_CASE, "push": BOARDS}
CAPTURE_CASE = {
    "piece": PIECE, "capturer": PIECE, "player": PLAYER, "mover_army": ARMY, "captured_from": ARMY, "square": SQUARE,
    "push": BOARDS,
}  # fmt: skip
MOVE_CASE = {**PUSH_CASE, "player": PLAYER, "piece": PIECE, "target": SQUARE, "captures": PIECES}
PLAYER_ARMY_CASE = {"player": PLAYER, **ARMY_CASE}
PUSHED_CASE = {**PLAYER_ARMY_CASE, "push": BOARDS}
PIECE_CASE = {"piece": PIECE}
#: What the terms of chess may know: the boards that are played on, pushed together, or the one universe.
BOARDS_CASE = {"push": BOARDS}
MATE_CASE = {**ARMY_CASE, "joiner": PLAYER, "checkers": ARMIES}

#: The kinds of thing with which something happens on boards.
BOARD_NAMES = frozenset(("army", "board", "move", "piece"))
#: How squares are named.
SQUARE_NAME = re.compile(r".+\.[a-p][1-9][0-9]?")


def happens_on_boards(event: Event) -> bool:
    """Tell whether events of a kind happen on boards."""
    return not BOARD_NAMES.isdisjoint(bind.name for bind in event.binds.values())


def acts_on_boards(form: Form, events: Mapping[str, Event]) -> bool:
    """Tell whether an effect of this form makes something happen on boards."""
    return any(happens_on_boards(events[make]) for make in form.makes if make in events)


def check_betza(text: str) -> None:
    """Refuse a text that is not a movement in Betza notation.

    Raises
    ------
    LawError
        With the column of the letter.
    """
    try:
        parse_betza(text)
    except NotationError as error:
        message = error.message.embed_in("this isn’t valid Betza notation: {message}")
        raise LawError(message, column=error.column,
                       found=repr(error.letter) if error.letter else "the end", text=text) from None  # fmt: skip


def betza_misfit(value: Value) -> str:
    """Return why a value is not a movement in Betza notation; empty if it is."""
    try:
        parse_betza(str(value))
    except NotationError as error:
        return error.said.embed_in("it isn’t a valid movement: {message}")
    return ""


def combine_movements(movement: str, other: str) -> str:
    """Return the movement of a piece that moves in both of two ways, in Betza notation.

    A letter written twice would be another movement: NN is a rider.

    Examples
    --------
    >>> combine_movements("N", "C"), combine_movements("NC", "CK"), combine_movements("N", "N")
    ('NC', 'CKNC', 'N')
    """
    if not movement or not other or movement == other:
        return movement or other
    if movement[-1] != other[0]:
        return movement + other
    return other + movement if other[-1] != movement[0] else movement + other[1:]


def is_kind(value: Value) -> bool:
    """Tell whether a value is a kind of piece: one capital letter."""
    return isinstance(value, str) and len(value) == 1 and "A" <= value <= "Z"


def _kinds_misfit(value: Value) -> str:
    """Return why some values are not all kinds of pieces; empty if they are."""
    return "" if all(map(is_kind, cast(tuple[Value, ...], value))) else KIND_EXPECTED


def _squares_misfit(value: Value) -> str:
    """Return why some values are not all names of squares; empty if they are."""
    wrong = [name for name in cast(tuple[Value, ...], value) if not SQUARE_NAME.fullmatch(str(name))]
    return _not_a_square_message(value_text(wrong[0])) if wrong else ""


def _not_a_square_message(text: str) -> Message:
    """Return the message that a text is not the name of a square."""
    return say(
        "no-name-of-a-square",
        "a square needs the name of its board, its file and its rank, such as white.e4, not {found}",
        found=text,
    )


_RANK_MISFIT = make_range_check("a rank", 1, MAX_SIZE)
_SIZE_MISFIT = make_range_check("the size of a half-board", 1, MAX_SIZE)
_JOIN_MISFIT = make_range_check("a count of boards for a move", 1, 2)
#: How terms are declared that hold on the boards that are played on; mostly it depends on them which moves there are.
_term = partial(Key, reader="whenever pieces move", may_know=BOARDS_CASE, traits="movement")
#: When terms are looked up of which boards that there are know nothing any more.
WHEN_ARMY_ENTERS = "when an army enters"
KEYS = (
    Key("board.files", NUMBER, "how many files a board has", WHEN_ARMY_ENTERS, ARMY_CASE, misfit=_SIZE_MISFIT),
    Key("board.ranks", NUMBER, "how many ranks a board has", WHEN_ARMY_ENTERS, ARMY_CASE, misfit=_SIZE_MISFIT),
    Key("board.wraps", TEXT, "whether the sides of a board are joined; the first and last ranks never are, because "
                             "the armies starting there would check each other before the first move",
                             "at the end of a step",
        values=("none", "files")),
    Key("board.holes", TEXTS, "the squares that are removed as soon as they are empty", "at the end of a step",
        misfit=_squares_misfit),
    Key("join.how", TEXT, "how the far half-board is oriented when two are pushed together", "at the end of a step",
        values=("rotate", "reflect"), halves=True),
    Key("universe.names", TEXTS, "the names of the universes, in order", "by the rule on universes",
        by_rules=True),
    Key("army.array", TEXTS, "an army's set-up, rank by rank, home rank first; `place` is the army's place among "
                             "all armies, or among those in its universe", WHEN_ARMY_ENTERS,
        {"place": NUMBER}, events=("army_entered",)),
    Key("army.stuck", TEXT, "what happens when an army has no legal move but is not mated",
        "when an army is to move", ARMY_CASE, ("ask", "skip", "play cannot continue"), asks="ask"),
    Key("piece.moves", TEXT, "how a kind of piece moves, in Betza notation", "whenever pieces move",
        {**ARMY_CASE, "kind": KIND_TYPE}, reader_of_texts=check_betza, misfit=betza_misfit, plus=combine_movements,
        may_know={**BOARDS_CASE, **PIECE_CASE, "square": SQUARE, "board": BOARD}, traits="movement"),
    _term("royal.kinds", TEXTS, "the kinds of piece that are royal: they can be put in check and mated",
        misfit=_kinds_misfit),
    Key("royal.named", TEXT, "whether players openly declare which of their royal pieces is the real one, or seal it",
        "by the rule on real kings", values=("openly", "sealed")),
    Key("royal.lost", TEXT, "what happens to the pieces of a player who is out because they have no royal piece "
                            "left: they are removed or stay on the boards",
                            "by the rule on lost kings", values=("remove", "stay"), by_rules=True),
    _term("royal.capture", TEXT, "whether a royal piece can be captured, and whether that mates its army; unless "
                                 "this is set to capture, an army that loses its last royal piece in an explosion "
                                 "is mated; players have to parry check all the same, unless check.from is empty",
        values=("never", "capture", "mate"), traits=""),
    _term("pawn.kinds", TEXTS, "the kinds of piece that promote and can be captured en passant", misfit=_kinds_misfit),
    _term("pawn.double_step_ranks", NUMBERS, "the home ranks from which a piece can make the moves marked i in its "
                                             "notation",
        misfit=_RANK_MISFIT),
    _term("promotion.kinds", TEXTS, "the kinds of piece that a pawn can promote to", misfit=_kinds_misfit),
    _term("promotion.ranks", NUMBERS, "the ranks on which a pawn promotes, counted from its own side; if none are "
                                      "given, the last rank",
        misfit=_RANK_MISFIT),
    _term("promotion.mandatory", TRUTH, "whether a pawn must promote when it reaches a rank where it can"),
    _term("castling.on", TRUTH, "whether kings can castle with a partner on their home rank; both must have been "
                                "there from the beginning and never moved, so a piece that was placed, carried, "
                                "promoted or demoted can never castle"),
    _term("castling.partners", TEXTS, "the kinds of piece that kings castle with", misfit=_kinds_misfit),
    _term("passant.on", TRUTH, "whether pawns can be captured en passant after moving two squares in one "
                               "direction, except backwards; only pieces with e in their notation can capture them"),
    Key("passant.until", TEXT, "how long a double step can be captured en passant; the next move is the next one "
                               "on the same board, or on any half-boards",
        "when a move is made, and when turns change",
        values=("next move", "end of next army's turn", "own next turn")),
    Key("ladder.kinds", TEXTS, "the kinds of piece in order, for step-by-step promotion and demotion",
        "when a piece is promoted or demoted", misfit=_kinds_misfit, events=("promoted", "demoted")),
    Key("move.count", NUMBER, "how many moves are made in a turn", "when an army is to move", ARMY_CASE,
        misfit=make_range_check("a count of moves", 0), traits="how_often"),
    Key("move.boards_joined", NUMBERS, "how many half-boards are pushed together for a move: two, just one, or "
        "either", "when an army is to move", ARMY_CASE, misfit=_JOIN_MISFIT, halves=True),
    Key("move.on_push", TEXT, "which moves can be made on half-boards pushed together: any, only those that stay "
                              "on a half-board not yet pushed this turn, or none",
                              "when an army is to move", PUSH_CASE, ("any", "staying", "none"),
        traits="how_often"),
    Key("move.spare_partner", TEXT, "which moves can be made if a half-board has no partner left",
        "by the rule on moves", PUSH_CASE, ("any", "staying", "none"), by_rules=True),
    Key("move.forced", TRUTH, "whether a move is forced; while there is a forced move, no other move can be made",
                              "when an army is to move", MOVE_CASE),
    _term("check.from", ARMIES, "the armies that can give check to an army", case=ARMY_CASE),
    Key("check.enemy_on_push", TEXT, "what happens to an enemy king that is in check when boards are pushed together",
        "when boards are pushed together", PUSH_CASE, ("mate", "nothing")),
    _term("check.own_on_push", TEXT, "whether a player must parry a check to their own king", case=ARMY_CASE,
        values=("must parry", "may stay"), traits=""),
    Key("mate.tested", TEXT, "when an army is tested for checkmate: when its turn to move comes, after every move, "
                             "or never; if never, a player who cannot get out of check simply has no legal move",
                             "when an army is to move, and after a move",
        ARMY_CASE,
        ("own turn", "after move", "never")),
    Key("mate.captor", PLAYER, "who gets a mated army", "when an army is mated", MATE_CASE),
    _term("capture.from", ARMIES, "the other armies whose pieces an army may capture", case=ARMY_CASE,
        apart=say("own-army-apart",
            'whether pieces can capture their own army is part of how they move: add d, as in piece N moves "NdN"'),
        whole=("armies", "batting_order")),
    Key("capture.result", TEXT, "what happens to a captured piece: it is removed; it joins the capturing army, on "
                                "the square that the capturing piece came from; it explodes, which also removes "
                                "everything around it except pawns and royal pieces, or except pawns only; or it "
                                "goes into a hand, the capturing army's or its own, and can be dropped on an empty "
                                "square instead of making a move (royal pieces are simply removed)",
        "when a piece is captured", CAPTURE_CASE,
        ("remove", "convert", "explode", "explode with royals", "captor's hand", "owner's hand")),
)  # fmt: skip
#: The terms on which it depends which moves there are, own check apart.
TERMS = frozenset(key.name for key in KEYS if has_trait(key, Trait.MOVEMENT))
#: Those on which it depends whether there are moves at all, and how many.
MOVE_COUNT_KEYS = frozenset(key.name for key in KEYS if has_trait(key, Trait.HOW_OFTEN))


# ------------------------------------------------------------------------------------ what rules can say about boards


PLAYERS, SQUARES = list_type(PLAYER), list_type(SQUARE)
_ON, _ANYWHERE = ("position",), ("position", "gone")


#: What is said where something needs boards.
NO_BOARDS_MESSAGE = say("no-boards", "this game has no boards")


def current_boards(view: View) -> Multiverse:
    """Return the boards as they are now.

    Raises
    ------
    Undecided
        There are none in this game.
    """
    position: Multiverse | None = state_of(view).position
    if position is None:
        raise NotDone(NO_BOARDS_MESSAGE)
    return position


def find_army(view: View, id: Any) -> Army:
    """Return the army of this name, or raise an error if none exists."""
    army = current_boards(view).armies.get(id)
    if army is None:
        raise Undecided(unknown_army_message(id))
    return army


def armies_of(state: State, player: str) -> tuple[str, ...]:
    """Return the names of the armies that a player controls, in batting order."""
    return tuple(name for name, army in multiverse_of(state).armies.items() if army.controller == player)


def is_in_hand(state: State, id: Any) -> bool:
    """Tell whether a piece is in the hand of an army."""
    return any(id in hand for hand in state.hands.values())


def find_piece(state: State, id: Any) -> Piece:
    """Return the piece of this number, on a board or gone from it, or raise an error if none exists."""
    piece = multiverse_of(state).pieces.get(id) or state.gone.get(id)
    if piece is None:
        raise Undecided("no-such-piece", "there is no such piece")
    return piece


def find_board(view: View, id: Any) -> Board:
    """Return the board of this name, or raise an error if none exists."""
    board = current_boards(view).boards.get(id)
    if board is None:
        raise Undecided("no-board-of-this-name", "there is no board called {board}", board=id)
    return board


def find_square(position: Multiverse, name: Any) -> Place:
    """Return the board and the number of a square by its name, such as ``white.e4``."""
    try:
        return position.square(name)
    except MultiverseError as error:
        raise Undecided(error.said) from None


def universe_of_case(case: Mapping[str, Value], state: Any) -> str | None:
    """Return the one board on which a case (facts by name) happens; None if there are several or none."""
    push, board, piece, square = (case.get(name) for name in ("push", "board", "piece", "square"))
    if isinstance(push, tuple) and not isinstance(push, ThingRef):
        return str(cast(ThingRef, push[0]).id) if len(push) == 1 else None
    if isinstance(board, ThingRef):
        return str(board.id)
    if isinstance(piece, ThingRef):
        return find_piece(state, piece.id).board
    return str(square.id).rpartition(".")[0] if isinstance(square, ThingRef) else None


def referenced_id(value: Value, kind: str) -> Any:
    """Return the id of the one thing of a kind (army, piece …) that a value refers to, or raise an error."""
    if isinstance(value, ThingRef) and value.kind == kind:
        return value.id
    raise Undecided(nothing_here_message(kind))


def referenced_ids(value: Value, kind: str) -> tuple[Any, ...]:
    """Return the ids of the things of a kind (armies, pieces …) that a value refers to."""
    if value is None:
        return ()
    if isinstance(value, tuple) and not isinstance(value, ThingRef):
        return tuple(board_id for each in value for board_id in referenced_ids(each, kind))
    return (referenced_id(value, kind),)


#: What is declared of functions, by the module in which it is.
DECLARED_FUNCTIONS: defaultdict[str, list[Function]] = defaultdict(list)


def function(
    meaning: str, *takes: Type, gives: Type, reads: tuple[str, ...] = ALL_FIELDS, keys: tuple[str, ...] = (),
    traits: str = "",
) -> Callable[[ActionFunction], ActionFunction]:  # fmt: skip
    """Return a decorator that makes a Python function available to rules, under its name.

    Parameters
    ----------
    meaning, gives, reads, keys, traits
        As in `Function`; where nothing is said about what it reads, it is everything.
    *takes : Type
        Of what type its arguments are.
    """

    def given(kind: Type, value: Value) -> Any:
        if kind.item is not None:
            return list(referenced_ids(value, kind.item.name))
        return value if kind.name in PLAIN_KINDS else referenced_id(value, kind.name)

    def decorate(find: ActionFunction) -> ActionFunction:
        def call(view: View, *values: Value) -> Value:
            return as_refs(gives, find(view, *map(given, takes, values)))

        name = find.__name__.strip("_")
        DECLARED_FUNCTIONS[find.__module__].append(
            Function(name, takes, gives, meaning, call, reads, keys, traits=traits)
        )
        return find

    return decorate


def kind_name(letter: str) -> str:
    """Return the name of a kind of piece, or its capital letter if it has none."""
    return KIND_NAMES.get(letter.lower(), letter.upper())


def describe_piece(state: State, id: Any) -> str:
    """Return a piece in words: its kind and where it is."""
    piece = find_piece(state, id)
    kind = kind_name(piece.kind)
    if piece.id not in multiverse_of(state).pieces:
        return f"{kind} of {piece.army}, {'in hand' if is_in_hand(state, id) else 'gone'}"
    owner = "" if piece.army == piece.board else f" of {piece.army}"
    return f"{kind}{owner} {multiverse_of(state).name(*piece.place)}"


def current_turn_moves(state: State) -> TurnMoves | None:
    """Return the record of the moves in the current turn; None if there is no such record."""
    return state.current_turn.march if state.current_turn is not None else None


def pieces_of_army(view: View, army: Any) -> list[int]:
    """Return the numbers of an army's pieces on the boards, in order."""
    return [piece.id for piece in current_boards(view).own.get(army, ())]


def pieces_by_square(view: View, board: Any) -> list[tuple[int, Piece]]:
    """Return (square, piece) for each piece on a board, in the order of the squares."""
    return sorted(current_boards(view).standing[find_board(view, board).name].items())


def is_royal(view: View, piece: Piece) -> bool:
    """Tell whether a piece is royal, by its own mark or by its kind."""
    return bool(royals_among(view, (piece,)))


def royals_among(view: View, pieces: Iterable[Piece]) -> Value:
    """Return references to the royal ones among some pieces, in the order of their numbers."""
    kinds = {}
    royal_ids = []
    for piece in pieces:
        if piece.royal is None and piece.board not in kinds:
            found_here = view.value_of_key("royal.kinds", push=(ThingRef("board", piece.board),))
            kinds[piece.board] = {kind.lower() for kind in cast("tuple[str, ...]", found_here)}
        if piece.royal or (piece.royal is None and piece.kind in kinds[piece.board]):
            royal_ids.append(piece.id)
    return as_refs(PIECES, sorted(royal_ids))


def _find_piece_in_view(view: View, id: Any) -> Piece:
    """Return the piece of this number, on a board or gone."""
    return find_piece(state_of(view), id)


def _as_getter_by_number(get: Callable[[View, Piece], Value]) -> Callable[[View, int | str], Value]:
    """Return a function that finds a piece by its number and returns what `get` gives for the piece."""
    return lambda view, id: get(view, _find_piece_in_view(view, id))


def _square_of_piece(view: View, piece: Piece) -> Value:
    """Return a reference to the square on which a piece stands; None if it is gone."""
    position = current_boards(view)
    if piece.id not in position.pieces:
        return None
    return ThingRef("square", position.name(*piece.place))


def _is_on_far_back_rank(view: View, piece: Piece) -> Value:
    """Tell whether a piece is on a back rank that is not its own army's."""
    position = current_boards(view)
    if piece.id not in position.pieces:
        return False
    army, board = position.armies[piece.army], position.boards[piece.board]
    rank = piece.square // board.geometry.files
    if board.half:
        return army.home != board.name and rank == 0
    return rank == (0 if army.far else board.geometry.ranks - 1)


def _turn_moves_or_empty(view: View) -> TurnMoves:
    """Return the record of the moves in the current turn; an empty one if none exists."""
    return current_turn_moves(state_of(view)) or TurnMoves((), ())


def _rank_and_file(view: View, id: Any) -> tuple[int, int]:
    """Return the rank and the file of a square, counted from 0."""
    board, square = find_square(current_boards(view), id)
    return divmod(square, current_boards(view).boards[board].geometry.files)


def _rival_armies(view: View, id: Any) -> Value:
    """Return the armies controlled by other players than the one who controls the army of this name."""
    own = find_army(view, id).controller
    items_view = multiverse_of(state_of(view)).armies.items()
    return as_refs(ARMIES, [name for name, army in items_view if army.controller != own])


RECORDS = (
    Record("army", "a set of pieces that move together", (
        Field("name", TEXT, "its name", (), lambda _, id: id, traits="naming settled"),
        *declare_fields(
            find_army, _ON,
            ("controller", PLAYER, "the player who controls it", "alike shown steady settled"),
            ("home", BOARD, "its home board", "alike shown settled place"),
            ("colour", TEXT, "its colour", "naming settled"),
        ),
        Field("rivals", ARMIES, "the armies of other players", _ON, _rival_armies,
              traits="alike shown settled"),
        Field("pieces", PIECES, "its pieces on the boards", _ON,
              lambda view, id: as_refs(PIECES, pieces_of_army(view, id)), traits="alike steady pieces"),
        Field("hand", PIECES, "the pieces in its hand", ("hands",),
              lambda view, id: as_refs(PIECES, state_of(view).hands.get(str(id), ())), traits="alike"),
    ), kept=True),
    Record("piece", "a piece", (
        *declare_fields(
            _find_piece_in_view, _ANYWHERE,
            ("kind", KIND_TYPE, "its kind, a capital letter", lambda piece: piece.kind.upper(),
             "alike shown steady settled"),
            ("army", ARMY, "the army it is in",
             "alike on_turn shown steady settled"),
            ("born", ARMY, "the army it started in", "alike shown"),
        ),
        Field("owner", PLAYER, "who controls its army", _ANYWHERE,
              _as_getter_by_number(lambda view, piece: ThingRef("player", find_army(view, piece.army).controller)),
              traits="alike shown steady"),
        *declare_fields(
            _find_piece_in_view, _ANYWHERE,
            ("home", BOARD, "the board it started on", "alike shown settled place"),
            ("board", BOARD, "the board it is on, or was last on", "alike shown steady"),
        ),
        Field("square", optional_type(SQUARE), "its square; none if it has left the boards", _ANYWHERE,
        _as_getter_by_number(_square_of_piece),
              traits="alike moved place"),
        Field("royal", TRUTH, "whether it is royal", _ANYWHERE, _as_getter_by_number(is_royal), ("royal.kinds",),
              traits="alike shown steady settled"),
        Field("in_hand", TRUTH, "whether it is in a hand, to be dropped", ("hands",),
              lambda view, id: is_in_hand(state_of(view), id), traits="alike"),
        *declare_fields(
            _find_piece_in_view, _ANYWHERE,
            ("moved", TRUTH, "whether it has ever moved", "alike moved of_move"),
        ),
        Field("moved_this_turn", TRUTH, "whether it has moved this turn", ("turns", "hand"),
              lambda view, id: id in _turn_moves_or_empty(view).moved, traits="on_turn moved of_move"),
        Field("at_end", TRUTH, "whether it is on the back rank of a half-board that does not belong to its army",
              _ANYWHERE, _as_getter_by_number(_is_on_far_back_rank), traits="alike of_move"),
    ), kept=True),
    Record("board", "a half-board, or a universe", (
        Field("name", TEXT, "its name", (), lambda _, id: id, traits="naming settled"),
        *declare_fields(
            find_board, _ON,
            ("files", NUMBER, "how many files it has", lambda board: board.geometry.files,
             "alike shown settled place"),
            ("ranks", NUMBER, "how many ranks it has", lambda board: board.geometry.ranks,
             "alike shown settled place"),
        ),
        Field("pieces", PIECES, "the pieces on it", _ON,
              lambda view, id: as_refs(PIECES, [piece.id for _, piece in pieces_by_square(view, id)]),
              traits="alike steady pieces"),
        Field("held", TRUTH, "whether pieces of the current army were on it when the turn began", ("turns", "hand"),
              lambda view, id: id in _turn_moves_or_empty(view).held, traits="on_turn place"),
        Field("pushed", NUMBER, "how often it was pushed or used for a move this turn", ("turns", "hand"),
              lambda view, id: _turn_moves_or_empty(view).pushed(str(id)), traits="on_turn"),
    ), kept=True),
    Record("square", "a square of a board", (
        Field("name", TEXT, "its name, such as white.e4", (), lambda _, id: id, traits="naming settled"),
        Field("board", BOARD, "its board", _ON, lambda view, id: ThingRef("board", find_square(current_boards(view),
        id)[0]),
              traits="alike shown steady"),
        *declare_fields(
            _rank_and_file, _ON,
            ("file", NUMBER, "its file as a number, 1 for a", lambda at: at[1] + 1, "alike moved place"),
            ("rank", NUMBER, "its rank, counted from the owner's side", lambda at: at[0] + 1,
             "naming place"),
        ),
        *declare_fields(
            lambda view, id: current_boards(view).at(id), _ON,
            ("piece", optional_type(PIECE), "the piece on it; none if it is empty", lambda piece: piece and piece.id,
             "alike shown steady pieces"),
        ),
    ), kept=True),
)  # fmt: skip


def _armies_by_name(state: State) -> Mapping[str, Army]:
    """Return all armies by name, in batting order."""
    return multiverse_of(state).armies


FACTS = (
    declare_fact("armies", ARMIES, "all armies, in the order in which they were chosen", _armies_by_name, reads=_ON,
         traits="alike steady settled pieces everybody"),
    declare_fact("batting_order", ARMIES, "the armies in the order settled before play", _armies_by_name,
    reads=_ON,
         traits="alike settled"),
    declare_fact("army", optional_type(ARMY), "the current army",
    lambda state: state.current_turn and state.current_turn.army,
         reads=("turns", "hand"), traits="on_turn shown steady"),
    declare_fact("boards", BOARDS, "all boards", lambda state: multiverse_of(state).boards, reads=_ON,
         traits="alike steady settled everybody"),
    Fact("kinds", list_type(KIND_TYPE), "the kinds of piece on the boards", _ON,
         lambda view: tuple(sorted({piece.kind.upper() for piece in current_boards(view).pieces.values()})),
         traits="alike"),
    declare_fact("mated_armies", ARMIES, "the mated armies that nobody has taken over yet",
    lambda state: state.mated,
         reads=("mated",), traits="alike"),
)  # fmt: skip
