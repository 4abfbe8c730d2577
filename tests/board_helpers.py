"""What the tests of boards do over and over: sit down at Nomic Chess, set pieces up, propose, move."""

from __future__ import annotations

from beginnings import new_game
from play_helpers import ballot, by_hand

import nomic_nb as nb

SYSTEM = "nomic-chess"


def chess(*players, seed=7, **more):
    """Begin a game of Nomic Chess; Ann, Ben and Cleo with white, yellow and green where nobody is named."""
    return new_game(SYSTEM, players or ("Ann", "Ben", "Cleo"), seed=seed, **more)


def arrange(game, **armies):
    """Set the boards up by hand: every army as it is said, such as white="Ke1 yellow.Ra1", the rest empty."""
    by = game.players[0]
    for army in game.state.position.armies:
        by_hand(game, by, f'remove army_named("{army}").pieces')
    for army, pieces in armies.items():
        for one in pieces.split():
            board, _, rest = one.rpartition(".")
            square = f"{board or army}.{rest[1:]}"
            by_hand(game, by, f'place "{rest[0]}" of army_named("{army}") at square_named("{square}")')
    return game


def next_turn(game, *, wait, **armies):
    """Set the boards up in the turn of the last player, who makes a waiting move, so that Ann’s turn begins so."""
    while game.player != game.players[-1]:
        finish(game)
    arrange(game, **armies)
    nothing(game)
    game.move(game.players[-1], wait)
    assert game.player == game.players[0]
    return game


def nothing(game, against=()):
    """The player on turn proposes a rule without clauses, and all vote."""
    proposal = game.propose(game.player, nb.enact("Nothing to see here."))
    ballot(game, against)
    return proposal


def law(game, clauses, wording="So be it."):
    """The player on turn proposes a rule with these clauses, and all are for it."""
    proposal = game.propose(game.player, nb.enact(wording, law=clauses))
    ballot(game)
    assert proposal.outcome == "adopted", proposal.tally
    return proposal


def moves(game, start=""):
    """The moves that can be made, those that begin so."""
    found = [one for decision in game.pending if decision.action == "move" for one in decision.options]
    return [one for one in found if one.split(": ")[1].startswith(start)]


def on(game, square):
    """What stands on a square: army and kind, or nothing."""
    piece = game.state.position.at(square)
    return "" if piece is None else f"{piece.army} {piece.kind.upper()}"


def controllers(game):
    """Who controls which army."""
    return {army.name: army.controller for army in game.state.position.armies.values()}


def finish(game):
    """Make moves, the first that there are, until the turn is over; decline what is offered."""
    turn = game.turn
    while game.turn == turn and not game.over:
        decision = next(one for one in game.pending if one.must)
        if decision.action == "propose":
            nothing(game)
        elif decision.action == "move":
            game.move(decision.player, decision.options[0])
        else:
            game.choose(decision.player, decision.options[-1], decision.id)


def turns(game, count):
    """So many whole turns in which nothing much happens."""
    for _ in range(count):
        finish(game)
