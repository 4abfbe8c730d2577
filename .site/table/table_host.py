"""One game in a web page: the kit runs in a worker, which passes messages on and stores the game’s file."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Any

from nomic_nb.engine.errors import IllegalAction, RecordError
from nomic_nb.engine.messages import say
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import find_ruleset
from nomic_nb.engine.words import full_sentence
from nomic_nb.notebook.documents.notebook import to_notebook
from nomic_nb.notebook.game import Game
from nomic_nb.notebook.live.base_game import BranchOfGame
from nomic_nb.notebook.live.cells import acting_as
from nomic_nb.notebook.live.machines import seat_name
from nomic_nb.notebook.opening_games import load, new_game
from nomic_nb.notebook.opening_games import open as opened
from nomic_nb.notebook.panels.queries import record_for_download
from nomic_nb.notebook.panels.session import PanelHub, PanelViewer, hub_of_game
from nomic_nb.notebook.store.game_store import KeptGame
from nomic_nb.notebook.store.journal import open_store
from nomic_nb.notebook.table_settings import agreed_terms

#: Where the worker finds the file of the game, and puts a file that somebody uploads.
FILE, UPLOAD = Path("/games/game.sqlite"), Path("/games/upload")
#: How a file begins that holds games.
STORE_SIGNATURE = b"SQLite format 3\0"
#: What is wrong with what somebody asked for, and told in a sentence.
REFUSALS = (ValueError, LookupError, OSError, ImportError, IllegalAction)
#: The panel of the page; other viewers are tabs that look on.
PANEL = "panel"

Answer = dict[str, Any]


class Table:
    """The game of the page, with the viewers that its hub knows."""

    def __init__(self) -> None:
        self.send: Callable[[str, str], object] = lambda _to, _text: None
        self.viewers: dict[str, PanelViewer] = {}
        self._hub: PanelHub | None = None

    @property
    def hub(self) -> PanelHub:
        """The hub of the game."""
        if self._hub is None:
            raise IllegalAction(say("no-game-in-the-page", "start a game first"))
        return self._hub

    @property
    def game(self) -> Game:
        """The game that is shown, which may be one that was begun at the panel."""
        game = self.hub.game
        return game if isinstance(game, Game) else Game(game.timeline)

    def show(self, game: Game) -> None:
        """Show a game, or another branch of it, to everybody who looks on."""
        watching = [name for name in self.viewers if name != PANEL]
        for viewer in self.viewers.values():
            self.hub.remove_viewer(viewer)
        self._hub, self.viewers = hub_of_game(game), {}
        for name in (PANEL, *watching):
            self.add(name)
        for name in watching:
            self.hub.receive(self.viewers[name], '{"open":true}')

    def add(self, name: str) -> None:
        """Add a viewer: the panel plays for all people, and a tab that looks on does nothing."""
        role, hand = ("table", "panel 1") if name == PANEL else ("wall", f"tab {name}")
        self.viewers[name] = self.hub.add_viewer(PanelViewer(partial(self.send, name), hand, None, role))


TABLE = Table()


def connect(send: Callable[[str, str], object]) -> None:
    """Have texts for a viewer sent by a function that takes its name and the text."""
    TABLE.send = send


def prepare(ruleset: str) -> None:
    """Read what a first game needs, so that it begins at once when somebody wants it."""
    hub = hub_of_game(new_game(ruleset, ["Ann", "Ben"]))
    hub.send_whole_view(hub.add_viewer(PanelViewer(lambda _text: None, PANEL, None, "table")))


def answered(work: Callable[..., Answer | None]) -> Callable[..., str]:
    """Have a function return its answer as JSON, or the sentence that says why there is none."""

    @wraps(work)
    def answer(*given: object) -> str:
        try:
            return json.dumps(work(*given) or {})
        except REFUSALS as error:
            return json.dumps({"why": full_sentence(str(error))})

    return answer


def _fresh(make: Callable[[], Game]) -> None:
    """Show the game that a function makes in the file; leave no file if it fails."""
    try:
        with acting_as("panel"):  # machines answer at a pace that people can follow
            game = make()
    except BaseException:
        FILE.unlink(missing_ok=True)
        raise
    TABLE.show(game)


@answered
def begin(asked: str) -> None:
    """Begin the game that the form describes."""
    how = json.loads(asked)
    ruleset = find_ruleset(how["ruleset"], language())
    terms = agreed_terms(ruleset, points=how["points"], joint=how["joint"], away=how["away"])
    _fresh(
        lambda: new_game(
            how["ruleset"], how["players"], terms=terms, dice=how["dice"], machines=how["machines"], file=FILE
        )
    )


@answered
def open_game(name: str, way: str) -> None:
    """Go on with a game of the file, on the branch that was shown."""
    _fresh(lambda: _on_branch(opened(FILE, name), way))


def _on_branch(game: Game, way: str) -> Game:
    for branch in _branches(game):
        keeper = branch.timeline.keeper
        if isinstance(keeper, KeptGame) and keeper.way == way:
            return Game(branch.timeline)
    return game


def _branches(game: Game) -> list[BranchOfGame[Any]]:
    return list(game.forks.all_branches())


@answered
def load_upload(name: str) -> Answer | None:
    """Show the game of the uploaded record, or the game called `name` of a file; ask which if there are several."""
    with UPLOAD.open("rb") as file:
        is_store = file.read(len(STORE_SIGNATURE)) == STORE_SIGNATURE
    if not is_store:
        game = load(UPLOAD)
        _fresh(lambda: _keep(game))
        return None
    UPLOAD.replace(FILE)
    try:
        names = open_store(FILE).game_names()
        if not names:
            raise RecordError(say("uploaded-file-without-a-game", "the file has no game in it"))
    except BaseException:
        FILE.unlink(missing_ok=True)
        raise
    if name not in names and len(names) > 1:
        FILE.unlink()
        return {"choose": names}
    _fresh(lambda: opened(FILE, name or names[0]))
    return None


def _keep(game: Game) -> Game:
    game.keep(FILE)
    return game


def receive(name: str, text: object) -> None:
    """Take a message of a viewer."""
    if name in TABLE.viewers:
        TABLE.hub.receive(TABLE.viewers[name], text)


def watch(name: str, most: int) -> bool:
    """Let another tab look on, unless so many do; tell whether it does."""
    if name == PANEL or not TABLE.viewers:
        return False
    if name not in TABLE.viewers and len(TABLE.viewers) <= most:
        TABLE.add(name)
    return name in TABLE.viewers


def stop_watching(name: str) -> None:
    """Forget a tab that was closed."""
    if name != PANEL and name in TABLE.viewers:
        TABLE.hub.remove_viewer(TABLE.viewers.pop(name))


@answered
def about() -> Answer:
    """Return what the page shows of the game beside the panel, and where it is in the file."""
    game = TABLE.game
    timeline, keeper = game.timeline, game.timeline.keeper
    kept = {"name": keeper.game, "way": keeper.way} if isinstance(keeper, KeptGame) else {}
    players = ", ".join(seat_name(timeline, name) for name in game.players)
    branches = [_label(branch) for branch in _branches(game)] if timeline.forks or timeline.origin else []
    stands = game.result or f"turn {game.turn}"
    return {"title": game.ruleset.title, "players": players, "stands": stands, "branches": branches, **kept}


def _label(branch: BranchOfGame[Any]) -> str:
    told = (branch.parting_phrase or "the game", branch.first_event_sentence, "shown" if branch.here else "")
    return " – ".join(filter(None, told))


@answered
def show_branch(at: int) -> None:
    """Show a branch by its place among the labels of `about`."""
    TABLE.show(Game(_branches(TABLE.game)[at].timeline))


@answered
def record() -> Answer:
    """Return the record as a file to download."""
    return record_for_download(TABLE.game)


@answered
def notebook() -> Answer:
    """Return a notebook that plays the game again as a file to download."""
    game = TABLE.game
    return {"name": f"{game.ruleset.name}.ipynb", "text": json.dumps(to_notebook(game), indent=1, ensure_ascii=False)}
