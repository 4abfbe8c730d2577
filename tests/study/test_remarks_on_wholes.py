"""What is odd about a whole: several changes in one, what rules make of it at once or later, another form."""

from __future__ import annotations

import re

import pytest
from panels.pages import Page
from play_helpers import law, majority, open_up, sit
from study.warned import draft_remarks

import nomic_nb as nb

FREE = {"win.points": 10**9}
HARMLESS = nb.enact("Tea is served.")
QUIET = 'draft soon: "Every third turn is quiet."\n  forbid propose when turn % 3 == 0\n'
ODD = [
    nb.enact("Twelve.", "set dissent.points to 12"),
    nb.enact("No leaving.", "forbid forfeit when turn > 4"),
    nb.enact("As it is.", "set dissent.points to 10 while turn > 5\nprevails over 204"),
    nb.enact("Yes and no.", "allow skip\nforbid skip"),
    nb.enact("Ann wins.", f'on enacted when rule == this: award {10**9} points to "Ann"'),
    nb.enact("Hush.", "forbid call_vote when turn > 5"),
    nb.enact("A dummy.", 'on turn_begun: enter player "Dum" as dummy'),
    nb.enact("Not every turn.", "forbid propose when turn % 3 == 0"),
    nb.enact("Stop.", 'on part_begun when part == "thrwo": end part'),
    nb.enact("For Zoe.", 'on adopted: award 5 points to "Zoe"'),
    nb.enact("The last word.", 'on vote_closed: cast "for" for "Ann"'),
    nb.enact("By itself.", QUIET + "on circuit_ended when circuit == 5: enact soon"),
    nb.repeal(203),
    nb.repeal(205),
    nb.repeal(208),
    nb.amend(203, "Two thirds.", "set vote.quota to 2/3"),
    nb.amend(208, "Fifty points win."),
    nb.amend(208, law="set win.points to 30"),
]


def voters_told(change, game=None):
    """The lines for those who vote, and see that the review has each of them."""
    game = game or sit(terms=FREE)
    signs = {_plain(one.statement_and_reason[0]) for one in game.review(game.player, change).warnings}
    found = {_plain(one.line) for one in game.propose(game.player, change).remarks}
    assert found <= signs
    return found


def writer_told(change):
    """The lines for whoever is writing it."""
    return {_plain(one.line) for one in draft_remarks(sit(terms=FREE).state, "Ann", change)}


def _plain(line):
    return re.sub(r"rule 30\d", "rule N", line)


@pytest.mark.parametrize("change", ODD, ids=[f"{at}" for at in range(len(ODD))])
@pytest.mark.slow
def test_a_harmless_change_beside_an_odd_one_hides_nothing(change):
    alone, written = voters_told(change), writer_told(change)
    assert alone
    for parts in ((HARMLESS, change), (change, HARMLESS)):
        assert voters_told(nb.together(*parts)) == alone
        assert writer_told(nb.together(*parts)) == written


def test_a_page_tells_what_is_odd_about_several_changes_that_are_made_together():
    game = sit()
    game.propose("Ann", nb.together(HARMLESS, nb.repeal(203)))
    (shown,) = Page(game, "Ben").table["proposals"].values()
    assert any("there would no longer be a rule for vote.quota" in line.lower() for line, _ in shown["odd"])
    assert "No problems found" not in game.proposals[301]._repr_html_()


@pytest.mark.parametrize(
    "parts",
    [
        (nb.repeal(203), nb.enact("Two.", "set vote.quota to 2")),
        (nb.repeal(205), nb.amend(204, law='set dissent.points to 10\nset change.effective to "vote closed"')),
        (nb.enact("Mud.", "track mud per player from 0"), nb.enact("More.", "on adopted: award 1 mud to mover")),
        (
            nb.enact("Heard.", 'on taken when text == "tea": award -1 points to player'),
            nb.enact("Offered.", 'offer "tea": announce "Milk?"'),
        ),
    ],
)
def test_what_one_part_makes_good_is_not_odd(parts):
    assert any(voters_told(one) for one in parts)
    assert voters_told(nb.together(*parts)) == set()


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        (
            (
                nb.enact("Sealed.", 'set vote.ballots to "sealed"'),
                nb.enact("Two?", 'offer "look" when any(q.votes_for > 1 for q in proposals): announce "Two."'),
            ),
            "ballots are sealed, but “offer",
        ),
        (
            (
                nb.enact("Five.", "set dissent.points to 5\nprevails over 204"),
                nb.enact("Six.", "set dissent.points to 6\nprevails over 204"),
            ),
            "“set dissent.points to 6” would have no effect",
        ),
        (
            (
                nb.enact("Mud.", "track mud per player from 0\n"
                         'on counted when counter == "points": award 1 mud to player'),
                nb.enact("Points.", 'on counted when counter == "mud": award 1 points to player'),
            ),
            "rule N triggers itself forever",
        ),
    ],
)  # fmt: skip
def test_parts_that_are_harmless_alone_are_odd_together(parts, line):
    assert not any(one.startswith(line) for part in parts if "mud" not in part.all_law for one in voters_told(part))
    assert any(one.startswith(line) for one in voters_told(nb.together(*parts)))


def test_changes_that_are_voted_on_one_by_one_are_odd_one_by_one():
    parts = nb.repeal(203), nb.enact("Two.", "set vote.quota to 2")
    apart = nb.together(*parts, apart=True)
    alone = {line for one in parts for line in writer_told(one)}
    assert alone
    assert writer_told(apart) == alone
    assert {_plain(one.statement_and_reason[0]) for one in sit(terms=FREE).review("Ann", apart).warnings} >= alone


# ------------------------------------------------------------------------- what comes of it later

DONE = "after “{}”, "
NOBODY = "nobody could propose while turn % 3 == 0"
NO_QUOTA = "there would no longer be a rule for vote.quota, to enact a rule"


@pytest.mark.parametrize(
    ("clauses", "line"),
    [
        (QUIET + "on enacted when rule == this: enact soon", NOBODY),
        (QUIET + "on circuit_ended when circuit == 5: enact soon", DONE.format("enact soon") + NOBODY),
        (QUIET + "on enacted when rule == this: after 5 turns: enact soon", DONE.format("enact soon") + NOBODY),
        (QUIET + 'offer "quiet": enact soon', DONE.format("enact soon") + NOBODY),
        (QUIET + "on circuit_ended: amend this by soon", DONE.format("amend this by soon") + NOBODY),
        (
            "on circuit_ended when circuit == 5: repeal rule_numbered(203)",
            DONE.format("repeal rule_numbered(203)") + NO_QUOTA,
        ),
        ("on turn_begun: void rule_numbered(203)", DONE.format("void rule_numbered(203)") + NO_QUOTA),
        ("on turn_begun: repeal rules", DONE.format("repeal rules") + "play would stop"),
        (
            'draft soon: "Soon."\n  on turn_begun: repeal rule_numbered(203)\non turn_begun: enact soon',
            DONE.format("enact soon") + DONE.format("repeal rule_numbered(203)") + NO_QUOTA,
        ),
    ],
)
def test_what_a_rule_makes_of_the_law_later_is_told_before_the_vote(clauses, line):
    change = nb.enact("So be it.", clauses)
    assert any(one.startswith(line) for one in voters_told(change))
    assert any(one.startswith((line, DONE.format("enact soon") + line)) for one in writer_told(change))


@pytest.mark.parametrize(
    "clauses",
    [
        (
            'draft soon: "Twelve from then on."\n  set dissent.points to 12\n  prevails over 204\n'
            "on circuit_ended when circuit == 5: enact soon"
        ),
        "on circuit_ended when circuit == 5: repeal rule_numbered(204)",
        "incorporate fide-chess",
    ],
)  # fmt: skip
def test_a_harmless_change_that_a_rule_makes_is_not_odd(clauses):
    assert voters_told(nb.enact("So be it.", clauses)) == set()


def test_another_form_of_a_proposal_is_as_odd_as_the_proposal_would_be():
    game = sit("Ann", "Ben", "Cleo", "Dee", terms=FREE)
    open_up(game, 103)
    majority(game)
    law(game, 'allow propose when change.kind == "revise"\nprevails over everything\n'
        'set vote.on_revision to "keep"\n'
        'on proposed when change.kind != "revise": oblige following(player) to propose')  # fmt: skip
    first = game.propose(game.player, nb.enact("Tea is served."))
    mover = next(one.player for one in game.pending if one.action == "propose")
    second = game.propose(mover, nb.reword(first.number, law="set dissent.points to 12"))
    line = f"if proposal {first.number} passes in this form, “set dissent.points to 12” would have no effect"
    assert [one.line for one in second.remarks] == [line]
    assert [one.line for one in draft_remarks(game.state, mover, second.change)] == [line]
