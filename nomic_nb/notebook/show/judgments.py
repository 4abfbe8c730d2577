"""Judgments: the question, the Judge, the ruling, and what stands beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TypeAlias
from xml.etree.ElementTree import Element

from nomic_nb.engine.play.verdicts import STATUS, Judgment, Ruling
from nomic_nb.engine.words import cited
from nomic_nb.notebook.markup.tree import (
    Child,
    Link,
    el,
    headed,
    items,
    parted,
    people,
    quiet,
    soft,
    stressed,
    subhead,
    unlinked,
    who,
)
from nomic_nb.study.views.judgments import Judgments
from nomic_nb.study.views.wording import wording

#: Gives the numbers of the rules that a ruling rests on.
Numbers: TypeAlias = "Callable[[Ruling], Iterable[object]]"


def judgments(shown: Judgments) -> Element:
    """Return all judgments of a game, with the numbers that rules have now; below each, what it stands beside."""
    made = [_section(one, "h4", shown.numbers, beside(shown, one)) for one in shown]
    return el("article", el("h3", "Judgments"), made, cls="judgments") if made else el("p", "No judgment was invoked.")


def judgment(shown: Judgment) -> Element:
    """Return one judgment by itself, with the numbers that rules had when it was ruled."""
    return el("article", _section(shown, "h3"))


def opened(found: Iterable[Judgment]) -> Child:
    """Return the judgments that are open: that can be decided or overruled, or after which play waits for consent."""
    return [_section(one, "h4") for one in found]


def _section(shown: Judgment, tag: str, numbers: Numbers = attrgetter("numbers"), more: Child = None) -> Element:
    about = headed(f"Judgment {shown.id}", STATUS[shown.status], wording("tones").get(shown.status, ""), tag)
    return el("section", about, told(shown, numbers), more, cls="judgment")


def told(shown: Judgment, numbers: Numbers, link: Link = unlinked) -> Child:
    """Return what is to be said of a judgment: question, Judge, rulings, ballots.

    Parameters
    ----------
    shown : Judgment
        What is told.
    numbers : callable
        Gives the numbers of the rules that a ruling rests on.
    link : callable, optional
        Makes links to rules, where they are on the same page.
    """
    judge: Child = who(shown.judge) if shown.judge else "nobody is named yet" if shown.status == "asked" else "nobody"
    about = f", about the debate on {shown.proposal}" if shown.proposal is not None else ""
    asked = f" in turn {shown.turn}{about}{cited(shown.rule)}. Judge: "
    rulings = [("Ruling, overruled", one) for one in shown.overruled]
    rulings += [("Ruling", shown.ruling)] if shown.ruling is not None else []
    ballots = (("On overruling it", shown.ballots), ("On going on after it", shown.consents))
    return [
        stressed(shown.question),
        el("p", soft("Asked by ", who(shown.by), asked), judge, soft(".")),
        [[subhead(f"{name}, by ", who(one.judge)), _ruled(one, numbers(one), link)] for name, one in rulings],
        [
            el("p", soft(f"{name}: "), people(f"{voter} {said}" for voter, said in cast.items()), soft("."))
            for name, cast in ballots
            if cast
        ],
    ]


def _ruled(shown: Ruling, numbers: Iterable[object], link: Link = unlinked) -> Child:
    rested = zip(shown.rests_on, numbers, strict=True)
    rules = parted(link(f"rule-{id}", f"rule {number}") for id, number in rested)
    return [
        stressed(shown.text),
        el("p", soft("Reasons: "), shown.reasons) if shown.reasons else None,
        quiet("Rests on ", rules, ".") if rules else None,
        items(([soft("orders "), el("code", one)] for one in shown.orders), "clauses"),
    ]


def beside(shown: Judgments, one: Judgment) -> Child:
    """Return the older rulings that a judgment stands beside; those that were overruled are told with it."""
    return [
        el("p", soft(f"Beside judgment {id}, by ", who(it.judge), ": "), it.text)
        for id, it in shown.before(one)
        if id != one.id
    ]
