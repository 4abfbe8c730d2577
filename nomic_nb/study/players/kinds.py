"""Players that come with the kit: programs that see a view and reply, as a person or a model would."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any

from nomic_nb.engine.law.changes import enact, repeal, transmute
from nomic_nb.study.library.ready_made import Catalogue
from nomic_nb.study.players.asked import Json
from nomic_nb.study.players.view import View

#: How often a player who plays at random is in favour, answers what need not be answered, or changes a rule in force.
IN_FAVOUR, AT_WILL, OF_RULES_IN_FORCE = 0.7, 0.1, 0.3
#: An effect that lets a person in: play would wait for them although nobody may be there to play.
LETS_A_PERSON_IN = re.compile(r"\benter player\b.* as person\b")
KINDNESS = enact("Everyone is to be kind to everyone.", title="Kindness").to_json()


@cache
def _ready_made_changes() -> tuple[Json, ...]:
    """Return the changes that enact the ready-made rules, with default values, in order of name."""
    return tuple(entry.rule.change().to_json() for entry in sorted(Catalogue(), key=lambda entry: entry.name))


class ChancePlayer:
    """A player who answers at random, from what a view says that answers can be.

    The same seed, asked the same, gives the same replies. All players of this kind give the same answer to a question
    on which the players have to agree; otherwise they would never agree.

    Parameters
    ----------
    kind : str
        Name of the kind of player.
    seed : int
        Seed of its choices.
    ballot : callable
        Chooses a ballot from the options, by chance or always the same.
    """

    def __init__(self, kind: str, seed: int, ballot: Callable[[Random, list[str]], str]) -> None:
        self.kind, self.seed = kind, seed
        self._ballot, self._dice = ballot, Random(seed)  # noqa: S311 - no secret depends on it

    def __repr__(self) -> str:
        return f"nb.players.{self.kind}(seed={self.seed})"

    def __call__(self, view: View) -> Json | None:
        """Return a reply to a view; None, to pass, if nothing must be answered."""
        dice, must = self._dice, [asked for asked in view["asked"] if asked["must"]]
        if not must and (not view["asked"] or dice.random() >= AT_WILL):
            return None
        asked = dice.choice(must or view["asked"])
        return {"key": asked["key"], "details": self.plain_details(view, asked)}

    def plain_details(self, view: View, asked: Json) -> Json:
        """Return details that answer what is asked: what can be left out is left out, but for a sealed answer."""
        needed = (field for field in asked["fields"] if not field.get("optional") or field.get("asked"))
        return {field["name"]: self._value(view, asked, field) for field in needed}

    def _value(self, view: View, asked: Json, field: Json) -> Any:
        """Return a value for a field of an answer."""
        dice, options = self._dice, field.get("options", [])
        match field["type"]:
            case "change":
                return self._change(view)
            case "some":
                return [dice.choice(options)]
            case _ if options and asked["action"] == "vote":
                return self._ballot(dice, options)
            case _ if options and field.get("other"):
                return answer_for_all(asked["prompt"], options)
            case _ if options:
                return dice.choice(options)
            case "number":
                return dice.randint(field.get("min", 1), field.get("max", 6))
            case "label":  # a number that others assign: one that is still free
                taken = (one["number"] for one in (*view["proposals"], *view["law"]))
                return 1 + max([0, *(number for number in taken if isinstance(number, int))])
            case "flag":
                return False
            case _:
                return field.get("example", "It is so.")

    def _change(self, view: View) -> Json:
        """Return a change to propose: after a refusal, one that most rules allow."""
        dice, refused = self._dice, view["refused"]
        if refused is not None:
            return KINDNESS
        if dice.random() >= OF_RULES_IN_FORCE:
            change = dice.choice(_ready_made_changes())
            return KINDNESS if LETS_A_PERSON_IN.search(change.get("law") or "") else change
        make = dice.choice((repeal, transmute))
        return make(dice.choice(view["law"])["number"]).to_json()


def answer_for_all(prompt: str, options: Sequence[str]) -> str:
    """Return the option that follows from a question, whoever is asked and whatever others have answered so far."""
    question = prompt.partition(" So far: ")[0]
    return options[int.from_bytes(hashlib.sha256(question.encode()).digest()[:4], "big") % len(options)]


def random(seed: int = 0) -> ChancePlayer:
    """Return a player who plays at random and votes for seven proposals in ten.

    Parameters
    ----------
    seed : int
        Seed of its choices: the same seed gives the same replies.

    Examples
    --------
    >>> import nomic_nb as nb
    >>> game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    >>> played = nb.play(game, {name: nb.players.random(seed=1) for name in game.players}, until=3)
    >>> played.ended
    'turn 3'
    """

    def ballot(dice: Random, options: list[str]) -> str:
        return "for" if "for" in options and dice.random() < IN_FAVOUR else dice.choice(options)

    return ChancePlayer("random", seed, ballot)


def contrary(seed: int = 0) -> ChancePlayer:
    """Return a player who votes against every proposal, and does everything else at random.

    Parameters
    ----------
    seed : int
        Seed of its choices: the same seed gives the same replies.
    """

    def ballot(dice: Random, options: list[str]) -> str:
        return "against" if "against" in options else dice.choice(options)

    return ChancePlayer("contrary", seed, ballot)
