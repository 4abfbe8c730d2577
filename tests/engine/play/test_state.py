"""The state of a game is changed by `but`, which knows its fields."""

from __future__ import annotations

import pytest
from mypy import api
from play_helpers import sit

from nomic_nb.engine import frozen
from nomic_nb.engine.play import state as module


def test_a_field_that_the_state_does_not_have_is_refused():
    state = sit("Ann", "Ben").state
    with pytest.raises(TypeError, match="the state has no tunr"):
        state.replace(tunr=2)
    assert state.replace(turn=2).turn == 2


@pytest.mark.slow
def test_mypy_finds_a_misspelt_field_and_a_value_of_another_type(tmp_path):
    """Only the state itself is read, so that this takes a moment."""
    page = tmp_path / "changing.py"
    page.write_text(
        "from nomic_nb.engine.play.state import State\n"
        "def change(state: State) -> None:\n"
        "    state.replace(turn=2)\n"
        "    state.replace(tunr=2)\n"
        "    state.replace(turn='two')\n"
    )
    options = ["--config-file=", "--follow-imports=skip", "--no-error-summary", f"--cache-dir={tmp_path}"]
    said = api.run([*options, frozen.__file__, module.__file__, str(page)])[0].splitlines()
    found = [line.partition("changing.py:")[2] for line in said if "error:" in line]
    assert [line.partition(":")[0] for line in found] == ["4", "5"]
    assert "tunr" in found[0]
