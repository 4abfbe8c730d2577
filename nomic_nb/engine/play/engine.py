"""The engine, as effects, actions and steps of play use it: the state at hand, the law of the step, what happens.

What works off the agenda is `play/loop.py`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, cast

from nomic_nb.engine.law.clauses import Effect, TriggerClause
from nomic_nb.engine.law.faults import StepEnd
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import CURRENT_METER, FAILING_CLAUSES, Expression, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number, Rule, SourceClause
from nomic_nb.engine.law.values import ThingRef, Value, as_refs
from nomic_nb.engine.play.agenda_items import AgendaItem, Deadline, PostponedEffect, WaitingFor
from nomic_nb.engine.play.deadlines import is_due, with_timestamps
from nomic_nb.engine.play.declarations import EVENT_KINDS, Kind
from nomic_nb.engine.play.events import Cause, Event, cause_of, number_from_json, to_event_data
from nomic_nb.engine.play.permissions import QuestionMixin
from nomic_nb.engine.play.state import Agenda, State
from nomic_nb.engine.play.tables import newcomer_starts, start_event_data, with_untracked_tables_ended
from nomic_nb.engine.play.values import player_names
from nomic_nb.engine.play.winning import note_winners_by_law_change

#: Effects that one step has at most; what is said about rules that have more, and of those whose effects have no end.
MOST_EFFECTS = 1_000
MANY, FOR_EVER = f"has more than the {MOST_EFFECTS:,} effects allowed in a step", "triggers itself forever"
#: What only continues with something that was begun before, and so is no sign that play continues.
ANSWER_EVENTS = frozenset({"chosen", "thrown"})
#: Steps that it is worth to record an event, and to put something on the agenda, or to take it from there.
EVENT, ITEM = 50, 8
#: How the state ended up after each event, beside the event.
Moment = tuple[Event, State]
#: What begins a step.
Begin: TypeAlias = "Callable[[Engine], None]"


class DependsOnChance(Undecided):
    """What follows depends on a roll."""


class EndlessClauses(StepEnd):
    """Clauses that set each other off without end, or `many` effects, more than one step has."""

    def __init__(self, causes: frozenset[Cause], *, many: bool = False) -> None:
        self.causes, self.many = causes, many
        super().__init__(str(causes))

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence about each rule whose clauses set each other off endlessly or have too many effects."""
        sentence = MANY if self.many else FOR_EVER
        return tuple(f"rule {rule} {sentence}" for rule in sorted({cause.rule for cause in self.causes}, key=str))


class Engine(QuestionMixin):
    """One state at work, under the law of the step.

    Parameters
    ----------
    state : State
        Where play stands.
    seed : int
        The game's, for its dice.
    muted : frozenset of Cause
        Clauses that do not go off in this step, because they set each other off without end.
    spent : frozenset of int
        Rules whose triggers do not go off in this step, because they take too many steps.
    """

    #: Whether it works on a supposition: it rolls no dice, and looks no further where play stands still.
    supposed = False

    def __init__(
        self, state: State, seed: int, muted: frozenset[Cause] = frozenset(), spent: frozenset[int] = frozenset()
    ) -> None:
        self.seed, self.muted, self.spent = seed, muted, spent
        if muted or spent:  # what waits already is left out too
            agenda = Agenda(item for item in state.agenda if self.is_active(item.cause))
            later = tuple(postponed for postponed in state.later if self.is_active(postponed.cause))
            waiting = tuple(
                replace(
                    waiting_for,
                    agenda=(
                        *waiting_for.agenda[:1],
                        *(item for item in waiting_for.agenda[1:] if self.is_active(item.cause)),
                    ),
                )
                for waiting_for in state.waiting
            )
            state = state.replace(agenda=agenda, later=later, waiting=waiting)
        self.state = state
        self.law = state.law
        #: The law in force when the step began; what waited before is done by the law of its own step.
        self.began = state.law
        self.moments: list[Moment] = []
        #: What is done in this step, and with which details, as the record has them.
        self.did: tuple[str, Mapping[str, Any]] | None = None
        self.cause: Cause | None = None
        #: The effect, or the step of play, that is at work.
        self.item: AgendaItem
        #: How many triggers in a row have led to what is at work.
        self.depth = 0
        #: What is inside the effect at work, and is done before what comes after it.
        self.inside: tuple[AgendaItem, ...] = ()
        #: Whether what comes after the effect at work waits for something while play continues.
        self.put_aside = False
        #: Whoever applied a rule by hand in this step, so nobody wins by it alone.
        self.applied_by: str | None = None
        #: Whether play could not continue in this step, and a rule put something in place of its end.
        self.unstuck = False

    def is_active(self, cause: Cause | None) -> bool:
        """Tell whether a cause's clause may fire: neither it nor its rule is left out of this step; True for None."""
        return cause is None or (cause not in self.muted and cause.id not in self.spent)

    @abstractmethod
    def result_of_item(self, item: AgendaItem) -> tuple[State, list[Event]]:
        """Return the state and the events that doing an agenda item would bring, tried on a copy.

        What depends on a roll, or on what somebody decides, is left out.
        """

    @abstractmethod
    def winners_after_items(self, *items: AgendaItem) -> tuple[str, ...]:
        """Return the names of those who would win by these agenda items, tried on a copy of the state.

        What depends on a roll is left out.
        """

    @abstractmethod
    def state_after_act(self, state: State, begin: Begin, *, follow: bool = True) -> State:
        """Return what the state would be after an act (`begin`) and, if `follow`, after everything that it sets off.

        Raises
        ------
        Undecided
            That depends on a roll.
        EndlessClauses
            Clauses set each other off without end.
        """

    # ---------------------------------------------------------------------------------------- events

    def emit(
        self,
        kind: str,
        actor: str | None = None,
        /,
        *,
        env: Mapping[str, Any] | None = None,
        each: tuple[Mapping[str, Any], ...] = (),
        draw: tuple[int, ...] | None = None,
        changed: int | None = None,
        heard_as: str = "",
        data: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Event:
        """Record an event, apply it to the state, put the triggers that answer to it on the agenda, and return it.

        Parameters
        ----------
        kind, actor
            What happened, and who did it or whom it concerns.
        env : mapping, optional
            What triggers see besides what is recorded: see `_trigger_names`.
        each : tuple of mapping, optional
            The same where it happens to several at once, and triggers answer for each.
        draw : tuple of int, optional
            The faces that chance showed.
        changed : int, optional
            Id of the rule that the event changes: the law it makes judges that rule's own triggers,
            everything else is judged by the law of the step's beginning.
        heard_as : str
            The event that triggers answer to, where it is another.
        data : mapping, optional
            What is recorded if there is something of it.
        **more
            What is recorded of it, plain values and things, in lists or not.
        """
        if draw is not None and self.supposed:  # nobody knows what dice will show, and a review must not tell
            raise DependsOnChance("depends-on-a-throw", "that depends on a roll")
        self._charge_steps(EVENT)
        state = self.state
        go = state.current_turn
        turn = state.turn + 1 if kind == "turn_begun" else go.number if go else state.turn
        do, details = self.did if self.did is not None and not self.moments else ("", {})
        if do and (failing := FAILING_CLAUSES.get()):
            more["failing"] = sorted(failing)
        if data:
            more |= {name: field_value for name, field_value in data.items() if field_value}
        event = Event(
            state.seq + 1, turn, state.circuit, go.part if go else None, actor, kind,
            to_event_data(more), None if do else self.cause, draw, do, details,
        )  # fmt: skip
        self.state = _apply_event(state, event)
        if self.state.law is not state.law and kind != "settled":  # what those asked agree on changes no law
            self.state = note_winners_by_law_change(state, with_untracked_tables_ended(self.state))
        self.moments.append((event, self.state))
        heard = heard_as or kind
        if changed is not None or self.law.triggers.get(heard):
            told = {"player": event.data.get("who", actor), "proposal": event.data.get("number"), **event.data}
            for bindings in each or (env or {},):
                self._fire_triggers(heard, _trigger_names(EVENT_KINDS[heard], {**told, **bindings}), changed)
        if kind != "tracked":
            for begun in newcomer_starts(state, self.state):
                self.emit("tracked", **start_event_data(self.state, begun))
        return event

    def _charge_steps(self, steps: int) -> None:
        """Count so many computing steps against the rule at work, if a step meter is running."""
        meter = CURRENT_METER.get()
        if meter is not None:
            meter.charge(steps, (self.cause.id if self.cause else 0, ""))

    def _fire_triggers(self, kind: str, env: dict[str, Value], changed: int | None) -> None:
        """Put the triggers of an event on the agenda, with the names they see; `changed` is a changed rule's id."""
        there = self.began.book.rules  # a rule that was gone before this step answers to nothing any more
        of = kind, frozenset(EVENT_KINDS[kind].may_bind.keys() - env.keys())
        agenda_items = [
            self._trigger_item(source, env, self.law)
            for source in self.law.triggers_hearing(of)
            if source.rule.id in there
            and (source.rule.id != changed or changed not in self.state.rules.rules)
            and (
                not source.rule.is_local
                or source.rule.id == changed
                or self._holds_where_event_happened(source.rule, env)
            )
        ]
        if changed is not None:  # it hears of its own end anywhere
            law = self.state.law
            agenda_items += [
                self._trigger_item(source, env, law) for source in law.triggers_hearing(of) if source.rule.id == changed
            ]
        if self.muted or self.spent:
            agenda_items = [item for item in agenda_items if self.is_active(item.cause)]
        if agenda_items:
            self._charge_steps(ITEM * len(agenda_items))
            self.put_last(*agenda_items)

    def _holds_where_event_happened(self, rule: Rule, env: Mapping[str, Value]) -> bool:
        """Tell whether a rule holds in the universe of the event that bound these names; True if the event has none."""
        where = self.law.vocabulary.where(env, self.state)
        return where is None or rule.applies_in(where)

    def _trigger_item(self, source: SourceClause, env: Mapping[str, Value], law: Law) -> AgendaItem:
        """Return the agenda item by which a trigger clause fires under a law, with these names bound for it."""
        clause = cast(TriggerClause, source.clause)
        cause = Cause.from_clause(source)
        bound = {**env, "this": ThingRef("rule", source.rule.id)}
        return AgendaItem("trigger", bound, law, cause, clause, turn=self.state.hand, depth=self.depth + 1)

    def item_of_clause(self, source: SourceClause, env: Mapping[str, Value]) -> AgendaItem:
        """Return the agenda item that does a clause's effects unconditionally, with these names bound."""
        agenda_item = self._trigger_item(source, env, self.law)
        return agenda_item.with_effects(cast(TriggerClause, agenda_item.clause).effects)

    def start_clause(self, source: SourceClause, env: Mapping[str, Value]) -> None:
        """Put a clause's effects first on the agenda, with these names bound, unless it is left out."""
        item = self.item_of_clause(source, env)
        if self.is_active(item.cause):
            self._charge_steps(ITEM)
            self.put_first(item)

    def put_first(self, *items: AgendaItem) -> None:
        """Put items at the front of the agenda."""
        self.state = self.state.replace(agenda=self.state.agenda.with_first(*items))

    def put_last(self, *items: AgendaItem) -> None:
        """Put items at the end of the agenda."""
        self.state = self.state.replace(agenda=self.state.agenda.with_last(*items))

    def schedule(self, kind: str, **env: Value) -> None:
        """Put a step of play, named by `kind`, at the end of the agenda, with names bound for it."""
        self.put_last(AgendaItem(kind, env, self.law, turn=self.state.hand))

    def bind(self, name: str, value: Value) -> None:
        """Bind a name to a value for those effects of the clause at work that are still to be done."""
        self.item = replace(self.item, env={**self.item.env, name: value})

    def do_inner_effects(self, effects: tuple[Effect, ...], cases: Iterable[Mapping[str, Value]]) -> None:
        """Schedule effects nested in the effect at work, once for each set of name bindings in `cases`."""
        self.inside = tuple(self.item.with_effects(effects, env) for env in cases)

    def cases_meeting_condition(
        self, each: str, among: Expression, condition: Expression | None
    ) -> list[Mapping[str, Value]]:
        """Return, for every value in `among` that meets a condition, name bindings with `each` bound to it."""
        item, view = self.item, self.view()
        # What does not depend on the list goes before it.
        apart = item.law.language.apart(condition, each) if condition is not None else ()
        if not all(test(view) for test in apart):
            return []
        bound_cases: list[Mapping[str, Value]] = []
        work = ITEM + (condition.step_cost if condition is not None else 0)
        case = self.view()
        for value in cast(tuple[Value, ...], among.run(view)):
            view.spend_steps(0, work)
            case.bind(each, value)
            if condition is None or condition.run(case):
                bound_cases.append({**item.env, each: value})
        return bound_cases

    def wait_for(self, waiting: WaitingFor) -> None:
        """Let the effect at work, and the agenda after it, wait for a player's roll or choice."""
        self.state = self.state.replace(waiting=(*self.state.waiting, waiting))

    def make_turn_current(self, turn: int) -> None:
        """Make the turn with this number the current one, in which events happen from now on; 0 is none."""
        if self.state.hand != turn:
            self.state = self.state.replace(hand=turn)

    def enter_turn_of(self, player: str, action: str) -> None:
        """Make current the turn in which a player owes or is awaited for an action or, failing that, their own turn."""
        state = self.state
        belongs = [
            *[
                turn.number
                for turn in state.turns
                if any(duty.player == player and action in duty.fulfilling_actions for duty in turn.duties)
            ],
            *[
                waiting.turn
                for waiting in state.blocking_waits
                if waiting.action == action and waiting.player == player
            ],
            *[turn.number for turn in state.turns if turn.player == player or len(state.turns) == 1],
        ]
        self.make_turn_current(belongs[0] if belongs else 0)

    # ------------------------------------------------------------------------------------ the law asked

    def find(self, key: str, **case: Value) -> Finding:
        """Return the finding on a key such as “vote.quota” under this step's law, with the names in `case` bound."""
        return self.law.find(key, self.state, case)

    def read(self, key: str, **case: Value) -> Any:
        """Return the value that the law of this step gives a key; raise `Undecided` if it gives none.

        Raises
        ------
        Undecided
            Where it gives no answer: a question follows.
        """
        return self.law.value_or_undecided(self.find(key, **case))

    @property
    def number_of_rule_at_work(self) -> Number | None:
        """The number of the rule from which the agenda item at work comes; None if it comes from none."""
        return self.item.cause.rule if self.item.cause else None

    def cause_by_key(self, key: str, **case: Value) -> Cause | None:
        """Return the first clause that decides a key of the law, as the cause to give to events; None if none does."""
        return cause_of(self.find(key, **case))

    def view(self, env: Mapping[str, Value] | None = None) -> View:
        """Return the state under the law of this step, for expressions to read with these names bound."""
        return View(self.state, self.item.env if env is None else env, self.law)

    def evaluate(self, expression: Expression) -> Any:
        """Return the value of an expression, which sees the names bound for the agenda item at work."""
        return expression.run(self.view())

    def players_by_law(self, key: str, **case: Value) -> tuple[str, ...]:
        """Return the names of the players that the law gives for a key, such as “vote.electorate”."""
        return player_names(self.read(key, **case))

    def postpone(self, due: Deadline, effect: Effect) -> None:
        """Put off an effect, with the names that it sees now, until a deadline (`due`)."""
        depth = self.depth if is_due(self.state, due) else 0
        later = PostponedEffect(due, effect, self.item.env, self.item.cause, depth)
        self.state = self.state.replace(later=(*self.state.later, later))

    def schedule_due_effects(self) -> None:
        """Put the postponed effects that are due now on the agenda."""
        due = [postponed for postponed in self.state.later if is_due(self.state, postponed.due)]
        if due:
            left = tuple(postponed for postponed in self.state.later if postponed not in due)
            hand = self.state.hand
            items = (
                AgendaItem(
                    "effects",
                    postponed.env,
                    self.law,
                    postponed.cause,
                    None,
                    (postponed.effect,),
                    hand,
                    postponed.depth,
                )
                for postponed in due
            )
            self.state = self.state.replace(later=left, agenda=self.state.agenda.with_last(*items))


def _trigger_names(kind: Kind, told: Mapping[str, Any]) -> dict[str, Value]:
    """Return the names that triggers see for this kind of event, with their values from the data in `told`."""
    bindings = {}
    for name, type in {**kind.binds, **kind.may_bind}.items():
        value = told.get(name)
        if value is None and not (type.maybe and name in told):
            continue
        if type.name == "number":
            value = number_from_json(cast("int | str", value))
        bindings[name] = as_refs(type, value)
    return bindings


def _fruitless_acts(state: State, event: Event) -> tuple[int, ...]:
    """Return the numbers of the events, up to this one, by which players acted in vain at this standstill."""
    begun = event.do and event.kind not in ANSWER_EVENTS
    if event.kind == "turn_begun" or (begun and not state.standstill and not state.questions):
        return ()
    return (*state.waited, event.seq) if event.do and state.standstill else state.waited


def _apply_event(state: State, event: Event) -> State:
    """Return the state after an event, with the event counted and its time noted."""
    fold = EVENT_KINDS[event.kind].fold
    draws = state.draws + (event.draw is not None)
    before = state.replace(seq=event.seq, standstill=(), waited=_fruitless_acts(state, event), draws=draws)
    return with_timestamps(before, fold(before, event) if fold is not None else before, event)
