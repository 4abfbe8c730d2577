"""Fingerprints: eight letters by which two can tell, aloud, whether they have the same record."""

from __future__ import annotations

import re

from nomic_nb.engine.errors import RecordError, WrongValue
from nomic_nb.engine.play.lines import Record
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.record.seals import seals

#: No letter that can be taken for another one: neither 0, O, 1 nor I.
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LENGTH = 8


def fingerprint(timeline: Timeline) -> str:
    """Return the fingerprint of a game: eight letters of the hash of the last event's line.

    Each line has the hash of the line before, so whoever compares the letters compares all that happened, and
    all that was agreed before play. What nobody may see yet is left out, as two guesses at a sealed ballot
    would tell it; once the vote is closed it counts.
    """
    with timeline.lock:
        sealed = seals(timeline)
        secret = sealed.telling | sealed.after.keys()
        moments = [one for one in timeline.moments if one[0].seq not in secret] if secret else timeline.moments
        record = Record(timeline.setting) if secret else timeline.record
        number = int(record.after(moments).head[:16], 16)
    return "".join(LETTERS[number >> shift & 31] for shift in range(59, 59 - 5 * LENGTH, -5))


def check_fingerprint(timeline: Timeline, said: str) -> None:
    """Refuse a record that is not the one whose fingerprint was told.

    Raises
    ------
    RecordError
        It has another one.
    ValueError
        This is no fingerprint.
    """
    wanted = re.sub(r"[\s-]", "", str(said)).upper()
    if len(wanted) != LENGTH or not set(wanted) <= set(LETTERS):
        raise WrongValue(
            f"a fingerprint is {LENGTH} letters and digits, without 0, O, 1 and I; found {str(said)[:40]!r}"
        )
    found = fingerprint(timeline)
    if found != wanted:
        raise RecordError(f"this is another record: its fingerprint is {found}, not {wanted}")
