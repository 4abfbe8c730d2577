"""Loopholes: only three kinds of claim, each one earned; certificates that replay; and holes planted in plain laws."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from play_helpers import law, majority, sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.play.values import Decision
from nomic_nb.study.search import moves
from nomic_nb.study.search.loopholes import find_loopholes
from nomic_nb.study.search.search import Search

TABLE = {"dice": "table"}


def search(game, who="Ann", others="against", goal="win", **more):
    """What a search from here finds, with time enough."""
    return find_loopholes(game.timeline, who, others, goal, seconds=120, **more)


def played(found):
    """Whether each certificate leads a new game, begun by its cells, to the end that it promises."""
    for one in found.certificates:
        names = {}
        for cell in one.cells:
            exec(cell, names)  # noqa: S102 - the kit wrote it
        assert names["game"].winners == one.timeline.state.winners
    return bool(found.certificates)


# ------------------------------------------------------------------------------------------------ the honest frame


@pytest.mark.parametrize("must", [True, False])
@pytest.mark.parametrize("who", ["Ann", "Ben"])
def test_a_decision_of_an_unknown_kind_makes_the_claim_undecided(monkeypatch, must, who):
    usual = moves.decisions
    unknown = Decision(who, "somersault", "turn over", must=must)
    monkeypatch.setattr(moves, "decisions", lambda state: (*usual(state), unknown))
    found = search(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7), depth=1)
    assert found.claim.startswith("not decided: ")
    assert "the search doesn’t know the action “somersault”" in found.reasons


@pytest.mark.parametrize("others", moves.OTHERS)
def test_a_decision_of_an_unknown_kind_makes_the_claim_undecided_however_others_vote(monkeypatch, others):
    usual = moves.decisions
    unknown = Decision("Ann", "somersault", "turn over", must=False)
    monkeypatch.setattr(moves, "decisions", lambda state: (*usual(state), unknown))
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    for goal in ("lock", "gain", "stuck", "turn > 1000"):
        found = search(game, others=others, goal=goal, depth=1)
        assert not found.claim.startswith("none")


def test_an_action_of_an_unknown_kind_makes_the_claim_undecided(monkeypatch):
    monkeypatch.setattr(moves, "KNOWN_ACTIONS", moves.KNOWN_ACTIONS - {"forfeit"})
    assert "the search doesn’t know the action “forfeit”" in search(sit(), depth=1).reasons


def test_used_up_time_makes_the_claim_undecided():
    assert "time is up" in find_loopholes(sit().timeline, "Ann", seconds=0.001).claim


def test_used_up_steps_make_the_claim_undecided_the_same_way_each_time():
    first, second = (search(sit(), steps=300) for _ in range(2))
    assert "the steps are used up" in first.claim
    assert (first.claim, first.counts) == (second.claim, second.counts)


def test_a_search_that_is_stopped_is_undecided(monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Search, "_follow", stop)
    assert search(sit()).claim == "not decided: the search was stopped"


def test_a_question_to_the_players_makes_the_claim_undecided():
    game = sit(**TABLE)
    majority(game)
    law(game, 'on said when text == "ask": put points of player at 1 / (turn - turn)')
    assert "a line ends in a question to the players" in search(game, depth=1).reasons


def test_assigned_numbers_make_the_absence_undecided():
    game = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    assert "only some numbers of proposals were tried" in search(game, goal="lock", depth=1).reasons


def test_words_that_no_rule_names_make_the_absence_undecided():
    game = sit(**TABLE)
    majority(game)
    law(game, "on said when text != player.name: award 1 points to player")
    assert "only some forms of “say” were tried" in search(game, depth=1).reasons


def test_others_away_make_the_absence_undecided_if_play_waits_for_them():
    found = search(sit(), others="absent", depth=1)
    assert found.certificates or found.reasons


def test_none_names_its_bounds():
    assert search(sit(), depth=1).claim.startswith("none within 1 deed and a round after each, over ")


def test_what_a_search_cannot_use_is_refused():
    with refused("search-bound", ValueError, what="depth"):
        search(sit(), depth=0)
    with refused("not-one-of-these", ValueError, what="others"):
        search(sit(), others="asleep")
    with refused("no-such-goal", ValueError):
        search(sit(), goal="player.hats >")
    with refused("no-such-goal", ValueError):
        search(sit(), goal="hats > 3")
    with refused("search-for-nobody", ValueError):
        search(sit(), who=[])


def test_the_game_stays_as_it_was():
    game = sit()
    digest, events = game.state.digest(), len(game.timeline.moments)
    search(game, depth=1)
    assert (game.state.digest(), len(game.timeline.moments), list(game.forks)) == (digest, events, [])


# --------------------------------------------------------------------------------------- holes in published rules


def test_one_player_wins_github_nomic_against_all_others():
    found = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo"], seed=7).loopholes("Ann")
    assert found.claim == "found: Ann wins with 1 deed, others against, rolls at their worst"
    assert played(found)
    assert {-111, -105} <= set(found.certificates[0].rules)
    assert found.certificates[0].play().winners == ("Ann",)


def test_the_player_on_turn_wins_with_the_judge_if_nobody_stops_the_order_to_end_play():
    players = ["Ann", "Ben", "Cleo"]
    game = nb.new_game("discordian-nomic", players, seed=7)
    game.invoke_judgment("Ann", "Can play continue?")
    found = game.loopholes([game.judgments[1].judge, "Ann"], "for", depth=1)
    assert found.certificates
    assert "end play" in str(found.certificates[0].deeds[0].details)
    assert found.certificates[0].play().winners == ("Ann",)


# ------------------------------------------------------------------------------------------------- planted laws


def planted(clauses, twin):
    """Two games in which Ann is on turn: one with a rule that has a hole, the other with a rule without it."""
    games = []
    for rule in (clauses, twin):
        game = sit("Ann", "Ben", **TABLE, terms={"win.points": 50})
        law(game, rule, face=2)
        law(game, "", face=2)
        games.append(game)
    return games


SQUARE = 'on said when text == "square" and player.debt > 0: put debt of player at 0; award 60 points to player'
OWN = 'on balloted when ballot == "against" and player == proponent: award {} points to player'
GATE = """track gate per player from 0
on said when text == "open": put gate of player at {}
on said when text == "take" and player.gate == 1: award 60 points to player"""
HOLES = {
    "a word": (
        'on said when text == "please": award 60 points to player',
        'on said when text == "please": award 1 points to [p for p in playing if p != player]',
    ),
    "defeat pays": ("on defeated: award 60 points to proponent", "on defeated: award -1 points to proponent"),
    "interest at any time": (
        'on said when text == "interest": award 2 points to player',
        'on said when text == "interest": award -2 points to player',
    ),
    "after the defeat and before the roll": (
        f"track debt per player from 0\non defeated: award 1 debt to proponent\n{SQUARE}",
        f"track debt per player from 0\non adopted: award 1 debt to proponent\n{SQUARE}",
    ),
    "a title": (
        'on proposed when change.title == "Gold": award 60 points to player',
        'on proposed when change.title == "Gold": award -60 points to player',
    ),
    "seven times": (
        'on said when text == "bonus" and player.points < 60: award 7 points to player',
        'on said when text == "bonus" and player.points < 20: award 7 points to player',
    ),
    "a gift": (
        'allow give when counter == "points"\non gave: award 60 points to player',
        'allow give when counter == "points"\non gave: award -6 points to player',
    ),
    "two words": (GATE.format(1), GATE.format(0)),
    "later": (
        'on said when text == "later": after 1 turns: award 60 points to player',
        'on said when text == "later": after 1 turns: award -6 points to player',
    ),
    "own absence": ("on returned: award 60 points to player", "on returned: award -6 points to player"),
    "own vote": (OWN.format(60), OWN.format(-6)),
    "low quota": ("set vote.quota to 1\nprevails over everything", "set vote.quota to 2\nprevails over everything"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOLES)
def test_a_planted_hole_is_found_and_its_twin_has_none(name):
    holed, plain = planted(*HOLES[name])
    found = holed.loopholes("Ann", seconds=60)
    assert found.claim.startswith("found: Ann wins"), found.claim
    assert played(found)
    assert not search(plain).certificates


@pytest.mark.parametrize("others", ["silent", "worst"])
def test_a_hole_that_needs_nobody_is_found_however_others_vote(others):
    holed, _ = planted(*HOLES["a word"])
    assert search(holed, others=others).certificates


def test_a_line_that_others_can_stop_is_not_found_at_their_worst(monkeypatch):
    monkeypatch.setattr(moves, "TEMPLATES", ())  # some of them win if they pass
    monkeypatch.setattr(moves, "GAIN", "")
    holed, _ = planted("on adopted: award -1 points to proponent\non defeated: award 60 points to proponent", "")
    found = search(holed, others="worst", depth=1)
    assert not found.certificates
    assert any("only with some rolls or answers" in reason for reason in found.reasons)


def test_a_loop_is_a_gain_again_and_again():
    holed, plain = planted(*HOLES["interest at any time"])
    assert search(holed, goal="gain", depth=1).claim.startswith("found: Ann gains again and again")
    assert not search(plain, goal="gain", depth=1).certificates


def test_a_condition_of_the_language_is_a_goal():
    holed, _ = planted(*HOLES["interest at any time"])
    assert search(holed, goal='player_named("Ann").points > 40', depth=1).certificates


def test_a_certificate_does_nothing_that_it_does_not_need():
    holed, _ = planted(*HOLES["defeat pays"])
    (one,) = search(holed).certificates
    assert len(one.deeds) == 1


def test_what_depends_on_the_dice_is_not_found():
    holed, _ = planted("on thrown when face == 1: award 60 points to player", "")
    found = search(holed, depth=1)
    assert not found.certificates
    assert any("only with some rolls" in reason for reason in found.reasons)


@settings(max_examples=6, deadline=None)
@given(
    st.lists(
        st.sampled_from([
            'on said when text == "a": award 20 points to player', "on defeated: award 30 points to proponent",
            'on said when text == "b" and player.points > 20: award 40 points to player', "set defeat.points to 5",
            'on said when text == "c": award -5 points to player', "forbid say when player.points > 10",
        ]),
        min_size=1, max_size=3, unique=True,
    )
)  # fmt: skip
def test_pruned_and_unpruned_searches_agree(rules):
    game = sit("Ann", "Ben", **TABLE, terms={"win.points": 50})
    law(game, "\n".join(rules))
    law(game, "")
    pruned, whole = (search(game, depth=1, is_pruned=is_pruned) for is_pruned in (True, False))
    assert bool(pruned.certificates) == bool(whole.certificates)
    assert pruned.reasons == whole.reasons or pruned.certificates


# ----------------------------------------------------------------------------------------------------- displays


def test_text_and_html_say_what_was_found_and_what_was_not():
    game = nb.new_game("github-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    found, open_ = game.loopholes("Ann"), game.loopholes("Ann", goal="lock", depth=1)
    assert "Found: Ann wins with 1 deed" in str(found)
    assert "Without any one of these rules it fails:" in str(found)
    assert "Not decided." in str(open_)
    assert "safe" not in str(open_)
    assert found._repr_html_().startswith("<div")
