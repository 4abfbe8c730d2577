"""The table: a game under way, as a list of what happened. Everything that players see stands on it."""

from __future__ import annotations

import difflib
import inspect
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from nomic_nb.errors import IllegalAction, LawError
from nomic_nb.law.changes import check_text, from_json
from nomic_nb.law.resolver import Law, Order, order_of
from nomic_nb.law.rules import RuleBook
from nomic_nb.law.values import LONGEST_TEXT
from nomic_nb.law.view import Undecided
from nomic_nb.play import actions
from nomic_nb.play.effects import enter
from nomic_nb.play.engine import Engine, Moment, perform_step
from nomic_nb.play.events import Event
from nomic_nb.play.lawmaking import review_void, start_counters
from nomic_nb.play.state import State
from nomic_nb.play.vocabulary import language
from nomic_nb.rulesets.literate import RuleSet

#: Players at a table, and letters of a name.
MOST_PLAYERS, LONGEST_NAME = 100, 40
LARGEST_SEED = 2**53


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
    terms : mapping of str to object
        Terms agreed otherwise than the rule set has them.
    """

    ruleset: RuleSet
    players: tuple[str, ...]
    seed: int
    terms: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 1 <= len(self.players) <= MOST_PLAYERS:
            raise ValueError(f"1 to {MOST_PLAYERS} players play; found {len(self.players)}")
        for name in self.players:
            if not isinstance(name, str) or not name.strip() or name != name.strip():
                raise ValueError(f"a player's name is a text without blanks around it; found {name!r}")
            if len(name) > min(LONGEST_NAME, LONGEST_TEXT) or '"' in name:
                raise ValueError(
                    f"a name has at most {LONGEST_NAME} letters and no quotation mark; found {name[:60]!r}"
                )
            check_text("name", name, LONGEST_NAME)
        if len(set(self.players)) < len(self.players):
            raise ValueError(f"every player has a name of their own; found {', '.join(self.players)}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or not 0 <= self.seed < LARGEST_SEED:
            raise ValueError(f"a seed is a whole number from 0 to 2**53 - 1; found {self.seed!r}")


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
        self.lock = threading.RLock()
        speech = language()
        rules = setting.ruleset.with_terms(setting.terms, speech).rules
        book = RuleBook({rule.id: rule for rule in rules})
        bare = Law(book, Order(), speech)
        state = State({}, book, bare)
        state = State({}, book, Law(book, order_of(bare, state), speech))
        #: How things stood before anything happened.
        self.before = state
        self.moments: list[Moment] = perform_step(state, setting.seed, self._begin)

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
            actions.start(state, player)
            check_details(action, known, details)

            def begin(engine: Engine) -> None:
                try:
                    known(engine, player, **details)
                except Undecided as doubt:
                    engine.state = state
                    engine.moments.clear()
                    actions.attempt(engine, player, action, details, doubt)

            moments = perform_step(state, self.setting.seed, begin)
            self.moments.extend(moments)
            return moments

    def again(self, event: Event) -> list[Moment]:
        """Do once more what an event records, as loading a game does.

        Raises
        ------
        IllegalAction, LawError, ValueError
            It could not have happened here.
        """
        if event.actor is None or event.kind not in REPEAT:
            raise ValueError(f"a player cannot have done {event.kind!r}")
        action, details = REPEAT[event.kind](event.data)
        return self.do(event.actor, action, details)


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


@cache
def _taken(known: Callable[..., None]) -> tuple[inspect.Parameter, ...]:
    return tuple(inspect.signature(known).parameters.values())[2:]


def check_details(action: str, known: Callable[..., None], details: Mapping[str, Any]) -> None:
    """Refuse details that an action does not take.

    Raises
    ------
    TypeError
        With what it takes.
    """
    taken = _taken(known)
    names = [one.name for one in taken]
    unknown = [name for name in details if name not in names]
    missing = [one.name for one in taken if one.default is one.empty and one.name not in details]
    if unknown or missing:
        raise TypeError(f"{action} takes {', '.join(names) or 'nothing more'}; found {', '.join(details) or 'nothing'}")


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
    "proposed": lambda data: ("propose", {"change": _change(data), "debate": data["debate"]}),
    "revised": lambda data: ("revise", {"change": _change(data), "proposal": data["number"]}),
    "debate_ended": lambda data: ("call_vote", {"proposal": data["number"]}),
    "balloted": lambda data: ("vote", {"ballot": data["ballot"], "proposal": data["number"]}),
    "vote_ended": lambda data: ("close_vote", {"proposal": data["number"]}),
    "thrown": lambda data: ("roll", {"value": data["face"]} if data["by_hand"] else {}),
    "chosen": lambda data: ("choose", {"option": data["option"]}),
    "answered": lambda data: ("choose", {"option": data["answer"], "decision": data["question"]}),
    "skipped": lambda _: ("skip", {}),
    "said": lambda data: ("say", {"text": data["text"]}),
    "free_act": lambda data: ("act", {"text": data["text"]}),
    "deed": lambda data: ("report", {"who": data["who"], "deed": data["name"]}),
    "applied": lambda data: ("apply", {"rule": data["number"], "effect": data["effect"]}),
    "judgment_invoked": lambda data: ("invoke_judgment", {"question": data["text"]}),
    "forfeited": lambda _: ("forfeit", {}),
    "attempted": _attempted,
}
