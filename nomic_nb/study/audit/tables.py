"""Tables of a game recorded elsewhere: read as text and checked by themselves, nothing guessed and nothing run."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import CHANGE_KINDS, parse_rule_number
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.events import number_from_json
from nomic_nb.engine.words import join_words

#: Bytes, rows and columns of a table, and letters of a cell.
LARGEST_TABLE, MOST_ROWS, MOST_COLUMNS, LONGEST_CELL = 8 * 2**20, 50_000, 200, 20_000
#: Problems that are listed; of more, only how many there are.
MOST_PROBLEMS = 500
#: The columns of each table; those before the stroke are needed.
COLUMNS = {
    "proposals": "number proponent | kind target title wording law opened closed outcome votes for against abstain "
                 "rule_number link",
    "ballots": "proposal voter ballot | at weight",
    "facts": "when proposal what",
    "scores": "after player counter value",
}  # fmt: skip
#: What ballots and outcomes are called in records.
BALLOT_WORDS = {
    "for": "for yes y aye +1 up 👍 pro favour favor support",
    "against": "against no n nay -1 down 👎 con oppose",
    "abstain": "abstain abstention abstained 0 present",
}
OUTCOME_WORDS = {
    "adopted": "adopted passed passes pass accepted approved carried enacted merged",
    "failed": "failed fails fail defeated rejected lost lapsed withdrawn closed",
}
WHEN = ("before", "during", "after")
#: What a fact can be, with what is written for each.
FACTS = {
    "say": r"say (?P<who>[^:]+): (?P<text>.+)", "report": r"report (?P<who>[^:]+): (?P<text>.+)",
    **{kind: rf"{kind} (?P<who>.+)" for kind in ("join", "leave", "away", "back")},
    "set": r"set (?P<counter>\w+) of (?P<who>[^:]+): (?P<value>\S+)", "throw": r"throw (?P<value>\d{1,9})",
}  # fmt: skip
FACT_FORMS = "say Ann: …, report Ann: …, join Ann, leave Ann, away Ann, back Ann, set points of Ann: 5, throw 5"

Source: TypeAlias = object
Rows: TypeAlias = "list[dict[str, str]]"


class Problem(NamedTuple):
    """What is wrong in a table: where, and what would be right; row 1 is the first one below the heads."""

    table: str
    row: int | None
    column: str
    problem: str


@frozen
class RecordedBallot:
    """A ballot of the record."""

    row: int
    voter: str
    ballot: str
    at: datetime | None = None
    weight: int | Fraction | None = None


@frozen
class RecordedFact:
    """Something else that happened before, during or after a vote."""

    row: int
    when: str
    kind: str
    who: str = ""
    text: str = ""
    counter: str = ""
    value: int | Fraction | None = None


@frozen
class RecordedScore:
    """What the record says that a counter of a player is after a proposal."""

    row: int
    player: str
    counter: str
    value: int | Fraction


@frozen
class RecordedProposal:
    """A proposal of the record, with everything that the tables say about it."""

    row: int
    number: Number
    proponent: str
    kind: str = "enact"
    target: Number | None = None
    title: str = ""
    wording: str = ""
    law: str | None = None
    opened: datetime | None = None
    closed: datetime | None = None
    outcome: str = ""
    totals: Mapping[str, int | Fraction] = field(default_factory=dict)
    rule_number: int | None = None
    link: str = ""
    ballots: tuple[RecordedBallot, ...] = ()
    facts: tuple[RecordedFact, ...] = ()
    scores: tuple[RecordedScore, ...] = ()


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
    if hasattr(source, "columns") and hasattr(source, "itertuples"):
        frame: Any = source
        _check_size(table, len(frame.columns), len(frame))
        heads = [str(head) for head in frame.columns]
        lines = [[_cell_of_frame(cell) for cell in row] for row in frame.itertuples(index=False, name=None)]
    else:
        heads, *lines = lines_of_text(_text_of(source, table), table) or [[]]
        _check_size(table, len(heads), len(lines))
    heads = [head.strip() for head in heads]
    if twice := [head for head, count in Counter(heads).items() if count > 1]:
        raise WrongValue("column-twice", "{table}: column “{column}” is there twice", table=table, column=twice[0][:40])
    for at, line in enumerate(lines, 1):
        if len(line) != len(heads):
            raise WrongValue(
                "row-of-another-length", "{table}, row {row}: {found} cells, but the table has {many} columns",
                table=table, row=at, found=len(line), many=len(heads),
            )  # fmt: skip
        for head, cell in zip(heads, line, strict=True):
            if len(cell) > LONGEST_CELL:
                raise WrongValue(
                    "table-cell-too-long", "{table}, row {row}, column {column}: at most {most} characters fit into a cell",
                    table=table, row=at, column=head[:40], most=LONGEST_CELL,
                )  # fmt: skip
    return heads, [dict(zip(heads, line, strict=True)) for line in lines]


def _check_size(table: str, columns: int, rows: int) -> None:
    """Raise `WrongValue` if a table has too many columns or rows."""
    if columns > MOST_COLUMNS or rows > MOST_ROWS:
        raise WrongValue(
            "table-too-large", "{table}: a table can have at most {columns} columns and {rows} rows; "
            "this one has {found} columns and {many} rows",
            table=table, columns=MOST_COLUMNS, rows=MOST_ROWS, found=columns, many=rows,
        )  # fmt: skip


def _cell_of_frame(cell: object) -> str:
    """Return a cell of a frame as text; a missing one is empty, and a whole float has no point."""
    if cell is None or cell != cell or str(cell) in ("NaT", "<NA>"):
        return ""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _text_of(source: object, table: str) -> str:
    """Return the text of a table that is a text of several lines, or the path of a file."""
    path = None if isinstance(source, str) and "\n" in source else source
    if not isinstance(source, (str, Path)):
        raise WrongValue(
            "table-of-another-kind",
            "{table} must be a data frame, the path of a file, or text with several lines",
            table=table,
        )
    size = len(str(source)) if path is None else Path(source).stat().st_size
    if size > LARGEST_TABLE:
        raise WrongValue(
            "table-file-too-large", "{table}: a table can have at most {most:,} bytes", table=table, most=LARGEST_TABLE
        )
    if path is None:
        return str(source)
    try:
        return Path(source).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise WrongValue("table-not-unicode", "{table}: the file must be UTF-8 text", table=table) from None


def lines_of_text(text: str, table: str) -> list[list[str]]:
    """Return the rows of a table in CSV or Markdown as lists of cells, the heads first.

    The apostrophe that keeps a spreadsheet from running a cell is no part of it.
    """
    from nomic_nb.study.game_frame import FORMULA_SIGNS

    return [
        [cell[1:] if cell[:1] == "'" and cell[1:2] in FORMULA_SIGNS else cell for cell in row]
        for row in _cells_of_text(text, table)
    ]


def _cells_of_text(text: str, table: str) -> list[list[str]]:
    """Return the rows of a table in CSV or Markdown as lists of cells."""
    if re.match(r"\s*\|", text):
        lines = [line.strip() for line in text.splitlines() if line.strip().startswith("|")]
        cells = [re.split(r"(?<!\\)\|", line.removeprefix("|").removesuffix("|")) for line in lines]
        plain = [[cell.strip().replace("\\|", "|").replace("<br>", "\n") for cell in row] for row in cells]
        return [row for at, row in enumerate(plain) if at != 1 or not all(re.fullmatch(":?-+:?", cell) for cell in row)]
    try:
        return [row for row in csv.reader(io.StringIO(text.lstrip("\n"), newline=""), strict=True) if any(row)]
    except csv.Error as error:
        raise WrongValue("table-unreadable", "{table}: this is no CSV: {why}", table=table, why=str(error)) from None


def _missing_columns(table: str, missing: Sequence[str]) -> WrongValue:
    """Return the error that a table lacks columns."""
    return WrongValue(
        "columns-missing", "{table}: there is no column {missing}; it can have {known}", table=table,
        missing=join_words(missing), known=", ".join(COLUMNS[table].replace("|", "").split()),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------- checking a table


class TableReader:
    """Reads the tables of a record, and notes every problem with its table, row and column.

    Parameters
    ----------
    players : sequence of str
        Names of everyone who plays from the beginning.
    given : mapping of str to str
        Words for ballots and outcomes beside the usual ones: ``{"fine by me": "for"}``.
    successive : bool
        Whether proposals have successive numbers, so that gaps are a problem.
    """

    def __init__(self, players: Sequence[str], given: Mapping[str, str], *, successive: bool = True) -> None:
        self._successive = successive
        #: Each table as it was read: its heads and rows.
        self.raw = dict[str, tuple[list[str], Rows]]()
        self.names, self.problems, self.more = list(players), list[Problem](), 0
        allowed = (*BALLOT_WORDS, *OUTCOME_WORDS)
        if wrong := [meaning for meaning in given.values() if meaning not in allowed]:
            raise WrongValue("word-without-meaning", "a word can mean {allowed}, not {found!r}",
                             allowed=", ".join(allowed), found=str(wrong[0])[:40])  # fmt: skip
        self._meanings = {
            word: meaning for meaning, words in (BALLOT_WORDS | OUTCOME_WORDS).items() for word in words.split()
        } | {word.casefold(): meaning for word, meaning in given.items()}  # fmt: skip
        self.zones = dict[bool, str]()

    def note(self, table: str, row: int | None, column: str, problem: str) -> None:
        """Note a problem."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(table, row, column, problem))
        else:
            self.more += 1

    def read(self, tables: Mapping[str, Source | None]) -> list[RecordedProposal]:
        """Return the proposals of the record, each with its ballots, facts and scores."""
        facts = self._rows("facts", tables["facts"])
        joins = (re.fullmatch(FACTS["join"], row["what"].strip()) for _, row in facts)
        self.names += [match["who"] for match in joins if match and match["who"] not in self.names]
        found = dict[Number, RecordedProposal]()
        for row, cells in self._rows("proposals", tables["proposals"]):
            proposal = self._proposal(row, cells)
            if proposal is None:
                continue
            if proposal.number in found:
                before = found[proposal.number].row
                self.note(
                    "proposals", row, "number", f"{proposal.number} is in row {before} already; this row is left out"
                )
            else:
                found[proposal.number] = proposal
        if self._successive:
            self._check_gaps(found)
        ballots, told, scores = ({number: list[Any]() for number in found} for _ in range(3))
        for row, cells in self._rows("ballots", tables["ballots"]):
            number = self._number("ballots", row, "proposal", cells, found)
            ballot = self._ballot(row, cells)
            if number is not None and ballot is not None:
                ballots[number].append(ballot)
        for row, cells in facts:
            number = self._number("facts", row, "proposal", cells, found)
            fact = self._fact(row, cells)
            if number is not None and fact is not None:
                told[number].append(fact)
        for row, number, score in self._scores(tables["scores"], found):
            if any((one.player, one.counter) == (score.player, score.counter) for one in scores[number]):
                self.note("scores", row, "player", f"{score.player} already has {score.counter} after {number}")
            else:
                scores[number].append(score)
        return [
            self._whole(proposal, ballots[number], told[number], scores[number]) for number, proposal in found.items()
        ]

    def _rows(self, table: str, source: Source | None) -> list[tuple[int, dict[str, str]]]:
        """Return the rows of a table, each with its number; columns that it lacks are empty."""
        if source is None:
            return []
        heads, rows = self.raw[table] = read_rows(source, table)
        needed, _, others = COLUMNS[table].partition(" | ")
        known = {name: name for name in f"{needed} {others}".split()}
        columns = {head: known.get(head.casefold(), "") for head in heads}
        if missing := [name for name in needed.split() if name not in columns.values()]:
            raise _missing_columns(table, missing)
        for head, name in columns.items():
            if not name:
                self.note(table, None, head[:40], f"unknown column, which is not read; there can be {', '.join(known)}")
        return [
            (at, dict.fromkeys(known, "") | {columns[head]: cell for head, cell in row.items() if columns[head]})
            for at, row in enumerate(rows, 1)
        ]

    def _check_gaps(self, found: Iterable[Number]) -> None:
        """Note the numbers that are missing between others."""
        whole = sorted(number for number in found if isinstance(number, int))
        for before, after in pairwise(whole):
            if after > before + 1:
                gap = f"{before + 1}" if after == before + 2 else f"{before + 1} to {after - 1}"
                self.note("proposals", None, "number", f"{gap} missing")

    # ------------------------------------------------------------------------------------------------- single cells

    def _name(self, table: str, row: int | None, column: str, name: str) -> str | None:
        """Return a player's name if it is known, letter by letter; note what may be meant otherwise."""
        if name in self.names:
            return name
        near = next((one for one in self.names if one.split() == name.split() or one.casefold() == name.casefold()), "")
        about = f"; it differs from “{near}” only by blanks or capitals" if near else ""
        self.note(table, row, column, f"nobody is called “{name[:40]}”{about}" if name.strip() else "there is no name")
        return None

    def _number(
        self, table: str, row: int, column: str, cells: Mapping[str, str], known: Iterable[Number] | None = None
    ) -> Number | None:
        """Return the number in a cell; note one that is unreadable or, if there are `known` ones, unknown."""
        text = re.sub(r"^(-?\d+)\.0$", r"\1", cells[column].strip().removeprefix("#"))  # as frames write it
        number = parse_rule_number(text)
        if known is not None and number not in known:
            self.note(table, row, column, f"there is no proposal “{text[:40]}”")
        elif not text or not re.fullmatch(r"-?\d{1,15}|[A-Za-z]\w{0,20}(\.\d{1,6}){0,2}", text):
            self.note(table, row, column, f"“{text[:40]}” is no number" if text else "there is no number")
        else:
            return number
        return None

    def _amount(self, table: str, row: int, column: str, text: str) -> int | Fraction | None:
        """Return an exact number; None, with a note, if a cell is none, and None if it is empty."""
        text = text.strip().replace("−", "-")
        if not text:
            return None
        if re.fullmatch(r"[+-]?\d{1,12}(\.\d{1,9})?(/[1-9]\d{0,11})?", text):
            numerator, _, denominator = text.partition("/")
            return number_from_json(str(Fraction(numerator) / int(denominator or 1)))
        self.note(table, row, column, f"“{text[:40]}” is no number")
        return None

    def _time(self, table: str, row: int, column: str, text: str) -> datetime | None:
        """Return the time in a cell, in UTC if it has a zone; None if it is empty or, with a note, another kind."""
        text = text.strip()
        if not text:
            return None
        try:
            if not re.match(r"\d{4}-\d\d-\d\d($|[T ]\d\d:\d\d)", text):
                raise ValueError
            time = datetime.fromisoformat(text)
        except ValueError:
            self.note(table, row, column, f"“{text[:40]}” isn’t a time like 2026-11-22 18:00")
            return None
        zoned = time.tzinfo is not None
        if other := self.zones.get(not zoned):
            self.note(table, row, column, f"this time has {'a' if zoned else 'no'} zone, unlike {other}, so they "
                                          "can’t be compared")  # fmt: skip
            return None
        self.zones.setdefault(zoned, f"{table}, row {row}")
        return time.astimezone(UTC).replace(tzinfo=None) if zoned else time

    def _word(self, table: str, row: int, column: str, text: str, meanings: Mapping[str, str]) -> str:
        """Return what a word in a cell means, such as “for”; note one that is unknown."""
        meaning = self._meanings.get(text.strip().casefold(), "")
        if text.strip() and meaning not in meanings:
            self.note(table, row, column, f"“{text[:40]}” is unknown; say what it means with words={{…}}")
            return ""
        return meaning

    # -------------------------------------------------------------------------------------------------- single rows

    def _proposal(self, row: int, cells: dict[str, str]) -> RecordedProposal | None:
        """Return the proposal in a row; None if it has no number or proponent that can be used."""
        number = self._number("proposals", row, "number", cells)
        proponent = self._name("proposals", row, "proponent", cells["proponent"])
        kind = cells["kind"].strip().casefold() or "enact"
        if kind not in CHANGE_KINDS:
            self.note("proposals", row, "kind", f"“{kind[:40]}” is unknown; it must be {join_words(CHANGE_KINDS)}")
            return None
        target = self._number("proposals", row, "target", cells) if cells["target"].strip() or kind != "enact" else None
        if number is None or proponent is None or (kind != "enact" and target is None):
            return None
        opened, closed = (self._time("proposals", row, name, cells[name]) for name in ("opened", "closed"))
        if opened and closed and closed < opened:
            self.note("proposals", row, "closed", "it closes before it opens; both times are left out")
            opened = closed = None
        rule_number = self._amount("proposals", row, "rule_number", cells["rule_number"])
        outcome = self._word("proposals", row, "outcome", cells["outcome"], OUTCOME_WORDS)
        return RecordedProposal(
            row, number, proponent, kind, target, cells["title"].strip(), cells["wording"].strip(),
            cells["law"] or None, opened, closed, outcome, self._totals(row, cells),
            rule_number if isinstance(rule_number, int) else None, cells["link"].strip(),
        )  # fmt: skip

    def _totals(self, row: int, cells: Mapping[str, str]) -> dict[str, int | Fraction]:
        """Return the totals of a vote by side: from ``4/5`` (4 of 5), ``4-1`` (4 for, 1 against), or three columns."""
        totals = {side: self._amount("proposals", row, side, cells[side]) for side in BALLOT_WORDS}
        text = cells["votes"].strip().replace("–", "-")
        if match := re.fullmatch(r"(\d{1,6})\s*/\s*(\d{1,6})", text):
            for_it, cast = map(int, match.groups())
            read: dict[str, int | Fraction | None] = {"for": for_it, "against": cast - for_it}
            if for_it > cast:
                self.note("proposals", row, "votes", f"{text} is read as {for_it} of {cast}, which can’t be; write 4-5")
                read = {}
        elif match := re.fullmatch(r"(\d{1,6})\s*-\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?", text):
            read = dict(zip(BALLOT_WORDS, (int(part) if part else None for part in match.groups()), strict=True))
        else:
            read = {}
            if text:
                self.note(
                    "proposals", row, "votes", f"“{text[:40]}” must be like 4/5 (4 of 5) or 4-1 (4 for, 1 against)"
                )
        for side, total in read.items():
            if totals[side] not in (None, total):
                self.note("proposals", row, side, f"{totals[side]} here, but {total} by the column votes")
        found = {side: read.get(side) if total is None else total for side, total in totals.items()}
        return {side: total for side, total in found.items() if total is not None}

    def _ballot(self, row: int, cells: Mapping[str, str]) -> RecordedBallot | None:
        """Return the ballot in a row; None if its voter or what it says is unknown."""
        voter = self._name("ballots", row, "voter", cells["voter"])
        ballot = self._word("ballots", row, "ballot", cells["ballot"], BALLOT_WORDS)
        at = self._time("ballots", row, "at", cells["at"])
        weight = self._amount("ballots", row, "weight", cells["weight"])
        if not cells["ballot"].strip():
            self.note("ballots", row, "ballot", "there is no ballot")
        return RecordedBallot(row, voter, ballot, at, weight) if voter and ballot else None

    def _fact(self, row: int, cells: Mapping[str, str]) -> RecordedFact | None:
        """Return the fact in a row; None if it cannot be read."""
        when, what = cells["when"].strip().casefold(), cells["what"].strip()
        if when not in WHEN:
            self.note("facts", row, "when", f"“{when[:40]}” must be {join_words(WHEN, 'or')} the vote")
            return None
        for kind, form in FACTS.items():
            if match := re.fullmatch(form, what, re.DOTALL):
                said = match.groupdict()
                value = self._amount("facts", row, "what", said["value"]) if "value" in said else None
                if "who" in said and self._name("facts", row, "what", said["who"]) is None:
                    return None
                if kind == "set" and value is None:
                    return None
                return RecordedFact(
                    row, when, kind, said.get("who", ""), said.get("text", ""), said.get("counter", ""), value
                )
        self.note("facts", row, "what", f"“{what[:40]}” must be like one of these: {FACT_FORMS}")
        return None

    def _scores(
        self, source: Source | None, found: Mapping[Number, object]
    ) -> Iterator[tuple[int, Number, RecordedScore]]:
        """Yield (row, proposal, score) for each score: one per row, or a board with a column for each player."""
        if source is None:
            return
        heads, rows = self.raw["scores"] = read_rows(source, "scores")
        lower = [head.casefold() for head in heads]
        long = "player" in lower
        if missing := [name for name in (("after", "player", "value") if long else ("after",)) if name not in lower]:
            raise _missing_columns("scores", missing)
        boards = [] if long else [head for head in heads if head.casefold() not in ("after", "counter")]
        unknown = [head for head in boards if self._name("scores", None, head[:40], head) is None]
        for row, cells in enumerate(rows, 1):
            named = dict(zip(lower, cells.values(), strict=True))
            number = self._number("scores", row, "after", named, found)
            counter = named.get("counter", "").strip() or "points"
            pairs = [(named["player"], "value", named["value"])] if long else [
                (head, head, cells[head]) for head in boards if head not in unknown
            ]  # fmt: skip
            for player, column, text in pairs:
                value = self._amount("scores", row, column, text)
                if number is not None and value is not None and self._name("scores", row, "player", player):
                    yield row, number, RecordedScore(row, player, counter, value)

    def _whole(
        self, proposal: RecordedProposal, ballots: list[RecordedBallot], facts: list[RecordedFact],
        scores: list[RecordedScore],
    ) -> RecordedProposal:  # fmt: skip
        """Return a proposal with its ballots, facts and scores; note voters who are there twice, and wrong sums."""
        by_voter = dict[str, list[RecordedBallot]]()
        for ballot in ballots:
            by_voter.setdefault(ballot.voter, []).append(ballot)
        kept = list[RecordedBallot]()
        for voter, (first, *others) in by_voter.items():
            same, timed = {one.ballot for one in others} <= {first.ballot}, all(one.at for one in (first, *others))
            kept += [first, *others] if timed and not same else [first] if same else []
            for other in others if same or not timed else ():
                how = "twice" if other.ballot == first.ballot else "on both sides, so neither ballot counts"
                self.note(
                    "ballots", other.row, "voter", f"{voter} votes {how} on {proposal.number}: see row {first.row}"
                )
        for ballot in kept:
            if ballot.at and proposal.opened and ballot.at < proposal.opened:
                self.note("ballots", ballot.row, "at", f"{ballot.voter} votes before {proposal.number} is open")
        for side, total in proposal.totals.items() if ballots else ():
            cast = [1 if one.weight is None else one.weight for one in kept if one.ballot == side]
            if total not in (sum(cast), len(cast)):
                told = f"{total} {side} on {proposal.number}, but the ballots give {sum(cast)}"
                self.note("proposals", proposal.row, "votes", told)
        if proposal.outcome and not ballots and not proposal.totals:
            self.note(
                "proposals", proposal.row, "outcome", f"{proposal.number} has an outcome, but no ballots or totals"
            )
        return replace(proposal, ballots=tuple(kept), facts=tuple(facts), scores=tuple(scores))
