"""One game, many views: the one place where acts come in, and from which views go out.

A view is a page or a widget. It says which decision it answers; who acts comes from its seat, never from the
message. Acting and making the picture happen under the game's lock; what goes out is put into a view's own queue.
"""

from __future__ import annotations

import json
import logging
import time
import weakref
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.declarations import ACTIONS, HOST_ACTIONS, unknown_action_message
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.threads import Lock, in_browser, local, start_timer
from nomic_nb.engine.words import full_sentence
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.cells import CELL_WATCH, acting_as
from nomic_nb.notebook.live.machines import Machines, machines_of
from nomic_nb.notebook.live.next_step import find_next_step
from nomic_nb.notebook.panels import forms, queries
from nomic_nb.notebook.panels.forms import RECORDED_FIELD, Json
from nomic_nb.notebook.panels.queries import (
    HOST_QUERIES,
    MACHINE_ACTIONS,
    NEXT,
    do_host_action,
    do_machine_action,
    is_host_action,
)
from nomic_nb.notebook.panels.seat import Seat
from nomic_nb.notebook.panels.view_model import ViewModel, ViewModels
from nomic_nb.notebook.store.game_store import KeptGame
from nomic_nb.study.players.asked import actions_at_any_time
from nomic_nb.study.review.remarks import STILL_LOOKING, is_searched, known_remarks, remarks_on, remember_search
from nomic_nb.study.search.opened import search_apart
from nomic_nb.study.views.unheard import UnheardReply

# ------------------------------------------------------------------------------------------------ a view of a game


@dataclass(eq=False)
class PanelViewer:
    """A view that is open.

    Parameters
    ----------
    send : callable
        Takes a message to it; returns at once, and can be called in any thread.
    hand : str
        The hand that acts, its kind first (``panel``, ``seat``): stays the same when a page is loaded again.
    seat : str or None
        Who sits there; None where all sit before it, or nobody does.
    role : str
        ``player``, ``table`` (all players decide there) or ``wall`` (which looks on).
    """

    send: Callable[[str], None]
    hand: str
    seat: str | None
    role: str
    table: Json | None = None
    mine: Json = field(default_factory=dict)
    step: int = -1
    #: The question whose answer takes longest; an earlier one is not answered any more.
    asking: str = ""
    #: Called after each picture with the step and the first decision here.
    told: Callable[[int, str], None] | None = None


def diff_views(old: Mapping[str, Any], new: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[list[Any]]:
    """Yield the edits between views, ``[path, value]`` to set, ``[path]`` to delete; each path begins with `path`.

    They are short where mappings have stable keys; what is the same object is not looked at.

    Examples
    --------
    >>> list(diff_views({"a": {"x": 1, "y": 2}}, {"a": {"x": 3}}))
    [[['a', 'y']], [['a', 'x'], 3]]
    """
    yield from ([[*path, key]] for key in old if key not in new)
    for key, value in new.items():
        if key not in old:
            yield [[*path, key], value]
            continue
        was = old[key]
        if was is value or was == value:
            continue
        if isinstance(was, dict) and isinstance(value, dict) and was and value:
            yield from diff_views(was, value, (*path, key))
        else:
            yield [[*path, key], value]


def compact_json(message: Json | list[list[Any]]) -> str:
    """Return a message as JSON text without spaces between its parts."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)


def call_on_change(timeline: Timeline, callback: Callable[[], None]) -> Callable[[], None]:
    """Call `callback`, a bound method, at each change of a game while its object lives; return the added listener."""
    known = weakref.WeakMethod(callback)

    def ear() -> None:
        if (method := known()) is not None:
            method()

    timeline.listeners.append(ear)
    return ear


# -------------------------------------------------------------------------------------------------------- one game


#: Seconds between two paintings at least, while a cell plays; and until what a proposal sets off is tried.
PAUSE, LATER = 0.02, 0.05
#: Reviews of all tables are made one at a time; after each, a pause of so many times as long, and of at most so many
#: seconds.
ONE_REVIEW, REST, MOST_REST = Lock(), 2, 1.0


@contextmanager
def review_in_turn() -> Iterator[None]:
    """Do the block once no other review is running, then rest, which leaves the processor to other threads."""
    with ONE_REVIEW:
        began = time.monotonic()
        yield
        if not in_browser():  # where all that would rest is the page
            time.sleep(min(MOST_REST, REST * (time.monotonic() - began)))


#: Seconds until loopholes are looked for that an open proposal makes, and of processor time for that at most.
SEARCH_AFTER, SEARCH_SECONDS = 2.0, 8.0
#: One search at a time for all games.
ONE_SEARCH = Lock()
#: Messages of one hand that are remembered, so none is done twice.
MOST_ACTS_REMEMBERED = 200
#: Most options that a refusal shows.
MOST_OPTIONS_SENT = 12
#: Errors of a message, and refusals.
REFUSAL_ERRORS = (IllegalAction, TypeError, ValueError, LookupError)
ALREADY_DECIDED = say("decided-meanwhile", "this has been decided in the meantime, or is no longer open")
CELL_RERUNNING = say("cell-running-again", "a notebook cell is being rerun right now. Try again in a moment")
ANOTHER_SEAT = say("acts-for-another-seat", "here you can act only for yourself")
ALREADY_DONE = "this has already been done, so it was not done again"


#: The hubs that games have, each for all who look at the game.
_HUBS: weakref.WeakKeyDictionary[Timeline, weakref.ref[PanelHub]] = weakref.WeakKeyDictionary()


class PanelHub:
    """Keeps all views of a game in step, and does what they ask for.

    Parameters
    ----------
    game : BaseGame
        The game.
    """

    def __init__(self, game: BaseGame) -> None:
        self.viewers: list[PanelViewer] = []
        #: Called when something may look different: by programs, which are sent no pictures.
        self.watchers: list[Callable[[], None]] = []
        #: Whether the game was begun here, with the names of the one before, and what to call when the next one begins.
        self.again = False
        self.on_next_game: Callable[[], None] = lambda: None
        self.done: dict[str, OrderedDict[str, str]] = defaultdict(OrderedDict)
        self._due, self._looking, self._machine_due, self._searching = False, False, False, False
        self._flag, self._inside = Lock(), local()
        self._take_game(game)

    def _take_game(self, game: BaseGame) -> None:
        """Show a game from now on, and follow it."""
        self.game, self.pictures = game, ViewModels(game)
        self.machines = Machines(game, partial(Seat, game))
        self.painted: ViewModel | None = None
        self._ear = call_on_change(game.timeline, self.on_game_changed)

    def show_latest_game(self) -> None:
        """Go on to the last of the games that were begun with the same names, as in a file that is served again."""
        with self.game.timeline.lock:
            while self.game.state.over and self.game._has_next_game:
                self._show_next_game()

    def _show_next_game(self) -> None:
        """Have all viewers follow to the game that was begun with the same names; its lock is taken, too."""
        with acting_as("panel"):  # machines answer there at a pace that people can follow
            before, following = self.game.timeline, self.game.play_again()
        with following.timeline.lock:
            before.listeners.remove(self._ear)
            _HUBS.pop(before, None)
            known = _HUBS.get(following.timeline)
            if known is None or known() is None:  # else a cell has shown it already; both hubs follow it
                _HUBS[following.timeline] = weakref.ref(self)
            self.again = True
            self._take_game(following)
            self.on_next_game()
            self.tell_watchers()
            for viewer in self.viewers:
                if viewer.table is not None:  # it is open
                    self.send_whole_view(viewer)
        self.let_machine_play_soon()

    def add_viewer(self, viewer: PanelViewer) -> PanelViewer:
        """Add a viewer to the game and return it; it is sent the whole view once it says that it is open."""
        with self.game.timeline.lock:
            self.viewers.append(viewer)
            self._report_to_viewer(viewer, self.pictures.current_view())
        self.let_machine_play_soon()
        return viewer

    def remove_viewer(self, viewer: PanelViewer) -> None:
        """Remove a viewer from the game, so it is sent no more changes."""
        with self.game.timeline.lock:
            self.viewers = [panel_viewer for panel_viewer in self.viewers if panel_viewer is not viewer]

    # -------------------------------------------------------------------------------------- going out

    def tell_watchers(self) -> None:
        """Tell programs that something may look different."""
        for watch in tuple(self.watchers):
            watch()

    def send_whole_view(self, viewer: PanelViewer) -> None:
        """Send the whole view to a viewer that opens, comes back or missed something."""
        with self.game.timeline.lock:
            view = self.pictures.current_view()
            viewer.table, viewer.mine = view.table, view.view_for_seat(viewer.seat, viewer.role)
            viewer.step = view.step
            viewer.send(compact_json({"view": {"step": viewer.step, "table": viewer.table, "mine": viewer.mine}}))
            self._report_to_viewer(viewer, view)
            self._start_trials()

    def send_changes(self, view: ViewModel | None = None) -> None:
        """Send each viewer what has changed in its view; `view` is the present one, if it is made already."""
        self.tell_watchers()
        with self.game.timeline.lock:
            if not self.viewers:
                return
            now = view or self.pictures.current_view()
            if self.painted is now:
                return
            self.painted = now
            cuts: dict[tuple[str | None, str], Json] = {}
            written: dict[int, str] = {}  # views that saw the same table get the same text
            for viewer in self.viewers:
                if viewer.table is None:
                    self._report_to_viewer(viewer, now)
                    continue
                seen = id(viewer.table)
                if seen not in written:
                    written[seen] = compact_json(list(diff_views(viewer.table, now.table)))
                at = (viewer.seat, viewer.role)
                if at not in cuts:
                    cuts[at] = now.view_for_seat(*at)
                own = compact_json({"diff": {"from": viewer.step, "step": now.step,
                               "mine": list(diff_views(viewer.mine, cuts[at]))}})  # fmt: skip
                viewer.table, viewer.mine, viewer.step = now.table, cuts[at], now.step
                viewer.send(f'{own[:-2]},"table":{written[seen]}}}}}')
                self._report_to_viewer(viewer, now)
            self._start_trials()

    @staticmethod
    def _report_to_viewer(viewer: PanelViewer, view: ViewModel) -> None:
        """Call a viewer's `told` with the last event's number and the id of the first decision that it must make."""
        if viewer.told is not None:
            decisions = view.view_for_seat(viewer.seat, viewer.role)["decisions"]
            viewer.told(view.step, next((sign for sign, decision in decisions.items() if decision["must"]), ""))

    def on_game_changed(self) -> None:
        """Schedule an update of all viewers, unless the game was changed by an action done in this hub."""
        self.let_machine_play_soon()
        if getattr(self._inside, "acting", False):
            return  # it paints when it is done
        self._send_changes_later()

    @property
    def _is_watched(self) -> bool:
        """Whether a page, a panel or a program looks on."""
        return bool(self.viewers or self.watchers)

    def let_machine_play_soon(self) -> None:
        """Have a machine answer after a pause while somebody looks on, unless one is to do so already."""
        if not (self._is_watched and machines_of(self.game._timeline).players):
            return
        with self._flag:
            if self._machine_due:
                return
            self._machine_due = True
        start_timer(self._let_machine_play, 0 if machines_of(self.game._timeline).step else self.machines.pause)

    def _let_machine_play(self) -> None:
        """Let a machine answer, if one has something to answer and does not wait; then the next one after a pause."""
        machines, rewound = self.machines, CELL_WATCH.is_rewound(self.game._timeline)
        try:
            if (
                (self.viewers or self.watchers)
                and not rewound
                and (not machines.held or machines_of(self.game._timeline).step)
            ):
                machines.step()
        except Exception:
            logging.getLogger(__name__).exception("a machine")
            machines.hold()
        finally:
            with self._flag:
                self._machine_due = False
        if rewound or machines.is_due:
            self.let_machine_play_soon()

    def _send_changes_later(self) -> None:
        """Schedule an update of all viewers, unless one is scheduled already."""
        with self._flag:
            if self._due:
                return
            self._due = True
        start_timer(self._send_changes_now, PAUSE)

    def _send_changes_now(self) -> None:
        """Send all viewers their changes; try again later while a cell runs again and the game is rewound."""
        with self._flag:
            self._due = False
        timeline = self.game.timeline
        with timeline.lock:
            if CELL_WATCH.is_rewound(timeline):  # a cell is running again: the game is not as it is now
                self._send_changes_later()
            else:
                self.send_changes()

    def _start_trials(self) -> None:
        """Start trying out open proposals in the background, to find remarks for viewers; not twice at once."""
        if not self._looking and self._untried_proposals:
            self._looking = True
            start_timer(self._run_trials, LATER)
        self._start_search()

    @property
    def _untried_proposals(self) -> list[Number]:
        """The numbers of the open proposals that have not been tried out yet."""
        state = self.game.timeline.state
        return [
            proposal.number
            for proposal in state.open_proposals
            if known_remarks(state, proposal.number).untried == STILL_LOOKING
        ]

    def _run_trials(self) -> None:
        """Try out an open proposal without locking the game, then the next; at last, send viewers the remarks found."""
        goes_on = False
        try:
            with self.game.timeline.lock:
                state, untried = self.game.timeline.state, self._untried_proposals
                if not untried:
                    self._looking = False
                    self.send_changes(self.pictures.rebuild_view())
                    return
            remarks_on(state, untried[0])
            start_timer(self._run_trials, PAUSE)
            goes_on = True
        finally:
            self._looking = self._looking and goes_on

    def _start_search(self) -> None:
        """Start looking for loopholes in the background, unless a search is running; a browser has one process."""
        trial = self.game.timeline.on_trial  # has no record
        if not (self._searching or in_browser() or trial or self._unsearched_proposal is None):
            self._searching = True
            start_timer(self._run_search, SEARCH_AFTER)

    @property
    def _unsearched_proposal(self) -> Number | None:
        """The number of the first open proposal for which no search has looked for loopholes, or None."""
        state = self.game.timeline.state
        numbers = (proposal.number for proposal in state.open_proposals)
        return next((number for number in numbers if not is_searched(state, number)), None)

    def _run_search(self) -> None:
        """Look for loopholes that an open proposal makes, in a separate process, and tell viewers."""
        try:
            with self.game.timeline.lock:
                timeline, number = self.game.timeline, self._unsearched_proposal
                if number is None or not self.viewers or CELL_WATCH.is_rewound(timeline):
                    return
                state, before = timeline.state, timeline.copy_with_events(timeline.moments, past=True)
            proposal = state.proposals[number]

            def stop() -> bool:
                now = self.game.timeline.state
                form = now.proposals.get(number)  # gone if its act was taken back
                same = form is not None and form.is_open and form.change == proposal.change
                return not (self.viewers and now.law is state.law and same)

            with ONE_SEARCH:
                found = None if stop() else search_apart(before, number, SEARCH_SECONDS, stop)
            with self.game.timeline.lock:
                if found is not None and not stop():
                    remember_search(self.game.timeline.state, number, found.signs, found.bounds)
                    self.send_changes(self.pictures.rebuild_view())
        finally:
            self._searching = False
        with self.game.timeline.lock:
            if self.viewers:
                self._start_trials()

    # -------------------------------------------------------------------------------------- coming in

    def receive(self, viewer: PanelViewer, text: object) -> None:
        """Handle a viewer's message and send it the answer; errors are sent too, never raised."""
        id = ""
        try:
            about, message = forms.read_message(text)
            id = message.get("id", "")
            if about == "open":
                self.send_whole_view(viewer)
                return
            if about == "class":
                raise IllegalAction("class-not-served", "only the pages of a served table have this")
            if message.get("ask") in queries.LONG_QUERIES:
                viewer.asking = id
                start_timer(lambda: self._run_review_in_turn(viewer, message), LATER)
                return
            answer = self._handle_query(viewer, message) if about == "ask" else self._handle_action(viewer, message)
        except REFUSAL_ERRORS as error:
            answer = self._refusal_data(id, error)
        except Exception:
            logging.getLogger(__name__).exception("a message of %s", viewer.hand)
            answer = {"refused": id, "why": "Something went wrong in the program. Check whether this was done."}
        viewer.send(compact_json(answer))

    def _handle_action(self, viewer: PanelViewer, message: Json) -> Json:
        """Do the action that a message asks for, and return the answer to send."""
        if viewer.role == "wall":
            raise IllegalAction("page-only-looks-on", "this page is only for watching")
        then = self._show_next_game if message["action"] == "again" else self.send_changes
        return self.act_once(viewer.hand, message["id"], lambda: self._do_action(viewer, message), then)

    def act_once(self, hand: str, id: str, work: Callable[[], object], then: Callable[[], None]) -> Json:
        """Do something by a hand, then something else; once for each message id. Return the answer to send.

        Raises
        ------
        IllegalAction, LawError
            It is refused, and nothing happened.
        """
        timeline, done = self.game.timeline, self.done[hand]
        with timeline.lock:
            if id in done:  # it was done; the answer was lost on the way
                return {"done": id, "said": done[id], "step": timeline.state.seq}
            if timeline is not self.game.timeline:  # the table has continued to another game
                raise IllegalAction(ALREADY_DECIDED)
            if CELL_WATCH.is_rewound(timeline):
                raise IllegalAction(CELL_RERUNNING)
            before = timeline.state.seq

            def act() -> object:  # in the state that all players see, even in other processes
                nonlocal before
                before = timeline.state.seq
                keeper = timeline.keeper
                if isinstance(keeper, KeptGame) and keeper.is_message_done(hand, id):  # before this process began
                    return ALREADY_DONE
                return work()

            self._inside.acting = True
            try:
                with acting_as(hand, id):
                    word = timeline.attempt(act)
            except (IllegalAction, LawError) as error:
                if timeline.state.seq == before:
                    raise
                word = str(error)  # it was tried, and the table is asked
            finally:
                self._inside.acting = False
            CELL_WATCH.note_press(timeline, [event for event, _ in timeline.moments[before:]])
            done[id] = self._summarise_since(before, word)
            while len(done) > MOST_ACTS_REMEMBERED:
                done.popitem(last=False)
            then()
            return {"done": id, "said": done[id], "step": timeline.state.seq}

    def _do_action(self, viewer: PanelViewer, message: Json) -> object:
        """Do a message's action, if the viewer's seat or role allows it, and return what the action returned."""
        game, action = self.game, message["action"]
        if action == NEXT:
            self._do_next_step(viewer, message)
            return None
        asked = (
            self._find_answered_decision(viewer, message)
            if message.get("key") is not None or not is_host_action(action)
            else None
        )
        if is_host_action(action) and (asked is None or action == RECORDED_FIELD):
            own = action == "machine" and message.get("details") == {"who": viewer.seat, "kind": ""}
            if viewer.role != "table" and not own:
                raise IllegalAction(
                    "only-at-the-panel-of-the-table", "only the host can do this, on the panel for the whole table"
                )
            details = message.get("details", {})
            if action in MACHINE_ACTIONS:
                return do_machine_action(self.machines, action, details)
            return do_host_action(game, action, details, self.pictures.current_view().acts.values())
        player = (asked.player if asked is not None else None) or viewer.seat or message.get("player")
        if viewer.seat is not None and message.get("player", viewer.seat) != viewer.seat:
            raise IllegalAction(ANOTHER_SEAT)
        if not isinstance(player, str):
            raise IllegalAction("nobody-named-who-acts", "say who is doing this", options=list(game.state.person_names))
        given = message.get("details", {})
        if viewer.seat is not None and "agreed" in given:
            raise IllegalAction("agreed-from-a-seat", "here you can answer only for yourself")
        if action in HOST_ACTIONS:  # among decisions where play waits for it; the host notes it
            game.timeline.do_as_host(action, {"who": player})
            return None
        return getattr(game, action)(player, **forms.read_details(game, action, given, asked))

    def _do_next_step(self, viewer: PanelViewer, message: Json) -> None:
        """Do what the game needs next, if it is still what the message shows and the viewer may do it."""
        step = find_next_step(self.game)
        if step is None or step.python() != message.get("details", {}).get("line"):
            raise IllegalAction(ALREADY_DECIDED)
        if viewer.seat not in (None, step.player):
            raise IllegalAction(ANOTHER_SEAT)
        step.perform(self.game)

    def _find_answered_decision(self, viewer: PanelViewer, message: Json) -> Decision | None:
        """Return the decision that a message answers; None if its action does not need an open decision.

        Raises
        ------
        IllegalAction
            It is open no more, is another seat's, or asks for something else.
        """
        action, key = message["action"], message.get("key")
        if key is None and action in actions_at_any_time():
            return None
        picture = self.pictures.current_view()
        names = tuple(picture.asked) if viewer.seat is None else (viewer.seat, None)
        for name in names:
            for sign, decision_data in picture.asked.get(name, {}).items():
                if decision_data["key"] == key and decision_data["action"] == action:
                    return picture.open[sign]
        known = action in ACTIONS or is_host_action(action)
        why = ALREADY_DECIDED if known else unknown_action_message(action[:40])
        raise IllegalAction(
            why, options=[str(decision) for decision in picture.open.values() if decision.player in names]
        )

    def _summarise_since(self, before: int, result: object) -> str:
        """Return sentences on what happened after event `before`, with the action's result if it is a text."""
        count = self.game.state.seq - before
        new = self.game.latest(count, since=before) if count > 0 else []
        text = "; ".join(new[:1] + (["…"] if len(new) > 4 else []) + new[1:][-3:])
        parts = [full_sentence(text)] if text else []
        parts += [full_sentence(str(result))] if isinstance(result, (str, UnheardReply)) and str(result) else []
        return " ".join(parts)

    def _refusal_data(self, message_id: str, error: Exception) -> Json:
        """Return the answer that a message was refused, as JSON data: reason, rule and options instead."""
        why = full_sentence(str(getattr(error, "message", "")) or str(error))
        refusal: Json = {"refused": message_id, "why": why, **queries.error_code_data(error)}
        if isinstance(error, LawError):
            refusal["law"] = queries.law_error_data(error)
        if isinstance(error, IllegalAction):
            refusal |= queries.evidence_data(error)
            rule = self.game.timeline.state.rules.rule_numbered(error.rule)
            title = f", “{rule.title}”" if rule is not None and rule.title else ""
            refusal["rule"] = f"Rule {error.rule}{title}" if error.rule is not None else ""
            left = len(error.options) - MOST_OPTIONS_SENT
            refusal["options"] = [*error.options[:MOST_OPTIONS_SENT], *([f"and {left} more"] if left > 0 else [])]
        return refusal

    def _handle_query(self, viewer: PanelViewer, message: Json) -> Json:
        """Return the answer to a query; raise IllegalAction if it is only for the panel of all players."""
        if message["ask"] in HOST_QUERIES and viewer.role != "table":
            raise IllegalAction(
                "only-told-at-the-panel-of-the-table",
                "only the panel for the whole table shows this, because it includes secrets that are still sealed",
            )
        with self.game.timeline.lock:
            return {"answer": message["id"]} | queries.answer_query(self.game, viewer.seat, message, again=self.again)

    def _run_review_in_turn(self, viewer: PanelViewer, message: Json) -> None:
        """Run the review that a message asks for once no other is running, then rest to spare the processor."""
        with review_in_turn():
            self._run_review(viewer, message)

    def _run_review(self, viewer: PanelViewer, message: Json) -> None:
        """Send a viewer the review that a message asks for, unless the viewer has asked for another since."""
        timeline = self.game.timeline
        with timeline.lock:
            if viewer.asking != message["id"] or viewer not in self.viewers or CELL_WATCH.is_rewound(timeline):
                return
            as_it_stands = timeline.copy_with_events(timeline.moments, past=True)
        try:
            answer = {"answer": message["id"]} | queries.long_query(as_it_stands, viewer.seat, message)
        except REFUSAL_ERRORS as error:
            answer = self._refusal_data(message["id"], error)
        if viewer.asking == message["id"]:
            viewer.send(compact_json(answer))


def hub_of_game(game: BaseGame) -> PanelHub:
    """Return the hub that all viewers of a game share; one is made if none exists."""
    with game.timeline.lock:
        known = _HUBS.get(game.timeline)
        hub = known() if known is not None else None
        if hub is None:
            hub = PanelHub(game)
            _HUBS[game.timeline] = weakref.ref(hub)
        return hub
