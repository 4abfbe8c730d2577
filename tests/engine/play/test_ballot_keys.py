"""Ballots: who abstains has voted; how many have to vote; what adopts, found when the vote closes."""

from fractions import Fraction
from itertools import product

import refusals
from hypothesis import assume, given
from hypothesis import strategies as st
from often import examples
from play_helpers import law, majority, open_up, refused, sit, waiting_for

import nomic_nb as nb
from nomic_nb.study.review.votes import count_ways_by_tally, ways_without_voter

ABSTAIN = 'set vote.choices to ["for", "against", "abstain"]'
FIRST = "prevails over everything"
NAMES = ("Ann", "Ben", "Cleo", "Dee")


def table(*clauses):
    """Four at a table where a majority is enough, and these clauses hold."""
    game = sit(*NAMES)
    open_up(game, 105)
    majority(game)
    if clauses:
        law(game, "\n".join([*clauses, FIRST]))
    return game


def cast(game, ballots, change=None):
    """A proposal, and these ballots in order."""
    made = game.propose(game.player, change or nb.enact("Hats are worn."))
    for name, one in ballots.items():
        game.vote(name, one)
    return made


def test_vote_choices():
    game = table()
    made = game.propose(game.player, nb.enact("Hats are worn."))
    with refused(game, "not-one-of"):
        game.vote("Ann", "abstain")
    with refused(game, "not-one-of"):
        game.vote("Ann", "maybe")
    for name in NAMES:
        game.vote(name, "for")
    game.roll(game.player, 1)
    law(game, f"{ABSTAIN}\n{FIRST}")
    made = cast(game, {"Ann": "for", "Ben": "abstain", "Cleo": "for"})
    assert made.tally.verdict.startswith("Open: 2 for, 0 against, 1 abstained; Dee has not voted; 3 of 4 in favour")
    assert waiting_for(game, "vote") == ["Dee"]
    game.vote("Dee", "abstain")
    assert made.outcome == "defeated"
    assert made.tally.verdict.startswith("Failed: 2 for, 0 against, 2 abstained; 3 of 4 in favour are needed")
    row = game.proposals.frame.loc[made.number]
    assert (row.votes_for, row.votes_against, row.votes_abstained, row.quorum) == (2, 0, 2, 0)
    assert "Ben abstains on" in " ".join(game.history["what"])
    assert str(made).count("abstained") == 1


def test_what_can_be_chosen_is_a_list_of_ballots():
    game = sit()
    for clauses, said in (
        ('set vote.choices to ["for", "maybe"]', {"code": "value-unfit"}),
        ('set vote.choices to ["for", "abstain"]', {"code": "value-unfit"}),
        ('set vote.quota_when to "never"', {"code": "value-unknown"}),
        ("set vote.quorum to 0 - 1", {"code": "value-unfit", "why": "out-of-range"}),
    ):
        with refusals.refused(**said):
            game.propose(game.player, nb.enact("So.", law=clauses))


def test_a_rule_abstains_only_where_voters_can():
    game = table("set vote.automatic to true", 'on vote_opened: cast "abstain" for "Dee"')
    game.propose(game.player, nb.enact("Hats are worn."))
    assert "is not a possible ballot in this vote" in game.state.questions[0].text
    game = table(ABSTAIN, "set vote.automatic to true", 'on vote_opened: cast "abstain" for "Dee"')
    made = game.propose(game.player, nb.enact("Hats are worn."))
    assert made.ballots == {"Dee": "abstain"}


def test_vote_quorum():
    game = table("set vote.duty to false\nset vote.ended_by to [proponent]\nset vote.quorum to 3\nset vote.quota to 1",
                 ABSTAIN)  # fmt: skip
    made = cast(game, {"Ann": "for", "Ben": "abstain"})
    assert "and at least 3 must be cast" in made.tally.verdict
    game.close_vote(game.player)
    assert made.outcome == "defeated"
    assert "Only 2 of the 3 votes needed for a quorum were cast." in made.tally.verdict
    game.roll(game.player, 1)
    made = cast(game, {"Ann": "for", "Ben": "abstain", "Cleo": "abstain"})
    game.close_vote(game.player)
    assert made.outcome == "adopted"


def test_nothing_can_pass_under_a_quorum_that_nobody_reaches():
    game = table()
    found = game.review("Ann", nb.enact("All of us.", law="set vote.quorum to 5"))
    assert "no" in str(found.future)
    law(game, f"set vote.quorum to 4\n{FIRST}")
    found = game.review("Ann", nb.enact("Hats are worn."))
    assert found.votes.passes is True
    assert "with at least 4 cast" in found.votes.in_short


def test_vote_quota_when():
    game = table(ABSTAIN, 'set vote.quota_when to "closing"\nset vote.quota to (votes_for + votes_against) / 2 + 1/2')
    made = cast(game, {"Ann": "for", "Ben": "abstain", "Cleo": "abstain"})
    assert "if the vote closed now, 1 of 4 in favour is needed" in made.tally.verdict
    assert game.state.proposals[made.number].vote.quota is None
    game.vote("Dee", "against")
    assert made.outcome == "defeated"
    assert "2 of 4 in favour are needed" in made.tally.verdict
    game.roll(game.player, 1)
    made = cast(game, {"Ann": "for", "Ben": "abstain", "Cleo": "abstain", "Dee": "for"})
    assert made.outcome == "adopted"
    assert game.proposals.frame.loc[made.number].quota == Fraction(3, 2)
    assert made.tally.verdict.startswith("Passed: 2 for, 0 against, 2 abstained; 2 of 4 in favour are needed")


def test_a_quota_that_reads_ballots_is_found_when_the_vote_closes():
    game = table("set vote.quota to (count(supporters) + count(opponents)) / 2 + 1/2", ABSTAIN)
    made = cast(game, {"Ann": "for", "Ben": "against", "Cleo": "against"})
    assert "if the vote closed now, 2 of 4 in favour are needed" in made.tally.verdict
    game.vote("Dee", "abstain")
    assert made.outcome == "defeated"
    game.roll(game.player, 1)
    assert cast(game, dict.fromkeys(NAMES, "for")).tally.quota == 3


def test_a_quota_that_reads_ballots_for_other_changes_is_found_when_the_vote_opens():
    game = table('set vote.quota to votes_against + 1 while change.kind == "amend"')
    assert cast(game, {}).tally.quota == 3
    assert game.state.proposals[max(game.state.proposals)].vote.late is False
    for name in NAMES:
        game.vote(name, "against")
    game.roll(game.player, 1)
    assert cast(game, {"Ann": "for", "Ben": "against"}, nb.amend(202, "Roll.")).tally.quota == 2


def test_what_is_needed_does_not_tell_sealed_ballots():
    game = table(ABSTAIN, 'set vote.quota_when to "closing"\nset vote.quota to votes_against + 1',
                 'set vote.ballots to "sealed"')  # fmt: skip
    made = cast(game, {"Ann": "against"})
    assert made.tally.quota is None
    assert "the votes needed are worked out when the vote closes" in made.tally.verdict
    assert "None" not in made.tally.verdict


def test_a_panel_offers_the_ballots_that_there_are():
    game = table(ABSTAIN)
    game.propose(game.player, nb.enact("Hats are worn."))
    assert {one.options for one in game.pending if one.action == "vote"} == {("for", "against", "abstain")}


BALLOTS = st.sampled_from(["for", "against", "abstain"])


@examples(10)
@given(
    st.tuples(*[BALLOTS] * 4), st.tuples(*[st.integers(0, 3)] * 4), st.integers(0, 9), st.integers(1, 8), st.booleans()
)
def test_votes_end_as_an_exact_model_has_it(ballots, weights, quorum, part, late):
    """Against sums done by hand: quorum over all that is cast, and a share of what is for or against."""
    assume(max(quorum, part) <= sum(weights))
    game = sit(*NAMES)
    named = " else ".join(f'{weight} if voter.name == "{name}"' for name, weight in zip(NAMES, weights, strict=True))
    quota = f"(votes_for + votes_against) * {part} / 8" if late else str(part)
    when = "closing" if late else "opening"
    clauses = f'{ABSTAIN}\nset vote.quorum to {quorum}\nset vote.quota_when to "{when}"\nset vote.quota to {quota}'
    law(game, f"{clauses}\nset vote.weight to {named} else 0\n{FIRST}")
    made = cast(game, dict(zip(NAMES, ballots, strict=True)))
    sums = {one: sum(w for w, b in zip(weights, ballots, strict=True) if b == one) for one in set(ballots)}
    in_favour, against = sums.get("for", 0), sums.get("against", 0)
    needed = Fraction((in_favour + against) * part, 8) if late else part
    adopted = sum(weights) >= quorum and in_favour >= needed
    assert made.outcome == ("adopted" if adopted else "defeated")
    assert made.tally.votes_abstained == sums.get("abstain", 0)


@examples(10)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=5))
def test_ways_to_vote_are_counted_as_one_by_one(weights):
    named = {str(at): weight for at, weight in enumerate(weights)}
    ways, example = count_ways_by_tally(named, ("for", "abstain"))
    counted = {}
    for way in product(("for", "against", "abstain"), repeat=len(weights)):
        sums = tuple(sum(w for w, b in zip(weights, way, strict=True) if b == side) for side in ("for", "abstain"))
        counted[sums] = counted.get(sums, 0) + 1
    assert ways == counted
    for sums, ballots in example.items():
        assert (
            tuple(sum(named[one] for one in named if ballots.get(one) == side) for side in ("for", "abstain")) == sums
        )
    others = {name: weight for name, weight in named.items() if name != "0"}
    assert ways_without_voter(ways, named["0"]) == count_ways_by_tally(others, ("for", "abstain"))[0]


def test_whose_ballot_decides_where_voters_can_abstain():
    game = table(ABSTAIN, "set vote.quota to 2")
    votes = game.review("Ann", nb.enact("Hats are worn.")).votes
    assert votes.ways_others_can_vote == 27
    # Of the other three, exactly one is for it: 3 times 2 times 2 ways.
    assert {voter.decides for voter in votes.voters} == {12}


def test_a_record_with_abstentions_plays_again(tmp_path):
    game = table(ABSTAIN, 'set vote.quota_when to "closing"\nset vote.quota to votes_cast / 2\nset vote.quorum to 2')
    cast(game, {"Ann": "for", "Ben": "abstain", "Cleo": "against", "Dee": "abstain"})
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert again.state.digest() == game.state.digest()


def test_a_tally_leaves_out_a_quota_that_adoption_does_not_need():
    game = table()
    open_up(game, 104)
    law(game, f"set vote.adopted to votes_for > votes_against\n{FIRST}")
    needed = game.review(game.player, nb.enact("Hats are worn.")).votes.in_short
    assert needed.startswith("votes_for > votes_against (rule 30")
    made = cast(game, {"Ann": "for", "Ben": "against"})
    assert made.tally.verdict.startswith(
        "Open: 1 for, 1 against; Cleo and Dee have not voted; it passes if votes_for >"
    )
    game.vote("Cleo", "for")
    game.vote("Dee", "against")
    assert "needed" not in made.tally.verdict
    told = " ".join(game.history["what"].tail(12))
    assert "may vote (it passes if votes_for > votes_against" in told
    assert "does not pass, 2–2 (it passes if votes_for > votes_against)" in told


def test_a_tally_names_the_quota_where_adoption_looks_at_it_in_some_way():
    for adopted in ("votes_for >= vote.quota and votes_against < 2", "votes_for >= quota"):
        game = table()
        open_up(game, 104)
        law(game, f"set vote.adopted to {adopted}\n{FIRST}")
        assert "3 of 4 in favour are needed" in cast(game, {}).tally.verdict
