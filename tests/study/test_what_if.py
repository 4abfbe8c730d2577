"""What would have come of one ballot cast the other way, against games that are really played that way."""

from __future__ import annotations

import pytest
from play_helpers import ballot, put, sit, turn
from refusals import refused

import nomic_nb as nb
from nomic_nb.study.what_if import past_ballots, what_if

KIND = nb.enact("Be kind.")


def ballot_of(game, player, proposal):
    """The event in which a player cast the last ballot on a proposal."""
    return next(
        cast.event for cast in past_ballots(game.timeline) if (cast.player, cast.proposal) == (player, proposal)
    )


def test_a_vote_that_needs_everybody_fails_if_one_is_against():
    game = sit()
    turn(game, KIND)
    found = what_if(game.timeline, ballot_of(game, "Cleo", 301))
    other = sit()
    put(other, KIND, against=["Cleo"])
    assert found.after.proposals[301].status == other.state.proposals[301].status == "defeated"
    assert str(found) == (
        "If Cleo had voted against proposal 301, it would have failed instead, and the rest of the record would still "
        "fit."
    )


def test_a_second_ballot_against_changes_nothing():
    game = sit()
    turn(game, KIND, against=["Ann", "Ben"])
    told = str(what_if(game.timeline, ballot_of(game, "Cleo", 301)))
    assert told.startswith("If Cleo had voted against proposal 301, it would still have failed,")


def test_the_record_fits_until_an_act_that_needed_the_rule():
    game = sit()
    turn(game, nb.enact("Sweets are counted.", "track sweets per player from 0"))
    turn(game, nb.enact("Be patient."))
    turn(game, nb.amend(301, "Sweets and nuts are counted."))
    found = what_if(game.timeline, ballot_of(game, "Ben", 301))
    needed = next(event for event in game.timeline.events if event.data.get("number") == 303)
    assert found.misfit == needed
    assert f"no longer fits from event {needed.seq} on (“Cleo proposes 303: amend rule 301”)" in str(found)


def test_somebody_else_would_have_won_or_the_same_player_or_nobody():
    game = sit(terms={"win.points": 15})
    turn(game, nb.amend(203, law="set vote.quota to majority(vote.electorate)"), face=6)
    for at in range(2, 8):
        turn(game, nb.enact(f"Be kind in turn {at}."), face={1: 6, 2: 1, 0: 5}[at % 3])
    assert game.state.winners == ("Ann",)
    told = {player: str(what_if(game.timeline, ballot_of(game, player, 302))) for player in game.players}
    assert told["Cleo"] == (  # who gets 10 points for being against what passes (rule 204)
        "If Cleo had voted against proposal 302, it would still have passed, and Cleo would have won instead."
    )
    assert told["Ben"].endswith("it would still have passed, and Ann would still have won.")
    first = str(what_if(game.timeline, ballot_of(game, "Ben", 301)))
    assert first.endswith("it would have failed instead, and nobody would have won by the end of the record.")


@pytest.mark.parametrize("at", range(3))
def test_what_is_played_again_is_what_the_rules_make_of_the_same_acts(at):
    game = sit(terms={"win.points": 9})
    while not game.over:
        turn(game, nb.enact(f"Be kind in turn {game.turn}."), face=4)
    cast = past_ballots(game.timeline)[at]
    found, other = what_if(game.timeline, cast.event), sit(terms={"win.points": 9})
    for _ in range(game.turn):
        if other.over:
            break
        against = [cast.player] if other.turn == 1 else []
        turn(other, nb.enact(f"Be kind in turn {other.turn}."), against=against, face=4)
    assert found.after.winners == other.state.winners
    assert found.after.tables["points"] == other.state.tables["points"]


def test_the_game_stays_as_it_is_and_gets_no_branch():
    game = sit()
    turn(game, KIND)
    before = game.fingerprint
    what_if(game.timeline, ballot_of(game, "Ann", 301))
    assert (game.fingerprint, len(game.forks)) == (before, 0)


def test_ballots_that_were_undone_do_not_count_and_those_of_open_votes_do_not():
    game = sit()
    turn(game, KIND)
    game.undo(game.timeline.end_of_step(1))
    assert past_ballots(game.timeline) == []
    game.propose("Ann", KIND)
    game.vote("Ann", "for")
    assert past_ballots(game.timeline) == []
    with refused("ballot-not-reversible", ValueError, event=1):
        what_if(game.timeline, 1)


def test_no_ballot_is_reversed_while_others_are_sealed():
    game = sit()
    turn(game, nb.enact("Votes are secret.", 'set vote.ballots to "sealed"'))
    assert past_ballots(game.timeline)
    game.propose(game.player, KIND)
    assert past_ballots(game.timeline) == []
    ballot(game)
    assert {cast.proposal for cast in past_ballots(game.timeline)} == {301, 302}


def test_a_proposal_that_would_have_passed_without_effect_is_not_undecided() -> None:
    names = ["Ann", "Ben", "Cleo"]
    game = nb.new_game("github-nomic", names, seed=7)
    for number, name in ((7, "Ann"), (8, "Ben")):
        game.begin_turn(name)
        game.propose(name, nb.repeal(-106), number=number)
    for name in names:
        game.vote(name, "for", 7)
    for name in names:
        game.choose(name, '"stand"')
    for name in names:
        game.vote(name, "against" if name == "Cleo" else "for", 8)
    last = past_ballots(game.timeline)[-1]
    assert (last.player, last.proposal, game.proposals[8].outcome) == ("Cleo", 8, "defeated")
    told = "If Cleo had voted for proposal 8, it would have passed without effect instead, "
    assert str(what_if(game.timeline, last.event)).startswith(told)


# ------------------------------------------------------------------------------------------------- another roll


def rolls(game):
    """The events in which somebody rolled, in order."""
    return [event.seq for event in game.timeline.events_in_effect if event.do == "roll"]


@pytest.mark.parametrize("face", [1, 3, 6])
def test_another_roll_of_real_dice_is_what_the_rules_make_of_it(face):
    game, other = sit(terms={"win.points": 9}), sit(terms={"win.points": 9})
    for played, first in ((game, 4), (other, face)):
        while not played.over and played.turn < 7:
            turn(played, nb.enact(f"Be kind in turn {played.turn}."), face=first if played.turn == 1 else 4)
    found = game.what_if(rolls(game)[0], roll=face)
    assert found.after.winners == other.state.winners
    assert found.after.tables["points"] == other.state.tables["points"]
    assert found.verdict == ("same end" if other.winners == game.winners else "another winner")


def test_a_roll_by_the_game_can_be_another_one_and_later_rolls_stay():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    for _ in range(4):
        player = game.player
        game.propose(player, KIND if game.turn == 1 else nb.enact(f"Be kind in turn {game.turn}."))
        game.votes("for")
        game.roll(player)
    faces = [event.data["face"] for event in game.timeline.events if event.do == "roll"]
    face = next(one for one in range(1, 7) if one != faces[1])
    found = game.what_if(rolls(game)[1], roll=face)
    assert [event.data["face"] for event in found.branch.events if event.do == "roll"] == [faces[0], face, *faces[2:]]
    assert found.misfit is None
    assert str(found).startswith(f"If Ben had rolled {face} instead of {faces[1]} in turn 2, ")
    assert found.play().turn == game.turn
    assert found.play().timeline.on_trial


def test_a_roll_that_sets_off_other_dice_no_longer_fits():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    luck = "on thrown when face == 6 and player != none: roll 1 of 10 as bonus; award bonus points to player"
    game.propose("Ann", nb.enact("Luck.", luck))
    game.votes("for")
    assert game.proposals[301].outcome == "adopted"
    game.roll("Ann")
    game.propose("Ben", KIND)
    game.votes("for")
    game.roll("Ben")
    roll = rolls(game)[-1]
    assert game.timeline.events[roll - 1].data["face"] != 6
    found = game.what_if(roll, roll=6)
    assert (found.verdict, found.misfit.seq) == ("no longer fits", roll)


def test_what_cannot_be_another_ballot_or_roll_is_refused():
    game = sit()
    turn(game, KIND, face=4)
    vote, roll = ballot_of(game, "Ann", 301), rolls(game)[0]
    with refused("roll-not-changeable", ValueError, event=vote):
        game.what_if(vote, roll=3)
    with refused("roll-off-the-dice", ValueError, least=1, most=6):
        game.what_if(roll, roll=7)
    with refused("no-other-ballot", ValueError, choices="against"):
        game.what_if(vote, "abstain")
    with refused("ballot-and-roll", ValueError):
        game.what_if(vote, "against", 3)
    with refused("ballot-not-reversible", ValueError, event=roll):
        game.what_if(roll)


def test_an_abstention_is_another_ballot_where_rules_allow_it():
    game = sit()
    turn(game, nb.amend(203, law="set vote.quota to majority(vote.electorate)"))
    turn(game, nb.enact("Abstain.", 'set vote.choices to ["for", "against", "abstain"]'))
    turn(game, nb.enact("Be patient."), against=["Ann"])
    found = game.what_if(ballot_of(game, "Ben", 303), "abstain")
    assert str(found).startswith("If Ben had abstained on proposal 303, it would have failed instead,")
    assert found.after.proposals[303].vote.ballots["Ben"] == "abstain"


# ------------------------------------------------------------------------------------------------------ pivots


def pivotal(game, number):
    """Who decided a vote, by voter."""
    frame = game.pivots
    return frame[frame["proposal"] == number].set_index("voter")["pivotal"].to_dict()


def test_each_ballot_decides_a_vote_that_needs_everybody_and_the_only_one_against():
    game = sit()
    turn(game, KIND)
    turn(game, nb.enact("Be patient."), against=["Ben"])
    turn(game, nb.enact("Be calm."), against=["Ben", "Cleo"])
    assert pivotal(game, 301) == {"Ann": True, "Ben": True, "Cleo": True}
    assert pivotal(game, 302) == {"Ann": False, "Ben": True, "Cleo": False}
    assert not any(pivotal(game, 303).values())
    assert game.pivots["needed"].tolist() == [3] * 9
    assert game.pivots["passed"].tolist() == [True] * 3 + [False] * 6


def test_a_majority_of_one_has_pivotal_voters_and_a_larger_one_has_none():
    game = sit()
    turn(game, nb.amend(203, law="set vote.quota to majority(vote.electorate)"))
    turn(game, nb.enact("Be patient."), against=["Cleo"])
    turn(game, nb.enact("Be calm."))
    assert pivotal(game, 302) == {"Ann": True, "Ben": True, "Cleo": False}
    assert not any(pivotal(game, 303).values())


def test_votes_with_equal_ballots_are_decided_by_what_each_proposes():
    game = sit()
    turn(game, nb.amend(203, law="set vote.quota to majority(vote.electorate)"))
    adopted = 'set vote.adopted to votes_for >= (1 if change.kind == "repeal" else vote.quota)'
    turn(game, nb.transmute(104))
    turn(game, nb.amend(302, law=adopted))
    turn(game, KIND, against=game.players)
    turn(game, nb.repeal(206), against=game.players)
    assert not any(pivotal(game, 304).values())
    assert all(pivotal(game, 305).values())


@pytest.mark.parametrize("seed", range(4))
def test_a_pivotal_ballot_reversed_gives_another_result(seed):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=seed)
    nb.play(game, {name: nb.players.random(seed=seed + at) for at, name in enumerate(game.players)}, until=6)
    for _, row in game.pivots.dropna(subset=["event", "pivotal"]).iterrows():
        found = what_if(game.timeline, row["event"])
        status = {state: found_state.proposals[row["proposal"]].status for state, found_state in
                  (("before", found.before), ("after", found.after))}  # fmt: skip
        if status["after"] != "open" and found.misfit is None:
            passed = {state: one in ("adopted", "waiting", "without effect") for state, one in status.items()}
            assert (passed["before"] != passed["after"]) == row["pivotal"]


def test_whoever_did_not_vote_is_listed_without_a_ballot():
    game = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    game.begin_turn("Ann")
    game.propose("Ann", nb.repeal(-106), number=7)
    game.vote("Ann", "for", 7)
    game.vote("Ben", "against", 7)
    game.close_vote("Ann", 7)
    silent = game.pivots[game.pivots["ballot"].isna()]
    assert silent["voter"].tolist() == ["Cleo"]
    assert silent["event"].isna().all()
    assert silent["pivotal"].tolist() == [False]


def test_nobody_is_told_who_decides_while_ballots_are_sealed():
    game = sit()
    turn(game, nb.enact("Votes are secret.", 'set vote.ballots to "sealed"'))
    assert len(game.pivots) == 3
    game.propose(game.player, KIND)
    game.vote("Ann", "for")
    votes = game.pivots
    assert votes["pivotal"].isna().all()
    assert votes["ballot"].fillna("-").tolist()[3:] == ["sealed", "-", "-"]
