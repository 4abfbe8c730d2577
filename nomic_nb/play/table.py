"""The table: a game under way, as a list of what happened. Everything that players see stands on it."""

from __future__ import annotations

import difflib
import hashlib
import inspect
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import NoneType
from typing import Any

from nomic_nb.errors import IllegalAction, LawError
from nomic_nb.law.changes import Change, from_json
from nomic_nb.law.incorporation import with_incorporated
from nomic_nb.law.precedence import Order
from nomic_nb.law.resolver import Law, order_of
from nomic_nb.law.rules import RuleBook
from nomic_nb.law.view import Undecided
from nomic_nb.play import actions, permission
from nomic_nb.play.brought_in import digests, library
from nomic_nb.play.commitments import Opening
from nomic_nb.play.effects import enter
from nomic_nb.play.engine import Engine, Moment, perform_step
from nomic_nb.play.events import Event, canonical
from nomic_nb.play.hosting import HOST
from nomic_nb.play.lawmaking import review_void, start_counters
from nomic_nb.play.lines import Along, check_room, sizes_from
from nomic_nb.play.names import check_names
from nomic_nb.play.sealing import rounds
from nomic_nb.play.state import State
from nomic_nb.play.vocabulary import language
from nomic_nb.rulesets.literate import RuleSet

#: Players at a table.
MOST_PLAYERS = 100
LARGEST_SEED = 2**53
#: Where a game is played, for rules that differ by it; the first is meant where nothing is said.
MEDIA = ("computer", "mail", "table")


@dataclass(frozen=True)
class Setting:
    """What is agreed before play.

    Parameters
    ----------
    ruleset : RuleSet
        The initial set, as it was published.
    players : tuple of str
        In seating order.
    seed : int
        From which the game's own dice are drawn.
    terms : mapping of str to str
        Terms agreed otherwise than the rule set has them, as expressions of the law language.
    order : tuple of str
        The players in the order that was chosen before play; empty where they said nothing.
    medium : str
        Where the game is played; empty where they said nothing.
    """

    ruleset: RuleSet
    players: tuple[str, ...]
    seed: int
    terms: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    medium: str = ""

    def __post_init__(self) -> None:
        check_names(self.players)
        least = self.ruleset.least_players
        if not least <= len(self.players) <= MOST_PLAYERS:
            raise ValueError(f"{least} to {MOST_PLAYERS} players play {self.ruleset.name}; found {len(self.players)}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or not 0 <= self.seed < LARGEST_SEED:
            raise ValueError(f"a seed is a whole number from 0 to 2**53 - 1; found {self.seed!r}")
        if not self.ruleset.alone:
            raise ValueError(f"{self.ruleset.name} is no game by itself; rules of other rule sets bring it in")
        if self.order and sorted(self.order) != sorted(self.players):
            raise ValueError(f"an order has every player once; found {', '.join(map(str, self.order))}")
        if self.medium and self.medium not in MEDIA:
            raise ValueError(f"a game is played by {', '.join(MEDIA)}; found {self.medium!r}")
        for name, fact in (("order", "chosen_order"), ("medium", "medium")):
            if getattr(self, name) and not self.ruleset.looks_at(fact):
                raise ValueError(f"no rule of {self.ruleset.name} looks at the {name}, so it changes nothing")

    @property
    def incorporated(self) -> dict[str, str]:
        """The rule sets that its rules bring in before play, by name, with the digests of their texts."""
        book = RuleBook({rule.id: rule for rule in self.ruleset.with_terms(self.terms, language()).rules})
        return digests(with_incorporated(book, library(language())), language())

    def to_json(self) -> dict[str, Any]:
        """Return all that was agreed as plain data, the rule set with its text."""
        return {
            "ruleset": self.ruleset.name, "digest": self.ruleset.digest, "text": self.ruleset.text,
            "players": list(self.players), "seed": self.seed, "terms": dict(self.terms), "order": list(self.order),
            "medium": self.medium, "incorporated": self.incorporated,
        }  # fmt: skip

    @property
    def digest(self) -> str:
        """What tells a game that was agreed like this from others: SHA-256 over all that was agreed."""
        agreed = {name: one for name, one in self.to_json().items() if name not in ("ruleset", "text", "incorporated")}
        return hashlib.sha256(canonical(agreed).encode("ascii")).hexdigest()


@dataclass(frozen=True)
class Fork:
    """Another way that a game went.

    Parameters
    ----------
    table : Table
        The game as it went there.
    at : int
        The last event that both ways share.
    why : str
        How they came to part.
    """

    table: Table
    at: int
    why: str


class Table:
    """A game under way.

    Parameters
    ----------
    setting : Setting
        What was agreed before play.

    Raises
    ------
    LawError
        A term that the rule set does not have.
    """

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        #: How many bytes its record has.
        self.sizes = sizes_from(canonical(setting.to_json()))
        self.lock = threading.RLock()
        speech = language()
        rules = setting.ruleset.with_terms(setting.terms, speech).rules
        book = with_incorporated(RuleBook({rule.id: rule for rule in rules}), library(language()))
        bare = Law(book, Order(), speech)
        state = State(
            {},
            book,
            bare,
            game=setting.digest,
            chosen_order=setting.order or setting.players,
            medium=setting.medium or MEDIA[0],
        )
        try:
            state = state.but(law=Law(book, order_of(bare, state), speech))
            #: How things stood before anything happened.
            self.before = state
            self.moments: list[Moment] = perform_step(state, setting.seed, self._begin)
        except Undecided as doubt:
            raise LawError(f"with these rules no game can begin: {doubt.reason}") from None
        #: Other ways that the game went.
        self.forks: list[Fork] = []
        #: The game that this one parted from, or shows as it stood; None for a game that parted from none.
        self.origin: Table | None = None
        #: Called whenever the game has changed, so that whoever shows it can look again.
        self.listeners: list[Callable[[], None]] = []
        #: What was sealed here, by commitment, until it is revealed: in this process only, in no record.
        self.kept: dict[str, Opening] = {}

    def _begin(self, engine: Engine) -> None:
        engine.emit("game_started", None, by_player=True, players=list(self.setting.players))
        for name in self.setting.players:
            enter(engine, name, "person")
        start_counters(engine)
        review_void(engine)

    @property
    def state(self) -> State:
        """How things stand now."""
        return self.moments[-1][1]

    @property
    def events(self) -> list[Event]:
        """Everything that happened."""
        return [event for event, _ in self.moments]

    def do(self, player: str, action: str, details: Mapping[str, Any]) -> list[Moment]:
        """Do an action, with everything that follows from it, or refuse it and leave all as it was.

        Parameters
        ----------
        player : str
            Who does it.
        action : str
            What.
        details : mapping
            As the action takes them.

        Returns
        -------
        list of (Event, State)
            What happened.

        Raises
        ------
        IllegalAction
            Refused, with the rule and what is open instead.
        LawError
            A clause that cannot be read.
        """
        with self.lock:
            known = find_action(action)
            state = self.state
            permission.start(state, player, action)
            check_details(action, known, details)

            def begin(engine: Engine) -> None:
                engine.take_up(player, action)
                try:
                    known(engine, player, **details)
                except Undecided as doubt:
                    engine.state = state
                    engine.moments.clear()
                    actions.attempt(engine, player, action, details, doubt)

            moments = perform_step(state, self.setting.seed, begin)
            self._take_in(moments)
            return moments

    def host(self, action: str, details: Mapping[str, Any]) -> list[Moment]:
        """Keep the record: absence, pause, correction. None of it is a move in the game.

        Raises
        ------
        IllegalAction
            Refused.
        LawError
            A correction that cannot be read.
        """
        with self.lock:
            known = HOST[action]
            check_details(action, known, details, first=1)
            state = self.state
            if state.over and action != "annotate":
                raise IllegalAction("the game is over")
            if state.paused and action not in ("resume", "annotate"):
                raise IllegalAction("the game is paused", options=["game.host.resume()"])
            moments = perform_step(state, self.setting.seed, lambda engine: known(engine, **details))
            self._take_in(moments)
            return moments

    def _take_in(self, moments: list[Moment]) -> None:
        """Let it have happened, or refuse what no record could hold."""
        check_room(self.sizes, self.moments, moments)
        self.moments.extend(moments)
        self.changed()

    def changed(self) -> None:
        """Tell whoever shows the game that it has changed."""
        for listener in tuple(self.listeners):
            listener()

    @property
    def standing(self) -> list[Event]:
        """The events that count now: all but those that were undone."""
        found: list[Event] = []
        at = len(self.moments)
        while at > 0:
            event = self.moments[at - 1][0]
            if event.kind == "undone":
                at = int(event.data["to"])
                continue
            found.append(event)
            at -= 1
        return found[::-1]

    # ------------------------------------------------------------------------------------ other times

    def ends_step(self, seq: int) -> bool:
        """Tell whether everything that an action set off is done after this event."""
        return seq == len(self.moments) or (0 < seq < len(self.moments) and self.moments[seq][0].action)

    def step_end(self, seq: int) -> int:
        """Return the end of the step that an event belongs to.

        Raises
        ------
        ValueError
            There is no such event.
        """
        if isinstance(seq, bool) or not isinstance(seq, int) or not 1 <= seq <= len(self.moments):
            raise ValueError(f"the game has events 1 to {len(self.moments)}; found {seq!r}")
        while not self.ends_step(seq):
            seq += 1
        return seq

    def at(self, seq: int) -> Table:
        """Return the game as it stood right after an event, to be looked at.

        Raises
        ------
        ValueError
            There is no such event.
        """
        self.step_end(seq)
        return self._copy(self.moments[:seq], Past)

    def fork(self, seq: int, why: str = "forked") -> Table:
        """Return a game that goes on from the end of the step of an event, and remember it.

        Raises
        ------
        ValueError
            There is no such event.
        """
        end = self.step_end(seq)
        other = self._copy(self.moments[:end], Table)
        self.forks.append(Fork(other, end, why))
        return other

    def forked(self, moments: list[Moment], at: int, why: str) -> None:
        """Remember a way that the game went and goes no more, with the ways that parted from it later on."""
        events = [event for event, _ in moments]
        known = next((fork.table for fork in self.forks if fork.table.events == events), None)
        kept = self._copy(moments, Table) if known is None else known
        others = [fork for fork in self.forks if fork.table is not kept]
        now = self.events
        self.forks = [Fork(kept, at, why)]
        for fork in others:
            if fork.table.events[at : fork.at] == now[at : fork.at]:
                self.forks.append(fork)
            else:
                kept.forks.append(fork)
                fork.table.origin = kept

    def _copy(self, moments: list[Moment], kind: type[Table]) -> Table:
        other = object.__new__(kind)
        other.setting, other.before, other.lock = self.setting, self.before, threading.RLock()
        other.moments, other.forks, other.listeners, other.origin = list(moments), [], [], self
        other.sizes = Along(self.sizes.first, self.sizes.step)
        other.kept = self.kept  # what was sealed before the ways parted is revealed in both
        return other

    def undo(self, to: int | None = None) -> None:
        """Take the game back, as an event: what happened stays on record.

        Parameters
        ----------
        to : int, optional
            The event after which it shall stand, the end of a step; the step before the last one where
            it is not given.

        Raises
        ------
        IllegalAction
            There is nothing to undo, the event is in the middle of a step, or seals would stand that were opened.
        """
        with self.lock:
            if to is None:
                standing = self.standing
                last = max(at for at, event in enumerate(standing) if event.action)
                to = standing[last - 1].seq if last else 0
            if isinstance(to, bool) or not isinstance(to, int) or not 1 <= to <= len(self.moments):
                raise IllegalAction(f"there is nothing to undo; the game has events 1 to {len(self.moments)}")
            if not self.ends_step(to):
                raise IllegalAction(f"event {to} is in the middle of a step", options=[f"undo to {self.step_end(to)}"])
            now, then = self.state, self.moments[to - 1][1]
            self._check_seals(then, to)
            event = Event(now.seq + 1, then.turn, then.circuit, None, None, "undone", {"to": to}, action=True)
            self._take_in([(event, then.but(seq=event.seq))])

    def _check_seals(self, then: State, to: int) -> None:
        """Refuse to let seals stand that were opened since, while others would still seal: they know too much."""
        opened = {(one.data["round"], one.actor) for one, _ in self.moments[to:] if one.kind == "revealed"}
        for _, found in rounds(then):
            known = [name for name in found.seals if (found.number, name) in opened]
            if known and found.owed == "seal":
                said = f"what {', '.join(known)} sealed was revealed since; others would seal knowing it"
                raise IllegalAction(said, options=[f"undo to {self.step_end(found.number)}"])

    def again(self, event: Event) -> list[Moment]:
        """Do once more what an event records, as loading a game does.

        Raises
        ------
        IllegalAction, LawError, ValueError
            It could not have happened here.
        """
        if event.kind == "undone":
            before = len(self.moments)
            self.undo(event.data["to"])
            return self.moments[before:]
        if event.kind in HOST_REPEAT:
            action, details = HOST_REPEAT[event.kind](event.data)
            return self.host(action, details)
        if event.actor is None or event.kind not in REPEAT:
            raise ValueError(f"a player cannot have done {event.kind!r}")
        action, details = REPEAT[event.kind](event.data)
        return self.do(event.actor, action, details)


class Past(Table):
    """A game as it stood; nothing happens in it any more."""

    def do(self, player: str, action: str, details: Mapping[str, Any]) -> list[Moment]:
        """Refuse.

        Raises
        ------
        IllegalAction
            Always.
        """
        del player, action, details
        at = self.state.seq
        raise IllegalAction(
            f"this is the game as it stood after event {at}", options=[f"game.fork(at={at}) goes on from there"]
        )

    def host(self, action: str, details: Mapping[str, Any]) -> list[Moment]:
        """Refuse.

        Raises
        ------
        IllegalAction
            Always.
        """
        return self.do("", action, details)

    def undo(self, to: int | None = None) -> None:
        """Refuse.

        Raises
        ------
        IllegalAction
            Always.
        """
        del to
        raise IllegalAction(f"this is the game as it stood after event {self.state.seq}")


def find_action(action: str) -> Callable[..., None]:
    """Return an action by its name.

    Raises
    ------
    IllegalAction
        There is no such action; the known ones are listed.
    """
    known = actions.ACTIONS.get(action)
    if known is None:
        near = difflib.get_close_matches(str(action), actions.ACTIONS, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise IllegalAction(f"there is no action {str(action)[:40]!r}{hint}", options=list(actions.ACTIONS))
    return known


#: What the details of an action may be: plain values, so that every attempt can be recorded.
_PLAIN: Mapping[str, tuple[tuple[type, ...], str]] = {
    "Change": ((Change,), "a change made by enact, amend, repeal or transmute"),
    "str": ((str,), "a text"),
    "bool": ((bool,), "true or false"),
    "int": ((int,), "a whole number"),
    "int | None": ((int, NoneType), "a whole number"),
    "Number": ((int, str), "a number"),
    "Number | None": ((int, str, NoneType), "a number"),
    "object": ((object,), "something"),  # the action itself says what it takes
    "list[str]": ((list,), "a list of names"),
    "list[str] | None": ((list, NoneType), "a list of names"),
    "list[Number] | None": ((list, NoneType), "a list of numbers"),
}


@cache
def _taken(known: Callable[..., None]) -> tuple[inspect.Parameter, ...]:
    return tuple(inspect.signature(known).parameters.values())


def check_details(action: str, known: Callable[..., None], details: Mapping[str, Any], first: int = 2) -> None:
    """Refuse details that an action does not take.

    Raises
    ------
    TypeError
        With what it takes.
    """
    taken = _taken(known)[first:]
    names = [one.name for one in taken]
    unknown = [name for name in details if name not in names]
    missing = [one.name for one in taken if one.default is one.empty and one.name not in details]
    if unknown or missing:
        raise TypeError(f"{action} takes {', '.join(names) or 'nothing more'}; found {', '.join(details) or 'nothing'}")
    for one in taken:
        value = details.get(one.name, one.default)
        wanted, said = _PLAIN[str(one.annotation)]
        plain = (
            isinstance(value, wanted)
            and (value is not None or NoneType in wanted or one.default is None)
            and (bool in wanted or object in wanted or not isinstance(value, bool))
        )
        if not plain or (wanted != (object,) and isinstance(value, int) and abs(value) > LARGEST_SEED):
            raise TypeError(f"{action} takes {said} for {one.name}; found {str(value)[:40]!r}")


def _change(data: Mapping[str, Any], name: str = "change") -> Any:
    found = data[name]
    if not isinstance(found, dict):
        raise LawError("a change is a set of fields", found=repr(found)[:40])
    return from_json(found)


def _attempted(data: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    details = dict(data["details"])
    if isinstance(details.get("change"), dict):
        details["change"] = _change(details)
    return data["did"], details


#: How an action is done again, by the event that it became.
REPEAT: Mapping[str, Callable[[Mapping[str, Any]], tuple[str, dict[str, Any]]]] = {
    "proposed": lambda data: (
        "propose",
        {"change": _change(data), "debate": data["debate"]}
        | ({"number": data["number"]} if "assigned" in data else {}),
    ),
    "revised": lambda data: ("revise", {"change": _change(data), "proposal": data["number"]}),
    "debate_ended": lambda data: ("call_vote", {"proposal": data["number"]}),
    "balloted": lambda data: ("vote", {"ballot": data["ballot"], "proposal": data["number"]}),
    "agreed": lambda data: ("agree", {"answer": data["answer"], "proposal": data["number"]}),
    "vote_ended": lambda data: ("close_vote", {"proposal": data["number"]}),
    "thrown": lambda data: ("roll", {"value": data["face"]} if data["by_hand"] else {}),
    "committed": lambda data: ("seal", {"commitment": data["commitment"]}),
    "revealed": lambda data: ("reveal", {"value": data["value"], "nonce": data["nonce"]}),
    "chosen": lambda data: ("choose", {"option": data["option"]}),
    "answered": lambda data: (
        "choose",
        {"option": data["answer"], "decision": data["question"]}
        | ({"agreed": data["agreed"]} if "agreed" in data else {}),
    ),
    "asked_again": lambda data: ("ask_again", {"key": data["key"]}),
    "turn_begun": lambda _: ("begin_turn", {}),
    "finished": lambda _: ("end_turn", {}),
    "skipped": lambda _: ("skip", {}),
    "said": lambda data: ("say", {"text": data["text"]}),
    "free_act": lambda data: ("act", {"text": data["text"]}),
    "deed": lambda data: ("report", {"who": data["who"], "deed": data["name"]}),
    "gave": lambda data: ("give", {one: data[one] for one in ("receiver", "amount", "counter")}),
    "applied": lambda data: ("apply", {"rule": data["number"], "effect": data["effect"]}),
    "judgment_invoked": lambda data: (
        "invoke_judgment",
        {"question": data["text"], "proposal": data.get("proposal")},
    ),
    "ruled": lambda data: (
        "rule_on",
        {
            "ruling": data["text"],
            "reasons": data["reasons"],
            "rests_on": list(data["numbers"]),
            "orders": "\n".join(data["orders"]),
            "judgment": data["judgment"],
        },
    ),
    "overrule_balloted": lambda data: ("overrule", {"ballot": data["ballot"], "judgment": data["judgment"]}),
    "consented": lambda data: ("consent", {"ballot": data["ballot"], "judgment": data["judgment"]}),
    "forfeited": lambda _: ("forfeit", {}),
    "attempted": _attempted,
    "pushed": lambda data: ("move", {"text": data["text"], "push": data["push"]}),
}

#: The same for what whoever keeps the record did.
HOST_REPEAT: Mapping[str, Callable[[Mapping[str, Any]], tuple[str, dict[str, Any]]]] = {
    "absent": lambda data: ("absent", {"who": data["who"]}),
    "returned": lambda data: ("present", {"who": data["who"]}),
    "overdue": lambda data: ("overdue", {"who": data["who"]}),
    "paused": lambda _: ("pause", {}),
    "resumed": lambda _: ("resume", {}),
    "annotated": lambda data: ("annotate", {"text": data["text"], "nag": data["nag"], "at": data["at"]}),
    "corrected": lambda data: (
        "correct",
        {"effect": data["effect"], "agreed": data["agreed"], "reason": data["reason"]},
    ),
}
