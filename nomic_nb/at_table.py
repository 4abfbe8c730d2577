"""A game that a form began: its panel, the pages for its seats, and its other ways, without a line of Python."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as w

from nomic_nb.game import Game
from nomic_nb.panels.hosting import forgets
from nomic_nb.play.table import Table
from nomic_nb.shown import INERT

if TYPE_CHECKING:
    from nomic_nb.classroom.serve import Served

#: What is served in this session: a form that comes back to a game finds the pages that phones have open.
_SERVED: weakref.WeakKeyDictionary[Table, Served] = weakref.WeakKeyDictionary()
TITLES = ("Pages for the seats", "Ways of this game")
NOT_HERE = "On Binder nobody else reaches this machine: all play before the panel."


class AtTable(w.VBox):  # type: ignore[misc]
    """A game under way: what is said of it, pages for its seats, its other ways, and the panel.

    Parameters
    ----------
    game : Game
        The game.

    Attributes
    ----------
    game : Game
        The game that is shown: the one it was made with, or another way of it.
    """

    def __init__(self, game: Game) -> None:
        self.said, self.shown = w.HTML(), w.VBox()
        self.lan = w.Checkbox(description="for phones on this network, too", indent=False)
        self.serve, self.close_pages = w.Button(button_style="primary"), w.Button(description="Close the pages")
        self.serve.layout.width = self.close_pages.layout.width = "auto"
        self.links = w.HTML()
        self.player = w.Dropdown(description="Lost phone", layout=w.Layout(width="260px"))
        self.new_link = w.Button(description="New link", tooltip="the links that this player had open nothing any more")
        self.lost = w.HBox([self.player, self.new_link])
        self.way = w.Dropdown(description="Way", layout=w.Layout(width="min(100%, 560px)"))
        self.show = w.Button(description="Show this one")
        pages = w.VBox([w.HBox([self.serve, self.close_pages, self.lan]), self.lost, self.links])
        parts = [w.HTML(escape(NOT_HERE)) if forgets() else pages, w.VBox([self.way, self.show])]
        self.opened = [w.ToggleButton(description=title, layout=w.Layout(width="auto")) for title in TITLES]
        self.folded = [w.VBox([part]) for part in parts]
        for one in self.opened:  # unlike the heads of an accordion, these are reached by keys
            one.observe(lambda _: self.look(), "value")
        self.serve.on_click(lambda _: self._serve())
        self.close_pages.on_click(lambda _: self._close())
        self.new_link.on_click(lambda _: self._renew())
        self.show.on_click(lambda _: self.sit(Game(self.way.value)))
        super().__init__([self.said, w.HBox(self.opened), *self.folded, self.shown])
        self.sit(game)

    def sit(self, game: Game) -> None:
        """Show a game, or another way of it."""
        self.game = game
        where = game.kept or "in this session only: Host, in the panel, saves its record as a file"
        self.said.value = f"<p>{escape(f'{game.ruleset.title}, {where}.')}</p>"
        for panel in self.shown.children:
            panel.close()
        self.shown.children = (game.panel(),)
        self.look()

    def look(self) -> None:
        """Bring what is folded up to date: who has entered has a link, and what has forked is a way."""
        for button, part in zip(self.opened, self.folded, strict=True):
            part.layout.display = "" if button.value else "none"
        served = _SERVED.get(self.game.table)
        self.serve.description = "Open a page for every seat" if served is None else "Pages are open"
        self.serve.disabled = self.lan.disabled = served is not None
        self.close_pages.disabled = served is None
        self.lost.layout.display = "none" if served is None else ""
        self.links.value = "" if served is None else served._repr_html_()
        _offer(self.player, [(name, name) for name in self.game.state.persons])
        ways: list[tuple[str, Any]] = [
            (" – ".join(filter(None, (one.parting or "the game", one.begins, "shown" if one.here else ""))), one.table)
            for one in self.game.forks.ways()
        ]
        _offer(self.way, ways)

    def _serve(self) -> None:
        try:
            _SERVED[self.game.table] = self.game.serve(lan=self.lan.value)
        except (OSError, ModuleNotFoundError) as error:
            self.links.value = f'<p class="{INERT}" role="alert">{escape(str(error))}</p>'
            return
        self.look()

    def _close(self) -> None:
        served = _SERVED.pop(self.game.table, None)
        if served is not None:
            served.close()
        self.look()

    def _renew(self) -> None:
        served = _SERVED.get(self.game.table)
        if served is not None and self.player.value is not None:
            served.new_link(self.player.value)
        self.look()


def _offer(field: w.Dropdown, options: Sequence[tuple[str, Any]]) -> None:
    """Offer what can be chosen now; what was chosen stays, where it can be."""
    if tuple(field.options) != tuple(options):
        field.options = options
        field.index = 0 if options else None
