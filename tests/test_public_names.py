"""What people and programs rely on changes only with the list, and the list only with a line in CHANGELOG."""

import subprocess
import sys

import pytest
from public_names import LISTED, names


def test_the_public_names_are_those_on_the_list():
    listed = LISTED.read_text(encoding="utf-8").splitlines()
    now = names()
    gone, new = sorted({*listed} - {*now}), sorted({*now} - {*listed})
    assert (gone, new) == ([], []), "say so in CHANGELOG, then run: python tests/public_names.py"


@pytest.mark.parametrize("shown", ['nb.explain("set vote.quota to 2")', "nb.library.catalogue", "nb.rulesets()"])
def test_the_first_display_of_a_session_works(shown):
    program = f"import nomic_nb as nb\nprint({shown})\nprint({shown}._repr_html_())"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert "<" in done.stdout
