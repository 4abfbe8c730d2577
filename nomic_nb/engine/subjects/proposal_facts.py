"""What rules can say of a proposal, and of the changes that it makes; where one is at hand, most without naming it."""

from __future__ import annotations

import fnmatch
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from typing import TypeVar, cast
from weakref import ref

from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.changes import CHANGE_KINDS, PROPOSABLE_KINDS, Change, parse_rule_number
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import EVERYWHERE_SCOPE, Number, Rule
from nomic_nb.engine.law.values import (
    NUMBER,
    TEXT,
    TRUTH,
    HeardText,
    ThingRef,
    Value,
    list_type,
    optional_type,
    text_type,
)
from nomic_nb.engine.law.vocabulary import Field, Function, Record, Vocabulary
from nomic_nb.engine.play.adoptability import SUPPOSED_LABEL
from nomic_nb.engine.play.deadlines import hours_since
from nomic_nb.engine.play.declarations import declare_fact, declare_fields
from nomic_nb.engine.play.events import canonical_json
from nomic_nb.engine.play.proposals import PART_SEPARATOR, change_of
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.values import CHANGE, PLAYER, PLAYERS, PROPOSAL, RULE, TEXTS, Proposal, Vote
from nomic_nb.engine.rulesets.literate import find_ruleset, known_rulesets
from nomic_nb.engine.words import join_words


@lru_cache(maxsize=512)
def _letter_pattern(pattern: str) -> re.Pattern[str]:
    """Return the regular expression that finds a wildcard pattern such as “rule 1??” anywhere in a casefolded text."""
    return re.compile(fnmatch.translate(f"*{pattern.casefold()}*"))


def matches_anywhere(text: str, pattern: str) -> bool:
    """Tell whether a text contains a match of a wildcard pattern such as “rule 1??”, ignoring case.

    Parameters
    ----------
    text : str
        What is looked through.
    pattern : str
        Letters as they stand, and ``?`` for any one, ``*`` for any number of any, ``[a-m]`` or ``[xyz]`` for one of
        these, ``[!xyz]`` for any other; ``[?]`` is a question mark. So `fnmatch` reads them.

    Examples
    --------
    >>> matches_anywhere("Rule 104 is repealed.", "rule 1??"), matches_anywhere("No Points now.", "n*points")
    (True, True)
    >>> matches_anywhere("Why?", "[a-m]hy"), matches_anywhere("Why?", "hy[?]"), matches_anywhere("a[b", "a[b")
    (False, True, True)
    >>> matches_anywhere("hats", "h[!ae]ts"), matches_anywhere("huts", "h[!ae]ts")
    (False, True)
    """
    return _letter_pattern(pattern).match(text.casefold()) is not None


#: What a proposal can be.
PROPOSAL_STATUS = ("debate", "open", "ending", "adopted", "waiting", "without effect", "defeated", "lapsed")


def proposal_of(view: View, id: int | str) -> Proposal:
    """Return the proposal with this id, which is its number or label."""
    return state_of(view).proposals[id]


def targeted_rule_versions(state: State, proposal: Proposal, change: Change) -> Iterator[Rule]:
    """Yield the rules that a change targets; for a decided proposal, as they were when it was proposed.

    Once it is decided, each is as it stood when the change was proposed, since the change itself can give it another
    number, or take it away.
    """
    of = change.target_numbers
    for at, target in enumerate(proposal.change.target_numbers):
        if target is None or target not in of:
            continue
        aim = proposal.aims[at] if at < len(proposal.aims) else None
        rule = state.rules.rule_numbered(target) if aim is None else state.rules.rules.get(aim[0])
        if aim is not None and not proposal.is_open:
            rule = _version_before(state, aim, target, (proposal.number, *proposal.numbers)) or rule
        if rule is not None:
            yield rule


def _version_before(state: State, aim: tuple[int, str], number: Number, proposals: tuple[Number, ...]) -> Rule | None:
    """Return the latest version of a rule (`aim`: id, tier) with this number not made by these proposals; or None."""
    rules = state.rules
    rule = rules.rules.get(aim[0]) or next((old_rule for old_rule in rules.repealed if old_rule.id == aim[0]), None)
    while rule is not None and (rule.proposal in proposals or (rule.number, rule.tier) != (number, aim[1])):
        rule = rule.before
    return rule


def _target_rules(view: View, id: int | str) -> Value:
    """Return references to the target rules of a proposal."""
    proposal = proposal_of(view, id)
    rules = targeted_rule_versions(state_of(view), proposal, proposal.change)
    return tuple(rule.ref if proposal.is_open else rule.version_ref for rule in rules)


def _target_rule(view: View, id: int | str) -> Value:
    """Return a reference to the only target rule of a proposal; None for a new rule or several target rules."""
    if proposal_of(view, id).change.target is None:  # it is to be a new rule, or there are several
        return None
    return next(iter(cast(tuple[Value, ...], _target_rules(view, id))), None)


def _proposal_number(_: View, id: int | str) -> Value:
    """Return the number of a proposal; raise `Undecided` if it has a label instead."""
    if isinstance(id, str):
        raise Undecided("label-not-number", "{label} is a label, not a number", label=id)
    return id


def _vote_of(view: View, id: int | str) -> Vote:
    """Return the vote on a proposal; an empty vote without voters if it has not been opened."""
    law = cast(Law, view.law)
    return proposal_of(view, id).vote or Vote((), {}, None, None, None, duty=False, sealed=False, law=law)


FACTS = (
    declare_fact("proposals", list_type(PROPOSAL), "all proposals ever made",
         lambda state: [number for number in state.proposals if number != SUPPOSED_LABEL],
         traits="alike passing"),
    declare_fact("proposals_now", list_type(PROPOSAL), "the proposals made since the latest turn began",
         lambda state: [proposal.number for proposal in state.proposals.values()
                        if proposal.turn == state.turn and proposal.number != SUPPOSED_LABEL],
         reads=("proposals", "turn"), traits="alike passing"),
)  # fmt: skip

_CHANGE_FIELDS = ("proposals", "rules")
_CHANGE_READS = (*_CHANGE_FIELDS, "position", "players", "circuit", "tables")
AnyClause = TypeVar("AnyClause", bound=c.Clause)


def _without_duplicates(names: Iterable[str]) -> tuple[str, ...]:
    """Return texts in their order, each only once."""
    return tuple(dict.fromkeys(names))


class _SeenChange:
    """A change as rules see it: of a proposal, or one of several that it makes together."""

    def __init__(self, view: View, id: int | str) -> None:
        self._view, self.id = ref(view), id  # the view remembers it, and is gone with its evaluation

    @property
    def view(self) -> View:
        """The evaluation (`View`) that asks about the change."""
        return cast(View, self._view())

    @cached_property
    def change(self) -> Change:
        """The proposed change, or the part of a joint change, that has the id."""
        return change_of(state_of(self.view), self.id)

    @cached_property
    def proposal_id(self) -> int | str:
        """The id of the proposal to which the change belongs."""
        return parse_rule_number(self.id.partition(PART_SEPARATOR)[0]) if isinstance(self.id, str) else self.id

    @cached_property
    def law(self) -> Law:
        """The law under which the evaluation asks about the change."""
        return cast(Law, self.view.law)

    @cached_property
    def parts(self) -> Iterable[int | str]:
        """The ids of the parts of a joint change; its own id for a single change."""
        return [f"{self.id}{PART_SEPARATOR}{at}" for at, _ in enumerate(self.change.parts, 1)] or [self.id]

    @cached_property
    def together(self) -> int:
        """How many changes are proposed at once, including this one."""
        return max(len(proposal_of(self.view, self.proposal_id).numbers), len(self.change.numbered_changes))

    @cached_property
    def strongest_tier(self) -> str:
        """The tier of the target rule or the new rule; of several, the strongest."""
        order = self.law.order.tiers
        tiers = map(self._target_tier, self.change.numbered_changes)
        return min(tiers, key=lambda tier: order.index(tier) if tier in order else len(order))

    def _target_tier(self, change: Change) -> str:
        """Return the tier of a change's target rule, or of the new rule."""
        state, of = state_of(self.view), proposal_of(self.view, self.proposal_id)
        for rule in targeted_rule_versions(state, of, change):
            return rule.tier
        for target, aim in zip(of.change.target_numbers, of.aims, strict=False):
            if aim is not None and target == change.target:  # it is gone by now
                return aim[1]
        proposal = ThingRef("proposal", self.proposal_id)
        if not self.change.parts:
            return str(self.view.value_of_key("enact.tier", proposal=proposal))
        alone = {**state.proposals, self.proposal_id: replace(proposal_of(self.view, self.proposal_id), change=change)}
        read = partial(View.value_of_key, name="enact.tier", proposal=proposal)
        return str(self.view.run_under_law(state.replace(proposals=alone), self.law, read))

    @cached_property
    def clauses(self) -> list[c.Clause]:
        """The clauses in the change, with those in its drafts and in rule sets that it incorporates."""
        language = self.law.language
        lines = (line for change in self.change.numbered_changes for line in language.read_clauses(change.law))
        clauses = [clause for line in lines for clause in line.clause.with_inner_clauses]
        if any(isinstance(clause, c.IncorporateClause) for clause in clauses):
            here = {rule.ruleset for rule in state_of(self.view).rules}
            for own_clause in clauses:  # it grows: what is brought in brings others in
                if (
                    isinstance(own_clause, c.IncorporateClause)
                    and own_clause.name not in here
                    and own_clause.name in known_rulesets()
                ):
                    here.add(own_clause.name)
                    rules = find_ruleset(own_clause.name, language).rules
                    clauses += [two for rule in rules for clause in rule.clauses for two in clause.with_inner_clauses]
        return clauses

    def words_found_in_clauses(
        self, find: Callable[[list[c.Clause], State, Vocabulary], Iterable[str]]
    ) -> tuple[str, ...]:
        """Return the words that a function finds in the clauses of the change, without duplicates."""
        return _without_duplicates(find(self.clauses, state_of(self.view), self.law.vocabulary))

    def clauses_of_kind(self, kind: type[AnyClause]) -> list[AnyClause]:
        """Return the clauses in the change that are instances of a clause class."""
        return [clause for clause in self.clauses if isinstance(clause, kind)]

    @cached_property
    def parts_with_wording(self) -> list[Change | c.DraftClause]:
        """The single changes and the drafts that make up the change; each has a title and a wording."""
        return [*self.change.numbered_changes, *self.clauses_of_kind(c.DraftClause)]

    @cached_property
    def all_wordings(self) -> list[str]:
        """The wordings of all single changes and drafts in the change; an empty text if one has none."""
        return [part.wording or "" for part in self.parts_with_wording]

    @property
    def keys_set(self) -> tuple[str, ...]:
        """The keys of the law that the change sets; reading them notes them as evidence for reviewers."""
        unique = _without_duplicates(setting.key for setting in self.clauses_of_kind(c.SetClause))
        if unique:
            self.view.evidence["keys"] = f"it sets {join_words(unique)}"
        return unique

    @property
    def keys_off_boards(self) -> tuple[str, ...]:
        """The keys of the law that the change sets, without those about boards."""
        return tuple(key for key in self.keys_set if key not in installed_extension().keys)

    @cached_property
    def effects(self) -> Iterable[str]:
        """The first words, such as “repeal”, of the effects in the change."""
        forms = (effect.form for clause in self.clauses for effect in clause.all_effects() if effect.form.makes)
        return _without_duplicates(word for form in forms for word in form.leading_words)

    @cached_property
    def duties(self) -> Iterable[str]:
        """The names of the actions to which effects in the change oblige players."""
        obliging = [effect for clause in self.clauses for effect in clause.all_effects("oblige")]
        return _without_duplicates(action for effect in obliging for action in (effect.action, effect.other) if action)

    @cached_property
    def words(self) -> Iterable[str]:
        """The names, fields, functions and keys of the law that the change's clauses use."""
        every = (two for clause in self.clauses for two in clause.expressions)
        return _without_duplicates(
            word for expression in every for word in (*sorted(expression.words), *expression.keys)
        )

    @cached_property
    def on_boards(self) -> bool:
        """Whether clauses that the change brings or repeals are about boards."""
        clauses = self.clauses
        if self.change.kind == "repeal":
            targets = targeted_rule_versions(state_of(self.view), proposal_of(self.view, self.proposal_id), self.change)
            clauses = [
                inner_clause
                for rule in targets
                for clause in rule.clauses
                for inner_clause in clause.with_inner_clauses
            ]
        effects = (effect.form for clause in clauses for effect in clause.all_effects())
        events = self.law.vocabulary.events
        replaced = (events[clause.event] for clause in clauses if isinstance(clause, c.InsteadClause))
        return (
            any(isinstance(clause, c.IncorporateClause) for clause in clauses)
            or any(isinstance(clause, c.SetClause) and clause.key in installed_extension().keys for clause in clauses)
            or any(installed_extension().is_event_about_boards(event) for event in replaced)
            or any(installed_extension().does_effect_act_on_boards(form, events) for form in effects)
        )  # fmt: skip

    @cached_property
    def counters(self) -> Iterable[str]:
        """The counters that the clauses of the change track, change or read."""
        sentences = [track.counter for track in self.clauses_of_kind(c.TrackClause)]
        known = {*self.law.tables, *sentences}
        for clause in self.clauses:
            places = (place for effect in clause.all_effects() for place in effect.places)
            sentences += [str(value) for name, value in places if name == "counter"]
            sentences += sorted(word for expression in clause.expressions for word in expression.words)
            sentences += clause.constant_texts()
        return _without_duplicates(word for word in sentences if word in known)


def seen_change(view: View, id: int | str) -> _SeenChange:
    """Return the `_SeenChange` for the change with this id: always the same object within one evaluation."""
    known = view.known.get((_SeenChange, id))
    if known is None:
        known = view.known[_SeenChange, id] = _SeenChange(view, id)
    return cast(_SeenChange, known)


def _mentions_text(view: View, change: Value, text: Value) -> Value:
    """Tell whether titles or wordings in a change contain a match of a wildcard pattern (`text`)."""
    seen = seen_change(view, cast(ThingRef, change).id)
    sentence = " ".join([*(part.title for part in seen.parts_with_wording), *seen.all_wordings])
    view.spend_steps(0, len(sentence) // 8)
    return matches_anywhere(sentence, str(text))


def _is_same_change(view: View, value: Value, other: Value) -> Value:
    """Tell whether two changes say the same, ignoring capitals, blanks and titles."""
    first, second = (seen_change(view, cast(ThingRef, ref).id).change for ref in (value, other))
    return first.comparison_key == second.comparison_key


def _revised_proposal_number(seen: _SeenChange) -> int | str | None:
    """Return the number of the proposal that a change revises; None if it revises none."""
    proposal = state_of(seen.view).proposal_numbered(seen.change.revises)
    return proposal.number if proposal else None


RECORDS = (
    Record("proposal", "a proposal", declare_fields(
        proposal_of, ("proposals",),
        Field("number", NUMBER, "its number", (), _proposal_number, traits="alike"),
        ("turn", NUMBER, "the turn in which it was made"),
        ("circuit", NUMBER, "the round in which it was made", "steady"),
        ("status", text_type(TEXT, PROPOSAL_STATUS),
         "its status: debate, open, ending, adopted, waiting, without effect, defeated or lapsed", "alike"),
        Field("hours", NUMBER, "the hours since it was made, or since time was first recorded if that was later",
              ("clock",),
              lambda view, id: hours_since(view, "proposal", id), traits="alike passing"),
        Field("judge_asked", TRUTH, "whether the Judge has been asked to end its debate", ("docket", "judgments"),
              lambda view, id: any(judgment.proposal == id for judgment in state_of(view).live_judgments)),
        Field("change", CHANGE, "the proposed change", (), lambda _, id: ThingRef("change", id), traits="alike"),
        # Of a move, rules call the square to which it goes so, too.
        Field("target", optional_type(RULE), "the rule to be changed", ("proposals", "rules"), _target_rule,
        traits="moved"),
        Field("targets", list_type(RULE), "the rules to be changed: several if they are changed together",
              ("proposals", "rules"), _target_rules),
        ("proponent", PLAYER, "the player who made the proposal", "alike"),
        ("movers", PLAYERS, "those who worded it: the proponent and anyone who has revised it"),
        Field("electorate", PLAYERS, "the players who may vote on it, as fixed when the vote opened, or as the "
                                     "rules say now if it has not opened",
              ("proposals",),
              lambda view, id: view.value_of_key("vote.electorate", proposal=ThingRef("proposal", id)),
              ("vote.electorate",)),
        Field("quota", NUMBER, "how many votes in favour it needs to pass: the number fixed for the vote or, if "
                               "none is fixed yet, the number that the rules require now",
              ("proposals",),
              lambda view, id: view.value_of_key("vote.quota", proposal=ThingRef("proposal", id)), ("vote.quota",)),
        *declare_fields(
            _vote_of, ("proposals",),
            ("votes_for", NUMBER, "the total weight of the ballots for it", lambda vote: vote.weight_of_side("for")),
            ("votes_against", NUMBER, "the total weight of the ballots against it",
            lambda vote: vote.weight_of_side("against")),
            ("supporters", PLAYERS, "those who voted for it", lambda vote: vote.voters_on_side("for")),
            ("opponents", PLAYERS, "those who voted against it", lambda vote: vote.voters_on_side("against")),
            ("abstainers", PLAYERS, "those who abstained", lambda vote: vote.voters_on_side("abstain")),
            ("votes_cast", NUMBER, "the total weight of all ballots cast", lambda vote: vote.weight_cast),
            ("not_voted", PLAYERS, "the voters who have not voted yet", lambda vote: vote.silent_voters),
            ("agreed", PLAYERS, "the voters who have agreed to the vote being closed without their ballot",
             lambda vote: [name for name, answer in vote.agreed.items() if answer == "yes"]),
        ),
    ), kept=True, alone=(
        "change", "target", "targets", "proponent", "movers", "electorate", "quota", "votes_for", "votes_against",
        "supporters", "opponents", "abstainers", "votes_cast", "not_voted", "agreed",
    )),
    Record("change", "a proposed rule change", declare_fields(
        seen_change, _CHANGE_FIELDS,
        *declare_fields(
            seen_change, ("proposals",),
            ("kind", text_type(TEXT, PROPOSABLE_KINDS),
             f"its kind: {', '.join(CHANGE_KINDS)}; together if it has several parts; revise if it rewords a proposal",
             lambda seen: seen.change.kind, "alike shown steady settled"),
            ("title", optional_type(TEXT), "its given title; none if its first words serve as its title",
             lambda seen: seen.change.given_title, "wording"),
            ("wording", TEXT, "its wording; of several changes, one after the other",
             lambda seen: HeardText(" ".join(seen.all_wordings)), "wording"),
        ),
        Field("tier", TEXT, "its tier: that of the rule it changes, or of the new rule", _CHANGE_FIELDS,
          lambda view, id: seen_change(view, id).strongest_tier, ("enact.tier",), traits="alike"),
        ("standing", TEXT, "the tier requested for a new rule; empty if none is requested",
         lambda seen: seen.change.standing, ""),
        ("adds", TRUTH, "whether it adds to a rule and leaves the rest of the rule as it is",
             lambda seen: seen.change.add,
         ""),
        ("parts", list_type(CHANGE), ("its parts: the changes it consists of; just itself if it is a single change"),
                                     "alike"),
        ("together", NUMBER, "how many changes are proposed together, counting this one"),
        ("revises", optional_type(PROPOSAL), "the proposal that it rewords; none if it does not reword one",
         _revised_proposal_number, ""),
        ("keys", text_type(TEXTS, "key"), ("the keys that its clauses set; here and below, its clauses include "
                                           "those of its drafts and of rule sets that it incorporates"),
         lambda seen: seen.keys_set),
        ("keys_off_boards", text_type(TEXTS, "key"), ("the keys that its clauses set and that have nothing to do "
                                                      "with boards, pieces or moves"),
         "wording"),
        ("counters", text_type(TEXTS, "counter"), "the counters that its clauses track, change or read"),
        ("events", TEXTS, "the kinds of event that its clauses respond to",
         lambda seen: _without_duplicates(trigger.event for trigger in seen.clauses_of_kind(c.TriggerClause))),
        ("requires", TRUTH, "whether it sets requirements that the rules must meet",
        lambda seen: bool(seen.clauses_of_kind(c.RequireClause))),
        ("scope", TEXT, "its scope: everywhere, or the universe it applies to",
         lambda seen: seen.change.universe or EVERYWHERE_SCOPE),
        ("effects", TEXTS, "the first words of its effects", "text alike"),
        ("duties", TEXTS, "the actions that its effects oblige players to take", "wording"),
        ("set_off_by", TEXTS, ("the kinds of event that its clauses respond to, apart from events that happen to "
                               "their own rule"),
         lambda seen: _without_duplicates(
             trigger.event for trigger in seen.clauses_of_kind(c.TriggerClause) if not trigger.on_own_rule
         )),
        ("replaces", TEXTS, "the events whose usual result its clauses replace with something else",
         lambda seen: _without_duplicates(clause.event for clause in seen.clauses_of_kind(c.InsteadClause))),
        ("words", TEXTS, "the names, fields, functions and keys that its clauses use"),
        ("on_boards", TRUTH, "whether it adds or repeals clauses about boards, pieces and moves"),
        ("fingerprint", TEXT, "letters that identify it",
         lambda seen: hashlib.sha256(canonical_json(seen.change.to_json()).encode()).hexdigest()[:12]),
        ("length", NUMBER, "how many words it has, including its drafts",
         lambda seen: sum(len(wording.split()) for wording in seen.all_wordings), "wording alike"),
        traits="text",
    )),
)  # fmt: skip

FUNCTIONS = (
    Function("mentions", (CHANGE, TEXT), TRUTH, "whether a change or a draft in it contains these letters: ? "
                                                "matches any letter, * any number of letters, [a-m] one of these "
                                                "letters, [!a-m] any other letter",
                                                _mentions_text, reads=("proposals",),
             traits="wording alike"),
    Function("same", (CHANGE, CHANGE), TRUTH, "whether two changes say the same thing, ignoring capitals, spaces "
                                              "and titles",
             _is_same_change, reads=("proposals",), traits="text alike"),
)  # fmt: skip
