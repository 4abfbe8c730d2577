"""GitHub Nomic, its mutable rules one by one."""

from fractions import Fraction

import pytest
from github_helpers import law, numbers, open_vote, sit, turn, two_turns_each, vote
from play_helpers import refused, scores, waiting_for

import nomic_nb as nb

DUMMY = 'on enacted when rule == this: enter player "D" as dummy'  # its ballot never comes


@pytest.mark.rule("github-nomic", -112)
def test_turns_begin_at_will_and_overlap():
    game = sit()
    assert scores(game) == {"Ann": 0, "Ben": 0, "Cleo": 0}
    assert waiting_for(game, "begin_turn") == ["Ann", "Ben", "Cleo"]
    game.begin_turn("Cleo")
    game.begin_turn("Ann")
    assert {one.player for one in game.state.turns} == {"Ann", "Cleo"}
    for player in ("Ann", "Cleo"):
        with refused(game, "not-allowed", rule=-112):
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
    with refused(game, "several-votes", proposals="1, 2"):
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
    with refused(game, "turns-begin-by-themselves"):
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
def test_a_proposal_without_a_vote_has_no_share_and_nobody_is_asked():
    game = sit()
    turn(game, "Ann", 1, silent=game.players)
    assert not game.state.questions
    assert game.why("vote.share", proposal=1).value == 0


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
    with refused(game, "not-allowed", rule=-110):
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
    with refused(game, "voted-already", player="Ben"):
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
    with refused(game, "judgment-without-consent", rule=-102):
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
