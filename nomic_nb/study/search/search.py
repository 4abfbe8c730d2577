"""Searches for a loophole, from the fewest deeds to more: each line is played on a state that nobody keeps."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from nomic_nb.engine.law.rules import RuleBook
from nomic_nb.engine.play.state import Agenda, State, StateFields
from nomic_nb.engine.play.values import Proposal
from nomic_nb.engine.threads import in_browser
from nomic_nb.study.search.goals import Goal, held_by, is_above
from nomic_nb.study.search.moves import PLAIN_FIELDS, Act, Table

#: Answers in a line after one deed, and how often a loop is tried at once.
LONGEST_LINE, LOOPS = 60, 120
#: Processor time of this thread; a browser has but one and measures no thread alone.
spent_time = time.process_time if in_browser() else time.thread_time
STOPPED = "the search was stopped"
#: Fields of a state that two states which are alike may differ in: counters of what happened, dice, which the search
#: makes show what it needs, remarks that are no law, and the law, which follows from the rules and all else. Proposals
#: are marked one by one.
IGNORED_FIELDS = frozenset({"seq", "draws", "work", "comments", "notes", "law", "proposals"})
MARKED_FIELDS = tuple(field.name for field in fields(StateFields) if field.name not in IGNORED_FIELDS)
#: Names by which laws reach closed proposals.
REACHES_CLOSED = re.compile(r"\bproposals(_now)?\b|\.proposal\b")


class Line(NamedTuple):
    """A line of play: a state, and the acts that led to it."""

    state: State
    acts: tuple[Act, ...] = ()
    #: The state before each deed, and how many acts led there; the last deed first.
    origins: tuple[tuple[State, int], ...] = ()


class Marks:
    """Marks of states: equal ones let the same things happen, and a goal is reached in both or in neither.

    Values that states share are looked at once.

    Parameters
    ----------
    goal : str
        The goal; it may be a condition that looks at proposals.
    """

    def __init__(self, goal: str) -> None:
        self.goal = goal
        self._known: dict[int, tuple[object, object]] = {}
        self._books: dict[int, tuple[RuleBook, bool]] = {}
        self._bare: dict[int, tuple[Proposal, Proposal]] = {}

    def mark(self, state: State) -> int:
        """Return the mark of a state."""
        values = [self._key(getattr(state, name)) for name in MARKED_FIELDS]
        told = state.proposals.values()
        values += map(self._key, map(self._without_words, told) if self._may_merge_closed(state) else told)
        return hash(tuple(values))

    def _may_merge_closed(self, state: State) -> bool:
        """Tell whether no clause in force can see what closed proposals say."""
        book = state.rules
        if id(book) not in self._books:
            words = {name for kind, name in state.law.vocabulary.fields if kind == "change"} - PLAIN_FIELDS
            clauses = (two for rule in book.in_force for one in rule.clauses for two in one.with_inner_clauses)
            texts = (self.goal, *(one.text for clause in clauses for one in clause.expressions))
            reading = [text for text in texts if REACHES_CLOSED.search(text)]
            named = {name for text in reading for name in re.findall(r"[a-z_]+", text)}
            self._books[id(book)] = book, not named & (words | {"mentions", "for_people"})
        return self._books[id(book)][1]

    def _without_words(self, proposal: Proposal) -> Proposal:
        """Return a closed proposal without what it says; an open one as it is."""
        if id(proposal) not in self._bare:
            change, is_done = proposal.change, not (proposal.is_open or proposal.status == "waiting")
            bare = replace(proposal, change=replace(change, wording="", law="", title="")) if is_done else proposal
            self._bare[id(proposal)] = proposal, bare
        return self._bare[id(proposal)][1]

    def _key(self, value: object) -> object:
        """Return what tells a value from others: of plain values all parts, of anything else which one it is."""
        if value is None or isinstance(value, (str, int, float, Fraction)):
            return type(value).__name__, str(value)  # -1 and -2 have the same hash
        known = self._known.get(id(value))
        if known is not None:
            return known[1]
        key: object = id(value)
        if isinstance(value, Mapping):
            key = hash(tuple((self._key(name), self._key(held)) for name, held in value.items()))
        elif isinstance(value, (tuple, list, Agenda)):
            key = hash(tuple(map(self._key, value)))
        elif isinstance(value, (set, frozenset)):
            key = hash(frozenset(map(self._key, value)))
        elif is_dataclass(value) and not isinstance(value, RuleBook):
            key = hash((type(value), *(self._key(getattr(value, name)) for name in _field_names(value.__class__))))
        self._known[id(value)] = value, key
        return key


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    """Return the names of a dataclass’s fields."""
    return tuple(field.name for field in fields(kind))


class Search:
    """A search for lines that reach a goal.

    Parameters
    ----------
    table : Table
        How everybody acts.
    goal : Goal
        What is looked for.
    depth : int
        Deeds in a line.
    seconds : float
        Processor time.
    most_steps : int
        Steps of play that are tried.
    is_pruned : bool
        Whether lines that come to the same position are followed once only.
    stop : callable
        Tells whether to stop early.
    """

    def __init__(
        self, table: Table, goal: Goal, depth: int, seconds: float, most_steps: int, *, is_pruned: bool,
        stop: Callable[[], bool],
    ) -> None:  # fmt: skip
        self.table, self.goal, self.depth, self.is_pruned, self.stop = table, goal, depth, is_pruned, stop
        self.end, self.most_steps = spent_time() + seconds, most_steps
        #: By the mark of a state, the last round to which lines from there were followed.
        self.marks, self.seen = Marks(goal.name), dict[int, int]()

    def lines(self, start: State) -> Iterator[tuple[Act, ...]]:
        """Yield lines that reach the goal, those with the fewest deeds first; stop if time is up or it is stopped."""
        try:
            level = [Line(start)]
            for spent in range(self.depth + 1):
                following: list[Line] = []
                for line in level:
                    yield from self._follow(line, following if spent < self.depth else None)
                    if self._is_spent():
                        return
                level = following
        except KeyboardInterrupt:
            self.table.note(STOPPED)

    def _is_spent(self) -> bool:
        """Tell whether time or steps are used up, and note it."""
        if self.stop():
            self.table.note(STOPPED)
        elif spent_time() > self.end:
            self.table.note("time is up")
        elif self.table.counts["steps"] > self.most_steps:
            self.table.note("the steps are used up")
        else:
            return False
        return True

    def _follow(self, line: Line, following: list[Line] | None) -> Iterator[tuple[Act, ...]]:
        """Yield lines that reach the goal without another deed; add those with one more deed to `following`."""
        table = self.table
        for moment in self._moments(line):
            if loop := self._loop(moment):
                yield loop
                return
            if self.is_pruned and self._is_known(moment):
                table.counts["merged"] += 1
                return
            table.counts["positions"] += 1
            if self.goal.name != "gain" and self.goal.is_reached(moment.state):
                yield moment.acts
                return
            if following is None:
                continue
            for deed in table.deeds(moment.state):
                after = table.after(moment.state, deed)
                if after is not None:
                    table.counts["deeds"] += 1
                    table.moves.add(f"{deed.player} {deed.action} {sorted(map(str, deed.details.values()))}")
                    origins = ((moment.state, len(moment.acts)), *moment.origins)
                    following.append(Line(after, (*moment.acts, deed), origins))
                if self._is_spent():
                    return

    def _moments(self, line: Line) -> Iterator[Line]:
        """Yield a line before each act that play waits for, until ours have to choose."""
        for _ in range(LONGEST_LINE):
            if line.state.circuit > _last_round(line):
                return  # this bound is part of the claim
            yield line
            replied = self.table.reply(line.state)
            if replied is None:
                return
            act, state = replied
            line = Line(state, (*line.acts, act), line.origins)
        self.table.note(f"a line is longer than {LONGEST_LINE} answers")

    def _is_known(self, line: Line) -> bool:
        """Tell whether lines from a state like this one were followed already, as far as this one would be.

        Dropping this one then loses nothing. What can happen follows from what marks hold, and lines come in order of
        their deeds, so the other one had as many deeds left. Its bound was no nearer. No loop can close over a deed of
        this line, since a loop begins and ends in one turn and all its deeds were done in earlier ones.
        """
        if line.origins and line.origins[0][0].turn == line.state.turn:
            return False
        mark, last = self.marks.mark(line.state), _last_round(line)
        known = self.seen.get(mark, -1)
        self.seen[mark] = max(last, known)
        return known >= last

    def _loop(self, line: Line) -> tuple[Act, ...]:
        """Return a line that repeats its last deeds to the goal, if they led back except for a gain; else nothing."""
        for before, at in line.origins:
            if (
                line.state.tables is not before.tables
                and line.state.turn == before.turn
                and self._outline(before) == self._outline(line.state)
                and self._is_gain(before, line.state)
                and (found := self._repeat(line, at))
            ):
                return found
        return ()

    def _repeat(self, line: Line, at: int) -> tuple[Act, ...]:
        """Return a line with its acts from a place on repeated until the goal is reached; nothing if it is not."""
        self.table.counts["loops"] += 1
        wanted, state, acts, goal = self._outline(line.state), line.state, line.acts, self.goal
        for rounds in range(LOOPS):
            known = state
            for act in line.acts[at:]:
                replied = (act, self.table.after(state, act)) if act.is_deed else self.table.reply(state)
                if replied is None or replied[1] is None:
                    return ()
                acts, state = (*acts, replied[0]), replied[1]
                if goal.name != "gain" and goal.is_reached(state):
                    return acts
            if not self._is_gain(known, state) or self._outline(state) != wanted:
                return ()
            if goal.name == "gain" and rounds:
                return acts if goal.is_reached(state) else ()
        if is_above(held_by(state, self.table.who), held_by(line.state, self.table.who)):
            self.table.note(f"{LOOPS} rounds of a loop did not reach the goal")
        return ()

    def _is_gain(self, before: State, after: State) -> bool:
        """Tell whether the numbers of ours have changed."""
        return held_by(before, self.table.who) != held_by(after, self.table.who)

    def _outline(self, state: State) -> tuple[Any, ...]:
        """Return what is the same where the same deed is possible again."""
        opened = tuple((one.player, one.action, one.options, one.must) for one in self.table.decisions(state))
        return opened, state.turn, state.over, id(state.rules), tuple(state.players)


def _last_round(line: Line) -> int:
    """Return the last round to which a line is followed: the one after its last deed."""
    return line.origins[0][0].circuit + 1 if line.origins else line.state.circuit + 1
