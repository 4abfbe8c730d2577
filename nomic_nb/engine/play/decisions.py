"""Decisions: the one way in which the game asks.

Votes, throws, choices, questions, what is owed in a part of a turn: all are decisions. Panels draw
them, and whoever plays picks from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.law.nodes import Undecided, leave_out_costly
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.values import CaseNames
from nomic_nb.engine.play.adoptability import find_ban
from nomic_nb.engine.play.agenda_items import GIVE_UP_OPTION, AwaitedAct, WishQuestion
from nomic_nb.engine.play.judgment_steps import judgment_awaiting_consent
from nomic_nb.engine.play.offers import is_veiled, offer_words, open_offers
from nomic_nb.engine.play.permissions import is_permitted
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.turn_order import players_in_order
from nomic_nb.engine.play.turns import are_parts_over
from nomic_nb.engine.play.values import Decision, Duty, Judgment, Proposal, Turn, Vote, answer_as_read_out, player_names
from nomic_nb.engine.play.waiting import blocking_of_proposal, open_waits


@leave_out_costly
def decisions(state: State) -> tuple[Decision, ...]:
    """Return the open decisions, in the order in which they should be looked at."""
    return tuple(sorted(_open_decisions(state), key=lambda one: not one.must))  # what play waits for comes first


@leave_out_costly
def is_waited_for(state: State) -> bool:
    """Tell whether there is an open decision that somebody must make; the others are not looked for."""
    calm = not (state.over or state.paused or state.questions) and state.awaited_judgment is None
    owed = calm and any(any(_open_owed_acts(state, go, duty)) for go, duty in _owed_decisions(state))
    return owed or any(one.must for one in _open_decisions(state))


def _open_decisions(state: State) -> Iterator[Decision]:
    found = _question_decisions(state) if state.questions else _undisturbed_decisions(state)
    if not state.over and not state.paused:
        yield from _standstill_decisions(state, tuple(found)) if state.standstill and not state.questions else found


def _undisturbed_decisions(state: State) -> Iterator[Decision]:
    """Yield what is open where no question is."""
    yield from _judgment_decisions(state)
    if state.awaited_judgment is not None:
        yield from (one for one in open_waits(state) if one.action == "choose")
        return
    for some in (open_waits, _proposal_decisions, _duty_decisions, _turn_decisions, _offer_decisions):
        yield from some(state)


#: What lets play go on, where nobody has to decide anything.
PROGRESS_ACTS: Mapping[str, str] = {
    "say": "say what play waits for", "act": "do what play waits for", "report": "report a deed that play waits for",
    "give": "give what play waits for", "apply": "apply the rule that play waits for",
    "time": "record what time it is, once it is so late",
    "present": "be recorded as back at the table", "overdue": "be recorded as not giving what is owed",
}  # fmt: skip


def _standstill_decisions(state: State, found: tuple[Decision, ...]) -> Iterator[Decision]:
    """Yield the decisions, those that play waits for marked as that, and the acts that are none of them."""
    acts: dict[tuple[str | None, str], list[AwaitedAct]] = {}
    for act in state.standstill:
        acts.setdefault((act.player, act.action), []).append(act)
    listed: set[tuple[str | None, str]] = set()
    for one in found:
        known = [
            name
            for name in (one.player, *state.person_names)
            if any(_does_answer(one, act, name) for act in state.standstill)
        ]
        yield replace(one, must=True) if known and (one.player is None or one.player in known) else one
        listed |= {(name, one.action) for name in known}
    for (player, action), some in acts.items():
        if (player, action) in listed:
            continue
        prompt = PROGRESS_ACTS.get(action) or state.law.vocabulary.actions[action].meaning
        options = tuple(one.option for one in some if one.option)
        yield Decision(player or None, action, prompt, options, some[0].rule, some[0].proposal)


def _does_answer(one: Decision, act: AwaitedAct, name: str | None) -> bool:
    """Tell whether an act of somebody answers a decision."""
    same = (act.player, act.action, act.proposal) == (name, one.action, one.proposal)
    return same and (one.action != "take" or (act.rule == one.rule and act.option in one.options))


def numbers_are_assigned(state: State) -> bool:
    """Tell whether others number proposals, so that whoever makes one says its number (-209)."""
    return state.find("proposal.numbering").says("assigned")


def _question_decisions(state: State) -> Iterator[Decision]:
    question = state.questions[0]
    asked = state.asked(question)
    silent = [name for name in asked if name not in question.answers]
    text = question.text
    if question.answers:
        said = "; ".join(
            f"{name} says {answer_as_read_out(question.told(answer))}" for name, answer in question.answers.items()
        )
        text += f" So far: {said}."
    if not silent:
        judged = state.find("judge.candidates").outcome != "silent" and not question.consent
        otherwise = ", or when somebody invokes Judgment and the Judge decides" if judged else ""
        otherwise += f", or when {question.by} gives it up" if isinstance(question, WishQuestion) else ""
        text += f" The answers differ, and each can be changed; play goes on when they come to the same{otherwise}."
    for name in silent or asked:
        options = tuple(one for one in question.choices if question.answers.get(name) != one)
        yield Decision(name, "choose", text, options, question.rule, id=question.id)
    if isinstance(question, WishQuestion):
        told = f"{text} Others answer this; it can be given up, and something else be done."
        yield Decision(question.by, "choose", told, (GIVE_UP_OPTION,), question.rule, id=question.id, must=False)


def _proposal_decisions(state: State) -> Iterator[Decision]:
    for proposal in state.open_proposals:
        if proposal.status == "debate":
            yield from _debate_decisions(state, proposal)
        elif proposal.status == "open":
            yield from _vote_decisions(state, proposal)


def _players_from_law(state: State, key: str, case: CaseNames) -> tuple[tuple[str, ...], Number | None]:
    finding = state.find(key, **case)
    return player_names(finding.value) if finding.answered else (), finding.rule


def _players_allowed(state: State, action: str, names: Iterable[str], case: CaseNames) -> Iterator[str]:
    """Yield those who are in the game and to whom no rule forbids an action."""
    return (name for name in names if name in state.person_names and is_permitted(state, action, name, **case))


def _debate_decisions(state: State, proposal: Proposal) -> Iterator[Decision]:
    number, case = proposal.number, proposal.case
    names, rule = _players_from_law(state, "debate.ended_by", case)
    for name in (
        _players_allowed(state, "call_vote", names, case) if blocking_of_proposal(state, number) is None else ()
    ):
        yield Decision(name, "call_vote", f"end the debate on {number} and vote", (), rule, number)
    names, rule = _players_from_law(state, "debate.final_form_by", case)
    for name in _players_allowed(state, "revise", names, case):
        yield Decision(name, "revise", f"give proposal {number} another form", (), rule, number, must=False)


def _vote_decisions(state: State, proposal: Proposal) -> Iterator[Decision]:
    vote, number = proposal.vote, proposal.number
    if vote is None:
        return
    case = proposal.case
    prompt = f"vote on {number}: {proposal.change.headline}"
    names, rule = _players_from_law(state, "vote.ended_by", case) if not vote.duty else ((), None)
    closers = list(_players_allowed(state, "close_vote", names, case))
    for name in _players_allowed(state, "vote", _voters_in_turn(state, vote, vote.waiting), case):
        yield Decision(name, "vote", prompt, vote.choices, vote.electorate_rule, number, must=not closers)
    yield from _closing_questions(state, proposal, vote, waited_for=not closers)
    again = state.find("vote.changeable", **case)
    for name in (
        _players_allowed(state, "vote", _voters_in_turn(state, vote, vote.ballots), case) if again.says(True) else ()
    ):
        others = tuple(one for one in vote.choices if vote.sealed or one != vote.ballots[name])  # or all could tell it
        yield Decision(name, "vote", f"{prompt}, once more", others, again.rule, number, must=False)
    for name in closers:
        yield Decision(name, "close_vote", f"close the vote on {number}", (), rule, number)


def _voters_in_turn(state: State, vote: Vote, names: Iterable[str]) -> tuple[str, ...]:
    """Return those who can cast a ballot now: where each votes in their own turn, those whose turn it is."""
    return tuple(name for name in names if not vote.own_turn or state.turn_of(name) is not None)


def owes_a_ballot(state: State, player: str) -> bool:
    """Tell whether a player's turn does not end before they have voted on something."""
    return any(
        one.status == "open" and one.vote is not None and one.vote.own_turn and player in one.vote.waiting
        and player in state.person_names and is_permitted(state, "vote", player, **one.case)
        for one in state.open_proposals
    )  # fmt: skip


def _closing_questions(state: State, proposal: Proposal, vote: Vote, *, waited_for: bool) -> Iterator[Decision]:
    """Yield the question to silent voters whether a vote may be closed without them, where a rule has them asked."""
    number, case = proposal.number, proposal.case
    for name in vote.waiting if not vote.duty else ():
        finding = state.find("may.agree", player=name, **case)
        if name in state.person_names and vote.agreed.get(name) != "yes" and finding.says(True):
            prompt = f"was there enough time? May the vote on {number} be closed without your ballot?"
            options = ("yes",) if name in vote.agreed else ("yes", "no")
            must = waited_for and not is_permitted(state, "vote", name, **case)
            yield Decision(name, "agree", prompt, options, finding.rule, number, must=must)


def _owed_decisions(state: State) -> Iterator[tuple[Turn, Duty]]:
    """Yield what is owed in turns in which nothing else is waited for."""
    for go in state.turns:
        if not any(one.turn == go.number for one in state.blocking_waits):
            yield from ((go, duty) for duty in go.duties)


def _open_owed_acts(state: State, go: Turn, duty: Duty) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the acts that do for what is owed, and are open; each with the moves that there are."""
    for action in duty.actions:
        if find_ban(state, duty.player, action) is None:
            moves = _moves_owed(state, go, action)
            if action != "move" or moves:
                yield action, moves


def _duty_decisions(state: State) -> Iterator[Decision]:
    owing = list(_owed_decisions(state))
    for go in state.turns:
        for duty in (duty for turn, duty in owing if turn is go):
            open = dict(_open_owed_acts(state, go, duty))
            for action, moves in open.items():
                yield Decision(duty.player, action, _duty_decision(state, list(open), action), moves, duty.rule)
        begun = any(one.holds_up(go.number) for one in state.open_proposals)  # and to be finished first
        owed = not begun and (bool(go.duties) or any(one.player == go.player for one in state.blocking_waits))
        if not go.over and owed and state.find("may.skip", player=go.player).says(True):  # silence is no leave
            yield Decision(go.player, "skip", "pass over the rest of this turn", must=False)


def _duty_decision(state: State, open: Sequence[str], action: str) -> str:
    """Say what is owed, and what of it that is open can be done in its place."""
    meanings = state.law.vocabulary.actions
    others = (meanings[name].meaning for name in open if name != action)
    return meanings[action].meaning + "".join(f", or {one} instead" for one in others)


def _turn_decisions(state: State) -> Iterator[Decision]:
    """Yield the turns that players end themselves, and those that they can begin at will."""
    ended = state.find("turn.ended_by")
    for go in state.turns if ended.says("player") else ():
        if _has_only_turn_end_left(state, go):
            yield Decision(go.player, "end_turn", "end the turn", (), ended.rule)
    start = state.find("turn.start")
    if not start.says("at will") or (state.turns and not state.find("turn.overlap").says(True)):
        return
    order = state.find("turn.sequence")
    players = dict.fromkeys(players_in_order(state, order.value) if order.answered else ())
    for name in _players_allowed(state, "begin_turn", players, {}):
        if _has_consented(state, name):
            yield Decision(name, "begin_turn", "begin a turn", (), start.rule, must=not state.turns)


def _offer_decisions(state: State) -> Iterator[Decision]:
    """Yield what rules offer: a decision for each to whom it is open, and none that play waits for."""
    for name, source in open_offers(state):
        title = source.rule.title
        what = f"{offer_words(source)}, as “{title}” offers" if title else offer_words(source)
        unseen = is_veiled(state, source)
        yield Decision(name, "take", what, (offer_words(source),), source.rule.number, must=False, unseen=unseen)


def _has_only_turn_end_left(state: State, go: Turn) -> bool:
    """Tell whether nothing is left of a turn but that its player ends it."""
    waits = go.over or not are_parts_over(state, go) or go.number in state.busy
    return not waits and is_permitted(state, "end_turn", go.player)


def _has_consented(state: State, name: str) -> bool:
    try:
        return judgment_awaiting_consent(state.law, state, name) is None
    except Undecided:
        return True  # whoever begins will see the table asked


def _judgment_decisions(state: State) -> Iterator[Decision]:
    waits = state.awaited_judgment is not None
    for judgment in state.live_judgments:
        if judgment.status == "asked" and judgment.judge is not None:
            if is_permitted(state, "rule_on", judgment.judge, **judgment.case):
                prompt = f"decide as Judge: {judgment.question}"
                options = judgment.held.options if judgment.held is not None else ()
                prompt += f" – {judgment.held.text}" if judgment.held is not None else ""
                if state.find("judge.scope").says("this turn"):
                    prompt += " (as a new Judge, only if players disagree on it and it makes a difference to this turn)"
                yield Decision(judgment.judge, "rule_on", prompt, options, judgment.rule, id=judgment.id)
        elif judgment.status == "ruled":
            yield from _overruling_decisions(state, judgment)
        if not waits:
            yield from _consent_decisions(state, judgment)


def _overruling_decisions(state: State, judgment: Judgment) -> Iterator[Decision]:
    names, rule = _players_from_law(state, "judge.overrule_electorate", judgment.case)
    prompt = f"overrule {judgment.judge} in judgment {judgment.id}?"
    for name in _players_allowed(state, "overrule", names, judgment.case):
        if name not in judgment.ballots:
            yield Decision(name, "overrule", prompt, ("for", "against"), rule, id=judgment.id)


def _consent_decisions(state: State, judgment: Judgment) -> Iterator[Decision]:
    rule = state.find("judge.consent", **judgment.case).rule
    prompt = f"let play go on after judgment {judgment.id}"
    for name in state.person_names:
        if judgment.consents.get(name) != "for" and is_permitted(state, "consent", name, **judgment.case):
            options = ("for",) if name in judgment.consents else ("for", "against")
            yield Decision(name, "consent", prompt, options, rule, id=judgment.id, must=not state.turns)


def _moves_owed(state: State, go: Turn, action: str) -> tuple[str, ...]:
    """Return the moves that can be made in a turn, where a move is owed."""
    if action != "move":
        return ()
    try:
        return installed_extension().moves_open(state if state.go is go else state.replace(hand=go.number))
    except Undecided:  # the table is asked before anyone can move
        return ()
