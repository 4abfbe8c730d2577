"""Whether any rule-change could still be adopted (114), asked as: if all vote in favour, one passes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain, combinations, islice, product
from typing import cast
from weakref import WeakKeyDictionary

from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.changes import LONGEST_TITLE, LONGEST_WORDING, Change
from nomic_nb.engine.law.findings import Finding, set_clause_of
from nomic_nb.engine.law.nodes import Expression, Node, Undecided, View, walk_all
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Rule, RuleBook, SourceClause
from nomic_nb.engine.law.values import CaseNames, ThingRef, Value
from nomic_nb.engine.play.calendar import RecordedClock
from nomic_nb.engine.play.permissions import find_permission, is_forbidden
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.turn_order import players_in_order
from nomic_nb.engine.play.values import ExampleChange, Proposal, Vote, player_names
from nomic_nb.engine.play.vote_rules import (
    FIXED_VOTE_KEYS,
    ballot_combinations,
    ballot_weights,
    distinguish_voters,
    does_any_adopt,
    expressions_behind,
    is_adopted,
    vote_terms,
)

#: What of a state the kind of a change, its rule and its proponent's name are read from; all else changes in play.
UNCHANGING_FIELDS = frozenset({"proposals", "rules"})
#: What changes in play by itself, so that what depends on it is not so for good.
TURN_FIELDS = frozenset({"turn", "circuit", "clock", "turns", "hand", "ended", "tables", "position", "judgments"})
#: What of it can change while a turn has its parts.
TIME_FIELDS = TURN_FIELDS - {"turns", "hand"}
#: What time alone changes.
CLOCK_NAMES = frozenset({"turn", "circuit", "clock"})
#: A turn long from now, and how many from there on are tried; what holds in all of them holds for good.
FAR, MANY = 1_000_000, 60
#: The longest period that is gone through.
LONGEST_PERIOD = 1_000
#: Minutes between those that are tried, so that hours and days of the week differ.
PERIOD_STRIDE = 1_501
#: Words of the longest wording that is tried, and of the longest that is tried though no rule names the number.
MOST_WORDS, FEW_WORDS = 600, 13
#: Of how many letters that rules name all choices are tried, what fills wordings up, and how many are tried of a kind.
MOST_LETTERS, FILLERS, MOST_WORDINGS = 4, ("example", "so", "why"), 1_000
#: Ways in which ballots can fall that are tried beside that in which all vote alike.
MOST_BALLOTS_TRIED = 200
#: Terms on which it hangs whether a proposal passes.
VOTING_KEYS = FIXED_VOTE_KEYS.union(("vote.adopted",))
#: The number of a proposal that nobody has made, as it reads behind the word rule; no law gives it.
SUPPOSED_LABEL = "as proposed"
#: The case of it, as the law is asked about it.
SUPPOSED_CASE: CaseNames = {"proposal": ThingRef("proposal", SUPPOSED_LABEL)}


def suppose_proposed(
    state: State, change: Change, proponent: str, kind: type[Proposal] = Proposal, *, together: int = 0
) -> State:
    """Return the state in which a change is proposed, to ask the law about it; one of so many, where it is a part."""
    numbers = (SUPPOSED_LABEL,) * (together or len(change.parts))
    proposal = kind(SUPPOSED_LABEL, change, proponent, state.turn, circuit=state.circuit, numbers=numbers)
    return state.replace(proposals={**state.proposals, SUPPOSED_LABEL: proposal})


def propose_in_parts(state: State, change: Change, proponent: str) -> Iterator[tuple[Change, State]]:
    """Yield the changes that are proposed at once, each with the state in which it is, to be judged by itself."""
    for one in change.numbered:
        yield one, suppose_proposed(state, one, proponent, together=len(change.parts))


def find_permission_for_kind(state: State, change: Change, player: str, together: int = 0) -> Finding:
    """Return what the law says of proposing changes like an example; what would come of it is not looked at."""
    trial = suppose_proposed(state, change, player, ExampleChange, together=together)
    return find_permission(trial, "propose", player, **SUPPOSED_CASE)


def also_forbids(last: Finding | None, state: State, change: Change, player: str, together: int = 0) -> bool:
    """Tell whether what forbade to propose another change surely forbids this one."""
    if last is None or not last.sources:
        return False
    case = {**SUPPOSED_CASE, "player": ThingRef("player", player)}
    trial = suppose_proposed(state, change, player, ExampleChange, together=together)
    return state.law.forbids(last.sources[0], "may.propose", trial, case)


def _example_changes(book: RuleBook, *, every: bool) -> Iterator[Change]:
    """Yield a change of every kind: a new rule, and of every rule, or of one of each tier."""
    yield Change("enact", None, "An example.")
    yield Change("enact", None, "An example.", title="Another title")  # where a rule asks for a title
    apart: dict[object, Rule] = {}
    for rule in book:
        apart.setdefault(rule.id if every else rule.tier, rule)
    for rule in apart.values():
        yield Change("amend", rule.number, "An example.")
        yield Change("repeal", rule.number)
        yield Change("transmute", rule.number)


def can_become_owed(law: Law, state: State, action: str, within: View | None = None) -> bool:
    """Tell whether some rule ever brings a player to do something.

    Raises
    ------
    Undecided
        Where that depends on something that is not known now.
    """
    doubt: Undecided | None = None
    for event, sources in (*law.triggers.items(), ("taken", law.offers)):
        for source in sources:
            clause = cast(c.TriggerClause, source.clause)
            if not any(action in (one.action, one.other) for one in clause.every_effect("oblige")):
                continue
            if event != "part_begun":
                return True
            try:
                if _can_be_in_part(law, state, clause, source.rule.id, within):
                    return True
            except Undecided as error:
                doubt = error
    if doubt is not None:
        raise doubt
    return False


def _can_be_in_part(law: Law, state: State, clause: c.TriggerClause, rule: int, within: View | None) -> bool:
    parts = law.answer("turn.parts", state, {}, within)
    turns = players_in_order(state, law.answer("turn.sequence", state, {}, within))
    players = (ThingRef("player", name) for name in turns)
    able = (one for one in players if not _never_begins(law, state, one, within))
    for player, part in ((one, part) for one in able for part in parts):
        inner = View(state, {"part": part, "player": player, "this": ThingRef("rule", rule)}, law)
        inner.open_keys = within.open_keys if within is not None else ()
        condition = clause.condition
        if condition is None or law.dependence.read_by(condition) & TIME_FIELDS or condition.run(inner):
            return True
    return False


def _never_begins(law: Law, state: State, player: Value, within: View | None) -> bool:
    """Tell whether the law keeps a player from beginning turns, and not only now."""
    finding = law.find("may.begin_turn", state, {"player": player}, within)
    return finding.value is False and any(set_clause_of(source).condition is None for source in finding.sources)


def could_pass(law: Law, state: State, change: Change, proponent: str, within: View | None = None) -> bool:
    """Tell whether a change is proper and passes when everyone votes for it, now or as things may come to be.

    What depends on the wording of a change, the turn, or anything else that play alters is no bar, nor is a silence
    of the law, which the table fills: only what holds in every case is.
    """
    trial = suppose_proposed(state, change, proponent)
    if not may_ever_propose(law, trial, proponent, within):
        return False
    if any(law.dependence.depends_on(key) & TURN_FIELDS for key in VOTING_KEYS):
        return True
    try:
        return _would_pass(law, trial, within)
    except Undecided:
        return True


def counts_as_owed(state: State, change: Change, player: str) -> bool:
    """Tell whether to propose this would be what is owed, where proposing is; what can be done beside it is not."""
    return not suppose_proposed(state, change, player).find("proposal.owed", **SUPPOSED_CASE).says(False)


def find_ban(state: State, player: str, action: str) -> Finding | None:
    """Return the finding that forbids what a player owes, whatever the case; None where some of it is open.

    Where no change that was tried can be proposed, and another wording may do, the finding has no sources.
    """
    if action == "propose":
        for change in islice(_owed_changes(state, player), 1):  # mostly that will do
            if not is_forbidden(find_permission_for_kind(state, change, player)):
                return None
    found = find_permission(state, action, player)
    if is_forbidden(found):
        return found
    if action != "propose":
        return None
    last, skipped = found, None
    for change in _owed_changes(state, player):
        if last is not found and also_forbids(last, state, change, player):
            skipped = change
            continue
        last, skipped = find_permission_for_kind(state, change, player), None
        if not is_forbidden(last):
            return None
    if skipped is not None:
        last = find_permission_for_kind(state, skipped, player)
    looks_at = state.law.dependence.looks_at
    if looks_at("may.propose", frozenset({"change.together"})) and _may_propose_together(state, player):
        return None
    return (
        _find_ban_on_any_wording(state, player, last) if looks_at("may.propose", state.law.vocabulary.texts) else last
    )


def _may_propose_together(state: State, player: str) -> bool:
    """Tell whether some change may be proposed as one of two."""
    last: Finding | None = None
    for change in _owed_changes(state, player):
        if not also_forbids(last, state, change, player, 2):
            last = find_permission_for_kind(state, change, player, 2)
            if not is_forbidden(last):
                return True
    return False


def _find_ban_on_any_wording(state: State, player: str, found: Finding) -> Finding | None:
    """Return what forbids to propose, whatever the words; without sources if some may do, and None if one is found."""
    surely = state.law.forbids_all("may.propose", state, {"player": ThingRef("player", player)})
    if surely is not None:
        return replace(found, sources=(surely,))
    return replace(found, sources=()) if _find_allowed_wording(state, player) is None else None


def _find_allowed_wording(state: State, player: str) -> Change | None:
    """Return a change with words that a player may propose; None where none is found."""

    def find() -> Change | None:
        last: Finding | None = None
        for wordings in _worded_changes(state, player):
            for change in wordings:
                if also_forbids(last, state, change, player):
                    if not _looks_at_words(state.law, cast(Finding, last).sources[0]):
                        break  # no other wording of this kind of change is any better
                    continue
                last = find_permission_for_kind(state, change, player)
                if not is_forbidden(last):
                    return change
        return None

    fields = state.law.dependence.fields_read("may.propose")
    if "*" in fields:
        return find()
    owed = state.law.dependence.fields_read("proposal.owed")
    memo, reads = ("some wording", player), tuple(dict.fromkeys((*fields, *owed, "rules")))
    found: Change | None = state.law.find_remembered(memo, reads, state, (0, "may.propose"), find)
    return found


def _owed_changes(state: State, player: str) -> Iterator[Change]:
    """Yield a change of every kind, of each rule, that would be what is owed where proposing is."""
    every = _example_changes(state.rules, every=True)
    if state.law.is_silent_on("proposal.owed"):
        yield from every
        return

    def owed(changes: Iterable[Change]) -> tuple[Change, ...]:
        return tuple(one for one in changes if counts_as_owed(state, one, player))

    yield from owed(islice(every, 2))  # new rules, which mostly will do
    fields = (*state.law.dependence.fields_read("proposal.owed"), "rules")
    if "*" in fields:
        yield from owed(every)
    else:
        memo = ("what is owed", player)
        yield from state.law.find_remembered(memo, fields, state, (0, "proposal.owed"), lambda: owed(every))


def _looks_at_words(law: Law, source: SourceClause) -> bool:
    """Tell whether it can depend on the words of a change whether a clause speaks."""
    condition = set_clause_of(source).condition
    return condition is not None and law.dependence.uses(condition, law.vocabulary.texts)


def _worded_changes(state: State, player: str) -> Iterator[Iterator[Change]]:
    """Yield, for each kind of change, those owed with the letters and as many words as rules ask for, or not.

    How they are worded does not matter to whether they are what is owed, unless rules look at it.
    """
    kinds = [one for one in _example_changes(state.rules, every=False) if one.kind in ("enact", "amend")]
    matters = state.law.dependence.looks_at("proposal.owed", state.law.vocabulary.texts)
    kinds = kinds if matters else [one for one in kinds if counts_as_owed(state, one, player)]
    every = state.law.dependence.expressions_behind("may.propose")
    asking = dict.fromkeys(text for one in every if "mentions" in one.words for text in one.texts())
    letters = [_letters_matching(one) for one in asking if one]
    letters += [player] if any({"mentions", "name"} <= one.words for one in every) else []
    numbers = {number for one in every for number in one.numbers() if number <= MOST_WORDS}
    lengths = dict.fromkeys((2, *sorted({*numbers, *(one + 1 for one in numbers)}), *range(FEW_WORDS)))
    some = letters[:MOST_LETTERS]
    subsets = [letters, *(list(one) for many in range(len(some) + 1) for one in combinations(some, many))]
    for kind in kinds:
        texts = (
            one
            for words, said, filler in product(lengths, subsets, FILLERS)
            for one in _wordings_with(" ".join(said), words, filler)
        )
        changes = (replace(kind, wording=wording, title=title) for title, wording in islice(texts, MOST_WORDINGS))
        yield (one for one in changes if not matters or counts_as_owed(state, one, player))


def _letters_matching(pattern: str) -> str:
    """Return letters that a pattern of `mentions` finds."""
    return re.sub(r"\[(.)[^]]*\]", r"\1", pattern).replace("*", "").replace("?", "a")


def _wordings_with(said: str, words: int, filler: str) -> Iterator[tuple[str, str]]:
    """Yield a title and a wording of so many words that have these letters in one of the two, the wording first."""
    rest = " ".join([filler] * (words - len(said.split())))
    titles = dict.fromkeys((said if len(said) <= LONGEST_TITLE else "", "Another title", ""))
    for wording in dict.fromkeys((f"{said} {rest}".strip(), " ".join([filler] * words))):
        if wording and len(wording) <= LONGEST_WORDING:
            yield from ((title, wording) for title in titles)


def may_ever_propose(
    law: Law, state: State, player: str, within: View | None = None, words: frozenset[str] | None = None
) -> bool:
    """Tell whether a supposed change could be proposed, now or as play and wording, by these words, may have it."""
    case = {**SUPPOSED_CASE, "player": ThingRef("player", player)}
    later = _later_states(law, state) if law.dependence.depends_on("may.propose") & CLOCK_NAMES else ()
    words = law.vocabulary.texts if words is None else words
    found = law.can_ever_allow("may.propose", state, case, UNCHANGING_FIELDS, words, CLOCK_NAMES, later, within)
    if found is not None:
        return found
    general = law.find("acts.rule_change", state, {}, within)
    return not general.answered or general.value == "allowed"


#: Of bodies of law, the period of what they say of proposing: it is asked for each kind of change.
_PERIODS: WeakKeyDictionary[Law, int | None] = WeakKeyDictionary()


def _later_states(law: Law, state: State) -> tuple[State, ...]:
    """Return states that differ by time alone: turns, circuits, days and hours one after the other, long from now.

    There are none if what rules say of the time could go round in more of them than are tried.
    """
    if law not in _PERIODS:
        _PERIODS[law] = turn_period(walk_all(law.dependence.expressions_behind("may.propose")))
    round_of = _PERIODS[law]
    if round_of is None or (round_of > 1 and state.clock and "clock" in law.dependence.depends_on("may.propose")):
        return ()
    clock = state.clock or RecordedClock(0, 0, 0)
    nows = (clock.now + FAR + at * PERIOD_STRIDE for at in range(max(MANY, round_of)))
    return tuple(
        state.replace(
            turn=FAR + at, circuit=FAR + at, clock=replace(clock, now=now, until=now) if state.clock else None
        )
        for at, now in enumerate(nows)
    )


def turn_period(nodes: Iterable[Node]) -> int | None:
    """Return after how many turns what is said of them comes again at the latest; None if that is open, or too many."""
    found = 1
    for node in nodes:
        if node.arithmetic in ("%", "//", "/"):
            by = node.parts[1].value
            if not isinstance(by, int) or by < 1 or found * by > LONGEST_PERIOD:
                return None
            found *= by
    return found


def varies_in_play(law: Law, condition: Expression) -> bool:
    """Tell whether a condition depends on what play alters, or on how a change is worded, and not on its kind alone."""
    return law.dependence.condition_varies(condition, UNCHANGING_FIELDS, law.vocabulary.texts)


def _would_pass(law: Law, trial: State, within: View | None) -> bool:
    """Tell whether a proposal is adopted when everyone votes for it, or in another way that ballots can fall."""
    electorate = law.answer("vote.electorate", trial, SUPPOSED_CASE, within)
    names = player_names(electorate)
    held = vote_terms(
        law, trial, trial.proposals[SUPPOSED_LABEL], ballot_weights(law, trial, SUPPOSED_CASE, names, within), within
    )

    def adopted(ballots: Mapping[str, str], asker: View | None) -> bool:
        proposal = replace(trial.proposals[SUPPOSED_LABEL], status="open", vote=replace(held, ballots=ballots))
        closed = trial.replace(proposals={**trial.proposals, SUPPOSED_LABEL: proposal})
        return is_adopted(law, closed, proposal, asker)

    dummies = _dummy_ballots(law, held.choices)
    alike = ({name: "for" if trial.players[name].person else one for name in names} for one in dummies)
    return any(adopted(one, within) for one in alike) or _would_pass_somehow(law, trial, held, adopted, within)


def _would_pass_somehow(
    law: Law, trial: State, held: Vote, adopted: Callable[[Mapping[str, str], View], bool], within: View | None
) -> bool:
    """Tell whether a proposal is adopted in some way that is tried: such as with a single ballot against it."""
    apart = distinguish_voters(expressions_behind(law, "vote.adopted"))
    every = []
    for by_dummies in _dummy_ballots(law, held.choices):
        persons = {name for name in held.electorate if trial.players[name].person}
        options = {name: held.choices if name in persons else (by_dummies,) for name in held.electorate}
        every.append(islice(ballot_combinations(held, options, apart=apart)[1], MOST_BALLOTS_TRIED))

    def found(ballots: Mapping[str, str]) -> bool:
        asker = View(trial, {}, law)
        asker.open_keys = within.open_keys if within is not None else ()
        return adopted(ballots, asker)

    return does_any_adopt(chain(*every), found)


def _dummy_ballots(law: Law, choices: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ballots that rules may cast for dummies: in favour, unless they cast others and never that one."""
    ballots = {one.ballot.node.value for clause in law.acting_clauses for one in clause.every_effect("cast")}
    others = tuple(one for one in choices if one in ballots and one != "for")
    return others or ("against",) if ballots and ballots <= {"against", "abstain"} else ("for",)


def is_adoption_possible(view: View) -> Value:
    """Tell whether some rule-change could be adopted, now or as things may come to be."""
    state, law = state_of(view), cast(Law, view.law)
    if not state.person_names:
        return False
    with suppress(Undecided):  # not now is not never
        if not can_become_owed(law, state, "propose", view):
            return False
    for change in _example_changes(law.book, every=False):
        for name in state.person_names:
            view.spend()
            if could_pass(law, state, change, name, view):
                return True
    return False
