"""What a story is made of: chapters, what happened in them, comments on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from nomic_nb.chess.multiverse.picture import Picture
from nomic_nb.chess.multiverse.scenes import Drawing
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.play.events import Cause, Event
from nomic_nb.engine.play.values import Comment
from nomic_nb.study.views import Tally
from nomic_nb.study.views.redline import Proposed


@frozen
class Variation:
    """Another way that the game went, from here on.

    Parameters
    ----------
    at : int
        The last event that both ways share.
    why : str
        How they came to part.
    lines : tuple of str
        What happened there.
    inner : tuple of Variation
        The ways that parted from it in turn.
    name : str
        What its picture is called.
    picture : Drawing or None
        Of the boards behind its last move, where it has one.
    """

    at: int
    why: str
    lines: tuple[str, ...]
    inner: tuple[Variation, ...]
    name: str
    picture: Drawing | None

    def __str__(self) -> str:
        return f"Another way ({self.why}), from event {self.at} on"


#: What is told of a beat beyond its sentence: of a question, the event that asks it.
Made = Proposed | Tally | Event | Variation | None


@dataclass(eq=False)
class Beat:
    """Something worth telling.

    Parameters
    ----------
    seq : int
        The event; that of the last one where several are told as one.
    kind : str
        Of the event; ``variation`` for another way that the game went.
    text : str
        A sentence.
    cause : Cause or None
        The rule behind it.
    undone : bool
        Whether it was taken back.
    turn, player : int, str
        The turn that it belongs to, where that is another one than the chapter's: turns can overlap. 0 and
        empty elsewhere.
    judgment : int or None
        The judgment that it belongs to.
    made : Proposed, Tally, Event, Variation or None
        More than a sentence can hold.
    ply : int
        The number of the move that it is; 0 for what is none.
    picture : Drawing, Picture or None
        Of the boards, where there is something to be seen on them; of what it makes of each kind of piece.
    comments : list of Comment
        On it.
    """

    seq: int
    kind: str
    text: str
    cause: Cause | None = None
    undone: bool = False
    made: Made = None
    turn: int = 0
    player: str = ""
    judgment: int | None = None
    ply: int = 0
    picture: Drawing | Picture | None = None
    comments: list[Comment] = field(default_factory=list)


@dataclass(eq=False)
class Chapter:
    """A turn, or a stretch of one: what happens from where it begins until the next one begins.

    Where turns overlap, what happens in an earlier one that is still under way is told here too, in the
    order in which it happened, and marked with its turn.

    Parameters
    ----------
    turn, circuit : int
        0 for what happens before the first turn.
    start : int
        The event with which it begins.
    again : int
        How often the turn was told before: the game can go back to it.
    player : str
        Whose turn it is; empty where nobody's.
    beats : list of Beat
        What happened.
    comments : list of Comment
        On the turn as a whole.
    actions : list of Event
        What players and hosts did in it.
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
    def empty(self) -> bool:
        """Whether there is nothing to tell."""
        return not (self.beats or self.comments or self.actions)

    @property
    def undone(self) -> bool:
        """Whether all of it was taken back."""
        done = [beat for beat in self.beats if beat.kind != "undone"]
        return bool(done) and all(beat.undone for beat in done)

    @property
    def name(self) -> str:
        """Such as ``turn-3``, and ``turn-3-2`` where the game goes back to it."""
        return f"turn-{self.turn}" + (f"-{self.again + 1}" if self.again else "")

    @property
    def heading(self) -> str:
        """Such as ``Turn 3``."""
        if not self.turn:
            return "Before the first turn"
        return f"Turn {self.turn}" + (", taken up again" if self.again else "")

    def runs(self, beats: Iterable[Beat]) -> Iterator[tuple[int, str, list[Beat]]]:
        """Yield beats that follow each other in one turn, with its number and player.

        Where all of the chapter belongs to its own turn, they are 0 and empty: its heading says it. So they are
        of what stands right below the heading.
        """
        mixed = any(beat.turn for beat in self.beats)
        for turn, group in groupby(beats, key=lambda beat: beat.turn or self.turn):
            run = list(group)
            headed = turn == self.turn and run[0] is self.beats[0]
            yield (turn, run[0].player or self.player, run) if mixed and not headed else (0, "", run)

    @property
    def votes(self) -> Iterator[tuple[Proposed, str]]:
        """What was proposed in it, each with what became of it in this chapter."""
        made = {one.number: one for beat in self.beats if isinstance(one := beat.made, Proposed)}
        outcome = {one.number: one.status for beat in self.beats if isinstance(one := beat.made, Tally)}
        return ((one, outcome.get(number, "")) for number, one in made.items() if number is not None)
