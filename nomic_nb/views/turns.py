"""What players see of turns under way: several can be, where they overlap."""

from __future__ import annotations

from nomic_nb.play.values import Turn


def where(turn: Turn) -> str:
    """Say which turn it is, and how far it has come.

    Examples
    --------
    >>> where(Turn(2, "Ben", "proposal"))
    'turn 2: proposal'
    """
    return f"turn {turn.number}" + (f": {turn.part}" if turn.part else "")
