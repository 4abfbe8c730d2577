"""Every example that people are shown is adopted and played: play stops at none of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from docs.examples import NAMES, Example, adopted, found, played

import nomic_nb as nb
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.play.lawmaking import check_change


@pytest.mark.parametrize("example", found(), ids=lambda one: one.law[-50:])
@pytest.mark.slow
def test_an_example_is_played_and_play_goes_on(example):
    assert played(adopted(example)) == ""


def spoilt(law: str) -> Iterator[str]:
    """Yield a clause with slips in it."""
    last = law.splitlines()[-1]
    words = last.split(" ")
    yield " ".join(words[:-1])
    for at in {1, len(words) // 2}:
        yield " ".join([*words[:at], "zork", *words[at + 1 :]])
    yield last.replace(":", "", 1)


@cache
def shown_in_refusals(system: str) -> dict[str, str]:
    """Return the clauses that refusals show in a game, each with what was refused."""
    state, shown = nb.new_game(system, players=list(NAMES), seed=7).state, {}
    for one in found():
        for clause in spoilt(one.law):
            try:
                check_change(state, nb.enact("As it is.", clause))
            except LawError as error:
                shown.setdefault(error.example, clause)
            except LookupError:
                pass
    shown.pop("", None)
    return shown


@pytest.mark.parametrize("system", ["discordian-nomic", "nomic-chess"])
@pytest.mark.slow
def test_what_a_refusal_shows_can_be_adopted_in_this_very_game_and_played(system):
    shown = shown_in_refusals(system)
    assert len(shown) > 20
    known = {one.law for one in found()}
    stopped = {one: played(adopted(Example("a refusal", system, one)), turns=1) for one in shown if one not in known}
    assert {one: why for one, why in stopped.items() if why} == {}


@pytest.mark.parametrize(
    "clause",
    ["piece N moves", "on thrown: move points to player", 'on thrown: crown "Ann"', "on moved: award points"],
)
def test_no_refusal_shows_boards_in_a_game_without(clause):
    with pytest.raises(LawError) as refused:
        check_change(nb.new_game("discordian-nomic", players=list(NAMES), seed=7).state, nb.enact("So.", clause))
    assert refused.value.example in ("on turn_ended: award 5 points to player", "set vote.quota to 2 while circuit > 2")


def test_a_clause_on_boards_does_not_stop_play_where_there_are_none():
    game = adopted(Example("", "discordian-nomic", 'on turn_begun: crown square_named("white.d1").piece'))
    assert played(game) == ""
    assert any("does not happen, because this game has no boards" in one for one in game.history["what"])
