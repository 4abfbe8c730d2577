"""What happens on boards: events that rules may answer to, and the action that they allow and forbid."""

from __future__ import annotations

from nomic_nb.law.vocabulary import Action, Event
from nomic_nb.play.boards.keys import ARMY, BOARD, BOARDS, CAPTURE, MOVE, PIECE, PLAYER, SQUARE
from nomic_nb.play.happenings import WHO

_ARMY = {"player": PLAYER, "army": ARMY}
_PUSH = {**_ARMY, "push": BOARDS}
_PIECE = {"piece": PIECE}

EVENTS = (
    Event("army_entered", "an army has set up its array", _ARMY),
    Event("pushed", "boards were pushed together", _PUSH),
    Event("moved", "a piece has moved", {**_PUSH, **_PIECE, "origin": SQUARE, "target": SQUARE}),
    Event("captured", "a piece was captured", CAPTURE, usual="what capture.result says"),
    Event("in_hand", "a captured piece is in the hand of an army", {**_PIECE, "army": ARMY}),
    Event("dropped", "a piece was dropped from a hand", {**_PUSH, **_PIECE, "target": SQUARE}),
    Event("promoted", "a piece became a higher kind", _PIECE),
    Event("demoted", "a piece became a lower kind", _PIECE),
    Event("placed", "a new piece was placed", _PIECE),
    Event("removed", "a piece left the boards", _PIECE),
    Event("carried", "a piece was carried to another square", _PIECE),
    Event("converted", "a piece went over to another army", _PIECE),
    Event("checked", "a move has put a king in check", {"army": ARMY, "piece": PIECE}),
    Event("mated", "an army is mated; `player` gets it", _ARMY, late="mate.captor has said by then who gets the army"),
    Event("army_lost", "a player has lost an army", _ARMY),
    Event("army_taken", "a player has an army more", _ARMY),
    Event("grown", "a board has grown", {"board": BOARD}),
)

ACTIONS = (Action("move", "push boards together and make a move", MOVE, owed=True, gist=WHO),)
