"""Voters are told of clauses that come too late, never hold, or look where nobody may."""

from __future__ import annotations

import pytest
from play_helpers import law, open_up, sit

import nomic_nb as nb

OBJECTS = """track bad per proposal as truth from false
on proposed: let [p for p in seats if p != player] choose verdict from ["yes", "no"]{};
    when most(verdict) == ["yes"]: put bad(proposal) at true
set vote.quota to (unanimity(vote.electorate) + 1 if bad(proposal) else otherwise)
"""  # fmt: skip


def signs(game, clauses):
    return [str(one) for one in game.review(game.player, nb.enact("So be it.", law=clauses)).warnings]


@pytest.mark.parametrize(
    ("clauses", "told"),
    [
        (OBJECTS.format(' within 1 days else "no"'), True),
        (OBJECTS.format(""), False),
        (OBJECTS.format(' within 1 days else "no"') + 'set vote.quota_when to "closing"', False),
        (OBJECTS.format("").replace("on proposed", "on vote_opened").replace("p != player", "p.playing"), True),
    ],
)
def test_an_answer_for_which_no_vote_waits_comes_too_late_for_its_quota(clauses, told):
    found = [one for one in signs(sit(), clauses) if "too late for the vote" in one]
    assert bool(found) is told
    assert all("vote.quota reads bad when the vote opens" in one for one in found)


def test_a_requirement_does_not_stop_points_from_changing():
    found = signs(sit(), "require all(p.points >= 0 for p in playing)")
    assert any("does not stop points from changing" in one and "set counter.value" in one for one in found)
    assert not any("does not stop" in one for one in signs(sit(), "require count(rules) <= 60"))


def test_a_value_that_another_rule_always_defeats_is_never_the_answer():
    game = sit(*"ABCDEF")
    number = open_up(game, 109)
    clauses = (
        'set vote.quota to ({} if change.tier == "immutable" else 1/2 * unanimity(vote.electorate))\nprevails over '
    )
    share = "2/3 * unanimity(vote.electorate)"
    found = [one for one in signs(game, f"{clauses.format(share)}203") if "is never the answer" in one]
    assert len(found) == 1
    assert f'where (change.tier == "immutable"), rule {number} says what vote.quota is' in found[0]
    assert not [one for one in signs(game, f"{clauses.format(share)}203, {number}") if "is never the answer" in one]


@pytest.mark.parametrize(
    ("clauses", "told"),
    [
        ("track pot per game from 0\nset counter.value to 0 while counter == \"pot\" and player.points < 0", True),
        ("track pot per game from 0\nset counter.value to min([otherwise, 9]) while counter == \"pot\"", False),
        ("set counter.value to 0 while counter == \"points\" and player.points < 0", False),
    ],
)  # fmt: skip
def test_what_the_game_counts_is_no_players(clauses, told):
    assert any("so there is no player whose it is" in one for one in signs(sit(), clauses)) is told


@pytest.mark.parametrize(
    ("clauses", "told"),
    [
        ("set vote.weight to 1 + count(supporters)", True),
        ('offer "look" when any(count(q.supporters) > 1 for q in proposals): announce "Two."', True),
        ("forbid close_vote when votes_for < 2", True),
        ('on said when text == "?" and any(count(who(q, "for")) > 0 for q in proposals): announce "Yes."', True),
        ('offer "look" when any(q.votes_for > 1 for q in proposals if q.status == "open"): announce "Two."', True),
        ('offer "look" when any(q.votes_for > 1 and not q.status == "lapsed" for q in proposals): end turn', True),
        ("on proposed each q in proposals when q.votes_for > 1: award 1 points to q.proponent", True),
        ('offer "look" when any(q.votes_for > 1 for q in proposals if q.status != "open"): announce "Two."', False),
        ("set vote.quota to votes_against + 1", False),
        ("on adopted: award 1 points to supporters", False),
        ('on turn_ended when any(q.status == "adopted" and q.votes_for > 1 for q in proposals): end part', False),
    ],
)  # fmt: skip
def test_what_looks_at_sealed_ballots_while_the_vote_is_open_is_told(clauses, told):
    game = sit()
    law(game, 'set vote.ballots to "sealed"')
    assert any("looks at them while the vote is open" in one for one in signs(game, clauses)) is told


def test_the_cure_is_told_where_one_more_clause_would_do():
    found = next(one for one in signs(sit(), "set dissent.points to 100") if "never has an effect" in one)
    assert found.endswith("write prevails over 204 below it")
    strong = next(one for one in signs(sit(), "allow skip") if "never has an effect" in one)
    assert strong.endswith("write prevails over 201 below it")


def test_a_law_in_which_votes_count_the_other_way_round_still_lets_rules_change():
    quota = "votes_for if votes_against >= otherwise else votes_for + 1"
    swapped = f'set vote.quota_when to "closing"\nset vote.quota to ({quota})'
    assert not [one for one in signs(sit(), swapped) if "no longer possible" in one]


def test_nobody_closes_a_vote_in_which_all_have_to_vote():
    closes = "set vote.ended_by to playing"
    assert [one for one in signs(sit(), closes) if "everybody has to vote (rule 105)" in one]
    game = sit()
    open_up(game, 105)
    number = game.state.rules.successor(105).number
    free = f"set vote.duty to false\nprevails over {number}\n{closes}"
    assert not [one for one in signs(game, free) if "everybody has to vote" in one]


def test_a_veto_while_the_vote_is_open_comes_too_late_for_its_quota():
    veto = """track vetoed per proposal as truth from false
offer "veto": let player choose bill from [q for q in proposals if q.status == "open"];
    put vetoed(bill) at true
set vote.quota to (unanimity(vote.electorate) + 1 if vetoed(proposal) else otherwise)
"""
    found = [one for one in signs(sit(), veto) if "too late for a vote that is open" in one]
    assert len(found) == 1
    assert "vote.quota reads vetoed when it opens" in found[0]
    assert not [one for one in signs(sit(), veto + 'set vote.quota_when to "closing"') if "too late" in one]


@pytest.mark.parametrize(
    ("clauses", "told"),
    [
        ('set vote.quota_when to "opening"\nset vote.quota to votes_cast / 2 + 1/2\nprevails over 203',
         "reads votes_cast, so vote.quota is 1/2; write set vote.quota_when to “closing”"),
        ("set vote.quorum to votes_for + 1", "reads votes_for, so vote.quorum is 1"),
        ("set vote.weight to 2 while voter in proposal.supporters", "reads supporters"),
        ("set vote.electorate to [p for p in playing if not (p in opponents)]", "reads opponents"),
        ("set vote.duty to count(abstainers) > 0", "reads abstainers"),
        ('set vote.ballots to ("sealed" if vote.share > 1 else "open")\nset vote.share to votes_for / 2',
         "reads votes_for"),
        ("forbid propose when votes_against > 0", "reads votes_against"),
        ("on vote_opened: award votes_for points to proponent", "reads votes_for"),
    ],
)  # fmt: skip
def test_voters_are_told_of_what_reads_ballots_before_there_are_any(clauses, told):
    found = [one for one in signs(sit(), clauses) if "comes too early" in one]
    assert len(found) == 1
    assert told in found[0]
    game = sit()
    made = game.propose("Ann", nb.enact("So be it.", law=clauses))
    assert "comes too early" in str(made.remarks)


@pytest.mark.parametrize(
    "clauses",
    [
        "set vote.quota to votes_cast / 2 + 1/2",
        'set vote.quota_when to "closing"\nset vote.quota to votes_cast / 2 + 1/2',
        "set vote.quota to 2 + count(p for p in proposals if p.votes_against > 1)",
        "forbid vote when votes_against > 1",
        "on vote_opened when count(not_voted) > 2: award 1 points to proponent",
        "on proposed: after 2 turns: award proposal.votes_for points to proponent",
        "on vote_closed: award votes_for points to proponent",
    ],
)
def test_what_reads_ballots_once_they_are_cast_does_not_come_too_early(clauses):
    assert not [one for one in signs(sit(), clauses) if "too early" in one]


def test_a_count_of_ballots_comes_too_late_for_every_term_that_is_fixed_when_the_vote_opens():
    counted = "track heard per proposal as number from 0\non balloted: put heard(proposal) at heard(proposal) + 1\n"
    found = [
        one for one in signs(sit(), f"{counted}set vote.quorum to heard(proposal)") if "too late for a vote" in one
    ]
    assert len(found) == 1
    assert "vote.quorum reads heard when it opens" in found[0]
