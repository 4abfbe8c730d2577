"""What whoever keeps the record does from a panel: take back, record, comment, fork, a show of hands."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Set

from nomic_nb.engine.errors import IllegalAction
from nomic_nb.engine.law.changes import as_number
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.engine.play.declaring import HOST
from nomic_nb.engine.record.fingerprint import fingerprint
from nomic_nb.engine.record.log import lines_of
from nomic_nb.engine.record.seals import readable
from nomic_nb.notebook.live.base import BaseGame
from nomic_nb.notebook.panels.asking import RECORDED, Json
from nomic_nb.notebook.panels.past import check_event

#: What is no action of the game, and done from the panel of the whole table alone; so is all that the host does.
OURS: Mapping[str, Set[str]] = {
    "undo": {"event", "seen"}, "fork": {"event"}, "votes": {"proposal", "ballot"},
    "let_in": {"who", "agreed", "reason"},
}  # fmt: skip
#: Questions that are answered there alone: a record has sealed ballots in it.
ASKED = ("record", "arrangement")
#: What tells that a session is one of Binder's.
BINDER = "BINDER_LAUNCH_HOST"


def is_hosts(action: str) -> bool:
    """Tell whether something is done by whoever keeps the record."""
    return action in OURS or action in HOST


def hosted(game: BaseGame, action: str, given: Json, acts: Collection[int]) -> str:
    """Do what the host does; say what is to be said of it beyond what happened.

    Parameters
    ----------
    game : BaseGame
        The game.
    action : str
        ``undo``, ``fork``, ``votes``, ``let_in``, or an action of the host.
    given : mapping
        Its details, as they came from a browser.
    acts : collection of int
        The acts that can be taken back.

    Raises
    ------
    IllegalAction
        Refused, or details that it does not take.
    """
    wanted = OURS.get(action) or HOST[action].fields.keys()
    if given.keys() - wanted or OURS.get(action, set()) - given.keys():
        raise IllegalAction(f"{action} takes {', '.join(sorted(wanted)) or 'nothing more'}")
    if action == "fork":
        return _fork(game, check_event(game.timeline, given["event"]))
    if action == "undo":
        _undo(game, given, acts)
    elif action == "votes":
        _votes(game, given)
    elif action == "let_in":
        who, rest = given["who"], {name: given[name] for name in ("agreed", "reason")}
        if not isinstance(who, str) or '"' in who:
            raise IllegalAction("a name is a text without quotation marks")
        game.timeline.host("correct", {"effect": f'enter player "{who.strip()}" as person', **rest})
    elif action == "set_up":
        game.timeline.host(action, {**given, "position": _position(given.get("position"))})
    elif action == RECORDED:
        game.host.time(given.get("now") or None)
    elif action == "annotate":
        at = check_event(game.timeline, given.get("at", game.timeline.state.seq))
        game.annotate(str(given.get("text", "")), str(given.get("nag", "")), at=at)
    else:
        game.timeline.host(action, given)
    return ""


def _undo(game: BaseGame, given: Json, acts: Collection[int]) -> None:
    """Take the game back to before an act, as it was seen there."""
    if given["seen"] != game.timeline.state.seq:
        raise IllegalAction("something has happened since; look again at what is to be taken back")
    if given["event"] not in acts:
        raise IllegalAction("this is no act that stands, or it is too long ago")
    game.undo(given["event"] - 1)


def _fork(game: BaseGame, event: int) -> str:
    """Let another game go on from an event, and say where it is found."""
    fork = game.fork(at=event)
    places = [at for at, one in enumerate(game.forks) if one.game.timeline is fork.timeline]
    return (
        f"Another game goes on from there. Where a form began this one, it is under “Ways of this game”; in a cell it"
        f" is game.forks[{places[0]}].game"
    )


def _position(written: object) -> object:
    """Return a position as it is written in a panel: a FEN as it stands, or the pieces of every army, a line each."""
    lines = [line.strip() for line in written.splitlines() if line.strip()] if isinstance(written, str) else []
    if not lines or ":" not in lines[0]:
        return written
    found: dict[str, str] = {}
    for line in lines:
        army, colon, pieces = line.partition(":")
        if not colon or army.strip() in found:
            raise IllegalAction(f"each army has one line, such as white: Ke1 a2; found {line[:40]!r}")
        found[army.strip()] = pieces.strip()
    return found


def stands(game: BaseGame) -> Json:
    """Return how the boards stand, as they are set up: a line for each army."""
    return {"position": "\n".join(f"{army}: {pieces}" for army, pieces in game.arrangement.items())}


def _votes(game: BaseGame, given: Json) -> None:
    """Cast the ballots of all who are here and have not voted, as a show of hands tells."""
    number, ballot = as_number(given["proposal"]), given["ballot"]
    asked = [one for one in decisions(game.state) if one.action == "vote" and one.proposal == number]
    here = [one for one in asked if one.player in game.state.present and ballot in one.options]
    if not here:
        raise IllegalAction(f"nobody who is here has still to vote {str(ballot)[:20]} on {number}")
    for one in here:
        game.do(str(one.player), "vote", ballot=ballot, proposal=number)


def record(game: BaseGame) -> Json:
    """Return the record as a file to be kept, with its fingerprint, and what nobody else must read in it yet."""
    text, letters = "".join(f"{line}\n" for line in lines_of(game.timeline)), fingerprint(game.timeline)
    return {"name": f"{game.ruleset.name}.jsonl", "text": text, "letters": letters, "said": readable(game.timeline)}


def forgets() -> str:
    """Say that what runs here forgets, where it does; empty elsewhere."""
    if BINDER not in os.environ:
        return ""
    return "This runs on Binder, which forgets everything after some minutes in which nobody does anything: save often."
