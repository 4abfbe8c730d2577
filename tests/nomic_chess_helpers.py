"""What the tests of `test_nomic_chess` share."""

from board_helpers import moves
from play_helpers import put, waiting_for

import nomic_nb as nb

NAMES = ("Ann", "Ben", "Cleo", "Dov", "Eve", "Fay", "Gus", "Hal")


PAIR = ("white", "yellow")


def numbers(game, tier):
    """The numbers of the rules that stand so, in order."""
    return sorted(rule.number for rule in game.rules if rule.tier == tier)


def whole(game, change, against=()):
    """A whole turn with this proposal; what it asks for is declined or done with the first thing that will do."""
    proposal = put(game, change, against)
    turn = game.turn
    while game.turn == turn and not game.over:
        decision = next(one for one in game.pending if one.must)
        if decision.action == "move":
            game.move(decision.player, decision.options[0])
        else:
            game.choose(decision.player, decision.options[-1], decision.id)
    return proposal


def majority(game):
    """A whole turn in which all agree that from now on more than half are enough."""
    proposal = whole(game, nb.library.simple_majority().change(203))
    assert proposal.outcome == "adopted"
    return proposal.number


def rule_for(game, judge, ruling="So it is.", **more):
    """The Judge decides, and nobody overrules."""
    game.rule_on(judge, ruling, **more)
    while voters := waiting_for(game, "overrule"):
        game.overrule(voters[0], "against")


def last_move(game):
    """The player on turn makes the first move that there is."""
    game.move(game.player, moves(game)[0])
