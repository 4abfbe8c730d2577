"""The command ``nomic-nb``: serve the games in a file, or write the generated pages again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from nomic_nb.engine.errors import RecordError
from nomic_nb.engine.threads import Event
from nomic_nb.notebook.classroom import missing_package_error
from nomic_nb.notebook.live.base_game import BaseGame
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.store import game_store
from nomic_nb.notebook.store.journal import open_store
from nomic_nb.study import reference


def main(given: list[str] | None = None, until: Event | None = None) -> int:
    """Run the command ``nomic-nb`` with the arguments `given`; return exit code 0, or 1 if it cannot be done.

    Parameters
    ----------
    given : list of str, optional
        Arguments; those of the command by default.
    until : Event, optional
        Ends serving, if something other than Ctrl-C does.
    """
    told = argparse.ArgumentParser(prog="nomic-nb", description="Play Nomic without a notebook.")
    commands = told.add_subparsers(dest="command", required=True)
    serving = commands.add_parser("serve", help="serve the games in a file until you press Ctrl-C")
    serving.add_argument("file", type=Path, help="a file made by new_game(…, file=…) or game.keep")
    serving.add_argument(
        "--game", action="append", metavar="NAME", help="serve only this game from the file; can be repeated"
    )
    serving.add_argument("--lan", action="store_true", help="let other devices on the network in, such as phones")
    serving.add_argument("--port", type=int, help="port to use; by default, the first free one")
    serving.add_argument("--host", default="127.0.0.1", help="address to listen on")
    serving.add_argument("--name", action="append", default=[], help="another name for this machine or for a proxy")
    serving.add_argument("--base", default="/", help="prefix of the path, if behind a proxy")
    commands.add_parser("docs", help="in a clone, regenerate the documentation pages")
    options = told.parse_args(given)
    return _write_generated_pages() if options.command == "docs" else _serve_games_in_file(options, until)


def _write_generated_pages() -> int:
    """Write the documentation pages “keys”, “warnings” and “writing” to their files; return exit code 0."""
    for name, text in (
        ("keys", reference.vocabulary_page()),
        ("warnings", reference.warnings_page()),
        ("writing", reference.writing_page()),
    ):
        Path(reference.DOCS_FOLDER, f"{name}.md").write_text(text, encoding="utf-8")
    return 0


def _serve_games_in_file(options: argparse.Namespace, until: Event | None) -> int:
    """Serve the games of a store file until Ctrl-C or `until`; return exit code 0, or 1 if they cannot be."""
    try:
        from nomic_nb.notebook.classroom.serve import PortError, ServedTables
    except ModuleNotFoundError as error:
        print(missing_package_error(error), file=sys.stderr)  # noqa: T201 - a command
        return 1
    try:
        store = open_store(options.file)
        names = options.game or store.game_names()
        if not names:
            raise RecordError(
                "file-without-game",
                "{file} has no game yet. Start one with nb.new_game(…, file=…)",
                file=options.file,
            )
        tables = {name: BaseGame(game_store.open_game(store, name, CELL_WATCH).timeline) for name in names}
        room = ServedTables(
            tables, host=options.host, port=options.port, lan=options.lan, names=options.name, base=options.base
        )
    except (RecordError, PortError) as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command
        return 1
    try:
        print(room)  # noqa: T201
        for table, link in room.desk.items():
            print(f"  host page of {table} (only for the host): {link}")  # noqa: T201
        print("Press Ctrl-C to stop. The games stay in the file.", flush=True)  # noqa: T201
        ended = until or Event()
        while not ended.wait(1):  # Windows hears of Ctrl-C only in between
            pass
    except KeyboardInterrupt:
        pass
    finally:
        room.close()
    return 0
