"""What rules listen for when somebody says something or reports a deed, and the word back where none answers."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.nodes import Expression
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.values import Heard, Ref, Value
from nomic_nb.engine.law.view import metered
from nomic_nb.engine.play.decision import MOST_SHOWN
from nomic_nb.engine.play.declaring import ACTIONS
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.permission import goes_off
from nomic_nb.engine.play.state import State
from nomic_nb.engine.shown import Shown


@frozen
class Phrase:
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


@frozen
class Unheard(Shown):
    """The word back to words that no rule answers."""

    text: str

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def phrases(state: State) -> tuple[Phrase, ...]:
    """Return the words that rules in force listen for, in order of precedence."""
    return tuple(
        dict.fromkeys(
            Phrase(action, words, source.rule.number, source.clause.words)
            for action, deed in ACTIONS.items()
            if deed.heard
            for source in state.law.triggers.get(deed.makes, ())
            if isinstance(source.clause, c.On) and source.clause.condition is not None
            for words in _compared(source.clause.condition, deed.heard)
        )
    )


def _compared(condition: Expression, name: str) -> Iterator[str]:
    """Yield the texts that a name is compared with."""
    for node in condition.walk():
        if node.kind == "compare" and any((one.kind, one.text) == ("name", name) for one in node.parts):
            for part in node.parts:
                inner = (part, *part.parts) if part.kind == "list" else (part,)
                yield from (one.value for one in inner if isinstance(one.value, str) and one.kind == "constant")


def unheard(before: State, event: Event, after: State) -> Unheard | None:
    """Return the word back to somebody whose words no rule answers; None where one does, or may.

    Parameters
    ----------
    before : State
        As it was.
    event : Event
        What was said or reported.
    after : State
        As it was right after that.
    """
    if event.kind not in ("said", "deed") or before.turns != after.turns:  # it was owed
        return None
    action, bound = event.do, ACTIONS[event.do].heard
    words = Heard(event.data[bound])
    env: dict[str, Value] = {
        bound: words, "player": Ref("player", event.data.get("who", event.actor)),
        "reporter": Ref("player", event.by),
    }  # fmt: skip
    with metered():
        if any(goes_off(after, source, env, before.law) for source in before.law.triggers.get(event.kind, ())):
            return None
    known = [one for one in phrases(before) if one.action == action]
    matching = [one for one in known if words.sounds_like(one.words)]
    said = "No rule answers to this"
    if matching:
        return Unheard(f"{said} now. Rule {matching[0].rule} listens for it: {matching[0].clause}")
    if not known:
        return Unheard(f"{said}: none listens for what players {action}.")
    near = difflib.get_close_matches(words.folded, [Heard(one.words).folded for one in known], len(known), 0)
    known.sort(key=lambda one: near.index(Heard(one.words).folded))
    return Unheard(f"{said}. Rules listen for: {listed(known)}.")


def listed(found: Sequence[Phrase]) -> str:
    """List phrases for people: the first ones, and how many more there are."""
    left = len(found) - MOST_SHOWN
    return "; ".join(map(str, found[:MOST_SHOWN])) + (f"; and {left} more" if left > 0 else "")
