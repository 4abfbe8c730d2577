"""The turns of a game side by side: a tick for each, marked by what it changed, with the branches that leave it.

An image cannot follow the theme of the notebook around it, so it brings its own ground. What colour tells is told by
the form of the mark and in words as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from xml.etree.ElementTree import Element, tostring

from nomic_nb.chess.multiverse.pictures import (
    SvgPicture,
    add_element,
    finish_picture,
    new_canvas,
    strip_control_characters,
)
from nomic_nb.engine.record.seals import count_shared_moments
from nomic_nb.engine.words import count_phrase, full_sentence
from nomic_nb.notebook.live.base_game import TurnStrip
from nomic_nb.notebook.markup.tree import Child, build_element, folded_section, item_list, quiet_paragraph
from nomic_nb.study.views.story import TurnStory, tell_turns

#: Turns and branches that are drawn, the latest ones; `game.story` and `game.forks` have them all.
MOST_TURNS, MOST_BRANCHES = 100, 6
#: Bytes of a drawing of `MOST_TURNS` turns, at most.
MOST_BYTES = 10_000
#: Turns up to which the list says everything that happened in each.
MOST_TOLD = 25

_GROUND, _INK, _SOFT, _NOW, _OTHER = "#f6f4ee", "#1a1a1a", "#4a4a4a", "#15407a", "#6b4a00"
_STEP, _PER_ROW, _LEFT, _ABOVE, _LANE = 14, 50, 18, 36, 13
#: Width of a full row.
_WIDEST = 722
#: Marks above the line, the weightiest first, each a shape on its own colour; a shape with “s” is a stroke.
_ABOVE_LINE: Mapping[str, tuple[str, str]] = {
    "end": ("#6b1e6b", "M0-17l2 5 5 .5-4 3 1.5 5L0-6.5l-4.5 3 1.5-5-4-3 5-.5z"),
    "repealed": ("#a8321a", "sM-4-15l8 8m0-8l-8 8"),
    "enacted": ("#14631a", "M0-17l5.5 11h-11z"),
    "amended": ("#0a3d91", "M0-17l5.5 5.5L0-6l-5.5-5.5z"),
    "failed": ("#a8321a", "sM-4-11a4 4 0 1 0 8 0a4 4 0 1 0-8 0"),
    "ruling": ("#6b1e6b", "sM-5-15h10v8h-10z"),
}
#: Marks below the line, each in a lane of its own: colour, width of the stroke, where it begins beside its place, path.
_BELOW_LINE: Mapping[str, tuple[str, int, int, int, str]] = {
    "move": (_INK, 6, -3, 0, "h6"),
    "score": ("#7a5a00", 2, 0, -4, "v8"),
    "undo": ("#a8321a", 2, 3, -4, "l-5 4 5 4"),
}
#: The legend's text for each mark.
LEGEND = {
    "enacted": "▲ rule enacted", "amended": "◆ amended", "repealed": "✕ repealed", "failed": "○ proposal failed",
    "ruling": "▭ ruling", "end": "★ end of the game", "move": "■ move", "score": "❘ score", "undo": "‹ undone",
}  # fmt: skip


#: A branch: its name, such as “forks[0]”, the last event that it shares with the game, and its number of turns since.
_Branch = tuple[str, int, int]


def draw_strip(shown: TurnStrip) -> Element:
    """Return the strip of a game's turns as a drawing, with a folded list of them and of the branches in words."""
    turns, branches = _latest_turns(shown), _branches(shown)
    if not turns:
        return build_element("p", "No turn has begun yet.")
    lines: list[Child] = [
        [build_element("bdi", text), " ", build_element("code", f"game.at({turn.ends})")]
        for turn, text in turns_in_words(shown)
    ]
    left_out = [
        count_phrase(count, noun, nouns)
        for count, noun, nouns in (
            (turns[0].number - 1, "earlier turn", ""),
            (len(shown.branches) - len(branches), "more branch", "more branches"),
        )
        if count > 0
    ]
    return build_element(
        "section",
        _draw_turns(turns, branches).element(),
        quiet_paragraph(" · ".join(LEGEND[kind] for kind in LEGEND if any(kind in turn.marks for turn in turns))),
        folded_section("Turn by turn", item_list(lines, "latest")),
        quiet_paragraph(f"Not shown: {' and '.join(left_out)}. See game.story and game.forks.") if left_out else None,
        cls="turns",
    )


def turns_in_words(shown: TurnStrip) -> Iterator[tuple[TurnStory, str]]:
    """Yield the latest turns, each with sentences on what happened and which branches leave it; few words if many."""
    turns, branches = _latest_turns(shown), _branches(shown)
    for at, turn in enumerate(turns):
        happened = turn.happened if len(turns) <= MOST_TOLD else turn.marks_in_words
        leaving = [f" Branch {name} leaves after event {shared}." for name, shared, _ in _leaving(turns, at, branches)]
        yield turn, f"{turn.name}: {full_sentence(happened)}{''.join(leaving)}"


def _latest_turns(shown: TurnStrip) -> Sequence[TurnStory]:
    """Return the latest turns of a game, as many as are drawn."""
    return [turn for turn in tell_turns(shown.timeline) if turn.number][-MOST_TURNS:]


def _branches(shown: TurnStrip) -> list[_Branch]:
    """Return the branches of a game that are drawn."""
    branches = []
    for at, branch in enumerate(shown.branches[:MOST_BRANCHES]):
        shared = count_shared_moments(shown.timeline.moments, branch.timeline.moments)
        own = sum(1 for turn in tell_turns(branch.timeline) if turn.ends > shared)
        branches.append((f"forks[{at}]", shared, own))
    return branches


def _leaving(turns: Sequence[TurnStory], at: int, branches: Sequence[_Branch]) -> list[_Branch]:
    """Return the branches that leave in the turn with the index `at`."""
    beyond = turns[at + 1].begins if at + 1 < len(turns) else None
    return [branch for branch in branches if turns[at].begins <= branch[1] and (beyond is None or branch[1] < beyond)]


def _draw_turns(turns: Sequence[TurnStory], branches: Sequence[_Branch]) -> SvgPicture:
    """Draw turns in rows of ticks, with the branches that leave them below."""
    rows = [turns[at : at + _PER_ROW] for at in range(0, len(turns), _PER_ROW)]
    kinds = {kind for turn in turns for kind in turn.marks}
    lanes = [kind for kind in _BELOW_LINE if kind in kinds]
    #: By row, where in it a branch leaves; the last one is the uppermost, so no lines cross.
    leaving: list[list[tuple[int, _Branch]]] = [[] for _ in rows]
    for at in reversed(range(len(turns))):
        leaving[at // _PER_ROW] += [(at % _PER_ROW * _STEP, branch) for branch in _leaving(turns, at, branches)[::-1]]
    ends = [x + _branch_length(branch) + 9 + 6 * len(branch[0]) for row in leaving for x, branch in row]
    width = 2 * _LEFT + max((len(rows[0]) - 1) * _STEP, *ends, 0)
    heights = [_ABOVE + _LANE * (len(lanes) + len(left) + 1) for left in leaving]
    height = sum(heights)
    law = sum(1 for turn in turns if not turn.marks.keys().isdisjoint({"enacted", "amended", "repealed"}))
    alt = strip_control_characters(
        f"{count_phrase(len(turns), 'turn')} side by side; {law} changed the law. "
        f"The last: {turns[-1].name}, {turns[-1].marks_in_words}."
    )
    root = new_canvas(width, height, alt)
    add_element(root, "path", d=f"M0 0H{width}V{height}H0Z", fill=_GROUND)
    ids = dict(zip(("", *(kind for kind in _ABOVE_LINE if kind in kinds)), "nabcdef", strict=False))
    shapes = add_element(root, "defs")
    for kind, name in ids.items():
        colour, shape = _ABOVE_LINE.get(kind, (_INK, "M-2-2h4v4h-4z"))
        stroke = {"fill": "none", "stroke": colour, "stroke_width": 2} if shape[0] == "s" else {"fill": colour}
        add_element(shapes, "path", id=name, d=shape.lstrip("s"), **stroke)
    ticks: list[tuple[Element, TurnStory]] = []
    top = _ABOVE
    for row, left, row_height in zip(rows, leaving, heights, strict=True):
        group = add_element(root, "g", transform=f"translate({_LEFT} {top})")
        add_element(group, "path", d=f"M-8 0H{(len(row) - 1) * _STEP + 8}", stroke=_SOFT)
        ticks += _draw_row(group, row, ids, lanes)
        for lane, (x, branch) in enumerate(left, len(lanes) + 1):
            _draw_branch(group, x, lane * _LANE, branch)
        top += row_height
    last = (len(rows[-1]) - 1) * _STEP
    add_element(group, "path", d=f"M{last - 6} 4h12", stroke=_NOW, stroke_width=3)
    _name_ticks(root, ticks)
    # A few turns are drawn larger.
    return finish_picture(root, alt, min(_WIDEST, width * 3 // 2))


def _draw_row(
    group: Element, row: Sequence[TurnStory], ids: Mapping[str, str], lanes: Sequence[str]
) -> Iterator[tuple[Element, TurnStory]]:
    """Draw the ticks and marks of a row; yield the element of each tick, which is still to be named, with its turn."""
    for at, turn in enumerate(row):
        x = at * _STEP
        above = [kind for kind in _ABOVE_LINE if kind in turn.marks] or [""]
        yield add_element(group, "use", href=f"#{ids[above[0]]}", x=x), turn
        for rank, kind in enumerate(above[1:2], 1):
            add_element(group, "use", href=f"#{ids[kind]}", x=x, y=-12 * rank)
    numbers = add_element(group, "g", font_size=9, fill=_SOFT, text_anchor="middle")
    for at, turn in enumerate(row):
        if turn.number and turn.number % (5 if len(row) < _PER_ROW else 25) == 0:
            add_element(numbers, "text", str(turn.number), x=at * _STEP, y=-24)
    for lane, kind in enumerate(lanes, 1):
        _draw_below(group, kind, [at * _STEP for at, turn in enumerate(row) if kind in turn.marks], lane * _LANE)


def _draw_below(group: Element, kind: str, places: Iterable[int], y: int) -> None:
    """Draw marks of one kind below the line, at some places of their lane, as one path."""
    colour, width, right, down, path = _BELOW_LINE[kind]
    shapes = "".join(f"M{x + right} {y + down}{path}" for x in places)
    add_element(group, "path", d=shapes, fill="none", stroke=colour, stroke_width=width)


def _branch_length(branch: _Branch) -> int:
    """Return how far the line of a branch goes: one step for each of its own turns, up to ten."""
    return _STEP * max(1, min(10, branch[2]))


def _draw_branch(group: Element, x: int, y: int, branch: _Branch) -> None:
    """Draw a branch as a line that leaves a tick at `x` downwards and then continues to the right, with its name."""
    name, shared, _ = branch
    length = _branch_length(branch)
    line = add_element(group, "path", d=f"M{x} 2V{y - 5}q0 5 5 5h{length}", fill="none", stroke=_OTHER)
    add_element(line, "title", f"{name}: leaves after event {shared}; game.{name}.game")
    add_element(group, "text", name, x=x + length + 9, y=y + 4, font_size=10)


def _name_ticks(root: Element, ticks: Sequence[tuple[Element, TurnStory]]) -> None:
    """Give each tick a title that says what happened and how to get there, as far as the drawing has room for it."""
    room = (MOST_BYTES - len(tostring(root, encoding="unicode").encode())) // len(ticks) - len("<title></title></use>")
    for tick, turn in ticks:
        way, name = f" game.at({turn.ends})", turn.player or ""
        text = f"{turn.name}: {turn.happened};{way}"
        mark = next((kind for kind in (*_ABOVE_LINE, *_BELOW_LINE) if kind in turn.marks), "")
        for length in range(len(name), -1, -1):
            if len(escape(text, quote=False).encode()) <= room:
                break
            parts = (name[:length], mark, *map(str, turn.marks.get(mark, ())[:1]))
            text = " ".join(filter(None, parts)) + way
        add_element(tick, "title", text)
