"""Packages that a part of the kit needs beyond those that are always installed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Awaitable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from nomic_nb.engine.errors import FileUnusable, PlainRefusal
from nomic_nb.engine.messages import say
from nomic_nb.engine.threads import in_browser

#: Packages that a page in a browser loads late, because only data frames need them.
LATE_PACKAGES = ("pandas",)


class PackageError(PlainRefusal, ModuleNotFoundError):
    """A package that is needed is not installed; the message says how to install it."""


def missing_package_error(error: ModuleNotFoundError, what: str, *needed: str) -> PackageError:
    """Return an error that says how to install the packages that are `needed` for `what`, such as “Player pages”."""
    return PackageError(
        say(
            "package-missing",
            "{what} need the package {package}. In a cell, run %pip install {needed} and try "
            "again. In a terminal, use python -m pip instead of %pip.",
            what=what,
            package=error.name,
            needed=" ".join(f'"{package}"' for package in needed),
        ),
        name=error.name,
    )


# --------------------------------------------------------------------------------------------------- in a browser


def refuse_in_browser(what: str) -> None:
    """Raise FileUnusable if this is a browser, which cannot do `what`, such as “serve pages”."""
    if in_browser():
        raise FileUnusable(
            "browser-cannot",
            "a browser can’t {what}. Play at this panel, or use nomic_nb on a computer with Python",
            what=what,
        )


def wait_in_browser(found: Awaitable[Any]) -> Any:
    """Return what an awaitable gives, while the page continues.

    Raises
    ------
    FileUnusable
        This browser cannot wait, or not here.
    """
    from pyodide.ffi import can_run_sync, run_sync

    if not can_run_sync():
        refuse_in_browser("wait here for a program that is “async”")
    return run_sync(found)


class LateFinder:
    """Finds packages that the page has not loaded yet, by loading them; Python asks it last."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG004 - as Python calls it
        """Load a package, and return where it is; None if it is none of them.

        Raises
        ------
        PackageError
            It cannot be loaded now.
        """
        if name not in LATE_PACKAGES:
            return None
        from pyodide.ffi import can_run_sync, run_sync
        from pyodide_js import loadPackage

        if can_run_sync():
            run_sync(loadPackage(name))
            importlib.invalidate_caches()
        spec = PathFinder.find_spec(name)
        if spec is None:
            raise PackageError(
                say(
                    "package-not-loaded",
                    "a data frame needs {package}, which this page couldn’t load. Check the connection, "
                    "put “import {package}” at the top of the cell and run it again",
                    package=name,
                ),
                name=name,
            )
        return spec


def load_packages_late() -> None:
    """Have Python load packages when they are first imported, if this is a browser."""
    if in_browser() and LateFinder not in sys.meta_path:
        sys.meta_path.append(LateFinder)
