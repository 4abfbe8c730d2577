"""Legal moves of one side, from masks.

The generator sees bitboards: one for each class of the mover's pieces and one for each class of hostile ones. A class
is a compiled movement with what the law says of it (royal, promotes, captures en passant). It knows no kind by name.

Legality comes from *influences*: every hostile piece that could attack the royal square says, for the squares between,
where others may go (see ``Movement._allowance``). Only what changes more than one square and its target (castling,
en passant, captures in passing), several royal pieces, or attackers whose reach depends on whose pieces stand in
between, is tried out move by move.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from nomic_nb.multiverse.geometry import Geometry
from nomic_nb.multiverse.shifts import Shifts, shifts
from nomic_nb.multiverse.tables import Filled, Movement


@dataclass(frozen=True)
class Force:
    """One class of the mover's pieces.

    Attributes
    ----------
    movement : Movement
    royal : bool
        Must not be left capturable.
    pawn : bool
        Captures en passant with the captures it has.
    zone : int
        Squares where it promotes on arrival.
    choices : tuple[int, ...]
        Classes it may become there.
    mandatory : bool
        It cannot stay what it is.
    """

    movement: Movement
    royal: bool = False
    pawn: bool = False
    zone: int = 0
    choices: tuple[int, ...] = ()
    mandatory: bool = True


@dataclass(frozen=True)
class Castle:
    """One castling, in squares of the board at hand.

    Attributes
    ----------
    right : int
        The bit of the partner's square, which stands for the right in the mask of rights.
    king, king_to, partner, partner_to : int
        Bits.
    king_class, partner_classes : int, tuple[int, ...]
    clear : int
        Squares that must be empty.
    way : tuple[int, ...]
        Bits of the squares the king goes over and to, which must not be attacked; nor must its own.
    """

    right: int
    king: int
    king_to: int
    partner: int
    partner_to: int
    king_class: int
    partner_classes: tuple[int, ...]
    clear: int
    way: tuple[int, ...]

    def after(self, occupied: int) -> int:
        """Return what is occupied once castled."""
        return occupied & ~self.king & ~self.partner | self.king_to | self.partner_to


class Special(NamedTuple):
    """A move that is more than going to a square and capturing what stands there.

    ``taken`` are bits of all captured pieces; ``mover`` and ``becomes`` are classes. A castling carries its
    partner's squares and class.
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


class View(NamedTuple):
    """What the generator is given.

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
        The square just passed by a double step, and the piece that did it.
    rights : int
        Partners' squares with which castling is still allowed; king and partner stand where they did at first.
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


#: What an attacker allows: (attacks now, squares open to others, pieces it holds, squares open to each of those)
Influence = tuple[bool, int, int, dict[int, int]]

#: (class, bit of origin, bits of targets)
Reach = tuple[int, int, int]


class Generator:
    """Legal moves for a side with these classes against those.

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
        forces: tuple[Force, ...],
        foes: tuple[Movement, ...],
        castles: tuple[Castle, ...] = (),
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
        self.odd_foes = any(foe.odd_attack for foe in foes)
        self.watch = _Watches(foes)
        self._irregular = tuple(index for index, force in enumerate(forces) if force.movement.irregular)
        self._passers = tuple(
            index for index, force in enumerate(forces) if force.pawn or force.movement.passing
        )
        #: passed square -> (class, squares it may capture there from)
        self._passing: dict[int, tuple[tuple[int, int], ...]] = Filled(self._passing_sources)
        # For counting: one royal class, the others by the form of their tables.
        self._king = self.royal[0] if len(self.royal) == 1 and check and not self.odd_foes and not self.tame else -1
        self._castle_tests = [(castle.right, castle.clear, castle) for castle in castles]
        # On a plain board against pieces that can only be blocked, castling opens no line that was not open before.
        self._blockers_only = not geometry.wraps and all(
            len(part.legs) == 1 and not part.legs[0].hop and part.legs[0].lame != "j" and not part.legs[0].wrap
            for foe in foes
            for part in foe.notation.parts
        )
        self._plain: list[tuple[int, dict[int, tuple[int, dict[int, int]]]]] = []
        self._others: list[int] = []
        self._sets: list[tuple[int, int, Shifts]] = []
        self._sorted = False

    def _sort(self) -> None:
        """Sort the classes for counting; moves that are only listed need none of it."""
        self._sorted = True
        for index, force in enumerate(self.forces):
            if index == self._king:
                continue
            shifted = shifts(force.movement)
            if shifted is not None:
                self._sets.append((index, ~self._near(force), shifted))
            elif force.movement.plain and not force.zone:
                self._plain.append((index, force.movement.table))  # type: ignore[arg-type]
            else:
                self._others.append(index)

    def _near(self, force: Force) -> int:
        """Return the squares from which a class may arrive in its promotion zone."""
        near = 0
        if force.zone:
            for square in range(self.geometry.size):
                bit = 1 << square
                if self.full & bit and any(
                    way.path.targets & force.zone for way in force.movement.ways(bit, unmoved=True)
                ):
                    near |= bit
        return near

    def _passing_sources(self, passed: int) -> tuple[tuple[int, int], ...]:
        found = []
        for index in self._passers:
            sources = 0
            for square in range(self.geometry.size):
                bit = self.full & 1 << square
                if bit and any(
                    way.path.targets & passed and way.modes != "m"
                    for way in self.forces[index].movement.ways(bit, unmoved=True)
                ):
                    sources |= bit
            found.append((index, sources))
        return tuple(found)

    # What is attacked

    def attacked(self, target: int, view: View, occupied: int, gone: int = 0) -> bool:
        """Tell whether a royal piece on the target could be captured.

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
        if self.odd_foes:
            return any(self.attackers(target, view, occupied, gone))
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

    def attackers(self, target: int, view: View, occupied: int, gone: int = 0) -> list[int]:
        """Return the bits of the hostile pieces that could capture a royal piece on the target."""
        found = []
        hostile = 0
        for bits in view.theirs:
            hostile |= bits
        for index, (bits, foe) in enumerate(zip(view.theirs, self.foes, strict=True)):
            side = (view.sides[index] if view.sides and view.sides[index] else hostile) & ~gone
            near = bits & ~gone & ~target
            while near:
                attacker = near & -near
                near ^= attacker
                if foe.attacks(attacker, target, occupied, side, unmoved=bool(attacker & view.others)):
                    found.append(attacker)
        return found

    def royals(self, view: View) -> int:
        """Return the bits of the mover's royal pieces."""
        bits = 0
        for index in self.royal:
            bits |= view.mine[index]
        return bits

    def checkers(self, view: View) -> int:
        """Return the bits of the pieces that attack a royal piece of the mover."""
        royals = self.royals(view)
        occupied = view.own | view.capturable
        found = 0
        while royals:
            bit = royals & -royals
            royals ^= bit
            for attacker in self.attackers(bit, view, occupied):
                found |= attacker
        return found

    # Moves

    def legal(self, view: View) -> tuple[list[Reach], list[Special]]:
        """Return all legal moves.

        Returns
        -------
        tuple[list[tuple[int, int, int]], list[Special]]
            Ordinary moves as (class, origin, targets), and the others one by one. Where an ordinary move ends in the
            promotion zone of its class it stands for all its choices.
        """
        royals = self.royals(view) if self.check else 0
        if royals and (self.odd_foes or royals & (royals - 1)):
            return self._tried(view, royals)
        mine = view.mine
        own = view.own
        occupied = own | view.capturable
        target = self.full
        held = 0
        influences: list[Influence] = []
        if royals:
            for bits, (sources, table) in zip(view.theirs, self.watch[royals], strict=True):
                near = bits & sources
                while near:
                    bit = near & -near
                    near ^= bit
                    support, entries = table[bit]
                    entry = entries[occupied & support]
                    if entry is not None:
                        influences.append(entry)
                        target &= entry[1]
                        held |= entry[2]
        free = self.full & ~own
        found: list[Reach] = []
        for index, force in enumerate(self.forces):
            bits = mine[index]
            if not bits:
                continue
            movement = force.movement
            royal = force.royal and bool(royals)
            while bits:
                bit = bits & -bits
                bits ^= bit
                if movement.plain:
                    touch, table = movement.table[bit]
                    reached = table[occupied & touch] & free  # type: ignore[operator]
                else:
                    reached = self._reached(movement, bit, view, occupied)
                if not reached:
                    continue
                if royal:
                    reached = self._safe(bit, reached, view, occupied)
                elif bit & held:
                    for entry in influences:
                        reached &= entry[3].get(bit, entry[1])
                else:
                    reached &= target
                if reached:
                    found.append((index, bit, reached))
        return found, self._specials(view, occupied, royals)

    def _reached(self, movement: Movement, bit: int, view: View, occupied: int) -> int:
        touch, table = (movement.first if bit & view.unmoved else movement.table)[bit]
        value = table[occupied & touch]
        if movement.plain:
            return value & (view.capturable | ~occupied) & self.full  # type: ignore[operator]
        if movement.split:
            quiet, capture = value  # type: ignore[misc]
            return quiet & ~occupied | capture & view.capturable
        quiet, capture, spare, destroy = value  # type: ignore[misc]
        mine = 0
        if destroy:
            for index, bits in enumerate(view.mine):
                if not self.forces[index].royal:
                    mine |= bits
        return (
            quiet & ~occupied
            | capture & view.capturable
            | spare & view.capturable & ~view.royals
            | destroy & mine & ~bit
        )

    def _safe(self, bit: int, reached: int, view: View, occupied: int) -> int:
        safe = 0
        left = occupied ^ bit
        while reached:
            step = reached & -reached
            reached ^= step
            if not self.attacked(step, view, left | step, step):
                safe |= step
        return safe

    def _tried(self, view: View, royals: int) -> tuple[list[Reach], list[Special]]:
        """Find the legal moves by making each and looking whether a royal piece can be captured."""
        occupied = view.own | view.capturable
        found: list[Reach] = []
        for index, force in enumerate(self.forces):
            bits = view.mine[index]
            while bits:
                bit = bits & -bits
                bits ^= bit
                reached = self._reached(force.movement, bit, view, occupied)
                legal = 0
                while reached:
                    step = reached & -reached
                    reached ^= step
                    special = Special(index, bit, step, step & occupied, index)
                    if self._leaves_safe(special, view, occupied, royals):
                        legal |= step
                if legal:
                    found.append((index, bit, legal))
        return found, self._specials(view, occupied, royals)

    def _leaves_safe(self, special: Special, view: View, occupied: int, royals: int) -> bool:
        if not royals:
            return True
        after = (occupied ^ special.origin) & ~special.taken | special.target
        if special.partner:
            after = after & ~special.partner | special.partner_to | special.target
        if self.forces[special.mover].royal:
            royals = royals ^ special.origin | special.target
        if royals & special.taken & ~special.target:
            return False
        while royals:
            bit = royals & -royals
            royals ^= bit
            if self.attacked(bit, view, after, special.taken):
                return False
        return True

    def _specials(self, view: View, occupied: int, royals: int) -> list[Special]:
        found: list[Special] = []
        if view.passed:
            found.extend(self._passings(view, occupied))
        if self._irregular:
            found.extend(self._in_passing(view, occupied))
        if found:
            found = [special for special in found if self._leaves_safe(special, view, occupied, royals)]
        if view.rights and self.castles:
            found.extend(self._castlings(view, occupied, royals))
        return found

    def passings(self, view: View) -> list[Special]:
        """Return the legal captures en passant on the view's passed square."""
        occupied = view.own | view.capturable
        royals = self.royals(view) if self.check else 0
        return [
            special
            for special in self._passings(view, occupied)
            if self._leaves_safe(special, view, occupied, royals)
        ]

    def _passings(self, view: View, occupied: int) -> list[Special]:
        """Return captures en passant: of pawns by any capture that is not also a quiet move, and parts with ``e``."""
        found = []
        for index, sources in self._passing[view.passed]:
            force = self.forces[index]
            bits = view.mine[index] & sources
            while bits:
                bit = bits & -bits
                bits ^= bit
                unmoved = bool(bit & view.unmoved)
                able = force.movement.en_passant(bit, occupied, unmoved=unmoved)
                if force.pawn:
                    quiet, capture, spare, _ = force.movement.targets(bit, occupied, unmoved=unmoved)
                    able |= (capture | spare) & ~quiet
                if able & view.passed:
                    found.append(Special(index, bit, view.passed, view.passed_piece, index, passing=True))
        return found

    def _in_passing(self, view: View, occupied: int) -> list[Special]:
        found = []
        mine = 0
        for bits in view.mine:
            mine |= bits
        royal = self.royals(view)
        for index in self._irregular:
            movement = self.forces[index].movement
            bits = view.mine[index]
            while bits:
                bit = bits & -bits
                bits ^= bit
                for taken, target in sorted(
                    movement.outcomes(bit, occupied, view.own, unmoved=bool(bit & view.unmoved))
                ):
                    captured = taken | (target & occupied & ~bit)
                    # Pieces that are neither capturable nor the mover's own are left alone, and so are royal ones.
                    if captured & ~(view.capturable | mine) or captured & royal:
                        continue
                    found.append(Special(index, bit, target, captured, index))
        return found

    def _castlings(self, view: View, occupied: int, royals: int) -> list[Special]:
        found = []
        for castle in self.castles:
            if view.rights & castle.right and not occupied & castle.clear:
                if royals and self.attacked(castle.king, view, occupied):
                    break
                if royals and not self._may_castle(castle, view.theirs, occupied, view):
                    continue
                partner = next(one for one in castle.partner_classes if view.mine[one] & castle.partner)
                kind = castle.king_class
                found.append(
                    Special(
                        kind, castle.king, castle.king_to, 0, kind, castle.partner, castle.partner_to, partner
                    )
                )
        return found

    def _may_castle(self, castle: Castle, theirs: list[int], occupied: int, view: View | None = None) -> bool:
        """Tell whether a king that is not in check may castle over empty squares, as far as attacks go."""
        if self.odd_foes:
            there = view or View([], theirs, 0, 0)
            return not (
                any(self.attacked(bit, there, occupied) for bit in castle.way)
                or self.attacked(castle.king_to, there, castle.after(occupied))
            )
        for square in castle.way:
            for bits, (sources, entries) in zip(theirs, self.watch[square]):  # noqa: B905 - as long by construction
                near = bits & sources
                while near:
                    bit = near & -near
                    near ^= bit
                    support, table = entries[bit]
                    entry = table[occupied & support]
                    if entry is not None and entry[0]:
                        return False
        # A hopper may attack over the partner once it has moved, or over the place the king has left.
        return self._blockers_only or not self.attacked(
            castle.king_to, View([], theirs, 0, 0), castle.after(occupied)
        )

    # Counting

    def count(self, view: View) -> int:
        """Return the number of legal moves, without making a list of them."""
        if self.tame or self.odd_foes:
            return self._count_listed(view)
        return self.tally(*view[:8])

    def tally(  # noqa: C901 - one pass, unrolled: this is where counting spends its time
        self,
        mine: list[int],
        theirs: list[int],
        own: int,
        capturable: int,
        unmoved: int,
        passed: int,
        passed_piece: int,
        rights: int,
        royals_there: int = 0,
        others: int = 0,
    ) -> int:
        """Return the number of legal moves; as :meth:`count`, with the fields of a view one by one."""
        king = mine[self._king] if self._king >= 0 else 0
        if not king or king & (king - 1):
            return self._count_listed(
                View(mine, theirs, own, capturable, unmoved, passed, passed_piece, rights, royals_there, others)
            )
        occupied = own | capturable
        free = self.full & ~own
        goal = self.full
        held = 0
        influences: list[Influence] = []
        for bits, (sources, entries) in zip(theirs, self.watch[king]):  # noqa: B905 - as long by construction
            near = bits & sources
            while near:
                bit = near & -near
                near ^= bit
                support, table = entries[bit]
                entry = table[occupied & support]
                if entry is not None:
                    influences.append(entry)
                    goal &= entry[1]
                    held |= entry[2]
        held &= own
        total = 0
        movement = self.forces[self._king].movement
        if movement.plain:
            touch, masks = movement.table[king]
            reached = masks[occupied & touch] & free
        else:
            reached = self._reached(movement, king, View(mine, theirs, own, capturable, unmoved), occupied)
        left = occupied ^ king
        while reached:
            step = reached & -reached
            reached ^= step
            there = left | step
            for bits, (sources, entries) in zip(theirs, self.watch[step]):  # noqa: B905 - as above
                near = bits & sources & ~step
                while near:
                    bit = near & -near
                    near ^= bit
                    support, table = entries[bit]
                    entry = table[there & support]
                    if entry is not None and entry[0]:
                        break
                else:
                    continue
                break
            else:
                total += 1
        if goal:
            total += self._tally_loose(mine, own, capturable, unmoved, goal, ~held)
        if held:
            total += self._tally_held(influences, held, View(mine, theirs, own, capturable, unmoved), occupied)
        if passed:
            for index, sources in self._passing[passed]:
                if mine[index] & sources:
                    break
            else:
                passed = 0
        if passed or self._irregular:
            view = View(mine, theirs, own, capturable, unmoved, passed, passed_piece, rights)
            for special in self._specials(view, occupied, king):
                total += self.weigh(special.mover, special.target)
        elif rights:
            for right, clear, castle in self._castle_tests:
                if rights & right and not occupied & clear:
                    if any(entry[0] for entry in influences):
                        break
                    total += self._may_castle(castle, theirs, occupied)
        return total

    def _tally_loose(
        self, mine: list[int], own: int, capturable: int, unmoved: int, goal: int, loose: int
    ) -> int:
        """Count moves of pieces that no attacker holds; ``goal`` is where they may go."""
        if not self._sorted:
            self._sort()
        total = 0
        occupied = own | capturable
        empty = self.full & ~occupied
        target = goal & (empty | capturable)
        for index, tables in self._plain:
            bits = mine[index] & loose
            while bits:
                bit = bits & -bits
                bits ^= bit
                touch, table = tables[bit]
                total += (table[occupied & touch] & target).bit_count()
        quiet = target & empty
        capture = target & capturable
        for index, far, (quiets, captures, boths, blocked) in self._sets:
            bits = mine[index] & loose
            ahead = bits & far
            if ahead:
                for sources, up, down in quiets:
                    total += ((ahead & sources) << up >> down & quiet).bit_count()
                for sources, up, down in captures:
                    total += ((ahead & sources) << up >> down & capture).bit_count()
                for sources, up, down in boths:
                    total += ((ahead & sources) << up >> down & target).bit_count()
                for shift in blocked:
                    total += shift.count(ahead, unmoved, empty, quiet, capture)
            if bits ^ ahead:
                view = View(mine, [], own, capturable, unmoved)
                total += self._count_singly(index, bits ^ ahead, goal, view, occupied)
        if self._others:
            view = View(mine, [], own, capturable, unmoved)
            for index in self._others:
                total += self._count_singly(index, mine[index] & loose, goal, view, occupied)
        return total

    def _count_singly(self, index: int, bits: int, goal: int, view: View, occupied: int) -> int:
        total = 0
        movement = self.forces[index].movement
        while bits:
            bit = bits & -bits
            bits ^= bit
            total += self.weigh(index, self._reached(movement, bit, view, occupied) & goal)
        return total

    def _tally_held(self, influences: list[Influence], held: int, view: View, occupied: int) -> int:
        total = 0
        for index, force in enumerate(self.forces):
            bits = view.mine[index] & held
            while bits:
                bit = bits & -bits
                bits ^= bit
                reached = self._reached(force.movement, bit, view, occupied)
                for entry in influences:
                    reached &= entry[3].get(bit, entry[1])
                total += self.weigh(index, reached)
        return total

    def _count_listed(self, view: View) -> int:
        reaches, specials = self.legal(view)
        return sum(self.weigh(index, reached) for index, _, reached in reaches) + sum(
            self.weigh(special.mover, special.target) for special in specials
        )

    def weigh(self, index: int, reached: int) -> int:
        """Return how many moves a class has with these targets: one each, or one for each promotion."""
        force = self.forces[index]
        total = reached.bit_count()
        if force.zone & reached:
            total += (force.zone & reached).bit_count() * (len(force.choices) - force.mandatory)
        return total


class _Watches(dict[int, "tuple[tuple[int, dict[int, object]], ...]"]):
    """For each royal square, what every hostile class can do to it."""

    def __init__(self, foes: tuple[Movement, ...]) -> None:
        super().__init__()
        self.foes = foes

    def __missing__(self, target: int) -> tuple[tuple[int, dict[int, object]], ...]:
        value = self[target] = tuple(foe.watch[target] for foe in self.foes)
        return value
