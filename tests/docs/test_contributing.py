"""The page for those who change the kit: its examples work as they stand, and what it names is there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from docs.test_links import anchors, links

ROOT = Path(__file__).parents[2]
PAGE = ROOT / ".github" / "CONTRIBUTING.md"
TEXT = PAGE.read_text(encoding="utf-8")


def blocks(language: str) -> list[tuple[str, str]]:
    """Return the blocks of a language, each with the file that its first line names."""
    return re.findall(rf"```{language}\n# (\S+)\n(.*?)```", TEXT, re.S)


def cells() -> set[str]:
    """Return what stands in commands: in tables and in blocks."""
    return {*re.findall(r"\| `([^`]+)`", TEXT), *re.findall(r"```sh\n(.*?)```", TEXT, re.S)}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a copy of the package in which somebody has done what the page says."""
    shutil.copytree(ROOT / "nomic_nb", tmp_path / "nomic_nb", ignore=shutil.ignore_patterns("*.png"))
    for name, code in blocks("python"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n\n{code}" if path.stat().st_size else code)
    for name, change in blocks("diff"):
        path = tmp_path / name
        text = path.read_text(encoding="utf-8")
        was, now = ("\n".join(re.findall(rf"^\{sign}(.*)$", change, re.M)) for sign in "-+")
        assert text.count(was) == 1, f"{name} has no such line: {was}"
        path.write_text(text.replace(was, now), encoding="utf-8")
    return tmp_path


def run(clone: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python where the copy is the package."""
    where = {**os.environ, "PYTHONPATH": f"{clone}{os.pathsep}{ROOT / 'tests'}"}
    return subprocess.run([sys.executable, *command], cwd=clone, env=where, capture_output=True, text=True)


@pytest.mark.slow
def test_every_example_works_and_has_a_test_that_shows_it(clone: Path) -> None:
    added = [name for name, _ in blocks("python")]
    tests = [name for name in added if name.startswith("tests/")]
    assert len(tests) == len(added) - len(tests) == 3
    assert run(clone, "-c", "import nomic_nb; print(nomic_nb.__file__)").stdout.startswith(str(clone))
    told = run(clone, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(clone), *tests)
    assert "3 passed" in told.stdout, told.stdout[-3000:]


def test_the_examples_are_written_as_the_kit_is(clone: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", clone)
    names = {name for name, _ in blocks("python")}
    for what in ("check", "format --check"):
        told = run(clone, "-m", "ruff", *what.split(), "--no-cache", *names)
        assert told.returncode == 0, told.stdout


def test_what_the_commands_name_is_there() -> None:
    named = {one for command in cells() for one in re.findall(r"(?<!\S)\.?[\w-]+/[\w./-]+", command)}
    files = {one for one in named if not one.startswith((".venv/", "build/"))}
    assert {"tests/tools/soak.py", "tests/tools/kills.py", ".ci/lowest", ".ci/pre-commit.yaml"} <= files
    assert {one for one in files if not (ROOT / one).exists()} == set()


def test_its_links_lead_somewhere() -> None:
    assert links(PAGE)
    for link in links(PAGE):
        name, _, heading = link.partition("#")
        target = (PAGE.parent / name).resolve() if name else PAGE
        assert target.is_file(), link
        assert not heading or heading in anchors(target), link
