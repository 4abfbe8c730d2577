"""Choices of a player between several acts that a rule allows: the open ones, and why the others are not open."""

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
from nomic_nb.engine.law.nodes import Undecided, without_costly_clauses
from nomic_nb.engine.law.rules import Number, Rule
from nomic_nb.engine.play.adoptability import (
    SUPPOSED_CASE,
    could_ever_propose,
    does_last_ban_cover,
    find_permission_for_kind,
    fulfils_duty_to_propose,
    states_proposing_parts,
    suppose_proposed,
)
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.permissions import can_trigger_fire, find_permission, is_surely_forbidden
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
#: Repeals of several rules together that are tried: all made before a round, for the latest of them.
MOST_RULES_TRIED = 6


@frozen
class ActChoice:
    """An act that a player can choose, or cannot now.

    Parameters
    ----------
    player, action : str
        Player who acts, and the name of the act in `game.do`.
    what : str
        Description for people.
    where : tuple of str
        The universes for which it is open; empty if it is not for a single universe.
    why : str
        Reason why it is not open; empty if it is open.
    rule : int or str or None
        The rule that says so.
    tried : bool
        Whether it may turn out not to be open when it is tried, because rules look at the effects of a change.
    beside : bool
        Whether it is optional, besides the duties of the player.
    clause : Clause or None
        The clause that says so.
    then : str
        Next act after it, because it is for one universe; empty if the law requires none.
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

    def describe(self, where: Sequence[str]) -> str:
        """Return a line for people: the act, the universes among `where`, and the next act."""
        sentence = self.what + (f" ({', '.join(where)})" if where else "")
        sentence += ", if its effects are allowed" if self.tried else ""
        return sentence + (f"; after that, {self.then}" if self.then else "")

    def __str__(self) -> str:
        sentence = self.describe(self.where)
        if not self.why:
            return sentence
        return f"{sentence}: {self.why}" + ("" if self.rule is None else f" (rule {self.rule})")


@frozen
class _UniverseReadTracker(Change):
    """A change that notes whether anything looks at its universe; if nothing does, one answer is valid for all."""

    looked_at: bool = field(default=False, init=False, compare=False)

    @classmethod
    def from_change(cls, change: Change) -> _UniverseReadTracker:
        """Return a copy of a change that notes, in `looked_at`, whether its universe is ever read."""
        return cls(**{change_field.name: getattr(change, change_field.name) for change_field in fields(Change)})

    def __getattribute__(self, name: str) -> Any:
        """Return an attribute, and note whether the universe can be seen by it."""
        if name in ("universe", "__dict__"):
            object.__setattr__(self, "looked_at", True)
        return super().__getattribute__(name)


def _ask_once_if_universe_unread(cache: dict[Change, T], change: Change, ask: Callable[[Change], T]) -> T:
    """Return `ask(change)`; if that never reads the universe, cache it for equal changes in any universe."""
    wherever = replace(change, universe="")
    if wherever in cache:
        return cache[wherever]
    asked = _UniverseReadTracker.from_change(change)
    t = ask(asked)
    if not asked.looked_at:
        cache[wherever] = t
    return t


@without_costly_clauses
def list_choices(state: State, most: int = 0) -> tuple[ActChoice, ...]:
    """Return the acts that rules offer as alternatives now, open or closed, each for at most `most` universes (0: all).

    Parameters
    ----------
    state : State
        As it stands.
    most : int
        How many of the universes for which a change is open are looked for: the first ones and the last; 0 for all.
    """
    if state.over or state.paused or state.questions or state.standstill:
        return ()
    named = _actions_with_alternative(state)
    busy = state.busy_turns
    return tuple(
        choice
        for go in state.turns
        if named and go.duties and not go.over and go.number not in busy
        for action in named
        for choice in _choices_for_action(
            state if state.current_turn is go else state.replace(hand=go.number), go, action, most
        )
    )


def _actions_with_alternative(state: State) -> tuple[str, ...]:
    """Return the names of the actions that some rule makes players do as one of two alternatives."""
    owed = (effect for clause in state.law.acting_clauses for effect in clause.all_effects("oblige") if effect.other)
    return tuple(dict.fromkeys(action for effect in owed for action in (effect.action, effect.other)))


def _choices_for_action(state: State, go: Turn, action: str, most: int) -> Iterator[ActChoice]:
    """Yield a player's choices for one action in a turn (`go`), each with at most `most` universes (0: all)."""
    meaning = state.law.vocabulary.actions[action].meaning
    if not any(action in duty.fulfilling_actions and duty.player == go.player for duty in go.duties):
        rule = go.duties[0].rule
        yield ActChoice(go.player, action, meaning, (), f"{go.player} has to {go.duties[0].action} now instead", rule)
    elif action == "propose":
        yield from _change_choices(state, go.player, most)
    elif is_surely_forbidden(finding := find_permission(state, action, go.player)):
        yield _closed_choice(go.player, action, meaning, finding)
    elif action == "move":
        yield _move_choice(state, go.player, meaning)
    else:
        yield ActChoice(go.player, action, meaning)


def _move_choice(state: State, player: str, meaning: str) -> ActChoice:
    """Return the choice to make a move, worded as `meaning`, with the boards on which one is legal, or why none is."""
    try:
        boards = installed_extension().open_boards(state)
    except Undecided:  # the table is asked before anyone can move
        return ActChoice(player, "move", meaning)
    where = tuple(name for name in installed_extension().rule_scopes(state) if name in boards)
    return ActChoice(player, "move", meaning, where, "" if boards else "there is no legal move")


def _change_choices(state: State, player: str, most: int) -> Iterator[ActChoice]:
    """Yield a choice for each kind of change that a player could propose, with at most `most` universes (0: all)."""
    local = installed_extension().rule_scopes(state)
    for kind in CHANGE_KINDS:
        yield from _proposal_choices(state, player, CHANGE_VERBS[kind], _latest_example_changes(state, kind), most)
        if kind == "amend":
            yield from _proposal_choices(
                state,
                player,
                ADD_LABEL,
                (replace(change, add=True) for change in _latest_example_changes(state, kind)),
                most,
            )
        if local and kind in LOCAL_KINDS:
            here = (change for at in local for change in _latest_example_changes(state, kind, at))
            yield from _proposal_choices(state, player, f"{CHANGE_VERBS[kind]} for one universe", here, most)
    if any(_example_repeals(state)):
        sentence = "repeal several earlier rules together"
        yield from _proposal_choices(state, player, sentence, _example_repeals(state), most)
        if local:
            here = (change for at in local for change in _example_repeals(state, at))
            yield from _proposal_choices(state, player, f"{sentence}, for one universe", here, most)


@without_costly_clauses
def proposable_kinds(state: State) -> tuple[str, ...]:
    """Return the kinds of change, such as “enact”, that somebody could ever propose under the law in force.

    Includes ``rename`` if there are counters, and ``together`` if several changes can be proposed at once.
    """
    kinds = [
        kind
        for kind in CHANGE_KINDS
        if any(
            _can_ever_propose(state, change, name)
            for name in state.person_names
            for change in _latest_example_changes(state, kind)
        )
    ]
    several = any(_can_propose_together(state, name) for name in state.person_names)
    return (*kinds, *(("rename",) if _has_counters(state) else ()), *(("together",) if several else ()))


def _can_propose_together(state: State, player: str) -> bool:
    """Tell whether a player could ever propose two new rules at once."""
    both = Change("together", parts=(Change("enact", None, "An example."), Change("enact", None, "Another example.")))
    words = state.law.vocabulary.words_reading_wording - {"change.together"}
    parts = states_proposing_parts(state, both, player)
    return all(could_ever_propose(state.law, trial, player, words=words) for _, trial in parts)


def _has_counters(state: State) -> bool:
    """Tell whether there is a counter that players could want to rename."""
    clauses = (clause for rule in state.rules if rule.how != "initial" for clause in rule.clauses)
    shapes = state.law.tables.values()
    return any(isinstance(clause, TrackClause) for clause in clauses) or any(
        table.holds_numbers and table.keys in ((), ("player",)) for table in shapes
    )


def _proposal_choices(state: State, player: str, what: str, tried: Iterable[Change], most: int) -> Iterator[ActChoice]:
    """Yield up to two choices, worded as `what`: to propose one of `tried` that fulfils a duty, or one that does not.

    What can never be proposed is not listed. Each names `most` universes, or all if that is 0.
    """
    parted: dict[bool, list[Change]] = {True: [], False: []}
    alike: dict[Change, bool] = {}
    for change in tried:
        owed = _ask_once_if_universe_unread(
            alike, change, lambda kind_example: fulfils_duty_to_propose(state, kind_example, player)
        )
        parted[owed].append(change)
    here = _proposal_choice(state, player, what, parted[True], most)
    if here.why and what.startswith(CHANGE_VERBS["repeal"]) and all(rule.how == "initial" for rule in state.rules):
        yield ActChoice(player, "propose", what, (), "no rule has been made during play yet")
    elif not here.why or any(_can_ever_propose(state, change, player) for change in parted[True]):
        yield here
    beside = _proposal_choice(state, player, what, parted[False], most)
    if parted[False] and not beside.why:
        yield replace(beside, beside=True)


def _can_ever_propose(state: State, change: Change, player: str) -> bool:
    """Tell whether a player could propose a change like this one, now or at any other time."""
    return could_ever_propose(state.law, suppose_proposed(state, change, player), player)


def _proposal_choice(state: State, player: str, what: str, tried: Iterable[Change], most: int) -> ActChoice:
    """Return the choice, worded as `what`, to propose a change in `tried`: where it is open, or why it is closed.

    At most `most` universes are named: the first ones and the last, or all if that is 0.
    """
    left = deque(tried)
    last: Finding | None = None
    where: list[str] = []
    open = False
    alike: dict[Change, Finding] = {}
    while left and not (most and len(where) >= most):
        change = left.pop() if most and len(where) == most - 1 else left.popleft()
        if change.universe in where or does_last_ban_cover(last, state, change, player):
            continue
        finding = _ask_once_if_universe_unread(
            alike, change, lambda kind_example: find_permission_for_kind(state, kind_example, player)
        )
        if is_surely_forbidden(finding):
            last = finding
            continue
        open = open or not finding.answered
        where.append(change.universe)
        if not change.universe:
            break
    if where:
        then = (
            _action_after_adoption(state, change, player) if len(installed_extension().rule_scopes(state)) > 1 else ""
        )
        return ActChoice(player, "propose", what, tuple(filter(None, where)), tried=open, then=then)
    return _closed_choice(player, "propose", what, last)


def _action_after_adoption(state: State, change: Change, player: str) -> str:
    """Return what a player must do once this change is adopted, in words; an empty text if nothing."""
    trial = suppose_proposed(state, change, player)
    for source in state.law.triggers.get("adopted", ()):
        clause = cast(TriggerClause, source.clause)
        looks = clause.condition is not None and "change.scope" in clause.condition.words
        owed = [effect.action for effect in clause.unconditional_effects() if effect.form.name == "oblige"]
        if looks and owed and can_trigger_fire(trial, source, SUPPOSED_CASE):
            return ACTIONS[owed[0]].meaning
    return ""


def _latest_example_changes(state: State, kind: str, universe: str = "") -> Iterator[Change]:
    """Yield examples of a kind of change: one new rule, or a change of the latest rule of each tier."""
    if kind == "enact":
        yield Change(kind, None, "An example.", universe=universe)
        return
    latest = {
        local_rule.tier: local_rule
        for local_rule in sorted(_rules_holding_in(state, universe), key=lambda local_rule: local_rule.turn)
    }
    for rule in sorted(latest.values(), key=lambda local_rule: -local_rule.turn):
        yield Change(kind, rule.number, "An example." if kind == "amend" else None, universe=universe)


def _example_repeals(state: State, universe: str = "") -> Iterator[Change]:
    """Yield repeals, each of two or more rules of one tier that were made in play before some round of turns."""
    rules = [rule for rule in _rules_holding_in(state, universe) if rule.how != "initial"]
    for tier in dict.fromkeys(rule.tier for rule in rules):
        numbers = list[Number]()
        for circuit in range(state.circuit, max(0, state.circuit - MOST_RULES_TRIED), -1):
            numbers, last = [rule.number for rule in rules if rule.tier == tier and rule.circuit < circuit], numbers
            if len(numbers) > 1 and numbers != last:
                yield Change("repeal", numbers[0], also=tuple(numbers[1:]), universe=universe)


def _rules_holding_in(state: State, universe: str) -> list[Rule]:
    """Return the rules that hold in a universe; all rules if the name is empty."""
    return [rule for rule in state.rules if not universe or rule.applies_in(universe)]


def _closed_choice(player: str, action: str, what: str, finding: Finding | None) -> ActChoice:
    """Return the choice of an action, worded as `what`, marked as closed for the reason that a finding gives.

    If there is no finding, the reason is that nothing of the kind can be chosen.
    """
    if finding is None or not finding.sources:
        return ActChoice(player, action, what, (), "there is none" if finding is None else "no rule allows it")
    source = finding.sources[0]
    why = f"“{source.rule.title}” forbids it" if source.rule.title else "it is forbidden"
    return ActChoice(player, action, what, (), why, source.rule.number, clause=source.clause)
