"""GitHub Nomic, rule by rule."""

from fractions import Fraction

import pytest
from play_helpers import refused, scores, waiting_for

import nomic_nb as nb

SYSTEM = "github-nomic"
DUMMY = 'on enacted when rule == this: enter player "D" as dummy'  # its ballot never comes


def sit(*players, seed=7, **more):
    return nb.new_game(SYSTEM, players=list(players or ("Ann", "Ben", "Cleo")), seed=seed, **more)


def open_vote(game, player, number, change=None):
    """Begin a turn and propose."""
    game.begin_turn(player)
    return game.propose(player, change or nb.enact(f"Nothing to see in {number}."), number)


def vote(game, number, against=(), silent=()):
    """Everyone votes save those who keep silent and let the proponent close the vote without them."""
    proposal = game.proposals[number]
    for voter in game.players:
        if voter not in silent and proposal.outcome == "open" and voter not in proposal.ballots:
            game.vote(voter, "against" if voter in against else "for", proposal=number)
    agreed(game, number)
    if proposal.outcome == "open":
        game.close_vote(proposal.proponent, proposal=number)
    return proposal


def agreed(game, number):
    """Whoever is asked lets the vote on a proposal be closed."""
    for one in list(game.pending):
        if (one.action, one.proposal) == ("agree", number):
            game.agree(one.player, "yes", number)


def turn(game, player, number, change=None, against=(), silent=()):
    """A whole turn: begin, propose, vote; the rest comes by itself."""
    open_vote(game, player, number, change)
    return vote(game, number, against, silent)


def law(game, player, number, clauses, wording="So be it."):
    proposal = turn(game, player, number, nb.enact(wording, law=clauses))
    assert proposal.outcome == "adopted"
    return number


def two_turns_each(game, first=1):
    """Everyone has two turns, in which nothing is adopted; the next number is returned."""
    number = first
    for _ in range(2):
        for player in game.players:
            turn(game, player, number, against=game.players)
            number += 1
    return number


def numbers(game, tier):
    return [rule.number for rule in game.rules if rule.tier == tier]


# The immutable rules


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
    with refused(game, match="2", rule=-214):
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
    with refused(game, match="-205", rule=-214):
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
    with refused(game, match="5", rule=-214):
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
    with refused(game, opens="vote"):
        game.propose("Ann", nb.enact("Something else."), 2)
    with refused(game):
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
    with refused(game, rule=-110, opens="Dov: agree on 1"):
        game.close_vote("Ann")
    game.agree("Cleo", "no")
    game.agree("Dov")
    with refused(game, rule=-110):
        game.close_vote("Ann")
    with refused(game):  # said once
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
    with refused(game, rule=-110):
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
    with refused(game, match="not asked"):
        game.agree("Cleo", "yes", 2)


@pytest.mark.rule("github-nomic", -110, -206)
def test_when_the_quota_is_another_the_silent_are_asked_all_the_same():
    game = sit()
    turn(game, "Ann", 1, nb.amend(-110, "Two votes.", law="set vote.quota to 2"))
    open_vote(game, "Ann", 2)
    game.vote("Ann", "for")
    with refused(game, rule="K3"):
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
    with refused(game, rule=-110):
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
        with refused(game):
            game.close_vote("Ann")
        for voter in ("Ben", "Cleo"):
            game.vote(voter, "against")
        assert scores(game)["Ann"] <= 0


def test_what_was_agreed_on_closing_is_on_record(tmp_path):
    game = sit()
    open_vote(game, "Ann", 1)
    game.agree("Ben", "no")
    game.agree("Ben", "yes")
    assert "Ben does not want the vote on 1 closed yet" in list(game.history["what"])
    assert "Ben agrees to close the vote on 1 without their ballot" in list(game.history["what"])
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


@pytest.mark.rule("github-nomic", -212)
def test_a_duty_can_be_brought_in():
    game = sit()
    law(game, "Ann", 1, "set vote.duty to true")
    assert not game.rules.void(game.rules[1])
    open_vote(game, "Ben", 2)
    game.vote("Ann", "against")
    with refused(game, rule=1):
        game.close_vote("Ben")


@pytest.mark.rule("github-nomic", -212)
def test_who_closes_a_vote_is_the_proponent():
    game = sit()
    open_vote(game, "Ann", 1)
    game.vote("Ben", "against")
    with refused(game, opens="Ann: close_vote"):
        game.close_vote("Ben")
    game.close_vote("Ann")
    assert game.proposals[1].outcome == "defeated"


@pytest.mark.rule("github-nomic", -211)
def test_what_was_voted_on_is_what_applies():
    game = sit()
    open_vote(game, "Ann", 1, nb.enact("More.", law="set win.points to 50\nprevails over everything"))
    game.vote("Ben", "for")
    with refused(game):
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
    with refused(game, rule=-209, match="number"):
        game.propose("Ann", nb.enact("More."))
    for wrong in (0, -3, "x"):
        with refused(game, rule=-209):
            game.propose("Ann", nb.enact("More."), wrong)
    game.propose("Ann", nb.enact("More."), 12)
    vote(game, 12, against=("Ben",))
    game.begin_turn("Ben")
    with refused(game, rule=-209, match="12"):  # taken, though it was defeated
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
    assert [version.number for version in game.rules[7].history] == [-105, 4, 7]
    with pytest.raises(KeyError, match="7"):
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
    reason = game.rules.void(game.rules[1])
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
    with refused(game, rule=-206, opens="Ann: call_vote"):
        game.call_vote("Ben")
    with refused(game, rule=-206):
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
    assert "-205" in game.rules.void(game.rules[1])
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
    with refused(game, match="Dov"):
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
    with refused(game, opens="begin_turn"):
        game.propose("Ben", nb.enact("Without a turn."), 1)


# The mutable rules


@pytest.mark.rule("github-nomic", -112)
def test_turns_begin_at_will_and_overlap():
    game = sit()
    assert scores(game) == {"Ann": 0, "Ben": 0, "Cleo": 0}
    assert waiting_for(game, "begin_turn") == ["Ann", "Ben", "Cleo"]
    game.begin_turn("Cleo")
    game.begin_turn("Ann")
    assert {one.player for one in game.state.turns} == {"Ann", "Cleo"}
    for player in ("Ann", "Cleo"):
        with refused(game, rule=-112):
            game.begin_turn(player)  # not before one's own turn is over
    game.propose("Ann", nb.enact("First."), 2)
    game.propose("Cleo", nb.enact("Second."), 1)
    assert [one.number for one in game.proposals if one.outcome == "open"] == [2, 1]
    vote(game, 1)
    assert {one.player for one in game.state.turns} == {"Ann"}
    game.begin_turn("Cleo")  # again, while Ann's is still open
    vote(game, 2)
    assert scores(game) == {"Ann": 11, "Ben": 0, "Cleo": 10}


@pytest.mark.rule("github-nomic", -112)
def test_a_ballot_says_what_it_is_for_when_several_votes_are_open():
    game = sit()
    open_vote(game, "Ann", 1)
    open_vote(game, "Ben", 2)
    with refused(game, match="2"):
        game.vote("Cleo", "for")
    game.vote("Cleo", "against", proposal=2)
    assert (dict(game.proposals[1].ballots), dict(game.proposals[2].ballots)) == ({}, {"Cleo": "against"})


@pytest.mark.rule("github-nomic", -112)
def test_turns_one_after_the_other_can_become_the_law():
    game = sit()
    clauses = (
        'set turn.sequence to seats\nset turn.start to "automatic"\nset turn.overlap to false\n'
        "track points per player from 0"
    )
    turn(game, "Ann", 1, nb.amend(-112, "Round the table.", law=clauses))
    player = game.player
    assert waiting_for(game, "propose") == [player]
    assert waiting_for(game, "begin_turn") == []
    with refused(game):
        game.begin_turn("Cleo" if player != "Cleo" else "Ben")


@pytest.mark.rule("github-nomic", -111)
@pytest.mark.parametrize(
    ("number", "against", "gain"), [(1, 0, 10), (7, 1, 11 - 10), (12, 1, 14 - 10), (1, 3, 0 - 10), (91, 0, 100)]
)
def test_a_proposal_is_scored_by_number_and_share(number, against, gain):
    game = sit()
    turn(game, "Ann", number, against=game.players[3 - against :])
    assert scores(game) == {"Ann": gain, "Ben": 0, "Cleo": 0}


@pytest.mark.rule("github-nomic", -111)
def test_the_score_comes_in_its_own_part_and_names_its_rule():
    game = sit()
    turn(game, "Ann", 7, against=("Cleo",))
    assert [(entry.amount, entry.rule) for entry in game.ledger] == [(-10, -107), (11, -111)]
    parts = [row["data"]["part"] for _, row in game.history.iterrows() if row["kind"] == "part_begun"]
    assert parts == ["proposal", "score"]


@pytest.mark.rule("github-nomic", -111)
def test_the_share_is_of_votes_received_and_can_be_made_of_all_voters():
    game = sit()
    turn(game, "Ann", 1, silent=("Cleo",))  # two of two
    assert scores(game)["Ann"] == 10 - 10
    law(game, "Ben", 2, "set vote.share to votes_for / unanimity(vote.electorate)\nprevails over -111")
    before = scores(game)["Ann"]
    turn(game, "Ann", 3, silent=("Cleo",))  # two of three: 8
    assert scores(game)["Ann"] == before + 8 - 10


@pytest.mark.rule("github-nomic", -111)
@pytest.mark.parametrize(
    ("half", "points"), [("up", 11), ("even", 10), ("down", 10)], ids=["half up", "half even", "half down"]
)
def test_a_half_is_rounded_as_the_law_says(half, points):
    game = sit("Ann", "Ben", "Cleo", "Dov", terms={"score.half": half})
    turn(game, "Ann", 5, against=("Dov",))
    assert scores(game)["Ann"] == points - 10


@pytest.mark.rule("github-nomic", -111)
def test_without_a_share_there_is_a_question():
    game = sit()
    turn(game, "Ann", 1, silent=game.players)
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]


@pytest.mark.rule("github-nomic", -110)
def test_unanimity_until_everyone_has_had_two_turns():
    game = sit()
    number = 1
    for player in ("Ann", "Ann", "Ann", "Ben", "Ben", "Cleo"):
        turn(game, player, number)
        number += 1
    assert game.law["vote.quota"].value == 3
    open_vote(game, "Cleo", number)
    assert game.law["vote.quota"].value == 3  # her second turn has begun and is not over
    vote(game, number)
    assert game.law["vote.quota"].value == 2
    assert game.rules[-110].how == "automatic"


@pytest.mark.rule("github-nomic", -110)
def test_whoever_never_plays_puts_the_majority_off():
    game = sit()
    for number in range(1, 9):
        turn(game, ("Ann", "Ben")[number % 2], number, nb.amend(number - 1, "Again.") if number > 1 else None)
    assert game.law["vote.quota"].value == 3
    game.forfeit("Cleo")
    turn(game, "Ann", 20)
    assert game.rules[-110].how == "automatic"  # those who have left are not waited for


@pytest.mark.rule("github-nomic", -110)
def test_transmuting_does_not_stop_it_and_repealing_does():
    game = sit()
    turn(game, "Ann", 1, nb.transmute(-110))
    assert two_turns_each(game, first=2) == 8
    assert game.rules[1].how == "automatic"
    assert game.law["vote.quota"].value == 2
    game = sit()
    turn(game, "Ann", 1, nb.repeal(-110))
    assert -110 not in game.rules
    assert 1 not in game.rules
    assert not any(rule.how == "automatic" for rule in game.rules)


@pytest.mark.rule("github-nomic", -110)
def test_the_vote_may_end_at_the_first_vote_against():
    game = sit("Ann", "Ben", "Cleo", "Dov")
    proposal = open_vote(game, "Ann", 1)
    game.vote("Ben", "against")
    assert proposal.outcome == "open"  # may, not must
    game.close_vote("Ann")
    assert proposal.outcome == "defeated"
    assert proposal.tally.not_voted == ("Ann", "Cleo", "Dov")


@pytest.mark.rule("github-nomic", -110)
def test_with_a_majority_it_may_end_once_one_side_has_it():
    game = sit("Ann", "Ben", "Cleo", "Dov", "Eva")
    number = two_turns_each(game)
    assert game.law["vote.quota"].value == 3
    proposal = open_vote(game, "Ann", number)
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    with refused(game, rule=-110):
        game.close_vote("Ann")
    game.vote("Cleo", "for")
    game.close_vote("Ann")
    assert proposal.outcome == "adopted"
    proposal = open_vote(game, "Ann", number + 1)
    for player in ("Ben", "Cleo", "Dov"):
        game.vote(player, "against")
    game.close_vote("Ann")
    assert proposal.outcome == "defeated"


@pytest.mark.rule("github-nomic", -110)
def test_a_tie_is_no_majority():
    game = sit("Ann", "Ben", "Cleo", "Dov")
    number = two_turns_each(game)
    assert turn(game, "Ann", number, against=("Cleo", "Dov")).outcome == "defeated"
    assert turn(game, "Ann", number + 1, against=("Dov",)).outcome == "adopted"


@pytest.mark.rule("github-nomic", -109)
def test_voting_against_what_wins_pays_once_it_can_win():
    game = sit()
    number = two_turns_each(game)
    before = scores(game)
    turn(game, "Ann", number, against=("Cleo",))
    assert scores(game)["Cleo"] == before["Cleo"] + 10
    assert [entry.rule for entry in game.ledger if entry.player == "Cleo"][-1] == -109
    turn(game, "Ben", number + 1, against=("Ann", "Cleo"))  # defeated: it pays nobody
    assert scores(game)["Cleo"] == before["Cleo"] + 10


@pytest.mark.rule("github-nomic", -109)
def test_whoever_comes_too_late_to_vote_against_gets_nothing():
    game = sit()
    number = two_turns_each(game)
    before = scores(game)
    proposal = open_vote(game, "Ann", number)
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    game.close_vote("Ann")
    assert proposal.outcome == "adopted"
    assert scores(game)["Cleo"] == before["Cleo"]
    assert scores(game)["Ann"] == before["Ann"] + number + 9  # all of the votes received


@pytest.mark.rule("github-nomic", -108)
def test_effective_when_the_vote_is_complete_and_before_the_score():
    game = sit()
    turn(game, "Ann", 1, nb.enact("Halves.", law="set proposal.score to 3\nprevails over -111"))
    assert scores(game)["Ann"] == 3


@pytest.mark.rule("github-nomic", -108)
def test_the_points_of_a_vote_are_paid_under_its_own_law():
    game = sit()
    number = two_turns_each(game)
    before = scores(game)
    turn(game, "Ann", number, nb.repeal(-109), against=("Cleo",))
    assert scores(game)["Cleo"] == before["Cleo"] + 10
    turn(game, "Ann", number + 1, against=("Ben",))
    assert scores(game)["Ben"] == before["Ben"]


@pytest.mark.rule("github-nomic", -107)
def test_defeat_costs_ten_on_top_of_the_score_and_without_a_floor():
    game = sit("Ann", "Ben", "Cleo", "Dov")
    turn(game, "Ann", 5, against=("Dov",))
    assert scores(game)["Ann"] == 1
    turn(game, "Ben", 6, against=game.players)
    assert scores(game)["Ben"] == -10


@pytest.mark.rule("github-nomic", -106)
def test_one_vote_each():
    game = sit()
    proposal = open_vote(game, "Ann", 1)
    game.vote("Ben", "against")
    with refused(game, match="Ben"):
        game.vote("Ben", "for")
    vote(game, 1)
    assert (proposal.tally.votes_for, proposal.tally.votes_against) == (2, 1)
    law(game, "Ben", 2, "set vote.weight to 2")
    assert game.law["vote.weight"].value == 1
    assert "at all times" in game.rules[-106].wording


@pytest.mark.rule("github-nomic", -105)
@pytest.mark.parametrize(("points", "over"), [(-200, False), (189, False), (190, True), (200, True)])
def test_two_hundred_wins(points, over):
    game = sit()
    turn(game, "Ann", 1, nb.enact("Here.", law=f'on enacted when rule == this: award {points} points to "Ann"'))
    assert game.over is over  # ten points more are the score of the proposal
    assert game.winner == ("Ann" if over else None)


@pytest.mark.rule("github-nomic", -105, -109)
def test_dissent_can_win_in_another_players_turn():
    game = sit()
    number = two_turns_each(game)
    turn(game, "Ann", number, nb.enact("Here.", law='on enacted when rule == this: award 215 points to "Ben"'))
    assert scores(game)["Ben"] == 195
    before = scores(game)["Ann"]
    turn(game, "Ann", number + 1, against=("Ben",))
    assert game.winner == "Ben"
    assert scores(game)["Ann"] == before  # her proposal is scored no more


@pytest.mark.rule("github-nomic", -104)
def test_no_more_than_twenty_five():
    game = sit(terms={"win.points": 10000})
    for number in range(1, 14):
        assert turn(game, game.players[number % 3], number).outcome == "adopted"
    before = scores(game)["Ann"]
    fourteenth = turn(game, "Ann", 14)
    assert fourteenth.outcome == "without effect"
    assert "-104" in str(game.proposals.frame.loc[14, "note"])
    assert scores(game)["Ann"] == before + 23  # adopted all the same
    assert len(numbers(game, "mutable")) == 25
    assert turn(game, "Ben", 15, nb.transmute(-204)).outcome == "without effect"
    assert turn(game, "Ben", 16, nb.repeal(13)).outcome == "adopted"
    assert turn(game, "Ben", 17, nb.transmute(-204)).outcome == "adopted"


@pytest.mark.rule("github-nomic", -103)
def test_lowest_number_then_claims_then_numbers_again():
    game = sit()
    law(game, "Ann", 1, "set win.points to 50")
    assert game.law["win.points"].rule == -105
    turn(game, "Ben", 2, nb.amend(1, law="set win.points to 60\nprevails over -105"))
    assert game.law["win.points"].rule == 2
    turn(game, "Cleo", 3, nb.amend(-105, law="set win.points to 200\nprevails over 2"))
    assert game.law["win.points"].rule == 2  # both claim: the lower number


@pytest.mark.rule("github-nomic", -102)
def test_a_judge_from_question_to_consent():
    game = sit("Ann", "Ben", "Cleo", "Dov")
    game.begin_turn("Ben")
    game.invoke_judgment("Cleo", "How is -111 to be applied?")
    game.choose("Ben", "Dov")
    game.rule_on("Dov", "As it says.", rests_on=[-111])
    for player, answer in (("Ann", "for"), ("Ben", "for"), ("Cleo", "against")):
        if player in waiting_for(game, "overrule"):
            game.overrule(player, answer)
    assert game.judgments[1].status == "stands"
    with refused(game, rule=-102):
        game.begin_turn("Cleo")
    game.consent("Ann")
    game.consent("Dov")
    game.begin_turn("Cleo")
    assert {one.player for one in game.state.turns} == {"Ben", "Cleo"}


@pytest.mark.rule("github-nomic", -101)
def test_the_first_who_cannot_complete_a_turn_wins():
    game = sit("Ann", "Ben")
    turn(game, "Ann", 1, nb.enact("A duty to vote.", law="set vote.duty to true"))
    turn(game, "Ben", 2, nb.enact("A dummy.", law=DUMMY))
    open_vote(game, "Ann", 3)
    open_vote(game, "Ben", 4)
    for number in (4, 3):
        for player in ("Ann", "Ben"):
            if not game.over:
                game.vote(player, "for", proposal=number)
    assert game.over
    assert game.winner == "Ann"  # whose turn began first
    assert "-101" in game.result
    assert scores(game)["Ann"] < 200


@pytest.mark.rule("github-nomic", -101)
def test_without_101_being_stuck_is_a_question():
    game = sit("Ann", "Ben")
    turn(game, "Ann", 1, nb.repeal(-101))
    turn(game, "Ben", 2, nb.enact("A duty to vote.", law="set vote.duty to true"))
    turn(game, "Ann", 3, nb.enact("A dummy.", law=DUMMY))
    open_vote(game, "Ann", 4)
    open_vote(game, "Ben", 5)
    for number in (4, 5):
        for player in ("Ann", "Ben"):
            game.vote(player, "for", proposal=number)
    assert not game.winners
    assert waiting_for(game, "choose") == ["Ann", "Ben"]


def test_scores_are_exact_numbers():
    game = sit(terms={"win.points": 10000})
    clauses = "on enacted when rule == this: award 1 / 3 points to playing"
    turn(game, "Ann", 1, nb.enact("A third for all.", law=clauses))
    assert game.scores["Ben"] == Fraction(1, 3)


@pytest.mark.rule("github-nomic", -111, -112)
@pytest.mark.parametrize("ended_by", ["automatic", "player"])
def test_a_turn_that_has_hardly_begun_is_not_ended(ended_by):
    game = sit("Ann", "Ben", "Cleo", "Dov")
    law = 'on said: roll 1 of 6 as face by player_named("Ann"); award face points to player\n'
    turn(game, "Ann", 1, nb.enact("A throw.", law=law + f'set turn.ended_by to "{ended_by}"'))
    if ended_by == "player":
        game.end_turn("Ann")
    game.begin_turn("Ann")
    game.begin_turn("Ben")
    game.say("Cleo", "Throw!")  # in no turn, so all turns wait for it
    game.begin_turn("Dov")
    assert waiting_for(game, "end_turn") == []
    with refused(game):
        game.end_turn("Dov")
    game.roll("Ann", 4)
    assert "Dov" in waiting_for(game, "propose")
