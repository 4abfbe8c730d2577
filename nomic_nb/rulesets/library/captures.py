"""Ready-made rules on captures: what becomes of a piece, who may be captured, what captures bring."""

from __future__ import annotations

from nomic_nb.rulesets.library.chess import kind_of, many, one
from nomic_nb.rulesets.library.making import BEFORE, LibraryRule, counter, whole

RESULT = "the rule that players made on what becomes of a captured piece, where there is one"
#: Captures of pieces that somebody else controls.
HOSTILE = "captured_from.controller != player"


def captured_change_sides() -> LibraryRule:
    """Let captured pieces go over to the army that captures them.

    Examples
    --------
    >>> print(captured_change_sides().law)
    set capture.result to "convert"
    """
    return LibraryRule(
        "Captured pieces change sides",
        "A captured piece does not leave the boards. It goes over to the army that captures it, and stands on the "
        "square that the capturing piece comes from.",
        'set capture.result to "convert"',
        RESULT,
    )


def explosions() -> LibraryRule:
    """Let every capture be an explosion.

    Examples
    --------
    >>> print(explosions().law)
    set capture.result to "explode"
    """
    return LibraryRule(
        "Captures explode",
        "With a captured piece also the piece that captures it leaves the boards, and so does whatever stands on a "
        "square next to it, on the two half-boards that are pushed together. Royal pieces stay, and so do pawns around "
        "it.",
        'set capture.result to "explode"',
        RESULT,
    )


def absorption() -> LibraryRule:
    """Let a piece that captures become what it has captured.

    Examples
    --------
    >>> print(absorption().title)
    Pieces become what they capture
    """
    return LibraryRule(
        "Pieces become what they capture",
        "A piece that captures another becomes a piece of the kind that it has captured, in its own army. Royal pieces "
        "stay what they are, a captured royal piece changes nobody, and neither does a capture in passing.",
        "on captured each p in [q for q in mover_army.pieces if q.square == square and not q.royal] when\n"
        "    not piece.royal and piece.kind != p.kind: promote p to piece.kind",
    )


def promotion_for_capture() -> LibraryRule:
    """Let a piece that captures become the next stronger one.

    Examples
    --------
    >>> print(promotion_for_capture().title)
    Captures promote
    """
    return LibraryRule(
        "Captures promote",
        "A piece that captures a piece of another player on the square that it goes to becomes the next stronger one, "
        "by the steps that there are for promotion. The strongest and royal pieces stay what they are.",
        f"on captured each p in [q for q in promotable(player) if q.square == square] when {HOSTILE}: promote p",
    )


def points_for_captures(pawn: int = 1, knight: int = 3, bishop: int = 3, rook: int = 5, queen: int = 9) -> LibraryRule:
    """Count points for captures; other rules can say what points are good for.

    Parameters
    ----------
    pawn, knight, bishop, rook, queen : int
        What each brings, from 0 to 1000.

    Examples
    --------
    >>> print(points_for_captures().wording)
    Players have points, zero at first. Capturing a piece of another player brings points: a pawn 1, a knight 3, a
    bishop 3, a rook 5, a queen 9.
    """
    worth = {"P": pawn, "N": knight, "B": bishop, "R": rook, "Q": queen}
    for kind, points in worth.items():
        whole(f"what {one(kind)} brings", points, 0, 1000)
    said = ", ".join(f"{one(kind)} {points}" for kind, points in worth.items())
    return LibraryRule(
        "Points for captures",
        f"Players have points, zero at first. Capturing a piece of another player brings points: {said}.",
        "track points per player from 0\n"
        + "\n".join(
            f'on captured when piece.kind == "{kind}" and {HOSTILE}: award {points} points to player'
            for kind, points in worth.items()
        ),
    )


def trophies(name: str = "trophies", needed: int = 3) -> LibraryRule:
    """Count captures, and let so many of them be paid for a promotion.

    Parameters
    ----------
    name : str
        What is counted, one word in small letters, such as ``trophies``.
    needed : int
        How many captures, from 1 to 100.

    Examples
    --------
    >>> print(trophies("scalps", 2).title)
    2 scalps bring a promotion
    """
    name = counter("what is counted", name)
    whole("a count of captures", needed, 1, 100)
    return LibraryRule(
        f"{needed} {name} bring a promotion",
        f"Whoever captures a piece of another player gets one of the {name}. Whoever comes to have {needed} of them "
        "gives them away, and may let a piece become the next stronger one, by the steps that there are for promotion.",
        f"track {name} per player from 0\n"
        f"on captured when {HOSTILE}: award 1 {name} to player\n"
        f'on counted when counter == "{name}" and player.{name} >= {needed}: award -{needed} {name} to player; '
        "let player choose raised from promotable(player) or none; promote raised",
    )


def truce(turns: int = 4) -> LibraryRule:
    """Let nobody capture anything for some turns; then the rule repeals itself.

    Parameters
    ----------
    turns : int
        From 1 to 500.

    Examples
    --------
    >>> print(truce(2).wording)
    Nobody captures anything. Kings are put in check and mated as before. On this point it goes before every other rule.
    This rule is repealed by itself at the end of the 2nd turn that ends after it was made, even if it was amended
    meanwhile.
    """
    return LibraryRule(
        "A truce",
        f"Nobody captures anything. Kings are put in check and mated as before. {BEFORE}",
        "set capture.from to []\nprevails over everything on capture.from",
    ).ending_after(turns)


def own_pieces_are_safe() -> LibraryRule:
    """Let the armies of one player not capture each other's pieces.

    Examples
    --------
    >>> print(own_pieces_are_safe().law)
    set capture.from to [a for a in armies if a.controller != army.controller]
    """
    return LibraryRule(
        "Nobody captures their own",
        "Armies that the same player controls do not capture each other's pieces.",
        "set capture.from to [a for a in armies if a.controller != army.controller]",
    )


def untouchable(kind: str = "N") -> LibraryRule:
    """Let a kind of piece never be captured.

    Parameters
    ----------
    kind : str
        Its capital letter.

    Examples
    --------
    >>> print(untouchable("B").wording)
    No bishop can be captured.
    """
    kind = kind_of("a kind of piece", kind)
    return LibraryRule(
        f"Nobody captures {many(kind)}",
        f"No {one(kind).removeprefix('a ')} can be captured.",
        f'forbid move when count(p for p in captures if p.kind == "{kind}") > 0',
    )


def forced_captures() -> LibraryRule:
    """Let whoever can capture have to.

    Examples
    --------
    >>> print(forced_captures().law)
    set move.forced to count(captures) > 0
    prevails over everything on move.forced
    """
    return LibraryRule(
        "Who can capture must",
        "An army that can capture something makes a capture, on whichever boards; among several its player chooses. "
        f"{BEFORE}",
        "set move.forced to count(captures) > 0\nprevails over everything on move.forced",
    )
