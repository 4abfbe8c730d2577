"""Warnings about what a rule counts for its own use: it goes the wrong way, or allows something once too often."""

from __future__ import annotations

from collections.abc import Iterator

from nomic_nb.engine.law.clauses import (
    Clause,
    Effect,
    InsteadClause,
    OfferClause,
    SetClause,
    TrackClause,
    TriggerClause,
)
from nomic_nb.engine.law.nodes import Node
from nomic_nb.engine.law.values import Number
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.words import counter_named, number_text
from nomic_nb.study.review.cases import all_effects, effects_in_slots, table_changed_by
from nomic_nb.study.review.dry_run import DryRun
from nomic_nb.study.review.warnings.consistency import constant_number
from nomic_nb.study.review.warnings.registry import Messages, check
from nomic_nb.study.review.warnings.wording import newly_found, numbers_up_to, signs_near

#: The comparisons in which a number is the most, or one more than the least, turned so that the number comes last.
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@check("counter-turned", "mismatch", cost="read")
def warn_of_turned_counter(run: DryRun) -> Messages:
    r"""Warn that a counter of the proposed rule goes the wrong way: it only ever falls, or a price is added.

    Change the sign in the clause.

    Example: nb.enact("At most 3 a week.", "track used per game from 0\non taken: award -1 used to game")
    """
    known = run.before.law.tables
    yield from newly_found(run, lambda wording, clauses: _find_turned_counters(wording, clauses, frozenset(known)))


def _find_turned_counters(wording: str, clauses: tuple[Clause, ...], known: frozenset[str]) -> Iterator[Message]:
    """Yield messages on counters that start at 0 and only fall, and on prices that are added to what pays them."""
    parts = [part for clause in clauses for part in clause.with_inner_clauses]
    for track in parts:
        if not isinstance(track, TrackClause) or track.counter in known or constant_number(track.start.node) != 0:
            continue
        if -1 in signs_near(track.counter, wording):
            continue
        changes = [one for one in all_effects(parts, "award", "put", "pay") if one.counter == track.counter]
        falls = [one for one in changes if one.form.name == "award" and _sign_of(one.amount.node) < 0]
        puts = [one for one in changes if one.form.name == "put" and constant_number(one.value.node) == 0]
        if falls and len(falls) + len(puts) == len(changes):
            yield say(
                "counter-only-falls", "{counter} start at 0, and “{effect}” only ever lowers them",
                counter=track.counter.replace("_", " "), effect=falls[0].words,
            )  # fmt: skip
    for clause in [part for part in parts if isinstance(part, OfferClause)]:
        for counter, owner, least in _needs(clause):
            changes = [one for one in clause.all_effects("award") if one.counter == counter and _owner(one) == owner]
            gains = [one for one in changes if constant_number(one.amount.node) == least]
            if gains and len(gains) == len(changes) and 1 not in signs_near(counter, wording):
                yield say(
                    "price-added", "“{offer}” needs {least} {counter}, and then “{effect}” adds as many",
                    offer=clause.name, least=number_text(least), counter=counter_named(counter, least),
                    effect=gains[0].words,
                )  # fmt: skip


def _sign_of(node: Node) -> int:
    """Return the sign of an amount that has one whatever the game: 0 if that is not sure."""
    amount = constant_number(node)
    return 0 if amount is None else -1 if amount < 0 else 1


def _owner(effect: Effect) -> str:
    """Return for whom an effect changes a counter, as it is written."""
    return str(effect.who.node.canonical) if effect.who is not None else ""


def _needs(clause: OfferClause) -> Iterator[tuple[str, str, Number]]:
    """Yield what an offer needs: a counter, whose it is, and how much of it."""
    for node in clause.condition.node.conjuncts if clause.condition is not None else ():
        for counter, comparison, limit in _limits_of_counters(node):
            if comparison in (">=", ">") and (least := limit + (comparison == ">")) > 0:
                yield counter.field, counter.parts[0].canonical, least


def _limits_of_counters(node: Node) -> Iterator[tuple[Node, str, Number]]:
    """Yield what a comparison compares with a number, if it is a field of something: the field, how, the number."""
    for side, constant in node.pairs_of_sides[:1] if node.comparison in _TURNED else ():
        for one, other, comparison in ((side, constant, node.comparison), (constant, side, _TURNED[node.comparison])):
            if one.field and (limit := constant_number(other)) is not None:
                yield one, comparison, limit


@check("winners-together", "mismatch", cost="read")
def warn_of_winners_kept_together(run: DryRun) -> Messages:
    """Warn that because of one of several winners, a win is put off for all of them, or for none.

    Limit the points of those who may not win: `set counter.value to min([otherwise, win.points - 1]) while …`.

    Example: nb.enact("No debts.", 'instead of won when any(w.points > 9 for w in winners): announce "Pay first."')
    """
    for clause in run.new_clauses_of_type(InsteadClause):
        nodes = clause.condition.node.walk() if clause.event == "won" and clause.condition is not None else ()
        if any(node.loop == "any" and node.parts[1].name == "winners" for node in nodes):
            yield say(
                "winners-together", "“{clause}” is for all who have enough, or for none of them. To keep only some "
                "from winning, limit their points: {cure}",
                clause=clause,
                cure='`set counter.value to min([otherwise, win.points - 1]) while counter == "points" and …`',
            )  # fmt: skip


@check("once-too-often", "mismatch", cost="read")
def warn_of_use_too_many(run: DryRun) -> Messages:
    r"""Warn that a clause allows something once more often than its wording says.

    What is counted has not happened yet when the clause looks: write `< 3` for “at most 3 times”.

    Example: nb.enact("At most 3.", "track x per game from 0\noffer 'go' when game.x <= 3: award 1 x to game")
    """
    yield from newly_found(run, _find_uses_too_many)


def _find_uses_too_many(wording: str, clauses: tuple[Clause, ...]) -> Iterator[Message]:
    """Yield messages on limits of a wording that a clause allows to be passed by one."""
    parts, most = [part for clause in clauses for part in clause.with_inner_clauses], {*numbers_up_to(wording)}
    tracked = {one.counter for one in parts if isinstance(one, TrackClause) and constant_number(one.start.node) == 0}
    raised = {one.counter for one in all_effects(parts, "award") if constant_number(one.amount.node) == 1}
    for clause in parts if most else ():
        ban = isinstance(clause, SetClause) and clause.key.startswith("may.") and clause.value.node.value is False
        if clause.written_condition is None or not (ban or isinstance(clause, OfferClause)):
            continue
        for node in clause.written_condition.node.conjuncts:
            for counter, comparison, limit in _limits_of_counters(node):
                if counter.field in tracked & raised and limit in most and comparison == (">" if ban else "<="):
                    yield say(
                        "allowed-once-more",
                        "its wording says {most}, but with “{condition}” it is possible {more} times",
                        most=number_text(limit), condition=node.canonical.strip("()"), more=number_text(limit + 1),
                    )  # fmt: skip


@check("below-zero", "ambiguous", cost="read")
def warn_of_answers_below_zero(run: DryRun) -> Messages:
    """Warn that players choose any number, also one below zero, and a clause pays or awards that number.

    Let it be chosen from `numbers(1, player.points)`, or give the effect a condition.

    Example: nb.enact("Gifts.", 'offer "give": let player choose n from any number; pay n points from player to mover')
    """
    for clause in run.new_clauses:
        effects = clause.all_effects() if isinstance(clause, TriggerClause) else []
        for asking in effects:
            if getattr(asking, "options", None) != "any number" or asking.form.name != "let":
                continue
            name = asking.name
            limits = (
                effect.condition for effect in effects if effect.form.name in ("when", "each") and effect.condition
            )
            paid = [
                effect for effect in effects if effect.form.name in ("award", "pay") and name in effect.amount.names
            ]
            if paid and not any(name in limit.names for limit in limits):
                yield say(
                    "answer-below-zero", "{name} can also be a number below zero in “{effect}”. Let it be chosen from "
                    "numbers(1, player.points), or put this below `when {name} > 0:`",
                    name=name.replace("_", " "), effect=paid[0].words,
                )  # fmt: skip


#: Comparisons of which always one is true and one false.
_OPPOSITES = {">=": "<", "<": ">=", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


@check("both-happen", "mismatch", cost="read")
def warn_of_cases_that_both_happen(run: DryRun) -> Messages:
    """Warn that of two effects for opposite cases, the first can bring about the case of the second.

    Give the case a name before both: `let poor be player.coins < 1`.

    Example: nb.enact("P.", "on said: when mover.points < 4: award 5 points to mover; when mover.points >= 4: end turn")
    """
    for clause in run.new_clauses:
        for effects in _lists_of_effects(getattr(clause, "effects", ())):
            for at, first in enumerate(effects):
                for other in effects[at + 1 :]:
                    if first.form.name == other.form.name == "when" and _can_lead_to(first, other):
                        yield say(
                            "first-leads-to-second", "“when {first}” comes first, and its effect can make “{second}” "
                            "true, so that both happen",
                            first=first.condition.text, second=other.condition.text,
                        )  # fmt: skip


def _lists_of_effects(effects: tuple[Effect, ...]) -> Iterator[tuple[Effect, ...]]:
    """Yield a list of effects that are done one after the other, and all those nested in it."""
    yield effects
    for effect in effects:
        for inner in effects_in_slots(effect):
            yield from _lists_of_effects(inner)


def _can_lead_to(first: Effect, other: Effect) -> bool:
    """Tell whether two effects are for cases that exclude each other, and the first can bring about the second's."""
    one, two = first.condition.node, other.condition.node
    rising = {">": 1, ">=": 1, "<": -1, "<=": -1}.get(one.comparison, 0)  # which a gain, or a loss, leaves true
    changing = [
        made for some in _lists_of_effects((first,)) for made in some
        if table_changed_by(made) and (made.form.name != "award" or not rising or _sign_of(made.amount.node) != rising)
    ]  # fmt: skip
    changed = {*map(table_changed_by, changing)} & {node.field or node.text for node in one.walk()}
    same = [part.canonical for part in one.parts[:1]] == [part.canonical for part in two.parts[:1]]
    if (one.comparison, two.comparison) == ("==", "==") and same:
        put = {constant_number(made.value.node) for made in changing if made.form.name == "put"}
        return bool(changed) and one.canonical != two.canonical and constant_number(two.parts[1]) in put - {None}
    negated = two.connective == "not" and two.parts[0].canonical == one.canonical
    opposite = same and _OPPOSITES.get(one.comparison) == two.comparison and one.parts[1:] and (
        one.parts[1].canonical == two.parts[1].canonical
    )  # fmt: skip
    return bool(changed and (negated or opposite))
