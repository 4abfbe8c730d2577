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

    def describe_pieces(self, player: str, kind: str) -> str:
        """Return in words how many pieces of a kind a player has and how their power changes; “–” without any."""
        power_change = self.found.get((player, kind))
        if power_change is None:
            return "–"
        counts = f" (+{power_change.gained} −{power_change.lost})" if power_change.power != "same" else ""
        return f"{power_change.count} {POWER_MARKS[power_change.power]} {power_change.power}{counts}"

    @property
    def picture(self) -> SvgPicture:
        """The meter as an SVG picture: kinds of piece for each player, before and after."""
        width, height = _LEFT + _COLUMN * len(self.players) + 8, _TOP + _ROW * len(self.kinds) + _FOOT
        every = (self.found.get((name, kind)) for kind in self.kinds for name in self.players)
        told = [_cell_sentence(power_change) for power_change in every if power_change is not None]
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
            most = (
                max(
                    (
                        max(power_change.before, power_change.after)
                        for power_change in there
                        if power_change is not None
                    ),
                    default=0,
                )
                or 1
            )
            for at, cell in enumerate(there):
                if cell is not None:
                    _draw_meter_cell(root, _LEFT + at * _COLUMN, top, cell, most)
        _draw_legend(root, _TOP + _ROW * len(self.kinds) + 16)
        return finish_picture(root, f"{title}. {' '.join(told)}", min(width, 720))

    @property
    def evidence_sentences(self) -> tuple[str, ...]:
        """Sentences that each name a move gained or lost, one for each kind of piece whose power changes."""
        evidence_by_kind = {
            power_change.kind: power_change.evidence for power_change in self.found.values() if power_change.evidence
        }
        return tuple(evidence_by_kind[kind] for kind in sorted(evidence_by_kind))


def measure_power_change(state: State) -> FairPlayMeter | None:
    """Return the fair-play meter of a state's proposed change; None if no rule reads it or no power changes."""
    conditions = [expression for source in state.law.clauses_about("may.propose") for expression in source.clause.asked]
    if state.position is None or not any(METER_WORDS & expression.words for expression in conditions):
        return None
    try:
        found = dict(power_changes(View(state, SUPPOSED_CASE, state.law)))
    except Undecided:
        return None
    if all(power_change.power == "same" for power_change in found.values()):
        return None
    players = tuple(name for name in state.players if any(name == who for who, _ in found))
    return FairPlayMeter(players, tuple(sorted({kind for _, kind in found})), found)


def _cell_sentence(power_change: PowerChange) -> str:
    """Return a sentence on how many moves a player's pieces of one kind have before the change and after it."""
    name = KIND_NAMES.get(power_change.kind.lower(), f"piece of kind {power_change.kind}")
    moves = (
        f"{count_phrase(power_change.before, 'move')} before, {power_change.after} after"
        if power_change.power != "same"
        else "as before"
    )
    return f"{power_change.player}, {count_phrase(power_change.count, name)}: {power_change.power}, {moves}."


def _draw_patterns(root: Element) -> None:
    """Define the SVG patterns that fill the bars of pieces whose power becomes less, or mixed."""
    element = add_element(root, "defs")
    for power, d in (("less", "M0 2H6"), ("mixed", "M0 0L6 6M6 0L0 6")):
        pattern = add_element(element, "pattern", id=f"nnb-{power}", width=6, height=6, patternUnits="userSpaceOnUse")
        add_element(pattern, "path", d="M0 0H6V6H0Z", fill="#ffffff")
        add_element(pattern, "path", d=d, stroke=_PAINT[power], stroke_width=2.5 if power == "less" else 1.4)


def _fill_for_power(power: str) -> str:
    """Return the SVG fill (colour or pattern) for a kind of change of power, such as “more”."""
    return _PAINT[power] if power in ("more", "same") else f"url(#nnb-{power})"


def _draw_meter_cell(root: Element, x: int, top: int, power_change: PowerChange, most: int) -> None:
    """Draw a meter cell at a point: in words, and as bars (hollow before, filled after) scaled to `most` moves."""
    group = add_element(root, "g")
    add_element(group, "title", _cell_sentence(power_change))
    stroke: dict[str, Any] = {"stroke": _PAINT[power_change.power], "stroke_width": 1.5}
    add_element(group, "path", d=_SIGNS[power_change.power], transform=f"translate({x} {top + 8})",
        fill="none" if power_change.power == "same" else _PAINT[power_change.power], **stroke)  # fmt: skip
    counts = f" +{power_change.gained} −{power_change.lost}" if power_change.power != "same" else ""
    _draw_text(group, x + 15, top + 17, f"{power_change.count}: {power_change.power}{counts}")
    for y, moves, fill in (
        (24, power_change.before, "none"),
        (34, power_change.after, _fill_for_power(power_change.power)),
    ):
        wide = max(1.0, moves / most * _BAR)
        add_element(group, "path", d=f"M{x} {top + y}h{wide:.1f}v8h-{wide:.1f}Z", fill=fill, **stroke)


def _draw_legend(root: Element, y: int) -> None:
    """Draw the legend of the meter at a height: hollow bars for before, filled ones for after."""
    add_element(root, "path", d=f"M8 {y}h22v8h-22Z", fill="none", stroke=_INK, stroke_width=1.5)
    add_element(root, "path", d=f"M84 {y}h22v8h-22Z", fill=_INK)
    _draw_text(root, 34, y + 8, "before")
    _draw_text(root, 110, y + 8, "after")
    _draw_text(root, 160, y + 8, "moves, in the positions tried")


def _draw_text(group: Element, x: int, y: int, text: str, *, bold: bool = False) -> None:
    """Add a line of text at a point to an SVG element."""
    add_element(group, "text", text, x=x, y=y, font_size=12, fill=_INK, font_weight="bold" if bold else "normal",
        unicode_bidi="plaintext", direction="ltr")  # fmt: skip
