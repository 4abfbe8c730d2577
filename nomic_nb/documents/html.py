"""A game as one page of HTML: its annotated record, for the screen and for print."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from nomic_nb.documents import facts, judged, lawbook
from nomic_nb.documents.chapters import Chapter
from nomic_nb.documents.page import Anchors, anchors_of, contents, node, opening, page
from nomic_nb.documents.record import Record
from nomic_nb.documents.story import story
from nomic_nb.law.rules import Number
from nomic_nb.show.game import signed
from nomic_nb.show.markup import Child, cell, el, figure, mark, number_head, plural, row_head, soft, table, who
from nomic_nb.views import Tally

if TYPE_CHECKING:
    from nomic_nb.live.base import BaseGame


def to_html(game: BaseGame) -> str:
    """Return a game as one page of HTML: who played, the result, the record turn by turn, the law book, the ledger.

    Parameters
    ----------
    game : BaseGame
        As it stands, or as it stood.

    Returns
    -------
    str
        The page. It loads nothing and runs nothing, text of players is escaped in it, and sealed ballots
        are not in it.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> to_html(nb.new_game("discordian-nomic", ["Ann", "<b>"], seed=7)).count("<b>")
    0
    """
    return _Page(game).made()


class _Page:
    def __init__(self, game: BaseGame) -> None:
        self.game = game
        self.anchors: Anchors = anchors_of(game)
        self.chapters = story(game)
        state = game.state.rules
        #: Ids of the rules that are on the page.
        self.rules = {*state.rules, *(rule.id for rule in state.repealed)}
        #: What became of the votes that have closed.
        self.outcomes: dict[Number | None, str] = {
            one.number: one.status
            for chapter in self.chapters
            for beat in chapter.beats
            if isinstance(one := beat.made, Tally) and not beat.undone
        }

    def made(self) -> str:
        game = self.game
        title = facts.title(game)
        return page(
            title,
            self.header(title),
            self.contents(),
            node(
                "section",
                self.heading("h2", "record", "The game"),
                Record(game, self.anchors).told(self.chapters),
                cls="record",
            ),
            self.judgments(),
            node(
                "section",
                self.heading("h2", "law", "The law book"),
                lawbook.tiers(game, self.anchors, redlines=True),
                self.gone(),
                cls="law",
            ),
            node("section", self.heading("h2", "ledger", "Ledger"), self.ledger(), cls="ledger"),
        )

    def heading(self, tag: str, place: str, *children: Child) -> Element:
        return node(tag, *children, id=self.anchors.id(place))

    # -------------------------------------------------------------------------------- before the record

    def header(self, title: str) -> Element:
        game = self.game
        names: list[Child] = []
        for at, one in enumerate(game.table.setting.players):
            names += [", " if at else None, who(one)]
        pairs = [[node("dt", label), node("dd", said)] for label, said in facts.facts(game) if label != "Players"]
        terms: list[Child] = []
        for key, value in facts.terms(game):
            terms += ["; " if terms else None, el("code", key), " is ", el("code", value)]
        if terms:
            pairs.append([node("dt", "Agreed before play"), node("dd", terms)])
        return opening(
            title,
            node("p", names, cls="players"),
            node("p", facts.outcome(game), cls="result"),
            node("div", node("dl", pairs, cls="facts"), self.standings(), cls="side-by-side"),
        )

    def standings(self) -> list[Child]:
        found = facts.standings(self.game)
        counters = list(dict.fromkeys(name for one in found for name in one.counts))
        rows = [
            [
                row_head(who(one.name)),
                *(cell(one.counts.get(counter, "–"), cls="num") for counter in counters),
                cell([[mark(word, cls="go" if word == "won" else ""), " "] for word in one.marks]),
            ]
            for one in found
        ]
        own = facts.counted_for_all(self.game)
        heads: list[Child] = ["Player", *(number_head(one) for one in counters), ""]
        return [table("How they stand", heads, rows), node("p", f"Counted for the game: {own}.") if own else None]

    def contents(self) -> Element:
        link = self.anchors.link
        turns = [
            node("li", link(one.name, one.heading, ": " if one.player else None, self.whose(one)), self.summary(one))
            for one in self.chapters
        ]
        tiers = [
            node("li", link(f"tier-{at}", facts.tier_heading(tier)[0]))
            for at, tier in enumerate(self.game.rules.by_tier(), 1)
        ]
        if self.game.state.rules.repealed:
            tiers.append(node("li", link("gone", "No longer in force")))
        return contents(
            node("li", link("record", "The game"), node("ol", turns, cls="turns") if turns else None),
            node("li", link("judgments", "Judgments")) if len(self.game.judgments) else None,
            node("li", link("law", "The law book"), node("ol", tiers)),
            node("li", link("ledger", "Ledger")),
        )

    @staticmethod
    def whose(chapter: Chapter) -> Child:
        return who(chapter.player) if chapter.player else None

    def summary(self, chapter: Chapter) -> Child:
        """Say in the contents what was voted on; where turns overlap, the vote can have closed in a later one."""
        said = []
        for one, status in chapter.votes:
            became = status or (self.outcomes.get(one.number, "") if not chapter.undone else "")
            said.append(f"{one.number} {one.change.headline}" + (f", {became}" if became else ""))
        taken_back = "taken back" if chapter.undone else ""
        about = "; ".join(filter(None, [*said, taken_back]))
        return [" ", soft(about)] if about else None

    # ---------------------------------------------------------------------------------- after the record

    def judgments(self) -> Element | None:
        if not len(self.game.judgments):
            return None
        heading = self.heading("h2", "judgments", "Judgments")
        return node("section", heading, judged.judgments(self.game, self.anchors, self.rules), cls="judgments")

    def gone(self) -> Element | None:
        if not self.game.state.rules.repealed:
            return None
        about = node("p", soft("Rules that were repealed."), cls="about")
        heading = self.heading("h3", "gone", "No longer in force")
        return node("section", heading, about, lawbook.repealed(self.game, self.anchors), cls="tier")

    def ledger(self) -> list[Child]:
        entries = self.game.ledger
        if not len(entries):
            return [node("p", "Nothing has been counted.")]
        rows = [
            [
                row_head(str(one.turn), cls="num"),
                cell("the game" if one.player is None else who(one.player)),
                cell(
                    signed(one.amount), " ", one.counter, [" ", soft(one.rounded)] if one.rounded else None, cls="num"
                ),
                cell(figure(one.now), cls="num"),
                cell(one.why if one.rule is None else [f"{one.rule} ", el("code", one.why)]),
            ]
            for one in entries
        ]
        heads: list[Child] = [
            number_head("Turn"),
            "Player",
            number_head("Change"),
            number_head("Total"),
            "Rule and clause",
        ]
        return [table(plural(len(entries), "entry", "entries"), heads, rows)]
