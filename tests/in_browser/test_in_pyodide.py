"""The kit in Pyodide, the Python of browsers, run by Node: without threads, sockets, processes and pandas."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from golden.golden_games import GAMES, HERE
from site_helpers import fetched

import nomic_nb as nb

ROOT, HERE_TOO = Path(__file__).parents[2], Path(__file__).parent
#: Seconds for the wheel, and for everything in Pyodide.
PATIENCE, LONGEST = 60, 80


def run(*command, cwd=None, seconds=PATIENCE):
    pure = {**os.environ, "NOMIC_NB_PURE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=pure, timeout=seconds)
    return done.stdout if done.returncode == 0 else pytest.fail(f"{command[:5]}: {done.stderr}")


@pytest.fixture(scope="module")
def found(pytestconfig, tmp_path_factory):
    """What the program found in Pyodide."""
    downloads = fetched(pytestconfig)
    built = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(built), cwd=ROOT)
    wheels = [str(one) for one in (*downloads.glob("*.whl"), *built.glob("*.whl"))]
    program = str(HERE_TOO / "play_there.py")
    node = shutil.which("node") or "node"
    told = run(
        node,
        str(HERE_TOO / "pyodide.mjs"),
        str(downloads / "package"),
        program,
        str(HERE),
        *wheels,
        cwd=built,
        seconds=LONGEST,
    )
    return json.loads(told.splitlines()[-1])


@pytest.mark.slow
def test_it_is_a_browser_as_far_as_python_can_tell(found):
    assert found["platform"] == "emscripten"
    assert found["threads"] == "can't start new thread"


@pytest.mark.slow
def test_recorded_games_replay_to_the_same_states(found):
    assert found["digests"] == {system: nb.load(HERE / f"{system}.jsonl").state.digest() for system in found["digests"]}
    assert set(GAMES) <= found["digests"].keys()


@pytest.mark.slow
def test_a_game_of_each_system_is_played_saved_and_loaded(found):
    assert found["games"].keys() == GAMES.keys()
    assert all(events > 20 for events in found["games"].values())


@pytest.mark.slow
def test_a_game_in_a_file_is_whole_in_it_after_a_step(found):
    stored, events = found["kept"]
    assert stored == events > 0


@pytest.mark.slow
def test_a_panel_takes_a_proposal_and_a_machine_votes_on_it(found):
    panel = found["panel"]
    assert [next(iter(answer)) for answer in panel["answers"]] == ["done"]
    assert (panel["voters"], panel["trouble"], panel["behind"]) == (["Ben"], {}, 0)


@pytest.mark.slow
def test_what_cannot_be_had_is_refused_in_a_sentence(found):
    assert "serve pages" in found["refused"]["pages"]
    assert "import pandas" in found["refused"]["frame"]
