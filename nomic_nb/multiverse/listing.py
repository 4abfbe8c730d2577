"""Lists of legal moves put together from ready-made ones.

Where no royal piece is attacked and no piece of a class is held, what a piece may do depends on nothing but
which squares it sees are occupied, and which of the pieces it reaches are its own. For each of these cases
the list of moves is made once.
"""

from __future__ import annotations

from collections.abc import Callable

from nomic_nb.multiverse.generator import Generator
from nomic_nb.multiverse.masks import Special, View
from nomic_nb.multiverse.move import Move
from nomic_nb.multiverse.tables import Filled, Movement

#: Makes the moves of a class from an origin to targets, of which some are captures.
Maker = Callable[[int, int, int, int], list[Move]]


class _Reached(dict[int, list[Move]]):
    """The moves of one piece, by which of the pieces it reaches are its own."""

    __slots__ = ("bit", "index", "make", "quiet", "seen")

    def __init__(self, make: Maker, index: int, bit: int, quiet: int, seen: int) -> None:
        super().__init__()
        self.make = make
        self.index = index
        self.bit = bit
        self.quiet = quiet
        self.seen = seen

    def __missing__(self, own: int) -> list[Move]:
        captures = self.seen & ~own
        value = self[own] = self.make(self.index, self.bit, self.quiet | captures, captures)
        return value


#: (squares that matter, occupation -> (pieces it reaches, its moves))
_Piece = tuple[int, dict[int, tuple[int, _Reached]]]
_Class = dict[tuple[int, int], list[_Piece]]


class Lister:
    """Lists the legal moves of one side, as the same objects each time.

    Captured pieces are all that are not the mover's own: ``own`` and ``capturable`` of a view make up what
    is occupied and have nothing in common.

    Parameters
    ----------
    generator : Generator
    make : Callable[[int, int, int, int], list[Move]]
        From (class, origin, targets, those that are captures).
    special : Callable[[Special], list[Move]]
    """

    def __init__(self, generator: Generator, make: Maker, special: Callable[[Special], list[Move]]) -> None:
        self.generator = generator
        self._make = make
        self._special = special
        # For each class that is not royal: squares where it matters that a piece has not moved, and
        # (pieces, unmoved ones where it matters) -> what is ready for each.
        self._ready: list[tuple[int, _Class] | None] = []
        for index, force in enumerate(generator.forces):
            usual = force.movement.plain or force.movement.split
            self._ready.append(None if force.royal or not usual else self._class(index))

    def moves(self, view: View) -> list[Move]:
        """Return all legal moves."""
        generator = self.generator
        royals = generator.royals(view) if generator.check else 0
        if royals and (generator.odd_foes or royals & (royals - 1)):
            return self._from_masks(view)
        own, unmoved = view.own, view.unmoved
        occupied = own | view.capturable
        target, held, influences = generator.influences(view, royals, occupied)
        if target != generator.full:
            return self._from_masks(view)
        found: list[Move] = []
        safe = 0
        for index, bits in enumerate(view.mine):
            if not bits:
                continue
            ready = self._ready[index]
            if ready is not None and not bits & held:
                initial, pieces = ready
                for see, table in pieces[bits, bits & unmoved & initial]:
                    seen, lists = table[occupied & see]
                    found += lists[own & seen]
                continue
            for reach in generator.reaches(index, bits, view, occupied, royals, target, held, influences):
                found += self._make(*reach, reach[2] & occupied)
                if reach[1] == royals:
                    safe = reach[2]
        checked = bool(influences) and any(entry[0] for entry in influences)
        for special in generator.specials(view, occupied, royals, safe, checked=checked):
            found += self._special(special)
        return found

    def _from_masks(self, view: View) -> list[Move]:
        occupied = view.own | view.capturable
        reaches, specials = self.generator.legal(view)
        found: list[Move] = []
        for index, origin, targets in reaches:
            found += self._make(index, origin, targets, targets & occupied)
        for special in specials:
            found += self._special(special)
        return found

    def _class(self, index: int) -> tuple[int, _Class]:
        movement = self.generator.forces[index].movement
        later: dict[int, _Piece] = Filled(lambda bit: self._piece(movement, index, bit, unmoved=False))
        first = Filled(lambda bit: self._piece(movement, index, bit, unmoved=True)) if movement.initial else later

        def pieces(key: tuple[int, int]) -> list[_Piece]:
            bits, unmoved = key
            found = []
            while bits:
                bit = bits & -bits
                bits ^= bit
                found.append((first if bit & unmoved else later)[bit])
            return found

        return (self.generator.full if movement.initial else 0), Filled(pieces)

    def _piece(self, movement: Movement, index: int, bit: int, *, unmoved: bool) -> _Piece:
        touch, masks = (movement.first if unmoved else movement.table)[bit]
        full = self.generator.full
        see = touch
        for way in movement.ways(bit, unmoved=unmoved):
            see |= way.path.targets

        def reached(occupied: int) -> tuple[int, _Reached]:
            value = masks[occupied & touch]
            quiet, capture = (value, value) if movement.plain else value
            seen = capture & occupied
            return seen, _Reached(self._make, index, bit, quiet & full & ~occupied, seen)

        return see, Filled(reached)
