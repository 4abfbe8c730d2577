"""`let NAME be EXPR`: a value with a name, worked out once."""

from __future__ import annotations

from itertools import pairwise

import pytest
from play_helpers import law, scores, sit
from refusals import refused

from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.tables import TableShape
from nomic_nb.engine.play.vocabulary import language

#: Each value is used thrice in the next.
GROWING = "\n    ".join(["let a be turn", *(f"let {b} be {a} * {a} + {a}" for a, b in pairwise("abcdefg")), "g"])
COUNTERS = {"points": TableShape(("player",), v.NUMBER)}


def test_the_value_is_that_of_the_moment_at_which_it_is_named():
    game = sit()
    law(
        game,
        "on said:\n    let gain be player.points + 2\n    award gain points to player\n    award gain points to player",
    )
    before = scores(game)["Ann"]
    game.say("Ann", "go")
    assert scores(game)["Ann"] == before + 2 * (before + 2)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("let player be 3", "means-something"),
        ("let seats be 3", "means-something"),
        ("let n be 3; let n be 4", "means-something"),
        ("let n be 3; each n in playing: end turn", "means-something"),
        ("let otherwise be 3", "means-something"),
        ("let n be m + 1", "name-unknown"),
        ("let n be true; award n points to player", "kind-needed"),
        ("when turn > 2: let n be 3; award n points to player", "name-unknown"),
    ],
)
def test_a_name_that_hides_another_or_that_nothing_knows_is_refused(body, code):
    with refused(code):
        language().check_clauses(language().read_clauses(f"on turn_begun: {body}"), COUNTERS)


def test_a_set_clause_can_name_values_before_its_value():
    law = "set vote.quota to:\n    let n be count(seats)\n    let half be n / 2\n    half + 1 while half > 1"
    (line,) = language().read_clauses(law)
    (plain,) = language().read_clauses("set vote.quota to count(seats) / 2 + 1 while count(seats) / 2 > 1")
    assert (line.clause.value, line.clause.condition) == (plain.clause.value, plain.clause.condition)
    language().check_clauses([line], {})


@pytest.mark.parametrize(
    ("law", "code", "line"),
    [
        ("let proposal be 2\n    3", "means-something", 2),
        ("let seats be 2\n    3", "means-something", 2),
        ("let n be 2\n    let n be 3\n    n", "means-something", 3),
        ("let n be nonsense\n    5", "name-unused", 2), ("let n be 2\n    let m be n\n    n", "name-unused", 3),
        ("let n be 2\n    count([n for n in [1]])", "means-something", 2),
        ("let n be p.points\n    sum(n for p in playing)", "name-of-loop", 2),
        ("let n be foo\n    n", "name-unknown", 2),
        ('let n be "a"\n    n', "kind-needed", 3),
        ("let n be 3", "misplaced", 2),
        ("3", "misplaced", 2),
        (GROWING, "expression-has-too-many-parts", 9),
    ],
)  # fmt: skip
def test_a_name_before_a_value_that_cannot_be_is_refused_in_its_line(law, code, line):
    with refused(code) as caught:
        language().check_clauses(language().read_clauses(f"set vote.quota to:\n    {law}"), COUNTERS)
    assert caught.value.line == line
