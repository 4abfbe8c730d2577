"""The story of a game: what happened, turn by turn, as every document tells it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from nomic_nb.chess.multiverse.pictures import Drawing, SvgPicture
from nomic_nb.chess.play.events import is_told_elsewhere
from nomic_nb.chess.record.moves import PlayedMove, played_moves
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.engine import Moment
from nomic_nb.engine.play.events import Cause, Event
from nomic_nb.engine.play.proposals import change_of_event
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Comment
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.record.seals import CLOSES, NO_SEALS, Seals, current_seals
from nomic_nb.engine.subjects.host import comment_from_data
from nomic_nb.engine.words import full_sentence, upper_first
from nomic_nb.notebook.documents.move_pictures import (
    comments_on_move,
    draw_after_move,
    draw_all_boards_after,
    draw_changed_moves,
    draw_fair_play,
    is_critical,
)
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.machines import mark_machine
from nomic_nb.study.views import Tally, make_tally
from nomic_nb.study.views.redline import ProposedRule, compare_change, compare_proposal

# ----------------------------------------------------------------------------------------- what a story is made of


@frozen
class Variation:
    """A fork of the game: the event after which it leaves, why, and what happened in it.

    Parameters
    ----------
    at : int
        The last event that both ways share.
    why : str
        How they came to part.
    lines : tuple of str
        What happened there.
    inner : tuple of Variation
        Its own branches.
    name : str
        The name of its moves.
    way : Timeline
        The game that it is.
    until : int
        The first event that nobody may see yet.
    """

    at: int
    why: str
    lines: tuple[str, ...]
    inner: tuple[Variation, ...]
    name: str
    way: Timeline
    until: int

    def __str__(self) -> str:
        return f"Branch ({self.why}), from event {self.at} onwards"


#: What a beat holds besides its sentence; for a question, the event that asks it.
TellableThing = ProposedRule | Tally | Event | Variation | None


@dataclass(eq=False)
class Beat:
    """One event of a chapter, or several described as one, with a sentence and a picture.

    Parameters
    ----------
    seq : int
        The event, or the last of several.
    kind : str
        Its kind; ``variation`` for a branch.
    text : str
        A sentence.
    cause : Cause or None
        The rule that caused it.
    undone : bool
        Whether it was taken back.
    turn, player : int, str
        Its turn, if that is not the chapter's, because turns can overlap; otherwise 0 and empty.
    judgment : int or None
        Its judgment.
    made : Proposed, Tally, Event, Variation or None
        Details beyond the sentence.
    ply : int
        The number of the move; 0 if it is no move.
    picture : Drawing, Picture or None
        Of the boards, if they show anything, or of the change to each kind of piece.
    comments : list of Comment
        On it.
    names : frozenset of str
        Names by which an author can fold it: kind, act, counter, deed.
    """

    seq: int
    kind: str
    text: str
    cause: Cause | None = None
    undone: bool = False
    made: TellableThing = None
    turn: int = 0
    player: str = ""
    judgment: int | None = None
    ply: int = 0
    picture: Drawing | SvgPicture | None = None
    comments: list[Comment] = field(default_factory=list)
    names: frozenset[str] = frozenset()


@dataclass(eq=False)
class Chapter:
    """A turn, or part of one: everything from its beginning until the next turn begins.

    If turns overlap, events of an earlier turn appear here in the order they happened, marked with that turn.

    Parameters
    ----------
    turn, circuit : int
        0 before the first turn.
    start : int
        Its first event.
    again : int
        How many chapters the turn already has, because the game can go back to it.
    player : str
        Whose turn it is; empty if nobody's.
    beats : list of Beat
        The events.
    comments : list of Comment
        On the turn as a whole.
    actions : list of Event
        The acts of players and hosts.
    """

    turn: int
    circuit: int
    start: int
    again: int
    player: str = ""
    beats: list[Beat] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    actions: list[Event] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether the chapter has no beats (told events), no comments and no actions."""
        return not (self.beats or self.comments or self.actions)

    @property
    def is_undone(self) -> bool:
        """Whether everything that the chapter tells was taken back; False if it tells nothing."""
        done = [beat for beat in self.beats if beat.kind != "undone"]
        return bool(done) and all(beat.undone for beat in done)

    @property
    def anchor_name(self) -> str:
        """The anchor of the chapter: ``turn-3``, or ``turn-3-2`` for the second chapter of turn 3."""
        return f"turn-{self.turn}" + (f"-{self.again + 1}" if self.again else "")

    @property
    def heading(self) -> str:
        """The heading of the chapter, such as ``Turn 3`` or ``Before the first turn``."""
        if not self.turn:
            return "Before the first turn"
        return f"Turn {self.turn}" + (", continued" if self.again else "")

    def split_by_turn(self, beats: Iterable[Beat]) -> Iterator[tuple[int, str, list[Beat]]]:
        """Yield (turn number, player, beats) for each run of beats of one turn; (0, “”, …) if the heading names it.

        They are also 0 and empty if the whole chapter belongs to its own turn, and right below the heading.
        """
        mixed = any(beat.turn for beat in self.beats)
        for turn, group in groupby(beats, key=lambda beat: beat.turn or self.turn):
            run = list(group)
            headed = turn == self.turn and run[0] is self.beats[0]
            yield (turn, run[0].player or self.player, run) if mixed and not headed else (0, "", run)

    @property
    def proposals_with_outcomes(self) -> Iterator[tuple[ProposedRule, str]]:
        """Pairs of a proposal made in the chapter and the outcome of its vote here, empty if none exists."""
        proposals = {content.number: content for beat in self.beats if isinstance(content := beat.made, ProposedRule)}
        outcome = {content.number: content.status for beat in self.beats if isinstance(content := beat.made, Tally)}
        return (
            (proposed_rule, outcome.get(number, ""))
            for number, proposed_rule in proposals.items()
            if number is not None
        )


# --------------------------------------------------------------------------------------------- the story of a game


#: Events that headings, tallies or later events already describe.
HIDDEN_EVENTS = frozenset({
    "adopted", "circuit_ended", "defeated", "game_started", "obliged", "part_begun", "part_ended", "passed_by",
    "turn_begun", "turn_ended", "vote_opened",
})  # fmt: skip
#: The effects of an adopted proposal.
CHANGE_EVENTS = frozenset({"amended", "enacted", "repealed", "transmuted", "without_effect"})


def describe_event(event: Event, sealed: Seals = NO_SEALS) -> str:
    """Return an event as a sentence, leaving out what `sealed` says must stay hidden for now, such as a sealed ballot.

    Parameters
    ----------
    event : Event
        The events.
    sealed : Seals
        What nobody may see yet.

    Examples
    --------
    >>> describe_event(Event(9, 1, 1, "throw", "Ann", "counted", {"counter": "points", "amount": -10, "now": "21/2"}))
    'Ann: −10 points, now 21/2.'
    """
    data = event.data
    if event.kind == "annotated":
        comment = " ".join(part for part in (data["nag"], data["text"]) if part)
        return f"Comment on event {data['at']} (undone): {comment}"
    text = sentence(event, sealed)
    # A quotation has its own full stop.
    return upper_first(text) if text.endswith((".”", "!”", "?”", "…”")) else full_sentence(text)


def ballot_events_in_tallies(moments: Sequence[Moment]) -> set[int]:
    """Return the numbers of the ballot events that vote tallies show already; `moments` are pairs (event, state).

    Those are the last ballots of each voter in a vote that closes, or that is open now. What was
    changed or taken back before the vote closed is not among them.
    """
    told_of: set[int] = set()
    cast: dict[tuple[Number, str], int] = {}
    then = [cast]

    def counted(state: State, number: Number) -> Iterable[int]:
        vote = state.proposals[number].vote
        return (seq for (of, name), seq in cast.items() if of == number and vote is not None and name in vote.ballots)

    for event, state in moments:
        number: Number = event.data.get("number", "")
        if event.kind == "undone":
            cast = then[event.data["to"]]
        elif event.kind == "balloted":
            cast = {**cast, (number, str(event.actor)): event.seq}
        elif event.kind == "vote_closed":
            told_of.update(counted(state, number))
            cast = {key: seq for key, seq in cast.items() if key[0] != number}
        then.append(cast)
    now = moments[-1][1]
    for number in {of for of, _ in cast}:
        if now.proposals[number].is_open:
            told_of.update(counted(now, number))
    return told_of


#: Answers to a question, in any turn.
ANSWER_EVENTS = frozenset({"answered", "settled"})


def tell_story(game: BaseGame, *, pictured: bool = False) -> list[Chapter]:
    """Return a game's story as chapters in order of time; if `pictured`, with board pictures at notable events.

    Parameters
    ----------
    game : BaseGame
        As it stands, or as it was.
    pictured : bool
        Whether it has pictures of boards, if there is something to be seen on them.

    Returns
    -------
    list of Chapter
        In the order in which things happened; a chapter goes by when a turn began. Ballots that nobody may
        see yet are not in it.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> proposal = game.propose("Ann", nb.repeal(206))
    >>> game.vote("Ann", "for"), game.vote("Ben", "against")
    (None, None)
    >>> for beat in tell_story(game)[0].beats[:2]:
    ...     print(beat.text)
    Ann proposes 301: repeal rule 206.
    Vote on 301. Failed: 1 for, 1 against; 2 of 2 in favour are needed (rule 203).
    """
    return _StoryTeller(game.timeline, pictured=pictured).tell_chapters()


def open_tallies(game: BaseGame) -> list[Tally]:
    """Return the tallies of the votes that are still open, without what sealed ballots say."""
    return [
        tally for proposal in game.state.open_proposals if (tally := make_tally(proposal, game.timeline)) is not None
    ]


class _StoryTeller:
    """Makes the chapters of a game's story out of its events, forks and comments."""

    def __init__(self, timeline: Timeline, *, pictured: bool) -> None:
        self.timeline, self.pictured = timeline, pictured
        self.sealed = current_seals(timeline)
        self.moves = {played.event.seq: played for played in played_moves(timeline)}
        self.standing = {event.seq for event in timeline.events_in_effect}
        self.marks = {event.data["at"] for event in timeline.events if event.kind == "annotated"}
        self.votes = ballot_events_in_tallies(timeline.moments) - self.marks
        #: Whose turns were in progress, by their numbers.
        self.movers: dict[int, str] = {}
        self.chapters: list[Chapter] = []
        self.places: dict[int, Beat | Chapter | None] = {}
        #: The last thing described in the current step.
        self.last: Beat | None = None

    def tell_chapters(self) -> list[Chapter]:
        """Return the chapters of the whole story, with every event, comment and fork told."""
        for event in self.timeline.events:
            if event.seq in self.sealed.after:
                self.places[event.seq] = None
                continue
            chapter = self.chapter_of_event(event)
            if event.is_action and event.kind != "game_started":
                self.last = None
                chapter.actions.append(event)
            self.places[event.seq] = self.tell_event(event, chapter)
        for variation in find_variations(self.timeline, "way"):
            self.insert_variation(variation)
        return [chapter for chapter in self.chapters if not chapter.is_empty]

    # ------------------------------------------------------------------------------- chapters and places

    def chapter_of_event(self, event: Event) -> Chapter:
        """Return the chapter that an event belongs to; begin a new one if the event is in another turn."""
        if event.kind == "undone":
            self.drop_empty_chapters()
        state = self.timeline.after(event.seq)
        now = self.chapters[-1] if self.chapters else None
        if now is None or (now.turn != state.turn and event.kind != "undone"):
            again = sum(1 for chapter in self.chapters if chapter.turn == state.turn and not chapter.is_empty)
            now = Chapter(state.turn, event.circuit, event.seq, again)
            self.chapters.append(now)
        self.movers.update((turn.number, turn.player) for turn in state.turns)
        now.player = now.player or next((turn.player for turn in state.turns if turn.number == now.turn), "")
        return now

    def drop_empty_chapters(self) -> None:
        """Drop empty chapters at the end: turns that had just begun when they were taken back."""
        while len(self.chapters) > 1 and self.chapters[-1].is_empty:
            gone = self.chapters.pop()
            self.places = {seq: self.chapters[-1] if place is gone else place for seq, place in self.places.items()}

    def tell_event(self, event: Event, chapter: Chapter) -> Beat | Chapter | None:
        """Add the beat of an event, if it gets one; return the beat or chapter for comments on it, None if hidden."""
        if event.kind == "annotated":
            return self.place_comment(event, chapter)
        if event.kind in ("comment_edited", "comment_withdrawn"):
            return self.places.get(event.data["comment"])
        if event.kind == "turn_begun":
            if event.is_action:  # where turns begin at will, to begin one is a deed
                chapter.beats.append(self.make_beat(event))
            return chapter
        elsewhere = event.turn not in (0, chapter.turn) and event.kind != "undone"  # in an earlier turn: they overlap
        beat = None if self.is_left_out(event, elsewhere=elsewhere) else self.make_beat(event)
        if beat is None:
            return self.last or chapter
        if event.kind in ANSWER_EVENTS and chapter.beats:  # they belong where the question does
            beat.turn, beat.player = chapter.beats[-1].turn, chapter.beats[-1].player
        elif elsewhere:
            beat.turn, beat.player = event.turn, self.movers.get(event.turn, "")
        chapter.beats.append(beat)
        self.last = beat
        return beat

    def is_left_out(self, event: Event, *, elsewhere: bool) -> bool:
        """Tell whether an event gets no beat of its own; `elsewhere` says that it belongs to an earlier turn."""
        if event.kind == "turn_ended":
            return not elsewhere
        if event.kind == "balloted":
            return event.seq in self.votes
        if event.kind in ("entered", "tracked"):
            return event.turn == 0
        return event.kind in HIDDEN_EVENTS or (is_told_elsewhere(event) and event.seq not in self.marks)

    def place_comment(self, event: Event, chapter: Chapter) -> Beat | Chapter | None:
        """Add a comment to its beat or chapter, or as a beat of its own if taken back; return that, None if hidden."""
        data = event.data
        place = self.places.get(data["at"])
        undone, of_undone = event.seq not in self.standing, data["at"] not in self.standing
        if undone and not of_undone:
            beat = Beat(event.seq, "annotated", describe_event(event, self.sealed), undone=True)
            chapter.beats.append(beat)
            return beat
        now = comment_from_data(data) if undone else self.timeline.state.comments.get(event.seq)
        if place is not None and now is not None:  # as it reads now; one that is withdrawn is not shown
            place.comments.append(now)
        return place

    def insert_variation(self, variation: Variation) -> None:
        """Insert a fork of the game into the story, after the last event that it shares with the game."""
        place = self.places.get(variation.at)
        beat = Beat(variation.at, "variation", f"{variation}.", made=variation)
        if isinstance(place, Beat):
            beat.turn, beat.player = place.turn, place.player
        for chapter in self.chapters:
            if place is chapter:
                chapter.beats.insert(0, beat)
            elif isinstance(place, Beat) and place in chapter.beats:
                at = chapter.beats.index(place) + 1
                while at < len(chapter.beats) and chapter.beats[at].kind == "variation":
                    at += 1
                chapter.beats.insert(at, beat)
            else:
                continue
            beat.undone = variation.at not in self.standing
            return

    # ---------------------------------------------------------------------------------------------- beats

    def make_beat(self, event: Event) -> Beat:
        """Return the beat that tells an event: sentence, cause, picture, and a change or tally to show."""
        undone = event.seq not in self.standing and event.kind != "undone"
        if undone and event.kind in CLOSES and event.seq in self.sealed.telling:  # its outcome would tell
            text = "The answers are in. What came next is hidden until they are all in again."
            if "number" in event.data:
                closed = f"The vote on {event.data['number']} closes"
                text = f"{closed}. What came next is hidden until it closes again."
            return Beat(event.seq, "withheld", text, None, undone)
        content, cause = self.event_subject(event), event.cause
        text = mark_machine(self.timeline, event, describe_event(event, self.sealed))
        if isinstance(content, Tally):
            text = f"Vote on {content.number}. {content.verdict}"
        if isinstance(content, Tally) or (event.kind in CHANGE_EVENTS and event.data["number"] is not None):
            cause = None  # the vote is, and says so itself
        judgment = event.data.get("judgment")
        known = judgment if judgment in self.timeline.state.judgments else None
        beat = Beat(event.seq, event.kind, text, cause, undone, content, judgment=known)
        beat.names = frozenset((event.kind, event.do, *(str(event.data.get(name)) for name in ("counter", "name"))))
        move = self.moves.get(event.seq)
        beat.ply = move.ply if move is not None else 0
        beat.picture = self.draw_picture(event, move) if self.pictured and not undone else None
        return beat

    def draw_picture(self, event: Event, move: PlayedMove | None) -> Drawing | SvgPicture | None:
        """Draw the boards after a notable event, or a proposal's fair-play meter; None if nothing is notable."""
        if move is not None:
            on = comments_on_move(self.timeline, move)
            return draw_after_move(self.timeline, move, on) if on or is_critical(move) else None
        if event.kind == "set_up":
            return draw_all_boards_after(self.timeline, event.seq)
        if event.kind == "proposed":
            return draw_fair_play(self.timeline, event.seq)
        return draw_changed_moves(self.timeline, event.seq) if event.kind in CHANGE_EVENTS else None

    def event_subject(self, event: Event) -> TellableThing:
        """Return what is shown of an event beyond a sentence: change, tally or question; None if nothing is."""
        data, state = event.data, self.timeline.after(event.seq)
        if event.kind in ("proposed", "revised"):
            return compare_proposal(state, data["number"])
        if event.kind in CHANGE_EVENTS and data["number"] is None and event.seq > 1:
            return compare_change(
                self.timeline.after(event.seq - 1), change_of_event(event), None, "", data.get("tier", "")
            )
        if event.kind == "vote_closed":
            after = self.timeline.after(self.timeline.end_of_step(event.seq))
            return make_tally(after.proposals[data["number"]], self.timeline)
        if event.kind in ("asked", "judgment_invoked"):
            return event
        return None


def find_variations(timeline: Timeline, name: str) -> Iterator[Variation]:
    """Yield forks that have events, sorted by where they leave, called `name`-1 and so on.

    Parameters
    ----------
    timeline : Timeline
        The original game.
    name : str
        Their name, before the number of each.
    """
    for count, fork in enumerate(sorted(timeline.forks, key=lambda branch: branch.at), 1):
        called, way = f"{name}-{count}", fork.timeline
        unseen = current_seals(way)
        lines, shown = [], len(way.events) + 1
        for event in way.events[fork.at :]:
            if event.kind in CLOSES and event.seq in unseen.telling:
                closed = "number" in event.data
                of = f"the vote on {event.data['number']} is open" if closed else "answers are missing"
                lines.append(f"What came next is hidden while {of}.")
                shown = event.seq
                break
            if event.kind == "annotated":
                lines.append(" ".join(filter(None, ("Comment:", event.data["nag"], event.data["text"]))))
                continue
            behind = event.kind in HIDDEN_EVENTS or is_told_elsewhere(event)
            if not behind and (event.kind != "balloted" or event.seq in unseen.telling):
                lines.append(mark_machine(way, event, describe_event(event, unseen)))
        inner = tuple(find_variations(way, called))
        if lines or inner:
            yield Variation(fork.at, fork.why, tuple(lines), inner, called, way, shown)
