"""Play, teach and study Nomic in a notebook: the rules are data that run, and changing them is a move."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

from nomic_nb.arguments import plainly, unknown
from nomic_nb.begin import load, new_game, rulesets, salvage
from nomic_nb.begin import open as open  # noqa: A004 - not in __all__, as a star would hide Python's
from nomic_nb.errors import IllegalAction, LawError, RecordError
from nomic_nb.game import Game, serve, to_notebook
from nomic_nb.law.changes import amend, enact, rename, repeal, reword, together, transmute
from nomic_nb.rulesets import library
from nomic_nb.views.explained import explain

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from nomic_nb.documents.help import Help
    from nomic_nb.starting import Start

__version__ = "0.1.0"


def __getattr__(name: str) -> ModuleType:
    """Bring the multiverse when it is asked for: boards are only for some games."""
    if name == "multiverse":
        import nomic_nb.multiverse as boards

        return boards
    if name.startswith("_"):
        raise AttributeError(name)
    raise unknown("nomic_nb", name, (*__all__, "open", "help"))


@plainly
def help(page: str = "start") -> Help:  # not in __all__, as a star would hide Python's
    """Open the pages about the kit: how to write a rule, what rules can speak of, and others.

    Parameters
    ----------
    page : str
        ``start``, which lists them all, or one of those that it lists.

    Returns
    -------
    Help
        The page. In a notebook the others stand below it, and links lead from one to another; in a terminal it is
        plain text.

    Raises
    ------
    KeyError
        There is no such page.

    Examples
    --------
    >>> print(help("writing"))
    # How to write a rule
    ...
    """
    from nomic_nb.documents.help import Help

    return Help(page)


@plainly
def start() -> Start:
    """Return a form that begins a game without Python, or takes a saved one back; see `starting.start`.

    Returns
    -------
    Start
        A box of widgets; ``.game`` is the game, once there is one.
    """
    from nomic_nb.starting import start as form

    return form()


def load_ipython_extension(ipython: InteractiveShell) -> None:
    """Bring the magics: ``%load_ext nomic_nb``."""
    from nomic_nb.panels import magics

    magics.load(ipython)


__all__ = [
    "Game",
    "IllegalAction",
    "LawError",
    "RecordError",
    "amend",
    "enact",
    "explain",
    "library",
    "load",
    "multiverse",
    "new_game",
    "rename",
    "repeal",
    "reword",
    "rulesets",
    "salvage",
    "serve",
    "start",
    "to_notebook",
    "together",
    "transmute",
]
