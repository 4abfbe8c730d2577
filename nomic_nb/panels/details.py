"""Fields for what an action takes, made from its declaration."""

from __future__ import annotations

from collections.abc import Mapping

import ipywidgets as w

from nomic_nb.errors import LawError
from nomic_nb.live.base import BaseGame
from nomic_nb.panels import fields, said
from nomic_nb.play.declaring import ACTIONS

#: What belongs into some fields.
HINTS: Mapping[str, str] = {
    "deed": "a name that rules may speak of, such as interrupting", "effect": 'such as: award -5 points to "Ann"',
    "question": "what is to be decided, by a Judge or by the table",
    "key": "on which the table agreed, such as win.points",
}  # fmt: skip


def spoken(action: str) -> str:
    """Return what an action is called for people."""
    return action.replace("_", " ").capitalize()


class Details:
    """What is to be said of an action, as widgets, and a place for what is wrong with it.

    Parameters
    ----------
    action : str
        Which.
    about : str
        What is asked, if anything is.
    """

    def __init__(self, action: str, about: str = "") -> None:
        self.action, self.taken = action, ACTIONS[action].chosen
        self.fields: dict[str, w.Widget] = {}
        for name, takes in self.taken.items():
            label, hint = {"text": spoken(action), "who": "Whom"}.get(name, spoken(name)), HINTS.get(name, takes.said)
            if takes.types == (int,):
                self.fields[name] = fields.number(label, hint, 1)
            elif takes.among:
                self.fields[name] = fields.choice(label, [("–", "")], hint)
            else:
                self.fields[name] = fields.line(label, about or hint)
        self.note = fields.note()
        self.box = fields.column(*self.fields.values(), self.note)

    def look(self, game: BaseGame, player: str) -> None:
        """Offer what there is to choose from."""
        titles: dict[object, str] = {rule.number: f"{rule.number} {rule.title}" for rule in game.rules}
        for name, takes in self.taken.items():
            if takes.among and takes.types != (int,):
                found = takes.among(game.state, player, ()) if player in game.state.players else ()
                fields.offer(self.fields[name], [(titles.get(one, str(one)), one) for one in found] or [("–", "")])

    def submit(self, game: BaseGame, player: str, **more: object) -> object:
        """Do it; return the word back, if there is one. What cannot be read is said below the fields."""
        fields.put(self.note, "")
        try:
            word: object = getattr(game, self.action)(
                player, **{name: one.value for name, one in self.fields.items()}, **more
            )
        except LawError as error:
            fields.put(self.note, said.note(said.law_error(error, [*self.fields.values()][-1].description)))
            raise
        for widget in self.fields.values():
            if isinstance(widget, w.Text):
                widget.value = ""
        return word
