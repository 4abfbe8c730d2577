"""The cases in which the law is asked before and after a change, as few as tell its answers apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property
from math import prod

from nomic_nb.chess.play.scopes import armies_in_universe
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import PieceClause
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import EVERYWHERE_SCOPE, Rule, SourceClause
from nomic_nb.engine.law.values import ThingRef, Value, with_article
from nomic_nb.engine.play.adoptability import SUPPOSED_CASE, SUPPOSED_LABEL, suppose_proposed
from nomic_nb.engine.play.permissions import find_permission, is_forbidden
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Vote, player_names
from nomic_nb.engine.play.vote_rules import BALLOT_FIELDS
from nomic_nb.engine.words import group_pairs, join_words

#: Players, and faces of a die, up to which a term is asked for each.
MOST_PLAYERS, MOST_FACES = 12, 20
#: Voters up to which every count of ballots is gone through, and not only those near what is needed.
MOST_CASES_NAMED = 4
#: What tells a case apart, in three pieces; those that share the outer two are said together.
CaseLabel = tuple[str, str, str]
#: What the changed rule is called in a label, and how its label begins if several are changed.
THIS, ONE_OF_THEM = "this rule", "rule "
#: A change that stands for all that make a new rule.
NEW_RULE_EXAMPLE = Change("enact", None, "An example.", title="An example")


def names_read(law: Law, key: str) -> frozenset[str]:
    """Return the names that the clauses on a key read, and those on the keys that they look up.

    Facts are among them, and the names that facts need to be there.
    """
    found, facts = set[str](), law.vocabulary.facts
    for one in law.dependence.expressions_behind(key):
        found.update(one.names, one.words & facts.keys())  # words: those said of a proposal that is named
        found.update(*[facts[name].needs for name in one.names if name in facts])
    return frozenset(found)


def _ranking_fields(source: SourceClause) -> tuple[object, ...]:
    """Return what a clause says, and what its rule ranks by."""
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
    def own(self) -> bool:
        """Whether a changed rule is the one concerned."""
        concerned = self.labels.get("proposal", ("", "", ""))[2]
        return concerned == THIS or concerned.startswith(ONE_OF_THEM)


def _scope_of_rule(then: Rule | None, now: Rule | None) -> str:
    """Return the universe that a rule is for, or where it was repealed; empty where it is one for all."""
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
        after = after.replace(proposals=before.proposals)  # what hangs on its being proposed is not the change's doing
        self.before, self.after, self.player, self.changed = before, after, player, changed
        pairs = [(before.rules.rules.get(id), after.rules.rules.get(id)) for id in sorted(changed)]
        #: Whether a rule concerned has another standing afterwards.
        self.opens = any(then is not None and now is not None and then.tier != now.tier for then, now in pairs)
        universes = {_scope_of_rule(*one) for one in pairs}
        #: The one universe in which the rules concerned speak, or no longer do; empty if one of them is for all.
        self.universe = universes.pop() if len(universes) == 1 else ""
        #: Whether other rules prevail than before, whatever they say.
        self.reordered = before.law.order != after.law.order or before.law.claims != after.law.claims

    @cached_property
    def all(self) -> tuple[ComparedCase, ...]:
        """An example of each kind of change."""
        return tuple(
            ComparedCase(
                {"proposal": label}, suppose_proposed(self.before, then, self.player), suppose_proposed(self.after,
                now, self.player),
                SUPPOSED_CASE,
            )
            for label, then, now in example_changes(self.before, self.after, self.changed)
        )  # fmt: skip

    @cached_property
    def proper(self) -> tuple[ComparedCase, ...]:
        """Those that can be proposed, before or after."""
        return tuple(one for one in self.all if self._allowed(one.before) or self._allowed(one.after))

    def _allowed(self, state: State) -> bool:
        found = find_permission(state, "propose", self.player, **SUPPOSED_CASE)
        return found.answered and not is_forbidden(found)

    def _differs(self, key: str) -> bool:
        """Tell whether other clauses speak on a term than before, rank otherwise, speak of rules or of what moved."""
        law = self.before.law
        (old, looked), new = law.dependence.reads_of(key), self.after.law.sources(key)
        if old != new and list(map(_ranking_fields, old)) != list(map(_ranking_fields, new)):
            return True
        said = [one.words for source in new for one in source.expressions]
        read = frozenset(law.vocabulary.keys[key].reads).union(*[one.reads for one in looked])
        return "rules" in frozenset().union(*said) or not self._moved.isdisjoint(read)

    @cached_property
    def _moved(self) -> frozenset[str]:
        """The fields in which the states differ, apart from rules; ``*`` is what depends on more than can be said."""
        then, now = vars(self.before), vars(self.after)
        return frozenset(name for name in then if then[name] is not now[name]) - {"rules", "proposals"} | {"*"}

    def touched(self, keys: Iterable[str]) -> dict[str, bool]:
        """Tell of keys whether an answer about them could differ where the changed rule is not the one concerned.

        It cannot where no clause speaks, or the same clauses of rules that rank as before speak, they read no list of
        rules, and everything else that they read is as it was.
        """
        law, now = self.before.law, self.after.law
        words, differs = law.vocabulary, cache(self._differs)
        general = {f"may.{name}": act.otherwise for name, act in words.actions.items() if act.otherwise}
        spoken = {key for key, one in words.keys.items() if one.usual or not self._moved.isdisjoint(one.reads)}
        spoken |= {*law.candidates, *law.rulings, *now.candidates, *now.rulings}
        found = dict[str, bool]()
        for key in keys:
            asked = (key, general.get(key, key))
            behind = () if spoken.isdisjoint(asked) else law.dependence.behind(*asked)
            found[key] = bool(behind) and (self.reordered or any(map(differs, behind)))
        return found

    def of(self, key: str) -> list[ComparedCase]:
        """Return the cases of a key: one for each way in which a name that it reads can be bound."""
        declared = self.before.law.vocabulary.keys[key]
        read = names_read(self.before.law, key) | names_read(self.after.law, key)
        kinds, there = declared.case, dict[str, Value]()
        if self.universe and "push" in {**kinds, **declared.may_know}:
            there["push"] = (ThingRef("board", self.universe),)
        found = [ComparedCase({}, self.before, self.after, there)]
        if declared.usual is not None:
            kinds = {**kinds, **declared.may_know}
            for name, (before, values) in self._changes(key).items():
                found = _bind_name(found, name, before, values)
        for name, kind in kinds.items():
            if not found or name not in read or name in found[0].env:
                continue
            if kind.name == "proposal":
                found = list(self.all if key == "may.propose" else self.proper)
                if read & BALLOT_FIELDS:
                    found = [voted for one in found for voted in self._voted(one)]
            else:
                before, values = self._values(name, kind.name, key)
                found = _bind_name(found, name, before, values) if values else found
        return found

    def _values(self, name: str, kind: str, key: str) -> tuple[str, Sequence[Value]]:
        """Return what may be bound to a name, and how labels of it begin."""
        if kind == "player":
            return "for", [ThingRef(kind, one) for one in self._both(lambda state: state.playing)]
        armies = self._both(lambda state: armies_in_universe(state, self.universe))
        if kind == "army":
            return "for", [ThingRef(kind, one) for one in armies]
        if name == "kind":
            return "for", self._kinds(key)
        if name == "place":  # those of the armies, and that of one more that may enter
            return "for place", range(1, len(armies) + 2)
        return "for a", range(1, self._sides() + 1) if kind == "number" else ()

    def _changes(self, key: str) -> dict[str, tuple[str, Sequence[Value]]]:
        """Return the changes that clauses may tell apart: of what, from which number, by how much."""
        values = [value for source in self._speaking(key) for value in source.clause.values()]
        named = {name for source in self._speaking(key) for one in source.expressions for name in one.keys}
        numbers = [self.after.find(one).value for one in sorted(named - {key}) if not self.after.law.is_silent_on(one)]
        numbers = [one for one in (*values, *numbers) if type(one) is int]
        tables = [name for name, shape in self.after.law.tables.items() if shape.counts]
        told_apart = sorted({0, *numbers[:3]})
        return {
            "counter": ("of", ([one for one in tables if one in values] or tables[:1])[:3]),
            "was": ("from", told_apart),
            "amount": ("by", sorted({-1, 5, *(one + 1 for one in told_apart)})),
        }

    def _speaking(self, key: str) -> list[SourceClause]:
        """Return the clauses on a term, before and after."""
        return [source for one in (self.before, self.after) for source in one.law.clauses_about(key)]

    def _both(self, names: Callable[[State], Iterable[str]]) -> list[str]:
        """Return those that are there before and after, as many as are gone through."""
        now = set(names(self.after))
        return [name for name in names(self.before) if name in now][:MOST_PLAYERS]

    def _kinds(self, key: str) -> list[str]:
        """Return the kinds of piece on the boards, and those that clauses on a term name."""
        boards = [one.position for one in (self.before, self.after) if one.position is not None]
        found = {piece.kind.upper() for one in boards for piece in one.pieces.values()}
        clauses = (source.clause for source in self._speaking(key))
        return sorted(found | {one.kind for one in clauses if isinstance(one, PieceClause)})

    def _sides(self) -> int:
        sides = [one.find("dice.sides").value for one in (self.before, self.after)]
        return min(MOST_FACES, max([one for one in sides if isinstance(one, int)], default=0))

    def _voted(self, case: ComparedCase) -> Iterator[ComparedCase]:
        """Yield the case with so many ballots in favour, for the counts that may matter."""
        votes = [_empty_vote(one) for one in (case.before, case.after)]
        count, others = (len(one.electorate) for one in votes)
        if not count or not others:
            yield case
            return
        counts: Iterable[int] = range(count + 1)
        if others != count:
            counts = (0, count)
        elif count > MOST_CASES_NAMED:
            quotas = [one.find("vote.quota", **SUPPOSED_CASE).value for one in (case.before, case.after)]
            edges = {int(one) - step for one in quotas if isinstance(one, int) for step in (0, 1)}
            counts = sorted({0, count // 2, count // 2 + 1, count} | {one for one in edges if 0 <= one <= count})
        for many in counts:
            label = ("with", str(many), f"of {count} in favour")
            if others != count:
                label = ("with", "all" if many else "nobody", "in favour")
            before = _with_ballots(case.before, votes[0], many)
            after = _with_ballots(case.after, votes[1], others if many == count else many)
            yield ComparedCase({**case.labels, "ballots": label}, before, after, case.env)


def example_changes(before: State, after: State, changed: frozenset[int]) -> Iterator[tuple[CaseLabel, Change, Change]]:
    """Yield an example of each kind of change that the law may tell apart, as made before and after.

    A new rule; each other kind for a rule of every standing; and for the rules concerned themselves, if their
    own standing becomes another.
    """
    yield ("to", "enact", "a rule"), NEW_RULE_EXAMPLE, NEW_RULE_EXAMPLE
    aims: dict[str, tuple[Rule, Rule]] = {}
    for rule in sorted(before.rules, key=lambda one: one.id in changed):
        same, own = after.rules.rules.get(rule.id), rule.id in changed
        if same is not None and (same.tier != rule.tier) is own:
            named = THIS if len(changed) == 1 else f"{ONE_OF_THEM}{rule.number}"
            aims.setdefault(named if own else f"{with_article(rule.tier)} rule", (rule, same))
    for aim, (rule, same) in aims.items():
        for kind in ("amend", "repeal", "transmute"):
            wording = "An example." if kind == "amend" else None
            yield ("to", kind, aim), Change(kind, rule.number, wording), Change(kind, same.number, wording)


def finding_for_example(state: State, key: str, player: str = "", **more: Value) -> Finding:
    """Return what the law says of a term for a new rule that a player proposes; the first one, where none is named."""
    player = player or next(iter(state.person_names), "")
    return (suppose_proposed(state, NEW_RULE_EXAMPLE, player) if player else state).find(key, **SUPPOSED_CASE, **more)


def _empty_vote(state: State) -> Vote:
    """Return a vote on the supposed proposal in which nobody has voted."""
    electorate = state.find("vote.electorate", **SUPPOSED_CASE)
    voters = player_names(electorate.value) if electorate.answered else ()  # nobody where the law does not say
    weights = {
        name: state.find("vote.weight", **SUPPOSED_CASE, voter=ThingRef("player", name)).value for name in voters
    }
    exact = {name: one if isinstance(one, int | Fraction) else 0 for name, one in weights.items()}
    return Vote(voters, exact, 0, None, None, duty=False, sealed=False, law=state.law, ballots={})


def _with_ballots(state: State, vote: Vote, many: int) -> State:
    """Return the state in which so many of the voters are in favour, and the others against."""
    ballots = {name: "for" if at < many else "against" for at, name in enumerate(vote.electorate)}
    proposal = replace(state.proposals[SUPPOSED_LABEL], status="open", vote=replace(vote, ballots=ballots))
    return state.replace(proposals={**state.proposals, SUPPOSED_LABEL: proposal})


def _bind_name(cases: list[ComparedCase], name: str, before: str, values: Iterable[Value]) -> list[ComparedCase]:
    """Return the cases for each of the values that a name can have, which are told by what stands before them."""
    labels = [((before, str(one.id if isinstance(one, ThingRef) else one), ""), one) for one in values]
    return [
        replace(case, labels={**case.labels, name: label}, env={**case.env, name: value})
        for label, value in labels
        for case in cases
    ]


def cases_in_words(some: list[ComparedCase], every: list[ComparedCase]) -> str:
    """Say which cases these are, of all that were looked at.

    Empty where they are all.
    """
    if len(some) == len(every):
        return ""
    names = list(every[0].labels)
    found = [tuple(case.labels[name] for name in names) for case in some]
    ranges = [tuple(dict.fromkeys(one[at] for one in found)) for at in range(len(names))]
    if len(found) != prod(map(len, ranges)):
        return "; ".join(", ".join(join_labels([one]) for one in each) for each in found)
    everywhere = [len({case.labels[name] for case in every}) for name in names]
    return ", ".join(join_labels(one) for one, whole in zip(ranges, everywhere, strict=True) if len(one) < whole)


def join_labels(labels: Iterable[CaseLabel]) -> str:
    """Say labels in one go.

    Examples
    --------
    >>> join_labels([("to", "enact", "a rule"), ("to", "amend", "this rule"), ("to", "repeal", "this rule")])
    'to enact a rule or to amend or repeal this rule'
    """
    groups = group_pairs(((before, after), core) for before, core, after in labels)
    parts = [f"{before} {join_words(cores, 'or')} {after}".strip() for (before, after), cores in groups.items()]
    return join_words(parts, "or")
