"""A dry run of a change: what comes of it, tried once before the vote, on states that nobody keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice, product
from typing import TypeVar, cast

from nomic_nb.chess.play.records import KEYS
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import Clause, SetClause, TriggerClause
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.new_book import find_target
from nomic_nb.engine.law.nodes import STEPS_PER_ACTION, BudgetExceeded, LawPart, StepMeter
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number, Rule, SourceClause
from nomic_nb.engine.law.values import ThingRef, Type, Value
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.engine import EndlessClauses
from nomic_nb.engine.play.events import Cause
from nomic_nb.engine.play.lawmaking import LAWMAKING_EVENTS, revisable_proposal, revised_form
from nomic_nb.engine.play.loop import rule_numbers_of
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import Adoption, TrialEngine, calm_state, put_into_law, try_adoption
from nomic_nb.engine.play.values import PLAYER, Vote
from nomic_nb.study.review.adoption import AdoptionFuture, adoption_future
from nomic_nb.study.review.boards.compare import BoardEffects, compare_boards
from nomic_nb.study.review.cases import MOST_FACES, ReviewCases, names_read
from nomic_nb.study.review.terms import (
    ChangedTerm,
    RuleMeeting,
    SupposedClause,
    changes_of_supposed,
    compare_terms,
    supposed_clauses,
    unreached_values,
)

#: Players to whom something is let happen where rules tell them apart.
MOST_ACTS_TRIED = 6
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
        """The rule's identity; None if there was none and the new one could not be made."""
        rule = self.old or self.new
        return None if rule is None else rule.id

    @cached_property
    def _before_and_after(self) -> tuple[tuple[Clause, ...], tuple[Clause, ...]]:
        return self.old.clauses if self.old else (), self.new.clauses if self.new else ()

    @cached_property
    def fresh(self) -> tuple[Clause, ...]:
        """The clauses that the change brings in."""
        old, new = self._before_and_after
        return tuple(one for one in new if one not in old)

    @property
    def keys(self) -> tuple[str, ...]:
        """The terms that the rule sets, before or after."""
        old, new = self._before_and_after
        return tuple(dict.fromkeys(one.key for one in (*old, *new) if isinstance(one, SetClause)))

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses that the change brings in, or takes away."""
        old, new = self._before_and_after
        return (*self.fresh, *(one for one in old if one not in new))


@frozen
class DryRun:
    """A change as it meets the law in force: all rules that it concerns, before and after, and what comes of it.

    Parameters
    ----------
    before : State
        As things stand; a calm state.
    change, player, number
        What is proposed, by whom, and the number of the proposal.
    adoption : Adoption
        What adoption brings.
    steps : int
        How many steps what it sets off was given when it was tried.
    whole : bool
        Whether all terms and the boards are looked at, and not only the terms that the rules set.
    parts : tuple of DryRun
        The changes that are voted on one by one, each by itself; none where it is one change.
    error : LawError or None
        Why its clauses cannot be read; then nothing else is known of it.
    rules : tuple of ChangedRule
        Each rule concerned, before and after.
    turned : tuple of Turned
        Terms that change.
    met : tuple of Met
        Rules that prevail, or are defeated, where they did not before.
    supposed : tuple of Supposition
        New clauses that depend on what play alters, where they hold.
    unreached : tuple of Message
        What is to be said of values that new clauses name and that are never the answer.
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
        """How things stand with the change in the law, and with what that sets off at once; whatever may stop it."""
        return self.adoption.after if self.adoption.in_force else self.adoption.written

    @property
    def law(self) -> Law:
        """The law with the change in it, and with what that sets off at once; whatever may stop it."""
        return self.after.law

    @cached_property
    def cases(self) -> ReviewCases:
        """The cases in which the law is asked before and after."""
        return ReviewCases(self.before, calm_state(self.adoption.after), self.player, self.changed)

    @cached_property
    def boards(self) -> BoardEffects | None:
        """What is different on the boards, where they are looked at."""
        if not self.whole or not self.adoption.in_force:
            return None
        return compare_boards(self.cases, self.adoption, tuple(one.key for one in self.turned))

    @cached_property
    def future(self) -> AdoptionFuture:
        """Whether any rule-change could still be adopted afterwards."""
        return adoption_future(calm_state(self.after))

    @property
    def changes(self) -> Iterator[tuple[ChangedRule, Change]]:
        """The rules that are changed, each with its change; a rule set’s are left out, being meant for another game."""
        return ((one, one.change) for one in self.rules if one.change is not None)

    @property
    def changed(self) -> frozenset[int]:
        """The ids of the rules concerned."""
        return frozenset(one.id for one in self.rules if one.id is not None)

    @property
    def old(self) -> Rule | None:
        """The rule before a change of one rule."""
        return self.rules[0].old if self.rules and not self.change.parts else None

    @property
    def new(self) -> Rule | None:
        """The rule after a change of one rule."""
        return self.rules[0].new if self.rules and not self.change.parts else None

    @property
    def standing(self) -> tuple[ChangedRule, ...]:
        """The rules that are there afterwards and hold."""
        book = self.adoption.after.rules
        return tuple(one for one in self.rules if one.new and one.new.id in book.rules and one.new.id not in book.void)

    @cached_property
    def fresh(self) -> tuple[Clause, ...]:
        """The clauses that the change brings in."""
        return tuple(dict.fromkeys(clause for one in self.rules for clause in one.fresh))

    def of(self, kind: type[_C]) -> Iterator[_C]:
        """Yield the clauses of one kind that the change brings in."""
        return (one for one in self.fresh if isinstance(one, kind))

    def sets(self, key: str) -> bool:
        """Tell whether the change brings in a clause on a term."""
        return any(one.key == key for one in self.of(SetClause))

    @property
    def keys(self) -> tuple[str, ...]:
        """The terms that the rules set, before or after."""
        return tuple(dict.fromkeys(key for one in self.rules for key in one.keys))


def try_out(state: State, player: str, steps: int) -> tuple[tuple[str, ...], tuple[int | str, ...]]:
    """Let everything happen once that rules listen for.

    Parameters
    ----------
    state : State
        A calm one; it is not touched.
    player : str
        To whom it happens, where rules do not tell players apart.
    steps : int
        How many one of these may take; all of them together take twice as many at most.

    Returns
    -------
    tuple
        What is to be said of rules that set themselves off for ever, and the numbers of those that take too many steps.
    """
    endless: frozenset[Cause] = frozenset()
    told: tuple[str, ...] = ()
    costly: frozenset[LawPart] = frozenset()
    left = steps  # of them all together
    for begin in _acts_to_try(state, player):
        for anew in (False, True):  # whose the steps were must not depend on what was looked at before
            engine, meter = TrialEngine(calm_state(state), endless), StepMeter(steps, stops=True, anew=anew)
            try:
                with meter.running():
                    begin(engine)
            except EndlessClauses as found:
                endless |= found.causes
                told += found.told
            except BudgetExceeded:
                costly = meter.costly(1)
                continue
            break
        left -= steps - meter.left
        if left < 0 or costly:
            break
    return tuple(dict.fromkeys(told)), rule_numbers_of(state, costly)


def _acts_to_try(state: State, player: str) -> Iterator[Callable[[TrialEngine], None]]:
    """Yield all that can set rules off: each event that they listen for, and each offer.

    An event for each part of a turn and each counter, and for one of everything else that it binds; for each face of
    a die, and each player, where what rules answer to it depends on that.
    """
    for event in state.law.triggers:
        binds, told_apart = state.law.vocabulary.events[event].binds, _trigger_reads(state.law, event)
        values = [_possible_values(state, name, kind, player, every=name in told_apart) for name, kind in binds.items()]
        for one in product(*values):
            yield partial(TrialEngine.simulate_event, event=event, env=dict(zip(binds, one, strict=True)))
    for source in state.law.offers:
        every = "player" in source.clause.names
        for name in _possible_values(state, "player", Type("player"), player, every=every):
            yield partial(TrialEngine.simulate_offer, offer=source, player=str(cast(ThingRef, name).id))


def _trigger_reads(law: Law, event: str) -> frozenset[str]:
    """Return the names on which hangs whether rules answer to an event, and faces also where a term depends on them."""
    found: set[str] = set()
    for source in law.triggers[event]:
        clause = cast(TriggerClause, source.clause)
        found |= {name for one in clause.asked for name in one.names}
        for one in clause.expressions if "face" in law.vocabulary.events[event].binds else ():
            found |= {"face"} & {
                *one.names,
                *(name for key in law.dependence.keys_of(one) for name in names_read(law, key)),
            }
    return frozenset(found)


def _possible_values(state: State, name: str, kind: Type, player: str, *, every: bool) -> tuple[Value, ...]:
    if kind.name == "number":
        sides = state.find("dice.sides").value if name == "face" and every else 1
        return tuple(range(1, min(sides, MOST_FACES) + 1)) if isinstance(sides, int) else (1,)
    if kind.name == "player":
        others = [one for one in state.playing if one != player] if every else []
        return tuple(ThingRef("player", one) for one in [player, *others[: MOST_ACTS_TRIED - 1]])
    if name == "part":
        found = state.find("turn.parts")
        return cast(tuple[Value, ...], found.value) if found.answered else ()
    if name == "counter":
        return tuple(one for one, shape in state.law.tables.items() if shape.keys == ("player",))
    if kind.name == "text":
        return ("for",)
    boards = state.position
    there: dict[str, Iterable[int | str]] = {
        "rule": state.rules.rules, "proposal": state.proposals, "judgment": state.judgments,
        "piece": boards.pieces if boards is not None else (), "army": boards.armies if boards is not None else (),
    }  # fmt: skip
    return tuple(ThingRef(kind.name, id) for id in [*there.get(kind.name, ())][-1:])


def dry_run(
    base: State, change: Change, player: str, number: Number | None, vote: Vote | None, *,
    steps: int = STEPS_PER_ACTION, whole: bool = True,
) -> DryRun:  # fmt: skip
    """Adopt a change on trial, try what it sets off, and compare the law before and after.

    Parameters
    ----------
    base : State
        A calm one; it is not touched.
    change, player, number, vote
        As `try_adoption` takes them.
    steps : int
        How many steps one thing may take that is tried.
    whole : bool
        Whether to look at all terms and at the boards, which takes long, and not only at the terms that the rule sets.
    """
    adoption = try_adoption(base, change, player, number, vote, steps=steps)
    if adoption.in_force and not (adoption.endless or adoption.costly):
        endless, costly = try_out(calm_state(adoption.after), player, steps)
        adoption = replace(adoption, endless=endless, costly=costly)
    parts = tuple(
        dry_run(base, one, player, called, vote, steps=steps, whole=False)
        for one, called in _changes_voted_apart(change, number)
    )
    return _compared(DryRun(base, change, player, number, adoption, steps, whole, parts))


def quick_run(base: State, change: Change, player: str, number: Number | None, *, steps: int) -> DryRun:
    """Put a change into the law, and try nothing out: parameters are those of `dry_run`."""
    parts = tuple(
        quick_run(base, one, player, called, steps=steps) for one, called in _changes_voted_apart(change, number)
    )
    adoption = put_into_law(base, change, player, number)
    return _compared(DryRun(base, change, player, number, adoption, steps, parts=parts))


def later_runs(run: DryRun) -> Iterator[tuple[Message, DryRun]]:
    """Yield what a change brings later, and when: changes that its rules make then, and a proposal's other form."""
    base = run.before
    if run.change.kind == "revise":
        target, form = revisable_proposal(base, run.change), revised_form(base, run.change)
        adoption = put_into_law(base, form, target.proponent, target.number)
        then = DryRun(base, form, target.proponent, None, adoption, run.steps)
        when = say("in-this-form", "if proposal {number} is adopted in this form", number=target.number)
        yield when, _compared(then)
        return
    after = calm_state(run.adoption.after)
    for effect, adoption in islice(_later_changes(after, run), MOST_LATER):
        then = DryRun(after, run.change, run.player, None, adoption, run.steps)
        yield say("once-done", "once “{effect}” is done", effect=effect.words), _compared(then)


def _changes_voted_apart(change: Change, number: Number | None) -> list[tuple[Change, Number | None]]:
    """Return changes that are voted on one by one, each with the number of its proposal."""
    some = change.parts if change.apart else ()
    return [(one, number + at if isinstance(number, int) else None) for at, one in enumerate(some)]


def _later_changes(after: State, run: DryRun) -> Iterator[tuple[Effect, Adoption]]:
    """Yield the changes of the law that new clauses make by themselves later: each done on trial, whatever its time."""
    by_rule = {
        (one.cause.id, one.cause.words, one.kind)
        for one in run.adoption.events
        if one.cause is not None and one.data.get("number") is None
    }
    for rule, clauses in ((one.new, one.fresh) for one in run.standing if one.new is not None):
        for clause in clauses:
            for effect in clause.every_effect():
                makes = LAWMAKING_EVENTS & {*effect.form.makes}
                if makes and not any((rule.id, clause.words, kind) in by_rule for kind in makes):
                    then = _state_after_effect(after, SourceClause(rule, clause), effect, run.player, run.steps)
                    if then.rules is not after.rules:
                        asked = tuple(question.text for question in then.questions)
                        yield effect, Adoption(None, (), then, then, in_force=True, doubts=asked)


def _state_after_effect(after: State, source: SourceClause, effect: Effect, player: str, steps: int) -> State:
    """Return how things stand once an effect is done, whatever it waits for; as before, if that takes too long."""
    clause = cast(TriggerClause, source.clause)
    always = replace(clause, each=None, among=None, condition=None, effects=(effect,))
    binds = {"player": PLAYER, **after.law.vocabulary.events[clause.event].binds}
    env = {
        name: one[0]
        for name, kind in binds.items()
        if (one := _possible_values(after, name, kind, player, every=False))
    }
    engine = TrialEngine(calm_state(after), frozenset())
    try:
        with StepMeter(steps, stops=True).running():
            engine.start_clause(SourceClause(source.rule, always), env)
            engine.finish()
    except (EndlessClauses, BudgetExceeded):
        return after
    return engine.state


def _compared(run: DryRun) -> DryRun:
    """Return a dry run with the rules that it concerns, the terms that change, and where new clauses come to hold."""
    run = replace(run, rules=_concerned_rules(run.before, run.change, run.adoption))
    if not run.adoption.in_force:
        return run
    cases, after = run.cases, calm_state(run.adoption.after)
    turned, met = compare_terms(cases, None if run.whole else _terms_to_compare(run))
    supposed = tuple(then for one in run.standing if one.new for then in supposed_clauses(after, one.new, one.old))
    then, meets = changes_of_supposed(cases, turned, supposed)
    turned, met = (*turned, *then), tuple(dict.fromkeys((*met, *meets)))
    lost = tuple(unreached_values(cases, run.fresh))
    return replace(run, turned=turned, met=met, supposed=supposed, unreached=lost)


def _concerned_rules(base: State, change: Change, adoption: Adoption) -> tuple[ChangedRule, ...]:
    """Return all rules that a change concerns: those that it changes, then those that rules change because of it."""
    book = (adoption.after if adoption.in_force else adoption.written).rules
    now, found = book.rules, dict[int, ChangedRule]()
    made = adoption.made or [(one, None) for one in change.numbered if one.kind != "revise" and not adoption.in_force]
    for part, rule in made:
        old = find_target(base.rules, part) if part.target is not None else None
        one = ChangedRule(part, old, rule if rule is None else now.get(rule.id, rule))
        found[-1 if one.id is None else one.id] = one
    for id in sorted({*base.rules.rules, *now}):
        old, new = [None if id in one.void else one.rules.get(id) for one in (base.rules, book)]
        if id not in found and old is not new and _rule_content(old) != _rule_content(new):
            found[id] = ChangedRule(_change_by_rule(old, new), old, new)
    return tuple(found.values())


def _rule_content(rule: Rule | None) -> object:
    """Return what makes one version of a rule another than the last: not that it is guaranteed to stand for now."""
    return rule and (rule.number, rule.tier, rule.parts, rule.scope, rule.lifted)


def _change_by_rule(old: Rule | None, new: Rule | None) -> Change | None:
    """Return the change that made a rule what it is, if no vote did; None for a rule of a rule set brought in."""
    if new is None or old is None:
        rule = new or old
        if rule is None or rule.ruleset:
            return None
        return Change("enact", None, rule.wording, rule.law) if new else Change("repeal", rule.number)
    same = (old.wording, old.law) == (new.wording, new.law)
    return Change("transmute", old.number) if same else Change("amend", old.number, new.wording, new.law)


def _terms_to_compare(run: DryRun) -> tuple[str, ...]:
    """Return the terms that the rule sets; where rules rank otherwise, those without which play stops, too."""
    if run.before.law.order == run.law.order:
        return run.keys
    needed = (one.name for one in run.law.vocabulary.keys.values() if one.needed or one.name in NEEDED_ON_BOARDS)
    return tuple(dict.fromkeys((*run.keys, *needed)))
