"""Searches for a loophole, from the fewest deeds to more: each line is played on a state that nobody keeps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from time import process_time
from typing import Any, NamedTuple

from nomic_nb.engine.law.rules import RuleBook
from nomic_nb.engine.play.state import Agenda, State, StateFields
from nomic_nb.engine.play.values import Proposal
from nomic_nb.study.search.goals import Goal, held_by
from nomic_nb.study.search.moves import PLAIN_FIELDS, Act, Table

#: Answers in a line after one deed, and how often a loop is tried at once.
LONGEST_LINE, LOOPS = 60, 40
#: Fields of a state that two states which are alike may differ in: counters of what happened, dice, which the search
#: makes show what it needs, remarks that are no law, and the law, which follows from the rules and all else.
IGNORED_FIELDS = frozenset({"seq", "draws", "work", "comments", "notes", "law"})
MARKED_FIELDS = tuple(field.name for field in fields(StateFields) if field.name not in IGNORED_FIELDS)
#: Names by which laws reach closed proposals.
REACHES_CLOSED = re.compile(r"\bproposals(_now)?\b|\.proposal\b")


class Line(NamedTuple):
    """A line of play: a state, and the acts that led to it."""

    state: State
    acts: tuple[Act, ...] = ()
    #: The state before the last deed, and how many acts led there.
    origin: tuple[State, int] | None = None


class Marks:
    """Marks of states: equal ones let the same things happen.

    Values that states share are looked at once.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, object]] = {}
        self._books: dict[int, tuple[RuleBook, bool]] = {}

    def mark(self, state: State) -> int:
        """Return the mark of a state."""
        closed_alike = self._may_merge_closed(state)
        values = [
            self._key(
                {number: _without_words(one) for number, one in state.proposals.items()}
                if name == "proposals" and closed_alike
                else getattr(state, name)
            )
            for name in MARKED_FIELDS
        ]
        return hash(tuple(values))

    def _may_merge_closed(self, state: State) -> bool:
        """Tell whether no clause in force can see what closed proposals say."""
        book = state.rules
        if id(book) not in self._books:
            words = {name for kind, name in state.law.vocabulary.fields if kind == "change"} - PLAIN_FIELDS
            texts = (one.text for rule in book.in_force for clause in rule.clauses for one in clause.expressions)
            reading = [text for text in texts if REACHES_CLOSED.search(text)]
            named = {name for text in reading for name in re.findall(r"[a-z_]+", text)}
            self._books[id(book)] = book, not named & (words | {"mentions", "for_people"})
        return self._books[id(book)][1]

    def _key(self, value: object) -> object:
        """Return what tells a value from others: of plain values all parts, of anything else which one it is."""
        if value is None or isinstance(value, (str, int, float)):
            return type(value).__name__, value
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
            key = hash((type(value), *(self._key(getattr(value, field.name)) for field in fields(value))))
        self._known[id(value)] = value, key
        return key


def _without_words(proposal: Proposal) -> Proposal:
    """Return a closed proposal without what it says; an open one as it is."""
    if proposal.is_open or proposal.status == "waiting":
        return proposal
    change = proposal.change
    return replace(proposal, change=replace(change, wording="", law="", title=""))


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
    """

    def __init__(
        self, table: Table, goal: Goal, depth: int, seconds: float, most_steps: int, *, is_pruned: bool = True
    ) -> None:
        self.table, self.goal, self.depth, self.is_pruned = table, goal, depth, is_pruned
        self.end, self.most_steps = process_time() + seconds, most_steps
        self.marks, self.seen = Marks(), set[int]()

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
            self.table.note("the search was stopped")

    def _is_spent(self) -> bool:
        """Tell whether time or steps are used up, and note it."""
        if process_time() > self.end:
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
            table.counts["positions"] += 1
            if self.goal.name != "gain" and self.goal.is_reached(moment.state):
                yield moment.acts
                return
            if loop := self._loop(moment):
                yield loop
                return
            if following is None:
                continue
            for deed in table.deeds(moment.state):
                after = table.after(moment.state, deed)
                if after is not None:
                    table.counts["deeds"] += 1
                    table.moves.add(f"{deed.player} {deed.action} {sorted(map(str, deed.details.values()))}")
                    following.append(Line(after, (*moment.acts, deed), (moment.state, len(moment.acts))))
                if self._is_spent():
                    return

    def _moments(self, line: Line) -> Iterator[Line]:
        """Yield a line before each act that play waits for, until ours have to choose."""
        for _ in range(LONGEST_LINE):
            if line.origin is not None and line.state.circuit > line.origin[0].circuit + 1:
                return  # this bound is part of the claim
            if self.is_pruned:
                mark = self.marks.mark(line.state)
                if mark in self.seen:
                    self.table.counts["merged"] += 1
                    return
                self.seen.add(mark)
            yield line
            replied = self.table.reply(line.state)
            if replied is None:
                return
            act, state = replied
            line = Line(state, (*line.acts, act), line.origin)
        self.table.note(f"a line is longer than {LONGEST_LINE} answers")

    def _loop(self, line: Line) -> tuple[Act, ...]:
        """Return a line that repeats the last deed to the goal, if it led back except for a gain; else nothing."""
        if line.origin is None or line.state.tables is line.origin[0].tables:
            return ()
        before, at = line.origin
        if not self._is_gain(before, line.state) or self._outline(before) != self._outline(line.state):
            return ()
        self.table.counts["loops"] += 1
        deed, state, acts = line.acts[at], line.state, line.acts
        wanted = self._outline(before)
        for time in range(LOOPS):
            known = state
            after = self.table.after(state, deed)
            acts = (*acts, deed)
            for _ in range(LONGEST_LINE):
                if after is None:
                    return ()
                if self.goal.name != "gain" and self.goal.is_reached(after):
                    return acts
                if self._outline(after) == wanted:
                    break
                replied = self.table.reply(after)
                after = replied[1] if replied else None
                acts = (*acts, replied[0]) if replied else acts
            if after is None or not self._is_gain(known, after):
                return ()
            if self.goal.name == "gain" and time:
                return acts if self.goal.is_reached(after) else ()
            state = after
        return ()

    def _is_gain(self, before: State, after: State) -> bool:
        """Tell whether the numbers of ours have changed."""
        return held_by(before, self.table.who) != held_by(after, self.table.who)

    def _outline(self, state: State) -> tuple[Any, ...]:
        """Return what is the same where the same deed is possible again."""
        opened = tuple((one.player, one.action, one.options, one.must) for one in self.table.decisions(state))
        return opened, state.turn, state.over, id(state.rules), tuple(state.players)
