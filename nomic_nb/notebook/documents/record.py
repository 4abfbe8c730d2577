"""The record of a game as a tree: what happened, turn by turn, with comments; and the moves one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from xml.etree.ElementTree import Element

from nomic_nb.chess.multiverse.pictures import Drawing, SvgPicture
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.record.moves import commented_event, played_moves
from nomic_nb.engine.law.rules import Rule, RuleBook
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Comment
from nomic_nb.engine.record.seals import current_seals
from nomic_nb.engine.words import count_phrase, rule_citation
from nomic_nb.notebook.documents.authored import GameAnchors
from nomic_nb.notebook.documents.edition import PLAIN_EDITION, Edition
from nomic_nb.notebook.documents.move_pictures import (
    CRITICAL_EVENTS,
    PictureWriter,
    comments_on_move,
    draw_after_move,
    draw_all_boards_after,
    draw_no_picture,
)
from nomic_nb.notebook.documents.narrative import Beat, Chapter, Variation, describe_event, open_tallies
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.machines import mark_machine
from nomic_nb.notebook.markup.prose import prose_elements
from nomic_nb.notebook.markup.tree import (
    Child,
    append_children,
    badge,
    build_element,
    folded_section,
    item_list,
    join_children,
    player_name,
    quiet_paragraph,
    quiet_text,
    subheading,
)
from nomic_nb.notebook.show.proposals import draw_proposed, draw_tally, draw_warnings
from nomic_nb.study.review.remarks import bounds_of_search
from nomic_nb.study.views import Tally
from nomic_nb.study.views.phrases import wording_table
from nomic_nb.study.views.redline import ProposedRule
from nomic_nb.study.views.tables import holdings_in_words

#: Events that lead to where the judgment is told whole.
JUDGMENT_EVENTS = frozenset({"judgment_invoked", "ruled"})

#: Events that give a proposal the form that is voted on.
FORMS = ("proposed", "revised")


class RecordTree:
    """Turns the chapters of a game's story into elements, and places the author's headings.

    Parameters
    ----------
    anchors : Anchors
        Of the page.
    draw : callable
        Shows boards.
    headings : sequence of (int, str)
        Headings of the author's, with any prose, and the events that they come before, in order.
    edition : Edition
        What the author folds and shortens.
    """

    def __init__(
        self, anchors: GameAnchors, draw: PictureWriter = draw_no_picture, headings: Sequence[tuple[int, str]] = (),
        edition: Edition = PLAIN_EDITION,
    ) -> None:  # fmt: skip
        self.anchors, self.draw, self.edition = anchors, draw, edition
        self.headings = list(headings)
        #: Entries of the contents for headings of the author's, by the chapters that they come before or in.
        self.entries: dict[str, list[Element]] = {}

    def chapter_elements(self, chapters: Iterable[Chapter]) -> Iterator[Child]:
        """Yield the chapters as elements, with the author's headings before, between and after them."""
        name = ""
        for shown in chapters:
            name = shown.anchor_name
            yield from self.take_headings_before(shown.start, name)
            yield self.chapter_element(shown)
        yield from self.take_headings_before(self.headings[-1][0] if self.headings else 0, name)

    def take_headings_before(self, seq: int, chapter_anchor: str) -> Iterator[Element]:
        """Yield the author's unused headings up to event `seq`; add them to the contents under `chapter_anchor`."""
        while self.headings and self.headings[0][0] <= seq:
            at, text = self.headings.pop(0)
            heading, _, prose = text.partition("\n")
            if heading.strip():
                place = f"chapter-{sum(map(len, self.entries.values())) + 1}"
                self.entries.setdefault(chapter_anchor, []).append(
                    build_element("li", self.anchors.link_to(place, heading), cls="chapter")
                )
                yield build_element("h3", heading, id=self.anchors.add_anchor(place), cls="chapter")
            if prose.strip():
                yield build_element("div", self.anchors.author_prose(prose, at), cls="introduction")

    def chapter_element(self, shown: Chapter) -> Element:
        """Return a chapter as a section: heading, comments and beats, with undone beats set apart."""
        heading = self.chapter_heading("h3", shown)
        parts = [comment_blocks(shown.comments, self.anchors)]
        for undone, group in groupby(shown.beats, key=lambda beat: beat.undone):
            beats = [
                [
                    self.turn_line(turn, player),
                    list(self.run_elements(run, shown.anchor_name)),
                ]
                for turn, player, run in shown.split_by_turn(group)
            ]
            label = subheading("Taken back")
            parts.append(build_element("div", label, beats, cls="taken-back quoted") if undone else beats)
        return build_element("section", heading, parts, cls="turn")

    def run_elements(self, run: Iterable[Beat], chapter_anchor: str) -> Iterator[Child]:
        """Yield the beats of a run as elements, with headings between; what the author folds is one line."""
        for folded, group in groupby(run, key=lambda beat: sorted(beat.names.intersection(self.edition.fold))):
            beats = list(group)
            headings = [list(self.take_headings_before(beat.seq, chapter_anchor)) for beat in beats]
            elements = [self.beat_element(beat) for beat in beats]
            if folded:
                names = f"{count_phrase(len(beats), 'event')}: {', '.join(folded)}"
                yield [headings, folded_section(names, elements, cls="folded")]
            else:
                yield list(zip(headings, elements, strict=True))

    def chapter_heading(self, tag: str, shown: Chapter) -> Element:
        """Return a chapter's heading as a link target: turn, player, round, “taken back”, comment glyphs."""
        return build_element(
            tag,
            shown.heading,
            [" · ", player_name(shown.player)] if shown.player else None,
            [" ", quiet_text(f"round {shown.circuit}")] if shown.turn else None,
            [" ", badge("taken back")] if shown.is_undone else None,
            comment_glyphs(shown.comments),
            self.anchors.copy_link(shown.anchor_name),
            id=self.anchors.add_anchor(shown.anchor_name),
        )

    def turn_line(self, turn: int, player: str) -> Element | None:
        """Return a line that links to a turn and names its player; None if the turn's number is 0."""
        link = self.anchors.link_to(f"turn-{turn}", f"Turn {turn}")
        return build_element("p", link, " · ", player_name(player), cls="label of-turn") if turn else None

    def beat_element(self, shown: Beat) -> Element:
        """Return everything that is shown of a beat (a told event), with its comments and its number in the margin."""
        place, kind = f"event-{shown.seq}", shown.kind.replace("_", "-")
        element = build_element(
            "div", list(self._beat_content(shown)), comment_blocks(shown.comments, self.anchors), cls="said"
        )
        if shown.kind == "variation":
            return build_element("div", element, cls=f"beat on-{kind}")
        margin = self.anchors.link_to(place, str(shown.seq), cls="seq")
        item = "" if shown.made is not None else " item"
        return build_element("div", margin, element, cls=f"beat on-{kind}{item}", id=self.anchors.add_anchor(place))

    def beat_line(self, shown: Beat) -> Element:
        """Return the sentence of a beat (a told event), with links to its move and rule and comment glyphs."""
        move = self.anchors.link_to(f"move-{shown.ply}", f"move {shown.ply}") if shown.ply else None
        seen: Child = [" ", quiet_text("(", move, ")")] if move is not None else None
        return build_element("p", shown.text, seen, self._rule_link(shown), comment_glyphs(shown.comments))

    def variation_element(self, variation: Variation) -> Element:
        """Return a variation (a fork of the game) as an element, with its own variations inside."""
        return build_element(
            "div",
            subheading(str(variation)),
            item_list(variation.lines),
            None
            if self.draw is draw_no_picture or not self.edition.has_part("moves")
            else move_list(
                variation.way, self.anchors, self.draw, commented=self.edition.has_part("comments"), branch=variation
            ),
            [self.variation_element(inner_variation) for inner_variation in variation.inner],
            cls="variation quoted",
        )

    def _rule_link(self, shown: Beat) -> Child:
        """Return a link in brackets to the rule that caused a beat, or to its judgment; None if neither."""
        if shown.judgment is not None and shown.kind in JUDGMENT_EVENTS:
            return [" ", quiet_text("(", self.anchors.link_to(f"judgment-{shown.judgment}", "judgment"), ")")]
        if shown.cause is None:
            return None
        return [" ", quiet_text("(", self.anchors.link_to(f"rule-{shown.cause.id}", f"rule {shown.cause.rule}"), ")")]

    def _beat_content(self, shown: Beat) -> Iterator[Child]:
        """Yield the elements of a beat (a told event): its sentence, proposal, tally or fork, and picture."""
        content, signs = shown.made, comment_glyphs(shown.comments)
        if isinstance(content, ProposedRule):
            heading = build_element("h4", shown.text.removesuffix("."), self._rule_link(shown), signs)
            place = f"proposal-{content.number}".replace(" ", "-")
            if not shown.undone and place not in self.anchors.known:
                append_children(heading, self.anchors.copy_link(place))
                heading.set("id", self.anchors.add_anchor(place))
            yield heading
            yield draw_proposed(content, self.anchors.link_to)
        elif isinstance(content, Tally) and self.edition.tallies != "short":
            yield draw_tally(content)
            yield build_element("p", signs) if signs else None
        elif isinstance(content, Event):
            link = self._rule_link(shown) if shown.kind in JUDGMENT_EVENTS else None
            yield build_element("p", build_element("strong", shown.text), link, signs)
            rule, options = content.data.get("rule"), content.data.get("options")
            about = [f"Rule {rule}."] if rule is not None else []
            about += [f"Possible answers: {', '.join(options)}."] if options else []
            yield quiet_paragraph(" ".join(about)) if about else None
        elif isinstance(content, Variation):
            yield self.variation_element(content)
        else:
            yield self.beat_line(shown)
        if shown.picture is not None:
            yield self.draw(f"move-{shown.ply}" if shown.ply else f"event-{shown.seq}", shown.picture)
        if isinstance(shown.picture, SvgPicture):
            yield folded_section("Fair play, in words", build_element("p", shown.picture.alt))


def comment_blocks(comments: Iterable[Comment], anchors: GameAnchors) -> Child:
    """Return comments as block quotations: each one's text with references as links, then its arrows and squares."""
    known = anchors.game.state.comments
    return [
        build_element(
            "blockquote",
            prose_elements(comment.text, partial(anchors.refer, seq=commented_event(known, comment)))
            if comment.text
            else None,
            _marks_in_words(comment),
            cls="comment",
            aria_label="Comment",
        )
        for comment in comments
        if comment.text or comment.arrows or comment.squares
    ]


def _marks_in_words(comment: Comment) -> Element | None:
    """Return a comment's arrows and marked squares as a paragraph; None if it has none."""
    drawn = {"Arrows": comment.arrows, "Marked": comment.squares}
    sentences = [f"{name}: {', '.join(marks)}." for name, marks in drawn.items() if marks]
    return quiet_paragraph(" ".join(sentences)) if sentences else None


def comment_glyphs(comments: Iterable[Comment]) -> Child:
    """Return the glyphs of comments, such as “!” for a good move, each with its meaning as a tooltip."""
    return [
        [" ", build_element("abbr", comment.glyph, title=wording_table("glyphs")[comment.glyph], cls="glyph")]
        for comment in comments
        if comment.glyph
    ]


def open_matters(game: BaseGame) -> Element:
    """Return a section titled “Still open” with a game's open votes and pending decisions."""
    pending = []
    for decision in game.pending.visible_decisions:
        options = f": {', '.join(decision.options)}" if decision.options else ""
        pending.append(
            [
                player_name(decision.player) if decision.player else "anyone",
                f": {decision.prompt}{options}{rule_citation(decision.rule)}",
            ]
        )
    return build_element(
        "section",
        build_element("h3", "Still open"),
        [[draw_tally(tally), draw_warnings(game.proposals[tally.number].remarks)] for tally in open_tallies(game)],
        item_list(pending),
        cls="turn",
    )


def searches(game: BaseGame) -> Element | None:
    """Return a section on what searches for loopholes found and did not decide of each proposal; None without any."""
    made = {event.data["number"]: state for event, state in game.timeline.moments if event.kind in FORMS}
    lines = [f"Proposal {number}: {line}" for number, state in made.items() for line in bounds_of_search(state, number)]
    return build_element("section", build_element("h3", "Searches for loopholes"), item_list(lines)) if lines else None


# --------------------------------------------------------------------------------------------- the moves one by one


def move_list(
    timeline: Timeline, anchors: GameAnchors, draw: PictureWriter, *, commented: bool = True,
    branch: Variation | None = None,
) -> Element | None:  # fmt: skip
    """Return the moves as a numbered list with boards, law and score after each; None if nobody has moved.

    Parameters
    ----------
    timeline : Timeline
        The game, as it is now or as it was.
    anchors : Anchors
        Of the page.
    draw : callable
        Shows the boards.
    commented : bool
        Whether comments are in it.
    branch : Variation, optional
        The branch of which these are the moves.
    """
    sealed = current_seals(timeline)
    at, until, name = (branch.at, branch.until, branch.name) if branch else (0, len(timeline.moments) + 1, "move")
    plies = [
        played for played in played_moves(timeline)
        if at < played.event.seq < until and played.event.seq not in sealed.after
    ]  # fmt: skip
    if not plies:
        return None
    law = _LawBesideMoves(anchors, at if branch else until)

    def step(ply: int, drawing: Drawing, moved: Element, *beside: Child, cls: str = "board") -> Element:
        shown, place = build_element("div", draw(f"{name}-{ply}", drawing), cls=cls), f"{name}-{ply}"
        append_children(moved, anchors.copy_link(place))
        beside_element = build_element("div", moved, beside, cls="beside")
        return build_element("li", shown, beside_element, value=ply, id=anchors.add_anchor(place))

    before = plies[0].pushed - 1
    steps = []
    if branch is None:
        start = build_element("p", "Before the first move", cls="moved")
        state = timeline.after(before)
        boards, law_then = draw_all_boards_after(timeline, before), law.law_at_move(timeline.before.rules)
        steps.append(step(0, boards, start, law_then, _score_table(state), cls="board all-boards"))
    for played in plies:
        on = comments_on_move(timeline, played) if commented else []
        told = mark_machine(timeline, played.event, describe_event(played.event, sealed))
        element = build_element(
            "p",
            told if branch else anchors.link_to(f"event-{played.event.seq}", told),
            comment_glyphs(on),
            cls="moved",
        )
        steps.append(
            step(
                played.ply,
                draw_after_move(timeline, played, on),
                element,
                [
                    build_element("p", describe_event(event, sealed))
                    for event in played.followed
                    if event.kind in CRITICAL_EVENTS
                ],
                comment_blocks(on, anchors),
                law.law_at_move(played.rules),
                _score_table(timeline.after(played.followed[-1].seq)),
            )
        )
    return build_element("ol", steps, cls="reel")


class _LawBesideMoves:
    """Says beside each move which rules made in play hold, and which are new since the move before."""

    def __init__(self, anchors: GameAnchors, until: int) -> None:
        self.anchors, self.until = anchors, until
        self.known: dict[int, Rule] = {}

    def law_at_move(self, rules: RuleBook) -> Child:
        """Return a list of the rules made in play: new, changed, gone or unchanged since the last call."""
        rules_by_id = {rule.id: rule for rule in rules.in_force if rule.turn}
        new = [rule for id, rule in rules_by_id.items() if self.known.get(id) != rule]
        gone = [rule for id, rule in self.known.items() if id not in rules_by_id]
        old = [rule for rule in rules_by_id.values() if rule not in new]
        self.known = rules_by_id
        lines: list[Child] = [
            [
                build_element("strong", "New: " if rule.before is None else "Changed: "),
                self.rule_link(rule, f"{rule.number} {rule.title}"),
            ]
            for rule in new
        ]
        lines += [f"No longer in force: {rule.number} {rule.title}" for rule in gone]
        if old:
            old.sort(key=lambda rule: (isinstance(rule.number, str), str(rule.number).zfill(6)))
            lines.append(["As before: ", join_children(self.rule_link(rule, str(rule.number)) for rule in old)])
        return [subheading("Rules made in play"), item_list(lines or ["none"])]

    def rule_link(self, rule: Rule, sentence: str) -> Child:
        """Return a link with the given words to a rule on the same page; the words for a rule made in a branch."""
        return sentence if rule.event > self.until else self.anchors.link_to(f"rule-{rule.id}", sentence)


def _score_table(state: State) -> Child:
    """Return a list of players, each with armies and their piece counts, and with counters."""
    armies = multiverse_of(state).armies
    pieces = Counter(piece.army for piece in multiverse_of(state).pieces.values())
    lines: list[Child] = []
    for name, player in state.players.items():
        has = [
            f"{army} ({count_phrase(pieces[army], 'piece')})"
            for army, army_details in armies.items()
            if army_details.controller == name
        ]
        has += [*holdings_in_words(state, name), *([] if player.playing else ["out"])]
        lines.append([player_name(name), f": {', '.join(has) or 'no army'}"])
    return [subheading("Score"), item_list(lines)]
