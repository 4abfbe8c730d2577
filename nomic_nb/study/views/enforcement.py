"""The law as players see it: the rules by number, the settings by key."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

from nomic_nb.chess.fairplay.hypotheticals import FOR_PEOPLE
from nomic_nb.chess.multiverse.errors import MultiverseError
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import empty_square_message
from nomic_nb.chess.play.records import NO_BOARDS_MESSAGE
from nomic_nb.engine.arguments import describe_misfit, explain_argument_errors
from nomic_nb.engine.display import Displayed
from nomic_nb.engine.errors import NotThere, WrongArgument
from nomic_nb.engine.law.changes import parse_rule_number
from nomic_nb.engine.law.clauses import ClaimClause, Clause, DraftClause, SetClause, TriggerClause
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.hints import names_meant_by
from nomic_nb.engine.law.nodes import Node
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.rules import Rule
from nomic_nb.engine.law.slots import MINUTES_PER_UNIT
from nomic_nb.engine.law.values import ThingRef, Type, Value
from nomic_nb.engine.law.vocabulary import Vocabulary
from nomic_nb.engine.play import state as play
from nomic_nb.engine.play.clock import MIDNIGHT_EVENT
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.values import VOTE_CHOICES, PlayerNote, list_options
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.record.seals import current_seals
from nomic_nb.engine.rulesets.literate import is_fixed_term, note_on_agreed_term
from nomic_nb.engine.subjects import judgment
from nomic_nb.engine.words import group_pairs, join_words
from nomic_nb.study import frames
from nomic_nb.study.library.word_search import WordSearch, check_search_words
from nomic_nb.study.views.explanations import explain
from nomic_nb.study.views.judgments import Judgments
from nomic_nb.study.views.phrases import wording_table

if TYPE_CHECKING:
    import pandas as pd


# -------------------------------------------------------------- the case in which a term of the law is asked about


def make_term_case(state: State, key: str, given: Mapping[str, object]) -> dict[str, Value]:
    """Return law values of the variables with which to look up a term; things are `given` by name, number or square.

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
            known = ", ".join(f"{item} ({kind})" for item, kind in case.items())
            raise NotThere(
                "case-not-asked",
                "{term} doesn’t depend on “{name}”; it depends on {known}",
                term=key,
                name=name,
                known=known or "nothing",
            )
    return {name: _read_case_value(state, name, case[name], item) for name, item in given.items()}


def _read_case_value(state: State, name: str, kind: Type, given: object) -> Value:
    """Return a Python value as a law value of some type (a thing by its name or number); raise if it does not fit."""
    if kind.name == "list" and kind.item is not None:
        if not isinstance(given, list | tuple):
            raise WrongArgument(
                "case-not-a-list", "{name} must be a list; you gave “{found}”", name=name, found=str(given)[:40]
            )
        return tuple(_read_case_value(state, name, kind.item, item) for item in given)
    if given is None and kind.maybe:
        return None
    plain = {"text": str, "truth": bool, "number": int | Fraction}.get(kind.name)
    if plain is not None:
        if not isinstance(given, plain) or (kind.name == "number" and isinstance(given, bool)):
            raise WrongArgument(
                "case-of-another-kind",
                "{name} must be {kind}; you gave “{found}”",
                name=name,
                kind=kind.with_article,
                found=str(given)[:40],
            )
        return given
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise WrongArgument(
            "case-said-otherwise",
            "{name} must be {kind}, given by {said_by}; you gave “{found}”",
            name=name,
            kind=kind.with_article,
            said_by=wording_table("said_by")[kind.name],
            found=str(given)[:40],
        )
    return ThingRef(kind.name, _find_thing_id(state, kind.name, given))


def _find_thing_id(state: State, kind: str, given: str | int) -> str | int:
    """Return the id of a thing of some kind that is given by its name, number or square; raise if it does not exist."""
    boards: Multiverse | None = state.position
    if kind == "rule":
        rule = state.rules.by_number.get(parse_rule_number(given))
        if rule is None:
            raise NotThere(state.rules.missing_rule_message(given))
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
            raise NotThere(empty_square_message(square))
        return square if kind == "square" or piece is None else piece.id
    there: dict[str, Mapping[Any, object]] = {
        "player": state.players, "proposal": state.proposals, "judgment": state.judgments,
        "army": boards.armies if boards is not None else {}, "board": boards.boards if boards is not None else {},
    }  # fmt: skip
    if given not in there[kind]:
        raise NotThere(
            "nothing-called-so",
            "there is no {kind} “{given}”; there are {known}",
            kind=kind,
            given=given,
            known=", ".join(map(str, there[kind])) or "none",
        )
    return given


# ------------------------------------------------------------------------------------------------ who keeps a rule


#: Notes of a rule set begin so where the game keeps to a rule that has no clauses: the program, or what others say.
ENFORCEMENT_TEXTS = ("Kept by the kit itself", "Kept by the clauses of other rules")
#: Notes of a rule set have these words where something in the wording is left to people beside the clauses.
FOR_PEOPLE_NOTE = "for the players"
#: What people are asked for, in the order in which it is said.
ANSWER, SAY, JUDGE, TIME = "to answer", "what is so", "to judge", "for the time"
_JUDGE_KEYS = frozenset(key.name for key in judgment.KEYS)


#: Marks beside a rule: a letter that is full, half or empty, so no colour is needed, and words.
GAME, ASKS, PEOPLE = "● game", "◐ asks people", "○ people"


def enforcers_of_rule(rule: Rule) -> tuple[str, ...]:
    """Return marks of who enforces a rule: “● game”, “◐ asks people …” or “○ people”, at least one.

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
    >>> enforcers_of_rule(rules[203]), enforcers_of_rule(rules[210])
    (('● game',), ('○ people',))
    """
    vocabulary = language().vocabulary
    asked = [
        tuple(_questions_to_people(clause, vocabulary))
        for clause in rule.clauses
        if not isinstance(clause, ClaimClause | DraftClause)
    ]
    how = list(dict.fromkeys(way for ways in asked for way in ways))
    marks = [GAME] if () in asked or is_enforced_without_clauses(rule) else []
    marks += [f"{ASKS} {join_words(how)}"] if how else []
    return (*marks, PEOPLE) if not marks or _is_left_to_people(rule) else tuple(marks)


def enforcement_text(rule: Rule) -> str:
    """Return in one text the marks of who enforces a rule, such as “● game ○ people”.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> enforcement_text(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).rules[101])
    '● game ○ people'
    """
    return " ".join(enforcers_of_rule(rule))


def is_enforced_without_clauses(rule: Rule) -> bool:
    """Return True if the game enforces a rule although the rule has no clauses."""
    return not rule.clauses and len(rule.parts) == 1 and any(note.startswith(ENFORCEMENT_TEXTS) for note in rule.notes)


def _is_left_to_people(rule: Rule) -> bool:
    """Tell whether a part of a rule is left for people to enforce."""
    noted = len(rule.parts) == 1 and any(FOR_PEOPLE_NOTE in note for note in rule.notes)
    return noted or any(not rule_part.law.strip() for rule_part in rule.parts_in_force if rule.clauses)


def _questions_to_people(clause: Clause, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield phrases on what people must do for a clause to be enforced, such as “to judge” or “to answer”."""
    if isinstance(clause, SetClause) and clause.key in _JUDGE_KEYS:
        yield JUDGE
    if isinstance(clause, TriggerClause):
        yield from (f"to {action.name}" for action in ACTIONS.values() if action.heard and action.makes == clause.event)
        effects = list(clause.all_effects())
        if any(effect.form.leading_words == ("let",) for effect in effects):  # and not chance
            yield ANSWER
        if clause.event == MIDNIGHT_EVENT or any(
            getattr(effect, "unit", None) in MINUTES_PER_UNIT for effect in effects
        ):
            yield TIME
    if any(clause.calls(FOR_PEOPLE)):
        yield SAY
    if any(_needs_clock(node, vocabulary) for node in clause.walk()):
        yield TIME


def _needs_clock(node: Node, vocabulary: Vocabulary) -> bool:
    """Tell whether a node reads something that is known only with a recorded time."""
    fact = vocabulary.facts.get(node.name)
    return node.field in _fields_needing_clock(vocabulary) or (fact is not None and "clock" in fact.reads)


@cache
def _fields_needing_clock(vocabulary: Vocabulary) -> frozenset[str]:
    """Return the names of fields in the law's vocabulary that need a recorded time of day."""
    return frozenset(name for (_, name), field in vocabulary.fields.items() if "clock" in field.reads)


# ------------------------------------------------ what is in force where the wording of a rule says something else


#: Why a clause differs from the wording if players agreed on its value.
AGREED = "agreed before the game, and not in the wording"


def notes_beside_wording(rule: Rule, state: State) -> tuple[str, ...]:
    """Return notes on how the law in force differs from a rule's wording; none if it does not.

    They part where a term was agreed otherwise before play, where the clauses were amended and the wording was
    not, and where another rule prevails.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, terms={"win.points": 30})
    >>> notes_beside_wording(game.rules[208], game.state)
    ('agreed before the game, and not in the wording: A player wins by reaching 30 points.',)
    """
    return tuple(dict.fromkeys((*changed_clause_notes(rule), *_defeat_notes(rule, state))))


def clause_sentence(rule: Rule, clause: Clause) -> str:
    """Return a clause of a rule as an English sentence."""
    return next(explained.sentence for explained in explain(rule).clauses if explained.clause == clause.words)


def changed_clause_notes(rule: Rule) -> Iterator[str]:
    """Yield notes on clauses changed while the rule's wording stayed: how, and the clause in English."""
    return (f"{why}: {clause_sentence(rule, clause)}" for clause, why in changed_clauses(rule))


def changed_clauses(rule: Rule) -> Iterator[tuple[Clause, str]]:
    """Yield clauses changed while the rule's wording stayed, each with a phrase on how it changed."""
    older = rule
    while older.before is not None and older.before.wording == rule.wording:
        older = older.before
    known = {older_clause.words for older_clause in older.clauses}
    for clause in rule.clauses:
        if clause.words not in known:
            yield clause, "the clauses were changed, but not the wording"
        elif is_fixed_term(clause) and note_on_agreed_term(clause.key, clause.value.text) in older.notes:
            yield clause, AGREED


def notes_for_readers(rule: Rule) -> tuple[str, ...]:
    """Return a rule's notes, those on values agreed before play in English instead of code."""
    agreed = {
        note_on_agreed_term(clause.key, clause.value.text): clause for clause in rule.clauses if is_fixed_term(clause)
    }
    return tuple(
        f"Agreed before play: {clause_sentence(rule, agreed[note])}" if note in agreed else note for note in rule.notes
    )


def hidden_tables_behind(law: Law, *keys: str) -> list[str]:
    """Return, sorted, the names of the hidden tables on which the values of some keys depend.

    Values that depend on one must not be shown to everybody, because they reveal its content.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> hidden_tables_behind(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).state.law, "win.winners")
    []
    """
    return sorted(filter(law.is_table_hidden, law.dependence.tables_of_keys(keys)))


def _defeat_notes(rule: Rule, state: State) -> Iterator[str]:
    """Yield notes on rules that prevail over this one on terms it sets, each with the prevailing clause in English."""
    for clause in rule.clauses:
        if not is_fixed_term(clause) or hidden_tables_behind(state.law, clause.key):
            continue
        finding = state.find(clause.key)
        if not finding.answered or all(defeated.source.clause is not clause for defeated in finding.defeated):
            continue
        for source in finding.sources:
            if isinstance(source.clause, SetClause) and source.clause.value.text != clause.value.text:
                yield f"rule {source.rule.number} takes precedence: {clause_sentence(source.rule, source.clause)}"


# ------------------------------------------------------------------------------------- what players see of the law


def rule_number_reading_key(number: RuleNumber) -> tuple[bool, list[tuple[int, str]]]:
    """Return a sort key for rule numbers that puts them in the order people expect: numbers first, “R2” before “R10”.

    Examples
    --------
    >>> sorted(["R10", -201, "R2", 301, -216, "P2.1", "P1.12"], key=rule_number_reading_key)
    [-216, -201, 301, 'P1.12', 'P2.1', 'R2', 'R10']
    """
    if not isinstance(number, str):
        return False, [(number, "")]
    return True, [(int(part), "") if part.isdigit() else (-1, part) for part in re.findall(r"[0-9]+|[^0-9]+", number)]


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
        rule = self.state.rules.by_number.get(parse_rule_number(number))
        if rule is None:
            proposal = self.state.proposals.get(number)
            message = self.state.rules.missing_rule_message(number)
            if proposal is not None:
                message = message.embed_in(
                    "{message} (proposal {proposal}: {status})", proposal=number, status=proposal.status
                )
            raise NotThere(message)
        return self.with_remarks(rule)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int | str) and parse_rule_number(number) in self.state.rules.by_number

    def __iter__(self) -> Iterator[Rule]:
        return (rule for rules in self.rules_by_tier().values() for rule in rules)

    def __len__(self) -> int:
        return len(self.state.rules.rules)

    def void_reason(self, rule: Rule) -> str:
        """Return why a rule is void; empty if it is not."""
        why = self.state.rules.void.get(rule.id)
        if why is None:
            return ""
        if why.against is None:
            return "suspended until a rule revives it"
        other = self.state.rules.rules.get(why.against)
        if other is None:  # in the very moment in which the other rule was repealed
            return "void: the rule it contradicted has been repealed"
        cited = self.state.find("precedence.void").rule
        return f"void: it contradicts rule {other.number}{contradiction_phrase(why.key)} (rule {cited})"

    def with_remarks(self, rule: Rule) -> Rule:
        """Return a copy of a rule that carries the text of who enforces it, and its remarks."""
        void = self.void_reason(rule)
        otherwise = () if void else notes_beside_wording(rule, self.state)
        remarks = (*filter(None, [void]), *otherwise, *Judgments(self.state).law_book_remarks(rule))
        return replace(rule, remarks=remarks, kept="" if void else enforcement_text(rule))

    def votes_in_words(self, version: Rule) -> str:
        """Return how the vote on a version of a rule ended, such as “3 for, 1 against”; empty without a known vote."""
        proposal = self.state.proposal_numbered(version.proposal)
        if proposal is None or proposal.vote is None or proposal.number in current_seals(self.timeline).proposals:
            return ""
        return ", ".join(f"{proposal.vote.weight_of_side(side)} {side}" for side in VOTE_CHOICES)

    def rules_by_tier(self) -> dict[str, list[Rule]]:
        """Return the rules by tier, strongest tier first, in order of numbers within each tier."""
        order = self.state.law.order
        in_order = sorted(
            self.state.rules, key=lambda rule: (order.tier_rank(rule), rule.tier, rule_number_reading_key(rule.number))
        )
        return group_pairs((rule.tier, rule) for rule in in_order)

    @property
    def notes(self) -> tuple[PlayerNote, ...]:
        """Definitions and suggested fixes that players wrote down beside the rules."""
        return self.state.notes

    @property
    def frame(self) -> pd.DataFrame:
        """The rules in force as a DataFrame; see `study.frames.rules_frame` for its columns."""
        return frames.rules_frame(self.timeline)

    @property
    def versions(self) -> pd.DataFrame:
        """Every version of every rule as a DataFrame; see `study.frames.versions_frame` for its columns."""
        return frames.versions_frame(self.timeline)

    @property
    def spells(self) -> pd.DataFrame:
        """The times during which rules were void or suspended; see `study.frames.spells_frame` for the columns."""
        return frames.spells_frame(self.timeline)

    def __str__(self) -> str:
        lines = []
        for tier, rules in self.rules_by_tier().items():
            lines.append(f"{tier} ({len(rules)})")
            for rule in rules:
                void = self.void_reason(rule)
                lines.append(f"  {rule.number}. {rule.title} " + (f"[{void}]" if void else enforcement_text(rule)))
                lines += [f"      {remark}" for remark in self.with_remarks(rule).remarks if remark != void]
        if self.notes:
            lines += [
                "notes (not law)",
                *(f"  {note.name}: {note.text} ({note.player})" for note in self.notes),
            ]
        return "\n".join(lines)


def contradiction_phrase(key: str) -> str:
    """Return “ on vote.quota” for the key of a term on which rules contradict; “, as the Judge found” without a key."""
    return f" on {key}" if key else ", as the Judge found"


class LawInForce(Displayed):
    """The terms of the law, by key: ``game.law["vote.quota"]``."""

    def __init__(self, state: play.State) -> None:
        self.state = state

    def __getitem__(self, key: str) -> Finding:
        """Return what the law holds of a key.

        Raises
        ------
        KeyError
            There is no such key.
        """
        try:
            return self.state.find(key)
        except (KeyError, TypeError):
            if isinstance(key, str) and key in self.state.law.vocabulary.keys:
                raise
            raise self._unknown_key_error(key) from None

    def __call__(self, words: str = "vote.quota", *_: object) -> NoReturn:
        """Refuse to be called, and say how settings are looked up."""
        key = [*self.search(words), "vote.quota"][0]
        raise WrongArgument(
            "law-called", "in a cell, write game.law[{key}] in square brackets, or game.law.search({words})",
            key=f'"{key}"', words=f'"{words}"'
        )  # fmt: skip

    def _unknown_key_error(self, key: object) -> WrongArgument | NotThere:
        """Return the error that there is no such key, or that something is no key at all."""
        number = parse_rule_number(key) if isinstance(key, str) else key
        if isinstance(number, int) and not isinstance(number, bool):
            if number not in self.state.rules.by_number:
                return NotThere(self.state.rules.missing_rule_message(number))
            return NotThere("rule-as-term", "{rule} is the number of a rule, not a setting", rule=number)
        if wrong := describe_misfit(self.__class__.__getitem__, (self, key), {}):
            return WrongArgument(wrong)
        near = self.search(str(key))[:3] if str(key).strip() else []
        known = list(self.state.law.vocabulary.keys_but_permissions)
        parts = [term for term in known if str(key).lower() in term]
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {list_options(parts or known, 'game.law')}"
        return NotThere("no-such-term", "there is no setting “{term}”; {hint}", term=key, hint=hint)

    def search(self, words: str) -> list[str]:
        """Return the settings that some words mean, best first; without any, those with similar spellings.

        Parameters
        ----------
        words : str
            Everyday words for a setting, such as “majority” for ``vote.quota``, or a setting.

        Examples
        --------
        >>> import nomic_nb as nb
        >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
        >>> game.law.search("throwing"), game.law.search("secret ballots")[0]
        (['throw.points', 'dice.sides', 'dice.source', 'dice.sealed_by', 'dice.unrevealed'], 'vote.ballots')
        """
        words, keys = check_search_words(words), self.state.law.vocabulary.keys_but_permissions
        meant = names_meant_by(words, keys)
        found = WordSearch.through({name: ("", key.meaning) for name, key in keys.items()}).find(words)
        return list(dict.fromkeys((*meant, *found))) or difflib.get_close_matches(words, keys, 3)

    def __iter__(self) -> Iterator[str]:
        return iter(self.state.law.vocabulary.keys)

    def __len__(self) -> int:
        return len(self.state.law.vocabulary.keys)

    def __str__(self) -> str:
        return "\n".join(str(self[key]).split("\n", 1)[0] for key in self.state.law.vocabulary.keys_but_permissions)
