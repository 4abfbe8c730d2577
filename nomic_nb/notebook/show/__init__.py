"""How everything shows itself in a notebook: plain HTML that survives without style sheet, script or network."""

from __future__ import annotations

from functools import singledispatch
from xml.etree.ElementTree import Element

from nomic_nb.engine.display import INERT_CLASSES, Displayed
from nomic_nb.notebook.live.base_game import GameForks
from nomic_nb.notebook.live.machines import marking_machines
from nomic_nb.notebook.markup.tree import Child, build_element, element_html
from nomic_nb.notebook.markup.writer import PlainTextWriter
from nomic_nb.notebook.show import audit, forks, law, loopholes, proposals, strip
from nomic_nb.notebook.show import game as play
from nomic_nb.notebook.show import review as reviews
from nomic_nb.notebook.show.style import style_element


@singledispatch
def draw(shown: object) -> Element:
    """Return the HTML element that displays a game, or an object that a game returns, such as a rule.

    Raises
    ------
    TypeError
        The object cannot be displayed.
    """
    if isinstance(shown, Displayed):  # which has a form in plain text at least
        return build_element(
            "ul", [build_element("li", line) for line in str(shown).splitlines() if line.strip()], cls="latest"
        )
    raise TypeError(f"there is no way to show {type(shown).__name__}")


#: How each kind of thing is shown; which kind, its annotation says.
DISPLAY_FUNCTIONS = (
    law.draw_finding, law.draw_terms, proposals.draw_judgment, proposals.draw_judgments, law.draw_law_book,
    law.draw_explanation,
    law.draw_redline, law.draw_rule, play.draw_decision, play.draw_game, play.draw_ledger, play.draw_pending,
    proposals.draw_catalogue, proposals.draw_change,
    proposals.draw_library_rule, proposals.draw_warnings_alone, proposals.draw_preview,
    proposals.draw_proposal, proposals.draw_proposals,
    proposals.draw_applicable_rules,
    proposals.draw_tally, proposals.draw_voted_proposal, reviews.draw_review, strip.draw_strip,
    loopholes.draw_loopholes, loopholes.draw_dead_ends, audit.draw_audit,
)  # fmt: skip
for _form in DISPLAY_FUNCTIONS:
    draw.register(_form)
draw.register(GameForks, forks.draw_forks)  # of one kind of game or another, which no class says


def show_html(shown: object) -> str:
    """Return a displayable object, such as a game, as one ``div`` of HTML with its style sheet.

    Parameters
    ----------
    shown : object
        A game, or anything that a game hands out to be looked at.

    Returns
    -------
    str
        One ``div`` with its own style sheet; text of players is escaped in it, and no script is needed.

    Raises
    ------
    TypeError
        The object cannot be displayed.

    Examples
    --------
    >>> from nomic_nb.engine.law.changes import repeal
    >>> show_html(repeal(204)).endswith("<p>Rule 204 is repealed.</p></article></div>")
    True
    """
    with marking_machines(getattr(shown, "timeline", None)):
        return enclose(draw(shown))


def show_text(shown: object) -> str:
    """Return a displayable object, such as a game, as plain text with headings, lists and tables.

    Examples
    --------
    >>> from nomic_nb.engine.law.changes import repeal
    >>> print(show_text(repeal(204)))
    Repeal rule 204
      Rule 204 is repealed.
    """
    with marking_machines(getattr(shown, "timeline", None)):
        return PlainTextWriter().write(draw(shown))


def enclose(*children: Child, output: bool = True) -> str:
    """Return elements as a ``div`` with the style sheet; if `output`, refuse what cell output cannot have."""
    outer = build_element("div", style_element(), *children)
    outer.set("class", f"nnb {INERT_CLASSES}")
    return element_html(outer, output=output)
