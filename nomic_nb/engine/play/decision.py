"""A decision: something that somebody must or may decide."""

from __future__ import annotations

from collections.abc import Sequence

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.shown import Shown

#: Options that are shown; the decision has them all.
MOST_SHOWN = 12
#: Stands before what others have answered.
SO_FAR = " So far: "


def few(options: Sequence[str]) -> str:
    """List options for people: the first ones, and how many more there are.

    Examples
    --------
    >>> few(["for", "against"])
    'for, against'
    >>> few([str(one) for one in range(40)])
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 … and 28 more'
    """
    left = len(options) - MOST_SHOWN
    return ", ".join(options[:MOST_SHOWN]) + (f" … and {left} more" if left > 0 else "")


@frozen
class Decision(Shown):
    """Something that a player must or may decide.

    Parameters
    ----------
    player : str or None
        Who decides; None for anyone.
    action : str
        What answers it, as `game.do` takes it.
    prompt : str
        What is asked, for people.
    options : tuple of str
        What can be chosen; empty where the answer is free.
    rule : int or str or None
        The rule that asks.
    proposal : int or str or None
        The proposal concerned.
    id : int or None
        Tells questions, or judgments, apart.
    must : bool
        Whether play waits for it.
    takes : str
        Where the answer is no single option: ``number``, ``text``, or ``some`` of the options.
    unseen : bool
        Whether only its player is told that it is open, since that hangs on what nobody else sees.
    """

    player: str | None
    action: str
    prompt: str
    options: tuple[str, ...] = ()
    rule: Number | None = None
    proposal: Number | None = None
    id: int | None = None
    must: bool = True
    takes: str = ""
    unseen: bool = False

    def __str__(self) -> str:
        said = f"{self.player or 'anyone'}: {self.action}"
        if self.proposal is not None:
            said += f" on {self.proposal}"
        if self.options:
            said += f" ({few(self.options)})"
        return said
