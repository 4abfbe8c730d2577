"""What players do beside the game: drafts, statements, reasons for ballots, reminders, a bell, who is connected.

None of it is an act: it changes no state and is in no record. A draft becomes an act when a player proposes it in their
turn, and a bell that rings changes nothing by itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.changes import Change, change_from_json
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.words import full_sentence
from nomic_nb.notebook.classroom.keeping import Keeper, Rows
from nomic_nb.notebook.classroom.links import DESK, WALL, Seat
from nomic_nb.notebook.panels.forms import Json, read_change_data, read_message
from nomic_nb.notebook.panels.queries import error_code_data
from nomic_nb.notebook.panels.session import PanelHub, compact_json, diff_views
from nomic_nb.notebook.panels.ways_out import about_decision
from nomic_nb.notebook.store.game_store import KeptGame
from nomic_nb.study.players.statements import Statement, all_statements, keep_statement, read_statement, statements_for

#: Drafts that a player can keep, and that a table can share; letters of a line that names a draft.
MOST_DRAFTS, MOST_SHARED, LONGEST_HEADLINE = 5, 120, 90
#: Seconds that a bell can take, and between two views.
SHORTEST_RING, LONGEST_RING, PAUSE = 5, 1800, 0.05
#: Seconds after which the host is told that a phone is gone.
GONE = 60.0
#: Messages of a seat that are remembered, so none is done twice.
MOST_REMEMBERED = 50
REFUSALS = (IllegalAction, LawError, TypeError, ValueError, LookupError)


@dataclass
class Draft:
    """A change that a player has written, and who seconds it; `used` is the proposal that was made of it."""

    by: str
    change: Json
    headline: str
    shared: bool = False
    seconds: set[str] = field(default_factory=set)
    used: str = ""


@dataclass
class _Reader:
    """A page that is sent views of the aside: its seat, and what it was sent last."""

    seat: Seat
    send: Callable[[str], None]
    seen: Json | None = None


class Aside:
    """What happens beside the game of a table. All of it is done in the thread of the server.

    Parameters
    ----------
    hub : PanelHub
        The hub of the game.
    """

    def __init__(self, hub: PanelHub) -> None:
        self.hub, self.count = hub, 0
        self.bell: Json = {}
        self._rings_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        #: What play waited for when the bell was set, or when it rang if it was set at all tables.
        self._rings_for: set[tuple[int, str]] = set()
        self._readers: dict[object, _Reader] = {}
        self._done: dict[str | None, dict[str, str]] = {}
        self._is_due = False
        #: When the phones of players went that are not connected any more.
        self._gone_since: dict[str, float] = {}
        #: Told when the bell is set or rings.
        self.on_bell: Callable[[], None] = lambda: None
        #: Links of seats on a computer that is passed round: no phone is gone when they close.
        self._passed: set[str] = set()
        #: Makes the secret link of a player's seat.
        self.link_of_seat: Callable[[str], str] = str
        self._begin(hub.game.timeline)

    def _begin(self, timeline: Timeline) -> None:
        """Begin as another game begins at the table: with what its file has beside it, or with nothing."""
        self._timeline = timeline
        self.drafts: dict[int, Draft] = {}
        #: Signs of the decisions, by player, and the turn.
        self.reminded: dict[str, list[str]] = {}
        self._reminded_in = 0
        self._take_keeper(timeline)
        self.keeper.restore(self._restore_row)
        self.count = max([self.count, *self.drafts])

    def _take_keeper(self, timeline: Timeline) -> None:
        """Keep all this beside the game, if that is kept in a file."""
        kept = timeline.keeper
        store, game = (kept.store, kept.game) if isinstance(kept, KeptGame) else (None, "")
        self.keeper = Keeper(store, game, self._rows)

    def _notice_new_game(self) -> None:
        """Forget the drafts of the game before, if the table plays another one."""
        if (timeline := self.hub.game.timeline) is not self._timeline:
            self._begin(timeline)
        elif self.keeper.store is None and timeline.keeper is not None:
            self._take_keeper(timeline)

    def _rows(self) -> Rows:
        """Return what is to be kept: drafts, reasons, and what pages have asked for, which is not done twice."""
        drafts = {
            ("draft", str(number)): vars(draft) | {"seconds": sorted(draft.seconds)}
            for number, draft in self.drafts.items()
        }
        said = {
            ("said", f"{one.proposal}/{one.by}/{one.ballot is None}"): vars(one) | {"change": one.change.to_json()}
            for one in all_statements(self._timeline)
        }
        return drafts | said | {("done", player or ""): dict(done) for player, done in self._done.items()}

    def _restore_row(self, kind: str, name: str, body: Any) -> None:
        """Take up what was kept."""
        if kind == "draft":
            read_change_data(body["change"])
            self.drafts[int(name)] = Draft(**{**body, "seconds": set(body["seconds"])})
        elif kind == "said":
            keep_statement(self._timeline, Statement(**{**body, "change": change_from_json(body["change"])}))
        else:
            self._done[name or None] = dict(body)

    # ------------------------------------------------------------------------------------------ coming in

    def answer(self, seat: Seat, text: str) -> str:
        """Do what a page's message asks for, and return the answer to send it."""
        id = ""
        try:
            _, message = read_message(text)
            id, done = message["id"], self._done.setdefault(seat.player, {})
            if message["class"] == "seat":  # its secret link is neither kept nor shown as a message
                return compact_json(
                    {"done": id, "said": "", "link": self._do(seat, "seat", message.get("details", {}))}
                )
            if id not in done:  # otherwise the answer was lost on the way
                done[id] = self._do(seat, message["class"], message.get("details", {}))
                if len(done) > MOST_REMEMBERED:
                    del done[next(iter(done))]
            return compact_json({"done": id, "said": done[id]})
        except REFUSALS as error:
            why = full_sentence(str(getattr(error, "message", "") or error))
            return compact_json({"refused": id, "why": why, **error_code_data(error)})

    def _do(self, seat: Seat, what: str, details: Json) -> str:
        """Do something, if it can be done from this seat; return a sentence on it, or an empty text."""
        self._notice_new_game()
        work, is_for_host = WORK.get(what, (None, False))
        is_player = seat.player is not None and seat.player in self.hub.game.state.person_names
        if work is None or not (seat.role == DESK if is_for_host else is_player):
            raise IllegalAction("aside-not-from-here", "that can’t be done from this page")
        said = work(self, details) if is_for_host else work(self, seat.player, details)
        self.update_soon()
        return str(said)

    def write_draft(self, player: str, details: Json) -> str:
        """Write a new draft, or change one, which takes its seconds away."""
        change, number = details.get("change"), details.get("number")
        read = read_change_data(change)  # as strictly as a proposal; whether it can be proposed, the law says then
        change = dict(change or {})
        headline = (read.title or read.headline) if isinstance(read, Change) else str(read)
        headline = " ".join(headline.split())[:LONGEST_HEADLINE]
        if number is not None:
            draft = self._own_draft(player, number)
            draft.change, draft.headline, draft.seconds = change, headline, set()
            return "The draft is saved."
        if sum(draft.by == player and not draft.used for draft in self.drafts.values()) >= MOST_DRAFTS:
            raise IllegalAction("too-many-drafts", "you can keep {most} drafts. Drop one first", most=MOST_DRAFTS)
        self.count += 1
        self.drafts[self.count] = Draft(player, change, headline)
        return "The draft is saved. Only you see it."

    def share_draft(self, player: str, details: Json) -> str:
        """Show a draft to the table, or hide it again."""
        draft, shared = self._own_draft(player, details.get("number")), details.get("shared") is True
        if shared and not draft.shared and self._shared_count >= MOST_SHARED:
            raise IllegalAction(
                "too-many-shared", "the table has {most} drafts already. Second one of them", most=MOST_SHARED
            )
        draft.shared = shared
        if not shared:
            draft.seconds = set()
        return "Everybody at the table can see it now." if shared else "Only you see it now."

    def drop_draft(self, player: str, details: Json) -> str:
        """Drop a draft for good."""
        dropped = self._own_draft(player, details.get("number"))
        self.drafts = {number: draft for number, draft in self.drafts.items() if draft is not dropped}
        return ""

    def second_draft(self, player: str, details: Json) -> str:
        """Second a draft of somebody else, or take that back."""
        draft = self._shared_draft(details.get("number"))
        if draft.by == player:
            raise IllegalAction("own-draft", "only others can second your draft")
        (draft.seconds.add if details.get("seconds") is True else draft.seconds.discard)(player)
        return ""

    def use_draft(self, player: str, details: Json) -> str:
        """Mark a draft as used for the player's latest proposal, which has no other draft."""
        number = details.get("number")
        draft = self.drafts.get(number) if isinstance(number, int) else None
        draft = draft if draft is not None and draft.by == player and not draft.used else self._shared_draft(number)
        made = [str(one.number) for one in self.hub.game.state.proposals.values() if one.proponent == player]
        if not made or any(one.used == made[-1] for one in self.drafts.values()):
            raise IllegalAction("draft-not-proposed", "propose the draft first")
        draft.used = made[-1]
        return ""

    def use_draft_for_player(self, details: Json) -> str:
        """Mark a draft as used that the host proposed for a player, as they said."""
        return self.use_draft(str(details.get("player")), details)

    def open_seat(self, details: Json) -> str:
        """Return a secret link of the seat of a player who has no phone, for a computer that is passed round."""
        player = details.get("player")
        if player not in self.hub.game.state.person_names or player in self._connected:
            raise IllegalAction("seat-not-to-pass", "only players without a phone can use the shared computer")
        link = self.link_of_seat(str(player))
        self._passed.add(link.partition(".")[0])
        return link

    def _own_draft(self, player: str, number: object) -> Draft:
        """Return a draft of a player that is not used yet, by its number; refuse if none exists."""
        draft = self.drafts.get(number) if isinstance(number, int) else None
        if draft is None or draft.by != player or draft.used:
            raise IllegalAction(NO_DRAFT)
        return draft

    def _shared_draft(self, number: object) -> Draft:
        """Return a shared draft that is not used yet, by its number; refuse if none exists."""
        draft = self.drafts.get(number) if isinstance(number, int) else None
        if draft is None or not draft.shared or draft.used:
            raise IllegalAction(NO_DRAFT)
        return draft

    @property
    def _shared_count(self) -> int:
        """How many drafts the table shares."""
        return sum(draft.shared for draft in self.drafts.values())

    def give_reason(self, player: str, details: Json) -> str:
        """Give the reason for a ballot in an open vote; it is shown as soon as the ballot is."""
        keep_statement(self._timeline, read_statement(self._timeline, player, details, reason=True))
        return "Your reason is saved."

    def give_statement(self, player: str, details: Json) -> str:
        """Say something beside an open proposal."""
        keep_statement(self._timeline, read_statement(self._timeline, player, details))
        self.hub.tell_watchers()
        return "Your statement is saved."

    def remind(self, _: Json) -> str:
        """Remind everybody for whom the game waits."""
        game = self.hub.game
        with game.timeline.lock:
            decisions = self.hub.pictures.current_view().open
        reminded: dict[str, list[str]] = {}
        for sign, decision in decisions.items():
            if decision.must and decision.player is not None and not decision.unseen:
                reminded.setdefault(decision.player, []).append(sign)
        if not reminded:
            raise IllegalAction("nobody-to-remind", "the game waits for nobody right now")
        self.reminded = reminded
        self._reminded_in = game.state.turn
        told = [name for name in reminded if name in self._connected] or list(reminded)
        return f"Reminded {told[0] if len(told) == 1 else len(told)}."

    def set_bell(self, details: Json) -> str:
        """Start a bell, give it more seconds, hold it, let it go on, or stop it."""
        do, seconds = details.get("do"), details.get("seconds")
        left = self._seconds_left
        number = seconds if type(seconds) is int else None
        if do == "start" and number is not None:
            left, self.bell = number, {"runs": True}
            self._rings_for = set() if details.get("everywhere") is True else self._open_waits
        elif do == "add" and number is not None and self.bell:
            left, self.bell = left + number, {**self.bell, "runs": True}
        elif do in ("hold", "go on") and left:
            self.bell = {**self.bell, "runs": do == "go on"}
        elif do == "stop":
            left, self.bell = 0, {}
        else:
            raise IllegalAction("bell-unknown", "a bell can be started, held, given more time or stopped")
        if do in ("start", "add"):
            left = min(max(left, SHORTEST_RING), LONGEST_RING)
        self._rings_at = time.monotonic() + left
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if self.bell:
            self.count += 1
            self.bell |= {"left": left, "set": self.count}
            if self.bell["runs"]:
                self._timer = asyncio.get_running_loop().call_later(left, self._ring)
        self.update_soon()
        self.on_bell()
        return ""

    @property
    def bell_now(self) -> Json:
        """The bell with the seconds left, as JSON data; empty if none exists."""
        return {**self.bell, "left": round(self._seconds_left, 1)} if self.bell else {}

    @property
    def _seconds_left(self) -> float:
        """Seconds until the bell rings; 0 without a bell, or once it has rung."""
        if not self.bell:
            return 0.0
        return max(0.0, self._rings_at - time.monotonic()) if self.bell["runs"] else float(self.bell["left"])

    def _ring(self) -> None:
        """Tell all pages at once that the time is up."""
        self.count += 1
        self.bell, self._timer = {**self.bell, "runs": False, "left": 0, "set": self.count}, None
        self._rings_for = self._rings_for or self._open_waits
        self.send_views()
        self.on_bell()

    @property
    def _open_waits(self) -> set[tuple[int, str]]:
        """What play waits for, in which turn."""
        state = self.hub.game.state
        return {(state.turn, about_decision(one)) for one in decisions(state) if one.must}

    def _end_bell(self) -> None:
        """Stop the bell once play waits for nothing any more for which it was set."""
        lasts = not self._rings_for or self.hub.game.state.paused
        if self.bell and not lasts and not self._rings_for & self._open_waits:
            self.set_bell({"do": "stop"})

    # ------------------------------------------------------------------------------------------ going out

    def add_reader(self, key: object, seat: Seat, send: Callable[[str], None]) -> None:
        """Send a page views from now on."""
        self._readers[key] = _Reader(seat, send)
        self._gone_since.pop(seat.player or "", None)
        self.update_soon()

    def remove_reader(self, key: object) -> None:
        """Send a page nothing more."""
        if (reader := self._readers.pop(key, None)) is not None:
            player, passed = reader.seat.player, reader.seat.id in self._passed
            if player is not None and not passed and player not in self._connected:
                self._gone_since[player] = time.monotonic()
                asyncio.get_running_loop().call_later(GONE, self.update_soon)
            self.update_soon()

    @property
    def _connected(self) -> set[str | None]:
        """The players whose phones are connected."""
        return {reader.seat.player for reader in self._readers.values()}

    def send_whole_to(self, key: object) -> None:
        """Send a page the whole view soon, as something was left out."""
        if (reader := self._readers.get(key)) is not None:
            reader.seen = None
            self.update_soon()

    def update_soon(self) -> None:
        """Send the views soon, once for many changes."""
        if not self._is_due and self._readers:
            self._is_due = True
            asyncio.get_running_loop().call_later(PAUSE, self.send_views)

    def send_views(self) -> None:
        """Send each page what has changed in its view, or the whole view if it has none."""
        self._is_due = False
        self._notice_new_game()
        self._end_bell()
        common, views = self._common_view(), dict[tuple[str | None, str], Json]()
        for reader in self._readers.values():
            at = reader.seat.player, reader.seat.role
            if at not in views:
                views[at] = self._view_for_seat(common, reader.seat)
            view, seen = views[at], reader.seen
            if seen is not None and seen["bell"].get("set") == view["bell"].get("set"):
                view = {**view, "bell": seen["bell"]}  # the page itself counts the seconds
            reader.seen = view  # before it is sent: a page that is too slow gets the whole next time
            if seen is None:
                reader.send(compact_json({"class": view}))
            elif changes := list(diff_views(seen, view)):
                reader.send(compact_json({"class_diff": changes}))

    def _common_view(self) -> Json:
        """Return what every player and the host may see, as JSON data."""
        connected = self._connected
        return {
            "here": {name: name in connected for name in self.hub.game.state.person_names},
            "drafts": {
                str(number): {"by": draft.by, "headline": draft.headline, "change": draft.change,
                              "seconds": sorted(draft.seconds), "used": draft.used}
                for number, draft in self.drafts.items() if draft.shared
            },
            **self._said(None),
            "bell": self.bell_now,
        }  # fmt: skip

    def _said(self, player: str | None) -> Json:
        """Return the reasons and the statements that a player may see, by proposal and player."""
        said = statements_for(self._timeline, player)
        return {
            name: {number: {one.by: one.text for one in all_ if (one.ballot is None) is stated}
                   for number, all_ in said.items()}
            for name, stated in (("reasons", False), ("statements", True))
        }  # fmt: skip

    def _view_for_seat(self, common: Json, seat: Seat) -> Json:
        """Return what a page may see, as JSON data; the wall sees no names."""
        if seat.role == WALL:
            return {"bell": common["bell"], "shared": sum(not draft["used"] for draft in common["drafts"].values())}
        if seat.player is None:
            now = time.monotonic()
            return common | {"gone": [name for name, since in self._gone_since.items() if now - since >= GONE]}
        return {
            **common,
            "mine": {
                str(number): {"headline": draft.headline, "change": draft.change, "shared": draft.shared,
                              "used": draft.used}
                for number, draft in self.drafts.items() if draft.by == seat.player
            },
            **self._said(seat.player),
            "reminded": self._reminders_of(seat.player),
        }  # fmt: skip

    def _reminders_of(self, player: str) -> list[str]:
        """Return the decisions of which a player was reminded in this turn."""
        return self.reminded.get(player, []) if self.hub.game.state.turn == self._reminded_in else []


NO_DRAFT = say("no-such-draft", "that draft isn’t there any more")
#: What pages can ask for: the work, and whether it is for the host alone; otherwise it is for players.
WORK: dict[str, tuple[Callable[..., Any] | None, bool]] = {
    "draft": (Aside.write_draft, False), "share": (Aside.share_draft, False), "drop": (Aside.drop_draft, False),
    "second": (Aside.second_draft, False), "use": (Aside.use_draft, False), "reason": (Aside.give_reason, False),
    "statement": (Aside.give_statement, False),
    "remind": (Aside.remind, True), "bell": (Aside.set_bell, True), "use for": (Aside.use_draft_for_player, True),
    "seat": (Aside.open_seat, True),
}  # fmt: skip
