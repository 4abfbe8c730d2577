"""The terms of the Judge, each changed by an adopted proposal."""

from importlib.resources import files

from key_helpers import on_github, scored
from play_helpers import (
    agree,
    idle,
    judged,
    law,
    put,
    refused,
    scores,
    sit,
    waiting_for,
)

import nomic_nb as nb


def insisted(clauses, by="Cleo", face=1):
    """A rule with these clauses is there, and in Ben's turn somebody insists on a question."""
    game = sit()
    law(game, clauses, face=face)
    game.invoke_judgment(by, "May one whistle?")
    return game


def test_team_mates():
    assert insisted("").judgments[1].judge == "Ann"
    game = insisted('set team.mates to [player_named("Ann")] while player.name == "Ben"')
    assert game.judgments[1].judge == "Cleo"  # no team-mate of the one on turn


def test_judge_candidates():
    game = insisted("set judge.candidates to [judgment.by]\nprevails over 212")
    assert game.judgments[1].judge == "Cleo"
    with refused(game, "not-the-judge"):
        game.rule_on("Ann", "It is for me to say.")
    game.rule_on("Cleo", "One may.")


def test_judge_candidates_of_nobody():
    game = insisted("set judge.candidates to []\nprevails over 212")
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    assert game.judgments[1].status == "table"


def test_judge_chosen_by():
    game = insisted("set judge.chosen_by to judgment.mover\nprevails over 212")
    assert waiting_for(game, "choose") == ["Ben"]
    assert game.pending[0].options == ("Ann", "Cleo")
    with refused(game, "another-does"):
        game.choose("Cleo", "Cleo")
    game.choose("Ben", "Cleo")
    assert game.judgments[1].judge == "Cleo"
    assert waiting_for(game, "rule_on") == ["Cleo"]


def test_judge_open():
    game = insisted("set judge.open to turn <= judgment.turn + 1\nprevails over 212")
    judged(game)
    idle(game)
    game.invoke_judgment("Cleo", "And now?")
    assert game.judgments[2].judge == "Ann"  # who still serves; without the rule it would be Ben
    judged(game)
    while game.player is None or game.player == "Cleo":
        idle(game) if game.player else game.consent(waiting_for(game, "consent")[0])
    assert [one.id for one in game.judgments if one.id in game.state.docket] == [2]


def test_judge_open_no_more_closes_it():
    game = insisted("set judge.open to judgment.by.points < 5\nprevails over 212")
    game.rule_on("Ann", "One may.", orders='award 5 points to "Cleo"')
    game.overrule("Cleo", "against")
    agree(game)
    assert game.state.docket == ()
    idle(game)
    assert game.player == "Cleo"  # nothing is left to consent to


def test_judge_play_waits():
    game = insisted("set judge.play_waits to false")
    assert waiting_for(game, "rule_on") == ["Ann"]
    idle(game)  # before Ann has ruled
    assert scores(game)["Ben"] == 1
    assert game.player is None  # the next turn waits for consent all the same
    game.rule_on("Ann", "One may.")
    game.consent("Ann")
    game.consent("Ben")
    assert game.player == "Cleo"


def test_judge_play_waits_where_turns_are_begun_at_will(tmp_path):
    game = on_github()
    scored(game, "Ann", 1, nb.enact("Play goes on.", law="set judge.play_waits to false"))
    game.begin_turn("Ann")
    game.invoke_judgment("Ben", "May one whistle?")
    game.choose("Ann", "Cleo")
    game.rule_on("Cleo", "One may.", orders='award 3 points to "Cleo"')
    game.consent("Ann")
    game.consent("Cleo")
    assert game.judgments[1].status == "ruled"
    game.begin_turn("Ben")  # and by then nobody has overruled her
    assert game.judgments[1].status == "stands"
    agree(game)
    assert scores(game)["Cleo"] == 3
    with refused(game, "judgment-too-late", rule=-102):
        game.overrule("Ann", "for")
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


def test_judge_play_waits_is_asked_about_where_no_rule_says_so(tmp_path):
    rules = files("nomic_nb.engine.rulesets").joinpath("cabinet-nomic.md").read_text(encoding="utf-8")
    path = tmp_path / "without.md"
    path.write_text(rules.replace("set judge.play_waits to true\n", ""), encoding="utf-8")
    game = nb.new_game(path, players=["Ann", "Ben", "Cleo"], seed=7)
    game.invoke_judgment("Cleo", "May one whistle?")
    assert "judge.play_waits" in game.pending[0].prompt
    for player in game.players:
        game.choose(player, "true")
    assert [(one.player, one.action) for one in game.pending] == [("Cleo", "rule_on")]


def test_judge_chosen_by_is_asked_again_where_a_judge_was_overruled():
    game = sit()
    law(game, "set judge.candidates to seats\nset judge.chosen_by to judgment.by\nprevails over 212")
    game.invoke_judgment("Cleo", "May one whistle?")
    game.choose("Cleo", "Ann")
    game.rule_on("Ann", "No.")
    game.overrule("Ben", "for")
    game.overrule("Cleo", "for")
    assert waiting_for(game, "choose") == ["Cleo"]


def test_judge_candidates_can_give_every_question_a_judge_of_its_own():
    game = sit()
    law(game, "set judge.candidates to [p for p in seats if p != judge]\nprevails over 212")
    game.invoke_judgment("Cleo", "May one whistle?")
    assert game.judgments[1].judge == "Ann"
    judged(game)
    game.invoke_judgment("Cleo", "And hum?")
    assert game.judgments[2].judge == "Ben"  # though Ann still serves


def test_judge_consent():
    game = insisted("set judge.consent to count(judgment.consents) >= 1\nprevails over 212")
    game.rule_on("Ann", "One may.")
    game.overrule("Ben", "against")
    idle(game)
    assert game.player is None
    game.consent("Cleo")  # one is enough, and it may be her own
    assert game.player == "Cleo"


def test_judge_overrule_electorate():
    game = insisted("set judge.overrule_electorate to [judgment.by]")
    game.rule_on("Ann", "One may.")
    assert waiting_for(game, "overrule") == ["Cleo"]
    with refused(game, "no-say-in-overruling", rule=301):
        game.overrule("Ben", "for")
    game.overrule("Cleo", "for")
    assert game.judgments[1].judge == "Cleo"


def test_judge_overrule_quota():
    game = insisted("set judge.overrule_quota to 1")
    game.rule_on("Ann", "One may.")
    game.overrule("Ben", "against")
    assert game.judgments[1].status == "ruled"  # one vote can still overrule
    game.overrule("Cleo", "for")
    assert game.judgments[1].judge == "Cleo"


def test_judge_overrule_quota_that_nobody_reaches():
    for quota in ("0", "7"):
        game = insisted(f"set judge.overrule_quota to {quota}")
        game.rule_on("Ann", "One may.")
        while voters := waiting_for(game, "overrule"):
            game.overrule(voters[0], "against")
        assert game.judgments[1].status == "stands"
        assert waiting_for(game, "propose") == ["Ben"]


def test_may_rule_on():
    game = insisted("forbid rule_on when judgment.by == player")
    game.rule_on("Ann", "One may.")  # Cleo insisted
    game = sit()
    law(game, "forbid rule_on when judgment.by == player and turn == 2")
    put(game, nb.enact("More."))
    game.invoke_judgment("Ann", "May one whistle?")
    assert waiting_for(game, "rule_on") == []
    assert game.winner == "Ben"  # nobody can decide it, and play waits (213)
    assert "may.rule_on" in game.law


def test_may_rule_on_is_refused_where_play_goes_on():
    game = insisted("set judge.play_waits to false\nforbid rule_on when judgment.by == player", by="Ann")
    with refused(game, "not-allowed", rule=301):
        game.rule_on("Ann", "One may.")
    assert waiting_for(game, "rule_on") == []
    idle(game)


def test_may_overrule():
    game = insisted('forbid overrule when player.name == "Ben"')
    game.rule_on("Ann", "One may.")
    assert game.judgments[1].status == "stands"  # with Ben silent, both others can never be for it
    game = insisted('forbid overrule when player.name == "Ben"\nset judge.overrule_quota to 1')
    game.rule_on("Ann", "One may.")
    assert waiting_for(game, "overrule") == ["Cleo"]
    with refused(game, "not-allowed", rule=301):
        game.overrule("Ben", "for")
    game.overrule("Cleo", "against")
    assert game.judgments[1].status == "stands"
    assert "may.overrule" in game.law


def test_may_consent():
    game = insisted('forbid consent when player.name == "Ben"\nset judge.consent to count(judgment.consents) >= 2\n'
                    "prevails over 212")  # fmt: skip
    judged(game)
    assert list(game.judgments[1].consents) == ["Ann", "Cleo"]
    with refused(game, "not-allowed", rule=301):
        game.consent("Ben")
    idle(game)
    assert game.player == "Cleo"
    assert "may.consent" in game.law


def test_play_in_circles():
    game = sit("Ann", "Ben")
    law(game, 'set play.in_circles to "cannot continue"')
    put(game, nb.enact("No turn lasts.", law="on turn_begun: end turn\nprevails over 201"))
    game.roll("Ben", 1)
    assert game.winner is not None
    assert "play can’t continue" in " ".join(game.history["what"])


def test_play_in_circles_is_asked_where_no_rule_says():
    game = sit("Ann", "Ben")
    put(game, nb.enact("No turn lasts.", law="on turn_begun: end turn\nprevails over 201"))
    game.roll("Ann", 1)
    for name in ("Ann", "Ben"):
        game.choose(name, "cannot continue")
    assert game.over


def test_fix_label():
    game = sit()
    game.suggest_fix("Ann", "Turns are shorter.")
    law(game, 'set fix.label to label("X", place * 10)\nforbid suggest_fix when text == "nonsense"')
    game.suggest_fix("Ben", "Turns are longer.")
    assert [one.name for one in game.rules.notes] == ["1", "X20"]
    with refused(game, "not-allowed"):
        game.suggest_fix("Ben", "nonsense")


def test_a_label_for_all_fixes_keeps_nobody_from_suggesting_one():
    game = sit()
    law(game, 'set fix.label to "X"\non turn_begun: oblige player to suggest_fix')
    name = game.player
    game.suggest_fix(name, "Turns are shorter.")
    game.suggest_fix("Ann", "Turns are longer.")
    assert [one.name for one in game.rules.notes] == ["X", "X"]
    assert waiting_for(game, "suggest_fix") == []


def test_what_a_number_becomes_is_said_before_it_is_counted():
    game = sit()
    law(game, 'set counter.value to otherwise + 1 while counter == "points" and amount > 0', face=3)
    assert scores(game)["Ann"] == 4
