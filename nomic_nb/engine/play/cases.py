"""Types of play that the law knows, the cases in which it is asked, and players as it points at them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from nomic_nb.engine.law.values import NUMBER, TEXT, Ref, Type, Value, list_of, worded
from nomic_nb.engine.law.view import Undecided

PLAYER, RULE, PROPOSAL, CHANGE, JUDGMENT = map(Type, ("player", "rule", "proposal", "change", "judgment"))
PLAYERS, TEXTS = list_of(PLAYER), list_of(TEXT)

#: The case of a proposal, of a voter in a vote, of a throw.
VOTE = {"proposal": PROPOSAL}
VOTER = {"proposal": PROPOSAL, "voter": PLAYER}
THROW = {"player": PLAYER, "face": NUMBER}
#: The case of a judgment.
JUDGED = {"judgment": JUDGMENT}
#: What is bound where a player does something, and where something happens to a rule.
BY = {"player": PLAYER}
#: What a key of a table can be, by the name under which it is known.
KEYS_OF_TABLES = {
    kind: Type(kind) for kind in ("player", "army", "piece", "square", "board", "rule", "proposal")
}  # fmt: skip
#: Texts that are one of a few words.
BALLOT, YES_NO = worded(TEXT, ("for", "against", "abstain")), worded(TEXT, ("yes", "no"))
OWED, COUNTER = worded(TEXT, ("seal", "reveal")), worded(TEXT, "counter")
NUMBERED = worded(TEXT, "numbers")
ON_RULE = {"rule": RULE}
#: What is changed: who proposes it, when, and how it is worded is another matter.
WHAT = frozenset({
    "target", "targets", "this", "change.kind", "change.adds", "change.standing", "change.tier", "change.keys",
    "change.counters", "change.events", "change.requires", "change.effects", "change.set_off_by", "change.replaces",
    "change.words", "change.on_boards", "change.fingerprint", "change.scope",
})  # fmt: skip
#: Who does it: how it is done, and what goes before it, is another matter.
WHO = frozenset({"player", "proponent", "mover"})


def refs(names: Iterable[str]) -> tuple[Ref, ...]:
    """Return players as the law points at them."""
    return tuple(Ref("player", name) for name in names)


def names_of(value: Value) -> tuple[str, ...]:
    """Return the names of a player, or of players, that the law points at."""
    if value is None:
        return ()
    if isinstance(value, Ref) and value.kind == "player":
        return (str(value.id),)
    if isinstance(value, str):
        return (value,)
    if isinstance(value, tuple):
        return tuple(name for one in value for name in names_of(one))
    raise Undecided("there are no players here")


def read_out(answer: str) -> str:
    """Return an answer, as the law language writes it, as it is read out: players by their names.

    Examples
    --------
    >>> read_out('[player_named("Ann"), player_named("Ben")]'), read_out('"wait"')
    ('[Ann, Ben]', '"wait"')
    """
    return re.sub(r'player_named\("([^"]*)"\)', r"\1", answer)


def id_in(value: Value, kind: str) -> Any:
    """Return the name or number of what the law points at, one thing of a kind."""
    if isinstance(value, Ref) and value.kind == kind:
        return value.id
    raise Undecided(f"there is no {kind} here")
