"""Tables, as rules track them: what they are kept per, what they hold, and how an entry is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.hints import everyday_table
from nomic_nb.engine.messages import Message, say

#: Kinds of keys and values of tables, besides kinds of things.
KEYED, HELD = ("number", "text"), ("number", "truth", "text")
#: Kind of key of a number for the whole game.
GAME_KEY = "game"
#: Of a table per rule that is a criterion: whether the most goes first, or the least.
HIGHEST, LOWEST = "highest", "lowest"
#: Most keys of a table.
MOST_KEYS = 2


@frozen
class TableShape:
    """The kinds of keys and values of a table.

    Parameters
    ----------
    keys : tuple of str
        Kinds of keys; empty for one value for the game.
    holds : Type
        Kind of an entry.
    hidden : bool
        Whether only the owner of an entry sees it.
    """

    keys: tuple[str, ...]
    holds: v.Type
    hidden: bool = False

    @property
    def kinds_in_words(self) -> str:
        """The kinds of the entries' keys, such as “player” or “player, rule”; “game” if they have none."""
        return ", ".join(self.keys) or GAME_KEY

    @property
    def holds_numbers(self) -> bool:
        """Whether the entries of the table are numbers."""
        return self.holds.name == "number"

    def type_of_key(self, position: int) -> v.Type:
        """Return the type of an entry's key at a position, counted from 0."""
        return type_named(self.keys[position])

    def names_in_start(self) -> dict[str, v.Type]:
        """Return the names that the expression for an entry's starting value may use, with their types."""
        return {kind: v.Type(kind) for kind in self.keys if len(self.keys) == 1 and kind not in KEYED}


def direction_and_ranking_table(name: str) -> tuple[str, str]:
    """Split a criterion such as “highest weight” into direction and table's name; for others, two empty texts.

    Examples
    --------
    >>> direction_and_ranking_table("highest weight"), direction_and_ranking_table("newest")
    (('highest', 'weight'), ('', ''))
    """
    best, _, table = name.partition(" ")
    return (best, table) if best in (HIGHEST, LOWEST) and table else ("", "")


def tables_per_rule(tables: Mapping[str, TableShape]) -> tuple[str, ...]:
    """Return the names of the tables that hold a number for each rule."""
    return tuple(name for name, shape in tables.items() if shape.keys == ("rule",) and shape.holds_numbers)


def type_named(name: str) -> v.Type:
    """Return the type of a name such as “player” or “number”."""
    return {"number": v.NUMBER, "text": v.TEXT, "truth": v.TRUTH}.get(name) or v.Type(name)


def table_shape(track: c.TrackClause) -> TableShape:
    """Return the shape of the table that a ``track`` clause declares: its kinds of keys and what it holds."""
    keys = () if track.per == (GAME_KEY,) else track.per
    start = track.start.node.value if track.start.node.is_constant else 0
    holds = track.holds or {bool: "truth", str: "text"}.get(type(start), "number")
    kind = type_named(holds)
    return TableShape(keys, v.optional_type(kind) if start is None or holds not in HELD else kind, track.hidden)


def has_computed_start(track: c.TrackClause) -> bool:
    """Tell whether a table computes each entry's starting value from the thing that the entry is for."""
    return not track.start.constant and bool(table_shape(track).names_in_start())


def table_shapes(clauses: Iterable[c.Clause]) -> dict[str, TableShape]:
    """Return the shapes of tables by name, each from the first ``track`` clause for that name."""
    shapes = {}
    for clause in clauses:
        if isinstance(clause, c.TrackClause) and clause.counter not in shapes:
            shapes[clause.counter] = table_shape(clause)
    return shapes


def table_keys_message(name: str, shape: TableShape) -> Message:
    """Return the message that says what a table is kept per, such as “points is tracked per player”."""
    return say("kept-per", "{name} is tracked per {per}", name=name, per=shape.kinds_in_words)


def example_of_entry(name: str, shape: TableShape) -> str:
    """Return an example of how rules write an entry of a table, such as ``mud(piece.square)``.

    Examples
    --------
    >>> example_of_entry("mud", TableShape(("square",), v.NUMBER))
    'mud(piece.square)'
    """
    if not shape.keys:
        return f"game.{name}"
    keys = (everyday_table("keys").get(kind, f"{kind} {kind}").split()[at] for at, kind in enumerate(shape.keys))
    return f"{name}({', '.join(keys)})"
