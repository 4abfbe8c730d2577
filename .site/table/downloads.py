"""Download what a clone lacks for pages that run Python: Pyodide from npm, and the wheels that go with the kit."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
from contextlib import suppress
from pathlib import Path

#: The Pyodide of the table; a test runs the kit in the same.
PYODIDE = "314.0.7"
#: Where the other packages of Pyodide are, such as pandas, which no registry has for browsers.
PACKAGES = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/"
#: The packages that play needs beside the kit; those for data frames and widgets are not among them.
PURE, FROM_SOURCE = ("lark", "markdown-it-py", "mdurl"), ("chess",)
#: Where downloads are kept, and seconds for one.
DOWNLOADS, PATIENCE = Path(__file__).parents[2] / "build/downloads", 60


class MissingDownloadError(Exception):
    """There is no Node with npm, or a registry gave no package."""


def fetch(folder: Path) -> Path:
    """Return the folder in a folder that has Pyodide (in `package`) and the wheels; it is filled if it is not there.

    Raises
    ------
    MissingDownloadError
        Something cannot be had; the message says what.
    """
    files, npm, pip = folder / "files", shutil.which("npm"), (sys.executable, "-m", "pip", "--quiet")
    if files.exists():
        return files
    if shutil.which("node") is None or npm is None:
        raise MissingDownloadError("There is no Node with npm.")
    commands = (
        (npm, "pack", "--silent", f"pyodide@{PYODIDE}"),
        (*pip, "download", "--no-deps", "--only-binary", ":all:", *PURE),
        (*pip, "wheel", "--no-deps", *FROM_SOURCE),
    )
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as part:
        for command in commands:
            try:
                subprocess.run(command, check=True, capture_output=True, cwd=part, timeout=PATIENCE)
            except (OSError, subprocess.SubprocessError) as error:
                raise MissingDownloadError(f"A registry gave no package ({' '.join(command[-5:])}).") from error
        with tarfile.open(Path(part, f"pyodide-{PYODIDE}.tgz")) as archive:
            archive.extractall(part, filter="data")
        with suppress(OSError):  # another process was faster
            Path(part).rename(files)
    return files


def read_command(about: str | None) -> tuple[Path, Path, str]:
    """Return what a script that builds pages was asked for: a folder, the downloads, Pyodide’s address."""
    asked = argparse.ArgumentParser(description=about)
    asked.add_argument("out", type=Path)
    asked.add_argument("--downloads", type=Path, default=DOWNLOADS, help="where Pyodide and wheels are")
    asked.add_argument("--pyodide", default="", help="address of Pyodide, if it is not copied beside the page")
    given = asked.parse_args()
    return given.out, fetch(given.downloads), given.pyodide


def main() -> None:
    """Fill the folder that is named."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    fetch(asked.parse_args().folder)


if __name__ == "__main__":
    main()
