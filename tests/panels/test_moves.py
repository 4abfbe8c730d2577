"""Moves on boards in the panel."""

from __future__ import annotations

import ipywidgets as w
from board_helpers import chess, next_turn, nothing, on
from panels.hands import Hand

from nomic_nb.panels.panel import Panel


def test_a_move_is_chosen_and_made():
    game = chess()
    nothing(game)
    ann = Hand(Panel(game), "Ann")
    ann.set(Boards="white+green")
    ann.set(Piece="pawn white.e2")
    ann.set(To="white.e4")
    ann.press("Make the move")
    assert on(game, "white.e4") == "white P"
    assert list(game.moves["push"]) == ["white+green"]
    assert game.player == "Ben"


def test_a_move_is_chosen_from_the_start():
    game = chess()
    nothing(game)
    ann = Hand(Panel(game), "Ann")
    chosen = [ann.find(one).label for one in ("Boards", "Piece", "To")]
    assert chosen == ["white+yellow, 20 moves", "knight white.b1, 2 moves", "white.a3"]
    ann.press("Make the move")
    assert on(game, "white.a3") == "white N"


def test_each_list_follows_the_one_before():
    game = chess("Ann", "Ben", "Cleo", "Dov")
    nothing(game)
    ann = Hand(Panel(game), "Ann")
    pairs, pieces, targets = (ann.find(one) for one in ("Boards", "Piece", "To"))
    assert [label for label, _ in pairs.options] == [f"white+{one}, 20 moves" for one in ("yellow", "green", "orange")]
    for _, pair in pairs.options:
        ann.set(Boards=pair)
        assert len(pieces.options) == 10
        assert pieces.options[0][0] == "knight white.b1, 2 moves"
        offered = []
        for label, _ in pieces.options:
            ann.set(Piece=label)
            offered += [move for _, move in targets.options]
        assert sorted(offered) == sorted(one for one in game.pending[0].options if one.startswith(pair))


def test_a_capture_and_a_promotion_are_told():
    game = next_turn(
        chess(), wait="white+green: green.h3-green.h4", white="Ke1 yellow.Pb2", yellow="Ke1 Na1", green="Ke1 Rh3"
    )
    nothing(game)
    ann = Hand(Panel(game), "Ann")
    ann.set(Boards="white+yellow", Piece="pawn yellow.b2")
    labels = [label for label, _ in ann.find("To").options]
    assert "yellow.b1 (g8 as drawn), becomes queen" in labels
    assert "yellow.a1 (h8 as drawn), takes yellow knight, becomes knight" in labels


def test_the_boards_are_drawn_as_they_are_chosen():
    game = chess()
    nothing(game)
    ann = Hand(Panel(game), "Ann")
    seen = []
    for pair in ("white+yellow", "white+green"):
        for piece in ("knight", "pawn"):
            ann.set(Boards=pair, Piece=piece)
            seen += [one.value for one in ann.mine if isinstance(one, w.HTML) and "<img" in one.value]
    assert len(set(seen)) == len(seen) == 4
    assert "Boards white and green pushed together for white" in seen[2]


def test_the_boards_are_the_first_record_beside():
    game = chess()
    shown = Panel(game)
    before = shown.beside.record.value
    assert 'alt="3 boards.' in before
    nothing(game)
    game.move("Ann", "white+yellow: white.e2-white.e4")
    assert shown.beside.record.value != before
    assert "Pushed together last: white and yellow" in shown.beside.record.value
    Hand(shown, "Ann").put(shown.beside.which, "Law book")
    assert "<img" not in shown.beside.record.value
