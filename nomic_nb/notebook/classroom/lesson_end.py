"""The end of a lesson: everything is saved to a folder, or the class is erased, with or without its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date
from itertools import count
from pathlib import Path

from nomic_nb.engine.errors import IllegalAction, RecordError
from nomic_nb.engine.threads import RLock
from nomic_nb.engine.words import count_phrase, join_words
from nomic_nb.notebook.classroom.door import Door, Json
from nomic_nb.notebook.classroom.room import ServedRoom
from nomic_nb.notebook.classroom.sockets import ENDED
from nomic_nb.notebook.documents import portfolio
from nomic_nb.notebook.documents.annotated import write_files
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.store.journal import erase_store

#: What the phones of a class are told at its end; they forget their passes.
END_MESSAGE: Json = {"end": True}


class LessonEnd:
    """What the host can do at the end of a lesson.

    Parameters
    ----------
    rooms : mapping of str to ServedRoom
        The tables by name.
    file : Path, optional
        The file in which the games are saved.
    door : Door
        Where pupils come in.
    """

    def __init__(self, rooms: Mapping[str, ServedRoom], file: Path | None, door: Door) -> None:
        self.rooms, self.file, self.door = rooms, file, door
        self.ended = False
        #: Nothing is erased while it is saved, and nothing saved afterwards.
        self._busy = RLock()
        #: Where things were saved, their names, what could not be saved, and what to discuss with whom.
        self.folder: Path | None = None
        self.files: list[str] = []
        self.missing: list[str] = []
        self.topics: dict[str, list[str]] = {}

    @property
    def games(self) -> dict[str, BaseGame]:
        """The games by table."""
        return {table: room.game for table, room in self.rooms.items()}

    def _possible_folders(self) -> Iterator[Path]:
        """Yield places for the folder, the best first: beside the file; without one, here."""
        first = (self.file.parent / self.file.stem) if self.file else Path(f"class-{date.today()}")
        if first == self.file:
            first = first.with_name(f"{first.name}-saved")
        yield first
        for at in count(2):
            yield first.with_name(f"{first.name} {at}")

    def _find_folder(self) -> Path:
        """Return the folder of this class: the one with its files, or a free place for it."""
        if self.folder is None:
            own = self.file is not None  # without a file, what is there is another class's
            self.folder = next(
                path
                for path in self._possible_folders()
                if not path.exists() or (own and (path / portfolio.CONTENTS).is_file())
            )
        return self.folder

    def save(self) -> str:
        """Save portfolios, the table of the class, records and rules; return where, and what is not saved.

        Raises
        ------
        IllegalAction
            Play has not begun.
        RecordError
            The files cannot be written.
        """
        with self._busy:
            if self.ended or not self.rooms:
                raise IllegalAction("nothing-to-save", "there is nothing to save before play begins")
            folder, games = self._find_folder(), self.games
            self.files, self.missing = portfolio.write_portfolios(games, folder)
            self.topics = portfolio.topics_to_discuss(games)
        self.door.on_change()
        done = f"Saved {count_phrase(len(self.files), 'file')} in {folder.resolve()}."
        return " ".join((done, *self.missing))

    def erase(self, *, sure: bool, keep_rules: bool) -> str:
        """Delete everything about the class and end the lesson; return what is gone, and where the rules are if kept.

        Parameters
        ----------
        sure : bool
            Whether the host has confirmed it.
        keep_rules : bool
            Whether the rules of each table are saved first, as rule files.

        Raises
        ------
        IllegalAction
            The host has not confirmed it.
        RecordError
            Some rules cannot be saved, or something cannot be deleted; the lesson continues.
        """
        if not sure:
            raise IllegalAction("erasing-not-confirmed", "confirm that the class is to be erased for good")
        with self._busy:
            folder = self._find_folder()
            before = portfolio.written_before(folder)
            kept = self._save_rules(folder) if keep_rules else []
            portfolio.delete_files(folder, [*(name for name in before if name not in kept), portfolio.CONTENTS])
            copies = erase_store(self.file) if self.file is not None else []
            with suppress(OSError):  # it is not there, or something else is in it
                folder.rmdir()
            self._end()
            self.files = kept
        gone = f"The class is erased{', with its copies ' + join_words(copies) if copies else ''}."
        return f"{gone} The rules are in {folder.resolve()}." if kept else gone

    def _save_rules(self, folder: Path) -> list[str]:
        """Save the rules of each table; return the names of the files.

        Raises
        ------
        RecordError
            A table has rules that no file can hold; nothing is written.
        """
        rules, faults = portfolio.rule_files(self.games)
        if faults:
            raise RecordError("rules-not-saved", "{faults} Nothing is erased", faults=" ".join(faults))
        texts = {f"{portfolio.safe_file_name(name)}.md": text for name, text in rules}
        write_files(folder, texts)
        return list(texts)

    def _end(self) -> None:
        """End the lesson: the door closes, all pages are closed, and phones are told to forget their passes."""
        self.ended, door = True, self.door
        door.open = False
        for phone in [phone for pupil in door.pupils.values() for phone in pupil.phones]:
            phone.tell(END_MESSAGE)
        for arrival in door.arrivals.values():
            arrival.phone.tell(END_MESSAGE)
        door.pupils.clear()
        door.arrivals.clear()
        door.names = ()
        self.topics, self.missing = {}, []
        for room in self.rooms.values():
            room.close_pages(ENDED)
            room.pool.shutdown(wait=False)

    def to_data(self) -> Json:
        """Return what the host sees of the end, as JSON data."""
        return {
            "ended": self.ended, "folder": str(self.folder.resolve()) if self.folder and self.files else "",
            "files": self.files, "missing": self.missing, "topics": self.topics,
        }  # fmt: skip
