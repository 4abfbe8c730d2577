"""Turns that overlap, numbers from outside and Judgment, played by the panel alone."""

from __future__ import annotations

import ipywidgets as w
import pytest
from panels.hands import Hand, seats, words
from panels.test_whole_game import by_widgets_only  # noqa: F401 - a fixture

import nomic_nb as nb
from nomic_nb.panels.panel import Panel

EVIL = "<img src=x onerror=alert(1)>"


def begun(*players, system="github-nomic", **terms):
    named = {key.replace("__", "."): value for key, value in terms.items()}
    return nb.new_game(system, players=list(players or ("Ann", "Ben", "Cleo")), seed=7, terms=named)


def cast(hand, ballot, number):
    """Vote on one of several proposals: the label of the button does not tell them apart, its tooltip does."""
    wanted = f"{hand.player} votes {ballot} {number}"
    button = next(one for one in hand.mine if isinstance(one, w.Button) and one.tooltip == wanted)
    button.click()


def all_cast(hands, number, *against):
    for name, hand in hands.items():
        cast(hand, "against" if name in against else "for", number)


def may_begin(hands):
    return [name for name, hand in hands.items() if hand.sees("Begin a turn")]


@pytest.mark.rule("github-nomic", -112)
@pytest.mark.parametrize("hot", [True, False], ids=["hot seat", "three panels"])
@pytest.mark.usefixtures("by_widgets_only")
def test_a_whole_game(hot):
    game = begun(win__points=40)
    hands = seats(game, hot)
    ann, ben, cleo = hands.values()
    assert may_begin(hands) == ["Ann", "Ben", "Cleo"]

    # Two turns at once; each player sees what is theirs.
    ann.press("Begin a turn")
    ben.press("Begin a turn")
    assert may_begin(hands) == ["Cleo"]
    assert ann.sees("Propose")
    assert ben.sees("Propose")
    assert not cleo.sees("Propose")
    assert "Under way: Ann , turn 1: proposal; Ben , turn 2: proposal" in words(ann.panel.head.value)

    # A number is said, and none twice (-209).
    ann.set(Kind="amend", Rule="-105 ", Wording="Sixty points win.", Law="set win.points to 60")
    ann.press("Propose")
    assert "say which number it has" in ann.status
    assert "Rule -209" in ann.status
    ann.set(Number="five")
    ann.press("Propose")
    assert "a whole number from 1 on" in ann.status
    ann.set(Number="5")
    ann.press("Propose")
    assert game.proposals[5].proponent == "Ann"
    ben.set(Kind="amend", Rule="-105 ", Wording="Fifty points win.", Law="set win.points to 50", Number="5")
    ben.press("Propose")
    assert "Number 5 is taken" in ben.status
    ben.set(Number="7")
    ben.press("Propose")

    # Two votes at once; the second proposal loses its rule, and all are asked what becomes of it.
    cast(cleo, "for", 7)
    all_cast(hands, 5)
    assert game.rules[5].wording == "Sixty points win."
    assert "stale" in words(cleo.panel.beside.votes.value)
    for hand in hands.values():
        hand.press('"lapse"')
    assert game.proposals[7].outcome == "lapsed"
    assert dict(game.scores) == {"Ann": 14, "Ben": 0, "Cleo": 0}

    # A question for a Judge while Cleo writes; whoever is on turn asks somebody to be it (-102).
    cleo.press("Begin a turn")
    cleo.set(Kind="enact", Wording="Half written", Number="9")
    ben.freely("invoke", "Ask", Question="May Cleo take so long?")
    assert not cleo.sees("Propose")
    assert "May Cleo take so long?" in words(ann.panel.beside.votes.value)
    cleo.press("Ann")
    ann.set(Ruling="She may not.", Reasons="It is late.", Rests_on="-112, 5")
    ann.set(Orders='\naward 3 pints to "Ben"')
    assert "5 How many points win" in ann.text
    assert "Orders, line 2" in ann.text
    ann.press("Rule")
    assert game.judgments[1].status == "asked"
    ann.set(Orders='award 3 points to "Ben"')
    ann.press("Rule")
    assert game.judgments[1].status == "ruled"
    ben.press("Overrule")
    cleo.press("Overrule")
    ann.press("Ben")  # the overruled Judge asks somebody else
    ben.set(Ruling="She may.")
    ben.press("Rule")
    ann.press("Let it stand")
    assert [one.text for one in game.judgments[1].overruled] == ["She may not."]
    assert game.scores["Ben"] == 0

    # What was typed is still there. A defeat is scored as well (-111).
    assert cleo.find("Wording").value == "Half written"
    cleo.press("Propose")
    all_cast(hands, 9, "Ann")
    assert game.proposals[9].outcome == "defeated"
    assert game.scores["Cleo"] == -10 + 12

    # After Judgment, a turn begins only with the consent of most others (-102).
    assert may_begin(hands) == []
    for hand in (ann, cleo):
        hand.press("Let play go on")
    assert may_begin(hands) == ["Ben"]
    ben.press("Begin a turn")

    # A debate that the Judge is asked to end (-206).
    ben.set(Kind="enact", Wording="Something new.", Number="11", debate_first=True)
    ben.press("Propose")
    ben.set(Wording="Something newer.")
    cleo.freely("invoke", "Ask", Question="Is there no end to it?", Proposal="end the debate on 11")
    ben.press("Ann")
    ann.set(Ruling="There is.", Orders='award 25 points to "Ann"')
    ann.press("Rule")
    cleo.press("Let it stand")
    for hand in (ben, cleo):
        hand.press("yes")  # no rule names so many points, so all but the Judge are asked
    assert game.scores["Ann"] == 39
    assert ben.find("Wording").value == "Something newer."
    ben.press("Revise")
    ann.press("End the debate, open the vote")
    all_cast(hands, 11)
    assert game.rules[11].wording == "Something newer."
    assert game.scores["Ben"] == 20

    # On, until somebody has sixty points.
    for hand in hands.values():
        hand.press("Let play go on")
    ann.press("Begin a turn")
    ann.set(Kind="enact", Wording="The last one.", Number="21")
    ann.press("Propose")
    all_cast(hands, 21)
    assert game.winner == "Ann"
    for hand in hands.values():
        assert not hand.mine
        assert "Ann wins" in words(hand.panel.head.value)
        hand.panel.close()


def test_a_seat_sees_its_own_turn_and_the_others_as_text():
    game = begun()
    game.begin_turn("Ann")
    game.begin_turn("Ben")
    ben = Hand(Panel(game, "Ben"), "Ben")
    assert ben.sees("Number")
    assert "Ann: propose a rule-change" in words(ben.panel.others.value)
    game.propose("Ann", nb.repeal(-107), number=4)
    assert ben.sees("Vote for")
    assert ben.sees("Propose")
    ben.panel.close()


@pytest.mark.rule("cabinet-nomic", 212)
def test_a_form_of_a_judge_is_let_go_with_the_office():
    game = begun(system="cabinet-nomic")
    game.invoke_judgment("Ann", "May one yawn?")
    panel = Panel(game)
    cleo = Hand(panel, "Cleo")
    cleo.set(Ruling="Half typed")
    assert not cleo.sees("Number")
    game.rule_on("Cleo", "Yes.")
    for name in ("Ann", "Ben"):
        game.overrule(name, "for")
    assert not cleo.sees("Ruling")
    ben = Hand(panel, "Ben")
    assert ben.find("Ruling").value == ""
    assert not panel.aside
    panel.close()


def test_a_turn_that_its_player_ends():
    game = begun()
    game.begin_turn("Ann")
    change = nb.amend(-112, law=f'{game.rules[-112].law}\nset turn.ended_by to "player"')
    game.propose("Ann", change, number=1)
    for name in game.players:
        game.vote(name, "for")
    ann = Hand(Panel(game), "Ann")
    assert "end the turn" in ann.text.lower()
    ann.press("End the turn")
    assert not game.turns
    ann.panel.close()


def test_questions_and_rulings_of_strangers_are_text():
    game = begun(EVIL, "Ben", "Cleo", system="cabinet-nomic")
    game.invoke_judgment(EVIL, EVIL)
    panel = Panel(game)
    cleo = Hand(panel, "Cleo")
    cleo.set(Ruling=EVIL, Reasons=EVIL, Rests_on=f"101 {EVIL}", Orders=EVIL)
    game.rule_on("Cleo", EVIL, EVIL, rests_on=[101], orders=f'award 1 points to "{EVIL}"')
    cleo.put(panel.beside.which, "Judgments")
    shown = [one.value for one in [*cleo.mine, panel.head, panel.others, panel.beside.votes, panel.beside.record]
             if isinstance(one, w.HTML)]  # fmt: skip
    assert any("&lt;img" in one for one in shown)
    assert not any("<img" in one for one in shown)
    panel.close()


def test_judgments_stand_in_the_law_book_beside_the_forms():
    game = begun(system="cabinet-nomic")
    panel = Panel(game)
    assert "· judged" not in words(panel.beside.record.value)
    game.invoke_judgment("Ann", "May one yawn?")
    game.rule_on("Cleo", "One may.", rests_on=[116])
    assert "Judgment 1 (turn 1), by Cleo: One may. (can still be overruled)" in words(panel.beside.record.value)
    panel.close()


def test_a_vote_stands_before_the_button_that_closes_it():
    game = begun()
    ann = Hand(Panel(game), "Ann")
    ann.press("Begin a turn")
    ann.set(Wording="Be kind.", Number="5")
    ann.press("Propose")
    game.vote("Ben", "against")  # from here on Ann may close it
    assert [one.description for one in ann.mine if isinstance(one, w.Button)] == [
        "Vote for", "Vote against", "Close the vote",
    ]  # fmt: skip
