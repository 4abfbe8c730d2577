"""Everything that a rule-change does on the boards: moves and checks, and pieces, armies and boards that change."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import zip_longest

from nomic_nb.chess.multiverse.drawing import Pair, changes_on
from nomic_nb.chess.multiverse.geometry import Geometry
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.scenes import Drawing, Picture
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.records import KEYS
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial import Adoption
from nomic_nb.engine.words import cited, doing, grouped, listed, plural
from nomic_nb.study.review.boards.moves import (
    MOST_MOVES,
    ArmyMoves,
    Boards,
    Check,
    Look,
    Mate,
    checks,
    compared,
    joined,
    kind_name,
    look,
    mates,
    stands,
)
from nomic_nb.study.review.cases import Cases

#: What becomes of a piece, and of several.
Verb = tuple[str, str]
#: Pieces of one group that are named by their squares.
MOST_PIECES = 8
#: Events that are told here, by what they leave.
TOLD = frozenset({
    "promoted", "demoted", "placed", "removed", "carried", "converted", "grown", "reshaped", "army_entered",
    "army_taken", "army_lost",
})  # fmt: skip


@frozen
class Changed:
    """Pieces of one army and kind that become others in the same way, or boards or armies that do.

    Parameters
    ----------
    words : str
        What happens, as a sentence.
    rule : int or str or None
        The rule that does it.
    pieces : tuple of int
        The pieces.
    """

    words: str
    rule: Number | None
    pieces: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.words}{cited(self.rule)}"


def changed(then: Multiverse, now: Multiverse, events: Iterable[Event]) -> Iterator[Changed]:
    """Yield what is different on the boards when everything is done that an adoption sets off."""
    if then is now:
        return
    causes = dict(_causes(events))
    for name, army in now.armies.items():
        old = then.armies.get(name)
        if old is None:
            yield Changed(f"army {name} enters, controlled by {army.controller}", causes.get(name))
        elif old.controller != army.controller:
            yield Changed(f"army {name} passes from {old.controller} to {army.controller}", causes.get(name))
    if then.join != now.join:
        words = f"half-boards are joined by {now.join}, no longer by {then.join}"
        yield Changed(words, causes.get("reshaped"))
    groups = grouped(
        ((words, causes.get(name, causes.get("reshaped"))), name)
        for name, board in now.boards.items()
        if name in then.boards
        for words in _form(then.boards[name].geometry, board.geometry)
    )
    for (words, rule), names in groups.items():
        yield Changed(f"{'board' if len(names) == 1 else 'boards'} {listed(names)}: {words}", rule)
    yield from _pieces(then, now, causes)


def _causes(events: Iterable[Event]) -> Iterator[tuple[object, Number]]:
    """Yield what an event touched, and the rule behind it; the latest one counts."""
    for event in events:
        if event.kind in TOLD and event.cause is not None:
            data = event.data
            carried = [id for id, _ in data.get("to", ())] if event.kind == "carried" else []
            for one in (data.get("piece"), data.get("army"), data.get("board"), event.kind, *carried):
                yield one, event.cause.rule


def _form(old: Geometry, new: Geometry) -> Iterator[str]:
    if (old.files, old.ranks) != (new.files, new.ranks):
        yield f"{old.files} files of {old.ranks} squares → {new.files} files of {new.ranks}"
    if old.wraps != new.wraps:
        yield "the sides are joined" if new.wraps else "the sides are no longer joined"
    plain = Geometry(new.files, new.ranks)
    for word, squares in (("no longer there", new.holes - old.holes), ("there again", old.holes - new.holes)):
        if squares:
            be = "is" if len(squares) == 1 else "are"
            yield f"{listed([plain.name(one) for one in sorted(squares)])} {be} {word}"


def _pieces(then: Multiverse, now: Multiverse, causes: Mapping[object, Number]) -> Iterator[Changed]:
    groups = grouped(
        ((piece.army, piece.kind, what, causes.get(id)), (id, where))
        for id in sorted({*then.pieces, *now.pieces})
        for what, piece, where in _steps(then, now, then.pieces.get(id), now.pieces.get(id))
    )
    for (army, kind, (one, many), rule), found in groups.items():
        squares = [where for _, where in found[:MOST_PIECES]]
        if len(found) > MOST_PIECES:
            squares.append(f"{len(found) - MOST_PIECES} more")
        said = f"{plural(len(found), kind_name(kind))} of {army} {one if len(found) == 1 else many}"
        yield Changed(f"{said}: {listed(squares)}", rule, tuple(id for id, _ in found))


def _steps(
    then: Multiverse, now: Multiverse, old: Piece | None, new: Piece | None
) -> Iterator[tuple[Verb, Piece, str]]:
    """Yield what became of a piece: in words for one and for several, the piece that it is told of, and where."""
    if new is None:
        if old is not None:
            yield ("leaves the boards", "leave the boards"), old, then.name(old.board, old.square)
        return
    here = now.name(new.board, new.square)
    if old is None:
        # The pieces of an army that enters are told with it.
        if new.army in then.armies:
            yield ("is placed", "are placed"), new, here
        return
    there = then.name(old.board, old.square)
    if old.kind != new.kind:
        yield (f"becomes {kind_name(new.kind)}", f"become {kind_name(new.kind)}s"), old, there
    if old.army != new.army:
        yield (f"goes over to {new.army}", f"go over to {new.army}"), old, there
    # Squares keep their numbers only as long as their boards keep their form.
    if there != here:
        yield ("is carried", "are carried"), old, f"{there} → {here}"


#: Pairs of boards that are painted, boards that players share, and moves gained and lost that are painted on each.
MOST_PAIRS, MOST_SHARED, MOST_ARROWS = 2, 6, 16
#: The terms that moves, checks and the form of boards depend on.
TERMS = (*(key.name for key in KEYS), "may.move")


@frozen
class OnBoards:
    """What a rule-change does on the boards, as they stand now.

    Every army is looked at as if its turn began now, under the law before and after: with the boards as they
    stand, and after all that the adoption sets off at once.

    Parameters
    ----------
    moves : tuple of ArmyMoves
        Every army, in batting order.
    checks : tuple of Check
        Kings that come into check or out of it.
    mates : tuple of Mate
        Armies that would be mated.
    changed : tuple of Changed
        Pieces, armies and boards that are others at once.
    looked_up : tuple of (str, str)
        Terms of boards that change, and when they are looked up; for changes that show only later.
    pairs : tuple of Pair
        The boards that are painted, at most `MOST_PAIRS`, or `MOST_SHARED`: first where most
        changes, then where most changes that is not painted yet.
    """

    moves: tuple[ArmyMoves, ...]
    checks: tuple[Check, ...] = ()
    mates: tuple[Mate, ...] = ()
    changed: tuple[Changed, ...] = ()
    looked_up: tuple[tuple[str, str], ...] = ()
    pairs: tuple[Pair, ...] = field(default=(), repr=False)

    @property
    def same_moves(self) -> bool:
        """Whether every army has the moves that it had."""
        return not any(one.changed for one in self.moves)

    @property
    def stuck(self) -> tuple[str, ...]:
        """Armies that have moves now and would have none, without being mated."""
        return tuple(one.army for one in self.moves if one.stuck)

    @property
    def undecided(self) -> str:
        """Why nobody could tell which moves armies have afterwards; empty where the law says it."""
        told = grouped((new, one.army) for one in self.moves for old, new in [one.doubts] if new and new != old)
        return "; ".join(f"how {listed(armies)} can move is open: {doubt}" for doubt, armies in told.items())

    @property
    def drawing(self) -> Drawing | None:
        """The boards with moves gained and lost, as they would stand; None where nothing on them changes."""
        return changes_on(self.pairs) if self.pairs else None

    @property
    def picture(self) -> Picture | None:
        """The drawing as a picture by itself."""
        return self.drawing.picture if self.drawing is not None else None

    @property
    def in_lines(self) -> tuple[str, ...]:
        """What there is to say beside the moves of each army."""
        told = (*map(str, self.changed), *map(str, self.checks), *map(str, self.mates))
        if not self.same_moves:
            return (*told, *self.by_board)
        if any(one.doubts[1] for one in self.moves):
            return (*told, *(f"{one.army}: {one.in_short}" for one in self.moves))
        counts = ", ".join(f"{one.army} {one.after}" for one in self.moves)
        return (*told, f"as the boards stand, every army keeps the moves that it has: {counts}", *self.later)

    @property
    def by_board(self) -> tuple[str, ...]:
        """How many moves come and go on each board that is played on by itself, and which boards are not painted."""
        gained = Counter(move.push for army in self.moves for move in army.gained)
        lost = Counter(move.push for army in self.moves for move in army.lost)
        alone = (push for push in dict.fromkeys((*gained, *lost)) if len(push) == 1)
        alike = grouped(((gained[push], lost[push]), push[0]) for push in alone)
        told = (
            f"moves gained and lost {'each ' if len(names) > 1 else ''}on {listed(names)}: {more} and {less}"
            for (more, less), names in alike.items()
        )
        painted = {name for pair in self.pairs for name in pair.push.boards}
        left = [name for names in alike.values() for name in names if name not in painted]
        more = f"{plural(len(left), 'more board')} changed and not painted: {listed(left)}"
        return (*told, *([more] if left else []))

    @property
    def later(self) -> tuple[str, ...]:
        """When terms are looked up that change no move yet."""
        if not self.same_moves or self.checks or self.changed:
            return ()
        return tuple(
            f"it may show later: {doing(keys, 'is', 'are')} looked up {reader}"
            for reader, keys in grouped((reader, key) for key, reader in self.looked_up).items()
        )


def on_boards(cases: Cases, adoption: Adoption, turned: tuple[str, ...]) -> OnBoards | None:
    """Compare the boards before and after; None in a game without boards, and where nothing can differ on them.

    Parameters
    ----------
    cases : Cases
        Of this review.
    adoption : Adoption
        What adoption brings.
    turned : tuple of str
        The terms that change.
    """
    before, after = cases.before, cases.after
    if before.position is None or after.position is None:
        return None
    if before.position is after.position and not any(cases.touched(key) for key in TERMS):
        return None
    then, now = _looks(before), _looks(after)
    moves, given = _moves(then, now), tuple(checks(then, now))
    what = tuple(changed(before.position, after.position, adoption.events))
    keys = before.law.vocabulary.keys
    looked_up = tuple((key, keys[key].reader) for key in dict.fromkeys(turned) if key in TERMS)
    pairs = tuple(_pairs(moves, now, given, what))
    found = OnBoards(moves, given, tuple(mates(before, after, then, now)), what, looked_up, pairs)
    same = not (looked_up or what or given or found.mates) and found.same_moves
    return None if same and before.law.speaking_of("may.move") == after.law.speaking_of("may.move") else found


def other_moves(before: State, after: State) -> tuple[Pair, ...]:
    """Return the boards on which a change of law gives armies other moves, as they are painted; none where it does not.

    Parameters
    ----------
    before, after : State
        Around the change.
    """
    if before.position is None or after.position is None:
        return ()
    if all(before.law.speaking(key) == after.law.speaking(key) for key in TERMS):
        return ()
    now = _looks(after)
    moves = _moves(_looks(before), now)
    return tuple(_pairs(moves, now, (), ())) if any(one.changed for one in moves) else ()


def _looks(state: State) -> dict[str, Look]:
    return {name: look(state, name) for name in multiverse_of(state).armies if stands(state, name)}


def _moves(then: dict[str, Look], now: dict[str, Look]) -> tuple[ArmyMoves, ...]:
    """Compare the moves that armies had with those that they have."""
    return tuple(compared(then.get(name, Look(name, one.position)), one) for name, one in now.items())


def _pairs(
    moves: tuple[ArmyMoves, ...], looks: dict[str, Look], given: tuple[Check, ...], what: tuple[Changed, ...]
) -> Iterator[Pair]:
    """Choose the boards to be painted: kings in check first, then moves that are not painted yet, then pieces."""
    pushes: dict[Boards, Push] = {}
    moved: defaultdict[Boards, set[tuple[str, bool]]] = defaultdict(set)
    for one in looks.values():
        for boards, push in one.pushes.items():
            pushes.setdefault(boards, push)
    for army in moves:
        for some, gained in ((army.gained, True), (army.lost, False)):
            for move in some:
                moved[move.push].add((move.text, gained))
    pieces = frozenset(id for one in what for id in one.pieces)
    painted: set[tuple[str, bool]] = set()
    kings: set[int] = set()
    shared = not any(push.state.boards[name].half for push in pushes.values() for name in push.boards)
    for at in range(MOST_SHARED if shared else MOST_PAIRS):
        checked = {boards: {one.king for one in given if boards in one.pushes} - kings for boards in pushes}
        weights = {
            boards: (
                len(checked[boards]), len(moved[boards] - painted),
                0 if at else len(pieces & {one.id for one in push.pieces.values()}),
            )
            for boards, push in pushes.items()
        }  # fmt: skip
        best = max(weights, key=lambda one: weights[one], default=None)
        if best is None or not any(weights[best]):
            return
        yield _pair(pushes[best], moves, [one for one in given if best in one.pushes], pieces)
        painted |= moved[best]
        kings |= checked[best]


def _pair(push: Push, moves: tuple[ArmyMoves, ...], given: list[Check], pieces: frozenset[int]) -> Pair:
    gained = _in_turn(push, [one.gained for one in moves])
    lost = _in_turn(push, [one.lost for one in moves])
    parts = [
        f"{len(some)} {word}{f' ({MOST_ARROWS} painted)' if len(some) > MOST_ARROWS else ''}: "
        + "; ".join(move.text for move in some[:MOST_MOVES])
        for word, some in (("gained", gained), ("lost", lost))
        if some
    ]
    parts += [one.words for one in given]
    framed = [one for one in push.pieces.values() if one.id in pieces]
    parts += [f"{len(framed)} changed at once"] if framed else []
    return Pair(
        push, tuple(gained[:MOST_ARROWS]), tuple(lost[:MOST_ARROWS]),
        tuple(one.king for one in given if one.given), tuple(one.king for one in given if not one.given),
        tuple(one.id for one in framed), f"{joined(push.boards)}: {', '.join(parts)}",
    )  # fmt: skip


def _in_turn(push: Push, lists: list[tuple[BoardMove, ...]]) -> list[BoardMove]:
    """Return the moves of armies on a push, one of each in turn, so that no army is left out of a short list."""
    here = ([move for move in some if move.push == push.boards] for some in lists)
    return [move for row in zip_longest(*here) for move in row if move is not None]
