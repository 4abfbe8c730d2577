"""What could stand next in an effect that is being written, by the form in which it is declared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from nomic_nb.law.choosing import UNITS, Span
from nomic_nb.law.forms import Form, Place
from nomic_nb.law.places import Cell, Counted, Flag, Owner, Players, Several, Word
from nomic_nb.panels.next_names import Names, compared


def in_effects(names: Names, begun: str) -> Iterator[tuple[str, str]]:
    """Yield what fits in the effects of a clause, the likeliest first.

    Parameters
    ----------
    names : Names
        What can be spoken of.
    begun : str
        The word that is begun.
    """
    said = re.split(r"[:;]", names.bare)[-1].lstrip(" (").split()
    forms = [one for one in names.known.effects.values() if not isinstance(next(iter(one.places.values())), Several)]
    if not said:
        yield from sorted((" ".join(one.begins), one.meaning) for one in forms)
        return
    fitting = [one for one in forms if tuple(said[: len(one.begins)]) == one.begins]
    for form in fitting:
        yield from _within(form, said, names)
    for form in forms:  # such as `enter` before `army`
        if len(said) < len(form.begins) and tuple(said) == form.begins[: len(said)]:
            yield form.begins[len(said)], form.meaning
    if not begun and (values := compared(names)):
        yield from ((f'"{value}"', "") for value in values)
    yield from names.named(begun)


class _Part(NamedTuple):
    """A part of a form: words that stand there, or a place; whether it can be left out."""

    words: tuple[str, ...]
    place: Place | None
    free: bool


def _parts(form: Form) -> Iterator[_Part]:
    free = False
    for part in re.findall(r"\{\w+\}|[\w|]+|[\[\]]", form.pattern):
        if part in ("[", "]"):
            free = part == "["
        elif not part.startswith("{"):
            yield _Part(tuple(part.split("|")), None, free)
        else:
            place = form.places[part[1:-1]]
            yield _Part((place.words,), None, True) if isinstance(place, Flag) else _Part((), place, free)


def _within(form: Form, said: list[str], names: Names) -> Iterator[tuple[str, str]]:
    """Yield the words of a form that come next, and what its next place takes."""
    parts, at, behind = list(_parts(form)), 0, len(said)
    for count, part in enumerate(parts, 1):
        there = next((one for one, word in enumerate(said) if len(said) - one <= behind and word in part.words), None)
        if there is not None:
            at, behind = count, len(said) - there - 1
    rest = parts[at:]
    place = rest[0].place if rest else None
    if place is not None and not behind:
        yield from _taken(place, names)
        return
    if place is not None:
        yield from _behind(place, names)
    for part in rest:
        yield from ((word, form.meaning) for word in part.words)
        if part.words and not part.free:
            return


def _taken(place: Place, names: Names) -> Iterator[tuple[str, str]]:
    """Yield what a place takes, as far as that is known."""
    if isinstance(place, Players | Owner):
        yield from names.people()
    elif isinstance(place, Cell):
        yield from names.counters()
    elif isinstance(place, Word):
        yield from ((word, "") for word in _choices(place, names))


def _behind(place: Place, names: Names) -> Iterator[tuple[str, str]]:
    """Yield what stands in a place behind its expression."""
    if isinstance(place, Counted):
        yield from names.counters()
    elif isinstance(place, Span):
        yield from ((unit, "") for unit in UNITS)


def _choices(place: Word, names: Names) -> tuple[str, ...]:
    """Return the words that a place takes, where they are few: those that are declared, actions, drafts of the rule."""
    if isinstance(place.known, tuple):
        return place.known
    if place.what.startswith("action"):
        return tuple(name for name, one in names.known.actions.items() if one.owed)
    return tuple(re.findall(r"^\s*draft (\w+)", names.law, re.MULTILINE))
