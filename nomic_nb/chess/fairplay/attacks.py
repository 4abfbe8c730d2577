"""What pieces could do in a turn to come, own check apart: the moves of an army in one position after another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from nomic_nb.chess.fairplay.evidence import ends_of, evidence_on_board
from nomic_nb.chess.fairplay.fairness import CIRCUITS_TO_COME, declarations_of, is_bound_name
from nomic_nb.chess.fairplay.hypotheticals import lookahead_function
from nomic_nb.chess.multiverse.capture_distances import CaptureDistances
from nomic_nb.chess.multiverse.geometry import each_bit
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, BoardNames, Piece
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import Law as Chess
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.captures import UNUSUAL_RESULTS, capture_result
from nomic_nb.chess.play.events import new_turn_moves
from nomic_nb.chess.play.functions import (
    armies_named_by_key,
    make_push,
    movement_notation,
    movement_rules,
    tells_pieces_apart,
)
from nomic_nb.chess.play.legal import is_forbidden, joinable_boards
from nomic_nb.chess.play.records import (
    BOARD,
    MOVE_COUNT_KEYS,
    PIECE,
    PIECES,
    TERMS,
    current_boards,
    describe_piece,
    find_board,
    find_piece,
    kind_name,
)
from nomic_nb.engine.law.nodes import Expression, Undecided, View, walk_expressions
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.traits import Trait, has_trait
from nomic_nb.engine.law.values import TEXT, TRUTH, list_type
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.turn_order import TurnOrder
from nomic_nb.engine.play.values import Turn
from nomic_nb.engine.words import verb_phrase

# -------------------------------------------------------------------------- what pieces could do in a turn to come


#: Steps that it is worth to find all moves on boards that are pushed together.
MOVE_LISTING_COST = 60


def _depends_on_piece_squares(law: Law, expressions: Iterable[Expression]) -> bool:
    """Tell whether the value of any of these expressions depends on where pieces are."""
    nodes = [node for node in walk_expressions(expressions) if not is_bound_name(node, law.vocabulary)]
    words = (word for node in nodes for word in declarations_of(node, law.vocabulary))
    return any(node.supposition for node in nodes) or any(
        "position" in word.reads and not has_trait(word, Trait.SETTLED) for word in words
    )


def _captures_ignore_positions(law: Law) -> bool:
    """Tell whether no rule on captures depends on where pieces are, apart from those in the capture."""
    replaced = [expression for source in law.replacements.get("captured", ()) for expression in source.clause.asked]
    asked = law.dependence.expressions_behind("may.move", *law.dependence.keys_of_expression(*replaced))
    return not _depends_on_piece_squares(law, (*replaced, *asked))


#: Of bodies of law, whether moves are settled in them, and captures: it is asked for each army and board.
_SETTLED_LAWS: WeakKeyDictionary[Law, tuple[bool, bool]] = WeakKeyDictionary()


class ReachableSquares(NamedTuple):
    """The squares that an army's pieces can reach in one position, with the boards pushed together."""

    push: Push
    squares: dict[tuple[int, str, bool], int]

    def under(self, chess: Chess) -> ReachableSquares:
        """Return the squares reached under another law of chess that differs only in how kinds of pieces move."""
        push, changed = self.push.under(chess)
        if not changed:
            return ReachableSquares(push, self.squares)
        moved = {push.pieces[bit.bit_length() - 1].id for bit in each_bit(changed)}
        same = {key: squares for key, squares in self.squares.items() if key[0] not in moved}
        return ReachableSquares(push, same | push.squares(changed))


def _differs_only_in_movements(push: Push, position: Multiverse, chess: Chess, captures: tuple[str, ...]) -> bool:
    """Tell whether `chess`, with the armies in `captures`, differs from a push only in how pieces move."""
    if push.state is not position or chess.terms != push.law.terms or chess.of_piece != push.law.of_piece:
        return False
    return not chess.terms.check and push.captures == frozenset(captures) - {push.army.name}


class Mover:
    """Finder of one army's moves on boards pushed together, ignoring check to its own king.

    Parameters
    ----------
    view : View
        The evaluation that asks; its budget is used.
    state : State
        With a turn of the army at hand.
    army : str
        Who moves.
    boards : tuple of str
        Those that are played on.
    """

    def __init__(self, view: View, state: State, army: str, boards: BoardNames) -> None:
        law = state.law
        self.view, self.law, self.army, self.boards = view, law, army, boards
        self.open = (
            state.read("move.on_push", army=army, push=boards) != "none" and state.read("move.count", army=army) > 0
        )
        self.asks = bool(law.numbers_of_rules_about("may.move"))
        if law not in _SETTLED_LAWS:
            # Whether pieces of one kind and army move in the same way on the same boards, wherever they stand.
            alike = not tells_pieces_apart(law) and not _depends_on_piece_squares(
                law, law.dependence.expressions_behind(*TERMS)
            )
            _SETTLED_LAWS[law] = alike, _captures_ignore_positions(law)
        self.settled, self.settled_captures = _SETTLED_LAWS[law]
        self._terms: tuple[Chess, tuple[str, ...]] | None = None

    def push(self, state: State) -> Push:
        """Return the boards pushed together in a state; check to the army's own king is ignored."""
        chess, captures = self.movements_and_captures(state)
        # Own check is no matter.
        return make_push(multiverse_of(state), chess, self.army, self.boards, captures, ())

    def movements_and_captures(self, state: State) -> tuple[Chess, tuple[str, ...]]:
        """Return how the pieces in a state move, and the names of the armies that may be captured."""
        position = multiverse_of(state)
        if self._terms is None or not self.settled:
            self._terms = self._read_movements_and_captures(state, state)
        chess, captures = self._terms
        for board in self.boards:
            for piece in position.standing[board].values():
                known = chess.of_army.get(piece.army, {})
                if piece.kind not in known:  # it has become another kind, or has just come here
                    notations = {**known, piece.kind: movement_notation(self.law, state, piece, self.boards)}
                    chess = replace(chess, of_army={**chess.of_army, piece.army: notations})
        self._terms = chess, captures
        return self._terms

    def _read_movements_and_captures(self, state: State, whole: State) -> tuple[Chess, tuple[str, ...]]:
        """Read from the law how the pieces in `state` move, and which armies may be captured in `whole`."""
        chess = movement_rules(self.law, state, self.army, self.boards, check=False)
        return chess, armies_named_by_key(self.law, whole, "capture.from", self.army, self.boards)

    def has_same_moves_as(self, other: Mover) -> bool:
        """Tell whether another mover of this army and these boards surely has the same moves in any position."""
        return self.settled and self.open == other.open and self._terms == other._terms

    def pseudo_legal_moves(self, state: State, taking: Piece | None = None) -> list[BoardMove]:
        """Return the moves in a state (with `taking`, at least those that capture it), even those that rules forbid."""
        self.view.spend_steps(1, MOVE_LISTING_COST)
        # Own check is no matter, so they are all that masks find.
        return self.push(state)._moves_found_by_masks(taking) if self.open else []

    def squares(
        self, state: State, positions: list[Multiverse], known: list[ReachableSquares] | None = None
    ) -> list[ReachableSquares]:
        """Return the squares that the army's pieces reach in each position; reuse `known` results of another law.

        Results under another law are reused as far as the two laws agree. The list is empty if the army has no move.
        """
        seen_squares: list[ReachableSquares] = []
        for at, position in enumerate(positions):
            self.view.spend_steps(1, MOVE_LISTING_COST)
            if self.open:
                if not seen_squares or not self.settled:
                    chess, captures = self.movements_and_captures(state.replace(position=position))
                if known and _differs_only_in_movements(known[at].push, position, chess, captures):
                    seen_squares.append(known[at].under(chess))
                    continue
                push = seen_squares[-1].push.elsewhere(position) if seen_squares and self.settled else None
                push = push or Push(position, chess, self.army, self.boards, captures=captures, checks=())
                seen_squares.append(ReachableSquares(push, push.squares()))
        return seen_squares

    def movable_pieces(self, state: State, pieces: list[Piece]) -> Iterator[Piece]:
        """Yield the first piece of each kind among `pieces` that could move if it stood alone on the boards."""
        if self.settled and not self.asks:
            multiverse = replace(
                multiverse_of(state), pieces={candidate.id: candidate for candidate in pieces}, passings=()
            )
            placed = state.replace(position=multiverse)
            self._terms = self._read_movements_and_captures(placed, state)
            push = self.push(placed)
        movable_kinds = set[str]()
        for piece in pieces:
            if piece.kind in movable_kinds:
                continue
            if self.settled and not self.asks:
                self.view.spend_steps(1, MOVE_LISTING_COST)
                moves = self.open and push.could_move_alone(piece)
            else:
                multiverse = replace(multiverse_of(state), pieces={piece.id: piece}, passings=())
                moves = any(move.piece == piece.id for move in self.moves(state.replace(position=multiverse)))
            if moves:
                movable_kinds.add(piece.kind)
                yield piece

    def rules_permit(self, state: State, move: BoardMove) -> bool:
        """Tell whether no rule forbids a move in a state."""
        return not self.asks or not is_forbidden(state, move)

    def moves(self, state: State) -> Iterator[BoardMove]:
        """Yield the moves in a state that no rule forbids."""
        return (move for move in self.pseudo_legal_moves(state) if self.rules_permit(state, move))


#: Terms that bear on which moves there are.
MOVE_KEYS = frozenset((*TERMS, *MOVE_COUNT_KEYS, "may.move"))
#: What time alone changes.
CLOCK_FIELDS = frozenset(("turn", "circuit", "ended"))


def state_at_next_turn(state: State, army: str, later: int = 0) -> State:
    """Return the state as if an army's next turn, or the one `later` rounds after that, had begun.

    Moves, pushes and proposals of the current turn count only in that turn.
    """
    player = multiverse_of(state).armies[army].controller
    order = TurnOrder(state.sequence, state.sequence_of)
    whose = [order.holder(state, name) for name in order.names] if order.names else list(state.names_of_players)
    now = state.place if state.place >= 0 else len(whose) - 1
    places = [at for at, name in enumerate(whose) if name == player] or [now]
    ahead = min((at - now) % len(whose) or len(whose) for at in places) + later * len(whose)
    number, circuit = state.turn + ahead, state.circuit + (now + ahead) // len(whose)
    of = army if state.sequence_of == "army" else None
    turns = _cached_turn_tuple(Turn(number, player, army=of, march=new_turn_moves(state, of, player)))
    hand = turns[0].number
    return state.replace(turn=hand, hand=hand, circuit=circuit, turns=turns, ended=state.ended + ahead, waiting=())


@lru_cache(maxsize=256)
def _cached_turn_tuple(turn: Turn) -> tuple[Turn, ...]:
    """Return a tuple of just this turn, the same object for equal turns, so that caches recognize it."""
    return (turn,)


def clock_fields_of_movement(law: Law) -> frozenset[str]:
    """Return the clock fields (turn, circuit, ended) on which it depends how pieces move."""
    reads = law.dependence.fields_read
    # What may be played on depends on what was done in the turn; it is looked at as a turn begins.
    often = {"circuit"} if any("circuit" in reads(key) for key in MOVE_COUNT_KEYS) else set[str]()
    return CLOCK_FIELDS.intersection((*often, *(name for key in TERMS for name in reads(key))))


def clock_fields_of_moves(law: Law) -> frozenset[str]:
    """Return the clock fields (turn, circuit, ended) on which it depends which moves the law allows."""
    return clock_fields_of_movement(law) | CLOCK_FIELDS.intersection(law.dependence.fields_read("may.move"))


def find_movers(
    view: View, state: State, army: str, boards: Collection[str], circuits: int, first: int = 0,
    begun: dict[str, list[State]] | None = None,
) -> list[tuple[Mover, list[State]]]:  # fmt: skip
    """Return, for each push with any of `boards`, (mover, states of the army's next turns for which it is right).

    The turns are the army's next ones in so many `circuits`, from the round that is `first` rounds from now on. One
    mover does for all turns between which only rules on single moves make a difference. `begun` keeps the turn states,
    keyed by whose turn it is; unless turns go by army, all of a player's armies share one entry.
    """
    whose = army if state.sequence_of == "army" else multiverse_of(state).armies[army].controller
    turns = begun.get(whose) if begun else None
    if turns is None:
        turns = [state_at_next_turn(state, army, later) for later in range(first, first + circuits)]
        if begun is not None:
            begun[whose] = turns
    movers_with_turns = []
    for joined in joinable_boards(turns[0], multiverse_of(turns[0]), army):
        if set(joined).isdisjoint(boards):
            continue
        apart: list[tuple[Mover, list[State]]] = []
        for turn in turns if clock_fields_of_movement(state.law) else turns[:1]:
            mover = Mover(view, turn, army, joined)
            mover.movements_and_captures(turn)
            known = next((some for known_mover, some in apart if known_mover.has_same_moves_as(mover)), None)
            if known is None:
                apart.append((mover, [turn]))
            else:
                known.append(turn)
        movers_with_turns += apart if len(apart) > 1 else [(mover, turns) for mover, _ in apart]
    return movers_with_turns


def find_attacks(view: View, state: State, piece: Piece) -> Iterator[BoardMove]:
    """Yield the moves by which other players could capture a piece in their next turns."""
    position = multiverse_of(state)
    here = position.armies_on([piece.board])
    for army, other_army in position.armies.items():
        if (
            other_army.controller == position.armies[piece.army].controller
            or other_army.controller not in state.names_of_players
        ):
            continue
        if not position.boards[piece.board].half and army not in here:
            continue
        asked = state_at_next_turn(state, army)
        for boards in joinable_boards(asked, position, army):
            if piece.board not in boards or army not in position.armies_on(boards):
                continue
            if piece.army in armies_named_by_key(state.law, asked, "capture.from", army, boards):
                mover = Mover(view, asked, army, boards)
                moves = (move for move in mover.pseudo_legal_moves(asked, piece) if piece.id in move.taken)
                yield from (move for move in moves if mover.rules_permit(asked, move))


@lookahead_function(
    "the pieces that could capture a piece in their own player's next turn, ignoring chance and checks to that player",
    PIECE,
    PIECES,
    traits="alike",
)
def _attackers(view: View, id: int) -> list[int]:
    """Return the numbers of the pieces that could capture a piece in their players' next turns."""
    state = state_of(view)
    piece = find_piece(state, id)
    if id not in multiverse_of(state).pieces:
        return []
    attacks = list(find_attacks(view, state, piece))
    attackers = sorted({move.piece for move in attacks})
    sentence = verb_phrase(
        [f"the {describe_piece(state, attacker)}" for attacker in attackers] or ["nothing"], "attacks", "attack"
    )
    view.evidence["attackers"] = evidence_on_board(
        f"{sentence} the {describe_piece(state, id)}",
        multiverse_of(state),
        dict.fromkeys(ends_of(attacks)),
        [(piece.board, piece.square)],
    )
    return attackers


def _kinds_able_to_move(view: View, state: State, army: str, pieces: list[Piece]) -> set[str]:
    """Return the kinds among an army's `pieces` that could move if they stood alone, in one of the next rounds."""
    left, movable_kinds = {piece.kind for piece in pieces}, set[str]()
    for later in range(CIRCUITS_TO_COME if clock_fields_of_moves(state.law) else 1):
        asked = state_at_next_turn(state, army, later)
        for boards in joinable_boards(asked, multiverse_of(asked), army):
            if not left or pieces[0].board not in boards:
                continue
            mover = Mover(view, asked, army, boards)
            movable_kinds.update(
                piece.kind for piece in mover.movable_pieces(asked, [piece for piece in pieces if piece.kind in left])
            )
            left -= movable_kinds
    return movable_kinds


@lookahead_function(
    "the kinds of piece that every army on a board has and could move there in one of the next ten rounds, if "
    "nothing were in the way", BOARD, list_type(TEXT), traits="alike",
)  # fmt: skip
def _movable_kinds(view: View, board: str) -> list[str]:
    """Return the kinds that all armies on a board have and could move if nothing stood in the way."""
    state, own = state_of(view), defaultdict[str, list[Piece]](list)
    for piece in current_boards(view).standing[find_board(view, board).name].values():
        own[piece.army].append(piece)
    kinds = [{own_piece.kind for own_piece in pieces} for pieces in own.values()]
    free = shared = set.intersection(*kinds) if kinds else set[str]()
    for army, pieces in own.items() if shared else ():
        free = free & _kinds_able_to_move(
            view, state, army, [own_piece for own_piece in pieces if own_piece.kind in shared]
        )
    free_kinds = [kind.upper() for kind in sorted(free)]
    if not free_kinds:
        common = ", ".join(sorted(shared)).upper() or "none"
        view.evidence["movable_kinds"] = evidence_on_board(
            f"no kind of piece that every army in {board} has ({common}) can move",
            multiverse_of(state),
            squares=[
                (own_piece.board, own_piece.square)
                for pieces in own.values()
                for own_piece in pieces
                if own_piece.kind in shared
            ],
        )
    return free_kinds


# -------------------------------------------------------------------------- whether a piece could ever be captured


#: How many rounds from now a hunt takes place if rules look at the time, late enough for anything permanent.
LATEST_TURN = 1_000
#: Positions that are looked at for one piece and one army; beyond them it is open whether it can be captured.
MOST_POSITIONS = 250
#: Most moves shown of a line of play.
MOST_MOVES_SHOWN = 8
#: Steps that it is worth to find how far the pieces of an army are.
DISTANCES_COST = 100
#: What a piece is taken to be from its goal that can never get there.
UNREACHABLE = 1_000
#: What makes a position, the line of play that leads to it, and what tells whether rules permit its last move.
SearchNode: TypeAlias = "tuple[Callable[[], Multiverse], tuple[BoardMove, ...], Callable[[], bool] | None]"


def _position_key(position: Multiverse, board: str) -> tuple[object, ...]:
    """Return a key that is equal for positions with the same pieces on one board."""
    return tuple(sorted([(at, piece.id, piece.kind, piece.moved) for at, piece in position.standing[board].items()]))


class _Hunter:
    """An army that hunts one piece, with its movers for the coming rounds."""

    def __init__(self, view: View, state: State, army: str, piece: Piece, first: int) -> None:
        self.army, self.piece = army, piece
        circuits = CIRCUITS_TO_COME if clock_fields_of_moves(state.law) else 1
        self.movers = find_movers(view, state, army, [piece.board], circuits, first)
        self._roads = [self._find_capture_distances(view, *self.movers[0])] if self.movers else []

    def _find_capture_distances(self, view: View, mover: Mover, turns: list[State]) -> CaptureDistances:
        """Return from how many moves away each of the army's pieces could capture the hunted piece."""
        view.spend_steps(1, DISTANCES_COST)
        moves = partial(movement_notation, mover.law, turns[0], boards=mover.boards)
        return CaptureDistances(mover.push(turns[0]), *self.piece.place, moves)

    def count_moves_to_capture(self, piece: Piece) -> int:
        """Return how few moves a piece needs to capture the hunted one; `UNREACHABLE` if it never can."""
        there = [roads.moves(piece) for roads in self._roads if piece.board in roads.boards]
        return min([moves for moves in there if moves is not None], default=UNREACHABLE)

    def can_never_capture(self, state: State) -> bool:
        """Tell whether the army can surely never capture the hunted piece; False if it may or is unsure."""
        if len(self.movers) != 1 or not self.movers[0][0].settled or multiverse_of(state).boards[self.piece.board].half:
            return not self.movers
        mover, turns = self.movers[0]
        if not mover.open or self.piece.army not in mover.push(turns[0]).captures:
            return True
        own = [piece for piece in multiverse_of(state).standing[self.piece.board].values() if piece.army == self.army]
        able = [piece for piece in own if self.count_moves_to_capture(piece) < UNREACHABLE]
        return not (
            any(self._may_capture(mover, turn, piece) for piece in able for turn in turns)
            if mover.settled_captures
            else able
        )

    def _may_capture(self, mover: Mover, asked: State, piece: Piece) -> bool:
        """Tell whether rules would let a piece, as it is or promoted, capture the hunted piece in the turn `asked`."""
        terms = mover.push(asked).law.terms
        for kind in (piece.kind, *(terms.promotion if piece.kind in terms.pawns else ())):
            there = asked.replace(position=multiverse_of(asked).with_pieces(replace(piece, kind=kind)))
            origin, target = piece.place, self.piece.place
            capture = BoardMove(piece.id, self.army, origin, target, mover.boards, "", "", (self.piece.id,))
            if (
                mover.rules_permit(there, capture)
                and capture_result(there.law, there, capture, self.piece.id) != "instead"
            ):
                return True
        return False

    def moves(self, position: Multiverse) -> Iterator[tuple[BoardMove, Callable[[], bool]]]:
        """Yield the moves in a position, each with a function that tells whether rules permit it."""
        for mover, turns in self.movers:
            placed = [state.replace(position=position) for state in turns]
            for move in mover.pseudo_legal_moves(placed[0]):
                yield move, partial(_is_permitted_in_any_turn, mover, placed, move)


def _is_permitted_in_any_turn(mover: Mover, turns: list[State], move: BoardMove) -> bool:
    """Tell whether rules permit a move in any of these turns."""
    return any(mover.rules_permit(state, move) for state in turns)


def _without_other_boards(position: Multiverse, piece: Piece) -> Multiverse:
    """Return a position with only the pieces on a piece's board; unchanged if that is a half-board."""
    if position.boards[piece.board].half:
        return position
    here = {standing_piece.id: standing_piece for standing_piece in position.standing[piece.board].values()}
    return replace(
        position, pieces=here, passings=tuple(passing for passing in position.passings if passing.piece in here)
    )


def find_capturing_line(
    view: View, state: State, piece: Piece, first: int = 0
) -> tuple[tuple[BoardMove, ...] | None, int]:
    """Return moves by which one army alone could capture a piece (else None), and how many positions were searched.

    The moves are made in turns of the army, from its next turn on or from `first` rounds after that.

    There is no line if no army could ever get there, or if every position that can arise was examined and it can be
    captured in none of them.

    Raises
    ------
    Undecided
        As many positions were looked at as may be, and it is still open.
    """
    position, looked, doubt = _without_other_boards(multiverse_of(state), piece), 0, None
    state = state.replace(position=position)
    own, here = position.armies[piece.army].controller, position.armies_on([piece.board])
    for army, other_army in position.armies.items():
        if other_army.controller == own or army not in here:
            continue
        hunter = _Hunter(view, state, army, piece, first)
        if hunter.can_never_capture(state):
            continue
        try:
            line, more = _search_positions(state, hunter)
        except Undecided as error:
            doubt = doubt or error
            continue
        looked += more
        if line is not None:
            return line, looked
    if doubt is not None:
        raise doubt
    return None, looked


def _search_positions(state: State, hunter: _Hunter) -> tuple[tuple[BoardMove, ...] | None, int]:
    """Return the moves by which a hunter captures its piece (else None), and how many positions were searched."""
    piece, known, order, left_out = hunter.piece, set[object](), count(), False
    waiting: list[tuple[int, int, SearchNode]] = [(0, next(order), (partial(multiverse_of, state), (), None))]
    while waiting:
        make_position, line, permitted = heappop(waiting)[2]
        multiverse = make_position()
        key = _position_key(multiverse, piece.board)
        if key in known or not (permitted is None or permitted()):
            continue
        known.add(key)
        if len(known) > MOST_POSITIONS:
            words = describe_piece(state, piece.id)
            raise Undecided(
                "capture-not-found",
                "in the {looked_at} positions checked so far, the {pieces} can’t be captured",
                looked_at=MOST_POSITIONS,
                pieces=words,
            )
        placed = state.replace(position=multiverse)
        for move, permits in hunter.moves(multiverse):
            told, results = (*line, move), [capture_result(state.law, placed, move, id) for id in move.taken]
            if piece.id in move.taken:
                if "instead" not in results and permits():
                    return told, len(known)
            elif {"instead", *UNUSUAL_RESULTS}.isdisjoint(results):
                then: SearchNode = (partial(multiverse.play, move), told, permits)
                heappush(
                    waiting,
                    (len(told) + hunter.count_moves_to_capture(multiverse.moved_piece(move)), next(order), then),
                )
            else:
                left_out = True
    if left_out:
        raise Undecided(
            "captures-not-looked-into",
            "under these rules captures also change the boards in other ways, which this check doesn’t cover",
        )
    return None, len(known)


@lookahead_function(
    "whether a single army could capture a piece, in any number of moves that the rules permit, if nobody else "
    f"moved; left open after trying {MOST_POSITIONS} positions for one army", PIECE, TRUTH, traits="alike",
)  # fmt: skip
def _can_be_captured(view: View, id: int) -> bool:
    """Tell whether one army could ever capture a piece if no other army moved."""
    state = state_of(view)
    words = describe_piece(state, id)
    if id not in multiverse_of(state).pieces:
        gone = find_piece(state, id)
        view.evidence["can_be_captured"] = f"{gone.army}’s {kind_name(gone.kind)} is gone"
        return False
    piece, timed = multiverse_of(state).pieces[id], clock_fields_of_moves(state.law)
    line, looked = find_capturing_line(view, state, piece, LATEST_TURN if timed else 0)
    if line is not None and timed and find_capturing_line(view, state, piece)[0] is None:
        raise Undecided(
            "capture-only-later",
            "nothing can capture the {pieces} in the next {circuits} rounds, but something could later",
            pieces=words,
            circuits=CIRCUITS_TO_COME,
        )
    shown = (line or ())[:MOST_MOVES_SHOWN]
    if line is not None:
        more = f" and {len(line) - MOST_MOVES_SHOWN} more" if len(line) > MOST_MOVES_SHOWN else ""
        sentence = f"the {words} can be captured: {', '.join(move.text for move in shown)}{more}"
    elif looked:
        sentence = f"nothing can capture the {words} in any of the {looked} positions that can arise"
    else:
        sentence = f"no other player’s piece could ever capture the {words}"
    view.evidence["can_be_captured"] = evidence_on_board(
        sentence, multiverse_of(state), ends_of(shown), [(piece.board, piece.square)]
    )
    return line is not None
