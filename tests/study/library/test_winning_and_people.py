"""Ready-made rules on winning and on who takes part, in play."""

import pytest
from refusals import refused
from study.library.playing import SYSTEMS, Playing
from study.library.test_points_and_money import points, to_the_end_of_the_circuit

import nomic_nb as nb
from nomic_nb import library
from nomic_nb.engine.law.values import ThingRef

EVERYWHERE = pytest.mark.parametrize("system", SYSTEMS)
ALL = 'on said when text == "all": award 500 points to playing'
TWO = 'on said when text == "two": award 500 points to [p for p in playing if p.name != "Cleo"]'


def adopted(system, rule, **more):
    playing = Playing(system, **more)
    return playing, playing.law(rule).number


@EVERYWHERE
def test_points_to_win(system):
    playing, _ = adopted(system, library.points_to_win(30))
    assert not playing.game.over
    points(playing, "Ben", 29)
    assert not playing.game.over
    playing.law(library.reward_for("tea", 1))
    if not playing.game.over:
        playing.game.report("Ann", "Ben", "tea")
    assert playing.game.winner == "Ben"


@EVERYWHERE
def test_last_circuit(system):
    playing, _ = adopted(system, library.last_circuit(2))
    points(playing, "Cleo", 40)
    playing.turns(4)
    assert not playing.game.over
    playing.turns(2)
    assert playing.game.winner == "Cleo"
    assert playing.game.turn == 6


@EVERYWHERE
def test_joint_win(system):
    playing, _ = adopted(system, library.joint_win())
    playing.law(nb.enact("All.", law=ALL))
    playing.game.say("Ann", "all")
    assert set(playing.game.winners) == {"Ann", "Ben", "Cleo"}


@pytest.mark.parametrize("said", ["two", "all"])
@pytest.mark.parametrize("system", ["discordian-nomic", "cabinet-nomic"])
def test_player_on_turn_wins(system, said):
    playing, _ = adopted(system, library.player_on_turn_wins())
    playing.law(nb.enact("All.", law=ALL + "\n" + TWO))
    playing.until("propose", "Cleo")
    playing.game.say("Ann", said)
    assert set(playing.game.winners) == ({"Cleo"} if said == "all" else {"Ann", "Ben"})


@EVERYWHERE
def test_second_way_to_win(system):
    playing, _ = adopted(system, library.second_way_to_win("stars", 2))
    had = playing.counted("stars")
    assert max(had.values()) <= 1
    for _ in range(6):
        if playing.game.over:
            break
        playing.turns()
    assert playing.game.over
    assert playing.counted("stars")[playing.game.winner] == 2


@EVERYWHERE
def test_teams(system):
    playing, _ = adopted(system, library.teams(2), players=("Ann", "Ben", "Cleo", "Dan", "Eve"))
    mates = {
        name: [one.id for one in playing.game.state.find("team.mates", player=ThingRef("player", name)).value]
        for name in playing.game.players
    }  # fmt: skip
    assert mates == {"Ann": ["Cleo", "Eve"], "Ben": ["Dan"], "Cleo": ["Ann", "Eve"], "Dan": ["Ben"],
                     "Eve": ["Ann", "Cleo"]}  # fmt: skip
    playing.game.forfeit("Cleo")
    playing.law(library.reward_for("tea", 500))
    playing.game.report("Ann", "Eve", "tea")
    assert set(playing.game.winners) == {"Ann", "Eve"}


# people


@EVERYWHERE
def test_late_comer(system):
    playing = Playing(system)
    playing.until({"github-nomic": "begin_turn"}.get(system, "propose"))
    points(playing, "Ann", 9)
    points(playing, "Ben", 8)
    points(playing, "Cleo", 4)
    playing.law(library.late_comer("Dana"))
    game = playing.game
    assert game.players == ("Ann", "Ben", "Cleo", "Dana")
    assert playing.scores["Dana"] == 4
    playing.until("vote", "Dana")
    for _ in range(4):
        playing.turns()
    assert game.state.players["Dana"].turns == 1


@EVERYWHERE
def test_dummy(system):
    playing, _ = adopted(system, library.dummy("Max", 6, 3))
    game = playing.game
    outcomes = []
    for _ in range(6):
        playing.until("vote")
        number = next(reversed(game.state.proposals))
        vote = game.state.proposals[number].vote
        thrown = [event for event, _ in game.timeline.moments if event.kind == "thrown" and event.actor is None][-1]
        assert vote.ballots["Max"] == ("against" if thrown.data["face"] <= 3 else "for")
        outcomes.append(vote.ballots["Max"])
        playing.turns()
    assert set(outcomes) == {"for", "against"}
    assert game.state.players["Max"].turns == 0


def holders(playing, office, circuits):
    found = []
    for _ in range(circuits):
        found.append(playing.holder(office))
        to_the_end_of_the_circuit(playing)
        while any(one.action == "choose" for one in playing.game.pending):
            playing.step()
    return found


def enacted(playing, rule):
    """Have a rule enacted, and make all choices that it brings at once."""
    return playing.law(rule).number


@EVERYWHERE
def test_office_by_rota(system):
    playing, _ = adopted(system, library.office("herald", "rota", 1, 2, 0))
    assert holders(playing, "herald", 4) == ["Ann", "Ben", "Cleo", "Ann"]


@EVERYWHERE
def test_office_with_a_longer_term(system):
    playing, _ = adopted(system, library.office("herald", "rota", 2))
    assert holders(playing, "herald", 5) == ["Ann", "Ann", "Ben", "Ben", "Cleo"]


@EVERYWHERE
def test_office_by_lot(system):
    playing, _ = adopted(system, library.office("herald", "lot"))
    held = holders(playing, "herald", 5)
    throws = [event for event, _ in playing.game.timeline.moments if event.kind == "thrown" and event.actor is None]
    assert [playing.game.players[event.data["face"] - 1] for event in throws][:5] == held
    assert len(set(held)) > 1


@EVERYWHERE
def test_office_by_choice(system):
    playing = Playing(system)
    playing.until({"github-nomic": "begin_turn"}.get(system, "propose"))
    points(playing, "Ben", 60)
    playing.chosen = {"Ben": "Cleo"}
    playing.law(library.office("herald", "choice"))
    assert playing.holder("herald") == "Cleo"


@EVERYWHERE
def test_office_by_vote(system):
    playing = Playing(system)
    playing.chosen = {"Ann": "Cleo", "Ben": "Ann", "Cleo": "Cleo"}
    playing.law(library.office("herald", "vote"))
    assert playing.holder("herald") == "Cleo"
    playing.chosen = {"Ann": "Ann", "Ben": "Ben", "Cleo": "Cleo"}
    assert holders(playing, "herald", 2) == ["Cleo", "Ann"]


@EVERYWHERE
def test_what_an_office_brings(system):
    playing, number = adopted(system, library.office("herald", "rota", 1, 3, 4))
    playing.until("vote")
    vote = playing.game.state.proposals[next(reversed(playing.game.state.proposals))].vote
    assert dict(vote.weights) == {"Ann": 3, "Ben": 1, "Cleo": 1}
    to_the_end_of_the_circuit(playing)
    paid = [
        (event.actor, event.data["amount"])
        for event, _ in playing.game.timeline.moments
        if event.kind == "counted" and event.data["counter"] == "points" and event.cause and event.cause.rule == number
    ]
    assert paid == [("Ann", 4)]


def test_an_office_falls_vacant():
    playing, _ = adopted("discordian-nomic", library.office("herald"))
    playing.until("propose")
    playing.game.forfeit("Ann")
    playing.until("vote")
    vote = playing.game.state.proposals[next(reversed(playing.game.state.proposals))].vote
    assert dict(vote.weights) == {"Ben": 1, "Cleo": 1}
    to_the_end_of_the_circuit(playing)
    assert playing.holder("herald") == "Cleo"


@EVERYWHERE
def test_elected_judge(system):
    playing = Playing(system)
    playing.chosen = dict.fromkeys(("Ann", "Ben", "Cleo"), "Cleo")
    playing.law(library.elected_judge())
    playing.until("propose")
    asker = playing.game.player
    assert asker != "Cleo"
    playing.game.invoke_judgment(asker, "Is this a proposal?")
    assert [one.player for one in playing.game.pending if one.action == "rule_on"] == ["Cleo"]


@EVERYWHERE
def test_no_judge(system):
    playing, _ = adopted(system, library.no_judge())
    playing.until("propose")
    playing.game.invoke_judgment(playing.game.player, "Is this a proposal?")
    asked = [one.player for one in playing.game.pending if one.action == "choose"]
    assert set(asked) == {"Ann", "Ben", "Cleo"}


@pytest.mark.parametrize(
    ("make", "given", "code"),
    [
        (library.points_to_win, (0,), "figure-out-of-range"),
        (library.last_circuit, (0,), "figure-out-of-range"),
        (library.second_way_to_win, ("points",), "word-out-of-form"),
        (library.second_way_to_win, ("stars", 0), "figure-out-of-range"),
        (library.teams, (1,), "figure-out-of-range"),
        (library.late_comer, ("",), "label-out-of-form"),
        (library.dummy, ('"',), "label-out-of-form"),
        (library.dummy, ("Max", 6, 6), "figure-out-of-range"),
        (library.office, ("9th",), "word-out-of-form"),
        (library.office, ("herald", "force"), "not-one-of-these"),
        (library.office, ("herald", "rota", 0), "figure-out-of-range"),
        (library.office, ("herald", "rota", 1, -1), "figure-out-of-range"),
        (library.elected_judge, (0,), "figure-out-of-range"),
    ],
)
def test_what_they_do_not_take(make, given, code):
    with refused(code, ValueError):
        make(*given)
