"""Moves as a frame and as PGN, and the boards as they are shown."""

import io
import re

import chess.pgn
import pytest
from board_helpers import arrange, law, nothing
from board_helpers import chess as sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.study.playouts import play_out

PAIR = ("white", "yellow")


def games_in(text):
    stream = io.StringIO(text)
    found = []
    while (game := chess.pgn.read_game(stream)) is not None:
        assert game.errors == []
        found.append(game)
    return found


def opening():
    """Two players, four moves of an ordinary game."""
    game = sit("Ann", "Ben")
    for uci, push in (("e2e4", PAIR), ("e7e5", PAIR), ("g1f3", PAIR), ("b8c6", PAIR)):
        nothing(game)
        game.move(game.player, uci, push=push)
    return game


def test_two_players_have_one_game_of_chess():
    (game,) = games_in(opening().pgn())
    assert game.headers["White"] == "white (Ann)"
    assert game.headers["Black"] == "yellow (Ben)"
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert [node.comment.split(":")[0] for node in game.mainline()] == ["ply 1", "ply 2", "ply 3", "ply 4"]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.slow
def test_every_move_is_in_the_pgn_once_with_its_number(players):
    game = nb.Game(play_out("nomic-chess", ["Ann", "Ben", "Cleo", "Dov"][:players], 21, turns=16).timeline)
    found = games_in(game.pgn())
    comments = [text for one in found for text in [one.comment, *(node.comment for node in one.mainline())] if text]
    plies = sorted(int(ply) for text in comments for ply in re.findall(r"\bply (\d+): ", text))
    assert plies == list(range(1, len(game.moves) + 1))
    assert {one.headers["Pair"] for one in found} == set(game.moves["push"])


def test_a_move_that_chess_does_not_know_is_a_comment():
    game = sit("Ann", "Ben")
    law(game, 'piece N moves "A"')
    game.move("Ann", "white.b1-white.d3", push=PAIR)
    (found,) = games_in(game.pgn())
    assert "white.b1-white.d3" in found.comment
    assert list(found.mainline_moves()) == []


def test_the_frame_of_moves():
    game = arrange(sit("Ann", "Ben"), white="Ke1 Ra1", yellow="Ke1 white.Na3 Pa2")
    nothing(game)
    game.move("Ann", "white.a1-white.a3", push=PAIR)
    row = game.moves.loc[1]
    assert (row["player"], row["army"], row["piece"], row["from"], row["to"]) == (
        "Ann", "white", "R", "white.a1", "white.a3",
    )  # fmt: skip
    assert (row["push"], row["uci"], row["capture"], row["rule"]) == ("white+yellow", "a1a3", "N", 202)
    assert str(game.moves["army"].dtype) == "string"
    assert game.moves.index.name == "ply"


def test_the_game_shows_its_boards():
    game = opening()
    page = game._repr_html_() if hasattr(game, "_repr_html_") else nb_html(game)
    assert page.count("data:image/svg+xml;base64,") == 3  # all boards, the pair pushed last, and the strip of turns
    assert "Last pushed together: white and yellow" in page
    assert game.draw().alt.startswith("2 boards.")
    assert "white 16" in game.draw(*PAIR, targets="white.d2").alt
    with refused("no-boards", KeyError):
        nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1).draw()


def nb_html(game):
    from nomic_nb.notebook.show import show_html

    return show_html(game)


def test_documents_tell_the_moves():
    game = opening()
    assert "white.e2-white.e4" in game.to_markdown()
    assert "white.e2-white.e4" in game.to_html()
