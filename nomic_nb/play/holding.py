"""Effects that hold others: on a condition, for each on a list, several as one."""

from __future__ import annotations

from typing import Any

from nomic_nb.law.places import Inner, Several, Value, Word
from nomic_nb.play.declaring import effect
from nomic_nb.play.engine import Engine


@effect(
    "when {condition}: {then}",
    example='when player.points < 0: announce player.name + " is in debt"',
    costs=0,
    condition=Value(),
    then=Inner(),
)
def _when(engine: Engine, effect: Any) -> None:
    """Do it only where that is so when its turn comes."""
    if engine.value(effect.condition):
        engine.go_into((effect.then,), (engine.item.env,))


@effect(
    "each {name} in {among} [when {condition}]: {then}",
    example="each p in playing when p.points < 0: award 1 points to p",
    name=Word(),
    among=Value(),
    condition=Value(),
    then=Inner(),
)
def _each(engine: Engine, effect: Any) -> None:
    """Do it for each on a list, one after another."""
    engine.go_into((effect.then,), engine.cases(effect.name, effect.among, effect.condition))


@effect(
    "({effects})",
    example="(put points of player at 0; end turn)",
    costs=0,
    effects=Several(),
)
def _together(engine: Engine, effect: Any) -> None:
    """Do several as one."""
    engine.go_into(effect.effects, (engine.item.env,))
