"""The fair-play meter: what a proposed change makes of the power of each kind of piece of each player.

Power is where pieces can go, and what they can capture there. It is compared before and after the change, on the boards
as they are now and on the same pieces spread over them, by the moves that there are own check apart: or each check that
some piece could give would be felt by all.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal, NamedTuple

from nomic_nb.chess.fairplay.attacks import MOVE_KEYS, ReachableSquares, clock_fields_of_moves, find_movers
from nomic_nb.chess.fairplay.coming_turns import describe_turns, find_moments_with_new_moves
from nomic_nb.chess.fairplay.evidence import evidence_on_board, reword_evidence
from nomic_nb.chess.fairplay.fairness import CIRCUITS_TO_COME
from nomic_nb.chess.fairplay.hypotheticals import examined_proposal, lookahead_budget, recall_or_find
from nomic_nb.chess.multiverse.geometry import each_bit
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardNames, Piece, Place
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
#: A move, as the meter compares it: the position, the round, the piece, where it goes, whether it captures.
PieceReach = tuple[int, int, int, Place, bool]
#: Moves, with the bits of all squares of one board to which a piece goes.
ReachedSquares = dict[tuple[int, int, int, str, bool], int]


@frozen
class PowerChange:
    """How a change alters the power of one player's pieces of one kind.

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
        One move that comes or goes, in words; empty if none does.
    before : int
        Moves in all positions together before the change.
    here : str
        The same as `power`, on the boards as they are now.
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
        """The total number of moves in all positions once the change is law."""
        return self.before + self.gained - self.lost


class _SampledLaw(NamedTuple):
    """The law of one state, with the positions and rounds in which moves are counted."""

    state: State
    samples: list[Multiverse]
    boards: list[str]
    circuits: int
    turns: dict[str, list[State]]


def power_changes(view: View) -> Mapping[tuple[str, str], PowerChange]:
    """Return how the proposed change alters which moves pieces have, by (player, kind of piece).

    Raises
    ------
    Undecided
        What comes of the change is open, chance apart, or the law does not say how pieces move.
    """
    with lookahead_budget(view) as then:
        once: Mapping[tuple[str, str], PowerChange] = recall_or_find(
            then, ("measures", ""), (state_of(view), examined_proposal(view)), _find_power_changes
        )
        return once


def _find_power_changes(view: View) -> Mapping[tuple[str, str], PowerChange]:
    """Return, by (player, kind of piece), how the proposed change alters their power, now and in coming turns."""
    state, change = state_of(view), examined_proposal(view).change
    clauses = {**change.to_json(), "wording": "", "title": ""}  # or one could ask in other words until it fits
    salt = hashlib.sha256(f"{state.game} {canonical_json(clauses)}".encode()).hexdigest()
    changes: dict[tuple[str, str], PowerChange] = {}
    for ended, then, anyway in find_moments_with_new_moves(view):
        for of, power_change in compare_power(view, anyway(), then, change.universe or EVERYWHERE_SCOPE, salt).items():
            changes[of] = _combine_over_time(changes[of], power_change, ended) if of in changes else power_change
    return changes


def _combine_over_time(known: PowerChange, later: PowerChange, ended: int) -> PowerChange:
    """Combine a known power change with a `later` one, found after `ended` more turns, and return the result."""
    power, here = (_classify_power(bool({"more", "mixed"} & two), bool({"less", "mixed"} & two)) for two in (
        {known.power, later.power}, {known.here, later.here}))  # fmt: skip
    sentence = known.evidence or reword_evidence(
        later.evidence, later.evidence and f"{describe_turns(ended)} {later.evidence}"
    )
    more, less = known.gained + later.gained, known.lost + later.lost
    return replace(known, power=power, here=here, gained=more, lost=less, evidence=sentence)


def compare_power(
    view: View, state: State, after: State, scope: str, salt: str
) -> Mapping[tuple[str, str], PowerChange]:
    """Return how pieces' moves differ between two states' laws, by (player, kind), in positions sampled by `salt`.

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
    standing = [piece for piece in position.pieces.values() if piece.board in boards]

    def whose(id: int) -> tuple[str, str]:
        piece = position.pieces[id]
        return position.armies[piece.army].controller, piece.kind.upper()

    could: Counter[tuple[str, str]] = Counter()
    came: defaultdict[tuple[str, str], list[PieceReach]] = defaultdict(list)
    went: defaultdict[tuple[str, str], list[PieceReach]] = defaultdict(list)
    samples = []
    if _may_have_other_moves(state, after):
        circuits = (
            CIRCUITS_TO_COME if any(clock_fields_of_moves(either_state.law) for either_state in (state, after)) else 1
        )
        asked = any(either_state.law.numbers_of_rules_about("may.move") for either_state in (state, after))
        most = (MOST_ASKED if asked else MOST_PIECES) // max(len(standing), 1) // circuits
        samples = list(_sample_positions(position, boards, max(1, min(SAMPLE_COUNT, most)), salt))
        tried = [
            _SampledLaw(either_state.replace(position=position), samples, boards, circuits, {})
            for either_state in (state, after)
        ]
        for army in position.armies:
            seen: dict[BoardNames, list[ReachableSquares]] = {}
            old, new = (_find_reached_squares(view, sampled_law, army, seen) for sampled_law in tried)
            for (_, _, id, _, _), squares in old.items():
                could[whose(id)] += squares.bit_count()
            for more, less, moves_by_kind in ((new, old, came), (old, new, went)):
                for move in sorted(_find_extra_moves(more, less)):
                    moves_by_kind[whose(move[2])].append(move)

    def measured(of: tuple[str, str], count: int) -> PowerChange:
        gained, lost = came[of], went[of]
        here = (any(reach[0] == 0 for reach in some) for some in (gained, lost))
        told = ((gained, "could"), (lost, "could no longer"))
        sentences = [_describe_changed_move(position, samples, some[0], can) for some, can in told if some]
        sentence = reword_evidence((*sentences, "")[0], "; ".join(sentences))  # of two, the first is shown
        power = _classify_power(bool(gained), bool(lost))
        return PowerChange(*of, count, power, len(gained), len(lost), sentence, could[of], _classify_power(*here))

    return {of: measured(of, count) for of, count in Counter(whose(piece.id) for piece in standing).items()}


def _classify_power(more: bool, less: bool) -> Power:
    """Return “more”, “less”, “mixed” or “same”, by whether moves are gained (`more`) and lost (`less`)."""
    return "mixed" if more and less else "more" if more else "less" if less else "same"


def _describe_changed_move(position: Multiverse, samples: list[Multiverse], move: PieceReach, can: str) -> str:
    """Return in words a changed move and its position; `can` is “could” or “could no longer”."""
    sample, _, id, target, captures = move
    multiverse, name = samples[sample], position.name(*target)
    piece, taken = multiverse.pieces[id], multiverse.standing[target[0]].get(target[1])
    placed = ", in one of the positions tried," if sample else ""
    what = f"the {kind_name(taken.kind)}" if taken else "en passant"
    taking = f"capture {what} on {name}" if captures else f"go to {name}"
    where = f"{piece.army}’s {kind_name(piece.kind)} on {multiverse.name(*piece.place)}"
    return evidence_on_board(f"{where}{placed} {can} {taking}", multiverse, [(piece.place, target)])


def _may_have_other_moves(state: State, after: State) -> bool:
    """Tell whether anything that decides which moves there are differs between two states."""
    if any(_clauses_with_scope(state.law, key) != _clauses_with_scope(after.law, key) for key in MOVE_KEYS):
        return True
    read = {
        name
        for either_state in (state, after)
        for key in MOVE_KEYS
        for name in either_state.law.dependence.fields_read(key)
    }
    return any(name in read and getattr(state, name) is not getattr(after, name) for name in ("players", "tables"))


def _clauses_with_scope(law: Law, key: str) -> list[tuple[object, ...]]:
    """Return the clauses that decide a key, as (rule id, its scope, universes where it is repealed, clause text)."""
    clauses = (source for sources in law.dependence.clauses_behind_keys(key).values() for source in sources)
    return [(source.rule.id, source.rule.scope, source.rule.lifted, set_clause_of(source).words) for source in clauses]


def _sample_positions(position: Multiverse, boards: list[str], count: int, salt: str) -> Iterator[Multiverse]:
    """Yield `count` positions: the boards as they are now, then with pieces shuffled by `salt`, fairly for all."""
    yield position
    for number in range(1, count):
        pieces = dict(position.pieces)
        for board in boards:
            for piece, square in _shuffle_pieces(position, board, f"{salt} {number}"):
                there = piece.id, piece.kind, piece.army, piece.board, square, piece.home, piece.born
                pieces[piece.id] = Piece(*there, bool(number % 2), piece.royal)
        yield replace(position, pieces=pieces, passings=())


def _shuffle_pieces(position: Multiverse, board: str, salt: str) -> Iterator[tuple[Piece, int]]:
    """Yield each piece on a board with a random square number; equal salt and pieces give equal squares.

    Pieces of a kind that face each other stay on opposite squares, so chance favours nobody.
    """
    geometry = position.boards[board].geometry
    chance = random.Random(salt)  # noqa: S311 - the same positions whenever it is played again
    free = dict.fromkeys(chance.sample(geometry.squares, len(geometry.squares)))
    sides: dict[str, tuple[list[Piece], list[Piece]]] = {}
    for piece in sorted(
        position.standing[board].values(), key=lambda standing_piece: (standing_piece.kind.upper(), standing_piece.id)
    ):
        sides.setdefault(piece.kind.upper(), ([], []))[position.armies[piece.army].far].append(piece)
    alone: list[Piece] = []
    for near, far in sides.values():
        for near_piece, other in zip(near, far, strict=False):
            square = next((at for at in free if at != geometry.size - 1 - at in free), None)
            if square is None:  # holes face it, or pieces of which there is no other
                alone += (near_piece, other)
                continue
            for piece, at in ((near_piece, square), (other, geometry.size - 1 - square)):
                del free[at]
                yield piece, at
        alone += (*near[len(far) :], *far[len(near) :])
    yield from zip(alone, free, strict=False)


def _find_reached_squares(
    view: View, tried: _SampledLaw, army: str, seen: dict[BoardNames, list[ReachableSquares]]
) -> ReachedSquares:
    """Return the squares that an army's pieces reach in sampled positions; reuse and fill `seen`, by boards.

    Boards are not looked at again under another law.
    """
    reaches: ReachedSquares = {}
    samples = tried.samples
    for mover, turns in find_movers(view, tried.state, army, tried.boards, tried.circuits, begun=tried.turns):
        if not mover.asks:
            here = mover.squares(turns[0], samples, seen.get(mover.boards))
            if here:
                seen[mover.boards] = here
            for number, seen_squares in enumerate(here):
                for (piece, board, captures), squares in seen_squares.squares.items():
                    for turn in turns:
                        key = number, turn.circuit, piece, board, captures
                        reaches[key] = reaches.get(key, 0) | squares
            continue
        for number, sample in enumerate(samples):
            placed = [state.replace(position=sample) for state in turns]
            for move in mover.pseudo_legal_moves(placed[0]):
                for turn in (state for state in placed if mover.rules_permit(state, move)):
                    key = number, turn.circuit, move.piece, move.target[0], bool(move.taken)
                    reaches[key] = reaches.get(key, 0) | 1 << move.target[1]
    return reaches


def _find_extra_moves(more: ReachedSquares, less: ReachedSquares) -> Iterator[PieceReach]:
    """Yield the moves that are in `more` but not in `less`."""
    for key, squares in more.items():
        number, circuit, piece, board, captures = key
        for bit in each_bit(squares & ~less.get(key, 0)):
            yield number, circuit, piece, (board, bit.bit_length() - 1), captures


# ----------------------------------------------------------------------------------- what rules can say about it

FORCE = Type("force")


def _list_forces(view: View) -> Value:
    """Return references to all forces (the pieces of one player and kind) where the proposed change holds."""
    return tuple(ThingRef("force", f"{player} {kind}") for player, kind in sorted(power_changes(view)))


@function(
    "the pieces of one kind that a player has where the proposed change applies, if any",
    PLAYER, KIND_TYPE,
    gives=FORCE,
)  # fmt: skip
def _force_of(_: View, player: str, kind: str) -> str:
    return f"{player} {kind}"


def _power_change_of(view: View, id: int | str) -> PowerChange:
    """Return how the proposed change alters the power of a force, whose id is a player and a kind: “Ann N”."""
    player, _, kind = str(id).rpartition(" ")
    return power_changes(view).get((player, kind)) or PowerChange(player, kind, 0, "same")


def _power_of_force(view: View, id: int | str) -> Value:
    """Return whether a force has “more”, “less”, “same” or “mixed” power after the change; note evidence."""
    power_change = _power_change_of(view, id)
    if power_change.power != "same":
        view.evidence["power"] = _describe_power(view, power_change)
    return power_change.power


def _describe_power(view: View, power_change: PowerChange) -> str:
    """Return the evidence for a power change in words: how many pieces each player has, and a move gained or lost."""
    known = power_changes(view)
    owners = [name for name in state_of(view).players if any(name == who for who, _ in known)]
    counts = (
        (name, known[name, power_change.kind].count if (name, power_change.kind) in known else 0) for name in owners
    )
    others = ", ".join(f"{name} {count or 'none'}" for name, count in counts)
    sentence = f"{kind_name(power_change.kind)}s ({others}): {power_change.evidence}"
    return reword_evidence(power_change.evidence, sentence)


def _power_of_force_here(view: View, id: int | str) -> Value:
    """Return how a force's power changes (“more”, “less” …) on the boards as they are now; note evidence."""
    power_change = _power_change_of(view, id)
    if power_change.here != "same":
        view.evidence["power"] = _describe_power(view, power_change)
    elif power_change.power != "same":
        kinds = f"{kind_name(power_change.kind)}s"
        view.evidence["here"] = f"in the current position, it makes no difference to {power_change.player}’s {kinds}"
    return power_change.here


def _leads_over_others(view: View, id: int | str) -> set[int]:
    """Return a force's leads over the other players' pieces of its kind, in pieces; negative if it has fewer."""
    own = _power_change_of(view, id)
    others = {player for player, _ in power_changes(view)} - {own.player}
    return {own.count - _power_change_of(view, f"{name} {own.kind}").count for name in others}


def _find_uneven_kinds(view: View) -> Value:
    """Return the kinds of pieces of which the proposed change gives or takes unequal numbers among players."""
    scope = examined_proposal(view).change.universe or EVERYWHERE_SCOPE

    def owned(position: Multiverse) -> Counter[tuple[str, str]]:
        standing = (piece for piece in position.pieces.values() if scope in (EVERYWHERE_SCOPE, piece.board))
        return Counter((position.armies[piece.army].controller, piece.kind.upper()) for piece in standing)

    for ended, then, anyway in find_moments_with_new_moves(view):
        had, have = owned(multiverse_of(anyway())), owned(multiverse_of(then))
        owners = {player for player, _ in had}
        kinds = sorted({kind for _, kind in (*had, *have)})
        uneven = tuple(kind for kind in kinds if len({have[name, kind] - had[name, kind] for name in owners}) > 1)
        if uneven:
            view.evidence["uneven"] = f"{describe_turns(ended)} it gives or takes different numbers of them"
            return uneven
    return ()


FACTS = (
    Fact("uneven", list_type(KIND_TYPE),
    "the kinds of piece that the proposed change treats unevenly: at once or by itself in the next five rounds, it "
    "gives different numbers of them to players who have pieces where it applies, or takes different numbers from "
    "them",
         ALL_FIELDS, _find_uneven_kinds, ("proposal",)),
    Fact("forces", list_type(FORCE), "each player's pieces by kind, where the proposed change applies",
                                     ALL_FIELDS,
         _list_forces, ("proposal",)),
)  # fmt: skip

RECORDS = (
    Record("force", "the pieces of one kind that one player has, where the proposed change applies", (
        Field("owner", PLAYER, "the player who has them", (),
              lambda _, id: ThingRef("player", str(id).rpartition(" ")[0]),
              traits="alike shown steady"),
        Field("kind", KIND_TYPE, "their kind, a capital letter", (), lambda _, id: str(id).rpartition(" ")[2],
              traits="alike shown steady settled"),
        *declare_fields(_power_change_of, ALL_FIELDS, ("count", NUMBER, "the number of them on the boards", "moved")),
        Field("power", text_type(TEXT, POWERS),
        "whether, once the change is law, they can move to and capture on more squares, on fewer, on the same "
        "ones, or on some new ones but no longer on some old ones", ALL_FIELDS, _power_of_force),
        Field("here", text_type(TEXT, POWERS), "the same, but only on the boards as they are now",
              ALL_FIELDS, _power_of_force_here),
        Field("leads", TRUTH, "whether another player with pieces there has fewer of that kind", ALL_FIELDS,
              lambda view, id: max(_leads_over_others(view, id), default=0) > 0),
        Field("trails", TRUTH, "whether another player with pieces there has more of that kind", ALL_FIELDS,
              lambda view, id: min(_leads_over_others(view, id), default=0) < 0),
    )),
)  # fmt: skip
