"""Settings before and after a change, in words; even in cases where a condition that fails now would be true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.clauses import Clause, SetClause
from nomic_nb.engine.law.expressions import compile_with_memo
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Node, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import OTHERWISE, Number, Rule, SourceClause
from nomic_nb.engine.law.values import ThingRef, Value, value_text
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import UNCHANGING_FIELDS
from nomic_nb.engine.play.permissions import is_surely_forbidden
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import group_pairs, join_words
from nomic_nb.study.review.cases import ComparedCase, ReviewCases, cases_in_words, is_unconditional


def number_spans(numbers: Iterable[Number]) -> str:
    """Return rule numbers as text, with consecutive ones joined: “201–205, 301”.

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
    for number in plain:
        if rows and rows[-1][-1] == number - 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    sentences = [
        str(row[0]) if len(row) == 1
        else f"{row[0]}, {row[1]}" if len(row) == 2
        else f"{row[0]}{' to ' if row[0] < 0 else '–'}{row[-1]}"
        for row in rows
    ]  # fmt: skip
    return ", ".join([*sentences, *labels])


def value_without_marks(value: Value) -> str:
    """Return a value of the law in words, without quotation marks and brackets.

    Examples
    --------
    >>> both = ThingRef("player", "Ann"), ThingRef("player", "Ben")
    >>> value_without_marks(both), value_without_marks(True), value_without_marks("open")
    ('Ann, Ben', 'yes', 'open')
    """
    if isinstance(value, ThingRef):
        return "a rule" if value.kind == "rule" else str(value.id)
    if isinstance(value, tuple):
        return ", ".join(value_without_marks(item) for item in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else value_text(value)


def short_answer(finding: Finding) -> str:
    """Return in words the value of a setting in a finding, or why it has no value, without naming the rule."""
    if finding.answered:
        return value_without_marks(finding.value)
    if finding.outcome == "depends" and finding.value is not None:
        return f"{value_without_marks(finding.value)} or something else, depending on {join_words(finding.depends_on)}"
    if finding.outcome == "torn":
        return f"rules {join_words([str(prevailing_rule) for prevailing_rule in prevailing_rules(finding)])} conflict"
    if finding.outcome == "depends":
        return "it depends on " + join_words(finding.depends_on)
    return {"silent": "no rule says"}.get(finding.outcome, f"undecided: {finding.reason}")


def prevailing_rules(finding: Finding) -> tuple[Number, ...]:
    """Return the numbers of the rules that decide a finding, or that contradict each other in it."""
    return tuple(dict.fromkeys(source.rule.number for source in finding.sources))


def answer_with_rule(finding: Finding) -> str:
    """Return the value of a term in words, followed by the numbers of the deciding rules in brackets.

    Examples
    --------
    >>> answer_with_rule(Finding("vote.quota", None, "silent"))
    'no rule says'
    """
    rules = prevailing_rules(finding)
    if not rules or finding.outcome in ("torn", "undecided"):
        return short_answer(finding)
    return f"{short_answer(finding)} ({'rule' if len(rules) == 1 else 'rules'} {number_spans(rules)})"


@frozen
class ChangedTerm:
    """A setting that has a different value after a change.

    Parameters
    ----------
    key, meaning : str
        The setting.
    case : str
        The case in which it differs; empty if it differs in every case examined.
    old, new : Finding
        Findings before and after.
    recast : bool
        Whether the value is the same for now, and only the clause behind it is another.
    varies : bool
        Whether it has several values in its case.
    """

    key: str
    meaning: str
    case: str
    old: Finding
    new: Finding
    recast: bool
    varies: bool = False

    @property
    def term_and_case(self) -> str:
        """The key of the term, a comma, and the case in which the term changes."""
        return ", ".join(filter(None, (self.key, self.case)))

    def __str__(self) -> str:
        if self.recast:
            sentence = "; ".join(dict.fromkeys(str(source) for source in self.new.sources))
            by = f"by another clause ({sentence})" if sentence else "because no rule mentions it"
            value = "the same" if self.varies else short_answer(self.new)
            return f"{self.term_and_case}: {value} as before, but now {by}"
        return f"{self.term_and_case}: {answer_with_rule(self.old)} → {answer_with_rule(self.new)}"


@frozen
class RuleMeeting:
    """A rule that newly prevails, or is newly defeated, over other rules.

    Parameters
    ----------
    rule : int or str
        Its number after the change.
    key, case : str
        The setting, and the case; empty for every case.
    prevails : bool
        Whether it prevails now.
    others : tuple of int or str
        The rules that it prevails over, or that defeat it.
    reason : str
        Reason why it is defeated.
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
            return f"rule {self.rule} takes precedence{over} on {where}"
        return f"rule {self.rule} is overridden by {others} on {where}: {self.reason}"


def have_same_value(old: Finding, new: Finding) -> bool:
    """Return True if two findings give the same value, or leave it open in the same way."""
    if old.answered and new.answered:
        return bool(old.value == new.value)
    if old.outcome != new.outcome:
        return False
    return old.outcome == "silent" or (old.value, _clause_words(old)) == (new.value, _clause_words(new))


def _difference_key(old: Finding, new: Finding) -> object:
    """Return a group key made of the answers or clauses in which two findings differ; None if they are alike."""
    if not have_same_value(old, new):
        return answer_with_rule(old), answer_with_rule(new)
    words = _clause_words(old), _clause_words(new)
    return None if words[0] == words[1] else words


def _clause_words(finding: Finding) -> frozenset[str]:
    """Return the texts of the clauses on which a finding rests."""
    return frozenset(source.clause.words for source in finding.sources)


def compare_terms(
    cases: ReviewCases, only: Iterable[str] | None = None
) -> tuple[tuple[ChangedTerm, ...], tuple[RuleMeeting, ...]]:
    """Return terms that a change alters, and rules that newly prevail or are defeated; `only` has the keys to compare.

    Parameters
    ----------
    cases : ReviewCases
        Cases of this review.
    only : iterable of str, optional
        The terms to be asked for; all of them where it is not given.

    Returns
    -------
    tuple of (tuple of ChangedTerm, tuple of RuleMeeting)
        The terms whose value changes, and the rules that prevail or are defeated where they did not before.
    """
    turned = []
    met = []
    keys = cases.before.law.vocabulary.keys
    for key, touched in cases.can_answer_differ(keys if only is None else only).items():
        if not touched and not cases.opens:
            continue
        every = cases.cases_of_term(key)
        looked = [case for case in every if touched or case.is_about_changed_rule]
        asked = [(case, _ask_term(case.before, key, case), _ask_term(case.after, key, case)) for case in looked]
        for how, group in group_pairs(
            (_difference_key(old, new), (case, old, new)) for case, old, new in asked
        ).items():
            if how is not None:
                _, old, new = group[0]
                where = cases_in_words([case for case, _, _ in group], every)
                same, varies = have_same_value(old, new), len({short_answer(now) for _, _, now in group}) > 1
                turned.append(ChangedTerm(key, keys[key].meaning, where, old, new, recast=same, varies=varies))
        meetings = group_pairs(
            (new_meeting, case) for case, old, new in asked for new_meeting in _newly_prevailing_rules(old, new)
        )
        for (rule, prevails, others, reason), some in meetings.items():
            met.append(RuleMeeting(rule, key, cases_in_words(some, every), prevails, others, reason))
    return tuple(turned), tuple(met)


def _ask_term(state: State, key: str, case: ComparedCase) -> Finding:
    """Return what the law says on a term in a case; for an action that no rule mentions, by its default."""
    finding = state.find(key, **case.env)
    act = state.law.vocabulary.actions.get(key.removeprefix("may.")) if key.startswith("may.") else None
    if finding.outcome != "silent" or act is None:
        return finding
    if not act.otherwise:  # rules bring it about, and so allow it, unless it takes a rule that does
        return replace(finding, value=not act.takes_leave, outcome="decided")
    general = state.find(act.otherwise)
    if not general.answered:
        return general
    return replace(general, key=key, value=not is_surely_forbidden(general))


def _newly_prevailing_rules(old: Finding, new: Finding) -> Iterable[tuple[Number, bool, tuple[Number, ...], str]]:
    """Yield rules that newly prevail or are defeated: number, True if it prevails, numbers of other rules, reason."""
    if not new.sources or not (new.answered or new.outcome == "depends"):
        return
    led = {source.rule.id for source in old.sources}
    lost = {defeated.source.rule.id for defeated in old.defeated}
    leads = {source.rule.id: source.rule.number for source in new.sources}
    loses = {defeated.source.rule.id: (defeated.source.rule.number, defeated.reason) for defeated in new.defeated}
    beaten = tuple(number for id, (number, _) in loses.items() if id not in leads)
    for id, number in leads.items():
        if id not in led and (beaten or id in lost):
            yield number, True, beaten, ""
    for id, (number, reason) in loses.items():
        if id not in leads and id not in lost:
            yield number, False, tuple(leads.values()), reason


@frozen
class SupposedClause:
    """A clause, and the law as it would be if the parts of its condition that depend on play were true.

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
    def condition_text(self) -> str:
        """The condition of the clause as written; empty without one."""
        condition = self.clause.written_condition
        return condition.text.strip() if condition is not None else ""


def suppose_conditions_met(state: State, new: Rule, old: Rule | None) -> Iterator[SupposedClause]:
    """Yield the conditional clauses new in a rule, each with a state in which its condition is met."""
    for clause in new.clauses:
        if not isinstance(clause, SetClause) or clause.condition is None or is_unconditional(clause):
            continue
        if old is not None and clause in old.clauses:
            continue
        parts, law = clause.condition.node.conjuncts, state.law
        kept = [
            node
            for node in parts
            if not law.dependence.condition_varies(  # with the course of play, or the wording of a change
                law.language.expression(node.canonical), UNCHANGING_FIELDS, law.vocabulary.words_reading_wording
            )
        ]
        if len(kept) < len(parts):
            rest = " and ".join(f"({node.canonical})" for node in kept)
            if not rest and state.law.precedence.is_plain_ban(SourceClause(new, clause)):
                rest = "true"  # a limit is one still
            loose = replace(clause, condition=state.law.language.expression(rest) if rest else None)
            yield SupposedClause(new, clause, _state_with_clause_replaced(state, new, clause, loose))


def _state_with_clause_replaced(state: State, rule: Rule, clause: SetClause, new: SetClause) -> State:
    """Return the state with one clause of a rule in force replaced by another."""
    parts = tuple(
        replace(part, lines=tuple(line._replace(clause=new) if line.clause is clause else line for line in part.lines))
        for part in rule.parts
    )
    book = state.rules.with_rule(replace(rule, parts=parts))
    return state.replace(rules=book, law=Law(book, state.law.order, state.law.language))


def changes_when_conditions_met(
    cases: ReviewCases, changed_terms: tuple[ChangedTerm, ...], supposed_clauses: tuple[SupposedClause, ...]
) -> tuple[list[ChangedTerm], list[RuleMeeting]]:
    """Return more terms that change, and rules that newly prevail or lose, once clauses' conditions are met."""
    known = {source.clause.words for changed in changed_terms for source in changed.new.sources}
    changeds = []
    met = []
    for supposed in supposed_clauses:
        if supposed.clause.words in known:
            continue
        then, meets = compare_terms(
            ReviewCases(cases.before, supposed.state, cases.player, cases.changed), [supposed.clause.key]
        )
        changeds += [replace(each, case=_case_with_condition(each.case, supposed)) for each in then if not each.recast]
        met += [replace(each, case=_case_with_condition(each.case, supposed)) for each in meets]
    return changeds, met


def _case_with_condition(case: str, supposed: SupposedClause) -> str:
    """Return the phrase for a case, with “if” and the condition of a supposed clause added."""
    return f"{case}, if {supposed.condition_text}" if case else f"if {supposed.condition_text}"


def unreachable_value_warnings(cases: ReviewCases, clauses: Iterable[Clause]) -> Iterator[Message]:
    """Yield messages on the branches of clauses' if-else values that other rules always defeat."""
    for clause in clauses:
        if type(clause) is SetClause and clause.value.node.parts_of_choice and OTHERWISE not in clause.value.names:
            yield from _unreachable_clause_values(cases, clause)


def _unreachable_clause_values(cases: ReviewCases, clause: SetClause) -> Iterator[Message]:
    """Yield messages on the branches of one clause's if-else value that other rules always defeat."""
    law = cases.after.law
    reached = set()
    lost: dict[str, tuple[str, object]] = {}
    for case in cases.cases_of_term(clause.key):
        finding = case.after.find(clause.key, **case.env)
        try:
            node, why = _chosen_value(clause.value.node, View(case.after, case.env, law), law)
        except Undecided:
            return
        sentence = node.canonical
        if any(source.clause is clause for source in finding.sources):
            reached.add(sentence)
        elif finding.answered and why:
            lost.setdefault(sentence, (why, finding.rule))
    for sentence, (why, rule) in lost.items():
        if reached and sentence not in reached:
            yield say(
                "value-unreached", "“{value}” is never used: if {when}, rule {rule} decides {clause.key}",
                value=sentence, when=why, rule=rule, clause=clause,
            )  # fmt: skip


def _chosen_value(node: Node, view: View, law: Law) -> tuple[Node, str]:
    """Return the branch of an if-else value that applies, and the branch's condition as text (empty for the last)."""
    while node.parts_of_choice:
        value, condition, other = node.parts_of_choice
        if compile_with_memo(condition, law.vocabulary)(view) is True:
            return value, condition.canonical
        node = other
    return node, ""
