"""What is counted: points, and whatever else rules track."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from nomic_nb.law import values as v
from nomic_nb.law.clauses import Track
from nomic_nb.law.places import Counted, One, Owner, Players, Word
from nomic_nb.law.running import bounded
from nomic_nb.law.values import NUMBER, TEXT, Number, Ref, Value
from nomic_nb.law.view import Undecided, View
from nomic_nb.law.vocabulary import Key
from nomic_nb.markup.words import counter_named
from nomic_nb.play.cases import BY, COUNTER, PLAYER, VOTE
from nomic_nb.play.chess.effects import count_thing, things
from nomic_nb.play.chess.events import with_marks
from nomic_nb.play.declaring import Count, Counter, Somebody, action, effect, happens
from nomic_nb.play.effects import a_number, number_of, players_of
from nomic_nb.play.engine import Engine
from nomic_nb.play.events import Event, cause_of, number_from_json, number_to_json, told_change
from nomic_nb.play.people import with_player
from nomic_nb.play.permission import calm, refuse, settled
from nomic_nb.play.state import State


def _told_counted(event: Event) -> str:
    return f"{event.actor or 'the game'}: {told_change(event.data)}"


def _wins_by(state: State) -> set[str]:
    """Return the counters that the condition of winning looks at; all of them where it names none."""
    law = state.law
    named = {one for one in law.counters if law.dependence.looks_at("win.winners", frozenset({one}))}
    return named or set(law.counters)


@happens(
    "counted",
    "a counter of a player, or of the game, changed; `player` is known where it is one's",
    {**BY, "counter": COUNTER, "amount": NUMBER},
    told=_told_counted,
)
def _counted(state: State, event: Event) -> State:
    now = number_from_json(event.data["now"])
    counter = event.data["counter"]
    if event.actor is None:
        return state.but(counters={**state.counters, counter: now})
    player = state.players[event.actor]
    if event.actor in state.above and now > player.counters[counter] and counter in _wins_by(state):
        state = state.but(above={name: held for name, held in state.above.items() if name != event.actor})
    return with_player(state, replace(player, counters={**player.counters, counter: now}))


def _kept(counters: Mapping[str, Number], counter: str, start: Number) -> Mapping[str, Number]:
    return counters if counter in counters else {**counters, counter: start}


def with_counter(state: State, counter: str, per: str, start: Number) -> State:
    """Return the state in which a counter is kept by everyone who has none yet, or by the game."""
    if per in ("army", "piece"):
        return with_marks(state, counter, per, start)
    if per == "game":
        return state.but(counters=_kept(state.counters, counter, start))
    players = {
        name: replace(player, counters=_kept(player.counters, counter, start)) for name, player in state.players.items()
    }
    return state.but(players=players)


def renamed(state: State, old: str, new: str) -> State:
    """Return the state in which a counter is called otherwise, and stands where it stood."""

    def moved(kept: Mapping[str, Any]) -> dict[str, Any]:
        return {new if name == old else name: value for name, value in kept.items()}

    players = {name: replace(player, counters=moved(player.counters)) for name, player in state.players.items()}
    return state.but(players=players, counters=moved(state.counters), marks=moved(state.marks))


@happens("renamed", told="{old} are called {new} from now on")
def _renamed(state: State, event: Event) -> State:
    return renamed(state, event.data["old"], event.data["new"])


def _so_many(event: Event) -> str:
    amount = number_from_json(event.data["amount"])
    return f"{amount} {counter_named(event.data['counter'], amount)}"


@happens("tracked", told="{counter} are counted per {per}, starting from {start}")
def _tracked(state: State, event: Event) -> State:
    return with_counter(state, event.data["counter"], event.data["per"], number_from_json(event.data["start"]))


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


def start_counters(engine: Engine) -> None:
    """Begin to keep the counters that rules track and that nobody has yet."""
    for track, start in counter_starts(engine.state):
        engine.emit("tracked", counter=track.counter, per=track.per, start=number_to_json(start))


def counter_starts(state: State) -> list[tuple[Track, Number]]:
    """Return the counters that the law tracks and that nobody has yet, with where they start.

    Raises
    ------
    Undecided
        One does not start from a number.
    """
    torn = started_twice(state.law.tracks)
    if torn:
        raise Undecided(torn)
    found: dict[str, tuple[Track, Number]] = {}
    for track in state.law.tracks:
        kept: Sequence[Mapping[str, object]] = [state.marks]
        if track.per == "game":
            kept = [state.counters]
        elif track.per == "player":
            kept = [one.counters for one in state.players.values()]
        if all(track.counter in one for one in kept) or track.counter in found:
            continue
        start = track.start.run(View(state, {}, state.law))
        if isinstance(start, bool | str | tuple) or start is None:
            raise Undecided(f"{track.counter} does not start from a number")
        found[track.counter] = (track, start)
    return list(found.values())


def set_counter(engine: Engine, name: str | None, counter: str, now: Number, exactly: Fraction | None = None) -> None:
    """Set a counter, of a player or of the game, and record by how much it changed, and what was rounded."""
    state = engine.state
    kept = state.counters if name is None else state.players[name].counters
    if counter not in kept:
        raise Undecided(f"no rule tracks {counter}")
    before = kept[counter]
    now = bounded(now)
    data = {"counter": counter, "amount": number_to_json(bounded(now - before)), "now": number_to_json(now)}
    if exactly is not None:
        data |= {"exact": number_to_json(exactly), "tie": exactly.denominator == 2}
    engine.emit("counted", name, data=data)


@effect(
    "award {amount} to {who}",
    example="award 5 points to player",
    makes="counted",
    ordered_by="people Judge record",
    amount=Counted("an award", "awarded"),
    who=Owner(),
)
def _award(engine: Engine, effect: Any) -> None:
    """Add to a counter of one or of each."""
    them, names = things(engine.value(effect.who)), players_of(engine, effect.who)
    view = engine.view()
    value = effect.amount.run(view) if them or names else None  # reckoned once, before anybody gets it
    if value is None:  # what was declined brings nothing
        return
    amount = a_number(value)
    for ref in them:
        count_thing(engine, ref, effect.counter, amount, add=True)
    for name in names:
        before = engine.state.players[name].counters.get(effect.counter, 0)
        set_counter(engine, name, effect.counter, before + amount, exactly=view.rounded)


def transfer(engine: Engine, payer: str, who: str, amount: Number, counter: str) -> bool:
    """Move some of a counter from one player to another; tell whether the payer had it. Nobody gives what is not there.

    Raises
    ------
    Undecided
        It is less than nothing, or no rule tracks the counter.
    """
    if amount < 0:
        raise Undecided("nobody can pay less than zero")
    has = engine.state.players[payer].counters.get(counter)
    if has is None or counter not in engine.state.players[who].counters:  # of those who came since none does
        raise Undecided(f"no rule tracks {counter}")
    if has < amount:
        return False
    if payer != who and amount:
        set_counter(engine, payer, counter, has - amount)
        set_counter(engine, who, counter, engine.state.players[who].counters[counter] + amount)
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
    "put {counter} [of {who}] at {amount}",
    example="put points of player at 5",
    makes="counted",
    ordered_by="people Judge record",
    counter=Word(),
    who=Owner(),
    amount=One(NUMBER, "a counter"),
)
def _put(engine: Engine, effect: Any) -> None:
    """Set a counter of one or of each, or the game's own."""
    them: tuple[Ref, ...] = ()
    names: tuple[str | None, ...] = (None,)  # the game's own
    if effect.who is not None:
        them, names = things(engine.value(effect.who)), players_of(engine, effect.who)
    now = number_of(engine, effect.amount) if them or names else 0
    for ref in them:
        count_thing(engine, ref, effect.counter, now, add=False)
    for name in names:
        kept = engine.state.counters if name is None else engine.state.players[name].counters
        if kept.get(effect.counter) != now:  # or nothing happens
            set_counter(engine, name, effect.counter, now)


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
    has = state.players[player].counters.get(counter)
    if has is None:
        known = ", ".join(state.players[player].counters) or "nothing"
        refuse(f"nobody has {str(counter)[:40]!r}; what players have is {known}")
    if counter not in state.players[receiver].counters:
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


def started_twice(tracked: Iterable[Track]) -> str:
    """Say which counter two clauses let start otherwise, since neither goes before the other; empty where none does."""
    starts: dict[str, str] = {}
    for one in tracked:
        if starts.setdefault(one.counter, one.start.text) != one.start.text:
            return (
                f"{one.counter} starts from {starts[one.counter]} by one clause, and from {one.start.text} by another"
            )
    return ""


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
