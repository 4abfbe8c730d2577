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
    """A move that was made.

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
        The boards as they stood when they were pushed together.
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
        """The kind of the piece, a capital letter."""
        if self.move.dropped:
            return str(self.event.data["kind"])
        return self.before.pieces[self.move.piece].kind.upper()

    def of(self, kind: str) -> list[Event]:
        """Return the events of one kind among those that followed."""
        return [one for one in self.followed if one.kind == kind]

    @property
    def joined(self) -> Push:
        """The boards as they were pushed together, to be looked at: pieces there have no moves."""
        return Push(self.before, _EMPTY_LAW, self.move.army, self.move.push)

    def on(self, seq: int) -> bool:
        """Tell whether an event is the move, or what it brought about; the next turn is not."""
        return seq == self.pushed or any(one.seq == seq and one.kind != "turn_begun" for one in self.followed)


def played_moves(timeline: Timeline) -> Iterator[PlayedMove]:
    """Yield the moves of a game that count, in order; those that were taken back do not."""
    standing = timeline.standing
    ply, back = 0, {one.data["move"] for one in standing if one.kind == "taken_back"}
    for at, event in enumerate(standing):
        if event.kind != "pushed":
            continue
        state = timeline.after(event.seq - 1)
        duties = [duty for turn in state.turns for duty in turn.duties]
        rule = next((one.rule for one in duties if "move" in one.actions and one.player == event.actor), None)
        step = []
        for one in standing[at + 1 :]:
            if one.action:
                break
            step.append(one)
        moved = next((one for one in step if one.kind in ("moved", "dropped")), None)
        if moved is None or moved.seq in back:  # the boards were only pushed, by somebody who is mated on them
            continue
        ply += 1
        before = cast(Multiverse, state.position)
        made = value_from_data(moved.data, BoardMove)
        yield PlayedMove(ply, moved, made, moved.data["uci"], before, tuple(step), rule, event.seq, state.rules)


def last_played_move(timeline: Timeline) -> BoardMove | None:
    """Return the last move that counts, found from the end; None where there is none."""
    back: set[int] = set()
    moved: Event | None = None
    for event in timeline.back():
        if event.kind == "taken_back":
            back.add(event.data["move"])
        elif event.kind in ("moved", "dropped"):
            moved = event
        elif event.kind == "pushed" and moved is not None and moved.seq not in back:
            return value_from_data(moved.data, BoardMove)
        if event.action:
            moved = None
    return None


def events_by_number(timeline: Timeline, what: str) -> dict[str, int]:
    """Return the events of the plies, turns, proposals or events of a game, by their numbers."""
    if what == "ply":
        return {str(one.ply): one.event.seq for one in played_moves(timeline)}
    if what == "turn":
        return {str(one.turn): one.seq for one in timeline.standing if one.kind == "turn_begun"}
    if what == "proposal":
        return {str(one.data["number"]): one.seq for one in timeline.standing if one.kind == "proposed"}
    return {str(one.seq): one.seq for one in timeline.events}


def commented_event(comments: Mapping[int, Comment], one: Comment) -> int:
    """Return the event that a comment is about in the end, where it is on another comment."""
    while one.at in comments:
        one = comments[one.at]
    return one.at
