"""What the effects of the law language do to boards, armies and pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.geometry import MAX_SIZE
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove, Piece, Place
from nomic_nb.chess.play.boards import MoveMade, TurnMoves, multiverse_of
from nomic_nb.chess.play.events import growth_by_side, piece_event_data
from nomic_nb.chess.play.functions import promotion_ladder
from nomic_nb.chess.play.legal import MoveOption, move_options
from nomic_nb.chess.play.move_errors import NamedMove, matches_named_move, read_move
from nomic_nb.chess.play.moving import make_move
from nomic_nb.chess.play.records import (
    ARMY,
    BOARD,
    BOARDS,
    PIECE,
    PIECES,
    PLAYER,
    SQUARE,
    TEXTS,
    armies_of,
    find_square,
    function,
    is_in_hand,
    is_kind,
    referenced_id,
    referenced_ids,
)
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.checking import KIND_EXPECTED
from nomic_nb.engine.law.nodes import Expression, NotDone, Undecided, View
from nomic_nb.engine.law.rules import EVERYWHERE_SCOPE
from nomic_nb.engine.law.slots import FlagSlot, PlayersSlot, SingleSlot, SomeSlot
from nomic_nb.engine.law.values import NUMBER, TEXT, TRUTH, Type, Value, as_refs, list_type, make_range_check
from nomic_nb.engine.law.vocabulary import ALL_FIELDS, Fact, Field, Record
from nomic_nb.engine.play.declarations import declare_event, declare_fields, effect
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.values import Turn, player_names

# --------------------------------------------------------------- what the effects of the law language do to boards


#: How most of these effects are declared: who orders them, and what they take.
_by_people = partial(effect, ordered_by="people")
_on_pieces = partial(_by_people, pieces=SomeSlot(PIECE, "pieces are needed here"))


def _targeted_pieces(engine: Engine, expression: Expression) -> Iterator[int]:
    """Yield the numbers of the pieces that an effect targets and that are still on a board.

    Raises
    ------
    Undecided
        One of them is in a hand, where no effect reaches it.
    """
    piece_ids, state = dict.fromkeys(referenced_ids(engine.evaluate(expression), "piece")), engine.state
    if any(is_in_hand(state, id) for id in piece_ids):
        raise Undecided("piece-in-hand-on-no-board", "a piece in hand isn’t on any board")
    for id in piece_ids:
        piece = multiverse_of(engine.state).pieces.get(id)
        if piece is not None and rule_applies_on_board(engine, piece.board):
            yield id


def rule_applies_on_board(engine: Engine, board: str) -> bool:
    """Tell whether the rule that is now carried out applies on a board; if not, record that it does nothing."""
    item = engine.item
    if item.scope in (EVERYWHERE_SCOPE, board):
        return True
    engine.emit("kept_out", rule=item.cause.rule if item.cause else None, universe=item.scope, board=board)
    return False


def _read_kind(value: Value) -> str:
    """Return a value as a kind of piece, or raise an error if it is none."""
    if is_kind(value):
        return cast(str, value)
    raise Undecided(KIND_EXPECTED)


def _record_piece_event(engine: Engine, event: str, id: int, **more: Any) -> None:
    """Record an event that happens to piece `id`; `more` adds to its data."""
    position = multiverse_of(engine.state)
    engine.emit(
        event, position.armies[position.pieces[id].army].controller, **piece_event_data(engine.state, id), **more
    )


def _next_on_ladder(engine: Engine, id: int, step: int) -> str:
    """Return the kind one step up (1) or down (-1) the ladder from a piece's; empty for down from the lowest."""
    now, kinds = multiverse_of(engine.state).pieces[id].kind.upper(), promotion_ladder(engine.view())
    to = kinds.index(now) + step if now in kinds else len(kinds)
    if to >= len(kinds):
        raise Undecided(
            "no-step-on-ladder",
            "{kind} can’t move {up_or_down} in the order of promotion",
            kind=now,
            up_or_down="up" if step > 0 else "down",
        )
    return _read_kind(kinds[to]) if to >= 0 else ""


@_on_pieces(
    "promote {pieces} [to {kind}]",
    example='promote promotable(player) to "Q"',
    makes="promoted",
    kind=SingleSlot(TEXT, "a kind of piece", or_none=True),
)
def promote(engine: Engine, effect: Any) -> None:
    """Promote pieces to the next kind on the ladder or to a given kind."""
    kind = None if effect.kind is None else engine.evaluate(effect.kind)
    if effect.kind is not None and kind is None:  # what was declined changes nothing
        return
    for id in _targeted_pieces(engine, effect.pieces):
        to = _next_on_ladder(engine, id, 1) if kind is None else _read_kind(kind)
        if to != multiverse_of(engine.state).pieces[id].kind.upper():  # or nothing happens
            _record_piece_event(engine, "promoted", id, kind=to)


@_on_pieces("demote {pieces}", example="demote demotable(player)", makes="demoted removed", traits="taking")
def demote(engine: Engine, effect: Any) -> None:
    """Demote pieces to the previous kind on the ladder; pieces of the lowest kind vanish."""
    for id in _targeted_pieces(engine, effect.pieces):
        if to := _next_on_ladder(engine, id, -1):
            _record_piece_event(engine, "demoted", id, kind=to)
        else:
            _record_piece_event(engine, "removed", id)


@_on_pieces("crown {pieces}", example='crown square_named("white.d1").piece', makes="crowned", traits="taking")
def crown(engine: Engine, effect: Any) -> None:
    """Make pieces royal, whatever their kind."""
    _record_crowning(engine, effect, royal=True)


@_on_pieces("uncrown {pieces}", example='uncrown square_named("white.e1").piece', makes="crowned", traits="taking")
def uncrown(engine: Engine, effect: Any) -> None:
    """Make pieces not royal, whatever their kind."""
    _record_crowning(engine, effect, royal=False)


def _record_crowning(engine: Engine, effect: Any, *, royal: bool) -> None:
    """Record for each targeted piece that it becomes royal, or no longer is."""
    for id in _targeted_pieces(engine, effect.pieces):
        if multiverse_of(engine.state).pieces[id].royal is not royal:
            _record_piece_event(engine, "crowned", id, royal=royal)


@_by_people(
    "place {kind} of {army} at {square}",
    example='place "N" of army_named("white") at square_named("white.e4")',
    makes="placed",
    kind=SingleSlot(TEXT, "a kind of piece"),
    army=SingleSlot(ARMY, "whose piece it is"),
    square=SingleSlot(SQUARE, "where it is placed", or_none=True),
)
def place(engine: Engine, effect: Any) -> None:
    """Place a new piece."""
    kind, army = _read_kind(engine.evaluate(effect.kind)), referenced_id(engine.evaluate(effect.army), "army")
    where, position = engine.evaluate(effect.square), multiverse_of(engine.state)
    if where is None or not rule_applies_on_board(engine, find_square(position, referenced_id(where, "square"))[0]):
        return
    at = _read_free_square(position, where)
    engine.emit(
        "placed", position.armies[army].controller, piece=position.next_id, kind=kind, army=army, square=at,
        where=position.name(*at),
    )  # fmt: skip


def _read_free_square(position: Multiverse, value: Value) -> Place:
    """Return a value as a board and an empty square on it, or raise an error if the square is taken."""
    board, square = find_square(position, referenced_id(value, "square"))
    if square in position.standing[board]:
        raise NotDone("square-not-free", "{square} is already occupied", square=position.name(board, square))
    return board, square


@_on_pieces("remove {pieces}", example='remove army_named("white").pieces', makes="removed", traits="taking")
def remove(engine: Engine, effect: Any) -> None:
    """Take pieces off the boards."""
    for id in _targeted_pieces(engine, effect.pieces):
        _record_piece_event(engine, "removed", id)


@_on_pieces(
    "move {pieces} to {square}",
    example='move square_named("white.e2").piece to square_named("white.e4")',
    makes="carried",
    square=SingleSlot(SQUARE, "where it is carried", or_none=True),
)
def move(engine: Engine, effect: Any) -> None:
    """Carry a piece to an empty square."""
    where = engine.evaluate(effect.square)
    for id in _targeted_pieces(engine, effect.pieces) if where is not None else ():
        piece = multiverse_of(engine.state).pieces[id]
        if piece.place == find_square(multiverse_of(engine.state), referenced_id(where, "square")):
            continue  # it is there already
        to = _read_free_square(multiverse_of(engine.state), where)
        if not rule_applies_on_board(engine, to[0]):
            break
        _record_carried_pieces(engine, {id: to})


def _record_carried_pieces(engine: Engine, to: Mapping[int, Place]) -> None:
    """Record in one event that pieces, by number, are carried to the squares in `to`; nothing if none exist."""
    if to:
        each = tuple({"piece": id} for id in to)
        engine.emit("carried", each=each, to=tuple(to.items()))


@_on_pieces(
    "shift {pieces} {around} by {step}",
    example='shift pieces_on_rank(board_named("white"), 2) by [0, 1]',
    makes="carried",
    around=FlagSlot("around"),
    step=SingleSlot(list_type(NUMBER), "a step: files to the right, ranks ahead"),
)
def shift(engine: Engine, effect: Any) -> None:
    """Move pieces that far, seen from their board's owner, all at once; any that cannot stay, or go `around` edges."""
    step, position = engine.evaluate(effect.step), multiverse_of(engine.state)
    if len(step) != 2 or not all(isinstance(distance, int) and abs(distance) <= MAX_SIZE for distance in step):
        raise Undecided(
            "step-not-two-numbers", "a step must be two whole numbers: files to the right, then ranks ahead"
        )
    boards = {name: board.geometry for name, board in position.boards.items()}
    if effect.around:
        boards = {name: replace(geometry, wraps="both") for name, geometry in boards.items()}
    to = {}
    for id in _targeted_pieces(engine, effect.pieces):
        piece = position.pieces[id]
        square = boards[piece.board].step(piece.square, *step)
        if square is not None:
            to[id] = (piece.board, square)
    while blocked := [id for id, where in to.items() if _is_square_taken(position, to, id, where)]:
        for id in blocked:
            del to[id]
    _record_carried_pieces(engine, {id: where for id, where in to.items() if where != position.pieces[id].place})


def _is_square_taken(position: Multiverse, to: Mapping[int, Place], id: int, where: Place) -> bool:
    """Tell whether `where`, new square of shifted piece `id`, is taken by one that stays or is shifted there."""
    piece = position.standing[where[0]].get(where[1])
    stays = piece is not None and piece.id not in to and piece.id != id
    return stays or any(other != id and place == where for other, place in to.items())


@_on_pieces(
    "convert {pieces} to {army}",
    example='convert army_named("white").pieces to army_named("yellow")',
    makes="converted",
    army=SingleSlot(ARMY, "what a piece goes over to"),
    traits="taking",
)
def convert(engine: Engine, effect: Any) -> None:
    """Make pieces join an army."""
    army = referenced_id(engine.evaluate(effect.army), "army")
    for id in _targeted_pieces(engine, effect.pieces):
        position = multiverse_of(engine.state)
        if position.pieces[id].army != army:
            engine.emit("converted", position.armies[army].controller, **piece_event_data(engine.state, id), army=army)


@_by_people(
    "give {armies} to {who}",
    example='give army_named("white") to player',
    makes="army_lost army_taken",
    armies=SomeSlot(ARMY, "armies are needed here"),
    who=PlayersSlot(),
    traits="taking",
)
def give(engine: Engine, effect: Any) -> None:
    """Put an army under somebody's control."""
    players = player_names(engine.evaluate(effect.who))
    if len(players) != 1 or players[0] not in engine.state.names_of_players:
        raise Undecided(
            "army-not-given-to-one-player", "an army must be given to exactly one player, who is in the game"
        )
    for name in referenced_ids(engine.evaluate(effect.armies), "army"):
        army, player = multiverse_of(engine.state).armies[name], players[0]
        if not rule_applies_on_board(engine, army.home):
            continue
        if army.controller != player or army.name in engine.state.mated:  # or nothing happens
            engine.emit("army_taken", player, army=army.name)
        if army.controller != player:
            engine.emit("army_lost", army.controller, army=army.name)


_NOT_GROWTH = make_range_check("a growth in ranks", -MAX_SIZE, MAX_SIZE)
#: What a number is that is none of squares around a board.
NOT_A_RING = make_range_check("a ring of squares", 1, MAX_SIZE)


@_by_people(
    "grow {boards} {around} by {ranks}",
    example="grow boards by 1",
    makes="grown",
    boards=SomeSlot(BOARD, "boards are needed here"),
    around=FlagSlot("around"),
    ranks=SingleSlot(NUMBER, "by how many ranks", misfit=_NOT_GROWTH),
)
def grow(engine: Engine, effect: Any) -> None:
    """Add that many ranks to boards; with `around`, add a ring of squares and rename the squares from the corner."""
    by = engine.evaluate(effect.ranks)
    if wrong := (NOT_A_RING if effect.around else _NOT_GROWTH)(by):
        raise Undecided(wrong)
    for name in referenced_ids(engine.evaluate(effect.boards), "board"):
        if not rule_applies_on_board(engine, name):
            continue
        try:
            grown = multiverse_of(engine.state).boards[name].geometry.grow(**growth_by_side(by, effect.around))[0]
        except MultiverseError as error:
            raise Undecided(error.said) from None
        check_joined_depth(engine.state, name, grown.ranks)
        if by:  # or nothing happens
            engine.emit("grown", board=name, ranks=by, data={"around": effect.around})


def check_joined_depth(state: State, name: str, ranks: int) -> None:
    """Raise an error if a half-board with so many ranks would be too deep to join with the deepest other."""
    boards = multiverse_of(state).boards
    if name in boards and not boards[name].half:
        return
    deepest = max((board.geometry.ranks for board in boards.values() if board.half and board.name != name), default=0)
    if ranks + deepest > MAX_SIZE:
        raise Undecided(
            "half-boards-too-deep-together",
            "two half-boards pushed together can have at most {most} ranks, not {ranks}",
            most=MAX_SIZE,
            ranks=ranks + deepest,
        )


# ----------------------------------------------------------------------------- moves that rules make and take back


MOVE_TYPE = Type("move")
#: Steps that it is worth to look through all moves.
LOOK_COST = 100


def _moves_open_now(view: View) -> Iterator[tuple[MoveOption, BoardMove]]:
    """Yield the moves that can be made now, each as (option, move on the boards), without options that only push."""
    view.spend_steps(1, LOOK_COST)
    return ((option, option.move) for option in move_options(state_of(view)) if option.move is not None)


@function(
    "the pieces on a board that a player can move in the current turn",
    PLAYER,
    BOARD,
    gives=PIECES,
    traits="alike place",
)
def _movable(view: View, player: str, board: str) -> list[int]:
    armies = multiverse_of(state_of(view)).armies
    return sorted({
        move.piece for option, move in _moves_open_now(view)
        if board in option.push.boards and armies[move.army].controller == player and move.origin[0] == board
    })  # fmt: skip


@function(
    "the moves that can be made with a piece in the current turn, as players write them",
    PIECE,
    gives=TEXTS,
    traits="alike place",
)
def _moves_with(view: View, piece: int) -> list[str]:
    return [str(option) for option, move in _moves_open_now(view) if move.piece == piece]


@effect(
    "make {move} for {who}",
    example='make "white.e2-white.e4" for player',
    makes="pushed moved captured promoted",
    move=SingleSlot(TEXT, "a move, as moves_with has them or players write it"),
    who=PlayersSlot(),
)
def make(engine: Engine, effect: Any) -> None:
    """Make a move for a player, with everything that goes with it; it must be legal in the current turn.

    Or instead of one that was taken back; the turn in which that was made need not be in progress.
    """
    names, text, state = player_names(engine.evaluate(effect.who)), engine.evaluate(effect.move), engine.state
    if len(names) != 1:
        raise Undecided("not-one-player-moves", "exactly one player must make the move")
    options = move_options(state) if state.current_turn is not None and state.current_turn.player == names[0] else ()
    back = (move_made for move_made in state.made if move_made.status == "back" and move_made.player == names[0])
    again = (option for move_taken_back in back for option in replacement_moves(state, move_taken_back))
    named = _read_named_move(state, names[0], text)
    could = [option for option in (*options, *again) if option.move is not None]
    fitting = [option for option in could if str(option) == text] or [
        option for option in could if named and matches_named_move(option, named)
    ]
    fitting = fitting or [option for option in could if option.said.casefold() == text.casefold()]
    if not fitting:
        raise NotDone("player-has-no-such-move", "{player} can’t make the move {move} now", move=text, player=names[0])
    if len({frozenset(option.push.boards) for option in fitting}) > 1:
        raise NotDone(
            "move-on-several-pairs",
            "{move} can be played on several pairs of boards, such as {such}",
            move=text,
            such=fitting[0],
        )
    make_move(engine, names[0], fitting[0])


def _read_named_move(state: State, player: str, text: str) -> NamedMove | None:
    """Return the move that a text names, or None if it is not written like a move."""
    try:
        return read_move(state, player, text, None)
    except IllegalAction:
        return None


def find_move_made(state: State, id: int | str) -> MoveMade:
    """Return the move on record with this number, or raise an error if another was made on its boards since.

    Raises
    ------
    Undecided
        Another was made there since.
    """
    moves: tuple[MoveMade, ...] = state.made
    matching_move = next((candidate for candidate in moves if candidate.id == id), None)
    if matching_move is None:
        raise Undecided("another-move-made-since", "another move has been made there since")
    return matching_move


def boards_without_move(state: State, move_made: MoveMade) -> Multiverse | None:
    """Return the boards as if a move had not been made; None if it cannot be taken back."""
    position = multiverse_of(state)
    pieces: dict[int, Piece] = dict(position.pieces)
    for id, after in move_made.now:
        held = after is None and (id not in state.gone or is_in_hand(state, id))
        if held or pieces.pop(id, None) != after:
            return None
    back = {id: before for id, before in move_made.was if before is not None}
    taken = {piece.place for piece in pieces.values()}
    if len(back) < len(move_made.was) or any(piece.place in taken for piece in back.values()):
        return None
    then, kept = position.with_pieces(*back.values()), position.passings_without(*back)
    restored = tuple(passing for passing in move_made.passings if passing.piece in then.pieces and passing not in kept)
    return replace(then, passings=(*kept, *restored))


def replacement_moves(state: State, move_made: MoveMade) -> tuple[MoveOption, ...]:
    """Return the moves that could be made instead of one that was taken back."""
    turn = Turn(move_made.turn, move_made.player, march=TurnMoves(armies_of(state, move_made.player), move_made.boards))
    then = state.replace(
        turns=(turn,), hand=move_made.turn, circuit=move_made.circuit
    )  # what the table has agreed on holds now
    return tuple(
        option for option in move_options(then) if option.move is not None and option.push.boards == move_made.boards
    )


@effect(
    "take back {moves}",
    aloud="take {moves} back",
    example="take back [m for m in last_moves if m.player == player]",
    makes="taken_back",
    moves=SomeSlot(MOVE_TYPE, "moves are needed here, such as last_moves"),
)
def take_back(engine: Engine, effect: Any) -> None:
    """Take moves back: the boards return to their earlier state, unless what a move changed has changed since."""
    for id in referenced_ids(engine.evaluate(effect.moves), "move"):
        for move_made in [candidate for candidate in engine.state.made if candidate.id == id and not candidate.status]:
            event = "not_taken_back" if boards_without_move(engine.state, move_made) is None else "taken_back"
            engine.emit(event, move_made.player, text=move_made.text, move=move_made.id)


declare_event(
    "not_taken_back",
    told="{actor}’s move {text} can’t be taken back, because what it changed has changed again since. The players can "
    "set up the boards instead",
)


@declare_event(
    "taken_back",
    "a move is taken back",
    {"player": PLAYER, "move": MOVE_TYPE},
    told="{actor}’s move {text} is taken back",
)
def _undo_move(state: State, event: Event) -> State:
    """Return the state after a move was taken back."""
    move_made = find_move_made(state, event.data["move"])
    position = cast(Multiverse, boards_without_move(state, move_made))
    gone = {id: piece for id, piece in state.gone.items() if id not in position.pieces}
    turns = tuple(
        _turn_without_move(turn, move_made) if turn.number == move_made.turn else turn for turn in state.turns
    )
    known = tuple(
        replace(past_move, status="back") if past_move is move_made else past_move for past_move in state.made
    )
    return state.replace(position=position, gone=gone, turns=turns, made=known)


def _turn_without_move(turn: Turn, move_made: MoveMade) -> Turn:
    """Return a turn as if a move had not been made in it."""
    march = turn.march
    if march is None or move_made.boards not in march.pushes:
        return turn
    at = max(at for at, push in enumerate(march.pushes) if push == move_made.boards)
    moved = tuple(piece_id for piece_id in march.moved if piece_id != move_made.was[0][0])
    return replace(turn, march=replace(march, pushes=(*march.pushes[:at], *march.pushes[at + 1 :]), moved=moved))


# ---------------------------------------------------------------------------------- what rules can say


def _move_made_of(view: View, id: int | str) -> MoveMade:
    """Return the move on record with this number, or raise `Undecided` if another was made on its boards since."""
    return find_move_made(state_of(view), id)


def _is_still_legal(view: View, id: int | str) -> Value:
    """Tell whether a move on record could be made again by the law now; True if it cannot be undone."""
    view.spend_steps(1, LOOK_COST)
    state, move_made = state_of(view), _move_made_of(view, id)
    position = boards_without_move(state, move_made)
    if position is None:
        return True  # it stands because it cannot be taken back
    return any(
        option.said == move_made.text for option in replacement_moves(state.replace(position=position), move_made)
    )


@function(
    "the moves that a player could make instead of one that was taken back, as players write them",
    MOVE_TYPE,
    gives=TEXTS,
    traits="alike",
)
def _moves_instead(view: View, move: int) -> list[str]:
    view.spend_steps(1, LOOK_COST)
    state, move_made = state_of(view), _move_made_of(view, move)
    if move_made.status != "back" or move_made.player not in state.person_names:
        return []
    return [str(option) for option in replacement_moves(state, move_made)]


FACTS = (
    Fact("last_moves", list_type(MOVE_TYPE),
    "the last move on each board, earliest first, without moves that were taken back", ("made",),
         lambda view: as_refs(list_type(MOVE_TYPE),
         [move_made.id for move_made in state_of(view).made if not move_made.status]),
         traits="alike passing"),
)  # fmt: skip

RECORDS = (
    Record("move", "a move that was made: the last one on its board", (
        *declare_fields(
            _move_made_of, ("made",),
            ("player", PLAYER, "the player who made it", "alike shown steady"),
            ("turn", NUMBER, "the turn in which it was made"),
            ("circuit", NUMBER, "the round in which it was made", "steady"),
            ("boards", BOARDS, "the boards it was played on", "alike steady settled"),
            ("text", TEXT, "its notation, as players write it"),
            ("number", NUMBER, "a number that identifies it", lambda move_made: move_made.id, "alike"),
        ),
        Field("legal", TRUTH, "whether it could be made again under the current rules if it were taken back",
              ALL_FIELDS, _is_still_legal, traits="alike"),
    )),
)  # fmt: skip
