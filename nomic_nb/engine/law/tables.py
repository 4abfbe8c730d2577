"""Tables, as rules track them: what they are kept per, what they hold, and how an entry is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.hints import everyday
from nomic_nb.engine.messages import Message, say

#: What a table can be kept per, and hold, besides things that the law points at.
KEYED, HELD = ("number", "text"), ("number", "truth", "text")
#: What a number for the whole game is kept per.
GAME = "game"
#: Of a table per rule that is a criterion: whether the most goes first, or the least.
HIGHEST, LOWEST = "highest", "lowest"
#: Most keys of a table.
MOST_KEYS = 2


@frozen
class Shape:
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
        return ", ".join(self.keys) or GAME

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


def table_ranked(name: str) -> tuple[str, str]:
    """Return which goes first, and the table, where a criterion names one; nothing where it names none.

    Examples
    --------
    >>> table_ranked("highest weight"), table_ranked("newest")
    (('highest', 'weight'), ('', ''))
    """
    best, _, table = name.partition(" ")
    return (best, table) if best in (HIGHEST, LOWEST) and table else ("", "")


def per_rule(tables: Mapping[str, Shape]) -> tuple[str, ...]:
    """Return the tables by which rules can be ranked: of a number per rule."""
    return tuple(name for name, shape in tables.items() if shape.keys == ("rule",) and shape.counts)


def type_named(kind: str) -> v.Type:
    """Return the type of a kind of key, or of value."""
    return {"number": v.NUMBER, "text": v.TEXT, "truth": v.TRUTH}.get(kind) or v.Type(kind)


def shape_of(track: c.Track) -> Shape:
    """Return what a clause tracks: what it holds is said, or is what a constant start is; numbers otherwise."""
    keys = () if track.per == (GAME,) else track.per
    start = track.start.node.value if track.start.node.kind == "constant" else 0
    holds = track.holds or {bool: "truth", str: "text"}.get(type(start), "number")
    kind = type_named(holds)
    return Shape(keys, v.maybe(kind) if start is None or holds not in HELD else kind, track.hidden)


def reckoned(track: c.Track) -> bool:
    """Tell whether it is reckoned for each thing, when it comes, where its entry starts."""
    return not track.start.constant and bool(shape_of(track).bound())


def tracks(clauses: Iterable[c.Clause]) -> dict[str, Shape]:
    """Return the tables that clauses track, by name; the first clause that says so counts."""
    found: dict[str, Shape] = {}
    for one in clauses:
        if isinstance(one, c.Track) and one.counter not in found:
            found[one.counter] = shape_of(one)
    return found


def kept_per(name: str, shape: Shape) -> Message:
    """Say what a table has an entry for."""
    return say("kept-per", "{name} is kept per {per}", name=name, per=shape.per)


def written(name: str, shape: Shape) -> str:
    """Return an entry as it may be written.

    Examples
    --------
    >>> written("mud", Shape(("square",), v.NUMBER))
    'mud(piece.square)'
    """
    if not shape.keys:
        return f"game.{name}"
    keys = (everyday("keys").get(kind, f"{kind} {kind}").split()[at] for at, kind in enumerate(shape.keys))
    return f"{name}({', '.join(keys)})"
