"""What hostile pieces attack, all squares at once: where a royal piece may not step."""

from __future__ import annotations

from functools import partial

from nomic_nb.multiverse.betza import Part
from nomic_nb.multiverse.filled import Filled
from nomic_nb.multiverse.geometry import each, union
from nomic_nb.multiverse.shifts import Free, shifts
from nomic_nb.multiverse.tables import Movement, Row


def together(foes: tuple[Movement, ...]) -> bool:
    """Tell whether what these attack can be had at once.

    It can where occupation before a square decides whether it is attacked, whatever stands on it: for all
    movements but those in several legs, or for pieces that have not moved.
    """
    return not any(foe.odd_attack or any(len(part.legs) > 1 for part in foe.notation.parts) for foe in foes)


class Threats:
    """The squares that pieces of these movements attack.

    Parameters
    ----------
    foes : tuple[Movement, ...]
        For which :func:`together` holds.

    Examples
    --------
    >>> from nomic_nb.multiverse.geometry import Geometry
    >>> from nomic_nb.multiverse.tables import compiled
    >>> board = Geometry(3, 3)
    >>> attacked = Threats((compiled("R", board),)).squares([0b1], 0b11)
    >>> [board.name(square) for square in range(9) if attacked >> square & 1]
    ['b1', 'a2', 'a3']
    """

    def __init__(self, foes: tuple[Movement, ...]) -> None:
        self._sets: list[tuple[int, list[Free]]] = []
        # What nothing can block is kept for whole sets of pieces.
        self._leapers: list[tuple[int, dict[int, int]]] = []
        # With whether its tables hold one mask: what is reached may be captured.
        self._singles: list[tuple[int, dict[int, list[Row]], bool]] = []
        for index, foe in enumerate(foes):
            shifted = shifts(foe)
            if shifted is not None and not shifted.blocked_captures:
                self._sets.append((index, shifted.captures))
            elif all(_leap(part) for part in foe.notation.parts):
                self._leapers.append((index, Filled(partial(_attacked, foe))))
            else:
                self._singles.append((index, foe.narrow, foe.plain))

    def squares(self, pieces: list[int], occupied: int) -> int:
        """Return the bits of all attacked squares, those of the pieces' own side among them.

        Parameters
        ----------
        pieces : list[int]
            Bitboards by class.
        occupied : int
        """
        found = 0
        for index, lanes in self._sets:
            bits = pieces[index]
            for sources, up, down in lanes:
                found |= (bits & sources) << up >> down
        for index, attacked in self._leapers:
            found |= attacked[pieces[index]]
        for index, rows, plain in self._singles:
            for _, touch, masks in rows[pieces[index]]:
                found |= masks[occupied & touch] if plain else masks[occupied & touch][1]
        return found


def _leap(part: Part) -> bool:
    leg = part.legs[0]
    return part.reach == 1 and not (leg.hop or leg.lame)


def _attacked(foe: Movement, pieces: int) -> int:
    return union(foe.targets(bit, 0, unmoved=False)[1] for bit in each(pieces))
