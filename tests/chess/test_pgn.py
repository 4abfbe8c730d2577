"""Games on boards as PGN: what chess programs read in it, and what it says beside the moves."""

import io
import re
import shutil
import subprocess

import chess.pgn
import pytest
from board_helpers import arrange, law, nothing
from board_helpers import chess as sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.study.playouts import play_out

PAIR = ("white", "yellow")
#: Debian has it among the games.
EXTRACT = shutil.which("pgn-extract", path="/usr/bin:/usr/local/bin:/usr/games")


def games_in(text):
    """What python-chess reads: no error in any game, and no position that it would call invalid."""
    stream, found = io.StringIO(text), []
    while (game := chess.pgn.read_game(stream)) is not None:
        assert game.errors == []
        assert game.board().is_valid(), game.headers["FEN"]
        found.append(game)
    return found


def extracted(text, tmp_path):
    """What pgn-extract reads, and what it complains of."""
    if EXTRACT is None:
        pytest.skip("pgn-extract is not installed: apt-get install pgn-extract")
    file = tmp_path / "game.pgn"
    file.write_text(text, encoding="utf-8")
    ran = subprocess.run([EXTRACT, "-s", str(file)], capture_output=True, text=True, check=True)
    return len(re.findall(r"^\[Event ", ran.stdout, re.MULTILINE)), ran.stderr


def played(*moves, **more):
    """Ann and Ben on one pair; nothing is proposed in between."""
    game = sit("Ann", "Ben", **more)
    for uci in moves:
        nothing(game)
        game.move(game.player, uci, push=PAIR)
    return game


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", [3, pytest.param(44, marks=pytest.mark.slow)])
def test_games_at_random_are_read_by_other_programs(players, seed, tmp_path):
    game = nb.Game(play_out("nomic-chess", ["Ann", "Ben", "Cleo", "Dov"][:players], seed, turns=12).timeline)
    text = game.pgn()
    found = games_in(text)
    told = [one for game in found for one in (game.comment, *(node.comment for node in game.mainline()))]
    assert sorted(int(ply) for one in told for ply in re.findall(r"\bply (\d+): ", one)) == list(game.moves.index)
    assert extracted(text, tmp_path) == (len(found), "")


def test_what_was_said_of_moves_is_in_comments_glyphs_and_arrows(tmp_path):
    game = played("e2e4", "e7e5")
    game.annotate("The {best} }move.", "!?", ply=1, arrows=["e2-e4", "red d1h5"], squares=["blue white.e4"])
    game.annotate("Well replied.", "!")
    law(game, 'piece N moves "NF"', "Knights also go one square aslant.")
    game.annotate("Bold.", "?!", proposal=303)
    text = game.pgn()
    (found,) = games_in(text)
    first, second = found.mainline()
    assert found.comment.startswith("Ann’s proposal 301 becomes rule 301")
    assert (first.nags, second.nags) == ({5}, {1})
    assert "The (best) )move." in first.comment
    assert {arrow.pgn() for arrow in first.arrows()} == {"Ge2e4", "Rd1h5", "Be4"}
    assert re.search(
        r"Well replied\. .*303 becomes rule .*: Knights also go one square aslant\. \?! Bold\.", second.comment
    )
    assert extracted(text, tmp_path) == (1, "")


def test_a_comment_that_is_withdrawn_or_edited_is_so_in_the_pgn():
    game = played("e2e4")
    game.annotate("Oh.", "??")
    game.annotate("Ah.", "!", ply=1)
    first, second = game.comments.index
    game.edit_comment(second, "Aha.")
    game.withdraw_comment(first)
    (found,) = games_in(game.pgn())
    (move,) = found.mainline()
    assert (move.comment, move.nags) == (
        "ply 1: white.e2-white.e4; in force: 301 Nothing to see here. Aha.", {1},
    )  # fmt: skip


def test_arrows_on_other_boards_are_told_in_words():
    game = sit("Ann", "Ben", "Cleo")
    nothing(game)
    game.move("Ann", "e2e4", push=PAIR)
    game.annotate("", ply=1, arrows=["green.b1-green.c3", "b8-c6"])
    (found,) = games_in(game.pgn())
    (move,) = found.mainline()
    assert "(on other boards: green.b1-green.c3)" in move.comment
    assert [arrow.pgn() for arrow in move.arrows()] == ["Gb8c6"]


def test_what_chess_does_not_know_is_told_with_its_fen(tmp_path):
    game = sit("Ann", "Ben")
    law(game, 'piece N moves "A"')
    game.move("Ann", "white.b1-white.d3", push=PAIR)
    game.annotate("Odd.", "!!", ply=1, squares=["white.d3"])
    nothing(game)
    game.move("Ben", "e7e5", push=PAIR)
    text = game.pgn()
    (found,) = games_in(text)
    assert "white.b1-white.d3, which ordinary chess does not allow, from FEN rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w" in found.comment  # fmt: skip  # noqa: E501
    assert "!! (squares white.d3) Odd." in found.comment
    assert found.headers["FEN"].startswith("rnbqkbnr/pppppppp/8/8/8/3N4/PPPPPPPP/R1BQKBNR b")
    assert [move.uci() for move in found.mainline_moves()] == ["e7e5"]
    assert extracted(text, tmp_path) == (1, "")


def test_boards_without_kings_are_told_and_are_no_game_of_chess(tmp_path):
    game = arrange(sit("Ann", "Ben"), white="Ra1", yellow="Ra1")
    nothing(game)
    game.move("Ann", "white.a1-white.a3", push=PAIR)
    text = game.pgn()
    (found,) = games_in(text)
    assert list(found.mainline_moves()) == []
    assert "FEN" not in found.headers
    assert re.search(r"ply 1: white\.a1-white\.a3, which .* from FEN 7r/8/8/8/8/8/8/R7 w", found.comment)
    assert extracted(text, tmp_path) == (1, "")


def test_where_the_law_has_another_position_than_chess_it_is_told():
    game = sit("Ann", "Ben")
    law(game, 'set capture.result to "explode"')
    game.move("Ann", "e2e4", push=PAIR)
    for uci in ("d7d5", "e4d5"):
        nothing(game)
        game.move(game.player, uci, push=PAIR)
    (found,) = games_in(game.pgn())
    assert "Under the rules in force, the position is then (FEN):" in found.end().comment
    assert "The law has it" not in found.next().comment


def test_a_mate_and_the_end_are_the_result(tmp_path):
    game = played("f2f3", "e7e5", "g2g4", "d8h4")
    assert (
        "under the rules in force the game continues." in games_in(game.pgn())[0].end().comment
    )  # a change of it could save her
    nothing(game)
    text = game.pgn()
    (found,) = games_in(text)
    assert found.end().board().is_checkmate()
    assert found.headers["Result"] == "0-1"
    assert found.end().comment.endswith("Ben wins.")
    assert games_in(played("e2e4").pgn())[0].headers["Result"] == "*"
    assert extracted(text, tmp_path) == (1, "")


def test_names_cannot_leave_their_tags(tmp_path):
    game = sit("Ann]\\", "Ben")
    nothing(game)
    game.move("Ann]\\", "e2e4", push=PAIR)
    game.annotate('[Event "x"]\n\n1. d4 *\n% ; $9 (1. a3) <script>alert(1)</script> $x^2$ [x](javascript:1)')
    text = game.pgn()
    (found,) = games_in(text)
    assert [move.uci() for move in found.mainline_moves()] == ["e2e4"]
    assert "<script>alert(1)</script> $x^2$" in found.end().comment
    assert extracted(text, tmp_path) == (1, "")


def test_the_tags_of_the_author_are_in_every_game(tmp_path):
    text = played("e2e4").pgn(event='The "club"\n]', site="Berlin", date="2026.05.??", annotator="Dov")
    assert extracted(text, tmp_path)[0] == 1
    for one in games_in(text):
        assert one.headers["Event"].replace("\\", "") == 'The "club" ]'
        assert (one.headers["Site"], one.headers["Date"], one.headers["Annotator"]) == ("Berlin", "2026.05.??", "Dov")


@pytest.mark.parametrize("date", ["1 May 2026", "2026-05-01", "2026.13.01", "2026.05.32", ""])
def test_a_date_that_is_none_is_refused(date):
    with refused("pgn-date-unreadable", ValueError):
        played("e2e4").pgn(date=date)


def test_a_tag_that_is_no_text_is_refused(tmp_path):
    with refused("text-too-long", what="PGN tag Site"):
        played("e2e4").pgn(tmp_path / "game.pgn", site="x" * 256)
    assert not list(tmp_path.iterdir())


# ------------------------------------------------------------------------------------------------ branches


def test_a_branch_is_a_variation_with_its_comments_and_branches_within_it():
    game = played("e2e4", "e7e5", "g1f3")
    ends = game.moves["seq"].tolist()
    main = [one.mainline_moves() for one in games_in(game.pgn())]
    other = game.fork(at=game.timeline.end_of_step(ends[1]))
    nothing(other)
    other.move(other.player, "f1c4", push=PAIR)
    other.annotate("The Italian way.", "!", ply=3, arrows=["c4-f7"])
    inner = other.fork(at=other.timeline.end_of_step(ends[0]))
    nothing(inner)
    inner.move(inner.player, "c7c5", push=PAIR)
    (found,) = games_in(game.pgn())
    assert [list(one) for one in main] == [list(found.mainline_moves())]
    first = found.next()
    second = next(one for one in first.variations if one.move.uci() == "e7e5")
    (side,) = [one for one in second.variations if one.move.uci() == "f1c4"]
    assert side.nags == {1}
    assert "The Italian way." in side.comment
    assert side.comment.startswith("[%cal Gc4f7] Branch (forked) from event")
    assert [one.move.uci() for one in first.variations] == ["e7e5", "c7c5"]


def test_a_branch_from_before_the_first_move_and_on_other_boards_is_told_too():
    game = sit("Ann", "Ben", "Cleo")
    start = game.timeline.moments[-1][0].seq
    nothing(game)
    game.move(game.player, "e2e4", push=PAIR)
    for uci, push in (("d2d4", PAIR), ("d2d4", ("white", "green"))):
        way = game.fork(at=start)
        nothing(way)
        way.move(way.player, uci, push=push)
    found = games_in(game.pgn())
    assert [[one.move.uci() for one in each.variations] for each in found] == [["e2e4", "d2d4"], ["d2d4"]]
    assert [each.headers["Pair"] for each in found] == ["white+yellow", "white+green"]


def test_a_branch_that_would_tell_a_sealed_ballot_is_left_out():
    game = played("e2e4", "e7e5")
    game.propose(game.player, nb.enact("Ballots are sealed.", law='set vote.ballots to "sealed"'))
    game.votes()
    game.move(game.player, "g1f3", push=PAIR)
    game.propose(game.player, nb.enact("Secret."))
    game.vote("Ann", "for")
    way = game.fork()
    way.vote("Ben", "for")
    way.move(way.player, "b8c6", push=PAIR)
    assert "Branch" not in game.pgn()
