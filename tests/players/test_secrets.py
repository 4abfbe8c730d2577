"""Secrets are in no view of others: games that differ in nothing else look the same from every other seat."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from make_a_rule_helpers import SEALED, multiverse, seal
from often import examples
from study.library.playing import ALL_SYSTEMS, Playing, rules

import nomic_nb as nb

#: What is shown of a sealed value; it is never the same.
COMMITMENT = re.compile(r"[0-9a-f]{64}")
ABOUT_VOTES = [entry.name for entry in nb.library.catalogue if entry.subject == "votes"]
NUMBERS = st.integers(10_001, 99_999)


def seen(game, player, *said):
    """All that a player sees, as data and in words, without commitments and what everybody was told."""
    view = game.seat(player).view()
    text = COMMITMENT.sub("…", json.dumps([view, view.text()]))
    for secret in said:
        text = text.replace(str(secret), "…")
    return text


@pytest.fixture(scope="module")
def begun():
    """Return a game of a system in which ready-made rules are in force, one by one, and the next vote is open."""
    made = {}

    def begin(system, *names):
        if (system, *names) not in made:
            playing = begin(system, *names[:-1]).forked() if names else Playing(system)
            if names:
                playing.law(rules()[names[-1]])
            made[system, *names] = playing
        return made[system, *names]

    return begin


@given(st.sampled_from(ALL_SYSTEMS), st.sampled_from(ABOUT_VOTES), st.data())
@examples(30)
@pytest.mark.slow
def test_sealed_ballots_make_no_difference_to_others(begun, system, name, data):
    law = rules()[name].law  # which may need points, and a game on boards has none
    untracked = re.search(r"\bpoints\b", law) and "track points" not in law
    more = () if system == "nomic-chess" and untracked else (name,)
    playing = begun(system, "secret_ballots", *more).forked().until("vote")
    games, differ = (playing.game, playing.game.fork()), set()
    ballot = st.sampled_from(["for", "against"])
    while voters := [one for one in games[0].pending if one.action == "vote" and one.must]:
        vote = data.draw(st.sampled_from(voters))
        ballots = [data.draw(ballot) for _ in games]
        differ |= {vote.player} if len(set(ballots)) > 1 else set()
        for game, cast in zip(games, ballots, strict=True):
            game.vote(vote.player, cast, vote.proposal)
        if not all(game.state.proposals[vote.proposal].is_open for game in games):
            return
        for other in set(games[0].players) - differ:
            assert seen(games[0], other) == seen(games[1], other)


@pytest.mark.parametrize("system", ALL_SYSTEMS)
@given(NUMBERS, NUMBERS)
@examples(5)
def test_numbers_in_hidden_tables_make_no_difference_to_others(begun, system, one, other):
    games = [begun(system).forked() for _ in range(2)]
    for playing, amount in zip(games, (one, other), strict=True):
        playing.law(nb.enact("Gold is hidden.", law="track gold per player from 0 hidden"))
        correction = f'award {amount} gold to player_named("Ben")'
        playing.game.host.correct(correction, agreed=playing.game.players, reason="as agreed")
        assert str(amount) in seen(playing.game, "Ben")
    for player in ("Ann", "Cleo"):
        assert seen(games[0].game, player, one) == seen(games[1].game, player, other)


@pytest.mark.parametrize("system", ALL_SYSTEMS)
@given(NUMBERS, NUMBERS)
@examples(5)
def test_answers_in_secret_make_no_difference_to_others(begun, system, one, other):
    games = [begun(system).forked() for _ in range(2)]
    for playing, bid in zip(games, (one, other), strict=True):
        ask = 'on said when text == "bid": let seats choose bid from any number in secret'
        playing.law(nb.enact("Players bid.", law=ask))
        playing.game.say("Ann", "bid")
        playing.game.choose("Ben", bid)
    for player in ("Ann", "Cleo"):
        assert seen(games[0].game, player) == seen(games[1].game, player)


@pytest.mark.parametrize("system", ["discordian-nomic", "cabinet-nomic"])
@given(NUMBERS, NUMBERS)
@examples(5)
def test_sealed_values_make_no_difference_to_others(begun, system, one, other):
    games = [begun(system, "committed_dice").forked().until("seal") for _ in range(2)]
    for playing, value in zip(games, (one, other), strict=True):
        playing.game.seal("Ben", str(value))
    for player in ("Ann", "Cleo"):
        assert seen(games[0].game, player) == seen(games[1].game, player)


def test_sealed_kings_make_no_difference_to_others():
    games = [multiverse(3, terms=SEALED) for _ in range(2)]
    for real, game in enumerate(games):
        seal(game, real)
    for player in ("Ben", "Cleo"):
        assert seen(games[0], player) == seen(games[1], player)
