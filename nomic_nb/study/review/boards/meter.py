"""The fair-play meter in a review: what a change makes of the power of each kind of piece of each player; as a picture.

An image cannot follow the theme of the page around it, so it brings its own ground. What colour tells is told by the
form of the bars, by signs, and in words as well.
"""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element  # only writes

from nomic_nb.chess.fairplay.power_meter import PowerChange, power_changes
from nomic_nb.chess.multiverse.pictures import SvgPicture, add_element, finish_picture, new_canvas
from nomic_nb.chess.multiverse.rules import KIND_NAMES
from nomic_nb.chess.play.records import kind_name
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.play.adoptability import SUPPOSED_CASE
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import count_phrase, join_words

#: What clauses that look at the meter have in them.
METER_WORDS = frozenset(("forces", "force_of"))
#: Marks for what the power of a kind becomes, beside the words.
POWER_MARKS = {"more": "▲", "less": "▼", "same": "=", "mixed": "◆"}


_GROUND, _INK, _SOFT = "#f7f3ea", "#1a1a1a", "#4a4a4a"
_PAINT = {"more": "#15407a", "less": "#8a3b00", "same": "#6f6f6f", "mixed": "#5a2a6a"}
#: The sign of each power, drawn in a square of 10.
_SIGNS = {"more": "M5 1L9 9H1Z", "less": "M5 9L1 1H9Z", "same": "M1 3H9M1 7H9", "mixed": "M5 0L10 5L5 10L0 5Z"}
_LEFT, _TOP, _COLUMN, _ROW, _BAR, _FOOT = 84, 34, 150, 50, 118, 40
#: Letters of a name that fit over a column.
_LETTERS = 18


@frozen
class FairPlayMeter:
    """Kinds of pieces against players.

    Parameters
    ----------
    players, kinds : tuple of str
        In the order of seats; capital letters.
    found : mapping of (str, str) to Measure
        By player and kind, where there are such pieces.
    """

    players: tuple[str, ...]
    kinds: tuple[str, ...]
    found: dict[tuple[str, str], PowerChange]

    def said(self, player: str, kind: str) -> str:
        """Say what becomes of the pieces of one kind of one player: how many there are, and which power they have."""
        one = self.found.get((player, kind))
        if one is None:
            return "–"
        counts = f" (+{one.gained} −{one.lost})" if one.power != "same" else ""
        return f"{one.count} {POWER_MARKS[one.power]} {one.power}{counts}"

    @property
    def picture(self) -> SvgPicture:
        """Kinds against players: what each could do before the change, and after it."""
        width, height = _LEFT + _COLUMN * len(self.players) + 8, _TOP + _ROW * len(self.kinds) + _FOOT
        every = (self.found.get((name, kind)) for kind in self.kinds for name in self.players)
        told = [_describe_cell(one) for one in every if one is not None]
        title = f"Fair play: what the pieces of {join_words(self.players)} could do before the change and after it"
        root = new_canvas(width, height, title)
        add_element(root, "desc", " ".join(told))
        _draw_patterns(root)
        add_element(root, "path", d=f"M0 0H{width}V{height}H0Z", fill=_GROUND)
        for at, name in enumerate(self.players):
            short = name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"
            _draw_text(root, _LEFT + at * _COLUMN, 20, short, bold=True)
        for row, kind in enumerate(self.kinds):
            top = _TOP + row * _ROW
            add_element(root, "path", d=f"M8 {top}H{width - 8}", stroke=_SOFT, stroke_width=0.5)
            _draw_text(root, 8, top + 26, kind_name(kind).capitalize(), bold=True)
            there = [self.found.get((name, kind)) for name in self.players]
            most = max((max(one.before, one.after) for one in there if one is not None), default=0) or 1
            for at, one in enumerate(there):
                if one is not None:
                    _draw_cell(root, _LEFT + at * _COLUMN, top, one, most)
        _draw_legend(root, _TOP + _ROW * len(self.kinds) + 16)
        return finish_picture(root, f"{title}. {' '.join(told)}", min(width, 720))

    @property
    def told(self) -> tuple[str, ...]:
        """One move that comes or goes for each kind whose power changes, in words."""
        found = {one.kind: one.evidence for one in self.found.values() if one.evidence}
        return tuple(found[kind] for kind in sorted(found))


def measure_change(state: State) -> FairPlayMeter | None:
    """Return the meter for what is supposed to be proposed; None where no rule looks at it, or nothing changes."""
    conditions = [one for source in state.law.clauses_about("may.propose") for one in source.clause.asked]
    if state.position is None or not any(METER_WORDS & one.words for one in conditions):
        return None
    try:
        found = dict(power_changes(View(state, SUPPOSED_CASE, state.law)))
    except Undecided:
        return None
    if all(one.power == "same" for one in found.values()):
        return None
    players = tuple(name for name in state.players if any(name == who for who, _ in found))
    return FairPlayMeter(players, tuple(sorted({kind for _, kind in found})), found)


def _describe_cell(one: PowerChange) -> str:
    name = KIND_NAMES.get(one.kind.lower(), f"piece of kind {one.kind}")
    moves = f"{count_phrase(one.before, 'move')} before, {one.after} after" if one.power != "same" else "as before"
    return f"{one.player}, {count_phrase(one.count, name)}: {one.power}, {moves}."


def _draw_patterns(root: Element) -> None:
    """Make what bars are filled with: of each power another form."""
    made = add_element(root, "defs")
    for power, d in (("less", "M0 2H6"), ("mixed", "M0 0L6 6M6 0L0 6")):
        pattern = add_element(made, "pattern", id=f"nnb-{power}", width=6, height=6, patternUnits="userSpaceOnUse")
        add_element(pattern, "path", d="M0 0H6V6H0Z", fill="#ffffff")
        add_element(pattern, "path", d=d, stroke=_PAINT[power], stroke_width=2.5 if power == "less" else 1.4)


def _fill_of(power: str) -> str:
    return _PAINT[power] if power in ("more", "same") else f"url(#nnb-{power})"


def _draw_cell(root: Element, x: int, top: int, one: PowerChange, most: int) -> None:
    """Draw the bar before, hollow, and the one after, full; with a sign and words over them."""
    group = add_element(root, "g")
    add_element(group, "title", _describe_cell(one))
    stroke: dict[str, Any] = {"stroke": _PAINT[one.power], "stroke_width": 1.5}
    add_element(group, "path", d=_SIGNS[one.power], transform=f"translate({x} {top + 8})",
        fill="none" if one.power == "same" else _PAINT[one.power], **stroke)  # fmt: skip
    counts = f" +{one.gained} −{one.lost}" if one.power != "same" else ""
    _draw_text(group, x + 15, top + 17, f"{one.count}: {one.power}{counts}")
    for y, moves, fill in ((24, one.before, "none"), (34, one.after, _fill_of(one.power))):
        wide = max(1.0, moves / most * _BAR)
        add_element(group, "path", d=f"M{x} {top + y}h{wide:.1f}v8h-{wide:.1f}Z", fill=fill, **stroke)


def _draw_legend(root: Element, y: int) -> None:
    add_element(root, "path", d=f"M8 {y}h22v8h-22Z", fill="none", stroke=_INK, stroke_width=1.5)
    add_element(root, "path", d=f"M84 {y}h22v8h-22Z", fill=_INK)
    _draw_text(root, 34, y + 8, "before")
    _draw_text(root, 110, y + 8, "after")
    _draw_text(root, 160, y + 8, "moves, in the positions tried")


def _draw_text(group: Element, x: int, y: int, text: str, *, bold: bool = False) -> None:
    add_element(group, "text", text, x=x, y=y, font_size=12, fill=_INK, font_weight="bold" if bold else "normal",
        unicode_bidi="plaintext", direction="ltr")  # fmt: skip
