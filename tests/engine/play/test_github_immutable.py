"""GitHub Nomic, its immutable rules one by one."""

import pytest
import refusals
from github_helpers import agreed, law, numbers, open_vote, sit, turn, two_turns_each, vote
from play_helpers import refused, scores, waiting_for

import nomic_nb as nb


@pytest.mark.rule("github-nomic", -216)
def test_the_initial_set_and_its_order():
    game = sit()
    assert numbers(game, "immutable") == list(range(-216, -200))
    assert numbers(game, "mutable") == list(range(-112, -100))
    assert "-216." in str(game.rules[-216])  # with its minus
    assert "-101" in game.rules[-216].wording
    turn(game, "Ann", 3)
    assert numbers(game, "mutable") == [*range(-112, -100), 3]


@pytest.mark.rule("github-nomic", -216)
def test_a_rule_binds_in_the_form_it_has_now():
    game = sit()
    turn(
        game,
        "Ann",
        1,
        nb.amend(-107, "Three.", law="set defeat.points to -3\non defeated: award defeat.points to proponent"),
    )
    turn(game, "Ben", 2, against=game.players)
    assert scores(game)["Ben"] == -3


@pytest.mark.rule("github-nomic", -215)
def test_standing_does_not_follow_from_the_number():
    game = sit()
    turn(game, "Ann", 1, nb.transmute(-205))
    turn(game, "Ben", 2, nb.transmute(-105))
    assert (game.rules[1].tier, game.rules[2].tier) == ("mutable", "immutable")
    game.begin_turn("Cleo")
    with refused(game, "not-proposable", target=2, tier="immutable", rule=-214):
        game.propose("Cleo", nb.amend(2, "Less."), 3)
    assert game.propose("Cleo", nb.amend(1, "To win is to have points."), 3).outcome == "open"


@pytest.mark.rule("github-nomic", -214)
@pytest.mark.parametrize(
    "change",
    [nb.enact("More."), nb.amend(-104, "Whisper."), nb.repeal(-104), nb.transmute(-104), nb.transmute(-204)],
    ids=lambda change: change.headline,
)
def test_kinds_of_rule_change(change):
    assert turn(sit(), "Ann", 1, change).outcome == "adopted"


@pytest.mark.rule("github-nomic", -214, -209)
@pytest.mark.parametrize("change", [nb.amend(-205, "Cake."), nb.repeal(-205), nb.amend(-205, "Too.", add=True)])
def test_what_is_immutable_is_not_amended_or_repealed(change):
    game = sit()
    game.begin_turn("Ann")
    with refused(game, "not-proposable", target=-205, tier="immutable", rule=-214):
        game.propose("Ann", change, 1)
    assert waiting_for(game, "propose") == ["Ann"]
    assert game.propose("Ann", nb.enact("More."), 1).number == 1  # the improper one has taken no number


@pytest.mark.rule("github-nomic", -214)
def test_amendments_belong_to_mutable_rules():
    game = sit()
    before = game.rules[-109].wording
    turn(game, "Ann", 1, nb.amend(-109, "And a handshake.", add=True))
    turn(game, "Ben", 2, nb.amend(1, "And a bow.", part=1))
    assert "bow" in game.rules[2].wording
    assert "handshake" not in game.rules[2].wording
    turn(game, "Cleo", 3, nb.repeal(2, part=1))
    assert game.rules[3].wording == before
    turn(game, "Ann", 4, nb.amend(3, "And a nod.", add=True))
    turn(game, "Ben", 5, nb.transmute(4))
    game.begin_turn("Cleo")
    with refused(game, "not-proposable", target=5, tier="immutable", rule=-214):
        game.propose("Cleo", nb.repeal(5, part=2), 6)


@pytest.mark.rule("github-nomic", -213)
@pytest.mark.parametrize(("against", "outcome"), [((), "adopted"), (("Cleo",), "defeated"), (("Ann",), "defeated")])
def test_adopted_if_it_has_the_votes_and_only_then(against, outcome):
    game = sit()
    proposal = turn(game, "Ann", 1, against=against)
    assert proposal.outcome == outcome
    assert (1 in game.rules) == (outcome == "adopted")


@pytest.mark.rule("github-nomic", -213)
def test_a_proposal_is_not_dropped_without_a_vote():
    game = sit()
    open_vote(game, "Ann", 1)
    with refused(game, "nothing-owed", opens="vote"):
        game.propose("Ann", nb.enact("Something else."), 2)
    with refused(game, "not-allowed"):
        game.begin_turn("Ann")
    assert game.proposals[1].outcome == "open"


@pytest.mark.rule("github-nomic", -212)
def test_voting_is_a_right_and_no_duty():
    game = sit()
    proposal = open_vote(game, "Ann", 1)
    ballots = [decision for decision in game.pending if decision.action == "vote"]
    assert [decision.player for decision in ballots] == ["Ann", "Ben", "Cleo"]
    game.vote("Ann", "for")
    agreed(game, 1)
    game.close_vote("Ann")
    assert proposal.outcome == "defeated"
    assert proposal.tally.not_voted == ("Ben", "Cleo")


@pytest.mark.rule("github-nomic", -110, -206)
def test_nobody_is_closed_out_while_all_must_agree():
    game = sit("Ann", "Ben", "Cleo", "Dov")
    proposal = open_vote(game, "Ann", 1)
    for voter in ("Ann", "Ben"):
        game.vote(voter, "for")
    with refused(game, "not-allowed", rule=-110, opens="Dov: agree on 1"):
        game.close_vote("Ann")
    game.agree("Cleo", "no")
    game.agree("Dov")
    with refused(game, "not-allowed", rule=-110):
        game.close_vote("Ann")
    with refused(game, "answered-already"):  # said once
        game.agree("Dov", "no")
    game.agree("Cleo", "yes")
    game.close_vote("Ann")
    assert proposal.outcome == "defeated"  # not unanimous among all who may vote
    assert proposal.tally.not_voted == ("Cleo", "Dov")


@pytest.mark.rule("github-nomic", -110, -206)
def test_whoever_is_recorded_as_absent_is_not_asked():
    game = sit("Ann", "Ben", "Cleo", "Dov")
    proposal = open_vote(game, "Ann", 1)
    for voter in ("Ann", "Ben", "Cleo"):
        game.vote(voter, "for")
    with refused(game, "not-allowed", rule=-110):
        game.close_vote("Ann")
    game.host.absent("Dov")
    game.close_vote("Ann")
    assert proposal.outcome == "defeated"


@pytest.mark.rule("github-nomic", -110)
def test_a_ballot_answers_the_question_too():
    game = sit()
    proposal = open_vote(game, "Ann", 1)
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    game.vote("Cleo", "for")
    assert proposal.outcome == "adopted"
    open_vote(game, "Ben", 2)
    game.vote("Cleo", "against", 2)
    assert waiting_for(game, "close_vote") == ["Ben"]  # one vote against has been counted
    with refused(game, "not-asked-to-agree"):
        game.agree("Cleo", "yes", 2)


@pytest.mark.rule("github-nomic", -110, -206)
def test_when_the_quota_is_another_the_silent_are_asked_all_the_same():
    game = sit()
    turn(game, "Ann", 1, nb.amend(-110, "Two votes.", law="set vote.quota to 2"))
    open_vote(game, "Ann", 2)
    game.vote("Ann", "for")
    with refused(game, "not-allowed", rule="K3"):
        game.close_vote("Ann")
    game.vote("Ben", "for")
    game.close_vote("Ann")
    assert game.proposals[2].outcome == "adopted"


@pytest.mark.rule("github-nomic", -110)
def test_with_a_majority_whoever_is_absent_keeps_no_turn_open():
    game = sit("Ann", "Ben", "Cleo", "Dov", "Eva")
    number = two_turns_each(game)
    proposal = open_vote(game, "Ann", number)
    for voter, ballot in (("Ann", "for"), ("Ben", "for"), ("Cleo", "against"), ("Dov", "against")):
        game.vote(voter, ballot)
    with refused(game, "not-allowed", rule=-110):
        game.close_vote("Ann")
    game.host.absent("Eva")
    game.close_vote("Ann")
    assert proposal.outcome == "defeated"


@pytest.mark.rule("github-nomic", -110)
def test_a_proponent_who_is_absent_keeps_no_vote_open():
    game = sit()
    open_vote(game, "Ann", 1)
    game.vote("Ben", "for")
    game.host.absent("Ann")
    game.agree("Cleo")
    assert waiting_for(game, "close_vote") == ["Ben", "Cleo"]
    game.close_vote("Ben")
    assert game.proposals[1].outcome == "defeated"


@pytest.mark.rule("github-nomic", -110)
def test_whoever_may_not_vote_can_still_let_a_vote_end():
    game = sit()
    turn(game, "Ann", 1, nb.transmute(-212))
    turn(game, "Ann", 2, nb.amend(1, "All vote but Cleo.", law='set vote.electorate to playing\n'
         'forbid vote when player.name == "Cleo"'))  # fmt: skip
    open_vote(game, "Ben", 3)
    for voter in ("Ann", "Ben"):
        game.vote(voter, "for")
    assert waiting_for(game, "vote") == []
    assert [(one.player, one.must) for one in game.pending if one.action == "agree"] == [("Cleo", True)]
    assert not game.over
    game.agree("Cleo")
    game.close_vote("Ben")
    assert game.proposals[3].outcome == "defeated"


@pytest.mark.rule("github-nomic", -111)
def test_nobody_scores_their_way_to_winning_alone():
    game = sit()
    for number in range(1, 4):
        open_vote(game, "Ann", number)
        game.vote("Ann", "for")
        with refused(game, "not-allowed"):
            game.close_vote("Ann")
        for voter in ("Ben", "Cleo"):
            game.vote(voter, "against")
        assert scores(game)["Ann"] <= 0


def test_what_was_agreed_on_closing_is_on_record(tmp_path):
    game = sit()
    open_vote(game, "Ann", 1)
    game.agree("Ben", "no")
    game.agree("Ben", "yes")
    assert "Ben does not want to close the vote on proposal 1 yet" in list(game.history["what"])
    assert "Ben agrees to close the vote on proposal 1 without their vote" in list(game.history["what"])
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


@pytest.mark.rule("github-nomic", -212)
def test_a_duty_can_be_brought_in():
    game = sit()
    law(game, "Ann", 1, "set vote.duty to true")
    assert not game.rules.void_reason(game.rules[1])
    open_vote(game, "Ben", 2)
    game.vote("Ann", "against")
    with refused(game, "everyone-must-vote", rule=1):
        game.close_vote("Ben")


@pytest.mark.rule("github-nomic", -212)
def test_who_closes_a_vote_is_the_proponent():
    game = sit()
    open_vote(game, "Ann", 1)
    game.vote("Ben", "against")
    with refused(game, "cannot-close-vote", opens="Ann: close_vote"):
        game.close_vote("Ben")
    game.close_vote("Ann")
    assert game.proposals[1].outcome == "defeated"


@pytest.mark.rule("github-nomic", -211)
def test_what_was_voted_on_is_what_applies():
    game = sit()
    open_vote(game, "Ann", 1, nb.enact("More.", law="set win.points to 50\nprevails over everything"))
    game.vote("Ben", "for")
    with refused(game, "nothing-debated"):
        game.revise("Ann", nb.enact("Less."))
    vote(game, 1)
    assert game.rules[1].wording == "More."
    assert game.law["win.points"].value == 50


@pytest.mark.rule("github-nomic", -210)
def test_neither_early_nor_backwards():
    game = sit()
    turn(game, "Ann", 1)
    before = game.ledger.frame.copy()
    open_vote(
        game,
        "Ben",
        2,
        nb.enact(
            "Since ever, scores count double.",
            law="set proposal.score to (proposal.number + 9) * vote.share * 2\nprevails over -111",
        ),
    )
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    assert "score" not in str(game.rules[-107])
    assert 2 not in game.rules
    game.vote("Cleo", "for")
    assert scores(game) == {"Ann": 10, "Ben": 22, "Cleo": 0}  # scored in part 2, after the vote
    assert game.ledger.frame.iloc[: len(before)].equals(before)


@pytest.mark.rule("github-nomic", -209)
def test_numbers_come_from_outside_and_are_distinct():
    game = sit()
    game.begin_turn("Ann")
    with refused(game, "proposal-number-needed", rule=-209):
        game.propose("Ann", nb.enact("More."))
    for wrong in (0, -3, "x"):
        with refused(game, "number-unfit", rule=-209):
            game.propose("Ann", nb.enact("More."), wrong)
    game.propose("Ann", nb.enact("More."), 12)
    vote(game, 12, against=("Ben",))
    game.begin_turn("Ben")
    with refused(game, "number-taken", number=12, rule=-209):  # taken, though it was defeated
        game.propose("Ben", nb.enact("More."), 12)
    assert game.propose("Ben", nb.enact("More."), 5).number == 5  # not in order
    assert list(game.proposals.frame.index) == [12, 5]


@pytest.mark.rule("github-nomic", -209)
def test_numbers_left_out_before_the_first_proposal_are_pointed_out_too():
    game = sit()
    turn(game, "Ann", 4)
    assert "3 numbers left out" in " ".join(game.history["what"])


@pytest.mark.rule("github-nomic", -209)
def test_left_out_numbers_are_pointed_out():
    game = sit()
    turn(game, "Ann", 1)
    turn(game, "Ben", 2)
    turn(game, "Cleo", 9)
    said = list(game.history[game.history["kind"] == "proposed"]["what"])
    assert ["left out" in one for one in said] == [False, False, True]
    assert "6 numbers left out" in said[2]


@pytest.mark.rule("github-nomic", -209)
def test_a_changed_rule_takes_the_number_of_its_proposal():
    game = sit()
    turn(game, "Ann", 4, nb.amend(-105, "Two hundred still.", law="set win.points to 200"))
    turn(game, "Ben", 7, nb.transmute(4))
    assert [version.number for version in game.rules[7].all_versions] == [-105, 4, 7]
    with refusals.refused("rule-renumbered", KeyError, now=7):
        game.rules[-105]
    wording, clauses = game.rules[-107].wording, game.rules[-107].law
    turn(game, "Cleo", 8, nb.repeal(-107))
    turn(game, "Ann", 11, nb.enact(wording, law=clauses))
    assert game.rules[11].wording == wording


@pytest.mark.rule("github-nomic", -208)
def test_opening_up_an_immutable_rule_needs_everybody_for_ever():
    game = sit()
    number = two_turns_each(game)
    assert game.law["vote.quota"].value == 2
    proposal = turn(game, "Ann", number, nb.transmute(-205), against=("Cleo",))
    assert (proposal.outcome, proposal.tally.quota) == ("defeated", 3)
    assert "-208" in proposal.tally.verdict
    assert turn(game, "Ann", number + 1, nb.transmute(-105), against=("Cleo",)).outcome == "adopted"
    assert turn(game, "Ann", number + 2, nb.transmute(-205)).outcome == "adopted"


@pytest.mark.rule("github-nomic", -208)
def test_transmuting_is_said_outright_or_not_done():
    game = sit()
    law(
        game,
        "Ann",
        1,
        "on enacted when rule == this: transmute rule_numbered(-204)",
        "Rule -204 is mutable from now on.",
    )
    assert game.rules[-204].tier == "immutable"


@pytest.mark.rule("github-nomic", -207)
def test_a_mutable_rule_that_contradicts_an_immutable_one_is_wholly_void():
    game = sit()
    law(game, "Ann", 1, "set vote.adopted to true\nset win.points to 50\nprevails over everything")
    reason = game.rules.void_reason(game.rules[1])
    assert "-213" in reason
    assert "-207" in reason
    assert game.law["win.points"].value == 200
    assert 1 in game.rules
    assert turn(game, "Ben", 2, nb.transmute(-207), against=("Cleo",)).outcome == "defeated"  # no clash to propose it


@pytest.mark.rule("github-nomic", -206)
def test_the_proponent_settles_the_form_and_ends_the_debate():
    game = sit()
    game.begin_turn("Ann")
    proposal = game.propose("Ann", nb.enact("Vague."), 1, debate=True)
    assert proposal.outcome == "debate"
    with refused(game, "debate-not-yours", rule=-206, opens="Ann: call_vote"):
        game.call_vote("Ben")
    with refused(game, "debate-not-yours", rule=-206):
        game.revise("Cleo", nb.enact("Mine."))
    game.begin_turn("Ben")  # nobody waits for a debate
    game.revise("Ann", nb.enact("Clear."))
    game.call_vote("Ann")
    assert (proposal.number, proposal.outcome, proposal.wording) == (1, "open", "Clear.")


@pytest.mark.rule("github-nomic", -205)
def test_winning_stays_a_matter_of_points():
    game = sit()
    law(game, "Ann", 1, 'set win.winners to [p for p in playing if p.name == "Ann"]', "The author wins.")
    assert not game.over
    assert "-205" in game.rules.void_reason(game.rules[1])
    turn(game, "Ben", 2, nb.amend(-105, "Twelve.", law="set win.points to 12"))
    assert game.over is False  # Ben is scored after the vote
    assert scores(game) == {"Ann": 10, "Ben": 11, "Cleo": 0}
    turn(game, "Cleo", 3)
    assert game.winner == "Cleo"


@pytest.mark.rule("github-nomic", -204)
@pytest.mark.parametrize("moment", ["before", "own turn", "debate", "vote", "overlap", "question"])
def test_leaving_is_always_open(moment):
    game = sit("Ann", "Ben", "Cleo", "Dov")
    if moment in ("own turn", "overlap"):
        game.begin_turn("Dov")
    if moment == "overlap":
        game.begin_turn("Ann")
    elif moment == "debate":
        game.begin_turn("Ann")
        game.propose("Ann", nb.enact("More."), 1, debate=True)
    elif moment == "vote":
        open_vote(game, "Ann", 1)
        game.vote("Dov", "against")
    elif moment == "question":
        game.begin_turn("Ann")
        game.invoke_judgment("Ben", "Is it late?")
    game.forfeit("Dov")
    assert "Dov" not in game.law["turn.sequence"].value
    assert "Dov" not in {decision.player for decision in game.pending}
    assert game.pending
    assert "Dov" not in {turn.player for turn in game.state.turns}
    with refused(game, "has-left", player="Dov"):
        game.begin_turn("Dov")


@pytest.mark.rule("github-nomic", -204)
def test_no_mutable_rule_can_bar_the_door():
    game = sit()
    law(game, "Ann", 1, "forbid forfeit\nprevails over everything")
    open_vote(game, "Ben", 2)
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    game.forfeit("Cleo")
    assert game.proposals[2].outcome == "adopted"


@pytest.mark.rule("github-nomic", -203)
def test_one_mutable_rule_stays():
    game = sit("Ann", "Ben", terms={"win.points": 10000})
    number = 1
    for rule in range(-112, -101):
        assert turn(game, game.players[number % 2], number, nb.transmute(rule)).outcome == "adopted"
        number += 1
    last = turn(game, "Ann", number, nb.transmute(-101))
    assert last.outcome == "without effect"
    assert game.rules[-101].tier == "mutable"
    assert "-203" in str(game.proposals.frame.loc[number, "note"])


@pytest.mark.rule("github-nomic", -203)
def test_rule_changes_never_become_impossible():
    game = sit()
    turn(game, "Ann", 1, nb.transmute(-214))
    assert turn(game, "Ben", 2, nb.amend(1, "No more.", law="forbid propose")).outcome == "without effect"
    assert turn(game, "Cleo", 3, nb.repeal(1)).outcome == "adopted"  # -111 asks for rule-changes all the same
    assert game.why("may.propose", nb.amend(-110, "More.")).value is True


@pytest.mark.rule("github-nomic", -203)
def test_that_nobody_can_ever_begin_a_turn_is_without_effect():
    game = sit()
    assert (
        turn(game, "Ann", 1, nb.enact("Enough.", law="forbid begin_turn\nprevails over -112")).outcome
        == "without effect"
    )
    assert turn(game, "Ben", 2).outcome == "adopted"


@pytest.mark.rule("github-nomic", -202)
@pytest.mark.parametrize("number", [-110, -108, -103])
def test_rules_about_changing_rules_change_like_others(number):
    game = sit()
    proposal = turn(game, "Ann", 1, nb.amend(number, game.rules[number].wording + " And why not?"))
    assert proposal.outcome == "adopted"
    assert game.rules[1].wording.endswith("And why not?")


@pytest.mark.rule("github-nomic", -202)
def test_a_rule_can_change_what_it_stands_on():
    game = sit()
    turn(game, "Ann", 1, nb.amend(-110, "Two votes.", law="set vote.quota to 2"))
    assert turn(game, "Ben", 2, nb.repeal(1), against=("Cleo",)).outcome == "adopted"
    turn(game, "Cleo", 3, nb.transmute(-202))
    assert game.rules[3].tier == "mutable"


@pytest.mark.rule("github-nomic", -201)
def test_what_no_rule_speaks_of_is_free_save_changing_rules():
    game = sit()
    assert "explicitly" not in game.rules[-201].wording
    before = [(rule.number, rule.wording) for rule in game.rules], scores(game), str(game.pending)
    game.act("Ben", "declares -105 repealed and takes fifty points")
    game.say("Ann", "Ben, if you vote for mine I vote for yours.")  # lobbying: no rule against it
    assert ([(rule.number, rule.wording) for rule in game.rules], scores(game), str(game.pending)) == before
    with refused(game, "turn-not-begun", opens="begin_turn"):
        game.propose("Ben", nb.enact("Without a turn."), 1)


@pytest.mark.rule("github-nomic", -203)
def test_a_ban_that_open_votes_lift_when_they_end_leaves_changes_possible():
    game = sit("Ann", "Ben", "Cleo", "Dan")
    ban = """forbid propose when count(q for q in proposals if q.status in ["debate", "open", "ending"]) >= 3
    and any(q.proponent == player for q in proposals)"""
    turn(game, "Ann", 1, nb.enact("At most three at once.", law=ban))
    for number, name in enumerate(("Ann", "Ben", "Cleo"), 2):
        open_vote(game, name, number)
    open_vote(game, "Dan", 5)
    assert vote(game, 5).outcome == "adopted"
