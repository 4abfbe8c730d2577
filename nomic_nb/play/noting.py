"""What players write down beside the law: what words mean, and fixes to the published rules. Neither is law."""

from __future__ import annotations

from nomic_nb.errors import IllegalAction
from nomic_nb.law import values as v
from nomic_nb.law.changes import check_text
from nomic_nb.law.values import NUMBER, TEXT
from nomic_nb.law.vocabulary import Key
from nomic_nb.play.cases import BY
from nomic_nb.play.declaring import Words, action, happens
from nomic_nb.play.duties import relieved
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Event
from nomic_nb.play.numbering import not_a_label
from nomic_nb.play.permission import LONGEST_SAID, check_permission
from nomic_nb.play.state import State
from nomic_nb.play.values import Note

#: Characters that a word that is defined may have.
LONGEST_WORD = 60


@happens(
    "defined",
    "a player said what a word means",
    {**BY, "word": TEXT, "text": TEXT},
    told="{actor} defines “{word}”: {text}",
)
def _defined(state: State, event: Event) -> State:
    """Write down a definition: a word that is defined again means what was said last."""
    word = event.data["word"]
    others = tuple(one for one in state.notes if (one.kind, one.name) != ("definition", word))
    return _noted(state.but(notes=others), event, "definition", word, "define")


@happens(
    "fix_suggested",
    "a player suggested a fix to the published rules, which is for other games",
    {**BY, "text": TEXT},
    told="{actor} suggests fix {label}, which changes nothing in this game: {text}",
)
def _fix_suggested(state: State, event: Event) -> State:
    return _noted(state, event, "fix", event.data["label"], "suggest_fix")


def _noted(state: State, event: Event, kind: str, name: str, action: str) -> State:
    actor = str(event.actor)
    return relieved(state.but(notes=(*state.notes, Note(kind, name, event.data["text"], actor))), actor, action)


def _text(what: str, text: str, longest: int) -> str:
    check_text(what, text, longest)
    text = " ".join(text.split())
    if not text:
        raise IllegalAction(f"there is no {what}")
    return text


@action("defined", {**BY, "word": TEXT, "text": TEXT}, owed=True, otherwise="acts.unregulated", heard="word")
def define(engine: Engine, player: str, word: Words, meaning: Words) -> None:
    """Say what a word means.

    It stands in the law book below the rules, and is none; a word that is defined again means what was said last.
    """
    word, meaning = v.Heard(_text("word", word, LONGEST_WORD)), v.Heard(_text("meaning", meaning, LONGEST_SAID))
    check_permission(engine.state, "define", player, "to define this", word=word, text=meaning)
    engine.emit("defined", player, env={"word": word, "text": meaning}, word=str(word), text=str(meaning))


@action("fix_suggested", {**BY, "text": TEXT}, owed=True, otherwise="acts.unregulated", heard="text")
def suggest_fix(engine: Engine, player: str, text: Words) -> None:
    """Suggest a fix to the published rules.

    It is written down for other games, and changes nothing in this one.
    """
    text = v.Heard(_text("fix", text, LONGEST_SAID))
    state = engine.state
    check_permission(state, "suggest_fix", player, "to suggest this", text=text)
    place = 1 + sum(one.kind == "fix" for one in state.notes)
    found = state.find("fix.label", place=place)
    label = str(place) if found.outcome == "silent" else str(state.law.settled(found))
    engine.emit("fix_suggested", player, env={"text": text}, label=label, text=str(text))


KEYS = (
    Key("fix.label", TEXT, "what a suggested fix is called; its place among them where no rule says so",
        "when a fix is suggested", {"place": NUMBER}, misfit=not_a_label),
)  # fmt: skip
