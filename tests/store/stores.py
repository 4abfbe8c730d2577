"""Games that are kept: cells that run, kernels that begin anew, and others who play in the same file."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import nomic_nb as nb
from nomic_nb.engine.play.timeline import Timeline
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.store import game_store, journal
from nomic_nb.notebook.store.journal import GameStore, StepHand

PLAYERS = ["Ann", "Ben", "Cleo"]


def begin(path: Path | None = None, players: list[str] = PLAYERS, **more: object) -> nb.Game:
    return nb.new_game("discordian-nomic", players, seed=7, file=path, **more)


class Elsewhere:
    """Another process on the same file, with a connection of its own."""

    def __init__(self, path: Path, name: str = "game") -> None:
        self.said: list[str] = []
        self.game = nb.Game(game_store.open_game(GameStore(path), name, self).timeline)

    def current_hand(self) -> StepHand:
        return StepHand("panel", "", "elsewhere")

    def is_rewound(self, timeline: Timeline) -> bool:
        return False

    def forget_cells_after(self, timeline: Timeline, at: int) -> None:
        pass

    def print_message(self, text: str) -> None:
        self.said.append(text)


class Notebook:
    """Cells with identities, run in this process; `restart` forgets all that a kernel forgets."""

    def __init__(self) -> None:
        self.names: dict[str, object] = {"nb": nb}

    def run(self, cell: str, source: str | Callable[[], object]) -> object:
        """Run a cell; return what its last line gives, if that is an expression."""
        CELL_WATCH.start_cell(cell, str(source))
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
            CELL_WATCH.finish_cell(failed=failed)

    @property
    def game(self) -> nb.Game:
        game = self.names["game"]
        assert isinstance(game, nb.Game)
        return game

    def restart(self, name: str = "notebook") -> None:
        self.names = {"nb": nb}
        CELL_WATCH.__init__()  # type: ignore[misc]
        CELL_WATCH.__dict__["notebook_name"] = name
        journal._STORES.clear()
        gc.collect()


def record(game: nb.Game, folder: Path) -> bytes:
    """What `save` writes of a game."""
    game.save(folder / "record.jsonl")
    return (folder / "record.jsonl").read_bytes()
