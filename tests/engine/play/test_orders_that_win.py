"""An order of a Judge by which somebody wins is put to the others first."""

from __future__ import annotations

import pytest
from play_helpers import adopt, agree, law, refused, sit, waiting_for

import nomic_nb as nb


def ordered(game, orders, rests_on=(101,)):
    """Ann insists on a question, and the Judge orders this; nobody is for overruling."""
    game.invoke_judgment("Ann", "Does play go on?")
    game.rule_on(game.judgments[len(game.judgments)].judge, "So be it.", "I say so.", list(rests_on), orders)
    game.overrule("Ann" if "Ann" in waiting_for(game, "overrule") else "Cleo", "against")


def asked_whether(game, name):
    """The others are asked whether what makes somebody win is done."""
    (question,) = game.state.questions
    assert f"it would make {name} win" in question.text
    assert "Ben" in question.who or name == "Ben"
    return question.who


@pytest.mark.rule("discordian-nomic", 213)
@pytest.mark.parametrize("system", ["discordian-nomic", "cabinet-nomic", "nomic-chess"])
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_the_others_are_heard_before_a_judge_ends_play(system, answer):
    game = sit(system=system)
    ordered(game, "end play")
    assert asked_whether(game, "Ann") == ("Ben",)
    assert not game.over
    agree(game, answer)
    assert game.over is (answer == "yes")
    assert game.winners == (("Ann",) if answer == "yes" else ())


def test_one_no_leaves_an_order_undone_and_disputed():
    game = sit()
    game.invoke_judgment("Ann", "Does play go on?")
    game.rule_on("Cleo", "So be it.", "I say so.", [101], "end play")
    game.overrule("Ben", "for")
    game.overrule("Ann", "against")
    game.choose("Ben", "no")
    assert any(event.kind == "disputed" for event in game.timeline.events)
    assert not game.over


def rich(game):
    """Ann has 150 points, and a rule keeps her from winning; its number is returned."""
    law(game, 'set win.by_change to "at once"', "Winning is winning.")
    number = law(game, "set win.points to 900\nprevails over 208", "A long game.")
    law(game, 'on enacted when rule == this: award 150 points to player_named("Ann")', "Ann is rich.")
    return number


def test_the_others_are_heard_before_a_rule_is_void_that_kept_somebody_from_winning():
    game = sit()
    number = rich(game)
    ordered(game, f"void rule_numbered({number}) against rule_numbered(112)")
    asked_whether(game, "Ann")
    agree(game)
    assert game.winners == ("Ann",)


@pytest.mark.parametrize(
    ("clause", "orders"),
    [
        ('on turn_ended: award 200 points to player_named("Ann")', "end turn"),
        ('on voided: award 200 points to player_named("Ann")', "void rule_numbered(210) against rule_numbered(112)"),
        ('on eliminated: award 200 points to player_named("Ann")', 'eliminate "Ben"'),
    ],
)
def test_the_others_are_heard_before_what_an_order_sets_off_makes_somebody_win(clause, orders):
    game = sit()
    adopt(game, nb.enact("So be it.", law=clause))
    ordered(game, orders)
    asked_whether(game, "Ann")
    assert not game.over


@pytest.mark.rule("discordian-nomic", 212, 213)
def test_play_ends_when_all_who_do_not_win_by_it_let_the_ruling_stand():
    game = sit()
    game.invoke_judgment("Ann", "Does play go on?")
    game.rule_on("Cleo", "It does not.", "I say so.", [213], "end play")
    game.overrule("Ben", "against")
    assert game.winners == ("Ann",)


def test_a_judge_alone_ends_a_turn_that_makes_nobody_win():
    game = sit()
    ordered(game, "end turn")
    assert not game.state.questions
    assert any(event.kind == "turn_ended" for event in game.timeline.events)


def test_a_win_that_comes_anyway_is_no_doing_of_an_order():
    game = sit()
    ordered(game, 'announce "Hear, hear."')
    assert not game.state.questions
    with refused(game, "nothing-to-choose"):
        game.choose("Ben", "yes")
