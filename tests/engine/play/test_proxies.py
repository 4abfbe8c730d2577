"""Voting for others, where a rule allows it: proxies, delegates, and what is refused."""

from __future__ import annotations

import json

import pytest
from panels.pages import Page
from play_helpers import law, open_up, refused, replayed, sit

import nomic_nb as nb
from nomic_nb.notebook.panels.view_model import ViewModels

PROXIES = """
track proxy per player as player from none
offer "name my proxy":
    let player choose friend from seats or none
    put proxy of player at friend
allow vote_for_other when other.proxy == player
"""


def voting(more="", **proxies):
    """A game in which players have named their proxies, and a vote is open."""
    game = sit()
    open_up(game, 105)
    law(game, PROXIES + more)
    for player, proxy in proxies.items():
        game.take(player, "name my proxy")
        game.choose(player, proxy)
    return game, game.propose(game.player, nb.enact("Hats are worn."))


def offered(game):
    return {one.player: one.options for one in game.pending if one.action == "vote_for_other"}


def test_a_proxy_casts_the_ballot_of_another_which_counts_once(tmp_path):
    game, made = voting(Cleo="Ben")
    assert offered(game) == {"Ben": ("Cleo: for", "Cleo: against")}
    assert not any(one.must for one in game.pending if one.action == "vote_for_other")
    Page(game, "Ben").act("vote_for_other", ballot="Cleo: for", proposal=made.number)
    vote = game.state.proposals[made.number].vote
    assert (vote.ballots, vote.proxies, vote.weight_of_side("for")) == ({"Cleo": "for"}, {"Cleo": "Ben"}, 1)
    assert offered(game) == {}
    told = game.history["what"].tolist()
    assert f"Ben votes for Cleo on proposal {made.number}" in told
    assert f"Cleo votes for proposal {made.number}, through Ben" in told
    assert "Cleo (through Ben)" in str(made.tally)
    assert ViewModels(game).current_view().table["proposals"][str(made.number)]["vote"]["through"] == {"Cleo": "Ben"}
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    assert made.outcome == "adopted"
    replayed(game, tmp_path)


def test_without_a_rule_nobody_votes_for_another():
    game = sit()
    game.propose(game.player, nb.enact("Hats are worn."))
    assert offered(game) == {}
    with refused(game, "no-voting-for-other"):
        game.vote_for_other("Ben", "Cleo: for")


@pytest.mark.parametrize(
    ("player", "ballot", "why"),
    [
        ("Ben", "Ben: for", "it is your own; use vote"),
        ("Ann", "Cleo: for", "no rule allows that ballot now"),
        ("Ben", "Cleo: abstain", "no rule allows that ballot now"),
        ("Ben", "Nobody: for", "no rule allows that ballot now"),
        ("Ben", "for", "no rule allows that ballot now"),
        ("Ben", ["Cleo"], "no rule allows that ballot now"),
    ],
)
def test_who_may_not_is_refused(player, ballot, why):
    game, _ = voting(Cleo="Ben")
    with refused(game, "no-voting-for-other", why=why):
        game.vote_for_other(player, ballot)


def test_players_do_not_vote_for_each_other_in_a_ring():
    game, _ = voting(Ann="Ben", Ben="Cleo", Cleo="Ann")
    game.vote_for_other("Ben", "Ann: for")
    game.vote_for_other("Cleo", "Ben: for")
    assert offered(game) == {}
    with refused(game, "no-voting-for-other", why="Cleo has voted for Ann"):
        game.vote_for_other("Ann", "Cleo: for")
    game.vote("Cleo", "for")


def test_such_a_ballot_stands_like_ones_own():
    game, _ = voting(Cleo="Ben")
    game.vote("Cleo", "against")
    with refused(game, "no-voting-for-other"):
        game.vote_for_other("Ben", "Cleo: for")
    game, _ = voting(Cleo="Ben")
    game.vote_for_other("Ben", "Cleo: for")
    with refused(game, "voted-already"):
        game.vote("Cleo", "against")


def test_where_ballots_can_be_changed_its_owner_takes_it_back():
    game, made = voting("set vote.changeable to true", Cleo="Ben")
    game.vote_for_other("Ben", "Cleo: for")
    assert offered(game) == {"Ben": ("Cleo: against",)}
    game.vote("Cleo", "against")
    vote = game.state.proposals[made.number].vote
    assert (vote.ballots, vote.proxies) == ({"Cleo": "against"}, {})


def test_a_proxy_is_bound_by_what_the_rules_forbid_the_voter():
    game, _ = voting('forbid vote when ballot == "against" and player.name == "Cleo"\nprevails over everything',
                     Cleo="Ben")  # fmt: skip
    assert offered(game) == {"Ben": ("Cleo: for",)}


def test_a_sealed_ballot_stays_sealed():
    game, made = voting('set vote.ballots to "sealed"', Cleo="Ben")
    game.vote_for_other("Ben", "Cleo: against")
    view = ViewModels(game).current_view()
    seen = json.dumps([view.table["proposals"], view.table["news"]]) + game.history.to_string()
    assert "votes against" not in seen
    assert "Cleo: against" not in seen
    assert made.ballots == {"Cleo": "sealed"}


def test_rules_answer_to_it():
    game, _ = voting("on voted_for_other: award -2 points to player\n"
                     "on balloted when player.name == \"Cleo\": award 5 points to player", Cleo="Ben")  # fmt: skip
    before = dict(game.scores["points"]) if "points" in game.scores else None
    game.vote_for_other("Ben", "Cleo: for")
    after = game.counters["points"]
    assert before is None or (after["Ben"], after["Cleo"]) == (before["Ben"] - 2, before["Cleo"] + 5)


def test_machines_are_offered_it():
    game, _ = voting(Cleo="Ben")
    (decision,) = [one for one in game.pending if one.action == "vote_for_other"]
    assert decision.ways()[0] == {"ballot": "Cleo: for", "proposal": decision.proposal}
