"""What rules offer, and what reviews and documents say of it."""

from play_helpers import ballot, law, sit
from study.warned import told, warned

import nomic_nb as nb
from nomic_nb.study.review.remarks import remarks_on


def test_voters_are_told_of_an_offer_that_is_open_to_nobody_and_of_one_that_never_ends():
    game = sit()
    law(game, 'on counted when counter == "points" and amount > 1: award 1 points to next_player')
    proposal = put_only(game, 'offer "rest" when 1 > 2: end part\noffer "hide" to "Dov": end part')
    closed = [values["why"] for code, values in told(remarks_on(game.state, proposal.number)) if code == "offer-closed"]
    assert ["1 > 2 is never true" in closed[0], 'no player is called "Dov"' in closed[1]] == [True, True]
    ballot(game)
    game.roll(game.player, 1)
    proposal = put_only(game, 'offer "start": award 1 points to player\n'
                              "on counted when amount == 1: award 1 points to player")  # fmt: skip
    assert warned(remarks_on(game.state, proposal.number), "effects-endless")


def put_only(game, clauses):
    """Propose a rule, and do not vote."""
    return game.propose(game.player, nb.enact("An offer.", law=clauses))
