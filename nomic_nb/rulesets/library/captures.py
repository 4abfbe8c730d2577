"""Ready-made rules on captures: what becomes of a piece, who may be captured, what captures bring."""

from __future__ import annotations

from nomic_nb.rulesets.library.chess import kind_of, many, one
from nomic_nb.rulesets.library.making import BEFORE, LibraryRule, whole

#: Captures of pieces that somebody else controls.
HOSTILE = "captured_from.controller != player"


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
