"""The current status of a game: players and turns, law, open decisions, counters, history and boards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nomic_nb.chess.multiverse.pieces import BoardMove
from nomic_nb.chess.multiverse.positions import Position
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.play.functions import push_under_law
from nomic_nb.chess.play.move_errors import unknown_board_message
from nomic_nb.chess.play.position_law import position_under_law
from nomic_nb.chess.play.records import NO_BOARDS_MESSAGE
from nomic_nb.chess.play.setup import position_as_texts
from nomic_nb.chess.record.moves import last_played_move
from nomic_nb.engine.errors import NotThere
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.play.values import Turn
from nomic_nb.engine.record.log import fingerprint, replace_file
from nomic_nb.engine.rulesets.literate import RuleSet
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.live.host import AnnotationMixin
from nomic_nb.notebook.live.player_actions import proposal_remarks
from nomic_nb.notebook.store.game_store import KeptGame
from nomic_nb.study import frames
from nomic_nb.study.named_values import NamedValues
from nomic_nb.study.views import LawBook, LawInForce, Ledger, PendingDecisions, Proposals
from nomic_nb.study.views.course import result_sentence
from nomic_nb.study.views.judgments import Judgments
from nomic_nb.study.views.story import story_frame
from nomic_nb.study.views.tables import Tables, visible_scores

if TYPE_CHECKING:
    import pandas as pd

    from nomic_nb.chess.multiverse.pictures import SvgPicture


class GameStatus(AnnotationMixin):
    """The current status of a game, with its history and its boards."""

    @property
    def ruleset(self) -> RuleSet:
        """The rule set that the game began with."""
        return self.timeline.setting.ruleset

    @property
    def seed(self) -> int:
        """The seed of the dice that the game rolls."""
        return self.timeline.seed

    @property
    def fingerprint(self) -> str:
        """Eight letters and digits that identify the current record, short enough for people to read out and compare.

        A secret ballot does not affect them until its vote has closed.
        """
        return fingerprint(self.timeline)

    @property
    def players(self) -> tuple[str, ...]:
        """The names of all players, present and former, in seating order."""
        return tuple(self.state.players)

    @property
    def player(self) -> str | None:
        """The player whose turn it is; None if there is no current turn, or more than one."""
        go = self.state.current_turn
        return go.player if go and not self.state.over else None

    @property
    def part(self) -> str | None:
        """The name of the current part of the turn; None if there is no single turn or part."""
        go = self.state.current_turn
        return go.part if go and not self.state.over else None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The current turns, oldest first, each with its number, player and part."""
        return () if self.state.over else self.state.turns

    @property
    def turn(self) -> int:
        """The number of turns that have begun so far."""
        return self.state.turn

    @property
    def circuit(self) -> int:
        """The number of the current round of turns; 1 for the first."""
        return self.state.circuit

    @property
    def pending(self) -> PendingDecisions:
        """The decisions that are open now, required and optional, each with its player, rule and options."""
        ended = "the game is paused" if self.state.paused else self.result
        return PendingDecisions(self.state, ended, self.timeline)

    @property
    def rules(self) -> LawBook:
        """The rules in force as a law book: ``game.rules[203]``, ``game.rules.frame``."""
        return LawBook(self.timeline, self.state)

    @property
    def law(self) -> LawInForce:
        """The current value of every setting: ``game.law["vote.quota"]`` is a `Finding`."""
        return LawInForce(self.state)

    @property
    def proposals(self) -> Proposals:
        """All proposals, open and closed: ``game.proposals[301]``, ``game.proposals.frame``."""
        return Proposals(self.timeline, self.state, proposal_remarks)

    @property
    def scores(self) -> pd.Series:
        """The players' scores as a Series by player: the first column of `counters`; empty without counters.

        Returns
        -------
        Series
            Scores indexed by player; dtype object: int or Fraction. Empty if nothing is counted per player.
        """
        import pandas as pd

        from nomic_nb.study.game_frame import GameSeries

        frame = self.counters
        if frame.columns.empty:
            return GameSeries([], index=pd.Index([], name="player", dtype="object"), dtype="object")
        return GameSeries(frame.iloc[:, 0])

    @property
    def counters(self) -> pd.DataFrame:
        """The players' counters as a DataFrame of exact numbers, with one row per player and one column per counter."""
        import pandas as pd

        from nomic_nb.study.game_frame import GameFrame

        kept, players = visible_scores(self.state, numbers=True), self.players
        columns = {name: [held.get(decision) for decision in players] for name, held in kept.items()}
        return GameFrame(columns, index=pd.Index(players, name="player"), dtype="object")

    @property
    def tables(self) -> Tables:
        """The tables that rules track or once tracked; ``game.tables["price"]`` is a DataFrame."""
        return Tables(self.state)

    @property
    def ledger(self) -> Ledger:
        """Every change to a counter, with the rule that caused it; ``game.ledger.frame`` is a DataFrame."""
        return Ledger(self.timeline)

    @property
    def ballots(self) -> pd.DataFrame:
        """Every ballot as a DataFrame; see `study.frames.ballots_frame` for its columns.

        Secret ballots are shown as ``sealed`` until the vote has closed (not counting play that was undone).
        """
        return frames.ballots_frame(self.timeline)

    @property
    def polls(self) -> pd.DataFrame:
        """Every answer to a poll as a DataFrame; see `study.frames.polls_frame` for its columns.

        Secret answers are shown as ``sealed`` until everyone has answered (not counting play that was undone).
        """
        return frames.polls_frame(self.timeline)

    @property
    def history(self) -> pd.DataFrame:
        """The history of the game, one row per event; see `study.frames.history_frame` for its columns.

        Each act has a row (``action`` is true), and so does everything that followed from it (``act`` is its number).
        """
        keeper = self.timeline.keeper
        return frames.history_frame(self.timeline, keeper.hands_by_event() if isinstance(keeper, KeptGame) else None)

    @property
    def acts(self) -> pd.DataFrame:
        """The acts of the players and the host alone: the rows of `history` that did not just follow from an act."""
        history = self.history
        return history[history["action"]]

    @property
    def story(self) -> pd.DataFrame:
        """The story of the game, one row per turn; see `study.views.story.story_frame` for its columns.

        ``game.at(game.story.loc[3, "ends"])`` is the game as it was at the end of turn 3.
        """
        return story_frame(self.timeline)

    @property
    def kept(self) -> str:
        """A phrase that names the file the game is kept in; empty if the game is only in this session."""
        keeper = self.timeline.keeper
        return keeper.location_text if isinstance(keeper, KeptGame) else ""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.over

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of all players who have won."""
        return self.state.winners

    @property
    def winner(self) -> str | None:
        """The name of the winner; None if nobody has won, or several have."""
        return self.winners[0] if len(self.winners) == 1 else None

    @property
    def result(self) -> str:
        """A sentence that says how the game ended; empty while it continues."""
        return result_sentence(self.timeline)

    @property
    def judgments(self) -> Judgments:
        """All judgments of the game: question, Judge, ruling, the rules it rests on and the result."""
        return Judgments(self.state)

    # ------------------------------------------------------------------------------------------- boards

    @property
    def armies(self) -> dict[str, str]:
        """The name of the player who controls each army, keyed by army name; empty without boards."""
        position = self.state.position
        armies = {} if position is None else position.armies
        return NamedValues({name: army.controller for name, army in armies.items()})

    @property
    def boards(self) -> tuple[str, ...]:
        """The names of the boards; empty in a game without boards."""
        position = self.state.position
        return () if position is None else tuple(position.boards)

    @property
    def moves(self) -> pd.DataFrame:
        """The moves on the boards, one row per move; see `study.frames.moves_frame` for its columns."""
        return frames.moves_frame(self.timeline)

    @property
    def last_move(self) -> BoardMove | None:
        """The last move made on the boards; None before the first."""
        return last_played_move(self.timeline)

    def pushed(self, *boards: str, army: str | None = None) -> Push:
        """Return boards pushed together as `army` (by default the one whose turn it is) sees them; nothing moves.

        Parameters
        ----------
        *boards : str
            Two half-boards, or one universe.
        army : str, optional
            Army that would move; default the one whose turn it is.

        Raises
        ------
        KeyError
            This game has no boards, there is no such board or army, or the boards cannot be joined.
        """
        state = self.state
        if state.position is None:
            raise NotThere(NO_BOARDS_MESSAGE)
        mine = army if army is not None else state.current_turn.army if state.current_turn is not None else None
        name = mine if mine is not None else next(iter(state.position.armies))
        if name not in state.position.armies:
            raise NotThere(
                "army-not-there",
                "there is no army called “{army}”. The armies are {armies}",
                army=name,
                armies=", ".join(state.position.armies),
            )
        wrong = next((board for board in boards if board not in state.position.boards), None)
        if wrong is not None:
            raise NotThere(unknown_board_message(wrong, state.position))
        try:
            return push_under_law(state.law, state, name, boards)
        except Undecided as doubt:
            raise NotThere(doubt.reason) from None

    def position(self, white: str, black: str) -> Position:
        """Return two armies as a position to study, if the law in force says only what a position can express.

        The armies move in turn and alone on their boards. A position is much faster than a game, and a player of
        `nb.multiverse` can look ahead in it.

        Parameters
        ----------
        white, black : str
            The armies on the near and on the far side.

        Raises
        ------
        IllegalAction
            A rule is in the way, which the message names, or there are no such armies face to face.

        Examples
        --------
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> new_game("nomic-chess", ["Ann", "Ben"], seed=7).position("white", "yellow").perft(2)
        400
        """
        return position_under_law(self.state, white, black)

    def draw(self, *boards: str, targets: str | None = None) -> SvgPicture:
        """Return a drawing of all boards, or of the given boards joined; `targets` marks where a piece can go.

        Parameters
        ----------
        *boards : str
            Two half-boards, or one universe; default all boards.
        targets : str, optional
            Square such as ``white.e2``; the squares that its piece can reach are marked, if boards are named.

        Raises
        ------
        KeyError
            This game has no boards, or these boards cannot be joined.
        """
        from nomic_nb.chess.multiverse.drawing import draw_multiverse, draw_push

        if boards:
            return draw_push(self.pushed(*boards), targets=targets)
        if self.state.position is None:
            raise NotThere(NO_BOARDS_MESSAGE)
        return draw_multiverse(self.state.position, last=self.last_move)

    @property
    def arrangement(self) -> dict[str, str]:
        """The pieces of each army as text, keyed by army name, in the format that `new_game` accepts.

        Raises
        ------
        KeyError
            This game has no boards.
        """
        if self.state.position is None:
            raise NotThere(NO_BOARDS_MESSAGE)
        return NamedValues(position_as_texts(self.state))

    def pgn(
        self, path: str | Path | None = None, *, event: str = "", site: str = "?", date: str = "????.??.??",
        annotator: str = "",
    ) -> str | None:  # fmt: skip
        """Return the moves as PGN, one game for each pair of half-boards, or write them to a path and return None.

        Parameters
        ----------
        path : str or Path, optional
            File to write to.
        event, site : str
            Event and site for the PGN tags; the event is the title of the rule set by default.
        date : str
            Date such as ``2026.05.01``, with question marks for unknown parts (PGN standard, section 8.1.1.3).
        annotator : str
            Author of the comments.

        Raises
        ------
        ValueError
            The date is not a PGN date.
        LawError
            A text is not a string, or is too long.
        """
        from nomic_nb.chess.record import pgn

        if path is not None:
            CELL_WATCH.show_present(self.timeline)
        about = {"Event": event or self.timeline.setting.ruleset.title, "Site": site, "Date": date}
        about |= {"Annotator": annotator} if annotator else {}
        text = pgn.write_game_pgn(self.timeline, about)
        if path is None:
            return text
        replace_file(Path(path), text)
        return None
