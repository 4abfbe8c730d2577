"""Rules of a position beyond movement and check: goals, hands, results of captures, forced captures, zones.

What these rules need is worked out move by move, on the list of moves that are legal without them. Positions that use
none of them never come here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from nomic_nb.chess.multiverse.errors import FenError, MultiverseError
from nomic_nb.chess.multiverse.generator import GeneratorView, Move, MoveChange
from nomic_nb.chess.multiverse.geometry import each_bit, union_of_bits
from nomic_nb.chess.multiverse.notation import LONGEST_FEN
from nomic_nb.chess.multiverse.packed_moves import NUMBER
from nomic_nb.chess.multiverse.position_state import (
    Extra,
    Outcome,
    PositionState,
    generator_view,
    moves_by_movement,
    next_state,
)
from nomic_nb.chess.multiverse.rules import Rules, region_bits
from nomic_nb.engine.arguments import explain_argument_errors

# ------------------------------------------------------------------------------------------------------- goals


@explain_argument_errors
def reach(kinds: str, squares: str) -> str:
    """Return the goal to move a piece of these kinds to one of these squares.

    Parameters
    ----------
    kinds : str
        Letters of the kinds.
    squares : str
        Squares, rectangles or ranks, seen from the side that moves there: ``"d4 e5"``, ``"a1-c3"``, ``"rank 8"``. If
        they differ: White's, ``/`` and Black's.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse import position
    >>> hill = position("4k3/8/8/8/8/4K3/8/8 w - - 0 1", goals=[reach("k", "d4-e5")])
    >>> hill.push("e3e4").outcome()
    Outcome(reason='goal square reached', winner='white')
    """
    return f"reach {kinds} {squares}"


@explain_argument_errors
def race(kinds: str, squares: str) -> str:
    """Return the goal to be first to move a piece of these kinds to one of these squares.

    If White is first and Black can arrive with the next move, Black may make that move. It is a draw if both arrive.

    Parameters
    ----------
    kinds, squares : str
        As for `reach`.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse import position
    >>> game = position("8/k6K/8/8/8/8/8/8 w - - 0 1", goals=[race("k", "rank 8 / rank 1")]).push("h7h8")
    >>> game.outcome(), game.push("a7a8").outcome()
    (None, Outcome(reason='goal square reached by both', winner=''))
    """
    return f"race {kinds} {squares}"


@explain_argument_errors
def checks(count: int) -> str:
    """Return the goal to give check so many times.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse import position
    >>> position("k7/8/8/8/8/8/8/K6R w - - 0 1", goals=[checks(1)]).push("h1h8").outcome()
    Outcome(reason='check 1 given', winner='white')
    """
    return f"checks {count}"


@explain_argument_errors
def lost_all(kinds: str = "all", left: int = 0) -> str:
    """Return the goal to lose all pieces, or all but a few.

    Parameters
    ----------
    kinds : str
        Letters of the kinds that count.
    left : int
        How many of them a winner may still have.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse import position
    >>> position("8/8/8/3p4/4R3/8/8/8 b - - 0 1", royal="", goals=[lost_all()]).push("d5e4").outcome().winner
    'white'
    """
    return f"lost {kinds}" + f" {left:d}" * (left != 0)


@explain_argument_errors
def extinct(kinds: str, left: int = 0) -> str:
    """Return the goal that the other side has no piece of these kinds left, or at most a few.

    Parameters
    ----------
    kinds : str
        Letters of the kinds; ``"all"`` for all pieces.
    left : int
        How many of them a loser may still have.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse import position
    >>> position("4k2q/8/8/8/8/8/8/Q3K3 w - - 0 1", goals=[extinct("q")]).push("a1h8").outcome().winner
    'white'
    """
    return f"extinct {kinds}" + f" {left:d}" * (left != 0)


@explain_argument_errors
def bare() -> str:
    """Return the goal that the other side has only royal pieces left and cannot take your last other piece at once.

    Examples
    --------
    >>> from nomic_nb.chess.multiverse import position
    >>> game = position("4k3/8/8/8/8/8/8/4KR1n w - - 0 1", goals=[bare()]).push("f1h1")
    >>> game.outcome(), game.push("e8e7").outcome().winner
    (None, 'white')
    """
    return "bare"


#: Whether a side has reached a goal: from the state and the side.
_Test = Callable[[PositionState, int], bool]


def split_goal(goal: str) -> tuple[str, str, str]:
    """Return a goal in parts: its word, the kinds that it names, and the rest.

    Examples
    --------
    >>> split_goal("reach k d4 e5"), split_goal("checks 3")
    (('reach', 'k', 'd4 e5'), ('checks', '', '3'))
    """
    word, _, rest = goal.partition(" ")
    kinds, _, more = rest.partition(" ")
    return (word, kinds, more) if word in ("reach", "race", "extinct", "lost") else (word, "", rest)


def _count_pieces(state: PositionState, side: int, classes: tuple[int, ...]) -> int:
    """Return how many pieces of some classes a side has, on the board and in hand."""
    held = state.extra.hands[side] if state.extra and state.extra.hands else ()
    return sum(state.sides[side][index].bit_count() + (held[index] if held else 0) for index in classes)


class ExtraRules:
    """The rules beyond movement and check, compiled; use :func:`extra_rules_for`.

    Parameters
    ----------
    rules : Rules
    """

    def __init__(self, rules: Rules) -> None:
        terms, geometry = rules.terms, rules.geometry
        self.rules, self.terms = rules, terms
        self.in_hand = {"captor's hand": 0, "owner's hand": 1}.get(terms.capture_result)
        #: whether pieces can be in hand, and how many checks each side has to give at first
        self.has_hands = self.in_hand is not None or bool(terms.drops)
        self.blast = {"explode": False, "explode with royals": True}.get(terms.capture_result)
        self.tried = self.blast is not None or terms.capture_result == "convert"
        self.checks = 0
        self.goals: list[tuple[str, bool, _Test]] = []
        self.races: list[_Test] = []
        for goal in terms.goals:
            found = self._read_goal(goal)
            if goal.startswith("race "):
                self.races.append(found[2])
            else:
                self.goals.append(found)
        self._within = {rules.classes[kind]: rules.classes[becomes] for kind, becomes in terms.promotion_within}
        self._limits = {rules.classes[kind]: most for kind, most in terms.promotion_limit}
        self._no_mate = {rules.classes[kind] for kind in terms.drop_without_mate}
        self._filtered = bool(terms.flying_general or terms.giving_check != "any" or self._no_mate)
        #: Whether promoted pieces fall back to what they were in hand.
        self.falls_back = self.has_hands and not terms.keeps_promotion
        self.has_former = self.falls_back and bool(self._within)
        self._files = [
            union_of_bits(1 << at for at in range(file, geometry.size, geometry.files))
            for file in range(geometry.files)
        ]
        drops = dict(terms.drops)
        #: squares where each class can be dropped, by side
        self.drop_zones = [
            [
                rules.region(kind, side).full & (region_bits(drops[kind], geometry, side) if kind in drops else -1)
                for kind in rules.kinds
            ]
            for side in (0, 1)
        ]
        self._zones = [rules.promotion_zone(side) for side in (0, 1)]

    def _classes(self, goal: str, kinds: str) -> tuple[int, ...]:
        """Return the classes of the kinds that a goal names."""
        for kind in kinds:
            if kind not in self.rules.classes:
                raise MultiverseError(
                    "goal-of-unknown-kind",
                    "goals: {goal!r} names the kind {kind!r}; the kinds are {known}",
                    goal=goal,
                    kind=kind,
                    known=", ".join(self.rules.kinds),
                )
        return tuple(self.rules.classes[kind] for kind in kinds)

    def _read_goal(self, goal: str) -> tuple[str, bool, _Test]:
        """Return a goal as (reason of the end, whether who meets the test wins, test)."""
        name, kinds, rest = split_goal(goal)
        if goal == "bare":
            return "bare king", False, self._is_bare
        if name in ("extinct", "lost") and kinds and re.fullmatch("[0-9]{0,3}", rest):
            gone, left = self._every if kinds == "all" else self._classes(goal, kinds), int(rest or 0)
            reason = "all pieces lost" if kinds == "all" and not left else f"{left or 'no'} {kinds} left"
            return reason, name == "lost", lambda state, side: _count_pieces(state, side, gone) <= left
        if name == "checks" and not (self.terms.royal and self.terms.check):
            raise MultiverseError("goal-without-check", "goals: {goal!r} needs royal pieces and check", goal=goal)
        if name == "checks" and self.checks:
            raise MultiverseError("goal-given-twice", "goals: 'checks' can be there only once")
        if name == "checks" and re.fullmatch("[1-9][0-9]?", rest):
            self.checks = int(rest)
            return f"check {rest} given", True, lambda state, side: bool(state.extra and not state.extra.checks[side])
        if name in ("reach", "race") and kinds and rest:
            classes = self._classes(goal, kinds)
            regions = [region_bits(rest, self.rules.geometry, side) for side in (0, 1)]
            return (
                "goal square reached",
                True,
                lambda state, side: any(state.sides[side][index] & regions[side] for index in classes),
            )
        raise MultiverseError(
            "goal-unknown",
            "goals can be 'reach k d4 e4', 'race k rank 8', 'checks 3' (1 to {most}), 'lost all', 'extinct q', "
            "'extinct k 2' or 'bare', not {goal!r}",
            goal=goal[:60],
            most=MOST_CHECKS,
        )

    @property
    def _every(self) -> tuple[int, ...]:
        return tuple(range(len(self.rules.kinds)))

    def _is_bare(self, state: PositionState, side: int) -> bool:
        """Tell whether a side has only royal pieces, the other has more, and it had a move to change that."""
        rest = tuple(index for index in self._every if index not in self.rules.royal)
        return (
            state.side != side and not _count_pieces(state, side, rest) and bool(_count_pieces(state, 1 - side, rest))
        )

    def end_by_goal(self, state: PositionState) -> Outcome | None:
        """Return how the game has ended by a goal, the mover's first; None if it has not."""
        for reason, wins, test in self.goals:
            for side in (1 - state.side, state.side):
                if test(state, side):
                    return Outcome(reason, ("white", "black")[side if wins else 1 - side])
        for test in self.races:
            white, black = (test(state, side) for side in (0, 1))
            if white and black:
                return Outcome("goal square reached by both", "")
            if black or (white and not (state.side and self._can_arrive(state, test))):
                return Outcome("goal square reached", "black" if black else "white")
        royals = [bool(self.rules.royals(boards)) for boards in state.sides]
        if self.blast and self.terms.royal and not all(royals) and any(royals):
            return Outcome("royal piece captured", ("white", "black")[royals[1]])
        return None

    def _can_arrive(self, state: PositionState, test: _Test) -> bool:
        """Tell whether Black has a move that reaches a goal."""
        return any(test(self.next_state(state, move.change), 1) for move in self._moves(state))

    # What a move changes

    def next_state(self, state: PositionState, change: MoveChange) -> PositionState:
        """Return the state after a move with what these rules make of it, but for checks that it gives."""
        side, extra, after = state.side, state.extra, next_state(state, change, self.rules)
        if extra is None:
            return after
        sides, gone = [list(boards) for boards in after.sides], 0
        hands = [list(hand) for hand in extra.hands]
        if not change.origin:
            hands[side][change.mover] -= 1
        for index, bits in enumerate(state.sides[1 - side]):
            for bit in each_bit(bits & change.taken):
                if self.in_hand is not None and index not in self.rules.royal:
                    original = self.rules.pawns[0] if extra.promoted & bit and self.rules.pawns else index
                    original = next((at for at, those in enumerate(extra.former) if those & bit), original)
                    hands[side ^ self.in_hand][original] += 1
                elif self.terms.capture_result == "convert":
                    sides[side][index] |= change.origin if bit == change.target else bit
        if change.taken and self.blast is not None:
            around = self.rules.geometry.around(change.target.bit_length() - 1)
            gone = union_of_bits(1 << square for square in around)
            for boards in sides:
                for index in self._every:
                    spared = 0 if self.blast else gone * (index in self.rules.royal)
                    boards[index] &= ~(change.target if index in self.rules.pawns else gone & ~spared)
        promoted = extra.promoted & ~change.taken & ~change.origin & ~gone
        former = [bits & promoted for bits in extra.former]
        if self.falls_back and (change.becomes != change.mover or extra.promoted & change.origin):
            promoted |= change.target
            before = next((at for at, bits in enumerate(extra.former) if bits & change.origin), change.mover)
            if former and (before != change.mover or self._within.get(before) == change.becomes):
                former[before] |= change.target
        return after._replace(
            sides=(sides[0], sides[1]),
            occupied=(sum(sides[0]), sum(sides[1])),
            rights=self.rules.remaining_rights(after.rights, gone),
            unmoved=after.unmoved & ~gone,
            extra=Extra(tuple(map(tuple, hands)), promoted, extra.checks, tuple(former)),
        )

    def count_check(self, state: PositionState) -> PositionState:
        """Return the state after a move that gave check, with one check fewer to give."""
        extra, by = state.extra, 1 - state.side
        if extra is None:
            return state
        left = tuple(max(count - (side == by), 0) for side, count in enumerate(extra.checks))
        return state._replace(extra=extra._replace(checks=left))

    # What moves there are

    def legal_moves(self, state: PositionState) -> list[Move]:
        """Return the legal moves under these rules, in order of their numbers."""
        return [] if self.end_by_goal(state) else self._moves(state)

    def _moves(self, state: PositionState) -> list[Move]:
        """Return the legal moves, whether or not a goal is reached."""
        moves, side = moves_by_movement(state, self.rules), state.side
        if self.tried:
            bold = self.rules.ignoring_check.listers[side].moves(generator_view(state, self.rules))
            moves = [move for move in moves if move.partner] + [
                move for move in bold if not move.partner and self._keeps_royals(state, move.change)
            ]
        if self._within:
            moves = list(self._with_zone_promotions(moves, side))
        if self._limits:
            moves = [move for move in moves if self._is_within_limits(state.sides[side], side, move)]
        if self.has_hands:
            moves = [*moves, *self._drop_moves(state, generator_view(state, self.rules))]
        if self._filtered:
            moves = [move for move in moves if self._is_allowed(state, move)]
        captures = [move for move in moves if move.taken] if self.terms.move_forced else []
        return sorted(captures or moves, key=NUMBER)

    def _is_within_limits(self, mine: list[int], side: int, move: Move) -> bool:
        """Tell whether a side may still promote to this kind; or may go on as it is, if it does not promote."""
        change = move.change
        if move.promotion:
            return mine[change.becomes].bit_count() < self._limits.get(change.becomes, MOST_IN_HAND)
        return change.mover not in self.rules.pawns or not self._is_stuck(side, change.mover, change.target)

    def _is_allowed(self, state: PositionState, move: Move) -> bool:
        """Tell whether a move leaves royal pieces apart, and gives check or mate only if it may."""
        after, drop = self.next_state(state, move.change), not move.change.origin
        if self.terms.flying_general and self._face_each_other(after):
            return False
        forbidden = self.terms.giving_check == "never" or (drop and self.terms.giving_check == "by moves")
        mates = drop and move.change.mover in self._no_mate
        if not (forbidden or mates) or not self.rules.generators[after.side].checkers(
            generator_view(after, self.rules)
        ):
            return True
        return not forbidden and bool(self._moves(after))

    def _face_each_other(self, state: PositionState) -> bool:
        """Tell whether two royal pieces are on one rank or file with nothing in between."""
        files, every = self.rules.geometry.files, sum(state.occupied)
        ours, theirs = (list(each_bit(self.rules.royals(boards))) for boards in state.sides)
        for one, other in ((min(pair), max(pair)) for pair in product(ours, theirs)):
            (row, file), (far_row, far_file) = (divmod(bit.bit_length() - 1, files) for bit in (one, other))
            line = self.rules.geometry.rank_bits(row + 1) if row == far_row else self._files[file]
            if (row == far_row or file == far_file) and not every & line & (other - 1) & ~(2 * one - 1):
                return True
        return False

    def _keeps_royals(self, state: PositionState, change: MoveChange) -> bool:
        """Tell whether a move leaves the mover's royal pieces on the board and not open to capture."""
        side = state.side
        after = self.next_state(state, change)
        had, kings, theirs = (
            self.rules.royals(boards) for boards in (state.sides[side], after.sides[side], after.sides[1 - side])
        )
        if not self.terms.check or not had:
            return True
        if had.bit_count() != kings.bit_count() or (self.blast and not theirs):
            return had.bit_count() == kings.bit_count()
        # Whoever captures beside its own king blows it up.
        shielded = self.blast and any(
            theirs >> square & 1
            for king in each_bit(kings)
            for square in self.rules.geometry.around(king.bit_length() - 1)
        )
        return bool(shielded) or not self.rules.generators[side].checkers(
            generator_view(after._replace(side=side), self.rules)
        )

    def _with_zone_promotions(self, moves: list[Move], side: int) -> Iterator[Move]:
        """Yield moves, each followed by its promotion if the piece comes from or gets into the zone."""
        zone, must = self._zones[side], self.terms.promotion_within_mandatory
        for move in moves:
            becomes = self._within.get(move.change.mover)
            if (
                becomes is None
                or move.promotion
                or move.partner
                or not zone & (move.change.origin | move.change.target)
            ):
                yield move
                continue
            if not (must or self._is_stuck(side, move.change.mover, move.change.target)):
                yield move
            change = move.change._replace(becomes=becomes)
            yield self.rules.listers[side].made[change, True]

    def _is_stuck(self, side: int, index: int, bit: int) -> bool:
        """Tell whether a piece of this class could never move from a square."""
        return not self.rules.generators[side].forces[index].movement.ever[bit][0]

    def _drop_moves(self, state: PositionState, view: GeneratorView) -> Iterator[Move]:
        """Yield the legal drops of pieces in hand."""
        side = state.side
        hand = state.extra.hands[side] if state.extra and state.extra.hands else ()
        if not any(hand):
            return
        generator = self.rules.generators[side]
        occupied = view.own | view.capturable
        empty = generator.full & ~occupied
        if generator.masked:
            empty &= generator.limits(view, generator.royals(view), occupied)[0]
        elif self.terms.check:
            kings = list(each_bit(generator.royals(view)))
            empty = union_of_bits(
                bit for bit in each_bit(empty) if not any(generator.attacked(at, view, occupied | bit) for at in kings)
            )
        limits = dict(self.terms.drop_file_limit)
        for index in (at for at, count in enumerate(hand) if count):
            squares, most = empty & self.drop_zones[side][index], limits.get(self.rules.kinds[index], MOST_IN_HAND)
            squares &= ~union_of_bits(file for file in self._files if (view.mine[index] & file).bit_count() >= most)
            for bit in each_bit(squares):
                if not self._is_stuck(side, index, bit):
                    yield self.rules.listers[side].made[MoveChange(index, 0, bit, 0, index), False]


#: Checks that can be a goal.
MOST_CHECKS = 99


@lru_cache(maxsize=256)
def extra_rules_for(rules: Rules) -> ExtraRules | None:
    """Return the extra rules of compiled rules, from a cache; None if there are none."""
    return ExtraRules(rules) if rules.terms.has_extra_rules else None


# --------------------------------------------------------------------------------- what a FEN says of extra rules

_SQUARES = re.compile(r"[0-9]{1,2}|\+?.~?")
_HAND = re.compile(r"(\S*)\[([A-Za-z-]*)\]")
_CHECKS = re.compile(r"([0-9]{1,2})\+([0-9]{1,2})")
#: Pieces of one kind in hand.
MOST_IN_HAND = 255
#: FENs of other programs: how they are recognised, what they are, and what to write instead.
_DIALECTS = (
    (r".*\s\+\d+\+\d+$", "lichess’s FEN of three-check", "write the checks still to give as field 5, such as 3+3"),
    (r"(?:[^/ ]{1,8}/){8}(?![A-Za-z]{8}\s)[A-Za-z]+\s", "a FEN with the hands as a ninth rank", "write them as [QPp]"),
    (r"\S*[{(<|]", "a FEN with walls or names of pieces", "use one letter for each piece and * for holes"),
    (r"(?:startpos|position|fen)\b", "a command of UCI", "leave out the word, or all if it is the start of chess"),
    (r"\S+ r\b", "a FEN of xiangqi with r for Red", "write w"),
)


class ExtraFields(NamedTuple):
    """What a FEN says beyond the standard: the rest of it, then hands, promoted pieces and checks still to give.

    Promoted pieces are file, rank and, behind a plus sign, the kind that they were.
    """

    plain: str
    hands: Counter[str] | None
    promoted: tuple[tuple[int, int, str], ...]
    checks: tuple[int, int] | None


def split_fen(text: str, within: Mapping[str, str] | None = None) -> ExtraFields:
    """Return a FEN without its extra fields, and those.

    Parameters
    ----------
    text : str
    within : mapping of str to str
        What kinds become that are written with a plus sign if they are promoted, as in shogi; None: leave out the sign.

    Raises
    ------
    FenError
        It is another program's kind of FEN.

    Examples
    --------
    >>> split_fen("4k3/8/8/8/8/8/8/4K2Q~[Pp] w - - 3+2 0 1")
    ExtraFields(plain='4k3/8/8/8/8/8/8/4K2Q w - - 0 1', hands=Counter({'P': 1, 'p': 1}), promoted=((7, 0, ''),), \
checks=(3, 2))
    """
    fields = text.split() if isinstance(text, str) and len(text) <= LONGEST_FEN else []
    for pattern, name, instead in _DIALECTS:
        if fields and re.match(pattern, " ".join(fields)):
            raise FenError("fen-of-a-dialect", "this is {name}: {instead}", name=name, instead=instead)
    if not any(sign in field for field in fields for sign in "[~+"):
        return ExtraFields(text, None, (), None)
    hands, count = _HAND.fullmatch(fields[0]), _CHECKS.fullmatch(fields[4]) if len(fields) > 4 else None
    placement, promoted = hands[1] if hands else fields[0], []
    if re.search("(?<![A-Za-z])~", placement):
        raise FenError("fen-mark-without-piece", "field 1 (placement): '~' must follow the letter of a promoted piece")
    for rank, row in enumerate(reversed(placement.split("/"))):
        file = 0
        for mark in _SQUARES.findall(row):
            if mark[-1] == "~" or mark[0] == "+":
                promoted.append((file, rank, mark[1].lower() if mark[0] == "+" else ""))
            file += int(mark) if mark[0] in "0123456789" else 1

    for letter in re.findall(r"\+(.?)", placement):
        kind = letter if within is None else within.get(letter.lower())
        if kind is None:
            raise FenError(
                "fen-promotion-unknown",
                "field 1 (placement): promotion_within must say what {letter!r} becomes, because there is '+{letter}'",
                letter=letter,
            )
        placement = placement.replace(f"+{letter}", kind.upper() if letter.isupper() else kind)
    plain = [placement.replace("~", ""), *fields[1:4], *fields[4 + bool(count) :]]
    letters = Counter(hands[2].replace("-", "")) if hands else None
    return ExtraFields(" ".join(plain), letters, tuple(promoted), (int(count[1]), int(count[2])) if count else None)


def read_extra(fields: ExtraFields, extra: ExtraRules | None, rules: Rules) -> Extra | None:
    """Return what the extra fields of a FEN say under some rules; None if the rules keep nothing there.

    Raises
    ------
    FenError
        The rules have no use for a field, or a field does not fit.
    """
    hands = fields.hands or Counter()
    for letter, count in hands.items():
        if letter.lower() not in rules.classes or count > MOST_IN_HAND:
            raise FenError(
                "fen-hand-unreadable",
                "field 1 (placement): {letter!r} in a hand must be one of the kinds {known}, at most {most} times",
                letter=letter,
                known=", ".join(rules.kinds),
                most=MOST_IN_HAND,
            )
        if letter.lower() in rules.terms.royal:
            raise FenError(
                "fen-royal-in-hand",
                "field 1 (placement): royal pieces such as {letter!r} can’t be in hand",
                letter=letter,
            )
    if not (extra and extra.has_hands) and (fields.hands is not None or any(not kind for *_, kind in fields.promoted)):
        raise FenError(
            "fen-with-unused-hands",
            "field 1 (placement): hands in brackets and '~' are for games with drops, such as crazyhouse. "
            'Give capture_result="captor\'s hand" or drops=',
        )
    if fields.checks and not (extra and extra.checks and max(fields.checks) <= extra.checks):
        raise FenError(
            "fen-with-unused-checks",
            "field 5: {white}+{black} counts checks still to give, which needs the goal 'checks {white}' or more",
            white=fields.checks[0],
            black=fields.checks[1],
        )
    if extra is None:
        return None
    bits = [(1 << rank * rules.geometry.files + file, kind) for file, rank, kind in fields.promoted if extra.falls_back]
    former = [sum(bit for bit, kind in bits if kind == one) for one in rules.kinds] if extra.has_former else []
    counts = tuple(tuple(hands[kind] for kind in row) for row in (map(str.upper, rules.kinds), rules.kinds))
    checks = (fields.checks or (extra.checks,) * 2) if extra.checks else ()
    return Extra(counts if extra.has_hands else (), sum(bit for bit, _ in bits), checks, tuple(former))
