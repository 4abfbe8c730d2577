"""What players see of the law: the rules by number, the terms by key."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from nomic_nb.chess.fairplay.supposing import FOR_PEOPLE
from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import nothing_on
from nomic_nb.chess.play.records import NO_BOARDS
from nomic_nb.engine.arguments import plainly
from nomic_nb.engine.errors import NotThere, WrongArgument
from nomic_nb.engine.law.changes import as_number
from nomic_nb.engine.law.clauses import Claim, Clause, Draft, On, Set
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Node
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.law.slots import MINUTES
from nomic_nb.engine.law.values import Ref, Type, Value
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.messages import say
from nomic_nb.engine.play import state as play
from nomic_nb.engine.play.clock import MIDNIGHT
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import Note, few
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.record.seals import seals
from nomic_nb.engine.rulesets.literate import agreed_note, fixes
from nomic_nb.engine.shown import Shown
from nomic_nb.engine.subjects import judgment
from nomic_nb.engine.words import grouped, listed
from nomic_nb.study import frames
from nomic_nb.study.views.explained import explain
from nomic_nb.study.views.judgments import Judgments
from nomic_nb.study.views.phrases import wording

if TYPE_CHECKING:
    import pandas as pd


# -------------------------------------------------------------- the case in which a term of the law is asked about


def case_of(state: State, key: str, given: Mapping[str, object]) -> dict[str, Value]:
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
    return {name: _value(state, name, case[name], one) for name, one in given.items()}


def _value(state: State, name: str, kind: Type, given: object) -> Value:
    if kind.name == "list" and kind.item is not None:
        if not isinstance(given, list | tuple):
            raise WrongArgument(
                say("case-not-a-list", "{name} is a list; found {found!r}", name=name, found=str(given)[:40])
            )
        return tuple(_value(state, name, kind.item, one) for one in given)
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
                said_by=wording("said_by")[kind.name],
                found=str(given)[:40],
            )
        )
    return Ref(kind.name, _found(state, kind.name, given))


def _found(state: State, kind: str, given: str | int) -> str | int:
    """Return the id of what is said in this way."""
    boards: Multiverse | None = state.position
    if kind == "rule":
        rule = state.rules.by_number.get(as_number(given))
        if rule is None:
            raise NotThere(state.rules.whereabouts(given))
        return rule.id
    if kind in ("square", "piece"):
        try:
            if boards is None:
                raise NotThere(NO_BOARDS)
            square = boards.name(*boards.square(str(given)))
        except MultiverseError as error:
            raise NotThere(error.said) from None
        piece = boards.at(square)
        if kind == "piece" and piece is None:
            raise NotThere(nothing_on(square))
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
KEPT = ("Kept by the kit itself", "Kept by the clauses of other rules")
#: Notes of a rule set have these words where something in the wording is left to people beside the clauses.
LEFT_TO_PEOPLE = "for the players"
#: What people are asked for, in the order in which it is said.
ANSWER, SAY, JUDGE, TIME = "to answer", "what is so", "to judge", "for the time"
_OF_JUDGES = frozenset(one.name for one in judgment.KEYS)


#: Marks beside a rule: a letter that is full, half or empty, so that no colour is needed, and words.
GAME, ASKS, PEOPLE = "● game", "◐ asks people", "○ people"


def kept_by(rule: Rule) -> tuple[str, ...]:
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
    >>> kept_by(rules[203]), kept_by(rules[210])
    (('● game',), ('○ people',))
    """
    known = language().vocabulary
    asked = [tuple(_asked(one, known)) for one in rule.clauses if not isinstance(one, Claim | Draft)]
    how = list(dict.fromkeys(way for ways in asked for way in ways))
    marks = [GAME] if () in asked or kept_without_clauses(rule) else []
    marks += [f"{ASKS} {listed(how)}"] if how else []
    return (*marks, PEOPLE) if not marks or _left(rule) else tuple(marks)


def signs(rule: Rule) -> str:
    """Return the marks beside a rule as a text.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> signs(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).rules[101])
    '● game ○ people'
    """
    return " ".join(kept_by(rule))


def kept_without_clauses(rule: Rule) -> bool:
    """Tell whether the game keeps to a rule that has no clauses."""
    return not rule.clauses and len(rule.parts) == 1 and any(one.startswith(KEPT) for one in rule.notes)


def _left(rule: Rule) -> bool:
    """Tell whether people keep a part of a rule: one in words alone, or what its rule set leaves to them."""
    noted = len(rule.parts) == 1 and any(LEFT_TO_PEOPLE in one for one in rule.notes)
    return noted or any(not one.law.strip() for one in rule.standing if rule.clauses)


def _asked(clause: Clause, known: Vocabulary) -> Iterator[str]:
    """Yield what people are asked for so that a clause can be kept."""
    if isinstance(clause, Set) and clause.key in _OF_JUDGES:
        yield JUDGE
    if isinstance(clause, On):
        yield from (f"to {one.name}" for one in ACTIONS.values() if one.heard and one.makes == clause.event)
        effects = list(clause.every_effect())
        if any(one.form.begins == ("let",) for one in effects):  # and not chance
            yield ANSWER
        if clause.event == MIDNIGHT or any(getattr(one, "unit", None) in MINUTES for one in effects):
            yield TIME
    nodes = [node for one in clause.expressions for node in one.walk()]
    if any(node.kind == "call" and node.text == FOR_PEOPLE for node in nodes):
        yield SAY
    if any(_by_the_clock(node, known) for node in nodes):
        yield TIME


def _by_the_clock(node: Node, known: Vocabulary) -> bool:
    """Tell whether what a part of an expression speaks of is known only where somebody has recorded the time."""
    if node.kind == "name" and (fact := known.facts.get(node.text)) is not None:
        return "clock" in fact.reads
    return node.kind == "field" and node.text in _timed_fields(known)


@cache
def _timed_fields(known: Vocabulary) -> frozenset[str]:
    return frozenset(name for (_, name), one in known.fields.items() if "clock" in one.reads)


# ------------------------------------------------ what is in force where the wording of a rule says something else


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


# ------------------------------------------------------------------------------------- what players see of the law


def in_counting_order(number: RuleNumber) -> tuple[bool, list[tuple[int, str]]]:
    """Return what numbers of rules are sorted by where people read them.

    Examples
    --------
    >>> sorted(["R10", -201, "R2", 301, -216, "P2.1", "P1.12"], key=in_counting_order)
    [-216, -201, 301, 'P1.12', 'P2.1', 'R2', 'R10']
    """
    if not isinstance(number, str):
        return False, [(number, "")]
    return True, [(int(one), "") if one.isdigit() else (-1, one) for one in re.findall(r"[0-9]+|[^0-9]+", number)]


class LawBook(Shown):
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

    @plainly
    def __getitem__(self, number: RuleNumber) -> Rule:
        """Return the rule that has this number now, with what is to be remarked on it.

        Raises
        ------
        KeyError
            There is none; the message says what became of it.
        """
        rule = self.state.rules.by_number.get(as_number(number))
        if rule is None:
            proposal = self.state.proposals.get(number)
            said = self.state.rules.whereabouts(number)
            if proposal is not None:
                said = said.within("{message}; proposal {proposal}: {status}", proposal=number, status=proposal.status)
            raise NotThere(said)
        return self.remarked(rule)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int | str) and as_number(number) in self.state.rules.by_number

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
        return f"void: it contradicts rule {other.number}{said_on(why.key)} (rule {cited})"

    def remarked(self, rule: Rule) -> Rule:
        """Return a rule with who keeps it, and remarks: void, in force otherwise than worded, judgments on it."""
        void = self.void(rule)
        otherwise = () if void else beside_wording(rule, self.state)
        found = (*filter(None, [void]), *otherwise, *Judgments(self.state).remarks(rule))
        return replace(rule, remarks=found, kept="" if void else signs(rule))

    def by_tier(self) -> dict[str, list[Rule]]:
        """Return the rules by their standing, the strongest first, each in order of numbers."""
        order = self.state.law.order
        in_order = sorted(self.state.rules, key=lambda one: (order.tier(one), one.tier, in_counting_order(one.number)))
        return grouped((rule.tier, rule) for rule in in_order)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What players wrote down beside the rules: definitions and suggested fixes."""
        return self.state.notes

    @property
    def frame(self) -> pd.DataFrame:
        """The rules in force as a DataFrame; see `record.frames.rules` for its columns."""
        return frames.rules(self.state.rules)

    @property
    def versions(self) -> pd.DataFrame:
        """Every version of every rule as a DataFrame; see `record.frames.versions` for its columns."""
        return frames.versions(self.state.rules, self.state, seals(self.timeline))

    def __str__(self) -> str:
        lines = []
        for tier, rules in self.by_tier().items():
            lines.append(f"{tier} ({len(rules)})")
            for rule in rules:
                void = self.void(rule)
                lines.append(f"  {rule.number}. {rule.title} " + (f"[{void}]" if void else signs(rule)))
                lines += [f"      {one}" for one in self.remarked(rule).remarks if one != void]
        if self.notes:
            lines += ["written down, and no law", *(f"  {one.name}: {one.text} ({one.player})" for one in self.notes)]
        return "\n".join(lines)


def said_on(key: str) -> str:
    """Return on what two rules contradict each other, in words."""
    return f" on {key}" if key else ", as the Judge found"


class LawInForce(Shown):
    """The terms of the law, by key: ``game.law["vote.quota"]``."""

    def __init__(self, state: play.State) -> None:
        self.state = state

    @plainly
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
            hint = f"did you mean {' or '.join(near)}?" if near else f"there are {few(parts or known)}"
            raise NotThere(say("no-such-term", "there is no key {term!r}; {hint}", term=key, hint=hint)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.state.law.vocabulary.keys)

    def __len__(self) -> int:
        return len(self.state.law.vocabulary.keys)

    def __str__(self) -> str:
        return "\n".join(str(self[key]).split("\n", 1)[0] for key in self.state.law.vocabulary.terms)
