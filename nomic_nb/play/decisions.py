"""Decisions: the one way in which the game asks.

Votes, throws, choices, questions, what is owed in a part of a turn: all are decisions. Panels draw
them, and whoever plays picks from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nomic_nb.law.resolver import Finding
from nomic_nb.law.rules import Number
from nomic_nb.law.values import Ref, Value
from nomic_nb.law.view import Undecided
from nomic_nb.play.boards.legal import options
from nomic_nb.play.facts import names_of, spoken
from nomic_nb.play.state import Proposal, State
from nomic_nb.shown import Shown


@dataclass(frozen=True)
class Decision(Shown):
    """Something that a player must or may decide.

    Parameters
    ----------
    player : str or None
        Who decides; None for anyone.
    action : str
        What answers it, as `game.do` takes it.
    prompt : str
        What is asked, for people.
    options : tuple of str
        What can be chosen; empty where the answer is free.
    rule : int or str or None
        The rule that asks.
    proposal : int or str or None
        The proposal concerned.
    id : int or None
        Tells questions apart.
    must : bool
        Whether play waits for it.
    """

    player: str | None
    action: str
    prompt: str
    options: tuple[str, ...] = ()
    rule: Number | None = None
    proposal: Number | None = None
    id: int | None = None
    must: bool = True

    def __str__(self) -> str:
        said = f"{self.player or 'anyone'}: {self.action}"
        if self.proposal is not None:
            said += f" on {self.proposal}"
        if self.options:
            said += f" ({', '.join(self.options)})"
        return said


def permission(state: State, action: str, player: str, **case: Value) -> Finding:
    """Return what the law says of an action: its own clauses, or what holds of acts that none speaks of."""
    law = state.law
    finding = law.find(f"may.{action}", state, {"player": Ref("player", player), **case})
    if finding.outcome != "silent":
        return finding
    otherwise = law.vocabulary.actions[action].otherwise
    if not otherwise:  # what rules bring about, they allow
        return Finding(f"may.{action}", True, "decided")
    return law.find(otherwise, state, {})


def forbidden(finding: Finding) -> bool:
    """Tell whether a permission surely says no."""
    return finding.answered and finding.value in (False, "forbidden")


def _open_to(state: State, action: str, player: str, **case: Value) -> bool:
    return not forbidden(permission(state, action, player, **case))


def decisions(state: State) -> tuple[Decision, ...]:
    """Return the open decisions, in the order in which they should be looked at."""
    if state.over or state.paused:
        return ()
    if state.questions:
        return tuple(_questions(state))
    return (*_waiting(state), *_proposals(state), *_duties(state))


def _questions(state: State) -> Iterator[Decision]:
    question = state.questions[0]
    silent = [name for name in question.who if name not in question.answers]
    for name in silent or question.who:
        yield Decision(name, "choose", question.text, question.options, question.rule, id=question.id)


def _waiting(state: State) -> Iterator[Decision]:
    for waiting in state.waiting:
        who = [waiting.player] if waiting.player else list(state.persons)
        if not any(_open_to(state, waiting.action, name) for name in who):
            continue
        if waiting.action == "roll":
            dice = "a die" if waiting.dice == 1 else f"{waiting.dice} dice"
            prompt = f"throw {dice} of {waiting.sides} sides"
            yield Decision(waiting.player, "roll", prompt, (), waiting.rule)
        else:
            options = tuple(spoken(state, option) for option in waiting.options)
            yield Decision(waiting.player, "choose", f"choose {waiting.name}", options, waiting.rule)


def _proposals(state: State) -> Iterator[Decision]:
    for proposal in state.open_proposals:
        if proposal.status == "debate":
            yield from _debate(state, proposal)
        elif proposal.status == "open":
            yield from _vote(state, proposal)


def _players(state: State, key: str, case: dict[str, Value]) -> tuple[tuple[str, ...], Number | None]:
    finding = state.law.find(key, state, case)
    names = names_of(finding.value) if finding.answered else ()
    return tuple(name for name in names if name in state.persons), finding.rule


def _debate(state: State, proposal: Proposal) -> Iterator[Decision]:
    number = proposal.number
    case: dict[str, Value] = {"proposal": Ref("proposal", number)}
    names, rule = _players(state, "debate.ended_by", case)
    for name in names:
        if _open_to(state, "call_vote", name, **case):
            yield Decision(name, "call_vote", f"end the debate on {number} and vote", (), rule, number)
    names, rule = _players(state, "debate.final_form_by", case)
    for name in names:
        if _open_to(state, "revise", name, **case):
            yield Decision(name, "revise", f"give proposal {number} another form", (), rule, number, must=False)


def _vote(state: State, proposal: Proposal) -> Iterator[Decision]:
    vote, number = proposal.vote, proposal.number
    if vote is None:
        return
    case: dict[str, Value] = {"proposal": Ref("proposal", number)}
    prompt = f"vote on {number}: {proposal.change.headline}"
    for name in vote.waiting:
        if name in state.persons and _open_to(state, "vote", name, **case):
            yield Decision(name, "vote", prompt, ("for", "against"), vote.electorate_rule, number)
    again = state.law.find("vote.changeable", state, case)
    for name in vote.ballots if again.answered and again.value is True else ():
        if name in state.persons and _open_to(state, "vote", name, **case):
            yield Decision(name, "vote", f"{prompt}, once more", ("for", "against"), again.rule, number, must=False)
    if vote.duty:
        return
    names, rule = _players(state, "vote.ended_by", case)
    for name in names:
        if _open_to(state, "close_vote", name, **case):
            yield Decision(name, "close_vote", f"close the vote on {number}", (), rule, number)


def _duties(state: State) -> Iterator[Decision]:
    go = state.go
    if go is None:
        return
    for duty in () if state.waiting else go.duties:
        if _open_to(state, duty.action, duty.player):
            prompt = state.law.vocabulary.actions[duty.action].meaning
            yield Decision(duty.player, duty.action, prompt, _moves(state, duty.action), duty.rule)
    owed = bool(go.duties) or any(one.player == go.player for one in state.waiting)
    if not go.over and owed and _may_skip(state, go.player):
        yield Decision(go.player, "skip", "pass over the rest of this turn", must=False)


def _moves(state: State, action: str) -> tuple[str, ...]:
    """Return the moves that can be made, where a move is owed."""
    if action != "move":
        return ()
    try:
        return tuple(str(one) for one in options(state))
    except Undecided:  # the table is asked before anyone can move
        return ()


def _may_skip(state: State, player: str) -> bool:
    """Tell whether a rule allows it: what ends a turn is regulated, and silence is no leave."""
    finding = state.law.find("may.skip", state, {"player": Ref("player", player)})
    return finding.answered and finding.value is True
