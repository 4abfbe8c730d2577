"""What is still to happen, in its order: a value like a tuple, to which things are added at no cost of its length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from nomic_nb.engine.play.pending import Item

#: Items, each with those after it, or those before it.
_Chain: TypeAlias = "tuple[Item, _Chain] | None"


def _each(chain: _Chain) -> Iterator[Item]:
    while chain is not None:
        yield chain[0]
        chain = chain[1]


class Agenda:
    """Items in the order in which they are to be done. It never changes; what is added, or taken, gives another.

    Parameters
    ----------
    items : iterable of Item
        First things first.
    """

    __slots__ = ("_back", "_front")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._front: _Chain = None
        self._back: _Chain = None  # the last comes first
        for item in items:
            self._back = (item, self._back)

    @classmethod
    def _of(cls, front: _Chain, back: _Chain) -> Agenda:
        new = object.__new__(cls)
        new._front, new._back = front, back
        return new

    def first(self, *items: Item) -> Agenda:
        """Return an agenda in which these come before everything else."""
        front = self._front
        for item in reversed(items):
            front = (item, front)
        return Agenda._of(front, self._back)

    def then(self, *items: Item) -> Agenda:
        """Return an agenda in which these come behind everything else."""
        back = self._back
        for item in items:
            back = (item, back)
        return Agenda._of(self._front, back)

    def taken(self) -> tuple[Item, Agenda]:
        """Return what is to be done first, and the rest.

        Raises
        ------
        IndexError
            There is nothing.
        """
        front, back = self._front, self._back
        if front is None:
            for item in _each(back):
                front = (item, front)
            back = None
        if front is None:
            raise IndexError("nothing is on the agenda")
        return front[0], Agenda._of(front[1], back)

    def __bool__(self) -> bool:
        return self._front is not None or self._back is not None

    def __iter__(self) -> Iterator[Item]:
        yield from _each(self._front)
        yield from reversed(tuple(_each(self._back)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Agenda) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # as little as a state

    def __repr__(self) -> str:
        return f"Agenda({list(self)!r})"
