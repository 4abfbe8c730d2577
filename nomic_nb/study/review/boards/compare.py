"""Everything that a rule-change does on the boards: moves and checks, and pieces, armies and boards that change."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import zip_longest

from nomic_nb.chess.multiverse.drawing import ChangedPair, drawing_of_changes
from nomic_nb.chess.multiverse.geometry import Geometry
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pictures import Drawing, SvgPicture
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.records import KEYS, kind_name
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import Adoption
from nomic_nb.engine.words import count_phrase, group_pairs, join_words, rule_citation, verb_phrase
from nomic_nb.study.review.boards.moves import (
    MOST_MOVES,
    ArmyLook,
    ArmyMoves,
    BoardNames,
    KingCheck,
    PossibleMate,
    changed_checks,
    compare_moves,
    is_in_play,
    join_board_names,
    look_at_boards,
    new_mates,
)
from nomic_nb.study.review.cases import ReviewCases

#: What becomes of a piece, and of several.
ChangeVerb = tuple[str, str]
#: Pieces of one group that are named by their squares.
MOST_PIECES = 8
#: Events that are told here, by what they leave.
DESCRIBED_EVENTS = frozenset({
    "promoted", "demoted", "placed", "removed", "carried", "converted", "grown", "reshaped", "army_entered",
    "army_taken", "army_lost",
})  # fmt: skip


@frozen
class ChangedPieces:
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
        return f"{self.words}{rule_citation(self.rule)}"


def find_changed_pieces(then: Multiverse, now: Multiverse, events: Iterable[Event]) -> Iterator[ChangedPieces]:
    """Yield what is different on the boards when everything is done that an adoption sets off."""
    if then is now:
        return
    causes = dict(_find_causes(events))
    for name, army in now.armies.items():
        old = then.armies.get(name)
        if old is None:
            yield ChangedPieces(f"army {name} enters, controlled by {army.controller}", causes.get(name))
        elif old.controller != army.controller:
            yield ChangedPieces(f"army {name} passes from {old.controller} to {army.controller}", causes.get(name))
    if then.join != now.join:
        words = f"half-boards are joined by {now.join}, no longer by {then.join}"
        yield ChangedPieces(words, causes.get("reshaped"))
    groups = group_pairs(
        ((words, causes.get(name, causes.get("reshaped"))), name)
        for name, board in now.boards.items()
        if name in then.boards
        for words in _describe_form(then.boards[name].geometry, board.geometry)
    )
    for (words, rule), names in groups.items():
        yield ChangedPieces(f"{'board' if len(names) == 1 else 'boards'} {join_words(names)}: {words}", rule)
    yield from _changed_pieces(then, now, causes)


def _find_causes(events: Iterable[Event]) -> Iterator[tuple[object, Number]]:
    """Yield what an event touched, and the rule behind it; the latest one counts."""
    for event in events:
        if event.kind in DESCRIBED_EVENTS and event.cause is not None:
            data = event.data
            carried = [id for id, _ in data.get("to", ())] if event.kind == "carried" else []
            for one in (data.get("piece"), data.get("army"), data.get("board"), event.kind, *carried):
                yield one, event.cause.rule


def _describe_form(old: Geometry, new: Geometry) -> Iterator[str]:
    if (old.files, old.ranks) != (new.files, new.ranks):
        yield f"{old.files} files of {old.ranks} squares → {new.files} files of {new.ranks}"
    if old.wraps != new.wraps:
        yield "the sides are joined" if new.wraps else "the sides are no longer joined"
    plain = Geometry(new.files, new.ranks)
    for word, squares in (("no longer there", new.holes - old.holes), ("there again", old.holes - new.holes)):
        if squares:
            be = "is" if len(squares) == 1 else "are"
            yield f"{join_words([plain.name(one) for one in sorted(squares)])} {be} {word}"


def _changed_pieces(then: Multiverse, now: Multiverse, causes: Mapping[object, Number]) -> Iterator[ChangedPieces]:
    groups = group_pairs(
        ((piece.army, piece.kind, what, causes.get(id)), (id, where))
        for id in sorted({*then.pieces, *now.pieces})
        for what, piece, where in _piece_changes(then, now, then.pieces.get(id), now.pieces.get(id))
    )
    for (army, kind, (one, many), rule), found in groups.items():
        squares = [where for _, where in found[:MOST_PIECES]]
        if len(found) > MOST_PIECES:
            squares.append(f"{len(found) - MOST_PIECES} more")
        said = f"{count_phrase(len(found), kind_name(kind))} of {army} {one if len(found) == 1 else many}"
        yield ChangedPieces(f"{said}: {join_words(squares)}", rule, tuple(id for id, _ in found))


def _piece_changes(
    then: Multiverse, now: Multiverse, old: Piece | None, new: Piece | None
) -> Iterator[tuple[ChangeVerb, Piece, str]]:
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
BOARD_KEYS = (*(key.name for key in KEYS), "may.move")


@frozen
class BoardEffects:
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
    checks: tuple[KingCheck, ...] = ()
    mates: tuple[PossibleMate, ...] = ()
    changed: tuple[ChangedPieces, ...] = ()
    looked_up: tuple[tuple[str, str], ...] = ()
    pairs: tuple[ChangedPair, ...] = field(default=(), repr=False)

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
        told = group_pairs((new, one.army) for one in self.moves for old, new in [one.doubts] if new and new != old)
        return "; ".join(f"how {join_words(armies)} can move is open: {doubt}" for doubt, armies in told.items())

    @property
    def drawing(self) -> Drawing | None:
        """The boards with moves gained and lost, as they would stand; None where nothing on them changes."""
        return drawing_of_changes(self.pairs) if self.pairs else None

    @property
    def picture(self) -> SvgPicture | None:
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
        alike = group_pairs(((gained[push], lost[push]), push[0]) for push in alone)
        told = (
            f"moves gained and lost {'each ' if len(names) > 1 else ''}on {join_words(names)}: {more} and {less}"
            for (more, less), names in alike.items()
        )
        painted = {name for pair in self.pairs for name in pair.push.boards}
        left = [name for names in alike.values() for name in names if name not in painted]
        more = f"{count_phrase(len(left), 'more board')} changed and not painted: {join_words(left)}"
        return (*told, *([more] if left else []))

    @property
    def later(self) -> tuple[str, ...]:
        """When terms are looked up that change no move yet."""
        if not self.same_moves or self.checks or self.changed:
            return ()
        return tuple(
            f"it may show later: {verb_phrase(keys, 'is', 'are')} looked up {reader}"
            for reader, keys in group_pairs((reader, key) for key, reader in self.looked_up).items()
        )


def compare_boards(cases: ReviewCases, adoption: Adoption, turned: tuple[str, ...]) -> BoardEffects | None:
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
    if before.position is after.position and not any(cases.touched(BOARD_KEYS).values()):
        return None
    then, now = _army_looks(before), _army_looks(after)
    moves, given = _compare_armies(then, now), tuple(changed_checks(then, now))
    what = tuple(find_changed_pieces(before.position, after.position, adoption.events))
    keys = before.law.vocabulary.keys
    looked_up = tuple((key, keys[key].reader) for key in dict.fromkeys(turned) if key in BOARD_KEYS)
    pairs = tuple(_pairs_to_draw(moves, now, given, what))
    found = BoardEffects(moves, given, tuple(new_mates(before, after, then, now)), what, looked_up, pairs)
    same = not (looked_up or what or given or found.mates) and found.same_moves
    return None if same and before.law.rules_about("may.move") == after.law.rules_about("may.move") else found


def boards_with_other_moves(before: State, after: State) -> tuple[ChangedPair, ...]:
    """Return the boards on which a change of law gives armies other moves, as they are painted; none where it does not.

    Parameters
    ----------
    before, after : State
        Around the change.
    """
    if before.position is None or after.position is None:
        return ()
    if all(before.law.clauses_about(key) == after.law.clauses_about(key) for key in BOARD_KEYS):
        return ()
    now = _army_looks(after)
    moves = _compare_armies(_army_looks(before), now)
    return tuple(_pairs_to_draw(moves, now, (), ())) if any(one.changed for one in moves) else ()


def _army_looks(state: State) -> dict[str, ArmyLook]:
    return {name: look_at_boards(state, name) for name in multiverse_of(state).armies if is_in_play(state, name)}


def _compare_armies(then: dict[str, ArmyLook], now: dict[str, ArmyLook]) -> tuple[ArmyMoves, ...]:
    """Compare the moves that armies had with those that they have."""
    return tuple(compare_moves(then.get(name, ArmyLook(name, one.position)), one) for name, one in now.items())


def _pairs_to_draw(
    moves: tuple[ArmyMoves, ...],
    looks: dict[str, ArmyLook],
    given: tuple[KingCheck, ...],
    what: tuple[ChangedPieces, ...],
) -> Iterator[ChangedPair]:
    """Choose the boards to be painted: kings in check first, then moves that are not painted yet, then pieces."""
    pushes: dict[BoardNames, Push] = {}
    moved: defaultdict[BoardNames, set[tuple[str, bool]]] = defaultdict(set)
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
        yield _pair_to_draw(pushes[best], moves, [one for one in given if best in one.pushes], pieces)
        painted |= moved[best]
        kings |= checked[best]


def _pair_to_draw(
    push: Push, moves: tuple[ArmyMoves, ...], given: list[KingCheck], pieces: frozenset[int]
) -> ChangedPair:
    gained = _interleave(push, [one.gained for one in moves])
    lost = _interleave(push, [one.lost for one in moves])
    parts = [
        f"{len(some)} {word}{f' ({MOST_ARROWS} painted)' if len(some) > MOST_ARROWS else ''}: "
        + "; ".join(move.text for move in some[:MOST_MOVES])
        for word, some in (("gained", gained), ("lost", lost))
        if some
    ]
    parts += [one.words for one in given]
    framed = [one for one in push.pieces.values() if one.id in pieces]
    parts += [f"{len(framed)} changed at once"] if framed else []
    return ChangedPair(
        push, tuple(gained[:MOST_ARROWS]), tuple(lost[:MOST_ARROWS]),
        tuple(one.king for one in given if one.given), tuple(one.king for one in given if not one.given),
        tuple(one.id for one in framed), f"{join_board_names(push.boards)}: {', '.join(parts)}",
    )  # fmt: skip


def _interleave(push: Push, lists: list[tuple[BoardMove, ...]]) -> list[BoardMove]:
    """Return the moves of armies on a push, one of each in turn, so that no army is left out of a short list."""
    here = ([move for move in some if move.push == push.boards] for some in lists)
    return [move for row in zip_longest(*here) for move in row if move is not None]
