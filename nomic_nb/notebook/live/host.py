"""Whoever keeps the record of a game, as the public game offers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nomic_nb.chess.multiverse.positions import Position
from nomic_nb.engine.arguments import each_plainly
from nomic_nb.engine.play.calendar import wall_clock
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.notebook.live.cells import WATCH
from nomic_nb.notebook.live.hands import by_hand


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
        WATCH.touching(self.timeline)
        with by_hand("host"):
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
        self._do("time", now=wall_clock() if now is None else now)

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
        self._do("set_up", position=plain_position(position), agreed=list(agreed), reason=reason)


each_plainly(Host)


def plain_position(position: object) -> object:
    """Return a position as a record has it."""
    if isinstance(position, Position):
        return position.fen(en_passant="fen")
    return dict(position) if isinstance(position, Mapping) else position
