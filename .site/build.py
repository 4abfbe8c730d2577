"""Build the site: `python .site/build.py OUT [--notebooks FOLDER] [--playgrounds]`.

Every page stays where it is in the repository. This gathers them beside OUT, runs the notebooks and the cells of the
home page, draws the picture and the gallery, builds strictly with Sphinx, adds the pages on which visitors play if they
are asked for, and checks the links.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import vl_convert
from gallery import stepping_knights, write_gallery
from links import check
from myst_nb.core.read import read_myst_markdown_notebook
from names import DOORS, door_page, library_page
from nbclient import NotebookClient

from nomic_nb.study.sweeps.figures import VEGA_LITE

HERE = Path(__file__).parent
ROOT = HERE.parent
PACKAGE = ROOT / "nomic_nb"
#: The folders in which visitors play, and the scripts that make them.
PLAYGROUNDS = {"table": "table/build.py", "play": "lite.py"}
#: Stands below the title of each notebook.
LINKS = """<p class="links"><a href="../play/notebooks/index.html?path={name}">Run it in your browser</a>
<a href="../files/{name}" download>Download it</a></p>"""


def gather(source: Path) -> None:
    """Copy the pages together. Links between them hold, because folders keep their places to one another."""
    (source / "docs").mkdir(parents=True)
    (source / "rulesets").mkdir()
    for path in (PACKAGE / "docs").glob("*.md"):
        shutil.copy(path, source / "docs")
    for path in PACKAGE.glob("*/rulesets/*.md"):
        shutil.copy(path, source / "rulesets")
    shutil.copy(ROOT / "CHANGELOG.md", source)


def write_names(folder: Path) -> None:
    """Write the pages of public names."""
    folder.mkdir()
    for door in DOORS:
        (folder / f"{door['slug']}.md").write_text(door_page(door), encoding="utf-8")
    (folder / "library.md").write_text(library_page(), encoding="utf-8")


def draw_home(path: Path) -> None:
    """Draw the picture of the home page: the boards after the last move of a game in the gallery."""
    drawing = stepping_knights().draw("white", "yellow", targets="yellow.f4")
    path.write_text(drawing.svg_for_file, encoding="utf-8")


def run(book: nbformat.NotebookNode) -> None:
    """Run the cells of a notebook in a fresh kernel; an error in a cell ends the build."""
    with tempfile.TemporaryDirectory() as home:
        client = NotebookClient(
            book,
            timeout=180,
            kernel_name="python3",
            store_widget_state=False,
            resources={"metadata": {"path": home}},
            extra_arguments=["--log-level=ERROR"],
        )
        client.execute(env={**os.environ, "PYTHONPATH": str(ROOT), "IPYTHONDIR": home})


def home_page() -> str:
    """Return the home page: with how to install from the README, and with the pages that its lists do not name."""
    text = (HERE / "index.md").read_text(encoding="utf-8")
    pages = sorted(f"docs/{path.stem}" for path in (PACKAGE / "docs").glob("*.md"))
    others = "\n".join(page for page in pages if f"\n{page}\n" not in text)
    install = (
        (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## Install and play\n")[2].partition("\n## ")[0]
    )
    return text.replace("docs/others", others).replace("README: Install and play", install.strip())


def with_outputs(path: Path, ran: Path | None) -> nbformat.NotebookNode:
    """Return a notebook with its outputs: those in the folder `ran`, if they are of just these cells, or new ones."""
    if path.suffix == ".md":
        book = read_myst_markdown_notebook(home_page(), add_source_map=False)
        book.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    else:
        book = nbformat.read(path, as_version=4)
    if ran and (ran / path.name).is_file():
        done = nbformat.read(ran / path.name, as_version=4)
        if [cell.source for cell in done.cells] == [cell.source for cell in book.cells]:
            return done
    run(book)
    return book


def still(book: nbformat.NotebookNode) -> None:
    """Leave of each output what a page without a kernel can show; charts become drawings above their tables."""
    for cell in book.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            data.pop("application/vnd.jupyter.widget-view+json", None)
            if chart := data.pop(VEGA_LITE, None):
                drawing = vl_convert.vegalite_to_svg(chart, vl_version="5.20")
                data["text/html"] = f'<div class="chart">{drawing}</div>{data.get("text/html", "")}'


def write_notebooks(source: Path, out: Path, ran: Path | None) -> None:
    """Write the home page and all notebooks with their outputs, and the notebooks as they are for downloading."""
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    (source / "notebooks").mkdir()
    (out / "files").mkdir(parents=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        books = pool.map(lambda path: with_outputs(path, ran), [HERE / "index.md", *notebooks])
    home, *others = books
    still(home)
    nbformat.write(home, source / "index.ipynb")
    for path, book in zip(notebooks, others, strict=True):
        shutil.copy(path, out / "files")
        still(book)
        book.cells.insert(1, nbformat.v4.new_markdown_cell(LINKS.format(name=path.name)))
        nbformat.write(book, source / "notebooks" / path.name)


def build(out: Path, ran: Path | None, *, playgrounds: bool) -> bool:
    """Build the site in a folder, which is emptied first, and return whether all its links hold."""
    source = out.with_name(f"{out.name}-source")
    for folder in (out, source):
        shutil.rmtree(folder, ignore_errors=True)
    gather(source)
    write_names(source / "names")
    write_notebooks(source, out, ran)
    (source / "gallery.md").write_text(write_gallery(out / "gallery"), encoding="utf-8")
    draw_home(source / "home.svg")
    sphinx = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "auto", "-c", str(HERE)]
    subprocess.run([*sphinx, "-d", str(source / ".doctrees"), str(source), str(out)], check=True)
    for script in PLAYGROUNDS.values() if playgrounds else ():
        subprocess.run([sys.executable, str(HERE / script), str(out)], check=True)
    return check(out, () if playgrounds else tuple(PLAYGROUNDS))


def main(words: Iterable[str] | None = None) -> int:
    """Build the site as the command line says."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--notebooks", type=Path, help="a folder of notebooks that have been run already")
    arguments.add_argument("--playgrounds", action="store_true", help="with the pages that play, which need Node")
    given = arguments.parse_args(words)
    began = time.monotonic()
    whole = build(given.out.resolve(), given.notebooks, playgrounds=given.playgrounds)
    print(f"The site is in {given.out}, built in {time.monotonic() - began:.0f} s.")
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
