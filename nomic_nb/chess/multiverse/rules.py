"""What pieces and terms make of a board with two armies: generators, castlings, starting squares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from nomic_nb.chess.multiverse.atoms import ring
from nomic_nb.chess.multiverse.betza import castlings, parse
from nomic_nb.chess.multiverse.counting import Counter
from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.geometry import UNIVERSE, Geometry, each, union
from nomic_nb.chess.multiverse.listing import Lister, Ordinary
from nomic_nb.chess.multiverse.masks import Castle, Force
from nomic_nb.chess.multiverse.tables import Movement, compiled
from nomic_nb.chess.multiverse.terms import Terms

ARRAY = "rnbqkbnr"


class Rules:
    """The rules of an 8 x 8 position, compiled; use :func:`rules_for`.

    Parameters
    ----------
    pieces : tuple[tuple[str, str], ...]
        Kinds with their Betza notation.
    terms : Terms
    """

    def __init__(self, pieces: tuple[tuple[str, str], ...], terms: Terms) -> None:
        self.pieces = dict(pieces)
        self.terms = terms
        self.geometry = UNIVERSE
        self.kinds = tuple(sorted(self.pieces))
        self.classes = {kind: index for index, kind in enumerate(self.kinds)}
        self.pawns = tuple(self.classes[kind] for kind in terms.pawns)
        self.royal = tuple(self.classes[kind] for kind in terms.royal)
        self.doubles = [double_steps(UNIVERSE, turned=turned) if terms.en_passant else {} for turned in (False, True)]
        self.castles = (self._castles(0), self._castles(1))
        self.partners = tuple(sum({castle.right for castle in castles}) for castles in self.castles)
        self.homes = tuple(sum({castle.king for castle in castles}) for castles in self.castles)
        #: squares whose emptying or change may end a right to castle
        self.watched = self.partners[0] | self.partners[1] | self.homes[0] | self.homes[1]
        ranks = terms.initial_ranks
        self.regions = None if ranks is None else (self._ranks(0, ranks), self._ranks(1, ranks))
        self.generators = (self._generator(0), self._generator(1))
        #: Classes that move otherwise as long as they have not moved.
        self.fresh = tuple(
            at
            for at, force in enumerate(self.generators[0].forces)
            if any(part.initial for part in force.movement.notation.parts)
        )
        #: Whether masks do not suffice to see what a promotion leaves attacked.
        self.crowns = terms.check and terms.crowning
        #: Classes of White and of Black -> whether they are peaceful, as far as that was asked.
        self._peaceful: dict[tuple[tuple[int, ...], ...], bool] = {}
        shared: dict[tuple[int, Force], Ordinary] = {}
        self.listers = tuple(
            Lister(generator, self.kinds, self.pawns, doubles, shared)
            for generator, doubles in zip(self.generators, self.doubles, strict=True)
        )

    def _ranks(self, side: int, ranks: Iterable[int]) -> int:
        """Return the bits of ranks as a side counts them."""
        return union(self.geometry.rank_bits(self.geometry.ranks + 1 - rank if side else rank) for rank in ranks)

    def _generator(self, side: int) -> Counter:
        terms = self.terms
        promoting = terms.black or terms if side else terms
        zone = self._ranks(side, promoting.promotion_ranks or (self.geometry.ranks,))
        choices = tuple(self.classes[kind] for kind in promoting.promotion)
        forces, foes = [], []
        for kind in self.kinds:
            movement, hostile = (
                compiled(self.pieces[kind], self.geometry, turned=turned) for turned in (bool(side), not side)
            )
            promotes = (zone, choices) if kind in terms.pawns and choices else (0, ())
            forces.append(Force(movement, kind in terms.royal, *promotes, promoting.promotion_mandatory))
            foes.append(hostile)
        return Counter(self.geometry, tuple(forces), tuple(foes), self.castles[side], check=terms.check)

    def _castles(self, side: int) -> tuple[Castle, ...]:
        """Return a side's castlings: king on the e-file, partners on the a- and h-files of its first rank."""
        terms = self.terms
        found: list[Castle] = []
        for kind in self.kinds:
            if parse(self.pieces[kind]).castlings and kind not in terms.royal:
                raise MultiverseError(
                    f"the movement of {kind!r} has O, but castling is for royal kinds "
                    f"({terms.royal or 'there are none'})"
                )
        if not terms.castling:
            return ()
        first = 56 if side else 0
        partners = tuple(self.classes[kind] for kind in terms.castling_rook)
        for kind in terms.royal:
            for steps, toward in castlings(self.pieces[kind], mirrored=bool(side)):
                if not 0 <= 4 + toward * steps <= 7:
                    raise MultiverseError(f"castling by {steps} steps leads off the board")
                corner = 7 if toward > 0 else 0
                found.append(castle_between(first, 4, corner, steps, self.classes[kind], partners))
        return tuple(found)

    def royals(self, boards: list[int]) -> int:
        """Return the bits of a side's royal pieces."""
        return union(boards[index] for index in self.royal)

    def peaceful(self, white: list[int], black: list[int]) -> bool:
        """Tell whether royal pieces that are all there is can never give check; False if that is not certain.

        They cannot if each is attacked by whatever it attacks: no move is legal that leaves it so.
        """
        kinds = tuple(tuple(index for index, bits in enumerate(side) if bits) for side in (white, black))
        if kinds not in self._peaceful:
            self._peaceful[kinds] = (
                not self.crowns
                and self.terms.check
                and all(
                    self._equal(
                        self.generators[side].forces[one].movement, self.generators[1 - side].forces[other].movement
                    )
                    for side in (0, 1)
                    for one in kinds[side]
                    for other in kinds[1 - side]
                )
            )
        return self._peaceful[kinds]

    def _equal(self, one: Movement, other: Movement) -> bool:
        """Tell whether a piece is sure to attack whatever one of another movement attacks it from."""
        leaps = {bit: other.table[bit] for bit in each(self.geometry.full)}
        if not other.plain or other.irregular or any(touch for touch, _ in leaps.values()):
            return False  # what stands in between matters
        return all(leaps[to][1][0] & bit for bit in leaps for to in each(one.ever[bit][1]))

    def lose(self, rights: int, touched: int) -> int:
        """Return the rights to castle that are left when pieces leave or enter these squares."""
        rights &= ~touched
        for home, partners in zip(self.homes, self.partners, strict=True):
            if touched & home:
                rights &= ~partners
        return rights


@lru_cache(maxsize=256)
def double_steps(geometry: Geometry, *, turned: bool) -> dict[int, dict[int, int]]:
    """Return from which square two steps in one direction, but for those backwards, lead where and over what, in bits.

    Examples
    --------
    >>> double_steps(Geometry(3, 3), turned=False)[1]
    {64: 8, 256: 16, 4: 2}
    """
    steps = ring(1, 0)
    found: dict[int, dict[int, int]] = {1 << square: {} for square in range(geometry.size)}
    for square in range(geometry.size):
        for place in (0, 1, 2, 6, 7):
            right, ahead = steps[(place + 4) % 8 if turned else place]
            over, to = geometry.step(square, right, ahead), geometry.step(square, 2 * right, 2 * ahead)
            if over is not None and to is not None:
                found[1 << square][1 << to] = 1 << over
    return found


def castle_between(
    first: int, king: int, corner: int, steps: int, king_class: int, partners: tuple[int, ...]
) -> Castle:
    """Return the castling of a king with the piece at a corner.

    Parameters
    ----------
    first : int
        The square of their rank's first file.
    king, corner : int
        Their files.
    steps : int
        How far the king goes.
    king_class, partners : int, tuple[int, ...]
        Classes of the king and of the pieces it castles with.
    """
    toward = 1 if corner > king else -1
    files = (king, king + toward * steps, corner, king + toward * (steps - 1))
    home, king_to, partner, partner_to = (1 << (first + file) for file in files)
    return Castle(
        right=partner,
        king=home,
        king_to=king_to,
        partner=partner,
        partner_to=partner_to,
        king_class=king_class,
        partner_classes=partners,
        clear=sum(1 << (first + file) for file in range(min(files), max(files) + 1)) & ~home & ~partner,
        way=sum(home << one if toward > 0 else home >> one for one in range(1, steps + 1)),
    )


_rules = lru_cache(maxsize=256)(Rules)


def rules_for(pieces: Mapping[str, str], terms: Terms) -> Rules:
    """Return compiled rules; the same object for the same rules."""
    return _rules(tuple(sorted(pieces.items())), terms)
