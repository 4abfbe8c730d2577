"""All effects of a rule change on the boards: moves and checks, and pieces, armies and boards that change."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import zip_longest

from nomic_nb.chess.multiverse.drawing import ChangedPair, drawing_of_changes
from nomic_nb.chess.multiverse.geometry import Geometry
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pictures import Drawing, SvgPicture
from nomic_nb.chess.multiverse.pieces import BoardMove, BoardNames, Piece
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
    KingCheck,
    PossibleMate,
    compare_moves,
    find_army_options,
    find_changed_checks,
    find_new_mates,
    is_army_in_play,
    join_board_names,
)
from nomic_nb.study.review.cases import ReviewCases

#: The fate of a piece, and of several.
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


def find_board_changes(then: Multiverse, now: Multiverse, events: Iterable[Event]) -> Iterator[ChangedPieces]:
    """Yield the armies, boards and pieces that differ between two positions; `events` give the rules concerned."""
    if then is now:
        return
    causes = dict(_rules_behind_events(events))
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
        for words in _board_form_changes(then.boards[name].geometry, board.geometry)
    )
    for (words, rule), names in groups.items():
        yield ChangedPieces(f"{'board' if len(names) == 1 else 'boards'} {join_words(names)}: {words}", rule)
    yield from _changed_piece_groups(then, now, causes)


def _rules_behind_events(events: Iterable[Event]) -> Iterator[tuple[object, Number]]:
    """Yield pairs: what an event is about (piece id, army, board, event kind), and number of the rule behind it."""
    for event in events:
        if event.kind in DESCRIBED_EVENTS and event.cause is not None:
            data = event.data
            carried = [id for id, _ in data.get("to", ())] if event.kind == "carried" else []
            for thing in (data.get("piece"), data.get("army"), data.get("board"), event.kind, *carried):
                yield thing, event.cause.rule


def _board_form_changes(old: Geometry, new: Geometry) -> Iterator[str]:
    """Yield phrases on how the form of a board changes: its size, joined sides and missing squares."""
    if (old.files, old.ranks) != (new.files, new.ranks):
        yield f"{old.files} files of {old.ranks} squares → {new.files} files of {new.ranks}"
    if old.wraps != new.wraps:
        yield "the sides are joined" if new.wraps else "the sides are no longer joined"
    plain = Geometry(new.files, new.ranks)
    for word, squares in (("no longer there", new.holes - old.holes), ("there again", old.holes - new.holes)):
        if squares:
            be = "is" if len(squares) == 1 else "are"
            yield f"{join_words([plain.name(square) for square in sorted(squares)])} {be} {word}"


def _changed_piece_groups(
    then: Multiverse, now: Multiverse, causes: Mapping[object, Number]
) -> Iterator[ChangedPieces]:
    """Yield groups of pieces that differ between positions; `causes` has the rule behind each, by piece id."""
    groups = group_pairs(
        ((piece.army, piece.kind, what, causes.get(id)), (id, where))
        for id in sorted({*then.pieces, *now.pieces})
        for what, piece, where in _piece_changes(then, now, then.pieces.get(id), now.pieces.get(id))
    )
    for (army, kind, (singular, many), rule), piece_places in groups.items():
        squares = [where for _, where in piece_places[:MOST_PIECES]]
        if len(piece_places) > MOST_PIECES:
            squares.append(f"{len(piece_places) - MOST_PIECES} more")
        verb = singular if len(piece_places) == 1 else many
        sentence = f"{count_phrase(len(piece_places), kind_name(kind))} of {army} {verb}"
        yield ChangedPieces(f"{sentence}: {join_words(squares)}", rule, tuple(id for id, _ in piece_places))


def _piece_changes(
    then: Multiverse, now: Multiverse, old: Piece | None, new: Piece | None
) -> Iterator[tuple[ChangeVerb, Piece, str]]:
    """Yield what happened to a piece: the verb in singular and plural, the piece, and its square in words."""
    if new is None:
        if old is not None:
            yield ("leaves the boards", "leave the boards"), old, then.name(*old.place)
        return
    here = now.name(*new.place)
    if old is None:
        # The pieces of an army that enters are told with it.
        if new.army in then.armies:
            yield ("is placed", "are placed"), new, here
        return
    there = then.name(*old.place)
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
    """The effects of a rule change on the current boards.

    Every army is examined as if its turn began now, under the law before and after: on the current
    boards, and after everything that the adoption sets off at once.

    Parameters
    ----------
    moves : tuple of ArmyMoves
        Every army, in batting order.
    checks : tuple of Check
        Kings that come into check or out of it.
    mates : tuple of Mate
        Armies that would be mated.
    changed : tuple of Changed
        Pieces, armies and boards that change at once.
    looked_up : tuple of (str, str)
        Settings of boards that change, and when they are looked up; for changes that show only later.
    pairs : tuple of Pair
        Boards to paint, at most `MOST_PAIRS`, or `MOST_SHARED`: first those where most
        changes, then those with most changes not painted yet.
    """

    moves: tuple[ArmyMoves, ...]
    checks: tuple[KingCheck, ...] = ()
    mates: tuple[PossibleMate, ...] = ()
    changed: tuple[ChangedPieces, ...] = ()
    looked_up: tuple[tuple[str, str], ...] = ()
    pairs: tuple[ChangedPair, ...] = field(default=(), repr=False)

    @property
    def has_same_moves(self) -> bool:
        """Whether every army keeps exactly its moves."""
        return not any(army_moves.has_changed for army_moves in self.moves)

    @property
    def stuck_armies(self) -> tuple[str, ...]:
        """Armies that have moves now and would have no move, without being mated."""
        return tuple(army_moves.army for army_moves in self.moves if army_moves.stuck)

    @property
    def undecided_reason(self) -> str:
        """Why the moves after the change are not known; empty if they are."""
        told = group_pairs(
            (new, army_moves.army)
            for army_moves in self.moves
            for old, new in [army_moves.doubts]
            if new and new != old
        )
        return "; ".join(
            f"it is not clear how {join_words(armies)} can move: {doubt}" for doubt, armies in told.items()
        )

    @property
    def drawing(self) -> Drawing | None:
        """The boards with moves gained and lost; None if nothing changes on them."""
        return drawing_of_changes(self.pairs) if self.pairs else None

    @property
    def picture(self) -> SvgPicture | None:
        """The drawing as an SVG picture; None without a drawing."""
        return self.drawing.picture if self.drawing is not None else None

    @property
    def summary_lines(self) -> tuple[str, ...]:
        """The changes on the boards as sentences, apart from the moves of each army."""
        told = (*map(str, self.changed), *map(str, self.checks), *map(str, self.mates))
        if not self.has_same_moves:
            return (*told, *self.lines_by_board)
        if any(army_moves.doubts[1] for army_moves in self.moves):
            return (*told, *(f"{army_moves.army}: {army_moves.in_short}" for army_moves in self.moves))
        counts = ", ".join(f"{army_moves.army} {army_moves.after}" for army_moves in self.moves)
        return (
            *told,
            f"on the boards as they are now, every army keeps its moves: {counts}",
            *self.later_effect_lines,
        )

    @property
    def lines_by_board(self) -> tuple[str, ...]:
        """Sentences on the moves gained and lost on each board pushed alone, and on changed boards not drawn."""
        gained = Counter(move.push for army in self.moves for move in army.gained)
        lost = Counter(move.push for army in self.moves for move in army.lost)
        alone = (push for push in dict.fromkeys((*gained, *lost)) if len(push) == 1)
        alike = group_pairs(((gained[push], lost[push]), push[0]) for push in alone)
        told = (
            f"moves gained and lost on {'each of ' if len(names) > 1 else ''}{join_words(names)}: {more} and {less}"
            for (more, less), names in alike.items()
        )
        painted = {name for pair in self.pairs for name in pair.push.boards}
        left = [name for names in alike.values() for name in names if name not in painted]
        more = f"{count_phrase(len(left), 'more board')} changed but not drawn: {join_words(left)}"
        return (*told, *([more] if left else []))

    @property
    def later_effect_lines(self) -> tuple[str, ...]:
        """Sentences on changed terms that alter no move yet, but may once play looks them up (and when it does)."""
        if not self.has_same_moves or self.checks or self.changed:
            return ()
        return tuple(
            f"it may have an effect later: {verb_phrase(keys, 'applies', 'apply')} {reader}"
            for reader, keys in group_pairs((reader, key) for key, reader in self.looked_up).items()
        )


def compare_boards(cases: ReviewCases, adoption: Adoption, turned: tuple[str, ...]) -> BoardEffects | None:
    """Return what a change does on the boards (None if nothing); `turned` has the keys of the terms that it changes.

    Parameters
    ----------
    cases : ReviewCases
        Of this review.
    adoption : Adoption
        What adoption brings.
    turned : tuple of str
        The terms that change.
    """
    before, after = cases.before, cases.after
    if before.position is None or after.position is None:
        return None
    if before.position is after.position and not any(cases.can_answer_differ(BOARD_KEYS).values()):
        return None
    then, now = _options_by_army(before), _options_by_army(after)
    moves, given = _compare_armies(then, now), tuple(find_changed_checks(then, now))
    what = tuple(find_board_changes(before.position, after.position, adoption.events))
    keys = before.law.vocabulary.keys
    looked_up = tuple((key, keys[key].reader) for key in dict.fromkeys(turned) if key in BOARD_KEYS)
    pairs = tuple(_pairs_to_draw(moves, now, given, what))
    board_effects = BoardEffects(moves, given, tuple(find_new_mates(before, after, then, now)), what, looked_up, pairs)
    same = not (looked_up or what or given or board_effects.mates) and board_effects.has_same_moves
    return (
        None
        if same and before.law.numbers_of_rules_about("may.move") == after.law.numbers_of_rules_about("may.move")
        else board_effects
    )


def find_boards_with_changed_moves(before: State, after: State) -> tuple[ChangedPair, ...]:
    """Return the boards on which armies have different moves after a change of law, with the moves gained and lost.

    Parameters
    ----------
    before, after : State
        Around the change.
    """
    if before.position is None or after.position is None:
        return ()
    if all(before.law.clauses_about(key) == after.law.clauses_about(key) for key in BOARD_KEYS):
        return ()
    now = _options_by_army(after)
    moves = _compare_armies(_options_by_army(before), now)
    return tuple(_pairs_to_draw(moves, now, (), ())) if any(army_moves.has_changed for army_moves in moves) else ()


def _options_by_army(state: State) -> dict[str, ArmyLook]:
    """Return for each army in play, by name, what it could do if its turn began now."""
    return {
        name: find_army_options(state, name) for name in multiverse_of(state).armies if is_army_in_play(state, name)
    }


def _compare_armies(then: dict[str, ArmyLook], now: dict[str, ArmyLook]) -> tuple[ArmyMoves, ...]:
    """Return the moves that each army gains and loses by a change; `then` and `now` are the options by army name."""
    return tuple(
        compare_moves(then.get(name, ArmyLook(name, army_look.position)), army_look) for name, army_look in now.items()
    )


def _pairs_to_draw(
    moves: tuple[ArmyMoves, ...],
    looks: dict[str, ArmyLook],
    checks: tuple[KingCheck, ...],
    changes: tuple[ChangedPieces, ...],
) -> Iterator[ChangedPair]:
    """Yield the boards to draw, with what changes on them: those with checks first, then those with changed moves."""
    pushes: dict[BoardNames, Push] = {}
    moved: defaultdict[BoardNames, set[tuple[str, bool]]] = defaultdict(set)
    for army_look in looks.values():
        for boards, push in army_look.pushes.items():
            pushes.setdefault(boards, push)
    for army in moves:
        for some, gained in ((army.gained, True), (army.lost, False)):
            for move in some:
                moved[move.push].add((move.text, gained))
    pieces = frozenset(id for changed_pieces in changes for id in changed_pieces.pieces)
    painted: set[tuple[str, bool]] = set()
    kings: set[int] = set()
    shared = not any(push.state.boards[name].half for push in pushes.values() for name in push.boards)
    for at in range(MOST_SHARED if shared else MOST_PAIRS):
        checked = {boards: {check.king for check in checks if boards in check.pushes} - kings for boards in pushes}
        weights = {
            boards: (
                len(checked[boards]), len(moved[boards] - painted),
                0 if at else len(pieces & {piece.id for piece in push.pieces.values()}),
            )
            for boards, push in pushes.items()
        }  # fmt: skip
        best = max(weights, key=lambda pair: weights[pair], default=None)
        if best is None or not any(weights[best]):
            return
        yield _make_changed_pair(pushes[best], moves, [check for check in checks if best in check.pushes], pieces)
        painted |= moved[best]
        kings |= checked[best]


def _make_changed_pair(
    push: Push, moves: tuple[ArmyMoves, ...], checks: list[KingCheck], pieces: frozenset[int]
) -> ChangedPair:
    """Return boards pushed together, with what to draw there: moves gained and lost, checks, changed pieces (ids)."""
    gained = _interleave_moves(push, [army_moves.gained for army_moves in moves])
    lost = _interleave_moves(push, [army_moves.lost for army_moves in moves])
    parts = [
        f"{len(some)} {word}{f' ({MOST_ARROWS} drawn)' if len(some) > MOST_ARROWS else ''}: "
        + "; ".join(move.text for move in some[:MOST_MOVES])
        for word, some in (("gained", gained), ("lost", lost))
        if some
    ]
    parts += [check.words for check in checks]
    framed = [piece for piece in push.pieces.values() if piece.id in pieces]
    parts += [f"{len(framed)} changed at once"] if framed else []
    return ChangedPair(
        push, tuple(gained[:MOST_ARROWS]), tuple(lost[:MOST_ARROWS]),
        tuple(check.king for check in checks if check.given), tuple(check.king for check in checks if not check.given),
        tuple(piece.id for piece in framed), f"{join_board_names(push.boards)}: {', '.join(parts)}",
    )  # fmt: skip


def _interleave_moves(push: Push, lists: list[tuple[BoardMove, ...]]) -> list[BoardMove]:
    """Return those moves of several armies that are on the boards of a push, taking one of each army in turn."""
    here = ([move for move in some if move.push == push.boards] for some in lists)
    return [move for row in zip_longest(*here) for move in row if move is not None]
