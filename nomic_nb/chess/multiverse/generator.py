"""Legal moves of one side, from masks.

The generator sees bitboards: one for each class of the mover's pieces and one for each class of hostile
ones. A class is a compiled movement with what the law says of it (royal, promotes, captures en passant). It
knows no kind by name.

Legality comes from *influences*: every hostile piece that could attack the royal square says, for the
squares between, where others may go (see ``influences.allowance``). Only what changes more than one square
and its target (castling, en passant, captures in passing), several royal pieces, or attackers with very many
ways through their legs, is tried out move by move.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from nomic_nb.chess.multiverse.geometry import Geometry, each_bit, union_of_bits
from nomic_nb.chess.multiverse.movement_tables import (
    AttackedSquares,
    AttackInfluence,
    Movement,
    WatchTable,
    can_find_attacks_together,
)
from nomic_nb.chess.multiverse.paths import ComputedDict
from nomic_nb.engine.frozen import frozen

# ----------------------------------------------------------------- what the generator is given and what it returns


@frozen
class PieceClass:
    """One class of the mover's pieces, which move and promote alike.

    Attributes
    ----------
    movement : Movement
    royal : bool
        Must not be left capturable.
    zone : int
        Squares where it promotes on arrival.
    choices : tuple[int, ...]
        Classes it may become there.
    mandatory : bool
        It cannot stay what it is.
    """

    movement: Movement
    royal: bool
    zone: int
    choices: tuple[int, ...] = ()
    mandatory: bool = True


@frozen
class CastlingMove:
    """One castling, as bits of squares of the board at hand.

    Attributes
    ----------
    right : int
        The bit of the partner's square, which stands for the right in the mask of rights.
    king, king_to, partner, partner_to : int
        Bits.
    king_class, partner_classes : int, tuple[int, ...]
    clear : int
        Squares that must be empty.
    way : int
        Squares the king goes over and to, which must not be attacked; nor must its own.
    from_corner : bool
        Whether there is nothing behind the partner, so that its leaving opens no line.
    """

    right: int
    king: int
    king_to: int
    partner: int
    partner_to: int
    king_class: int
    partner_classes: tuple[int, ...]
    clear: int
    way: int
    from_corner: bool = True

    def after(self, occupied: int) -> int:
        """Return the bits of the squares occupied after this castling, given those `occupied` before it."""
        return occupied & ~self.king & ~self.partner | self.king_to | self.partner_to

    @cached_property
    def moves(self) -> list[MoveChange]:
        """The castling as generator moves, one for each piece class that can be the king's partner."""
        king, there, ends = self.king_class, (self.king, self.king_to), (self.partner, self.partner_to)
        return [MoveChange(king, *there, 0, king, *ends, partner) for partner in self.partner_classes]


class MoveChange(NamedTuple):
    """A move as the generator makes it, in bits and classes.

    Attributes
    ----------
    mover, becomes : int
        Class of the piece that moves, before and after.
    origin, target : int
    taken : int
        All captured pieces.
    partner, partner_to, partner_class : int
        In castling, the other piece.
    passing : bool
        Captures en passant.
    passed : int
        The square that a double step goes over and where it can be captured en passant.
    """

    mover: int
    origin: int
    target: int
    taken: int
    becomes: int
    partner: int = 0
    partner_to: int = 0
    partner_class: int = -1
    passing: bool = False
    passed: int = 0


class GeneratorView(NamedTuple):
    """A position as the generator sees it, in bitboards.

    Attributes
    ----------
    mine, theirs : list[int]
        Bitboards by class. ``theirs`` holds hostile pieces only: those that give check.
    own : int
        Pieces that the mover may not land on (its own, and others it may not capture).
    capturable : int
        Pieces that it may capture.
    unmoved : int
        Own pieces, or squares, for which parts marked ``i`` hold.
    passed, passed_piece : int
        The square just passed over in a double step, and the piece that made it.
    rights : int
        Partners' squares with which castling is still allowed; king and partner stand where they did at
        first.
    royals : int
        Capturable pieces that are royal.
    others : int
        Hostile pieces that have not moved, where that matters.
    sides : tuple[int, ...]
        For each class of ``theirs``, all pieces on its side; empty where all hostile pieces are one side.
    """

    mine: list[int]
    theirs: list[int]
    own: int
    capturable: int
    unmoved: int = 0
    passed: int = 0
    passed_piece: int = 0
    rights: int = 0
    royals: int = 0
    others: int = 0
    sides: tuple[int, ...] = ()

    def pieces_on_side_of(self, index: int) -> int:
        """Return the bits of all pieces on the same side as the hostile piece class with this index."""
        if self.sides and self.sides[index]:
            return self.sides[index]
        return union_of_bits(self.theirs)


#: (class, bit of origin, bits of targets)
Reach = tuple[int, int, int]
#: (royal piece, targets of pieces that it does not pin, those that it does, how each attacker limits them), in bits
RoyalLimit = tuple[int, int, int, list[AttackInfluence]]


class Move(str):
    """A move as text, such as ``e2e4``, ``e7e8q`` or, with a piece taken in passing, ``e4f5g6``.

    It compares and sorts as its text, so ``"e2e4" in position.moves()`` reads as it sounds.

    Attributes
    ----------
    kind : str
        The kind that moves.
    origin, target : int
        Squares.
    promotion : str
        The kind it becomes, or ``""``.
    taken : tuple[int, ...]
        Squares of all pieces captured.
    partner : tuple[int, int] | None
        In castling, where the other piece comes from and goes to.
    passing : bool
        Captures en passant.
    change : Change
        The same in bits and classes of the position's rules.
    number : int
        The same as a whole number, see `packed_moves`.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse import position
    >>> move = position().find("e2e4")
    >>> move.kind, move.origin, move.target, move.taken
    ('p', 12, 28, ())
    """

    kind: str
    origin: int
    target: int
    promotion: str
    taken: tuple[int, ...]
    partner: tuple[int, int] | None
    passing: bool
    change: MoveChange
    number: int

    __slots__ = ("change", "kind", "number", "origin", "partner", "passing", "promotion", "taken", "target")

    def __new__(
        cls,
        text: str,
        kind: str,
        origin: int,
        target: int,
        change: MoveChange,
        promotion: str = "",
        taken: tuple[int, ...] = (),
        partner: tuple[int, int] | None = None,
        number: int = 0,
    ) -> Move:
        """Make a move; generators do, players name it by its text."""
        move = super().__new__(cls, text)
        move.kind = kind
        move.origin = origin
        move.target = target
        move.promotion = promotion
        move.taken = taken
        move.partner = partner
        move.passing = change.passing
        move.change = change
        move.number = number
        return move

    def uci(self) -> str:
        """Return the move in UCI notation, such as ``e2e4``."""
        return str.__str__(self)


# ----------------------------------------------------------------------------------------- legal moves of one side


def in_check(limits: list[RoyalLimit]) -> bool:
    """Tell whether a royal piece is attacked, from how each limits moves."""
    return any(entry[0] for *_, influences in limits for entry in influences)


class Generator:
    """Generator of the legal moves of one side.

    Parameters
    ----------
    geometry : Geometry
    forces : tuple[Force, ...]
        The mover's classes.
    foes : tuple[Movement, ...]
        Movements of the hostile classes.
    castles : tuple[Castle, ...]
    check : bool
        Whether royal pieces must not be left capturable; False where they may be captured.
    """

    def __init__(
        self,
        geometry: Geometry,
        forces: tuple[PieceClass, ...],
        foes: tuple[Movement, ...],
        castles: tuple[CastlingMove, ...] = (),
        *,
        check: bool = True,
    ) -> None:
        self.geometry = geometry
        self.full = geometry.full
        self.forces = forces
        self.foes = foes
        self.castles = castles
        self.check = check
        self.royal = tuple(index for index, force in enumerate(forces) if force.royal)
        self.tame = any(part.legs[-1].tame for force in forces for part in force.movement.notation.parts)
        self.odd_foes = tuple(index for index, foe in enumerate(foes) if foe.odd_attack)
        self.opaque = any(foe.opaque for foe in foes)
        #: Whether masks say what keeps royal pieces safe.
        self.masked = check and not self.opaque and not self.tame
        self._king = self.royal[0] if len(self.royal) == 1 and self.masked else -1
        #: royal square -> what every hostile class can do to it
        self.watch: dict[int, tuple[WatchTable, ...]] = ComputedDict(
            lambda target: tuple((0, {}) if foe.odd_attack else foe.watch[target] for foe in foes)
        )
        self._irregular = tuple(index for index, force in enumerate(forces) if force.movement.irregular)
        #: passed square -> (class, squares it may capture there from)
        self._passing: dict[int, tuple[tuple[int, int], ...]] = ComputedDict(
            lambda passed: tuple(
                (index, self.sources(index, passed, "e"))
                for index, piece_class in enumerate(forces)
                if piece_class.movement.passing
            )
        )
        self._together = can_find_attacks_together(foes)
        # Against pieces that can only be blocked castling opens no line. And a king not in check shields none, unless
        # from lame leapers: one beside it does not attack it.
        self._blockers_only = (
            self._together
            and not geometry.wraps
            and not any(
                "c" in leg.modes and (leg.hop or leg.lame or leg.wrap)
                for foe in foes
                for leg in [part.legs[0] for part in foe.notation.parts]
            )
        )

    @cached_property
    def _attack_table(self) -> AttackedSquares:
        """Tables in which the squares that the hostile piece classes attack are looked up."""
        return AttackedSquares(self.foes)

    def sources(self, index: int, targets: int, modes: str) -> int:
        """Return the squares from which piece class `index` could ever reach `targets` in one of the `modes`.

        Parameters
        ----------
        index : int
        targets : int
            Bits.
        modes : str
            Letters such as ``"mc"``: ``m`` move, ``c`` capture, ``d`` capture of its own side, ``e`` en passant.
        """
        movement = self.forces[index].movement
        return union_of_bits(
            bit
            for bit in each_bit(self.full)
            if any(way.path.targets & targets and set(modes) & set(way.modes) for way in movement.ways[bit, True])
        )

    def attacked(self, target: int, view: GeneratorView, occupied: int, gone: int = 0) -> bool:
        """Tell whether a royal piece on `target` would be attacked once the hostile pieces in `gone` are away.

        Parameters
        ----------
        target : int
            Bit.
        view : View
        occupied : int
            All pieces, as they would stand.
        gone : int
            Hostile pieces that would no longer be there.
        """
        if self.opaque:
            return any(self.attackers(target, view, occupied, gone))
        if self.odd_foes and any(entry[0] for entry in self._sided_influences(target, view, occupied, gone)):
            return True
        for bits, (sources, influences) in zip(view.theirs, self.watch[target], strict=False):
            near = bits & sources & ~gone
            while near:
                attacker = near & -near
                near ^= attacker
                support, table = influences[attacker]
                entry = table[occupied & support]
                if entry is not None and entry[0]:
                    return True
        return False

    def attackers(self, target: int, view: GeneratorView, occupied: int, gone: int = 0) -> list[int]:
        """Return the hostile pieces (but for `gone`) that attack a royal piece on `target`, as a list of bits."""
        return [
            attacker
            for index, (bits, foe) in enumerate(zip(view.theirs, self.foes, strict=True))
            for attacker in each_bit(bits & ~gone & ~target)
            if foe.attacks_royal_on(
                attacker, target, occupied, view.pieces_on_side_of(index) & ~gone, unmoved=bool(attacker & view.others)
            )
        ]

    def royals(self, view: GeneratorView) -> int:
        """Return the bits of the mover's royal pieces."""
        return union_of_bits(view.mine[index] for index in self.royal)

    def checkers(self, view: GeneratorView) -> int:
        """Return the bits of the opposing pieces that give check."""
        occupied = view.own | view.capturable
        return union_of_bits(
            bit for king in each_bit(self.royals(view)) for bit in self.attackers(king, view, occupied)
        )

    def legal(self, view: GeneratorView, origins: int = -1) -> tuple[list[Reach], list[MoveChange]]:
        """Return the squares that pieces on `origins` (-1: all) reach legally, and all legal special moves.

        Returns
        -------
        tuple[list[tuple[int, int, int]], list[Change]]
            Ordinary moves as (class, origin, targets), and the others one by one. Where an ordinary move
            ends in the promotion zone of its class it stands for all its choices.
        """
        royals = self.royals(view) if self.check else 0
        if royals and self.opaque:
            return self._legal_moves_by_trial(view, royals, origins)
        mine, _, own, capturable = view[:4]
        occupied = own | capturable
        free = self.full & ~own
        goal, bound, limits = self.limits(view, royals, occupied)
        reaches, danger = [], None
        for pieces, (index, force) in zip(mine, enumerate(self.forces)):  # noqa: B905 - one each
            movement = force.movement
            if movement.plain:
                may = [(bit, masks[occupied & touch] & free) for bit, touch, masks in movement.rows[pieces & origins]]
            else:
                may = [
                    (bit, self.reachable_squares(movement, bit, view, occupied)) for bit in each_bit(pieces & origins)
                ]
            for bit, reach in may:
                reached = reach & goal
                if bit & bound:
                    reached, danger = self._bind(bit, reach, danger, view, occupied, limits)
                if reached:
                    reaches.append((index, bit, reached))
        return reaches, self.special_moves(view, occupied, royals, danger, checked=in_check(limits))

    def limits(self, view: GeneratorView, royals: int, occupied: int) -> tuple[int, int, list[RoyalLimit]]:
        """Return (targets of loose pieces, royal and pinned pieces, how each royal piece limits moves)."""
        goal, bound, limits = self.full, royals, []
        while royals:
            king = royals & -royals
            royals ^= king
            target, pinned, influences = self.attack_influences(view, king, occupied)
            goal &= target
            bound |= pinned & view[2]
            limits.append((king, target, pinned, influences))
        return goal, bound, limits

    def bound_moves(
        self, view: GeneratorView, occupied: int, pieces: int, limits: list[RoyalLimit]
    ) -> tuple[list[Reach], int | None]:
        """Return the moves of royal and pinned pieces (`pieces`), and where an only royal piece would be attacked."""
        reaches, danger = [], None
        for index, bits in enumerate(view[0]):
            left = bits & pieces
            while left:
                bit = left & -left
                left ^= bit
                reached = self.reachable_squares(self.forces[index].movement, bit, view, occupied)
                reached, danger = self._bind(bit, reached, danger, view, occupied, limits)
                if reached:
                    reaches.append((index, bit, reached))
        return reaches, danger

    def _bind(
        self, bit: int, reached: int, danger: int | None, view: GeneratorView, occupied: int, limits: list[RoyalLimit]
    ) -> tuple[int, int | None]:
        """Return what a royal or pinned piece may reach, and the squares attacked if it is the only royal one."""
        for king, target, pinned, influences in limits if reached else ():
            if king == bit:
                attacked = self.squares_in_danger(bit, reached, view, occupied)
                reached &= ~attacked
                danger = attacked if len(limits) == 1 else None
            elif bit & pinned:
                for entry in influences:
                    reached &= entry[3].get(bit, entry[1])
            else:
                reached &= target
        return reached, danger

    def attack_influences(
        self, view: GeneratorView, royals: int, occupied: int
    ) -> tuple[int, int, list[AttackInfluence]]:
        """Return what keeps the king `royals` safe: (targets of unpinned pieces, pinned pieces, attackers' limits)."""
        goal, held = self.full, 0
        influences = []
        if royals:
            for bits, (sources, attackers) in zip(view[1], self.watch[royals]):  # noqa: B905 - as long by construction
                near = bits & sources
                while near:
                    bit = near & -near
                    near ^= bit
                    support, entries = attackers[bit]
                    entry = entries[occupied & support]
                    if entry is not None:
                        influences.append(entry)
                        goal &= entry[1]
                        held |= entry[2]
            if self.odd_foes:
                for entry in self._sided_influences(royals, view, occupied):
                    influences.append(entry)
                    goal &= entry[1]
                    held |= entry[2]
        return goal, held, influences

    def _sided_influences(
        self, target: int, view: GeneratorView, occupied: int, gone: int = 0
    ) -> Iterator[AttackInfluence]:
        """Yield how each attacker restricts moves, among those for which it matters whose pieces are in between."""
        for index in self.odd_foes:
            sided = self.foes[index].sided
            near = view.theirs[index] & ~gone & ~target
            side = view.pieces_on_side_of(index) & ~gone if near else 0
            for bit in each_bit(near):
                support, owned, entries = sided[target, bit, bool(bit & view.others)]
                entry = entries[occupied & support, side & owned]
                if entry is not None:
                    yield entry

    def king_moves(self, king: int, view: GeneratorView, occupied: int) -> tuple[int, int | None]:
        """Return (where the only king may go, the attacked squares), the latter None if it could not move anyway."""
        movement = self.forces[self._king].movement
        if movement.plain:
            touch, masks = movement.table[king]
            reached = masks[occupied & touch] & ~view[2]
        else:
            reached = self.reachable_squares(movement, king, view, occupied)
        if not reached:
            return 0, None
        if self._together:
            danger = self._attack_table.squares(view[1], occupied ^ king)
        else:
            danger = self.squares_in_danger(king, reached, view, occupied)
        return reached & ~danger, danger

    def reachable_squares(self, movement: Movement, bit: int, view: GeneratorView, occupied: int) -> int:
        """Return the squares where the piece at `bit` may go by its movement, ignoring check."""
        touch, table = (movement.first if bit & view.unmoved else movement.table)[bit]
        quiet: int
        capture: int
        if movement.plain:
            quiet = table[occupied & touch]
            return quiet & ~view.own
        if movement.split:
            quiet, capture = table[occupied & touch]
            return (quiet & ~occupied) | (capture & view.capturable)
        spare: int
        destroy: int
        quiet, capture, spare, destroy = table[occupied & touch]
        mine = union_of_bits(
            bits for bits, force in zip(view.mine, self.forces, strict=True) if destroy and not force.royal
        )
        spare &= view.capturable & ~view.royals
        return (quiet & ~occupied) | (capture & view.capturable) | spare | (destroy & mine & ~bit)

    def squares_in_danger(self, king: int, reached: int, view: GeneratorView, occupied: int) -> int:
        """Return the squares attacked once the king has left its square, at least those of them in `reached`."""
        if self._together:
            return self._attack_table.squares(view[1], occupied ^ king)
        danger = 0
        for step in each_bit(reached):
            if self.attacked(step, view, occupied ^ king | step, step):
                danger |= step
        return danger

    def _legal_moves_by_trial(
        self, view: GeneratorView, royals: int, origins: int
    ) -> tuple[list[Reach], list[MoveChange]]:
        """Return the same as `legal`, found by trying out each move to see if `royals` (bits) stay safe."""
        occupied = view.own | view.capturable
        reaches = []
        for index, force in enumerate(self.forces):
            for bit in each_bit(view.mine[index] & origins):
                legal = union_of_bits(
                    step
                    for step in each_bit(self.reachable_squares(force.movement, bit, view, occupied))
                    if self._leaves_royals_safe(
                        MoveChange(index, bit, step, step & occupied, index), view, occupied, royals
                    )
                )
                if legal:
                    reaches.append((index, bit, legal))
        checked = any(self.attacked(bit, view, occupied) for bit in each_bit(royals))
        return reaches, self.special_moves(view, occupied, royals, None, checked=checked)

    def _leaves_royals_safe(self, special: MoveChange, view: GeneratorView, occupied: int, royals: int) -> bool:
        """Tell whether none of the mover's royal pieces (`royals`, bits) can be captured after a move."""
        if not royals:
            return True
        after = (occupied ^ special.origin) & ~special.taken | special.target
        if special.partner:
            after = after & ~special.partner | special.partner_to | special.target
        if self.forces[special.mover].royal:
            royals = royals ^ special.origin | special.target
        if royals & special.taken & ~special.target:
            return False
        return all(not self.attacked(bit, view, after, special.taken) for bit in each_bit(royals))

    def special_moves(
        self, view: GeneratorView, occupied: int, royals: int, danger: int | None, *, checked: bool
    ) -> list[MoveChange]:
        """Return legal castlings (none if `checked`), captures en passant, and moves that can capture what they pass.

        ``danger`` are the squares where a single royal piece could be captured, where that is known.
        """
        if not (view.passed or view.rights or self._irregular):
            return []
        move_changes = []
        if view.passed:
            move_changes.extend(self._en_passant_captures(view, occupied))
        if self._irregular:
            move_changes.extend(self._captures_on_the_way(view, occupied))
        if move_changes:
            move_changes = [
                special for special in move_changes if self._leaves_royals_safe(special, view, occupied, royals)
            ]
        if view.rights and self.castles and not checked:
            move_changes.extend(self._castling_moves(view, occupied, royals, danger))
        return move_changes

    def en_passant_moves(self, view: GeneratorView) -> list[MoveChange]:
        """Return the legal captures en passant on the square just passed."""
        occupied = view.own | view.capturable
        royals = self.royals(view) if self.check else 0
        return [
            move_change
            for move_change in self._en_passant_captures(view, occupied)
            if self._leaves_royals_safe(move_change, view, occupied, royals)
        ]

    def _en_passant_captures(self, view: GeneratorView, occupied: int) -> list[MoveChange]:
        """Return the captures en passant, including those that leave the mover's king in check."""
        move_changes: list[MoveChange] = []
        if view.passed & occupied:  # jumped over
            return move_changes
        for index, sources in self._passing[view.passed]:
            movement = self.forces[index].movement
            for bit in each_bit(view.mine[index] & sources):
                unmoved = bool(bit & view.unmoved)
                able = movement.en_passant(bit, occupied, unmoved=unmoved)
                if able & view.passed & ~movement.targets(bit, occupied, unmoved=unmoved)[0]:
                    move_changes.append(MoveChange(index, bit, view.passed, view.passed_piece, index, passing=True))
        return move_changes

    def _captures_on_the_way(self, view: GeneratorView, occupied: int) -> list[MoveChange]:
        """Return the moves that can capture pieces they pass, including those that leave the king in check."""
        move_changes = []
        # Pieces that are neither capturable nor the mover's own are left alone, and so are royal ones.
        spared = ~(view.capturable | union_of_bits(view.mine)) | self.royals(view)
        for index in self._irregular:
            outcomes = self.forces[index].movement.outcomes
            for bit in each_bit(view.mine[index]):
                for taken, target in outcomes(bit, occupied, view.own, unmoved=bool(bit & view.unmoved)):
                    captured = taken | (target & occupied & ~bit)
                    if not captured & spared:
                        move_changes.append(MoveChange(index, bit, target, captured, index))
        return move_changes

    def _castling_moves(self, view: GeneratorView, occupied: int, royals: int, danger: int | None) -> list[MoveChange]:
        """Return the castlings possible now, over no attacked square unless `royals` is 0 (check ignored)."""
        return [
            next(move_change for move_change in castle.moves if view.mine[move_change.partner_class] & castle.partner)
            for castle in self.castles
            if view.rights & castle.right
            and not occupied & castle.clear
            and view.mine[castle.king_class] & castle.king
            and not (royals and not self.is_castling_safe(castle, view, occupied, danger))
        ]

    def is_castling_safe(self, castle: CastlingMove, view: GeneratorView, occupied: int, danger: int | None) -> bool:
        """Tell whether a king not in check can castle past no attacked square (`danger`; None if not known)."""
        if self._blockers_only and castle.from_corner:
            if danger is None:
                danger = self.squares_in_danger(castle.king, castle.way, view, occupied)
            return not castle.way & danger
        # A hopper may attack over the partner once it has moved, or over the place the king has left.
        return not (
            any(self.attacked(bit, view, occupied) for bit in each_bit(castle.way))
            or self.attacked(castle.king_to, view, castle.after(occupied))
        )
