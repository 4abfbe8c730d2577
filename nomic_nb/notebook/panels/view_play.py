"""The course of play in the view model: what wins, who has how much, whose turn it is, what happened, who is awaited.

All of it is text and numbers, so that pages can compare, sort and show them as they like.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice
from typing import cast

from nomic_nb.chess.multiverse.pieces import BoardMove
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.engine.law.nodes import Node, Undecided
from nomic_nb.engine.law.values import ThingRef
from nomic_nb.engine.play.declarations import EVENT_KINDS
from nomic_nb.engine.play.events import Event, value_from_data
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.turn_order import TurnOrder, next_turn_holder, read_turn_order
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.record.event_sentences import sentence, visible_data
from nomic_nb.engine.record.seals import Seals
from nomic_nb.engine.words import count_phrase, full_sentence, join_words
from nomic_nb.notebook.panels.forms import Json
from nomic_nb.notebook.show.game import WINNING
from nomic_nb.study.views.tables import visible_table_rows

#: Players that are told to come next.
MOST_NEXT = 8
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

    None if the game is over, or if winning does not depend on a number that everybody may see.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> goal_data(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).state)
    {'counter': 'points', 'target': '100', 'rule': 208}
    """
    finding = state.find(WINNING)
    if state.over or not finding.answered:
        return None
    for source in finding.sources:
        for expression in source.expressions:
            for counter, target in _counter_targets(state, expression.node):
                value, rule = target.value, finding.rule
                if target.key:
                    told = state.find(target.key)
                    value, rule = told.value, told.rule
                if isinstance(value, int | Fraction) and not isinstance(value, bool):
                    return {"counter": counter, "target": str(value), "rule": rule}
    return None


def _counter_targets(state: State, condition: Node) -> Iterator[tuple[str, Node]]:
    """Yield each visible counter of players that a condition compares with a least number, and that number's node."""
    law = state.law
    for node in condition.walk(_nodes_that_let_win):
        for (counted, target), least in zip(node.pairs_of_sides, (">=", "<="), strict=False):
            shape = law.tables.get(counted.table)
            if node.comparison != least or shape is None or shape.keys != ("player",) or not shape.holds_numbers:
                continue
            tables = {counted.table, *(law.dependence.tables_of_keys([target.key]) if target.key else ())}
            if not any(map(law.is_table_hidden, tables)):
                yield counted.table, target


def _nodes_that_let_win(node: Node) -> tuple[Node, ...]:
    """Return the parts of an expression that can make somebody win if they are so."""
    if node.loop:
        return node.parts[2:]
    return node.parts_of_choice[::2] or (node.parts if node.connective in ("and", "or") else ())


def scores_data(state: State) -> Json:
    """Return what everybody may see of the players' counters, as text by player and counter."""
    scores: Json = {name: {} for name in state.players}
    for counter, table in state.tables.items():
        if table.shape.keys == ("player",) and table.shape.holds_numbers:
            for place, value in visible_table_rows(state, table):
                if not table.is_hidden_at(place):
                    scores[str(cast(ThingRef, place[0]).id)][counter] = str(value)
    return scores


# ------------------------------------------------------------------------------------------------ whose turn it is


def basis_of_turn(state: State) -> tuple[object, ...]:
    """Return the objects on which `turn_data` depends: while they are the same, it is."""
    findings = map(state.find, ("turn.sequence", "turn.next", "turn.start"))
    clauses = state.law.clauses_and_rulings_about("may.begin_turn")
    plain = all(expression.node.is_constant for source in clauses for expression in source.expressions)
    barring = None if plain else state  # it may depend on anything
    order = (state.sequence, state.sequence_of, state.place, state.position)
    return (*findings, barring, *order, state.players, state.turns, state.law, state.over)


def turn_data(state: State) -> Json:
    """Return whose turn it is, in which part it is, and who comes next, as JSON data.

    Nobody has the turn if none or several are under way; nobody is next if the rules in force leave that open.
    """
    turn = state.turns[0] if len(state.turns) == 1 and not state.over else None
    return {
        "player": turn.player if turn is not None else None,
        "part": turn.part or "" if turn is not None else "",
        "next": [] if state.over else list(islice(_next_players(state), MOST_NEXT)),
    }


def _next_players(state: State) -> Iterator[str]:
    """Yield the players in the order in which their turns come, for one round; none if that is not known."""
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
        if state.turns and order.names == state.sequence and state.place >= 0:  # all but the turn that is under way
            del places[(state.place - first) % len(places)]
        for name in _holders(state, order, places):
            barred = state.law.value_or_default(state.find("may.begin_turn", player=name), True) is not True
            if name in state.person_names and not barred:
                yield name
    except Undecided:  # an army in the order is gone
        return


def _holders(state: State, order: TurnOrder, names: Iterable[str]) -> Iterator[str]:
    """Yield who has the turn when each of some names in an order of turns comes up."""
    return (order.holder(state, name) for name in names)


# ------------------------------------------------------------------------------------------- what the game waits for


def waiting_sentence(open_decisions: Iterable[Decision]) -> str:
    """Return a sentence on whom the game waits for to do what; empty if it waits for nobody.

    Each player is named once, with what they have to do first. What only its player may learn is left out.

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
    data = visible_data(event, seals)
    source = target = None
    if event.kind in ("moved", "dropped"):
        move, name = value_from_data(event.data, BoardMove), multiverse_of(state).name
        source, target = None if move.dropped else name(*move.origin), name(*move.target)
    elif event.kind == "counted" and isinstance(amount := data.get("amount"), int) and amount:
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
