"""Effects that hold others: when each condition is judged, what names mean inside, and what is seen from outside."""

from __future__ import annotations

import pytest
from play_helpers import announced, idle, law, open_up, put, refused, scores, sit, waiting_for

import nomic_nb as nb
from nomic_nb.engine.law.nodes import View
from nomic_nb.engine.law.values import ThingRef


def test_a_condition_is_judged_when_its_turn_comes():
    game = sit()
    law(game, 'on said when text == "go": award 5 points to player; '
              'when player.points >= 5: announce "rich"; when player.points < 5: announce "poor"')  # fmt: skip
    game.say("Cleo", "go")
    assert announced(game) == ["rich"]


def test_the_list_is_read_and_its_condition_judged_before_any_of_it_is_done():
    game = sit()
    law(game, 'track marks per player from 0\n'
              'on said when text == "go": each p in playing when p.marks < 1: award 1 marks to playing')  # fmt: skip
    game.say("Cleo", "go")
    assert game.counters["marks"].tolist() == [3, 3, 3]


def test_a_condition_inside_is_judged_for_each_in_turn():
    game = sit()
    law(game, 'track marks per player from 0\n'
              'on said when text == "go": each p in playing: when p.marks < 1: award 1 marks to playing')  # fmt: skip
    game.say("Cleo", "go")
    assert game.counters["marks"].tolist() == [1, 1, 1]


def test_what_stands_behind_comes_after_all_that_is_inside():
    game = sit()
    law(game, 'on said when text == "go": each p in seats: (announce p.name; announce p.name + "!"); announce "end"')
    game.say("Cleo", "go")
    assert announced(game) == ["Ann", "Ann!", "Ben", "Ben!", "Cleo", "Cleo!", "end"]


def test_a_choice_inside_holds_up_what_is_behind_and_its_name_stays_inside():
    game = sit()
    before = scores(game)
    law(game, 'on said when text == "go": each p in [player_named("Ben"), player_named("Cleo")]: '
              "(let p choose rival from players; award 2 points to rival); award 1 points to playing")  # fmt: skip
    before = scores(game)
    game.say("Ann", "go")
    assert waiting_for(game, "choose") == ["Ben"]
    game.choose("Ben", "Ann")
    assert waiting_for(game, "choose") == ["Cleo"]
    assert scores(game) == {**before, "Ann": before["Ann"] + 2}
    game.choose("Cleo", "Ann")
    assert scores(game) == {name: points + (5 if name == "Ann" else 1) for name, points in before.items()}


def test_what_is_put_off_is_judged_when_it_is_due(tmp_path):
    game = sit()
    law(game, "track debts per player from 1\n"
              'on said when text == "go": each p in seats when p != player: after 1 turns: '
              "when p.debts > 0: (put debts of p at 7; announce p.name)\n"
              'on said when text == "paid": put debts of player at 0')  # fmt: skip
    game.say("Ann", "go")
    game.say("Cleo", "paid")
    assert announced(game) == []
    idle(game)
    assert announced(game) == ["Ben"]
    assert game.counters["debts"].tolist() == [1, 7, 0]
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


def test_a_thousand_effects_are_the_limit_and_what_has_more_is_told_so():
    names = [f"P{number}" for number in range(1, 22)]
    game = sit(*names)
    rule = law(game, 'on said when text == "two": each p in playing: each q in [1, 2]: (put points of p at q)\n'
                     'on said when text == "many": each p in playing: each n in numbers(1, 25): '
                     "(put points of p at 3; put points of p at 3)")  # fmt: skip
    game.say("P7", "two")
    assert set(scores(game).values()) == {2}
    game.say("P7", "many")
    assert set(scores(game).values()) == {2}, "it is left out, wholly"
    said = game.state.questions[0].text
    assert f"Rule {rule} has more than the 1,000 effects allowed in a step" in said


def test_a_rule_that_sets_itself_off_is_stopped_after_a_hundred_in_a_row():
    game = sit()
    rule = law(game, 'on said when text == "go": award 1 points to player\n'
                     'on counted when amount == 1 and player.name != "Ben": award 1 points to player')  # fmt: skip
    game.say("Cleo", "go")
    assert f"Rule {rule} triggers itself forever" in game.state.questions[0].text


def test_a_rule_may_answer_to_itself_a_few_times():
    game = sit()
    law(game, 'on said when text == "go": put points of "Ben" at 60\n'
              'on counted when player.name == "Ben" and player.points > 0: award -1 points to player')  # fmt: skip
    game.say("Cleo", "go")
    assert scores(game)["Ben"] == 0
    assert not game.state.questions


def test_a_doubt_inside_leaves_out_what_it_is_about_and_nothing_else():
    game = sit()
    law(game, 'on said when text == "go": each n in [1, 0, 2]: put points of player at 4 / n; announce "done"')
    game.say("Ann", "go")
    for name in waiting_for(game, "choose"):
        game.choose(name, "leave it")
    assert (scores(game)["Ann"], announced(game)) == (2, ["done"])


@pytest.mark.rule("discordian-nomic", 103)
def test_limits_on_what_is_proposed_see_what_is_inside():
    game = sit()
    open_up(game, 103)
    law(game, 'forbid propose when "eliminate" in change.effects\nprevails over everything')
    inside = "on turn_begun: each p in seats: after 2 turns: (announce p.name; when p.points < 0: eliminate p)"
    with refused(game, "not-proposable"):
        put(game, nb.enact("Out.", law=inside))


def test_what_only_holds_others_is_no_effect_of_a_change():
    game = sit()
    proposal = game.propose("Ann", nb.enact("X.", law='on said: each p in seats: (when p.points > 3: announce "x")'))
    view = View(game.state, {"proposal": ThingRef("proposal", proposal.number)}, game.state.law)
    assert game.state.law.language.expression("change.effects").run(view) == ("announce",)
