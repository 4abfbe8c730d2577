"""The record of a game as a tree: what happened, turn by turn, with comments; and the moves one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from xml.etree.ElementTree import Element

from nomic_nb.chess.multiverse.pictures import Drawing, SvgPicture
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.record.moves import played_moves
from nomic_nb.engine.law.rules import Rule, RuleBook
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Comment
from nomic_nb.engine.record.seals import open_seals
from nomic_nb.engine.words import count_phrase, rule_citation
from nomic_nb.notebook.documents.move_pictures import (
    CRITICAL_EVENTS,
    PictureWriter,
    comments_on_move,
    draw_after_move,
    draw_nothing,
    draw_set_up,
)
from nomic_nb.notebook.documents.narrative import Beat, Chapter, Variation, describe_event, open_votes
from nomic_nb.notebook.documents.page import PageAnchors
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.markup.prose import prose_elements
from nomic_nb.notebook.markup.tree import (
    Child,
    badge,
    build_element,
    folded_section,
    item_list,
    player_name,
    quiet_paragraph,
    quiet_text,
    separated,
    subheading,
)
from nomic_nb.notebook.show.proposals import draw_proposed, draw_tally, draw_warnings
from nomic_nb.study.views import Tally
from nomic_nb.study.views.phrases import wording_table
from nomic_nb.study.views.redline import ProposedRule
from nomic_nb.study.views.tables import describe_holdings

#: Events that lead to where the judgment is told whole.
JUDGMENT_EVENTS = frozenset({"judgment_invoked", "ruled"})


class RecordTree:
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

    def __init__(
        self, anchors: PageAnchors, draw: PictureWriter = draw_nothing, headings: Sequence[tuple[int, str]] = ()
    ) -> None:
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
            self.entries.setdefault(name, []).append(
                build_element("li", self.anchors.link(place, heading), cls="chapter")
            )
            yield build_element("h3", heading, id=self.anchors.id(place), cls="chapter")

    def chapter(self, shown: Chapter) -> Element:
        """Return a chapter."""
        heading = self.heading("h3", shown)
        parts: list[Child] = [comment_blocks(shown.comments)]
        for undone, group in groupby(shown.beats, key=lambda beat: beat.undone):
            beats = [
                [
                    self.turn_line(turn, player),
                    [[*self.due(beat.seq, shown.name), self.beat(beat)] for beat in run],
                ]
                for turn, player, run in shown.runs(group)
            ]
            label = subheading("Taken back")
            parts.append(build_element("div", label, beats, cls="taken-back quoted") if undone else beats)
        return build_element("section", heading, parts, cls="turn")

    def heading(self, tag: str, shown: Chapter) -> Element:
        """Return what stands above a chapter."""
        return build_element(
            tag,
            shown.heading,
            [" · ", player_name(shown.player)] if shown.player else None,
            [" ", quiet_text(f"circuit {shown.circuit}")] if shown.turn else None,
            [" ", badge("taken back")] if shown.undone else None,
            comment_glyphs(shown.comments),
            id=self.anchors.id(shown.name),
        )

    def turn_line(self, turn: int, player: str) -> Element | None:
        """Return the line that names the turn of what follows it, where turns overlap."""
        link = self.anchors.link(f"turn-{turn}", f"Turn {turn}")
        return build_element("p", link, " · ", player_name(player), cls="label of-turn") if turn else None

    def beat(self, shown: Beat) -> Element:
        """Return a beat: the number of its event in the margin, what happened, the comments on it."""
        place, kind = f"event-{shown.seq}", shown.kind.replace("_", "-")
        said = build_element("div", list(self._beat_text(shown)), comment_blocks(shown.comments), cls="said")
        if shown.kind == "variation":
            return build_element("div", said, cls=f"beat on-{kind}")
        margin = self.anchors.link(place, str(shown.seq), cls="seq")
        item = "" if shown.made is not None else " item"
        return build_element("div", margin, said, cls=f"beat on-{kind}{item}", id=self.anchors.id(place))

    def line(self, shown: Beat) -> Element:
        """Return a beat as one line, with the rule behind it and the glyphs of comments on it."""
        move = self.anchors.link(f"move-{shown.ply}", f"move {shown.ply}") if shown.ply else None
        seen: Child = [" ", quiet_text("(", move, ")")] if move is not None else None
        return build_element("p", shown.text, seen, self._rule_behind(shown), comment_glyphs(shown.comments))

    def variation(self, made: Variation) -> Element:
        """Return another way that the game went."""
        return build_element(
            "div",
            subheading(str(made)),
            item_list(made.lines),
            self.draw(made.name, made.picture) if made.picture is not None else None,
            [self.variation(one) for one in made.inner],
            cls="variation quoted",
        )

    def _rule_behind(self, shown: Beat) -> Child:
        if shown.judgment is not None and shown.kind in JUDGMENT_EVENTS:
            return [" ", quiet_text("(", self.anchors.link(f"judgment-{shown.judgment}", "judgment"), ")")]
        if shown.cause is None:
            return None
        return [" ", quiet_text("(", self.anchors.link(f"rule-{shown.cause.id}", f"rule {shown.cause.rule}"), ")")]

    def _beat_text(self, shown: Beat) -> Iterator[Child]:
        made, signs = shown.made, comment_glyphs(shown.comments)
        if isinstance(made, ProposedRule):
            yield build_element("h4", shown.text.removesuffix("."), self._rule_behind(shown), signs)
            yield draw_proposed(made, self.anchors.link)
        elif isinstance(made, Tally):
            yield draw_tally(made)
            yield build_element("p", signs) if signs else None
        elif isinstance(made, Event):
            link = self._rule_behind(shown) if shown.kind in JUDGMENT_EVENTS else None
            yield build_element("p", build_element("strong", shown.text), link, signs)
            rule, options = made.data.get("rule"), made.data.get("options")
            about = [f"Rule {rule}."] if rule is not None else []
            about += [f"Answers at hand: {', '.join(options)}."] if options else []
            yield quiet_paragraph(" ".join(about)) if about else None
        elif isinstance(made, Variation):
            yield self.variation(made)
        else:
            yield self.line(shown)
        if shown.picture is not None:
            yield self.draw(f"move-{shown.ply}" if shown.ply else f"event-{shown.seq}", shown.picture)
        if isinstance(shown.picture, SvgPicture):
            yield folded_section("Fair play, in words", build_element("p", shown.picture.alt))


def comment_blocks(found: Iterable[Comment]) -> Child:
    """Return what comments say; their glyphs stand elsewhere."""
    return [
        build_element(
            "blockquote",
            prose_elements(one.text) if one.text else None,
            _describe_marks(one),
            cls="comment",
            aria_label="Comment",
        )
        for one in found
        if one.text or one.arrows or one.squares
    ]


def _describe_marks(one: Comment) -> Element | None:
    """Return in words what is drawn with a comment."""
    drawn = {"Arrows": one.arrows, "Marked": one.squares}
    said = [f"{name}: {', '.join(marks)}." for name, marks in drawn.items() if marks]
    return quiet_paragraph(" ".join(said)) if said else None


def comment_glyphs(found: Iterable[Comment]) -> Child:
    """Return the glyphs of comments, which stand behind what they are on."""
    return [
        [" ", build_element("abbr", one.glyph, title=wording_table("glyphs")[one.glyph], cls="glyph")]
        for one in found
        if one.glyph
    ]


def open_section(game: BaseGame) -> Element:
    """Return what is open at the end: votes, and decisions."""
    pending: list[Child] = []
    for one in game.pending.seen:
        options = f": {', '.join(one.options)}" if one.options else ""
        pending.append(
            [player_name(one.player) if one.player else "anyone", f": {one.prompt}{options}{rule_citation(one.rule)}"]
        )
    return build_element(
        "section",
        build_element("h3", "Still open"),
        [[draw_tally(one), draw_warnings(game.proposals[one.number].remarks)] for one in open_votes(game)],
        item_list(pending),
        cls="turn",
    )


# --------------------------------------------------------------------------------------------- the moves one by one


def move_list(game: BaseGame, anchors: PageAnchors, draw: PictureWriter, *, commented: bool = True) -> Element | None:
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
    timeline, sealed = game.timeline, open_seals(game.timeline)
    plies = [one for one in played_moves(timeline) if one.event.seq not in sealed.after]
    if not plies:
        return None
    law = _LawBesideMoves(anchors)

    def step(ply: int, drawing: Drawing, *beside: Child, cls: str = "board") -> Element:
        shown = build_element("div", draw(f"move-{ply}", drawing), cls=cls)
        return build_element(
            "li", shown, build_element("div", beside, cls="beside"), value=ply, id=anchors.id(f"move-{ply}")
        )

    before = plies[0].pushed - 1
    steps = [
        step(
            0,
            draw_set_up(timeline, before),
            build_element("p", "Before the first move", cls="moved"),
            law.beside(timeline.before.rules),
            _score_table(timeline.after(before)),
            cls="board all-boards",
        )
    ]
    for one in plies:
        on = comments_on_move(timeline, one) if commented else []
        said = build_element(
            "p",
            anchors.link(f"event-{one.event.seq}", describe_event(one.event, sealed)),
            comment_glyphs(on),
            cls="moved",
        )
        steps.append(
            step(
                one.ply,
                draw_after_move(timeline, one, on),
                said,
                [
                    build_element("p", describe_event(event, sealed))
                    for event in one.followed
                    if event.kind in CRITICAL_EVENTS
                ],
                comment_blocks(on),
                law.beside(one.rules),
                _score_table(timeline.after(one.followed[-1].seq)),
            )
        )
    return build_element("ol", steps, cls="reel")


class _LawBesideMoves:
    """Says beside each move which rules made in play hold, and which are new since the move before."""

    def __init__(self, anchors: PageAnchors) -> None:
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
                build_element("strong", "New: " if rule.before is None else "Changed: "),
                self.link(rule, f"{rule.number} {rule.title}"),
            ]
            for rule in new
        ]
        lines += [f"No longer in force: {rule.number} {rule.title}" for rule in gone]
        if old:
            old.sort(key=lambda rule: (isinstance(rule.number, str), str(rule.number).zfill(6)))
            lines.append(["As before: ", separated(self.link(rule, str(rule.number)) for rule in old)])
        return [subheading("Law made in play"), item_list(lines or ["none"])]

    def link(self, rule: Rule, said: str) -> Element:
        """Return a link to a rule."""
        return self.anchors.link(f"rule-{rule.id}", said)


def _score_table(state: State) -> Child:
    """Return what everybody has: armies with the number of their pieces, and what is counted."""
    armies = multiverse_of(state).armies
    pieces = Counter(piece.army for piece in multiverse_of(state).pieces.values())
    lines: list[Child] = []
    for name, player in state.players.items():
        has = [
            f"{army} ({count_phrase(pieces[army], 'piece')})" for army, one in armies.items() if one.controller == name
        ]
        has += [*describe_holdings(state, name), *([] if player.playing else ["out"])]
        lines.append([player_name(name), f": {', '.join(has) or 'no army'}"])
    return [subheading("Score"), item_list(lines)]
