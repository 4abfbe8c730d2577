"""Armies: their colour and mark, who controls them, where they are at home, and the array they set up."""

from __future__ import annotations

from dataclasses import dataclass

from nomic_nb.multiverse.errors import PlacementError

#: Colours in the order in which armies take them; behind the last they begin again with the next mark.
COLOURS = ("white", "yellow", "green", "orange", "blue", "red", "violet", "brown")
#: The back rank from the owner's left: White's hand and Black's.
HANDS = {"white": "rnbqkbnr", "black": "rnbkqbnr"}
#: Most marks, so most armies of one colour.
MARKS = 8


@dataclass(frozen=True, slots=True)
class Army:
    """A set of pieces that move together.

    Attributes
    ----------
    name : str
    controller : str
        Who moves it; armies of one controller do not check each other.
    home : str
        The board its ranks are counted on: its half-board, or its universe.
    colour : str
        One of :data:`COLOURS`.
    mark : int
        Tells armies of one colour apart; 0 is no mark.
    far : bool
        In a universe: it starts from the last rank and moves towards the first.
    hand : str
        ``white`` (queen left of the king) or ``black`` (queen right of it).

    Examples
    --------
    >>> Army("white", "Ann", "white").colour
    'white'
    """

    name: str
    controller: str
    home: str
    colour: str = "white"
    mark: int = 0
    far: bool = False
    hand: str = "white"

    def __post_init__(self) -> None:
        if self.colour not in COLOURS:
            raise PlacementError(f"the colour of an army is one of {', '.join(COLOURS)}; not {self.colour!r}")
        if self.hand not in HANDS:
            raise PlacementError(f"the hand of an army is 'white' or 'black', not {self.hand!r}")
        if not 0 <= self.mark < MARKS:
            raise PlacementError(f"the mark of an army is 0 to {MARKS - 1}, not {self.mark!r}")


def livery(number: int) -> tuple[str, int]:
    """Return colour and mark of an army by its place in the order, from 0.

    Examples
    --------
    >>> livery(0), livery(7), livery(8)
    (('white', 0), ('brown', 0), ('white', 1))
    """
    return COLOURS[number % len(COLOURS)], number // len(COLOURS)
