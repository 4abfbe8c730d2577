"""Permission: a sure answer comes before a doubt, and what the table says of one act holds for that act."""

from __future__ import annotations

import pytest
from play_helpers import law, open_up, sit

import nomic_nb as nb
from nomic_nb.errors import IllegalAction

IN_DOUBT = 'forbid propose when change.kind == "enact" and 1 / (turn - turn) == 1'


def all_say(game, answer):
    for name in game.players:
        game.choose(name, answer)


def tried(game, change):
    """What comes of proposing, as it is said."""
    with pytest.raises(IllegalAction) as refused:
        game.propose(game.player, change)
    return str(refused.value)


@pytest.mark.rule("discordian-nomic", 211)
def test_a_sure_forbid_decides_although_another_is_in_doubt():
    game = sit()
    open_up(game, 103)  # an immutable permission would prevail over both
    law(game, f'{IN_DOUBT}\nforbid propose when change.kind == "enact" and change.length > 2')
    assert "not a rule-change that can be proposed" in tried(game, nb.enact("One two three four."))
    assert "the table is asked" in tried(game, nb.enact("One two."))


@pytest.mark.rule("discordian-nomic", 212)
def test_an_answer_about_one_change_holds_for_no_other():
    game = sit()
    open_up(game, 103)
    law(game, IN_DOUBT)
    assert "the table is asked" in tried(game, nb.enact("No."))
    all_say(game, "false")
    assert "the table is asked" in tried(game, nb.enact("Yes."))
    all_say(game, "true")
    assert "not a rule-change that can be proposed" in tried(game, nb.enact("No."))
    assert game.propose(game.player, nb.enact("Yes.")).outcome == "open"


def said(game, who, text):
    """Whether something was said, or the table is asked whether it may be."""
    game.say(who, text)
    return not game.state.questions


def test_an_answer_about_one_act_of_one_player_holds_for_no_other():
    game = sit()
    law(game, "forbid say when player.points / (turn - turn) > 1 and text != player.name")
    for who, text in (("Ann", "hello"), ("Ann", "good day"), ("Ben", "hello")):
        assert not said(game, who, text)
        all_say(game, "true")
        assert said(game, who, text)


def test_a_text_that_the_language_does_not_have_is_asked_about_all_the_same():
    game = sit()
    law(game, 'forbid say when player.points / (turn - turn) > 1 and text != "x"')
    strange = 'a "b" # \\'
    assert not said(game, "Ann", strange)
    all_say(game, "true")
    assert said(game, "Ann", strange)
