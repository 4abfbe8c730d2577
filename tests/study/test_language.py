"""A language file gives every sentence of the kit in other words; codes, values and results stay the same."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import nomic_nb as nb
from nomic_nb.engine.errors import WrongArgument
from nomic_nb.engine.messages import TRANSLATIONS
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.study.language import dump, english

MADE_UP = Path(__file__).with_name("made_up.toml")
GOLDEN = Path(__file__).parents[1] / "golden"
#: Runs programs one after the other: a loaded language is there for the whole process. After each it speaks English.
RUN_PROGRAMS = """
import contextlib, io, json, sys
import nomic_nb as nb

for line in sys.stdin:
    program, sys.argv[1:] = json.loads(line)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(program, {"nb": nb, "sys": sys})
    nb.language.load(None)
    print(json.dumps(printed.getvalue()), flush=True)
"""
#: What a process shows of games, with a language loaded.
SHOWN = """
import json
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


Run = Callable[..., str]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Return what runs a program in another process, the same one for all tests here, and returns what it prints."""
    with subprocess.Popen(
        [sys.executable, "-c", RUN_PROGRAMS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:

        def run_program(program: str, *given: Path | str) -> str:
            process.stdin.write(json.dumps([program, [str(one) for one in given]]) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield run_program


def show(run: Run, path: Path | str, *records: Path) -> dict[str, object]:
    """Return what is shown in the language of a file, or in English for an empty path."""
    return json.loads(run(SHOWN, path, *records))


def in_brackets(table: object) -> object:
    """Return a table with each text in brackets, so that no English is left without them."""
    if isinstance(table, dict):
        return {name: in_brackets(inner) for name, inner in table.items()}
    if isinstance(table, list):
        return [in_brackets(inner) for inner in table]
    return f"⟦{table}⟧" if isinstance(table, str) and table else table


@pytest.fixture(scope="module")
def shown_in_english(run: Run) -> dict[str, object]:
    return show(run, "", GOLDEN / "discordian-nomic.jsonl")


@pytest.fixture(scope="module")
def made_up(run: Run) -> dict[str, object]:
    return show(run, MADE_UP)


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


def test_no_english_is_left_once_everything_is_translated(
    run: Run, tmp_path: Path, shown_in_english: dict[str, object]
) -> None:
    tables = in_brackets(english())
    kinds = shown_in_english["told"].keys()
    tables["events"] |= {kind: f"⟦{kind}: {{actor}}⟧" for kind in kinds if kind not in tables["events"]}
    path = tmp_path / "brackets.toml"
    path.write_text(dump(tables), encoding="utf-8")
    shown = show(run, path, GOLDEN / "discordian-nomic.jsonl")
    assert [sentence for sentence in shown["told"].values() if not sentence.startswith("⟦")] == []
    assert shown["text"].startswith("⟦")
    assert all("⟦" in text for text in [*shown["read"], shown["meaning"]])


def test_the_english_file_says_what_the_kit_says(run: Run, tmp_path: Path, shown_in_english: dict[str, object]) -> None:
    path = nb.language.write(tmp_path / "english.toml")
    assert tomllib.loads(path.read_text(encoding="utf-8")) == english()
    assert show(run, path, GOLDEN / "discordian-nomic.jsonl") == shown_in_english


def test_a_translated_event_keeps_hidden_numbers_hidden(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tells.toml"
    path.write_text('[events]\ncounted = "{actor} {counter}: {amount}, {now}"\n', encoding="utf-8")
    told = run(
        """
game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=1)
law = 'track gold per player from 5 hidden\\non said: award 73519 gold to player'
game.propose("Ann", nb.enact("Gold.", law))
for name in game.players:
    game.vote(name, "for")
nb.language.load(sys.argv[1])
game.say("Ben", "hello")
print(game.history.to_string())
""",
        path,
    )
    assert "gold" in told
    assert "73519 gold" in told  # the clause, which all may read
    assert "gold: 73519" not in told
    assert "73524" not in told


def test_a_second_language_replaces_the_first(run: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    first.write_text('[texts]\nand = "kaj"\n[meanings.keys]\n"win.points" = "x"\n', encoding="utf-8")
    second.write_text('[texts]\nor = "ou"\n', encoding="utf-8")
    told = run(
        """
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.words import join_words
for path in (sys.argv[1], sys.argv[2], None):
    nb.language.load(path)
    keys = language().vocabulary.keys
    print(join_words(["a", "b"]), join_words(["a", "b"], "or"), keys["win.points"].meaning != "x")
""",
        first,
        second,
    )
    assert told.splitlines() == ["a kaj b a or b False", "a and b a ou b True", "a and b a or b True"]


def test_no_message_is_left_in_english_in_a_module_that_keeps_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "brackets.toml"
    path.write_text(dump(in_brackets(english())), encoding="utf-8")
    left = run(
        """
from nomic_nb.engine.messages import Message
game = nb.new_game("make-a-rule", ["Ann", "Ben"], seed=1)
nb.language.load(sys.argv[1])
for name, module in sorted(sys.modules.items()):
    if name.startswith("nomic_nb."):
        for kept in vars(module).values():
            for one in kept.values() if type(kept) is dict else [kept]:
                if isinstance(one, Message) and not one.startswith("⟦"):
                    print(name, one)
""",
        path,
    )
    assert left == ""


def test_odd_texts_in_a_language_file_break_no_reading(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    slots = {name: ["((" for _ in many] for name, many in english()["wording"]["slots"].items()}
    path.write_text(dump({"wording": {"slots": slots}, "readings": {"bound": {"captures": "x"}}}), encoding="utf-8")
    read = run(
        """
nb.language.load(sys.argv[1])
for clause in ("set turn.next to reversed(playing)", "set vote.quota to majority(vote.electorate)"):
    print(len(nb.explain(clause).sentences))
""",
        path,
    )
    assert read.split() == ["1", "1"]


def test_a_language_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "marked.toml"
    path.write_bytes(b"\xef\xbb\xbf[texts]\n")
    nb.language.load(path)


@pytest.mark.parametrize("data", [b"x = " + b"[" * 20_000, b"x = " + b"1" * 5_000, b"\xff", b"#" * 2_000_001])
def test_an_unreadable_language_file_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "wrong.toml"
    path.write_bytes(data)
    with pytest.raises(WrongArgument) as refused:
        nb.language.load(path)
    assert refused.value.args[0].code == "language-unreadable"


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
        ('[readings.truths]\n"turn.overlap" = ["x", 5]', "language-misfit", "readings.truths.turn.overlap"),
        ('[events]\nadopted = "{numbr}"', "language-place-unknown", "events.adopted"),
        ("messages = 5", "language-misfit", "messages"),
        ("[messages", "language-unreadable", ""),
    ],
)
def test_a_language_file_with_a_mistake_is_refused_whole(tmp_path: Path, text: str, code: str, where: str) -> None:
    path = tmp_path / "wrong.toml"
    more = "" if code == "language-unreadable" else '\n\n[texts]\nand = "kaj"\n[meanings.keys]\n"win.points" = "x"\n'
    path.write_text(f"{text}{more}", encoding="utf-8")
    with pytest.raises(WrongArgument) as refused:
        nb.language.load(path)
    message = refused.value.args[0]
    assert message.code == code
    assert message.values.get("where", "") == where
    assert not TRANSLATIONS
    assert language().vocabulary.keys["win.points"].meaning != "x"
