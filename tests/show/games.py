"""Games at the moments at which they are shown in tests."""

from __future__ import annotations

from collections.abc import Iterator

from beginnings import new_game

import nomic_nb as nb
from nomic_nb.engine.law.changes import Change

PLAYERS = ["Ann", "Ben", "Cleo"]


def begun(players: list[str] | None = None, **terms: object) -> nb.Game:
    """Return a game that has just begun."""
    named = {key.replace("__", "."): value for key, value in terms.items()}
    return new_game("discordian-nomic", players or PLAYERS, seed=7, terms=named)


def all_vote(game: nb.Game, *against: str) -> None:
    """Let everyone vote who still can."""
    for one in game.pending:
        if one.action == "vote" and one.player is not None:
            game.vote(one.player, "against" if one.player in against else "for", one.proposal)


def pass_change(game: nb.Game, change: Change, *against: str) -> object:
    """Let the player on turn propose something, and end the turn."""
    player = game.player
    assert player is not None
    made = game.propose(player, change)
    all_vote(game, *against)
    game.roll(player)
    return made


def two_changes(names: list[str] | None = None) -> nb.Game:
    """Return a game in which two rules were amended, the second against the vote of the first player."""
    game = begun(names)
    pass_change(game, nb.library.simple_majority().change(203))
    pass_change(game, nb.amend(208, "Whoever has 60 points first wins.", "set win.points to 60"), game.players[0])
    return game


def moments(names: list[str] | None = None) -> Iterator[tuple[str, nb.Game]]:
    """Yield games at several moments, with a name for each."""
    game = begun(names)
    first, second, *_ = game.players
    yield "begun", game

    game = begun(names)
    game.propose(first, nb.library.simple_majority().change(203), debate=True)
    yield "in debate", game

    game = begun(names)
    game.propose(first, nb.library.simple_majority().change(203))
    game.vote(first, "for")
    yield "voting", game

    game = begun(names, vote__ballots="sealed")
    game.propose(first, nb.library.simple_majority().change(203))
    game.vote(first, "against")
    yield "voting, sealed", game

    yield "two changes", two_changes(names)

    game = two_changes(names)
    pass_change(game, nb.enact("Nobody yawns.\n\n- Not once;\n- not twice.", title="Awake"), first, second)
    pass_change(game, nb.amend(207, "Nobody need vote.", "set vote.duty to false", add=True))
    yield "a void rule", game

    game = begun(names, judge__candidates=[])  # so that the table is asked
    pass_change(game, nb.transmute(110))
    pass_change(
        game,
        nb.enact(
            "Whoever wonders may ask.",
            'on said when text == "yawn?" and "May one yawn?" != "": put points of player at 1 / (turn - turn)',
        ),
    )
    game.say(second, "yawn?")
    game.choose(first, "on Sundays")
    yield "a question", game

    game = begun(names)
    game.invoke_judgment(second, "May one whistle?")
    yield "a question for the Judge", game
    *_, third = game.players
    game = begun(names)
    game.invoke_judgment(second, "May one whistle?")
    game.rule_on(third, "One may.", "It harms nobody.", rests_on=[116], orders='announce "Whistle on."')
    game.overrule(first, "for")
    yield "a ruling", game
    game = begun(names)
    game.invoke_judgment(second, "May one whistle?")
    game.rule_on(third, "One may.", "It harms nobody.", rests_on=[116], orders='announce "Whistle on."')
    game.overrule(first, "against")
    game.propose(first, nb.repeal(210))
    all_vote(game, second)
    game.roll(first)
    yield "going on after judgment", game

    game = begun(names)
    game.propose(first, nb.repeal(210))
    all_vote(game, second)
    yield "a throw", game

    game = begun(names, win__points=3)
    pass_change(game, nb.library.simple_majority().change(203))
    assert game.over
    yield "won", game


def everything(game: nb.Game) -> Iterator[object]:
    """Yield all that a game hands out to be looked at."""
    yield game
    yield game.rules
    yield from game.rules
    yield game.law
    for key in game.law:
        yield game.law[key]
    yield game.why("vote.quota", nb.transmute(101))
    yield game.proposals
    for proposal in game.proposals:
        yield proposal
        yield proposal.change
        if proposal.tally is not None:
            yield proposal.tally
    yield game.pending
    yield from game.pending
    yield game.ledger
