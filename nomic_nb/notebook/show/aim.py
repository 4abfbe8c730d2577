"""How one wins, by the rules in force: a line, and below it what these rules say, in their words and read back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from xml.etree.ElementTree import Element

from nomic_nb.engine.law.clauses import Clause
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.play.state import State
from nomic_nb.engine.words import full_sentence
from nomic_nb.notebook.markup.prose import worded
from nomic_nb.notebook.markup.tree import Child, el, fold, quiet, soft
from nomic_nb.notebook.show.law import number_of, remarks, sentences
from nomic_nb.study.review.mismatches import figures
from nomic_nb.study.views.explained import explain
from nomic_nb.study.views.in_force import beside_wording, changed_alone, sentence

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
    told = {rules[0]: key for key, rules in reversed(found.items()) if key != STUCK}  # of two keys the first
    line = [part for rule, key in reversed(told.items()) for part in _in_short(state, rule, key)]
    if not state.find(WINNING).answered:
        line = [" The rules in force do not settle it."]
    every = dict.fromkeys(rule for rules in found.values() for rule in rules)
    body = [part for rule in every for part in _told(state, rule, set(found))]
    return fold([el("strong", "How one wins:"), *line], el("div", *body, cls="body"), cls="entry")


def _in_short(state: State, rule: Rule, key: str) -> list[Child]:
    """Return what a rule says in its first sentence; if something else is in force, that, and then the sentence."""
    first, found = _first(rule), state.find(key) if key != OUT else None
    if found is not None and found.answered and _worded_otherwise(rule, first, found):
        said = " ".join(sentence(one.rule, one.clause) for one in found.sources)
        if _is_number(found.value) and str(found.value) not in said:  # it is reckoned out
            said += f" Now that is {found.value}."
        return [el("strong", f" {said} "), soft(f"(rule {rule.number}; its wording says: “{first}”)")]
    return [f" {first} ", soft(f"(rule {rule.number})")]


def _worded_otherwise(rule: Rule, first: str, found: Finding) -> bool:
    """Tell whether the wording may name another number than is in force, or says less than the clause settles."""
    words = {one.clause.words for one in found.sources if one.rule.id == rule.id}
    if any(clause.words in words for clause, _ in changed_alone(rule)):
        return True
    if not _is_number(found.value):
        return False
    return found.value not in figures(rule.wording) or bool((said := figures(first)) and found.value not in said)


def _is_number(value: object) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _first(rule: Rule) -> str:
    """Return the first sentence of what a rule says."""
    said = " ".join(rule.wording.split()) or rule.title
    return full_sentence(re.split(r"(?<=[.!?])\s", said, maxsplit=1)[0])


def _told(state: State, rule: Rule, keys: set[str]) -> Iterator[Element]:
    """Yield what a rule says of winning, and how the game understands its clauses on it."""
    yield el("h3", number_of(rule), f" {rule.title}")
    if (otherwise := remarks(beside_wording(rule, state))) is not None:
        yield otherwise
    yield worded(rule.wording)
    about = (one for one in rule.clauses if getattr(one, "key", "") in keys or (OUT in keys and _puts_out(one)))
    words = {one.words for one in about}
    if (read := sentences(one for one in explain(rule).clauses if one.clause in words)) is not None:
        yield quiet("The game keeps to this:")
        yield read
