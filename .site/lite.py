"""Build JupyterLite with the notebooks and the kit: `python .site/lite.py OUT` writes the folder OUT/play.

It needs `pip install jupyterlite-core jupyterlite-pyodide-kernel`, and Node with npm. A `pyodide-lock.json` lists the
wheels of the kit beside those of Pyodide. So the kernel loads all of them at once when it starts, their hashes are
checked, and a notebook needs no cell that installs something. Only pandas is fetched when a cell first wants a frame.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
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
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("out", type=Path)
    asked.add_argument("--downloads", type=Path, default=ROOT / "build/downloads", help="where Pyodide and wheels are")
    asked.add_argument("--pyodide", default="", help="address of Pyodide, if it is not copied beside the page")
    given = asked.parse_args()
    build(given.out, downloads.fetch(given.downloads), given.pyodide)


def build(out: Path, files: Path, address: str = "") -> Path:
    """Write JupyterLite into OUT/play and return that folder.

    Parameters
    ----------
    out : Path
        The folder of the site.
    files : Path
        The folder with Pyodide and wheels that `downloads.fetch` returns.
    address : str
        Where visitors load Pyodide from; by default from the folder itself, which then has no pandas.
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
        "jupyter-lite.json": {"jupyter-lite-schema-version": 0, "jupyter-config-data": {"appName": "nomic_nb"}},
        "jupyter_lite_config.json": {"LiteBuildConfig": {"contents": ["files"], "no_sourcemaps": True}},
        "overrides.json": {
            "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
            "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
        },
    }
    for name, content in config.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    command = (sys.executable, "-m", "jupyterlite_core.app", "build", "--lite-dir", folder, "--output-dir", play)
    subprocess.run([*map(str, command), "--apps", "lab", "--apps", "notebooks"], cwd=folder, check=True)


def write_lock(play: Path, folder: Path, files: Path, address: str) -> None:
    """Write the lock with all wheels, and have the kernel use it."""
    lock = json.loads((files / "package/pyodide-lock.json").read_text(encoding="utf-8"))
    base = f"{address.rstrip('/')}/" if address else "../pyodide/"
    for package in lock["packages"].values():
        package["file_name"] = base + package["file_name"]
    if not address:
        shutil.copytree(files / "package", play / "static/pyodide", ignore=shutil.ignore_patterns("*.ts", "*.map"))
    wheels = {entry["name"]: (wheel, entry) for wheel, entry in map(read_wheel, our_wheels(play, folder, files, lock))}
    there = play / "static/lock"
    there.mkdir(parents=True)
    for name, (wheel, entry) in wheels.items():
        shutil.copy(wheel, there)
        lock["packages"][name] = entry
    check_complete(lock["packages"], [*KERNEL, "nomic-nb"])
    (there / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    path = play / "jupyter-lite.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    plugin = config["jupyter-config-data"].setdefault("litePluginSettings", {}).setdefault(PLUGIN, {})
    plugin["loadPyodideOptions"] = {
        "lockFileURL": "./static/lock/pyodide-lock.json",
        "packages": [*KERNEL, "nomic-nb"],
    }
    plugin["pyodideUrl"] = f"{address.rstrip('/')}/pyodide.mjs" if address else "./static/pyodide/pyodide.mjs"
    path.write_text(json.dumps(config, indent=1), encoding="utf-8")


def our_wheels(play: Path, folder: Path, files: Path, lock: dict[str, Any]) -> list[Path]:
    """Return the wheels of the kit and of the kernel; download those of Pyodide that its npm package lacks."""
    wheels = folder / "wheels"
    hatch = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels))
    subprocess.run(hatch, cwd=ROOT, check=True, capture_output=True)
    known = {canonicalize_name(name): one for name, one in lock["packages"].items()}
    pinned = [f"{name}=={known[name]['version']}" for name in sorted(needed(known, ["ipython", "jedi", "micropip"]))]
    pip = (
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--platform",
        "any",
    )
    python = (*pip, "--python-version", "3.14", "--dest", str(wheels))
    subprocess.run([*python, *WIDGETS, "comm", "ipython-pygments-lexers", *pinned], check=True)
    kernel = [one for one in (play / KERNEL_EXTENSION).glob("*.whl") if not one.name.startswith("widgets")]
    return [*files.glob("*.whl"), *kernel, *wheels.glob("*.whl")]


def read_wheel(wheel: Path) -> tuple[Path, dict[str, Any]]:
    """Return a wheel, and what a lock says of it."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        about = message_from_bytes(archive.read(next(one for one in names if one.endswith(".dist-info/METADATA"))))
    modules = {one.split("/")[0].removesuffix(".py") for one in names if one.endswith(".py") and ".data/" not in one}
    return wheel, {
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


def needed(packages: dict[str, Any], names: list[str]) -> set[str]:
    """Return the packages of a lock that some need, themselves included; those that it lacks are left out."""
    found: set[str] = set()
    while names:
        name = canonicalize_name(names.pop())
        if name in packages and name not in found:
            found.add(name)
            names += packages[name]["depends"]
    return found


def check_complete(packages: dict[str, Any], names: list[str]) -> None:
    """Fail if a package that is loaded at the start needs one that the lock lacks."""
    for name in needed(packages, names):
        if missing := {canonicalize_name(one) for one in packages[name]["depends"]} - packages.keys():
            raise LookupError(f"{name} needs {', '.join(sorted(missing))}, which the lock doesn’t have")


if __name__ == "__main__":
    main()
