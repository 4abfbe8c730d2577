"""A panel for a position alone: what its front end is sent, what it takes, and opponents of all kinds."""

from __future__ import annotations

import json

import pytest

import nomic_nb as nb


class Front:
    """The front end of a panel: keeps what it was sent last, and presses."""

    def __init__(self, panel):
        self.panel, self.sent = panel, []
        panel.send = lambda message: self.sent.append(json.loads(message["text"]))
        self.post(open=True)

    def post(self, **message):
        self.panel._on_message(None, {"text": json.dumps(message)}, None)

    def act(self, action, key=None, **details):
        self.post(id="1", action=action, details=details, key=key or self.table["key"])
        return next((one["why"] for one in self.sent[::-1] if "refused" in one), "")

    @property
    def view(self):
        return next(one["view"] for one in self.sent[::-1] if "view" in one)

    @property
    def table(self):
        return self.view["table"]

    @property
    def moves(self):
        return self.view["mine"]["ways"]["move"].get("Board", {}).get("moves", {})


class First:
    """An opponent that makes the first move there is."""

    def move(self, position):
        return position.moves()[0]


class Broken:
    def move(self, position):
        raise OSError("the engine has ended")


def test_all_moves_are_sent_that_python_chess_knows():
    position = nb.multiverse.position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    sent = {f"{start[6:]}{end[6:]}" for start, ends in Front(position.panel()).moves.items() for end in ends}
    assert sent == {move.uci() for move in position.to_chess().legal_moves}


def test_both_sides_are_played_and_moves_taken_back():
    position = nb.multiverse.position()
    front = Front(position.panel())
    for text in ("e2e4", "e5", "Nf3"):
        assert front.act("move", text=text) == ""
    assert front.table["line"] == [["1.", "e4", "e5"], ["2.", "Nf3"]]
    front.act("back")
    assert position.fen() == nb.multiverse.position().push("e4").push("e5").fen()
    front.act("anew")
    assert position == nb.multiverse.position()
    assert not front.table["back"]


def test_the_opponent_answers_and_taking_back_gives_the_move_to_you():
    position = nb.multiverse.position()
    front = Front(position.panel(First()))
    front.act("move", text="e2e4")
    assert position.turn == "white"
    assert len(front.table["line"][0]) == 3
    front.act("back")
    assert position == nb.multiverse.position()


def test_the_opponent_begins_if_you_are_black():
    position = nb.multiverse.position()
    front = Front(position.panel(First(), side="black"))
    assert position.turn == "black"
    assert front.view["mine"]["seat"] == front.table["chess"]["armies"]["black"]["whose"] == "you"
    front.act("back")  # the opponent begins again
    assert (position.turn, len(front.table["line"])) == ("black", 1)
    front.act("reply")  # it moves for you, and then for itself
    assert (position.turn, len(front.table["line"])) == ("black", 2)


def test_an_opponent_that_fails_says_so_and_you_can_move_for_it():
    position = nb.multiverse.position()
    front = Front(position.panel(Broken()))
    front.act("move", text="e2e4")
    assert front.table["said"] == "The opponent did not move (OSError: the engine has ended). Move for black."
    assert front.act("move", text="e7e5") == ""
    assert position.turn == "white"


def test_moves_in_cells_are_seen_and_a_press_on_an_old_position_does_nothing():
    position = nb.multiverse.position()
    front = Front(position.panel())
    key = front.table["key"]
    position.push("d4")
    assert "changed meanwhile" in front.act("move", key=key, text="e2e4")
    assert front.table["line"] == [["1.", "d4"]]
    assert position.last == "d2d4"


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"action": "move", "details": {"text": "e2e5"}}, "e2e5"),
        ({"action": "move", "details": ["e2e4"]}, "isn’t a legal move"),
        ({"action": "erase"}, "can’t be read"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(message, why):
    position = nb.multiverse.position()
    front = Front(position.panel())
    front.post(id="1", key=front.table["key"], **message)
    assert why in next(one["why"] for one in front.sent if "refused" in one)
    assert position == nb.multiverse.position()


@pytest.mark.parametrize("text", ["{", "[1]", "[" * 9000, "x" * 20_000])
def test_messages_that_nobody_meant_end_nothing(text):
    front = Front(nb.multiverse.position().panel())
    front.panel._on_message(None, {"text": text}, None)
    assert "lost" in front.sent[-1]
    front.post(open=True)
    assert front.moves


def test_promotions_and_drops_are_pressed():
    position = nb.multiverse.position("k7/2P5/8/8/8/8/8/K7[N] w - - 0 1", capture_result="captor's hand")
    front = Front(position.panel())
    assert front.moves["Board.c7"]["Board.c8"] == ["c7c8=q", "c7c8=r", "c7c8=b", "c7c8=n"]
    assert "Board.e4" in front.moves["hand n"]
    assert front.table["chess"]["lost"] == "In hand: white knight."
    front.act("move", text=front.moves["hand n"]["Board.e4"][0])
    assert position.last == "N@e4"


def test_the_end_is_told_and_no_move_is_open():
    front = Front(nb.multiverse.position("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1").panel())
    front.act("move", text="Qf8#")
    assert front.table["said"] == "White wins: checkmate."
    assert not front.moves
    assert "over" in front.act("move", text="Kh7")


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match="side must be"):
        nb.multiverse.position().panel(side="red")
    with pytest.raises(TypeError, match="an opponent needs a method"):
        nb.multiverse.position().panel("stockfish")
