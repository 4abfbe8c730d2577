"""Every warning has a code of its own, an example in which it is found, and a line on the page of warnings."""

import inspect
import re

import pytest
from beginnings import new_game
from refusals import refused
from study.warned import codes, warned

import nomic_nb as nb
from nomic_nb.engine.errors import WrongArgument
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.study import reference
from nomic_nb.study.review.cases import number_of_change
from nomic_nb.study.review.checks import CHECKS, QUICK, find_warnings
from nomic_nb.study.review.dry_run import quick_dry_run
from nomic_nb.study.review.warnings.registry import COSTS, KINDS, WORTH


def example(one):
    """Return a new game, the change that an example of a check proposes in it, and its number, where it needs one."""
    said = inspect.getdoc(one.find).partition("Example: ")[2]
    system, number, written = re.fullmatch(r"(?:([a-z-]+)(?:, as (\d+))?: )?(nb\..*)", said).groups()
    names = ["Ann", "Ben"] if system == "nomic-chess" else ["Ann", "Ben", "Cleo", "Dan"]
    game = new_game(system or "discordian-nomic", names, seed=7)
    return game, eval(written, {"nb": nb}), number and int(number)  # noqa: S307


@pytest.mark.parametrize("one", CHECKS, ids=lambda one: one.code)
@pytest.mark.slow
def test_an_example_is_warned_of_unless_its_code_or_kind_is_switched_off(one):
    game, change, number = example(one)
    found = game.review("Ann", change, number).warnings
    assert (one.code, one.kind) in [(sign.code, sign.kind) for sign in found]
    for off in (one.code, [one.kind]):
        assert one.code not in codes(game.review("Ann", change, number, without=off))


@pytest.mark.parametrize("one", [one for one in CHECKS if one.code != "unreadable"], ids=lambda one: one.code)
def test_a_check_that_needs_no_trial_finds_its_example_at_once(one):
    game, change, number = example(one)
    base = calm_state(game.state)
    run = quick_dry_run(base, change, "Ann", number or number_of_change(base, change, "Ann"), steps=100_000)
    assert (one.code in [sign.code for sign in find_warnings(run, QUICK)]) is (one.cost != "try")


def test_codes_are_words_and_each_is_used_once():
    found = [one.code for one in CHECKS]
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", one) for one in found)
    assert len(set(found)) == len(found)
    assert {one.kind for one in CHECKS} == {*KINDS}
    assert {one.cost for one in CHECKS} == {*COSTS}
    assert {*WORTH} < {*KINDS}


def test_each_has_a_line_on_the_page_with_what_it_means_and_what_to_do():
    page = reference.read_page("warnings")
    assert page == reference.warnings_page(), "nomic-nb docs writes it again"
    for one in CHECKS:
        about, cure, _ = inspect.getdoc(one.find).split("\n\n")
        assert about.startswith("Warn that ")
        assert f"| `{one.code}` |" in page
        assert cure.split()[0] in page


def test_a_code_that_there_is_not_is_refused_with_those_that_there_are():
    game, change, _ = example(CHECKS[0])
    with refused("warning-unknown", WrongArgument, name="tense") as caught:
        game.review("Ann", change, without=["past", "tense"])
    assert "past" in caught.value.values["there"]


def test_remarks_leave_out_what_is_switched_off():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    remarks = game.propose("Ann", nb.enact("Fifty.", "set win.points to 40\nforbid call_vote when turn > 5")).remarks
    found = {sign.code for one in remarks for sign in one.signs}
    assert {"standstill", "no-difference"} <= found
    left = {sign.code for one in remarks.without("destructive", "past") for sign in one.signs}
    assert left == {sign.code for one in remarks for sign in one.signs if sign.kind != "destructive"}


def test_evidence_has_values_beside_its_sentence():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)
    found = game.review("Ann", nb.enact("Twelve.", "set dissent.points to 12"))
    assert warned(found, "always-defeated", clause="set dissent.points to 12", rule=204)
