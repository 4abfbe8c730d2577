"""Hostile rules against every published rule: what comes of each is what the wording demands."""

import pytest
from probes.cabinet import CABINET
from probes.chess import CHESS
from probes.discordian import DISCORDIAN
from probes.github import GITHUB
from probes.sitting import numbered
from probes.table import fits, outcome, seen_without

import nomic_nb as nb

TABLES = {"discordian-nomic": DISCORDIAN, "cabinet-nomic": CABINET, "github-nomic": GITHUB, "nomic-chess": CHESS}
WORDS = {"defeated", "void", "asked", "refused", "works"}
PROBES = [(system, row) for system, table in TABLES.items() for row in table if row.look]


SHOWN = [
    pytest.param(system, row, marks=pytest.mark.rule(system, number), id=f"{system}/{number}-{row.name}")
    for system, row in PROBES
    for number in [numbered(system, row.rule)]
]


@pytest.mark.parametrize(("system", "row"), SHOWN)
@pytest.mark.slow
def test_what_comes_of_a_hostile_rule(system, row):
    came = outcome(system, row)
    assert fits(row.expected, came), f"{row.expected}, because {row.why}; what came: {came}"


@pytest.mark.slow
@pytest.mark.parametrize(("system", "row"), SHOWN)
def test_without_it_the_published_rule_is_seen_at_work(system, row):
    assert seen_without(system, row) == row.look.published


@pytest.mark.parametrize("system", TABLES)
def test_every_rule_has_a_row_and_every_row_a_rule(system):
    published = {
        rule.number for rule in nb.new_game(system, ["Ann", "Ben"]).rules if rule.tier in ("immutable", "mutable")
    }
    assert {numbered(system, row.rule) for row in TABLES[system]} == published


@pytest.mark.parametrize("system", TABLES)
def test_the_table_can_be_read(system):
    table = TABLES[system]
    assert len({(row.rule, row.name) for row in table}) == len(table)
    for row in table:
        assert row.why
        assert (row.look is None) == (row.clauses is None)
        assert row.look is None or set(row.expected.split(" or ")) <= WORDS
