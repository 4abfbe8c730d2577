"""What is in force where the wording of a rule says something else, or may say it."""

from __future__ import annotations

from collections.abc import Iterator

from nomic_nb.engine.law.clauses import Clause, Set
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.play.state import State
from nomic_nb.engine.rulesets.ruleset import agreed_note, fixes
from nomic_nb.study.views.explained import explain


def beside_wording(rule: Rule, state: State) -> tuple[str, ...]:
    """Return what is in force beside the wording of a rule, a sentence each; nothing where the two go together.

    They part where a term was agreed otherwise before play, where the clauses were amended and the wording was
    not, and where another rule prevails.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, terms={"win.points": 30})
    >>> beside_wording(game.rules[208], game.state)
    ('agreed before play, and not in the wording: The score that wins is 30.',)
    """
    return tuple(dict.fromkeys((*clauses_alone(rule), *_defeated(rule, state))))


def sentence(rule: Rule, clause: Clause) -> str:
    """Return how a clause of a rule reads in plain words."""
    return next(one.sentence for one in explain(rule).clauses if one.clause == clause.words)


def clauses_alone(rule: Rule) -> Iterator[str]:
    """Say which clauses are others than when the wording was written, whatever other rules say."""
    return (f"{why}: {sentence(rule, clause)}" for clause, why in changed_alone(rule))


def changed_alone(rule: Rule) -> Iterator[tuple[Clause, str]]:
    """Yield the clauses that became others while the wording stayed, and how."""
    older = rule
    while older.before is not None and older.before.wording == rule.wording:
        older = older.before
    known = {one.words for one in older.clauses}
    for clause in rule.clauses:
        if clause.words not in known:
            yield clause, "the clauses were changed without the wording"
        elif fixes(clause) and agreed_note(clause.key, clause.value.text) in older.notes:
            yield clause, "agreed before play, and not in the wording"


def _defeated(rule: Rule, state: State) -> Iterator[str]:
    """Say which rules prevail over what this one says in every case."""
    for clause in rule.clauses:
        if not fixes(clause):
            continue
        found = state.find(clause.key)
        if not found.answered or all(one.source.clause is not clause for one in found.defeated):
            continue
        for source in found.sources:
            if isinstance(source.clause, Set) and source.clause.value.text != clause.value.text:
                yield f"rule {source.rule.number} prevails: {sentence(source.rule, source.clause)}"
