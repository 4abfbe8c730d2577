"""Changes, proposals, votes, ready-made rules."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from xml.etree.ElementTree import Element

from nomic_nb.law.changes import Change, Making, make
from nomic_nb.law.rules import Rule, RuleBook
from nomic_nb.law.values import Number, Ref
from nomic_nb.play import state as play
from nomic_nb.record.seals import SEALED
from nomic_nb.rulesets.library.listing import Catalogue
from nomic_nb.rulesets.library.making import LibraryRule
from nomic_nb.show.law import changed_text
from nomic_nb.show.markup import (
    Child,
    cell,
    el,
    fold,
    headed,
    listed,
    mark,
    number_head,
    row_head,
    soft,
    table,
    upper_first,
    who,
)
from nomic_nb.show.prose import clauses, prose
from nomic_nb.views import Proposal, Proposals, Remarks, Tally


def change(shown: Change) -> Element:
    """Return a change by itself: what it says, without the rule that it meets."""
    return el("article", el("h3", upper_first(shown.headline)), _says(shown), cls="change")


def library_rule(shown: LibraryRule) -> Element:
    """Return a ready-made rule."""
    return el(
        "article",
        headed(shown.title, "ready-made"),
        el("div", prose(shown.wording), cls="wording"),
        el("p", "Clauses", cls="label"),
        clauses(shown.law),
        cls="rule",
    )


def catalogue(shown: Catalogue) -> Element:
    """Return the listing of ready-made rules: a table for each subject."""
    made: list[Child] = []
    for subject, entries in groupby(shown, key=lambda one: one.subject):
        rows = [
            [
                row_head(el("code", f"{one.name}({one.parameters})")),
                cell(el("strong", one.rule.title), prose(one.rule.wording)),
            ]
            for one in entries
        ]
        made.append(table(upper_first(subject), ["made by", "what it says"], rows))
    return el("article", el("h3", "Ready-made rules"), made)


def _says(shown: Change) -> list[Child]:
    made: list[Child] = []
    if shown.kind in ("repeal", "transmute"):
        what = {"repeal": "is struck out", "transmute": "changes its standing, from immutable to mutable or back"}
        where = f"Rule {shown.target}" if shown.part is None else f"Amendment {shown.part} of rule {shown.target}"
        return [el("p", f"{where} {what[shown.kind]}.")]
    if shown.title and shown.kind == "amend":
        made.append(el("p", "New title: ", el("strong", shown.title)))
    if shown.wording is None:
        made.append(el("p", "The wording stays as it is.", cls="soft"))
    else:
        beside = "Put beside what the rule says:" if shown.add else ""
        made += [el("p", beside, cls="soft") if beside else None, el("div", prose(shown.wording), cls="wording")]
    if shown.law:
        made += [el("p", "Clauses", cls="label"), clauses(shown.law)]
    elif shown.kind == "enact" or shown.add:
        made.append(el("p", "No clauses: people apply this rule.", cls="soft"))
    else:
        said = "The clauses stay as they are." if shown.law is None else "The clauses are taken away."
        made.append(el("p", said, cls="soft"))
    return made


# -------------------------------------------------------------------------------------------- proposals


def proposal(shown: Proposal) -> Element:
    """Return a proposal: who, what, the redline against the rule it changes, the vote."""
    now, rule, worth = shown.now, shown.rule, shown.worth
    aim: list[Child] = [upper_first(now.change.headline)]
    if rule is not None:
        aim.append(f" “{rule.title}”")
    return el(
        "article",
        headed(f"Proposal {shown.number}", now.status, _tone(now.status)),
        el("p", aim, ". ", soft("Proposed by ", who(now.proponent), f" in turn {now.turn}."), cls="lede"),
        _redlined(shown, now, rule),
        stale(now),
        remarks(shown.remarks),
        tally(shown.tally) if shown.tally else el("p", el("strong", "In debate; no vote is open yet.")),
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
        el("li", fold(upper_first(one.line), one.evidence) if one.evidence else upper_first(one.line)) for one in shown
    ]
    lines += [el("li", soft(upper_first(one))) for one in shown.last]
    hint = soft("(hints; none of them stops anything)")
    return el("div", el("p", "Worth a thought before the vote ", hint, cls="label"), el("ul", lines), cls="remarks")


def _redlined(shown: Proposal, now: play.Proposal, rule: Rule | None) -> list[Child]:
    change = now.change
    if change.kind == "enact":
        return [*_says(change)]
    if rule is None:
        return [el("p", f"Rule {change.target} was not there when this was proposed.", cls="soft"), *_says(change)]
    if change.kind == "transmute":
        return [el("p", "Its standing: ", _standing(shown, rule)), el("div", prose(rule.wording), cls="wording")]
    after = _after(rule, change)
    if after is None:
        return _says(change)
    made: list[Child] = []
    if after.title != rule.title:
        made.append(el("p", "Title: ", el("del", rule.title), " ", el("ins", after.title)))
    made += changed_text(rule.wording, rule.law, after.wording, after.law)
    if after.law == rule.law:
        made.append(el("p", "The clauses stay as they are." if rule.law else "There are no clauses.", cls="soft"))
    if after.wording == rule.wording:
        made.append(el("p", "The wording stays as it is.", cls="soft"))
    return [el("div", made, cls="redline")]


def _after(rule: Rule, change: Change) -> Rule | None:
    """Return the rule as the change would leave it, its texts only; None where the change cannot be made."""
    if change.kind == "repeal" and change.part is None:
        return replace(rule, parts=(replace(rule.parts[0], wording="", law=""),))
    try:
        # The clauses are not read again here: only their text is shown.
        _, after = make(RuleBook({rule.id: rule}), change, (), Making(None, 0, 0, None, takes_number=False))
    except LookupError:
        return None
    return after


def _standing(shown: Proposal, rule: Rule) -> list[Child]:
    """Return the old standing and the new one, as the law had it when this was proposed."""
    case = {"proposal": Ref("proposal", shown.number)}
    for event, state in reversed(shown.table.moments):  # one that was undone may have had this number
        if event.kind == "proposed" and event.data["number"] == shown.number:
            found = state.law.find("transmute.tier", state, case)
            if found.answered:
                return [el("del", rule.tier), " ", el("ins", str(found.value)), "."]
    return [f"{rule.tier}; the law in force says what it becomes."]


def proposals(shown: Proposals) -> Element:
    """Return all proposals, a row each."""
    rows = []
    for one in shown:
        now = shown.state.proposals[one.number]
        rows.append([
            row_head(str(one.number)),
            cell(who(now.proponent)),
            cell(upper_first(now.change.headline)),
            cell(mark(now.status, cls=_tone(now.status)), [" ", mark("stale", cls="void")] if one.stale else None),
        ])  # fmt: skip
    if not rows:
        return el("p", "No proposals yet.")
    return el("article", table("Proposals", ["Number", "By", "Change", "Outcome"], rows), cls="proposals")


def _tone(status: str) -> str:
    return {"adopted": "go", "defeated": "no-go", "lapsed": "no-go", "without effect": "no-go"}.get(status, "")


# ------------------------------------------------------------------------------------------------ votes


def tally(shown: Tally) -> Element:
    """Return a vote: the verdict, a bar, who voted what, what is needed."""
    sides: list[tuple[str, str, Number | None, list[str]]]
    voters = {side: [name for name, ballot in shown.ballots.items() if ballot == side] for side in ("for", "against")}
    if shown.votes_for is None or shown.votes_against is None:
        sealed = [name for name, ballot in shown.ballots.items() if ballot == SEALED]
        sides = [("■ sealed", "sealed", None, sealed)]
    else:
        sides = [
            ("+ for", "for", shown.votes_for, voters["for"]),
            ("− against", "against", shown.votes_against, voters["against"]),
        ]
    cast = sum((weight or 0 for _, _, weight, _ in sides), start=Fraction(0))
    rest = None if shown.votes_for is None else shown.eligible - cast
    if shown.not_voted or rest:
        word = "not voted yet" if shown.status == "open" else "did not vote"
        sides.append((f"· {word}", "rest", rest, list(shown.not_voted)))
    rows = [
        [row_head(label, cls=side), cell(_share(weight, shown.eligible), cls="num"), cell(listed(names))]
        for label, side, weight, names in sides
    ]
    rule = "" if shown.quota_rule is None else f"Rule {shown.quota_rule}. "
    rows.append([
        row_head("needed"),
        cell(_share(shown.quota, shown.eligible), cls="num"),
        cell(soft(rule, f"The base is all who may vote: {shown.eligible}.")),
    ])  # fmt: skip
    heads: list[Child] = ["Ballot", number_head("Weight"), "Who"]
    return el(
        "div",
        el("p", el("strong", shown.verdict), cls="verdict"),
        _bar([(label, side, weight) for label, side, weight, _ in sides if weight], shown),
        table(f"Vote on {shown.number}", heads, rows),
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
    needed = el("div", f"needed: {shown.quota}", cls="needed", style=f"width: {_percent(shown.quota, shown)}%")
    return el("div", el("div", [[one, " "] for one in parts], cls="sides"), needed, cls="bar")


def _percent(weight: Number, shown: Tally) -> str:
    return f"{max(0.0, min(100.0, float(100 * Fraction(weight) / shown.eligible))):.2f}"
