"""One budget of steps for an action, on boards."""

from __future__ import annotations

from play_helpers import ballot, sit

import nomic_nb as nb
from nomic_nb.chess.fairplay import hypotheticals
from nomic_nb.chess.play import legal
from nomic_nb.engine.law.nodes import StepMeter

LONG = "any(p == -{} for p in numbers(1, 9900))"


def steps_of(look):
    """How many steps of evaluation something takes."""
    meter = StepMeter(10**9)
    with meter.as_current_meter():
        look()
    return 10**9 - meter.left


def test_moves_that_are_known_cost_what_they_cost_first():
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=3)
    game.propose("Ann", nb.enact("Nothing."))
    for name in ("Ann", "Ben"):
        game.vote(name, "for")
    state = game.state
    legal._KNOWN_OPTIONS.clear()
    first = steps_of(lambda: legal.push_options(state))
    assert first == steps_of(lambda: legal.push_options(state)) > 0


def test_what_was_seen_of_what_is_to_come_is_kept_for_one_game_only():
    """What is remembered holds states, and a state the law of its whole game."""
    for names in (["Ann", "Ben"], ["Cleo", "Dov"]):
        game = nb.new_game("make-a-rule", names, seed=1)
        game.propose(names[0], nb.enact("So be it."))
        known = hypotheticals._ANSWERS
        assert {one.game for one in known.values()} == {game.state.game}
        known["of a piece that the other game has not", 0] = next(iter(known.values()))


def test_a_look_at_the_moves_leaves_out_what_making_one_leaves_out():
    game = sit("Ann", "Ben", system="nomic-chess")
    game.propose("Ann", nb.enact("Long to look at.", law=f"forbid move when {LONG.format(1)}"))
    ballot(game)
    (question,) = game.state.questions
    for name in question.who:
        game.choose(name, "true")
    (decision,) = game.pending
    assert decision.action == "move"
    assert len(decision.options) == len(legal.move_options(game.state)) == 20  # as a panel lists them
    game.move("Ann", decision.options[0])
    assert game.player == "Ben"
