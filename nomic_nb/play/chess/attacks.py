"""Functions of the law on what pieces can do from where they stand: where they go, and what they attack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import cast

from nomic_nb.law.resolver import Law
from nomic_nb.law.values import TEXT, Ref, Value, list_of
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import Function
from nomic_nb.multiverse.errors import MultiverseError
from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.multiverse.pushes import Push
from nomic_nb.play.chess.keys import ARMY, KIND, PIECE, PIECES, SQUARE
from nomic_nb.play.chess.records import one_ref, piece_of, position_of, refs, square_of
from nomic_nb.play.chess.terms import chess_of
from nomic_nb.play.state import state_of

#: The terms of the law that are looked up for it.
KEYS_READ = tuple(sorted((
    "piece.moves", "royal.kinds", "pawn.kinds", "pawn.double_step_ranks", "promotion.kinds", "promotion.ranks",
    "promotion.mandatory", "castling.on", "castling.partners", "passant.on", "check.own_on_push", "capture.from",
)))  # fmt: skip
#: Steps that it is worth to set up boards for an army, and for each piece on them.
SET_UP, EACH = 40, 4


def _boards(view: View, board: str) -> tuple[str, ...]:
    """Return the boards that are played on, where the case names them and the board is among them; else it alone."""
    push = view.env.get("push")
    names = tuple(str(cast(Ref, one).id) for one in push) if isinstance(push, tuple) and push else ()
    return names if board in names else (board,)


def _set_up(view: View, army: str, boards: tuple[str, ...], checks: Iterable[str] | None = None) -> Push:
    """Return boards as an army sees them, where no king has to be kept safe."""
    open_ones = [key for key in KEYS_READ if key in view.open_keys]
    if open_ones:
        raise Undecided(f"{open_ones[0]} depends on itself")
    state, position = state_of(view), position_of(view)
    view.spend(SET_UP + EACH * len(position.pieces))
    law = cast(Law, view.law)
    chess = chess_of(law, state, army, boards)
    free = replace(chess, terms=replace(chess.terms, check=False))
    captures = cast(tuple[Ref, ...], law.answer("capture.from", state, {"army": army, "push": boards}))
    try:
        return Push(position, free, army, boards, captures=[str(one.id) for one in captures], checks=checks)
    except MultiverseError as error:
        raise Undecided(str(error)) from None


def _reach(view: View, piece: Value) -> Value:
    one = piece_of(state_of(view), one_ref(piece, "piece").id)
    if one.id not in position_of(view).pieces:
        raise Undecided("this piece is not on the boards")
    push = _set_up(view, one.army, _boards(view, one.board))
    return _squares(position_of(view), (move.target for move in push.moves() if move.piece == one.id))


def _squares(position: Multiverse, found: Iterable[tuple[str, int]]) -> Value:
    return refs("square", [position.name(*one) for one in sorted(set(found))])


def _covering(view: View, square: Value) -> Value:
    position = position_of(view)
    board, at = square_of(position, one_ref(square, "square").id)
    boards = _boards(view, board)
    there = sorted({piece.army for name in boards for piece in position.standing[name].values()})
    found: list[int] = []
    # Each army sees the others; so two looks find all.
    for army, others in ((there[0], there[1:]), (next(iter(there[1:]), ""), there[:1])) if there else ():
        if not army:
            continue
        push = _set_up(view, army, boards, others)
        target = 1 << push.places[boards.index(board)][at]
        occupied = sum(1 << local for local in push.pieces)
        found += [push.pieces[bit.bit_length() - 1].id for bit in push.generator.attackers(target, push.view, occupied)]
    if len(there) == 1:
        push = _set_up(view, there[0], boards)
        found += [move.piece for move in push.moves() if move.target == (board, at)]
    return refs("piece", sorted(set(found)))


@contextmanager
def _asked_once(view: View, key: str, mark: str) -> Iterator[None]:
    """Let a term be asked about another case inside itself, and about the same one no more."""
    before = view.open_keys
    if mark in before:
        raise Undecided(f"{mark} depends on itself")
    view.open_keys = (*(one for one in before if one != key), mark)
    try:
        yield
    finally:
        view.open_keys = before


def _moves_of(view: View, army: Value, kind: Value) -> Value:
    name, letter = one_ref(army, "army"), str(kind)
    with _asked_once(view, "piece.moves", f"how {letter} of {name.id} moves"):
        case: dict[str, Value] = {"army": name, "kind": letter}
        if "push" in view.env:
            case["push"] = view.env["push"]
        return view.law.answer("piece.moves", view.state, case, view)


FUNCTIONS = (
    Function("reach", (PIECE,), list_of(SQUARE), "the squares that a piece could move to from where it stands, on the "
             "boards that are played on or else on its own, whoever's turn it is; no king has to be kept safe", _reach,
             reads=("position",), keys=KEYS_READ),
    Function("covering", (SQUARE,), PIECES, "the pieces that could capture on a square, of all armies, also those "
             "that guard their own there", _covering, reads=("position",), keys=KEYS_READ),
    Function("moves_of", (ARMY, KIND), TEXT, "how a kind of piece moves in an army, in Betza notation", _moves_of,
             keys=("piece.moves",)),
)  # fmt: skip
