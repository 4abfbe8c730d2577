"""How long other times take in a game of 500 events: `pytest tests/speed --benchmark-enable`. No time is asserted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from panels.pages import Page

import nomic_nb as nb
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.show import show_html


def play_turn(game: nb.Game, ballot: str = "against") -> None:
    player = game.player
    assert player is not None
    game.propose(player, nb.enact("Nothing much changes by this."))
    for name in game.players:
        game.vote(name, ballot)
    game.roll(player)


def in_cell(cell: str, game: nb.Game, ballot: str = "against") -> None:
    """Play a turn as a notebook does when this cell runs."""
    CELL_WATCH.start_cell(cell)
    play_turn(game, ballot)
    CELL_WATCH.finish_cell(failed=False)


@pytest.fixture
def events(request) -> int:
    return 500 if request.config.getoption("benchmark_enable") else 60  # without measuring, a short game will do


@pytest.fixture
def game(events) -> Iterator[nb.Game]:
    """Return a game in which a cell played each turn."""
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, terms={"win.points": 10**9})
    while game.state.seq < events:
        in_cell(f"turn {game.turn}", game)
    yield game
    CELL_WATCH.trails.clear()


@pytest.mark.parametrize("turn", ["the first", "the last"])
def test_running_a_cell_again(benchmark, game, turn):
    cell = "turn 1" if turn == "the first" else f"turn {game.turn - 1}"
    before = game.state.digest()
    benchmark(in_cell, cell, game)
    assert game.state.digest() == before
    assert len(game.forks) == 0


def test_running_the_whole_game_again_in_one_cell(benchmark, events):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, terms={"win.points": 10**9})

    def everything() -> None:
        CELL_WATCH.start_cell("all")
        while game.state.seq < events:
            play_turn(game)
        CELL_WATCH.finish_cell(failed=False)

    everything()
    before = game.state.digest()
    benchmark.pedantic(everything, rounds=5)
    assert game.state.digest() == before
    CELL_WATCH.trails.clear()


def test_running_an_edited_cell(benchmark, game):
    """What followed is kept as a fork."""
    old, trail = list(game.timeline.moments), CELL_WATCH.trails[game.timeline]
    spans = dict(trail.spans)

    def as_before() -> None:
        game.timeline.moments[:], game.timeline.forks, trail.spans = old, [], dict(spans)

    benchmark.pedantic(in_cell, ("turn 1", game, "for"), setup=as_before, rounds=20)
    assert [way.event_count for way in game.forks] == [len(old)]


def test_opening_the_panel(benchmark, game):
    benchmark.pedantic(lambda: game.panel().close(), rounds=5, warmup_rounds=1)


def test_a_vote_before_a_class(benchmark):
    """25 seats look on, and 25 votes are open: acting, making the picture, and what is sent to all."""
    names = [f"Pupil {at}" for at in range(25)]
    class_ = nb.new_game("github-nomic", names, seed=7)
    for at, name in enumerate(names):
        class_.begin_turn(name)
        class_.propose(name, nb.enact(f"It is agreed that {name} was here."), number=100 + at)
    pages = {name: Page(class_, name) for name in names}
    voters = iter(names[1:])

    def ballot() -> tuple[tuple[Page], dict[str, object]]:
        return (pages[next(voters)],), {}

    def vote(page: Page) -> None:
        assert page.act("vote", proposal=112, ballot="for")["done"]

    benchmark.pedantic(vote, setup=ballot, rounds=10)
    assert all("votes for proposal 112" in str(page.table["news"]) for page in pages.values())


def test_showing_the_tree_of_forks(benchmark, game):
    for at in range(20, game.state.seq, 25):
        play_turn(game.fork(at=next(one.seq for one in game.timeline.events[at - 10 :] if one.kind == "turn_begun")))
    assert len(game.forks) > 1
    benchmark(lambda: show_html(game.forks))
