"""Proposals: how rule-changes are proposed, revised and debated, and what becomes of their targets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NoReturn

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.changes import Change, as_number, from_json, restored, retargeted
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.new_book import find_target
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.rules import Number
from nomic_nb.engine.law.values import TEXT, TRUTH, Env, Ref
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.adoptability import SUPPOSED, SUPPOSED_CASE, counts, part_by_part, supposed
from nomic_nb.engine.play.declarations import AChange, Assigned, Flag, OnProposal, action, happens, step
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.lawmaking import check_change, happens_to
from nomic_nb.engine.play.numbering import numbered
from nomic_nb.engine.play.permissions import (
    calm,
    check_named,
    check_permission,
    forbidden,
    open_to,
    permission,
    refuse,
    refuse_owing,
    settled,
    somebody_first,
    turn_of_another,
)
from nomic_nb.engine.play.state import Folding, State, folding
from nomic_nb.engine.play.turns import relieved
from nomic_nb.engine.play.values import BY, OPEN, PLAYERS, VOTE, WHAT, WHO, Proposal, names_of
from nomic_nb.engine.play.vote_rules import torn_parts
from nomic_nb.engine.play.waiting import held_up

#: What stands between the number of a proposal and that of one of its parts.
PART = "/"


def is_wordless(env: Env, state: State) -> bool:
    """Tell whether the change of a case has no words, so that no ban on words is about it."""
    at_hand = env.get("proposal")
    return isinstance(at_hand, Ref) and change_of(state, at_hand.id).wordless


def change_of(state: State, id: int | str) -> Change:
    """Return the change of a proposal, or one of several that it makes together."""
    if isinstance(id, str) and PART in id:
        number, _, at = id.rpartition(PART)
        return state.proposals[as_number(number)].change.parts[int(at) - 1]
    return state.proposals[id].change


def with_proposal(state: State, proposal: Proposal) -> State:
    """Return the state with one proposal added or changed."""
    number, unsettled = proposal.number, state.unsettled
    if proposal.open or proposal.status == "waiting":
        unsettled = unsettled if number in unsettled else (*unsettled, number)
    else:
        unsettled = tuple(one for one in unsettled if one != number)
    return state.but(proposals={**state.proposals, number: proposal}, unsettled=unsettled)


#: What an event does to the proposal that it is about; nothing for an automatic change, which nobody proposed.
to_proposal = folding(lambda state, event: state.proposals.get(event.data["number"]), with_proposal)


#: What goes on with a proposal.
GoesOn = Callable[[Engine, Proposal], None]


def proposal_step(name: str, *statuses: str) -> Callable[[GoesOn], GoesOn]:
    """Declare a step of play that goes on with a proposal, as long as its status is one of these; with any, for none.

    What was opened, or has lapsed, while rules had somebody asked about it, is left as it is.
    """

    def decorate(take: GoesOn) -> GoesOn:
        @step(name)
        def go_on(engine: Engine) -> None:
            proposal = engine.state.proposals[engine.item.env["proposal"].id]
            if not statuses or proposal.status in statuses:
                take(engine, proposal)

        return take

    return decorate


def change_in(event: Event) -> Change:
    """Return what an event proposes, or makes: what was done, or what came of it; it was checked when proposed."""
    return restored(event.data.get("change") or event.details["change"])


def _told_proposed(event: Event) -> str:
    left_out = event.data.get("left_out", 0)
    gap = f" ({left_out} number{'s' if left_out > 1 else ''} left out)" if left_out else ""
    return f"{event.actor} proposes {event.data['number']}: {change_in(event).headline}{gap}"


def aims_of(state: State, change: Change) -> tuple[tuple[int, str] | None, ...]:
    """Return id and tier of each rule that a change is about; None for a new rule, and where there is no such rule."""
    found: list[tuple[int, str] | None] = []
    for one in change.each if change.kind != "revise" else ():
        try:
            rule = None if one.kind == "enact" else find_target(state.rules, one)
            found.append(None if rule is None else (rule.id, rule.tier))
        except LookupError:
            found.append(None)
    return tuple(found)


@happens("proposed", "a rule-change was proposed", VOTE | BY, told=_told_proposed)
def _proposed(state: State, event: Event) -> State:
    change, numbers = change_in(event), tuple(event.data.get("numbers", ()))
    number = event.data["number"]
    proposal = Proposal(
        number, change, event.by, event.turn, aims=aims_of(state, change), numbers=numbers,
        circuit=event.circuit,
    )  # fmt: skip
    if "beside" not in event.data:
        state = relieved(state, proposal.proponent, "propose")
    last = numbers[-1] if numbers else number
    return with_proposal(state, proposal).but(last_number=last if isinstance(last, int) else state.last_number)


@happens(
    "revised",
    "a proposal has a new form",
    VOTE | BY,
    told=lambda e: f"{e.actor} revises {e.data['number']}: {change_in(e).headline}",
)
def _revised(state: State, event: Event) -> State:
    proposal, change = state.proposals[event.data["number"]], change_in(event)
    vote = proposal.vote
    if vote is not None and event.data.get("ballots") == "void":
        vote = replace(vote, ballots={}, agreed={})
    revisers = (*proposal.revisers, event.by)
    made = replace(proposal, change=change, note="", aims=aims_of(state, change), vote=vote, revisers=revisers)
    state = with_proposal(state, made)
    motion = state.proposals.get(event.data.get("motion", ""))
    if motion is not None and motion.status == "waiting":
        state = with_proposal(state, replace(motion, status="adopted", due=""))
    return state


@happens("retargeted", told=lambda e: f"{e.data['number']} is now to {change_in(e).headline}")
@to_proposal
def _retargeted(proposal: Proposal, event: Event) -> Proposal:
    return replace(proposal, change=change_in(event), note="")


@happens("stale", told="{number} is stale: {note}")
@to_proposal
def _stale(proposal: Proposal, event: Event) -> Proposal:
    return replace(proposal, note=event.data["note"])


def becomes(status: str) -> Folding:
    """Return what an event does to a proposal that becomes this."""

    @to_proposal
    def handler(proposal: Proposal, event: Event) -> Proposal:
        return replace(proposal, status=status, note=event.data.get("note", ""), due=event.data.get("due", ""))

    return handler


happens("debate_ended", told="{actor} ends the debate on {number}")


happens("lapsed", told="{number} lapses: {note}")(becomes("lapsed"))


@action("proposed", VOTE | BY, owed=True, otherwise="acts.rule_change", gist=WHAT)
def propose(engine: Engine, player: str, change: AChange, number: Assigned = None, debate: Flag = False) -> None:
    """Propose a rule-change."""
    state = engine.state
    calm(state)
    change = from_json(change.to_json())
    beside = _beside(state, player, change)
    if not beside:
        _owed(engine, player, "propose")
    _proper(engine, player, change)
    given, left_out = numbered(engine, player, change, number)
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
        engine.schedule("open vote at once", proposal=Ref("proposal", name))


def _beside(state: State, player: str, change: Change) -> bool:
    """Tell whether the law lets this be proposed beside what is owed, by whom and whenever it may be."""
    if state.law.silent_on("proposal.owed"):
        return False
    try:
        check_change(state, change)
    except LookupError:
        return False  # it is refused with what there is
    return not counts(state, change, player)


def _owed(engine: Engine, player: str, action: str) -> None:
    """Refuse what nobody waits for now."""
    state, go = engine.state, engine.state.go
    if go is not None and any(duty.player == player and action in duty.actions for duty in go.duties):
        return
    start, own = state.find("turn.start"), state.turn_of(player)
    if own is None and go is not None:
        refuse(
            turn_of_another(go.player, player),
            state.find("turn.sequence").rule,
        )
    if own is None and start.value != "automatic":
        refuse(say("turn-not-begun", "{player} has not begun a turn", player=player), start.rule)
    for first in state.holding_up:
        refuse(somebody_first(first.player), first.rule)
    refuse_owing(state, player, action)


def _proper(engine: Engine, player: str, change: Change) -> None:
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
    for at, (part, trial) in enumerate(part_by_part(state, change, player), 1):
        if part.universe and not state.law.silent_on("change.universes"):
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
        finding = permission(trial, "propose", player, **SUPPOSED_CASE)
        if not finding.answered:
            settled(trial, finding)
        if forbidden(finding):
            _improper(trial, player, part, finding, at if change.parts else 0)
    if change.parts and not change.apart:
        trial = supposed(state, change, player)
        if torn := torn_parts(state.law, trial, trial.proposals[SUPPOSED]):
            raise IllegalAction(torn)


def _improper(state: State, player: str, change: Change, finding: Finding, part: int) -> NoReturn:
    """Refuse a change that the law does not count among rule-changes, and say what it would allow."""
    candidates = state.law.candidates.get("may.propose", ())
    saying = finding.sources if finding.key == "may.propose" else candidates or finding.sources
    rule = saying[0].rule.number if saying else None
    limit = next((one for one in finding.sources if state.law.precedence.limits(one)), None)
    options = []
    others = ("amend", "repeal", "transmute") if change.target is not None and change.kind != "revise" else ()
    for kind in (one for one in others if one != change.kind):
        other = supposed(state, Change(kind, change.target, "…" if kind == "amend" else None), player)
        allowed = permission(other, "propose", player, **SUPPOSED_CASE)
        if allowed.answered and not forbidden(allowed):
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


def _debated(state: State, player: str, key: str, action: str, number: Number | None) -> Proposal:
    calm(state)
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
        if player in names_of(state.find(key, **one.case).value) and open_to(state, action, player, **one.case)
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


@action("revised", VOTE | BY)
def revise(engine: Engine, player: str, change: AChange, proposal: OnProposal = None) -> None:
    """Give a proposal another form before the vote.

    Its number stays (111).
    """
    found = _debated(engine.state, player, "debate.final_form_by", "revise", proposal)
    change = from_json(change.to_json())
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
    _proper(engine, found.proponent, change)
    engine.take(found.turn)
    engine.emit("revised", player, number=found.number)


@action("debate_ended", VOTE | BY, gist=WHO)
def call_vote(engine: Engine, player: str, proposal: OnProposal = None) -> None:
    """End the debate and open the vote."""
    found = _debated(engine.state, player, "debate.ended_by", "call_vote", proposal)
    waiting = held_up(engine.state, found.number)
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


@proposal_step("settle stale", *OPEN)
def settle_stale(engine: Engine, proposal: Proposal) -> None:
    """Do with a proposal whose target is gone what the law, or the table, says."""
    if not proposal.note:
        return
    what = engine.read("proposal.when_stale", **engine.item.env)
    if what == "lapse":
        happens_to(engine, "lapsed", proposal, note=proposal.note)
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
        happens_to(engine, "retargeted", proposal, change=retargeted(proposal.change, now).to_json())


KEYS = (
    Key("proposal.owed", TRUTH, "whether to propose this is what is owed; where it is not, it can be proposed beside "
        "it whenever rules allow; where no rule says so, it is", "when a proposal is made", VOTE),
    Key("proposal.when_stale", TEXT, "what becomes of an open proposal whose rule was repealed or has another number",
        "when a rule changes that an open proposal is about", VOTE, ("lapse", "stand", "retarget")),
    Key("proposal.on_leaving", TEXT, "what becomes of the open proposal of a player who leaves",
        "when a player leaves", VOTE, ("lapse", "stand")),
    Key("debate.ended_by", PLAYERS, "who calls the vote", "while a proposal is debated", VOTE),
    Key("debate.final_form_by", PLAYERS, "who may revise a proposal before the vote",
        "while a proposal is debated", VOTE),
)  # fmt: skip
