"""The loop: one action, and everything that the law makes of it.

A step begins with the law in force, puts what rules do on an agenda, and works it off. When the
agenda is empty the step is over: the order of precedence is read again, then who has won, then play
goes on by itself until somebody has something to decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

from nomic_nb.engine.errors import IllegalAction, Plainly
from nomic_nb.engine.law.clauses import On
from nomic_nb.engine.law.faults import NO_RULE, Fault, Passing, failed
from nomic_nb.engine.law.resolver import Law, order_of
from nomic_nb.engine.law.values import Value
from nomic_nb.engine.law.view import ACTION, FAILING, METER, WORST, Meter, NotDone, Part, Spent, Undecided
from nomic_nb.engine.play.agenda import Agenda
from nomic_nb.engine.play.answers import leave_out
from nomic_nb.engine.play.calendar import Clock
from nomic_nb.engine.play.clock import refuse_so_much, tick
from nomic_nb.engine.play.declaring import STEPS
from nomic_nb.engine.play.ending import end_if_won
from nomic_nb.engine.play.engine import CASCADE, ITEM, Begin, Endless, Engine, Moment
from nomic_nb.engine.play.events import Cause, Event
from nomic_nb.engine.play.going_on import advance
from nomic_nb.engine.play.left_out import ask_about_failing, ask_about_left_out, numbers_of, refusal, set_off_by
from nomic_nb.engine.play.pending import DEEP, Item
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.turns import stop
from nomic_nb.engine.play.winning import after_change_of_law

#: Times from which on a clause goes off often in a step.
TIMES = 12
#: Steps that play may take by itself before somebody has something to decide.
ALONE = 200
#: Clauses that fail in one step and are left out; with more of them, it is refused.
MOST_FAILING = 20
#: Turns that begin by themselves in one action, each with as many steps as an action has: a round of six.
ROUND = 6


class Loop(Engine):
    """Works on one state until somebody has to decide; its parameters are those of `Engine`."""

    def __init__(
        self, state: State, seed: int, muted: frozenset[Cause] = frozenset(), spent: frozenset[int] = frozenset()
    ) -> None:
        super().__init__(state, seed, muted, spent)
        self.cascade = 0
        self.times: dict[Cause, int] = defaultdict(int)
        self.busy: dict[Cause, int] = defaultdict(int)
        #: The clock before and after time passed last, how often it did, and whether it stands still in this step.
        self.passed: tuple[Clock, Clock] | None = None
        self.ticks, self.timeless = 0, False

    def run(self, meter: Meter | None = None) -> None:
        """Work until somebody has something to decide, or the game is over; the meter is that of the action."""
        self._run(meter)
        turns = self.state.turns
        self.take(turns[0].number if len(turns) == 1 else 0)

    def _run(self, meter: Meter | None) -> None:
        alone = rounds = 0
        last = self.state.turn + ROUND
        while not self.state.over and not self.state.questions and not self.state.paused:
            if self.state.players and not self.state.persons:
                self.emit("abandoned")  # whatever was still to be done, there is nobody to do it
                return
            if self.state.agenda:
                self._work()
                continue
            if self.state.held is not None:  # a question waits for its Judge, and all else with it
                return
            if self.state.circling:
                self._begin_step()
                self._guarded(self._stop_circles)
                continue
            self._guarded(self._settle)
            if self.state.over or self.state.questions:
                return
            self._begin_step()
            turn = self.state.turn
            went = self._guarded(lambda: advance(self))
            if self.state.questions:
                return
            if not went and not self.state.agenda:
                if self.timeless or not self._guarded(self._tick):
                    return
                alone = rounds = 0
                continue
            if meter is not None and turn < self.state.turn <= last:
                meter.renew()
            alone += 1
            if alone > ALONE:
                alone, rounds = 0, rounds + 1
                self.state = self.state.but(circling=True)
            if rounds > 1:  # even a rule cannot let it go on for ever in one step
                self._ask_about_circles()
                return

    def _tick(self) -> bool:
        """Let time pass to where something falls due; each time is a step of its own."""
        before = self.state.clock
        passed = tick(self)
        if before is not None and self.state.clock is not None and passed:
            self.passed, self.ticks = (before, self.state.clock), self.ticks + 1
        return passed

    def _stop_circles(self) -> None:
        """Stop play in which nobody has anything to do, or let it go on, as the law or the table says."""
        self.cause = self._busiest
        if self.read("play.in_circles") == "cannot continue":
            stop(self)
        self.state = self.state.but(circling=False)

    @property
    def _busiest(self) -> Cause | None:
        """The clause that went off most often."""
        return max(self.busy, key=self.busy.__getitem__, default=None)

    def _ask_about_circles(self) -> None:
        rule = self._busiest.rule if self._busiest else self.find("turn.parts").rule
        text = f"Play goes round and round by rule {rule}, and nobody has anything to do in it. How does it go on?"
        self.ask(text, rule=rule)

    def _begin_step(self) -> None:
        self.law, self.cause, self.cascade, self.depth = self.state.law, None, 0, 0
        self._blame(None)
        self.began = self.law
        for cause, times in self.times.items():
            self.busy[cause] += times
        self.times.clear()

    def _guarded(self, work: Callable[[], Any], item: Item | None = None) -> Any:
        """Do a piece of work, of an item on the agenda or of play itself, wholly, or not at all and ask."""
        saved, mark = self.state, len(self.moments)
        try:
            return work()
        except Fault as fault:
            clause = _clause(item)
            if fault.part in (NO_RULE, (clause[0], "")) or fault.part in (FAILING.get() or ()):
                fault.part = clause  # no other part is known, or that is left out already
            raise
        except (Passing, MemoryError):
            raise
        except Exception as error:
            turn, self.state = self.state.turn, saved
            del self.moments[mark:]
            if isinstance(error, Spent):
                raise
            doubt = error if isinstance(error, Undecided) else failed(error, _clause(item))
            if not isinstance(doubt, Undecided):
                raise doubt from error
            doubt.turn = turn if turn != saved.turn else 0
            self.ask_about(doubt, item)
            return True

    def _work(self) -> None:
        """Do the next thing on the agenda, wholly, or not at all and ask."""
        item, behind = self.state.agenda.taken()
        if _clause(item) in (FAILING.get() or ()):
            self.state = self.state.but(agenda=behind)
            return
        self._guarded(lambda: self._do(item, behind), item)

    def _do(self, item: Item, behind: Agenda) -> None:
        self.law, self.cause, self.depth, self.item = item.law, item.cause, item.depth, item
        self.state = self.state.but(agenda=behind, hand=item.turn)
        self._blame(item.cause)
        self._work_on(ITEM)
        if item.kind == "trigger":
            self._set_off(item)
        elif item.kind == "effects":
            effect, *rest = item.effects
            self._spend(item, effect.form.costs)
            self.inside, self.put_aside = (), False
            effect.form.perform(self, effect)
            if any(not one.agenda for one in self.state.waiting):  # it has just begun to wait
                self._suspend(item)
                return
            if self.put_aside:
                return
            left = (self.item.doing(tuple(rest)),) if rest else ()
            if self.inside or left:
                self.first(*self.inside, *left)
        else:
            STEPS[item.kind](self)

    @staticmethod
    def _blame(cause: Cause | None) -> None:
        """Note whose doing it is what play looks up from now on."""
        meter = METER.get()
        if meter is not None:
            meter.at_work = cause.id if cause is not None else 0

    def _suspend(self, item: Item) -> None:
        """Let an effect wait for somebody, and all that stands behind it with it."""
        held = (item, *self.state.agenda)
        waiting = tuple(one if one.agenda else replace(one, agenda=held, turn=item.turn) for one in self.state.waiting)
        self.state = self.state.but(waiting=waiting, agenda=Agenda())

    def _set_off(self, item: Item) -> None:
        clause = cast(On, item.clause)
        cases: list[Mapping[str, Value]] = [item.env]
        if clause.among is not None and clause.each is not None:
            cases = self.cases(clause.each, clause.among, clause.condition)
        else:
            view = self.view()
            view.spend(0, ITEM + (clause.condition.work if clause.condition is not None else 0))
            if clause.condition is not None and not clause.condition.run(view):
                return
        self.first(*(item.doing(clause.effects, env) for env in cases))

    def _spend(self, item: Item, effects: int) -> None:
        self.cascade += effects
        if item.cause is not None:
            self.times[item.cause] += effects
        if self.cascade > CASCADE or item.depth > DEEP:
            often = frozenset(cause for cause, times in self.times.items() if times > TIMES)
            raise Endless(often or frozenset(self.times), many=item.depth <= DEEP)

    def tried(self, item: Item) -> tuple[State, list[Event]]:
        """Return how things would stand after something is done, and what would happen; nothing is kept.

        What depends on a throw, or on what somebody decides, is left out.
        """
        trial = Loop(self.state.but(agenda=Agenda((item,))), self.seed, self.muted)
        while trial.state.agenda and not trial.state.questions and trial.state.draws == self.state.draws:
            try:
                trial._work()
            except Endless:  # done in earnest, it is asked about
                break
        return trial.state, [event for event, _ in trial.moments]

    def winners_after(self, *items: Item) -> tuple[str, ...]:
        """Return who would have won once these are done, and play has gone on until somebody decides; nothing is kept.

        What depends on a throw is left out.
        """
        trial = Loop(self.state.but(agenda=Agenda(items)), 0, self.muted, self.spent)
        trial.supposed = True
        with suppress(Endless):  # done in earnest, it is asked about
            trial.run()
        return trial.state.winners

    def supposing(self, state: State, begin: Begin, *, follow: bool = True) -> State:
        """Return how things would stand after an act, once play has gone on unless told otherwise; nothing is kept."""
        trial = Loop(state, 0)
        trial.supposed = True
        begin(trial)
        if follow:
            trial.run()
        return trial.state

    def ask_about(self, doubt: Undecided, item: Item | None = None, act: str = "", actor: str | None = None) -> None:
        """Ask, but not what is to be done with an empty list: nothing is."""
        if isinstance(doubt, NotDone) and item is not None and item.kind in ("trigger", "effects") and item.cause:
            leave_out(self, item, doubt.reason)
        else:
            super().ask_about(doubt, item, act, actor)

    # ---------------------------------------------------------------------------------- end of a step

    def _settle(self) -> None:
        """At the end of a step: read precedence again, then who has won."""
        self._begin_step()
        if self.state.over:
            return
        order = order_of(self.state.law, self.state)
        if order is not self.state.law.order:
            law = Law(self.state.rules, order, self.state.law.language)
            self.state = after_change_of_law(self.state, self.state.but(law=law))
            self.law = law
        end_if_won(self)


def _clause(item: Item | None) -> Part:
    """Return the clause at work."""
    return NO_RULE if item is None or item.cause is None else (item.cause.id, item.cause.words)


def perform_step(
    state: State, seed: int, did: tuple[str, Mapping[str, Any]], begin: Begin, failing: frozenset[Part] = frozenset()
) -> list[Moment]:
    """Do an action, and everything that follows from it.

    Clauses that turn out to set each other off without end, or to take too many steps, are left out, and the table is
    asked. The deed itself is judged by the whole law, unless that alone takes too many steps. Clauses at which the kit
    fails are left out of all of it; where no clause is at fault, the deed is refused.

    Parameters
    ----------
    state : State
        Where play stands; it is not touched.
    seed : int
        The game's.
    did : (str, mapping)
        The action, and its details as the record has them.
    begin : callable
        Does it on the engine.
    failing : frozenset of Part
        What the record of the step says was left out, because the kit failed at it.

    Returns
    -------
    list of (Event, State)
        What happened, and how the state stood after each event. The last one's agenda is worked off.

    Raises
    ------
    IllegalAction
        It takes too many steps to see whether it may be done, or the kit fails at it.
    """
    muted: frozenset[Cause] = frozenset()
    many: frozenset[Cause] = frozenset()
    costly: frozenset[Part] = frozenset()
    rounds, stopped, timeless, anew = 0, False, False, False
    meters: list[Meter] = []
    judged = frozenset[Part]()  # what is left out where the deed itself is judged: nothing, but for want of steps
    while True:
        engine = Loop(state, seed, muted, set_off_by(costly))
        engine.timeless = timeless
        engine.did = did
        # All together, and the one that finds everything anew, take less than three times as many.
        meter = Meter(ACTION >> rounds, judged, stops=True, anew=anew or bool(failing))
        meters.append(meter)
        done, stepping = False, FAILING.set(failing)
        try:
            with meter.running():
                _begin(engine, begin)
                done, meter.left_out = True, costly
                engine.run(meter)
        except Endless as endless:
            if _passed_too_much(engine, "rules set one another off for ever"):
                timeless = True
                continue
            if more := endless.causes - muted:
                many |= more if endless.many else set()
                muted |= more
                continue
            engine.state = engine.state.but(agenda=Agenda())  # nothing is left that could be left out
        except Spent:
            if _passed_too_much(engine, f"it takes more than the {ACTION:,} steps that one action has"):
                timeless = True
                continue
            if not meter.anew:  # whose the steps were must not hang on what was looked at before
                anew = True
                continue
            worst = meter.costly(WORST[rounds]) if rounds < len(WORST) else frozenset()
            if worst - costly:
                costly |= worst
                judged = judged if done else costly
                rounds += 1
                continue
            engine.state, stopped = engine.state.but(agenda=Agenda()), True
        except Fault as fault:
            if fault.part == NO_RULE or fault.part in failing or len(failing) >= MOST_FAILING:
                raise refusal(did[0], fault) from fault
            failing |= {fault.part}
            continue
        finally:
            FAILING.reset(stepping)
        if done and not engine.moments:
            raise TypeError(f"{did[0]} has emitted no event, so nothing of it would be in the record")
        if not engine.moments:  # not even what was done itself could be looked at
            rules = sorted(str(number) for number in numbers_of(engine.state, costly))
            raise IllegalAction(
                f"to see whether this may be done takes more than {ACTION:,} steps; rules {', '.join(rules)}"
            )
        ask_about_left_out(engine, muted - many, many, costly, stopped=stopped)
        ask_about_failing(engine, failing)
        moments = engine.moments
        work = state.work + sum(one.taken for one in meters)
        moments[-1] = (moments[-1][0], engine.state.but(work=work))
        return moments


def _begin(engine: Loop, begin: Begin) -> None:
    """Begin a step; what is no refusal is a fault of the kit."""
    try:
        begin(engine)
    except (Plainly, Undecided, Spent, Passing, MemoryError):
        raise
    except Exception as error:
        raise failed(error, NO_RULE) from error


def _passed_too_much(engine: Loop, why: str) -> bool:
    """Tell whether what went wrong did so only after time had passed again; where all of it was told, refuse it."""
    if engine.passed is None or engine.ticks < 2:
        return False
    before, now = engine.passed
    if engine.did is not None and engine.did[0] == "time":
        refuse_so_much(now, before, why)
    return True
