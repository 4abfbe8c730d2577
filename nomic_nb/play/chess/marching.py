"""How the moves of a turn go on by themselves: when they are over, when an army is mated or stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from nomic_nb.law.clauses import Incorporate
from nomic_nb.law.findings import Finding
from nomic_nb.law.rules import Rule
from nomic_nb.law.values import Ref, Value
from nomic_nb.law.view import Undecided
from nomic_nb.markup.words import doing
from nomic_nb.multiverse.errors import MultiverseError
from nomic_nb.play.chess.legal import Way, fatal, last_pushes, ways
from nomic_nb.play.chess.mates import found_in_check, own_mate, weep
from nomic_nb.play.engine import Engine
from nomic_nb.play.possible import barred
from nomic_nb.play.values import March

if TYPE_CHECKING:
    from nomic_nb.multiverse.multiverse import Multiverse
    from nomic_nb.play.values import Turn


def march_on(engine: Engine, go: Turn) -> bool:
    """Let the moves of a turn go on by one event, where nobody can make one; tell whether it did."""
    state = engine.state
    if state.position is None or go.over:
        return False
    owed = [duty for duty in go.duties if "move" in duty.actions and duty.player == go.player]
    if not owed:
        return False
    found = ways(state)
    if any(way.moves for way in found) or last_pushes(state, found):
        return False
    begun = go.march is not None and bool(go.march.pushes)  # by moving, then, is done what is owed
    others = [one for one in owed[0].actions if one != "move"] if not begun else []
    if any(barred(state, go.player, one) is None for one in others):  # which is still open in place of a move
        return False
    if go.march is None:
        return _no_army(engine, go.player)
    return _mated(engine, go.player, found) or _stuck(engine, go.player, go.march, found)


def _done(engine: Engine, player: str, note: str = "") -> bool:
    engine.emit("moves_made", player, note=note)
    return True


def _no_army(engine: Engine, player: str) -> bool:
    engine.cause = engine.cite("turn.parts")
    return _done(engine, player, f"{player} has no army")


def _mated(engine: Engine, player: str, found: tuple[Way, ...]) -> bool:
    """Take an army as mated whose king is in check, with no answer to it, on whatever boards it is pushed."""
    pairs = fatal(engine.state, found)
    if not pairs:
        return False
    army, state = pairs[0].army.name, engine.state
    if any(found_in_check(engine.law, state, army, push.boards) for push in pairs):
        weep(engine, player, pairs[0])
    else:
        own_mate(engine, player, pairs[0])
    return True


def _stuck(engine: Engine, player: str, march: March, found: tuple[Way, ...]) -> bool:
    """End the moves of a turn where none is left; ask, or what the law says, where there never was one."""
    armies = engine.state.multiverse.armies
    left = [army for army in march.armies if armies[army].controller == player]
    standing = [army for army in left if any(one.army == army for one in engine.state.multiverse.pieces.values())]
    if march.pushes or not (found or standing):
        pairs = ", ".join("+".join(way.push.boards) for way in found)
        none = (
            f"{doing(left, 'has', 'have')} no piece to move" if left else f"{player} has no army that was theirs before"
        )
        return _done(engine, player, f"no legal move on {pairs}" if found else "" if march.pushes else none)
    army = found[0].push.army.name if found else standing[0]
    finding = engine.find("army.stuck", army=army)
    what = engine.law.settled(finding)
    if what == "ask":
        answer = engine.law.ruling_on("army.stuck", engine.state, {"army": Ref("army", army)})
        if answer is None:
            raise Undecided(_no_move(engine, army), Finding("army.stuck", what, "undecided", finding.sources))
        finding, what = answer, answer.value
    engine.cause = engine.cite("army.stuck", army=army)
    if what == "play cannot continue":
        engine.emit("stuck", player)
        return True
    return _done(engine, player, f"army {army} has no legal move")


def _no_move(engine: Engine, army: str) -> str:
    """Say that an army cannot move, with the rules that leave it open what follows."""
    state = engine.state
    rules = [engine.law.find("may.skip", state, {}).rule, engine.law.find("win.when_stuck", state, {}).rule]
    bringing = [rule.number for rule in state.rules.in_force if _brings(rule)]
    numbers = [str(one) for one in (*rules, *bringing) if one is not None]
    said = f" (rules {', '.join(numbers)})" if numbers else ""
    return f"army {army} has no legal move on any boards that it can push, and may not pass{said}"


def _brings(rule: Rule) -> bool:
    return any(isinstance(clause, Incorporate) for clause in rule.clauses)


def reshape(engine: Engine) -> bool:
    """Give the boards the form that the law has them in; tell whether it was another."""
    position = engine.state.position
    if position is None or (engine.moments and engine.moments[-1][0].kind == "reshaped"):
        return False  # a form that depends on the form itself is given once, and not to and fro without end
    halves = any(board.half for board in position.boards.values())
    join, wraps = str(engine.read("join.how")) if halves else position.join, str(engine.read("board.wraps"))
    wraps = "" if wraps == "none" else wraps
    holes = _holes(engine, position)
    same = join == position.join and all(
        board.geometry.wraps == wraps and board.geometry.holes == frozenset(holes.get(name, ()))
        for name, board in position.boards.items()
    )
    if same:
        return False
    engine.cause = engine.cite("board.holes") if holes else engine.cite("board.wraps")
    if join != position.join:
        engine.cause = engine.cite("join.how")
    engine.emit("reshaped", join=join, wraps=wraps, holes=holes)
    return True


def _holes(engine: Engine, position: Multiverse) -> dict[str, list[int]]:
    """Return the squares that are not there, by board; the table is asked where nothing would be left of a board."""
    finding = engine.find("board.holes")
    answer = engine.law.ruling_on("board.holes", engine.state, {})
    emptied = ""
    for value in (engine.law.settled(finding), *([answer.value] if answer is not None else [])):
        holes = _free_squares(position, cast(tuple[Value, ...], value))
        emptied = next((name for name, at in holes.items() if len(at) == position.boards[name].geometry.size), "")
        if not emptied:
            return holes
    doubt = Finding("board.holes", finding.value, "undecided", finding.sources)
    raise Undecided(f"{emptied} would have no squares left", doubt)


def _free_squares(position: Multiverse, names: tuple[Value, ...]) -> dict[str, list[int]]:
    """Return those squares that are there, and on which nothing stands, by board."""
    found: dict[str, set[int]] = {}
    for name in names:
        board, dot, square = str(name).rpartition(".")
        if not dot or board not in position.boards:
            continue  # a hole in a board that is not there is none
        geometry = position.boards[board].geometry
        try:
            number = type(geometry)(geometry.files, geometry.ranks).square(square)
        except MultiverseError:
            continue  # nor is one in a square that is not there
        if number not in position.standing[board]:
            found.setdefault(board, set()).add(number)
    return {name: sorted(at) for name, at in found.items()}
