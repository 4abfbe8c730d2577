"""A display of a game begins with what changed since the cell above, and with the line of Python that plays on."""

from __future__ import annotations

import random
import re
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from play_helpers import ballot, sit
from show.games import moments
from show.reading import read

import nomic_nb as nb
from nomic_nb.engine.games import begin
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.live.next_step import changes_in_words, find_next_step
from nomic_nb.study.playouts import Playout, act_at_random

SYSTEMS = ("discordian-nomic", "cabinet-nomic", "github-nomic", "nomic-chess", "make-a-rule")
#: Acts of a game at random.
MOST_ACTS = 60


@contextmanager
def cell(name, source=""):
    """Run what is inside as a cell; without a name, as an input of a terminal."""
    CELL_WATCH.start_cell(name, source)
    try:
        yield
    finally:
        CELL_WATCH.finish_cell(failed=False)


@pytest.fixture(autouse=True)
def no_cell_ran_before():
    CELL_WATCH.begun.clear()
    CELL_WATCH.trails.clear()


def opening(game):
    """The lines with which a game begins as text, up to its title."""
    lines = str(game).splitlines()
    return lines[: next(at for at, line in enumerate(lines) if line.startswith(game.ruleset.title))]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_every_suggested_line_runs_unchanged(system, seed):
    timeline = begin(system, ["Ann", "Ben", "Cleo"][: 2 + seed % 2], seed=seed)
    playout, dice = Playout(timeline), random.Random(seed)
    for _ in range(MOST_ACTS):
        if timeline.state.over:
            break
        step = find_next_step(nb.Game(timeline))
        assert step is not None
        copied = timeline.copy_with_events(timeline.moments)
        copied.kept = dict(timeline.kept)
        exec(step.python(), {"game": nb.Game(copied), "nb": nb})  # noqa: S102 - what a reader would run
        assert len(copied.moments) > len(timeline.moments)
        act_at_random(playout, dice)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.slow
def test_a_game_is_played_by_its_suggestions_alone(system):
    game = nb.new_game(system, ["Ann", "Ben", "Cleo"], seed=7)
    for _ in range(40):
        if game.over:
            break
        line = opening(game)[-1].strip()
        before = game.state.seq
        exec(line, {"game": game, "nb": nb})  # noqa: S102 - what a reader would run
        assert game.state.seq > before
    assert game.turn > 1
    adopted = [proposal.number for proposal in game.proposals if proposal.outcome == "adopted"]
    assert adopted or not game.proposals  # where a move is possible instead, the first one is suggested


@pytest.mark.parametrize("named", [True, False], ids=["notebook", "terminal"])
def test_a_cell_says_what_changed_since_the_cell_above(named):
    def at(name):
        return cell(name if named else None)

    with at("c1"):
        game = sit("Ann", "Ben", "Cleo")
        assert opening(game)[0] == "Next: Ann – propose a rule change (rule 202)."
    with at("c2"):
        game.propose("Ann", nb.library.simple_majority().change(203))
        assert opening(game)[0].startswith("Next: Ann, Ben and Cleo – vote on proposal 301")
        assert opening(game)[1] == "  game.votes()"
    with at("c3"):
        ballot(game)
        game.roll("Ann", 4)
        told = opening(game)
    assert told[:2] == ["Law: rule 301 “A simple majority adopts” (was 203, amended).", "Score: Ann 0 → 4 points."]
    with at("look"):
        assert opening(game) == told  # it looks at what the cell above did
    with at("c4"):
        game.propose("Ben", nb.enact("Tea."))
        assert opening(game)[0].startswith("Next: ")


def test_a_cell_that_runs_again_says_the_same():
    def votes():
        with cell("votes", "votes"):
            ballot(game)
            return opening(game)[0]

    with cell("begin", "begin"):
        game = sit("Ann", "Ben")
        game.propose("Ann", nb.enact("Tea."))
    first = votes()
    with cell("roll", "roll"):
        game.roll("Ann", 3)
    assert first == votes() == "Law: rule 301 “Tea” (new)."
    with cell("look", "look"):
        assert opening(game)[0] == "Score: Ann 0 → 3 points."


def test_the_cell_below_reports_presses_made_between_two_cells():
    with cell("begin"):
        game = sit("Ann", "Ben")
        game.propose("Ann", nb.enact("Tea."))
    ballot(game)
    with cell("roll"):
        game.roll("Ann", 3)
        assert opening(game)[:2] == ["Law: rule 301 “Tea” (new).", "Score: Ann 0 → 3 points."]


def test_a_script_reports_the_last_step():
    game = sit("Ann", "Ben")
    game.propose("Ann", nb.enact("Tea."))
    ballot(game)
    assert opening(game)[0] == "Law: rule 301 “Tea” (new)."
    assert opening(game.at(game.state.seq)) == opening(game)[:1]  # nothing can be done in the past
    game.roll("Ann", 3)
    assert opening(game)[0] == "Score: Ann 0 → 3 points."


def test_long_lists_of_changes_end_with_a_count():
    game = sit("Ann", "Ben", system="nomic-chess")
    since = game.state.seq
    for _ in range(4):
        game.propose(game.player, nb.enact(f"Tea at {game.turn}."))
        ballot(game)
        game.move(game.player, game.pending[0].options[0])
    law, board = changes_in_words(game.timeline, since)
    assert law == (
        "Law: rule 203 “All must agree, at first” (amended); rule 301 “Tea at 1” (new); rule 302 “Tea at 2” (new); "
        "and 2 more in game.history"
    )
    assert board.startswith("Board: Ann moves white.b1-white.a3 with white and yellow; Ben moves ")
    assert re.search(r"; and \d more in game\.history$", board)


def test_a_board_line_says_only_what_shows_on_a_board():
    game = sit("Ann", "Ben", system="nomic-chess")
    since = game.state.seq
    for option in ("white.e2-white.e4", "yellow.a2-yellow.a3", "white.a2-white.a3"):
        game.propose(game.player, nb.enact(f"Tea at {game.turn}."))
        ballot(game)
        game.move(game.player, next(one for one in game.pending[0].options if one.endswith(option)))
    assert any(event.kind == "passed_by" for event in game.timeline.events)
    board = changes_in_words(game.timeline, since)[-1]
    assert [part.rpartition(" moves ")[2].partition(" ")[0] for part in board.split("; ")] == [
        "white.e2-white.e4", "yellow.a2-yellow.a3", "white.a2-white.a3",
    ]  # fmt: skip


def test_the_page_begins_as_the_text_does():
    game = sit("Ann", "Ben")
    page = read(game)
    assert page.text.startswith("Next: Ann – propose a rule change (rule 202). game.propose('Ann', nb.library.")
    assert "first what a proposal would do: game.preview('Ann', nb.library." in page.text
    game.propose("Ann", nb.enact("Tea."))
    ballot(game)
    text = read(game).text
    assert text.startswith(
        "Law: rule 301 “Tea” (new). Next: Ann – roll a die with 6 sides (rule 202). game.roll('Ann')"
    )
    assert "preview" not in text


def test_the_hint_names_the_magic_once_it_is_loaded(monkeypatch):
    shell = SimpleNamespace(user_ns={}, find_cell_magic=lambda name: name == "preview")
    monkeypatch.setattr(CELL_WATCH, "shell", shell)
    assert "what a proposal would do: %%preview Ann enact" in read(sit("Ann", "Ben")).text


def test_an_example_never_repeats_a_rule_in_force():
    game = sit("Ann", "Ben")
    game.propose("Ann", nb.library.simple_majority().change(203))
    ballot(game)
    game.roll("Ann", 3)
    assert "simple_majority" not in find_next_step(game).python()


def test_a_paused_game_suggests_resuming_and_a_finished_game_nothing():
    game = sit("Ann", "Ben")
    game.host.pause()
    assert opening(game) == ["Next: The game is paused.", "  game.host.resume()"]
    exec(find_next_step(game).python(), {"game": game})  # noqa: S102 - what a reader would run
    assert opening(game)[0].startswith("Next: Ann – propose")
    won = dict(moments())["won"]
    assert won.over
    assert find_next_step(won) is None


def test_the_line_uses_the_variable_of_the_game(monkeypatch):
    game = sit("Ann", "Ben")
    names = {"_": game, "other": sit("Ann", "Ben"), "tuesday": game}
    monkeypatch.setattr(CELL_WATCH, "shell", SimpleNamespace(user_ns=names))
    assert opening(game)[-1].startswith("  tuesday.propose('Ann', ")
    names["game"] = game
    assert opening(game)[-1].startswith("  game.propose('Ann', ")


def test_hidden_tables_stay_hidden():
    game = sit("Ann", "Ben")
    game.propose("Ann", nb.enact("Each has a hand.", law="track hand per player from 0 hidden"))
    ballot(game)
    since = game.state.seq
    game.host.correct('put hand of "Ann" at 5', agreed=["Ann", "Ben"], reason="tea")
    assert game.state.seq > since
    assert changes_in_words(game.timeline, since) == []
