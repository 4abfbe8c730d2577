"""Permission: a sure answer comes before a doubt, and what the table says of one act holds for that act."""

from __future__ import annotations

import pytest
from play_helpers import law, open_up, sit

import nomic_nb as nb
from nomic_nb.engine.errors import IllegalAction

IN_DOUBT = 'forbid propose when change.kind == "enact" and 1 / (turn - turn) == 1\nprevails over everything'


def all_say(game, answer):
    for name in game.players:
        game.choose(name, answer)


def tried(game, change):
    """What comes of proposing: the code of the refusal."""
    with pytest.raises(IllegalAction) as refused:
        game.propose(game.player, change)
    return refused.value.code


@pytest.mark.rule("discordian-nomic", 211)
def test_a_sure_forbid_decides_although_another_is_in_doubt():
    game = sit()
    open_up(game, 103)  # an immutable permission would prevail over both
    law(game, f'{IN_DOUBT}\nforbid propose when change.kind == "enact" and change.length > 2')
    assert tried(game, nb.enact("One two three four.")) == "not-proposable"
    assert tried(game, nb.enact("One two.")) == "permission-open-and-asked"


@pytest.mark.rule("discordian-nomic", 212)
def test_an_answer_about_one_change_holds_for_no_other():
    game = sit()
    open_up(game, 103)
    law(game, IN_DOUBT)
    assert tried(game, nb.enact("No.")) == "permission-open-and-asked"
    all_say(game, "false")
    assert tried(game, nb.enact("Yes.")) == "permission-open-and-asked"
    all_say(game, "true")
    assert tried(game, nb.enact("No.")) == "not-proposable"
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


SMUGGLED = """on enacted when rule == this: enact gift
draft gift: "The gold of the dragon goes to whoever asks."
    set win.points to 5
    on said: award 1 points to player"""


@pytest.mark.rule("discordian-nomic", 103)
@pytest.mark.parametrize(
    ("condition", "forbidden"),
    [
        ('"win.points" in change.keys', True),
        ('"award" in change.effects', True),
        ("change.length > 6", True),
        ('mentions(change, "dragon")', True),
        ('"win.joint" in change.keys or "pay" in change.effects or mentions(change, "troll")', False),
    ],
)
def test_what_is_said_of_a_change_holds_of_the_drafts_in_it(condition, forbidden):
    game = sit()
    open_up(game, 103)
    law(game, f"forbid propose when {condition}\nprevails over everything")
    if forbidden:
        assert tried(game, nb.enact("A gift.", law=SMUGGLED)) == "not-proposable"
    else:
        assert game.propose(game.player, nb.enact("A gift.", law=SMUGGLED)).outcome == "open"


def test_what_does_not_hang_on_the_list_is_judged_before_it():
    game = sit()
    law(
        game,
        "track mark per player from 0\ntrack pot per game from 0\n"
        'on counted each p in [q for q in playing if q.mark == player.mark] when counter == "points" and p != player: '
        "award 1 mark to p\n"
        "on thrown: put pot at face",
    )
    law(game, "")
    assert not game.state.questions
    assert game.counters["mark"].sum() > 0
