"""Votes that end early: never while a ballot to come could change the result."""

from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from often import examples
from play_helpers import majority, open_up, put, sit

import nomic_nb as nb

NAMES = ("Ann", "Ben", "Cleo", "Dee")
THREE = NAMES[:3]
EARLY = "set vote.ends_early to true"
FREE = "set vote.duty to false\nset vote.ended_by to [proponent]"
CHANGEABLE = "set vote.changeable to true"
ABSTAIN = 'set vote.choices to ["for", "against", "abstain"]'
FIRST = "prevails over everything"


@cache
def majority_of(players):
    game = sit(*players)
    open_up(game, 104)
    open_up(game, 105)
    majority(game)
    return game


def table(*clauses, players=NAMES):
    """A table where a majority is enough, and a rule with these clauses prevails."""
    game = majority_of(players).fork()
    adopted = put(game, nb.enact("So be it.", law="\n".join([*clauses, FIRST]))).outcome == "adopted"
    game.roll(game.player, 1)
    return game if adopted else None  # a law under which nothing could ever pass has no effect


def cast(game, *ballots, change=None):
    """A proposal, and these ballots in the order of the players, as long as the vote is open; None is no ballot."""
    made = game.propose(game.player, change or nb.enact("Hats are worn."))
    for name, one in zip(NAMES, ballots, strict=False):
        if one is not None and made.outcome == "open":
            game.vote(name, one)
    return made


@pytest.mark.parametrize(
    ("clauses", "ballots", "ends"),
    [
        # As many ballots as have to be cast are not there yet.
        (["set vote.quota to 2", "set vote.quorum to 3"], ["for", "for"], None),
        (["set vote.quota to 2", "set vote.quorum to 3"], ["for", "for", "against"], "adopted"),
        # Three to one is enough, and four to none is not.
        (["set vote.adopted to votes_for >= 3 and votes_against > 0"], ["for", "for", "for"], None),
        (["set vote.adopted to votes_for >= 3 and votes_against > 0"], ["against", "against"], "defeated"),
        # A ballot that weighs nothing decides where voters are counted.
        (['set vote.weight to 0 while voter.name == "Dee"', 'set vote.weight to 1 while voter.name != "Dee"',
          "set vote.adopted to count(supporters) >= 3"], ["for", "for", "against"], None),
        (['set vote.weight to 0 while voter.name == "Dee"', 'set vote.weight to 1 while voter.name != "Dee"'],
         ["for", "for"], "adopted"),
        # A share of those who voted.
        (['set vote.quota_when to "closing"', "set vote.quota to count(supporters) / 2 + count(opponents) / 2 + 1/2"],
         ["for", "for"], None),
        (['set vote.quota_when to "closing"', "set vote.quota to count(supporters) / 2 + count(opponents) / 2 + 1/2"],
         ["for", "for", "for"], "adopted"),
        (["set vote.adopted to proponent in supporters and votes_for > 1"], ["for", "for"], "adopted"),
        (['set vote.adopted to player_named("Dee") in supporters and votes_for > 1'], ["for", "for", "for"], None),
        # A ballot that can be changed decides nothing.
        ([CHANGEABLE, "set vote.quota to 2"], ["for", "for", "for"], None),
        (["set vote.changeable to votes_cast > 2", "set vote.quota to 2"], ["for", "for"], None),
        # Abstaining is neither for nor against.
        ([ABSTAIN, "set vote.adopted to votes_for > votes_against"], ["for", "for", "abstain"], "adopted"),
        ([ABSTAIN, "set vote.adopted to votes_for > votes_against"], ["for", "abstain"], None),
        ([ABSTAIN, "set vote.adopted to count(abstainers) == 1"], ["for", "abstain"], None),
        # What adopts can change without a ballot.
        (["set vote.adopted to votes_for > 1 while turn < 9", "set vote.adopted to false while turn >= 9"],
         ["for", "for", "for"], None),
        (["set vote.adopted to votes_for > count(proposals) - 9"], ["for", "for", "for"], None),
        (["set vote.adopted to votes_for > 1 + points(proponent) * 0"], ["for", "for"], None),
        # The kind of a change cannot.
        (['set vote.adopted to votes_for > 1 while change.kind == "enact"',
          'set vote.adopted to false while change.kind != "enact"'], ["for", "for"], "adopted"),
        # Whoever was first.
        (["set vote.adopted to count(supporters) > 0 and item(supporters, 1) == proponent"], ["for"], None),
        # It gives no answer in some cases: nobody is asked before it has to.
        (["set vote.adopted to votes_for / votes_against >= 2"], ["for", "for"], None),
        # A ballot sets off that voters go.
        (["on balloted when ballot == \"for\" and votes_for == 2: eliminate opponents"], ["against", "against"], None),
    ],
)  # fmt: skip
def test_a_vote_ends_early_only_where_every_ballot_to_come_ends_alike(clauses, ballots, ends):
    game = table(EARLY, *clauses)
    made = cast(game, *ballots)
    assert not game.state.questions
    assert made.outcome == (ends or "open")


ADOPTED = st.sampled_from([
    "votes_for >= vote.quota", "votes_for > votes_against", "votes_for >= vote.quota and votes_against > 0",
    "count(supporters) > count(opponents)", "count(supporters) == 2", "votes_for >= votes_cast / 2 and votes_cast > 0",
    "proponent in supporters or votes_for >= 3", 'any(p.name == "Cleo" for p in opponents)', "votes_against < 2",
    "count(not_voted) < 2 and votes_for > 0", "votes_for * 3 >= 2 * (votes_for + votes_against)",
    "2 <= votes_cast and not (player_named(\"Ben\") in supporters)",
    "count([p for p in supporters if p != proponent]) > 1",
    "votes_for > 1 if count(abstainers) > 0 else votes_for > 2", "item(supporters, 1) == proponent",
])  # fmt: skip
QUOTA = st.sampled_from(
    ["0", "1", "2", "5/2", "3", "9", "count(opponents) + 1", "(votes_for + votes_against) / 2 + 1/4"]
)
WEIGHTS = st.tuples(*[st.sampled_from(["0", "1", "1", "2", "1/3", "5/2"])] * 3)
CASES = st.fixed_dictionaries({
    "adopted": ADOPTED, "quota": QUOTA, "weights": WEIGHTS, "quorum": st.sampled_from([None, "1", "2", "3", "7/2"]),
    "abstain": st.booleans(), "changeable": st.booleans(), "free": st.booleans(),
})  # fmt: skip


def written(case):
    named = " else ".join(f'{one} if voter.name == "{name}"' for name, one in zip(THREE, case["weights"], strict=True))
    lines = [f"set vote.adopted to {case['adopted']}", f"set vote.quota to {case['quota']}"]
    lines += ['set vote.quota_when to "closing"' if "count" in case["quota"] or "votes" in case["quota"] else ""]
    lines += [f"set vote.weight to {named} else 1", f"set vote.quorum to {case['quorum']}" if case["quorum"] else ""]
    lines += [ABSTAIN if case["abstain"] else "", CHANGEABLE if case["changeable"] else ""]
    return [one for one in (*lines, FREE if case["free"] else "") if one]


def ends(game, number, left):
    """What can become of a vote if these ballots come, one after the other; it is closed where not all are cast."""
    if game.state.proposals[number].status != "open":
        return {game.state.proposals[number].status}
    if not left:
        game.close_vote(game.state.proposals[number].proponent)
        return {game.state.proposals[number].status}
    (name, choices), *rest = left
    found = set()
    for one in choices:
        then = game.fork()
        if one is not None:
            then.vote(name, one)
        found |= ends(then, number, rest)
    return found


@examples(8)
@given(CASES, st.data())
def test_what_a_vote_decides_early_no_ballots_to_come_decide_otherwise(case, data):
    """Against brute force: the same vote without an early end, played to its end in every way in which it can go on."""
    early, late = table(EARLY, *written(case), players=THREE), table(*written(case), players=THREE)
    assume(early is not None)
    choices = ["for", "against", "abstain"] if case["abstain"] else ["for", "against"]
    one, other = (game.propose(game.player, nb.enact("Hats are worn.")) for game in (early, late))
    for name in data.draw(st.permutations(THREE)):
        if one.outcome != "open" or early.state.questions:
            break
        ballot = data.draw(st.sampled_from(choices))
        early.vote(name, ballot)
        late.vote(name, ballot)
    waiting = late.state.proposals[other.number].vote.silent_voters
    if one.outcome != "open" and waiting and not early.state.questions:
        to_come = [(name, [*choices, None] if case["free"] else choices) for name in waiting]
        given = {name: ballot for name, ballot in other.ballots.items() if case["changeable"]}
        again = [(name, [None, *(one for one in choices if one != ballot)]) for name, ballot in given.items()]
        assert ends(late, other.number, [*again, *to_come]) == {one.outcome}


def test_a_law_that_only_a_vote_against_lets_pass_leaves_changes_possible():
    """Three to one passes, and four to none does not: no review says that nothing can pass, and no requirement."""
    game = table("set vote.adopted to votes_for == 3")
    votes = game.review(game.player, nb.enact("Hats are worn.")).votes
    assert votes.passes is True
    assert [voter.decides for voter in votes.voters] == [4, 4, 4, 4]
    assert (
        "It fails if everyone votes for it. It passes, for example, if Ann, Ben and Cleo vote for it and Dee votes"
        in str(game.review(game.player, nb.enact("Hats are worn.")))
    )
    assert cast(game, "for", "for", "for", "against").outcome == "adopted"


def test_what_no_ballots_adopt_cannot_pass():
    game = table()
    found = game.review(game.player, nb.enact("Never.", law=f"set vote.adopted to votes_for == 5\n{FIRST}"))
    assert found.future.possible is False
    assert found.no_effect_reason


def told(game, *clauses):
    made = game.propose(game.player, nb.enact("So be it.", law="\n".join([*clauses, FIRST])))
    return [one.line for one in made.remarks if "end early" in one.line or "end early" in one.evidence]


@pytest.mark.parametrize(
    ("clauses", "why"),
    [
        ([EARLY, CHANGEABLE], True),
        ([EARLY, "set vote.adopted to votes_for >= vote.quota and turn > 3"], True),
        ([EARLY, "set vote.adopted to votes_for >= 2 and now.day > 3"], True),
        ([EARLY], False),
        ([CHANGEABLE], False),
        ([EARLY, "set vote.adopted to votes_for > votes_against"], False),
        ([EARLY, 'set vote.adopted to votes_for >= (2 if change.kind == "enact" else 3)'], False),
    ],
)
def test_voters_are_told_that_no_vote_will_end_early(clauses, why):
    assert bool(told(majority_of(NAMES).fork(), *clauses)) is why
