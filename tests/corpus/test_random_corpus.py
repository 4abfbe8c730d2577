"""Games at random under rules of real players: none breaks, and each replays to the same state."""

from __future__ import annotations

import pytest
from corpus.corpus import corpus
from corpus.random_games import SYSTEMS, fault_of, main, play


@pytest.mark.parametrize(("system", "seed"), [*((one, at) for at, one in enumerate(SYSTEMS)), ("discordian-nomic", 5)])
def test_a_game_at_random_under_rules_of_real_players(system, seed):
    assert fault_of(system, seed, turns=6) == ""


def test_rules_of_real_players_come_into_force():
    game = play("discordian-nomic", 1).timeline
    known = {one.clauses.strip() for one in corpus().values() if one.clauses}
    adopted = [one.change.law for one in game.state.proposals.values() if one.status == "adopted"]
    assert known & {law.strip() for law in adopted if law}


def test_the_command_tells_of_a_game_that_breaks(monkeypatch, capsys):
    monkeypatch.setattr("corpus.random_games.fault_of", lambda system, seed, turns: "it stands still" if seed else "")
    monkeypatch.setattr("sys.argv", ["random_games", "--games", "2"])
    assert main() == 1
    said = capsys.readouterr().out
    assert "seed 1: it stands still" in said
    assert "'replayed': 1" in said
