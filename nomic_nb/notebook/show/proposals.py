"""Changes, proposals, votes, ready-made rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import TypeAlias
from xml.etree.ElementTree import Element

from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.values import Number
from nomic_nb.engine.play import values as play
from nomic_nb.engine.play.values import STATUS, Judgment, Ruling
from nomic_nb.engine.record.seals import SEALED
from nomic_nb.engine.words import cited, plural, upper_first
from nomic_nb.notebook.markup.prose import changed_text, clauses, prose, worded
from nomic_nb.notebook.markup.tree import (
    Child,
    Link,
    Rows,
    el,
    fold,
    headed,
    items,
    mark,
    number_head,
    parted,
    people,
    quiet,
    soft,
    stressed,
    subhead,
    table,
    unlinked,
    who,
)
from nomic_nb.notebook.show.law import no_clauses
from nomic_nb.study.library.ready_made import Catalogue, Entry, LibraryRule
from nomic_nb.study.review.applicable_rules import Shelf
from nomic_nb.study.views import Proposal, Proposals, Remarks, Tally
from nomic_nb.study.views.judgments import Judgments
from nomic_nb.study.views.law import clauses_alone
from nomic_nb.study.views.phrases import wording
from nomic_nb.study.views.redline import Proposed

# --------------------------------------------------------------------------------------------------------- changes


#: The classes of a wording that stands beside something else.
QUOTED = "wording quoted"


def change(shown: Change) -> Element:
    """Return a change by itself: what it says, without the rule that it meets."""
    return el("article", el("h3", upper_first(shown.headline)), _says(shown), cls="change")


def library_rule(shown: LibraryRule) -> Element:
    """Return a ready-made rule."""
    return el(
        "article",
        headed(shown.title, "ready-made"),
        worded(shown.wording),
        subhead("Clauses"),
        clauses(shown.law),
        cls="rule",
    )


def catalogue(shown: Catalogue) -> Element:
    """Return the listing of ready-made rules."""
    return _ready("Ready-made rules", [(one, ()) for one in shown])


def shelf(shown: Shelf) -> Element:
    """Return the ready-made rules that fit a game, each with what it does to rules in force."""
    return _ready("Ready-made rules for this game", [(one.entry, (one.amends,)) for one in shown], "rules in force")


def _ready(title: str, found: list[tuple[Entry, tuple[str, ...]]], *heads: str) -> Element:
    """Return ready-made rules, and what else is said of them: a table for each subject."""
    made: list[Child] = []
    for subject, entries in groupby(found, key=lambda one: one[0].subject):
        rows: Rows = [
            [
                el("code", f"{one.name}({one.parameters})"),
                [el("strong", one.rule.title), prose(one.rule.wording)],
                *more,
            ]
            for one, more in entries
        ]
        made.append(table(upper_first(subject), ["made by", "what it says", *heads], rows))
    return el("article", el("h3", title), made)


def _says(shown: Change) -> list[Child]:
    if shown.parts:
        return [items(([el("p", upper_first(one.headline)), _says(one)] for one in shown.parts), tag="ol")]
    if shown.kind in ("repeal", "transmute"):
        what = {"repeal": "is struck out", "transmute": "changes its standing, from immutable to mutable or back"}
        where = f"Rule {shown.target}" if shown.part is None else f"Amendment {shown.part} of rule {shown.target}"
        return [el("p", f"{where} {what[shown.kind]}.")]
    retitled = shown.title and shown.kind in ("amend", "revise")
    made: list[Child] = [el("p", "New title: ", el("strong", shown.title))] if retitled else []
    if shown.wording is None:
        made.append(quiet("The wording stays as it is."))
    else:
        beside = quiet("Put alongside what the rule says:") if shown.add else None
        made += [beside, worded(shown.wording)]
    if shown.law:
        made += [subhead("Clauses"), clauses(shown.law)]
    elif shown.kind == "enact" or shown.add:
        made.append(no_clauses())
    else:
        said = "The clauses stay as they are." if shown.law is None else "The clauses are taken away."
        made.append(quiet(said))
    return made


# -------------------------------------------------------------------------------------------- proposals


def proposal(shown: Proposal) -> Element:
    """Return a proposal: who, what, the redline against the rule it changes, the vote."""
    now, worth = shown.now, shown.worth
    return el(
        "article",
        headed(f"Proposal {shown.number}", now.status, wording("tones").get(now.status, "")),
        el(
            "p",
            upper_first(now.change.headline),
            ". ",
            soft("Proposed by ", who(now.proponent), f" in turn {now.turn}."),
            cls="lede",
        ),
        proposed(shown.proposed),
        stale(now),
        remarks(shown.remarks),
        tally(shown.tally) if shown.tally else stressed("In debate; no vote is open yet."),
        el("p", str(worth)) if worth is not None else None,
        cls="proposal",
    )


def stale(shown: play.Proposal) -> Element | None:
    """Return that the rule which an open proposal is about is not to be found any more; None where it is."""
    return el("p", mark("stale", cls="void"), f" {upper_first(shown.note)}.") if shown.open and shown.note else None


def remarks(shown: Remarks) -> Element | None:
    """Return what is odd about a proposal, a line each with what it rests on below it; None where nothing is."""
    if not shown:
        return None
    lines: list[Child] = [
        fold(upper_first(one.line), one.evidence) if one.evidence else upper_first(one.line) for one in shown
    ]
    lines += [soft(upper_first(one)) for one in shown.last]
    hint = soft("(hints; none of them stops anything)")
    return el("div", subhead("Worth a thought before the vote ", hint), items(lines), cls="remarks")


def oddities(shown: Remarks) -> Element:
    """Return what is odd about a proposal by itself."""
    return remarks(shown) or el("p", "Nothing odd was found.")


def proposed(shown: Proposed, link: Link = unlinked) -> list[Child]:
    """Return what a proposal would do to the rule that it meets.

    Parameters
    ----------
    shown : Proposed
        The change beside the rule.
    link : callable, optional
        Makes links to rules, where they are on the same page.
    """
    change, before, after = shown.change, shown.before, shown.after
    if shown.parts:
        return [part(one, link) for one in shown.parts]
    if change.kind == "revise":
        return _says(change)
    if change.kind == "enact":
        return [worded(change.wording or "", QUOTED), clauses(change.law) if change.law else no_clauses()]
    if before is None:
        return [quiet(f"Rule {change.target} was not there when this was proposed."), _says(change)]
    name, retitled = link(f"rule-{before.id}", before.title), after is not None and after.title != before.title
    rule: list[Child] = [soft(f"Rule {before.number}, "), el("del", name) if retitled else name]
    if change.kind == "transmute":
        tiers: Child = [el("del", before.tier), " ", el("ins", shown.tier)] if shown.tier else before.tier
        otherwise = items(el("bdi", upper_first(one)) for one in clauses_alone(before))
        return [el("p", rule, soft(", its standing: "), tiers), worded(before.wording, QUOTED), otherwise]
    if after is None:
        return [el("p", rule), _says(change)]
    kept = ["the wording stays as it is"] if after.wording == before.wording else []
    kept += ["the clauses stay as they are"] if after.law == before.law and after.law else []
    return [
        el("p", rule, [" ", soft("retitled "), el("ins", after.title)] if retitled else None),
        changed_text(before, after),
        quiet(f"{upper_first('; '.join(kept))}.") if kept else None,
    ]


def part(shown: Proposed, link: Link = unlinked) -> Element:
    """Return one of several changes that are made together."""
    head = subhead(f"{shown.number}. ", el("strong", upper_first(shown.change.headline)))
    return el("section", head, proposed(shown, link), cls="part")


def proposals(shown: Proposals) -> Element:
    """Return all proposals, a row each."""
    tones = wording("tones")
    rows: Rows = [
        [
            str(one.number),
            who(one.proponent),
            upper_first(one.change.headline),
            [
                mark(one.status, cls=tones.get(one.status, "")),
                [" ", mark("stale", cls="void")] if one.open and one.note else None,
            ],
        ]
        for one in shown.state.proposals.values()
    ]
    if not rows:
        return el("p", "No proposals yet.")
    return el("article", table("Proposals", ["Number", "By", "Change", "Outcome"], rows), cls="proposals")


# ------------------------------------------------------------------------------------------------ votes


def tally(shown: Tally) -> Element:
    """Return a vote: the verdict, a bar, who voted what, what is needed."""
    said = [("+", "for", shown.votes_for), ("−", "against", shown.votes_against)]
    said += [("○", "abstain", shown.votes_abstained)] if "abstain" in shown.choices else []
    said = [("■", SEALED, None)] if shown.votes_for is None else said
    sides = [
        (f"{sign} {side}", side, weight, [name for name, cast in shown.ballots.items() if cast == side])
        for sign, side, weight in said
    ]
    cast = sum((weight or 0 for _, _, weight, _ in sides), start=Fraction(0))
    rest = None if shown.votes_for is None else shown.eligible - cast
    if shown.not_voted or rest:
        word = "not voted yet" if shown.status == "open" else "did not vote"
        sides.append((f"· {word}", "rest", rest, list(shown.not_voted)))
    rows: Rows = [[label, _share(weight, shown.eligible), people(names)] for label, _, weight, names in sides]
    rule = "" if shown.quota_rule is None else f"Rule {shown.quota_rule}. "
    count = len(shown.ballots) + len(shown.not_voted)
    weighed = "" if shown.eligible == count else f", who have {shown.eligible} votes"
    base = soft(rule, f"Counted against all {plural(count, 'voter')}{weighed}.")
    needed = el("code", shown.adopted_by) if shown.adopted_by else _share(shown.quota, shown.eligible)
    rows.append(["needed", needed, base])
    if shown.quorum:
        by = "" if shown.quorum_rule is None else f"Rule {shown.quorum_rule}. "
        rows.append(["to be cast", _share(shown.quorum, shown.eligible), soft(by, "Whatever the ballots say.")])
    return el(
        "div",
        stressed(shown.verdict, cls="verdict"),
        _bar([(label, side, weight) for label, side, weight, _ in sides if weight], shown),
        table(f"Vote on {shown.number}", ["Ballot", number_head("Weight"), "Who"], rows),
        cls="tally",
    )


def _share(weight: Number | None, eligible: Number) -> Child:
    if weight is None:
        return "?"
    share = f" ({round(100 * Fraction(weight) / eligible)} %)" if eligible else ""
    return [f"{weight} of {eligible}", soft(share)]


def _bar(sides: list[tuple[str, str, Number]], shown: Tally) -> Element | None:
    """Return a bar as long as all who may vote, and a line below it as long as what is needed."""
    if not sides or not shown.eligible:
        return None
    parts = [
        el("span", f"{label[0]}{weight} {label[2:]}", cls=f"share {side}", style=f"width: {_percent(weight, shown)}%")
        for label, side, weight in sides
    ]
    line = el("div", [[one, " "] for one in parts], cls="sides")
    if shown.quota is None:
        return el("div", line, cls="bar")
    needed = el("div", f"needed: {shown.quota}", cls="needed", style=f"width: {_percent(shown.quota, shown)}%")
    return el("div", line, needed, cls="bar")


def _percent(weight: Number, shown: Tally) -> str:
    return f"{max(0.0, min(100.0, float(100 * Fraction(weight) / shown.eligible))):.2f}"


# ------------------------------------------------------------------------------------------------------- judgments


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
