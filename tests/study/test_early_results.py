"""What is decided early is proved, and what reviews and documents say of it."""

from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from often import examples
from play_helpers import open_up, sit
from study.warned import warned

import nomic_nb as nb


def written(condition):
    return " and ".join(f"game.{name} == {value}" for name, value in condition.items())


def told_that_nobody_wins(game, rule, clauses):
    """Whether a review of an amendment to the rule on winning says that nobody wins any more."""
    return warned(game.review("Ann", nb.amend(rule, "So be it.", law=clauses)), "nobody-wins")


@pytest.fixture(scope="module")
def winning():
    """A game in which the rule on winning can be amended, and the number of that rule."""
    game = sit()
    return game, open_up(game, 112)


COMPARED = st.tuples(
    st.sampled_from(["p.points", "game.pot", "turn", "count(playing)"]),
    st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), st.integers(-1, 3),
)  # fmt: skip


@examples(12)
@given(conditions=st.lists(COMPARED, min_size=1, max_size=3), joined=st.sampled_from([" and ", " or "]))
@example(conditions=[("p.points", "==", 3)], joined=" and ")
@example(conditions=[("turn", "<", -1)], joined=" and ")
@example(conditions=[("p.points", "<", 0)], joined=" and ")
@example(conditions=[("count(playing)", "==", 2)], joined=" and ")
@example(conditions=[("turn", ">", 3), ("p.points", "<", 0)], joined=" and ")
@example(conditions=[("p.points", ">", 1), ("p.points", "<", 1)], joined=" and ")
def test_that_nobody_wins_any_more_is_said_only_if_no_case_has_a_winner(winning, conditions, joined):
    game, rule = winning
    said = joined.join(" ".join(map(str, one)) for one in conditions)
    pot = "track pot per game from 0\non said: award 1 pot to game\n"
    clauses = f"{pot}set win.winners to [p for p in playing if {said}]"
    written = said.replace("p.points", "points").replace("game.pot", "pot").replace("count(playing)", "left")
    somebody = any(
        eval(written, {}, {"points": points, "pot": gold, "turn": turn, "left": left})  # noqa: S307
        for points, gold in product(range(-3, 6), repeat=2)
        for turn, left in product(range(1, 6), range(1, 4))
    )
    if told_that_nobody_wins(game, rule, clauses):
        assert not somebody
    elif len(conditions) == 1:  # plain cases are proved
        assert somebody


@pytest.mark.parametrize(
    "condition",
    [
        "p.points % 2 == 1 and p.points > 100",
        "p.points - 3 == 0",
        "2 * p.points == 7",
        "circuit == 10 and p.in_turn",
        'p.name == "Ben" and count(proposals) > 9',
        "count([q for q in playing if q.points > 5]) == 2",
        "any(q.points == 3 for q in playing) and any(q.points == 5 for q in playing) and p.points == 7",
        "p.points > 5 and all(q.points == 0 for q in playing if q != p)",
    ],
)
def test_that_nobody_wins_any_more_is_not_said_if_that_is_not_proved(winning, condition):
    game, rule = winning
    assert not told_that_nobody_wins(game, rule, f"set win.winners to [p for p in playing if {condition}]")


TIMED = st.sampled_from([
    "turn == {0}", "turn > {0}", "turn < {0}", "turn % {1} == {0}", "turn // {1} == {0}", "turn - {0} == {1}",
    "turn > {0} and turn < {0} + {1}", "2 * turn == {0}", "turn % {1} > {1} - 2", "not (turn < {0})",
])  # fmt: skip


@examples(12)
@given(condition=TIMED, first=st.integers(0, 900), second=st.integers(1, 400))
@example(condition="turn == {0}", first=500, second=1)
@example(condition="turn // {1} == {0}", first=3, second=68)
@example(condition="turn % {1} == {0}", first=299, second=300)
@example(condition="turn > {0} and turn < {0} + {1}", first=500, second=20)
def test_a_clause_is_said_never_to_apply_only_if_no_turn_to_come_lets_it(winning, condition, first, second):
    game, _ = winning
    said = condition.format(first, second)
    law = f"on turn_begun when {said}: award 1 points to player"
    if warned(game.review("Ann", nb.enact("So be it.", law=law)), "time-past"):
        assert not any(eval(said, {}, {"turn": turn}) for turn in range(game.turn, 5_000))  # noqa: S307
