"""How long the law and play take: `pytest tests/speed --benchmark-enable -n 0`.

Times on the page *Figures* are medians of this file. No time is asserted: machines differ.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

import nomic_nb as nb


def long_game(events: int) -> nb.Game:
    """Play turns in which nothing is adopted until there are so many events."""
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, terms={"win.points": 10**9})
    while game.state.seq < events:
        play_turn(game)
    return game


def play_turn(game: nb.Game) -> None:
    player = game.player
    assert player is not None
    game.propose(player, nb.enact("Nothing much changes by this."))
    for name in game.players:
        game.vote(name, "against")
    game.roll(player)


@pytest.fixture
def game() -> nb.Game:
    return nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, terms={"win.points": 10**9})


def with_forty_rules() -> nb.Game:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, terms={"win.points": 10**9})
    while len(game.rules) < 40:
        player = game.player
        assert player is not None
        game.propose(player, nb.enact("Dissent pays twelve, late.", law="set dissent.points to 12 while turn > 5"))
        for name in game.players:
            game.vote(name, "for")
        game.roll(player)
    return game


def test_a_term_that_nothing_changed(benchmark, game):
    assert len(benchmark(lambda: game.law["vote.electorate"]).value) == 3


def test_a_term_whose_facts_changed(benchmark, game):
    def again():
        state = game.state
        return (state.replace(players=dict(state.players)),), {}

    finding = benchmark.pedantic(lambda state: state.law.find("vote.electorate", state, {}), setup=again, rounds=200)
    assert len(finding.value) == 3


def test_adopting_with_forty_rules(benchmark):
    base = with_forty_rules()
    player = base.player

    def proposed():
        base.timeline.moments[base.state.seq :] = []
        game = nb.Game(_copy(base))
        game.propose(player, nb.enact("Dissent pays eleven.", law="set dissent.points to 11 while turn > 6"))
        for name in game.players[:-1]:
            game.vote(name, "for")
        return (game,), {}

    benchmark.pedantic(lambda game: game.vote(game.players[-1], "for"), setup=proposed, rounds=50)


def _copy(game: nb.Game):
    """Return a table that goes on from here without touching this one; states share what they can."""
    timeline = object.__new__(type(game.timeline))
    timeline.__dict__.update(game.timeline.__dict__)
    timeline.moments = list(game.timeline.moments)
    return timeline


def test_a_vote(benchmark, game):
    game.propose("Ann", nb.enact("Something."))
    benchmark.pedantic(lambda copy: copy.vote("Ann", "for"), setup=lambda: ((nb.Game(_copy(game)),), {}), rounds=200)


def test_a_throw(benchmark, game):
    game.propose("Ann", nb.enact("Something."))
    for name in game.players:
        game.vote(name, "for")
    benchmark.pedantic(lambda copy: copy.roll("Ann"), setup=lambda: ((nb.Game(_copy(game)),), {}), rounds=200)


@pytest.mark.parametrize("events", [5_000, 10_000])
def test_loading(benchmark, tmp_path, events, request):
    if not request.config.getoption("benchmark_enable"):
        events //= 50  # without measuring, a short game will do
    long_game(events).save(tmp_path / "game.jsonl")
    game = benchmark.pedantic(nb.load, (tmp_path / "game.jsonl",), rounds=3)
    assert game.state.seq >= events


def test_the_history_as_a_frame(benchmark, request):
    game = long_game(200 if not request.config.getoption("benchmark_enable") else 10_000)
    frame = benchmark.pedantic(lambda: game.history, setup=lambda: game.annotate("So far."), rounds=5, warmup_rounds=1)
    assert len(frame) == game.state.seq


def test_importing(benchmark):
    """Import the package in a process that has pandas and ipywidgets already, and print the seconds."""
    code = (
        "import pandas, ipywidgets, time; start = time.perf_counter(); "
        "import nomic_nb; print(time.perf_counter() - start)"
    )
    seconds = benchmark.pedantic(
        lambda: float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout), rounds=5
    )
    benchmark.extra_info["seconds"] = seconds
    assert seconds > 0


def with_many_rules_and_players(rules: int, events: int) -> nb.Game:
    """Play with 25 players until there are so many rules, and go on until there are so many events."""
    game = nb.new_game(
        "discordian-nomic", [f"Player {one}" for one in range(1, 26)], seed=7, terms={"win.points": 10**9}
    )
    change = nb.repeal(209)  # which limits how many rules there can be
    while game.state.seq < events:
        player = game.player
        assert player is not None
        game.propose(player, change)
        for name in game.players:
            game.vote(name, "for" if len(game.rules) < rules else "against")
        game.roll(player)
        change = nb.enact("Dissent pays twelve, late.", law="set dissent.points to 12 while turn > 5")
    return game


def test_loading_a_large_game(benchmark, tmp_path, request):
    size = (132, 10_000) if request.config.getoption("benchmark_enable") else (45, 200)
    with_many_rules_and_players(*size).save(tmp_path / "large.jsonl")
    game = benchmark.pedantic(nb.load, (tmp_path / "large.jsonl",), rounds=1)
    assert len(game.rules) >= size[0] or game.state.seq >= size[1]
