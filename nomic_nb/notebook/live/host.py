"""Whoever keeps the record of a game, as the public game offers it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, cast

from nomic_nb.chess.multiverse.errors import GeometryError
from nomic_nb.chess.multiverse.positions import Position
from nomic_nb.chess.play.boards import split_colour
from nomic_nb.chess.record.moves import PlayedMove, events_by_number, played_moves
from nomic_nb.engine.arguments import explain_all_argument_errors
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.changes import read_rule_number
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.calendar import current_time
from nomic_nb.engine.play.declarations import COMMENT_ACTIONS
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.notebook.live.cells import CELL_WATCH, acting_hand
from nomic_nb.notebook.live.player_actions import SealedActions
from nomic_nb.study.frames import comments_frame

if TYPE_CHECKING:
    import pandas as pd


# ------------------------------------------------------------------------------ whoever keeps the record of a game


class Host:
    """Whoever keeps the record. None of this is a move in the game, and all of it is recorded.

    Parameters
    ----------
    timeline : Timeline
        The game.
    """

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline

    def _do(self, action: str, **details: Any) -> None:
        CELL_WATCH.note_use(self.timeline)
        with acting_hand("host"):
            self.timeline.host(action, details)

    def absent(self, who: str) -> None:
        """Record that a player is not at the table. Nobody votes or moves in their place."""
        self._do("absent", who=who)

    def present(self, who: str) -> None:
        """Record that a player is back."""
        self._do("present", who=who)

    def overdue(self, who: str) -> None:
        """Record that a player who owes a seal or a reveal does not give it, and that nobody waits any longer.

        No clock runs in a game: the time is up when somebody records it. While seals are owed, the throw goes
        on without the player; once all have sealed, the law says how it goes on (``dice.unrevealed``).

        Raises
        ------
        IllegalAction
            The player owes neither.
        """
        self._do("overdue", who=who)

    def time(self, now: str | None = None) -> None:
        """Record what time it is: nothing in a game happens by a clock but what is recorded.

        What falls due since the last time comes first, one thing after the other: each midnight, and what rules
        put off by hours, days or weeks.

        Parameters
        ----------
        now : str, optional
            Such as ``2026-11-22 18:00``; what the clock of this machine says, where it is left out.

        Raises
        ------
        IllegalAction
            No such time, one that is not later than what was recorded, or one that is more than 400 days off.

        Examples
        --------
        >>> import nomic_nb as nb
        >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> game.host.time("2026-11-22 18:00")
        >>> game.host.time("2026-11-23 08:30")
        >>> game.latest(2)
        ['it is recorded as 2026-11-23 08:30', 'Monday 2026-11-23 begins']
        """
        self._do("time", now=current_time() if now is None else now)

    def pause(self) -> None:
        """Let the game rest; every action is refused until it is resumed."""
        self._do("pause")

    def resume(self) -> None:
        """Go on after a pause."""
        self._do("resume")

    def correct(self, effect: str, *, agreed: Sequence[str], reason: str) -> None:
        """Put right what the record has wrong, or let somebody in, where everyone at the table agrees on it.

        Parameters
        ----------
        effect : str
            What is so, in the law language: ``put points of "Ann" at 12``, ``award 2 points to "Ben"``; or, for
            somebody who comes late, ``enter player "Zoe" as person``.
        agreed : sequence of str
            Who agrees: everyone who plays and is not absent.
        reason : str
            Why.

        Raises
        ------
        IllegalAction
            Somebody has not agreed, the effect is none that counts or lets in, or the name is taken.
        LawError
            The effect cannot be read.
        """
        self._do("correct", effect=effect, agreed=list(agreed), reason=reason)

    def set_up(self, position: str | Mapping[str, str] | Position, *, agreed: Sequence[str], reason: str) -> None:
        """Set up the boards as everyone at the table agrees that they stand: for a problem, or to go on with a game.

        Parameters
        ----------
        position : str, mapping of str to str or Position
            A FEN, where the boards are one board of two armies: a universe, or two half-boards pushed together; upper
            case is the army on the near side. Kings and rooks castle if it says so. Its last two fields count
            what boards do not count. Otherwise the pieces of every army, by its name: ``{"white": "Ke1* Rh1* a2",
            "yellow": "Kd1 Qwhite.d4"}``, where ``*`` stands for a piece that has not moved; what `arrangement` of the
            game returns. A `Position` stands for its FEN.
        agreed : sequence of str
            Who agrees: everyone who plays and is not absent.
        reason : str
            Why.

        Raises
        ------
        IllegalAction
            Somebody has not agreed, it is the middle of a turn's moves, or the position cannot be; with the field
            of the FEN, or the army and its piece.
        """
        self._do("set_up", position=position_as_recorded(position), agreed=list(agreed), reason=reason)


explain_all_argument_errors(Host)


def position_as_recorded(position: object) -> object:
    """Return a position as a record has it."""
    if isinstance(position, Position):
        return position.fen(en_passant="fen")
    return dict(position) if isinstance(position, Mapping) else position


# ---------------------------------------------------------------------------------------------- comments on a game


class AnnotationMixin(SealedActions):
    """What authors write into the record. It is no move in the game, and can be done when the game is over."""

    @property
    def comments(self) -> pd.DataFrame:
        """The comments that stand, one row each; see `study.moves.comments` for its columns."""
        return comments_frame(self.timeline)

    def annotate(
        self, text: str, nag: str = "", at: int | None = None, *, ply: int | None = None,
        proposal: Number | None = None, turn: int | None = None, arrows: Iterable[str] | None = None,
        squares: Iterable[str] | None = None,
    ) -> None:  # fmt: skip
        """Write a comment into the record; PGN and the documents made from the game show it.

        It is about what `at`, `ply`, `proposal` or `turn` says, and about the last event where none is given.

        Parameters
        ----------
        text : str
            The comment; may be empty where there is a glyph, an arrow or a marked square.
        nag : str
            A glyph: ``!``, ``?``, ``!!``, ``??``, ``!?``, ``?!`` or ``□`` (PGN standard, section 10).
        at : int, optional
            An event.
        ply : int, optional
            A move on boards, by its number in `moves`.
        proposal : int or str, optional
            A proposal, where it was made.
        turn : int, optional
            A turn, where it began.
        arrows : iterable of str, optional
            Such as ``white.e2-white.e4``, and ``red white.e2-white.e4`` (green, red, yellow or blue; green where
            nothing is said). On the boards of the move that the comment follows, ``e2-e4`` is enough.
        squares : iterable of str, optional
            Squares to be marked: ``white.e4``, ``blue e4``.

        Raises
        ------
        IllegalAction
            There is no such event, move, proposal, turn, glyph or square, or it was taken back.
        """
        about = self._commented_event(at=at, ply=ply, proposal=proposal, turn=turn)
        drawn = self._marks_with_boards(about, arrows, squares)
        self.timeline.host("annotate", {"text": text, "nag": nag, "at": about, **drawn})

    def edit_comment(
        self, comment: int, text: str | None = None, nag: str | None = None, *,
        arrows: Iterable[str] | None = None, squares: Iterable[str] | None = None,
    ) -> None:  # fmt: skip
        """Put a comment in other words; the record keeps the old ones.

        Parameters
        ----------
        comment : int
            Its number in `comments`: the event that wrote it.
        text, nag, arrows, squares : optional
            As in `annotate`; what is not given stays.

        Raises
        ------
        IllegalAction
            There is no such comment, or it says that already.
        """
        comment = _whole_number(comment)
        known = self.state.comments.get(comment)
        drawn = self._marks_with_boards(known.at, arrows, squares) if known is not None else {}
        self.timeline.host("edit_comment", {"comment": comment, "text": text, "nag": nag, **drawn})

    def withdraw_comment(self, comment: int) -> None:
        """Withdraw a comment; the record keeps that it was there.

        Parameters
        ----------
        comment : int
            Its number in `comments`.

        Raises
        ------
        IllegalAction
            There is no such comment.
        """
        self.timeline.host("withdraw_comment", {"comment": _whole_number(comment)})

    def _commented_event(self, **given: Any) -> int | None:
        """Return the event that a comment is about; None for the last one."""
        said = {what: one for what, one in given.items() if one is not None}
        if not said:
            last = next((one for one, _ in reversed(self.timeline.moments) if one.do not in COMMENT_ACTIONS), None)
            return last.seq if last is not None and last.seq < self.state.seq else None
        if len(said) > 1:
            raise IllegalAction(
                say("comment-on-several-things", "a comment is about one thing; found {found}", found=", ".join(said))
            )
        ((what, number),) = said.items()
        number = _whole_number(read_rule_number(number))
        if what == "at":
            standing = {event.seq for event in self.timeline.standing}
            gone = {event.seq for event in self.timeline.events if event.kind != "undone"} - standing
            if number in gone:
                raise IllegalAction(
                    say(
                        "comment-on-event-taken-back",
                        "event {event} was taken back; a comment is on what stands",
                        event=number,
                    )
                )
            return cast(int, number)  # what is no event is refused where it is done
        found = events_by_number(self.timeline, what)
        if str(number) not in found:
            there = f"{next(iter(found))} to {next(reversed(found))}" if found else "none yet"
            raise IllegalAction(
                say(
                    "comment-on-nothing-there",
                    "the game has no {what} {number!r}; it has {there}",
                    what=what,
                    number=str(number)[:20],
                    there=there,
                )
            )
        return found[str(number)]

    def _marks_with_boards(
        self, at: int | None, arrows: Iterable[str] | None, squares: Iterable[str] | None
    ) -> dict[str, list[str]]:
        """Return arrows and marked squares with the boards that they are on."""
        given = {"arrows": arrows, "squares": squares}
        found = {
            what: [texts] if isinstance(texts, str) else list(texts)
            for what, texts in given.items()
            if texts is not None
        }
        if not any(found.values()):
            return found
        seq = self.state.seq if at is None else at
        before = [one for one in played_moves(self.timeline) if one.pushed <= seq]
        last = before[-1] if before else None
        return {
            what: [_mark_with_board(one, last) if isinstance(one, str) else one for one in texts]
            for what, texts in found.items()
        }


def _whole_number(number: Any) -> Any:
    """Return a number out of a data frame as Python has it; what is none, as it is."""
    return index(number) if isinstance(number, SupportsIndex) and not isinstance(number, bool) else number


def _mark_with_board(text: str, last: PlayedMove | None) -> str:
    """Return an arrow or a square with the boards that it is on; what needs none, or cannot be read, as it is."""
    colour, rest = split_colour(text)
    if last is not None and "." not in rest:
        push = last.joined
        parts = rest.split("-") if "-" in rest or len(rest) < 4 else [rest[:2], rest[2:]]
        try:
            rest = "-".join(last.before.name(*push.origin[push.geometry.square(one)]) for one in parts)
        except GeometryError:
            return text  # it is refused where it is done, with what is wrong
    return rest if colour == split_colour("")[0] else f"{colour} {rest}"
