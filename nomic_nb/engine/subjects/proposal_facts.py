"""What rules can say of a proposal, and of the changes that it makes; where one is at hand, most without naming it."""

from __future__ import annotations

import fnmatch
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from typing import TypeVar, cast

from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.changes import CHANGE_KINDS, PROPOSABLE_KINDS, Change, read_rule_number
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import EVERYWHERE_SCOPE, Number, Rule
from nomic_nb.engine.law.values import NUMBER, TEXT, TRUTH, ThingRef, Value, list_type, optional_type, text_type
from nomic_nb.engine.law.vocabulary import Field, Function, Record, Vocabulary
from nomic_nb.engine.messages import say
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
    """Return what finds letters anywhere in a text; no place in it is tried twice."""
    return re.compile(fnmatch.translate(f"*{pattern.casefold()}*"))


def has_letters(text: str, pattern: str) -> bool:
    """Tell whether a text has these letters somewhere; capitals do not count.

    Parameters
    ----------
    text : str
        What is looked through.
    pattern : str
        Letters as they stand, and ``?`` for any one, ``*`` for any number of any, ``[a-m]`` or ``[xyz]`` for one of
        these, ``[!xyz]`` for any other; ``[?]`` is a question mark. So `fnmatch` reads them.

    Examples
    --------
    >>> has_letters("Rule 104 is repealed.", "rule 1??"), has_letters("No Points now.", "n*points")
    (True, True)
    >>> has_letters("Why?", "[a-m]hy"), has_letters("Why?", "hy[?]"), has_letters("a[b", "a[b")
    (False, True, True)
    >>> has_letters("hats", "h[!ae]ts"), has_letters("huts", "h[!ae]ts")
    (False, True)
    """
    return _letter_pattern(pattern).match(text.casefold()) is not None


#: What a proposal can be.
PROPOSAL_STATUS = ("debate", "open", "ending", "adopted", "waiting", "without effect", "defeated", "lapsed")


def proposal_of(view: View, id: int | str) -> Proposal:
    """Return the proposal that a name in a view stands for."""
    return state_of(view).proposals[id]


def targeted_rule_versions(state: State, proposal: Proposal, change: Change) -> Iterator[Rule]:
    """Yield the rules that a change is about, of a proposal or in it: the same ones, whatever they are called by now.

    Once it is decided, each is as it stood when the change was proposed, since the change itself can give it another
    number, or take it away.
    """
    of = change.targets
    for at, target in enumerate(proposal.change.targets):
        if target is None or target not in of:
            continue
        aim = proposal.aims[at] if at < len(proposal.aims) else None
        rule = state.rules.numbered(target) if aim is None else state.rules.rules.get(aim[0])
        if aim is not None and not proposal.open:
            rule = _version_before(state, aim, target, (proposal.number, *proposal.numbers)) or rule
        if rule is not None:
            yield rule


def _version_before(state: State, aim: tuple[int, str], number: Number, by: tuple[Number, ...]) -> Rule | None:
    """Return the latest version of a rule, also of one that was repealed, with this number and standing."""
    rules = state.rules
    rule = rules.rules.get(aim[0]) or next((one for one in rules.repealed if one.id == aim[0]), None)
    while rule is not None and (rule.proposal in by or (rule.number, rule.tier) != (number, aim[1])):
        rule = rule.before
    return rule


def _target_rules(view: View, id: int | str) -> Value:
    proposal = proposal_of(view, id)
    found = targeted_rule_versions(state_of(view), proposal, proposal.change)
    return tuple(rule.ref if proposal.open else rule.version_ref for rule in found)


def _target_rule(view: View, id: int | str) -> Value:
    if proposal_of(view, id).change.target is None:  # it is to be a new rule, or there are several
        return None
    return next(iter(cast(tuple[Value, ...], _target_rules(view, id))), None)


def _proposal_number(_: View, id: int | str) -> Value:
    if isinstance(id, str):
        raise Undecided(say("label-not-number", "{label} is a label and not a number", label=id))
    return id


def _vote_of(view: View, id: int | str) -> Vote:
    """Return the vote on a proposal; one among nobody, where none is open yet."""
    law = cast(Law, view.law)
    return proposal_of(view, id).vote or Vote((), {}, None, None, None, duty=False, sealed=False, law=law)


def _voters_answering(said: Mapping[str, str], answer: str) -> list[str]:
    return [name for name, one in said.items() if one == answer]


FACTS = (
    declare_fact("proposals", list_type(PROPOSAL), "all proposals, whatever became of them",
         lambda state: [number for number in state.proposals if number != SUPPOSED_LABEL],
         traits="alike passing"),
    declare_fact("proposals_now", list_type(PROPOSAL), "the proposals that were made since the latest turn began",
         lambda state: [one.number for one in state.proposals.values()
                        if one.turn == state.turn and one.number != SUPPOSED_LABEL],
         reads=("proposals", "turn"), traits="alike passing"),
)  # fmt: skip

_CHANGE_FIELDS = ("proposals", "rules")
_CHANGE_READS = (*_CHANGE_FIELDS, "position", "players", "circuit", "tables")
AnyClause = TypeVar("AnyClause", bound=c.Clause)


def _unique(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found))


class _SeenChange:
    """A change as rules see it: of a proposal, or one of several that it makes together."""

    def __init__(self, view: View, id: int | str) -> None:
        self.view, self.id = view, id

    @cached_property
    def change(self) -> Change:
        return change_of(state_of(self.view), self.id)

    @cached_property
    def proposal(self) -> int | str:
        """The proposal that it is of."""
        return read_rule_number(self.id.partition(PART_SEPARATOR)[0]) if isinstance(self.id, str) else self.id

    @cached_property
    def law(self) -> Law:
        return cast(Law, self.view.law)

    @cached_property
    def parts(self) -> Iterable[int | str]:
        """The changes that it consists of; itself, where it is a single one."""
        return [f"{self.id}{PART_SEPARATOR}{at}" for at, _ in enumerate(self.change.parts, 1)] or [self.id]

    @cached_property
    def together(self) -> int:
        """How many are proposed at once, itself among them; of those handed in apart, until they are proposed."""
        return max(len(proposal_of(self.view, self.proposal).numbers), len(self.change.numbered))

    @cached_property
    def tier(self) -> str:
        """The standing of what it is about; of several, the strongest."""
        order = self.law.order.tiers
        found = map(self._target_tier, self.change.numbered)
        return min(found, key=lambda tier: order.index(tier) if tier in order else len(order))

    def _target_tier(self, change: Change) -> str:
        state, of = state_of(self.view), proposal_of(self.view, self.proposal)
        for rule in targeted_rule_versions(state, of, change):
            return rule.tier
        for target, aim in zip(of.change.targets, of.aims, strict=False):
            if aim is not None and target == change.target:  # it is gone by now
                return aim[1]
        proposal = ThingRef("proposal", self.proposal)
        if not self.change.parts:
            return str(self.view.key("enact.tier", proposal=proposal))
        alone = {**state.proposals, self.proposal: replace(proposal_of(self.view, self.proposal), change=change)}
        read = partial(View.key, name="enact.tier", proposal=proposal)
        return str(self.view.within(state.replace(proposals=alone), self.law, read))

    @cached_property
    def clauses(self) -> list[c.Clause]:
        """The clauses of it, of drafts in it and of rule sets that it brings in: what it puts in force is its own."""
        language = self.law.language
        lines = (line for one in self.change.numbered for line in language.read(one.law))
        found = [one for line in lines for one in line.clause.whole]
        if any(isinstance(one, c.IncorporateClause) for one in found):
            here = {rule.ruleset for rule in state_of(self.view).rules}
            for one in found:  # it grows: what is brought in brings others in
                if isinstance(one, c.IncorporateClause) and one.name not in here and one.name in known_rulesets():
                    here.add(one.name)
                    rules = find_ruleset(one.name, language).rules
                    found += [two for rule in rules for clause in rule.clauses for two in clause.whole]
        return found

    def found(self, find: Callable[[list[c.Clause], State, Vocabulary], Iterable[str]]) -> tuple[str, ...]:
        """Return the words that are found in its clauses."""
        return _unique(find(self.clauses, state_of(self.view), self.law.vocabulary))

    def every(self, kind: type[AnyClause]) -> list[AnyClause]:
        """Return its clauses of a kind."""
        return [one for one in self.clauses if isinstance(one, kind)]

    @cached_property
    def written(self) -> list[Change | c.DraftClause]:
        """What has a title and a wording in it: its parts, and drafts."""
        return [*self.change.numbered, *self.every(c.DraftClause)]

    @cached_property
    def all_wordings(self) -> list[str]:
        return [one.wording or "" for one in self.written]

    @property
    def keys(self) -> tuple[str, ...]:
        found = _unique(one.key for one in self.every(c.SetClause))
        if found:
            self.view.evidence["keys"] = f"it sets {join_words(found)}"
        return found

    @property
    def keys_off_boards(self) -> tuple[str, ...]:
        return tuple(one for one in self.keys if one not in installed_extension().keys)

    @cached_property
    def effects(self) -> Iterable[str]:
        """The words with which its effects begin, up to the first of their places."""
        forms = (effect.form for one in self.clauses for effect in one.every_effect() if effect.form.makes)
        return _unique(word for form in forms for word in form.begins)

    @cached_property
    def duties(self) -> Iterable[str]:
        """The actions to which its effects oblige."""
        obliging = [one for clause in self.clauses for one in clause.every_effect("oblige")]
        return _unique(action for one in obliging for action in (one.action, one.other) if action)

    @cached_property
    def words(self) -> Iterable[str]:
        every = (two for one in self.clauses for two in one.expressions)
        return _unique(word for one in every for word in (*sorted(one.words), *one.keys))

    @cached_property
    def on_boards(self) -> bool:
        """Whether clauses that it brings or takes away set terms of boards, or do something there."""
        clauses = self.clauses
        if self.change.kind == "repeal":
            targets = targeted_rule_versions(state_of(self.view), proposal_of(self.view, self.proposal), self.change)
            clauses = [one for rule in targets for clause in rule.clauses for one in clause.whole]
        effects = (effect.form for one in clauses for effect in one.every_effect())
        events = self.law.vocabulary.events
        replaced = (events[one.event] for one in clauses if isinstance(one, c.InsteadClause))
        return (
            any(isinstance(one, c.IncorporateClause) for one in clauses)
            or any(isinstance(one, c.SetClause) and one.key in installed_extension().keys for one in clauses)
            or any(installed_extension().is_about(one) for one in replaced)
            or any(installed_extension().acts(one, events) for one in effects)
        )  # fmt: skip

    @cached_property
    def counters(self) -> Iterable[str]:
        """The counters that its clauses track, change or look at."""
        said = [one.counter for one in self.every(c.TrackClause)]
        known = {*self.law.tables, *said}
        for one in self.clauses:
            places = (place for effect in one.every_effect() for place in effect.places)
            said += [str(value) for name, value in places if name == "counter"]
            said += sorted(word for expression in one.expressions for word in expression.words)
            said += one.texts()
        return _unique(word for word in said if word in known)


def seen_change(view: View, id: int | str) -> _SeenChange:
    """Return a change as it is seen throughout an evaluation."""
    known = view.known.get((_SeenChange, id))
    if known is None:
        known = view.known[_SeenChange, id] = _SeenChange(view, id)
    return cast(_SeenChange, known)


def _mentions_text(view: View, change: Value, text: Value) -> Value:
    seen = seen_change(view, cast(ThingRef, change).id)
    said = " ".join([*(one.title for one in seen.written), *seen.all_wordings])
    view.spend(0, len(said) // 8)
    return has_letters(said, str(text))


def _is_same_text(view: View, one: Value, other: Value) -> Value:
    first, second = (seen_change(view, cast(ThingRef, ref).id).change for ref in (one, other))
    return first.says == second.says


def _is_revision(seen: _SeenChange) -> int | str | None:
    found = state_of(seen.view).proposal_numbered(seen.change.revises)
    return found.number if found else None


RECORDS = (
    Record("proposal", "a proposal", declare_fields(
        proposal_of, ("proposals",),
        Field("number", NUMBER, "its number", (), _proposal_number, traits="alike"),
        ("turn", NUMBER, "the turn in which it was made"),
        ("circuit", NUMBER, "the circuit in which it was made", "steady"),
        ("status", text_type(TEXT, PROPOSAL_STATUS),
         "debate, open, ending, adopted, waiting, without effect, defeated or lapsed", "alike"),
        Field("hours", NUMBER, "hours since it was made; at most since time is recorded", ("clock",),
              lambda view, id: hours_since(view, "proposal", id), traits="alike passing"),
        Field("judge_asked", TRUTH, "whether the Judge was asked to end its debate", ("docket", "judgments"),
              lambda view, id: any(one.proposal == id for one in state_of(view).live_judgments)),
        Field("change", CHANGE, "what is proposed", (), lambda _, id: ThingRef("change", id), traits="alike"),
        # Of a move, rules call the square to which it goes so, too.
        Field("target", optional_type(RULE), "the rule to be changed", ("proposals", "rules"), _target_rule,
        traits="moved"),
        Field("targets", list_type(RULE), "the rules to be changed: several, where they are changed together",
              ("proposals", "rules"), _target_rules),
        ("proponent", PLAYER, "who made the proposal", "alike"),
        ("movers", PLAYERS, "those who gave it its form: who made it, and who revised it since"),
        Field("electorate", PLAYERS, "who may vote on it, as it was fixed; until then, as the law has it",
              ("proposals",),
              lambda view, id: view.key("vote.electorate", proposal=ThingRef("proposal", id)), ("vote.electorate",)),
        Field("quota", NUMBER, "how many votes in favour adopt it, as it was fixed; until then, as the law has it",
              ("proposals",),
              lambda view, id: view.key("vote.quota", proposal=ThingRef("proposal", id)), ("vote.quota",)),
        *declare_fields(
            _vote_of, ("proposals",),
            ("votes_for", NUMBER, "the weight of the ballots for it", lambda vote: vote.weight("for")),
            ("votes_against", NUMBER, "the weight of the ballots against it", lambda vote: vote.weight("against")),
            ("supporters", PLAYERS, "those who voted for it", lambda vote: _voters_answering(vote.ballots, "for")),
            ("opponents", PLAYERS, "those who voted against it", lambda vote: _voters_answering(vote.ballots,
            "against")),
            ("abstainers", PLAYERS, "those who abstained", lambda vote: _voters_answering(vote.ballots, "abstain")),
            ("votes_cast", NUMBER, "the weight of all ballots, whatever they say", lambda vote: vote.cast),
            ("not_voted", PLAYERS, "the voters without a ballot", lambda vote: vote.waiting),
            ("agreed", PLAYERS, "the voters who say that the vote may be closed without their ballot",
             lambda vote: _voters_answering(vote.agreed, "yes")),
        ),
    ), kept=True, alone=(
        "change", "target", "targets", "proponent", "movers", "electorate", "quota", "votes_for", "votes_against",
        "supporters", "opponents", "abstainers", "votes_cast", "not_voted", "agreed",
    )),
    Record("change", "a proposed rule-change", declare_fields(
        seen_change, _CHANGE_FIELDS,
        *declare_fields(
            seen_change, ("proposals",),
            ("kind", text_type(TEXT, PROPOSABLE_KINDS),
             f"{', '.join(CHANGE_KINDS)}; together, where it is several; revise, where it rewords a proposal",
             lambda seen: seen.change.kind, "alike shown steady settled"),
            ("title", optional_type(TEXT), "the title that was given to it; none, where it is its first words",
             lambda seen: seen.change.given_title, "wording"),
        ),
        Field("tier", TEXT, "its standing: that of the rule concerned, or of the new one", _CHANGE_FIELDS,
          lambda view, id: seen_change(view, id).tier, ("enact.tier",), traits="alike"),
        ("standing", TEXT, "the standing that is asked for, for a new rule; empty where none is",
         lambda seen: seen.change.standing, ""),
        ("adds", TRUTH, "whether it adds to a rule, all of which stays as it is", lambda seen: seen.change.add,
         ""),
        ("parts", list_type(CHANGE), "the changes that are made together; itself, where it is a single one", "alike"),
        ("together", NUMBER, "how many changes are proposed at once with it, itself among them"),
        ("revises", optional_type(PROPOSAL), "the proposal that it gives another form; none for every other change",
         _is_revision, ""),
        ("keys", text_type(TEXTS, "key"), ("the keys that its clauses set; drafts in it, and "
         "rule sets that it brings in, are its own here, and in what follows"),
         lambda seen: seen.keys),
        ("keys_off_boards", text_type(TEXTS, "key"), "those of them that are not about boards, pieces and moves",
         "wording"),
        ("counters", text_type(TEXTS, "counter"), "the counters that its clauses track, change or look at"),
        ("events", TEXTS, "the kinds of event that its clauses answer to",
         lambda seen: _unique(one.event for one in seen.every(c.TriggerClause))),
        ("requires", TRUTH, "whether it requires something of the law", lambda seen: bool(seen.every(c.RequireClause))),
        ("scope", TEXT, "everywhere, or the universe that it is for",
         lambda seen: seen.change.universe or EVERYWHERE_SCOPE),
        ("effects", TEXTS, "the words with which effects in it begin", "text alike"),
        ("duties", TEXTS, "the actions to which effects in it oblige players", "wording"),
        ("set_off_by", TEXTS, "the same, but for its own coming and going",
         lambda seen: _unique(
             one.event for one in seen.every(c.TriggerClause) if not one.on_own_rule
         )),
        ("replaces", TEXTS, "the events in place of whose usual result its clauses put something else",
         lambda seen: _unique(one.event for one in seen.every(c.InsteadClause))),
        ("words", TEXTS, "every name, field, function and key that its clauses use"),
        ("on_boards", TRUTH, ("whether clauses that it brings, or those of the rules that it repeals, are "
         "about boards, pieces and moves")),
        ("fingerprint", TEXT, "letters that tell it from every other change",
         lambda seen: hashlib.sha256(canonical_json(seen.change.to_json()).encode()).hexdigest()[:12]),
        ("length", NUMBER, "how many words it and its drafts have",
         lambda seen: sum(len(one.split()) for one in seen.all_wordings), "wording alike"),
        traits="text",
    )),
)  # fmt: skip

FUNCTIONS = (
    Function("mentions", (CHANGE, TEXT), TRUTH, "whether a change or a draft in it has these letters: ? is any letter, "
             "* any number of them, [a-m] one of these, [!a-m] any other", _mentions_text, reads=("proposals",),
             traits="wording alike"),
    Function("same", (CHANGE, CHANGE), TRUTH, "whether two changes say the same, but for capitals, blanks and titles",
             _is_same_text, reads=("proposals",), traits="text alike"),
)  # fmt: skip
