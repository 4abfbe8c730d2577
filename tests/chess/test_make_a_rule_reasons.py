"""Make-A-Rule Chess: whoever may not propose something is told why not, and what would be right instead."""

import pytest
from make_a_rule_helpers import begun, make, moves
from play_helpers import refused

import nomic_nb as nb


@pytest.mark.parametrize(
    ("change", "rule", "right"),
    [
        (nb.amend("P1.1", "So be it."), "R17", "make a rule that says otherwise"),
        (nb.transmute("P1.1"), "R1", "make one that says otherwise"),
        (nb.enact("x", law='set play.in_circles to "go on"'), "R13", "all can agree on another by an amendment"),
        (nb.enact("x", law='instead of won: announce "No."'), "R13", "all can agree on another by an amendment"),
        (nb.enact("x", law="require count(rules) < 90"), "R10", "an amendment can, on which all vote"),
        (nb.enact("x", law="set turn.sequence to []"), "R10", "an order of turns has all in it who play"),
        (nb.enact("x", law='set royal.capture to "never"'), "R16", "an amendment can, on which all vote"),
        (nb.enact("x", law='on moved: put crown of piece at "dummy"'), "R16", "has a name of its own"),
        (nb.transmute("R1"), "R14", "amend it, repeal it, or add to it"),
        (nb.enact("x", standing="amendment", universe="Zaphod:1"), "R14", "propose it for all universes"),
    ],
)
def test_a_refusal_says_what_would_be_right(change, rule, right):
    game = begun(3, restricted=True)
    make(game)
    with refused(game, "not-proposable", evidence=right, rule=rule):
        game.propose("Ben", change)


def test_a_rule_comes_before_the_moves():
    game = begun(3)
    game.move("Ann", moves(game)[0])
    with refused(game, "not-proposable", evidence="make it in your next one", rule="R1"):
        game.propose("Ann", nb.enact("x"))


@pytest.mark.rule("make-a-rule", "R1", "R16")
def test_no_rule_obliges_to_make_rules():
    game = begun(3, restricted=True)
    with refused(game, "not-proposable", evidence="no rule obliges anybody to move, or to make one", rule="R16"):
        game.propose("Ann", nb.enact("Rules!", law="on moved: oblige player to propose"))
