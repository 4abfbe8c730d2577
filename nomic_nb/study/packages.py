"""Packages that a part of the kit needs beyond those that are always installed."""

from __future__ import annotations

from nomic_nb.engine.errors import PlainRefusal
from nomic_nb.engine.messages import say


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
