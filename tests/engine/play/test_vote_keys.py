"""The terms of votes, points and dice, each changed by an adopted proposal."""

from key_helpers import change_immutable
from play_helpers import (
    adopt,
    ballot,
    defeat,
    idle,
    law,
    majority,
    put,
    refused,
    scores,
    sit,
    turn,
    waiting_for,
)

import nomic_nb as nb


def test_vote_electorate():
    game = sit()
    change_immutable(
        game, 105, "set vote.electorate to [p for p in playing if p != proponent]\nset vote.duty to true\nallow vote"
    )
    proposal = game.propose("Cleo", nb.enact("More."))
    assert waiting_for(game, "vote") == ["Ann", "Ben"]
    with refused(game, "may-not-vote"):
        game.vote("Cleo", "for")
    ballot(game)
    assert proposal.outcome == "adopted"
    assert (proposal.tally.votes_for, proposal.tally.quota) == (2, 2)


def test_vote_electorate_of_nobody():
    game = sit()
    change_immutable(game, 105, "set vote.electorate to []\nset vote.duty to true\nallow vote")
    proposal = game.propose("Cleo", nb.enact("By decree."))
    assert proposal.outcome == "adopted"
    assert waiting_for(game, "roll") == ["Cleo"]


def test_vote_weight():
    game = sit()
    majority(game)
    turn(game, nb.amend(207, "Ann has three votes.", law='set vote.weight to (3 if voter.name == "Ann" else 1)'))
    proposal = put(game, nb.enact("More."), against=("Ben", "Cleo"))
    assert (proposal.tally.votes_for, proposal.tally.votes_against) == (3, 2)
    assert proposal.outcome == "adopted"


def test_vote_quota():
    game = sit()
    turn(game, nb.amend(203, "One is enough.", law="set vote.quota to 1"))
    assert put(game, nb.enact("More."), against=("Ann", "Cleo")).outcome == "adopted"


def test_vote_adopted():
    game = sit()
    change_immutable(game, 104, "set vote.adopted to votes_for > votes_against")
    proposal = turn(game, nb.enact("More."), against=("Cleo",))
    assert proposal.outcome == "adopted"
    assert turn(game, nb.enact("More."), against=("Ann", "Cleo")).outcome == "defeated"


def test_vote_duty_and_vote_ended_by():
    game = sit()
    majority(game)
    change_immutable(game, 105, "set vote.electorate to playing\nset vote.duty to false\nallow vote")
    proposal = game.propose("Ann", nb.enact("More."))
    game.vote("Ben", "for")
    game.vote("Cleo", "for")
    assert proposal.outcome == "open"
    with refused(game, "cannot-close-vote", opens="Ann"):
        game.close_vote("Ben")
    game.close_vote("Ann")
    assert proposal.outcome == "adopted"
    game.roll("Ann", 1)
    law(game, "set vote.ended_by to [p for p in playing if p != proponent]")
    proposal = game.propose("Cleo", nb.enact("Again."))
    with refused(game, "cannot-close-vote"):
        game.close_vote("Cleo")
    game.close_vote("Ben")
    assert proposal.outcome == "defeated"


def test_vote_ballots():
    game = sit()
    law(game, 'set vote.ballots to "sealed"')
    proposal = game.propose("Ben", nb.enact("More."))
    game.vote("Ann", "against")
    assert "against" not in str(dict(proposal.ballots))
    assert "against" not in " ".join(game.history["what"].tail(2)).lower().replace("for or against", "")
    assert proposal.tally.not_voted == ("Ben", "Cleo")
    assert "1 against" not in str(proposal)
    assert "against" not in list(game.ballots.tail(1)["ballot"].astype(str))
    assert "against" not in str(game.history.tail(1)["data"].iloc[0])
    game.vote("Ben", "for")
    game.vote("Cleo", "for")
    assert dict(proposal.ballots) == {"Ann": "against", "Ben": "for", "Cleo": "for"}
    assert proposal.outcome == "defeated"


def test_vote_changeable():
    game = sit()
    law(game, "set vote.changeable to true")
    proposal = game.propose("Ben", nb.enact("More."))
    game.vote("Ann", "against")
    game.vote("Ann", "for")
    assert (proposal.tally.votes_for, proposal.tally.votes_against) == (1, 0)
    game.vote("Ben", "for")
    game.vote("Cleo", "for")
    assert proposal.outcome == "adopted"
    assert list(game.ballots[game.ballots["proposal"] == 302]["ballot"]).count("for") == 3


def test_dissent_points():
    game = sit()
    majority(game)
    law(game, "set dissent.points to 4\nprevails over 204")
    turn(game, nb.enact("More."), against=("Ann",))
    assert scores(game)["Ann"] == 1 + 4


def test_defeat_points():
    game = sit()
    law(game, "set defeat.points to -3\nprevails over 206")
    defeat(game, nb.enact("No."))
    assert scores(game)["Ben"] == -3


def test_throw_points():
    game = sit()
    law(game, "set throw.points to 7 - face", face=1)
    idle(game, face=6)
    assert scores(game) == {"Ann": 6, "Ben": 1, "Cleo": 0}


def test_throw_points_that_depend_on_the_player():
    game = sit()
    law(game, 'set throw.points to face * 2 while player.name == "Ben"', face=4)
    idle(game, face=4)
    idle(game, face=4)
    assert scores(game) == {"Ann": 4, "Ben": 8, "Cleo": 4}


def test_dice_sides():
    game = sit(seed=2)
    adopt(game, nb.library.another_die(20).change())
    assert game.roll("Ann", 20) == 20
    faces = []
    for _ in range(25):
        defeat(game, nb.enact("No."))
        faces.append(game.roll(game.player))
    assert max(faces) > 6
    assert set(faces) <= set(range(1, 21))


def test_dice_source():
    game = sit()
    law(game, 'set dice.source to "table"')
    adopt(game, nb.enact("More."))
    with refused(game, "throw-by-hand", rule=301):
        game.roll("Ben")
    game.roll("Ben", 2)
    adopt(game, nb.amend(301, law='set dice.source to "seeded"'))
    with refused(game, "throw-by-game", rule=303):
        game.roll(game.player, 3)
    assert 1 <= game.roll(game.player) <= 6
    adopt(game, nb.amend(303, law='set dice.source to "committed"'))
    with refused(game, "throw-sealed", rule=304):
        game.roll("Ann")
    assert waiting_for(game, "seal") == ["Ann", "Ben", "Cleo"]


def seal_and_reveal(game, silent=()):
    """All who are to seal do, and all reveal but those named, who are recorded as overdue."""
    for name in waiting_for(game, "seal"):
        game.seal(name)
    for name in waiting_for(game, "reveal"):
        if name not in silent:
            game.reveal(name)
    for name in silent:
        game.host.overdue(name)


def test_dice_sealed_by():
    game = sit(dice="committed")
    adopt(game, nb.enact("The others seal.", law="set dice.sealed_by to [p for p in seats if p != mover]"))
    assert waiting_for(game, "seal") == ["Ben", "Cleo"]
    seal_and_reveal(game)
    assert 1 <= scores(game)["Ann"] <= 6


def test_secret_kept_by():
    asks = 'on said: let seats choose guess from ["owl", "fox"] in secret'
    game = sit()
    law(game, asks)
    game.say("Ann", "go")
    assert waiting_for(game, "seal") == []
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    game = sit()
    law(game, f'set secret.kept_by to "players"\n{asks}')
    game.say("Ann", "go")
    assert waiting_for(game, "seal") == ["Ann", "Ben", "Cleo"]


def test_dice_unrevealed():
    game = sit(dice="committed")
    adopt(game, nb.enact("On we go.", law='set dice.unrevealed to "without" while player.name == "Cleo"'))
    seal_and_reveal(game, silent=["Cleo"])
    assert game.player == "Ben"
    adopt(game, nb.enact("More."))
    seal_and_reveal(game, silent=["Ben"])
    assert waiting_for(game, "seal") == ["Ann", "Cleo"]
