"""What a player of the kit may propose: ready-made rules in several sizes, rules on the score, and changes of rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import chain, islice
from random import Random

from nomic_nb.engine.errors import PlainRefusal, WrongValue
from nomic_nb.engine.law.changes import Change, repeal, transmute
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.play.adoptability import can_become_owed
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.trial_adoption import calm_state
from nomic_nb.study.library.ready_made import Catalogue, CatalogueEntry, LibraryRule
from nomic_nb.study.players.kinds import LETS_A_PERSON_IN
from nomic_nb.study.review.applicable_rules import effect_on_rules_in_words, find_rule_to_amend
from nomic_nb.study.views.course import goal_data

#: Ready-made rules, and rules made in play, that are thought of at once.
MOST_READY_MADE, MOST_IN_FORCE = 5, 1
#: By how much the numbers in ready-made rules are changed.
SIZES = (1, 1, 2, 1.5, 0.6, 1.8)
#: Rules on the counter that wins: title, wording and law, and the least and the greatest number in them.
ON_THE_SCORE = (
    (
        "{n} {c} to catch up",
        "As soon as this rule is made, everyone who has fewer {c} than the leader gets {n} {c}. That is all it does.",
        """on enacted each p in [q for q in playing if q.{c} < max([r.{c} for r in playing])] when rule == this:
    award {n} {c} to p""",
        (3, 8),
    ),
    (
        "{n} {c} for each proposal that has passed",
        "When this rule is made, each player gets {n} {c} for each of their proposals that has passed, including this.",
        """on enacted each p in playing when rule == this: award {n} *
    count(q for q in proposals if q.proponent == p and q.status == "adopted") {c} to p""",
        (2, 4),
    ),
    (
        "{n} {c} for a vote in favour",
        "Each time a proposal passes, each player who voted for it gets {n} {c}.",
        "on adopted: award {n} {c} to supporters",
        (2, 3),
    ),
    (
        "{n} {c} for last place after a round",
        "At the end of every round, each player who has the fewest {c} gets {n} {c}.",
        "on circuit_ended: award {n} {c} to lowest(playing, [p.{c} for p in playing])",
        (3, 8),
    ),
    (
        "{n} {c} for the proposer, 2 for the others",
        "Each time a proposal passes, its proponent gets {n} {c} and every other player gets 2 {c}.",
        "on adopted: award {n} {c} to proponent; award 2 {c} to [p for p in playing if p != proponent]",
        (4, 7),
    ),
    (
        "{n} {c} for a proposal without opposition",
        "Each time a proposal passes and nobody voted against it, its proponent gets {n} {c}.",
        "on adopted when count(opponents) == 0: award {n} {c} to proponent",
        (3, 8),
    ),
    (
        "{n} {c} for stopping a proposal",
        "Each time a proposal fails, each player who voted against it gets {n} {c}.",
        "on defeated: award {n} {c} to opponents",
        (2, 4),
    ),
    (
        "{n} more {c} for a 6",
        "A player who rolls a 6 gets {n} more {c}.",
        "on thrown when face == 6 and player != none: award {n} {c} to player",
        (2, 6),
    ),
)
#: What rules that look at rolls have in their clauses.
_ON_ROLLS = re.compile(r"\bon thrown\b|\b(?:throw|dice)\.")
#: How many of these are thought of at once.
MOST_ON_THE_SCORE = 5
#: What a place for the number of a rule is called.
RULE_NUMBER = "the rule's number"


def changes_to_propose(state: State, player: str, dice: Random) -> Iterator[Change]:
    """Yield changes that would have an effect and that a player may want to propose; the rules may refuse some."""
    goal, calm, entries = goal_data(state), calm_state(state), list(Catalogue())
    paid = any(rule.how != "initial" and "award " in rule.law for rule in state.rules)
    for *texts, span in dice.sample(ON_THE_SCORE, MOST_ON_THE_SCORE) if goal is not None else ():
        number, counter = dice.randint(*span), goal["counter"] if goal is not None else ""
        title, wording, law = (text.format(n=number, c=counter) for text in texts)
        wording += " This is in addition to what other rules give." * paid
        if "on thrown" not in law or _is_anything_rolled(calm):
            yield from _fitting_changes(calm, LibraryRule(title, wording, law))
    boards, rolls = state.position is not None, _is_anything_rolled(calm)
    ready_made = (
        _fill_in(one, player, state, dice)
        for one in dice.sample(entries, len(entries))
        if (boards or not one.on_boards) and (rolls or not _ON_ROLLS.search(one.rule.law))
    )
    fitting = chain.from_iterable(
        _fitting_changes(calm, rule)
        for rule in ready_made
        if rule is not None and not LETS_A_PERSON_IN.search(rule.law)
    )
    yield from islice(fitting, MOST_READY_MADE)
    rules = list(state.rules)
    made = [rule for rule in rules if rule.how != "initial"] or rules
    yield from (repeal(rule.number) for rule in (*dice.sample(made, min(MOST_IN_FORCE, len(made))), dice.choice(rules)))
    yield transmute(dice.choice(rules).number)


def _is_anything_rolled(state: State) -> bool:
    """Tell whether rules in force can ask for a roll."""
    try:
        return can_become_owed(state.law, state, "roll")
    except Undecided:
        return True


def _fitting_changes(state: State, rule: LibraryRule) -> Iterator[Change]:
    """Yield the change that makes a rule, if it has an effect."""
    target = find_rule_to_amend(state, rule)
    with suppress(PlainRefusal):  # it speaks of what there is not, such as points where none are counted
        if effect_on_rules_in_words(state, rule, target) is not None:
            yield rule.change(target)


def _fill_in(entry: CatalogueEntry, player: str, state: State, dice: Random) -> LibraryRule | None:
    """Return a ready-made rule, with its number of points changed by chance, and a player and a rule if it names one.

    None if no rule has a number that it could name.
    """
    size, filled = dice.choice(SIZES), dict[str, int | str]()
    numbers = [rule.number for rule in state.rules if isinstance(rule.number, int)]
    for place in entry.places:
        if place.what == RULE_NUMBER:
            if not numbers:
                return None
            filled[place.name] = dice.choice(numbers)
        elif place.name in ("player", "points"):
            filled[place.name] = player if place.name == "player" else max(round(int(place.default) * size), 1)
    try:
        return entry.make(**filled)
    except WrongValue:  # too large or too small, or a name that clauses cannot quote
        return entry.rule


def family_of(change: Change) -> str:
    """Return what changes that are alike have in common: the title without numbers, or the kind and the target."""
    title = "".join(letter for letter in change.title or "" if not letter.isdigit())
    return title.strip() or f"{change.kind} {change.target}"


def subject_of(change: Change) -> str:
    """Return the subject of a ready-made rule; ``points`` for rules on the score; else the kind of change."""
    return _subjects().get(family_of(change), "points" if change.title else change.kind)


@cache
def _subjects() -> dict[str, str]:
    """Return the subjects of ready-made rules, by what is alike in their titles."""
    return {family_of(entry.rule.change()): entry.subject for entry in Catalogue()}
