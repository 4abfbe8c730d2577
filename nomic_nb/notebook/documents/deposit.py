"""A record to be deposited and cited: names replaced by pseudonyms, files in a folder, citations."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nomic_nb.engine.errors import RecordError, WrongValue
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.record.log import record_lines
from nomic_nb.notebook.documents.annotated import document_title, to_html, write_files
from nomic_nb.notebook.documents.authored import edition_fingerprint, play_fingerprint
from nomic_nb.notebook.documents.edition import Edition
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.study.frames import column_types, make_frame
from nomic_nb.study.review.pivots import pivots_frame

if TYPE_CHECKING:
    import pandas as pd

LOOKALIKE_COLUMNS = column_types("int64: event; string: word text")
_BIBTEX_SIGNS = re.compile(r"([&%$#_])|[\\{}~^]")


def with_pseudonyms(game: BaseGame, names: Mapping[str, str]) -> tuple[Timeline, pd.DataFrame]:
    """Return a game played again with other names, and a table of words that only look like the old ones.

    Raises
    ------
    ValueError
        A name that nobody has, or that two players would have.
    RecordError
        With these names the game would go on differently; the message names the event.
    """
    old, players = game.timeline, game.players
    unknown = [name for name in names if name not in players]
    after = [names.get(name, name) for name in players]
    if unknown or not names:
        raise WrongValue(
            "pseudonym-for-nobody",
            "give a new name for each player, e.g. {{{player!r}: 'North'}}; {found} doesn’t play",
            player=players[0],
            found=f"“{str(unknown[0])[:40]}”" if unknown else "nobody",
        )
    if len({name.casefold() for name in after}) < len(after):
        raise WrongValue("pseudonyms-alike", "two players would have the same name: {names}", names=", ".join(after))
    words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    whole = re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])")  # also within _emphasis_

    def renamed(value: Any, depth: int = 0) -> Any:
        if isinstance(value, str):
            return whole.sub(lambda found: names[found[0]], value)
        if isinstance(value, Mapping):
            return {names.get(key, key) if depth else key: renamed(item, depth + 1) for key, item in value.items()}
        return [renamed(item, depth + 1) for item in value] if isinstance(value, list | tuple) else value

    setting = old.setting
    new = Timeline(replace(
        setting, players=tuple(renamed(setting.players)), order=tuple(renamed(setting.order)),
        terms=renamed(setting.terms, 1),
    ))  # fmt: skip
    for event in old.events:
        if event.is_action and event.do != "begin":
            try:
                new.repeat_event(replace(event, actor=renamed(event.actor), details=renamed(event.details)))
            except (ValueError, LookupError) as error:
                raise RecordError("pseudonyms-not-played", "event {event}: {why}", event=event.seq, why=error) from None
        happened = new.events[event.seq - 1] if event.seq <= len(new.moments) else None
        if happened is None or (happened.kind, happened.draw) != (event.kind, event.draw):
            raise RecordError(
                "pseudonyms-change-play",
                "with these names the game goes on differently from event {event}. A rule may depend on a name",
                event=event.seq,
            )
    note = say("names-are-pseudonyms", "The names of players in this record are pseudonyms.")
    new.do_as_host("annotate", {"text": str(note), "nag": "", "at": 1})
    like, exact = _lookalikes(names), re.compile(whole.pattern, re.IGNORECASE)
    acts = ((event.seq, like, event.details) for event in new.events[:-1] if event.is_action)
    told = [(0, exact, json.loads(next(iter(record_lines(new))))), *acts]
    rows = {
        (seq, found[0]): text[max(0, found.start() - 40) : found.end() + 40]
        for seq, words_like, data in told
        for text in (unicodedata.normalize("NFKC", one) for one in _texts(data))
        for found in words_like.finditer(text) if found[0] not in after
    }  # fmt: skip
    return new, make_frame(LOOKALIKE_COLUMNS, ((*where, text) for where, text in rows.items()))


def _lookalikes(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of words with a name, or a long word of one, in them; of short ones, words that begin so."""
    parts = {*names, *(part for name in names for part in name.split() if len(part) > 3)}
    known = sorted((re.escape(unicodedata.normalize("NFKC", part)) for part in parts), key=len, reverse=True)
    kinds = [rf"\w*{part}\w*" if len(part) > 3 else rf"(?<![^\W_]){part}\w*" for part in known]
    return re.compile("|".join(kinds), re.IGNORECASE)


def _texts(value: Any) -> Iterator[str]:
    """Yield all texts in plain data, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for pair in value.items() for text in _texts(list(pair)))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def bibtex(game: BaseGame, edition: Edition) -> str:
    """Return the BibTeX entry of a game."""
    year = re.search(r"\b\d{4}\b", edition.date)
    fields = {
        "title": document_title(game, edition), "author": edition.annotator, "year": year[0] if year else "",
        "howpublished": edition.event,
        "note": f"Record of a game of {game.ruleset.title}, fingerprint {play_fingerprint(game)}",
    }  # fmt: skip

    def plain(text: str) -> str:
        return _BIBTEX_SIGNS.sub(lambda found: f"\\{found[1]}" if found[1] else " ", " ".join(text.split()))

    lines = "".join(f"  {name} = {{{plain(text)}}},\n" for name, text in fields.items() if text.strip())
    return f"@misc{{nomic-{play_fingerprint(game)},\n{lines}}}\n"


def citation_file(game: BaseGame, edition: Edition) -> str:
    """Return the text of the file CITATION.cff (Citation File Format 1.2.0)."""
    authors = [edition.annotator] if edition.annotator.strip() else list(edition.title_page_names(game).values())
    try:
        released = {"date-released": date.fromisoformat(edition.date).isoformat()}
    except ValueError:
        released = {}
    facts = {
        "cff-version": "1.2.0", "message": "Please cite this record of a game as below.", "type": "dataset",
        "title": document_title(game, edition), "authors": [{"name": name} for name in authors],
        "version": edition_fingerprint(game, edition), **released,
    }  # fmt: skip
    return "".join(f"{name}: {json.dumps(fact, ensure_ascii=False)}\n" for name, fact in facts.items())  # JSON is YAML


def write_deposit(game: BaseGame, folder: Path, edition: Edition) -> list[str]:
    """Write record, page, tables, PGN and citation of a game into a folder; return the names of the files."""
    tables = {
        "history": game.history, "story": game.story, "rules": game.rules.versions, "proposals": game.proposals.frame,
        "votes": pivots_frame(game.timeline), "ledger": game.ledger.frame,
    }  # fmt: skip
    files = {
        "game.jsonl": "".join(f"{line}\n" for line in record_lines(game.timeline)),
        "game.html": to_html(game, edition), "CITATION.cff": citation_file(game, edition),
        "citation.bib": bibtex(game, edition),
        **{f"{name}.csv": frame.flat.to_csv(index=False, lineterminator="\n") for name, frame in tables.items()},
    }  # fmt: skip
    files |= {"game.pgn": pgn} if (pgn := game.pgn(event=edition.event[:255], annotator=edition.annotator)) else {}
    write_files(folder, files)
    return sorted(files)
