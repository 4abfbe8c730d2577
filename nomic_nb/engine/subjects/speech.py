"""What players say, do, report and write down, and the rules that only people can read."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Any

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.changes import check_text
from nomic_nb.engine.law.nodes import Expression, metered
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.slots import Sentence
from nomic_nb.engine.law.values import NUMBER, TEXT, Heard, Ref, Value
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import say as tell
from nomic_nb.engine.play.declarations import ACTIONS, AnEffect, OfRule, Said, Somebody, Words, action, effect, happens
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Cause, Event
from nomic_nb.engine.play.numbering import not_a_label
from nomic_nb.engine.play.pending import Item
from nomic_nb.engine.play.permissions import (
    LONGEST_SAID,
    calm,
    check_permission,
    goes_off,
    in_words,
    ordered,
    refuse,
    rule_numbered,
    somebody,
)
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.turns import did, relieved
from nomic_nb.engine.play.values import BY, MOST_SHOWN, PLAYER, RULE, Note
from nomic_nb.engine.shown import Shown
from nomic_nb.engine.subjects.host import check_changes

# ------------------------------------------------------------------------------------------------ what players say


happens("said", "a player said something", BY | {"text": TEXT}, told="{actor} says “{text}”", traits="done")(did("say"))


happens(
    "deed",
    "someone reported what a player did",
    BY | {"reporter": PLAYER, "name": TEXT},
    told="{actor} reports {who}: {name}",
    traits="done",
)


happens(
    "free_act",
    "a player did something that no rule speaks of",
    BY | {"text": TEXT},
    told="{actor}: {text}",
    traits="done",
)(did("act"))


happens(
    "applied",
    "someone applied a rule that only people can read",
    BY | {"rule": RULE},
    told="{actor} applies rule {number}: {effect}",
)(lambda state, event: state.but(applied=(*state.applied, event.data["rule"])))


happens(
    "disputed",
    told=lambda e: (
        f"{e.data['effect']}: {e.actor} does not get the others' consent, and it is not done"
        + (f" ({e.data['why']})" if e.data["why"] else "")
    ),
)


happens("announced", told="{text}")


@action("said", BY | {"text": TEXT}, owed=True, otherwise="acts.unregulated", heard="text")
def say(engine: Engine, player: str, text: Said) -> None:
    """Say something."""
    _said(engine, player, "say", text)


@action("free_act", BY | {"text": TEXT}, owed=True, otherwise="acts.unregulated", heard="text")
def act(engine: Engine, player: str, text: Said) -> None:
    """Do what no rule speaks of.

    It is recorded, and changes nothing by itself (116).
    """
    _said(engine, player, "act", text)


def _said(engine: Engine, player: str, action: str, text: str) -> None:
    text = v.Heard(in_words("text", text, tell("nothing-said", "there is nothing to {action}", action=action)))
    check_permission(engine.state, action, player, f"to {action} this", text=text)
    engine.emit(ACTIONS[action].makes, player, env={"text": text}, text=text)


@action("deed", BY | {"name": TEXT}, otherwise="acts.unregulated", heard="name")
def report(engine: Engine, player: str, who: Somebody, deed: Words) -> None:
    """Report a deed that rules may speak of."""
    state = engine.state
    calm(state)
    somebody(state, who, state.players)
    deed = v.Heard(in_words("deed", deed, tell("deed-without-name", "a deed needs a name"), v.LONGEST_TEXT))
    check_permission(state, "report", player, "to report this", name=deed)
    engine.emit("deed", player, env={"reporter": player, "name": deed}, who=who, name=deed)


@action("applied", BY | {"rule": RULE}, heard="rule", phrase="rule {rule}")
def apply(engine: Engine, player: str, rule: OfRule, effect: AnEffect) -> None:
    """Apply a rule that only people can read.

    It is recorded as that, and open to dispute. In one's own turn, what the rule names is done at once; out of turn,
    where it is not to one's own good. For anything more the others who are present are asked first, and one of them
    can say no.

    Parameters
    ----------
    player : str
        Who applies it.
    rule : int or str
        Its number.
    effect : str
        One effect of the law language: ``award -5 points to "Ben"``.
    """
    state = engine.state
    calm(state)
    found = rule_numbered(state, rule)
    if found.id in state.rules.void:
        kind = "suspended" if state.rules.void[found.id].suspended else "void"
        refuse(tell("rule-not-of-people", "rule {rule} is {kind}", rule=rule, kind=kind), rule)
    if not found.bare:
        bare = [str(one.number) for one in state.rules.in_force if one.bare and one.tier != "reading"]
        raise IllegalAction(
            tell("rule-has-clauses", "rule {rule} has clauses, and the game keeps to them itself; "
                "people apply rules that have none", rule=rule),
            rule=rule, options=bare,
        )  # fmt: skip
    check_text("effect", effect, v.LONGEST_TEXT * 4)
    parsed = ordered(state, effect, "people")
    check_permission(state, "apply", player, f"to apply rule {rule}", rule=found.id)
    cause = Cause(found.id, found.number, f"applied by {player}: {parsed.words}")
    env: dict[str, Value] = {"this": found.ref, "player": Ref("player", player)}
    item = Item("by hand", env, state.law, cause, None, (parsed,), state.hand)
    check_changes(engine, item)
    engine.emit("applied", player, rule=found.id, number=found.number, effect=parsed.words)
    engine.applied_by = player
    engine.first(item)


@effect(
    "announce {text}",
    example='announce "It rains."',
    makes="announced",
    ordered_by="people Judge",
    text=Sentence("what is announced"),
    traits="saying",
)
def _announce(engine: Engine, effect: Any) -> None:
    """Say something to all."""
    engine.emit("announced", text=effect.text if isinstance(effect.text, str) else engine.value(effect.text))


#: Characters that a word that is defined may have.
LONGEST_WORD = 60


@happens(
    "defined",
    "a player said what a word means",
    BY | {"word": TEXT, "text": TEXT},
    told="{actor} defines “{word}”: {text}",
    traits="done",
)
def _defined(state: State, event: Event) -> State:
    """Write down a definition: a word that is defined again means what was said last."""
    word = event.data["word"]
    others = tuple(one for one in state.notes if (one.kind, one.name) != ("definition", word))
    return _noted(state.but(notes=others), event, "definition", word, "define")


@happens(
    "fix_suggested",
    "a player suggested a fix to the published rules, which is for other games",
    BY | {"text": TEXT},
    told="{actor} suggests fix {label}, which changes nothing in this game: {text}",
)
def _fix_suggested(state: State, event: Event) -> State:
    return _noted(state, event, "fix", event.data["label"], "suggest_fix")


def _noted(state: State, event: Event, kind: str, name: str, action: str) -> State:
    actor = event.by
    return relieved(state.but(notes=(*state.notes, Note(kind, name, event.data["text"], actor))), actor, action)


def _text(what: str, text: str, longest: int = LONGEST_SAID) -> v.Heard:
    return v.Heard(
        " ".join(in_words(what, text, tell("nothing-written", "there is no {what}", what=what), longest).split())
    )


@action("defined", BY | {"word": TEXT, "text": TEXT}, owed=True, otherwise="acts.unregulated", heard="word")
def define(engine: Engine, player: str, word: Words, meaning: Words) -> None:
    """Say what a word means.

    It stands in the law book below the rules, and is none; a word that is defined again means what was said last.
    """
    word, meaning = _text("word", word, LONGEST_WORD), _text("meaning", meaning)
    check_permission(engine.state, "define", player, "to define this", word=word, text=meaning)
    if any((one.kind, one.name, one.text) == ("definition", word, meaning) for one in engine.state.notes):
        refuse(tell("defined-already", "“{word}” means this already", word=word))
    engine.emit("defined", player, env={"word": word, "text": meaning}, word=word, text=meaning)


@action("fix_suggested", BY | {"text": TEXT}, owed=True, otherwise="acts.unregulated", heard="text")
def suggest_fix(engine: Engine, player: str, text: Words) -> None:
    """Suggest a fix to the published rules.

    It is written down for other games, and changes nothing in this one.
    """
    text = _text("fix", text)
    state = engine.state
    check_permission(state, "suggest_fix", player, "to suggest this", text=text)
    if any((one.kind, one.text) == ("fix", text) for one in state.notes):
        refuse(tell("fix-suggested-already", "this fix is suggested already"))
    place = 1 + sum(one.kind == "fix" for one in state.notes)
    label = str(state.law.said(state.find("fix.label", place=place), place))
    engine.emit("fix_suggested", player, env={"text": text}, label=label, text=text)


KEYS = (
    Key("fix.label", TEXT, "what a suggested fix is called; its place among them where no rule says so",
        "when a fix is suggested", {"place": NUMBER}, misfit=not_a_label),
)  # fmt: skip


# -------------------------------------------- what rules listen for when somebody says something or reports a deed


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
    said = "It is recorded, but no rule answers to it"
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
