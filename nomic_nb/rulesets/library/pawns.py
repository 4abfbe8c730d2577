"""Ready-made rules on pawns: two squares at a time, en passant, what they become and where."""

from __future__ import annotations

from nomic_nb.rulesets.library.chess import kinds_of, listed, one, written
from nomic_nb.rulesets.library.making import LibraryRule

PROMOTION = "the rule that players made on what pawns become, or where, if there is one"


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
