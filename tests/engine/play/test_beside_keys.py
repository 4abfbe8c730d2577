"""Terms on proposals beside what is owed, votes in turns of their own, labels on adoption, and who is asked."""

from play_helpers import ballot

import nomic_nb as nb

NAMES = ["Ann", "Ben", "Cleo"]


def ruled(law):
    """A game in which a rule says this, in the turn of Ben."""
    game = nb.new_game("discordian-nomic", NAMES, seed=1)
    game.propose("Ann", nb.enact("So be it.", law))
    ballot(game)
    game.roll("Ann")
    assert game.player == "Ben"
    return game


def test_proposal_owed():
    """What need not be proposed can be, by anybody, and the turn's own proposal is owed all the same."""
    game = ruled("set proposal.owed to proponent.in_turn\nprevails over everything")
    game.propose("Cleo", nb.enact("So be it."))
    ballot(game)
    assert ("Ben", "propose") in [(one.player, one.action) for one in game.pending]


def test_vote_when_and_vote_ends_early():
    """Each votes in a turn of their own, and one ballot that decides ends the vote."""
    law = 'set proposal.owed to false\nset vote.when to "own turn"\nset vote.ends_early to true'
    game = ruled(law)
    number = game.propose("Cleo", nb.enact("So be it.")).number
    assert [one.player for one in game.pending if one.action == "vote"] == ["Ben"]
    game.vote("Ben", "against")
    assert game.state.proposals[number].status == "defeated"


def test_a_ballot_is_changed_in_an_own_turn_only():
    """Who has voted, and could vote once more, is offered it in a turn of their own and not in another's."""
    game = ruled('set proposal.owed to false\nset vote.when to "own turn"\nset vote.changeable to true')
    game.propose("Ann", nb.enact("So be it."))
    game.vote("Ben", "for")
    offered = [one for one in game.pending if one.action == "vote"]
    assert [(one.player, one.must) for one in offered] == [("Ben", False)]
    game.propose("Ben", nb.repeal(offered[0].rule))
    while game.player == "Ben":
        one = next(one for one in game.pending if one.must)
        game.do(one.player, one.action, **({"ballot": "for", "proposal": one.proposal} if one.action == "vote" else {}))
    assert {one.player for one in game.pending if one.action == "vote"} == {game.player}


def test_enact_label():
    """A rule is called as the law has it once it is adopted."""
    game = ruled('set enact.label to "N7"')
    game.propose("Ben", nb.enact("So it is."))
    ballot(game)
    assert game.rules["N7"].wording == "So it is."


def test_question_asked():
    """What the law leaves open about an act, those answer who are named."""
    game = nb.new_game("make-a-rule", NAMES[:2], seed=1)
    assert [one.id for one in game.why("question.asked", player="Ann").value] == ["Ben"]


def test_question_doubt():
    """Whether somebody is asked about an act in doubt, or others can challenge it."""
    game = nb.new_game("make-a-rule", NAMES[:2], seed=1)
    assert game.why("question.doubt", player="Ann").value == "ask"


def test_piece_worth():
    """What a kind of piece is worth, where rules compare what is lost."""
    game = nb.new_game("make-a-rule", NAMES[:2], seed=1)
    assert [game.why("piece.worth", kind=kind).value for kind in "PNBRQK"] == [1, 3, 3, 5, 9, 0]
