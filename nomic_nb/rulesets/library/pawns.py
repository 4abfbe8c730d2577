"""Ready-made rules on pawns: two squares at a time, en passant, what they become and where."""

from __future__ import annotations

from nomic_nb.rulesets.library.chess import kinds_of, listed, one, written
from nomic_nb.rulesets.library.making import LibraryRule, ordinal, whole

PROMOTION = "the rule that players made on what pawns become, or where, if there is one"


def no_double_step() -> LibraryRule:
    """Let pawns go one square at a time.

    Examples
    --------
    >>> print(no_double_step().law)
    set pawn.double_step_ranks to []
    """
    return LibraryRule(
        "No two squares at a time",
        "Pawns go one square at a time, also those that have not moved.",
        "set pawn.double_step_ranks to []",
    )


def no_en_passant() -> LibraryRule:
    """Do away with capturing in passing.

    Examples
    --------
    >>> print(no_en_passant().law)
    set passant.on to false
    """
    return LibraryRule(
        "No capturing in passing",
        "A pawn that has gone two squares can be captured on the square where it stands, and not in passing.",
        "set passant.on to false",
    )


def en_passant_for_a_circuit() -> LibraryRule:
    """Let every other army have the chance to capture in passing.

    Examples
    --------
    >>> print(en_passant_for_a_circuit().law)
    set passant.until to "own next turn"
    """
    return LibraryRule(
        "Capturing in passing for a whole circuit",
        "A pawn that has gone two squares can be captured in passing by every other army in its next turn, until the "
        "pawn's own army has its turn again.",
        'set passant.until to "own next turn"',
    )


def promotion_to(kinds: str = "RBN") -> LibraryRule:
    """Say what a pawn may become on the last rank.

    Parameters
    ----------
    kinds : str
        Their capital letters, from one to ten.

    Examples
    --------
    >>> print(promotion_to("N").wording)
    A pawn that gets to where pawns promote becomes a knight of its army.
    """
    kinds = kinds_of("the kinds that a pawn may become", kinds)
    names = listed([one(kind) for kind in kinds])
    return LibraryRule(
        f"Pawns become {names}",
        f"A pawn that gets to where pawns promote becomes {names} of its army"
        + ("." if len(kinds) == 1 else "; its player chooses."),
        f"set promotion.kinds to {written(kinds)}",
        PROMOTION,
    )


def optional_promotion() -> LibraryRule:
    """Let pawns stay pawns on the last rank.

    Examples
    --------
    >>> print(optional_promotion().law)
    set promotion.mandatory to false
    """
    return LibraryRule(
        "Pawns may stay pawns",
        "A pawn that gets to where pawns promote may become another piece, or stay a pawn.",
        "set promotion.mandatory to false",
    )


def promotion_rank(rank: int = 7) -> LibraryRule:
    """Let pawns promote earlier.

    Parameters
    ----------
    rank : int
        Counted from the army's own side over both half-boards, from 3 to 16.

    Examples
    --------
    >>> print(promotion_rank(6).title)
    Pawns promote on the 6th rank
    """
    whole("a rank", rank, 3, 16)
    return LibraryRule(
        f"Pawns promote on the {ordinal(rank)} rank",
        f"A pawn promotes on the {ordinal(rank)} rank of two half-boards pushed together, counted from its own side, "
        "and nowhere else.",
        f"set promotion.ranks to [{rank}]",
        PROMOTION,
    )
