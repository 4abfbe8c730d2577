"""Changes that rules make by themselves, rules that they suspend or guarantee, and what any change does to the law."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.new_book import ChangeContext, book_after_change
from nomic_nb.engine.law.nodes import Expression, Undecided
from nomic_nb.engine.law.rules import EVERYWHERE_SCOPE, Rule
from nomic_nb.engine.law.slots import SingleSlot, SomeSlot, WordSlot
from nomic_nb.engine.law.values import NUMBER, ThingRef, Type
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.adoptability import SUPPOSED_CASE, suppose_proposed
from nomic_nb.engine.play.agenda_items import Deadline
from nomic_nb.engine.play.book_in_play import may_be_voided, update_void_rules, with_book
from nomic_nb.engine.play.deadlines import FREED_UNIT
from nomic_nb.engine.play.declarations import declare_event, effect
from nomic_nb.engine.play.effects import CHANGED_MESSAGE, record_prevention, targeted_rules
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, value_from_data
from nomic_nb.engine.play.lawmaking import EnactedPart, apply_changes_to_law
from nomic_nb.engine.play.proposals import change_of_event, with_proposal
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import RULE, RULE_CASE, Proposal
from nomic_nb.engine.play.vote_rules import TARGET_IS_FREED


def _describe_rule_change(event: Event, did: str) -> str:
    """Return the history sentence for a changed rule; `did` is a participle such as “repealed”."""
    data = event.data
    change = change_of_event(event)
    whose = "" if event.actor is None else f" ({event.actor}’s proposal)"
    there = f" for {change.universe}" if change.universe else ""
    if change.kind == "enact":
        rule = f"rule {data['new']}, “{change.title}”"
        by = f"{event.actor}’s proposal {data['number']} becomes {rule}"
        return f"{by if whose and data['number'] else f'{rule}, is enacted'}{there}"
    old, new = data["old"], data["new"]
    moved = f" and is now rule {new}" if new is not None and new != old else ""
    what = f"rule {old}" if change.part is None else f"amendment {change.part} of rule {old}"
    return f"{what} is {did}{there}{moved}{whose}"


@declare_event(
    "enacted", "a rule is enacted", RULE_CASE, told=lambda e: _describe_rule_change(e, "enacted"), traits="timed"
)
@declare_event(
    "amended",
    "a rule, or one of its amendments, is amended",
    RULE_CASE,
    told=lambda e: _describe_rule_change(e, "amended" if e.data["number"] is not None else "amended automatically"),
)
@declare_event(
    "repealed",
    "a rule is repealed; only for `board`, if it was for one universe",
    RULE_CASE,
    may_bind={"board": Type("board")},
    told=lambda e: _describe_rule_change(e, "repealed"),
    traits="timed",
)
@declare_event(
    "transmuted",
    "a rule moves to another tier",
    RULE_CASE,
    told=lambda e: _describe_rule_change(e, f"transmuted to {e.data['tier']}"),
)
def _apply_rule_change(state: State, event: Event) -> State:
    """Return the state after a rule was enacted, amended, repealed or transmuted."""
    data = event.data
    change = change_of_event(event)
    lines = state.law.language.read_clauses(change.law)
    by = state.rules.rules.get(event.cause.id) if event.cause is not None else None
    making = value_from_data(
        data, ChangeContext, event=event.seq, turn=state.turn, author=event.actor, circuit=state.circuit,
        maker=by.maker if by is not None else None,
    )  # fmt: skip
    book, _ = book_after_change(state.rules, change, lines, making)
    proposal = state.proposals.get(data["number"])
    if proposal is not None and proposal.status == "waiting":
        state = with_proposal(state, replace(proposal, status="adopted", due=""))
    return with_book(state, book)


DRAFT_SLOT = WordSlot("draft called", lambda checker: sorted(checker.drafts), "a draft clause in the same rule")


@effect(
    "repeal {rule}",
    example="repeal this",
    makes="repealed",
    rule=SomeSlot(RULE, "what is repealed is a rule, or several"),
)
def _repeal(engine: Engine, effect: Any) -> None:
    """Automatically repeal a rule, or those of several that can be; a rule that repeals itself waits until it can."""
    for rule in targeted_rules(engine, effect.rule):
        if _why_must_wait(engine, rule) is None:
            apply_automatic_change(engine, Change("repeal", rule.number))
        elif not any(postponed.due == _deadline_when_freed(rule) for postponed in engine.state.later):
            engine.emit("ends_when_freed", rule=rule.id, number=rule.number)
            engine.postpone(_deadline_when_freed(rule), effect)


declare_event("ends_when_freed", told="rule {number} ends as soon as it can be overridden")


def _deadline_when_freed(rule: Rule) -> Deadline:
    """Return the deadline that falls due once the effect “guard” no longer guarantees that a rule stands."""
    return Deadline(FREED_UNIT, rule.id)


def _why_must_wait(engine: Engine, rule: Rule) -> Finding | None:
    """Return the finding that makes a guaranteed rule wait before it repeals itself; None if it need not wait."""
    if engine.cause is None or engine.cause.id != rule.id or not rule.guarded:
        return None
    finding = engine.law.find(
        "change.effective", suppose_proposed(engine.state, Change("repeal", rule.number), ""), SUPPOSED_CASE
    )
    return finding if engine.law.value_or_undecided(finding) == TARGET_IS_FREED else None


@effect(
    "repeal amendment {part} of {rule}",
    aloud="repeal amendment {part} of {rule}",
    example="repeal amendment 1 of this",
    makes="amended",
    part=SingleSlot(NUMBER, "the number of an amendment"),
    rule=SingleSlot(RULE, "the rule that it amends"),
)
def _repeal_amendment(engine: Engine, effect: Any) -> None:
    """Automatically repeal an amendment of a rule, as if the amendment had not been made."""
    part = engine.evaluate(effect.part)
    for rule in targeted_rules(engine, effect.rule):
        if part in rule.amendments and not rule.amendments[part].repealed:
            apply_automatic_change(engine, Change("repeal", rule.number, part=part))


@effect(
    "transmute {rule}",
    example="transmute this",
    makes="transmuted",
    rule=SingleSlot(RULE, CHANGED_MESSAGE),
    traits="making",
)
def _transmute(engine: Engine, effect: Any) -> None:
    """Automatically move a rule to the other tier."""
    for rule in targeted_rules(engine, effect.rule):  # or it is gone already, and with it what was to be done to it
        apply_automatic_change(engine, Change("transmute", rule.number))


def _find_automatic_permission(engine: Engine, change: Change) -> Finding:
    """Return the law's finding on whether the rule being carried out may make a change by itself."""
    case = {**SUPPOSED_CASE, **({"rule": ThingRef("rule", engine.cause.id)} if engine.cause else {})}
    return engine.law.find("change.automatic", suppose_proposed(engine.state, change, ""), case)


def apply_automatic_change(engine: Engine, change: Change) -> None:
    """Make a change for the rule being carried out, without giving it a number; or record that the law forbids it."""
    finding = _find_automatic_permission(engine, change)
    if engine.law.value_or_undecided(finding) is not True:
        note = f"rule {finding.rule} does not let rules do this by themselves"
        engine.emit("without_effect", number=None, note=note, change=change.to_json())
        return
    trial = suppose_proposed(engine.state, change, "")
    apply_changes_to_law(engine, [EnactedPart(change, None, trial)], None, SUPPOSED_CASE, takes_number=False)


def _find_draft(engine: Engine, name: str) -> c.DraftClause:
    """Return the draft with a name in the rule being carried out; raise `Undecided` if it has none."""
    rule = engine.law.book.rules.get(engine.cause.id) if engine.cause else None
    parts = [[line.clause for line in part.lines] for part in rule.parts_in_force] if rule else []
    # An amendment beside others speaks of its own drafts first.
    for part in sorted(parts, key=lambda clauses: engine.item.clause not in clauses):
        for clause in part:
            if isinstance(clause, c.DraftClause) and clause.name == name:
                return clause
    raise Undecided(say("draft-missing", "the rule has no draft called {name}", name=name))


@effect(
    "amend {rule} by {draft}",
    aloud="amend {rule} by the draft {draft}",
    example="amend this by soon",
    makes="amended",
    rule=SingleSlot(RULE, "what is amended"),
    draft=DRAFT_SLOT,
    traits="making",
)
def _amend(engine: Engine, effect: Any) -> None:
    """Automatically change a rule to what a draft says."""
    for rule in targeted_rules(engine, effect.rule):
        draft = _find_draft(engine, effect.draft)
        if (rule.wording, rule.law) != (draft.wording, draft.law):  # or it says that already
            apply_automatic_change(engine, Change("amend", rule.number, draft.wording, draft.law))


@effect(
    "enact {draft}",
    aloud="enact the draft {draft}",
    example="enact soon",
    makes="enacted",
    draft=DRAFT_SLOT,
    traits="making",
)
def _enact(engine: Engine, effect: Any) -> None:
    """Automatically make a draft a rule."""
    draft, scope = _find_draft(engine, effect.draft), engine.item.scope
    there = "" if scope == EVERYWHERE_SCOPE else scope
    apply_automatic_change(engine, Change("enact", None, draft.wording, draft.law, draft.title, universe=there))


def _first_targeted_rule(engine: Engine, expression: Expression) -> Rule | None:
    """Return the first rule in force to which an expression in an effect refers; None if there is none."""
    return next(targeted_rules(engine, expression), None)


@effect(
    "void {rule} against {against}",
    aloud="find {rule} void, because it contradicts {against}",
    example="void this against rule_numbered(101)",
    makes="voided",
    ordered_by="Judge",
    rule=SingleSlot(RULE, "what is void"),
    against=SingleSlot(RULE, "what it contradicts"),
)
def _void(engine: Engine, effect: Any) -> None:
    """Declare that a rule contradicts a stronger one."""
    rule, against = _first_targeted_rule(engine, effect.rule), _first_targeted_rule(engine, effect.against)
    if rule is None or against is None:
        return
    if not may_be_voided(engine.state, rule, against):
        record_prevention(engine, effect, engine.find("precedence.void").rule)
    elif rule.id not in engine.state.rules.void:
        engine.emit(
            "voided", changed=rule.id, rule=rule.id, against=against.id, key="",
            judged=True, numbers=[rule.number, against.number],
        )  # fmt: skip


@effect(
    "revive {rule}", example="revive this", makes="revived", ordered_by="Judge", rule=SingleSlot(RULE, CHANGED_MESSAGE)
)
def _revive(engine: Engine, effect: Any) -> None:
    """Restore a rule that is suspended or that a Judge found void."""
    rule = _first_targeted_rule(engine, effect.rule)
    why = engine.state.rules.void.get(rule.id) if rule is not None else None
    if rule is None or why is None or (why.version is None and not why.is_suspended):
        return
    if why.is_suspended and not _may_suspend_or_revive(engine, effect, rule):
        return
    engine.emit("revived", data={"suspended": why.is_suspended}, rule=rule.id, number=rule.number)
    update_void_rules(engine)


@effect(
    "void {rule}",
    aloud="suspend {rule} until it is revived",
    example="void this",
    makes="suspended",
    rule=SingleSlot(RULE, "what is suspended"),
)
def _suspend(engine: Engine, effect: Any) -> None:
    """Suspend a rule until it is revived, if the acting rule would be allowed to repeal it automatically."""
    rule = _first_targeted_rule(engine, effect.rule)
    if rule is not None and rule.id not in engine.state.rules.void and _may_suspend_or_revive(engine, effect, rule):
        engine.emit("suspended", changed=rule.id, rule=rule.id, number=rule.number)
        update_void_rules(engine)


def _may_suspend_or_revive(engine: Engine, effect: Any, rule: Rule) -> bool:
    """Tell whether the rule being carried out may suspend or revive `rule`; if not, record that it was prevented."""
    if "judgment" in engine.item.env:
        return True
    if engine.cause is not None and engine.cause.id == rule.id:  # a rule may be silent about what it says itself
        stands = _why_must_wait(engine, rule)
        if stands is not None:
            record_prevention(engine, effect, stands.rule)
        return stands is None
    finding = _find_automatic_permission(engine, Change("repeal", rule.number))
    may = engine.law.value_or_undecided(finding) is True
    if not may:
        record_prevention(engine, effect, finding.rule)
    return may


declare_event("guarded", "a rule becomes guaranteed", RULE_CASE, told="rule {number} is guaranteed for now")(
    lambda state, event: _with_guarantee(state, event.data["rule"], guarded=True)
)


declare_event("freed", "a rule is no longer guaranteed", RULE_CASE, told="rule {number} is no longer guaranteed")(
    lambda state, event: _with_guarantee(state, event.data["rule"], guarded=False)
)


def _with_guarantee(state: State, id: int, *, guarded: bool) -> State:
    """Return the state in which rule `id` is guaranteed to stand (`guarded`) or no longer is."""
    rules = state.rules
    marked = replace(rules.rules[id], guarded=guarded)
    return with_book(state, replace(rules, rules={**rules.rules, id: marked}, version=rules.version + 1))


@effect(
    "guard {rules}",
    aloud="guarantee that {rules} stands",
    example="guard this",
    makes="guarded",
    rules=SomeSlot(RULE, "rules are needed here"),
)
def guard(engine: Engine, effect: Any) -> None:
    """Guarantee rules: no later rule takes precedence over them until they are freed, if precedence.by says so."""
    for rule in targeted_rules(engine, effect.rules):
        if not rule.guarded:
            engine.emit("guarded", rule=rule.id, number=rule.number)


@effect(
    "free {rules}",
    aloud="end the guarantee that {rules} stands",
    example="free this",
    makes="freed",
    rules=SomeSlot(RULE, "rules are needed here"),
)
def free(engine: Engine, effect: Any) -> None:
    """End the guarantee of rules; whatever was waiting for that takes effect."""
    for rule in targeted_rules(engine, effect.rules):
        if not rule.guarded:
            continue
        engine.emit("freed", rule=rule.id, number=rule.number)
        state = engine.state
        for proposal in map(state.proposals.__getitem__, state.unsettled):
            if (
                proposal.status == "waiting"
                and proposal.due == TARGET_IS_FREED
                and not _is_held_by_guard(state, proposal)
            ):
                engine.schedule("put in force", **proposal.law_case)


def _is_held_by_guard(state: State, proposal: Proposal) -> bool:
    """Tell whether a target rule of a proposal is still guaranteed to stand, so that the proposal has to wait."""
    rules = state.rules.by_number
    return any(
        rules[target].guarded for target in proposal.change.target_numbers if target is not None and target in rules
    )
