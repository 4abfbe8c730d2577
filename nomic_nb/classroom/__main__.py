"""Serve the games in a file without a notebook: ``python -m nomic_nb.classroom class.sqlite``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from threading import Event

from nomic_nb.classroom import lacking
from nomic_nb.errors import RecordError
from nomic_nb.live.base import BaseGame
from nomic_nb.live.cells import WATCH
from nomic_nb.store import games
from nomic_nb.store.lines import store_at


def main(given: list[str] | None = None, until: Event | None = None) -> int:
    """Serve games until Ctrl-C; return 0, or 1 where they cannot be served.

    Parameters
    ----------
    given : list of str, optional
        The arguments; those of the command where it is not given.
    until : Event, optional
        Ends it, where something else than Ctrl-C does.
    """
    try:
        from nomic_nb.classroom.serve import PORT, PortError, serve
    except ModuleNotFoundError as error:
        print(lacking(error), file=sys.stderr)  # noqa: T201 - a command
        return 1
    told = argparse.ArgumentParser(prog="python -m nomic_nb.classroom", description="Serve the games in a file.")
    told.add_argument("file", type=Path, help="a file that new_game(…, file=…) or game.keep made")
    told.add_argument("--game", action="append", metavar="NAME", help="only this game of the file; may be repeated")
    told.add_argument("--lan", action="store_true", help="let other machines on the network in, such as phones")
    told.add_argument("--port", type=int, help=f"the port; {PORT}, or the next one that is free, without it")
    told.add_argument("--host", default="127.0.0.1", help="the address to listen at")
    told.add_argument("--name", action="append", default=[], help="another name of this machine, or a proxy's")
    told.add_argument("--base", default="/", help="what stands before the path, behind a proxy")
    said = told.parse_args(given)
    try:
        store = store_at(said.file)
        names = said.game or store.games()
        if not names:
            raise RecordError(f"{said.file} has no game; nb.new_game(…, file=…) begins one")
        tables = {name: BaseGame(games.opened(store, name, WATCH).timeline) for name in names}
        room = serve(tables, host=said.host, port=said.port, lan=said.lan, names=said.name, base=said.base)
    except (RecordError, PortError) as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command
        return 1
    try:
        print(room)  # noqa: T201
        for table, link in room.desk.items():
            print(f"  the desk of {table}, for whoever keeps the record alone: {link}")  # noqa: T201
        print("Ctrl-C ends it; the games stay in the file.", flush=True)  # noqa: T201
        ended = until or Event()
        while not ended.wait(1):  # Windows hears of Ctrl-C only in between
            pass
    except KeyboardInterrupt:
        pass
    finally:
        room.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
