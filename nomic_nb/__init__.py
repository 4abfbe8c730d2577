"""Play, teach and study Nomic in a notebook: the rules are data that run, and changing them is a move."""

from __future__ import annotations

import sys
from opcode import opmap
from typing import TYPE_CHECKING, Any

from nomic_nb.engine.arguments import explain_argument_errors, lazy_names
from nomic_nb.engine.errors import NoSuchName
from nomic_nb.engine.messages import say

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    import nomic_nb.chess.multiverse as multiverse
    from nomic_nb.engine.errors import IllegalAction, LawError, RecordError
    from nomic_nb.engine.law.changes import amend, enact, rename, repeal, reword, together, transmute
    from nomic_nb.notebook.audits import audit
    from nomic_nb.notebook.documents.help import HelpPage
    from nomic_nb.notebook.game import Game, explain, library, portfolios, pseudonyms, serve, to_notebook
    from nomic_nb.notebook.opening_games import load, new_game, rulesets, salvage
    from nomic_nb.notebook.opening_games import open as open  # noqa: A004 - not in __all__, as a star would hide Python's
    from nomic_nb.notebook.start_form import StartForm
    from nomic_nb.study import language, players
    from nomic_nb.study.chess_studies import read_study
    from nomic_nb.study.drafting import draft
    from nomic_nb.study.help_search import HelpFindings
    from nomic_nb.study.library.phrase_book import suggest
    from nomic_nb.study.players.loop import play, play_many
    from nomic_nb.study.sweeps.sweep import compare, sweep

__version__ = "0.1.0"

_find = lazy_names(
    __name__,
    {
        "engine.errors": "IllegalAction LawError RecordError",
        "engine.law.changes": "amend enact rename repeal reword together transmute",
        "notebook.audits": "audit",
        "notebook.opening_games": "load new_game open rulesets salvage",
        "notebook.game": "Game explain library portfolios pseudonyms serve to_notebook",  # which displays them
        "study": "language players",
        "study.chess_studies": "read_study",
        "study.drafting": "draft",
        "study.library.phrase_book": "suggest",
        "study.players.loop": "play play_many",
        "study.sweeps.sweep": "compare sweep",
        "chess": "multiverse",
    },
)


def __getattr__(name: str) -> Any:
    try:
        return _find(name)
    except NoSuchName as error:
        raise say_where(error, __name__, name) from None


def say_where(error: Exception, package: str, name: str) -> Exception:
    """Return the error that a package lacks a name: where it is, if it is public elsewhere; otherwise as given."""
    public = {"nb.multiverse": dir(_find("multiverse")), "nb.players": _find("players").__all__}  # type: ignore[attr-defined]
    public |= {"nb.language": _find("language").__all__, "game": dir(_find("Game"))}  # type: ignore[attr-defined]
    if where := next((f"{place}.{name}" for place, names in public.items() if name in names), ""):
        error = NoSuchName(
            say("name-is-elsewhere", "{what} has no {name!r}; it is {where}", what=package, name=name, where=where)
        )
    asking = sys._getframe(2)
    # Python replaces errors of attributes in ``from … import …`` by its own, which does not say where.
    imported = asking.f_code.co_code[asking.f_lasti] == opmap["IMPORT_FROM"]
    return ImportError(str(error)) if imported else error


if sys.platform == "emscripten":
    from nomic_nb.study.packages import load_packages_late

    load_packages_late()


def __dir__() -> list[str]:
    return sorted({*__all__, "help", "open"})


@explain_argument_errors
def help(page: str = "start") -> HelpPage | HelpFindings:  # not in __all__, as a star would hide Python's
    """Return the help pages of the kit, opened at the given page, or what a search for other words finds in them.

    Parameters
    ----------
    page : str
        Name of the page: ``start``, which lists all pages, or one of the pages it lists. The name of a rule set, such
        as ``nomic-chess``, opens the rules of that game. Any other words, such as ``round``, are searched for in all
        pages, in the words of rules and in the phrase book.

    Returns
    -------
    HelpPage or HelpFindings
        The page. In a notebook, the other pages follow below it, and links connect them. In a terminal it is plain
        text. For other words, what was found.

    Raises
    ------
    KeyError
        There is no such page, and nothing else was found.

    Examples
    --------
    >>> print(help("writing"))
    # How to write a rule
    ...
    """
    from nomic_nb.notebook.documents.help import HelpPage
    from nomic_nb.study.help_search import find_help

    try:
        return HelpPage(page)
    except KeyError:
        if found := find_help(page):
            return found
        raise


@explain_argument_errors
def start() -> StartForm:
    """Return a form for starting a game, or continuing a saved one, without writing Python.

    Returns
    -------
    StartForm
        A box of widgets; ``.game`` is the game once it has begun.
    """
    from nomic_nb.notebook.start_form import start as form

    return form()


def load_ipython_extension(ipython: InteractiveShell) -> None:
    """Add the magics to IPython, as ``%load_ext nomic_nb`` does."""
    from nomic_nb.notebook.panels import magics

    magics.load_magics(ipython)


__all__ = [
    "Game",
    "IllegalAction",
    "LawError",
    "RecordError",
    "amend",
    "audit",
    "compare",
    "draft",
    "enact",
    "explain",
    "language",
    "library",
    "load",
    "multiverse",
    "new_game",
    "play",
    "play_many",
    "players",
    "portfolios",
    "pseudonyms",
    "read_study",
    "rename",
    "repeal",
    "reword",
    "rulesets",
    "salvage",
    "serve",
    "start",
    "suggest",
    "sweep",
    "to_notebook",
    "together",
    "transmute",
]
