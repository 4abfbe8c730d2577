"""Where a rule leaves it to a player which of several acts to do: which are open, and why the others are not."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, fields, replace
from typing import Any, TypeVar, cast

from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import CHANGE_KINDS, Change
from nomic_nb.engine.law.clauses import Clause, TrackClause, TriggerClause
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Undecided, leave_out_costly
from nomic_nb.engine.law.rules import Number, Rule
from nomic_nb.engine.play.adoptability import (
    SUPPOSED_CASE,
    also_forbids,
    counts_as_owed,
    find_permission_for_kind,
    may_ever_propose,
    propose_in_parts,
    suppose_proposed,
)
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.permissions import find_permission, is_forbidden, may_trigger
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Turn

T = TypeVar("T")

#: What a change of each kind is called; with a universe, only two kinds can be proposed.
CHANGE_VERBS = {
    "enact": "make a rule",
    "amend": "amend a rule",
    "repeal": "repeal a rule",
    "transmute": "transmute a rule",
}
LOCAL_KINDS = ("enact", "repeal")
#: An amendment that leaves as it is what the rule says.
ADD_LABEL = "add to a rule"
#: Repeals of several rules together that are tried: all made before a circuit, for the latest of them.
MOST_RULES_TRIED = 6


@frozen
class ActChoice:
    """An act that a player can choose, or cannot now.

    Parameters
    ----------
    player, action : str
        Who does it, and as what `game.do` takes it.
    what : str
        What it is, for people.
    where : tuple of str
        The universes for which it is open; empty where it is not for one of them.
    why : str
        Why it is not open; empty where it is.
    rule : int or str or None
        The rule that says so.
    tried : bool
        Whether it is open only as far as can be told before it is tried: rules look at what would come of a change.
    beside : bool
        Whether it is done beside what is owed, and is not what is owed.
    clause : Clause or None
        The clause that says so.
    then : str
        What is to be done behind it, since it is for one universe; empty where the law has nothing of that.
    """

    player: str
    action: str
    what: str
    where: tuple[str, ...] = ()
    why: str = ""
    rule: Number | None = None
    tried: bool = False
    beside: bool = False
    clause: Clause | None = None
    then: str = ""

    def told(self, where: Sequence[str]) -> str:
        """Say what it is where it is open, and for which universes."""
        said = self.what + (f" ({', '.join(where)})" if where else "")
        said += ", if what comes of it is allowed" if self.tried else ""
        return said + (f"; after that, {self.then}" if self.then else "")

    def __str__(self) -> str:
        said = self.told(self.where)
        if not self.why:
            return said
        return f"{said}: {self.why}" + ("" if self.rule is None else f" (rule {self.rule})")


@frozen
class _UnreadUniverse(Change):
    """A change that notes whether anything looks at its universe; where nothing does, the answer is that of each."""

    looked_at: bool = field(default=False, init=False, compare=False)

    @classmethod
    def of(cls, change: Change) -> _UnreadUniverse:
        """Return the same change, at which nothing has looked."""
        return cls(**{one.name: getattr(change, one.name) for one in fields(Change)})

    def __getattribute__(self, name: str) -> Any:
        """Return an attribute, and note whether the universe can be seen by it."""
        if name in ("universe", "__dict__"):
            object.__setattr__(self, "looked_at", True)
        return super().__getattribute__(name)


def _ask_once_per_kind(alike: dict[Change, T], change: Change, ask: Callable[[Change], T]) -> T:
    """Return what is found of a change, or was of one that differs in nothing at which that looked."""
    wherever = replace(change, universe="")
    if wherever in alike:
        return alike[wherever]
    asked = _UnreadUniverse.of(change)
    found = ask(asked)
    if not asked.looked_at:
        alike[wherever] = found
    return found


@leave_out_costly
def list_choices(state: State, most: int = 0) -> tuple[ActChoice, ...]:
    """Return what players can choose among in the turns under way, and what they cannot now.

    Parameters
    ----------
    state : State
        As it stands.
    most : int
        How many of the universes for which a change is open are looked for: the first ones and the last; 0 for all.
    """
    if state.over or state.paused or state.questions or state.standstill:
        return ()
    named = _left_to_players(state)
    busy = state.busy
    return tuple(
        choice
        for go in state.turns
        if named and go.duties and not go.over and go.number not in busy
        for action in named
        for choice in _choices_for_action(state if state.go is go else state.replace(hand=go.number), go, action, most)
    )


def _left_to_players(state: State) -> tuple[str, ...]:
    """Return the actions of which rules leave it to players which they do."""
    owed = (one for clause in state.law.acting_clauses for one in clause.every_effect("oblige") if one.other)
    return tuple(dict.fromkeys(action for one in owed for action in (one.action, one.other)))


def _choices_for_action(state: State, go: Turn, action: str, most: int) -> Iterator[ActChoice]:
    meaning = state.law.vocabulary.actions[action].meaning
    if not any(action in duty.actions and duty.player == go.player for duty in go.duties):
        rule = go.duties[0].rule
        yield ActChoice(go.player, action, meaning, (), f"now {go.player} is to {go.duties[0].action} instead", rule)
    elif action == "propose":
        yield from _change_choices(state, go.player, most)
    elif is_forbidden(found := find_permission(state, action, go.player)):
        yield _closed_choice(go.player, action, meaning, found)
    elif action == "move":
        yield _move_choice(state, go.player, meaning)
    else:
        yield ActChoice(go.player, action, meaning)


def _move_choice(state: State, player: str, meaning: str) -> ActChoice:
    try:
        boards = installed_extension().boards_open(state)
    except Undecided:  # the table is asked before anyone can move
        return ActChoice(player, "move", meaning)
    where = tuple(name for name in installed_extension().scopes(state) if name in boards)
    return ActChoice(player, "move", meaning, where, "" if boards else "there is no legal move")


def _change_choices(state: State, player: str, most: int) -> Iterator[ActChoice]:
    """Yield the kinds of change: for all universes, and for one."""
    local = installed_extension().scopes(state)
    for kind in CHANGE_KINDS:
        yield from _try_changes(state, player, CHANGE_VERBS[kind], _example_change(state, kind), most)
        if kind == "amend":
            yield from _try_changes(
                state, player, ADD_LABEL, (replace(one, add=True) for one in _example_change(state, kind)), most
            )
        if local and kind in LOCAL_KINDS:
            here = (one for at in local for one in _example_change(state, kind, at))
            yield from _try_changes(state, player, f"{CHANGE_VERBS[kind]} for one universe", here, most)
    if any(_example_repeals(state)):
        said = "repeal rules that were made before, all together"
        yield from _try_changes(state, player, said, _example_repeals(state), most)
        if local:
            here = (one for at in local for one in _example_repeals(state, at))
            yield from _try_changes(state, player, f"{said}, for one universe", here, most)


@leave_out_costly
def proposable_kinds(state: State) -> tuple[str, ...]:
    """Return the kinds of change that somebody could ever propose, as the law stands.

    With ``rename``, where one can count, and ``together``, where several can be proposed at once.
    """
    found = [
        kind
        for kind in CHANGE_KINDS
        if any(
            _can_ever_propose(state, change, name)
            for name in state.person_names
            for change in _example_change(state, kind)
        )
    ]
    several = any(_can_propose_together(state, name) for name in state.person_names)
    return (*found, *(("rename",) if _has_counters(state) else ()), *(("together",) if several else ()))


def _can_propose_together(state: State, player: str) -> bool:
    """Tell whether two new rules could be proposed at once at any time."""
    both = Change("together", parts=(Change("enact", None, "An example."), Change("enact", None, "Another example.")))
    words = state.law.vocabulary.texts - {"change.together"}
    parts = propose_in_parts(state, both, player)
    return all(may_ever_propose(state.law, trial, player, words=words) for _, trial in parts)


def _has_counters(state: State) -> bool:
    """Tell whether something is counted that players speak of: for them, or by a rule that was made in play."""
    made = (clause for rule in state.rules if rule.how != "initial" for clause in rule.clauses)
    shapes = state.law.tables.values()
    return any(isinstance(one, TrackClause) for one in made) or any(
        one.counts and one.keys in ((), ("player",)) for one in shapes
    )


def _try_changes(state: State, player: str, what: str, tried: Iterable[Change], most: int) -> Iterator[ActChoice]:
    """Yield a choice of changes, open where one of those that are tried is; what is done beside it is another.

    What can never be is not listed.
    """
    parted: dict[bool, list[Change]] = {True: [], False: []}
    alike: dict[Change, bool] = {}
    for change in tried:
        owed = _ask_once_per_kind(alike, change, lambda one: counts_as_owed(state, one, player))
        parted[owed].append(change)
    here = _find_open_change(state, player, what, parted[True], most)
    if here.why and what.startswith(CHANGE_VERBS["repeal"]) and all(one.how == "initial" for one in state.rules):
        yield ActChoice(player, "propose", what, (), "no rule was made in play yet")
    elif not here.why or any(_can_ever_propose(state, change, player) for change in parted[True]):
        yield here
    beside = _find_open_change(state, player, what, parted[False], most)
    if parted[False] and not beside.why:
        yield replace(beside, beside=True)


def _can_ever_propose(state: State, change: Change, player: str) -> bool:
    """Tell whether a change of a kind could be proposed at any time."""
    return may_ever_propose(state.law, suppose_proposed(state, change, player), player)


def _find_open_change(state: State, player: str, what: str, tried: Iterable[Change], most: int) -> ActChoice:
    """Return whether one of the changes can be proposed now, in which universes, and by which clause not."""
    left = deque(tried)
    last: Finding | None = None
    where: list[str] = []
    open = False
    alike: dict[Change, Finding] = {}
    while left and not (most and len(where) >= most):
        change = left.pop() if most and len(where) == most - 1 else left.popleft()
        if change.universe in where or also_forbids(last, state, change, player):
            continue
        found = _ask_once_per_kind(alike, change, lambda one: find_permission_for_kind(state, one, player))
        if is_forbidden(found):
            last = found
            continue
        open = open or not found.answered
        where.append(change.universe)
        if not change.universe:
            break
    if where:
        then = _action_after_adoption(state, change, player) if len(installed_extension().scopes(state)) > 1 else ""
        return ActChoice(player, "propose", what, tuple(filter(None, where)), tried=open, then=then)
    return _closed_choice(player, "propose", what, last)


def _action_after_adoption(state: State, change: Change, player: str) -> str:
    """Return what the law has somebody do, once a change is adopted, for the reach that it has."""
    trial = suppose_proposed(state, change, player)
    for source in state.law.triggers.get("adopted", ()):
        clause = cast(TriggerClause, source.clause)
        looks = clause.condition is not None and "change.scope" in clause.condition.words
        owed = [one.action for one in clause.effects_at_once() if one.form.name == "oblige"]
        if looks and owed and may_trigger(trial, source, SUPPOSED_CASE):
            return ACTIONS[owed[0]].meaning
    return ""


def _example_change(state: State, kind: str, universe: str = "") -> Iterator[Change]:
    """Yield an example of a kind: a new rule, or a change of the latest rule of each standing, made in play first."""
    if kind == "enact":
        yield Change(kind, None, "An example.", universe=universe)
        return
    latest = {one.tier: one for one in sorted(_local_rules(state, universe), key=lambda one: one.turn)}
    for rule in sorted(latest.values(), key=lambda one: -one.turn):
        yield Change(kind, rule.number, "An example." if kind == "amend" else None, universe=universe)


def _example_repeals(state: State, universe: str = "") -> Iterator[Change]:
    """Yield repeals of all rules of a standing that were made before a circuit, the latest circuits first."""
    made = [one for one in _local_rules(state, universe) if one.how != "initial"]
    for tier in dict.fromkeys(one.tier for one in made):
        numbers = list[Number]()
        for circuit in range(state.circuit, max(0, state.circuit - MOST_RULES_TRIED), -1):
            numbers, last = [one.number for one in made if one.tier == tier and one.circuit < circuit], numbers
            if len(numbers) > 1 and numbers != last:
                yield Change("repeal", numbers[0], also=tuple(numbers[1:]), universe=universe)


def _local_rules(state: State, universe: str) -> list[Rule]:
    return [one for one in state.rules if not universe or one.applies_in(universe)]


def _closed_choice(player: str, action: str, what: str, found: Finding | None) -> ActChoice:
    """Return a choice that is not open, with the clause that says so."""
    if found is None or not found.sources:
        return ActChoice(player, action, what, (), "there is none" if found is None else "no rule allows it")
    source = found.sources[0]
    why = f"“{source.rule.title}” forbids it" if source.rule.title else "it is forbidden"
    return ActChoice(player, action, what, (), why, source.rule.number, clause=source.clause)
