"""What players say, do, report and write down, and the rules that only people can read."""

from __future__ import annotations

from typing import Any

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.changes import check_text_storable
from nomic_nb.engine.law.slots import SentenceSlot
from nomic_nb.engine.law.values import NUMBER, TEXT, ThingRef
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import say as tell
from nomic_nb.engine.play.agenda_items import AgendaItem
from nomic_nb.engine.play.declarations import (
    ACTIONS,
    EffectField,
    OptionField,
    PlayerField,
    RuleField,
    WordsField,
    action,
    declare_event,
    effect,
)
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Cause, Event
from nomic_nb.engine.play.numbering import label_misfit
from nomic_nb.engine.play.permissions import (
    LONGEST_SPEECH,
    check_permission,
    check_player_name,
    check_short_text,
    check_undisturbed,
    find_rule_in_force,
    read_ordered_effect,
    refuse,
)
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.turns import fold_duty_done, with_duty_done
from nomic_nb.engine.play.values import PLAYER, PLAYER_CASE, RULE, PlayerNote
from nomic_nb.engine.subjects.host import check_does_something

# ------------------------------------------------------------------------------------------------ what players say


declare_event(
    "said", "a player says something", PLAYER_CASE | {"text": TEXT}, told="{actor} says “{text}”", traits="done"
)(fold_duty_done("say"))


declare_event(
    "deed",
    "someone reports what a player did",
    PLAYER_CASE | {"reporter": PLAYER, "name": TEXT},
    told=lambda e: f"{e.actor or 'the record'} reports {e.data['who']}: {e.data['name']}",
    traits="done",
)


declare_event(
    "free_act",
    "a player does something that no rule covers",
    PLAYER_CASE | {"text": TEXT},
    told="{actor}: {text}",
    traits="done",
)(fold_duty_done("act"))


declare_event(
    "applied",
    "someone applies a rule that the game cannot enforce",
    PLAYER_CASE | {"rule": RULE},
    told="{actor} applies rule {number}: {effect}",
)(lambda state, event: state.replace(applied=(*state.applied, event.data["rule"])))


declare_event(
    "disputed",
    told=lambda e: (
        f"{e.data['effect']}: this is not done, because {e.actor} does not get the others’ consent"
        + (f" ({e.data['why']})" if e.data["why"] else "")
    ),
)


declare_event("announced", told="{text}")


@action("said", PLAYER_CASE | {"text": TEXT}, owed=True, otherwise="acts.unregulated", heard="text")
def say(engine: Engine, player: str, text: OptionField) -> None:
    """Say something."""
    _record_speech(engine, player, "say", text)


@action("free_act", PLAYER_CASE | {"text": TEXT}, owed=True, otherwise="acts.unregulated", heard="text")
def act(engine: Engine, player: str, text: OptionField) -> None:
    """Do something that no rule covers.

    The act is recorded and changes nothing by itself (116).
    """
    _record_speech(engine, player, "act", text)


def _record_speech(engine: Engine, player: str, action: str, text: str) -> None:
    """Record what a player says or does, as the event of an action (“say” or “act”); refuse if the law forbids it."""
    text = v.HeardText(
        check_short_text(
            "text", text, tell("nothing-said", "there is nothing to {action}: the text is empty", action=action)
        )
    )
    check_permission(engine.state, action, player, f"to {action} this", text=text)
    engine.emit(ACTIONS[action].makes, player, env={"text": text}, text=text)


@action("deed", PLAYER_CASE | {"name": TEXT}, otherwise="acts.unregulated", heard="name")
def report(engine: Engine, player: str, who: PlayerField, deed: WordsField) -> None:
    """Report something a player did that rules may mention."""
    state = engine.state
    check_undisturbed(state)
    check_player_name(state, who, state.players)
    deed = v.HeardText(
        check_short_text(
            "deed", deed, tell("deed-without-name", "a report can’t be empty; say what the player did"), v.LONGEST_TEXT
        )
    )
    check_permission(state, "report", player, "to report this", name=deed)
    engine.emit("deed", player, env={"reporter": player, "name": deed}, who=who, name=deed)


@action("applied", PLAYER_CASE | {"rule": RULE}, heard="rule", phrase="rule {rule}")
def apply(engine: Engine, player: str, rule: RuleField, effect: EffectField) -> None:
    """Apply a rule that the game cannot enforce.

    The record shows that a player applied the rule, and others can dispute it. An effect that the rule names happens at
    once in the player's own turn; out of turn, only if it is not to the player's own benefit. For anything else, the
    other players present are asked first, and any of them can say no.

    Parameters
    ----------
    player : str
        Player who applies the rule.
    rule : int or str
        Number of the rule.
    effect : str
        One effect in the law language: ``award -5 points to "Ben"``.
    """
    state = engine.state
    check_undisturbed(state)
    applied_rule = find_rule_in_force(state, rule)
    if applied_rule.id in state.rules.void:
        kind = "suspended" if state.rules.void[applied_rule.id].is_suspended else "void"
        refuse(tell("rule-not-of-people", "rule {rule} can’t be applied: it is {kind}", rule=rule, kind=kind), rule)
    if not applied_rule.has_words_only:
        bare = [
            str(other_rule.number)
            for other_rule in state.rules.in_force
            if other_rule.has_words_only and other_rule.tier != "reading"
        ]
        raise IllegalAction(
            tell("rule-has-clauses", "rule {rule} has clauses, so the game enforces it; "
                "you can only apply rules without clauses", rule=rule),
            rule=rule, options=bare,
        )  # fmt: skip
    check_text_storable("effect", effect, v.LONGEST_TEXT * 4)
    parsed = read_ordered_effect(state, effect, "people")
    check_permission(state, "apply", player, f"to apply rule {rule}", rule=applied_rule.id)
    cause = Cause(applied_rule.id, applied_rule.number, f"applied by {player}: {parsed.words}")
    env = {"this": applied_rule.ref, "player": ThingRef("player", player)}
    item = AgendaItem("by hand", env, state.law, cause, None, (parsed,), state.hand)
    check_does_something(engine, item)
    engine.emit("applied", player, rule=applied_rule.id, number=applied_rule.number, effect=parsed.words)
    engine.applied_by = player
    engine.put_first(item)


@effect(
    "announce {text}",
    example='announce "It rains."',
    makes="announced",
    ordered_by="people Judge",
    text=SentenceSlot("what is announced"),
    traits="saying",
)
def _announce(engine: Engine, effect: Any) -> None:
    """Tell everyone something."""
    engine.emit("announced", text=effect.text if isinstance(effect.text, str) else engine.evaluate(effect.text))


#: Characters that a word that is defined may have.
LONGEST_WORD = 60


@declare_event(
    "defined",
    "a player says what a word means",
    PLAYER_CASE | {"word": TEXT, "text": TEXT},
    told="{actor} defines “{word}”: {text}",
    traits="done",
)
def _record_definition(state: State, event: Event) -> State:
    """Return the state with a word's definition, which replaces an earlier one."""
    word = event.data["word"]
    others = tuple(note for note in state.notes if (note.kind, note.name) != ("definition", word))
    return _with_player_note(state.replace(notes=others), event, "definition", word, "define")


declare_event(
    "fix_suggested",
    "a player suggests a fix to the published rules, for use in other games",
    PLAYER_CASE | {"text": TEXT},
    told="{actor} suggests fix {label}, which does not change this game: {text}",
)(lambda state, event: _with_player_note(state, event, "fix", event.data["label"], "suggest_fix"))


def _with_player_note(state: State, event: Event, kind: str, name: str, action: str) -> State:
    """Return the state with a player's note (`kind`, `name`) added, and any duty to do `action` fulfilled."""
    actor = event.actor_name
    return with_duty_done(
        state.replace(notes=(*state.notes, PlayerNote(kind, name, event.data["text"], actor))), actor, action
    )


def _check_speech(what: str, text: str, longest: int = LONGEST_SPEECH) -> v.HeardText:
    """Return a text with single blanks; refuse an empty or too long one with a message that calls it `what`."""
    return v.HeardText(
        " ".join(
            check_short_text(what, text, tell("nothing-written", "the {what} is empty", what=what), longest).split()
        )
    )


@action("defined", PLAYER_CASE | {"word": TEXT, "text": TEXT}, owed=True, otherwise="acts.unregulated", heard="word")
def define(engine: Engine, player: str, word: WordsField, meaning: WordsField) -> None:
    """Say what a word means.

    The definition appears in the law book below the rules, but is not a rule. If a word is defined again, the latest
    definition applies.
    """
    word, meaning = _check_speech("word", word, LONGEST_WORD), _check_speech("meaning", meaning)
    check_permission(engine.state, "define", player, "to define this", word=word, text=meaning)
    if any((note.kind, note.name, note.text) == ("definition", word, meaning) for note in engine.state.notes):
        refuse(tell("defined-already", "“{word}” already means this", word=word))
    engine.emit("defined", player, env={"word": word, "text": meaning}, word=word, text=meaning)


@action("fix_suggested", PLAYER_CASE | {"text": TEXT}, owed=True, otherwise="acts.unregulated", heard="text")
def suggest_fix(engine: Engine, player: str, text: WordsField) -> None:
    """Suggest a fix to the published rules.

    The suggestion is recorded for other games and changes nothing in this one.
    """
    text = _check_speech("fix", text)
    state = engine.state
    check_permission(state, "suggest_fix", player, "to suggest this", text=text)
    if any((note.kind, note.text) == ("fix", text) for note in state.notes):
        refuse(tell("fix-suggested-already", "this fix has already been suggested"))
    place = 1 + sum(note.kind == "fix" for note in state.notes)
    label = str(state.law.value_or_default(state.find("fix.label", place=place), place))
    engine.emit("fix_suggested", player, env={"text": text}, label=label, text=text)


KEYS = (
    Key("fix.label", TEXT, "the label of a suggested fix; by default, its place in the list of suggestions",
        "when a fix is suggested", {"place": NUMBER}, misfit=label_misfit),
)  # fmt: skip
