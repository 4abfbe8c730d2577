"""`whenever`: what is done each time that a condition becomes true, in whatever way."""

from __future__ import annotations

import pytest
from play_helpers import adopt, announced, idle, law, replayed, scores, sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.play.vocabulary import language


def events_of(game, kind):
    return [event for event in game.timeline.events if event.kind == kind]


def test_it_acts_at_adoption_for_those_for_whom_it_is_true_already(tmp_path):
    game = sit()
    law(game, "whenever each p in playing when p.points >= 5: announce p.name")
    assert announced(game) == [name for name, points in scores(game).items() if points >= 5]
    replayed(game, tmp_path)


def test_it_acts_once_until_the_condition_was_false_again():
    game = sit()
    law(game, 'on said: award 5 points to player\non said when text == "off": put points of player at 0\n'
              "whenever each p in playing when p.points >= 30: announce p.name")  # fmt: skip
    for _ in range(8):
        game.say("Ben", "more")
    assert announced(game) == ["Ben"]
    game.say("Ben", "off")
    assert scores(game)["Ben"] == 0
    for _ in range(6):
        game.say("Ben", "more")
    assert announced(game) == ["Ben", "Ben"]
    assert [event.data["of"] for event in events_of(game, "came_true")] == [["Ben"], ["Ben"]]


def test_its_effects_name_rule_and_clause_as_their_cause():
    game = sit()
    number = law(game, "on said: award 50 points to player\nwhenever any(p.points > 45 for p in playing):\n"
                       "    announce 'Nearly.'\n    end turn")  # fmt: skip
    game.say("Cleo", "go")
    (event,) = events_of(game, "announced")
    assert event.cause.rule == number
    assert event.cause.words.startswith("whenever any(p.points > 45")


def test_conditions_that_set_each_other_off_for_ever_are_left_out_and_asked_about():
    game = sit()
    law(game, "track lamp per game from 0\non said: put lamp at 1\nwhenever game.lamp == 1: put lamp at 2\n"
              "whenever game.lamp == 2: put lamp at 1")  # fmt: skip
    game.say("Ann", "on")
    (question,) = game.state.questions
    assert "triggers itself forever" in question.text
    for player in game.players:
        game.choose(player, "leave it")
    game.say("Ann", "on")
    assert not game.state.questions


def test_a_condition_that_cannot_be_judged_is_asked_about_once():
    game = sit()
    adopt(game, nb.enact("So be it.", law="whenever item(playing, 7).points > 3: end turn"))
    (question,) = game.state.questions
    assert "no item 7" in question.text
    for player in game.players:
        game.choose(player, "leave it")
    game.roll(game.player, 1)
    assert not game.state.questions


@pytest.mark.parametrize(
    ("clause", "code", "expected"),
    [
        ("whenever adopted: end turn", "event-as-condition", "on adopted: "),
        ("whenever player.points > 3: end turn", "name-unknown", "each p in playing"),
        ("whenever 3: end turn", "kind-needed", "a truth"),
        ("whenever circuit > 3", "misplaced", ":"),
        ("on whenever: end turn", "misplaced", "whenever …: …"),
    ],
)
def test_a_mistake_is_answered_with_what_to_write(clause, code, expected):
    with refused(code) as caught:
        language().check_clauses(language().read_clauses(clause), {})
    assert expected in caught.value.expected


def test_an_amended_rule_does_not_act_again_for_a_clause_that_stays():
    game = sit()
    number = law(game, "whenever count(playing) > 1: announce 'Two.'")
    adopt(game, nb.amend(number, "Otherwise worded.", law="whenever count(playing) > 1: announce 'Two.'"))
    assert announced(game) == ["Two."]


def test_what_is_true_only_while_effects_are_being_done_does_not_count():
    game = sit()
    law(
        game,
        "track lamp per game from 0\non said: put lamp at 1; put lamp at 0\nwhenever game.lamp == 1: announce 'Lit.'",
    )
    game.say("Ann", "go")
    assert not announced(game)


def test_a_win_is_looked_for_after_what_has_become_true():
    game = sit()
    law(
        game,
        "on said: award 200 points to player\nwhenever each p in playing when p.points > 150: put points of p at 7",
    )
    game.say("Ben", "go")
    assert not game.over
    assert scores(game)["Ben"] == 7


ONE_FRIEND = (
    "track friend per player as player from none\n"
    "whenever each p in playing when p.friend.points > 5: announce 'Ho.'\n"
    "on enacted when rule == this: put friend of 'Ann' at player_named('Ben')"
)


@pytest.mark.parametrize(
    "clause",
    [
        "whenever mover.points > 5: announce 'Ho.'",
        "whenever each p in playing when p.points > 5 and mover.points > 5: announce 'Ho.'",
        ONE_FRIEND,
    ],
)
def test_a_condition_on_a_thing_that_is_not_there_is_not_true_and_nobody_is_asked(clause):
    game = sit(terms={"win.points": 10**9})
    law(game, clause + "\non said: award 9 points to player")
    assert not game.state.questions
    game.say("Ben", "go")
    for _ in range(2):
        idle(game)
        assert not game.state.questions
    assert "Ho." in announced(game)
