"""Ready-made rules on how pieces move, castling, and how many moves an army makes."""

from __future__ import annotations

import re

from nomic_nb.multiverse.words import sentence
from nomic_nb.rulesets.library.chess import kind_of, kinds_of, listed, many, movement_of, one, written
from nomic_nb.rulesets.library.making import LibraryRule, every, one_of, whole

MOVEMENT = "the rule that players made on how this kind moves, where there is one"


def piece_moves(kind: str = "N", moves: str = "NW", army: str = "") -> LibraryRule:
    """Say anew how a kind of piece moves.

    Parameters
    ----------
    kind : str
        Its capital letter: K, Q, R, B, N, P, or that of a kind that other rules brought in.
    moves : str
        In Betza notation, at most 60 letters; the wording says the same in words.
    army : str
        For this army only, such as ``white``; for all where it is empty.

    Examples
    --------
    >>> print(piece_moves("R", "WD").wording)
    How a rook moves: steps 1 square orthogonally; or leaps 2 squares orthogonally.
    >>> print(piece_moves("R", "WD", army="white").law)
    piece R moves "WD" while army.name == "white"
    """
    kind, moves = kind_of("a kind of piece", kind), movement_of(moves)
    if not isinstance(army, str) or not re.fullmatch("[A-Za-z0-9]{0,20}", army):
        raise ValueError(f"an army has a name of letters and digits, such as white; found {str(army)[:80]!r}")
    said = sentence(moves)
    whose = f" of the army {army}" if army else ""
    return LibraryRule(
        f"Another movement for {many(kind)}{whose}",
        f"How {one(kind)}{whose} moves: {said[0].lower()}{said[1:]}",
        f'piece {kind} moves "{moves}"' + (f' while army.name == "{army}"' if army else ""),
        MOVEMENT,
    )


def slow_pieces(kind: str = "P", circuits: int = 2) -> LibraryRule:
    """Let a kind of piece move in every so manieth circuit only.

    Parameters
    ----------
    kind : str
        Its capital letter.
    circuits : int
        From 2 to 100.

    Examples
    --------
    >>> print(slow_pieces("Q", 3).wording)
    Queens move in every 3rd circuit of turns only. In the others they stay where they are, but give check all the same.
    """
    kind = kind_of("a kind of piece", kind)
    whole("a count of circuits", circuits, 2, 100)
    name = many(kind)
    return LibraryRule(
        f"{name[0].upper()}{name[1:]} move in {every(circuits, 'circuit')}",
        f"{name[0].upper()}{name[1:]} move in {every(circuits, 'circuit')} of turns only. In the others they stay "
        "where they are, but give check all the same.",
        f'forbid move when piece.kind == "{kind}" and circuit % {circuits} != 0',
    )


def castling_with(kinds: str = "RN") -> LibraryRule:
    """Let kings castle with other pieces than rooks.

    Parameters
    ----------
    kinds : str
        Their capital letters, from one to ten.

    Examples
    --------
    >>> print(castling_with("QR").wording)
    A king castles with a queen or a rook, under the same conditions as with a rook before.
    """
    kinds = kinds_of("the kinds that kings castle with", kinds)
    return LibraryRule(
        f"Castling with {listed([many(kind) for kind in kinds])}",
        f"A king castles with {listed([one(kind) for kind in kinds])}, under the same conditions as with a rook "
        "before.",
        f"set castling.partners to {written(kinds)}",
        "the rule that players made on castling, where there is one",
    )


def army_without_move(then: str = "pass") -> LibraryRule:
    """Say what happens when an army has no legal move and is not mated.

    Parameters
    ----------
    then : str
        ``pass``, or ``end``: play cannot go on, and the rules say who has won.

    Examples
    --------
    >>> print(army_without_move("end").law)
    set army.stuck to "play cannot continue"
    """
    one_of("what happens then", then, ("pass", "end"))
    said = {
        "pass": "it makes no move, and play goes on with what comes next.",
        "end": "play cannot continue, and the rules say who has won if that happens.",
    }[then]
    value = {"pass": "skip", "end": "play cannot continue"}[then]
    return LibraryRule(
        "An army that cannot move passes" if then == "pass" else "An army that cannot move ends the game",
        "If an army has no legal move, whatever boards are pushed together, and is not mated, " + said,
        f'set army.stuck to "{value}"',
        "the rule that players made on armies that cannot move, where there is one",
    )
