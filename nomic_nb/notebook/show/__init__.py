"""How everything shows itself in a notebook: plain HTML that survives without style sheet, script or network."""

from __future__ import annotations

from functools import singledispatch
from xml.etree.ElementTree import Element

from nomic_nb.engine.shown import INERT, Shown
from nomic_nb.notebook.live.base import Forks
from nomic_nb.notebook.markup.tree import Child, el, written
from nomic_nb.notebook.markup.writer import PlainText
from nomic_nb.notebook.show import forks, law, proposals
from nomic_nb.notebook.show import game as play
from nomic_nb.notebook.show import review as reviews
from nomic_nb.notebook.show.style import sheet


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


#: How each kind of thing is shown; which kind, its annotation says.
FORMS = (
    law.finding, law.law_in_force, proposals.judgment, proposals.judgments, law.book, law.explained,
    law.redline, law.rule, play.decision, play.game, play.ledger, play.pending, proposals.catalogue, proposals.change,
    proposals.library_rule, proposals.oddities, proposals.proposal, proposals.proposals, proposals.shelf,
    proposals.tally, reviews.review,
)  # fmt: skip
for _form in FORMS:
    drawn.register(_form)
drawn.register(Forks, forks.forks)  # of one kind of game or another, which no class says


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
    >>> from nomic_nb.engine.law.changes import repeal
    >>> html(repeal(204)).endswith("<p>Rule 204 is struck out.</p></article></div>")
    True
    """
    return enclosed(drawn(shown))


def text(shown: object) -> str:
    """Return how something is shown, as plain text: what `html` shows, with headings, lists and tables.

    Examples
    --------
    >>> from nomic_nb.engine.law.changes import repeal
    >>> print(text(repeal(204)))
    Repeal rule 204
      Rule 204 is struck out.
    """
    return PlainText().write(drawn(shown))


def enclosed(*made: Child, output: bool = True) -> str:
    """Return elements as HTML, in a ``div`` with its own style sheet; what is no ``output`` may have links."""
    outer = el("div", sheet(), *made)
    outer.set("class", f"nnb {INERT}")
    return written(outer, output=output)
