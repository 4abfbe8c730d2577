"""Warnings that a change makes no difference: its clauses are defeated, prevented, or looked up by nobody."""

from __future__ import annotations

from dataclasses import replace

from nomic_nb.chess.play.records import WHEN_ARMY_ENTERS
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import ClaimClause, Clause, OfferClause, SetClause, TrackClause, TriggerClause
from nomic_nb.engine.law.findings import PrevailingClauses, set_clause_of
from nomic_nb.engine.law.forms import Effect
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Rule, SourceClause
from nomic_nb.engine.law.tables import ranking_table
from nomic_nb.engine.law.values import NUMBER, ThingRef
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.lawmaking import certain_truth
from nomic_nb.engine.play.offers import why_never_open
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import player_names
from nomic_nb.engine.words import join_words
from nomic_nb.study.review.cases import finding_for_example
from nomic_nb.study.review.dry_run import ChangedRule, DryRun
from nomic_nb.study.review.queries import (
    can_set_to,
    clauses_in_force,
    effects_in_force,
    is_always_true,
    table_written,
    value_of,
)
from nomic_nb.study.review.warnings.registry import Messages, check, cite
from nomic_nb.study.views.redline import RuleDifference


@check("no-difference", cost="law")
def no_difference(run: DryRun) -> Messages:
    """Warn that it changes nothing: its clauses are defeated, prevented, void at once, or looked up by nobody.

    Change the rule that prevails instead, or let the clause prevail over it.

    Example: nb.enact("Twelve.", "set dissent.points to 12")
    """
    for rule, change in run.changes:
        yield from _is_as_before(run, rule, change)
    if run.adoption.in_force:
        yield from run.unreached


def _is_as_before(run: DryRun, rule: ChangedRule, change: Change) -> Messages:
    old, new, state = rule.old, rule.new, run.adoption.after
    if new is None or change.kind == "transmute":
        if new is not None and old is not None and old.tier == new.tier:
            yield say("tier-same", "rule {rule} is {tier} already", rule=old.number, tier=old.tier)
        return
    if old is not None and RuleDifference(old, new).same_text:
        said = say("rule-same", "rule {rule} says the same afterwards", rule=old.number)
        other = new.number != old.number
        yield said.within("{message}; only the number becomes {number}", number=new.number) if other else said
        return
    if not run.adoption.in_force or new.id not in state.rules.rules:
        return
    why = state.rules.void.get(new.id)
    if why is not None and why.against is not None:
        yield say(
            "void-at-once",
            "rule {rule} is void at once: it contradicts rule {against} on {key}; leave out what it says of {key}, "
            "or change rule {against} first",
            rule=new.number, against=state.rules.rules[why.against].number, key=why.key
        )  # fmt: skip
        return
    idle = [why for clause in rule.fresh for why in why_clause_does_nothing(state, new, clause)]
    words = {
        source.clause.words
        for one in run.turned
        for source in (*one.new.sources, *(set(one.new.possible) - set(one.old.possible)))
    }
    idle += [
        say(
            "changes-nothing", "“{clause}” changes nothing in any case that was looked at, even where {when}",
            clause=one.clause, when=one.when,
        )
        for one in run.supposed
        if one.rule.id == new.id
        and one.clause.key != "win.winners"  # nobody has won yet, whatever it says
        and one.clause.words not in words
        and not any(why_never_effective(state.law, SourceClause(new, one.clause)))
    ]  # fmt: skip
    yield from idle
    plain = all(isinstance(one, ClaimClause) or is_always_true(one) for one in rule.clauses)
    same_words = old is None or old.wording == new.wording
    claims = any(isinstance(one, ClaimClause) for one in rule.clauses)  # which may bear on any term
    turned = any(claims or one.key in rule.keys for one in run.turned)
    if rule.clauses and plain and same_words and not turned and not idle:
        keys = join_words(
            list(dict.fromkeys(one.key for one in rule.clauses if isinstance(one, SetClause))) or ["precedence"]
        )
        yield say("no-term-changes", "its clauses change no term in any case that was looked at ({keys})", keys=keys)


def why_clause_does_nothing(state: State, rule: Rule, clause: Clause) -> Messages:
    """Say why a clause does nothing: it is defeated, nobody looks it up, it is late, or its effect is prevented."""
    if isinstance(clause, SetClause):
        yield from why_never_effective(state.law, SourceClause(rule, clause))
        yield from _not_looked_up(state, clause)
        if clause.key == "move.count":
            yield from _too_many_moves(state, rule, clause)
    elif isinstance(clause, TriggerClause):
        if isinstance(clause, OfferClause):
            yield from (
                say("offer-closed", "{why}", why=why) for why in why_never_open(state, SourceClause(rule, clause))
            )
        if clause.event == "game_started":
            yield say("game-begun", "“{clause}” never happens: the game has begun", clause=clause)
        for effect in clause.every_effect():
            yield from _why_never_done(state, rule, effect)


def _not_looked_up(state: State, clause: SetClause) -> Messages:
    """Say why nobody looks up what a clause sets, or not yet."""
    key, boards = state.law.vocabulary.keys[clause.key], state.position
    if key.reader == WHEN_ARMY_ENTERS and key.type == NUMBER and boards is not None:
        yield say(
            "boards-stay",
            "“{clause}” changes none of the boards that there are: {clause.key} is looked up {reader}; "
            "`grow` changes those",
            clause=clause, reader=WHEN_ARMY_ENTERS
        )  # fmt: skip
    if (key.by_rules or key.events) and not _is_looked_up(state.law, key):
        yield say(
            "key-not-looked-up", "“{clause}” does nothing yet: no rule looks up {clause.key} from now on", clause=clause
        )
    if key.halves and boards is not None and not any(one.half for one in boards.boards.values()):
        yield say(
            "no-half-boards", "“{clause}” does nothing: {clause.key} is about half-boards, and there are none",
            clause=clause
        )  # fmt: skip
    if clause.key == "vote.ended_by" and (duty := finding_for_example(state, "vote.duty")).value is True:
        said = say("everybody-votes", "“{clause}” does nothing yet: everybody has to vote", clause=clause)
        yield cite(said, duty.rule).within("{message}, as vote.duty says")
    if clause.key == "change.ready" and not can_set_to(state.law, "change.effective", "when ready"):
        yield say(
            "never-when-ready", "“{clause}” does nothing yet: change.effective is never “when ready”", clause=clause
        )


def _is_looked_up(law: Law, key: Key) -> bool:
    """Tell whether a rule in force looks a term up, or brings about what it is looked up for; the game has begun."""
    return any(
        key.name in law.dependence.keys_of(*clause.expressions)
        or any({*key.events} & {*one.form.makes[:1]} for one in clause.every_effect())
        for clause in clauses_in_force(law)
        if not (isinstance(clause, TriggerClause) and clause.event == "game_started")
    )


def _too_many_moves(state: State, rule: Rule, clause: SetClause) -> Messages:
    """Say that more moves are given than there are boards to play on, where another rule keeps to one on each."""
    sources = [one for one in state.law.candidates.get("move.on_push", ()) if one.rule.id != rule.id]
    limit = next((one for one in sources for said in one.expressions if "pushed" in said.words), None)
    own = any(isinstance(one, SetClause) and one.key == "move.on_push" for one in rule.clauses)
    if limit is None or own or state.position is None:
        return
    for name, army in state.position.armies.items():
        pieces = state.position.pieces.values()
        boards = {one.board for one in pieces if state.position.armies[one.army].controller == army.controller}
        count = state.find("move.count", army=ThingRef("army", name))
        if isinstance(count.value, int) and count.value > len(boards) and count.rule == rule.number:
            yield say(
                "moves-limited",
                "“{clause}” gives no more moves than there are boards: as rule {rule} has it, {limit}",
                clause=clause, rule=limit.rule.number, limit=limit.clause
            )  # fmt: skip
            return


def _why_never_done(state: State, rule: Rule, effect: Effect) -> Messages:
    """Say why an effect is never done: it passes over what may not be skipped, or votes in a person's place."""
    if effect.form.name == "end" and effect.what != "play":
        skips = state.law.language.read("allow skip")[0].clause
        yield from why_never_effective(state.law, SourceClause(rule, replace(skips, words=effect.words)))
    elif effect.form.name == "cast":
        who = value_of(effect.who, state)  # otherwise whom it is for turns out in the vote
        for name in (one for one in player_names(who or ()) if one in state.person_names):
            found = state.find("vote.automatic", voter=ThingRef("player", name))
            if found.value is False:
                yield say(
                    "nobody-votes-for-others", "“{effect}” is not done: rule {rule} lets no rule vote for {player}",
                    effect=effect.words, rule=found.rule, player=name
                )  # fmt: skip


def why_never_effective(law: Law, source: SourceClause) -> Messages:
    """Say why a clause that sets a key never has an effect."""
    clause = set_clause_of(source)
    condition = clause.condition
    if condition is not None and certain_truth(law, condition.node) is False:
        yield say(
            "condition-never-so", "“{clause}” never applies: {condition} is never so",
            clause=clause, condition=condition.text
        )  # fmt: skip
    ranked = any(ranking_table(one)[1] in law.ranking for one in law.order.by)  # by what may be otherwise later
    for other in law.clauses_about(clause.key):
        if other.rule.id == source.rule.id or set_clause_of(other).condition is not None or other.adds:
            continue
        if other.rule.local or (ranked and law.order.tier(other.rule) == law.order.tier(source.rule)):
            continue
        try:
            left, defeated = prevailing_of_two(law, source, other)
        except Undecided:
            return
        if source not in left and other in left:
            said = say(
                "always-defeated",
                "“{clause}” never has an effect: rule {rule} defeats it in every case; {reason}",
                clause=clause, rule=other.rule.number, reason=defeated[0].reason
            )  # fmt: skip
            yield _cured(said, law, source, other)
            return


def _cured(said: Message, law: Law, source: SourceClause, other: SourceClause) -> Message:
    """Return a message with what would let a clause prevail over another; as it is, if only a change of that would."""
    rule, number = source.rule, other.rule.number
    if not rule.parts or rule.id not in law.book.rules:
        return said
    part = replace(rule.parts[0], lines=(*rule.parts[0].lines, *law.language.read(f"prevails over {number}")))
    claiming = replace(rule, parts=(part, *rule.parts[1:]))
    then = Law(law.book.with_rule(claiming), law.order, law.language)
    left, _ = prevailing_of_two(then, SourceClause(claiming, source.clause), other)
    if any(one.rule is claiming for one in left):
        return said.within("{message}; write prevails over {below} below it", below=number)
    if other.rule.tier == rule.tier:
        return said.within("{message}; amend rule {instead} instead", instead=number)
    return said


def prevailing_of_two(law: Law, source: SourceClause, other: SourceClause) -> PrevailingClauses:
    """Return which of two clauses on a key are left where both speak, and which is defeated."""
    key = set_clause_of(source).key
    if not source.adds:
        return law.precedence.prevailing([source, other], key)
    left, defeated = law.on_top(key, [other], [source])
    return [*left, other], defeated


@check("unchanged-table", "no-difference", cost="law")
def unchanged_table(run: DryRun) -> Messages:
    """Warn that it speaks of a table that no rule changes.

    Add a clause that changes it, such as `award`, `put` or `pay`.

    Example: nb.enact("Mud.", "track mud per player from 0")
    """
    changed = _written(run.law)
    for name in run.law.tables:
        if name in changed:
            continue
        if any(one.counter == name for one in run.of(TrackClause)):
            yield say("table-unchanged", "no rule changes {table}, so it stays where it starts", table=name)
        elif any(name in expression.words for one in run.fresh for expression in one.expressions):
            yield say(
                "old-table-unchanged",
                "no rule changes {table}, of which the new clauses speak, so it stays where it is",
                table=name,
            )


def _written(law: Law) -> set[str | None]:
    """Return the tables that rules change, by themselves or by the drafts that they hold ready, or let players give."""
    found = set(map(table_written, effects_in_force(law)))
    given = "may.give" in law.candidates
    return found | ({name for name, shape in law.tables.items() if shape.keys == ("player",)} if given else set())
