"""Who is Judge, what waits for one, and how a ruling is made (212, -102)."""

import pytest
from judgment_helpers import (
    ALL,
    AT_TABLE,
    JUDGE,
    ask,
    everybody,
    github_turn,
    let_stand,
    play_does_not_wait,
    propose,
    ruled,
    second_on_turn,
    sit,
)
from play_helpers import agree, law, refused, scores, waiting_for

import nomic_nb as nb

DUMMY = 'on enacted when rule == this: enter player "D" as dummy\non vote_opened: cast "for" for "D"'


TEAM = (
    "set team.mates to [p for p in players if p != player and p.name in ['Ann', 'Ben'] and player.name in"
    " ['Ann', 'Ben']]"
)


@pytest.mark.rule("discordian-nomic", 212)
@pytest.mark.rule("cabinet-nomic", 212)
@pytest.mark.parametrize("system", AT_TABLE)
@pytest.mark.parametrize("by", ["Ann", "Ben", "Cleo"])
def test_f1_the_player_before_the_one_on_turn_is_judge(system, by):
    game = second_on_turn(system)
    game.invoke_judgment(by, "May Ben whistle?")
    assert waiting_for(game, "rule_on") == ["Ann"]
    judgment = game.judgments[1]
    assert (judgment.judge, judgment.by, judgment.question) == ("Ann", by, "May Ben whistle?")
    assert all(decision.rule == 212 for decision in game.pending)


@pytest.mark.parametrize("system", AT_TABLE)
def test_f1_before_the_first_player_comes_the_last(system):
    game = sit(system, "Ann", "Ben", "Cleo", "Dov")
    game.invoke_judgment("Ben", "May Ann whistle?")
    assert waiting_for(game, "rule_on") == ["Dov"]


@pytest.mark.parametrize("system", ALL)
def test_nobody_else_decides(system):
    game = second_on_turn(system)
    ask(game)
    for player in ("Ben", "Cleo"):
        with refused(game, "not-the-judge", judge="Ann", rule=JUDGE[system], opens="Ann: rule_on"):
            game.rule_on(player, "Yes.")


@pytest.mark.parametrize("system", ALL)
def test_without_a_question_there_is_nothing_to_decide(system):
    game = second_on_turn(system)
    for deed in (
        lambda: game.rule_on("Ann", "Yes."),
        lambda: game.overrule("Cleo", "for"),
        lambda: game.consent("Cleo", "for"),
    ):
        with refused(game):
            deed()
    assert len(game.judgments) == 0


@pytest.mark.rule("github-nomic", -102)
def test_f1_the_player_on_turn_asks_anyone_else():
    game = second_on_turn("github-nomic", "Ann", "Ben", "Cleo", "Dov")
    game.invoke_judgment("Cleo", "May Ben whistle?")
    [decision] = [one for one in game.pending if one.action == "choose"]
    assert decision.player == "Ben"
    assert decision.rule == -102
    assert set(decision.options) == {"Ann", "Cleo", "Dov"}
    with refused(game, "answer-not-an-option"):
        game.choose("Ben", "Ben")
    with refused(game, "another-does"):
        game.choose("Cleo", "Cleo")
    game.choose("Ben", "Dov")
    assert waiting_for(game, "rule_on") == ["Dov"]


@pytest.mark.rule("github-nomic", -102)
def test_whose_own_turn_is_open_is_not_asked_to_judge():
    game = sit("github-nomic", "Ann", "Ben", "Cleo", "Dov")
    game.begin_turn("Ann")
    game.begin_turn("Ben")
    game.invoke_judgment("Ben", "May I whistle?")  # a question of one whose turn is open is about that turn
    [decision] = [one for one in game.pending if one.action == "choose"]
    assert decision.player == "Ben"
    assert set(decision.options) == {"Cleo", "Dov"}


@pytest.mark.rule("github-nomic", -102)
@pytest.mark.parametrize("open_turns", [(), ("Ann", "Ben")], ids=["none", "two"])
def test_where_it_is_open_who_asks_the_judge_the_table_is_asked(open_turns):
    game = sit("github-nomic", "Ann", "Ben", "Cleo", "Dov")
    for player in open_turns:
        game.begin_turn(player)
    game.invoke_judgment("Cleo", "Is it late?")
    assert waiting_for(game, "rule_on") == []
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo", "Dov"]
    with refused(game, "question-open"):
        game.begin_turn("Dov")


@pytest.mark.rule("github-nomic", -102)
def test_the_table_says_by_name_who_asks_the_judge():
    game = sit("github-nomic", "Ann", "Ben", "Cleo", "Dov")
    game.invoke_judgment("Cleo", "Is it late?")
    for player in game.players:
        game.choose(player, "Ben")
    [decision] = [one for one in game.pending if one.action == "choose"]
    assert decision.player == "Ben"
    game.choose("Ben", "Dov")
    assert waiting_for(game, "rule_on") == ["Dov"]


@pytest.mark.rule("github-nomic", -102)
def test_whoever_asks_the_judge_asks_somebody_else():
    game = sit("github-nomic", "Ann", "Ben", "Cleo", "Dov")
    game.invoke_judgment("Cleo", "Is it late?")
    for player in game.players:
        game.choose(player, 'player_named("Ben")')
    [decision] = [one for one in game.pending if one.action == "choose"]
    assert decision.player == "Ben"
    assert set(decision.options) == {"Ann", "Cleo", "Dov"}


@pytest.mark.parametrize("system", ALL)
def test_a_dummy_is_no_judge(system):
    game = sit(system, "Ann", "Ben")
    if system == "github-nomic":
        github_turn(game, "Ann", 1, nb.enact("A dummy.", law=DUMMY))
        game.begin_turn("Ben")
    else:
        law(game, DUMMY)
    assert "D" in game.players
    game.invoke_judgment("Ann", "Is D real?")  # about Ben's turn: nobody but Ann is left
    if system == "github-nomic":
        game.choose("Ben", "Ann")
    assert waiting_for(game, "rule_on") == ["Ann"]
    game.rule_on("Ann", "No.")
    assert waiting_for(game, "overrule") == ["Ben"]


@pytest.mark.rule("discordian-nomic", 212)
@pytest.mark.rule("cabinet-nomic", 212)
@pytest.mark.parametrize("system", AT_TABLE)
def test_a_teammate_of_the_one_on_turn_is_passed_over(system):
    game = sit(system)
    law(game, TEAM)
    assert game.player == "Ben"
    game.invoke_judgment("Ben", "Is my friend Judge?")
    assert waiting_for(game, "rule_on") == ["Cleo"]


@pytest.mark.rule("github-nomic", -102)
def test_a_teammate_of_the_one_on_turn_is_not_offered():
    game = sit("github-nomic", "Ann", "Ben", "Cleo", "Dov")
    github_turn(game, "Cleo", 1, nb.enact("Ann and Ben are a team.", law=TEAM))
    game.begin_turn("Ben")
    game.invoke_judgment("Dov", "Is Ann Judge?")
    [decision] = [one for one in game.pending if one.action == "choose"]
    assert set(decision.options) == {"Cleo", "Dov"}


@pytest.mark.rule("github-nomic", -102)
def test_a_teammate_of_any_open_turn_is_no_judge():
    # nobody judges while the turn of a teammate is under way, whatever turn the question is about
    game = sit("github-nomic", "Ann", "Ben", "Cleo", "Dov")
    github_turn(game, "Cleo", 1, nb.enact("Ann and Ben are a team.", law=TEAM))
    game.begin_turn("Ben")
    game.begin_turn("Dov")
    game.invoke_judgment("Dov", "Is this about my turn?")
    [decision] = [one for one in game.pending if one.action == "choose"]
    assert decision.player == "Dov"
    assert set(decision.options) == {"Cleo"}


@pytest.mark.parametrize("system", ALL)
def test_play_waits_for_the_judge(system):
    game = second_on_turn(system)
    ask(game)
    with refused(game, "judgment-open", question="May Ben whistle?", opens="Ann: rule_on"):
        propose(game, nb.enact("So be it."))
    game.rule_on("Ann", "Yes.")
    with refused(game, "judgment-open", opens="overrule"):
        propose(game, nb.enact("So be it."))
    let_stand(game)
    assert propose(game, nb.enact("So be it.")).outcome == "open"


@pytest.mark.parametrize("system", ALL)
def test_that_play_waits_is_a_reading_that_any_rule_beats(system):
    game = play_does_not_wait(system)
    ask(game)
    assert propose(game, nb.enact("So be it.")).outcome == "open"
    game.rule_on("Ann", "Yes.")
    everybody(game)
    assert len(game.judgments) == 1


@pytest.mark.parametrize("system", ALL)
def test_a_ruling_has_reasons_and_rests_on_rules(system):
    game = second_on_turn(system)
    free, deed = (-201, -102) if system == "github-nomic" else (116, 212)
    judgment = ruled(game, "He may.", reasons="Nothing forbids it.", rests_on=[free, deed])
    assert judgment.status == "stands"
    assert (judgment.ruling.judge, judgment.ruling.text) == ("Ann", "He may.")
    assert judgment.ruling.reasons == "Nothing forbids it."
    assert judgment in game.judgments.resting_on(game.rules[free])
    assert judgment in game.judgments.resting_on(game.rules[deed])
    assert judgment not in game.judgments.resting_on(game.rules[-216 if system == "github-nomic" else 101])
    row = game.judgments.frame.loc[1]
    assert (row["judge"], row["ruling"], row["reasons"]) == ("Ann", "He may.", "Nothing forbids it.")
    assert row["rests_on"] == f"{free}, {deed}"


@pytest.mark.parametrize("system", ALL)
def test_a_ruling_that_rests_on_no_rule_there_is_is_refused(system):
    game = second_on_turn(system)
    ask(game)
    with refused(game, "rule-unknown", rule=999):
        game.rule_on("Ann", "Yes.", rests_on=[999])
    with refused(game, "misplaced", found="gibberish"):
        game.rule_on("Ann", "Yes.", orders="gibberish")


@pytest.mark.parametrize("system", ALL)
def test_orders_are_done_once_the_ruling_stands(system):
    game = second_on_turn(system)
    before = scores(game)
    ask(game)
    game.rule_on("Ann", "Cleo is right.", orders='award 5 points to "Cleo"\naward -2 points to "Ben"')
    assert scores(game) == before
    let_stand(game)
    agree(game)  # no rule at hand names these points, so the others are asked
    assert scores(game) == {**before, "Cleo": before["Cleo"] + 5, "Ben": before["Ben"] - 2}
    assert [entry.rule for entry in list(game.ledger)[-2:]] == [JUDGE[system]] * 2


@pytest.mark.parametrize("system", ALL)
def test_orders_of_an_overruled_judge_are_never_done(system):
    game = second_on_turn(system, "Ann", "Ben", "Cleo", "Dov")
    before = scores(game)
    ask(game)
    game.rule_on("Ann", "Cleo is right.", orders='award 5 points to "Cleo"')
    for player in ("Ben", "Cleo", "Dov"):
        game.overrule(player, "for")
    assert scores(game) == before
    if waiting_for(game, "choose"):
        game.choose("Ann", "Dov")
    game.rule_on("Dov", "Nobody is right.")
    let_stand(game)
    assert scores(game) == before


@pytest.mark.parametrize("system", ALL)
def test_a_ruling_that_wins_by_points_ends_the_game(system):
    game = second_on_turn(system)
    ask(game)
    game.rule_on("Ann", "Cleo has it.", orders='award 200 points to "Cleo"')
    assert not game.over
    let_stand(game)
    assert waiting_for(game, "choose") == ["Ben", "Cleo"]  # all but the Judge
    assert "make Cleo win" in game.pending[0].prompt
    agree(game)
    assert game.winner == "Cleo"


@pytest.mark.parametrize("system", ALL)
def test_a_judge_and_whoever_is_on_turn_do_not_win_together(system):
    game = second_on_turn(system)
    before = scores(game)
    ask(game, by="Ben")
    game.rule_on("Ann", "Ben is right.", orders='award 250 points to "Ben"\neliminate "Cleo"\nannounce "So be it."')
    let_stand(game)
    game.choose("Ben", "yes")
    game.choose("Cleo", "no")  # one of them is enough
    assert scores(game) == before
    assert "Cleo out of the game" in game.pending[0].prompt
    agree(game, "no")
    assert not game.over
    assert game.state.names_of_players == ("Ann", "Ben", "Cleo")
    assert list(game.history["kind"]).count("disputed") == 2
    assert "So be it." in list(game.history["what"])
    assert game.judgments[1].status == "stands"


@pytest.mark.parametrize("system", ALL)
def test_orders_within_what_the_rules_at_hand_give_are_done_at_once(system):
    game = second_on_turn(system)
    before, fine = scores(game), -107 if system == "github-nomic" else 206
    ask(game)
    game.rule_on("Ann", "It was defeated.", rests_on=[fine], orders='award -10 points to "Ben"')
    let_stand(game)
    assert scores(game) == {**before, "Ben": before["Ben"] - 10}
