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
from nomic_nb.chess.fairplay.traits import declared, is_bound
from nomic_nb.chess.multiverse.geometry import each_bit
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import Law as Chess
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.events import moves_of_turn
from nomic_nb.chess.play.functions import hostile_names, movement_notation, movement_rules, tells_pieces_apart
from nomic_nb.chess.play.legal import is_forbidden, joinable_boards
from nomic_nb.chess.play.records import (
    BOARD,
    MOVE_COUNT_KEYS,
    PIECE,
    PIECES,
    TERMS,
    board_of,
    current_boards,
    describe_piece,
    piece_of,
)
from nomic_nb.engine.law.nodes import Expression, View, walk_all
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.traits import Trait, has
from nomic_nb.engine.law.values import TEXT, list_type
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.turn_order import TurnOrder
from nomic_nb.engine.play.values import Turn
from nomic_nb.engine.words import verb_phrase

#: Steps that it is worth to find all moves on boards that are pushed together.
MOST_MOVES_LISTED = 60


def _looks_at_pieces(law: Law, expressions: Iterable[Expression]) -> bool:
    """Tell whether it depends on where pieces stand what clauses come to; what pawns become is looked at apart."""
    nodes = [one for one in walk_all(expressions) if not is_bound(one, law.vocabulary)]
    words = (word for one in nodes for word in declared(one, law.vocabulary))
    return any(one.supposition for one in nodes) or any(
        "position" in one.reads and not has(one, Trait.SETTLED) for one in words
    )


def _has_settled_captures(law: Law) -> bool:
    """Tell whether rules that forbid captures, or replace them, look at nothing but what captures and is captured."""
    replaced = [one for source in law.replacements.get("captured", ()) for one in source.clause.asked]
    asked = law.dependence.expressions_behind("may.move", *law.dependence.keys_of(*replaced))
    return not _looks_at_pieces(law, (*replaced, *asked))


#: Of bodies of law, whether moves are settled in them, and captures: it is asked for each army and board.
_SETTLED_LAWS: WeakKeyDictionary[Law, tuple[bool, bool]] = WeakKeyDictionary()


class SeenSquares(NamedTuple):
    """Where the pieces of an army can go on boards in a position, and the boards, pushed together for it."""

    push: Push
    squares: dict[tuple[int, str, bool], int]

    def under(self, chess: Chess) -> SeenSquares:
        """Return the same under another law, which differs in how kinds move."""
        push, changed = self.push.under(chess)
        if not changed:
            return SeenSquares(push, self.squares)
        moved = {push.pieces[bit.bit_length() - 1].id for bit in each_bit(changed)}
        same = {key: squares for key, squares in self.squares.items() if key[0] not in moved}
        return SeenSquares(push, same | push.squares(changed))


def _has_equal_rules(push: Push, position: Multiverse, chess: Chess, captures: tuple[str, ...]) -> bool:
    """Tell whether a law differs from that of a push in nothing but how kinds move, own check being no matter."""
    if push.state is not position or chess.terms != push.law.terms or chess.of_piece != push.law.of_piece:
        return False
    return not chess.terms.check and push.captures == frozenset(captures) - {push.army.name}


class Mover:
    """An army on boards pushed together, own check apart.

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
        self.asks = bool(law.rules_about("may.move"))
        if law not in _SETTLED_LAWS:
            # Whether pieces of one kind and army move alike on the same boards, wherever they stand.
            alike = not tells_pieces_apart(law) and not _looks_at_pieces(law, law.dependence.expressions_behind(*TERMS))
            _SETTLED_LAWS[law] = alike, _has_settled_captures(law)
        self.settled, self.settled_captures = _SETTLED_LAWS[law]
        self._terms: tuple[Chess, tuple[str, ...]] | None = None

    def push(self, state: State) -> Push:
        """Return the boards pushed together in a position, for an army that need not mind its own check."""
        chess, captures = self.look(state)
        # Own check is no matter.
        return Push(multiverse_of(state), chess, self.army, self.boards, captures=captures, checks=())

    def look(self, state: State) -> tuple[Chess, tuple[str, ...]]:
        """Return what the law says of the pieces in a position: how they move, and whom they capture."""
        position = multiverse_of(state)
        if self._terms is None or not self.settled:
            self._terms = self._find_terms(state, state)
        chess, captures = self._terms
        for board in self.boards:
            for piece in position.standing[board].values():
                known = chess.of_army.get(piece.army, {})
                if piece.kind not in known:  # it has become another kind, or has just come here
                    found = {**known, piece.kind: movement_notation(self.law, state, piece, self.boards)}
                    chess = replace(chess, of_army={**chess.of_army, piece.army: found})
        self._terms = chess, captures
        return self._terms

    def _find_terms(self, state: State, whole: State) -> tuple[Chess, tuple[str, ...]]:
        """Return what the law says of the pieces in a position; of armies, as in the whole one, where law knows it."""
        chess = movement_rules(self.law, state, self.army, self.boards, check=False)
        return chess, hostile_names(self.law, whole, "capture.from", self.army, self.boards)

    def moves_like(self, other: Mover) -> bool:
        """Tell whether another one, of the same army on the same boards, has the same moves in each position."""
        return self.settled and self.open == other.open and self._terms == other._terms

    def any_moves(self, state: State) -> list[BoardMove]:
        """Return the moves in a position; some a rule may yet forbid."""
        self.view.spend(1, MOST_MOVES_LISTED)
        return self.push(state).moves() if self.open else []

    def squares(
        self, state: State, positions: list[Multiverse], known: list[SeenSquares] | None = None
    ) -> list[SeenSquares]:
        """Return where pieces can go in positions with the same pieces on each board; some moves a rule may yet forbid.

        What is known of them under another law is taken as far as it is the same. None where the army has no move.
        """
        found: list[SeenSquares] = []
        for at, position in enumerate(positions):
            self.view.spend(1, MOST_MOVES_LISTED)
            if self.open:
                if not found or not self.settled:
                    chess, captures = self.look(state.replace(position=position))
                if known and _has_equal_rules(known[at].push, position, chess, captures):
                    found.append(known[at].under(chess))
                    continue
                push = found[-1].push.elsewhere(position) if found and self.settled else None
                push = push or Push(position, chess, self.army, self.boards, captures=captures, checks=())
                found.append(SeenSquares(push, push.squares()))
        return found

    def movable_pieces(self, state: State, pieces: list[Piece]) -> Iterator[Piece]:
        """Yield those of its pieces that could move if each stood alone; of a kind of which one can, no others."""
        if self.settled and not self.asks:
            there = replace(multiverse_of(state), pieces={one.id: one for one in pieces}, passings=())
            placed = state.replace(position=there)
            self._terms = self._find_terms(placed, state)
            push = self.push(placed)
        found = set[str]()
        for piece in pieces:
            if piece.kind in found:
                continue
            if self.settled and not self.asks:
                self.view.spend(1, MOST_MOVES_LISTED)
                moves = self.open and push.stirs(piece)
            else:
                there = replace(multiverse_of(state), pieces={piece.id: piece}, passings=())
                moves = any(one.piece == piece.id for one in self.moves(state.replace(position=there)))
            if moves:
                found.add(piece.kind)
                yield piece

    def permits(self, state: State, move: BoardMove) -> bool:
        """Tell whether no rule forbids a move."""
        return not self.asks or not is_forbidden(state, move)

    def moves(self, state: State) -> Iterator[BoardMove]:
        """Yield the moves in a position that no rule forbids."""
        return (move for move in self.any_moves(state) if self.permits(state, move))


#: Terms that bear on which moves there are.
MOVE_KEYS = frozenset((*TERMS, *MOVE_COUNT_KEYS, "may.move"))
#: What time alone changes.
CLOCK_FIELDS = frozenset(("turn", "circuit", "ended"))


def next_turn_of(state: State, army: str, later: int = 0) -> State:
    """Return the state as if a turn of an army had begun: the next of its player, or one so many circuits later.

    What was moved, pushed or proposed in the turn at hand counts for that turn alone.
    """
    player = multiverse_of(state).armies[army].controller
    order = TurnOrder(state.sequence, state.sequence_of)
    whose = [order.holder(state, name) for name in order.names] if order.names else list(state.playing)
    now = state.place if state.place >= 0 else len(whose) - 1
    places = [at for at, name in enumerate(whose) if name == player] or [now]
    ahead = min((at - now) % len(whose) or len(whose) for at in places) + later * len(whose)
    number, circuit = state.turn + ahead, state.circuit + (now + ahead) // len(whose)
    of = army if state.sequence_of == "army" else None
    turns = _turns_as_begun(Turn(number, player, army=of, march=moves_of_turn(state, of, player)))
    hand = turns[0].number
    return state.replace(turn=hand, hand=hand, circuit=circuit, turns=turns, ended=state.ended + ahead, waiting=())


@lru_cache(maxsize=256)
def _turns_as_begun(turn: Turn) -> tuple[Turn, ...]:
    """Return the turns under way as one has begun: the same for the same one, by which the law knows what it found."""
    return (turn,)


def clock_facts_of_movement(law: Law) -> frozenset[str]:
    """Return on what of the time it hangs which moves chess has, before rules forbid any."""
    reads = law.dependence.fields_read
    # What may be played on depends on what was done in the turn; it is looked at as a turn begins.
    often = {"circuit"} if any("circuit" in reads(key) for key in MOVE_COUNT_KEYS) else set[str]()
    return CLOCK_FIELDS.intersection((*often, *(name for key in TERMS for name in reads(key))))


def clock_facts_of_moves(law: Law) -> frozenset[str]:
    """Return on what of the time it hangs which moves there are."""
    return clock_facts_of_movement(law) | CLOCK_FIELDS.intersection(law.dependence.fields_read("may.move"))


def find_movers(
    view: View, state: State, army: str, boards: Collection[str], circuits: int, first: int = 0,
    begun: dict[str, list[State]] | None = None,
) -> list[tuple[Mover, list[State]]]:  # fmt: skip
    """Return the movers of an army on boards, each with the turns to come in which it moves, from the first one on.

    One does for all turns between which only rules on single moves make a difference. Those turns can be known by
    whose they are: armies of one player have the same, where turns are not of armies.
    """
    whose = army if state.sequence_of == "army" else multiverse_of(state).armies[army].controller
    turns = begun.get(whose) if begun else None
    if turns is None:
        turns = [next_turn_of(state, army, one) for one in range(first, first + circuits)]
        if begun is not None:
            begun[whose] = turns
    found: list[tuple[Mover, list[State]]] = []
    for joined in joinable_boards(turns[0], multiverse_of(turns[0]), army):
        if set(joined).isdisjoint(boards):
            continue
        apart: list[tuple[Mover, list[State]]] = []
        for turn in turns if clock_facts_of_movement(state.law) else turns[:1]:
            mover = Mover(view, turn, army, joined)
            mover.look(turn)
            known = next((some for one, some in apart if one.moves_like(mover)), None)
            if known is None:
                apart.append((mover, [turn]))
            else:
                known.append(turn)
        found += apart if len(apart) > 1 else [(mover, turns) for mover, _ in apart]
    return found


def find_attacks(view: View, state: State, piece: Piece) -> Iterator[BoardMove]:
    """Yield the moves by which others could capture a piece where it stands in the next turn of theirs."""
    position = multiverse_of(state)
    here = position.armies_on([piece.board])
    for army, one in position.armies.items():
        if one.controller == position.armies[piece.army].controller or one.controller not in state.playing:
            continue
        if not position.boards[piece.board].half and army not in here:
            continue
        asked = next_turn_of(state, army)
        for boards in joinable_boards(asked, position, army):
            if piece.board not in boards or army not in position.armies_on(boards):
                continue
            if piece.army in hostile_names(state.law, asked, "capture.from", army, boards):
                mover = Mover(view, asked, army, boards)
                found = (move for move in mover.any_moves(asked) if piece.id in move.taken)
                yield from (move for move in found if mover.permits(asked, move))


@lookahead_function(
    "what could capture a piece in the next turn of whoever has it, own check and chance apart",
    PIECE,
    PIECES,
    traits="alike",
)
def _attackers(view: View, id: int) -> list[int]:
    state = state_of(view)
    piece = piece_of(state, id)
    if id not in multiverse_of(state).pieces:
        return []
    attackers = sorted({one.piece for one in find_attacks(view, state, piece)})
    said = verb_phrase([f"the {describe_piece(state, one)}" for one in attackers] or ["nothing"], "attacks", "attack")
    view.evidence["attackers"] = f"{said} the {describe_piece(state, id)}"
    return attackers


def _can_ever_move(view: View, state: State, army: str, pieces: list[Piece]) -> set[str]:
    """Return the kinds of an army's pieces on one board that could move there if they were alone on it."""
    left, found = {one.kind for one in pieces}, set[str]()
    for later in range(CIRCUITS_TO_COME if clock_facts_of_moves(state.law) else 1):
        asked = next_turn_of(state, army, later)
        for boards in joinable_boards(asked, multiverse_of(asked), army):
            if not left or pieces[0].board not in boards:
                continue
            mover = Mover(view, asked, army, boards)
            found.update(one.kind for one in mover.movable_pieces(asked, [one for one in pieces if one.kind in left]))
            left -= found
    return found


@lookahead_function(
    "the kinds that all armies on a board have and could move there, if nothing stood in the way, in one of the next "
    "ten circuits", BOARD, list_type(TEXT), traits="alike",
)  # fmt: skip
def _movable_kinds(view: View, board: str) -> list[str]:
    state, own = state_of(view), defaultdict[str, list[Piece]](list)
    for piece in current_boards(view).standing[board_of(view, board).name].values():
        own[piece.army].append(piece)
    kinds = [{one.kind for one in pieces} for pieces in own.values()]
    free = shared = set.intersection(*kinds) if kinds else set[str]()
    for army, pieces in own.items() if shared else ():
        free = free & _can_ever_move(view, state, army, [one for one in pieces if one.kind in shared])
    found = [kind.upper() for kind in sorted(free)]
    if not found:
        common = ", ".join(sorted(shared)).upper() or "no kind"
        view.evidence["movable_kinds"] = f"of {common}, which all have in {board}, none can move"
    return found
