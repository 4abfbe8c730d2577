"""The boards as one army has them before it: moves gained and lost by a rule change, kings in check, mates to come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field

from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, BoardNames
from nomic_nb.chess.multiverse.pushes import Push, possible_pushes
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.events import new_turn_moves
from nomic_nb.chess.play.functions import armies_named_by_key, push_under_law
from nomic_nb.chess.play.legal import push_options, pushes_if_mated
from nomic_nb.chess.play.records import kind_name
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.values import Number, ThingRef
from nomic_nb.engine.play.engine import EndlessClauses
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import TrialEngine, calm_state
from nomic_nb.engine.play.values import Turn
from nomic_nb.engine.words import count_phrase, group_pairs, join_words, rule_citation


@frozen
class ArmyLook:
    """The options of an army if its turn began now.

    Parameters
    ----------
    army : str
        The army.
    position : Multiverse
        The boards.
    moves : mapping of tuple of (tuple of str, str) to BoardMove
        Its legal moves over all pushes, by boards and text; a move that can be made on two pairs is there twice.
    pushes : mapping of tuple of str to Push
        Boards with its pieces, pushed together, including those on which the law lets it make no move.
    open : frozenset of tuple of str
        The boards it may push.
    count : int or Fraction or None
        The moves that it makes in a turn.
    mated : bool
        Whether it is in check, with no way out, whichever boards with its king it pushes.
    doubt : str
        Why that cannot be known; then all else is empty.
    """

    army: str
    position: Multiverse
    moves: Mapping[tuple[BoardNames, str], BoardMove] = field(default_factory=dict)
    pushes: Mapping[BoardNames, Push] = field(default_factory=dict)
    open: frozenset[BoardNames] = frozenset()
    count: Number | None = None
    mated: bool = False
    doubt: str = ""

    @property
    def is_known(self) -> bool:
        """Whether the law decides everything that the army's moves depend on."""
        return not self.doubt


def state_at_army_turn(state: State, army: str) -> State:
    """Return the state as if the turn of an army began now, with what rules count then."""
    player, number = multiverse_of(state).armies[army].controller, state.turn + 1
    turn = Turn(number, player, army=army, march=new_turn_moves(state, army, player))
    asked = state.replace(turn=number, hand=number, turns=(turn,))
    if "turn_begun" not in state.law.triggers or any(
        one.player == player and one.army in (army, None) for one in state.turns
    ):
        return asked
    engine = TrialEngine(calm_state(asked), frozenset())
    with suppress(EndlessClauses):
        engine.simulate_event("turn_begun", {"player": ThingRef("player", player), "army": ThingRef("army", army)})
    return asked.replace(tables=engine.state.tables)


def find_army_options(state: State, army: str) -> ArmyLook:
    """Return what an army could do if its turn began now: its moves and pushes, and whether it is mated."""
    asked = state_at_army_turn(state, army)
    try:
        pushes = push_options(asked)
        moves = {(way.push.boards, move.text): move for way in pushes for move in way.moves}
        seen = {way.push.boards: way.push for way in pushes}
        for boards in possible_pushes(multiverse_of(asked), army):
            if boards not in seen:
                seen[boards] = push_under_law(asked.law, asked, army, boards)
        mated = bool(pushes_if_mated(asked, pushes))
        open_ones, count = frozenset(way.push.boards for way in pushes), asked.read("move.count", army=army)
        return ArmyLook(army, multiverse_of(state), moves, seen, open_ones, count, mated)
    except Undecided as doubt:
        return ArmyLook(army, multiverse_of(state), doubt=doubt.reason)


#: Moves that are told of an army, gained and lost each, and pairs of boards that are named with one.
MOST_MOVES, MOST_PUSHES = 6, 3


def join_board_names(boards: Iterable[str]) -> str:
    """Return the names of boards joined as players write a push: ``white+yellow``."""
    return "+".join(boards)


@frozen
class KindMoves:
    """The moves of one kind of piece.

    Parameters
    ----------
    kind : str
        A letter, in lower case.
    before, after : int
        Its legal moves over all pushes.
    gained, lost : int
        Those that come and go.
    """

    kind: str
    before: int
    after: int
    gained: int
    lost: int

    def __str__(self) -> str:
        parts = [f"{sign}{count}" for sign, count in (("+", self.gained), ("−", self.lost)) if count]
        return f"{kind_name(self.kind)} {' '.join(parts)}"


@frozen
class ArmyMoves:
    """The moves of one army before and after a rule change.

    Parameters
    ----------
    army, player : str
        The army, and the player who moves it afterwards.
    before, after : int or None
        Its legal moves over all pushes, as if its turn began now; None if the law does not say.
    gained, lost : tuple of BoardMove
        All moves that come and go, the most telling ones first.
    kinds : tuple of KindMoves
        The kinds of piece whose moves change.
    counts : tuple of (int or Fraction or None, int or Fraction or None)
        Number of moves that it makes in a turn, before and after.
    doubts : tuple of (str, str)
        Why its moves cannot be known before, and after.
    stuck : bool
        Whether it has moves now, and afterwards pieces without a move, and is not mated.
    """

    army: str
    player: str
    before: int | None
    after: int | None
    gained: tuple[BoardMove, ...] = ()
    lost: tuple[BoardMove, ...] = ()
    kinds: tuple[KindMoves, ...] = ()
    counts: tuple[Number | None, Number | None] = (None, None)
    doubts: tuple[str, str] = ("", "")
    stuck: bool = False

    @property
    def has_changed(self) -> bool:
        """Whether the army's moves, or how many it makes in a turn, change."""
        return bool(self.gained or self.lost or self.counts[0] != self.counts[1] or self.doubts[0] != self.doubts[1])

    @property
    def in_short(self) -> str:
        """The numbers of moves before and after, with the kinds of piece, in one line."""
        if self.doubts[1]:
            return f"{_move_count_phrase(self.before)} → not known, because {self.doubts[1]}"
        sentence = f"{_move_count_phrase(self.before)} → {_move_count_phrase(self.after)}"
        if self.gained or self.lost:
            sentence += f": {len(self.gained)} gained, {len(self.lost)} lost ({', '.join(map(str, self.kinds))})"
        elif not self.doubts[0]:
            sentence = f"{_move_count_phrase(self.after)} as before"
        if self.counts[0] != self.counts[1] and not self.doubts[0]:
            sentence += f"; {self.counts[1]} per turn instead of {self.counts[0]}"
        return sentence

    @property
    def changed_move_lines(self) -> tuple[str, ...]:
        """Lines that list the moves gained and the moves lost, if there are any of each."""
        return tuple(
            f"{word}: {moves_in_words(moves)}"
            for word, moves in (("gained", self.gained), ("lost", self.lost))
            if moves
        )


def _move_count_phrase(count: int | None) -> str:
    """Return a number of moves as a phrase, such as “3 moves”; “not known” for None."""
    return "not known" if count is None else count_phrase(count, "move")


def moves_in_words(moves: Iterable[BoardMove]) -> str:
    """Return a text that lists moves, each once with the boards on which it can be made."""
    by_text = group_pairs((move.text, join_board_names(move.push)) for move in moves)
    sentences = []
    for text, pairs in list(by_text.items())[:MOST_MOVES]:
        more = [] if len(pairs) <= MOST_PUSHES else [f"{len(pairs) - MOST_PUSHES} more"]
        sentences.append(f"{text} on {join_words([*pairs[:MOST_PUSHES], *more], 'or')}")
    if len(by_text) > MOST_MOVES:
        sentences.append(f"and {len(by_text) - MOST_MOVES} more")
    return "; ".join(sentences)


def compare_moves(before: ArmyLook, after: ArmyLook) -> ArmyMoves:
    """Return how many moves an army has before and after a change, and which it gains and loses."""
    player = after.position.armies[after.army].controller
    doubts = before.doubt, after.doubt
    counts = before.count, after.count
    was, will = (len(army_look.moves) if army_look.is_known else None for army_look in (before, after))
    if was is None or will is None:
        return ArmyMoves(after.army, player, was, will, counts=counts, doubts=doubts)
    gained = sort_moves_by_interest([move for key, move in after.moves.items() if key not in before.moves])
    lost = sort_moves_by_interest([move for key, move in before.moves.items() if key not in after.moves])
    kinds = tuple(_count_moves_by_kind(before, after, gained, lost))
    stuck = bool(before.moves and after.pushes) and not after.moves and not after.mated
    return ArmyMoves(after.army, player, was, will, gained, lost, kinds, counts, doubts, stuck)


def _count_moves_by_kind(
    before: ArmyLook, after: ArmyLook, gained: tuple[BoardMove, ...], lost: tuple[BoardMove, ...]
) -> Iterator[KindMoves]:
    """Yield, for each kind of piece whose moves change, how many it has before and after, gains and loses."""

    def count(moves: Iterable[BoardMove], look: ArmyLook) -> Counter[str]:
        return Counter(look.position.pieces[move.piece].kind for move in moves)

    old, new = count(before.moves.values(), before), count(after.moves.values(), after)
    come, gone = count(gained, after), count(lost, before)
    for kind in sorted({*come, *gone}, key=lambda piece_kind: (-come[piece_kind] - gone[piece_kind], piece_kind)):
        yield KindMoves(kind, old[kind], new[kind], come[kind], gone[kind])


def sort_moves_by_interest(moves: list[BoardMove]) -> tuple[BoardMove, ...]:
    """Return moves sorted by interest: captures, promotions, castling, changes of board first.

    Among equals, pieces take turns, so a shortened list still covers as many of them as possible.
    """
    turns: Counter[int] = Counter()
    ranked_moves = []
    for board_move in sorted(moves, key=lambda move: move.text):
        far = board_move.origin[0] != board_move.target[0]
        ranked_moves.append(
            (
                (
                    not board_move.taken,
                    not board_move.promotion,
                    board_move.partner is None,
                    not far,
                    turns[board_move.piece],
                    board_move.text,
                ),
                board_move,
            )
        )
        turns[board_move.piece] += 1
    return tuple(move for _, move in sorted(ranked_moves, key=lambda each: each[0]))


@frozen
class KingCheck:
    """A king that comes into check on boards pushed together, or out of it.

    Parameters
    ----------
    army : str
        Whose king it is.
    king : int
        Its number.
    pushes : tuple of tuple of str
        The boards on which it is seen.
    checkers : tuple of int
        The pieces that give it, or gave it.
    given : bool
        Whether it comes into check.
    words : str
        King and pieces in words.
    """

    army: str
    king: int
    pushes: tuple[BoardNames, ...]
    checkers: tuple[int, ...]
    given: bool
    words: str

    def __str__(self) -> str:
        return f"{self.words} on {join_words([join_board_names(push) for push in self.pushes])}"


@frozen
class PossibleMate:
    """An army that would be mated on the current boards after the change, but is not now.

    Parameters
    ----------
    army : str
        The army.
    pushes : tuple of tuple of str
        The boards that somebody would have to push together; empty if it is mated in its own turn.
    by : tuple of str
        The armies that could push them.
    rule : int or str or None
        The rule that says so.
    """

    army: str
    pushes: tuple[BoardNames, ...] = ()
    by: tuple[str, ...] = ()
    rule: RuleNumber | None = None

    def __str__(self) -> str:
        if not self.pushes:
            return f"{self.army} would be mated when it has to move: in check on all boards, with no way out"
        pairs = join_words([join_board_names(push) for push in self.pushes], "or")
        mates = join_words(self.by, "or")
        return f"{self.army} would be mated as soon as {mates} pushes {pairs}{rule_citation(self.rule)}"


def find_changed_checks(before: Mapping[str, ArmyLook], after: Mapping[str, ArmyLook]) -> Iterator[KingCheck]:
    """Yield the checks that a change brings to kings, then those that it ends; the mappings are by army."""
    known = {army for army in before if army in after and before[army].is_known and after[army].is_known}
    for given, looks, others, way in ((True, after, before, "into"), (False, before, after, "out of")):
        there = _checkers_by_king(others)
        fresh = [
            (check_key, checkers)
            for check_key, checkers in _checkers_by_king(looks).items()
            if check_key[0] in known and check_key not in there
        ]
        groups = group_pairs(((army, king, checkers), boards) for (army, king, boards), checkers in fresh)
        for (army, king, checkers), together in groups.items():
            position = looks[army].position
            pieces = join_words([piece_in_words(position, checker) for checker in checkers])
            words = f"the {piece_in_words(position, king)} comes {way} check from the {pieces}"
            yield KingCheck(army, king, tuple(together), checkers, given, words)


def piece_in_words(position: Multiverse, id: int) -> str:
    """Return the piece with an id in words: ``king white.e1``, ``rook of green on white.e4``."""
    piece = position.pieces[id]
    where = position.name(*piece.place)
    owner = f" of {piece.army} on" if piece.army != piece.board else ""
    return f"{kind_name(piece.kind)}{owner} {where}"


def _checkers_by_king(looks: Mapping[str, ArmyLook]) -> dict[tuple[str, int, BoardNames], tuple[int, ...]]:
    """Return ids of the pieces that give check; keys are triples of army, id of its king, names of boards pushed."""
    return {
        (army, king, boards): checkers
        for army, look in looks.items()
        for boards, push in look.pushes.items()
        for king, checkers in push.checkers().items()
    }


def find_new_mates(
    before: State, after: State, then: Mapping[str, ArmyLook], now: Mapping[str, ArmyLook]
) -> Iterator[PossibleMate]:
    """Yield the mates that a change brings; `then` and `now` are the armies' options before and after it."""
    for army, look in now.items():
        if army in after.mated or not look.is_known:
            continue
        was = then.get(army)
        if look.mated and not (was is not None and was.mated):
            yield PossibleMate(army)
        old = {boards: by for boards, by, _ in _mating_pushes(before, army, then)} if was is not None else {}
        boards_by_cause = group_pairs(
            ((tuple(text for text in by if text not in old.get(boards, ())), rule), boards)
            for boards, by, rule in _mating_pushes(after, army, now)
        )
        for (fresh, rule), there in boards_by_cause.items():
            if fresh:
                yield PossibleMate(army, tuple(there), fresh, rule)


def _mating_pushes(
    state: State, army: str, looks: Mapping[str, ArmyLook]
) -> Iterator[tuple[BoardNames, tuple[str, ...], RuleNumber | None]]:
    """Yield pushes that mate an army: board names, armies that can push them, number of the rule that makes it mate."""
    for boards, push in looks[army].pushes.items():
        by = {}
        others = [name for name, look in looks.items() if name != army and boards in look.open]
        for other in others if push.checkers() else ():
            asked = state_at_army_turn(state, other)
            try:
                finding = asked.find("check.enemy_on_push", army=other, push=boards)
                hostile = armies_named_by_key(asked.law, asked, "check.from", army, boards)
                if asked.law.value_or_undecided(finding) == "mate" and other in hostile:
                    by[other] = finding.rule
            except Undecided:
                continue  # whether it mates is for the table to say, when the boards are pushed
        if by:
            yield boards, tuple(by), [*by.values()][-1]


def is_army_in_play(state: State, army: str) -> bool:
    """Tell whether an army is on the boards and its player is still in the game."""
    position = multiverse_of(state)
    return army in position.armies and state.players[position.armies[army].controller].playing
