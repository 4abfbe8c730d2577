"""What the effects of the law language do to boards, armies and pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from nomic_nb.law.places import One, Players, Some
from nomic_nb.law.rules import EVERYWHERE
from nomic_nb.law.values import NUMBER, TEXT, Value, list_of, within
from nomic_nb.law.view import Undecided
from nomic_nb.multiverse.errors import MultiverseError
from nomic_nb.multiverse.geometry import MAX_SIZE, Geometry
from nomic_nb.multiverse.multiverse import Multiverse
from nomic_nb.multiverse.pieces import Piece
from nomic_nb.play.chess.events import about
from nomic_nb.play.chess.functions import ladder
from nomic_nb.play.chess.keys import ARMY, BOARD, PIECE, SQUARE, is_kind
from nomic_nb.play.chess.records import many_refs, one_ref, square_of
from nomic_nb.play.declaring import effect
from nomic_nb.play.engine import Engine
from nomic_nb.play.people import names_of

if TYPE_CHECKING:
    from nomic_nb.law.nodes import Expression

#: What most of these effects take.
PIECES = Some(PIECE, "pieces are needed here")


def _pieces(engine: Engine, expression: Expression) -> list[int]:
    """Return the numbers of pieces that stand on a board; what is gone already is left out.

    Raises
    ------
    Undecided
        One of them is in a hand, where no effect reaches it.
    """
    found = [cast(int, ref.id) for ref in many_refs(engine.value(expression), "piece")]
    position = engine.state.position
    if any(id in hand for id in found for hand in engine.state.hands.values()):
        raise Undecided("what is in a hand is on no board")
    there = [id for id in dict.fromkeys(found) if position is not None and id in position.pieces]
    return [id for id in there if reaches(engine, engine.state.multiverse.pieces[id].board)]


def reaches(engine: Engine, board: str) -> bool:
    """Tell whether a rule can do something on a board; where it is for another universe, record that it is not done."""
    item = engine.item
    if item.scope in (EVERYWHERE, board):
        return True
    engine.emit("kept_out", rule=item.cause.rule if item.cause else None, universe=item.scope, board=board)
    return False


def _kind(value: Value) -> str:
    if is_kind(value):
        return cast(str, value)
    raise Undecided("a kind of piece is one capital letter")


def _mover(engine: Engine, id: int) -> str:
    """Return whoever moves the army of a piece: what happens to it concerns them."""
    return engine.state.multiverse.armies[engine.state.multiverse.pieces[id].army].controller


@effect(
    "promote {pieces} [to {kind}]",
    example='promote promotable(player) to "Q"',
    makes="promoted",
    ordered_by="people",
    pieces=PIECES,
    kind=One(TEXT, "a kind of piece", or_none=True),
)
def promote(engine: Engine, effect: Any) -> None:
    """Let pieces become the next kind of the ladder, or a kind that is named."""
    kind = None if effect.kind is None else engine.value(effect.kind)
    if effect.kind is not None and kind is None:  # what was declined changes nothing
        return
    for id in _pieces(engine, effect.pieces):
        now = engine.state.multiverse.pieces[id].kind.upper()
        if kind is not None:
            to = _kind(kind)
        else:
            kinds = ladder(engine.view())
            if now not in kinds or kinds.index(now) + 1 == len(kinds):
                raise Undecided(f"{now} does not go up the ladder")
            to = _kind(kinds[kinds.index(now) + 1])
        if to == now:  # or nothing happens
            continue
        engine.emit("promoted", _mover(engine, id), **about(engine.state, id), kind=to)


@effect(
    "demote {pieces}",
    example="demote demotable(player)",
    makes="demoted removed",
    ordered_by="people",
    pieces=PIECES,
)
def demote(engine: Engine, effect: Any) -> None:
    """Let pieces become the kind before on the ladder; the lowest vanish."""
    for id in _pieces(engine, effect.pieces):
        piece, kinds = engine.state.multiverse.pieces[id], ladder(engine.view())
        if piece.kind.upper() not in kinds:
            raise Undecided(f"{piece.kind.upper()} does not go down the ladder")
        at = kinds.index(piece.kind.upper())
        if at:
            engine.emit("demoted", _mover(engine, id), **about(engine.state, id), kind=_kind(kinds[at - 1]))
        else:
            engine.emit("removed", _mover(engine, id), **about(engine.state, id))


@effect(
    "crown {pieces}",
    example='crown square_named("white.d1").piece',
    makes="crowned",
    ordered_by="people",
    pieces=PIECES,
)
def crown(engine: Engine, effect: Any) -> None:
    """Let pieces be royal, whatever their kind is."""
    _crowned(engine, effect, royal=True)


@effect(
    "uncrown {pieces}",
    example='uncrown square_named("white.e1").piece',
    makes="crowned",
    ordered_by="people",
    pieces=PIECES,
)
def uncrown(engine: Engine, effect: Any) -> None:
    """Let pieces not be royal, whatever their kind is."""
    _crowned(engine, effect, royal=False)


def _crowned(engine: Engine, effect: Any, *, royal: bool) -> None:
    for id in _pieces(engine, effect.pieces):
        if engine.state.multiverse.pieces[id].royal is not royal:
            engine.emit("crowned", _mover(engine, id), **about(engine.state, id), royal=royal)


@effect(
    "place {kind} of {army} at {square}",
    example='place "N" of army_named("white") at square_named("white.e4")',
    makes="placed",
    ordered_by="people",
    kind=One(TEXT, "a kind of piece"),
    army=One(ARMY, "whose piece it is"),
    square=One(SQUARE, "where it is placed", or_none=True),
)
def place(engine: Engine, effect: Any) -> None:
    """Place a new piece."""
    kind, army = _kind(engine.value(effect.kind)), one_ref(engine.value(effect.army), "army")
    where = engine.value(effect.square)
    if where is None or not reaches(engine, square_of(engine.state.multiverse, one_ref(where, "square").id)[0]):
        return
    board, square = _free(engine.state.multiverse, where)
    id = engine.state.multiverse.next_id
    player = engine.state.multiverse.armies[str(army.id)].controller
    name = engine.state.multiverse.name(board, square)
    engine.emit("placed", player, piece=id, kind=kind, army=army.id, square=[board, square], where=name)


def _free(position: Multiverse, value: Value) -> tuple[str, int]:
    board, square = square_of(position, one_ref(value, "square").id)
    if square in position.standing[board]:
        raise Undecided(f"something stands on {position.name(board, square)} already")
    return board, square


@effect(
    "remove {pieces}",
    example='remove army_named("white").pieces',
    makes="removed",
    ordered_by="people",
    pieces=PIECES,
)
def remove(engine: Engine, effect: Any) -> None:
    """Take pieces off the boards."""
    for id in _pieces(engine, effect.pieces):
        engine.emit("removed", _mover(engine, id), **about(engine.state, id))


@effect(
    "move {pieces} to {square}",
    example='move square_named("white.e2").piece to square_named("white.e4")',
    makes="carried",
    ordered_by="people",
    pieces=PIECES,
    square=One(SQUARE, "where it is carried", or_none=True),
)
def move(engine: Engine, effect: Any) -> None:
    """Carry a piece to an empty square."""
    where = engine.value(effect.square)
    for id in _pieces(engine, effect.pieces) if where is not None else ():
        board, square = _free(engine.state.multiverse, where)
        if not reaches(engine, board):
            break
        carry(engine, {id: (board, square)})


def carry(engine: Engine, to: Mapping[int, tuple[str, int]]) -> None:
    """Record one journey of several pieces; rules answer for each of them."""
    if to:
        engine.emit(
            "carried", each=tuple({"piece": id} for id in to), to=[[id, list(where)] for id, where in to.items()]
        )


@effect(
    "shift {pieces} by {step}",
    example='shift pieces_on_rank(board_named("white"), 2) by [0, 1]',
    makes="carried",
    ordered_by="people",
    pieces=PIECES,
    step=One(list_of(NUMBER), "a step: files to the right, ranks ahead"),
)
def shift(engine: Engine, effect: Any) -> None:
    """Let pieces go so far on their boards, all at once; one that cannot stays where it is."""
    right, ahead = step_of(engine.value(effect.step))
    boards = {name: one.geometry for name, one in engine.state.multiverse.boards.items()}
    carry(engine, moved_by(engine, effect.pieces, boards, right, ahead))


def step_of(step: tuple[Value, ...]) -> tuple[int, int]:
    """Return how far pieces are shifted: to the right, and ahead."""
    if len(step) != 2 or not all(isinstance(one, int) and abs(one) <= MAX_SIZE for one in step):
        raise Undecided("a step is two whole numbers: files to the right, ranks ahead")
    return cast(int, step[0]), cast(int, step[1])


def moved_by(
    engine: Engine, pieces: Expression, boards: Mapping[str, Geometry], right: int, ahead: int
) -> dict[int, tuple[str, int]]:
    """Return where pieces come to by a step on boards of this form; who would meet one that stays is left out."""
    position = engine.state.multiverse
    to: dict[int, tuple[str, int]] = {}
    for id in _pieces(engine, pieces):
        piece = position.pieces[id]
        square = boards[piece.board].step(piece.square, right, ahead)
        if square is not None:
            to[id] = (piece.board, square)
    while blocked := [id for id, where in to.items() if _is_taken(position, to, id, where)]:
        for id in blocked:
            del to[id]
    return {id: where for id, where in to.items() if where != _at(position.pieces[id])}


def _at(piece: Piece) -> tuple[str, int]:
    return piece.board, piece.square


def _is_taken(position: Multiverse, to: Mapping[int, tuple[str, int]], id: int, where: tuple[str, int]) -> bool:
    there = position.standing[where[0]].get(where[1])
    stays = there is not None and there.id not in to and there.id != id
    return stays or any(other != id and place == where for other, place in to.items())


@effect(
    "convert {pieces} to {army}",
    example='convert army_named("white").pieces to army_named("yellow")',
    makes="converted",
    ordered_by="people",
    pieces=PIECES,
    army=One(ARMY, "what a piece goes over to"),
)
def convert(engine: Engine, effect: Any) -> None:
    """Let pieces go over to an army."""
    army = str(one_ref(engine.value(effect.army), "army").id)
    for id in _pieces(engine, effect.pieces):
        if engine.state.multiverse.pieces[id].army != army:
            controller = engine.state.multiverse.armies[army].controller
            engine.emit("converted", controller, **about(engine.state, id), army=army)


@effect(
    "give {armies} to {who}",
    example='give army_named("white") to player',
    makes="army_lost army_taken",
    ordered_by="people",
    armies=Some(ARMY, "armies are needed here"),
    who=Players(),
)
def give(engine: Engine, effect: Any) -> None:
    """Let an army come under somebody's control."""
    players = names_of(engine.value(effect.who))
    if len(players) != 1 or players[0] not in engine.state.playing:
        raise Undecided("an army is given to one player who is in the game")
    for ref in many_refs(engine.value(effect.armies), "army"):
        army, player = str(ref.id), players[0]
        if not reaches(engine, engine.state.multiverse.armies[army].home):
            continue
        old = engine.state.multiverse.armies[army].controller
        if old == player and army not in engine.state.mated:  # or nothing happens
            continue
        engine.emit("army_taken", player, army=army)
        if old != player:
            engine.emit("army_lost", old, army=army)


_NOT_GROWTH = within("a growth in ranks", -MAX_SIZE, MAX_SIZE)


@effect(
    "grow {boards} by {ranks}",
    example="grow boards by 1",
    makes="grown",
    ordered_by="people",
    boards=Some(BOARD, "boards are needed here"),
    ranks=One(NUMBER, "by how many ranks", misfit=_NOT_GROWTH),
)
def grow(engine: Engine, effect: Any) -> None:
    """Let boards have so many ranks more."""
    ranks = cast(int, engine.value(effect.ranks))
    if wrong := _NOT_GROWTH(ranks):
        raise Undecided(wrong)
    for ref in many_refs(engine.value(effect.boards), "board"):
        if not reaches(engine, str(ref.id)):
            continue
        old = engine.state.multiverse.boards[str(ref.id)].geometry
        try:
            Geometry(old.files, old.ranks).grow(front=ranks)
            check_join(engine.state.multiverse, str(ref.id), old.ranks + ranks)
        except MultiverseError as error:
            raise Undecided(str(error)) from None
        if ranks:  # or nothing happens
            engine.emit("grown", None, board=ref.id, ranks=ranks)


def check_join(position: Multiverse | None, name: str, ranks: int) -> None:
    """Refuse a half-board that is too deep to be pushed together with the others."""
    boards = position.boards if position is not None else {}
    if name in boards and not boards[name].half:
        return
    deepest = max((one.geometry.ranks for one in boards.values() if one.half and one.name != name), default=0)
    if ranks + deepest > MAX_SIZE:
        raise Undecided(f"two half-boards pushed together have at most {MAX_SIZE} ranks, not {ranks + deepest}")
