"""What people and programs rely on changes only with the list, and the list only with a line in CHANGELOG."""

from public_names import LISTED, names


def test_the_public_names_are_those_on_the_list():
    listed = LISTED.read_text(encoding="utf-8").splitlines()
    now = names()
    gone, new = sorted({*listed} - {*now}), sorted({*now} - {*listed})
    assert (gone, new) == ([], []), "say so in CHANGELOG, then run: python tests/public_names.py"
