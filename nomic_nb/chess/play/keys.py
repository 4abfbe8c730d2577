"""The terms of the law that boards, armies and moves are looked up by."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from string import ascii_uppercase
from typing import cast

from nomic_nb.chess.multiverse.betza import parse
from nomic_nb.chess.multiverse.errors import NotationError
from nomic_nb.chess.multiverse.geometry import MAX_SIZE
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law.forms import Form
from nomic_nb.engine.law.happening import Event
from nomic_nb.engine.law.values import NUMBER, TEXT, TRUTH, Type, Value, list_of, shown, within, worded
from nomic_nb.engine.law.vocabulary import Key

PLAYER, ARMY, PIECE, BOARD, SQUARE = map(Type, ("player", "army", "piece", "board", "square"))
ARMIES, PIECES, BOARDS, TEXTS, NUMBERS = map(list_of, (ARMY, PIECE, BOARD, TEXT, NUMBER))
#: A kind of piece: one capital letter.
KIND = worded(TEXT, tuple(ascii_uppercase))

#: The case of an army, of boards pushed together by one, of a capture, of a mate.
OF = {"army": ARMY}
PUSH = {**OF, "push": BOARDS}
CAPTURE = {
    "piece": PIECE, "capturer": PIECE, "player": PLAYER, "mover_army": ARMY, "captured_from": ARMY, "square": SQUARE,
    "push": BOARDS,
}  # fmt: skip
MOVE = {**PUSH, "player": PLAYER, "piece": PIECE, "target": SQUARE, "captures": PIECES}
WITH = {"player": PLAYER, **OF}
PUSHED = {**WITH, "push": BOARDS}
ONE = {"piece": PIECE}
#: What the terms of chess may know: the boards that are played on, pushed together, or the one universe.
ON = {"push": BOARDS}
MATE = {**OF, "joiner": PLAYER, "checkers": ARMIES}

#: The kinds of thing with which something happens on boards.
ON_BOARDS = frozenset(("army", "board", "move", "piece"))
#: How squares are named.
SQUARE_NAME = re.compile(r".+\.[a-p][1-9][0-9]?")


def is_on_boards(event: Event) -> bool:
    """Tell whether what happens in an event happens on boards."""
    return not ON_BOARDS.isdisjoint(one.name for one in event.binds.values())


def acts_on_boards(form: Form, events: Mapping[str, Event]) -> bool:
    """Tell whether an effect does something on boards: makes an event there."""
    return any(is_on_boards(events[one]) for one in form.makes if one in events)


def read_betza(text: str) -> None:
    """Refuse a movement that is not Betza notation.

    Raises
    ------
    LawError
        With the column of the letter.
    """
    try:
        parse(text)
    except NotationError as error:
        message = str(error).partition(" (")[0]
        raise LawError(f"this is not a movement in Betza notation: {message}", column=error.column,
                       found=repr(error.letter) if error.letter else "the end", text=text) from None  # fmt: skip


def not_betza(value: Value) -> str:
    """Say why a text is no movement."""
    try:
        parse(str(value))
    except NotationError as error:
        return f"it is not a movement: {error}"
    return ""


def both_movements(one: str, other: str) -> str:
    """Return the movement of a piece that goes like this and like that.

    A letter written twice would be another movement: NN is a rider.

    Examples
    --------
    >>> both_movements("N", "C"), both_movements("NC", "CK"), both_movements("N", "N")
    ('NC', 'CKNC', 'N')
    """
    if not one or not other or one == other:
        return one or other
    if one[-1] != other[0]:
        return one + other
    return other + one if other[-1] != one[0] else one + other[1:]


def is_kind(value: Value) -> bool:
    """Tell whether a value is a kind of piece: one capital letter."""
    return isinstance(value, str) and len(value) == 1 and "A" <= value <= "Z"


def _not_kinds(value: Value) -> str:
    return "" if all(map(is_kind, cast(tuple[Value, ...], value))) else "a kind of piece is one capital letter"


def _not_squares(value: Value) -> str:
    """Say which names name no square, whatever boards there are."""
    wrong = [one for one in cast(tuple[Value, ...], value) if not SQUARE_NAME.fullmatch(str(one))]
    return f"a square is named by its board, file and rank, such as white.e4, not {shown(wrong[0])}" if wrong else ""


_NOT_RANKS = within("a rank", 1, MAX_SIZE)
_NOT_SIZES = within("the size of a half-board", 1, MAX_SIZE)
_NOT_JOINED = within("a count of boards for a move", 1, 2)
#: How terms are declared that hold on the boards that are played on.
_term = partial(Key, reader="whenever pieces move", may_know=ON)
#: When terms are looked up of which boards that there are know nothing any more.
ENTERING = "when an army enters"
KEYS = (
    Key("board.files", NUMBER, "how many files a board has", ENTERING, OF, misfit=_NOT_SIZES),
    Key("board.ranks", NUMBER, "how many ranks a board has", ENTERING, OF, misfit=_NOT_SIZES),
    Key("board.wraps", TEXT, "whether the sides of boards are joined; never the first rank to the last, since the "
        "armies at home on them would stand in check of each other before the first move", "at the end of a step",
        values=("none", "files")),
    Key("board.holes", TEXTS, "the squares that are not there, once nothing stands on them", "at the end of a step",
        misfit=_not_squares),
    Key("join.how", TEXT, "how the far half-board lies when two are pushed together", "at the end of a step",
        values=("rotate", "reflect"), halves=True),
    Key("universe.names", TEXTS, "what universes are called, in their order", "by the rule on universes",
        by_rules=True),
    Key("army.array", TEXTS, "the ranks that an army sets up, its home rank first; `place` is which army it is, of "
        "all, or of those in its universe", ENTERING,
        {"place": NUMBER}, events=("army_entered",)),
    Key("army.stuck", TEXT, "what happens when an army has no legal move at all, and is not mated",
        "when an army is to move", OF, ("ask", "skip", "play cannot continue"), asks="ask"),
    Key("piece.moves", TEXT, "how a kind of piece moves, in Betza notation", "whenever pieces move",
        {**OF, "kind": KIND}, reader_of_texts=read_betza, misfit=not_betza, plus=both_movements,
        may_know={**ON, **ONE, "square": SQUARE, "board": BOARD}),
    _term("royal.kinds", TEXTS, "the kinds that are royal: in check, and mated", misfit=_not_kinds),
    Key("royal.named", TEXT, "whether players say openly which of their royal pieces is the real one, or seal it",
        "by the rule on real kings", values=("openly", "sealed")),
    Key("royal.lost", TEXT, "what becomes of the pieces of whoever is out for want of a royal piece: they are removed, "
        "or stay where they are", "by the rule on lost kings", values=("remove", "stay"), by_rules=True),
    _term("royal.capture", TEXT, "whether a royal piece can be captured, and whether that mates its army; an army that "
        "loses its last royal piece in an explosion is mated, unless this is capture",
        values=("never", "capture", "mate")),
    _term("pawn.kinds", TEXTS, "the kinds that promote and can be captured en passant", misfit=_not_kinds),
    _term("pawn.double_step_ranks", NUMBERS, "the home ranks on which the parts of a movement marked i hold",
        misfit=_NOT_RANKS),
    _term("promotion.kinds", TEXTS, "what a pawn may become", misfit=_not_kinds),
    _term("promotion.ranks", NUMBERS, "the ranks on which a pawn promotes, from its own side; none means the last one",
        misfit=_NOT_RANKS),
    _term("promotion.mandatory", TRUTH, "whether a pawn must promote there"),
    _term("castling.on", TRUTH, "whether kings castle, with a partner on their home rank; both must have been there "
        "from the beginning and never moved: what is placed, carried, promoted or demoted never castles"),
    _term("castling.partners", TEXTS, "the kinds they castle with", misfit=_not_kinds),
    _term("passant.on", TRUTH, "whether pawns can be captured en passant, by what has e in its notation, after two "
        "squares in one direction, not backwards"),
    Key("passant.until", TEXT, "for how long a double step can be captured en passant; the next "
        "move is one on the same board, or on any half-boards",
        "when a move is made, and turns change",
        values=("next move", "end of next army's turn", "own next turn")),
    Key("ladder.kinds", TEXTS, "the kinds in order, for promotion and demotion step by step",
        "when a piece is promoted or demoted", misfit=_not_kinds, events=("promoted", "demoted")),
    Key("move.count", NUMBER, "how many moves are made in a turn", "when an army is to move", OF,
        misfit=within("a count of moves", 0)),
    Key("move.boards_joined", NUMBERS, "how many half-boards are pushed together for a move: two, one by itself, or "
        "either", "when an army is to move", OF, misfit=_NOT_JOINED, halves=True),
    Key("move.on_push", TEXT, "which moves can be made on boards pushed together: any, those that stay on a half-board "
        "not pushed before in this turn, or none", "when an army is to move", PUSH, ("any", "staying", "none")),
    Key("move.spare_partner", TEXT, "which moves can be made where a half-board has no partner left",
        "by the rule on moves", PUSH, ("any", "staying", "none"), by_rules=True),
    Key("move.forced", TRUTH, "whether a move goes before those that are not forced: while there is one, no other "
        "can be made", "when an army is to move", MOVE),
    _term("check.from", ARMIES, "the armies whose pieces give check to an army", case=OF),
    Key("check.enemy_on_push", TEXT, "what a hostile king in check is when boards are pushed together",
        "when boards are pushed together", PUSH, ("mate", "nothing")),
    _term("check.own_on_push", TEXT, "whether check to one's own king must be parried", case=OF,
        values=("must parry", "may stay")),
    Key("mate.tested", TEXT, "when an army is looked at for checkmate: when it is to move, after every move, or never; "
        "then whoever has no answer to check has just no legal move", "when an army is to move, and after a move", OF,
        ("own turn", "after move", "never")),
    Key("mate.captor", PLAYER, "who gets the army that is mated", "when an army is mated", MATE),
    _term("capture.from", ARMIES, "the other armies whose pieces an army may capture", case=OF,
        apart='whether pieces capture their own army is said of how they move, with d, as in piece N moves "NdN"',
        whole=("armies", "batting_order")),
    Key("capture.result", TEXT, "what becomes of a captured piece: it is removed; it goes over to the army that "
        "captures it, on the square that the capturing piece comes from; all around it goes, but for pawns and "
        "royal pieces, or but for pawns alone; or it is in the hand of the army that captures it, or of its own, and "
        "can be dropped on an empty square in place of a move, but for royal pieces, which are removed",
        "when a piece is captured", CAPTURE,
        ("remove", "convert", "explode", "explode with royals", "captor's hand", "owner's hand")),
)  # fmt: skip
