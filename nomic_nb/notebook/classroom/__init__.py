"""A class at play: a page for every seat, served from the process that has the game."""

from __future__ import annotations

from nomic_nb.engine.errors import PlainRefusal
from nomic_nb.engine.messages import say

#: What pages need beyond the kit: the extra ``class`` of the package, by names that can be had in a clone, too.
REQUIRED_PACKAGES = ("segno>=1.6", "starlette>=0.46", "uvicorn>=0.35", "websockets>=15")


class PackageError(PlainRefusal, ModuleNotFoundError):
    """What serves pages is not installed; the message says how to install it."""


def missing_package_error(error: ModuleNotFoundError) -> PackageError:
    """Return an error that says how to install the package that is missing for serving pages."""
    needed = " ".join(f'"{required_package}"' for required_package in REQUIRED_PACKAGES)
    return PackageError(
        say(
            "package-missing",
            "Player pages need the package {package}. In a cell, run %pip install {needed} and try "
            "again. In a terminal, use python -m pip instead of %pip.",
            package=error.name,
            needed=needed,
        ),
        name=error.name,
    )
