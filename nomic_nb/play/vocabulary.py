"""The vocabulary of play, put together, and the law language over it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from nomic_nb.law.language import Language
from nomic_nb.law.vocabulary import Vocabulary
from nomic_nb.play import (
    ballots,
    by_hand,
    changing,
    clock,
    duties,
    effects,
    facts,
    hosting,
    joining,
    judgment,
    lawmaking,
    lists,
    numbering,
    offering,
    points,
    polling,
    proposals,
    proposed,
    questions,
    saying,
    scopes,
    sealing,
    standstill,
    tables,
    throws,
    turns,
    votes,
    voting,
    winning,
    writing,
)  # fmt: skip
from nomic_nb.play.chess import (
    by_rule,
    entering,
    events,
    functions,
    keys,
    moving,
    records,
    setting_up,
)
from nomic_nb.play.chess import effects as moved
from nomic_nb.play.declaring import ACTIONS, EFFECTS, KINDS
from nomic_nb.play.foresight import forecasts, hunting, power, supposing, threats
from nomic_nb.rulesets.literate import known

#: What rules of play can be about, in the order in which the pages have it.
SUBJECTS = (
    winning,
    standstill,
    turns,
    duties,
    joining,
    numbering,
    proposals,
    proposed,
    supposing,
    ballots,
    voting,
    votes,
    lawmaking,
    scopes,
    changing,
    effects,
    points,
    writing,
    throws,
    sealing,
    polling,
    questions,
    judgment,
    saying,
    offering,
    by_hand,
    hosting,
    clock,
    setting_up,
    facts,
    lists,
    keys,
    records,
    functions,
    threats,
    hunting,
    power,
    forecasts,
    moved,
    entering,
    events,
    moving,
    by_rule,
)


def _all(what: str) -> list[Any]:
    """Return what the subjects have in their tables of this name; actions and events are in one list as it is."""
    declared: Mapping[str, list[Any]] = records.DECLARED if what == "FUNCTIONS" else {}
    return [one for each in SUBJECTS for one in (*getattr(each, what, ()), *declared.get(each.__name__, ()))]


@cache
def language() -> Language:
    """Return the law language as play speaks it; one for all games, so that clauses are read once."""
    order = [subject.__name__ for subject in SUBJECTS]
    return Language(
        Vocabulary.of(
            _all("KEYS"),
            _all("FACTS"),
            _all("FUNCTIONS"),
            _all("RECORDS"),
            (one for one in KINDS.values() if one.meaning),
            ACTIONS.values(),
            sorted(EFFECTS, key=lambda one: order.index(one.perform.__module__)),
            rulesets=known(),
            where=records.where_of,
            afterwards=supposing.afterwards,
            entry=tables.entry,
            keys_of=tables.keys_of,
        )
    )
