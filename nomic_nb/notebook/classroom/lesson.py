"""A lesson: its door, what the host agrees on for the class, and the tables once play begins."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextlib import nullcontext, suppress
from functools import cache, lru_cache, partial
from itertools import count
from pathlib import Path
from typing import Any

import segno

from nomic_nb.chess import extension as with_chess  # noqa: F401 - games can have boards
from nomic_nb.engine.errors import IllegalAction, RecordError
from nomic_nb.engine.games import begin
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import RuleSet, find_ruleset, known_rulesets
from nomic_nb.engine.words import join_words
from nomic_nb.notebook.classroom.door import Door, Json, Pupil, check_list
from nomic_nb.notebook.classroom.keeping import Keeper, Rows
from nomic_nb.notebook.classroom.lesson_end import LessonEnd
from nomic_nb.notebook.classroom.links import DESK, WALL, hash_secret
from nomic_nb.notebook.classroom.room import ServedRoom
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.store import game_store
from nomic_nb.notebook.store.journal import GameStore, open_store
from nomic_nb.notebook.table_settings import JOINT_CHOICES, agreed_terms, choices_of_ruleset

#: Tables of a lesson; players for whom one table is best, and the rule set that a lesson is given first.
MOST_TABLES, PLAYERS_AT_TABLE, FIRST_RULESET = 12, 6, "discordian-nomic"
#: News that is no result: a ballot, and that a proposal has failed, which the end of its vote says with its numbers.
NO_RESULTS = ("balloted", "defeated")
#: Pages of the host, and of the wall, that find the lesson again after its server has ended; files that are looked
#: through for the names of the last lesson.
MOST_PAGES, MOST_FILES = 8, 20


def complete_rulesets() -> dict[str, RuleSet]:
    """Return the rule sets of the kit that are complete games, by name."""
    rulesets = (find_ruleset(name, language()) for name in known_rulesets())
    return {ruleset.name: ruleset for ruleset in rulesets if ruleset.alone}


@cache
def _rulesets_to_choose() -> dict[str, Json]:
    """Return the rule sets with what can be agreed on in each; it takes long, and is shown whenever a pupil joins."""
    return {
        name: {"title": ruleset.title, "players": ruleset.players, "least": ruleset.least_players,
               **choices_of_ruleset(ruleset)} for name, ruleset in complete_rulesets().items()
    }  # fmt: skip


class Lesson:
    """A lesson: pupils come through a door, and sit down at tables when the host begins.

    Parameters
    ----------
    rooms : mutable mapping of str to ServedRoom
        The tables by name; those of a lesson that continues are there already.
    file : Path, optional
        The file in which the games are saved.
    door : Door
        Where pupils come in.
    """

    def __init__(self, rooms: MutableMapping[str, ServedRoom], file: Path | None, door: Door) -> None:
        self.rooms, self.file, self.door = rooms, file, door
        self.end = LessonEnd(rooms, file, door)
        #: Who has these opens the host's page, and the wall's.
        self.host_secret, self.wall_secret = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        self._secret_hashes: dict[str, list[str]] = {"host": [], "wall": []}
        self.settings: Json = {"ruleset": FIRST_RULESET, "points": "", "joint": JOINT_CHOICES[0][1], "away": True}
        #: Told of each new table.
        self.on_new_room: Callable[[ServedRoom], None] = lambda _: None
        #: Where phones reach this lesson.
        self.address: Callable[[], str] = str
        self.wall_links: dict[str, str] = {}
        self.desk_links: dict[str, str] = {}
        self._summaries: dict[str, Json] = {}
        #: Tables that are busy with a rule that takes long: they are shown as they were.
        self.busy_tables: set[str] = set()
        #: Arrivals, by their ids, that are just entering a game, and their names.
        self._entering: set[str] = set()
        door.open, door.begun = False, bool(rooms)
        self.store = open_store(file, make=True) if file else None
        self.keeper = Keeper(self.store, "", self._rows)
        self.keeper.restore(self._restore_row)
        door.keep = self.keeper.keep
        for role, secret in (("host", self.host_secret), ("wall", self.wall_secret)):
            self._secret_hashes[role] = [*self._secret_hashes[role][1 - MOST_PAGES :], hash_secret(secret)]
        for table, room in rooms.items():
            self._show_table(table, _summary(room), _page_links(room))
            for name in room.game.state.person_names:
                if name in door.pupils:
                    door.pupils[name].table = table
                else:
                    door.add_pupil(name, table)
        if rooms:  # pupils without a seat had gone when play began
            door.pupils = {name: pupil for name, pupil in door.pupils.items() if pupil.table}

    # ------------------------------------------------------------------------------------------ storing

    def _rows(self) -> Rows:
        """Return what a lesson is kept as: its room and its pupils, with passes and secrets as hashes only."""
        door = self.door
        if not (self.keeper.kept or self.rooms or door.pupils or door.names or door.open):
            return {}
        room = {"code": door.code, "key": door.key, "open": door.open, "names": list(door.names),
                "settings": dict(self.settings), "secrets": dict(self._secret_hashes)}  # fmt: skip
        pupils = {("pupil", one.name): {"sign": one.sign, "pass": one.pass_hash} for one in door.pupils.values()}
        return {("room", ""): room, **pupils}

    def _restore_row(self, kind: str, name: str, body: Any) -> None:
        """Take up what was kept."""
        door = self.door
        if kind == "pupil":
            door.pupils[name] = Pupil(name, str(body["sign"]), "", str(body["pass"]), phoneless=not body["pass"])
            return
        door.code, door.key, door.open = str(body["code"]), str(body["key"]), body["open"] is True
        door.names, self.settings = check_list(body["names"]), {name: body["settings"][name] for name in self.settings}
        self._secret_hashes = {role: list(map(str, body["secrets"][role])) for role in self._secret_hashes}

    def close(self) -> None:
        """End a lesson: nobody comes in; open pages of the host and the wall find it if it continues later."""
        self.door.open = False
        self.keeper.close()

    def role_of_page(self, secret: str) -> str:
        """Return which page has a secret, ``host`` or ``wall``; empty if none has."""
        hashed = hash_secret(secret)
        roles = self._secret_hashes.items()
        return next((role for role, known in roles if any(hmac.compare_digest(hashed, one) for one in known)), "")

    # ------------------------------------------------------------------------------------------ what the host does

    def do(self, command: str, details: Json) -> str | Awaitable[str]:
        """Do what the host's page asks for; return a sentence on the result, or an empty text, or wait for it.

        Raises
        ------
        IllegalAction
            There is no such command, it takes other details, or it is refused.
        """
        if self.end.ended:
            raise IllegalAction("lesson-is-over", "the lesson is over. Start another one with nomic-nb class")
        work, fields = COMMANDS.get(command, (None, {}))
        if work is None:
            raise IllegalAction("no-such-command", "a lesson has no command “{command}”", command=command[:40])
        if details.keys() != fields.keys() or not all(type(details[name]) is fields[name] for name in fields):
            raise IllegalAction(
                "command-takes-other-details",
                "“{command}” takes {fields}",
                command=command,
                fields=join_words(sorted(fields)) or "nothing else",
            )
        return work(self, **details)

    def open_door(self, ruleset: str, points: str, joint: str, away: bool) -> str:
        """Open the door, before play begins with what is agreed on for all tables."""
        if not self.door.begun:
            known = complete_rulesets()
            if ruleset not in known:
                raise IllegalAction("no-such-ruleset", "there is no rule set called “{name}”", name=ruleset[:40])
            terms = agreed_terms(known[ruleset], points=points, joint=joint, away=away)
            known[ruleset].with_terms(terms, language())  # refused now, and not once everybody is here
            self.settings = {"ruleset": ruleset, "points": points, "joint": joint, "away": away}
        self.door.open = True
        self.door.on_change()
        return ""

    def close_door(self) -> str:
        """Close the door: nobody else comes in, and the wall shows no code."""
        self.door.open = False
        self.door.on_change()
        return ""

    def add_phoneless(self, names: str) -> str:
        """Add pupils who play without phones: their names, one per line; all of them or none."""
        door, before = self.door, dict(self.door.pupils)
        if door.begun:
            raise IllegalAction(
                "phoneless-too-late", "play has begun. Let them in by consent at their table, under Host"
            )
        try:
            for name in filter(str.strip, names.splitlines()):
                door.add_phoneless(name)
        except IllegalAction:
            door.pupils = before
            raise
        return ""

    def renew_code(self) -> str:
        """Change the code."""
        self.door.renew_code()
        return ""

    def set_names(self, names: str) -> str:
        """Let pupils choose from a list of names, split at line breaks or commas; if it is empty, they type them."""
        lines = names.splitlines() if "\n" in names.strip() else names.replace(";", ",").split(",")
        self.door.names = check_list(lines)
        self.door.on_change()
        return f"{len(self.door.names)} names are on the list." if self.door.names else "Pupils type their names."

    def last_names(self) -> str:
        """Return the names of the last other lesson whose file is in this folder, one per line."""
        folder = self.file.parent if self.file else Path()
        files = sorted(folder.glob("*.sqlite"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in files[:MOST_FILES]:
            with suppress(RecordError):  # it is none of a class
                if self.file is None or not path.samefile(self.file):
                    names = [name for kind, name in GameStore(path).rows_beside("") if kind == "pupil"]
                    if names:
                        return "\n".join(names)
        raise IllegalAction("no-lesson-before", "no other file in this folder has the names of a class")

    def _check_settled(self, *late: str) -> None:
        """Refuse what has to wait until play has begun, or until latecomers (these, or all) are in their game."""
        if self._entering.intersection(late or self._entering) or (self.door.begun and not self.rooms):
            raise IllegalAction("seats-being-dealt", "pupils are just getting their seats. Try again in a moment")

    async def let_in(self, id: str, name: str, table: str, agreed: bool) -> str:
        """Let somebody in who waits; once play has begun, to a table where everybody agrees, or back to their seat."""
        arrival = self.door.arrivals.get(id)
        pupil_name = " ".join(name.split()) or (arrival.name if arrival else "")
        self._check_settled(id, pupil_name)
        known = self.door.pupils.get(pupil_name)
        if arrival is None or not self.door.begun:
            return f"{self.door.let_in(id, name).name} is in."
        if known is None or not known.table:
            if table not in self.rooms or not agreed:
                raise IllegalAction(
                    "late-pupil-needs-consent",
                    "choose a table for {name}, and tick that everybody there agrees",
                    name=pupil_name,
                )
            self.door.check_place(pupil_name)  # before the game has them
        else:
            table = known.table
        room = self.rooms[table]
        self._entering |= {id, pupil_name}
        try:  # if a rule takes long, only this table waits
            link = await asyncio.get_running_loop().run_in_executor(room.pool, _enter, room, pupil_name)
        finally:
            self._entering -= {id, pupil_name}
        room.close_seat(pupil_name)
        if id in self.door.arrivals:
            pupil = self.door.let_in(id, name)
        else:  # the phone has gone meanwhile; it can come back under the name
            self.door.add_pupil(pupil_name, table)
            pupil = self.door.pupils[pupil_name]
        pupil.table = table
        self._show_seat(pupil, link)
        return f"{pupil.name} is in."

    def let_everybody_in(self) -> str:
        """Let in all who wait and are not held."""
        if self.door.begun:
            raise IllegalAction("let-in-one-by-one", "play has begun: let each of them in at a table")
        names = [self.door.let_in(one.id).name for one in list(self.door.arrivals.values()) if not one.held]
        return join_words(names)

    def turn_away(self, ids: list[str]) -> str:
        """Send away some of those who wait."""
        self.door.turn_away(map(str, ids))
        return ""

    def remove(self, name: str) -> str:
        """Take somebody out of the lobby before play begins."""
        self._check_settled()
        if (pupil := self.door.pupils.get(name)) is not None and pupil.table:
            raise IllegalAction(
                "pupil-has-a-seat", "{name} has a seat in the game. Mark them as away instead", name=name
            )
        self.door.remove(name)
        return ""

    async def begin(self, seating: dict[str, Any]) -> str:
        """Begin play at the tables: names of the players by table, in seating order."""
        tables = [at_table if isinstance(at_table, list) else [at_table] for at_table in seating.values()]
        names = [name for at_table in tables for name in at_table]
        if self.door.begun:
            raise IllegalAction("lesson-has-begun", "play has begun already")
        seated = {name for name in names if isinstance(name, str)}
        here = self.door.pupils.keys() - set(self.door.gone)
        missing = here - seated
        if missing or seated - self.door.pupils.keys() or len(names) > len(seated) or len(seating) > MOST_TABLES:
            raise IllegalAction(
                "seating-incomplete",
                "everybody in the lobby needs one seat, at up to {most} tables{missing}",
                most=MOST_TABLES,
                missing=f"; no seat for {join_words(sorted(missing))}" if missing else "",
            )
        ruleset = complete_rulesets()[self.settings["ruleset"]]
        chosen = {name: self.settings[name] for name in ("points", "joint", "away")}
        terms = agreed_terms(ruleset, **chosen)
        for at_table in tables:
            if len(at_table) < max(2, ruleset.least_players):
                raise IllegalAction(
                    "table-too-small",
                    "{ruleset} needs at least {least} players at each table",
                    ruleset=ruleset.title,
                    least=max(2, ruleset.least_players),
                )
        was_open = self.door.open
        self.door.begun, self.door.open = True, False  # nobody else comes in meanwhile
        try:
            started = await asyncio.to_thread(self._start_games, ruleset, tables, terms)
        except BaseException:
            self.door.begun, self.door.open = False, was_open
            raise
        for name in self.door.pupils.keys() - seated:
            self.door.remove(name)  # whose phone has gone
        for room, links, summary, pages in started:
            self.rooms[room.name] = room
            self._show_table(room.name, summary, pages)
            self.on_new_room(room)
            for name, link in links.items():
                self.door.pupils[name].table = room.name
                self._show_seat(self.door.pupils[name], link)
        self.door.on_change()
        return ""

    def pause(self, pause: bool) -> str:
        """Pause all games that are being played, or resume them."""
        for room in list(self.rooms.values()):
            state = room.game.state
            if not state.over and state.paused != pause:
                room.game.timeline.do_as_host("pause" if pause else "resume", {})
        return ""

    def ring(self, seconds: int) -> str:
        """Start a bell at all tables, or (with 0 seconds) stop it there."""
        for room in self.rooms.values():
            room.aside.set_bell({"do": "start" if seconds else "stop", "seconds": seconds, "everywhere": True})
        return ""

    def erase(self, sure: bool, keep_rules: bool) -> str:
        """Erase the class for good, perhaps but for the rules, and end the lesson."""
        self._check_settled()
        said = self.end.erase(sure=sure, keep_rules=keep_rules)
        for by_table in (self.rooms, self.desk_links, self.wall_links, self._summaries):
            by_table.clear()
        self.keeper.store = None
        self.door.on_change()
        return said

    def _start_games(
        self, ruleset: RuleSet, seating: list[list[str]], terms: Mapping[str, object]
    ) -> list[tuple[ServedRoom, dict[str, str], Json, tuple[str, str]]]:
        """Return the new tables, each with links of its players and what shows it; none if one of them cannot begin."""
        known = self.store.game_names() if self.store else []
        free = (f"table {number}" for number in count(1) if f"table {number}" not in known)
        timelines = [begin(ruleset.name, names, seed=secrets.randbelow(1_000_000), terms=terms) for names in seating]
        started = []
        with self.store.transaction() if self.store else nullcontext():
            for table, timeline, names in zip(free, timelines, seating, strict=False):
                if self.store is not None:
                    game_store.keep_new_game(self.store, table, timeline, CELL_WATCH)
                room = ServedRoom(table, BaseGame(timeline))
                started.append((room, {name: room.links.create_link(name) for name in names}, _page_links(room)))
        return [(room, links, _summary(room), pages) for room, links, pages in started]

    def _show_table(self, table: str, summary: Json, pages: tuple[str, str]) -> None:
        """Show a table to the host and the wall from now on, by these links."""
        self._summaries[table] = summary
        self.desk_links[table], self.wall_links[table] = pages

    def show_seat(self, pupil: Pupil) -> None:
        """Send the phones of a pupil to their seat, if they have one."""
        if pupil.table in self.rooms:
            self._show_seat(pupil, self.rooms[pupil.table].links.create_link(pupil.name))

    def _show_seat(self, pupil: Pupil, link: str) -> None:
        """Send the phones of a pupil to their seat by its link, once the pupil is kept."""
        for phone in pupil.phones:
            self.door.keep(partial(phone.tell, {"go": pupil.table, "link": link}))

    # ------------------------------------------------------------------------------------------ what pages show

    def data_for_host(self) -> Json:
        """Return what the host's page shows, as JSON data."""
        return self.door.to_data() | self.data_for_wall() | {
            "settings": self.settings,
            "rulesets": _rulesets_to_choose(), "joint": [list(choice) for choice in JOINT_CHOICES],
            "desks": self.desk_links, "connected": [
                name for room in self.rooms.values() for name, pages in room.pages.items() if name and pages
            ],
            "best": PLAYERS_AT_TABLE, "wall": self.wall_secret, "file": self.file.name if self.file else "",
            "end": self.end.to_data(), "fault": self.keeper.fault,
        }  # fmt: skip

    def data_for_wall(self) -> Json:
        """Return what the wall shows, as JSON data: the code while the door is open, and the tables once they play."""
        door = self.door
        return {
            "code": door.code if door.open else "", "begun": door.begun,
            "in": list(door.pupils), "tables": self._sum_up_tables(),
            "ended": self.end.ended, "walls": self.wall_links, "address": self.address(), "qr": self._code_picture(),
        }  # fmt: skip

    def _sum_up_tables(self) -> dict[str, Json]:
        """Return each table in a few words; those that are busy as they were, so nobody here waits for them."""
        self.busy_tables = set()
        for table, room in self.rooms.items():
            lock = room.game.timeline.lock
            if lock.acquire(blocking=False):
                try:
                    self._summaries[table] = _summary(room)
                finally:
                    lock.release()
            else:
                self.busy_tables.add(table)
        return self._summaries

    def _code_picture(self) -> str:
        """Return the QR code that brings a phone through the door, as a picture’s address; empty if it is closed."""
        if not self.door.open:
            return ""
        return _draw_code(f"{self.address()}#join={self.door.code}.{self.door.key}")


@lru_cache(maxsize=4)
def _draw_code(link: str) -> str:
    """Return the QR code of a link, as a picture’s address."""
    return str(segno.make(link, error="m", micro=False).svg_data_uri(scale=4, border=2, light="#fff"))


def _page_links(room: ServedRoom) -> tuple[str, str]:
    """Return new links with which the host's page and the wall show a table."""
    return room.links.create_link(role=DESK), room.links.create_link(role=WALL)


def _enter(room: ServedRoom, name: str) -> str:
    """Let a pupil enter the game of a table, unless they are in it; return the only link to their seat from now on."""
    game = room.game
    if name not in game.state.person_names:
        effect = f'enter player "{name}" as person'
        game.timeline.do_as_host(
            "correct", {"effect": effect, "agreed": list(game.state.present_names), "reason": "came late"}
        )
        if name not in game.state.person_names:
            raise IllegalAction(
                "rules-keep-out", "the rules of {table} don’t let {name} in", table=room.name, name=name
            )
    room.links.revoke_links(name)
    return room.links.create_link(name)


def _summary(room: ServedRoom) -> Json:
    """Return a table in a few words, as all may see it: whose turn it is, a vote, the latest result, the scores."""
    table = room.hub.pictures.current_view().table
    game, proposals = table["game"], [proposal for proposal in table["proposals"].values() if proposal["open"]]
    votes = [
        {"title": proposal["title"] or proposal["headline"], "by": proposal["by"], "for": proposal["vote"]["for"],
         "against": proposal["vote"]["against"], "cast": proposal["vote"]["cast"], "of": proposal["vote"]["of"]}
        for proposal in proposals[-1:] if proposal["vote"]
    ]  # fmt: skip
    return {
        "heading": game["heading"], "over": game["over"], "paused": game["paused"], "waiting": table["waiting"],
        "news": _latest_result(list(table["news"].values())), "scores": _scores(table), "bell": room.aside.bell_now,
        "players": list(room.game.state.person_names), "vote": votes[0] if votes else None,
    }  # fmt: skip


def _latest_result(news: list[Json]) -> str:
    """Return the latest result in news, newest first: a roll or its points, or else what a vote or a rule decided."""
    results = [one for one in news if one["kind"] == "thrown" or (one["tone"] and one["kind"] not in NO_RESULTS)]
    cause = next((one for one in results if one["kind"] != "counted"), None)
    shown = results[:1] if cause is None or cause["kind"] == "thrown" else [cause]  # a vote says more than its points
    return shown[0]["text"] if shown else ""


def _scores(table: Json) -> dict[str, str]:
    """Return what each player has of what counts for winning, or else of what is counted first."""
    goal = table["goal"] and table["goal"]["counter"]
    return {
        name: counted.get(goal, next(iter(counted.values()))).replace("-", "−")
        for name, counted in table["scores"].items() if counted
    }  # fmt: skip


#: What the host's page can ask for: the work, and the types of its details.
COMMANDS: dict[str, tuple[Callable[..., str | Awaitable[str]] | None, dict[str, type]]] = {
    "open door": (Lesson.open_door, {"ruleset": str, "points": str, "joint": str, "away": bool}),
    "close door": (Lesson.close_door, {}),
    "names": (Lesson.set_names, {"names": str}),
    "last names": (Lesson.last_names, {}),
    "new code": (Lesson.renew_code, {}),
    "let in": (Lesson.let_in, {"id": str, "name": str, "table": str, "agreed": bool}),
    "let everybody in": (Lesson.let_everybody_in, {}),
    "turn away": (Lesson.turn_away, {"ids": list}),
    "remove": (Lesson.remove, {"name": str}),
    "without phones": (Lesson.add_phoneless, {"names": str}),
    "begin": (Lesson.begin, {"seating": dict}),
    "pause": (Lesson.pause, {"pause": bool}),
    "ring": (Lesson.ring, {"seconds": int}),
    "save everything": (lambda lesson: lesson.end.save(), {}),
    "erase": (Lesson.erase, {"sure": bool, "keep_rules": bool}),
}
