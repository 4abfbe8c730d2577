"""How a change comes to be law: tried on a copy, checked, then applied whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, cast

from nomic_nb.engine.errors import LawError
from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.changes import LONGEST_TITLE, LONGEST_WORDING, Change, apply_revision, with_part_number
from nomic_nb.engine.law.clauses import Clause, Effect, RequireClause, SetClause, TrackClause
from nomic_nb.engine.law.confusables import spoken_form
from nomic_nb.engine.law.language import Line
from nomic_nb.engine.law.new_book import ChangeContext, book_after_change, find_target, find_targets
from nomic_nb.engine.law.nodes import Expression, Node, Undecided, View
from nomic_nb.engine.law.precedence import CRITERIA
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import OTHERWISE, Number, Rule, RuleBook, SourceClause
from nomic_nb.engine.law.tables import TableShape, table_shapes
from nomic_nb.engine.law.values import TEXT, TRUTH, CaseNames, HeardText, ThingRef, optional_type, text_type
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import SUPPOSED_CASE, SUPPOSED_LABEL, states_proposing_parts
from nomic_nb.engine.play.book_in_play import ruleset_digests, update_void_rules, with_book
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Cause
from nomic_nb.engine.play.ledger import start_tables
from nomic_nb.engine.play.numbering import label_by_law, label_misfit
from nomic_nb.engine.play.offers import check_offers
from nomic_nb.engine.play.permissions import is_permitted, unknown_proposal_message
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.tables import (
    conflicting_starts_message,
    rename_table,
    table_starts,
    with_table_started,
    with_untracked_tables_ended,
)
from nomic_nb.engine.play.turns import drop_postponed_effects
from nomic_nb.engine.play.values import BALLOT_WORDS, BALLOTS, RULE, TEXTS, VOTE_CASE, Proposal
from nomic_nb.engine.play.vote_rules import TARGET_IS_FREED, WHEN_READY, states_for_parts

# ------------------------------------------------------------------------ rules that would have no effect anywhere


NEVER_TRUE = say("never-so", "this is never true")


class IdleReason(NamedTuple):
    """Why a clause does nothing: what is so, the words at fault, and what would be right."""

    said: Message
    found: str
    expected: str


def check_has_effect(state: State, book: RuleBook, lines: tuple[Line, ...]) -> None:
    """Raise `LawError` if none of the clauses (`lines`) of a rule can ever have an effect.

    Which rule goes before which matters only where it says something.

    Parameters
    ----------
    state : State
        As it stands.
    book : RuleBook
        The rules that there would be.
    lines : tuple of Line
        The clauses of one of them.

    Raises
    ------
    LawError
        With the first of them.
    """
    idle_lines = []
    for line in lines:
        if not isinstance(line.clause, c.ClaimClause):
            why = _why_idle(state, book, line.clause)
            if why is None:
                return
            idle_lines.append((line, why))
    if idle_lines:
        line, why = idle_lines[0]
        raise LawError(
            why.said.embed_in("{message}, so the rule would have no effect anywhere"),
            line=line.line, found=repr(why.found),
            expected=f"{why.expected}, or no clauses",
        )  # fmt: skip


def _why_idle(state: State, book: RuleBook, clause: c.Clause) -> IdleReason | None:
    """Return why a clause can never have an effect under the law and a rule book; None if it can."""
    law = state.law
    if isinstance(clause, c.RequireClause):
        wanted = clause.condition
        holds = IdleReason(say("always-so", "this is always true"), wanted.text, "something that can be true or false")
        return holds if certain_truth(law, wanted.node) is True else None
    condition = clause.written_condition
    if condition is not None and certain_truth(law, condition.node) is False:
        return IdleReason(NEVER_TRUE, condition.text, "a condition that can be true")
    if isinstance(clause, c.TriggerClause) and not isinstance(
        clause, c.InsteadClause
    ):  # to put nothing in place of something is much
        never = [_impossible_condition(law, effect) for effect in clause.effects]
        if all(never):
            return IdleReason(NEVER_TRUE, str(never[0]), "a condition that can be true")
    elif isinstance(clause, c.SetClause) and clause.value.node.name == OTHERWISE:
        return IdleReason(
            say("holds-anyway", "this value applies even without the clause"), clause.value.text, "another value"
        )
    idle: IdleReason | None = installed_extension().why_clause_is_idle(state, book, clause)
    return idle


def _impossible_condition(law: Law, effect: Effect) -> str:
    """Return the text of the never true condition that keeps an effect from being done; “” if none exists."""
    condition = getattr(effect, "condition", None)
    if isinstance(condition, Expression) and certain_truth(law, condition.node) is False:
        return condition.text
    inner = [_impossible_condition(law, one) for one in effect.inner]
    return inner[0] if inner and all(inner) else ""


def certain_truth(law: Law, node: Node) -> bool | None:
    """Return True if a condition holds in every case, False if in none, and None if it depends on the case."""
    if node.connective:
        decides = node.connective == "or"
        truths = [certain_truth(law, part) for part in node.parts]
        if node.connective == "not":
            return None if None in truths else not truths[0]
        return decides if decides in truths else None if None in truths else not decides
    expression = law.language.expression(node.canonical)
    try:
        return expression.run(View(None, {}, law)) is True if expression.constant else None
    except Undecided:
        return None


# ------------------------------------------------------------------------------------ how a change comes to be law


def revisable_proposal(state: State, change: Change) -> Proposal:
    """Return the proposal, in debate or under vote, that a change of the kind “revise” names.

    Raises
    ------
    LookupError
        There is none, or it is decided.
    """
    proposal = state.proposals.get(change.revises) if change.revises is not None else None
    if proposal is None:
        raise LookupError(unknown_proposal_message(change.revises))
    if proposal.status not in ("debate", "open"):
        raise LookupError(
            say(
                "proposal-decided",
                "proposal {proposal} can no longer be revised: its status is “{status}”",
                proposal=proposal.number,
                status=proposal.status,
            )
        )
    return proposal


def revised_change(state: State, change: Change) -> Change:
    """Return the change that an open proposal would make once a change of the kind “revise” has altered it.

    Raises
    ------
    LookupError
        There is no such proposal any more.
    LawError
        It has no text that could be another.
    """
    return apply_revision(revisable_proposal(state, change).change, change)


@contextmanager
def naming_failing_part(change: Change, part: int) -> Iterator[None]:
    """Run a block; if it raises an error about one of several parts of a change, add the part's number."""
    try:
        yield
    except LawError as error:
        raise (with_part_number(error, part) if change.parts else error) from None
    except LookupError as error:
        raise (
            LookupError(error.args[0].embed_in("part {part}: {message}", part=part)) if change.parts else error
        ) from None


#: When an adopted change can take effect, from the soonest on.
EFFECTIVE_TIMES = ("vote closed", "turn ended", "circuit ended", WHEN_READY, TARGET_IS_FREED)
#: The event that each kind of change makes.
EVENT_OF_CHANGE = {"enact": "enacted", "amend": "amended", "repeal": "repealed", "transmute": "transmuted"}
#: Events by which the law changes.
LAWMAKING_EVENTS = frozenset((*EVENT_OF_CHANGE.values(), "suspended", "voided", "revived"))


def record_proposal_event(engine: Engine, kind: str, proposal: Proposal, **more: Any) -> None:
    """Record an event of this kind about a proposal, with its proponent as the actor."""
    engine.emit(kind, proposal.proponent, number=proposal.number, **more)


def check_change(state: State, change: Change) -> None:
    """Raise an error if a change has clauses that cannot be read or adopted, or its target rule is missing.

    Raises
    ------
    LawError
        A clause cannot be read; line and column are those of the change's law.
    LookupError
        There is no such rule or amendment.
    """
    try:
        _check_readable(state, change)
    except LawError as error:
        if error.example and not _is_adoptable_example(state, error.example):
            error.example = next(
                (example_clause for example_clause in EXAMPLE_CLAUSES if _is_adoptable_example(state, example_clause)),
                "",
            )
        raise


#: Kinds of thing that there are on boards alone.
BOARD_TYPES = frozenset({"piece", "army", "board", "square", "move"})
#: What is shown where the clause that lies nearest could not be law in a game.
EXAMPLE_CLAUSES = ("on turn_ended: award 5 points to player", "set vote.quota to 2 while circuit > 2")


def _is_adoptable_example(state: State, example: str) -> bool:
    """Tell whether an example clause could be adopted in this game and, if it is about boards, the game has some."""
    try:
        _check_readable(state, Change("enact", None, "An example.", example))
    except (LawError, LookupError):
        return False
    lines = state.law.language.read_clauses(example)
    return state.position is not None or not any(_speaks_of_boards(state.law, line.clause) for line in lines)


def _speaks_of_boards(law: Law, clause: Clause) -> bool:
    """Tell whether a clause is about boards or what happens on them."""
    events, keys = law.vocabulary.events, law.vocabulary.keys
    named = [getattr(clause, "event", ""), *clause.events_made]
    cases = [events[event_name].binds for event_name in named if event_name in events]
    cases += [keys[clause.key].case] if isinstance(clause, SetClause) else []
    reads = (law.dependence.fields_of_expression(expression) for expression in clause.expressions)
    bound = any(kind.name in BOARD_TYPES for case in cases for kind in case.values())
    return bound or any("position" in fields for fields in reads)


def _check_readable(state: State, change: Change) -> None:
    """Raise an error if a change's clauses cannot be read, have no effect or do not fit the other rules."""
    if change.kind == "revise":
        _check_readable(state, revised_change(state, change))
        return
    if change.apart:  # each has to stand by itself
        for at, part in enumerate(change.parts, 1):
            with naming_failing_part(change, at):
                _check_readable(state, part)
        return
    law, book, read = state.law, state.law.book, []
    trial = ChangeContext(None, 0, 0, None, "", takes_number=False, label=SUPPOSED_LABEL)
    for at, part in enumerate(change.numbered_changes, 1):
        with naming_failing_part(change, at):
            lines = law.language.read_clauses(part.law)
            _check_tiers(law, lines)
            book, _ = book_after_change(book, part, lines, trial)
            read.append(lines)
    tracking = [cast(TrackClause, source.clause) for rule in book for source in rule.by_subject.get(TrackClause, ())]
    listing = [source.clause for rule in book for key in ("vote.choices",) for source in rule.by_subject.get(key, ())]
    ballots = (*BALLOTS, *(text for clause in listing for text in clause.constant_texts()))
    counters = {**table_shapes(tracking), BALLOT_WORDS: TableShape((), text_type(TEXT, ballots))}
    for at, (part, lines) in enumerate(zip(change.numbered_changes, read, strict=True), 1):
        with naming_failing_part(change, at):
            law.language.check_clauses(lines, counters)
            installed_extension().check_universe_of_change(state, part, lines)
            check_has_effect(state, book, lines)
    check_offers(book)
    _check_lookalike_texts(book, read)
    for lines in read:
        installed_extension().check_clauses_fit_game(state, lines)
    torn = conflicting_starts_message(tracking)
    if torn:
        raise LawError(torn, expected="another counter, or the same start")


def _check_lookalike_texts(book: RuleBook, new_lines: Sequence[tuple[Line, ...]]) -> None:
    """Raise `LawError` if new clauses quote a text that looks like a different text in the rule book."""
    new = {text: line for lines in new_lines for line in lines for text in line.clause.texts_shown_or_compared}
    if all(map(str.isascii, [*new, *[text for rule in book for text in rule.constant_texts]])):
        return
    seen = {spoken_form(text): text for text in new}
    for rule in book:
        for text in rule.constant_texts:
            other = seen.get(spoken_form(text), text)
            if HeardText(other).lower_case != HeardText(text).lower_case:
                message = say(
                    "text-looks-like",
                    "“{other}” looks just like “{text}” in rule {rule}, but they are different texts",
                    other=other,
                    text=text,
                    rule=rule.number,
                )
                raise new[other].error_for_line(message, f"“{text}”, or another word")


def _check_tiers(law: Law, lines: tuple[Line, ...]) -> None:
    """Raise `LawError` if clauses name a tier that no rule is in and that the law does not rank."""
    known = {*law.order.tiers, *[rule.tier for rule in law.book]} if lines else set()
    for line in lines:
        clause = line.clause
        key = law.vocabulary.keys.get(clause.key) if isinstance(clause, SetClause) else None
        nodes = clause.value.node.possible_constants if isinstance(clause, SetClause) and key and key.tiers else ()
        for tier in (node.value for node in nodes):
            if isinstance(tier, str) and tier not in known:
                raise LawError(
                    "tier-unknown",
                    "no rules in this game can be {tier}",
                    tier=tier,
                    line=line.line,
                    found=repr(tier),
                    expected=", ".join(sorted(known)),
                )


def find_broken_requirement(engine: Engine, state: State, asked: State, case: CaseNames) -> SourceClause | None:
    """Return the first clause whose requirement the changed law (in `state`) would break, or None.

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
        view = View(state, {"this": ThingRef("rule", source.rule.id)}, state.law)
        try:
            view.check_left_out()
            met = cast(RequireClause, source.clause).condition.run(view)
        except Undecided as doubt:
            finding = engine.law.find("change.stands", asked, case)
            if not finding.answered:
                raise Undecided(
                    "requirement-open",
                    "it’s not clear whether the requirement of rule {rule} is met, because {why}",
                    rule=source.rule.number,
                    why=doubt.reason,
                    finding=finding,
                ) from None
            met = finding.value
        if met is not True:
            return source
    return None


class EnactedPart(NamedTuple):
    """A change of one rule that takes effect: with its number, and the state in which the law is asked about it."""

    change: Change
    number: Number | None
    asked: State


def put_in_force(engine: Engine, proposal: Proposal) -> None:
    """Let the change of an adopted proposal take effect, or record why it has no effect."""
    if proposal.change.kind == "revise":
        _apply_motion(engine, proposal)
        return
    takes = engine.read("rule.takes_number", **proposal.law_case) is True
    case, parts = proposal.law_case, zip(proposal.numbered_parts, states_for_parts(engine.state, proposal), strict=True)
    enacted = [
        [EnactedPart(change, number, asked) for change in part.single_rule_changes] for (part, number), asked in parts
    ]
    try:
        _check_same_rules(engine.state, proposal)
        if proposal.change.parts:  # whole, or without effect whole
            all_parts = []
            for some in enacted:
                all_parts += some
                if _leaves_repeal_notice(engine, some[0].change, some[0].asked, case):
                    gone = [find_target(engine.state.rules, part.change) for part in some]
                    all_parts.append(some[0]._replace(change=_repeal_notice_change(some[0].change, gone)))
            apply_changes_to_law(
                engine, all_parts, proposal.proponent, case, takes_number=takes, renames=proposal.change.renames
            )
            return
        (some,) = enacted
        targets = find_targets(engine.state.rules, proposal.change)
        for enacted_part in some:
            apply_changes_to_law(
                engine, [enacted_part._replace(asked=engine.state)], proposal.proponent, case, takes_number=takes
            )
        gone = [rule for rule in targets if engine.state.rules.rules.get(rule.id) is not rule]
        if gone and _leaves_repeal_notice(engine, proposal.change, engine.state, case):
            notice = EnactedPart(_repeal_notice_change(proposal.change, gone), proposal.number, engine.state)
            apply_changes_to_law(engine, [notice], proposal.proponent, case, takes_number=takes)
    except LookupError as error:
        if type(error) is not LookupError:  # a fault of the kit, and no rule that is gone
            raise
        record_proposal_event(engine, "without_effect", proposal, note=str(error.args[0]))


def _leaves_repeal_notice(engine: Engine, change: Change, asked: State, case: CaseNames) -> bool:
    """Tell whether a change is a repeal and the law has a new rule enacted in its place as a notice."""
    return change.kind == "repeal" and engine.law.find("repeal.leaves", asked, case).value is True


def _apply_motion(engine: Engine, motion: Proposal) -> None:
    """Revise the proposal that an adopted motion names, or record why the motion has no effect."""
    state, note = engine.state, ""
    try:
        target = revisable_proposal(state, motion.change)
        form = revised_change(state, motion.change)
        check_change(state, form)
        for at, (part, trial) in enumerate(states_proposing_parts(state, form, target.proponent), 1):
            if not is_permitted(trial, "propose", target.proponent, **SUPPOSED_CASE):
                sentence = f"part {at}: " if form.parts else ""
                note = f"{sentence}the rules do not allow a proposal to {part.headline}"
        if form == target.change:
            note = f"proposal {target.number} already has this form"
    except (LawError, LookupError) as error:
        note = error.message if isinstance(error, LawError) else str(error.args[0])
    if note:
        record_proposal_event(engine, "without_effect", motion, note=note)
        return
    void = False
    if target.status == "open":
        what = engine.read("vote.on_revision", **target.law_case)
        void = what == "void" or (what == "keep if the same" and form.comparison_key != target.change.comparison_key)
    engine.emit(
        "revised", motion.proponent, data={"ballots": "void" if void else ""}, number=target.number,
        change=form.to_json(), motion=motion.number,
    )  # fmt: skip
    engine.schedule("go on with revised", **target.law_case)


def _repeal_notice_change(change: Change, gone: Sequence[Rule]) -> Change:
    """Return the change that enacts a rule as a notice that the rules in `gone` were repealed."""
    which = " and ".join(f"rule {rule.number} “{rule.title}”" for rule in gone)
    there = f" for {change.universe}" if change.universe else ""
    sentence = f"{which[0].upper()}{which[1:]} {'is' if len(gone) == 1 else 'are'} repealed{there}."
    title = f"Repeal of {', '.join(str(rule.number) for rule in gone)}"
    return Change("enact", None, sentence[:LONGEST_WORDING], title=title[:LONGEST_TITLE], universe=change.universe)


def _check_same_rules(state: State, proposal: Proposal) -> None:
    """Raise `LookupError` if a proposal's target is not the rule it was made for, or has changed tier since."""
    for change, aim in zip(proposal.change.single_rule_changes, proposal.aims, strict=False):
        if aim is None:
            continue
        (id, tier), rule = aim, find_target(state.rules, change)
        if rule.id != id:
            raise LookupError(
                say("another-rule", "rule {rule} is no longer the rule this was proposed for", rule=rule.number)
            )
        if rule.tier != tier:
            raise LookupError(
                say(
                    "tier-changed",
                    "rule {rule} is {tier} now, but it was {before} when this was proposed",
                    rule=rule.number,
                    tier=rule.tier,
                    before=tier,
                )
            )


def book_of_changes(
    law: Law, state: State, pieces: Sequence[EnactedPart], author: str | None, case: CaseNames, *, takes_number: bool
) -> tuple[RuleBook, list[tuple[EnactedPart, Rule, ChangeContext]]]:
    """Return the rule book after the changes in `pieces`, and (piece, changed rule, context) for each of them.

    `author` is the proponent, None for an automatic change; `takes_number` is whether rules take the changes' numbers.
    """
    book, changed_rules = state.rules, []
    for at, part in enumerate(pieces, 1):
        change, number, asked = part
        tier = str(law.answer(f"{change.kind}.tier", asked, case)) if change.kind in ("enact", "transmute") else ""
        named = number is not None and change.kind == "enact"
        label: Number | None = label_by_law(law, "enact.label", state, case) if named else None
        if named and label is None:
            label = state.proposals[cast(ThingRef, case["proposal"]).id].rule_number
        making = ChangeContext(
            number, state.seq + at, state.turn, author, tier, takes_number, state.circuit, label or ""
        )
        book, rule = book_after_change(book, change, law.language.read_clauses(change.law), making)
        changed_rules.append((part, rule, making))
    return book, changed_rules


def apply_changes_to_law(
    engine: Engine, pieces: Sequence[EnactedPart], author: str | None, case: CaseNames,
    *, takes_number: bool, renames: Sequence[str] = (),
) -> None:  # fmt: skip
    """Apply these changes (`pieces`) to the law or, if a requirement would be broken, record why none takes effect.

    Parameters
    ----------
    engine : Engine
        Where they take effect.
    pieces : sequence of Piece
        What is to be done, a rule each.
    author : str or None
        The proponent; None for an automatic change.
    case : dict
        The proposal, in the states in which the law is asked.
    takes_number : bool
        Whether a rule takes the number of its change.
    renames : sequence of str
        The counter that is called otherwise, and what it is called then; nothing where none is.

    Raises
    ------
    LookupError
        There is no such rule or amendment any more.
    """
    state, number = engine.state, pieces[0].number
    alone = {"change": pieces[0].change.to_json() if len(pieces) == 1 else None}
    book, changed_rules = book_of_changes(engine.law, state, pieces, author, case, takes_number=takes_number)
    trial = with_untracked_tables_ended(with_book(rename_table(state, *renames) if renames else state, book))
    try:
        for begun in table_starts(trial):
            trial = with_table_started(trial, begun)
    except Undecided as doubt:
        engine.emit("without_effect", author, data=alone, number=number, note=doubt.reason)
        return
    broken = find_broken_requirement(engine, trial, pieces[0].asked, case)
    if broken is not None:
        note = f"rule {broken.rule.number} does not allow it: {broken.clause.words}"
        kept, engine.cause = engine.cause, Cause.from_clause(broken)
        engine.emit("without_effect", author, data=alone, number=number, note=note)
        engine.cause = kept
        return
    old, new = (ruleset_digests(game_state.rules, state.law.language) for game_state in (state, trial))
    brings = {name: digest for name, digest in new.items() if name not in old}
    if renames:
        engine.emit("renamed", author, old=renames[0], new=renames[1])
    for (change, number, _), rule, making in changed_rules:
        engine.emit(
            EVENT_OF_CHANGE[change.kind], author, changed=rule.id, number=number,
            env={"board": change.universe} if change.kind == "repeal" and change.universe else None,
            heard_as="" if change.part is None else "amended",
            data={"brings": brings, "label": making.label},
            change=change.to_json(), tier=making.tier, takes_number=takes_number, rule=rule.id,
            old=rule.before.number if rule.before else None,
            new=None if change.kind == "repeal" and change.part is None else rule.number,
        )  # fmt: skip
    start_tables(engine)
    update_void_rules(engine)
    _flag_stale_proposals(engine)
    if not renames:  # which words it again, and lets all else stand
        drop_postponed_effects(engine, state.rules)


def _flag_stale_proposals(engine: Engine) -> None:
    """Record which open proposals have lost their target rule, by repeal or renumbering; have each settled."""
    for proposal in engine.state.open_proposals:
        if proposal.note:
            continue
        try:
            find_targets(engine.state.rules, proposal.change)
        except LookupError as error:
            record_proposal_event(engine, "stale", proposal, note=str(error.args[0]))
            engine.schedule("settle stale", **proposal.law_case)


KEYS = (
    Key("repeal.leaves", TRUTH, "whether a repeal leaves a rule behind, which has the number of the repeal and can "
                                "itself be repealed; by default nothing is left",
        "when a repeal takes effect", VOTE_CASE),
    Key("enact.label", optional_type(TEXT), "the label a new rule has instead of its proposal's number",
        "when a proposed rule is enacted", VOTE_CASE, misfit=label_misfit),
    Key("rule.takes_number", TRUTH, "whether a changed rule takes the number of the proposal",
        "when a change takes effect", VOTE_CASE, needed=True),
    Key("enact.tier", TEXT, "the tier of a new rule", "when a rule is enacted", VOTE_CASE, tiers=True, needed=True),
    Key("transmute.tier", TEXT, "the tier a rule moves to when it is transmuted",
        "when a rule is transmuted", VOTE_CASE,
        tiers=True, needed=True),
    Key("change.effective", TEXT, "when a change that has passed takes effect", "when a proposal passes", VOTE_CASE,
        EFFECTIVE_TIMES, needed=True),
    Key("change.ready", TRUTH,
        "whether a change that has passed is ready to take effect, if change.effective makes it wait until it is",
        "when such a change passes, and at the end of each step while it waits", VOTE_CASE),
    Key("vote.on_revision", TEXT,
        "what happens to the ballots already cast when a separate proposal revises the one being voted on",
                                  "when the separate proposal takes effect while the vote on the other one is open",
        VOTE_CASE,
        ("keep", "void", "keep if the same")),
    Key("change.automatic", TRUTH,
        "whether a rule may make this change by itself, without a vote; `rule` is that rule",
        "when a rule makes a change", VOTE_CASE | {"rule": RULE}),
    Key("change.stands", TRUTH, "whether a change stands if its effect on a requirement is in doubt",
        "when a requirement is undecided", VOTE_CASE),
    Key("precedence.tiers", TEXTS, "the tiers of rules, strongest first", "whenever several rules apply", tiers=True),
    Key("precedence.by", TEXTS, "what decides between rules of the same tier, most important first; highest NAME "
                                "and lowest NAME compare a number tracked per rule, as it was when the step began",
        "whenever several rules apply", values=("claims", *CRITERIA), ranks=True),
    Key("precedence.void", TEXTS, "the tiers whose rules are void if they contradict a stronger rule in every case",
        "when the rules have changed", tiers=True),
)  # fmt: skip
