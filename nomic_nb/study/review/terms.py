"""Terms of the law before and after a change, as people say them; also where a condition that fails now would hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.clauses import Clause, SetClause
from nomic_nb.engine.law.expressions import compile_node
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Node, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import OTHERWISE, Number, Rule, SourceClause
from nomic_nb.engine.law.values import ThingRef, Value, value_text
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import varies_in_play
from nomic_nb.engine.play.permissions import is_forbidden
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import group_pairs, join_words
from nomic_nb.study.review.cases import ComparedCase, ReviewCases, cases_in_words
from nomic_nb.study.review.queries import is_always_true


def number_spans(numbers: Iterable[Number]) -> str:
    """Return numbers in order, those that follow one another drawn together.

    Examples
    --------
    >>> number_spans([113, 101, 102, 103, "P4", 115, 114, 201])
    '101–103, 113–115, 201, P4'
    >>> number_spans([-103, -102, -101, -110])
    '-110, -103 to -101'
    """
    plain = sorted({one for one in numbers if isinstance(one, int)})
    labels = sorted({one for one in numbers if isinstance(one, str)})
    rows: list[list[int]] = []
    for one in plain:
        if rows and rows[-1][-1] == one - 1:
            rows[-1].append(one)
        else:
            rows.append([one])
    said = [
        str(row[0]) if len(row) == 1
        else f"{row[0]}, {row[1]}" if len(row) == 2
        else f"{row[0]}{' to ' if row[0] < 0 else '–'}{row[-1]}"
        for row in rows
    ]  # fmt: skip
    return ", ".join([*said, *labels])


def value_without_marks(value: Value) -> str:
    """Return a value without the marks that the law language needs.

    Examples
    --------
    >>> both = ThingRef("player", "Ann"), ThingRef("player", "Ben")
    >>> value_without_marks(both), value_without_marks(True), value_without_marks("open")
    ('Ann, Ben', 'yes', 'open')
    """
    if isinstance(value, ThingRef):
        return "a rule" if value.kind == "rule" else str(value.id)
    if isinstance(value, tuple):
        return ", ".join(value_without_marks(one) for one in value) or "nobody and nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else value_text(value)


def answer_in_few_words(finding: Finding) -> str:
    """Return what a finding says, in a few words and without the rule."""
    if finding.answered:
        return value_without_marks(finding.value)
    if finding.outcome == "depends" and finding.value is not None:
        return f"{value_without_marks(finding.value)} or another, depending on {join_words(finding.depends_on)}"
    if finding.outcome == "torn":
        return f"torn between rules {join_words([str(one) for one in prevailing_rules(finding)])}"
    if finding.outcome == "depends":
        return "it depends on " + join_words(finding.depends_on)
    return {"silent": "no rule says"}.get(finding.outcome, f"undecided: {finding.reason}")


def prevailing_rules(finding: Finding) -> tuple[Number, ...]:
    """Return the numbers of the rules that prevail, or that are torn."""
    return tuple(dict.fromkeys(source.rule.number for source in finding.sources))


def answer_and_rule(finding: Finding) -> str:
    """Return what a finding says, and by which rule.

    Examples
    --------
    >>> answer_and_rule(Finding("vote.quota", None, "silent"))
    'no rule says'
    """
    rules = prevailing_rules(finding)
    if not rules or finding.outcome in ("torn", "undecided"):
        return answer_in_few_words(finding)
    return f"{answer_in_few_words(finding)} ({'rule' if len(rules) == 1 else 'rules'} {number_spans(rules)})"


@frozen
class ChangedTerm:
    """A term of the law that has another value after a change.

    Parameters
    ----------
    key, meaning : str
        Which term.
    case : str
        Where it differs; empty where it differs in every case that was looked at.
    old, new : Finding
        What the law says before and after.
    recast : bool
        Whether the value is the same for now, and only the clause behind it is another.
    """

    key: str
    meaning: str
    case: str
    old: Finding
    new: Finding
    recast: bool

    @property
    def where(self) -> str:
        """The term, and the case behind a comma."""
        return ", ".join(filter(None, (self.key, self.case)))

    def __str__(self) -> str:
        if self.recast:
            said = "; ".join(dict.fromkeys(str(source) for source in self.new.sources))
            by = f"by another clause ({said})" if said else "because no rule speaks of it"
            return f"{self.where}: {answer_in_few_words(self.new)} as before, but now {by}"
        return f"{self.where}: {answer_and_rule(self.old)} → {answer_and_rule(self.new)}"


@frozen
class RuleMeeting:
    """A rule that begins to prevail, or to be defeated, where rules meet.

    Parameters
    ----------
    rule : int or str
        Its number after the change.
    key, case : str
        On which term, and in which case; empty where in every one.
    prevails : bool
        Whether it prevails now.
    others : tuple of int or str
        The rules that it prevails over, or that defeat it.
    reason : str
        Why it is defeated.
    """

    rule: Number
    key: str
    case: str
    prevails: bool
    others: tuple[Number, ...]
    reason: str

    def __str__(self) -> str:
        where, others = ", ".join(filter(None, (self.key, self.case))), ", ".join(map(str, self.others))
        if self.prevails:
            over = f" over {others}" if others else ""
            return f"rule {self.rule} prevails{over} on {where}"
        return f"rule {self.rule} is defeated by {others} on {where}: {self.reason}"


def have_same_value(old: Finding, new: Finding) -> bool:
    """Tell whether two findings come to the same for whoever asks."""
    if old.answered and new.answered:
        return bool(old.value == new.value)
    if old.outcome != new.outcome:
        return False
    return old.outcome == "silent" or (old.value, _answer_words(old)) == (new.value, _answer_words(new))


def _describe_difference(old: Finding, new: Finding) -> object:
    """Return in what two findings differ: in what they say, or else in their clauses; None where in neither."""
    if not have_same_value(old, new):
        return answer_and_rule(old), answer_and_rule(new)
    words = _answer_words(old), _answer_words(new)
    return None if words[0] == words[1] else words


def _answer_words(finding: Finding) -> frozenset[str]:
    return frozenset(source.clause.words for source in finding.sources)


def compare_terms(
    cases: ReviewCases, only: Iterable[str] | None = None
) -> tuple[tuple[ChangedTerm, ...], tuple[RuleMeeting, ...]]:
    """Ask for every term in every case that tells its answers apart, before and after.

    Parameters
    ----------
    cases : Cases
        Of this review.
    only : iterable of str, optional
        The terms to be asked for; all of them where it is not given.

    Returns
    -------
    tuple of (tuple of Turned, tuple of Met)
        The terms whose value changes, and the rules that prevail or are defeated where they did not before.
    """
    turned: list[ChangedTerm] = []
    met: list[RuleMeeting] = []
    keys = cases.before.law.vocabulary.keys
    for key, touched in cases.touched(keys if only is None else only).items():
        if not touched and not cases.opens:
            continue
        every = cases.of(key)
        looked = [one for one in every if touched or one.own]
        asked = [(one, _find_term(one.before, key, one), _find_term(one.after, key, one)) for one in looked]
        for how, group in group_pairs(
            (_describe_difference(old, new), (case, old, new)) for case, old, new in asked
        ).items():
            if how is not None:
                _, old, new = group[0]
                where = cases_in_words([case for case, _, _ in group], every)
                turned.append(ChangedTerm(key, keys[key].meaning, where, old, new, recast=have_same_value(old, new)))
        meetings = group_pairs((one, case) for case, old, new in asked for one in _new_meetings(old, new))
        for (rule, prevails, others, reason), some in meetings.items():
            met.append(RuleMeeting(rule, key, cases_in_words(some, every), prevails, others, reason))
    return tuple(turned), tuple(met)


def _find_term(state: State, key: str, case: ComparedCase) -> Finding:
    """Ask for a term; where no rule allows or forbids an action, what holds of such actions says it."""
    found = state.find(key, **case.env)
    act = state.law.vocabulary.actions.get(key.removeprefix("may.")) if key.startswith("may.") else None
    if found.outcome != "silent" or act is None:
        return found
    if not act.otherwise:  # rules bring it about, and so allow it, unless it takes a rule that does
        return replace(found, value=not act.takes_leave, outcome="decided")
    general = state.find(act.otherwise)
    if not general.answered:
        return general
    return replace(general, key=key, value=not is_forbidden(general))


def _new_meetings(old: Finding, new: Finding) -> Iterable[tuple[Number, bool, tuple[Number, ...], str]]:
    """Yield the rules that begin to prevail over another, or to be defeated, in one case."""
    if not new.sources or not (new.answered or new.outcome == "depends"):
        return
    led = {source.rule.id for source in old.sources}
    lost = {one.source.rule.id for one in old.defeated}
    leads = {source.rule.id: source.rule.number for source in new.sources}
    loses = {one.source.rule.id: (one.source.rule.number, one.reason) for one in new.defeated}
    beaten = tuple(number for id, (number, _) in loses.items() if id not in leads)
    for id, number in leads.items():
        if id not in led and (beaten or id in lost):
            yield number, True, beaten, ""
    for id, (number, reason) in loses.items():
        if id not in leads and id not in lost:
            yield number, False, tuple(leads.values()), reason


@frozen
class SupposedClause:
    """A clause, and the law as it is where what its condition leaves to play is so.

    Parameters
    ----------
    rule : Rule
        Whose clause it is.
    clause : Set
        As it is proposed.
    state : State
        With the clause under the rest of its condition: what a case tells by itself.
    """

    rule: Rule
    clause: SetClause
    state: State

    @property
    def when(self) -> str:
        """The condition, as it is written; that it is about a kind of piece goes without saying."""
        condition = self.clause.written_condition
        return condition.text.strip() if condition is not None else ""


def supposed_clauses(state: State, new: Rule, old: Rule | None) -> Iterator[SupposedClause]:
    """Yield the new clauses whose condition depends on what play alters, each where it holds."""
    for clause in new.clauses:
        if not isinstance(clause, SetClause) or clause.condition is None or is_always_true(clause):
            continue
        if old is not None and clause in old.clauses:
            continue
        parts = clause.condition.node.conjuncts
        kept = [one for one in parts if not varies_in_play(state.law, state.law.language.expression(one.canonical))]
        if len(kept) < len(parts):
            rest = " and ".join(f"({one.canonical})" for one in kept)
            if not rest and state.law.precedence.is_plain_ban(SourceClause(new, clause)):
                rest = "true"  # a limit is one still
            loose = replace(clause, condition=state.law.language.expression(rest) if rest else None)
            yield SupposedClause(new, clause, _state_with_clause(state, new, clause, loose))


def _state_with_clause(state: State, rule: Rule, clause: SetClause, loose: SetClause) -> State:
    """Return the state in whose law one clause stands in place of another."""
    parts = tuple(
        replace(part, lines=tuple(one._replace(clause=loose) if one.clause is clause else one for one in part.lines))
        for part in rule.parts
    )
    book = state.rules.with_rule(replace(rule, parts=parts))
    return state.replace(rules=book, law=Law(book, state.law.order, state.law.language))


def changes_of_supposed(
    cases: ReviewCases, turned: tuple[ChangedTerm, ...], some: tuple[SupposedClause, ...]
) -> tuple[list[ChangedTerm], list[RuleMeeting]]:
    """Return what clauses change where they hold, apart from what they change now."""
    known = {source.clause.words for one in turned for source in one.new.sources}
    found: list[ChangedTerm] = []
    met: list[RuleMeeting] = []
    for one in some:
        if one.clause.words in known:
            continue
        then, meets = compare_terms(ReviewCases(cases.before, one.state, cases.player, cases.changed), [one.clause.key])
        found += [replace(each, case=_place_in_words(each.case, one)) for each in then if not each.recast]
        met += [replace(each, case=_place_in_words(each.case, one)) for each in meets]
    return found, met


def _place_in_words(case: str, one: SupposedClause) -> str:
    return f"{case}, where {one.when}" if case else f"where {one.when}"


def unreached_values(cases: ReviewCases, clauses: Iterable[Clause]) -> Iterator[Message]:
    """Yield the values of new clauses that another rule defeats in every case for which they are meant."""
    for clause in clauses:
        if type(clause) is SetClause and clause.value.node.branches and OTHERWISE not in clause.value.names:
            yield from _clause_values(cases, clause)


def _clause_values(cases: ReviewCases, clause: SetClause) -> Iterator[Message]:
    law = cases.after.law
    reached: set[str] = set()
    lost: dict[str, tuple[str, object]] = {}
    for case in cases.of(clause.key):
        found = case.after.find(clause.key, **case.env)
        try:
            node, why = _chosen_value(clause.value.node, View(case.after, case.env, law), law)
        except Undecided:
            return
        said = node.canonical
        if any(one.clause is clause for one in found.sources):
            reached.add(said)
        elif found.answered and why:
            lost.setdefault(said, (why, found.rule))
    for said, (why, rule) in lost.items():
        if reached and said not in reached:
            yield say(
                "value-unreached", "“{value}” is never the answer: where {when}, rule {rule} says what {clause.key} is",
                value=said, when=why, rule=rule, clause=clause,
            )  # fmt: skip


def _chosen_value(node: Node, view: View, law: Law) -> tuple[Node, str]:
    """Return the value that a choice comes to, and its condition; without one where it is the last."""
    while node.branches:
        value, condition, other = node.branches
        if compile_node(condition, law.vocabulary)(view) is True:
            return value, condition.canonical
        node = other
    return node, ""
