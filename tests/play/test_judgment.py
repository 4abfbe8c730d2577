"""The Judge: who it is, how a ruling is overruled, what it does, and when play goes on (212, -102)."""

import pytest
from play_helpers import adopt, agree, idle, law, majority, refusal_of, refused, scores, waiting_for

import nomic_nb as nb

AT_TABLE = ("discordian-nomic", "cabinet-nomic")
ALL = (*AT_TABLE, "github-nomic")
JUDGE = {"discordian-nomic": 212, "cabinet-nomic": 212, "github-nomic": -102}
DUMMY = 'on enacted when rule == this: enter player "D" as dummy\non vote_opened: cast "for" for "D"'
TEAM = (
    "set team.mates to [p for p in players if p != player and p.name in ['Ann', 'Ben'] and player.name in"
    " ['Ann', 'Ben']]"
)


def sit(system, *players, **more):
    return nb.new_game(system, players=list(players or ("Ann", "Ben", "Cleo")), seed=7, **more)


def pass_on(game):
    """A whole turn at the table in which a rule without clauses is adopted."""
    idle(game)


def github_turn(game, player, number, change=None, against=()):
    """A whole turn where turns are begun at will."""
    game.begin_turn(player)
    proposal = game.propose(player, change or nb.enact("Nothing to see here."), number)
    for voter in game.players:
        if voter in waiting_for(game, "vote"):
            game.vote(voter, "against" if voter in against else "for", proposal=number)
    return proposal


def second_on_turn(system, *players):
    """A game in which Ben is on turn."""
    game = sit(system, *players)
    if system == "github-nomic":
        game.begin_turn("Ben")
    else:
        pass_on(game)
    assert game.player == "Ben"
    return game


def ask(game, by="Cleo", judge="Ann", question="May Ben whistle?"):
    """Insist on a question, and see to it that this player is its Judge."""
    game.invoke_judgment(by, question)
    if "Ben" in waiting_for(game, "choose"):
        game.choose("Ben", judge)
    judgment = list(game.judgments)[-1]
    assert judgment.judge == judge
    return judgment.id


def let_stand(game):
    """Nobody overrules the ruling."""
    while voters := waiting_for(game, "overrule"):
        game.overrule(voters[0], "against")


def ruled(game, ruling="Yes.", by="Cleo", judge="Ann", **more):
    """A question is put and decided, and the ruling stands."""
    id = ask(game, by, judge)
    game.rule_on(judge, ruling, **more)
    let_stand(game)
    return game.judgments[id]


def propose(game, change, number=1, player="Ben", **more):
    """Propose, with a number where others give them."""
    numbers = {"number": number} if game.ruleset.name == "github-nomic" else {}
    return game.propose(player, change, **numbers, **more)


def everybody(game, ballot="for"):
    while voters := waiting_for(game, "vote"):
        game.vote(voters[0], ballot)


def finish(game):
    """What is left of Ben's turn."""
    if "Ben" in waiting_for(game, "propose"):
        propose(game, nb.enact("So be it."))
    everybody(game)
    if "Ben" in waiting_for(game, "roll"):
        game.roll("Ben", 1)


def start_next(game, player="Cleo"):
    """Begin the next turn where players do that themselves."""
    if game.ruleset.name == "github-nomic":
        game.begin_turn(player)


def play_does_not_wait(system, *players):
    """A game in which Ben is on turn, and the reading that play waits for the Judge is overridden."""
    game = sit(system, *players)
    change = nb.enact("Play goes on while a Judge thinks.", law="set judge.play_waits to false")
    if system == "github-nomic":
        github_turn(game, "Ann", 100, change)
        game.begin_turn("Ben")
    else:
        adopt(game, change)
        game.roll("Ann", 1)
    assert game.player == "Ben"
    return game


# Who is Judge


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
        with refused(game, match="Ann", rule=JUDGE[system], opens="Ann: rule_on"):
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
    with refused(game):
        game.choose("Ben", "Ben")
    with refused(game):
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
    with refused(game):
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


# Play waits, and the ruling is made


@pytest.mark.parametrize("system", ALL)
def test_play_waits_for_the_judge(system):
    game = second_on_turn(system)
    ask(game)
    with refused(game, match="May Ben whistle", opens="Ann: rule_on"):
        propose(game, nb.enact("So be it."))
    game.rule_on("Ann", "Yes.")
    with refused(game, opens="overrule"):
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
    assert judgment in game.judgments.on(game.rules[free])
    assert judgment in game.judgments.on(game.rules[deed])
    assert judgment not in game.judgments.on(game.rules[-216 if system == "github-nomic" else 101])
    row = game.judgments.frame.loc[1]
    assert (row["judge"], row["ruling"], row["reasons"]) == ("Ann", "He may.", "Nothing forbids it.")
    assert row["rests_on"] == f"{free}, {deed}"


@pytest.mark.parametrize("system", ALL)
def test_a_ruling_that_rests_on_no_rule_there_is_is_refused(system):
    game = second_on_turn(system)
    ask(game)
    with refused(game, error=(nb.IllegalAction, nb.LawError), match="999"):
        game.rule_on("Ann", "Yes.", rests_on=[999])
    with refused(game, error=nb.LawError, match="gibberish"):
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
    assert "Cleo would win by it" in game.pending[0].prompt
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
    assert game.state.playing == ("Ann", "Ben", "Cleo")
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


# Overruling


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
    with refused(game):
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
    with refused(game):
        game.overrule("Ben", "for")  # before there is a ruling
    game.rule_on("Ann", "Yes.")
    with refused(game, match="Ann", rule=None):
        game.overrule("Ann", "against")
    game.overrule("Ben", "for")
    with refused(game):
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
    assert "sister" in text
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


# Lateness


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
        with refused(game):
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
    with refused(game):
        game.rule_on("Ann", "Yes, after all.")
    assert game.judgments[1].ruling is None


# One Judge until the next turn; a new Judge is free


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
    [(id, older)] = game.judgments.before(second)
    assert (id, older.judge, older.text) == (1, "Ann", "Whistling is a move.")
    said = game.judgments.said(second)
    assert "Whistling is a move." in said
    assert "Whistling is not a move." in said
    assert {one.id for one in game.judgments.on(game.rules[free])} == {1, 2}


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
    [(id, older)] = game.judgments.before(game.judgments[1])
    assert (id, older.judge, older.text) == (1, "Ann", "Yes.")
    assert game.judgments.frame.loc[1, "ruling"] == "No."


# Going on


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
    with refused(game, opens="consent"):
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
    with refused(game):
        game.consent("Ann")


@pytest.mark.rule("github-nomic", -102)
def test_f9_nobody_begins_a_turn_without_the_consent_of_most_others():
    game = second_on_turn("github-nomic", "Ann", "Ben", "Cleo", "Dov")
    ruled(game)
    for player in ("Ann", "Cleo", "Dov"):  # none of them has an open turn
        with refused(game, rule=-102):
            game.begin_turn(player)
    game.consent("Ann")
    with refused(game, rule=-102):
        game.begin_turn("Cleo")
    game.consent("Cleo")
    with refused(game, rule=-102):
        game.begin_turn("Cleo")  # one of three others
    with refused(game, rule=-102):
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
        with refused(game, rule=-102):
            game.begin_turn("Cleo")
    assert game.player != "Cleo"
    game.consent("Ben", "for")
    start_next(game)
    assert game.player == "Cleo"


# Void and revived, paradox, the end of a debate


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
    assert not game.rules.void(game.rules[number])
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
    reason = game.rules.void(game.rules[number])
    assert str(strong) in reason
    assert str(void) in reason
    assert game.law["win.points"].value == (200 if system == "github-nomic" else 100)
    assert number in game.rules
    assert game.rules.frame.loc[number, "void"]
    assert game.rules[number] in game.rules.by_tier()["mutable"]


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
    assert not game.rules.void(game.rules[number])
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
    assert not game.rules.void(game.rules[number])
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
    assert not game.rules.void(game.rules[number])
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
    assert not game.rules.void(game.rules[one])


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
    with refused(game, rule=111, opens="Ben: call_vote"):
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
        with refused(game, rule=111):
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
    with refused(game, rule=-206, opens="Ann: call_vote"):
        game.call_vote("Ben")
    game.revise("Ben", nb.enact("Clear."))  # the final form stays the proponent's
    game.call_vote("Ann")
    assert (proposal.outcome, proposal.wording) == ("open", "Clear.")


@pytest.mark.rule("github-nomic", -206)
def test_a_question_about_something_else_leaves_the_debate_to_the_proponent():
    game = second_on_turn("github-nomic")
    proposal = propose(game, nb.enact("Vague."), debate=True)
    ruled(game)
    with refused(game, rule=-206):
        game.call_vote("Ann")
    game.call_vote("Ben")
    assert proposal.outcome == "open"


# Leaving, and the rule itself


@pytest.mark.parametrize("system", ALL)
def test_when_the_judge_leaves_play_does_not_hang(system):
    game = second_on_turn(system, "Ann", "Ben", "Cleo", "Dov")
    ask(game)
    game.forfeit("Ann")
    assert "Ann" not in {decision.player for decision in game.pending}
    assert len(game.pending) > 0
    with refused(game):
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
    with refused(game, match="not one of the options"):
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
