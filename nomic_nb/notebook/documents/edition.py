"""An author's choices for a document: title, event, annotator, chapters and contents."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cache, partial
from typing import TypedDict

from nomic_nb.chess.record.moves import events_by_number
from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import check_text_storable
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.study.plots import NAMES as PLOTS

#: What a record can have in it, in its order.
DOCUMENT_PARTS = (
    "contents", "moves", "game", "pictures", "comments", "side lines", "taken back", "judgments", "law", "ledger",
)  # fmt: skip
#: Letters of a title or a heading, and of an introduction.
LONGEST_HEADING, LONGEST_INTRODUCTION = 200, 20_000
#: Chapters that a record has at most.
MOST_CHAPTERS = 200
_PLACE_PATTERN = re.compile(r"(turn|ply|event|proposal)\s+(\S+)")

#: Headings by what they come before, or one for each turn.
ChapterTitles = Mapping[str | int, str] | Sequence[str]


class EditionOptions(TypedDict, total=False):
    """The keyword arguments of `Game.to_html` and `Game.to_markdown`; each is a field of `Edition`."""

    title: str
    event: str
    players: Mapping[str, str]
    date: str
    annotator: str
    introduction: str
    chapters: ChapterTitles
    fold: Collection[str]
    tallies: str
    hide: Collection[int]
    plots: Collection[str]
    embed: bool
    parts: Collection[str]
    without: Collection[str]


@frozen
class Edition:
    """An author's choices for a game's document: title page, chapter headings, and parts to include or leave out.

    Parameters
    ----------
    title : str
        Title of the document; default “A game of …”.
    event, date : str
        Event and date of the game.
    players : mapping of str to str
        Names for the title page, keyed by the players' names in the game.
    annotator : str
        Author of the comments.
    introduction : str
        Paragraphs and lists that come before everything else, with ``*emphasis*``, ``**strong words**``,
        ``[links](https://…)`` and footnotes (``[^1]``, and ``[^1]: …`` in a paragraph of its own). “rule 309”, “313”,
        “move 7” and “turn 3” are links, if the game has them.
    chapters : mapping or sequence of str
        Headings, keyed by the place they come before: ``{"turn 1": "The opening", "ply 7": "A tube"}``. ``event 40``
        and ``proposal 303`` work as well, and a number alone means a turn. A list has one heading per turn, starting
        with the first turn; an empty text means no heading. Anything after the first line is prose as in the
        introduction.
    fold : collection of str
        Counters, deeds, acts and kinds of event, such as ``["karma", "report"]``; a run of them becomes one line.
    tallies : str
        ``full``, or ``short`` for one line for each vote.
    hide : collection of int
        Numbers of events to leave out of the record; the title page says which.
    plots : collection of str
        Plots to show, such as ``["scores", "margins"]``; `Game.plots` has them.
    embed : bool
        Whether the page is shown inside another one, without title page and contents.
    parts, without : collection of str
        Parts to include and parts to leave out, from `DOCUMENT_PARTS`; default all of them.

    Raises
    ------
    ValueError
        There is no such part, or the chapters or texts are not valid.

    Examples
    --------
    >>> Edition(without=["ledger"]).has_part("ledger"), Edition(parts=["moves"]).has_part("moves")
    (False, True)
    >>> Edition(parts=["boards"])
    Traceback (most recent call last):
    nomic_nb.engine.errors.WrongValue: a record has no part called “boards”. Its parts are contents, moves, game, ...
    """

    title: str = ""
    event: str = ""
    players: Mapping[str, str] = field(default_factory=dict)
    date: str = ""
    annotator: str = ""
    introduction: str = ""
    chapters: ChapterTitles = ()
    fold: Collection[str] = ()
    tallies: str = "full"
    hide: Collection[int] = ()
    plots: Collection[str] = ()
    embed: bool = False
    parts: Collection[str] = DOCUMENT_PARTS
    without: Collection[str] = ()

    def __post_init__(self) -> None:
        for name in ("title", "event", "date", "annotator"):
            check_text_storable(name, getattr(self, name), LONGEST_HEADING)
        check_text_storable("introduction", self.introduction, LONGEST_INTRODUCTION)
        if self.tallies not in ("full", "short"):
            raise WrongValue("no-such-tallies", "tallies must be full or short, not {found!r}", found=self.tallies)
        for name in ("parts", "without", "fold", "hide", "plots"):
            given = getattr(self, name)
            if isinstance(given, str) or not isinstance(given, Iterable):
                raise WrongValue(
                    "parts-not-a-list",
                    "{argument} must be a list, not {found!r}",
                    argument=name,
                    found=given,
                )
            known = {"plots": PLOTS, "parts": DOCUMENT_PARTS, "without": DOCUMENT_PARTS}.get(name, ())
            for part in given if known else ():
                if part not in known:
                    raise WrongValue(
                        "no-such-part-of-a-record",
                        "a record has no {kind} called “{part}”. Its {kind}s are {known}",
                        kind="plot" if name == "plots" else "part",
                        part=part,
                        known=", ".join(known),
                    )
        if not isinstance(self.players, Mapping):
            raise WrongValue(
                "players-not-by-name",
                "players must give, for each player’s name, the name on the title page; you gave {found!r}",
                found=self.players,
            )
        for name, called in self.players.items():
            check_text_storable(f"players[{name!r}]", called, LONGEST_HEADING)
        if isinstance(self.chapters, str) or len(self.chapters) > MOST_CHAPTERS:
            raise WrongValue(
                "too-many-chapters",
                "chapters must be a list or a dict of at most {most} headings; you gave {found!r}",
                most=MOST_CHAPTERS,
                found=str(self.chapters)[:40],
            )
        for _, text in self._given_headings():
            heading, _, prose = text.partition("\n") if isinstance(text, str) else (text, "", "")
            check_text_storable("heading of a chapter", heading, LONGEST_HEADING)
            check_text_storable("prose of a chapter", prose, LONGEST_INTRODUCTION)

    def has_part(self, part: str) -> bool:
        """Tell whether the document includes a part, one of `DOCUMENT_PARTS` such as “moves”."""
        return part in self.parts and part not in self.without

    def title_page_names(self, game: BaseGame) -> dict[str, str]:
        """Return a dict from each player's name in the game to their name on the title page.

        Raises
        ------
        ValueError
            A name does not belong to any player.
        """
        for name in self.players:
            if name not in game.players:
                raise WrongValue(
                    "nobody-of-this-name-in-the-record",
                    "no player is called “{player}”. The players are {players}",
                    player=str(name)[:40],
                    players=", ".join(game.players),
                )
        return {name: self.players.get(name, name) for name in game.timeline.setting.players}

    def chapter_headings(self, timeline: Timeline) -> list[tuple[int, str]]:
        """Return pairs of event number and chapter text, sorted; each text comes before that event.

        Raises
        ------
        ValueError
            There is no such turn, move, proposal or event.
        """
        known = cache(partial(events_by_number, timeline))
        last = len(timeline.moments)
        for seq in self.hide:
            if isinstance(seq, bool) or not isinstance(seq, int) or not 1 <= seq <= last:
                raise WrongValue(
                    "hides-no-event",
                    "hide takes numbers of events, 1 to {last}; you gave {found!r}",
                    last=last,
                    found=seq,
                )
        return sorted((_event_at_chapter_start(known, where), heading) for where, heading in self._given_headings())

    def _given_headings(self) -> list[tuple[str | int, str]]:
        """Return pairs of place and heading as the author gave them; a place is “ply 7” or a turn number."""
        if isinstance(self.chapters, Mapping):
            return list(self.chapters.items())
        return [(at, heading) for at, heading in enumerate(self.chapters, 1) if heading != ""]


#: A record as it is by itself.
PLAIN_EDITION = Edition()


def _event_at_chapter_start(find_events: Callable[[str], dict[str, int]], where: str | int) -> int:
    """Return the number of the event at a place, “ply 7” or 3 for turn 3, found with `find_events`; raise if none.

    Parameters
    ----------
    find_events : callable
        Returns, for “turn”, “ply”, “event” or “proposal”, the numbers of events by the numbers of those.
    where : str or int
        The place as the author gave it; a number is that of a turn.
    """
    number = isinstance(where, int) and not isinstance(where, bool)
    match = _PLACE_PATTERN.fullmatch(f"turn {where}" if number else str(where))
    if match is None:
        forms = "“turn 3”, “ply 7”, “proposal 303”, “event 40” or the number of a turn"
        raise WrongValue(
            "chapter-place-unreadable", "a chapter can start at {forms}, not at {found!r}", forms=forms, found=where
        )
    known = find_events(match[1])
    if match[2] not in known:
        there = f"{next(iter(known))} to {[*known][-1]}" if known else "none"
        raise WrongValue(
            "chapter-begins-nowhere",
            "no chapter can start at “{where}”: the game has no such {what} (it has {there})",
            where=where,
            what=match[1],
            there=there,
        )
    return known[match[2]]
