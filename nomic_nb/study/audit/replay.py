"""The replay of a record under its law: proposal by proposal, with what differs and where a gap was bridged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from types import SimpleNamespace as Record
from typing import Any, NamedTuple

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.changes import Change, amend, enact, repeal, transmute
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.loop import perform_step
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.tables import player_counters
from nomic_nb.engine.play.timeline import Timeline, step
from nomic_nb.engine.play.values import Proposal, Vote
from nomic_nb.engine.play.vote_rules import (
    FIXED_VOTE_KEYS,
    ballot_combinations,
    do_voters_matter,
    expressions_behind,
    is_adopted,
    states_for_parts,
)
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.words import full_sentence, least_votes, number_text
from nomic_nb.study.audit.acts import SIDES, what_is_due

#: The four ways in which a gap of the record is bridged.
TOTALS, TIMES, ASIDE, DIFFERENCE = "totals without names", "ballots without times", "set aside", "a difference"
#: What a proposal's status comes to.
OUTCOMES = {
    "adopted": "adopted", "waiting": "adopted", "without effect": "adopted", "defeated": "failed", "lapsed": "failed",
}  # fmt: skip
#: Verdicts on what cannot be played as it is.
REFUSED = ("refused", "unreadable")
#: Ways to share out totals among voters that are tried.
MOST_WAYS = 3_000
#: What stands for a wording that the record lacks, and what a table has for clauses that an amendment removes.
NO_WORDING, NO_CLAUSES = "The record does not have the wording.", "none"


class Difference(NamedTuple):
    """Where the record and its law part: about which proposal, what each says, and why."""

    number: Number
    what: str
    record: str
    law: str
    why: str
    rule: Number | None
    event: int
    bridges: str


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
    unread_ballots: int = 0
    number_by_law: str = ""
    turn_by_law: str = ""
    scores: int = 0
    scores_alike: int = 0
    scores_bridged: int = 0
    bridges: str = ""
    why: str = ""
    rule: Number | None = None
    #: The first event after it was begun, and the last one.
    begins: int = 0
    event: int = 0
    #: The state when the vote closed, with all ballots that count.
    at_close: State | None = None

    def bridge(self, how: str) -> None:
        """Note that a gap was bridged."""
        self.bridges = "; ".join(dict.fromkeys([*filter(None, self.bridges.split("; ")), how]))


class Refused(NamedTuple):
    """Why an act cannot be done: because the law refuses it, with the rule, or because it cannot be read."""

    why: str = ""
    rule: Number | None = None
    how: str = "refused"

    @staticmethod
    def by(error: IllegalAction | LawError | Undecided) -> Refused:
        """Return why an error refuses an act, in one line."""
        if isinstance(error, Undecided):
            return Refused(full_sentence(str(error.reason)))
        if isinstance(error, IllegalAction):
            return Refused(full_sentence(str(error.message)), error.rule)
        return Refused(full_sentence(str(error).partition("\n")[0]), None, "unreadable")


class Replay:
    """Plays a record again.

    Parameters
    ----------
    timeline : Timeline
        The game at its beginning.
    proposals : sequence of Record
        The record.
    follow : str
        What play goes on from after a difference: ``record`` or ``law``.
    """

    def __init__(self, timeline: Timeline, proposals: Sequence[Record], follow: str) -> None:
        self.timeline, self.follow = timeline, follow
        self.lines, self.differences = list[Line](), list[Difference]()
        #: The numbers that proposals have in the game, and those that could not be made there.
        self.numbers, self._unplayed = dict[Number, Number](), set[Number]()
        self._offsets = dict[tuple[str, str], int | Fraction]()
        self._unsure, self._skipped, self._over = False, set[int](), False
        self._series: Number = ""
        self._renumbered = set[int]()
        self._throws_come_later = any(
            fact.what.kind == "throw" and fact.when == "before" for one in proposals for fact in one.facts
        )
        steps = list[tuple[datetime | None, Callable[[], None]]]()
        for one in proposals:
            shown = one.kind if one.target is None else f"{one.kind} {one.target}"
            self.lines.append(Line(one.number, one.proponent, shown, one.outcome or ""))
            steps += self._steps(one, self.lines[-1])
        if all(one.opened and (one.closed or not one.outcome) for one in proposals):  # so votes can overlap
            steps.sort(key=lambda each: each[0] or datetime.max)
        for at, act in steps:
            if at is not None:
                self._set_clock(at)
            act()

    @property
    def state(self) -> State:
        """The state of the game now."""
        return self.timeline.state

    def _steps(self, one: Record, line: Line) -> Iterator[tuple[datetime | None, Callable[[], None]]]:
        """Yield what happens to a proposal, in order, with the time of each step."""
        ballots = sorted(one.ballots, key=lambda each: each.at or one.closed or datetime.max)
        if any(ballot.at for ballot in ballots) and not all(ballot.at for ballot in ballots):
            line.bridge(TIMES)
        cast, marks = dict[str, str](), list[int]()
        yield one.opened, lambda: self._begin(one, line)
        yield one.opened, lambda: self._facts(one, line, "during")
        for each in ballots:
            yield each.at or one.closed, lambda ballot=each: self._cast(ballot, line, cast, marks)  # type: ignore[misc]
        yield one.closed, lambda: self._end(one, line, cast, marks)

    # ------------------------------------------------------------------------------------------------ single acts

    def _try(self, player: str | None, action: str, **details: Any) -> Refused | None:
        """Do an act of a player, or of the record if there is none; return why it is refused, else None."""
        try:
            if player is None:
                self.timeline.do_as_host(action, details)
            else:
                self.timeline.do(player, action, details)
        except (IllegalAction, LawError, Undecided) as error:
            return Refused.by(error)
        return None

    def _go_back(self, mark: int) -> None:
        """Let the game be as it was after so many events."""
        self.timeline = self.timeline.copy_with_events(self.timeline.moments[:mark])

    def _differ(self, line: Line, what: str, record: str, law: str, told: Refused | None = None) -> None:
        """Note a difference."""
        why, rule, _ = told or Refused()
        self.differences.append(Difference(line.number, what, record, law, why, rule, self.state.seq, line.bridges))
        if not line.why:
            line.why, line.rule = why, rule

    def _set_clock(self, at: datetime) -> None:
        """Let the time of the record come, if it is later than the latest one."""
        now: object = at.strftime("%Y-%m-%d %H:%M")
        for _ in range(20):  # some hundred days at a time
            try:
                self.timeline.do_as_host("time", {"now": now})
            except IllegalAction as error:
                if error.message.code != "too-many-days":
                    return
                self.timeline.do_as_host("time", {"now": error.message.values["first"]})

    def _facts(self, one: Record, line: Line, when: str) -> None:
        """Let happen what the record tells besides ballots; no roll of a turn that cannot be played."""
        played = self._proposal(line) is not None or when == "before"
        for fact in one.facts:
            what = fact.what
            if fact.when != when or (what.kind == "throw" and not played):
                continue
            who, told = what.who, {"agreed": [], "reason": "the record says so"}
            acts: dict[str, tuple[str | None, str, dict[str, Any]]] = {
                "say": (who, "say", {"text": what.text}),
                "report": (None, "record_report", {"who": who, "deed": what.text}),
                "join": (None, "correct", told | {"effect": f'enter player "{who}" as person'}),
                "leave": (who, "forfeit", {}),
                "away": (None, "absent", {"who": who}),
                "back": (None, "present", {"who": who}),
                "set": (None, "correct", told | {"effect": f'put {what.counter} of "{who}" at {what.value}'}),
                "throw": (self._roller(), "roll", {"value": what.value}),
            }
            player, action, details = acts[what.kind]
            if refused := self._try(player, action, **details):
                shown = " ".join(map(str, filter(None, (what.kind, who, what.text, what.value))))
                self._differ(line, "fact", shown[:80], "refused", refused)

    def _roller(self) -> str:
        """Return who has to roll now; the player at turn if nobody has to."""
        now = [one.player for one in decisions(self.state) if one.action == "roll" and one.player]
        return [*now, *[turn.player for turn in self.state.turns], self.state.person_names[0]][0]

    def _set_aside(self, line: Line) -> bool:
        """Set aside what is due, and note it unless its whole turn is skipped; tell whether that was possible."""
        due = what_is_due(self.state)
        if due and not any(turn.number in self._skipped for turn in self.state.turns):
            line.bridge(f"{ASIDE}: {', '.join(due)}")
            self._unsure = True
        return self._try(None, "set_aside", reason="the record does not have it", agreed=[]) is None

    # -------------------------------------------------------------------------------------------------- proposing

    def _begin(self, one: Record, line: Line) -> None:
        """Propose what the record has, in the turn of its proponent."""
        line.begins = self.state.seq
        if self._is_over(line):
            return
        self._facts(one, line, "before")
        target = self._target(one, line)
        mark, bridges, known = self.state.seq, line.bridges, len(self.differences)
        try:
            change = _change_of(one, target)
            refused = self._propose(one, line, change)
        except LawError as error:
            refused = Refused.by(error)
        if refused is None:
            return
        self._go_back(mark)
        del self.differences[known:]
        line.bridges, line.turn_by_law, line.number_by_law = bridges, "", ""
        self._differ(line, "proposal", f"{line.proponent} proposes {line.number}", refused.how, refused)
        line.verdict = line.law = refused.how
        line.bridge(f"{ASIDE}: the proposal")
        named = {"number": one.number, "rule_number": one.rule_number}
        if refused.how == "refused" and self._try(
            None, "record_proposal", who=one.proponent, change=change, **named
        ) is None:  # fmt: skip
            self.numbers[one.number] = one.number
            return
        self._unplayed.add(one.number)
        self._unsure = True
        turn = self.state.turn_of(one.proponent)  # the turn of a proposal that cannot be played goes by with it
        if turn is not None:
            self._skipped.add(turn.number)
            while any(turn.number == other.number for other in self.state.turns) and self._set_aside(line):
                pass

    def _target(self, one: Record, line: Line) -> Any:
        """Return the present number of the rule to change; note once for each rule if the record has a former one."""
        rules = self.state.rules
        rule = None if rules.rule_numbered(one.target) else rules.find_renumbered(one.target)
        if rule is None:
            return one.target
        if rule.id not in self._renumbered:
            self._differ(line, "target", str(one.target), str(rule.number), self._rule_of("rule.takes_number"))
        self._renumbered.add(rule.id)
        return rule.number

    def _propose(self, one: Record, line: Line, change: Change) -> Refused | None:
        """Propose a change, once the turn of its proponent has come; return why it is refused, else None."""
        assigned = self.state.find("proposal.numbering").says("assigned")
        details = {"change": change, "rule_number": one.rule_number, "number": one.number if assigned else None}
        for _ in range(6 * len(self.state.players) + 10):
            mark = self.state.seq
            refused = self._try(one.proponent, "propose", **details)
            if refused is None:
                break
            if not self._make_way(one.proponent, line):
                return refused
        else:
            return refused
        number = self._new_number(mark)
        if number is None:  # people are asked whether it may be proposed, and the record cannot say
            return Refused("The rules leave open whether this may be proposed.")
        if number != one.number:
            between = {number}
            if isinstance(number, int) and isinstance(one.number, int):
                between |= set(range(number, one.number))
            in_series, self._series = one.number == self._series, one.number
            if isinstance(one.number, int):
                self._series = one.number + 1  # what goes on in a series of its own is one difference
            if not (between <= self._unplayed or in_series):
                line.number_by_law = str(number)
                self._differ(line, "number", str(one.number), str(number), self._rule_of("proposal.numbering"))
            self._go_back(mark)
            if self._try(one.proponent, "propose", **details | {"number": one.number}) is not None:
                self._try(one.proponent, "propose", **details)
        self.numbers[one.number] = self._new_number(mark) or number
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
        state, here = self.state, self.state.turn_of(player)
        if here is None and not state.questions:
            if self._try(player, "begin_turn") is None:
                return True
            if any(self._try(turn.player, "end_turn") is None for turn in state.turns):
                return True
        busy = state.questions or state.blocking_waits
        if (here is not None and not busy and _owes_proposal(here)) or not what_is_due(state):
            return False
        for turn in state.turns:
            if turn.player != player and _owes_proposal(turn):
                if not line.turn_by_law:
                    line.turn_by_law = turn.player
                    self._differ(line, "turn", player, turn.player, self._rule_of("turn.sequence"))
                self._skipped.add(turn.number)
        return self._set_aside(line)

    # ----------------------------------------------------------------------------------------------------- voting

    def _proposal(self, line: Line) -> Proposal | None:
        """Return the proposal in the game that a line is about; None if it was never made."""
        return self.state.proposals.get(self.numbers.get(line.number, ""))

    def _cast(self, ballot: Record, line: Line, cast: dict[str, str], marks: list[int]) -> None:
        """Cast a ballot of the record."""
        proposal = self._proposal(line)
        if proposal is not None and proposal.status == "debate":
            self._try(proposal.proponent, "call_vote", proposal=proposal.number)
            proposal = self._proposal(line)
        if proposal is None:
            line.unread_ballots += 1
            return
        cast[ballot.voter] = ballot.ballot
        if proposal.status not in ("debate", "open"):
            line.late_ballots += 1
            return
        if proposal.vote and proposal.vote.ballots.get(ballot.voter) == ballot.ballot:
            return  # a rule has cast it
        mark, said = self.state.seq, f"{ballot.voter} votes {ballot.ballot}"
        if refused := self._try(ballot.voter, "vote", ballot=ballot.ballot, proposal=proposal.number):
            line.refused_ballots += 1
            self._differ(line, "ballot", said, "refused", refused)
            return
        marks.append(mark)
        weight = proposal.vote.weights[ballot.voter] if proposal.vote else None
        if ballot.weight is not None and weight != ballot.weight:
            self._differ(line, "weight", f"{said}, {ballot.weight}", str(weight), self._rule_of("vote.weight"))

    def _end(self, one: Record, line: Line, cast: Mapping[str, str], marks: Sequence[int]) -> None:
        """Close the vote as the record has it, and compare what comes after it."""
        proposal = self._proposal(line)
        if proposal is not None and proposal.vote is None:
            line.law = OUTCOMES.get(proposal.status, "open")
            if one.outcome and line.verdict not in REFUSED:
                line.verdict = "differs"
                self._differ(line, "outcome", one.outcome, line.law, Refused("No vote on it is open."))
                if self.follow == "record" and line.law == "open":
                    self._record_outcome(line, one.outcome, cast)
        elif proposal is not None and proposal.vote is not None:
            if one.ballots or not one.totals:
                line.votes = "–".join(number_text(proposal.vote.weight_of_side(side)) for side in ("for", "against"))
            if proposal.status in ("open", "ending"):
                self._close_open_vote(one, line, proposal, proposal.vote)
            else:
                self._compare_closed(one, line, proposal, cast, marks)
        self._facts(one, line, "after")
        self._compare_scores(one, line)
        line.event = self.state.seq
        self._is_over(line)

    def _compare_closed(
        self, one: Record, line: Line, proposal: Proposal, cast: Mapping[str, str], marks: Sequence[int]
    ) -> None:
        """Compare the outcome of a vote that the law has closed with the recorded one."""
        mark = marks[-1] if marks else self.state.seq
        line.law, before = OUTCOMES[proposal.status], self.timeline.after(mark)
        if known := before.proposals.get(proposal.number):
            line.at_close = with_proposal(before, replace(known, vote=proposal.vote))
        closed = next(
            event for event in self.timeline.events_backwards()
            if event.kind in ("vote_closed", "lapsed") and event.data["number"] == proposal.number
        )  # fmt: skip
        told = Refused(full_sentence(sentence(closed)), closed.data.get("quota_rule"))
        if line.late_ballots:
            line.closing, many = "too late", len(marks) + line.late_ballots
            self._differ(line, "closing", f"{many} ballots", f"closed after {len(marks)}", told)
        self._note_outcome(one, line, told)
        if line.verdict == "differs" and self.follow == "record" and marks:
            self._go_back(mark)
            already = getattr(self.state.proposals[proposal.number].vote, "ballots", {})
            rest = {name: ballot for name, ballot in cast.items() if name not in already}
            self._record_outcome(line, one.outcome, rest)

    def _note_outcome(self, one: Record, line: Line, told: Refused) -> None:
        """Compare the outcome by the law with the recorded one."""
        if line.verdict not in REFUSED and one.outcome:
            line.verdict = "same" if line.law == one.outcome else "differs"
            if line.verdict == "differs":
                self._differ(line, "outcome", one.outcome, line.law, told)

    def _close_open_vote(self, one: Record, line: Line, proposal: Proposal, vote: Vote) -> None:
        """Close a vote that the law keeps open after the last ballot of the record."""
        ways = [vote]
        if one.totals and not one.ballots:
            line.bridge(TOTALS)
            self._unsure, ways = True, _ways_to_share(self.state, proposal, vote, one.totals)
        results = [self._result_if(replace(proposal, vote=way)) for way in ways]
        found = {(closed, outcome) for closed, outcome, _ in results}
        if TOTALS not in line.bridges:
            line.at_close = self.state
        if not found:
            totals = ", ".join(f"{many} {side}" for side, many in one.totals.items())
            line.verdict = "differs"
            self._differ(line, "totals", totals, f"not among {len(vote.electorate)} voters")
        elif len(found) == 1 and results[0][0]:
            line.law = results[0][1]
            needed = "" if vote.quota is None else f"{least_votes(vote.quota, vote.weights.values())} votes needed."
            self._note_outcome(one, line, Refused(needed, vote.quota_rule))
        elif len(found) == 1 or not any(closed for closed, _ in found):
            line.law = "open"
            if one.outcome or one.closed:
                line.closing = "too early"
                line.verdict = line.verdict if line.verdict in REFUSED else "differs"
                self._differ(line, "closing", one.outcome or "closed", "still open", results[0][2])
        by_law = line.law if line.law in OUTCOMES.values() else ""
        if result := (by_law or one.outcome) if self.follow == "law" else (one.outcome or by_law):
            self._record_outcome(line, result, {})

    def _result_if(self, proposal: Proposal) -> tuple[bool, str, Refused]:
        """Return whether the law lets a vote close now, the outcome then, and why it may not close."""
        state, seed, refused = with_proposal(self.state, proposal), self.timeline.seed, Refused()

        def look_again(engine: Engine) -> None:
            engine.emit("announced", text="")
            engine.schedule("close vote", **proposal.law_case)

        def outcome(after: State) -> str:
            return OUTCOMES.get(after.proposals[proposal.number].status, "")

        try:
            if result := outcome(perform_step(state, seed, ("announce", {}), look_again)[-1][1]):
                return True, result, refused
            for name in sorted(state.present_names, key=lambda one: one != proposal.proponent):
                try:
                    if result := outcome(step(state, seed, name, "close_vote", {"proposal": proposal.number})):
                        return True, result, Refused()
                except IllegalAction as error:
                    refused = refused if refused.why else Refused.by(error)
            passes = proposal.vote is not None and is_adopted(proposal.vote.law, state, proposal)
        except Undecided as doubt:
            return False, "", Refused.by(doubt)
        return False, "adopted" if passes else "failed", refused

    def _record_outcome(self, line: Line, outcome: str, ballots: Mapping[str, str]) -> None:
        """Close a vote as the record says, with the ballots that are still to be cast."""
        if line.verdict == "differs":
            line.bridge(DIFFERENCE)
        sides = {named: [name for name, one in ballots.items() if one == side] for named, side in SIDES.items()}
        number, adopted = self.numbers[line.number], outcome == "adopted"
        self._try(None, "record_outcome", proposal=number, adopted=adopted, reason="as recorded", **sides)

    # ----------------------------------------------------------------------------------------------------- scores

    def _compare_scores(self, one: Record, line: Line) -> None:
        """Compare the scores that the record has after a proposal with those of the game."""
        if not one.scores:
            return
        for _ in range(3 * len(self.state.players)):  # rolls and choices that the record lacks
            owed = any("propose" not in duty.fulfilling_actions for turn in self.state.turns for duty in turn.duties)
            missing = not self.state.questions and (self.state.blocking_waits or owed)
            if self._throws_come_later or not missing or not self._set_aside(line):
                break
        unsure, self._unsure = self._unsure, False
        # a board can be written before the next turn begins, or after
        events = self.timeline.events_backwards()
        last = next(event for event in events if event.kind in ("turn_begun", "proposed", "game_started"))
        states = (self.state, self.timeline.after(last.seq - 1) if last.kind == "turn_begun" else self.state)
        for score in one.scores:
            place, what = (score.player, score.counter), f"{score.counter} of {score.player}"
            found = [player_counters(state, score.player).get(score.counter) for state in states]
            off, other = (None if one is None else score.value - one for one in found)
            now, same = found[0], self._offsets.get(place, 0) in (off, other)
            line.scores += 1
            line.scores_bridged += unsure
            line.scores_alike += same and not unsure
            if same:
                continue
            kept = line.bridges
            if unsure and ASIDE not in kept:
                line.bridge(ASIDE)
            self._differ(line, what, number_text(score.value), "no such counter" if now is None else number_text(now))
            line.bridges = kept
            if off is not None:
                put = f'put {score.counter} of "{score.player}" at {score.value}'
                fix = {"effect": put, "agreed": [], "reason": "the record says so"}
                done = self.follow == "record" and self._try(None, "correct", **fix) is None
                self._offsets[place] = 0 if done else off

    def _is_over(self, line: Line) -> bool:
        """Tell whether the game is over; note it once, if the record goes on."""
        if self.state.over and line.begins == self.state.seq and line.verdict == "not recorded":
            told = Refused("The game is over.")
            if not self._over:
                winners = ", ".join(self.state.winners) or "nobody"
                self._differ(line, "end", "the game continues", f"the game is over; {winners} won", told)
            self._over, line.verdict, line.law, line.why = True, "refused", "refused", told.why
        return self.state.over


def _owes_proposal(turn: Any) -> bool:
    """Tell whether the player of a turn owes a proposal."""
    return any(duty.player == turn.player and "propose" in duty.fulfilling_actions for duty in turn.duties)


def _change_of(one: Record, target: Any) -> Change:
    """Return the change that a proposal of the record makes to a rule.

    Raises
    ------
    LawError
        Its wording or its clauses cannot be used.
    """
    wording, law, title = one.wording or NO_WORDING, one.law, one.title or ""
    if one.kind == "enact":
        return enact(wording, law or "", title)
    if one.kind == "amend":
        return amend(target, wording, "" if law == NO_CLAUSES else law, title=title)
    return repeal(target) if one.kind == "repeal" else transmute(target)


def _ways_to_share(state: State, proposal: Proposal, vote: Vote, totals: Mapping[str, object]) -> list[Vote]:
    """Return a vote with totals shared out among its voters in each way that may matter; [] if there are too many."""
    views = [View(each, {**proposal.law_case}, vote.law) for each in states_for_parts(state, proposal)]
    matters = do_voters_matter(tuple(expressions_behind(vote.law, "vote.adopted", FIXED_VOTE_KEYS, views)))
    many, each = ballot_combinations(vote, dict.fromkeys(vote.electorate, (*vote.choices, None)), apart=matters)
    wanted = Counter({side: total for side, total in totals.items() if total})
    return [replace(vote, ballots=one) for one in each if Counter(one.values()) == wanted] if many <= MOST_WAYS else []
