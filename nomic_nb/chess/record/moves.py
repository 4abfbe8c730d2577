"""The moves of a game on boards, and what comments are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import ascii_lowercase
from typing import cast

from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import BoardMove
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import Law
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.rules import Number, RuleBook
from nomic_nb.engine.play.events import Event, value_from_data
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Comment

#: A law under which all letters are pieces, for boards that are only looked at.
_EMPTY_LAW = Law(dict.fromkeys(ascii_lowercase, "W"))


@frozen
class PlayedMove:
    """A move of a game, with its place in the game and what it brought about.

    Parameters
    ----------
    ply : int
        Its number in the whole game, 1 for the first.
    event : Event
        As it is on record.
    move : BoardMove
        The move.
    uci : str
        The move on the joined board.
    before : Multiverse
        The boards as they were when they were pushed together.
    followed : tuple of Event
        What the move brought about at once, itself among it.
    rule : int or str or None
        The rule by which it was owed.
    pushed : int
        The event that pushed the boards together.
    rules : RuleBook
        The rules in force when it was made.
    """

    ply: int
    event: Event
    move: BoardMove
    uci: str
    before: Multiverse
    followed: tuple[Event, ...]
    rule: Number | None
    pushed: int
    rules: RuleBook

    @property
    def kind(self) -> str:
        """The kind of the piece that moved, a capital letter."""
        if self.move.dropped:
            return str(self.event.data["kind"])
        return self.before.pieces[self.move.piece].kind.upper()

    def events_of_kind(self, kind: str) -> list[Event]:
        """Return the events of one kind, such as “captured”, that the move brought about."""
        return [event for event in self.followed if event.kind == kind]

    @property
    def joined_boards(self) -> Push:
        """The boards joined for the move, as they were before it; for layout only, as no real movements are set."""
        return Push(self.before, _EMPTY_LAW, self.move.army, self.move.push)

    def includes_event(self, seq: int) -> bool:
        """Tell whether the event numbered `seq` is part of the move or of what it brought about."""
        return seq == self.pushed or any(event.seq == seq and event.kind != "turn_begun" for event in self.followed)


def played_moves(timeline: Timeline) -> Iterator[PlayedMove]:
    """Yield the moves of a game in order, without those that were taken back."""
    standing = timeline.events_in_effect
    ply, back = 0, {any_event.data["move"] for any_event in standing if any_event.kind == "taken_back"}
    for at, event in enumerate(standing):
        if event.kind != "pushed":
            continue
        state = timeline.after(event.seq - 1)
        duties = [duty for turn in state.turns for duty in turn.duties]
        rule = next(
            (duty.rule for duty in duties if "move" in duty.fulfilling_actions and duty.player == event.actor), None
        )
        step = []
        for later_event in standing[at + 1 :]:
            if later_event.is_action:
                break
            step.append(later_event)
        moved = next((step_event for step_event in step if step_event.kind in ("moved", "dropped")), None)
        if moved is None or moved.seq in back:  # the boards were only pushed, by somebody who is mated on them
            continue
        ply += 1
        before = cast(Multiverse, state.position)
        move = value_from_data(moved.data, BoardMove)
        yield PlayedMove(ply, moved, move, moved.data["uci"], before, tuple(step), rule, event.seq, state.rules)


def last_played_move(timeline: Timeline) -> BoardMove | None:
    """Return the last move of a game that was not taken back, or None."""
    back = set()
    moved: Event | None = None
    for event in timeline.events_backwards():
        if event.kind == "taken_back":
            back.add(event.data["move"])
        elif event.kind in ("moved", "dropped"):
            moved = event
        elif event.kind == "pushed" and moved is not None and moved.seq not in back:
            return value_from_data(moved.data, BoardMove)
        if event.is_action:
            moved = None
    return None


def events_by_number(timeline: Timeline, what: str) -> dict[str, int]:
    """Return the event numbers of all plies, turns, proposals or events (`what`), by their number as text."""
    if what == "ply":
        return {str(played.ply): played.event.seq for played in played_moves(timeline)}
    if what == "turn":
        return {str(event.turn): event.seq for event in timeline.events_in_effect if event.kind == "turn_begun"}
    if what == "proposal":
        return {str(event.data["number"]): event.seq for event in timeline.events_in_effect if event.kind == "proposed"}
    return {str(event.seq): event.seq for event in timeline.events}


def commented_event(comments: Mapping[int, Comment], comment: Comment) -> int:
    """Return the number of the event that a comment, or the comment it answers, is about."""
    while comment.at in comments:
        comment = comments[comment.at]
    return comment.at
