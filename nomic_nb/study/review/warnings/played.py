"""Warnings from clauses played on trial: no answer, a gain on demand, paid twice, a condition that is never true."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import cast

from nomic_nb.engine.law.clauses import Clause, Effect, OfferClause, SetClause, TriggerClause
from nomic_nb.engine.law.nodes import AbsentName, Expression, Node, Undecided
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.values import Number, ThingRef
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.adoptability import suppose_proposed
from nomic_nb.engine.play.deadlines import NO_TIME_RECORDED
from nomic_nb.engine.play.events import number_from_json
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.engine.words import counter_named, group_pairs, number_text
from nomic_nb.study.review.cases import (
    NEW_RULE_EXAMPLE,
    effects_in_force,
    effects_in_slots,
    evaluate_or_none,
    possible_ballots,
    vote_on_example,
)
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.review.rehearsal import (
    TURNED,
    Outcome,
    counter_trials,
    play_clause,
    states_at_turn_end,
)
from nomic_nb.study.review.warnings.registry import Messages, add_citation, check

#: Events that a player can bring about at will and again and again.
AT_WILL = frozenset({"said", "defined", "taken", "free_act"})
#: Words by which something may be done only once in a while.
_ONCE = re.compile(
    r"\b(?:once|only one|at most one) (?:\w+ ){0,3}(?:per|a|in|each|every|their|his|her|the|own) (?:own )?"
    r"(?:turn|round|game|vote)\b|"
    r"\b(?:in|on|during) (?:\w+ ){1,4}turn,? (?:a|the|each|every) player may (?:\w+ ){1,2}one\b",
    re.IGNORECASE,
)
#: Turns, or rounds, to come in which clauses are tried together.
MOST_TURNS = 120
#: Names and fields that are always whole numbers.
_WHOLE_NUMBERS = frozenset({"face", "turn", "circuit", "own_turn", "turns", "day", "week", "hour", "amendments"})
#: The least and the greatest number that a comparison with a number leaves, counted from that number in steps.
_COMPARISONS = {"==": (0, 0), "<": (None, -1), "<=": (None, 0), ">": (1, None), ">=": (0, None)}


@check("no-answer", "ambiguous", cost="law")
def warn_of_no_answer(run: DryRun) -> Messages:
    """Warn that a clause of the proposal gives no answer in a common case, so play stops to ask the players.

    Cover that case in the clause, for example with `when` or `if … else …`.

    Example: nb.enact("A share.", "on adopted: award 10 / votes_against points to proponent")
    """
    for forecast in run.forecasts:
        for outcome in forecast.outcomes:
            doubt = outcome.doubt
            if doubt is not None and not isinstance(doubt, AbsentName) and not _is_known_to_other_check(run, doubt):
                yield say(
                    "clause-gives-no-answer", "“{clause}” gives no answer if {occasion}: {reason}",
                    clause=forecast.source.clause, occasion=outcome.occasion.words, reason=doubt.reason,
                )  # fmt: skip
                break


def _is_known_to_other_check(run: DryRun, doubt: Undecided) -> bool:
    """Tell whether another check warns of the same: no time is recorded, or no rule says how halves are rounded."""
    if getattr(doubt.finding, "key", "") == "score.half":
        return True
    return run.adoption.after.clock is None and getattr(doubt.reason, "code", "") == NO_TIME_RECORDED.code


@check("gain-on-demand", "destructive", cost="law")
def warn_of_gain_on_demand(run: DryRun) -> Messages:
    """Warn that after the change, a player can take the same gain again and again, at no cost.

    Add a cost, or a condition that fails once it is taken.

    Example: nb.enact("Free.", 'offer "take a point": award 1 points to player')
    """
    for forecast in run.forecasts:
        source = forecast.source
        clause = cast(TriggerClause, source.clause)
        if not isinstance(clause, OfferClause) and clause.event not in AT_WILL:
            continue
        if any(clause.all_effects("end")):  # with the part or the turn, the offer ends
            continue
        rolls = bool(clause.all_effects("roll"))
        awarded = {effect.counter for effect in clause.all_effects("award", "pay")}
        usual = (outcome.occasion for outcome in forecast.outcomes if outcome.occasion.usual)
        for first in (play_clause(source, one, face=1) for one in usual):
            name = str(getattr(first.occasion.env.get("player"), "id", ""))
            gains = _gains(first, name)
            read = {word for condition in _conditions(run.law, clause) for one in condition for word in one.words}
            if not gains or any(amount <= 0 or counter in read for counter, amount in gains):
                continue
            again = _gains(play_clause(source, replace(first.occasion, state=first.after), face=1), name)
            gained = again and all(amount > 0 and counter in awarded for counter, amount in again)
            if again == gains or (rolls and gained):
                counter, amount = gains[0]
                named = counter_named(counter, amount)
                yield say(
                    "rolls-again-and-again", "{player} can do this again and again for {counter}: “{clause}”. Put a "
                    "price on it, or count how often it is used",
                    player=name, counter=named, clause=clause,
                ) if rolls else say(
                    "gain-again-and-again",
                    "{player} can do this again and again for {amount} {counter} each time: “{clause}”",
                    player=name, amount=number_text(amount), counter=named, clause=clause,
                )  # fmt: skip
                break


def _gains(outcome: Outcome, player: str) -> list[tuple[str, Number]]:
    """Return what a player gains and loses in a case: counters with amounts; empty if something else has to happen."""
    if outcome.after.waiting or any(event.kind == "polled" for event in outcome.events):
        return []
    return [
        (str(event.data["counter"]), number_from_json(event.data["amount"]))
        for event in outcome.events
        if event.kind == "counted" and event.actor == player and "amount" in event.data
    ]


@check("more-than-once", "mismatch", cost="law")
def warn_of_offer_again(run: DryRun) -> Messages:
    """Warn that the wording allows something once in a turn or a round, and an offer is open again right after it.

    Count how often it is taken, and set the count back when a turn or a round begins.

    Example: nb.enact("Once a turn, a player may cheer.", 'offer "cheer" when turn > 0: announce "Hurrah"')
    """
    for forecast in run.forecasts:
        clause, said = forecast.source.clause, _ONCE.search(forecast.source.rule.wording)
        if said is None or not isinstance(clause, OfferClause) or any(clause.all_effects("end", "oblige")):
            continue
        for outcome in [one for one in forecast.acting if not one.awaited][:1]:
            again = clause.condition is None or (
                evaluate_or_none(clause.condition, outcome.after, **outcome.occasion.env) is True
            )
            if again:
                yield say(
                    "open-again", "its wording says “{said}”, but “{offer}” can be taken again at once",
                    said=said[0], offer=clause.name,
                )  # fmt: skip


@check("paid-twice", "mismatch", cost="law")
def warn_of_double_payment(run: DryRun) -> Messages:
    r"""Warn that two clauses do the same for the same event, so it happens twice. One of them can already be in force.

    Leave one of them out, or amend the rule in force.

    Example: nb.enact("Bonus.", "on adopted: award 5 points to mover\non vote_closed: award 5 points to mover")
    """
    groups = group_pairs(
        ((source.rule.id, effect.words), clause)
        for source in run.new_triggers
        if isinstance(clause := source.clause, TriggerClause)
        for effect in clause.all_effects("award", "pay")
    )
    for (_, words), clauses in groups.items():
        for clause in clauses[1:]:
            if _meet(clauses[0], clause):
                yield say(
                    "done-twice", "“{effect}” is done twice: by “{one}” and by “{other}”",
                    effect=words, one=clauses[0], other=clause,
                )  # fmt: skip
                break

    for forecast in run.forecasts:
        event = cast(TriggerClause, forecast.source.clause).event
        cases = [(outcome, paid) for outcome in forecast.acting if (paid := outcome.paid)]
        for other in run.law.triggers.get(event, ()) if cases else ():
            if other.rule.id not in run.changed_rule_ids and all(
                play_clause(other, outcome.occasion).paid == paid for outcome, paid in cases
            ):
                yield say(
                    "done-already", "“{clause}” does again what rule {rule} does already: “{other}”",
                    clause=forecast.source.clause, rule=other.rule.number, other=other.clause,
                )  # fmt: skip
                break


#: Events that happen together when a proposal passes.
_TOGETHER = ({"adopted", "vote_closed", "enacted", "vote_ending"}, {"thrown", "counted"})


def _meet(one: TriggerClause, other: TriggerClause) -> bool:
    """Tell whether two clauses answer to one event, or to events that happen together, under the same condition."""
    if isinstance(one, OfferClause) or isinstance(other, OfferClause):
        return False
    same = one.event == other.event or any({one.event, other.event} <= events for events in _TOGETHER)
    first, last = (clause.condition.canonical if clause.condition else "" for clause in (one, other))
    return same and (first == last or (one.event != other.event and "" in (first, last)))


@check("lower-gain", "mismatch", cost="law")
def warn_of_lowered_score(run: DryRun) -> Messages:
    """Warn that with a clause of the proposal, a gain makes a score lower, or a loss makes it higher.

    `otherwise` is the whole new value: write `was + (otherwise - was) / 2` to halve a gain.

    Example: nb.enact("Half.", 'set counter.value to otherwise / 2 while counter == "points" and amount > 0')
    """
    for clause, player, counter, was, amount, now in counter_trials(run.adoption.after, run.new_clauses, run.player):
        if now is not None and was < 0 and now > was:
            yield say(
                "loss-lifts", "“{clause}” lifts players who are below it already: if {player} has {was} {counter} and "
                "loses {amount}, {player} has {now}. To leave them there, write {remedy}",
                clause=clause, player=player, was=number_text(was), counter=counter, amount=number_text(-amount),
                now=number_text(now), remedy=f"max([otherwise, min([was, {number_text(now)}])])",
            )  # fmt: skip
            break
        if now is not None and was > 3 and not -1 <= now - was <= 1 and (now > was) is (amount < 0):
            verb = "gets" if amount > 0 else "loses"
            yield say(
                "gain-lowers", "“{clause}” changes the whole score: if {player} has {was} {counter} and {verb} "
                "{amount}, {player} has {now}",
                clause=clause, player=player, was=number_text(was), counter=counter, verb=verb,
                amount=number_text(max(amount, -amount)), now=number_text(now),
            )  # fmt: skip
            break


# ------------------------------------------------------------------------------------- conditions never true


@check("never-true", "no-difference", cost="law")
def warn_of_impossible_condition(run: DryRun) -> Messages:
    """Warn that a condition of the proposal can never be true: its parts exclude each other, or no value fits.

    Use numbers and names that can occur.

    Example: nb.enact("Seven.", "on thrown when face == 7: award 5 points to player")
    """
    for clause in run.new_clauses:
        for part in clause.with_inner_clauses:
            for conditions in _conditions(run.law, part):
                nodes = [node for condition in conditions for node in condition.node.conjuncts]
                if why := _why_impossible(run, nodes):
                    yield say("condition-impossible", "“{clause}” never applies: {why}", clause=part, why=why)
                    break
        if isinstance(clause, TriggerClause) and clause.event == "turn_ended" and _waits_for_no_proposal(run, clause):
            message = say(
                "turns-all-propose", "“{clause}” never applies: no turn ends without a proposal", clause=clause
            )
            yield add_citation(message, run.after.find("turn.parts").rule)


def _waits_for_no_proposal(run: DryRun, clause: TriggerClause) -> bool:
    """Tell whether a clause on a turn's end waits for a player who has proposed nothing in it, though all have to."""
    player, state = ThingRef("player", run.player), calm_state(run.adoption.after).replace(proposals={}, unsettled=())
    if clause.condition is None or clause.each or "proposals" not in clause.condition.names:
        return False
    ends = [evaluate_or_none(clause.condition, then, player=player) for then in states_at_turn_end(state, player)]
    nothing = evaluate_or_none(clause.condition, state, player=player)
    return bool(ends) and {*ends} == {False} and nothing is True


def _conditions(law: Law, clause: Clause) -> Iterator[tuple[Expression, ...]]:
    """Yield the conditions of a clause, and with them those around each of its effects that still hold by then."""
    own = clause.written_condition
    first = (own,) if own is not None else ()
    if first:
        yield first
    yield from _conditions_of_effects(law, getattr(clause, "effects", ()), first)


def _conditions_of_effects(
    law: Law, effects: Iterable[Effect], around: tuple[Expression, ...]
) -> Iterator[tuple[Expression, ...]]:
    """Yield the conditions of effects and of those inside them, each after those around it that still hold by then.

    An effect, an earlier one in a loop and a delay may change whatever depends on the state of the game.
    """
    for effect in effects:
        own = getattr(effect, "condition", None)
        inside = around
        if isinstance(own, Expression) and effect.form.name in ("when", "each"):
            inside = (*around, own)
            yield inside
        if effect.form.name not in ("when", "together"):
            inside = _lasting(law, inside)
        for inner in effects_in_slots(effect):
            yield from _conditions_of_effects(law, inner, inside)
        if effect.form.name != "be":
            around = _lasting(law, around)


def _lasting(law: Law, conditions: Iterable[Expression]) -> tuple[Expression, ...]:
    """Return those conditions that do not depend on the state of the game."""
    return tuple(one for one in conditions if not law.dependence.fields_of_expression(one))


def _why_impossible(run: DryRun, nodes: Iterable[Node]) -> str:
    """Return why conditions cannot hold together; empty if they may."""
    limits: dict[str, tuple[Number | None, Number | None]] = {}
    texts: dict[str, set[str]] = {}
    for node in nodes:
        for one, other in node.pairs_of_sides[:1]:
            sides = ((one, other, node.comparison), (other, one, TURNED.get(node.comparison, node.comparison)))
            for side, constant, comparison in sides:
                if side.is_constant or not constant.is_constant:
                    continue
                name, value = side.canonical, constant.value
                if isinstance(value, str) and comparison == "==":
                    if why := _why_no_such_text(run, side, value):
                        return why
                    texts.setdefault(name, set()).add(value)
                    if len(texts[name]) > 1:
                        return f"{name} can’t be two things"
                elif type(value) in (int, Fraction) and comparison in _COMPARISONS:
                    if name not in limits:
                        limits[name] = _range_of(run, side)
                    low, high = _narrowed(limits[name], comparison, cast(Number, value), _step_of(side))
                    if low is not None and high is not None and low > high:
                        return _range_sentence(name, _range_of(run, side), node)
                    limits[name] = low, high
    return ""


def _range_sentence(name: str, whole: tuple[Number | None, Number | None], node: Node) -> str:
    """Return why no value of something fits a condition, as half a sentence."""
    low, high = whole
    if low is not None and high is not None:
        return f"{name} is from {number_text(low)} to {number_text(high)}"
    return f"no {name} fits all its conditions ({node.canonical.strip('()')})"


def _narrowed(
    limits: tuple[Number | None, Number | None], comparison: str, value: Number, step: Number
) -> tuple[Number | None, Number | None]:
    """Return limits, narrowed by a comparison; `step` is the least difference of two such values."""
    low, high = limits
    at_least, at_most = (None if sign is None else sign * step for sign in _COMPARISONS[comparison])
    if at_least is not None:
        low = value + at_least if low is None else max(low, value + at_least)
    if at_most is not None:
        high = value + at_most if high is None else min(high, value + at_most)
    return low, high


def _step_of(node: Node) -> Number:
    """Return the least difference of two values of something: 1 for whole numbers, tiny for others, such as scores."""
    whole = node.function == "count" or (node.name or node.field) in _WHOLE_NUMBERS
    return 1 if whole else Fraction(1, 10**9)


def _range_of(run: DryRun, node: Node) -> tuple[Number | None, Number | None]:
    """Return the least and the greatest value of something, None for no limit; from the rules with the change."""
    state = run.adoption.after
    if node.name == "face":
        most = [_most_rolled(run, effect) for effect in effects_in_force(run.law) if effect.form.name == "roll"]
        known = [number for number in most if number is not None]
        return (1, max(known)) if known and len(known) == len(most) else (None, None)
    ballots = ("votes_for", "votes_against", "votes_cast")
    if (node.name or node.field) in ballots and not any(
        effect.form.name == "enter" for effect in effects_in_force(run.law)
    ):
        weights = [*vote_on_example(suppose_proposed(state, NEW_RULE_EXAMPLE, run.player)).weights.values()]
        if weights and not run.law.clauses_about("may.enter") and {*weights} == {1}:
            return 0, len(weights)
    boards = state.position.boards.values() if state.position is not None else ()
    if (
        node.field in ("rank", "file")
        and boards
        and not any(effect.form.name in ("grow", "enter") for effect in effects_in_force(run.law))
    ):
        return 1, max(getattr(board.geometry, f"{node.field}s") for board in boards)
    return None, None


def _most_rolled(run: DryRun, effect: Effect) -> int | None:
    """Return the most that an effect can roll; None if that is not fixed."""
    state = run.adoption.after
    count, sides = (evaluate_or_none(part, state) for part in (effect.dice, effect.sides))
    changing = "dice.sides" in effect.sides.keys and len(run.law.clauses_about("dice.sides")) > 1
    return count * sides if isinstance(count, int) and isinstance(sides, int) and not changing else None


def _why_no_such_text(run: DryRun, node: Node, text: str) -> str:
    """Return why something is never a text that a condition names; empty if it may be."""
    if node.name == "counter" and text not in run.law.tables:
        return f"no rule counts {text}"
    ballots = possible_ballots(run.law)
    if node.name == "ballot" and ballots is not None and text not in ballots:
        return f"no ballot is called “{text}” (vote.choices)"
    kinds = ("enact", "amend", "repeal", "transmute", "revise", "rename", "together")
    if node.canonical in ("change.kind", "proposal.change.kind") and text not in kinds:
        return f"no kind of change is called “{text}”"
    return ""


@check("locked-forever", "destructive", cost="law")
def warn_of_lasting_ban(run: DryRun) -> Messages:
    """Warn that a clause forbids proposals once there have been a certain number, and so forever.

    Count only the proposals of a turn, such as `count(q for q in proposals if q.turn == turn)`.

    Example: nb.enact("Three are enough.", "forbid propose when count(proposals) >= 3")
    """
    for clause in run.new_clauses_of_type(SetClause):
        if clause.key != "may.propose" or clause.condition is None or clause.value.node.value is not False:
            continue
        for node in clause.condition.node.conjuncts[:1] if len(clause.condition.node.conjuncts) == 1 else ():
            for side, constant in node.pairs_of_sides:
                counted = side.function == "count" and side.parts[0].name == "proposals"
                grows = node.comparison in ((">", ">=") if side is node.parts[0] else ("<", "<="))
                if counted and grows and constant.is_constant:
                    yield say(
                        "proposals-counted-for-ever",
                        "nobody could ever propose again from {number} proposals on: “{clause}” counts all proposals "
                        "of the game",
                        number=constant.value, clause=clause,
                    )  # fmt: skip


# ---------------------------------------------------------------------------------- clauses that meet now and then


@check("clauses-meet", "ambiguous", cost="law")
def warn_of_meeting_clauses(run: DryRun) -> Messages:
    r"""Warn that two clauses of the proposal set the same key to different values, and can apply at the same time.

    Give one of them a condition that excludes the other.

    Example: nb.enact("x", "set win.points to 50 while turn % 2 == 0\nset win.points to 60 while turn % 3 == 0")
    """
    for changed in run.rules_in_force_after:
        rule = changed.new
        clauses = [one for one in rule.clauses if type(one) is SetClause and one.condition] if rule else []
        met: set[SetClause] = set()  # of many that meet, each is named once
        for first, other in combinations(clauses, 2):
            if first.key != other.key or first.value == other.value or "otherwise" in (*first.names, *other.names):
                continue
            if not met.isdisjoint((first, other)) or {first, other}.isdisjoint(run.new_clauses):
                continue
            if when := _when_both_hold(run, first, other):
                met |= {first, other}
                yield say(
                    "clauses-meet", "“{one}” and “{other}” contradict each other {when}",
                    one=first, other=other, when=when,
                )  # fmt: skip


def _when_both_hold(run: DryRun, one: SetClause, other: SetClause) -> str:
    """Return when two clauses hold at the same time, in words; empty if they never do, or that cannot be told."""
    conditions = [clause.condition for clause in (one, other) if clause.condition is not None]
    law, state = run.law, run.adoption.after
    fields = frozenset().union(*(law.dependence.fields_of_expression(condition) for condition in conditions))
    if fields and fields <= {"turn", "circuit"} and len(fields) == 1:
        name = next(iter(fields))
        begun = int(getattr(state, name))
        for at in range(begun, begun + MOST_TURNS):
            then = state.replace(turn=at) if name == "turn" else state.replace(circuit=at)
            if all(evaluate_or_none(condition, then) is True for condition in conditions):
                return f"in {'turn' if name == 'turn' else 'round'} {at}"
        return ""
    nodes = [node for condition in conditions for node in condition.node.conjuncts]
    sides = [_compared_number(node) for node in nodes]
    if len(sides) != 2 or None in sides or sides[0] != sides[1] or _why_impossible(run, nodes):
        return ""
    return f"if both {nodes[0].canonical.strip('()')} and {nodes[1].canonical.strip('()')}"


def _compared_number(node: Node) -> str | None:
    """Return what a comparison compares with a number; None for any other condition."""
    for side, constant in node.pairs_of_sides if node.comparison in _COMPARISONS else ():
        if type(constant.value) is int and constant.is_constant and not side.is_constant:
            return side.canonical
    return None
