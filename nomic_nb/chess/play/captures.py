"""What the boards are once a piece was captured, where it changes sides or explodes, and what is in a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from nomic_nb.chess.multiverse.multiverse import Multiverse, sign
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import Law as Chess
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.records import armies_of, in_a_hand, name_of_kind
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import Ref, Value
from nomic_nb.engine.play.state import State

#: What tells whether a capture leaves a king of its own army in check.
Exposes: TypeAlias = Callable[[BoardMove], bool]
#: Results after which something else stands on the boards than after an ordinary capture.
UNUSUAL = ("convert", "explode", "explode with royals")
#: Those after which it is in a hand.
HANDS = ("captor's hand", "owner's hand")
#: Those after which pieces around go as well, and whether royal ones do.
EXPLODING = {"explode": False, "explode with royals": True}


def case_of_capture(player: str, one: BoardMove, id: int, position: Multiverse) -> dict[str, Value]:
    """Return the case of a capture, before the move, as the law is asked about it."""
    piece = position.pieces[id]
    return {
        "piece": Ref("piece", id), "capturer": Ref("piece", one.piece), "player": Ref("player", player),
        "mover_army": Ref("army", one.army), "captured_from": Ref("army", piece.army),
        "square": Ref("square", position.name(piece.board, piece.square)),
        "push": tuple(Ref("board", name) for name in one.push),
    }  # fmt: skip


def result_of(law: Law, state: State, one: BoardMove, id: int) -> str:
    """Return what becomes of a captured piece; ``instead`` where a rule puts something else in place of that.

    Raises
    ------
    Undecided
        The law leaves it open.
    """
    position = multiverse_of(state)
    case = case_of_capture(position.armies[one.army].controller, one, id, position)
    return "instead" if law.instead_of("captured", state, case) else str(law.answer("capture.result", state, case))


def in_exchange(piece: Piece, one: BoardMove) -> Piece:
    """Return a captured piece that stays: it changes places with its captor; taken elsewhere, it stays there."""
    board, square = one.origin if (piece.board, piece.square) == one.target else (piece.board, piece.square)
    return replace(piece, board=board, square=square, moved=True)


def blast(push: Push, one: BoardMove, *, royals: bool) -> tuple[int, ...]:
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


def exposing(law: Law, state: State, chess: Chess, push: tuple[str, ...], checks: Iterable[str]) -> Exposes | None:
    """Return what tells whether a capture leaves a king of its own army in check, or blows it up.

    None if captured pieces are always just gone, and no army falls by that: then it is a capture like those of chess.
    """
    usual, lost = law.find("capture.result", state, {}), law.find("royal.capture", state, {"push": push})
    if usual.answered and usual.value not in UNUSUAL and lost.value != "mate":
        return None
    # How the army's own pieces move makes no difference to it, and of those that it gains the law may not say.
    enough, checking = chess.hollow, frozenset(checks)

    def exposes(one: BoardMove) -> bool:
        made = _after(law, state, one, enough)
        if _own_lost(state, enough, made, one):
            return True
        # An army that falls by the move gives no check any more.
        left = {army for army in checking if lost.value == "capture" or not _falls(law, state, enough, made, one, army)}
        return bool(Push(made, enough, one.army, one.push, captures=(), checks=left).checkers())

    return exposes


def blows_up_its_king(law: Law, state: State, chess: Chess, one: BoardMove) -> bool:
    """Tell whether a capture takes a king of its own army off the boards."""
    return _own_lost(state, chess, _after(law, state, one, chess.hollow), one)


def _own_lost(state: State, chess: Chess, made: Multiverse, one: BoardMove) -> bool:
    return any(king.id not in made.pieces for king in _royals(chess, multiverse_of(state), one.army))


def _royals(chess: Chess, position: Multiverse, army: str) -> list[Piece]:
    return [piece for piece in position.pieces.values() if piece.army == army and chess.royal(piece)]


def _falls(law: Law, state: State, chess: Chess, made: Multiverse, one: BoardMove, army: str) -> bool:
    """Tell whether an army loses its last king by a capture, and is mated: no rule puts something else there."""
    if _royals(chess, made, army) or not _royals(chess, multiverse_of(state), army):
        return False
    player = multiverse_of(state).armies[one.army].controller
    with suppress(Undecided):
        case: dict[str, Value] = {"player": Ref("player", player), "army": Ref("army", army), "checkers": ()}
        return not law.instead_of("mated", state, case)
    return False


def _after(law: Law, state: State, one: BoardMove, chess: Chess) -> Multiverse:
    position = multiverse_of(state)
    made, results = position.play(one), set[str]()
    for id in one.taken:
        # Where a rule puts something else in place of the result, or gives none, nobody can tell before.
        with suppress(Undecided):
            results.add(result := result_of(law, state, one, id))
            if result == "convert":
                made = made.with_pieces(replace(in_exchange(position.pieces[id], one), army=one.army))
    for result in EXPLODING.keys() & results:
        made = made.remove(*blast(Push(made, chess, one.army, one.push), one, royals=EXPLODING[result]))
    return made


def in_hand(state: State, army: str) -> dict[str, int]:
    """Return the kinds of pieces that an army has in hand, capital letters, each with the piece that came first."""
    found: dict[str, int] = {}
    for id in state.hands.get(army, ()):
        found.setdefault(state.gone[id].kind.upper(), id)
    return dict(sorted(found.items()))


def hand_in_words(state: State, army: str) -> str:
    """Return what an army has in hand, for people; empty where that is nothing."""
    return _in_words(state.gone[id] for id in state.hands.get(army, ()))


def armies_in_words(state: State, player: str) -> list[str]:
    """Return a player's armies, each with its sign on the boards and what it has in hand."""
    found = []
    for name in armies_of(state, player):
        hand = hand_in_words(state, name)
        found.append(f"{name} ({sign(multiverse_of(state), name)}){f' with {hand} in hand' if hand else ''}")
    return found


def lost_in_words(state: State, army: str) -> str:
    """Return which pieces of an army are gone from the boards and in nobody's hand; empty where none are."""
    return _in_words(one for id, one in state.gone.items() if one.army == army and not in_a_hand(state, id))


def _in_words(pieces: Iterable[Piece]) -> str:
    counts = Counter(sorted(piece.kind.lower() for piece in pieces))
    named = [(name_of_kind(kind), count) for kind, count in counts.items()]
    return ", ".join(f"{count} {name}{'s' if len(name) > 1 else ''}" if count > 1 else name for name, count in named)


def drops(state: State, push: Push) -> list[BoardMove]:
    """Return the drops that leave no king of the army in check: each kind on each empty square."""
    kinds = in_hand(state, push.army.name)
    squares = push.drops() if kinds else []
    return [drop(state, push, id, square) for id in kinds.values() for square in squares]


def drop(state: State, push: Push, id: int, square: tuple[str, int]) -> BoardMove:
    """Return the drop of a piece, as players write it: ``white.@N-white.c3``."""
    army = push.army.name
    text = f"{army}.@{state.gone[id].kind.upper()}-{multiverse_of(state).name(*square)}"
    return BoardMove(id, army, square, square, push.boards, text, dropped=True)
