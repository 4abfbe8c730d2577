"""The fair-play meter: what a change at hand makes of the power of each kind of piece of each player.

Power is where pieces can go, and what they can capture there. It is compared before and after the change, on the boards
as they stand and on the same pieces spread over them, by the moves that there are own check apart: or each check that
some piece could give would be felt by all.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal, NamedTuple

from nomic_nb.chess.fairplay.attacks import MOVE_KEYS, SeenSquares, clock_facts_of_moves, find_movers
from nomic_nb.chess.fairplay.coming_turns import describe_turns, find_moments
from nomic_nb.chess.fairplay.fairness import CIRCUITS_TO_COME
from nomic_nb.chess.fairplay.hypotheticals import find_once, lookahead_budget, proposal_at_hand
from nomic_nb.chess.multiverse.geometry import each_bit
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import Piece
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.records import KIND_TYPE, function, kind_name
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.findings import set_clause_of
from nomic_nb.engine.law.nodes import View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import EVERYWHERE_SCOPE
from nomic_nb.engine.law.values import NUMBER, TEXT, TRUTH, ThingRef, Type, Value, list_type, text_type
from nomic_nb.engine.law.vocabulary import ALL_FIELDS, Fact, Field, Record
from nomic_nb.engine.play.declarations import declare_fields
from nomic_nb.engine.play.events import canonical_json
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.values import PLAYER

#: Positions that are tried for boards: the one that stands, and others with the same pieces.
SAMPLE_COUNT = 8
#: Pieces that are looked at in all positions together, and where rules forbid moves, each of which is asked about.
MOST_PIECES, MOST_ASKED = 1_500, 800
#: What the power of a kind can be afterwards, compared with before.
POWERS = ("more", "less", "same", "mixed")

Power = Literal["more", "less", "same", "mixed"]
#: A move, as the meter compares it: the position, the circuit, the piece, where it goes, whether it captures.
PieceReach = tuple[int, int, int, tuple[str, int], bool]
#: Moves, with the bits of all squares of one board to which a piece goes.
ReachCounts = dict[tuple[int, int, int, str, bool], int]


@frozen
class PowerChange:
    """What a change makes of the pieces of one kind that one player has, where the change holds.

    Parameters
    ----------
    player, kind : str
        Whose pieces, and which; a capital letter.
    count : int
        How many there are on the boards.
    power : str
        ``more``, ``less``, ``same``, or ``mixed`` where some moves come and others go.
    gained, lost : int
        Moves in all positions together that come, and that go.
    evidence : str
        One move that comes or goes, in words; empty where none does.
    before : int
        Moves in all positions together before the change.
    here : str
        The same as `power`, on the boards as they stand.
    """

    player: str
    kind: str
    count: int
    power: Power
    gained: int = 0
    lost: int = 0
    evidence: str = ""
    before: int = 0
    here: Power = "same"

    @property
    def after(self) -> int:
        """Moves in all positions together once it is law."""
        return self.before + self.gained - self.lost


class _SampledLaw(NamedTuple):
    """Positions and circuits in which the law of a state is looked at, and the turns to come that are known by now."""

    state: State
    samples: list[Multiverse]
    boards: list[str]
    circuits: int
    turns: dict[str, list[State]]


def power_changes(view: View) -> Mapping[tuple[str, str], PowerChange]:
    """Return what the change at hand makes of each kind of each player's, by player and kind.

    Raises
    ------
    Undecided
        What comes of the change is open, chance apart, or the law does not say how pieces move.
    """
    with lookahead_budget(view) as then:
        found: Mapping[tuple[str, str], PowerChange] = find_once(
            then, ("measures", ""), (state_of(view), proposal_at_hand(view)), _find_power_changes
        )
        return found


def _find_power_changes(view: View) -> Mapping[tuple[str, str], PowerChange]:
    state, change = state_of(view), proposal_at_hand(view).change
    clauses = {**change.to_json(), "wording": "", "title": ""}  # or one could ask in other words until it fits
    salt = hashlib.sha256(f"{state.game} {canonical_json(clauses)}".encode()).hexdigest()
    found: dict[tuple[str, str], PowerChange] = {}
    for ended, then, anyway in find_moments(view):
        for of, one in compare_power(view, anyway(), then, change.universe or EVERYWHERE_SCOPE, salt).items():
            found[of] = _combine_over_time(found[of], one, ended) if of in found else one
    return found


def _combine_over_time(known: PowerChange, later: PowerChange, ended: int) -> PowerChange:
    """Return what a change makes of pieces at some time, if it also makes this of them after so many turns."""
    power, here = (_classify_power(bool({"more", "mixed"} & two), bool({"less", "mixed"} & two)) for two in (
        {known.power, later.power}, {known.here, later.here}))  # fmt: skip
    said = known.evidence or (later.evidence and f"{describe_turns(ended)} {later.evidence}")
    more, less = known.gained + later.gained, known.lost + later.lost
    return replace(known, power=power, here=here, gained=more, lost=less, evidence=said)


def compare_power(
    view: View, state: State, after: State, scope: str, salt: str
) -> Mapping[tuple[str, str], PowerChange]:
    """Compare the power of kinds of pieces under the law of two states, on the boards of the first.

    Parameters
    ----------
    view : View
        The evaluation that asks; its budget is used.
    state, after : State
        Before the change, and after it.
    scope : str
        ``everywhere``, or the universe that the change is for.
    salt : str
        From which the positions follow that are tried; the same text gives the same ones.
    """
    position = multiverse_of(state)
    boards = [name for name in position.boards if scope in (EVERYWHERE_SCOPE, name)]
    standing = [one for one in position.pieces.values() if one.board in boards]

    def whose(id: int) -> tuple[str, str]:
        piece = position.pieces[id]
        return position.armies[piece.army].controller, piece.kind.upper()

    could: Counter[tuple[str, str]] = Counter()
    came: defaultdict[tuple[str, str], list[PieceReach]] = defaultdict(list)
    went: defaultdict[tuple[str, str], list[PieceReach]] = defaultdict(list)
    samples: list[Multiverse] = []
    if _has_other_moves(state, after):
        circuits = CIRCUITS_TO_COME if any(clock_facts_of_moves(one.law) for one in (state, after)) else 1
        asked = any(one.law.rules_about("may.move") for one in (state, after))
        most = (MOST_ASKED if asked else MOST_PIECES) // max(len(standing), 1) // circuits
        samples = list(_sample_positions(position, boards, max(1, min(SAMPLE_COUNT, most)), salt))
        tried = [_SampledLaw(one.replace(position=position), samples, boards, circuits, {}) for one in (state, after)]
        for army in position.armies:
            seen: dict[tuple[str, ...], list[SeenSquares]] = {}
            old, new = (_count_reaches(view, one, army, seen) for one in tried)
            for (_, _, id, _, _), squares in old.items():
                could[whose(id)] += squares.bit_count()
            for more, less, found in ((new, old, came), (old, new, went)):
                for move in sorted(_find_extra_moves(more, less)):
                    found[whose(move[2])].append(move)

    def measured(of: tuple[str, str], count: int) -> PowerChange:
        gained, lost = came[of], went[of]
        here = (any(one[0] == 0 for one in some) for some in (gained, lost))
        told = ((gained, "could"), (lost, "could no longer"))
        said = "; ".join(_describe_move(position, samples, some[0], can) for some, can in told if some)
        power = _classify_power(bool(gained), bool(lost))
        return PowerChange(*of, count, power, len(gained), len(lost), said, could[of], _classify_power(*here))

    return {of: measured(of, count) for of, count in Counter(whose(one.id) for one in standing).items()}


def _classify_power(more: bool, less: bool) -> Power:
    return "mixed" if more and less else "more" if more else "less" if less else "same"


def _describe_move(position: Multiverse, samples: list[Multiverse], move: PieceReach, can: str) -> str:
    """Say a move that comes or goes, and in which position it does."""
    sample, _, id, target, captures = move
    there, name = samples[sample], position.name(*target)
    piece, taken = there.pieces[id], there.standing[target[0]].get(target[1])
    placed = ", in a position that was tried," if sample else ""
    what = f"the {kind_name(taken.kind)}" if taken else "in passing"
    taking = f"capture {what} on {name}" if captures else f"go to {name}"
    where = f"the {kind_name(piece.kind)} of {piece.army} on {there.name(piece.board, piece.square)}"
    return f"{where}{placed} {can} {taking}"


def _has_other_moves(state: State, after: State) -> bool:
    """Tell whether anything that bears on moves is another thing afterwards."""
    if any(_clauses_with_scope(state.law, key) != _clauses_with_scope(after.law, key) for key in MOVE_KEYS):
        return True
    read = {name for one in (state, after) for key in MOVE_KEYS for name in one.law.dependence.fields_read(key)}
    return any(name in read and getattr(state, name) is not getattr(after, name) for name in ("players", "tables"))


def _clauses_with_scope(law: Law, key: str) -> list[tuple[object, ...]]:
    """Return the clauses behind a key, with where their rules hold."""
    found = (source for sources in law.dependence.behind(key).values() for source in sources)
    return [(one.rule.id, one.rule.scope, one.rule.lifted, set_clause_of(one).words) for one in found]


def _sample_positions(position: Multiverse, boards: list[str], count: int, salt: str) -> Iterator[Multiverse]:
    """Yield the boards as they stand, then with the same pieces spread over them, alike for all who have the same."""
    yield position
    for number in range(1, count):
        pieces = dict(position.pieces)
        for board in boards:
            for piece, square in _shuffle_pieces(position, board, f"{salt} {number}"):
                there = piece.id, piece.kind, piece.army, piece.board, square, piece.home, piece.born
                pieces[piece.id] = Piece(*there, bool(number % 2), piece.royal)
        yield replace(position, pieces=pieces, passings=())


def _shuffle_pieces(position: Multiverse, board: str, salt: str) -> Iterator[tuple[Piece, int]]:
    """Yield the pieces on a board with squares by chance, the same ones on boards with the same pieces.

    Two of a kind that face each other stand on squares that do: so that chance favours nobody.
    """
    geometry = position.boards[board].geometry
    chance = random.Random(salt)  # noqa: S311 - the same positions whenever it is played again
    free = dict.fromkeys(chance.sample(geometry.squares, len(geometry.squares)))
    sides: dict[str, tuple[list[Piece], list[Piece]]] = {}
    for piece in sorted(position.standing[board].values(), key=lambda one: (one.kind.upper(), one.id)):
        sides.setdefault(piece.kind.upper(), ([], []))[position.armies[piece.army].far].append(piece)
    alone: list[Piece] = []
    for near, far in sides.values():
        for one, other in zip(near, far, strict=False):
            square = next((at for at in free if at != geometry.size - 1 - at in free), None)
            if square is None:  # holes face it, or pieces of which there is no other
                alone += (one, other)
                continue
            for piece, at in ((one, square), (other, geometry.size - 1 - square)):
                del free[at]
                yield piece, at
        alone += (*near[len(far) :], *far[len(near) :])
    yield from zip(alone, free, strict=False)


def _count_reaches(
    view: View, tried: _SampledLaw, army: str, seen: dict[tuple[str, ...], list[SeenSquares]]
) -> ReachCounts:
    """Return all that the pieces of an army can do in positions, in circuits to come where that matters.

    What was seen of boards is not looked at anew under another law.
    """
    found: ReachCounts = {}
    samples = tried.samples
    for mover, turns in find_movers(view, tried.state, army, tried.boards, tried.circuits, begun=tried.turns):
        if not mover.asks:
            here = mover.squares(turns[0], samples, seen.get(mover.boards))
            if here:
                seen[mover.boards] = here
            for number, one in enumerate(here):
                for (piece, board, captures), squares in one.squares.items():
                    for turn in turns:
                        key = number, turn.circuit, piece, board, captures
                        found[key] = found.get(key, 0) | squares
            continue
        for number, sample in enumerate(samples):
            placed = [one.replace(position=sample) for one in turns]
            for move in mover.any_moves(placed[0]):
                for turn in (one for one in placed if mover.permits(one, move)):
                    key = number, turn.circuit, move.piece, move.target[0], bool(move.taken)
                    found[key] = found.get(key, 0) | 1 << move.target[1]
    return found


def _find_extra_moves(more: ReachCounts, less: ReachCounts) -> Iterator[PieceReach]:
    """Yield the moves that are only among the first."""
    for key, squares in more.items():
        number, circuit, piece, board, captures = key
        for bit in each_bit(squares & ~less.get(key, 0)):
            yield number, circuit, piece, (board, bit.bit_length() - 1), captures


# ----------------------------------------------------------------------------------- what rules can say of it

FORCE = Type("force")


def _list_forces(view: View) -> Value:
    return tuple(ThingRef("force", f"{player} {kind}") for player, kind in sorted(power_changes(view)))


@function(
    "the pieces of one kind that a player has where the change at hand holds; there may be none", PLAYER, KIND_TYPE,
    gives=FORCE,
)  # fmt: skip
def _force_of(_: View, player: str, kind: str) -> str:
    return f"{player} {kind}"


def _power_change_of(view: View, id: int | str) -> PowerChange:
    player, _, kind = str(id).rpartition(" ")
    return power_changes(view).get((player, kind)) or PowerChange(player, kind, 0, "same")


def _describe_force(view: View, id: int | str) -> Value:
    found = _power_change_of(view, id)
    if found.power != "same":
        view.evidence["power"] = _describe_power(view, found)
    return found.power


def _describe_power(view: View, found: PowerChange) -> str:
    """Return how many of a kind each player has where the change holds, and one move that comes or goes."""
    known = power_changes(view)
    owners = [name for name in state_of(view).players if any(name == who for who, _ in known)]
    counts = ((name, known[name, found.kind].count if (name, found.kind) in known else 0) for name in owners)
    others = ", ".join(f"{name} {count or 'none'}" for name, count in counts)
    return f"{kind_name(found.kind)}s ({others}): {found.evidence}"


def _power_change_here(view: View, id: int | str) -> Value:
    found = _power_change_of(view, id)
    if found.here != "same":
        view.evidence["power"] = _describe_power(view, found)
    elif found.power != "same":
        kinds = f"{kind_name(found.kind)}s"
        view.evidence["here"] = f"on the boards as they stand, it makes no difference to {found.player}’s {kinds}"
    return found.here


def _lead_over_others(view: View, id: int | str) -> set[int]:
    """Return how many more a player has than each other one with pieces there."""
    own = _power_change_of(view, id)
    others = {player for player, _ in power_changes(view)} - {own.player}
    return {own.count - _power_change_of(view, f"{name} {own.kind}").count for name in others}


def _find_uneven_kinds(view: View) -> Value:
    """Return the kinds of pieces of which the change at hand gives, or takes from, some more than others."""
    scope = proposal_at_hand(view).change.universe or EVERYWHERE_SCOPE

    def owned(position: Multiverse) -> Counter[tuple[str, str]]:
        standing = (one for one in position.pieces.values() if scope in (EVERYWHERE_SCOPE, one.board))
        return Counter((position.armies[one.army].controller, one.kind.upper()) for one in standing)

    for ended, then, anyway in find_moments(view):
        had, have = owned(multiverse_of(anyway())), owned(multiverse_of(then))
        owners = {player for player, _ in had}
        kinds = sorted({kind for _, kind in (*had, *have)})
        found = tuple(one for one in kinds if len({have[name, one] - had[name, one] for name in owners}) > 1)
        if found:
            view.evidence["uneven"] = f"{describe_turns(ended)} it gives, or takes, other numbers of them"
            return found
    return ()


FACTS = (
    Fact("uneven", list_type(KIND_TYPE),
    "the kinds of pieces of which the change at hand, at once or by itself in the next "
         "five circuits, gives more to some than to others who have pieces where it holds, or takes more from them",
         ALL_FIELDS, _find_uneven_kinds, ("proposal",)),
    Fact("forces", list_type(FORCE), "the kinds of pieces of each player, where the change at hand holds", ALL_FIELDS,
         _list_forces, ("proposal",)),
)  # fmt: skip

RECORDS = (
    Record("force", "the pieces of one kind that one player has, where the change at hand holds", (
        Field("owner", PLAYER, "whose they are", (), lambda _, id: ThingRef("player", str(id).rpartition(" ")[0]),
              traits="alike shown steady"),
        Field("kind", KIND_TYPE, "their kind, a capital letter", (), lambda _, id: str(id).rpartition(" ")[2],
              traits="alike shown steady settled"),
        *declare_fields(_power_change_of, ALL_FIELDS, ("count", NUMBER, "the number of them on the boards", "moved")),
        Field("power", text_type(TEXT, POWERS),
        "whether they can go to, and capture on, more or fewer squares once it is "
              "law, the same, or some that are new and some no more", ALL_FIELDS, _describe_force),
        Field("here", text_type(TEXT, POWERS), "the same on the boards as they stand, whatever is so elsewhere",
              ALL_FIELDS, _power_change_here),
        Field("leads", TRUTH, "whether some other player with pieces there has fewer of the kind", ALL_FIELDS,
              lambda view, id: max(_lead_over_others(view, id), default=0) > 0),
        Field("trails", TRUTH, "whether some other player with pieces there has more of the kind", ALL_FIELDS,
              lambda view, id: min(_lead_over_others(view, id), default=0) < 0),
    )),
)  # fmt: skip
