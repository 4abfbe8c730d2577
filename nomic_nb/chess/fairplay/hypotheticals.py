"""Adopting a proposed change on trial: the law is asked there, and answers are remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import wraps
from operator import attrgetter, is_
from typing import Any, NamedTuple, NoReturn

from nomic_nb.chess.play.records import function
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.expressions import AFTERWARDS
from nomic_nb.engine.law.nodes import (
    STEPS_PER_ACTION,
    BudgetExceeded,
    LawBody,
    StepMeter,
    Undecided,
    View,
    use_current_or_new_meter,
)
from nomic_nb.engine.law.values import TEXT, TRUTH, ThingRef, Type, Value, list_type
from nomic_nb.engine.law.vocabulary import ALL_FIELDS, Fact, Function
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.engine import EndlessClauses
from nomic_nb.engine.play.lawmaking import put_in_force
from nomic_nb.engine.play.proposals import ids_and_tiers_of_targets, with_proposal
from nomic_nb.engine.play.state import Agenda, State, state_of
from nomic_nb.engine.play.trial_adoption import TrialEngine, calm_state
from nomic_nb.engine.play.values import RULE, ExampleChange, Proposal

#: Steps that it is worth to adopt a change on trial, apart from what it sets off.
TRIAL_COST = 200
#: Fields of a state that differ between the changes that are tried.
_IGNORED_FIELDS = ("proposals", "unsettled")
compared_fields = attrgetter(*(field.name for field in fields(State) if field.name not in _IGNORED_FIELDS))
#: Steps that all looking ahead may take in one action.
LOOKAHEAD_BUDGET = 1_000_000
#: How many answers are remembered.
MOST_ANSWERS_KEPT = 400
#: The function whose answer no machine can find.
FOR_PEOPLE = "for_people"


@frozen(eq=False)
class Supposition:
    """The state of the game if a change were adopted, and why that may be open.

    Parameters
    ----------
    state : State
        After everything that it sets off at once, chance apart.
    doubt : str
        An obstacle such as a question, a choice or an endless circle; empty without one.
    chance : bool
        Whether an effect that depends on a roll is left out.
    """

    state: State
    doubt: str = ""
    chance: bool = False


class _KnownAnswer(NamedTuple):
    """A remembered answer, with what it depends on, its evidence and its cost in steps."""

    game: str
    of: tuple[object, ...]
    value: Any
    evidence: str
    steps: int


#: The last answers: clauses ask the same again and again.
_ANSWERS: dict[tuple[str, object], _KnownAnswer] = {}


def recall_or_find(
    view: View, what: tuple[str, object], of: tuple[object, ...], find: Callable[[View], Any], *, anew: bool = False
) -> Any:
    """Return the remembered answer to `what` if all it depends on (`of`) is unchanged; else `find` and remember it.

    Parameters
    ----------
    view : View
        The evaluation that asks.
    what : tuple of (str, object)
        The function, under whose name it leaves its evidence, and what it is asked about.
    of : tuple
        Objects on which the answer depends, compared by identity.
    find : callable
        Finds the answer in a view.
    anew : bool
        Whether to find it again in an evaluation that finds everything again.
    """
    known, state = _ANSWERS.get(what), state_of(view)
    with use_current_or_new_meter() as meter:
        same = known is not None and len(known.of) == len(of) and all(map(is_, known.of, of))
        if known is not None and same and not (anew and meter.anew):
            if id(known) not in meter.paid:  # so it does not matter which clause asked first
                meter.mark_paid(known)
                meter.charge(known.steps, view.clause_at_work)
            if known.evidence:
                view.evidence[what[0]] = known.evidence
            return known.value
        before = meter.left
        value = find(view)
        known_answer = _KnownAnswer(state.game, of, value, view.evidence.get(what[0], ""), before - meter.left)
        if not meter.anew:
            if len(_ANSWERS) >= MOST_ANSWERS_KEPT or any(answer.game != state.game for answer in _ANSWERS.values()):
                _ANSWERS.clear()  # a state keeps the law of every vote of its game, and games that are over go
            _ANSWERS[what] = known_answer
        meter.mark_paid(known_answer)
        return value


@contextmanager
def lookahead_budget(view: View) -> Iterator[View]:
    """Yield, for a `with` block, a view with a step budget of its own, shared by all looks ahead in one action.

    If less than an action is tried, it takes steps from that budget.

    Raises
    ------
    Undecided
        It is spent.
    """
    meter = view.meter or StepMeter()
    if meter.steps < STEPS_PER_ACTION:
        yield view
        return
    if meter.apart is None:
        meter.apart = StepMeter(LOOKAHEAD_BUDGET, meter.left_out, stops=True, anew=meter.anew)
        meter.apart.apart = meter.apart
    with meter.apart.as_current_meter():
        then = View(view.state, view.env, view.law)
        then.open_keys = view.open_keys
        try:
            yield then
        except BudgetExceeded:
            raise Undecided(
                "supposition-too-long",
                "working out the outcome takes more than {most:,} steps",
                most=LOOKAHEAD_BUDGET,
            ) from None
        finally:
            view.evidence |= then.evidence


def lookahead_function(
    meaning: str, takes: Type, gives: Type, traits: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that declares a function of the law, from type `takes` to `gives`, with remembered answers.

    The answers are the same for all changes looked at meanwhile: they depend on current play, not on proposals.

    Parameters
    ----------
    meaning, takes, gives, traits
        As in `function`.
    """

    def decorate(find: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(find)
        def remembered(view: View, about: object) -> Any:
            of = compared_fields(view.state)
            with lookahead_budget(view) as then:
                return recall_or_find(
                    then, (find.__name__.strip("_"), about), of, lambda then: find(then, about), anew=True
                )

        return function(meaning, takes, gives=gives, traits=traits)(remembered)

    return decorate


def examined_proposal(view: View) -> Proposal:
    """Return the open proposal that is being examined; raise `Undecided` if none exists.

    Raises
    ------
    Undecided
        There is none, it is adopted by now, or it is an example of its kind, of which nothing is to come.
    """
    ref, state = view.env.get("proposal"), state_of(view)
    proposal = state.proposals.get(ref.id) if isinstance(ref, ThingRef) else None
    if proposal is None:
        raise Undecided("no-change-to-suppose", "there is no proposed change to check here")
    if isinstance(proposal, ExampleChange):
        raise Undecided("change-not-proposed-yet", "a change’s effects are checked when it is proposed")
    if not proposal.is_open:
        raise Undecided(
            "proposal-closed-by-now",
            "proposal {proposal} is no longer open: it is {status}",
            proposal=proposal.number,
            status=proposal.status,
        )
    return proposal


def suppose_change(view: View) -> Supposition:
    """Return the game as if the proposed change were adopted, and what makes that uncertain, such as dice rolls."""
    state, proposal = state_of(view), examined_proposal(view)

    def find(then: View) -> Supposition:
        then.spend_steps(1, TRIAL_COST)
        return _adopt_on_trial(state, proposal)

    supposition: Supposition = recall_or_find(view, ("supposed", ""), (state, view.law, proposal), find)
    return supposition


def _adopt_on_trial(state: State, proposal: Proposal) -> Supposition:
    """Adopt a proposal in a copy of the game, and return the new state."""
    adopted, thrown = replace(proposal, status="adopted", aims=ids_and_tiers_of_targets(state, proposal.change)), False
    engine = TrialEngine(with_proposal(calm_state(state), adopted), frozenset())
    try:
        engine._run_guarded(lambda: put_in_force(engine, adopted))
        engine.finish_agenda()
        while engine.state.waiting and engine.state.waiting[0].action == "roll" and not engine.state.questions:
            thrown, behind = True, engine.state.waiting[0].agenda[1:]  # what does not depend on the roll is done
            engine.state = engine.state.replace(waiting=(), agenda=Agenda(behind))
            engine.finish_agenda()
    except EndlessClauses:
        return Supposition(engine.state, "rules would set each other off endlessly")
    after = engine.state
    after.law.reuse_findings_of(state.law)
    doubt = after.questions[0].text if after.questions else ""
    if after.waiting:
        doubt = "it depends on what somebody chooses"
    return Supposition(after.replace(questions=(), waiting=()), doubt, thrown or bool(engine.throwing))


def state_and_law_after_change(view: View, form: str) -> tuple[State, LawBody]:
    """Return state and law as if the proposed change were adopted; dice may not matter if `form` is `AFTERWARDS`.

    Raises
    ------
    Undecided
        That cannot be told: it depends on a roll or a choice, or the table would be asked.
    """
    supposition = suppose_change(view)
    if supposition.doubt:
        raise Undecided(_outcome_open_message(supposition))
    if supposition.chance and form == AFTERWARDS:
        raise Undecided("outcome-depends-on-throw", "the outcome depends on a roll")
    return supposition.state, supposition.state.law


def _find_contradicted_rules(view: View) -> Value:
    """Return references to the stronger rules that the proposed change contradicts."""
    before = state_of(view).rules
    supposed = suppose_change(view)
    after = supposed.state.rules
    if supposed.doubt and after is before:  # what it sets off may be open: what is in the book is not
        raise Undecided(_outcome_open_message(supposed))
    contradicted: dict[int, None] = {}
    for id, why in after.void.items():
        if id not in before.void and why.against is not None and why.against in after.rules:
            contradicted[why.against] = None
            rule, on = after.rules[why.against], f" on {why.key}" if why.key else ""
            view.evidence["contradicted"] = f"it contradicts rule {rule.number} “{rule.title}”{on}"
    return tuple(ThingRef("rule", id) for id in contradicted)


def _outcome_open_message(supposition: Supposition) -> Message:
    """Return the message that the effect of a change is open, and why."""
    return say("outcome-open", "the outcome is still open: {doubt}", doubt=supposition.doubt)


def _leave_to_people(_: View, *texts: Value) -> NoReturn:
    """Raise `Undecided`: only people can answer the question that these texts, joined together, ask."""
    sentence = "".join(map(str, texts))
    doubt = Undecided("for-people-to-say", "only people can say {what}", what=sentence)
    doubt.people = sentence
    raise doubt


FUNCTIONS = (
    Function(
        FOR_PEOPLE, (TEXT,), TRUTH, "whether people say yes to this, or to these texts joined together: for "
                                    "questions that no machine can answer, such as whether a wording is retroactive",
        _leave_to_people, ALL_FIELDS, variadic=True,
    ),
)  # fmt: skip
FACTS = (
    Fact("contradicted", list_type(RULE), "the stronger rules that would make the proposed change void",
    ALL_FIELDS,
         _find_contradicted_rules, ("proposal",)),
)  # fmt: skip
