"""Tables of a game recorded elsewhere: read as text and checked by themselves, nothing guessed and nothing run."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from itertools import pairwise, takewhile
from pathlib import Path
from types import SimpleNamespace as Record
from typing import Any, NamedTuple, TypeAlias

from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.law.changes import CHANGE_KINDS, parse_rule_number
from nomic_nb.engine.law.confusables import confusable_form, is_invisible
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.events import number_from_json
from nomic_nb.engine.words import join_words

#: Bytes, rows and columns of a table, and letters of a cell; problems that are listed.
LARGEST_TABLE, MOST_ROWS, MOST_COLUMNS, LONGEST_CELL, MOST_PROBLEMS = 8 * 2**20, 50_000, 200, 20_000, 500
#: The columns of each table with what is in them; those with an exclamation mark are needed.
COLUMNS = {
    "proposals": "number:number! proponent:name! kind:kind target:number title:text wording:text law:text opened:time "
                 "closed:time outcome:outcome votes:votes for:amount against:amount abstain:amount rule_number:amount "
                 "link:text",
    "ballots": "proposal:proposal! voter:name! ballot:ballot! at:time weight:amount",
    "facts": "when:when! proposal:proposal! what:fact!",
    "scores": "after:proposal! player:name! value:amount! counter:text",
}  # fmt: skip
#: What ballots and outcomes are called in records.
BALLOT_WORDS = {
    "for": "for yes y yea aye +1 up 👍 pro favour favor support",
    "against": "against no n nay -1 down 👎 con oppose",
    "abstain": "abstain abstention abstained 0 present",
}
OUTCOME_WORDS = {
    "adopted": "adopted passed passes pass accepted approved carried enacted merged",
    "failed": "failed fails fail defeated rejected lost lapsed withdrawn closed",
}
WHEN = ("before", "during", "after")
WORDS: dict[str, Collection[str]] = {
    "kind": CHANGE_KINDS, "when": WHEN, "ballot": BALLOT_WORDS, "outcome": OUTCOME_WORDS,
}  # fmt: skip
#: What a fact can be, as it is written.
FACTS = re.compile(
    r"(?P<kind>say|report) (?P<who>[^:]+): (?P<text>.+)|(?P<kind2>join|leave|away|back) (?P<who2>.+)"
    r"|(?P<kind3>set) (?P<counter>\w+) of (?P<who3>[^:]+): (?P<value>\S+)|(?P<kind4>throw) (?P<value2>\d{1,9})",
    re.DOTALL,
)
#: The line below the heads of a table in Markdown.
_BELOW_HEADS = re.compile(r"\s*\|?(\s*:?-+:?\s*\|)+(\s*:?-+:?)?\s*")
FACT_FORMS = "say Ann: …, report Ann: …, join Ann, leave Ann, away Ann, back Ann, set points of Ann: 5, throw 5"

Source: TypeAlias = object
Rows: TypeAlias = "list[dict[str, str]]"


class Problem(NamedTuple):
    """What is wrong in a table: where, and what would be right; row 1 is the first one below the heads."""

    table: str
    row: int | None
    column: str
    problem: str


# -------------------------------------------------------------------------------------------------- reading a table


def read_rows(source: Source, table: str) -> tuple[list[str], Rows]:
    """Return the column names of a table, and its rows with each cell as text.

    Parameters
    ----------
    source : str, Path or DataFrame
        A file in CSV or Markdown, the text of one (with at least two lines), or a frame.
    table : str
        What the table is called in errors.

    Raises
    ------
    ValueError
        It is too large, or no such table.
    """
    if isinstance(source, (str, Path)):
        heads, *lines = lines_of_text(_text_of(source, table), table) or [[]]
    elif hasattr(source, "columns"):
        frame: Any = source
        heads, lines = [*map(str, frame.columns)], [[]] * len(frame)
        if len(heads) <= MOST_COLUMNS and len(frame) <= MOST_ROWS:
            lines = frame.astype("string").fillna("").to_numpy().tolist()
    else:
        raise _refusal(table, "it must be a data frame, the path of a file, or text with several lines")
    heads = [head.strip() for head in heads]
    if len(heads) > MOST_COLUMNS or len(lines) > MOST_ROWS:
        most = f"a table can have at most {MOST_COLUMNS} columns and {MOST_ROWS} rows"
        raise _refusal(table, f"{most}; you gave {len(heads)} columns and {len(lines)} rows")
    column, times = Counter(map(str.casefold, heads)).most_common(1)[0] if heads else ("", 1)
    if times > 1:
        raise _refusal(table, f"column “{column[:40]}” is there twice")
    lines = [line if any(line) else [""] * len(heads) for line in lines]
    for at, line in enumerate(lines, 1):
        if len(line) != len(heads):
            raise _refusal(f"{table}, row {at}", f"{len(line)} cells, but the table has {len(heads)} columns")
        if long := [head for head, cell in zip(heads, line, strict=True) if len(cell) > LONGEST_CELL]:
            raise _refusal(
                f"{table}, row {at}, column {long[0][:40]}", f"at most {LONGEST_CELL} characters fit in a cell"
            )
    return heads, [dict(zip(heads, line, strict=True)) for line in lines]


def _refusal(where: str, why: str) -> WrongValue:
    """Return the error that a table cannot be used."""
    return WrongValue("table-unusable", "{where}: {why}", where=where, why=why)


def _outline(name: str) -> str:
    """Return a name as it looks: two that differ by blanks, capitals, lookalike or invisible letters get the same."""
    return confusable_form("".join(letter for letter in name if not is_invisible(letter))).casefold()


def _text_of(source: str | Path, table: str) -> str:
    """Return the text of a table that is a text of several lines, or the path of a file."""
    inline = isinstance(source, str) and "\n" in source
    if (len(str(source)) if inline else Path(source).stat().st_size) > LARGEST_TABLE:
        raise _refusal(table, f"a table can have at most {LARGEST_TABLE} bytes")
    try:
        return str(source) if inline else Path(source).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise _refusal(table, "the file must be UTF-8 text") from None


def lines_of_text(text: str, table: str) -> list[list[str]]:
    """Return the rows of a table in CSV or Markdown as lists of cells, the heads first.

    The apostrophe that keeps a spreadsheet from running a cell is no part of it.
    """
    from nomic_nb.study.game_frame import FORMULA_SIGNS

    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    rule = next((at for at, line in enumerate(lines) if at and len(line) < 2000 and _BELOW_HEADS.fullmatch(line)), None)
    if rule is not None:  # the first table in Markdown, whatever is written around it
        below = takewhile(lambda line: "|" in line, lines[rule + 1 :])
        split = [
            re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
            for line in (lines[rule - 1], *below)
        ]
        rows = [[cell.strip().replace("\\|", "|").replace("<br>", "\n") for cell in row] for row in split]
    else:
        try:
            rows = list(csv.reader(io.StringIO(text.strip("\r\n"), newline=""), strict=True))
        except csv.Error as error:
            raise _refusal(table, f"this is no CSV: {error}") from None
    return [[cell[1:] if cell[:1] == "'" and cell[1:2] in FORMULA_SIGNS else cell for cell in row] for row in rows]


# ------------------------------------------------------------------------------------------------- checking a table


class TableReader:
    """Reads the tables of a record, and notes every problem with its table, row and column.

    A row becomes a `Record` with its columns as attributes, and `row`, its number; what is not there is None.

    Parameters
    ----------
    players : sequence of str
        Names of everyone who plays from the beginning.
    given : mapping of str to str
        Words for ballots and outcomes beside the usual ones: ``{"fine by me": "for"}``.
    successive : bool
        Whether proposals have successive numbers, so that gaps are a problem.
    """

    def __init__(self, players: Sequence[str], given: Mapping[str, str], *, successive: bool) -> None:
        self.names, self.problems, self.more, self._successive = list(players), list[Problem](), 0, successive
        known = BALLOT_WORDS | OUTCOME_WORDS
        if wrong := [meaning for meaning in given.values() if meaning not in known]:
            raise _refusal("words", f"a word can mean {', '.join(known)}, not {str(wrong[0])[:40]!r}")
        self._meanings = {word: meaning for meaning, words in known.items() for word in words.split()}
        self._meanings |= {word.casefold(): meaning for word, meaning in given.items()}
        self._zones, self._numbers = dict[bool, str](), set[Number]()
        #: Each table as it was read: its heads and rows.
        self.raw = dict[str, tuple[list[str], Rows]]()

    def note(self, table: str, row: int | None, column: str, problem: str) -> None:
        """Note a problem."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(table, row, column, problem))
        else:
            self.more += 1

    def read(self, tables: Mapping[str, Source | None]) -> list[Record]:
        """Return the proposals of the record, each with its ballots, facts and scores."""
        for name, source in tables.items():
            if source is not None:
                self.raw[name] = read_rows(source, name)
        told = "\n".join(cell for _, rows in self.raw.values() for row in rows for cell in row.values())
        joins = re.findall(r'^join (.+)$|enter player "([^"\n]+)"', told, re.MULTILINE)  # by facts and by clauses
        self.names += [who for who in dict.fromkeys(map("".join, joins)) if who not in self.names]
        found = dict[Number, Record]()
        for proposal in self._records("proposals"):
            if proposal.number in found:
                before = found[proposal.number].row
                self.note("proposals", proposal.row, "number", f"{proposal.number} is in row {before} already")
            elif self._check_proposal(proposal):
                found[proposal.number] = proposal
        self._numbers = set(found)
        for before, after in pairwise(sorted(number for number in found if isinstance(number, int))):
            if self._successive and after > before + 1:
                gap = f"{before + 1}" if after == before + 2 else f"{before + 1} to {after - 1}"
                self.note("proposals", None, "number", f"{gap} missing")
        for table, key in (("ballots", "proposal"), ("facts", "proposal"), ("scores", "after")):
            for proposal in found.values():
                setattr(proposal, table, [])
            for record in self._records(table):
                getattr(found[getattr(record, key)], table).append(record)
        for proposal in found.values():
            self._check_ballots(proposal)
            self._drop_second_scores(proposal)
        return [*found.values()]

    def _records(self, table: str) -> Iterator[Record]:
        """Yield the rows of a table that can be used."""
        if table not in self.raw:
            return
        heads, rows = self.raw[table]
        numbered = [(at, row) for at, row in enumerate(rows, 1) if any(row.values())]  # blank rows count, too
        kinds = dict(column.split(":") for column in COLUMNS[table].split())
        named = {head: head.casefold() for head in heads}
        if table == "scores" and "player" not in named.values() and "after" in named.values():
            numbered = [(at, {**row, "player": head, "value": row[head]}) for at, row in numbered for head in heads
                        if named[head] not in kinds and row[head].strip()]  # fmt: skip
            named |= {"player": "player", "value": "value"}
        if missing := [name for name, kind in kinds.items() if kind[-1] == "!" and name not in named.values()]:
            raise _refusal(table, f"there is no column {join_words(missing)}; it can have {', '.join(kinds)}")
        for head in heads if table != "scores" else ():
            if named[head] not in kinds:
                self.note(table, None, head[:40], f"unknown column, which is not read; it can have {', '.join(kinds)}")
        for at, cells in numbered:
            record, usable = Record(row=at), True
            texts = {named[head]: text for head, text in cells.items() if head in named}
            for column, kind in kinds.items():
                text, value = texts.get(column, ""), None
                try:
                    if text.strip():
                        value = self._read(kind.rstrip("!"), text)
                    elif kind[-1] == "!":
                        raise ValueError(f"there is no {column}")
                except ValueError as misfit:
                    self.note(table, record.row, column, str(misfit))
                    usable = usable and kind[-1] != "!" and column not in ("kind", "target")
                setattr(record, column, value)
            if usable:
                yield record

    # ------------------------------------------------------------------------------------------------- single cells

    def _read(self, kind: str, text: str) -> Any:
        if kind in WORDS:
            return self._read_word(text, WORDS[kind])
        return text.strip() if kind == "text" else getattr(self, f"_read_{kind}")(text)

    def _read_name(self, text: str) -> str:
        if text in self.names:
            return text
        near = [name for name in self.names if _outline(name) == _outline(text)]
        about = (
            f"; it differs from “{near[0]}” only in blanks, capitals, or similar or invisible letters" if near else ""
        )
        raise ValueError(f"nobody is called “{text[:40]}”{about}")

    def _read_number(self, text: str) -> Number:
        text = re.sub(r"^(-?\d+)\.0$", r"\1", text.strip().removeprefix("#"))  # as frames write it
        if not re.fullmatch(r"-?\d{1,15}|[A-Za-z]\w{0,20}(\.\d{1,6}){0,2}", text):
            raise ValueError(f"“{text[:40]}” is no number")
        return parse_rule_number(text)

    def _read_proposal(self, text: str) -> Number:
        number = self._read_number(text)
        if number not in self._numbers:
            raise ValueError(f"there is no proposal “{text[:40]}”")
        return number

    def _read_amount(self, text: str) -> int | Fraction:
        match = re.fullmatch(r"([+-]?\d{1,12}(?:\.\d{1,9})?)(?:/([1-9]\d{0,11}))?", text.strip().replace("−", "-"))
        if match is None:
            raise ValueError(f"“{text[:40]}” is no number")
        return number_from_json(str(Fraction(match[1]) / int(match[2] or 1)))

    def _read_time(self, text: str) -> datetime:
        try:
            time = datetime.fromisoformat(re.fullmatch(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?", text.strip())[0])  # type: ignore[index]
        except (ValueError, TypeError):
            raise ValueError(f"“{text[:40]}” isn’t a time like 2026-11-22 18:00") from None
        zoned = time.tzinfo is not None
        self._zones.setdefault(zoned, text[:40])
        if len(self._zones) > 1 and next(iter(self._zones)) != zoned:
            raise ValueError(
                f"one time has a zone and the other none, so it can’t be compared with {self._zones[not zoned]}"
            )
        return time.astimezone(UTC).replace(tzinfo=None) if zoned else time

    def _read_word(self, text: str, known: Collection[str]) -> str:
        word = text.strip().casefold()
        meaning = word if word in known else self._meanings.get(word, "")
        if meaning not in known:
            other = "" if known in (CHANGE_KINDS, WHEN) else ", or explain it with words={…}"
            raise ValueError(f"“{text[:40]}” is unknown; write {join_words([*known], 'or')}{other}")
        return meaning

    def _read_votes(self, text: str) -> dict[str, int]:
        match = re.fullmatch(r"(\d{1,6})\s*([/–-])\s*(\d{1,6})(?:\s*[–-]\s*(\d{1,6}))?", text.strip())
        if match is None or (match[2] == "/" and int(match[1]) > int(match[3])):
            raise ValueError(f"“{text[:40]}” must be like 4/5 (4 of 5) or 4-1 (4 for, 1 against)")
        for_it, other = int(match[1]), int(match[3])
        totals = {"for": for_it, "against": other - for_it if match[2] == "/" else other}
        return totals | ({"abstain": int(match[4])} if match[4] else {})

    def _read_fact(self, text: str) -> Record:
        match = FACTS.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"“{text[:40]}” must be like one of these: {FACT_FORMS}")
        given = {name.rstrip("234"): words for name, words in match.groupdict().items() if words is not None}
        fact = Record(**{"who": "", "text": "", "counter": "", "value": "0"} | given)
        fact.who, fact.value = fact.who and self._read_name(fact.who), self._read_amount(fact.value)
        return fact

    # ------------------------------------------------------------------------------------------------- whole records

    def _check_proposal(self, one: Record) -> bool:
        """Complete the record of a proposal and check it; tell whether it can be used."""
        one.kind, one.totals = one.kind or "enact", dict(one.votes or {})
        for side in BALLOT_WORDS:
            total = getattr(one, side)
            if total is not None and one.totals.setdefault(side, total) != total:
                self.note("proposals", one.row, side, f"{total} here, but {one.totals[side]} by the column votes")
        if one.opened and one.closed and one.closed < one.opened:
            self.note("proposals", one.row, "closed", "it closes before it opens; both times are left out")
            one.opened = one.closed = None
        if one.kind != "enact" and one.target is None:
            self.note("proposals", one.row, "target", f"there is no rule to {one.kind}")
            return False
        return True

    def _check_ballots(self, one: Record) -> None:
        """Check who votes on a proposal, and the totals; a ballot that is there twice is left out."""
        by_voter = dict[str, list[Record]]()
        for ballot in one.ballots:
            by_voter.setdefault(ballot.voter, []).append(ballot)
            if ballot.at and one.opened and ballot.at < one.opened:
                self.note("ballots", ballot.row, "at", f"{ballot.voter} votes before {one.number} is open")
        gone = list[Record]()
        for voter, (first, *others) in by_voter.items():
            same = all(other.ballot == first.ballot for other in others)
            if same or not all(other.at for other in (first, *others)):  # otherwise it is changed later
                gone += others if same else [first, *others]
                for other in others:
                    how = "twice" if same else "on both sides, so neither ballot counts"
                    self.note(
                        "ballots", other.row, "voter", f"{voter} votes {how} on {one.number}: see row {first.row}"
                    )
        recorded, one.ballots = one.ballots, [ballot for ballot in one.ballots if ballot not in gone]
        for side, total in one.totals.items() if recorded else ():
            cast = [1 if ballot.weight is None else ballot.weight for ballot in one.ballots if ballot.ballot == side]
            if total not in (sum(cast), len(cast)):
                self.note("proposals", one.row, "votes", f"{total} {side}, but the ballots give {sum(cast)}")
        if one.outcome and not recorded and not one.totals:
            self.note("proposals", one.row, "outcome", f"{one.number} has an outcome, but no ballots or totals")

    def _drop_second_scores(self, one: Record) -> None:
        """Leave out, and note, scores that are there twice after a proposal."""
        kept = dict[tuple[str, str], Record]()
        for score in one.scores:
            score.counter = score.counter or "points"
            if kept.setdefault((score.player, score.counter), score) is not score:
                self.note(
                    "scores", score.row, "player", f"{score.player} already has {score.counter} after {one.number}"
                )
        one.scores = [*kept.values()]
