"""Every notebook runs from top to bottom, is saved bare, and tells no more than its cells show."""

from __future__ import annotations

import ast
import os
import time
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

import nomic_nb as nb

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
FIRST = "01_a_game_of_nomic"

#: What the HTML export of a notebook must have in it, as cells show it.
EXPORTED = {
    FIRST: (
        "Law book",
        "No clauses: people apply this rule.",
        "Defeated: 1 for, 2 against; 3 of 3 in favour are needed (rule 203).",
        "Adopted: 2 for, 1 against; 2 of 3 in favour are needed (rule 303).",
        "Bruno wins (rule 308).",
    ),
}

#: What the text of a notebook relies on, by cell: these words stand in what the cell shows.
TOLD = {
    FIRST: {
        "quota-before": ["vote.quota is 3", "rule 203", "depends on change"],
        "bruno-too-early": ["Ada's turn", "rule 201", "Open now: Ada: vote on 301"],
        "dice-sides": ["dice.sides is 20", "defeated: rule P4"],
        "roll-2": ["Bruno  −10 points = -10  (rule 206)"],
        "quota-after": ["vote.quota is 2", "rule 303"],
        "roll-4": ["Cleo  +10 points = 21  (rule 204)"],
        "laughter": ["Ada applies rule 305", "Bruno gets 3 points"],
        "scores-6": ["Ada 13", "Bruno 39", "Cleo 41"],
        "amend-112": ["rule 112 is immutable", "transmute rule 112"],
        "quota-transmute": ["vote.quota is 3", "prevails: rule 109", "defeated: rule 303"],
        "propose-307": ["Adopted: 3 for", "(rule 109)"],
        "corner": ["Ada: 19", "Bruno: 37", "Cleo: 41"],
        "ballots-308": ["Adopted: 2 for, 1 against"],
        "tail-308": ["Cleo gets 10 points and has 51 204", "part begins: throw"],
        "the-end": ["Bruno wins (rule 308)", "Bruno: 55", "Cleo: 51"],
        "points-by-rule": ["202 19 54 21", "204 0 10 30"],
        "save-and-load": ["('Bruno', True)"],
    },
}

SECONDS = 20


def code(book):
    return [cell for cell in book.cells if cell.cell_type == "code"]


def said(cell):
    """Everything that a cell shows as plain text, with single spaces."""
    shown = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    return " ".join(" ".join(shown).split())


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture(scope="module")
def saved(path):
    return nbformat.read(path, as_version=4)


@pytest.fixture(scope="module")
def run(path, tmp_path_factory):
    """The notebook, executed in a fresh kernel, and the seconds that it took."""
    book = nbformat.read(path, as_version=4)
    home = tmp_path_factory.mktemp("home")
    places = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(places), "IPYTHONDIR": str(home)}
    client = NotebookClient(
        book,
        timeout=60,
        kernel_name="python3",
        store_widget_state=False,
        allow_errors=True,
        resources={"metadata": {"path": str(home)}},
    )
    began = time.monotonic()
    client.execute(env=env)
    return book, time.monotonic() - began


def test_there_are_notebooks():
    assert FIRST in [path.stem for path in NOTEBOOKS]


def test_nothing_goes_wrong_when_it_runs(run):
    book, _ = run
    for cell in code(book):
        for output in cell.outputs:
            assert output.output_type != "error", f"{cell.id}: {output.get('evalue')}"
            assert output.get("name") != "stderr", f"{cell.id}: {output.get('text')}"


def test_it_does_not_take_long(run):
    assert run[1] < SECONDS


def test_no_widget_state_is_kept(saved, run):
    for book in (saved, run[0]):
        assert "widgets" not in book.metadata


def test_it_is_saved_bare(saved):
    nbformat.validate(saved)
    assert set(saved.metadata) <= {"kernelspec", "language_info"}
    assert saved.metadata.kernelspec.name == "python3"
    for cell in saved.cells:
        assert not cell.metadata, cell.id
    for cell in code(saved):
        assert cell.outputs == [], cell.id
        assert cell.execution_count is None, cell.id


def test_text_comes_before_code(saved):
    before = "code"
    for cell in saved.cells:
        assert cell.cell_type == "markdown" or before == "markdown", cell.id
        before = cell.cell_type


def test_it_uses_public_names_only(saved):
    for cell in code(saved):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Attribute):
                assert not node.attr.startswith("_"), cell.id
                if isinstance(node.value, ast.Name) and node.value.id == "nb":
                    assert node.attr in nb.__all__, f"{cell.id}: nb.{node.attr}"
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("nomic_nb"), cell.id


def test_the_text_tells_what_the_cells_show(path, run):
    cells = {cell.id: cell for cell in code(run[0])}
    for id, words in TOLD.get(path.stem, {}).items():
        shown = said(cells[id])
        for one in words:
            assert " ".join(one.split()) in shown, f"{id}: {shown}"


def test_its_export_shows_the_game(path, run):
    html, _ = HTMLExporter().from_notebook_node(run[0])
    for one in EXPORTED.get(path.stem, ()):
        assert one in html
