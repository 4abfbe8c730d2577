"""One budget of steps for an action: what costs too much is left out, and the table is asked."""

from __future__ import annotations

import pytest
from play_helpers import law, sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.law.nodes import CURRENT_METER, STEPS_PER_ACTION, StepMeter

LONG = "any(p == -{} for p in numbers(1, 9900))"
COSTLY = "\n".join(
    ["on thrown: " + "; ".join(["award 1 points to playing"] * 4)]
    + [f"on counted when {LONG.format(at)}: award 50 points to player" for at in range(60)]
)


def dear():
    """A game in which each throw would take millions of steps, and whose last throw was one."""
    game = sit()
    game.propose("Ann", nb.enact("Whoever counts, counts long.", law=COSTLY))
    for name in game.players:
        game.vote(name, "for")
    game.roll("Ann", 3)
    return game


def steps_of(look):
    """How many steps of evaluation something takes."""
    meter = StepMeter(10**9)
    with meter.as_current_meter():
        look()
    return 10**9 - meter.left


def test_a_rule_that_takes_too_many_steps_is_left_out_and_the_table_is_asked():
    game = dear()
    (question,) = game.state.questions
    assert "Rule 301 takes more than the 250,000 steps" in question.text
    assert question.rule == 301
    assert game.counters["points"]["Ann"] == 3  # the throw counts, what the rule makes of it does not
    for name in game.players:
        game.choose(name, "leave it")
    assert game.pending[0].action == "propose"


def test_playing_it_again_costs_the_same_and_comes_to_the_same(tmp_path):
    game = dear()
    game.save(tmp_path / "dear.jsonl")
    assert nb.load(tmp_path / "dear.jsonl").timeline.events == game.timeline.events


def test_it_does_not_matter_who_looked_before():
    game = sit()
    law(game, "set win.points to 100 while not any(p == -1 for p in numbers(1, 3000))")
    state = game.state.replace(players=dict(game.state.players))
    first = steps_of(lambda: state.law.find("win.winners", state, {}))
    assert first == steps_of(lambda: state.law.find("win.winners", state, {})) > 6_000


def test_whoever_asks_again_and_again_is_not_at_fault_for_what_takes_the_steps():
    """Whose the steps were is found without what is remembered, so that a record plays as the game was played."""
    game = sit()
    law(game, "set dice.sides to 6 while not any(p == -1 for p in numbers(1, 1800))")
    law(game, "set win.points to dice.sides + 94\nprevails over everything on win.points")
    asking = "\n".join(f"on thrown when win.points == -{at}: award 1 points to player" for at in range(1, 96))
    game.propose(game.player, nb.enact("Whoever throws, asks.", law=asking))
    for name in game.players:
        game.vote(name, "for")
    game.roll(game.player, 3)
    (question,) = game.state.questions
    assert (question.rule, question.key) == (301, "dice.sides")


def test_what_follows_takes_nothing_from_the_law_that_judges_the_deed():
    game = sit()
    law(game, "set dice.sides to 6 while not any(p == -1 for p in numbers(1, 1800))")
    law(game, "set win.points to dice.sides + 94\nprevails over everything on win.points")
    law(game, "forbid say when dice.sides == 7")
    law(game, "\n".join(f"on said when win.points == -{at}: award 1 points to player" for at in range(1, 96)))
    game.say(game.player, "Hm.")
    assert [event.kind for event in game.timeline.events[-2:]] == ["said", "asked"]
    assert game.state.questions[0].key == "dice.sides"


def test_turns_that_pass_by_themselves_have_a_budget_each():
    game = sit()
    counts = [f"on turn_begun when turn > 2 and {LONG.format(at)}: award 50 points to player" for at in range(6)]
    passing = "set turn.parts to [] while turn in [3, 4, 5]\nprevails over everything on turn.parts"
    points = "on turn_begun when turn in [3, 4, 5]: award 9 points to player"
    law(game, "\n".join([passing, points, *counts]))
    law(game, "")
    assert (game.turn, game.player, game.state.questions) == (6, "Cleo", ())
    assert dict(game.counters["points"]) == {"Ann": 10, "Ben": 10, "Cleo": 9}


def test_what_play_looks_up_for_a_rule_is_the_doing_of_that_rule():
    meter = StepMeter(10_000, stops=True)
    meter.charge(2_000, (0, "may.move"))
    meter.at_work = 7
    meter.charge(5_000, (0, "may.move"))
    meter.charge(1_000, (3, "move.count"))
    assert meter.costliest_parts(1) == {(7, "")}


@pytest.mark.parametrize(
    "clauses",
    [
        "\n".join(f"require not {LONG.format(at)}" for at in range(60)),
        "\n".join(f"set vote.weight to 1 while {LONG.format(at)}" for at in range(60)),
        "on thrown each n in numbers(1, 9900) when " + " and ".join(["n > 0"] * 25) + ": award 1 points to player",
        "on thrown when any(throw.points == -1 for n in numbers(1, 9900)): award 1 points to player\n" * 30,
        f"on thrown when any([{', '.join(['p'] * 95)}] == [] for p in numbers(1, 9900)): end turn\n" * 20,
    ],
    ids=["requirements", "terms", "a trigger for each", "terms within", "long bodies"],
)
@pytest.mark.slow
def test_no_action_takes_many_times_the_budget(clauses, monkeypatch):
    spent = []
    begin = StepMeter.__init__

    def noted(self, steps=STEPS_PER_ACTION, *given, **more):
        begin(self, steps, *given, **more)
        spent.append((self, steps))

    monkeypatch.setattr(StepMeter, "__init__", noted)
    game = sit()
    game.propose("Ann", nb.enact("Long.", law=clauses.strip()))
    for name in game.players:
        if not game.state.questions:
            game.vote(name, "for")
    if not game.state.questions:
        game.roll("Ann", 3)
    assert game.state.questions or game.pending
    assert (
        max(steps - meter.left for meter, steps in spent) < STEPS_PER_ACTION * 1.2
    )  # the last single step may be a long one


def test_to_look_at_the_law_has_a_budget_of_its_own():
    game = sit()
    law(game, "\n".join(f"set throw.points to 1 while face == 99 and {LONG.format(at)}" for at in range(60)))
    assert CURRENT_METER.get() is None
    finding = game.state.law.find("throw.points", game.state, {"face": 99, "player": None})
    assert finding.outcome == "undecided"
    assert "steps" in finding.reason
    assert CURRENT_METER.get() is None
    assert game.pending


@pytest.mark.slow
def test_an_offer_that_is_too_long_to_look_at_hides_no_other():
    game = sit()
    law(game, f'offer "long" when {" or ".join(LONG.format(at) for at in range(1, 3))}: award 9 points to player')
    law(game, "\n".join(f'offer "long {at}" when {LONG.format(at)}: award 9 points to player' for at in range(30)))
    law(game, 'offer "short" when player.points > 0: award 1 points to player')
    taken = [(one.player, one.options) for one in game.pending if one.action == "take"]
    assert ("Cleo", ("short",)) in taken
    with refused("offer-needs", player="Ann", needed="any((p == -3) for p in numbers(1, 9900))"):
        game.take("Ann", "long 3")


def test_what_is_agreed_about_a_costly_rule_holds_until_somebody_asks_again():
    game = dear()
    game.choose("Ann", "leave it", agreed=game.players)
    game.propose("Ben", nb.enact("Nothing."))
    for name in game.players:
        game.vote(name, "for")
    game.roll("Ben", 2)
    assert not game.state.questions
    assert "left out again, as agreed: rule 301" in "; ".join(game.latest(20))
    game.ask_again("Ann", "rule 301")
    game.propose("Cleo", nb.enact("Nothing."))
    for name in game.players:
        game.vote(name, "for")
    game.roll("Cleo", 2)
    assert game.state.questions


def test_a_costly_requirement_is_one_question():
    game = sit()
    dear_one = "\n".join(f"require not {LONG.format(at)}" for at in range(60))
    game.propose("Ann", nb.enact("Long to look at.", law=dear_one))
    for name in game.players:
        game.vote(name, "for")
    asked = 0
    while game.state.questions:
        asked += 1
        game.choose("Ann", "true", agreed=game.players)
    assert asked == 1
    assert 301 in game.rules
