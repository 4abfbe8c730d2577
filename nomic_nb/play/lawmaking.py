"""How a change comes to be law: tried on a copy, checked, then applied whole or not at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

from nomic_nb.errors import LawError
from nomic_nb.law.changes import LONGEST_TITLE, LONGEST_WORDING, Change
from nomic_nb.law.clauses import Require, Set, Track
from nomic_nb.law.findings import Finding
from nomic_nb.law.language import Line
from nomic_nb.law.making import Making, find_target, find_targets, make
from nomic_nb.law.precedence import CRITERIA
from nomic_nb.law.resolver import Law
from nomic_nb.law.rules import Number, Rule, Source
from nomic_nb.law.tables import tracks
from nomic_nb.law.values import TEXT, TRUTH, Ref, Value, maybe
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import Key
from nomic_nb.play.book import digests, with_book
from nomic_nb.play.cases import RULE, TEXTS, VOTE
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Cause
from nomic_nb.play.offering import check_offers
from nomic_nb.play.points import start_tables
from nomic_nb.play.scopes import check_scope
from nomic_nb.play.state import State
from nomic_nb.play.tables import started_twice, starts, with_start, with_what_is_tracked
from nomic_nb.play.values import Proposal
from nomic_nb.play.voiding import review_void

#: The event that each kind of change makes.
MAKES = {"enact": "enacted", "amend": "amended", "repeal": "repealed", "transmute": "transmuted"}


def check_change(state: State, change: Change, tier: str = "") -> None:
    """Read a change before anyone votes on it: it parses, it types, its target is there.

    Raises
    ------
    LawError
        A clause cannot be read; line and column are those of the change's law.
    LookupError
        There is no such rule or amendment.
    """
    law = state.law
    lines = law.language.read(change.law or "")
    _known_tiers(law, lines)
    book, _ = make(law.book, change, lines, Making(None, 0, 0, None, tier, takes_number=False))
    law.language.check(lines, tracks(clause for rule in book for clause in rule.clauses))
    check_scope(state, change, lines)
    check_offers(book)
    torn = started_twice(clause for rule in book for clause in rule.clauses if isinstance(clause, Track))
    if torn:
        raise LawError(torn, expected="another counter, or the same start")


def _known_tiers(law: Law, lines: tuple[Line, ...]) -> None:
    """Refuse a tier that the law does not know: no rule of it, no rank for it."""
    known = {*law.order.tiers, *(rule.tier for rule in law.book)}
    for line in lines:
        clause = line.clause
        key = law.vocabulary.keys.get(clause.key) if isinstance(clause, Set) else None
        if key is None or not key.tiers or not isinstance(clause, Set):
            continue
        for node in clause.value.walk():
            if node.kind == "constant" and isinstance(node.value, str) and node.value not in known:
                said = f"the law knows no rules that are {node.value}"
                raise LawError(said, line=line.line, found=repr(node.value), expected=", ".join(sorted(known)))


def _tier(engine: Engine, change: Change, asked: State, case: dict[str, Value]) -> str:
    if change.kind in ("enact", "transmute"):
        return str(engine.law.answer(f"{change.kind}.tier", asked, case))
    return ""


def broken_requirement(engine: Engine, state: State, asked: State, case: dict[str, Value]) -> Source | None:
    """Return the first requirement that a law does not meet, judged by that law itself (114, 115, 209).

    Parameters
    ----------
    engine : Engine
        Asks the table's ruling where a requirement is undecided.
    state : State
        As it would be under the changed law.
    asked, case
        The state in which the change is proposed, and the proposal.

    Raises
    ------
    Undecided
        Where a requirement gives no answer and nobody has settled it.
    """
    for source in state.law.requirements:
        view = View(state, {"this": Ref("rule", source.rule.id)}, state.law)
        try:
            view.check_left_out()
            met = cast(Require, source.clause).condition.run(view)
        except Undecided as doubt:
            finding: Finding = engine.law.find("change.stands", asked, case)
            if not finding.answered:
                why = f"whether rule {source.rule.number} is kept to is open, because {doubt.reason}"
                raise Undecided(why, finding) from None
            met = finding.value
        if met is not True:
            return source
    return None


def put_in_force(engine: Engine, proposal: Proposal) -> None:
    """Let an adopted change take effect, or record why it has none."""
    takes = engine.read("rule.takes_number", **proposal.case) is True
    try:
        _same_rule(engine.state, proposal)
        was, case = engine.state.rules.rules, proposal.case
        targets = find_targets(engine.state.rules, proposal.change)
        for one in proposal.change.each:
            enforce(engine, one, proposal.number, proposal.proponent, engine.state, case, takes_number=takes)
        gone = [rule for rule in targets if engine.state.rules.rules.get(rule.id) is not was[rule.id]]
        leaves = proposal.change.kind == "repeal" and engine.law.find("repeal.leaves", engine.state, case).value is True
        if gone and leaves:
            notice = _notice(proposal.change, gone)
            enforce(engine, notice, proposal.number, proposal.proponent, engine.state, case, takes_number=takes)
    except LookupError as error:
        engine.emit("without_effect", proposal.proponent, number=proposal.number, note=str(error))


def _notice(change: Change, gone: Sequence[Rule]) -> Change:
    """Return the rule that a repeal leaves: it says that other rules hold no more."""
    which = " and ".join(f"rule {rule.number} “{rule.title}”" for rule in gone)
    there = f" for {change.universe}" if change.universe else ""
    said = f"{which[0].upper()}{which[1:]} {'is' if len(gone) == 1 else 'are'} repealed{there}."
    title = f"Repeal of {', '.join(str(rule.number) for rule in gone)}"
    return Change("enact", None, said[:LONGEST_WORDING], title=title[:LONGEST_TITLE], universe=change.universe)


def _rule_label(engine: Engine, state: State, change: Change, case: dict[str, Value]) -> str:
    """Return what a new rule is called in place of the number of its proposal; empty where it takes that."""
    finding = engine.law.find("rule.label", state, case)
    if change.kind != "enact" or finding.outcome == "silent":
        return ""
    label = engine.law.settled(finding)
    book = state.rules
    if label in {old.number for one in (*book, *book.repealed) for old in one.history}:
        doubt = Finding("rule.label", label, "undecided", finding.sources)
        raise Undecided(f"{label} is taken, and each label is given once", doubt)
    return "" if label is None else str(label)


def _same_rule(state: State, proposal: Proposal) -> None:
    """Complain where a change would reach another rule than was voted on, or one that stands otherwise (106)."""
    if proposal.aim is None:
        return
    (id, tier), rule = proposal.aim, find_target(state.rules, proposal.change)
    if rule.id != id:
        raise LookupError(f"rule {rule.number} is another rule than the one it was proposed for")
    if rule.tier != tier:
        raise LookupError(f"rule {rule.number} is {rule.tier} now; when this was proposed, it was {tier}")


def enforce(
    engine: Engine, change: Change, number: Number | None, author: str | None, asked: State, case: dict[str, Value],
    *, takes_number: bool,
) -> None:  # fmt: skip
    """Try a change on a copy, check it against the law that it makes, and apply it whole or not at all.

    Parameters
    ----------
    engine : Engine
        Where it takes effect.
    change : Change
        What is to be done.
    number, author
        The proposal and its proponent; None for an automatic change.
    asked : State
        The state in which the law is asked about the change: one in which it is proposed.
    case : dict
        The proposal, in that state.
    takes_number : bool
        Whether the rule takes the proposal's number.

    Raises
    ------
    LookupError
        There is no such rule or amendment any more.
    """
    state = engine.state
    lines = state.law.language.read(change.law or "")
    tier = _tier(engine, change, asked, case)
    label = _rule_label(engine, state, change, case) if number is not None else ""
    making = Making(number, state.seq + 1, state.turn, author, tier, takes_number, state.circuit, label)
    book, rule = make(state.rules, change, lines, making)
    trial = with_what_is_tracked(with_book(state, book))
    try:
        for begun in starts(trial):
            trial = with_start(trial, begun)
    except Undecided as doubt:
        engine.emit("without_effect", author, number=number, note=doubt.reason, change=change.to_json())
        return
    broken = broken_requirement(engine, trial, asked, case)
    if broken is not None:
        note = f"rule {broken.rule.number} does not allow it: {broken.clause.words}"
        kept, engine.cause = engine.cause, Cause.of(broken)
        engine.emit("without_effect", author, number=number, note=note, change=change.to_json())
        engine.cause = kept
        return
    old, new = (digests(one.rules, state.law.language) for one in (state, trial))
    brings = {name: digest for name, digest in new.items() if name not in old}
    engine.emit(
        MAKES[change.kind], author, changed=rule.id, number=number,
        heard_as="" if change.part is None else "amended",
        data={**({"brings": brings} if brings else {}), **({"label": label} if label else {})},
        change=change.to_json(), tier=tier, takes_number=takes_number, rule=rule.id,
        old=_old_number(rule), new=None if change.kind == "repeal" and change.part is None else rule.number,
    )  # fmt: skip
    start_tables(engine)
    review_void(engine)
    _flag_stale(engine)


def _flag_stale(engine: Engine) -> None:
    """Flag the open proposals whose target is gone, or has another number now."""
    for proposal in engine.state.open_proposals:
        if proposal.note:
            continue
        try:
            make(engine.state.rules, proposal.change, (), Making(None, 0, 0, None))
        except LookupError as error:
            engine.emit("stale", proposal.proponent, number=proposal.number, note=str(error.args[0]))
            engine.schedule("settle stale", **proposal.case)


def _old_number(rule: Rule) -> Number | None:
    return rule.before.number if rule.before else None


def not_a_label(value: Value) -> str:
    """Say why a value is no label; empty where it is one."""
    fits = value is None or re.fullmatch(r"[A-Z][A-Za-z0-9_]{0,20}(\.[0-9]{1,6}){0,2}", str(value))
    return "" if fits else "a label is a capital letter, letters and digits, and up to two numbers after dots: P2.5"


KEYS = (
    Key("repeal.leaves", TRUTH, "whether a repeal leaves a rule of its own, which has its number and can be repealed; "
        "where no rule says so, it leaves nothing", "when a repeal takes effect", VOTE),
    Key("rule.label", maybe(TEXT), "what a new rule is called in place of the number of its proposal",
        "when a rule is enacted that was proposed", VOTE, misfit=not_a_label),
    Key("rule.takes_number", TRUTH, "whether a changed rule takes the number of the proposal",
        "when a change takes effect", VOTE, needed=True),
    Key("enact.tier", TEXT, "the standing of a new rule", "when a rule is enacted", VOTE, tiers=True, needed=True),
    Key("transmute.tier", TEXT, "the standing of a rule once it is transmuted", "when a rule is transmuted", VOTE,
        tiers=True, needed=True),
    Key("change.effective", TEXT, "when an adopted change takes effect", "when a proposal is adopted", VOTE,
        ("vote closed", "turn ended", "circuit ended", "target is freed"), needed=True),
    Key("change.automatic", TRUTH, "whether a rule, named `rule`, may make this change by itself, without a vote",
        "when a rule makes a change", {**VOTE, "rule": RULE}),
    Key("change.stands", TRUTH, "whether a change stands whose effect on a requirement is in doubt",
        "when a requirement is undecided", VOTE),
    Key("precedence.tiers", TEXTS, "the tiers of rules, the strongest first", "whenever rules meet", tiers=True),
    Key("precedence.by", TEXTS, "what decides between rules of one tier, first things first",
        "whenever rules meet", values=("claims", *CRITERIA)),
    Key("precedence.void", TEXTS, "the tiers whose rules are void where they contradict a stronger one in every case",
        "when the rules have changed", tiers=True),
)  # fmt: skip
