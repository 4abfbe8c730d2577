"""Proposals: how rule changes are proposed, revised and debated, and what becomes of their targets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.changes import Change, change_from_json, parse_rule_number, renumber_targets, restore_change
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
    fulfils_duty_to_propose,
    states_proposing_parts,
    suppose_proposed,
)
from nomic_nb.engine.play.declarations import (
    AssignedNumberField,
    ChangeField,
    EventField,
    FlagField,
    ProposalField,
    action,
    declare_event,
    declare_step,
)
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.lawmaking import check_change, record_proposal_event
from nomic_nb.engine.play.numbering import assign_numbers, check_rule_number
from nomic_nb.engine.play.permissions import (
    check_among_players_of,
    check_permission,
    check_undisturbed,
    find_permission,
    is_permitted,
    is_surely_forbidden,
    not_your_turn_message,
    others_first_message,
    permission_or_undecided,
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
from nomic_nb.engine.play.vote_rules import why_no_joint_vote
from nomic_nb.engine.play.waiting import wait_holding_up_proposal

#: What is between the number of a proposal and that of one of its parts.
PART_SEPARATOR = "/"


def has_proposed_change_no_wording(env: CaseNames, state: State) -> bool:
    """Tell whether the change of the proposal in `env` brings no text, like a repeal; bans on wording skip it."""
    at_hand = env.get("proposal")
    return isinstance(at_hand, ThingRef) and change_of(state, at_hand.id).is_wordless


def change_of(state: State, id: int | str) -> Change:
    """Return the change of a proposal by its number, or one part of a joint change by an id such as “301/2”."""
    if isinstance(id, str) and PART_SEPARATOR in id:
        number, _, at = id.rpartition(PART_SEPARATOR)
        return state.proposals[parse_rule_number(number)].change.parts[int(at) - 1]
    return state.proposals[id].change


def with_proposal(state: State, proposal: Proposal) -> State:
    """Return the state with a proposal added, or put in place of the one with its number."""
    number, unsettled = proposal.number, state.unsettled
    if proposal.is_open or proposal.status == "waiting":
        unsettled = unsettled if number in unsettled else (*unsettled, number)
    else:
        unsettled = tuple(other_number for other_number in unsettled if other_number != number)
    return state.replace(proposals={**state.proposals, number: proposal}, unsettled=unsettled)


#: What an event does to the proposal that it is about; nothing for an automatic change, which nobody proposed.
fold_proposal = fold_into(lambda state, event: state.proposals.get(event.data["number"]), with_proposal)


#: What happens with a proposal.
ProposalStep = Callable[[Engine, Proposal], None]


def declare_proposal_step(name: str, *statuses: str) -> Callable[[ProposalStep], ProposalStep]:
    """Return a decorator that declares a step of play about a proposal, done only in `statuses` if any are given.

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
    """Return the rule change in the data of an event that proposes or makes one."""
    return restore_change(event.data.get("change") or event.details["change"])


def _describe_proposal(event: Event) -> str:
    """Return the history sentence for a new proposal."""
    left_out = event.data.get("left_out", 0)
    gap = f" ({left_out} number{'s' if left_out > 1 else ''} left out)" if left_out else ""
    return f"{event.actor} proposes {event.data['number']}: {change_of_event(event).headline}{gap}"


def ids_and_tiers_of_targets(state: State, change: Change) -> tuple[tuple[int, str] | None, ...]:
    """Return (rule id, tier) of each rule that a change is about; None for a new or missing rule."""
    targets = []
    for part in change.single_rule_changes if change.kind != "revise" else ():
        try:
            rule = None if part.kind == "enact" else find_target(state.rules, part)
            targets.append(None if rule is None else (rule.id, rule.tier))
        except LookupError:
            targets.append(None)
    return tuple(targets)


@declare_event("proposed", "a rule change is proposed", VOTE_CASE | PLAYER_CASE, told=_describe_proposal)
def _add_proposal(state: State, event: Event) -> State:
    """Return the state with the proposal added that an event records."""
    change, numbers = change_of_event(event), tuple(event.data.get("numbers", ()))
    number = event.data["number"]
    proposal = Proposal(
        number, change, event.actor_name, event.turn, aims=ids_and_tiers_of_targets(state, change), numbers=numbers,
        circuit=event.circuit, rule_number=event.details.get("rule_number"),
    )  # fmt: skip
    if "beside" not in event.data:
        state = with_duty_done(state, proposal.proponent, "propose")
    last = numbers[-1] if numbers else number
    return with_proposal(state, proposal).replace(last_number=last if isinstance(last, int) else state.last_number)


@declare_event(
    "revised",
    "a proposal is revised",
    VOTE_CASE | PLAYER_CASE,
    told=lambda e: f"{e.actor} revises proposal {e.data['number']}: {change_of_event(e).headline}",
)
def _apply_revision(state: State, event: Event) -> State:
    """Return the state after a proposal was revised."""
    proposal, change = state.proposals[event.data["number"]], change_of_event(event)
    vote = proposal.vote
    if vote is not None and event.data.get("ballots") == "void":
        vote = replace(vote, ballots={}, agreed={})
    revisers = (*proposal.revisers, event.actor_name)
    revised = replace(
        proposal, change=change, note="", aims=ids_and_tiers_of_targets(state, change), vote=vote, revisers=revisers
    )
    state = with_proposal(state, revised)
    motion = state.proposals.get(event.data.get("motion", ""))
    if motion is not None and motion.status == "waiting":
        state = with_proposal(state, replace(motion, status="adopted", due=""))
    return state


@declare_event("retargeted", told=lambda e: f"proposal {e.data['number']} would now {change_of_event(e).headline}")
@fold_proposal
def _apply_retargeting(proposal: Proposal, event: Event) -> Proposal:
    """Return a proposal after its change was pointed at the new number of its target."""
    return replace(proposal, change=change_of_event(event), note="")


@declare_event("stale", told="proposal {number} is out of date: {note}")
@fold_proposal
def _mark_stale(proposal: Proposal, event: Event) -> Proposal:
    """Return a proposal with a note why it is stale, such as that its target rule was repealed or renumbered."""
    return replace(proposal, note=event.data["note"])


def fold_status(status: str) -> EventFold:
    """Return an event handler that gives the proposal of an event this status, such as “lapsed”."""

    @fold_proposal
    def handler(proposal: Proposal, event: Event) -> Proposal:
        return replace(proposal, status=status, note=event.data.get("note", ""), due=event.data.get("due", ""))

    return handler


declare_event("debate_ended", told="{actor} ends the debate on proposal {number}")


declare_event("lapsed", told="proposal {number} lapses: {note}")(fold_status("lapsed"))


@action("proposed", VOTE_CASE | PLAYER_CASE, owed=True, otherwise="acts.rule_change", gist=TARGET_FIELDS)
def propose(
    engine: Engine, player: str, change: ChangeField, number: AssignedNumberField = None, debate: FlagField = False,
    rule_number: EventField = None,
) -> None:  # fmt: skip
    """Propose a rule change."""
    state = engine.state
    check_undisturbed(state)
    check_rule_number(state, change, rule_number)
    change = change_from_json(change.to_json())
    beside = _may_propose_beside(state, player, change)
    if not beside:
        _check_action_awaited(engine, player, "propose")
    _check_proposable(engine, player, change)
    given, left_out = assign_numbers(engine, player, change, number)
    proposals_data: list[dict[str, Any]] = [{"number": given[0], **({"numbers": given} if change.parts else {})}]
    if change.apart:
        parts = zip(given, change.parts, strict=False)
        proposals_data = [{"number": part_number, "change": part.to_json()} for part_number, part in parts]
    for proposal_data in proposals_data:
        if beside:
            proposal_data["beside"] = True
        if left_out is not None:
            proposal_data["left_out"], left_out = left_out, None
        engine.emit("proposed", player, **proposal_data)
    for name in () if debate else given if change.apart else given[:1]:
        engine.schedule("open vote at once", proposal=ThingRef("proposal", name))


def _may_propose_beside(state: State, player: str, change: Change) -> bool:
    """Tell whether a change would not count as the proposal that a player owes, and so may be proposed besides that."""
    if state.law.is_silent_on("proposal.owed"):
        return False
    try:
        check_change(state, change)
    except LookupError:
        return False  # it is refused with what there is
    return not fulfils_duty_to_propose(state, change, player)


def _check_action_awaited(engine: Engine, player: str, action: str) -> None:
    """Refuse an action that the player has no duty to do in the current turn, and say what comes first."""
    state, go = engine.state, engine.state.current_turn
    if go is not None and any(duty.player == player and action in duty.fulfilling_actions for duty in go.duties):
        return
    start, own = state.find("turn.start"), state.turn_of(player)
    if own is None and go is not None:
        refuse(not_your_turn_message(go.player, player), state.find("turn.sequence").rule)
    if own is None and start.value != "automatic":
        refuse(say("turn-not-begun", "{player} hasn’t begun a turn yet", player=player), start.rule)
    for first in state.blocking_waits:
        refuse(others_first_message(first.player), first.rule)
    refuse_not_owed(state, player, action)


def _check_proposable(engine: Engine, player: str, change: Change) -> None:
    """Refuse a change that is malformed, has no target rule, or that the law bars the player from proposing.

    Rules such as 103 and 116 bar changes.

    Each of several changes is judged as one of its own.
    """
    state = engine.state
    try:
        check_change(state, change)
    except LookupError as error:
        raise IllegalAction(error.args[0]) from None
    for at, (part, trial) in enumerate(states_proposing_parts(state, change, player), 1):
        if part.universe and not state.law.is_silent_on("change.universes"):
            state.read("change.universes")  # where that is open, it is asked first
        if part.standing:
            standing = trial.find("enact.tier", **SUPPOSED_CASE)
            if state.law.value_or_undecided(standing) != part.standing:
                raise IllegalAction(
                    "tier-not-open",
                    "new rules are {tier} here, so this one can’t be {asked}",
                    tier=standing.value,
                    asked=part.standing,
                    rule=standing.rule,
                )
        finding = find_permission(trial, "propose", player, **SUPPOSED_CASE)
        if not finding.answered:
            permission_or_undecided(trial, finding)
        if is_surely_forbidden(finding):
            _refuse_unproposable(trial, player, part, finding, at if change.parts else 0)
    if change.parts and not change.apart:
        trial = suppose_proposed(state, change, player)
        if torn := why_no_joint_vote(state.law, trial, trial.proposals[SUPPOSED_LABEL]):
            raise IllegalAction(torn)


def _refuse_unproposable(state: State, player: str, change: Change, finding: Finding, part: int) -> NoReturn:
    """Refuse a change that the law bars (`finding`), naming its `part` unless 0; list changes it allows."""
    candidates = state.law.candidates.get("may.propose", ())
    saying = finding.sources if finding.key == "may.propose" else candidates or finding.sources
    rule = saying[0].rule.number if saying else None
    is_plain_ban = state.law.precedence.is_plain_ban
    limits = (
        one
        for one in finding.sources
        if is_plain_ban(one) or not any("tier" in of.words and "player" not in of.words for of in one.clause.asked)
    )
    limit = next(limits, None)
    options = []
    others = {"amend", "repeal", "transmute"} if change.target is not None and change.kind != "revise" else set()
    for kind in sorted(others - {change.kind}):
        other = suppose_proposed(state, Change(kind, change.target, "…" if kind == "amend" else None), player)
        allowed = find_permission(other, "propose", player, **SUPPOSED_CASE)
        if allowed.answered and not is_surely_forbidden(allowed):
            options.append(f"{kind} rule {change.target}")
    message = say("not-proposable", "you can’t propose to {change}", change=change.headline)
    if finding.evidence:
        told = finding.evidence
        message = message.embed_in("{message}: {evidence}", evidence="; ".join(told), shown=told)
    elif limit is not None:
        message = message.embed_in("{message} in this form: {limit}", limit=limit.clause.words)
    elif change.target is not None:  # it is for its standing
        tier = find_target(state.rules, change).tier
        message = message.embed_in("rule {target} is {tier}, so {message}", target=change.target, tier=tier)
    if part:
        message = message.embed_in("part {part}: {message}", part=part)
    if not options:
        refuse(message, rule, only=player)
    raise IllegalAction(message, rule=rule, options=options)


def _find_debated(state: State, player: str, key: str, action: str, number: Number | None) -> Proposal:
    """Return the debated proposal (with `number` if given) on which a player whom `key` names may act, or refuse."""
    check_undisturbed(state)
    debated = [
        candidate
        for candidate in state.open_proposals
        if candidate.status == "debate" and number in (None, candidate.number)
    ]
    if not debated:
        refuse(
            say("nothing-debated", "no proposal is being debated")
            if number is None
            else say("not-debated", "proposal {proposal} is not being debated", proposal=number)
        )
    own = [
        candidate
        for candidate in debated
        if player in player_names(state.find(key, **candidate.law_case).value)
        and is_permitted(state, action, player, **candidate.law_case)
    ]
    if len(own) > 1:
        refuse(
            say(
                "several-debated",
                "several proposals are being debated ({proposals}); say which one you mean",
                proposals=", ".join(str(candidate.number) for candidate in own),
            )
        )
    proposal = (own or debated)[-1]
    what = action.replace("_", " ")
    check_among_players_of(
        state,
        key,
        player,
        say("debate-not-yours", "{player} can’t {act} in this debate", player=player, act=what),
        **proposal.law_case,
    )
    check_permission(state, action, player, f"to {what}", **proposal.law_case)
    return proposal


@action("revised", VOTE_CASE | PLAYER_CASE)
def revise(engine: Engine, player: str, change: ChangeField, proposal: ProposalField = None) -> None:
    """Revise a proposal before the vote.

    The proposal keeps its number (111).
    """
    debated = _find_debated(engine.state, player, "debate.final_form_by", "revise", proposal)
    change = change_from_json(change.to_json())
    if change.apart or len(change.numbered_changes) != len(debated.change.numbered_changes):
        many = len(debated.change.numbered_changes)
        raise IllegalAction(
                "form-of-other-parts",
                "a revision of proposal {proposal} must make the same number of changes ({many}), "
                "because each has its own number", proposal=debated.number, many=many
            )  # fmt: skip
    if change == debated.change:
        refuse(say("form-unchanged", "proposal {proposal} already says exactly this", proposal=debated.number))
    _check_proposable(engine, debated.proponent, change)
    engine.make_turn_current(debated.turn)
    engine.emit("revised", player, number=debated.number)


@action("debate_ended", VOTE_CASE | PLAYER_CASE, gist=PLAYER_FIELDS)
def call_vote(engine: Engine, player: str, proposal: ProposalField = None) -> None:
    """End the debate and open the vote."""
    debated = _find_debated(engine.state, player, "debate.ended_by", "call_vote", proposal)
    waiting = wait_holding_up_proposal(engine.state, debated.number)
    if waiting is not None:
        refuse(
            say(
                "answers-awaited",
                "somebody has to roll or choose before the debate on proposal {proposal} can end",
                proposal=debated.number,
            ),
            waiting.rule,
        )
    engine.make_turn_current(debated.turn)
    engine.emit("debate_ended", player, number=debated.number)
    engine.schedule("open vote", **debated.law_case)


@declare_proposal_step("settle stale", *OPEN_STATUSES)
def settle_stale(engine: Engine, proposal: Proposal) -> None:
    """Let a proposal whose target was repealed or renumbered lapse, follow it or stand, as the law says."""
    if not proposal.note:
        return
    what = engine.read("proposal.when_stale", **engine.item.env)
    if what == "lapse":
        record_proposal_event(engine, "lapsed", proposal, note=proposal.note)
    elif what == "retarget":
        now = {}
        for change, aim in zip(proposal.change.single_rule_changes, proposal.aims, strict=False):
            rule = engine.state.rules.rules.get(aim[0]) if aim else None
            if aim and rule is None:
                raise Undecided(
                    "target-gone",
                    "rule {rule} was repealed, and there is no other rule for the proposal to change",
                    rule=change.target,
                )
            if rule is not None and change.target is not None:
                now[change.target] = rule.number
        record_proposal_event(engine, "retargeted", proposal, change=renumber_targets(proposal.change, now).to_json())


KEYS = (
    Key("proposal.owed", TRUTH, "whether making this proposal fulfils the duty to propose (by default it does); if "
                                "not, it can be made in addition, whenever the rules allow",
                                "when a proposal is made", VOTE_CASE),
    Key("proposal.when_stale", TEXT, "what happens to an open proposal if its rule has been repealed or renumbered",
        "when a rule changes that an open proposal is about", VOTE_CASE, ("lapse", "stand", "retarget")),
    Key("proposal.on_leaving", TEXT, "what happens to a player's open proposal if they leave",
        "when a player leaves", VOTE_CASE, ("lapse", "stand")),
    Key("debate.ended_by", PLAYERS, "who calls the vote", "while a proposal is debated", VOTE_CASE),
    Key("debate.final_form_by", PLAYERS, "who may revise a proposal before the vote",
        "while a proposal is debated", VOTE_CASE),
)  # fmt: skip
