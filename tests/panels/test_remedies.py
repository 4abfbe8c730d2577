"""What is said of a change that would have no effect, while it is written, and what would have it."""

from __future__ import annotations

import pytest
from panels.pages import Page
from play_helpers import adopt, sit

import nomic_nb as nb
from nomic_nb.notebook.panels.forms import read_change_data

FIFTY = "set win.points to 50"


def ask(change, system="discordian-nomic", game=None):
    """What a page is told of a change that is being written."""
    page = Page(game or sit(system=system), "Ann")
    return page.send({"id": "q", "ask": "change", "details": {"change": change.to_json()}})


def test_a_clause_that_another_rule_overrides_can_be_put_into_that_rule():
    answer = ask(nb.enact("Fifty points win.", FIFTY))
    assert answer["reason"] == "Rule 208 would override this, because rule 208 has the lower number (rule 211)."
    assert answer["remedy"]["text"] == "Amend rule 208 instead"
    assert read_change_data(answer["remedy"]["change"]) == nb.amend(208, "Fifty points win.", FIFTY)


def test_the_remedy_works():
    game = sit()
    remedy = ask(nb.enact("Fifty points win.", FIFTY), game=game)["remedy"]
    adopt(game, read_change_data(remedy["change"]))
    assert game.state.find("win.points").value == 50


def test_a_rule_that_says_more_keeps_its_wording_and_its_other_clauses():
    change = ask(nb.enact("Twelve.", "set dissent.points to 12"))["remedy"]["change"]
    assert change == {
        "kind": "amend", "target": 204,
        "law": "set dissent.points to 12\non adopted: award dissent.points to opponents",
    }  # fmt: skip


def test_several_clauses_can_take_precedence():
    answer = ask(nb.enact("Both.", f"{FIFTY}\nset dissent.points to 12"))
    assert answer["reason"].startswith("Rule 208 would override “set win.points to 50”, because ")
    assert answer["remedy"]["text"] == "Let it take precedence over rules 208 and 204"
    assert answer["remedy"]["change"]["law"].endswith("\nprevails over 208\nprevails over 204")


def test_an_immutable_rule_leaves_no_remedy():
    answer = ask(nb.enact("Seven.", "set win.winners to [p for p in playing if p.points >= 7]"))
    assert answer["reason"] == (
        "Rule 112 would override this, because an immutable rule beats a mutable rule (rule 110)."
    )
    assert answer["remedy"] is None


def test_an_amendment_of_the_wording_alone_can_change_the_number_in_the_clause():
    answer = ask(nb.amend(208, "Fifty points win."))
    assert answer["reason"] == "Its wording says 50, but no clause does: “set win.points to 100”."
    assert answer["remedy"] == {
        "text": f"Change the clause to “{FIFTY}”",
        "change": {"kind": "amend", "target": 208, "wording": "Fifty points win.", "law": FIFTY},
    }


def test_a_penalty_stays_a_penalty():
    remedy = ask(nb.amend(206, "Players lose 20 points."))["remedy"]
    assert remedy["text"] == "Change the clause to “set defeat.points to -20”"
    assert "set defeat.points to -20\n" in f"{remedy['change']['law']}\n"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (nb.enact("Be kind."), "It has no clauses, so players apply it themselves."),
        (nb.amend(208, law=""), "It removes the clauses, so from then on players apply it themselves."),
        (nb.amend(208, "Points win."), "Only the wording changes, not the clauses: “set win.points to 100”."),
        (
            nb.amend(208, law="set win.points to 100"),
            "Rule 208 would say the same as before; only its number would change, to 301.",
        ),
    ],
)
def test_there_is_a_reason_even_without_a_remedy(change, reason):
    answer = ask(change)
    assert (answer["reason"], answer["remedy"]) == (reason, None)


@pytest.mark.parametrize(
    "change",
    [
        nb.amend(208, "Fifty points win.", FIFTY),
        nb.repeal(206),
        nb.enact("Adopted?", "on adopted: award 5 points to proponent"),
        nb.together(nb.repeal(206), nb.enact("Be kind.")),
    ],
)
def test_nothing_is_said_of_a_change_with_an_effect(change):
    assert ask(change).keys().isdisjoint(("reason", "remedy"))


def test_a_title_that_was_given_is_kept():
    change = ask(nb.enact("Fifty points win.", FIFTY, title="Half as many"))["remedy"]["change"]
    assert change["title"] == "Half as many"
