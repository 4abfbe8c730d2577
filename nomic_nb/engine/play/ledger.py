"""What is written down in tables: how it is recorded, what rules let a number become, and who sees what is hidden."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.expressions import bounded
from nomic_nb.engine.law.findings import Finding
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.slots import Cell, Counted, Held, Owner, Players, Shown
from nomic_nb.engine.law.tables import Shape
from nomic_nb.engine.law.values import LONGEST_TEXT, NUMBER, TEXT, Heard, Number, Ref, Value, shown
from nomic_nb.engine.law.vocabulary import Key, untracked
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.declarations import Count, Counter, Somebody, action, effect, happens
from nomic_nb.engine.play.effects import a_number, is_number, known_players, players_of, things_in
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, cause_of, number_from_json, told_change
from nomic_nb.engine.play.facts import spoken
from nomic_nb.engine.play.permissions import calm, refuse, settled
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.table_values import MOST, Place
from nomic_nb.engine.play.tables import (
    HIDDEN,
    Start,
    called,
    count,
    from_json,
    owned,
    place_from_json,
    place_in,
    renamed,
    start_told,
    starts,
    table_named,
    too_many_entries,
    with_start,
)
from nomic_nb.engine.play.values import BY, COUNTER, KEYS_OF_TABLES, NUMBERED, PLAYER, VOTE, names_of, refs
from nomic_nb.engine.words import counter_named, figure

# ---------------------------------------------------------------------------------- what is written down in tables


def _told_counted(event: Event) -> str:
    data, name = event.data, event.data["counter"]
    whose = data.get("of") or event.actor or "the game"
    if data.get("hidden"):
        return f"{whose}: {HIDDEN} of {name} changes" if "amount" in data else f"{whose}: {name} changes, hidden"
    return f"{whose}: {told_change(data)}" if "amount" in data else f"{name} of {whose} is {data['says']} now"


def _wins_by(state: State) -> set[str]:
    """Return the tables that the condition of winning looks at; all of them where it names none."""
    law = state.law
    named = {one for one in law.tables if law.dependence.looks_at("win.winners", frozenset({one}))}
    return named or set(law.tables)


@happens(
    "counted",
    "something that rules track changed: a counter, or another entry of a table; `amount` is 0 where it is no number",
    {"counter": COUNTER, "amount": NUMBER},
    told=_told_counted,
    may_bind=KEYS_OF_TABLES,
)
def _counted(state: State, event: Event) -> State:
    data = event.data
    table = state.tables[data["counter"]]
    place = place_from_json(table.shape, data.get("at", [event.actor] if event.actor else []))
    now = from_json(table.shape.holds.name, data["now"])
    more = event.actor in state.above and table.shape.counts and cast(Number, now) > cast(Number, table.at(place))
    if more and data["counter"] in _wins_by(state):
        state = state.but(above={name: held for name, held in state.above.items() if name != event.actor})
    return state.but(tables={**state.tables, data["counter"]: table.put(place, now)})


def _told_tracked(event: Event) -> str:
    data = event.data
    said = f"the game {'counts' if data['holds'] == 'number' else 'keeps'} {data['counter']} per {data['per']}"
    return f"{said}, hidden" if data["hidden"] else f"{said}, starting from {data['said']}"


@happens("tracked", told=_told_tracked)
def _tracked(state: State, event: Event) -> State:
    name, data = event.data["counter"], event.data
    shape = state.law.tables[name]
    kind = shape.holds.name
    entries = tuple((place_from_json(shape, at), from_json(kind, one)) for at, one in data.get("entries", ()))
    track = next(one for one in state.law.tracks if one.counter == name)
    return with_start(state, Start(track, from_json(kind, data.get("start")), entries))


def _told_withheld(event: Event) -> str:
    whose = event.data.get("of") or event.actor or "the game"
    if event.data.get("hidden"):
        return f"{whose}: not all of a change of {event.data['counter']} is counted"
    amount, name = number_from_json(event.data["amount"]), event.data["counter"]
    much: Number = amount if amount > 0 else -amount
    said = f"{figure(much)} {counter_named(name, much)}"
    return f"{whose}: {said} {'less' if amount > 0 else 'more'} than it would have been"


happens(
    "withheld",
    "a rule let a number be another than it would have been (`counter.value`): by so much less, or more where `amount` "
    "is below 0",
    {"counter": NUMBERED, "amount": NUMBER},
    told=_told_withheld,
    may_bind=KEYS_OF_TABLES,
)


def start_tables(engine: Engine) -> None:
    """Begin to keep the tables that rules track and that are not there yet, or start from something else now."""
    for one in starts(engine.state):
        engine.emit("tracked", **start_told(engine.state, one))


def places_of(engine: Engine, effect: Any) -> tuple[Place, ...]:
    """Return the places of a table that an effect is about: of one, of several, of the game, or of nobody."""
    if effect.keys is not None:
        return (tuple(engine.value(one) for one in effect.keys),)
    if effect.who is None:
        return ((),)
    who = engine.value(effect.who)
    them = things_in(who) or refs(known_players(engine, names_of(who)))
    return tuple((one,) if one.kind != "game" else () for one in them)


def standing(engine: Engine, name: str, place: Place) -> Value:
    """Return what stands in a place of a table.

    Raises
    ------
    Undecided
        No rule tracks it.
    """
    table = table_named(engine.state, name)
    return table.at(place_in(table, name, place))


def judged(engine: Engine, name: str, place: Place, was: Number, now: Number) -> tuple[Number, Finding | None]:
    """Return what a number comes to be where it would be another, as rules have it, and what they say where they do.

    Raises
    ------
    Undecided
        They give no answer.
    """
    if not engine.law.speaking_of("counter.value"):
        return now, None
    finding = engine.find(
        "counter.value", counter=_said(engine, name), was=was, amount=bounded(now - was), **_bound(place)
    )
    return bounded(engine.law.settled(finding)), finding


def _said(engine: Engine, name: str) -> str:
    """Return what the law of a step calls a table: by the name that it had, where it is called otherwise since."""
    known = engine.law.tables
    return next((one for one in (name, *reversed(engine.state.tables[name].once)) if one in known), name)


def _bound(place: Place) -> dict[str, Ref]:
    """Return the things among the keys of an entry, by their kinds; the first of each."""
    return {one.kind: one for one in reversed(place) if isinstance(one, Ref)}


def write(
    engine: Engine, name: str, keys: Place, now: Value, *, exactly: Fraction | None = None, added: bool = False,
    agreed: bool = False,
) -> None:  # fmt: skip
    """Write something down in a table, and record by how much a number changed, and what was rounded.

    Parameters
    ----------
    engine : Engine
        Where.
    name : str
        Of the table.
    keys : tuple of Value
        The place.
    now : Value
        What stands there from now on, unless rules say that a number is another then (`counter.value`).
    exactly : Fraction, optional
        The amount before it was rounded.
    added : bool
        Whether something was added; where nothing was, and all is as it was, nothing happens.
    agreed : bool
        Whether all have agreed on the number, whatever rules say of it.

    Raises
    ------
    Undecided
        No rule tracks it, it holds something else, it would have too many entries, or rules give no answer.
    """
    name = called(engine.state, name)
    table = table_named(engine.state, name)
    place = place_in(table, name, keys)
    was, shape = table.at(place), table.shape
    if not _holds(shape, now):
        raise Undecided(
            say(
                "table-holds-otherwise",
                "{name} holds {kind}, and not {value}",
                name=name,
                kind=shape.holds.many,
                value=shown(now),
            )
        )
    if any(isinstance(one, str) and len(one) > LONGEST_TEXT for one in (*place, now)):
        raise Undecided(
            say("table-text-too-long", "a text in a table has at most {longest} characters", longest=LONGEST_TEXT)
        )
    finding, wanted = None, now
    if is_number(was) and is_number(now):
        now = wanted = bounded(now)
        if not agreed:
            now, finding = judged(engine, name, place, was, now)
    if now != was or (added and now == wanted):
        if place not in table.entries and len(table.entries) >= MOST:
            raise Undecided(too_many_entries(name))
        _record(engine, name, place, now, exactly if now == wanted else None)
    if finding is not None and now != wanted:
        kept, engine.cause = engine.cause, cause_of(finding)
        missing = bounded(cast(Number, wanted) - cast(Number, now))
        actor, told = _told(engine, name, place)
        engine.emit("withheld", actor, env={**_bound(place), "amount": missing}, amount=missing, **told)
        engine.cause = kept


def _record(engine: Engine, name: str, place: Place, now: Value, exactly: Fraction | None) -> None:
    """Record that an entry of a table changed."""
    table = engine.state.tables[name]
    was = table.at(place)
    if is_number(was) and is_number(now):
        more: dict[str, Any] = {"amount": bounded(now - was)}
    else:
        more = {"says": spoken(engine.state, now)}
    if exactly is not None:
        more |= {"exact": exactly, "tie": exactly.denominator == 2}
    actor, told = _told(engine, name, place)
    engine.emit("counted", actor, env={**_bound(place), "amount": 0, **more}, now=now, **more, **told)


def _told(engine: Engine, name: str, place: Place) -> tuple[str | None, dict[str, Any]]:
    """Return of whom an event about an entry of a table is, and of what the entry is."""
    table, of = engine.state.tables[name], ", ".join(spoken(engine.state, one) for one in place)
    own = table.shape.keys == ("player",)
    about = {} if own else {"at": place, "of": of}
    return names_of(place)[0] if own else None, {"counter": name, "data": {"hidden": table.hides(place), **about}}


def _holds(shape: Shape, value: Value) -> bool:
    if value is None:
        return shape.holds.maybe
    if isinstance(value, Ref):
        return value.kind == shape.holds.name
    plain = {bool: "truth", str: "text", Heard: "text", tuple: "list"}
    return plain.get(type(value), "number") == shape.holds.name


# ------------------------------------------------------------------------------------------ what is hidden


def _told_shown(event: Event) -> str:
    of = event.data.get("of", "")
    return f"{event.data['counter']}{f' of {of}' if of else ''} is shown to all: {event.data['says']}"


@happens("shown", told=_told_shown)
def _shown(state: State, event: Event) -> State:
    name = event.data["counter"]
    table = state.tables[name]
    place = place_from_json(table.shape, event.data["at"])
    shown = replace(table, revealed=table.revealed.put(place, True))
    return state.but(tables={**state.tables, name: shown})


@effect(
    "reveal {cell} [of {who}]",
    example="reveal secret of player",
    makes="shown",
    cell=Shown(),
    who=Owner(),
)
def _reveal(engine: Engine, effect: Any) -> None:
    """Show to all what is hidden in a table, from now on."""
    name = called(engine.state, effect.counter)
    for keys in places_of(engine, effect):
        table = table_named(engine.state, name)
        place = place_in(table, name, keys)
        if table.hides(place):  # or nothing happens
            state = engine.state
            of = ", ".join(spoken(state, one) for one in place)
            says = spoken(state, table.at(place))
            engine.emit("shown", counter=name, at=place, of=of, says=says)


# ------------------------------------------------------------------------------------------------- what is counted


@happens("renamed", told="{old} are called {new} from now on")
def _renamed(state: State, event: Event) -> State:
    return renamed(state, event.data["old"], event.data["new"])


def _so_many(event: Event) -> str:
    amount = number_from_json(event.data["amount"])
    return f"{amount} {counter_named(event.data['counter'], amount)}"


happens(
    "gave",
    "a player gave another something that is counted",
    BY | {"receiver": PLAYER, "counter": NUMBERED, "amount": NUMBER},
    told=lambda e: f"{e.actor} gives {e.data['receiver']} {_so_many(e)}",
    traits="done",
)


def _told_unpaid(event: Event) -> str:
    to, by, so_many = event.data["to"], event.data.get("by"), _so_many(event)
    if "by" in event.data:
        return f"{event.actor} does not pay {to} {so_many}: rule {by} keeps it there"
    return f"{event.actor} does not have the {so_many} to pay {to}"


happens(
    "unpaid",
    "a player was to pay and had not got it, or a rule kept it there",
    BY | {"counter": NUMBERED, "amount": NUMBER},
    told=_told_unpaid,
)


@effect(
    "award {amount} [to|of {who}]",
    example="award 5 points to player",
    makes="counted",
    ordered_by="people Judge record",
    amount=Counted("an award", "awarded"),
    who=Owner(needed=True),
)
def _award(engine: Engine, effect: Any) -> None:
    """Add to a counter of one or of each, to one of the game, or to any entry of a table of numbers."""
    places = places_of(engine, effect)
    view = engine.view()
    value = effect.amount.run(view) if places else None  # reckoned once, before anybody gets it
    if value is None:  # what was declined brings nothing
        return
    amount = a_number(value)
    for place in places:
        now = a_number(standing(engine, effect.counter, place)) + amount
        write(engine, effect.counter, place, now, exactly=view.rounded, added=True, agreed=engine.item.cause is None)


def transfer(engine: Engine, payer: str, who: str, amount: Number, counter: str) -> bool:
    """Move some of a counter from one player to another; tell whether the payer had it. Nobody gives what is not there.

    What rules let the payer lose (`counter.value`) the other gets, as far as rules let them get it.

    Raises
    ------
    Undecided
        It is less than nothing, or no rule tracks the counter.
    """
    if amount < 0:
        raise Undecided(say("payment-negative", "nobody can pay less than zero"))
    counter = called(engine.state, counter)
    has, other = count(engine.state, counter, payer), count(engine.state, counter, who)
    if has is None or other is None:  # of those who came since none does
        raise Undecided(untracked(counter))
    payer_at, receiver_at = (Ref("player", payer),), (Ref("player", who),)
    left, finding = judged(engine, counter, payer_at, has, has - amount)
    paid = has - left if finding is not None else amount  # what rules let the payer lose, the other gets
    if payer == who or not amount:
        return has >= amount
    if has < max(amount, paid):
        return False
    if paid <= 0:
        by = finding.rule if finding else None
        engine.emit("unpaid", payer, counter=counter, amount=amount, to=who, by=by)
        return True
    write(engine, counter, payer_at, has - amount)
    now = count(engine.state, counter, who)
    write(engine, counter, receiver_at, (other if now is None else now) + paid)
    return True


@effect(
    "pay {amount} from {payer} to {who}",
    example="pay 3 points from player to next_player",
    makes="counted unpaid",
    amount=Counted("a payment", "paid"),
    payer=Players(with_counter=True),
    who=Players(),
)
def _pay(engine: Engine, effect: Any) -> None:
    """Give from one to the other, or not at all where the payer has not got it."""
    payers, receivers = players_of(engine, effect.payer), players_of(engine, effect.who)
    amount = a_number(engine.value(effect.amount)) if payers and receivers else 0
    for payer in payers:
        for who in receivers:
            if not transfer(engine, payer, who, amount, effect.counter):
                counter = called(engine.state, effect.counter)
                engine.emit("unpaid", payer, counter=counter, amount=amount, to=who)


@effect(
    "put {cell} [of {who}] at {value}",
    example='put price("rope") at 5',
    makes="counted",
    ordered_by="people Judge record",
    cell=Cell(),
    who=Owner(),
    value=Held(),
)
def _put(engine: Engine, effect: Any) -> None:
    """Set an entry of a table: a counter of one or of each, the game's own, or what stands for a key."""
    places = places_of(engine, effect)
    now = engine.value(effect.value) if places else None
    for place in places:
        write(engine, effect.counter, place, now, agreed=engine.item.cause is None)


@action(
    "gave", BY | {"receiver": PLAYER, "counter": NUMBERED, "amount": NUMBER}, takes_leave=True, heard="counter",
    phrase="{amount} × {counter} to {receiver}",
)  # fmt: skip
def give(engine: Engine, player: str, receiver: Somebody, amount: Count, counter: Counter = "points") -> None:
    """Give another player something that is counted, where a rule allows it.

    Parameters
    ----------
    player, receiver : str
        Who gives, and who gets it; nobody gives what they have not got.
    amount : int
        How much, from 1 on.
    counter : str
        What is given: points, or what another rule counts per player.
    """
    state = engine.state
    calm(state)
    if receiver not in state.playing or receiver == player:
        others = ", ".join(name for name in state.playing if name != player)
        refuse(
            say(
                "not-a-receiver",
                "{player} can give something to {others}, not to {receiver!r}",
                player=player,
                others=others or "nobody",
                receiver=str(receiver)[:40],
            )
        )
    has = count(state, counter, player)
    if has is None:
        known = ", ".join(owned(state, player)) or "nothing"
        refuse(
            say(
                "counter-not-owned",
                "nobody has {counter!r}; what players have is {known}",
                counter=str(counter)[:40],
                known=known,
            )
        )
    if count(state, counter, receiver) is None:
        refuse(
            say(
                "counter-gone",
                "no rule tracks {counter} any more, so {receiver}, who came since, can have none",
                counter=counter,
                receiver=receiver,
            )
        )
    if not 1 <= amount <= v.LARGEST:
        refuse(say("gift-amount-unfit", "what is given is a whole number from 1 up, not {amount}", amount=amount))
    env: dict[str, Value] = {
        "player": Ref("player", player), "receiver": Ref("player", receiver), "counter": counter, "amount": amount,
    }  # fmt: skip
    finding = state.find("may.give", **env)
    if finding.outcome == "silent":
        saying = state.law.candidates.get("may.give", ())
        said = say(
            "gift-without-rule",
            "no rule lets {player} give {receiver} {amount} {counter}",
            player=player,
            receiver=receiver,
            amount=amount,
            counter=counter_named(counter, amount),
        )
        refuse(said, saying[0].rule.number if saying else None)
    if settled(state, finding) is not True:
        refuse(
            say(
                "gift-forbidden",
                "{player} is not allowed to give this: {clause}",
                player=player,
                clause=finding.sources[0].clause.words,
            ),
            finding.rule,
        )
    if has < amount:
        refuse(
            say(
                "has-too-little",
                "{player} has {has} {counter}, and not the {amount} to be given away",
                player=player,
                has=has,
                counter=counter_named(counter, has),
                amount=amount,
            ),
            finding.rule,
        )
    engine.emit("gave", player, receiver=receiver, counter=counter, amount=amount)
    engine.cause = cause_of(finding)
    transfer(engine, player, receiver, amount, counter)


KEYS = (
    Key("counter.value", NUMBER,
        "what a number in a table stands at after a change, a counter of a player or any other; where no rule says all "
        "of it, was + amount", "before a number that rules track changes",
        {"counter": NUMBERED, "was": NUMBER, "amount": NUMBER}, may_know=KEYS_OF_TABLES,
        usual=lambda view: bounded(sum(cast(Number, view.name(one)) for one in ("was", "amount")))),
    Key("vote.share", NUMBER, "the share of favourable votes that a proposal received", "when it is scored", VOTE,
        by_rules=True),
    Key("proposal.score", NUMBER, "what a proposal is worth to its proponent, exactly", "when it is scored", VOTE,
        by_rules=True),
    Key("score.half", TEXT, "how a half is rounded", "when a number is rounded", values=("up", "even", "down")),
    Key("dissent.points", NUMBER, "what a vote against an adopted proposal brings", "when a proposal is adopted",
        VOTE, by_rules=True),
    Key("defeat.points", NUMBER, "what a defeated proposal brings its proponent", "when a proposal is defeated",
        VOTE, by_rules=True),
)  # fmt: skip
