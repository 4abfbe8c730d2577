"""What may be proposed: precedence decides first, and a permission of lower standing opens nothing."""

import pytest
from play_helpers import law, put, refused, sit, turn, waiting_for

import nomic_nb as nb


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
    with refused(game, "not-proposable"):
        game.propose("Ben", long)
    turn(game, nb.amend(number, "Free.", law=""))
    assert game.why("may.propose", long).value is True


ABOUT_WORDS = (
    "change.length < 1",
    'not mentions(change, "please")',
    "change.title == none",
    "change.title == none and turn > 0",
    "not (change.length > 0)",
    "proposal.change.length < 1",
    'any(not mentions(one, "please") for one in [change])',
    "any(one.length < 1 for one in change.parts)",
    'not ("propose" in change.duties)',
    "change.ends == none",
    "change.keys_off_boards == []",
    "change.later == []",
)


@pytest.mark.rule("discordian-nomic", 103)
@pytest.mark.rule("discordian-nomic", 110)
@pytest.mark.parametrize("condition", ABOUT_WORDS)
def test_a_ban_on_words_does_not_apply_to_changes_without_words(condition):
    game = sit()
    number = law(game, f"forbid propose when {condition}")
    for change in (nb.repeal(number), nb.transmute(number), nb.transmute(112)):
        assert game.why("may.propose", change).value is True
    together = nb.together(nb.repeal(number), nb.transmute(112))
    assert put(game, together).outcome == "adopted"


@pytest.mark.rule("discordian-nomic", 103)
@pytest.mark.parametrize(
    "condition",
    [
        'any(one.kind == "repeal" for one in [change])',
        'any(one.kind == "repeal" for one in change.parts)',
        'any(one.kind == "repeal" for one in [proposal.change])',
        'change.scope == "everywhere"',
        "any(one.keys == [] for one in change.parts)",
    ],
)
def test_a_kind_of_change_that_is_named_in_a_roundabout_way_is_barred_no_more_than_by_its_name(condition):
    game = sit()
    number = law(game, f"forbid propose when {condition}")
    assert game.rules.void_reason(game.rules[number])
    assert game.why("may.propose", nb.repeal(number)).value is True


def test_what_a_ban_says_beside_words_still_applies_to_changes_without_words():
    game = sit()
    number = law(game, 'forbid propose when not mentions(change, "please") or turn == 2')
    assert game.why("may.propose", nb.repeal(number)).value is False
    assert game.why("may.propose", nb.enact("Please.")).value is False


def test_a_ban_on_the_words_of_other_proposals_applies_to_changes_without_words():
    game = sit()
    number = law(game, "forbid propose when any(one.change.length > 3 for one in proposals)")
    assert game.why("may.propose", nb.repeal(number)).value is True
    law(game, "", "This wording has more than three words.")
    assert game.why("may.propose", nb.repeal(number)).value is False


@pytest.mark.parametrize(
    ("change", "kind"),
    [(nb.amend(301, "Never."), "amend"), (nb.repeal(112), "repeal"), (nb.amend(112, "No."), "amend")],
)
def test_a_refused_change_is_not_listed_as_open(change, kind):
    game = sit()
    law(game, 'forbid propose when not mentions(change, "please") and not mentions(change, "…")')
    with refused(game, "not-proposable") as caught:
        game.propose("Ben", change)
    assert not [one for one in caught.value.options if one.startswith(kind)]
    if change.target == 301:
        assert caught.value.values["limit"].startswith("forbid propose when")
        assert "tier" not in caught.value.values
