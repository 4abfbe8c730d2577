"""The words that rules listen for, and replies to words that no rule reacts to."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from nomic_nb.engine.display import Displayed
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.clauses import TriggerClause
from nomic_nb.engine.law.nodes import use_current_or_new_meter
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.values import HeardText, ThingRef, Value
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.permissions import can_trigger_fire
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import MOST_OPTIONS_SHOWN


@frozen
class HeardPhrase:
    """Words that a rule listens for.

    Parameters
    ----------
    action, words : str
        How they are brought up: ``say``, ``act`` or ``report``; and what they are.
    rule : int or str
        The rule that listens.
    clause : str
        Its clause.
    """

    action: str
    words: str
    rule: Number
    clause: str

    def __str__(self) -> str:
        return f"{self.action} “{self.words}” (rule {self.rule})"


def heard_phrases(state: State) -> tuple[HeardPhrase, ...]:
    """Return the phrases to which rules in force react, by action (say, report …) and then by precedence."""
    return tuple(
        dict.fromkeys(
            HeardPhrase(action, words, source.rule.number, source.clause.words)
            for action, deed in ACTIONS.items()
            if deed.heard
            for source in state.law.triggers.get(deed.makes, ())
            if isinstance(source.clause, TriggerClause) and source.clause.condition is not None
            for compared in source.clause.condition.nodes_compared_with(deed.heard)
            for words in (node.value for node in compared.list_items_or_self)
            if isinstance(words, str)
        )
    )


@frozen
class UnheardReply(Displayed):
    """The reply to words that no rule reacts to."""

    text: str

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def reply_to_unheard_words(before: State, event: Event, after: State) -> UnheardReply | None:
    """Return a reply to a player whose words no rule heard; None if a rule may have, or if the player owed the words.

    Parameters
    ----------
    before : State
        As it was.
    event : Event
        Words that were said or reported.
    after : State
        As it was right after that.
    """
    if event.kind not in ("said", "deed") or before.turns != after.turns:  # it was owed
        return None
    action, bound = event.do, ACTIONS[event.do].heard
    words = HeardText(event.data[bound])
    env: dict[str, Value] = {
        bound: words, "player": ThingRef("player", event.data.get("who", event.actor)),
        "reporter": ThingRef("player", event.actor_name),
    }  # fmt: skip
    with use_current_or_new_meter():
        if any(can_trigger_fire(after, source, env, before.law) for source in before.law.triggers.get(event.kind, ())):
            return None
    known = [phrase for phrase in heard_phrases(before) if phrase.action == action]
    matching = [phrase for phrase in known if words.sounds_like(phrase.words)]
    sentence = "It is recorded, but no rule reacts to it"
    if matching:
        return UnheardReply(f"{sentence} now. Rule {matching[0].rule} listens for it: {matching[0].clause}")
    if not known:
        return UnheardReply(f"{sentence}: no rule listens for what players {action}.")
    near = difflib.get_close_matches(
        words.compared_form, [HeardText(phrase.words).compared_form for phrase in known], len(known), 0
    )
    known.sort(key=lambda phrase: near.index(HeardText(phrase.words).compared_form))
    return UnheardReply(f"{sentence}. Rules listen for: {list_phrases(known)}.")


def list_phrases(phrases: Sequence[HeardPhrase]) -> str:
    """Return a text that lists these phrases up to a limit, and says how many more there are."""
    left = len(phrases) - MOST_OPTIONS_SHOWN
    return "; ".join(map(str, phrases[:MOST_OPTIONS_SHOWN])) + (f"; and {left} more" if left > 0 else "")
