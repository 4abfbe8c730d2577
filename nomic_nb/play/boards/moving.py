"""The action of moving: boards are pushed together, kings in check are looked at, a piece moves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, NoReturn, cast

from nomic_nb.errors import IllegalAction
from nomic_nb.law.rules import Number
from nomic_nb.law.values import Ref, Value
from nomic_nb.multiverse.errors import MultiverseError
from nomic_nb.multiverse.joins import joined
from nomic_nb.multiverse.multiverse import BoardMove, Multiverse
from nomic_nb.play.boards.chess import chess_of, push_of
from nomic_nb.play.boards.fold import move_data, on
from nomic_nb.play.boards.legal import Option, case_of_move, case_of_push, counts, is_forced, reach_of, stays, ways
from nomic_nb.play.boards.mates import cite, find_checks, find_mates_on_push
from nomic_nb.play.boards.records import march_at_hand
from nomic_nb.play.permission import calm, refuse
from nomic_nb.play.state import Item, State

if TYPE_CHECKING:
    from nomic_nb.play.engine import Engine

#: Characters that a move may have.
LONGEST_MOVE = 200
_UCI = re.compile(r"([a-p]\d{1,2})([a-p]\d{1,2})([a-z]?)")


class Named(NamedTuple):
    """A move as a player named it: the boards, where it begins, and its text or its UCI."""

    boards: frozenset[str]
    text: str
    near: str | None


def move(engine: Engine, player: str, text: str, push: list[str] | None = None) -> None:
    """Push boards together and move a piece on them."""
    calm(engine.state)
    engine.take_up(player, "move")
    state = engine.state
    _check_turn(state, player)
    named = _named(state, player, text, push)
    found = ways(state)
    options = [Option(way.push, one) for way in found for one in way.moves]
    for option in options:
        if _is(option, named):
            perform(engine, player, option)
            return
    fitting = [option for option in options if option.move.text.casefold() == named.text.casefold()]
    if len({frozenset(one.push.boards) for one in fitting}) == 1 and not named.boards:
        perform(engine, player, fitting[0])
        return
    if fitting and not named.boards:
        rule = reach_of(state, fitting[0].move.army, fitting[0].push.boards).rule
        raise IllegalAction(
            f"{text} can be made on several pairs of boards; say which are pushed together", rule=rule,
            options=[str(one) for one in fitting],
        )  # fmt: skip
    _refuse(state, player, named, options)


def _check_turn(state: State, player: str) -> None:
    go = state.go
    if state.position is None:
        refuse(state, "there are no boards in this game")
    owed = go is not None and any(duty.player == player and duty.action == "move" for duty in go.duties)
    if go is not None and owed and not any(one.turn == go.number for one in state.waiting):
        return
    if go is not None and go.player != player:
        refuse(state, f"it is {go.player}'s turn, not {player}'s", state.law.find("turn.sequence", state, {}).rule)
    if state.waiting:
        first = state.waiting[0]
        refuse(state, f"{first.player or 'somebody'} has something to do first", first.rule)
    refuse(state, f"{player} has nothing to move now", state.law.find("turn.parts", state, {}).rule)


def _named(state: State, player: str, text: str, push: list[str] | None) -> Named:
    """Read a move: ``white+yellow: white.e2-white.e4``, the same with the boards apart, or UCI with boards."""
    if not isinstance(text, str) or not text.strip() or len(text) > LONGEST_MOVE:
        refuse(state, f"a move is a text such as white.e2-white.e4, not {str(text)[:40]!r}", only=player)
    position = cast(Multiverse, state.position)
    boards, colon, said = text.rpartition(":")
    names = list(push) if push else [one.strip() for one in boards.split("+")] if colon else []
    for name in names:
        if name not in position.boards:
            refuse(state, f"there is no board {str(name)[:40]!r}; there are {', '.join(position.boards)}", only=player)
    if len(set(names)) != len(names):
        refuse(state, f"{names[0]} cannot be pushed together with itself", _any_rule(state, "move.on_push"),
               only=player)  # fmt: skip
    said = said.strip()
    uci = _UCI.fullmatch(said)
    if uci is None or "." in said:
        return Named(frozenset(names), said, None)
    if not names:
        refuse(state, f"{said} needs the boards that it is played on", only=player)
    return Named(frozenset(names), said, names[0])


def _any_rule(state: State, key: str) -> Number | None:
    return next(iter(state.law.speaking_of(key)), None)


def _is(option: Option, named: Named) -> bool:
    if named.boards and named.boards != frozenset(option.push.boards):
        return False
    if named.near is None:
        said = option.move.text.casefold() == named.text.casefold()
        return said and bool(named.boards or len(option.push.boards) == 1 or _crosses(option.move))
    return option.uci == named.text if option.push.boards[0] == named.near else _turned(option) == named.text


def _crosses(one: BoardMove) -> bool:
    """Tell whether a move by itself says which boards it needs."""
    return one.origin[0] != one.target[0]


def _turned(option: Option) -> str:
    """Return the move on the joined board as the owner of the second half-board sees it."""
    push = option.push
    first, second = (push.state.boards[name].geometry for name in push.boards)
    geometry, near, far = joined(second, first, push.state.join)
    places = dict(zip(push.boards, (far, near), strict=True))
    squares = [places[board][square] for board, square in (option.move.origin, option.move.target)]
    return "".join(geometry.name(one) for one in squares) + option.move.promotion


# --------------------------------------------------------------------------------------------- refusing


def _refuse(state: State, player: str, named: Named, options: list[Option]) -> NoReturn:
    """Say why a move cannot be made, by which rule, and what can."""
    position, law = cast(Multiverse, state.position), state.law
    march = march_at_hand(state)
    assert march is not None  # noqa: S101 - a move is owed
    on_pair = [one for one in options if not named.boards or named.boards == frozenset(one.push.boards)]
    open_pairs = sorted({one.boards for one in options})
    boards = tuple(name for name in position.boards if name in named.boards)
    army = march.armies[0]
    if named.boards:
        reach = reach_of(state, army, boards)
        if len(boards) < 2 and all(position.boards[name].half for name in boards):
            raise IllegalAction("two half-boards are pushed together for a move", rule=reach.rule, options=open_pairs)
        if reach.value == "none" or len(march.pushes) >= counts(state, army):
            raise IllegalAction(f"{' and '.join(boards)} cannot be pushed together now", rule=reach.rule,
                                options=open_pairs)  # fmt: skip
    legal = [str(one) for one in on_pair] or [str(one) for one in options]
    if named.near is None:
        begin = re.split(r"[-=]", named.text)[0].strip()
        try:
            board, square = position.square(begin)
        except MultiverseError as error:
            raise IllegalAction(f"{named.text}: {error}", options=legal) from None
        piece = position.standing[board].get(square)
        if piece is None:
            raise IllegalAction(f"there is no piece on {begin}", options=legal)
        if piece.army not in march.armies:
            rule = law.find("turn.sequence", state, {}).rule
            raise IllegalAction(f"the piece on {begin} is of army {piece.army}, not {army}", rule=rule, options=legal)
        army = piece.army
        legal = [str(one) for one in on_pair if one.move.piece == piece.id] or legal
        if not boards and board != begin:
            boards = _only_pair(position, named.text, board)
    if boards:
        _say_what_forbids(state, player, named, army, boards, legal)
    rule = _any_rule(state, "piece.moves")
    raise IllegalAction(f"{named.text} is not a legal move", rule=rule, options=legal)


def _only_pair(position: Multiverse, text: str, board: str) -> tuple[str, ...]:
    end = re.split(r"[-=]", text)
    other = end[1].rpartition(".")[0].strip() if len(end) > 1 else board
    return tuple(name for name in position.boards if name in (board, other)) if other != board else ()


def _say_what_forbids(
    state: State, player: str, named: Named, army: str, boards: tuple[str, ...], legal: list[str]
) -> None:
    """Refuse a move by the rule that stands against it, where there is one beside how pieces move."""
    position, law, march = cast(Multiverse, state.position), state.law, march_at_hand(state)
    reach = reach_of(state, army, boards)
    chess = chess_of(law, state, army)
    push = push_of(law, state, chess, army, boards)
    for one in push.moves():
        if not _is(Option(push, one), named) and one.text.casefold() != named.text.casefold():
            continue
        if reach.value == "none":
            raise IllegalAction(f"{' and '.join(boards)} cannot be pushed together now", rule=reach.rule, options=legal)
        if reach.value == "staying" and march is not None and not stays(march, one):
            raise IllegalAction(
                f"{one.text}: a half-board that was pushed already is only borrowed, and the piece stays on its own",
                rule=reach.rule, options=legal,
            )  # fmt: skip
        if any(chess.royal(position.pieces[id]) for id in one.taken):
            rule = law.find("royal.capture", state, {}).rule
            if law.find("royal.capture", state, {}).value == "never":
                raise IllegalAction(f"{one.text}: a royal piece is not captured", rule=rule, options=legal)
        finding = law.find("may.move", state, case_of_move(player, one, position))
        if finding.value is False:
            raise IllegalAction(
                f"{one.text} is not allowed: {finding.sources[0].clause.words}", rule=finding.rule, options=legal
            )
        if not is_forced(state, one):
            rule = law.find("move.forced", state, case_of_move(player, one, position)).rule
            raise IllegalAction(f"{one.text}: another move goes before it", rule=rule, options=legal)
    if push.checkers():
        rule = law.find("check.own_on_push", state, {"army": Ref("army", army)}).rule
        raise IllegalAction(
            f"{named.text}: the king of {army} is in check on these boards, and the move does not parry it", rule=rule,
            options=legal,
        )  # fmt: skip


# -------------------------------------------------------------------------------------------- performing


def perform(engine: Engine, player: str, option: Option) -> None:
    """Make a legal move, with everything that belongs to it."""
    state, one = engine.state, option.move
    position = on(state)
    boards = one.push
    case = case_of_push(one.army, boards)
    env: dict[str, Value] = {**case, "player": Ref("player", player)}
    engine.emit("pushed", player, env=env, by_player=True, army=one.army, push=list(boards), text=one.text)
    find_mates_on_push(engine, one.army, player, boards)
    results = [_result(engine, player, one, id) for id in one.taken]
    kept = [id for id, (what, _) in zip(one.taken, results, strict=True) if what in ("convert", "instead")]
    engine.cause = None
    engine.emit(
        "moved", player,
        env={**env, "piece": Ref("piece", one.piece), "origin": Ref("square", position.name(*one.origin)),
             "target": Ref("square", position.name(*one.target))},
        data=move_data(one), kept=kept, uci=option.uci,
    )  # fmt: skip
    for id, (what, items) in zip(one.taken, results, strict=True):
        _captured(engine, player, one, id, what, items)
    if one.promotion and one.piece in on(engine.state).pieces:
        env = {"piece": Ref("piece", one.piece)}
        engine.emit("promoted", player, env=env, data={"piece": one.piece, "kind": one.promotion.upper()})
    forget_passings(engine, "next move", one.piece)
    find_checks(engine, one.army, player, boards)


def _case_of_capture(player: str, one: BoardMove, id: int, position: Multiverse) -> dict[str, Value]:
    piece = position.pieces[id]
    return {
        "piece": Ref("piece", id), "player": Ref("player", player), "mover_army": Ref("army", one.army),
        "captured_from": Ref("army", piece.army),
        "square": Ref("square", position.name(piece.board, piece.square)),
        "push": tuple(Ref("board", name) for name in one.push),
    }  # fmt: skip


def _result(engine: Engine, player: str, one: BoardMove, id: int) -> tuple[str, tuple[Item, ...]]:
    """Return what becomes of a piece that is captured, and what a rule puts in place of the usual result."""
    env = _case_of_capture(player, one, id, on(engine.state))
    sources = engine.law.instead_of("captured", engine.state, env)
    if not sources:
        return str(engine.read("capture.result", **env)), ()
    items = tuple(engine.in_place_of(source, env) for source in sources)
    return "instead", items


def _captured(engine: Engine, player: str, one: BoardMove, id: int, what: str, items: tuple[Item, ...]) -> None:
    state = engine.state
    before = state.gone.get(id) or on(state).pieces[id]
    square = on(state).name(before.board, before.square) if id in state.gone else on(state).name(*one.target)
    env: dict[str, Value] = {
        "piece": Ref("piece", id), "player": Ref("player", player), "mover_army": Ref("army", one.army),
        "captured_from": Ref("army", before.army),
        "square": Ref("square", square), "push": tuple(Ref("board", name) for name in one.push),
    }  # fmt: skip
    engine.cause = items[0].cause if items else cite(engine, "capture.result", **env)
    data = {
        "piece": id, "kind": before.kind.upper(), "of": before.army, "by": one.piece, "square": square, "result": what,
    }  # fmt: skip
    engine.emit("captured", player, env=env, data=data)
    engine.state = engine.state.but(agenda=(*engine.state.agenda, *items))
    if what == "convert":
        engine.emit("converted", player, env={"piece": Ref("piece", id)}, piece=id, army=one.army)
    elif what == "explode":
        _explode(engine, player, one)
    _mate_by_capture(engine, player, before.army, id)
    engine.cause = None


def _mate_by_capture(engine: Engine, player: str, army: str, id: int) -> None:
    """Take an army as mated whose last royal piece was captured, where the law does."""
    state = engine.state
    if id not in state.gone or army in state.mated or engine.read("royal.capture") != "mate":
        return
    kinds = tuple(str(one) for one in cast(tuple[Value, ...], engine.read("royal.kinds")))
    piece = state.gone[id]
    royal = [
        one
        for one in (piece, *on(state).pieces.values())
        if one.army == army and (one.royal if one.royal is not None else one.kind.upper() in kinds)
    ]
    if royal == [piece]:
        engine.cause = cite(engine, "royal.capture")
        env: dict[str, Value] = {"army": Ref("army", army), "player": Ref("player", player)}
        engine.emit("mated", player, env=env, army=army, king=id, checkers=[])


def _explode(engine: Engine, player: str, one: BoardMove) -> None:
    """Take off the capturing piece and what stands around it, but for pawns and royal pieces."""
    position = on(engine.state)
    chess = chess_of(engine.law, engine.state, one.army)
    push = push_of(engine.law, engine.state, chess, one.army, one.push)
    places = dict(zip(push.boards, push.places, strict=True))
    centre = places[one.target[0]][one.target[1]]
    around = [push.geometry.step(centre, right, ahead) for right in (-1, 0, 1) for ahead in (-1, 0, 1)]
    for local in around:
        piece = push.pieces.get(local) if local is not None else None
        if piece is None or piece.id not in position.pieces or chess.royal(piece):
            continue
        if piece.kind in chess.terms.pawns and piece.id != one.piece:
            continue
        engine.emit("removed", player, env={"piece": Ref("piece", piece.id)}, piece=piece.id)


def forget_passings(engine: Engine, moment: str, *but: int) -> None:
    """Forget double steps that can be answered no longer, where the law ends it at this moment."""
    position = engine.state.position
    if position is None or not position.passings or engine.read("passant.until") != moment:
        return
    old = [one.piece for one in position.passings if one.piece not in but]
    if old:
        engine.cause = cite(engine, "passant.until")
        engine.emit("passed_by", None, pieces=old)
        engine.cause = None


def end_of_turn(engine: Engine, army: str | None) -> None:
    """Forget, at the end of an army's turn, the double steps that were there before it."""
    position = engine.state.position
    if position is not None and position.passings:
        own = [one.piece for one in position.passings if position.pieces[one.piece].army == army]
        forget_passings(engine, "end of next army's turn", *own)


def begin_of_turn(engine: Engine, army: str | None) -> None:
    """Forget, when an army's turn begins, the double steps that it made in its last one."""
    position = engine.state.position
    if position is not None and position.passings:
        others = [one.piece for one in position.passings if position.pieces[one.piece].army != army]
        forget_passings(engine, "own next turn", *others)
