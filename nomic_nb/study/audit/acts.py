"""What a host does when a game played elsewhere is replayed: propose, report and decide as its record says.

Players get nothing from it: a live game refuses all but setting something aside, and that needs everyone's consent.
"""

from __future__ import annotations

from dataclasses import replace

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.changes import change_from_json
from nomic_nb.engine.law.values import HeardText, ThingRef
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.declarations import (
    AssignedNumberField,
    ChangeField,
    EventField,
    FlagField,
    NamesField,
    ProposalField,
    WordsField,
    action,
    declare_event,
)
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.lawmaking import check_change
from nomic_nb.engine.play.numbering import assign_numbers, check_rule_number
from nomic_nb.engine.play.permissions import check_player_name, check_short_text, check_unanimity, check_undisturbed
from nomic_nb.engine.play.proposals import declare_proposal_step
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import Proposal
from nomic_nb.engine.play.waiting import without_waiting_for
from nomic_nb.engine.subjects.votes import close_vote_and_apply_result, find_open_vote, open_vote
from nomic_nb.engine.words import join_words

#: The ballots that a record can add, by the field that lists who cast them.
SIDES = {"in_favour": "for", "against": "against", "abstained": "abstain"}


def _check_replay(state: State) -> None:
    """Refuse what only the record of a game played elsewhere can do."""
    check_undisturbed(state)
    if not state.is_replay:
        raise IllegalAction(
            "not-a-replay", "only the replay of a record can do this; in a live game, the players themselves must"
        )


# ------------------------------------------------------------------------------------------------- what is set aside


def what_is_due(state: State) -> list[str]:
    """Return what play waits for, in words: the open question or, failing that, rolls and choices, duties, turns."""
    if state.questions:
        return [f"the question “{state.questions[0].text}”"]
    waits = [f"{waiting.player or 'anyone'}’s {waiting.action}" for waiting in state.blocking_waits]
    duties = [f"{duty.player}’s duty to {duty.action}" for turn in state.turns for duty in turn.duties]
    held = state.busy_turns
    return waits or duties or [f"the rest of {turn.player}’s turn" for turn in state.turns if turn.number not in held]


@action("due_set_aside", host=True)
def set_aside(engine: Engine, reason: WordsField, agreed: NamesField) -> None:
    """Drop a duty that nobody can do, if everyone at the table agrees."""
    state = engine.state
    who, why = check_unanimity(state, agreed, reason, "dropping a duty")
    due = what_is_due(state)
    if not due:
        raise IllegalAction("nothing-due", "nothing is due now, so there is nothing to drop")
    engine.emit("due_set_aside", what=due, agreed=who, reason=why)


def _describe_setting_aside(event: Event) -> str:
    """Return the history sentence for what is dropped."""
    data = event.data
    by = f"{join_words(data['agreed'])} drop" if data["agreed"] else "the record drops"
    return f"{by} {join_words(data['what'])} ({data['reason']})"


@declare_event("due_set_aside", told=_describe_setting_aside)
def _set_due_aside(state: State, _: Event) -> State:
    """Return the state in which play no longer waits for what is due."""
    if state.questions:
        agenda = state.agenda.split_first()[1] if state.agenda else state.agenda
        return state.replace(questions=state.questions[1:], agenda=agenda)
    if waits := state.blocking_waits:
        for name in dict.fromkeys(waiting.player for waiting in waits):
            state = without_waiting_for(state, name)
        return state
    owed, held = any(turn.duties for turn in state.turns), state.busy_turns
    turns = (replace(turn, duties=(), over=turn.over or not (owed or turn.number in held)) for turn in state.turns)
    return state.replace(turns=tuple(turns))


# --------------------------------------------------------------------------------------------- what the record says


@action("deed", host=True)
def record_report(engine: Engine, who: WordsField, deed: WordsField) -> None:
    """Report a deed that the record tells, without saying who reported it."""
    state = engine.state
    _check_replay(state)
    check_player_name(state, who, state.players)
    text = HeardText(
        check_short_text("deed", deed, say("recorded-deed-empty", "a report can’t be empty; say what the player did"))
    )
    heard = state.law.triggers_hearing(("deed", frozenset({"reporter"})))
    if len(list(heard)) < len(state.law.triggers.get("deed", ())):
        raise IllegalAction("reporter-unknown", "a rule asks who reported this, which the record does not say")
    engine.emit("deed", env={"name": text}, who=who, name=text)


@action("proposed", host=True)
def record_proposal(
    engine: Engine, who: WordsField, change: ChangeField, number: AssignedNumberField = None,
    rule_number: EventField = None,
) -> None:  # fmt: skip
    """Put a proposal to the vote that the law refuses, because the record has it."""
    state = engine.state
    _check_replay(state)
    check_player_name(state, who)
    change = change_from_json(change.to_json())
    check_rule_number(state, change, rule_number)
    try:
        check_change(state, change)
    except LookupError as error:
        raise IllegalAction(error.args[0]) from None
    given, _ = assign_numbers(engine, who, change, number)
    engine.emit("proposed", who, number=given[0], beside=True)
    engine.schedule("open vote", proposal=ThingRef("proposal", given[0]))


@action("outcome_recorded", host=True)
def record_outcome(
    engine: Engine, proposal: ProposalField, adopted: FlagField, reason: WordsField, in_favour: NamesField,
    against: NamesField, abstained: NamesField,
) -> None:  # fmt: skip
    """Close a vote with the outcome that the record has, and the ballots that it adds."""
    state = engine.state
    _check_replay(state)
    debated = state.proposals.get(proposal) if proposal is not None else None
    if debated is None or debated.status != "debate":
        debated = find_open_vote(state, "", proposal)[0]
    why = check_short_text(
        "reason", reason, say("recorded-reason-needed", "{what} needs a reason", what="a recorded outcome")
    )
    number = debated.number
    engine.emit("outcome_recorded", number=number, adopted=adopted, reason=why)
    if debated.status == "debate":
        open_vote(engine, debated)
    open_proposal, vote = find_open_vote(engine.state, "", number)
    for ballot, names in zip(SIDES.values(), (in_favour, against, abstained), strict=True):
        for name in names:
            if name in vote.electorate and ballot in vote.choices and vote.ballots.get(name) != ballot:
                engine.emit("balloted", name, number=number, ballot=ballot)
    engine.schedule("decide as recorded", adopted=adopted, **open_proposal.law_case)


declare_event(
    "outcome_recorded",
    told=lambda e: (
        f"the record says that proposal {e.data['number']} {'passes' if e.data['adopted'] else 'fails'} "
        f"({e.data['reason']})"
    ),
)


@declare_proposal_step("decide as recorded", "open", "ending")
def decide_as_recorded(engine: Engine, proposal: Proposal) -> None:
    """Close a vote with the outcome that the record has."""
    close_vote_and_apply_result(engine, proposal, adopted=engine.item.env["adopted"])
