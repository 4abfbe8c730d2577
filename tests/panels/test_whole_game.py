"""A whole game is played by the panel alone: what is pending is all that there is to decide."""

from __future__ import annotations

import random

import ipywidgets as w
import pytest
from panels.hands import seats, words
from play_helpers import sit

import nomic_nb as nb
from nomic_nb.play.table import Table


@pytest.fixture
def by_widgets_only(monkeypatch):
    """The tests here never act but by widgets; the public methods of a game are for panels."""
    from nomic_nb.panels.live import SESSION

    done = Table.do

    def do(self, player, action, details):
        assert SESSION.clicks.under_way, f"{action} was not done by a widget"
        return done(self, player, action, details)

    monkeypatch.setattr(Table, "do", do)


ASKS = """set win.points to 18
on said when text == "ask": ask seats "May Ann say that?\""""


def all_vote(hands, against=()):
    for name, hand in hands.items():
        hand.press("Vote against" if name in against else "Vote for")


def quick_turn(hands, player, face):
    hands[player].propose("enact", Wording=f"A rule of no moment, by {player}.")
    all_vote(hands)
    hands[player].throws(face)


@pytest.mark.parametrize("hot", [True, False], ids=["hot seat", "three panels"])
@pytest.mark.usefixtures("by_widgets_only")
def test_a_whole_game(hot):
    game = sit("Ann", "Ben", "Cleo", seed=3)
    hands = seats(game, hot)
    ann, ben, cleo = hands.values()

    # Ann: a refusal, with the rule and what is open instead; then a proposal that is defeated.
    ann.set(Kind="amend", Rule="112 ", Wording="To win is to be liked.")
    ann.press("Propose")
    assert ann.status.startswith("Refused: Rule 112 is immutable")
    assert "Rule 103, “What a rule-change is”." in ann.status
    assert "transmute rule 112" in ann.status
    assert ann.find("Wording").value == "To win is to be liked."
    ann.propose("enact", Wording="Ann gets more.", Law='on turn_ended: award 1 points to "Ann"', Title="More")
    assert "Ann gets more." in ann.panel.beside.votes.value
    assert not ben.sees("Propose")
    all_vote(hands, against=("Ben", "Cleo"))
    assert game.proposals[301].outcome == "defeated"
    ann.throws()
    assert game.player == "Ben"

    # Ben: a transmutation.
    ben.propose("transmute", Rule="112 ")
    all_vote(hands)
    assert game.rules[302].tier == "mutable"
    ben.throws(9)
    assert "a throw here shows 1 to 6, not 9" in ben.status.lower()
    ben.throws(6)
    assert dict(game.scores) == {"Ann": game.scores["Ann"], "Ben": 6, "Cleo": 0}

    # Cleo: an amendment with an error in its law, mended; debated, revised, adopted.
    cleo.set(Kind="amend", Rule="208 ", Wording="Whoever is first to have 40 points wins.")
    cleo.set(Law="set win.points to 40\nset win.point to 40")
    assert "Law, line 2, column 5: " in cleo.text
    cleo.press("Propose")
    assert "Line 2, column 5: there is no key win.point." in cleo.status
    assert game.player == "Cleo"
    assert len(game.proposals) == 2
    cleo.set(Law="set win.points to 40")
    assert "✓" in cleo.text
    cleo.set(debate_first=True)
    cleo.press("Propose")
    assert game.proposals[303].outcome == "debate"
    ben.freely("say", "Say", Say="40 is too many.")
    assert cleo.find("Wording").value == "Whoever is first to have 40 points wins."
    cleo.set(Wording="Whoever is first to have 18 points wins.", Law=ASKS)
    cleo.press("Revise")
    cleo.press("End the debate, open the vote")
    assert "18" in words(ben.panel.beside.votes.value)
    all_vote(hands)
    assert game.law["win.points"].value == 18
    cleo.throws(5)

    # Ann: a ready-made rule in the place of 203; Ben makes Cleo's rule ask, and all must agree.
    ann.set(Kind="propose a ready-made", Ready_made="Simple", Rule="203 ")
    ben.freely("say", "Say", Say="ask")
    assert not ann.sees("Propose")
    for hand, said in ((ann, "yes"), (ben, "no"), (cleo, "no"), (ann, "no")):
        hand.set(Answer=said)
        hand.press("Answer")
    assert ann.find("Rule").label.startswith("203 ")
    ann.press("Propose")
    all_vote(hands)
    assert game.rules[304].law == nb.library.simple_majority().law
    ann.throws(1)

    # Ben: a rule that has no answer for a throw; the table is asked for a value, and gives one.
    ben.propose("enact", Wording="A throw is divided by nothing.", Law="set throw.points to face / (turn - turn)")
    all_vote(hands, against=("Ann",))
    ben.throws(3)
    assert "throw.points" in ben.text or "worth" in ben.text
    ben.set(Answer="fase")
    ben.press("Answer")
    assert "Answer, line 1, column" in ben.text
    assert ben.find("Answer").value == "fase"
    for hand in hands.values():
        hand.set(Answer="face")
        hand.press("Answer")
    assert game.player == "Cleo"

    # Cleo: to repeal it again. Then around the table, until somebody has won.
    cleo.propose("repeal", Rule="305 ")
    all_vote(hands)
    cleo.throws(6)
    for player, face in (("Ann", 2), ("Ben", 6), ("Cleo", 6)):
        quick_turn(hands, player, face)
        if game.over:
            break
    while not game.over:
        quick_turn(hands, game.player, 6)
    assert game.winner
    for hand in hands.values():
        assert not hand.mine
        assert f"{game.winner} wins" in words(hand.panel.head.value)
    for hand in hands.values():
        hand.panel.close()


def forms(hands):
    """Every button that a player could press, as (hand, button)."""
    return [
        (hand, one)
        for hand in hands.values()
        for one in hand.mine
        if isinstance(one, w.Button) and one.description not in ("Answer", "Enter this throw", "Revise")
    ]


LAWS = (
    "", "on turn_ended: award 1 points to player",
    "set win.points to 15", "set vote.quota to majority(vote.electorate)",
    "set dice.source to \"table\"", "set dice.sides to 20", "allow skip", "set vote.duty to false",
    "on adopted: let proponent choose p from [q for q in playing if q != proponent] or none; award 1 points to p",
    "on part_begun when part == \"throw\": oblige player to say",
    "on turn_begun: roll 2 of 4 as luck; award luck points to player", "set throw.points to face / (turn - turn)",
    "set vote.ballots to \"sealed\"", "on defeated: ask playing \"What now?\"",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.usefixtures("by_widgets_only")
def test_somebody_can_always_go_on(seed):
    """Whatever the law has become: while a game is not over, the panel has a button that brings it on."""
    chance = random.Random(seed)
    game = sit("Ann", "Ben", "Cleo", seed=seed)
    hands = seats(game, hot=seed % 2 == 0)
    for step in range(80):
        if game.over:
            break
        before = len(game.table.moments)
        for one in game.pending:
            assert one.prompt.lower().rstrip(".") in hands[one.player].text.lower()
        assert go_on(hands, chance, step), f"nothing to press: {game.pending}"
        if len(game.table.moments) == before:  # refused: the panel says why
            status = next(iter(hands.values())).panel.desk.status.value + "".join(h.status for h in hands.values())
            assert "Refused" in status or "Not done" in status
    assert len(game.table.moments) > 120 or game.over
    for hand in hands.values():
        hand.panel.close()


def go_on(hands, chance, step):
    for hand in hands.values():
        if hand.sees("Answer"):
            near = [one for one in forms({hand.player: hand}) if one[1].description not in ("Propose", "Throw")]
            if near:
                chance.choice(near)[1].click()
            else:
                hand.set(Answer="1")
                hand.press("Answer")
            return True
    pressed = forms(hands)
    if not pressed:
        for hand in hands.values():
            if hand.sees("Enter this throw"):
                hand.throws(chance.randint(1, 6))
                return True
        return False
    hand, button = chance.choice(pressed)
    if button.description == "Propose":
        law = chance.choice(LAWS)
        hand.set(Kind=chance.choice(["enact", "enact", "amend", "transmute"]))
        if hand.sees("Wording"):
            hand.set(Wording=f"Rule of step {step}.", Law=law)
    if button.description in ("Say", "Act"):
        hand.put(hand.find("Say", [one for one in hand.mine if isinstance(one, w.Text)]), "well")
    button.click()
    return True
