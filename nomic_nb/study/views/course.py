"""The course of play as plain data: what wins, who has how much, whose turn it is, what happened, who is awaited.

All of it is text and numbers, so that pages can compare, sort and show them as they like.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice
from operator import attrgetter
from typing import Any, NamedTuple

from nomic_nb.chess.multiverse.pieces import BoardMove
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.engine.law.clauses import SetClause
from nomic_nb.engine.law.expressions import compile_with_memo
from nomic_nb.engine.law.nodes import Node, Run, Undecided, View
from nomic_nb.engine.law.rules import Number, SourceClause
from nomic_nb.engine.law.values import Number as Amount
from nomic_nb.engine.law.values import ThingRef, Value
from nomic_nb.engine.play import values as play
from nomic_nb.engine.play.calendar import format_minute, weekday
from nomic_nb.engine.play.declarations import EVENT_KINDS
from nomic_nb.engine.play.events import Event, number_from_json, value_from_data
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.turn_order import TurnOrder, next_turn_holder, read_turn_order
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.record.event_sentences import sentence
from nomic_nb.engine.record.seals import Seals
from nomic_nb.engine.words import count_phrase, full_sentence, join_words, rule_citation, upper_first
from nomic_nb.study.frames import visible_data
from nomic_nb.study.views.enforcement import hidden_tables_behind
from nomic_nb.study.views.pending import describe_turn, part_of_turn
from nomic_nb.study.views.proposals import make_tally
from nomic_nb.study.views.tables import visible_scores

#: Plain data.
Json = dict[str, Any]
#: The term that says who wins.
WINNING = "win.winners"
#: Players that are told to come next.
MOST_NEXT = 8
#: The terms that say who has turns, and in which order.
TURN_KEYS = ("turn.sequence", "turn.next", "turn.start")
#: Names in a sentence on what is waited for, and groups of those who are to do the same.
MOST_NAMES, MOST_GROUPS = 3, 2
#: Actions whose prompts may be questions; in other prompts, only a title has a question mark.
QUESTION_ACTIONS = ("choose", "agree", "overrule")
#: What is good news, and what is not, by the kind of event.
TONES = {
    **dict.fromkeys(("adopted", "enacted", "amended", "repealed", "transmuted", "won"), "yes"),
    **dict.fromkeys(("defeated", "lapsed", "without_effect", "prevented", "failed", "forfeited", "eliminated"), "no"),
}
#: The same by the field of the event that says which it is, and what that holds.
TONE_FIELDS = {"balloted": "ballot", "agreed": "answer", "vote_closed": "adopted"}
ANSWER_TONES = {"for": "yes", "against": "no", "yes": "yes", "no": "no", True: "yes", False: "no"}


# ------------------------------------------------------------------------------------------ what wins, and who has it


def goal_data(state: State) -> Json | None:
    """Return the counter whose number wins, that number and the rule that says so, as JSON data.

    None if the game is over, or if no number that everybody may see is enough to win, whoever reaches it.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> goal_data(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).state)
    {'counter': 'points', 'target': '100', 'rule': 208}
    """
    finding = state.find(WINNING)
    if state.over or not finding.answered or hidden_tables_behind(state.law, WINNING):
        return None
    goals = (
        _WinningClause(state, source).find_goal(source.clause.value.node)
        for source in finding.sources
        if isinstance(source.clause, SetClause)
    )
    goal = next(filter(None, goals), None)
    return None if goal is None else {**goal._asdict(), "target": str(goal.target)}


class _Goal(NamedTuple):
    """A counter of players, the least number of it that wins, and the rule that says so."""

    counter: str
    target: int | Fraction
    rule: Number | None


class _WinningClause:
    """A clause that says who wins.

    Parameters
    ----------
    state : State
        The state of the game.
    source : SourceClause
        The clause and its rule.
    """

    def __init__(self, state: State, source: SourceClause) -> None:
        self.state, self.rule = state, source.rule

    def find_goal(self, winners: Node) -> _Goal | None:
        """Return the number by which each player who plays can be among these winners; None without such a number."""
        if winners.parts_of_choice:
            chosen, condition, other = winners.parts_of_choice
            holds = self._value_of(condition)
            return self.find_goal(chosen if holds else other) if isinstance(holds, bool) else None
        if winners.loop != "list" or winners.parts[0].name != winners.text:
            return None
        among = self._value_of(winners.parts[1])
        if not isinstance(among, tuple) or not set(among).issuperset(self._everyone):
            return None
        return self._find_least_number(winners.parts[2], winners.text)

    @property
    def _everyone(self) -> list[ThingRef]:
        """The players who can win."""
        return [ThingRef("player", name) for name in self.state.person_names]

    def _find_least_number(self, condition: Node, item: str) -> _Goal | None:
        """Return the least number by which a player, called `item`, fulfils a condition; None if none is enough.

        Of alternatives, the first counter counts, and its least number. Of conditions that are joined by ``and``, the
        others must be fulfilled by everybody now, or ask for a number of the same counter; then the greatest counts.
        """
        if condition.connective == "or":
            either = [goal for part in condition.parts if (goal := self._find_least_number(part, item)) is not None]
            same = [goal for goal in either if goal.counter == either[0].counter]
            return min(same, key=attrgetter("target"), default=None)
        if condition.connective != "and":
            return self._read_comparison(condition, item)
        goals = []
        for part in condition.conjuncts:
            goal = self._find_least_number(part, item)
            if goal is not None:
                goals.append(goal)
            elif not all(self._value_of(part, **{item: player}) is True for player in self._everyone):
                return None
        return max(goals, key=attrgetter("target")) if len({goal.counter for goal in goals}) == 1 else None

    def _read_comparison(self, condition: Node, item: str) -> _Goal | None:
        """Return the least number that a comparison asks of a counter of the player `item`; None if it does not.

        Counters can hold fractions, so there is no least number that is greater than another.
        """
        for (counted, target), least in zip(condition.pairs_of_sides, (">=", "<="), strict=False):
            shape = self.state.law.tables.get(counted.table)
            if condition.comparison != least or shape is None or shape.keys != ("player",) or not shape.holds_numbers:
                continue
            if [part.name for part in counted.parts] != [item] or any(node.name == item for node in target.walk()):
                continue
            told = self.state.find(target.key) if target.key else None
            value, rule = (self._value_of(target), self.rule.number) if told is None else (told.value, told.rule)
            if isinstance(value, int | Fraction) and not isinstance(value, bool):
                return _Goal(counted.table, value, rule)
        return None

    def _value_of(self, node: Node, **bound: Value) -> Value:
        """Return the value of a part of the clause, with these names bound in it; None if it has none."""
        law = self.state.law
        compiled, run = _COMPILED.get(id(node), (None, None))
        if compiled is not node or run is None:
            if len(_COMPILED) >= MOST_COMPILED:
                _COMPILED.clear()
            _, run = _COMPILED[id(node)] = node, compile_with_memo(node, law.vocabulary)
        try:
            return run(View(self.state, {"this": self.rule.ref, **bound}, law))
        except Undecided:
            return None


#: Parts of winning conditions, compiled; by their Python ids, since to tell whether two are alike takes as long.
_COMPILED: dict[int, tuple[Node, Run]] = {}
MOST_COMPILED = 200


def scores_data(state: State) -> Json:
    """Return what everybody may see of the players' counters, as text by player and counter."""
    counters = visible_scores(state, numbers=True).items()
    return {
        name: {counter: str(held[name]) for counter, held in counters if not isinstance(held.get(name, ""), str)}
        for name in state.players
    }


# ------------------------------------------------------------------------------------------------ whose turn it is


def basis_of_turn(state: State) -> tuple[object, ...]:
    """Return the objects on which `turn_data` depends: while they are the same, it is."""
    findings = map(state.find, TURN_KEYS)
    clauses = state.law.clauses_and_rulings_about("may.begin_turn")
    plain = all(expression.node.is_constant for source in clauses for expression in source.expressions)
    barring = None if plain else state  # it may depend on anything
    order = (state.sequence, state.sequence_of, state.place, state.position)
    return (*findings, barring, *order, state.players, state.turns, state.law, state.over)


def result_sentence(timeline: Timeline) -> str:
    """Return a sentence that says how a game ended; an empty text while it continues."""
    if not timeline.state.over:
        return ""
    last = next(event for event, _ in reversed(timeline.moments) if event.kind in ("won", "abandoned"))
    rule = last.rule if last.kind == "won" else None
    return f"{upper_first(sentence(last))}{rule_citation(rule)}."


def recorded_time_text(state: State) -> str:
    """Return a dash with the recorded weekday and time, to end a heading; empty if none is recorded."""
    return f" – {weekday(state.clock.now)}, {format_minute(state.clock.now)}" if state.clock is not None else ""


def turn_heading(state: State) -> str:
    """Return the heading that says whose turn it is, or that the game is paused."""
    if state.paused:
        return "The game is paused"
    if len(state.turns) == 1:
        turn = state.turns[0]
        return f"{turn.player}’s turn{part_of_turn(turn)}"
    if not state.turns:
        return "No turn is in progress"
    return (
        f"{len(state.turns)} turns are in progress"
        if len(state.turns) > 3
        else "; ".join(f"{turn.player}, {describe_turn(turn)}" for turn in state.turns)
    )


def turn_data(state: State) -> Json:
    """Return the player whose turn it is, the part of the turn, and the next player, as JSON data.

    It is nobody's turn if no turn or several have begun; nobody is next if the rules in force leave that open, or if
    it depends on a hidden table.
    """
    turn = state.turns[0] if len(state.turns) == 1 and not state.over else None
    return {
        "player": turn.player if turn is not None else None,
        "part": turn.part or "" if turn is not None else "",
        "next": [] if state.over else list(islice(_next_players(state), MOST_NEXT)),
    }


def _next_players(state: State) -> Iterator[str]:
    """Yield the players in the order in which their turns come, for one round; none if not everybody may know it."""
    if hidden_tables_behind(state.law, *TURN_KEYS, "may.begin_turn"):
        return
    order_found, extra_found = state.find("turn.sequence"), state.find("turn.next")
    if not (state.find("turn.start").says("automatic") and order_found.answered and extra_found.answered):
        return
    try:
        order, extra = read_turn_order(order_found.value), read_turn_order(extra_found.value)
        yield from islice((name for name in _holders(state, extra, extra.names) if name in state.person_names), 1)
        _, first = next_turn_holder(state, order)
        if first < 0:
            return
        places = [*order.names[first:], *order.names[:first]]
        if order.names == state.sequence and _is_turn_in_order(state):  # all but the current turn
            del places[(state.place - first) % len(places)]
        for name in _holders(state, order, places):
            barred = state.law.value_or_default(state.find("may.begin_turn", player=name), True) is not True
            if name in state.person_names and not barred:
                yield name
    except Undecided:  # an army in the order is gone
        return


def _is_turn_in_order(state: State) -> bool:
    """Tell whether the current turn came in the order of turns, and is not an extra turn of somebody else."""
    names = [turn.army or turn.player for turn in state.turns]
    return bool(names) and state.place >= 0 and names[-1] == state.sequence[state.place]


def _holders(state: State, order: TurnOrder, names: Iterable[str]) -> Iterator[str]:
    """Yield who has the turn when each of some names in an order of turns comes up."""
    return (order.holder(state, name) for name in names)


# ------------------------------------------------------------------------------------------------- how votes stand


def vote_data(proposal: play.Proposal, timeline: Timeline, state: State) -> Json | None:
    """Return the state of a vote as JSON data, without ballots still sealed; None if no vote is open."""
    tally = make_tally(proposal, timeline, state)
    if tally is None or proposal.vote is None:
        return None
    weights, quota = proposal.vote.weights, tally.quota
    cast: Amount = sum((weights[name] for name in tally.ballots), start=0)
    return {
        "for": None if tally.votes_for is None else str(tally.votes_for),
        "against": None if tally.votes_against is None else str(tally.votes_against),
        "cast": str(cast), "of": str(tally.eligible), "quota": None if quota is None else str(quota),
        "rule": tally.quota_rule, "sealed": proposal.vote.sealed, "choices": list(tally.choices),
        "own_turn": proposal.is_open and proposal.vote.own_turn,
        "verdict": tally.verdict, "ballots": dict(tally.ballots), "through": dict(tally.through),
        "voters": {name: str(weights[name]) for name in (*tally.ballots, *tally.not_voted)},
        "missing": [name for name in state.players if name in tally.not_voted],
        "unanimous": not tally.late and quota is not None and 0 < quota == tally.eligible,
    }  # fmt: skip


# ------------------------------------------------------------------------------------------- what the game waits for


def waiting_sentence(open_decisions: Iterable[Decision]) -> str:
    """Return a sentence on whom the game waits for to do what; empty if it waits for nobody.

    Each player is named once, with what they have to do first. Anything private to a player is left out.

    Examples
    --------
    >>> names = ["Ann", "Ben", "Cleo", "Dee", "Eve"]
    >>> waiting_sentence(Decision(name, "vote", "vote on proposal 301: repeal rule 201") for name in names)
    'Waiting for Ann, Ben and 3 others to vote on proposal 301.'
    >>> waiting_sentence([Decision("Ann", "choose", "Which of them do you want?")])
    'Waiting for Ann to answer.'
    """
    seen: set[str | None] = set()
    names_by_task: dict[tuple[str, str], list[str]] = {}
    for decision in open_decisions:
        if decision.must and decision.player not in seen and not decision.unseen:
            seen.add(decision.player)
            names_by_task.setdefault((decision.action, decision.prompt), []).append(decision.player or "anyone")
    groups: dict[str, list[str]] = {}
    for (action, prompt), names in names_by_task.items():
        groups.setdefault(_act_in_words(action, prompt), []).extend(names)
    if not groups:
        return ""
    told = [f"{_names_in_words(names)} to {act}" for act, names in islice(groups.items(), MOST_GROUPS)]
    left = sum(map(len, islice(groups.values(), MOST_GROUPS, None)))
    told += [count_phrase(left, "more player")] if left else []
    return f"Waiting for {', and for '.join(told)}."


def _act_in_words(action: str, prompt: str) -> str:
    """Return what a decision, with its action and prompt, asks a player to do, after “to”."""
    if action == "propose":
        return "propose"
    if action == "roll":
        return "roll the die"
    if prompt[:1].isupper() or (action in QUESTION_ACTIONS and "?" in prompt):
        return "answer"
    for end in (": ", " ("):
        prompt = prompt.partition(end)[0]
    if action == "choose" and prompt.startswith("choose "):  # and the name that a rule gives to what is chosen
        prompt = f"choose the {prompt.removeprefix('choose ').replace('_', ' ')}"
    if prompt.endswith(" instead"):
        prompt = prompt.removesuffix(" instead").replace(", or ", " or ")
    return prompt.rstrip(".")


def _names_in_words(names: list[str]) -> str:
    """Return up to three names, or the first two and how many others there are."""
    if len(names) <= MOST_NAMES:
        return join_words(names)
    shown = names[: MOST_NAMES - 1]
    return join_words([*shown, f"{len(names) - len(shown)} others"])


# --------------------------------------------------------------------------------------------------- what happened


def event_news(event: Event, state: State, seals: Seals) -> Json:
    """Return an event as JSON data: kind, sentence, who, rule, squares, and whether it is good or bad news.

    Parameters
    ----------
    event : Event
        The event; nobody has to keep it secret altogether.
    state : State
        The state after it.
    seals : Seals
        Everything that nobody may see yet.
    """
    data = {**visible_data(event, seals)}
    source = target = None
    if event.kind in ("moved", "dropped"):
        move, name = value_from_data(event.data, BoardMove), multiverse_of(state).name
        source, target = None if move.dropped else name(*move.origin), name(*move.target)
    elif event.kind == "counted" and "amount" in data and (amount := number_from_json(data["amount"])):
        data["answer"] = "yes" if amount > 0 else "no"
    rule = event.rule
    if "rule" in EVENT_KINDS[event.kind].binds:
        rule = next((data[name] for name in ("new", "old", "number") if data.get(name) is not None), rule)
    answer = data.get(TONE_FIELDS.get(event.kind, "answer"))
    return {
        "kind": event.kind, "text": full_sentence(sentence(event, seals)), "who": event.actor, "rule": rule,
        **({"from": source, "to": target} if target else {}),
        "tone": TONES.get(event.kind) or (ANSWER_TONES.get(answer) if isinstance(answer, str | bool) else None),
    }  # fmt: skip
