"""What rules can say of a proposal; where one is at hand, most of it without naming it."""

from __future__ import annotations

from nomic_nb.law.making import find_target, find_targets
from nomic_nb.law.values import NUMBER, TEXT, TRUTH, Number, Ref, Value, list_of, maybe, worded
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import Field, Record
from nomic_nb.play.cases import CHANGE, PLAYER, PLAYERS, PROPOSAL, RULE
from nomic_nb.play.declaring import fact, of_each
from nomic_nb.play.due import hours_since
from nomic_nb.play.people import refs
from nomic_nb.play.possible import SUPPOSED
from nomic_nb.play.state import state_of
from nomic_nb.play.values import Proposal

#: What a proposal can be.
STATUS = ("debate", "open", "ending", "adopted", "waiting", "without effect", "defeated", "lapsed")


def proposal_of(view: View, id: int | str) -> Proposal:
    """Return the proposal that a name in a view stands for."""
    return state_of(view).proposals[id]


def _target(view: View, id: int | str) -> Value:
    change = proposal_of(view, id).change
    if change.target is None:
        return None
    try:
        return find_target(state_of(view).rules, change).ref
    except LookupError:
        return None


def _targets(view: View, id: int | str) -> Value:
    try:
        found = find_targets(state_of(view).rules, proposal_of(view, id).change)
    except LookupError:
        return ()
    return tuple(rule.ref for rule in found)


def _judge_asked(view: View, id: int | str) -> Value:
    state = state_of(view)
    return any(state.judgments[one].proposal == id for one in state.docket)


def _number(_: View, id: int | str) -> Value:
    if isinstance(id, str):
        raise Undecided(f"{id} is a label and not a number")
    return id


def _electorate(view: View, id: int | str) -> Value:
    return view.key("vote.electorate", proposal=Ref("proposal", id))


def _quota(view: View, id: int | str) -> Value:
    return view.key("vote.quota", proposal=Ref("proposal", id))


def _weight(proposal: Proposal, ballot: str) -> Number:
    return proposal.vote.weight(ballot) if proposal.vote else 0


def _cast(proposal: Proposal, ballot: str) -> tuple[Value, ...]:
    """Return who has cast this ballot."""
    ballots = proposal.vote.ballots if proposal.vote else {}
    return refs(name for name, one in ballots.items() if one == ballot)


def _agreed(proposal: Proposal) -> tuple[Value, ...]:
    answers = proposal.vote.agreed if proposal.vote else {}
    return refs(name for name, answer in answers.items() if answer == "yes")


FACTS = (
    fact("proposals", list_of(PROPOSAL), "all proposals, whatever became of them",
         lambda state: [number for number in state.proposals if number != SUPPOSED]),
)  # fmt: skip

RECORDS = (
    Record("proposal", "a proposal", (
        Field("number", NUMBER, "its number", (), _number),
        *of_each(
            proposal_of, ("proposals",),
            ("turn", NUMBER, "the turn in which it was made"),
            ("circuit", NUMBER, "the circuit in which it was made"),
            ("status", worded(TEXT, STATUS),
             "debate, open, ending, adopted, waiting, without effect, defeated or lapsed"),
        ),
        Field("hours", NUMBER, "hours since it was made; at most since time is recorded", ("clock",),
              lambda view, id: hours_since(view, "proposal", id)),
        Field("judge_asked", TRUTH, "whether the Judge was asked to end its debate", ("docket", "judgments"),
              _judge_asked),
        Field("change", CHANGE, "what is proposed", (), lambda _, id: Ref("change", id)),
        Field("target", maybe(RULE), "the rule to be changed", ("proposals", "rules"), _target),
        Field("targets", list_of(RULE), "the rules to be changed: several, where they are changed together",
              ("proposals", "rules"), _targets),
        *of_each(
            proposal_of, ("proposals",),
            ("proponent", PLAYER, "who made the proposal"),
            ("movers", PLAYERS, "those who gave it its form: who made it, and who revised it since"),
        ),
        Field("electorate", PLAYERS, "who may vote on it, as it was fixed; until then, as the law has it",
              ("proposals",), _electorate, ("vote.electorate",)),
        Field("quota", NUMBER, "how many votes in favour adopt it, as it was fixed; until then, as the law has it",
              ("proposals",), _quota, ("vote.quota",)),
        *of_each(
            proposal_of, ("proposals",),
            ("votes_for", NUMBER, "the weight of the ballots for it", lambda one: _weight(one, "for")),
            ("votes_against", NUMBER, "the weight of the ballots against it", lambda one: _weight(one, "against")),
            ("supporters", PLAYERS, "those who voted for it", lambda one: _cast(one, "for")),
            ("opponents", PLAYERS, "those who voted against it", lambda one: _cast(one, "against")),
            ("abstainers", PLAYERS, "those who abstained", lambda one: _cast(one, "abstain")),
            ("votes_cast", NUMBER, "the weight of all ballots, whatever they say",
             lambda one: one.vote.cast if one.vote else 0),
            ("not_voted", PLAYERS, "the voters without a ballot",
             lambda one: refs(one.vote.waiting) if one.vote else ()),
            ("agreed", PLAYERS, "the voters who say that the vote may be closed without their ballot", _agreed),
        ),
    ), kept=True, alone=(
        "change", "target", "targets", "proponent", "movers", "electorate", "quota", "votes_for", "votes_against",
        "supporters", "opponents", "abstainers", "votes_cast", "not_voted", "agreed",
    )),
)  # fmt: skip
