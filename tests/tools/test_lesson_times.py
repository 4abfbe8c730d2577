"""The lessons fit their plans."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("lesson", [["notebook"], ["phones"]])
def test_a_lesson_fits_its_plan_by_what_pupils_read(lesson):
    tools = Path(__file__).parent
    env = os.environ | {"PYTHONPATH": os.pathsep.join((str(tools.parent), str(tools.parents[1])))}
    command = [sys.executable, tools / "lesson_times.py", *lesson]
    told = subprocess.run(command, capture_output=True, text=True, timeout=300, env=env)
    assert told.returncode == 0, told.stdout + told.stderr
