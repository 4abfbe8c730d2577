"""What would come of the change at hand: it is adopted on trial, and the law is asked there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from nomic_nb.law.expressions import AFTERWARDS
from nomic_nb.law.resolver import Law
from nomic_nb.law.values import Ref
from nomic_nb.law.view import METER, Body, Undecided, View
from nomic_nb.play.agenda import Agenda
from nomic_nb.play.engine import Endless
from nomic_nb.play.lawmaking import put_in_force
from nomic_nb.play.proposals import aims_of, with_proposal
from nomic_nb.play.state import State
from nomic_nb.play.trial import Trial, calm
from nomic_nb.play.values import Example, Proposal

#: Steps that it is worth to adopt a change on trial, apart from what it sets off.
TRYING = 200


@dataclass(frozen=True)
class Supposed:
    """How things would stand if a change were adopted.

    Parameters
    ----------
    state : State
        Once everything is done that it sets off at once, chance apart.
    doubt : str
        What comes between: a question, a choice, an endless circle; empty where nothing does.
    chance : bool
        Whether something that it sets off hangs on a throw, and is left out.
    """

    state: State
    doubt: str = ""
    chance: bool = False


#: The last answer, with what it was asked of and the steps it took: clauses ask the same again and again.
_KNOWN: dict[str, tuple[State, Law, object, Supposed, int]] = {}


def proposal_at_hand(view: View) -> Proposal:
    """Return the proposal whose change is looked at before it is adopted.

    Raises
    ------
    Undecided
        There is none, it is adopted by now, or it is an example of its kind, of which nothing is to come.
    """
    ref, state = view.env.get("proposal"), cast(State, view.state)
    proposal = state.proposals.get(ref.id) if isinstance(ref, Ref) else None
    if proposal is None:
        raise Undecided("no change is at hand here")
    if isinstance(proposal, Example):
        raise Undecided("what comes of a change is looked at when it is proposed")
    if not proposal.open:
        raise Undecided(f"what was proposed as {proposal.number} is {proposal.status} by now")
    return proposal


def supposed_by(view: View) -> Supposed:
    """Return how things would stand if the change at hand were adopted; it takes from the budget of the action."""
    state, law, proposal = cast(State, view.state), cast(Law, view.law), proposal_at_hand(view)
    known, meter = _KNOWN.get("last"), METER.get()
    if known is not None and known[0] is state and known[1] is law and known[2] is proposal:
        if meter is not None:
            meter.charge_once(known[3], known[4], view.part)  # so that it does not matter which clause asked first
        return known[3]
    before = meter.left if meter is not None else 0
    view.spend(1, TRYING)
    found = _try(state, proposal)
    steps = before - meter.left if meter is not None else TRYING
    if meter is None or not meter.anew:
        _KNOWN["last"] = (state, law, proposal, found, steps)
    if meter is not None:
        meter.pay(found)
    return found


def _try(state: State, proposal: Proposal) -> Supposed:
    adopted, thrown = replace(proposal, status="adopted", aims=aims_of(state, proposal.change)), False
    engine = Trial(with_proposal(calm(state), adopted), frozenset())
    try:
        engine._guarded(lambda: put_in_force(engine, adopted))
        engine.finish()
        while engine.state.waiting and engine.state.waiting[0].action == "roll" and not engine.state.questions:
            thrown, behind = True, engine.state.waiting[0].agenda[1:]  # what does not hang on the throw is done
            engine.state = engine.state.but(waiting=(), agenda=Agenda(behind))
            engine.finish()
    except Endless:
        return Supposed(engine.state, "rules set each other off for ever")
    after = engine.state
    doubt = after.questions[0].text if after.questions else ""
    if after.waiting:
        doubt = "that depends on what somebody chooses"
    return Supposed(after.but(questions=(), waiting=()), doubt, thrown or bool(engine.throwing))


def afterwards(view: View, form: str) -> tuple[object, Body]:
    """Return how things would stand if the change at hand were adopted, with its law.

    Raises
    ------
    Undecided
        That cannot be told: it hangs on a throw or a choice, or the table would be asked.
    """
    found = supposed_by(view)
    if found.doubt:
        raise Undecided(f"what comes of it is open: {found.doubt}")
    if found.chance and form == AFTERWARDS:
        raise Undecided("what comes of it depends on a throw")
    return found.state, found.state.law
