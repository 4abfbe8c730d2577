"""The replay of a record under its law: proposal by proposal, with what differs and where a gap was bridged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.changes import Change, amend, enact, repeal, transmute
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.engine import Engine, Moment
from nomic_nb.engine.play.loop import perform_step
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.tables import player_counters
from nomic_nb.engine.play.timeline import Timeline, step
from nomic_nb.engine.play.values import Proposal, Vote
from nomic_nb.engine.play.vote_rules import (
    FIXED_VOTE_KEYS,
    do_voters_matter,
    expressions_behind,
    is_adopted,
    states_for_parts,
)
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.words import full_sentence, number_text
from nomic_nb.study.audit.acts import what_is_due
from nomic_nb.study.audit.tables import RecordedBallot, RecordedFact, RecordedProposal

#: The four ways in which a gap of the record is bridged.
TOTALS, TIMES, ASIDE, DIFFERENCE = "totals without names", "ballots without times", "set aside", "a difference"
#: What a proposal's status comes to.
OUTCOMES = {
    "adopted": "adopted", "waiting": "adopted", "without effect": "adopted", "defeated": "failed", "lapsed": "failed",
}  # fmt: skip
#: Verdicts on what cannot be played as it is.
UNREADABLE = "unreadable"
REFUSED = ("refused", UNREADABLE)
#: Ways to share out totals among voters that are tried.
MOST_WAYS = 60
#: What a table has for clauses that an amendment removes.
NO_CLAUSES = "none"
#: What stands for a wording that the record lacks.
NO_WORDING = "The record does not have the wording."


class Difference(NamedTuple):
    """Where the record and its law part: about which proposal, what each says, and why."""

    number: Number
    what: str
    record: str
    law: str
    why: str
    rule: Number | None
    event: int
    bridges: tuple[str, ...]


@dataclass
class Line:
    """What became of a proposal of the record under the law."""

    number: Number
    proponent: str
    kind: str
    recorded: str
    law: str = ""
    verdict: str = "not recorded"
    votes: str = ""
    closing: str = ""
    refused_ballots: int = 0
    late_ballots: int = 0
    number_by_law: str = ""
    turn_by_law: str = ""
    scores: int = 0
    scores_alike: int = 0
    scores_bridged: int = 0
    bridges: list[str] = field(default_factory=list)
    why: str = ""
    rule: Number | None = None
    event: int | None = None
    #: The state when the vote closed, with all ballots that count.
    at_close: State | None = None
    begins: int = 0
    ends: int = 0

    def bridge(self, how: str, what: str = "") -> None:
        """Note that a gap was bridged."""
        told = f"{how}: {what}" if what else how
        if told not in self.bridges:
            self.bridges.append(told)


class Refused(NamedTuple):
    """Why an act cannot be done: because the law refuses it, with the rule, or because it cannot be read."""

    why: str
    rule: Number | None
    how: str = "refused"

    @staticmethod
    def unreadable(error: LawError) -> Refused:
        """Return why clauses cannot be read, in one line."""
        return Refused(full_sentence(str(error).partition("\n")[0]), None, UNREADABLE)


class Replay:
    """Plays a record again.

    Parameters
    ----------
    timeline : Timeline
        The game at its beginning.
    proposals : sequence of RecordedProposal
        The record.
    follow : str
        What play goes on from after a difference: ``record`` or ``law``.
    """

    def __init__(self, timeline: Timeline, proposals: Sequence[RecordedProposal], follow: str) -> None:
        self.timeline, self.follow = timeline, follow
        self.lines, self.differences = list[Line](), list[Difference]()
        self._numbers = dict[Number, Number]()
        self._offsets = dict[tuple[str, str], int | Fraction]()
        self._unsure, self._skipped, self._over = list[str](), set[int](), False
        self._unplayed = set[Number]()
        self._throws_come_later = any(
            fact.kind == "throw" and fact.when == "before" for one in proposals for fact in one.facts
        )
        for proposal in proposals:
            shown = proposal.kind if proposal.target is None else f"{proposal.kind} {proposal.target}"
            self.lines.append(Line(proposal.number, proposal.proponent, shown, proposal.outcome))
        timed = all(one.opened and (one.closed or not one.outcome) for one in proposals)  # so votes can overlap
        steps = [
            each for proposal, line in zip(proposals, self.lines, strict=True) for each in self._steps(proposal, line)
        ]
        for at, act in sorted(steps, key=lambda one: one[0] or datetime.max) if timed else steps:
            if at is not None:
                self._set_clock(at)
            act()

    @property
    def state(self) -> State:
        """The state of the game now."""
        return self.timeline.state

    def number_in_game(self, line: Line) -> Number:
        """Return the number that a proposal has in the game; its own if it was never made there."""
        return self._numbers.get(line.number, line.number)

    def _steps(self, proposal: RecordedProposal, line: Line) -> Iterator[tuple[datetime | None, Callable[[], None]]]:
        """Yield what happens to a proposal, in order, with the time of each step."""
        facts = {when: [one for one in proposal.facts if one.when == when] for when in ("before", "during", "after")}
        opened, closed = proposal.opened, proposal.closed
        ballots = sorted(proposal.ballots, key=lambda one: one.at or closed or datetime.max)
        if any(ballot.at for ballot in ballots) and not all(ballot.at for ballot in ballots):
            line.bridge(TIMES)
        cast = dict[str, RecordedBallot]()
        marks = list[int]()
        yield opened, lambda: self._begin(proposal, line, facts["before"])
        for ballot in ballots:
            yield ballot.at or closed, lambda one=ballot: self._cast(one, line, cast, marks)  # type: ignore[misc]
        yield closed, lambda: self._end(proposal, line, facts, cast, marks)

    # ------------------------------------------------------------------------------------------------ single acts

    def _try(self, player: str | None, action: str, **details: Any) -> Refused | None:
        """Do an act of a player, or of the record if there is none; return why it is refused, else None."""
        try:
            if player is None:
                self.timeline.do_as_host(action, details)
            else:
                self.timeline.do(player, action, details)
        except IllegalAction as error:
            return Refused(full_sentence(str(error.message)), error.rule)
        except LawError as error:
            return Refused.unreadable(error)
        return None

    def _go_back(self, mark: int) -> None:
        """Let the game be as it was after so many events."""
        self.timeline = self.timeline.copy_with_events(self.timeline.moments[:mark])

    def _differ(self, line: Line, what: str, record: str, law: str, refused: Refused | None = None) -> None:
        """Note a difference."""
        why, rule, _ = refused or Refused("", None)
        self.differences.append(
            Difference(line.number, what, record, law, why, rule, self.state.seq, tuple(line.bridges))
        )
        if not line.why:
            line.why, line.rule = why, rule

    def _set_clock(self, at: datetime) -> None:
        """Let the time of the record come, if it is later than the latest one."""
        for _ in range(20):
            refused = None
            try:
                self.timeline.do_as_host("time", {"now": at.strftime("%Y-%m-%d %H:%M")})
            except IllegalAction as error:
                refused = error
            if refused is None or refused.message.code != "too-many-days":
                return
            self.timeline.do_as_host("time", {"now": str(refused.message.values["first"])})

    def _fact(self, fact: RecordedFact, line: Line) -> None:
        """Let something happen that the record tells beside ballots."""
        acts: dict[str, Callable[[], Refused | None]] = {
            "say": lambda: self._try(fact.who, "say", text=fact.text),
            "report": lambda: self._try(None, "record_report", who=fact.who, deed=fact.text),
            "join": lambda: self._correct(f'enter player "{fact.who}" as person', "the record says so"),
            "leave": lambda: self._try(fact.who, "forfeit"),
            "away": lambda: self._try(None, "absent", who=fact.who),
            "back": lambda: self._try(None, "present", who=fact.who),
            "set": lambda: self._put(fact.counter, fact.who, fact.value or 0),
            "throw": lambda: self._try(self._roller(), "roll", value=fact.value),
        }
        if refused := acts[fact.kind]():
            told = " ".join(filter(None, (fact.kind, fact.who, fact.text, number_text(fact.value or 0))))
            self._differ(line, "fact", told[:80], "refused", refused)

    def _correct(self, effect: str, reason: str) -> Refused | None:
        """Correct the game as the record says."""
        return self._try(None, "correct", effect=effect, agreed=[], reason=reason)

    def _put(self, counter: str, player: str, value: int | Fraction) -> Refused | None:
        """Let a counter of a player be what the record says."""
        return self._correct(f'put {counter} of "{player}" at {value}', "the record says so")

    def _roller(self) -> str:
        """Return who has to roll now; the player at turn if nobody has to."""
        waits = [waiting.player for waiting in self.state.blocking_waits if waiting.action == "roll" and waiting.player]
        duties = [duty.player for turn in self.state.turns for duty in turn.duties if "roll" in duty.fulfilling_actions]
        return next(iter(waits + duties + [turn.player for turn in self.state.turns]), self.state.person_names[0])

    # -------------------------------------------------------------------------------------------------- proposing

    def _begin(self, proposal: RecordedProposal, line: Line, facts: Sequence[RecordedFact]) -> None:
        """Propose what the record has, in the turn of its proponent."""
        line.begins = self.state.seq
        if self._is_over(line):
            return
        for fact in facts:
            self._fact(fact, line)
        mark, noted, known = self.state.seq, len(line.bridges), len(self.differences)
        try:
            change = _change_of(proposal)
        except LawError as error:
            self._refuse(line, Refused.unreadable(error))
            self._unplayed.add(proposal.number)
            self._unsure.append(ASIDE)
            return
        refused = self._propose(proposal, line, change)
        if refused is None:
            return
        self._go_back(mark)
        del line.bridges[noted:], self.differences[known:]
        line.turn_by_law = line.number_by_law = ""
        self._refuse(line, refused)
        line.bridge(ASIDE, "the law refuses the proposal")
        named = {"number": proposal.number, "rule_number": proposal.rule_number}
        if self._try(None, "record_proposal", who=proposal.proponent, change=change, **named) is None:
            self._numbers[proposal.number] = proposal.number
            return
        self._unplayed.add(proposal.number)
        self._unsure.append(ASIDE)
        here = self.state.turn_of(proposal.proponent)  # a turn for a proposal that cannot be played goes by with it
        while here is not None and here in self.state.turns and self._set_aside():
            here = self.state.turn_of(proposal.proponent)
            self._skipped.add(here.number if here is not None else 0)

    def _refuse(self, line: Line, refused: Refused) -> None:
        """Note that the law refuses a proposal."""
        self._differ(line, "proposal", f"{line.proponent} proposes {line.number}", refused.how, refused)
        line.verdict = line.law = refused.how

    def _propose(self, proposal: RecordedProposal, line: Line, change: Change) -> Refused | None:
        """Propose a change, once the turn of its proponent has come; return why it is refused, else None."""
        assigned = self.state.find("proposal.numbering").says("assigned")
        details = {
            "change": change,
            "number": proposal.number if assigned else None,
            "rule_number": proposal.rule_number,
        }
        refused = None
        for _ in range(6 * len(self.state.players) + 10):
            mark = self.state.seq
            refused = self._try(proposal.proponent, "propose", **details)
            if refused is None:
                break
            if not self._make_way(proposal.proponent, line):
                return refused
        if refused is not None:
            return refused
        number = self._new_number(mark)
        if number is None:  # people are asked whether it may be proposed, and the record cannot say
            return Refused("The rules leave open whether this may be proposed.", None)
        if number != proposal.number and not self._unplayed.issuperset(_numbers_between(number, proposal.number)):
            line.number_by_law = str(number)
            self._differ(line, "number", str(proposal.number), str(number), self._rule_of("proposal.numbering"))
        if number != proposal.number:
            self._go_back(mark)
            if self._try(proposal.proponent, "propose", **details | {"number": proposal.number}) is None:
                number = self._new_number(mark) or number
            else:
                self._try(proposal.proponent, "propose", **details)
        self._numbers[proposal.number] = number
        return None

    def _new_number(self, mark: int) -> Number | None:
        """Return the number of the proposal made since so many events; None if there is none."""
        made = (event.data["number"] for event, _ in self.timeline.moments[mark:] if event.kind == "proposed")
        return next(made, None)

    def _rule_of(self, key: str) -> Refused:
        """Return the rule that decides a key of the law."""
        return Refused("", self.state.find(key).rule)

    def _make_way(self, player: str, line: Line) -> bool:
        """Let the turn of a player come, by setting aside one thing that is due; tell whether there was one."""
        state = self.state
        if state.turn_of(player) is None and not state.questions:
            if self._try(player, "begin_turn") is None:
                return True
            if any(self._try(turn.player, "end_turn") is None for turn in state.turns):
                return True
        here = state.turn_of(player)
        if here is not None and not (state.questions or state.blocking_waits) and _owes(here.duties, player, "propose"):
            return False
        due = what_is_due(state)
        if not due:
            return False
        for turn in state.turns:
            if turn.player != player and _owes(turn.duties, turn.player, "propose"):
                if not line.turn_by_law:
                    line.turn_by_law = turn.player
                    self._differ(line, "turn", player, turn.player, self._rule_of("turn.sequence"))
                self._skipped.add(turn.number)
        if not any(turn.number in self._skipped for turn in state.turns):
            line.bridge(ASIDE, ", ".join(due))
            self._unsure.append(ASIDE)
        return self._set_aside()

    def _set_aside(self) -> bool:
        """Set aside what is due; tell whether that was possible."""
        return self._try(None, "set_aside", reason="the record does not have it", agreed=[]) is None

    def _set_rolls_aside(self, line: Line) -> None:
        """Set aside rolls and choices that the record lacks, before scores are compared."""
        for _ in range(3 * len(self.state.players)):
            state = self.state
            owed = [duty for turn in state.turns for duty in turn.duties if "propose" not in duty.fulfilling_actions]
            if self._throws_come_later or state.questions or not (state.blocking_waits or owed):
                return
            line.bridge(ASIDE, ", ".join(what_is_due(state)))
            self._unsure.append(ASIDE)
            if not self._set_aside():
                return

    # ----------------------------------------------------------------------------------------------------- voting

    def _proposal(self, line: Line) -> Proposal | None:
        """Return the proposal in the game that a line is about; None if it was never made."""
        return self.state.proposals.get(self._numbers.get(line.number, ""))

    def _cast(self, ballot: RecordedBallot, line: Line, cast: dict[str, RecordedBallot], marks: list[int]) -> None:
        """Cast a ballot of the record."""
        proposal = self._proposal(line)
        if proposal is None:
            return
        cast[ballot.voter] = ballot
        if proposal.status == "debate":
            self._try(proposal.proponent, "call_vote", proposal=proposal.number)
            proposal = self._proposal(line) or proposal
        if proposal.status != "open":
            line.late_ballots += 1
            return
        mark, said = self.state.seq, f"{ballot.voter} votes {ballot.ballot}"
        if refused := self._try(ballot.voter, "vote", ballot=ballot.ballot, proposal=proposal.number):
            line.refused_ballots += 1
            self._differ(line, "ballot", said, "refused", refused)
            return
        marks.append(mark)
        vote = proposal.vote
        if ballot.weight is not None and vote is not None and vote.weights[ballot.voter] != ballot.weight:
            weights = number_text(ballot.weight), number_text(vote.weights[ballot.voter])
            self._differ(
                line, "weight", f"{said} with {weights[0]}", f"with {weights[1]}", self._rule_of("vote.weight")
            )

    def _end(
        self, recorded: RecordedProposal, line: Line, facts: Mapping[str, Sequence[RecordedFact]],
        cast: Mapping[str, RecordedBallot], marks: list[int],
    ) -> None:  # fmt: skip
        """Close the vote as the record has it, and compare what comes after it."""
        played = self._proposal(line) is not None
        for fact in (*facts["during"], *(() if played else facts["after"])):
            if played or fact.kind != "throw":  # what a turn that cannot be played brings is not known
                self._fact(fact, line)
        proposal = self._proposal(line)
        if proposal is not None and proposal.vote is not None:
            if proposal.status in ("open", "ending"):
                self._close_open_vote(recorded, line, proposal, proposal.vote)
            else:
                self._compare_closed(recorded, line, proposal, cast, marks[-1] if marks else self.state.seq)
        for fact in facts["after"] if played else ():
            self._fact(fact, line)
        self._compare_scores(recorded, line)
        line.ends = self.state.seq
        self._is_over(line)

    def _compare_closed(
        self, recorded: RecordedProposal, line: Line, proposal: Proposal, cast: Mapping[str, RecordedBallot], mark: int
    ) -> None:
        """Compare the outcome of a vote that the law has closed with the recorded one."""
        line.law, told = OUTCOMES[proposal.status], self._told_result(proposal.number)
        before = self.timeline.after(mark)
        known = before.proposals.get(proposal.number)
        line.at_close = before if known is None else with_proposal(before, replace(known, vote=proposal.vote))
        if line.late_ballots:
            line.closing = "too late"
            many = f"{len(cast) - line.late_ballots} of {len(cast)} ballots"
            self._differ(line, "closing", f"{len(cast)} ballots", f"closed after {many}", told)
        self._note_outcome(recorded, line, told)
        if line.verdict == "differs" and self.follow == "record":
            self._go_back(mark)
            already = self.state.proposals[proposal.number].vote
            rest = {} if already is None else {
                name: one.ballot for name, one in cast.items() if name not in already.ballots
            }  # fmt: skip
            self._record_outcome(line, recorded.outcome == "adopted", "as recorded", rest)

    def _note_outcome(self, recorded: RecordedProposal, line: Line, told: Refused) -> None:
        """Compare the outcome by the law with the recorded one."""
        proposal = self._proposal(line)
        vote = proposal.vote if proposal is not None else None
        if vote is not None:
            sides = [number_text(vote.weight_of_side(side)) for side in ("for", "against")]
            line.votes = f"{'–'.join(sides)}" if TOTALS not in line.bridges else ""
        if line.verdict in REFUSED or not recorded.outcome:
            return
        line.verdict = "same" if line.law == recorded.outcome else "differs"
        if line.verdict == "differs":
            self._differ(line, "outcome", recorded.outcome, line.law, told)

    def _told_result(self, number: Number) -> Refused:
        """Return how the game tells the result of a vote, with the rule of its quota."""
        for event in self.timeline.events_backwards():
            if event.kind == "vote_closed" and event.data["number"] == number:
                return Refused(full_sentence(sentence(event)), event.data.get("quota_rule"))
        return Refused("", None)

    def _close_open_vote(self, recorded: RecordedProposal, line: Line, proposal: Proposal, vote: Vote) -> None:
        """Close a vote that the law keeps open after the last ballot of the record."""
        by_names = bool(recorded.ballots) or not recorded.totals
        if not by_names:
            line.bridge(TOTALS)
            self._unsure.append(TOTALS)
        ways = [vote] if by_names else list(_ways_to_share(self.state, proposal, vote, recorded.totals))
        found = {self._result_if(replace(proposal, vote=way)) for way in ways}
        line.at_close = (
            with_proposal(self.state, replace(proposal, vote=ways[0])) if len(ways) == 1 or by_names else None
        )
        outcomes = {outcome for _, outcome, _ in found}
        closes = {closed for closed, _, _ in found}
        refused = next((refused for closed, _, refused in found if not closed), Refused("", None))
        if not found or len(outcomes) > 1 or len(closes) > 1:
            line.law = "" if found else "impossible"
            total = ", ".join(f"{number_text(many)} {side}" for side, many in recorded.totals.items())
            if not found:
                self._differ(line, "totals", total, f"{len(vote.electorate)} may vote")
                line.verdict = "differs"
        elif closes == {True}:
            (line.law,) = outcomes
            self._note_outcome(recorded, line, Refused("", vote.quota_rule))
        else:
            line.law = "open"
            if recorded.outcome or recorded.closed:
                line.closing = "too early"
                verdict = f"{recorded.outcome or 'closed'}"
                line.verdict = line.verdict if line.verdict in REFUSED else "differs"
                self._differ(line, "closing", verdict, "still open", refused)
        by_law = line.law if line.law in ("adopted", "failed") else ""
        result = recorded.outcome or by_law
        if self.follow == "law":
            result = by_law or result
        if result:
            if line.verdict == "differs":
                line.bridge(DIFFERENCE)
            reason = "the record has it so" if recorded.outcome == result else "by the ballots of the record"
            self._record_outcome(line, result == "adopted", reason, {})
        if by_names and not line.votes:
            sides = [number_text(vote.weight_of_side(side)) for side in ("for", "against")]
            line.votes = "–".join(sides)

    def _result_if(self, proposal: Proposal) -> tuple[bool, str, Refused]:
        """Return whether the law lets a vote close now, the outcome then, and why it may not close."""
        state = with_proposal(self.state, proposal)

        def look_again(engine: Engine) -> None:
            engine.emit("announced", text="")
            engine.schedule("close vote", **proposal.law_case)

        def outcome(after: State) -> str:
            return OUTCOMES.get(after.proposals[proposal.number].status, "")

        refused = Refused("", None)
        try:
            moments: list[Moment] = perform_step(state, self.timeline.seed, ("announce", {}), look_again)
            if by_itself := outcome(moments[-1][1]):
                return True, by_itself, refused
            for name in sorted(state.present_names, key=lambda one: one != proposal.proponent):
                try:
                    details = {"proposal": proposal.number}
                    if by_closing := outcome(step(state, self.timeline.seed, name, "close_vote", details)):
                        return True, by_closing, Refused("", None)
                except IllegalAction as error:
                    refused = refused if refused.why else Refused(full_sentence(str(error.message)), error.rule)
            vote = proposal.vote
            return False, "adopted" if vote and is_adopted(vote.law, state, proposal) else "failed", refused
        except Undecided as doubt:
            return False, "", Refused(full_sentence(str(doubt.reason)), None)

    def _record_outcome(self, line: Line, adopted: bool, reason: str, ballots: Mapping[str, str]) -> None:
        """Close a vote as the record says."""
        sides = {
            field: [name for name, one in ballots.items() if one == ballot]
            for field, ballot in (("in_favour", "for"), ("against", "against"), ("abstained", "abstain"))
        }
        number = self._numbers[line.number]
        if line.verdict == "differs":
            line.bridge(DIFFERENCE)
        self._try(None, "record_outcome", proposal=number, adopted=adopted, reason=reason, **sides)

    # ----------------------------------------------------------------------------------------------------- scores

    def _compare_scores(self, recorded: RecordedProposal, line: Line) -> None:
        """Compare the scores that the record has after a proposal with those of the game."""
        if recorded.scores:
            self._set_rolls_aside(line)
        unsure, self._unsure = (list(dict.fromkeys(self._unsure)), []) if recorded.scores else ([], self._unsure)
        for score in recorded.scores:
            place, now = (score.player, score.counter), player_counters(self.state, score.player).get(score.counter)
            line.scores += 1
            if now is None:
                self._differ(line, f"{score.counter} of {score.player}", number_text(score.value), "no such counter")
                continue
            off = score.value - now
            same = off == self._offsets.get(place, 0)
            if unsure:
                line.scores_bridged += 1
            elif same:
                line.scores_alike += 1
            if same:
                continue
            line.event = line.event or self.state.seq
            kept = list(line.bridges)
            line.bridges += [one for one in unsure if not any(known.startswith(one) for known in kept)]
            self._differ(line, f"{score.counter} of {score.player}", number_text(score.value), number_text(now))
            line.bridges = kept
            if self.follow == "record" and self._put(score.counter, score.player, score.value) is None:
                off = 0
            self._offsets[place] = off

    def _is_over(self, line: Line) -> bool:
        """Tell whether the game is over; note it once, if the record goes on."""
        if not self.state.over:
            return False
        if line.begins == self.state.seq and line.verdict == "not recorded":
            told = Refused("The game is over.", None)
            if not self._over:
                winners = ", ".join(self.state.winners) or "nobody"
                self._differ(line, "end", "the game goes on", f"the game is over; {winners} won", told)
                self._over = True
            line.verdict, line.law, line.why = "refused", "refused", told.why
        return True


def _owes(duties: Sequence[Any], player: str, action: str) -> bool:
    """Tell whether a player owes an action."""
    return any(duty.player == player and action in duty.fulfilling_actions for duty in duties)


def _numbers_between(number: Number, later: Number) -> set[Number]:
    """Return the whole numbers from one up to a later one, which is left out; the first itself if there are none."""
    whole = isinstance(number, int) and isinstance(later, int) and number < later
    return set(range(number, later)) if whole else {number}  # type: ignore[arg-type]


def _change_of(proposal: RecordedProposal) -> Change:
    """Return the change that a proposal of the record makes.

    Raises
    ------
    LawError
        Its wording or its clauses cannot be used.
    """
    wording, law, target = proposal.wording or NO_WORDING, proposal.law, proposal.target
    if proposal.kind == "enact" or target is None:
        return enact(wording, law or "", proposal.title)
    if proposal.kind == "amend":
        return amend(target, wording, "" if law == NO_CLAUSES else law, title=proposal.title)
    return repeal(target) if proposal.kind == "repeal" else transmute(target)


def _ways_to_share(
    state: State, proposal: Proposal, vote: Vote, totals: Mapping[str, int | Fraction]
) -> Iterator[Vote]:
    """Yield a vote with the totals shared out among its voters in each way, if there are not too many.

    One way is enough if it makes no difference who votes.
    """
    counts = [totals.get(side, 0) for side in ("for", "against", "abstain")]
    views = [View(each, {**proposal.law_case}, vote.law) for each in states_for_parts(state, proposal)]
    looked = tuple(expressions_behind(vote.law, "vote.adopted", FIXED_VOTE_KEYS, views))
    names, alike = vote.electorate, len(set(vote.weights.values())) <= 1 and not do_voters_matter(looked)
    for_it, against, abstained = (int(count) for count in counts)
    if [for_it, against, abstained] != counts or for_it + against + abstained > len(names):
        return
    if not alike and comb(len(names), for_it) * comb(len(names) - for_it, against) > MOST_WAYS:
        return
    for yes in combinations(names, for_it):
        left = [name for name in names if name not in yes]
        for no in combinations(left, against):
            rest = [name for name in left if name not in no][:abstained]
            ballots = dict.fromkeys(yes, "for") | dict.fromkeys(no, "against") | dict.fromkeys(rest, "abstain")
            yield replace(vote, ballots=ballots)
            if alike:
                return
