"""Judgments as a document tells them, each in one place: question, Judge, ruling, reasons, rules, orders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from nomic_nb.documents import text
from nomic_nb.documents.page import Anchors, node
from nomic_nb.documents.text import inline
from nomic_nb.play.state import STATUS, Judgment, Ruling
from nomic_nb.show.markup import Child, el, listed, mark, soft, upper_first, who

if TYPE_CHECKING:
    from nomic_nb.live.base import BaseGame


def rulings(one: Judgment) -> list[tuple[str, Ruling]]:
    """Return the rulings in a judgment in their order, each with what is to be said of it."""
    made = [("Ruling, overruled", ruling) for ruling in one.overruled]
    return made if one.ruling is None else [*made, ("Ruling", one.ruling)]


def ballots(one: Judgment) -> list[tuple[str, list[str]]]:
    """Return what players said on the last ruling, and on going on after it: a label, and who said what."""
    found = (("On overruling it", one.ballots), ("On going on after it", one.consents))
    return [(label, [f"{name} {said}" for name, said in cast.items()]) for label, cast in found if cast]


def asked(one: Judgment) -> str:
    """Return when a question was put and by which rule, for behind the name of who put it."""
    about = f", about the debate on {one.proposal}" if one.proposal is not None else ""
    return f" in turn {one.turn}{about}" + ("" if one.rule is None else f" (rule {one.rule})")


# ------------------------------------------------------------------------------------------------- HTML


def judgments(game: BaseGame, anchors: Anchors, rules: set[int]) -> list[Element]:
    """Return the judgments of a game, a section each, with links to the rules that they rest on.

    Parameters
    ----------
    game : BaseGame
        As it stands.
    anchors : Anchors
        Of the page.
    rules : set of int
        Ids of the rules that are on the page.
    """
    return [_judgment(game, one, anchors, rules) for one in game.judgments]


def _judgment(game: BaseGame, one: Judgment, anchors: Anchors, rules: set[int]) -> Element:
    name = el("strong", f"Judgment {one.id}")
    heading = node("p", name, " – ", mark(STATUS[one.status]), id=anchors.id(f"judgment-{one.id}"))
    judge: Child = who(one.judge) if one.judge else "nobody"
    made = [_ruling(game, about, ruling, anchors, rules) for about, ruling in rulings(one)]
    return node(
        "section",
        heading,
        node("p", el("strong", one.question)),
        node("p", soft("Asked by ", who(one.by), asked(one), ". Judge: "), judge, soft(".")),
        made,
        [node("p", soft(f"{label}: "), listed(said), soft(".")) for label, said in ballots(one)],
        cls="judgment",
    )


def _ruling(game: BaseGame, about: str, ruling: Ruling, anchors: Anchors, rules: set[int]) -> list[Child]:
    links: list[Child] = []
    for id, number in zip(ruling.rests_on, game.judgments.numbers(ruling), strict=True):
        said = f"rule {number}"
        links += [", " if links else None, anchors.link(f"rule-{id}", said) if id in rules else said]
    orders = node("ul", [node("li", soft("orders "), el("code", one)) for one in ruling.orders], cls="clauses")
    return [
        node("p", f"{about}, by ", who(ruling.judge), cls="label"),
        node("p", ruling.text),
        node("p", soft("Reasons: "), ruling.reasons) if ruling.reasons else None,
        node("p", soft("Rests on ", links, ".")) if links else None,
        orders if ruling.orders else None,
    ]


def on_rule(game: BaseGame, rule_id: int, anchors: Anchors) -> Element | None:
    """Return the judgments that rest on a rule, as links; None where there are none."""
    items = []
    for one in game.judgments:
        if one.ruling is not None and rule_id in one.ruling.rests_on:
            link = anchors.link(f"judgment-{one.id}", f"Judgment {one.id}")
            said: list[Child] = [", ", who(one.ruling.judge), ": ", one.ruling.text, f" ({STATUS[one.status]})"]
            items.append(node("li", link, said))
    return node("ul", items, cls="judged") if items else None


# --------------------------------------------------------------------------------------------- Markdown


def markdown(game: BaseGame) -> Iterator[str]:
    """Yield the judgments of a game as lines of Markdown."""
    for one in game.judgments:
        yield from ["", f"#### Judgment {one.id} – {STATUS[one.status]}", "", f"**{inline(one.question)}**", ""]
        yield f"Asked by {inline(one.by)}{asked(one)}. Judge: {inline(one.judge or 'nobody')}."
        for about, ruling in rulings(one):
            yield from ["", f"{about}, by {inline(ruling.judge)}:", ""]
            yield from text.quoted([inline(ruling.text), *(["", inline(ruling.reasons)] if ruling.reasons else [])])
            rules = ", ".join(f"rule {number}" for number in game.judgments.numbers(ruling))
            yield from (["", f"Rests on {inline(rules)}."] if rules else [])
            yield from (["", "Orders:", "", *text.fenced("\n".join(ruling.orders), "text")] if ruling.orders else [])
        for label, said in ballots(one):
            yield from ["", f"{label}: {inline(', '.join(said))}."]


def remarks(game: BaseGame, rule_id: int) -> Iterator[str]:
    """Yield the judgments that rest on a rule as items of a list in Markdown."""
    for one in game.judgments:
        if one.ruling is not None and rule_id in one.ruling.rests_on:
            said = f"Judgment {one.id}, {one.ruling.judge}: {one.ruling.text} ({STATUS[one.status]})"
            yield f"- {inline(upper_first(said))}"
