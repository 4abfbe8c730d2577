"""The record of a game as HTML: what happened, turn by turn, with comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from nomic_nb.documents.chapters import Asked, Beat, Chapter, Comment, Variation
from nomic_nb.documents.page import Anchors, node
from nomic_nb.documents.proposed import Proposed
from nomic_nb.documents.story import open_votes
from nomic_nb.documents.told import GLYPHS
from nomic_nb.show.law import changed_text
from nomic_nb.show.markup import Child, el, mark, soft, upper_first, who
from nomic_nb.show.proposals import remarks, tally
from nomic_nb.show.prose import clauses, prose
from nomic_nb.views import Tally

if TYPE_CHECKING:
    from nomic_nb.live.base import BaseGame


#: Events that lead to where the judgment is told whole.
JUDGED = frozenset({"judgment_invoked", "ruled"})


class Record:
    """Writes chapters of a story.

    Parameters
    ----------
    game : BaseGame
        Whose story it is.
    anchors : Anchors
        Of the page, which has a place for every rule of the game.
    """

    def __init__(self, game: BaseGame, anchors: Anchors) -> None:
        self.game, self.anchors = game, anchors
        #: The chapters that can be pointed at.
        self.names: set[str] = set()
        state = game.state
        self.rules = {*state.rules.rules, *(rule.id for rule in state.rules.repealed)}

    def told(self, chapters: Iterable[Chapter]) -> list[Child]:
        """Return the chapters, and what is still open behind them."""
        found = list(chapters)
        self.names = {one.name for one in found}
        return [*(self._chapter(one) for one in found), None if self.game.over else self._still_open()]

    def _chapter(self, shown: Chapter) -> Element:
        heading = node(
            "h3",
            shown.heading,
            [" · ", who(shown.player)] if shown.player else None,
            [" ", soft("circuit ", str(shown.circuit))] if shown.turn else None,
            [" ", mark("taken back")] if shown.undone else None,
            self._glyphs(shown.comments),
            id=self.anchors.id(shown.name),
        )
        parts: list[Child] = [self._comments(shown.comments)]
        for undone, group in groupby(shown.beats, key=lambda beat: beat.undone):
            beats = [[self._of_turn(turn, player), [self._beat(one) for one in run]]
                     for turn, player, run in shown.runs(group)]  # fmt: skip
            about = node("p", "Taken back", cls="label")
            parts.append(node("div", about, beats, cls="taken-back") if undone else beats)
        return node("section", heading, parts, cls="turn")

    def _of_turn(self, turn: int, player: str) -> Element | None:
        """Return the line that names the turn of what follows it, where turns overlap."""
        if not turn:
            return None
        name, said = f"turn-{turn}", f"Turn {turn}"
        link = self.anchors.link(name, said) if name in self.names else said
        return node("p", link, " · ", who(player), cls="label of-turn")

    def _beat(self, shown: Beat) -> Element:
        """Return a beat: the number of its event in the margin, what happened, the comments on it."""
        place = f"event-{shown.seq}"
        numbered = shown.kind != "variation"
        margin = node("a", str(shown.seq), href=f"#{self.anchors.prefix}-{place}", cls="seq") if numbered else None
        at_length = shown.made is not None
        said = list(self._at_length(shown)) if at_length else [node("p", self._line(shown))]
        body = node("div", said, self._comments(shown.comments), cls="said")
        made = node("div", margin, body, cls=f"beat on-{shown.kind.replace('_', '-')}")
        if numbered:
            made.set("id", self.anchors.id(place))
        return made

    def _line(self, shown: Beat) -> list[Child]:
        return [shown.text, self._cause(shown), self._glyphs(shown.comments)]

    def _cause(self, shown: Beat) -> Child:
        if shown.judgment is not None and shown.kind in JUDGED:
            return [" ", soft("(", self.anchors.link(f"judgment-{shown.judgment}", "judgment"), ")")]
        if shown.cause is None:
            return None
        rule = f"rule {shown.cause.rule}"
        link = self.anchors.link(f"rule-{shown.cause.id}", rule) if shown.cause.id in self.rules else rule
        return [" ", soft("(", link, ")")]

    @staticmethod
    def _glyphs(found: Iterable[Comment]) -> list[Child]:
        return [[" ", node("abbr", one.glyph, title=GLYPHS[one.glyph], cls="glyph")] for one in found if one.glyph]

    @staticmethod
    def _comments(found: Iterable[Comment]) -> list[Child]:
        return [node("blockquote", prose(one.text), cls="comment") for one in found if one.text]

    def _at_length(self, shown: Beat) -> Iterator[Child]:
        made = shown.made
        if isinstance(made, Proposed):
            yield node("h4", shown.text.removesuffix("."), self._cause(shown), self._glyphs(shown.comments))
            yield from self._proposal(made)
        elif isinstance(made, Tally):
            yield tally(made)
            glyphs = self._glyphs(shown.comments)
            yield node("p", glyphs) if glyphs else None
        elif isinstance(made, Asked):
            link = self._cause(shown) if shown.kind in JUDGED else None
            yield node("p", el("strong", shown.text), link, self._glyphs(shown.comments))
            about = [f"Rule {made.rule}."] if made.rule is not None else []
            about += [f"Answers at hand: {', '.join(made.options)}."] if made.options else []
            yield node("p", soft(" ".join(about))) if about else None
        elif isinstance(made, Variation):
            yield self._variation(made)

    def _proposal(self, made: Proposed) -> Iterator[Child]:
        change, before, after = made.change, made.before, made.after
        if before is None:
            yield node("div", prose(change.wording or ""), cls="wording")
            if change.law:
                yield clauses(change.law)
            elif change.kind == "enact":
                yield node("p", soft("No clauses: people apply this rule."))
            return
        known = before.id in self.rules
        rule = self.anchors.link(f"rule-{before.id}", before.title) if known else before.title
        if change.kind == "transmute":
            tiers: list[Child] = [el("del", before.tier), " ", el("ins", made.tier)] if made.tier else [before.tier]
            yield node("p", soft("Rule ", str(before.number), ", "), rule, soft(", its standing: "), tiers)
            yield node("div", prose(before.wording), cls="wording")
            return
        new_title = after.title if after else before.title
        retitled: Child = [" ", soft("retitled "), el("ins", new_title)] if new_title != before.title else None
        yield node("p", soft("Rule ", str(before.number), ", "), rule, retitled)
        wording, law = (after.wording, after.law) if after else ("", "")
        yield node("div", changed_text(before.wording, before.law, wording, law), cls="redline")
        kept = [
            "the wording stays as it is" if wording == before.wording else "",
            "the clauses stay as they are" if law == before.law and law else "",
        ]
        said = "; ".join(filter(None, kept))
        yield node("p", soft(f"{upper_first(said)}.")) if said else None

    def _variation(self, made: Variation) -> Element:
        return node(
            "div",
            node("p", f"Another way ({made.why}), from event {made.at} on", cls="label"),
            node("ul", [node("li", line) for line in made.lines]),
            [self._variation(one) for one in made.inner],
            cls="variation",
        )

    def _still_open(self) -> Element:
        pending = []
        for one in self.game.pending:
            options = f": {', '.join(one.options)}" if one.options else ""
            rule = f" (rule {one.rule})" if one.rule is not None else ""
            pending.append(node("li", who(one.player) if one.player else "anyone", f": {one.prompt}{options}{rule}"))
        return node(
            "section",
            node("h3", "Still open"),
            [[tally(one), remarks(self.game.proposals[one.number].remarks)] for one in open_votes(self.game)],
            node("ul", pending) if pending else None,
            cls="turn",
        )
