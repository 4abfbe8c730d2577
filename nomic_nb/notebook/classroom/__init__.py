"""A class at play: a page for every seat, served from the process that has the game."""

from __future__ import annotations

from nomic_nb.study import packages

#: What pages need beyond the kit: the extra ``class`` of the package, by names that can be had in a clone, too.
REQUIRED_PACKAGES = ("segno>=1.6", "starlette>=0.46", "uvicorn>=0.35", "websockets>=15")


def missing_package_error(error: ModuleNotFoundError) -> packages.PackageError:
    """Return an error that says how to install the package that is missing for serving pages."""
    return packages.missing_package_error(error, "Player pages", *REQUIRED_PACKAGES)
