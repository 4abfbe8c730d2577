"""Ballots that one call casts together: whose they are, all or none of them, and one act for undo and forks."""

from __future__ import annotations

import pytest
from play_helpers import law, refused, sit

import nomic_nb as nb
from nomic_nb.notebook.live.cells import CELL_WATCH

OPENS = nb.enact("Be kind.")


@pytest.fixture
def game():
    game = sit("Ann", "Ben", "Cleo")
    game.propose("Ann", OPENS)
    return game


def test_whoever_is_not_named_votes_for(game):
    proposal = game.votes(against=["Cleo"])
    assert proposal.ballots == {"Cleo": "against", "Ann": "for", "Ben": "for"}
    assert proposal.outcome == "defeated"
    assert proposal.notes == ()


def test_one_name_is_no_list_of_letters(game):
    assert game.votes("against", in_favour="Ann").ballots == {"Ann": "for", "Ben": "against", "Cleo": "against"}


def test_nobody_else_votes_where_others_is_none(game):
    assert game.votes(None, against="Ben", in_favour=["Ann"]).ballots == {"Ben": "against", "Ann": "for"}
    assert game.votes().ballots == {"Ben": "against", "Ann": "for", "Cleo": "for"}


def test_the_events_are_those_of_single_votes(game):
    other = sit("Ann", "Ben", "Cleo")
    other.propose("Ann", OPENS)
    for name, ballot in (("Cleo", "against"), ("Ann", "for"), ("Ben", "for")):
        other.vote(name, ballot)
    game.votes(against="Cleo")
    assert game.timeline.events == other.timeline.events
    assert game.state.digest() == other.state.digest()


def test_nobody_votes_for_a_player_who_is_away(game):
    game.host.absent("Ben")
    proposal = game.votes()
    assert proposal.ballots == {"Ann": "for", "Cleo": "for"}
    assert proposal.outcome == "open"
    assert [note.code if hasattr(note, "code") else note for note in proposal.notes] == [
        "Ben is away, so nobody votes for them."
    ]
    assert "Ben is away" in str(proposal)
    assert "Ben is away" in proposal._repr_html_()
    with refused(game, "is-absent", player="Ben"):
        game.votes()
    with refused(game, "is-absent", player="Ben"):
        game.votes(against="Ben")


def test_a_vote_that_closes_early_leaves_the_rest_out_and_the_result_says_so():
    game = sit("Ann", "Ben", "Cleo")
    law(game, "set vote.quota to majority(vote.electorate)\nset vote.ends_early to true\nprevails over 203")
    proposal = game.propose("Ben", OPENS)
    cast = game.votes()
    assert proposal.outcome == "adopted"
    assert cast.ballots == {"Ann": "for", "Ben": "for"}
    assert cast.notes == ("The vote closed before Cleo could vote.",)
    game.roll("Ben", 1)
    game.propose("Cleo", OPENS)
    assert game.votes(against="Cleo").ballots == {"Cleo": "against", "Ann": "for", "Ben": "for"}


def test_sealed_ballots_stay_sealed():
    game = sit("Ann", "Ben", "Cleo")
    law(game, 'set vote.ballots to "sealed"')
    game.propose("Ben", OPENS)
    shown = game.votes(None, against="Cleo", in_favour="Ann")
    assert set(shown.ballots.values()) == {"sealed"}
    assert "votes against" not in str(game.history["what"].tolist())
    assert game.votes().ballots["Cleo"] == "against"  # all ballots are in


def test_an_abstention_is_cast_where_a_rule_allows_it(game):
    with refused(game, "not-one-of"):
        game.votes(abstain="Ben")
    other = sit("Ann", "Ben", "Cleo")
    law(other, 'set vote.choices to ["for", "against", "abstain"]')
    other.propose("Ben", OPENS)
    assert other.votes(abstain="Ben").ballots == {"Ben": "abstain", "Ann": "for", "Cleo": "for"}


def test_a_part_of_a_vote_that_is_needed_is_read_as_a_whole_vote() -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo", "Dan"], seed=7)
    law = "set vote.quota to 2/3 * count(players)\nset vote.quorum to 5/2"
    game.propose("Ann", nb.amend(203, "Two thirds.", law=law))
    game.votes()
    game.roll("Ann", 1)
    game.propose("Ben", OPENS)
    tally = game.proposals[302].tally
    assert (tally.quota, tally.quorum) == (3, 3)
    sentences = [str(game.review("Ben", OPENS)), str(tally), tally._repr_html_(), game.seat("Ann").view().text()]
    assert all("3 of 4" in sentence or "3 needed" in sentence for sentence in sentences)
    game.votes(against=["Cleo", "Dan"])
    for sentence in (*sentences, *game.history.what, game.to_markdown()):
        assert "8/3" not in sentence
        assert "5/2" not in sentence.replace("set vote.quorum to 5/2", "")


def test_of_several_votes_the_one_that_is_meant_has_to_be_named():
    game = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    for number, name in enumerate(("Ann", "Ben"), 1):
        game.begin_turn(name)
        game.propose(name, nb.enact(f"Rule by {name}."), number=number)
    with refused(game, "several-votes", proposals="1, 2"):
        game.votes()
    assert game.votes(proposal=2).number == 2
    assert game.votes(against="Ann").number == 1  # the only one on which somebody can still vote


@pytest.mark.parametrize(
    ("call", "code", "values"),
    [
        ({"against": ["Bem"]}, "not-a-player", {"near": "Ben"}),
        ({"against": ["Ben", "Ben"]}, "voter-named-twice", {"player": "Ben"}),
        ({"against": "Ben", "in_favour": "Ben"}, "voter-named-twice", {"player": "Ben"}),
        ({"proposal": 999}, "proposal-unknown", {"proposal": 999}),
        ({"others": "maybe"}, "not-one-of", {}),
        ({"others": None}, "votes-of-nobody", {}),
        ({"against": 3}, "argument-of-another-kind", {"name": "against"}),
    ],
)
def test_what_cannot_be_cast_is_refused_whole(game, call, code, values):
    with refused(game, code, **values):
        game.votes(**call)


def test_one_ballot_that_is_refused_refuses_all(game):
    game.vote("Cleo", "for")
    with refused(game, "voted-already", rule="K2", opens="Ann: vote", player="Cleo") as caught:
        game.votes(against=["Ben", "Cleo"])
    assert str(caught.value).startswith("no ballot is cast: Cleo has already voted")


def test_no_vote_is_open(game):
    game.votes()
    with refused(game, "no-vote-open"):
        game.votes()
    with refused(game, "vote-not-open", proposal=301):
        game.votes(proposal=301)
    with refused(game.at(5), "game-as-it-stood"):
        game.at(5).votes()


def test_who_votes_only_in_their_own_turn_is_left_out():
    game = sit("Ann", "Ben", "Cleo")
    law(game, 'set vote.when to "own turn"')
    game.propose("Ben", OPENS)
    assert game.votes().ballots == {"Ben": "for"}
    with refused(game, "votes-in-own-turn"):
        game.votes()


def test_a_rule_that_reacts_to_each_ballot_does():
    game = sit("Ann", "Ben", "Cleo")
    law(game, "on balloted: award 1 points to player")
    before = game.scores.copy()
    game.propose("Ben", OPENS)
    game.votes()
    assert (game.scores - before).tolist() == [1, 1, 1]


def test_a_ballot_that_raises_a_question_lets_none_be_cast():
    game = sit("Ann", "Ben", "Cleo")
    law(game, 'on balloted when player == player_named("Ann"): put points of player at 1 / (turn - turn)')
    game.propose("Ben", OPENS)
    with refused(game, "question-open"):
        game.votes()
    game.vote("Ann", "for")
    assert game.state.questions


# ------------------------------------------------------------------------------------------------------- one act


def test_undo_takes_back_all_of_them_and_nothing_else(game):
    before = game.state.digest()
    game.votes(against="Cleo")
    game.undo()
    assert game.proposals[301].ballots == {}
    assert game.state.replace(seq=game.state.seq) is not None
    assert game.at(game.state.seq - 1).proposals[301].outcome == "defeated"
    game.votes()
    assert game.proposals[301].outcome == "adopted"
    game.undo()
    game.undo()
    assert len(game.proposals) == 0
    assert before != game.state.digest()


def test_a_single_ballot_is_undone_by_itself(game):
    game.vote("Ann", "for")
    game.votes()
    game.undo()
    assert game.proposals[301].ballots == {"Ann": "for"}
    game.undo()
    assert game.proposals[301].ballots == {}


def test_no_fork_and_no_undo_ends_between_them(game):
    start = game.state.seq
    game.votes()
    end = game.timeline.end_of_step(game.state.seq)
    assert game.fork(at=start).proposals[301].ballots == {}
    fork = game.fork(at=start + 1)
    assert fork.state.seq == end
    assert fork.proposals[301].outcome == "adopted"
    with refused(game, "inside-an-act", opens=f"undo to {start}", event=start + 1):
        game.undo(start + 1)
    fork.undo()
    assert fork.proposals[301].ballots == {}
    assert game.proposals[301].outcome == "adopted"


def test_a_game_that_is_loaded_has_each_ballot_as_a_step(game, tmp_path):
    game.votes()
    game.save(tmp_path / "game.jsonl")
    loaded = nb.load(tmp_path / "game.jsonl")
    assert loaded.state.digest() == game.state.digest()
    loaded.undo()
    assert loaded.proposals[301].ballots == {"Ann": "for", "Ben": "for"}


def test_ballots_that_were_cast_one_by_one_are_no_act_of_several_steps(game):
    for name in game.players:
        game.vote(name, "for")
    assert CELL_WATCH.act_around(game.timeline, game.state.seq) is None
