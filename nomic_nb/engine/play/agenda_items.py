"""The agenda: things still to happen, and things that play is waiting for."""

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

#: Names under which an answer and a poll wait for the step that uses them; no expression can contain these names.
ANSWER, POLL = "does it stand?", "which poll?"
#: Largest number of triggers and answers in a row that set one another off.
DEEPEST_NESTING = 100
#: Answer with which a player withdraws a request about which others are asked.
GIVE_UP_OPTION = "give it up"


@frozen
class AgendaItem:
    """An item on the agenda: a trigger that has gone off, and its remaining effects.

    Parameters
    ----------
    kind : str
        ``trigger`` (its condition has not been judged yet), ``effects``, or a step of play such as
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
        The remaining effects.
    turn : int
        The turn in which it was set off, 0 for none.
    depth : int
        Number of triggers in a row that have set one another off since the last act. A question counts as
        one more, and the row continues after its answer: rules that ask forever would hold up play forever.
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
        """Return the item with these effects still to do and, if `env` is given, its names instead of the old ones."""
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
    """The value that a player has sealed for an entry of a table, until a rule opens it.

    Parameters
    ----------
    counter : str
        Name of the table at that time.
    place : tuple of Value
        The entry.
    player : str
        The player who sealed it.
    options : tuple of Value
        Values that may have been sealed.
    text : str
        The question in the rule's words; may be empty.
    round : Round
        The commitment; without a player, if nothing was sealed in time.
    free : str
        What can be sealed if there are no options, such as “any text”.
    """

    counter: str
    place: tuple[Value, ...]
    player: str
    options: tuple[Value, ...]
    text: str
    round: SealingRound
    free: str = ""


@frozen
class WaitingFor:
    """A roll or a choice that the agenda waits for.

    Parameters
    ----------
    action : str
        ``roll`` or ``choose``.
    player : str or None
        Player who has to act; None for anyone.
    name : str
        Name of the answer in the clause.
    options : tuple of Value
        Options to choose from.
    dice, sides : int
        Number of dice and of their sides.
    rule : int or str or None
        The rule that asks.
    agenda : tuple of Item
        Items that wait for the answer: first the effect that asked, then those after it.
    round : Round or None
        Exchange of sealed values from which the roll is drawn, if there is one.
    left_out : tuple of str
        Players who did not seal or reveal, and are left out of the exchange that replaces it.
    turn : int
        The turn that is waiting for it, or 0 if none is.
    weights : tuple of int
        Weight of each option, if chance chooses one of them.
    poll : int
        Id of the poll; 0 for none.
    meanwhile : bool
        Whether play continues meanwhile, because the question has its own time limit.
    secret : Secret or None
        Secret that is sealed for later, or opened.
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
        """The number of triggers, each set off by the one before, that led to the effects after the answer."""
        return 0 if self.meanwhile or not self.agenda else min(self.agenda[0].depth + 1, DEEPEST_NESTING)


@frozen
class Poll:
    """A question of a rule to one player, or to several at once.

    Parameters
    ----------
    id : int
        Counted from 1.
    name : str
        Name of the answer, or of all answers, in the clause.
    who : tuple of str
        Players who are asked, without those who have left.
    several : bool
        Whether the name means the answers of all players, rather than the answer of one.
    text : str
        The question in the rule's words; may be empty.
    options : tuple of Value
        Possible answers.
    free : str
        ``any number`` or ``any text`` if the question has no options.
    some : bool
        Whether each can choose several of the options.
    optional : bool
        Whether players may choose nothing.
    secret : bool
        Whether nobody sees an answer before all are in.
    rule : int or str or None
        The rule that asks.
    turn : int
        The turn in which it asks.
    answers : mapping of str to Value
        What each has said so far.
    open : bool
        Whether it waits for answers.
    due : Due or None
        Time limit; None if play waits for all answers.
    late : tuple of Value
        Answer that counts for players who are late; empty without one.
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
        """The answers given most often, in the order of the options: several if tied, empty without answers."""
        counts: dict[Value, int] = dict.fromkeys(self.options, 0)
        for answer in self.answers.values():
            for value in self.options_in_answer(answer):
                counts[value] = counts.get(value, 0) + 1
        top = max(counts.values(), default=0)
        return tuple(option for option, times in counts.items() if times == top > 0)


@frozen
class Question:
    """A question that the law does not decide. Play waits until the players asked agree.

    Parameters
    ----------
    id : int
        Sequence number of the event that asked it.
    text : str
        The question.
    who : tuple of str
        Those who must agree.
    key : str
        The key that the answer settles; empty if the answer is in words.
    options : tuple of str
        Obvious answers, as expressions of the law language or words.
    rule : int or str or None
        The rule concerned.
    answers : mapping of str to str
        What each has said so far.
    drops : bool
        Whether the act or effect that raised it is dropped once it is answered.
    when : str
        The case that the answer is for, as a condition of the law language.
    set_aside : tuple of (str, int, int)
        Things left out of a step: the reason, the id of the rule, and the event that made its version.
    general : bool
        Whether the answer holds until a rule settles it, and not only for the turn.
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
    """A question to the others about a player's wish, which the player can withdraw.

    Parameters
    ----------
    by : str
        Player whose wish it is.
    words : tuple of str
        Each option in words, the first of which distinguishes it from the others; empty if the options are shown as
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
    """An act of a person that play waits for, although nobody has to decide anything.

    Parameters
    ----------
    player : str
        Player who can do it.
    action : str
        Name of the act; the host records ``present`` and ``overdue``.
    option : str
        Option or words needed; empty if any will do.
    proposal : int or str or None
        The proposal concerned.
    rule : int or str or None
        The rule that listens, or asks.
    decided : bool
        Whether it is already among the open decisions.
    unsure : bool
        Whether words that were not tried could have another result.
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
    """The time when something is due.

    Parameters
    ----------
    unit : str
        ``turns`` that have ended, the current number of ``circuits``, ``minutes`` of the recorded clock, or ``freed``:
        a rule that is no longer guaranteed.
    at : int
        Number of them, or id of the rule.
    """

    unit: str
    at: int


@frozen
class PostponedEffect:
    """An effect put off until it is due; if it is due at once, it continues the row of triggers."""

    due: Deadline
    effect: Effect
    env: CaseNames
    cause: Cause | None
    depth: int = 0
