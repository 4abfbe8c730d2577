"""What players seal for later: a commitment for each entry of a table, opened when a rule has it opened."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from nomic_nb.law.choosing import Question
from nomic_nb.law.places import Cell, Held, Owner, Players
from nomic_nb.law.values import Value
from nomic_nb.law.view import Undecided
from nomic_nb.play.answers import NO_ANSWER, answers
from nomic_nb.play.commitments import Round
from nomic_nb.play.declaring import effect, happens
from nomic_nb.play.effects import check_can_act, players_of
from nomic_nb.play.engine import Engine
from nomic_nb.play.entries import Place
from nomic_nb.play.facts import spoken
from nomic_nb.play.pending import Secret, Waiting
from nomic_nb.play.permission import forbidden, permission
from nomic_nb.play.polling import options_of
from nomic_nb.play.state import State
from nomic_nb.play.tables import called, place_in, table_named
from nomic_nb.play.writing import places_of, write


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
        raise Undecided("one player seals, no more and no less")
    check_can_act(engine, names)
    player = names[0]
    if forbidden(permission(engine.state, "seal", player)):
        raise Undecided(f"{player} may not seal anything")
    options = options_of(engine, effect.options)
    if not options:
        raise Undecided("there is nothing that could be sealed")
    name, places = _places(engine, effect)
    for place in places:
        if _kept(engine.state, name, place) is None:
            of = ", ".join(spoken(engine.state, one) for one in place)
            number = engine.emit("secret_asked", player, counter=name, of=of).seq
            secret = Secret(name, place, player, options, effect.text or "", Round(number, (player,)))
            engine.wait(_waiting(engine, secret))
            return


@effect(
    "open {cell} [of {who}]",
    example='open price("rope")',
    makes="revealed counted",
    cell=Cell(),
    who=Owner(),
)
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
    engine.state = _without(state, secret)
    reveal = round.reveals.get(secret.player)
    value: Value = NO_ANSWER if reveal is None else next(iter(answers(state, waiting, reveal.value)), NO_ANSWER)
    if value is not NO_ANSWER:
        write(engine, secret.counter, secret.place, value)


happens("secret_asked", told="{actor} is to seal {counter} of {of}")


def of_player(state: State, player: str) -> tuple[Secret, ...]:
    """Return what a player has sealed for later and not opened."""
    return tuple(one for one in state.secrets if player in one.round.seals)
