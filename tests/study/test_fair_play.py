"""The fair-play meter as a picture: what each kind of piece of each player could do before a change and after it."""

from xml.etree import ElementTree as ET

import pytest
from make_a_rule_helpers import begun
from refusals import refused

import nomic_nb as nb
from nomic_nb.chess.fairplay.power_meter import PowerChange
from nomic_nb.notebook.panels import queries
from nomic_nb.notebook.show import show_html
from nomic_nb.study.review.boards.meter import FairPlayMeter

CAMELS = nb.enact("Knights also move as camels.", law='piece N moves otherwise + "C"')
SVG = "{http://www.w3.org/2000/svg}"
FOUND = {
    ("Ann", "N"): PowerChange("Ann", "N", 2, "more", 4, 0, "", 8),
    ("Ann", "B"): PowerChange("Ann", "B", 1, "less", 0, 6, "", 12),
    ("Ann", "Q"): PowerChange("Ann", "Q", 1, "same", 0, 0, "", 9),
    ("<b>Ben", "N"): PowerChange("<b>Ben", "N", 1, "mixed", 2, 3, "", 6),
}


@pytest.fixture(scope="module")
def game():
    return begun(3, restricted=True)


def read(picture):
    """The drawing as elements."""
    return ET.fromstring(picture.svg)  # noqa: S314 - our own


def cells(picture):
    """What stands in a picture: the words of each cell, what its bars are filled with, and how wide they are."""
    found = []
    for group in read(picture).iter(f"{SVG}g"):
        _, *bars = group.findall(f"{SVG}path")
        wide = [float(bar.get("d").split("h")[1].split("v")[0]) for bar in bars]
        found.append((group.find(f"{SVG}text").text, [bar.get("fill") for bar in bars], wide))
    return found


def test_it_tells_more_less_same_and_mixed_apart_without_colour():
    picture = FairPlayMeter(("Ann", "<b>Ben"), ("B", "N", "Q"), FOUND).picture
    found = cells(picture)
    assert [words for words, _, _ in found] == ["1: less +0 −6", "2: more +4 −0", "1: mixed +2 −3", "1: same"]
    signs = {group.find(f"{SVG}path").get("d") for group in read(picture).iter(f"{SVG}g")}
    assert len(signs) == 4
    filled = [fills[1] for _, fills, _ in found]
    assert filled[0] != filled[2]
    assert filled[0].startswith("url(")
    assert filled[2].startswith("url(")
    assert not filled[1].startswith("url(")


def test_bars_are_as_long_as_what_the_pieces_can_do():
    (less, more, mixed, same) = [
        wide for _, _, wide in cells(FairPlayMeter(("Ann", "<b>Ben"), ("B", "N", "Q"), FOUND).picture)
    ]
    assert less[1] == pytest.approx(less[0] / 2, abs=0.1)
    assert more[1] == pytest.approx(more[0] * 1.5, abs=0.1)
    assert mixed[0] == pytest.approx(more[0] * 6 / 8, abs=0.1)
    assert same[0] == same[1]


def test_it_has_a_title_a_description_and_no_markup_of_players():
    picture = FairPlayMeter(("Ann", "<b>Ben"), ("B", "N", "Q"), FOUND).picture
    root = read(picture)
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text.startswith("Fair play: what the pieces of Ann and <b>Ben could do")
    assert "Ann, 1 bishop: less, 12 moves before, 6 after." in root.find(f"{SVG}desc").text
    assert "<b>" not in picture.svg
    assert "<b>Ben, 1 knight: mixed, 6 moves before, 5 after." in picture.alt
    assert "<b>" not in picture.to_html().replace('"', "").partition("src=")[2]


def test_reviews_panels_and_records_show_it(game):
    review = game.review("Ann", CAMELS)
    picture = review.power.picture
    shown, plain = show_html(review), str(review)
    assert picture.to_html().split("src=")[1][:200] in shown
    assert "4 ▲ more" in shown
    assert "4 ▲ more" in plain, "with the table as text beside it"
    assert "Fair play: what the pieces of Ann, Ben and Cleo" in picture.alt

    asked = queries.review_query(game.timeline, "Ann", {"details": {"change": CAMELS.to_json()}})
    assert (asked["meter"]["alt"], asked["meter"]["src"][:22]) == (picture.alt, "data:image/svg+xml;bas")
    silent = {"details": {"change": nb.enact("Be kind.").to_json()}}
    assert "meter" not in queries.review_query(game.timeline, "Ann", silent)


def test_records_show_it_with_words_beside():
    game = begun(2, restricted=True)
    game.propose("Ann", CAMELS)
    said = "Fair play: what the pieces of Ann and Ben could do"
    page = game.to_html()
    assert page.count(said) >= 2, "for those who see it, and in words"
    assert "data:image/svg+xml" in page


def test_a_review_says_who_is_asked_whether_it_is_fair_and_what():
    game = begun(3, restricted=True)
    change = nb.enact("White camels.", law='piece N moves otherwise + "C" while army.name == "white"')
    found = game.review("Ann", change)
    with refused("permission-open-and-asked", question="Others decide"):
        game.propose("Ann", change)
    asked = game.state.questions[0]
    said = asked.text.partition("The question is ")[2]
    assert f"Can’t tell yet whether it can be proposed: Ben and Cleo are asked {said}" in str(found)
    assert asked.who == ("Ben", "Cleo")


@pytest.mark.slow
def test_what_forbids_some_moves_is_not_said_to_change_nothing():
    game = begun(3, restricted=True)
    truce = game.review("Ann", nb.enact("So be it.", law="forbid move when count(captures) > 0 and circuit < 4"))
    assert "changes nothing" not in str(truce)
    late = game.review("Ann", nb.enact("So be it.", law="forbid move when count(captures) > 0 and circuit < 1"))
    assert "circuit < 1" in str(late.warnings), "its time is past"
