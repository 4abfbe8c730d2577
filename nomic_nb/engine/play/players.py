"""Who joins a game, and who leaves it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from nomic_nb.engine.errors import LawError, WrongValue
from nomic_nb.engine.law.changes import check_text_storable
from nomic_nb.engine.law.confusables import confusable_form
from nomic_nb.engine.law.nodes import NotDone
from nomic_nb.engine.law.slots import NewcomerSlot, PlayersSlot, WordSlot
from nomic_nb.engine.law.values import LONGEST_TEXT, TEXT, ThingRef
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.messages import Message, say
from nomic_nb.engine.play.agenda_items import Poll, Question, WishQuestion
from nomic_nb.engine.play.declarations import action, declare_event, effect
from nomic_nb.engine.play.effects import evaluate_players, record_prevention, replace_result
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event
from nomic_nb.engine.play.lawmaking import find_broken_requirement
from nomic_nb.engine.play.permissions import check_permission
from nomic_nb.engine.play.questions import settle_if_agreed
from nomic_nb.engine.play.questions_by_rules import refresh_options
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.values import PLAYER, PLAYER_CASE, PLAYERS, Player, player_names
from nomic_nb.engine.play.waiting import without_waiting_for

AskingType = TypeVar("AskingType", Question, Poll)


declare_event(
    "entered",
    "a player joins",
    PLAYER_CASE,
    told=lambda e: f"{e.actor} joins" + ("" if e.data["as"] == "person" else f" as a {e.data['as']}"),
)(lambda state, event: state.with_player(Player(event.actor_name, event.data["as"] == "person")))


@declare_event("came_back", "a player who had left joins again", PLAYER_CASE, told="{actor} is back in the game")
def _restore_player(state: State, event: Event) -> State:
    """Return the state in which a player who had left takes part again."""
    player, person = state.players[event.actor_name], event.data["as"] == "person"
    return state.with_player(replace(player, playing=True, absent=False, forfeited=False, person=person))


@declare_event("forfeited", "a player leaves the game", PLAYER_CASE, told="{actor} forfeits")
@declare_event(
    "eliminated",
    "a player is eliminated",
    PLAYER_CASE,
    told="{actor} is out of the game",
    usual="the player is out of the game",
)
def _remove_player(state: State, event: Event) -> State:
    """Return the state after a player has left, without their duties and their part in open questions and polls."""
    name = event.actor_name
    state = state.with_player(replace(state.players[name], playing=False, forfeited=event.kind == "forfeited"))
    duties = (tuple(duty for duty in turn.duties if duty.player != name) for turn in state.turns)
    turns = tuple(
        replace(turn, duties=left, over=turn.over or turn.player == name)
        for turn, left in zip(state.turns, duties, strict=True)
    )
    given_up = (
        question for question in state.questions if not (isinstance(question, WishQuestion) and question.by == name)
    )
    questions = tuple(left for question in given_up if (left := _without_asked_player(question, name)).who)
    polls = {
        id: _without_asked_player(old_poll, name) if old_poll.open else old_poll for id, old_poll in state.polls.items()
    }
    for id, poll in polls.items():  # what one alone was asked is over with them
        if poll.open and not poll.several and not poll.who:
            polls[id] = replace(poll, open=False)
    return state.replace(turns=turns, questions=questions, polls=polls)


def _without_asked_player(asking: AskingType, name: str) -> AskingType:
    """Return a question or a poll in which a player is no longer asked."""
    answers = {player: sentence for player, sentence in asking.answers.items() if player != name}
    return replace(asking, who=tuple(player for player in asking.who if player != name), answers=answers)


@effect(
    "enter player {player} as {kind}",
    aloud="let {player} take part as a {kind}",
    example='enter player "Zoe" as person',
    makes="entered came_back",
    ordered_by="record",
    player=NewcomerSlot(),
    kind=WordSlot("kind of player called", ("person", "dummy")),
)
def _enter(engine: Engine, effect: Any) -> None:
    """Let a new player join, or let a player who has left come back with their counters."""
    names = player_names(engine.evaluate(effect.player))
    if len(names) != 1:
        raise NotDone("nobody-to-enter", "there is nobody to let in")
    name, known = names[0], engine.state.players.get(names[0])
    if reason := why_not_admitted(engine.state, name):
        raise NotDone(reason)
    saved, mark = engine.state, len(engine.moments)
    broken = find_broken_requirement(engine, saved, saved, {})
    engine.emit("entered" if known is None else "came_back", name, data={"as": effect.kind})
    now = find_broken_requirement(engine, engine.state, saved, {})
    if now is not None and broken is None:  # whoever takes part can make that impossible which the law requires
        engine.state = saved
        del engine.moments[mark:]
        record_prevention(engine, effect, now.rule.number)


def why_not_admitted(state: State, name: str) -> Message | None:
    """Return why a player of this name cannot join or come back; None if they can."""
    known = state.players.get(name)
    if known is None:
        try:
            check_names([*state.players, name])
        except (LawError, WrongValue) as error:
            return error.said if isinstance(error, WrongValue) else error.message
    elif known.playing:
        return say("plays-already", "there is already a player called {player}", player=name)
    elif known.forfeited:  # whoever left by their own will need not go on
        return say(
            "left-for-good", "{player} chose to leave the game, so only {player} can decide to come back", player=name
        )
    return None


def remove_from_game(engine: Engine, name: str, kind: str) -> None:
    """Record that a player leaves, by an event of a kind such as “forfeited”, and stop waiting for them."""
    engine.emit(kind, name)
    refresh_options(engine, name)
    engine.state = without_waiting_for(engine.state, name)
    engine.schedule("after leaving", player=ThingRef("player", name))


@effect(
    "eliminate {who}",
    example="eliminate player",
    makes="eliminated",
    ordered_by="people Judge",
    who=PlayersSlot(),
    traits="taking",
)
def _eliminate(engine: Engine, effect: Any) -> None:
    """Put a player out of the game."""
    for name in evaluate_players(engine, effect.who):
        case = {"player": ThingRef("player", name)}
        if engine.state.players[name].playing and not replace_result(engine, "eliminated", name, name, case):
            remove_from_game(engine, name, "eliminated")


@action("forfeited", PLAYER_CASE, otherwise="acts.unregulated")
def forfeit(engine: Engine, player: str) -> None:
    """Leave the game.

    Leaving is never refused while a rule allows it (113).
    """
    state = engine.state
    check_permission(state, "forfeit", player, "to forfeit")
    remove_from_game(engine, player, "forfeited")
    settle_if_agreed(engine)


LONGEST_NAME = 40
#: What stands where a name could stand, when nobody in particular is meant.
RESERVED_NAMES = frozenset({
    "nobody", "none", "nothing", "anyone", "anybody", "someone", "somebody", "everyone", "everybody", "the game",
    "the table",
})  # fmt: skip


def check_names(names: Iterable[str]) -> None:
    """Raise an error if player names are malformed, look the same, or read like other words or several players.

    Raises
    ------
    LawError
        A character that cannot be seen.
    ValueError
        With the name, and what is wrong with it.
    """
    seen: dict[str, str] = {}
    names = list(names)
    for name in names:
        _check_name(name)
        other = seen.get(confusable_form(name))
        if other == name:
            raise WrongValue(
                "name-twice", "every player needs a different name; you gave {names}", names=", ".join(names)
            )
        if other is not None:
            raise WrongValue(
                "names-look-same",
                "{other!r} and {name!r} look the same; choose names that are easy to tell apart",
                other=other,
                name=name,
            )
        seen[confusable_form(name)] = name
    for name in names:
        parts = re.split(r"\s(?:and|&)\s", name)
        if len(parts) > 1 and any(confusable_form(part) in seen for part in parts):
            raise WrongValue(
                "name-reads-like-several",
                "{name!r} looks like several players, because {part!r} or another part is a player’s name",
                name=name,
                part=parts[0],
            )
    for at, name in enumerate(names, 1):
        check_text_storable(f"name of player {at}", name, LONGEST_NAME)


def _check_name(name: str) -> None:
    """Raise an error if a player's name is blank, too long, invisible or reserved, or has a comma."""
    if not isinstance(name, str) or not name.strip() or name != name.strip():
        raise WrongValue(
            "name-blank", "a name can’t be empty, or start or end with a space; you gave {name!r}", name=name
        )
    if len(name) > min(LONGEST_NAME, LONGEST_TEXT) or any(sign in name for sign in '"\n\t'):
        raise WrongValue(
            "name-too-long",
            "a name can have up to {longest} characters, but no line break, tab or double quote; you gave {name!r}",
            longest=LONGEST_NAME,
            name=name[:60],
        )
    shown = confusable_form(name)
    if all(unicodedata.category(letter)[0] in "MZ" for letter in shown):
        raise WrongValue("name-invisible", "a name needs at least one visible character; you gave {name!r}", name=name)
    if any(comma in shown for comma in ",،、"):
        turned = " ".join(part.strip() for part in reversed(re.split("[,،、]", name)) if part.strip())
        raise WrongValue(
            "name-has-comma",
            "names can’t contain a comma: {name!r} looks like several players. For one player, write {instead}",
            name=name,
            instead=turned,
        )
    if shown.casefold() in RESERVED_NAMES or confusable_form(name.casefold()) in {
        confusable_form(reserved_name) for reserved_name in RESERVED_NAMES
    }:
        raise WrongValue(
            "name-of-nobody", "{name!r} can’t be a player’s name, because it doesn’t mean one person", name=name
        )


KEYS = (
    Key("acts.unregulated", TEXT, "the status of actions that no rule covers", "when a player does something",
        values=("allowed", "forbidden")),
    Key("acts.rule_change", TEXT, "the status of changing the rules when no rule allows or forbids it",
        "when a change is proposed",
        values=("allowed", "forbidden")),
    Key("team.mates", PLAYERS, "the other members of a player's team", "when rules speak of team-mates",
        {"player": PLAYER}),
)  # fmt: skip
