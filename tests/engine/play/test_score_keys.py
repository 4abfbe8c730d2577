"""The terms of numbers and scores, each changed by an adopted proposal."""

from key_helpers import change_immutable, on_github, scored
from play_helpers import (
    ballot,
    law,
    refused,
    scores,
    sit,
    waiting_for,
)

import nomic_nb as nb


def test_proposal_numbering():
    game = sit()
    with refused(game, "numbers-by-law", rule=108):
        game.propose("Ann", nb.enact("Four hundred."), 400)
    clauses = 'set proposal.numbering to "assigned"\nset proposal.first_number to 301\nset rule.takes_number to true'
    change_immutable(game, 108, clauses)
    for wrong in (None, 300, 301, True, "a"):
        with refused(game, error=(nb.IllegalAction, TypeError)):
            game.propose("Cleo", nb.enact("Four hundred."), wrong)
    game.propose("Cleo", nb.enact("Four hundred."), 400)
    ballot(game)
    assert game.rules[400].wording == "Four hundred."
    game.roll("Cleo", 1)
    game.propose("Ann", nb.enact("Three hundred and nine."), 309)  # any that nobody has had
    ballot(game)
    game.roll("Ann", 1)
    with refused(game, "number-taken"):
        game.propose("Ben", nb.enact("Again."), 400)


def test_proposal_score():
    game = on_github()
    scored(game, "Ann", 1, nb.enact("More."))
    assert scores(game)["Ann"] == 10
    scored(game, "Ben", 2, nb.enact("A hundred.", law="set proposal.score to 100\nprevails over -111"))
    assert scores(game)["Ben"] == 100  # in force before his proposal is scored


def test_vote_automatic():
    game = sit()
    law(game, 'on vote_opened: cast "for" for player_named("Cleo")')
    game.propose("Ben", nb.enact("More."))
    assert "Cleo" in waiting_for(game, "vote")  # who is there votes herself
    assert "rule 105 does not allow it" in " ".join(game.history["what"])
    game = sit()
    law(game, 'on vote_opened: cast "for" for player_named("Cleo")')
    game.host.absent("Cleo")
    number = game.propose("Ben", nb.enact("More.")).number
    assert game.state.proposals[number].vote.ballots == {"Cleo": "for"}
    assert "vote.automatic" in game.law


def test_vote_share():
    game = on_github()
    scored(game, "Ann", 3, nb.enact("More."), silent=("Cleo",))
    assert scores(game)["Ann"] == 12 - 10  # both of two, and defeated
    scored(
        game,
        "Ann",
        4,
        nb.enact("Silence.", law="set vote.share to votes_for / unanimity(vote.electorate)\nprevails over -111"),
    )
    scored(game, "Ben", 9, nb.enact("More."), silent=("Cleo",))
    assert scores(game)["Ben"] == 12 - 10  # two of three of 18


def test_score_half():
    totals = {}
    for way in ("up", "down", "even"):
        game = on_github("Ann", "Ben", "Cleo", "Dov")
        if way != "up":
            scored(game, "Ben", 1, nb.enact("Halves.", law=f'set score.half to "{way}"'))
        scored(game, "Ann", 5, nb.enact("More."), against=("Dov",))
        totals[way] = scores(game)["Ann"]
    assert totals == {"up": 11 - 10, "down": 10 - 10, "even": 10 - 10}
    counted = game.history[game.history["kind"] == "counted"].iloc[-1]
    assert (counted["data"]["exact"], counted["data"]["tie"]) == ("21/2", True)


def test_score_half_between_odd_and_even():
    game = on_github("Ann", "Ben", "Cleo", "Dov")
    scored(game, "Ben", 1, nb.enact("Halves.", law='set score.half to "even"'))
    scored(game, "Ann", 13, nb.enact("More."), against=("Cleo", "Dov", "Ben"))
    assert scores(game)["Ann"] == 6 - 10  # a fourth of 22 is 5 and a half
    scored(game, "Cleo", 17, nb.enact("More."), against=("Ann", "Dov", "Ben"))
    assert scores(game)["Cleo"] == 6 - 10  # a fourth of 26 is 6 and a half


HALVES = """set score.half to "up" while turn > 1
set score.half to "down" while turn > 1"""


def test_score_half_unsaid_is_asked():
    game = on_github("Ann", "Ben", "Cleo", "Dov")
    scored(game, "Ben", 1, nb.enact("Halves as we say.", law=HALVES))
    scored(game, "Ann", 5, nb.enact("More."), against=("Dov",))
    assert "score.half" in game.pending[0].prompt
    for player in game.players:
        game.choose(player, "down")
    assert scores(game)["Ann"] == 10 - 10


def stale(way, second):
    """Two proposals after one rule, the first of which is adopted."""
    game = on_github()
    if way:
        scored(game, "Cleo", 7, nb.enact("What is stale.", law=f'set proposal.when_stale to "{way}"'))
    game.begin_turn("Ann")
    game.begin_turn("Ben")
    game.propose("Ann", nb.amend(-104, "At most thirty.") if way == "retarget" else nb.repeal(-104), 8)
    proposal = game.propose("Ben", second, 9)
    for player in game.players:
        game.vote(player, "for", proposal=8)
    return game, proposal


def all_for(game, number):
    while voters := [one.player for one in game.pending if one.action == "vote" and one.proposal == number]:
        game.vote(voters[0], "for", proposal=number)


def test_proposal_when_stale():
    game, proposal = stale("lapse", nb.amend(-104, "At most forty."))
    assert proposal.outcome == "lapsed"
    game, proposal = stale("stand", nb.amend(-104, "At most forty."))
    assert proposal.outcome == "open"
    all_for(game, 9)
    assert proposal.outcome == "without effect"
    game, proposal = stale("retarget", nb.amend(-104, "At most forty."))
    assert proposal.outcome == "open"
    assert proposal.change.target == 8
    all_for(game, 9)
    assert game.rules[9].wording == "At most forty."
    assert 8 not in game.rules
    game, proposal = stale(None, nb.amend(-104, "At most forty."))
    assert game.pending[0].options == ('"lapse"', '"stand"', '"retarget"')
    assert "proposal.when_stale" in game.pending[0].prompt
    for player in game.players:
        game.choose(player, "lapse")
    assert proposal.outcome == "lapsed"
