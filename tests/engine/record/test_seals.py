"""Sealed ballots are seen once their vote is closed in the play that stands, and nowhere before."""

from __future__ import annotations

import json

import pytest
from panels.pages import Page
from play_helpers import law, sit

import nomic_nb as nb
from nomic_nb.engine.play.loop import perform_step
from nomic_nb.engine.record.seals import seals
from nomic_nb.notebook.documents import to_notebook
from nomic_nb.notebook.show import html

WAYS = [(one, two) for one in ("for", "against") for two in ("for", "against")]


def voting(first: str = "for", second: str = "against") -> nb.Game:
    """Return a game with a sealed vote in which two of three have voted."""
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, terms={"vote.ballots": "sealed"})
    game.propose("Ann", nb.amend(208, "Whoever has 60 points first wins.", "set win.points to 60"))
    game.vote("Ann", first)
    game.vote("Ben", second)
    return game


def everything(game: nb.Game) -> str:
    """Return all that a game shows, but for the raw state and for what the rules made of the outcome."""
    tallies = [f"{one} {one.tally} {one.ballots} {html(one)}" for one in game.proposals]
    frames = [game.history.to_json(), game.ballots.to_json(), game.proposals.frame.to_json()]
    shown = [str(game.latest(50)), html(game), html(game.proposals), str(game.forks), html(game.forks)]
    documents = [str(game.to_html()), str(game.to_markdown()), json.dumps(to_notebook(game))]
    return "\n".join([*tallies, *frames, game.rules.versions.to_json(), *shown, *documents])


def undone(game: nb.Game) -> nb.Game:
    before = game.state.seq
    game.vote("Cleo", "against")  # which defeats it, whatever the others said
    game.undo(before)
    return game


def undone_to_the_start(game: nb.Game) -> nb.Game:
    game.vote("Cleo", "against")
    game.undo(7)
    return game


def at_an_earlier_moment(game: nb.Game) -> nb.Game:
    before = game.state.seq
    game.vote("Cleo", "against")
    return game.at(before)


def with_a_fork(game: nb.Game) -> nb.Game:
    game.fork().vote("Cleo", "against")
    return game


MOMENTS = {
    "open": lambda game: game,
    "a ballot taken back": lambda game: (game.undo(), game)[1],
    "closed, and that taken back": undone,
    "all of it taken back": undone_to_the_start,
    "an earlier moment": at_an_earlier_moment,
    "with a fork": with_a_fork,
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_whatever_was_voted_the_same_is_shown(moment: str) -> None:
    shown = [everything(MOMENTS[moment](voting(*ballots))) for ballots in WAYS]
    assert all(one == shown[0] for one in shown)


def test_a_closed_vote_is_shown() -> None:
    game = voting()
    game.vote("Cleo", "for")
    assert list(game.ballots["ballot"]) == ["for", "against", "for"]
    assert "Ben votes against 301" in game.history["what"].tolist()
    assert game.proposals[301].tally.votes_for == 2
    assert game.proposals.frame.loc[301, "votes_against"] == 1
    assert "Defeated: 2 for, 1 against" in str(game.proposals[301])
    assert seals(game.timeline) == seals(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1).timeline)


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
    assert set(hidden["what"]) == {"not shown until the vote on 301 is closed"}
    assert not hidden["data"].any()
    assert hidden[["actor", "part", "rule"]].isna().all(axis=None)
    assert not [text for text in game.latest(50) if "defeated" in text or "not shown" in text]
    game.vote("Cleo", "against")
    assert list(game.ballots["ballot"]) == ["for", "against", "against"]
    assert "Cleo votes for 301" in game.history["what"].tolist()  # the ballot that was taken back
    assert past.proposals[301].ballots == {"Ann": "for", "Ben": "against", "Cleo": "for"}


def test_going_back_to_a_moment_after_the_close_opens_them() -> None:
    game = voting()
    before = game.state.seq
    game.vote("Cleo", "for")
    closed = game.state.seq
    game.undo(before)
    game.undo(closed)
    assert list(game.ballots["ballot"]) == ["for", "against", "for"]
    assert not seals(game.timeline).telling


def test_a_fork_played_on_shows_no_ballot_before_the_game_does() -> None:
    game = voting()
    fork = game.fork()
    inner = fork.fork()
    for one in (fork, inner):
        one.vote("Cleo", "for")
        assert one.proposals[301].outcome == "defeated"
        assert set(one.ballots["ballot"]) == {"sealed"}
        assert one.proposals[301].tally.votes_for is None
        assert "Defeated: ballots sealed; 3 of 3 in favour are needed" in str(one.proposals[301].tally)
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


def test_the_record_has_them_in_plain_and_saving_says_so(tmp_path, capsys) -> None:
    game = voting()
    game.save(tmp_path / "game.jsonl")
    assert '"ballot":"against"' in (tmp_path / "game.jsonl").read_text()
    assert set(nb.load(tmp_path / "game.jsonl").ballots["ballot"]) == {"sealed"}
    said = "The record has sealed answers (301) in plain text: give it to nobody who must not see them yet."
    assert capsys.readouterr().out.strip() == said
    assert Page(game).send({"id": "r", "ask": "record"})["said"] == said


def test_saving_says_nothing_when_nothing_is_hidden(tmp_path, capsys) -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, terms={"vote.ballots": "sealed"})
    game.propose("Ann", nb.repeal(211))
    game.save(tmp_path / "before a ballot.jsonl")
    for name in game.players:
        game.vote(name, "for")
    game.save(tmp_path / "after the vote.jsonl")
    assert capsys.readouterr().out == ""
    assert Page(game).send({"id": "r", "ask": "record"})["said"] == ""


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
