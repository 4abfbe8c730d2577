"""An error in the kit itself ends no game: the clause at work is left out, and the players are asked."""

from __future__ import annotations

import logging
import random
from contextlib import contextmanager
from dataclasses import replace
from unittest import mock

import pytest
import refusals
from play_helpers import adopt, idle, law, put, refused, sit, waiting_for

import nomic_nb as nb
from nomic_nb.engine.law.faults import KitFault
from nomic_nb.engine.play import ledger, vote_rules
from nomic_nb.engine.play.declarations import EVENT_KINDS
from nomic_nb.engine.subjects import votes
from nomic_nb.study.playouts import BrokenGame, Playout, _answer_decision

pytestmark = pytest.mark.usefixtures("planted")
KINDS_OF_ERROR = (LookupError, KeyError, TypeError, ValueError, RecursionError, AssertionError)


def failing(error=KeyError, only=lambda *_: True, real=None):
    """A function that fails where it is called, or only in some cases."""

    def fail(*args, **kwargs):
        if only(*args):
            raise error("planted")
        return real(*args, **kwargs)

    return fail


def counters_fail(number, error=KeyError):
    """Effects of a rule that change a counter fail meanwhile."""
    return mock.patch.object(
        ledger,
        "targeted_places",
        failing(error, lambda engine, _: engine.number_of_rule_at_work == number, ledger.targeted_places),
    )


def majority_fails(error=TypeError):
    """The function of the vocabulary fails meanwhile."""
    return mock.patch.object(vote_rules, "lcm", failing(error))


@contextmanager
def fold_fails(kind, error=KeyError):
    """What an event does to the state fails meanwhile."""
    with mock.patch.dict(EVENT_KINDS, {kind: replace(EVENT_KINDS[kind], fold=failing(error))}):
        yield


@pytest.fixture
def replays(tmp_path, planted):
    """The record of a game plays again to the same state, and the error is in the log."""

    def same(game):
        game.save(tmp_path / "game.jsonl")
        assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()
        assert "planted" in planted.text

    return same


@pytest.fixture
def planted(caplog):
    """What developers find in the log."""
    caplog.set_level(logging.DEBUG, logger="nomic_nb")
    return caplog


def answered(game, said="We let it be."):
    """All agree on an answer."""
    while voters := waiting_for(game, "choose"):
        game.choose(voters[0], said)


def asked(game, number):
    """What the players are asked; it names the rule and blames the kit."""
    (question,) = game.state.questions
    assert f"rule {number}" in question.text
    assert "because of an error in nomic_nb" in question.text
    return question.text


@pytest.mark.parametrize("error", KINDS_OF_ERROR)
def test_an_effect_that_fails_is_left_out_and_the_players_are_asked(error, replays):
    game = sit()
    number = law(game, 'on balloted when ballot == "against": (award 1 points to player; put points of player at 3)')
    proposal = game.propose("Ben", nb.enact("Let it rain."))
    with counters_fail(number, error):
        game.vote("Ben", "against")
        text = asked(game, number)
        assert "on balloted" in text
        assert game.scores["Ben"] == 0
        replays(game)
    replays(game)
    answered(game)
    game.vote("Ann", "for")
    game.vote("Cleo", "for")
    assert proposal.outcome == "defeated"
    replays(game)


def test_players_are_asked_once_about_a_version_of_a_rule_that_fails(replays):
    game = sit()
    number = law(game, "on balloted: put points of player at 3")
    game.propose("Ben", nb.enact("Let it rain."))
    with counters_fail(number):
        game.vote("Ben", "for")
        asked(game, number)
        answered(game)
        game.vote("Ann", "for")
        assert not game.state.questions
        assert game.timeline.events[-1].kind == "failed"
    game.vote("Cleo", "against")
    assert game.scores["Cleo"] == 3
    replays(game)


@pytest.mark.parametrize("kind", ["counted", "announced"])
def test_an_event_that_cannot_be_folded_leaves_its_clause_out(kind, replays):
    game = sit()
    number = law(game, 'on balloted: (announce "Hear, hear."; put points of player at 3)')
    game.propose("Ben", nb.enact("Let it rain."))
    with fold_fails(kind):
        game.vote("Ben", "for")
        asked(game, number)
        assert not any(event.kind == "announced" for event in game.timeline.events)
    replays(game)


def test_a_term_that_fails_gives_no_answer_and_the_players_are_asked(replays):
    game = sit()
    proposal = adopt(game, nb.amend(203, law="set vote.quota to majority(vote.electorate)"))
    game.roll(game.player, 1)
    with majority_fails():
        game.propose(game.player, nb.enact("Let it rain."))
        (question,) = game.state.questions
        assert question.key == "vote.quota"
        assert f"rule {proposal.number}" in question.text.lower()
        assert "because it fails because of an error in nomic_nb" in question.text
        answered(game, "2")
        assert waiting_for(game, "vote")
    replays(game)


def test_a_condition_of_a_trigger_that_fails_leaves_the_clause_out(replays):
    game = sit()
    number = law(game, "on balloted when majority(playing) > 1: put points of player at 3")
    game.propose("Ben", nb.enact("Let it rain."))
    with majority_fails():
        game.vote("Ben", "for")
        asked(game, number)
        replays(game)
    replays(game)


def test_a_ban_that_fails_is_put_to_the_players(replays):
    game = sit()
    number = law(game, "forbid say when majority(playing) > 5")
    with majority_fails():
        game.say("Ann", "Good morning.")
        assert f"rule {number}" in game.state.questions[0].text.lower()
        answered(game, "true")
    game.say("Ann", "Good morning.")
    replays(game)


@pytest.mark.parametrize("error", KINDS_OF_ERROR)
def test_an_act_is_refused_when_no_rule_is_at_fault(error, planted):
    game = sit()
    game.propose("Ann", nb.enact("Let it rain."))
    with (
        mock.patch.object(votes, "check_permission", failing(error)),
        refused(game, "kit-fails", action="vote") as caught,
    ):
        game.vote("Ben", "for")
    cause = caught.value.__cause__
    assert error in {type(cause), type(cause.__cause__)}
    assert "planted" in planted.text
    game.vote("Ben", "for")


def test_an_act_is_refused_when_its_own_event_cannot_be_folded():
    game = sit()
    game.propose("Ann", nb.enact("Let it rain."))
    with fold_fails("balloted"), refused(game, "kit-fails", action="vote", error="KeyError"):
        game.vote("Ben", "for")
    game.vote("Ben", "for")


def test_a_step_of_play_that_fails_refuses_the_act_that_leads_to_it():
    game = sit()
    game.propose("Ann", nb.enact("Let it rain."))
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    with fold_fails("vote_closed"), refused(game, "kit-fails", action="vote"):
        game.vote("Cleo", "for")
    game.vote("Cleo", "for")
    game.roll("Ann", 1)


def test_a_change_that_cannot_be_made_is_no_change_without_effect():
    game = sit()
    game.propose("Ann", nb.enact("Let it rain."))
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    with fold_fails("enacted"), refused(game, "kit-fails"):
        game.vote("Cleo", "for")


def test_a_review_tells_what_fails_and_play_goes_on(planted):
    game = sit()
    change = nb.enact("So be it.", law="on enacted when rule == this: put points of mover at 3")
    with fold_fails("counted"):
        assert "because it fails because of an error in nomic_nb" in " ".join(
            game.review("Ann", change).adoption.doubts
        )
    with majority_fails():
        game.review("Ann", nb.amend(203, law="set vote.quota to majority(vote.electorate)"))
    with mock.patch("nomic_nb.study.review.review.dry_run", failing()), refused(game, match="the review failed"):
        game.review("Ann", change)
    odd = "nomic_nb.study.review.remarks"
    with mock.patch(f"{odd}.dry_run", failing()), mock.patch(f"{odd}.quick_dry_run", failing()):
        proposal = put(game, change)
        assert "So be it." in str(proposal)
    assert "planted" in planted.text
    game.roll("Ann", 1)


def test_looking_at_a_game_whose_clause_fails_raises_nothing(planted):
    game = sit()
    adopt(game, nb.amend(203, law="set vote.quota to majority(vote.electorate)"))
    with majority_fails():
        assert str(game.rules[301])
        assert "error in nomic_nb" in game.state.find("vote.quota").reason
        assert game.pending
    assert "planted" in planted.text
    game.roll("Ann", 1)


def test_a_record_that_lies_about_what_was_left_out_is_refused(tmp_path):
    game = sit()
    idle(game)
    path = tmp_path / "game.jsonl"
    game.save(path)
    text = path.read_text().replace('"data":{"number":301', '"data":{"failing":[[1,2,3]],"number":301', 1)
    path.write_text(text)
    with refusals.refused("cannot-happen-here"):
        nb.load(path)


def test_a_game_at_random_stops_at_a_fault():
    refusal = nb.IllegalAction("nomic_nb fails at “vote”")
    refusal.__cause__ = KitFault((0, ""))
    game = sit()
    with (
        mock.patch.object(type(game.timeline), "do", side_effect=refusal),
        pytest.raises(BrokenGame, match="nomic_nb fails"),
    ):
        _answer_decision(Playout(game.timeline), game.pending[0], random.Random(1))
