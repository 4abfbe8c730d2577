"""The result of clauses in one case: which of them apply, which prevail, and their value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeAlias, cast

from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.findings import DefeatedClause, Finding, PrevailingClauses, finding_behind_doubt, set_clause_of
from nomic_nb.engine.law.index import MOST_REMEMBERED, Dependence, Index, clause_uses_names, remember_per_object
from nomic_nb.engine.law.nodes import FAILING_CLAUSES, AbsentName, Expression, Node, Undecided, View
from nomic_nb.engine.law.precedence import GUARDED, REVERSED_CRITERIA, guarantee_sort_key
from nomic_nb.engine.law.rules import OTHERWISE, Rule, SourceClause, Sources
from nomic_nb.engine.law.tables import direction_and_ranking_table
from nomic_nb.engine.law.values import ThingRef, Value, value_text
from nomic_nb.engine.law.vocabulary import Key

_NOTHING: frozenset[int] = frozenset()
#: Conditions beside those on wordings, by the Python id of the ban; None if nothing is left.
BesideWords: TypeAlias = Mapping[int, Expression | None]


def bind_own_rule(source: SourceClause, view: View) -> View:
    """Bind ``this`` in a view to the rule of a clause; return the view.

    Raise `Undecided` if the clause is left out, because it failed or took too many steps before.
    """
    view.env["this"] = source.rule.ref
    if FAILING_CLAUSES.get() or (view.meter is not None and view.meter.left_out):
        view.check_left_out()
    return view


class ClauseWeighing(Index):
    """A body of law that works out the result of its clauses without remembering it. Made as its index is."""

    @cached_property
    def dependence(self) -> Dependence:
        """The object that tells on what the keys depend under this law."""
        return Dependence(self)

    def weigh_clauses(self, key: Key, view: View) -> Finding:
        """Return what the clauses on a key say in a view, by rules first and rulings last, ignoring any memory."""
        held = key.held(view.state, view.env) if key.held is not None else None
        if held is not None:
            return Finding(key.name, held, "decided", reason="as it was fixed")
        applying: list[SourceClause] = []
        undecided = []
        candidates, last = self._clauses_to_judge(key, view)
        shows = {}
        beside = self.conditions_beside_words(key.name, view)
        for source in candidates:
            if (
                id(source) in last
                and any(set_clause_of(one).value.node.value is False for one in applying)
                and self._weigh_applicable(key, applying, [], view).value is False
            ):
                break  # whatever else forbids it, it is forbidden
            if view.evidence:
                view.evidence = {}
            try:
                if self.applies(source, view, beside):
                    applying.append(source)
                    if view.evidence:
                        shows[id(source)] = tuple(view.evidence.values())
            except Undecided as error:
                error.shows = tuple(view.evidence.values())
                undecided.append((source, error.with_traceback(None)))  # else this call lives on in a circle
        additions = []
        doubts = {}
        if key.name in self.keys_with_additions:
            additions = [clause for clause in (*applying, *(clause for clause, _ in undecided)) if clause.adds_to_key]
            doubts = {id(clause): doubt for clause, doubt in undecided if clause.adds_to_key}
            applying = [clause for clause in applying if not clause.adds_to_key]
            undecided = [open_pair for open_pair in undecided if not open_pair[0].adds_to_key]
        finding = self._weigh_applicable(key, applying, undecided, view)
        if shows:
            found = [words for clause in finding.sources for words in shows.get(id(clause), ())]
            finding = replace(finding, evidence=tuple(dict.fromkeys(found)))
        if additions:
            base = finding if finding.answered else self.finding_by_ruling(key, view) or finding
            finding = self._apply_additions(key, base, additions, doubts, view)
        if not finding.answered and finding.outcome != "depends":
            settled = self.finding_by_ruling(key, view)
            if settled is not None:
                return settled
            if key.name.startswith("may.") and finding.outcome != "silent":
                seen = self.dependence.case_names_read(key.name)
                finding = replace(
                    finding, case=tuple((name, view.env[name]) for name in key.case if name in seen & view.env.keys())
                )
        return finding

    def conditions_beside_words(self, key: str, view: View) -> BesideWords:
        """Return what to ask of bans on wordings, by their Python ids, if the change in the case brings no text."""
        bans = self.bans_on_wordings(key)
        return bans if bans and self.vocabulary.wordless(view.env, view.state) else {}

    @remember_per_object
    def bans_on_wordings(self, key: str) -> BesideWords:
        """Return, by Python ids, the conditions of bans beside those on wordings; None if nothing is left."""
        found = {}
        for source in self.clauses_about(key) if key.startswith("may.") else ():
            clause = set_clause_of(source)
            if clause.condition is not None and clause.value.node.value is False:
                left = self.language.beside_words(clause.condition)
                if left is not clause.condition:
                    found[id(source)] = left
        return found

    def applies(self, source: SourceClause, view: View, beside: BesideWords) -> bool:
        """Tell whether a clause that sets a key applies in a view; `beside` has `conditions_beside_words`."""
        condition = set_clause_of(source).condition
        if condition is None:
            return True
        condition = beside.get(id(source), condition)
        return condition is not None and condition.run(bind_own_rule(source, view)) is True

    def _clauses_to_judge(self, key: Key, view: View) -> tuple[Sources, frozenset[int]]:
        """Return the clauses that may set a key here, costly bans last, and the Python ids of these bans."""
        candidates = self.clauses_about(key.name)
        if key.name in self.keys_with_local_rules:
            where = self.vocabulary.where(view.env, view.state)
            candidates = tuple(source for source in candidates if source.rule.applies_in(where))
        if key.usual is None and not key.name.startswith("may."):
            return candidates, _NOTHING
        missing = key.may_know.keys() - view.env.keys() if key.usual is not None else set()
        if missing:
            candidates = tuple(
                source for source in candidates if not clause_uses_names(source.clause, missing, self.vocabulary)
            )
        last = self._costly_bans(key.name) if key.name.startswith("may.") else frozenset()
        return (tuple(sorted(candidates, key=lambda clause: id(clause) in last)) if last else candidates), last

    @remember_per_object
    def _costly_bans(self, key: str) -> frozenset[int]:
        """Return the Python ids of the clauses on a key that forbid an action and are costly to evaluate."""
        bans = (source for source in self.clauses_about(key) if set_clause_of(source).value.node.value is False)
        conditions = ((id(source), set_clause_of(source).condition) for source in bans)
        return frozenset(
            clause_id
            for clause_id, condition in conditions
            if condition and "*" in self.dependence.reads_of_expression(condition).reads
        )

    def _apply_additions(
        self, key: Key, base: Finding, additions: list[SourceClause], doubts: Mapping[int, Undecided], view: View
    ) -> Finding:
        """Return the finding `base` as modified by the ``otherwise`` clauses, such as ``set KEY to otherwise + 1``.

        `additions` are these clauses. For those of which it is undecided whether they apply, `doubts` holds the errors,
        by the Python ids of the clauses.
        """
        if not base.answered and base.outcome != "silent":
            return base
        clauses, defeated = self.additions_in_force(key.name, base.sources, additions)
        view.plus, value = key.plus, base.value
        has_value, spoke = base.answered, list[SourceClause]()
        for addition in clauses:
            if has_value:
                view.env[OTHERWISE] = value
            try:
                if id(addition) in doubts:
                    raise doubts[id(addition)]
                value = self._clause_value(key, addition, view)
            except Undecided as error:
                names = (error.name,) if isinstance(error, AbsentName) else ()
                if OTHERWISE in names:
                    continue  # in this case it adds to what nobody says
                return Finding(
                    key.name, None, "depends" if names else "undecided", (addition,), (*defeated, *base.defeated),
                    _case_facts(view), names,
                    f"it’s unclear what rule {addition.rule.number} adds, because {error.reason}",
                    finding_behind_doubt(error),
                )  # fmt: skip
            finally:
                view.env.pop(OTHERWISE, None)
            has_value = True
            spoke.append(addition)
        if not has_value:
            return base
        return replace(
            base, value=value, outcome="decided" if base.outcome == "silent" else base.outcome,
            sources=(*reversed(spoke), *base.sources), defeated=(*defeated, *base.defeated),
            facts=_case_facts(view), on_top=len(spoke),
        )  # fmt: skip

    def additions_in_force(
        self, key: str, complete: Sequence[SourceClause], additions: Iterable[SourceClause]
    ) -> PrevailingClauses:
        """Return the ``otherwise`` clauses to apply, weakest first, and those that `complete` clauses defeat.

        Parameters
        ----------
        key : str
            What they set.
        complete : sequence of SourceClause
            The clauses that prevail among those that set the key outright.
        additions : iterable of SourceClause
            The clauses that modify the key with ``otherwise``.
        """
        left = []
        defeated = []
        for addition in sorted(additions, key=lambda clause: self.trigger_sort_key(clause.rule), reverse=True):
            over = next(
                (source.rule.number for source in complete if self._overrides(source.rule, addition.rule, key)), None
            )
            if over is None:
                left.append(addition)
            else:
                defeated.append(DefeatedClause(addition, f"rule {over} sets the whole value and takes precedence"))
        return left, tuple(defeated)

    def _overrides(self, rule: Rule, addition: Rule, key: str) -> bool:
        """Tell whether `rule`, which sets a key outright, cancels `addition`, a rule that modifies the key.

        That it came later counts where the law lets the newest go first, and numbers never do: an addition contradicts
        no rule, and is undone by what is said after it. While it is guaranteed, where that counts first, it is not.
        """
        strength = self.order.tier_rank(rule) - self.order.tier_rank(addition)
        if strength or rule is addition:
            return strength < 0
        for criterion in self.order.by:
            if criterion == "claims":
                forth, back = (
                    self.precedence.claims_to_prevail(rule, addition, key),
                    self.precedence.claims_to_prevail(addition, rule, key),
                )
                if forth is not back:
                    return forth
            elif criterion == GUARDED and addition.guarded and guarantee_sort_key(addition) > guarantee_sort_key(rule):
                return False
            elif (came := REVERSED_CRITERIA.get(criterion)) is not None and came(rule) != came(addition):
                return came(rule) > came(addition)
        return False

    def finding_by_ruling(self, key: Key, view: View) -> Finding | None:
        """Return the value that the newest applicable ruling gives a key in a view; None if no ruling applies."""
        for source in self.rulings.get(key.name, ()):
            if not isinstance(source.clause, c.SetClause):
                continue
            try:
                if source.clause.condition is None or source.clause.condition.run(bind_own_rule(source, view)):
                    return Finding(
                        key.name, self._clause_value(key, source, view), "ruled", (source,), facts=_case_facts(view)
                    )
            except Undecided:
                continue
        return None

    def _weigh_applicable(
        self, key: Key, applying: list[SourceClause], undecided: list[tuple[SourceClause, Undecided]], view: View
    ) -> Finding:
        """Return the finding on a key from the clauses that apply and those that may apply, each with its doubt."""
        if not applying and not undecided:
            if key.usual is not None:
                return _usual_finding(key.name, key.usual, view)
            return Finding(key.name, None, "silent", facts=_case_facts(view))
        everything = applying + [source for source, _ in undecided]
        top, defeated = self._prevailing_clauses(everything, key.name)
        prevailing = set(map(id, top))  # by what they are: there may be thousands
        permits = len(everything) > 1 and key.name.startswith("may.")
        if permits:
            sure_bans = [
                source
                for source in applying
                if id(source) in prevailing and self._surely_yields(key, source, view, False)
            ]
            if sure_bans:  # whatever is open could not allow it
                return _ban_finding(key, sure_bans, top, defeated, view)
        absent: tuple[str, ...] = ()
        could: Sources = ()
        if undecided:
            first = next(((source, doubt) for source, doubt in undecided if id(source) in prevailing), None)
            if first is not None and not isinstance(first[1], AbsentName):
                source, doubt = first
                reason = f"it’s unclear whether rule {source.rule.number} applies, because {doubt.reason}"
                bans = self._describe_open_bans(
                    key, [open_pair for open_pair in undecided if id(open_pair[0]) in prevailing]
                )
                return Finding(
                    key.name,
                    None,
                    "undecided",
                    (source,),
                    (),
                    _case_facts(view),
                    (),
                    reason,
                    finding_behind_doubt(doubt),
                    bans=bans,
                )
            absent = tuple(dict.fromkeys(error.name for _, error in undecided if isinstance(error, AbsentName)))
            could = tuple(source for source, error in undecided if isinstance(error, AbsentName))
            top, defeated = self._prevailing_clauses(applying, key.name) if applying else ([], ())
            if permits:
                top = [source for source in top if self._surely_yields(key, source, view, False)] or top
        values = []
        for source in top:
            try:
                values.append(self._clause_value(key, source, view))
            except AbsentName as error:
                names = tuple(dict.fromkeys((*absent, error.name)))
                return Finding(
                    key.name, None, "depends", tuple(top), defeated, _case_facts(view), names, possible=could
                )
            except Undecided as error:
                reason, root = (
                    f"rule {source.rule.number} gives no answer, because {error.reason}",
                    finding_behind_doubt(error),
                )
                return Finding(key.name, None, "undecided", (source,), defeated, _case_facts(view), (), reason, root)
        if not values:
            return Finding(key.name, None, "depends", (), (), _case_facts(view), absent, possible=could)
        same = values.count(values[0]) == len(values)
        if values[0] is False and could and permits:  # no is no only where it holds in every case
            left, _ = self.precedence.prevailing_clauses([*top, *could], key.name)
            if not any(source in left for source in top):
                return Finding(
                    key.name, None, "depends", (), defeated, _case_facts(view), absent, possible=(*could, *top)
                )
        # In every case it comes to the same.
        alike = not could or all(self._surely_yields(key, source, view, values[0]) for source in could)
        outcome = "torn" if not same else "depends" if absent and not alike else "merged" if len(top) > 1 else "decided"
        return Finding(
            key.name, values[0] if same else None, outcome, tuple(top), defeated, _case_facts(view), absent,
            reason="" if same else "rules of equal rank disagree", possible=could,
        )  # fmt: skip

    def _prevailing_clauses(self, sources: list[SourceClause], key: str) -> PrevailingClauses:
        """Return what `Precedence.prevailing_clauses` does; in a body of law, it is the same whenever they apply."""
        known, alike = self._known_precedence, (key, *map(id, sources))
        if alike not in known:
            if len(known) >= MOST_REMEMBERED:
                known.clear()
            known[alike] = self.precedence.prevailing_clauses(sources, key)
        return known[alike]

    @cached_property
    def _known_precedence(self) -> dict[tuple[object, ...], PrevailingClauses]:
        """Which clauses prevail, by their key and their Python ids."""
        return {}

    @staticmethod
    def _describe_open_bans(key: Key, undecided: list[tuple[SourceClause, Undecided]]) -> tuple[str, ...]:
        """Return sentences on what is undecided about each of these bans; empty if one of the clauses is no ban."""
        if not key.name.startswith("may.") or any(
            set_clause_of(source).value.node.value is not False for source, _ in undecided
        ):
            return ()
        sentences = (
            _describe_open_clause(source, doubt) for source, doubt in undecided if not isinstance(doubt, AbsentName)
        )
        return tuple(dict.fromkeys(sentences))

    def _surely_yields(self, key: Key, source: SourceClause, view: View, value: Value) -> bool:
        """Tell whether a clause gives its key exactly this value, and no doubt about it arises."""
        try:
            return self._clause_value(key, source, view) == value
        except Undecided:
            return False

    def _clause_value(self, key: Key, source: SourceClause, view: View) -> Value:
        """Return the value that a clause gives its key in a view; raise `Undecided` if the key cannot have it."""
        value = cast(c.SetClause, source.clause).value.run(bind_own_rule(source, view))
        several = value if isinstance(value, tuple) else (value,)
        if key.values and not all(
            element in key.values or (key.ranks and direction_and_ranking_table(str(element))[1] in self.ranking_tables)
            for element in several
        ):
            raise Undecided(
                "value-not-allowed",
                "{value} isn’t one of the possible values: {known}",
                value=value_text(value),
                known=", ".join(key.values),
            )
        misfit = key.misfit(value) if key.misfit is not None else None
        own = [view.env.get(case_name) for case_name in key.case] if key.apart and isinstance(value, tuple) else []
        if source.rule.answers and own:  # what the table has agreed on counts, but for what can never be meant
            value = tuple(element for element in several if element not in own)
        elif own and any(own_value in several for own_value in own):
            misfit = misfit or key.apart
        if misfit:
            raise Undecided(misfit)
        return value


def _describe_open_clause(source: SourceClause, doubt: Undecided) -> str:
    """Return what is undecided about a clause: a question to people, or “whether rule 201 applies, because …”."""
    condition = set_clause_of(source).condition
    if doubt.people and condition is not None and _asks_people(condition.node, doubt.people):
        shown_by = f": {'; '.join(doubt.shows)}" if doubt.shows else ""
        return f"{doubt.people} (rule {source.rule.number}){shown_by}"
    return f"whether rule {source.rule.number} applies, because {doubt.reason}"


def _asks_people(node: Node, text: str) -> bool:
    """Tell whether a condition asks people the question `text`, by a function call with that text or its beginning."""
    asked = node.walk(lambda one: one.parts if one.connective in ("and", "or") else ())
    # Of a text that is put together, the first part stands there.
    first = (part.parts[0] if part.arithmetic else part for one in asked if one.function for part in one.parts)
    return any(isinstance(one.value, str) and text.startswith(one.value) for one in first)


def _ban_finding(
    key: Key, sure_bans: list[SourceClause], top: list[SourceClause], defeated: tuple[DefeatedClause, ...], view: View
) -> Finding:  # fmt: skip
    """Return the finding that an action is forbidden by `sure_bans`, out of the prevailing clauses `top`."""
    forbidding = {id(source) for source in sure_bans}
    beaten = (DefeatedClause(source, "forbidding beats allowing") for source in top if id(source) not in forbidding)
    outcome = "merged" if len(sure_bans) > 1 else "decided"
    return Finding(key.name, False, outcome, tuple(sure_bans), (*defeated, *beaten), _case_facts(view))


def _usual_finding(key: str, usual: Callable[[View], Value], view: View) -> Finding:
    """Return the finding that a key has its usual value or, if that needs an unbound name, depends on that name."""
    try:
        value = usual(view)
    except AbsentName as error:
        return Finding(key, None, "depends", facts=_case_facts(view), depends_on=(error.name,))
    return Finding(key, value, "decided", facts=_case_facts(view), reason="as it usually is")


def _case_facts(view: View) -> tuple[tuple[str, Value], ...]:
    """Return what an evaluation looked up, as pairs of name and value, with rules by their numbers."""
    return tuple([(name, _rules_by_number(view, value)) for name, value in view.trace.items()]) if view.trace else ()


def _rules_by_number(view: View, value: Value) -> Value:
    """Return a value in which rules are referred to by their numbers instead of by ids."""
    if isinstance(value, ThingRef):
        if value.kind != "rule":
            return value
        rule = cast(Index, view.law).book.rules.get(cast(int, value.id))
        return ThingRef("rule", rule.number if rule else "that was repealed")
    return tuple([_rules_by_number(view, element) for element in value]) if isinstance(value, tuple) else value
