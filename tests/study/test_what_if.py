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
