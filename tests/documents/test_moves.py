"""The moves of a record one by one, with law and score beside them; and pictures as files beside a text."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from board_helpers import chess as sit
from board_helpers import nothing
from documents.document_helpers import NASTY, links, of_class, text, tree
from documents.test_pictures import PAIR, pieces, played
from refusals import refused

import nomic_nb as nb


@pytest.fixture(scope="module")
def game():
    game = sit("Ann", "Ben")
    nothing(game)
    game.move("Ann", "e2e4", push=PAIR)
    game.propose("Ben", nb.enact("Bishops leap.", title="Leaping bishops", law='piece B moves "BN"'))
    for name in game.players:
        game.vote(name, "for")
    for uci in ("d7d5", "e4d5", "d8d5"):
        if game.pending[0].action == "propose":
            nothing(game)
        game.move(game.player, uci, push=PAIR)
    game.annotate(NASTY, "!", ply=3, arrows=["d5-c6"])
    other = game.fork(at=game.moves.loc[2, "seq"].item())
    nothing(other)
    other.move("Ann", "b1c3", push=PAIR)
    return game


@pytest.fixture(scope="module")
def frames(game):
    reel, _ = of_class(tree(game.to_html()), "reel")
    return list(reel)


def test_there_is_a_picture_of_every_move_and_one_of_the_beginning(game, frames):
    assert [one.get("value") for one in frames] == ["0", "1", "2", "3", "4"]
    drawn = [[ET.tostring(svg, encoding="unicode") for svg in one.iter("svg")] for one in frames]
    assert [len(one) for one in drawn] == [1] * 5
    assert [pieces(one) for (one,) in drawn[1:]] == [32, 32, 31, 30]
    assert len(game.moves) == 4


def test_law_and_score_stand_beside_each_move(frames):
    said = [text(one) for one in frames]
    assert "Rules made in play none" in said[0]
    assert "New: 302 Leaping bishops" in said[2]
    assert "As before: 301, 302" in said[3] or "As before: 301" in said[3]
    assert "Ann: white (16 pieces) Ben: yellow (16 pieces)" in said[0]
    assert "Ann: white (16 pieces) Ben: yellow (15 pieces)" in said[3]
    assert "Yellow’s pawn on yellow.e4 is captured" in said[3]


def test_comments_stand_beside_the_move_that_they_are_on(game, frames):
    assert [len(of_class(one, "comment")) for one in frames] == [0, 0, 0, 1, 0]
    assert "alert(1)" in text(frames[3])
    assert not list(frames[3].iter("img"))
    without = tree(game.to_html(without=["comments"]))
    assert not of_class(without, "comment")


def test_every_move_leads_to_where_it_is_told(game):
    page = tree(game.to_html())
    reel, _ = of_class(page, "reel")
    for at, one in enumerate(list(reel)[1:], 1):
        seq = game.moves.loc[at, "seq"].item()
        assert f"#event-{seq}" in links(one)


def test_pieces_and_grounds_are_drawn_once(game):
    page = game.to_html()
    assert page.count("<symbol ") <= 6
    uses = set(re.findall(r'<use href="#([^"]+)"', page))
    made = set(re.findall(r'<(?:g|symbol) id="([^"]+)"', page))
    assert uses == made
    more = played(*["g1f3", "b8c6", "f3g1", "c6b8"] * 3)
    grown = len(more.to_html(parts=["moves"])) - len(played("g1f3", "b8c6").to_html(parts=["moves"]))
    assert grown / 10 < 5_000  # bytes a move


def test_a_change_of_law_by_which_pieces_move_otherwise_has_a_picture(game):
    (shown,) = [one for one in of_class(tree(game.to_html()), "on-enacted") if list(one.iter("svg"))]
    assert "Leaping bishops" in text(shown)
    assert "move gained" in text(shown)


def test_a_side_line_has_the_boards_behind_its_last_move(game):
    (way,) = of_class(tree(game.to_html()), "variation")
    (drawn,) = way.iter("svg")
    assert "after white.b1-white.c3" in drawn[0].text


def test_the_moves_of_a_branch_are_stepped_through_where_it_stands_with_their_comments():
    game = played("e2e4", "e7e5")
    way = game.fork(at=game.timeline.end_of_step(game.moves.loc[1, "seq"].item()))
    nothing(way)
    way.move(way.player, "c7c5", push=PAIR)
    way.annotate("Sharper, by rule 101.", "!?", ply=2)
    page = tree(game.to_html())
    (variation,) = of_class(page, "variation")
    (reel,) = of_class(variation, "reel")
    assert [one.get("id") for one in reel] == ["way-1-2"]
    assert "Sharper" in text(of_class(reel, "comment")[0])
    assert "Comment: !? Sharper, by rule 101." in text(variation)
    assert not [link for link in links(reel) if link.startswith("#event")]  # that is another event of the game


def test_no_moves_and_no_pictures_where_they_are_left_out(game):
    assert not of_class(tree(game.to_html(without=["moves"])), "reel")
    page = tree(game.to_html(without=["moves", "pictures"]))
    assert not list(page.iter("svg"))


def test_a_game_without_boards_has_no_moves(full):
    assert not of_class(tree(full.to_html()), "reel")


def test_what_was_taken_back_is_no_move():
    game = played("e2e4", "e7e5")
    game.undo(game.moves.loc[2, "seq"].item() - 2)
    (reel,) = of_class(tree(game.to_html()), "reel")
    assert len(reel) == 2


# ------------------------------------------------------------------------------------- beside a text


def test_markdown_has_its_pictures_in_a_folder_beside_it(game, tmp_path):
    path = tmp_path / "our game (1).md"
    assert game.to_markdown(path) is None
    shown = re.findall(r"!\[((?:[^\]\\]|\\.)*)\]\(([^)]+)\)", path.read_text())
    files = sorted(one.name for one in (tmp_path / "our game (1)-pictures").iterdir())
    assert {source for _, source in shown} == {f"our%20game%20%281%29-pictures/{name}" for name in files}
    assert {"move-0.svg", "move-4.svg"} <= set(files)
    assert [name for name in files if name.startswith("way-1-")]
    for name in files:
        root = ET.fromstring((tmp_path / "our game (1)-pictures" / name).read_text())  # noqa: S314 - ours
        assert root.tag.endswith("svg")
        assert int(root.get("width")) > 0
    assert all(alt for alt, _ in shown)


def test_a_text_that_is_returned_has_no_pictures(game, tmp_path):
    assert "![" not in game.to_markdown().replace("\\!", "")
    game.to_markdown(tmp_path / "game.md", without=["pictures", "moves"])
    assert [one.name for one in tmp_path.iterdir()] == ["game.md"]


def test_where_pictures_cannot_be_written_nothing_is(game, tmp_path):
    (tmp_path / "game-pictures").write_text("a file, and no folder")
    with refused("folder-not-made", why="File exists"):
        game.to_markdown(tmp_path / "game.md")
    assert not Path(tmp_path / "game.md").exists()
