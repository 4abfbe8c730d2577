"""What is released: the wheel and the source archive are whole, and install where nothing else is."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
from outside import load_script

from nomic_nb.chess.kernel import CHECKSUM, LIBRARY

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
find_compiler = load_script("hatch_build.py").find_compiler
release = load_script(".ci/release.py")
WIDGETS = (".js", ".css", ".html")
#: What somebody does first, away from the sources.
FIRST_GAME = """
import sys
from pathlib import Path
import nomic_nb as nb

assert Path(nb.__file__).is_relative_to(sys.prefix), nb.__file__
assert len(nb.rulesets()) >= 5
game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, machines={"Ben": "sensible"})
game.propose("Ann", nb.library.simple_majority().change(203))
assert "export" in str(game.panel()._esm)
assert nb.help("writing")
print(game.history.shape[0])
"""


#: Where a wheel has the compiled kernel.
KERNEL = f"chess/kernel/{LIBRARY.name}"


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """The source archive, the wheel for every system and, with a compiler, that for this one."""
    folder = tmp_path_factory.mktemp("built")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        release.build_archives(folder)
        yield sorted(folder.iterdir(), key=lambda one: (one.suffix, "none-any" not in one.name))


def names_in(wheel):
    """The files of a wheel but for the compiled kernel, which only some systems have."""
    return {name for name in zipfile.ZipFile(wheel).namelist() if not name.endswith(("/", KERNEL, CHECKSUM))}


def sources(folder):
    """The files of a folder that are sources."""
    found = (path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file())
    return {name for name in found if "__pycache__" not in name and not name.endswith((".pyc", KERNEL, CHECKSUM))}


def test_each_wheel_holds_the_whole_kit_and_nothing_else(archives):
    kit = {name for name in sources("nomic_nb") if not (name.startswith("nomic_nb/docs/") and name.endswith(".png"))}
    widgets = {name.replace("widgets/", "nomic_nb/_widgets/") for name in sources("widgets") if name.endswith(WIDGETS)}
    assert len(widgets) > 20
    for wheel in archives[1:]:
        assert {name for name in names_in(wheel) if ".dist-info/" not in name} == kit | widgets


def test_one_wheel_is_for_every_system_and_one_with_the_kernel_for_this_one(archives):
    _, pure, *tuned = archives
    assert pure.name.endswith("-py3-none-any.whl")
    assert not [name for name in zipfile.ZipFile(pure).namelist() if name.endswith(KERNEL)]
    assert len(tuned) == bool(find_compiler())
    for wheel in tuned:
        assert re.search(r"-py3-none-(?!any)\w+\.whl$", wheel.name)
        (kernel,) = [one for one in zipfile.ZipFile(wheel).infolist() if one.filename.endswith(KERNEL)]
        assert kernel.file_size <= 200_000
        assert kernel.filename + CHECKSUM in zipfile.ZipFile(wheel).namelist()


def test_the_wheel_says_its_licence_and_python_and_holds_the_licence(archives):
    wheel = archives[-1]
    (metadata,) = [name for name in names_in(wheel) if name.endswith(".dist-info/METADATA")]
    (licence,) = [name for name in names_in(wheel) if name.endswith(".dist-info/licenses/LICENSE")]
    with zipfile.ZipFile(wheel) as archive:
        said = message_from_bytes(archive.read(metadata))
        assert archive.read(licence) == (ROOT / "LICENSE").read_bytes()
    assert (said["License-Expression"], said["Requires-Python"]) == ("GPL-3.0-or-later", ">=3.11")
    assert said.get_payload().startswith("# nomic_nb")


def test_the_source_archive_has_notebooks_and_tests_and_builds_the_same_byte_for_byte(archives, tmp_path):
    with tarfile.open(archives[0]) as archive:
        archive.extractall(tmp_path, filter="data")
    (root,) = tmp_path.iterdir()
    there = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    missing = (sources("nomic_nb") | sources("widgets") | sources("notebooks") | sources("tests")) - there
    assert not {name for name in missing if "/.ipynb_checkpoints/" not in name}
    assert {"LICENSE", "README.md", "pyproject.toml"} <= there
    again = release.build_archives(tmp_path / "again", root)
    assert sorted(again) == sorted(one.name for one in archives)
    assert [one.name for one in archives if again[one.name] != one.read_bytes()] == []


def test_archive_and_wheel_install_in_an_empty_environment_and_play(archives, tmp_path):
    source, *_, wheel = archives
    venv.create(tmp_path / "empty")
    python = tmp_path / "empty" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")

    def run(*command):
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    pip = (sys.executable, "-m", "pip", "--python", python)
    if run(*pip, "download", "--quiet", "--no-deps", "lark").returncode:
        pytest.skip("the registry of Python gave no package")
    for asked in (["--no-deps", str(source)], ["--force-reinstall", str(wheel)]):
        installed = run(*pip, "install", "--quiet", "--no-compile", *asked)
        assert installed.returncode == 0, installed.stderr
    played = run(python, "-c", FIRST_GAME)
    assert played.returncode == 0, played.stderr
    assert int(played.stdout.splitlines()[-1]) > 8
    assert "class" in run(python, "-m", "nomic_nb", "--help").stdout


@pytest.mark.parametrize("compiler", ["'", "true", "false", "/nowhere/cc"])
def test_a_compiler_that_makes_nothing_ends_no_build(compiler, monkeypatch, tmp_path, capsys):
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    monkeypatch.setenv("CC", compiler)
    assert build.compile_kernel(ROOT, into=tmp_path / "made.so") is None
    assert "left out" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []
