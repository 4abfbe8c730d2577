"""Warnings that a clause does nothing, or too late: its time is past, nobody knows the time, or nothing sets it off."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from nomic_nb.chess.play.records import acts_on_boards
from nomic_nb.engine.law.clauses import (
    Clause,
    Effect,
    InsteadClause,
    OfferClause,
    RequireClause,
    SetClause,
    TriggerClause,
)
from nomic_nb.engine.law.findings import set_clause_of
from nomic_nb.engine.law.index import TABLES
from nomic_nb.engine.law.nodes import Expression, Node, NotDone, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.slots import MINUTES_PER_UNIT
from nomic_nb.engine.law.values import ThingRef, value_text
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import FAR, turn_period
from nomic_nb.engine.play.calendar import EXAMPLE_TIME
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.vote_rules import ballot_fields_read, can_change_during_vote, expressions_read_in_vote
from nomic_nb.engine.words import join_words
from nomic_nb.study.review.cases import (
    all_effects,
    can_be_set_to,
    clauses_in_force,
    effects_in_slots,
    evaluate_or_none,
    finding_for_example,
    possible_ballots,
    table_changed_by,
    why_never_happens,
)
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.review.rehearsal import VOTE_OUTCOMES
from nomic_nb.study.review.warnings.registry import Messages, add_citation, check

#: The events after which a piece is on no board, with where it is, and what would be right.
LEFT_BOARD_EVENTS = {
    "captured": "has left the boards by then. Use `instead of captured`, or set capture.result",
    "removed": "has left the boards by then. Use `place` to put a new one there",
    "in_hand": "is in a hand by then. It comes back when it is dropped",
}
#: How many turns, and circuits, are gone through at least.
MOST_TURNS_CHECKED = 200
#: What is counted on, so that what has gone by does not come again.
COUNTED_FIELDS = ("turn", "circuit")
#: What there is now and then, so that a list of it is empty for a time.
TEMPORARY_LISTS = frozenset({"proposals", "judgments", "questions", "polls", "turns", "waiting"})
#: Effects by which something is decided.
DECIDING_EFFECTS = frozenset({"let", "cast"})
#: What is found when a vote opens; the quota too, unless `vote.quota_when` says otherwise.
OPENING_KEYS = (
    "vote.electorate", "vote.weight", "vote.choices", "vote.quorum", "vote.duty", "vote.ballots", "vote.when",
    "vote.quota_when"
)  # fmt: skip
#: What is found of a proposal before the vote on it opens.
PROPOSING_KEYS = (
    "may.propose", "may.revise", "may.call_vote", "proposal.owed", "proposal.label", "debate.ended_by",
    "debate.final_form_by"
)  # fmt: skip
#: On what it hangs whether votes end early.
EARLY_END_KEYS = ("vote.ends_early", "vote.changeable", "vote.adopted")
#: What happens to a proposal before the vote on it opens.
EARLY_EVENTS = frozenset({"proposed", "revised", "debate_ended"})


@check("off-boards", "no-difference", cost="law")
def warn_of_removed_piece(run: DryRun) -> Messages:
    """Warn that the proposed rule does something on boards to a piece that has just left them.

    React to another event, or do something else instead.

    Example: nomic-chess: nb.enact("Back.", "on captured: remove piece")
    """
    law = run.law
    kept = can_be_set_to(law, "capture.result", "convert") or "captured" in law.replacements
    for clause in run.new_clauses_of_type(TriggerClause):
        if (
            isinstance(clause, InsteadClause)
            or clause.event not in LEFT_BOARD_EVENTS
            or (clause.event == "captured" and kept)
        ):
            continue
        acting = (effect for effect in clause.all_effects() if acts_on_boards(effect.form, law.vocabulary.events))
        done = next((effect for effect in acting if any(_is_event_piece(place) for _, place in effect.places)), None)
        if done is not None:
            yield say(
                "piece-off-boards", "“{effect}” does nothing on {event}: the piece {where}",
                effect=done.words, event=clause.event, where=LEFT_BOARD_EVENTS[clause.event]
            )  # fmt: skip


def _is_event_piece(place: object) -> bool:
    """Return True if the value in an effect's slot is nothing but “piece”, the piece that the event is about."""
    return isinstance(place, Expression) and {node.name for node in place.node.list_items_or_self} == {"piece"}


@check("past", "no-difference", cost="law")
def warn_of_past_turns(run: DryRun) -> Messages:
    r"""Warn that a clause of the proposal is about turns or rounds that are over.

    Use a turn or round that is still to come.

    Example: nb.enact("At first.", "set throw.points to 9 while turn < 1\nprevails over everything")
    """
    for clause in run.new_clauses:
        condition = clause.written_condition
        if not isinstance(clause, SetClause | TriggerClause) or condition is None:
            continue
        for part in condition.node.conjuncts:
            field = _clock_field_in_condition(run.law, part)
            if field and not _can_come_true(run.adoption.after, run.law, part, field):
                sentence = part.canonical
                yield say(
                    "time-past", "“{clause}” never applies: {condition} isn’t true in any {field} from now on",
                    clause=clause, condition=sentence[1:-1] if sentence.startswith("(") else sentence, field=field
                )  # fmt: skip
                break


def _clock_field_in_condition(law: Law, part: Node) -> str:
    """Return “turn” or “circuit” if a condition depends only on the present number of turns or circuits; else empty."""
    expression = law.language.expression(part.canonical)
    read = law.dependence.fields_of_expression(expression)
    closed = law.vocabulary.facts.keys() >= set(expression.names)
    return next(iter(read)) if closed and len(read) == 1 and read <= {*COUNTED_FIELDS} else ""


def _can_come_true(state: State, law: Law, part: Node, field: str) -> bool:
    """Return True if a condition on the number of a turn or circuit (`field`) holds now or may hold later."""
    condition, now = law.language.expression(part.canonical), int(getattr(state, field))
    many = turn_period(part.walk())
    reckoned = (node.function or node.negated_node or node.arithmetic not in ("", "%") for node in part.walk())
    if many is None or any(reckoned):  # a number in it need not be the number of a turn
        return True  # it cannot be told which of those to come have to be tried
    near = (number + step for number in part.constant_numbers() for step in range(-many, many + 1))
    for at in chain(
        range(now, now + max(MOST_TURNS_CHECKED, many)),
        (number for number in near if number > now),
        range(FAR, FAR + many),
    ):
        then = state.replace(turn=at) if field == "turn" else state.replace(circuit=at)
        try:
            if condition.run(View(then, {}, law)) is not False:
                return True
        except Undecided:
            return True
    return False


@check("no-early-end", "no-difference", cost="law")
def warn_of_no_early_end(run: DryRun) -> Messages:
    r"""Warn that after the change, a rule lets votes end early, though no result is certain before the last ballot.

    Make ballots final, and let `vote.adopted` depend on nothing but ballots.

    Example: nb.enact("Early.", "set vote.ends_early to true\nset vote.changeable to true\nprevails over everything")
    """
    law, state = run.law, run.adoption.after
    if not law.clauses_about("vote.ends_early") or not any(map(run.has_new_clause_on, EARLY_END_KEYS)):
        return
    early, again = finding_for_example(state, "vote.ends_early"), finding_for_example(state, "vote.changeable")
    if not early.says(True):
        return
    late = add_citation(say("vote-ends-late", "no vote would end early"), early.rule)
    if again.says(True):
        yield add_citation(late.embed_in("{message}: ballots can be changed until the last one is cast"), again.rule)
    finding = finding_for_example(state, "vote.adopted")
    for source in finding.sources or law.clauses_about("vote.adopted"):
        if can_change_during_vote(law, expressions_read_in_vote(law, *source.expressions)):
            more = "{message}: “{clause}” reads something that can change without a ballot"
            yield add_citation(late.embed_in(more, clause=source.clause), source.rule.number)


@check("never-happens", "no-difference", cost="law")
def warn_of_unreachable_event(run: DryRun) -> Messages:
    """Warn that a clause of the proposal reacts to an event that no rule causes or allows.

    Add a clause that causes it, or allows it.

    Example: nb.enact("Offers.", "on taken: award 1 points to player")
    """
    started = any("turn.start" in one.keys for clause in run.new_clauses for one in clause.expressions)
    for clause in run.new_clauses_of_type(TriggerClause):
        if clause.event == "passed_over" and started:
            continue  # the rule has a clause for the other way as well
        if not isinstance(clause, OfferClause) and (why := why_never_happens(run.law, clause.event)):
            yield why.embed_in("{message}, so “{clause}” does nothing", clause=clause)


@check("turns-of-armies", "mismatch", cost="law")
def warn_of_rounds_by_players(run: DryRun) -> Messages:
    """Warn that a clause takes as many turns as there are players for a round, in a game where armies have turns.

    Count the armies: `count(turn.sequence)`.

    Example: nomic-chess: nb.enact("Peace.", "on moved: after count(seats) turns: end play")
    """
    if run.before.sequence_of != "army":
        return
    for effect in all_effects(run.new_clauses):
        counted = [node.parts[0].name for node in effect.expressions[0].node.walk() if node.function == "count"
                   ] if effect.form.name == "after" and effect.unit == "turns" else []  # fmt: skip
        if {"seats", "playing", "players"} & {*counted}:
            yield say(
                "round-of-armies", "“{effect}”: armies have the turns here, so a round can have more turns than there "
                "are players. Write count(turn.sequence)",
                effect=effect.words,
            )  # fmt: skip


@check("nothing-there", "no-difference", cost="law")
def warn_of_empty_list(run: DryRun) -> Messages:
    """Warn that an effect of the proposal does nothing at the moment, because a list is empty.

    Wait until the list has something in it, or give the clause a condition.

    Example: nb.enact("Nobody.", "on turn_begun: let player choose pick from [p for p in playing if p.points > 1000]")
    """
    after, law = run.adoption.after, run.law
    env = {"player": ThingRef("player", next(iter(after.person_names), ""))}
    for clause in run.new_clauses_of_type(TriggerClause):
        empty = next(filter(None, (_why_nobody_listed(run, clause.event, one) for one in clause.expressions)), None)
        if empty is not None:
            yield empty.embed_in("“{clause}” does nothing: {message}", clause=clause)
            continue
        for effect in () if isinstance(clause, OfferClause) else clause.all_effects():
            optional = getattr(effect, "optional", None)
            for expression in effect.expressions:
                if law.dependence.fields_of_expression(expression) & TEMPORARY_LISTS:
                    continue
                options, why = expression is getattr(effect, "options", None) and not optional, ""
                try:
                    if expression.run(View(after, env, law)) == () and options:
                        why = f"{expression.text.strip()} is empty"
                except NotDone as doubt:
                    why = doubt.reason
                except Undecided:
                    continue
                waits = (
                    why and clause.condition is not None and evaluate_or_none(clause.condition, after, **env) is False
                )
                if why and not waits:
                    yield say(
                        "not-done-now", "“{effect}” does nothing at the moment: {why}", effect=effect.words, why=why
                    )


def _why_nobody_listed(run: DryRun, event: str, expression: Expression) -> Message | None:
    """Return a message on why a list of voters is always empty on an event; None for other lists, or if it may not."""
    node, law = expression.node, run.law
    name = node.parts[1].name if node.loop == "list" else node.name
    ballots = possible_ballots(law)
    if name == "abstainers" and ballots is not None and "abstain" not in ballots:
        return say("nobody-abstains", 'nobody can abstain. Add `set vote.choices to ["for", "against", "abstain"]`')
    waits = all(set_clause_of(source).value.node.value is True for source in law.clauses_about("vote.duty"))
    ends = law.clauses_about("vote.ends_early") or law.clauses_about("vote.closes")
    if name == "not_voted" and event in VOTE_OUTCOMES and waits and not ends:
        duty = finding_for_example(run.adoption.after, "vote.duty")
        return add_citation(say("everybody-has-voted", "everybody has voted by then"), duty.rule)
    return None


@check("too-early", cost="law")
def warn_of_early_ballot_read(run: DryRun) -> Messages:
    """Warn that the proposed rule looks at ballots before any can be cast.

    Set `vote.quota_when` to "closing", or react to `vote_closed`.

    Example: nb.enact("A quorum.", "set vote.quorum to votes_for + 1")
    """
    law = run.law
    opening = any(
        set_clause_of(source).value.node.value == "opening" for source in law.clauses_about("vote.quota_when")
    )
    early = (*OPENING_KEYS, "vote.quota") if opening else OPENING_KEYS
    for clause in (part for fresh_clause in run.new_clauses for part in fresh_clause.with_inner_clauses):
        if ballot_reads := ballot_fields_read(law, _expressions_read_early(clause, early)):
            message = say(
                "ballots-too-early", "“{clause}” comes too early: nobody has voted yet when it reads {read}",
                clause=clause, read=join_words(ballot_reads)
            )  # fmt: skip
            if (value := _term_value_when_opened(run, clause)) is not None:
                message = message.embed_in(
                    "{message}, so {key} is {value}", key=getattr(clause, "key", ""), value=value
                )
            cure = getattr(clause, "key", "") == "vote.quota"
            yield message.embed_in('{message}. Add `set vote.quota_when to "closing"`') if cure else message


def _expressions_read_early(clause: Clause, early: tuple[str, ...]) -> tuple[Expression, ...]:
    """Return a clause's expressions that are read before any ballot is cast; `early` has keys read so early."""
    if isinstance(clause, SetClause):
        return tuple(clause.expressions) if clause.key in (*early, *PROPOSING_KEYS) else ()
    if not isinstance(clause, TriggerClause) or clause.event not in ("proposed", "debate_ended", "vote_opened"):
        return ()
    every = clause.asked if any(clause.all_effects("let", "after", "roll")) else clause.expressions
    return tuple(
        expression for expression in every if not (clause.event == "vote_opened" and "not_voted" in expression.words)
    )


def _term_value_when_opened(run: DryRun, clause: Clause) -> str | None:
    """Return as text the value that the quota or quorum set by a clause has as a vote opens; None for other clauses."""
    if not isinstance(clause, SetClause) or clause.key not in ("vote.quota", "vote.quorum"):
        return None
    finding = finding_for_example(run.adoption.after, clause.key)
    own = finding.answered and any(source.clause is clause for source in finding.sources)
    return value_text(finding.value) if own else None


@check("too-late", cost="law")
def warn_of_late_decision(run: DryRun) -> Messages:
    """Warn that after the change, a clause comes too late: what it decides is already decided by then.

    React to an earlier event, or do something else instead.

    Example: nb.enact("The last word.", 'on vote_closed: cast "for" for "Ann"')
    """
    yield from _open_vote_warning(run)
    yield from _lost_purchase_warning(run)
    yield from _time_in_vote_warning(run)
    for clause in run.new_clauses:
        if isinstance(clause, TriggerClause):
            if any(clause.all_effects(*DECIDING_EFFECTS)) and (late := run.law.vocabulary.events[clause.event].late):
                yield say("decided-already", "“{clause}” comes too late to decide this: {why}", clause=clause, why=late)
            yield from _late_answer_warning(run.law, clause)
        elif isinstance(clause, RequireClause):
            yield from _requirement_warning(run.law, clause)


def _late_answer_warning(law: Law, clause: TriggerClause) -> Messages:
    """Yield warnings on tables that a clause fills too late for a vote that reads them on opening."""
    if clause.event not in ("proposed", "vote_opened"):
        return
    written = set(_tables_written_late(clause.effects, late=clause.event == "vote_opened"))
    closing = law.clauses_about("vote.quota_when")
    fixed = OPENING_KEYS if closing else (*OPENING_KEYS, "vote.quota")
    for table in sorted(written & law.dependence.tables_of_keys(fixed)):
        key = next(term for term in fixed if table in law.dependence.tables_of_keys((term,)))
        message = say(
            "answer-too-late",
            "“{clause}” gets its answer too late for the vote: {key} reads {table} when the vote opens, "
            "without waiting for the answer. Ask {instead}",
            clause=clause, key=key, table=table,
            instead="without within" if clause.event == "proposed" else "on proposed"
        )  # fmt: skip
        cure = '{message}, or add `set vote.quota_when to "closing"`'
        yield message.embed_in(cure) if key == "vote.quota" else message


def _open_vote_warning(run: DryRun) -> Messages:
    """Yield warnings on tables changed during a vote that are read only when the vote opens."""
    law = run.law
    kept = {name for name, shape in law.tables.items() if shape.keys[:1] == ("proposal",)}
    fixed = OPENING_KEYS if law.clauses_about("vote.quota_when") else ("vote.quota", *OPENING_KEYS)
    for key in fixed if kept else ():
        read = kept & law.dependence.tables_of_keys((key,))
        for clause in clauses_in_force(law) if read else ():
            if not isinstance(clause, TriggerClause) or clause.event in EARLY_EVENTS:
                continue
            if any("debate" in one.constant_texts() for one in clause.asked):
                continue  # which comes before the vote
            if run.has_new_clause_on(key) or clause in run.new_clauses:
                cure = '{message}. Add `set vote.quota_when to "closing"`'
                for table in sorted(read & {table_changed_by(effect) for effect in clause.all_effects()}):
                    message = say(
                        "written-too-late",
                        "“{clause}” comes too late for an open vote: {key} reads {table} when the vote opens",
                        clause=clause, key=key, table=table
                    )  # fmt: skip
                    yield message.embed_in(cure) if key == "vote.quota" else message


def _lost_purchase_warning(run: DryRun) -> Messages:
    """Yield warnings on offers open during a vote of what is read when a vote opens and is gone when it closes."""
    law = run.law
    closing = [clause for clause in law.acting_clauses if clause.event in (*VOTE_OUTCOMES, "turn_begun", "turn_ended")]
    puts = all_effects(closing, "put")
    gone = {
        table_changed_by(effect) for effect in puts if effect.value.node.is_constant and not effect.value.node.value
    }
    for key in OPENING_KEYS:
        read = gone & law.dependence.tables_of_keys((key,))
        for clause in (source.clause for source in law.offers) if read else ():
            if not run.has_new_clause_on(key) and clause not in run.new_clauses:
                continue
            tables = read & {table_changed_by(effect) for effect in clause.all_effects()}
            waits = any("proposals" in one.names for one in clause.asked)
            for table in () if waits else sorted(filter(None, tables)):
                yield say(
                    "taken-too-late",
                    "“{clause}” does nothing while a vote is open: {key} reads {table} when the vote opens, and it "
                    "is reset before another one opens. Add {condition}",
                    clause=clause, key=key, table=table,
                    condition='`when not any(q.status in ["open", "ending"] for q in proposals)`',
                )  # fmt: skip


def _time_in_vote_warning(run: DryRun) -> Messages:
    """Yield warnings on what is worked out when a vote opens, from hours that pass while it is open or before."""
    silence = any("not_voted" in one.words for clause in run.new_clauses for one in clause.expressions)  # has effects
    debated = silence and run.adoption.after.clock is not None and run.law.clauses_about("debate.ended_by")
    for clause in run.new_clauses_of_type(SetClause) if debated else ():
        sides = [part.canonical for node in clause.value.node.walk() if node.comparison for part in node.parts]
        if clause.key == "vote.closes" and "proposal.hours" in sides:
            yield say(
                "debate-counted",
                "“{clause}” counts the debate as well, so a vote that is called late closes before anybody can vote. "
                "Add {cure}, and write proposal.hours - proposal.debated",
                clause=clause,
                cure="`track debated per proposal from 0` and `on vote_opened: put debated(proposal) at "
                "proposal.hours`",
            )
    fixed = OPENING_KEYS if run.law.clauses_about("vote.quota_when") else ("vote.quota", *OPENING_KEYS)
    for clause in run.new_clauses_of_type(SetClause):
        if clause.key in fixed and any({"hours", "idle"} & one.words for one in clause.expressions):
            yield say(
                "hours-too-late",
                "“{clause}” doesn’t see how the hours go by while a vote is open: {key} is worked out when it opens",
                clause=clause, key=clause.key,
            )  # fmt: skip


def _tables_written_late(effects: tuple[Effect, ...], *, late: bool) -> Iterator[str]:
    """Yield the names of tables that effects change after waiting for something; of all that they change if `late`."""
    for effect in effects:
        late = late or getattr(effect, "span", None) is not None
        if late and (table := table_changed_by(effect)):
            yield table
        for inner in effects_in_slots(effect):
            yield from _tables_written_late(inner, late=late)


def _requirement_warning(law: Law, clause: RequireClause) -> Messages:
    """Yield a warning if a requirement reads a table, since it is not checked again when the table changes."""
    for expression in clause.expressions:
        tables = sorted(expression.words & law.tables.keys())
        if tables and TABLES in law.dependence.fields_of_expression(expression):
            yield say(
                "requirement-too-late",
                "“{clause}” doesn’t stop {table} from changing: it is checked when a rule changes, before the effects "
                'of that change. For a limit, write `set counter.value to … while counter == "{table}"`',
                clause=clause, table=tables[0]
            )  # fmt: skip


@check("no-clock", "ambiguous", cost="read")
def warn_of_unrecorded_time(run: DryRun) -> Messages:
    """Warn that the proposed rule needs the time of day, and nobody has set the clock.

    The host sets it.

    Example: nb.enact("Days.", "on day_begun: award 1 points to playing")
    """
    timed = [clause for clause in run.new_clauses if _needs_time(run.law, clause)]
    if timed and run.adoption.after.clock is None:
        yield say(
            "clock-unset",
            "nobody has set the clock: “{clause}” needs to know the time. The host can set it, e.g. to {example}",
            clause=timed[0],
            example=EXAMPLE_TIME,
        )


def _needs_time(law: Law, clause: Clause) -> bool:
    """Tell whether a clause needs the recorded time of day."""
    if isinstance(clause, TriggerClause) and clause.event == "day_begun":
        return True
    reads = any("clock" in law.dependence.fields_of_expression(expression) for expression in clause.expressions)
    return reads or any(getattr(effect, "unit", None) in MINUTES_PER_UNIT for effect in clause.all_effects())
