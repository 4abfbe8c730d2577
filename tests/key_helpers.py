"""What the tests of `test_keys` share."""

from play_helpers import (
    adopt,
    open_up,
    put,
    sit,
    turn,
)

import nomic_nb as nb

BY_THEMSELVES = 'set turn.start to "automatic"\nset turn.overlap to false'  # as 201 has it


def change_immutable(game, number, clauses):
    """Open up an immutable rule and amend it, in two turns; its number is returned."""
    opened = open_up(game, number)
    proposal = adopt(game, nb.amend(opened, "As the clauses have it.", law=clauses))
    game.roll(game.player, 1)
    return proposal.number


def doubtful(game):
    """Take away both rules on how many votes it takes, so that nobody can tell whether changes can be adopted."""
    opened = open_up(game, 109)
    turn(game, nb.repeal(opened))
    return put(game, nb.repeal(203))


def on_github(*players):
    return sit(*(players or ("Ann", "Ben", "Cleo")), system="github-nomic")


def scored(game, player, number, change, against=(), silent=()):
    """A whole turn on GitHub: begin, propose, vote, and close the vote where somebody is silent."""
    game.begin_turn(player)
    proposal = game.propose(player, change, number)
    for voter in game.players:
        if voter not in silent:
            game.vote(voter, "against" if voter in against else "for", proposal=number)
    for one in [one for one in game.pending if (one.action, one.proposal) == ("agree", number)]:
        game.agree(one.player, "yes", number)
    if silent:
        game.close_vote(player, proposal=number)
    return proposal
