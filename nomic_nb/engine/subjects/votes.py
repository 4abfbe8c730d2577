"""Votes: what is fixed when they open, when they close, what the outcome is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.checking import Checker
from nomic_nb.engine.law.nodes import Undecided, View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import Number as RuleNumber
from nomic_nb.engine.law.slots import PlayersSlot, SingleSlot
from nomic_nb.engine.law.values import TEXT, Number, value_text
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.deadlines import NO_TIME_RECORDED
from nomic_nb.engine.play.declarations import (
    ChoiceField,
    ProposalField,
    action,
    declare_event,
    declare_settler,
    declare_step,
    effect,
)
from nomic_nb.engine.play.effects import evaluate_players, record_prevention, replace_result
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, cause_of, number_from_json, value_from_data
from nomic_nb.engine.play.lawmaking import EFFECTIVE_TIMES, LAWMAKING_EVENTS, put_in_force, record_proposal_event
from nomic_nb.engine.play.permissions import (
    already_answered_message,
    check_among_players_of,
    check_among_words,
    check_law_says,
    check_permission,
    check_undisturbed,
    find_permission,
    is_surely_forbidden,
    refuse,
    unknown_proposal_message,
)
from nomic_nb.engine.play.proposals import declare_proposal_step, fold_proposal, fold_status, with_proposal
from nomic_nb.engine.play.state import EventFold, State
from nomic_nb.engine.play.values import (
    BALLOT,
    BALLOT_WORDS,
    OPEN_STATUSES,
    PLAYER_CASE,
    VOTE_CASE,
    VOTE_CHOICES,
    YES_NO,
    Proposal,
    Vote,
    player_names,
)
from nomic_nb.engine.play.vote_rules import (
    BALLOT_FIELDS,
    FIXED_VOTE_KEYS,
    MOST_WAYS,
    TARGET_IS_FREED,
    WHEN_READY,
    BallotOptions,
    adoption_condition,
    ballot_combinations,
    ballot_weights,
    can_change_during_vote,
    do_voters_matter,
    does_voting_order_matter,
    expressions_behind,
    find_quota,
    have_ballots_same_result,
    is_adopted,
    is_quorum_reached,
    is_ready_for_effect,
    is_value_for_any_part,
    states_for_parts,
    vote_without_ballots,
    why_no_joint_vote,
)
from nomic_nb.engine.play.waiting import settle_leaver_rounds
from nomic_nb.engine.subjects.judgment_steps import settle_leaver_judgments
from nomic_nb.engine.words import join_words, least_votes, verb_phrase

# ----------------------------------------------------------------------------------------------------------- votes


#: What changes who votes, or whether ballots can be changed, beside the ballots themselves.
UPSETTING_EVENTS = LAWMAKING_EVENTS | {"eliminated", "came_back"}


def with_vote(state: State, proposal: Proposal, vote: Vote) -> State:
    """Return the state in which a proposal has this vote."""
    return with_proposal(state, replace(proposal, vote=vote))


def _record_vote_terms(engine: Engine, kind: str, law: Law, state: State, proposal: Proposal, vote: Vote) -> None:
    """Record as an event (`kind`) a vote's voters, weights, quota and secrecy, as `law` gives them in a state."""
    weights = ballot_weights(law, state, proposal.law_case, vote.electorate)
    held = vote_without_ballots(law, state, proposal, weights)
    usual = {
        "late": held.late, "choices": held.choices if held.choices != VOTE_CHOICES else (), "quorum": held.quorum,
        "sides": held.sides,
        "quorum_rule": held.quorum_rule, "own_turn": vote.own_turn,
        "adopted_by": adoption_condition(law, state, proposal)[0],
    }  # fmt: skip
    record_proposal_event(
        engine, kind, proposal, electorate=vote.electorate, weights=weights, quota=held.quota,
        quota_rule=held.quota_rule, electorate_rule=vote.electorate_rule, duty=vote.duty, sealed=vote.sealed,
        data=usual,
    )  # fmt: skip
    engine.schedule("close vote", **proposal.law_case)


def _remaining_voters(state: State, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of the named players who are still in the game."""
    return tuple(name for name in names if state.players[name].playing)


@declare_proposal_step("open vote", "debate")
def open_vote(engine: Engine, proposal: Proposal) -> None:
    """Open the vote on a proposal and fix its voters, weights and quota; a joint proposal may lapse instead."""
    law, state, case = engine.law, engine.state, proposal.law_case
    electorate = law.find("vote.electorate", state, case)
    named = tuple(dict.fromkeys(player_names(law.value_or_undecided(electorate))))
    names = _remaining_voters(state, named)
    vote = Vote(
        names, {}, None, None, electorate.rule, law=law, choices=(),
        duty=is_value_for_any_part(law, "vote.duty", state, proposal, value=True),
        sealed=is_value_for_any_part(law, "vote.ballots", state, proposal, "sealed"),
        own_turn=law.value_or_default(law.find("vote.when", state, case)) == "own turn",
    )  # fmt: skip
    torn = why_no_joint_vote(law, state, proposal)
    if torn:  # when it was proposed, they could be voted on together
        record_proposal_event(engine, "lapsed", proposal, note=torn)
    else:
        asked = state if names == named else with_vote(state, proposal, vote)
        _record_vote_terms(engine, "vote_opened", law, asked, proposal, vote)


@declare_proposal_step("open vote at once")
def open_vote_at_once(engine: Engine, proposal: Proposal) -> None:
    """Open the vote on a new proposal, unless the law now forbids its proponent to call the vote."""
    finding = find_permission(engine.state, "call_vote", proposal.proponent, **proposal.law_case)
    if not finding.answered:
        engine.law.value_or_undecided(finding)
    if not is_surely_forbidden(finding) and proposal.status == "debate":
        open_vote(engine, proposal)


def continue_vote_without_leavers(engine: Engine, proposal: Proposal) -> None:
    """Continue a vote without the voters who have left the game, with a new quota for those who remain.

    Nobody comes in who was not there when it opened, and the law of the vote judges it.
    """
    vote = cast(Vote, proposal.vote)
    left = replace(vote, electorate=_remaining_voters(engine.state, vote.electorate), quota=None, quorum_rule=None)
    _record_vote_terms(engine, "retallied", vote.law, with_vote(engine.state, proposal, left), proposal, left)


def continue_votes_without_absentee(engine: Engine, name: str) -> None:
    """Continue open votes without a player just marked as away, if the law of the vote gives them no vote now.

    A ballot that was cast stands, nobody else comes in, and the last voter stays. If the law counts them all the same,
    the vote waits for them.
    """
    for proposal in engine.state.open_proposals:
        vote = proposal.vote
        if vote is None or vote.law is None or name not in vote.silent_voters or len(vote.electorate) == 1:
            continue
        before_vote = with_proposal(engine.state, replace(proposal, vote=None))
        if name not in player_names(vote.law.answer("vote.electorate", before_vote, proposal.law_case)):
            voters = tuple(voter for voter in vote.electorate if voter != name)
            held = with_vote(engine.state, proposal, replace(vote, electorate=voters))
            continue_vote_without_leavers(engine, held.proposals[proposal.number])


#: The vote on a proposal that has another form now goes on, with what that form needs.
declare_proposal_step("go on with revised", "open")(continue_vote_without_leavers)


@declare_proposal_step("close vote", "open")
def close_vote_if_all_voted(engine: Engine, proposal: Proposal) -> None:
    """End the vote on a proposal if the law closes it, as it does once all have voted, or if its result is certain."""
    vote = proposal.vote
    if vote is not None and (_does_law_close(engine, proposal, vote) or _can_end_early(engine, proposal, vote)):
        end_vote(engine, proposal)


def _does_law_close(engine: Engine, proposal: Proposal, vote: Vote) -> bool:
    """Tell whether the law of a vote closes it now; if it says nothing of that, whether all voters have voted."""
    if vote.law.is_silent_on("vote.closes"):
        return not vote.silent_voters
    finding = vote.law.find("vote.closes", engine.state, proposal.law_case)
    if vote.silent_voters and NO_TIME_RECORDED in finding.reason:
        return False  # people can still vote, and the time can still be recorded
    return vote.law.value_or_undecided(finding) is True


@declare_settler("before boards")
def close_votes_by_law(engine: Engine) -> bool:
    """Close an open vote that the law closes by now without another ballot; return whether there is one."""
    for proposal in engine.state.open_proposals:
        vote = proposal.vote if proposal.status == "open" else None
        spoken = vote is not None and not vote.law.is_silent_on("vote.closes")
        if vote is not None and spoken and _does_law_close(engine, proposal, vote):
            end_vote(engine, proposal)
            return True
    return False


def _can_end_early(engine: Engine, proposal: Proposal, vote: Vote) -> bool:
    """Tell whether the law lets a vote end early, and no further ballots could change its result."""
    law, state = vote.law, engine.state
    if law.value_or_default(law.find("vote.ends_early", state, proposal.law_case)) is not True:
        return False
    fixed = FIXED_VOTE_KEYS if vote.quota is not None else FIXED_VOTE_KEYS.difference(("vote.quota",))
    views = [View(vote_state, {**proposal.law_case}, law) for vote_state in states_for_parts(state, proposal)]
    looked = tuple(expressions_behind(law, "vote.adopted", fixed, views))
    if can_change_during_vote(law, looked) or does_voting_order_matter(looked) or _can_upset_votes(engine.law):
        return False
    options: dict[str, BallotOptions] = dict.fromkeys(vote.silent_voters, (*vote.choices, None))
    if _can_ballots_change(state, proposal):
        options |= dict.fromkeys(vote.ballots, vote.choices)
    many, each = ballot_combinations(vote, options, apart=do_voters_matter(looked))

    def adopted(ballots: Mapping[str, str]) -> bool:
        then = replace(proposal, vote=replace(vote, ballots=ballots))
        return is_adopted(law, with_proposal(state, then), then)

    return many <= MOST_WAYS and have_ballots_same_result(each, adopted)


def _can_ballots_change(state: State, proposal: Proposal) -> bool:
    """Tell whether voters may change their ballots, now or later in the vote."""
    looked = state.law.dependence.expressions_behind("vote.changeable")
    varies = can_change_during_vote(state.law, looked) or any(expression.words & BALLOT_FIELDS for expression in looked)
    return varies or not state.find("vote.changeable", **proposal.law_case).says(False)


def _can_upset_votes(law: Law) -> bool:
    """Tell whether rules react to ballots, and some clause could change the rules or who is in the game."""
    if not (law.triggers.get("balloted") or law.triggers.get("vote_ending")):
        return False
    return any(UPSETTING_EVENTS & clause.events_made for clause in law.acting_clauses)


@declare_proposal_step("conclude vote", "open")
def end_vote(engine: Engine, proposal: Proposal) -> None:
    """End a vote: let rules that react to its end act before the result is found, or, without any, find it at once."""
    if engine.law.triggers.get("vote_ending"):
        record_proposal_event(engine, "vote_ending", proposal)
        engine.schedule("find result", **proposal.law_case)
    else:
        close_vote_and_apply_result(engine, proposal)


def close_vote_and_apply_result(engine: Engine, proposal: Proposal, *, adopted: bool | None = None) -> None:
    """Close a vote, and adopt or defeat its proposal; an adopted one takes effect now or when the law says."""
    vote = cast(Vote, proposal.vote)
    case = proposal.law_case
    quota, rule = vote.quota, vote.quota_rule
    if quota is None:
        quota_finding = find_quota(vote.law, engine.state, proposal)
        quota, rule = cast(Number, vote.law.value_or_undecided(quota_finding)), quota_finding.rule
    if adopted is None:
        adopted = is_adopted(vote.law, engine.state, proposal)
    finding = vote.law.find("vote.adopted", engine.state, case)
    engine.cause = cause_of(finding) if is_quorum_reached(vote) else engine.cause_by_key("vote.quorum", **case)
    more = (
        {"votes_abstained": vote.weight_of_side("abstain")}
        if vote.quorum or "abstain" in (*vote.choices, *vote.sides.values())
        else {}
    )
    more |= {"votes_cast": vote.weight_cast, "quorum": vote.quorum} if vote.quorum else {}
    instead = {"adopted_by": adoption_condition(vote.law, engine.state, proposal)[0]}
    record_proposal_event(
        engine, "vote_closed", proposal, adopted=adopted, votes_for=vote.weight_of_side("for"),
        votes_against=vote.weight_of_side("against"), not_voted=vote.silent_voters, quota=quota, quota_rule=rule,
        data=instead, **more,
    )  # fmt: skip
    if not adopted:
        quorum = least_votes(vote.quorum, vote.weights.values())
        too_few = f"only {vote.weight_cast} of the {quorum} votes needed for a quorum were cast"
        if replace_result(engine, "defeated", proposal.proponent, str(proposal.number), case):
            record_proposal_event(engine, "lapsed", proposal, note="a rule puts something else in place of its defeat")
        else:
            record_proposal_event(
                engine, "defeated", proposal, data={"note": "" if is_quorum_reached(vote) else too_few}
            )
        return
    record_proposal_event(engine, "adopted", proposal)
    times = [engine.law.answer("change.effective", state, case) for state in states_for_parts(engine.state, proposal)]
    when = max((str(time) for time in times), key=EFFECTIVE_TIMES.index)  # whole, so when the last of them does
    now = engine.state.proposals[proposal.number]
    if when == "vote closed" or (when == WHEN_READY and is_ready_for_effect(engine.law, engine.state, now)):
        put_in_force(engine, now)
    else:
        record_proposal_event(engine, "put_off", proposal, due=when)


declare_proposal_step("find result", "ending")(close_vote_and_apply_result)
declare_proposal_step("put in force", "waiting")(put_in_force)


@declare_step("after leaving")
def settle_votes_of_leaver(engine: Engine) -> None:
    """Settle the proposals, votes, sealing rounds and judgments in which a player who has left takes part."""
    name = str(engine.item.env["player"].id)
    settle_leaver_rounds(engine, name)
    for proposal in engine.state.open_proposals:
        if proposal.proponent == name:
            engine.schedule("settle left", **proposal.law_case)
        elif proposal.vote is not None and name in proposal.vote.electorate:
            continue_vote_without_leavers(engine, proposal)
    settle_leaver_judgments(engine, name)


@declare_proposal_step("settle left", *OPEN_STATUSES)
def settle_leaver_proposal(engine: Engine, proposal: Proposal) -> None:
    """Let the open proposal of a player who has left lapse or go on, as the law says."""
    if engine.read("proposal.on_leaving", **proposal.law_case) == "lapse":
        record_proposal_event(engine, "lapsed", proposal, note=f"{proposal.proponent} left the game")
    elif proposal.vote is not None and proposal.proponent in proposal.vote.electorate:
        continue_vote_without_leavers(engine, proposal)
    elif proposal.vote is None:
        engine.schedule("open vote", **proposal.law_case)


def fold_vote(change: Callable[[Vote, Event], Vote]) -> EventFold:
    """Return an event handler that applies `change` to the vote on the event's proposal, and returns the state."""
    return fold_proposal(
        lambda proposal, event: replace(proposal, vote=change(proposal.vote, event)) if proposal.vote else proposal
    )


def _describe_vote_opening(event: Event) -> str:
    """Return the history sentence for a vote that opens."""
    data, weights = event.data, event.data["weights"].values()
    if not data["electorate"] and data["quota"] == 0 and "quorum" not in data:
        return f"nobody votes on proposal {data['number']}, and nobody needs to"
    adopt = (
        "votes needed: known when voting closes"
        if data["quota"] is None
        else f"votes needed: {least_votes(data['quota'], weights)}"
    )
    adopt = f"it passes if {data['adopted_by']}" if "adopted_by" in data else adopt
    quorum = f"; quorum: {least_votes(data['quorum'], weights)}" if "quorum" in data else ""
    return f"voting opens on proposal {data['number']}: {join_words(data['electorate'])} may vote ({adopt}{quorum})"


def _describe_vote_result(event: Event) -> str:
    """Return the history sentence for a vote that closes."""
    data = event.data
    outcome = "passes" if data["adopted"] else "does not pass"
    abstained = f" with {data['votes_abstained']} abstaining" if "votes_abstained" in data else ""
    counts = data["votes_for"], data["votes_against"]
    quorum = f"; quorum: {least_votes(data['quorum'], counts)}" if "quorum" in data else ""
    if not any((data["votes_for"], data["votes_against"], data["quota"], abstained, quorum)):
        return f"proposal {data['number']} {outcome}, with no votes and none needed"
    needed = (
        f"it passes if {data['adopted_by']}" if "adopted_by" in data else f"{least_votes(data['quota'], counts)} needed"
    )
    return (
        f"proposal {data['number']} {outcome}, {data['votes_for']}–{data['votes_against']}{abstained} "
        f"({needed}{quorum})"
    )


@declare_event("vote_opened", "voting opens", VOTE_CASE, told=_describe_vote_opening)
@declare_event(
    "retallied",
    told=lambda e: f"the vote on proposal {e.data['number']} continues among {join_words(e.data['electorate'])}",
)
def _apply_vote_terms(state: State, event: Event) -> State:
    """Return the state with the voters, weights and quota of a vote that opens, or goes on among other voters."""
    data = event.data
    weights = {name: number_from_json(weight) for name, weight in data["weights"].items()}
    proposal = state.proposals[data["number"]]
    old = proposal.vote
    old_answers = (old.ballots, old.agreed, old.proxies) if old else ({}, {}, {})
    ballots, agreed, proxies = (
        {name: answer for name, answer in each.items() if name in weights} for each in old_answers
    )
    vote = value_from_data(
        data, Vote, weights=weights, quota=None if data["quota"] is None else number_from_json(data["quota"]),
        quorum=number_from_json(data.get("quorum", 0)), law=old.law if old else state.law, ballots=ballots,
        agreed=agreed, proxies=proxies,
    )  # fmt: skip
    status = proposal.status if proposal.status == "ending" else "open"
    return with_proposal(state, replace(proposal, status=status, vote=vote))


declare_event(
    "vote_ending",
    "no more ballots can be cast, but the result is still open: whatever this sets off comes before the result",
    VOTE_CASE,
    told="no more votes can be cast on proposal {number}",
)(fold_status("ending"))


@declare_event(
    "vote_closed",
    "the result of a vote is known",
    VOTE_CASE,
    told=_describe_vote_result,
    late="the result is found by then; what comes before it is done on vote_ending",
)
@fold_vote
def _fix_quota(vote: Vote, event: Event) -> Vote:
    """Return a vote with its quota from the event, unless the quota was known before the vote closed."""
    if vote.quota is not None or "quota" not in event.data:
        return vote
    return replace(vote, quota=number_from_json(event.data["quota"]), quota_rule=event.data["quota_rule"])


declare_event("adopted", "a proposal passes", VOTE_CASE, told="proposal {number} passes")(fold_status("adopted"))


declare_event(
    "defeated",
    "a proposal fails",
    VOTE_CASE,
    told=lambda e: f"proposal {e.data['number']} fails" + (f": {e.data['note']}" if "note" in e.data else ""),
    usual="the proposal fails, with the effects that rules give that; if this is replaced, it lapses",
)(fold_status("defeated"))


declare_event(
    "put_off",
    told=lambda e: (
        f"proposal {e.data['number']} takes effect "
        + {
            TARGET_IS_FREED: "once the rule can be overridden",
            WHEN_READY: "once it is ready",
            "turn ended": "when a turn ends",
            "circuit ended": "when a round ends",
        }[e.data["due"]]
    ),
)(fold_status("waiting"))


declare_event(
    "without_effect",
    told=lambda e: (
        f"{'proposal ' if e.data['number'] else ''}{e.data['number'] or 'the change'} has no effect: {e.data['note']}"
    ),
)(fold_status("without effect"))


# --------------------------------------------------------------------------------------------------------- ballots


def _describe_ballot(event: Event) -> str:
    """Return the history sentence for a ballot, with who has cast it if that was somebody else."""
    ballot = event.data["ballot"]
    does = "abstains on" if ballot == "abstain" else f"votes “{ballot}” on"
    does = f"votes {ballot}" if ballot in VOTE_CHOICES else does
    through = f", through {event.data['by']}" if "by" in event.data else ""
    return f"{event.actor} {does} proposal {event.data['number']}{through}"


@declare_event(
    "balloted",
    "a ballot is cast",
    VOTE_CASE | PLAYER_CASE | {"ballot": BALLOT},
    told=_describe_ballot,
)
@fold_vote
def _record_vote_ballot(vote: Vote, event: Event) -> Vote:
    """Return a vote with a player's ballot, which replaces an earlier one, and with who has cast it instead."""
    ballots, proxies = (
        {name: value for name, value in each.items() if name != event.actor} for each in (vote.ballots, vote.proxies)
    )
    by = {event.actor_name: event.data["by"]} if "by" in event.data else {}
    return replace(vote, ballots={**ballots, event.actor_name: event.data["ballot"]}, proxies=proxies | by)


@declare_event(
    "agreed",
    "a voter says whether the vote may be closed without their ballot",
    VOTE_CASE | PLAYER_CASE | {"answer": YES_NO},
    told=lambda e: (
        f"{e.actor} agrees to close the vote on proposal {e.data['number']} without their vote"
        if e.data["answer"] == "yes"
        else f"{e.actor} does not want to close the vote on proposal {e.data['number']} yet"
    ),
)
@fold_vote
def _record_agreement(vote: Vote, event: Event) -> Vote:
    """Return a vote with a player's answer whether it may be closed without their ballot."""
    return replace(vote, agreed={**vote.agreed, event.actor_name: event.data["answer"]})


declare_event("vote_ended", told="{actor} closes the vote on proposal {number}")


@frozen
class BallotSlot(SingleSlot):
    """A ballot, where a vote is at hand."""

    def check_expression(self, expression: Any, checker: Checker) -> None:
        """Raise an error for an expression that is no ballot, or that stands where no proposal is being voted on."""
        super().check_expression(expression, checker)
        if listed := checker.tables.get(BALLOT_WORDS):
            checker.check_texts_allowed(expression, self.what, cast(tuple[str, ...], listed.holds.words))
        if "proposal" not in checker.names:
            raise checker.error_at_word(
                "cast", say("vote-missing", "no vote is open at this point"), expected="on vote_opened: before it"
            )


@effect(
    "cast {ballot} for {who}",
    example='cast "for" for "Dummy"',
    makes="balloted",
    needs="proposal",
    ballot=BallotSlot(TEXT, "a ballot"),
    who=PlayersSlot(),
)
def _cast(engine: Engine, effect: Any) -> None:
    """Cast a ballot in the current vote."""
    ballot = engine.evaluate(effect.ballot)
    case = engine.item.env["proposal"]
    proposal = engine.state.proposals[case.id]
    vote = proposal.vote
    if vote is None or proposal.status not in ("open", "ending"):
        raise Undecided("no-vote-to-cast", "there is no open vote to cast a ballot in")
    if ballot not in vote.choices:
        raise Undecided(
            "ballot-unknown",
            "{ballot} is not a possible ballot in this vote; players can vote {choices}",
            ballot=value_text(ballot),
            choices=" or ".join(vote.choices),
        )
    for name in evaluate_players(engine, effect.who):
        if name not in vote.electorate or vote.ballots.get(name) == ballot:
            continue  # who may not vote has no ballot that could be cast, and one that is there is not cast again
        if not _may_rule_cast(engine, effect, name):
            continue
        if name in vote.ballots and engine.read("vote.changeable", proposal=case) is not True:
            raise Undecided("ballot-stands", "{player} has already voted, and ballots can’t be changed", player=name)
        engine.emit("balloted", name, number=proposal.number, ballot=ballot)
    engine.schedule("close vote", proposal=case)


@action("balloted", VOTE_CASE | PLAYER_CASE | {"ballot": BALLOT})
def vote(engine: Engine, player: str, ballot: ChoiceField, proposal: ProposalField = None) -> None:
    """Cast a ballot."""
    state = engine.state
    check_undisturbed(state)
    open_proposal, held = find_open_vote(state, player, proposal)
    case = open_proposal.law_case
    ballot = check_among_words(
        held.choices, ballot, f"vote {join_words(held.choices, 'or')} on proposal {open_proposal.number}"
    )
    if player not in held.electorate:
        refuse(
            say(
                "may-not-vote",
                "{player} may not vote on proposal {proposal}",
                player=player,
                proposal=open_proposal.number,
            ),
            held.electorate_rule,
        )
    if held.own_turn and state.turn_of(player) is None:
        refuse(
            say(
                "votes-in-own-turn",
                "{player} can vote on proposal {proposal} only during their own turn",
                player=player,
                proposal=open_proposal.number,
            ),
            state.find("vote.when", **case).rule,
        )
    if held.ballots.get(player) == ballot:
        refuse(
            say(
                "voted-so",
                "{player} has already voted this way on proposal {proposal}",
                player=player,
                proposal=open_proposal.number,
            ),
            state.find("vote.changeable", **case).rule,
        )
    if player in held.ballots:
        stands = say(
            "voted-already",
            "{player} has already voted on proposal {proposal}, and ballots can’t be changed",
            player=player,
            proposal=open_proposal.number,
        )
        check_law_says(state, "vote.changeable", True, stands, **case)
    check_permission(state, "vote", player, f"to vote on proposal {open_proposal.number}", ballot=ballot, **case)
    engine.make_turn_current(open_proposal.turn)
    engine.emit("balloted", player, number=open_proposal.number, ballot=ballot)
    engine.schedule("close vote", **case)


def find_open_vote(state: State, player: str, number: RuleNumber | None) -> tuple[Proposal, Vote]:
    """Return a proposal and its open vote: by number, or (if None) the one the player must mean; else refuse."""
    if number is not None:
        proposal = state.proposals.get(number)
        if proposal is None:
            refuse(unknown_proposal_message(number))
        if proposal.status != "open":
            why = {
                "debate": "hasn’t opened, because the proposal is still being debated",
                "ending": "is over, but has no result yet",
            }.get(proposal.status, f"is closed; the proposal’s status is “{proposal.status}”")
            message = say(
                "vote-not-open",
                "the vote on proposal {proposal} {why}",
                proposal=number,
                why=why,
                status=proposal.status,
            )
            refuse(message)
        return proposal, cast(Vote, proposal.vote)
    still_open = [candidate for candidate in state.open_proposals if candidate.status == "open"]
    if not still_open:
        refuse(say("no-vote-open", "no vote is open"))
    meant = [
        candidate for candidate in still_open if candidate.vote and player in candidate.vote.silent_voters
    ] or still_open
    if len(meant) > 1:
        refuse(
            say(
                "several-votes",
                "several votes are open ({proposals}); say which one you mean",
                proposals=", ".join(str(candidate.number) for candidate in meant),
            )
        )
    return meant[0], cast(Vote, meant[0].vote)


@action("vote_ended", VOTE_CASE | PLAYER_CASE)
def close_vote(engine: Engine, player: str, proposal: ProposalField = None) -> None:
    """Close a vote before everyone has voted."""
    state = engine.state
    check_undisturbed(state)
    open_proposal, held = find_open_vote(state, player, proposal)
    case = open_proposal.law_case
    if held.duty and held.silent_voters:
        duty = held.law.find("vote.duty", state, case)
        refuse(
            say(
                "everyone-must-vote",
                "everyone must vote, but {who} not voted yet",
                who=verb_phrase(held.silent_voters, "has", "have"),
                players=held.silent_voters,
            ),
            duty.rule,
        )
    check_among_players_of(
        state,
        "vote.ended_by",
        player,
        say("cannot-close-vote", "{player} can’t close this vote", player=player),
        **case,
    )
    check_permission(state, "close_vote", player, "to close the vote", **case)
    engine.make_turn_current(open_proposal.turn)
    engine.emit("vote_ended", player, number=open_proposal.number)
    engine.schedule("conclude vote", **case)


@action("agreed", VOTE_CASE | PLAYER_CASE, takes_leave=True)
def agree(engine: Engine, player: str, answer: ChoiceField = "yes", proposal: ProposalField = None) -> None:
    """Say whether a vote may be closed without your ballot, if a rule allows voters to be asked.

    The answer is ``yes`` or ``no``.
    """
    state = engine.state
    check_undisturbed(state)
    sentence = check_among_words(("yes", "no"), answer, "answer yes or no")
    open_proposal, held = find_open_vote(state, player, proposal)
    finding = state.find("may.agree", player=player, **open_proposal.law_case)
    if player not in held.silent_voters or state.law.value_or_default(finding) is not True:
        refuse(
            say(
                "not-asked-to-agree",
                "{player} isn’t asked whether the vote on proposal {proposal} may be closed",
                player=player,
                proposal=open_proposal.number,
            ),
            finding.rule,
        )
    if held.agreed.get(player) in ("yes", sentence):
        refuse(already_answered_message(player), finding.rule)
    engine.make_turn_current(open_proposal.turn)
    engine.emit("agreed", player, number=open_proposal.number, answer=sentence)


def _may_rule_cast(engine: Engine, effect: Any, name: str) -> bool:
    """Tell whether a rule may cast the ballot of a player (`name`); if not, record that it was prevented."""
    if not engine.state.players[name].person:
        return True
    finding = engine.find("vote.automatic", proposal=engine.item.env["proposal"], voter=name)
    allowed = engine.law.value_or_undecided(finding) is True
    if not allowed:
        record_prevention(engine, effect, finding.rule, name)
    return allowed
