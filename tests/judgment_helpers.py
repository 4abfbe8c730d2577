"""What the tests of `test_judgment` share."""

from beginnings import new_game
from play_helpers import adopt, idle, waiting_for

import nomic_nb as nb

AT_TABLE = ("discordian-nomic", "cabinet-nomic")


ALL = (*AT_TABLE, "github-nomic")


JUDGE = {"discordian-nomic": 212, "cabinet-nomic": 212, "github-nomic": -102}


def sit(system, *players, **more):
    return new_game(system, players or ("Ann", "Ben", "Cleo"), seed=7, **more)


def pass_on(game):
    """A whole turn at the table in which a rule without clauses is adopted."""
    idle(game)


def github_turn(game, player, number, change=None, against=()):
    """A whole turn where turns are begun at will."""
    game.begin_turn(player)
    proposal = game.propose(player, change or nb.enact("Nothing to see here."), number)
    for voter in game.players:
        if voter in waiting_for(game, "vote"):
            game.vote(voter, "against" if voter in against else "for", proposal=number)
    return proposal


def second_on_turn(system, *players):
    """A game in which Ben is on turn."""
    game = sit(system, *players)
    if system == "github-nomic":
        game.begin_turn("Ben")
    else:
        pass_on(game)
    assert game.player == "Ben"
    return game


def ask(game, by="Cleo", judge="Ann", question="May Ben whistle?"):
    """Insist on a question, and see to it that this player is its Judge."""
    game.invoke_judgment(by, question)
    if "Ben" in waiting_for(game, "choose"):
        game.choose("Ben", judge)
    judgment = list(game.judgments)[-1]
    assert judgment.judge == judge
    return judgment.id


def let_stand(game):
    """Nobody overrules the ruling."""
    while voters := waiting_for(game, "overrule"):
        game.overrule(voters[0], "against")


def ruled(game, ruling="Yes.", by="Cleo", judge="Ann", **more):
    """A question is put and decided, and the ruling stands."""
    id = ask(game, by, judge)
    game.rule_on(judge, ruling, **more)
    let_stand(game)
    return game.judgments[id]


def propose(game, change, number=1, player="Ben", **more):
    """Propose, with a number where others give them."""
    numbers = {"number": number} if game.ruleset.name == "github-nomic" else {}
    return game.propose(player, change, **numbers, **more)


def everybody(game, ballot="for"):
    while voters := waiting_for(game, "vote"):
        game.vote(voters[0], ballot)


def finish(game):
    """What is left of Ben's turn."""
    if "Ben" in waiting_for(game, "propose"):
        propose(game, nb.enact("So be it."))
    everybody(game)
    if "Ben" in waiting_for(game, "roll"):
        game.roll("Ben", 1)


def play_does_not_wait(system, *players):
    """A game in which Ben is on turn, and the reading that play waits for the Judge is overridden."""
    game = sit(system, *players)
    change = nb.enact("Play goes on while a Judge thinks.", law="set judge.play_waits to false")
    if system == "github-nomic":
        github_turn(game, "Ann", 100, change)
        game.begin_turn("Ben")
    else:
        adopt(game, change)
        game.roll("Ann", 1)
    assert game.player == "Ben"
    return game
