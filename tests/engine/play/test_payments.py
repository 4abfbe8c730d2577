"""Payments, gifts, lists put in order, turns passed over, and what else ready-made rules stand on."""

import pytest
from play_helpers import adopt, idle, law, refused, scores, sit, waiting_for

import nomic_nb as nb
from nomic_nb.engine.law.nodes import Undecided, View


def kinds(game, kind):
    return [event for event, _ in game.timeline.moments if event.kind == kind]


def ask(game, expression):
    """What an expression yields now."""
    return game.state.law.language.expression(expression).run(View(game.state, {}, game.state.law))


# pay


def test_what_is_paid_is_taken_from_the_one_and_given_to_the_other():
    game = sit()
    law(game, "track coins per player from 5\non turn_begun: pay 2 coins from player to following(player)")
    assert game.counters["coins"].to_dict() == {"Ann": 5, "Ben": 3, "Cleo": 7}
    idle(game)
    assert game.counters["coins"].to_dict() == {"Ann": 7, "Ben": 3, "Cleo": 5}


def test_nobody_pays_what_they_have_not_got():
    game = sit()
    law(
        game,
        "track coins per player from 3\ntrack debts per player from 0\n"
        "on turn_begun: pay 2 coins from player to [p for p in playing if p != player]\n"
        "on unpaid: award amount debts to player",
    )
    assert game.counters["coins"].to_dict() == {"Ann": 5, "Ben": 1, "Cleo": 3}  # enough for one, not for two
    assert game.counters["debts"].to_dict() == {"Ann": 0, "Ben": 2, "Cleo": 0}
    (event,) = kinds(game, "unpaid")
    assert (event.actor, event.data["to"], event.data["amount"]) == ("Ben", "Cleo", 2)
    assert "Ben can’t pay Cleo 2 coins: not enough coins" in game.history["what"].tolist()


def test_what_is_paid_never_adds_up_to_more():
    game = sit()
    law(
        game,
        "track coins per player from 4\non thrown: pay face / 2 coins from playing to item(playing, face % 3 + 1)",
    )
    for face in (1, 2, 3, 4, 5, 6):
        idle(game, face=face)
        coins = game.counters["coins"]
        assert sum(coins) == 12
        assert min(coins) >= 0


def test_to_pay_oneself_or_nothing_changes_nothing():
    game = sit()
    law(
        game,
        "track coins per player from 4\non thrown: pay 4 coins from player to player; pay 0 coins from player to mover",
    )
    idle(game)
    assert game.counters["coins"].to_dict() == {"Ann": 4, "Ben": 4, "Cleo": 4}
    assert not [event for event in kinds(game, "counted") if event.data["counter"] == "coins"]


def test_nobody_pays_less_than_nothing():
    game = sit()
    law(game, "on thrown: pay 3 - face points from player to following(player)")
    adopt(game, nb.enact("More."))
    game.roll("Ben", 5)
    assert game.state.questions
    assert "less than zero" in game.state.questions[0].text


@pytest.mark.parametrize(
    "clauses",
    [
        "on thrown: pay 3 gold from player to mover",
        "on thrown: pay 3 from player to mover",
        "on thrown: pay points from player to mover",
        "on thrown: pay 3 points from 3 to mover",
        "on thrown: pay 3 points from player",
        "on thrown: pay true points from player to mover",
    ],
)
def test_a_payment_that_cannot_be_read(clauses):
    game = sit()
    with refused(game, nb.LawError):
        game.propose("Ann", nb.enact("Pay.", law=clauses))


# give


def test_gifts_come_to_be_allowed_and_are_forbidden_again():
    game = sit()
    law(game, "allow give", face=6)
    game.give("Ann", "Ben", 4)
    assert scores(game) == {"Ann": 2, "Ben": 4, "Cleo": 0}
    with refused(game, "has-too-little", player="Ann", has=2, counter="points", amount=3):
        game.give("Ann", "Ben", 3)
    number = law(game, "forbid give when receiver.points > player.points\nprevails over 301")
    with refused(game, "gift-forbidden", rule=number):
        game.give("Ann", "Ben", 1)
    game.give("Ben", "Ann", 1)


def test_rules_hear_of_gifts():
    game = sit()
    law(game, 'allow give\non gave when counter == "points": award amount points to receiver', face=6)
    game.give("Ann", "Ben", 2)
    assert scores(game) == {"Ann": 4, "Ben": 4, "Cleo": 0}


def test_a_gift_is_on_record_with_the_rule_that_allows_it(tmp_path):
    game = sit()
    number = law(game, "allow give", face=6)
    game.give("Ann", "Cleo", 2)
    assert "Ann gives Cleo 2 points" in game.history["what"].tolist()
    moved = [event for event in kinds(game, "counted") if event.cause and event.cause.rule == number]
    assert [(event.actor, event.data["amount"]) for event in moved] == [("Ann", -2), ("Cleo", 2)]
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert again.state.digest() == game.state.digest()


def test_no_gift_to_oneself_nor_to_whoever_has_left_nor_while_a_question_is_open():
    game = sit()
    law(game, "allow give", face=6)
    for receiver in ("Ann", "Nobody", ""):
        with refused(game, "not-a-receiver", others="Ben, Cleo"):
            game.give("Ann", receiver, 1)
    for amount in (0, -3, 10**12):
        with refused(game, (nb.IllegalAction, TypeError)):
            game.give("Ann", "Ben", amount)
    for amount in (True, "3", 1.5, None):
        with refused(game, "detail-unfit", TypeError):
            game.give("Ann", "Ben", amount)
    with refused(game, "counter-not-owned", counter="gold"):
        game.give("Ann", "Ben", 1, "gold")


# lists


def test_lists_in_order():
    game = sit()
    law(game, "", face=5)
    law(game, "", face=2)
    law(game, "", face=5)

    def names(text):
        return [one.id for one in ask(game, text)]

    points = "[p.points for p in seats]"
    assert names(f"ordered(seats, {points})") == ["Ben", "Ann", "Cleo"]
    assert names(f"reversed(ordered(seats, {points}))") == ["Cleo", "Ann", "Ben"]
    assert names(f"highest(seats, {points})") == ["Ann", "Cleo"]
    assert names(f"lowest(seats, {points})") == ["Ben"]
    assert names("highest([], [])") == []
    assert ask(game, "numbers(2, 5)") == (2, 3, 4, 5)
    assert ask(game, "numbers(5, 2)") == ()
    assert ask(game, "place(seats, item(seats, 2))") == 2
    assert ask(game, "place([3, 1], 1)") == 2


@pytest.mark.parametrize(
    "expression",
    ["numbers(1, 1/2)", "numbers(0, 999999)", "ordered([1, 2], [1])", "place(seats, none)", "highest(seats, [1])"],
)
def test_lists_that_give_no_answer(expression):
    with pytest.raises(Undecided):
        ask(sit(), expression)


@pytest.mark.parametrize("value", ["ordered(seats)", "highest(seats, seats)", "reversed(3)", 'numbers("a", 2)'])
def test_lists_that_are_refused_before_the_vote(value):
    game = sit()
    with refused(game, nb.LawError):
        game.propose("Ann", nb.enact("No.", law=f"set turn.sequence to {value}"))


# turns passed over


def test_a_turn_passed_over_is_on_record_and_counts_in_the_circuit():
    game = sit()
    number = law(game, 'forbid begin_turn when player.name == "Ben" and turn < 4\nprevails over 201')
    assert game.player == "Cleo"
    (event,) = kinds(game, "passed_over")
    assert (event.actor, event.cause.rule) == ("Ben", number)
    assert "Ben’s turn is skipped" in game.history["what"].tolist()
    idle(game)
    assert (game.player, game.circuit) == ("Ann", 2)


def test_rules_hear_of_a_turn_passed_over():
    game = sit()
    law(
        game,
        'forbid begin_turn when player.name == "Ben" and player.points < 2\nprevails over 201\n'
        "on passed_over: award 1 points to player",
    )
    idle(game)
    assert game.player == "Ann"
    idle(game)
    assert game.player == "Cleo"
    idle(game)
    idle(game)
    assert game.player == "Ben"
    assert scores(game)["Ben"] == 2


RESTING = """track resting per player from 1
forbid begin_turn when player.resting > 0 and turn > {}
prevails over 201 on may.begin_turn
on passed_over: {}"""


@pytest.mark.parametrize("names", [("Ann", "Ben"), ("Ann", "Ben", "Cleo")])
@pytest.mark.parametrize("from_each", [1, 3])
def test_players_who_all_miss_turns_are_passed_over_until_one_may_begin(names, from_each):
    game = sit(*names)
    law(game, RESTING.replace("from 1", f"from {from_each}").format(0, "award -1 resting to player"))
    assert not game.over
    assert (game.player, len(kinds(game, "passed_over"))) == (names[1], from_each * len(names))


def test_play_is_stuck_if_passing_players_over_lifts_no_ban():
    game = sit()
    law(game, RESTING.format(0, 'announce "Nobody begins."'))
    assert (game.over, game.winner, len(kinds(game, "passed_over"))) == (True, "Ben", 3)


# the rest


def test_a_rule_can_speak_of_itself_where_it_sets_a_term():
    game = sit()
    law(game, 'set win.points to (100 if this.title == "None" else 90)\nprevails over 208')
    assert game.law["win.points"].value == 90
    number = law(game, "set throw.points to 20 while this.author == player")
    adopt(game, nb.enact("More."))
    game.roll("Cleo", 3)
    assert scores(game)["Cleo"] == 3
    adopt(game, nb.enact("More."))
    game.roll("Ann", 3)
    adopt(game, nb.enact("More."))
    game.roll("Ben", 3)
    assert scores(game)["Ben"] == 2 * 20  # in the turn of this rule, and now
    assert game.state.law.candidates["throw.points"][-1].rule.number == number


def test_a_term_may_hang_on_a_counter_from_the_start():
    """Whether changes can still be adopted is judged with the new counter in place (114)."""
    game = sit()
    law(game, "track seal per player from 1\nset vote.weight to voter.seal\nprevails over 207")
    assert not game.state.questions
    assert game.law["vote.quota"].answered or game.player


def test_the_scores_stay_the_points_when_something_else_is_counted():
    game = sit()
    law(game, "track coins per player from 9", face=4)
    assert game.scores.name == "points"
    assert scores(game) == {"Ann": 4, "Ben": 0, "Cleo": 0}


def test_whoever_reports_a_deed_is_known_to_rules():
    game = sit()
    law(game, 'on deed when name == "tea": award 3 points to reporter')
    game.report("Cleo", "Ben", "tea")
    assert scores(game)["Cleo"] == 3


def test_a_vote_that_may_not_be_called_yet_waits_in_debate():
    game = sit()
    law(
        game,
        "on proposed: oblige next_player to say\nforbid call_vote when next_player.points < 5\n"
        "on said: award 5 points to player",
    )
    proposal = game.propose("Ben", nb.enact("More."))
    assert proposal.as_it_stands.status == "debate"
    assert waiting_for(game, "say") == ["Cleo"]
    with refused(game, "not-allowed"):
        game.call_vote("Ben")
    game.say("Cleo", "Go on.")
    assert waiting_for(game, "call_vote") == ["Ben"]
    game.call_vote("Ben")
    assert proposal.as_it_stands.status == "open"


# one amount for all


def test_what_several_get_is_reckoned_once_before_anybody_gets_it():
    start = (
        "track coins per player from 0\non turn_begun each p in playing: put coins of p at 3 * (place(playing, p) - 1)"
    )
    mean = "sum(p.coins for p in playing) / count(playing)"
    for effect, after in (
        (f"put coins of playing at {mean}", [3, 3, 3]),
        (f"award {mean} coins to playing", [3, 6, 9]),
        (
            "pay item(playing, 3).coins / 2 coins from item(playing, 3) to [item(playing, 1), item(playing, 2)]",
            [3, 6, 0],
        ),
    ):
        game = sit()
        law(game, f"{start}\non turn_begun: {effect}")
        assert game.counters["coins"].tolist() == after, effect


def test_whoever_wants_it_one_by_one_says_each():
    game = sit()
    law(
        game,
        "track coins per player from 2\n"
        "on turn_begun each p in playing: put coins of p at sum(q.coins for q in playing)",
    )
    assert game.counters["coins"].tolist() == [6, 10, 18]


def test_a_counter_that_is_put_where_it_is_does_not_change():
    game = sit()
    law(
        game,
        "track coins per player from 2\ntrack pot per game from 1\n"
        'on counted when counter in ["coins", "pot"]: put coins of playing at 2; put pot at 1\n'
        "on turn_begun: award 1 coins to player",
    )
    coins = [(one.actor, one.data["amount"]) for one in kinds(game, "counted") if one.data["counter"] == "coins"]
    assert coins == [("Ben", 1), ("Ben", -1)]
    assert not [one for one in kinds(game, "counted") if one.data["counter"] == "pot"]
    assert not kinds(game, "asked")


def test_whoever_came_when_no_rule_tracked_it_any_more_is_given_none():
    game = sit()
    number = law(game, "track coins per player from 5\nallow give")
    adopt(game, nb.amend(number, "Gifts.", law='allow give\non said when text == "come": enter player "Dot" as dummy'))
    game.say("Ann", "come")
    assert game.counters["coins"].dropna().to_dict() == {"Ann": 5, "Ben": 5, "Cleo": 5}
    with refused(game, "counter-gone", counter="coins", receiver="Dot"):
        game.give("Ann", "Dot", 1, "coins")
