"""The report of an audit: which results of a record its law confirms, and which not, as frames and text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace as Record
from typing import TYPE_CHECKING, Any

from nomic_nb.engine.arguments import explain_all_argument_errors
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import LawError, NotThere
from nomic_nb.engine.law.changes import parse_rule_number
from nomic_nb.engine.law.clauses import SetClause
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.values import ThingRef
from nomic_nb.engine.play.game_setup import GameSetup
from nomic_nb.engine.play.tables import player_counters
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import RECORD_MEDIUM
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import term_as_expression
from nomic_nb.engine.words import count_phrase, number_text, rule_citation, signed_number
from nomic_nb.study.audit.replay import TIMES, TOTALS, Line, Replay
from nomic_nb.study.audit.tables import BALLOT_WORDS, Source, TableReader
from nomic_nb.study.frames import column_types, make_frame
from nomic_nb.study.library.ready_made import check_choice
from nomic_nb.study.playouts import read_rules
from nomic_nb.study.review.remarks import remarks_on
from nomic_nb.study.views import Ledger
from nomic_nb.study.views.remarks import ProposalRemarks

if TYPE_CHECKING:
    import pandas as pd

#: What play can go on from after a difference.
FOLLOWED = ("record", "law")
LINE_COLUMNS = column_types(
    "object: number; string: proponent kind recorded law verdict votes closing; "
    "int64: refused_ballots late_ballots unread_ballots; string: number_by_law turn_by_law; "
    "int64: scores scores_alike scores_bridged; string: bridges why; object: rule; int64: event"
)
DIFFERENCE_COLUMNS = column_types(
    "object: number; string: what record law why; object: rule; int64: event; string: bridges"
)
PROBLEM_COLUMNS = column_types("string: table; Int64: row; string: column problem")
SUMMARY_COLUMNS = column_types("string: what; int64: recorded alike differ bridged")
WHY_COLUMNS = column_types("string: what record law lines")
READING_COLUMNS = column_types("string: reading as_written; int64: alike recorded; boolean: best; object: differs_on")


def _is_outcome_bridged(line: Line) -> bool:
    """Tell whether an outcome rests on totals without names or on ballots without times."""
    return TOTALS in line.bridges or TIMES in line.bridges


class AuditReport(Displayed):
    """What an audit found; `nomic_nb.audit` makes one.

    Attributes
    ----------
    recorded : list of Record
        The record, as the tables have it.
    lines : list of Line
        What became of each proposal under the law.
    timeline : Timeline
        The game that was replayed.
    """

    def __init__(
        self, law: str | Path, tables: Mapping[str, Source | None], players: Sequence[str], *,
        terms: Mapping[str, object], words: Mapping[str, str], follow: str,
    ) -> None:  # fmt: skip
        self.players, self.words, self.follow = list(players), dict(words), check_choice("follow", follow, FOLLOWED)
        self.ruleset, self.terms = read_rules(law), dict(terms)
        numbering = Timeline(self._setup(self.terms)).state.find("proposal.numbering")
        self._reader = TableReader(self.players, words, successive=not numbering.says("assigned"))
        self.recorded = self._reader.read(tables)
        #: The tables as they were read, as frames of texts.
        self.tables_as_read = self._reader.raw
        self._replay = self._played(self.terms)
        self.lines: list[Line] = self._replay.lines
        self.timeline: Timeline = self._replay.timeline

    def _played(self, terms: Mapping[str, object]) -> Replay:
        """Replay the record under the law with these settings."""
        agreed = dict(terms)
        throws = any(fact.what.kind == "throw" for one in self.recorded for fact in one.facts)
        if throws and "dice.source" not in agreed and self.ruleset.is_key_set("dice.source"):
            agreed["dice.source"] = "table"
        return Replay(Timeline(self._setup(agreed)), self.recorded, self.follow)

    def _setup(self, terms: Mapping[str, object]) -> GameSetup:
        """Return the setup of the replay under these settings."""
        plain = {key: term_as_expression(language(), key, value) for key, value in terms.items()}
        return GameSetup(self.ruleset, tuple(self.players), 0, plain, (), RECORD_MEDIUM)

    # ----------------------------------------------------------------------------------------------------- frames

    @property
    def frame(self) -> pd.DataFrame:
        """A line for each proposal of the record.

        Returns
        -------
        DataFrame
            With ``number`` (object), ``proponent``, ``kind``, ``recorded`` (string: the outcome in the record),
            ``law`` (string: by the law ``adopted``, ``failed``, ``open``, ``refused``, ``unreadable`` or, if nobody can
            tell, empty), ``verdict`` (string: ``same``, ``differs``, ``refused``, ``unreadable`` or ``not recorded``),
            ``votes`` (string: weight for and against), ``closing`` (string: ``too early``, ``too late`` or empty),
            ``refused_ballots``, ``late_ballots``, ``unread_ballots`` (int64: the last are those on a proposal that
            could not be played), ``number_by_law``, ``turn_by_law`` (string: what the law says, if it differs),
            ``scores``, ``scores_alike``, ``scores_bridged`` (int64), ``bridges`` (string: how gaps were bridged),
            ``why`` (string), ``rule`` (object) and ``event`` (int64: the last one of the proposal in the game).
        """
        return make_frame(LINE_COLUMNS, map(attrgetter(*LINE_COLUMNS), self.lines))

    @property
    def differences(self) -> pd.DataFrame:
        """Everything in which the record and its law differ, in order of play.

        Returns
        -------
        DataFrame
            With ``number`` (object: the proposal), ``what`` (string: ``outcome``, ``closing``, ``ballot``, ``weight``,
            ``proposal``, ``number``, ``target``, ``turn``, ``totals``, ``fact``, ``end`` or a counter of a player),
            ``record``, ``law``, ``why`` (string), ``rule`` (object), ``event`` (int64: the last one before it) and
            ``bridges`` (string: what it rests on).
        """
        return make_frame(DIFFERENCE_COLUMNS, self._replay.differences)

    @property
    def problems(self) -> pd.DataFrame:
        """What is wrong in the tables themselves, found before anything was played.

        Returns
        -------
        DataFrame
            With ``table`` (string), ``row`` (Int64: 1 is the first row below the heads; missing if it is about the
            whole column), ``column`` and ``problem`` (string). At most 500 are listed.
        """
        return make_frame(PROBLEM_COLUMNS, self._reader.problems)

    def summary(self) -> pd.DataFrame:
        """Return how many results are alike.

        Returns
        -------
        DataFrame
            Indexed by ``what`` (string: outcomes, scores, numbers, turns), with ``recorded``, ``alike``, ``differ`` and
            ``bridged`` (int64). An outcome that rests on totals without names or on ballots without times is bridged,
            and so is a score that rests on something set aside; these count neither as alike nor as different.
            Numbers and turns are those of proposals that were played.
        """
        outcomes = [line for line in self.lines if line.recorded]
        found = Counter(
            "bridged" if line.verdict in ("same", "not recorded") and _is_outcome_bridged(line)
            else "alike" if line.verdict == "same" else "differ"
            for line in outcomes
        )  # fmt: skip
        scores, same, unsure = (
            sum(getattr(line, name) for line in self.lines) for name in ("scores", "scores_alike", "scores_bridged")
        )
        rows = [
            ["outcomes", len(outcomes), found["alike"], found["differ"], found["bridged"]],
            ["scores", scores, same, scores - same - unsure, unsure],
        ]
        for what, name in (("numbers", "number_by_law"), ("turns", "turn_by_law")):
            off = [line for line in self.lines if getattr(line, name)]
            played = sum(line.verdict != "refused" or line in off for line in self.lines)
            rows.append([what, played, played - len(off), len(off), 0])
        return make_frame(SUMMARY_COLUMNS, rows, "what")

    # ---------------------------------------------------------------------------------------------- single results

    def _find(self, number: Number) -> tuple[Record, Line]:
        """Return a proposal of the record and what became of it.

        Raises
        ------
        KeyError
            The record has no such proposal.
        """
        wanted = parse_rule_number(number)
        for recorded, line in zip(self.recorded, self.lines, strict=True):
            if line.number == wanted:
                return recorded, line
        raise NotThere("proposal-not-recorded", "the record has no proposal {number}", number=str(number)[:40])

    def why(self, number: Number) -> pd.DataFrame:
        """Return what the record and the law say about a proposal, side by side, with the lines of both sums.

        Parameters
        ----------
        number : int or str
            Number of the proposal in the record.

        Returns
        -------
        DataFrame
            With ``what`` (string: the outcome, or a counter of a player), ``record``, ``law`` (string) and ``lines``
            (string: what the law's result is made of).

        Raises
        ------
        KeyError
            The record has no such proposal.
        """
        recorded, line = self._find(number)
        by_side = {
            side: ", ".join(one.voter for one in recorded.ballots if one.ballot == side) for side in BALLOT_WORDS
        }
        said = [f"{side}: {names}" for side, names in by_side.items() if names] or [
            f"{number_text(total)} {side}" for side, total in recorded.totals.items()
        ]
        rows = [["outcome", "; ".join(filter(None, (recorded.outcome, *said))), line.law, _cited(line.why, line.rule)]]
        before, after = self.timeline.after(max(line.begins, 1)), self.timeline.after(max(line.event, 1))
        entries = [entry for entry in Ledger(self.timeline) if line.begins < entry.seq <= line.event]
        marks = {(one.player, one.counter): number_text(one.value) for one in recorded.scores}
        places = dict.fromkeys([*marks, *[(entry.player or "", entry.counter) for entry in entries if entry.player]])
        for player, counter in places:
            start, now = (player_counters(state, player).get(counter) for state in (before, after))
            changes = [entry for entry in entries if (entry.player, entry.counter) == (player, counter)]
            lines = [f"{number_text(start or 0)} before"] + [
                _cited(signed_number(entry.amount) if entry.amount is not None else str(entry.now), entry.rule)
                for entry in changes
            ]
            law = "" if now is None else number_text(now)
            rows.append([f"{counter} of {player}", marks.get((player, counter), ""), law, "; ".join(lines)])
        return make_frame(WHY_COLUMNS, rows)

    def remarks(self, number: Number) -> ProposalRemarks:
        """Return what a review would have warned of before the vote on a proposal.

        Parameters
        ----------
        number : int or str
            Number of the proposal in the record.

        Returns
        -------
        ProposalRemarks
            The remarks; none if the proposal could not be made.

        Raises
        ------
        KeyError
            The record has no such proposal.
        """
        line, made = self._find(number)[1], self._replay.numbers.get(parse_rule_number(number))
        for event, _ in self.timeline.moments[line.begins : line.event]:
            if event.kind in ("proposed", "vote_opened") and event.data["number"] == made:
                return remarks_on(self.timeline.after(self.timeline.end_of_step(event.seq)), event.data["number"])
        return ProposalRemarks()

    def readings(self, rivals: Mapping[str, Sequence[str]]) -> pd.DataFrame:
        """Return how well rival readings of the law fit the outcomes of the record.

        Parameters
        ----------
        rivals : mapping of str to sequence of str
            Readings by what they are about. For a key of the law, such as ``vote.quota``, the whole record is replayed
            with each expression as its value. Under any other name, each expression is a condition under which a
            proposal passes, and is tried on the ballots of each vote.

        Returns
        -------
        DataFrame
            With ``reading`` (string: the name), ``as_written`` (string: the expression), ``alike``, ``recorded``
            (int64: outcomes that it gives as recorded, of how many), ``best`` (boolean) and ``differs_on`` (object: the
            numbers of the other proposals; those that are not in all lists tell the readings apart). Readings under
            one name are compared on the proposals for which all of them give an outcome; bridged ones are left out.

        Raises
        ------
        LawError
            An expression cannot be read.
        """
        rows, bridged = list[list[Any]](), {line.number for line in self.lines if _is_outcome_bridged(line)}
        recorded = {one.number: one.outcome for one in self.recorded if one.outcome and one.number not in bridged}
        for name, texts in rivals.items():
            by_key = name in language().vocabulary.keys
            given = [
                self._outcomes_by_key(name, text) if by_key else self._outcomes_by_condition(text) for text in texts
            ]
            decided = [number for number in recorded if all(outcomes.get(number) for outcomes in given)]
            off = [[number for number in decided if outcomes[number] != recorded[number]] for outcomes in given]
            least = min(map(len, off), default=0)
            rows += [
                [name, text, len(decided) - len(others), len(decided), len(others) == least, others]
                for text, others in zip(texts, off, strict=True)
            ]
        return make_frame(READING_COLUMNS, rows)

    def _outcomes_by_key(self, key: str, text: str) -> dict[Number, str]:
        """Return the outcome of each proposal if a key of the law had another value."""
        return {line.number: line.law for line in self._played(self.terms | {key: text}).lines}

    def _outcomes_by_condition(self, text: str) -> dict[Number, str]:
        """Return the outcome of each vote if proposals passed under this condition."""
        (line,) = language().read_clauses(f"set vote.adopted to {text}")
        language().check_clauses((line,), {name: table.shape for name, table in self.timeline.state.tables.items()})
        if not isinstance(line.clause, SetClause):
            raise LawError("reading-not-one-condition", "a reading must be one condition", found=text[:40])
        outcomes = dict[Number, str]()
        for one in self.lines:
            number = self._replay.numbers.get(one.number, one.number)
            vote = None if one.at_close is None else one.at_close.proposals[number].vote
            if one.at_close is not None and vote is not None:
                case = {"proposal": ThingRef("proposal", number)}
                try:
                    passes = line.clause.value.run(View(one.at_close, case, vote.law))
                except Undecided:
                    continue
                outcomes[one.number] = "adopted" if passes is True else "failed"
        return outcomes

    # ------------------------------------------------------------------------------------------------------- text

    @property
    def headline(self) -> str:
        """How many results are alike, in a sentence."""
        counts = self.summary()
        told = []
        for what in ("outcomes", "scores"):
            recorded, alike, _, bridged = counts.loc[what]
            if recorded:
                rests = f", {bridged} more {'rests' if bridged == 1 else 'rest'} on a bridge" if bridged else ""
                told.append(f"{alike} of {recorded} {what} alike{rests}")
        found = count_phrase(len(self._replay.differences), "difference"), count_phrase(len(self.problems), "problem")
        return f"{self.ruleset.title}: {'; '.join([*told, f'{found[0]}, {found[1]} in the tables'])}."

    @property
    def told_differences(self) -> Iterator[str]:
        """Each difference as a sentence."""
        for one in self._replay.differences:
            rests = f" (rests on {one.bridges})" if one.bridges else ""
            why = f" – {_cited(one.why, one.rule)}" if one.why or one.rule else ""
            yield f"{one.number}, {one.what}: the record says {one.record}, the law {one.law}{why}{rests}"

    @property
    def told_problems(self) -> Iterator[str]:
        """Each problem in the tables as a sentence."""
        for one in self._reader.problems:
            row = "" if one.row is None else f", row {one.row}"
            yield f"{one.table}{row}, {one.column}: {one.problem}"
        if self._reader.more:
            yield f"… and {count_phrase(self._reader.more, 'more problem')}"

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.told_differences, *self.told_problems])


explain_all_argument_errors(AuditReport)


def _cited(text: str, rule: Number | None) -> str:
    """Return a text with its rule behind it in brackets."""
    return f"{text}{rule_citation(rule)}".strip()
