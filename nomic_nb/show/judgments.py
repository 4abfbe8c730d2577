"""Judgments: the question, the Judge, the ruling, and what stands beside it."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from nomic_nb.play.state import STATUS, Judgment, Ruling
from nomic_nb.show.markup import Child, cell, el, headed, listed, mark, row_head, soft, table, who
from nomic_nb.views.judgments import Judgments

#: Tones of a status; the word says it, the frame only helps.
TONES = {"stands": "go", "ruled": "on", "asked": "on"}


def judgments(shown: Judgments) -> Element:
    """Return all judgments of a game, a row each; beside each, the rulings that it stands beside."""
    rows = [
        [
            row_head(str(one.id), cls="num"),
            cell(one.question, el("div", soft("asked by ", who(one.by), f", turn {one.turn}"))),
            cell(who(one.judge) if one.judge else "nobody", el("div", status(one))),
            cell(_ruled(one.ruling, shown.numbers(one.ruling) if one.ruling else ())),
            cell(beside(shown, one) or soft("–")),
        ]
        for one in shown
    ]
    if not rows:
        return el("p", "No judgment was invoked.")
    return el("article", table("Judgments", ["No.", "Question", "Judge", "Ruling", "Beside it"], rows), cls="judgments")


def judgment(shown: Judgment) -> Element:
    """Return one judgment by itself, with the numbers that rules had when it was ruled."""
    return el("article", _whole(shown, "h3"), cls="judgment")


def opened(found: Iterable[Judgment]) -> list[Child]:
    """Return the judgments that are open: that can be decided or overruled, or after which play waits for consent."""
    return [el("section", _whole(one, "h4"), cls="judgment") for one in found]


def _whole(shown: Judgment, tag: str) -> list[Child]:
    judge: Child = who(shown.judge) if shown.judge else "nobody is named yet" if shown.status == "asked" else "nobody"
    ballots = [f"{name} {ballot}" for name, ballot in shown.ballots.items()]
    consents = [f"{name} {ballot}" for name, ballot in shown.consents.items()]
    return [
        headed(f"Judgment {shown.id}", STATUS[shown.status], TONES.get(shown.status, ""), tag),
        el("p", el("strong", shown.question)),
        el("p", soft("Asked by ", who(shown.by), f", turn {shown.turn}", _by_rule(shown), ". "), "Judge: ", judge, "."),
        _ruled(shown.ruling, [str(one) for one in shown.ruling.numbers]) if shown.ruling else None,
        _said("On overruling it", ballots),
        _said("On going on after it", consents),
        [_said_by(one, "overruled") for one in shown.overruled],
    ]


def _by_rule(shown: Judgment) -> str:
    about = f", to end the debate on {shown.proposal}" if shown.proposal is not None else ""
    return about + ("" if shown.rule is None else f", by rule {shown.rule}")


def _said(about: str, found: list[str]) -> Element | None:
    return el("p", soft(f"{about}: "), listed(found)) if found else None


def status(shown: Judgment) -> Element:
    """Return the status of a judgment as a mark."""
    return mark(STATUS[shown.status], cls=TONES.get(shown.status, ""))


def _ruled(ruling: Ruling | None, numbers: Iterable[str]) -> list[Child]:
    if ruling is None:
        return [soft("not ruled")]
    rules = ", ".join(numbers)
    return [
        el("p", el("strong", ruling.text)),
        el("p", ruling.reasons) if ruling.reasons else None,
        el("p", soft(f"Rests on {'rules' if ',' in rules else 'rule'} {rules}.")) if rules else None,
        el("ul", [el("li", soft("orders "), el("code", one)) for one in ruling.orders], cls="clauses")
        if ruling.orders
        else None,
    ]


def beside(shown: Judgments, one: Judgment) -> list[Child]:
    """Return the rulings that a judgment stands beside: overruled ones, and older ones on the same rules."""
    return [_said_by(ruling, "overruled" if id == one.id else f"judgment {id}") for id, ruling in shown.before(one)]


def _said_by(ruling: Ruling, where: str) -> Element:
    return el("p", soft(f"{where}, "), who(ruling.judge), soft(": "), ruling.text)
