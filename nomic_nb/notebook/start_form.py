"""A form that begins a game, or takes one back, without a line of Python; and what it begins."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets as w

from nomic_nb.engine.display import INERT_CLASSES
from nomic_nb.engine.errors import IllegalAction, RecordError
from nomic_nb.engine.play.record_limits import LARGEST_FILE
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.record.log import too_large_message
from nomic_nb.engine.rulesets.literate import RuleSet, find_ruleset, known_rulesets
from nomic_nb.engine.threads import in_browser
from nomic_nb.notebook.classroom import missing_package_error
from nomic_nb.notebook.game import Game
from nomic_nb.notebook.live.cells import acting_as
from nomic_nb.notebook.opening_games import load, new_game
from nomic_nb.notebook.opening_games import open as opened
from nomic_nb.notebook.panels.queries import forgetting_notice
from nomic_nb.notebook.show.style import style_rules, token_rules
from nomic_nb.notebook.store.database_file import APPLICATION
from nomic_nb.notebook.store.game_store import games_frame
from nomic_nb.notebook.store.journal import open_store
from nomic_nb.notebook.table_settings import JOINT_CHOICES, agreed_terms, choices_of_ruleset
from nomic_nb.study.players.kit import KINDS

if TYPE_CHECKING:
    from nomic_nb.notebook.classroom.serve import ServedLesson, ServedTables
    from nomic_nb.notebook.panels.widget import Panel


#: Who rolls the dice, as it is said to people.
DICE_CHOICES = (
    ("as in the rule set", None),
    ("the game rolls", "seeded"),
    ("you roll, and enter the result", "table"),
    ("either", "either"),
    ("everyone seals a value, so nobody has to trust another", "committed"),
)
AWAY_LABEL = "players marked away have no vote and get no new turn"
#: How a file begins that is a store.
STORE_SIGNATURE = b"SQLite format 3\0"
#: Bytes of its head, and where they tell that it is one of this kit.
HEAD, OURS = 100, slice(68, 72)
#: The lesson that is served in this session, if there is one.
_LESSONS: list[ServedLesson] = []
#: Games of this session that are in no file: a form that is shown again finds them again.
_GAMES_BEGUN: list[Game] = []
#: Letters of the names of players in a line.
MOST_GAMES_SHOWN = 60
#: Who can play for a name, beside the kit's own players.
HERE, ON_A_PAGE = ("a person here", ""), ("a person on their own page", "page")
#: Whom the kit plays if only one name is given, as far as that is not one of them.
COMPANIONS, MOST_COMPANIONS = ("Ben", "Cleo", "Dora"), 2
#: Names for which it can be chosen in the form who plays.
MOST_SEATS = 12
#: The layout of a field over the whole width of the form.
_WIDE = {"layout": w.Layout(width="min(100%, 38rem)")}


def start() -> StartForm:
    """Return a form (a box of widgets) for starting a game, or continuing a saved one, without writing Python.

    It can continue games from files next to the notebook, games of this session, and games from an uploaded record or
    file. Once there is a game, its panel replaces the form, along with a way to open a page for every seat, and
    ``.game`` is the game.

    Returns
    -------
    StartForm
        A box of widgets.

    Examples
    --------
    >>> form = start()
    >>> form.names.value = "Ann, Ben"
    >>> form.begin.click()
    >>> form.game.players
    ('Ann', 'Ben')
    """
    return StartForm()


class StartForm(w.VBox):  # type: ignore[misc]
    """A form for starting a game; see `start`.

    Attributes
    ----------
    game : Game or None
        The game, once it has begun.
    """

    def __init__(self) -> None:
        self._table: TableForm | None = None
        self._sets = [ruleset for name in known_rulesets() if (ruleset := find_ruleset(name, language())).alone]
        first = next(
            (rule_set.name for rule_set in self._sets if rule_set.name == "discordian-nomic"), self._sets[0].name
        )
        options = [(rule_set.title, rule_set.name) for rule_set in self._sets]
        self.ruleset = w.Dropdown(options=options, value=first, description="Rule set", **_WIDE)
        self.about = w.HTML(**_WIDE)
        self.names = w.Textarea("Ann\nBen\nCleo", description="Players", rows=4, **_WIDE)
        self.hint, self.seats = w.HTML(), w.VBox()
        self.points = w.Text("", description="Points to win")
        self.joint = w.Dropdown(options=JOINT_CHOICES, description="If several win", **_WIDE)
        self.away = w.Checkbox(description=AWAY_LABEL, indent=False)
        self.dice = w.Dropdown(options=DICE_CHOICES, description="Dice", **_WIDE)
        kept = "such as class.sqlite; empty: in this session only"
        self.file = w.Text("", description="Save to file", placeholder=kept, **_WIDE)
        self.begin = w.Button(description="Start the game", button_style="primary")
        self.phones = w.Button(description="Play with phones", tooltip="a class joins by one code")
        self.upload = w.FileUpload(accept=".jsonl,.sqlite", description="Upload a saved game", **_WIDE)
        self.choice = w.Dropdown(description="Which game", **_WIDE)
        self.go_on = w.Button(description="Continue this game")
        self.found = w.VBox([self.choice, self.go_on])
        self.said = w.HTML()
        self._offer_games([*_unsaved_games(), *_games_in_files()])
        self._sheet = _draw_style()
        super().__init__([*self._build_form(), self._sheet])
        self.add_class("nnb-start")
        self.begin.on_click(lambda _: self._run_and_show_errors(self._begin_game))
        self.phones.on_click(lambda _: self._run_and_show_errors(self._open_lesson))
        self.go_on.on_click(lambda _: self._run_and_show_errors(self.choice.value))
        self.upload.observe(lambda _: self._run_and_show_errors(self._open_upload), "value")
        for field in (self.ruleset, self.points):
            field.observe(lambda _: self._describe_ruleset(), "value")
        self.names.observe(lambda _: self._offer_seats(), "value")
        self._offer_seats()
        self._describe_ruleset()

    def _build_form(self) -> list[Any]:
        """Return the widgets of the form in order; saved games come first, if there are any."""
        told = [w.HTML(f"<p>{escape(forgetting_notice())}</p>")] if forgetting_notice() else []
        fields = [
            self.ruleset,
            self.about,
            self.names,
            self.hint,
            self.seats,
            self.away,
            self.points,
            self.joint,
            self.dice,
            self.file,
        ]
        fields.append(w.HBox([self.begin] if _note_without_pages() else [self.begin, self.phones]))
        back = [self.found, self.upload]
        if self.choice.options:  # whoever comes back finds first what they left
            return [*told, _draw_heading("Continue a game"), *back, self.said, _draw_heading("Or start one"), *fields]
        return [*told, _draw_heading("Start a game"), *fields, self.said, _draw_heading("Or continue one"), *back]

    def _offer_games(self, games: list[tuple[str, Callable[[], Game]]]) -> None:
        """List games to continue in the form, each as a label and a function that returns the game."""
        self.choice.options = games
        self.choice.index = 0 if games else None  # which a list does not choose by itself
        self.found.layout.display = "" if games else "none"

    @property
    def game(self) -> Game | None:
        """The game that the form has begun or opened; None before."""
        return None if self._table is None else self._table.game

    @property
    def _chosen_ruleset(self) -> RuleSet:
        """The rule set that is chosen in the form."""
        return next(ruleset for ruleset in self._sets if ruleset.name == self.ruleset.value)

    def _describe_ruleset(self) -> None:
        """Show what the chosen rule set is, and only the fields that it needs."""
        ruleset = self._chosen_ruleset
        lead = " ".join(ruleset.introduction.strip().split("\n\n")[0].split())
        choices = choices_of_ruleset(ruleset)
        points = choices["points"]
        agreed = self.points.value.strip() if points else ""
        sentence = (
            f"<p><strong>You agree on {escape(agreed)} points to win</strong>; the rules say {escape(points)}.</p>"
        )
        self.about.value = (
            f'<div class="{INERT_CLASSES}"><p>{escape(lead)}</p><p>Players: {escape(ruleset.players)}.</p>'
            f"{sentence if agreed and agreed != points else ''}</div>"
        )
        self.points.placeholder = f"{points}, as in the rule set" if points else ""
        self.points.layout.display = "" if points else "none"
        self.joint.layout.display = "" if choices["joint"] else "none"
        self.away.layout.display = "" if choices["away"] else "none"

    @property
    def _names_given(self) -> list[str]:
        """The names in the form."""
        return [name.strip() for name in self.names.value.replace(",", "\n").splitlines() if name.strip()]

    @property
    def _players(self) -> list[str]:
        """The names in the form; if it is only one, with those whom the kit plays."""
        names = self._names_given
        others = [name for name in COMPANIONS if names and name.casefold() != names[0].casefold()]
        return [*names, *others[:MOST_COMPANIONS]] if len(names) == 1 else names

    @property
    def _choices(self) -> dict[str, str]:
        """What plays for each name: a kind of the kit's, “page”, or an empty text for a person here."""
        return {field.description: field.value for field in self.seats.children}

    def _offer_seats(self) -> None:
        """Show for each name who plays: a person here, a person on a page, or the kit; keep what is chosen."""
        chosen, names = self._choices, self._names_given
        kit = [(f"the kit: {kind}", kind) for kind in KINDS]
        options = [HERE, *([] if _note_without_pages() else [ON_A_PAGE]), *kit]
        self.seats.children = [
            w.Dropdown(
                options=options,
                description=name,
                value=chosen.get(name) or ("" if name in names else kit[0][1]),
                **_WIDE,
            )
            for name in dict.fromkeys(self._players[:MOST_SEATS])
        ]
        for field in self.seats.children:
            field.observe(lambda _: self._say_who_plays(), "value")
        self._say_who_plays()

    def _say_who_plays(self) -> None:
        """Show below the names if the kit plays with one person, or everybody."""
        told, names, kinds = "One name per line.", self._names_given, self._choices
        if kinds and len(kinds) == len(self._players) and all(kind in KINDS for kind in kinds.values()):
            told += " The kit plays everybody, and you watch."
        elif len(names) == 1:
            told += f" The kit plays with {names[0]}."
        self.hint.value = f'<span class="{INERT_CLASSES}">{escape(told)}</span>'

    def _run_and_show_errors(self, act: Callable[[], Game | None]) -> None:
        """Run a button's function; show its error in the form, or the game that it returns in its place."""
        self.said.value = ""
        try:
            game = act()
        except (ValueError, LookupError, OSError, ImportError, IllegalAction) as error:
            self.said.value = f'<p class="{INERT_CLASSES}" role="alert">{escape(str(error))}</p>'
            return
        if game is not None:
            _remember_game(game)
            self._table = TableForm(game, with_pages="page" in self._choices.values() and act == self._begin_game)
            self.children = [self._table, self._sheet]

    def _begin_game(self) -> Game:
        """Return a new game with the rule set, players, terms, dice and file entered in the form."""
        choices = self._choices
        machines = {name: kind for name, kind in choices.items() if kind in KINDS}
        agreed = agreed_terms(
            self._chosen_ruleset, points=self.points.value, joint=self.joint.value, away=self.away.value
        )
        file = self.file.value.strip() or None
        try:
            with acting_as("panel"):  # where machines answer at a pace that people can follow
                return new_game(
                    self.ruleset.value, self._players, terms=agreed, dice=self.dice.value, file=file, machines=machines
                )
        except RecordError as error:
            raise RecordError(
                error.said.embed_in(
                    "{message}. In this form, enter another file name or continue one of the games offered"
                )
            ) from None

    def _open_lesson(self) -> None:
        """Open a lesson for phones, or find the one that is open, and show the links to its host page and its wall."""
        try:
            from nomic_nb.notebook.classroom.serve import ServedLesson, kept_games
        except ModuleNotFoundError as error:
            raise missing_package_error(error) from None
        if _LESSONS and _LESSONS[0].lesson.end.ended:
            _LESSONS.pop().close()
        if not _LESSONS:
            file = Path(self.file.value.strip()) if self.file.value.strip() else None
            _LESSONS.append(ServedLesson(kept_games(file) if file is not None and file.exists() else {}, file))
        self.said.value = _LESSONS[0]._repr_html_()

    def _open_upload(self) -> Game | None:
        """Return the game in an uploaded file; None if nothing is uploaded, or several are offered to choose."""
        if not self.upload.value:
            return None
        sent = self.upload.value[0]
        name, content = Path(str(sent["name"])).name, bytes(sent["content"])
        self.upload.value = ()
        if not content.startswith(STORE_SIGNATURE):
            return _load_record(content)
        path = Path(name)
        if path.exists():
            raise RecordError(
                "file-here-already",
                "there is already a file called {file} here, and it won’t be replaced. Rename yours, then "
                "upload it again",
                file=name,
            )
        path.write_bytes(content)
        path.chmod(0o600)  # sealed ballots are in it
        try:
            games = open_store(path).game_names()
            if not games:
                raise RecordError(
                    "uploaded-file-without-game",
                    "{file} has no game in it. Close the notebook that writes it, then copy the file again",
                    file=name,
                )
        except RecordError:
            path.unlink()
            raise
        if len(games) == 1:
            return opened(path, games[0])
        self._offer_games(list(_games_in_store(path)))
        return None


def _remember_game(game: Game) -> None:
    """Have forms of this session offer a game that is in no file."""
    if not game.kept and all(other.timeline is not game.timeline for other in _GAMES_BEGUN):
        _GAMES_BEGUN.append(game)


def _unsaved_games() -> Iterator[tuple[str, Callable[[], Game]]]:
    """Yield each game of this session that is in no file as a label and a function that returns it."""
    for game in reversed(_GAMES_BEGUN):
        named = _saved_game_label("in this session", game.ruleset.title, ", ".join(game.players), game.turn)
        yield named, partial(Game, game.timeline)


def _games_in_files() -> Iterator[tuple[str, Callable[[], Game]]]:
    """Yield each game in the folder's store files as a label and a function that opens it, newest file first."""
    files = [path for path in Path().glob("*.sqlite") if path.is_file() and os.access(path, os.R_OK)]
    for path in sorted(files, key=lambda sqlite_file: -sqlite_file.stat().st_mtime):
        with path.open("rb") as file:
            head = file.read(HEAD)
        if head.startswith(STORE_SIGNATURE) and head[OURS] == APPLICATION.to_bytes(4, "big"):
            try:
                yield from _games_in_store(path)
            except RecordError:  # damaged, or of a newer version: whoever names it in the form is told
                continue


def _games_in_store(path: Path) -> Iterator[tuple[str, Callable[[], Game]]]:
    """Yield each game in a store file as a label and a function that opens it."""
    for name, series in games_frame(open_store(path)).iterrows():
        yield (
            _saved_game_label(f"{path}, {name}", series["ruleset"], series["players"], series["turn"]),
            partial(opened, path, name),
        )


def _draw_heading(text: str) -> w.HTML:
    """Return a heading as a widget."""
    return w.HTML(f"<h2>{text}</h2>")


def _draw_style() -> w.HTML:
    """Return the style sheet of the form as a widget that takes no room."""
    sheet = style_rules("nomic_nb.notebook", "start.css")
    return w.HTML(f"<style>{token_rules(sheet, '.nnb-start')}{sheet}</style>", layout=w.Layout(display="none"))


def _saved_game_label(where: str, title: str, players: str, turn: int) -> str:
    """Return the label of a game that can be continued: where it is, rule set, turn and players."""
    shown = players if len(players) <= MOST_GAMES_SHOWN else f"{players[:MOST_GAMES_SHOWN]}…"
    return f"{where}: {title}, turn {turn}, {shown}"


def _load_record(content: bytes) -> Game:
    """Return the game in the bytes of an uploaded record."""
    if len(content) > LARGEST_FILE:
        raise RecordError(too_large_message(LARGEST_FILE, len(content)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.jsonl"
        path.write_bytes(content)
        return load(path)


# -------------------------------------------------------------------------------------------- a game that was begun


#: What is served in this session: a form that comes back to a game finds the pages that phones have open.
_SERVED: weakref.WeakKeyDictionary[Timeline, ServedTables] = weakref.WeakKeyDictionary()
SECTION_TITLES = ("Player pages", "Branches of this game")
BINDER_NOTE = "On Binder, nobody else can reach this machine, so everyone plays at the panel."
BROWSER_NOTE = "This game runs in your browser, which can’t serve pages to others, so everyone plays at the panel."


def _note_without_pages() -> str:
    """Return why the form offers no pages for others, if nobody else could open them; else an empty text."""
    return BINDER_NOTE if forgetting_notice() else BROWSER_NOTE if in_browser() else ""


class TableForm(w.VBox):  # type: ignore[misc]
    """A game in progress: what is said about it, pages for its seats, its other ways, and the panel.

    Parameters
    ----------
    game : Game
        The game.
    with_pages : bool
        Whether to open a page for each player at once.

    Attributes
    ----------
    game : Game
        The game that is shown: the one it was made with, or another way of it.
    """

    def __init__(self, game: Game, *, with_pages: bool = False) -> None:
        self.said, self.shown = w.HTML(), w.VBox()
        self.lan = w.Checkbox(description="for phones on this network", indent=False)
        self.serve, self.close_pages = w.Button(button_style="primary"), w.Button(description="Close the pages")
        self.links = w.HTML()
        self.player = w.Dropdown(description="Lost phone")
        self.new_link = w.Button(description="New link", tooltip="this player’s old links stop working")
        self.lost = w.HBox([self.player, self.new_link])
        self.way = w.Dropdown(description="Branch", **_WIDE)
        self.show = w.Button(description="Show this branch")
        pages = w.VBox([w.HBox([self.serve, self.close_pages, self.lan]), self.lost, self.links])
        note = _note_without_pages()
        parts = [w.HTML(escape(note)) if note else pages, w.VBox([self.way, self.show])]
        self.opened = [w.ToggleButton(description=title) for title in SECTION_TITLES]
        self.folded = [w.VBox([part]) for part in parts]
        for toggle in self.opened:  # unlike the heads of an accordion, these are reached by keys
            toggle.observe(lambda _: self.refresh_sections(), "value")
        self.lan.observe(lambda _: self._toggle_phones(), "value")
        self.serve.on_click(lambda _: self._open_pages())
        self.close_pages.on_click(lambda _: self._close_pages())
        self.new_link.on_click(lambda _: self._renew_link())
        self.show.on_click(lambda _: self.show_game(Game(self.way.value)))
        super().__init__([self.said, w.HBox(self.opened), *self.folded, self.shown])
        self.show_game(game)
        if with_pages:
            self.opened[0].value = True
            self._open_pages()

    def show_game(self, game: Game) -> None:
        """Show the panel of a game, or of another branch of it, instead of the one shown before."""
        for panel in self.shown.children:
            panel.close()
        shown = game.panel()
        shown.observe(lambda _: self._follow_panel(shown), "step")
        self.shown.children = (shown,)
        self._describe_game(game)

    def _describe_game(self, game: Game) -> None:
        """Say which game the panel shows and where it is kept, and refresh the sections."""
        self.game = game
        where = game.kept or "not saved. Use Host in the panel to save its record as a file"
        self.said.value = f"<p>{escape(f'{game.ruleset.title}, {where}.')}</p>"
        self.refresh_sections()

    def _follow_panel(self, panel: Panel) -> None:
        """Follow the panel to a game that was begun there with the same names; its pages are served as before."""
        before, game = self.game.timeline, Game(panel.game.timeline)
        if game.timeline is not before and panel in self.shown.children:
            _remember_game(game)
            if before in _SERVED:
                _SERVED[game.timeline] = _SERVED.pop(before)
            self._describe_game(game)

    def refresh_sections(self) -> None:
        """Refresh the folded sections: the links for players, and the branches of the game."""
        for button, part in zip(self.opened, self.folded, strict=True):
            part.layout.display = "" if button.value else "none"
        served = _SERVED.get(self.game.timeline)
        self.serve.description = "Open a page for each player" if served is None else "Pages are open"
        self.serve.disabled = served is not None
        self.close_pages.disabled = served is None
        if served is not None:
            self.lan.value = served.lan
        self.lost.layout.display = "none" if served is None else ""
        self.links.value = "" if served is None else served._repr_html_()
        _set_options(self.player, [(name, name) for name in self.game.state.person_names])
        ways: list[tuple[str, Any]] = [
            (
                " – ".join(
                    filter(
                        None,
                        (
                            branch_of_game.parting_phrase or "the game",
                            branch_of_game.first_event_sentence,
                            "shown" if branch_of_game.here else "",
                        ),
                    )
                ),
                branch_of_game.timeline,
            )
            for branch_of_game in self.game.forks.all_branches()
        ]
        _set_options(self.way, ways)

    def _open_pages(self) -> None:
        """Serve a page for every seat; show the error if that fails."""
        try:
            _SERVED[self.game.timeline] = self.game.serve(lan=self.lan.value)
        except (OSError, ModuleNotFoundError) as error:
            self.links.value = f'<p class="{INERT_CLASSES}" role="alert">{escape(str(error))}</p>'
            return
        self.refresh_sections()

    def _toggle_phones(self) -> None:
        """Let phones reach the served pages, or shut them out, as the box is ticked."""
        served = _SERVED.get(self.game.timeline)
        if served is None or served.lan == self.lan.value:
            return
        try:
            served.let_phones_in(self.lan.value)
        except OSError as error:
            self.refresh_sections()
            self.links.value = f'<p class="{INERT_CLASSES}" role="alert">{escape(str(error))}</p>{self.links.value}'
            return
        self.refresh_sections()

    def _close_pages(self) -> None:
        """Stop serving the pages for the seats."""
        served = _SERVED.pop(self.game.timeline, None)
        if served is not None:
            served.close()
        self.refresh_sections()

    def _renew_link(self) -> None:
        """Make a new link for the chosen player, so the old ones open nothing."""
        served = _SERVED.get(self.game.timeline)
        if served is not None and self.player.value is not None:
            served.new_link(self.player.value)
        self.refresh_sections()


def _set_options(field: w.Dropdown, options: Sequence[tuple[str, Any]]) -> None:
    """Set the options of a dropdown and choose the first; do nothing if it has these already."""
    if tuple(field.options) != tuple(options):
        field.options = options
        field.index = 0 if options else None
