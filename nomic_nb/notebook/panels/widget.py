"""The front end in a notebook: one widget for the whole table, for a seat, or for the vote alone."""

from __future__ import annotations

import re
import weakref
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from IPython.display import display

from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.play.permissions import not_a_player_message
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.panels.session import PanelViewer, hub_of_game
from nomic_nb.notebook.panels.static_copy import StaticCopy

# --------------------------------------------------------------------------------------------------- the front end


_BUILT_WIDGETS = Path(__file__).parents[2] / "_widgets"
#: Where they are: in the package, or beside it in a clone.
WIDGETS = _BUILT_WIDGETS if _BUILT_WIDGETS.is_dir() else Path(__file__).parents[3] / "widgets"
#: In the order in which they need each other. Names at their top level must differ; a test sees to it.
MODULES = ("core", "boards", "vote", "change", "seal", "forms", "panel")
#: Panels that put themselves into the whole, where they are loaded.
FULL_VIEW_PARTS = ("freely", "law", "complete", "together", "history", "host", "judge", "cells")


@cache
def front_end_source(name: str) -> str:
    """Return a file of the front end, with comment lines removed from scripts."""
    text = (WIDGETS / name).read_text(encoding="utf-8")
    return re.sub(r"^\s*(//.*|/\*\*.*\*/)\n", "", text, flags=re.MULTILINE) if name.endswith(".js") else text


@cache
def bundled_modules() -> str:
    """Return the modules of the front end as one, because notebooks load it as text."""
    parts = []
    for name in (*MODULES, *FULL_VIEW_PARTS):
        module = re.sub(
            r'^import [^;]+ from "\./[a-z]+\.js";\n', "", front_end_source(f"{name}.js"), flags=re.MULTILINE
        )
        module = re.sub(r"^export default .*\n", "", module, flags=re.MULTILINE)
        module = re.sub(r"^export (?=(const|let|function|class|async) )", "", module, flags=re.MULTILINE)
        parts.append(f"// {name}.js\n{module}")
    return "\n".join([*parts, "export default { render };\n"])


# ------------------------------------------------------------------------------------- the front end in a notebook


#: Letters of the name of a square.
LONGEST_CHOSEN = 80


class Panel(anywidget.AnyWidget):
    """A live view of a game, to play by.

    It holds nothing of the game: what is done in cells, on pages and in other panels is seen in it at once, and
    what is done in it is done in the game. It stands alone, or in a ``VBox`` or a ``Tab`` of one's own.

    A panel with everything that a cell displays by itself has a second output below it, plain and folded, with law,
    boards and tally: it follows the game, so that a saved notebook can be read without a kernel.

    Parameters
    ----------
    game : BaseGame
        The game; several panels may show the same one.
    seat : str, optional
        Only what this player decides; where it is not given, all players sit before the same panel.
    parts : sequence of str
        ``all``, or some of ``vote``, ``proposal`` and ``boards``.

    Attributes
    ----------
    step : int
        The number of the last event that is shown; can be observed.
    decision : str
        What is to be decided here first, such as ``vote:301:Ann``; empty for nothing.
    selected : str
        The square that is chosen on the boards, such as ``white.e2``; empty for none.

    Raises
    ------
    ValueError
        Nobody of this name plays.

    Examples
    --------
    >>> from nomic_nb.notebook.opening_games import new_game
    >>> panel = Panel(new_game("discordian-nomic", ["Ann", "Ben"], seed=7))
    >>> panel
    Panel of Discordian Nomic, turn 1
    Ann – propose a rule-change (rule 202)  → propose
    >>> panel.close()
    """

    _esm = bundled_modules()
    _css = front_end_source("style.css")
    #: What it is, and nothing of a game: a saved notebook holds none.
    parts = traitlets.List(traitlets.Unicode(), ["all"]).tag(sync=True)
    step = traitlets.Int(0, read_only=True)
    decision = traitlets.Unicode("", read_only=True)
    selected = traitlets.Unicode("", read_only=True)
    viewer: PanelViewer | None = None
    _afterwards: tuple[StaticCopy, ...] = ()

    def __init__(self, game: BaseGame, seat: str | None = None, parts: Sequence[str] = ("all",)) -> None:
        if seat is not None and seat not in game.players:
            raise WrongValue(not_a_player_message(seat, game.players))
        super().__init__(parts=list(parts))
        self.game, self.seat = game, seat
        self.hub = hub_of_game(game)
        role = "table" if seat is None else "player"
        self.viewer = self.hub.add_viewer(
            PanelViewer(self._send_text, f"panel {self.model_id}", seat, role, told=self._set_state_traits)
        )
        self.on_msg(self._on_message)
        self._handles: list[Any] = []
        _register_panel_of_cell(self)

    def _send_text(self, text: str) -> None:
        self.send({"text": text})

    def _on_message(self, _: Any, content: Any, __: Any) -> None:
        chosen = content.get("selected") if isinstance(content, dict) else None
        if isinstance(chosen, str):
            self.set_trait("selected", chosen[:LONGEST_CHOSEN])
        elif self.viewer is not None:
            self.hub.receive(self.viewer, content.get("text") if isinstance(content, dict) else None)

    def _set_state_traits(self, step: int, decision: str) -> None:
        """Set the traits `step` and `decision` of the widget."""
        self.set_trait("step", step)
        self.set_trait("decision", decision)

    # ---------------------------------------------------------------------------------- displaying

    def _ipython_display_(self) -> None:
        data, metadata = self._repr_mimebundle_()
        alone = list(self.parts) == ["all"]
        if alone:
            del data["text/html"]  # it would grow old above the output that follows the game
        handle = display(data, metadata=metadata, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        if handle is not None:
            self._handles.append(handle)
            if alone:
                self._afterwards += (StaticCopy(self.game),)

    def _repr_mimebundle_(self, **given: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the widget, and static HTML of the game for where widgets do not work."""
        data, metadata = super()._repr_mimebundle_(**given) or ({}, {})
        return {**data, "text/plain": str(self), "text/html": self.game._repr_html_()}, metadata

    def freeze(self) -> BaseGame:
        """Replace the widget with static HTML that a saved notebook keeps; return the game."""
        for handle in self._handles:
            handle.update(self.game)
        self._handles.clear()
        for shown in self._afterwards:
            shown.refresh()
        self.close()
        return self.game

    def close(self) -> None:
        """Close the panel; the game goes on without it."""
        if self.viewer is not None:
            self.hub.remove_viewer(self.viewer)
        for shown in self._afterwards:
            shown.stop_following()
        self._afterwards = ()
        super().close()

    def __str__(self) -> str:
        game = self.game
        whose = f" for {self.seat}" if self.seat else ""
        lines = [f"Panel of {game.ruleset.title}{whose}, " + (game.result or f"turn {game.turn}")]
        lines += str(game.pending).splitlines() if not game.over else []
        return "\n".join(lines)

    __repr__ = __str__


#: The cell that made a panel, and which run of cells it was.
_PANELS_BY_CELL: weakref.WeakKeyDictionary[Panel, tuple[str, int]] = weakref.WeakKeyDictionary()


def _register_panel_of_cell(panel: Panel) -> None:
    """Note the cell that made a panel; close the panels that its earlier runs made."""
    cell = CELL_WATCH.running_cell
    if cell is None:
        return
    for other, (where, run) in tuple(_PANELS_BY_CELL.items()):
        if where == cell and run != CELL_WATCH.runs:
            other.close()
    _PANELS_BY_CELL[panel] = cell, CELL_WATCH.runs
