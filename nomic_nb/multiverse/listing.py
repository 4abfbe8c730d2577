"""Legal moves as objects, the same each time.

What the generator finds in bits is looked up: a list of moves for the empty squares that a piece reaches, and
one for those it captures on. Apart, these are few.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from nomic_nb.multiverse.generator import Generator
from nomic_nb.multiverse.masks import Change, View, each
from nomic_nb.multiverse.move import Move
from nomic_nb.multiverse.tables import Filled

#: For one piece: targets -> its moves there, where they are empty and where it captures.
_Lists = tuple[dict[int, list[Move]], dict[int, list[Move]]]


class Lister:
    """Lists the legal moves of one side.

    Captured pieces are all that are not the mover's own: ``own`` and ``capturable`` of a view make up what
    is occupied and have nothing in common.

    Parameters
    ----------
    generator : Generator
    kinds : tuple[str, ...]
        Names of its classes.
    pawns : tuple[int, ...]
        Classes whose double steps can be captured in passing.
    doubles : Mapping[int, tuple[int, int]]
        From which square a straight double step leads where and over what, in bits.
    """

    def __init__(
        self,
        generator: Generator,
        kinds: tuple[str, ...],
        pawns: tuple[int, ...],
        doubles: Mapping[int, tuple[int, int]],
    ) -> None:
        self.generator = generator
        self.kinds = kinds
        self.pawns = pawns
        self.doubles = doubles
        geometry = generator.geometry
        self._names = [geometry.name(square) for square in range(geometry.size)]
        self._ordinary: list[dict[int, _Lists]] = [
            Filled(partial(self._lists, index)) for index in range(len(generator.forces))
        ]
        self._special: dict[Change, list[Move]] = Filled(self._made)

    def moves(self, view: View) -> list[Move]:
        """Return all legal moves."""
        reaches, specials = self.generator.legal(view)
        occupied = view.own | view.capturable
        ordinary = self._ordinary
        found: list[Move] = []
        for index, origin, reached in reaches:
            quiets, captures = ordinary[index][origin]
            taken = reached & occupied
            if taken:
                found += captures[taken]
                reached ^= taken
            found += quiets[reached]
        for change in specials:
            found += self._special[change]
        return found

    def _lists(self, index: int, origin: int) -> _Lists:
        quiet: dict[int, list[Move]] = Filled(lambda target: self._made(self._step(index, origin, target)))
        capture: dict[int, list[Move]] = Filled(lambda target: self._made(Change(index, origin, target, target, index)))
        return (
            Filled(lambda targets: [move for target in each(targets) for move in quiet[target]]),
            Filled(lambda targets: [move for target in each(targets) for move in capture[target]]),
        )

    def _step(self, index: int, origin: int, target: int) -> Change:
        end, over = self.doubles.get(origin, (0, 0)) if index in self.pawns else (0, 0)
        return Change(index, origin, target, 0, index, passed=over if end == target else 0)

    def _made(self, change: Change) -> list[Move]:
        """Return a change as a move, once for each piece it may become."""
        force = self.generator.forces[change.mover]
        a, b = change.origin.bit_length() - 1, change.target.bit_length() - 1
        kind = self.kinds[change.mover]
        if change.partner:
            c, d = change.partner.bit_length() - 1, change.partner_to.bit_length() - 1
            plain = force.movement.targets(change.origin, 0, unmoved=True)
            # Where the king could also step there, castling is written as the king taking its partner.
            end = c if (plain[0] | plain[1]) & change.target else b
            return [Move(self._names[a] + self._names[end], kind, a, b, change, partner=(c, d))]
        taken = tuple(bit.bit_length() - 1 for bit in each(change.taken))
        via = [] if change.passing else [square for square in taken if square != b]
        text = self._names[a] + "".join(self._names[square] for square in via) + self._names[b]
        stays = Move(text, kind, a, b, change, "", taken, passing=change.passing)
        if not force.zone & change.target:
            return [stays]
        moves = []
        for choice in force.choices:
            letter = self.kinds[choice]
            becomes = change._replace(becomes=choice)
            moves.append(Move(text + letter, kind, a, b, becomes, letter, taken, passing=change.passing))
        return moves if force.mandatory else [*moves, stays]
