"""Decisions: the one way in which the game asks.

Votes, rolls, choices, questions, what is owed in a part of a turn: all are decisions. Panels draw
them, and whoever plays picks from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.law.nodes import Undecided, without_costly_clauses
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.values import CaseNames
from nomic_nb.engine.play.adoptability import is_duty_open
from nomic_nb.engine.play.agenda_items import GIVE_UP_OPTION, AwaitedAct, WishQuestion
from nomic_nb.engine.play.offers import depends_on_hidden_entries, offer_words, open_offers
from nomic_nb.engine.play.permissions import is_permitted
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.turn_order import players_in_order
from nomic_nb.engine.play.turns import are_parts_over, judgment_awaiting_consent
from nomic_nb.engine.play.values import Decision, Duty, Judgment, Proposal, Turn, Vote, player_names, readable_answer
from nomic_nb.engine.play.waiting import decisions_awaited, wait_holding_up_proposal
from nomic_nb.engine.play.ways import possible_answers


@without_costly_clauses
def decisions(state: State) -> tuple[Decision, ...]:
    """Return the open decisions of all players, with those that play waits for first."""
    return tuple(sorted(_open_decisions(state), key=lambda decision: not decision.must))


@without_costly_clauses
def first_awaited_decision(state: State) -> Decision | None:
    """Return the first open decision that play waits for; None if there is none."""
    return next((decision for decision in _open_decisions(state) if decision.must), None)


@without_costly_clauses
def must_somebody_decide(state: State) -> bool:
    """Tell whether play cannot go on before somebody decides something."""
    calm = not (state.over or state.paused or state.questions) and state.awaited_judgment is None
    owed = calm and any(any(_open_owed_acts(state, go, duty)) for go, duty in _owed_duties(state))
    return owed or any(decision.must for decision in _open_decisions(state))


def _open_decisions(state: State) -> Iterator[Decision]:
    """Yield all open decisions; none if the game is over or paused."""
    question_decisions = _question_decisions(state) if state.questions else _decisions_without_question(state)
    if not state.over and not state.paused:
        if state.standstill and not state.questions:
            question_decisions = _standstill_decisions(state, tuple(question_decisions))
        for decision in question_decisions:
            object.__setattr__(decision, "answers", partial(possible_answers, state))
            yield decision


def _decisions_without_question(state: State) -> Iterator[Decision]:
    """Yield the decisions open while no question awaits the players: on judgments, votes, turns and so on."""
    yield from _judgment_decisions(state)
    if state.awaited_judgment is not None:
        yield from (decision for decision in decisions_awaited(state) if decision.action == "choose")
        return
    for some in (decisions_awaited, _proposal_decisions, _duty_decisions, _turn_decisions, _offer_decisions):
        yield from some(state)


#: What lets play go on, if nobody has to decide anything.
PROGRESS_ACTS: Mapping[str, str] = {
    "say": "say what play is waiting for", "act": "do what play is waiting for",
    "report": "report something that play is waiting for",
    "give": "give what play is waiting for", "apply": "apply the rule that play is waiting for",
    "time": "set the clock when the time comes",
    "present": "be marked as back", "overdue": "be marked as overdue",
}  # fmt: skip


def _standstill_decisions(state: State, open_decisions: tuple[Decision, ...]) -> Iterator[Decision]:
    """Yield the open decisions, then a decision for each other act that play waits for at a standstill.

    Open decisions that one of those acts answers are marked as such that play waits for.
    """
    acts: dict[tuple[str | None, str], list[AwaitedAct]] = {}
    for act in state.standstill:
        acts.setdefault((act.player, act.action), []).append(act)
    listed: set[tuple[str | None, str]] = set()
    for decision in open_decisions:
        known = [
            name
            for name in (decision.player, *state.person_names)
            if any(_is_decision_for_act(decision, act, name) for act in state.standstill)
        ]
        yield (
            replace(decision, must=True)
            if known and (decision.player is None or decision.player in known)
            else decision
        )
        listed |= {(name, decision.action) for name in known}
    for (player, action), some in acts.items():
        if (player, action) in listed:
            continue
        prompt = PROGRESS_ACTS.get(action) or state.law.vocabulary.actions[action].meaning
        options = tuple(awaited.option for awaited in some if awaited.option)
        yield Decision(player or None, action, prompt, options, some[0].rule, some[0].proposal)


def _is_decision_for_act(decision: Decision, act: AwaitedAct, name: str | None) -> bool:
    """Tell whether a decision is one for the player of this name to do exactly this awaited act."""
    same = (act.player, act.action, act.proposal) == (name, decision.action, decision.proposal)
    return same and (decision.action != "take" or (act.rule == decision.rule and act.option in decision.options))


def numbers_are_assigned(state: State) -> bool:
    """Tell whether, by law, proposers must enter the numbers of their proposals instead of getting the next ones."""
    return state.find("proposal.numbering").says("assigned")


def _question_decisions(state: State) -> Iterator[Decision]:
    """Yield the decisions to answer the first open question and, for the player whose wish it is about, to drop it."""
    question = state.questions[0]
    asked = state.players_who_must_agree(question)
    silent = [name for name in asked if name not in question.answers]
    text = question.text
    if question.answers:
        sentence = "; ".join(
            f"{name} says {readable_answer(question.shown_answer(answer))}" for name, answer in question.answers.items()
        )
        text += f" So far: {sentence}."
    if not silent:
        judged = state.find("judge.candidates").outcome != "silent" and not question.asks_for_consent
        otherwise = ", or somebody invokes Judgment and the Judge decides" if judged else ""
        otherwise += f", or {question.by} gives up the attempt" if isinstance(question, WishQuestion) else ""
        text += f" The answers differ, but they can be changed. Play continues once they agree{otherwise}."
    for name in silent or asked:
        options = tuple(choice for choice in question.shown_answers if question.answers.get(name) != choice)
        yield Decision(name, "choose", text, options, question.rule, id=question.id)
    if isinstance(question, WishQuestion):
        told = f"{text} Others have to answer this. You can give up the attempt and do something else."
        yield Decision(question.by, "choose", told, (GIVE_UP_OPTION,), question.rule, id=question.id, must=False)


#: Functions of subjects that yield more decisions about an open proposal.
PROPOSAL_DECISIONS: list[Callable[[State, Proposal], Iterable[Decision]]] = []


def _proposal_decisions(state: State) -> Iterator[Decision]:
    """Yield the decisions about every open proposal: on its debate, on its vote, and others that are declared."""
    for proposal in state.open_proposals:
        if proposal.status == "debate":
            yield from _debate_decisions(state, proposal)
        elif proposal.status == "open":
            yield from _vote_decisions(state, proposal)
        for listed in PROPOSAL_DECISIONS:
            yield from listed(state, proposal)


def _players_from_law(state: State, key: str, case: CaseNames) -> tuple[tuple[str, ...], Number | None]:
    """Return the names of the players that a law key gives, and the number of the rule that says so, or None."""
    finding = state.find(key, **case)
    return player_names(finding.value) if finding.answered else (), finding.rule


def _players_allowed(state: State, action: str, names: Iterable[str], case: CaseNames) -> Iterator[str]:
    """Yield those of these names that belong to persons in the game who may do an action, with details in `case`."""
    return (name for name in names if name in state.person_names and is_permitted(state, action, name, **case))


def _debate_decisions(state: State, proposal: Proposal) -> Iterator[Decision]:
    """Yield the decisions about a proposal in debate: call the vote, or revise it."""
    number, case = proposal.number, proposal.law_case
    names, rule = _players_from_law(state, "debate.ended_by", case)
    free = wait_holding_up_proposal(state, number) is None
    for name in _players_allowed(state, "call_vote", names, case) if free else ():
        yield Decision(name, "call_vote", f"end the debate on proposal {number} and start the vote", (), rule, number)
    names, rule = _players_from_law(state, "debate.final_form_by", case)
    for name in _players_allowed(state, "revise", names, case):
        yield Decision(name, "revise", f"revise proposal {number}", (), rule, number, must=False)


def _vote_decisions(state: State, proposal: Proposal) -> Iterator[Decision]:
    """Yield the decisions about a proposal under vote: cast or change a ballot, close the vote."""
    vote, number = proposal.vote, proposal.number
    if vote is None:
        return
    case = proposal.law_case
    prompt = f"vote on proposal {number}: {proposal.change.headline}"
    names, rule = _players_from_law(state, "vote.ended_by", case) if not vote.duty else ((), None)
    closers = list(_players_allowed(state, "close_vote", names, case))
    for name in voters_in_turn(state, vote, vote.silent_voters):
        if choices := open_ballots(state, proposal, name):
            yield Decision(name, "vote", prompt, choices, vote.electorate_rule, number, must=not closers)
    yield from _decisions_on_closing_vote(state, proposal, vote, waited_for=not closers)
    again = state.find("vote.changeable", **case)
    for name in voters_in_turn(state, vote, vote.ballots) if again.says(True) else ():
        choices = open_ballots(state, proposal, name)
        others = tuple(choice for choice in choices if vote.sealed or choice != vote.ballots[name])  # or all could tell
        if others:
            yield Decision(name, "vote", f"{prompt} (change your vote)", others, again.rule, number, must=False)
    for name in closers:
        yield Decision(name, "close_vote", f"close the vote on proposal {number}", (), rule, number)


def voters_in_turn(state: State, vote: Vote, names: Iterable[str]) -> tuple[str, ...]:
    """Return those of the named voters who can vote now: all, or, if the vote asks for it, those on their turn."""
    return tuple(name for name in names if not vote.own_turn or state.turn_of(name) is not None)


def open_ballots(state: State, proposal: Proposal, name: str) -> tuple[str, ...]:
    """Return the ballots that no rule forbids a voter in the vote on a proposal; none if they can’t vote at all."""
    vote, case, rules = proposal.vote, proposal.law_case, state.law.clauses_and_rulings_about("may.vote")
    if vote is None or name not in state.person_names:
        return ()
    if not any("ballot" in source.clause.names for source in rules):
        return vote.choices if is_permitted(state, "vote", name, **case) else ()
    return tuple(choice for choice in vote.choices if is_permitted(state, "vote", name, ballot=choice, **case))


def owes_a_ballot(state: State, player: str) -> bool:
    """Tell whether a player still has to vote on some proposal in their own turn before it can end."""
    return any(
        proposal.status == "open" and proposal.vote is not None and proposal.vote.own_turn
        and player in proposal.vote.silent_voters
        and open_ballots(state, proposal, player)
        for proposal in state.open_proposals
    )  # fmt: skip


def _decisions_on_closing_vote(state: State, proposal: Proposal, vote: Vote, *, waited_for: bool) -> Iterator[Decision]:
    """Yield, for each voter still silent, the decision to let the vote close without their ballot.

    If `waited_for`, play waits for those who cannot vote.
    """
    number, case = proposal.number, proposal.law_case
    for name in vote.silent_voters if not vote.duty else ():
        finding = state.find("may.agree", player=name, **case)
        if name in state.person_names and vote.agreed.get(name) != "yes" and finding.says(True):
            prompt = f"was there enough time? May the vote on proposal {number} be closed without your vote?"
            options = ("yes",) if name in vote.agreed else ("yes", "no")
            must = waited_for and not open_ballots(state, proposal, name)
            yield Decision(name, "agree", prompt, options, finding.rule, number, must=must)


def _owed_duties(state: State) -> Iterator[tuple[Turn, Duty]]:
    """Yield (turn, duty) for every duty in the turns that wait for no roll or choice."""
    for go in state.turns:
        if not any(waiting.turn == go.number for waiting in state.blocking_waits):
            yield from ((go, duty) for duty in go.duties)


def _open_owed_acts(state: State, go: Turn, duty: Duty) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield (action, legal moves) for each allowed action that fulfils a duty; no moves unless it is “move”."""
    for action in duty.fulfilling_actions:
        if is_duty_open(state, duty.player, action):
            moves = _legal_moves_owed(state, go, action)
            if action != "move" or moves:
                yield action, moves


def _duty_decisions(state: State) -> Iterator[Decision]:
    """Yield the decisions to fulfil duties, and to skip the rest of a turn where the law allows it."""
    owing = list(_owed_duties(state))
    for go in state.turns:
        for duty in (duty for turn, duty in owing if turn is go):
            open = dict(_open_owed_acts(state, go, duty))
            for action, moves in open.items():
                yield Decision(duty.player, action, _duty_prompt(state, list(open), action), moves, duty.rule)
        begun = any(proposal.holds_up(go.number) for proposal in state.open_proposals)  # and to be finished first
        owed = not begun and (bool(go.duties) or any(waiting.player == go.player for waiting in state.blocking_waits))
        if not go.over and owed and state.find("may.skip", player=go.player).says(True):  # silence is no leave
            yield Decision(go.player, "skip", "skip the rest of this turn", must=False)


def _duty_prompt(state: State, open_actions: Sequence[str], action: str) -> str:
    """Return the prompt for an owed action, naming the other open actions that can be done instead."""
    meanings = state.law.vocabulary.actions
    others = (meanings[name].meaning for name in open_actions if name != action)
    return meanings[action].meaning + "".join(f", or {other} instead" for other in others)


def _turn_decisions(state: State) -> Iterator[Decision]:
    """Yield the decisions to end a turn, or to begin one at will."""
    ended = state.find("turn.ended_by")
    for go in state.turns if ended.says("player") else ():
        left = not go.over and are_parts_over(state, go) and go.number not in state.busy_turns
        if left and is_permitted(state, "end_turn", go.player):
            yield Decision(go.player, "end_turn", "end the turn", (), ended.rule)
    start = state.find("turn.start")
    if not start.says("at will") or (state.turns and not state.find("turn.overlap").says(True)):
        return
    order = state.find("turn.sequence")
    players = dict.fromkeys(players_in_order(state, order.value) if order.answered else ())
    for name in _players_allowed(state, "begin_turn", players, {}):
        if _may_begin_without_consent(state, name):
            yield Decision(name, "begin_turn", "begin a turn", (), start.rule, must=not state.turns)


def _offer_decisions(state: State) -> Iterator[Decision]:
    """Yield a decision for each player to take an offer open to them; play waits for none of these."""
    for name, source in open_offers(state):
        title = source.rule.title
        what = f"{offer_words(source)} (offered by “{title}”)" if title else offer_words(source)
        unseen = state.law.find_with_memory(
            ("unseen", id(source)), (), state, (0, ""), partial(depends_on_hidden_entries, state, source)
        )
        yield Decision(name, "take", what, (offer_words(source),), source.rule.number, must=False, unseen=unseen)


def _may_begin_without_consent(state: State, name: str) -> bool:
    """Tell whether no judgment needs consent before a player's turn; True even if the law does not say."""
    try:
        return judgment_awaiting_consent(state.law, state, name) is None
    except Undecided:
        return True  # whoever begins will see the table asked


def _judgment_decisions(state: State) -> Iterator[Decision]:
    """Yield the decisions about judgments: to rule as Judge, to overrule the Judge, to let play go on."""
    waits = state.awaited_judgment is not None
    for judgment in state.live_judgments:
        if judgment.status == "asked" and judgment.judge is not None:
            if is_permitted(state, "rule_on", judgment.judge, **judgment.law_case):
                prompt = f"decide as Judge: {judgment.question}"
                options = judgment.held.options if judgment.held is not None else ()
                prompt += f" – {judgment.held.text}" if judgment.held is not None else ""
                if state.find("judge.scope").says("this turn"):
                    prompt += " (as a new Judge, only if players disagree about it and it affects this turn)"
                yield Decision(judgment.judge, "rule_on", prompt, options, judgment.rule, id=judgment.id)
        elif judgment.status == "ruled":
            yield from _overruling_decisions(state, judgment)
        if not waits:
            yield from _consent_decisions(state, judgment)


def _overruling_decisions(state: State, judgment: Judgment) -> Iterator[Decision]:
    """Yield, for each player who has not voted on it, the decision whether to overrule a Judge's ruling."""
    names, rule = _players_from_law(state, "judge.overrule_electorate", judgment.law_case)
    prompt = f"overrule {judgment.judge} in judgment {judgment.id}?"
    for name in _players_allowed(state, "overrule", names, judgment.law_case):
        if name not in judgment.ballots:
            yield Decision(name, "overrule", prompt, ("for", "against"), rule, id=judgment.id)


def _consent_decisions(state: State, judgment: Judgment) -> Iterator[Decision]:
    """Yield, for each player who may consent, the decision whether play may go on after a judgment."""
    rule = state.find("judge.consent", **judgment.law_case).rule
    prompt = f"let play continue after judgment {judgment.id}"
    for name in state.person_names:
        if judgment.consents.get(name) != "for" and is_permitted(state, "consent", name, **judgment.law_case):
            options = ("for",) if name in judgment.consents else ("for", "against")
            yield Decision(name, "consent", prompt, options, rule, id=judgment.id, must=not state.turns)


def _legal_moves_owed(state: State, go: Turn, action: str) -> tuple[str, ...]:
    """Return the legal moves in a turn if the owed action is “move”; an empty tuple for other actions."""
    if action != "move":
        return ()
    try:
        return installed_extension().open_moves(state if state.current_turn is go else state.replace(hand=go.number))
    except Undecided:  # the table is asked before anyone can move
        return ()
