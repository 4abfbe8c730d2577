"""Games at random: none raises, none hangs, none comes to where nobody can go on, all replay."""

import pytest
from tools import soak

from nomic_nb.study.playouts import BrokenGame, play_out

SYSTEMS = ("discordian-nomic", "cabinet-nomic", "github-nomic")


@pytest.mark.parametrize(
    ("ruleset", "seed", "turns"),
    [
        *((ruleset, seed, 40) for ruleset in SYSTEMS for seed in range(2)),
        *(pytest.param(ruleset, seed, 40, marks=pytest.mark.fuzz) for ruleset in SYSTEMS for seed in range(2, 5)),
        pytest.param("discordian-nomic", 3, 200, marks=pytest.mark.fuzz),
    ],
)
@pytest.mark.slow
def test_a_game_at_random(ruleset, seed, turns):
    outcome = soak.one_game((ruleset, 2 + seed % 3, seed, turns))
    assert outcome.fault == ""
    assert outcome.ended in ("won", "nobody won", "left")


def test_a_game_that_breaks_is_reported(monkeypatch, capsys):
    def broken(ruleset, players, seed, turns):
        raise BrokenGame(play_out("discordian-nomic", ["Ann", "Ben"], 1, turns=1).timeline, "it stands still")

    monkeypatch.setattr(soak, "play_out", broken)
    assert soak.main(["discordian-nomic", "--games", "2", "--turns", "3"]) == 1
    said = capsys.readouterr().out
    assert "seed 0" in said
    assert "it stands still" in said
    assert "2 games (2 broken)" in said


def test_the_command_says_its_rate(capsys):
    assert soak.main(["cabinet-nomic", "--games", "1", "--turns", "2", "--players", "2"]) == 0
    assert "games/s" in capsys.readouterr().out
