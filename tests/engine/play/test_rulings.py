"""What a ruling does: rules void and revived, a paradox, the end of a debate; what becomes of it when players leave."""

import pytest
from judgment_helpers import (
    ALL,
    AT_TABLE,
    JUDGE,
    ask,
    everybody,
    finish,
    github_turn,
    let_stand,
    propose,
    ruled,
    second_on_turn,
    sit,
)
from play_helpers import adopt, agree, law, majority, refusal_of, refused, scores, waiting_for

import nomic_nb as nb


def book_with(system, wording, clauses):
    """A game in which Ben is on turn, a rule adopted before, an immutable rule, and the rule on what is void."""
    game = sit(system)
    if system == "github-nomic":
        github_turn(game, "Ann", 7, nb.enact(wording, law=clauses))
        game.begin_turn("Ben")
        return game, 7, -216, -207
    number = law(game, clauses, wording)
    return game, number, 101, 110


@pytest.mark.rule("discordian-nomic", 110)
@pytest.mark.rule("cabinet-nomic", 110)
@pytest.mark.rule("github-nomic", -207)
@pytest.mark.parametrize("system", ALL)
def test_b17_a_judge_finds_a_rule_void(system):
    game, number, strong, void = book_with(
        system, "Players need not obey immutable rules.", "set win.points to 50\nprevails over everything"
    )
    assert game.law["win.points"].value == 50
    assert not game.rules.void_reason(game.rules[number])
    id = ask(game, question="Do we need to obey?")
    game.rule_on(
        "Ann",
        "You do.",
        rests_on=[strong, void],
        orders=f"void rule_numbered({number}) against rule_numbered({strong})",
    )
    assert game.law["win.points"].value == 50  # it can still be overruled
    let_stand(game)
    assert game.judgments[id].status == "stands"
    reason = game.rules.void_reason(game.rules[number])
    assert str(strong) in reason
    assert str(void) in reason
    assert game.law["win.points"].value == (200 if system == "github-nomic" else 100)
    assert number in game.rules
    assert game.rules.frame.loc[number, "void"]
    assert game.rules[number] in game.rules.rules_by_tier()["mutable"]


@pytest.mark.rule("discordian-nomic", 110)
@pytest.mark.rule("cabinet-nomic", 110)
@pytest.mark.rule("github-nomic", -207)
@pytest.mark.parametrize("system", ALL)
def test_b17_a_later_judge_revives_it(system):
    game, number, strong, _ = book_with(
        system, "Players need not obey immutable rules.", "set win.points to 50\nprevails over everything"
    )
    ruled(game, orders=f"void rule_numbered({number}) against rule_numbered({strong})")
    game.invoke_judgment("Cleo", "Is it void after all?")
    game.rule_on("Ann", "It is not.", orders=f"revive rule_numbered({number})")
    let_stand(game)
    assert not game.rules.void_reason(game.rules[number])
    assert game.law["win.points"].value == 50


@pytest.mark.parametrize("system", AT_TABLE)
def test_b17_what_a_judge_voids_is_revived_when_the_reason_goes(system):
    game, number, strong, _ = book_with(
        system, "Players need not obey immutable rules.", "set win.points to 50\nprevails over everything"
    )
    ruled(game, orders=f"void rule_numbered({number}) against rule_numbered({strong})")
    game.propose("Ben", nb.transmute(strong))
    everybody(game)
    assert strong not in game.rules
    assert not game.rules.void_reason(game.rules[number])
    assert game.law["win.points"].value == 50


@pytest.mark.parametrize("system", ALL)
def test_b17_an_overruled_judge_voids_nothing(system):
    game, number, strong, _ = book_with(system, "Fifty.", "set win.points to 50\nprevails over everything")
    ask(game)
    game.rule_on("Ann", "Void.", orders=f"void rule_numbered({number}) against rule_numbered({strong})")
    for player in ("Ben", "Cleo"):
        game.overrule(player, "for")
    if waiting_for(game, "choose"):
        game.choose("Ann", "Cleo")
    game.rule_on("Cleo", "Not void.")
    let_stand(game)
    assert not game.rules.void_reason(game.rules[number])
    assert game.law["win.points"].value == 50


@pytest.mark.parametrize("system", ALL)
def test_b17_only_a_mutable_rule_can_be_void_by_an_immutable_one(system):
    # 110 voids mutable rules; an immutable rule cannot be struck by a ruling
    game = second_on_turn(system)
    one, other = (-214, -216) if system == "github-nomic" else (103, 101)
    ask(game)
    try:
        game.rule_on("Ann", "Down with it.", orders=f"void rule_numbered({one}) against rule_numbered({other})")
    except (nb.IllegalAction, nb.LawError):
        pass
    else:
        let_stand(game)
    assert not game.rules.void_reason(game.rules[one])


@pytest.mark.rule("discordian-nomic", 213)
@pytest.mark.rule("cabinet-nomic", 213)
@pytest.mark.rule("github-nomic", -101)
@pytest.mark.parametrize("system", ALL)
def test_f13_a_paradox_upheld_ends_the_game(system):
    game = second_on_turn(system)
    before = scores(game)
    rule = -101 if system == "github-nomic" else 213
    ask(game, question="Is this move as legal as illegal?")
    game.rule_on("Ann", "It is both.", rests_on=[rule], orders="end play")
    assert not game.over  # it can still be overruled
    let_stand(game)
    agree(game)  # whoever was not heard yet
    assert game.over
    assert game.winner == "Ben"  # whose turn the question was about
    assert scores(game) == before
    assert str(rule) in game.result
    assert list(game.pending) == []


@pytest.mark.rule("github-nomic", -101)
def test_f13_with_several_turns_open_it_is_the_turn_that_the_question_was_about():
    game = sit("github-nomic", "Ann", "Ben", "Cleo", "Dov")
    game.begin_turn("Ann")
    game.begin_turn("Ben")
    game.invoke_judgment("Ben", "Is my move as legal as illegal?")
    game.choose("Ben", "Dov")
    game.rule_on("Dov", "It is both.", orders="end play")
    let_stand(game)
    agree(game)
    assert game.winner == "Ben"


@pytest.mark.parametrize("system", ALL)
def test_f13_an_overruled_paradox_ends_nothing(system):
    game = second_on_turn(system)
    ask(game)
    game.rule_on("Ann", "It is both.", orders="end play")
    for player in ("Ben", "Cleo"):
        game.overrule(player, "for")
    if waiting_for(game, "choose"):
        game.choose("Ann", "Cleo")
    game.rule_on("Cleo", "It is plainly legal.")
    let_stand(game)
    assert not game.over
    assert waiting_for(game, "propose") == ["Ben"]


@pytest.mark.parametrize("system", ALL)
def test_f13_when_stuck_points_do_not_count(system):
    # 213 goes before 208: orders that end play and fill somebody's purse make the one on turn win
    game = second_on_turn(system)
    ask(game)
    game.rule_on("Ann", "It is both.", orders='end play\naward 200 points to "Cleo"')
    let_stand(game)
    agree(game)
    assert game.winner == "Ben"


@pytest.mark.rule("discordian-nomic", 111)
@pytest.mark.rule("cabinet-nomic", 111)
@pytest.mark.parametrize("system", AT_TABLE)
def test_at_the_table_the_judge_does_not_end_a_debate(system):
    game = second_on_turn(system)
    proposal = propose(game, nb.enact("Vague."), debate=True)
    ruled(game)
    with refused(game, "debate-not-yours", rule=111, opens="Ben: call_vote"):
        game.call_vote("Ann")
    game.call_vote("Ben")
    assert proposal.outcome == "open"


@pytest.mark.rule("discordian-nomic", 111)
@pytest.mark.rule("cabinet-nomic", 111)
@pytest.mark.parametrize("system", AT_TABLE)
def test_at_the_table_asking_the_judge_to_end_it_takes_nothing_from_the_proponent(system):
    game = second_on_turn(system)
    proposal = propose(game, nb.enact("Vague."), debate=True)
    error = refusal_of(lambda: game.invoke_judgment("Cleo", "Is it time?", proposal=proposal.number))
    if error is None:  # to refuse it would be as good
        game.rule_on("Ann", "It is.")
        let_stand(game)
        with refused(game, "debate-not-yours", rule=111):
            game.call_vote("Ann")
    game.call_vote("Ben")
    assert proposal.outcome == "open"


@pytest.mark.rule("github-nomic", -206)
def test_asked_to_end_the_debate_the_judge_does_and_the_proponent_does_not():
    game = second_on_turn("github-nomic")
    proposal = propose(game, nb.enact("Vague."), debate=True)
    game.invoke_judgment("Cleo", "Is it time?", proposal=proposal.number)
    game.choose("Ben", "Ann")
    game.rule_on("Ann", "Not yet.")
    let_stand(game)
    assert waiting_for(game, "call_vote") == ["Ann"]
    with refused(game, "debate-not-yours", rule=-206, opens="Ann: call_vote"):
        game.call_vote("Ben")
    game.revise("Ben", nb.enact("Clear."))  # the final form stays the proponent's
    game.call_vote("Ann")
    assert (proposal.outcome, proposal.wording) == ("open", "Clear.")


@pytest.mark.rule("github-nomic", -206)
def test_a_question_about_something_else_leaves_the_debate_to_the_proponent():
    game = second_on_turn("github-nomic")
    proposal = propose(game, nb.enact("Vague."), debate=True)
    ruled(game)
    with refused(game, "debate-not-yours", rule=-206):
        game.call_vote("Ann")
    game.call_vote("Ben")
    assert proposal.outcome == "open"


@pytest.mark.parametrize("system", ALL)
def test_when_the_judge_leaves_play_does_not_hang(system):
    game = second_on_turn(system, "Ann", "Ben", "Cleo", "Dov")
    ask(game)
    game.forfeit("Ann")
    assert "Ann" not in {decision.player for decision in game.pending}
    assert len(game.pending) > 0
    with refused(game, "has-left"):
        game.rule_on("Ann", "One last word.")


@pytest.mark.rule("github-nomic", -102)
def test_when_the_one_who_asks_the_judge_leaves_play_does_not_hang():
    game = second_on_turn("github-nomic", "Ann", "Ben", "Cleo", "Dov")
    game.invoke_judgment("Cleo", "May Ben whistle?")
    assert waiting_for(game, "choose") == ["Ben"]
    game.forfeit("Ben")
    assert "Ben" not in {decision.player for decision in game.pending}
    assert len(game.pending) > 0


@pytest.mark.rule("github-nomic", -102)
def test_nobody_is_chosen_as_judge_who_has_left():
    game = second_on_turn("github-nomic", "Ann", "Ben", "Cleo", "Dov")
    game.invoke_judgment("Cleo", "May Ben whistle?")
    game.forfeit("Ann")
    (choice,) = game.pending
    assert (choice.player, choice.options) == ("Ben", ("Cleo", "Dov"))
    with refused(game, "answer-not-an-option"):
        game.choose("Ben", "Ann")
    game.choose("Ben", "Dov")
    assert waiting_for(game, "rule_on") == ["Dov"]
    assert waiting_for(game, "choose") == []


@pytest.mark.rule("github-nomic", -102, -101)
def test_a_turn_that_is_cut_short_takes_no_choice_of_a_judge_with_it():
    game = sit("github-nomic")
    github_turn(game, "Ann", 1, nb.enact("Stop.", law='on said when text == "stop": end turn'))
    game.begin_turn("Ben")
    game.invoke_judgment("Cleo", "May Ben whistle?")
    game.say("Cleo", "stop")
    assert not game.over
    assert waiting_for(game, "choose") == ["Ben"]
    game.choose("Ben", "Ann")
    assert waiting_for(game, "rule_on") == ["Ann"]


@pytest.mark.parametrize("system", ALL)
def test_when_the_last_who_could_overrule_leaves_the_ruling_is_settled(system):
    game = second_on_turn(system, "Ann", "Ben", "Cleo", "Dov")
    ask(game)
    game.rule_on("Ann", "Yes.")
    game.overrule("Ben", "for")
    game.overrule("Cleo", "for")
    game.forfeit("Dov")
    assert game.judgments[1].overruled[0].judge == "Ann"  # everyone who is left has voted for it


@pytest.mark.rule("discordian-nomic", 212)
@pytest.mark.rule("cabinet-nomic", 212)
@pytest.mark.parametrize("system", AT_TABLE)
def test_without_its_rule_there_is_no_judge_and_the_table_is_asked(system):
    game = sit(system)
    adopt(game, nb.repeal(212))
    game.roll("Ann", 1)
    game.invoke_judgment("Cleo", "Who decides now?")
    assert waiting_for(game, "rule_on") == []
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]


@pytest.mark.parametrize("system", AT_TABLE)
def test_an_amended_rule_overrules_by_majority(system):
    game = sit(system, "Ann", "Ben", "Cleo", "Dov")
    majority(game)
    adopt(
        game,
        nb.enact(
            "More than half of the others overrule a Judge.",
            law="set judge.overrule_quota to count(judge.overrule_electorate) // 2 + 1\nprevails over 212",
        ),
    )
    game.roll("Ben", 1)
    game.invoke_judgment("Dov", "Is Ben right?")
    game.rule_on("Ben", "Yes.")
    game.overrule("Ann", "for")
    assert game.judgments[1].judge == "Ben"
    game.overrule("Cleo", "for")
    assert waiting_for(game, "rule_on") == ["Ann"]


@pytest.mark.parametrize("system", ALL)
def test_a_game_with_judgments_replays(system, tmp_path):
    game = second_on_turn(system)
    ask(game)
    game.rule_on("Ann", "Yes.", reasons="Why not?", orders='award 5 points to "Cleo"')
    for player in ("Ben", "Cleo"):
        game.overrule(player, "for")
    if waiting_for(game, "choose"):
        game.choose("Ann", "Cleo")
    game.rule_on("Cleo", "No.", rests_on=[JUDGE[system]])
    let_stand(game)
    finish(game)
    game.consent("Ann")
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert again.state.digest() == game.state.digest()
    assert again.judgments.frame.equals(game.judgments.frame)
    assert str(again.pending) == str(game.pending)


def test_who_has_several_things_to_choose_is_heard_on_each():
    game = sit("github-nomic", "Ann", "Ben", "Cleo")
    github_turn(
        game, "Ann", 1, nb.enact("A wish.", law='on said when text == "please": let player choose n from [1, 2]')
    )
    game.begin_turn("Ann")
    game.say("Ann", "please")
    game.invoke_judgment("Cleo", "Is that a wish?")
    assert waiting_for(game, "choose") == ["Ann", "Ann"]
    game.choose("Ann", "Ben")
    assert waiting_for(game, "rule_on") == ["Ben"]
    game.rule_on("Ben", "It is.")
    let_stand(game)
    game.choose("Ann", 2)
    assert waiting_for(game, "choose") == []
