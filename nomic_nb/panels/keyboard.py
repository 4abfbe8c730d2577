"""What a panel is in a browser beyond its widgets: keys stay in it, the focus is kept, what it says is announced."""

from __future__ import annotations

from importlib.resources import files

import anywidget
import ipywidgets as w

#: Classes by which the script finds the panel, its decisions, its status, and all that is to be announced.
PANEL, DECISIONS, STATUS, SAYS = "nnb-panel", "nnb-decisions", "nnb-status", "nnb-says"


class Keyboard(anywidget.AnyWidget):
    """Looks after the panel in which it stands; it is not seen.

    A browser that lacks its script shows the panel all the same, without these.
    """

    _esm = files("nomic_nb.panels").joinpath("keyboard.js").read_text(encoding="utf-8")

    def __init__(self) -> None:
        super().__init__(layout=w.Layout(display="none"))
