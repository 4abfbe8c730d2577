"""What clauses say and do, and the cases in which the law is asked before and after a change: as few as suffice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property
from math import prod
from typing import cast
from weakref import WeakKeyDictionary

from nomic_nb.chess.play.clause_checks import armies_in_universe
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import Clause, Effect, PieceClause
from nomic_nb.engine.law.findings import Finding, set_clause_of
from nomic_nb.engine.law.nodes import Expression, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import EVERYWHERE_SCOPE, OTHERWISE, Number, Rule, SourceClause
from nomic_nb.engine.law.values import ThingRef, Type, Value, with_article
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.adoptability import SUPPOSED_CASE, SUPPOSED_LABEL, suppose_proposed
from nomic_nb.engine.play.decisions import numbers_are_assigned
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.permissions import find_permission, is_surely_forbidden
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import VOTE_CHOICES, Vote, player_names
from nomic_nb.engine.play.vote_rules import BALLOT_FIELDS
from nomic_nb.engine.words import group_pairs, join_words


def is_unconditional(clause: Clause) -> bool:
    """Return True if a clause sets a term without any condition, so that it always applies."""
    return isinstance(clause, c.SetClause) and clause.written_condition is None


def all_effects(clauses: Iterable[Clause], *forms: str) -> list[Effect]:
    """Return all effects in clauses, nested ones too; if `forms` (verbs) are given, only effects of these forms."""
    return [effect for clause in clauses for effect in clause.all_effects(*forms)]


def evaluate_or_none(expression: Expression, state: State, **case: Value) -> Value:
    """Return the value of an expression, with variables bound as in `case`; None if the law does not decide it."""
    try:
        return expression.run(View(state, case, state.law))
    except Undecided:
        return None


_EFFECTS: WeakKeyDictionary[Law, list[Effect]] = WeakKeyDictionary()


def effects_in_force(law: Law) -> list[Effect]:
    """Return all effects in clauses of rules in force, and in clauses that these rules draft; found once for a law."""
    if law not in _EFFECTS:
        _EFFECTS[law] = all_effects(part for clause in clauses_in_force(law) for part in clause.with_inner_clauses)
    return _EFFECTS[law]


def effects_in_slots(effect: Effect) -> Iterator[tuple[Effect, ...]]:
    """Yield, for each slot of an effect, a tuple of the effects nested in it; an empty one for a slot without any."""
    for _, value in effect.places:
        yield tuple(item for item in (value if isinstance(value, tuple) else (value,)) if isinstance(item, Effect))


def table_changed_by(effect: Effect) -> str | None:
    """Return the name of the table that an effect changes; None if it changes none."""
    return effect.counter if "counted" in effect.form.makes else None


def can_tables_change_any_time(law: Law, tables: Set[str]) -> bool:
    """Return True if rules change one of some tables upon what may happen at any time (an action, a new day)."""
    at_will = {deed.makes for deed in ACTIONS.values() if deed.heard} | {"taken", "day_begun"}
    acting = (clause for clause in law.acting_clauses if clause.event in at_will)
    return bool(tables) and any(table_changed_by(effect) in tables for effect in all_effects(acting))


def clauses_in_force(law: Law) -> list[Clause]:
    """Return the clauses in force, rule by rule."""
    return [clause for rule in law.book.in_force for clause in rule.clauses]


def can_be_set_to(law: Law, key: str, value: str) -> bool:
    """Tell whether a clause in force can set the term of a given key (such as `vote.quota_when`) to a given text."""
    return any(value in set_clause_of(source).value.constant_texts() for source in law.clauses_about(key))


def without_open_proposals(state: State) -> State:
    """Return the state without the proposals that are open, and what they bar with them."""
    kept = {number: one for number, one in state.proposals.items() if one not in state.open_proposals}
    return state.replace(proposals=kept, unsettled=())


def possible_ballots(law: Law) -> frozenset[str] | None:
    """Return the ballots that can be cast by a law; None if that depends on more than what its clauses list."""
    values = [set_clause_of(source).value for source in law.clauses_about("vote.choices")]
    if any({*value.names, *value.keys} - {OTHERWISE} for value in values):
        return None
    return frozenset(VOTE_CHOICES).union(*[value.constant_texts() for value in values])


def why_never_happens(law: Law, event: str) -> Message | None:
    """Return a message on why an event never happens under a law; None if it may happen."""
    done = effects_in_force(law)
    if event == "taken":
        return None if law.offers else say("nothing-offered", "no rule offers anything")
    if any(event in effect.form.makes for effect in done):
        return None
    starts = law.clauses_about("turn.start") if event == "passed_over" else ()
    if starts and not can_be_set_to(law, "turn.start", "automatic"):
        return say("nobody-passed-over", "nobody is skipped if turns begin at will (rule {rule})",
                   rule=starts[0].rule.number)  # fmt: skip
    for name, action in ACTIONS.items():
        clauses = (set_clause_of(source) for source in law.clauses_about(f"may.{name}"))
        if action.makes == event and action.takes_leave and all(one.value.node.value is False for one in clauses):
            return say("action-not-allowed", "no rule allows anyone to {action}", action=action.meaning)
    obliged = any(effect.form.name == "oblige" and "roll" in (effect.action, effect.other) for effect in done)
    return say("nobody-rolls", "no rule makes anyone roll") if event == "thrown" and not obliged else None


#: Players, and faces of a die, up to which a term is asked for each.
MOST_PLAYERS, MOST_FACES = 12, 20
#: Players to whom something is let happen where rules tell them apart.
MOST_ACTS_TRIED = 6
#: Voters up to which every count of ballots is gone through, and not only those near what is needed.
MOST_CASES_NAMED = 4
#: What tells a case apart, in three pieces; those that share the outer two are said together.
CaseLabel = tuple[str, str, str]
#: What the changed rule is called in a label, and how its label begins if several are changed.
THIS, ONE_OF_THEM = "this rule", "rule "
#: A change that stands for all that make a new rule.
NEW_RULE_EXAMPLE = Change("enact", None, "An example.", title="An example")


def names_read_for_term(law: Law, key: str) -> frozenset[str]:
    """Return the names of facts and variables on which a term depends, directly or through other terms.

    Facts are among them, and the names that facts need to be there.
    """
    names, facts = set[str](), law.vocabulary.facts
    for expression in law.dependence.expressions_behind(key):
        names.update(expression.names, expression.words & facts.keys())  # words: those said of a proposal that is named
        names.update(*[facts[name].needs for name in expression.names if name in facts])
    return frozenset(names)


def _clause_identity(source: SourceClause) -> tuple[object, ...]:
    """Return a tuple that tells whether a clause stays the same in a change: its words, and its rule's id and rank."""
    rule = source.rule
    return rule.id, rule.number, rule.tier, rule.event, source.clause.words


@frozen
class ComparedCase:
    """One case, before the change and after it.

    Parameters
    ----------
    labels : mapping of str to Label
        What it is, by the name that is bound: ``{"proposal": ("to", "enact", "a rule")}``.
    before, after : State
        The state in which the law is asked.
    env : mapping of str to Value
        The names that are bound.
    """

    labels: Mapping[str, CaseLabel]
    before: State
    after: State
    env: Mapping[str, Value]

    @property
    def is_about_changed_rule(self) -> bool:
        """Whether the example proposal of this case is on one of the rules that the reviewed change concerns."""
        concerned = self.labels.get("proposal", ("", "", ""))[2]
        return concerned == THIS or concerned.startswith(ONE_OF_THEM)


def _universe_of_rule(then: Rule | None, now: Rule | None) -> str:
    """Return the universe (board) to which a rule is or was limited, or from which a change lifts it; else empty."""
    for rule in filter(None, (now, then)):
        if rule.scope != EVERYWHERE_SCOPE:
            return rule.scope
    lifted = set(now.lifted) - set(then.lifted) if then is not None and now is not None else set()
    return min(lifted, default="")


class ReviewCases:
    """The cases of one review.

    Parameters
    ----------
    before, after : State
        As things stand, and as they would.
    player : str
        Who proposes.
    changed : frozenset of int
        Ids of the rules that the change concerns.
    """

    def __init__(self, before: State, after: State, player: str, changed: frozenset[int]) -> None:
        # Compare the change alone, without effects of its being proposed.
        after = after.replace(proposals=before.proposals, unsettled=before.unsettled)
        self.before, self.after, self.player, self.changed = before, after, player, changed
        pairs = [(before.rules.rules.get(id), after.rules.rules.get(id)) for id in sorted(changed)]
        #: Whether a rule concerned has another standing afterwards.
        self.opens = any(then is not None and now is not None and then.tier != now.tier for then, now in pairs)
        universes = {_universe_of_rule(*pair) for pair in pairs}
        #: The one universe in which the rules concerned speak, or no longer do; empty if one of them is for all.
        self.universe = universes.pop() if len(universes) == 1 else ""
        #: Whether other rules prevail than before, whatever they say.
        self.reordered = before.law.order != after.law.order or before.law.claims != after.law.claims

    @cached_property
    def change_cases(self) -> tuple[ComparedCase, ...]:
        """One case for each kind of rule-change: an example of it, proposed before and after the reviewed change."""
        return tuple(
            ComparedCase(
                {"proposal": label}, suppose_proposed(self.before, then, self.player), suppose_proposed(self.after,
                now, self.player),
                SUPPOSED_CASE,
            )
            for label, then, now in example_changes_by_kind(self.before, self.after, self.changed)
        )  # fmt: skip

    @cached_property
    def proposable_cases(self) -> tuple[ComparedCase, ...]:
        """Those of the `change_cases` whose example may be proposed before or after the reviewed change."""
        return tuple(
            case
            for case in self.change_cases
            if self._is_proposal_allowed(case.before) or self._is_proposal_allowed(case.after)
        )

    def _is_proposal_allowed(self, state: State) -> bool:
        """Return True if the law surely allows the player to propose the change that a state supposes."""
        finding = find_permission(state, "propose", self.player, **SUPPOSED_CASE)
        return finding.answered and not is_surely_forbidden(finding)

    def _does_basis_differ(self, key: str) -> bool:
        """Return True if what decides a term changes: its clauses, the ranks of their rules, or what they read."""
        law = self.before.law
        (old, looked), new = law.dependence.reads_of(key), self.after.law.clauses_and_rulings_about(key)
        if old != new and list(map(_clause_identity, old)) != list(map(_clause_identity, new)):
            return True
        said = [expression.words for source in new for expression in source.expressions]
        read = frozenset(law.vocabulary.keys[key].reads).union(*[reads.reads for reads in looked])
        return "rules" in frozenset().union(*said) or not self._changed_state_fields.isdisjoint(read)

    @cached_property
    def _changed_state_fields(self) -> frozenset[str]:
        """Names of the state's fields that the change alters, except rules and proposals; always with “*”."""
        then, now = vars(self.before), vars(self.after)
        return frozenset(name for name in then if then[name] is not now[name]) - {"rules", "proposals"} | {"*"}

    def can_answer_differ(self, keys: Iterable[str]) -> dict[str, bool]:
        """Return for each term's key whether the change could alter its value in cases not about the changed rule.

        It cannot where no clause speaks, or the same clauses of rules that rank as before speak, they read no list of
        rules, and everything else that they read is as it was.
        """
        law, now = self.before.law, self.after.law
        words, differs = law.vocabulary, cache(self._does_basis_differ)
        general = {f"may.{name}": act.otherwise for name, act in words.actions.items() if act.otherwise}
        spoken = {*law.candidates, *law.rulings, *now.candidates, *now.rulings}
        found = dict[str, bool]()
        for key in keys:
            asked = (key, general.get(key, key))
            terms = [words.keys[one] for one in asked if one in words.keys]
            open_to = not spoken.isdisjoint(asked) or any(
                term.usual or not self._changed_state_fields.isdisjoint(term.reads) for term in terms
            )
            behind = law.dependence.clauses_behind_keys(*asked) if open_to else ()
            found[key] = bool(behind) and (self.reordered or any(map(differs, behind)))
        return found

    def cases_of_term(self, key: str) -> list[ComparedCase]:
        """Return the cases in which to compare a term, one for each combination of values that it depends on."""
        declared = self.before.law.vocabulary.keys[key]
        read = names_read_for_term(self.before.law, key) | names_read_for_term(self.after.law, key)
        kinds, there = declared.case, dict[str, Value]()
        if self.universe and "push" in {**kinds, **declared.may_know}:
            there["push"] = (ThingRef("board", self.universe),)
        cases = [ComparedCase({}, self.before, self.after, there)]
        if declared.usual is not None:
            kinds = {**kinds, **declared.may_know}
            for name, (before, values) in self._counter_changes(key).items():
                cases = _cases_by_bound_value(cases, name, before, values)
        for name, kind in kinds.items():
            if not cases or name not in read or name in cases[0].env:
                continue
            if kind.name == "proposal":
                cases = list(self.change_cases if key == "may.propose" else self.proposable_cases)
                if read & BALLOT_FIELDS:
                    cases = [voted for case in cases for voted in self._cases_by_ballot_count(case)]
            else:
                before, values = self._values_to_bind(name, kind.name, key)
                cases = _cases_by_bound_value(cases, name, before, values) if values else cases
        return cases

    def _values_to_bind(self, name: str, kind: str, key: str) -> tuple[str, Sequence[Value]]:
        """Return a preposition for labels (“for” as in “for Ann”), and the values to try for a variable of a type."""
        if kind == "player":
            return "for", [
                ThingRef(kind, player) for player in self._names_in_both_states(lambda state: state.names_of_players)
            ]
        armies = self._names_in_both_states(lambda state: armies_in_universe(state, self.universe))
        if kind == "army":
            return "for", [ThingRef(kind, army) for army in armies]
        if name == "kind":
            return "for", self._piece_kinds(key)
        if name == "place":  # those of the armies, and that of one more that may enter
            return "for place", range(1, len(armies) + 2)
        return "for a", range(1, self._die_sides() + 1) if kind == "number" else ()

    def _counter_changes(self, key: str) -> dict[str, tuple[str, Sequence[Value]]]:
        """Return for “counter”, “was” and “amount” a preposition for labels, such as “of”, and values to try."""
        values = [value for source in self._clauses_on_term(key) for value in source.clause.constants()]
        named = {
            name
            for source in self._clauses_on_term(key)
            for expression in source.expressions
            for name in expression.keys
        }
        numbers = [
            self.after.find(term).value for term in sorted(named - {key}) if not self.after.law.is_silent_on(term)
        ]
        numbers = [number for number in (*values, *numbers) if type(number) is int]
        tables = [name for name, shape in self.after.law.tables.items() if shape.holds_numbers]
        told_apart = sorted({0, *numbers[:3]})
        return {
            "counter": ("of", ([table for table in tables if table in values] or tables[:1])[:3]),
            "was": ("from", told_apart),
            "amount": ("by", sorted({-1, 5, *(number + 1 for number in told_apart)})),
        }

    def _clauses_on_term(self, key: str) -> list[SourceClause]:
        """Return the clauses that set a term: those in force before the change, then those after it."""
        return [source for state in (self.before, self.after) for source in state.law.clauses_about(key)]

    def _names_in_both_states(self, names: Callable[[State], Iterable[str]]) -> list[str]:
        """Return the first few names that the function `names` finds in both states, before and after the change."""
        now = set(names(self.after))
        return [name for name in names(self.before) if name in now][:MOST_PLAYERS]

    def _piece_kinds(self, key: str) -> list[str]:
        """Return the letters of the kinds of piece that are on the boards or named in clauses on a term."""
        boards = [state.position for state in (self.before, self.after) if state.position is not None]
        kinds = {piece.kind.upper() for board in boards for piece in board.pieces.values()}
        clauses = (source.clause for source in self._clauses_on_term(key))
        return sorted(kinds | {clause.kind for clause in clauses if isinstance(clause, PieceClause)})

    def _die_sides(self) -> int:
        """Return the greatest number of sides of a die before or after the change, up to a limit; 0 if unknown."""
        sides = [state.find("dice.sides").value for state in (self.before, self.after)]
        return min(MOST_FACES, max([side for side in sides if isinstance(side, int)], default=0))

    def _cases_by_ballot_count(self, case: ComparedCase) -> Iterator[ComparedCase]:
        """Yield copies of a case with different numbers of ballots in favour; the case itself if nobody can vote."""
        votes = [vote_on_example(state) for state in (case.before, case.after)]
        count, others = (len(vote.electorate) for vote in votes)
        if not count or not others:
            yield case
            return
        counts: Iterable[int] = range(count + 1)
        if others != count:
            counts = (0, count)
        elif count > MOST_CASES_NAMED:
            quotas = [state.find("vote.quota", **SUPPOSED_CASE).value for state in (case.before, case.after)]
            edges = {int(quota) - step for quota in quotas if isinstance(quota, int) for step in (0, 1)}
            counts = sorted({0, count // 2, count // 2 + 1, count} | {edge for edge in edges if 0 <= edge <= count})
        for many in counts:
            label = ("with", str(many), f"of {count} in favour")
            if others != count:
                label = ("with", "all" if many else "nobody", "in favour")
            before = _state_with_ballots(case.before, votes[0], many)
            after = _state_with_ballots(case.after, votes[1], others if many == count else many)
            yield ComparedCase({**case.labels, "ballots": label}, before, after, case.env)


def example_changes_by_kind(
    before: State, after: State, changed: frozenset[int]
) -> Iterator[tuple[CaseLabel, Change, Change]]:
    """Yield an example of each kind of rule-change: its label, and the change before and after the reviewed one.

    A new rule; each other kind for a rule of every standing; and for the rules concerned themselves, if their
    own standing becomes another.
    """
    yield ("to", "enact", "a rule"), NEW_RULE_EXAMPLE, NEW_RULE_EXAMPLE
    aims: dict[str, tuple[Rule, Rule]] = {}
    for rule in sorted(before.rules, key=lambda other: other.id in changed):
        same, own = after.rules.rules.get(rule.id), rule.id in changed
        if same is not None and (same.tier != rule.tier) is own:
            named = THIS if len(changed) == 1 else f"{ONE_OF_THEM}{rule.number}"
            aims.setdefault(named if own else f"{with_article(rule.tier)} rule", (rule, same))
    for aim, (rule, same) in aims.items():
        for kind in ("amend", "repeal", "transmute"):
            wording = "An example." if kind == "amend" else None
            yield ("to", kind, aim), Change(kind, rule.number, wording), Change(kind, same.number, wording)


def finding_for_example(state: State, key: str, player: str = "", **more: Value) -> Finding:
    """Return what the law says on a term if `player` proposed an example rule; `more` are other variables' values."""
    player = player or next(iter(state.person_names), "")
    return (suppose_proposed(state, NEW_RULE_EXAMPLE, player) if player else state).find(key, **SUPPOSED_CASE, **more)


def names_bound(law: Law, event: str) -> dict[str, Type]:
    """Return the names that an event binds, each with its type; the player too if a counter of theirs changes."""
    kind = law.vocabulary.events[event]
    return {**kind.binds, **{name: type for name, type in kind.may_bind.items() if name == "player"}}


def values_to_try(state: State, name: str, kind: Type, player: str, *, every: bool) -> tuple[Value, ...]:
    """Return values to try for a variable that an event binds: just one, or several different ones if `every`."""
    if name == "amount":
        return (1, -1)
    if kind.name == "number":
        sides = state.find("dice.sides").value if name == "face" and every else 1
        return tuple(range(1, min(sides, MOST_FACES) + 1)) if isinstance(sides, int) else (1,)
    if kind.name == "player":
        others = [other for other in state.names_of_players if other != player] if every else []
        return tuple(ThingRef("player", candidate) for candidate in [player, *others[: MOST_ACTS_TRIED - 1]])
    if name == "part":
        finding = state.find("turn.parts")
        return cast(tuple[Value, ...], finding.value) if finding.answered else ()
    if name == "counter":
        return tuple(table_name for table_name, shape in state.law.tables.items() if shape.keys == ("player",))
    if kind.name == "text":
        return ("for",)
    boards = state.position
    there: dict[str, Iterable[int | str]] = {
        "rule": state.rules.rules, "proposal": state.proposals, "judgment": state.judgments,
        "piece": boards.pieces if boards is not None else (), "army": boards.armies if boards is not None else (),
    }  # fmt: skip
    return tuple(ThingRef(kind.name, id) for id in [*there.get(kind.name, ())][-1:])


def number_of_change(state: State, change: Change, player: str) -> Number | None:
    """Return the number of a player's change: its open proposal's, or the one it would get next; None if unknown.

    If others assign numbers, it is the next one above all existing numbers.
    """
    for proposal in state.open_proposals:
        if proposal.proponent == player and proposal.change.to_json() == change.to_json():
            return proposal.number
    label = suppose_proposed(state, change, player).find("proposal.label", **SUPPOSED_CASE)
    if label.answered and label.value is not None:
        return str(label.value)
    first, last = state.find("proposal.first_number").value, state.last_number
    if numbers_are_assigned(state):
        last = max((number for number in state.proposals if isinstance(number, int)), default=None)
    if first is None and last is None:
        return None
    given = (first or 0) if last is None else max(last + 1, first or 0)
    while given in state.proposals or given in state.rules.by_number:
        given += 1
    return given


def vote_on_example(state: State) -> Vote:
    """Return a vote on the proposal that a state supposes, with voters and weights but without ballots."""
    electorate = state.find("vote.electorate", **SUPPOSED_CASE)
    voters = player_names(electorate.value) if electorate.answered else ()  # nobody where the law does not say
    weights = {
        name: state.find("vote.weight", **SUPPOSED_CASE, voter=ThingRef("player", name)).value for name in voters
    }
    exact = {name: weight if isinstance(weight, int | Fraction) else 0 for name, weight in weights.items()}
    return Vote(voters, exact, None, None, None, duty=False, sealed=False, law=state.law, ballots={})


def _state_with_ballots(state: State, vote: Vote, many: int) -> State:
    """Return the state in which the first `many` voters are in favour, and the others against."""
    ballots = {name: "for" if at < many else "against" for at, name in enumerate(vote.electorate)}
    proposal = replace(state.proposals[SUPPOSED_LABEL], status="open", vote=replace(vote, ballots=ballots))
    return state.replace(proposals={**state.proposals, SUPPOSED_LABEL: proposal})


def _cases_by_bound_value(
    cases: list[ComparedCase], name: str, first_word: str, values: Iterable[Value]
) -> list[ComparedCase]:
    """Return a copy of each case for every value of a variable, with a label such as “for Ann” (`first_word` “for”)."""
    labels = [((first_word, str(value.id if isinstance(value, ThingRef) else value), ""), value) for value in values]
    return [
        replace(case, labels={**case.labels, name: label}, env={**case.env, name: value})
        for label, value in labels
        for case in cases
    ]


def cases_in_words(some: list[ComparedCase], every: list[ComparedCase]) -> str:
    """Return a phrase that tells `some` cases of a term from all of its cases (`every`); empty if both are the same.

    Empty where they are all.
    """
    if len(some) == len(every):
        return ""
    names = list(every[0].labels)
    label_rows = [tuple(case.labels[name] for name in names) for case in some]
    ranges = [tuple(dict.fromkeys(row[at] for row in label_rows)) for at in range(len(names))]
    if len(label_rows) != prod(map(len, ranges)):
        return "; ".join(", ".join(join_labels([label]) for label in each) for each in label_rows)
    everywhere = [len({case.labels[name] for case in every}) for name in names]
    return ", ".join(
        join_labels(label_range)
        for label_range, whole in zip(ranges, everywhere, strict=True)
        if len(label_range) < whole
    )


def join_labels(labels: Iterable[CaseLabel]) -> str:
    """Return the labels of cases (three phrases each) joined to one phrase.

    Examples
    --------
    >>> join_labels([("to", "enact", "a rule"), ("to", "amend", "this rule"), ("to", "repeal", "this rule")])
    'to enact a rule or to amend or repeal this rule'
    """
    groups = group_pairs(((before, after), core) for before, core, after in labels)
    parts = [f"{before} {join_words(cores, 'or')} {after}".strip() for (before, after), cores in groups.items()]
    return join_words(parts, "or")
