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
from nomic_nb.engine.law.findings import Finding, as_set
from nomic_nb.engine.law.nodes import Expression, Node, Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Rule, RuleBook, Source
from nomic_nb.engine.law.values import Env, Ref, Value
from nomic_nb.engine.play.calendar import Clock
from nomic_nb.engine.play.permissions import forbidden, permission
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.turn_order import players_in
from nomic_nb.engine.play.values import Example, Proposal, Vote, names_of
from nomic_nb.engine.play.vote_rules import adopts, behind, some_does, tell_apart, terms, ways, weights_of

#: What of a state the kind of a change, its rule and its proponent's name are read from; all else changes in play.
FIXED = frozenset({"proposals", "rules"})
#: What changes in play by itself, so that what depends on it is not so for good.
CHANGING = frozenset({"turn", "circuit", "clock", "turns", "hand", "ended", "tables", "position", "judgments"})
#: What of it can change while a turn has its parts.
PASSING = CHANGING - {"turns", "hand"}
#: What time alone changes.
CLOCK = frozenset({"turn", "circuit", "clock"})
#: A turn long from now, and how many from there on are tried; what holds in all of them holds for good.
FAR, MANY = 1_000_000, 60
#: The longest period that is gone through.
LONGEST_PERIOD = 1_000
#: Minutes between those that are tried, so that hours and days of the week differ.
STRIDE = 1_501
#: Words of the longest wording that is tried, and of the longest that is tried though no rule names the number.
MOST_WORDS, FEW_WORDS = 600, 13
#: Of how many letters that rules name all choices are tried, what fills wordings up, and how many are tried of a kind.
MOST_LETTERS, FILLERS, MOST_WORDINGS = 4, ("example", "so", "why"), 1_000
#: Ways in which ballots can fall that are tried beside that in which all vote alike.
MOST_TRIED = 200
#: Terms on which it hangs whether a proposal passes.
VOTING = frozenset(("vote.electorate", "vote.weight", "vote.quota", "vote.quorum", "vote.choices", "vote.adopted"))
#: The number of a proposal that nobody has made, as it reads behind the word rule; no law gives it.
SUPPOSED = "as proposed"
#: The case of it, as the law is asked about it.
SUPPOSED_CASE: Env = {"proposal": Ref("proposal", SUPPOSED)}


def supposed(
    state: State, change: Change, proponent: str, kind: type[Proposal] = Proposal, *, together: int = 0
) -> State:
    """Return the state in which a change is proposed, to ask the law about it; one of so many, where it is a part."""
    numbers = (SUPPOSED,) * (together or len(change.parts))
    proposal = kind(SUPPOSED, change, proponent, state.turn, circuit=state.circuit, numbers=numbers)
    return state.but(proposals={**state.proposals, SUPPOSED: proposal})


def part_by_part(state: State, change: Change, proponent: str) -> Iterator[tuple[Change, State]]:
    """Yield the changes that are proposed at once, each with the state in which it is, to be judged by itself."""
    for one in change.numbered:
        yield one, supposed(state, one, proponent, together=len(change.parts))


def permission_for_one_like(state: State, change: Change, player: str, together: int = 0) -> Finding:
    """Return what the law says of proposing changes like an example; what would come of it is not looked at."""
    trial = supposed(state, change, player, Example, together=together)
    return permission(trial, "propose", player, **SUPPOSED_CASE)


def forbids_too(last: Finding | None, state: State, change: Change, player: str, together: int = 0) -> bool:
    """Tell whether what forbade to propose another change surely forbids this one."""
    if last is None or not last.sources:
        return False
    case = {**SUPPOSED_CASE, "player": Ref("player", player)}
    trial = supposed(state, change, player, Example, together=together)
    return state.law.bars(last.sources[0], "may.propose", trial, case)


def _changes(book: RuleBook, *, every: bool) -> Iterator[Change]:
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


def is_owed(law: Law, state: State, action: str, within: View | None = None) -> bool:
    """Tell whether some rule ever brings a player to do something.

    Raises
    ------
    Undecided
        Where that depends on something that is not known now.
    """
    doubt: Undecided | None = None
    for event, sources in (*law.triggers.items(), ("taken", law.offers)):
        for source in sources:
            clause = cast(c.On, source.clause)
            owing = (one for one in clause.every_effect() if one.form.name == "oblige")
            if not any(action in (one.action, one.other) for one in owing):
                continue
            if event != "part_begun":
                return True
            try:
                if _in_some_part(law, state, clause, source.rule.id, within):
                    return True
            except Undecided as error:
                doubt = error
    if doubt is not None:
        raise doubt
    return False


def _in_some_part(law: Law, state: State, clause: c.On, rule: int, within: View | None) -> bool:
    parts = law.answer("turn.parts", state, {}, within)
    turns = players_in(state, law.answer("turn.sequence", state, {}, within))
    players = (Ref("player", name) for name in turns)
    able = (one for one in players if not _never_begins(law, state, one, within))
    for player, part in ((one, part) for one in able for part in parts):
        inner = View(state, {"part": part, "player": player, "this": Ref("rule", rule)}, law)
        inner.open_keys = within.open_keys if within is not None else ()
        condition = clause.condition
        if condition is None or law.dependence.read_by(condition) & PASSING or condition.run(inner):
            return True
    return False


def _never_begins(law: Law, state: State, player: Value, within: View | None) -> bool:
    """Tell whether the law keeps a player from beginning turns, and not only now."""
    finding = law.find("may.begin_turn", state, {"player": player}, within)
    return finding.value is False and any(as_set(source).condition is None for source in finding.sources)


def could_pass(law: Law, state: State, change: Change, proponent: str, within: View | None = None) -> bool:
    """Tell whether a change is proper and passes when everyone votes for it, now or as things may come to be.

    What depends on the wording of a change, the turn, or anything else that play alters is no bar, nor is a silence
    of the law, which the table fills: only what holds in every case is.
    """
    trial = supposed(state, change, proponent)
    if not may_ever_propose(law, trial, proponent, within):
        return False
    if any(law.dependence.hangs_on(key) & CHANGING for key in VOTING):
        return True
    try:
        return _passes(law, trial, within)
    except Undecided:
        return True


def counts(state: State, change: Change, player: str) -> bool:
    """Tell whether to propose this would be what is owed, where proposing is; what can be done beside it is not."""
    return not supposed(state, change, player).find("proposal.owed", **SUPPOSED_CASE).says(False)


def barred(state: State, player: str, action: str) -> Finding | None:
    """Return the finding that forbids what a player owes, whatever the case; None where some of it is open.

    Where no change that was tried can be proposed, and another wording may do, the finding has no sources.
    """
    if action == "propose":
        for change in islice(_counting(state, player), 1):  # mostly that will do
            if not forbidden(permission_for_one_like(state, change, player)):
                return None
    found = permission(state, action, player)
    if forbidden(found):
        return found
    if action != "propose":
        return None
    last, skipped = found, None
    for change in _counting(state, player):
        if last is not found and forbids_too(last, state, change, player):
            skipped = change
            continue
        last, skipped = permission_for_one_like(state, change, player), None
        if not forbidden(last):
            return None
    if skipped is not None:
        last = permission_for_one_like(state, skipped, player)
    looks_at = state.law.dependence.looks_at
    if looks_at("may.propose", frozenset({"change.together"})) and _as_one_of_several(state, player):
        return None
    return _however_worded(state, player, last) if looks_at("may.propose", state.law.vocabulary.texts) else last


def _as_one_of_several(state: State, player: str) -> bool:
    """Tell whether some change may be proposed as one of two."""
    last: Finding | None = None
    for change in _counting(state, player):
        if not forbids_too(last, state, change, player, 2):
            last = permission_for_one_like(state, change, player, 2)
            if not forbidden(last):
                return True
    return False


def _however_worded(state: State, player: str, found: Finding) -> Finding | None:
    """Return what forbids to propose, whatever the words; without sources if some may do, and None if one is found."""
    surely = state.law.bars_all("may.propose", state, {"player": Ref("player", player)})
    if surely is not None:
        return replace(found, sources=(surely,))
    return replace(found, sources=()) if _some_wording(state, player) is None else None


def _some_wording(state: State, player: str) -> Change | None:
    """Return a change with words that a player may propose; None where none is found."""

    def find() -> Change | None:
        last: Finding | None = None
        for wordings in _worded(state, player):
            for change in wordings:
                if forbids_too(last, state, change, player):
                    if not _looks_at_words(state.law, cast(Finding, last).sources[0]):
                        break  # no other wording of this kind of change is any better
                    continue
                last = permission_for_one_like(state, change, player)
                if not forbidden(last):
                    return change
        return None

    fields = state.law.dependence.fields_read("may.propose")
    if "*" in fields:
        return find()
    owed = state.law.dependence.fields_read("proposal.owed")
    memo, reads = ("some wording", player), tuple(dict.fromkeys((*fields, *owed, "rules")))
    found: Change | None = state.law.remembered(memo, reads, state, (0, "may.propose"), find)
    return found


def _counting(state: State, player: str) -> Iterator[Change]:
    """Yield a change of every kind, of each rule, that would be what is owed where proposing is."""
    every = _changes(state.rules, every=True)
    if state.law.silent_on("proposal.owed"):
        yield from every
        return

    def owed(changes: Iterable[Change]) -> tuple[Change, ...]:
        return tuple(one for one in changes if counts(state, one, player))

    yield from owed(islice(every, 2))  # new rules, which mostly will do
    fields = (*state.law.dependence.fields_read("proposal.owed"), "rules")
    if "*" in fields:
        yield from owed(every)
    else:
        memo = ("what is owed", player)
        yield from state.law.remembered(memo, fields, state, (0, "proposal.owed"), lambda: owed(every))


def _looks_at_words(law: Law, source: Source) -> bool:
    """Tell whether it can depend on the words of a change whether a clause speaks."""
    condition = as_set(source).condition
    return condition is not None and law.dependence.uses(condition, law.vocabulary.texts)


def _worded(state: State, player: str) -> Iterator[Iterator[Change]]:
    """Yield, for each kind of change, those owed with the letters and as many words as rules ask for, or not.

    How they are worded does not matter to whether they are what is owed, unless rules look at it.
    """
    kinds = [one for one in _changes(state.rules, every=False) if one.kind in ("enact", "amend")]
    matters = state.law.dependence.looks_at("proposal.owed", state.law.vocabulary.texts)
    kinds = kinds if matters else [one for one in kinds if counts(state, one, player)]
    behind = state.law.dependence.behind("may.propose")
    every = [one for _, sources in behind for source in sources for one in source.expressions]
    nodes = [node for one in every for node in one.walk()]
    asking = (node.value for one in every if "mentions" in one.words for node in one.walk())
    letters = [_some_letters(one) for one in dict.fromkeys(asking) if isinstance(one, str) and one]
    letters += [player] if any({"mentions", "name"} <= one.words for one in every) else []
    numbers = {node.value for node in nodes if isinstance(node.value, int) and 0 <= node.value <= MOST_WORDS}
    lengths = dict.fromkeys((2, *sorted({*numbers, *(one + 1 for one in numbers)}), *range(FEW_WORDS)))
    some = letters[:MOST_LETTERS]
    subsets = [letters, *(list(one) for many in range(len(some) + 1) for one in combinations(some, many))]
    for kind in kinds:
        texts = (
            one
            for words, said, filler in product(lengths, subsets, FILLERS)
            for one in _texts(" ".join(said), words, filler)
        )
        changes = (replace(kind, wording=wording, title=title) for title, wording in islice(texts, MOST_WORDINGS))
        yield (one for one in changes if not matters or counts(state, one, player))


def _some_letters(pattern: str) -> str:
    """Return letters that a pattern of `mentions` finds."""
    return re.sub(r"\[(.)[^]]*\]", r"\1", pattern).replace("*", "").replace("?", "a")


def _texts(said: str, words: int, filler: str) -> Iterator[tuple[str, str]]:
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
    case = {**SUPPOSED_CASE, "player": Ref("player", player)}
    later = _later(law, state) if law.dependence.hangs_on("may.propose") & CLOCK else ()
    words = law.vocabulary.texts if words is None else words
    found = law.ever_allows("may.propose", state, case, FIXED, words, CLOCK, later, within)
    if found is not None:
        return found
    general = law.find("acts.rule_change", state, {}, within)
    return not general.answered or general.value == "allowed"


#: Of bodies of law, the period of what they say of proposing: it is asked for each kind of change.
_PERIODS: WeakKeyDictionary[Law, int | None] = WeakKeyDictionary()


def _later(law: Law, state: State) -> tuple[State, ...]:
    """Return states that differ by time alone: turns, circuits, days and hours one after the other, long from now.

    There are none if what rules say of the time could go round in more of them than are tried.
    """
    if law not in _PERIODS:
        sources = (one for _, some in law.dependence.behind("may.propose") for one in some)
        _PERIODS[law] = period(node for one in sources for node in _nodes(one))
    round_of = _PERIODS[law]
    if round_of is None or (round_of > 1 and state.clock and "clock" in law.dependence.hangs_on("may.propose")):
        return ()
    clock = state.clock or Clock(0, 0, 0)
    nows = (clock.now + FAR + at * STRIDE for at in range(max(MANY, round_of)))
    return tuple(
        state.but(turn=FAR + at, circuit=FAR + at, clock=replace(clock, now=now, until=now) if state.clock else None)
        for at, now in enumerate(nows)
    )


def _nodes(source: Source) -> Iterator[Node]:
    return (node for one in source.expressions for node in one.walk())


def period(nodes: Iterable[Node]) -> int | None:
    """Return after how many turns what is said of them comes again at the latest; None if that is open, or too many."""
    found = 1
    for node in nodes:
        if node.kind == "reckon" and node.text in ("%", "//", "/"):
            by = node.parts[1].value
            if not isinstance(by, int) or by < 1 or found * by > LONGEST_PERIOD:
                return None
            found *= by
    return found


def varies(law: Law, condition: Expression) -> bool:
    """Tell whether a condition depends on what play alters, or on how a change is worded, and not on its kind alone."""
    return law.dependence.varies(condition, FIXED, law.vocabulary.texts)


def _passes(law: Law, trial: State, within: View | None) -> bool:
    """Tell whether a proposal is adopted when everyone votes for it, or in another way that ballots can fall."""
    electorate = law.answer("vote.electorate", trial, SUPPOSED_CASE, within)
    names = names_of(electorate)
    held = terms(law, trial, trial.proposals[SUPPOSED], weights_of(law, trial, SUPPOSED_CASE, names, within), within)

    def adopted(ballots: Mapping[str, str], asker: View | None) -> bool:
        proposal = replace(trial.proposals[SUPPOSED], status="open", vote=replace(held, ballots=ballots))
        closed = trial.but(proposals={**trial.proposals, SUPPOSED: proposal})
        return adopts(law, closed, proposal, asker)

    dummies = _of_dummies(law, held.choices)
    alike = ({name: "for" if trial.players[name].person else one for name in names} for one in dummies)
    return any(adopted(one, within) for one in alike) or _passes_somehow(law, trial, held, adopted, within)


def _passes_somehow(
    law: Law, trial: State, held: Vote, adopted: Callable[[Mapping[str, str], View], bool], within: View | None
) -> bool:
    """Tell whether a proposal is adopted in some way that is tried: such as with a single ballot against it."""
    apart = tell_apart(behind(law, "vote.adopted"))
    every = []
    for by_dummies in _of_dummies(law, held.choices):
        persons = {name for name in held.electorate if trial.players[name].person}
        options = {name: held.choices if name in persons else (by_dummies,) for name in held.electorate}
        every.append(islice(ways(held, options, apart=apart)[1], MOST_TRIED))

    def found(ballots: Mapping[str, str]) -> bool:
        asker = View(trial, {}, law)
        asker.open_keys = within.open_keys if within is not None else ()
        return adopted(ballots, asker)

    return some_does(chain(*every), found)


def _of_dummies(law: Law, choices: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ballots that rules may cast for dummies: in favour, unless they cast others and never that one."""
    effects = (one for clause in law.acting for one in clause.every_effect() if one.form.name == "cast")
    ballots = {one.ballot.node.value for one in effects}
    others = tuple(one for one in choices if one in ballots and one != "for")
    return others or ("against",) if ballots and ballots <= {"against", "abstain"} else ("for",)


def adoption_possible(view: View) -> Value:
    """Tell whether some rule-change could be adopted, now or as things may come to be."""
    state, law = state_of(view), cast(Law, view.law)
    if not state.persons:
        return False
    with suppress(Undecided):  # not now is not never
        if not is_owed(law, state, "propose", view):
            return False
    for change in _changes(law.book, every=False):
        for name in state.persons:
            view.spend()
            if could_pass(law, state, change, name, view):
                return True
    return False
