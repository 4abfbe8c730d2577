"""Withdrawing a proposal, where a rule allows it; and laws under which nobody could ever vote in favour."""

import pytest
from panels.pages import Page
from play_helpers import law, open_up, refused, scores, sit

import nomic_nb as nb

UNTIL_A_VOTE = "allow withdraw when votes_cast == 0"


def proposed(clause=UNTIL_A_VOTE):
    """A game in which the player on turn has made a proposal on which all can vote."""
    game = sit()
    if clause:
        law(game, clause)
    author = game.player
    game.propose(author, nb.enact("More."))
    (proposal,) = game.state.open_proposals
    return game, author, proposal.number


def may_withdraw(game):
    return [(one.player, one.proposal, one.must) for one in game.pending if one.action == "withdraw"]


def test_without_a_rule_nobody_can_withdraw():
    game, author, number = proposed("")
    assert may_withdraw(game) == []
    with refused(game, "no-withdrawing", proposal=number):
        game.withdraw(author)


def test_a_rule_lets_its_author_and_nobody_else_withdraw_it(tmp_path):
    game, author, number = proposed()
    assert may_withdraw(game) == [(author, number, False)]
    other = next(name for name in game.players if name != author)
    with refused(game, "none-to-withdraw"):
        game.withdraw(other, number)
    with refused(game, "none-to-withdraw"):
        game.withdraw(other)
    with refused(game, "which-to-withdraw"):
        game.withdraw(author, number + 1)
    Page(game, author).act("withdraw", proposal=number)
    assert game.state.proposals[number].status == "lapsed"
    assert not game.state.open_proposals
    assert f"{author} withdraws proposal {number}" in list(game.history["what"])
    assert any(one.action == "roll" for one in game.pending), "the duty to propose is done, and play goes on"
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


def test_the_condition_of_the_rule_is_kept():
    game, author, number = proposed()
    game.vote("Cleo", "against")
    assert may_withdraw(game) == []
    with refused(game, "no-withdrawing", proposal=number):
        game.withdraw(author)


def test_rules_answer_to_it():
    game, author, _ = proposed("allow withdraw\non proposal_withdrawn: award -5 points to player")
    before = scores(game)[author]
    game.withdraw(author)
    assert scores(game)[author] == before - 5


@pytest.mark.parametrize(
    ("clause", "closes"),
    [
        ('forbid vote when ballot == "for"', True),
        ('forbid vote when ballot in ["for", "against"]', True),
        ('forbid vote when ballot == "against"', False),
        ('forbid vote when ballot == "for" and player.points > 90', False),
        ('forbid vote when ballot == "for" and circuit < 3', False),
        ('forbid vote when ballot == "for" and player.name == "Ben"', True),
        ('forbid vote when ballot == "for" and player.name == "Ben"\nset vote.quota to 1\nprevails over 203', False),
    ],
)  # fmt: skip
def test_a_rule_that_forbids_votes_in_favour_for_ever_would_end_all_change(clause, closes):
    game = sit()
    open_up(game, 105)  # which gives everybody the right to vote
    proposal = game.propose(game.player, nb.enact("So be it.", law=f"{clause}\nprevails over 105"))
    for player in game.players:
        game.vote(player, "for")
    assert (game.state.proposals[proposal.number].status == "without effect") == closes
    told = " ".join(game.history["what"])
    assert ("114 does not allow it" in told) == closes
