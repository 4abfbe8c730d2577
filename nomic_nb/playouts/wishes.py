"""Rule-changes for players who want something and do not know what."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

from nomic_nb.game import Game
from nomic_nb.law.changes import Change, amend, enact, repeal, transmute
from nomic_nb.rulesets import library
from nomic_nb.rulesets.library import LibraryRule


@cache
def ready_made(*, boards: bool) -> tuple[LibraryRule, ...]:
    """Return the ready-made rules of the library as they are by themselves, by name.

    Parameters
    ----------
    boards : bool
        With those that are for games with boards only.
    """
    found = sorted(library.catalogue, key=lambda one: one.name)
    return tuple(one.rule for one in found if boards or not one.on_boards)


def wish(game: Game, dice: random.Random) -> Change:
    """Return a change that somebody might propose: out of the library, or something done to a rule.

    Parameters
    ----------
    game : Game
        Where it would be proposed; it is not touched.
    dice : random.Random
        Chooses.
    """
    made = _change(game, dice)
    position = game.state.position
    universes = [name for name, board in position.boards.items() if not board.half] if position is not None else []
    if universes and made.kind in ("enact", "repeal") and dice.random() < 0.4:
        return replace(made, universe=dice.choice(universes))
    return made


def _change(game: Game, dice: random.Random) -> Change:
    numbers = [rule.number for rule in game.rules]
    number = dice.choice(numbers)
    rule = dice.choice(ready_made(boards=game.state.position is not None))
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
