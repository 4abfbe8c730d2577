"""The ways that a game went, and the law at two moments."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from nomic_nb.show.law import changed_text
from nomic_nb.show.markup import Child, cell, el, headed, number_head, plural, row_head, soft, table, upper_first
from nomic_nb.times import Difference, Forks, Redline


def forks(shown: Forks) -> Element:
    """Return the ways that a game went, a row each."""
    rows = [
        [
            row_head("– " * way.depth, upper_first(way.why)),
            cell(f"after event {way.at}" if way.depth else soft("–")),
            cell(str(way.events), cls="num"),
        ]
        for way in shown.ways()
    ]
    return table("Ways that the game went", ["Way", "Parts", number_head("Events")], rows)


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
    old, new = one.old, one.new
    changes = changed_text(
        old.wording if old else "", old.law if old else "", new.wording if new else "", new.law if new else ""
    )
    title: list[Child] = [el("span", str(rule.number), cls="no"), " ", rule.title]
    return el("section", headed(title, one.what, tag="h4"), el("div", changes, cls="redline") if changes else None)
