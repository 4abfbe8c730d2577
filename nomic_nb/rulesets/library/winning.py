"""Ready-made rules on winning: how many points, when, and who wins together."""

from __future__ import annotations

from nomic_nb.rulesets.library.making import BEFORE, LibraryRule, times, whole


def last_circuit(circuits: int = 5) -> LibraryRule:
    """Let the game end after so many circuits: whoever leads then wins.

    Parameters
    ----------
    circuits : int
        From 1 to 1000.

    Examples
    --------
    >>> print(last_circuit(3).wording)
    From circuit 4 of the game on, it takes no more points to win than the leading player has. On this point it goes
    before every other rule.
    """
    whole("a count of circuits", circuits, 1, 1000)
    return LibraryRule(
        f"The game ends after {times(circuits, 'circuit')}",
        f"From circuit {circuits + 1} of the game on, it takes no more points to win than the leading player has. "
        f"{BEFORE}",
        f"set win.points to max([p.points for p in seats]) while circuit > {circuits}\n"
        "prevails over everything on win.points",
    )
