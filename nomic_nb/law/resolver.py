"""What the law says: one function answers every question about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, cast

from nomic_nb.law import clauses as c
from nomic_nb.law.dependence import Dependence
from nomic_nb.law.findings import Defeated, Finding, as_set, at_fault
from nomic_nb.law.index import OTHERWISE, Index, speaks_of
from nomic_nb.law.language import Language
from nomic_nb.law.layers import adds, on_top
from nomic_nb.law.precedence import Order
from nomic_nb.law.rules import RuleBook, Source
from nomic_nb.law.tables import table_ranked
from nomic_nb.law.values import Ref, Value, pointed, shown
from nomic_nb.law.view import METER, Absent, Meter, Part, Undecided, View
from nomic_nb.law.vocabulary import Key

#: How many findings one body of law remembers.
REMEMBERED = 1_000
#: Steps of an action that it is worth to look a term up.
FINDING = 10
#: How many bodies of law remember findings: those that began to last.
BODIES = 64
_NOTHING: frozenset[int] = frozenset()


class _Known(NamedTuple):
    """A finding, what it rests on, and the steps that it took: of its own evaluation, and of the action."""

    read: tuple[tuple[str, object], ...]
    finding: Finding
    steps: int
    work: int


def _too_much(meter: Meter, part: Part) -> Finding | None:
    """Note whose the last steps were; where it is only looked at the law and none are left, there is no answer."""
    try:
        meter.note(part)
    except Undecided as doubt:
        return Finding(part[1], None, "undecided", reason=doubt.reason)
    return None


def _of(source: Source, view: View) -> View:
    """Let a view see a clause's own rule as ``this``."""
    view.env["this"] = source.rule.ref
    if view.meter is not None and view.meter.left_out:
        view.check_left_out()
    return view


class Law(Index):
    """A body of law: a rule book under an order of precedence, and the answers that it gives; made as its index is."""

    def __init__(self, book: RuleBook, order: Order, language: Language) -> None:
        super().__init__(book, order, language)
        self._found: dict[object, _Known] = {}
        self._work: dict[str, int] = {}
        self._case: dict[str, tuple[str, ...]] = {}
        self._last: dict[str, frozenset[int]] = {}

    @cached_property
    def dependence(self) -> Dependence:
        """What its keys depend on."""
        return Dependence(self)

    def find(self, key: str, state: object, env: Mapping[str, Value], within: View | None = None) -> Finding:
        """Say what the law holds of a key.

        Parameters
        ----------
        key : str
            Its name.
        state : object
            As it stands.
        env : mapping of str to Value
            The case: the names that are bound; a thing may be told by its name or id alone.
        within : View, optional
            The evaluation that asks; its budget is used.

        Returns
        -------
        Finding
            Also where there is no answer.
        """
        declared = self.vocabulary.keys[key]
        memo: object = key
        if env:  # what nobody looks at makes no case
            names = self._case.get(key)
            if names is None:
                names = self._looked_for(declared)
            if names:
                memo = (key, *[(name, env[name]) for name in names if name in env])
        known = self._found.get(memo)
        meter = METER.get()
        if known is not None:
            for name, was in known.read:
                if getattr(state, name) is not was:
                    known = None
                    break
        if known is not None:
            if meter is None:
                return known.finding
            if not meter.left_out:  # what is left out now is remembered as it was
                finding = known.finding
                if within is not None:
                    within.take(known.steps)  # so that it does not matter who looked before
                meter.left -= known.work
                if meter.left >= meter.mark:
                    return finding
                return _too_much(meter, (finding.sources[0].rule.id if finding.sources else 0, key)) or finding
        if meter is not None:
            return self._look_up(declared, env, memo, state, within, meter)
        meter = Meter()
        token = METER.set(meter)
        try:
            return self._look_up(declared, env, memo, state, within, meter)
        finally:
            METER.reset(token)

    def _look_up(
        self, declared: Key, env: Mapping[str, Value], memo: object, state: object, within: View | None, meter: Meter
    ) -> Finding:
        key, kinds = declared.name, {**declared.case, **declared.may_know}
        view = View(state, {name: pointed(kind, env[name]) for name, kind in kinds.items() if name in env}, self)
        if within is not None:
            view.steps, view.open_keys = within.steps, within.open_keys
        if key in view.open_keys:
            return Finding(key, None, "undecided", reason=f"{key} depends on itself")
        before = view.steps, meter.left
        meter.left -= self._work.get(key) or self._work_of(key)
        if meter.left < meter.mark:
            spent = _too_much(meter, (within.part[0] if within is not None else 0, key))
            if spent is not None:
                return spent
        view.open_keys = (*view.open_keys, key)
        try:
            finding = self._find(declared, view)
        except RecursionError:
            finding = Finding(key, None, "undecided", reason="the rules refer to one another too deeply")
        if within is not None:
            within.steps = view.steps
        # What is found for want of budget is the asker's.
        if finding.outcome != "undecided" and view.steps >= 0 and meter.left >= 0 and not meter.left_out:
            fields = self.dependence.fields_read(key)
            if len(self._found) >= REMEMBERED:
                self._found.clear()
            if "*" not in fields:
                if not self._found:
                    self._remember_here()
                read = tuple([(name, getattr(state, name)) for name in fields])
                self._found[memo] = _Known(read, finding, before[0] - view.steps, before[1] - meter.left)
        return finding

    def _work_of(self, key: str) -> int:
        """Return how many steps of an action it is worth to go through the clauses of a key."""
        sources = (*self.candidates.get(key, ()), *self.rulings.get(key, ()))
        expressions = (one for source in sources for one in source.expressions)
        self._work[key] = FINDING + sum(one.work for one in expressions)
        return self._work[key]

    def _remember_here(self) -> None:
        """Let older bodies of law forget: a long game has thousands of them, and its past keeps them all."""
        latest = self.language.latest
        if not any(one is self._found for one in tuple(latest)):  # other threads remember, too
            latest.append(self._found)
        if len(latest) > BODIES:
            latest.popleft().clear()

    def looked_for(self, key: str) -> tuple[str, ...]:
        """Return the names of the case of a key on which it hangs what is found."""
        names = self._case.get(key)
        return self._looked_for(self.vocabulary.keys[key]) if names is None else names

    def _looked_for(self, key: Key) -> tuple[str, ...]:
        """Return the names of the case of a key on which it hangs what is found."""
        names = (*key.case, *key.may_know)
        every = key.held or key.usual or key.apart or key.name in self.local or key.name in self.rulings
        if not every:
            seen = self.dependence.names_of(key.name)
            names = tuple(name for name in names if name in seen)
        self._case[key.name] = names
        return names

    def ruling_on(self, key: str, state: object, env: Mapping[str, Value]) -> Finding | None:
        """Return what was ruled on a key, also where the law itself says to ask; None where nothing was."""
        return self._ruling(self.vocabulary.keys[key], View(state, env, self))

    def answer(self, key: str, state: object, env: Mapping[str, Value], within: View | None = None) -> Any:
        """Return what the law holds of a key, of the type that it is declared with; raises `Undecided` as `settled`."""
        return self.settled(self.find(key, state, env, within))

    def settled(self, finding: Finding) -> Any:
        """Return the answer.

        Raises
        ------
        Undecided
            Where there is none; the question that follows cites the finding.
        """
        if finding.answered:
            return finding.value
        if finding.outcome == "depends":
            raise Absent(finding.depends_on[0])
        raise Undecided(str(finding).split("\n", 1)[0], finding)

    def _find(self, key: Key, view: View) -> Finding:
        held = key.held(view) if key.held is not None else None
        if held is not None:
            return Finding(key.name, held, "decided", reason="as it was fixed")
        speaking: list[Source] = []
        open_ones: list[tuple[Source, Undecided]] = []
        candidates, last = self._heard(key, view)
        shows: dict[int, tuple[str, ...]] = {}
        for source in candidates:
            if last and id(source) in last and self._bars(key, speaking, view):
                break  # whatever else forbids it, it is forbidden
            condition = cast(c.Set, source.clause).condition
            if view.evidence:
                view.evidence = {}
            try:
                if condition is None or condition.run(_of(source, view)):
                    speaking.append(source)
                    if view.evidence:
                        shows[id(source)] = tuple(view.evidence.values())
            except Undecided as error:
                open_ones.append((source, error))
        layers: list[Source] = []
        open_layers: list[tuple[Source, Undecided]] = []
        if key.name in self.layered:
            layers = [one for one in (*speaking, *(source for source, _ in open_ones)) if adds(one)]
            speaking = [one for one in speaking if one not in layers]
            open_layers = [one for one in open_ones if one[0] in layers]
            open_ones = [one for one in open_ones if one not in open_layers]
        finding = _with_evidence(self._weigh(key, speaking, open_ones, view), shows)
        if layers:
            base = finding if finding.answered else self._ruling(key, view) or finding
            finding = self._topped(key, base, layers, dict(open_layers), view)
        if not finding.answered and finding.outcome != "depends":
            settled = self._ruling(key, view)
            if settled is not None:
                return settled
            if key.name.startswith("may.") and finding.outcome != "silent":
                seen = self.dependence.names_of(key.name)
                finding = replace(
                    finding, case=tuple((name, view.env[name]) for name in key.case if name in seen & view.env.keys())
                )
        return finding

    def _heard(self, key: Key, view: View) -> tuple[tuple[Source, ...], frozenset[int]]:
        """Return the clauses that can speak here, in the order of judging, and those that come last."""
        candidates = self.candidates.get(key.name, ())
        if key.name in self.local:
            where = self.vocabulary.where(view.env, view.state)
            candidates = tuple(source for source in candidates if source.rule.speaks_in(where))
        if key.usual is None and not key.name.startswith("may."):
            return candidates, _NOTHING
        missing = key.may_know.keys() - view.env.keys() if key.usual is not None else set()
        if missing:
            candidates = tuple(one for one in candidates if not speaks_of(one.clause, missing, self.vocabulary))
        last = self._late(key) if key.name.startswith("may.") else frozenset()
        return (tuple(sorted(candidates, key=lambda one: id(one) in last)) if last else candidates), last

    def _late(self, key: Key) -> frozenset[int]:
        """Return the bans among the clauses of a permission that are work to judge: they are looked at last."""
        known = self._last.get(key.name)
        if known is None:
            known = self._last[key.name] = frozenset(
                id(source)
                for source in self.candidates.get(key.name, ())
                if as_set(source).value.node.value is False
                and (condition := as_set(source).condition) is not None
                and self.dependence.looks_at_all(condition)
            )
        return known

    def _bars(self, key: Key, speaking: list[Source], view: View) -> bool:
        """Tell whether an act is forbidden already by the clauses that speak, so that no other ban matters."""
        if not any(as_set(source).value.node.value is False for source in speaking):
            return False
        return self._weigh(key, speaking, [], view).value is False

    def _topped(
        self, key: Key, base: Finding, layers: list[Source], unsure: Mapping[Source, Undecided], view: View
    ) -> Finding:
        """Return what the clauses come to that add to what the others say; alone, what they say without the others."""
        if not base.answered and base.outcome != "silent":
            return base
        found, defeated = on_top(self, key.name, base.sources, layers)
        view.plus, value = key.plus, base.value
        said, spoke = base.answered, list[Source]()
        for layer in found:
            if said:
                view.env[OTHERWISE] = value
            try:
                if layer in unsure:
                    raise unsure[layer]
                value = self._value(key, layer, view)
            except Undecided as error:
                names = (error.name,) if isinstance(error, Absent) else ()
                if OTHERWISE in names:
                    continue  # in this case it adds to what nobody says
                return Finding(
                    key.name, None, "depends" if names else "undecided", (layer,), (*defeated, *base.defeated),
                    _facts(view), names, f"what rule {layer.rule.number} adds is open, because {error.reason}",
                    at_fault(error),
                )  # fmt: skip
            finally:
                view.env.pop(OTHERWISE, None)
            said = True
            spoke.append(layer)
        if not said:
            return base
        return replace(
            base, value=value, outcome="decided" if base.outcome == "silent" else base.outcome,
            sources=(*reversed(spoke), *base.sources), defeated=(*defeated, *base.defeated),
            facts=_facts(view), on_top=len(spoke),
        )  # fmt: skip

    def _ruling(self, key: Key, view: View) -> Finding | None:
        """Return what the newest ruling that speaks to the case says; None where none does."""
        for source in self.rulings.get(key.name, ()):
            clause = source.clause
            try:
                if isinstance(clause, c.Set) and (clause.condition is None or clause.condition.run(_of(source, view))):
                    return Finding(key.name, self._value(key, source, view), "ruled", (source,), facts=_facts(view))
            except Undecided:
                continue
        return None

    def _weigh(
        self, key: Key, speaking: list[Source], open_ones: list[tuple[Source, Undecided]], view: View
    ) -> Finding:
        if not speaking and not open_ones:
            if key.usual is not None:
                return _as_usual(key.name, key.usual, view)
            return Finding(key.name, None, "silent", facts=_facts(view))
        top, defeated = self.precedence.prevailing([*speaking, *(source for source, _ in open_ones)], key.name)
        prevailing = {id(source) for source in top}  # by what they are: there may be thousands
        permits = key.name.startswith("may.")
        if permits:
            sure = [source for source in speaking if id(source) in prevailing and self._forbids(key, source, view)]
            if sure:  # whatever is open could not allow it
                forbidding = {id(source) for source in sure}
                beaten = [
                    Defeated(source, "forbidding beats allowing") for source in top if id(source) not in forbidding
                ]
                outcome = "merged" if len(sure) > 1 else "decided"
                return Finding(key.name, False, outcome, tuple(sure), (*defeated, *beaten), _facts(view))
        absent: tuple[str, ...] = ()
        could: tuple[Source, ...] = ()
        if open_ones:
            doubt = next(((source, error) for source, error in open_ones if id(source) in prevailing), None)
            if doubt is not None and not isinstance(doubt[1], Absent):
                source, error = doubt
                reason = f"whether rule {source.rule.number} applies is open, because {error.reason}"
                return Finding(
                    key.name, None, "undecided", (source,), facts=_facts(view), reason=reason, root=at_fault(error)
                )
            absent = tuple(dict.fromkeys(error.name for _, error in open_ones if isinstance(error, Absent)))
            could = tuple(source for source, error in open_ones if isinstance(error, Absent))
            top, defeated = self.precedence.prevailing(speaking, key.name) if speaking else ([], ())
            if permits:
                top = [source for source in top if self._forbids(key, source, view)] or top
        values: list[Value] = []
        for source in top:
            try:
                values.append(self._value(key, source, view))
            except Absent as error:
                names = tuple(dict.fromkeys((*absent, error.name)))
                return Finding(key.name, None, "depends", tuple(top), defeated, _facts(view), names, possible=could)
            except Undecided as error:
                return Finding(
                    key.name, None, "undecided", (source,), defeated, _facts(view),
                    reason=f"rule {source.rule.number} gives no answer, because {error.reason}", root=at_fault(error),
                )  # fmt: skip
        if not values:
            return Finding(key.name, None, "depends", (), (), _facts(view), absent, possible=could)
        same = values.count(values[0]) == len(values)
        if values[0] is False and could and permits:  # no is no only where it holds in every case
            left, _ = self.precedence.prevailing([*top, *could], key.name)
            if not any(source in left for source in top):
                return Finding(key.name, None, "depends", (), defeated, _facts(view), absent, possible=(*could, *top))
        alike = all(self._says(key, source, view, values[0]) for source in could)  # in every case it comes to the same
        outcome = "torn" if not same else "depends" if absent and not alike else "merged" if len(top) > 1 else "decided"
        return Finding(
            key.name, values[0] if same else None, outcome, tuple(top), defeated, _facts(view), absent,
            reason="" if same else "rules of equal rank disagree", possible=could,
        )  # fmt: skip

    def _forbids(self, key: Key, source: Source, view: View) -> bool:
        return self._says(key, source, view, False)

    def _says(self, key: Key, source: Source, view: View, value: Value) -> bool:
        """Tell whether a clause, where it applies, surely gives a value."""
        try:
            return self._value(key, source, view) == value
        except Undecided:
            return False

    def _value(self, key: Key, source: Source, view: View) -> Value:
        value = cast(c.Set, source.clause).value.run(_of(source, view))
        several = value if isinstance(value, tuple) else (value,)
        if key.values and not all(
            one in key.values or (key.ranks and table_ranked(str(one))[1] in self.ranking) for one in several
        ):
            raise Undecided(f"{shown(value)} is none of {', '.join(key.values)}")
        misfit = key.misfit(value) if key.misfit is not None else ""
        own = [view.env.get(one) for one in key.case] if key.apart and isinstance(value, tuple) else []
        if source.rule.answers and own:  # what the table has agreed on counts, but for what can never be meant
            value = tuple(one for one in several if one not in own)
        elif any(one in several for one in own):
            misfit = misfit or key.apart
        if misfit:
            raise Undecided(misfit)
        return value

    def instead_of(self, event: str, state: object, env: Mapping[str, Value]) -> tuple[Source, ...]:
        """Return the clauses of the rule that replaces the usual result of an event; none where it stays.

        Raises
        ------
        Undecided
            Rules of equal rank replace it, or one gives no answer.
        """
        speaking = []
        where = self.vocabulary.where(env, state)
        for source in self.replacements.get(event, ()):
            if not source.rule.speaks_in(where):
                continue
            condition = cast(c.Instead, source.clause).condition
            if condition is None or condition.run(_of(source, View(state, env, self))):
                speaking.append(source)
        if not speaking:
            return ()
        top, _ = self.precedence.prevailing(speaking, f"instead of {event}")
        if len({source.rule.id for source in top}) > 1:
            numbers = " and ".join(str(source.rule.number) for source in top)
            raise Undecided(f"rules {numbers} both replace what happens")
        return tuple(top)

    def ever_allows(
        self, key: str, state: object, env: Mapping[str, Value], fixed: frozenset[str], words: frozenset[str],
        clock: frozenset[str] = frozenset(), later: Sequence[object] = (), within: View | None = None,
    ) -> bool | None:  # fmt: skip
        """Tell whether what clauses allow and forbid could ever be allowed; None where none could speak.

        A clause whose condition hangs on more of the state than this, or that uses one of these fields or functions,
        counts where it allows, and not where it forbids; so does one that gives no answer. One that hangs on the clock
        beside, and on nothing else, counts where it forbids in all states that come `later`.
        """
        speaking = []
        for source in self.candidates.get(key, ()):
            condition, allows = as_set(source).condition, as_set(source).value.node.value is True
            view = View(state, {**env, "this": Ref("rule", source.rule.id)}, self)
            if within is not None:
                view.steps, view.open_keys = within.steps, within.open_keys
            try:
                if condition is None:
                    speaking.append(source)
                elif self.dependence.varies(condition, fixed, words):
                    timed = bool(later) and not self.dependence.varies(condition, fixed | clock, words)
                    always = timed and all(condition.run(View(one, view.env, self)) for one in later)
                    speaking += [source] if allows or always else []
                elif condition.run(view):
                    speaking.append(source)
            except Undecided:
                speaking += [source] if allows else []
        if not speaking:
            return None
        top, _ = self.precedence.prevailing(speaking, key)
        return all(as_set(source).value.node.value is True for source in top)


def _as_usual(key: str, usual: Callable[[View], Value], view: View) -> Finding:
    """Return what a key is where no rule says all of it."""
    try:
        value = usual(view)
    except Absent as error:
        return Finding(key, None, "depends", facts=_facts(view), depends_on=(error.name,))
    return Finding(key, value, "decided", facts=_facts(view), reason="as it usually is")


def _with_evidence(finding: Finding, shows: Mapping[int, tuple[str, ...]]) -> Finding:
    """Return a finding with what the conditions of the clauses that it rests on showed."""
    if not shows:
        return finding
    found = tuple(dict.fromkeys(words for one in finding.sources for words in shows.get(id(one), ())))
    return replace(finding, evidence=found) if found else finding


def _facts(view: View) -> tuple[tuple[str, Value], ...]:
    return tuple([(name, _by_its_number(view, value)) for name, value in view.trace.items()])


def _by_its_number(view: View, value: Value) -> Value:
    """Point at rules by their numbers, as people do, and not by their ids."""
    if isinstance(value, Ref):
        if value.kind != "rule":
            return value
        rule = cast(Law, view.law).book.rules.get(cast(int, value.id))
        return Ref("rule", rule.number if rule else "that was repealed")
    return tuple([_by_its_number(view, one) for one in value]) if isinstance(value, tuple) else value


def order_of(law: Law, state: object) -> Order:
    """Return what the law says of its own precedence, judged by the order in force till now.

    Where it says nothing, nothing is stronger than anything else, and rules that differ are torn.

    Raises
    ------
    Undecided
        Where it is torn or gives no answer.
    """
    tiers, by = law.find("precedence.tiers", state, {}), law.find("precedence.by", state, {})

    def texts(finding: Finding) -> tuple[str, ...]:
        value = () if finding.outcome == "silent" else law.settled(finding)
        return tuple(str(item) for item in value) if isinstance(value, tuple) else ()

    criteria = texts(by)
    return Order(texts(tiers), criteria, tiers.rule, by.rule, _ranks(law, state, criteria) if law.ranking else {})


def _ranks(law: Law, state: object, by: tuple[str, ...]) -> dict[str, dict[int, Value]]:
    """Return what each rule has in the tables that criteria of precedence name."""
    found: dict[str, dict[int, Value]] = {}
    for name in (table for _, table in map(table_ranked, by) if table in law.ranking):
        view = View(state, {}, law)
        found[name] = {rule.id: view.entry(name, (rule.ref,)) for rule in law.book.in_force}
    return found
