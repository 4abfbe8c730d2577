"""Ready-made rules on kings: which pieces are royal, what check and mate mean, who gets an army."""

from __future__ import annotations

from nomic_nb.rulesets.library.chess import kinds_of, listed, many, written
from nomic_nb.rulesets.library.making import LibraryRule


def royal_kinds(kinds: str = "KQ") -> LibraryRule:
    """Say which kinds are royal: those that are in check, and mated.

    Parameters
    ----------
    kinds : str
        Their capital letters, from one to ten.

    Examples
    --------
    >>> print(royal_kinds("N").wording)
    Knights are royal, and no other pieces: what the rules say of kings in check and of mate holds for each of them.
    """
    kinds = kinds_of("the royal kinds", kinds)
    names = listed([many(kind) for kind in kinds], "and")
    names = names[0].upper() + names[1:]
    return LibraryRule(
        f"{names} are royal",
        f"{names} are royal, and no other pieces: what the rules say of kings in check and of mate holds for each of "
        "them.",
        f"set royal.kinds to {written(kinds)}",
        "the rule that players made on royal pieces, where there is one",
    )
