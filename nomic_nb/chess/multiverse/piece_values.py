"""What pieces are worth, from their movement tables alone: no piece is known by its name.

A kind reaches some squares from each square of boards that are filled at random, always the same ones. Its value is
`UNIT` times the mean. On a square from which it reaches more than that, it is worth a little more. Kinds that promote
are worth a share of what they can become, which grows as they come near. Everything is a whole number, divisions round
down, and random bits are those of `mix`, so that each machine finds the same values.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from nomic_nb.chess.multiverse.geometry import Geometry, each_bit
from nomic_nb.chess.multiverse.movement_tables import Movement
from nomic_nb.chess.multiverse.rules import Rules

#: What a square more is worth that a piece reaches; the five of a knight make about three pawns.
UNIT = 63
#: What a good square adds at most; what a royal piece that can be captured is worth.
PLACE, ROYAL = 60, 10_000
#: What each rank ahead costs a royal piece that has to hide.
SHELTER = 6
#: Squares of random boards, in all; each board is used in four images.
MOST_SQUARES = 512
#: Bits of a random number.
WORD = (1 << 64) - 1


def mix(number: int) -> int:
    """Return 64 random bits that belong to a number: the splitmix64 generator.

    Examples
    --------
    >>> mix(0), mix(1) == mix(0)
    (16294208416658607535, False)
    """
    bits = (number + 1) * 0x9E3779B97F4A7C15 & WORD
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & WORD
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & WORD
    return bits ^ bits >> 31


@lru_cache(maxsize=64)
def sample_boards(geometry: Geometry) -> list[tuple[int, int]]:
    """Return random boards as bits of occupied squares, five in sixteen, and of those that own pieces occupy.

    With each board comes its image in both mirrors and turned round, so that neither side nor wing is preferred.
    """
    files, size, boards = geometry.files, geometry.size, []
    words = range((size + 63) // 64)
    for number in range(max(MOST_SQUARES // size, 2)):
        a, b, c, d, own = (sum(mix((number * 5 + part) * 4 + word) << 64 * word for word in words) for part in range(5))
        occupied = a & (b | c & d)
        for across in (0, files - 1):
            for along in (0, geometry.ranks - 1):
                order = [abs(at // files - along) * files + abs(at % files - across) for at in range(size)]
                images = (
                    sum(1 << to for at, to in enumerate(order) if bits >> at & 1) & geometry.full
                    for bits in (occupied, occupied & own)
                )
                boards.append(tuple(images))
    return boards  # type: ignore[return-value]


@lru_cache(maxsize=512)
def reach(movement: Movement) -> dict[int, int]:
    """Return how many squares a piece reaches on all random boards together, by the bit of its square."""
    found, boards = {}, sample_boards(movement.geometry)
    for bit in each_bit(movement.geometry.full):
        total = 0
        for occupied, own in boards:
            others = occupied & ~bit
            quiet, capture, spare, destroy = movement.targets(bit, others, unmoved=False)
            reached = quiet & ~others | (capture | spare | destroy) & others
            for _, target in movement.outcomes(bit, others, own & ~bit, unmoved=False) if movement.irregular else ():
                reached |= target
            total += reached.bit_count()
        found[bit] = total
    return found


class PieceValues:
    """What each class of pieces of each side is worth, on each square.

    Parameters
    ----------
    rules : Rules
    given : mapping of int to tuple of int
        The values for White and for Black of classes that somebody has set.

    Attributes
    ----------
    worth : tuple of list of int
        By side and class.
    on_square : tuple of list of dict of int to int
        The same with what the square adds, by its bit; for royal pieces on a full board.
    active : tuple of list of dict of int to int
        What the square adds for royal pieces, once few others are left.
    reached : tuple of list of dict of int to int
        How many squares a piece reaches from each square on all boards together.
    boards : int
        The number of these boards.
    """

    def __init__(self, rules: Rules, given: Mapping[int, tuple[int, int]]) -> None:
        self.rules = rules
        squares, self.boards = rules.geometry.full.bit_count(), len(sample_boards(rules.geometry))
        self.reached: tuple[list[dict[int, int]], ...] = tuple(
            [reach(force.movement) for force in generator.forces] for generator in rules.generators
        )
        totals = [[sum(table.values()) for table in tables] for tables in self.reached]
        base = [[UNIT * total // (squares * self.boards) for total in side] for side in totals]
        uncapturable = 0 if rules.terms.check else ROYAL
        misere = "lost all" in getattr(rules.terms, "goals", ())
        worth: list[list[int]] = [[], []]
        for side, generator in enumerate(rules.generators):
            for at, force in enumerate(generator.forces):
                best = max((base[side][choice] for choice in force.choices), default=0)
                share = max(best - base[side][at], 0) >> 5 if force.zone else 0
                own = (uncapturable if force.royal else base[side][at] + share) * (-1 if misere else 1)
                worth[side].append(given[at][side] if at in given else own)
        self.worth = (worth[0], worth[1])
        self.on_square: tuple[list[dict[int, int]], ...] = ([], [])
        self.active: tuple[list[dict[int, int]], ...] = ([], [])
        for side, generator in enumerate(rules.generators):
            for at, force in enumerate(generator.forces):
                mean, value = max(totals[side][at], 1), worth[side][at]
                # Pieces that promote may stand beyond the region that they never leave.
                place = {
                    bit: max(min(PLACE * (self.reached[side][at].get(bit, 0) * squares - mean) // mean, PLACE), -PLACE)
                    for bit in each_bit(rules.geometry.full)
                }
                best = max((worth[side][choice] for choice in force.choices), default=0) - value
                self.active[side].append({bit: value + better for bit, better in place.items()})
                self.on_square[side].append({
                    bit: value - SHELTER * self._rank(side, bit)
                    if force.royal
                    else value + better + self._hope(side, bit, force.zone, best)
                    for bit, better in place.items()
                })  # fmt: skip

    def _rank(self, side: int, bit: int) -> int:
        """Return how many ranks a square is ahead of a side's first one."""
        geometry = self.rules.geometry
        rank = (bit.bit_length() - 1) // geometry.files
        return geometry.ranks - 1 - rank if side else rank

    def _hope(self, side: int, bit: int, zone: int, gain: int) -> int:
        """Return what a piece is worth more because it may promote in so many ranks, and gain so much by it."""
        geometry, own = self.rules.geometry, self._rank(side, bit)
        for ahead in range(1, geometry.ranks - own) if zone and gain > 0 else ():
            rank = geometry.ranks - own - ahead if side else own + ahead + 1
            if zone & geometry.rank_bits(rank):
                return gain >> ahead + 2
        return 0
