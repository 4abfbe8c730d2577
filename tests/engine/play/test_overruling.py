"""How a ruling is overruled, how long a Judge stays one, and when play goes on (212, -102)."""

import pytest
from judgment_helpers import (
    ALL,
    AT_TABLE,
    JUDGE,
    ask,
    finish,
    let_stand,
    play_does_not_wait,
    propose,
    ruled,
    second_on_turn,
    sit,
)
from play_helpers import law, refused, waiting_for

import nomic_nb as nb


def start_next(game, player="Cleo"):
    """Begin the next turn where players do that themselves."""
    if game.ruleset.name == "github-nomic":
        game.begin_turn(player)


@pytest.mark.rule("cabinet-nomic", 212)
@pytest.mark.parametrize("system", ALL)
def test_f3_one_of_two_does_not_overrule(system):
    game = second_on_turn(system)
    ask(game)
    game.rule_on("Ann", "Yes.")
    assert waiting_for(game, "overrule") == ["Ben", "Cleo"]  # the one on turn is one of the others
    game.overrule("Ben", "for")
    assert game.judgments[1].judge == "Ann"
    game.overrule("Cleo", "against")
    assert game.judgments[1].judge == "Ann"
    assert game.judgments[1].status == "stands"
    assert game.judgments[1].overruled == ()


@pytest.mark.rule("cabinet-nomic", 212)
@pytest.mark.parametrize("system", AT_TABLE)
def test_f3_all_the_others_overrule_and_the_player_before_the_judge_is_next(system):
    game = second_on_turn(system)
    ask(game)
    game.rule_on("Ann", "Yes.")
    game.overrule("Cleo", "for")
    game.overrule("Ben", "for")
    assert waiting_for(game, "rule_on") == ["Cleo"]
    judgment = game.judgments[1]
    assert judgment.judge == "Cleo"
    assert [ruling.text for ruling in judgment.overruled] == ["Yes."]


@pytest.mark.rule("github-nomic", -102)
def test_f3_the_overruled_judge_asks_somebody_else():
    game = second_on_turn("github-nomic", "Ann", "Ben", "Cleo", "Dov", "Eva")
    ask(game)
    game.rule_on("Ann", "Yes.")
    for player in ("Ben", "Cleo", "Dov", "Eva"):
        game.overrule(player, "for")
    [decision] = [one for one in game.pending if one.action == "choose"]
    assert decision.player == "Ann"
    assert set(decision.options) == {"Cleo", "Dov", "Eva"}  # neither the one on turn nor who has judged this
    game.choose("Ann", "Eva")
    game.rule_on("Eva", "No.")
    for player in ("Ann", "Ben", "Cleo", "Dov"):
        game.overrule(player, "for")
    [decision] = [one for one in game.pending if one.action == "choose"]
    assert decision.player == "Eva"
    assert set(decision.options) == {"Cleo", "Dov"}


@pytest.mark.rule("discordian-nomic", 212)
@pytest.mark.rule("cabinet-nomic", 212)
@pytest.mark.parametrize("system", AT_TABLE)
def test_the_chain_goes_back_and_passes_over_the_one_on_turn(system):
    game = second_on_turn(system, "Ann", "Ben", "Cleo", "Dov")
    ask(game)
    chain = []
    while judges := waiting_for(game, "rule_on"):
        chain += judges
        game.rule_on(judges[0], f"{judges[0]} says so.")
        for player in waiting_for(game, "overrule"):
            game.overrule(player, "for")
    assert chain == ["Ann", "Dov", "Cleo"]  # before Cleo comes Ben, whose turn it is
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo", "Dov"]  # nobody is left: the table decides
    assert [ruling.judge for ruling in game.judgments[1].overruled] == chain
    for player in game.players:
        game.choose(player, "yes")
    assert waiting_for(game, "propose") == ["Ben"]


@pytest.mark.rule("github-nomic", -102)
def test_the_chain_ends_at_the_table_where_nobody_is_left():
    game = second_on_turn("github-nomic")
    ask(game)
    game.rule_on("Ann", "Yes.")
    for player in ("Ben", "Cleo"):
        game.overrule(player, "for")
    if waiting_for(game, "rule_on") == []:
        game.choose("Ann", "Cleo")
    game.rule_on("Cleo", "No.")
    for player in ("Ann", "Ben"):
        game.overrule(player, "for")
    assert waiting_for(game, "rule_on") == []
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    for player in game.players:
        game.choose(player, "yes")
    assert waiting_for(game, "propose") == ["Ben"]


@pytest.mark.parametrize("system", ALL)
def test_with_two_players_there_is_no_second_judge(system):
    game = second_on_turn(system, "Ann", "Ben")
    game.invoke_judgment("Ben", "May I whistle?")
    if waiting_for(game, "choose"):
        game.choose("Ben", "Ann")
    game.rule_on("Ann", "No.")
    assert waiting_for(game, "overrule") == ["Ben"]
    game.overrule("Ben", "for")
    assert waiting_for(game, "rule_on") == []
    assert waiting_for(game, "choose") == ["Ann", "Ben"]
    with refused(game, "question-open"):
        propose(game, nb.enact("So be it."))
    for player in game.players:
        game.choose(player, "whistle softly")
    assert waiting_for(game, "propose") == ["Ben"]


@pytest.mark.rule("github-nomic", -102)
def test_if_everybody_has_a_turn_open_the_table_decides():
    game = sit("github-nomic", "Ann", "Ben")
    game.begin_turn("Ann")
    game.begin_turn("Ben")
    game.invoke_judgment("Ben", "Whose turn is it?")
    assert waiting_for(game, "rule_on") == []
    assert waiting_for(game, "choose") == ["Ann", "Ben"]
    game.choose("Ann", "Ben's")
    game.choose("Ben", "Ann's")
    assert waiting_for(game, "propose") == []  # they do not agree yet
    game.choose("Ann", "Ann's")
    assert waiting_for(game, "propose") == ["Ann", "Ben"]


@pytest.mark.parametrize("system", ALL)
def test_the_judge_has_no_say_in_being_overruled(system):
    game = second_on_turn(system)
    ask(game)
    with refused(game, "judgment-otherwise"):
        game.overrule("Ben", "for")  # before there is a ruling
    game.rule_on("Ann", "Yes.")
    with refused(game, "no-say-in-overruling", player="Ann", rule=None):
        game.overrule("Ann", "against")
    game.overrule("Ben", "for")
    with refused(game, "overruling-voted"):
        game.overrule("Ben", "against")


@pytest.mark.rule("discordian-nomic", 212)
def test_f7_how_many_overrule_is_imported_and_said_so():
    game = second_on_turn("discordian-nomic")
    ask(game)
    game.rule_on("Ann", "Yes.")
    game.overrule("Cleo", "for")
    game.overrule("Ben", "against")
    assert game.judgments[1].status == "stands"
    finding = game.law["judge.overrule_quota"]
    assert game.rules[finding.rule].tier == "reading"
    text = " ".join([str(game.rules[finding.rule]), *game.rules[finding.rule].notes])
    assert "imported" in text.lower()
    assert "other versions" in text
    upheld = game.history[game.history["kind"] == "upheld"].iloc[-1]
    assert upheld["rule"] == finding.rule  # the record leads to where it comes from


@pytest.mark.rule("discordian-nomic", 212)
def test_f7_the_message_says_that_the_number_is_imported():
    game = second_on_turn("discordian-nomic")
    ask(game)
    game.rule_on("Ann", "Yes.")
    said = " ".join(decision.prompt for decision in game.pending)
    game.overrule("Cleo", "for")
    game.overrule("Ben", "against")
    said += " ".join(game.history["what"].tail(3))
    assert "imported" in said


@pytest.mark.rule("discordian-nomic", 212)
def test_f7_the_imported_number_gives_way_to_any_rule():
    game = sit("discordian-nomic", "Ann", "Ben", "Cleo", "Dov")
    law(game, "set judge.overrule_quota to 2")
    ask(game)
    game.rule_on("Ann", "Yes.")
    game.overrule("Ben", "against")
    game.overrule("Cleo", "for")
    assert game.judgments[1].judge == "Ann"
    game.overrule("Dov", "for")
    assert waiting_for(game, "rule_on") == ["Dov"]


@pytest.mark.parametrize("system", ["cabinet-nomic", "github-nomic"])
def test_f7_elsewhere_the_rule_itself_has_the_number(system):
    game = sit(system)
    assert game.law["judge.overrule_quota"].sources[0].rule.number == JUDGE[system]


@pytest.mark.parametrize("system", ALL)
def test_f5_after_the_next_turn_has_begun_it_is_too_late_to_overrule(system):
    game = play_does_not_wait(system)
    ask(game)
    game.rule_on("Ann", "Yes.")
    finish(game)
    for player in ("Ann", "Ben"):
        game.consent(player)
    start_next(game)
    assert game.player == "Cleo"
    for player in ("Ben", "Cleo"):
        with refused(game, "judgment-too-late"):
            game.overrule(player, "for")
    assert game.judgments[1].judge == "Ann"
    assert game.judgments[1].status in ("stands", "closed")


@pytest.mark.parametrize("system", ALL)
def test_f5_until_then_it_is_not(system):
    game = play_does_not_wait(system)
    ask(game)
    game.rule_on("Ann", "Yes.")
    finish(game)
    for player in ("Ben", "Cleo"):
        game.overrule(player, "for")
    assert game.judgments[1].overruled[0].judge == "Ann"
    assert game.player != "Cleo"


@pytest.mark.parametrize("system", ALL)
def test_an_undecided_question_is_not_the_new_turns(system):
    game = play_does_not_wait(system)
    ask(game)
    finish(game)
    for player in ("Ann", "Ben"):
        game.consent(player)
    start_next(game)
    assert game.player == "Cleo"
    with refused(game, "judgment-too-late"):
        game.rule_on("Ann", "Yes, after all.")
    assert game.judgments[1].ruling is None


@pytest.mark.parametrize("system", ALL)
def test_one_judge_settles_all_questions_until_the_next_turn(system):
    game = second_on_turn(system, "Ann", "Ben", "Cleo", "Dov")
    judge = "Dov" if system == "github-nomic" else "Ann"
    ruled(game, judge=judge)
    game.invoke_judgment("Ben", "And hum?")
    assert waiting_for(game, "choose") == []
    assert waiting_for(game, "rule_on") == [judge]
    game.rule_on(judge, "No.")
    let_stand(game)
    finish(game)
    for player in ("Ann", "Ben", "Dov"):
        if "Cleo" not in (game.player,) and player in waiting_for(game, "consent"):
            for one in game.judgments:
                game.consent(player, judgment=one.id)
    start_next(game)
    assert game.player == "Cleo"
    game.invoke_judgment("Dov", "Who judges now?")
    if system == "github-nomic":
        assert waiting_for(game, "choose") == ["Cleo"]  # who is on turn asks anew
    else:
        assert waiting_for(game, "rule_on") == ["Ben"]


@pytest.mark.parametrize("system", ALL)
def test_f11_a_new_judge_may_decide_the_opposite_and_both_are_linked(system):
    game = second_on_turn(system)
    free = -201 if system == "github-nomic" else 116
    ruled(game, "Whistling is a move.", rests_on=[free])
    finish(game)
    for player in ("Ann", "Ben"):
        game.consent(player)
    start_next(game)
    game.invoke_judgment("Ann", "Is whistling a move?")
    if waiting_for(game, "choose"):
        game.choose("Cleo", "Ben")
    game.rule_on("Ben", "Whistling is not a move.", rests_on=[free])
    let_stand(game)
    second = game.judgments[2]
    assert second.status == "stands"
    [(id, older)] = game.judgments.related_rulings(second)
    assert (id, older.judge, older.text) == (1, "Ann", "Whistling is a move.")
    said = str(game.judgments).split("Judgment 2")[1]
    assert "Whistling is a move." in said
    assert "Whistling is not a move." in said
    assert {one.id for one in game.judgments.resting_on(game.rules[free])} == {1, 2}


@pytest.mark.parametrize("system", ALL)
def test_f11_an_overruled_ruling_stands_beside_the_new_one(system):
    game = second_on_turn(system)
    ask(game)
    game.rule_on("Ann", "Yes.")
    for player in ("Ben", "Cleo"):
        game.overrule(player, "for")
    if waiting_for(game, "choose"):
        game.choose("Ann", "Cleo")
    game.rule_on("Cleo", "No.")
    let_stand(game)
    [(id, older)] = game.judgments.related_rulings(game.judgments[1])
    assert (id, older.judge, older.text) == (1, "Ann", "Yes.")
    assert game.judgments.frame.loc[1, "ruling"] == "No."


@pytest.mark.rule("cabinet-nomic", 212)
@pytest.mark.parametrize("system", AT_TABLE)
def test_the_next_turn_waits_for_more_than_half_of_the_others(system):
    game = second_on_turn(system, "Ann", "Ben", "Cleo", "Dov", "Eva")
    ruled(game)
    finish(game)
    game.consent("Cleo", "for")  # whose turn it would be: does not count
    game.consent("Ann", "for")
    game.consent("Ben", "for")
    assert game.player != "Cleo"  # two of Ann, Ben, Dov and Eva are half of them
    with refused(game, "nothing-owed", opens="consent"):
        game.propose("Cleo", nb.enact("Mine."))
    game.consent("Dov", "against")
    assert game.player != "Cleo"
    game.consent("Eva", "for")
    assert game.player == "Cleo"
    assert waiting_for(game, "propose") == ["Cleo"]


@pytest.mark.parametrize("system", AT_TABLE)
def test_without_judgment_nobody_needs_consent(system):
    game = second_on_turn(system)
    finish(game)
    assert game.player == "Cleo"
    with refused(game, "no-consent-awaited"):
        game.consent("Ann")


@pytest.mark.rule("github-nomic", -102)
def test_f9_nobody_begins_a_turn_without_the_consent_of_most_others():
    game = second_on_turn("github-nomic", "Ann", "Ben", "Cleo", "Dov")
    ruled(game)
    for player in ("Ann", "Cleo", "Dov"):  # none of them has an open turn
        with refused(game, "judgment-without-consent", rule=-102):
            game.begin_turn(player)
    game.consent("Ann")
    with refused(game, "judgment-without-consent", rule=-102):
        game.begin_turn("Cleo")
    game.consent("Cleo")
    with refused(game, "judgment-without-consent", rule=-102):
        game.begin_turn("Cleo")  # one of three others
    with refused(game, "judgment-without-consent", rule=-102):
        game.begin_turn("Ann")
    game.begin_turn("Dov")  # two of three others
    assert {turn.player for turn in game.state.turns} == {"Ben", "Dov"}


@pytest.mark.rule("github-nomic", -102)
def test_f9_the_stop_is_lifted_with_the_next_turn():
    game = second_on_turn("github-nomic", "Ann", "Ben", "Cleo", "Dov")
    ruled(game)
    game.consent("Ann")
    game.consent("Cleo")
    game.begin_turn("Dov")
    game.begin_turn("Ann")  # the Judge served up to the start of the next turn, and that has begun
    assert len(game.state.turns) == 3


@pytest.mark.parametrize("system", ALL)
def test_consent_can_be_withheld_and_given_later(system):
    game = second_on_turn(system)
    ruled(game)
    finish(game)
    game.consent("Ann", "for")
    game.consent("Ben", "against")
    if system == "github-nomic":
        with refused(game, "judgment-without-consent", rule=-102):
            game.begin_turn("Cleo")
    assert game.player != "Cleo"
    game.consent("Ben", "for")
    start_next(game)
    assert game.player == "Cleo"
