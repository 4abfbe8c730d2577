"""Rule-changes for players who want something and do not know what."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from functools import cache

from nomic_nb.game import Game
from nomic_nb.law.changes import Change, amend, enact, repeal, transmute
from nomic_nb.rulesets import library
from nomic_nb.rulesets.library import LibraryRule


@cache
def ready_made() -> tuple[LibraryRule, ...]:
    """Return every ready-made rule of the library that needs no parameters."""
    made: list[LibraryRule] = []
    for name in sorted(vars(library)):
        maker: Callable[..., object] = vars(library)[name]
        if name.startswith("_") or not inspect.isfunction(maker) or inspect.signature(maker).return_annotation not in (
            LibraryRule, "LibraryRule",
        ):  # fmt: skip
            continue
        needed = [one for one in inspect.signature(maker).parameters.values() if one.default is one.empty]
        if not needed:
            rule = maker()
            assert isinstance(rule, LibraryRule)  # noqa: S101 - as it is annotated
            made.append(rule)
    return tuple(made)


def wish(game: Game, dice: random.Random) -> Change:
    """Return a change that somebody might propose: out of the library, or something done to a rule.

    Parameters
    ----------
    game : Game
        Where it would be proposed; it is not touched.
    dice : random.Random
        Chooses.
    """
    numbers = [rule.number for rule in game.rules]
    number = dice.choice(numbers)
    rule = dice.choice(ready_made())
    kind = dice.random()
    if kind < 0.45:
        return rule.change()
    if kind < 0.6:
        return rule.change(number)
    if kind < 0.7:
        return rule.change(number, add=True)
    if kind < 0.78:
        return repeal(number)
    if kind < 0.86:
        return transmute(number)
    if kind < 0.92:
        return amend(number, "As the players understand it.", law="")
    return enact("Everyone is to be kind to everyone.")
