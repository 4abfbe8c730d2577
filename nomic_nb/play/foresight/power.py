"""The fair-play meter: what a change at hand makes of the power of each kind of piece of each player.

Power is where pieces can go, and what they can capture there. It is compared before and after the change, on the boards
as they stand and on the same pieces spread over them, by the moves that there are own check apart: or each check that
some piece could give would be felt by all.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

from nomic_nb.law.expressions import CHANCE_APART
from nomic_nb.law.findings import as_set
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import EVERYWHERE
from nomic_nb.law.values import NUMBER, TEXT, TRUTH, Ref, Type, Value, list_of, worded
from nomic_nb.law.view import METER, View
from nomic_nb.law.vocabulary import EVERYTHING, Fact, Field, Function, Record
from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.multiverse.pieces import BoardMove
from nomic_nb.multiverse.terms import NAMES
from nomic_nb.play.cases import PLAYER
from nomic_nb.play.chess.keys import KIND
from nomic_nb.play.chess.records import one_ref
from nomic_nb.play.chess.terms import TERMS
from nomic_nb.play.events import canonical
from nomic_nb.play.foresight.remembering import looking_ahead
from nomic_nb.play.foresight.supposing import afterwards, proposal_at_hand
from nomic_nb.play.foresight.threats import HOW_OFTEN, TO_COME, movers_of, told_by_the_clock
from nomic_nb.play.state import State, state_of

#: Positions that are tried for boards: the one that stands, and others with the same pieces.
SAMPLES = 8
#: Pieces that are looked at in all positions together, and where rules forbid moves, each of which is asked about.
MOST_PIECES, MOST_ASKED = 2_000, 800
#: What the power of a kind can be afterwards, compared with before.
POWERS = ("more", "less", "same", "mixed")
#: Terms that bear on which moves there are.
BEARING = frozenset((*TERMS, *HOW_OFTEN, "may.move"))

Power = Literal["more", "less", "same", "mixed"]
#: A move, as the meter compares it: the position, the circuit, the piece, where it goes, whether it captures.
Reach = tuple[int, int, int, tuple[str, int], bool]


@dataclass(frozen=True)
class Measure:
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
    """

    player: str
    kind: str
    count: int
    power: Power
    gained: int = 0
    lost: int = 0
    evidence: str = ""
    before: int = 0

    @property
    def after(self) -> int:
        """Moves in all positions together once it is law."""
        return self.before + self.gained - self.lost


#: The last answer, with what it was asked of and the steps it took.
_KNOWN: dict[str, tuple[State, object, Mapping[tuple[str, str], Measure], int]] = {}


def measures(view: View) -> Mapping[tuple[str, str], Measure]:
    """Return what the change at hand makes of each kind of each player's, by player and kind.

    Raises
    ------
    Undecided
        What comes of the change is open, chance apart, or the law does not say how pieces move.
    """
    with looking_ahead(view) as then:
        return _measures(then)


def _measures(view: View) -> Mapping[tuple[str, str], Measure]:
    state, proposal = state_of(view), proposal_at_hand(view)
    known, meter = _KNOWN.get("last"), METER.get()
    if known is not None and known[0] is state and known[1] is proposal:
        if meter is not None:
            meter.charge_once(known[2], known[3], view.part)
        return known[2]
    before = meter.left if meter is not None else 0
    after, _ = afterwards(view, CHANCE_APART)
    scope = proposal.change.universe or EVERYWHERE
    salt = hashlib.sha256(f"{state.game} {canonical(proposal.change.to_json())}".encode()).hexdigest()
    found = measure(view, state, cast(State, after), scope, salt)
    if meter is None or not meter.anew:
        _KNOWN["last"] = (state, proposal, found, before - meter.left if meter is not None else 0)
    if meter is not None:
        meter.pay(found)
    return found


def measure(view: View, state: State, after: State, scope: str, salt: str) -> Mapping[tuple[str, str], Measure]:
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
    position = state.multiverse
    boards = [name for name in position.boards if scope in (EVERYWHERE, name)]
    standing = [one for one in position.pieces.values() if one.board in boards]
    counts: dict[tuple[str, str], int] = {}
    for piece in standing:
        whose = position.armies[piece.army].controller, piece.kind.upper()
        counts[whose] = counts.get(whose, 0) + 1
    came: dict[tuple[str, str], list[Reach]] = {}
    went: dict[tuple[str, str], list[Reach]] = {}
    could: dict[tuple[str, str], int] = {}
    samples: list[Multiverse] = []
    if _differ(state, after):
        samples = list(_positions(position, boards, _how_many(state, after, len(standing)), salt))
        circuits = TO_COME if any(told_by_the_clock(one.law) for one in (state, after)) else 1
        for army in position.armies.values():
            mine = [_reaches(view, one, army.name, samples, boards, circuits) for one in (state, after)]
            for move in mine[0]:
                whose = army.controller, position.pieces[move[2]].kind.upper()
                could[whose] = could.get(whose, 0) + 1
            for moves, found in ((mine[1] - mine[0], came), (mine[0] - mine[1], went)):
                for move in sorted(moves):
                    kind = position.pieces[move[2]].kind.upper()
                    found.setdefault((army.controller, kind), []).append(move)
    return {
        whose: replace(
            _measured(position, samples, *whose, count, came.get(whose, []), went.get(whose, [])),
            before=could.get(whose, 0),
        )
        for whose, count in counts.items()
    }


def _measured(
    position: Multiverse, samples: list[Multiverse], player: str, kind: str, count: int, came: list[Reach],
    went: list[Reach],
) -> Measure:  # fmt: skip
    power: Power = "mixed" if came and went else "more" if came else "less" if went else "same"
    said = [_told(position, samples, some[0], verb) for some, verb in ((came, "now"), (went, "no longer")) if some]
    return Measure(player, kind, count, power, len(came), len(went), "; ".join(said))


def _told(position: Multiverse, samples: list[Multiverse], move: Reach, verb: str) -> str:
    """Say a move that comes or goes, and in which position it does."""
    sample, _, id, target, captures = move
    piece, there = samples[sample].pieces[id], samples[sample]
    kind = NAMES.get(piece.kind, piece.kind.upper())
    where = f"the {kind} of {piece.army} on {there.name(piece.board, piece.square)}"
    placed = "" if sample == 0 else ", in a position that was tried,"
    name = position.name(*target)
    can = {"now": "could", "no longer": "could no longer"}[verb]
    taking = f"capture {_named(there, target)} on {name}" if captures else f"go to {name}"
    return f"{where}{placed} {can} {taking}"


def _named(position: Multiverse, at: tuple[str, int]) -> str:
    found = position.standing[at[0]].get(at[1])
    return f"the {NAMES.get(found.kind, found.kind.upper())}" if found else "in passing"


def _differ(state: State, after: State) -> bool:
    """Tell whether anything that bears on moves is another thing afterwards."""
    if any(_clauses(state.law, key) != _clauses(after.law, key) for key in BEARING):
        return True
    for key in BEARING:
        fields = {*state.law.dependence.fields_read(key), *after.law.dependence.fields_read(key)}
        changed = fields & {"players", "counters", "marks", "tables"}
        if any(getattr(state, name, None) is not getattr(after, name, None) for name in changed):
            return True
    return False


def _clauses(law: Law, key: str) -> list[tuple[object, ...]]:
    """Return the clauses behind a key, with where their rules hold."""
    found = (source for _, sources in law.dependence.behind(key) for source in sources)
    return [(one.rule.id, one.rule.scope, one.rule.lifted, as_set(one).words) for one in found]


def _how_many(state: State, after: State, pieces: int) -> int:
    """Return how many positions are tried, so that it can be done in time."""
    asked = any(one.law.speaking_of("may.move") for one in (state, after))
    most = (MOST_ASKED if asked else MOST_PIECES) // max(pieces, 1)
    if any(told_by_the_clock(one.law) for one in (state, after)):
        most //= TO_COME
    return max(1, min(SAMPLES, most))


def _positions(position: Multiverse, boards: list[str], count: int, salt: str) -> Iterator[Multiverse]:
    """Yield the boards as they stand, then with the same pieces spread over them."""
    yield position
    for number in range(1, count):
        chance = random.Random(f"{salt} {number}")  # noqa: S311 - the same positions whenever it is played again
        pieces = dict(position.pieces)
        for board in boards:
            geometry = position.boards[board].geometry
            there = sorted(position.standing[board].values(), key=lambda one: one.id)
            free = [at for at in range(geometry.size) if geometry.full >> at & 1]
            for piece, square in zip(there, chance.sample(free, len(there)), strict=True):
                pieces[piece.id] = replace(piece, square=square, moved=bool(number % 2))
        yield replace(position, pieces=pieces, passings=())


def _reaches(
    view: View, state: State, army: str, samples: list[Multiverse], boards: list[str], circuits: int
) -> set[Reach]:
    """Return all that the pieces of an army can do in these positions, in circuits to come where that matters."""
    found: set[Reach] = set()
    for mover, turns in movers_of(view, state.but(position=samples[0]), army, boards, circuits):
        for number, sample in enumerate(samples):
            placed = [one.but(position=sample) for one in turns]
            for move in mover.any_moves(placed[0]):
                found.update(_reach(number, one.circuit, move) for one in placed if mover.permits(one, move))
    return found


def _reach(sample: int, circuit: int, move: BoardMove) -> Reach:
    return sample, circuit, move.piece, move.target, bool(move.taken)


# ----------------------------------------------------------------------------------- what rules can say of it

FORCE = Type("force")


def _forces(view: View) -> Value:
    return tuple(Ref("force", f"{player} {kind}") for player, kind in sorted(measures(view)))


def _force_of(_: View, player: Value, kind: Value) -> Value:
    return Ref("force", f"{one_ref(player, 'player').id} {kind}")


def _measure_of(view: View, id: int | str) -> Measure:
    player, _, kind = str(id).rpartition(" ")
    return measures(view).get((player, kind)) or Measure(player, kind, 0, "same")


def _power(view: View, id: int | str) -> Value:
    found = _measure_of(view, id)
    if found.power != "same":
        kind = NAMES.get(found.kind.lower(), found.kind)
        seats, found_there = list(state_of(view).players), measures(view).values()
        alike = sorted((one for one in found_there if one.kind == found.kind), key=lambda one: seats.index(one.player))
        others = ", ".join(f"{one.player} {one.count}" for one in alike)
        view.evidence["power"] = f"{kind}s ({others}): {found.evidence}"
    return found.power


def _rivals(view: View, id: int | str) -> list[int]:
    own, there = _measure_of(view, id), dict.fromkeys(player for player, _ in measures(view))
    return [_measure_of(view, f"{name} {own.kind}").count for name in there if name != own.player]


FACTS = (
    Fact("forces", list_of(FORCE), "the kinds of pieces of each player, where the change at hand holds", EVERYTHING,
         _forces, ("proposal",)),
)  # fmt: skip

FUNCTIONS = (
    Function("force_of", (PLAYER, KIND), FORCE, "the pieces of one kind that a player has where the change at hand "
             "holds; there may be none", _force_of, reads=EVERYTHING),
)  # fmt: skip

RECORDS = (
    Record("force", "the pieces of one kind that one player has, where the change at hand holds", (
        Field("owner", PLAYER, "whose they are", (), lambda _, id: Ref("player", str(id).rpartition(" ")[0])),
        Field("kind", KIND, "their kind, a capital letter", (), lambda _, id: str(id).rpartition(" ")[2]),
        Field("count", NUMBER, "the number of them on the boards", EVERYTHING,
              lambda view, id: _measure_of(view, id).count),
        Field("power", worded(TEXT, POWERS), "whether they can go to, and capture on, more or fewer squares once it is "
              "law, the same, or some that are new and some no more", EVERYTHING, _power),
        Field("leads", TRUTH, "whether some other player with pieces there has fewer of the kind", EVERYTHING,
              lambda view, id: any(one < _measure_of(view, id).count for one in _rivals(view, id))),
        Field("trails", TRUTH, "whether some other player with pieces there has more of the kind", EVERYTHING,
              lambda view, id: any(one > _measure_of(view, id).count for one in _rivals(view, id))),
    )),
)  # fmt: skip
