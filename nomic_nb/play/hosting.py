"""Keeping the record: absence, pause, correction by consent. None of it is a move in the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from nomic_nb.errors import IllegalAction
from nomic_nb.law import values as v
from nomic_nb.law.changes import check_text
from nomic_nb.law.nodes import Expression
from nomic_nb.law.view import View
from nomic_nb.markup.words import listed
from nomic_nb.play.cases import BY
from nomic_nb.play.declaring import Names, Words, action, happens
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Event
from nomic_nb.play.joining import why_not
from nomic_nb.play.judging import judge_away
from nomic_nb.play.pending import Item
from nomic_nb.play.people import names_of, with_player
from nomic_nb.play.permission import agreed_by_all, calm, check_names, somebody
from nomic_nb.play.questions import settle_if_agreed
from nomic_nb.play.state import State
from nomic_nb.play.waiting import without_the_absent


@action("absent", host=True)
def absent(engine: Engine, who: Words) -> None:
    """Record that a player is not at the table, so that no question waits for them; rules may speak of it."""
    somebody(engine.state, who)
    if engine.state.players[who].absent:
        raise IllegalAction(f"{who} is already recorded as absent")
    engine.emit("absent", None, who=who)
    engine.state = without_the_absent(engine.state)
    settle_if_agreed(engine)
    judge_away(engine, who)


@action("returned", host=True)
def present(engine: Engine, who: Words) -> None:
    """Record that a player is back."""
    somebody(engine.state, who)
    if not engine.state.players[who].absent:
        raise IllegalAction(f"{who} is not recorded as absent")
    engine.emit("returned", None, who=who)


@action("paused", host=True)
def pause(engine: Engine) -> None:
    """Let the game rest."""
    if engine.state.paused:
        raise IllegalAction("the game is already paused")
    engine.emit("paused", None)


@action("resumed", host=True)
def resume(engine: Engine) -> None:
    """Go on after a pause."""
    if not engine.state.paused:
        raise IllegalAction("the game is not paused")
    engine.emit("resumed", None)


@action("corrected", host=True)
def correct(engine: Engine, effect: Words, agreed: Names, reason: Words) -> None:
    """Put right what the record has wrong, or let somebody in, because everyone at the table agrees."""
    state = engine.state
    calm(state)
    who, why = agreed_by_all(state, agreed, reason, "a correction")
    check_text("effect", effect, v.LONGEST_TEXT * 4)
    parsed = state.law.language.effect(effect.strip())
    if "record" not in parsed.form.by:
        known = ['put points of "Ann" at 12', 'enter player "Zoe" as person']
        raise IllegalAction("a correction can only change what is counted, or let somebody in", options=known)
    state.law.language.check_effect(parsed, state.law.tables)
    check_names(state, parsed)
    if parsed.form.name == "enter":
        for name in names_of(cast(Expression, parsed.player).run(View(state, {}, state.law))):
            if reason := why_not(state, name):
                raise IllegalAction(reason)
    engine.emit(
        "corrected",
        None,
        effect=parsed.words,
        agreed=who,
        reason=why,
    )
    item = Item("effects", {}, state.law, None, None, (parsed,), state.hand)
    engine.first(item)


def _absence(*, absent: bool) -> Callable[[State, Event], State]:
    def handler(state: State, event: Event) -> State:
        return with_player(state, replace(state.players[event.data["who"]], absent=absent))

    return handler


happens("absent", "a player is recorded as not at the table", BY, told="{who} is absent")(_absence(absent=True))


happens("returned", "a player is back at the table", BY, told="{who} is back")(_absence(absent=False))


happens("paused", told="the game is paused")(lambda state, _: state.but(paused=True))


happens("resumed", told="the game goes on")(lambda state, _: state.but(paused=False))


happens("corrected", told=lambda e: f"{listed(e.data['agreed'])} agree: {e.data['effect']} ({e.data['reason']})")


happens("undone", told="the game goes back to how it stood after event {to}")
