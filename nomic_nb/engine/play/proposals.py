"""Proposals: how rule-changes are proposed, revised and debated, and what becomes of their targets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.changes import Change, change_from_json, read_rule_number, renumber_targets, restore_change
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.new_book import find_target
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.values import TEXT, TRUTH, CaseNames, ThingRef
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.adoptability import (
    SUPPOSED_CASE,
    SUPPOSED_LABEL,
    counts_as_owed,
    propose_in_parts,
    suppose_proposed,
)
from nomic_nb.engine.play.declarations import (
    AssignedNumberField,
    ChangeField,
    FlagField,
    ProposalField,
    action,
    declare_event,
    declare_step,
)
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.lawmaking import check_change, record_proposal_event
from nomic_nb.engine.play.numbering import assign_numbers
from nomic_nb.engine.play.permissions import (
    check_named,
    check_permission,
    check_undisturbed,
    find_permission,
    is_forbidden,
    is_permitted,
    not_your_turn_error,
    others_first_error,
    permission_value,
    refuse,
    refuse_not_owed,
)
from nomic_nb.engine.play.state import EventFold, State, fold_into
from nomic_nb.engine.play.turns import with_duty_done
from nomic_nb.engine.play.values import (
    OPEN_STATUSES,
    PLAYER_CASE,
    PLAYER_FIELDS,
    PLAYERS,
    TARGET_FIELDS,
    VOTE_CASE,
    Proposal,
    player_names,
)
from nomic_nb.engine.play.vote_rules import why_not_together
from nomic_nb.engine.play.waiting import blocking_of_proposal

#: What stands between the number of a proposal and that of one of its parts.
PART_SEPARATOR = "/"


def is_wordless(env: CaseNames, state: State) -> bool:
    """Tell whether the change of a case has no words, so that no ban on words is about it."""
    at_hand = env.get("proposal")
    return isinstance(at_hand, ThingRef) and change_of(state, at_hand.id).wordless


def change_of(state: State, id: int | str) -> Change:
    """Return the change of a proposal, or one of several that it makes together."""
    if isinstance(id, str) and PART_SEPARATOR in id:
        number, _, at = id.rpartition(PART_SEPARATOR)
        return state.proposals[read_rule_number(number)].change.parts[int(at) - 1]
    return state.proposals[id].change


def with_proposal(state: State, proposal: Proposal) -> State:
    """Return the state with one proposal added or changed."""
    number, unsettled = proposal.number, state.unsettled
    if proposal.open or proposal.status == "waiting":
        unsettled = unsettled if number in unsettled else (*unsettled, number)
    else:
        unsettled = tuple(one for one in unsettled if one != number)
    return state.replace(proposals={**state.proposals, number: proposal}, unsettled=unsettled)


#: What an event does to the proposal that it is about; nothing for an automatic change, which nobody proposed.
fold_proposal = fold_into(lambda state, event: state.proposals.get(event.data["number"]), with_proposal)


#: What goes on with a proposal.
ProposalStep = Callable[[Engine, Proposal], None]


def declare_proposal_step(name: str, *statuses: str) -> Callable[[ProposalStep], ProposalStep]:
    """Declare a step of play that goes on with a proposal, as long as its status is one of these; with any, for none.

    What was opened, or has lapsed, while rules had somebody asked about it, is left as it is.
    """

    def decorate(take: ProposalStep) -> ProposalStep:
        @declare_step(name)
        def go_on(engine: Engine) -> None:
            proposal = engine.state.proposals[engine.item.env["proposal"].id]
            if not statuses or proposal.status in statuses:
                take(engine, proposal)

        return take

    return decorate


def change_of_event(event: Event) -> Change:
    """Return what an event proposes, or makes: what was done, or what came of it; it was checked when proposed."""
    return restore_change(event.data.get("change") or event.details["change"])


def _describe_proposal(event: Event) -> str:
    left_out = event.data.get("left_out", 0)
    gap = f" ({left_out} number{'s' if left_out > 1 else ''} left out)" if left_out else ""
    return f"{event.actor} proposes {event.data['number']}: {change_of_event(event).headline}{gap}"


def targets_of(state: State, change: Change) -> tuple[tuple[int, str] | None, ...]:
    """Return id and tier of each rule that a change is about; None for a new rule, and where there is no such rule."""
    found: list[tuple[int, str] | None] = []
    for one in change.each if change.kind != "revise" else ():
        try:
            rule = None if one.kind == "enact" else find_target(state.rules, one)
            found.append(None if rule is None else (rule.id, rule.tier))
        except LookupError:
            found.append(None)
    return tuple(found)


@declare_event("proposed", "a rule-change was proposed", VOTE_CASE | PLAYER_CASE, told=_describe_proposal)
def _add_proposal(state: State, event: Event) -> State:
    change, numbers = change_of_event(event), tuple(event.data.get("numbers", ()))
    number = event.data["number"]
    proposal = Proposal(
        number, change, event.by, event.turn, aims=targets_of(state, change), numbers=numbers,
        circuit=event.circuit,
    )  # fmt: skip
    if "beside" not in event.data:
        state = with_duty_done(state, proposal.proponent, "propose")
    last = numbers[-1] if numbers else number
    return with_proposal(state, proposal).replace(last_number=last if isinstance(last, int) else state.last_number)


@declare_event(
    "revised",
    "a proposal has a new form",
    VOTE_CASE | PLAYER_CASE,
    told=lambda e: f"{e.actor} revises {e.data['number']}: {change_of_event(e).headline}",
)
def _apply_revision(state: State, event: Event) -> State:
    proposal, change = state.proposals[event.data["number"]], change_of_event(event)
    vote = proposal.vote
    if vote is not None and event.data.get("ballots") == "void":
        vote = replace(vote, ballots={}, agreed={})
    revisers = (*proposal.revisers, event.by)
    made = replace(proposal, change=change, note="", aims=targets_of(state, change), vote=vote, revisers=revisers)
    state = with_proposal(state, made)
    motion = state.proposals.get(event.data.get("motion", ""))
    if motion is not None and motion.status == "waiting":
        state = with_proposal(state, replace(motion, status="adopted", due=""))
    return state


@declare_event("retargeted", told=lambda e: f"{e.data['number']} is now to {change_of_event(e).headline}")
@fold_proposal
def _apply_retargeting(proposal: Proposal, event: Event) -> Proposal:
    return replace(proposal, change=change_of_event(event), note="")


@declare_event("stale", told="{number} is stale: {note}")
@fold_proposal
def _mark_stale(proposal: Proposal, event: Event) -> Proposal:
    return replace(proposal, note=event.data["note"])


def fold_status(status: str) -> EventFold:
    """Return what an event does to a proposal that becomes this."""

    @fold_proposal
    def handler(proposal: Proposal, event: Event) -> Proposal:
        return replace(proposal, status=status, note=event.data.get("note", ""), due=event.data.get("due", ""))

    return handler


declare_event("debate_ended", told="{actor} ends the debate on {number}")


declare_event("lapsed", told="{number} lapses: {note}")(fold_status("lapsed"))


@action("proposed", VOTE_CASE | PLAYER_CASE, owed=True, otherwise="acts.rule_change", gist=TARGET_FIELDS)
def propose(
    engine: Engine, player: str, change: ChangeField, number: AssignedNumberField = None, debate: FlagField = False
) -> None:
    """Propose a rule-change."""
    state = engine.state
    check_undisturbed(state)
    change = change_from_json(change.to_json())
    beside = _may_propose_beside(state, player, change)
    if not beside:
        _check_awaited(engine, player, "propose")
    _check_proper(engine, player, change)
    given, left_out = assign_numbers(engine, player, change, number)
    made: list[dict[str, Any]] = [{"number": given[0], **({"numbers": given} if change.parts else {})}]
    if change.apart:
        parts = zip(given, change.parts, strict=False)
        made = [{"number": one, "change": part.to_json()} for one, part in parts]
    for one in made:
        if beside:
            one["beside"] = True
        if left_out is not None:
            one["left_out"], left_out = left_out, None
        engine.emit("proposed", player, **one)
    for name in () if debate else given if change.apart else given[:1]:
        engine.schedule("open vote at once", proposal=ThingRef("proposal", name))


def _may_propose_beside(state: State, player: str, change: Change) -> bool:
    """Tell whether the law lets this be proposed beside what is owed, by whom and whenever it may be."""
    if state.law.is_silent_on("proposal.owed"):
        return False
    try:
        check_change(state, change)
    except LookupError:
        return False  # it is refused with what there is
    return not counts_as_owed(state, change, player)


def _check_awaited(engine: Engine, player: str, action: str) -> None:
    """Refuse what nobody waits for now."""
    state, go = engine.state, engine.state.go
    if go is not None and any(duty.player == player and action in duty.actions for duty in go.duties):
        return
    start, own = state.find("turn.start"), state.turn_of(player)
    if own is None and go is not None:
        refuse(
            not_your_turn_error(go.player, player),
            state.find("turn.sequence").rule,
        )
    if own is None and start.value != "automatic":
        refuse(say("turn-not-begun", "{player} has not begun a turn", player=player), start.rule)
    for first in state.blocking_waits:
        refuse(others_first_error(first.player), first.rule)
    refuse_not_owed(state, player, action)


def _check_proper(engine: Engine, player: str, change: Change) -> None:
    """Refuse what is no proper proposal: no such rule, no such clause, or not allowed (103, 116).

    Each of several changes is judged as one of its own.
    """
    state = engine.state
    try:
        check_change(state, change)
    except LookupError as error:
        now = None if change.target is None else state.rules.successor(change.target)
        numbers = sorted((rule.number for rule in state.rules), key=lambda one: (isinstance(one, str), one))
        rules = f"rules {', '.join(str(number) for number in numbers)}" if now is None else f"rule {now.number}"
        raise IllegalAction(error.args[0], options=[rules]) from None
    for at, (part, trial) in enumerate(propose_in_parts(state, change, player), 1):
        if part.universe and not state.law.is_silent_on("change.universes"):
            state.read("change.universes")  # where that is open, it is asked first
        if part.standing:
            standing = trial.find("enact.tier", **SUPPOSED_CASE)
            if state.law.settled(standing) != part.standing:
                said = say(
                    "tier-not-open",
                    "a new rule is {tier} here, and cannot be {asked}",
                    tier=standing.value,
                    asked=part.standing,
                )
                raise IllegalAction(said, rule=standing.rule)
        finding = find_permission(trial, "propose", player, **SUPPOSED_CASE)
        if not finding.answered:
            permission_value(trial, finding)
        if is_forbidden(finding):
            _refuse_improper(trial, player, part, finding, at if change.parts else 0)
    if change.parts and not change.apart:
        trial = suppose_proposed(state, change, player)
        if torn := why_not_together(state.law, trial, trial.proposals[SUPPOSED_LABEL]):
            raise IllegalAction(torn)


def _refuse_improper(state: State, player: str, change: Change, finding: Finding, part: int) -> NoReturn:
    """Refuse a change that the law does not count among rule-changes, and say what it would allow."""
    candidates = state.law.candidates.get("may.propose", ())
    saying = finding.sources if finding.key == "may.propose" else candidates or finding.sources
    rule = saying[0].rule.number if saying else None
    limit = next((one for one in finding.sources if state.law.precedence.is_plain_ban(one)), None)
    options = []
    others = ("amend", "repeal", "transmute") if change.target is not None and change.kind != "revise" else ()
    for kind in (one for one in others if one != change.kind):
        other = suppose_proposed(state, Change(kind, change.target, "…" if kind == "amend" else None), player)
        allowed = find_permission(other, "propose", player, **SUPPOSED_CASE)
        if allowed.answered and not is_forbidden(allowed):
            options.append(f"{kind} rule {change.target}")
    said = say("not-proposable", "to {change} is not a rule-change that can be proposed", change=change.headline)
    if finding.evidence:
        said = said.within("{message}: {evidence}", evidence="; ".join(finding.evidence))
    elif limit is not None:
        said = said.within("{message} in this form: {limit}", limit=limit.clause.words)
    elif change.target is not None:  # it is for its standing
        tier = find_target(state.rules, change).tier
        said = said.within("rule {target} is {tier}; {message}", target=change.target, tier=tier)
    if part:
        said = said.within("part {part}: {message}", part=part)
    if not options:
        refuse(said, rule, only=player)
    raise IllegalAction(said, rule=rule, options=options)


def _find_debated(state: State, player: str, key: str, action: str, number: Number | None) -> Proposal:
    check_undisturbed(state)
    debated = [one for one in state.open_proposals if one.status == "debate" and number in (None, one.number)]
    if not debated:
        refuse(
            say("nothing-debated", "no proposal is being debated")
            if number is None
            else say("not-debated", "proposal {proposal} is not being debated", proposal=number)
        )
    own = [
        one
        for one in debated
        if player in player_names(state.find(key, **one.case).value) and is_permitted(state, action, player, **one.case)
    ]
    if len(own) > 1:
        refuse(
            say(
                "several-debated",
                "several proposals are being debated ({proposals}); say which",
                proposals=", ".join(str(one.number) for one in own),
            )
        )
    proposal = (own or debated)[-1]
    what = action.replace("_", " ")
    check_named(
        state,
        key,
        player,
        say("debate-not-yours", "{player} cannot {act} here", player=player, act=what),
        **proposal.case,
    )
    check_permission(state, action, player, f"to {what}", **proposal.case)
    return proposal


@action("revised", VOTE_CASE | PLAYER_CASE)
def revise(engine: Engine, player: str, change: ChangeField, proposal: ProposalField = None) -> None:
    """Give a proposal another form before the vote.

    Its number stays (111).
    """
    found = _find_debated(engine.state, player, "debate.final_form_by", "revise", proposal)
    change = change_from_json(change.to_json())
    if change.apart or len(change.numbered) != len(found.change.numbered):
        many = len(found.change.numbered)
        raise IllegalAction(
            say(
                "form-of-other-parts",
                "another form of proposal {proposal} makes as many changes as it made, which is {many}, "
                "since each has its number", proposal=found.number, many=many,
            )
        )  # fmt: skip
    if change == found.change:
        refuse(say("form-unchanged", "proposal {proposal} has this form already", proposal=found.number))
    _check_proper(engine, found.proponent, change)
    engine.take(found.turn)
    engine.emit("revised", player, number=found.number)


@action("debate_ended", VOTE_CASE | PLAYER_CASE, gist=PLAYER_FIELDS)
def call_vote(engine: Engine, player: str, proposal: ProposalField = None) -> None:
    """End the debate and open the vote."""
    found = _find_debated(engine.state, player, "debate.ended_by", "call_vote", proposal)
    waiting = blocking_of_proposal(engine.state, found.number)
    if waiting is not None:
        refuse(
            say(
                "answers-awaited",
                "what rules ask about proposal {proposal} is to be answered first",
                proposal=found.number,
            ),
            waiting.rule,
        )
    engine.take(found.turn)
    engine.emit("debate_ended", player, number=found.number)
    engine.schedule("open vote", **found.case)


@declare_proposal_step("settle stale", *OPEN_STATUSES)
def settle_stale(engine: Engine, proposal: Proposal) -> None:
    """Do with a proposal whose target is gone what the law, or the table, says."""
    if not proposal.note:
        return
    what = engine.read("proposal.when_stale", **engine.item.env)
    if what == "lapse":
        record_proposal_event(engine, "lapsed", proposal, note=proposal.note)
    elif what == "retarget":
        now = {}
        for one, aim in zip(proposal.change.each, proposal.aims, strict=False):
            rule = engine.state.rules.rules.get(aim[0]) if aim else None
            if aim and rule is None:
                raise Undecided(
                    say("target-gone", "rule {rule} was repealed, and there is nothing else to aim at", rule=one.target)
                )
            if rule is not None and one.target is not None:
                now[one.target] = rule.number
        record_proposal_event(engine, "retargeted", proposal, change=renumber_targets(proposal.change, now).to_json())


KEYS = (
    Key("proposal.owed", TRUTH, "whether to propose this is what is owed; where it is not, it can be proposed beside "
        "it whenever rules allow; where no rule says so, it is", "when a proposal is made", VOTE_CASE),
    Key("proposal.when_stale", TEXT, "what becomes of an open proposal whose rule was repealed or has another number",
        "when a rule changes that an open proposal is about", VOTE_CASE, ("lapse", "stand", "retarget")),
    Key("proposal.on_leaving", TEXT, "what becomes of the open proposal of a player who leaves",
        "when a player leaves", VOTE_CASE, ("lapse", "stand")),
    Key("debate.ended_by", PLAYERS, "who calls the vote", "while a proposal is debated", VOTE_CASE),
    Key("debate.final_form_by", PLAYERS, "who may revise a proposal before the vote",
        "while a proposal is debated", VOTE_CASE),
)  # fmt: skip
