"""Notebooks made from games play them again."""

import ast
import json
import os
from pathlib import Path

import nbformat
import pytest
from documents.document_helpers import NASTY, SEALED, ballots, everything, odd_game, random_game, turn
from markdown_it import MarkdownIt
from nbclient import NotebookClient

import nomic_nb as nb
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.play import declarations
from nomic_nb.engine.play.declarations import WordsField
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.record.log import record_lines
from nomic_nb.engine.record.seals import current_seals
from nomic_nb.notebook.documents import to_notebook
from nomic_nb.notebook.live.python_source import python_call, python_change_call, python_event_call, python_literal

ROOT = Path(nb.__file__).parents[1]
OWN = """# My rules

```about
name: my own "rules"
title: My <own> rules
players: 2
source: mine
```

"""


def code(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def source(notebook):
    return "\n".join(cell["source"] for cell in code(notebook))


def played(notebook):
    """Run the cells one after the other, and return the game."""
    names = {}
    for cell in code(notebook):
        exec(compile(cell["source"], cell["id"], "exec"), names)  # noqa: S102
    return names["game"]


def same(game, again):
    """Whether two games are the same, event by event."""
    return list(record_lines(game.timeline)) == list(record_lines(again.timeline))


def executed(notebook, folder):
    """Run a notebook in a kernel of its own; an error in a cell is raised."""
    book = nbformat.from_dict(notebook)
    places = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(places), "IPYTHONDIR": str(folder)}
    client = NotebookClient(
        book,
        timeout=120,
        kernel_name="python3",
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute(env=env)
    return book


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A game by a rule set from a user's own file."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "nomic_nb" / "engine" / "rulesets" / "discordian-nomic.md").read_text(encoding="utf-8")
    rules = OWN + text[text.index("## Immutable rules") :].replace(
        "The die has six sides.", 'The "die" has six \\ sides.'
    )
    file = tmp_path / "rules.md"
    file.write_text(rules, encoding="utf-8")
    game = nb.new_game(file, ["Ann", "Ben"], seed=7)
    turn(game, nb.enact("More."))
    file.unlink()
    return game


# ------------------------------------------------------------------------------------------- played again


@pytest.mark.parametrize("which", ["full", "nasty", "odd"])
def test_a_notebook_plays_the_same_game(which, request):
    game = request.getfixturevalue(which)
    assert same(game, played(to_notebook(game)))


@pytest.mark.parametrize("seed", range(8))
def test_random_games_are_played_again(seed):
    game = random_game(seed)
    again = played(to_notebook(game))
    if not current_seals(game.timeline).telling:
        assert same(game, again)


SLOW = [pytest.param(which, marks=pytest.mark.slow) for which in ("odd", "random")]


@pytest.mark.parametrize("which", ["full", "nasty", *SLOW])
@pytest.mark.slow
def test_a_kernel_plays_the_same_game(which, request, tmp_path):
    game = random_game(3) if which == "random" else request.getfixturevalue(which)
    book = executed(to_notebook(game), tmp_path)
    cells = [cell for cell in book.cells if cell.cell_type == "code"]
    assert cells[-1].source == f"assert game.state.digest() == {game.state.digest()!r}"
    for cell in cells[:-1]:
        shown = cell.outputs[-1].data
        assert "Discordian Nomic" in shown["text/plain"]
        assert "<article" in shown["text/html"]


def test_the_check_fails_where_a_game_went_otherwise(full):
    notebook = to_notebook(full)
    cell = next(cell for cell in notebook["cells"] if cell["id"] == "turn-1")
    cell["source"] = cell["source"].replace("game.roll('Ann', 4)", "game.roll('Ann', 5)")
    with pytest.raises((AssertionError, nb.IllegalAction)):
        played(notebook)


@pytest.mark.slow
def test_a_rule_set_of_ones_own_is_written_into_the_notebook(own, tmp_path):
    notebook = to_notebook(own)
    assert [cell["id"] for cell in notebook["cells"]][:3] == ["title", "rules", "game"]
    assert same(own, played(notebook))
    assert list(tmp_path.glob("my-own-rules-*.md"))
    executed(notebook, tmp_path)


def test_a_rule_set_that_only_has_the_name_of_one_of_the_kit_is_written_too(own, tmp_path):
    file = tmp_path / "changed.md"
    file.write_text(own.ruleset.text.replace('my own "rules"', "discordian-nomic"), encoding="utf-8")
    game = nb.new_game(file, ["Ann", "Ben"], seed=7)
    assert "rules" in [cell["id"] for cell in to_notebook(game)["cells"]]
    assert same(game, played(to_notebook(game)))


def test_terms_and_dice():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=0, terms={"win.points": 30}, dice="table")
    turn(game, nb.enact("More."))
    assert same(game, played(to_notebook(game)))


def test_a_loaded_game(full, tmp_path):
    full.save(tmp_path / "game.jsonl")
    assert to_notebook(nb.load(tmp_path / "game.jsonl"))["cells"][2:-1] != []
    assert same(full, played(to_notebook(nb.load(tmp_path / "game.jsonl"))))


def test_a_game_as_it_stood(full):
    for at in (1, 13, 30, 41, 126, full.state.seq):
        played(to_notebook(full.at(at)))


def test_a_game_that_has_just_begun():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    assert same(game, played(to_notebook(game)))


def test_another_way_of_a_game():
    way = everything().fork(126)
    turn(way, nb.enact("Another way.")) if not way.state.questions else way.choose("Cleo", "yes")
    assert same(way, played(to_notebook(way)))


def test_a_change_that_the_makers_write_otherwise():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.propose("Ann", Change("enact", None, "  Blanks.  ", None, "A title of its own"))
    again = played(to_notebook(game))
    assert again.proposals[301].change.wording == "  Blanks.  "
    assert same(game, again)


# ------------------------------------------------------------------------------------------------ the form


@pytest.mark.parametrize("which", ["full", "nasty", "odd", "sealed"])
def test_the_form(which, request):
    notebook = to_notebook(request.getfixturevalue(which))
    nbformat.validate(nbformat.from_dict(notebook))
    assert json.loads(json.dumps(notebook)) == notebook
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(ids) == len(set(ids))
    for cell in code(notebook):
        assert cell["outputs"] == []
        ast.parse(cell["source"])


def test_ids_stay_as_the_game_goes_on(full):
    def by_id(game):
        return {cell["id"]: cell["source"] for cell in to_notebook(game)["cells"]}

    early, late = by_id(full.at(full.timeline.end_of_step(60))), by_id(full)
    for id in ("game", "turn-1", "turn-2", "turn-3", "turn-3-story"):
        assert early[id] == late[id], id
    assert by_id(full) == by_id(full)


def test_a_cell_for_every_turn_with_its_story_before(full):
    cells = to_notebook(full)["cells"]
    ids = [cell["id"] for cell in cells]
    assert ids == [
        "title",
        "game",
        *(f"turn-{n}{kind}" for n in range(1, 9) for kind in ("-story", "")),
        "end-story",
        "end",
    ]
    for cell in code({"cells": cells})[:-1]:
        assert cell["source"].endswith("\ngame")


def test_the_calls_are_those_that_players_make(full):
    written = source(to_notebook(full))
    for line in (
        "game = nb.new_game(\n    'discordian-nomic',\n    players=['Ann', 'Ben', 'Cleo'],\n    seed=3,",
        "game.propose('Cleo', nb.transmute(108))",
        "game.propose('Ben', nb.enact('Nobody throws any more.', title='No throws'))",
        "game.vote('Ann', 'against')",
        "game.roll('Ann', 4)",
        "game.roll('Ann')\n",
        "game.say('Ann', 'Welcome, Dov!')",
        "game.act('Ben', 'pours tea for everyone')",
        "game.report('Cleo', 'Ben', 'interrupting')",
        "game.say('Ben', 'whistling?')",
        "game.choose('Cleo', 'no')",
        "game.undo(125)",
        "game.invoke_judgment('Cleo', 'Is tea a move?')",
        "game.overrule('Ben', 'for'",
        "game.rule_on(\n    'Cleo',\n    'It is not.',\n",
        "game.consent('Ann'",
        "game.apply('Cleo', 210, 'award 1 points to \"Ann\"')",
        "game.host.absent('Cleo')",
        "game.host.present('Cleo')",
        "game.host.correct(\n    'award 2 points to \"Ben\"',\n",
        "    agreed=['Ann', 'Ben', 'Cleo'],\n    reason='the tea',\n)",
        "game.propose('Ben', nb.enact('Hm.'), debate=True)",
        "nb.amend(208, law='set win.points to 12', title='A dozen')",
        "game.call_vote('Ben')",
        "game.annotate('A dozen was too few.', nag='??'",
    ):
        assert line in written, line


def test_the_story_before_a_turn_has_the_comments(full):
    story = {cell["id"]: cell["source"] for cell in to_notebook(full)["cells"]}
    assert story["turn-2-story"].startswith("## Turn 2 · Ben round 1\n\n- Ben proposes 302: enact “No throws”.")
    assert "(rule 202) **?!**\n\n  > *Comment:* Nobody had asked Ann." in story["turn-2-story"]
    assert "- Cleo answers no. **taken back**" in story["turn-7-story"]
    assert "- Branch (forked), from event 121 onwards.\n\n  - Ann proposes 307" in story["turn-7-story"]
    assert story["end-story"].startswith("## The end\n\nAnn wins (rule 112).")


def test_markup_of_players_stays_text_and_stays_in_its_strings(nasty):
    notebook = to_notebook(nasty)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            made = MarkdownIt("commonmark").render(cell["source"])
            assert "<script" not in made
            assert "<a " not in made
            assert "<img" not in made
        elif cell["id"] not in ("game", "end"):
            for line in ast.parse(cell["source"]).body:  # nothing but calls on the game, and its display
                assert isinstance(line, ast.Expr)
                assert isinstance(line.value, ast.Call | ast.Name)
    strings = [one.value for one in ast.walk(ast.parse(source(notebook))) if isinstance(one, ast.Constant)]
    assert NASTY in strings


# -------------------------------------------------------------------------------------------------- sealed


def test_the_notebook_ends_before_the_first_sealed_ballot(sealed):
    notebook = to_notebook(sealed)
    written = source(notebook)
    assert "game.propose('Ben', nb.enact('Secret.'))" in written
    assert "proposal=302" not in written
    again = played(notebook)
    assert again.state.seq < sealed.state.seq
    assert "sealed" in next(cell["source"] for cell in notebook["cells"] if cell["id"] == "end-story")
    assert sealed.state.digest() not in written


def test_nothing_in_it_depends_on_a_sealed_ballot(sealed):
    other = sealed.fork()
    other.undo(sealed.timeline.end_of_step(sealed.state.seq - 1))
    other.undo(next(event.seq for event in sealed.timeline.events if event.kind == "balloted" and event.turn == 2) - 1)
    written = source(to_notebook(other))
    assert "game.vote('Ben', 'for', proposal=302)" not in written


def test_once_the_vote_has_closed_the_notebook_is_whole(sealed):
    sealed.vote("Ann", "for")
    assert same(sealed, played(to_notebook(sealed)))


def test_a_sealed_vote_that_was_undone_for_good_stays_sealed():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    turn(game, nb.enact("Sealed.", law=SEALED))
    at = game.state.seq
    game.propose("Ben", nb.enact("Secret."))
    ballots(game)
    assert same(game, played(to_notebook(game)))
    game.undo(at)
    written = source(to_notebook(game))
    assert "game.propose('Ben', nb.enact('Secret.'))" in written
    assert "proposal=302" not in written


# ------------------------------------------------------------------------------------------------- literals


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a\n",
        "\n",
        "a\nb",
        "a\r\nb",
        "'\"\\",
        "'''\n\"\"\"",
        "{x}\n%s",
        "\u2028\x0b\nx",
        "\ud800",
        "é\n ",
        "\\\n\\",
    ],
)
def test_literals_are_what_they_say(text):
    assert ast.literal_eval(python_literal(text)) == text
    assert ast.literal_eval(python_call("", [text])[1:-1].strip().rstrip(",")) == text


@pytest.mark.parametrize(
    "change",
    [
        nb.enact("x"),
        nb.enact("x\ny", law="set a to 1\nset b to 2", title="T"),
        nb.amend(203, "x"),
        nb.amend(203, law=""),
        nb.amend("R8", title="T"),
        nb.amend(203, "x", part=1),
        nb.amend(203, "x", add=True),
        nb.repeal(-110),
        nb.repeal(203, part=2),
        nb.transmute("A1"),
        Change("enact", None, "x", title=""),
        Change("amend", 203, "x ", "set a to 1 "),
    ],
    ids=lambda change: change.headline,
)
def test_changes_are_written_as_calls(change):
    assert eval(python_change_call(change), {"nb": nb}) == change  # noqa: S307


def test_an_action_that_the_game_has_no_method_for_goes_through_do(monkeypatch):
    def whistle(engine: Engine, player: str, tune: WordsField) -> None:
        """Whistle a tune."""

    monkeypatch.setattr(declarations, "ACTIONS", dict(declarations.ACTIONS))
    declarations.action("said")(whistle)
    monkeypatch.setattr("nomic_nb.notebook.live.python_source.ACTIONS", declarations.ACTIONS)
    event = Event(9, 1, 1, None, "Ann", "said", do="whistle", details={"tune": "x"})
    assert python_event_call(event) == "game.do('Ann', 'whistle', tune='x')"


def test_what_the_law_left_open_is_done_without_the_error_that_says_so():
    assert "game.do('Ann', 'roll', value=2)" in source(to_notebook(odd_game()))
