"""A lesson: its door, what the host agrees on for the class, and the tables once play begins."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any

import segno

from nomic_nb.chess import extension as with_chess  # noqa: F401 - games can have boards
from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.games import begin
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import RuleSet, find_ruleset, known_rulesets
from nomic_nb.engine.words import join_words
from nomic_nb.notebook.classroom.door import Door, Json, Pupil
from nomic_nb.notebook.classroom.lesson_end import LessonEnd
from nomic_nb.notebook.classroom.links import DESK, WALL
from nomic_nb.notebook.classroom.server import ServedRoom
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.store import game_store
from nomic_nb.notebook.store.journal import open_store
from nomic_nb.notebook.table_settings import JOINT_CHOICES, agreed_terms, choices_of_ruleset

#: Tables of a lesson; players for whom one table is best, and the rule set that a lesson is given first.
MOST_TABLES, PLAYERS_AT_TABLE, FIRST_RULESET = 12, 6, "discordian-nomic"


def complete_rulesets() -> dict[str, RuleSet]:
    """Return the rule sets of the kit that are complete games, by name."""
    rulesets = (find_ruleset(name, language()) for name in known_rulesets())
    return {ruleset.name: ruleset for ruleset in rulesets if ruleset.alone}


class Lesson:
    """A lesson: pupils come through a door, and sit down at tables when the host begins.

    Parameters
    ----------
    rooms : mutable mapping of str to ServedRoom
        The tables by name; those of a lesson that goes on are there already.
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
        door.open, door.begun = False, bool(rooms)
        for table, room in rooms.items():
            self._make_links(table, room)
            self._summaries[table] = _summary(room)
            for name in room.game.state.person_names:
                door.add_pupil(name, table)

    # ------------------------------------------------------------------------------------------ what the host does

    def do(self, command: str, details: Json) -> str:
        """Do what the host's page asks for; return a sentence on the result, or an empty text.

        Raises
        ------
        IllegalAction
            There is no such command, it takes other details, or it is refused.
        """
        if self.end.ended:
            raise IllegalAction(say("lesson-is-over", "the lesson is over. Start another one with nomic-nb class"))
        work, fields = COMMANDS.get(command, (None, {}))
        if work is None:
            raise IllegalAction(say("no-such-command", "a lesson has no command “{command}”", command=command[:40]))
        if details.keys() != fields.keys() or not all(type(details[name]) is fields[name] for name in fields):
            raise IllegalAction(
                say(
                    "command-takes-other-details",
                    "“{command}” takes {fields}",
                    command=command,
                    fields=join_words(sorted(fields)) or "nothing else",
                )
            )
        return work(self, **details)

    def open_door(self, ruleset: str, points: str, joint: str, away: bool) -> str:
        """Open the door, before play begins with what is agreed on for all tables."""
        if not self.door.begun:
            known = complete_rulesets()
            if ruleset not in known:
                raise IllegalAction(say("no-such-ruleset", "there is no rule set called “{name}”", name=ruleset[:40]))
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
        """Add pupils who play without phones: their names, one a line; all of them or none."""
        door, before = self.door, dict(self.door.pupils)
        if door.begun:
            raise IllegalAction(
                say("phoneless-too-late", "play has begun. Let them in by consent at their table, under Host")
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

    def let_in(self, id: str, name: str, table: str, agreed: bool) -> str:
        """Let somebody in who waits; once play has begun, to a table where everybody agrees, or back to their seat."""
        arrival = self.door.arrivals.get(id)
        pupil_name = " ".join(name.split()) or (arrival.name if arrival else "")
        known = self.door.pupils.get(pupil_name)
        if self.door.begun and arrival is not None and (known is None or not known.table):
            if table not in self.rooms or not agreed:
                raise IllegalAction(
                    say(
                        "late-pupil-needs-consent",
                        "choose a table for {name}, and tick that everybody there agrees",
                        name=pupil_name,
                    )
                )
            self.door.check_place(pupil_name)  # before the game has them
            game = self.rooms[table].game
            effect = f'enter player "{pupil_name}" as person'
            game.timeline.do_as_host(
                "correct", {"effect": effect, "agreed": list(game.state.present_names), "reason": "came late"}
            )
            if pupil_name not in game.state.person_names:
                raise IllegalAction(
                    say("rules-keep-out", "the rules of {table} don’t let {name} in", table=table, name=pupil_name)
                )
            pupil = self.door.let_in(id, name)
            pupil.table = table
        else:
            pupil = self.door.let_in(id, name)
        self.show_seat(pupil, only=True)
        return pupil.name

    def let_everybody_in(self) -> str:
        """Let in all who wait and are not held for their name."""
        if self.door.begun:
            raise IllegalAction(say("let-in-one-by-one", "play has begun: let each of them in at a table"))
        names = [self.door.let_in(one.id).name for one in list(self.door.arrivals.values()) if not one.held]
        return join_words(names)

    def turn_away(self, ids: list[str]) -> str:
        """Send away some of those who wait."""
        self.door.turn_away(map(str, ids))
        return ""

    def remove(self, name: str) -> str:
        """Take somebody out of the lobby before play begins."""
        if (pupil := self.door.pupils.get(name)) is not None and pupil.table:
            raise IllegalAction(
                say("pupil-has-a-seat", "{name} has a seat in the game. Mark them as away instead", name=name)
            )
        self.door.remove(name)
        return ""

    def begin(self, seating: dict[str, Any]) -> str:
        """Begin play at the tables: names of the players by table, in seating order."""
        tables = [at_table if isinstance(at_table, list) else [at_table] for at_table in seating.values()]
        names = [name for at_table in tables for name in at_table]
        if self.door.begun:
            raise IllegalAction(say("lesson-has-begun", "play has begun already"))
        seated = {name for name in names if isinstance(name, str)}
        here = self.door.pupils.keys() - set(self.door.gone)
        missing = here - seated
        if missing or seated - self.door.pupils.keys() or len(names) > len(seated) or len(seating) > MOST_TABLES:
            raise IllegalAction(
                say(
                    "seating-incomplete",
                    "everybody in the lobby needs one seat, at up to {most} tables{missing}",
                    most=MOST_TABLES,
                    missing=f"; no seat for {join_words(sorted(missing))}" if missing else "",
                )
            )
        ruleset = complete_rulesets()[self.settings["ruleset"]]
        chosen = {name: self.settings[name] for name in ("points", "joint", "away")}
        terms = agreed_terms(ruleset, **chosen)
        for at_table in tables:
            if len(at_table) < max(2, ruleset.least_players):
                raise IllegalAction(
                    say(
                        "table-too-small",
                        "{ruleset} needs at least {least} players at each table",
                        ruleset=ruleset.title,
                        least=max(2, ruleset.least_players),
                    )
                )
        started = self._start_games(ruleset, tables, terms)
        for name in self.door.pupils.keys() - seated:
            self.door.remove(name)  # whose phone has gone
        self.rooms.update(started)
        for table, room in started.items():
            self._summaries[table] = _summary(room)
            self.on_new_room(room)
            for name in room.game.state.person_names:
                self.door.pupils[name].table = table
        self.door.begun, self.door.open = True, False
        for pupil in self.door.pupils.values():
            self.show_seat(pupil)
        self.door.on_change()
        return ""

    def pause(self, pause: bool) -> str:
        """Pause all games that are being played, or resume them."""
        for room in self.rooms.values():
            state = room.game.state
            if not state.over and state.paused != pause:
                room.game.timeline.do_as_host("pause" if pause else "resume", {})
        return ""

    def ring(self, seconds: int) -> str:
        """Start a bell at all tables, or (with 0 seconds) stop it there."""
        for room in self.rooms.values():
            room.aside.set_bell({"do": "start" if seconds else "stop", "seconds": seconds})
        return ""

    def erase(self, sure: bool, keep_rules: bool) -> str:
        """Erase the class for good, perhaps but for the rules, and end the lesson."""
        said = self.end.erase(sure=sure, keep_rules=keep_rules)
        for by_table in (self.rooms, self.desk_links, self.wall_links, self._summaries):
            by_table.clear()
        self.door.on_change()
        return said

    def _start_games(
        self, ruleset: RuleSet, seating: list[list[str]], terms: Mapping[str, object]
    ) -> dict[str, ServedRoom]:
        """Return the new tables by name; if one of them cannot begin, none does."""
        store = open_store(self.file, make=True) if self.file else None
        known = store.game_names() if store else []
        free = (f"table {number}" for number in count(1) if f"table {number}" not in known)
        timelines = [begin(ruleset.name, names, seed=secrets.randbelow(1_000_000), terms=terms) for names in seating]
        started = {
            table: ServedRoom(table, BaseGame(timeline)) for table, timeline in zip(free, timelines, strict=False)
        }
        with store.transaction() if store else nullcontext():
            for table, room in started.items():
                if store is not None:
                    game_store.keep_new_game(store, table, room.game.timeline, CELL_WATCH)
                self._make_links(table, room)
        return started

    def _make_links(self, table: str, room: ServedRoom) -> None:
        """Make the links with which the host's page and the wall's show a table."""
        links = room.links
        self.desk_links[table], self.wall_links[table] = links.create_link(role=DESK), links.create_link(role=WALL)

    def show_seat(self, pupil: Pupil, *, only: bool = False) -> None:
        """Send the phones of a pupil to their seat, if play has begun; with `only`, other phones leave it at once."""
        if not pupil.table:
            return
        room = self.rooms[pupil.table]
        if only:
            room.links.revoke_links(pupil.name)
            room.close_seat(pupil.name)
        for phone in pupil.phones:
            phone.tell({"go": pupil.table, "link": room.links.create_link(pupil.name)})

    # ------------------------------------------------------------------------------------------ what pages show

    def data_for_host(self) -> Json:
        """Return what the host's page shows, as JSON data."""
        return self.door.to_data() | self.data_for_wall() | {
            "settings": self.settings,
            "rulesets": {name: {"title": ruleset.title, "players": ruleset.players, "least": ruleset.least_players,
                                **choices_of_ruleset(ruleset)} for name, ruleset in complete_rulesets().items()},
            "joint": [list(choice) for choice in JOINT_CHOICES],
            "desks": self.desk_links, "connected": [
                name for room in self.rooms.values() for name, pages in room.pages.items() if name and pages
            ],
            "best": PLAYERS_AT_TABLE, "wall": self.wall_secret, "file": self.file.name if self.file else "",
            "end": self.end.to_data(),
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
        """Return each table in a few words; those that are busy as they were, so that nobody here waits for them."""
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
        link = f"{self.address()}#join={self.door.code}.{self.door.key}"
        return str(segno.make(link, error="m", micro=False).svg_data_uri(scale=4, border=2, light="#fff"))


def _summary(room: ServedRoom) -> Json:
    """Return a table in a few words, as everybody may see it: whose turn it is, what it waits for, the vote."""
    table = room.hub.pictures.current_view().table
    game, proposals = table["game"], [proposal for proposal in table["proposals"].values() if proposal["open"]]
    votes = [
        {"title": proposal["title"] or proposal["headline"], "by": proposal["by"], "for": proposal["vote"]["for"],
         "against": proposal["vote"]["against"]}
        for proposal in proposals[-1:] if proposal["vote"]
    ]  # fmt: skip
    return {
        "heading": game["heading"], "over": game["over"], "paused": game["paused"], "waiting": table["waiting"],
        "news": list(table["news"].values())[-1]["text"] if table["news"] else "",
        "players": list(room.game.state.person_names), "vote": votes[0] if votes else None,
    }  # fmt: skip


#: What the host's page can ask for: the work, and the types of its details.
COMMANDS: dict[str, tuple[Callable[..., str] | None, dict[str, type]]] = {
    "open door": (Lesson.open_door, {"ruleset": str, "points": str, "joint": str, "away": bool}),
    "close door": (Lesson.close_door, {}),
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
