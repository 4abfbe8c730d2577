"""The moves of a game one by one: the boards, what was said of a move, the law and the score beside it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from nomic_nb.documents.page import Anchors
from nomic_nb.documents.pictures import CRITICAL, Draw, after, as_set_up, on_move
from nomic_nb.documents.record import comments, glyphs
from nomic_nb.documents.told import told
from nomic_nb.law.rules import Rule, RuleBook
from nomic_nb.markup.tree import Child, el, items, who
from nomic_nb.markup.words import plural
from nomic_nb.play.state import State
from nomic_nb.record.moves import played
from nomic_nb.record.seals import seals
from nomic_nb.views.tables import held_by

if TYPE_CHECKING:
    from nomic_nb.live.base import BaseGame


def reel(game: BaseGame, anchors: Anchors, draw: Draw, *, commented: bool = True) -> Element | None:
    """Return the moves that count, as a list; None where nobody has moved.

    Parameters
    ----------
    game : BaseGame
        As it stands, or as it stood.
    anchors : Anchors
        Of the page.
    draw : callable
        Shows the boards.
    commented : bool
        Whether comments are in it.
    """
    table, sealed = game.table, seals(game.table)
    plies = [one for one in played(table.moments, table.standing) if one.event.seq not in sealed.after]
    if not plies:
        return None
    law = _Law(anchors)
    first = plies[0]
    start = el(
        "li",
        el("div", draw("move-0", as_set_up(table, first.pushed - 1)), cls="board all-boards"),
        el(
            "div",
            el("p", "Before the first move", cls="moved"),
            law.beside(table.before.rules),
            _score(table.moments[first.pushed - 2][1]),
            cls="beside",
        ),
        value=0,
        id=anchors.id("move-0"),
    )
    items = [start]
    for one in plies:
        on = on_move(table, one) if commented else []
        said = el("p", anchors.link(f"event-{one.event.seq}", told(one.event, sealed)), glyphs(on), cls="moved")
        items.append(
            el(
                "li",
                el("div", draw(f"move-{one.ply}", after(table, one, on)), cls="board"),
                el(
                    "div",
                    said,
                    [el("p", told(event, sealed)) for event in one.followed if event.kind in CRITICAL],
                    comments(on),
                    law.beside(one.rules),
                    _score(table.moments[one.followed[-1].seq - 1][1]),
                    cls="beside",
                ),
                value=one.ply,
                id=anchors.id(f"move-{one.ply}"),
            )
        )
    return el("ol", items, cls="reel")


class _Law:
    """Says beside each move which rules made in play hold, and which are new since the move before."""

    def __init__(self, anchors: Anchors) -> None:
        self.anchors = anchors
        self.known: dict[int, Rule] = {}

    def beside(self, rules: RuleBook) -> Child:
        """Return the law at a move; those that follow are told what is new since."""
        made = {rule.id: rule for rule in rules.in_force if rule.turn}
        new = [rule for id, rule in made.items() if self.known.get(id) != rule]
        gone = [rule for id, rule in self.known.items() if id not in made]
        old = [rule for rule in made.values() if rule not in new]
        self.known = made
        lines: list[Child] = [
            [
                el("strong", "New: " if rule.before is None else "Changed: "),
                self.link(rule, f"{rule.number} {rule.title}"),
            ]
            for rule in new
        ]
        lines += [f"No longer in force: {rule.number} {rule.title}" for rule in gone]
        if old:
            old.sort(key=lambda rule: (isinstance(rule.number, str), str(rule.number).zfill(6)))
            numbers = [[", " if at else None, self.link(rule, str(rule.number))] for at, rule in enumerate(old)]
            lines.append(["As before: ", numbers])
        return [el("p", "Law made in play", cls="label"), items(lines or ["none"])]

    def link(self, rule: Rule, said: str) -> Element:
        """Return a link to a rule."""
        return self.anchors.link(f"rule-{rule.id}", said)


def _score(state: State) -> Child:
    """Return what everybody has: armies with the number of their pieces, and what is counted."""
    armies = state.multiverse.armies
    pieces = Counter(piece.army for piece in state.multiverse.pieces.values())
    lines: list[Child] = []
    for name, player in state.players.items():
        has = [f"{army} ({plural(pieces[army], 'piece')})" for army, one in armies.items() if one.controller == name]
        has += [*held_by(state, name), *([] if player.playing else ["out"])]
        lines.append([who(name), f": {', '.join(has) or 'no army'}"])
    return [el("p", "Score", cls="label"), items(lines)]
