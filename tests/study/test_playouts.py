"""Games at random: the same seed plays the same game, and what players wish for comes out of the library."""

import random
import subprocess
import sys

import pytest

import nomic_nb as nb
from nomic_nb import library
from nomic_nb.study.playouts import play_out, random_change, ready_made_rules


def test_the_same_seed_gives_the_same_game():
    games = [play_out("github-nomic", ["Ann", "Ben"], seed=3, turns=6).timeline for _ in range(2)]
    assert games[0].state.digest() == games[1].state.digest()


def test_games_at_random_on_boards_need_no_notebook():
    code = (
        "import sys; from nomic_nb.study.playouts import play_out; play_out('nomic-chess', ['A', 'B'], 1, turns=1)\n"
        "print([one for one in ('nomic_nb.notebook', 'IPython', 'ipywidgets') if one in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert told.stdout.strip() == "[]"


def test_wishes_come_out_of_the_whole_library():
    titles = [rule.title for rule in ready_made_rules(boards=True)]
    assert len(set(titles)) == len(titles) == len(library.catalogue)
    without = [rule.title for rule in ready_made_rules(boards=False)]
    assert {"A simple majority adopts", "No castling"} - set(without) == {"No castling"}


@pytest.mark.parametrize(("ruleset", "chess"), [("nomic-chess", True), ("discordian-nomic", False)])
def test_chess_is_wished_for_where_there_are_boards(ruleset, chess):
    game = nb.new_game(ruleset, ["Ann", "Ben"], seed=1)
    wished = {random_change(game.timeline, random.Random(seed)).title for seed in range(400)}
    on_boards = {one.rule.title for one in library.catalogue if one.on_boards}
    assert bool(wished & on_boards) == chess
    assert wished - on_boards


def test_a_wish_leaves_the_game_alone():
    game = nb.Game(play_out("discordian-nomic", ["Ann", "Ben"], 1, turns=2).timeline)
    before = game.state.digest()
    assert random_change(game.timeline, random.Random(4)).headline
    assert game.state.digest() == before


LONG = [
    pytest.param(*game, turns, marks=pytest.mark.fuzz)
    for *game, turns in [(3, 2, 14), (2, 9, 60), (3, 2, 60), (4, 3, 60), (6, 4, 60), (3, 5, 60), (4, 8, 60), (6, 4, 8)]
]


@pytest.mark.parametrize(("players", "seed", "turns"), [(2, 9, 12), (4, 3, 6), *LONG])
@pytest.mark.slow
def test_rules_that_are_moves_at_random(players, seed, turns, tmp_path):
    names = ["Ann", "Ben", "Cleo", "Dov", "Eve", "Fay"][:players]
    game = nb.Game(play_out("make-a-rule", names, seed=seed, turns=turns).timeline)
    assert game.over or game.turn > turns
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()
