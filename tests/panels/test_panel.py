"""What the panel shows, and what it says when something goes wrong."""

from __future__ import annotations

import ipywidgets as w
import pytest
from panels.hands import Hand, hand_of, visible, words
from play_helpers import adopt, agree, law, sit, turn

import nomic_nb as nb
from nomic_nb.panels import beside
from nomic_nb.panels.panel import Panel


def test_it_says_what_is_open(game, ann):
    assert str(ann.panel).splitlines() == ["Panel of Discordian Nomic, turn 1", *str(game.pending).splitlines()]
    head = words(ann.panel.head.value)
    assert "Turn 1, circuit 1. Ann ’s turn: proposal." in head
    assert "Ben : 0 points" in head


def test_players_without_counters_are_named_and_no_more():
    head = words(Panel(nb.new_game("nomic-chess", ["Ann", "Ben"])).head.value)
    assert head.endswith("’s turn: proposal. Ann Ben")


def test_every_widget_can_be_named(game, ann):
    game.propose("Ann", nb.enact("A rule."), debate=True)
    for one in visible(ann.panel.box):
        if isinstance(one, w.Box | w.HTML):
            continue
        assert one.description
        assert one.tooltip


def test_a_seat_has_its_own_decisions_and_others_as_text(game):
    seat = Panel(game, "Ben")
    ben = Hand(seat, "Ben")
    assert not ben.mine
    assert "Ann: propose a rule-change" in words(seat.others.value)
    assert str(seat).startswith("Panel of Discordian Nomic for Ben, turn 1\n")
    game.propose("Ann", nb.amend(203, "Nearly all must agree.\nNot quite."))
    assert ben.sees("Vote for")
    assert "Ben" not in words(seat.others.value)
    text = words(seat.beside.votes.value)
    assert "Proposal 301" in text
    assert "Nearly" in text
    assert "not voted yet" in text
    assert not any(one.description == "Who" for one in visible(seat.box) if isinstance(one, w.Dropdown))
    ben.press("Vote against")
    assert "against" in words(seat.beside.votes.value)
    assert game.proposals[301].ballots == {"Ben": "against"}
    seat.close()


def test_a_seat_is_a_players(game):
    with pytest.raises(ValueError, match="nobody called 'Zed' plays here; the players are Ann, Ben, Cleo"):
        Panel(game, "Zed")


def test_the_records_beside(game, ann):
    adopt(game, nb.library.dissent_bonus().change(204))
    game.roll("Ann", 4)
    shown = {}
    for name in beside.RECORDS:
        ann.panel.beside.which.value = name
        shown[name] = words(ann.panel.beside.record.value)
    assert "10 points for dissent" in shown["Law book"]
    assert "+4 points" in shown["Ledger"]
    assert "Ann rolls a 4, entered by hand." in shown["Last events"]
    assert "Amend rule 204" in shown["Proposals"]


def test_values_from_strangers_are_text(game):
    game = sit("<b>Ann</b>", "Ben")
    turn(game, nb.repeal(212))  # no law names a Judge: the table is asked
    turn(game, nb.enact("More."))
    bad = '<img src=x onerror="alert(1)">'
    shared = Panel(game)
    hand = Hand(shared, "<b>Ann</b>")
    hand.propose("enact", Wording=bad, Title=bad)
    Hand(shared, "Ben").freely("invoke", "Ask", Question=bad)
    hand.set(Answer=bad)
    hand.press("Answer")
    assert bad in Hand(shared, "Ben").text
    assert "<b>Ann</b> says: " + bad in Hand(shared, "Ben").text
    for one in visible(shared.box):
        if isinstance(one, w.HTML):
            assert "<img" not in one.value
            assert "<b>" not in one.value
    shared.close()


def test_gifts(game, ann):
    law(game, nb.library.gifts().law, face=6)
    ann.freely("give", "Give", Whom="Cleo", Gift="4 points")
    assert dict(game.scores) == {"Ann": 2, "Ben": 0, "Cleo": 4}
    ann.freely("give", "Give", Whom="Cleo", Gift="some points")
    assert "so much of something" in ann.status
    ann.freely("give", "Give", Whom="Cleo", Gift="3")
    assert "Ann has 2 points" in ann.status


def test_free_acts(game, ann):
    ann.freely("say", "Say", Words="Hello.")
    ann.freely("do what", "Do", Act="Ann waves.")
    law(game, nb.library.penalty_for("humming").law)
    ann.freely("report", "Report", Whom="Ben", Deed="humming")
    assert game.scores["Ben"] == -2
    ann.freely("apply", "Apply", Rule="210 ", Effect='award 5 points of "Ben"')
    assert "Effect, line 1, column" in words(ann.panel.freely.note.value)
    assert ann.panel.freely.text.value == 'award 5 points of "Ben"'
    ann.freely("apply", "Apply", Effect='award 5 points to "Ben"')
    agree(game)
    assert game.scores["Ben"] == 3
    assert ann.panel.freely.text.value == ""
    kinds = list(game.history["kind"])
    assert {"said", "free_act", "deed", "applied"} <= set(kinds)


def test_leaving_is_confirmed(game, ann):
    ann.freely("forfeit", "Forfeit")
    assert "tick the box if Ann is sure" in ann.status
    assert game.state.persons == ("Ann", "Ben", "Cleo")
    ann.freely("forfeit", "Forfeit", **{"yes, leave the game for good": True})
    assert game.state.persons == ("Ben", "Cleo")
    assert not ann.panel.freely.sure.value
    assert [label for label, _ in ann.panel.freely.who.options] == ["Ben", "Cleo"]


def test_a_pause_is_said(game, ann):
    game.host.pause()
    assert "The game is paused." in words(ann.panel.head.value)
    assert not list(visible(ann.panel.freely.box))
    game.host.resume()
    assert ann.sees("Propose")


def test_a_look_at_the_past_refuses(game):
    game.say("Ann", "hm")
    past = Hand(Panel(game.at(game.state.seq)), "Ann")
    past.propose("enact", Wording="Too late.")
    assert "Refused: This is the game as it stood after event" in past.status
    past.panel.close()


def test_the_status_says_all_that_a_click_did_and_nothing_from_before(game, ann):
    ann.propose("enact", Wording="Be kind.")
    for name in ("Ann", "Ben", "Cleo"):
        hand_of(ann, name).press("Vote for")
    assert ann.status.startswith("Cleo votes for 301; the vote on 301 closes: ")
    ann.press("Throw")
    assert ann.status.startswith("Ann rolls a ")
