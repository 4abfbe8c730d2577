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
from dataclasses import dataclass, field
from typing import Any

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.declarations import ACTIONS, HOST, no_action
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.subjects.speech import Unheard
from nomic_nb.engine.threads import Lock, later, local
from nomic_nb.engine.words import full_sentence
from nomic_nb.notebook.live.base import BaseGame
from nomic_nb.notebook.live.cells import WATCH, by_hand
from nomic_nb.notebook.panels import inputs, queries
from nomic_nb.notebook.panels.forms import RECORDED, Json, at_any_time
from nomic_nb.notebook.panels.queries import ASKED, hosted, is_hosts
from nomic_nb.notebook.panels.view_model import Picture, Pictures
from nomic_nb.notebook.store.kept import Kept
from nomic_nb.study.review.remarks import LOOKING, known_remarks, remarks_on

# ------------------------------------------------------------------------------------------------ a view of a game


@dataclass(eq=False)
class Viewer:
    """A view that is open.

    Parameters
    ----------
    send : callable
        Takes a message to it; returns at once, and can be called in any thread.
    hand : str
        By which it acts, its kind first (``panel``, ``seat``): stays the same when a page is loaded again.
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
    #: Told after each picture: the step, and what is to be decided here first.
    told: Callable[[int, str], None] | None = None


def difference(old: Mapping[str, Any], new: Mapping[str, Any], at: tuple[str, ...] = ()) -> Iterator[list[Any]]:
    """Yield the changes from one picture to the next: ``[path, value]`` to put, ``[path]`` to take away.

    They are short where mappings have stable keys; what is the same object is not looked at.

    Examples
    --------
    >>> list(difference({"a": {"x": 1, "y": 2}}, {"a": {"x": 3}}))
    [[['a', 'y']], [['a', 'x'], 3]]
    """
    yield from ([[*at, key]] for key in old if key not in new)
    for key, value in new.items():
        if key not in old:
            yield [[*at, key], value]
            continue
        was = old[key]
        if was is value or was == value:
            continue
        if isinstance(was, dict) and isinstance(value, dict) and was and value:
            yield from difference(was, value, (*at, key))
        else:
            yield [[*at, key], value]


def compact(message: Json | list[list[Any]]) -> str:
    """Write a message."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)


def listen(timeline: Timeline, hear: Callable[[], None]) -> Callable[[], None]:
    """Let a method hear whenever a table has changed, and return what the table calls; that keeps nothing alive."""
    known = weakref.WeakMethod(hear)

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
#: Messages of one hand that are remembered, so that none is done twice.
REMEMBERED = 200
#: Options of a refusal that are told.
OPTIONS = 12
#: What is wrong with a message, or refused.
REFUSED = (IllegalAction, TypeError, ValueError, LookupError)
GONE = say("decided-meanwhile", "this has been decided in the meantime, or is open no more")
DONE = "this was done already, and is not done again"


class Hub:
    """Keeps all views of a game in step, and does what they ask for.

    Parameters
    ----------
    game : BaseGame
        The game.
    """

    def __init__(self, game: BaseGame) -> None:
        self.game, self.pictures = game, Pictures(game)
        self.viewers: list[Viewer] = []
        self.painted: Picture | None = None
        #: What was done here, for whoever wants it in cells.
        self.clicked: list[Event] = []
        self.done: dict[str, OrderedDict[str, str]] = defaultdict(OrderedDict)
        self._due, self._looking = False, False
        self._flag, self._inside = Lock(), local()
        listen(game.timeline, self.heard)

    def join(self, viewer: Viewer) -> Viewer:
        """Let a view hear of the game; it is sent everything when it says that it is open."""
        with self.game.timeline.lock:
            self.viewers.append(viewer)
            self._tell(viewer, self.pictures.now())
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Let a view hear of nothing more."""
        with self.game.timeline.lock:
            self.viewers = [one for one in self.viewers if one is not viewer]

    # -------------------------------------------------------------------------------------- going out

    def open(self, viewer: Viewer) -> None:
        """Send the whole picture: a view opens, comes back, or has missed something."""
        with self.game.timeline.lock:
            picture = self.pictures.now()
            viewer.table, viewer.mine = picture.table, picture.cut(viewer.seat, viewer.role)
            viewer.step = picture.step
            viewer.send(compact({"view": {"step": viewer.step, "table": viewer.table, "mine": viewer.mine}}))
            self._tell(viewer, picture)
            self._try_out()

    def paint(self, picture: Picture | None = None) -> None:
        """Send each view what is new to it."""
        with self.game.timeline.lock:
            now = picture or self.pictures.now()
            if self.painted is now:
                return
            self.painted = now
            cuts: dict[tuple[str | None, str], Json] = {}
            written: dict[int, str] = {}  # views that saw the same table get the same text
            for viewer in self.viewers:
                if viewer.table is None:
                    self._tell(viewer, now)
                    continue
                seen = id(viewer.table)
                if seen not in written:
                    written[seen] = compact(list(difference(viewer.table, now.table)))
                at = (viewer.seat, viewer.role)
                if at not in cuts:
                    cuts[at] = now.cut(*at)
                own = compact({"diff": {"from": viewer.step, "step": now.step,
                               "mine": list(difference(viewer.mine, cuts[at]))}})  # fmt: skip
                viewer.table, viewer.mine, viewer.step = now.table, cuts[at], now.step
                viewer.send(f'{own[:-2]},"table":{written[seen]}}}}}')
                self._tell(viewer, now)
            self._try_out()

    @staticmethod
    def _tell(viewer: Viewer, picture: Picture) -> None:
        if viewer.told is not None:
            decisions = picture.cut(viewer.seat, viewer.role)["decisions"]
            viewer.told(picture.step, next((sign for sign, one in decisions.items() if one["must"]), ""))

    def heard(self) -> None:
        """Paint soon: the game has changed, by a cell or another view."""
        if getattr(self._inside, "acting", False):
            return  # it paints when it is done
        self._soon()

    def _soon(self) -> None:
        with self._flag:
            if self._due:
                return
            self._due = True
        later(self._paint_now, PAUSE)

    def _paint_now(self) -> None:
        with self._flag:
            self._due = False
        timeline = self.game.timeline
        with timeline.lock:
            if WATCH.rewound(timeline):  # a cell is running again: the game is not as it stands
                self._soon()
            else:
                self.paint()

    def _try_out(self) -> None:
        """Find, when nobody waits, what open proposals set off, and paint it."""
        if self._looking or not self._untried:
            return
        self._looking = True
        later(self._look, LATER)

    @property
    def _untried(self) -> list[Number]:
        state = self.game.timeline.state
        return [one.number for one in state.open_proposals if known_remarks(state, one.number).untried == LOOKING]

    def _look(self) -> None:
        """Try out one proposal after another; states never change, so that whoever acts meanwhile need not wait."""
        lock = self.game.timeline.lock
        try:
            while True:
                with lock:
                    state, untried = self.game.timeline.state, self._untried
                    if not untried:
                        self._looking = False
                        self.paint(self.pictures.again())
                        return
                remarks_on(state, untried[0])
                time.sleep(PAUSE)
        finally:
            self._looking = False

    # -------------------------------------------------------------------------------------- coming in

    def receive(self, viewer: Viewer, text: object) -> None:
        """Take a message of a view. Whatever goes wrong is answered, never raised."""
        id = ""
        try:
            about, message = inputs.message(text)
            id = message.get("id", "")
            if about == "open":
                self.open(viewer)
                return
            if message.get("ask") == queries.LONG:
                viewer.asking = id
                later(lambda: self._review(viewer, message), LATER)
                return
            answer = self._asked(viewer, message) if about == "ask" else self._act(viewer, message)
        except REFUSED as error:
            answer = self._refused(id, error)
        except Exception:
            logging.getLogger(__name__).exception("a message of %s", viewer.hand)
            answer = {"refused": id, "why": "This failed, by a fault of the program; look whether it was done."}
        viewer.send(compact(answer))

    def _act(self, viewer: Viewer, message: Json) -> Json:
        id = message["id"]
        if viewer.role == "wall":
            raise IllegalAction(say("page-only-looks-on", "this page looks on, and does nothing"))
        timeline, done = self.game.timeline, self.done[viewer.hand]
        with timeline.lock:
            if id in done:  # it was done; the answer was lost on the way
                return {"done": id, "said": done[id], "step": timeline.state.seq}
            if WATCH.rewound(timeline):
                raise IllegalAction(
                    say("cell-running-again", "a cell of the notebook is running again just now; try once more")
                )
            before = timeline.state.seq

            def act() -> object:  # as the game stands for all who play in it, also in other processes
                nonlocal before
                before = timeline.state.seq
                keeper = timeline.keeper
                if isinstance(keeper, Kept) and keeper.was_done(viewer.hand, id):  # before this process began
                    return DONE
                return self._do(viewer, message)

            self._inside.acting = True
            try:
                with by_hand(viewer.hand, id):
                    word = timeline.attempt(act)
            except (IllegalAction, LawError) as error:
                if timeline.state.seq == before:
                    raise
                word = str(error)  # it was tried, and the table is asked
            finally:
                self._inside.acting = False
            self.clicked += [event for event, _ in timeline.moments[before:] if event.action]
            done[id] = self._said(before, word)
            while len(done) > REMEMBERED:
                done.popitem(last=False)
            self.paint()
            return {"done": id, "said": done[id], "step": timeline.state.seq}

    def _do(self, viewer: Viewer, message: Json) -> object:
        game, action = self.game, message["action"]
        asked = self._answered(viewer, message) if message.get("key") is not None or not is_hosts(action) else None
        if is_hosts(action) and (asked is None or action == RECORDED):
            if viewer.role != "table":
                raise IllegalAction(
                    say(
                        "only-at-the-panel-of-the-table",
                        "that is done by whoever keeps the record, at the panel of the whole table",
                    )
                )
            return hosted(game, action, message.get("details", {}), self.pictures.now().acts.values())
        player = (asked.player if asked is not None else None) or viewer.seat or message.get("player")
        if viewer.seat is not None and message.get("player", viewer.seat) != viewer.seat:
            raise IllegalAction(say("acts-for-another-seat", "who acts is whoever sits here"))
        if not isinstance(player, str):
            raise IllegalAction(say("nobody-named-who-acts", "say who does it"), options=list(game.state.persons))
        given = message.get("details", {})
        if viewer.seat is not None and "agreed" in given:
            raise IllegalAction(say("agreed-from-a-seat", "from a seat, everybody answers for themselves"))
        if action in HOST:  # among decisions where play waits for it; whoever keeps the record notes it
            game.timeline.host(action, {"who": player})
            return None
        return getattr(game, action)(player, **inputs.details(game, action, given, asked))

    def _answered(self, viewer: Viewer, message: Json) -> Decision | None:
        """Return the decision that is answered; None where something is done freely.

        Raises
        ------
        IllegalAction
            It is open no more, is another seat's, or asks for something else.
        """
        action, key = message["action"], message.get("key")
        if key is None and action in at_any_time():
            return None
        picture = self.pictures.now()
        names = tuple(picture.asked) if viewer.seat is None else (viewer.seat, None)
        for name in names:
            for sign, one in picture.asked.get(name, {}).items():
                if one["key"] == key and one["action"] == action:
                    return picture.open[sign]
        known = action in ACTIONS or is_hosts(action)
        why = GONE if known else no_action(action[:40])
        raise IllegalAction(why, options=[str(one) for one in picture.open.values() if one.player in names])

    def _said(self, before: int, word: object) -> str:
        """Say what has happened since an event."""
        count = self.game.state.seq - before
        new = self.game.latest(count, since=before) if count > 0 else []
        text = "; ".join(new[:1] + (["…"] if len(new) > 4 else []) + new[1:][-3:])
        parts = [full_sentence(text)] if text else []
        parts += [full_sentence(str(word))] if isinstance(word, (str, Unheard)) and str(word) else []
        return " ".join(parts)

    def _refused(self, id: str, error: Exception) -> Json:
        why = full_sentence(str(getattr(error, "message", "")) or str(error))
        made: Json = {"refused": id, "why": why, **queries.coded(error)}
        if isinstance(error, LawError):
            made["law"] = queries.law_error(error)
        if isinstance(error, IllegalAction):
            rule = self.game.timeline.state.rules.numbered(error.rule)
            title = f", “{rule.title}”" if rule is not None and rule.title else ""
            made["rule"] = f"Rule {error.rule}{title}" if error.rule is not None else ""
            left = len(error.options) - OPTIONS
            made["options"] = [*error.options[:OPTIONS], *([f"and {left} more"] if left > 0 else [])]
        return made

    def _asked(self, viewer: Viewer, message: Json) -> Json:
        if message["ask"] in ASKED and viewer.role != "table":
            raise IllegalAction(
                say(
                    "only-told-at-the-panel-of-the-table",
                    "only the panel of the whole table is told that: what is sealed is in it",
                )
            )
        with self.game.timeline.lock:
            return {"answer": message["id"]} | queries.answer(self.game, viewer.seat, message, self.clicked)

    def _review(self, viewer: Viewer, message: Json) -> None:
        """Answer what takes long, one after another, unless something else was asked since; nobody who acts waits."""
        with ONE_REVIEW:
            began = time.monotonic()
            self._reviewed(viewer, message)
            time.sleep(min(MOST_REST, REST * (time.monotonic() - began)))  # which leaves the processor to all tables

    def _reviewed(self, viewer: Viewer, message: Json) -> None:
        timeline = self.game.timeline
        with timeline.lock:
            if viewer.asking != message["id"] or viewer not in self.viewers or WATCH.rewound(timeline):
                return
            as_it_stands = timeline.copy(timeline.moments, past=True)
        try:
            answer = {"answer": message["id"]} | queries.review(as_it_stands, viewer.seat, message)
        except REFUSED as error:
            answer = self._refused(message["id"], error)
        if viewer.asking == message["id"]:
            viewer.send(compact(answer))


_HUBS: weakref.WeakKeyDictionary[Timeline, weakref.ref[Hub]] = weakref.WeakKeyDictionary()


def hub_of(game: BaseGame) -> Hub:
    """Return the hub of a game: one for all its views, as long as there are any."""
    with game.timeline.lock:
        known = _HUBS.get(game.timeline)
        hub = known() if known is not None else None
        if hub is None:
            hub = Hub(game)
            _HUBS[game.timeline] = weakref.ref(hub)
        return hub
