"""Proposals and changes as things with fields: the same said of one at hand, of any, and of the rule it made."""

import string

import pytest
import refusals
from hypothesis import given
from hypothesis import strategies as st
from play_helpers import adopt, ballot, law, majority, open_up, refused, scores, sit

import nomic_nb as nb
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.subjects.proposal_facts import matches_anywhere


def test_what_can_be_said_without_a_proposal_is_its_field():
    words = language().vocabulary
    record = words.records["proposal"]
    fields = {one.name: one for one in record.fields}
    for name in record.alone:
        fact = words.facts[name]
        assert (fact.type, fact.meaning, fact.needs) == (fields[name].type, fields[name].meaning, ("proposal",))
    assert {"change", "target", "votes_for", "votes_against", "supporters", "opponents", "not_voted", "quota",
            "electorate", "movers"} <= set(record.alone)  # fmt: skip
    others = {one.name for one in words.facts.values() if "proposal" in one.needs and one.name not in record.alone}
    assert others.isdisjoint(fields)  # nothing is said twice


@pytest.mark.parametrize("said", ["", "proposal."])
def test_ballots_can_be_said_with_the_proposal_or_without(said):
    game = sit("Ann", "Ben", "Cleo", "Dee")
    majority(game)
    law(game, f"on vote_closed each p in {said}opponents when {said}votes_against < {said}quota: award 7 points to p")
    before = scores(game)
    game.propose(game.player, nb.enact("Hats are worn."))
    ballot(game, against=["Cleo"])
    assert scores(game)["Cleo"] - before["Cleo"] >= 7
    assert scores(game)["Dee"] == before["Dee"]


def test_a_rule_knows_the_proposal_that_made_it():
    game = sit("Ann", "Ben", "Cleo", "Dee")
    majority(game)
    law(game, "on enacted when rule.proposal != none and rule != this: award 3 points to rule.proposal.supporters")
    before = scores(game)
    proposer = game.player
    game.propose(proposer, nb.enact("Hats are worn."))
    ballot(game, against=["Dee"])
    gained = {name: now - before[name] for name, now in scores(game).items() if name not in (proposer, "Dee")}
    assert set(gained.values()) == {3}
    assert scores(game)["Dee"] - before["Dee"] == 10  # for its ballot against, and nothing for the rule


def test_the_initial_rules_were_made_by_no_proposal():
    game = sit()
    law(game, "track made per game from 0\non turn_ended: put made at count(r for r in rules if r.proposal != none)")
    assert game.state.tables["made"].value_at(()) == 1


def tried(game, change):
    with refused(game, "not-proposable") as caught:
        game.propose(game.player, change)
    return caught.value


@pytest.mark.parametrize(
    ("condition", "change"),
    [
        ("change.requires", nb.enact("Few rules.", law="require count(rules) < 90")),
        ('"said" in change.events', nb.enact("Say it.", law='on said when text == "x": award 1 points to player')),
        ('"points" in change.counters', nb.enact("Say it.", law='on said when text == "x": award 1 points to player')),
        ('"points" in change.counters', nb.enact("Rich.", law="forbid say when player.points > 5")),
        ('"points" in change.counters', nb.enact("Gone.", law='on counted when counter == "points": announce "!"')),
        ("change.title != none", nb.enact("Hats are worn.", title="Hats")),
        ('mentions(change, "h?ts")', nb.enact("Hats are worn.")),
        ('mentions(change, "hat*worn")', nb.enact("Hats are worn.")),
        ('mentions(change, "[a-h]ats")', nb.enact("Hats are worn.")),
        ("any(same(change, p.change) for p in proposals if p != proposal)", nb.enact("so  BE it.", title="Other")),
    ],
)
def test_limits_on_what_may_be_proposed(condition, change):
    game = sit()
    open_up(game, 103)
    adopt(game, nb.enact("So be it."))
    game.roll(game.player, 1)
    number = law(game, f"forbid propose when {condition}\nprevails over everything", "Not that.")
    assert tried(game, change).rule == number
    harmless = nb.enact("Nothing to see here.", law="set win.points to 90")
    assert game.propose(game.player, harmless).outcome == "open"


@pytest.mark.parametrize(
    "clause", ["set vote.quota to quota - 1", "set vote.electorate to [p for p in electorate if p.points > 0]"]
)
def test_a_term_is_not_set_from_the_fact_that_it_makes(clause):
    game = sit()
    with refusals.refused("key-set-in-circle"):
        game.propose(game.player, nb.enact("Less.", law=clause))


def test_movers_are_those_who_made_it_and_revised_it():
    game = sit("Ann", "Ben", "Cleo")
    open_up(game, 111)
    law(game, "set debate.final_form_by to seats\non adopted: award 5 points to movers\nprevails over everything")
    before, first = scores(game), game.player
    game.propose(first, nb.enact("Hats are worn."), debate=True)
    other = next(name for name in game.players if name != first)
    game.revise(other, nb.enact("Caps are worn."))
    game.call_vote(first)
    ballot(game)
    third = next(name for name in game.players if name not in (first, other))
    gained = {name: now - before[name] for name, now in scores(game).items()}
    assert gained[other] == 5
    assert gained[third] == 0


# letters that are looked for, against an oracle that goes through every place


def matches(text, pattern):
    """Whether a pattern of single letters, ?, *, [ab] and [!ab] fits at the beginning of a text."""
    if not pattern:
        return True
    if pattern[0] == "*":
        return any(matches(text[at:], pattern[1:]) for at in range(len(text) + 1))
    if not text:
        return False
    if pattern[0] == "[":
        said, _, rest = pattern[1:].partition("]")
        inside = said.removeprefix("!")
        few = range(ord(inside[0]), ord(inside[2]) + 1) if inside[1:2] == "-" else map(ord, inside)
        return (ord(text[0]) in few) is (said == inside) and matches(text[1:], rest)
    return pattern[0] in ("?", text[0]) and matches(text[1:], pattern[1:])


PIECES = st.sampled_from(["a", "b", "c", "?", "*", "[ab]", "[b-c]", "[?]", "[!ab]", "."])


@given(st.text("abc?.", max_size=12), st.lists(PIECES, max_size=7).map("".join))
def test_letters_are_found_wherever_they_are(text, pattern):
    expected = any(matches(text[at:], pattern) for at in range(len(text) + 1))
    assert matches_anywhere(text, pattern) is expected


@given(st.text(string.printable, max_size=30), st.text(string.printable, max_size=12))
def test_no_pattern_is_an_error(text, pattern):
    assert matches_anywhere(text, pattern) in (True, False)
    if not set("?*[") & set(pattern):
        assert matches_anywhere(text, pattern) is (pattern.casefold() in text.casefold())
