"""The ways that a game went, and the law at two moments."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from nomic_nb.live.forks import Forks
from nomic_nb.markup.prose import changed_text
from nomic_nb.markup.tree import Child, Rows, el, headed, mark, number_head, soft, table
from nomic_nb.markup.words import plural, upper_first
from nomic_nb.show.tree import tree
from nomic_nb.views.redline import Difference, Redline


def forks(shown: Forks[object]) -> Element:
    """Return the ways that a game went: a tree drawn along the events, and a row each."""
    ways = list(shown.ways())
    places = {id(way.table): f"forks[{at}]" for at, way in enumerate(shown)}
    rows: Rows = [
        [
            ["– " * way.depth, upper_first(way.why), [" ", mark("played now", cls="on")] if way.here else None],
            upper_first(way.parting) or soft("–"),
            str(way.own),
            str(way.events),
            upper_first(way.begins) or soft("nothing yet"),
            el("code", "game" if way.here else f"game.{places[id(way.table)]}.game"),
        ]
        for way in ways
    ]
    drawing = tree(ways, places).element() if len(ways) > 1 else None
    found = table(
        "Ways the game went",
        ["Way", "Parts", number_head("Own events"), number_head("Events"), "Begins", "In Python"],
        rows,
    )
    return el("article", drawing, found, cls="forks")


def redline(shown: Redline) -> Element:
    """Return the law at two moments, each rule that differs as a redline."""
    if not len(shown):
        return el("p", "The law is the same.")
    return el(
        "article",
        el("h3", "How the law changed"),
        el("p", f"{plural(len(shown), 'rule')} differ{'s' if len(shown) == 1 else ''}.", cls="lede"),
        [_difference(one) for one in shown],
    )


def _difference(one: Difference) -> Child:
    rule = one.new or one.old
    if rule is None:
        return None
    changes = changed_text(one.old, one.new)
    title: list[Child] = [el("span", str(rule.number), cls="no"), " ", rule.title]
    return el("section", headed(title, one.what, tag="h4"), el("div", changes, cls="redline") if changes else None)
