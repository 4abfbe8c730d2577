"""Ready-made rules on turns and on dice, in play."""

import pytest
from refusals import refused
from study.library.playing import SYSTEMS, Playing

import nomic_nb as nb
from nomic_nb import library

BY_THEMSELVES = ("discordian-nomic", "cabinet-nomic")


def movers(playing, count):
    """Whose the next turns are."""
    found = []
    for _ in range(count):
        playing.until("propose")
        found.append(playing.game.player)
        playing.turns()
    return found


def adopted(system, rule, **more):
    playing = Playing(system, **more)
    return playing, playing.law(rule).number


@pytest.mark.parametrize("system", BY_THEMSELVES)
def test_reverse_order(system):
    assert movers(Playing(system), 4) == ["Ann", "Ben", "Cleo", "Ann"]
    playing, _ = adopted(system, library.reverse_order())
    assert movers(playing, 4) == ["Cleo", "Ben", "Ann", "Cleo"]


def test_reverse_order_changes_who_comes_before():
    playing = Playing("github-nomic")
    playing.law(library.reverse_order())
    assert playing.game.law["turn.sequence"].value[0].id == "Cleo"


@pytest.mark.parametrize("system", BY_THEMSELVES)
def test_there_and_back(system):
    playing = Playing(system)
    playing.law(library.there_and_back())
    assert movers(playing, 2) == ["Ben", "Cleo"]
    second, third = movers(playing, 3), movers(playing, 3)
    assert second == ["Ben", "Ann", "Cleo"]
    assert third == ["Ann", "Ben", "Cleo"]


@pytest.mark.parametrize("system", BY_THEMSELVES)
def test_random_order(system):
    playing, _ = adopted(system, library.random_order(), players=("Ann", "Ben", "Cleo", "Dan"))
    movers(playing, 3)
    orders = []
    for _ in range(4):
        lots = playing.counted("lot")
        assert all(1 <= lot <= 100 for lot in lots.values())
        playing.until("propose")
        order = movers(playing, 4)
        ranked = sorted(lots, key=lots.get)
        start = ranked.index(order[0])
        assert order == ranked[start:] + ranked[:start]
        orders.append(tuple(ranked))
    assert len(set(orders)) > 1


@pytest.mark.parametrize("system", BY_THEMSELVES)
def test_extra_turn(system):
    playing, _ = adopted(system, library.extra_turn(5))
    playing.face = 5
    assert movers(playing, 1) == ["Ben"]
    playing.face = 2
    assert movers(playing, 3) == ["Ben", "Cleo", "Ann"]


@pytest.mark.parametrize("system", BY_THEMSELVES)
@pytest.mark.parametrize("times", [1, 2])
def test_missed_turn(system, times):
    playing, _ = adopted(system, library.missed_turn("whistling"))
    for _ in range(times):
        playing.game.report("Ann", "Cleo", "whistling")
    order = movers(playing, 8)
    assert order[: 2 * times] == ["Ben", "Ann"] * times
    assert order[2 * times : 2 * times + 2] == ["Ben", "Cleo"]
    passed = [event.actor for event, _ in playing.game.timeline.moments if event.kind == "passed_over"]
    assert passed == ["Cleo"] * times


def test_circuits_end_without_whoever_is_passed_over():
    playing, _ = adopted("discordian-nomic", library.missed_turn("whistling"))
    playing.game.report("Ann", "Cleo", "whistling")
    movers(playing, 2)
    assert playing.game.circuit == 2


def test_two_who_miss_a_turn():
    playing, _ = adopted("discordian-nomic", library.missed_turn("whistling"))
    playing.game.report("Ann", "Ben", "whistling")
    playing.game.report("Ann", "Cleo", "whistling")
    assert movers(playing, 4) == ["Ben", "Ann", "Ben", "Cleo"] or movers(playing, 1)


def test_missed_turn_where_turns_begin_at_will():
    playing, _ = adopted("github-nomic", library.missed_turn("whistling"))
    game = playing.game
    game.report("Ann", "Cleo", "whistling")
    with refused("not-allowed", player="Cleo"):
        game.begin_turn("Cleo")
    game.begin_turn("Ben")
    game.begin_turn("Cleo")
    assert {turn.player for turn in game.state.turns} == {"Ben", "Cleo"}


@pytest.mark.parametrize("system", BY_THEMSELVES)
def test_passing(system):
    playing = Playing(system)
    playing.until("propose")
    with pytest.raises(nb.IllegalAction):
        playing.game.skip("Ann")
    playing.law(library.passing())
    playing.until("propose")
    playing.game.skip("Ben")
    assert playing.game.player == "Cleo"


# dice


@pytest.mark.parametrize("system", BY_THEMSELVES)
def test_another_die(system):
    playing, _ = adopted(system, library.another_die(20))
    playing.face = 17
    before = playing.scores["Ben"]
    playing.turns()
    assert playing.scores["Ben"] == before + 17


@pytest.mark.parametrize("system", BY_THEMSELVES)
def test_committed_dice(system):
    playing, _ = adopted(system, library.committed_dice(4))
    playing.until("seal")
    game = playing.game
    for name in game.players:
        game.seal(name, "a word")
    for name in game.players:
        game.reveal(name)
    (thrown,) = [event for event, _ in game.timeline.moments if event.kind == "thrown"][-1:]
    assert playing.scores["Ben"] == thrown.data["face"]
    assert not thrown.data["by_hand"]


@pytest.mark.parametrize("system", BY_THEMSELVES)
def test_more_dice(system):
    playing, _ = adopted(system, library.more_dice(2))
    playing.until("roll")
    game = playing.game
    game.roll("Ben", 3)
    assert "2 dice with 6 sides" in str(game.pending) or game.state.waiting[0].dice == 2
    game.roll("Ben", 11)
    assert playing.scores["Ben"] == 14
    assert game.player == "Cleo"


@pytest.mark.parametrize("system", BY_THEMSELVES)
def test_throw_or_take(system):
    playing, _ = adopted(system, library.throw_or_take(4))
    playing.until("roll")
    playing.game.roll("Ben", 2)
    playing.game.choose("Ben", "4")
    assert playing.scores["Ben"] == 4
    playing.until("roll")
    playing.game.roll("Cleo", 6)
    playing.game.choose("Cleo", "6")
    assert playing.scores["Cleo"] == 6


@pytest.mark.parametrize("system", BY_THEMSELVES)
def test_unlucky_face(system):
    playing, _ = adopted(system, library.unlucky_face(1, 5))
    playing.face = 1
    playing.turns()
    assert playing.scores["Ben"] == -5
    playing.face = 3
    playing.turns()
    assert playing.scores["Cleo"] == 3


@pytest.mark.parametrize("system", SYSTEMS)
def test_double_points(system):
    playing, _ = adopted(system, library.double_points(2))
    won = {}
    for _ in range(5):
        before, circuit = playing.scores, playing.game.circuit
        playing.turns()
        got = max(playing.scores[name] - before[name] for name in before)
        won.setdefault(circuit, []).append((got, playing.next_number() - 1))
    if system == "github-nomic":
        assert [points for points, _ in won[1]] == [number + 9 for _, number in won[1]]
        assert [points for points, _ in won[2]] == [2 * (number + 9) for _, number in won[2]]
    else:
        assert [points for points, _ in won[1]] == [2, 2]
        assert [points for points, _ in won[2]] == [4, 4, 4]


@pytest.mark.parametrize(
    ("make", "given", "code"),
    [
        (library.extra_turn, (0,), "figure-out-of-range"),
        (library.missed_turn, ("",), "label-out-of-form"),
        (library.another_die, (1,), "figure-out-of-range"),
        (library.committed_dice, (-1,), "figure-out-of-range"),
        (library.another_die, ("six",), "figure-out-of-range"),
        (library.more_dice, (0,), "figure-out-of-range"),
        (library.throw_or_take, (-1,), "figure-out-of-range"),
        (library.unlucky_face, (0,), "figure-out-of-range"),
        (library.unlucky_face, (1, -1), "figure-out-of-range"),
        (library.double_points, (1,), "figure-out-of-range"),
    ],
)
def test_what_they_do_not_take(make, given, code):
    with refused(code, ValueError):
        make(*given)


def test_passing_is_not_offered_while_a_vote_waits_for_a_choice():
    playing, _ = adopted("discordian-nomic", library.passing())
    playing.law(nb.enact("Ballots make work.", law="on balloted: let proponent choose number from [1, 2]"))
    playing.until("vote")
    game = playing.game
    game.vote(next(one.player for one in game.pending if one.action == "vote"), "for")
    assert [one.player for one in game.pending if one.action == "choose"] == [game.player]
    assert not [one for one in game.pending if one.action == "skip"]
    with refused("turn-unfinished"):
        game.skip(game.player)
