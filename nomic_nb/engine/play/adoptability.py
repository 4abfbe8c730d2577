"""Whether any rule change could still be adopted (114), asked as: if all vote in favour, one passes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, combinations, islice, product, repeat
from typing import Any, cast
from weakref import WeakKeyDictionary

from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.changes import LONGEST_TITLE, LONGEST_WORDING, Change
from nomic_nb.engine.law.findings import Finding, set_clause_of
from nomic_nb.engine.law.nodes import Node, Undecided, View, walk_expressions
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Rule, RuleBook, SourceClause
from nomic_nb.engine.law.values import CaseNames, ThingRef, Value
from nomic_nb.engine.play.calendar import RecordedClock
from nomic_nb.engine.play.permissions import find_permission, is_permitted, is_surely_forbidden
from nomic_nb.engine.play.state import State, state_of
from nomic_nb.engine.play.turn_order import players_in_order
from nomic_nb.engine.play.values import ExampleChange, Proposal, Vote, player_names
from nomic_nb.engine.play.vote_rules import (
    FIXED_VOTE_KEYS,
    BallotOptions,
    ballot_combinations,
    ballot_weights,
    do_any_ballots_adopt,
    do_voters_matter,
    expressions_behind,
    is_adopted,
    vote_without_ballots,
)

#: What of a state the kind of a change, its rule and its proponent's name are read from; all else changes in play.
UNCHANGING_FIELDS = frozenset({"proposals", "rules"})
#: Words by which changes of a kind are not told apart, if they change rules of the same tier.
KIND_WORDS = "change", "kind", "tier", "standing"
#: What changes in play by itself, so what depends on it is not so for good.
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
#: Ways in which ballots can fall that are tried beside that in which all vote in the same way.
MOST_BALLOTS_TRIED = 200
#: What tells how many changes are proposed at once.
TOGETHER = frozenset({"change.together"})
#: Terms on which it hangs whether a proposal passes.
VOTING_KEYS = FIXED_VOTE_KEYS.union(("vote.adopted",))
#: The number of a proposal that nobody has made, as it reads after the word rule; no law gives it.
SUPPOSED_LABEL = "as proposed"
#: The case of it, as the law is asked about it.
SUPPOSED_CASE: CaseNames = {"proposal": ThingRef("proposal", SUPPOSED_LABEL)}


def suppose_proposed(
    state: State, change: Change, proponent: str, proposal_class: type[Proposal] = Proposal, *, together: int = 0
) -> State:
    """Return the state with a made-up proposal of a change added, as if `together` changes were proposed at once.

    If `together` is 0, they are as many as the change has parts. The proposal is made as a `proposal_class`.
    """
    numbers = (SUPPOSED_LABEL,) * (together or len(change.parts))
    proposal = proposal_class(SUPPOSED_LABEL, change, proponent, state.turn, circuit=state.circuit, numbers=numbers)
    return state.replace(proposals={**state.proposals, SUPPOSED_LABEL: proposal})


def states_proposing_parts(state: State, change: Change, proponent: str) -> Iterator[tuple[Change, State]]:
    """Yield (part, state) for each part of a change, in a state in which that part counts as proposed."""
    for part in change.numbered_changes:
        yield part, suppose_proposed(state, part, proponent, together=len(change.parts))


def find_permission_for_kind(state: State, change: Change, player: str, together: int = 0) -> Finding:
    """Return the law's finding on whether a player may propose this kind of change, as one of `together` at once.

    What would follow from the change itself is not looked at. If `together` is 0, its parts are those made at once.
    """
    trial = suppose_proposed(state, change, player, ExampleChange, together=together)
    return find_permission(trial, "propose", player, **SUPPOSED_CASE)


def does_last_ban_cover(last: Finding | None, state: State, change: Change, player: str, together: int = 0) -> bool:
    """Tell whether the clause behind the `last` ban surely forbids this change too, as one of `together` at once.

    The change counts as one of `together` proposed at once, or of its own parts if that is 0.
    """
    if last is None or not last.sources:
        return False
    case = {**SUPPOSED_CASE, "player": ThingRef("player", player)}
    trial = suppose_proposed(state, change, player, ExampleChange, together=together)
    return state.law.surely_forbids(last.sources[0], "may.propose", trial, case)


def _example_changes(book: RuleBook, *, every: bool) -> Iterator[Change]:
    """Yield example changes: enacting a rule, and amending, repealing and transmuting `every` rule or one per tier."""
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
    """Tell whether some rule can ever oblige a player to do an action; `within` is the view being evaluated, if any.

    Raises
    ------
    Undecided
        Where that depends on something that is not known now.
    """
    doubt: Undecided | None = None
    for event, sources in (*law.triggers.items(), ("taken", law.offers)):
        for source in sources:
            clause = cast(c.TriggerClause, source.clause)
            if not any(action in (effect.action, effect.other) for effect in clause.all_effects("oblige")):
                continue
            if event != "part_begun":
                return True
            try:
                if _can_fire_in_some_part(law, state, clause, source.rule.id, within):
                    return True
            except Undecided as error:
                doubt = error
    if doubt is not None:
        raise doubt
    return False


def _can_fire_in_some_part(law: Law, state: State, clause: c.TriggerClause, rule_id: int, within: View | None) -> bool:
    """Tell whether a trigger clause of the rule with this id can fire in some part of some player's turn."""
    parts = law.answer("turn.parts", state, {}, within)
    turns = players_in_order(state, law.answer("turn.sequence", state, {}, within))
    players = (ThingRef("player", name) for name in turns)
    able = (thing for thing in players if not _may_never_begin_turn(law, state, thing, within))
    for player, part in ((thing, part) for thing in able for part in parts):
        inner = View(state, {"part": part, "player": player, "this": ThingRef("rule", rule_id)}, law)
        inner.open_keys = within.open_keys if within is not None else ()
        condition = clause.condition
        if condition is None or law.dependence.fields_of_expression(condition) & TIME_FIELDS or condition.run(inner):
            return True
    return False


def _may_never_begin_turn(law: Law, state: State, player: Value, within: View | None) -> bool:
    """Tell whether the law forbids a player to begin turns, now and at any later time."""
    finding = law.find("may.begin_turn", state, {"player": player}, within)
    return finding.value is False and any(set_clause_of(source).condition is None for source in finding.sources)


def could_be_adopted(law: Law, state: State, change: Change, proponent: str, within: View | None = None) -> bool:
    """Tell whether the proponent could have a change adopted, now or at another time.

    What depends on the wording of a change, the turn, or anything else that play alters is no bar, nor is a silence
    of the law, which the table fills: only what holds in every case is.
    """
    trial = suppose_proposed(state, change, proponent)
    if not could_ever_propose(law, trial, proponent, within):
        return False
    if any(law.dependence.fields_in_conditions(key) & TURN_FIELDS for key in VOTING_KEYS):
        return True
    try:
        return _would_be_adopted(law, trial, within)
    except Undecided:
        return True


def fulfils_duty_to_propose(state: State, change: Change, player: str) -> bool:
    """Tell whether proposing this change would fulfil the player's duty to propose."""
    return not suppose_proposed(state, change, player).find("proposal.owed", **SUPPOSED_CASE).says(False)


def is_duty_open(state: State, player: str, action: str) -> bool:
    """Tell whether no rule surely forbids a player all ways to do an owed action."""
    if action != "propose":
        return is_permitted(state, action, player)
    last: Finding | None = None
    law, bans, covered = state.law, 0, 0
    looks_at, words = law.dependence.key_uses_words, law.vocabulary.words_reading_wording
    for together in (0, 2) if looks_at("may.propose", TOGETHER) else (0,):
        for change in _changes_fulfilling_duty(state, player):
            if does_last_ban_cover(last, state, change, player, together):
                covered += 1
                continue
            last, bans = find_permission_for_kind(state, change, player, together), bans + 1
            if not is_surely_forbidden(last):
                return True
        if bans == 1 and covered and not (looks_at("proposal.owed", words) or _reads(law, last, words | TOGETHER)):
            return False  # one ban covers them all, however they are worded and however many are proposed at once
    # A ban that looks at wordings is tried with many of them, unless there is one on all of them.
    return (
        looks_at("may.propose", words)
        and not ((last is None or _reads(law, last, words)) and _ban_on_all_changes(state, player))
        and _is_some_wording_allowed(state, player, last)
    )


def _reads(law: Law, ban: Any, words: frozenset[str]) -> bool:
    """Tell whether the first clause behind a ban uses one of these words."""
    asked = (condition for source in ban.sources[:1] for condition in source.clause.asked)
    return any(map(law.dependence.expression_uses_words, asked, repeat(words)))


def find_bar_to_duty(state: State, player: str, action: str) -> SourceClause | None:
    """Return the clause that surely forbids a player an owed action that is not open; None if no single one does."""
    finding = find_permission(state, action, player)
    if not is_surely_forbidden(finding):
        for change in deque(_changes_fulfilling_duty(state, player), 1):
            finding = find_permission_for_kind(state, change, player)
        if state.law.dependence.key_uses_words("may.propose", state.law.vocabulary.words_reading_wording):
            return _ban_on_all_changes(state, player)
    return next(iter(finding.sources), None)


def _ban_on_all_changes(state: State, player: str) -> SourceClause | None:
    """Return a clause that surely forbids a player every proposal; None if none is found."""
    return state.law.find_ban_on_all("may.propose", state, {"player": ThingRef("player", player)})


def _is_some_wording_allowed(state: State, player: str, ban: Finding | None) -> bool:
    """Tell whether there is a wording that a player may propose, though `ban` forbids another."""

    def find() -> bool:
        last: Any = ban
        for wordings in _worded_changes(state, player):
            for change in wordings:
                if does_last_ban_cover(last, state, change, player):
                    if not _reads(state.law, last, state.law.vocabulary.words_reading_wording):
                        break  # no other wording of this kind of change is any better
                    continue
                last = find_permission_for_kind(state, change, player)
                if not is_surely_forbidden(last):
                    return True
        return False

    read = state.law.dependence.fields_read
    fields = {*read("may.propose"), *read("proposal.owed"), "rules"}
    return bool(state.law.find_with_memory(("some wording", player), fields, state, (0, "may.propose"), find))


def _changes_fulfilling_duty(state: State, player: str) -> Iterator[Change]:
    """Yield example changes that would fulfil the player's duty to propose."""
    law = state.law
    if law.is_silent_on("proposal.owed"):
        yield from _example_changes(state.rules, every=True)
        return
    behind = law.dependence.expressions_behind("proposal.owed")
    by_kind = all("." in word or word in KIND_WORDS for expression in behind for word in expression.words)

    def kind(change: Change) -> object:
        target = state.rules.rule_numbered(change.target)
        return (change.kind, target and target.tier) if by_kind else change

    def owed(*span: int | None) -> list[Change]:
        changes = list(islice(_example_changes(state.rules, every=True), *span))
        kinds = {kind(change): change for change in changes}
        owing = {of: fulfils_duty_to_propose(state, change, player) for of, change in kinds.items()}
        return [change for change in changes if owing[kind(change)]]

    fields = ("rules", *(() if by_kind else law.dependence.fields_read("proposal.owed")))
    for span in ((0, 2), (2, None)):  # new rules first, which mostly will do
        yield from law.find_with_memory(
            ("what is owed", player, span), fields, state, (0, "proposal.owed"), partial(owed, *span)
        )


def _worded_changes(state: State, player: str) -> Iterator[Iterator[Change]]:
    """Yield, for each kind of change, an iterator over changes with many titles, wordings and lengths to try.

    An example comes first. Wordings do not matter to a duty unless rules look at them.
    """
    examples = _example_changes(state.rules, every=False)
    kinds = dict.fromkeys(change for change in examples if change.kind in ("enact", "amend"))
    matters = state.law.dependence.key_uses_words("proposal.owed", state.law.vocabulary.words_reading_wording)
    for kind in kinds if matters else filter(kinds.__contains__, _changes_fulfilling_duty(state, player)):
        texts = _wordings_to_try(state, player)
        changes = chain((kind,), (replace(kind, wording=wording, title=title) for title, wording in texts))
        yield (change for change in changes if not matters or fulfils_duty_to_propose(state, change, player))


def _wordings_to_try(state: State, player: str) -> Iterator[tuple[str, str]]:
    """Yield (title, wording) pairs with the texts and word counts that rules mention."""
    every = state.law.dependence.expressions_behind("may.propose")
    asking = dict.fromkeys(
        text for expression in every if "mentions" in expression.words for text in expression.constant_texts()
    )
    # A text that fits what it looks for, such as “a” for “[ab]*”.
    letters = [re.sub(r"\[(.)[^]]*\]", r"\1", one).replace("*", "").replace("?", "a") for one in asking if one]
    letters += [player] if any({"mentions", "name"} <= expression.words for expression in every) else []
    numbers = {number for expression in every for number in expression.constant_numbers() if number <= MOST_WORDS}
    lengths = dict.fromkeys((2, *sorted({*numbers, *(number + 1 for number in numbers)}), *range(FEW_WORDS)))
    some = letters[:MOST_LETTERS]
    subsets = [
        letters,
        *(list(combination) for many in range(len(some) + 1) for combination in combinations(some, many)),
    ]
    texts = (
        wording
        for words, sentences, filler in product(lengths, subsets, FILLERS)
        for wording in _wordings_with(" ".join(sentences), words, filler)
    )
    yield from islice(texts, MOST_WORDINGS)


def _wordings_with(sentence: str, word_count: int, filler: str) -> Iterator[tuple[str, str]]:
    """Yield (title, wording) pairs, with and without a sentence, each wording filled up to `word_count` words."""
    rest = " ".join([filler] * (word_count - len(sentence.split())))
    titles = dict.fromkeys((sentence if len(sentence) <= LONGEST_TITLE else "", "Another title", ""))
    for wording in dict.fromkeys((f"{sentence} {rest}".strip(), " ".join([filler] * word_count))):
        if wording and len(wording) <= LONGEST_WORDING:
            yield from ((title, wording) for title in titles)


def could_ever_propose(
    law: Law, state: State, player: str, within: View | None = None, words: frozenset[str] | None = None
) -> bool:
    """Tell whether a player could ever propose the change that `suppose_proposed` has put into the state.

    Parameters
    ----------
    within : View, optional
        The evaluation that asks.
    words : frozenset of str, optional
        The words of the law that count as reading the wording; those of the vocabulary if none are given.
    """
    case = {**SUPPOSED_CASE, "player": ThingRef("player", player)}
    later = _later_states(law, state) if law.dependence.fields_in_conditions("may.propose") & CLOCK_NAMES else ()
    words = law.vocabulary.words_reading_wording if words is None else words
    allowed = law.can_ever_allow("may.propose", state, case, UNCHANGING_FIELDS, words, CLOCK_NAMES, later, within)
    if allowed is not None:
        return allowed
    general = law.find("acts.rule_change", state, {}, within)
    return not general.answered or general.value == "allowed"


#: Of bodies of law, the period of what they say about proposing: it is asked for each kind of change.
_PERIODS: WeakKeyDictionary[Law, int | None] = WeakKeyDictionary()


def _later_states(law: Law, state: State) -> tuple[State, ...]:
    """Return copies of the state at times far in the future, to try what depends on time alone.

    There are none if what rules say about the time could go round in more of them than are tried.
    """
    if law not in _PERIODS:
        _PERIODS[law] = turn_period(walk_expressions(law.dependence.expressions_behind("may.propose")))
    round_of = _PERIODS[law]
    if round_of is None or (
        round_of > 1 and state.clock and "clock" in law.dependence.fields_in_conditions("may.propose")
    ):
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
    """Return in how many turns the divisions in these expression nodes repeat; None if that is unknown or too many."""
    period = 1
    for node in nodes:
        if node.arithmetic in ("%", "//", "/"):
            by = node.parts[1].value
            if not isinstance(by, int) or by < 1 or period * by > LONGEST_PERIOD:
                return None
            period *= by
    return period


def _would_be_adopted(law: Law, trial: State, within: View | None) -> bool:
    """Tell whether some combination of ballots adopts the made-up proposal; all in favour is tried first."""
    electorate = law.answer("vote.electorate", trial, SUPPOSED_CASE, within)
    names = player_names(electorate)
    held = vote_without_ballots(
        law, trial, trial.proposals[SUPPOSED_LABEL], ballot_weights(law, trial, SUPPOSED_CASE, names, within), within
    )

    def adopted(ballots: Mapping[str, str], asker: View | None) -> bool:
        proposal = replace(trial.proposals[SUPPOSED_LABEL], status="open", vote=replace(held, ballots=ballots))
        closed = trial.replace(proposals={**trial.proposals, SUPPOSED_LABEL: proposal})
        return is_adopted(law, closed, proposal, asker)

    dummies = _dummy_ballots(law, held.choices)
    options = {name: _ballots_ever_open(law, trial, held, name, within) for name in names if trial.players[name].person}
    alike = ({name: "for" if name in options else dummy for name in names} for dummy in dummies)
    return (
        all("for" in open_to_voter for open_to_voter in options.values())
        and any(adopted(ballots_cast, within) for ballots_cast in alike)
    ) or _does_some_vote_adopt(law, trial, held, options, adopted, within)


def _ballots_ever_open(law: Law, trial: State, vote: Vote, name: str, within: View | None) -> BallotOptions:
    """Return the ballots that a voter may cast, now or at another time; only None, for no ballot, if there are none."""
    if not any("ballot" in source.clause.names for source in law.clauses_and_rulings_about("may.vote")):
        return vote.choices
    case = {**SUPPOSED_CASE, "player": ThingRef("player", name)}
    left = tuple(
        ballot
        for ballot in vote.choices
        if law.can_ever_allow(
            "may.vote", trial, {**case, "ballot": ballot}, UNCHANGING_FIELDS, frozenset(), CLOCK_NAMES, (), within
        )
        is not False
    )
    return left or (None,)


def _does_some_vote_adopt(
    law: Law, trial: State, vote: Vote, open_to: Mapping[str, BallotOptions],
    adopted: Callable[[Mapping[str, str], View], bool], within: View | None,
) -> bool:  # fmt: skip
    """Tell whether any combination of ballots that is tried here, of those `open_to` persons, passes `adopted`."""
    apart = do_voters_matter(expressions_behind(law, "vote.adopted"))
    every = []
    for by_dummies in _dummy_ballots(law, vote.choices):
        options = {name: open_to.get(name, (by_dummies,)) for name in vote.electorate}
        every.append(islice(ballot_combinations(vote, options, apart=apart)[1], MOST_BALLOTS_TRIED))

    def found(ballots: Mapping[str, str]) -> bool:
        asker = View(trial, {}, law)
        asker.open_keys = within.open_keys if within is not None else ()
        return adopted(ballots, asker)

    return do_any_ballots_adopt(chain(*every), found)


def _dummy_ballots(law: Law, choices: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ballots, such as “for”, to try one by one as the vote of all dummies, for whom rules vote."""
    ballots = {effect.ballot.node.value for clause in law.acting_clauses for effect in clause.all_effects("cast")}
    others = tuple(choice for choice in choices if choice in ballots and choice != "for")
    return others or ("against",) if ballots and ballots <= {"against", "abstain"} else ("for",)


def is_adoption_possible(view: View) -> Value:
    """Tell whether some rule change could be adopted, now or at another time (rule 114)."""
    state, law = state_of(view), cast(Law, view.law)
    if not state.person_names:
        return False
    with suppress(Undecided):  # not now is not never
        if not can_become_owed(law, state, "propose", view):
            return False
    decided = {one.number: replace(one, status="defeated") for one in state.open_proposals}
    then = state.replace(proposals={**state.proposals, **decided})
    for change in _example_changes(law.book, every=False):
        for when, name in product((state, then) if decided else (state,), state.person_names):
            view.spend_steps()
            if could_be_adopted(law, when, change, name, view):
                return True
    return False
