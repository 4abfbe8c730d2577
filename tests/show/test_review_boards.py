"""How a review shows what changes on the boards."""

import base64

import pytest
from board_helpers import arrange, chess
from show.reading import read

import nomic_nb as nb
from nomic_nb.notebook.show import show_html
from nomic_nb.study.review.review import review_change


@pytest.fixture
def found():
    game = arrange(chess("Ann", "<b>Ben</b>", "Cleo"), white="Ke1 Nb1", yellow="Ka1 Bd1", green="Kd1 Na1")
    clauses = 'piece N moves "F"\npiece B moves "R"\non enacted: give army_named("green") to "<b>Ben</b>"'
    return review_change(game.timeline, "Ann", nb.enact("Much at once.", clauses))


def test_sentences_painting_and_table(found):
    text = read(found).text
    for said in (
        "On the boards",
        "Army green passes from Cleo to <b>Ben</b> (rule 301)",
        "The king white.e1 comes into check from the bishop yellow.d1 on white+yellow",
        "Legal moves on all boards that could be pushed together, if the army’s turn began now",
        "The most telling moves",
    ):
        assert said in text
    for army in found.on_boards.moves:
        assert f"{army.army} {army.player} {army.before} {army.after} {len(army.gained)} {len(army.lost)}" in text


def test_the_painting_is_an_image_with_its_description(found):
    page = show_html(found)
    assert "<b>" not in page
    picture = found.on_boards.picture
    assert picture.to_html() in page
    assert picture.alt.startswith("How the boards would look. ")
    data = picture.element().get("src").removeprefix("data:image/svg+xml;base64,")
    assert base64.b64decode(data).decode() == picture.svg


def test_where_nothing_moves_otherwise_there_is_no_table():
    game = chess()
    text = read(review_change(game.timeline, "Ann", nb.enact("No castling.", "set castling.on to false"))).text
    assert "On the boards as they are now, every army keeps its moves" in text
    assert "Legal moves over all pushes" not in text


def test_moves_that_nobody_can_tell_are_marked():
    game = chess()
    text = read(review_change(game.timeline, "Ann", nb.repeal(214))).text
    assert "white Ann 40 ? no rule says how" in text
