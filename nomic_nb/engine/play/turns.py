"""Turns, parts of turns and rounds: how they begin and end, and what is owed in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NoReturn, cast

from nomic_nb.engine.extension import installed_extension
from nomic_nb.engine.law.checking import Checker
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.law.rules import RuleBook, SourceClause
from nomic_nb.engine.law.slots import NO_SPAN, InnerEffectSlot, OrWordSlot, PlayersSlot, SpanSlot, WordSlot
from nomic_nb.engine.law.values import NUMBER, TEXT, TRUTH, Type, list_type
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.agenda_items import AwaitedAct
from nomic_nb.engine.play.book_in_play import with_book
from nomic_nb.engine.play.deadlines import deadline_after
from nomic_nb.engine.play.declarations import action, declare_event, effect, settle
from nomic_nb.engine.play.effects import check_are_persons, evaluate_count, evaluate_players, record_prevention
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Cause, Event
from nomic_nb.engine.play.permissions import check_law_says, check_permission, check_undisturbed, refuse
from nomic_nb.engine.play.questions import is_ruling_lasting
from nomic_nb.engine.play.state import EventFold, State, fold_into
from nomic_nb.engine.play.turn_order import TurnOrder, next_player, read_turn_order
from nomic_nb.engine.play.values import PLAYER_CASE, PLAYERS, TEXTS, Duty, Judgment, Turn
from nomic_nb.engine.play.vote_rules import WHEN_READY, is_ready_for_effect
from nomic_nb.engine.play.waiting import without_waiting_for
from nomic_nb.engine.words import count_phrase, join_words, verb_phrase

# -------------------------------------------------------------------------------------- what players owe in a turn


def with_turn(state: State, turn: Turn) -> State:
    """Return the state in which this turn takes the place of the one in progress that has the same number."""
    return state.replace(turns=tuple(turn if old_turn.number == turn.number else old_turn for old_turn in state.turns))


#: What an event does to the turn in which it happened.
fold_turn = fold_into(lambda state, event: next(turn for turn in state.turns if turn.number == event.turn), with_turn)


def with_duty_done(state: State, player: str, action: str) -> State:
    """Return the state without one duty of a player that an action fulfils; the same state if none exists."""
    for turn in sorted(state.turns, key=lambda open_turn: open_turn.number != state.hand):
        for at, duty in enumerate(turn.duties):
            if duty.player == player and action in duty.fulfilling_actions:
                return with_turn(state, replace(turn, duties=(*turn.duties[:at], *turn.duties[at + 1 :])))
    return state


def fold_duty_done(action: str) -> EventFold:
    """Return an event handler that marks a duty of the event's actor to do an action as fulfilled."""
    return lambda state, event: with_duty_done(state, event.actor_name, action)


def _describe_duty(event: Event) -> str:
    """Return the history sentence for a new duty."""
    actions = [event.data[field_name] for field_name in ("action", "other") if field_name in event.data]
    return f"{event.actor} has to {' or '.join(actions).replace('_', ' ')}"


@declare_event("obliged", told=_describe_duty)
@fold_turn
def _add_duty(turn: Turn, event: Event) -> Turn:
    """Return a turn with the duty added that an event lays on a player."""
    owed = Duty(event.actor_name, event.data["action"], event.rule, event.data.get("other", ""))
    return replace(turn, duties=(*turn.duties, owed))


declare_event(
    "let_off", told=lambda e: f"{e.actor} doesn’t have to {e.data['action'].replace('_', ' ')}, because it is forbidden"
)(lambda state, event: with_duty_done(state, event.actor_name, event.data["action"]))


declare_event(
    "waits",
    told=lambda e: (
        f"play waits for {join_words(list(dict.fromkeys(act['player'] or 'time' for act in e.data['acts'])))}"
    ),
)(lambda state, event: state.replace(standstill=tuple(AwaitedAct(**act_data) for act_data in event.data["acts"])))


def _actions_that_can_be_owed(checker: Checker) -> list[str]:
    """Return the names of the actions, such as “propose”, that rules can make a duty."""
    return [declared_action.name for declared_action in checker.vocabulary.actions.values() if declared_action.owed]


@effect(
    "oblige {who} to {action} {other}",
    example="oblige player to propose",
    makes="obliged",
    ordered_by="people Judge",
    who=PlayersSlot(),
    action=WordSlot("action that can be owed called", _actions_that_can_be_owed),
    other=OrWordSlot("action that can be owed called", _actions_that_can_be_owed),
)
def _oblige(engine: Engine, effect: Any) -> None:
    """Keep the part going until players have done something, or a given alternative."""
    if engine.state.current_turn is None:
        raise Undecided("no-turn-for-it", "this happens outside of any turn")
    named = evaluate_players(engine, effect.who)
    if not set(named) & set(engine.state.person_names):  # or nobody would ever do it, and nobody be told
        check_are_persons(engine, named)
    for name in named:
        if "move" in (effect.action, effect.other) and name != engine.state.current_turn.player:
            raise Undecided(
                "no-moves-in-turn",
                "it’s {whose}’s turn, so {player} can’t make a move",
                whose=engine.state.current_turn.player,
                player=name,
            )
        if name in engine.state.person_names:
            engine.emit("obliged", name, action=effect.action, data={"other": effect.other})


@effect(
    "after {span}: {effect}",
    example="after 2 turns: award 5 points to player",
    makes="scheduled",
    span=SpanSlot(),
    effect=InnerEffectSlot(later=True),
)
def _after(engine: Engine, effect: Any) -> None:
    """Do something later, after that many turns or rounds have ended or that much recorded time has passed."""
    count = evaluate_count(engine, effect.span, NO_SPAN)
    due = deadline_after(engine.state, count, effect.unit)
    engine.emit("scheduled", count=count, unit=effect.unit, effect=effect.effect.words)
    engine.postpone(due, effect.effect)


def drop_postponed_effects(engine: Engine, before: RuleBook) -> None:
    """Cancel the postponed effects and timed polls of clauses that a change has taken out of the rules.

    Parameters
    ----------
    engine : Engine
        At work, after the change.
    before : RuleBook
        The rules before it.
    """
    state = engine.state
    for postponed in state.later:
        if _was_clause_removed(postponed.cause, before, state.rules):
            engine.state = engine.state.replace(
                later=tuple(left for left in engine.state.later if left is not postponed)
            )
            engine.emit("forgone", effect=postponed.effect.words, number=cast(Cause, postponed.cause).rule)
    timed = {waiting.poll: waiting.agenda[0].cause for waiting in state.waiting if waiting.meanwhile}
    for id, cause in timed.items():
        if _was_clause_removed(cause, before, state.rules):
            now, poll = engine.state, engine.state.polls[id]
            left = tuple(waiting for waiting in now.waiting if waiting.poll != id)
            engine.state = now.replace(waiting=left, polls={**now.polls, id: replace(poll, open=False)})
            engine.emit("forgone", effect=f"let … choose {poll.name}", number=poll.rule)


def _was_clause_removed(cause: Cause | None, before: RuleBook, after: RuleBook) -> bool:
    """Tell whether the clause named by a cause was in its rule in `before` and is not in it in `after`."""
    if cause is None or cause.id not in before.rules:
        return False
    then, now = before.rules[cause.id], after.rules.get(cause.id)
    stood, stands = (
        rule is not None and cause.words in [clause.words for clause in rule.clauses] for rule in (then, now)
    )
    return stood and not stands


declare_event("forgone", told="“{effect}” is dropped: rule {number}, which scheduled it, no longer says it")
declare_event(
    "scheduled", told=lambda e: f"in {count_phrase(e.data['count'], e.data['unit'][:-1])}: {e.data['effect']}"
)


# ----------------------------------------------------------------------------------------------------------- turns


def next_part(done: tuple[str, ...], parts: tuple[str, ...]) -> str | None:
    """Return the name of the part of a turn that comes after those done; None if all are done.

    Examples
    --------
    >>> next_part(("proposal",), ("proposal", "throw"))
    'throw'
    >>> next_part(("proposal",), ("throw", "proposal")) is None
    True
    >>> next_part(("throw",), ("throw", "throw"))
    'throw'
    """
    at = 0
    for part in done:
        if part in parts[at:]:
            at = parts.index(part, at) + 1
    return parts[at] if at < len(parts) else None


def are_parts_over(state: State, go: Turn) -> bool:
    """Tell whether all parts of a turn (`go`) are over; False if the law does not name the parts."""
    parts = state.find("turn.parts")
    return go.part is None and parts.answered and next_part(go.done, parts.value) is None


def start_turn(engine: Engine, order: TurnOrder, place: int, player: str, army: str | None) -> None:
    """Begin a player's turn, at index `place` in the order; `army` is the army whose turn it is, if any."""
    _record_turn_event(engine, "turn_begun", player, order, place, army)
    installed_extension().on_turn_begun(engine, army)


def _record_turn_event(engine: Engine, kind: str, player: str, order: TurnOrder, place: int, army: str | None) -> None:
    """Record an event of a kind such as “turn_begun”, with the order of turns and the turn's index (`place`)."""
    of = order.of if order.of != "player" else ""
    engine.emit(kind, player, sequence=order.names, place=place, data={"of": of, "army": army})


def judgment_awaiting_consent(law: Law, state: State, player: str) -> Judgment | None:
    """Return the judgment to which consent is needed before a player's turn, or None.

    Raises
    ------
    Undecided
        The law does not say.
    """
    for judgment in state.live_judgments:
        if law.answer("judge.consent", state, {**judgment.law_case, "player": player}) is not True:
            return judgment
    return None


def players_barred_from_turns(state: State, order: TurnOrder) -> frozenset[str]:
    """Return the players in the order whom the law does not let begin a turn."""
    players = {order.holder(state, name) for name in order.names}
    findings = {name: state.find("may.begin_turn", player=name) for name in players if name in state.person_names}
    return frozenset(
        name for name, finding in findings.items() if state.law.value_or_default(finding, True) is not True
    )


def pass_over_turn(engine: Engine, order: TurnOrder, name: str, place: int) -> None:
    """Pass over the turn of a player or army (`name`), at index `place`, who may not begin it.

    It counts as had in the round.
    """
    player = order.holder(engine.state, name)
    engine.cause = engine.cause_by_key("may.begin_turn", player=player)
    _record_turn_event(engine, "passed_over", player, order, place, name if order.of == "army" else None)
    _end_circuit_if_complete(engine)


def end_turn_and_circuit(engine: Engine, go: Turn) -> None:
    """End a turn (`go`), and also the round if everyone has had a turn in it."""
    installed_extension().before_turn_end(engine, go.army)
    engine.emit("turn_ended", go.player, data={"army": go.army})
    schedule_adopted_changes(engine, "turn ended")
    _end_circuit_if_complete(engine)


def _end_circuit_if_complete(engine: Engine) -> None:
    """End the round if everyone in the order has had a turn in it."""
    state = engine.state
    order = TurnOrder(state.sequence, state.sequence_of)
    if all(name in state.had_turn for name in state.sequence if order.holder(state, name) in state.person_names):
        engine.emit("circuit_ended", circuit=state.circuit)
        schedule_adopted_changes(engine, "circuit ended")


def schedule_adopted_changes(engine: Engine, due: str) -> None:
    """Put those adopted changes on the agenda that take effect at a time (`due`) such as “circuit ended”."""
    for number in engine.state.unsettled:
        proposal = engine.state.proposals[number]
        due_now = proposal.status == "waiting" and proposal.due == due
        if due_now and (due != WHEN_READY or is_ready_for_effect(engine.law, engine.state, proposal)):
            engine.schedule("put in force", **proposal.law_case)


def declare_play_stuck(engine: Engine) -> bool:
    """Record that play cannot continue (213) and return True; return False if that was recorded before."""
    state = engine.state
    if state.stuck:
        return False
    first = state.turns[0].player if state.turns else None
    if first is None and engine.read("turn.start") == "automatic":
        first = next_player(state)
    engine.emit("stuck", first)
    return True


def _without_expired_rulings(state: State) -> State:
    """Return the state without rulings that were made for one turn only, or that rules have replaced."""
    held = [rule for rule in state.rules if rule.answers]
    gone = [rule.id for rule in held if not (is_ruling_lasting(rule) and state.find(rule.answers).outcome == "ruled")]
    return with_book(state, state.rules.without_rules(*gone)) if gone else state


@declare_event("turn_begun", "a player's turn begins", PLAYER_CASE, told="{actor}’s turn begins", traits="timed")
def _begin_turn_in_state(state: State, event: Event) -> State:
    """Return the state after a turn has begun, and rulings made for one turn have expired."""
    number, army, player = state.turn + 1, event.data.get("army"), event.actor_name
    turn = Turn(number, player, army=army, march=installed_extension().moves_for_new_turn(state, army, player))
    state = _without_expired_rulings(state).replace(turn=number, hand=number, turns=(*state.turns, turn), applied=())
    return _with_turn_order(state, event)


@declare_event(
    "part_begun", "a part of a turn begins", PLAYER_CASE | {"part": TEXT}, told="{actor}’s turn: {part}", traits="timed"
)
@fold_turn
def _begin_part(turn: Turn, event: Event) -> Turn:
    """Return a turn after one of its parts has begun."""
    return replace(turn, part=event.data["part"], duties=())


@declare_event(
    "part_ended",
    "a part of a turn ends",
    PLAYER_CASE | {"part": TEXT},
    told="{actor}’s turn: end of {part}",
    traits="timed",
)
@fold_turn
def _end_part(turn: Turn, event: Event) -> Turn:
    """Return a turn after one of its parts has ended."""
    return replace(turn, part=None, done=(*turn.done, event.data["part"]), duties=())


@declare_event("turn_ended", "a player's turn ends", PLAYER_CASE, told="{actor}’s turn is over", traits="timed")
def _end_turn_in_state(state: State, event: Event) -> State:
    """Return the state after a turn has ended."""
    player = state.players[event.actor_name]
    state = _note_turn_had(state.with_player(replace(player, turns=player.turns + 1)), event)
    left = tuple(turn for turn in state.turns if turn.number != event.turn)
    mated = {} if state.mated else state.mated
    return state.replace(turns=left, ended=state.ended + 1, mated=mated)


def _note_turn_had(state: State, event: Event) -> State:
    """Return the state in which an event's player or army has had a turn in the round."""
    name = event.data.get("army", event.actor_name)
    return state if name in state.had_turn else state.replace(had_turn=(*state.had_turn, name))


def _with_turn_order(state: State, event: Event) -> State:
    """Return the state with the order of turns and the place in it that an event records."""
    data = event.data
    return state.replace(sequence=tuple(data["sequence"]), place=data["place"], sequence_of=data.get("of", "player"))


declare_event(
    "passed_over", "a player's turn comes, but they may not begin it", PLAYER_CASE, told="{actor}’s turn is skipped"
)(lambda state, event: _with_turn_order(_note_turn_had(state, event), event))


@declare_event(
    "circuit_ended", "a round ends, because everyone has had a turn; `circuit` is the number of that round",
    {"circuit": NUMBER},
    told="round {circuit} is complete", traits="timed",
)  # fmt: skip
def _end_circuit_in_state(state: State, _: Event) -> State:
    """Return the state after a round has ended."""
    return state.replace(circuit=state.circuit + 1, had_turn=())


def _describe_cut(event: Event) -> str:
    """Return the history sentence for the rest of a turn or part that is dropped."""
    first = event.data.get("open", ())
    then = f", once {verb_phrase(list(map(str, first)), 'is', 'are')} decided" if first else ""
    return f"the rest of the {event.data['what']} is dropped{then}"


@declare_event("cut_short", told=_describe_cut)
@fold_turn
def _cut_turn_short(turn: Turn, event: Event) -> Turn:
    """Return a turn whose remaining duties are dropped, and which is over if all of it was cut."""
    return replace(turn, duties=(), over=turn.over or event.data["what"] == "turn")


@declare_event("skipped", "a player skips the rest of a turn", PLAYER_CASE, told="{actor} skips the rest of the turn")
@declare_event("finished", told="{actor} ends the turn")
@fold_turn
def _finish_turn(turn: Turn, _: Event) -> Turn:
    """Return a turn whose player has ended it or skipped the rest."""
    return replace(turn, duties=(), over=True)


declare_event(
    "stuck", told=lambda e: f"play can’t continue; the first player who can’t go on is {e.actor or 'nobody'}"
)(lambda state, event: state.replace(stuck=True, first_unable=event.actor))


@action("turn_begun", PLAYER_CASE)
def begin_turn(engine: Engine, player: str) -> None:
    """Begin a turn."""
    state = engine.state
    check_undisturbed(state)
    check_law_says(state, "turn.start", "at will", say("turns-begin-by-themselves", "turns begin automatically here"))
    finding = state.find("turn.sequence")
    order = read_turn_order(state.law.value_or_undecided(finding))
    places = [at for at, name in enumerate(order.names) if order.holder(state, name) == player]
    if not places:
        refuse(say("has-no-turns", "{player} doesn’t get any turns", player=player), finding.rule)
    if state.turns:
        check_law_says(
            state,
            "turn.overlap",
            True,
            say("turn-not-over", "{player}’s turn isn’t over yet", player=state.turns[0].player),
        )
    check_permission(state, "begin_turn", player, "to begin a turn")
    judgment = judgment_awaiting_consent(state.law, state, player)
    if judgment is not None:
        rule = state.find("judge.consent", judgment=judgment.id).rule
        refuse(
            say(
                "judgment-without-consent",
                "the turn can’t begin until judgment {judgment} has the consent it needs",
                judgment=judgment.id,
            ),
            rule,
        )
    # Where turns belong to armies, that of the player's first army that had none in this round.
    place = next((at for at in places if order.names[at] not in state.had_turn), places[0])
    start_turn(engine, order, place, player, order.names[place] if order.of == "army" else None)
    while settle(engine, "before turn"):  # what nobody has overruled by now
        pass


def _refuse_turn(player: str) -> NoReturn:
    """Refuse an action because it is not the player's turn."""
    refuse(say("not-your-turn", "it’s not {player}’s turn", player=player))


def _check_own_turn(engine: Engine, player: str) -> Turn:
    """Make a player's turn current and return it; refuse if none exists, it is over or it waits for a vote."""
    go = engine.state.turn_of(player)
    if go is None:
        _refuse_turn(player)
    if go.over:
        refuse(say("turn-ended", "{player} has already ended their turn", player=player))
    if any(proposal.holds_up(go.number) for proposal in engine.state.open_proposals):
        refuse(say("turn-unfinished", "a proposal made in this turn has to be decided first"))
    engine.make_turn_current(go.number)
    return go


@action("finished", PLAYER_CASE)
def end_turn(engine: Engine, player: str) -> None:
    """End the turn."""
    state = engine.state
    check_undisturbed(state)
    finding = check_law_says(
        state, "turn.ended_by", "player", say("turns-end-by-themselves", "turns end automatically here")
    )
    go = _check_own_turn(engine, player)
    if not are_parts_over(state, go):
        refuse(
            say("has-something-to-do", "{player} still has something to do in this turn", player=player),
            finding.rule,
            only=player,
        )
    check_permission(state, "end_turn", player, "to end the turn")
    engine.emit("finished", player)


@action("skipped", PLAYER_CASE, takes_leave=True)
def skip(engine: Engine, player: str) -> None:
    """Skip the rest of the turn."""
    state = engine.state
    check_undisturbed(state)
    finding = state.find("may.skip", player=player)
    if state.turn_of(player) is None:
        _refuse_turn(player)
    if not finding.says(True):
        refuse(say("no-skipping", "{player} can’t skip the rest of this turn", player=player), finding.rule)
    _check_own_turn(engine, player)
    engine.state = without_waiting_for(engine.state, player)
    engine.emit("skipped", player)


@effect(
    "end {what}",
    aloud="end the {what}",
    example="end turn",
    makes="cut_short stuck",
    ordered_by="Judge record",
    what=WordSlot("end of a", ("part", "turn", "play")),
)
def _end(engine: Engine, effect: Any) -> None:
    """Cancel everything still due in the part or in the turn; or end play, because nobody can continue."""
    go = engine.state.current_turn
    if effect.what == "play":
        engine.emit("stuck", go.player if go else None)
    elif go is not None and (stronger := _rule_against_skipping(engine, go.player)) is not None:
        record_prevention(engine, effect, stronger, go.player)
    elif go is not None:
        left = [proposal.number for proposal in engine.state.open_proposals if proposal.holds_up(go.number)]
        if go.duties or not (go.over and effect.what == "turn"):  # or there is nothing left to let go
            engine.emit("cut_short", go.player, what=effect.what, data={"open": left})
        engine.state = without_waiting_for(engine.state, go.player)


def _rule_against_skipping(engine: Engine, player: str) -> Any:
    """Return the number of the rule that keeps the rule at work from cutting a turn short; None if none does."""
    by_rule = "this" in engine.item.env  # and not by a Judge's order
    rule = engine.law.book.rules.get(engine.cause.id) if by_rule and engine.cause else None
    finding = engine.find("may.skip", player=player)
    if rule is None or finding.value is not False:
        return None
    left, _ = engine.law.precedence.prevailing_clauses(
        [SourceClause(rule, finding.sources[0].clause), *finding.sources], finding.key
    )
    return None if any(source.rule is rule for source in left) else finding.rule


KEYS = (
    Key("turn.sequence", PLAYERS, "the players or armies that take turns, in order", "when a turn begins",
        also=list_type(Type("army")), needed=True),
    Key("turn.next", PLAYERS, "who takes a turn before the usual order resumes, the next one first",
        "when a turn begins by itself", also=list_type(Type("army")), needed=True),
    Key("turn.start", TEXT, "whether turns begin automatically or when a player chooses to begin one",
        "when no turn is in progress, and when a player begins one", values=("automatic", "at will"), needed=True),
    Key("turn.overlap", TRUTH, "whether a player can begin a turn at will while another turn is in progress",
        "when a player begins a turn"),
    Key("turn.ended_by", TEXT,
        "whether a turn ends automatically when its parts are over, or when its player ends it",
        "when the parts of a turn are over", values=("automatic", "player"), needed=True),
    Key("turn.parts", TEXTS, "the parts of a turn, in order", "when a part begins", needed=True),
)  # fmt: skip
