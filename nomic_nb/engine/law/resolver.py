"""The resolver: one function answers every question about the law."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from copy import copy
from functools import partial
from operator import is_
from typing import Any, NamedTuple, cast
from weakref import ref

from nomic_nb.engine.frozen import itself
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.findings import ANSWERED_KINDS, Finding, set_clause_of
from nomic_nb.engine.law.index import MOST_REMEMBERED, remember_per_object
from nomic_nb.engine.law.language import Language
from nomic_nb.engine.law.nodes import (
    CURRENT_METER,
    AbsentName,
    Expression,
    LawPart,
    StepMeter,
    Undecided,
    View,
    use_current_or_new_meter,
)
from nomic_nb.engine.law.precedence import PrecedenceOrder
from nomic_nb.engine.law.rules import RuleBook, SourceClause
from nomic_nb.engine.law.tables import direction_and_ranking_table
from nomic_nb.engine.law.values import CaseNames, ThingRef, Value, as_refs
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.law.weighing import BesideWords, ClauseWeighing, bind_own_rule
from nomic_nb.engine.messages import say

#: Steps of an action that it is worth to look a term up.
FINDING_COST = 10
#: How many bodies of law remember findings: those that began to last.
MOST_BODIES = 64


class _KnownFinding(NamedTuple):
    """A finding, its dependencies, and its steps: those of its evaluation, and those of the action."""

    read: tuple[tuple[str, object], ...]
    found: Any
    steps: int
    work: int


def _charge_steps(meter: StepMeter, part: LawPart) -> Finding | None:
    """Charge the latest steps to the clause `part`; return an undecided finding if none are left, else None."""
    try:
        meter.note_last_steps(part)
    except Undecided as doubt:
        return Finding(part[1], None, "undecided", reason=doubt.reason)
    return None


class Law(ClauseWeighing):
    """A body of law: a rule book under an order of precedence, with the answers it gives; created like its index."""

    #: The law of the last book that it was asked for.
    _next: Law | None = None
    __deepcopy__ = itself

    def __init__(self, book: RuleBook, order: PrecedenceOrder, language: Language) -> None:
        super().__init__(book, order, language)
        self._found: dict[object, _KnownFinding] = {}
        self._decisive: dict[int, bool] = {}
        self._other: ref[Law] | None = None
        self._same: dict[str, bool] = {}
        #: The order of precedence when it was last read, and the index in that order.
        self.ordered: tuple[Finding, Finding, PrecedenceOrder] | None = None

    def for_book(self, book: RuleBook) -> Law:
        """Return this law for another book, in the same order of precedence, with its cache if the clauses agree."""
        law = self._next
        if law is not None and law.book is book:
            return law
        own, others = ([rule for rule in rule_book.in_force if rule.sources] for rule_book in (self.book, book))
        by_number = any(
            claim_clause.over for some in self.claims.values() for claim_clause in some
        )  # any rule can take a number
        if by_number or len(own) != len(others) or not all(map(is_, own, others)):
            law = Law(book, self.order, self.language)
        else:
            law = copy(self)
            law.book, law._other, law._same, law._next = book, None, {}, None
        self._next = law
        return law

    def reordered(self, state: object) -> Law:
        """Return this law under the order of precedence that its own rules set in this state."""
        order = precedence_order(self, state)
        return self if order is self.order else Law(self.book, order, self.language)

    def find(self, key: str, state: object, env: CaseNames, within: View | None = None) -> Finding:
        """Return the finding on a key, such as ``vote.quota``, in the case `env`: value, rules and reasons.

        Parameters
        ----------
        key : str
            Name of the key.
        state : object
            State of the game.
        env : mapping of str to Value
            The case: the names that are bound. For a thing, its name or id is enough.
        within : View, optional
            Evaluation that needs the answer; its budget is used.

        Returns
        -------
        Finding
            The finding; if there is no answer, it gives the reason.
        """
        declared = self.vocabulary.keys[key]
        memo: object = key
        if env:  # what nobody looks at makes no case
            fixed = declared.held is not None and declared.held(state, env) is not None
            names = declared.case if fixed else self.case_names_that_matter(key)
            if names:
                memo = (key, fixed, *[env.get(name, ...) for name in names])
        known = self._found.get(memo)
        if known is None and self._other is not None:
            known = self._shared_finding(key, memo)
        meter = CURRENT_METER.get()
        if known is not None:
            for name, was in known.read:
                if getattr(state, name) is not was:
                    known = None
                    break
        if known is not None and within is not None and within.steps < known.steps:
            known = None  # so that the same evaluation runs out of steps, whoever looked before
        if known is not None:
            finding: Finding = known.found
            if meter is None:
                return finding
            if not meter.anew:
                if within is not None:
                    within.steps -= known.steps
                meter.left -= known.work
                if meter.left >= meter.mark:
                    return finding
                return _charge_steps(meter, (finding.sources[0].rule.id if finding.sources else 0, key)) or finding
        with use_current_or_new_meter() as meter:
            return self._evaluate_key(declared, env, memo, state, within, meter)

    def reuse_findings_of(self, other: Law) -> None:
        """Reuse in this law the findings that `other` has cached, on keys with the same clauses in both laws."""
        self._other = ref(other) if other is not self else None
        self._same.clear()

    def _shared_finding(self, key: str, memo: object) -> _KnownFinding | None:
        """Return what the law that shares its findings has cached for a key under `memo`; None if nothing fits."""
        other = self._other() if self._other is not None else None
        if other is None:
            return None
        if key not in self._same:
            self._same[key] = self._has_same_clauses(other, key)
        return other._found.get(memo) if self._same[key] else None

    def _has_same_clauses(self, other: Law, key: str) -> bool:
        """Tell whether a key, and all keys that its clauses read, have the same clauses in both laws."""
        if self.order != other.order or self.track_clauses != other.track_clauses or self.claims or other.claims:
            return False
        own, others = self.dependence.clauses_behind_keys(key), other.dependence.clauses_behind_keys(key)
        if [*own] != [*others]:
            return False
        if any(self.vocabulary.keys[one].held or self.vocabulary.keys[one].usual for one in own):
            return False  # what they look at is not declared clause by clause
        pairs = zip(own.values(), others.values(), strict=True)
        return all(len(mine) == len(theirs) and all(map(is_, mine, theirs)) for mine, theirs in pairs)

    def _evaluate_key(
        self, declared: Key, env: CaseNames, memo: object, state: object, within: View | None, meter: StepMeter
    ) -> Finding:
        """Ask the law about a key in the case `env`, bypassing the cache, and store the finding under `memo`."""
        key = declared.name
        if (
            declared.held is None
            and declared.usual is None
            and self.is_silent_on(key)
            and meter.left - FINDING_COST >= meter.mark
        ):
            meter.left -= FINDING_COST
            finding = Finding(key, None, "silent")
            if not meter.anew:
                self._remember_result(memo, (), state, finding, 0, FINDING_COST)
            return finding
        case = {**declared.case, **declared.may_know} if declared.may_know else declared.case
        view = View(state, {name: as_refs(kind, env[name]) for name, kind in case.items() if name in env}, self)
        if within is not None:
            view.steps, view.open_keys = within.steps, within.open_keys
        if key in view.open_keys:
            return Finding(key, None, "undecided", reason=f"{key} depends on itself")
        before = view.steps, meter.left
        meter.left -= self._step_cost_of_key(key)
        if meter.left < meter.mark:
            spent = _charge_steps(meter, (within.clause_at_work[0] if within is not None else 0, key))
            if spent is not None:
                return spent
        view.open_keys = (*view.open_keys, key)
        try:
            finding = self.weigh_clauses(declared, view)
        except RecursionError:
            finding = Finding(key, None, "undecided", reason="the rules refer to one another too deeply")
        if within is not None:
            within.steps = view.steps
        # What is found for want of budget is the asker's.
        if finding.outcome != "undecided" and view.steps >= 0 and meter.left >= 0 and not meter.anew:
            fields = self.dependence.fields_read(key)
            if "*" not in fields:
                self._remember_result(memo, fields, state, finding, before[0] - view.steps, before[1] - meter.left)
        return finding

    @remember_per_object
    def _step_cost_of_key(self, key: str) -> int:
        """Return the number of steps that evaluating all clauses of a key costs."""
        return FINDING_COST + sum(
            [
                expression.step_cost
                for source in self.clauses_and_rulings_about(key)
                for expression in source.expressions
            ]
        )

    def _remember_result(
        self, memo: object, fields: Collection[str], state: object, result: Any, steps: int, work: int
    ) -> None:
        """Store a result under the cache key `memo`, with the state fields it rests on and the steps it took."""
        if len(self._found) >= MOST_REMEMBERED:
            self._found.clear()
        if not self._found:
            latest = self.language.latest
            if not any(map(partial(is_, self._found), tuple(latest))):  # other threads remember, too
                latest.append(self._found)
            if len(latest) > MOST_BODIES:
                latest.popleft().clear()
        self._found[memo] = _KnownFinding(tuple([(name, getattr(state, name)) for name in fields]), result, steps, work)

    @remember_per_object
    def _fields_of_expression(self, expression: Expression) -> tuple[str, ...]:
        """Return, sorted, the fields of the game state that an expression depends on."""
        return tuple(sorted(self.dependence.fields_of_expression(expression)))

    def evaluate(self, expression: Expression, state: object, env: CaseNames) -> Value:
        """Return the value of an expression in the case `env`; it is remembered if it depends on known fields."""
        fields = self._fields_of_expression(expression)
        view = View(state, env, self)
        view.check_left_out()
        names = self.dependence.reads_of_expression(expression).case  # what nobody looks at makes no case
        memo = (expression, *[env.get(name, ...) for name in names])
        return cast(
            Value, self.find_with_memory(memo, fields, state, view.clause_at_work, lambda: expression.run(view))
        )

    def find_with_memory(
        self, memo: object, fields: Collection[str], state: object, part: LawPart, find: Callable[[], Any]
    ) -> Any:
        """Return the result cached under `memo` if these state fields are unchanged; else call `find` and cache it.

        A result that depends on everything is not cached. `part` is the clause that is charged with the steps.
        """
        known, meter = self._found.get(memo), CURRENT_METER.get()
        if meter is None or meter.anew or "*" in fields:
            return find()
        if known is not None and all(getattr(state, name) is was for name, was in known.read):
            meter.charge(known.work, part)
            return known.found
        before = meter.left
        result = find()
        if meter.left >= 0:
            self._remember_result(memo, fields, state, result, 0, before - meter.left)
        return result

    def surely_forbids(
        self, source: SourceClause, key: str, state: object, env: CaseNames, beside: BesideWords | None = None
    ) -> bool:
        """Tell whether a clause forbids an action in the case `env`, and no permission can override it.

        If `beside` is given, it holds the conditions to look at instead of those of bans on wordings.
        """
        view = View(state, env, self)
        beside = beside or self.conditions_beside_words(key, view)
        try:
            return self._is_decisive_ban(source, key) and self.applies(source, view, beside)
        except Undecided:  # it looks at what is not bound
            return False

    def _is_decisive_ban(self, source: SourceClause, key: str) -> bool:
        """Tell whether a clause forbids an action, and no clause that allows the action defeats it."""
        known = self._decisive.get(id(source))
        if known is None:
            allows = [
                clause for clause in self.clauses_about(key) if set_clause_of(clause).value.node.value is not False
            ]
            last = any(clause is source for clause in self.precedence.prevailing_clauses([source, *allows], key)[0])
            known = self._decisive[id(source)] = last and set_clause_of(source).value.node.value is False
        return known

    def find_ban_on_all(self, key: str, state: object, env: CaseNames) -> SourceClause | None:
        """Return a clause that surely forbids an action whatever the names not in `env` are; None if none is found."""
        beside, every = self.bans_on_wordings(key), self.clauses_about(key)
        return next((source for source in every if self.surely_forbids(source, key, state, env, beside)), None)

    @remember_per_object
    def case_names_that_matter(self, key: str) -> tuple[str, ...]:
        """Return those names bound in a key's case, such as ``player``, on which its value can depend."""
        declared = self.vocabulary.keys[key]
        names = (*declared.case, *declared.may_know)
        every = declared.usual or declared.apart or key in self.keys_with_local_rules or key in self.rulings
        return names if every else tuple(filter(self.dependence.case_names_read(key).__contains__, names))

    def ruling_on(self, key: str, state: object, env: CaseNames) -> Finding | None:
        """Return the finding that a ruling gives on a key in the case `env`; None if no ruling answers it."""
        return self.finding_by_ruling(self.vocabulary.keys[key], View(state, env, self))

    def answer(self, key: str, state: object, env: CaseNames, within: View | None = None) -> Any:
        """Return the value that the law gives a key in the case `env`; raise `Undecided` if it gives none."""
        return self.value_or_undecided(self.find(key, state, env, within))

    def value_or_undecided(self, finding: Finding) -> Any:
        """Return the value of a finding; raise `Undecided` if the finding has no answer.

        Raises
        ------
        Undecided
            Where there is none; the question that follows cites the finding.
        """
        if finding.outcome in ANSWERED_KINDS:  # as it mostly is
            return finding.value
        if finding.outcome == "depends":
            raise AbsentName(finding.depends_on[0])
        raise Undecided(say("no-answer", "{finding}", finding=str(finding).split("\n", 1)[0]), finding=finding)

    def value_or_default(self, finding: Finding, otherwise: Any = None) -> Any:
        """Return the value of a finding, or `otherwise` if no rule sets its key; raise `Undecided` if it is unclear."""
        return otherwise if finding.outcome == "silent" else self.value_or_undecided(finding)

    def replacing_clauses(self, event: str, state: object, env: CaseNames) -> tuple[SourceClause, ...]:
        """Return one rule's ``instead of`` clauses that replace an event's usual result; empty without any.

        Raises
        ------
        Undecided
            Rules of equal rank replace it, or one gives no answer.
        """
        where, speaking = self.vocabulary.where(env, state), []
        for source in self.replacements.get(event, ()):
            condition = cast(c.InsteadClause, source.clause).condition
            here = source.rule.applies_in(where)
            if here and (condition is None or condition.run(bind_own_rule(source, View(state, env, self)))):
                speaking.append(source)
        if not speaking:
            return ()
        top, _ = self.precedence.prevailing_clauses(speaking, f"instead of {event}")
        if len({source.rule.id for source in top}) > 1:
            numbers = " and ".join(str(source.rule.number) for source in top)
            raise Undecided("both-replace", "rules {rules} each replace the usual result", rules=numbers)
        return tuple(top)

    def can_ever_allow(
        self, key: str, state: object, env: CaseNames, fixed: frozenset[str], words: frozenset[str],
        clock: frozenset[str], later: Sequence[object], within: View | None,
    ) -> bool | None:  # fmt: skip
        """Tell whether the law could ever allow an action while `fixed` state fields stay; None if no clause applies.

        A clause whose condition depends on more of the state than this, or that uses one of these fields or functions,
        counts if it allows, but not if it forbids; so does one that gives no answer. If it also depends on the clock,
        and on nothing else, it counts if it forbids in all the `later` states.

        Parameters
        ----------
        key : str
            The permission, such as ``may.propose``.
        state : object
            The state of the game now.
        env : mapping of str to Value
            The case: the names that are bound.
        fixed : frozenset of str
            The fields of the state that are taken not to change.
        words : frozenset of str
            The names, fields and functions that can come to anything later.
        clock : frozenset of str
            The fields of the state that time alone changes.
        later : sequence of object
            States in the future that differ only in time.
        within : View or None
            The evaluation that asks; its budget is used.
        """
        speaking = []
        for source, varies, timed in self._varying_clauses((key, fixed, words, clock)):
            condition, allows = set_clause_of(source).condition, set_clause_of(source).value.node.value is True
            if varies and not timed:
                speaking += [source] if allows else []
                continue
            view = View(state, {**env, "this": ThingRef("rule", source.rule.id)}, self)
            if within is not None:
                view.steps, view.open_keys = within.steps, within.open_keys
            try:
                if condition is None:
                    speaking.append(source)
                elif varies:
                    always = bool(later) and all(
                        condition.run(View(later_state, view.env, self)) for later_state in later
                    )
                    speaking += [source] if allows or always else []
                elif condition.run(view):
                    speaking.append(source)
            except Undecided:
                speaking += [source] if allows else []
        if not speaking:
            return None
        top, _ = self.precedence.prevailing_clauses(speaking, key)
        return all(set_clause_of(source).value.node.value is True for source in top)

    @remember_per_object
    def _varying_clauses(
        self, key_and_words: tuple[str, frozenset[str], frozenset[str], frozenset[str]]
    ) -> tuple[tuple[SourceClause, bool, bool], ...]:
        """Return triples of each clause of a key, whether its condition can change, and whether by time alone.

        The argument is one tuple: the key, the state fields that stay fixed, the words that vary, the clock's fields.
        """
        key, fixed, words, clock = key_and_words
        varying = []
        for source in self.clauses_about(key):
            condition = set_clause_of(source).condition
            varies = condition is not None and self.dependence.condition_varies(condition, fixed, words)
            timed = (
                varies
                and condition is not None
                and not self.dependence.condition_varies(condition, fixed | clock, words)
            )
            varying.append((source, varies, timed))
        return tuple(varying)


def precedence_order(law: Law, state: object) -> PrecedenceOrder:
    """Return the order of precedence that the keys ``precedence.tiers`` and ``precedence.by`` give.

    If it sets none, all rules are equally strong, and rules that differ conflict.

    Raises
    ------
    Undecided
        The rules conflict, or give no answer.
    """
    tiers, by = law.find("precedence.tiers", state, {}), law.find("precedence.by", state, {})
    if law.ordered is not None and law.ordered[0] is tiers and law.ordered[1] is by and not law.ranking_tables:
        return law.ordered[2]

    def texts(finding: Finding) -> tuple[str, ...]:
        value = () if finding.outcome == "silent" else law.value_or_undecided(finding)
        return tuple(str(item) for item in value) if isinstance(value, tuple) else ()

    criteria = texts(by)
    order = PrecedenceOrder(
        texts(tiers), criteria, tiers.rule, by.rule, _table_entries(law, state, criteria) if law.ranking_tables else {}
    )
    law.ordered = (tiers, by, law.order if order == law.order else order)
    return law.ordered[2]


def _table_entries(law: Law, state: object, by: tuple[str, ...]) -> dict[str, dict[int, Value]]:
    """Return, by table name and rule id, the entries of the tables that the criteria `by` rank rules by."""
    ranks_by_table = {}
    for name in (table for _, table in map(direction_and_ranking_table, by) if table in law.ranking_tables):
        view = View(state, {}, law)
        ranks_by_table[name] = {rule.id: view.table_entry(name, (rule.ref,)) for rule in law.book.in_force}
    return ranks_by_table
