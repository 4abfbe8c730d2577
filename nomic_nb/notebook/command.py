"""The command ``nomic-nb``: open a class, serve games or a seat for a language model, write generated pages again."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from itertools import count, takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from nomic_nb.engine.errors import RecordError, WrongValue
from nomic_nb.engine.threads import Event
from nomic_nb.notebook.classroom import missing_package_error
from nomic_nb.notebook.store.journal import GameStore, open_store
from nomic_nb.study import packages, reference

if TYPE_CHECKING:
    from nomic_nb.notebook.classroom.serve import ServedTables


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
    lesson = commands.add_parser("class", help="open the host page for a class in a browser: phones join by a code")
    lesson.add_argument("file", type=Path, nargs="?", help="where the games are saved; if it has games, they continue")
    lesson.add_argument("--here", action="store_true", help="keep phones out: only this computer can open the pages")
    lesson.add_argument("--no-browser", action="store_true", help="print the link of the host page, and open nothing")
    for command in (serving, lesson):
        command.add_argument("--port", type=int, help="port to use; by default, the first free one")
        command.add_argument("--host", default="127.0.0.1", help="address to listen on")
        command.add_argument("--name", action="append", default=[], help="another name for this machine or for a proxy")
        command.add_argument("--base", default="/", help="prefix of the path, if behind a proxy")
        command.add_argument("--hub", action="store_true", help="let phones in through a JupyterHub, without a login")
    serving.add_argument("--programs", action="store_true", help="print a link for a program beside each player's")
    commands.add_parser("mcp", help="let a language model play over MCP; NOMIC_LINK must be a link for a program")
    commands.add_parser("docs", help="in a clone, regenerate the documentation pages")
    options = told.parse_args(given)
    if options.command == "docs":
        return _write_generated_pages()
    if options.command == "mcp":
        return _serve_agent()
    return _serve_until_stopped(_serve_lesson if options.command == "class" else _serve_games_in_file, options, until)


def _write_generated_pages() -> int:
    """Write the documentation pages “keys”, “warnings”, “phrases” and “writing” to their files; return exit code 0."""
    for name, text in (
        ("keys", reference.vocabulary_page()),
        ("warnings", reference.warnings_page()),
        ("phrases", reference.phrases_page()),
        ("writing", reference.writing_page()),
    ):
        Path(reference.DOCS_FOLDER, f"{name}.md").write_text(text, encoding="utf-8")
    return 0


def _serve_agent() -> int:
    """Serve a seat to a language model until its program ends; return exit code 0, or 1 if that is impossible."""
    try:
        from nomic_nb.notebook.classroom.agent import AgentSeat

        AgentSeat(os.environ.get("NOMIC_LINK", "")).server().run()
    except ModuleNotFoundError as error:
        print(packages.missing_package_error(error, "Seats for language models", "mcp>=2"), file=sys.stderr)  # noqa: T201
        return 1
    except ValueError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command
        return 1
    return 0


def _serve_until_stopped(
    serve: Callable[[argparse.Namespace], ServedTables], options: argparse.Namespace, until: Event | None
) -> int:
    """Serve until Ctrl-C or `until`; return exit code 0, or 1 if that is impossible."""
    try:
        from nomic_nb.notebook.classroom.serve import PortError
    except ModuleNotFoundError as error:
        print(missing_package_error(error), file=sys.stderr)  # noqa: T201 - a command
        return 1
    try:
        room = serve(options)
    except (RecordError, PortError, WrongValue) as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command
        return 1
    try:
        print("Press Ctrl-C to stop. The games stay in the file.", flush=True)  # noqa: T201
        ended, erased = until or Event(), False
        while not ended.wait(1):  # Windows hears of Ctrl-C only in between
            if room.is_erased and not erased:
                erased = True
                print("The class is erased, with its file. Press Ctrl-C to stop.", flush=True)  # noqa: T201
    except KeyboardInterrupt:
        pass
    finally:
        room.close()
    return 0


def _serve_games_in_file(options: argparse.Namespace) -> ServedTables:
    """Serve the games of a store file, and print their links."""
    from nomic_nb.notebook.classroom.serve import ServedTables, kept_games

    games = kept_games(options.file, options.game)
    if not games:
        raise RecordError(
            "file-without-game", "{file} has no game yet. Start one with nb.new_game(…, file=…)", file=options.file
        )
    room = ServedTables(
        games, host=options.host, port=options.port, lan=options.lan, names=options.name, base=options.base,
        hub=options.hub,
    )  # fmt: skip
    print(room)  # noqa: T201 - a command
    for who, link in room.programs.items() if options.programs else ():
        print(f"  a program for {who}: {link}")  # noqa: T201
    for table, link in room.desk.items():
        print(f"  host page of {table} (only for the host): {link}")  # noqa: T201
    return room


def _file_of_today() -> Path:
    """Return the file for a class: today’s to continue its class, or a new one."""
    names = (f"class-{date.today()}{f'-{at}' if at > 1 else ''}.sqlite" for at in count(1))
    there = list(takewhile(lambda path: path.exists() and path.stat().st_size, map(Path, names)))
    if not there:
        return Path(f"class-{date.today()}.sqlite")
    new = Path(f"class-{date.today()}-{len(there) + 1}.sqlite")
    last = next((path for path in reversed(there) if _had_pupils(path)), there[-1])
    if sys.stdin.isatty():
        answer = input(f"{last} has a class of today. Go on with it? [Y/n] ").strip().lower()
        if answer in ("", "y", "yes"):
            return last
    else:
        text = f"This opens a new class in {new}. To go on with the class of today instead: nomic-nb class {last}"
        print(text)  # noqa: T201 - a command
    return new


def _had_pupils(path: Path) -> bool:
    """Tell whether somebody was in the class that a file has."""
    with suppress(RecordError):  # it is none of a class
        store = GameStore(path)
        return bool(store.game_names()) or any(kind == "pupil" for kind, _ in store.rows_beside(""))
    return False


def _serve_lesson(options: argparse.Namespace) -> ServedTables:
    """Serve a lesson, print its links, and open the host page in a browser."""
    from nomic_nb.notebook.classroom.serve import ServedLesson, kept_games

    file = options.file or _file_of_today()
    lesson = ServedLesson(
        kept_games(file) if file.exists() else {}, file, lan=False if options.here else None, host=options.host,
        port=options.port, names=options.name, base=options.base, hub=options.hub,
    )  # fmt: skip
    notice = open_store(file).alone_notice
    print(f"{lesson}\nThe games are saved to {file}. {notice}".rstrip())  # noqa: T201 - a command
    if not options.no_browser:
        webbrowser.open(lesson.host_page)
    return lesson
