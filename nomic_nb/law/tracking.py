"""What is refused of clauses that track tables, and of places in them, before anyone votes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from nomic_nb.errors import LawError
from nomic_nb.law import clauses as c
from nomic_nb.law import values as v
from nomic_nb.law.likeness import likeness
from nomic_nb.law.nodes import Expression
from nomic_nb.law.tables import GAME, HELD, KEYED, MOST_KEYS, Shape, not_per, shape_of, too_many, written
from nomic_nb.law.types import Scope, such_as
from nomic_nb.law.vocabulary import Vocabulary


class Checks(Protocol):
    """Whoever reads clauses statically: a `Checker`, as far as it must be known here."""

    vocabulary: Vocabulary
    tables: Mapping[str, Shape]

    def word(self, word: str, message: str, *, found: str = "", expected: str = "") -> LawError:
        """Complain of a word that stands in what is being read."""

    def unknown(self, what: str, word: str, known: Iterable[str]) -> LawError:
        """Complain of a word that names nothing."""

    def scope(self, names: Mapping[str, v.Type]) -> Scope:
        """Return the scope of a clause."""

    def expect(self, expression: Expression, scope: Scope, wanted: v.Type, what: str) -> None:
        """Refuse an expression of another type."""

    def type_of(self, expression: Expression, scope: Scope) -> v.Type:
        """Return the type of an expression."""

    def about(self, expression: Expression, message: str, found: v.Type, expected: str) -> LawError:
        """Complain of an expression."""


def check_track(checker: Checks, clause: c.Track) -> None:
    """Read a clause that tracks a table."""
    things = [one.name for one in checker.vocabulary.records.values() if one.kept]
    for kind in clause.per:
        if kind not in (*things, *KEYED, GAME):
            raise checker.unknown("owner of counters called", kind, [*things, *KEYED, GAME])
    whole = GAME in clause.per
    if len(clause.per) > (1 if whole else MOST_KEYS):
        said = "what is kept per game has no other key" if whole else f"a table has {MOST_KEYS} keys at most"
        raise checker.word(clause.per[1], said, expected=f"track {clause.counter} per {clause.per[0]}")
    if clause.holds and clause.holds not in (*things, *HELD):
        raise checker.unknown("kind of value called", clause.holds, [*HELD, *things])
    shape = shape_of(clause)
    _check_name(checker, clause.counter, shape)
    known = checker.tables.get(clause.counter)
    if known is not None and known != shape:
        holds = "" if known.holds == shape.holds else f" as {known.holds.name}"
        hidden = "" if known.hidden == shape.hidden else (", hidden" if known.hidden else ", and not hidden")
        said = f"{clause.counter} is kept per {known.per}{holds} already{hidden}"
        raise checker.word(clause.counter, said, expected=f"per {known.per}{holds}{' hidden' if known.hidden else ''}")
    _check_start(checker, clause, shape)


def _check_start(checker: Checks, clause: c.Track, shape: Shape) -> None:
    """Refuse a start that is no value of the table."""
    what = f"where {clause.counter} starts" if clause.holds else "where a counter starts"
    if not clause.holds and clause.start.node.kind == "constant" and clause.start.node.value is None:
        said = f"what {clause.counter} holds is not said"
        raise checker.about(clause.start, said, v.NONE, "as KIND before from, such as: as player from none")
    checker.expect(clause.start, checker.scope(shape.bound()), shape.holds, what)


def _check_name(checker: Checks, name: str, shape: Shape) -> None:
    """Refuse a name that means something already, or looks the same as another."""
    words = checker.vocabulary
    fields = {one.name: kind for kind in shape.keys if kind in words.records for one in words.records[kind].fields}
    taken = name in words.functions or name in ("keys", "otherwise", *_EACH) or name in fields
    if taken or "." in name or (not shape.keys and name in words.facts):
        why = f", since each {fields[name]} has a {name} already" if name in fields else ""
        raise checker.word(name, f"{name} cannot name a counter{why}", expected="a word not yet in use")
    alike = [one for one in checker.tables if one != name and likeness(one) == likeness(name)]
    if alike:
        raise checker.word(name, f"{name} looks the same as {alike[0]}", expected="another word")


#: Words in front of a list that is gone through.
_EACH = ("any", "all", "count", "sum")


def check_cell(
    checker: Checks, name: str, keys: Sequence[Expression] | None, who: Expression | None, scope: Scope
) -> Shape:
    """Read a place in a table, as effects have it: ``NAME``, ``NAME of WHO``, ``NAME(EXPR, EXPR)``.

    Parameters
    ----------
    checker : Checks
        Who reads.
    name : str
        Of the table.
    keys : sequence of Expression, optional
        What stands in brackets.
    who : Expression, optional
        Whose entry it is, where that is said with ``of`` or ``to``; names of players and lists too.
    scope : Scope
        The names that it may use.
    """
    shape = checker.tables.get(name)
    found = None if who is None else checker.type_of(who, scope)
    kind = None if found is None else (found.item or found)
    if shape is None:
        wanted = GAME if found is None else kind.name if kind and kind.name in checker.vocabulary.records else "player"
        per = ", ".join(checker.type_of(one, scope).name for one in keys) if keys else wanted
        known = [one for one, other in checker.tables.items() if other.per == per]
        raise checker.word(name, f"no rule tracks {name} per {per}", expected=", ".join(known) or "a track clause")
    if keys is not None:
        _check_keys(checker, name, shape, keys, scope)
    elif who is None:
        if shape.keys:
            said = f"{name} is kept per {shape.per}"
            raise checker.word(name, said, expected=f"{name}({', '.join(shape.keys)})")
    elif kind is not None and found is not None:
        _check_owner(checker, name, shape, who, found)
    return shape


def _check_owner(checker: Checks, name: str, shape: Shape, who: Expression, found: v.Type) -> None:
    """Refuse an owner of another kind: it is one thing, several of them, or a player's name."""
    kind = found.item or found
    if len(shape.keys) == 2:
        raise checker.word(name, f"{name} is kept per {shape.per}: two in brackets", expected=f"{name}(…, …)")
    if shape.keys == ("player",) and found == v.TEXT:
        return
    wanted = v.Type(GAME) if not shape.keys else shape.type_of_key(0)
    if v.fits(kind, v.maybe(wanted)):
        return
    if shape.keys == ("player",):
        if kind.name in checker.vocabulary.records:
            raise checker.word(name, f"{name} is kept per player, not per {kind.name}", expected=f"{name} of player")
        raise checker.about(who, "players are needed here", found, "a player, players, or a name in quotes")
    said = f"{name} is kept per {shape.per}, not per {kind.name}"
    raise checker.word(name, said, expected=f"such as {written(name, shape)}")


def _check_keys(checker: Checks, name: str, shape: Shape, keys: Sequence[Expression], scope: Scope) -> None:
    """Refuse as many keys as there are not, and keys of another kind."""
    if len(keys) != len(shape.keys):
        said, expected = too_many(name, shape, len(keys))
        raise checker.word(name, said, expected=expected)
    for at, one in enumerate(keys):
        wanted = shape.type_of_key(at)
        found = checker.type_of(one, scope)
        if not v.fits(found, wanted):
            finder = such_as(wanted, found, checker.vocabulary).removeprefix(", ")
            said, expected = not_per(name, shape, found, finder)
            raise checker.about(one, said, found, expected)
