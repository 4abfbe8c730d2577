"""The host of a game, who runs its record, and comments on the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from nomic_nb.chess.multiverse.errors import GeometryError
from nomic_nb.chess.multiverse.positions import Position
from nomic_nb.chess.play.boards import split_colour
from nomic_nb.chess.record.moves import PlayedMove, events_by_number, played_moves
from nomic_nb.engine.arguments import explain_all_argument_errors
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.changes import Change, parse_rule_number
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.calendar import machine_time
from nomic_nb.engine.play.declarations import COMMENT_ACTIONS
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.notebook.live.cells import CELL_WATCH, acting_as
from nomic_nb.notebook.live.player_actions import SealedActions
from nomic_nb.study.frames import comments_frame

if TYPE_CHECKING:
    import pandas as pd


# ------------------------------------------------------------------------------ the host of a game


class Host:
    """The actions of the host, who runs the record, such as pauses and corrections; they are not moves in the game.

    Parameters
    ----------
    timeline : Timeline
        The events of the game.
    then : callable
        Called after each action.
    """

    def __init__(self, timeline: Timeline, then: Callable[[], None] = lambda: None) -> None:
        self.timeline, self._then = timeline, then

    def _record_action(self, action: str, **details: Any) -> None:
        """Do an action of the host by its name, such as “pause”, and record it as the host's."""
        CELL_WATCH.note_use(self.timeline)
        with acting_as("host"):
            self.timeline.do_as_host(action, details)
        self._then()

    def absent(self, who: str) -> None:
        """Record that a player is away; nobody votes or moves for them.

        Open votes continue without a player who has not voted yet, if the rules would give them no vote now. If the
        rules give players who are away a vote all the same, the vote waits for them.
        """
        self._record_action("absent", who=who)

    def present(self, who: str) -> None:
        """Record that a player is back."""
        self._record_action("present", who=who)

    def overdue(self, who: str) -> None:
        """Record that a player has not voted in time, or has yet to seal or reveal a value.

        A game has no clock: the time is up when somebody records it. The vote stays open; rules can
        fine a late ballot (``on overdue when owed == "ballot"``). While seals are still owed, the roll
        continues without the player. Once everyone has sealed, the rules say how it continues (``dice.unrevealed``).

        Raises
        ------
        IllegalAction
            The player owes no ballot in an open vote, and has nothing to seal or reveal.
        """
        self._record_action("overdue", who=who)

    def time(self, now: str | None = None) -> None:
        """Record `now`, or by default the machine's time, as the current time; a game knows only recorded times.

        Everything that has come due since the last recorded time happens first, in order: each midnight, and everything
        that rules have put off by hours, days or weeks.

        Parameters
        ----------
        now : str, optional
            Time such as ``2026-11-22 18:00``; default the clock of this machine.

        Raises
        ------
        IllegalAction
            This is not a time, it is not later than the last recorded time, or it is more than 400 days off.

        Examples
        --------
        >>> import nomic_nb as nb
        >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> game.host.time("2026-11-22 18:00")
        >>> game.host.time("2026-11-23 08:30")
        >>> game.latest(2)
        ['the clock is set to 2026-11-23 08:30', 'Monday 2026-11-23 begins']
        """
        self._record_action("time", now=machine_time() if now is None else now)

    def pause(self) -> None:
        """Pause the game; every action is refused until the game resumes."""
        self._record_action("pause")

    def resume(self) -> None:
        """Resume a paused game."""
        self._record_action("resume")

    def correct(self, effect: str, *, agreed: Sequence[str] = (), reason: str) -> None:
        """Correct a counter, or let a player join, with an effect that everyone present agrees to.

        In the replay of a record (``medium="record"``), nobody needs to agree.

        Parameters
        ----------
        effect : str
            The correction, in the law language: ``put points of "Ann" at 12``, ``award 2 points to "Ben"``; or, for
            a latecomer, ``enter player "Zoe" as person``.
        agreed : sequence of str
            Names of those who agree: everyone who plays and is not absent.
        reason : str
            Reason for it.

        Raises
        ------
        IllegalAction
            Somebody has not agreed, the effect does not change a counter or let a player in, or the name is taken.
        LawError
            The effect cannot be read.
        """
        self._record_action("correct", effect=effect, agreed=list(agreed), reason=reason)

    def set_up(self, position: str | Mapping[str, str] | Position, *, agreed: Sequence[str], reason: str) -> None:
        """Set up the boards in a position that everyone present agrees to.

        Parameters
        ----------
        position : str, mapping of str to str or Position
            A FEN, if the boards make one board with two armies (a universe, or two half-boards pushed together). Upper
            case is the army on the near side. Kings and rooks can castle if the FEN says so. The counts in its last two
            fields are ignored. Otherwise, the pieces of each army by name:
            ``{"white": "Ke1* Rh1* a2", "yellow": "Kd1 Qwhite.d4"}``, with ``*`` for a piece that has not moved, as in
            `Game.arrangement`. A `Position` is read as its FEN.
        agreed : sequence of str
            Names of those who agree: everyone who plays and is not absent.
        reason : str
            Reason for it.

        Raises
        ------
        IllegalAction
            Somebody has not agreed, a turn's moves are not finished, or the position is impossible; the message names
            the field of the FEN, or the army and its piece.
        """
        self._record_action("set_up", position=position_as_recorded(position), agreed=list(agreed), reason=reason)

    def set_aside(self, reason: str, *, agreed: Sequence[str] = ()) -> None:
        """Drop a duty that nobody can do: an open question; else rolls and choices, duties, or the rest of a turn.

        Parameters
        ----------
        reason : str
            Reason for it.
        agreed : sequence of str
            Names of those who agree: everyone who plays and is not absent. In the replay of a record
            (``medium="record"``), nobody needs to agree.

        Raises
        ------
        IllegalAction
            Somebody has not agreed, or nothing is due.

        Examples
        --------
        >>> import nomic_nb as nb
        >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> game.host.set_aside("Ann is ill", agreed=["Ann", "Ben"])
        >>> game.pending
        Ann – roll a die with 6 sides (rule 202)  → roll
        """
        self._record_action("set_aside", reason=reason, agreed=list(agreed))

    def record_report(self, who: str, deed: str) -> None:
        """Report a deed of a player that a record tells; only in the replay of a record."""
        self._record_action("record_report", who=who, deed=deed)

    def record_proposal(
        self, who: str, change: Change, number: Number | None = None, *, rule_number: int | None = None
    ) -> None:
        """Put a proposal to the vote that the record has and the law refuses; only in the replay of a record.

        Parameters
        ----------
        who : str
            The player who proposes.
        change, number, rule_number
            As in `Game.propose`.

        Raises
        ------
        IllegalAction
            This is no replay, the number is taken, or the rule to change does not exist.
        LawError
            A clause cannot be read.
        """
        self._record_action("record_proposal", who=who, change=change, number=number, rule_number=rule_number)

    def record_outcome(
        self, proposal: Number, adopted: bool, *, reason: str, in_favour: Sequence[str] = (),
        against: Sequence[str] = (), abstained: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Close an open vote with the outcome that a record has; only in the replay of a record.

        Parameters
        ----------
        proposal : int or str
            Number of the proposal.
        adopted : bool
            Whether it passes.
        reason : str
            Why the law's own outcome does not count.
        in_favour, against, abstained : sequence of str
            Voters whose ballots the record adds.

        Raises
        ------
        IllegalAction
            This is no replay, or there is no such open vote.
        """
        sides = {"in_favour": list(in_favour), "against": list(against), "abstained": list(abstained)}
        self._record_action("record_outcome", proposal=proposal, adopted=adopted, reason=reason, **sides)


explain_all_argument_errors(Host)


def position_as_recorded(position: object) -> object:
    """Return a position in the form the record keeps: FEN text, or a dict of each army's pieces as text."""
    if isinstance(position, Position):
        return position.fen(en_passant="fen")
    return dict(position) if isinstance(position, Mapping) else position


# ---------------------------------------------------------------------------------------------- comments on a game


class AnnotationMixin(SealedActions):
    """Comments on the game, which can be written, changed and withdrawn, even after its end."""

    @property
    def comments(self) -> pd.DataFrame:
        """The comments that have not been withdrawn, one per row; see `study.frames.comments_frame` for its columns."""
        return comments_frame(self.timeline)

    def annotate(
        self, text: str, nag: str = "", at: int | None = None, *, ply: int | None = None,
        proposal: Number | None = None, turn: int | None = None, arrows: Iterable[str] | None = None,
        squares: Iterable[str] | None = None,
    ) -> None:  # fmt: skip
        """Add a comment on an event, move, proposal or turn; on the last event if none of them is given.

        Give at most one of `at`, `ply`, `proposal` and `turn`.

        Parameters
        ----------
        text : str
            The comment; may be empty if there is a glyph, an arrow or a marked square.
        nag : str
            Glyph: ``!``, ``?``, ``!!``, ``??``, ``!?``, ``?!`` or ``□`` (PGN standard, section 10).
        at : int, optional
            Number of an event.
        ply : int, optional
            Number of a move on the boards, as in `moves`.
        proposal : int or str, optional
            Number of a proposal; the comment is on the event that made it.
        turn : int, optional
            Number of a turn; the comment is on the event that began it.
        arrows : iterable of str, optional
            Arrows such as ``white.e2-white.e4`` and ``red white.e2-white.e4`` (green, red, yellow or blue; default
            green). ``e2-e4`` is enough for the boards of the move before the comment.
        squares : iterable of str, optional
            Squares to mark: ``white.e4``, ``blue e4``.

        Raises
        ------
        IllegalAction
            There is no such event, move, proposal, turn, glyph or square, or it was undone.
        """
        about = self._commented_event(at=at, ply=ply, proposal=proposal, turn=turn)
        drawn = self._marks_with_boards(about, arrows, squares)
        self.timeline.do_as_host("annotate", {"text": text, "nag": nag, "at": about, **drawn})

    def edit_comment(
        self, comment: int, text: str | None = None, nag: str | None = None, *,
        arrows: Iterable[str] | None = None, squares: Iterable[str] | None = None,
    ) -> None:  # fmt: skip
        """Change the text, glyph (`nag`) or marks of a comment; the record keeps the old version.

        Parameters
        ----------
        comment : int
            Number of the comment in `comments`, which is the number of its event.
        text, nag, arrows, squares : optional
            As in `annotate`; anything not given stays the same.

        Raises
        ------
        IllegalAction
            There is no such comment, or the change would leave it the same.
        """
        known = self.state.comments.get(comment)
        drawn = self._marks_with_boards(known.at, arrows, squares) if known is not None else {}
        self.timeline.do_as_host("edit_comment", {"comment": comment, "text": text, "nag": nag, **drawn})

    def withdraw_comment(self, comment: int) -> None:
        """Withdraw a comment; the record still shows that it was made.

        Parameters
        ----------
        comment : int
            Number of the comment in `comments`.

        Raises
        ------
        IllegalAction
            There is no such comment.
        """
        self.timeline.do_as_host("withdraw_comment", {"comment": comment})

    def _commented_event(self, **given: Any) -> int | None:
        """Return the number of the event to comment on, by `at`, `ply`, `proposal` or `turn`; None for the latest."""
        subjects = {what: act_choice for what, act_choice in given.items() if act_choice is not None}
        if not subjects:
            last = next(
                (event for event, _ in reversed(self.timeline.moments) if event.do not in COMMENT_ACTIONS), None
            )
            return last.seq if last is not None and last.seq < self.state.seq else None
        if len(subjects) > 1:
            raise IllegalAction(
                "comment-on-several-things",
                "a comment can be about only one thing; you gave {found}",
                found=", ".join(subjects),
            )
        ((what, number),) = subjects.items()
        number = parse_rule_number(number)
        if what == "at":
            standing = {event.seq for event in self.timeline.events_in_effect}
            gone = {event.seq for event in self.timeline.events if event.kind != "undone"} - standing
            if number in gone:
                raise IllegalAction(
                    "comment-on-event-taken-back",
                    "event {event} has been undone, so you can’t comment on it",
                    event=number,
                )
            return cast(int, number)  # what is no event is refused where it is done
        events = events_by_number(self.timeline, what)
        if str(number) not in events:
            there = f"{next(iter(events))} to {next(reversed(events))}" if events else "none yet"
            raise IllegalAction(
                "comment-on-nothing-there",
                "the game has no {what} “{number}”. It has {there}",
                what=what,
                number=str(number)[:20],
                there=there,
            )
        return events[str(number)]

    def _marks_with_boards(
        self, at: int | None, arrows: Iterable[str] | None, squares: Iterable[str] | None
    ) -> dict[str, list[str]]:
        """Return the “arrows” and “squares” of a comment on event `at`, each square with its board's name."""
        given = {"arrows": arrows, "squares": squares}
        marks_by_kind = {
            what: [texts] if isinstance(texts, str) else list(texts)
            for what, texts in given.items()
            if texts is not None
        }
        if not any(marks_by_kind.values()):
            return marks_by_kind
        seq = self.state.seq if at is None else at
        before = [played for played in played_moves(self.timeline) if played.pushed <= seq]
        last = before[-1] if before else None
        return {
            what: [_mark_with_board(text, last) if isinstance(text, str) else text for text in texts]
            for what, texts in marks_by_kind.items()
        }


def _mark_with_board(text: str, last: PlayedMove | None) -> str:
    """Return an arrow or square with its boards named as the last move joined them; unchanged if that is impossible."""
    colour, rest = split_colour(text)
    if last is not None and "." not in rest:
        push = last.joined_boards
        parts = rest.split("-") if "-" in rest or len(rest) < 4 else [rest[:2], rest[2:]]
        try:
            rest = "-".join(last.before.name(*push.origin[push.geometry.square(part)]) for part in parts)
        except GeometryError:
            return text  # it is refused where it is done, with what is wrong
    return rest if colour == split_colour("")[0] else f"{colour} {rest}"
