"""What pieces could do in a turn to come, own check apart: what attacks a piece, and which kinds can move at all."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from nomic_nb.law.resolver import Law
from nomic_nb.law.values import TEXT, Value, list_of
from nomic_nb.law.view import View
from nomic_nb.law.vocabulary import EVERYTHING, Function
from nomic_nb.markup.words import listed
from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.multiverse.pieces import Board, BoardMove, Piece
from nomic_nb.play.chess.events import march_of
from nomic_nb.play.chess.keys import BOARD, PIECE, PIECES
from nomic_nb.play.chess.legal import sets_of_boards
from nomic_nb.play.chess.movers import Mover
from nomic_nb.play.chess.records import board_of, one_ref, piece_of, piece_words, refs
from nomic_nb.play.chess.terms import TERMS, names
from nomic_nb.play.foresight.remembering import remembered
from nomic_nb.play.sequence import Sequence
from nomic_nb.play.state import State, state_of
from nomic_nb.play.values import Turn

#: Circuits to come in which it is tried whether something can be done, where the law looks at the time.
TO_COME = 10
#: What time alone changes.
CLOCK = frozenset(("turn", "circuit", "ended"))
#: On what there are moves at all.
HOW_OFTEN = frozenset(("move.on_push", "move.count"))


def next_turn_of(state: State, army: str, later: int = 0) -> State:
    """Return the state as if a turn of an army had begun: the next of its player, or one so many circuits later.

    What was moved, pushed or proposed in the turn at hand counts for that turn alone.
    """
    player = state.multiverse.armies[army].controller
    order = Sequence(state.sequence, state.sequence_of)
    whose = [order.holder(state, name) for name in order.names] if order.names else list(state.playing)
    now = state.place if state.place >= 0 else len(whose) - 1
    places = [at for at, name in enumerate(whose) if name == player] or [now]
    ahead = min((at - now) % len(whose) or len(whose) for at in places) + later * len(whose)
    number, circuit = state.turn + ahead, state.circuit + (now + ahead) // len(whose)
    of = army if state.sequence_of == "army" else None
    turn = Turn(number, player, army=of, march=march_of(state, of, player))
    return state.but(turn=number, hand=number, circuit=circuit, turns=(turn,), ended=state.ended + ahead, waiting=())


def moved_by_the_clock(law: Law) -> bool:
    """Tell whether it depends on the time which moves chess has, before rules forbid any."""
    reads = law.dependence.fields_read
    # What may be played on depends on what was done in the turn; it is looked at as a turn begins.
    return any(CLOCK & set(reads(key)) for key in TERMS) or any("circuit" in reads(key) for key in HOW_OFTEN)


def told_by_the_clock(law: Law) -> bool:
    """Tell whether it depends on the time which moves there are."""
    return moved_by_the_clock(law) or not CLOCK.isdisjoint(law.dependence.fields_read("may.move"))


def movers_of(
    view: View, state: State, army: str, boards: Collection[str], circuits: int
) -> list[tuple[Mover, list[State]]]:
    """Return the movers of an army on boards, each with the turns to come in which it moves.

    One does for all turns between which only rules on single moves make a difference.
    """
    turns = [next_turn_of(state, army, one) for one in range(circuits)]
    found: list[tuple[Mover, list[State]]] = []
    for joined in sets_of_boards(turns[0], turns[0].multiverse, army):
        if set(joined).isdisjoint(boards):
            continue
        apart: list[tuple[Mover, list[State]]] = []
        for turn in turns if moved_by_the_clock(state.law) else turns[:1]:
            mover = Mover(view, turn, army, joined)
            mover.push(turn)
            known = next((some for one, some in apart if one.moves_like(mover)), None)
            if known is None:
                apart.append((mover, [turn]))
            else:
                known.append(turn)
        found += apart if len(apart) > 1 else [(mover, turns) for mover, _ in apart]
    return found


def hostile_to(state: State, piece: Piece) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the armies that may capture a piece where it stands, with the boards pushed together for it."""
    position = state.multiverse
    here = {other.army for other in position.standing[piece.board].values()}
    for army, one in position.armies.items():
        if one.controller == position.armies[piece.army].controller or one.controller not in state.playing:
            continue
        if not position.boards[piece.board].half and army not in here:
            continue
        asked = next_turn_of(state, army)
        for boards in sets_of_boards(asked, position, army):
            there = any(other.army == army for board in boards for other in position.standing[board].values())
            if piece.board in boards and there and piece.army in names(state.law, asked, "capture.from", army, boards):
                yield army, boards


def attacks_on(view: View, state: State, piece: Piece) -> list[BoardMove]:
    """Return the moves by which others could capture a piece in the next turn of theirs, chance apart."""
    found = []
    for army, boards in hostile_to(state, piece):
        asked = next_turn_of(state, army)
        mover = Mover(view, asked, army, boards)
        found += [one for one in mover.any_moves(asked) if piece.id in one.taken and mover.permits(asked, one)]
    return found


def _attackers(view: View, value: Value) -> Value:
    piece = piece_of(state_of(view), one_ref(value, "piece").id)
    return remembered(view, "attackers", piece.id, lambda then: _attacking(then, piece))


def _attacking(view: View, piece: Piece) -> Value:
    state = state_of(view)
    if state.position is None or piece.id not in state.position.pieces:
        return ()
    attackers = sorted({one.piece for one in attacks_on(view, state, piece)})
    attacking = listed([f"the {piece_words(state, id)}" for id in attackers]) if attackers else "nothing"
    verb = "attack" if len(attackers) > 1 else "attacks"
    view.evidence["attackers"] = f"{attacking} {verb} the {piece_words(state, piece.id)}"
    return refs("piece", attackers)


def _alone(position: Multiverse, piece: Piece) -> Multiverse:
    """Return the boards with one piece, and nothing else."""
    return replace(position, pieces={piece.id: piece}, passings=())


def _can_ever_move(view: View, state: State, army: str, pieces: list[Piece]) -> set[str]:
    """Return the kinds of an army's pieces on one board that could move there if they were alone on it."""
    left, found = {one.kind for one in pieces}, set[str]()
    for later in range(TO_COME if told_by_the_clock(state.law) else 1):
        asked = next_turn_of(state, army, later)
        for boards in sets_of_boards(asked, asked.multiverse, army):
            if not left or pieces[0].board not in boards:
                continue
            mover = Mover(view, asked, army, boards)
            for piece in (one for one in pieces if one.kind in left):
                alone = asked.but(position=_alone(asked.multiverse, piece))
                if piece.kind not in found and any(one.piece == piece.id for one in mover.moves(alone)):
                    found.add(piece.kind)
            left -= found
    return found


def _movable_kinds(view: View, value: Value) -> Value:
    board = board_of(view, one_ref(value, "board").id)
    return remembered(view, "movable_kinds", board.name, lambda then: _movable_on(then, board))


def _movable_on(view: View, board: Board) -> Value:
    state = state_of(view)
    there = state.multiverse.standing[board.name].values()
    armies = dict.fromkeys(piece.army for piece in there)
    kinds = [{one.kind for one in there if one.army == army} for army in armies]
    shared = set.intersection(*kinds) if kinds else set[str]()
    free = shared
    for army in armies:
        own = [one for one in there if one.army == army and one.kind in shared]
        movable = _can_ever_move(view, state, army, own) if own else set[str]()
        free = free & movable
    found = sorted(free)
    said = f"of {', '.join(sorted(shared)).upper() or 'no kind'}, which all have in {board.name}, "
    view.evidence["movable_kinds"] = said + (f"{', '.join(found).upper()} can move" if found else "none can move")
    return tuple(kind.upper() for kind in found)


FUNCTIONS = (
    Function("attackers", (PIECE,), PIECES, "what could capture a piece in the next turn of whoever has it, own "
             "check and chance apart", _attackers, reads=EVERYTHING),
    Function("movable_kinds", (BOARD,), list_of(TEXT), "the kinds that all armies on a board have and could move "
             "there, if nothing stood in the way, in one of the next ten circuits", _movable_kinds, reads=EVERYTHING),
)  # fmt: skip
