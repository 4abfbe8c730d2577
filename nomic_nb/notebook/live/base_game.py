"""A running game: explanations, earlier states, branches and the record."""

from __future__ import annotations

import hashlib
import re
import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Generic, Self, TypeVar

from nomic_nb.chess.multiverse.multiverse import boards_in_plain_text
from nomic_nb.chess.play.captures import describe_armies
from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.display import DisplayedAlike
from nomic_nb.engine.errors import IllegalAction, NotThere, OutOfRange
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.messages import say
from nomic_nb.engine.play import adoptability
from nomic_nb.engine.play.declarations import HOST_ACTIONS
from nomic_nb.engine.play.game_setup import GameSetup
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.record import log
from nomic_nb.engine.record.event_sentences import is_omitted_from_history, sentence
from nomic_nb.engine.record.seals import current_seals, describe_readable_secrets
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.live.game_status import GameStatus
from nomic_nb.notebook.live.host import Host
from nomic_nb.notebook.live.machines import carry_over, is_machine_act, mark_machine, seat_name
from nomic_nb.notebook.live.next_step import opening_lines
from nomic_nb.notebook.live.player_actions import read_change_argument
from nomic_nb.notebook.store import game_store
from nomic_nb.notebook.store.game_store import KeptGame
from nomic_nb.study.library import LibraryRule
from nomic_nb.study.views import describe_turn
from nomic_nb.study.views.enforcement import make_term_case
from nomic_nb.study.views.redline import LawRedline
from nomic_nb.study.views.tables import holdings_in_words

# --------------------------------------------------------------------------------------- the ways that a game went


#: Of which class games are.
GameType = TypeVar("GameType", covariant=True)


@frozen
class BranchOfGame(Generic[GameType]):
    """A branch of a game.

    Parameters
    ----------
    depth : int
        Level in the tree; 0 for the branch that all others come from.
    at : int
        Number of the last event that it shares with the branch that it left; 0 for the first branch.
    timeline : Timeline
        The events of the branch.
    why : str
        Reason why it left.
    here : bool
        Whether it is the branch being played, from which the tree is shown.
    kind : type
        Class of its game.
    """

    depth: int
    at: int
    timeline: Timeline
    why: str
    here: bool
    kind: Callable[[Timeline], GameType]

    @property
    def game(self) -> GameType:
        """The branch as a separate game: the one being played, or a fork of it."""
        return self.kind(self.timeline)

    @property
    def event_count(self) -> int:
        """Number of events in the branch."""
        return len(self.timeline.moments)

    @property
    def own_event_count(self) -> int:
        """Number of events in the branch after the last one that it shares with the game it left."""
        return self.event_count - self.at

    @property
    def parting_turn(self) -> int:
        """Number of the turn in which the branch left its game; 0 for the first branch."""
        return self.timeline.moments[self.at - 1][0].turn if self.at else 0

    @property
    def first_event_sentence(self) -> str:
        """A sentence on the first event after the branch left its game; empty if none exists yet."""
        first = self.timeline.moments[self.at : self.at + 1]
        return sentence(first[0][0], current_seals(self.timeline)) if first else ""

    @property
    def parting_phrase(self) -> str:
        """Where the branch left its game, such as “after event 9, in turn 2”; empty for the first branch."""
        return f"after event {self.at}, in turn {self.parting_turn}" if self.depth else ""

    def __repr__(self) -> str:
        leaves = f", leaves {self.parting_phrase}" if self.depth else ""
        return f"<branch: {self.why}{leaves}; .game continues it>"


class GameForks(DisplayedAlike, Generic[GameType]):
    """All branches of a game: the one it began with, and each one that left another.

    Iteration leaves out the branch being played: ``forks[0]`` is the first of the others.

    Parameters
    ----------
    timeline : Timeline
        The game being played.
    kind : type
        Class of its games.
    """

    def __init__(self, timeline: Timeline, kind: Callable[[Timeline], GameType]) -> None:
        self.timeline, self.kind = timeline, kind

    def all_branches(self) -> Iterator[BranchOfGame[GameType]]:
        """Yield every branch, the one being played included; forks come after the game that they left."""
        first = self.timeline
        while first.origin is not None and any(fork.timeline is first for fork in first.origin.forks):
            first = first.origin
        why = "this game" if first is self.timeline else "the game it branched from"
        yield BranchOfGame(0, 0, first, why, first is self.timeline, self.kind)
        yield from self._branches_below(first, 1)

    def _branches_below(self, timeline: Timeline, depth: int) -> Iterator[BranchOfGame[GameType]]:
        """Yield the forks of a game, each followed by its own forks; `depth` is their level in the tree."""
        for fork in sorted(timeline.forks, key=lambda branch: branch.at):
            yield BranchOfGame(depth, fork.at, fork.timeline, fork.why, fork.timeline is self.timeline, self.kind)
            yield from self._branches_below(fork.timeline, depth + 1)

    @property
    def other_branches(self) -> list[BranchOfGame[GameType]]:
        """All branches except the one being played."""
        return [way for way in self.all_branches() if not way.here]

    @explain_argument_errors
    def __getitem__(self, place: int) -> BranchOfGame[GameType]:
        """Return one of the other branches.

        Raises
        ------
        IndexError
            There is no branch with this index.
        """
        others = self.other_branches
        if not -len(others) <= place < len(others):
            known = f"forks[0] to forks[{len(others) - 1}]" if others else "no forks yet. To make one, use game.fork()"
            raise OutOfRange(
                "no-such-fork", "forks[{fork}] doesn’t exist. The game has {known}", fork=place, known=known
            )
        return others[place]

    def __iter__(self) -> Iterator[BranchOfGame[GameType]]:
        return iter(self.other_branches)

    def __len__(self) -> int:
        return len(self.other_branches)


class TurnStrip(DisplayedAlike):
    """The turns of a game side by side, each marked by what it changed, and the branches that leave them.

    Parameters
    ----------
    timeline : Timeline
        The game.
    branches : list of BranchOfGame
        Its other branches, as `GameForks` numbers them.
    """

    def __init__(self, timeline: Timeline, branches: list[BranchOfGame[object]]) -> None:
        self.timeline, self.branches = timeline, branches


# ---------------------------------------------------------------------------------------- another game of the same


#: Games begun with the same names, by the game before each.
_NEXT_GAMES: weakref.WeakKeyDictionary[Timeline, Timeline] = weakref.WeakKeyDictionary()
#: Seeds that people can read out.
MOST_SEEDS = 1_000_000


def _next_setup(timeline: Timeline) -> GameSetup:
    """Return the setup of the game that is begun with the players of one that is over; its seed follows from theirs."""
    setting = timeline.setting
    late = [name for name in timeline.state.players if name not in setting.players]
    late = [name for name in late if timeline.state.players[name].person]
    seed = int.from_bytes(hashlib.sha256(f"nomic_nb again {setting.digest}".encode()).digest()[:8], "big") % MOST_SEEDS
    order = (*setting.order, *late) if setting.order else ()
    return replace(setting, players=(*setting.players, *late), seed=seed, order=order)


def next_games(timelines: Iterable[Timeline]) -> list[Timeline]:
    """Return those games that were begun with the names of another of them, which knows them from now on."""
    by_setup = {timeline.setting.digest: timeline for timeline in timelines}
    found = []
    for timeline in by_setup.values():
        following = by_setup.get(_next_setup(timeline).digest) if timeline.state.over else None
        if following is not None:
            _NEXT_GAMES[timeline] = following
            found.append(following)
    return found


def _begin_next_game(timeline: Timeline) -> Timeline:
    """Begin a game with the setup and players of a game that is over; keep it in the same file, if that is kept.

    It is the same game each time, even after a restart.
    """
    following = Timeline(_next_setup(timeline))
    first = (event for event in timeline.events_in_effect if event.is_action and event.do != "begin")
    agreed = next(first, None)
    if agreed is not None and agreed.do == "set_up":  # the position with which play began
        details = HOST_ACTIONS["set_up"].from_record(agreed.details)
        following.do_as_host("set_up", {**details, "agreed": list(following.setting.players)})
    keeper = timeline.keeper
    return following if not isinstance(keeper, KeptGame) else _keep_next_game(keeper, following)


def _keep_next_game(keeper: KeptGame, following: Timeline) -> Timeline:
    """Keep a game under the next free name in the file of the game before it; return the one that is there already."""
    store, stem = keeper.store, re.sub(r" \d+$", "", keeper.game)[: game_store.LONGEST_NAME - 6]
    for at in count(2):
        name = f"{stem} {at}"
        if name not in store.game_names():
            return game_store.keep_new_game(store, name, following, CELL_WATCH).timeline
        known = game_store.open_game(store, name, CELL_WATCH).timeline
        if known.setting.digest == following.setting.digest:
            return known
    raise AssertionError  # numbers do not end


# ------------------------------------------------------------------------------------------------ a game in progress


class BaseGame(GameStatus):
    """A game of Nomic.

    `new_game` begins one and `load` reads a saved one. Every method that performs an action calls `do`, which checks
    the action against the rules in force. A refused action leaves the game exactly as it was.

    Parameters
    ----------
    timeline : Timeline
        The events of the game.
    """

    def why(self, key: str, change: Change | LibraryRule | None = None, **case: object) -> Finding:
        """Explain the rules for a setting (``vote.quota``) in a case (``player="Ann"``) or if `change` were proposed.

        Parameters
        ----------
        key : str
            Key of the setting, such as ``vote.quota``.
        change : Change, optional
            Hypothetical change, treated as if the player whose turn it is had proposed it.
        **case
            The case to examine, if the answer depends on it: ``kind="N"``, ``army="white"``, ``player="Ann"``,
            ``rule=203``, ``piece="white.e2"``. Without it, the finding lists the clauses that could apply.

        Returns
        -------
        Finding

        Raises
        ------
        KeyError
            There is no such key or no such rule to change, or something in the case does not exist.
        TypeError
            `change` is not a change, or something in the case is of the wrong kind.

        Examples
        --------
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> from nomic_nb.engine.law.changes import transmute
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
        meant = make_term_case(self.state, key, case)
        if change is None:
            return self.state.law.find(key, self.state, meant) if meant else finding
        change = read_change_argument(change, self.state)
        try:
            check_change(self.state, change)
        except LookupError as error:
            raise NotThere(error.args[0]) from None
        proponent = self.player or next(iter(self.state.person_names), "")
        trial = adoptability.suppose_proposed(self.state, change, proponent)
        return trial.law.find(key, trial, {**adoptability.SUPPOSED_CASE, **meant})

    # -------------------------------------------------------------------------------------- other times

    @explain_argument_errors
    def at(self, event: int) -> Self:
        """Return a read-only view of the game as it was right after event `event`.

        Parameters
        ----------
        event : int
            Number of the event in `history`, starting from 1.

        Raises
        ------
        ValueError
            There is no such event.
        """
        return type(self)(self.timeline.past_game(event))

    @explain_argument_errors
    def fork(self, at: int | None = None) -> Self:
        """Return a new game that continues after event `at` (by default the last); this game does not change.

        If the cell runs again, it gets the same fork as before.

        Parameters
        ----------
        at : int, optional
            Number of the event; the fork begins once everything that belongs to that event is done. Default: now.

        Raises
        ------
        ValueError
            There is no such event.
        """
        return type(self)(CELL_WATCH.fork_game(self.timeline, at))

    @explain_argument_errors
    def trial(self, seed: int | None = None) -> Self:
        """Return a copy of the game for trying out how it could go on; this game does not change.

        A trial is no branch: nothing remembers or saves it. Its dice are not those of the game, so it does not tell
        anyone what the game will roll. Values that players have sealed already stay the same.

        Parameters
        ----------
        seed : int, optional
            Seed of its dice; default a new one, drawn at random.

        Raises
        ------
        ValueError
            The seed cannot be used.

        Examples
        --------
        >>> from nomic_nb.engine.law.changes import repeal
        >>> from nomic_nb.notebook.opening_games import new_game
        >>> game = new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> trial = game.trial()
        >>> _ = trial.propose("Ann", repeal(206))
        >>> len(trial.proposals), len(game.proposals), len(game.forks)
        (1, 0, 0)
        """
        return type(self)(self.timeline.trial(seed))

    @property
    def forks(self) -> GameForks[Self]:
        """The other branches of this game as a tree; ``game.forks[0].game`` is the first."""
        return GameForks(self.timeline, type(self))

    @property
    def strip(self) -> TurnStrip:
        """The strip of turns: a tick for each turn, with the event that leads to it, such as ``game.at(21)``."""
        return TurnStrip(self.timeline, list(self.forks.other_branches))

    @explain_argument_errors
    def undo(self, to: int | None = None) -> None:
        """Undo everything after event `to`, by default the last action; undone events stay in the record.

        Ballots that `votes` cast together are one action, and so is an action with what machines answered to it.

        Parameters
        ----------
        to : int, optional
            Number of the last event to keep; default: undo only the last action.

        Raises
        ------
        IllegalAction
            There is nothing to undo, or the event is in the middle of a step.
        """
        timeline = self.timeline

        def act() -> None:
            acts = [event for event in timeline.events_backwards() if event.is_action and event.do != "begin"]
            newest = acts[0].seq if acts else 0
            last = next((event.seq for event in acts if not is_machine_act(timeline, event)), newest)
            around = CELL_WATCH.act_around(timeline, last if to is None else to)
            if around is not None and to not in (None, around[1]):
                message = say(
                    "inside-an-act", "event {event} is in the middle of ballots that were cast together", event=to
                )
                raise IllegalAction(message, options=[f"undo to {place}" for place in around])
            if to is not None or around is not None or last == newest:
                timeline.undo(around[0] if around is not None and to is None else to)
            else:  # what machines answered to it is undone with it
                timeline.undo(next((event.seq for event in timeline.events_backwards() if event.seq < last), 0))

        timeline.attempt(act)
        self._let_machines_answer()

    @explain_argument_errors
    def redline(self, start: int, end: int | None = None) -> LawRedline:
        """Return the differences in the law between event `start` and event `end` (by default, now).

        Parameters
        ----------
        start, end : int
            Numbers of the events; default for `end`: now.

        Raises
        ------
        ValueError
            There is no such event.
        """
        then, now = self.timeline.past_game(start), self.timeline.past_game(self.state.seq if end is None else end)
        return LawRedline(then.state, now.state)

    def play_again(self) -> Self:
        """Return a new game with the rule set, settings and players of this one, which is over; it rolls other dice.

        It is the same new game each time, so a panel, a served page and a cell can begin it together. If this game is
        kept in a file, so is the new one, under another name.

        Raises
        ------
        IllegalAction
            This game is not over.
        """
        timeline = self.timeline
        with timeline.lock:
            if not timeline.state.over:
                raise IllegalAction(
                    "not-over-yet", "this game isn’t over yet. You can play again once somebody has won"
                )
            following = _NEXT_GAMES.get(timeline)
            if following is None:
                following = _NEXT_GAMES[timeline] = _begin_next_game(timeline)
                carry_over(timeline, following)
        game = type(self)(following)
        game._let_machines_answer()
        return game

    @property
    def _has_next_game(self) -> bool:
        """Whether another game was begun with the names of this one."""
        return self.timeline in _NEXT_GAMES

    @property
    def host(self) -> Host:
        """The actions of the host, who runs the record: absence, pause, corrections by consent."""
        return Host(self.timeline, self._let_machines_answer)

    # ------------------------------------------------------------------------------------------ records

    def save(self, path: str | Path) -> str:
        """Write the game to a file (JSON Lines) that `load` reads, and return its fingerprint.

        The file contains everything that happened, and anyone who has it can read it. If the file contains secrets,
        such as sealed answers or hidden numbers, a printed line says so.

        Returns
        -------
        str
            The `fingerprint`. Write it down: if you give it to `load`, any other record is refused.

        Raises
        ------
        IllegalAction
            This is a past state of the game. Save the game itself, or a fork, instead.
        """
        if self.timeline.past:
            onwards = [f"game.fork(at={self.state.seq}).save(…)"]
            raise IllegalAction(
                "past-game-not-saved",
                "this is a past state of the game, perhaps in the middle of a step, so it can’t be saved",
                options=onwards,
            )
        CELL_WATCH.show_present(
            self.timeline
        )  # no cell that is run again writes an earlier state of the game over a later one
        with self.timeline.lock:
            log.save(self.timeline, Path(path))
            if text := describe_readable_secrets(self.timeline):
                CELL_WATCH.print_message(text)
            return self.fingerprint

    def __str__(self) -> str:
        state = self.state
        stands = self.result or f"turn {state.turn}, round {state.circuit}"
        known = [f"seed {self.seed}", f"fingerprint {self.fingerprint}", *filter(None, [self.kept])]
        lines = [*opening_lines(self), f"{self.ruleset.title} – {stands} ({', '.join(known)})"]
        for name, player in state.players.items():
            marks = [*holdings_in_words(state, name)]
            marks += [f"army {army}" for army in describe_armies(state, name)]
            marks += [] if player.person else ["dummy"]
            marks += [] if player.playing else ["out"]
            own = None if self.over else state.turn_of(name)
            text = f" ({describe_turn(own)})" if own is not None and len(self.turns) > 1 else ""
            shown = seat_name(self.timeline, name)
            lines.append(f" {'→' if own else ' '} {shown}: {', '.join(marks) or '–'}{text}")
        if state.position is not None:
            lines += [boards_in_plain_text(state.position), ""]
        lines.append(str(self.pending))
        if not self.over:
            lines += [
                f"{proposal.number}: {line}"
                for proposal in self.proposals
                for line in str(proposal.remarks).splitlines()
            ]
        return "\n".join(lines)

    def latest(self, count: int = 8, since: int = 0) -> list[str]:
        """Return at most `count` of the latest events after event `since`, without automatic ones, as sentences.

        Parameters
        ----------
        count : int
            Maximum number of events.
        since : int
            Number of an event; only later events are returned. Default 0, for all.
        """
        sealed = current_seals(self.timeline)
        newest_first: list[str] = []
        for event, _ in reversed(self.timeline.moments):
            if len(newest_first) == count or event.seq <= since:
                break
            if not is_omitted_from_history(event) and event.seq not in sealed.after:
                newest_first.append(mark_machine(self.timeline, event, sentence(event, sealed)))
        return newest_first[::-1]
