"""Players, turns and proposals as plain values, which do not depend on the code that changes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import islice
from typing import Any

from nomic_nb.engine.display import Displayed, DisplayedAlike
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.nodes import Undecided, nothing_here_message
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.values import NUMBER, TEXT, Number, ThingRef, Type, Value, list_type, text_type
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.agenda_items import AgendaItem, Question

#: The medium of a game that was played elsewhere and is only replayed: its host acts for the record.
RECORD_MEDIUM = "record"

# --------------------------------------------------------------------------------------------- players and turns


@frozen
class Player:
    """A participant in the game.

    Parameters
    ----------
    name : str
        Name, unique in the game.
    person : bool
        False for a dummy, which votes and does nothing else.
    playing : bool
        False once out of the game.
    turns : int
        Turns completed.
    absent : bool
        Recorded as not at the table. It changes nothing by itself, but rules can use it.
    forfeited : bool
        Whether the player left the game voluntarily.
    """

    name: str
    person: bool = True
    playing: bool = True
    turns: int = 0
    absent: bool = False
    forfeited: bool = False


@frozen
class PlayerNote:
    """A player's note beside the law: the meaning of a word (``definition``), or a ``fix`` for other games."""

    kind: str
    name: str
    text: str
    player: str


@frozen
class Duty:
    """A duty of a player before the part can end: an action, or an alternative to it."""

    player: str
    action: str
    rule: RuleNumber | None
    other: str = ""

    @property
    def fulfilling_actions(self) -> tuple[str, ...]:
        """The names of the actions any one of which fulfils the duty."""
        return (self.action, self.other) if self.other else (self.action,)


@frozen
class Turn:
    """A current turn of a player.

    Parameters
    ----------
    number : int
        Number of the turn, counting all turns begun in the game.
    player : str
        Player whose turn it is.
    part : str or None
        The current part.
    done : tuple of str
        Parts that are over.
    duties : tuple of Duty
        Duties in the part.
    over : bool
        Whether the rest of it is dropped.
    army : str or None
        The army that it belongs to, if turns belong to armies.
    march : object
        Its moves, as an extension keeps them; None without moves.
    """

    number: int
    player: str
    part: str | None = None
    done: tuple[str, ...] = ()
    duties: tuple[Duty, ...] = ()
    over: bool = False
    army: str | None = None
    march: Any = None


#: The sides that ballots can count for, which are also names of ballots; and the ballots that can be cast by default.
BALLOTS = ("for", "against", "abstain")
VOTE_CHOICES = BALLOTS[:2]
#: Statuses of undecided proposals.
OPEN_STATUSES = ("debate", "open", "ending")


@frozen
class Vote:
    """The terms of a vote, fixed when it opened (106, 107), and its ballots.

    Parameters
    ----------
    electorate : tuple of str
        Players who may vote.
    weights : mapping of str to int or Fraction
        Weight of each ballot.
    quota : int or Fraction or None
        Weight in favour needed to pass; None if it is worked out when the vote closes, or is being asked for again.
    quota_rule, electorate_rule : int or str or None
        The rules that say so.
    duty : bool
        Whether everyone must vote.
    sealed : bool
        Whether ballots are hidden until the vote closes.
    law : Law
        The law under which the vote is held.
    ballots : mapping of str to str
        ``for``, ``against``, ``abstain`` or another word, by voter, in the order in which they were cast.
    agreed : mapping of str to str
        ``yes`` or ``no``, by voter: whether it may be closed without the voter's ballot.
    choices : tuple of str
        The ballots that can be cast.
    sides : mapping of str to str
        What ballots with other words than ``for``, ``against`` and ``abstain`` count as.
    proxies : mapping of str to str
        By voter, who has cast the voter's ballot instead.
    quorum : int or Fraction
        Total weight of ballots of any kind needed for the proposal to pass.
    quorum_rule : int or str or None
        The rule that says so.
    late : bool
        Whether the weight needed is worked out when it closes.
    own_turn : bool
        Whether players vote in their own turns, and no turn waits for the others.
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
    choices: tuple[str, ...] = VOTE_CHOICES
    sides: Mapping[str, str] = field(default_factory=dict)
    proxies: Mapping[str, str] = field(default_factory=dict)
    quorum: Number = 0
    quorum_rule: RuleNumber | None = None
    late: bool = False
    own_turn: bool = False

    def weight_of_side(self, side: str) -> Number:
        """Return the total weight of the ballots that count as one side, such as “against”."""
        return sum((self.weights[name] for name in self.voters_on_side(side)), start=0)

    def voters_on_side(self, side: str) -> tuple[str, ...]:
        """Return the names of those whose ballots count as one side, such as “against”."""
        return tuple(name for name, ballot in self.ballots.items() if self.sides.get(ballot, ballot) == side)

    @property
    def weight_cast(self) -> Number:
        """The total weight of the ballots that were cast."""
        return sum((self.weights[name] for name in self.ballots), start=0)

    @property
    def silent_voters(self) -> tuple[str, ...]:
        """The names of the voters who have not voted yet."""
        return tuple(name for name in self.electorate if name not in self.ballots)


@frozen
class Proposal:
    """A proposed rule change.

    Parameters
    ----------
    number : int or str
        Its number under the law.
    change : Change
        Its final form, once the vote is open.
    proponent : str
        Player who proposed it.
    turn : int
        The turn in which it was proposed.
    status : str
        ``debate``, ``open``, ``ending`` (no more ballots, no result yet), ``adopted``, ``waiting`` (adopted, not
        yet in force), ``without effect`` (adopted, and stopped by a requirement), ``defeated`` or ``lapsed``.
    vote : Vote or None
        The vote, once it has opened.
    note : str
        Reason why it has no effect, lapsed, or has lost its target rule.
    due : str
        The kind of event that puts it in force, once it is adopted.
    aims : tuple of (int, str) or None
        Id and tier of each rule concerned, as it was proposed; None for a new rule.
    revisers : tuple of str
        Players who have revised it.
    circuit : int
        The round in which it was proposed.
    numbers : tuple of int or str
        The numbers of its joint changes, its own first; empty for a single change.
    rule_number : int or str or None
        The number of the rule that it enacts, if a record has numbers of its own for rules.
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
    rule_number: RuleNumber | None = field(default=None, metadata={"from": "the event"})

    @property
    def numbered_parts(self) -> tuple[tuple[Change, RuleNumber], ...]:
        """The changes that the proposal makes, each paired with its number."""
        return tuple(zip(self.change.numbered_changes, self.numbers or (self.number,), strict=False))

    @property
    def movers(self) -> tuple[str, ...]:
        """The names of the proponent and of everyone who revised the proposal."""
        return tuple(dict.fromkeys((self.proponent, *self.revisers)))

    @property
    def law_case(self) -> dict[str, Value]:
        """The name “proposal” bound to this proposal, for questions to the law about it."""
        return {"proposal": ThingRef("proposal", self.number)}

    @property
    def is_open(self) -> bool:
        """Whether the proposal is undecided."""
        return self.status in OPEN_STATUSES

    def holds_up(self, turn: int) -> bool:
        """Tell whether the turn with this number cannot end before the proposal is decided."""
        return self.is_open and self.turn == turn and not (self.vote is not None and self.vote.own_turn)


class ExampleChange(Proposal):
    """An imagined proposal of some kind: it represents others, and never takes effect."""

    __slots__ = ()


@frozen
class Comment:
    """A comment that somebody wrote into the record.

    Parameters
    ----------
    at : int
        Event that it is about.
    text, glyph : str
        Either may be empty.
    arrows, squares : tuple of str
        Arrows and squares drawn with it: ``red white.e2-white.e4``, ``white.e4``; green by default.
    """

    at: int
    text: str
    glyph: str = ""
    arrows: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()


# ------------------------------------------------------------------------------------------- judgments and rulings


@frozen
class Ruling:
    """The decision of a Judge.

    Parameters
    ----------
    judge : str
        Player who decided.
    text, reasons : str
        The decision, and the reasons.
    rests_on : tuple of int
        Ids of the rules that it rests on.
    numbers : tuple of int or str
        The numbers that they had then.
    orders : tuple of str
        Effects that it orders, in the law language; they are carried out once the ruling is final.
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


#: Status of a judgment in words for players.
JUDGMENT_STATUS = {
    "asked": "to be decided",
    "ruled": "can still be overruled",
    "stands": "stands",
    "table": "left to the players",
    "closed": "closed without a ruling",
}


@frozen
class Judgment(DisplayedAlike):
    """A question for a Judge (212).

    Parameters
    ----------
    id : int
        Number of the judgment, 1 for the first.
    question : str
        The question as it was asked.
    by : str
        Player who asked for judgment.
    turn : int
        Number of turns begun when it was asked.
    mover : str or None
        Player whose turn it was then.
    go : int
        Number of that turn, 0 for none.
    rule : int or str or None
        The rule that sends it to a Judge.
    proposal : int or str or None
        The proposal whose debate the Judge is asked to end.
    judge : str or None
        The Judge; None while nobody is named.
    judges : tuple of str
        Earlier Judges of it, who were overruled or left.
    status : str
        ``asked``, ``ruled`` (it can still be overruled), ``stands``, ``table`` (without a Judge, the players
        at the table decide) or ``closed`` (without an answer).
    ruling : Ruling or None
        The last ruling.
    overruled : tuple of Ruling
        Earlier rulings.
    ballots : mapping of str to str
        ``for`` or ``against`` overruling the last ruling.
    consents : mapping of str to str
        ``for`` or ``against`` continuing play.
    held : Question or None
        The question to the players that it has to settle.
    after : tuple of Item
        Items that continue once that is settled.
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
    after: tuple[AgendaItem, ...] = ()

    @property
    def law_case(self) -> dict[str, Value]:
        """The name “judgment” bound to this judgment, for questions to the law about it."""
        return {"judgment": ThingRef("judgment", self.id)}

    @property
    def is_pending(self) -> bool:
        """Whether the judgment can still be decided or overruled."""
        return self.status in ("asked", "ruled")


# -------------------------------------------------------------------------------- types of play that the law knows


PLAYER, RULE, PROPOSAL, CHANGE, JUDGMENT = map(Type, ("player", "rule", "proposal", "change", "judgment"))
PLAYERS, TEXTS = list_type(PLAYER), list_type(TEXT)

#: The case of a proposal, of a voter in a vote, of a roll.
VOTE_CASE = {"proposal": PROPOSAL}
VOTER_CASE = {"proposal": PROPOSAL, "voter": PLAYER}
THROW_CASE = {"player": PLAYER, "face": NUMBER}
#: The case of a judgment.
JUDGMENT_CASE = {"judgment": JUDGMENT}
#: Names bound when a player acts, and when something happens to a rule.
PLAYER_CASE = {"player": PLAYER}
#: Types of the keys of tables, by name.
KEYS_OF_TABLES = {
    kind: Type(kind) for kind in ("player", "army", "piece", "square", "board", "rule", "proposal")
}  # fmt: skip
#: Under which name checks find the words of ballots, and texts that are one of a few words.
BALLOT_WORDS = ".ballot"
BALLOT, YES_NO = text_type(TEXT, BALLOT_WORDS), text_type(TEXT, ("yes", "no"))
OWED, COUNTER = text_type(TEXT, ("seal", "reveal", "ballot")), text_type(TEXT, "counter")
NUMBERED_TYPE, CAUSE = text_type(TEXT, "numbers"), text_type(TEXT, "event")
RULE_CASE = {"rule": RULE}
#: The subject of a change, apart from its proponent, time and wording.
TARGET_FIELDS = frozenset({
    "target", "targets", "this", "change.kind", "change.adds", "change.standing", "change.tier", "change.keys",
    "change.counters", "change.events", "change.requires", "change.effects", "change.set_off_by", "change.replaces",
    "change.words", "change.on_boards", "change.fingerprint", "change.scope",
})  # fmt: skip
#: The player who acts, apart from the manner and the circumstances.
PLAYER_FIELDS = frozenset({"player", "proponent", "mover"})


def player_refs(names: Iterable[str]) -> tuple[ThingRef, ...]:
    """Return references to players with these names."""
    return tuple(ThingRef("player", name) for name in names)


def player_names(value: Value) -> tuple[str, ...]:
    """Return the names of the players that a value refers to; raise `Undecided` if it is something else.

    None refers to nobody.
    """
    if value is None:
        return ()
    if isinstance(value, ThingRef) and value.kind == "player":
        return (str(value.id),)
    if isinstance(value, str):
        return (value,)
    if isinstance(value, tuple):
        return tuple([name for item in value for name in player_names(item)])
    raise Undecided("players-missing", "there are no players here")


def readable_answer(answer: str) -> str:
    """Return an answer given in the law language with ``player_named("Ann")`` in it written as plain Ann.

    Examples
    --------
    >>> readable_answer('[player_named("Ann"), player_named("Ben")]'), readable_answer('"wait"')
    ('[Ann, Ben]', '"wait"')
    """
    return re.sub(r'player_named\("([^"]*)"\)', r"\1", answer)


def unknown_player_message(name: str) -> Message:
    """Return the message that no player has this name."""
    return say("nobody-called", "no player is called {name}", name=name)


def id_of_reference(value: Value, kind: str) -> Any:
    """Return the id of the thing to which a value refers; raise `Undecided` if it is not of this kind."""
    if isinstance(value, ThingRef) and value.kind == kind:
        return value.id
    raise Undecided(nothing_here_message(kind))


# ------------------------------------------------------------------------------------------------------ a decision


#: Options that are shown; the decision has them all.
MOST_OPTIONS_SHOWN = 12
#: Stands before what others have answered.
SO_FAR_PREFIX = " So far: "


def list_options(options: Sequence[str], rest: str = "") -> str:
    """Return the first options as a text with commas between them, how many more there are, and in what (`rest`).

    Examples
    --------
    >>> list_options(["for", "against"])
    'for, against'
    >>> list_options([str(one) for one in range(40)])
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 … and 28 more'
    >>> list_options([str(one) for one in range(14)], "game.law")
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 … and 2 more in game.law'
    """
    left = len(options) - MOST_OPTIONS_SHOWN
    return ", ".join(options[:MOST_OPTIONS_SHOWN]) + (f" … and {left} more{rest and f' in {rest}'}" if left > 0 else "")


@frozen
class Decision(Displayed):
    """Something that a player must or may decide.

    Parameters
    ----------
    player : str or None
        Player who decides; None for anyone.
    action : str
        Name of the action that answers it, as in `game.do`.
    prompt : str
        Question to show to people.
    options : tuple of str
        Possible answers; empty if any answer can be given.
    rule : int or str or None
        Rule that asks for the decision.
    proposal : int or str or None
        Proposal that the decision is about.
    id : int or None
        Number that tells questions, or judgments, apart.
    must : bool
        Whether play waits for it.
    takes : str
        Kind of answer, if it is not a single option: ``number``, ``text``, or ``some`` of the options.
    unseen : bool
        Whether only its player may know that it is open, because it depends on something that nobody else can see.
    """

    player: str | None
    action: str
    prompt: str
    options: tuple[str, ...] = ()
    rule: RuleNumber | None = None
    proposal: RuleNumber | None = None
    id: int | None = None
    must: bool = True
    takes: str = ""
    unseen: bool = False
    #: Yields details that answer it; None if it was taken out of its game, as by pickling.
    answers: Callable[[Decision], Iterator[dict[str, Any]]] | None = field(default=None, init=False, repr=False)

    def ways(self, most: int = 20) -> list[dict[str, Any]]:
        """Return ways to answer the decision, at most so many; at least one is accepted, unless it is a proposal.

        Each is what `do` takes with its action, or what the host takes with it.

        Parameters
        ----------
        most : int
            How many ways at most. A number or a text of your own has many more.

        Raises
        ------
        IllegalAction
            The decision was taken out of its game, as by pickling.

        Examples
        --------
        >>> from nomic_nb.engine.games import begin
        >>> from nomic_nb.engine.law.changes import transmute
        >>> from nomic_nb.engine.play.decisions import decisions
        >>> game = begin("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> _ = game.do("Ann", "propose", {"change": transmute(105)})
        >>> decisions(game.state)[0].ways()
        [{'ballot': 'for', 'proposal': 301}, {'ballot': 'against', 'proposal': 301}]
        """
        if self.answers is None:
            raise IllegalAction(
                say("decision-out-of-game", "this decision is no longer part of a game; list the open ones again")
            )
        return list(islice(self.answers(self), most))

    def __str__(self) -> str:
        sentence = f"{self.player or 'anyone'}: {self.action}"
        if self.proposal is not None:
            sentence += f" on {self.proposal}"
        if self.options:
            sentence += f" ({list_options(self.options, '.options')})"
        return sentence
