"""A movement in words."""

from __future__ import annotations

from nomic_nb.chess.multiverse.betza import FAMILY_DIRECTIONS, Castling, Leg, Notation, NotationPart, parse_betza

_TURNS = (
    "ahead", "half right", "right", "half right and back", "back", "half left and back", "left", "half left"
)  # fmt: skip
_NAMES = {(2, 1): "knight", (3, 1): "camel", (3, 2): "zebra"}


def sentence(notation: str) -> str:
    """Return a sentence that says how a piece with this Betza notation moves.

    Parameters
    ----------
    notation : str
        Betza notation.

    Raises
    ------
    NotationError

    Examples
    --------
    >>> sentence("NW")
    'Leaps 2 squares one way and 1 across (as a knight); or steps 1 square orthogonally.'
    >>> sentence("mRcpR")
    'Slides orthogonally, without capturing; or slides orthogonally over exactly one piece, only to capture.'
    """
    read: Notation = parse_betza(notation)
    clauses = [_describe_part(part) for part in read.parts] + [
        _describe_castling(castling) for castling in read.castlings
    ]
    text = "; or ".join(clauses)
    return text[0].upper() + text[1:] + "."


def _describe_castling(castling: Castling) -> str:
    """Return how a king castles, in words."""
    side = {"l": "to its left", "r": "to its right", "lr": "to either side"}[castling.sides]
    steps = "1 square" if castling.steps == 1 else f"{castling.steps} squares"
    return f"castles {side}, going {steps} towards the corner piece, which jumps over it"


def _describe_part(part: NotationPart) -> str:
    """Return one part of a movement, an atom with its legs, in words."""
    clauses = []
    reach = part.reach
    for index, leg in enumerate(part.legs):
        clauses.append(_describe_leg(part, leg, reach, first=index == 0, last=index == len(part.legs) - 1))
        reach = leg.reach_of_next_leg(reach)
    text = ", then ".join(clauses)
    return f"if it has not moved, {text}" if part.initial else text


def _describe_leg(part: NotationPart, leg: Leg, reach: int, *, first: bool, last: bool) -> str:
    """Return one leg of a movement in words; `reach` is its greatest number of steps (0: no limit)."""
    words = [_describe_step_kind(part, reach)]
    where = _describe_direction(part, leg) if first else _describe_turn(leg)
    if where:
        words.append(where)
    text = " ".join(words)
    if leg.same:
        text += ", as far as before"
    if leg.hop:
        whose = "piece of its own side" if leg.friendly else "piece"
        text += f" over exactly one {whose}" + (" to the square just behind it" if leg.hop == "g" else "")
    if leg.lame == "n" and (part.atom.long > 1):
        oblique = part.atom.family == "oblique"
        text += ", straight on first and then diagonally" if oblique else ""
        text += ", unless something stands in between"
    if leg.lame == "j":
        slider = part.atom.long == 1
        text += ", passing by the first square" if slider else ", over exactly one piece in between"
    if leg.wrap:
        text += ", also round the side edges"
    return text + (_describe_end(leg) if last else _describe_stop(leg))


def _describe_step_kind(part: NotationPart, reach: int) -> str:
    """Return in words whether a leg steps, slides or leaps, and how far (`reach` steps; 0: no limit)."""
    atom = part.atom
    if atom.family == "universal":
        return "leaps to any square"
    if atom.long == 1:
        if reach == 0:
            return "slides"
        if reach == 1:
            return "steps 1 square"
        return f"slides up to {reach} squares"
    if atom.family == "oblique":
        name = f"{atom.long} squares one way and {atom.short} across (as a {_NAMES[atom.long, atom.short]})"
    else:
        name = f"{atom.long} squares"
    again = {0: ", again and again in one line", 1: ""}.get(reach, f", up to {reach} times in one line")
    return f"leaps {name}{again}"


def _describe_direction(part: NotationPart, leg: Leg) -> str:
    """Return in words where a first leg goes, such as “diagonally forward”; empty if that need not be said."""
    family = part.atom.family
    if family == "universal":
        return ""
    if family == "oblique":
        return "" if len(leg.directions) == 8 else f"towards {_describe_oblique_steps(part, leg)}"
    kinds = []
    for name in ("orthogonal", "diagonal"):
        there = [place for place in leg.directions if place in FAMILY_DIRECTIONS[name]]
        if len(there) == 4:
            kinds.append(f"{name}ly")
        elif there:
            kinds.append(f"{name}ly {_describe_ring_places(there)}")
    if kinds == ["orthogonally", "diagonally"]:
        return "in any direction"
    return " or ".join(kinds)


def _describe_ring_places(places: list[int]) -> str:
    """Return in words the directions with these numbers, 0 to 7 clockwise from straight ahead."""
    side = _SIDES.get("".join(map(str, places)))
    return side or ", ".join(_SIDES[str(place)] for place in places)


#: What places in the ring are called together.
_SIDES = {
    "0": "forward", "4": "backward", "2": "to the right", "6": "to the left",
    "17": "forward", "35": "backward", "13": "to the right", "57": "to the left",
    "04": "forward or backward", "26": "to either side",
    "1": "forward to the right", "3": "backward to the right", "5": "backward to the left", "7": "forward to the left",
}  # fmt: skip


def _describe_oblique_steps(part: NotationPart, leg: Leg) -> str:
    """Return in words the steps of a leg that moves obliquely, such as a knight's, one by one."""
    names = []
    for place in leg.directions:
        right, ahead = part.atom.steps[place]
        side = f"{abs(right)} {'right' if right > 0 else 'left'}"
        names.append(f"{abs(ahead)} {'forward' if ahead > 0 else 'backward'} and {side}")
    return ", or ".join(names)


def _describe_turn(leg: Leg) -> str:
    """Return in words how a later leg goes on from the one before, such as “on in any direction”."""
    places = leg.directions
    if set(places) >= {0, 1, 2, 3, 5, 6, 7} and 4 not in places:
        return "on in any direction but straight back"
    if places == (0, 2, 6):
        return "on, ahead or to a side"
    if len(places) == 8:
        return "on in any direction"
    return "on, turning " + " or ".join(_TURNS[place] for place in places)


def _describe_stop(leg: Leg) -> str:
    """Return in words what a leg before the last may end on, such as “to an empty square”."""
    names = {
        "m": "an empty square",
        "c": "a piece that it captures",
        "d": "a piece of its own side that it captures",
        "p": "a piece of its own side that it passes over" if leg.friendly else "a piece that it passes over",
    }
    text = " to " + " or ".join(names[mode] for mode in leg.modes)
    return text + " (there slider and leaper are exchanged)" if leg.toggle else text


def _describe_end(leg: Leg) -> str:
    """Return in words what a last leg may capture, such as “, only to capture”; empty if it may move or capture."""
    modes = set(leg.modes)
    text = ""
    if modes == {"e"}:
        text = ", only to capture en passant"
    elif modes & set("cde") and "m" not in modes:
        text = ", only to capture"
    elif modes == {"m"}:
        text = ", without capturing"
    if "e" in modes and modes != {"e"}:
        text += ", also en passant"
    if "d" in modes:
        text += ", only its own pieces" if "c" not in modes and "m" not in modes else ", also its own pieces"
    if leg.tame:
        text += ", never a royal piece"
    return text
