"""A form that begins a game, or takes one back, without a line of Python."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as w

from nomic_nb.begin import load, new_game
from nomic_nb.begin import open as opened
from nomic_nb.errors import IllegalAction, RecordError
from nomic_nb.game import Game
from nomic_nb.panels.hosting import forgets
from nomic_nb.play.lines import LARGEST_FILE
from nomic_nb.play.vocabulary import language
from nomic_nb.rulesets.literate import find_ruleset, known
from nomic_nb.rulesets.ruleset import RuleSet
from nomic_nb.shown import INERT
from nomic_nb.store.lines import store_at

#: Who throws the dice, as it is said to people.
DICE = (
    ("as the rule set has it", None),
    ("the game throws", "seeded"),
    ("you throw, and enter what the dice show", "table"),
    ("either", "either"),
    ("all seal a value, so that none need trust another", "committed"),
)
#: How a file begins that is a store.
STORE = b"SQLite format 3\0"
_WIDE, _LABEL = w.Layout(width="min(100%, 560px)"), {"description_width": "130px"}


def start() -> Start:
    """Return a form that begins a game without Python: rule set, names, points, dice, file.

    A saved record, or a file with games, is taken back by it as well. Once there is a game, its panel stands in the
    place of the form, and ``.game`` is the game.

    Returns
    -------
    Start
        A box of widgets.

    Examples
    --------
    >>> form = start()
    >>> form.names.value = "Ann, Ben"
    >>> form.begin.click()
    >>> form.game.players
    ('Ann', 'Ben')
    """
    return Start()


class Start(w.VBox):  # type: ignore[misc]
    """A form that begins a game; see `start`.

    Attributes
    ----------
    game : Game or None
        The game, once it has begun.
    """

    def __init__(self) -> None:
        self.game: Game | None = None
        self._sets = [one for name in known() if (one := find_ruleset(name, language())).alone]
        first = next((one.name for one in self._sets if one.name == "discordian-nomic"), self._sets[0].name)
        options = [(one.title, one.name) for one in self._sets]
        self.ruleset = w.Dropdown(options=options, value=first, description="Rule set", style=_LABEL, layout=_WIDE)
        self.about = w.HTML(layout=_WIDE)
        self.names = w.Textarea("Ann\nBen\nCleo", description="Players", rows=4, style=_LABEL, layout=_WIDE)
        self.points = w.Text("", description="Points that win", placeholder="as the rule set has it", style=_LABEL)
        self.dice = w.Dropdown(options=DICE, description="Dice", style=_LABEL, layout=_WIDE)
        kept = "such as class.sqlite; empty: in this session only"
        self.file = w.Text("", description="Kept in the file", placeholder=kept, style=_LABEL, layout=_WIDE)
        self.begin = w.Button(description="Begin the game", button_style="primary")
        self.upload = w.FileUpload(accept=".jsonl,.sqlite", description="Go on with a saved game", layout=_WIDE)
        self.choice = w.Dropdown(description="Which game", style=_LABEL, layout=_WIDE)
        self.go_on = w.Button(description="Go on with this one")
        self.found = w.VBox([self.choice, self.go_on])
        self.said = w.HTML()
        self.found.layout.display = "none"
        super().__init__(self._form())
        self.begin.on_click(lambda _: self._try(self._begun))
        self.go_on.on_click(lambda _: self._try(lambda: opened(*self.choice.value)))
        self.upload.observe(lambda _: self._try(self._uploaded), "value")
        self.ruleset.observe(lambda _: self._describe(), "value")
        self._describe()

    def _form(self) -> list[Any]:
        told = w.HTML("<strong>Begin a game</strong>" + (f"<p>{escape(forgets())}</p>" if forgets() else ""))
        hint = w.HTML("one name a line", layout=w.Layout(margin="0 0 0 136px"))
        fields = [self.ruleset, self.about, self.names, hint, self.points, self.dice, self.file, self.begin]
        return [told, *fields, w.HTML("<strong>Or go on with one</strong>"), self.upload, self.found, self.said]

    @property
    def _chosen(self) -> RuleSet:
        return next(one for one in self._sets if one.name == self.ruleset.value)

    def _describe(self) -> None:
        """Say in a few sentences what the rule set is, and ask only for what it has."""
        one = self._chosen
        lead = " ".join(one.introduction.strip().split("\n\n")[0].split())
        self.about.value = f'<div class="{INERT}"><p>{escape(lead)}</p><p>Players: {escape(one.players)}.</p></div>'
        self.points.layout.display = "" if one.fixes("win.points") else "none"

    def _try(self, act: Callable[[], Game | None]) -> None:
        """Do it, and say what stood in the way, where something did: nobody sees what a callback raises."""
        self.said.value = ""
        try:
            game = act()
        except (ValueError, LookupError, OSError, IllegalAction) as error:
            self.said.value = f'<p class="{INERT}" role="alert">{escape(str(error))}</p>'
            return
        if game is not None:
            self.game = game
            self.children = [w.HTML(f"<p>{escape(_kept(game))}</p>"), game.panel()]

    def _begun(self) -> Game:
        players = [name.strip() for name in self.names.value.replace(",", "\n").splitlines() if name.strip()]
        agreed: dict[str, object] = {}
        if self.points.value.strip() and self._chosen.fixes("win.points"):
            agreed["win.points"] = _number(self.points.value)
        file = self.file.value.strip() or None
        return new_game(self.ruleset.value, players, terms=agreed, dice=self.dice.value, file=file)

    def _uploaded(self) -> Game | None:
        """Take a record or a store back; of several games in a store, ask which."""
        if not self.upload.value:
            return None
        sent = self.upload.value[0]
        name, content = Path(str(sent["name"])).name, bytes(sent["content"])
        self.upload.value = ()
        if not content.startswith(STORE):
            return _loaded(content)
        path = Path(name)
        if path.exists():
            raise RecordError(f"there is a file {name} here already, and it stays: give yours another name first")
        path.write_bytes(content)
        path.chmod(0o600)  # sealed ballots are in it
        try:
            games = store_at(path).games()
        except RecordError:
            path.unlink()
            raise
        if len(games) == 1:
            return opened(path, games[0])
        self.choice.options = [(one, (path, one)) for one in games]
        self.found.layout.display = ""
        return None


def _loaded(content: bytes) -> Game:
    """Load a record that came from a browser."""
    if len(content) > LARGEST_FILE:
        raise RecordError(f"a record has at most {LARGEST_FILE} bytes; this file has {len(content)}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.jsonl"
        path.write_bytes(content)
        return load(path)


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"points are a whole number; found {text!r}") from None


def _kept(game: Game) -> str:
    """Say where a game is kept, and what to do that it is not lost."""
    where = game.kept or "in this session only: Host, in the panel, saves its record as a file"
    return f"{game.ruleset.title}, {where}."
