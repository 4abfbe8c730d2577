"""The case in which a term of the law is asked about, as players say it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.engine.errors import NotThere, WrongArgument
from nomic_nb.engine.law.changes import as_number
from nomic_nb.engine.law.values import Ref, Type, Value
from nomic_nb.engine.play.state import State
from nomic_nb.study.views.wording import wording


def case_of(state: State, key: str, given: Mapping[str, object]) -> dict[str, Value]:
    """Return a case for a key: players, armies and boards by name, rules by number, pieces by their squares.

    Raises
    ------
    KeyError
        The key's case has no such name, or there is no such player, army, rule …
    TypeError
        A value of another kind.
    """
    declared = state.law.vocabulary.keys[key]
    case = {**declared.case, **declared.may_know}
    for name in given:
        if name not in case:
            known = ", ".join(f"{one} ({kind})" for one, kind in case.items())
            raise NotThere(f"{key} is not asked by {name!r}; it is asked by {known or 'nothing'}")
    return {name: _value(state, name, case[name], one) for name, one in given.items()}


def _value(state: State, name: str, kind: Type, given: object) -> Value:
    if kind.name == "list" and kind.item is not None:
        if not isinstance(given, list | tuple):
            raise WrongArgument(f"{name} is a list; found {str(given)[:40]!r}")
        return tuple(_value(state, name, kind.item, one) for one in given)
    if given is None and kind.maybe:
        return None
    plain = {"text": str, "truth": bool, "number": int | Fraction}.get(kind.name)
    if plain is not None:
        if not isinstance(given, plain) or (kind.name == "number" and isinstance(given, bool)):
            raise WrongArgument(f"{name} is {kind.one}; found {str(given)[:40]!r}")
        return given
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise WrongArgument(f"{name} is {kind.one}, said by {wording('said_by')[kind.name]}; found {str(given)[:40]!r}")
    return Ref(kind.name, _found(state, kind.name, given))


def _found(state: State, kind: str, given: str | int) -> str | int:
    """Return the id of what is said in this way."""
    boards: Multiverse | None = state.position
    if kind == "rule":
        rule = state.rules.by_number.get(as_number(given))
        if rule is None:
            raise NotThere(state.rules.whereabouts(given))
        return rule.id
    if kind in ("square", "piece"):
        try:
            if boards is None:
                raise NotThere("there are no boards in this game")
            square = boards.name(*boards.square(str(given)))
        except MultiverseError as error:
            raise NotThere(str(error)) from None
        piece = boards.at(square)
        if kind == "piece" and piece is None:
            raise NotThere(f"there is no piece on {square}")
        return square if kind == "square" or piece is None else piece.id
    there: dict[str, Mapping[Any, object]] = {
        "player": state.players, "proposal": state.proposals, "judgment": state.judgments,
        "army": boards.armies if boards is not None else {}, "board": boards.boards if boards is not None else {},
    }  # fmt: skip
    if given not in there[kind]:
        raise NotThere(f"there is no {kind} {given!r}; there are {', '.join(map(str, there[kind])) or 'none'}")
    return given
