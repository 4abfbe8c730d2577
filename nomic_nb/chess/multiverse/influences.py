"""What a piece that could attack a royal square allows the other side: pins, evasions, hurdles."""

from __future__ import annotations

from nomic_nb.chess.multiverse.geometry import each, union
from nomic_nb.chess.multiverse.paths import Path
from nomic_nb.chess.multiverse.walks import Needs, missed

#: What an attacker allows: (attacks now, squares open to others, pieces it holds, squares open to each of
#: those)
Influence = tuple[bool, int, int, dict[int, int]]


def support_of(paths: list[Path], walks: list[Needs], target: int) -> int:
    """Return the squares on which it depends whether the target is captured."""
    return union([*(path.support(target) for path in paths), *(union(needs) for needs in walks)]) & ~target


def blocked(bit: int, support: int, full: int, held: int) -> Influence | None:
    """Return what an attacker allows whose one path any piece blocks; see `allowance`."""
    if held & (held - 1):  # two blockers: taking one away, or adding others, makes no difference
        return None
    return (False, full, held, {held: support & ~held | bit}) if held else (True, support | bit, 0, {})


def allowance(
    paths: list[Path], walks: list[Needs], bit: int, target: int, support: int, full: int, side: int, held: int
) -> Influence | None:
    """Return what an attacker allows the other side, or None where it is harmless.

    The answer is (attacks now, squares a piece from elsewhere may go to, pieces that are not as free as
    others, where each of those may go). It says whether the target is safe after one ordinary move, so
    it serves as pin, as evasion and as the ban on becoming a hopper's hurdle. ``side`` are the pieces that the
    attacker's side has on squares on which it matters whose they are.
    """
    # One move changes two squares, so what misses more does not come about by it.
    near = [needs for needs in walks if missed(needs, held, side).bit_count() <= 2]

    def hits(occupied: int, own: int) -> bool:
        return any(not missed(needs, occupied, own) for needs in near) or any(
            path.reach(occupied | target) & target for path in paths
        )

    arrivals = list(each(support & ~held | side))

    def safe(occupied: int) -> int:
        """Return where a piece may arrive so that the attack does not get through."""
        found = 0 if hits(occupied, side) else full
        for square in arrivals:
            if hits(occupied | square, side & ~square):
                found &= ~square
            else:
                found |= square
        return found | bit

    now, general = hits(held, side), safe(held)
    bound: dict[int, int] = {}
    held_bits = 0
    for leaver in each(held & ~side):
        allowed = safe(held ^ leaver)
        if allowed != general:
            bound[leaver] = allowed
            held_bits |= leaver
    if not now and general == full and not bound:
        return None
    return now, general, held_bits, bound
