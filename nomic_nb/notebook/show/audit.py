"""Display of an audit: how much is the same, every difference with its reason, a line for each proposal."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from nomic_nb.notebook.markup.tree import build_element, folded_section, item_list, quiet_paragraph, table_element
from nomic_nb.study.audit.report import AuditReport

#: Differences that are listed at once; the frame has them all.
MOST_LISTED = 200


def draw_audit(shown: AuditReport) -> Element:
    """Return the headline of an audit, its differences, a table of proposals and the problems of its tables."""
    told, problems = list(shown.told_differences), list(shown.told_problems)
    rows = [
        [
            str(line.number), line.proponent, line.kind, line.recorded or "–", line.law or "–",
            ", ".join(filter(None, (line.verdict, line.closing))), line.votes, line.bridges,
        ]
        for line in shown.lines
    ]  # fmt: skip
    heads = ("Proposal", "By", "Kind", "Record", "Law", "Verdict", "Votes", "Rests on")
    return build_element(
        "article",
        build_element("h3", "Audit"),
        build_element("p", build_element("strong", shown.headline)),
        item_list(told[:MOST_LISTED]) if told else quiet_paragraph("The record and its law agree."),
        quiet_paragraph(f"{len(told) - MOST_LISTED} more are in differences.") if len(told) > MOST_LISTED else None,
        folded_section("Problems in the tables", item_list(problems), is_open=len(problems) < 10) if problems else None,
        folded_section("Every proposal", table_element("Proposals of the record", heads, rows), is_open=len(rows) < 20),
        cls="review",
    )
