"""How near a player is to winning: by the score, and by what the player's pieces can reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import lcm
from operator import is_
from typing import Any, TypeAlias

from nomic_nb.chess.multiverse.errors import NotationError
from nomic_nb.chess.multiverse.geometry import Geometry
from nomic_nb.chess.multiverse.movement_tables import AttackedSquares, compile_movement
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.functions import movement_notation, tells_pieces_apart
from nomic_nb.chess.play.legal import move_options
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.play.state import State
from nomic_nb.study.views.course import goal_data, scores_data

#: Prospects of a player who has neither won nor lost: never quite the one or the other.
LEAST, MOST = 0.02, 0.98
#: What a lead, the own way to the goal, and stronger pieces add to even prospects at most.
LEAD, PROGRESS, STRENGTH = 0.3, 0.15, 0.4
#: Army, kind and board of pieces that are worth the same.
Alike: TypeAlias = tuple[str, str, str]


def prospects(view: Mapping[str, Any], player: str) -> float:
    """Return a player's prospects of winning, from 0 (has lost) to 1 (has won), by what a view says.

    They come from the score, compared with what wins and with the best of the others, and from the strength of the
    player's pieces. Nothing is guessed about rules to come. A win that is shared counts as a part of one.

    Parameters
    ----------
    view : View
        What somebody sees; its ``game``, ``aim``, ``score`` and ``boards`` count.
    player : str
        Whose prospects; any player of the game.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> view = game.seat("Ann").view()
    >>> nb.players.prospects(view, "Ann")
    0.5
    >>> view["score"]["points"]["Ann"] = "50"
    >>> nb.players.prospects(view, "Ann"), nb.players.prospects(view, "Ben")
    (0.725, 0.35)
    """
    game, aim, boards = view["game"], view["aim"], view["boards"]
    if game["over"]:
        return (player in game["winners"]) / len(game["winners"]) if game["winners"] else 0.5
    if player not in game["players"]:
        return 0.0
    value = 0.5
    if aim is not None:
        own, best, _ = _own_and_others(view["score"].get(aim["counter"], {}), player, game["players"])
        target = max(abs(Fraction(aim["target"])), Fraction(1))
        value += LEAD * _bounded((own - best) / target) + PROGRESS * _bounded(own / target)
    if boards is not None:
        own, best, mean = _own_and_others(boards["strength"], player, game["players"])
        other = (best + mean) / 2  # or a capture from anybody but the strongest would be worth nothing
        value += STRENGTH * _bounded((own - other) / max(own + other, Fraction(1)))
    return round(min(max(value, LEAST), MOST), 6)


def _own_and_others(held: Mapping[str, str], player: str, players: list[str]) -> tuple[Fraction, Fraction, Fraction]:
    """Return a player's number, and the greatest and the mean of the other players."""
    numbers = {name: Fraction(held.get(name, "0")) for name in players}
    own, others = numbers.pop(player), list(numbers.values()) or [Fraction(0)]
    return own, max(others), sum(others, Fraction(0)) / len(others)


def _bounded(share: Fraction) -> float:
    """Return a share as a float from −1 to 1."""
    return float(min(max(share, Fraction(-1)), Fraction(1)))


def standing(state: State) -> dict[str, Any]:
    """Return of a state what `prospects` reads in a view."""
    game = {"over": state.over, "winners": list(state.winners), "players": list(state.person_names)}
    boards = None if state.position is None else {"strength": strength_of_players(state)}
    return {"game": game, "aim": goal_data(state), "score": scores_by_counter(state), "boards": boards}


def scores_by_counter(state: State) -> dict[str, dict[str, str]]:
    """Return the counters that everybody sees, each with the players' numbers as text."""
    score: dict[str, dict[str, str]] = {}
    for name, held in scores_data(state).items():
        for counter, value in held.items():
            score.setdefault(counter, {})[name] = value
    return score


def strength_of_players(state: State) -> dict[str, str]:
    """Return how strong the pieces of each player are together, as text: what they could attack if nothing stood there.

    A piece counts as many squares as it attacks on average from the squares of its board.
    """
    strength, position = dict.fromkeys(state.person_names, 0), multiverse_of(state)
    counts = Counter([(piece.army, piece.kind, piece.board) for piece in position.pieces.values()])
    worth = _worth_of_kinds(state, tuple(counts))
    size = lcm(*[one.denominator for one in worth.values()])  # adding fractions takes much longer
    for alike, one in worth.items():
        player = position.armies[alike[0]].controller
        if player in strength:
            strength[player] += one.numerator * size // one.denominator * counts[alike]
    return {name: str(Fraction(found, size)) for name, found in strength.items()}


#: What a piece of each army and kind on a board is worth, for what that was found last.
_LAST_WORTH: list[tuple[tuple[object, ...], dict[Alike, Fraction]]] = [((), {})]


def _worth_of_kinds(state: State, kinds: tuple[Alike, ...]) -> dict[Alike, Fraction]:
    """Return what a piece of each of these `kinds` is worth; 1 if the law does not say how it moves."""
    law, position = state.law, multiverse_of(state)
    reads = (getattr(state, name, object()) for name in law.dependence.fields_read("piece.moves"))
    basis = law, position.boards, position if tells_pieces_apart(law) else None, *reads
    known, worth = _LAST_WORTH[0]
    if len(known) != len(basis) or not all(map(is_, known, basis)):
        worth = {}
    new = [alike for alike in kinds if alike not in worth]
    first = {
        (piece.army, piece.kind, piece.board): piece for piece in reversed([*position.pieces.values()] if new else [])
    }
    for alike in new:
        piece = first[alike]
        try:
            notation = movement_notation(law, state, piece, (piece.board,))
            worth[alike] = _mean_attack(notation, position.boards[piece.board].geometry)
        except (Undecided, NotationError):
            worth[alike] = Fraction(1)
    _LAST_WORTH[0] = basis, worth
    return {alike: worth[alike] for alike in kinds}


def capturing_moves(state: State) -> frozenset[str]:
    """Return the moves that capture something now, as players write them."""
    return frozenset(str(option) for option in move_options(state) if option.move is not None and option.move.taken)


@lru_cache(maxsize=512)
def _mean_attack(notation: str, geometry: Geometry) -> Fraction:
    """Return how many squares a piece attacks on average on an empty board."""
    attacked = AttackedSquares((compile_movement(notation, geometry),))
    found = [attacked.squares([1 << square], 0).bit_count() for square in geometry.squares]
    return Fraction(sum(found), max(len(found), 1))
