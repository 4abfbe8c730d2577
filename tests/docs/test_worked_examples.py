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


# ------------------------------------------------------------------------------------ twenty rules of pupils


def test_forgotten_homework_costs_three_points():
    game = playing("Homework", face=6)
    game.report("Ben", "Ann", "forgotten homework")
    game.report("Ann", "Ann", "forgotten homework")
    assert scores(game)["Ann"] == 3


def test_the_magic_word_brings_a_point_once_a_turn():
    game = playing("The magic word")
    for name in ("Ann", "Ann", "Cleo"):
        game.say(name, "Banana.")
    game.say("Ben", "bandana")
    assert scores(game) == {"Ann": 2, "Ben": 0, "Cleo": 1}
    idle(game)
    game.say("Ann", "banana")
    assert scores(game)["Ann"] == 3


def test_nobody_is_in_the_red():
    game = playing("Nobody is in the red")
    put(game, WORDS, against=["Ann", "Ben", "Cleo"])  # a defeat costs ten points
    assert scores(game)["Ben"] == 0
    game.roll("Ben", 4)
    assert scores(game)["Ben"] == 4


def test_interest():
    game = playing("Interest")
    to_the_end_of_the_circuit(game)
    assert [has(game, name, "coins") for name in game.players] == [12, 12, 12]


def test_loans_are_paid_back_or_cost_points():
    game = playing("Loans")
    with refused(game, "offer-needs"):
        game.take("Ann", "borrow five coins")
    game.take("Ben", "borrow five coins")
    assert has(game, "Ben", "coins") == 5
    with refused(game, "offer-needs"):
        game.take("Ben", "borrow five coins")
    for _ in range(3):
        idle(game, face=2)
    assert (has(game, "Ben", "coins"), has(game, "Ben", "loans"), scores(game)["Ben"]) == (5, 0, 2 - 5)
    idle(game)  # Ben has another turn, and another loan: now there are ten coins
    game.take("Cleo", "borrow five coins")
    idle(game)
    idle(game)
    game.take("Ben", "borrow five coins")
    idle(game)
    idle(game)
    idle(game)
    assert (has(game, "Ben", "coins"), has(game, "Ben", "loans")) == (4, 0)


def test_a_class_president_is_elected():
    game = playing("Class president")
    to_the_end_of_the_circuit(game)
    before = scores(game)
    for name, vote in {"Ann": "Cleo", "Ben": "Cleo", "Cleo": "Ann"}.items():
        game.choose(name, vote)
    assert value(game, "game.president").id == "Cleo"
    assert scores(game)["Cleo"] == before["Cleo"] + 3


def test_nobody_is_president_after_a_tie():
    game = playing("Class president")
    to_the_end_of_the_circuit(game)
    for name in ("Ann", "Ben", "Cleo"):
        game.choose(name, name)
    assert value(game, "game.president") is None
    assert scores(game) == {"Ann": 1, "Ben": 1, "Cleo": 1}


def test_clubs_share_their_luck():
    game = playing("Clubs")
    for name, club in {"Ann": "Cats", "Ben": "Cats", "Cleo": "Dogs"}.items():
        game.take(name, f"join the {club}")
    with refused(game, "offer-needs"):
        game.take("Ann", "join the Dogs")
    idle(game)  # Ben's proposal
    assert scores(game) == {"Ann": 3, "Ben": 1, "Cleo": 0}


def test_slow_voters_lose_a_point():
    game = playing("Slow voters")
    game.host.time("2026-11-16 09:00")
    game.propose("Ben", WORDS)
    game.vote("Ann", "for")
    game.host.time("2026-11-18 08:00")
    assert scores(game) == {"Ann": 1, "Ben": 0, "Cleo": 0}
    game.host.time("2026-11-18 10:00")
    assert scores(game) == {"Ann": 1, "Ben": -1, "Cleo": -1}


def test_a_throw_brings_double_on_fridays():
    game = playing("Friday")
    game.host.time("2026-11-20 09:00")  # a Friday
    turn(game, WORDS, face=3)
    game.host.time("2026-11-21 09:00")
    turn(game, WORDS, face=3)
    assert scores(game)["Ben"] == 6
    assert scores(game)["Cleo"] == 3


def test_every_seventh_turn_is_lucky():
    game = playing("Lucky seven")
    for _ in range(6):
        idle(game)
    assert game.turn == 8
    assert scores(game) == {"Ann": 3 + 7, "Ben": 2, "Cleo": 2}


def test_the_weather_is_thrown_in_each_turn():
    game = playing("Bad weather")
    expected, faces = scores(game), set()
    for turns in range(1, 21):
        weather = [one for one in game.timeline.events if one.kind == "thrown" and one.cause and one.cause.rule == 301]
        assert len(weather) == turns
        face = weather[-1].data["face"]
        faces.add(face)
        expected = {name: points - (face == 1) for name, points in expected.items()}
        expected[game.player] += 2 if face == 6 else 0
        assert scores(game) == expected
        expected[game.player] += 1  # the throw of the turn
        pass_time(game)
    assert faces >= {1, 6}


def test_whoever_has_a_number_of_their_own_gets_it():
    game = playing("A number that nobody else has")
    to_the_end_of_the_circuit(game)
    for name, pick in {"Ann": 9, "Ben": 9, "Cleo": 4}.items():
        game.choose(name, pick)
    assert scores(game) == {"Ann": 1, "Ben": 1, "Cleo": 5}


def test_the_hamster_votes():
    game = playing("The hamster")
    assert "Hamster" in game.state.players
    proposal = game.propose("Ben", WORDS)
    assert value(game, f"count({LATEST}.supporters) + count({LATEST}.opponents)") == 1
    ballot(game)
    assert proposal.outcome in ("adopted", "defeated")


def test_new_rules_go_after_ten_turns_and_this_one_stays():
    game = playing("The best before date")
    number = put(game, nb.enact("Short-lived.")).number
    game.roll("Ben", 1)
    for _ in range(9):
        assert number in game.rules
        idle(game)
    assert number not in [one.number for one in game.rules]
    assert 301 in [one.number for one in game.rules]


def test_ballots_are_secret_and_can_be_changed():
    game = playing("Secret ballots")
    proposal = game.propose("Ben", WORDS)
    game.vote("Ann", "against")
    game.vote("Ann", "for")
    assert "against" not in str(game.history.iloc[-1]["what"])
    game.vote("Ben", "for")
    game.vote("Cleo", "for")
    assert proposal.outcome == "adopted"


def test_the_leader_wins_after_five_circuits():
    game = playing("The bell", face=6)
    for _ in range(14):
        assert not game.over
        pass_time(game)
    assert (game.circuit, game.winner) == (6, "Ann")


def test_please():
    game = playing("Please")
    game.propose("Ben", nb.enact("Give me a point, Please."))
    ballot(game)
    game.roll("Ben", 1)
    game.propose("Cleo", nb.enact("Give me a point."))
    assert scores(game) == {"Ann": 1, "Ben": 1, "Cleo": -2}


def test_nobody_waits_for_the_ballot_or_the_turn_of_whoever_is_away():
    game = playing("Nobody waits for those who are ill")
    game.host.absent("Cleo")
    idle(game)
    assert game.player == "Ann"
    game.host.present("Cleo")
    idle(game)
    idle(game)
    assert game.player == "Cleo"


def test_knights_dance():
    game = playing("Knights dance (Nomic Chess)", sit(system="nomic-chess"))
    game.move("Ann", "white.e2-white.e4", push=("white", "yellow"))
    assert has(game, "Ann", "stars") == 1
    assert "NK" in str(game.why("piece.moves", kind="N").value)


def test_quicksand():
    game = playing("Quicksand (Nomic Chess)", sit(system="nomic-chess"))
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


def test_proposals_cost_and_bring_what_they_are_liked():
    game = under(law_with("votes_for - votes_against"))
    put(game, WORDS)
    assert scores(game)["Ben"] == 0
    game.roll("Ben", 1)
    put(game, WORDS, against=["Ann"])
    assert scores(game)["Cleo"] == -3 - 10


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


def test_the_last_count_double_and_whoever_is_below_zero_counts_nothing():
    game = under(law_with("0 * otherwise while voter.points"))
    at(game, "Cleo", -1)
    game.propose("Ben", WORDS)
    weights = game.state.proposals[302].vote.weights
    assert dict(weights) == {"Ann": 1, "Ben": 1, "Cleo": 0}


def test_turns_go_from_the_most_points_to_the_fewest():
    game = under(law_with("ordered(seats, [-p.points for p in seats])"))
    at(game, "Cleo", 9)
    order = []
    for _ in range(3):
        order.append(game.player)
        idle(game)
    assert order.index("Cleo") < order.index("Ben") or order[0] == "Ben"


def test_a_six_brings_another_turn():
    game = under(law_with("p.extra > 0"))
    turn(game, WORDS, face=6)
    assert game.player == "Ben"
    turn(game, WORDS, face=1)
    assert game.player == "Cleo"


def test_cheats_miss_a_turn():
    game = under(law_with('name == "cheating"'))
    game.report("Ann", "Cleo", "cheating")
    idle(game)
    assert game.player == "Ann"
    idle(game)
    idle(game)
    assert game.player == "Cleo"


def test_the_last_one_left_wins():
    game = under(law_with("on eliminated when"))
    at(game, "Ann", -30)
    at(game, "Cleo", -30)
    idle(game)
    assert (game.over, game.winner) == (True, "Ben")


def test_a_rule_that_holds_for_ten_turns():
    game = under(law_with("after 10 turns: repeal this"))
    assert value(game, "dice.sides") == 8
    for _ in range(8):  # the turn in which it was made is the first of the ten
        pass_time(game)
    assert 301 in [one.number for one in game.rules]
    pass_time(game)
    assert 301 not in [one.number for one in game.rules]
    assert value(game, "dice.sides") == 6
