"""How one wins, by the rules in force: a line, and below it what these rules say, in their words and read back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from nomic_nb.law.clauses import Clause
from nomic_nb.law.rules import Rule
from nomic_nb.markup.prose import worded
from nomic_nb.markup.tree import el, fold, quiet, soft
from nomic_nb.markup.words import full_sentence
from nomic_nb.play.state import State
from nomic_nb.show.law import number_of, sentences
from nomic_nb.views.explained import explain

#: The condition of winning; the event by which somebody is out; and what else ends a game, which the line leaves out.
WINNING, OUT, STUCK = "win.winners", "eliminated", "win.when_stuck"


def aims(state: State) -> dict[str, tuple[Rule, ...]]:
    """Return the rules in force on winning, by the term that they settle, those that prevail first.

    Beside them stand those that put players out of the game, by the name of that event.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> found = aims(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).state)
    >>> {term: [rule.number for rule in rules] for term, rules in found.items()}
    {'win.winners': [112], 'win.points': [208], 'win.when_stuck': [213]}
    """
    about = (WINNING, *(key for key, _ in state.law.dependence.behind(WINNING) if key.startswith("win.")), STUCK)
    found = {}
    for key in sorted(dict.fromkeys(about), key=lambda one: (one == STUCK, one != WINNING)):
        prevails = state.find(key).rule
        rules = {one.rule.id: one.rule for one in state.law.speaking(key) if one.rule.id not in state.rules.void}
        found[key] = tuple(sorted(rules.values(), key=lambda one: one.number != prevails))
        if key == WINNING:
            found[OUT] = tuple(rule for rule in state.rules.in_force if any(map(_puts_out, rule.clauses)))
    return {key: rules for key, rules in found.items() if rules}


def _puts_out(clause: Clause) -> bool:
    """Tell whether a clause puts somebody out of the game."""
    return any(OUT in one.form.makes for one in clause.every_effect())


def aim(state: State, found: dict[str, tuple[Rule, ...]]) -> Element:
    """Return how one wins, folded.

    Parameters
    ----------
    state : State
        As the game stands.
    found : dict of str to tuple of Rule
        What `aims` found in it.
    """
    told = dict.fromkeys(rules[0] for key, rules in found.items() if key != STUCK)
    line = [part for rule in told for part in (f" {_first(rule)} ", soft(f"(rule {rule.number})"))]
    if not state.find(WINNING).answered:
        line = [" The rules in force do not settle it."]
    every = dict.fromkeys(rule for rules in found.values() for rule in rules)
    body = [part for rule in every for part in _told(rule, set(found))]
    return fold([el("strong", "How one wins:"), *line], el("div", *body, cls="body"), cls="entry")


def _first(rule: Rule) -> str:
    """Return the first sentence of what a rule says."""
    said = " ".join(rule.wording.split()) or rule.title
    return full_sentence(re.split(r"(?<=[.!?])\s", said, maxsplit=1)[0])


def _told(rule: Rule, keys: set[str]) -> Iterator[Element]:
    """Yield what a rule says of winning, and how the game understands its clauses on it."""
    yield el("h3", number_of(rule), f" {rule.title}")
    yield worded(rule.wording)
    about = (one for one in rule.clauses if getattr(one, "key", "") in keys or (OUT in keys and _puts_out(one)))
    words = {one.words for one in about}
    if (read := sentences(one for one in explain(rule).clauses if one.clause in words)) is not None:
        yield quiet("The game keeps to this:")
        yield read
