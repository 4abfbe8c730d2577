"""What happened on the boards, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nomic_nb.multiverse.terms import NAMES
from nomic_nb.play.boards.drops import HANDS
from nomic_nb.play.boards.mates import ONLY_PUSHED
from nomic_nb.play.events import Event


def _kind(letter: str) -> str:
    return NAMES.get(letter.lower(), letter)


def told_by_another(event: Event) -> bool:
    """Tell whether what happened is told by another event's sentence: boards pushed for a move, its end."""
    if event.kind == "pushed":
        return bool(event.data["text"] != ONLY_PUSHED)
    return event.kind == "moves_made" and not event.data["note"]


def _piece(data: Mapping[str, Any]) -> str:
    return f"the {_kind(data['was'])} of {data['of']} on {data['square']}"


def _pushed(event: Event) -> str:
    data = event.data
    together = " together" if len(data["push"]) > 1 else ""
    return f"{event.actor} pushes {' and '.join(data['push'])}{together} for {data['army']}"


def _moved(event: Event) -> str:
    data = event.data
    return f"{event.actor} moves {data['text']} with {' and '.join(data['push'])}"


def _captured(event: Event) -> str:
    data = event.data
    became = {"remove": "is captured", "convert": "is captured and goes over", "explode": "is captured and explodes"}
    became["explode with royals"] = became["explode"]
    became |= dict.fromkeys(HANDS, "is captured")
    done = became.get(data["result"], "would be captured; a rule says what happens instead")
    return f"the {_kind(data['kind'])} of {data['of']} on {data['square']} {done}"


def _carried(event: Event) -> str:
    count = len(event.data["to"])
    return f"{count} {'piece is' if count == 1 else 'pieces are'} carried to other squares"


def _reshaped(event: Event) -> str:
    data = event.data
    said = [f"half-boards are joined by {data['join']}"]
    said += ["the sides of boards are joined"] if data["wraps"] else []
    holes = sum(len(squares) for squares in data["holes"].values())
    said += [f"{holes} {'square is' if holes == 1 else 'squares are'} not there"] if holes else []
    return "; ".join(said)


def _marked(event: Event) -> str:
    data = event.data
    what = f"army {data['of']}" if data["per"] == "army" else f"piece {data['of']}"
    amount = str(data["amount"])
    change = f"loses {amount[1:]}" if amount.startswith("-") else f"gets {amount}"
    return f"{what} {change} {data['counter']} and has {data['now']}"


SENTENCES: Mapping[str, Callable[[Event], str]] = {
    "army_entered": lambda e: f"army {e.data['army']} enters, moved by {e.actor}",
    "pushed": _pushed,
    "moved": _moved,
    "moves_made": lambda e: (
        f"{e.actor} makes no more moves: {e.data['note']}" if e.data["note"] else f"{e.actor} has moved"
    ),
    "captured": _captured,
    "in_hand": lambda e: f"the {_kind(e.data['kind'])} is in the hand of {e.data['army']}",
    "dropped": lambda e: f"{e.actor} drops {e.data['text']} with {' and '.join(e.data['push'])}",
    "promoted": lambda e: f"{_piece(e.data)} becomes a {_kind(e.data['kind'])}",
    "demoted": lambda e: f"{_piece(e.data)} becomes a {_kind(e.data['kind'])}",
    "placed": lambda e: f"a {_kind(e.data['kind'])} of {e.data['army']} is placed on {e.data['where']}",
    "removed": lambda e: f"{_piece(e.data)} is taken off the boards",
    "carried": _carried,
    "converted": lambda e: f"{_piece(e.data)} goes over to {e.data['army']}",
    "checked": lambda e: f"{e.actor} gives check to {e.data['army']}",
    "mated": lambda e: f"army {e.data['army']} is mated; {e.actor} is to get it",
    "army_lost": lambda e: f"{e.actor} loses army {e.data['army']}",
    "army_taken": lambda e: f"{e.actor} takes over army {e.data['army']}",
    "grown": lambda e: f"board {e.data['board']} grows by {e.data['ranks']}",
    "reshaped": _reshaped,
    "passed_by": lambda _: "the double step can no longer be captured en passant",
    "marked": _marked,
}
