"""What the repository promises about itself."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from outside import load_script
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from refusals import refused

import nomic_nb as nb
from nomic_nb.notebook.classroom import REQUIRED_PACKAGES
from nomic_nb.study import reference as docs

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "nomic_nb"
release = load_script(".ci/release.py")


def commands() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)\n```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    return [block for block in blocks if "venv" in block]  # those for a clone


def test_ci_runs_the_command_that_the_readme_names():
    play, test = commands()
    assert test in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert "pytest" in test
    opened = re.search(r"notebooks/\S+", play)
    assert opened is not None
    assert (ROOT / opened[0]).is_file()


def test_the_commands_stand_beside_in_powershell():
    unix = {"python3 ": "py ", ".venv/bin/": ".venv\\Scripts\\", "notebooks/": "notebooks\\", " && ": "\n"}
    beside = re.findall(r"```powershell\n(.*?)\n```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    assert len(beside) == 2
    for command, lines in zip(commands(), beside, strict=True):
        for one, other in unix.items():
            command = command.replace(one, other)
        assert lines == command


def extra(name):
    """The packages of an extra, with those of the extras that it names."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        named = tomllib.load(file)["project"]["optional-dependencies"][name]
    inner = [found[1] for one in named if (found := re.fullmatch(r"nomic-nb\[(\w+)\]", one))]
    return {one for one in named if "[" not in one}.union(*map(extra, inner))


def test_the_first_command_of_the_readme_installs_what_pages_need():
    (named,) = re.findall(r"'\.\[(\w+)\]'", commands()[0])
    assert set(REQUIRED_PACKAGES) <= extra(named)
    assert set(REQUIRED_PACKAGES) == extra("class")


@pytest.mark.skipif(release.last_release() is not None, reason="a registry has it")
def test_no_advice_names_a_package_that_no_registry_has_yet():
    pages = [ROOT / "README.md", *PACKAGE.rglob("*.md"), *PACKAGE.rglob("*.py"), *(ROOT / "notebooks").glob("*.ipynb")]
    for page in pages:
        assert not re.search(r"install[^\n]*nomic-nb", page.read_text(encoding="utf-8")), page


def test_what_must_hold_takes_no_word_that_it_does_not_know():
    told = subprocess.run([ROOT / ".ci" / "run", "--without", "brwoser"], capture_output=True, text=True)
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr == "usage: .ci/run [--without browser | --lowest | --fuzz]\n"


def test_what_the_readme_shows_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    assert len(blocks) == 3
    for block in blocks:
        exec(block, names)  # noqa: S102 - our own page
    game = names["game"]
    assert isinstance(game, nb.Game)
    assert game.why("vote.quota").value == 2
    assert game.why("vote.quota").rule == 301
    assert game.proposals[302].outcome == "adopted"


def test_the_page_of_terms_is_made_from_the_registry():
    assert docs.read_page("keys") == docs.vocabulary_page(), "run nomic-nb docs"


def test_every_page_can_be_had():
    for name in docs.page_names():
        assert docs.read_page(name).startswith("# ")
    with refused("no-such-page", KeyError, page="nowhere"):
        docs.read_page("nowhere")


def code_strings(path: Path) -> list[str]:
    """Return the texts in a module that are code: not docstrings, not annotations."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documents = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                documents.add(first.value)
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documents
    ]


@pytest.mark.slow
def test_the_engine_names_no_system():
    plain = ("nomic", "chess", "make", "a", "rule")  # words of the language of rules, and no names
    names = [part for name in nb.rulesets().index for part in (name, *name.split("-")) if part not in plain]
    assert names
    for folder in ("engine", "chess/play", "chess/fairplay", "chess/record"):
        for path in (PACKAGE / folder).glob("**/*.py"):
            if path.name == "__init__.py":  # examples of use
                continue
            for text in code_strings(path):
                assert not any(name in text.lower() for name in names), f"{path.name}: {text!r}"


@pytest.mark.slow
def test_no_class_holds_a_partial_which_python_3_14_would_bind_like_a_method():
    for path in PACKAGE.rglob("*.py"):
        classes = [
            one for one in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(one, ast.ClassDef)
        ]
        for one in [one for found in classes for one in found.body if isinstance(one, ast.Assign)]:
            assert not ast.unparse(one.value).startswith(("partial(", "functools.partial(")), f"{path}:{one.lineno}"


#: Calls, values given by name, lists of texts as Python writes them.
PYTHON = re.compile(r"\b(host|game|nb)\.[a-z]|\b\w+\(\)|\b[a-z_]+=[\[{'\"…]")
#: Where people write Python: magics, the functions for positions, studies and sweeps, and pages made for them.
FOR_PROGRAMMERS = (
    "notebook/panels/magics.py",
    "notebook/panels/position_panel.py",
    *(f"chess/multiverse/{name}.py" for name in ("notation", "extra_rules", "rules")),
    *(
        f"study/{name}.py"
        for name in (
            "reference",
            "help_search",
            "position_study",
            "sweeps/runs",
            "sweeps/sweep",
            "audit/tables",
            "search/opened",
        )
    ),
)


@pytest.mark.slow
def test_no_message_to_people_is_written_in_python():
    plain = [PACKAGE / name for name in FOR_PROGRAMMERS]
    assert all(path.is_file() for path in plain)
    for folder in ("engine", "chess", "study", "notebook/panels"):
        paths = [*(PACKAGE / folder).glob("**/*.py")]
        assert paths, folder
        texts = [(path.name, text) for path in paths if path not in plain for text in code_strings(path)]
        said = [(name, text) for name, text in texts if " " in text.strip() and not text.startswith("<")]
        assert not [(name, text) for name, text in said if PYTHON.search(text) and "in a cell" not in text]


def test_a_light_import_leaves_out_what_only_some_need():
    heavy = ["pandas", "ipywidgets", "lark", "chess", *(f"nomic_nb.{one}" for one in ("chess", "study", "notebook"))]
    code = f"import sys, nomic_nb; print([m for m in {heavy} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT)
    assert result.stdout.strip() == "[]"


def test_binder_builds_this_kit_on_a_python_that_it_allows_and_the_badge_opens_a_notebook():
    minor = re.search(r"\npython-3\.(\d+)\n*$", "\n" + (ROOT / "binder" / "runtime.txt").read_text(encoding="utf-8"))
    least = re.search(r'requires-python = ">=3\.(\d+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert minor is not None
    assert least is not None
    assert int(minor[1]) >= int(least[1])
    assert (ROOT / "binder" / "requirements.txt").read_text(encoding="utf-8").split() == ["-c", "constraints.txt", "."]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    opened = re.findall(r"mybinder\.org/v2/gh/[^/]+/[^/]+/[^?]+\?urlpath=lab/tree/(\S+)\)", readme)
    assert opened
    assert all((ROOT / notebook).is_file() for notebook in opened)


def test_binder_gets_one_version_of_each_package_and_one_that_the_kit_allows():
    lines = (ROOT / "binder" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = {canonicalize_name(name): version for name, version in (line.split("==") for line in lines)}
    assert len(pins) == len(lines)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for needed in map(Requirement, project["dependencies"]):
        assert needed.specifier.contains(pins[canonicalize_name(needed.name)]), needed
