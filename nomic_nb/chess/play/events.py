"""What each kind of event on boards does to the state."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from nomic_nb.chess.multiverse.geometry import Geometry
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import Army, Board, BoardMove, BoardNames
from nomic_nb.chess.multiverse.rules import KIND_NAMES
from nomic_nb.chess.play.boards import MoveMade, TurnMoves, multiverse_of
from nomic_nb.chess.play.captures import EXPLOSION_RESULTS, surviving_piece
from nomic_nb.chess.play.records import (
    ARMY,
    BOARD,
    CAPTURE_CASE,
    PIECE,
    PIECE_CASE,
    PIECES,
    PLAYER_ARMY_CASE,
    PUSHED_CASE,
    SQUARE,
    armies_of,
    current_turn_moves,
)
from nomic_nb.engine.messages import TRANSLATIONS
from nomic_nb.engine.play.declarations import declare_event
from nomic_nb.engine.play.events import Event, value_from_data
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.turns import fold_duty_done, with_turn
from nomic_nb.engine.play.values import Turn
from nomic_nb.engine.words import count_phrase

#: The text of a push on which no piece moves.
PUSH_ONLY = "push"


def _make_event_teller(words: str) -> Callable[[Event], str]:
    """Return a function that puts an event into a sentence by filling in the template `words`."""

    def told(event: Event) -> str:
        data = event.data
        kinds = {
            name: KIND_NAMES.get(data[name].lower(), f"piece of kind {data[name].upper()}")
            for name in ("kind", "was")
            if name in data
        }
        push = data.get("push", ())  # a universe is in the move
        boards = f" with {' and '.join(push)}" if len(push) > 1 else ""
        universe = f"universe {data['on']}" if "on" in data else "the game"
        return TRANSLATIONS.get(words, words).format(
            actor=event.actor, boards=boards, universe=universe, **{**data, **kinds}
        )

    return told


_tell_crowning = _make_event_teller("{of}’s {was} on {square} is now royal")
_tell_uncrowning = _make_event_teller("{of}’s {was} on {square} is no longer royal")


def _describe_push(event: Event) -> str:
    """Return the sentence that tells which boards are pushed, by whom and for which army."""
    data = event.data
    pushes = "pushes {} and {} together" if len(data["push"]) > 1 else "chooses board {}"
    return f"{event.actor} {pushes.format(*data['push'])} for army {data['army']}"


def _describe_capture(event: Event) -> str:
    """Return the sentence that tells of a capture and its result."""
    after, result = (
        {"convert": " and changes sides", **dict.fromkeys(EXPLOSION_RESULTS, " and explodes")},
        event.data["result"],
    )
    instead = "would be captured, but a rule says what happens instead"
    done = instead if result == "instead" else f"is captured{after.get(result, '')}"
    return _make_event_teller("{of}’s {kind} on {square} ")(event) + done


def _describe_carrying(event: Event) -> str:
    """Return the sentence that tells how many pieces are carried."""
    count = len(event.data["to"])
    return f"{count} {'piece is moved to another square' if count == 1 else 'pieces are moved to other squares'}"


def _describe_reshaping(event: Event) -> str:
    """Return the sentence that tells how boards are joined, and which edges and holes they have now."""
    data = event.data
    turned = "turned round" if data["join"] == "rotate" else "mirrored"
    sentences = [f"when two half-boards are pushed together, one is {turned}"]
    sentences += ["the side edges of the boards are joined"] if data["wraps"] else []
    holes = sum(len(squares) for squares in data["holes"].values())
    sentences += [f"{holes} {'square is' if holes == 1 else 'squares are'} missing from the boards"] if holes else []
    return "; ".join(sentences)


def _describe_growth(event: Event) -> str:
    """Return the sentence that tells by how much a board grows."""
    around, ranks = event.data.get("around"), event.data["ranks"]
    by = f"{ranks} on every side, so its squares are renamed" if around else count_phrase(ranks, "rank")
    return f"board {event.data['board']} grows by {by}"


def piece_event_data(state: State, id: int) -> dict[str, Any]:
    """Return the data that an event has of piece `id`: its number, kind, army and square."""
    piece = multiverse_of(state).pieces[id]
    square = multiverse_of(state).name(*piece.place)
    return {"piece": id, "was": piece.kind.upper(), "of": piece.army, "square": square}


def array_squares(geometry: Geometry, array: Iterable[str], *, far: bool) -> Iterator[tuple[int, str]]:
    """Yield (square, kind) for each piece in the rows of an army's array, placed from the far side if `far`."""
    for rank, row in enumerate(array):
        for file, kind in enumerate(row):
            at = rank * geometry.files + file
            if kind != ".":
                yield geometry.size - 1 - at if far else at, kind


@declare_event(
    "army_entered",
    "an army sets up its pieces",
    PLAYER_ARMY_CASE,
    told=_make_event_teller("{actor}’s army {army} enters {universe}"),
)
def _enter_army(state: State, event: Event) -> State:
    """Return the state after an army has entered with its array."""
    data = event.data
    position = state.position or Multiverse({}, {}, {}, data.get("join", "rotate"))
    name, universe, far = data["army"], data.get("on"), data.get("far", False)
    home, geometry = universe or name, Geometry(data["files"], data["ranks"])
    if home not in position.boards:
        position = position.add_board(Board(home, geometry, half=universe is None))
    position = position.add_army(Army(name, event.actor_name, home, data["colour"], data["mark"], far), array=False)
    for at, kind in array_squares(geometry, data["array"], far=far):
        position = position.place(kind.lower(), name, home, at)
    return state.replace(position=position)


declare_event("pushed", "boards are pushed together", PUSHED_CASE, told=_describe_push, traits="done by_move")(
    lambda state, event: _with_turn_moves(state, event.data["army"], pushes=(tuple(event.data["push"]),))
)


def _with_turn_moves(
    state: State, army: str, pushes: tuple[BoardNames, ...] = (), moved: tuple[int, ...] = ()
) -> State:
    """Return the state with pushes and moved pieces added to the moves of the current turn.

    A move can replace an old one.
    """
    go, march = state.current_turn, current_turn_moves(state)
    if go is None or march is None or army not in march.armies:
        return state
    march = replace(march, pushes=march.pushes + pushes, moved=march.moved + moved)
    return with_turn(state, replace(go, march=march))


@declare_event(
    "moved",
    "a piece moves",
    {**PUSHED_CASE, **PIECE_CASE, "origin": SQUARE, "target": SQUARE},
    told=_make_event_teller("{actor} moves {text}{boards}"),
    traits="done by_move",
)
def _apply_move(state: State, event: Event) -> State:
    """Return the state after a piece has moved."""
    position, move = multiverse_of(state), value_from_data(event.data, BoardMove)
    captured = {id: position.pieces[id] for id in move.taken}
    kept = event.data["kept"]
    gone = {**state.gone, **{id: piece for id, piece in captured.items() if id not in kept}}
    position = position.play(move).with_pieces(*(surviving_piece(captured[id], move) for id in kept))
    return _with_move_made(state, state.replace(position=position, gone=gone), event, move)


@declare_event(
    "in_hand",
    "a captured piece goes into an army's hand",
    {**PIECE_CASE, "army": ARMY},
    told=_make_event_teller("{army} now has the {kind} in hand"),
)
def _put_in_hand(state: State, event: Event) -> State:
    """Return the state after a captured piece was put into a hand."""
    id, army = event.data["piece"], event.data["army"]
    gone = {**state.gone, id: replace(state.gone[id], army=army)}
    return state.replace(gone=gone, hands={**state.hands, army: (*state.hands.get(army, ()), id)})


@declare_event(
    "dropped",
    "a piece is dropped from a hand",
    {**PUSHED_CASE, **PIECE_CASE, "target": SQUARE},
    told=_make_event_teller("{actor} drops {text}{boards}"),
    traits="done",
)
def _drop_piece(state: State, event: Event) -> State:
    """Return the state after a piece was dropped from a hand."""
    move = value_from_data(event.data, BoardMove)
    position = multiverse_of(state).drop(state.gone[move.piece], move.army, *move.target)
    gone = {id: piece for id, piece in state.gone.items() if id != move.piece}
    left = tuple(id for id in state.hands[move.army] if id != move.piece)
    hands = {army: ids for army, ids in {**state.hands, move.army: left}.items() if ids}
    return _with_move_made(state, state.replace(position=position, gone=gone, hands=hands), event, move)


def _with_move_made(before: State, state: State, event: Event, move: BoardMove) -> State:
    """Return `state` with a move added to its record of moves, and what it changed since `before`."""
    state = _with_turn_moves(state, move.army, moved=(move.piece,))
    ids = (move.piece, *move.taken, *(move.partner[:1] if move.partner is not None else ()))
    was, now = (
        tuple((id, multiverse_of(either_state).pieces.get(id)) for id in ids) for either_state in (before, state)
    )
    movemade = MoveMade(
        event.seq, event.actor_name, move.army, event.turn, event.circuit, move.push, move.text, was, now,
        multiverse_of(before).passings,
    )  # fmt: skip
    there = set(move.push)
    others = (replace(earlier_move, status="made anew") if earlier_move.status == "back"
    and there & set(earlier_move.boards) else earlier_move
              for earlier_move in state.made if earlier_move.status
              or not there & set(earlier_move.boards))  # fmt: skip
    last = (move.army, *(army for army in state.last_moved if army != move.army))
    return state.replace(last_moved=last, made=(*others, movemade))


def new_turn_moves(state: State, army: str | None, player: str) -> TurnMoves | None:
    """Return an empty record of moves for a turn of an army, or of all a player's armies, or None."""
    own = (army,) if army else armies_of(state, player)
    if not own:
        return None
    there = {piece.board for name in own for piece in multiverse_of(state).own[name]}
    return TurnMoves(own, tuple(name for name in multiverse_of(state).boards if name in there))


@declare_event(
    "promoted",
    "a piece is promoted to a higher kind",
    PIECE_CASE,
    told=_make_event_teller("{of}’s {was} on {square} becomes a {kind}"),
)
@declare_event(
    "demoted",
    "a piece is demoted to a lower kind",
    PIECE_CASE,
    told=_make_event_teller("{of}’s {was} on {square} becomes a {kind}"),
)
def _change_kind(state: State, event: Event) -> State:
    """Return the state after a piece has become another kind."""
    return state.replace(position=multiverse_of(state).promote(event.data["piece"], event.data["kind"].lower()))


declare_event(
    "crowned",
    "a piece becomes royal or stops being royal",
    PIECE_CASE,
    told=lambda e: (_tell_crowning if e.data["royal"] else _tell_uncrowning)(e),
)(lambda state, event: state.replace(position=multiverse_of(state).crown(event.data["piece"], event.data["royal"])))


@declare_event(
    "placed",
    "a new piece is placed",
    PIECE_CASE,
    told=_make_event_teller("{army} gets a {kind} on {where}"),
)
def _place_piece(state: State, event: Event) -> State:
    """Return the state after a new piece was placed."""
    board, square = event.data["square"]
    position = multiverse_of(state).place(event.data["kind"].lower(), event.data["army"], board, square, moved=True)
    return state.replace(position=position)


@declare_event(
    "removed",
    "a piece leaves the boards",
    PIECE_CASE,
    told=_make_event_teller("{of}’s {was} on {square} is removed from the boards"),
)
def _remove_piece(state: State, event: Event) -> State:
    """Return the state after a piece was taken off the boards."""
    position, id = multiverse_of(state), event.data["piece"]
    return state.replace(position=position.remove(id), gone={**state.gone, id: position.pieces[id]})


declare_event("carried", "a piece is carried to another square", PIECE_CASE, told=_describe_carrying)(
    lambda state, event: state.replace(position=multiverse_of(state).carry_pieces(dict(event.data["to"])))
)


declare_event(
    "converted",
    "a piece joins another army",
    PIECE_CASE,
    told=_make_event_teller("{of}’s {was} on {square} now belongs to {army}"),
)(lambda state, event: state.replace(position=multiverse_of(state).convert(event.data["piece"], event.data["army"])))


declare_event(
    "mated",
    "an army is mated; `player` gets it, and `checkers` are the pieces that give check, none if the king was captured",
    {**PLAYER_ARMY_CASE, "checkers": PIECES},
    late="mate.captor has said by then who gets the army",
    told="army {army} is mated and will go to {actor}",
    usual="the army goes to the player who mated it",
)(lambda state, event: state.replace(mated={**state.mated, event.data["army"]: event.actor_name}))


@declare_event("army_taken", "a player gains an army", PLAYER_ARMY_CASE, told="{actor} takes over army {army}")
def _take_army(state: State, event: Event) -> State:
    """Return the state after a player has taken over an army."""
    name, player = event.data["army"], event.actor_name
    mated = {army: captor for army, captor in state.mated.items() if army != name}
    turns = tuple(_turn_under_controller(turn, player) if turn.army == name else turn for turn in state.turns)
    return state.replace(position=multiverse_of(state).with_controller(name, player), mated=mated, turns=turns)


def _turn_under_controller(turn: Turn, player: str) -> Turn:
    """Return an army's turn, with its duties, as passed on to the player who now controls the army."""
    duties = tuple(replace(duty, player=player) if duty.player == turn.player else duty for duty in turn.duties)
    return replace(turn, player=player, duties=duties)


def growth_by_side(by: int, around: bool = False) -> dict[str, int]:
    """Return how many ranks or files (`by`) a board gains on each side: in front, or all around if `around`."""
    return dict.fromkeys(("front", "back", "left", "right") if around else ("front",), by)


@declare_event("grown", "a board grows", {"board": BOARD}, told=_describe_growth)
def _grow_board(state: State, event: Event) -> State:
    """Return the state after a board has grown."""
    by = growth_by_side(event.data["ranks"], "around" in event.data)
    return state.replace(position=multiverse_of(state).grow(event.data["board"], **by))


@declare_event("reshaped", told=_describe_reshaping)
def _apply_reshaping(state: State, event: Event) -> State:
    """Return the state after boards were given other joined edges or holes, or another way of joining."""
    data = event.data
    return reshape_boards(state, data["join"], data["wraps"], data["holes"])


def reshape_boards(state: State, join: str, wraps: str, holes: Mapping[str, Collection[int]]) -> State:
    """Return the state with half-boards joined another way, and other joined edges and holes of the boards."""
    position = replace(multiverse_of(state), join=join)
    for name, board in position.boards.items():
        geometry = replace(board.geometry, wraps=wraps, holes=frozenset(holes.get(name, ())))
        if geometry != board.geometry:
            position = position.reshape(name, geometry)
    return state if position == state.position else state.replace(position=position)


@declare_event("passed_by", told="a piece that made a double step earlier can no longer be captured en passant")
def _remove_passings(state: State, event: Event) -> State:
    """Return the state in which some double steps can no longer be captured en passant."""
    position = multiverse_of(state)
    return state.replace(position=replace(position, passings=position.passings_without(*event.data["pieces"])))


declare_event(
    "kept_out",
    told=lambda e: f"rule {e.data['rule']} is for {e.data['universe']}, so it does nothing on {e.data['board']}",
)

declare_event(
    "captured",
    "a piece is captured",
    CAPTURE_CASE,
    told=_describe_capture,
    usual="what the rules say about captured pieces",
    traits="done by_move",
)

declare_event(
    "checked",
    "a move puts a king in check",
    {"army": ARMY, "piece": PIECE},
    told="{actor} gives check to {army}",
    traits="done by_move",
)

declare_event("army_lost", "a player loses an army", PLAYER_ARMY_CASE, told="{actor} loses army {army}")

declare_event(
    "moves_made",
    told=lambda e: (
        f"{e.actor} makes no more moves this turn: {e.data['note']}" if e.data["note"] else f"{e.actor} has moved"
    ),
)(fold_duty_done("move"))


def is_told_elsewhere(event: Event) -> bool:
    """Tell whether an event needs no sentence of its own, since another event's sentence tells of it."""
    if event.kind == "pushed":
        return bool(event.data["text"] != PUSH_ONLY)
    return event.kind == "moves_made" and not event.data["note"]
