"""What rules put in place of a win, a mate, a loss and an end; and players who come back."""

import pytest
from play_helpers import law, put, refused, scores, sit, waiting_for

import nomic_nb as nb

ROUNDS = """track rounds per player from 0
instead of won: announce "A round is over."; award 1 rounds to winners; put points of players at 0
set win.points to 10
prevails over 208
"""


EXILE = """track exiled per player from 0
instead of eliminated when player.exiled == 0: put exiled of player at 1
on said when text == "out": eliminate player
on said when text == "back": enter player item([p for p in players if not p.playing], 1) as person
"""
BACK = """on said when text == "in": enter player "Ben" as person
on said when text == "out": eliminate player_named("Ben")
on came_back: award 7 points to player
"""


def counted(game, counter):
    return {name: int(value) for name, value in game.counters[counter].items()}


def texts(game):
    return [event.data["text"] for event in game.timeline.events if event.kind == "announced"]


@pytest.mark.rule("discordian-nomic", 208)
def test_rounds_in_place_of_an_end():
    game = sit()
    law(game, ROUNDS, face=3)
    assert scores(game)["Ann"] == 3
    law(game, "on said: award 20 points to player")
    game.say("Ben", "Mine.")
    assert not game.over
    assert (counted(game, "rounds"), scores(game)) == ({"Ann": 0, "Ben": 1, "Cleo": 0}, {"Ann": 0, "Ben": 0, "Cleo": 0})
    game.say("Cleo", "Mine too.")
    game.say("Ben", "And again.")
    assert counted(game, "rounds") == {"Ann": 0, "Ben": 2, "Cleo": 1}
    assert texts(game) == ["A round is over."] * 3


def test_only_whom_the_condition_names_is_spared():
    game = sit()
    law(game, 'instead of won when any(p.name == "Ben" for p in winners): put points of winners at 0\n'
              "on said: award 200 points to player")  # fmt: skip
    game.say("Ben", "Mine.")
    assert (game.over, scores(game)["Ben"]) == (False, 0)
    game.say("Cleo", "Mine.")
    assert game.winner == "Cleo"


@pytest.mark.rule("discordian-nomic", 213)
def test_play_that_cannot_continue_goes_on_where_a_rule_puts_something_in_place_of_its_end():
    game = sit()
    law(game, "track open per game from 0\ninstead of won when game.open == 0: put open at 1\n"
              'forbid roll when turn > 1 and game.open == 0\nprevails over 202')  # fmt: skip
    put(game, nb.enact("More."))
    assert not game.over
    assert waiting_for(game, "roll") == ["Ben"]


@pytest.mark.parametrize("within", ["", " within 2 turns"])
def test_nobody_has_won_while_what_comes_in_place_of_it_waits_for_an_answer(within, tmp_path):
    game = sit()
    law(game, f'instead of won: let winners choose stays from ["yes", "no"]{within};\n'
        '    each p in playing when count(who(stays, "yes")) == 0: put points of p at 0\n'
        'on said when text == "win": put points of player at 150')  # fmt: skip
    game.say("Ann", "win")
    assert not game.state.questions
    game.choose("Ann", "no")
    assert set(scores(game).values()) == {0}
    assert not game.state.over
    game.say("Ann", "win")
    game.choose("Ann", "yes")
    assert "win.replaced" in game.state.questions[0].text, "it is done, and she still fulfils the condition"
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


def test_a_win_is_not_answered_to():
    game = sit()
    with refused(game, "event-ends-play", event="won"):
        game.propose("Ann", nb.enact("Won.", law='on won: announce "Well done."'))
    with refused(game, "word-unknown", word="turn_ended"):
        game.propose("Ann", nb.enact("Turns.", law="instead of turn_ended: end play"))


# -------------------------------------------------------------------------------------- exile, and coming back


def test_exile_in_place_of_elimination_and_a_player_who_comes_back():
    game = sit()
    law(game, EXILE)
    game.say("Ben", "out")
    assert (game.state.names_of_players, counted(game, "exiled")["Ben"]) == (("Ann", "Ben", "Cleo"), 1)
    law(game, "", face=4)
    points = scores(game)["Ben"]
    game.say("Ben", "out")
    assert game.state.names_of_players == ("Ann", "Cleo")
    game.say("Cleo", "back")
    assert game.state.names_of_players == ("Ann", "Ben", "Cleo")
    assert (scores(game)["Ben"], counted(game, "exiled")["Ben"]) == (points, 1)
    assert game.latest(1) == ["Ben is back in the game"]
    game.propose(game.player, nb.enact("He votes again."))
    assert "Ben" in waiting_for(game, "vote")


def test_whoever_takes_part_cannot_be_entered_again(tmp_path):
    game = sit()
    law(game, BACK)
    game.say("Ann", "in")
    assert "there is already a player called Ben" in game.latest(1)[-1]
    game.say("Ann", "out")
    before = scores(game)["Ben"]
    game.say("Ann", "in")
    assert scores(game)["Ben"] == before + 7
    game.save(tmp_path / "back.jsonl")
    assert nb.load(tmp_path / "back.jsonl").state.digest() == game.state.digest()


@pytest.mark.parametrize("clause", ["enter player 5 as person", "enter player seats as person"])
def test_only_a_name_or_a_player_is_entered(clause):
    game = sit()
    with refused(game, "kind-needed"):
        game.propose("Ann", nb.enact("In.", law=f"on said: {clause}"))


# ---------------------------------------------------------------------------------------------- defeat and mate


@pytest.mark.rule("discordian-nomic", 206)
def test_what_comes_in_place_of_a_defeat():
    game = sit()
    law(game, "set vote.quota to 3\ninstead of defeated when votes_for > 0: award 5 points to proponent")
    before = scores(game)
    proposal = game.propose("Ben", nb.enact("More."))
    for name in game.players:
        game.vote(name, "for" if name == "Ben" else "against")
    assert proposal.outcome == "lapsed"
    assert scores(game)["Ben"] == before["Ben"] + 5
    assert any("would fail, but rule 301 puts something else in its place" in line for line in game.latest(9))
