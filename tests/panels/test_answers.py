"""Throws, choices and questions in the panel."""

from __future__ import annotations

from panels.hands import Hand, hand_of
from play_helpers import defeat, idle, law, sit

import nomic_nb as nb
from nomic_nb.live import base
from nomic_nb.panels import panel
from nomic_nb.panels.panel import Panel
from nomic_nb.play.decisions import Decision


def test_dice_as_the_law_has_them():
    for source, drawn, by_hand in (("seeded", True, False), ("table", False, True), ("either", True, True)):
        game = sit("Ann", "Ben", dice=source)
        defeat(game, nb.enact("No."))
        ann = Hand(Panel(game), "Ann")
        assert ann.sees("Throw") is drawn
        assert ann.sees("By hand") is by_hand
        ann.throws(None if drawn else 3)
        assert game.player == "Ben"
        ann.panel.close()


def test_a_number_that_was_never_entered_is_no_throw(game, ann):
    defeat(game, nb.enact("No."))
    ann.press("Enter this throw")
    assert "1 to 6, not 0" in ann.status


def test_what_anyone_may_do(game, ann, monkeypatch):
    anyone = Decision(None, "say", "say something", rule=301)
    monkeypatch.setattr(base, "decisions", lambda _: (anyone,))
    ann.panel.refresh()
    group = hand_of(ann, panel.ANYONE)
    group.set(Who="Cleo", Say="Hello.")
    group.press("Say")
    assert game.latest(1) == ["Cleo says “Hello.”"]
    seat = Panel(game, "Ben")
    group = Hand(seat, panel.ANYONE)
    group.set(Say="Hi.")
    group.press("Say")
    assert game.latest(1) == ["Ben says “Hi.”"]
    seat.close()


def test_a_choice_has_buttons_or_a_list(game, ann):
    idle(game)
    law(game, "on adopted: let proponent choose p from [q for q in playing if q != proponent] or none; "
              "award 3 points to p")  # fmt: skip
    cleo = hand_of(ann, "Cleo")
    cleo.propose("enact", Wording="Somebody gets three points.")
    for name in game.players:
        hand_of(ann, name).press("Vote for")
    assert cleo.sees("Ann")
    assert cleo.sees("Ben")
    assert not cleo.sees("Answer")
    cleo.press("Ben")
    assert game.scores["Ben"] == 1 + 3


def test_a_choice_among_many_is_a_list():
    names = [f"P{at}" for at in range(10)]
    game = sit(*names)
    law(game, "on adopted: let proponent choose p from playing; award 3 points to p")
    game.propose("P1", nb.enact("Somebody gets three points."))
    for name in names:
        game.vote(name, "for")
    hand = Hand(Panel(game, "P1"), "P1")
    hand.set(Option="P7")
    hand.press("Choose")
    assert game.scores["P7"] == 3
    hand.panel.close()


def test_what_is_owed_in_words(game, ann):
    law(game, 'on part_begun when part == "throw": oblige player to say')
    assert not ann.sees("Throw")
    ann.press("Say")
    assert "there is nothing to say" in ann.status.lower()
    ann.set(Say="I have spoken.")
    ann.press("Say")
    assert game.player == "Ben"


def test_what_play_waits_for_is_done_where_it_is_asked(game, ann):
    law(game, 'track bows per game from 0\non deed when name == "bowing": put bows at 1\n'
              "forbid call_vote when game.bows == 0")  # fmt: skip
    game.propose("Ben", nb.enact("More."), debate=True)
    ann.set(Whom="Cleo", Deed="bowing")
    ann.press("Report")
    assert "reports Cleo: bowing" in ann.status
    assert [one.action for one in game.pending if one.must] == ["call_vote"]
