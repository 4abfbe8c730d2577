"""A dry run of a change: its effects, tried once before the vote, on states that nobody keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice, product
from typing import TypeVar, cast

from nomic_nb.chess.play.records import KEYS
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import Clause, Effect, InsteadClause, SetClause, TriggerClause
from nomic_nb.engine.law.new_book import find_target
from nomic_nb.engine.law.nodes import STEPS_PER_ACTION, BudgetExceeded, LawPart, StepMeter
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number, Rule, SourceClause
from nomic_nb.engine.law.values import ThingRef, Type, Value
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import FAR, MANY
from nomic_nb.engine.play.engine import EndlessClauses
from nomic_nb.engine.play.events import Cause, Event
from nomic_nb.engine.play.lawmaking import LAWMAKING_EVENTS, revisable_proposal, revised_change
from nomic_nb.engine.play.loop import rule_numbers_of
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import Adoption, TrialEngine, adopt_without_effects, calm_state, try_adoption
from nomic_nb.engine.play.values import PLAYER, Vote
from nomic_nb.study.review.adoption import AdoptionFuture, find_adoption_future
from nomic_nb.study.review.boards.compare import BoardEffects, compare_boards
from nomic_nb.study.review.cases import ReviewCases, names_bound, names_read_for_term, values_to_try
from nomic_nb.study.review.rehearsal import ClauseForecast, forecast_clauses, next_effects, with_scores
from nomic_nb.study.review.terms import (
    ChangedTerm,
    RuleMeeting,
    SupposedClause,
    changes_when_conditions_met,
    compare_terms,
    suppose_conditions_met,
    unreachable_value_warnings,
)
from nomic_nb.study.views.tables import has_hidden_values

#: What takes the place of effects where a secret could be told.
HIDDEN_EFFECTS = "What the new clauses do next isn’t shown, because it could tell what some players keep secret."
#: Changes that new rules make later and that are looked at, and how many of them in a row.
MOST_LATER, DEPTH = 6, 2
#: Terms without which boards cannot do. What is left out, only rules of other subjects look up, or what an army does
#: that enters.
NEEDED_ON_BOARDS = frozenset(key.name for key in KEYS) - {
    "army.array", "board.files", "board.ranks", "ladder.kinds", "move.spare_partner",
}  # fmt: skip
_C = TypeVar("_C", bound=Clause)


@frozen
class ChangedRule:
    """A rule that a change makes, changes or takes away.

    Parameters
    ----------
    change : Change or None
        The change of this rule; None if it is part of a rule set that another rule brings in.
    old, new : Rule or None
        The rule before and after.
    """

    change: Change | None
    old: Rule | None
    new: Rule | None

    @property
    def id(self) -> int | None:
        """The rule's id; None if there was no rule before and the new one could not be made."""
        rule = self.old or self.new
        return None if rule is None else rule.id

    @cached_property
    def _clauses_before_and_after(self) -> tuple[tuple[Clause, ...], tuple[Clause, ...]]:
        """The clauses of the rule before the change, and those after it; empty where there is no rule."""
        return self.old.clauses if self.old else (), self.new.clauses if self.new else ()

    @cached_property
    def new_clauses(self) -> tuple[Clause, ...]:
        """The clauses that the rule has after the change and not before."""
        old, new = self._clauses_before_and_after
        return tuple(clause for clause in new if clause not in old)

    @property
    def terms_set(self) -> tuple[str, ...]:
        """Keys of the terms (such as `vote.quota`) that the rule's clauses set, before or after the change."""
        old, new = self._clauses_before_and_after
        return tuple(dict.fromkeys(clause.key for clause in (*old, *new) if isinstance(clause, SetClause)))

    @property
    def added_and_removed_clauses(self) -> tuple[Clause, ...]:
        """The clauses that the change adds to the rule or removes from it."""
        old, new = self._clauses_before_and_after
        return (*self.new_clauses, *(clause for clause in old if clause not in new))


@frozen
class DryRun:
    """A change tried under the law in force: all rules that it concerns, before and after, and its effects.

    Parameters
    ----------
    before : State
        The current state, made calm.
    change, player, number
        The proposed change, its proponent, and the number of the proposal.
    adoption : Adoption
        The result of adoption.
    steps : int
        Number of steps allowed for trying its consequences.
    whole : bool
        Whether to look at all settings and the boards, and not only at the settings in the rules.
    parts : tuple of DryRun
        The changes that are voted on separately; empty for a single change.
    error : LawError or None
        Reason why its clauses cannot be read; then nothing else is known.
    rules : tuple of ChangedRule
        Each rule concerned, before and after.
    turned : tuple of Turned
        Settings that change.
    met : tuple of Met
        Rules that newly prevail or are newly defeated.
    supposed : tuple of Supposition
        New clauses that depend on changes during play, in cases where they apply.
    unreached : tuple of Message
        Messages about values in new clauses that are never the answer.
    """

    before: State
    change: Change
    player: str
    number: Number | None
    adoption: Adoption
    steps: int = STEPS_PER_ACTION
    whole: bool = False
    parts: tuple[DryRun, ...] = ()
    error: LawError | None = None
    rules: tuple[ChangedRule, ...] = ()
    turned: tuple[ChangedTerm, ...] = ()
    met: tuple[RuleMeeting, ...] = ()
    supposed: tuple[SupposedClause, ...] = ()
    unreached: tuple[Message, ...] = ()

    @property
    def after(self) -> State:
        """The state after adoption and its immediate effects; if stopped, the state with only the change written in."""
        return self.adoption.after if self.adoption.in_force else self.adoption.written

    @property
    def law(self) -> Law:
        """The law including the change, even if the change would be stopped."""
        return self.after.law

    @cached_property
    def cases(self) -> ReviewCases:
        """The cases, such as example proposals, in which terms are compared before and after the change."""
        return ReviewCases(self.before, calm_state(self.adoption.after), self.player, self.changed_rule_ids)

    @cached_property
    def board_effects(self) -> BoardEffects | None:
        """What changes on the boards; None if nothing can, or if this dry run does not look at them."""
        if not self.whole or not self.adoption.in_force:
            return None
        return compare_boards(self.cases, self.adoption, tuple(changed.key for changed in self.turned))

    @cached_property
    def adoption_future(self) -> AdoptionFuture:
        """Whether any rule-change could still be adopted after this one, and why."""
        return find_adoption_future(calm_state(self.after))

    @cached_property
    def new_triggers(self) -> tuple[SourceClause, ...]:
        """The new clauses that answer to an event or make an offer, each with its rule, if they come into force."""
        pairs = [
            (changed.new, clause)
            for changed in (self.rules_in_force_after if self.adoption.in_force else ())
            for clause in changed.new_clauses
        ]
        return tuple(
            SourceClause(rule, clause)
            for rule, clause in pairs
            if rule is not None and isinstance(clause, TriggerClause) and not isinstance(clause, InsteadClause)
        )

    @cached_property
    def forecasts(self) -> tuple[ClauseForecast, ...]:
        """What new clauses that answer to an event or make an offer do in the cases tried; none beside secrets."""
        if has_hidden_values(self.adoption.after):
            return ()
        return forecast_clauses(calm_state(self.adoption.after), self.new_triggers, self.player, self.steps)

    @cached_property
    def next_effects(self) -> tuple[str, ...]:
        """Sentences on the next effects of the new clauses, with numbers; none that could reveal a secret."""
        if has_hidden_values(self.adoption.after):
            return (HIDDEN_EFFECTS,) if self.new_triggers else ()
        return next_effects(self.adoption, self.forecasts, self.new_clauses, self.player, self.steps)

    @property
    def changes_with_rules(self) -> Iterator[tuple[ChangedRule, Change]]:
        """The changed rules, each with the change of that rule; without those whose change is unknown."""
        return ((changed_rule, changed_rule.change) for changed_rule in self.rules if changed_rule.change is not None)

    @property
    def changed_rule_ids(self) -> frozenset[int]:
        """The ids of the rules that the change concerns."""
        return frozenset(changed_rule.id for changed_rule in self.rules if changed_rule.id is not None)

    @property
    def old_rule(self) -> Rule | None:
        """The rule before the change; None for a new rule, or if several rules are changed."""
        return self.rules[0].old if self.rules and not self.change.parts else None

    @property
    def new_rule(self) -> Rule | None:
        """The rule after the change; None if it is repealed or several rules are changed."""
        return self.rules[0].new if self.rules and not self.change.parts else None

    @property
    def rules_in_force_after(self) -> tuple[ChangedRule, ...]:
        """Those of the changed rules that are in force after the adoption and not void."""
        book = self.adoption.after.rules
        return tuple(
            changed_rule
            for changed_rule in self.rules
            if changed_rule.new and changed_rule.new.id in book.rules and changed_rule.new.id not in book.void
        )

    @cached_property
    def new_clauses(self) -> tuple[Clause, ...]:
        """The clauses that the change adds, of all rules."""
        return tuple(dict.fromkeys(clause for changed_rule in self.rules for clause in changed_rule.new_clauses))

    def new_clauses_of_type(self, kind: type[_C]) -> Iterator[_C]:
        """Yield the clauses of one type that the change adds."""
        return (clause for clause in self.new_clauses if isinstance(clause, kind))

    def has_new_clause_on(self, key: str) -> bool:
        """Tell whether the change adds a clause that sets the term of a given key, such as `vote.quota`."""
        return any(setting.key == key for setting in self.new_clauses_of_type(SetClause))

    @property
    def terms_set(self) -> tuple[str, ...]:
        """Keys of the terms (such as `vote.quota`) that clauses of the changed rules set before or after the change."""
        return tuple(dict.fromkeys(key for changed_rule in self.rules for key in changed_rule.terms_set))


def try_consequences(state: State, player: str, steps: int) -> tuple[tuple[str, ...], tuple[int | str, ...]]:
    """Try each event and offer in the law; return sentences on endless loops, and numbers of rules that take too long.

    Parameters
    ----------
    state : State
        A calm state, which stays unchanged.
    player : str
        The player concerned, if rules treat all players alike.
    steps : int
        Limit for one of these; all of them together take twice as many at most.

    Returns
    -------
    tuple
        Messages about rules that set themselves off forever, and the numbers of rules that take too many steps.
    """
    endless: frozenset[Cause] = frozenset()
    told: tuple[str, ...] = ()
    costly: frozenset[LawPart] = frozenset()
    left = steps  # of them all together
    for begin in _triggers_to_try(state, player):
        for anew in (False, True):  # whose the steps were must not depend on what was looked at before
            engine, meter = TrialEngine(calm_state(state), endless), StepMeter(steps, stops=True, anew=anew)
            try:
                with meter.as_current_meter():
                    begin(engine)
            except EndlessClauses as found:
                endless |= found.causes
                more = " once players can’t have more" if getattr(begin, "func", None) is _simulate_at_limit else ""
                told += tuple(f"{sentence}{more}" for sentence in found.sentences)
            except BudgetExceeded:
                costly = meter.costliest_parts(1)
                continue
            break
        left -= steps - meter.left
        if left < 0 or costly:
            break
    return tuple(dict.fromkeys(told)), rule_numbers_of(state, costly)


def _triggers_to_try(state: State, player: str) -> Iterator[Callable[[TrialEngine], None]]:
    """Yield functions that each trigger one event, or take one offer, in a trial engine.

    An event for each part of a turn and each counter, and for one of everything else that it binds; for each face of
    a die, and each player, where what rules answer to it depends on that.
    """
    for event in state.law.triggers:
        binds, told_apart = names_bound(state.law, event), _names_triggers_read(state.law, event)
        values = [values_to_try(state, name, kind, player, every=name in told_apart) for name, kind in binds.items()]
        for combination in product(*values):
            env = dict(zip(binds, combination, strict=True))
            yield partial(TrialEngine.simulate_event, event=event, env=env)
            if event == "withheld":
                yield partial(_simulate_at_limit, env=env)
    for source in state.law.offers:
        every = "player" in source.clause.names
        for name in values_to_try(state, "player", Type("player"), player, every=every):
            yield partial(TrialEngine.simulate_offer, offer=source, player=str(cast(ThingRef, name).id))


def _simulate_at_limit(engine: TrialEngine, env: Mapping[str, Value]) -> None:
    """Fire the triggers for a gain that is withheld, if one has as much as a rule lets them have, and others more."""
    counter, state, many = str(env["counter"]), engine.state, len(engine.state.person_names)
    most = state.find("counter.value", **{**env, "was": 0, "amount": FAR}).value
    if isinstance(most, int) and 0 < most < FAR:
        above = state.find("counter.value", **{**env, "was": most + MANY, "amount": MANY}).value
        others = above if isinstance(above, int) else most
        engine.state = with_scores(state, counter, [*[others] * (many - 1), most])
        engine.simulate_event("withheld", {**env, "amount": MANY})


def _names_triggers_read(law: Law, event: str) -> frozenset[str]:
    """Return the names of an event's variables whose values decide how the law's triggers react to the event."""
    names = set()
    for source in law.triggers[event]:
        clause = cast(TriggerClause, source.clause)
        names |= {name for one in clause.asked for name in one.names}
        for expression in clause.expressions if "face" in law.vocabulary.events[event].binds else ():
            names |= {"face"} & {
                *expression.names,
                *(
                    name
                    for key in law.dependence.keys_of_expression(expression)
                    for name in names_read_for_term(law, key)
                ),
            }
    return frozenset(names)


def dry_run(
    base: State, change: Change, player: str, number: Number | None, vote: Vote | None, *,
    steps: int = STEPS_PER_ACTION, whole: bool = True,
) -> DryRun:  # fmt: skip
    """Adopt a change on trial as proposal `number` with a `vote`, try what it sets off, and return this dry run.

    Parameters
    ----------
    base : State
        A calm state, which stays unchanged.
    change, player, number, vote
        As `try_adoption` takes them.
    steps : int
        How many steps one thing may take that is tried.
    whole : bool
        Whether to look at all terms and at the boards, which takes long, and not only at the terms that the rule sets.
    """
    adoption = try_adoption(base, change, player, number, vote, steps=steps)
    if adoption.in_force and not (adoption.endless or adoption.costly):
        endless, costly = try_consequences(calm_state(adoption.after), player, steps)
        adoption = replace(adoption, endless=endless, costly=costly)
    parts = tuple(
        dry_run(base, part, player, called, vote, steps=steps, whole=False)
        for part, called in _parts_voted_apart(change, number)
    )
    return _with_comparison(DryRun(base, change, player, number, adoption, steps, whole, parts))


def quick_dry_run(base: State, change: Change, player: str, number: Number | None, *, steps: int) -> DryRun:
    """Return the dry run of a change that is only put into the law, without trying what it sets off."""
    parts = tuple(
        quick_dry_run(base, part, player, called, steps=steps) for part, called in _parts_voted_apart(change, number)
    )
    adoption = adopt_without_effects(base, change, player, number)
    return _with_comparison(DryRun(base, change, player, number, adoption, steps, parts=parts))


def later_dry_runs(run: DryRun) -> Iterator[tuple[Message, DryRun]]:
    """Yield a message on when, and a dry run, for each further change that a change makes after its adoption."""
    base = run.before
    if run.change.kind == "revise":
        target, form = revisable_proposal(base, run.change), revised_change(base, run.change)
        adoption = adopt_without_effects(base, form, target.proponent, target.number)
        then = DryRun(base, form, target.proponent, None, adoption, run.steps)
        when = say("in-this-form", "if proposal {number} passes in this form", number=target.number)
        yield when, _with_comparison(then)
        return
    after = calm_state(run.adoption.after)
    for effect, adoption in islice(_later_changes(after, run), MOST_LATER):
        then = DryRun(after, run.change, run.player, None, adoption, run.steps)
        yield say("once-done", "after “{effect}”", effect=effect.words), _with_comparison(then)


def _parts_voted_apart(change: Change, number: Number | None) -> list[tuple[Change, Number | None]]:
    """Return the parts of a change that are voted on one by one, each with its proposal number, if known."""
    some = change.parts if change.apart else ()
    return [(part, number + at if isinstance(number, int) else None) for at, part in enumerate(some)]


def _later_changes(after: State, run: DryRun) -> Iterator[tuple[Effect, Adoption]]:
    """Yield each effect of a new clause that changes the law only later, with the outcome of trying it now."""
    by_rule = {
        (event.cause.id, event.cause.words, event.kind)
        for event in run.adoption.events
        if event.cause is not None and event.data.get("number") is None
    }
    for rule, clauses in (
        (changed_rule.new, changed_rule.new_clauses)
        for changed_rule in run.rules_in_force_after
        if changed_rule.new is not None
    ):
        for clause in clauses:
            for effect in clause.all_effects():
                makes = LAWMAKING_EVENTS & {*effect.form.makes}
                if makes and not any((rule.id, clause.words, kind) in by_rule for kind in makes):
                    then, _ = play_effect(after, SourceClause(rule, clause), effect, run.player, run.steps)
                    if then.rules is not after.rules:
                        asked = tuple(question.text for question in then.questions)
                        yield effect, Adoption(None, (), then, then, in_force=True, doubts=asked)


def play_effect(
    state: State, source: SourceClause, effect: Effect, player: str, steps: int, **bound: Value
) -> tuple[State, tuple[Event, ...]]:
    """Return the state after an effect of a clause is done at once, and the events; none if that never ends."""
    clause = cast(TriggerClause, source.clause)
    always = replace(clause, each=None, among=None, condition=None, effects=(effect,))
    binds = {"player": PLAYER, **names_bound(state.law, clause.event)}
    env = {
        name: values[0]
        for name, kind in binds.items()
        if (values := values_to_try(state, name, kind, player, every=False))
    }
    engine = TrialEngine(calm_state(state), frozenset())
    try:
        with StepMeter(steps, stops=True).as_current_meter():
            engine.start_clause(SourceClause(source.rule, always), {**env, **bound})
            engine.finish_agenda()
    except (EndlessClauses, BudgetExceeded):
        return state, ()
    return engine.state, tuple(event for event, _ in engine.moments)


def _with_comparison(run: DryRun) -> DryRun:
    """Return a dry run, completed with the rules that it concerns and the terms that change."""
    run = replace(run, rules=_find_concerned_rules(run.before, run.change, run.adoption))
    if not run.adoption.in_force:
        return run
    cases, after = run.cases, calm_state(run.adoption.after)
    turned, met = compare_terms(cases, None if run.whole else _terms_to_compare(run))
    supposed = tuple(
        then
        for changed_rule in run.rules_in_force_after
        if changed_rule.new
        for then in suppose_conditions_met(after, changed_rule.new, changed_rule.old)
    )
    then, meets = changes_when_conditions_met(cases, turned, supposed)
    turned, met = (*turned, *then), tuple(dict.fromkeys((*met, *meets)))
    lost = tuple(unreachable_value_warnings(cases, run.new_clauses))
    return replace(run, turned=turned, met=met, supposed=supposed, unreached=lost)


def _find_concerned_rules(base: State, change: Change, adoption: Adoption) -> tuple[ChangedRule, ...]:
    """Return the rules that a change makes, alters or removes, then those that other rules alter because of it."""
    book = (adoption.after if adoption.in_force else adoption.written).rules
    now, changed_by_id = book.rules, dict[int, ChangedRule]()
    part_rules = adoption.made or [
        (single_change, None)
        for single_change in change.numbered_changes
        if single_change.kind != "revise" and not adoption.in_force
    ]
    for part, rule in part_rules:
        old = find_target(base.rules, part) if part.target is not None else None
        changed_rule = ChangedRule(part, old, rule if rule is None else now.get(rule.id, rule))
        changed_by_id[-1 if changed_rule.id is None else changed_rule.id] = changed_rule
    then, was_void = base.rules.rules, base.rules.void
    for id in sorted({*then, *now}):
        if then.get(id) is now.get(id) and (id in was_void) is (id in book.void):
            continue
        old, new = [None if id in rule_book.void else rule_book.rules.get(id) for rule_book in (base.rules, book)]
        if id not in changed_by_id and old is not new and _rule_content(old) != _rule_content(new):
            changed_by_id[id] = ChangedRule(_infer_change(old, new), old, new)
    return tuple(changed_by_id.values())


def _rule_content(rule: Rule | None) -> object:
    """Return the properties by which versions of a rule are compared, such as number and tier; None for None."""
    return rule and (rule.number, rule.tier, rule.parts, rule.scope, rule.lifted)


def _infer_change(old: Rule | None, new: Rule | None) -> Change | None:
    """Return a change that makes the old rule the new one; None if neither exists or a rule set adds or removes it."""
    if new is None or old is None:
        rule = new or old
        if rule is None or rule.ruleset:
            return None
        return Change("enact", None, rule.wording, rule.law) if new else Change("repeal", rule.number)
    same = (old.wording, old.law) == (new.wording, new.law)
    return Change("transmute", old.number) if same else Change("amend", old.number, new.wording, new.law)


def _terms_to_compare(run: DryRun) -> tuple[str, ...]:
    """Return keys of the terms that changed rules set, and (if the order of precedence changes) all that play needs."""
    if run.before.law.order == run.law.order:
        return run.terms_set
    needed = (key.name for key in run.law.vocabulary.keys.values() if key.needed or key.name in NEEDED_ON_BOARDS)
    return tuple(dict.fromkeys((*run.terms_set, *needed)))
