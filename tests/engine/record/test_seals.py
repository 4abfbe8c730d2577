"""Sealed ballots are seen once their vote is closed in the play that stands, and nowhere before."""

from __future__ import annotations

import pytest
from play_helpers import law, sit

import nomic_nb as nb
from nomic_nb.engine.play.loop import perform_step
from nomic_nb.engine.record.seals import current_seals


def voting(first: str = "for", second: str = "against") -> nb.Game:
    """Return a game with a sealed vote in which two of three have voted."""
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, terms={"vote.ballots": "sealed"})
    game.propose("Ann", nb.amend(208, "Whoever has 60 points first wins.", "set win.points to 60"))
    game.vote("Ann", first)
    game.vote("Ben", second)
    return game


def test_a_closed_vote_is_shown() -> None:
    game = voting()
    game.vote("Cleo", "for")
    assert list(game.ballots["ballot"]) == ["for", "against", "for"]
    assert "Ben votes against proposal 301" in game.history["what"].tolist()
    assert game.proposals[301].tally.votes_for == 2
    assert game.proposals.frame.loc[301, "votes_against"] == 1
    assert "Failed: 2 for, 1 against" in str(game.proposals[301])
    other = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    assert current_seals(game.timeline) == current_seals(other.timeline)


def test_a_close_that_was_taken_back_seals_again_until_the_next_one() -> None:
    game = voting()
    before = game.state.seq
    game.vote("Cleo", "for")
    after = game.state.seq
    past = game.at(after)
    assert past.proposals[301].ballots == {"Ann": "for", "Ben": "against", "Cleo": "for"}
    game.undo(before)
    assert set(past.ballots["ballot"]) == {"sealed"}
    assert past.proposals[301].tally.votes_for is None
    assert "ballots sealed" in past.proposals[301].tally.verdict
    hidden = game.history.loc[before + 3 : after]
    assert set(hidden["kind"]) == {"sealed"}
    assert set(hidden["what"]) == {"hidden until the vote on 301 closes"}
    assert not hidden["data"].any()
    assert hidden[["actor", "part", "rule"]].isna().all(axis=None)
    assert not [text for text in game.latest(50) if "defeated" in text or "not shown" in text]
    game.vote("Cleo", "against")
    assert list(game.ballots["ballot"]) == ["for", "against", "against"]
    assert "Cleo votes for proposal 301" in game.history["what"].tolist()  # the ballot that was taken back
    assert past.proposals[301].ballots == {"Ann": "for", "Ben": "against", "Cleo": "for"}


def test_going_back_to_a_moment_after_the_close_opens_them() -> None:
    game = voting()
    before = game.state.seq
    game.vote("Cleo", "for")
    closed = game.state.seq
    game.undo(before)
    game.undo(closed)
    assert list(game.ballots["ballot"]) == ["for", "against", "for"]
    assert not current_seals(game.timeline).telling


def test_a_fork_played_on_shows_no_ballot_before_the_game_does() -> None:
    game = voting()
    fork = game.fork()
    inner = fork.fork()
    for one in (fork, inner):
        one.vote("Cleo", "for")
        assert one.proposals[301].outcome == "defeated"
        assert set(one.ballots["ballot"]) == {"sealed"}
        assert one.proposals[301].tally.votes_for is None
        assert "Failed: ballots sealed; 3 of 3 in favour are needed" in str(one.proposals[301].tally)
        assert one.proposals.frame.loc[301, "votes_for"] is None
        assert not [text for text in one.history["what"] if "for 301" in text or "against 301" in text]
    assert "Cleo votes on 301 (sealed)" in str(game.forks)
    game.vote("Cleo", "against")
    for one in (fork, inner):
        assert one.proposals[301].ballots == {"Ann": "for", "Ben": "against", "Cleo": "for"}
    game.undo()
    assert set(inner.ballots["ballot"]) == {"sealed"}


def test_a_vote_that_only_the_fork_holds_is_its_own() -> None:
    game = voting()
    game.vote("Cleo", "against")
    fork = game.fork()
    fork.roll("Ann")
    fork.propose("Ben", nb.repeal(211))
    fork.vote("Ann", "against")
    game.roll("Ann")
    game.propose("Ben", nb.repeal(211))
    assert set(fork.proposals[302].ballots.values()) == {"sealed"}
    fork.vote("Ben", "for")
    fork.vote("Cleo", "for")
    assert fork.proposals[302].ballots == {"Ann": "against", "Ben": "for", "Cleo": "for"}


@pytest.mark.parametrize(
    ("clauses", "said"),
    [
        ('on said when text == "go": let seats choose guess from any text in secret', "sealed answers (question 1)"),
        ('track gold per player from 0 hidden\non said when text == "go": award 3 gold to player', "hidden numbers"),
    ],
)
def test_saving_says_that_other_secrets_are_readable(tmp_path, capsys, clauses, said) -> None:
    game = sit()
    law(game, clauses)
    game.say("Ann", "go")
    if "secret" in clauses:
        game.choose("Ann", "owl")
    capsys.readouterr()
    game.save(tmp_path / "game.jsonl")
    assert f"The record has {said} in plain text" in capsys.readouterr().out


def test_an_open_vote_is_shown_at_once() -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    game.propose("Ann", nb.repeal(211))
    game.vote("Ann", "against")
    assert game.proposals[301].ballots == {"Ann": "against"}
    assert list(game.ballots["ballot"]) == ["against"]


def test_a_vote_that_is_tried_where_the_law_does_not_decide() -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, terms={"vote.ballots": "sealed"})
    game.propose("Ann", nb.repeal(211))
    game.vote("Ann", "for")
    shown = {}
    for ballot in ("for", "against"):
        other = game.fork()
        did = "vote", {"ballot": ballot}
        tried = perform_step(other.state, 7, did, lambda engine: engine.emit("attempted", "Ann"))
        other.timeline.moments += tried
        shown[ballot] = other.history.to_json()
    assert shown["for"] == shown["against"]
    assert '"ballot":"sealed"' in shown["for"]
