"""Searches for a loophole, from the fewest deeds to more: each line is played on a state that nobody keeps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from nomic_nb.engine.law.rules import RuleBook
from nomic_nb.engine.play.declarations import EXAMPLE_CHANGE
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.state import Agenda, State, StateFields
from nomic_nb.engine.play.values import Proposal
from nomic_nb.engine.threads import in_browser
from nomic_nb.study.search.goals import Goal, held_by, is_above
from nomic_nb.study.search.moves import WITHHOLD, Act, Table, Veiled, kinds_of_moves

#: Answers in a line after one deed, and how often a loop is tried at once.
LONGEST_LINE, LOOPS = 60, 120
#: After so many steps, a search on boards that can no longer prove an absence tries only what is new.
THOROUGH = 2_000
#: Processor time of this thread; a browser has but one and measures no thread alone.
spent_time = time.process_time if in_browser() else time.thread_time
STOPPED = "the search was stopped"
#: Fields of a state that two states which are alike may differ in: counters of what happened, dice, which the search
#: makes show what it needs, remarks that are no law, and the law, which follows from the rules and all else.
IGNORED_FIELDS = frozenset({"seq", "draws", "work", "comments", "notes", "law"})
MARKED_FIELDS = tuple(field.name for field in fields(StateFields) if field.name not in IGNORED_FIELDS)

#: Types of which equal values are the same, besides text.
PLAIN_TYPES = frozenset({type(None), bool, int, float, Fraction})


class Line(NamedTuple):
    """A line of play: a state, and the acts that led to it."""

    state: State
    acts: tuple[Act, ...] = ()
    #: The state before each deed, and how many acts led there; the last deed first.
    origins: tuple[tuple[State, int], ...] = ()
    #: Whether a deed like its last one was tried under the same rules already.
    is_alike: bool = False


class Marks:
    """Marks of states: equal ones let the same things happen, and a goal is reached in both or in neither.

    Values that states share are looked at once.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, object]] = {}

    def mark(self, state: State) -> int:
        """Return the mark of a state."""
        opened = {str(one.number) for one in state.open_proposals}
        held = frozenset(note for note in state.notes if note.kind == WITHHOLD and note.name in opened)
        return hash((held, *(self._key(getattr(state, name)) for name in MARKED_FIELDS)))

    def mark_without_change(self, before: State, after: State) -> object:
        """Return a mark that all states share in which only the change of the newest proposal differs."""
        if len(after.proposals) == len(before.proposals):  # it waits for an answer
            return object()
        new = newest_proposal(after)
        if not new.is_open or new.change.parts:
            return object()
        return self.mark(with_proposal(after, replace(new, change=EXAMPLE_CHANGE, aims=())))

    def _key(self, value: object) -> object:
        """Return what tells a value from others: of plain values all parts, of anything else which one it is."""
        kind = type(value)
        if kind is str:
            return value
        if kind in PLAIN_TYPES:
            return kind, str(value)  # -1 and -2 have the same hash
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
        elif isinstance(value, Veiled):
            key = hash(frozenset(made.change for _, made in value.forms))
        elif is_dataclass(value) and not isinstance(value, RuleBook):
            key = hash((kind, *(self._key(getattr(value, name)) for name in _field_names(value.__class__))))
        self._known[id(value)] = value, key
        return key


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    """Return the names of a dataclass’s fields."""
    return tuple(field.name for field in fields(kind))


def newest_proposal(state: State) -> Proposal:
    """Return the proposal that was made last."""
    return state.proposals[next(reversed(tuple(state.proposals)))]


def _veil(ways: list[tuple[Act, State]], asked: set[Veiled]) -> State:
    """Return the state after one of several proposals that differ only in their change; it represents all of them."""
    if len(ways) == 1:
        return ways[0][1]
    forms = [(act, newest_proposal(after)) for act, after in ways]
    return with_proposal(ways[0][1], replace(forms[0][1], change=Veiled(forms, asked)))


def _lines_apart(line: Line, veiled: Veiled) -> Iterator[Line]:
    """Yield a line for each change that one represented so far."""
    at = next(at for at, act in enumerate(line.acts) if act is veiled.forms[0][0])
    for act, made in veiled.forms:

        def unveiled(state: State, made: Proposal = made) -> State:
            own = state.proposals.get(made.number)
            if own is None or own.change is not veiled:
                return state
            return with_proposal(state, replace(own, change=made.change, aims=made.aims))

        origins = tuple((unveiled(state), count) for state, count in line.origins)
        yield Line(unveiled(line.state), (*line.acts[:at], act, *line.acts[at + 1 :]), origins)


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
        self.marks, self.seen = Marks(), dict[int, int]()
        #: By the identity of a rule book, the book and the kinds of deeds that were tried under it.
        self.tried: dict[int, tuple[RuleBook, set[object]]] = {}

    def lines(self, start: State) -> Iterator[tuple[Act, ...]]:
        """Yield lines that reach the goal, those with the fewest deeds first; stop if time is up or it is stopped."""
        self.start, self.has_boards = start, self.is_pruned and start.position is not None
        try:
            level = [Line(start)]
            for spent in range(self.depth + 1):
                following: list[Line] = []
                for line in sorted(level, key=lambda line: line.is_alike):
                    if line.is_alike and self._is_cut():
                        continue
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

    def _is_cut(self) -> bool:
        """Tell whether only what is new is tried: there are boards, a lot was tried, and no absence can be proved."""
        if not (self.has_boards and self.table.reasons and self.table.counts["steps"] > THOROUGH):
            return False
        self.table.note("not every deed was tried at every moment")
        return True

    def _follow(self, line: Line, following: list[Line] | None) -> Iterator[tuple[Act, ...]]:
        """Yield lines that reach the goal without another deed; add those with one more deed to `following`."""
        lines = [line]
        for begun in lines:  # it grows where something tells changes apart that one line represents
            line = begun
            for _ in range(LONGEST_LINE):
                if line.state.circuit > self._last_round(line):
                    break  # this bound is part of the claim
                self.table.asked.clear()
                count = len(following or ())
                found, is_over = self._look(line, following)
                if found:
                    yield found
                replied = None if is_over else self.table.reply(line.state)
                if self.table.asked:
                    if following:
                        del following[count:]
                    lines += _lines_apart(line, self.table.asked.pop())
                    break
                if replied is None:
                    break
                line = Line(replied[1], (*line.acts, replied[0]), line.origins)
            else:
                self.table.note(f"a line is longer than {LONGEST_LINE} answers")

    def _look(self, line: Line, following: list[Line] | None) -> tuple[tuple[Act, ...], bool]:
        """Return a line that has reached the goal, if any, and whether it ends here; add those with one more deed."""
        table = self.table
        if loop := self._loop(line):
            return loop, True
        if self.is_pruned and self._is_known(line):
            table.counts["merged"] += 1
            return (), True
        table.counts["positions"] += 1
        if self.goal.name != "gain" and self.goal.is_reached(line.state):
            return line.acts, True
        if following is None:
            return (), False
        told: dict[tuple[object, bool], list[tuple[Act, State]]] = {}
        tried, kinds = self.tried.setdefault(id(line.state.rules), (line.state.rules, set()))[1], dict[str, object]()
        for deed in table.deeds(line.state):
            name = f"{deed.player} {deed.action} {sorted(map(str, deed.details.values()))}"
            if deed.action == "move":
                kinds = kinds or kinds_of_moves(line.state)
            kind = kinds.get(str(deed.details["text"]), name) if deed.action == "move" else name
            is_known = self.has_boards and kind in tried
            if is_known and self._is_cut():
                continue
            tried.add(kind)
            after = table.after(line.state, deed)
            if after is not None:
                table.counts["deeds"] += 1
                table.moves.add(name)
                may_veil = self.is_pruned and deed.action == "propose"
                key = self.marks.mark_without_change(line.state, after) if may_veil else object()
                told.setdefault((key, is_known), []).append((deed, after))
            if self._is_spent():
                return (), True
        origins = ((line.state, len(line.acts)), *line.origins)
        for (_, is_known), ways in told.items():
            following.append(Line(_veil(ways, table.asked), (*line.acts, ways[0][0]), origins, is_known))
        return (), False

    def _is_known(self, line: Line) -> bool:
        """Tell whether lines from a state like this one were followed already, as far as this one would be.

        Dropping this one then loses nothing. What can happen follows from what marks hold, and lines come in order of
        their deeds, so the other one had as many deeds left. Its bound was no nearer. No loop can close over a deed of
        this line, since a loop begins and ends in one turn and all its deeds were done in earlier ones.
        """
        if line.origins and line.origins[0][0].turn == line.state.turn:
            return False
        mark, last = self.marks.mark(line.state), self._last_round(line)
        known = self.seen.get(mark, -1)
        self.seen[mark] = max(last, known)
        return known >= (0 if self._is_cut() else last)

    def _last_round(self, line: Line) -> int:
        """Return the last round to which a line is followed: the one after its last deed."""
        since = line.origins[0][0] if line.origins and not self._is_cut() else self.start
        return since.circuit + 1

    def _loop(self, line: Line) -> tuple[Act, ...]:
        """Return a line that repeats its last deeds to the goal, if they led back except for a gain; else nothing."""
        for before, at in line.origins:
            if (
                line.state.tables is not before.tables
                and line.state.turn == before.turn
                and self._is_gain(before, line.state)
                and self._outline(before) == self._outline(line.state)
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
