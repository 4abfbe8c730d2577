"""A change adopted on trial: what it brings, on a state that nobody keeps."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.nodes import STEPS_PER_ACTION, WORST_SIZES, BudgetExceeded, LawPart, StepMeter, Undecided
from nomic_nb.engine.law.rules import Number, Rule, SourceClause
from nomic_nb.engine.law.values import CaseNames, ThingRef
from nomic_nb.engine.play.adoptability import SUPPOSED_CASE, SUPPOSED_LABEL, suppose_proposed
from nomic_nb.engine.play.agenda_items import AgendaItem
from nomic_nb.engine.play.book_in_play import with_book
from nomic_nb.engine.play.decisions import numbers_are_assigned
from nomic_nb.engine.play.engine import DependsOnChance, EndlessClauses
from nomic_nb.engine.play.events import Cause, Event, cause_of
from nomic_nb.engine.play.lawmaking import (
    EVENT_OF_CHANGE,
    EnactedPart,
    books_of_changes,
    put_in_force,
    record_proposal_event,
)
from nomic_nb.engine.play.loop import Loop, overactive_rules, rule_numbers_of
from nomic_nb.engine.play.proposals import targets_of, with_proposal
from nomic_nb.engine.play.state import Agenda, State
from nomic_nb.engine.play.tables import rename_table
from nomic_nb.engine.play.values import Proposal, Vote
from nomic_nb.engine.play.vote_rules import vote_states


class TrialEngine(Loop):
    """An engine for a supposition: it throws no dice, and leaves out what depends on a throw.

    Parameters
    ----------
    state : State
        Where play stands.
    muted : frozenset of Cause
        Clauses that do not go off.
    spent : frozenset of int
        Rules whose triggers do not go off.
    """

    supposed = True

    def __init__(self, state: State, muted: frozenset[Cause], spent: frozenset[int] = frozenset()) -> None:
        super().__init__(state, 0, muted, spent)
        #: Rules that would throw dice.
        self.throwing: list[Number] = []

    def ask_about(
        self, doubt: Undecided, item: AgendaItem | None = None, act: str = "", actor: str | None = None
    ) -> None:
        """Ask, as play would; but leave out what depends on a throw, and go on."""
        if not isinstance(doubt, DependsOnChance) or item is None:
            super().ask_about(doubt, item, act, actor)
            return
        self.state = self.state.replace(agenda=self.state.agenda.taken()[1])
        if item.cause is not None and item.cause.rule not in self.throwing:
            self.throwing.append(item.cause.rule)

    def simulate_event(self, event: str, env: CaseNames) -> None:
        """Let rules answer to an event that does not happen itself, and do what they make of it."""
        self._fire_triggers(event, dict(env), None)
        self.finish()

    def simulate_offer(self, offer: SourceClause, player: str) -> None:
        """Let a player take what a rule offers, open or not, and do what comes of it."""
        self.start_clause(offer, {"player": ThingRef("player", player)})
        self.finish()

    def finish(self) -> None:
        """Work off the agenda; then settle what comes of it."""
        while self.state.agenda and not (self.state.over or self.state.questions):
            self._do_next_item()
        self.settle()

    def settle(self) -> None:
        """Read precedence again, who has won, and the form of the boards."""
        for last in (self._settle, lambda: installed_extension().settle(self)):
            if not (self.state.over or self.state.questions):
                self._run_guarded(last)


@frozen(eq=False)
class Adoption:
    """What happens when a change is adopted.

    Parameters
    ----------
    number : int or str or None
        The number of the proposal; None where the law gives none.
    made : tuple of (Change, Rule or None)
        Each change of one rule, and the rule as it would leave it, even if the change is stopped; None for a repeal.
        Nothing if the change cannot be made.
    written : State
        The law with the change in it, whatever may stop it.
    after : State
        How things stand when everything is done that the adoption sets off.
    events : tuple of Event
        What happens.
    due : str
        When it takes effect, by the law; empty where it does not say.
    note : str
        Why it has no effect; empty where it has.
    stopped_by : int or str or None
        The rule whose requirement stops it.
    in_force : bool
        Whether the change comes into force.
    doubts : tuple of str
        What the table would be asked.
    endless : tuple of str
        What is to be said of rules that set each other off for ever, or have more effects than a step.
    throwing : tuple of int or str
        Rules that throw dice; what they do then is left out.
    costly : tuple of int or str
        Rules that take too many steps.
    """

    number: Number | None
    made: tuple[tuple[Change, Rule | None], ...]
    written: State
    after: State
    events: tuple[Event, ...] = ()
    due: str = ""
    note: str = ""
    stopped_by: Number | None = None
    in_force: bool = False
    doubts: tuple[str, ...] = ()
    endless: tuple[str, ...] = ()
    throwing: tuple[Number, ...] = ()
    costly: tuple[Number, ...] = ()

    @property
    def rule(self) -> Rule | None:
        """The rule that a single change leaves; None for a repeal, and for several changes."""
        return self.made[0][1] if len(self.made) == 1 else None

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won by it."""
        return self.after.winners


def calm_state(state: State) -> State:
    """Return the state with nothing under way, so that a supposition can be made in it."""
    return state.replace(agenda=Agenda(), waiting=(), questions=(), standstill=(), paused=False, over=False, winners=())


def number_of_change(state: State, change: Change, player: str) -> Number | None:
    """Return the number that a change has, if it is proposed already, or would take if it came next.

    Where others assign numbers, the next one above all that were given stands for it.
    """
    for proposal in state.open_proposals:
        if proposal.proponent == player and proposal.change.to_json() == change.to_json():
            return proposal.number
    label = suppose_proposed(state, change, player).find("proposal.label", **SUPPOSED_CASE)
    if label.answered and label.value is not None:
        return str(label.value)
    first, last = state.find("proposal.first_number").value, state.last_number
    if numbers_are_assigned(state):
        last = max((number for number in state.proposals if isinstance(number, int)), default=None)
    if first is None and last is None:
        return None
    given: int = (first or 0) if last is None else max(last + 1, first or 0)
    while given in state.proposals or given in state.rules.by_number:
        given += 1
    return given


def try_adoption(
    state: State, change: Change, player: str, number: Number | None, vote: Vote | None = None,
    muted: frozenset[Cause] = frozenset(), costly: frozenset[LawPart] = frozenset(), steps: int = STEPS_PER_ACTION,
    *, anew: bool = False,
) -> Adoption:  # fmt: skip
    """Adopt a change on trial.

    Parameters
    ----------
    state : State
        A calm one; it is not touched.
    change : Change
        What is adopted; it was checked before.
    player : str
        The proponent.
    number : int or str or None
        The number of the proposal.
    vote : Vote, optional
        The vote as it closed.
    muted : frozenset of Cause
        Clauses to be left out, because they set each other off for ever.
    costly : frozenset of Part
        Parts of rules to be left out, because they take too many steps.
    steps : int
        How many are too many.
    anew : bool
        Whether nothing counts that was looked at before, to see which rule takes the steps.
    """
    asked, proposal = state_under_vote(state, change, player, number, vote)
    known = proposal.number
    engine, meter = TrialEngine(asked, muted, overactive_rules(costly)), StepMeter(steps, costly, stops=True, anew=anew)
    due = asked.find("change.effective", **proposal.case)
    closed = asked.seq
    try:
        with meter.running():
            _close_trial_vote(engine, proposal)
            closed = engine.state.seq
            engine._run_guarded(lambda: put_in_force(engine, engine.state.proposals[known]))
            engine.finish()
    except EndlessClauses as endless:
        if muted:
            raise
        found = try_adoption(state, change, player, number, vote, endless.causes, costly, steps)
        return replace(found, endless=endless.told)
    except BudgetExceeded:
        if not meter.anew:
            return try_adoption(state, change, player, number, vote, muted, costly, steps, anew=True)
        worst = costly | meter.costly(WORST_SIZES[-1] if costly else WORST_SIZES[0])
        if worst != costly:
            found = try_adoption(state, change, player, number, vote, muted, worst, steps)
            return replace(found, costly=rule_numbers_of(engine.state, worst))
        engine.state = engine.state.replace(agenda=Agenda())
    events = tuple(event for event, _ in engine.moments)
    stopped = next((one for one in events if one.kind == "without_effect" and one.data["number"] == known), None)
    written, made = _with_change_in_law(asked.replace(seq=closed), proposal)
    said = f"the law does not say when an adopted change takes effect ({due.reason or due.outcome})"
    unsaid = () if due.answered else (said,)
    return Adoption(
        number,
        made,
        written,
        engine.state,
        events,
        str(due.value) if due.answered else "",
        "" if stopped is None else str(stopped.data["note"]),
        stopped.cause.rule if stopped is not None and stopped.cause else None,
        any(_is_about_proposal(one, proposal) for one in events),
        (*unsaid, *(question.text for question in engine.state.questions)),
        throwing=tuple(engine.throwing),
    )


def put_into_law(state: State, change: Change, player: str, number: Number | None) -> Adoption:
    """Put a change into the law, and let nothing come of it: parameters are those of `try_adoption`."""
    asked, proposal = state_under_vote(state, change, player, number, None)
    written, made = _with_change_in_law(asked, proposal)
    return Adoption(number, made, written, written, in_force=written is not asked)


def state_under_vote(
    state: State, change: Change, player: str, number: Number | None, vote: Vote | None
) -> tuple[State, Proposal]:
    """Return the state in which a change is voted on, and the proposal: parameters are those of `try_adoption`."""
    called, numbers = SUPPOSED_LABEL if number is None else number, tuple[Number, ...]()
    if change.parts:
        first = number if isinstance(number, int) else state.last_number or 0
        numbers = (called, *range(first + 1, first + len(change.parts)))
    proposal = Proposal(
        called, change, player, state.turn, "open", vote, numbers=numbers, aims=targets_of(state, change),
        circuit=state.circuit,
    )  # fmt: skip
    asked = with_proposal(state, proposal)
    if isinstance(number, int):
        last = number + len(numbers[1:])
        asked = asked.replace(last_number=max(last, state.last_number or last))
    return asked, proposal


def _is_about_proposal(event: Event, proposal: Proposal) -> bool:
    """Tell whether an event is a change of the law, or of a proposal, that a proposal makes."""
    if event.kind == "revised":
        return event.data.get("motion") == proposal.number
    numbers = proposal.numbers or (proposal.number,)
    return event.kind in EVENT_OF_CHANGE.values() and event.data["number"] in numbers


def _close_trial_vote(engine: TrialEngine, proposal: Proposal) -> None:
    if proposal.vote is None:
        return
    engine.cause = cause_of(proposal.vote.law.find("vote.adopted", engine.state, proposal.case)) or engine.cause
    for kind in ("vote_closed", "adopted"):
        record_proposal_event(engine, kind, proposal, env=proposal.case)


def _with_change_in_law(state: State, proposal: Proposal) -> tuple[State, tuple[tuple[Change, Rule | None], ...]]:
    """Return the state with the change in its law, whatever would stop it, and the rules that it leaves."""
    law, case, of = state.law, proposal.case, proposal.change
    if of.kind == "revise":
        return state, ()
    parts = zip(proposal.parts, vote_states(state, proposal), strict=True)
    pieces = [EnactedPart(one, None if number == SUPPOSED_LABEL else number, asked) for (one, number), asked in parts]
    try:
        takes = state.read("rule.takes_number", **case) is True
        book, made = books_of_changes(law, state, pieces, proposal.proponent, case, takes_number=takes)
    except (Undecided, LookupError):
        return state, ()
    trial = with_book(rename_table(state, *of.renames) if of.renames else state, book)
    with suppress(Undecided):
        trial = trial.replace(law=trial.law.reordered(trial))
    return trial, tuple([(one.change, rule if rule.id in book.rules else None) for one, rule, _ in made])
