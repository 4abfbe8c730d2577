"""Hands on a panel: they see only what is shown, set values, and click."""

from __future__ import annotations

import html
import re

import ipywidgets as w

from nomic_nb.panels.panel import Panel


def visible(widget):
    """What is shown of a widget: itself, and what is in it."""
    if widget.layout.display == "none":
        return
    yield widget
    for child in getattr(widget, "children", ()):
        yield from visible(child)


def words(text):
    """The text of HTML."""
    return " ".join(html.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", text)).split())


class Hand:
    """The hand of a player on a panel; in hot seat all hands are on the same one."""

    def __init__(self, panel: Panel, player: str) -> None:
        self.panel, self.player = panel, player

    @property
    def mine(self):
        return list(visible(self.panel.groups[self.player]))

    @property
    def status(self) -> str:
        return words(self.panel.desk.status.value)

    @property
    def text(self) -> str:
        """Everything that can be read in what this player decides."""
        return " ".join(words(one.value) for one in self.mine if isinstance(one, w.HTML))

    def sees(self, description):
        return any(getattr(one, "description", None) == description for one in self.mine)

    def find(self, description, among=None, button=False):
        """A field, or a button, by its description."""
        found = [
            one
            for one in among or self.mine
            if getattr(one, "description", None) == description and isinstance(one, w.Button) is button
        ]
        shown = [one.description for one in among or self.mine if getattr(one, "description", None)]
        assert found, f"{self.player} sees no {description!r}; there are {shown}"
        return found[0]

    def set(self, **values):
        """Set fields by their description; drop-down lists by the beginning of a label."""
        for name, value in values.items():
            self.put(self.find(name.replace("_", " ")), value)

    def put(self, field, value):
        if isinstance(field, w.Dropdown):
            labels = [label for label, _ in field.options if label.startswith(str(value))]
            assert labels, f"no {value!r} among {[label for label, _ in field.options]}"
            field.label = labels[0]
        else:
            field.value = value

    def press(self, description):
        button = self.find(description, button=True)
        assert not button.disabled
        button.click()

    def freely(self, what, button, **values):
        """Do something that is always open."""
        root = self.panel.freely.box
        if self.panel.seat is None:
            self.put(self.find("Who", list(visible(root))), self.player)
        self.put(self.find("What", list(visible(root))), what)
        for name, value in values.items():
            self.put(self.find(name, list(visible(root))), value)
        self.find(button, list(visible(root)), button=True).click()

    # -------------------------------------------------------------------------------- whole moves

    def propose(self, kind, **values):
        self.set(Kind=kind, **values)
        self.press("Propose")

    def throws(self, face=None):
        if face is None:
            self.press("Throw")
        else:
            self.set(By_hand=face)
            self.press("Enter this throw")


def seats(game, hot):
    """Hands for all players: on one panel, or each on a panel of their own."""
    shared = Panel(game) if hot else None
    return {name: Hand(shared or Panel(game, name), name) for name in game.players}


def hand_of(ann, name):
    """The hand of another player on the same panel."""
    return Hand(ann.panel, name)
