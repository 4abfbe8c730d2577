"""The worked examples of the page on writing rules are not only read: play obeys them."""

from __future__ import annotations

import pytest
from docs.guide import law_of, law_with
from docs.test_writing import waits
from play_helpers import ballot, idle, majority, put, refused, scores, sit, turn

import nomic_nb as nb
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law.nodes import View

WORDS = nb.enact("A note.")
LATEST = "item(proposals, count(proposals))"


def playing(heading, game=None, face=1):
    """A turn in which the rule under a heading is adopted."""
    return under(law_of(heading), game, face)


def under(law, game=None, face=1):
    """A turn in which a rule with this law is adopted; one that waits for a form need not be read yet."""
    game = game or sit()
    try:
        assert put(game, nb.enact("As the page says.", law=law)).outcome == "adopted"
    except LawError:
        if not waits(law):
            raise
        pytest.xfail(f"waits for {', '.join(waits(law))}")
    if game.pending and game.pending[0].action == "roll":
        game.roll(game.player, face)
    return game


def value(game, text):
    """What an expression comes to now."""
    return game.state.law.language.expression(text).run(View(game.state, {}, game.state.law))


def has(game, name, counter):
    return value(game, f'player_named("{name}").{counter}')


def at(game, name, points):
    """Correct the points of a player, by consent of all."""
    game.host.correct(f'put points of "{name}" at {points}', agreed=list(game.players), reason="To try it.")


def pass_time(game):
    """A turn in which a note is made, or struck out: no more than 25 rules are mutable (209)."""
    note = next((one.number for one in game.rules if one.wording == WORDS.wording), None)
    turn(game, WORDS if note is None else nb.repeal(note))


def to_the_end_of_the_circuit(game):
    while game.circuit == 1:
        idle(game)


# --------------------------------------------------------------------- from wording to clause, in ten examples


def test_a_six_brings_nothing():
    game = playing("A six scores nothing")
    turn(game, WORDS, face=6)
    turn(game, WORDS, face=5)
    assert scores(game) == {"Ann": 1, "Ben": 0, "Cleo": 5}


def test_the_last_gets_one_more_for_a_throw():
    game = playing("The player in last place gets an extra point for a roll", face=4)  # Ann shares it with all
    turn(game, WORDS, face=3)
    assert scores(game) == {"Ann": 5, "Ben": 4, "Cleo": 0}
    turn(game, WORDS, face=6)
    turn(game, WORDS, face=1)  # Ann is not in last place
    assert scores(game) == {"Ann": 6, "Ben": 4, "Cleo": 7}


def test_two_thirds_adopt():
    game = playing("Two thirds of the votes are enough")
    assert put(game, WORDS, against=["Cleo"]).outcome == "adopted"
    game.roll("Ben", 1)
    assert put(game, WORDS, against=["Ann", "Ben"]).outcome == "defeated"


def test_the_proponent_and_the_opponents_of_what_is_adopted_are_paid():
    game = sit()
    majority(game)
    playing("If a proposal passes, its proponent gets five points, and everybody who was against it gets two", game)
    put(game, WORDS, against=["Ben"])
    assert scores(game) == {"Ann": 1, "Ben": 1 + 2 + 10, "Cleo": 5}  # ten for dissent, by rule 204


def test_whoever_is_late_pays_whoever_noticed():
    game = playing("A player who is late pays two points to the player who noticed", face=3)
    game.report("Ben", "Ann", "Being late")
    game.report("Ann", "Ann", "being late")
    game.report("Ben", "Ann", "being early")
    game.report("Cleo", "Ann", "being late")  # Ann has one point left, and pays nothing
    assert scores(game) == {"Ann": 1, "Ben": 2, "Cleo": 0}


def test_a_tenth_of_more_than_fifty_points_is_lost_in_a_circuit():
    game = playing("At the end of each round everybody with more than fifty points loses a tenth of them")
    at(game, "Ann", 67)
    at(game, "Ben", 49)
    to_the_end_of_the_circuit(game)
    assert scores(game) == {"Ann": 61, "Ben": 50, "Cleo": 1}


def test_long_proposals_are_refused():
    game = playing("No proposal may have more than forty words")
    with refused(game, "not-proposable", rule=301):
        game.propose("Ben", nb.enact("word " * 41))
    assert put(game, nb.enact("word " * 40)).outcome == "adopted"


def test_whoever_minds_the_lighthouse_has_one_vote_more():
    game = playing("Somebody minds the lighthouse, and has an extra vote")
    game.take("Cleo", "mind the lighthouse")
    with refused(game, "offer-needs"):
        game.take("Ann", "mind the lighthouse")
    put(game, WORDS)
    assert value(game, f"{LATEST}.votes_for") == 4


def test_three_apples_are_a_point():
    game = playing("Three apples can be exchanged for a point")
    for _ in range(4):
        idle(game)
    assert [has(game, name, "apples") for name in game.players] == [2, 4, 2]
    game.take("Ben", "three apples for a point")
    assert (has(game, "Ben", "apples"), scores(game)["Ben"]) == (1, 3)
    for name in game.players:
        with refused(game, "offer-needs"):
            game.take(name, "three apples for a point")


def test_a_captain_is_elected_and_has_two_votes():
    game = playing("At the end of each round everybody chooses a captain, whose ballot counts twice")
    to_the_end_of_the_circuit(game)
    for name, vote in {"Ann": "Ben", "Ben": "Cleo", "Cleo": "Ben"}.items():
        game.choose(name, vote)
    assert value(game, 'office("captain")').id == "Ben"
    put(game, WORDS)
    assert value(game, f"{LATEST}.votes_for") == 4


def test_the_hamster_votes():
    game = under(law_with("Hamster"))
    assert "Hamster" in game.state.players
    proposal = game.propose("Ben", WORDS)
    assert value(game, f"count({LATEST}.supporters) + count({LATEST}.opponents)") == 1
    ballot(game)
    assert proposal.outcome in ("adopted", "defeated")


def test_nobody_waits_for_the_ballot_or_the_turn_of_whoever_is_away():
    game = under(law_with("not player.present"))
    game.host.absent("Cleo")
    idle(game)
    assert game.player == "Ann"
    game.host.present("Cleo")
    idle(game)
    idle(game)
    assert game.player == "Cleo"


def test_quicksand():
    game = under(law_with("award 1 mud(target)"), sit(system="nomic-chess"))
    game.move("Ann", "white.e2-white.e4", push=("white", "yellow"))
    assert value(game, 'square_named("white.e4").mud') == 1


# ------------------------------------------------------------------------------------------ patterns to copy


def test_an_entrenched_rule_takes_all_votes():
    game = sit()
    majority(game)
    under(law_with("target.number == 208"), game)
    assert put(game, nb.amend(208, "Ten points win."), against=["Ann"]).outcome == "defeated"
    game.roll("Cleo", 1)
    assert put(game, WORDS, against=["Ben"]).outcome == "adopted"
    game.roll("Ann", 1)
    assert put(game, nb.repeal(302), against=["Ann"]).outcome == "defeated"


def test_limits_on_proposals():
    game = under(law_with("same(q.change, change)"))
    with refused(game, "not-proposable", rule=301):
        game.propose("Ben", WORDS)  # which has no title of its own
    bad = nb.enact("Ben wins.", title="Ben")
    assert put(game, bad, against=["Ann"]).outcome == "defeated"
    game.roll("Ben", 1)
    with refused(game, "not-proposable", rule=301):
        game.propose("Cleo", nb.enact("ben wins.", title="Cleo"))
    assert put(game, nb.enact("Cleo wins.", title="Cleo")).outcome == "adopted"


def test_everybody_else_gains_a_point_once():
    game = under(law_with("let own be player.echo"))
    before = scores(game)
    put(game, WORDS)
    game.roll("Ben", 4)
    assert {name: after - before[name] for name, after in scores(game).items()} == {"Ann": 1, "Ben": 4, "Cleo": 1}
    assert value(game, "sum(p.echo for p in players)") == 0


def test_turns_go_from_the_most_points_to_the_fewest():
    game = under(law_with("ordered(seats, [-p.points for p in seats])"))
    at(game, "Cleo", 9)
    order = []
    for _ in range(3):
        order.append(game.player)
        idle(game)
    assert order.index("Cleo") < order.index("Ben") or order[0] == "Ben"


def test_the_last_one_left_wins():
    game = under(law_with("on eliminated when"))
    at(game, "Ann", -30)
    at(game, "Cleo", -30)
    idle(game)
    assert (game.over, game.winner) == (True, "Ben")
