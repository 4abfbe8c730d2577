"""What the boards are once a piece was captured, where it changes sides or explodes, and what is in a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from nomic_nb.chess.multiverse.multiverse import Multiverse, army_sign
from nomic_nb.chess.multiverse.pieces import BoardMove, BoardNames, Piece, Place
from nomic_nb.chess.multiverse.pushes import Exposes, Push
from nomic_nb.chess.multiverse.rules import Law as Chess
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.records import armies_of, is_in_hand, kind_name
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import ThingRef, Value
from nomic_nb.engine.play.state import State

#: Results after which something else is on the boards than after an ordinary capture.
UNUSUAL_RESULTS = ("convert", "explode", "explode with royals")
#: Those after which it is in a hand.
HAND_RESULTS = ("captor's hand", "owner's hand")
#: Those after which pieces around go as well, and whether royal ones do.
EXPLOSION_RESULTS = {"explode": False, "explode with royals": True}


def capture_case(player: str, move: BoardMove, id: int, position: Multiverse) -> dict[str, Value]:
    """Return the facts of the capture of piece `id` (pieces, player, armies, square …) for asking the law."""
    piece = position.pieces[id]
    return {
        "piece": ThingRef("piece", id), "capturer": ThingRef("piece", move.piece), "player": ThingRef("player", player),
        "mover_army": ThingRef("army", move.army), "captured_from": ThingRef("army", piece.army),
        "square": ThingRef("square", position.name(*piece.place)),
        "push": tuple(ThingRef("board", name) for name in move.push),
    }  # fmt: skip


def capture_result(law: Law, state: State, move: BoardMove, id: int) -> str:
    """Return what the law makes of captured piece `id`, such as “remove”; “instead” if rules replace that.

    Raises
    ------
    Undecided
        The law leaves it open.
    """
    position = multiverse_of(state)
    case = capture_case(position.armies[move.army].controller, move, id, position)
    return (
        "instead" if law.replacing_clauses("captured", state, case) else str(law.answer("capture.result", state, case))
    )


def surviving_piece(piece: Piece, move: BoardMove) -> Piece:
    """Return a captured piece that stays on the boards; if its captor is on its square, on the captor's origin."""
    board, square = move.origin if piece.place == move.target else piece.place
    return replace(piece, board=board, square=square, moved=True)


def pieces_in_blast(push: Push, move: BoardMove, *, royals: bool) -> tuple[int, ...]:
    """Return the numbers of the pieces that a capture's explosion removes, including royal ones if `royals`.

    That is the capturing piece and what is around it, but for pawns and, unless they go too, royal pieces.
    """
    pieces = [push.pieces[at] for at in push.geometry.around(push.local(*move.target)) if at in push.pieces]
    pawns = push.law.terms.pawns
    return tuple(
        piece.id
        for piece in pieces
        if (royals or not push.law.royal(piece)) and (piece.kind not in pawns or piece.id == move.piece)
    )


def own_king_exposure_test(
    law: Law, state: State, chess: Chess, push: BoardNames, checks: Iterable[str]
) -> Exposes | None:
    """Return a test whether a capture exposes its own king to armies in `checks`; None if captures are as in chess.

    None if captured pieces are always just gone, and no army falls by that: then it is a capture like those of chess.
    """
    usual, lost = law.find("capture.result", state, {}), law.find("royal.capture", state, {"push": push})
    if usual.answered and usual.value not in UNUSUAL_RESULTS and lost.value != "mate":
        return None
    # How the army's own pieces move makes no difference to it, and of those that it gains the law may not say.
    enough, checking = chess.hollow, frozenset(checks)

    def exposes(move: BoardMove) -> bool:
        multiverse = _position_after_capture(law, state, move, enough)
        if _loses_own_king(state, enough, multiverse, move):
            return True
        # An army that falls by the move gives no check any more.
        left = {
            army
            for army in checking
            if lost.value == "capture" or not _loses_last_king(law, state, enough, multiverse, move, army)
        }
        return bool(Push(multiverse, enough, move.army, move.push, captures=(), checks=left).checkers())

    return exposes


def blows_up_own_king(law: Law, state: State, chess: Chess, move: BoardMove) -> bool:
    """Tell whether a capture takes a king of the capturing army itself off the boards."""
    return _loses_own_king(state, chess, _position_after_capture(law, state, move, chess.hollow), move)


def _loses_own_king(state: State, chess: Chess, multiverse: Multiverse, move: BoardMove) -> bool:
    """Tell whether a king that the moving army had is gone in `multiverse`, the boards after the move."""
    return any(king.id not in multiverse.pieces for king in _royal_pieces(chess, multiverse_of(state), move.army))


def _royal_pieces(chess: Chess, position: Multiverse, army: str) -> list[Piece]:
    """Return the royal pieces of an army on the boards."""
    return [piece for piece in position.pieces.values() if piece.army == army and chess.royal(piece)]


def _loses_last_king(law: Law, state: State, chess: Chess, multiverse: Multiverse, move: BoardMove, army: str) -> bool:
    """Tell whether a move costs an army its last king (`multiverse`: boards after) and no rule replaces the mate."""
    if _royal_pieces(chess, multiverse, army) or not _royal_pieces(chess, multiverse_of(state), army):
        return False
    player = multiverse_of(state).armies[move.army].controller
    with suppress(Undecided):
        case = {"player": ThingRef("player", player), "army": ThingRef("army", army), "checkers": ()}
        return not law.replacing_clauses("mated", state, case)
    return False


def _position_after_capture(law: Law, state: State, move: BoardMove, chess: Chess) -> Multiverse:
    """Return the boards after a move, with conversions and explosions carried out."""
    position = multiverse_of(state)
    multiverse, results = position.play(move), set[str]()
    for id in move.taken:
        # If a rule puts something else in place of the result, or gives none, nobody can tell before.
        with suppress(Undecided):
            results.add(result := capture_result(law, state, move, id))
            if result == "convert":
                multiverse = multiverse.with_pieces(replace(surviving_piece(position.pieces[id], move), army=move.army))
    for result in EXPLOSION_RESULTS.keys() & results:
        multiverse = multiverse.remove(
            *pieces_in_blast(Push(multiverse, chess, move.army, move.push), move, royals=EXPLOSION_RESULTS[result])
        )
    return multiverse


def kinds_in_hand(state: State, army: str) -> dict[str, int]:
    """Return the kinds (capital letters) in the hand of an army, each with the number of its first piece."""
    first_of_kind: dict[str, int] = {}
    for id in state.hands.get(army, ()):
        first_of_kind.setdefault(state.gone[id].kind.upper(), id)
    return dict(sorted(first_of_kind.items()))


def describe_hand(state: State, army: str) -> str:
    """Return in words the pieces that an army has in hand; empty if it has none."""
    return _describe_pieces(state.gone[id] for id in state.hands.get(army, ()))


def describe_armies(state: State, player: str) -> list[str]:
    """Return a player's armies in words, each with its sign on the boards and what it has in hand."""
    descriptions = []
    for name in armies_of(state, player):
        hand = describe_hand(state, name)
        descriptions.append(
            f"{name} ({army_sign(multiverse_of(state), name)}){f' with {hand} in hand' if hand else ''}"
        )
    return descriptions


def describe_lost_pieces(state: State, army: str) -> str:
    """Return in words an army's pieces that are gone and in no hand; empty if none exist."""
    return _describe_pieces(
        piece for id, piece in state.gone.items() if piece.army == army and not is_in_hand(state, id)
    )


def _describe_pieces(pieces: Iterable[Piece]) -> str:
    """Return in words how many pieces of each kind there are."""
    counts = Counter(sorted(piece.kind.lower() for piece in pieces))
    named = [(kind_name(kind), count) for kind, count in counts.items()]
    return ", ".join(f"{count} {name}{'s' if len(name) > 1 else ''}" if count > 1 else name for name, count in named)


def legal_drops(state: State, push: Push) -> list[BoardMove]:
    """Return the drops from an army's hand that leave none of its kings in check."""
    kinds = kinds_in_hand(state, push.army.name)
    squares = push.drops() if kinds else []
    return [make_drop_move(state, push, id, square) for id in kinds.values() for square in squares]


def make_drop_move(state: State, push: Push, id: int, square: Place) -> BoardMove:
    """Return the move that drops piece `id`, from the moving army's hand, on a square."""
    army = push.army.name
    text = f"{army}.@{state.gone[id].kind.upper()}-{multiverse_of(state).name(*square)}"
    return BoardMove(id, army, square, square, push.boards, text, dropped=True)
