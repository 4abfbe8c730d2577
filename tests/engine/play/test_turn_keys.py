"""The terms of winning and of turns, each changed by an adopted proposal."""

import pytest
from key_helpers import BY_THEMSELVES
from play_helpers import (
    adopt,
    idle,
    law,
    open_up,
    put,
    refused,
    scores,
    sit,
    turn,
    waiting_for,
)

import nomic_nb as nb

STUCK = 'on enacted when rule == this: enter player "D" as dummy'  # its ballot never comes


def test_win_winners():
    game = sit()
    opened = open_up(game, 112)
    adopt(
        game,
        nb.amend(opened, "Having three points wins.", law="set win.winners to [p for p in playing if p.points == 3]"),
    )
    assert not game.over
    game.roll("Ben", 3)
    assert game.winner == "Ben"


def test_win_when_stuck():
    game = sit("Ann", "Ben")
    turn(game, nb.amend(213, "The first seat wins.", law="set win.when_stuck to [item(seats, 1)]"))
    idle(game)
    idle(game)
    law(game, STUCK)
    idle_proposal = put(game, nb.enact("More."))
    assert idle_proposal.outcome == "open"
    assert game.winner == "Ann"


def test_win_when_stuck_the_other_way():
    game = sit("Ann", "Ben")
    turn(
        game, nb.amend(213, "The other one wins.", law="set win.when_stuck to [p for p in seats if p != first_unable]")
    )
    law(game, STUCK)
    put(game, nb.enact("More."))
    assert game.turn == 3  # it is Ann's, and she cannot go on
    assert game.winner == "Ben"


def test_play_standstill():
    for value, then in (("wait", "say"), ("cannot continue", "")):
        game = sit()
        clauses = (
            "track heard per game from 0\non said: put heard at game.heard + 1\nforbid call_vote when game.heard < 9"
        )
        law(game, f'{clauses}\nset play.standstill to "{value}"')
        game.propose("Ben", nb.enact("More."), debate=True)
        assert (game.over, waiting_for(game, "say")) == (not then, list(game.players) if then else [])


@pytest.mark.parametrize("more", ["proposal.hours >= 48", "turn > 99", "circuit < 0"])
def test_a_vote_closes_when_everyone_has_voted_whatever_else_may_close_it(more):
    game = sit()
    game.host.time("2026-11-01 10:00")
    law(game, f"set vote.closes to otherwise or {more}")
    game.propose("Ben", nb.enact("More."))
    assert game.proposals[302].outcome == "open"
    assert game.votes().outcome == "adopted"


@pytest.mark.parametrize("rest", ["otherwise or", "count(not_voted) == 0 or", ""])
def test_the_time_of_a_vote_is_asked_for_only_once_nobody_can_vote_any_more(rest):
    game = sit()
    law(game, f"set vote.closes to {rest} proposal.hours >= 48")
    game.propose("Ben", nb.enact("More."))
    assert waiting_for(game, "vote")
    game.votes()
    assert ("the time" in str(game.pending)) is (not rest)
    assert (game.proposals[302].outcome == "adopted") is bool(rest)
    game.host.time("2026-11-01 10:00")
    assert "the time" not in str(game.pending)


def test_win_points():
    game = sit()
    law(game, "set win.points to 3\nprevails over 208", face=2)
    adopt(game, nb.enact("More."))
    assert not game.over
    game.roll("Ben", 3)
    assert game.winner == "Ben"


def said_to_all(game):
    return [event.data["text"] for event in game.timeline.events if event.kind == "announced"]


def test_win_replaced():
    game = sit()
    law(game, 'instead of won: announce "Not yet."\non said: award 200 points to player')
    game.say("Ben", "Mine.")
    assert said_to_all(game) == ["Not yet."]
    assert game.state.questions[0].key == "win.replaced"
    for name in game.players:
        game.choose(name, "not yet")
    assert not game.over
    game.say("Ben", "More.")
    assert said_to_all(game) == ["Not yet."]  # once, as long as he fulfils the condition
    adopt(game, nb.enact("He has won.", law='set win.replaced to "won"'))
    assert game.winner == "Ben"


def test_a_replaced_win_comes_once_no_rule_replaces_it_any_more():
    game = sit()
    law(
        game,
        """track debt per player from 0
on said when text == "mine":
    award 200 points to player
    award 1 debt to player
on said when text == "paid": award -1 debt to player
set win.replaced to "once allowed"
instead of won when any(w.debt > 0 for w in winners): announce "First pay your debts."
""",
    )
    game.say("Ben", "Mine.")
    game.say("Cleo", "Well.")
    assert (said_to_all(game), game.over, game.state.questions) == (["First pay your debts."], False, ())
    game.say("Ben", "Paid.")
    assert game.winner == "Ben"


def test_win_by_change():
    game = sit()
    law(game, 'set win.by_change to ("at once" if turn < 4 else "at the next gain")', face=4)
    idle(game, face=6)
    adopt(game, nb.enact("Six win.", law="set win.points to 6\nprevails over 208"))
    assert game.winner == "Ben"
    game.undo()
    game.vote("Cleo", "against")
    game.roll("Cleo", 1)
    adopt(game, nb.enact("Four win.", law="set win.points to 4\nprevails over 208"))
    assert not game.over
    game.roll("Ann", 1)
    assert game.winner == "Ann"


ALL_AT_ONCE = "on enacted when rule == this: award 100 points to playing"


def test_win_joint():
    game = sit()
    law(game, 'set win.joint to "joint"')
    adopt(game, nb.enact("A hundred for all.", law=ALL_AT_ONCE))
    assert game.over
    assert set(game.winners) == {"Ann", "Ben", "Cleo"}
    assert game.winner is None


def test_win_joint_on_turn():
    game = sit()
    law(game, 'set win.joint to "on turn"')
    adopt(game, nb.enact("A hundred for all.", law=ALL_AT_ONCE))
    assert game.winner == "Ben"


def test_win_joint_on_turn_where_no_winner_is_on_turn():
    game = sit()
    law(game, 'set win.joint to "on turn"')
    others = "\n".join(f'on enacted when rule == this: award 100 points to "{name}"' for name in ("Ann", "Cleo"))
    adopt(game, nb.enact("A hundred for the others.", law=others))
    assert game.timeline.events[-1].data["winners"] == ["Ann", "Cleo"]


def test_win_joint_unsaid_is_asked():
    game = sit()
    adopt(game, nb.enact("A hundred for all.", law=ALL_AT_ONCE))
    assert not game.over
    assert "joint" in " ".join(game.pending[0].options)
    for player in game.players:
        game.choose(player, game.pending[0].options[0])
    assert set(game.winners) == {"Ann", "Ben", "Cleo"}


def test_an_option_is_chosen_as_it_is_called():
    game = sit()
    adopt(game, nb.enact("A hundred for all.", law=ALL_AT_ONCE))
    for player in game.players:
        game.choose(player, "joint")
    assert set(game.winners) == {"Ann", "Ben", "Cleo"}


def test_turn_sequence():
    game = sit()
    turn(
        game,
        nb.amend(201, law=f"set turn.sequence to [item(seats, 3), item(seats, 2), item(seats, 1)]\n{BY_THEMSELVES}"),
    )
    order = []
    for _ in range(4):
        order.append(game.player)
        idle(game)
    assert order == ["Cleo", "Ben", "Ann", "Cleo"]  # after Ann, who is last now, it begins again


def test_turn_sequence_of_fewer():
    game = sit()
    turn(game, nb.amend(201, law=f'set turn.sequence to [p for p in seats if p.name != "Ben"]\n{BY_THEMSELVES}'))
    order = []
    for _ in range(4):
        order.append(game.player)
        idle(game)
    assert order == ["Cleo", "Ann", "Cleo", "Ann"]


def test_turn_parts():
    game = sit()
    law(game, 'set turn.parts to ["proposal", "throw", "throw"]\nprevails over 202')
    game.roll("Ann", 1)  # it works at once, so Ann throws twice as well
    adopt(game, nb.enact("More."))
    game.roll("Ben", 2)
    assert game.player == "Ben"
    assert waiting_for(game, "roll") == ["Ben"]
    game.roll("Ben", 3)
    assert scores(game)["Ben"] == 5
    assert game.player == "Cleo"


def test_turn_parts_the_other_way_round():
    game = sit()
    adopt(game, nb.enact("So be it.", law='set turn.parts to ["throw", "proposal"]\nprevails over 202'))
    if game.player == "Ann":
        game.roll("Ann", 1)
    assert waiting_for(game, "roll") == ["Ben"]
    with refused(game, "somebody-first", opens="roll"):
        game.propose("Ben", nb.enact("More."))
    game.roll("Ben", 2)
    put(game, nb.enact("More."))
    assert game.player == "Cleo"


def test_turn_next():
    game = sit()
    law(game, 'set turn.next to [player_named("Ann"), player_named("Cleo")] while turn == 1\nprevails over 201')
    order = []
    for _ in range(4):
        order.append(game.player)
        idle(game)
    assert order == ["Ann", "Ben", "Cleo", "Ann"]  # one more turn, and then the order goes on


def test_turn_next_leaves_the_order_where_it_was():
    game = sit()
    law(game, 'set turn.next to [player_named("Ann")] while turn == 2\n'
              "set turn.sequence to (seats if turn != 2 else [item(seats, 1)])\nprevails over 201")  # fmt: skip
    order = []
    for _ in range(3):
        order.append(game.player)
        idle(game)
    assert order == ["Ben", "Ann", "Cleo"]


def at_will(*players, overlap="false"):
    """A game in which 201 lets turns be begun at will."""
    game = sit(*players)
    law = f'set turn.sequence to seats\nset turn.start to "at will"\nset turn.overlap to {overlap}'
    turn(game, nb.amend(201, "Begin when you like.", law=law))
    return game


def test_turn_start():
    game = at_will()
    assert game.player is None
    assert waiting_for(game, "begin_turn") == ["Ann", "Ben", "Cleo"]
    with refused(game, "turn-not-begun", rule=301, opens="begin_turn"):
        game.propose("Ben", nb.enact("More."))
    game.begin_turn("Cleo")
    idle(game)
    game.begin_turn("Cleo")  # the order does not bind
    assert (game.turn, game.player) == (3, "Cleo")
    game = sit()
    with refused(game, "turns-begin-by-themselves", rule=201, opens="Ann: propose"):
        game.begin_turn("Ben")


def test_turn_overlap():
    game = at_will()
    game.begin_turn("Cleo")
    assert waiting_for(game, "begin_turn") == []
    with refused(game, "turn-not-over", player="Cleo", rule=301):
        game.begin_turn("Ben")
    game = at_will(overlap="true")
    game.begin_turn("Cleo")
    game.begin_turn("Ben")
    first = game.propose("Cleo", nb.enact("By Cleo."))
    second = game.propose("Ben", nb.enact("By Ben."))
    assert [one.player for one in game.state.turns] == ["Cleo", "Ben"]
    for player in game.players:
        game.vote(player, "for", proposal=second.number)
    game.roll("Ben", 4)
    assert [one.player for one in game.state.turns] == ["Cleo"]
    for player in game.players:
        game.vote(player, "against", proposal=first.number)
    game.roll("Cleo", 3)
    assert scores(game) == {"Ann": 1, "Ben": 4, "Cleo": 3 - 10}
    assert game.player is None


def test_turn_ended_by():
    game = sit()
    with refused(game, "turns-end-by-themselves"):
        game.end_turn("Ann")
    law(game, 'set turn.ended_by to "player"')  # at once, so Ann's turn is not over
    assert game.player == "Ann"
    assert waiting_for(game, "end_turn") == ["Ann"]
    with refused(game, "turn-of-another", opens="Ann: end_turn"):
        game.propose("Ben", nb.enact("More."))
    with refused(game, "not-your-turn", player="Ben"):
        game.end_turn("Ben")
    game.end_turn("Ann")
    assert game.player == "Ben"
    with refused(game, "has-something-to-do", rule=301, opens="Ben: propose"):
        game.end_turn("Ben")
    idle(game)
    game.end_turn("Ben")
    assert game.player == "Cleo"


def test_may_ask_again():
    game = sit()
    adopt(game, nb.amend(208, "As we agree.", law=""))
    game.choose("Ann", "100", agreed=game.players)
    assert game.law["may.ask_again"].outcome == "silent"  # so whoever plays may
    game.roll("Ann", 1)
    law(game, "forbid ask_again when not player.in_turn")
    with refused(game, "not-allowed"):
        game.ask_again("Ben", "win.points")
    game.ask_again("Cleo", "win.points")
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]


def test_may_begin_turn():
    game = sit()
    law(game, 'forbid begin_turn when player.name == "Ben"\nprevails over 201')
    order = []
    for _ in range(3):  # where turns begin by themselves, whoever may not begin one is passed over
        order.append(game.player)
        idle(game)
    assert order == ["Cleo", "Ann", "Cleo"]
    game = at_will()
    game.begin_turn("Ben")
    law(game, 'forbid begin_turn when player.name == "Ben"')
    with refused(game, "not-allowed", rule=302, opens="Ann: begin_turn"):
        game.begin_turn("Ben")
    assert waiting_for(game, "begin_turn") == ["Ann", "Cleo"]
    assert "may.begin_turn" in game.law


def test_may_end_turn():
    game = sit()
    law(game, 'set turn.ended_by to "player"\nforbid end_turn when player.points < 3', face=3)
    game.end_turn("Ann")
    adopt(game, nb.enact("More."))
    game.roll("Ben", 1)
    assert game.winner == "Ben"  # he can neither end his turn nor do anything else (213)
    assert "may.end_turn" in game.law
