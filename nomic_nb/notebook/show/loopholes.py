"""Display of a search for loopholes: the claim, each line that proves it, and what was tried."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.words import join_words, upper_first
from nomic_nb.notebook.markup.tree import build_element, folded_section, item_list, quiet_paragraph
from nomic_nb.study.search.dead_ends import DeadEnds
from nomic_nb.study.search.loopholes import Certificate, Loopholes


def draw_loopholes(shown: Loopholes) -> Element:
    """Return the claim of a search, then its certificates or its reasons, and what it tried."""
    counts = ", ".join(f"{number} {what}" for what, number in sorted(shown.counts.items()))
    undecided = not shown.certificates and bool(shown.reasons)
    return build_element(
        "article",
        build_element("h3", "Loopholes"),
        build_element("p", build_element("strong", "Not decided." if undecided else f"{upper_first(shown.claim)}.")),
        item_list(list(map(upper_first, shown.reasons))) if undecided else None,
        [element for one in shown.certificates for element in _certificate_elements(one)],
        quiet_paragraph(f"Looking for: {shown.goal.phrase}. Tried: {counts}."),
        cls="review",
    )


def draw_dead_ends(shown: DeadEnds) -> Element:
    """Return each dead end with its verdict, and the line that refutes it."""
    return build_element(
        "article",
        build_element("h3", "Dead ends"),
        [
            element
            for end in shown
            for element in (
                build_element("p", build_element("strong", f"{end.name}: {end.verdict}"), f", because {end.why}."),
                *(_certificate_elements(end.certificate) if end.certificate else ()),
            )
        ],
        cls="review",
    )


def _certificate_elements(shown: Certificate) -> Iterator[Element]:
    """Yield what a certificate says: its acts, the rules that it needs, and its cells."""
    if shown.withheld:
        yield build_element("p", f"{'. '.join(shown.withheld)}, as long as play can go on without it.")
    yield build_element("ol", [build_element("li", upper_first(sentence(event))) for event in shown.events])
    if shown.rules:
        yield build_element("p", f"Without any one of these rules it fails: {join_words(list(map(str, shown.rules)))}.")
    if shown.cells:
        code = build_element("pre", build_element("code", "\n\n".join(shown.cells)))
        yield folded_section("Python that plays it in a new game", code)
