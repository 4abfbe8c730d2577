"""Pieces, boards and armies, and what happens to them: moves, and squares passed by them."""

from __future__ import annotations

from nomic_nb.chess.multiverse.errors import PlacementError
from nomic_nb.chess.multiverse.geometry import Geometry
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.messages import Message, say


@frozen
class Piece:
    """A piece, which keeps its identity for the whole game.

    Attributes
    ----------
    id : int
        Its number; never used again for another.
    kind : str
        A letter, in lower case.
    army : str
        The army it is in now.
    board : str
        The board it stands on.
    square : int
        Its square there.
    home : str
        The board it started on.
    born : str
        The army it started in.
    moved : bool
    royal : bool | None
        None: as its kind is. True: a king that was designated. False: a dummy.
    """

    id: int
    kind: str
    army: str
    board: str
    square: int
    home: str
    born: str
    moved: bool = False
    royal: bool | None = None

    @property
    def place(self) -> tuple[str, int]:
        """The board it stands on, and its square there."""
        return self.board, self.square


#: How texts sign a piece that is royal whatever its kind, and one that is not.
ROYAL_BY_SIGN = {"": None, "!": True, "~": False}
SIGN_OF_ROYAL = {royal: sign for sign, royal in ROYAL_BY_SIGN.items()}


@frozen
class Board:
    """A half-board or a universe.

    Attributes
    ----------
    name : str
    geometry : Geometry
    half : bool
        It is played on only when joined with another half.
    """

    name: str
    geometry: Geometry
    half: bool = False


@frozen
class Passing:
    """A square just passed by a double step: until the law forgets it, the piece can be captured there."""

    board: str
    square: int
    piece: int


@frozen
class BoardMove:
    """A move in a multiverse.

    Attributes
    ----------
    piece : int
        The number of the piece that moves.
    army : str
    origin, target : tuple[str, int]
        Board and square.
    push : tuple[str, ...]
        The boards played on: two half-boards, or one universe.
    text : str
        As players write it: ``white.e2-white.e4``. Castling is written as the king's move; where the king could
        also just go there, as the king taking its partner: ``white.e1-white.h1``.
    promotion : str
    taken : tuple[int, ...]
        Numbers of captured pieces.
    partner : tuple[int, int] | None
        In castling, the other piece's number and its new square on the board of origin.
    passed : int
        The square that a double step went over, or -1.
    passing : bool
        Captures en passant.
    dropped : bool
        The piece comes from a hand: it begins where it ends.
    """

    piece: int
    army: str
    origin: tuple[str, int]
    target: tuple[str, int]
    push: tuple[str, ...]
    text: str
    promotion: str = ""
    taken: tuple[int, ...] = ()
    partner: tuple[int, int] | None = None
    passed: tuple[str, int] | None = None
    passing: bool = False
    dropped: bool = False

    def __str__(self) -> str:
        return self.text


#: Colours in the order in which armies take them; behind the last they begin again with the next mark.
COLOURS = ("white", "yellow", "green", "orange", "blue", "red", "violet", "brown")
#: The back rank from the owner's left: White's hand and Black's.
STARTING_HANDS = {"white": "rnbqkbnr", "black": "rnbkqbnr"}
#: Most marks, so most armies of one colour.
MARK_COUNT = 8


@frozen
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
            raise PlacementError(
                say(
                    "no-such-colour",
                    "an army’s colour must be one of {colours}, not {found!r}",
                    colours=", ".join(COLOURS),
                    found=self.colour,
                )
            )
        if self.hand not in STARTING_HANDS:
            raise PlacementError(
                say("no-such-hand", "an army’s hand must be 'white' or 'black', not {found!r}", found=self.hand)
            )
        if not 0 <= self.mark < MARK_COUNT:
            raise PlacementError(
                say(
                    "no-such-mark",
                    "an army’s mark must be from 0 to {last}, not {found!r}",
                    last=MARK_COUNT - 1,
                    found=self.mark,
                )
            )


def not_a_kind_message(kind: object) -> Message:
    """Return the message that a value is not a kind of piece."""
    return say("kind-not-a-letter", "a kind must be one letter from a to z, not {found!r}", found=kind)


def empty_square_message(square: str) -> Message:
    """Return the message that no piece stands on a square."""
    return say("no-piece-on-square", "there is no piece on {square}", square=square)


def army_colour_and_mark(number: int) -> tuple[str, int]:
    """Return an army's colour, and a mark that tells it from others of that colour, by its number from 0.

    Examples
    --------
    >>> army_colour_and_mark(0), army_colour_and_mark(7), army_colour_and_mark(8)
    (('white', 0), ('brown', 0), ('white', 1))
    """
    return COLOURS[number % len(COLOURS)], number // len(COLOURS)


#: Colour and mark of armies that are called after them, in their order: white and so on, then white2.
LIVERIES = {
    f"{colour}{mark + 1 if mark else ''}": (colour, mark)
    for colour, mark in map(army_colour_and_mark, range(len(COLOURS) * MARK_COUNT))
}
