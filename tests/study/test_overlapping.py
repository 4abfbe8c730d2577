"""Reviews where turns are begun at will, numbers come from outside, and nobody has to vote."""

from __future__ import annotations

import pytest
from overlapping_games import judged, stale, two_open
from study.warned import warned

import nomic_nb as nb
from nomic_nb.engine.play.adoptability import SUPPOSED_LABEL

SYSTEMS = ("discordian-nomic", "cabinet-nomic", "github-nomic")


def every_kind(game):
    """A change of every kind, on a rule of every standing, with clauses and without."""
    seen = {}
    for rule in game.rules:
        seen.setdefault(rule.tier, rule)
    quorum = next(rule for rule in game.rules if rule.title.startswith("All must agree"))
    judge = next(rule for rule in game.rules if rule.title == "The Judge")
    yield nb.enact("Be kind.", title="Kindness")
    yield nb.enact("No turns.", "forbid begin_turn")
    yield nb.enact("Bets.", 'on adopted: award 3 points to proponent\nset score.half to "down"')
    yield nb.library.simple_majority().change(quorum.number)
    for rule in (*seen.values(), quorum, judge):
        yield nb.amend(rule.number, "Otherwise.")
        yield nb.amend(rule.number, "And this.", "set turn.overlap to false", add=True)
        yield nb.repeal(rule.number)
        yield nb.transmute(rule.number)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.slow
def test_every_kind_of_change_is_reviewed_and_nothing_changes(system):
    game = nb.new_game(system, ["Ann", "Ben", "Cleo"], seed=7)
    before = game.state.digest()
    for change in every_kind(game):
        said = str(game.review("Ben", change))
        assert said.startswith("Review – ")
        assert "It can pass" in said or "It can’t" in said
        assert "()" not in said
        assert "None" not in said
        assert SUPPOSED_LABEL not in said
    assert game.state.digest() == before
    assert len(game.timeline.forks) == 0


@pytest.mark.parametrize("moment", [two_open, stale, judged])
def test_reviews_while_turns_overlap_change_nothing(moment):
    game = moment()
    before, events = game.state.digest(), game.state.seq
    for change in (nb.repeal(-107), nb.transmute(-216), nb.enact("More.", "set win.points to 40")):
        assert game.review("Cleo", change).votes.passes is True
    assert (game.state.digest(), game.state.seq) == (before, events)


@pytest.mark.rule("github-nomic", -209)
def test_a_number_from_outside_is_only_an_example():
    game = two_open()
    review = game.review("Cleo", nb.repeal(-107))
    assert (review.number, review.example) == (8, True)
    assert "as 8, for example." in str(review)
    made = game.review("Ann", game.proposals[5].change)
    assert (made.number, made.example) == (5, False)
    game.begin_turn("Dee")
    game.propose("Dee", nb.repeal(-106), number=3)  # below the others: what is next is above them all
    assert game.review("Cleo", nb.repeal(-107)).number == 8
    other = nb.new_game("cabinet-nomic", ["Ann", "Ben"], seed=7)
    assert not other.review("Ann", nb.repeal(204)).example


@pytest.mark.rule("github-nomic", -110)
def test_all_are_pivotal_where_nobody_has_to_vote():
    votes = two_open().review("Cleo", nb.repeal(-107)).votes
    assert [(one.name, one.decides) for one in votes.voters] == [(name, 1) for name in ("Ann", "Ben", "Cleo", "Dee")]
    assert votes.duty.value is False
    said = str(two_open().review("Cleo", nb.repeal(-107)))
    assert "Nobody has to vote (rule K5). Those who don’t vote aren’t counted in favour." in said
    other = nb.new_game("cabinet-nomic", ["Ann", "Ben"], seed=7)
    assert "Nobody has to vote" not in str(other.review("Ann", nb.repeal(204)))


@pytest.mark.parametrize("system", SYSTEMS)
def test_that_nobody_may_begin_a_turn_is_a_sign(system):
    game = nb.new_game(system, ["Ann", "Ben"], seed=7)
    permits = game.why("may.begin_turn", player="Ann").rule
    banned = nb.enact("No turns.", f"forbid begin_turn\nprevails over {permits}")
    assert warned(game.review("Ann", banned), "nobody-begins")
    lines = f'forbid begin_turn when player.name == "Ann"\nprevails over {permits}'
    assert not warned(game.review("Ann", nb.enact("Not Ann.", lines)), "nobody-begins")


@pytest.mark.rule("github-nomic", -112)
def test_what_turns_need_is_missed():
    game = nb.new_game("github-nomic", ["Ann", "Ben"], seed=7)
    change = nb.amend(-112, law="set turn.sequence to seats\ntrack points per player from 0")
    assert warned(game.review("Ann", change), "term-missing", term="turn.start")


def test_a_proposal_that_a_change_would_leave_stale_is_told():
    assert any("5 is out of date" in one for one in two_open().review("Cleo", nb.repeal(-104)).follows)
