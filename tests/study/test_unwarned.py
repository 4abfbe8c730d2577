"""First drafts of rules that were accepted and did less than they say, or something else: each is warned of."""

import pytest
from play_helpers import sit
from study.warned import codes

import nomic_nb as nb
from nomic_nb.engine.errors import WrongArgument


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


def test_a_square_without_its_board_is_named_with_one():
    found = review('forbid move when target.name in ["d4", "white.e4"]', sit(system="nomic-chess"))
    (warned,) = [one.evidence for one in found.warnings if one.code == "unknown-thing"]
    assert "the square d4 without its board: it is called white.d4" in warned


def test_a_call_of_the_law_names_the_brackets_and_the_search():
    with pytest.raises(WrongArgument, match=r'game\.law\["vote\.quota"\].*search\("quota"\)'):
        sit().law("quota")
