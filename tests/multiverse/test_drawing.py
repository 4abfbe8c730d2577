"""Drawings: well-formed, named, told apart, small, and safe whatever armies are called."""

import base64
from html.parser import HTMLParser

import chess
import pytest
from defusedxml.ElementTree import fromstring
from multiverse_helpers import find_move, merge, universe, with_holes
from refusals import refused

from nomic_nb.chess.multiverse import position
from nomic_nb.chess.multiverse.drawing import diagram_squares, draw_multiverse, draw_push, move_diagram
from nomic_nb.chess.multiverse.multiverse import half_boards
from nomic_nb.chess.multiverse.pictures import ARMY_PAINTS, Drawing
from nomic_nb.chess.multiverse.pieces import COLOURS, Army, army_colour_and_mark
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import Law

SVG = "{http://www.w3.org/2000/svg}"
EVIL = "<script>alert(1)</script>\"'&\x00]]>"


def titles(picture):
    return [element.text for element in fromstring(picture.svg).iter(f"{SVG}title")]


def six():
    return merge(
        *(
            universe(
                f"Z:{n}",
                Army(f"a{n}", "x", "", *army_colour_and_mark(2 * n)),
                Army(f"b{n}", "y", "", *army_colour_and_mark(2 * n + 1)),
            )
            for n in range(6)
        )
    )


def test_every_piece_has_a_title_for_screen_readers():
    found = titles(position().picture())
    assert "black knight on g8" in found
    assert found[0].startswith("Chess board, white to move")
    assert len(found) == 34


def test_outlines_are_used_and_other_kinds_are_a_letter_on_a_disc():
    picture = position("4k3/8/8/8/8/8/8/A3K3 w - - 0 1", {"a": "BN"}).picture()
    root = fromstring(picture.svg)
    ids = {element.get("id") for element in root.iter(f"{SVG}symbol")}
    assert ids == {"k"}
    assert {element.get("href") for element in root.iter(f"{SVG}use")} == {"#k"}
    assert [e.text for e in root.iter(f"{SVG}text") if e.get("font-size") == "20"] == ["A"]


def test_outlines_take_the_colour_of_the_army():
    root = fromstring(position().picture().svg)
    for symbol in root.iter(f"{SVG}symbol"):
        paints = [element.get("fill", "") + element.get("style", "") for element in symbol.iter()]
        assert any("currentColor" in paint for paint in paints), symbol.get("id")
        assert not any("#fff" in paint for paint in paints)


def test_last_move_check_targets_and_arrows_change_the_drawing():
    game = position().push("e2e4")
    plain = position(game.fen()).picture().svg
    assert game.picture().svg.count("#e6e600") == 2
    assert "#e6e600" not in plain
    checked = position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").picture()
    assert checked.svg.count("#ff2a2a") == 1
    assert "in check" in checked.alt
    assert game.picture(targets="g8").svg.count("#14631a") == 2
    assert game.picture(arrows=[("g8", "f6")]).svg.count("#15407a") > 0
    assert game.picture(flipped=True).svg != game.picture().svg
    with refused("no-piece-on-square", square="e5"):
        game.picture(targets="e5")


def test_armies_differ_in_colour_and_mark():
    assert set(COLOURS) <= set(ARMY_PAINTS)
    state = half_boards([f"army {n}" for n in range(10)])
    root = fromstring(draw_multiverse(state).svg)
    looks = {}
    for group in root.iter(f"{SVG}g"):
        title = group.find(f"{SVG}title")
        if group.get("color") and title is not None:
            path, number = group.find(f"{SVG}path"), group.findtext(f"{SVG}text")
            shape = ("" if path is None else path.get("d"), number)
            looks.setdefault(" ".join(title.text.split()[:2]), set()).add((group.get("color"), shape))
    assert len(looks) == 10
    assert all(len(look) == 1 for look in looks.values())
    assert len({look for found in looks.values() for look in found}) == 10
    assert len({shape for found in looks.values() for _, shape in found}) == 10
    assert [number for name in ("army 7", "army 8", "army 9") for _, (_, number) in looks[name]] == [None, "2", "2"]


def test_a_pair_and_a_multiverse():
    state = half_boards(["white", "yellow", "green"])
    move = find_move(state, Law(), "white", "white.e2-white.e4", ("white", "green"))
    push = Push(state.play(move), Law(), "green", ("green", "white"))
    picture = draw_push(push, last=move, targets="green.e2")
    assert "white pawn on white.e4" in titles(picture)
    assert picture.svg.count("#e6e600") == 2
    assert picture.svg.count("#14631a") == 2
    whole = draw_multiverse(state.play(move), last=move, checks=[5])
    assert whole.svg.count("#e6e600") == 2
    assert whole.svg.count("#ff2a2a") == 1
    assert [title for title in titles(whole) if title in state.boards] == list(state.boards)


def test_six_universes_are_small():
    assert len(draw_multiverse(six()).svg.encode()) < 80_000


def test_holes_are_not_drawn():
    state = universe("Z", Army("a", "x", ""), Army("b", "y", "", "red"))
    holed = state.reshape("Z", with_holes(state.boards["Z"].geometry, "e4", "d4"))

    def drawn(one):
        root = fromstring(draw_multiverse(one).svg)
        return sum(path.get("d").count("z") for path in root.iter(f"{SVG}path"))

    assert drawn(state) - drawn(holed) == 2


class Images(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.images = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.images.append(dict(attrs))


def test_names_cannot_break_out():
    state = universe(EVIL.replace(".", ""), Army(EVIL, EVIL, ""), Army("b", "y", "", "red"))
    picture = draw_multiverse(state)
    root = fromstring(picture.svg)
    assert not list(root.iter(f"{SVG}script"))
    assert any("<script>" in title for title in titles(picture))
    bundle = picture._repr_mimebundle_()
    page = Images()
    page.feed(bundle["text/html"])
    assert page.tags == ["img"]
    assert page.images[0]["alt"] == picture.alt
    kind, data = page.images[0]["src"].split(",", 1)
    assert kind == "data:image/svg+xml;base64"
    assert base64.b64decode(data).decode() == picture.svg
    assert bundle["text/plain"] == picture.alt


def test_a_position_shows_itself():
    bundle = position()._repr_mimebundle_()
    assert bundle["text/html"].startswith("<img")
    assert bundle["text/plain"].startswith("Chess board, white to move")


def test_nothing_to_draw_is_refused():
    with refused("drawing-too-small"):
        assert Drawing((), "").picture


@pytest.mark.parametrize(
    ("notation", "where", "what"),
    [
        ("N", (1, 2), "both"),
        ("mN", (1, 2), "move"),
        ("cN", (1, 2), "capture"),
        ("gQ", (0, 2), "through"),
        ("mRcpR", (0, 2), "move through"),
        ("cRmpR", (0, 2), "capture through"),
        ("mRmpR", (0, 2), "move"),
        ("cafmF", (2, 2), "through"),
        ("ifmnD", (0, 2), "initial"),
        ("U", (4, 4), "both"),
    ],
)
def test_diagrams_say_what_may_be_done_where(notation, where, what):
    assert diagram_squares(notation)[where] == what
    picture = move_diagram(notation, name="it")
    assert fromstring(picture.svg).find(f"{SVG}title").text == picture.alt
    assert picture.alt.startswith("it: ")


def test_a_grasshopper_does_not_land_beside_itself():
    assert (0, 1) not in diagram_squares("gQ")


@pytest.mark.parametrize("move", ["N@e4", chess.Move.from_uci("N@e4")])
def test_a_drop_is_marked_on_its_square(move):
    start = position("4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", drops={"n": "ranks 1-8"})
    played = start.after("N@e4")
    assert start.picture(lastmove=move).svg != start.picture().svg
    assert played.picture(lastmove=move).svg == played.picture().svg


def test_a_picture_says_what_it_takes():
    for wrong, code in (({"colour": "red"}, "wrong-arguments"), ({"arrows": 5}, "argument-of-another-kind")):
        with refused(code):
            position().picture(**wrong)
    with refused("arrow-unreadable", found="e4"):
        position().picture(lastmove="e4")
