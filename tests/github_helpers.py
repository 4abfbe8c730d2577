"""What the tests of `test_github` share."""

from beginnings import new_game

import nomic_nb as nb

SYSTEM = "github-nomic"


def sit(*players, seed=7, **more):
    return new_game(SYSTEM, players or ("Ann", "Ben", "Cleo"), seed=seed, **more)


def open_vote(game, player, number, change=None):
    """Begin a turn and propose."""
    game.begin_turn(player)
    return game.propose(player, change or nb.enact(f"Nothing to see in {number}."), number)


def vote(game, number, against=(), silent=()):
    """Everyone votes save those who keep silent and let the proponent close the vote without them."""
    proposal = game.proposals[number]
    for voter in game.players:
        if voter not in silent and proposal.outcome == "open" and voter not in proposal.ballots:
            game.vote(voter, "against" if voter in against else "for", proposal=number)
    agreed(game, number)
    if proposal.outcome == "open":
        game.close_vote(proposal.proponent, proposal=number)
    return proposal


def agreed(game, number):
    """Whoever is asked lets the vote on a proposal be closed."""
    for one in list(game.pending):
        if (one.action, one.proposal) == ("agree", number):
            game.agree(one.player, "yes", number)


def turn(game, player, number, change=None, against=(), silent=()):
    """A whole turn: begin, propose, vote; the rest comes by itself."""
    open_vote(game, player, number, change)
    return vote(game, number, against, silent)


def law(game, player, number, clauses, wording="So be it."):
    proposal = turn(game, player, number, nb.enact(wording, law=clauses))
    assert proposal.outcome == "adopted"
    return number


def two_turns_each(game, first=1):
    """Everyone has two turns, in which nothing is adopted; the next number is returned."""
    number = first
    for _ in range(2):
        for player in game.players:
            turn(game, player, number, against=game.players)
            number += 1
    return number


def numbers(game, tier):
    return [rule.number for rule in game.rules if rule.tier == tier]
