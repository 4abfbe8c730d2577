"""What is sealed: throws that need no trust, and what players seal for later, which a rule has opened.

A throw is drawn from what those whom the law names seal and then reveal; an entry of a table has a round of its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.slots import Cell, Held, Owner, Players, Question
from nomic_nb.engine.law.values import TEXT, Ref, Value
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.declarations import Kept, Words, action, effect, happens, settles, step
from nomic_nb.engine.play.dice import LEAST, Opening, Round, check_hex, check_value, commitment, drawn
from nomic_nb.engine.play.effects import check_can_act, players_of
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, cause_of
from nomic_nb.engine.play.facts import spoken
from nomic_nb.engine.play.ledger import places_of, write
from nomic_nb.engine.play.pending import Secret, Waiting
from nomic_nb.engine.play.permissions import calm, check_permission, open_to, refuse
from nomic_nb.engine.play.polls import NO_ANSWER, answers, has_left, options_of, reached, take_revealed
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.table_values import Place
from nomic_nb.engine.play.tables import called, place_in, table_named
from nomic_nb.engine.play.values import BY, OWED, PLAYER, PLAYERS
from nomic_nb.engine.play.waiting import going_on_with, put_back, rounds, shows
from nomic_nb.engine.subjects.throws import shown_by
from nomic_nb.engine.words import doing


def _places(engine: Engine, effect: Any) -> tuple[str, tuple[Place, ...]]:
    """Return the table and the places that an effect is about."""
    name = called(engine.state, effect.counter)
    table = table_named(engine.state, name)
    return name, tuple(dict.fromkeys(place_in(table, name, one) for one in places_of(engine, effect)))


def _kept(state: State, name: str, place: Place) -> Secret | None:
    return next((one for one in state.secrets if (called(state, one.counter), one.place) == (name, place)), None)


@effect(
    "let {player} seal {cell} [of {who}] from {options} [asking {text}]",
    example='let player seal price("rope") from [3, 5] asking "What is it worth?"',
    makes="committed",
    player=Players(),
    cell=Cell(),
    who=Owner(),
    options=Held(several=True),
    text=Question(),
)
def _seal(engine: Engine, effect: Any) -> None:
    """Let a player seal what an entry of a table is to be, one after the other; nobody knows it until it is opened."""
    names = players_of(engine, effect.player)
    if len(names) != 1:
        raise Undecided(say("one-player-seals", "one player seals, no more and no less"))
    if has_left(engine, effect.player):
        engine.emit("unanswered", name=effect.counter, left_out=[])
        return
    check_can_act(engine, names)
    player = names[0]
    if not open_to(engine.state, "seal", player):
        raise Undecided(say("sealing-forbidden", "{player} may not seal anything", player=player))
    options = reached(engine, options_of(engine, effect.options))
    if not options:
        raise Undecided(say("nothing-to-seal", "there is nothing that could be sealed"))
    name, places = _places(engine, effect)
    for place in places:
        if _kept(engine.state, name, place) is None:
            of = ", ".join(spoken(engine.state, one) for one in place)
            number = engine.emit("secret_asked", player, counter=name, of=of).seq
            secret = Secret(name, place, player, options, effect.text or "", Round(number, (player,)))
            engine.wait(_waiting(engine, secret))
            return


@effect("open {cell} [of {who}]", example='open price("rope")', makes="revealed counted", cell=Cell(), who=Owner())
def _open(engine: Engine, effect: Any) -> None:
    """Have opened what was sealed for an entry of a table: it is written there; nothing is where nobody opens it."""
    name, places = _places(engine, effect)
    for place in places:
        secret = _kept(engine.state, name, place)
        if secret is None:
            continue
        if not secret.round.seals or secret.player not in engine.state.persons:
            engine.state = _without(engine.state, secret)
            continue
        engine.wait(_waiting(engine, secret))
        return


def _waiting(engine: Engine, secret: Secret) -> Waiting:
    return Waiting("seal", None, secret.counter, secret.options, rule=engine.at_work, round=secret.round, secret=secret)


def _without(state: State, secret: Secret) -> State:
    return state.but(secrets=tuple(one for one in state.secrets if one.round.number != secret.round.number))


def go_on_with_secret(engine: Engine, number: int) -> None:
    """Keep what was sealed in a round, or write down what was opened, and let the effects go on that wait for it."""
    found = [one for one in engine.state.waiting if one.secret and one.secret.round.number == number]
    if not found:
        return
    waiting = found[0]
    secret, round = cast(Secret, waiting.secret), cast(Round, waiting.round)
    opened = any(one.round.number == number for one in engine.state.secrets)
    if round.owed == ("reveal" if opened else "seal"):
        return
    left = tuple(one for one in engine.state.waiting if one not in found)
    behind = (item for one in found for item in one.agenda)
    state = engine.state.but(waiting=left, agenda=engine.state.agenda.first(*behind))
    if not opened:
        engine.state = state.but(secrets=(*state.secrets, replace(secret, round=round)))
        return
    engine.state, engine.depth = _without(state, secret), waiting.depth
    reveal = round.reveals.get(secret.player)
    value: Value = NO_ANSWER if reveal is None else next(iter(answers(state, waiting, reveal.value)), NO_ANSWER)
    if value is not NO_ANSWER:
        write(engine, secret.counter, secret.place, value)


happens("secret_asked", told="{actor} is to seal {counter} of {of}")


def of_player(state: State, player: str) -> tuple[Secret, ...]:
    """Return what a player has sealed for later and not opened."""
    return tuple(one for one in state.secrets if player in one.round.seals)


def owed(state: State, player: str, what: str = "") -> Round | None:
    """Return the first round in which a player owes something: a seal or a reveal, or either."""
    return next((one for _, one in rounds(state) if player in one.waiting and what in ("", one.owed)), None)


def unopened(state: State, player: str) -> Round | None:
    """Return a round in which a player has sealed something and not revealed it: first one that waits for them."""
    sealed = (one for _, one in rounds(state) if player in one.seals and player not in one.reveals)
    later = (one.round for one in of_player(state, player))
    return owed(state, player, "reveal") or next(sealed, None) or next(later, None)


# ------------------------------------------------------------------------------------------ opening


@settles
def open_round(engine: Engine) -> bool:
    """Open a round for a throw that is due, where the law has it committed; tell whether one was opened."""
    state = engine.state
    place = next((at for at, one in enumerate(state.waiting) if _is_due(state, one)), None)
    if place is None:
        return False
    due = state.waiting[place]
    finding = engine.find("dice.source")
    if not finding.says("committed"):
        return False
    named = [
        name
        for name in dict.fromkeys(engine.players("dice.sealed_by"))
        if name in state.persons and open_to(state, "seal", name)
    ]
    who = [name for name in named if name not in due.left_out]
    if len(who) < LEAST:  # one alone could choose the throw, and only the law can want that
        who = named
    if not who:
        left = tuple(one for one in state.waiting if one is not due)
        engine.state = state.but(waiting=left, agenda=state.agenda.then(*due.agenda[1:]))
        text = "The law names nobody who is here to seal this throw. It is left out; what do you agree on?"
        engine.ask(text, rule=due.rule)
        return True
    engine.take(due.turn)
    engine.cause = cause_of(finding)
    engine.emit("sealing_opened", due.player, game=state.game, who=who, dice=due.dice, sides=due.sides, place=place)
    return True


def _is_due(state: State, waiting: Waiting) -> bool:
    """Tell whether a throw waits that has no round, and that its player may make."""
    if waiting.action != "roll" or waiting.round is not None:
        return False
    return waiting.player is None or open_to(state, "roll", waiting.player)


# -------------------------------------------------------------------------------- sealing and revealing


def _open_to(engine: Engine, player: str, action: str) -> Round:
    """Return the round in which a player owes an action, or refuse."""
    state = engine.state
    calm(state)
    if rounds(state):
        check_permission(state, action, player, f"to {action} a value")
    found = owed(state, player, action)
    if found is None:
        started = [one for _, one in rounds(state) if player in one.who]
        if not started:
            refuse(
                say("no-seal-due", "there is nothing that {player} could {action} now", player=player, action=action)
            )
        if player in (started[0].seals if action == "seal" else started[0].reveals):
            refuse(
                say(
                    "sealed-already",
                    "{player} has done so already, and what is {action}ed stands",
                    player=player,
                    action=action,
                )
            )
        refuse(
            say(
                "seals-awaited",
                "nobody reveals before all have sealed; {who} not",
                who=doing(started[0].waiting, "has", "have"),
                players=started[0].waiting,
            )
        )
    _take_turn_of(engine, found)
    return found


def _take_turn_of(engine: Engine, found: Round) -> None:
    waiting = next(one for one in engine.state.waiting if one.round is found)
    if not waiting.meanwhile:
        engine.take(waiting.turn)


@action("committed", BY)
def seal(engine: Engine, player: str, commitment: Kept) -> None:
    """Commit to a value that is revealed later."""
    found = _open_to(engine, player, "seal")
    check_hex("commitment", commitment)
    engine.emit("committed", player, round=found.number, commitment=commitment)
    go_on_with_secret(engine, found.number)


@action("revealed", BY)
def reveal(engine: Engine, player: str, value: Kept, nonce: Kept) -> None:
    """Reveal what one has sealed."""
    found = _open_to(engine, player, "reveal")
    check_value(value)
    check_hex("nonce", nonce)
    if commitment(engine.state.game, found.number, player, Opening(value, nonce)) != found.seals[player]:
        raise IllegalAction(
            say(
                "revealed-otherwise",
                "what {player} reveals is not what {player} sealed in round {round}",
                player=player,
                round=found.number,
            )
        )
    engine.emit("revealed", player, round=found.number, value=value, nonce=nonce)
    for waiting, round in rounds(engine.state):
        if round.number == found.number and waiting.poll:
            take_revealed(engine, waiting, player, value)
    _draw_when_revealed(engine, found.number)


def _draw_when_revealed(engine: Engine, number: int) -> None:
    """Draw the throw, or go on with the answers, once nobody owes anything."""
    go_on_with_secret(engine, number)
    for waiting, round in rounds(engine.state):
        if round.number != number or round.owed:
            continue
        if waiting.poll:
            engine.state = going_on_with(engine.state, waiting)
            continue
        mixed, faces = drawn(engine.state.game, round, waiting.dice, waiting.sides)
        engine.take(waiting.turn)
        engine.cause = waiting.agenda[0].cause
        engine.state, engine.depth = put_back(engine.state, waiting, shows(waiting, sum(faces))), waiting.depth
        told = shown_by(engine.state, waiting, sum(faces))
        engine.emit(
            "thrown", waiting.player, draw=faces, by_hand=False, sides=waiting.sides, round=number, mixed=mixed, **told,
        )  # fmt: skip


# ------------------------------------------------------------------------------- who does not, or leaves


@action("overdue", host=True)
def overdue(engine: Engine, who: Words) -> None:
    """Record that a player who owes a seal or a reveal does not give it; then the law says how it goes on."""
    state = engine.state
    calm(state)
    found = owed(state, who)
    if found is None:
        refuse(say("owes-no-seal", "{who} owes no seal and no reveal now", who=str(who)[:40]))
    _take_turn_of(engine, found)
    engine.emit("overdue", who=who, owed=found.owed, round=found.number)
    engine.schedule("go on without", player=Ref("player", who), round=found.number)


@step("go on without")
def go_on_without(engine: Engine) -> None:
    """Leave a player out: of the round, or of the round that is held in its place, as the law has it.

    While seals are still owed nobody can know anything, and the round just goes on. Where too few are left,
    another is held.
    """
    env = engine.item.env
    name, number = env["player"].id, env["round"]
    waiting, found = next(((one, round) for one, round in rounds(engine.state) if round.number == number), (None, None))
    if waiting is None or found is None or name not in found.who:
        return
    throw = waiting.action == "roll"
    again = len(found.who) <= LEAST and throw
    if found.owed == "reveal" and not again and throw:
        finding = engine.find("dice.unrevealed", player=name)
        again = engine.law.settled(finding) == "again"
        engine.cause = cause_of(finding)
    told = {"secret": waiting.secret is not None, "poll": waiting.poll}
    engine.emit("left_out", name, round=number, again=again, data=told)
    _draw_when_revealed(engine, number)


@happens("sealing_opened", told=lambda e: f"{doing(e.data['who'], 'is', 'are')} to seal a throw")
def _sealing_opened(state: State, event: Event) -> State:
    place, found = event.data["place"], Round(event.seq, tuple(event.data["who"]))
    due = replace(state.waiting[place], round=found)
    return state.but(waiting=(*state.waiting[:place], due, *state.waiting[place + 1 :]))


def _changed(state: State, event: Event) -> State:
    """Change the round in which a player seals or reveals, or is left out."""
    name, data = event.by, event.data

    def after(waiting: Waiting, round: Round) -> Waiting:
        match event.kind:
            case "committed":
                return replace(waiting, round=replace(round, seals={**round.seals, name: data["commitment"]}))
            case "revealed":
                reveals = {**round.reveals, name: Opening(data["value"], data["nonce"])}
                return replace(waiting, round=replace(round, reveals=reveals))
        going_on = None if data["again"] else round.without(name)
        return replace(waiting, round=going_on, left_out=(*waiting.left_out, name))

    rounds = ((one, one.round) for one in state.waiting)
    changed = (after(one, round) if round and round.number == data["round"] else one for one, round in rounds)
    return state.but(waiting=tuple(changed))


happens("committed", told="{actor} seals a value")(_changed)


happens("revealed", told="{actor} reveals {value}")(_changed)


happens(
    "left_out",
    told=lambda e: (
        f"without {e.actor}, nothing that was sealed counts"
        if e.data["again"]
        else f"what {e.actor} was to seal or to open stays open no longer"
        if "secret" in e.data
        else f"{'the answers are taken' if 'poll' in e.data else 'the throw is made'} without {e.actor}"
    ),
)(_changed)


happens(
    "overdue",
    "somebody recorded that a player does not give what is owed: a seal or a reveal",
    BY | {"owed": OWED},
    told="{who} does not {owed} in time",
)


KEYS = (
    Key("dice.sealed_by", PLAYERS, "who seals and reveals a throw that is committed",
        "when such a throw is due; then it is fixed"),
    Key("dice.unrevealed", TEXT, "whether a throw is made without a player who has sealed and does not reveal, or "
        "sealed again without that player", "when it is recorded that a player does not reveal, or that player leaves",
        {"player": PLAYER}, ("without", "again")),
)  # fmt: skip
