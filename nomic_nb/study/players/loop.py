"""The loop in which programs play: who is asked, how often after a refusal, and what is counted."""

from __future__ import annotations

import asyncio
import inspect
import json
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from operator import itemgetter
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import WrongArgument, WrongValue
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.threads import in_browser, start_thread
from nomic_nb.engine.words import count_phrase, join_words
from nomic_nb.study.frames import column_types, make_frame, seldom_collection
from nomic_nb.study.packages import wait_in_browser
from nomic_nb.study.players.asked import Json
from nomic_nb.study.players.view import CLOCK_ACTION, View, views_of

if TYPE_CHECKING:
    import pandas as pd

#: A program that plays: it takes a view and returns a reply, or an awaitable of one; None passes.
Player = Callable[[View], Any]
#: Characters of a reply that are kept.
LONGEST_KEPT = 2_000
#: Events after which a turn counts as one that does not end, such as at a standstill in which words lead nowhere.
MOST_EVENTS = 1_000
_COLUMNS = column_types(
    "int64: step; string: seat kind; int64: attempt; string: outcome why reply; float64: seconds; "
    "int64: characters_in characters_out"
)


class SeatLike(Protocol):
    """A seat at a game, from which a program sees and acts."""

    def view(self, *, remarks: bool = True) -> View:
        """Return what the seat sees."""

    def act(self, reply: object) -> Json:
        """Do what a reply says, or say why not."""


@runtime_checkable
class Game(Protocol):
    """A game with seats."""

    @property
    def timeline(self) -> Timeline:
        """The events of the game."""

    def seat(self, player: str) -> Any:
        """Return the seat of a player."""


def _programs_for(decision: Decision, state: State, players: Iterable[str]) -> Iterator[str]:
    """Yield the players with a program who can answer a decision of one player, or of anyone."""
    if decision.action != CLOCK_ACTION:  # the time is recorded by the host
        yield from (name for name in players if decision.player in (None, name) and name in state.person_names)


def awaited_program(timeline: Timeline, open_now: Iterable[Decision], players: Collection[str]) -> str | None:
    """Return a player with a program whom play waits for, by the first decision; None if there is none.

    Whoever acted last comes last: where the answers of several differ, each can come round to those of the others.
    """
    last = next((event.actor for event, _ in reversed(timeline.moments) if event.is_action), None)
    state = timeline.state
    found = dict.fromkeys(name for one in open_now if one.must for name in _programs_for(one, state, players))
    return next((name for name in found if name != last), next(iter(found), None))


def programs_at_will(state: State, open_now: Iterable[Decision], players: Collection[str]) -> list[str]:
    """Return the players with a program who may decide something now and need not."""
    found: dict[str, bool] = {}
    for one in open_now:
        for name in _programs_for(one, state, players):
            found[name] = found.get(name, False) or one.must
    return [name for name, must in found.items() if not must]


class Played(Displayed):
    """A summary of a stretch of play by programs.

    Attributes
    ----------
    ended : str
        Why it ended: “over”, “turn 3”, “turn 3 does not end”, “waits for Ann”, “Ben failed: …” or
        “Ben was refused 3 times: …”.
    rows : list of dict
        Every reply: its step, seat, kind of player, attempt, outcome (``done``, ``passed``, ``refused``, ``stood in``,
        ``overtaken`` or ``failed``), the reason, the reply itself, seconds, and characters of the view and the reply.
    """

    def __init__(self) -> None:
        self.ended = ""
        self.rows: list[Json] = []

    @property
    def replies(self) -> pd.DataFrame:
        """Every reply as a DataFrame, in order, with the columns that `rows` has."""
        return make_frame(_COLUMNS, map(itemgetter(*_COLUMNS), self.rows))

    def count(self, outcome: str, seat: str | None = None) -> int:
        """Return how many replies had an outcome, of one seat or of all.

        Parameters
        ----------
        outcome : str
            The outcome, such as “refused”.
        seat : str, optional
            A player; default all.
        """
        return sum(row["outcome"] == outcome and seat in (None, row["seat"]) for row in self.rows)

    def __str__(self) -> str:
        outcomes = dict.fromkeys(row["outcome"] for row in self.rows)
        told = ", ".join(f"{self.count(outcome)} {outcome}" for outcome in outcomes)
        return f"{count_phrase(len(self.rows), 'reply', 'replies')}{f' ({told})' if told else ''}. Ended: {self.ended}"


class _Failed(Exception):  # noqa: N818 - the end of a stretch, not a fault of the kit
    """A program failed; play ends, and nothing stands in for it."""


@explain_argument_errors
def play(
    game: Game,
    players: Mapping[str, Player],
    until: int | Callable[[Any], bool] | None = None,
    retries: int = 2,
    stand_in: Player | None = None,
    seconds: float | None = None,
    *,
    remarks: bool = True,
    log: str | Path | None = None,
) -> Played:
    """Let programs play in their seats until the game is over or waits for somebody else; return a summary.

    The player that play waits for is asked first. After each act, the others are asked once whether they want to do
    what they may do.

    Parameters
    ----------
    game : Game
        The game.
    players : mapping of str to callable
        Programs by player. Each takes a view and returns a reply, such as ``{"key": "5f0c…", "details": {…}}``, or an
        awaitable of one; None passes if nothing must be answered. A reply can also be JSON as a text, with nothing
        around it. Players who are not named are left to people.
    until : int or callable, optional
        Turn at whose beginning play stops, or a function that takes the game and returns whether it does.
    retries : int
        How many more times a program is asked after a refusal. The view then has the refusal.
    stand_in : callable, optional
        Program that replies once these are used up. Without it, play ends.
    seconds : float, optional
        Time for a reply; a program that takes longer has failed. Default no limit.
    remarks : bool
        Whether views have remarks on proposals, which take time to find.
    log : str or Path, optional
        File to which every reply is added as a line of JSON, as soon as it is in.

    Returns
    -------
    Played
        Why play ended (``.ended``), and every reply (``.replies``), with those that were refused or replaced.

    Raises
    ------
    ValueError
        There is no such player, or `retries` or `seconds` is too small.
    TypeError
        A player is given something that cannot be called, or `until` is no turn and no function.
    """
    return _Stretch(game, players, until, retries, stand_in, seconds, remarks=remarks, log=log).run()


@explain_argument_errors
def play_many(jobs: Iterable[Mapping[str, Any]], at_once: int = 4) -> list[Played]:
    """Let programs play several games, some at the same time; return a summary of each.

    This pays off for programs that wait, such as for a model. A program that plays in several games is called by
    several threads.

    Parameters
    ----------
    jobs : iterable of mapping
        The arguments of `play` for each game: ``{"game": …, "players": {…}, "until": 20}``.
    at_once : int
        Number of games that are played at the same time.

    Returns
    -------
    list of Played
        In the order of the jobs.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> games = [nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=seed, anew=True) for seed in (1, 2)]
    >>> players = {name: nb.players.random(seed=1) for name in ["Ann", "Ben"]}
    >>> [played.ended for played in nb.play_many([{"game": game, "players": players, "until": 2} for game in games])]
    ['turn 2', 'turn 2']
    """
    jobs = list(jobs)
    for job in jobs:
        if not isinstance(job, Mapping):
            raise WrongArgument(
                say(
                    "job-no-mapping",
                    "a job must be a mapping of what play takes, not {found}",
                    found=type(job).__name__,
                )
            )
    if in_browser():
        return [play(**job) for job in jobs]
    with ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(lambda job: play(**job), jobs))


class _Stretch:
    """A stretch of play by programs; its parameters are those of `play`."""

    def __init__(
        self, game: Game, players: Mapping[str, Player], until: int | Callable[[Any], bool] | None, retries: int,
        stand_in: Player | None, seconds: float | None, *, remarks: bool, log: str | Path | None,
    ) -> None:  # fmt: skip
        for name, player in [*players.items(), *([("stand_in", stand_in)] if stand_in is not None else [])]:
            check_callable(name, player)
        if not (until is None or callable(until) or isinstance(until, int)):
            raise WrongArgument(
                say(
                    "until-of-wrong-kind",
                    "until must be a turn or a function that takes the game, not {found!r}",
                    found=until,
                )
            )
        if retries < 0 or (seconds is not None and seconds <= 0):
            raise WrongValue(say("retries-below-zero", "retries must be at least 0, and seconds more than 0"))
        self.game, self.players, self.until, self.retries = game, dict(players), until, retries
        self.stand_in, self.seconds, self.remarks = stand_in, seconds, remarks
        self.seats = {name: game.seat(name) for name in players}
        self.played, self.log = Played(), None if log is None else Path(log)
        self.turn, self.begun = -1, 0  # the turn under way, and the step at which it was first seen

    @seldom_collection()
    def run(self) -> Played:
        """Play, and return the summary."""
        try:
            while not self.played.ended:
                self.played.ended = self._why_over() or self._go_on()
        except _Failed as failed:
            self.played.ended = str(failed)
        return self.played

    def _why_over(self) -> str:
        """Return why play stops before anybody is asked; an empty text if it goes on."""
        state = self.game.timeline.state
        if state.over:
            return "over"
        if state.paused:
            return "paused"
        if isinstance(self.until, int) and state.turn >= self.until:
            return f"turn {state.turn}"
        if state.turn != self.turn:
            self.turn, self.begun = state.turn, state.seq
        elif state.seq - self.begun > MOST_EVENTS:
            return f"turn {state.turn} does not end"
        return "as asked" if callable(self.until) and self.until(self.game) else ""

    def _go_on(self) -> str:
        """Ask whom play waits for, then the others; return why play stops, or an empty text."""
        state = self.game.timeline.state
        open_now = views_of(self.game.timeline).open_decisions(state)
        must = [one for one in open_now if one.must]
        awaited = awaited_program(self.game.timeline, open_now, self.players)
        if awaited is not None:
            why = self._ask(awaited, must=True)
            if why or self.game.timeline.state.over:
                return why
        elif must:
            who = dict.fromkeys("the host" if one.action == CLOCK_ACTION else one.player or "anyone" for one in must)
            return f"waits for {join_words(list(who))}"
        before = self.game.timeline.state.seq
        now = self.game.timeline.state
        for name in programs_at_will(now, views_of(self.game.timeline).open_decisions(now), self.players):
            if why := self._ask(name, must=False):
                return why
            if self.game.timeline.state.seq != before:
                return ""
        return "" if awaited is not None else "nobody wants to do anything"

    def _ask(self, name: str, *, must: bool) -> str:
        """Ask a program until it acts, passes or has used up its retries; return why play stops, if it does."""
        why = ""
        for attempt in range(1, self.retries + 2):
            outcome, why = self._reply(name, self.players[name], attempt, must=must)
            if outcome != "refused":
                return ""
        if self.stand_in is not None:
            outcome, why = self._reply(name, self.stand_in, self.retries + 2, must=must, standing_in=True)
            if outcome != "refused":
                return ""
        return f"{name} was refused {count_phrase(attempt + (self.stand_in is not None), 'time')}: {why}"

    def _reply(
        self, name: str, player: Player, attempt: int, *, must: bool, standing_in: bool = False
    ) -> tuple[str, str]:
        """Let a program reply once, and do what it says; return the outcome, and why it was refused."""
        seat: SeatLike = self.seats[name]
        view = seat.view(remarks=self.remarks)
        step, characters, start = view["step"], view.size, time.monotonic()
        outcome, why, reply = "failed", "", None
        try:
            reply = ask_program(player, view, self.seconds)
        except Exception as error:
            why = failure_text(error)
            raise _Failed(f"{name} failed: {why}") from error
        else:
            if self.game.timeline.state.seq != step:
                outcome = "overtaken"
            elif reply is None and not must:
                outcome = "passed"
            else:
                result = seat.act(reply)
                why = result.get("why") or ("only a statement" if must and result["step"] == step else "")
                outcome = "refused" if why else "stood in" if standing_in else "done"
        finally:
            text = reply if isinstance(reply, str) else "" if reply is None else _as_text(reply)
            self._note({
                "step": step, "seat": name, "kind": kind_of(player), "attempt": attempt, "outcome": outcome,
                "why": why, "reply": text[:LONGEST_KEPT], "seconds": time.monotonic() - start,
                "characters_in": characters, "characters_out": len(text),
            })  # fmt: skip
        return outcome, why

    def _note(self, row: Json) -> None:
        """Count a reply, and write it to the log."""
        self.played.rows.append(row)
        if self.log is not None:
            with self.log.open("a", 1 << 16, encoding="utf-8") as file:  # a line is written whole
                file.write(json.dumps(row) + "\n")


def check_callable(name: str, player: object) -> None:
    """Raise TypeError if what is to play for `name` is no function."""
    if not callable(player):
        raise WrongArgument(
            say("player-not-callable", "{name} must be a function that takes a view and replies", name=name)
        )


def failure_text(error: BaseException) -> str:
    """Return an error of a program in a few words: its class and its message."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _as_text(reply: object) -> str:
    """Return a reply as JSON; as Python shows it if it is no JSON."""
    try:
        return json.dumps(reply)
    except (TypeError, ValueError, RecursionError):
        return f"<{type(reply).__name__}>"


def kind_of(player: object) -> str:
    """Return what a program is called: its kind, or the name of the function."""
    return str(getattr(player, "kind", None) or getattr(player, "__name__", type(player).__name__))


def ask_program(player: Player, view: View, seconds: float | None = None) -> Any:
    """Return what a program replies to a view, awaiting it if need be, within so many seconds.

    Raises
    ------
    TimeoutError
        It takes longer. A browser, which has one thread, finds this out when the reply is there.
    """

    def reply() -> Any:
        found = player(view)
        if not inspect.isawaitable(found):
            return found
        return wait_in_browser(found) if in_browser() else asyncio.run(_await(found))

    if in_browser():
        start, found = time.monotonic(), reply()
        if seconds is not None and time.monotonic() - start > seconds:
            raise TimeoutError(f"no reply within {seconds:g} seconds")
        return found
    if seconds is None and not (_is_loop_running() and inspect.iscoroutinefunction(player)):
        return reply()
    results: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()

    def work() -> None:
        try:
            results.put((reply(), None))
        except BaseException as error:  # noqa: BLE001 - it is raised again where somebody waits for it
            results.put((None, error))

    start_thread(work)
    try:
        found, error = results.get(timeout=seconds)
    except Empty:
        raise TimeoutError(f"no reply within {seconds:g} seconds") from None
    if error is not None:
        raise error
    return found


async def _await(found: Any) -> Any:
    """Return what an awaitable gives."""
    return await found


def _is_loop_running() -> bool:
    """Tell whether this thread runs an event loop, as notebooks do, so that nothing else can run one here."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
