"""Machines at a table: which seats programs have, what they did there, and how they are asked while people play.

A machine is asked outside the game's lock. If play continues meanwhile, its answer is dropped and it is asked again.
"""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from nomic_nb.chess.multiverse.move_search import Player as ChessPlayer
from nomic_nb.engine.arguments import explain_all_argument_errors
from nomic_nb.engine.errors import IllegalAction, NotThere, WrongArgument, WrongValue
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.engine import Moment
from nomic_nb.engine.play.events import Event, events_in
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import unknown_player_message
from nomic_nb.engine.threads import Lock, get_ident
from nomic_nb.engine.words import full_sentence
from nomic_nb.notebook.live.cells import CELL_WATCH, CURRENT_HAND, MACHINE, acting_as
from nomic_nb.notebook.markup.tree import MACHINES_SHOWN
from nomic_nb.notebook.store.game_store import KeptGame, StoredSeats
from nomic_nb.study.players.boards_ahead import BoardPlayer
from nomic_nb.study.players.kinds import ChancePlayer
from nomic_nb.study.players.kit import KINDS
from nomic_nb.study.players.loop import (
    Player,
    SeatLike,
    ask_program,
    awaited_program,
    check_callable,
    failure_text,
    kind_of,
    programs_at_will,
)
from nomic_nb.study.players.view import View, views_of

#: What can be given a seat: the name of a player of the kit, a function, or a chess player.
Machine: TypeAlias = str | Player | ChessPlayer
#: Seconds between two answers that people watch, and for one answer, with the most of each; attempts after a refusal.
PAUSE, LONGEST_PAUSE, SECONDS, LONGEST_ANSWER, RETRIES = 1.0, 60.0, 60.0, 3600.0, 4
#: Even a simple function may need this long.
SHORTEST_ANSWER = 0.1
#: Events that tell a move on boards.
MOVES = frozenset(("moved", "dropped"))
#: Letters of the name of a function that are shown.
LONGEST_KIND = 40
#: Answers in a row for an act in a cell, and lines that tell of the last of them.
MOST_ANSWERS, MOST_LINES = 200, 12


@dataclass(eq=False)
class TableMachines:
    """The machines of one game.

    Parameters
    ----------
    players : dict of str to Player
        The program in each seat that has one.
    acts : dict of int to Event
        The events that machines caused, by number.
    trouble : dict of str to Message
        Why a machine is asked no more, by player.
    """

    players: dict[str, Player] = field(default_factory=dict)
    acts: dict[int, Event] = field(default_factory=dict)
    trouble: dict[str, Message] = field(default_factory=dict)
    #: The event at which each machine last passed.
    passed: dict[str, int] = field(default_factory=dict)
    #: The kinds of machines with which the game was begun.
    given: dict[str, str] | None = None
    #: Whether they are as a file has them, and nobody has been given a seat since.
    restored: bool = False
    pause: float = PAUSE
    seconds: float = SECONDS
    #: Whether they wait until somebody lets them go on, and whether one of them may answer all the same.
    held: bool = False
    step: bool = False
    #: Changes whenever something of this does that people see.
    version: int = 0
    #: Machines are asked one at a time; the thread of the one that thinks.
    asking: Lock = field(default_factory=Lock)
    thinking: int = 0


_TABLES: weakref.WeakKeyDictionary[Timeline, TableMachines] = weakref.WeakKeyDictionary()


def machines_of(timeline: Timeline) -> TableMachines:
    """Return the machines of a game; a view of its past has the current ones, and a branch has its own."""
    while timeline.past and timeline.origin is not None:
        timeline = timeline.origin
    known = _TABLES.get(timeline)
    if known is None:
        known = _TABLES[timeline] = TableMachines()
        origin = timeline.origin
        if origin is not None and any(fork.timeline is timeline for fork in origin.forks):  # no other copy has any
            carry_over(origin, timeline)
            known.acts = dict(machines_of(origin).acts)
        if isinstance(timeline.keeper, KeptGame):
            _restore_machines(known, timeline, timeline.keeper)
    return known


def carry_over(before: Timeline, following: Timeline) -> None:
    """Seat the machines of a game in another one with the same players; the kit's own remember separately there."""
    old = machines_of(before)
    new = _TABLES.setdefault(following, TableMachines())
    new.players = {
        name: deepcopy(player) if isinstance(player, ChancePlayer) else player for name, player in old.players.items()
    }
    new.pause, new.seconds, new.given = old.pause, old.seconds, old.given


def _restore_machines(known: TableMachines, timeline: Timeline, keeper: KeptGame) -> None:
    """Seat the machines that a file has; say which of them it does not have."""
    hands = keeper.hands_by_event()
    known.acts |= {
        event.seq: event
        for event in timeline.events
        if _is_act(event) and event.seq in hands and hands[event.seq][0].startswith(f"{MACHINE} ")
    }
    for name, kind in StoredSeats(keeper).players_by_machine().items():
        known.restored = True
        if kind in KINDS:
            known.players[name] = kit_player(kind, timeline, name)
        else:
            known.trouble[name] = say(
                "machine-not-saved",
                "{player} was played by {kind}, which is not saved with the game. Seat it again or play for {player}",
                player=name,
                kind=kind,
            )


def kit_player(kind: str, timeline: Timeline, name: str) -> Player:
    """Return a player of the kit for a seat; its seed follows from the game's, so it always plays the same."""
    digest = hashlib.sha256(f"nomic_nb machine {timeline.seed} {name}".encode()).digest()
    return KINDS[kind](int.from_bytes(digest[:4], "big"))


# --------------------------------------------------------------------------------------- how machines are told apart


def machine_kind(timeline: Timeline, name: str | None) -> str:
    """Return what the machine in a seat is called; empty if a person plays there."""
    player = machines_of(timeline).players.get(name or "")
    return kind_of(player)[:LONGEST_KIND] if player is not None else ""


def seat_name(timeline: Timeline, name: str) -> str:
    """Return the name of a player, and beside it that it is a machine if it is one."""
    return f"{name} ({MACHINE})" if machine_kind(timeline, name) else name


@contextmanager
def marking_machines(timeline: Timeline | None) -> Iterator[None]:
    """Mark the machines of a game beside their names in what is drawn in the block."""
    token = MACHINES_SHOWN.set(tuple(machines_of(timeline).players) if timeline is not None else ())
    try:
        yield
    finally:
        MACHINES_SHOWN.reset(token)


def _is_act(event: Event) -> bool:
    """Return whether an event is an act, or the move for which a player pushed boards together."""
    return event.is_action or event.kind in MOVES


def is_machine_act(timeline: Timeline, event: Event) -> bool:
    """Tell whether an event is an act of a machine."""
    return machines_of(timeline).acts.get(event.seq) == event


def mark_machine(timeline: Timeline, event: Event, text: str) -> str:
    """Return a sentence on an event with a mark if a machine did it."""
    return mark_name(event.actor or "", text) if is_machine_act(timeline, event) else text


def mark_name(name: str, text: str) -> str:
    """Return a sentence with a mark that a player is a machine: after the name, if it begins with that.

    Examples
    --------
    >>> mark_name("Ben", "Ben’s turn: proposal"), mark_name("Ben", "rule 203 is amended")
    ('Ben (machine)’s turn: proposal', 'rule 203 is amended (machine)')
    """
    begins = text.startswith((f"{name} ", f"{name}’"))
    return f"{name} ({MACHINE}){text.removeprefix(name)}" if begins else f"{text} ({MACHINE})"


# ------------------------------------------------------------------------------------------------- machines that play


class PlayedGame(Protocol):
    """A game at which machines play."""

    _timeline: Timeline

    def latest(self, count: int = 8, since: int = 0) -> list[str]:
        """Return what happened since an event, in sentences."""


class Machines(MutableMapping[str, Player]):
    """The machines of a game: a mapping of players to the programs that play for them.

    ``game.machines["Ben"] = "sensible"`` gives a seat to a player of the kit, to a function, or to a chess player made
    by `nb.multiverse.player`, and ``del game.machines["Ben"]`` gives it back to a person.

    Parameters
    ----------
    game : PlayedGame
        The game.
    make_seat : callable
        Makes the seat of a player, from which a machine sees and acts.

    Raises
    ------
    IllegalAction
        No player has this name.
    ValueError
        The kit has no player of this kind, or this is no time in seconds.
    TypeError
        What is to play is no function.
    """

    def __init__(self, game: PlayedGame, make_seat: Callable[[str], SeatLike]) -> None:
        self._game, self._timeline, self._make_seat = game, game._timeline, make_seat

    @property
    def _table(self) -> TableMachines:
        """The machines of this game."""
        return machines_of(self._timeline)

    # ------------------------------------------------------------------------------------- who has a seat

    def __getitem__(self, player: str) -> Player:
        if player not in self._table.players:
            raise NotThere(say("no-machine-there", "no machine plays for “{player}”", player=str(player)[:40]))
        return self._table.players[player]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table.players)

    def __len__(self) -> int:
        return len(self._table.players)

    def __setitem__(self, player: str, program: Machine) -> None:
        self._seat(player, program)
        self.answer()

    def __delitem__(self, player: str) -> None:
        table, _ = self._table, self[player]
        del table.players[player]
        table.trouble.pop(player, None)
        self.keep(player)
        self._note_change()

    def _seat(self, name: str, program: Machine) -> None:
        """Give a seat to a program, or to the kit's player of this name."""
        state, table = self._timeline.state, self._table
        if name not in state.person_names:
            raise IllegalAction(unknown_player_message(name), options=list(state.person_names))
        if isinstance(program, str):
            if program not in KINDS:
                raise WrongValue(
                    say(
                        "no-such-machine",
                        "the kit has no player called “{kind}”. It has {known}",
                        kind=program[:40],
                        known=", ".join(KINDS),
                    )
                )
            program = kit_player(program, self._timeline, name)
        if isinstance(program, ChessPlayer):
            program = BoardPlayer(program, kit_player("sensible", self._timeline, name))
        check_callable(name, program)
        table.players[name] = program
        table.trouble.pop(name, None)
        table.passed.pop(name, None)
        self.keep(name)
        self._note_change()

    def keep(self, *names: str) -> None:
        """Store in the game's file, if it has one, what plays for these players; by default, for all with a machine."""
        keeper = self._timeline.keeper
        if isinstance(keeper, KeptGame):
            for name in names or self:
                kind, of_kit = machine_kind(self._timeline, name), isinstance(self.get(name), ChancePlayer)
                StoredSeats(keeper).keep_machine(name, kind if of_kit or not kind else f"{kind}()")

    def seat_as_given(self, machines: Mapping[str, Machine], pause: float) -> None:
        """Seat the machines that a game is begun with; if its cell runs again, only what is new in them.

        A seat that somebody has taken over stays theirs.
        """
        table = self._table
        kinds = {name: one if isinstance(one, str) else kind_of(one) for name, one in machines.items()}
        self.pause = pause
        if table.restored:
            changed = [name for name in machines if name in table.trouble]
        elif table.given == kinds:  # a function may be another one now
            changed = [name for name, one in machines.items() if name in table.players and not isinstance(one, str)]
        else:
            changed = list(machines)
            for name in [name for name in table.given or () if name not in machines and name in table.players]:
                del self[name]
        for name in changed:
            self._seat(name, machines[name])
        table.given, table.restored = kinds, False

    # -------------------------------------------------------------------------------------------- their pace

    @property
    def pause(self) -> float:
        """Seconds between two answers in a panel or on a page; can be set."""
        return self._table.pause

    @pause.setter
    def pause(self, seconds: float) -> None:
        self._table.pause = _check_seconds("pause", seconds, LONGEST_PAUSE)

    @property
    def seconds(self) -> float:
        """Seconds in which a machine must answer; can be set."""
        return self._table.seconds

    @seconds.setter
    def seconds(self, seconds: float) -> None:
        self._table.seconds = _check_seconds("seconds", seconds, LONGEST_ANSWER, SHORTEST_ANSWER)

    @property
    def held(self) -> bool:
        """Whether the machines wait until somebody lets them go on."""
        return self._table.held

    @property
    def trouble(self) -> dict[str, Message]:
        """Why a machine is asked no more, by player; empty if all is well."""
        return dict(self._table.trouble)

    def hold(self) -> None:
        """Have the machines wait; `step` lets them answer once, and `go_on` as before."""
        self._table.held = True
        self._note_change()

    def step_later(self) -> None:
        """Have a panel or a page let one machine answer at once, while they wait."""
        self._table.step = True
        self._note_change()

    def go_on(self) -> None:
        """Let the machines go on, and ask those again that failed."""
        table = self._table
        table.held = table.step = False
        table.trouble.clear()
        self._note_change()
        self.answer()

    def _note_change(self) -> None:
        """Tell whoever shows the game that something about its machines is new."""
        self._table.version += 1
        self._timeline.notify_listeners()

    # --------------------------------------------------------------------------------------------- their answers

    @property
    def is_due(self) -> bool:
        """Whether a machine has something to answer, and does not wait."""
        table = self._table
        return bool(table.players) and (not table.held or table.step) and self._next() is not None

    def _next(self) -> tuple[str, bool] | None:
        """Return the machine to ask next and whether play waits for it, or None."""
        timeline, table = self._timeline, self._table
        with timeline.lock:
            state = timeline.state
            willing = [name for name in table.players if name not in table.trouble]
            if state.over or state.paused or timeline.past or not willing:
                return None
            open_now = views_of(timeline).open_decisions(state)
            awaited = awaited_program(timeline, open_now, willing)
            if awaited is not None:
                return awaited, True
            at_will = programs_at_will(state, open_now, willing)
            return next(((name, False) for name in at_will if table.passed.get(name) != state.seq), None)

    def step(self) -> str:
        """Let a machine answer once, first the one that play waits for; return its player, or an empty text."""
        table, timeline = self._table, self._timeline
        with table.asking:
            table.step = False
            while (found := self._next()) is not None:
                if CELL_WATCH.is_rewound(timeline) and not CELL_WATCH.is_in_cell:
                    return ""  # the game is not as it is now
                if self._ask(*found):
                    return found[0]
        return ""

    def _ask(self, name: str, must: bool) -> bool:
        """Ask a machine, again after a refusal, and do what it answers; tell whether it acted."""
        timeline, table = self._timeline, self._table
        player, seat, why = table.players.get(name), self._make_seat(name), ""
        if player is None:
            return False

        def think(view: View) -> Any:
            table.thinking = get_ident()  # what it does in the game itself waits for no machine
            return player(view)

        for _ in range(RETRIES + 1):
            with timeline.lock:
                view, state = seat.view(), timeline.state
            try:
                reply = ask_program(think, view, table.seconds)
            except (Exception, SystemExit) as error:  # noqa: BLE001 - the people at the table are told, and can go on without it
                why = failure_text(error)
                break
            with timeline.lock:
                if table.players.get(name) is not player or timeline.state is not state:
                    return False
                if reply is None and not must:
                    table.passed[name] = state.seq
                    return False
                before = len(timeline.moments)
                with acting_as(f"{MACHINE} {machine_kind(timeline, name)}"):
                    result = seat.act(reply)
                if len(timeline.moments) > before:
                    self._note_acts(timeline.moments[before:])
                if len(timeline.moments) > before and "refused" not in result:
                    return True
                if "refused" not in result and not must:  # it only made a statement
                    table.passed[name] = state.seq
                    return False
                if timeline.state is not state:
                    return False
            why = str(result.get("why", "It only made a statement"))
        table.trouble[name] = say(
            "machine-failed",
            "{player}’s machine ({kind}) has given no valid answer. {why}",
            player=name,
            kind=machine_kind(timeline, name),
            why=full_sentence(why),
        )
        self._note_change()
        return False

    def _note_acts(self, moments: list[Moment]) -> None:
        """Note what a machine did; what it did while people watched belongs to no cell."""
        table, events = self._table, events_in(moments)
        table.acts.update((event.seq, event) for event in events if _is_act(event))
        if not CELL_WATCH.is_in_cell:
            CELL_WATCH.note_press(self._timeline, events)

    def answer(self) -> None:
        """Let the machines answer in this cell what has happened, until a person has something to decide.

        If the cell runs again and does the same as before, they answer as before. If only machines play, nothing
        happens: `nb.play` and a panel let them play on their own.
        """
        table, timeline = self._table, self._timeline
        if CURRENT_HAND.get()[0] or timeline.past or table.thinking == get_ident():
            return
        start = timeline.state.seq
        while (event := CELL_WATCH.repeated_event(timeline)) is not None and is_machine_act(timeline, event):
            timeline.repeat_event(event)
        troubled, told = set(table.trouble), list[str]()
        people = [name for name in timeline.state.present_names if name not in table.players]
        if not CELL_WATCH.is_repeating(timeline) and people and not table.held:
            for _ in range(MOST_ANSWERS):
                if not self.step():
                    break
            else:
                told.append(
                    say(
                        "machines-go-on", "The machines are not done yet. To let them go on, run game.machines.go_on()."
                    )
                )
        if not people and self.is_due and self._last_player not in table.players:
            told.append(
                say(
                    "only-machines-left",
                    "Only machines play now. To let them play, run nb.play(game, game.machines) or game.panel().",
                )
            )
        told[:0] = [full_sentence(text) for text in self._game.latest(MOST_LINES, since=start)]
        for name in [name for name in table.trouble if name not in troubled]:
            told.append(table.trouble[name])
            told.append(
                say(
                    "machine-ways-out",
                    "To ask it again, run game.machines.go_on(). To play for {player} yourself, run "
                    "del game.machines[{player!r}].",
                    player=name,
                )
            )
        for line in told:
            CELL_WATCH.print_message(line)

    @property
    def _last_player(self) -> str | None:
        """The player of the last act; None if the host acted last, or nobody yet."""
        return next((event.actor for event in self._timeline.events_backwards() if event.is_action), None)

    def __str__(self) -> str:
        table = self._table
        lines = [f"{name}: {kind_of(player)}" for name, player in table.players.items()]
        lines += [str(why) for why in table.trouble.values()]
        lines += ["They are paused. To let them play, run game.machines.go_on()."] if table.held else []
        return "\n".join(lines) or "no machines"

    __repr__ = __str__


explain_all_argument_errors(Machines)


def _check_seconds(name: str, seconds: float, most: float, least: float = 0) -> float:
    """Return a number of seconds if it is from `least` to `most`; else raise TypeError or ValueError."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise WrongArgument(
            say("seconds-not-a-number", "{name} must be a number of seconds, not {found!r}", name=name, found=seconds)
        )
    if not least <= seconds <= most:
        raise WrongValue(
            say(
                "seconds-out-of-range",
                "{name} must be from {least:g} to {most:g} seconds; you gave {found:g}",
                name=name,
                least=least,
                most=most,
                found=seconds,
            )
        )
    return seconds
