"""An audit can be written as a folder that others run, and read score boards and rules from a repository."""

import os
import runpy
import subprocess

import pytest
from study.recorded_games import audited, game_told_by_tables

import nomic_nb as nb

BOARD = "# Points\n\nUser | Points\n---- | ------\nAnn | {}\nBen | {}\n\n| another | table |\n| - | - |\n| Ann | 7 |\n"


def test_a_saved_audit_gives_the_same_report_again(tmp_path, capsys):
    timeline, tables = game_told_by_tables("discordian-nomic", 3, 5, 6)
    tables["scores"][-1]["value"] = "99"
    tables["proposals"][0]["title"] = "=1+1"
    audit = audited("discordian-nomic", timeline, tables)
    written = audit.save(tmp_path / "audit")
    assert sorted(path.name for path in (tmp_path / "audit").iterdir()) == written
    runpy.run_path(str(tmp_path / "audit" / "audit.py"))
    assert capsys.readouterr().out == f"{audit}\n" == (tmp_path / "audit" / "report.txt").read_text(encoding="utf-8")
    assert "'=1+1" in (tmp_path / "audit" / "proposals.csv").read_text(encoding="utf-8")
    assert nb.load(tmp_path / "audit" / "game.jsonl").state.digest() == audit.game.state.digest()


# -------------------------------------------------------------------------------------------------- repositories


@pytest.fixture
def commit(tmp_path):
    """Return a function that commits files in a repository, with a subject and an author."""
    folder = tmp_path / "repository"
    folder.mkdir()
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_COMMITTER_NAME": "host", "GIT_COMMITTER_EMAIL": "host@example.org",
    }  # fmt: skip

    def git(*words, **more):
        command = ["git", *words]
        return subprocess.run(command, cwd=folder, check=True, env=environment | more, capture_output=True)

    git("init", "-q", "-b", "main")

    def make(subject, author="ann", at="2026-01-02T10:00:00Z", **files):
        for name, text in files.items():
            path = folder / name.replace("__", "/")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8") if text is not None else path.unlink()
        git("add", "-A")
        times = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
        git("commit", "-q", "-m", subject, GIT_AUTHOR_NAME=author, GIT_AUTHOR_EMAIL="a@example.org", **times)
        return folder

    make.git = git
    return make


def test_boards_and_rules_of_a_repository_become_tables(commit):
    commit("Begin", board=BOARD.format(0, 0), rules__r1="Be kind.")
    commit("#301 Hello", board=BOARD.format(10, 0), rules__301="Hello.")
    commit("#302 Otherwise", author="ben", board=BOARD.format(10, "5/2"), rules__301="Hello, all.")
    folder = commit("Drop it (#303)", rules__r1=None)
    found = nb.audit.from_git(folder, scores="board", rules="rules", names={"ann": "Ann", "ben": "Ben"})
    assert found.commits["number"].tolist() == [None, 301, 302, 303]
    assert found.scores[["after", "player", "counter", "value"]].to_numpy().tolist() == [
        [number, name, "points", value]
        for number, *values in ((301, "10", "0"), (302, "10", "5/2"), (303, "10", "5/2"))
        for name, value in zip(["Ann", "Ben"], values, strict=True)
    ]  # fmt: skip
    rows = found.proposals[["number", "proponent", "kind", "target", "wording"]].to_numpy().tolist()
    assert rows == [
        [301, "Ann", "enact", None, "Hello."], [302, "Ben", "amend", 301, "Hello, all."], [303, "Ann", "repeal", 1, ""],
    ]  # fmt: skip
    assert found.proposals["closed"].tolist()[0] == "2026-01-02 10:00"


def test_tables_of_a_repository_can_be_audited(commit):
    commit("Begin", board=BOARD.format(0, 0))
    folder = commit("#301", board=BOARD.format(0, 0), rules__301="Hello.")
    found = nb.audit.from_git(folder, scores="board", rules="rules", names={"ann": "Ann"})
    scores = found.scores.drop(columns="commit")
    ballots = "proposal,voter,ballot\n301,Ann,yes\n301,Ben,yes"
    audit = nb.audit("discordian-nomic", found.proposals, ballots, players=["Ann", "Ben"], scores=scores)
    assert audit.summary()["recorded"].tolist()[:2] == [1, 2]
    assert audit.frame["verdict"].tolist() == ["same"]


def test_nothing_in_a_repository_is_run_or_followed(commit, tmp_path):
    folder = commit("#301", board=BOARD.format(1, 2))
    mark = tmp_path / "run"
    hook = f"#!/bin/sh\ntouch {mark}\n"
    for name in ("post-checkout", "pre-auto-gc", "reference-transaction"):
        path = folder / ".git" / "hooks" / name
        path.write_text(hook, encoding="utf-8")
        path.chmod(0o755)
    script = tmp_path / "script"
    script.write_text(hook, encoding="utf-8")
    script.chmod(0o755)
    with (folder / ".git" / "config").open("a", encoding="utf-8") as config:
        config.write(f'[core]\nfsmonitor = {script}\npager = {script}\n[filter "x"]\nsmudge = {script}\n')
        config.write(f'[diff "x"]\ntextconv = {script}\n[include]\npath = {script}\n')
    (folder / ".gitattributes").write_text("* filter=x diff=x\n", encoding="utf-8")
    assert len(nb.audit.from_git(folder, scores="board").scores) == 2
    assert not mark.exists()


def test_links_in_a_repository_are_not_followed(commit, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text(BOARD.format(7, 7), encoding="utf-8")
    folder = commit("Begin", board=BOARD.format(1, 2))
    (folder / "link").symlink_to(secret)
    commit("#301 link")
    assert nb.audit.from_git(folder, scores="link").scores.empty


@pytest.mark.parametrize("branch", ["../../../etc/passwd", "--help", "x; touch y", "none", "HEAD:board"])
def test_a_branch_that_is_not_there_is_refused(commit, branch):
    folder = commit("#301", board=BOARD.format(1, 2))
    with pytest.raises(ValueError, match="no branch"):
        nb.audit.from_git(folder, scores="board", branch=branch)


def test_packed_and_tagged_histories_are_read(commit):
    folder = commit("#301", board=BOARD.format(1, 2))
    commit.git("tag", "-a", "-m", "x", "v1", GIT_COMMITTER_DATE="2026-01-02T10:00:00Z")
    commit.git("gc", "-q")
    commit.git("pack-refs", "--all")
    for branch in ("HEAD", "main", "v1"):
        assert len(nb.audit.from_git(folder, scores="board", branch=branch).scores) == 2


def test_other_folders_and_patterns_are_refused(commit, tmp_path):
    with pytest.raises(FileNotFoundError):
        nb.audit.from_git(tmp_path / "repository" / "nothing")
    folder = commit("#301", board=BOARD.format(1, 2))
    with pytest.raises(ValueError, match="valid pattern"):
        nb.audit.from_git(folder, number="(")
    (folder / ".git" / "objects" / "info" / "alternates").write_text("/elsewhere\n", encoding="utf-8")
    with pytest.raises(OSError, match="borrows"):
        nb.audit.from_git(folder)


def test_an_object_that_is_too_large_is_named(commit):
    folder = commit("#301", board="x" * (2**20 + 1))
    with pytest.raises(OSError, match="at most"):
        nb.audit.from_git(folder, scores="board")


@pytest.mark.parametrize(("limit", "told"), [("MOST_BYTES", "too large"), ("MOST_SECONDS", "minutes")])
def test_no_more_is_read_than_the_limits_allow(commit, monkeypatch, limit, told):
    folder = commit("#301", board=BOARD.format(1, 2))
    monkeypatch.setattr(f"nomic_nb.study.audit.git_tables.{limit}", 0)
    with pytest.raises(OSError, match=told):
        nb.audit.from_git(folder)
