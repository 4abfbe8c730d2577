"""The front end in a notebook: one widget for the whole table, for a seat, or for the vote alone.

A saved notebook keeps nothing of a widget. So a panel that a cell displays has a second output, plain HTML, that
follows the game; saving the notebook keeps it as it is now. While the panel lives, its style sheet hides the output.
"""

from __future__ import annotations

import re
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import anywidget
import traitlets
from IPython import get_ipython
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.display import display

from nomic_nb.engine.errors import WrongValue
from nomic_nb.engine.play.permissions import not_a_player_message
from nomic_nb.engine.threads import Lock, start_timer
from nomic_nb.engine.words import full_sentence
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.live.machines import marking_machines
from nomic_nb.notebook.markup.tree import Child, build_element, folded_section, item_list
from nomic_nb.notebook.markup.writer import PlainTextWriter
from nomic_nb.notebook.panels.history_view import last_unsealed_event
from nomic_nb.notebook.panels.session import PanelViewer, call_on_change, compact_json, hub_of_game
from nomic_nb.notebook.show import enclose
from nomic_nb.notebook.show.game import draw_boards, draw_open_votes, draw_standings
from nomic_nb.notebook.show.law import draw_law_book
from nomic_nb.notebook.show.proposals import draw_judgments, draw_proposals
from nomic_nb.notebook.show.style import shorten_css, style_rules

# ----------------------------------------------------------------- what is read of a panel when its kernel is gone


#: Seconds between two updates at least, and from the first act after a rest to its update.
APART, SOON = 2.0, 0.3


class OutputHandle(Protocol):
    """An output that can be put in another's place."""

    def update(self, obj: object, **options: Any) -> None:
        """Display another object instead of what the output shows."""


class StaticCopy:
    """What a panel shows of a game, in an output of its own that follows the game.

    Parameters
    ----------
    game : BaseGame
        The game.
    parts : sequence of str
        The parts of the panel.
    """

    def __init__(self, game: BaseGame, parts: Sequence[str] = ("all",)) -> None:
        self.game, self.parts = game, tuple(parts)
        self._due, self._ended, self._last = False, False, time.monotonic()
        self._flag = Lock()
        self._data = static_page_data(game, self.parts)
        self._handle: OutputHandle | None = display(self._data, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        self._ear = call_on_change(game.timeline, self.schedule_refresh)

    def schedule_refresh(self) -> None:
        """Schedule a refresh of the copy, because the game has changed; do nothing if one is due already."""
        with self._flag:
            if self._due or self._ended:
                return
            self._due = True
        start_timer(self._refresh_or_reschedule, max(SOON, self._last + APART - time.monotonic()))

    def _refresh_or_reschedule(self) -> None:
        """Refresh the copy; try again later while the game is rewound or the output would be captured."""
        with self._flag:
            self._due = False
        if (
            CELL_WATCH.is_rewound(self.game.timeline) or _is_output_captured()
        ):  # the game is not as it is now, or nothing would be seen
            self.schedule_refresh()
        else:
            self.refresh()

    def refresh(self) -> None:
        """Show the game as it is now, if that differs from what is shown."""
        data = static_page_data(self.game, self.parts)
        with self._flag:
            self._last = time.monotonic()
            if self._ended or self._handle is None or data == self._data:
                return
            self._data = data
            self._handle.update(data, raw=True)

    def follow(self, game: BaseGame) -> None:
        """Show another game from now on, unless it is the one that is shown."""
        if game.timeline is not self.game.timeline:
            self._remove_listener()
            self.game = game
            self._ear = call_on_change(game.timeline, self.schedule_refresh)
            self.schedule_refresh()

    def stop_following(self) -> None:
        """Stop following the game; what is shown stays."""
        with self._flag:
            self._ended = True
        self._remove_listener()

    def _remove_listener(self) -> None:
        """Hear no more of changes of the game."""
        listeners = self.game.timeline.listeners
        if self._ear in listeners:
            listeners.remove(self._ear)


def _is_output_captured() -> bool:
    """Tell whether a cell captures the output, as ``%%capture`` does, so it is not displayed."""
    return isinstance(getattr(get_ipython(), "display_pub", None), CapturingDisplayPublisher)


#: The view of a part of a panel; for other parts, the score.
STATIC_PARTS: Mapping[str, Callable[[BaseGame], Child]] = {
    "vote": lambda game: draw_open_votes(game, remarked=False) or build_element("p", "No vote is open."),
    "proposal": lambda game: draw_proposals(game.proposals),
    "boards": draw_boards,
    "law": lambda game: draw_law_book(game.rules),
    "judge": lambda game: draw_judgments(game.judgments),
    "past": lambda game: item_list(map(full_sentence, game.latest()), "latest"),
    "history": lambda game: item_list(map(full_sentence, game.latest(MOST_LATEST)), "latest"),
    "score": lambda game: draw_standings(game, "Players"),
}
WHOLE_GAME = ("score", "boards", "vote", "law")
#: Events of the history that are shown.
MOST_LATEST = 40


def static_page_data(game: BaseGame, parts: Sequence[str] = ("all",)) -> dict[str, str]:
    """Return what the parts of a panel show of a game as HTML and plain text, by MIME type.

    What sealed ballots brought about is not in it. It is drawn of a game that stands still, without its lock:
    whoever acts does not wait.

    Examples
    --------
    >>> from nomic_nb.notebook.opening_games import new_game
    >>> made = static_page_data(new_game("discordian-nomic", ["Ann", "Ben"], seed=7))
    >>> sorted(made), "Everyone keeps the rules" in made["text/html"]
    (['text/html', 'text/plain'], True)
    """
    timeline = game.timeline
    with timeline.lock:
        last = len(timeline.moments)
        past = game.at(last_unsealed_event(timeline, last)) if last else game
    sentence = past.result if past.over else f"turn {past.turn}"
    shown = WHOLE_GAME if "all" in parts else [part for part in parts if part in STATIC_PARTS] or ("score",)
    with marking_machines(timeline):
        element = folded_section(
            f"Read without a kernel: {past.ruleset.title}, {sentence}",
            build_element(
                "p",
                past.result or (f"It’s {past.player}’s turn." if past.player else "It isn’t any one player’s turn."),
            ),
            *(STATIC_PARTS[part](past) for part in shown),
            cls="copy",
            is_open=True,
        )
    return {"text/html": enclose(element), "text/plain": PlainTextWriter().write(element)}


# ------------------------------------------------------------------------------------- the front end in a notebook


# --------------------------------------------------------------------------------------------------- the front end


_BUILT_WIDGETS = Path(__file__).parents[2] / "_widgets"
#: Where they are: in the package, or beside it in a clone.
WIDGETS = _BUILT_WIDGETS if _BUILT_WIDGETS.is_dir() else Path(__file__).parents[3] / "widgets"
#: In the order in which they need each other. Names at their top level must differ; a test sees to it.
MODULES = (
    "core", "board", "boards", "movement", "vote", "propose", "together", "complete", "change", "forms", "moments",
    "panel", "freely", "law",
)  # fmt: skip
#: The scripts that a front end loads, each as one file, by the modules in it.
BUNDLES = {
    "seat": MODULES,
    "desk": (*MODULES, "shared", "history", "host", "machines", "cells", "ways"),
    "door": ("core", "line", "door"),
    "lobby": ("core", "line", "door", "lobby"),
    "notebook": (
        *MODULES, "shared", "ending", "notebook", "history", "host", "judge", "machines", "cells", "selection",
    ),
    "table": (*MODULES, "shared", "ending", "history", "host", "judge", "machines"),
    "position": ("core", "board", "boards", "ending", "notebook", "position"),
}  # fmt: skip
#: The names that the script of a page passes to aside.js.
_FOR_ASIDE = "render, more, changeField, aria, entered, fill, flag, fold, h, keeper, renew, say, set, tell, unhide"
#: Exports of a bundle besides the panel.
EXPORTS = {
    "seat": _FOR_ASIDE, "desk": _FOR_ASIDE, "door": "door, elsewhere, over", "lobby": "host, wall",
    "table": "aria, endingPanel, fill, h, labelled, offer, on, option, render, say, set, ticked, tickBox, unhide, "
             "wider",
}  # fmt: skip
#: The style sheets, in the order in which they apply.
STYLES = ("tokens.css", "style.css", "boards.css", "propose.css")
#: What follows the class in a rule that can be nested: the rest of its selector, without commas, and its declarations.
_NESTED_RULE = r"([^\w{},(-](?:[^{},(]|\([^()]*(?:\([^()]*\)[^()]*)*\))*)\{([^{}]*)\}"


def _nest_rules(text: str) -> str:
    """Return a style sheet in which rules that begin with the same class are nested in one where that is shorter.

    Examples
    --------
    >>> _nest_rules("p{margin:0}.nnb-a{color:red}.nnb-a .nnb-b{margin:0}.nnb-a:hover{color:blue}")
    'p{margin:0}.nnb-a{color:red;.nnb-b{margin:0}&:hover{color:blue}}'
    """

    def nest(rules: re.Match[str]) -> str:
        found = re.findall(re.escape(rules[1]) + _NESTED_RULE, rules[0])
        nested = "".join(f"&{rest}{{{does}}}" for rest, does in found)
        return f"{rules[1]}{{{rules[2][1:-1]};{nested}}}" if rules[2] else f"{rules[1]}{{{nested}}}"

    more = rf"(?:\1{_NESTED_RULE})"
    text = re.sub(rf"(?<=\}})(\.nnb-[\w-]+)(?:(\{{[^{{}}]*\}}){more}+|{_NESTED_RULE}{more}+)", nest, text)
    return re.sub(r'="([a-z]+)"\]', r"=\1]", re.sub(r"(?<=[{};,])&( (?=[.:[*])|(?=>))", "", text))


@cache
def front_end_source(name: str) -> str:
    """Return the text of the front-end file of this name, as it is sent: without comments and needless spaces."""
    if name == "tokens.css":  # which outputs and pages have as well
        return style_rules(name=name)
    text = (WIDGETS / name).read_text(encoding="utf-8")
    if not name.endswith(".js"):
        return _nest_rules(shorten_css(text)) if name.endswith(".css") else text
    text = re.sub(r" // [^\"'`\n]*$", "", text, flags=re.MULTILINE)  # a text cannot end in one: it would end in a quote
    text = re.sub(r"^\s*((//.*|/\*.*\*/)?\n)?", "", text, flags=re.MULTILINE)
    # In a line without quotes or slashes, spaces beside these signs can go.
    return re.sub(
        r"^[^\"'`/\n]+$", lambda line: re.sub(r" ?([=<>?:,{}()&|]+) ?", r"\1", line[0]), text, flags=re.MULTILINE
    )


@cache
def bundled_modules(bundle: str) -> str:
    """Return the JavaScript modules of a bundle as the text of one module, which notebooks and pages can load."""
    text = "".join(front_end_source(f"{name}.js") for name in BUNDLES[bundle])
    text = re.sub(r'^import\b[^;(]+ from "\./[a-z]+\.js";\n|^export default\b.*\n', "", text, flags=re.MULTILINE)
    return re.sub(r"^export (?=(const|let|function|class|async) )", "", text, flags=re.MULTILINE) + (
        f"export default {{ {EXPORTS.get(bundle, 'render')} }};\n"
    )


# ------------------------------------------------------------------------------------- the front end in a notebook


#: The items that can be selected in each part.
SELECTED = {
    "proposal": "proposals, by number",
    "vote": "players and ballots",
    "": "squares and boards, if the game has any",
}
#: Letters of a wrong name that are shown, and of a message that opens a view.
LONGEST_SHOWN, LONGEST_OPENING = 40, 20


class Panel(anywidget.AnyWidget):
    """A live view of a game that you can play in.

    The panel stores nothing itself. Actions in cells, on pages and in other panels appear in it at once, and actions in
    it happen in the game. It can be shown by itself, or inside your own ``VBox`` or ``Tab``.

    If a cell displays a panel by itself, it has a second output with what the panel shows, as plain HTML. This follows
    the game and appears once the panel is gone, so a saved notebook can be read without a kernel.

    Parameters
    ----------
    game : BaseGame
        The game; several panels can show the same one.
    seat : str, optional
        Player whose decisions are shown; default all players, who share the panel.
    parts : sequence of str
        ``all``, or some of ``vote``, ``proposal``, ``boards`` and ``selection``.

    Attributes
    ----------
    step : int
        Number of the last event shown; can be observed.
    decision : str
        First decision to make here, such as ``vote:301:Ann``; empty if none exists.
    selected : str
        The selected item, empty for nothing; can be observed and set. In a proposal panel it is the number of a
        proposal, in a tally panel a player or a ballot, and on boards a square or a board, such as ``white.e2``.

    Raises
    ------
    ValueError
        There is no player with this name.

    Examples
    --------
    >>> from nomic_nb.notebook.opening_games import new_game
    >>> panel = Panel(new_game("discordian-nomic", ["Ann", "Ben"], seed=7))
    >>> panel
    Panel of Discordian Nomic, turn 1
    Ann – propose a rule change (rule 202)  → propose
    >>> panel.close()
    """

    _esm = bundled_modules("notebook")
    _css = "\n".join(map(front_end_source, STYLES))
    #: The kind of panel, without anything of the game, which a saved notebook does not hold.
    parts = traitlets.List(traitlets.Unicode(), ["all"]).tag(sync=True)
    step = traitlets.Int(0, read_only=True)
    decision = traitlets.Unicode("", read_only=True)
    selected = traitlets.Unicode("")
    viewer: PanelViewer | None = None
    _afterwards: tuple[StaticCopy, ...] = ()
    #: The item that the front end shows as selected.
    _shown = ""

    def __init__(self, game: BaseGame, seat: str | None = None, parts: Sequence[str] = ("all",)) -> None:
        if seat is not None and seat not in game.players:
            raise WrongValue(not_a_player_message(seat, game.players))
        super().__init__(parts=list(parts))
        self.seat, self.hub = seat, hub_of_game(game)
        role = "table" if seat is None else "player"
        self.viewer = self.hub.add_viewer(
            PanelViewer(self._send_text, f"panel {self.model_id}", seat, role, told=self._set_state_traits)
        )
        self.on_msg(self._on_message)
        self._handles: list[Any] = []
        _register_panel_of_cell(self)

    @property
    def game(self) -> BaseGame:
        """The game that is shown: the one it was made with, or one begun here with the same names."""
        return self.hub.game

    def _send_text(self, text: str) -> None:
        """Send a text to the widget's front end."""
        self.send({"text": text})

    def _on_message(self, _: Any, content: Any, __: Any) -> None:
        """Handle a message from the front end: note the square chosen, or pass the message to the hub."""
        chosen = content.get("selected") if isinstance(content, dict) else None
        if isinstance(chosen, str):
            if self._can_select(chosen):
                self._shown = chosen
                self.selected = chosen
        elif self.viewer is not None:
            text = content.get("text") if isinstance(content, dict) else None
            self.hub.receive(self.viewer, text)
            if self.selected and isinstance(text, str) and '"open"' in text[:LONGEST_OPENING]:
                self._send_text(compact_json({"selected": self.selected}))

    def _can_select(self, name: str) -> bool:
        """Tell whether a name is one of what this panel shows: a proposal, a player, a ballot, a board or a square."""
        state, parts = self.game.timeline.state, self.parts
        if not name:
            return True
        if "proposal" in parts:
            return name in map(str, state.proposals)
        if "vote" in parts:
            cast = (word for one in state.proposals.values() if one.vote for word in one.vote.choices)
            return name in state.players or name in cast
        if state.position is None or not {"boards", "all"} & set(parts):
            return False
        board, dot, _ = name.rpartition(".")
        if name in state.position.boards or name.startswith("hand "):
            return True
        return (
            dot != ""
            and board in state.position.boards
            and name in state.position.joined_square_names([board]).values()
        )

    @traitlets.validate("selected")
    def _check_selected(self, proposed: Any) -> str:
        """Return what shall be selected, if this panel shows it."""
        name = str(proposed["value"])
        if not self._can_select(name):
            raise WrongValue(
                "nothing-to-select",
                "this panel can’t select “{found}”. It selects {what}",
                found=name[:LONGEST_SHOWN],
                what=next(what for part, what in SELECTED.items() if part in (*self.parts, "")),
            )
        return name

    @traitlets.observe("selected")
    def _show_selected(self, change: Any) -> None:
        """Have the front end select what was selected in Python; what it selected itself, it shows already."""
        if change["new"] != self._shown:
            self._send_text(compact_json({"selected": change["new"]}))
        self._shown = change["new"]

    def _set_state_traits(self, step: int, decision: str) -> None:
        """Set the traits `step` (last event's number) and `decision` (id of the first to be made in this panel)."""
        self.set_trait("step", step)
        self.set_trait("decision", decision)
        for shown in self._afterwards:
            shown.follow(self.game)

    # ---------------------------------------------------------------------------------- displaying

    def _ipython_display_(self) -> None:
        """Display the widget, and below it a static copy that follows the game."""
        data, metadata = self._repr_mimebundle_()
        del data["text/html"]  # it would grow old above the output that follows the game
        handle = display(data, metadata=metadata, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        if handle is not None:
            self._handles.append(handle)
            self._afterwards += (StaticCopy(self.game, self.parts),)

    def _repr_mimebundle_(self, **given: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the widget, and HTML for where widgets do not work, by MIME type; and the metadata."""
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
        """Close the panel; the game continues without it."""
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
    """Note the running cell as the maker of a panel; close the panels made by its earlier runs."""
    cell = CELL_WATCH.running_cell
    if cell is None:
        return
    for other, (where, run) in tuple(_PANELS_BY_CELL.items()):
        if where == cell and run != CELL_WATCH.runs:
            other.close()
    _PANELS_BY_CELL[panel] = cell, CELL_WATCH.runs
