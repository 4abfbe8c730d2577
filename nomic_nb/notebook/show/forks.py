"""The ways that a game went, in rows and drawn: a line each along the events, leaving the one that it parted from.

An image cannot follow the theme of the notebook around it, so it brings its own ground. What colour
tells is told by the form of the line and in words as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from unicodedata import combining, east_asian_width
from xml.etree.ElementTree import Element

from nomic_nb.chess.multiverse.pictures import (
    SvgPicture,
    add_element,
    finish_picture,
    new_canvas,
    strip_control_characters,
)
from nomic_nb.engine.words import count_phrase, upper_first
from nomic_nb.notebook.live.base_game import BranchOfGame, GameForks
from nomic_nb.notebook.markup.tree import TableRows, badge, build_element, number_heading, quiet_text, table_element

#: Ways that are drawn; the table has them all.
MOST_DRAWN = 60
#: Ways that the description names one by one.
MOST_DESCRIBED = 12

_GROUND, _INK, _SOFT, _NOW, _OTHER = "#f7f3ea", "#1a1a1a", "#4a4a4a", "#15407a", "#6b4a00"
_WIDTH, _LEFT, _RIGHT, _LANE, _TOP = 720, 24, 30, 58, 50
#: How far a line goes at least once it has left another, and the bend with which it leaves.
_SHORTEST, _BEND = 26, 12
#: Mean width of a letter at a font size of 1.
_LETTER_WIDTH = 0.56


def draw_forks(shown: GameForks[object]) -> Element:
    """Return a drawing of a game's branches as a tree along the events, and a table of them."""
    ways = list(shown.all_branches())
    places = {id(way.timeline): f"forks[{at}]" for at, way in enumerate(shown)}
    rows: TableRows = [
        [
            ["– " * way.depth, upper_first(way.why), [" ", badge("played now", cls="on")] if way.here else None],
            upper_first(way.parting_phrase) or quiet_text("–"),
            str(way.own_event_count),
            str(way.event_count),
            upper_first(way.first_event_sentence) or quiet_text("nothing yet"),
            build_element("code", "game" if way.here else f"game.{places[id(way.timeline)]}.game"),
        ]
        for way in ways
    ]
    drawing = _draw_tree(ways, places).element() if len(ways) > 1 else None
    element = table_element(
        "Branches of the game",
        ["Branch", "Leaves", number_heading("Own events"), number_heading("Events"), "Begins", "In Python"],
        rows,
    )
    return build_element("article", drawing, element, cls="forks")


@dataclass
class _BranchLane:
    """A way in its place.

    Parameters
    ----------
    branch : Way[object]
        What is drawn.
    parent : _Lane or None
        The line that it leaves.
    inner : list of _Lane
        Those that leave it.
    y : int
        Its height in the drawing.
    """

    branch: BranchOfGame[object]
    parent: _BranchLane | None
    inner: list[_BranchLane] = field(default_factory=list)
    y: int = 0

    def lane_it_leaves(self) -> _BranchLane | None:
        """Return the lane that holds the event after which this branch leaves; None for the first branch."""
        branch_lane = self.parent
        while branch_lane is not None and branch_lane.parent is not None and self.branch.at <= branch_lane.branch.at:
            branch_lane = branch_lane.parent
        return branch_lane


def _arrange_lanes(branches: Sequence[BranchOfGame[object]]) -> list[_BranchLane]:
    """Return a lane (a line of the drawing) for each branch, from top to bottom, so that few lines cross."""
    above: list[_BranchLane] = []
    for branch in branches:
        del above[branch.depth :]
        lane = _BranchLane(branch, above[-1] if above else None)
        if lane.parent is not None:
            lane.parent.inner.append(lane)
        above.append(lane)

    def downward(lane: _BranchLane) -> Iterator[_BranchLane]:
        yield lane
        for branch_lane in reversed(lane.inner):
            yield from downward(branch_lane)

    lanes = list(downward(above[0]))[:MOST_DRAWN]
    for at, lane in enumerate(lanes):
        lane.y = _TOP + at * _LANE
    return lanes


def _draw_tree(branches: Sequence[BranchOfGame[object]], names: Mapping[int, str]) -> SvgPicture:
    """Draw the tree of branches; `names` has the name of each, such as ``forks[0]``, by timeline id."""
    lanes = _arrange_lanes(branches)
    left_out = len(branches) - len(lanes)
    longest = max(lane.branch.event_count for lane in lanes)
    height = _TOP + (len(lanes) - 1) * _LANE + (44 if left_out else 24)
    described = [_branch_description(branch, names) for branch in branches[:MOST_DESCRIBED]]
    if len(branches) > MOST_DESCRIBED:
        described.append(f"And {count_phrase(len(branches) - MOST_DESCRIBED, 'more branch', 'more branches')}.")
    alt = strip_control_characters(
        f"The tree of the game’s {count_phrase(len(branches), 'branch', 'branches')}. {' '.join(described)}"
    )
    root = new_canvas(_WIDTH, height, alt)
    add_element(root, "path", d=f"M0 0H{_WIDTH}V{height}H0Z", fill=_GROUND)

    def along(event: int) -> float:
        return _LEFT + event / longest * (_WIDTH - _LEFT - _RIGHT)

    for lane in reversed(lanes):  # so that labels lie over the lines that cross them from below
        group = add_element(root, "g")
        add_element(group, "title", _branch_description(lane.branch, names))
        start = _draw_branch_line(group, lane, along)
        _draw_branch_label(group, lane, names, start)
    if left_out:
        _draw_text(
            root,
            _LEFT,
            height - 12,
            12,
            f"{count_phrase(left_out, 'more branch', 'more branches')} in the table below.",
            {"fill": _SOFT},
        )
    return finish_picture(root, alt, _WIDTH)


def _branch_description(branch: BranchOfGame[object], names: Mapping[int, str]) -> str:
    """Return a sentence that names a branch, and says where it leaves its game and how it begins."""
    return f"{_branch_name(branch, names)}: {_branch_note(branch)}."


def _branch_name(branch: BranchOfGame[object], names: Mapping[int, str]) -> str:
    """Return the name of a branch with why it left its game; “played now” replaces the name of the current one."""
    return f"{upper_first(branch.why)} – played now" if branch.here else f"{names[id(branch.timeline)]} – {branch.why}"


def _branch_note(branch: BranchOfGame[object]) -> str:
    """Return a phrase on where a branch leaves its game, how many events of its own it has, and the first."""
    if not branch.depth:
        return count_phrase(branch.event_count, "event")
    began = branch.first_event_sentence or "nothing has happened there yet"
    return f"leaves {branch.parting_phrase}, followed by {count_phrase(branch.own_event_count, 'event')}: {began}"


def _draw_branch_line(group: Element, lane: _BranchLane, event_x: Callable[[int], float]) -> float:
    """Draw a branch's line, bold if now played; `event_x` gives the x of an event. Return the line's left end."""
    way, y = lane.branch, lane.y
    start, paint = event_x(way.at), {"fill": "none", "stroke": _OTHER, "stroke_width": "2", "stroke_dasharray": "7 3"}
    if way.here:
        paint = {"fill": "none", "stroke": _NOW, "stroke_width": "4"}
    parted = lane.lane_it_leaves()
    if parted is None:
        end, path = event_x(way.event_count), f"M{start:g} {y}"
    else:
        end = max(event_x(way.event_count), start + _SHORTEST)
        path = f"M{start:g} {parted.y}V{y - _BEND}Q{start:g} {y} {start + _BEND:g} {y}"
        _draw_text(group, start + 6, parted.y + 15, 10, str(way.at), {"fill": _SOFT})
        add_element(group, "circle", cx=f"{start:g}", cy=parted.y, r=4.5, fill=_INK)
    add_element(group, "path", d=f"{path}H{end:g}", **paint)
    tip = {"fill": _NOW, "r": "7"} if way.here else {"fill": _GROUND, "stroke": _OTHER, "stroke_width": "2", "r": "5"}
    add_element(group, "circle", cx=f"{end:g}", cy=y, **tip)
    return start


def _draw_branch_label(group: Element, lane: _BranchLane, names: Mapping[int, str], start: float) -> None:
    """Draw a branch's label above its line, from x `start` on, or further left if it would not fit."""
    branch = lane.branch
    head = _fit_text(strip_control_characters(_branch_name(branch, names)), 12)
    about = _fit_text(strip_control_characters(_branch_note(branch)), 11)
    x = start + _BEND if branch.depth else start
    x = max(_LEFT, min(x, _WIDTH - _RIGHT - max(_text_length(head, 12), _text_length(about, 11))))
    _draw_text(group, x, lane.y - 24, 12, head, {"fill": _NOW if branch.here else _INK, "font-weight": "bold"})
    _draw_text(group, x, lane.y - 9, 11, about, {"fill": _INK})


def _draw_text(group: Element, x: float, y: float, size: int, text: str, paint: dict[str, str]) -> None:
    """Draw a text at a point in an SVG group, with a font size and further SVG attributes (`paint`)."""
    add_element(group, "text", text, x=f"{x:g}", y=f"{y:g}", font_size=size, unicode_bidi="plaintext", direction="ltr",
        stroke=_GROUND, stroke_width=4, stroke_linejoin="round", paint_order="stroke", **paint)  # fmt: skip


def _text_length(text: str, size: int) -> float:
    """Return the approximate width of a text at a font size; East Asian letters count as full width."""
    wide = sum(1.0 if east_asian_width(letter) in "WF" else _LETTER_WIDTH for letter in text if not combining(letter))
    return wide * size


def _fit_text(text: str, size: int) -> str:
    """Return a text on one line, cut off with “…” if it is wider than the drawing at that font size."""
    line = " ".join(text.split())
    if _text_length(line, size) <= _WIDTH - _LEFT - _RIGHT:
        return line
    while line and _text_length(f"{line}…", size) > _WIDTH - _LEFT - _RIGHT:
        line = line[:-1]
    return f"{line.rstrip()}…"
