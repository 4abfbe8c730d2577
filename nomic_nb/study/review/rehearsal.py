"""New clauses played on trial: what each does next, with numbers, and where it gives no answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import chain, count, islice, product
from typing import Any, cast

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.clauses import (
    Clause,
    Effect,
    InsteadClause,
    OfferClause,
    SetClause,
    TrackClause,
    TriggerClause,
    WheneverClause,
)
from nomic_nb.engine.law.findings import set_clause_of
from nomic_nb.engine.law.nodes import BudgetExceeded, Expression, Node, NotDone, StepMeter, Undecided, limit_steps
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import SourceClause
from nomic_nb.engine.law.values import Number, ThingRef, Value
from nomic_nb.engine.play.adoptability import suppose_proposed
from nomic_nb.engine.play.agenda_items import AgendaItem, Deadline, WaitingFor
from nomic_nb.engine.play.calendar import RecordedClock, parse_minute
from nomic_nb.engine.play.declarations import ACTIONS
from nomic_nb.engine.play.dice import draw_faces
from nomic_nb.engine.play.engine import DependsOnChance, EndlessClauses
from nomic_nb.engine.play.events import Event, number_from_json
from nomic_nb.engine.play.offers import players_offered
from nomic_nb.engine.play.questions_by_rules import answer_as_recorded, answer_or_choose
from nomic_nb.engine.play.state import Agenda, State
from nomic_nb.engine.play.tables import counter_of_player
from nomic_nb.engine.play.trial_adoption import Adoption, TrialEngine, calm_state, state_under_vote
from nomic_nb.engine.play.vote_rules import is_adopted
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.words import (
    count_phrase,
    counter_named,
    group_pairs,
    join_words,
    number_text,
    upper_first,
    verb_phrase,
)
from nomic_nb.study.review.cases import (
    NEW_RULE_EXAMPLE,
    all_effects,
    clauses_in_force,
    effects_in_force,
    evaluate_or_none,
    names_bound,
    number_of_change,
    possible_ballots,
    table_changed_by,
    values_to_try,
    vote_on_example,
    why_never_happens,
)

#: Clauses that are played, cases of each, sentences that are shown, and people whose score differs in a sentence.
MOST_CLAUSES, MOST_CASES, MOST_SHOWN, MOST_NAMED = 12, 24, 6, 3
#: Turns or rounds to come in which a condition is looked for.
MOST_AHEAD = 120
#: Steps that one case may take.
STEPS_PER_CASE = 20_000
#: Events that belong to the vote on a proposal, with what becomes of it there; and whether some vote against it.
VOTE_OUTCOMES = {"adopted": "passes", "defeated": "fails", "vote_closed": "", "vote_ending": ""}
_OF_VOTES = VOTE_OUTCOMES | {"vote_opened": "is put to the vote"}
#: Kinds of change that are tried only where a clause names them.
_OTHER_CHANGES = {"repeal": "a repeal", "transmute": "a transmutation"}
#: Choices of players that are made in a case, one after the other.
MOST_ANSWERS = 4
#: Letters of a clause that does nothing.
MOST_LETTERS = 120
#: A time for games that record none.
SOME_MINUTE = parse_minute("2026-01-01 12:00")
#: A score from which something can be paid or taken, and scores that tell players apart.
GOOD_SCORE, UNEVEN = 20, (20, 10, 5)
#: Scores that rules forget: less than nothing, for all alike or for each another number, and a half.
BELOW_ZERO, ALL_BELOW_ZERO, HALF = (-3,), (-13, -23, -33), (Fraction(1, 2),)
#: A division in a clause, from which halves come.
_DIVISION = re.compile(r"[^/]/(?!/)")
#: Events by which a player takes part no longer, with what is true of the player then.
_GONE: Mapping[str, Mapping[str, Any]] = {
    "forfeited": {"playing": False, "forfeited": True}, "eliminated": {"playing": False}, "absent": {"absent": True},
}  # fmt: skip
#: Events that are told by others, or of no interest by themselves.
_UNTOLD = frozenset({"came_true", "tracked", "asked", "replaced", "polled"})
#: Events that are no effects by themselves: answers, rolls, and what is put off.
_ANSWERS = frozenset({"chosen", "thrown", "poll_opened", "scheduled"})


@frozen
class Occasion:
    """A case in which a clause is played.

    Parameters
    ----------
    words : str
        What happens, as half a sentence: “Ann rolls a 4”.
    state : State
        A calm one.
    env : mapping of str to Value
        The names that the event binds.
    usual : bool
        Whether this is common in play, and not only possible.
    supposed : bool
        Whether tables hold what a condition waits for, no matter how it came there.
    """

    words: str
    state: State
    env: Mapping[str, Value]
    usual: bool = True
    supposed: bool = False


@frozen
class Outcome:
    """The effects of a clause in a case.

    Parameters
    ----------
    occasion : Occasion
        The case.
    after : State
        The state after it.
    events : tuple of Event
        Events caused by the clause or its rule.
    doubt : Undecided or None
        Reason why the law gives no answer there.
    steps : int
        Steps that it took to find out.
    """

    occasion: Occasion
    after: State
    events: tuple[Event, ...] = ()
    doubt: Undecided | None = None
    steps: int = 0

    @property
    def awaited(self) -> list[str]:
        """What the clause waits for at the end, as half sentences: “Ann rolls”."""
        begun = (waiting for waiting in self.after.waiting if waiting not in self.occasion.state.waiting)
        return [
            (one.player or "anyone") + (" rolls" if one.action == "roll" else f" chooses {one.name.replace('_', ' ')}")
            for one in begun
            if one.action != "seal"  # which its event tells
            and not self.after.poll_for(one).is_announced
        ]

    @property
    def delays(self) -> list[str]:
        """How long it takes until everything has happened that is put off: “after 2 rounds”."""
        return [_delay_in_words(event) for event in self.events[:-1] if event.kind == "scheduled"]

    @property
    def paid(self) -> dict[tuple[str, str], Number | None]:
        """The amounts that players gain, by player and counter; None where it is not told."""
        return {
            (event.actor, str(event.data["counter"])): number_from_json(event.data["amount"])
            if "amount" in event.data else None
            for event in self.events if event.kind == "counted" and event.actor
        }  # fmt: skip


class _ClauseEngine(TrialEngine):
    """An engine for one clause in one case, which stops where the law gives no answer.

    With a `face`, it does what is put off after all else, and rolls dice: the first of six sides shows that face.
    """

    def __init__(self, state: State, face: int = 0) -> None:
        super().__init__(state, frozenset())
        self.doubt: Undecided | None = None
        self.supposed = not face
        #: What is put off, each with the moment that tells of it.
        self.put_off = list[tuple[tuple[Event, State], AgendaItem]]()
        if face:  # the dice have nothing to do with those of the game
            self.seed = next(at for at in count() if draw_faces(at, state.draws, 1, 6) == (face,))

    def postpone(self, due: Deadline, effect: Effect) -> None:
        """Put off an effect, or keep it for the end."""
        if self.supposed:
            super().postpone(due, effect)
        else:
            self.put_off.append((self.moments.pop(), self.item.with_effects((effect,))))

    def ask_about(
        self, doubt: Undecided, item: AgendaItem | None = None, act: str = "", actor: str | None = None
    ) -> None:
        """Keep the doubt, and stop; a doubt that dice would settle is none, and what cannot be done is left out."""
        if isinstance(doubt, NotDone):
            super().ask_about(doubt, item, act, actor)
            return
        if not isinstance(doubt, DependsOnChance):
            self.doubt = self.doubt or doubt
        self.state = self.state.replace(agenda=Agenda())


def play_clause(
    source: SourceClause, occasion: Occasion, steps: int = STEPS_PER_CASE, *, face: int = 0, alike: bool = True
) -> Outcome:
    """Return what a clause does in a case, if that takes no more than so many steps; else nothing.

    A player who has to choose takes the first option, but not themselves or nothing. With a `face`, which the first die
    shows, several players who are asked answer, too, all `alike` or each otherwise, 1 is named for any number, and what
    is put off is done.
    """
    state = calm_state(occasion.state)
    if face and state.clock is None and source.clause.all_effects("after"):
        state = state.replace(clock=RecordedClock(SOME_MINUTE, SOME_MINUTE, SOME_MINUTE))
    engine, meter, given = _ClauseEngine(state, face), StepMeter(steps, stops=True), dict[int, Value]()
    try:
        with meter.as_current_meter():
            if not isinstance(source.clause, WheneverClause):  # which begins by itself
                engine.put_first(engine._trigger_item(source, occasion.env, engine.law))
            engine.finish_agenda()
            for at in range(3 * MOST_ANSWERS if face else MOST_ANSWERS):
                asked = _next_asked(engine.state, occasion.state, face)
                if asked is None and engine.put_off:
                    moment, item = engine.put_off.pop(0)
                    engine.moments.append(moment)
                    engine.put_first(item)
                    engine.finish_agenda()
                    continue
                if asked is None:
                    break
                if asked.action == "roll":
                    by_hand = engine.state.find("dice.source").value == "table"
                    ACTIONS["roll"].perform(engine, asked.player, face * asked.dice if by_hand else None)
                else:
                    poll, own = engine.state.poll_for(asked), ThingRef("player", str(asked.player))
                    others: list[Value] = [one for one in asked.options if one not in (own, None)]
                    options = others or [*asked.options, 1]
                    answer: Value = options[0 if alike else (at + 1) % len(options)]
                    answer = given.setdefault(poll.id, answer) if alike and poll.several else answer
                    option = answer_as_recorded(engine.state, poll, (answer,) if poll.some else answer)
                    try:
                        answer_or_choose(engine, str(asked.player), option, asked.poll)
                    except Undecided:  # whether they may choose
                        break
                engine.finish_agenda()
    except (BudgetExceeded, EndlessClauses, IllegalAction):
        return Outcome(occasion, occasion.state, steps=meter.steps_taken)
    events = tuple(
        event
        for event, _ in engine.moments
        if event.kind in ("chosen", "thrown", "won") or (event.cause is not None and event.cause.id == source.rule.id)
    )
    return Outcome(occasion, engine.state, events, engine.doubt, meter.steps_taken)


def _next_asked(state: State, before: State, face: int) -> WaitingFor | None:
    """Return the next choice of one player, or roll, that is awaited now and was not before; None without one."""
    for one in state.waiting:
        poll = state.poll_for(one)
        if one not in before.waiting and one.player and not one.round and (
            (face and (one.action == "roll" or poll.free == "any number"))
            or (one.action == "choose" and one.options and (face or not poll.several))
        ):  # fmt: skip
            return one
    return None


# --------------------------------------------------------------------------------------------------- the cases


def occasions_for(state: State, source: SourceClause, by: str) -> Iterator[Occasion]:
    """Yield cases in which to play a trigger clause or an offer: common ones first, then awkward scores."""
    usual = tuple(_without_leaver(source.clause, one) for one in _usual_occasions(state, source, by))
    yield from usual
    read = words_read(source)
    if isinstance(source.clause, WheneverClause):  # whose usual cases say who reaches the number that it waits for
        read -= cast(Expression, source.clause.condition).words
    own = tables_tracked(source)
    for counter in (name for name in state.tables if name in read and is_score(state, name)):
        others = (one.words for one in clauses_in_force(state.law) if not one.words.startswith("set vote."))
        halves = getattr(source.clause, "event", "") != "counted" and any(map(_DIVISION.search, others))
        scores = ((GOOD_SCORE,), BELOW_ZERO, ALL_BELOW_ZERO, *([HALF] if halves else ()))
        for numbers, occasion in product(scores, usual[:MOST_NAMED]):
            if occasion.env.get("counter") == counter:  # whose numbers the case itself says
                continue
            named = f"{number_text(numbers[0])} {counter_named(counter, numbers[0])}"
            have = f"everyone has {named}" if len(numbers) == 1 else f"all have {named} or less"
            given, usual_one = with_scores(occasion.state, counter, numbers), numbers[0] == GOOD_SCORE
            yield Occasion(f"{occasion.words} and {have}", given, occasion.env, usual_one, counter in own)


def _without_leaver(clause: Clause, occasion: Occasion) -> Occasion:
    """Return a case in which the player who leaves, or is marked as away, no longer takes part."""
    gone = _GONE.get(getattr(clause, "event", ""))
    if gone is None:
        return occasion
    player = occasion.state.players[str(cast(ThingRef, occasion.env["player"]).id)]
    return replace(occasion, state=occasion.state.with_player(replace(player, **gone)))


def tables_tracked(source: SourceClause) -> set[str]:
    """Return the names of the tables that a clause's own rule tracks."""
    return {clause.counter for clause in source.rule.clauses if isinstance(clause, TrackClause)}


def words_read(source: SourceClause) -> set[str]:
    """Return the names, fields and tables that a clause reads."""
    read = {word for expression in source.clause.expressions for word in expression.words}
    return read | {effect.counter for effect in source.clause.all_effects("pay")}


def is_score(state: State, counter: str) -> bool:
    """Tell whether something is a number of each player."""
    shape = state.tables[counter].shape
    return shape.keys == ("player",) and shape.holds_numbers


def _usual_occasions(state: State, source: SourceClause, by: str) -> Iterator[Occasion]:
    """Yield common cases of the event or the offer that a clause is about."""
    clause = cast(TriggerClause, source.clause)
    if isinstance(clause, OfferClause):
        named = clause.constant_texts() if "part" in clause.names else iter(())
        parts = [state.replace(turns=tuple([replace(go, part=part) for go in state.turns])) for part in named]
        for then in (state, *parts):
            try:
                offered = players_offered(then, source)
            except Undecided:  # whom it means cannot be told now
                continue
            for player in offered[:MOST_NAMED]:
                yield Occasion(f"{player} uses “{clause.name}”", then, {"player": ThingRef("player", player)})
        return
    if isinstance(clause, WheneverClause):
        yield from occasions_meeting(state, cast(Expression, clause.condition))
        return
    if clause.event in _OF_VOTES:
        yield from _vote_occasions(state, clause.event, by, clause)
        return
    if why_never_happens(state.law, clause.event) is not None:
        return
    if clause.event == "counted":
        yield from islice(_counted_occasions(state, clause, by), MOST_CASES)
        return
    event, binds = state.law.vocabulary.events[clause.event], names_bound(state.law, clause.event)
    every = {"player", "face"} & {*clause.names}
    ballots = possible_ballots(state.law) if "ballot" in binds else None
    about_proposals = any("proposals" in one.names for one in clause.expressions)
    begun = state
    state = _state_at_round_end(state) if clause.event == "circuit_ended" and about_proposals else state
    more = "" if state is begun else " and everyone’s proposal has passed"
    texts = tuple(text for text in clause.constant_texts() if ballots is None or text in ballots)
    other = next((name for name in state.person_names if name != by), by)
    values = [
        texts
        if kind.name == "text" and name in clause.names and texts
        else values_to_try(state, name, kind, by if name == "player" else other, every=name in every)
        for name, kind in binds.items()
    ]
    for combination in islice(product(*values), MOST_CASES):
        env = dict(zip(binds, combination, strict=True))
        then = state
        if clause.event == "turn_ended" and about_proposals:
            then = next(states_at_turn_end(state, cast(ThingRef, env["player"])), state)
        words = _event_in_words(clause.event, event.meaning, {**env, "this": source.rule.ref}) + more
        yield Occasion(words, then, env)
    if about_proposals and clause.event == "turn_ended":  # in another turn, its proposal would be missing
        return
    conditions = [clause.condition, *(effect.condition for effect in clause.all_effects("when", "each"))]
    reached = chain.from_iterable(occasions_meeting(state, one) for one in conditions if one is not None)
    for met in islice(reached, MOST_NAMED):
        env = {name: tried[0] for name, tried in zip(binds, values, strict=True) if tried}
        env |= {name: value for name, value in met.env.items() if name in env}
        words = f"{_event_in_words(clause.event, event.meaning, env)} when {met.words}"
        yield replace(met, words=words, env=env)


#: How far from the number in a comparison the next values are that fit it, and that do not.
_FITTING = {"==": (0, -1), "!=": (1, 0), ">=": (0, -1), ">": (1, 0), "<=": (0, 1), "<": (-1, 0)}
#: Comparisons as they read from the other side.
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _limits(nodes: Iterable[Node]) -> Iterator[tuple[Node, int, int]]:
    """Yield what is compared with a whole number, the nearest value that fits the comparison, and one that doesn't."""
    for node in nodes:
        for at, (side, number) in enumerate(node.pairs_of_sides if node.comparison in _FITTING else ()):
            constant = (number.negated_node or number).value
            if type(constant) is int and not side.is_constant:
                base = -constant if number.negated_node else constant
                fits, other = _FITTING[TURNED.get(node.comparison, node.comparison) if at else node.comparison]
                yield side, base + fits, base + other


def occasions_meeting(state: State, condition: Expression, name: str = "") -> Iterator[Occasion]:
    """Yield cases in which a number that a condition waits for is reached, by one player (`name`) or in time."""
    name = name or next(iter(state.person_names), "")
    who = ThingRef("player", name)
    for side, fits, other in _limits(condition.node.walk()):
        counter = side.field or ""
        if counter in state.tables and is_score(state, counter):
            words = f"{name} has {number_text(fits)} {counter_named(counter, fits)}"
            held = {one: counter_of_player(state, counter, one) or 0 for one in state.person_names}
            spare = {one: now if (now - other) * (fits - other) <= 0 else other for one, now in held.items()}
            scores = [*(spare | {name: fits}).values()]
            yield Occasion(words, with_scores(state, counter, scores), {"player": who}, supposed=True)
    for unit, called in (("turn", "turn"), ("circuit", "round")):
        for at in range(1, MOST_AHEAD) if unit in condition.names else ():
            number = getattr(state, unit) + at
            env: dict[str, Value] = {unit: number, "player": who}
            then = state.replace(turn=number) if unit == "turn" else state.replace(circuit=number)
            if _holds(condition, then, env):
                yield Occasion(f"it is {called} {number}", then, env)
                break


def _holds(condition: Expression, state: State, env: Mapping[str, Value]) -> Value:
    """Return the value of a condition; None if the law does not decide it, or only in many steps."""
    try:
        with limit_steps(STEPS_PER_CASE // 10):
            return evaluate_or_none(condition, state, **env)
    except BudgetExceeded:
        return None


def _counted_occasions(state: State, clause: TriggerClause, by: str) -> Iterator[Occasion]:
    """Yield cases in which a number really rises or falls, first across the limits that a clause on that sets."""
    shapes = {name: table.shape for name, table in state.tables.items()}
    tables = {name: one.keys for name, one in shapes.items() if one.holds_numbers and one.keys in ((), ("player",))}
    named = [*dict.fromkeys(text for text in clause.constant_texts() if text in tables)]
    limits = [*_limits(clause.walk())]
    amounts = [*(fits for side, fits, _ in limits if side.name == "amount" and fits), 1, -1]
    for counter in named or [one for one, keys in tables.items() if keys]:
        table, owner = state.tables[counter], (ThingRef("player", by),) if tables[counter] else ()
        held = cast(Number, table.value_at(owner))
        across: list[tuple[Number, Number]] = [(other, fits) for side, fits, other in limits if side.field == counter]
        steps = [*across, *((held, held + amount) for amount in amounts)]
        steps += [(now - amount, now) for pair in across for now in pair for amount in amounts]
        steps += [(number - 1, number) for number in clause.constant_numbers()]  # such as 10 in points % 10 == 0
        for was, now in islice(dict.fromkeys(steps), MOST_CASES):
            env: dict[str, Value] = {"counter": counter, "amount": now - was, **({"player": owner[0]} if owner else {})}
            entries = (table.with_entry(owner, number) for number in (was, now))
            before, then = (state.replace(tables={**state.tables, counter: entry}) for entry in entries)
            finding = before.find("counter.value", was=was, **env)
            fits = clause.condition is None or clause.each or _holds(clause.condition, then, env)
            if fits is False or (finding.answered and finding.value != now):  # rules do not let it get there
                continue
            whose, named_so = (by, f" {counter_named(counter, now)}") if owner else (f"the {counter}", "")
            words = f"{whose} goes from {number_text(was)} to {number_text(now)}{named_so}"
            yield Occasion(words, then, env)


def states_at_turn_end(state: State, player: ThingRef) -> Iterator[State]:
    """Yield states in which a player's turn ends after a vote, if no turn can end without one; nothing otherwise."""
    law, of_change = state.law, {"change", "target", "targets"}
    done = effects_in_force(law)
    parts = (set_clause_of(source).value.node.list_items or () for source in law.clauses_about("turn.parts"))
    permissions = map(set_clause_of, law.clauses_about("may.propose"))
    bans = (one.condition for one in permissions if one.value.node.value is False)
    if (
        all("proposal" in [part.value for part in some] for some in parts)
        and any(one.form.name == "oblige" and one.action == "propose" and not one.other for one in done)
        and not any(one.form.name == "end" for one in done)
        and why_never_happens(law, "skipped") is not None
        and all(ban is not None and not of_change.isdisjoint(ban.names) for ban in bans)
    ):
        for event in ("adopted", "defeated"):
            yield from (occasion.state for occasion in _vote_occasions(state, event, str(player.id)))


def _state_at_round_end(state: State) -> State:
    """Return a state in which a proposal of everyone has passed in this round, if no turn can end without a vote."""
    proposed = {one.proponent for one in state.proposals.values() if one.circuit == state.circuit}
    for name in state.person_names:
        if name not in proposed:
            state = next(states_at_turn_end(state, ThingRef("player", name)), state)
    return state


def _vote_occasions(state: State, event: str, player: str, clause: Clause | None = None) -> Iterator[Occasion]:
    """Yield cases of a vote's end: a new rule with all in favour, a close vote, an amendment, what a clause names.

    There are none for a clause that reads what changes with each ballot, because no ballots are cast in these cases.
    """
    counted = {*map(table_changed_by, all_effects(one.clause for one in state.law.triggers.get("balloted", ())))}
    if clause is not None and not counted.isdisjoint(word for one in clause.expressions for word in one.words):
        return
    target = next((rule.number for rule in state.rules if rule.tier == state_tier(state)), None)
    named = {*clause.constant_texts()} if clause else set()
    changes = [NEW_RULE_EXAMPLE]
    if target is not None:
        kinds = ["amend", *(kind for kind in _OTHER_CHANGES if kind in named)]
        changes += [Change(kind, target, "An example." if kind == "amend" else None) for kind in kinds]
    for change in changes:
        vote = vote_on_example(suppose_proposed(state, change, player))
        count = len(vote.electorate)
        splits = {
            "adopted": [count, count // 2 + 1, 1], "defeated": [0, count // 2, count - 1], "vote_opened": [0]
        }.get(event, [count, count // 2, 0, count - 1, 1])  # fmt: skip
        for many in dict.fromkeys(number for number in splits if 0 <= number <= count):
            ballots = {name: "for" if place < many else "against" for place, name in enumerate(vote.electorate)}
            ballots = {} if event == "vote_opened" else ballots
            number = number_of_change(state, change, player)
            asked, proposal = state_under_vote(state, change, player, number, replace(vote, ballots=ballots))
            status = {"adopted": "adopted", "defeated": "defeated"}.get(event, "open")
            asked = asked.replace(proposals={**asked.proposals, proposal.number: replace(proposal, status=status)})
            what = {"enact": "a new rule", "amend": "an amendment", **_OTHER_CHANGES}[change.kind]
            becomes = _OF_VOTES[event] or "is voted on"
            split = f" {many}–{count - many}" if ballots else ""
            quota = asked.find("vote.quota", **proposal.law_case).value if event == "adopted" else 0
            if isinstance(quota, int | Fraction) and many < quota:
                split += ", which is not enough now"
            yield Occasion(f"{player}’s proposal of {what} {becomes}{split}", asked, proposal.law_case)


def state_tier(state: State) -> str:
    """Return the tier in which new rules are made; empty if no rule says."""
    finding = state.find("enact.tier")
    return str(finding.value) if finding.answered else ""


def _event_in_words(event: str, meaning: str, env: Mapping[str, Value]) -> str:
    """Return an event as half a sentence with the names in it: “Ann rolls a 4”."""
    player = env.get("player")
    name = player.id if isinstance(player, ThingRef) else "a player"
    match event:
        case "thrown":
            return f"{name} rolls {env.get('face')}"
        case "turn_begun" | "turn_ended":
            return f"{name}’s turn {'begins' if event == 'turn_begun' else 'ends'}"
        case "passed_over":
            return f"{name}’s turn is skipped"
        case "circuit_ended":
            return "the round ends"
        case "proposed" | "revised":
            return f"{name} {'proposes' if event == 'proposed' else 'revises'} a change"
        case "balloted":
            return f"{name} votes {env.get('ballot')}"
        case "deed":
            return f"{cast(ThingRef, env['reporter']).id} reports {name} for “{env.get('name')}”"
    plain = meaning.partition(";")[0].partition(":")[0].partition(", because")[0]
    if "this" in env and env["this"] == env.get("rule"):
        plain = plain.replace("a rule", "this rule", 1).replace(", or one of its amendments,", "")
    return plain.replace("a player", str(name), 1)


# ------------------------------------------------------------------------------------------------ what is told


@frozen
class ClauseForecast:
    """The next effects of a new clause.

    Parameters
    ----------
    source : SourceClause
        The clause and its rule.
    outcomes : tuple of Outcome
        Its effects in the cases tried.
    after : State
        The state in which it is in force.
    """

    source: SourceClause
    outcomes: tuple[Outcome, ...]
    after: State

    @property
    def acting(self) -> Iterator[Outcome]:
        """The common cases in which it does something."""
        return (outcome for outcome in self.outcomes if outcome.occasion.usual and (outcome.events or outcome.awaited))

    @property
    def is_tried(self) -> bool:
        """Whether it could be tried, or never happens: moves are not tried, for example."""
        law, clause = self.after.law, cast(TriggerClause, self.source.clause)
        if any("position" in law.dependence.fields_of_expression(one) for one in clause.expressions):
            return False
        known = isinstance(clause, OfferClause | WheneverClause) or self.outcomes
        return bool(known) or why_never_happens(law, clause.event) is not None

    @property
    def cases(self) -> Iterator[Occasion]:
        """The common cases in which it may do something without any numbers being supposed."""
        rolls = any(self.source.clause.all_effects("roll", "chance"))
        cases = (one.occasion for one in (self.outcomes if rolls else self.acting))
        return (one for one in cases if one.usual and not one.supposed)


def forecast_clauses(after: State, sources: Iterable[SourceClause], by: str, steps: int) -> tuple[ClauseForecast, ...]:
    """Return the effects, in the cases tried, of clauses that react to an event or make an offer.

    Parameters
    ----------
    after : State
        A calm state, in which they are in force.
    sources : iterable of SourceClause
        The clauses, each with its rule.
    by : str
        The player who acts, if rules treat all players alike.
    steps : int
        Steps that all cases may take together.
    """
    forecasts: list[ClauseForecast] = []
    for source in islice(sources, MOST_CLAUSES):
        outcomes = []
        for occasion in occasions_for(after, source, by):
            outcomes.append(play_clause(source, occasion, min(steps, STEPS_PER_CASE)))
            steps -= outcomes[-1].steps
            if steps < 0:
                return tuple(forecasts)
        forecasts.append(ClauseForecast(source, tuple(outcomes), after))
    return tuple(forecasts)


def next_effects(
    adoption: Adoption, forecasts: Iterable[ClauseForecast], clauses: Iterable[Clause], by: str, steps: int
) -> tuple[str, ...]:
    """Return sentences on what new clauses do next, with numbers: at once, or when they first act.

    The last one names the clauses for which no case was found in which they do anything.
    """
    now, forecasts = _events_by_clause(adoption.events), tuple(forecasts)
    state, clauses = calm_state(adoption.after), tuple(clauses)
    changed = {forecast.source.rule.id for forecast in forecasts}
    terms = {one.key for one in clauses if isinstance(one, SetClause)}
    told: list[list[str]] = [[] for _ in forecasts]
    acted: list[Outcome] = []
    for further, (at, forecast) in product((False, True), enumerate(forecasts)):
        source = forecast.source
        events = sorted(now.get((source.rule.id, source.clause.words), ()), key=lambda event: event.kind == "scheduled")
        if done := _events_in_words(events):
            told[at] = [f"As soon as it passes, {done}."]
        elif not told[at] and steps > 0:
            cases = _further_cases(forecast, state, acted, by) if further else forecast.cases
            examples, steps = _examples(source, cases, steps)
            acted += examples
            for outcome in examples:
                others = _heard_besides(adoption.after.law, cast(TriggerClause, source.clause).event, outcome, terms)
                besides = (
                    _gains_besides(one, outcome, depends) for one, depends in others if one.rule.id not in changed
                )
                parts = [_events_in_words(outcome.events, outcome.awaited), *chain.from_iterable(besides)]
                told[at].append(f"If {outcome.occasion.words}, {'; '.join(dict.fromkeys(parts))}.")
    more = (*_held_values(state, clauses, by), *_wins(state, clauses, by)) if adoption.in_force else ()
    sentences = tuple(islice(dict.fromkeys(map(upper_first, chain(*told, more))), MOST_SHOWN))
    silent = (one.source.clause.words for one, some in zip(forecasts, told, strict=True) if not some and one.is_tried)
    idle = [f"“{words if len(words) <= MOST_LETTERS else words[:MOST_LETTERS] + '…'}”" for words in silent]
    idle[MOST_NAMED:] = ["others"] if len(idle) > MOST_NAMED else []
    none = f"No example was found for {join_words(idle, 'or')}; there may be one all the same."
    return (*sentences, none) if idle and steps > 0 else sentences


def _further_cases(forecast: ClauseForecast, state: State, acted: Iterable[Outcome], by: str) -> Iterator[Occasion]:
    """Yield cases for a clause that does nothing by itself: after other clauses, in a vote, with supposed numbers."""
    source = forecast.source
    begun = [
        (f"{one.occasion.words}, and then {''.join(f'{delay} ' for delay in one.delays)}", one.after, "")
        for one in islice(acted, MOST_NAMED)
        if "ballot" not in one.occasion.env  # others vote before anything else happens
    ]
    where = "in a vote " if isinstance(source.clause, OfferClause) else ""
    begun += [
        (where, vote.state, vote.words.partition(" proposal of ")[2].removesuffix(" is put to the vote"))
        for vote in _vote_occasions(state, "vote_opened", by, source.clause)
    ]
    read = words_read(source) - tables_tracked(source)
    for counter in [name for name in state.tables if name in read and is_score(state, name)][:1]:
        have = [f"{name} has {many} {counter}" for name, many in zip(state.person_names, UNEVEN, strict=False)]
        begun.append((f"{join_words(have)}, and ", with_scores(state, counter, UNEVEN), ""))
    for before, then, what in begun:
        for case in occasions_for(calm_state(then), source, by):
            if case.usual and not case.supposed and not before.startswith(f"{case.words},"):
                yield replace(case, words=before + case.words.replace("a change", what or "a change"))
    yield from (one.occasion for one in forecast.acting if one.occasion.supposed)


def _examples(source: SourceClause, cases: Iterable[Occasion], steps: int) -> tuple[list[Outcome], int]:
    """Return the first case in which a clause does something, and the steps left; two if dice decide what it does."""
    found, rest, first = dict[frozenset[object], Outcome](), list[Outcome](), None
    dice, asks = source.clause.all_effects("roll", "chance"), any(source.clause.all_effects("let", "after"))
    compared = {part.name for node in source.clause.walk() if node.comparison for part in node.walk()}
    decided = not compared.isdisjoint({"face", *(effect.name for effect in dice)})
    styles = [*product((True, False) if asks else (True,), (6, 1, 2, 3, 4, 5) if dice else (6,))]
    for case in cases:
        if steps < 0 or (found and (not decided or len(found) > 1)):
            break
        for alike, face in styles if not found or case.env.get("player") == first else ():
            if found and not decided:
                break
            outcome = play_clause(source, case, max(0, min(steps, STEPS_PER_CASE)), face=face, alike=alike)
            steps -= outcome.steps
            effect = frozenset(
                (event.kind, event.actor, event.data.get("counter"), "-" in str(event.data.get("amount")))
                for event in outcome.events if event.kind not in _UNTOLD | _ANSWERS
            )  # fmt: skip
            if not _events_in_words(outcome.events, outcome.awaited):
                continue
            if not effect or any(event.kind in ("unpaid", "unanswered") for event in outcome.events):
                rest.append(outcome)
            else:
                found.setdefault(effect, outcome)
                first = case.env.get("player")
    return [*found.values()][:2] or rest[:1], steps


def _heard_besides(law: Law, event: str, outcome: Outcome, terms: Set[str]) -> Iterator[tuple[SourceClause, bool]]:
    """Yield the clauses that answer to the event of a case, and whether they depend on some terms.

    The end of a vote has its outcome with it; and a roll what a clause does after it, if that depends on these terms.
    """
    events, state = [event], outcome.occasion.state
    if event in VOTE_OUTCOMES:
        with suppress(Undecided):
            passes = event == "adopted" or is_adopted(law, state, [*state.proposals.values()][-1])
            result = "adopted" if passes and event != "defeated" else "defeated"
            events = ["vote_ending", "vote_closed", result]

    def depends(clause: Clause) -> bool:
        return not terms.isdisjoint(law.dependence.keys_of_expression(*clause.expressions))

    for name in events:
        yield from ((source, depends(source.clause)) for source in law.triggers.get(name, ()))
    for source in chain.from_iterable(law.triggers.values()) if event == "thrown" else ():
        clause = cast(TriggerClause, source.clause)
        for at, effect in enumerate(clause.effects):
            rest = replace(clause, condition=None, effects=clause.effects[at + 1 :])
            if effect.form.name == "roll" and depends(rest):
                yield SourceClause(source.rule, rest), True


def _gains_besides(other: SourceClause, outcome: Outcome, depends: bool) -> Iterator[str]:
    """Yield the amounts that another clause pays, in the same case, to players whom this clause pays.

    If the other one depends on this rule (`depends`), yield everything it pays.
    """
    for held, amount in play_clause(other, outcome.occasion).paid.items():
        if not amount or not (depends or held in outcome.paid):
            continue
        size, (name, counter), gains = max(amount, -amount), held, amount > 0
        much, rule = f"{number_text(size)} {counter_named(counter, size)}", f"rule {other.rule.number}"
        if held in outcome.paid:
            yield f"{rule} {'adds' if gains else 'takes'} {much}"
        else:
            yield f"{rule} gives {name} {much}" if gains else f"{rule} takes {much} from {name}"


def _held_values(after: State, clauses: Iterable[Clause], by: str) -> Iterator[str]:
    """Yield sentences on what becomes of gains and losses, where a new clause sets `counter.value`."""
    for _, player, counter, was, amount, now in counter_trials(after, clauses, by):
        if now is not None and now != was + amount:
            verb = f"gets {number_text(amount)}" if amount > 0 else f"loses {number_text(-amount)}"
            named = counter_named(counter, was)
            yield f"If {player} has {number_text(was)} {named} and {verb}, {player} has {number_text(now)}."


def _wins(state: State, clauses: Iterable[Clause], by: str) -> Iterator[str]:
    """Yield sentences on who wins with which points, where a new clause puts something in the place of that."""
    goal = state.find("win.points").value
    new = [clause for clause in clauses if isinstance(clause, InsteadClause) and clause.event == "won"]
    if not new or not isinstance(goal, int) or "points" not in state.tables:
        return
    others = [name for name in state.person_names if name != by]
    for most, second in ((goal, 0), (goal, goal - 1), (goal + GOOD_SCORE, goal)):
        given = {by: most, **dict.fromkeys(others, 0), **dict.fromkeys(others[:1], second)}
        then = with_scores(state, "points", [given[name] for name in state.person_names])
        winners, replaced = then.find("win.winners").value, False
        with suppress(Undecided):
            instead = state.law.replacing_clauses("won", then, {"winners": winners}) if winners else ()
            replaced = any(source.clause in new for source in instead)
        if replaced or winners == (ThingRef("player", by),):
            have = join_words([f"{name} has {many} points" for name, many in [*given.items()][:MOST_NAMED]])
            yield f"If {have}, {'nobody' if replaced else by} wins."


def counter_trials(
    state: State, clauses: Iterable[Clause], by: str
) -> Iterator[tuple[Clause, str, str, Number, Number, Number | None]]:
    """Yield for each clause on `counter.value` cases: clause, player, counter, value, amount, and the new value.

    The new value is None where the law gives none.
    """
    tables = [name for name, shape in state.law.tables.items() if shape.keys == ("player",) and shape.holds_numbers]
    for clause in clauses:
        if not isinstance(clause, SetClause) or clause.key != "counter.value":
            continue
        named = [table for table in tables if table in {*clause.constants()}] or tables[:1]
        cases: list[tuple[str, Number, Number]] = [
            (counter, was, amount) for counter in named for was, amount in ((20, 5), (20, -5), (3, -5), (0, 5))
        ]
        for counter in named:
            least = min((counter_of_player(state, counter, name) or 0 for name in state.person_names), default=0)
            cases += [(counter, least, -5)] if least < 0 else []
        for counter, was, amount in cases:
            then = with_scores(state, counter, (was,))
            case: dict[str, Value] = {
                "player": ThingRef("player", by),
                "counter": counter,
                "was": was,
                "amount": amount,
            }
            finding = then.find("counter.value", **case)
            if any(source.clause is clause for source in finding.sources):
                known = finding.answered and type(finding.value) is not bool
                yield clause, by, counter, was, amount, cast(Number, finding.value) if known else None


def with_scores(state: State, counter: str, values: Iterable[Number]) -> State:
    """Return the state in which players have these values of a counter, in their order; the last one for the rest."""
    table, given = state.tables[counter], [*values]
    for at, name in enumerate(dict.fromkeys((*state.person_names, *state.players))):
        table = table.with_entry((ThingRef("player", name),), given[min(at, len(given) - 1)])
    return state.replace(tables={**state.tables, counter: table})


def _events_by_clause(events: Iterable[Event]) -> dict[tuple[int, str], list[Event]]:
    """Return events grouped by the rule and the clause that cause them."""
    return group_pairs(((event.cause.id, event.cause.words), event) for event in events if event.cause is not None)


def _events_in_words(events: Iterable[Event], awaited: Iterable[str] = ()) -> str:
    """Return what happens and what is awaited then as half a sentence; numbers from what they were to what they are."""
    events = tuple(events)
    later = next((at for at, event in enumerate(events) if event.kind == "scheduled"), len(events))
    if any(event.kind != "scheduled" for event in events[later:]):
        first, then = _events_in_words(events[:later]), _events_in_words(events[later + 1 :], awaited)
        return ", and ".join(filter(None, [first, then and f"{_delay_in_words(events[later])} {then}"]))
    changed: dict[tuple[str, str], list[Number]] = {}
    answers: list[tuple[str, str]] = []
    told: list[str] = []
    rolled: list[str] = []
    roller = ""
    answered = any(event.kind == "chosen" for event in events)
    for event in events:
        data, name = event.data, event.actor or "the game"
        if event.kind == "counted" and "amount" in data and not data.get("hidden"):
            now, amount = number_from_json(data["now"]), number_from_json(data["amount"])
            numbers = changed.setdefault((event.actor or "", str(data["counter"])), [now - amount, now])
            numbers[1] = now
        elif event.kind == "chosen":
            answers.append((sentence(event).removeprefix(f"{name} chooses "), name))
        elif event.kind == "thrown":
            rolled.append(f"{'' if name == roller else f'{name} '}{'' if rolled else 'rolls '}{data['face']}")
            roller = name
        elif event.kind == "announced":
            told.append(f"the game announces “{str(data['text']).removesuffix('.')}”")
        elif event.kind not in _UNTOLD and not (event.kind == "poll_opened" and (len(data["who"]) == 1 or answered)):
            told.append(sentence(event))
    grouped = group_pairs(((counter, was, now), name) for (name, counter), (was, now) in changed.items() if was != now)
    moved = group_pairs(
        (tuple(names) if names[0] else (f"the {counter_named(counter, 1)}",),
         f"from {number_text(was)} to {number_text(now)}{f' {counter_named(counter, now)}' if names[0] else ''}")
        for (counter, was, now), names in grouped.items()
    )  # fmt: skip
    scores = [f"{verb_phrase(names, 'goes', 'go')} {join_words(some)}" for names, some in moved.items()]
    chosen = [f"{verb_phrase(names, 'chooses', 'choose')} {what}" for what, names in group_pairs(answers).items()]
    parts = [
        *chosen[:MOST_NAMED], *([join_words(rolled)] if rolled else []), *scores[:MOST_NAMED], *told[:2], *awaited
    ]  # fmt: skip
    return join_words(parts).removesuffix(".") if parts else ""


def _delay_in_words(event: Event) -> str:
    """Return for how long an event puts something off: “after 2 rounds”."""
    unit = str(event.data["unit"])[:-1].replace("circuit", "round")
    return f"after {count_phrase(event.data['count'], unit)}"
