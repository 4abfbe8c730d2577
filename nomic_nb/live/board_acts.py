"""What players see of the boards of a game, and the moves that were made on them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nomic_nb.errors import NotThere
from nomic_nb.law.view import Undecided
from nomic_nb.live.cells import WATCH
from nomic_nb.live.sealed_acts import SealedActs
from nomic_nb.multiverse.picture import Picture
from nomic_nb.multiverse.pieces import BoardMove
from nomic_nb.multiverse.pushes import Push
from nomic_nb.play.chess.setting_up import arrangement
from nomic_nb.play.chess.terms import push_of
from nomic_nb.record import moves
from nomic_nb.record.files import write_whole

if TYPE_CHECKING:
    import pandas as pd


class BoardActs(SealedActs):
    """The boards of a game; there may be none."""

    @property
    def armies(self) -> dict[str, str]:
        """The armies on the boards, each with the player who has it; empty where there are none."""
        position = self.state.position
        return {} if position is None else {name: army.controller for name, army in position.armies.items()}

    @property
    def boards(self) -> tuple[str, ...]:
        """The names of the boards; none where there are none."""
        position = self.state.position
        return () if position is None else tuple(position.boards)

    @property
    def moves(self) -> pd.DataFrame:
        """The moves on the boards, one row a move; see `record.moves.frame` for its columns."""
        return moves.frame(self.table.moments, self.table.standing)

    @property
    def last_move(self) -> BoardMove | None:
        """The move made last; None where there is none."""
        found = [one.move for one in moves.played(self.table.moments, self.table.standing)]
        return found[-1] if found else None

    def pushed(self, *boards: str, army: str | None = None) -> Push:
        """Return boards pushed together, to be looked at; nothing happens in the game.

        Parameters
        ----------
        *boards : str
            Two half-boards, or one universe.
        army : str, optional
            For whose moves; the army on turn, where it is not given.

        Raises
        ------
        KeyError
            There are no boards in this game, no such board or army, or boards that do not go together.
        """
        state = self.state
        if state.position is None:
            raise NotThere("there are no boards in this game")
        mine = army if army is not None else state.go.army if state.go is not None else None
        name = mine if mine is not None else next(iter(state.position.armies))
        if name not in state.position.armies:
            raise NotThere(f"there is no army {name!r}; there are {', '.join(state.position.armies)}")
        try:
            return push_of(state.law, state, name, boards)
        except Undecided as doubt:
            raise NotThere(doubt.reason) from None

    def draw(self, *boards: str, targets: str | None = None) -> Picture:
        """Draw all boards, or those that are named, pushed together.

        Parameters
        ----------
        *boards : str
            Two half-boards, or one universe; all boards, where none is named.
        targets : str, optional
            A square such as ``white.e2``; where its piece may go is marked, on boards that are named.

        Raises
        ------
        KeyError
            There are no boards in this game, or none that go together so.
        """
        from nomic_nb.multiverse.drawing import draw_multiverse, draw_push

        if boards:
            return draw_push(self.pushed(*boards), targets=targets)
        if self.state.position is None:
            raise NotThere("there are no boards in this game")
        return draw_multiverse(self.state.position, last=self.last_move)

    @property
    def arrangement(self) -> dict[str, str]:
        """The pieces of every army as they stand, as `Host.set_up` and ``new_game(…, position=…)`` take them.

        Raises
        ------
        KeyError
            There are no boards in this game.
        """
        if self.state.position is None:
            raise NotThere("there are no boards in this game")
        return arrangement(self.state)

    def pgn(
        self, path: str | Path | None = None, *, event: str = "", site: str = "?", date: str = "????.??.??",
        annotator: str = "",
    ) -> str | None:  # fmt: skip
        """Return the moves as PGN, for each pair of half-boards; every move has its number in the whole game.

        Parameters
        ----------
        path : str or Path, optional
            Write it to this file, and return nothing.
        event, site : str
            Where it was played; the event is the title of the rule set, where nothing is said.
        date : str
            ``2026.05.01``, with question marks for what is not known (PGN standard, section 8.1.1.3).
        annotator : str
            Who wrote the comments.

        Raises
        ------
        ValueError
            The date is none.
        LawError
            A text that is none, or too long.
        """
        from nomic_nb.record import pgn

        if path is not None:
            WATCH.now(self.table)
        about = {"Event": event or self.table.setting.ruleset.title, "Site": site, "Date": date}
        about |= {"Annotator": annotator} if annotator else {}
        text = pgn.write(self.table, about)
        if path is None:
            return text
        write_whole(Path(path), text)
        return None
