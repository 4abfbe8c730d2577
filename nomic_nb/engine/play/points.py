"""What is counted: points, and whatever else rules track."""

from __future__ import annotations

from typing import Any, cast

from nomic_nb.engine.law import values as v
from nomic_nb.engine.law.places import Cell, Counted, Held, Owner, Players
from nomic_nb.engine.law.running import bounded
from nomic_nb.engine.law.values import NUMBER, TEXT, Number, Ref, Value
from nomic_nb.engine.law.view import Undecided
from nomic_nb.engine.law.vocabulary import Key
from nomic_nb.engine.play.cases import BY, KEYS_OF_TABLES, NUMBERED, PLAYER, VOTE
from nomic_nb.engine.play.declaring import Count, Counter, Somebody, action, effect, happens
from nomic_nb.engine.play.effects import a_number, players_of
from nomic_nb.engine.play.engine import Engine
from nomic_nb.engine.play.events import Event, cause_of, number_from_json
from nomic_nb.engine.play.permission import calm, refuse, settled
from nomic_nb.engine.play.state import State
from nomic_nb.engine.play.tables import called, count, owned, renamed
from nomic_nb.engine.play.writing import judged, places_of, standing, write
from nomic_nb.engine.words import counter_named


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
        raise Undecided("nobody can pay less than zero")
    counter = called(engine.state, counter)
    has, other = count(engine.state, counter, payer), count(engine.state, counter, who)
    if has is None or other is None:  # of those who came since none does
        raise Undecided(f"no rule tracks {counter}")
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
        refuse(f"{player} can give something to {others or 'nobody'}, not to {str(receiver)[:40]!r}")
    has = count(state, counter, player)
    if has is None:
        known = ", ".join(owned(state, player)) or "nothing"
        refuse(f"nobody has {str(counter)[:40]!r}; what players have is {known}")
    if count(state, counter, receiver) is None:
        refuse(f"no rule tracks {counter} any more, so {receiver}, who came since, can have none")
    if not 1 <= amount <= v.LARGEST:
        refuse(f"what is given is a whole number from 1 up, not {amount}")
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
