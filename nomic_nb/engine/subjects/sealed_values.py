"""What is sealed: throws that need no trust, and what players seal for later, which a rule has opened.

A throw is drawn from what those whom the law names seal and then reveal; an entry of a table has a round of its own.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

from nomic_nb.engine.errors import IllegalAction, LawError
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.slots import CellSlot, OwnerSlot, PlayersSlot
from nomic_nb.engine.law.values import TEXT, ThingRef, Value
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.agenda_items import SealedSecret, WaitingFor
from nomic_nb.engine.play.declarations import (
    KeptField,
    WordsField,
    action,
    declare_event,
    declare_settler,
    declare_step,
    effect,
)
from nomic_nb.engine.play.dice import (
    FEWEST_SIDES,
    SealingRound,
    SealOpening,
    check_hex,
    check_sealable_value,
    commitment_hash,
    draw_from_reveals,
)
from nomic_nb.engine.play.effects import check_are_persons, evaluate_players
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, cause_of
from nomic_nb.engine.play.facts import value_in_words
from nomic_nb.engine.play.ledger import targeted_places, write_entry
from nomic_nb.engine.play.permissions import check_permission, check_undisturbed, is_permitted, refuse
from nomic_nb.engine.play.questions_by_rules import NOT_AN_ANSWER, has_everyone_left, read_answers
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.table_values import TablePlace
from nomic_nb.engine.play.tables import current_table_name, find_place, find_table
from nomic_nb.engine.play.values import OWED, PLAYER, PLAYER_CASE, PLAYERS
from nomic_nb.engine.play.waiting import open_rounds, result_of_throw, resume_with_value, without_waits_for_poll
from nomic_nb.engine.subjects.answer_slots import QuestionSlot, SealableSlot
from nomic_nb.engine.subjects.dice_rolls import roll_event_data
from nomic_nb.engine.subjects.polls import evaluate_options, options_in_universe, record_revealed_answer
from nomic_nb.engine.words import verb_phrase


def _table_and_places(engine: Engine, effect: Any) -> tuple[str, tuple[TablePlace, ...]]:
    """Return the name of the table that an effect is about, and the places (keys) of its entries there."""
    name = current_table_name(engine.state, effect.counter)
    table = find_table(engine.state, name)
    return name, tuple(dict.fromkeys(find_place(table, name, values) for values in targeted_places(engine, effect)))


def _find_secret(state: State, name: str, place: TablePlace) -> SealedSecret | None:
    """Return what a player has sealed for an entry (`place`) of the table `name`; None if nothing is sealed."""
    return next(
        (
            secret
            for secret in state.secrets
            if (current_table_name(state, secret.counter), secret.place) == (name, place)
        ),
        None,
    )


@effect(
    "let {player} seal {cell} [of {who}] from {options} [asking {text}]",
    example='let player seal price("rope") from [3, 5] asking "What is it worth?"',
    makes="committed",
    player=PlayersSlot(),
    cell=CellSlot(),
    who=OwnerSlot(),
    options=SealableSlot(),
    text=QuestionSlot(),
)
def _seal(engine: Engine, effect: Any) -> None:
    """Let a player seal the values of table entries, one after another; nobody knows them until they are opened."""
    names = evaluate_players(engine, effect.player)
    if len(names) != 1:
        raise Undecided("one-player-seals", "exactly one player has to be named to seal")
    if has_everyone_left(engine, effect.player):
        engine.emit("unanswered", name=effect.counter, left_out=[])
        return
    check_are_persons(engine, names)
    player = names[0]
    if not is_permitted(engine.state, "seal", player):
        raise Undecided("sealing-forbidden", "{player} may not seal anything", player=player)
    free = effect.options if isinstance(effect.options, str) else ""
    options = () if free else options_in_universe(engine, evaluate_options(engine, effect.options))
    if not options and not free:
        raise Undecided("nothing-to-seal", "there is nothing to seal")
    name, places = _table_and_places(engine, effect)
    for place in places:
        if _find_secret(engine.state, name, place) is None:
            of = ", ".join(value_in_words(engine.state, value) for value in place)
            number = engine.emit("secret_asked", player, counter=name, of=of).seq
            sealing = SealingRound(number, (player,))
            secret = SealedSecret(name, place, player, options, effect.text or "", sealing, free)
            engine.wait_for(_wait_for_round(engine, secret))
            return


@effect(
    "open {cell} [of {who}]", example='open price("rope")', makes="revealed counted", cell=CellSlot(), who=OwnerSlot()
)
def _open(engine: Engine, effect: Any) -> None:
    """Get the sealed value of a table entry opened and written there; if nobody opens it, nothing is written."""
    name, places = _table_and_places(engine, effect)
    for place in places:
        secret = _find_secret(engine.state, name, place)
        if secret is None:
            continue
        if not secret.round.seals or secret.player not in engine.state.person_names:
            engine.state = _without_secret(engine.state, secret)
            continue
        engine.wait_for(_wait_for_round(engine, secret))
        return


def _wait_for_round(engine: Engine, secret: SealedSecret) -> WaitingFor:
    """Return the waiting entry that holds effects back until a table's value is sealed, or revealed, in its round."""
    return WaitingFor(
        "seal",
        None,
        secret.counter,
        secret.options,
        rule=engine.number_of_rule_at_work,
        round=secret.round,
        secret=secret,
    )


def _without_secret(state: State, secret: SealedSecret) -> State:
    """Return the state without a value that was sealed for a table."""
    return state.replace(
        secrets=tuple(
            other_secret for other_secret in state.secrets if other_secret.round.number != secret.round.number
        )
    )


def settle_secret_of_round(engine: Engine, number: int) -> None:
    """Once a table's value is sealed in round `number`, keep it; once revealed, write it; resume waiting effects."""
    waitings = [
        waiting_for
        for waiting_for in engine.state.waiting
        if waiting_for.secret and waiting_for.secret.round.number == number
    ]
    if not waitings:
        return
    waiting = waitings[0]
    secret, round = cast(SealedSecret, waiting.secret), cast(SealingRound, waiting.round)
    opened = any(opened_secret.round.number == number for opened_secret in engine.state.secrets)
    if round.action_owed == ("reveal" if opened else "seal"):
        return
    left = tuple(waiting_for for waiting_for in engine.state.waiting if waiting_for not in waitings)
    behind = (item for waiting_for in waitings for item in waiting_for.agenda)
    state = engine.state.replace(waiting=left, agenda=engine.state.agenda.with_first(*behind))
    if not opened:
        engine.state = state.replace(secrets=(*state.secrets, replace(secret, round=round)))
        return
    engine.state, engine.depth = _without_secret(state, secret), waiting.resume_depth
    reveal = round.reveals.get(secret.player)
    value: Value = NOT_AN_ANSWER
    with suppress(LawError):  # which a device may have sealed that is not ours
        value = value if reveal is None else next(iter(read_answers(state, waiting, reveal.value)), value)
    if value is not NOT_AN_ANSWER:
        write_entry(engine, secret.counter, secret.place, value)


declare_event("secret_asked", told="{actor} has to seal {counter} of {of}")


def secrets_of_player(state: State, player: str) -> tuple[SealedSecret, ...]:
    """Return the values that a player has sealed for later and not opened."""
    return tuple(secret for secret in state.secrets if player in secret.round.seals)


def owed_round(state: State, player: str, what: str = "") -> SealingRound | None:
    """Return the first round in which a player still owes a “seal” or a “reveal” (`what`; empty: either); else None."""
    return next(
        (
            sealing
            for _, sealing in open_rounds(state)
            if player in sealing.players_awaited and what in ("", sealing.action_owed)
        ),
        None,
    )


# ------------------------------------------------------------------------------------------ opening


@declare_settler("after boards")
def open_round_for_due_roll(engine: Engine) -> bool:
    """Open a sealing round for a roll, or ask the players if nobody can seal; return whether either was done."""
    state = engine.state
    place = next((at for at, waiting in enumerate(state.waiting) if _is_round_due(state, waiting)), None)
    if place is None:
        return False
    due = state.waiting[place]
    finding = engine.find("dice.source")
    if not finding.says("committed"):
        return False
    named = [
        name
        for name in dict.fromkeys(engine.players_by_law("dice.sealed_by"))
        if name in state.person_names and is_permitted(state, "seal", name)
    ]
    who = [name for name in named if name not in due.left_out]
    if len(who) < FEWEST_SIDES:  # one alone could choose the throw, and only the law can want that
        who = named
    if not who:
        left = tuple(waiting for waiting in state.waiting if waiting is not due)
        engine.state = state.replace(waiting=left, agenda=state.agenda.with_last(*due.agenda[1:]))
        text = (
            "The rules name nobody here to seal secrets for this roll, so it is left out. What do you all agree to do?"
        )
        engine.ask(text, rule=due.rule)
        return True
    engine.make_turn_current(due.turn)
    engine.cause = cause_of(finding)
    engine.emit("sealing_opened", due.player, game=state.game, who=who, dice=due.dice, sides=due.sides, place=place)
    return True


def _is_round_due(state: State, waiting: WaitingFor) -> bool:
    """Tell whether a wait is for a roll that may be made now and has no sealing round yet."""
    if waiting.action != "roll" or waiting.round is not None:
        return False
    return waiting.player is None or is_permitted(state, "roll", waiting.player)


# -------------------------------------------------------------------------------- sealing and revealing


def _find_owed_round(engine: Engine, player: str, action: str) -> SealingRound:
    """Return the round in which a player owes a “seal” or “reveal” (`action`), and make its turn current; or refuse."""
    state = engine.state
    check_undisturbed(state)
    if open_rounds(state):
        check_permission(state, action, player, f"to {action} a value")
    sealing = owed_round(state, player, action)
    if sealing is None:
        started = [started_round for _, started_round in open_rounds(state) if player in started_round.who]
        if not started:
            refuse(say("no-seal-due", "there is nothing for {player} to {action} now", player=player, action=action))
        if player in (started[0].seals if action == "seal" else started[0].reveals):
            refuse(
                say(
                    "sealed-already",
                    "{player} has already {action}ed a value, and it can’t be changed",
                    player=player,
                    action=action,
                )
            )
        refuse(
            say(
                "seals-awaited",
                "nobody can reveal before everyone has sealed, and {who} not sealed yet",
                who=verb_phrase(started[0].players_awaited, "has", "have"),
                players=started[0].players_awaited,
            )
        )
    _take_turn_of_round(engine, sealing)
    return sealing


def _take_turn_of_round(engine: Engine, sealing: SealingRound) -> None:
    """Make current the turn to which a sealing round belongs, unless play goes on while it is open."""
    waiting = next(waiting_for for waiting_for in engine.state.waiting if waiting_for.round is sealing)
    if not waiting.meanwhile:
        engine.make_turn_current(waiting.turn)


@action("committed", PLAYER_CASE)
def seal(engine: Engine, player: str, commitment: KeptField) -> None:
    """Seal a value to be revealed later."""
    sealing = _find_owed_round(engine, player, "seal")
    check_hex("commitment", commitment)
    engine.emit("committed", player, round=sealing.number, commitment=commitment)
    settle_secret_of_round(engine, sealing.number)


@action("revealed", PLAYER_CASE)
def reveal(engine: Engine, player: str, value: KeptField, nonce: KeptField) -> None:
    """Reveal a sealed value."""
    sealing = _find_owed_round(engine, player, "reveal")
    check_sealable_value(value)
    check_hex("nonce", nonce)
    if commitment_hash(engine.state.game, sealing.number, player, SealOpening(value, nonce)) != sealing.seals[player]:
        raise IllegalAction(
            "revealed-otherwise",
            "this isn’t what {player} sealed in exchange {round}",
            player=player,
            round=sealing.number,
        )
    engine.emit("revealed", player, round=sealing.number, value=value, nonce=nonce)
    for waiting, round in open_rounds(engine.state):
        if round.number == sealing.number and waiting.poll:
            record_revealed_answer(engine, waiting, player, value)
    _finish_round(engine, sealing.number)


def _finish_round(engine: Engine, number: int) -> None:
    """Once all in round `number` have revealed, make its roll from what they sealed, or go on with their answers."""
    settle_secret_of_round(engine, number)
    for waiting, round in open_rounds(engine.state):
        if round.number != number or round.action_owed:
            continue
        if waiting.poll:
            engine.state = without_waits_for_poll(engine.state, waiting)
            continue
        mixed, faces = draw_from_reveals(engine.state.game, round, waiting.dice, waiting.sides)
        engine.make_turn_current(waiting.turn)
        engine.cause = waiting.agenda[0].cause
        engine.state, engine.depth = (
            resume_with_value(engine.state, waiting, result_of_throw(waiting, sum(faces))),
            waiting.resume_depth,
        )
        told = roll_event_data(engine.state, waiting, sum(faces))
        engine.emit(
            "thrown", waiting.player, draw=faces, by_hand=False, sides=waiting.sides, round=number, mixed=mixed, **told,
        )  # fmt: skip


# ------------------------------------------------------------------------------- who does not, or leaves


@action("overdue", host=True)
def overdue(engine: Engine, who: WordsField) -> None:
    """Record that a player has failed to vote, or to seal or reveal a value; the rules then say what follows."""
    state = engine.state
    check_undisturbed(state)
    sealing = owed_round(state, who)
    if sealing is None:
        votes = ((proposal.number, proposal.vote) for proposal in state.open_proposals)
        number = next((number for number, vote in votes if vote and vote.duty and who in vote.silent_voters), None)
        if number is None:
            refuse(
                say("owes-no-seal", "{who} has no vote to cast and nothing to seal or reveal now", who=str(who)[:40])
            )
        engine.emit("overdue", who=who, owed="ballot", number=number)
        return
    _take_turn_of_round(engine, sealing)
    engine.emit("overdue", who=who, owed=sealing.action_owed, round=sealing.number)
    engine.schedule("go on without", player=ThingRef("player", who), round=sealing.number)


@declare_step("go on without")
def go_on_without_player(engine: Engine) -> None:
    """Leave a player out of a round of sealing, or hold another round, as the law says.

    While seals are still owed nobody can know anything, and the round just goes on. Where too few are left,
    another is held.
    """
    env = engine.item.env
    name, number = env["player"].id, env["round"]
    waiting, sealing = next(
        ((waiting_for, round) for waiting_for, round in open_rounds(engine.state) if round.number == number),
        (None, None),
    )
    if waiting is None or sealing is None or name not in sealing.who:
        return
    throw = waiting.action == "roll"
    again = len(sealing.who) <= FEWEST_SIDES and throw
    if sealing.action_owed == "reveal" and not again and throw:
        finding = engine.find("dice.unrevealed", player=name)
        again = engine.law.value_or_undecided(finding) == "again"
        engine.cause = cause_of(finding)
    told = {"secret": waiting.secret is not None, "poll": waiting.poll}
    engine.emit("left_out", name, round=number, again=again, data=told)
    _finish_round(engine, number)


@declare_event(
    "sealing_opened", told=lambda e: f"{verb_phrase(e.data['who'], 'has', 'have')} to seal a secret for the roll"
)
def _add_round(state: State, event: Event) -> State:
    """Return the state with a new round of sealing for a roll."""
    place, found = event.data["place"], SealingRound(event.seq, tuple(event.data["who"]))
    due = replace(state.waiting[place], round=found)
    return state.replace(waiting=(*state.waiting[:place], due, *state.waiting[place + 1 :]))


def _update_round(state: State, event: Event) -> State:
    """Return the state after a player has sealed or revealed in a round, or was left out of it."""
    name, data = event.actor_name, event.data

    def after(waiting: WaitingFor, round: SealingRound) -> WaitingFor:
        match event.kind:
            case "committed":
                return replace(waiting, round=replace(round, seals={**round.seals, name: data["commitment"]}))
            case "revealed":
                reveals = {**round.reveals, name: SealOpening(data["value"], data["nonce"])}
                return replace(waiting, round=replace(round, reveals=reveals))
        going_on = None if data["again"] else round.without_player(name)
        return replace(waiting, round=going_on, left_out=(*waiting.left_out, name))

    rounds = ((waiting, waiting.round) for waiting in state.waiting)
    changed = (
        after(waiting, round) if round and round.number == data["round"] else waiting for waiting, round in rounds
    )
    return state.replace(waiting=tuple(changed))


declare_event("committed", told="{actor} seals a value")(_update_round)


declare_event("revealed", told="{actor} reveals {value}")(_update_round)


declare_event(
    "left_out",
    told=lambda e: (
        f"{e.actor}’s secret is missing, so none of the sealed values count"
        if e.data["again"]
        else f"play no longer waits for what {e.actor} had to seal or reveal"
        if "secret" in e.data
        else f"{'the answers count' if 'poll' in e.data else 'the dice are rolled'} without {e.actor}"
    ),
)(_update_round)


declare_event(
    "overdue",
    "someone records that a player still owes a ballot, a seal or a reveal",
    PLAYER_CASE | {"owed": OWED},
    told=lambda e: (
        f"{e.data['who']} has not voted on {e.data['number']} in time"
        if e.data["owed"] == "ballot"
        else f"{e.data['who']} does not {e.data['owed']} in time"
    ),
)


KEYS = (
    Key("dice.sealed_by", PLAYERS, "the players who seal and reveal values for a committed roll",
        "when such a roll is due; fixed from then on"),
    Key("dice.unrevealed", TEXT, "what happens if a player has sealed a value but does not reveal it: the dice are "
                                 "rolled without that player, or the others seal again",
                                 "when a player is recorded as not revealing, or leaves",
        {"player": PLAYER}, ("without", "again")),
)  # fmt: skip
