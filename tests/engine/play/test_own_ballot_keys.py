"""Ballots with words of one's own: what they count as, who may cast them, and what follows."""

from __future__ import annotations

import pytest
from play_helpers import law, open_up, refused, replayed, scores, sit

import nomic_nb as nb
from nomic_nb.notebook.panels.magics import votes_magic

VETO = """
set vote.choices to ["for", "against", "abstain", "veto", "yeah"]
set vote.counts_as to "against" while ballot == "veto"
set vote.counts_as to "for" while ballot == "yeah"
set vote.quota to 2
prevails over everything"""


def table(clauses=VETO):
    """Three at a table, with a proposal on which they vote."""
    game = sit()
    open_up(game, 105)  # which gives everybody the right to vote
    if clauses:
        law(game, clauses)
    return game, game.propose(game.player, nb.enact("Hats are worn."))


def test_a_word_counts_as_the_rules_say(tmp_path):
    game, made = table()
    for name, word in {"Ann": "yeah", "Ben": "veto", "Cleo": "for"}.items():
        assert word in next(one.options for one in game.pending if one.player == name and one.action == "vote")
        game.vote(name, word)
    assert made.outcome == "adopted"
    assert "2 for, 1 against, 0 abstained, with 1 “veto” and 1 “yeah”" in made.tally.verdict
    assert "Ben votes “veto” on proposal" in " ".join(game.history["what"])
    row = game.proposals.frame.loc[made.number]
    assert (row.votes_for, row.votes_against, row.votes_abstained) == (2, 1, 0)
    replayed(game, tmp_path)


def test_a_word_of_which_no_rule_speaks_counts_as_abstaining():
    game, made = table('set vote.choices to ["for", "against", "maybe"]\nset vote.quota to 2\nprevails over everything')
    assert votes_magic(game, "Ben maybe, others for").ballots == {"Ben": "maybe", "Ann": "for", "Cleo": "for"}
    vote = game.state.proposals[made.number].vote
    assert (vote.weight_of_side("for"), vote.weight_of_side("against"), vote.weight_cast) == (2, 0, 3)


def test_one_veto_is_enough_where_a_rule_says_so():
    game = sit()
    open_up(game, 105)
    open_up(game, 104)
    law(game, VETO + '\nset vote.adopted to votes_for >= vote.quota and count(who(proposal, "veto")) == 0\n'
                     'on balloted when ballot == "veto": award -5 points to player')  # fmt: skip
    before = scores(game)["Ben"]
    made = game.propose(game.player, nb.enact("Coats are worn."))
    game.vote("Ben", "veto")
    assert scores(game)["Ben"] == before - 5
    game.votes("for")
    assert made.tally.verdict.startswith("Failed: 2 for, 1 against")


def test_only_some_voters_may_cast_it():
    game, _ = table(VETO + '\nforbid vote when ballot == "veto" and player.name != "Ann"')
    offered = {one.player: "veto" in one.options for one in game.pending if one.action == "vote"}
    assert offered == {"Ann": True, "Ben": False, "Cleo": False}
    with refused(game, "not-allowed"):
        game.vote("Ben", "veto")


def test_the_result_of_a_vote_is_that_of_its_opening():
    game, _ = table()
    number = game.state.open_proposals[0].number
    assert game.why("vote.counts_as", proposal=number, ballot="veto").value == "against"
    with refused(game, "not-one-of"):
        game.vote("Ann", "vetto")


@pytest.mark.parametrize(
    ("choices", "why"),
    [
        ('["for", "against", "sealed"]', "ballots-unfit"),
        ('["for", "against", "no way"]', "ballots-unfit"),
        ('["for", "against", "Veto"]', "ballots-unfit"),
        ('["for", "against", "1"]', "ballots-unfit"),
        ('["for", "veto"]', "ballots-unfit"),
        (f'["for", "against", "{"v" * 21}"]', "ballots-unfit"),
        ('["for", "against", "for"]', "ballots-unfit"),
        ('["for", "against", "a", "b", "c", "d", "e", "f", "g"]', "ballots-unfit"),
    ],
)
def test_words_that_could_not_be_told_apart_or_written_are_refused(choices, why):
    game = sit()
    with refused(game, "value-unfit", nb.LawError, why=why):
        game.propose(game.player, nb.enact("So.", law=f"set vote.choices to {choices}"))


@pytest.mark.parametrize(
    ("code", "clause"),
    [
        ("never-has-text", 'on balloted when ballot == "vetto": award 1 points to player'),
        ("never-has-text", 'on adopted when count(who(proposal, "vetto")) > 0: award 1 points to proponent'),
        ("value-unknown", 'on vote_opened: cast "vetto" for "Dummy"'),
    ],
)
def test_a_ballot_that_no_rule_lists_is_refused(code, clause):
    game = sit()
    open_up(game, 105)
    law(game, VETO)
    new = f'set vote.choices to ["for", "against", "vetto"]\n{clause}'
    assert "unreadable" not in [one.code for one in game.review(game.player, nb.enact("So.", law=new)).warnings]
    with refused(game, code, nb.LawError):
        game.propose(game.player, nb.enact("So.", law=clause))
    game.propose(game.player, nb.enact("So.", law=clause.replace("vetto", "veto")))
