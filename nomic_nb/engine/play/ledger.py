"""What is written down in tables: how it is recorded, what rules let a number become, and who sees what is hidden."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.expressions import check_number_size
from nomic_nb.engine.law.findings import Finding, set_clause_of
from nomic_nb.engine.law.nodes import Undecided
from nomic_nb.engine.law.slots import AmountSlot, CellSlot, ContentSlot, OwnerSlot, PlayersSlot
from nomic_nb.engine.law.tables import TableShape
from nomic_nb.engine.law.values import (
    LONGEST_TEXT,
    NUMBER,
    TEXT,
    HeardText,
    Number,
    ThingRef,
    Value,
    optional_type,
    value_text,
)
from nomic_nb.engine.law.vocabulary import Key, untracked_message
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.declarations import CounterField, CountField, PlayerField, action, declare_event, effect
from nomic_nb.engine.play.effects import (
    evaluate_players,
    is_number,
    require_number,
    require_players,
    things_but_players,
)
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, cause_of, describe_counter_change, number_from_json
from nomic_nb.engine.play.facts import value_in_words
from nomic_nb.engine.play.offers import with_what_is_needed
from nomic_nb.engine.play.permissions import check_undisturbed, permission_or_undecided, refuse
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.table_values import MOST_TABLE_ENTRIES, TablePlace
from nomic_nb.engine.play.tables import (
    HIDDEN_TEXT,
    TableStart,
    counter_of_player,
    current_table_name,
    find_place,
    find_table,
    place_from_json,
    player_counters,
    rename_table,
    start_event_data,
    table_full_message,
    table_starts,
    table_value_from_json,
    with_table_started,
)
from nomic_nb.engine.play.values import (
    CAUSE,
    COUNTER,
    KEYS_OF_TABLES,
    NUMBERED_TYPE,
    PLAYER,
    PLAYER_CASE,
    RULE,
    VOTE_CASE,
    player_names,
    player_refs,
)
from nomic_nb.engine.words import counter_named, number_text

# ---------------------------------------------------------------------------------- what is written down in tables


def _describe_entry_change(event: Event) -> str:
    """Return the history sentence for a changed counter or table entry."""
    data, name = event.data, event.data["counter"]
    whose = data.get("of") or event.actor or "the game"
    if data.get("hidden"):
        return f"{whose}: {HIDDEN_TEXT} of {name} changes" if "amount" in data else f"{whose}: {name} changes (hidden)"
    return (
        f"{whose}: {describe_counter_change(data)}" if "amount" in data else f"{name} of {whose} is now {data['says']}"
    )


def _winning_tables(state: State) -> set[str]:
    """Return the names of the tables that decide who wins; all names if that is unknown."""
    law = state.law
    named = {table for table in law.tables if law.dependence.key_uses_words("win.winners", frozenset({table}))}
    return named or set(law.tables)


@declare_event(
    "counted",
    "something tracked by the rules changes: a counter or another entry in a table; `amount` is 0 if it is not a "
    "number",
    {"counter": COUNTER, "amount": NUMBER},
    told=_describe_entry_change,
    may_bind=KEYS_OF_TABLES,
)
def _apply_entry_change(state: State, event: Event) -> State:
    """Return the state after a counter or a table entry has changed."""
    data = event.data
    table = state.tables[data["counter"]]
    place = place_from_json(table.shape, data.get("at", [event.actor] if event.actor else []))
    now = table_value_from_json(table.shape.holds.name, data["now"])
    more = (
        event.actor in state.above
        and table.shape.holds_numbers
        and cast(Number, now) > cast(Number, table.value_at(place))
    )
    if more and data["counter"] in _winning_tables(state):
        state = state.replace(above={name: held for name, held in state.above.items() if name != event.actor})
    return state.replace(tables={**state.tables, data["counter"]: table.with_entry(place, now)})


def _describe_tracking(event: Event) -> str:
    """Return the history sentence for a table that begins to be tracked."""
    data = event.data
    sentence = f"the game {'counts' if data['holds'] == 'number' else 'keeps'} {data['counter']} per {data['per']}"
    return f"{sentence} (hidden)" if data["hidden"] else f"{sentence}, starting from {data['said']}"


@declare_event("tracked", told=_describe_tracking)
def _apply_tracking(state: State, event: Event) -> State:
    """Return the state after a table has begun to be tracked."""
    name, data = event.data["counter"], event.data
    shape = state.law.tables[name]
    kind = shape.holds.name
    entries = tuple(
        (place_from_json(shape, at), table_value_from_json(kind, entry_value))
        for at, entry_value in data.get("entries", ())
    )
    track = next(clause for clause in state.law.track_clauses if clause.counter == name)
    return with_table_started(state, TableStart(track, table_value_from_json(kind, data.get("start")), entries))


def _describe_withholding(event: Event) -> str:
    """Return the history sentence for the part of a counter's change that a rule keeps back."""
    whose = event.data.get("of") or event.actor or "the game"
    if event.data.get("hidden"):
        return f"{whose}: a change to {event.data['counter']} does not count in full"
    amount, name = number_from_json(event.data["amount"]), event.data["counter"]
    much = amount if amount > 0 else -amount
    sentence = f"{number_text(much)} {counter_named(name, much)}"
    return f"{whose}: {sentence} {'less' if amount > 0 else 'more'} than otherwise"


declare_event(
    "withheld",
    "a rule holds a number down or pushes it up (`counter.value`): it ends up lower by `amount` than it would have "
    "been, or higher if `amount` is negative",
    {"counter": NUMBERED_TYPE, "amount": NUMBER},
    told=_describe_withholding,
    may_bind=KEYS_OF_TABLES,
)


def start_tables(engine: Engine) -> None:
    """Begin to keep those tables that rules track and that do not exist yet."""
    for table_start in table_starts(engine.state):
        engine.emit("tracked", **start_event_data(engine.state, table_start))


def targeted_places(engine: Engine, effect: Any) -> tuple[TablePlace, ...]:
    """Return the places (tuples of keys) of the table entries that an effect is about, given by keys or by things."""
    if effect.keys is not None:
        return (tuple(engine.evaluate(key) for key in effect.keys),)
    if effect.who is None:
        return ((),)
    who = engine.evaluate(effect.who)
    them = things_but_players(who) or player_refs(require_players(engine, player_names(who)))
    return tuple((thing,) if thing.kind != "game" else () for thing in them)


def current_entry(engine: Engine, name: str, place: TablePlace) -> Value:
    """Return what now is at this place in the table of this name.

    Raises
    ------
    Undecided
        No rule tracks it.
    """
    table = find_table(engine.state, name)
    return table.value_at(find_place(table, name, place))


def adjusted_value(
    engine: Engine, name: str, place: TablePlace, was: Number, now: Number
) -> tuple[Number, Finding | None]:
    """Return the number that rules put in place of `now`, a counter's value after `was`, and the finding on it, if any.

    Raises
    ------
    Undecided
        They give no answer.
    """
    if not engine.law.numbers_of_rules_about("counter.value"):
        return now, None
    finding = engine.find(
        "counter.value",
        # by which the law of this step knows it: it may have been renamed since
        counter=next(
            (known for known in (name, *reversed(engine.state.tables[name].once)) if known in engine.law.tables), name
        ),
        was=was,
        amount=check_number_size(now - was),
        **_origin_of_change(engine),
        **_keys_by_kind(place),
    )
    return check_number_size(engine.law.value_or_undecided(finding)), finding


def _origin_of_change(engine: Engine) -> dict[str, Value]:
    """Return the kind of event that an entry changes because of, none if unknown, and the rule that changes it.

    After a roll or a choice within a clause, it is that, and no longer what the clause answers to.
    """
    item, cause = getattr(engine, "item", None), engine.cause
    kind = engine.moments[0][0].kind if engine.moments else ""
    if item is not None and item.cause == cause:
        named = [effect for effect in (item.clause.all_effects() if item.clause else ()) if effect.form.makes]
        answered = [effect.form.makes[0] for effect in named if dict(effect.places).get("name") in item.env]
        kind = answered[-1] if answered else item.clause.event if item.clause else ""
    return {"cause": kind or None, "origin": None if cause is None else ThingRef("rule", cause.id)}


def _keys_by_kind(place: TablePlace) -> dict[str, ThingRef]:
    """Return the things among the keys of a table's place, by kind such as “player”: the first of each."""
    return {value.kind: value for value in reversed(place) if isinstance(value, ThingRef)}


def write_entry(
    engine: Engine, name: str, keys: TablePlace, now: Value, *, exactly: Fraction | None = None, added: bool = False,
    agreed: bool = False,
) -> None:  # fmt: skip
    """Set the entry at a place (`keys`) of a table, as far as rules allow, and record the change.

    Parameters
    ----------
    engine : Engine
        Where.
    name : str
        Of the table.
    keys : tuple of Value
        The place.
    now : Value
        What is there from now on, unless rules say that a number is another then (`counter.value`).
    exactly : Fraction, optional
        The amount before it was rounded.
    added : bool
        Whether something was added; where nothing was, and all is as it was, nothing happens.
    agreed : bool
        Whether all have agreed on the number, whatever rules say about it.

    Raises
    ------
    Undecided
        No rule tracks it, it holds something else, it would have too many entries, or rules give no answer.
    """
    name = current_table_name(engine.state, name)
    table = find_table(engine.state, name)
    place = find_place(table, name, keys)
    was, shape = table.value_at(place), table.shape
    if not _can_hold(shape, now):
        raise Undecided(
            "table-holds-otherwise",
            "{name} can only hold {kind}, not {value}",
            name=name,
            kind=shape.holds.plural,
            value=value_text(now),
        )
    if any(isinstance(value, str) and len(value) > LONGEST_TEXT for value in (*place, now)):
        raise Undecided(
            "table-text-too-long", "a text in a table can have at most {longest} characters", longest=LONGEST_TEXT
        )
    finding, wanted = None, now
    if is_number(was) and is_number(now):
        now = wanted = check_number_size(now)
        if not agreed:
            now, finding = adjusted_value(engine, name, place, was, now)
    if now != was or (added and now == wanted):
        if place not in table.entries and len(table.entries) >= MOST_TABLE_ENTRIES:
            raise Undecided(table_full_message(name))
        _record_entry(engine, name, place, now, exactly if now == wanted else None)
    if finding is not None and now != wanted:
        kept, engine.cause = engine.cause, cause_of(finding)
        missing = check_number_size(cast(Number, wanted) - cast(Number, now))
        actor, told = _entry_event_data(engine, name, place)
        engine.emit("withheld", actor, env={**_keys_by_kind(place), "amount": missing}, amount=missing, **told)
        engine.cause = kept


def _record_entry(engine: Engine, name: str, place: TablePlace, now: Value, exactly: Fraction | None) -> None:
    """Record the event that a table's entry has become `now`; `exactly` is the change before rounding, if rounded."""
    table = engine.state.tables[name]
    was = table.value_at(place)
    if is_number(was) and is_number(now):
        more: dict[str, Any] = {"amount": check_number_size(now - was)}
    else:
        more = {"says": value_in_words(engine.state, now)}
    if exactly is not None:
        more |= {"exact": exactly, "tie": exactly.denominator == 2}
    actor, told = _entry_event_data(engine, name, place)
    engine.emit("counted", actor, env={**_keys_by_kind(place), "amount": 0, **more}, now=now, **more, **told)


def _entry_event_data(engine: Engine, name: str, place: TablePlace) -> tuple[str | None, dict[str, Any]]:
    """Return the player whose own counter an entry is, or None, and the event data that tell which entry."""
    table, of = engine.state.tables[name], ", ".join(value_in_words(engine.state, value) for value in place)
    own = table.shape.keys == ("player",)
    about = {} if own else {"at": place, "of": of}
    return player_names(place)[0] if own else None, {
        "counter": name,
        "data": {"hidden": table.is_hidden_at(place), **about},
    }


def _can_hold(shape: TableShape, value: Value) -> bool:
    """Tell whether a table of this shape can hold a value."""
    if value is None:
        return shape.holds.maybe
    if isinstance(value, ThingRef):
        return value.kind == shape.holds.name
    plain = {bool: "truth", str: "text", HeardText: "text", tuple: "list"}
    return plain.get(type(value), "number") == shape.holds.name


# ------------------------------------------------------------------------------------------------- what is counted


declare_event("renamed", told="{old} are now called {new}")(
    lambda state, event: rename_table(state, event.data["old"], event.data["new"])
)


def _amount_text(event: Event) -> str:
    """Return the amount of an event with its counter, such as “3 points”."""
    amount = number_from_json(event.data["amount"])
    return f"{amount} {counter_named(event.data['counter'], amount)}"


declare_event(
    "gave",
    "a player gives another player something that is counted",
    PLAYER_CASE | {"receiver": PLAYER, "counter": NUMBERED_TYPE, "amount": NUMBER},
    told=lambda e: f"{e.actor} gives {e.data['receiver']} {_amount_text(e)}",
    traits="done",
)


def _describe_unpaid(event: Event) -> str:
    """Return the history sentence for a payment that was not made."""
    to, by, so_many = event.data["to"], event.data.get("by"), _amount_text(event)
    if "by" in event.data:
        return f"{event.actor} can’t pay {to} {so_many}: rule {by} prevents it"
    return f"{event.actor} can’t pay {to} {so_many}: not enough {event.data['counter']}"


declare_event(
    "unpaid",
    "a player has to pay but does not have enough, or a rule stops the payment",
    PLAYER_CASE | {"counter": NUMBERED_TYPE, "amount": NUMBER},
    told=_describe_unpaid,
)


@effect(
    "award {amount} [to|of {who}]",
    example="award 5 points to player",
    makes="counted",
    ordered_by="people Judge record",
    amount=AmountSlot("an award", "awarded"),
    who=OwnerSlot(needed=True),
)
def _award(engine: Engine, effect: Any) -> None:
    """Add to a counter of one owner or each of several, to one of the game, or to any entry in a table of numbers."""
    places = targeted_places(engine, effect)
    view = engine.view()
    value = effect.amount.run(view) if places else None  # reckoned once, before anybody gets it
    if value is None:  # what was declined brings nothing
        return
    amount = require_number(value)
    for place in places:
        now = require_number(current_entry(engine, effect.counter, place)) + amount
        write_entry(
            engine, effect.counter, place, now, exactly=view.rounded, added=True, agreed=engine.item.cause is None
        )


def transfer(engine: Engine, payer: str, who: str, amount: Number, counter: str) -> bool:
    """Move an amount of a counter from a payer to another player (`who`); return False if the payer has too little.

    What rules let the payer lose (`counter.value`) the other gets, as far as rules let them get it.

    Raises
    ------
    Undecided
        It is less than nothing, or no rule tracks the counter.
    """
    if amount < 0:
        raise Undecided("payment-negative", "nobody can pay less than zero")
    counter = current_table_name(engine.state, counter)
    has, other = counter_of_player(engine.state, counter, payer), counter_of_player(engine.state, counter, who)
    if has is None or other is None:  # of those who came since none does
        raise Undecided(untracked_message(counter))
    payer_at, receiver_at = (ThingRef("player", payer),), (ThingRef("player", who),)
    left, finding = adjusted_value(engine, counter, payer_at, has, has - amount)
    paid = has - left if finding is not None else amount  # what rules let the payer lose, the other gets
    if payer == who or not amount:
        return has >= amount
    if has < max(amount, paid):
        return False
    if paid <= 0:
        by = finding.rule if finding else None
        engine.emit("unpaid", payer, counter=counter, amount=amount, to=who, by=by)
        return True
    write_entry(engine, counter, payer_at, has - amount)
    now = counter_of_player(engine.state, counter, who)
    write_entry(engine, counter, receiver_at, (other if now is None else now) + paid)
    return True


@effect(
    "pay {amount} from {payer} to {who}",
    example="pay 3 points from player to next_player",
    makes="counted unpaid",
    amount=AmountSlot("a payment", "paid"),
    payer=PlayersSlot(with_counter=True),
    who=PlayersSlot(),
)
def _pay(engine: Engine, effect: Any) -> None:
    """Transfer something from one player to another, or nothing if the payer does not have enough."""
    payers, receivers = evaluate_players(engine, effect.payer), evaluate_players(engine, effect.who)
    amount = require_number(engine.evaluate(effect.amount)) if payers and receivers else 0
    for payer in payers:
        for who in receivers:
            if not transfer(engine, payer, who, amount, effect.counter):
                counter = current_table_name(engine.state, effect.counter)
                engine.emit("unpaid", payer, counter=counter, amount=amount, to=who)


@effect(
    "put {cell} [of {who}] at {value}",
    example='put price("rope") at 5',
    makes="counted",
    ordered_by="people Judge record",
    cell=CellSlot(),
    who=OwnerSlot(),
    value=ContentSlot(),
)
def _put(engine: Engine, effect: Any) -> None:
    """Set an entry in a table: a counter of one owner or each of several, one of the game, or the value for a key."""
    places = targeted_places(engine, effect)
    now = engine.evaluate(effect.value) if places else None
    for place in places:
        write_entry(engine, effect.counter, place, now, agreed=engine.item.cause is None)


@action(
    "gave", PLAYER_CASE | {"receiver": PLAYER, "counter": NUMBERED_TYPE, "amount": NUMBER}, takes_leave=True,
    heard="counter",
    phrase="{amount} × {counter} to {receiver}",
)  # fmt: skip
def give(
    engine: Engine, player: str, receiver: PlayerField, amount: CountField, counter: CounterField = "points"
) -> None:
    """Give another player something that the rules let players give.

    Parameters
    ----------
    player, receiver : str
        Player who gives, and player who receives. Nobody can give more than they have.
    amount : int
        Amount to give; at least 1.
    counter : str
        Counter to give: points, or another one that rules keep for each player.
    """
    state = engine.state
    check_undisturbed(state)
    if receiver not in state.names_of_players or receiver == player:
        others = ", ".join(name for name in state.names_of_players if name != player)
        refuse(
            say(
                "not-a-receiver",
                "{player} can give things to {others}, not to {receiver!r}",
                player=player,
                others=others or "nobody",
                receiver=str(receiver)[:40],
            )
        )
    has = counter_of_player(state, counter, player)
    if has is None:
        known = ", ".join(player_counters(state, player)) or "nothing"
        refuse(
            say(
                "counter-not-owned",
                "players have no {counter!r} to give; they have {known}",
                counter=str(counter)[:40],
                known=known,
            )
        )
    if counter_of_player(state, counter, receiver) is None:
        refuse(
            say(
                "counter-gone",
                "{receiver} can’t have any {counter}: the rules stopped counting {counter} before {receiver} joined",
                counter=counter,
                receiver=receiver,
            )
        )
    if not 1 <= amount <= v.LARGEST:
        refuse(say("gift-amount-unfit", "the amount must be a whole number, 1 or higher, not {amount}", amount=amount))
    env: dict[str, Value] = {
        "player": ThingRef("player", player), "receiver": ThingRef("player", receiver), "counter": counter,
        "amount": amount,
    }  # fmt: skip
    finding = state.find("may.give", **env)
    if finding.outcome == "silent":
        saying = state.law.candidates.get("may.give", ())
        message = say(
            "gift-without-rule",
            "no rule lets {player} give {receiver} {amount} {counter}",
            player=player,
            receiver=receiver,
            amount=amount,
            counter=counter_named(counter, amount),
        )
        condition = set_clause_of(saying[0]).condition if len(saying) == 1 else None
        if condition is not None:
            message = with_what_is_needed(message, state, condition.node, env)
        refuse(message, saying[0].rule.number if saying else None)
    if permission_or_undecided(state, finding) is not True:
        refuse(
            say(
                "gift-forbidden",
                "{player} isn’t allowed to give this: {clause}",
                player=player,
                clause=finding.sources[0].clause.words,
            ),
            finding.rule,
        )
    if has < amount:
        refuse(
            say(
                "has-too-little",
                "{player} has only {has} {counter} and can’t give {amount}",
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
        "the new value of a number in a table after a change, whether it is a player's counter or something else; "
        "by default, was + amount", "before a number that rules track changes",
        {"counter": NUMBERED_TYPE, "was": NUMBER, "amount": NUMBER},
        may_know=KEYS_OF_TABLES | {"cause": optional_type(CAUSE), "origin": optional_type(RULE)},
        usual=lambda view: check_number_size(sum(cast(Number, view.value_of_name(fact_name))
        for fact_name in ("was", "amount")))),
    Key("vote.share", NUMBER, "the share of votes in favour that a proposal received", "when it is scored", VOTE_CASE,
        by_rules=True),
    Key("proposal.score", NUMBER, "the exact score of a proposal for its proponent", "when it is scored", VOTE_CASE,
        by_rules=True),
    Key("score.half", TEXT, "how a half is rounded", "when a number is rounded", values=("up", "even", "down")),
    Key("dissent.points", NUMBER, "the points for voting against a proposal that passes", "when a proposal passes",
        VOTE_CASE, by_rules=True),
    Key("defeat.points", NUMBER, "the points for the proponent of a proposal that fails", "when a proposal fails",
        VOTE_CASE, by_rules=True),
)  # fmt: skip
