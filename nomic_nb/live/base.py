"""A game under way: how it stands, its law, its other times."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Self

from nomic_nb.errors import IllegalAction, NotThere
from nomic_nb.law.changes import Change
from nomic_nb.law.findings import Finding
from nomic_nb.live.acts import as_change, odd
from nomic_nb.live.annotating import Annotating
from nomic_nb.live.cells import WATCH
from nomic_nb.live.forks import Forks
from nomic_nb.live.host import Host
from nomic_nb.markup.words import upper_first
from nomic_nb.multiverse.plain import plain
from nomic_nb.play import possible
from nomic_nb.play.chess.drops import armies_in_words
from nomic_nb.play.choices import choices
from nomic_nb.play.decisions import decisions, numbers_are_assigned
from nomic_nb.play.lawmaking import check_change
from nomic_nb.play.listening import phrases
from nomic_nb.play.offering import veiled
from nomic_nb.play.table import Past
from nomic_nb.play.values import Turn
from nomic_nb.record import frames, log
from nomic_nb.record.fingerprint import fingerprint
from nomic_nb.record.seals import seals
from nomic_nb.record.sentences import latest, sentence
from nomic_nb.rulesets.library import LibraryRule
from nomic_nb.rulesets.ruleset import RuleSet
from nomic_nb.store.kept import Kept
from nomic_nb.views import LawBook, LawInForce, Ledger, Pending, Proposals, where
from nomic_nb.views.cases import case_of
from nomic_nb.views.judgments import Judgments
from nomic_nb.views.redline import Redline
from nomic_nb.views.tables import Tables, counted, held_by

if TYPE_CHECKING:
    import pandas as pd


class BaseGame(Annotating):
    """A game of Nomic.

    Begun by `new_game`, brought back by `load`. Every method that does something calls `do`, which
    checks the action against the law in force; what is refused leaves the game exactly as it was.

    Parameters
    ----------
    table : Table
        The game under way.
    """

    # --------------------------------------------------------------------------------- how things stand

    @property
    def ruleset(self) -> RuleSet:
        """The rule set that the game began with."""
        return self.table.setting.ruleset

    @property
    def seed(self) -> int:
        """The seed of the game's own dice."""
        return self.table.setting.seed

    @property
    def fingerprint(self) -> str:
        """Eight letters that tell this record from any other, as it stands now: two can compare them aloud.

        A ballot that is sealed still does not count in them until its vote is closed.
        """
        return fingerprint(self.table)

    @property
    def players(self) -> tuple[str, ...]:
        """Names of everyone who takes or took part, in seating order."""
        return tuple(self.state.players)

    @property
    def player(self) -> str | None:
        """The player whose turn it is; None where no turn is under way, or several are (see `turns`)."""
        go = self.state.go
        return go.player if go and not self.state.over else None

    @property
    def part(self) -> str | None:
        """The part of the turn under way; None where none is, or several are (see `turns`)."""
        go = self.state.go
        return go.part if go and not self.state.over else None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns under way, in the order in which they began: each with ``number``, ``player`` and ``part``."""
        return () if self.state.over else self.state.turns

    @property
    def turn(self) -> int:
        """How many turns have begun."""
        return self.state.turn

    @property
    def circuit(self) -> int:
        """The circuit under way, 1 for the first."""
        return self.state.circuit

    @property
    def pending(self) -> Pending:
        """The open decisions."""
        state = self.state
        ended = "the game is paused" if state.paused else self.result
        heard = () if ended or state.questions else phrases(state)
        return Pending(
            decisions(state), ended, numbered=numbers_are_assigned(state), phrases=heard,
            choices=lambda: choices(state), veiled=veiled(state),
        )  # fmt: skip

    @property
    def rules(self) -> LawBook:
        """The law book: ``game.rules[203]``, ``game.rules.frame``, ``game.rules.versions``."""
        return LawBook(self.table, self.state)

    @property
    def law(self) -> LawInForce:
        """The terms of the law: ``game.law["vote.quota"]`` is a `Finding`."""
        return LawInForce(self.state)

    @property
    def proposals(self) -> Proposals:
        """All proposals: ``game.proposals[301]``, ``game.proposals.frame``."""
        return Proposals(self.table, self.state, odd)

    @property
    def scores(self) -> pd.Series:
        """What players have, of the counter that the rules tracked first: exact numbers, by player.

        Returns
        -------
        Series
            Indexed by player; dtype object: int or Fraction. Empty where nothing is counted per player.
        """
        import pandas as pd

        state, players = self.state, self.state.players
        counter = next(iter(counted(state)), None)
        if counter is None:
            return pd.Series([], index=pd.Index([], name="player", dtype="object"), dtype="object")
        values = [counted(state)[counter].get(name) for name in players]
        return pd.Series(values, index=pd.Index(list(players), name="player"), name=counter, dtype="object")

    @property
    def counters(self) -> pd.DataFrame:
        """Everything that is counted, by player: a column a counter, exact numbers (dtype object)."""
        import pandas as pd

        from nomic_nb.record.inert import Frame

        columns = {name: [held.get(one) for one in self.state.players] for name, held in counted(self.state).items()}
        index = pd.Index(list(self.state.players), name="player")
        return Frame(columns, index=index, dtype="object")

    @property
    def tables(self) -> Tables:
        """What rules track, or once tracked: ``game.tables["price"]`` is a DataFrame; see `record.frames.table`."""
        return Tables(self.state)

    @property
    def ledger(self) -> Ledger:
        """Every change of a counter, with its rule; ``game.ledger.frame`` is a DataFrame."""
        return Ledger(self.table)

    @property
    def ballots(self) -> pd.DataFrame:
        """Every ballot as a DataFrame; see `record.frames.ballots` for its columns.

        Where ballots are sealed, each is ``sealed`` until the vote is closed in the play that stands.
        """
        return frames.ballots(self.table.standing, self.state, seals(self.table))

    @property
    def polls(self) -> pd.DataFrame:
        """Every answer to what rules ask, as a DataFrame; see `record.frames.polls` for its columns.

        What is answered in secret is ``sealed`` until all answers are in, in the play that stands.
        """
        return frames.polls(self.table.standing, self.state, seals(self.table))

    @property
    def history(self) -> pd.DataFrame:
        """What happened, one row an event; see `record.frames.history` for its columns."""
        keeper = self.table.keeper
        hands = keeper.hands() if isinstance(keeper, Kept) else None
        return frames.history(self.table.events, seals(self.table), hands)

    @property
    def kept(self) -> str:
        """Where the game is kept, in words; empty where it is in this session only."""
        keeper = self.table.keeper
        return keeper.said if isinstance(keeper, Kept) else ""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.over

    @property
    def winners(self) -> tuple[str, ...]:
        """Names of all who have won."""
        return self.state.winners

    @property
    def winner(self) -> str | None:
        """The winner; None where nobody has won, or several have."""
        return self.winners[0] if len(self.winners) == 1 else None

    @property
    def result(self) -> str:
        """How the game ended; empty while it goes on."""
        if not self.over:
            return ""
        last = next(event for event in reversed(self.table.events) if event.kind in ("won", "abandoned"))
        rule = f" (rule {last.cause.rule})" if last.cause and last.kind == "won" else ""
        return f"{upper_first(sentence(last))}{rule}."

    @property
    def judgments(self) -> Judgments:
        """Every judgment of the game: question, Judge, ruling, what it rests on and what came of it."""
        return Judgments(self.state)

    def why(self, key: str, change: Change | LibraryRule | None = None, **case: object) -> Finding:
        """Explain a term of the law: which rule prevails, which are defeated, and why.

        Parameters
        ----------
        key : str
            Such as ``vote.quota``.
        change : Change, optional
            Ask as if this were proposed by the player on turn.
        **case
            The case that is meant, where the answer depends on it: ``kind="N"``, ``army="white"``,
            ``player="Ann"``, ``rule=203``, ``piece="white.e2"``. Without it, the finding lists the clauses that
            could apply.

        Returns
        -------
        Finding

        Raises
        ------
        KeyError
            There is no such key, no such rule to change, or no such thing in the case.
        TypeError
            What is supposed is no change, or something in the case is of another kind.

        Examples
        --------
        >>> from nomic_nb.begin import new_game
        >>> from nomic_nb.law.changes import transmute
        >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> finding = game.why("vote.quota", transmute(112))
        >>> finding.value, finding.rule
        (2, 109)
        >>> print(finding.defeated[0].source.rule.number, "–", finding.defeated[0].reason)
        203 – an immutable rule beats a mutable rule (rule 110)

        >>> game = new_game("nomic-chess", ["Ann", "Ben"], seed=7)
        >>> game.why("piece.moves", kind="N").value
        'N'
        """
        finding = self.law[key]
        meant = case_of(self.state, key, case)
        if change is None:
            return self.state.law.find(key, self.state, meant) if meant else finding
        change = as_change(change, self.state)
        try:
            check_change(self.state, change)
        except LookupError as error:
            raise NotThere(str(error.args[0])) from None
        proponent = self.player or next(iter(self.state.persons), "")
        trial = possible.supposed(self.state, change, proponent)
        return trial.law.find(key, trial, {**possible.supposed_case(), **meant})

    # -------------------------------------------------------------------------------------- other times

    def at(self, event: int) -> Self:
        """Return the game as it stood right after an event, to be looked at; it refuses every action.

        Parameters
        ----------
        event : int
            Its number in `history`, 1 for the first.

        Raises
        ------
        ValueError
            There is no such event.
        """
        return type(self)(self.table.at(event))

    def fork(self, at: int | None = None) -> Self:
        """Return a game that goes on from an earlier moment; this one stays as it is.

        A cell that runs again gets the fork that it made before.

        Parameters
        ----------
        at : int, optional
            An event; the fork begins where everything that belongs to it is done. Now, where it is not
            given.

        Raises
        ------
        ValueError
            There is no such event.
        """
        return type(self)(WATCH.fork(self.table, at))

    @property
    def forks(self) -> Forks[Self]:
        """The other ways that this game went, as a tree; ``game.forks[0].game`` is the first of them."""
        return Forks(self.table, type(self))

    def undo(self, to: int | None = None) -> None:
        """Take the game back, as an event: what happened stays on record.

        Parameters
        ----------
        to : int, optional
            The event after which it shall stand; before the last action, where it is not given.

        Raises
        ------
        IllegalAction
            There is nothing to undo, or the event is in the middle of a step.
        """
        self.table.undo(to)

    def redline(self, start: int, end: int | None = None) -> Redline:
        """Return how the law differs between two moments.

        Parameters
        ----------
        start, end : int
            Events; `end` is now where it is not given.

        Raises
        ------
        ValueError
            There is no such event.
        """
        then, now = self.table.at(start), self.table.at(self.state.seq if end is None else end)
        return Redline(then.state, now.state)

    @property
    def host(self) -> Host:
        """Whoever keeps the record: absence, pause, correction by consent."""
        return Host(self.table)

    # ------------------------------------------------------------------------------------------ records

    def save(self, path: str | Path) -> str:
        """Write the game to a file (JSON Lines) that `load` reads.

        Everything that happened is in it as it was, sealed ballots too: whoever has the file can read them.

        Returns
        -------
        str
            The `fingerprint`, to be written down: with it, `load` takes no other record for this one.

        Raises
        ------
        IllegalAction
            This is the game as it stood: save the game itself, or a fork.
        """
        if isinstance(self.table, Past):
            onwards = [f"game.fork(at={self.state.seq}).save(…)"]
            raise IllegalAction("this is the game as it stood, perhaps in the middle of a step", options=onwards)
        WATCH.now(self.table)  # no cell that is run again writes an earlier state of the game over a later one
        with self.table.lock:
            log.save(self.table, Path(path))
            return self.fingerprint

    def __str__(self) -> str:
        state, beyond = self.state, WATCH.beyond(self.table)
        stands = self.result or f"turn {state.turn}, circuit {state.circuit}"
        known = [f"seed {self.seed}", f"fingerprint {self.fingerprint}", *filter(None, [self.kept])]
        lines = [f"{self.ruleset.title} – {stands} ({', '.join(known)})"]
        lines += [f"(as of this cell; the game has gone on, to event {beyond})"] if beyond else []
        for name, player in state.players.items():
            marks = held_by(state, name)
            marks += [f"army {army}" for army in armies_in_words(state, name)]
            marks += [] if player.person else ["dummy"]
            marks += [] if player.playing else ["out"]
            own = next((turn for turn in self.turns if turn.player == name), None)
            said = f" ({where(own)})" if own is not None and len(self.turns) > 1 else ""
            lines.append(f" {'→' if own else ' '} {name}: {', '.join(marks) or '–'}{said}")
        if state.position is not None:
            lines += [plain(state.position), ""]
        lines.append(str(self.pending))
        if not self.over:
            lines += [f"{one.number}: {line}" for one in self.proposals for line in str(one.remarks).splitlines()]
        return "\n".join(lines)

    __repr__ = __str__

    def latest(self, count: int = 8, since: int = 0) -> list[str]:
        """Return the last events in words; what begins and ends by itself is left out.

        Parameters
        ----------
        count : int
            How many at most.
        since : int
            Only events that came after the one of this number.
        """
        return latest(self.table, count, since)
