"""Every ready-made rule, as it is by itself, in every rule set: proposed, reviewed, adopted, and play goes on."""

import re

import pytest
from study.library.playing import ALL_SYSTEMS, Playing, rules

import nomic_nb as nb
from nomic_nb import library
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.notebook.panels.forms import fill_in_rule
from nomic_nb.notebook.panels.remedies import no_effect_data
from nomic_nb.study.review.applicable_rules import ApplicableRules, effect_on_rules_in_words, find_applicable_rule
from nomic_nb.study.review.remarks import draft_warnings

#: What brings points into a game that has none.
POINTS = (library.points_for_captures(), library.points_to_win(90))


@pytest.fixture(scope="module")
def begun():
    """A game of each system before the first proposal, and one with points where the system has none."""
    made = {system: Playing(system) for system in ALL_SYSTEMS}
    for system, playing in made.items():
        playing.until("propose" if system != "github-nomic" else "begin_turn")
    return made


def entry(name):
    return next(one for one in library.catalogue if one.name == name)


#: What has no effect in a system, and is not offered there: nobody throws a die, or nothing counts what it speaks of.
NOTHING = {
    "github-nomic": {"another_die", "unlucky_face"},
    "nomic-chess": {"another_die", "unlucky_face", "price_of_defeat", "points_to_win", "last_circuit"},
}


def tried_in(number, name):
    """A system in which a rule is tried before every change: one in which it has an effect, not the same for all."""
    systems = [
        one
        for one in ALL_SYSTEMS
        if name not in NOTHING.get(one, ()) and (one == "nomic-chess" or not entry(name).on_boards)
    ]
    return systems[number % len(systems)]


#: What the state of a game makes idle, so that a warning of it is true: at the beginning of these systems nobody
#: rolls, nobody holds the office, everyone has to agree anyway, or the same rule is there already.
TRUE_WARNINGS = {"veto_of_office", "cool_down", "extra_turn", "throw_or_take", "double_points"}
#: Kinds of warnings that say that a rule itself is made badly.
MADE_BADLY = {"destructive", "paradox", "seen-by-all", "too-early", "too-late"}


@pytest.mark.parametrize("system", ["discordian-nomic", "cabinet-nomic", "github-nomic"])
def test_no_ready_made_rule_warns_against_itself(begun, system):
    state, wrong = begun[system].game.state, {}
    for one in ApplicableRules(state):
        change = one.entry.rule.change(one.target)
        signs = draft_warnings(state, "Ann", change)[0]
        told = [sign.evidence for sign in signs if sign.kind in MADE_BADLY or sign.evidence.code.startswith("ballot")]
        told += [no_effect_data(state, "Ann", change, signs).get("reason", "")] * (one.entry.name not in TRUE_WARNINGS)
        if any(told):
            wrong[one.entry.name] = told
    assert wrong == {}


#: Each rule in two systems; the rest by `pytest -m fuzz`.
IN_SYSTEMS = [
    pytest.param(
        system, name, marks=() if system in (tried_in(number, name), tried_in(number + 1, name)) else pytest.mark.fuzz
    )
    for number, name in enumerate(rules())
    for system in ALL_SYSTEMS
]


@pytest.mark.parametrize(("system", "name"), IN_SYSTEMS)
@pytest.mark.slow
def test_proposed_reviewed_adopted_and_play_goes_on(begun, system, name):
    rule = rules()[name]
    playing = begun[system].forked()
    found = find_applicable_rule(calm_state(playing.game.state), entry(name))
    if found is None and system == "nomic-chess":
        for needed in POINTS:
            playing.law(needed)
        playing.until("propose")
        found = find_applicable_rule(calm_state(playing.game.state), entry(name))
    if found is None:
        assert entry(name).on_boards or name in NOTHING[system], "it is not offered"
        return
    assert name not in NOTHING.get(system, ())
    game, number = playing.game, found.target
    if number is not None and "which is immutable" in found.amends:
        number = playing.law(nb.transmute(number)).number
        playing.until("propose" if system != "github-nomic" else "begin_turn")
    review = game.review(game.player or "Ann", rule.change(number))
    assert review.error is None
    assert review.proposable is True
    playing.law(rule.change(number))
    assert any(one.title == rule.title for one in game.rules)
    assert not [one.number for one in game.rules if one.title == rule.title and one.id in game.state.rules.void]
    before = game.turn
    count = 7 if system == "discordian-nomic" else 4  # where a turn is one throw, effects show later
    playing.turns(count)
    assert not game.state.questions
    assert game.over or game.turn >= before + count - 1
    assert game.over == (game.winner is not None or bool(game.winners))


@pytest.mark.parametrize("system", [*ALL_SYSTEMS, "make-a-rule"])
@pytest.mark.slow
def test_what_is_offered_has_an_effect_and_says_what_it_amends(system):
    game = nb.new_game(system, ["Ann", "Ben"], seed=7)
    frame = game.library.frame
    assert len(frame) == len(game.library) > 60
    assert list(frame.columns) == ["subject", "title", "parameters", "amends"]
    for one in game.library:
        for number in re.findall(r"rule (\S+) “", one.amends):
            assert number in {str(rule.number) for rule in game.rules}
        target = f"Amends rule {one.target} “"
        assert one.amends.startswith(target) is (one.target is not None)
        assert fill_in_rule(game.state, one.entry.name, {})["amends"] == one.amends
        assert f"{one.entry.rule.title}. {one.amends}" in str(game.library)
    shown = game.library._repr_html_()
    assert all(one.amends in shown for one in game.library)


def test_what_a_rule_amends_is_what_the_law_says():
    said = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).library.frame["amends"]
    assert said["simple_majority"] == "Amends rule 203 “All must agree”."
    assert said["veto"] == "Amends rule 104 “Every proper proposal gets a vote”, which is immutable."
    assert said["extra_votes_for"] == "Takes precedence over rule 207 “One vote each”."
    assert said["tax"] == "Changes no rule in force."
    adding = library.LibraryRule("One more", "One more.", "set dice.sides to otherwise + 1")
    state = calm_state(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).state)
    assert effect_on_rules_in_words(state, adding, None) == "Adds to rule P4 “The die”."
    idle = library.LibraryRule("Fewer", "Fewer.", "set vote.quota to 1")
    assert effect_on_rules_in_words(state, idle, None) is None
    void = library.LibraryRule("No duty", "No duty.", "set vote.duty to false")
    assert effect_on_rules_in_words(state, void, None) is None


@pytest.mark.parametrize("name", rules())
def test_the_wording_is_for_people(name):
    rule = rules()[name]
    jargon = {key for key in language().vocabulary.keys if "." in key} | {"==", "this.", "//"}
    for said in (rule.title, rule.wording):
        assert not [one for one in jargon if one in said]
        assert not re.search(r"\b\w+_\w+\b", said)
        assert "  " not in said
        assert said[0].isupper() or said[0].isdigit()
    assert rule.wording.endswith(".")


@pytest.mark.parametrize("name", rules())
def test_what_goes_before_others_says_so(name):
    rule = rules()[name]
    assert ("takes precedence over all others" in rule.wording) == ("prevails over everything" in rule.law)


def test_the_catalogue():
    frame = nb.library.catalogue.frame
    assert len(frame) == len(nb.library.catalogue) == len(rules())
    assert list(frame.columns) == ["subject", "title", "wording", "parameters", "amends", "law"]
    assert set(frame.index) == set(nb.library.__all__) - {"LibraryRule", "catalogue", "search"}
    assert frame["title"].is_unique
    assert frame.loc["office", "parameters"] == "name='speaker', filled='rota', circuits=1, votes=2, pay=0"
    shown = nb.library.catalogue._repr_html_()
    assert all(title.replace("“", "") in shown.replace("“", "") for title in frame["title"])
    assert "tax(of_every=10)" in str(nb.library.catalogue)
