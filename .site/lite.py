"""Build JupyterLite with the notebooks and the kit: `python .site/lite.py OUT` writes the folder OUT/play.

It needs `pip install jupyterlite-core jupyterlite-pyodide-kernel`, and Node with npm. A `pyodide-lock.json` lists the
wheels of the kit beside those of Pyodide. So the kernel loads all of them at once when it starts, their hashes are
checked, and a notebook needs no cell that installs something. Only pandas is fetched when a cell first wants a frame,
from Pyodide’s own host, because npm does not have it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / ".site/table"))

import downloads  # noqa: E402 - which the table uses, too

#: What the kernel needs when it starts; if it were not named, it would be installed piece by piece in the browser.
KERNEL = ("micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "ipython", "jedi")
#: What the kernel loads at once.
STARTED = (*KERNEL, "nomic-nb")
#: The packages of the kit for widgets, beside those that the table needs.
WIDGETS = ("anywidget", "ipywidgets", "psygnal")
#: What is loaded once a cell wants it, and what the page has without Python.
LATE, IN_PAGE = {"pandas"}, {"widgetsnbextension", "jupyterlab-widgets"}
#: Where markers of requirements are asked.
BROWSER = {"sys_platform": "emscripten", "platform_system": "Emscripten", "extra": ""}
KERNEL_EXTENSION = "extensions/@jupyterlite/pyodide-kernel-extension/static/pypi"
PLUGIN = "@jupyterlite/pyodide-kernel-extension:kernel"


def main() -> None:
    """Build the folder that is named."""
    build(*downloads.read_command(__doc__))


def build(out: Path, files: Path, address: str = "") -> Path:
    """Write JupyterLite into OUT/play and return that folder.

    Parameters
    ----------
    out : Path
        The folder of the site.
    files : Path
        The folder with Pyodide and wheels that `downloads.fetch` returns.
    address : str
        Where visitors load all of Pyodide from; by default, only pandas is loaded from another host.
    """
    play = (out / "play").absolute()
    shutil.rmtree(play, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        build_site(Path(folder), play)
        write_lock(play, Path(folder), files, address)
    return play


def build_site(folder: Path, play: Path) -> None:
    """Have JupyterLite write its applications and our notebooks."""
    names = shutil.ignore_patterns("record", ".ipynb_*", "__pycache__")
    shutil.copytree(ROOT / "notebooks", folder / "files", ignore=names)
    config = {
        "jupyter-lite.json": {
            "jupyter-lite-schema-version": 0,
            "jupyter-config-data": {"appName": "nomic_nb", "exposeAppInBrowser": True},
        },
        "jupyter_lite_config.json": {"LiteBuildConfig": {"contents": ["files"], "no_sourcemaps": True}},
        "overrides.json": {
            "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
            "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
        },
    }
    for name, content in config.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    command = (sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", folder, "--output-dir", play)
    subprocess.run([*map(str, command), "--apps", "lab", "--apps", "notebooks"], cwd=folder, check=True)


def write_lock(play: Path, folder: Path, files: Path, address: str) -> None:
    """Write the lock with all wheels, and have the kernel use it."""
    lock = json.loads((files / "package/pyodide-lock.json").read_text(encoding="utf-8"))
    base = f"{address.rstrip('/')}/" if address else downloads.PACKAGES
    packages = {canonicalize_name(name): package for name, package in lock["packages"].items()}
    for package in packages.values():
        package["file_name"] = base + package["file_name"]
    wheels = folder / "wheels"
    hatch = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels))
    subprocess.run(hatch, cwd=ROOT, env={**os.environ, "NOMIC_NB_PURE": "1"}, check=True, capture_output=True)
    download(wheels, *WIDGETS, "comm")
    kernel = (one for one in (play / KERNEL_EXTENSION).glob("*.whl") if not one.name.startswith("widgets"))
    ours = add_wheels(packages, [*files.glob("*.whl"), *kernel, *wheels.glob("*.whl")], play / "static/lock")
    if not address:  # npm has the core of Pyodide alone: what is loaded at the start comes from the registry of Python
        shutil.copytree(files / "package", play / "static/pyodide", ignore=shutil.ignore_patterns("*.ts", "*.map"))
        pinned = [f"{name}=={packages[name]['version']}" for name in needed(packages, STARTED) - ours]
        download(folder / "more", "ipython-pygments-lexers", *pinned)  # the first, for a wheel of ipython from there
        add_wheels(packages, [*(folder / "more").glob("*.whl")], play / "static/lock")
    check_complete(packages)
    (play / "static/lock/pyodide-lock.json").write_text(json.dumps(lock | {"packages": packages}), encoding="utf-8")
    path = play / "jupyter-lite.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    plugin = config["jupyter-config-data"].setdefault("litePluginSettings", {}).setdefault(PLUGIN, {})
    plugin["loadPyodideOptions"] = {"lockFileURL": "./static/lock/pyodide-lock.json", "packages": [*STARTED]}
    plugin["pyodideUrl"] = f"{address.rstrip('/')}/pyodide.mjs" if address else "./static/pyodide/pyodide.mjs"
    path.write_text(json.dumps(config, indent=1), encoding="utf-8")


def download(folder: Path, *names: str) -> None:
    """Download wheels that run anywhere, each without what it needs."""
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:")
    where = ("--platform", "any", "--python-version", "3.14", "--dest", str(folder))
    subprocess.run([*pip, *where, *names], check=True)


def add_wheels(packages: dict[str, Any], wheels: list[Path], folder: Path) -> set[str]:
    """Copy wheels into a folder and put them into a lock, in place of others of the same name; return their names."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = [read_wheel(wheel) for wheel in wheels]
    for wheel in wheels:
        shutil.copy(wheel, folder)
    packages.update((entry["name"], entry) for entry in entries)
    return {entry["name"] for entry in entries}


def read_wheel(wheel: Path) -> dict[str, Any]:
    """Return what a lock says of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        about = message_from_bytes(archive.read(next(one for one in names if one.endswith(".dist-info/METADATA"))))
    modules = {one.split("/")[0].removesuffix(".py") for one in names if one.endswith(".py") and ".data/" not in one}
    return {
        "name": canonicalize_name(about["Name"]),
        "version": about["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "package_type": "package",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "imports": sorted(modules),
        "depends": sorted(required(about) - LATE - IN_PAGE),
        "unvendored_tests": False,
    }


def required(about: Message) -> set[str]:
    """Return the names of the packages that a wheel needs in a browser."""
    found = (Requirement(str(one)) for one in about.get_all("Requires-Dist", ()))
    where = BROWSER | {"python_version": "3.14", "python_full_version": "3.14.0"}
    return {canonicalize_name(one.name) for one in found if one.marker is None or one.marker.evaluate(where)}


def needed(packages: dict[str, Any], names: Iterable[str]) -> set[str]:
    """Return the packages of a lock that some need, themselves included; those that it lacks are left out."""
    found, open_names = set[str](), list(names)
    while open_names:
        name = canonicalize_name(open_names.pop())
        if name in packages and name not in found:
            found.add(name)
            open_names += packages[name]["depends"]
    return found


def check_complete(packages: dict[str, Any]) -> None:
    """Fail if a package that is loaded at the start needs one that the lock lacks."""
    for name in needed(packages, STARTED):
        if missing := {canonicalize_name(one) for one in packages[name]["depends"]} - packages.keys():
            raise LookupError(f"{name} needs {', '.join(sorted(missing))}, which the lock doesn’t have")


if __name__ == "__main__":
    main()
