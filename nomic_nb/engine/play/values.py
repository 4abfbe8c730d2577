"""What is so of players, turns and proposals: plain values, which stand below whatever happens to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.values import Number, Ref, Value


@frozen
class Player:
    """Someone who takes part.

    Parameters
    ----------
    name : str
        Unique in the game.
    person : bool
        False for a dummy, which votes and does nothing else.
    playing : bool
        False once out of the game.
    turns : int
        Turns completed.
    absent : bool
        Recorded as not at the table. It changes nothing by itself: rules may speak of it.
    forfeited : bool
        Out of the game by their own will.
    """

    name: str
    person: bool = True
    playing: bool = True
    turns: int = 0
    absent: bool = False
    forfeited: bool = False


@frozen
class Note:
    """What a player wrote down beside the law: the meaning of a word (``definition``), or a ``fix`` for other games."""

    kind: str
    name: str
    text: str
    player: str


@frozen
class Duty:
    """What a player owes before the part can end: an action, or another one in its place."""

    player: str
    action: str
    rule: RuleNumber | None
    other: str = ""

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions by which it is done."""
        return (self.action, self.other) if self.other else (self.action,)


@frozen
class Turn:
    """A player's go that is under way.

    Parameters
    ----------
    number : int
        Counts the turns begun in the game.
    player : str
        Whose it is.
    part : str or None
        The part under way.
    done : tuple of str
        Parts that are over.
    duties : tuple of Duty
        What is owed in the part.
    over : bool
        Whether the rest of it is let go.
    army : str or None
        The army that it belongs to, where turns belong to armies.
    march : object
        Its moves, as an extension keeps them; None if it has none.
    """

    number: int
    player: str
    part: str | None = None
    done: tuple[str, ...] = ()
    duties: tuple[Duty, ...] = ()
    over: bool = False
    army: str | None = None
    march: Any = None


#: The ballots that there are, and those that can be cast where no rule says more.
BALLOTS = ("for", "against", "abstain")
CHOICES = BALLOTS[:2]
#: What a proposal is that is still to be decided.
OPEN = ("debate", "open", "ending")


@frozen
class Vote:
    """What was fixed when a vote opened (106, 107), and the ballots.

    Parameters
    ----------
    electorate : tuple of str
        Who may vote.
    weights : mapping of str to int or Fraction
        What each ballot weighs.
    quota : int or Fraction or None
        Weight in favour that adopts; None where it is found when the vote closes, and while it is asked for anew.
    quota_rule, electorate_rule : int or str or None
        The rules that say so.
    duty : bool
        Whether everyone must vote.
    sealed : bool
        Whether ballots are hidden until the vote closes.
    law : Law
        The law under which the vote is held.
    ballots : mapping of str to str
        ``for``, ``against`` or ``abstain``, by voter, in the order in which they were cast.
    agreed : mapping of str to str
        ``yes`` or ``no``, by voter: whether it may be closed without the voter's ballot.
    choices : tuple of str
        The ballots that can be cast.
    quorum : int or Fraction
        Weight that has to be cast, whatever the ballots say, for anything to be adopted.
    quorum_rule : int or str or None
        The rule that says so.
    late : bool
        Whether what is needed is found when it closes.
    own_turn : bool
        Whether each votes in a turn of their own, and nobody's turn waits for the others.
    """

    electorate: tuple[str, ...]
    weights: Mapping[str, Number]
    quota: Number | None
    quota_rule: RuleNumber | None
    electorate_rule: RuleNumber | None
    duty: bool
    sealed: bool
    law: Law
    ballots: Mapping[str, str] = field(default_factory=dict)
    agreed: Mapping[str, str] = field(default_factory=dict)
    choices: tuple[str, ...] = CHOICES
    quorum: Number = 0
    quorum_rule: RuleNumber | None = None
    late: bool = False
    own_turn: bool = False

    def weight(self, side: str) -> Number:
        """Return the weight of the ballots on one side."""
        return sum((self.weights[name] for name, ballot in self.ballots.items() if ballot == side), start=0)

    @property
    def cast(self) -> Number:
        """The weight of all ballots that were cast."""
        return sum((self.weights[name] for name in self.ballots), start=0)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Voters who have not voted."""
        return tuple(name for name in self.electorate if name not in self.ballots)


@frozen
class Proposal:
    """A proposed rule-change.

    Parameters
    ----------
    number : int or str
        As the law numbers it.
    change : Change
        Its final form, once the vote is open.
    proponent : str
        Who proposed it.
    turn : int
        The turn in which it was proposed.
    status : str
        ``debate``, ``open``, ``ending`` (no more ballots, no result yet), ``adopted``, ``waiting`` (adopted, not
        yet in force), ``without effect`` (adopted, and stopped by a requirement), ``defeated`` or ``lapsed``.
    vote : Vote or None
        Once the vote has opened.
    note : str
        Why it has no effect, lapsed, or has lost the rule that it was about.
    due : str
        The kind of event that puts it in force, once it is adopted.
    aims : tuple of (int, str) or None
        Id and tier of each rule concerned, as it was proposed; None for a new rule.
    revisers : tuple of str
        Who gave it another form since.
    circuit : int
        The circuit in which it was proposed.
    numbers : tuple of int or str
        The numbers of the changes that it makes together, its own first; none where it makes one.
    """

    number: RuleNumber
    change: Change
    proponent: str
    turn: int
    status: str = "debate"
    vote: Vote | None = None
    note: str = ""
    due: str = ""
    aims: tuple[tuple[int, str] | None, ...] = ()
    revisers: tuple[str, ...] = ()
    circuit: int = 0
    numbers: tuple[RuleNumber, ...] = ()

    @property
    def parts(self) -> tuple[tuple[Change, RuleNumber], ...]:
        """The changes that it makes, each with its number."""
        return tuple(zip(self.change.numbered, self.numbers or (self.number,), strict=False))

    @property
    def movers(self) -> tuple[str, ...]:
        """Those who gave it its form: who made it, and who revised it."""
        return tuple(dict.fromkeys((self.proponent, *self.revisers)))

    @property
    def case(self) -> dict[str, Value]:
        """The case of it, as the law is asked about it."""
        return {"proposal": Ref("proposal", self.number)}

    @property
    def open(self) -> bool:
        """Whether it is still to be decided."""
        return self.status in OPEN

    def holds_up(self, turn: int) -> bool:
        """Tell whether a turn waits for it: the one in which it was made, unless each votes in a turn of their own."""
        return self.open and self.turn == turn and not (self.vote is not None and self.vote.own_turn)


class Example(Proposal):
    """A change of some kind that nobody proposes: what it says stands for others, and nothing is to come of it."""

    __slots__ = ()


@frozen
class Comment:
    """What somebody wrote into the record.

    Parameters
    ----------
    at : int
        The event that it is about.
    text, glyph : str
        Either may be empty.
    arrows, squares : tuple of str
        What is drawn with it: ``red white.e2-white.e4``, ``white.e4``; green where no colour is named.
    """

    at: int
    text: str
    glyph: str = ""
    arrows: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
