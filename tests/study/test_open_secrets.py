"""What voters are told of secrets that are none: what goes into a hidden table, and is seen by all on its way."""

from __future__ import annotations

import pytest
from play_helpers import sit

import nomic_nb as nb

TABLES = """
track card per player as text from "none" hidden
track hand per player, text from 0 hidden
track mud per player from 0
"""


def remarks(clauses):
    return str(sit().propose("Ann", nb.enact("So be it.", law=TABLES + clauses)).remarks)


@pytest.mark.parametrize(
    ("clauses", "line"),
    [
        (
            'on turn_begun: let player choose x from ["owl", "fox"]; put card of player at x',
            "card is hidden, and what is chosen as x is not",
        ),
        (
            'on turn_begun: let chance choose x from ["owl", "fox"]; award 1 hand(player, x)',
            "hand is hidden, and what is drawn as x is not",
        ),
        (
            'on turn_begun: roll 1 of 6 as x; award x hand(player, "owl")',
            "hand is hidden, and what is thrown as x is not",
        ),
        (
            'on turn_begun: let chance choose x from ["owl", "fox"]; when x == "owl": (award 1 hand(player, "owl"))',
            "hand is hidden, and what is drawn as x is not",
        ),
        (
            'on turn_begun: let player choose some xs from ["owl", "fox"]; each x in xs: award 1 hand(player, x)',
            "hand is hidden, and what is chosen as xs is not",
        ),
        (
            'on turn_begun: let seats choose x from ["owl"] in secret; each p in who(x, "owl"): put card of p at "owl"',
            "card is hidden, and what is answered as x is not",
        ),
    ],
)  # fmt: skip
def test_what_is_chosen_or_drawn_into_a_hidden_table_is_told(clauses, line):
    assert line in remarks(clauses)


@pytest.mark.parametrize(
    "clauses",
    [
        'on turn_begun: put card of player at "owl"',
        "on turn_begun: let player choose x from [1, 2]; award x mud to player",
        'on turn_begun: put card of player at "owl"; let player choose x from [1, 2]; award x mud to player',
        'on turn_begun: let player choose x from [1, 2]; award x mud to player; put card of player at "owl"',
        'on turn_begun: let player choose x from ["owl", "fox"]; open hand(player, x)',
        'on turn_begun: (each x in ["owl"]: award 1 hand(player, x)); roll 1 of 6 as x; award x mud to player',
    ],
)
def test_what_stays_out_of_hidden_tables_is_not(clauses):
    assert "hidden" not in remarks(clauses)


def test_what_voters_are_told_is_so():
    game = sit()
    game.propose(
        "Ann",
        nb.enact(
            "So be it.", law=TABLES + 'on turn_begun: let player choose x from ["owl", "fox"]; put card of player at x'
        ),
    )
    for voter in ("Ann", "Ben", "Cleo"):
        game.vote(voter, "for")
    game.roll("Ann", 1)
    game.choose("Ben", "fox")
    assert "Ben chooses fox" in list(game.history["what"])
