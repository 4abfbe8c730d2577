"""Games with turns that overlap and with Judges, for the tests of what is shown of them."""

from __future__ import annotations

import nomic_nb as nb

NAMES = ("Ann", "Ben", "Cleo", "Dee")
LIMIT = 'require count(r for r in rules if r.tier == "mutable") <= {}'


def vote(game, number, *against):
    """Let all who have not voted on a proposal do so."""
    for one in list(game.pending):
        if one.action == "vote" and one.proposal == number:
            game.vote(one.player, "against" if one.player in against else "for", number)


def two_open(names=NAMES, seed=3):
    """Play until two turns are under way, with two proposals on the same rule."""
    ann, ben, cleo, _ = names
    game = nb.new_game("github-nomic", names, seed=seed)
    game.begin_turn(ann)
    game.begin_turn(ben)
    game.propose(ann, nb.amend(-104, "No more than thirty.", LIMIT.format(30)), number=5)
    game.propose(ben, nb.amend(-104, "No more than forty.", LIMIT.format(40)), number=7)
    game.vote(cleo, "for", 7)
    return game


def stale(names=NAMES):
    """Play until one of them has lost its rule, and the table is asked."""
    game = two_open(names)
    vote(game, 5)
    return game


def judged(names=NAMES):
    """Go on: a third turn, a Judge who is overruled, another whose ruling stands and voids a rule."""
    ann, ben, cleo, dee = names
    game = stale(names)
    for name in names:
        game.choose(name, '"stand"')
    game.begin_turn(dee)
    game.invoke_judgment(ben, "Does rule 5 contradict rule -203?")
    game.choose(game.pending[0].player, cleo)
    game.rule_on(cleo, "It does not.", "Thirty is no more than a number.", rests_on=[-203])
    for name in (ann, ben, dee):
        game.overrule(name, "for")
    while game.pending[0].action == "choose":
        game.choose(game.pending[0].player, game.pending[0].options[0])
    judge = game.judgments[1].judge
    game.rule_on(judge, "It does.", "The spirit.", rests_on=[-203, 5],
                 orders="void rule_numbered(5) against rule_numbered(-203)")  # fmt: skip
    game.overrule(next(name for name in names if name != judge), "against")
    return game


def scored(names=NAMES):
    """Go on: proposals are scored, one from half-way between two numbers."""
    _, ben, _, dee = names
    game = judged(names)
    game.propose(dee, nb.enact("Be kind.", title="Kindness"), number=9)
    vote(game, 9, ben)
    vote(game, 7, dee)
    return game
