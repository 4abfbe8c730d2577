"""The record of a game as a tree: what happened, turn by turn, with comments; and the moves one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from xml.etree.ElementTree import Element

from nomic_nb.chess.multiverse.scenes import Drawing, Picture
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.record.moves import played
from nomic_nb.engine.law.rules import Rule, RuleBook
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Comment
from nomic_nb.engine.record.seals import seals
from nomic_nb.engine.words import cited, plural
from nomic_nb.notebook.documents.move_pictures import CRITICAL, Draw, after, as_set_up, on_move, undrawn
from nomic_nb.notebook.documents.page import Anchors
from nomic_nb.notebook.documents.story import Beat, Chapter, Variation, open_votes, told
from nomic_nb.notebook.live.base import BaseGame
from nomic_nb.notebook.markup.prose import prose
from nomic_nb.notebook.markup.tree import Child, el, fold, items, mark, parted, quiet, soft, subhead, who
from nomic_nb.notebook.show.proposals import proposed, remarks, tally
from nomic_nb.study.views import Tally
from nomic_nb.study.views.phrases import wording
from nomic_nb.study.views.redline import Proposed
from nomic_nb.study.views.tables import held_by

#: Events that lead to where the judgment is told whole.
JUDGED = frozenset({"judgment_invoked", "ruled"})


class Record:
    """Tells chapters of a story.

    Parameters
    ----------
    anchors : Anchors
        Of the page.
    draw : callable
        Shows boards.
    headings : sequence of (int, str)
        Headings of the author's, with the events that they stand before, in order.
    """

    def __init__(self, anchors: Anchors, draw: Draw = undrawn, headings: Sequence[tuple[int, str]] = ()) -> None:
        self.anchors, self.draw = anchors, draw
        self.headings = list(headings)
        #: Entries of the contents for headings of the author's, by the chapters that they stand before or in.
        self.entries: dict[str, list[Element]] = {}

    def whole(self, chapters: Iterable[Chapter]) -> Iterator[Child]:
        """Yield chapters with the headings of the author's, those that nothing follows at the end."""
        name = ""
        for shown in chapters:
            name = shown.name
            yield from self.due(shown.start, name)
            yield self.chapter(shown)
        yield from self.due(self.headings[-1][0] if self.headings else 0, name)

    def due(self, seq: int, name: str) -> Iterator[Element]:
        """Yield the headings of the author's that stand before an event, where they do not stand yet."""
        while self.headings and self.headings[0][0] <= seq:
            _, heading = self.headings.pop(0)
            place = f"chapter-{sum(map(len, self.entries.values())) + 1}"
            self.entries.setdefault(name, []).append(el("li", self.anchors.link(place, heading), cls="chapter"))
            yield el("h3", heading, id=self.anchors.id(place), cls="chapter")

    def chapter(self, shown: Chapter) -> Element:
        """Return a chapter."""
        heading = self.heading("h3", shown)
        parts: list[Child] = [comments(shown.comments)]
        for undone, group in groupby(shown.beats, key=lambda beat: beat.undone):
            beats = [
                [
                    self.of_turn(turn, player),
                    [[*self.due(beat.seq, shown.name), self.beat(beat)] for beat in run],
                ]
                for turn, player, run in shown.runs(group)
            ]
            label = subhead("Taken back")
            parts.append(el("div", label, beats, cls="taken-back quoted") if undone else beats)
        return el("section", heading, parts, cls="turn")

    def heading(self, tag: str, shown: Chapter) -> Element:
        """Return what stands above a chapter."""
        return el(
            tag,
            shown.heading,
            [" · ", who(shown.player)] if shown.player else None,
            [" ", soft(f"circuit {shown.circuit}")] if shown.turn else None,
            [" ", mark("taken back")] if shown.undone else None,
            glyphs(shown.comments),
            id=self.anchors.id(shown.name),
        )

    def of_turn(self, turn: int, player: str) -> Element | None:
        """Return the line that names the turn of what follows it, where turns overlap."""
        link = self.anchors.link(f"turn-{turn}", f"Turn {turn}")
        return el("p", link, " · ", who(player), cls="label of-turn") if turn else None

    def beat(self, shown: Beat) -> Element:
        """Return a beat: the number of its event in the margin, what happened, the comments on it."""
        place, kind = f"event-{shown.seq}", shown.kind.replace("_", "-")
        said = el("div", list(self._said(shown)), comments(shown.comments), cls="said")
        if shown.kind == "variation":
            return el("div", said, cls=f"beat on-{kind}")
        margin = self.anchors.link(place, str(shown.seq), cls="seq")
        item = "" if shown.made is not None else " item"
        return el("div", margin, said, cls=f"beat on-{kind}{item}", id=self.anchors.id(place))

    def line(self, shown: Beat) -> Element:
        """Return a beat as one line, with the rule behind it and the glyphs of comments on it."""
        move = self.anchors.link(f"move-{shown.ply}", f"move {shown.ply}") if shown.ply else None
        seen: Child = [" ", soft("(", move, ")")] if move is not None else None
        return el("p", shown.text, seen, self._cause(shown), glyphs(shown.comments))

    def variation(self, made: Variation) -> Element:
        """Return another way that the game went."""
        return el(
            "div",
            subhead(str(made)),
            items(made.lines),
            self.draw(made.name, made.picture) if made.picture is not None else None,
            [self.variation(one) for one in made.inner],
            cls="variation quoted",
        )

    def _cause(self, shown: Beat) -> Child:
        if shown.judgment is not None and shown.kind in JUDGED:
            return [" ", soft("(", self.anchors.link(f"judgment-{shown.judgment}", "judgment"), ")")]
        if shown.cause is None:
            return None
        return [" ", soft("(", self.anchors.link(f"rule-{shown.cause.id}", f"rule {shown.cause.rule}"), ")")]

    def _said(self, shown: Beat) -> Iterator[Child]:
        made, signs = shown.made, glyphs(shown.comments)
        if isinstance(made, Proposed):
            yield el("h4", shown.text.removesuffix("."), self._cause(shown), signs)
            yield proposed(made, self.anchors.link)
        elif isinstance(made, Tally):
            yield tally(made)
            yield el("p", signs) if signs else None
        elif isinstance(made, Event):
            link = self._cause(shown) if shown.kind in JUDGED else None
            yield el("p", el("strong", shown.text), link, signs)
            rule, options = made.data.get("rule"), made.data.get("options")
            about = [f"Rule {rule}."] if rule is not None else []
            about += [f"Answers at hand: {', '.join(options)}."] if options else []
            yield quiet(" ".join(about)) if about else None
        elif isinstance(made, Variation):
            yield self.variation(made)
        else:
            yield self.line(shown)
        if shown.picture is not None:
            yield self.draw(f"move-{shown.ply}" if shown.ply else f"event-{shown.seq}", shown.picture)
        if isinstance(shown.picture, Picture):
            yield fold("Fair play, in words", el("p", shown.picture.alt))


def comments(found: Iterable[Comment]) -> Child:
    """Return what comments say; their glyphs stand elsewhere."""
    return [
        el("blockquote", prose(one.text) if one.text else None, _drawn(one), cls="comment", aria_label="Comment")
        for one in found
        if one.text or one.arrows or one.squares
    ]


def _drawn(one: Comment) -> Element | None:
    """Return in words what is drawn with a comment."""
    drawn = {"Arrows": one.arrows, "Marked": one.squares}
    said = [f"{name}: {', '.join(marks)}." for name, marks in drawn.items() if marks]
    return quiet(" ".join(said)) if said else None


def glyphs(found: Iterable[Comment]) -> Child:
    """Return the glyphs of comments, which stand behind what they are on."""
    return [[" ", el("abbr", one.glyph, title=wording("glyphs")[one.glyph], cls="glyph")] for one in found if one.glyph]


def still_open(game: BaseGame) -> Element:
    """Return what is open at the end: votes, and decisions."""
    pending: list[Child] = []
    for one in game.pending.seen:
        options = f": {', '.join(one.options)}" if one.options else ""
        pending.append([who(one.player) if one.player else "anyone", f": {one.prompt}{options}{cited(one.rule)}"])
    return el(
        "section",
        el("h3", "Still open"),
        [[tally(one), remarks(game.proposals[one.number].remarks)] for one in open_votes(game)],
        items(pending),
        cls="turn",
    )


# --------------------------------------------------------------------------------------------- the moves one by one


def reel(game: BaseGame, anchors: Anchors, draw: Draw, *, commented: bool = True) -> Element | None:
    """Return the moves that count, as a list; None where nobody has moved.

    Parameters
    ----------
    game : BaseGame
        As it stands, or as it stood.
    anchors : Anchors
        Of the page.
    draw : callable
        Shows the boards.
    commented : bool
        Whether comments are in it.
    """
    timeline, sealed = game.timeline, seals(game.timeline)
    plies = [one for one in played(timeline) if one.event.seq not in sealed.after]
    if not plies:
        return None
    law = _Law(anchors)

    def step(ply: int, drawing: Drawing, *beside: Child, cls: str = "board") -> Element:
        shown = el("div", draw(f"move-{ply}", drawing), cls=cls)
        return el("li", shown, el("div", beside, cls="beside"), value=ply, id=anchors.id(f"move-{ply}"))

    before = plies[0].pushed - 1
    steps = [
        step(
            0,
            as_set_up(timeline, before),
            el("p", "Before the first move", cls="moved"),
            law.beside(timeline.before.rules),
            _score(timeline.after(before)),
            cls="board all-boards",
        )
    ]
    for one in plies:
        on = on_move(timeline, one) if commented else []
        said = el("p", anchors.link(f"event-{one.event.seq}", told(one.event, sealed)), glyphs(on), cls="moved")
        steps.append(
            step(
                one.ply,
                after(timeline, one, on),
                said,
                [el("p", told(event, sealed)) for event in one.followed if event.kind in CRITICAL],
                comments(on),
                law.beside(one.rules),
                _score(timeline.after(one.followed[-1].seq)),
            )
        )
    return el("ol", steps, cls="reel")


class _Law:
    """Says beside each move which rules made in play hold, and which are new since the move before."""

    def __init__(self, anchors: Anchors) -> None:
        self.anchors = anchors
        self.known: dict[int, Rule] = {}

    def beside(self, rules: RuleBook) -> Child:
        """Return the law at a move; those that follow are told what is new since."""
        made = {rule.id: rule for rule in rules.in_force if rule.turn}
        new = [rule for id, rule in made.items() if self.known.get(id) != rule]
        gone = [rule for id, rule in self.known.items() if id not in made]
        old = [rule for rule in made.values() if rule not in new]
        self.known = made
        lines: list[Child] = [
            [
                el("strong", "New: " if rule.before is None else "Changed: "),
                self.link(rule, f"{rule.number} {rule.title}"),
            ]
            for rule in new
        ]
        lines += [f"No longer in force: {rule.number} {rule.title}" for rule in gone]
        if old:
            old.sort(key=lambda rule: (isinstance(rule.number, str), str(rule.number).zfill(6)))
            lines.append(["As before: ", parted(self.link(rule, str(rule.number)) for rule in old)])
        return [subhead("Law made in play"), items(lines or ["none"])]

    def link(self, rule: Rule, said: str) -> Element:
        """Return a link to a rule."""
        return self.anchors.link(f"rule-{rule.id}", said)


def _score(state: State) -> Child:
    """Return what everybody has: armies with the number of their pieces, and what is counted."""
    armies = multiverse_of(state).armies
    pieces = Counter(piece.army for piece in multiverse_of(state).pieces.values())
    lines: list[Child] = []
    for name, player in state.players.items():
        has = [f"{army} ({plural(pieces[army], 'piece')})" for army, one in armies.items() if one.controller == name]
        has += [*held_by(state, name), *([] if player.playing else ["out"])]
        lines.append([who(name), f": {', '.join(has) or 'no army'}"])
    return [subhead("Score"), items(lines)]
