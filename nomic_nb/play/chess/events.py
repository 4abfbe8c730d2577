"""What each kind of event on boards does to the state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from nomic_nb.multiverse.geometry import Geometry
from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.multiverse.pieces import Army, Board, BoardMove, Piece
from nomic_nb.play.chess.captures import HANDS, in_exchange
from nomic_nb.play.chess.keys import ARMY, BOARD, CAPTURE, ONE, PIECE, PIECES, PUSHED, SQUARE, WITH
from nomic_nb.play.chess.records import march_at_hand, name_of_kind
from nomic_nb.play.declaring import happens
from nomic_nb.play.duties import did
from nomic_nb.play.events import Event
from nomic_nb.play.state import State
from nomic_nb.play.values import Made, March, Turn

#: The text of a push on which no piece moves.
ONLY_PUSHED = "push"


def _piece(data: Mapping[str, Any]) -> str:
    return f"the {name_of_kind(data['was'])} of {data['of']} on {data['square']}"


def _universe_of(event: Event) -> str:
    return f" universe {event.data['on']}" if "on" in event.data else ""


def _told_pushed(event: Event) -> str:
    data = event.data
    together = " together" if len(data["push"]) > 1 else ""
    return f"{event.actor} pushes {' and '.join(data['push'])}{together} for {data['army']}"


def _told_moved(event: Event) -> str:
    data = event.data
    return f"{event.actor} moves {data['text']}{_with_boards(data)}"


def _with_boards(data: Mapping[str, Any]) -> str:
    """Name the half-boards that were pushed together; a universe stands in the move."""
    return f" with {' and '.join(data['push'])}" if len(data["push"]) > 1 else ""


def _told_captured(event: Event) -> str:
    data = event.data
    became = {"remove": "is captured", "convert": "is captured and goes over", "explode": "is captured and explodes"}
    became["explode with royals"] = became["explode"]
    became |= dict.fromkeys(HANDS, "is captured")
    done = became.get(data["result"], "would be captured; a rule says what happens instead")
    return f"the {name_of_kind(data['kind'])} of {data['of']} on {data['square']} {done}"


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
    piece = state.multiverse.pieces[id]
    square = state.multiverse.name(piece.board, piece.square)
    return {"piece": id, "was": piece.kind.upper(), "of": piece.army, "square": square}


def _with_piece(position: Multiverse, piece: Piece) -> Multiverse:
    """Return the boards with one piece changed."""
    return replace(position, pieces={**position.pieces, piece.id: piece})


@happens(
    "army_entered",
    "an army has set up its array",
    WITH,
    told=lambda e: f"army {e.data['army']} enters{_universe_of(e)}, controlled by {e.actor}",
)
def _army_entered(state: State, event: Event) -> State:
    data = event.data
    position = state.position or Multiverse({}, {}, {}, data.get("join", "rotate"))
    name, universe, far = data["army"], data.get("on"), data.get("far", False)
    home, geometry = universe or name, Geometry(data["files"], data["ranks"])
    if home not in position.boards:
        position = position.add_board(Board(home, geometry, half=universe is None))
    position = position.add_army(Army(name, str(event.actor), home, data["colour"], data["mark"], far), array=False)
    for rank, row in enumerate(data["array"]):
        for file, kind in enumerate(row):
            if kind != ".":
                at = rank * geometry.files + file
                position = position.place(kind.lower(), name, home, geometry.size - 1 - at if far else at)
    return state.but(position=position)


@happens("pushed", "boards were pushed together", PUSHED, told=_told_pushed)
def _pushed(state: State, event: Event) -> State:
    march = _march(state, event.data["army"])
    if march is None:
        return state
    return _with_march(state, replace(march, pushes=(*march.pushes, tuple(event.data["push"]))))


def _with_march(state: State, march: March) -> State:
    """Return the state with the moves of the turn at hand changed."""
    turns = tuple(replace(turn, march=march) if turn.number == state.hand else turn for turn in state.turns)
    return state.but(turns=turns)


def move_of(data: Mapping[str, object]) -> BoardMove:
    """Return the move that an event's data hold."""
    return BoardMove(**{one.name: _unlisted(data[one.name]) for one in fields(BoardMove)})


def _unlisted(value: object) -> Any:
    return tuple(map(_unlisted, value)) if isinstance(value, list) else value


def move_data(move: BoardMove) -> dict[str, object]:
    """Return a move as plain data, from which `move_of` makes it again."""
    return {one.name: _listed(getattr(move, one.name)) for one in fields(move)}


def _listed(value: object) -> object:
    return list(map(_listed, value)) if isinstance(value, tuple) else value


@happens("moved", "a piece has moved", {**PUSHED, **ONE, "origin": SQUARE, "target": SQUARE}, told=_told_moved)
def _moved(state: State, event: Event) -> State:
    position, move = state.multiverse, move_of(event.data)
    kept = {int(id) for id in event.data["kept"]}
    captured = {id: position.pieces[id] for id in move.taken}
    gone = {**state.gone, **{id: piece for id, piece in captured.items() if id not in kept}}
    position = position.play(move)
    for id, piece in captured.items():
        if id in kept:
            position = _with_piece(position, in_exchange(piece, move))
    return _made(state, state.but(position=position, gone=gone), event, move)


@happens(
    "in_hand",
    "a captured piece is in the hand of an army",
    {**ONE, "army": ARMY},
    told=lambda e: f"the {name_of_kind(e.data['kind'])} is in the hand of {e.data['army']}",
)
def _in_hand(state: State, event: Event) -> State:
    id, army = event.data["piece"], event.data["army"]
    gone = {**state.gone, id: replace(state.gone[id], army=army)}
    return state.but(gone=gone, hands={**state.hands, army: (*state.hands.get(army, ()), id)})


@happens(
    "dropped",
    "a piece was dropped from a hand",
    {**PUSHED, **ONE, "target": SQUARE},
    told=lambda e: f"{e.actor} drops {e.data['text']}{_with_boards(e.data)}",
)
def _dropped(state: State, event: Event) -> State:
    move = move_of(event.data)
    position = state.multiverse.drop(state.gone[move.piece], move.army, *move.target)
    gone = {id: piece for id, piece in state.gone.items() if id != move.piece}
    left = tuple(id for id in state.hands[move.army] if id != move.piece)
    hands = {army: ids for army, ids in {**state.hands, move.army: left}.items() if ids}
    return _made(state, state.but(position=position, gone=gone, hands=hands), event, move)


def _made(before: State, state: State, event: Event, move: BoardMove) -> State:
    """Note that an army has moved, which piece it was, and what the move has changed."""
    march = _march(state, move.army)
    if march is not None:
        state = _with_march(state, replace(march, moved=(*march.moved, move.piece)))
    ids = (move.piece, *move.taken, *(move.partner[:1] if move.partner is not None else ()))
    was, now = (tuple((id, one.multiverse.pieces.get(id)) for id in ids) for one in (before, state))
    made = Made(
        event.seq, str(event.actor), move.army, event.turn, event.circuit, move.push, move.text, was, now,
        before.multiverse.passings,
    )  # fmt: skip
    there = set(move.push)
    others = (replace(one, status="made anew") if one.status == "back" and there & set(one.boards) else one
              for one in state.made if one.status or not there & set(one.boards))  # fmt: skip
    last = (move.army, *(one for one in state.last_moved if one != move.army))
    return state.but(last_moved=last, made=(*others, made))


def _march(state: State, army: str) -> March | None:
    """Return the moves of the turn at hand, where an army may move in it; a move can be made in place of an old one."""
    march = march_at_hand(state)
    return march if march is not None and army in march.armies else None


def march_of(state: State, army: str | None, player: str) -> March | None:
    """Return the moves of a turn that begins: of its army, or of all armies of its player."""
    if state.position is None:
        return None
    armies = state.position.armies
    own = (army,) if army else tuple(name for name, one in armies.items() if one.controller == player)
    if not own:
        return None
    there = {piece.board for piece in state.position.pieces.values() if piece.army in own}
    return March(own, tuple(name for name in state.position.boards if name in there))


@happens(
    "promoted",
    "a piece became a higher kind",
    ONE,
    told=lambda e: f"{_piece(e.data)} becomes a {name_of_kind(e.data['kind'])}",
)
@happens(
    "demoted",
    "a piece became a lower kind",
    ONE,
    told=lambda e: f"{_piece(e.data)} becomes a {name_of_kind(e.data['kind'])}",
)
def _kinds(state: State, event: Event) -> State:
    piece = state.multiverse.pieces[event.data["piece"]]
    changed = replace(piece, kind=event.data["kind"].lower(), moved=True)
    return state.but(position=_with_piece(state.multiverse, changed))


@happens(
    "crowned",
    "a piece came to be royal, or not to be",
    ONE,
    told=lambda e: f"{_piece(e.data)} is {'royal now' if e.data['royal'] else 'not royal any more'}",
)
def _crowned(state: State, event: Event) -> State:
    return state.but(position=state.multiverse.crown(event.data["piece"], event.data["royal"]))


@happens(
    "placed",
    "a new piece was placed",
    ONE,
    told=lambda e: f"a {name_of_kind(e.data['kind'])} of {e.data['army']} is placed on {e.data['where']}",
)
def _placed(state: State, event: Event) -> State:
    board, square = event.data["square"]
    position = state.multiverse.place(event.data["kind"].lower(), event.data["army"], board, square, moved=True)
    return state.but(position=position)


@happens("removed", "a piece left the boards", ONE, told=lambda e: f"{_piece(e.data)} is taken off the boards")
def _removed(state: State, event: Event) -> State:
    position, id = state.multiverse, event.data["piece"]
    return state.but(position=position.remove(id), gone={**state.gone, id: position.pieces[id]})


@happens("carried", "a piece was carried to another square", ONE, told=_told_carried)
def _carried(state: State, event: Event) -> State:
    position = state.multiverse
    pieces = dict(position.pieces)
    for id, (board, square) in event.data["to"]:
        pieces[id] = replace(pieces[id], board=board, square=square, moved=True)
    carried = [id for id, _ in event.data["to"]]
    passings = tuple(one for one in position.passings if one.piece not in carried)
    return state.but(position=replace(position, pieces=pieces, passings=passings))


@happens(
    "converted",
    "a piece went over to another army",
    ONE,
    told=lambda e: f"{_piece(e.data)} goes over to {e.data['army']}",
)
def _converted(state: State, event: Event) -> State:
    return state.but(position=state.multiverse.convert(event.data["piece"], event.data["army"]))


@happens(
    "mated",
    "an army is mated; `player` gets it; `checkers` are the pieces that give check, none where the king was captured",
    {**WITH, "checkers": PIECES},
    late="mate.captor has said by then who gets the army",
    told="army {army} is mated; {actor} will get it",
    usual="the army falls to who mated it",
)
def _mated(state: State, event: Event) -> State:
    return state.but(mated={**state.mated, event.data["army"]: str(event.actor)})


@happens("army_taken", "a player has one more army", WITH, told="{actor} takes over army {army}")
def _army_taken(state: State, event: Event) -> State:
    name, player = event.data["army"], str(event.actor)
    mated = {army: captor for army, captor in state.mated.items() if army != name}
    turns = tuple(_played_by(turn, player) if turn.army == name else turn for turn in state.turns)
    return state.but(position=state.multiverse.control(name, player), mated=mated, turns=turns)


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
    return state.but(position=state.multiverse.grow(event.data["board"], **by))


@happens("reshaped", told=_told_reshaped)
def _reshaped(state: State, event: Event) -> State:
    position, data = replace(state.multiverse, join=event.data["join"]), event.data
    for name, board in position.boards.items():
        holes = frozenset(data["holes"].get(name, ()))
        geometry = replace(board.geometry, wraps=data["wraps"], holes=holes)
        if geometry != board.geometry:
            position = position.reshape(name, geometry)
    return state.but(position=position)


@happens("passed_by", told="the double step can no longer be captured en passant")
def _passed_by(state: State, event: Event) -> State:
    position, pieces = state.multiverse, event.data["pieces"]
    kept = tuple(one for one in position.passings if one.piece not in pieces)
    return state.but(position=replace(position, passings=kept))


happens(
    "kept_out",
    told=lambda e: f"rule {e.data['rule']} is for {e.data['universe']} and does nothing on {e.data['board']}",
)

happens("captured", "a piece was captured", CAPTURE, told=_told_captured, usual="what the law says of captured pieces")

happens(
    "checked",
    "a move has put a king in check",
    {"army": ARMY, "piece": PIECE},
    told="{actor} gives check to {army}",
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
