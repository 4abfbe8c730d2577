"""Changes, proposals, votes, ready-made rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import TypeAlias
from xml.etree.ElementTree import Element

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.law.values import Number
from nomic_nb.engine.play import values as play
from nomic_nb.engine.play.values import JUDGMENT_STATUS, Judgment, Ruling
from nomic_nb.engine.record.seals import SEALED_TEXT
from nomic_nb.engine.words import count_phrase, full_sentence, rule_citation, upper_first
from nomic_nb.notebook.markup.prose import (
    clause_blocks,
    clause_list,
    compare_texts,
    has_changes,
    passage_elements,
    prose_elements,
    read_blocks,
    redline_elements,
    wording_section,
)
from nomic_nb.notebook.markup.tree import (
    Child,
    Link,
    TableRows,
    badge,
    build_element,
    folded_section,
    heading_with_badge,
    item_list,
    join_children,
    number_heading,
    player_list,
    player_name,
    quiet_paragraph,
    quiet_text,
    strong_paragraph,
    subheading,
    table_element,
    unlinked_words,
)
from nomic_nb.notebook.show.law import no_clauses_paragraph
from nomic_nb.study.library.ready_made import NOTHING_FOUND, Catalogue, CatalogueEntry, LibraryRule
from nomic_nb.study.review.applicable_rules import ApplicableRules
from nomic_nb.study.review.movement import MovementChange, find_changed_movement
from nomic_nb.study.review.preview import ProposalPreview
from nomic_nb.study.views import Proposal, ProposalRemarks, Proposals, Tally, VotedProposal
from nomic_nb.study.views.enforcement import changed_clause_notes
from nomic_nb.study.views.explanations import explain
from nomic_nb.study.views.judgments import Judgments
from nomic_nb.study.views.phrases import wording_table
from nomic_nb.study.views.proposals import state_when_proposed
from nomic_nb.study.views.redline import ProposedRule

# --------------------------------------------------------------------------------------------------------- changes


#: The classes of a wording that is beside something else.
QUOTED_CLASS = "wording quoted"


def draw_change(shown: Change) -> Element:
    """Return a rule change by itself: its headline and new text, not the rule that it changes."""
    return build_element("article", build_element("h3", upper_first(shown.headline)), _change_text(shown), cls="change")


def draw_library_rule(shown: LibraryRule) -> Element:
    """Return a ready-made rule: title, wording and clauses."""
    return build_element(
        "article",
        heading_with_badge(shown.title, "ready-made"),
        wording_section(shown.wording),
        subheading("Clauses"),
        clause_list(shown.law),
        cls="rule",
    )


def draw_catalogue(shown: Catalogue) -> Element:
    """Return the catalogue of ready-made rules as tables, one for each subject."""
    return _ready_made_tables("Ready-made rules", shown.words, [(entry, ()) for entry in shown])


def draw_applicable_rules(shown: ApplicableRules) -> Element:
    """Return the ready-made rules that fit a game, each with what it does to the rules in force."""
    return _ready_made_tables(
        "Ready-made rules for this game",
        shown.words,
        [(applicable.entry, (applicable.amends,)) for applicable in shown],
        "rules in force",
    )


def _ready_made_tables(
    title: str, words: str, catalogue_rows: list[tuple[CatalogueEntry, tuple[str, ...]]], *extra_headings: str
) -> Element:
    """Return tables of ready-made rules by subject, or one of those found by a search for some words.

    Each row is an entry and its cells for the extra columns.
    """
    tables: list[Child] = [] if catalogue_rows else [quiet_paragraph(NOTHING_FOUND)]
    for subject, entries in groupby(catalogue_rows, key=lambda entry: f"“{words}”" if words else entry[0].subject):
        rows: TableRows = [
            [
                build_element("code", f"{entry.name}({entry.parameters})"),
                [build_element("strong", entry.rule.title), prose_elements(entry.rule.wording)],
                *more,
            ]
            for entry, more in entries
        ]
        tables.append(table_element(upper_first(subject), ["made by", "what it says", *extra_headings], rows))
    return build_element("article", build_element("h3", title), tables)


def _list_parts(shown: Change, draw: Callable[[Change], list[Child]]) -> list[Child]:
    """Return the changes that are made together as a list, each with its headline and drawn by `draw`."""
    return [
        item_list(
            ([build_element("p", upper_first(change.headline)), draw(change)] for change in shown.parts), tag="ol"
        )
    ]


def _change_text(shown: Change) -> list[Child]:
    """Return a change's new title, wording and clauses, or what is repealed; group members as a list."""
    if shown.parts:
        return _list_parts(shown, _change_text)
    clauses: list[Child] = [subheading("Clauses"), clause_list(shown.law)] if shown.law else []
    return [*_change_wording(shown), *clauses]


def _change_wording(shown: Change) -> list[Child]:
    """Return a change's new title and wording, or what is repealed; and a note if it brings no clauses."""
    if shown.parts:
        return _list_parts(shown, _change_wording)
    if shown.kind in ("repeal", "transmute"):
        what = {"repeal": "is repealed", "transmute": "is transmuted: it changes from immutable to mutable, or back"}
        where = f"Rule {shown.target}" if shown.part is None else f"Amendment {shown.part} of rule {shown.target}"
        return [build_element("p", f"{where} {what[shown.kind]}.")]
    retitled = shown.title and shown.kind in ("amend", "revise")
    children: list[Child] = (
        [build_element("p", "New title: ", build_element("strong", shown.title))] if retitled else []
    )
    if shown.wording is None:
        children.append(quiet_paragraph("The wording stays the same."))
    else:
        beside = quiet_paragraph("Added to what the rule says:") if shown.add else None
        children += [beside, wording_section(shown.wording)]
    if shown.law:
        return children
    if shown.kind == "enact" or shown.add:
        children.append(no_clauses_paragraph())
    else:
        sentence = "The clauses stay the same." if shown.law is None else "The clauses are removed."
        children.append(quiet_paragraph(sentence))
    return children


def _change_clauses(shown: Change) -> list[Child]:
    """Return the clauses that a change brings; those of the members of a group in order."""
    return [element for change in shown.numbered_changes for element in clause_list(change.law or "")]


# -------------------------------------------------------------------------------------------- proposals


def draw_proposal(shown: Proposal) -> Element:
    """Return a proposal: status, proponent, redline of the rule, remarks, tally; or why the game has it no more."""
    if shown.moment_note:
        return strong_paragraph(full_sentence(shown.moment_note))
    now, worth = shown.as_it_stands, shown.score
    state = state_when_proposed(shown.timeline, shown.number)
    return build_element(
        "article",
        heading_with_badge(f"Proposal {shown.number}", now.status, wording_table("tones").get(now.status, "")),
        build_element(
            "p",
            upper_first(now.change.headline),
            ". ",
            quiet_text("Proposed by ", player_name(now.proponent), f" in turn {now.turn}."),
            cls="lede",
        ),
        draw_proposed(shown.proposed_rule),
        _draw_plain_sentences(now.change),
        draw_movement(find_changed_movement(state, now.change, now.proponent, now.number)),
        stale_note(now),
        draw_warnings(shown.remarks),
        draw_next_effects(shown.remarks.next_effects),
        draw_tally(shown.tally) if shown.tally else strong_paragraph("In debate; no vote is open yet."),
        build_element("p", str(worth)) if worth is not None else None,
        cls="proposal",
    )


def draw_preview(shown: ProposalPreview) -> Element:
    """Return what voters would see of a change: redline, plain English, movement and remarks."""
    change = shown.proposed_rule.change
    return build_element(
        "article",
        heading_with_badge("Preview", "not proposed yet"),
        build_element("p", upper_first(change.headline), ".", cls="lede"),
        strong_paragraph(f"It can’t be proposed now: {shown.refusal}") if shown.refusal else None,
        strong_paragraph(shown.asks) if shown.asks else None,
        draw_proposed(shown.proposed_rule),
        _draw_plain_sentences(change),
        draw_movement(shown.movement),
        draw_warnings(shown.remarks),
        draw_next_effects(shown.remarks.next_effects),
        cls="proposal",
    )


def draw_next_effects(sentences: Sequence[str]) -> Child:
    """Return what new clauses do next as a list below a heading; None if that is not known."""
    items = item_list(sentences)
    return None if items is None else build_element("div", subheading("What it does next"), items)


def plain_sentences(change: Change) -> list[str]:
    """Return the clauses of a change in plain English; empty if the language of today cannot read them."""
    try:
        return list(explain(change).sentences)
    except LawError:
        return []


def _draw_plain_sentences(change: Change) -> Child:
    """Return the clauses of a change in plain English as a list below a heading; None without clauses."""
    sentences = item_list(plain_sentences(change))
    return None if sentences is None else build_element("div", subheading("In plain English"), sentences)


def draw_movement(shown: MovementChange | None) -> Element | None:
    """Return a picture of how a kind of piece would move, with its words; None without a change of movement."""
    if shown is None:
        return None
    heads = {"kept": "As before", "new": "New", "lost": "No longer"}
    lines: list[Child] = [
        [build_element("strong", f"{heads[how]}: "), phrase] for how, phrases in shown.phrases.items()
        for phrase in phrases
    ]  # fmt: skip
    return build_element(
        "div",
        subheading(f"How the {shown.name} would move"),
        build_element("div", shown.picture.element(), item_list(lines), cls="side-by-side"),
    )


def draw_voted_proposal(shown: VotedProposal) -> Element:
    """Return a proposal with notes on the ballots that were not cast."""
    return build_element("div", *(strong_paragraph(note) for note in shown.notes), draw_proposal(shown))


def stale_note(shown: play.Proposal) -> Element | None:
    """Return a note that the rule an open proposal would change is gone; None if it is not."""
    return (
        build_element("p", badge("stale", cls="void"), f" {upper_first(shown.note)}.")
        if shown.is_open and shown.note
        else None
    )


def draw_warnings(shown: ProposalRemarks) -> Element | None:
    """Return the remarks (warnings) on a proposal as a list with evidence to unfold, or None."""
    if not shown:
        return None
    lines: list[Child] = [
        folded_section(upper_first(remark.line), remark.evidence) if remark.evidence else upper_first(remark.line)
        for remark in shown
    ]
    lines += [quiet_text(upper_first(remark)) for remark in shown.closing_lines]
    hint = quiet_text("(hints only; none of them blocks the proposal)")
    return build_element("div", subheading("Check before you vote ", hint), item_list(lines), cls="remarks")


def draw_warnings_alone(shown: ProposalRemarks) -> Element:
    """Return the remarks (warnings) on a proposal, or a sentence if none exist."""
    return draw_warnings(shown) or build_element("p", "No problems found.")


def draw_proposed(shown: ProposedRule, link: Link = unlinked_words) -> list[Child]:
    """Return what a proposal would do to the rule it changes, as a redline or new text; `link` links to that rule.

    Parameters
    ----------
    shown : Proposed
        The change beside the rule.
    link : callable, optional
        Makes links to rules, where they are on the same page.
    """
    change, before, after = shown.change, shown.before, shown.after
    if shown.parts:
        return [draw_change_in_group(proposed_rule, link) for proposed_rule in shown.parts]
    if change.kind == "enact":
        return [*_enacted_wording(change), clause_list(change.law or "")]
    if change.kind == "transmute" and before is not None:
        return _draw_transmuted(shown, before, link)
    if change.kind == "revise" or before is None or after is None:
        return [*_rule_line(shown, link), *_change_text(change)]
    return [*_rule_line(shown, link), redline_elements(before, after), _kept_texts(before, after)]


def draw_proposed_wording(shown: ProposedRule) -> list[Child]:
    """Return what a proposal would do to a rule, without the clauses and the rule's name."""
    change, before, after = shown.change, shown.before, shown.after
    if shown.parts:
        return [_draw_part(part, draw_proposed_wording(part)) for part in shown.parts]
    if change.kind == "enact":
        return _enacted_wording(change)
    if change.kind == "transmute" and before is not None:
        return _draw_transmuted(shown, before, unlinked_words)
    if change.kind == "revise" or before is None or after is None:
        return [*_rule_line(shown, unlinked_words), *_change_wording(change)]
    wording = compare_texts(read_blocks(before.wording), read_blocks(after.wording))
    redline = build_element("div", passage_elements(wording), cls="wording") if has_changes(wording) else None
    return [
        build_element("div", redline, cls="redline quoted") if redline is not None else None,
        _kept_texts(before, after),
    ]


def draw_proposed_clauses(shown: ProposedRule) -> list[Child]:
    """Return the clauses that a proposal would bring, change or remove; empty if they stay the same."""
    change, before, after = shown.change, shown.before, shown.after
    if shown.parts:
        drawn = ((part, draw_proposed_clauses(part)) for part in shown.parts)
        return [_draw_part(part, clauses) for part, clauses in drawn if clauses]
    if change.kind in ("enact", "revise") or before is None or after is None:
        return _change_clauses(change)
    law = compare_texts(clause_blocks(before.law), clause_blocks(after.law))
    return [*passage_elements(law)] if has_changes(law) else []


def _enacted_wording(change: Change) -> list[Child]:
    """Return the wording of a new rule, and a note if the rule has no clauses."""
    note: list[Child] = [] if change.law else [no_clauses_paragraph()]
    return [wording_section(change.wording or "", QUOTED_CLASS), *note]


def _rule_line(shown: ProposedRule, link: Link) -> list[Child]:
    """Return a line that names the rule to be changed, or says that it is not there; nothing for a revision."""
    change, before, after = shown.change, shown.before, shown.after
    if change.kind == "revise":
        return []
    if before is None:
        return [quiet_paragraph(f"Rule {change.target} didn’t exist when this was proposed.")]
    name, retitled = link(f"rule-{before.id}", before.title), after is not None and after.title != before.title
    rule: list[Child] = [quiet_text(f"Rule {before.number}, "), build_element("del", name) if retitled else name]
    if after is None:
        return [build_element("p", rule)]
    new: Child = [" ", quiet_text("retitled "), build_element("ins", after.title)] if retitled else None
    return [build_element("p", rule, new)]


def _draw_transmuted(shown: ProposedRule, before: Rule, link: Link) -> list[Child]:
    """Return a rule that a proposal would transmute: its old and new tier, its wording, and notes on its clauses."""
    tiers: Child = (
        [build_element("del", before.tier), " ", build_element("ins", shown.tier)] if shown.tier else before.tier
    )
    rule = [quiet_text(f"Rule {before.number}, "), link(f"rule-{before.id}", before.title)]
    notes = item_list(build_element("bdi", upper_first(note)) for note in changed_clause_notes(before))
    return [
        build_element("p", rule, quiet_text(", its standing: "), tiers),
        wording_section(before.wording, QUOTED_CLASS),
        notes,
    ]


def _kept_texts(before: Rule, after: Rule) -> Element | None:
    """Return a line that says which texts of a rule an amendment leaves as they are; None if it leaves none."""
    kept = ["the wording stays the same"] if after.wording == before.wording else []
    kept += ["the clauses stay the same"] if after.law == before.law and after.law else []
    return quiet_paragraph(f"{upper_first('; '.join(kept))}.") if kept else None


def draw_change_in_group(shown: ProposedRule, link: Link = unlinked_words) -> Element:
    """Return one of several changes that are made together, below its number and headline."""
    return _draw_part(shown, draw_proposed(shown, link))


def _draw_part(shown: ProposedRule, children: list[Child]) -> Element:
    """Return what is drawn of one of several changes below its number and headline."""
    head = subheading(f"{shown.number}. ", build_element("strong", upper_first(shown.change.headline)))
    return build_element("section", head, children, cls="part")


def draw_proposals(shown: Proposals) -> Element:
    """Return a table of all proposals: number, proponent, change, outcome."""
    tones = wording_table("tones")
    rows: TableRows = [
        [
            str(proposal.number),
            player_name(proposal.proponent),
            upper_first(proposal.change.headline),
            [
                badge(proposal.status, cls=tones.get(proposal.status, "")),
                [" ", badge("stale", cls="void")] if proposal.is_open and proposal.note else None,
            ],
        ]
        for proposal in shown.state.proposals.values()
    ]
    if not rows:
        return build_element("p", "No proposals yet.")
    return build_element(
        "article", table_element("Proposals", ["Number", "By", "Change", "Outcome"], rows), cls="proposals"
    )


# ------------------------------------------------------------------------------------------------ votes


#: The sign of each side in a tally.
SIGNS = {"for": "+", "against": "−", "abstain": "○", SEALED_TEXT: "■"}


def draw_tally(shown: Tally) -> Element:
    """Return the tally of a vote: verdict, bar, who voted what, and how much is needed."""
    sealed = ((SEALED_TEXT, SEALED_TEXT, None),)
    named = {name: name for name in shown.ballots}
    named |= {name: f"{name} (through {other})" for name, other in shown.through.items()}
    sides = [
        (f"{SIGNS[side]} {word}", side, weight, [named[name] for name, cast in shown.ballots.items() if cast == word])
        for word, side, weight in (sealed if shown.votes_for is None else shown.words)
    ]
    cast = sum((weight or 0 for _, _, weight, _ in sides), start=Fraction(0))
    rest = None if shown.votes_for is None else shown.eligible - cast
    if shown.not_voted or rest:
        word = "not voted yet" if shown.status == "open" else "did not vote"
        sides.append((f"· {word}", "rest", rest, list(shown.not_voted)))
    rows: TableRows = [
        [label, _weight_with_share(weight, shown.eligible), player_list(names)] for label, _, weight, names in sides
    ]
    rule = "" if shown.quota_rule is None else f"Rule {shown.quota_rule}. "
    count = len(shown.ballots) + len(shown.not_voted)
    weighed = "" if shown.eligible == count else f", who have {shown.eligible} votes"
    base = quiet_text(rule, f"Counted against all {count_phrase(count, 'voter')}{weighed}.")
    needed = (
        build_element("code", shown.adopted_by) if shown.adopted_by else _weight_with_share(shown.quota, shown.eligible)
    )
    rows.append(["needed", needed, base])
    if shown.quorum:
        by = "" if shown.quorum_rule is None else f"Rule {shown.quorum_rule}. "
        rows.append(
            [
                "to be cast",
                _weight_with_share(shown.quorum, shown.eligible),
                quiet_text(by, "Whether for or against."),
            ]
        )
    return build_element(
        "div",
        quiet_paragraph(shown.moment_note) if shown.moment_note else None,
        strong_paragraph(shown.verdict, cls="verdict"),
        _draw_bar([(label, side, weight) for label, side, weight, _ in sides if weight], shown),
        table_element(f"Vote on {shown.number}", ["Ballot", number_heading("Weight"), "Who"], rows),
        cls="tally",
    )


def _weight_with_share(weight: Number | None, eligible: Number) -> Child:
    """Return a vote weight as “3 of 5” with its percentage; “?” if it is None, not known yet."""
    if weight is None:
        return "?"
    share = f" ({round(100 * Fraction(weight) / eligible)} %)" if eligible else ""
    return [f"{weight} of {eligible}", quiet_text(share)]


def _draw_bar(sides: list[tuple[str, str, Number]], shown: Tally) -> Element | None:
    """Return a bar with a part per (label, CSS class, weight), above a line as long as the quota; None if no votes."""
    if not sides or not shown.eligible:
        return None
    parts = [
        build_element(
            "span",
            f"{label[0].strip('·')}{weight} {label[2:]}",
            cls=f"share {side}",
            style=f"width: {_percent_of_votes(weight, shown)}%",
        )
        for label, side, weight in sides
    ]
    line = build_element("div", [[element, " "] for element in parts], cls="sides")
    if shown.quota is None:
        return build_element("div", line, cls="bar")
    needed = build_element(
        "div", f"needed: {shown.quota}", cls="needed", style=f"width: {_percent_of_votes(shown.quota, shown)}%"
    )
    return build_element("div", line, needed, cls="bar")


def _percent_of_votes(weight: Number, shown: Tally) -> str:
    """Return a weight as a percentage of all votes, from “0.00” to “100.00”, for a CSS width."""
    return f"{max(0.0, min(100.0, float(100 * Fraction(weight) / shown.eligible))):.2f}"


# ------------------------------------------------------------------------------------------------------- judgments


#: Gives the numbers of the rules that a ruling rests on.
RulingNumbers: TypeAlias = "Callable[[Ruling], Iterable[object]]"


def draw_judgments(shown: Judgments) -> Element:
    """Return all judgments of a game, with the present numbers of the rules that they rest on."""
    elements = [
        _judgment_section(judgment, "h4", shown.current_rule_numbers, older_rulings(shown, judgment))
        for judgment in shown
    ]
    return (
        build_element("article", build_element("h3", "Judgments"), elements, cls="judgments")
        if elements
        else build_element("p", "No judgment was invoked.")
    )


def draw_judgment(shown: Judgment) -> Element:
    """Return one judgment by itself, with rules numbered as they were when it was ruled."""
    return build_element("article", _judgment_section(shown, "h3"))


def draw_open_judgments(judgments: Iterable[Judgment]) -> Child:
    """Return the judgments that can still be decided, overruled or consented to."""
    return [_judgment_section(judgment, "h4") for judgment in judgments]


def _judgment_section(
    shown: Judgment, tag: str, numbers: RulingNumbers = attrgetter("numbers"), more: Child = None
) -> Element:
    """Return a judgment below its heading (of a `tag`), its rules numbered by `numbers`, then `more`."""
    about = heading_with_badge(
        f"Judgment {shown.id}", JUDGMENT_STATUS[shown.status], wording_table("tones").get(shown.status, ""), tag
    )
    return build_element("section", about, judgment_paragraphs(shown, numbers), more, cls="judgment")


def judgment_paragraphs(shown: Judgment, numbers: RulingNumbers, link: Link = unlinked_words) -> Child:
    """Return a judgment's question, Judge, rulings and ballots as paragraphs.

    Parameters
    ----------
    shown : Judgment
        What is told.
    numbers : callable
        Gives the numbers of the rules that a ruling rests on.
    link : callable, optional
        Makes links to rules, where they are on the same page.
    """
    judge: Child = (
        player_name(shown.judge) if shown.judge else "nobody is named yet" if shown.status == "asked" else "nobody"
    )
    about = f", about the debate on {shown.proposal}" if shown.proposal is not None else ""
    asked = f" in turn {shown.turn}{about}{rule_citation(shown.rule)}. Judge: "
    rulings = [("Ruling, overruled", ruling) for ruling in shown.overruled]
    rulings += [("Ruling", shown.ruling)] if shown.ruling is not None else []
    ballots = (("On overruling it", shown.ballots), ("On continuing after it", shown.consents))
    return [
        strong_paragraph(shown.question),
        build_element("p", quiet_text("Asked by ", player_name(shown.by), asked), judge, quiet_text(".")),
        [
            [subheading(f"{name}, by ", player_name(ruling.judge)), _ruling_paragraphs(ruling, numbers(ruling), link)]
            for name, ruling in rulings
        ],
        [
            build_element(
                "p",
                quiet_text(f"{name}: "),
                player_list(f"{voter} {sentence}" for voter, sentence in cast.items()),
                quiet_text("."),
            )
            for name, cast in ballots
            if cast
        ],
    ]


def _ruling_paragraphs(shown: Ruling, numbers: Iterable[object], link: Link = unlinked_words) -> Child:
    """Return a ruling's text, reasons, orders, and the rules that it rests on with their numbers."""
    rested = zip(shown.rests_on, numbers, strict=True)
    rules = join_children(link(f"rule-{id}", f"rule {number}") for id, number in rested)
    return [
        strong_paragraph(shown.text),
        build_element("p", quiet_text("Reasons: "), shown.reasons) if shown.reasons else None,
        quiet_paragraph("Rests on ", rules, ".") if rules else None,
        item_list(([quiet_text("orders "), build_element("code", order)] for order in shown.orders), "clauses"),
    ]


def older_rulings(shown: Judgments, judgment: Judgment) -> Child:
    """Return paragraphs with the rulings of earlier judgments that rest on the same rules."""
    return [
        build_element("p", quiet_text(f"Beside judgment {id}, by ", player_name(it.judge), ": "), it.text)
        for id, it in shown.related_rulings(judgment)
        if id != judgment.id
    ]
