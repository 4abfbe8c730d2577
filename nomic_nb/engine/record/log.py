"""The log: JSON Lines, versioned, each line bound to the one before by its hash.

A header says what was agreed before play; a line an event follows; the last line says how many there
were. Loading does every action once more and compares what follows from it, line by line. So everything is
in it as it was done, sealed ballots too: a record is for whoever may read them.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from nomic_nb.engine.errors import IllegalAction, LawError, RecordError, WrongValue
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.declarations import ACTIONS, HOST_ACTIONS
from nomic_nb.engine.play.events import EVENT_FORM, Event, canonical_json
from nomic_nb.engine.play.game_setup import GameSetup
from nomic_nb.engine.play.record_limits import (
    FORMAT,
    LARGEST_FILE,
    LARGEST_HEADER,
    LARGEST_LINE,
    VERSION,
    RecordExtent,
    hash_of_line,
    line_of_event,
    read_record_line,
    record_header,
)
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.record.seals import current_seals
from nomic_nb.engine.rulesets.literate import read_ruleset
from nomic_nb.engine.words import strip_byte_order_mark

# ----------------------------------------------------------------------------------------------------------- files


#: How a database begins, such as a file in which games are kept.
DATABASE = b"SQLite format 3\0"


def replace_file(path: Path, text: str) -> None:
    """Write a text to a file in one step, so that after a crash it has either the old or the new content.

    Whoever writes to the same path at the same moment has a temporary file of their own: the last one stays.

    Raises
    ------
    RecordError
        It cannot be written there, with the reason; games may be kept in the file that is there.
    """
    if _is_database(path):
        raise RecordError(
            "path-is-database", "{path} is a database that may have games in it. Choose another path", path=path
        )
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else None
        try:
            with part.open("xb") as file:  # a new one: never what another is writing, nor what a link leads to
                if mode is not None:
                    part.chmod(mode)
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
            _sync_folder(path.parent)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise RecordError("not-writable", "can’t write {path}: {why}", path=path, why=error.strerror or error) from None


def _sync_folder(folder: Path) -> None:
    """Flush a folder to the disk, so a power cut cannot undo a renamed file."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _is_database(path: Path) -> bool:
    """Tell whether a file is an SQLite database, in which games may be kept."""
    try:
        if not path.is_file():  # reading from a pipe would wait forever
            return False
        with path.open("rb") as file:
            return file.read(len(DATABASE)) == DATABASE
    except OSError:  # whether it can be written is found by writing
        return False


def too_large_message(most: int, size: int) -> Message:
    """Return the message that a file of `size` bytes exceeds the `most` bytes that a record can have."""
    return say("record-too-large", "this file has {size} bytes; a record can have at most {most}", most=most, size=size)


def read_record_file(path: Path, most: int) -> bytes:
    """Return the bytes of a file; raise `RecordError` if it has more than `most` bytes or cannot be read.

    Parameters
    ----------
    path : Path
        Where it is.
    most : int
        Bytes that it has at most.

    Raises
    ------
    FileNotFoundError
        It is not there.
    RecordError
        It is no file, too long, or cannot be read.
    """
    if path.exists() and not path.is_file():  # reading from a pipe would wait forever
        raise RecordError("not-a-file", "{path} isn’t a file, so it can’t be a record", path=path.name or path)
    try:
        size = path.stat().st_size
        if size > most:
            raise RecordError(too_large_message(most, size))
        return path.read_bytes()
    except PermissionError as error:
        raise RecordError("not-readable", "can’t read {path}: {why}", path=path, why=error.strerror) from None


# --------------------------------------------------------------------------------------------------------- the log


#: What is handed in by mistake, by the bytes with which it begins.
FILE_SIGNATURES = {
    b"PK\x03\x04": "a zip archive (unpack it first)", b"\x1f\x8b": "a gzip archive (unpack it first)",
    b"\xff\xfe": "text in UTF-16 (save it as UTF-8)", b"\xfe\xff": "text in UTF-16 (save it as UTF-8)",
    b"%PDF": "a PDF", b"SQLite format 3": "a database", b"<": "an HTML or XML page",
}  # fmt: skip

#: The fields of a header.
HEADER_FIELDS = frozenset({
    "format", "version", "ruleset", "digest", "text", "players", "seed", "terms", "order", "medium", "incorporated",
})  # fmt: skip


def refuse_trial(timeline: Timeline) -> None:
    """Refuse to save a trial, which would not replay: its dice change where it begins.

    Raises
    ------
    RecordError
        The game is a trial.
    """
    if timeline.on_trial:
        raise RecordError("trial-not-saved", "a trial can’t be saved. Save the game itself, or a branch of it")


def record_lines(timeline: Timeline) -> Iterator[str]:
    """Yield the lines of a game's record as JSON texts: its header, its events and its end; a trial has none."""
    refuse_trial(timeline)
    head = canonical_json(record_header(timeline.setting))
    lines = [head, *lines_of_events(timeline.events, hash_of_line(head))]
    yield from lines
    yield canonical_json({"end": len(lines) - 1, "prev": hash_of_line(lines[-1])})


def lines_of_events(events: Iterable[Event], prev: str) -> Iterator[str]:
    """Yield the record line of each event; each contains the hash of the line before, the first contains `prev`."""
    for event in events:
        line = line_of_event(event, prev)
        prev = hash_of_line(line)
        yield line


def save(timeline: Timeline, path: Path) -> None:
    """Write the record of a game to a file.

    Raises
    ------
    RecordError
        The file cannot be written there.
    """
    with timeline.lock:
        text = "".join(f"{line}\n" for line in record_lines(timeline))
    replace_file(path, text)


def load(path: Path) -> Timeline:
    """Load a game from its record and replay all its actions to check it.

    Raises
    ------
    RecordError
        The file is not a record, or is of a newer version; or a line is broken, moved, altered, from another game, or
        does not follow from the rules. The message names the line.
    """
    data = read_record_file(path, LARGEST_FILE)
    kind = next((sentence for sign, sentence in FILE_SIGNATURES.items() if data.startswith(sign)), "")
    if kind:
        raise RecordError(
            "not-a-record",
            "this isn’t a game record but {kind}. A record is a JSON Lines file, as `save` writes it",
            kind=kind,
        )
    # A line ends as the machine that wrote it ends lines, and some editors put a mark before the first.
    lines = strip_byte_order_mark(data).replace(b"\r\n", b"\n").split(b"\n")
    cut = bool(lines[-1].strip())
    while lines and not lines[-1].strip():  # an editor, or a mail, may have put blank lines after the last
        lines.pop()
    if not lines:
        raise RecordError("file-empty", "the file is empty")
    return RecordReader(lines, cut=cut).read_game()


class RecordReader:
    """Reads lines of a record, and plays what they tell.

    Parameters
    ----------
    lines : list of bytes
        Without line ends.
    cut : bool
        Whether the last one had none.
    first : int
        The number of the first of them: 1 for a header, 2 for the first event.
    prev : str
        The hash of the line before the first of them.
    """

    def __init__(self, lines: list[bytes], *, cut: bool = False, first: int = 1, prev: str = "") -> None:
        self.lines, self.cut, self.first, self.prev = lines, cut, first, prev
        #: How many events there are, with those before these lines.
        self.events = first - 2 + len(lines)

    def read_game(self) -> Timeline:
        """Read a whole record, and return the game.

        Raises
        ------
        RecordError
            With the line.
        """
        try:
            timeline = Timeline(self.read_setting())
        except (LawError, WrongValue) as error:
            raise RecordError(error.said, line=1) from None
        if self.text_of_line(1) != canonical_json(record_header(timeline.setting)):
            raise RecordError("header-altered", "the header isn’t written the way nomic_nb writes it", line=1)
        end = len(self.lines)
        if self.cut:
            raise RecordError(
                "record-cut-off", "the record is cut off: there is no line break after its last line", line=end
            )
        if end < 2 or "end" not in (last := self.parse_line(end)):
            raise RecordError(
                "record-without-end", "the record is cut off: the last line must give the number of events", line=end
            )
        if set(last) != {"end", "prev"} or last["end"] != end - 2:
            raise RecordError(
                "event-count-wrong",
                "the last line says there are {said} events, but the record has {count}",
                said=str(last["end"])[:20],
                count=end - 2,
                line=end,
            )
        self.events = end - 2
        self.play_lines(timeline, 0)
        if last["prev"] != self.hash_before_line(end):
            raise RecordError("line-before-altered", "the line before this one has been altered", line=end)
        if self.text_of_line(end) != canonical_json(last):
            raise RecordError("end-altered", "the last line isn’t written the way nomic_nb writes it", line=end)
        return timeline

    def play_lines(self, timeline: Timeline, at: int) -> None:
        """Repeat in a game the actions recorded after event `at`; raise `RecordError` if the lines do not match it.

        Raises
        ------
        RecordError
            With the line: it cannot happen there, or is not what the rules make of it.
        """
        at = self.compare_with_lines(timeline, at)
        while at < self.events:
            event = self.recorded_act(at)
            before = len(timeline.moments)
            try:
                timeline.repeat_event(event)
            except (IllegalAction, LawError, LookupError, TypeError, ValueError) as error:
                raise RecordError(
                    "cannot-happen-here",
                    "this can’t happen at this point of the game: {error}",
                    error=error,
                    line=at + 2,
                ) from None
            at = self.compare_with_lines(timeline, before)

    def read_setting(self) -> GameSetup:
        """Read the header line of a record; return the game's setup as agreed before play.

        Raises
        ------
        RecordError
            It is no header, or one that this kit does not read.
        LawError, WrongValue
            It agrees on what cannot be.
        """
        head = self.parse_line(1)
        version = head.get("version")
        if head.get("format") != FORMAT:
            raise RecordError(
                "no-such-format", "this isn’t a game record: its format isn’t “{format}”", format=FORMAT, line=1
            )
        if version != VERSION:
            sentence = "which nomic_nb doesn’t know"
            if type(version) is int and version > VERSION:
                sentence = "which is too new for this nomic_nb. Install a newer version"
            elif type(version) is int and version > 0:
                sentence = (
                    f"which is too old for this nomic_nb: records have been written differently since version {VERSION}"
                )
            raise RecordError(
                "format-version-unknown",
                "the record has format version {version}, {why}",
                version=str(version)[:20],
                why=sentence,
                line=1,
            )
        if head.keys() != HEADER_FIELDS:
            odd = ", ".join(sorted(head.keys() ^ HEADER_FIELDS))
            raise RecordError(
                "header-fields",
                "the header must have the fields {fields}. Missing or unexpected: {odd}",
                fields=", ".join(sorted(HEADER_FIELDS)),
                odd=odd[:80],
                line=1,
            )
        if not isinstance(head["text"], str) or hashlib.sha256(head["text"].encode()).hexdigest() != head["digest"]:
            raise RecordError(
                "ruleset-altered", "the text of the rule set has been altered: its digest doesn’t match", line=1
            )
        kinds = {"players": list, "order": list, "terms": dict, "incorporated": dict}
        if not all(isinstance(head[name], kind) for name, kind in kinds.items()):
            raise RecordError(
                "header-kinds",
                "in the header, players and order must be lists, and terms and incorporated must be objects",
                line=1,
            )
        if not all(isinstance(text, str) for text in (head["medium"], *head["order"])):
            raise RecordError(
                "header-texts", "in the header, medium must be text, and order must be a list of names", line=1
            )
        terms = head["terms"]
        if not all(isinstance(value, str) for value in terms.values()):
            raise RecordError(
                "header-terms", "in the header, each value under terms must be an expression as text", line=1
            )
        ruleset = read_ruleset(head["text"], language())
        setting = GameSetup(ruleset, tuple(head["players"]), head["seed"], terms, tuple(head["order"]), head["medium"])
        here = setting.digests_of_incorporated
        other = [name for name in {**head["incorporated"], **here} if head["incorporated"].get(name) != here.get(name)]
        if other:
            raise RecordError(
                "other-ruleset",
                "this game was played with another version of “{ruleset}”: its digest differs",
                ruleset=other[0][:40],
                line=1,
            )
        return setting

    def hash_before_line(self, line: int) -> str:
        """Return the hash of the line that precedes the line with this number."""
        return self.prev if line == self.first else hash_of_line(self.text_of_line(line - 1))

    def text_of_line(self, line: int) -> str:
        """Return the line with this number as text; raise `RecordError` if it is not ASCII."""
        try:
            return self.lines[line - self.first].decode("ascii")
        except UnicodeDecodeError:
            raise RecordError(
                "record-not-ascii",
                "another program has changed letters in this line: a record must be plain ASCII, with other "
                "letters written as \\u…",
                line=line,
            ) from None

    def parse_line(self, line: int) -> dict[str, Any]:
        """Return the JSON object that the line with this number holds."""
        return read_record_line(self.text_of_line(line), LARGEST_HEADER if line == 1 else LARGEST_LINE, line)

    def compare_with_lines(self, timeline: Timeline, start: int) -> int:
        """Raise an error if lines differ from a game's events after event `start`; else return its event count."""
        timeline.record.value_after(timeline.moments)
        for at, (event, written) in enumerate(timeline.record.known[start:], start):
            line = at + 2
            if at >= self.events:
                raise RecordError("record-breaks-off", "the record stops in the middle of a step", line=line)
            if hash_of_line(self.text_of_line(line)) != written.head:
                self.raise_line_error(line, self.hash_before_line(line), event)
        return len(timeline.moments)

    def raise_line_error(self, line: int, prev: str, event: Event) -> None:
        """Raise the error that says why a line is not the record of the event that is due there."""
        fields = self.parse_line(line)
        if fields.get("v") != EVENT_FORM:
            raise RecordError(
                "event-version-unknown",
                "this event is in version {version}, but this nomic_nb can only read version {known}",
                version=str(fields.get("v"))[:20],
                known=EVENT_FORM,
                line=line,
            )
        if fields.get("prev") != prev:
            if fields.get("seq") != line - 1:
                raise RecordError(
                    "lines-missing",
                    "lines are missing or out of order: this is event {event}",
                    event=str(fields.get("seq"))[:20],
                    line=line,
                )
            raise RecordError(
                "line-altered", "this line or the one before was altered, or comes from another game", line=line
            )
        by = f" by {event.actor}" if event.actor else ""
        raise RecordError(
            "rules-make-something-else",
            "replaying the game gives “{due}”{by} here, but the record has “{found}” or different data",
            due=event.kind,
            by=by,
            found=str(fields.get("kind"))[:40],
            line=line,
        )

    def recorded_act(self, at: int) -> Event:
        """Return the action that the record has right after event `at`, as an event that a game can repeat."""
        line = at + 2
        data = self.parse_line(line)
        kind, actor = data.get("kind"), data.get("actor")
        prev = self.hash_before_line(line)
        if data.get("prev") != prev or data.get("v") != EVENT_FORM:
            self.raise_line_error(line, prev, Event(0, 0, 0, None, None, "something"))
        do, details = data.get("do"), data.get("details")
        word = do if isinstance(do, str) else ""
        hosted = word == "undo" or word in HOST_ACTIONS
        done = hosted or (word in ACTIONS and isinstance(actor, str))
        if not done or not isinstance(details, dict):
            raise RecordError(
                "action-due", "this line should record an action, not “{found}”", found=str(kind)[:40], line=line
            )
        failing = data["data"].get("failing") if isinstance(data.get("data"), dict) else None
        known = {"failing": failing} if failing else {}
        return Event(0, 0, 0, None, None if hosted else actor, str(kind), known, do=word, details=details)


# ---------------------------------------------------------------------------------------------------- fingerprints


#: No letter that can be taken for another one: neither 0, O, 1 nor I.
FINGERPRINT_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
FINGERPRINT_LENGTH = 8


def fingerprint(timeline: Timeline) -> str:
    """Return the fingerprint of a game: eight letters and digits made from the hash of its last record line.

    Each line has the hash of the line before, so comparing the letters compares everything that happened and
    everything that was agreed before play. Secrets are left out, because the letters would give away a sealed ballot
    after two guesses; once the vote has closed, the ballot counts.
    """
    with timeline.lock:
        sealed = current_seals(timeline)
        secret = sealed.telling | sealed.after.keys()
        moments = [moment for moment in timeline.moments if moment[0].seq not in secret] if secret else timeline.moments
        record = RecordExtent(timeline.setting) if secret else timeline.record
        number = int(record.value_after(moments).head[:16], 16)
    return "".join(FINGERPRINT_LETTERS[number >> shift & 31] for shift in range(59, 59 - 5 * FINGERPRINT_LENGTH, -5))


def check_fingerprint(timeline: Timeline, expected: str) -> None:
    """Raise `RecordError` if a game's fingerprint is not `expected`, `ValueError` if that is no fingerprint.

    Raises
    ------
    RecordError
        It has another one.
    ValueError
        This is no fingerprint.
    """
    wanted = re.sub(r"[\s-]", "", str(expected)).upper()
    if len(wanted) != FINGERPRINT_LENGTH or not set(wanted) <= set(FINGERPRINT_LETTERS):
        raise WrongValue(
            "fingerprint-malformed",
            "a fingerprint has {length} characters: letters and digits, but never 0, O, 1 or I. You gave “{found}”",
            length=FINGERPRINT_LENGTH,
            found=str(expected)[:40],
        )
    actual = fingerprint(timeline)
    if actual != wanted:
        raise RecordError(
            "fingerprint-differs",
            "this is a different record: its fingerprint is {found}, not {wanted}",
            found=actual,
            wanted=wanted,
        )
