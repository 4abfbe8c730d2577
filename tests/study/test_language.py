"""A language file gives every sentence of the kit in other words; codes, values and results stay the same."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import nomic_nb as nb
from nomic_nb.engine.errors import WrongArgument
from nomic_nb.engine.messages import TRANSLATIONS
from nomic_nb.study.language import dump, english

MADE_UP = Path(__file__).with_name("made_up.toml")
GOLDEN = Path(__file__).parents[1] / "golden"
#: What a process of its own shows of games, with a language loaded: a loaded language is there for the whole process.
SHOWN = """
import json, sys
import nomic_nb as nb
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.record.event_sentences import sentence

games = [nb.load(path) for path in sys.argv[2:]]  # they hold questions in English
if sys.argv[1]:
    nb.language.load(sys.argv[1])
game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"])
try:
    game.roll("Ann")
except IllegalAction as error:
    refusal = error.args[0]
told = {}
for one in games:
    for event in one.timeline.events:
        told.setdefault(event.kind, sentence(event))
print(json.dumps({
    "text": str(refusal), "code": refusal.code, "values": {name: str(one) for name, one in refusal.values.items()},
    "first": [sentence(event) for event in game.timeline.events],
    "told": told,
    "read": [str(nb.explain(f"set {one}")).splitlines()[-1] for one in ("win.points to 30", "turn.overlap to true")],
    "meaning": language().vocabulary.keys["win.points"].meaning,
    "record": [[event.kind, str(event.actor), str(event.data)] for event in game.timeline.events],
}))
"""


def show(path: Path | str, *records: Path) -> dict[str, object]:
    """Return what a new process shows with the language of a file, or in English for an empty path."""
    done = subprocess.run(
        [sys.executable, "-c", SHOWN, str(path), *map(str, records)], check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)


def in_brackets(table: object) -> object:
    """Return a table with each text in brackets, so that no English is left without them."""
    if isinstance(table, dict):
        return {name: in_brackets(inner) for name, inner in table.items()}
    if isinstance(table, list):
        return [in_brackets(inner) for inner in table]
    return f"⟦{table}⟧" if isinstance(table, str) and table else table


@pytest.fixture(scope="module")
def shown_in_english() -> dict[str, object]:
    return show("", GOLDEN / "discordian-nomic.jsonl")


@pytest.fixture(scope="module")
def made_up() -> dict[str, object]:
    return show(MADE_UP)


def test_a_made_up_language_is_loaded_from_one_file(made_up: dict[str, object]) -> None:
    assert made_up["text"].startswith("zip zap nulo")
    assert made_up["first"][0] == "ludo kun Ann, Ben kaj Cleo"
    assert "vico de Ann" in made_up["first"]
    assert [text.casefold() for text in made_up["read"]] == ["venkas 30.", "vicoj kunas."]
    assert made_up["meaning"] == "kiom da poentoj venkas"


def test_a_language_changes_no_code_and_no_game(
    made_up: dict[str, object], shown_in_english: dict[str, object]
) -> None:
    assert made_up["code"] == shown_in_english["code"]
    assert made_up["values"].keys() == shown_in_english["values"].keys()
    assert made_up["record"] == shown_in_english["record"]


def test_no_english_is_left_once_everything_is_translated(tmp_path: Path, shown_in_english: dict[str, object]) -> None:
    tables = in_brackets(english())
    kinds = shown_in_english["told"].keys()
    tables["events"] |= {kind: f"⟦{kind}: {{actor}}⟧" for kind in kinds if kind not in tables["events"]}
    path = tmp_path / "brackets.toml"
    path.write_text(dump(tables), encoding="utf-8")
    shown = show(path, GOLDEN / "discordian-nomic.jsonl")
    assert [sentence for sentence in shown["told"].values() if not sentence.startswith("⟦")] == []
    assert shown["text"].startswith("⟦")
    assert all("⟦" in text for text in [*shown["read"], shown["meaning"]])


def test_the_english_file_says_what_the_kit_says(tmp_path: Path, shown_in_english: dict[str, object]) -> None:
    path = nb.language.write(tmp_path / "english.toml")
    assert tomllib.loads(path.read_text(encoding="utf-8")) == english()
    found = show(path, GOLDEN / "discordian-nomic.jsonl")
    assert {**found, "told": None} == {**shown_in_english, "told": None}


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ('[messages]\nno-such-code = "x"', "language-unknown", "messages.no-such-code"),
        ('[stories]\nx = "x"', "language-unknown", "stories"),
        ('[messages]\nnothing-to-throw = "{who} can’t"', "language-place-unknown", "messages.nothing-to-throw"),
        ('[messages]\nnothing-to-throw = "{"', "language-braces", "messages.nothing-to-throw"),
        ("[messages]\nnothing-to-throw = 5", "language-misfit", "messages.nothing-to-throw"),
        ('[messages]\nrule-unknown = "{rule.__class__}"', "language-place-unknown", "messages.rule-unknown"),
        ('[messages]\nrule-unknown = "{rule:>99999999}"', "language-place-unknown", "messages.rule-unknown"),
        ('[events]\nentered = "{actor.__class__}"', "language-place-unknown", "events.entered"),
        ('[readings.truths]\n"turn.overlap" = ["x"]', "language-misfit", "readings.truths.turn.overlap"),
        ("[messages", "language-unreadable", ""),
    ],
)
def test_a_language_file_with_a_mistake_is_refused_whole(tmp_path: Path, text: str, code: str, where: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(f'{text}\n\n[texts]\nand = "kaj"\n' if code != "language-unreadable" else text, encoding="utf-8")
    with pytest.raises(WrongArgument) as refused:
        nb.language.load(path)
    message = refused.value.args[0]
    assert message.code == code
    assert message.values.get("where", "") == where
    assert not TRANSLATIONS
