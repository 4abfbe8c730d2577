"""What is counted: points, and whatever else rules track."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

from nomic_nb.law import values as v
from nomic_nb.law.places import Cell, Counted, Held, Owner, Players
from nomic_nb.law.running import bounded
from nomic_nb.law.tables import Shape
from nomic_nb.law.values import NUMBER, TEXT, Heard, Number, Ref, Value, shown
from nomic_nb.law.view import Undecided
from nomic_nb.law.vocabulary import Key
from nomic_nb.markup.words import counter_named
from nomic_nb.play.cases import BY, COUNTER, KEYS_OF_TABLES, PLAYER, VOTE
from nomic_nb.play.declaring import Count, Counter, Somebody, action, effect, happens
from nomic_nb.play.effects import a_number, number_of, players_of, things_in
from nomic_nb.play.engine import Engine
from nomic_nb.play.entries import MOST, Place
from nomic_nb.play.events import Event, cause_of, number_from_json, number_to_json, told_change
from nomic_nb.play.facts import spoken
from nomic_nb.play.permission import calm, refuse, settled
from nomic_nb.play.state import State
from nomic_nb.play.tables import (
    HIDDEN,
    Start,
    count,
    from_json,
    owned,
    place_from_json,
    place_in,
    place_to_json,
    start_told,
    starts,
    table_named,
    to_json,
    with_start,
)


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


def _so_many(event: Event) -> str:
    amount = number_from_json(event.data["amount"])
    return f"{amount} {counter_named(event.data['counter'], amount)}"


def _told_tracked(event: Event) -> str:
    data = event.data
    verb = "are counted" if data["holds"] == "number" else "is kept"
    said = f"{data['counter']} {verb} per {data['per']}, starting from {data['said']}"
    return f"{said}, hidden" if data["hidden"] else said


@happens("tracked", told=_told_tracked)
def _tracked(state: State, event: Event) -> State:
    name, data = event.data["counter"], event.data
    shape = state.law.tables[name]
    kind = shape.holds.name
    entries = tuple((place_from_json(shape, at), from_json(kind, one)) for at, one in data.get("entries", ()))
    return with_start(state, Start(name, from_json(kind, data.get("start")), entries))


happens(
    "gave",
    "a player gave another something that is counted",
    {**BY, "receiver": PLAYER, "counter": COUNTER, "amount": NUMBER},
    told=lambda e: f"{e.actor} gives {e.data['receiver']} {_so_many(e)}",
)


happens(
    "unpaid",
    "a player was to pay and had not got it",
    {**BY, "counter": COUNTER, "amount": NUMBER},
    told=lambda e: f"{e.actor} does not have the {_so_many(e)} to pay {e.data['to']}",
)


def start_tables(engine: Engine) -> None:
    """Begin to keep the tables that rules track and that are not there yet, or start from something else now."""
    for one in starts(engine.state):
        engine.emit("tracked", data=start_told(engine.state, one))


def places_of(engine: Engine, effect: Any) -> tuple[Place, ...]:
    """Return the places of a table that an effect is about: of one, of several, of the game, or of nobody."""
    if effect.keys is not None:
        return (tuple(engine.value(one) for one in effect.keys),)
    if effect.who is None:
        return ((),)
    who = engine.value(effect.who)
    them = things_in(who)
    return tuple((one,) if one.kind != "game" else () for one in them) if them else tuple(
        (Ref("player", name),) for name in players_of(engine, effect.who)
    )  # fmt: skip


def standing(engine: Engine, name: str, place: Place) -> Value:
    """Return what stands in a place of a table.

    Raises
    ------
    Undecided
        No rule tracks it.
    """
    table = table_named(engine.state, name)
    return table.at(place_in(table, name, place))


def write(
    engine: Engine, name: str, keys: Place, now: Value, *, exactly: Fraction | None = None, added: bool = False
) -> None:
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
        What stands there from now on.
    exactly : Fraction, optional
        The amount before it was rounded.
    added : bool
        Whether something was added; where nothing was, and all is as it was, nothing happens.

    Raises
    ------
    Undecided
        No rule tracks it, it holds something else, or it would have too many entries.
    """
    table = table_named(engine.state, name)
    place = place_in(table, name, keys)
    was, shape = table.at(place), table.shape
    if not _holds(shape, now):
        raise Undecided(f"{name} holds {shape.holds.many}, and not {shown(now)}")
    if shape.counts and now is not None:
        now = bounded(cast(Number, now))
    if now == was and not added:
        return
    if place not in table.entries and len(table.entries) >= MOST:
        raise Undecided(f"{name} grew beyond {MOST} entries")
    data: dict[str, Any] = {"counter": name, "now": to_json(shape.holds.name, now)}
    amount: Number = 0
    if shape.counts:
        amount = bounded(cast(Number, now) - cast(Number, was))
        data["amount"] = number_to_json(amount)
    else:
        data["says"] = spoken(engine.state, now)
    if table.hides(place):
        data["hidden"] = True
    own = shape.keys == ("player",)
    if place and not own:
        data |= {"at": place_to_json(shape, place), "of": ", ".join(spoken(engine.state, one) for one in place)}
    if exactly is not None:
        data |= {"exact": number_to_json(exactly), "tie": exactly.denominator == 2}
    bound = {one.kind: one for one in reversed(place) if isinstance(one, Ref)}
    actor = str(bound["player"].id) if own else None
    engine.emit("counted", actor, env={**bound, "amount": amount}, data=data)


def _holds(shape: Shape, value: Value) -> bool:
    if value is None:
        return shape.holds.maybe
    if isinstance(value, Ref):
        return value.kind == shape.holds.name
    plain = {bool: "truth", str: "text", Heard: "text", tuple: "list"}
    return plain.get(type(value), "number") == shape.holds.name


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
        write(engine, effect.counter, place, now, exactly=view.rounded, added=True)


def transfer(engine: Engine, payer: str, who: str, amount: Number, counter: str) -> bool:
    """Move some of a counter from one player to another; tell whether the payer had it. Nobody gives what is not there.

    Raises
    ------
    Undecided
        It is less than nothing, or no rule tracks the counter.
    """
    if amount < 0:
        raise Undecided("nobody can pay less than zero")
    has, other = count(engine.state, counter, payer), count(engine.state, counter, who)
    if has is None or other is None:  # of those who came since none does
        raise Undecided(f"no rule tracks {counter}")
    if has < amount:
        return False
    if payer != who and amount:
        write(engine, counter, (Ref("player", payer),), has - amount)
        write(engine, counter, (Ref("player", who),), other + amount)
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
    amount = number_of(engine, effect.amount) if payers and receivers else 0
    for payer in payers:
        for who in receivers:
            if not transfer(engine, payer, who, amount, effect.counter):
                data = {"counter": effect.counter, "amount": number_to_json(amount), "to": who}
                engine.emit("unpaid", payer, data=data)


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
        write(engine, effect.counter, place, now)


@action(
    "gave", {**BY, "receiver": PLAYER, "counter": COUNTER, "amount": NUMBER}, takes_leave=True, heard="counter",
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
        refuse(f"{player} can give something to {others or 'nobody'}, not to {str(receiver)[:40]!r}")
    has = count(state, counter, player)
    if has is None:
        known = ", ".join(owned(state, player)) or "nothing"
        refuse(f"nobody has {str(counter)[:40]!r}; what players have is {known}")
    if count(state, counter, receiver) is None:
        refuse(f"no rule tracks {counter} any more, so {receiver}, who came since, can have none")
    if isinstance(amount, bool) or not isinstance(amount, int) or not 1 <= amount <= v.LARGEST:
        refuse(f"what is given is a whole number from 1 up, not {str(amount)[:40]}")
    env: dict[str, Value] = {
        "player": Ref("player", player), "receiver": Ref("player", receiver), "counter": counter, "amount": amount,
    }  # fmt: skip
    finding = state.find("may.give", **env)
    if finding.outcome == "silent":
        saying = state.law.candidates.get("may.give", ())
        said = f"no rule lets {player} give {receiver} {amount} {counter_named(counter, amount)}"
        refuse(said, saying[0].rule.number if saying else None)
    if settled(state, finding) is not True:
        refuse(f"{player} is not allowed to give this: {finding.sources[0].clause.words}", finding.rule)
    if has < amount:
        refuse(f"{player} has {has} {counter_named(counter, has)}, and not the {amount} to be given away", finding.rule)
    engine.emit("gave", player, receiver=receiver, counter=counter, amount=amount)
    engine.cause = cause_of(finding)
    transfer(engine, player, receiver, amount, counter)


KEYS = (
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
