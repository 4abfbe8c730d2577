"""The loop: one action, and everything that the law makes of it.

A step begins with the law in force, puts what rules do on an agenda, and works it off. When the
agenda is empty the step is over: the order of precedence is read again, then who has won, then play
continues by itself until somebody has something to decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, cast

from nomic_nb.engine.errors import IllegalAction, PlainRefusal
from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.law.clauses import InsteadClause, TriggerClause
from nomic_nb.engine.law.faults import NO_RULE, KitFault, StepEnd, kit_fault_for
from nomic_nb.engine.law.nodes import (
    CURRENT_METER,
    FAILING_CLAUSES,
    FAILURE_TEXT,
    STEPS_PER_ACTION,
    WORST_SIZES,
    AbsentThing,
    BudgetExceeded,
    LawPart,
    NotDone,
    StepMeter,
    Undecided,
)
from nomic_nb.engine.law.rules import Number, Rule
from nomic_nb.engine.law.values import ThingRef, Value
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.agenda_items import DEEPEST_NESTING, AgendaItem
from nomic_nb.engine.play.calendar import RecordedClock
from nomic_nb.engine.play.clock import advance_clock, refuse_long_time
from nomic_nb.engine.play.decisions import must_somebody_decide, owes_a_ballot
from nomic_nb.engine.play.declarations import STEP_FUNCTIONS, declare_event, settle
from nomic_nb.engine.play.effects import replace_result
from nomic_nb.engine.play.engine import FOR_EVER, ITEM, MANY, MOST_EFFECTS, Begin, EndlessClauses, Engine, Moment
from nomic_nb.engine.play.events import Cause, Event, cause_of
from nomic_nb.engine.play.questions_by_rules import close_overdue_polls, leave_out_effect
from nomic_nb.engine.play.standstill import resolve_standstill
from nomic_nb.engine.play.state import Agenda, State
from nomic_nb.engine.play.turn_order import TurnOrder, next_turn_holder, read_turn_order
from nomic_nb.engine.play.turns import (
    declare_play_stuck,
    end_turn_and_circuit,
    judgment_awaiting_consent,
    next_part,
    pass_over_turn,
    players_barred_from_turns,
    schedule_adopted_changes,
    start_turn,
)
from nomic_nb.engine.play.values import Turn, player_names, player_refs
from nomic_nb.engine.play.vote_rules import WHEN_READY
from nomic_nb.engine.play.winning import note_winners_by_law_change
from nomic_nb.engine.words import join_words, verb_phrase

# -------------------------------------------------------------------------------------- how play continues by itself


def advance_play(engine: Engine) -> bool:
    """Let play go on by one event if nobody has to act first; return whether it did."""
    engine.schedule_due_effects()
    close_overdue_polls(engine)
    schedule_adopted_changes(engine, WHEN_READY)
    if engine.state.agenda:
        return True
    if (
        settle(engine, "before boards")
        or installed_extension().update_after_step(engine)
        or settle(engine, "after boards")
    ):
        return True
    state = engine.state
    under_way = {turn.number for turn in state.turns}
    if _does_play_wait_for_judgment(engine) or any(waiting.turn not in under_way for waiting in state.blocking_waits):
        return _resolve_if_stuck(engine)
    for turn in state.turns:
        engine.make_turn_current(turn.number)
        if _advance_turn(engine, turn):
            return True
    return _begin_turn_if_automatic(engine) or _resolve_if_stuck(engine)


def _does_play_wait_for_judgment(engine: Engine) -> bool:
    """Tell whether play, by the law, waits for a judgment that is still undecided.

    Raises
    ------
    Undecided
        The law does not say.
    """
    return any(
        judgment.is_pending and engine.read("judge.play_waits", **judgment.law_case) is True
        for judgment in engine.state.live_judgments
    )


def _advance_turn(engine: Engine, go: Turn) -> bool:
    """Let a turn go on by one event if it waits for nothing; return whether it did."""
    state = engine.state
    if any(waiting.turn == go.number for waiting in state.blocking_waits):
        return False
    if installed_extension().advance_turn(engine, go):
        return True
    if (go.duties and not go.over) or any(proposal.holds_up(go.number) for proposal in state.open_proposals):
        return False  # what is proposed is voted on in the turn in which it was, even where a rule ends that
    if go.part is not None:
        owes = owes_a_ballot(state, go.player)
        if not owes:
            engine.emit("part_ended", go.player, part=go.part)
        return not owes
    part = None if go.over else next_part(go.done, tuple(map(str, engine.read("turn.parts"))))
    if part is not None:
        engine.cause = engine.cause_by_key("turn.parts")
        engine.emit("part_begun", go.player, part=part)
        return True
    if (not go.over and engine.read("turn.ended_by") == "player") or owes_a_ballot(state, go.player):
        return False
    end_turn_and_circuit(engine, go)
    return True


def _begin_turn_if_automatic(engine: Engine) -> bool:
    """Begin the next turn if turns begin by themselves; return whether anything happened."""
    state = engine.state
    if state.turns or engine.read("turn.start") != "automatic":
        return False
    order, first = read_turn_order(engine.read("turn.sequence")), read_turn_order(engine.read("turn.next"))
    extra = [name for name in first.names if first.holder(state, name) in state.person_names]
    source = engine.cause_by_key("turn.next") if extra else engine.cause_by_key("turn.sequence")
    barred = players_barred_from_turns(state, order)
    name, place = (extra[0], state.place) if extra else next_turn_holder(state, order, barred)
    passed, at = next_turn_holder(state, order)
    holder = order.holder(state, passed) if passed is not None and not extra else ""
    if passed is not None and holder in barred and (name is not None or _can_passing_help(engine, holder)):
        pass_over_turn(engine, order, passed, at)
        return True
    if name is None:
        return False
    whose = first if extra else order
    player = whose.holder(state, name)
    if judgment_awaiting_consent(engine.law, state, player):
        return False
    if settle(engine, "before turn"):
        return True
    if extra and place >= 0:
        order = TurnOrder(state.sequence, state.sequence_of)  # which has the place, and continues from it
    engine.cause = source
    start_turn(engine, order, place, player, name if whose.of == "army" else None)
    return True


def _can_passing_help(engine: Engine, player: str) -> bool:
    """Tell whether passing over a player may lift a ban if nobody may begin a turn, as rules hear of it and react."""
    return "passed_over" in engine.law.triggers and not any(
        event.kind == "passed_over" and event.actor == player and state.tables == engine.state.tables
        for event, state in engine.moments
    )


def _resolve_if_stuck(engine: Engine) -> bool:
    """Resolve a standstill, in which nobody must decide anything; return whether anything happened."""
    if must_somebody_decide(engine.state):
        return False
    if not engine.state.turns:  # where the law does not say who has turns, nobody could begin one
        engine.read("turn.sequence")
    for proposal in engine.state.open_proposals:  # where the law is silent, it is asked, and play is not stuck
        if proposal.vote is None:
            engine.players_by_law("debate.ended_by", **proposal.law_case)
        elif not proposal.vote.duty:
            engine.players_by_law("vote.ended_by", **proposal.law_case)
    return resolve_standstill(engine)


# -------------------------------------------------------------------------------------- what is left out of a step


def kit_failure_error(did: str, fault: KitFault) -> IllegalAction:
    """Return the error that refuses an act (`did`, its name) because nomic_nb itself fails at it."""
    what, error = did.replace("_", " "), type(fault.__cause__ or fault).__name__
    return IllegalAction(
        "kit-fails",
        "an error in nomic_nb itself ({error}) stopped “{action}”; nothing has changed",
        action=what,
        error=error,
    )


def rules_with_costly_triggers(parts: frozenset[LawPart]) -> frozenset[int]:
    """Return the ids of the rules whose triggers are among `parts`: pairs (rule id, key), key “” for triggers."""
    return frozenset(id for id, key in parts if not key)


def rule_numbers_of(state: State, parts: frozenset[LawPart]) -> tuple[Number, ...]:
    """Return the numbers of the rules, in force or repealed, to which these parts of the law belong."""
    known = _all_rules_by_id(state)
    return tuple(known[id].number for id in sorted({id for id, _ in parts}) if id in known)


def _all_rules_by_id(state: State) -> dict[int, Rule]:
    """Return all rules, in force or repealed, by id."""
    return {**{rule.id: rule for rule in state.rules.repealed}, **state.rules.rules}


def ask_about_left_out(
    engine: Engine, endless: frozenset[Cause], many: frozenset[Cause], costly: frozenset[LawPart], *, stopped: bool
) -> None:
    """Ask all players how to apply rules that a step left out as endless, with too `many` effects, or too costly.

    `stopped` is true if even then the step ran out of steps, so the rest of its agenda was dropped.
    """
    state = engine.state
    if state.over or not (endless or many or costly or stopped):
        return
    engine.cause = None
    known, triggering = _all_rules_by_id(state), rules_with_costly_triggers(costly)
    dear = {
        id
        for id, _ in costly
        if stopped
        or (
            id in triggering
            and (id not in known or any(isinstance(clause, TriggerClause) for clause in known[id].clauses))
        )
    }
    for why, ids, sentence in (
        ("endless", {cause.id for cause in endless}, FOR_EVER),
        ("many", {cause.id for cause in many}, MANY),
        ("costly", dear, f"takes more than the {STEPS_PER_ACTION:,} steps allowed for one action"),
    ):
        rules = [known[id] for id in sorted(ids) if id in known]
        marks = tuple((why, rule.id, rule.event) for rule in rules)
        numbers = [rule.number for rule in rules]
        if rules and set(marks) <= set(engine.state.set_aside) and not stopped:  # or nobody would go on
            standstill = engine.state.standstill
            engine.emit("set_aside", rules=numbers, note=sentence)
            engine.state = engine.state.replace(standstill=standstill)  # what play waits for, it waits for all the same
        elif ids and (why != "costly" or not engine.state.questions):
            text = f"{'Each of rules' if numbers[1:] else 'Rule'} {', '.join(map(str, numbers))} {sentence}. "
            rule = numbers[0] if numbers else None
            engine.ask(f"{text}This was left out of the step. What do you all agree to do?", rule=rule, set_aside=marks)


declare_event("failed", told="left out of this step: {clauses} – it {note}")


def ask_about_failing(engine: Engine, failing: frozenset[LawPart]) -> None:
    """Record the clauses at which nomic_nb itself failed, and ask the players about their rules."""
    if not failing:
        return
    known, standstill = _all_rules_by_id(engine.state), engine.state.standstill
    rules = [known[id] for id in sorted({id for id, _ in failing}) if id in known]
    told = [
        f"rule {known[id].number} (“{words[:80]}”)" if id in known else f"“{words[:80]}”"
        for id, words in sorted(failing)
    ]
    engine.cause = None
    engine.emit("failed", clauses=join_words(told), note=FAILURE_TEXT)
    engine.state = engine.state.replace(standstill=standstill)  # what play waits for, it waits for all the same
    marks = tuple(("failing", rule.id, rule.event) for rule in rules)
    terms = all(key in engine.state.law.vocabulary.keys for _, key in failing)
    if engine.state.over or (marks and set(marks) <= set(engine.state.set_aside)) or (terms and engine.state.questions):
        return  # it is over, agreed on, or asked where the term is read
    text = f"Left out of this step: {join_words(told)} – it {FAILURE_TEXT}. What do you all agree to do?"
    engine.ask(text, rule=rules[0].number if rules else None, set_aside=marks)


# ------------------------------------------------------------------------------------------------- how a game ends


def end_if_won(engine: Engine) -> None:
    """End the game if the law says that somebody has won, or if play cannot continue.

    Raises
    ------
    Undecided
        The law does not say who has won, or whether they have.
    """
    finding = engine.find("win.winners")
    winners = _winners_not_held_back(engine, player_names(engine.law.value_or_undecided(finding)))
    stuck = engine.state.stuck
    if not winners and not stuck:
        if engine.state.averted and not engine.unstuck:
            engine.state = engine.state.replace(averted=())
        return
    engine.cause = cause_of(engine.find("win.when_stuck") if stuck else finding) or cause_of(finding)
    if len(winners) > 1:
        how, go = engine.read("win.joint"), engine.state.current_turn
        if how == "on turn" and go is not None and go.player in winners:
            winners = (go.player,)
    if winners and engine.applied_by is not None:
        text = f"{', '.join(winners)} would win by what {engine.applied_by} applied. If that does not stand, undo it."
        engine.ask(text, rule=engine.cause.rule if engine.cause else None)
    elif winners and _try_win(engine, winners):
        engine.emit("won", winners[0] if len(winners) == 1 else None, winners=winners)
    elif not winners:
        engine.emit("abandoned")


def _try_win(engine: Engine, winners: tuple[str, ...]) -> bool:
    """Return True if these players win now; if a rule replaces their win, schedule that and return False."""
    state = engine.state
    waiting = (item.clause for waiting_for in state.waiting for item in waiting_for.agenda)
    if not set(winners) <= set(state.averted):
        if replace_result(
            engine, "won", None, join_words(winners), {"winners": player_refs(winners)}, {"winners": winners}
        ):
            engine.unstuck = engine.unstuck or state.stuck
            return False
    elif not state.stuck:
        if any(isinstance(trigger, InsteadClause) and trigger.event == "won" for trigger in waiting):
            return False  # until what comes instead of it is answered, or rolled, it has changed nothing
        replaced = engine.read("win.replaced")  # what came has not changed who fulfils the condition
        if replaced == "once allowed":
            return not engine.law.replacing_clauses("won", state, {"winners": player_refs(winners)})
        return bool(replaced == "won")
    return True


def _winners_not_held_back(engine: Engine, winners: tuple[str, ...]) -> tuple[str, ...]:
    """Return those winners whom the law does not hold back for winning by a change of law alone.

    Raises
    ------
    Undecided
        Where it does not say what holds of them.
    """
    state = engine.state
    if not state.above or state.stuck:
        return winners
    above = {name: held for name, held in state.above.items() if name in winners}
    open_ones = [name for name, held in above.items() if not held]
    if open_ones:
        finding = engine.find("win.by_change")
        if not finding.answered:
            who = f"{verb_phrase(open_ones, 'fulfils', 'fulfil')}"
            raise Undecided(
                "win-by-change-open",
                "{who} the winning condition only because the rules changed, and no rule says what happens then",
                who=who,
                finding=finding,
            )
        at_once = finding.value == "at once"
        above = {name: True for name, held in above.items() if held or not at_once}
    engine.state = state.replace(above=above)
    return tuple(name for name in winners if name not in above)


# -------------------------------------------------------------------------------------------------------- the loop


#: Times from which on a clause goes off often in a step.
MOST_REPEATS = 12
#: Steps that play may take by itself before somebody has something to decide.
MOST_EVENTS_ALONE = 200
#: Clauses that fail in one step and are left out; with more of them, it is refused.
MOST_FAILING = 20
#: Turns that begin by themselves in one action, each with as many steps as an action has: a round of six.
ROUND_LENGTH = 6


class Loop(Engine):
    """Works on one state until somebody has to decide; its parameters are those of `Engine`."""

    def __init__(
        self, state: State, seed: int, muted: frozenset[Cause] = frozenset(), spent: frozenset[int] = frozenset()
    ) -> None:
        super().__init__(state, seed, muted, spent)
        self.cascade = 0
        self.times: dict[Cause, int] = defaultdict(int)
        self.busy: dict[Cause, int] = defaultdict(int)
        #: The clock before and after time passed last, how often it did, and whether it stands still in this step.
        self.passed: tuple[RecordedClock, RecordedClock] | None = None
        self.ticks, self.timeless = 0, False

    def run_until_decision(self, meter: StepMeter | None = None) -> None:
        """Run until somebody has to decide something or the game is over; `meter` limits the steps."""
        self._run_items(meter)
        turns = self.state.turns
        self.make_turn_current(turns[0].number if len(turns) == 1 else 0)

    def _run_items(self, meter: StepMeter | None) -> None:
        """Do agenda items and let play go on until somebody has to decide something; `meter` limits the steps."""
        alone = rounds = 0
        last = self.state.turn + ROUND_LENGTH
        while not self.state.over and not self.state.questions and not self.state.paused:
            if self.state.players and not self.state.person_names:
                self.emit("abandoned")  # whatever was still to be done, there is nobody to do it
                return
            if self.state.agenda or self.start_whenevers():
                self._do_next_item()
                continue
            if self.state.judgment_of_question is not None:  # a question waits for its Judge, and all else with it
                return
            if self.state.circling:
                self._begin_step()
                self._run_guarded(self._stop_circles)
                continue
            self._run_guarded(self._end_step)
            if self.state.over or self.state.questions:
                return
            self._begin_step()
            turn = self.state.turn
            went = self._run_guarded(lambda: advance_play(self))
            if self.state.questions:
                return
            if not went and not self.state.agenda:
                if self.timeless or not self._run_guarded(self._advance_clock):
                    return
                alone = rounds = 0
                continue
            if meter is not None and turn < self.state.turn <= last:
                meter.reset()
            alone += 1
            if alone > MOST_EVENTS_ALONE:
                alone, rounds = 0, rounds + 1
                self.state = self.state.replace(circling=True)
            if rounds > 1:  # even a rule cannot let it go on forever in one step
                self._ask_about_circles()
                return

    def _advance_clock(self) -> bool:
        """Let time pass to the next midnight, deadline or recorded time; return whether any passed."""
        before = self.state.clock
        passed = advance_clock(self)
        if before is not None and self.state.clock is not None and passed:
            self.passed, self.ticks = (before, self.state.clock), self.ticks + 1
        return passed

    def _stop_circles(self) -> None:
        """Record that play is stuck, if the law says so of play that goes in circles; else let it go on."""
        self.cause = self._most_active_clause
        if self.read("play.in_circles") == "cannot continue":
            declare_play_stuck(self)
        self.state = self.state.replace(circling=False)

    @property
    def _most_active_clause(self) -> Cause | None:
        """The clause that has had the most effects, as a cause; None if none has had any."""
        return max(self.busy, key=self.busy.__getitem__, default=None)

    def _ask_about_circles(self) -> None:
        """Ask the players how play that goes in circles should go on."""
        rule = self._most_active_clause.rule if self._most_active_clause else self.find("turn.parts").rule
        text = (
            f"Because of rule {rule}, play goes round in circles and nobody has anything to do. How should it continue?"
        )
        self.ask(text, rule=rule)

    def _begin_step(self) -> None:
        """Begin a step under the law now in force, and reset its counts."""
        self.law, self.cause, self.cascade, self.depth = self.state.law, None, 0, 0
        self._set_rule_at_work(None)
        self.began = self.law
        for cause, times in self.times.items():
            self.busy[cause] += times
        self.times.clear()

    def _run_guarded(self, work: Callable[[], Any], item: AgendaItem | None = None) -> Any:
        """Return `work()`; if the law is undecided, undo it, ask the players about the `item` and return True.

        An error of the program is raised as a `KitFault` after its work is undone.
        """
        saved, mark = self.state, len(self.moments)
        try:
            return work()
        except KitFault as fault:
            clause = _clause_at_work(item)
            if fault.part in (NO_RULE, (clause[0], "")) or fault.part in (FAILING_CLAUSES.get() or ()):
                fault.part = clause  # no other part is known, or that is left out already
            raise
        except (StepEnd, MemoryError):
            raise
        except Exception as error:
            turn, self.state = self.state.turn, saved
            del self.moments[mark:]
            if isinstance(error, BudgetExceeded):
                raise
            doubt = error if isinstance(error, Undecided) else kit_fault_for(error, _clause_at_work(item))
            if not isinstance(doubt, Undecided):
                raise doubt from error
            doubt.turn = turn if turn != saved.turn else 0
            self.ask_about(doubt, item)
            del doubt  # this call holds it, and it this call: together they would live on
            return True

    def _do_next_item(self) -> None:
        """Do the next agenda item completely or, if it is undecided, undo it and ask the players."""
        item, behind = self.state.agenda.split_first()
        if _clause_at_work(item) in (FAILING_CLAUSES.get() or ()):
            self.state = self.state.replace(agenda=behind)
            return
        self._run_guarded(lambda: self._do_item(item, behind), item)

    def _do_item(self, item: AgendaItem, behind: Agenda) -> None:
        """Do one agenda item, with the rest of the agenda (`behind`) left to follow."""
        self.law, self.cause, self.depth, self.item = item.law, item.cause, item.depth, item
        self.state = self.state.replace(agenda=behind, hand=item.turn)
        self._set_rule_at_work(item.cause)
        self._charge_steps(ITEM)
        if item.kind == "trigger":
            self._fire_trigger(item)
        elif item.kind == "effects":
            effect, *rest = item.effects
            self._count_effects(item, effect.form.costs)
            self.inside, self.put_aside = (), False
            effect.form.perform(self, effect)
            if any(not waiting.agenda for waiting in self.state.waiting):  # it has just begun to wait
                self._suspend_agenda(item)
                return
            if self.put_aside:
                return
            left = (self.item.with_effects(tuple(rest)),) if rest else ()
            if self.inside or left:
                self.put_first(*self.inside, *left)
        else:
            STEP_FUNCTIONS[item.kind](self)

    @staticmethod
    def _set_rule_at_work(cause: Cause | None) -> None:
        """Tell the step meter which rule is at work: that of a cause, or none."""
        meter = CURRENT_METER.get()
        if meter is not None:
            meter.at_work = cause.id if cause is not None else 0

    def _suspend_agenda(self, item: AgendaItem) -> None:
        """Let an item and the agenda after it wait for the player whose roll or choice is needed."""
        held = (item, *self.state.agenda)
        waiting = tuple(
            waiting_for if waiting_for.agenda else replace(waiting_for, agenda=held, turn=item.turn)
            for waiting_for in self.state.waiting
        )
        self.state = self.state.replace(waiting=waiting, agenda=Agenda())

    def _fire_trigger(self, item: AgendaItem) -> None:
        """Put a trigger's effects on the agenda once for each case in which its condition is met."""
        clause = cast(TriggerClause, item.clause)
        self.put_first(*(item.with_effects(clause.effects, env) for env in self._cases_of_trigger(clause)))

    def _cases_of_trigger(self, clause: TriggerClause) -> Sequence[Mapping[str, Value]]:
        """Return the name bindings for which a trigger's condition is met: one for each item of its list, or one."""
        if clause.among is not None and clause.each is not None:
            return self.cases_meeting_condition(clause.each, clause.among, clause.condition)
        view = self.view()
        view.spend_steps(0, ITEM + (clause.condition.step_cost if clause.condition is not None else 0))
        return [self.item.env] if clause.condition is None or clause.condition.run(view) else []

    def start_whenevers(self) -> bool:
        """Put the effects of ``whenever`` clauses on the agenda for what has become true; return whether there are any.

        The state notes what is true, so that nothing is done twice. A condition that cannot be judged asks once.
        """
        before, sources = self.state.met, self.state.law.triggers.get("whenever", ())
        if not sources and not before:
            return False
        self.law, known, met, begun = self.state.law, set(before), list[tuple[int, str, Value]](), list[AgendaItem]()
        for source in sources:
            item = self.item = self._trigger_item(source, {}, self.law)
            clause, of = cast(TriggerClause, item.clause), (source.rule.id, source.clause.words)
            if source.rule.id in self.spent or _clause_at_work(item) in (FAILING_CLAUSES.get() or ()):
                met += [case for case in before if case[:2] == of]
                continue
            self._set_rule_at_work(item.cause)
            true = self._run_guarded(partial(self._cases_if_decided, clause), item)
            if true is None:
                cases: dict[tuple[int, str, Value], AgendaItem] = {(source.rule.id, f"{clause.words}?", None): item}
                met += [case for case in before if case[:2] == of]
            else:
                cases = {
                    (*of, env.get(clause.each or "")): item.with_effects(clause.effects, env)
                    for env in true
                    if not source.rule.is_local or self._holds_where_event_happened(source.rule, env)
                }
            met += cases
            new = [case for case in cases if case not in known and self.is_active(item.cause)]
            begun += [cases[case] for case in new]
            if new and true is not None:
                self.cause = item.cause
                whom = [thing.id for *_, thing in new if isinstance(thing, ThingRef) and thing.kind == "player"]
                self.emit("came_true", data={"of": whom})
        self._set_rule_at_work(None)
        self.state = self.state.replace(met=tuple(met))
        self.put_last(*begun)
        return bool(begun)

    def _cases_if_decided(self, clause: TriggerClause) -> Sequence[Mapping[str, Value]] | None:
        """Return the name bindings for which a condition is met; None if that cannot be judged."""
        try:
            return self._cases_of_trigger(clause)
        except Undecided as doubt:
            return [] if isinstance(doubt, AbsentThing) else None

    def _count_effects(self, item: AgendaItem, effects: int) -> None:
        """Count so many effects of an item; raise `EndlessClauses` if there are too many in the step."""
        self.cascade += effects
        if item.cause is not None:
            self.times[item.cause] += effects
        if self.cascade > MOST_EFFECTS or item.depth > DEEPEST_NESTING:
            often = frozenset(cause for cause, times in self.times.items() if times > MOST_REPEATS)
            raise EndlessClauses(often or frozenset(self.times), many=item.depth <= DEEPEST_NESTING)

    def result_of_item(self, item: AgendaItem) -> tuple[State, list[Event]]:
        """Return the state and the events that doing an agenda item would bring, tried on a copy.

        What depends on a roll, or on what somebody decides, is left out.
        """
        trial = Loop(self.state.replace(agenda=Agenda((item,))), self.seed, self.muted)
        while trial.state.agenda and not trial.state.questions and trial.state.draws == self.state.draws:
            try:
                trial._do_next_item()
            except EndlessClauses:  # done in earnest, it is asked about
                break
        return trial.state, [event for event, _ in trial.moments]

    def winners_after_items(self, *items: AgendaItem) -> tuple[str, ...]:
        """Return the names of those who would win by these agenda items, tried on a copy of the state.

        What depends on a roll is left out.
        """
        trial = Loop(self.state.replace(agenda=Agenda(items)), 0, self.muted, self.spent)
        trial.supposed = True
        with suppress(EndlessClauses):  # done in earnest, it is asked about
            trial.run_until_decision()
        return trial.state.winners

    def state_after_act(self, state: State, begin: Begin, *, follow: bool = True) -> State:
        """Return what the state would be after an act (`begin`) and, if `follow`, after everything that it sets off."""
        trial = Loop(state, 0)
        trial.supposed = True
        begin(trial)
        if follow:
            trial.run_until_decision()
        return trial.state

    def ask_about(
        self, doubt: Undecided, item: AgendaItem | None = None, act: str = "", actor: str | None = None
    ) -> None:
        """Turn a doubt into a question to the players, or leave out the item's effect if it cannot be done."""
        if isinstance(doubt, NotDone) and item is not None and item.kind in ("trigger", "effects") and item.cause:
            leave_out_effect(self, item, doubt.reason)
        else:
            super().ask_about(doubt, item, act, actor)

    # ---------------------------------------------------------------------------------- end of a step

    def _end_step(self) -> None:
        """End a step: read the order of precedence again, and see who has won."""
        self._begin_step()
        if self.state.over:
            return
        law = self.state.law.reordered(self.state)
        if law is not self.state.law:
            self.state = note_winners_by_law_change(self.state, self.state.replace(law=law))
            self.law = law
        end_if_won(self)


def _clause_at_work(item: AgendaItem | None) -> LawPart:
    """Return the id of the rule from which an agenda item comes and the clause's words; `NO_RULE` if none."""
    return NO_RULE if item is None or item.cause is None else (item.cause.id, item.cause.words)


def perform_step(
    state: State, seed: int, did: tuple[str, Mapping[str, Any]], begin: Begin, failing: frozenset[LawPart] = frozenset()
) -> list[Moment]:
    """Do an action (`begin`, recorded as `did`) and what follows; return each event with the state after it.

    Clauses that set each other off without end, or take too many steps, are left out, and the table is asked. The act
    itself is judged by the whole law, unless that takes too many steps. Clauses at which the kit fails are left out of
    all of it; without such a clause, the act is refused.

    Parameters
    ----------
    state : State
        Where play stands; it is not touched.
    seed : int
        The game's.
    did : (str, mapping)
        The action, and its details as the record has them.
    begin : callable
        Does it on the engine.
    failing : frozenset of Part
        What the step's record says was left out because the kit failed at it.

    Returns
    -------
    list of (Event, State)
        What happened, and the state after each event. The last one's agenda is worked off.

    Raises
    ------
    IllegalAction
        It takes too many steps to see whether it may be done, or the kit fails at it.
    """
    muted: frozenset[Cause] = frozenset()
    many: frozenset[Cause] = frozenset()
    costly: frozenset[LawPart] = frozenset()
    rounds, stopped, timeless, anew = 0, False, False, False
    meters = []
    judged = frozenset[LawPart]()  # what is left out where the deed itself is judged: nothing, but for want of steps
    while True:
        engine = Loop(state, seed, muted, rules_with_costly_triggers(costly))
        engine.timeless = timeless
        engine.did = did
        # All together, and the one that finds everything again, take less than three times as many.
        meter = StepMeter(STEPS_PER_ACTION >> rounds, judged, stops=True, anew=anew or bool(failing))
        meters.append(meter)
        done, stepping = False, FAILING_CLAUSES.set(failing)
        try:
            with meter.as_current_meter():
                _run_first_act(engine, begin)
                done, meter.left_out = True, costly
                engine.run_until_decision(meter)
        except EndlessClauses as endless:
            if _failed_after_time(engine, say("endless", "rules trigger each other forever")):
                timeless = True
                continue
            if more := endless.causes - muted:
                many |= more if endless.many else set()
                muted |= more
                continue
            engine.state = engine.state.replace(agenda=Agenda())  # nothing is left that could be left out
        except BudgetExceeded:
            spent = say(
                "too-many-steps", "it takes more than the {most:,} steps allowed for one action", most=STEPS_PER_ACTION
            )
            if _failed_after_time(engine, spent):
                timeless = True
                continue
            if not meter.anew:  # whose the steps were must not depend on what was looked at before
                anew = True
                continue
            worst = meter.costliest_parts(WORST_SIZES[rounds]) if rounds < len(WORST_SIZES) else frozenset()
            if worst - costly:
                costly |= worst
                judged = judged if done else costly
                rounds += 1
                continue
            engine.state, stopped = engine.state.replace(agenda=Agenda()), True
        except KitFault as fault:
            if fault.part == NO_RULE or fault.part in failing or len(failing) >= MOST_FAILING:
                raise kit_failure_error(did[0], fault) from fault
            failing |= {fault.part}
            continue
        finally:
            FAILING_CLAUSES.reset(stepping)
        if done and not engine.moments:
            raise TypeError(f"{did[0]} has emitted no event, so the record would show no trace of it")
        if not engine.moments:  # not even what was done itself could be looked at
            rules = sorted(map(str, rule_numbers_of(engine.state, costly)))
            raise IllegalAction(
                "judged-too-long",
                "it takes too long to check whether this is allowed: more than {most:,} steps (rules {rules})",
                most=STEPS_PER_ACTION,
                rules=", ".join(rules),
            )
        ask_about_left_out(engine, muted - many, many, costly, stopped=stopped)
        ask_about_failing(engine, failing)
        moments = engine.moments
        work = state.work + sum(step_meter.steps_taken for step_meter in meters)
        moments[-1] = (moments[-1][0], engine.state.replace(work=work))
        return moments


def _run_first_act(engine: Loop, begin: Begin) -> None:
    """Run the act that begins a step; raise unforeseen errors of the program as `KitFault`."""
    try:
        begin(engine)
    except (PlainRefusal, Undecided, BudgetExceeded, StepEnd, MemoryError):
        raise
    except Exception as error:
        raise kit_fault_for(error, NO_RULE) from error


def _failed_after_time(engine: Loop, why: Message) -> bool:
    """Return whether a step failed only after time passed; raise `IllegalAction` if its act recorded that time."""
    if engine.passed is None or engine.ticks < 2:
        return False
    before, now = engine.passed
    if engine.did is not None and engine.did[0] == "time":
        refuse_long_time(now, before, why)
    return True
