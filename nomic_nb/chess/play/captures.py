"""What the boards are once a piece was captured, where it changes sides or explodes, and what is in a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from nomic_nb.chess.multiverse.multiverse import Multiverse, army_sign
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import Law as Chess
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.records import armies_of, is_in_hand, kind_name
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import ThingRef, Value
from nomic_nb.engine.play.state import State

#: What tells whether a capture leaves a king of its own army in check.
Exposes: TypeAlias = Callable[[BoardMove], bool]
#: Results after which something else stands on the boards than after an ordinary capture.
UNUSUAL_RESULTS = ("convert", "explode", "explode with royals")
#: Those after which it is in a hand.
HAND_RESULTS = ("captor's hand", "owner's hand")
#: Those after which pieces around go as well, and whether royal ones do.
EXPLOSION_RESULTS = {"explode": False, "explode with royals": True}


def capture_case(player: str, one: BoardMove, id: int, position: Multiverse) -> dict[str, Value]:
    """Return the case of a capture, before the move, as the law is asked about it."""
    piece = position.pieces[id]
    return {
        "piece": ThingRef("piece", id), "capturer": ThingRef("piece", one.piece), "player": ThingRef("player", player),
        "mover_army": ThingRef("army", one.army), "captured_from": ThingRef("army", piece.army),
        "square": ThingRef("square", position.name(piece.board, piece.square)),
        "push": tuple(ThingRef("board", name) for name in one.push),
    }  # fmt: skip


def capture_result(law: Law, state: State, one: BoardMove, id: int) -> str:
    """Return what becomes of a captured piece; ``instead`` where a rule puts something else in place of that.

    Raises
    ------
    Undecided
        The law leaves it open.
    """
    position = multiverse_of(state)
    case = capture_case(position.armies[one.army].controller, one, id, position)
    return (
        "instead" if law.replacing_clauses("captured", state, case) else str(law.answer("capture.result", state, case))
    )


def exchanged_piece(piece: Piece, one: BoardMove) -> Piece:
    """Return a captured piece that stays: it changes places with its captor; taken elsewhere, it stays there."""
    board, square = one.origin if (piece.board, piece.square) == one.target else (piece.board, piece.square)
    return replace(piece, board=board, square=square, moved=True)


def blast_area(push: Push, one: BoardMove, *, royals: bool) -> tuple[int, ...]:
    """Return what an explosion takes off, once the move is made.

    That is the capturing piece and what stands around it, but for pawns and, unless they go too, royal pieces.
    """
    there = [push.pieces[at] for at in push.geometry.around(push.local(*one.target)) if at in push.pieces]
    pawns = push.law.terms.pawns
    return tuple(
        piece.id
        for piece in there
        if (royals or not push.law.royal(piece)) and (piece.kind not in pawns or piece.id == one.piece)
    )


def exposure_check(
    law: Law, state: State, chess: Chess, push: tuple[str, ...], checks: Iterable[str]
) -> Exposes | None:
    """Return what tells whether a capture leaves a king of its own army in check, or blows it up.

    None if captured pieces are always just gone, and no army falls by that: then it is a capture like those of chess.
    """
    usual, lost = law.find("capture.result", state, {}), law.find("royal.capture", state, {"push": push})
    if usual.answered and usual.value not in UNUSUAL_RESULTS and lost.value != "mate":
        return None
    # How the army's own pieces move makes no difference to it, and of those that it gains the law may not say.
    enough, checking = chess.hollow, frozenset(checks)

    def exposes(one: BoardMove) -> bool:
        made = _position_after(law, state, one, enough)
        if _loses_own_king(state, enough, made, one):
            return True
        # An army that falls by the move gives no check any more.
        left = {
            army
            for army in checking
            if lost.value == "capture" or not _loses_last_king(law, state, enough, made, one, army)
        }
        return bool(Push(made, enough, one.army, one.push, captures=(), checks=left).checkers())

    return exposes


def blows_up_its_king(law: Law, state: State, chess: Chess, one: BoardMove) -> bool:
    """Tell whether a capture takes a king of its own army off the boards."""
    return _loses_own_king(state, chess, _position_after(law, state, one, chess.hollow), one)


def _loses_own_king(state: State, chess: Chess, made: Multiverse, one: BoardMove) -> bool:
    return any(king.id not in made.pieces for king in _royal_pieces(chess, multiverse_of(state), one.army))


def _royal_pieces(chess: Chess, position: Multiverse, army: str) -> list[Piece]:
    return [piece for piece in position.pieces.values() if piece.army == army and chess.royal(piece)]


def _loses_last_king(law: Law, state: State, chess: Chess, made: Multiverse, one: BoardMove, army: str) -> bool:
    """Tell whether an army loses its last king by a capture, and is mated: no rule puts something else there."""
    if _royal_pieces(chess, made, army) or not _royal_pieces(chess, multiverse_of(state), army):
        return False
    player = multiverse_of(state).armies[one.army].controller
    with suppress(Undecided):
        case: dict[str, Value] = {"player": ThingRef("player", player), "army": ThingRef("army", army), "checkers": ()}
        return not law.replacing_clauses("mated", state, case)
    return False


def _position_after(law: Law, state: State, one: BoardMove, chess: Chess) -> Multiverse:
    position = multiverse_of(state)
    made, results = position.play(one), set[str]()
    for id in one.taken:
        # Where a rule puts something else in place of the result, or gives none, nobody can tell before.
        with suppress(Undecided):
            results.add(result := capture_result(law, state, one, id))
            if result == "convert":
                made = made.with_pieces(replace(exchanged_piece(position.pieces[id], one), army=one.army))
    for result in EXPLOSION_RESULTS.keys() & results:
        made = made.remove(*blast_area(Push(made, chess, one.army, one.push), one, royals=EXPLOSION_RESULTS[result]))
    return made


def kinds_in_hand(state: State, army: str) -> dict[str, int]:
    """Return the kinds of pieces that an army has in hand, capital letters, each with the piece that came first."""
    found: dict[str, int] = {}
    for id in state.hands.get(army, ()):
        found.setdefault(state.gone[id].kind.upper(), id)
    return dict(sorted(found.items()))


def describe_hand(state: State, army: str) -> str:
    """Return what an army has in hand, for people; empty where that is nothing."""
    return _describe_pieces(state.gone[id] for id in state.hands.get(army, ()))


def describe_armies(state: State, player: str) -> list[str]:
    """Return a player's armies, each with its sign on the boards and what it has in hand."""
    found = []
    for name in armies_of(state, player):
        hand = describe_hand(state, name)
        found.append(f"{name} ({army_sign(multiverse_of(state), name)}){f' with {hand} in hand' if hand else ''}")
    return found


def describe_lost_pieces(state: State, army: str) -> str:
    """Return which pieces of an army are gone from the boards and in nobody's hand; empty where none are."""
    return _describe_pieces(one for id, one in state.gone.items() if one.army == army and not is_in_hand(state, id))


def _describe_pieces(pieces: Iterable[Piece]) -> str:
    counts = Counter(sorted(piece.kind.lower() for piece in pieces))
    named = [(kind_name(kind), count) for kind, count in counts.items()]
    return ", ".join(f"{count} {name}{'s' if len(name) > 1 else ''}" if count > 1 else name for name, count in named)


def legal_drops(state: State, push: Push) -> list[BoardMove]:
    """Return the drops that leave no king of the army in check: each kind on each empty square."""
    kinds = kinds_in_hand(state, push.army.name)
    squares = push.drops() if kinds else []
    return [drop_as_written(state, push, id, square) for id in kinds.values() for square in squares]


def drop_as_written(state: State, push: Push, id: int, square: tuple[str, int]) -> BoardMove:
    """Return the drop of a piece, as players write it: ``white.@N-white.c3``."""
    army = push.army.name
    text = f"{army}.@{state.gone[id].kind.upper()}-{multiverse_of(state).name(*square)}"
    return BoardMove(id, army, square, square, push.boards, text, dropped=True)
