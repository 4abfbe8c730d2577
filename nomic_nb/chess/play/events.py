"""What each kind of event on boards does to the state."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from nomic_nb.chess.multiverse.geometry import Geometry
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import Army, Board, BoardMove
from nomic_nb.chess.play.boards import Made, March, multiverse_of
from nomic_nb.chess.play.captures import EXPLODING, in_exchange
from nomic_nb.chess.play.records import (
    ARMY,
    BOARD,
    CAPTURE,
    ONE,
    PIECE,
    PIECES,
    PUSHED,
    SQUARE,
    WITH,
    armies_of,
    march_at_hand,
    name_of_kind,
)
from nomic_nb.engine.play.declarations import happens
from nomic_nb.engine.play.events import Event, value_in
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.turns import did, with_turn
from nomic_nb.engine.play.values import Turn

#: The text of a push on which no piece moves.
ONLY_PUSHED = "push"
#: What events say of a piece as it was.
_PIECE = "the {was} of {of} on {square}"


def _said(words: str) -> Callable[[Event], str]:
    """Return what tells an event by its data: kinds of pieces by their names, and half-boards pushed together."""

    def told(event: Event) -> str:
        data = event.data
        kinds = {name: name_of_kind(data[name]) for name in ("kind", "was") if name in data}
        push = data.get("push", ())  # a universe stands in the move
        boards = f" with {' and '.join(push)}" if len(push) > 1 else ""
        universe = f" universe {data['on']}" if "on" in data else ""
        return words.format(actor=event.actor, boards=boards, universe=universe, **{**data, **kinds})

    return told


def _told_pushed(event: Event) -> str:
    data = event.data
    together = " together" if len(data["push"]) > 1 else ""
    return f"{event.actor} pushes {' and '.join(data['push'])}{together} for {data['army']}"


def _told_captured(event: Event) -> str:
    after, result = {"convert": " and goes over", **dict.fromkeys(EXPLODING, " and explodes")}, event.data["result"]
    instead = "would be captured; a rule says what happens instead"
    done = instead if result == "instead" else f"is captured{after.get(result, '')}"
    return _said("the {kind} of {of} on {square} ")(event) + done


def _told_carried(event: Event) -> str:
    count = len(event.data["to"])
    return f"{count} {'piece is' if count == 1 else 'pieces are'} carried to other squares"


def _told_reshaped(event: Event) -> str:
    data = event.data
    turned = "turned round" if data["join"] == "rotate" else "mirrored"
    said = [f"of two half-boards pushed together one is {turned}"]
    said += ["the sides of boards are joined"] if data["wraps"] else []
    holes = sum(len(squares) for squares in data["holes"].values())
    said += [f"{holes} {'square is' if holes == 1 else 'squares are'} missing"] if holes else []
    return "; ".join(said)


def _told_grown(event: Event) -> str:
    around = " all around; its squares have other names now" if event.data.get("around") else ""
    return f"board {event.data['board']} grows by {event.data['ranks']}{around}"


def about(state: State, id: int) -> dict[str, Any]:
    """Return what an event says of a piece as it was, so that it can be told: its kind, army and square."""
    piece = multiverse_of(state).pieces[id]
    square = multiverse_of(state).name(piece.board, piece.square)
    return {"piece": id, "was": piece.kind.upper(), "of": piece.army, "square": square}


def set_up_on(geometry: Geometry, array: Iterable[str], *, far: bool) -> Iterator[tuple[int, str]]:
    """Yield squares of a board and what an army sets up on them, which counts its ranks from its own side."""
    for rank, row in enumerate(array):
        for file, kind in enumerate(row):
            at = rank * geometry.files + file
            if kind != ".":
                yield geometry.size - 1 - at if far else at, kind


@happens(
    "army_entered",
    "an army has set up its array",
    WITH,
    told=_said("army {army} enters{universe}, controlled by {actor}"),
)
def _army_entered(state: State, event: Event) -> State:
    data = event.data
    position = state.position or Multiverse({}, {}, {}, data.get("join", "rotate"))
    name, universe, far = data["army"], data.get("on"), data.get("far", False)
    home, geometry = universe or name, Geometry(data["files"], data["ranks"])
    if home not in position.boards:
        position = position.add_board(Board(home, geometry, half=universe is None))
    position = position.add_army(Army(name, event.by, home, data["colour"], data["mark"], far), array=False)
    for at, kind in set_up_on(geometry, data["array"], far=far):
        position = position.place(kind.lower(), name, home, at)
    return state.but(position=position)


@happens("pushed", "boards were pushed together", PUSHED, told=_told_pushed, traits="done by_move")
def _pushed(state: State, event: Event) -> State:
    return _marched(state, event.data["army"], pushes=(tuple(event.data["push"]),))


def _marched(state: State, army: str, pushes: tuple[tuple[str, ...], ...] = (), moved: tuple[int, ...] = ()) -> State:
    """Return the state with more in the moves of the turn at hand, where the army may move in it.

    A move can be made in place of an old one.
    """
    go, march = state.go, march_at_hand(state)
    if go is None or march is None or army not in march.armies:
        return state
    march = replace(march, pushes=march.pushes + pushes, moved=march.moved + moved)
    return with_turn(state, replace(go, march=march))


@happens(
    "moved",
    "a piece has moved",
    {**PUSHED, **ONE, "origin": SQUARE, "target": SQUARE},
    told=_said("{actor} moves {text}{boards}"),
    traits="done by_move",
)
def _moved(state: State, event: Event) -> State:
    position, move = multiverse_of(state), value_in(event.data, BoardMove)
    captured = {id: position.pieces[id] for id in move.taken}
    kept = event.data["kept"]
    gone = {**state.gone, **{id: piece for id, piece in captured.items() if id not in kept}}
    position = position.play(move).with_pieces(*(in_exchange(captured[id], move) for id in kept))
    return _made(state, state.but(position=position, gone=gone), event, move)


@happens(
    "in_hand",
    "a captured piece is in the hand of an army",
    {**ONE, "army": ARMY},
    told=_said("the {kind} is in the hand of {army}"),
)
def _in_hand(state: State, event: Event) -> State:
    id, army = event.data["piece"], event.data["army"]
    gone = {**state.gone, id: replace(state.gone[id], army=army)}
    return state.but(gone=gone, hands={**state.hands, army: (*state.hands.get(army, ()), id)})


@happens(
    "dropped",
    "a piece was dropped from a hand",
    {**PUSHED, **ONE, "target": SQUARE},
    told=_said("{actor} drops {text}{boards}"),
    traits="done",
)
def _dropped(state: State, event: Event) -> State:
    move = value_in(event.data, BoardMove)
    position = multiverse_of(state).drop(state.gone[move.piece], move.army, *move.target)
    gone = {id: piece for id, piece in state.gone.items() if id != move.piece}
    left = tuple(id for id in state.hands[move.army] if id != move.piece)
    hands = {army: ids for army, ids in {**state.hands, move.army: left}.items() if ids}
    return _made(state, state.but(position=position, gone=gone, hands=hands), event, move)


def _made(before: State, state: State, event: Event, move: BoardMove) -> State:
    """Note that an army has moved, which piece it was, and what the move has changed."""
    state = _marched(state, move.army, moved=(move.piece,))
    ids = (move.piece, *move.taken, *(move.partner[:1] if move.partner is not None else ()))
    was, now = (tuple((id, multiverse_of(one).pieces.get(id)) for id in ids) for one in (before, state))
    made = Made(
        event.seq, event.by, move.army, event.turn, event.circuit, move.push, move.text, was, now,
        multiverse_of(before).passings,
    )  # fmt: skip
    there = set(move.push)
    others = (replace(one, status="made anew") if one.status == "back" and there & set(one.boards) else one
              for one in state.made if one.status or not there & set(one.boards))  # fmt: skip
    last = (move.army, *(one for one in state.last_moved if one != move.army))
    return state.but(last_moved=last, made=(*others, made))


def march_of(state: State, army: str | None, player: str) -> March | None:
    """Return the moves of a turn that begins: of its army, or of all armies of its player."""
    own = (army,) if army else armies_of(state, player)
    if not own:
        return None
    there = {piece.board for name in own for piece in multiverse_of(state).own[name]}
    return March(own, tuple(name for name in multiverse_of(state).boards if name in there))


@happens("promoted", "a piece became a higher kind", ONE, told=_said(_PIECE + " becomes a {kind}"))
@happens("demoted", "a piece became a lower kind", ONE, told=_said(_PIECE + " becomes a {kind}"))
def _kinds(state: State, event: Event) -> State:
    return state.but(position=multiverse_of(state).promote(event.data["piece"], event.data["kind"].lower()))


@happens(
    "crowned",
    "a piece came to be royal, or not to be",
    ONE,
    told=lambda e: _said(_PIECE + (" is royal now" if e.data["royal"] else " is not royal any more"))(e),
)
def _crowned(state: State, event: Event) -> State:
    return state.but(position=multiverse_of(state).crown(event.data["piece"], event.data["royal"]))


@happens(
    "placed",
    "a new piece was placed",
    ONE,
    told=_said("a {kind} of {army} is placed on {where}"),
)
def _placed(state: State, event: Event) -> State:
    board, square = event.data["square"]
    position = multiverse_of(state).place(event.data["kind"].lower(), event.data["army"], board, square, moved=True)
    return state.but(position=position)


@happens("removed", "a piece left the boards", ONE, told=_said(_PIECE + " is taken off the boards"))
def _removed(state: State, event: Event) -> State:
    position, id = multiverse_of(state), event.data["piece"]
    return state.but(position=position.remove(id), gone={**state.gone, id: position.pieces[id]})


@happens("carried", "a piece was carried to another square", ONE, told=_told_carried)
def _carried(state: State, event: Event) -> State:
    return state.but(position=multiverse_of(state).carry(dict(event.data["to"])))


@happens(
    "converted",
    "a piece went over to another army",
    ONE,
    told=_said(_PIECE + " goes over to {army}"),
)
def _converted(state: State, event: Event) -> State:
    return state.but(position=multiverse_of(state).convert(event.data["piece"], event.data["army"]))


@happens(
    "mated",
    "an army is mated; `player` gets it; `checkers` are the pieces that give check, none where the king was captured",
    {**WITH, "checkers": PIECES},
    late="mate.captor has said by then who gets the army",
    told="army {army} is mated; {actor} will get it",
    usual="the army falls to who mated it",
)
def _mated(state: State, event: Event) -> State:
    return state.but(mated={**state.mated, event.data["army"]: event.by})


@happens("army_taken", "a player has one more army", WITH, told="{actor} takes over army {army}")
def _army_taken(state: State, event: Event) -> State:
    name, player = event.data["army"], event.by
    mated = {army: captor for army, captor in state.mated.items() if army != name}
    turns = tuple(_played_by(turn, player) if turn.army == name else turn for turn in state.turns)
    return state.but(position=multiverse_of(state).control(name, player), mated=mated, turns=turns)


def _played_by(turn: Turn, player: str) -> Turn:
    """Return the turn of an army that has come under somebody's control: it is theirs, with all that is owed in it."""
    duties = tuple(replace(duty, player=player) if duty.player == turn.player else duty for duty in turn.duties)
    return replace(turn, player=player, duties=duties)


def sides(by: int, around: bool = False) -> dict[str, int]:
    """Return on which sides a board grows: ahead, or all around."""
    return dict.fromkeys(("front", "back", "left", "right") if around else ("front",), by)


@happens("grown", "a board has grown", {"board": BOARD}, told=_told_grown)
def _grown(state: State, event: Event) -> State:
    by = sides(event.data["ranks"], "around" in event.data)
    return state.but(position=multiverse_of(state).grow(event.data["board"], **by))


@happens("reshaped", told=_told_reshaped)
def _reshaped(state: State, event: Event) -> State:
    data = event.data
    return in_shape(state, data["join"], data["wraps"], data["holes"])


def in_shape(state: State, join: str, wraps: str, holes: Mapping[str, Collection[int]]) -> State:
    """Return the state with boards that are joined so, have sides that are joined or not, and lack these squares."""
    position = replace(multiverse_of(state), join=join)
    for name, board in position.boards.items():
        geometry = replace(board.geometry, wraps=wraps, holes=frozenset(holes.get(name, ())))
        if geometry != board.geometry:
            position = position.reshape(name, geometry)
    return state if position == state.position else state.but(position=position)


@happens("passed_by", told="a double step made before can no longer be captured en passant")
def _passed_by(state: State, event: Event) -> State:
    position = multiverse_of(state)
    return state.but(position=replace(position, passings=position.passings_without(*event.data["pieces"])))


happens(
    "kept_out",
    told=lambda e: f"rule {e.data['rule']} is for {e.data['universe']} and does nothing on {e.data['board']}",
)

happens(
    "captured",
    "a piece was captured",
    CAPTURE,
    told=_told_captured,
    usual="what the law says of captured pieces",
    traits="done by_move",
)

happens(
    "checked",
    "a move has put a king in check",
    {"army": ARMY, "piece": PIECE},
    told="{actor} gives check to {army}",
    traits="done by_move",
)

happens("army_lost", "a player has lost an army", WITH, told="{actor} loses army {army}")

happens(
    "moves_made",
    told=lambda e: f"{e.actor} makes no more moves: {e.data['note']}" if e.data["note"] else f"{e.actor} has moved",
)(did("move"))


def told_by_another(event: Event) -> bool:
    """Tell whether what happened is told by another event's sentence: boards pushed for a move, its end."""
    if event.kind == "pushed":
        return bool(event.data["text"] != ONLY_PUSHED)
    return event.kind == "moves_made" and not event.data["note"]
