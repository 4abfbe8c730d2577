"""Ready-made rules on points and on money, in play."""

import pytest
from refusals import refused
from study.library.playing import SYSTEMS, Playing

import nomic_nb as nb
from nomic_nb import library
from nomic_nb.study.views.tables import secrets_by_player

EVERYWHERE = pytest.mark.parametrize("system", SYSTEMS)


def adopted(system, rule, **more):
    playing = Playing(system, **more)
    return playing, playing.law(rule).number


def points(playing, name, amount, counter="points"):
    """Let somebody have so much, as all at the table agree."""
    has = playing.game.counters[counter][name]
    if amount != has:
        game = playing.game
        game.host.correct(f'award {amount - has} {counter} to "{name}"', agreed=list(game.players), reason="a test")


def to_the_end_of_the_circuit(playing):
    """Play to the end of the circuit, and return the scores just before and after what happens then."""
    circuit = playing.game.circuit
    while playing.game.circuit == circuit:
        playing.step()
    return playing


@EVERYWHERE
def test_penalty_for(system):
    playing, _ = adopted(system, library.penalty_for("humming", 3))
    before = playing.scores
    playing.game.report("Ann", "Ben", "humming")
    playing.game.report("Ann", "Ben", "drumming")
    assert playing.scores == {**before, "Ben": before["Ben"] - 3}


@EVERYWHERE
def test_reward_for(system):
    playing, _ = adopted(system, library.reward_for("making tea", 4))
    before = playing.scores
    playing.game.report("Ben", "Ben", "making tea")
    assert playing.scores == before
    playing.game.report("Ann", "Ben", "making tea")
    assert playing.scores == {**before, "Ben": before["Ben"] + 4}


@EVERYWHERE
def test_fine_for(system):
    playing, _ = adopted(system, library.fine_for("gloating", 2))
    points(playing, "Ben", 3)
    before = playing.scores
    playing.game.report("Cleo", "Ben", "gloating")
    assert playing.scores == {**before, "Ben": 1, "Cleo": before["Cleo"] + 2}
    after = playing.scores
    playing.game.report("Cleo", "Ben", "gloating")
    assert playing.scores == after
    unpaid = [event for event, _ in playing.game.timeline.moments if event.kind == "unpaid"]
    assert [(event.actor, event.data["amount"]) for event in unpaid] == [("Ben", 2)]
    playing.game.report("Ben", "Ben", "gloating")
    assert playing.scores == after


@EVERYWHERE
def test_gifts(system):
    playing = Playing(system)
    with refused("gift-without-rule", player="Ann", receiver="Ben", amount=1, counter="point"):
        playing.game.give("Ann", "Ben", 1)
    number = playing.law(library.gifts(5)).number
    points(playing, "Ann", 7)
    before = playing.scores
    playing.game.give("Ann", "Ben", 5)
    assert playing.scores == {**before, "Ann": 2, "Ben": before["Ben"] + 5}
    needed = {"needed": "amount <= 5"}
    with refused("gift-without-rule", player="Ben", receiver="Ann", amount=6, counter="points", **needed) as caught:
        playing.game.give("Ben", "Ann", 6)
    assert caught.value.rule == number
    with refused("has-too-little", player="Ann", has=2, counter="points", amount=3):
        playing.game.give("Ann", "Ben", 3)
    for bad in (0, -1, True, "2", 1.5):
        with pytest.raises((nb.IllegalAction, TypeError)):
            playing.game.give("Ann", "Ben", bad)
    for nobody in ("Ann", "Zoe"):
        with refused("not-a-receiver", others="Ben, Cleo"):
            playing.game.give("Ann", nobody, 1)
    with refused("counter-not-owned", counter="gold"):
        playing.game.give("Ann", "Ben", 1, "gold")


@EVERYWHERE
def test_tax(system):
    playing, number = adopted(system, library.tax(5))
    points(playing, "Ann", 23)
    points(playing, "Ben", -20)
    to_the_end_of_the_circuit(playing)
    taxed = {
        event.actor: (event.data["amount"], event.data["now"])
        for event, _ in playing.game.timeline.moments
        if event.kind == "counted" and event.cause and event.cause.rule == number
    }
    assert taxed["Ann"][0] == -((taxed["Ann"][1] - taxed["Ann"][0]) // 5)
    assert taxed["Ann"][0] <= -4
    assert "Ben" not in taxed


@EVERYWHERE
def test_first_pays_last(system):
    playing, number = adopted(system, library.first_pays_last(2))
    points(playing, "Ann", 60)
    points(playing, "Cleo", -60)
    to_the_end_of_the_circuit(playing)
    paid = [
        (event.actor, event.data["amount"])
        for event, _ in playing.game.timeline.moments
        if event.kind == "counted" and event.cause and event.cause.rule == number
    ]
    assert paid == [("Ann", -2), ("Cleo", 2)]


#: Nothing but the rule at hand brings points in this turn.
NO_POINTS = nb.enact("Nothing for a throw.", law="set throw.points to 0\nprevails over everything on throw.points")


@pytest.mark.parametrize("system", ["discordian-nomic", "cabinet-nomic"])
def test_handicap(system):
    playing = Playing(system)
    playing.law(NO_POINTS)
    number = playing.law(library.handicap(3)).number
    playing.until("propose", "Cleo")
    for name, has in (("Ann", 1), ("Ben", 1), ("Cleo", 9)):
        points(playing, name, has)
    playing.turns()
    assert playing.game.turn == 4
    assert playing.scores == {"Ann": 1 + 3, "Ben": 1, "Cleo": 9}
    playing.turns()
    assert playing.scores == {"Ann": 4, "Ben": 1 + 3, "Cleo": 9}
    playing.turns(1)
    assert playing.scores == {"Ann": 4, "Ben": 4, "Cleo": 9}
    assert number in [rule.number for rule in playing.game.rules]


def test_handicap_where_turns_begin_at_will():
    playing, _ = adopted("github-nomic", library.handicap(3))
    for name, has in (("Ann", 9), ("Ben", 9), ("Cleo", 1)):
        points(playing, name, has)
    playing.game.begin_turn("Ben")
    assert playing.scores["Ben"] == 9
    playing.game.begin_turn("Cleo")
    assert playing.scores["Cleo"] == 4


def test_nobody_is_helped_while_all_are_equal():
    playing, _ = adopted("github-nomic", library.handicap(3))
    for name in ("Ann", "Ben", "Cleo"):
        points(playing, name, 5)
    playing.game.begin_turn("Ben")
    assert playing.scores["Ben"] == 5


@EVERYWHERE
def test_no_points_below(system):
    playing, _ = adopted(system, library.no_points_below(-1))
    playing.law(library.penalty_for("humming", 30))
    playing.game.report("Ann", "Ben", "humming")
    assert playing.scores["Ben"] == -1


@EVERYWHERE
def test_most_at_once(system):
    playing, _ = adopted(system, library.most_at_once(3))
    playing.law(library.reward_for("tea", 8))
    before = playing.scores
    playing.game.report("Ann", "Ben", "tea")
    assert playing.scores == {**before, "Ben": before["Ben"] + 3}


@EVERYWHERE
def test_lottery(system):
    playing, number = adopted(system, library.lottery(10))
    for _ in range(4):
        to_the_end_of_the_circuit(playing)
    drawn = [
        event.actor
        for event, _ in playing.game.timeline.moments
        if event.kind == "counted" and event.cause and event.cause.rule == number
    ]
    assert len(drawn) == 4
    throws = [event for event, _ in playing.game.timeline.moments if event.kind == "thrown" and event.actor is None]
    assert [playing.game.players[event.data["face"] - 1] for event in throws] == drawn
    assert len(set(drawn)) > 1


@EVERYWHERE
def test_elimination(system):
    playing, _ = adopted(system, library.elimination(-10))
    points(playing, "Cleo", -40)
    assert playing.game.state.players["Cleo"].playing
    playing.turns()
    assert not playing.game.state.players["Cleo"].playing
    playing.turns(3)
    assert not playing.game.over


# money


@EVERYWHERE
def test_currency(system):
    playing, _ = adopted(system, library.currency("beans", 5, 2))
    assert playing.counted("beans") == {"Ann": 5, "Ben": 5, "Cleo": 5}
    playing.game.give("Ann", "Ben", 3, "beans")
    assert playing.counted("beans") == {"Ann": 2, "Ben": 8, "Cleo": 5}
    with refused("has-too-little", player="Ann", has=2, counter="beans"):
        playing.game.give("Ann", "Ben", 3, "beans")
    points(playing, "Ann", 3)
    with refused("gift-without-rule"):
        playing.game.give("Ann", "Ben", 1)
    to_the_end_of_the_circuit(playing)
    assert playing.counted("beans") == {"Ann": 4, "Ben": 10, "Cleo": 7}


@EVERYWHERE
def test_whoever_joins_has_money_too(system):
    playing, _ = adopted(system, library.currency("beans", 5, 0))
    playing.law(library.late_comer("Dana"))
    assert playing.counted("beans")["Dana"] == 5


@EVERYWHERE
def test_points_for_money(system):
    playing, _ = adopted(system, library.points_for_money("beans", 4, 3, 10))
    playing.until("propose")
    player = playing.game.player
    other = next(name for name in playing.game.players if name != player)
    before = playing.scores
    for _ in range(2):
        playing.game.take(player, "buy points")
        with refused("offer-needs", facts="player.in_turn is false"):
            playing.game.take(other, "buy points")
    with refused("offer-needs", facts="player.beans is 2"):
        playing.game.take(player, "buy points")
    assert playing.counted("beans") == {name: 2 if name == player else 10 for name in before}
    assert playing.scores == {**before, player: before[player] + 6}


@EVERYWHERE
def test_fee_for(system):
    playing, _ = adopted(system, library.fee_for("being late", "beans", 2, 3))
    playing.game.report("Ann", "Ben", "being late")
    assert playing.counted("beans") == {"Ann": 5, "Ben": 1, "Cleo": 3}


@EVERYWHERE
def test_auction(system):
    playing, number = adopted(system, library.auction(7, "beans", 10))
    playing.chosen = {"Ann": "3", "Ben": "6", "Cleo": "6"}
    to_the_end_of_the_circuit(playing)
    while any(one.action == "choose" for one in playing.game.pending):
        playing.step()
    assert playing.counted("beans") == {"Ann": 10, "Ben": 4, "Cleo": 10}
    sold = [
        (event.actor, event.data["amount"])
        for event, _ in playing.game.timeline.moments
        if event.kind == "counted" and event.data["counter"] == "points" and event.cause and event.cause.rule == number
    ]
    assert sold == [("Ben", 7)]
    playing.chosen = {}
    to_the_end_of_the_circuit(playing)
    while any(one.action == "choose" for one in playing.game.pending):
        assert len(next(one for one in playing.game.pending if one.action == "choose").options) in (5, 11)
        playing.step()
    assert playing.counted("beans") == {"Ann": 10, "Ben": 4, "Cleo": 10}


def test_whoever_is_in_debt_bids_nothing():
    playing, _ = adopted("discordian-nomic", library.auction(7, "beans", 10))
    points(playing, "Ann", -3, "beans")
    to_the_end_of_the_circuit(playing)
    assert playing.game.pending[0].options == ("0",)
    playing.turns()
    assert playing.counted("beans") == {"Ann": -3, "Ben": 10, "Cleo": 10}


@pytest.mark.parametrize(
    ("make", "given", "code"),
    [
        (library.penalty_for, ('a "b"', 2), "label-out-of-form"),
        (library.penalty_for, ("a", 0), "figure-out-of-range"),
        (library.reward_for, ("", 2), "label-out-of-form"),
        (library.fine_for, ("a", -1), "figure-out-of-range"),
        (library.gifts, (0,), "figure-out-of-range"),
        (library.tax, (1,), "figure-out-of-range"),
        (library.first_pays_last, (0,), "figure-out-of-range"),
        (library.handicap, (0,), "figure-out-of-range"),
        (library.no_points_below, (1,), "figure-out-of-range"),
        (library.most_at_once, (0,), "figure-out-of-range"),
        (library.lottery, (1001,), "figure-out-of-range"),
        (library.elimination, (1,), "figure-out-of-range"),
        (library.currency, ("Coins",), "word-out-of-form"),
        (library.currency, ("points",), "word-out-of-form"),
        (library.currency, ("to",), "word-out-of-form"),
        (library.currency, ("coins", -1), "figure-out-of-range"),
        (library.points_for_money, ("coins", 0), "figure-out-of-range"),
        (library.fee_for, ("", "coins"), "label-out-of-form"),
        (library.auction, (10, "two words"), "word-out-of-form"),
        (library.auction, (10, "coins", 101), "figure-out-of-range"),
    ],
)
def test_what_they_do_not_take(make, given, code):
    with refused(code, ValueError):
        make(*given)


@EVERYWHERE
def test_secret_purse(system):
    playing, _ = adopted(system, library.secret_purse(7))
    game = playing.game
    assert secrets_by_player(game.state)["Cleo"] == ["gold: 7"]
    game.take("Ben", "show my gold")
    game.choose("Ben", "Cleo")
    assert secrets_by_player(game.state)["Cleo"] == ["gold of Ben: 7 (shown to you)", "gold: 7"]
    assert secrets_by_player(game.state)["Ann"] == ["gold: 7"]
