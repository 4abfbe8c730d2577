"""Sealed ballots are seen once their vote is closed, and what reviews and documents say of it."""

from __future__ import annotations

import json

import pytest
from panels.pages import Page

import nomic_nb as nb
from nomic_nb.notebook.documents import to_notebook
from nomic_nb.notebook.show import show_html

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
    tallies = [f"{one} {one.tally} {one.ballots} {show_html(one)}" for one in game.proposals]
    frames = [game.history.to_json(), game.story.to_json(), game.ballots.to_json(), game.proposals.frame.to_json()]
    shown = [
        str(game.latest(50)),
        show_html(game),
        show_html(game.proposals),
        str(game.forks),
        show_html(game.forks),
        show_html(game.rules),
    ]
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
@pytest.mark.slow
def test_whatever_was_voted_the_same_is_shown(moment: str) -> None:
    shown = [everything(MOMENTS[moment](voting(*ballots))) for ballots in WAYS]
    assert all(one == shown[0] for one in shown)


def test_the_record_has_them_in_plain_and_saving_says_so(tmp_path, capsys) -> None:
    game = voting()
    game.save(tmp_path / "game.jsonl")
    assert '"ballot":"against"' in (tmp_path / "game.jsonl").read_text()
    assert set(nb.load(tmp_path / "game.jsonl").ballots["ballot"]) == {"sealed"}
    said = "The record has sealed answers (301) in plain text. Don’t show it to anyone who mustn’t see them yet."
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
