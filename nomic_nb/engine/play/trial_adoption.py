"""A change adopted on trial: its effects, on a state that nobody keeps."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.frozen import frozen
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.nodes import STEPS_PER_ACTION, WORST_SIZES, BudgetExceeded, LawPart, StepMeter, Undecided
from nomic_nb.engine.law.rules import Number, Rule, SourceClause
from nomic_nb.engine.law.values import CaseNames, ThingRef
from nomic_nb.engine.play.adoptability import SUPPOSED_LABEL
from nomic_nb.engine.play.agenda_items import AgendaItem
from nomic_nb.engine.play.book_in_play import with_book
from nomic_nb.engine.play.engine import DependsOnChance, EndlessClauses
from nomic_nb.engine.play.events import Cause, Event, cause_of
from nomic_nb.engine.play.lawmaking import (
    EVENT_OF_CHANGE,
    EnactedPart,
    book_of_changes,
    put_in_force,
    record_proposal_event,
)
from nomic_nb.engine.play.loop import Loop, rule_numbers_of, rules_with_costly_triggers
from nomic_nb.engine.play.proposals import ids_and_tiers_of_targets, with_proposal
from nomic_nb.engine.play.state import Agenda, State
from nomic_nb.engine.play.tables import rename_table
from nomic_nb.engine.play.values import Proposal, Vote
from nomic_nb.engine.play.vote_rules import states_for_parts


class TrialEngine(Loop):
    """An engine for a supposition: it rolls no dice, and leaves out everything that depends on a roll.

    Parameters
    ----------
    state : State
        The current state.
    muted : frozenset of Cause
        Clauses that do not go off.
    spent : frozenset of int
        Rules whose triggers do not go off.
    """

    supposed = True

    def __init__(self, state: State, muted: frozenset[Cause], spent: frozenset[int] = frozenset()) -> None:
        super().__init__(state, 0, muted, spent)
        #: Rules that would roll dice.
        self.throwing: list[Number] = []

    def ask_about(
        self, doubt: Undecided, item: AgendaItem | None = None, act: str = "", actor: str | None = None
    ) -> None:
        """Turn a doubt into a question; or, if it depends on dice, drop the agenda item and note its rule."""
        if not isinstance(doubt, DependsOnChance) or item is None:
            super().ask_about(doubt, item, act, actor)
            return
        self.state = self.state.replace(agenda=self.state.agenda.split_first()[1])
        if item.cause is not None and item.cause.rule not in self.throwing:
            self.throwing.append(item.cause.rule)

    def simulate_event(self, event: str, env: CaseNames) -> None:
        """Fire the triggers for an event without recording it, with the names in `env`, and do their effects."""
        self._fire_triggers(event, dict(env), None)
        self.finish_agenda()

    def simulate_offer(self, offer: SourceClause, player: str) -> None:
        """Take an offer for a player, whether or not it is open to them, and do its effects."""
        self.start_clause(offer, {"player": ThingRef("player", player)})
        self.finish_agenda()

    def finish_agenda(self) -> None:
        """Do everything on the agenda, unless a question or the game's end stops it, and end the step."""
        while not (self.state.over or self.state.questions) and (self.state.agenda or self.start_whenevers()):
            self._do_next_item()
        self.end_trial_step()

    def end_trial_step(self) -> None:
        """Read the order of precedence and the winners again, and update the boards, as a step's end does."""
        for last in (self._end_step, lambda: installed_extension().update_after_step(self)):
            if not (self.state.over or self.state.questions):
                self._run_guarded(last)


@frozen(eq=False)
class Adoption:
    """The result of adopting a change.

    Parameters
    ----------
    number : int or str or None
        The number of the proposal; None if the law gives it none.
    made : tuple of (Change, Rule or None)
        Each change of one rule, and the rule as it would leave it, even if the change is stopped; None for a repeal.
        Nothing if the change cannot be made.
    written : State
        The law with the change in it, even if something stops the change.
    after : State
        The state after all consequences of the adoption.
    events : tuple of Event
        Events of the adoption.
    due : str
        Time when it takes effect, by the law; empty if the law does not say.
    note : str
        Reason why it has no effect; empty if it has one.
    stopped_by : int or str or None
        The rule whose requirement stops it.
    in_force : bool
        Whether the change comes into force.
    doubts : tuple of str
        Questions that the players would be asked.
    endless : tuple of str
        Messages about rules that set each other off forever, or have more effects than a step allows.
    throwing : tuple of int or str
        Rules that roll dice; their effects are left out.
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
    def single_rule(self) -> Rule | None:
        """The rule made or changed by the only change, in its new form; None for a repeal or for several changes."""
        return self.made[0][1] if len(self.made) == 1 else None

    @property
    def winners(self) -> tuple[str, ...]:
        """The names of the players who win by the adoption."""
        return self.after.winners


def calm_state(state: State) -> State:
    """Return the state with nothing pending and the game not over or paused, as a start for trials."""
    return state.replace(agenda=Agenda(), waiting=(), questions=(), standstill=(), paused=False, over=False, winners=())


def try_adoption(
    state: State, change: Change, player: str, number: Number | None, vote: Vote | None = None,
    muted: frozenset[Cause] = frozenset(), costly: frozenset[LawPart] = frozenset(), steps: int = STEPS_PER_ACTION,
    *, anew: bool = False,
) -> Adoption:  # fmt: skip
    """Adopt a player's change on a copy of the state, and return the result as an `Adoption`.

    Parameters
    ----------
    state : State
        A calm state, which stays unchanged.
    change : Change
        The change to adopt; already checked.
    player : str
        The proponent.
    number : int or str or None
        The number of the proposal.
    vote : Vote, optional
        The vote as it closed.
    muted : frozenset of Cause
        Clauses to leave out, because they set each other off forever.
    costly : frozenset of Part
        Parts of rules to leave out, because they take too many steps.
    steps : int
        Largest number of steps allowed.
    anew : bool
        Whether nothing counts that was looked at before, to see which rule takes the steps.
    """
    asked, proposal = state_under_vote(state, change, player, number, vote)
    known = proposal.number
    engine = TrialEngine(asked, muted, rules_with_costly_triggers(costly))
    meter = StepMeter(steps, costly, stops=True, anew=anew)
    due = asked.find("change.effective", **proposal.law_case)
    closed = asked.seq
    try:
        with meter.as_current_meter():
            _close_trial_vote(engine, proposal)
            closed = engine.state.seq
            engine._run_guarded(lambda: put_in_force(engine, engine.state.proposals[known]))
            engine.finish_agenda()
    except EndlessClauses as endless:
        if muted:
            raise
        adoption = try_adoption(state, change, player, number, vote, endless.causes, costly, steps)
        return replace(adoption, endless=endless.sentences)
    except BudgetExceeded:
        if not meter.anew:
            return try_adoption(state, change, player, number, vote, muted, costly, steps, anew=True)
        worst = costly | meter.costliest_parts(WORST_SIZES[-1] if costly else WORST_SIZES[0])
        if worst != costly:
            adoption = try_adoption(state, change, player, number, vote, muted, worst, steps)
            return replace(adoption, costly=rule_numbers_of(engine.state, worst))
        engine.state = engine.state.replace(agenda=Agenda())
    events = tuple(event for event, _ in engine.moments)
    stopped = next(
        (event for event in events if event.kind == "without_effect" and event.data["number"] == known), None
    )
    written, changed_rules = _with_change_in_law(asked.replace(seq=closed), proposal)
    sentence = f"the rules do not say when a change that passes takes effect ({due.reason or due.outcome})"
    unsaid = () if due.answered else (sentence,)
    return Adoption(
        number,
        changed_rules,
        written,
        engine.state,
        events,
        str(due.value) if due.answered else "",
        "" if stopped is None else str(stopped.data["note"]),
        stopped.cause.rule if stopped is not None and stopped.cause else None,
        any(_carries_out_proposal(event, proposal) for event in events),
        (*unsaid, *(question.text for question in engine.state.questions)),
        throwing=tuple(engine.throwing),
    )


def adopt_without_effects(state: State, change: Change, player: str, number: Number | None) -> Adoption:
    """Return the adoption of a change as a change of law alone, without anything that follows from it."""
    asked, proposal = state_under_vote(state, change, player, number, None)
    written, changed_rules = _with_change_in_law(asked, proposal)
    return Adoption(number, changed_rules, written, written, in_force=written is not asked)


def state_under_vote(
    state: State, change: Change, player: str, number: Number | None, vote: Vote | None
) -> tuple[State, Proposal]:
    """Return a state in which a change is voted on, and its proposal, labelled provisionally if `number` is None."""
    called, numbers = SUPPOSED_LABEL if number is None else number, tuple[Number, ...]()
    if change.parts:
        first = number if isinstance(number, int) else state.last_number or 0
        numbers = (called, *range(first + 1, first + len(change.parts)))
    proposal = Proposal(
        called, change, player, state.turn, "open", vote, numbers=numbers, aims=ids_and_tiers_of_targets(state, change),
        circuit=state.circuit,
    )  # fmt: skip
    asked = with_proposal(state, proposal)
    if isinstance(number, int):
        last = number + len(numbers[1:])
        asked = asked.replace(last_number=max(last, state.last_number or last))
    return asked, proposal


def _carries_out_proposal(event: Event, proposal: Proposal) -> bool:
    """Tell whether an event is one by which an adopted proposal changes rules or revises another proposal."""
    if event.kind == "revised":
        return event.data.get("motion") == proposal.number
    numbers = proposal.numbers or (proposal.number,)
    return event.kind in EVENT_OF_CHANGE.values() and event.data["number"] in numbers


def _close_trial_vote(engine: TrialEngine, proposal: Proposal) -> None:
    """Record that the proposal's vote has closed and adopted it; do nothing if it has no vote."""
    if proposal.vote is None:
        return
    engine.cause = cause_of(proposal.vote.law.find("vote.adopted", engine.state, proposal.law_case)) or engine.cause
    for kind in ("vote_closed", "adopted"):
        record_proposal_event(engine, kind, proposal, env=proposal.law_case)


def _with_change_in_law(state: State, proposal: Proposal) -> tuple[State, tuple[tuple[Change, Rule | None], ...]]:
    """Return the state with a proposal's changes made, and (change, resulting rule) pairs; None for a repealed rule."""
    law, case, of = state.law, proposal.law_case, proposal.change
    if of.kind == "revise":
        return state, ()
    parts = zip(proposal.numbered_parts, states_for_parts(state, proposal), strict=True)
    pieces = [
        EnactedPart(change, None if number == SUPPOSED_LABEL else number, asked) for (change, number), asked in parts
    ]
    try:
        takes = state.read("rule.takes_number", **case) is True
        book, changed_rules = book_of_changes(law, state, pieces, proposal.proponent, case, takes_number=takes)
    except (Undecided, LookupError):
        return state, ()
    trial = with_book(rename_table(state, *of.renames) if of.renames else state, book)
    with suppress(Undecided):
        trial = trial.replace(law=trial.law.reordered(trial))
    return trial, tuple([(part.change, rule if rule.id in book.rules else None) for part, rule, _ in changed_rules])
