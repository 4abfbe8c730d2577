"""Armies whose player has forfeited, and armies without a king or without pieces."""

import pytest
from board_helpers import arrange, chess, controllers, finish, law, moves, nothing, on
from play_helpers import waiting_for

PAIR = ("white", "yellow")


def kinds_of_events(game, kind):
    return game.history[game.history["kind"] == kind]


def forfeited(**armies):
    game = chess()
    game.forfeit("Ben")
    return arrange(game, **armies)


@pytest.mark.rule("nomic-chess", 113)
@pytest.mark.rule("nomic-chess", 220)
def test_an_army_that_was_forfeited_gives_no_check():
    game = forfeited(white="Ke1 Ph2", yellow="Kb4 white.Ra1", green="Kb1")
    nothing(game)
    game.move("Ann", "white.h2-white.h3", push=PAIR)
    assert controllers(game)["white"] == "Ann"


@pytest.mark.rule("nomic-chess", 221)
def test_its_king_is_not_mated():
    game = forfeited(white="Kh4 Ph2 Ra3", yellow="white.Ka4 Pb3", green="Kb1")
    nothing(game)
    assert "white+yellow: white.a3-white.a4" not in moves(game)
    game.move("Ann", "white.h2-white.h3", push=PAIR)
    assert len(kinds_of_events(game, "mated")) == len(kinds_of_events(game, "checked")) == 0
    assert controllers(game)["yellow"] == "Ben"


@pytest.mark.rule("nomic-chess", 113)
def test_its_other_pieces_stand_in_the_way_and_can_be_captured():
    game = forfeited(white="Kh4 Ra1", yellow="Kh1 white.Pa3", green="Kb1")
    nothing(game)
    assert "white+yellow: white.a1-white.a4" not in moves(game)
    game.move("Ann", "white.a1-white.a3", push=PAIR)
    assert on(game, "white.a3") == "white R"
    assert game.player == "Cleo"  # it has no turn


def test_an_adopted_rule_lets_it_give_check():
    game = forfeited(white="Ke1 Ph2", yellow="Kb4 white.Ra1", green="Kb1")
    law(game, "set check.from to [a for a in armies if a.controller != army.controller]\nprevails over 220")
    assert "white+yellow: white.h2-white.h3" not in moves(game)


@pytest.mark.rule("nomic-chess", 222)
@pytest.mark.rule("nomic-chess", 202)
def test_b25_an_army_without_pieces_has_its_turn():
    game = arrange(chess(), white="Ke1 Ph2", green="Kb1")
    finish(game)
    assert (game.player, waiting_for(game, "propose")) == ("Ben", ["Ben"])
    nothing(game)
    assert game.player == "Cleo"
    assert game.state.names_of_players == ("Ann", "Ben", "Cleo")


@pytest.mark.rule("nomic-chess", 221)
def test_b25_an_army_without_a_king_is_not_mated():
    game = arrange(chess(), white="Ke1 Ra1", yellow="white.Na4", green="Kb1")
    nothing(game)
    game.move("Ann", "white.a1-white.a3", push=PAIR)
    assert len(kinds_of_events(game, "mated")) == 0
    nothing(game)
    assert {one.split(": ")[1].split("-")[0] for one in moves(game)} == {"white.a4"}
