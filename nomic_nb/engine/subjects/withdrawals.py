"""Withdrawing a proposal: its proponent may, if a rule says so."""

from __future__ import annotations

from collections.abc import Iterator

from nomic_nb.engine.messages import say
from nomic_nb.engine.play.decisions import PROPOSAL_DECISIONS
from nomic_nb.engine.play.declarations import ProposalField, action, declare_event
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.permissions import check_undisturbed, permission_or_undecided, refuse
from nomic_nb.engine.play.proposals import fold_status
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import PLAYER_CASE, VOTE_CASE, Decision, Proposal

declare_event(
    "proposal_withdrawn",
    "a player withdraws a proposal",
    VOTE_CASE | PLAYER_CASE,
    told="{actor} withdraws proposal {number}",
)(fold_status("lapsed"))


def _decisions(state: State, proposal: Proposal) -> Iterator[Decision]:
    """Yield the decision to withdraw a proposal, if a rule allows it."""
    leave = state.find("may.withdraw", player=proposal.proponent, **proposal.law_case)
    if leave.says(True) and proposal.status != "ending":
        yield Decision(
            proposal.proponent,
            "withdraw",
            f"withdraw proposal {proposal.number}",
            (),
            leave.rule,
            proposal.number,
            must=False,
        )


PROPOSAL_DECISIONS.append(_decisions)


@action("proposal_withdrawn", VOTE_CASE | PLAYER_CASE, takes_leave=True)
def withdraw(engine: Engine, player: str, proposal: ProposalField = None) -> None:
    """Withdraw a proposal.

    It must be your own, and a rule must allow it, as ``allow withdraw`` does. Its number stays in use.
    """
    state = engine.state
    check_undisturbed(state)
    own = [one for one in state.open_proposals if one.status != "ending" and one.proponent == player]
    if not own:
        refuse(say("none-to-withdraw", "{player} has no open proposal to withdraw", player=player))
    meant = [one for one in own if proposal in (None, one.number)]
    if len(meant) != 1:
        numbers = ", ".join(str(one.number) for one in own)
        refuse(say("which-to-withdraw", "name one of your own open proposals: {proposals}", proposals=numbers))
    (held,) = meant
    finding = state.find("may.withdraw", player=player, **held.law_case)
    if finding.outcome != "silent" and permission_or_undecided(state, finding) is True:
        engine.make_turn_current(held.turn)
        engine.emit("proposal_withdrawn", player, number=held.number)
        return
    refuse(
        say(
            "no-withdrawing",
            "no rule lets {player} withdraw proposal {proposal} now",
            player=player,
            proposal=held.number,
        ),
        finding.rule,
    )
