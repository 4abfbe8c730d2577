"""How everything shows itself in a notebook: plain HTML that survives without style sheet, script or network."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from xml.etree.ElementTree import Element

from nomic_nb.explore.shelf import Shelf
from nomic_nb.explore.text import Review
from nomic_nb.law.changes import Change
from nomic_nb.law.findings import Finding
from nomic_nb.law.rules import Rule
from nomic_nb.live.base import BaseGame
from nomic_nb.live.forks import Forks
from nomic_nb.markup.tree import Child, el, written
from nomic_nb.markup.writer import PlainText
from nomic_nb.play.decision import Decision
from nomic_nb.play.verdicts import Judgment
from nomic_nb.rulesets.library.listing import Catalogue
from nomic_nb.rulesets.library.making import LibraryRule
from nomic_nb.show import findings, judgments, law, proposals, times
from nomic_nb.show import game as play
from nomic_nb.show import review as reviews
from nomic_nb.show.style import sheet
from nomic_nb.shown import INERT, Shown
from nomic_nb.views import LawBook, LawInForce, Ledger, Pending, Proposal, Proposals, Remarks, Tally
from nomic_nb.views.explained import Explained
from nomic_nb.views.judgments import Judgments
from nomic_nb.views.redline import Redline


@singledispatch
def drawn(shown: object) -> Element:
    """Return how something is shown, as an element.

    Raises
    ------
    TypeError
        There is no way to show it.
    """
    if isinstance(shown, Shown):  # which has a form in plain text at least
        return el("ul", [el("li", line) for line in str(shown).splitlines() if line.strip()], cls="latest")
    raise TypeError(f"there is no way to show {type(shown).__name__}")


FORMS: dict[type, Callable[..., Element]] = {
    Catalogue: proposals.catalogue,
    Change: proposals.change,
    Decision: play.decision,
    Explained: law.explained,
    Forks: times.forks,
    Finding: findings.finding,
    BaseGame: play.game,
    Judgment: judgments.judgment,
    Judgments: judgments.judgments,
    LawBook: law.book,
    LawInForce: findings.law_in_force,
    Ledger: play.ledger,
    LibraryRule: proposals.library_rule,
    Pending: play.pending,
    Proposal: proposals.proposal,
    Proposals: proposals.proposals,
    Redline: times.redline,
    Remarks: lambda shown: proposals.remarks(shown) or el("p", "Nothing odd was found."),
    Review: reviews.review,
    Rule: law.rule,
    Shelf: proposals.shelf,
    Tally: proposals.tally,
}
for _kind, _form in FORMS.items():
    drawn.register(_kind, _form)


def html(shown: object) -> str:
    """Return how something is shown, as HTML.

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
        There is no way to show it.

    Examples
    --------
    >>> from nomic_nb.law.changes import repeal
    >>> html(repeal(204)).endswith("<p>Rule 204 is struck out.</p></article></div>")
    True
    """
    return enclosed(drawn(shown))


def text(shown: object) -> str:
    """Return how something is shown, as plain text: what `html` shows, with headings, lists and tables.

    Examples
    --------
    >>> from nomic_nb.law.changes import repeal
    >>> print(text(repeal(204)))
    Repeal rule 204
      Rule 204 is struck out.
    """
    return PlainText().write(drawn(shown))


def enclosed(*made: Child) -> str:
    """Return elements as HTML, in a ``div`` with its own style sheet."""
    outer = el("div", sheet(), *made)
    outer.set("class", f"nnb {INERT}")
    return written(outer, output=True)


__all__ = ["drawn", "enclosed", "html", "text"]
