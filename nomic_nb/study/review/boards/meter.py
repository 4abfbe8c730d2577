"""The fair-play meter in a review: what a change makes of the power of each kind of piece of each player; as a picture.

An image cannot follow the theme of the page around it, so it brings its own ground. What colour tells is told by the
form of the bars, by signs, and in words as well.
"""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element  # only writes

from nomic_nb.chess.fairplay.power import Measure, measures
from nomic_nb.chess.multiverse.rules import NAMES
from nomic_nb.chess.multiverse.scenes import Picture, add, canvas, finish
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.findings import as_set
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.play.adoptability import SUPPOSED_CASE, supposed
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import listed, plural

#: What clauses that look at the meter have in them.
LOOKING = frozenset(("forces", "force_of"))
#: Marks for what the power of a kind becomes, beside the words.
MARKS = {"more": "▲", "less": "▼", "same": "=", "mixed": "◆"}


_GROUND, _INK, _SOFT = "#f7f3ea", "#1a1a1a", "#4a4a4a"
_PAINT = {"more": "#15407a", "less": "#8a3b00", "same": "#6f6f6f", "mixed": "#5a2a6a"}
#: The sign of each power, drawn in a square of 10.
_SIGNS = {"more": "M5 1L9 9H1Z", "less": "M5 9L1 1H9Z", "same": "M1 3H9M1 7H9", "mixed": "M5 0L10 5L5 10L0 5Z"}
_LEFT, _TOP, _COLUMN, _ROW, _BAR, _FOOT = 84, 34, 150, 50, 118, 40
#: Letters of a name that fit over a column.
_LETTERS = 18


@frozen
class Meter:
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
    found: dict[tuple[str, str], Measure]

    def said(self, player: str, kind: str) -> str:
        """Say what becomes of the pieces of one kind of one player: how many there are, and which power they have."""
        one = self.found.get((player, kind))
        if one is None:
            return "–"
        counts = f" (+{one.gained} −{one.lost})" if one.power != "same" else ""
        return f"{one.count} {MARKS[one.power]} {one.power}{counts}"

    @property
    def picture(self) -> Picture:
        """Kinds against players: what each could do before the change, and after it."""
        width, height = _LEFT + _COLUMN * len(self.players) + 8, _TOP + _ROW * len(self.kinds) + _FOOT
        every = (self.found.get((name, kind)) for kind in self.kinds for name in self.players)
        told = [_said(one) for one in every if one is not None]
        title = f"Fair play: what the pieces of {listed(self.players)} could do before the change and after it"
        root = canvas(width, height, title)
        add(root, "desc", " ".join(told))
        _patterns(root)
        add(root, "path", d=f"M0 0H{width}V{height}H0Z", fill=_GROUND)
        for at, name in enumerate(self.players):
            short = name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"
            _text(root, _LEFT + at * _COLUMN, 20, short, bold=True)
        for row, kind in enumerate(self.kinds):
            top = _TOP + row * _ROW
            add(root, "path", d=f"M8 {top}H{width - 8}", stroke=_SOFT, stroke_width=0.5)
            _text(root, 8, top + 26, NAMES.get(kind.lower(), kind).capitalize(), bold=True)
            there = [self.found.get((name, kind)) for name in self.players]
            most = max((max(one.before, one.after) for one in there if one is not None), default=0) or 1
            for at, one in enumerate(there):
                if one is not None:
                    _cell(root, _LEFT + at * _COLUMN, top, one, most)
        _legend(root, _TOP + _ROW * len(self.kinds) + 16)
        return finish(root, f"{title}. {' '.join(told)}", min(width, 720))

    @property
    def told(self) -> tuple[str, ...]:
        """One move that comes or goes for each kind whose power changes, in words."""
        found = {one.kind: one.evidence for one in self.found.values() if one.evidence}
        return tuple(found[kind] for kind in sorted(found))


def meter(state: State, change: Change, player: str) -> Meter | None:
    """Return the meter for a change, where rules in force look at it and something changes; None where it does not."""
    conditions = (as_set(one).condition for one in state.law.speaking("may.propose"))
    if state.position is None or not any(LOOKING & one.words for one in conditions if one is not None):
        return None
    asked = supposed(state, change, player)
    try:
        found = dict(measures(View(asked, SUPPOSED_CASE, asked.law)))
    except Undecided:
        return None
    if all(one.power == "same" for one in found.values()):
        return None
    players = tuple(name for name in state.players if any(name == who for who, _ in found))
    return Meter(players, tuple(sorted({kind for _, kind in found})), found)


def _said(one: Measure) -> str:
    name = NAMES.get(one.kind.lower(), f"piece of kind {one.kind}")
    moves = f"{plural(one.before, 'move')} before, {one.after} after" if one.power != "same" else "as before"
    return f"{one.player}, {plural(one.count, name)}: {one.power}, {moves}."


def _patterns(root: Element) -> None:
    """Make what bars are filled with: of each power another form."""
    made = add(root, "defs")
    for power, d in (("less", "M0 2H6"), ("mixed", "M0 0L6 6M6 0L0 6")):
        pattern = add(made, "pattern", id=f"nnb-{power}", width=6, height=6, patternUnits="userSpaceOnUse")
        add(pattern, "path", d="M0 0H6V6H0Z", fill="#ffffff")
        add(pattern, "path", d=d, stroke=_PAINT[power], stroke_width=2.5 if power == "less" else 1.4)


def _fill(power: str) -> str:
    return _PAINT[power] if power in ("more", "same") else f"url(#nnb-{power})"


def _cell(root: Element, x: int, top: int, one: Measure, most: int) -> None:
    """Draw the bar before, hollow, and the one after, full; with a sign and words over them."""
    group = add(root, "g")
    add(group, "title", _said(one))
    stroke: dict[str, Any] = {"stroke": _PAINT[one.power], "stroke_width": 1.5}
    add(group, "path", d=_SIGNS[one.power], transform=f"translate({x} {top + 8})",
        fill="none" if one.power == "same" else _PAINT[one.power], **stroke)  # fmt: skip
    counts = f" +{one.gained} −{one.lost}" if one.power != "same" else ""
    _text(group, x + 15, top + 17, f"{one.count}: {one.power}{counts}")
    for y, moves, fill in ((24, one.before, "none"), (34, one.after, _fill(one.power))):
        wide = max(1.0, moves / most * _BAR)
        add(group, "path", d=f"M{x} {top + y}h{wide:.1f}v8h-{wide:.1f}Z", fill=fill, **stroke)


def _legend(root: Element, y: int) -> None:
    add(root, "path", d=f"M8 {y}h22v8h-22Z", fill="none", stroke=_INK, stroke_width=1.5)
    add(root, "path", d=f"M84 {y}h22v8h-22Z", fill=_INK)
    _text(root, 34, y + 8, "before")
    _text(root, 110, y + 8, "after")
    _text(root, 160, y + 8, "moves, in the positions tried")


def _text(group: Element, x: int, y: int, text: str, *, bold: bool = False) -> None:
    add(group, "text", text, x=x, y=y, font_size=12, fill=_INK, font_weight="bold" if bold else "normal",
        unicode_bidi="plaintext", direction="ltr")  # fmt: skip
