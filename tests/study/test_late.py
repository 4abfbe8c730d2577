"""Voters are told of clauses that come too late, never hold, or look where nobody may."""

from __future__ import annotations

import pytest
from play_helpers import law, open_up, sit
from study.warned import told, warned

import nomic_nb as nb

OBJECTS = """track bad per proposal as truth from false
on proposed: let [p for p in seats if p != player] choose verdict from ["yes", "no"]{};
    when most(verdict) == ["yes"]: put bad(proposal) at true
set vote.quota to (unanimity(vote.electorate) + 1 if bad(proposal) else otherwise)
"""  # fmt: skip


def signs(game, clauses):
    return game.review(game.player, nb.enact("So be it.", law=clauses))


@pytest.mark.parametrize(
    ("clauses", "late"),
    [
        (OBJECTS.format(' within 1 days else "no"'), True),
        (OBJECTS.format(""), False),
        (OBJECTS.format(' within 1 days else "no"') + 'set vote.quota_when to "closing"', False),
        (OBJECTS.format("").replace("on proposed", "on vote_opened").replace("p != player", "p.playing"), True),
    ],
)
def test_an_answer_for_which_no_vote_waits_comes_too_late_for_its_quota(clauses, late):
    assert warned(signs(sit(), clauses), "answer-too-late", key="vote.quota", table="bad") is late


def test_a_requirement_does_not_stop_points_from_changing():
    found = signs(sit(), "require all(p.points >= 0 for p in playing)")
    assert warned(found, "requirement-too-late", table="points")
    assert not warned(signs(sit(), "require count(rules) <= 60"), "requirement-too-late")


def test_a_value_that_another_rule_always_defeats_is_never_the_answer():
    game = sit(*"ABCDEF")
    number = open_up(game, 109)
    clauses = (
        'set vote.quota to ({} if change.tier == "immutable" else 1/2 * unanimity(vote.electorate))\nprevails over '
    )
    share = "2/3 * unanimity(vote.electorate)"
    found = signs(game, f"{clauses.format(share)}203")
    assert warned(found, "value-unreached", when='(change.tier == "immutable")', rule=number)
    assert not warned(signs(game, f"{clauses.format(share)}203, {number}"), "value-unreached")


@pytest.mark.parametrize(
    ("clauses", "warns"),
    [
        ("track pot per game from 0\nset counter.value to 0 while counter == \"pot\" and player.points < 0", True),
        ("track pot per game from 0\nset counter.value to min([otherwise, 9]) while counter == \"pot\"", False),
        ("set counter.value to 0 while counter == \"points\" and player.points < 0", False),
    ],
)  # fmt: skip
def test_what_the_game_counts_is_no_players(clauses, warns):
    assert warned(signs(sit(), clauses), "counter-of-nobody", counter="pot") is warns


@pytest.mark.parametrize(
    ("clauses", "warns"),
    [
        ("set vote.weight to 1 + count(supporters)", True),
        ('offer "look" when any(count(q.supporters) > 1 for q in proposals): announce "Two."', True),
        ("forbid close_vote when votes_for < 2", True),
        ('on said when text == "?" and any(count(who(q, "for")) > 0 for q in proposals): announce "Yes."', True),
        ('offer "look" when any(q.votes_for > 1 for q in proposals if q.status == "open"): announce "Two."', True),
        ('offer "look" when any(q.votes_for > 1 and not q.status == "lapsed" for q in proposals): end turn', True),
        ("on proposed each q in proposals when q.votes_for > 1: award 1 points to q.proponent", True),
        ('offer "look" when any(q.votes_for > 1 for q in proposals if q.status != "open"): announce "Two."', False),
        ("forbid close_vote when not all(p in agreed or not p.present for p in not_voted)", False),
        ("set vote.quota to votes_against + 1", False),
        ("on adopted: award 1 points to supporters", False),
        ('on turn_ended when any(q.status == "adopted" and q.votes_for > 1 for q in proposals): end part', False),
    ],
)  # fmt: skip
def test_what_looks_at_sealed_ballots_while_the_vote_is_open_is_told(clauses, warns):
    game = sit()
    law(game, 'set vote.ballots to "sealed"')
    assert warned(signs(game, clauses), "ballots-looked-at") is warns


def test_the_cure_is_told_where_one_more_clause_would_do():
    assert warned(signs(sit(), "set dissent.points to 100"), "always-defeated", rule=204, below=204)
    assert warned(signs(sit(), "allow skip"), "always-defeated", rule=201, below=201)


def test_a_law_in_which_votes_count_the_other_way_round_still_lets_rules_change():
    quota = "votes_for if votes_against >= otherwise else votes_for + 1"
    swapped = f'set vote.quota_when to "closing"\nset vote.quota to ({quota})'
    assert told(signs(sit(), swapped), "closed-changes") == []


def test_nobody_closes_a_vote_in_which_all_have_to_vote():
    closes = "set vote.ended_by to playing"
    assert warned(signs(sit(), closes), "everybody-votes", rule=105)
    game = sit()
    open_up(game, 105)
    number = game.state.rules.find_renumbered(105).number
    free = f"set vote.duty to false\nprevails over {number}\n{closes}"
    assert not warned(signs(game, free), "everybody-votes")


def test_a_veto_while_the_vote_is_open_comes_too_late_for_its_quota():
    veto = """track vetoed per proposal as truth from false
offer "veto": let player choose bill from [q for q in proposals if q.status == "open"];
    put vetoed(bill) at true
set vote.quota to (unanimity(vote.electorate) + 1 if vetoed(proposal) else otherwise)
"""
    ((code, values),) = told(signs(sit(), veto), "too-late")
    assert (code, values["key"], values["table"]) == ("written-too-late", "vote.quota", "vetoed")
    assert told(signs(sit(), veto + 'set vote.quota_when to "closing"'), "too-late") == []


@pytest.mark.parametrize(
    ("clauses", "values"),
    [
        ('set vote.quota_when to "opening"\nset vote.quota to votes_cast / 2 + 1/2\nprevails over 203',
         {"read": "votes_cast", "key": "vote.quota", "value": "1/2"}),
        ("set vote.quorum to votes_for + 1", {"read": "votes_for", "key": "vote.quorum", "value": "1"}),
        ("set vote.weight to 2 while voter in proposal.supporters", {"read": "supporters"}),
        ("set vote.electorate to [p for p in playing if not (p in opponents)]", {"read": "opponents"}),
        ("set vote.duty to count(abstainers) > 0", {"read": "abstainers"}),
        ('set vote.ballots to ("sealed" if vote.share > 1 else "open")\nset vote.share to votes_for / 2',
         {"read": "votes_for"}),
        ("forbid propose when votes_against > 0", {"read": "votes_against"}),
        ("on vote_opened: award votes_for points to proponent", {"read": "votes_for"}),
    ],
)  # fmt: skip
def test_voters_are_told_of_what_reads_ballots_before_there_are_any(clauses, values):
    ((code, found),) = told(signs(sit(), clauses), "too-early")
    assert code == "ballots-too-early"
    assert {name: value for name, value in found.items() if name != "clause"} == values
    made = sit().propose("Ann", nb.enact("So be it.", law=clauses))
    assert warned(made.remarks, "ballots-too-early")


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
    assert told(signs(sit(), clauses), "too-early") == []


def test_a_count_of_ballots_comes_too_late_for_every_term_that_is_fixed_when_the_vote_opens():
    counted = "track heard per proposal as number from 0\non balloted: put heard(proposal) at heard(proposal) + 1\n"
    found = signs(sit(), f"{counted}set vote.quorum to heard(proposal)")
    ((code, values),) = told(found, "too-late")
    assert (code, values["key"], values["table"]) == ("written-too-late", "vote.quorum", "heard")
