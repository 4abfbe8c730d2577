"""First drafts of rules that were accepted and did less than they say, or something else: each is warned of."""

import pytest
from play_helpers import sit
from study.warned import codes, warned

import nomic_nb as nb


def review(law, game=None):
    """Return the review of a rule with these clauses, which Ann would propose."""
    return (game or sit()).review("Ann", nb.enact("A rule.", law=law))


@pytest.mark.parametrize(
    ("whom", "when"),
    [
        ("[p for p in playing if p != player]", 'counter == "points" and amount > 0'),
        ("player", 'counter == "points" and amount > 0'),
        ("next_player", "amount > 0"),
    ],
)
def test_gains_that_bring_others_gains_without_end_are_a_paradox(whom, when):
    assert "paradox" in codes(review(f"on counted when {when}: award 1 points to {whom}"))


def test_a_gain_that_makes_up_for_a_loss_is_no_paradox():
    assert "paradox" not in codes(
        review("on counted when amount < 0: award 1 points to [p for p in playing if p != player]")
    )


@pytest.mark.parametrize(
    "law",
    [
        'on turn_ended each r in rules when r.tier == "mutable" and turn - r.first_made >= 10: transmute r',
        "whenever any(p.points >= 30 for p in playing): repeal rule_numbered(101)",
        "on enacted when rule == this: void rule_numbered(101)",
        "on circuit_ended when circuit > 9: each r in rules: transmute r",
    ],
)
def test_a_change_that_no_rule_may_make_is_warned_of_however_late_it_comes(law):
    assert warned(review(law), "change-refused")


@pytest.mark.parametrize(
    "law",
    [
        'on turn_ended each r in rules when r.tier == "mutable" and turn - r.first_made >= 10: repeal r',
        "on transmuted: repeal rule",
        "on circuit_ended: void rule_numbered(206)",
    ],
)
def test_a_change_that_rules_may_make_of_some_rules_is_not_warned_of(law):
    assert not warned(review(law), "change-refused")
