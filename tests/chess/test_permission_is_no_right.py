"""What may be proposed, on boards."""

import pytest
from play_helpers import adopted_by_two

import nomic_nb as nb

SYSTEMS = {"discordian-nomic": 112, "cabinet-nomic": 112, "nomic-chess": 112, "github-nomic": -205}
OPEN = 'allow propose when change.kind in ["amend", "repeal"]'


@pytest.mark.rule("discordian-nomic", 103)
@pytest.mark.rule("cabinet-nomic", 103)
@pytest.mark.rule("nomic-chess", 103)
@pytest.mark.rule("github-nomic", -214)
@pytest.mark.parametrize(("system", "immutable"), SYSTEMS.items())
@pytest.mark.parametrize("claim", ["", "\nprevails over everything"])
def test_a_mutable_permission_opens_no_immutable_rule(system, immutable, claim):
    game = adopted_by_two(system, OPEN + claim)
    for change in (nb.amend(immutable, "Anyone wins."), nb.repeal(immutable)):
        assert game.why("may.propose", change).value is False
    assert game.why("may.propose", nb.transmute(immutable)).value is True
    assert game.why("may.propose", nb.enact("More.")).value is True


@pytest.mark.rule("discordian-nomic", 103)
@pytest.mark.rule("discordian-nomic", 116)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_mutable_rule_limits_who_proposes_and_how_it_is_worded_but_not_what_is_changed(system):
    number = 1 if system == "github-nomic" else 301
    game = adopted_by_two(system, "forbid propose when change.length > 3")
    assert game.why("may.propose", nb.enact("More of the same.")).value is False
    assert game.why("may.propose", nb.enact("More.")).value is True
    assert game.why("may.propose").value is True  # some changes can be proposed
    game = adopted_by_two(system, 'forbid propose when change.kind == "repeal"')
    assert game.why("may.propose", nb.repeal(number)).value is True
    assert game.rules.void_reason(game.rules[number])
    game = adopted_by_two(system, 'forbid propose when player.name == "Ann"')
    assert not game.over
