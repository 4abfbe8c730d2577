"""Warnings that a change makes no difference: its clauses are defeated, prevented, or looked up by nobody."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from nomic_nb.chess.play.records import WHEN_ARMY_ENTERS
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import ClaimClause, Clause, Effect, OfferClause, SetClause, TrackClause, TriggerClause
from nomic_nb.engine.law.findings import DefeatedClause, PrevailingClauses, set_clause_of
from nomic_nb.engine.law.nodes import Node, Undecided, View
from nomic_nb.engine.law.precedence import GUARDED
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Rule, SourceClause
from nomic_nb.engine.law.tables import direction_and_ranking_table
from nomic_nb.engine.law.values import NUMBER, ThingRef, Value
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import FAR, UNCHANGING_FIELDS, suppose_proposed
from nomic_nb.engine.play.lawmaking import LAWMAKING_EVENTS, certain_truth
from nomic_nb.engine.play.offers import players_offered
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import state_under_vote
from nomic_nb.engine.play.values import player_names
from nomic_nb.engine.words import join_words
from nomic_nb.study.review.cases import (
    NEW_RULE_EXAMPLE,
    can_be_set_to,
    clauses_in_force,
    effects_in_force,
    evaluate_or_none,
    finding_for_example,
    is_unconditional,
    names_bound,
    table_changed_by,
    vote_on_example,
    without_open_proposals,
)
from nomic_nb.study.review.dry_run import ChangedRule, DryRun, play_effect
from nomic_nb.study.review.rehearsal import STEPS_PER_CASE, is_score, with_scores
from nomic_nb.study.review.warnings.registry import Messages, add_citation, check
from nomic_nb.study.views.redline import RuleDifference


@check("no-difference", cost="law")
def warn_of_no_difference(run: DryRun) -> Messages:
    """Warn that the change does nothing: its clauses are overridden, prevented, void at once, or never used.

    Change the rule that overrides it, or let the clause take precedence over that rule.

    Example: nb.enact("Twelve.", "set dissent.points to 12")
    """
    for rule, change in run.changes_with_rules:
        yield from _why_no_difference(run, rule, change)
    if run.adoption.in_force:
        yield from run.unreached


def _why_no_difference(run: DryRun, rule: ChangedRule, change: Change) -> Messages:
    """Yield messages on why a changed rule makes no difference: same as before, void at once or without effect."""
    old, new, state = rule.old, rule.new, run.adoption.after
    if new is None or change.kind == "transmute":
        if new is not None and old is not None and old.tier == new.tier:
            yield say("tier-same", "rule {rule} is already {tier}", rule=old.number, tier=old.tier)
        return
    if old is not None and RuleDifference(old, new).has_same_text:
        message = say("rule-same", "rule {rule} would say the same as before", rule=old.number)
        other = new.number != old.number
        yield (
            message.embed_in("{message}; only its number would change, to {number}", number=new.number)
            if other
            else message
        )
        return
    if not run.adoption.in_force or new.id not in state.rules.rules:
        return
    why = state.rules.void.get(new.id)
    if why is not None and why.against is not None:
        yield say(
            "void-at-once",
            "rule {rule} would be void at once: it contradicts rule {against} on {key}. Leave out what it says "
            "about {key}, or change rule {against} first",
            rule=new.number, against=state.rules.rules[why.against].number, key=why.key
        )  # fmt: skip
        return
    idle = [why for clause in rule.new_clauses for why in why_clause_does_nothing(state, new, clause)]
    words = {
        source.clause.words
        for changed in run.turned
        for source in (*changed.new.sources, *(set(changed.new.possible) - set(changed.old.possible)))
    }
    counted = set(map(table_changed_by, effects_in_force(state.law) if run.supposed else ()))
    idle += [
        say(
            "changes-nothing", "“{clause}” changes nothing in any of the cases tried, even if {when}",
            clause=supposed.clause, when=supposed.condition_text,
        )
        for supposed in run.supposed
        if supposed.rule.id == new.id
        and supposed.clause.key != "win.winners"  # nobody has won yet, whatever it says
        and supposed.clause.words not in words
        and counted.isdisjoint(supposed.clause.value.words)  # which are not yet what they will be
        and not any("proposals" in one.names for one in supposed.clause.asked)  # nor are these
        and not any(why_never_applies(state.law, SourceClause(new, supposed.clause)))
    ]  # fmt: skip
    yield from idle
    plain = all(
        isinstance(clause, ClaimClause) or is_unconditional(clause) for clause in rule.added_and_removed_clauses
    )
    same_words = old is None or old.wording == new.wording
    claims = any(
        isinstance(clause, ClaimClause) for clause in rule.added_and_removed_clauses
    )  # which may bear on any term
    turned = {changed.key for changed in run.turned}
    keys = [key for key in rule.terms_set if key not in turned]
    if claims and turned:
        keys = []
    elif not turned.isdisjoint(rule.terms_set):  # and so not all of it is in vain
        keys = [key for key in keys if any(getattr(clause, "key", "") == key for clause in rule.new_clauses)]
    if rule.added_and_removed_clauses and plain and same_words and (keys or not turned) and not idle:
        message = say(
            "no-term-changes", "its clauses change no setting in any of the cases tried ({keys})",
            keys=join_words(keys or ["precedence"]),
        )  # fmt: skip
        meetings = (one for one in run.met if one.rule == new.number and one.key in keys and not one.prevails)
        if above := next((state.rules.by_number[one.others[0]] for one in meetings), None):
            message = message.embed_in("{message}. Rule {over} overrides it", over=above.number)
            if above.tier == new.tier:
                cure = "{message}. To change that, add the line `prevails over {below}`"
                message = message.embed_in(cure, below=above.number)
        yield message


def why_clause_does_nothing(state: State, rule: Rule, clause: Clause) -> Messages:
    """Yield messages on why a clause does nothing: defeated, not looked up, too late or prevented."""
    if isinstance(clause, SetClause):
        yield from why_never_applies(state.law, SourceClause(rule, clause))
        yield from _why_not_looked_up(state, clause)
        counts = (one.words for one in clause.expressions if "count(" in one.text)
        if clause.key == "vote.quota" and any({"parts", "targets"} & words for words in counts):
            yield say(
                "parts-apart",
                "“{clause}” sees each part of a proposal alone, and the strictest quota of all parts applies. Use "
                "change.together for their number",
                clause=clause,
            )
        if clause.key == "move.count":
            yield from _move_limit_warning(state, rule, clause)
        if clause.key == "royal.capture" and {*clause.value.constant_texts()} - {"never"}:
            yield from _check_stays_warning(state, rule, clause)
    elif isinstance(clause, TriggerClause):
        if isinstance(clause, OfferClause) and (why := _why_never_open(state, rule, clause)):
            yield say("offer-closed", "{why}", why=why)
        if clause.event == "game_started":
            yield say("game-begun", "“{clause}” never happens: the game has already begun", clause=clause)
        for effect in clause.all_effects():
            yield from _why_never_done(state, rule, effect)
            makes = [made for one in effect.immediate_effects() for made in one.form.makes]
            if not LAWMAKING_EVENTS.isdisjoint(makes) and (why := _why_refused(state, rule, clause, effect)):
                yield say(
                    "change-refused", "“{effect}” does nothing: {why}. Let players propose this change",
                    effect=effect.words, why=why,
                )  # fmt: skip


def _why_never_open(state: State, rule: Rule, clause: OfferClause) -> str:
    """Return why the offer in a clause can never be open to anybody; an empty text if it may be."""
    condition, among = clause.condition, clause.among
    if condition is not None and condition.constant and condition.run(View(state, {}, state.law)) is not True:
        return f"nobody can ever use “{clause.words}”: {condition.text} is never true"
    if among is not None and among.constant and not players_offered(state, SourceClause(rule, clause)):
        return f"nobody can ever use “{clause.words}”: no player is called {among.text}"
    return ""


def _why_not_looked_up(state: State, clause: SetClause) -> Messages:
    """Yield messages on why the term that a clause sets is not looked up in this game."""
    key, boards = state.law.vocabulary.keys[clause.key], state.position
    if key.reader == WHEN_ARMY_ENTERS and key.type == NUMBER and boards is not None:
        yield say(
            "boards-stay",
            "“{clause}” doesn’t change the existing boards: {clause.key} applies {reader}. Use "
"`grow` to change them",
            clause=clause, reader=WHEN_ARMY_ENTERS
        )  # fmt: skip
    if (key.by_rules or key.events) and not _is_term_looked_up(state.law, key):
        yield say(
            "key-not-looked-up", "“{clause}” does nothing yet: from now on, no rule uses {clause.key}", clause=clause
        )
    if key.halves and boards is not None and not any(board.half for board in boards.boards.values()):
        yield say(
            "no-half-boards", "“{clause}” does nothing: {clause.key} is about half-boards, and this game has none",
            clause=clause
        )  # fmt: skip
    if clause.key == "vote.ended_by" and (duty := finding_for_example(state, "vote.duty")).value is True:
        message = say("everybody-votes", "“{clause}” does nothing yet: everybody has to vote", clause=clause)
        yield add_citation(message, duty.rule).embed_in("{message}, as vote.duty says")
    if clause.key == "change.ready" and not can_be_set_to(state.law, "change.effective", "when ready"):
        yield say(
            "never-when-ready", "“{clause}” does nothing yet: change.effective is never “when ready”", clause=clause
        )


def _is_term_looked_up(law: Law, key: Key) -> bool:
    """Return True if a rule in force reads a term, or causes an event at which play looks the term up."""
    return any(
        key.name in law.dependence.keys_of_expression(*clause.expressions)
        or any({*key.events} & {*effect.form.makes[:1]} for effect in clause.all_effects())
        for clause in clauses_in_force(law)
        if not (isinstance(clause, TriggerClause) and clause.event == "game_started")
    )


def _check_stays_warning(state: State, rule: Rule, clause: SetClause) -> Messages:
    """Yield a warning if a clause lets kings be captured, and check has to be parried as before."""
    keys = {part.key for part in rule.clauses if isinstance(part, SetClause)}
    if state.position is None or any(key.startswith(("check.", "mate.")) for key in keys):
        return
    army = next((ThingRef("army", name) for name in state.position.armies), None)
    parry = state.find("check.own_on_push", army=army)
    if parry.value == "must parry":
        message = say(
            "check-stays",
            "“{clause}” leaves check as it is: players still have to parry it, and are mated if they can’t. If that "
            'should end, set check.own_on_push to "may stay" and check.enemy_on_push to "nothing", with precedence',
            clause=clause,
        )
        yield add_citation(message, parry.rule)


def _move_limit_warning(state: State, rule: Rule, clause: SetClause) -> Messages:
    """Yield a warning if a clause gives an army more moves than boards, and another rule allows one on each."""
    sources = [candidate for candidate in state.law.candidates.get("move.on_push", ()) if candidate.rule.id != rule.id]
    limit = next(
        (source for source in sources for expression in source.expressions if "pushed" in expression.words), None
    )
    own = any(isinstance(part, SetClause) and part.key == "move.on_push" for part in rule.clauses)
    if limit is None or own or state.position is None:
        return
    far = state.replace(turn=FAR, circuit=FAR)  # when what the clause waits for has come true
    read = {name for name in {*clause.value.words, *(clause.condition.words if clause.condition else ())}
            if name in state.tables and is_score(state, name)}  # fmt: skip
    for counter in read:
        far = with_scores(far, counter, (1,))
    for then, (name, army) in product((state, far), state.position.armies.items()):
        pieces = state.position.pieces.values()
        boards = {piece.board for piece in pieces if state.position.armies[piece.army].controller == army.controller}
        count = then.find("move.count", army=ThingRef("army", name))
        if isinstance(count.value, int) and count.value > len(boards) and count.rule == rule.number:
            yield say(
                "moves-limited",
                "“{clause}” gives no more moves than there are boards: rule {rule} limits move.on_push. To allow more, "
                'add `set move.on_push to "any"` with the same condition',
                clause=clause, rule=limit.rule.number,
            )  # fmt: skip
            return


def _why_never_done(state: State, rule: Rule, effect: Effect) -> Messages:
    """Yield messages on why an effect of a rule can never be done."""
    if effect.form.name == "end" and effect.what != "play":
        skips = state.law.language.read_clauses("allow skip")[0].clause
        yield from why_never_applies(state.law, SourceClause(rule, replace(skips, words=effect.words)))
    elif effect.form.name == "cast":
        player = next(iter(state.person_names), "")
        vote = vote_on_example(suppose_proposed(state, NEW_RULE_EXAMPLE, player))
        asked, proposal = state_under_vote(state, NEW_RULE_EXAMPLE, player, None, vote)
        who = evaluate_or_none(effect.who, asked, **proposal.law_case)
        if who is None and effect.who.node.name and "present" not in rule.law:  # one after the other
            who = tuple(ThingRef("player", name) for name in state.person_names)
        names = player_names(who or ())
        findings = [state.find("vote.automatic", voter=ThingRef("player", name)) for name in names]
        if findings and all(finding.value is False for finding in findings):
            yield say(
                "nobody-votes-for-others",
                "“{effect}” does nothing: rule {rule} doesn’t let rules cast the vote of {players}",
                effect=effect.words, rule=findings[0].rule, players=join_words(names),
            )  # fmt: skip
    elif effect.form.name == "guard":
        words = {word for clause in clauses_in_force(state.law) for one in clause.expressions for word in one.words}
        if not {GUARDED} & {*state.law.order.by, *words}:
            message = say(
                "guard-ignored",
                "“{effect}” does nothing: precedence.by doesn’t list “guarded”",
                effect=effect.words,
            )
            message = add_citation(message, state.find("precedence.by").rule)
            yield message.embed_in("{message}. Put it first in that list; even so, the rule can still be amended")


def _why_refused(state: State, rule: Rule, clause: TriggerClause, effect: Effect) -> str:
    """Return why no rule may do what an effect does to the law, whatever rule it is about; empty if it may."""
    then = without_open_proposals(state)
    name, player, why = clause.each or "rule", next(iter(state.person_names), ""), ""
    named = any(name in expression.names for expression in effect.expressions)
    if "judgment" in names_bound(state.law, clause.event):
        return ""  # a Judge may do more
    conditions = clause.condition.node.conjuncts if named and clause.condition is not None else ()
    lasting = [part for one in conditions if state.law.dependence.fields_of_expression(
        part := state.law.language.expression(one.canonical)) <= UNCHANGING_FIELDS]  # fmt: skip
    for id in state.rules.rules if named else [rule.id]:
        bound = {name: ThingRef("rule", id)} if named else {}
        if any(evaluate_or_none(part, then, **bound) is False for part in lasting):
            continue
        _, events = play_effect(then, SourceClause(rule, clause), effect, player, STEPS_PER_CASE, **bound)
        refused = (event for event in events if event.kind in ("without_effect", "prevented") and event.cause)
        data = next((event.data for event in refused if event.cause and event.cause.id == rule.id), None)
        if data is None or any(event.kind in LAWMAKING_EVENTS for event in events):
            return ""
        why = str(data.get("note") or f"rule {data['by']} does not allow it")
    return why


def why_never_applies(law: Law, source: SourceClause) -> Messages:
    """Yield messages on why a clause (with its rule) that sets a term never applies."""
    clause = set_clause_of(source)
    condition = clause.condition
    if condition is not None and certain_truth(law, condition.node) is False:
        yield say(
            "condition-never-so", "“{clause}” never applies: {condition} is never true",
            clause=clause, condition=condition.text
        )  # fmt: skip
    ranked = any(
        direction_and_ranking_table(criterion)[1] in law.ranking_tables for criterion in law.order.by
    )  # by what may be otherwise later
    rivals = [
        other
        for other in law.clauses_about(clause.key)
        if not (other.rule.id == source.rule.id or other.adds_to_key or other.rule.is_local)
        and not (ranked and law.order.tier_rank(other.rule) == law.order.tier_rank(source.rule))
    ]
    whole = [other for other in rivals if set_clause_of(other).condition is None]
    leave = [other for other in rivals if set_clause_of(other).value.node.value is True and other not in whole]
    banned = clause.key.startswith("may.") and clause.value.node.value is False
    for other in (*whole, *(leave if banned else ())):
        if defeat := _defeat_of(law, source, other):
            where = set_clause_of(other).condition
            message = say(
                "always-defeated",
                "“{clause}” would have no effect: rule {rule} overrides it in every case, because {reason}",
                clause=clause, rule=other.rule.number, reason=defeat.reason
            ) if where is None else say(
                "defeated-where-allowed",
                "“{clause}” would have no effect where rule {rule} allows it ({where}), because {reason}",
                clause=clause, rule=other.rule.number, where=where.text, reason=defeat.reason
            )  # fmt: skip
            yield _with_advice_to_prevail(message, law, source, other)
            return


def _defeat_of(law: Law, source: SourceClause, other: SourceClause) -> DefeatedClause | None:
    """Return how a clause is defeated by another wherever both apply; None if it is not, or nobody can say."""
    try:
        left, defeated = compare_two_clauses(law, source, other)
    except Undecided:
        return None
    return defeated[0] if source not in left and other in left else None


def _with_advice_to_prevail(message: Message, law: Law, source: SourceClause, other: SourceClause) -> Message:
    """Return a warning that one clause is defeated by another, with advice on how to prevail, if there is any."""
    rule, number = source.rule, other.rule.number
    if not rule.parts or rule.id not in law.book.rules:
        return message
    part = replace(rule.parts[0], lines=(*rule.parts[0].lines, *law.language.read_clauses(f"prevails over {number}")))
    claiming = replace(rule, parts=(part, *rule.parts[1:]))
    then = Law(law.book.with_rule(claiming), law.order, law.language)
    left, _ = compare_two_clauses(then, SourceClause(claiming, source.clause), other)
    if any(clause.rule is claiming for clause in left):
        return message.embed_in("{message}. To change that, add the line `prevails over {below}`", below=number)
    if other.rule.tier == rule.tier:
        return message.embed_in("{message}. Amend rule {instead} instead", instead=number)
    return message


def compare_two_clauses(law: Law, source: SourceClause, other: SourceClause) -> PrevailingClauses:
    """Return those of two clauses on one term that stand when they meet, and those that are defeated."""
    key = set_clause_of(source).key
    if not source.adds_to_key:
        return law.precedence.prevailing_clauses([source, other], key)
    left, defeated = law.additions_in_force(key, [other], [source])
    return [*left, other], defeated


@check("unchanged-table", "no-difference", cost="law")
def warn_of_unchanged_table(run: DryRun) -> Messages:
    """Warn that the proposed rule tracks or reads a table that no rule ever changes.

    Add a clause that changes it, such as `award`, `put` or `pay`.

    Example: nb.enact("Mud.", "track mud per player from 0")
    """
    changed = _changeable_tables(run.law)
    for name in run.law.tables:
        if name in changed:
            continue
        if any(track.counter == name for track in run.new_clauses_of_type(TrackClause)):
            yield say("table-unchanged", "no rule changes {table}, so it stays at its starting value", table=name)
        elif any(name in expression.words for clause in run.new_clauses for expression in clause.expressions):
            yield say(
                "old-table-unchanged",
                "no rule changes {table}, which the new clauses use, so it stays as it is",
                table=name,
            )
    for track in run.new_clauses_of_type(TrackClause):
        start = track.start.node
        given = "may.give" in run.law.candidates and run.law.tables[track.counter].keys == ("player",)
        if start.is_constant and not given and _does_start_bar_changes(run.law, track.counter, start.value):
            yield say(
                "table-barred", "“{table}” starts at {start}, and each clause that changes it needs it to have another "
                "value already, so it stays there",
                table=track.counter, start=start.canonical,
            )  # fmt: skip


def _does_start_bar_changes(law: Law, table: str, start: Value) -> bool:
    """Tell whether every clause that changes a table needs an entry of it to differ from what they start at."""
    parts = [part for clause in clauses_in_force(law) for part in clause.with_inner_clauses]
    changing = [one for one in parts if table in map(table_changed_by, one.all_effects())]
    conditions = [getattr(one, "condition", None) for one in changing]
    return bool(changing) and all(
        condition is not None and any(_is_false_at(node, table, start) for node in condition.node.conjuncts)
        for condition in conditions
    )


def _is_false_at(node: Node, table: str, start: Value) -> bool:
    """Tell whether a condition compares a table’s entry with a constant, and is false if the entry is at its start."""
    for side, other in node.pairs_of_sides[:1]:
        if side.table == table and other.is_constant:
            same = start == other.value
            nothing_yet = start == 0 and other.value == (node.comparison == ">=")
            return {"==": not same, "!=": same, ">": nothing_yet, ">=": nothing_yet}.get(node.comparison, False)
    return False


def _changeable_tables(law: Law) -> set[str | None]:
    """Return the names of tables that rules change or let players change (and None, for effects on no table)."""
    table_names = set(map(table_changed_by, effects_in_force(law)))
    given = "may.give" in law.candidates
    return table_names | ({name for name, shape in law.tables.items() if shape.keys == ("player",)} if given else set())
