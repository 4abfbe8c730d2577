"""The engine: one action, and everything that the law makes of it.

A step begins with the law in force, puts what rules do on an agenda, and works it off. When the
agenda is empty the step is over: the order of precedence is read again, then who has won, then play
goes on by itself until somebody has something to decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from nomic_nb.errors import IllegalAction
from nomic_nb.law.clauses import On
from nomic_nb.law.findings import Finding, Source, as_set, at_fault
from nomic_nb.law.forms import Effect
from nomic_nb.law.resolver import Law, order_of
from nomic_nb.law.rules import Number, Rule
from nomic_nb.law.values import Ref, Value, written
from nomic_nb.law.view import ACTION, METER, Meter, Part, Spent, Undecided, View
from nomic_nb.play.agenda import Agenda
from nomic_nb.play.events import Cause, Event
from nomic_nb.play.facts import names_of
from nomic_nb.play.fold import fold
from nomic_nb.play.state import Item, Later, State
from nomic_nb.play.winning import after_change_of_law, without_the_held_back

#: Effects in one cascade, and times that one clause may go off in it.
CASCADE, TIMES = 100, 12
#: Steps that play may take by itself before somebody has something to decide.
ALONE = 200
#: Steps that it is worth to record an event, and to put something on the agenda, or to take it from there.
EVENT, ITEM = 50, 8
#: How many parts of rules are left out that take most steps, each time that an action takes too many.
WORST = (1, 5, 1_000)

#: How the state ended up after each event, beside the event.
Moment = tuple[Event, State]


def _whether(meaning: str, finding: Finding) -> str:
    """Say whose act a permission is about, as far as the case tells."""
    who = dict(finding.case).get("player")
    return meaning.replace("a player", str(who.id), 1) if isinstance(who, Ref) else meaning


class Endless(Exception):  # noqa: N818 - caught in this module
    """Clauses that set each other off without end."""

    def __init__(self, causes: frozenset[Cause]) -> None:
        self.causes = causes
        super().__init__(str(causes))


class Engine:
    """Works on one state until somebody has to decide.

    Parameters
    ----------
    state : State
        Where play stands.
    seed : int
        The game's, for its dice.
    muted : frozenset of Cause
        Clauses that do not go off in this step, because they set each other off without end.
    spent : frozenset of int
        Rules whose triggers do not go off in this step, because they take too many steps.
    """

    #: Whether it works on a supposition, and looks no further where play stands still.
    supposed = False

    def __init__(
        self, state: State, seed: int, muted: frozenset[Cause] = frozenset(), spent: frozenset[int] = frozenset()
    ) -> None:
        self.seed, self.muted, self.spent = seed, muted, spent
        if muted or spent:  # what waits already is left out too
            agenda = Agenda(item for item in state.agenda if self._goes(item.cause))
            later = tuple(one for one in state.later if self._goes(one.cause))
            state = state.but(agenda=agenda, later=later)
        self.state = state
        self.law = state.law
        self.moments: list[Moment] = []
        self.cause: Cause | None = None
        #: Whoever applied a rule by hand in this step, so that nobody wins by it alone.
        self.applied_by: str | None = None
        self.cascade = 0
        self.times: Counter[Cause] = Counter()
        self.busy: Counter[Cause] = Counter()

    def _goes(self, cause: Cause | None) -> bool:
        return cause is None or (cause not in self.muted and cause.id not in self.spent)

    # ---------------------------------------------------------------------------------------- events

    def emit(
        self,
        kind: str,
        actor: str | None = None,
        *,
        env: Mapping[str, Value] | None = None,
        each: tuple[Mapping[str, Value], ...] = (),
        draw: tuple[int, ...] | None = None,
        by_player: bool = False,
        changed: int | None = None,
        heard_as: str = "",
        data: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Event:
        """Record an event, and put the triggers that answer to it on the agenda.

        Parameters
        ----------
        kind, actor
            What happened, and who did it or whom it concerns.
        env : mapping, optional
            The names that triggers see.
        each : tuple of mapping, optional
            The same where it happens to several at once, and triggers answer for each.
        draw : tuple of int, optional
            The faces that chance showed.
        by_player : bool
            Whether a player did it.
        changed : int, optional
            Id of the rule that the event changes: the law it makes judges that rule's own triggers,
            everything else is judged by the law of the step's beginning.
        heard_as : str
            The event that triggers answer to, where it is another.
        data : mapping, optional
            Plain JSON data.
        **more
            More of it.
        """
        self._work_on(EVENT)
        state = self.state
        go = state.go
        turn = state.turn + 1 if kind == "turn_begun" else go.number if go else state.turn
        event = Event(
            state.seq + 1, turn, state.circuit, go.part if go else None, actor, kind,
            {**(data or {}), **more},
            None if by_player else self.cause, draw, by_player,
        )  # fmt: skip
        self.state = fold(state, event)
        if self.state.law is not state.law and kind != "settled":  # what those asked agree on changes no law
            self.state = after_change_of_law(state, self.state)
        self.moments.append((event, self.state))
        for one in each or (env or {},):
            self._fire(heard_as or kind, dict(one), changed)
        return event

    def _work_on(self, steps: int) -> None:
        meter = METER.get()
        if meter is not None:
            meter.charge(steps, (self.cause.id if self.cause else 0, ""))

    def _fire(self, kind: str, env: dict[str, Value], changed: int | None) -> None:
        found = [
            self._item(source, env, self.law)
            for source in self.law.triggers.get(kind, ())
            if source.rule.id not in self.spent and (source.rule.id != changed or changed not in self.state.rules.rules)
        ]
        if changed is not None:
            law = self.state.law
            found += [
                self._item(source, env, law) for source in law.triggers.get(kind, ()) if source.rule.id == changed
            ]
        if self.muted or self.spent:
            found = [item for item in found if self._goes(item.cause)]
        if found:
            self._work_on(ITEM * len(found))
            self.state = self.state.but(agenda=self.state.agenda.then(*found))

    def _item(self, source: Source, env: Mapping[str, Value], law: Law) -> Item:
        clause = cast(On, source.clause)
        cause = Cause(source.rule.id, source.rule.number, clause.words)
        bound = {**env, "this": Ref("rule", source.rule.id)}
        return Item("trigger", bound, law, cause, clause, turn=self.state.hand)

    def in_place_of(self, source: Source, env: Mapping[str, Value]) -> Item:
        """Return what a rule does in place of a usual result, for the agenda."""
        made = self._item(source, env, self.law)
        return replace(made, kind="effects", effects=cast(On, made.clause).effects)

    def schedule(self, kind: str, **env: Value) -> None:
        """Put a step of play on the agenda."""
        item = Item(kind, env, self.law, turn=self.state.hand)
        self.state = self.state.but(agenda=self.state.agenda.then(item))

    def take(self, turn: int) -> None:
        """Take a turn in hand; from here on things happen in it."""
        if self.state.hand != turn:
            self.state = self.state.but(hand=turn)

    def take_up(self, player: str, action: str) -> None:
        """Take in hand the turn that an action belongs to: where it is owed or waited for, or the player's own."""
        state = self.state
        belongs = [
            *(
                turn.number
                for turn in state.turns
                if any((d.player, d.action) == (player, action) for d in turn.duties)
            ),
            *(one.turn for one in state.waiting if one.action == action and one.player == player),
            *(turn.number for turn in state.turns if turn.player == player),
            *(turn.number for turn in state.turns[:1] if len(state.turns) == 1),
        ]
        self.take(belongs[0] if belongs else 0)

    # ------------------------------------------------------------------------------------ the law asked

    def read(self, key: str, **case: Value) -> Value:
        """Return what the law of this step says of a key.

        Raises
        ------
        Undecided
            Where it gives no answer: a question follows.
        """
        return self.law.settled(self.law.find(key, self.state, case))

    def view(self, env: Mapping[str, Value]) -> View:
        """Return a view of the state under the law of this step."""
        return View(self.state, env, self.law)

    def players(self, key: str, **case: Value) -> tuple[str, ...]:
        """Return the names that the law gives for a key."""
        return names_of(self.read(key, **case))

    # -------------------------------------------------------------------------------------- the agenda

    def run(self) -> None:
        """Work until somebody has something to decide, or the game is over."""
        self._run()
        turns = self.state.turns
        self.take(turns[0].number if len(turns) == 1 else 0)

    def _run(self) -> None:
        from nomic_nb.play.turns import advance

        alone = rounds = 0
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
            went = self._guarded(lambda: advance(self))
            if self.state.questions:
                return
            if not went and not self.state.agenda:
                return
            alone += 1
            if alone > ALONE:
                alone, rounds = 0, rounds + 1
                self.state = self.state.but(circling=True)
            if rounds > 1:  # even a rule cannot let it go on for ever in one step
                self._ask_about_circles()
                return

    def _stop_circles(self) -> None:
        """Stop play in which nobody has anything to do, or let it go on, as the law or the table says."""
        from nomic_nb.play.turns import stop

        busiest = self.busy.most_common(1)
        self.cause = busiest[0][0] if busiest else None
        if self.read("play.in_circles") == "cannot continue":
            stop(self)
        self.state = self.state.but(circling=False)

    def _ask_about_circles(self) -> None:
        busiest = self.busy.most_common(1)
        rule = busiest[0][0].rule if busiest else self.law.find("turn.parts", self.state, {}).rule
        text = f"Play goes round and round by rule {rule}, and nobody has anything to do in it. How does it go on?"
        self.ask(text, rule=rule)

    def _begin_step(self) -> None:
        self.law, self.cause, self.cascade = self.state.law, None, 0
        self.times.clear()

    def _guarded(self, work: Callable[[], Any]) -> Any:
        """Do a piece of work wholly, or not at all and ask."""
        saved, mark = self.state, len(self.moments)
        try:
            return work()
        except Undecided as doubt:
            self.state = saved
            del self.moments[mark:]
            self.ask_about(doubt)
            return True
        except Spent:
            self.state = saved
            del self.moments[mark:]
            raise

    def _work(self) -> None:
        """Do the next thing on the agenda, wholly, or not at all and ask."""
        saved, mark = self.state, len(self.moments)
        item, rest = saved.agenda.taken()
        self.law, self.cause = item.law, item.cause
        self.state = saved.but(agenda=rest, hand=item.turn)
        try:
            self._do(item)
        except Undecided as doubt:
            self.state = saved
            del self.moments[mark:]
            self.ask_about(doubt, item)
        except Spent:
            self.state = saved
            del self.moments[mark:]
            raise

    def _do(self, item: Item) -> None:
        from nomic_nb.play.voting import STEPS

        self._work_on(ITEM)
        if item.kind == "trigger":
            self._set_off(item)
        elif item.kind == "effects":
            self._spend(item)
            env = item.effects[0].form.perform(self, item, item.effects[0])
            if env is None:
                self._suspend(item)
            elif item.effects[1:]:
                rest = replace(item, env=env, effects=item.effects[1:])
                self.state = self.state.but(agenda=self.state.agenda.first(rest))
        else:
            STEPS[item.kind](self, item)

    def tried(self, item: Item) -> tuple[State, list[Event]]:
        """Return how things would stand after something is done, and what would happen; nothing is kept.

        What hangs on a throw, or on what somebody decides, is left out.
        """
        trial = Engine(self.state.but(agenda=Agenda((item,))), self.seed, self.muted)
        while trial.state.agenda and not trial.state.questions and trial.state.draws == self.state.draws:
            try:
                trial._work()
            except Endless:  # done in earnest, it is asked about
                break
        return trial.state, [event for event, _ in trial.moments]

    def _suspend(self, item: Item) -> None:
        """Let an effect wait for somebody, and all that stands behind it with it."""
        *others, waiting = self.state.waiting
        held = replace(waiting, agenda=(item, *self.state.agenda), turn=item.turn)
        self.state = self.state.but(waiting=(*others, held), agenda=Agenda())

    def _set_off(self, item: Item) -> None:
        clause = cast(On, item.clause)
        view = self.view(item.env)
        many: tuple[Value, ...] = (None,)
        if clause.among is not None and clause.each is not None:
            if clause.condition is not None:  # what does not hang on the list goes before it
                apart = item.law.language.apart(clause.condition, clause.each)
                if not all(one(view) for one in apart):
                    return
            many = cast(tuple[Value, ...], clause.among.run(view))
        found = []
        work = ITEM + (clause.condition.work if clause.condition is not None else 0)
        for one in many:
            view.spend(0, work)
            env = {**item.env, clause.each: one} if clause.each else item.env
            if clause.condition is None or clause.condition.run(self.view(env)):
                found.append(Item("effects", env, item.law, item.cause, clause, clause.effects, item.turn))
        self.state = self.state.but(agenda=self.state.agenda.first(*found))

    def _spend(self, item: Item) -> None:
        self.cascade += 1
        if item.cause is not None:
            self.times[item.cause] += 1
            self.busy[item.cause] += 1
        if self.cascade > CASCADE:
            often = frozenset(cause for cause, times in self.times.items() if times > TIMES)
            raise Endless(often or frozenset(self.times))

    def put_off(self, turns: int, effect: Effect, item: Item) -> None:
        """Keep an effect until so many more turns have ended."""
        later = Later(self.state.ended + turns, effect, item.env, item.cause)
        self.state = self.state.but(later=(*self.state.later, later))

    def take_up_later(self) -> None:
        """Put on the agenda what is due now."""
        due = [one for one in self.state.later if one.due <= self.state.ended]
        if due:
            left = tuple(one for one in self.state.later if one not in due)
            hand = self.state.hand
            items = tuple(Item("effects", one.env, self.law, one.cause, None, (one.effect,), hand) for one in due)
            self.state = self.state.but(later=left, agenda=self.state.agenda.then(*items))

    # --------------------------------------------------------------------------------------- questions

    def ask_about(self, doubt: Undecided, item: Item | None = None, act: str = "") -> None:
        """Turn a doubt of the law into a question to the table; where an act was tried, it is about that act."""
        finding = at_fault(doubt)
        while finding is not None and finding.root is not None:  # what is asked is what is not known
            finding = finding.root
        cause = item.cause if item else None
        if finding is None:
            words = f" (“{cause.words}”)" if cause and cause.words else ""
            where = f"rule {cause.rule}{words}" if cause else "the law"
            self.ask(
                f"{where[0].upper()}{where[1:]} gives no answer, because {doubt.reason}. It is left out here; "
                "what do you agree on?",
                rule=cause.rule if cause else None,
                drops=item is not None,
            )
            return
        options: list[str] = []
        if finding.outcome == "torn":
            view = self.view({})
            for source in finding.sources:
                try:
                    options.append(written(as_set(source).value.run(view)))
                except Undecided:
                    continue
        declared = self.law.vocabulary.keys[finding.key]
        # To ask is no answer, and what the rules have said already has led here.
        offered = [value for value in declared.values if value != finding.value]
        options = list(dict.fromkeys(options)) or list(doubt.options) or [f'"{value}"' for value in offered]
        kind = (declared.type.item or declared.type).name
        if not options and kind == "player":
            options = [*(["nobody"] if declared.type.item else []), *self.state.playing]
        if not options:
            options = {"truth": ["true", "false"], "list": ["[]"]}.get(declared.type.name, [])
        reason = doubt.reason if finding is doubt.finding else str(finding).split("\n", 1)[0]
        about = item.env.get("proposal") if item is not None and "proposal" in declared.case else None
        concerned = f" (proposal {about.id})" if isinstance(about, Ref) else ""
        meaning = declared.meaning
        if finding.key.startswith("may."):
            meaning = f"whether {act}" if act else _whether(meaning, finding)
        text = f"{reason[0].upper()}{reason[1:]}: {meaning}{concerned}."
        # No rule speaks, and it is no matter of the case or of the occasion: the answer holds until one does.
        plain = finding.outcome == "silent" and reason == str(finding).split("\n", 1)[0]
        general = plain and not (declared.case or doubt.when or doubt.options)
        self.ask(
            text,
            rule=self._concerned(finding, cause),
            key=finding.key,
            options=options,
            when=doubt.when,
            general=general,
        )

    def _concerned(self, finding: Finding, cause: Cause | None) -> Number | None:
        """Return the rule that a question is about: one that speaks of it, or needs it, or is at work."""
        if finding.rule is not None:
            return finding.rule
        needing = self.law.needing(finding.key)
        if needing is not None:
            return needing
        at_work = cause or self.cause
        return at_work.rule if at_work else None

    def ask(
        self,
        text: str,
        *,
        rule: object = None,
        key: str = "",
        options: list[str] | None = None,
        drops: bool = False,
        who: tuple[str, ...] | None = None,
        when: str = "",
        set_aside: tuple[tuple[str, int, int], ...] = (),
        general: bool = False,
    ) -> None:
        """Stop play with a question. Those asked must agree on an answer."""
        case: dict[str, Any] = {"when": when} if when else {}
        if general:
            case["general"] = True
        if set_aside:
            case["set_aside"] = [list(one) for one in set_aside]
        self.emit(
            "asked", None, data=case, text=text, who=list(who or self.state.present), key=key, options=options or [],
            rule=rule, drops=drops,
        )  # fmt: skip

    # ---------------------------------------------------------------------------------- end of a step

    def _settle(self) -> None:
        """At the end of a step: read precedence again, then who has won."""
        self._begin_step()
        if self.state.over:
            return
        order = order_of(self.state.law, self.state)
        if order != self.state.law.order:
            law = Law(self.state.rules, order, self.state.law.language)
            self.state = after_change_of_law(self.state, self.state.but(law=law))
            self.law = law
        finding = self.law.find("win.winners", self.state, {})
        winners = without_the_held_back(self, names_of(self.law.settled(finding)))
        deciding = self.law.find("win.when_stuck", self.state, {}) if self.state.stuck else finding
        source = (deciding.sources or finding.sources or (None,))[0]
        self.cause = Cause(source.rule.id, source.rule.number, source.clause.words) if source else None
        if len(winners) > 1:
            how = self.read("win.joint")
            go = self.state.go
            if how == "on turn" and go is not None and go.player in winners:
                winners = (go.player,)
        if winners and self.applied_by is not None:
            text = f"By what {self.applied_by} applied, {', '.join(winners)} would win. If it does not stand, undo it."
            self.ask(text, rule=self.cause.rule if self.cause else None)
        elif winners:
            self.emit("won", winners[0] if len(winners) == 1 else None, winners=list(winners))
        elif self.state.stuck:
            self.emit("abandoned")


def perform_step(state: State, seed: int, begin: Callable[[Engine], None]) -> list[Moment]:
    """Do an action, and everything that follows from it.

    Clauses that turn out to set each other off without end, or to take too many steps, are left out, and the table is
    asked.

    Parameters
    ----------
    state : State
        Where play stands; it is not touched.
    seed : int
        The game's.
    begin : callable
        Does the action itself on the engine.

    Returns
    -------
    list of (Event, State)
        What happened, and how the state stood after each event. The last one's agenda is worked off.
    """
    muted: frozenset[Cause] = frozenset()
    costly: frozenset[Part] = frozenset()
    rounds, stopped = 0, False
    while True:
        engine = Engine(state, seed, muted, set_off_by(costly))
        meter = Meter(ACTION >> rounds, costly, stops=True)  # all together take less than twice as many
        try:
            with meter.running():
                begin(engine)
                engine.run()
        except Endless as endless:
            if not endless.causes - muted:  # nothing is left that could be left out
                engine.state = engine.state.but(agenda=Agenda())
            else:
                muted |= endless.causes
                continue
        except Spent:
            worst = meter.costly(WORST[rounds]) if rounds < len(WORST) else frozenset()
            if not worst - costly:
                engine.state, stopped = engine.state.but(agenda=Agenda()), True
            else:
                costly |= worst
                rounds += 1
                continue
        if not engine.moments:  # not even what was done itself could be looked at
            rules = sorted(str(number) for number in numbers_of(engine.state, costly))
            raise IllegalAction(
                f"to see whether this may be done takes more than {ACTION:,} steps; rules {', '.join(rules)}"
            )
        _ask_about_left_out(engine, muted, costly, stopped=stopped)
        moments = engine.moments
        moments[-1] = (moments[-1][0], engine.state)
        return moments


def set_off_by(parts: frozenset[Part]) -> frozenset[int]:
    """Return the rules that set too much off, among the parts that take too many steps."""
    return frozenset(id for id, key in parts if not key)


def numbers_of(state: State, parts: frozenset[Part]) -> tuple[Number, ...]:
    """Return the numbers of the rules that parts are of."""
    known = {**{one.id: one for one in state.rules.repealed}, **state.rules.rules}
    return tuple(known[id].number for id in sorted({id for id, _ in parts}) if id in known)


def _ask_about_left_out(engine: Engine, muted: frozenset[Cause], costly: frozenset[Part], *, stopped: bool) -> None:
    """Ask about what rules would have set off, once for each version; what a term is, is asked where it is read."""
    state = engine.state
    if state.over:
        return
    engine.cause = None
    known = {**{one.id: one for one in state.rules.repealed}, **state.rules.rules}
    dear = {id for id, _ in costly if stopped or (id in set_off_by(costly) and _sets_off(known.get(id)))}
    for why, ids, said in (
        ("endless", {cause.id for cause in muted}, "sets itself off for ever"),
        ("costly", dear, f"takes more than the {ACTION:,} steps that one action has"),
    ):
        rules = [known[id] for id in sorted(ids) if id in known]
        marks = tuple((why, rule.id, rule.event) for rule in rules)
        numbers = [rule.number for rule in rules]
        if rules and set(marks) <= set(engine.state.set_aside):
            engine.emit("set_aside", rules=numbers, note=said)
        elif ids and (why == "endless" or not engine.state.questions):
            text = f"What rule {', '.join(map(str, numbers))} says {said}. It was left out of this step; "
            rule = numbers[0] if numbers else None
            engine.ask(f"{text}what do you agree on?", rule=rule, set_aside=marks)


def _sets_off(rule: Rule | None) -> bool:
    return rule is None or any(isinstance(clause, On) for clause in rule.clauses)
