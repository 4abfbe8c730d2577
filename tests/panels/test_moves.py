"""Moves on boards in the panel."""

from __future__ import annotations

from board_helpers import chess, nothing, on
from panels.hands import Hand

from nomic_nb.panels.panel import Panel


def test_a_move_is_chosen_and_made():
    game = chess()
    nothing(game)
    ann = Hand(Panel(game), "Ann")
    ann.set(Boards="white+green")
    ann.set(Move="white.e2-white.e4")
    ann.press("Make the move")
    assert on(game, "white.e4") == "white P"
    assert list(game.moves["push"]) == ["white+green"]
    assert game.player == "Ben"


def test_the_moves_follow_the_boards():
    game = chess("Ann", "Ben", "Cleo", "Dov")
    nothing(game)
    ann = Hand(Panel(game), "Ann")
    boards, moves = ann.find("Boards"), ann.find("Move")
    assert [value for _, value in boards.options] == ["white+yellow", "white+green", "white+orange"]
    for _, pair in boards.options:
        ann.set(Boards=pair)
        assert {value.split(":")[0] for _, value in moves.options} == {pair}
        assert len(moves.options) == 20
