"""What a clause can ask of a change at hand: how things would stand if it were adopted."""

import pytest
import refusals
from play_helpers import refused

import nomic_nb as nb
from nomic_nb.engine.law.nodes import CURRENT_METER, StepMeter
from nomic_nb.engine.play.adoptability import SUPPOSED_CASE, suppose_proposed


def game_with(*laws, ruleset="discordian-nomic"):
    game = nb.new_game(ruleset, ["Ann", "Ben", "Cleo"], seed=1)
    for law in laws:
        adopt(game, law)
    return game


def adopt(game, law, wording="So be it."):
    proposal = game.propose(game.player, nb.enact(wording, law=law))
    settle(game)
    return proposal


def settle(game):
    """Everybody votes in favour, and whatever is owed is thrown."""
    for _ in range(30):
        found = [one for one in game.pending if one.action in ("vote", "roll")]
        if not found:
            return
        one = found[0]
        game.do(one.player, one.action, **({"ballot": "for"} if one.action == "vote" else {}))


def test_a_ban_asks_what_would_come_of_a_change():
    game = game_with("forbid propose when afterwards(win.points) < 90")
    with refused(game, "not-proposable"):
        game.propose(game.player, nb.enact("Ten points win.", law="set win.points to 10\nprevails over everything"))
    game.propose(game.player, nb.enact("Many points win.", law="set win.points to 95\nprevails over everything"))


def test_what_it_sets_off_at_once_is_done():
    game = game_with("forbid propose when afterwards(sum(p.points for p in seats)) > sum(p.points for p in seats)")
    with refused(game, "not-proposable"):
        game.propose(game.player, nb.enact("A gift.", law="on enacted when rule == this: award 5 points to seats"))
    assert adopt(game, "on turn_begun: award 1 points to player").number in game.rules


def test_what_hangs_on_a_throw_is_open_or_left_out():
    ban = "forbid propose when {}(any(p.points >= 40 for p in seats))"
    throw = "on enacted when rule == this: roll 1 of 6 as face; award 40 * face points to seats"
    gift = "\non enacted when rule == this: award 40 points to seats"
    game = game_with(ban.format("afterwards"))
    with refusals.refused("permission-open-and-asked", question="depends on a roll"):
        game.propose(game.player, nb.enact("A lottery.", law=throw))
    game = game_with(ban.format("afterwards_chance_apart"))
    with refused(game, "not-proposable"):
        game.propose(game.player, nb.enact("A lottery, and a gift.", law=throw + gift))
    assert adopt(game, throw).number in game.rules


@pytest.mark.parametrize(
    ("law", "said"),
    [
        ("set win.points to afterwards(10)", {"code": "no-change-at-hand"}),
        ("on turn_begun when afterwards(true): award 1 points to player", {"code": "no-change-at-hand"}),
        ("forbid propose when afterwards(afterwards(true))", {"code": "supposition-nested"}),
        (
            "forbid propose when afterwards(any(afterwards_chance_apart(true) for p in players))",
            {"code": "supposition-nested"},
        ),
        ("forbid propose when afterwards(1, 2) == 1", {"code": "one-expression-needed"}),
        ("forbid propose when afterwards(1)", {"code": "kind-needed", "what": "a condition", "kind": "a truth"}),
    ],
)
def test_where_it_cannot_stand(law, said):
    game = game_with()
    with refusals.refused(**said):
        game.propose(game.player, nb.enact("x", law=law))


def test_it_is_never_remembered_and_costs_the_same_each_time():
    game = game_with("forbid propose when afterwards(count(rules)) > 1000")
    left = []
    for _ in range(3):
        state = suppose_proposed(game.state, nb.enact("x", law="set win.points to 50"), "Ann")
        for _ in range(2):
            with StepMeter().as_current_meter():
                state.find("may.propose", player="Ann", **SUPPOSED_CASE)
                left.append(CURRENT_METER.get().left)
    assert len(set(left)) == 1


def test_another_change_is_judged_anew():
    game = game_with('forbid propose when afterwards(count(r for r in rules if r.tier == "mutable")) > 20')
    while sum(rule.tier == "mutable" for rule in game.state.rules) < 20:
        adopt(game, "")
    with refused(game, "not-proposable"):
        adopt(game, "")
    assert game.propose(game.player, nb.repeal(301)).number
