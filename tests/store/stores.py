"""Games that are kept: cells that run, kernels that begin anew, and others who play in the same file."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import nomic_nb as nb
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.notebook.live.cells import WATCH
from nomic_nb.notebook.store import games, lines
from nomic_nb.notebook.store.lines import Hand, Store

PLAYERS = ["Ann", "Ben", "Cleo"]


def begin(path: Path | None = None, players: list[str] = PLAYERS, **more: object) -> nb.Game:
    return nb.new_game("discordian-nomic", players, seed=7, file=path, **more)


class Elsewhere:
    """Another process on the same file, with a connection of its own."""

    def __init__(self, path: Path, name: str = "game") -> None:
        self.said: list[str] = []
        self.game = nb.Game(games.opened(Store(path), name, self).timeline)

    def hand(self) -> Hand:
        return Hand("panel", "", "elsewhere")

    def rewound(self, timeline: Timeline) -> bool:
        return False

    def cut(self, timeline: Timeline, at: int) -> None:
        pass

    def tell(self, text: str) -> None:
        self.said.append(text)


class Notebook:
    """Cells with identities, run in this process; `restart` forgets all that a kernel forgets."""

    def __init__(self) -> None:
        self.names: dict[str, object] = {"nb": nb}

    def run(self, cell: str, source: str | Callable[[], object]) -> object:
        """Run a cell; return what its last line gives, if that is an expression."""
        WATCH.before(cell, str(source))
        failed = True
        try:
            *body, last = str(source).split("\n")
            exec("\n".join(body), self.names)  # noqa: S102 - a cell
            try:
                code = compile(last, cell, "eval")
            except SyntaxError:
                code = compile(last, cell, "exec")
            found = eval(code, self.names)  # noqa: S307 - a cell
            failed = False
            return found
        finally:
            WATCH.after(failed=failed)

    @property
    def game(self) -> nb.Game:
        game = self.names["game"]
        assert isinstance(game, nb.Game)
        return game

    def restart(self, name: str = "notebook") -> None:
        self.names = {"nb": nb}
        WATCH.__init__()  # type: ignore[misc]
        WATCH.__dict__["name"] = name
        lines._STORES.clear()
        gc.collect()


def record(game: nb.Game, folder: Path) -> bytes:
    """What `save` writes of a game."""
    game.save(folder / "record.jsonl")
    return (folder / "record.jsonl").read_bytes()
