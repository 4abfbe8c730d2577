"""The line of Python that does again what an event records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from typing import Any

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import changes
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.play.declarations import ACTIONS, COMMENT_ACTIONS, HOST_ACTIONS
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.game_setup import GameSetup
from nomic_nb.notebook.live.game_status import GameStatus
from nomic_nb.notebook.live.host import Host

#: How a cell gets the game that a panel has begun with the same names.
PLAY_AGAIN = "game = game.play_again()"
#: Beyond it, a call has a line for each of its arguments.
LONGEST_LINE = 88
#: Optional arguments that are clear enough without their name.
PLAIN_FIELDS = frozenset({"value"})


@frozen
class PythonSource:
    """An argument that is written already, such as a call of the library."""

    text: str


def python_literal(value: object, indent: int = 4) -> str:
    r"""Return a value as a Python literal; a text of several lines has one per line, `indent` blanks deep.

    Examples
    --------
    >>> print(python_literal("one\ntwo"))
    (
        'one\n'
        'two'
    )
    """
    if not isinstance(value, str) or "\n" not in value.strip("\n"):
        return repr(value)
    lines = "\n".join(f"{' ' * indent}{line!r}" for line in value.splitlines(keepends=True))
    return f"(\n{lines}\n{' ' * (indent - 4)})"


def python_call(
    name: str, plain: Iterable[object] = (), named: Mapping[str, object] | None = None, indent: int = 0
) -> str:
    """Return a call of a function with `plain` (positional) and `named` arguments, as Python source.

    Parameters
    ----------
    name : str
        Of the function; never anything that a player wrote.
    plain, named
        The arguments. A change is written as the Python that makes it.
    indent : int
        How far its lines are from the margin.

    Examples
    --------
    >>> print(python_call("game.say", ["Ann", "I say 'hello'"]))
    game.say('Ann', "I say 'hello'")
    """
    given = [("", argument) for argument in plain] + [(f"{key}=", value) for key, value in (named or {}).items()]

    def source(argument: object, indent: int) -> str:
        if isinstance(argument, PythonSource):
            return argument.text
        return (
            python_change_call(argument, indent)
            if isinstance(argument, Change)
            else python_literal(argument, indent + 4)
        )

    def arguments(indent: int) -> list[str]:
        return [key + source(argument, indent) for key, argument in given]

    flat = f"{name}({', '.join(arguments(indent))})"
    if len(flat) + indent <= LONGEST_LINE and "\n" not in flat:
        return flat
    lines = "".join(f"{' ' * (indent + 4)}{argument},\n" for argument in arguments(indent + 4))
    return f"{name}(\n{lines}{' ' * indent})"


def python_change_call(change: Change, indent: int = 0) -> str:
    """Return the Python call that makes a change, such as ``nb.repeal(206)``, to stand `indent` blanks deep.

    Examples
    --------
    >>> print(python_change_call(changes.amend(206, law="set defeat.points to -3")))
    nb.amend(206, law='set defeat.points to -3')
    """
    plain, named = _change_arguments(change)
    name = {"revise": "reword"}.get(change.kind, change.kind)
    maker = getattr(changes, name)
    try:
        same = maker(*plain, **named) == change
    except (TypeError, ValueError):
        same = False
    if same:
        return python_call(f"nb.{name}", plain, named, indent)
    # A record can hold a change that the makers write a little differently, such as one with blanks at its end.
    return python_call("nb.engine.law.changes.change_from_json", [change.to_json()], None, indent)


def _change_arguments(change: Change) -> tuple[list[object], dict[str, object]]:
    """Return the positional and the keyword arguments of the Python call that makes a change."""
    if change.parts:
        return list(change.parts), {"apart": True} if change.apart else {}
    concerned: dict[str, list[object]] = {"enact": [], "revise": [change.revises]}
    plain = concerned.get(change.kind, [[change.target, *change.also] if change.also else change.target])
    sentence = change.wording or ""
    usual = change.kind == "enact" and change == changes.enact(sentence, change.law or "", universe=change.universe)
    named = {
        "law": change.law, "universe": change.universe or None, "title": None if usual else change.title or None,
        "part": change.part, "add": change.add or None,
    }  # fmt: skip
    return (
        [*plain, *([] if change.wording is None else [change.wording])],
        {name: value for name, value in named.items() if value is not None},
    )


def python_new_game_call(setting: GameSetup, ruleset: str) -> str:
    """Return the Python call that begins a game with this setup and a rule set's name or file.

    Parameters
    ----------
    setting : Setting
        What was agreed before play.
    ruleset : str
        The name of the rule set, or of its file.
    """
    agreements = {"terms": dict(setting.terms), "order": list(setting.order), "medium": setting.medium}
    named = {
        "players": list(setting.players),
        "seed": setting.seed,
        **{what: value for what, value in agreements.items() if value},
    }
    return python_call("nb.new_game", [ruleset], named)


def python_event_call(event: Event) -> str:
    """Return the Python call that repeats the action recorded in an event, such as ``game.undo(5)``.

    Parameters
    ----------
    event : Event
        One that `Event.is_action` marks as done by somebody.

    Examples
    --------
    >>> print(python_event_call(Event(9, 1, 1, "throw", "Ann", "thrown", do="roll", details={"value": 4})))
    game.roll('Ann', 4)
    >>> print(python_event_call(Event(9, 1, 1, None, None, "undone", do="undo", details={"to": 5})))
    game.undo(5)
    """
    if event.do == "undo":
        return python_call("game.undo", [event.details["to"]])
    if event.do in HOST_ACTIONS:
        owner, name = (GameStatus, "game") if event.do in COMMENT_ACTIONS else (Host, "game.host")
        details = HOST_ACTIONS[event.do].from_record(event.details)
        return python_method_call(f"{name}.{event.do}", getattr(owner, event.do), [], details)
    details, method = ACTIONS[event.do].from_record(event.details), getattr(GameStatus, event.do, None)
    if event.kind == "attempted" or method is None or not signature(method).parameters.keys() >= details.keys():
        # What the law left open is asked about; `propose` and `roll` would say so with an error.
        return python_call("game.do", [event.actor, event.do], details)
    return python_method_call(f"game.{event.do}", method, [event.actor], details)


def python_method_call(
    name: str, method: Callable[..., object], first: list[object], details: Mapping[str, Any]
) -> str:
    """Return a method call as Python source: `first` as positional arguments, then an action's details."""
    plain, named = list(first), {}
    for key, parameter in signature(method).parameters.items():
        if key not in details or details[key] == parameter.default:
            continue
        optional = parameter.default is not parameter.empty
        if parameter.kind is parameter.KEYWORD_ONLY or (optional and key not in PLAIN_FIELDS):
            named[key] = details[key]
        else:
            plain.append(details[key])
    return python_call(name, plain, named)
