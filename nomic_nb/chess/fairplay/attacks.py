"""What pieces could do in a turn to come, own check apart: the moves of an army in one position after another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

from nomic_nb.chess.fairplay.fairness import CIRCUITS_TO_COME
from nomic_nb.chess.fairplay.hypotheticals import lookahead_function
from nomic_nb.chess.fairplay.traits import declarations_of, is_bound_name
from nomic_nb.chess.multiverse.geometry import each_bit
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import Law as Chess
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.events import new_turn_moves
from nomic_nb.chess.play.functions import armies_named_by_key, movement_notation, movement_rules, tells_pieces_apart
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
)
from nomic_nb.engine.law.nodes import Expression, View, walk_expressions
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.traits import Trait, has_trait
from nomic_nb.engine.law.values import TEXT, list_type
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.turn_order import TurnOrder
from nomic_nb.engine.play.values import Turn
from nomic_nb.engine.words import verb_phrase

#: Steps that it is worth to find all moves on boards that are pushed together.
MOVE_LISTING_COST = 60


def _depends_on_piece_squares(law: Law, expressions: Iterable[Expression]) -> bool:
    """Tell whether the value of any of these expressions depends on where pieces stand."""
    nodes = [node for node in walk_expressions(expressions) if not is_bound_name(node, law.vocabulary)]
    words = (word for node in nodes for word in declarations_of(node, law.vocabulary))
    return any(node.supposition for node in nodes) or any(
        "position" in word.reads and not has_trait(word, Trait.SETTLED) for word in words
    )


def _captures_ignore_positions(law: Law) -> bool:
    """Tell whether rules on captures look only at the capturing and the captured piece."""
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
        """Return the squares reached under another law, which differs only in how kinds move."""
        push, changed = self.push.under(chess)
        if not changed:
            return ReachableSquares(push, self.squares)
        moved = {push.pieces[bit.bit_length() - 1].id for bit in each_bit(changed)}
        same = {key: squares for key, squares in self.squares.items() if key[0] not in moved}
        return ReachableSquares(push, same | push.squares(changed))


def _differs_only_in_movements(push: Push, position: Multiverse, chess: Chess, captures: tuple[str, ...]) -> bool:
    """Tell whether a law differs from that of a push at most in how kinds move, own check aside."""
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

    def __init__(self, view: View, state: State, army: str, boards: tuple[str, ...]) -> None:
        law = state.law
        self.view, self.law, self.army, self.boards = view, law, army, boards
        self.open = (
            state.read("move.on_push", army=army, push=boards) != "none" and state.read("move.count", army=army) > 0
        )
        self.asks = bool(law.numbers_of_rules_about("may.move"))
        if law not in _SETTLED_LAWS:
            # Whether pieces of one kind and army move alike on the same boards, wherever they stand.
            alike = not tells_pieces_apart(law) and not _depends_on_piece_squares(
                law, law.dependence.expressions_behind(*TERMS)
            )
            _SETTLED_LAWS[law] = alike, _captures_ignore_positions(law)
        self.settled, self.settled_captures = _SETTLED_LAWS[law]
        self._terms: tuple[Chess, tuple[str, ...]] | None = None

    def push(self, state: State) -> Push:
        """Return the boards pushed together in a position, ignoring check to the army's own king."""
        chess, captures = self.movements_and_captures(state)
        # Own check is no matter.
        return Push(multiverse_of(state), chess, self.army, self.boards, captures=captures, checks=())

    def movements_and_captures(self, state: State) -> tuple[Chess, tuple[str, ...]]:
        """Return how the pieces in a position move, and which armies they may capture, by law."""
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
        """Read from the law how the pieces in a position move and which armies they may capture."""
        chess = movement_rules(self.law, state, self.army, self.boards, check=False)
        return chess, armies_named_by_key(self.law, whole, "capture.from", self.army, self.boards)

    def has_same_moves_as(self, other: Mover) -> bool:
        """Tell whether another mover of the same army and boards has the same moves in any position."""
        return self.settled and self.open == other.open and self._terms == other._terms

    def pseudo_legal_moves(self, state: State) -> list[BoardMove]:
        """Return the moves in a position, before rules that forbid single moves are asked."""
        self.view.spend_steps(1, MOVE_LISTING_COST)
        return self.push(state).moves() if self.open else []

    def squares(
        self, state: State, positions: list[Multiverse], known: list[ReachableSquares] | None = None
    ) -> list[ReachableSquares]:
        """Return, for each of several positions, the squares that the army's pieces can reach.

        What is known of them under another law is taken as far as it is the same. None where the army has no move.
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
        """Yield one piece of each kind that could move if it stood alone on the boards."""
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
                moves = self.open and push.stirs(piece)
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
        """Yield the moves in a position that no rule forbids."""
        return (move for move in self.pseudo_legal_moves(state) if self.rules_permit(state, move))


#: Terms that bear on which moves there are.
MOVE_KEYS = frozenset((*TERMS, *MOVE_COUNT_KEYS, "may.move"))
#: What time alone changes.
CLOCK_FIELDS = frozenset(("turn", "circuit", "ended"))


def state_at_next_turn(state: State, army: str, later: int = 0) -> State:
    """Return the state as if an army's next turn, or the one some circuits later, had begun.

    What was moved, pushed or proposed in the turn at hand counts for that turn alone.
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
    """Return a turn as a tuple of one, the same object for equal turns, so that caches know it."""
    return (turn,)


def clock_fields_of_movement(law: Law) -> frozenset[str]:
    """Return the clock fields (turn, circuit …) on which the movements of pieces depend."""
    reads = law.dependence.fields_read
    # What may be played on depends on what was done in the turn; it is looked at as a turn begins.
    often = {"circuit"} if any("circuit" in reads(key) for key in MOVE_COUNT_KEYS) else set[str]()
    return CLOCK_FIELDS.intersection((*often, *(name for key in TERMS for name in reads(key))))


def clock_fields_of_moves(law: Law) -> frozenset[str]:
    """Return the clock fields (turn, circuit …) on which it depends which moves rules allow."""
    return clock_fields_of_movement(law) | CLOCK_FIELDS.intersection(law.dependence.fields_read("may.move"))


def find_movers(
    view: View, state: State, army: str, boards: Collection[str], circuits: int, first: int = 0,
    begun: dict[str, list[State]] | None = None,
) -> list[tuple[Mover, list[State]]]:  # fmt: skip
    """Return an army's movers on boards, each with the coming turns to which it applies.

    One does for all turns between which only rules on single moves make a difference. Those turns can be known by
    whose they are: armies of one player have the same, where turns are not of armies.
    """
    whose = army if state.sequence_of == "army" else multiverse_of(state).armies[army].controller
    turns = begun.get(whose) if begun else None
    if turns is None:
        turns = [state_at_next_turn(state, army, later) for later in range(first, first + circuits)]
        if begun is not None:
            begun[whose] = turns
    movers_with_turns: list[tuple[Mover, list[State]]] = []
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
                moves = (move for move in mover.pseudo_legal_moves(asked) if piece.id in move.taken)
                yield from (move for move in moves if mover.rules_permit(asked, move))


@lookahead_function(
    "what could capture a piece in the next turn of whoever has it, own check and chance apart",
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
    attackers = sorted({move.piece for move in find_attacks(view, state, piece)})
    sentence = verb_phrase(
        [f"the {describe_piece(state, attacker)}" for attacker in attackers] or ["nothing"], "attacks", "attack"
    )
    view.evidence["attackers"] = f"{sentence} the {describe_piece(state, id)}"
    return attackers


def _kinds_able_to_move(view: View, state: State, army: str, pieces: list[Piece]) -> set[str]:
    """Return which kinds of an army's pieces could move if they stood alone on a board."""
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
    "the kinds that all armies on a board have and could move there, if nothing stood in the way, in one of the next "
    "ten circuits", BOARD, list_type(TEXT), traits="alike",
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
        common = ", ".join(sorted(shared)).upper() or "no kind"
        view.evidence["movable_kinds"] = f"of {common}, which all have in {board}, none can move"
    return free_kinds
