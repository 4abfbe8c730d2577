"""Build the page that plays without a server: `python .site/table/build.py OUT` writes the folder OUT/table.

It needs Node with npm, and the kit with its packages in this Python. Visitors load Pyodide from the folder itself, or,
with ``--pyodide URL``, from another host.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import downloads

from nomic_nb.engine.play.record_limits import LARGEST_FILE
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import find_ruleset, known_rulesets
from nomic_nb.notebook.panels.widget import STYLES, bundled_modules, front_end_source
from nomic_nb.notebook.start_form import AWAY_LABEL, COMPANIONS, DICE_CHOICES
from nomic_nb.notebook.table_settings import JOINT_CHOICES, choices_of_ruleset
from nomic_nb.study.players.kit import KINDS

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
#: The files of Pyodide that a page loads.
PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
#: What Python does for the page, and for the cells of the home page.
HOSTS = ("table_host.py", "page_cells.py")
#: The rule set that the form offers first, and who sits there at first.
FIRST, NAMES = "discordian-nomic", ("Ann", *COMPANIONS[:2])


def main() -> None:
    """Build the folder that is named."""
    build(*downloads.read_command(__doc__))


def build(out: Path, files: Path, address: str = "") -> Path:
    """Write the page into OUT/table and return that folder.

    Parameters
    ----------
    out : Path
        The folder of the site.
    files : Path
        The folder with Pyodide and wheels that `downloads.fetch` returns.
    address : str
        Where visitors load Pyodide from; by default from the folder itself.
    """
    table, package = out / "table", files / "package"
    write_front_end(table)
    pack_kit(table / "kit.zip", files)
    loaded = [package / name for name in PYODIDE_FILES]
    if not address:
        (table / "pyodide").mkdir()
        for path in loaded:
            shutil.copy(path, table / "pyodide")
    where = address.rstrip("/") + "/" if address else "pyodide/"
    total = sum(path.stat().st_size for path in (table / "kit.zip", *loaded) if path.suffix != ".mjs")
    compiled = sum(path.stat().st_size for path in loaded if path.suffix == ".wasm")
    memory = version([integrity(path) for path in (table / "kit.zip", *loaded)])
    told = {"KIT": "kit.zip", "PYODIDE": where, "TOTAL": total, "COMPILED_TOTAL": compiled, "MEMORY": memory}
    (table / "files.js").write_text(module(told), encoding="utf-8")
    write_service_worker(table, {f"{where}{path.name}": path for path in loaded})
    return table


def write_front_end(table: Path) -> None:
    """Write everything but Python, with the choices of the form, into a new folder."""
    shutil.rmtree(table, ignore_errors=True)
    (table / "widgets").mkdir(parents=True)
    for name in ("index.html", "table.css", "table.js", "store.js", "worker.js"):
        shutil.copy(HERE / name, table)
    scripts = {"table.js": bundled_modules("table"), "theme.js": front_end_source("theme.js")}
    for name, text in {**scripts, **{name: front_end_source(name) for name in STYLES}}.items():
        (table / "widgets" / name).write_text(text, encoding="utf-8")
    (table / "choices.js").write_text(module(choices()), encoding="utf-8")


def module(values: dict[str, object]) -> str:
    """Return the text of a JavaScript module that exports values by name."""
    return "".join(
        f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n" for name, value in values.items()
    )


def choices() -> dict[str, object]:
    """Return what the form offers, which is what `nb.start` offers."""
    sets = [one for name in known_rulesets() if (one := find_ruleset(name, language())).alone]
    return {
        "RULE_SETS": [
            {
                "name": one.name,
                "title": one.title,
                "players": one.players,
                "lead": " ".join(one.introduction.strip().split("\n\n")[0].split()),
                **choices_of_ruleset(one),
            }
            for one in sorted(sets, key=lambda one: one.name != FIRST)
        ],
        "JOINT": [[value, text] for text, value in JOINT_CHOICES],
        "DICE": [[value or "", text] for text, value in DICE_CHOICES],
        "AWAY": AWAY_LABEL,
        "KINDS": list(KINDS),
        "COMPANIONS": list(NAMES),
        "LARGEST": LARGEST_FILE,
    }


def pack_kit(archive: Path, files: Path) -> None:
    """Put the kit, the packages that it needs and the host of the page into one archive, compiled for Pyodide."""
    node = shutil.which("node") or "node"
    with tempfile.TemporaryDirectory() as folder:
        build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
        subprocess.run(build, cwd=ROOT, env={**os.environ, "NOMIC_NB_PURE": "1"}, check=True, capture_output=True)
        packed = [*sorted(files.glob("*.whl")), *Path(folder).glob("*.whl"), *(HERE / name for name in HOSTS)]
        command = [node, HERE / "compile.mjs", files / "package", archive, *packed]
        subprocess.run([str(one) for one in command], check=True)


def write_service_worker(table: Path, loaded: dict[str, Path]) -> None:
    """Write the script that keeps all files of the page, each with its hash, for visits without a network."""
    own = {path.relative_to(table).as_posix(): path for path in sorted(table.rglob("*")) if path.is_file()}
    files = {"./" if name == "index.html" else name: path for name, path in {**own, **loaded}.items()}
    listed = [[name, integrity(path)] for name, path in files.items()]
    text = (HERE / "sw.js").read_text(encoding="utf-8").replace("@CACHE@", f"nomic_nb table {version(listed)}")
    text = re.sub(r'"@FILES@"', lambda _: json.dumps(listed), text)
    (table / "sw.js").write_text(text, encoding="utf-8")


def version(files: list[Any]) -> str:
    """Return a short name for files with their hashes, which changes if one of them does."""
    return hashlib.sha256(json.dumps(files).encode()).hexdigest()[:16]


def integrity(path: Path) -> str:
    """Return the hash of a file as browsers check it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(path.read_bytes()).digest()).decode()


if __name__ == "__main__":
    main()
