"""How long it takes to read clauses, and to play under many rules or beside a large table; no time is asserted.

`pytest tests/speed/test_large_laws.py --benchmark-enable -n 0`
"""

from __future__ import annotations

from itertools import count

import pytest
from speed.test_law_and_play import _copy

import nomic_nb as nb

#: Rules, and how many of them answer to an event.
RULES, TRIGGERS = 60, 40
TRIGGER = "on balloted when turn > 0 and {} < turn + 3: award 1 points to player"


def new() -> nb.Game:
    return nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, terms={"win.points": 10**9})


def adopt(game: nb.Game, change: nb.Change) -> None:
    player = game.player
    assert player is not None
    game.propose(player, change)
    for name in game.players:
        game.vote(name, "for")
    game.roll(player)


def again(game: nb.Game):
    return (nb.Game(_copy(game)),), {}


@pytest.fixture(scope="module")
def large(request) -> nb.Game:
    """Return a game with many rules, in which a change has been proposed."""
    game = new()
    adopt(game, nb.repeal(209))  # which limits how many rules there can be
    rules, triggers = (RULES, TRIGGERS) if request.config.getoption("benchmark_enable") else (len(game.rules) + 2, 4)
    # The last three answer to every ballot, the others to none yet.
    laws = [TRIGGER.format(at) for at in range(1_000, 1_000 + triggers - 3)]
    laws = [*laws, *[TRIGGER.format(at) for at in (0, 1, 2)]]
    while len(game.rules) < rules:
        some, laws = laws[:2], laws[2:]
        adopt(game, nb.enact("Voters are paid.", law="\n".join(some)))
    assert not laws
    game.propose(game.player, nb.enact("Dissent pays eleven.", law="set dissent.points to 11 while turn > 6"))
    return game


def test_reading_and_checking_a_clause(benchmark):
    law = new().state.law
    numbers = count()

    def text():
        at = next(numbers)
        return (f"on turn_ended when {at} < turn: each p in seats when p.points > {at}: award 1 points to p",), {}

    def read(text):
        lines = law.language.read_clauses(text)
        law.language.check_clauses(lines, law.tables)
        return lines

    assert len(benchmark.pedantic(read, setup=text, rounds=100)) == 1


def test_a_vote_with_consequences_under_many_rules(benchmark, large):
    before = large.state.seq
    benchmark.pedantic(lambda game: game.vote("Ann", "for"), setup=lambda: again(large), rounds=30)
    game = nb.Game(_copy(large))
    game.vote("Ann", "for")
    assert [event.kind for event in game.timeline.events[before:]].count("counted") == 3


def test_an_adoption_under_many_rules(benchmark, large):
    first = nb.Game(_copy(large))
    for name in first.players[:-1]:
        first.vote(name, "for")
    benchmark.pedantic(lambda game: game.vote(game.players[-1], "for"), setup=lambda: again(first), rounds=30)


@pytest.fixture(scope="module", params=["an empty table", "a large table"])
def beside(request) -> nb.Game:
    """Return a game with a throw to make, beside a table in which much is written, or nothing."""
    game = new()
    adopt(game, nb.enact("Much is noted.", law="track noted per number from 0"))
    if request.param == "a large table":
        event, state = game.timeline.moments[-1]
        table = state.tables["noted"]
        for at in range(1, 10_001 if request.config.getoption("benchmark_enable") else 101):
            table = table.with_entry((at,), at)
        game.timeline.moments[-1] = (event, state.replace(tables={**state.tables, "noted": table}))
    game.propose(game.player, nb.enact("Something."))
    for name in game.players:
        game.vote(name, "for")
    return game


def test_a_term_beside_a_table(benchmark, beside):
    def fresh():
        state = beside.state
        return (state.replace(players=dict(state.players)),), {}

    found = benchmark.pedantic(lambda state: state.law.find("vote.electorate", state, {}), setup=fresh, rounds=200)
    assert len(found.value) == 3


def test_a_throw_beside_a_table(benchmark, beside):
    benchmark.pedantic(lambda game: game.roll(game.player), setup=lambda: again(beside), rounds=50)
