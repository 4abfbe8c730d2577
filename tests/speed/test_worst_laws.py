"""Laws that make one action as long as they can: `pytest tests/speed/test_worst_laws.py --benchmark-enable -n 0 -s`.

Prints the slowest action of each law, its seconds, and those of the others; no time is asserted. The steps are.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from speed.worst_laws import WORST_LAWS
from speed.worst_play import Living, slowest, smaller

import nomic_nb as nb
from nomic_nb.engine.law.nodes import View
from nomic_nb.engine.play.engine import Engine

#: Steps that one action may take, and things that can happen in it: both twice what it has, since what takes too much
#: is begun anew without the worst, with half as much each time.
STEPS, EVENTS = 2 * 250_000, 2 * 10_000
#: After so many seconds an action is broken off.
LONGEST = 60

by_name = pytest.mark.parametrize("worst", WORST_LAWS, ids=lambda one: one.name)
#: Those of which most happens in one act.
LONG = {"many recipients", "play by itself"}
long_ones_are_slow = pytest.mark.parametrize(
    "worst", [pytest.param(one, marks=pytest.mark.slow if one.name in LONG else (), id=one.name) for one in WORST_LAWS]
)


class Spent(BaseException):
    """An action went on and on. No part of the engine catches this."""


@pytest.fixture
def spent(monkeypatch):
    """Counts the steps and the events of an action, and breaks it off where they are more than it has."""
    counts = {"steps": 0, "events": 0}
    spend, emit = View.spend_steps, Engine.emit

    def counting(view, steps=1, *more):
        counts["steps"] += steps
        if counts["steps"] > STEPS:
            raise Spent(f"more than {STEPS} steps")
        spend(view, steps, *more)

    def happening(engine, *given, **more):
        counts["events"] += 1
        if counts["events"] > EVENTS:
            raise Spent(f"more than {EVENTS} events")
        return emit(engine, *given, **more)

    monkeypatch.setattr(View, "spend_steps", counting)
    monkeypatch.setattr(Engine, "emit", happening)
    return counts


@by_name
@pytest.mark.slow
def test_a_law_is_done_or_asked_about_within_the_steps_that_an_action_has(worst, spent):
    def around(name, what):
        spent.update(steps=0, events=0)
        try:
            return what()
        except Spent as error:
            pytest.fail(f"to {name} takes {error}", pytrace=False)

    # A review and a loading are many actions; each of these was counted as it was done.
    living = Living(smaller(worst), around)
    living.looking = ()
    living.play()
    game = living.game
    asked = [event for event in game.timeline.events if event.kind == "asked"]
    adopted = [one for one in game.state.proposals.values() if one.change.law and one.status == "adopted"]
    assert len(adopted) == len(smaller(worst).laws) or asked
    assert game.over or list(game.pending)


@pytest.fixture
def work(monkeypatch):
    """Counts what the engine does: events that happen, and evaluations of what rules say."""
    counts = {"done": 0}
    emit, made = Engine.emit, View.__init__

    def happening(engine, *given, **more):
        counts["done"] += 1
        return emit(engine, *given, **more)

    def evaluated(view, *given):
        counts["done"] += 1
        made(view, *given)

    monkeypatch.setattr(Engine, "emit", happening)
    monkeypatch.setattr(View, "__init__", evaluated)
    return counts


@long_ones_are_slow
@pytest.mark.slow
def test_loading_is_at_most_half_as_much_again_as_the_acts_were(worst, tmp_path, work):
    few = smaller(worst)
    living = Living(replace(few, laws=few.laws[:2], most=1), lambda name, what: what())
    living.looking = ()
    living.play()
    living.game.save(tmp_path / "game.jsonl")
    acts, work["done"] = work["done"], 0
    assert nb.load(tmp_path / "game.jsonl").state.work == living.game.state.work
    assert 0 < work["done"] <= 1.5 * acts


@by_name
def test_the_slowest_action(benchmark, worst):
    if not benchmark.enabled:
        pytest.skip("only measured")
    name, seconds, taken = benchmark.pedantic(lambda: slowest(worst, LONGEST), rounds=1)
    benchmark.extra_info.update(action=name, seconds=seconds, all=taken)
    rest = ", ".join(f"{one} {some:.2f}" for one, some in sorted(taken.items(), key=lambda pair: -pair[1]))
    print(f"\n{worst.name}: {rest}")  # noqa: T201 - a benchmark tells
