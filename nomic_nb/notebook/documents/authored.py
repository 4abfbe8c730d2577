"""What an author writes of a game: emphasis, links, footnotes, and references to rules, proposals and moves.

All of it is read by patterns with bounds, and becomes elements; whatever does not match stays text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from functools import partial
from zlib import crc32

from nomic_nb.engine.law.rules import Number, Rule
from nomic_nb.engine.play.record_limits import RecordExtent
from nomic_nb.engine.record.log import FINGERPRINT_LENGTH, FINGERPRINT_LETTERS
from nomic_nb.engine.record.seals import current_seals
from nomic_nb.notebook.documents.edition import Edition
from nomic_nb.notebook.documents.page import PageAnchors
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.markup.prose import prose_elements
from nomic_nb.notebook.markup.tree import Child, build_element

_MARKS = re.compile(
    r"\*\*(?P<strong>(?=\S)[^*]{1,500}(?<=\S))\*\*|\*(?P<em>(?=\S)[^*]{1,500}(?<=\S))\*"
    r"|\[(?P<words>[^\[\]]{1,200})\]\((?P<url>https?://[^\s()<>\"']{1,500})\)|\[\^(?P<note>\w{1,20})\](?P<defines>:)?"
)
_REFERENCE = re.compile(
    r"\b(?P<what>rule|proposal|move|turn|event)\s(?P<number>-?\d{1,6})\b|(?<![\w.,/-])(?P<bare>\d{3,6})(?![\w/-]|[.,]\d)",
    re.IGNORECASE,
)
#: Letters of a rule that show when a pointer rests on a reference to it.
MOST_SHOWN = 400
COMMENT_EVENTS = ("annotated", "comment_edited", "comment_withdrawn")


class GameAnchors(PageAnchors):
    """The anchors of a game's page, by the numbers that people know: `rule-309`, `proposal-313`, `move-7`, `turn-3`.

    Parameters
    ----------
    game : BaseGame
        The game.
    """

    def __init__(self, game: BaseGame) -> None:
        super().__init__()
        self.game = game
        rules = [*game.state.rules, *reversed(game.state.rules.repealed)]
        numbers = [(rule.number, rule.id) for rule in rules]
        numbers += [(number, rule.id) for rule in rules for number in sorted(rule.all_numbers, key=str)]
        #: Rules by any number that they had; the one in force comes first.
        self.rules: dict[Number, int] = {}
        for number, id in numbers:
            self.rules.setdefault(number, id)
        for number, id in self.rules.items():
            self.names.setdefault(f"rule-{id}", f"rule-{number}".replace(" ", "-"))

    def other_numbers(self, rule: Rule) -> list[Child]:
        """Return empty elements at which links to earlier numbers of a rule arrive."""
        own = self.names.get(f"rule-{rule.id}")
        places = [f"rule-{number}" for number, id in self.rules.items() if id == rule.id]
        return [build_element("span", id=self.prefix + place) for place in places if place != own]

    def refer(self, text: str, seq: int | None = None) -> Child:
        """Return words with references such as “rule 309”, “313” or “move 7” as links, as of event `seq` or now."""
        return list(_replace(_REFERENCE, text, lambda found: self._reference(found, seq)))

    def _reference(self, found: re.Match[str], seq: int | None) -> Child:
        """Return the link that a reference becomes; its words if there is no such thing in the game."""
        what, number = (found["what"] or "").lower(), int(found["number"] or found["bare"])
        if what not in ("rule", ""):
            return self.link_to(f"{what}-{number}", found[0])
        if not what and number in self.game.state.proposals:
            return self.link_to(f"proposal-{number}", found[0])
        if number not in self.rules:
            return found[0]
        last = len(self.game.timeline.moments)  # a comment in a branch can be on a later event
        state = self.game.timeline.after(last if seq is None else min(seq, last))
        rule = state.rules.rule_numbered(number) or self._version_before(self.rules[number], state.seq)
        link = self.link_to(f"rule-{self.rules[number]}", found[0])
        if rule is not None:
            said = " ".join(f"{rule.number} {rule.title}: {rule.wording}".split())
            link.set("title", said if len(said) <= MOST_SHOWN else f"{said[:MOST_SHOWN]}…")
        return link

    def _version_before(self, id: int, seq: int) -> Rule | None:
        """Return the last version of a rule made by event `seq`."""
        every = (*self.game.state.rules.rules.values(), *self.game.state.rules.repealed)
        versions = (version for rule in every if rule.id == id for version in rule.all_versions)
        return max((one for one in versions if one.event <= seq), key=lambda one: one.event, default=None)

    def author_prose(self, text: str, seq: int | None = None) -> Child:
        """Return an author's text as elements, with emphasis, links, footnotes and references as of event `seq`."""
        notes = f"note-{seq or 0}-{crc32(text.encode()):x}"

        def draw(found: re.Match[str]) -> Child:
            for tag in ("strong", "em"):
                if found[tag]:
                    return build_element(tag, self.refer(found[tag], seq))
            if found["url"]:
                link = build_element("a", found["words"])
                link.attrib |= {"href": found["url"], "rel": "nofollow noopener"}
                return link
            place = f"{notes}-{found['note']}"
            if not found["defines"]:
                return self.link_to(place, f"[{found['note']}]", cls="note-mark")
            here = {"id": self.add_anchor(place)} if place not in self.known else {}
            return build_element("span", f"[{found['note']}]", cls="note-mark", **here)

        refer = partial(self.refer, seq=seq)
        return prose_elements(text, lambda words: list(_replace(_MARKS, words, draw, refer)))


def _replace(
    pattern: re.Pattern[str], text: str, draw: Callable[[re.Match[str]], Child],
    draw_rest: Callable[[str], Child] = lambda rest: rest,
) -> Iterator[Child]:  # fmt: skip
    """Yield a text in pieces: what a pattern finds as `draw` makes it, and what is between as `draw_rest` makes it."""
    at = 0
    for found in pattern.finditer(text):
        yield from (draw_rest(text[at : found.start()]), draw(found))
        at = found.end()
    yield draw_rest(text[at:])


def play_fingerprint(game: BaseGame) -> str:
    """Return the fingerprint of the play alone: comments do not change it, and neither do secrets."""
    sealed = current_seals(game.timeline)
    secret = sealed.telling | sealed.after.keys()
    moments = [
        moment for moment in game.timeline.moments
        if moment[0].seq not in secret and moment[0].kind not in COMMENT_EVENTS
    ]  # fmt: skip
    return _letters(RecordExtent(game.timeline.setting).value_after(moments).head)


def edition_fingerprint(game: BaseGame, edition: Edition) -> str:
    """Return the fingerprint of an edition: of the record with its comments, and of what its author chose."""
    return _letters(hashlib.sha256(f"{game.fingerprint} {edition}".encode()).hexdigest())


def _letters(digest: str) -> str:
    """Return the letters of a fingerprint for a hash, as they are made of the hash of a record."""
    number = int(digest[:16], 16)
    return "".join(FINGERPRINT_LETTERS[number >> shift & 31] for shift in range(59, 59 - 5 * FINGERPRINT_LENGTH, -5))
