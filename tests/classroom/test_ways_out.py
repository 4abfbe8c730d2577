"""The ways out of each wait: what the rules allow, what overrides nobody, and that each wait has one."""

from __future__ import annotations

import pytest
from classroom.hosting import PASTIMES, Host
from panels.pages import Page
from play_helpers import asks, law, sit

import nomic_nb as nb
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import find_ruleset
from nomic_nb.notebook.panels.ways_out import ways_out
from nomic_nb.notebook.table_settings import agreed_terms
from nomic_nb.study.playouts import ready_made_rules

SYSTEMS = ("discordian-nomic", "github-nomic", "cabinet-nomic", "nomic-chess", "make-a-rule")


def only(waits):
    (wait,) = waits
    return wait


def ways(game, kind="", **how):
    """The ways out of the only wait; those of one kind, if it is named."""
    return [way for way in only(ways_out(game.timeline, **how))["ways"] if way["kind"] == kind or not kind]


def kinds(game, **how):
    return [way["kind"] for way in ways(game, **how)]


def fair(game, **how):
    """The kind of the first way that overrides nobody's will; None if there is none."""
    return next((way["kind"] for way in ways(game, **how) if way["fair"]), None)


def press(game, kind, option=None, **how):
    """Take the first way of a kind, at the host page."""
    host = Host(game, 0)
    wait = only(host.waits())
    host.press(wait, next(way for way in wait["ways"] if way["kind"] == kind and how.items() <= way.items()), option)
    return host


def late_fine(game):
    return law(game, 'on overdue when owed == "ballot": award -2 points to player')


def test_hands_that_are_shown_are_ballots_of_all_who_are_here():
    game = sit("Ann", "Ben", "Cleo", "Dov")
    game.propose("Ann", nb.enact("Be kind."))
    game.vote("Ben", "against")
    assert [(way["option"], way["count"]) for way in ways(game, "hands")] == [("for", 3), ("against", 3)]
    press(game, "hands")
    assert game.state.proposals[301].vote.ballots == {"Ben": "against", "Ann": "for", "Cleo": "for", "Dov": "for"}


def test_a_ballot_is_late_once_and_the_way_names_the_rule_that_answers():
    game = sit()
    game.propose("Ann", nb.enact("Be kind."))
    assert only(ways(game, "late"))["rules"] == []
    game.votes()
    game.roll("Ann", 1)
    number = late_fine(game)
    game.propose("Cleo", nb.enact("Be kinder."))
    game.vote("Cleo", "for")
    (late,) = ways(game, "late")
    assert (late["rules"], late["count"]) == ([str(number)], 2)
    before = game.scores
    press(game, "late")
    assert (game.scores - before).tolist() == [-2, -2, 0]
    assert ways(game, "late") == []
    assert only(ways_out(game.timeline))["late"] == ["Ann", "Ben"]
    assert game.state.proposals[303].is_open


def test_looking_for_ways_changes_nothing():
    game = sit()
    game.propose("Ann", nb.enact("Be kind."))
    digest, moments = game.state.digest(), len(game.timeline.moments)
    ways_out(game.timeline, bell="rung")
    assert (game.state.digest(), len(game.timeline.moments)) == (digest, moments)


def test_next_reminds_before_the_bell_and_records_who_is_late_after_it():
    game = sit()
    game.propose("Ann", nb.enact("Be kind."))
    assert fair(game) == "remind"
    assert fair(game, bell="runs") == "remind"
    assert fair(game, bell="rung") == "minute"  # no rule answers to lateness
    assert kinds(game)[-1] == "late"
    for _ in game.players:
        game.vote(next(name for name in game.players if name not in game.state.proposals[301].vote.ballots), "for")
    game.roll("Ann", 1)
    late_fine(game)
    game.propose("Cleo", nb.enact("Be kinder."))
    assert fair(game, bell="runs") == "remind"
    assert fair(game, bell="rung") == "late"
    for name in game.players:
        game.host.overdue(name)
    assert fair(game, bell="rung") == "minute"
    assert "minute" not in kinds(game)


def test_nobody_is_reminded_whose_phone_is_not_connected():
    game = sit()
    assert fair(game, connected=["Ann"]) == "remind"
    assert fair(game, connected=["Ben", "Cleo"]) is None


def test_only_the_game_rolls_its_dice_for_somebody():
    game = sit()
    game.propose("Ann", nb.enact("Be kind."))
    game.votes()
    assert fair(game, connected=[]) == "roll"
    press(game, "roll")
    assert game.player == "Ben"


def away_sits_out(*players, system="discordian-nomic"):
    """A game whose players agreed that votes and turns skip those who are marked as away."""
    terms = agreed_terms(find_ruleset(system, language()), joint="joint", away=True)
    return nb.new_game(system, list(players), seed=7, terms=terms)


def test_a_player_who_is_away_and_has_no_vote_is_not_waited_for():
    game = away_sits_out("Ann", "Ben", "Cleo")
    game.propose("Ann", nb.enact("Be kind."))
    game.host.absent("Cleo")
    wait = only(ways_out(game.timeline))
    assert (wait["who"], wait["away"], wait["of"]) == (["Ann", "Ben"], [], 2)
    assert not {"back", "take_back"} & set(kinds(game))


@pytest.mark.parametrize("rolls", [False, True])
def test_a_turn_whose_player_is_away_ends_if_everybody_here_agrees(rolls):
    game = away_sits_out("Ann", "Ben", "Cleo")
    if rolls:
        game.propose("Ann", nb.enact("Be kind."))
        game.votes()
    game.host.absent("Ann")
    wait = only(ways_out(game.timeline))
    assert (wait["who"], wait["away"]) == ([], ["Ann"])
    assert kinds(game) == ["end_turn", "back"]
    assert fair(game) is None  # people have to choose
    press(game, "end_turn")
    assert (game.player, game.state.players["Ann"].absent) == ("Ben", True)
    assert only(ways_out(game.timeline))["who"] == ["Ben"]
    told = next(event for event in game.timeline.events_backwards() if event.kind == "corrected")
    assert told.data["agreed"] == ["Ben", "Cleo"]


def test_a_turn_is_not_ended_for_somebody_else_who_is_away():
    game = sit()
    game.propose("Ann", nb.enact("Be kind."))
    game.votes(None, in_favour=["Ann", "Ben"])
    game.host.absent("Cleo")
    assert "end_turn" not in kinds(game)


def test_a_player_who_is_away_and_has_a_vote_comes_back_or_the_proposal_does():
    game = sit()
    game.propose("Ann", nb.enact("Be kind."))
    game.votes(None, in_favour=["Ann", "Ben"])
    game.host.absent("Cleo")
    wait = only(ways_out(game.timeline))
    assert (wait["who"], wait["away"], wait["rule"]) == ([], ["Cleo"], 105)
    assert kinds(game, bell="rung") == ["back", "take_back"]
    assert fair(game, bell="rung") is None
    press(game, "take_back")
    assert not game.state.proposals
    assert game.state.players["Cleo"].absent
    assert kinds(game) == ["drafts", "form", "remind", "away"]


def test_a_proposal_is_taken_back_with_what_was_cast_together():
    game = sit()
    game.propose("Ann", nb.enact("Be kind."))
    game.votes()
    game.roll("Ann", 1)
    game.propose("Ben", nb.enact("Be kinder."))
    game.votes(None, in_favour=["Ann", "Ben"])
    game.host.absent("Cleo")
    press(game, "take_back")
    assert list(game.state.proposals) == [301]
    assert game.state.proposals[301].status == "adopted"
    page = Host(game, 0).page
    assert page.freely("take_back", proposal="301")["code"] == "proposal-not-open"


def test_nobody_shows_hands_in_a_secret_vote():
    game = sit()
    law(game, 'set vote.ballots to "sealed"')
    game.propose("Ben", nb.enact("Be kind."))
    assert kinds(game) == ["form", "remind", "late"]
    assert set(only(ways(game, "form"))["signs"]) == {"Ann", "Ben", "Cleo"}
    press(game, "form")
    assert len(game.state.proposals[302].vote.ballots) == 1


def test_a_vote_is_closed_by_the_hand_of_a_player_who_may():
    game = sit("Ann", "Ben", "Cleo", system="github-nomic")
    game.begin_turn("Ann")
    game.propose("Ann", nb.enact("Be kind."), number=1)
    assert "close" not in kinds(game)
    game.vote("Ben", "against")
    wait = only(ways_out(game.timeline))
    assert (wait["action"], wait["of"], wait["who"]) == ("vote", 3, ["Ann", "Cleo"])
    assert not only(ways(game, "close"))["fair"]
    press(game, "close")
    assert not game.state.proposals[1].is_open


def test_marking_somebody_away_says_whether_play_goes_on_without_them():
    game = away_sits_out("Ann", "Ben", "Cleo")
    assert only(ways(game, "away"))["stays"]  # the turn has begun
    game.propose("Ann", nb.enact("Be kind."))
    game.votes(None, in_favour=["Ann", "Ben"])
    assert not only(ways(game, "away"))["stays"]
    game.host.absent("Cleo")
    game.roll("Ann", 1)
    assert game.player == "Ben"


def test_a_turn_is_skipped_where_the_rules_allow_it():
    game = sit()
    assert "skip" not in kinds(game)
    game.propose("Ann", nb.library.passing().change())
    game.votes()
    game.roll("Ann", 1)
    press(game, "skip")
    assert game.player == "Cleo"


def test_a_question_to_the_table_is_one_show_of_hands():
    players = [f"P{at}" for at in range(28)]
    game = sit(*players)
    asks(game, "How many?")
    game.say(players[1], "ask")
    wait = only(ways_out(game.timeline))
    (answer,) = (way for way in wait["ways"] if way["kind"] == "answer")
    assert (answer["count"], len(wait["who"]), answer["free"]) == (28, 28, True)
    host = press(game, "answer", "7")
    assert host.presses.total() == 1
    assert not game.state.questions


def test_hands_that_differ_leave_the_question_open_until_they_agree():
    game = sit()
    asks(game, "How many?")
    game.say("Ann", "ask")
    game.choose("Ann", "3")
    assert only(ways(game, "answer"))["count"] == 2
    press(game, "answer", "4")
    assert game.state.questions
    assert only(ways(game, "answer"))["count"] == 3
    press(game, "answer", "4")
    assert not game.state.questions


def test_all_hands_are_recorded_or_none():
    game = sit()
    asks(game, "How many?")
    game.say("Ann", "ask")
    page = Host(game, 0).page
    about = only(ways_out(game.timeline))["about"]
    digest = game.state.digest()
    for said in (("choose:1:", "4"), (about, None), (7, "4")):
        details = dict(zip(("about", "option"), said, strict=True))
        assert "refused" in page.freely("hands", **details), details
        assert game.state.digest() == digest


def test_a_paused_game_waits_for_its_host():
    game = sit()
    game.host.pause()
    assert (kinds(game), fair(game)) == (["resume"], "resume")
    press(game, "resume")
    assert not game.state.paused


def test_a_game_that_is_over_waits_for_nothing():
    game = sit("Ann", "Ben", terms={"win.points": 1})
    game.propose("Ann", nb.enact("Be kind."))
    game.votes()
    game.roll("Ann", 6)
    assert game.over
    assert ways_out(game.timeline) == []


def test_only_the_host_asks_for_ways_and_takes_them():
    game = sit()
    asked = {"id": "1", "ask": "ways", "details": {}}
    assert "waits" in Page(game).send(asked)
    assert "refused" in Page(game, "Ann").send(asked)
    for action, details in {"hands": {"about": "x", "option": "y"}, "take_back": {"proposal": "301"}}.items():
        assert "refused" in Page(game, "Ann").freely(action, **details)
    for details in ({"bell": "loud"}, {"bell": []}, {"connected": "Ann"}, {"connected": {"Ann": True}}):
        assert Page(game).send({"id": "1", "ask": "ways", "details": details})["code"] == "ways-of-another-bell"


# ------------------------------------------------------------------------------------- every wait has a way out


def plays_by_ways(host, acts, turns=8):
    """Play by chance, half of it by ways out and half by phones; tell of which waits there were."""
    seen = set()
    for _ in range(acts):
        if host.state.over or host.game.turn > turns:
            break
        host.bell = host.dice.choice(["", "runs", "rung"])
        host.phones = {name for name in host.game.players if host.dice.random() < 0.8}
        waits = host.waits()
        seen |= {wait["action"] for wait in waits}
        if host.dice.random() < 0.5 and host.phone_answers():
            continue
        wait = host.dice.choice(waits)
        host.press(wait, host.dice.choice([way for way in wait["ways"] if way["kind"] not in PASTIMES]))
    return seen


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_wait_has_ways_out_and_none_is_refused(system):
    names = ["Ann", "Ben"] if system == "make-a-rule" else ["Ann", "Ben", "Cleo", "Dov"]
    assert plays_by_ways(Host(sit(*names, system=system), system), 12)


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.slow if seed < 2 else pytest.mark.fuzz) for seed in range(6)]
)
@pytest.mark.parametrize("system", SYSTEMS)
def test_each_wait_of_random_games_has_ways_out(system, seed):
    names = ["Ann", "Ben"] if system == "make-a-rule" else ["Ann", "Ben", "Cleo", "Dov"]
    game = nb.new_game(system, names, seed=seed) if seed % 2 else away_sits_out(*names, system=system)
    assert plays_by_ways(Host(game, f"{system} {seed}"), 120)


def test_each_wait_under_some_ready_made_rules_has_ways_out():
    for name in ("secret_ballots", "committed_dice", "compulsory_debate", "passing"):
        under(getattr(nb.library, name)(), 8)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_each_wait_under_any_ready_made_rule_has_ways_out(part):
    for rule in ready_made_rules(boards=False)[part::8]:
        under(rule, 16)


def under(rule, acts):
    """Play by ways out under a ready-made rule."""
    game = sit("Ann", "Ben", "Cleo", "Dov")
    host = Host(game, rule.title)
    try:
        game.propose("Ann", rule.change())
    except nb.IllegalAction:
        return  # it is for another rule set
    if not game.state.over:
        game.votes()
    plays_by_ways(host, acts)
