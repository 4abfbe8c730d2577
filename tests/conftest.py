"""Tests of what is known to be out of step: they run, and what they find is listed, but they hold nothing up."""

from pathlib import Path

import pytest

KNOWN = Path(__file__).with_name("out_of_step.txt")


def pytest_collection_modifyitems(items):
    known = {line for line in KNOWN.read_text(encoding="utf-8").splitlines() if line and not line.startswith("# ")}
    for item in items:
        if item.nodeid in known:
            item.add_marker(pytest.mark.xfail(reason="out of step with what rules mean now", strict=False))
