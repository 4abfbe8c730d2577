"""Comments on a game: written, put in other words, withdrawn."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, cast

from nomic_nb.chess.multiverse.errors import GeometryError
from nomic_nb.chess.play.marks import coloured
from nomic_nb.chess.record.moves import Played, numbered, played
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.changes import as_number
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.hosting import COMMENTING
from nomic_nb.notebook.live.sealed_acts import SealedActs
from nomic_nb.study.moves import comments

if TYPE_CHECKING:
    import pandas as pd


class Annotating(SealedActs):
    """What authors write into the record. It is no move in the game, and can be done when the game is over."""

    @property
    def comments(self) -> pd.DataFrame:
        """The comments that stand, one row each; see `study.moves.comments` for its columns."""
        return comments(self.timeline)

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
        about = self._about(at=at, ply=ply, proposal=proposal, turn=turn)
        drawn = self._drawn(about, arrows, squares)
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
        comment = _whole(comment)
        known = self.state.comments.get(comment)
        drawn = self._drawn(known.at, arrows, squares) if known is not None else {}
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
        self.timeline.host("withdraw_comment", {"comment": _whole(comment)})

    def _about(self, **given: Any) -> int | None:
        """Return the event that a comment is about; None for the last one."""
        said = {what: one for what, one in given.items() if one is not None}
        if not said:
            last = next((one for one, _ in reversed(self.timeline.moments) if one.do not in COMMENTING), None)
            return last.seq if last is not None and last.seq < self.state.seq else None
        if len(said) > 1:
            raise IllegalAction(f"a comment is about one thing; found {', '.join(said)}")
        ((what, number),) = said.items()
        number = _whole(as_number(number))
        if what == "at":
            standing = {event.seq for event in self.timeline.standing}
            gone = {event.seq for event in self.timeline.events if event.kind != "undone"} - standing
            if number in gone:
                raise IllegalAction(f"event {number} was taken back; a comment is on what stands")
            return cast(int, number)  # what is no event is refused where it is done
        found = numbered(self.timeline, what)
        if str(number) not in found:
            there = f"{next(iter(found))} to {next(reversed(found))}" if found else "none yet"
            raise IllegalAction(f"the game has no {what} {str(number)[:20]!r}; it has {there}")
        return found[str(number)]

    def _drawn(
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
        before = [one for one in played(self.timeline) if one.pushed <= seq]
        last = before[-1] if before else None
        return {
            what: [_on_boards(one, last) if isinstance(one, str) else one for one in texts]
            for what, texts in found.items()
        }


def _whole(number: Any) -> Any:
    """Return a number out of a data frame as Python has it; what is none, as it is."""
    return index(number) if isinstance(number, SupportsIndex) and not isinstance(number, bool) else number


def _on_boards(text: str, last: Played | None) -> str:
    """Return an arrow or a square with the boards that it is on; what needs none, or cannot be read, as it is."""
    colour, rest = coloured(text)
    if last is not None and "." not in rest:
        push = last.joined
        parts = rest.split("-") if "-" in rest or len(rest) < 4 else [rest[:2], rest[2:]]
        try:
            rest = "-".join(last.before.name(*push.origin[push.geometry.square(one)]) for one in parts)
        except GeometryError:
            return text  # it is refused where it is done, with what is wrong
    return rest if colour == coloured("")[0] else f"{colour} {rest}"
