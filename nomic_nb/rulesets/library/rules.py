"""Ready-made rules about rules: how many, for how long, how safe, which of them prevails."""

from __future__ import annotations

from nomic_nb.rulesets.library.making import BEFORE, LibraryRule, times, whole


def cool_down(turns: int = 3) -> LibraryRule:
    """Protect rules from repeal while they are new.

    Parameters
    ----------
    turns : int
        For how many turns, from 1 to 500.

    Examples
    --------
    >>> print(cool_down(2).title)
    No easy repeal for 2 turns
    """
    whole("a count of turns", turns, 1, 500)
    before = "the turn" if turns == 1 else f"one of the {turns} turns"
    return LibraryRule(
        f"No easy repeal for {times(turns, 'turn')}",
        "A proposal to repeal a rule takes the votes of all who may vote if the rule was made or changed in the same "
        f"turn or in {before} before. Rules in force since the beginning are not meant. {BEFORE}",
        'set vote.quota to unanimity(vote.electorate) while change.kind == "repeal" and target.made > 0 and '
        f"turn - target.made <= {turns}\nprevails over everything on vote.quota",
    )
