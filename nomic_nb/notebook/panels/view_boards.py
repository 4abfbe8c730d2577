"""The boards in the view model: what stands where, and which moves the one who moves can make, sent ahead.

A legal move is one that was sent; what draws it knows no rule. Names of squares are those of their boards.
"""

from __future__ import annotations

from functools import cache
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import NAMES
from nomic_nb.chess.multiverse.scenes import PAINT, SHAPES, outline
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.captures import hand_in_words, lost_in_words
from nomic_nb.chess.play.functions import push_of
from nomic_nb.chess.play.legal import options
from nomic_nb.chess.play.records import march_at_hand
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.words import grouped, listed, upper_first
from nomic_nb.notebook.panels.forms import Json


@cache
def drawings() -> Json:
    """Return what never changes: outlines of pieces as trees, paints and marks of armies, names of kinds."""
    found = {kind: _tree(fromstring(text)[0]) for kind in NAMES if (text := outline(kind))}  # noqa: S314
    return {"outlines": found, "shapes": dict(SHAPES), "paint": dict(PAINT), "names": dict(NAMES)}


def _tree(element: Element) -> list[Any]:
    """Return an element as plain data, styles as attributes: a page allows no others."""
    styles = (one.partition(":") for one in element.attrib.get("style", "").split(";") if ":" in one)
    attributes = {name: value for name, value in element.attrib.items() if name != "style"}
    attributes |= {name.strip(): value.strip() for name, _, value in styles}
    return [element.tag.rpartition("}")[2], attributes, *map(_tree, element)]


def boards(state: State, last: BoardMove | None) -> Json:
    """Return boards, pieces and armies, and the move made last."""
    position, march = multiverse_of(state), march_at_hand(state)
    lost = {name: lost_in_words(state, name) for name in position.armies}
    return {
        "boards": {
            name: {
                "files": board.geometry.files, "ranks": board.geometry.ranks, "half": board.half,
                "holes": sorted(board.geometry.holes),
                "told": _told(state, name, spent=march is not None and march.pushed(name) > 0),
                "here": _here(state, name),
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
        "drawings": drawings(),
        "lost": " ".join(f"{upper_first(name)} has lost: {what}." for name, what in lost.items() if what),
        "last": None if last is None else _last(state, last),
    }  # fmt: skip


def _told(state: State, name: str, *, spent: bool) -> list[str]:
    """Return what stands under a small board: its name, whose it is, and what became of it."""
    armies = [army for army in multiverse_of(state).armies.values() if army.home == name]
    hands = [hand for army in armies if (hand := hand_in_words(state, army.name))]
    whose = dict.fromkeys(army.controller for army in armies if army.controller)
    mated = [army.name for army in armies if army.name in state.mated]
    told = [name, ", ".join(whose), "spent" if spent else "", "mated" if mated else ""]
    return [one for one in (*told, *(f"in hand: {hand}" for hand in hands)) if one]


def _here(state: State, name: str) -> str:
    """Say which rules hold on one board alone, and which do not hold there."""
    own = [f"{rule.number} “{rule.title}”" for rule in state.rules if rule.scope == name]
    off = [str(rule.number) for rule in state.rules if name in rule.lifted]
    parts = [f"Rules for {name} alone: {listed(own)}."] if own else []
    return " ".join([*parts, *([f"Not in force there: {listed(off)}."] if off else [])])


def in_words(position: Multiverse) -> str:
    """Say what stands on each board, to be read or heard: a line a board."""
    lines = []
    for name, board in position.boards.items():
        found = grouped(
            (
                f"{piece.army} {'royal ' if piece.royal else ''}{NAMES.get(piece.kind.lower(), piece.kind)}",
                board.geometry.name(square),
            )
            for square, piece in sorted(position.standing[name].items())
        )
        lines.append(f"{name}: {'; '.join(f'{what} {listed(at)}' for what, at in sorted(found.items())) or 'empty'}.")
    return "\n".join(lines)


def _last(state: State, last: BoardMove) -> Json:
    name = multiverse_of(state).name
    told: Json = {
        "from": "" if last.dropped else name(*last.origin), "to": name(*last.target),
        "text": last.text, "army": last.army, "boards": list(last.push),
    }  # fmt: skip
    try:
        push = push_of(state.law, state, last.army, last.push)
    except (Undecided, LookupError, ValueError):  # the law does not say any more how they go together
        return told
    return told | joined(push)


def joined(push: Push) -> Json:
    """Return boards pushed together: where each square of each lies, and which kings are in check."""
    attacked = push.checkers()
    far = push.army.home in push.boards[1:] or (len(push.boards) == 1 and push.army.far)
    return {
        "boards": list(push.boards), "army": push.army.name, "turned": far, "files": push.geometry.files,
        "ranks": push.geometry.ranks, "places": [list(one) for one in push.places],
        "checks": sorted(push.state.name(*push.origin[at]) for at, one in push.pieces.items() if one.id in attacked),
    }  # fmt: skip


def ways(state: State, one: Decision) -> Json:
    """Return the boards that can be pushed together for a move, with the moves on them: from, to, what is written."""
    go = next((turn for turn in state.turns if turn.player == one.player and turn.march is not None), None)
    if go is None or state.position is None:
        return {}
    found: Json = {}
    try:
        legal = options(state if state.go is go else state.but(hand=go.number))
    except Undecided:  # the table is asked first
        return {}
    for option in legal:
        way = found.get(option.boards)
        if way is None:
            way = found[option.boards] = joined(option.push) | {"moves": {}, "only": ""}
        if option.move is None:
            way["only"] = str(option)
            continue
        origin, target = option.ends
        hand = f"hand {option.said.partition('@')[2][:1].lower()}" if option.move.dropped else ""
        starts = way["moves"].setdefault(hand or state.position.name(*origin), {})
        starts.setdefault(state.position.name(*target), []).append(str(option))
    return found
