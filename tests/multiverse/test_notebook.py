"""The notebook on the multiverse runs from top to bottom."""

from pathlib import Path

import nbformat

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "04_multiverse.ipynb"


def test_its_cells_run_in_order():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    names: dict[str, object] = {}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, NOTEBOOK.name, "exec"), names)  # noqa: S102 - the notebook is ours
    assert "f3e3" not in names["before"].moves("f3")
    assert "f3f4" in names["after"].moves("f3")
    assert len(names["push"].moves()) == 20
