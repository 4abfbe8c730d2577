"""A look ahead on boards under law: each pair that can be pushed together, as a position that the search can play.

Which moves there are now, the law says. What rules set off later is not foreseen.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from statistics import fmean
from typing import Any, TypeAlias

from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.move_search import Player, have_same_pieces
from nomic_nb.chess.multiverse.notation import write_placement
from nomic_nb.chess.multiverse.positions import Position, position
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import Rules
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.functions import push_under_law
from nomic_nb.chess.play.legal import MoveOption, joinable_boards, move_options
from nomic_nb.chess.play.position_law import position_under_law
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.play.state import State
from nomic_nb.study.players.view import View

#: How far each look goes, and letters of kinds; the first ones are those of chess, so that few others are compiled.
NODES, DEPTH, LETTERS = 1_500, 2, "bknpqracdefghijlmostuvwxyz"
#: How far a player looks ahead: nodes, seconds, depth.
Limits: TypeAlias = tuple[int | None, float | None, int | None]
#: Players that were made, by the rules they play by and their limits; so many are kept.
_PLAYERS: dict[tuple[Rules, Limits], Player] = {}
_MOST_PLAYERS = 32


def position_on(push: Push, *, own_turn: bool = False) -> Position | None:
    """Return the boards of a push as a position in which others are to move, or the army; None if it cannot be one.

    It leaves out castling and captures en passant, and takes all hostile armies for one. If only one side has royal
    pieces there, they count as others, or the other side would have lost already.

    Parameters
    ----------
    push : Push
        The boards, for the army that is one side.
    own_turn : bool
        Whether this army moves first.
    """
    law, terms, army = push.law, push.law.terms, push.army.name
    if any(one.army not in (army, *push.captures) for one in push.pieces.values()):
        return None
    known = {*law.pieces, *law.of_army.get(army, {})}
    kinds = {at: (law.movement(one), law.royal(one), one.kind in terms.pawns) for at, one in push.pieces.items()}
    promoted = [(law.notation(kind, army), False, False) for kind in terms.promotion if kind in known]
    found = sorted({*kinds.values(), *promoted})
    if len(found) > len(LETTERS):
        return None
    letters, far = dict(zip(found, LETTERS, strict=False)), push.turned(army, push.army.home)
    placed = {
        at: letters[kind] if (push.pieces[at].army == army) == far else letters[kind].upper()
        for at, kind in kinds.items()
    }
    named = ["".join(letters[one] for one in found if one[at]) for at in (1, 2)]
    if len({push.pieces[at].army == army for at, (_, royal, _) in kinds.items() if royal}) < 2:
        named[0] = ""
    try:
        return position(
            f"{write_placement(placed, push.geometry)} {'b' if far == own_turn else 'w'} - - 0 1",
            {letter: movement for (movement, _, _), letter in letters.items()},
            castling=False, en_passant=False, kings="all", check=terms.check, royal=named[0], pawns=named[1],
            promotion="".join(dict.fromkeys(letters[one] for one in promoted)),
            promotion_ranks=(push.geometry.ranks,),
        )  # fmt: skip
    except MultiverseError:  # a position cannot have this board, or these royal pieces
        return None


def _player_for(found: Position, limits: Limits = (NODES, None, DEPTH)) -> Player:
    """Return a player for a position, from a cache."""
    key = found.rules, limits
    if key not in _PLAYERS:
        if len(_PLAYERS) == _MOST_PLAYERS:
            _PLAYERS.clear()
        _PLAYERS[key] = Player(found, *limits)
    return _PLAYERS[key]


def _value_after_reply(found: Position) -> float:
    """Return by what share of all pieces the side not to move is ahead after the best reply; from −1 to 1."""
    bot = _player_for(found)
    if (end := found.outcome()) is not None:
        return (-1.0 if end.winner == found.turn else 1.0) if end.winner else 0.0
    bot.move(found)
    return min(max(-bot.value / max(bot.material(found), 1), -1.0), 1.0)


def outlook_on_boards(state: State, player: str) -> float:
    """Return how the armies of a player stand once others have moved, on all boards together; from −1 to 1.

    On each pair it is by what share of the pieces there the player is ahead; −1 is a mate, or a king that is in check
    when others move.
    """
    multiverse, values = multiverse_of(state), list[float]()
    for army in multiverse.armies.values():
        for boards in joinable_boards(state, multiverse, army.name) if army.controller == player else ():
            try:
                push = push_under_law(state.law, state, army.name, boards)
            except Undecided:
                continue
            found = position_on(push)
            if push.checkers():
                values.append(-1.0)
            elif found is not None:
                values.append(_value_after_reply(found))
    return fmean(values) if values else 0.0


def promising_moves(state: State, bot: Player | None = None) -> dict[str, float]:
    """Return, of the moves that the law offers on each pair of boards, the one that looks best, as players write it.

    With each of them comes the share of the pieces there by which it leaves the player ahead. A `bot` looks ahead as
    far as it can, and in its own position if the law has just the same pieces and options.
    """
    offered: dict[tuple[str, ...], list[MoveOption]] = {}
    for option in move_options(state):
        offered.setdefault(option.push.boards, []).append(option)
    best = {}
    for options in offered.values():
        found, known = _position_to_move(state, options[0].push, bot), {option.uci: str(option) for option in options}
        if found is not None and (among := [move for move in found.moves() if move in known]):
            same = bot is not None and have_same_pieces(found.rules, bot.rules)
            searcher = bot if same and bot else _player_for(found, bot._limits) if bot else _player_for(found)
            move = searcher.move(found, among)
            best[known[move]] = searcher.value / max(searcher.material(found), 1)
    return best


def _position_to_move(state: State, push: Push, bot: Player | None) -> Position | None:
    """Return the boards of a push as a position of the army that pushes; for a `bot`, the exact one if there is."""
    homes = [army for army in push.state.armies.values() if army.home in push.boards]
    homes.sort(key=lambda army: (push.boards.index(army.home), army.far))
    if bot is not None and len(homes) == 2:
        with suppress(IllegalAction):
            return position_under_law(state, *(army.name for army in homes))
    return position_on(push, own_turn=True)


class BoardPlayer:
    """A chess player at a table, which moves as it would in a position, and leaves all other decisions to another one.

    Parameters
    ----------
    bot : Player
        The chess player.
    rest : callable
        The player for everything but moves: votes, proposals, choices.
    """

    kind = "chess player"

    def __init__(self, bot: Player, rest: Callable[[View], Any]) -> None:
        self.bot, self._rest = bot, rest

    def __call__(self, view: View) -> Any:
        """Return a reply to a view: a move if one must be made, or what the other player replies."""
        asked = next((one for one in view["asked"] if one["must"] and one["action"] == "move"), None)
        moves = {} if asked is None or view.state is None or view["refused"] else promising_moves(view.state, self.bot)
        if not moves or asked is None:
            return self._rest(view)
        return {"key": asked["key"], "details": {"text": max(moves, key=lambda text: moves[text])}}
