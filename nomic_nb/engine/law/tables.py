"""Tables, as rules track them: what they are kept per, what they hold, and how an entry is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.hints import everyday_words
from nomic_nb.engine.messages import Message, say

#: What a table can be kept per, and hold, besides things that the law points at.
KEYED, HELD = ("number", "text"), ("number", "truth", "text")
#: What a number for the whole game is kept per.
GAME_KEY = "game"
#: Of a table per rule that is a criterion: whether the most goes first, or the least.
HIGHEST, LOWEST = "highest", "lowest"
#: Most keys of a table.
MOST_KEYS = 2


@frozen
class TableShape:
    """What a table is kept per, and what it holds.

    Parameters
    ----------
    keys : tuple of str
        Kinds of keys; none where it is one value for the game.
    holds : Type
        What an entry is.
    hidden : bool
        Whether only the owner of an entry sees it.
    """

    keys: tuple[str, ...]
    holds: v.Type
    hidden: bool = False

    @property
    def per(self) -> str:
        """What it is kept per, for people."""
        return ", ".join(self.keys) or GAME_KEY

    @property
    def counts(self) -> bool:
        """Whether it holds numbers."""
        return self.holds.name == "number"

    def type_of_key(self, at: int) -> v.Type:
        """Return the type of one of its keys."""
        return type_named(self.keys[at])

    def bound(self) -> dict[str, v.Type]:
        """Return the names under which its start knows the key: one that is a thing, and not several."""
        return {kind: v.Type(kind) for kind in self.keys if len(self.keys) == 1 and kind not in KEYED}


def ranking_table(name: str) -> tuple[str, str]:
    """Return which goes first, and the table, where a criterion names one; nothing where it names none.

    Examples
    --------
    >>> ranking_table("highest weight"), ranking_table("newest")
    (('highest', 'weight'), ('', ''))
    """
    best, _, table = name.partition(" ")
    return (best, table) if best in (HIGHEST, LOWEST) and table else ("", "")


def tables_per_rule(tables: Mapping[str, TableShape]) -> tuple[str, ...]:
    """Return the tables by which rules can be ranked: of a number per rule."""
    return tuple(name for name, shape in tables.items() if shape.keys == ("rule",) and shape.counts)


def type_named(kind: str) -> v.Type:
    """Return the type of a kind of key, or of value."""
    return {"number": v.NUMBER, "text": v.TEXT, "truth": v.TRUTH}.get(kind) or v.Type(kind)


def table_shape(track: c.TrackClause) -> TableShape:
    """Return what a clause tracks: what it holds is said, or is what a constant start is; numbers otherwise."""
    keys = () if track.per == (GAME_KEY,) else track.per
    start = track.start.node.value if track.start.node.is_constant else 0
    holds = track.holds or {bool: "truth", str: "text"}.get(type(start), "number")
    kind = type_named(holds)
    return TableShape(keys, v.optional_type(kind) if start is None or holds not in HELD else kind, track.hidden)


def is_reckoned(track: c.TrackClause) -> bool:
    """Tell whether it is reckoned for each thing, when it comes, where its entry starts."""
    return not track.start.constant and bool(table_shape(track).bound())


def tracked_tables(clauses: Iterable[c.Clause]) -> dict[str, TableShape]:
    """Return the tables that clauses track, by name; the first clause that says so counts."""
    found: dict[str, TableShape] = {}
    for one in clauses:
        if isinstance(one, c.TrackClause) and one.counter not in found:
            found[one.counter] = table_shape(one)
    return found


def describe_keys(name: str, shape: TableShape) -> Message:
    """Say what a table has an entry for."""
    return say("kept-per", "{name} is kept per {per}", name=name, per=shape.per)


def entry_as_written(name: str, shape: TableShape) -> str:
    """Return an entry as it may be written.

    Examples
    --------
    >>> entry_as_written("mud", TableShape(("square",), v.NUMBER))
    'mud(piece.square)'
    """
    if not shape.keys:
        return f"game.{name}"
    keys = (everyday_words("keys").get(kind, f"{kind} {kind}").split()[at] for at, kind in enumerate(shape.keys))
    return f"{name}({', '.join(keys)})"
