"""Play in which nobody has anything that must be decided: it waits for an act, lets a duty lapse, or is stuck.

What persons could still do is tried, each act by itself, on a state that nobody keeps. To leave the game and to call a
Judge are no such acts: both are open at any time, and nobody has to do them so that others can play.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import StepMeter, Undecided
from nomic_nb.engine.law.rules import SourceClause
from nomic_nb.engine.law.values import TEXT
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.play.adoptability import find_bar_to_duty, is_duty_open
from nomic_nb.engine.play.agenda_items import AwaitedAct
from nomic_nb.engine.play.calendar import MINUTES_PER_DAY, format_minute, midnight_after
from nomic_nb.engine.play.clock import MOST_DAYS, has_time_to_pass
from nomic_nb.engine.play.deadlines import minutes_falling_due
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.declarations import ACTIONS, EXAMPLE_TEXT, HOST_ACTIONS, REQUIRED, ActionSpec
from nomic_nb.engine.play.engine import Begin, EndlessClauses, Engine
from nomic_nb.engine.play.events import Cause
from nomic_nb.engine.play.permissions import check_can_act
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.turns import declare_play_stuck
from nomic_nb.engine.play.values import Decision
from nomic_nb.engine.play.ways import phrases_heard

#: Acts that are tried; if there are more, the table is asked.
MOST_ACTS = 300
#: Acts that are looked at in all, and steps that it may take to begin one that is not tried.
MOST_SEEN, TO_BEGIN = 900, 10_000
#: Terms that are asked about who continues; who ends a debate, or a vote, is asked of a proposal that is there.
NEXT_TURN_KEYS = frozenset(("turn.sequence", "turn.next", "debate.ended_by", "vote.ended_by"))
#: An act, and what does it.
TriedAct = tuple[AwaitedAct, Begin]


def resolve_standstill(engine: Engine) -> bool:
    """Drop forbidden duties or declare play stuck, and return True; or record what play waits for, and return False.

    Return True if duties were dropped or play is now stuck; False if it waits, was stuck before, or time can pass.

    Raises
    ------
    Undecided
        It cannot be told: the table is asked.
    """
    state = engine.state
    if engine.supposed or state.stuck or state.standstill or has_time_to_pass(state):
        return False
    lapsing = tuple(_forbidden_duties(state))
    averting, doubtful = _helpful_acts(engine, lapses=bool(lapsing))
    if len(state.waited) < len(averting):  # where as many were done, and play stands still again, that is in doubt
        return _wait_for_acts(engine, averting)
    doubtful = (*averting, *doubtful)
    doubtful += tuple(AwaitedAct(player, "propose") for _, player, _, source in lapsing if source is None)
    what = _decision_at_standstill(engine, doubtful, lapses=bool(lapsing)) if doubtful else "go on"
    if what == "wait":
        return _wait_for_acts(engine, doubtful)
    if what == "cannot continue" or not lapsing:
        return declare_play_stuck(engine)
    for turn, player, action, source in lapsing:
        engine.make_turn_current(turn)
        engine.cause = Cause.from_clause(source) if source else None
        engine.emit("let_off", player, action=action)
    return True


def can_players_bring_about(engine: Engine, lets: Callable[[State], bool]) -> tuple[bool, bool]:
    """Tell whether an act of players surely makes the condition `lets` true, and whether one possibly does.

    What is only supposed goes no further: it is not known yet what players will do.
    """
    if engine.supposed or engine.state.standstill:
        return True, True
    averting, doubtful = _helpful_acts(engine, lapses=False, lets=lets)
    return bool(averting), bool(averting or doubtful)


def _wait_for_acts(engine: Engine, acts: tuple[AwaitedAct, ...]) -> bool:
    """Record that play waits for any of these acts, and return False, since play does not go on by itself."""
    engine.emit("waits", acts=[awaited.to_json() for awaited in acts])
    return False


def _decision_at_standstill(engine: Engine, doubtful: tuple[AwaitedAct, ...], *, lapses: bool) -> str:
    """Return “wait”, “go on” or “cannot continue”: what the law says if only `doubtful` acts may help.

    Raise `Undecided` if it does not say; “go on” is no option unless a forbidden duty `lapses`.
    """
    finding = engine.find("play.standstill")
    waits = (
        finding.outcome == "ruled" and finding.value == "wait"
    )  # as agreed, until as much was done as was to be done
    since = [seq for seq in engine.state.waited if waits and seq > finding.sources[0].rule.event]
    if finding.answered and not (waits and len(since) >= len(doubtful)):
        return str(finding.value)
    open_acts = "; ".join(
        dict.fromkeys(f"{awaited.player or 'anyone'}: {awaited.action.replace('_', ' ')}" for awaited in doubtful)
    )
    options = ('"wait"', *(('"go on"',) if lapses else ()), '"cannot continue"')
    raise Undecided(
        "may-lead-on",
        "nobody has to decide anything, and it is not clear whether one of these would let play continue ({acts})",
        acts=open_acts,
        finding=Finding(finding.key, None, "undecided", finding.sources),
        options=options,
    )


def _forbidden_duties(state: State) -> Iterator[tuple[int, str, str, SourceClause | None]]:
    """Yield (turn number, player, action, forbidding clause or None) for each duty that may not be fulfilled."""
    for go in state.turns:
        for duty in go.duties:
            player, actions = duty.player, duty.fulfilling_actions
            if not any(is_duty_open(state, player, action) for action in actions):
                yield go.number, player, duty.action, find_bar_to_duty(state, player, actions[0])


# ------------------------------------------------------------------------------------ acts, tried one by one


def _helpful_acts(
    engine: Engine, *, lapses: bool, lets: Callable[[State], bool] | None = None
) -> tuple[tuple[AwaitedAct, ...], tuple[AwaitedAct, ...]]:
    """Return the acts that surely let play go on (or make `lets` true), and those that possibly do.

    Where a forbidden duty lapses if nothing helps (`lapses`), an act that only asks something is in doubt.
    What is tried takes its steps from a budget of its own; of what is left when that is spent, or is beyond the bound,
    all is in doubt that is not refused as soon as somebody begins it.
    """
    state = engine.state
    averting: list[AwaitedAct] = []
    doubtful: list[AwaitedAct] = []
    with StepMeter().as_current_meter() as meter:
        keys = _keys_that_matter(state)
        held = _blocked_waits(state)
        for at, (act, begin) in enumerate(list(islice(_acts_that_could_help(state), MOST_SEEN))):
            tried = at < MOST_ACTS and meter.left >= 0
            leads = _does_act_lead_on(engine, act, begin, held, keys, lapses=lapses, lets=lets) if tried else None
            if leads is None and _is_refused(engine, begin):
                continue
            if leads is not False:
                (averting if leads else doubtful).append(act)
            if at >= MOST_ACTS:
                break  # there are more than are tried
    return tuple(averting), tuple(doubtful)


def _is_refused(engine: Engine, begin: Begin) -> bool:
    """Tell whether an act, which `begin` does, is refused as soon as it is tried; its consequences are left out."""
    with StepMeter(TO_BEGIN).as_current_meter():
        try:
            engine.state_after_act(engine.state, begin, follow=False)
        except (IllegalAction, LawError):
            return True
        except (Undecided, EndlessClauses):
            return False
    return False


def _does_act_lead_on(
    engine: Engine, act: AwaitedAct, begin: Begin, held: frozenset[object], keys: Collection[str], *, lapses: bool,
    lets: Callable[[State], bool] | None = None,
) -> bool | None:  # fmt: skip
    """Return True if play surely continues (or `lets` is true) after an act, False if not, None if uncertain.

    Parameters
    ----------
    engine : Engine
        Where play stands still.
    act : AwaitedAct
        The act.
    begin : callable
        Does it on an engine.
    held : frozenset
        What play waits for and nobody can do: see `_blocked_waits`.
    keys : collection of str
        The keys of the law that decide whether somebody can: see `_keys_that_matter`.
    lapses : bool
        Whether a forbidden duty lapses if no act helps.
    lets : callable, optional
        A condition on the state that has to become true, instead of play going on.
    """
    state = engine.state
    fields, tables = _fields_behind_keys(state, keys), _tables_that_matter(state, keys)
    try:
        after = engine.state_after_act(state, begin)
    except (IllegalAction, LawError):
        return False
    except (Undecided, EndlessClauses):
        return None
    if after.stuck:
        return False
    if after.over or (held - _blocked_waits(after) if lets is None else lets(after)):
        return True
    asked = after.questions or after.waiting != state.waiting  # what it comes to depends on the answer
    if lets is None and act.decided and not (asked and lapses) and any(decision.must for decision in decisions(after)):
        return True
    same = all(
        _field_for_comparison(after, name, tables) == _field_for_comparison(state, name, tables) for name in fields
    )
    return None if asked or act.unsure or not same else False


def _tables_that_matter(state: State, keys: Collection[str]) -> Collection[str]:
    """Return the names of the tables that keys of the law read, directly or through triggers that change them.

    So an act that opens the way for another one is not taken for one that comes to nothing.
    """
    dependence, tables = state.law.dependence, state.law.tables.keys()
    table_names = set(dependence.tables_of_keys(keys))
    looked = [
        (
            {effect.counter if "counted" in effect.form.makes else "" for effect in clause.all_effects()},
            {
                name
                for expression in clause.expressions
                for name in dependence.reads_of_expression(expression).tables & tables
            },
        )
        for clause in state.law.acting_clauses
    ]
    looked = [(changes, reads | set(dependence.tables_of_keys(("counter.value",)))) for changes, reads in looked]
    grown = True
    while grown:
        # What does more than count may let play go on by itself.
        read = {name for changes, reads in looked if "" in changes or changes & table_names for name in reads}
        grown = not read <= table_names
        table_names |= read
    return table_names


def _field_for_comparison(state: State, field: str, tables: Collection[str]) -> object:
    """Return the value of a field of the state; for the field “tables”, only the tables with these names."""
    return [state.tables.get(name) for name in tables] if field == "tables" else getattr(state, field)


def _blocked_waits(state: State) -> frozenset[object]:
    """Return what play waits for and nobody can do, as marks such as ("turn", 3) or ("owed", player, action)."""
    must = (
        () if state.questions else [decision for decision in decisions(state.replace(standstill=())) if decision.must]
    )
    done = {(decision.player, decision.action) for decision in must}
    whose, concerned = {decision.player for decision in must}, {decision.proposal for decision in must}
    marks: dict[object, bool] = {}  # each with whether somebody can give it
    for go in state.turns:
        if not go.duties and not state.busy_turns & {go.number, 0}:  # what is in progress in a turn holds it up
            marks["turn", go.number] = go.player in whose
        for duty in go.duties:
            marks["owed", duty.player, duty.action] = any(
                (duty.player, action) in done for action in duty.fulfilling_actions
            )
    for proposal in state.open_proposals:
        if proposal.holds_up(proposal.turn):
            marks["proposal", proposal.number] = proposal.number in concerned
    for waiting in state.blocking_waits:
        owed = (
            [(who, waiting.round.action_owed) for who in waiting.round.players_awaited]
            if waiting.round
            else [(waiting.player, waiting.action)]
        )
        marks |= {("owed", *act): act in done for act in owed}
    judgment = state.awaited_judgment
    if judgment is not None:
        deciding = {decision.id for decision in must if decision.action in ("rule_on", "overrule")}
        marks["judgment", judgment.id] = judgment.id in deciding
    return frozenset(mark for mark, given in (marks or {("idle", state.turn): False}).items() if not given)


def _keys_that_matter(state: State) -> tuple[str, ...]:
    """Return the keys of the law, such as “may.vote”, that decide whether anybody can do what play waits for."""
    actions = {
        "begin_turn",
        "end_turn",
        *(action for go in state.turns for duty in go.duties for action in duty.fulfilling_actions),
    }
    actions |= {waiting.round.action_owed if waiting.round else waiting.action for waiting in state.blocking_waits}
    actions |= {"vote", "call_vote", "close_vote"} if state.open_proposals else set()
    actions |= {"rule_on", "overrule", "consent"} if state.docket else set()
    keys = [*(f"may.{action}" for action in sorted(actions)), *sorted(NEXT_TURN_KEYS)]
    if state.docket:
        keys.append("judge.consent")
    if state.open_proposals:
        keys.append("vote.closes")
    return tuple(keys)


def _fields_behind_keys(state: State, keys: Collection[str]) -> tuple[str, ...]:
    """Return the names of the fields of the state on which these keys of the law depend."""
    reads = state.law.dependence.fields_read
    field_names = {name for key in keys for name in reads(key) if key not in NEXT_TURN_KEYS or name != "proposals"}
    return tuple(sorted(field_names - {"*"} | {"rules", "tables", "later", *({"seq"} if "*" in field_names else ())}))


def _acts_that_could_help(state: State) -> Iterator[TriedAct]:
    """Yield (act, function that does it) for each act of a player or the host that could let play go on."""
    here = [name for name in state.person_names if not state.players[name].absent]
    for name in state.person_names:
        if name not in here:
            yield AwaitedAct(name, "present"), _act_of_host("present", who=name)
    for waiting in state.waiting:
        for name in waiting.round.players_awaited if waiting.round else ():
            yield AwaitedAct(name, "overdue"), _act_of_host("overdue", who=name)
    yield from _time_acts(state)
    for decision in decisions(state):
        for name in (decision.player,) if decision.player else here:
            for option in decision.options or ("",) if name in here else ():
                yield _decision_as_act(state, decision, name, option)
    for deed in ACTIONS.values():
        sources = state.law.triggers.get(deed.makes, ())
        if deed.heard and (state.law.numbers_of_rules_about(f"may.{deed.name}") if deed.takes_leave else sources):
            for name in here:
                yield from _acts_heard_by_rules(state, name, deed, sources)


def _act_of_player(player: str, action: str, details: Mapping[str, object]) -> Begin:
    """Return a function that does a player's action, with these details, on the engine it is given."""

    def begin(engine: Engine) -> None:
        check_can_act(engine.state, player, action)
        engine.did = action, ACTIONS[action].to_record(details)
        engine.enter_turn_of(player, action)
        ACTIONS[action].perform(engine, player, **details)

    return begin


def _act_of_host(action: str, **details: str) -> Begin:
    """Return a function that does an action of the host, with these details, on the engine it is given."""
    return lambda engine: HOST_ACTIONS[action].perform(engine, **details)


def _time_acts(state: State) -> Iterator[TriedAct]:
    """Yield (act, function that does it) for recording the time of the next midnight and the last deadline."""
    if state.clock is None or not (
        any(minutes_falling_due(state))
        or "day_begun" in state.law.triggers
        or any("clock" in state.law.dependence.fields_read(key) for key in _keys_that_matter(state))
    ):
        return
    furthest = state.clock.now + MOST_DAYS * MINUTES_PER_DAY
    for at in sorted(
        {midnight_after(state.clock.now), min(furthest, max(minutes_falling_due(state), default=0))} - {0}
    ):
        yield AwaitedAct("", "time", format_minute(at)), _act_of_host("time", now=format_minute(at))


def _decision_as_act(state: State, decision: Decision, player: str, option: str) -> TriedAct:
    """Return the act of a player who decides for `option` (or an example of one), and a function that does it."""
    answers = {"option": option or None, "proposal": decision.proposal, "id": decision.id, "rule": decision.rule}
    details = {}
    for name, (takes, default) in ACTIONS[decision.action].fields.items():
        answer = answers.get(takes.of)
        if answer is not None or default is REQUIRED:
            details[name] = takes.example if answer is None else answer
    unsure = decision.action == "revise" and "proposals" in state.law.dependence.fields_in_conditions("may.call_vote")
    if decision.takes:  # what else can be said may come to something else
        details["option"], unsure = {"number": 0, "text": EXAMPLE_TEXT, "some": [option]}[decision.takes], True
    act = AwaitedAct(player, decision.action, option, decision.proposal, decision.rule, decided=True, unsure=unsure)
    return act, _act_of_player(player, decision.action, details)


def _acts_heard_by_rules(
    state: State, player: str, deed: ActionSpec, sources: tuple[SourceClause, ...]
) -> Iterator[TriedAct]:
    """Yield (act, function that does it) for each form of an action (`deed`) that trigger clauses test for."""
    rule = sources[0].rule.number if sources else None
    conditions = [expression for source in sources for expression in source.clause.asked]
    unsure = any(deed.heard in expression.names and not [*expression.constants()] for expression in conditions)
    for details in deed.possible_details(state, player, phrases_heard(state, deed)):
        option = deed.line_template.format_map(details)
        act = AwaitedAct(player, deed.name, "" if option == "…" else option, None, rule, unsure=unsure)
        yield act, _act_of_player(player, deed.name, details)


KEYS = (
    Key("play.in_circles", TEXT, "what happens if play goes round in circles and nobody has anything to do",
        "after 200 steps without a decision", values=("go on", "cannot continue")),
    Key("play.standstill", TEXT, "what happens at a standstill: play waits, continues without an action that is "
                                 "due but forbidden, or cannot continue",
        "when nobody has to decide anything, and nobody can tell whether something that players can do lets play "
        "continue",
        values=("wait", "go on", "cannot continue")),
)  # fmt: skip
