"""Betza notation: a piece's movement as text, read into parts and legs.

A *part* is one atom with what is written before it (``fmW``). A part has one *leg*, or several joined by
``a`` ("again"). Whatever is not understood is refused with its letter and column.

The reading is XBoard's where readers of the notation differ: ``fK`` and ``fQ`` name one direction (``fhK``
three), ``i`` is a piece that has not moved. ``nZ`` is Fairy-Stockfish's: two squares can block it, as the elephant
of Janggi.

The eight directions of a step form a ring, clockwise from straight ahead. Turning by one place is
45 degrees for orthogonal and diagonal steps (a wazir step becomes a ferz step) and the next move of the
ring for oblique ones.

Sources: R. Betza's funny notation; H. G. Muller's description of it for XBoard ("Betza 2.0").
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from nomic_nb.chess.multiverse.errors import NotationError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.messages import Message, say

# ------------------------------------------------------------------------------------- the atoms of Betza notation


#: Steps are (files to the right, ranks forward).
Vector = tuple[int, int]


@frozen
class Atom:
    """One atom of Betza notation: a capital letter such as N or W.

    Attributes
    ----------
    letter : str
    long, short : int
        The step: squares along its longer and its shorter side.
    family : str
        ``orthogonal``, ``diagonal``, ``oblique``, ``royal`` (orthogonal and diagonal) or ``universal``.
    reach : int
        How often the step is repeated where no number says it; 0 is without limit.
    """

    letter: str
    long: int
    short: int
    family: str
    reach: int

    @property
    def directions(self) -> tuple[int, ...]:
        """The directions taken when none is written, as indexes (0 to 7) into `steps`."""
        return FAMILY_DIRECTIONS[self.family]

    @property
    def steps(self) -> tuple[Vector, ...]:
        """The ring of eight steps as (files right, ranks forward), clockwise; an atom uses those in `directions`."""
        return ring_steps(self.long, self.short)


#: Letter, the step's longer and shorter side, family, how often it is repeated.
_ATOMS = """
W 1 0 orthogonal 1
F 1 1 diagonal 1
D 2 0 orthogonal 1
N 2 1 oblique 1
A 2 2 diagonal 1
H 3 0 orthogonal 1
C 3 1 oblique 1
L 3 1 oblique 1
Z 3 2 oblique 1
J 3 2 oblique 1
G 3 3 diagonal 1
R 1 0 orthogonal 0
B 1 1 diagonal 0
Q 1 0 royal 0
K 1 0 royal 1
U 0 0 universal 1
"""
ATOMS = {
    letter: Atom(letter, int(long), int(short), family, int(reach))
    for letter, long, short, family, reach in map(str.split, _ATOMS.strip().splitlines())
}
#: Places in the ring that a family has when no direction is written.
FAMILY_DIRECTIONS = {
    "orthogonal": (0, 2, 4, 6), "diagonal": (1, 3, 5, 7), "oblique": tuple(range(8)), "royal": tuple(range(8)),
    "universal": (0,),
}  # fmt: skip


@cache
def ring_steps(long: int, short: int) -> tuple[Vector, ...]:
    """Return a (long, short) leaper's eight steps, as (files right, ranks forward), clockwise from straight ahead.

    Orthogonal and diagonal steps of one size share a ring and alternate: (1, 0) and (1, 1) both give a king's steps.

    Examples
    --------
    >>> ring_steps(1, 0)[:3]
    ((0, 1), (1, 1), (1, 0))
    >>> ring_steps(2, 1)[:3]
    ((1, 2), (2, 1), (2, -1))
    """
    if short in (0, long):
        size = long
        quarter: tuple[Vector, Vector] = ((0, size), (size, size))
    else:
        quarter = ((short, long), (long, short))
    steps: list[Vector] = []
    for _ in range(4):
        steps.extend(quarter)
        quarter = ((quarter[0][1], -quarter[0][0]), (quarter[1][1], -quarter[1][0]))
    return tuple(steps)


_CORNERS = " rf1 fr1 rb3 br3 lb5 bl5 lf7 fl7"
_STRAIGHT = "f0 ff0 r2 rr2 b4 bb4 l6 ll6 v04 s26"
#: For each family, what a direction of one or two letters names: letters, then places in the ring.
DIRECTIONS: dict[str, dict[str, tuple[int, ...]]] = {
    family: {name.rstrip("01234567"): tuple(int(digit) for digit in name if digit.isdigit()) for name in names.split()}
    for family, names in {
        "orthogonal": _STRAIGHT,
        "diagonal": "f17 ff17 r13 rr13 b35 bb35 l57 ll57 v1357 s1357" + _CORNERS,
        "oblique": "f07 ff07 r12 rr12 b34 bb34 l56 ll56 v0347 s1256 rf0 fr1 br2 rb3 lb4 bl5 fl6 lf7 fs16 bs25 rv03 lv47"
        " fh0167 rh0123 bh2345 lh4567 hr0246 hl1357",
        "royal": _STRAIGHT + _CORNERS + " fs17 bs35 rv13 lv57 fh017 rh123 bh345 lh567",
        "universal": "",
    }.items()
}


def blocking_squares(vector: Vector) -> tuple[Vector, ...]:
    """Return the squares that can block a lame leap by `vector`, as (files right, ranks forward).

    A leap goes straight along its longer side until the rest is diagonal, then diagonally: the Chinese horse, and
    the elephant of Janggi (Fairy-Stockfish's reading).

    Examples
    --------
    >>> blocking_squares((1, 2)), blocking_squares((0, 3)), blocking_squares((3, 2)), blocking_squares((1, 1))
    (((0, 1),), ((0, 1), (0, 2)), ((1, 0), (2, 1)), ())
    """
    dx, dy = vector
    long, short = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    sign_x, sign_y = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    squares = []
    for step in range(1, long):
        across = max(0, step - (long - short))
        right, ahead = (step, across) if abs(dx) == long else (across, step)
        squares.append((sign_x * right, sign_y * ahead))
    return tuple(squares)


# -------------------------------------------------------------------------------------------------- betza notation


#: Longest notation that is read, in letters.
MAX_LENGTH = 120
#: Most legs that one part may have.
MAX_LEGS = 5
#: About how many ways a piece may have gone before the last legs of its moves, all parts together: legs multiply them.
MAX_WAYS = 400
#: Most steps in one direction: of a piece that goes without limit, over the largest board.
_FARTHEST = 15

_DIRECTION_LETTERS = "fblrvsh"
_MODIFIERS = "mcdetpgonjyi"
_HINTS = {
    "-": say("movement-chain-without-a", "write a chain of legs with 'a', as in 'afsW'"),
    "(": say("movement-with-round-brackets", "brackets aren’t supported; write a chain of legs with 'a'"),
    "[": say(
        "movement-with-square-brackets",
        "brackets aren’t supported; write a bent rider with 'a' and 'y', as in 'FyafsF'",
    ),
    "@": say("movement-drops-from-hand", "drops from hand aren’t supported"),
    "q": say("movement-circular-rider", "circular riders aren’t supported"),
    "z": say("movement-crooked-rider", "crooked riders aren’t supported; write a zigzag as legs with 'a'"),
    "u": say("movement-unloads", "unloading isn’t supported"),
    "x": say("movement-letter-x", "'x' isn’t supported"),
    "k": say("movement-letter-k", "'k' isn’t supported; use 't' to spare royal pieces"),
    "X": say("movement-extended-atom", "extended atoms aren’t supported; join leaps with 'a', as in 'mpafN'"),
    "I": say("movement-imitator", "imitators aren’t supported"),
    " ": say("movement-with-spaces", "a notation can’t contain spaces"),
}


@frozen
class Leg:
    """One stretch of a move, in one direction.

    Attributes
    ----------
    directions : tuple[int, ...]
        Places in the ring of steps: seen from the piece's own side in the first leg, relative to the leg
        before in later ones.
    modes : str
        What the leg may end on: ``m`` an empty square, ``c`` a piece to capture, ``d`` a piece of its own side that it
        captures, ``e`` a square passed by a double step; in a leg before the last also ``p`` a piece that
        is passed over.
    hop : str
        ``p`` or ``g`` in the last leg: over exactly one piece, landing anywhere or just behind.
    lame : str
        ``n`` blocked by pieces in between, ``j`` needs one there (or, for a slider, skips its first square).
    tame : bool
        The last leg never captures a royal piece.
    friendly : bool
        Hops over its own side's pieces only.
    toggle : bool
        Slider and leaper are exchanged for the legs that follow.
    wrap : bool
        Goes round the side edges of the board.
    same : bool
        As many steps as the leg before.
    turned : bool
        Directions were written, not supplied.
    """

    directions: tuple[int, ...]
    modes: str
    hop: str
    lame: str
    tame: bool
    friendly: bool
    toggle: bool
    wrap: bool
    same: bool
    turned: bool

    def reach_of_next_leg(self, reach: int) -> int:
        """Return the most steps of the next leg (0: no limit), given this leg's (`reach`): the same unless `toggle`."""
        return (1 if reach != 1 else 0) if self.toggle else reach


@frozen
class NotationPart:
    """One atom with its modifiers.

    Attributes
    ----------
    atom : Atom
    reach : int
        Most repetitions of the step in one leg; 0 is without limit.
    legs : tuple[Leg, ...]
    initial : bool
        Only for a piece that has not moved.
    text : str
        As it was written.
    """

    atom: Atom
    reach: int
    legs: tuple[Leg, ...]
    initial: bool
    text: str


@frozen
class Castling:
    """The atom ``O``: the king's steps towards a corner, whose piece then jumps over it.

    Attributes
    ----------
    steps : int
    sides : str
        ``l``, ``r`` or ``lr``, seen from the owner.
    """

    steps: int
    sides: str


@frozen
class Notation:
    """A whole movement, as read from its text.

    Attributes
    ----------
    text : str
    parts : tuple[Part, ...]
    castlings : tuple[Castling, ...]
    """

    text: str
    parts: tuple[NotationPart, ...]
    castlings: tuple[Castling, ...]

    def __str__(self) -> str:
        return self.text


def castling_steps(text: str, *, mirrored: bool) -> list[tuple[int, int]]:
    """Return a king's castlings, from its Betza text, as (steps, 1 or -1 for towards higher or lower files).

    Parameters
    ----------
    text : str
        The king's movement; without the atom ``O`` it castles by two steps to either side.
    mirrored : bool
        Whether the king's right is towards lower files.

    Examples
    --------
    >>> castling_steps("KrO3", mirrored=False), castling_steps("K", mirrored=False)
    ([(3, 1)], [(2, 1), (2, -1)])
    """
    return [
        (plan.steps, toward)
        for plan in parse_betza(text).castlings or (Castling(2, "lr"),)
        for toward in (1, -1)
        if ("l" if (toward > 0) == mirrored else "r") in plan.sides
    ]


def _estimate_walk_count(part: NotationPart) -> int:
    """Estimate in how many ways a piece can walk all legs of a part but the last; 0 if the part has only one leg."""
    ways, reach = 1, part.reach
    for leg in part.legs[:-1]:
        stops = min(reach or _FARTHEST, _FARTHEST) if "m" in leg.modes else 1
        ways *= len(leg.directions) * stops
        reach = leg.reach_of_next_leg(reach)
    return ways if len(part.legs) > 1 else 0


@lru_cache(maxsize=1024)
def parse_betza(text: str) -> Notation:
    """Parse a movement in Betza notation.

    Parameters
    ----------
    text : str
        Betza notation, for example ``"fmWfceFifmnD"``.

    Returns
    -------
    Notation

    Raises
    ------
    NotationError
        Where a letter is not understood; it names letter and column.

    Examples
    --------
    >>> [part.text for part in parse_betza("fmWfceFifmnD").parts]
    ['fmW', 'fceF', 'ifmnD']
    >>> parse_betza("NX")
    Traceback (most recent call last):
    ...
    nomic_nb.chess.multiverse.errors.NotationError: extended atoms aren’t supported; ... (letter 'X', column 2 of 'NX')
    """
    if not isinstance(text, str):
        raise TypeError(f"a movement is text in Betza notation, not {type(text).__name__}")
    if not text:
        raise NotationError(say("movement-empty", "a movement needs at least one atom, such as 'N'"), text, 1)
    if len(text) > MAX_LENGTH:
        raise NotationError(
            say("movement-too-long", "a movement can have at most {most} letters", most=MAX_LENGTH),
            text,
            MAX_LENGTH + 1,
        )
    return _NotationReader(text).read()


@dataclass(slots=True)
class _LegDraft:
    """The modifiers of one leg as they are read, each with its column."""

    directions: list[tuple[str, int]]
    marks: dict[str, int]
    column: int


class _NotationReader:
    """Reader of one movement in Betza notation."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, message: Message, column: int | None = None) -> NotationError:
        """Return (not raise) an error with this message, at a column or else where the reader is."""
        return NotationError(message, self.text, self.at + 1 if column is None else column)

    def read(self) -> Notation:
        """Read the whole text as a movement."""
        parts = []
        castlings = []
        while self.at < len(self.text):
            start = self.at
            drafts = self._read_drafts()
            if self.text[self.at] == "O":
                castlings.append(self._read_castling(drafts))
            else:
                parts.append(self._read_part(drafts, start))
                if sum(map(_estimate_walk_count, parts)) > MAX_WAYS:
                    raise self.fail(
                        say(
                            "movement-with-too-many-ways",
                            "its legs allow more than {most} ways to move. Use fewer legs, fewer directions or a range",
                            most=MAX_WAYS,
                        ),
                        start + 1,
                    )
        return Notation(self.text, tuple(parts), tuple(castlings))

    def _read_drafts(self) -> list[_LegDraft]:
        """Read the letters before an atom, as the modifiers of each leg (``a`` begins another leg)."""
        drafts = [_LegDraft([], {}, self.at + 1)]
        while self.at < len(self.text):
            letter = self.text[self.at]
            if letter in ATOMS or letter == "O":
                return drafts
            if letter == "a":
                drafts.append(_LegDraft([], {}, self.at + 2))
                if len(drafts) > MAX_LEGS:
                    raise self.fail(
                        say("movement-with-too-many-legs", "a move can have at most {most} legs", most=MAX_LEGS)
                    )
            elif letter in _DIRECTION_LETTERS:
                drafts[-1].directions.append((letter, self.at + 1))
            elif letter in _MODIFIERS:
                if letter in drafts[-1].marks:
                    raise self.fail(
                        say(
                            "movement-letter-twice",
                            "'{letter}' appears twice in the same leg; once is enough",
                            letter=letter,
                        )
                    )
                drafts[-1].marks[letter] = self.at + 1
            elif letter.isdigit():
                raise self.fail(say("movement-range-without-atom", "a range must come after an atom, as in 'R4'"))
            else:
                unknown = say(
                    "movement-atom-unknown", "there is no such atom; the atoms are {atoms} and O", atoms="".join(ATOMS)
                )
                raise self.fail(_HINTS.get(letter, unknown))
            self.at += 1
        raise self.fail(
            say("movement-modifiers-without-atom", "these modifiers need an atom after them, such as W, F or N")
        )

    def _read_number(self) -> int | None:
        """Read a number of steps if one is written here; else return None."""
        rest = self.text[self.at :]
        digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
        if len(digits) > 2 or (len(digits) > 1 and digits[0] == "0"):
            raise self.fail(say("movement-range-too-high", "a range must be 0 (no limit) or a number up to 99"))
        self.at += len(digits)
        return int(digits) if digits else None

    def _read_part(self, drafts: list[_LegDraft], start: int) -> NotationPart:
        """Read an atom and its range, and make a part of them and `drafts`; its text begins at `start`."""
        atom = ATOMS[self.text[self.at]]
        column = self.at + 1
        doubled = self.text.startswith(atom.letter, column)
        self.at += 1 + doubled
        number_column = self.at + 1
        number = self._read_number()
        if atom.family == "universal" and (doubled or number is not None):
            raise self.fail(say("movement-universal-atom-doubled", "U already reaches every square"), column + 1)
        if doubled and number is not None:
            raise self.fail(
                say(
                    "movement-doubled-atom-with-range",
                    "a doubled atom has no limit; to give a range, write the atom once",
                ),
                number_column,
            )
        reach = 0 if doubled else atom.reach if number is None else number
        if atom.family == "universal":
            self._check_universal_atom(drafts)
        legs: list[Leg] = []
        current = reach
        for draft in drafts:
            legs.append(self._read_leg(draft, atom, current, first=not legs, last=draft is drafts[-1]))
            current = legs[-1].reach_of_next_leg(current)
        return NotationPart(atom, reach, tuple(legs), "i" in drafts[0].marks, self.text[start : self.at])

    def _check_universal_atom(self, drafts: list[_LegDraft]) -> None:
        """Raise an error for legs or modifiers (`drafts`) that mean nothing with the universal leaper U."""
        if len(drafts) > 1:
            raise self.fail(
                say("movement-universal-atom-with-legs", "U reaches every square at once, so it can’t have more legs"),
                drafts[1].column - 1,
            )
        for letter, column in [*drafts[0].directions, *drafts[0].marks.items()]:
            if letter not in "mcdit":
                raise self.fail(
                    say(
                        "movement-universal-atom-with-modifier",
                        "'{letter}' has no meaning with U, which reaches every square",
                        letter=letter,
                    ),
                    column,
                )

    def _read_directions(self, draft: _LegDraft, atom: Atom, *, first: bool) -> tuple[int, ...]:
        """Return the directions that a leg's letters name, as indexes (0 to 7) into the atom's steps."""
        family = atom.family if first else "royal"
        known = DIRECTIONS[family]
        places: set[int] = set()
        letters = draft.directions
        at = 0
        while at < len(letters):
            letter, column = letters[at]
            # Letters combine only where they stand side by side.
            pair = "".join(modifier for modifier, there in letters[at : at + 2] if there - column < 2)
            if pair in known:
                places.update(known[pair])
                at += len(pair)
            elif family == "diagonal" and pair in ("fs", "bs", "lv", "rv"):
                raise self.fail(
                    say(
                        "movement-direction-ambiguous",
                        "'{pair}' is ambiguous on a diagonal atom; write '{letter}'",
                        pair=pair,
                        letter=pair[0],
                    ),
                    column,
                )
            elif letter in known and pair[1:] != "h":
                places.update(known[letter])
                at += 1
            elif "h" in (pair[1:], letter):
                raise self.fail(
                    say(
                        "movement-half-direction-misplaced",
                        "'h' works only with a direction and with oblique atoms, K or Q, as in 'fhN'; not with {atom}",
                        atom=atom.letter,
                    ),
                    column + (1 if pair[1:] == "h" else 0),
                )
            else:
                raise self.fail(
                    say(
                        "movement-direction-unknown",
                        "{atom} has no direction '{letter}'",
                        atom=atom.letter,
                        letter=letter,
                    ),
                    column,
                )
        return tuple(sorted(places))

    def _read_leg(self, draft: _LegDraft, atom: Atom, reach: int, *, first: bool, last: bool) -> Leg:
        """Make one leg, of up to `reach` steps (0: no limit), from its modifiers; raise if these clash."""
        marks = draft.marks
        directions = self._read_directions(draft, atom, first=first)
        if not draft.directions:
            directions = atom.directions
            if not first:
                # Relative to the leg before, an atom keeps its own family and does not turn back.
                even = atom.family in ("orthogonal", "diagonal")
                directions = tuple(place for place in range(0, 8, 2 if even else 1) if place != 4)
        hop = "".join(letter for letter in "pg" if letter in marks)
        lame = "".join(letter for letter in "nj" if letter in marks)
        for wrong, message, letters in (
            (hop == "pg", say("movement-leg-hops-twice", "a leg can hop as 'p' or as 'g', not both"), "g"),
            (
                lame == "nj",
                say(
                    "movement-leap-needs-and-shuns",
                    "a leap can’t both require ('j') and forbid ('n') a piece in between",
                ),
                "j",
            ),
            (
                lame == "j" and atom.long == 1 and reach == 1,
                say("movement-step-jumps", "a step of one square has nothing to jump over"),
                "j",
            ),
            (
                lame and hop and last,
                say("movement-modifiers-clash", "'{lame}' and '{hop}' can’t be combined", lame=lame, hop=hop),
                lame + hop,
            ),
            (
                last and "y" in marks,
                say(
                    "movement-without-next-leg", "'y' changes the range for the next leg, but there is no 'a' after it"
                ),
                "y",
            ),
            (
                last and hop and reach == 1,
                say(
                    "movement-hop-of-one-step",
                    "'{hop}' hops along a line, but {atom} makes a single step",
                    hop=hop,
                    atom=atom.letter,
                ),
                hop,
            ),
            (
                not last and "e" in marks,
                say("movement-en-passant-before-last-leg", "only the last leg can capture en passant"),
                "e",
            ),
            (
                not last and "t" in marks and not hop,
                say(
                    "movement-tame-without-hop",
                    "before the last leg, 't' needs 'p' or 'g' with it, to hop over its own side",
                ),
                "t",
            ),
            (
                "i" in marks and not first and reach == 1,
                say(
                    "movement-later-leg-of-same-length",
                    "a later leg of one step already has the length of the one before",
                ),
                "i",
            ),
        ):
            if wrong:
                raise self.fail(message, max(marks[letter] for letter in letters))
        modes = set(marks) & set("mcde")
        if not last:
            modes |= set("p" if hop else "") | set("m" if "y" in marks else "")
        modes = modes or set("mc" if last else "m")
        return Leg(
            directions=directions,
            modes="".join(letter for letter in "mcdep" if letter in modes),
            hop=hop if last else "",
            lame=lame,
            tame="t" in marks and last and not hop,
            friendly="t" in marks and bool(hop),
            toggle=not last and ("y" in marks or hop == "g"),
            wrap="o" in marks,
            same="i" in marks and not first,
            turned=bool(draft.directions),
        )

    def _read_castling(self, drafts: list[_LegDraft]) -> Castling:
        """Read the castling atom O with its sides and its number of steps."""
        if len(drafts) > 1:
            raise self.fail(
                say("movement-castling-with-legs", "castling is a single move, so 'a' can’t be used with O"),
                drafts[1].column - 1,
            )
        for letter, column in drafts[0].marks.items():
            if letter != "i":
                raise self.fail(
                    say(
                        "movement-castling-with-modifier",
                        "'{letter}' can’t be used with castling; write it as in 'isO2'",
                        letter=letter,
                    ),
                    column,
                )
        sides: set[str] = set()
        for letter, column in drafts[0].directions:
            if letter not in "lrs":
                raise self.fail(
                    say(
                        "movement-castling-side-unknown",
                        "castling must go to the left (l), the right (r) or both sides (s)",
                    ),
                    column,
                )
            sides.update("lr" if letter == "s" else letter)
        self.at += 1
        column = self.at + 1
        steps = self._read_number()
        if not steps:
            raise self.fail(
                say(
                    "movement-castling-without-steps", "castling needs the number of steps the king makes, as in 'isO2'"
                ),
                column,
            )
        return Castling(steps, "".join(sorted(sides)) or "lr")
