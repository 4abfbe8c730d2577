"""Widgets as all forms of a panel make them: each with a description, wide enough to read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import ipywidgets as w

from nomic_nb.panels.keyboard import SAYS

#: How wide descriptions are, so that fields stand in a column.
DESCRIBED = {"description_width": "8.5em"}


def line(description: str, about: str = "", value: str = "") -> w.Text:
    """Return a field for a line of text; it is sent when left, not with every letter.

    Parameters
    ----------
    description, about : str
        Its name, and what belongs into it.
    value : str
        What stands in it.
    """
    return w.Text(
        value=value, description=description, placeholder=about, tooltip=about or description, style=DESCRIBED,
        layout=w.Layout(width="99%"), continuous_update=False,
    )  # fmt: skip


def lines(description: str, about: str = "", rows: int = 4) -> w.Textarea:
    """Return a field for some lines of text; it is sent when left, not with every letter."""
    return w.Textarea(
        description=description, placeholder=about, tooltip=about or description, style=DESCRIBED, rows=rows,
        layout=w.Layout(width="99%"), continuous_update=False,
    )  # fmt: skip


def number(description: str, about: str, value: int = 0) -> w.IntText:
    """Return a field for a whole number."""
    return w.IntText(
        value=value, description=description, tooltip=about, style=DESCRIBED, layout=w.Layout(width="16em"),
        continuous_update=False,
    )  # fmt: skip


def choice(description: str, options: Sequence[tuple[str, Any]], about: str = "") -> w.Dropdown:
    """Return a drop-down list; `options` are labels and what they stand for."""
    return w.Dropdown(
        options=list(options), description=description, tooltip=about or description, style=DESCRIBED,
        layout=w.Layout(width="99%"),
    )  # fmt: skip


def tick(description: str, about: str = "") -> w.Checkbox:
    """Return a box to tick."""
    return w.Checkbox(
        value=False, description=description, tooltip=about or description, indent=False,
        layout=w.Layout(width="auto", margin="0 0 0 8.9em"),
    )  # fmt: skip


def button(description: str, about: str, do: Callable[[Any], None], kind: str = "") -> w.Button:
    """Return a button; `kind` is one of ipywidgets' styles."""
    made = w.Button(
        description=description,
        tooltip=about,
        button_style=kind,
        layout=w.Layout(width="auto", min_width="7em", align_self="flex-start"),
    )
    made.on_click(do)
    return made


def html(value: str = "") -> w.HTML:
    """Return a place for HTML."""
    return w.HTML(value=value, layout=w.Layout(width="99%"))


def says() -> w.HTML:
    """Return a place for HTML that screen readers announce when it changes."""
    made = html()
    made.add_class(SAYS)
    return made


def note() -> w.HTML:
    """Return a place for what is wrong with a field, right below it."""
    made = says()
    made.layout.width, made.layout.margin = "auto", "0 0 0 8.9em"
    return made


def row(*children: w.Widget) -> w.HBox:
    """Return widgets side by side, below each other where there is no room."""
    return w.HBox(children, layout=w.Layout(flex_flow="row wrap"))


def column(*children: w.Widget) -> w.VBox:
    """Return widgets below each other."""
    return w.VBox(children)


def show(widget: w.Widget, shown: bool) -> None:
    """Show a widget, or hide it from eyes, keyboard and screen readers alike."""
    widget.layout.display = None if shown else "none"


def put(widget: w.Widget, value: str) -> None:
    """Give a widget a value, where it is another one: what does not change is not sent."""
    if widget.value != value:
        widget.value = value


def hold(box: w.Box, children: Iterable[w.Widget]) -> None:
    """Put widgets into a box, where they are others."""
    wanted = tuple(children)
    if box.children != wanted:
        box.children = wanted


def offer(drop_down: w.Dropdown, options: Sequence[tuple[str, Any]]) -> None:
    """Offer other options, and keep what is chosen where it is still there; otherwise the first is."""
    wanted = tuple(options)
    if tuple(drop_down.options) == wanted:
        return
    chosen = drop_down.value
    drop_down.options = wanted
    if any(value == chosen for _, value in wanted):
        drop_down.value = chosen
    elif wanted and drop_down.index is None:
        drop_down.index = 0


def close(widget: w.Widget) -> None:
    """Close a widget and all that is in it."""
    for child in getattr(widget, "children", ()):
        close(child)
    layout, style = widget.layout, getattr(widget, "style", None)
    widget.close()
    layout.close()
    if style is not None:
        style.close()
