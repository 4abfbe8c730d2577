"""A release stops as long as something is missing, and anybody can build the same again."""

from __future__ import annotations

import re
import subprocess

import pytest
from outside import ROOT, load_script

import nomic_nb as nb

release = load_script(".ci/release.py")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))

README = """[![Binder](badge.svg)](https://mybinder.org/v2/gh/a/b/v0.1.0?urlpath=lab)

```sh
pip install 'nomic-nb[play]'
```
"""


@pytest.fixture
def ready(tmp_path):
    """A repository that lacks nothing for the release of version 0.1.0."""
    for name, text in {
        "nomic_nb/__init__.py": '__version__ = "0.1.0"\n',
        "CHANGELOG.md": "# Changelog\n\n## 0.1.0 (2026-12-01)\n",
        "README.md": README,
        **{f"tests/records/0.1/{name}.jsonl": "{}\n" for name in "abc"},
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def change(root, name, old, new):
    path = root / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_nothing_keeps_a_complete_version_from_being_released(ready):
    assert release.find_obstacles(ready, "v0.1.0") == []


@pytest.mark.parametrize(
    ("name", "old", "new", "obstacle"),
    [
        ("CHANGELOG.md", "0.1.0", "0.2.0", "nomic_nb/__init__.py says 0.1.0, but CHANGELOG.md begins with 0.2.0."),
        ("CHANGELOG.md", "2026-12-01", "unreleased", "instead of “unreleased”"),
        ("nomic_nb/__init__.py", "0.1.0", "0.1.1", "The tag is v0.1.0, but the version is 0.1.1."),
        ("README.md", "pip install 'nomic-nb[play]'", "pip install .", "its first command must be pip install"),
        ("README.md", "/v0.1.0?", "/HEAD?", "the badge must name v0.1.0, not HEAD."),
        ("README.md", "```sh", "This badge is not verified yet.\n\n```sh", "still said to be “not verified yet”"),
    ],
)
def test_a_release_stops_if_two_places_disagree(ready, name, old, new, obstacle):
    change(ready, name, old, new)
    assert any(obstacle in one for one in release.find_obstacles(ready, "v0.1.0"))


def test_a_release_stops_while_one_of_its_three_records_is_missing(ready):
    (ready / "tests/records/0.1/b.jsonl").unlink()
    (found,) = release.find_obstacles(ready, "v0.1.0")
    assert found == "tests/records/0.1 has 2 of 3 records; run: python .ci/release.py record"


def commit(root, *more):
    git = ("git", "-C", str(root), "-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "--allow-empty", "-m", "A step"), *more):
        subprocess.run((*git, *words), check=True)


def test_only_the_tagged_commit_is_built_for_a_tag(ready):
    commit(ready, ("tag", "-a", "-m", "The first", "v0.1.0"))
    assert release.commit_fault(ready, "v0.1.0") == ""
    assert release.commit_fault(ready, "v0.1.1") == "There is no tag v0.1.1 in this clone.\n"
    commit(ready)
    assert release.commit_fault(ready) == ""
    assert "git checkout v0.1.0" in release.commit_fault(ready, "v0.1.0")
    change(ready, "CHANGELOG.md", "2026", "2027")
    assert "CHANGELOG.md" in release.commit_fault(ready)


def test_archives_of_another_build_are_not_left_to_be_published(tmp_path):
    release.write_archives(tmp_path / "dist", {"nomic_nb-0.1.0.tar.gz": b"old"})
    (tmp_path / "dist/notes.txt").write_text("mine")
    release.write_archives(tmp_path / "dist", {"nomic_nb-0.1.1.tar.gz": b"new"})
    assert sorted(one.name for one in (tmp_path / "dist").iterdir()) == ["nomic_nb-0.1.1.tar.gz", "notes.txt"]


def test_the_repository_says_whether_it_is_released():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert list(release.readme_faults(readme, release.last_release())) == []
    if release.last_release() is None:
        assert release.find_obstacles()


@pytest.mark.slow
def test_the_records_of_this_release_and_of_earlier_ones_open_again(tmp_path, capsys):
    release.record(tmp_path / "0.1")
    said = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert len(said) == release.NEEDED_RECORDS
    kept = {path: nb.load(str(path)).fingerprint for path in (ROOT / "tests" / "records").glob("*/*.jsonl")}
    made = {path: nb.load(str(path)).fingerprint for path in (tmp_path / "0.1").iterdir()}
    assert {path.stem: fingerprint for path, fingerprint in made.items()} == said
    assert all(kept.values())
    with pytest.raises(SystemExit, match="has records already"):
        release.record(tmp_path / "0.1")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_do_little_and_calls_only_our_scripts(path):
    text = path.read_text(encoding="utf-8")
    assert re.search(r"^permissions: \{\}$", text, re.M)
    used = re.findall(r"uses: (\S+)(.*)", text)
    assert used
    for action, version in used:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action), action
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", version), action
    for command in re.findall(r"run: (.*)", text):
        assert re.match(r"(bash|python3|\.venv/bin/python) \.ci/(run|site|release\.py)\b", command), command
    assert "secrets." not in text
    assert "pull_request_target" not in text


def test_the_workflows_cover_every_python_that_is_promised_and_three_systems():
    text = (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8")
    assert '"3.11", "3.12", "3.13", "3.14"' in text
    assert all(system in text for system in ("ubuntu-", "windows-", "macos-"))
    assert "bash .ci/run --lowest" in text


def test_nothing_is_published_before_the_games_at_random_have_passed():
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert re.search(r"^  fuzz:$(?:\n    .*)*\n      - run: bash \.ci/run --fuzz$", text, re.M)
    assert re.search(r"^  publish:\n    needs: \[build, fuzz\]$", text, re.M)


def test_only_main_is_published_even_if_somebody_starts_the_workflow():
    text = (ROOT / ".github/workflows/site.yml").read_text(encoding="utf-8")
    assert re.search(r"^  deploy:\n    if: github.ref == 'refs/heads/main'$", text, re.M)
