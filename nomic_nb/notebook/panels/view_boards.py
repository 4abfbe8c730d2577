"""The boards in the view model: what stands where, and which moves the one who moves can make, sent ahead.

A legal move is one that was sent; what draws it knows no rule. Names of squares are those of their boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import combinations
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from nomic_nb.chess.multiverse.errors import GeometryError
from nomic_nb.chess.multiverse.geometry import Geometry
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pictures import ARMY_PAINTS, MARK_SHAPES, outline_symbol
from nomic_nb.chess.multiverse.pieces import BoardMove
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import KIND_NAMES
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.captures import describe_hand, describe_lost_pieces
from nomic_nb.chess.play.functions import push_under_law
from nomic_nb.chess.play.legal import move_options
from nomic_nb.chess.play.records import current_turn_moves
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.words import group_pairs, join_words, upper_first
from nomic_nb.notebook.panels.forms import Json


@cache
def static_drawings() -> Json:
    """Return what never changes in drawings, as JSON data: outlines of pieces, paints and marks of armies."""
    outlines = {kind: _outline_data(fromstring(text)[0]) for kind in KIND_NAMES if (text := outline_symbol(kind))}  # noqa: S314
    return {"outlines": outlines, "shapes": dict(MARK_SHAPES), "paint": dict(ARMY_PAINTS), "names": dict(KIND_NAMES)}


def _outline_data(element: Element) -> list[Any]:
    """Return an SVG element as a nested list of its tag, attributes with styles, and child elements."""
    styles = (style.partition(":") for style in element.attrib.get("style", "").split(";") if ":" in style)
    attributes = {name: value for name, value in element.attrib.items() if name != "style"}
    attributes |= {name.strip(): value.strip() for name, _, value in styles}
    return [element.tag.rpartition("}")[2], attributes, *map(_outline_data, element)]


def boards_data(state: State, last_move: BoardMove | None) -> Json:
    """Return the boards, pieces, armies and the last move (None: no move yet) as JSON data."""
    position, march = multiverse_of(state), current_turn_moves(state)
    lost = {name: describe_lost_pieces(state, name) for name in position.armies}
    return {
        "boards": {
            name: {
                "files": board.geometry.files, "ranks": board.geometry.ranks, "half": board.half,
                "holes": sorted(board.geometry.holes),
                "told": _board_caption_lines(state, name, spent=march is not None and march.pushed(name) > 0),
                "here": _local_rules_text(state, name),
            }
            for name, board in position.boards.items()
        },
        "pieces": {
            position.name(name, square): f"{piece.army} {piece.kind.lower()}{' royal' if piece.royal else ''}"
            for name in position.boards for square, piece in position.standing[name].items()
        },
        "armies": {
            name: {
                "colour": army.colour, "mark": army.mark, "home": army.home, "far": army.far, "whose": army.controller,
            }
            for name, army in position.armies.items()
        },
        "pairs": _pairs_data(position),
        "drawings": static_drawings(),
        "lost": " ".join(f"{upper_first(name)} has lost: {what}." for name, what in lost.items() if what),
        "last": None if last_move is None else _last_move_data(state, last_move),
    }  # fmt: skip


def _pairs_data(position: Multiverse) -> Json:
    """Return any two half-boards that go together as JSON data, by names such as “white+yellow”."""
    halves = [name for name, board in position.boards.items() if board.half]
    pairs: Json = {}
    for names in combinations(halves, 2):
        with suppress(GeometryError):
            geometry, places, _ = position.joined_geometry(names)
            pairs["+".join(names)] = _geometry_data(names, geometry, places)
    return pairs


def _geometry_data(names: Sequence[str], geometry: Geometry, places: Sequence[Sequence[int]]) -> Json:
    """Return how boards lie together as JSON data: their names, the size, and the place of every square."""
    return {
        "boards": list(names), "files": geometry.files, "ranks": geometry.ranks,
        "places": [list(place) for place in places],
    }  # fmt: skip


def _board_caption_lines(state: State, board: str, *, spent: bool) -> list[str]:
    """Return a board's caption lines: name, player, “spent” if pushed this turn, “mated”, pieces in hand."""
    armies = [army for army in multiverse_of(state).armies.values() if army.home == board]
    hands = [hand for army in armies if (hand := describe_hand(state, army.name))]
    whose = dict.fromkeys(army.controller for army in armies if army.controller)
    mated = [army.name for army in armies if army.name in state.mated]
    told = [board, ", ".join(whose), "spent" if spent else "", "mated" if mated else ""]
    return [text for text in (*told, *(f"in hand: {hand}" for hand in hands)) if text]


def _local_rules_text(state: State, board: str) -> str:
    """Return sentences on rules that hold on this board alone, or not on it; empty if none exist."""
    own = [f"{rule.number} “{rule.title}”" for rule in state.rules if rule.scope == board]
    off = [str(rule.number) for rule in state.rules if board in rule.lifted]
    parts = [f"Rules for {board} alone: {join_words(own)}."] if own else []
    return " ".join([*parts, *([f"Not in force there: {join_words(off)}."] if off else [])])


def multiverse_in_words(position: Multiverse) -> str:
    """Return the pieces on every board in words, one line per board."""
    lines = []
    for name, board in position.boards.items():
        squares_by_piece = group_pairs(
            (
                f"{piece.army} {'royal ' if piece.royal else ''}{KIND_NAMES.get(piece.kind.lower(), piece.kind)}",
                board.geometry.name(square),
            )
            for square, piece in sorted(position.standing[name].items())
        )
        placed = "; ".join(f"{what} {join_words(at)}" for what, at in sorted(squares_by_piece.items()))
        lines.append(f"{name}: {placed or 'empty'}.")
    return "\n".join(lines)


def _last_move_data(state: State, last_move: BoardMove) -> Json:
    """Return the last move as JSON data: its squares, text and army, and the boards as joined for it."""
    name = multiverse_of(state).name
    told: Json = {
        "from": "" if last_move.dropped else name(*last_move.origin), "to": name(*last_move.target),
        "text": last_move.text, "army": last_move.army, "boards": list(last_move.push),
    }  # fmt: skip
    try:
        push = push_under_law(state.law, state, last_move.army, last_move.push)
    except (Undecided, LookupError, ValueError):  # the law does not say any more how they go together
        return told
    return told | joined_board_data(push)


def joined_board_data(push: Push) -> Json:
    """Return boards pushed together as JSON data: size, place of every square, kings in check."""
    attacked = push.checkers()
    return _geometry_data(push.boards, push.geometry, push.places) | {
        "army": push.army.name,
        "checks": sorted(
            push.state.name(*push.origin[at]) for at, piece in push.pieces.items() if piece.id in attacked
        ),
    }


def push_options_data(state: State, decision: Decision) -> Json:
    """Return, by names such as “white+yellow”, the boards that the decision's player can push together, with moves."""
    go = next((turn for turn in state.turns if turn.player == decision.player and turn.march is not None), None)
    if go is None or state.position is None:
        return {}
    by_boards: Json = {}
    try:
        legal = move_options(state if state.current_turn is go else state.replace(hand=go.number))
    except Undecided:  # the table is asked first
        return {}
    for option in legal:
        way = by_boards.get(option.boards)
        if way is None:
            way = by_boards[option.boards] = joined_board_data(option.push) | {"moves": {}, "only": ""}
        if option.move is None:
            way["only"] = str(option)
            continue
        origin, target = option.ends
        hand = f"hand {option.said.partition('@')[2][:1].lower()}" if option.move.dropped else ""
        starts = way["moves"].setdefault(hand or state.position.name(*origin), {})
        starts.setdefault(state.position.name(*target), []).append(str(option))
    return by_boards
