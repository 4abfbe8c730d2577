"""What players see of the law: the rules by number, the terms by key."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from nomic_nb.chess.fairplay.hypotheticals import FOR_PEOPLE
from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import empty_square_error
from nomic_nb.chess.play.records import NO_BOARDS_MESSAGE
from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import NotThere, WrongArgument
from nomic_nb.engine.law.changes import read_rule_number
from nomic_nb.engine.law.clauses import ClaimClause, Clause, DraftClause, SetClause, TriggerClause
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Node
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.law.slots import MINUTES_PER_UNIT
from nomic_nb.engine.law.values import ThingRef, Type, Value
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.messages import say
from nomic_nb.engine.play import state as play
from nomic_nb.engine.play.clock import MIDNIGHT_EVENT
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import PlayerNote, first_options
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.record.seals import open_seals
from nomic_nb.engine.rulesets.literate import is_fixed_term, note_on_agreed_term
from nomic_nb.engine.subjects import judgment
from nomic_nb.engine.words import group_pairs, join_words
from nomic_nb.study import frames
from nomic_nb.study.views.explanations import explain
from nomic_nb.study.views.judgments import Judgments
from nomic_nb.study.views.phrases import wording_table

if TYPE_CHECKING:
    import pandas as pd


# -------------------------------------------------------------- the case in which a term of the law is asked about


def make_case(state: State, key: str, given: Mapping[str, object]) -> dict[str, Value]:
    """Return a case for a key: players, armies and boards by name, rules by number, pieces by their squares.

    Raises
    ------
    KeyError
        The key's case has no such name, or there is no such player, army, rule …
    TypeError
        A value of another kind.
    """
    declared = state.law.vocabulary.keys[key]
    case = {**declared.case, **declared.may_know}
    for name in given:
        if name not in case:
            known = ", ".join(f"{one} ({kind})" for one, kind in case.items())
            raise NotThere(
                say(
                    "case-not-asked",
                    "{term} is not asked by {name!r}; it is asked by {known}",
                    term=key,
                    name=name,
                    known=known or "nothing",
                )
            )
    return {name: _case_value(state, name, case[name], one) for name, one in given.items()}


def _case_value(state: State, name: str, kind: Type, given: object) -> Value:
    if kind.name == "list" and kind.item is not None:
        if not isinstance(given, list | tuple):
            raise WrongArgument(
                say("case-not-a-list", "{name} is a list; found {found!r}", name=name, found=str(given)[:40])
            )
        return tuple(_case_value(state, name, kind.item, one) for one in given)
    if given is None and kind.maybe:
        return None
    plain = {"text": str, "truth": bool, "number": int | Fraction}.get(kind.name)
    if plain is not None:
        if not isinstance(given, plain) or (kind.name == "number" and isinstance(given, bool)):
            raise WrongArgument(
                say(
                    "case-of-another-kind",
                    "{name} is {kind}; found {found!r}",
                    name=name,
                    kind=kind.one,
                    found=str(given)[:40],
                )
            )
        return given
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise WrongArgument(
            say(
                "case-said-otherwise",
                "{name} is {kind}, said by {said_by}; found {found!r}",
                name=name,
                kind=kind.one,
                said_by=wording_table("said_by")[kind.name],
                found=str(given)[:40],
            )
        )
    return ThingRef(kind.name, _find_id(state, kind.name, given))


def _find_id(state: State, kind: str, given: str | int) -> str | int:
    """Return the id of what is said in this way."""
    boards: Multiverse | None = state.position
    if kind == "rule":
        rule = state.rules.by_number.get(read_rule_number(given))
        if rule is None:
            raise NotThere(state.rules.describe_missing(given))
        return rule.id
    if kind in ("square", "piece"):
        try:
            if boards is None:
                raise NotThere(NO_BOARDS_MESSAGE)
            square = boards.name(*boards.square(str(given)))
        except MultiverseError as error:
            raise NotThere(error.said) from None
        piece = boards.at(square)
        if kind == "piece" and piece is None:
            raise NotThere(empty_square_error(square))
        return square if kind == "square" or piece is None else piece.id
    there: dict[str, Mapping[Any, object]] = {
        "player": state.players, "proposal": state.proposals, "judgment": state.judgments,
        "army": boards.armies if boards is not None else {}, "board": boards.boards if boards is not None else {},
    }  # fmt: skip
    if given not in there[kind]:
        raise NotThere(
            say(
                "nothing-called-so",
                "there is no {kind} {given!r}; there are {known}",
                kind=kind,
                given=given,
                known=", ".join(map(str, there[kind])) or "none",
            )
        )
    return given


# ------------------------------------------------------------------------------------------------ who keeps a rule


#: Notes of a rule set begin so where the game keeps to a rule that has no clauses: the program, or what others say.
ENFORCEMENT_TEXTS = ("Kept by the kit itself", "Kept by the clauses of other rules")
#: Notes of a rule set have these words where something in the wording is left to people beside the clauses.
FOR_PEOPLE_NOTE = "for the players"
#: What people are asked for, in the order in which it is said.
ANSWER, SAY, JUDGE, TIME = "to answer", "what is so", "to judge", "for the time"
_JUDGE_KEYS = frozenset(one.name for one in judgment.KEYS)


#: Marks beside a rule: a letter that is full, half or empty, so that no colour is needed, and words.
GAME, ASKS, PEOPLE = "● game", "◐ asks people", "○ people"


def enforced_by(rule: Rule) -> tuple[str, ...]:
    """Return who keeps a rule, as its clauses have it: the game, people whom it asks, people alone, or several of them.

    Parameters
    ----------
    rule : Rule
        As it is in force.

    Returns
    -------
    tuple of str
        At least one mark.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> rules = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).rules
    >>> enforced_by(rules[203]), enforced_by(rules[210])
    (('● game',), ('○ people',))
    """
    known = language().vocabulary
    asked = [
        tuple(_questions_to_people(one, known))
        for one in rule.clauses
        if not isinstance(one, ClaimClause | DraftClause)
    ]
    how = list(dict.fromkeys(way for ways in asked for way in ways))
    marks = [GAME] if () in asked or is_enforced_without_clauses(rule) else []
    marks += [f"{ASKS} {join_words(how)}"] if how else []
    return (*marks, PEOPLE) if not marks or _is_left_to_people(rule) else tuple(marks)


def enforcement_signs(rule: Rule) -> str:
    """Return the marks beside a rule as a text.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> enforcement_signs(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).rules[101])
    '● game ○ people'
    """
    return " ".join(enforced_by(rule))


def is_enforced_without_clauses(rule: Rule) -> bool:
    """Tell whether the game keeps to a rule that has no clauses."""
    return not rule.clauses and len(rule.parts) == 1 and any(one.startswith(ENFORCEMENT_TEXTS) for one in rule.notes)


def _is_left_to_people(rule: Rule) -> bool:
    """Tell whether people keep a part of a rule: one in words alone, or what its rule set leaves to them."""
    noted = len(rule.parts) == 1 and any(FOR_PEOPLE_NOTE in one for one in rule.notes)
    return noted or any(not one.law.strip() for one in rule.standing if rule.clauses)


def _questions_to_people(clause: Clause, known: Vocabulary) -> Iterator[str]:
    """Yield what people are asked for so that a clause can be kept."""
    if isinstance(clause, SetClause) and clause.key in _JUDGE_KEYS:
        yield JUDGE
    if isinstance(clause, TriggerClause):
        yield from (f"to {one.name}" for one in ACTIONS.values() if one.heard and one.makes == clause.event)
        effects = list(clause.every_effect())
        if any(one.form.begins == ("let",) for one in effects):  # and not chance
            yield ANSWER
        if clause.event == MIDNIGHT_EVENT or any(getattr(one, "unit", None) in MINUTES_PER_UNIT for one in effects):
            yield TIME
    if any(clause.calls(FOR_PEOPLE)):
        yield SAY
    if any(_needs_clock(node, known) for node in clause.walk()):
        yield TIME


def _needs_clock(node: Node, known: Vocabulary) -> bool:
    """Tell whether what a part of an expression speaks of is known only where somebody has recorded the time."""
    fact = known.facts.get(node.name)
    return node.field in _clock_fields(known) or (fact is not None and "clock" in fact.reads)


@cache
def _clock_fields(known: Vocabulary) -> frozenset[str]:
    return frozenset(name for (_, name), one in known.fields.items() if "clock" in one.reads)


# ------------------------------------------------ what is in force where the wording of a rule says something else


def notes_beside_wording(rule: Rule, state: State) -> tuple[str, ...]:
    """Return what is in force beside the wording of a rule, a sentence each; nothing where the two go together.

    They part where a term was agreed otherwise before play, where the clauses were amended and the wording was
    not, and where another rule prevails.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, terms={"win.points": 30})
    >>> notes_beside_wording(game.rules[208], game.state)
    ('agreed before play, and not in the wording: The score that wins is 30.',)
    """
    return tuple(dict.fromkeys((*clause_change_note(rule), *_describe_defeat(rule, state))))


def clause_sentence(rule: Rule, clause: Clause) -> str:
    """Return how a clause of a rule reads in plain words."""
    return next(one.sentence for one in explain(rule).clauses if one.clause == clause.words)


def clause_change_note(rule: Rule) -> Iterator[str]:
    """Say which clauses are others than when the wording was written, whatever other rules say."""
    return (f"{why}: {clause_sentence(rule, clause)}" for clause, why in changed_clauses(rule))


def changed_clauses(rule: Rule) -> Iterator[tuple[Clause, str]]:
    """Yield the clauses that became others while the wording stayed, and how."""
    older = rule
    while older.before is not None and older.before.wording == rule.wording:
        older = older.before
    known = {one.words for one in older.clauses}
    for clause in rule.clauses:
        if clause.words not in known:
            yield clause, "the clauses were changed without the wording"
        elif is_fixed_term(clause) and note_on_agreed_term(clause.key, clause.value.text) in older.notes:
            yield clause, "agreed before play, and not in the wording"


def _describe_defeat(rule: Rule, state: State) -> Iterator[str]:
    """Say which rules prevail over what this one says in every case."""
    for clause in rule.clauses:
        if not is_fixed_term(clause):
            continue
        found = state.find(clause.key)
        if not found.answered or all(one.source.clause is not clause for one in found.defeated):
            continue
        for source in found.sources:
            if isinstance(source.clause, SetClause) and source.clause.value.text != clause.value.text:
                yield f"rule {source.rule.number} prevails: {clause_sentence(source.rule, source.clause)}"


# ------------------------------------------------------------------------------------- what players see of the law


def counting_order(number: RuleNumber) -> tuple[bool, list[tuple[int, str]]]:
    """Return what numbers of rules are sorted by where people read them.

    Examples
    --------
    >>> sorted(["R10", -201, "R2", 301, -216, "P2.1", "P1.12"], key=counting_order)
    [-216, -201, 301, 'P1.12', 'P2.1', 'R2', 'R10']
    """
    if not isinstance(number, str):
        return False, [(number, "")]
    return True, [(int(one), "") if one.isdigit() else (-1, one) for one in re.findall(r"[0-9]+|[^0-9]+", number)]


class LawBook(Displayed):
    """The rules in force, by number; iterating goes through them in order.

    Parameters
    ----------
    timeline : Timeline
        The game.
    state : State
        The moment at which it is looked at.
    """

    def __init__(self, timeline: Timeline, state: play.State) -> None:
        self.timeline, self.state = timeline, state

    @explain_argument_errors
    def __getitem__(self, number: RuleNumber) -> Rule:
        """Return the rule that has this number now, with what is to be remarked on it.

        Raises
        ------
        KeyError
            There is none; the message says what became of it.
        """
        rule = self.state.rules.by_number.get(read_rule_number(number))
        if rule is None:
            proposal = self.state.proposals.get(number)
            said = self.state.rules.describe_missing(number)
            if proposal is not None:
                said = said.within("{message}; proposal {proposal}: {status}", proposal=number, status=proposal.status)
            raise NotThere(said)
        return self.remarked(rule)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int | str) and read_rule_number(number) in self.state.rules.by_number

    def __iter__(self) -> Iterator[Rule]:
        return (rule for rules in self.by_tier().values() for rule in rules)

    def __len__(self) -> int:
        return len(self.state.rules.rules)

    def void(self, rule: Rule) -> str:
        """Return why a rule is void; empty where it is not."""
        why = self.state.rules.void.get(rule.id)
        if why is None:
            return ""
        if why.against is None:
            return "suspended, until a rule revives it"
        other = self.state.rules.rules.get(why.against)
        if other is None:  # in the very moment in which the other rule was repealed
            return "void: what it contradicted is repealed"
        cited = self.state.find("precedence.void").rule
        return f"void: it contradicts rule {other.number}{contradiction_subject(why.key)} (rule {cited})"

    def remarked(self, rule: Rule) -> Rule:
        """Return a rule with who keeps it, and remarks: void, in force otherwise than worded, judgments on it."""
        void = self.void(rule)
        otherwise = () if void else notes_beside_wording(rule, self.state)
        found = (*filter(None, [void]), *otherwise, *Judgments(self.state).remarks(rule))
        return replace(rule, remarks=found, kept="" if void else enforcement_signs(rule))

    def by_tier(self) -> dict[str, list[Rule]]:
        """Return the rules by their standing, the strongest first, each in order of numbers."""
        order = self.state.law.order
        in_order = sorted(self.state.rules, key=lambda one: (order.tier(one), one.tier, counting_order(one.number)))
        return group_pairs((rule.tier, rule) for rule in in_order)

    @property
    def notes(self) -> tuple[PlayerNote, ...]:
        """What players wrote down beside the rules: definitions and suggested fixes."""
        return self.state.notes

    @property
    def frame(self) -> pd.DataFrame:
        """The rules in force as a DataFrame; see `record.frames.rules` for its columns."""
        return frames.rules_frame(self.state.rules)

    @property
    def versions(self) -> pd.DataFrame:
        """Every version of every rule as a DataFrame; see `record.frames.versions` for its columns."""
        return frames.versions_frame(self.state.rules, self.state, open_seals(self.timeline))

    def __str__(self) -> str:
        lines = []
        for tier, rules in self.by_tier().items():
            lines.append(f"{tier} ({len(rules)})")
            for rule in rules:
                void = self.void(rule)
                lines.append(f"  {rule.number}. {rule.title} " + (f"[{void}]" if void else enforcement_signs(rule)))
                lines += [f"      {one}" for one in self.remarked(rule).remarks if one != void]
        if self.notes:
            lines += ["written down, and no law", *(f"  {one.name}: {one.text} ({one.player})" for one in self.notes)]
        return "\n".join(lines)


def contradiction_subject(key: str) -> str:
    """Return on what two rules contradict each other, in words."""
    return f" on {key}" if key else ", as the Judge found"


class LawInForce(Displayed):
    """The terms of the law, by key: ``game.law["vote.quota"]``."""

    def __init__(self, state: play.State) -> None:
        self.state = state

    @explain_argument_errors
    def __getitem__(self, key: str) -> Finding:
        """Return what the law holds of a key.

        Raises
        ------
        KeyError
            There is no such key.
        """
        state = self.state
        try:
            return state.find(key)
        except KeyError:
            known = list(state.law.vocabulary.terms)
            near = difflib.get_close_matches(str(key), known, 3)
            parts = [one for one in known if str(key).lower() in one]
            hint = f"did you mean {' or '.join(near)}?" if near else f"there are {first_options(parts or known)}"
            raise NotThere(say("no-such-term", "there is no key {term!r}; {hint}", term=key, hint=hint)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.state.law.vocabulary.keys)

    def __len__(self) -> int:
        return len(self.state.law.vocabulary.keys)

    def __str__(self) -> str:
        return "\n".join(str(self[key]).split("\n", 1)[0] for key in self.state.law.vocabulary.terms)
