"""The mark beside each rule: the game keeps it, the game asks people, or people keep it; found from its clauses."""

from __future__ import annotations

import pytest
from play_helpers import put, sit

import nomic_nb as nb
from nomic_nb.notebook.panels.view_model import ViewModels
from nomic_nb.study.views.enforcement import enforcers_of_rule

WORDS = "As it says."
GAME, PEOPLE = "● game", "○ people"


@pytest.fixture(scope="module")
def seated():
    return sit()


def marks(game, law, wording=WORDS):
    """The marks of a rule with these clauses, once it is adopted in a fork."""
    fork = game.fork()
    assert put(fork, nb.enact(wording, law=law)).outcome == "adopted"
    return [str(one) for one in enforcers_of_rule(fork.rules[301])]


@pytest.mark.parametrize(
    "law",
    [
        "set throw.points to 0 while face == 6",
        "forbid say when turn > 90",
        "require count(rules) < 100",
        "on adopted: award 1 points to proponent",
        'on adopted: let chance choose omen from ["owl", "fox"]; announce omen',
        "track coins per player from 0",
        'offer "rest" when player.points > 9: award -5 points to player',
        "instead of won: end turn",
        "on turn_ended: after 2 turns: award 1 points to player",
    ],
)
def test_what_needs_nobody_is_kept_by_the_game(seated, law):
    assert marks(seated, law) == [GAME]


@pytest.mark.parametrize(
    ("law", "asked"),
    [
        ('on deed when name == "cheating": award -1 points to player', "to report"),
        ('on said when text == "Nomic!": award 1 points to player', "to say"),
        ('on turn_ended: let seats choose verdict from ["yes", "no"] asking "Was it kind?"', "to answer"),
        ("on turn_ended: when turn > 3: (let player choose foe from players; award -1 points to foe)", "to answer"),
        ('forbid propose when not for_people("it is polite")', "what is so"),
        ("set judge.chosen_by to proponent\nprevails over 212", "to judge"),
        ('on turn_begun when now.weekday == "Monday": award 1 points to player', "for the time"),
        ("on day_begun: award 1 points to seats", "for the time"),
        ('on turn_begun: after 2 days: announce "Late."', "for the time"),
        ("on turn_ended: award 1 points to [p for p in seats if p.idle < 2]", "for the time"),
    ],
)  # fmt: skip
def test_what_the_game_cannot_know_people_are_asked_for(seated, law, asked):
    if "judge" in law:
        law = law.replace("proponent", "none")
    assert marks(seated, law) == [f"◐ asks people {asked}"]


def test_words_alone_are_for_people(seated):
    assert marks(seated, "", "Everybody is kind.") == [PEOPLE]
    assert marks(seated, "prevails over 203", "Everybody is kind.") == [PEOPLE]


def test_a_rule_that_has_both_says_both(seated):
    law = 'set win.points to min([otherwise, 90])\non deed when name == "cheating": award -1 points to player'
    assert marks(seated, law) == [GAME, "◐ asks people to report"]
    law = 'on said when text == "No." and now.hour > 12: let player choose foe from players; award -1 points to foe'
    assert marks(seated, law) == ["◐ asks people to say, to answer and for the time"]


def test_what_is_sealed_is_asked_for(seated):
    law = 'track keeper per text as player from none hidden\non turn_ended: let player seal keeper("hat") from players'
    assert marks(seated, law) == [GAME, "◐ asks people to answer"]


def test_an_amendment_in_words_beside_clauses_is_for_people(seated):
    fork = seated.fork()
    put(fork, nb.amend(208, "Whoever wins says thanks.", law="", add=True))
    assert [str(one) for one in enforcers_of_rule(fork.rules[301 if 301 in fork.rules else 208])] == [GAME, PEOPLE]


def test_what_a_rule_set_says_of_its_rules(seated):
    said = {one.number: [str(mark) for mark in enforcers_of_rule(one)] for one in seated.rules}
    assert said[106] == [GAME]  # without a clause: the kit keeps it
    assert said[101] == [GAME, PEOPLE]
    assert said[210] == [PEOPLE]
    assert said[212] == [GAME, "◐ asks people to judge"]


def test_the_marks_stand_wherever_the_law_book_is_shown(seated):
    fork = seated.fork()
    put(
        fork,
        nb.enact("Whoever cheats loses a point.", law='on deed when name == "cheating": award -1 points to player'),
    )
    mark = "◐ asks people to report"
    assert f"301. Whoever cheats loses a point {mark}" in str(fork.rules)
    assert str(fork.rules[301]).splitlines()[0].endswith(f"(mutable) {mark}")
    assert mark in fork.rules._repr_html_()
    assert mark in fork.rules[301]._repr_html_()
    assert mark in fork.law_book()
    assert mark in fork.to_markdown()
    rules = ViewModels(fork).current_view().table["law"]["rules"]
    assert rules["301"]["kept"] == [mark]
    assert rules["210"]["kept"] == [PEOPLE]


def test_a_rule_that_is_void_is_kept_by_nobody(seated):
    fork = seated.fork()
    put(fork, nb.enact("No duty.", law="set vote.duty to false"))
    assert "301. No duty [void" in str(fork.rules)
    assert GAME not in str(fork.rules[301])
