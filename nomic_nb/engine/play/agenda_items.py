"""What is still to happen, and what is waited for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.clauses import Effect, TriggerClause
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import EVERYWHERE_SCOPE
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.values import CaseNames, Value
from nomic_nb.engine.play.dice import SealingRound
from nomic_nb.engine.play.events import Cause

#: Under what names an answer, and a poll, wait for the step that goes on with them; no expression can name them.
ANSWER, POLL = "does it stand?", "which poll?"
#: Triggers and answers in a row that may set one another off.
DEEPEST_NESTING = 100
#: What somebody says who gives up what others are asked about.
GIVE_UP_OPTION = "give it up"


@frozen
class AgendaItem:
    """Something on the agenda: a trigger that has gone off, and what it has yet to do.

    Parameters
    ----------
    kind : str
        ``trigger`` (whether it applies is still to be judged), ``effects``, or a step of play such as
        ``open vote``.
    env : mapping of str to Value
        The names bound.
    law : Law
        The law that judges it.
    cause : Cause or None
        The rule and the clause it comes from; None for a step of play.
    clause : On or None
        The trigger.
    effects : tuple of Effect
        What is left to do.
    turn : int
        The turn in which it was set off, 0 for none.
    depth : int
        How many triggers in a row have set one another off up to it, since somebody did something. What was asked is
        one more, and the row goes on behind the answer: rules that ask for ever would hold up play for ever.
    """

    kind: str
    env: Mapping[str, Any]
    law: Law
    cause: Cause | None = None
    clause: TriggerClause | None = None
    effects: tuple[Effect, ...] = ()
    turn: int = 0
    depth: int = 0

    def with_effects(self, effects: tuple[Effect, ...], env: Mapping[str, Any] | None = None) -> AgendaItem:
        """Return the item with these effects still to do and, if `env` is given, its names in place of the old ones."""
        env = self.env if env is None else env
        return AgendaItem("effects", env, self.law, self.cause, self.clause, effects, self.turn, self.depth)

    @property
    def scope(self) -> str:
        """The universe in which the item's rule holds (for a repeal, that of the repeal), or “everywhere”."""
        if self.clause is not None and self.clause.event == "repealed" and "board" in self.env:
            return str(self.env["board"].id)
        rule = self.law.book.rules.get(self.cause.id) if self.cause else None
        return EVERYWHERE_SCOPE if rule is None else rule.scope


@frozen
class SealedSecret:
    """What a player has sealed for an entry of a table, until a rule has it opened.

    Parameters
    ----------
    counter : str
        The table, as it was called then.
    place : tuple of Value
        The entry.
    player : str
        Who keeps it.
    options : tuple of Value
        What may have been sealed.
    text : str
        What was asked, in the rule's words; empty where it says none.
    round : Round
        The commitment; of nobody, where nothing was sealed in time.
    """

    counter: str
    place: tuple[Value, ...]
    player: str
    options: tuple[Value, ...]
    text: str
    round: SealingRound


@frozen
class WaitingFor:
    """A throw or a choice that the agenda waits for.

    Parameters
    ----------
    action : str
        ``roll`` or ``choose``.
    player : str or None
        Whose it is; None for anyone.
    name : str
        What the answer is called in the clause.
    options : tuple of Value
        What can be chosen.
    dice, sides : int
        What is thrown.
    rule : int or str or None
        The rule that asks.
    agenda : tuple of Item
        What waits for the answer: the effect that asked first, and what stood behind it.
    round : Round or None
        What players seal and reveal for it, where a throw is drawn from that.
    left_out : tuple of str
        Who did not seal or reveal, and has no part in a round held in its place.
    turn : int
        The turn that is waiting for it, or 0 if none is.
    weights : tuple of int
        What each of the options of a throw weighs, where chance chooses one of them.
    poll : int
        Id of what rules ask; 0 for none.
    meanwhile : bool
        Whether play goes on meanwhile, since the answer has a time of its own.
    secret : Secret or None
        What is sealed for later, or opened.
    """

    action: str
    player: str | None
    name: str
    options: tuple[Value, ...] = ()
    dice: int = 0
    sides: int = 0
    rule: RuleNumber | None = None
    agenda: tuple[AgendaItem, ...] = ()
    round: SealingRound | None = None
    left_out: tuple[str, ...] = ()
    turn: int = 0
    weights: tuple[int, ...] = ()
    poll: int = 0
    meanwhile: bool = False
    secret: SealedSecret | None = None

    @property
    def resume_depth(self) -> int:
        """The number of triggers, each set off by the one before, that led to what resumes after the answer."""
        return 0 if self.meanwhile or not self.agenda else min(self.agenda[0].depth + 1, DEEPEST_NESTING)


@frozen
class Poll:
    """Something that rules ask: one player, or several at once.

    Parameters
    ----------
    id : int
        Counted from 1.
    name : str
        What the answer, or all of them, is called in the clause.
    who : tuple of str
        Those who are asked; who leaves is asked no more.
    several : bool
        Whether the name stands for the answers of all, and not for that of one.
    text : str
        What they are asked, in the rule's words; empty where it says none.
    options : tuple of Value
        What can be answered.
    free : str
        ``any number`` or ``any text`` where there are no options.
    some : bool
        Whether each can choose several of the options.
    optional : bool
        Whether no answer is one.
    secret : bool
        Whether nobody sees an answer before all are in.
    rule : int or str or None
        The rule that asks.
    turn : int
        The turn in which it does.
    answers : mapping of str to Value
        What each has said so far.
    open : bool
        Whether it waits for answers.
    due : Due or None
        When it waits no more; None where play waits for all answers.
    late : tuple of Value
        What counts for whoever has not answered by then; empty where nothing does.
    """

    id: int
    name: str
    who: tuple[str, ...]
    several: bool = False
    text: str = ""
    options: tuple[Value, ...] = ()
    free: str = ""
    some: bool = False
    optional: bool = False
    secret: bool = False
    rule: RuleNumber | None = None
    turn: int = 0
    answers: Mapping[str, Value] = field(default_factory=dict)
    open: bool = True
    due: Deadline | None = None
    late: tuple[Value, ...] = ()

    @property
    def is_announced(self) -> bool:
        """Whether the question itself, and not only the answers to it, is announced as an event."""
        return self.several or bool(self.text) or self.due is not None

    def players_answering(self, option: Value) -> tuple[str, ...]:
        """Return the names of the players who gave this answer, alone or among others."""
        return tuple(
            name for name, value in self.answers.items() if value == option or option in self.options_in_answer(value)
        )

    @staticmethod
    def options_in_answer(answer: Value) -> tuple[Value, ...]:
        """Return the options that an answer consists of: none if it is None, one, or several."""
        if answer is None:
            return ()
        return answer if type(answer) is tuple else (answer,)

    @property
    def most_frequent_answers(self) -> tuple[Value, ...]:
        """The answers given most often, in the order of the options: several if tied, none if there are none."""
        counts: dict[Value, int] = dict.fromkeys(self.options, 0)
        for answer in self.answers.values():
            for value in self.options_in_answer(answer):
                counts[value] = counts.get(value, 0) + 1
        top = max(counts.values(), default=0)
        return tuple(option for option, times in counts.items() if times == top > 0)


@frozen
class Question:
    """Something that the law does not decide. Play waits until those asked agree.

    Parameters
    ----------
    id : int
        Sequence number of the event that asked it.
    text : str
        The question.
    who : tuple of str
        Those who must agree.
    key : str
        The key that the answer settles; empty where the answer is in words.
    options : tuple of str
        Answers that lie at hand, as expressions of the law language or words.
    rule : int or str or None
        The rule concerned.
    answers : mapping of str to str
        What each has said so far.
    drops : bool
        Whether what raised it is left undone once it is answered.
    when : str
        The case that the answer is for, as a condition of the law language.
    set_aside : tuple of (str, int, int)
        What was left out of a step: why, of which rule by its id, in which version by the event that made it.
    general : bool
        Whether the answer holds until a rule speaks, and not only for the turn.
    turn : int
        The turn for which the answer holds; 0 for the latest one.
    """

    id: int
    text: str
    who: tuple[str, ...]
    key: str = ""
    options: tuple[str, ...] = ()
    rule: RuleNumber | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    drops: bool = False
    when: str = ""
    set_aside: tuple[tuple[str, int, int], ...] = ()
    general: bool = False
    turn: int = 0

    @property
    def asks_for_consent(self) -> bool:
        """Whether the others are asked to agree to an action done by hand, which each of them can stop."""
        return self.drops and bool(self.options)

    @property
    def shown_answers(self) -> tuple[str, ...]:
        """The answers that can be chosen, in the words shown to people."""
        return self.options

    def parse_answer(self, sentence: str) -> str:
        """Return the answer that a player's words mean; for this kind of question, the words themselves."""
        return sentence

    def shown_answer(self, answer: str) -> str:
        """Return an answer in the words shown to people; for this kind of question, unchanged."""
        return answer


@frozen
class WishQuestion(Question):
    """A question about what somebody wants to do, to those who would not: it can be given up.

    Parameters
    ----------
    by : str
        Whose wish it is.
    words : tuple of str
        What each option comes to, in words that begin with one by which it is told apart; none where they are told as
        they are.
    """

    by: str = ""
    words: tuple[str, ...] = ()

    @property
    def shown_answers(self) -> tuple[str, ...]:
        """The answers that can be chosen, in the words shown to people."""
        return self.words or self.options

    def parse_answer(self, sentence: str) -> str:
        """Return the option that a player names in full or by its first word; other words are returned unchanged."""
        worded = {words.casefold(): option for option, words in zip(self.options, self.words, strict=False)}
        short = {words.replace(":", " ").split()[0]: option for words, option in worded.items()}
        return (worded | short).get(sentence.casefold(), sentence)

    def shown_answer(self, answer: str) -> str:
        """Return an answer in the words shown to people, in quotation marks if it is an option."""
        worded = dict(zip(self.options, self.words, strict=False))
        return f"“{worded[answer]}”" if answer in worded else answer


@frozen
class AwaitedAct:
    """Something that a person can do, for which play waits where nobody has to decide anything.

    Parameters
    ----------
    player : str
        Who can do it.
    action : str
        What; ``present`` and ``overdue`` are recorded by whoever keeps the record.
    option : str
        With which option or words; empty where any do.
    proposal : int or str or None
        The proposal concerned.
    rule : int or str or None
        The rule that listens, or asks.
    decided : bool
        Whether it is among the open decisions by itself.
    unsure : bool
        Whether other words than those that were tried may come to something else.
    """

    player: str
    action: str
    option: str = ""
    proposal: RuleNumber | None = None
    rule: RuleNumber | None = None
    decided: bool = False
    unsure: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the act as a dictionary of plain data for the record."""
        return {
            "player": self.player, "action": self.action, "option": self.option, "proposal": self.proposal,
            "rule": self.rule,
        }  # fmt: skip


@frozen
class Deadline:
    """When something is due.

    Parameters
    ----------
    unit : str
        ``turns`` that have ended, the ``circuits`` under way, ``minutes`` of the recorded clock, or ``freed``: a
        rule that is no longer guaranteed to stand.
    at : int
        How many, or which.
    """

    unit: str
    at: int


@frozen
class PostponedEffect:
    """An effect put off until it is due; where it is due at once, the row of triggers goes on in it."""

    due: Deadline
    effect: Effect
    env: CaseNames
    cause: Cause | None
    depth: int = 0
