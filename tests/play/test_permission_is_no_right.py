"""What may be proposed: precedence decides first, and a permission of lower standing opens nothing."""

import pytest
from play_helpers import law, put, refused, sit, turn, waiting_for

import nomic_nb as nb

SYSTEMS = {"discordian-nomic": 112, "cabinet-nomic": 112, "nomic-chess": 112, "github-nomic": -205}
OPEN = 'allow propose when change.kind in ["amend", "repeal"]'


def adopted(system, clauses):
    """A game with two players in which a rule with these clauses was adopted, by the first of them."""
    game = sit("Ann", "Ben", system=system)
    if system == "github-nomic":
        game.begin_turn("Ann")
    number = 1 if system == "github-nomic" else None
    game.propose("Ann", nb.enact("So be it.", law=clauses), number)
    for name in ("Ann", "Ben"):
        game.vote(name, "for")
    return game


@pytest.mark.rule("discordian-nomic", 103)
@pytest.mark.rule("cabinet-nomic", 103)
@pytest.mark.rule("nomic-chess", 103)
@pytest.mark.rule("github-nomic", -214)
@pytest.mark.parametrize(("system", "immutable"), SYSTEMS.items())
@pytest.mark.parametrize("claim", ["", "\nprevails over everything"])
def test_a_mutable_permission_opens_no_immutable_rule(system, immutable, claim):
    game = adopted(system, OPEN + claim)
    for change in (nb.amend(immutable, "Anyone wins."), nb.repeal(immutable)):
        assert game.why("may.propose", change).value is False
    assert game.why("may.propose", nb.transmute(immutable)).value is True
    assert game.why("may.propose", nb.enact("More.")).value is True


@pytest.mark.rule("discordian-nomic", 103)
@pytest.mark.rule("discordian-nomic", 116)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_mutable_rule_limits_who_proposes_and_how_it_is_worded_but_not_what_is_changed(system):
    number = 1 if system == "github-nomic" else 301
    game = adopted(system, "forbid propose when change.length > 3")
    assert game.why("may.propose", nb.enact("More of the same.")).value is False
    assert game.why("may.propose", nb.enact("More.")).value is True
    assert game.why("may.propose").value is True  # some changes can be proposed
    game = adopted(system, 'forbid propose when change.kind == "repeal"')
    assert game.why("may.propose", nb.repeal(number)).value is True
    assert game.rules.void(game.rules[number])
    game = adopted(system, 'forbid propose when player.name == "Ann"')
    assert not game.over


def test_no_is_said_only_where_no_change_can_be_proposed():
    game = sit()
    law(game, 'allow propose when change.kind == "transmute"\nprevails over 302')
    law(game, "forbid propose when turn in [3, 4]")
    assert game.why("may.propose", nb.transmute(112)).value is True
    assert game.why("may.propose", nb.enact("More.")).value is False
    found = game.why("may.propose")
    assert (found.value, found.outcome) == (None, "depends")
    assert str(found).startswith("may.propose depends on change")
    assert waiting_for(game, "propose") == ["Cleo"]
    turn(game, nb.transmute(112))
    assert waiting_for(game, "propose") == ["Ann"]


@pytest.mark.rule("discordian-nomic", 105)
@pytest.mark.rule("discordian-nomic", 113)
def test_rights_that_immutable_rules_grant_beat_every_mutable_ban():
    game = sit()
    votes = game.review("Ann", nb.enact("Not Cleo.", law='forbid vote when player.name == "Cleo"'))
    leaves = game.review("Ann", nb.enact("Nobody leaves.", law="forbid forfeit when turn > 0"))
    for found, rule in ((votes, 105), (leaves, 113)):
        assert any(f"void at once: it contradicts rule {rule}" in str(one) for one in found.smells)
    law(game, 'forbid vote when player.name == "Cleo"\nforbid forfeit when turn > 0')
    assert put(game, nb.enact("More.")).outcome == "adopted"  # Cleo has voted
    game.forfeit("Cleo")
    assert "Cleo" not in game.state.playing


@pytest.mark.rule("discordian-nomic", 114)
@pytest.mark.parametrize(
    ("clauses", "outcome"),
    [
        ("forbid propose", "adopted"),  # and void
        ("forbid propose when turn > 9", "without effect"),
        ("forbid propose when turn > 9 and circuit % 2 == 0", "adopted"),
        ("forbid propose when 1 == 1", "without effect"),
        ('forbid propose when change.kind == "enact"', "adopted"),
        ("forbid propose when turn % 3 == 0", "adopted"),
        ("forbid propose when turn > 0", "without effect"),
        ("forbid propose when change.length > 0", "adopted"),
        ('forbid propose when not mentions(change, "please")', "adopted"),
        ("forbid propose when player.points < 50", "adopted"),
        ("forbid propose when player.points < 50\nforbid propose when turn % 3 == 0", "adopted"),
        ("forbid propose when change.title == none\nforbid propose when turn % 3 == 0", "adopted"),
        ("forbid propose when change.length > 0\nforbid propose when turn > 9", "without effect"),
        ('on part_begun when part == "throw": end part', "adopted"),
        ("set vote.quota to 9 while turn % 2 == 0\nprevails over 203", "adopted"),
    ],
)
def test_only_what_holds_in_every_case_makes_rule_changes_impossible(clauses, outcome):
    game = sit()
    proposal = put(game, nb.enact("So be it.", law=clauses))
    assert proposal.outcome == outcome


@pytest.mark.rule("discordian-nomic", 103)
def test_an_amendment_lifts_a_limit():
    game = sit()
    number = law(game, "forbid propose when change.length > 4")
    long = nb.enact("This is much too long.")
    with refused(game):
        game.propose("Ben", long)
    turn(game, nb.amend(number, "Free.", law=""))
    assert game.why("may.propose", long).value is True
