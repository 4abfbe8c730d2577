"""What rules see of the rule that a proposal is about: the same rule, with the number it had when it was proposed."""

from __future__ import annotations

import pytest
from play_helpers import adopt, evaluated, idle, law, majority, open_up, put, scores, sit

import nomic_nb as nb

SYSTEMS = ("discordian-nomic", "cabinet-nomic")
BONUS = "on {event} when target != none and target.number == 203: award 7 points to proponent"


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("event", ["adopted", "vote_closed", "amended"])
def test_a_rule_sees_the_target_of_an_adopted_change_by_its_old_number(system, event):
    game = sit(system=system)
    law(
        game,
        BONUS.format(event=event)
        if event != "amended"
        else "on amended when rule.number > 300: award 7 points to mover",
    )
    before, mover = scores(game), game.player
    adopt(game, nb.amend(203, law="set vote.quota to majority(vote.electorate)"))
    assert scores(game)[mover] == before[mover] + 7


@pytest.mark.rule("discordian-nomic", 204)
def test_a_bonus_for_dissent_can_hang_on_the_rule_that_is_changed():
    game = sit()
    majority(game)
    old = next(
        line for line in game.rules[204].law.splitlines() if "dissent.points" in line and not line.startswith("set")
    )
    new = "set dissent.points to (9 if target != none and target.number == 208 else 1)"
    adopt(game, nb.amend(204, law=f"{new}\n{old}"))
    game.roll(game.player, 1)
    before = scores(game)
    put(game, nb.amend(208, "Ninety points win."), against=["Cleo"])
    assert scores(game)["Cleo"] == before["Cleo"] + 9


def test_a_rule_sees_the_target_of_an_adopted_repeal():
    game = sit()
    number = idle(game)
    law(game, 'on adopted when target != none and change.kind == "repeal": announce "no more " + target.title')
    adopt(game, nb.repeal(number))
    announced = [event.data["text"] for event in game.timeline.events if event.kind == "announced"]
    assert announced == ["no more Nothing to see here"]


def test_a_rule_sees_the_standing_that_was_changed():
    game = sit()
    law(game, 'on adopted when change.kind == "transmute" and change.tier == "immutable": award 7 points to proponent')
    law(game, 'on adopted when target != none and target.tier == "immutable": award 20 points to proponent')
    before, mover = scores(game), game.player
    open_up(game, 111)
    assert scores(game)[mover] >= before[mover] + 27


def test_a_past_proposal_keeps_its_target():
    game = sit()
    first = adopt(game, nb.amend(203, law="set vote.quota to majority(vote.electorate)"))
    game.roll(game.player, 1)
    now = evaluated(game, f"rule_numbered({first.number})")
    (target,) = evaluated(game, "[p.target for p in proposals]")
    assert target == now
    assert evaluated(game, "[p.target.number for p in proposals]") == (203,)
    assert evaluated(game, f"rule_numbered({first.number}).number") == first.number
    second = adopt(game, nb.repeal(first.number))
    game.roll(game.player, 1)
    assert evaluated(game, "[p.target.number for p in proposals]") == (203, first.number)
    assert second.outcome == "adopted"


def test_a_defeated_proposal_keeps_its_target():
    game = sit()
    put(game, nb.repeal(201), against=["Ben"])
    assert evaluated(game, "[p.target.number for p in proposals]") == (201,)


def test_several_changes_keep_their_targets():
    game = sit()
    law(
        game,
        "on adopted when count(targets) == 2 and max([r.number for r in targets]) == 205: award 7 points to proponent",
    )
    before, mover = scores(game), game.player
    both = nb.together(nb.amend(203, "Nobody knows."), nb.amend(205, "Nobody cares."))
    adopt(game, both)
    assert scores(game)[mover] >= before[mover] + 7
