"""Signs that play would come to wait for what a rule forbids."""

from __future__ import annotations

from collections.abc import Iterator

from nomic_nb.explore.seen import Seen
from nomic_nb.explore.smells import never
from nomic_nb.explore.votes import casts
from nomic_nb.law.changes import Change
from nomic_nb.law.clauses import On, Set
from nomic_nb.law.rules import Number, Source
from nomic_nb.markup.words import cited, listed
from nomic_nb.play.asking import ask
from nomic_nb.play.possible import barred, supposed, supposed_case
from nomic_nb.play.state import State

#: Actions that play waits for, and goes on by no other way.
AWAITED = frozenset({
    "begin_turn", "call_vote", "choose", "close_vote", "consent", "end_turn", "overrule", "reveal", "roll", "rule_on",
    "seal", "vote",
})  # fmt: skip


def standing_still(seen: Seen) -> Iterator[str]:
    """Yield who could not propose, and where play could come to stand still, so that somebody wins by it."""
    new, adoption = seen.new, seen.adoption
    if new is None or adoption is None or not adoption.in_force or new.id not in adoption.after.rules.rules:
        return
    after = adoption.after
    when = {one.clause.words: one.when for one in seen.supposed}
    for one in seen.supposed:
        if one.clause.key == "may.propose":
            yield from _proposers(one.state, one.when, new.number)
    wins = ask(after, "win.when_stuck")
    told = f"; then rule {wins.rule} says who wins" if wins.rule is not None else ""
    if _waits_for_dummies(seen, after):
        yield f"play can come to a standstill: it waits for the ballot of a dummy, which no rule casts{told}"
    for clause in seen.fresh:
        if not isinstance(clause, Set):
            continue
        action = clause.key.removeprefix("may.")
        if action == "propose" and clause.words not in when and clause.value.node.value is False:
            yield from _proposers(after, "", new.number)
        if action not in AWAITED or clause.value.node.value is not False or any(never(after.law, Source(new, clause))):
            continue
        where = f" where {when[clause.words]}" if clause.words in when else ""
        meaning = after.law.vocabulary.actions[action].meaning
        yield f"play can come to a standstill: it waits for somebody to {meaning}, which is forbidden{where}{told}"


def _waits_for_dummies(seen: Seen, after: State) -> bool:
    """Tell whether votes would wait for dummies that a clause lets enter later on."""
    clauses = [one for one in seen.fresh if isinstance(one, On)]
    entering = any(one.form.name == "enter" and one.kind == "dummy" for each in clauses for one in each.every_effect())
    if not entering or casts(after.law) or not after.persons or set(after.playing) - set(after.persons):
        return False
    asked = supposed(after, Change("enact", None, "An example."), after.persons[0])
    return ask(asked, "vote.duty", supposed_case()).value is True


def _proposers(state: State, when: str, rule: Number) -> Iterator[str]:
    """Say who cannot propose anything where a clause holds."""
    out = [name for name in state.persons if barred(state, name, "propose") is not None]
    if out:
        who = "nobody can" if len(out) == len(state.persons) else f"{listed(out)} cannot"
        yield f"{who} propose{f' while {when}' if when else ' any more'}{cited(rule)}"
