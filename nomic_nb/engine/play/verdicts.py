"""Judgments and rulings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.values import Ref, Value
from nomic_nb.engine.play.pending import Item, Question
from nomic_nb.engine.shown import Drawn


@frozen
class Ruling:
    """What a Judge decided.

    Parameters
    ----------
    judge : str
        Who decided.
    text, reasons : str
        What, and why.
    rests_on : tuple of int
        Ids of the rules that it rests on.
    numbers : tuple of int or str
        The numbers that they had then.
    orders : tuple of str
        Effects that it orders, in the law language; they are done once the ruling stands.
    event : int
        Sequence number of the event that gave it.
    """

    judge: str
    text: str
    reasons: str = ""
    rests_on: tuple[int, ...] = ()
    numbers: tuple[RuleNumber, ...] = ()
    orders: tuple[str, ...] = ()
    event: int = 0


#: What the status of a judgment means to players.
STATUS = {
    "asked": "to be decided",
    "ruled": "can still be overruled",
    "stands": "stands",
    "table": "left to the table",
    "closed": "closed without a ruling",
}


@frozen
class Judgment(Drawn):
    """A question for a Judge (212).

    Parameters
    ----------
    id : int
        1 for the first of the game.
    question : str
        As it was put.
    by : str
        Who insisted on it.
    turn : int
        Turns begun when it was put.
    mover : str or None
        Whose turn was at hand then.
    go : int
        The number of that turn, 0 for none.
    rule : int or str or None
        The rule that sends it to a Judge.
    proposal : int or str or None
        The proposal whose debate the Judge is asked to end.
    judge : str or None
        Who is Judge; None while nobody is named.
    judges : tuple of str
        Who were Judges of it before, and were overruled or left.
    status : str
        ``asked``, ``ruled`` (it can still be overruled), ``stands``, ``table`` (there is no Judge, those
        at the table decide) or ``closed`` (without an answer).
    ruling : Ruling or None
        The last one.
    overruled : tuple of Ruling
        The ones before.
    ballots : mapping of str to str
        ``for`` or ``against`` overruling the last ruling.
    consents : mapping of str to str
        ``for`` or ``against`` going on.
    held : Question or None
        The question to the table that it is to settle.
    after : tuple of Item
        What goes on once that is settled.
    """

    id: int
    question: str
    by: str
    turn: int
    mover: str | None
    go: int
    rule: RuleNumber | None
    proposal: RuleNumber | None = None
    judge: str | None = None
    judges: tuple[str, ...] = ()
    status: str = "asked"
    ruling: Ruling | None = None
    overruled: tuple[Ruling, ...] = ()
    ballots: Mapping[str, str] = field(default_factory=dict)
    consents: Mapping[str, str] = field(default_factory=dict)
    held: Question | None = None
    after: tuple[Item, ...] = ()

    @property
    def case(self) -> dict[str, Value]:
        """The case of it, as the law is asked about it."""
        return {"judgment": Ref("judgment", self.id)}

    @property
    def unsettled(self) -> bool:
        """Whether it is still to be decided."""
        return self.status in ("asked", "ruled")
