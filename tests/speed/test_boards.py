"""How long boards take in play, with four armies: `pytest tests/speed --benchmark-enable`. No time is asserted."""

from __future__ import annotations

import random

import pytest

import nomic_nb as nb
from nomic_nb.chess.play import legal
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.notebook.show import show_html

PLAYERS = ["Ann", "Ben", "Cleo", "Dan"]


def until_moves(game: nb.Game) -> None:
    """Propose something that changes nothing, and vote it down or in, until somebody has to move."""
    while not game.over:
        due = next(one for one in game.pending if one.must)
        if due.action == "move":
            return
        if due.action == "propose":
            game.propose(due.player, nb.enact("Nothing much changes by this."))
        elif due.action == "vote":
            game.vote(due.player, "for", proposal=due.proposal)
        else:
            game.choose(due.player, due.options[0])


@pytest.fixture
def game() -> nb.Game:
    """Return a game of four armies in its third circuit, with a move to make."""
    game = nb.new_game("nomic-chess", PLAYERS, seed=7)
    dice = random.Random(7)
    while game.circuit < 3:
        until_moves(game)
        due = next(one for one in game.pending if one.action == "move")
        game.move(due.player, dice.choice(due.options))
    until_moves(game)
    return game


def test_the_decisions_of_a_turn(benchmark, game):
    state = game.state

    def afresh() -> int:
        legal._KNOWN_OPTIONS.clear()  # as if nobody had asked before
        return len(decisions(state.replace()))

    assert benchmark(afresh) >= 1


def test_a_move_with_its_consequences_and_the_new_picture(benchmark, game):
    def fork():
        other = game.fork()
        due = next(one for one in other.pending if one.action == "move")
        return (other, due.player, due.options[0]), {}

    def move(other: nb.Game, player: str, text: str) -> str:
        other.move(player, text)
        return show_html(other)

    page = benchmark.pedantic(move, setup=fork, rounds=20)
    assert "data:image/svg+xml" in page
