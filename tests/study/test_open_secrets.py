"""What voters are told of secrets that are none: what goes into a hidden table, and is seen by all on its way."""

from __future__ import annotations

import pytest
from play_helpers import sit
from study.warned import told, warned

import nomic_nb as nb

TABLES = """
track card per player as text from "none" hidden
track hand per player, text from 0 hidden
track mud per player from 0
"""


def remarks(clauses):
    return sit().propose("Ann", nb.enact("So be it.", law=TABLES + clauses)).remarks


@pytest.mark.parametrize(
    ("clauses", "table", "how", "name"),
    [
        (
            'on turn_begun: let player choose x from ["owl", "fox"]; put card of player at x',
            "card", "chosen", "x",
        ),
        (
            'on turn_begun: let chance choose x from ["owl", "fox"]; award 1 hand(player, x)',
            "hand", "drawn", "x",
        ),
        (
            'on turn_begun: roll 1 of 6 as x; award x hand(player, "owl")',
            "hand", "thrown", "x",
        ),
        (
            'on turn_begun: let chance choose x from ["owl", "fox"]; when x == "owl": (award 1 hand(player, "owl"))',
            "hand", "drawn", "x",
        ),
        (
            'on turn_begun: let player choose some xs from ["owl", "fox"]; each x in xs: award 1 hand(player, x)',
            "hand", "chosen", "xs",
        ),
        (
            'on turn_begun: let seats choose x from ["owl"] in secret; each p in who(x, "owl"): put card of p at "owl"',
            "card", "answered", "x",
        ),
    ],
)  # fmt: skip
def test_what_is_chosen_or_drawn_into_a_hidden_table_is_told(clauses, table, how, name):
    assert warned(remarks(clauses), "value-told", table=table, told=how, name=name)


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
    assert told(remarks(clauses), "seen-by-all") == []


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
