"""Polls at random, with people who leave, go away and come back: play never stands still, and replays the same."""

from __future__ import annotations

import random

import pytest
from often import TIMES
from play_helpers import law, sit

import nomic_nb as nb

ASKED = ("seats", "[p for p in playing if p.points >= 0]", "players", "highest(seats, [p.points for p in seats])")
OPTIONS = ('["yes", "no", "both"]', "playing", "any number", "any text", "numbers(1, 9)", "[r for r in rules]")
#: What is done with the answers, whatever they are.
THEN = (
    "award count(most(found)) points to seats", 'announce "in"',
    "each p in seats: when count(most(found)) > 1: award 1 points to p",
    'let chance choose lucky from seats weighing [p.points * p.points + 1 for p in seats]; award 1 points to lucky',
)  # fmt: skip


def clause(dice, event):
    options = dice.choice(OPTIONS)
    some = "some " if not options.startswith("any") and dice.random() < 0.4 else ""
    none = " or none" if dice.random() < 0.4 else ""
    asking = ' asking "What do you say?"' if dice.random() < 0.5 else ""
    secret = " in secret" if dice.random() < 0.3 else ""
    span = f" within {dice.randint(0, 3)} turns" if dice.random() < 0.4 else ""
    let = f"let {dice.choice(ASKED)} choose {some}found from {options}{none}{asking}{secret}{span}"
    return f"{event}: {let}; {dice.choice(THEN)}"


def answer(dice, game, decision):
    """Some answer to what is asked."""
    if decision.takes == "number":
        return dice.randint(-9, 9)
    if decision.takes == "text":
        return dice.choice(["so be it", "no", "Ann"])
    if decision.takes == "some":
        return dice.sample(decision.options, dice.randint(1, len(decision.options)))
    return dice.choice(decision.options) if decision.options else "true"


def step(dice, game):
    """Do something that is open; what play waits for, if there is such."""
    chance = dice.random()
    here = [name for name in game.state.person_names if not game.state.players[name].absent]
    if chance < 0.03 and len(game.state.person_names) > 2:
        game.forfeit(dice.choice(game.state.person_names))
        return
    if chance < 0.1 and len(here) > 1:
        game.host.absent(dice.choice(here))
        return
    away = [name for name in game.state.person_names if name not in here]
    if away and chance < 0.25:
        game.host.present(dice.choice(away))
        return
    open_ones = [one for one in game.pending if one.player in (None, *here) and one.action != "skip"]
    waited = [one for one in open_ones if one.must]
    if not open_ones:
        assert away, f"nobody can do anything: {game.pending}"
        game.host.present(away[0])
        return
    one = dice.choice(waited if waited and chance < 0.9 else open_ones)
    player = one.player or dice.choice(here)
    if one.action == "choose":
        game.choose(player, answer(dice, game, one), decision=one.id)
    elif one.action == "propose":
        game.propose(player, nb.enact("More of the same."))
    elif one.action == "vote":
        game.vote(player, dice.choice(["for", "for", "for", "against"]), one.proposal)
    elif one.action == "roll":
        game.roll(player)
    elif one.action in ("present", "overdue"):
        game.host.present(player)
    elif one.action in ("say", "act"):
        game.say(player, "go")
    else:
        game.do(player, one.action, **({"judgment": one.id} if one.id else {}))


@pytest.mark.parametrize("seed", range(5 * TIMES))
def test_play_never_stands_still_and_replays_the_same(seed, tmp_path):
    dice = random.Random(seed)
    game = sit("Ann", "Ben", "Cleo", "Dov", seed=seed)
    events = (
        "on turn_begun",
        'on said when text == "go"',
        "on vote_ending",
        "on counted when amount > 5",
        "on forfeited",
    )
    law(game, "\n".join(clause(dice, event) for event in dice.sample(events, 3)))
    for _ in range(90):
        if game.over:
            break
        assert game.pending, "play waits for nobody"
        step(dice, game)
        if dice.random() < 0.1:
            game.say(next(name for name in game.state.person_names), "go") if _calm(game) else None
    assert game.state.polls
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert again.state.digest() == game.state.digest()
    assert again.history.equals(game.history)


def _calm(game):
    first = game.state.person_names[0]
    return not (game.over or game.state.questions or game.state.players[first].absent)
