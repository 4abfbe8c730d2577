"""Tables from the history of a repository: score boards and folders of rules, after each commit.

Only objects are read, by git's plumbing from an empty repository that borrows them: nothing in the history is run, no
configuration, hook or filter of the repository is read, and nothing is fetched.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.errors import FileMissing, FileUnusable, WrongValue
from nomic_nb.engine.law.changes import parse_rule_number
from nomic_nb.engine.threads import start_timer
from nomic_nb.study.audit.tables import lines_of_text
from nomic_nb.study.frames import column_types, make_frame
from nomic_nb.study.packages import refuse_in_browser

if TYPE_CHECKING:
    import pandas as pd

#: Commits, files of a folder, bytes of a file and bytes in all that are read.
MOST_COMMITS, MOST_FILES, MOST_REFS, LARGEST_OBJECT, MOST_BYTES = 5_000, 2_000, 2_000, 2**20, 2**28
MOST_SECONDS = 300
COMMIT_COLUMNS = column_types("string: commit author; datetime64[s]: at; string: subject; object: number")
BOARD_COLUMNS = column_types("string: commit; object: after; string: player counter value")
CHANGE_COLUMNS = column_types(
    "object: number; string: proponent kind; object: target rule_number; string: title wording outcome; "
    "string: closed link"
)


class GitTables(NamedTuple):
    """What the history of a repository says, as tables for an audit.

    Parameters
    ----------
    commits : DataFrame
        The commits, oldest first: ``commit``, ``author`` (string), ``at`` (datetime64, UTC), ``subject`` (string) and
        ``number`` (object: the proposal in the subject; missing if there is none).
    scores : DataFrame
        The board after each commit that has a number: ``commit`` (string), ``after`` (object: the
        number), ``player``, ``counter`` and ``value`` (string).
    proposals : DataFrame
        Each change of a rule file in a commit with a number: ``number`` (object), ``proponent`` (string: the author, by
        the name that you give them), ``kind`` (string), ``target``, ``rule_number`` (object: the number in the file's
        name), ``title`` (string: the path), ``wording`` (string), ``outcome`` (string: adopted), ``closed`` (string)
        and ``link`` (string: the commit).
    """

    commits: pd.DataFrame
    scores: pd.DataFrame
    proposals: pd.DataFrame


@explain_argument_errors
def from_git(
    path: str | Path, *, scores: str = "", rules: str = "", branch: str = "HEAD", number: str = r"#(\d+)",
    names: Mapping[str, str] | None = None,
) -> GitTables:  # fmt: skip
    r"""Return tables for an audit from the history of a repository: its score board and rules after each commit.

    Only the first parent of a merge is followed. Nothing in the repository is run, and nothing is fetched: git reads
    objects alone, without the configuration, hooks and filters of the repository.

    Parameters
    ----------
    path : str or Path
        The repository: a folder with ``.git`` in it, or a bare one.
    scores : str
        Path in the repository of a score board in CSV or Markdown: a column with players, and one per counter.
    rules : str
        Folder in the repository with a file for each rule; the first number in a file's name is the rule's.
    branch : str
        Branch or tag to read, or the full id of a commit.
    number : str
        Pattern (a regular expression) of a proposal's number in the first line of a commit.
    names : mapping of str to str, optional
        The players, by the names that they have as authors of commits and on the board.

    Returns
    -------
    GitTables
        The frames ``commits``, ``scores`` and ``proposals``.

    Raises
    ------
    OSError
        There is no such repository, or it borrows its objects from another one.
    ValueError
        There is no such branch, the pattern cannot be used, or there are more than 5,000 commits.
    """
    refuse_in_browser("read a repository")
    try:
        pattern = re.compile(number)
    except re.error as error:
        raise WrongValue("pattern-unusable", "number must be a valid pattern: {why}", why=str(error)) from None
    with tempfile.TemporaryDirectory() as empty:
        return _tables(_Git(Path(path), Path(empty)), branch, scores, rules, pattern, names or {})


class _Git:
    """Git in a repository that has the objects and branches of another one, and nothing else of it."""

    def __init__(self, path: Path, empty: Path) -> None:
        folder = next((one for one in (path / ".git", path) if (one / "objects").is_dir()), None)
        if folder is None:
            raise FileMissing("no-repository", "there is no git repository in {path}", path=str(path)[-60:])
        parts = (folder, folder / "objects", folder / "objects" / "info", folder / "objects" / "pack", folder / "refs")
        if any(one.is_symlink() for one in parts):
            raise FileUnusable("git-linked", "parts of this repository are links to other folders; make a full clone")
        if any((folder / "objects" / "info" / name).exists() for name in ("alternates", "http-alternates")):
            raise FileUnusable("git-borrows", "this repository borrows objects from another one; make a full clone")
        for name in ("HEAD", "packed-refs", "shallow"):
            self._copy(folder / name, empty / name)
        for one in islice((folder / "refs").rglob("*"), MOST_REFS):
            self._copy(one, empty / one.relative_to(folder))
        (empty / "refs").mkdir(exist_ok=True)
        (empty / "objects").mkdir()
        (empty / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n", encoding="ascii")
        self._environment = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ} | {
            "GIT_DIR": str(empty), "GIT_OBJECT_DIRECTORY": str((folder / "objects").absolute()), "HOME": str(empty),
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none",
        }  # fmt: skip
        self._empty, self._spent, self._end = empty, 0, time.monotonic() + MOST_SECONDS
        self._running: subprocess.Popen[bytes] | None = None
        start_timer(self._stop, MOST_SECONDS)

    @staticmethod
    def _copy(file: Path, to: Path) -> None:
        """Copy a file of the repository that is no link and not too large; leave anything else out."""
        if file.is_file() and not file.is_symlink() and file.stat().st_size <= LARGEST_OBJECT:
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, to)

    def _stop(self) -> None:
        """Stop what git is doing."""
        if self._running is not None:
            self._running.kill()

    def read(self, *words: str) -> str:
        """Return what git's plumbing says; empty if it refuses.

        Raises
        ------
        FileUnusable
            It takes too long, or too much is read.
        """
        try:
            with subprocess.Popen(  # noqa: S603 - plumbing alone, and all that it is given is checked
                ["git", *words], cwd=self._empty, env=self._environment, stdin=subprocess.DEVNULL,  # noqa: S607
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            ) as self._running:  # fmt: skip
                told = cast("BinaryIO", self._running.stdout).read(MOST_BYTES - self._spent + 1)
                self._running.kill()
        except FileNotFoundError:
            raise FileMissing("no-git", "reading a repository needs git, which is not installed") from None
        self._spent += len(told)
        if self._spent > MOST_BYTES:
            raise FileUnusable(
                "git-history-large", "the history is too large: more than {most:,} bytes", most=MOST_BYTES
            )
        if time.monotonic() >= self._end:  # it was stopped
            raise FileUnusable(
                "git-too-slow", "reading the repository takes more than {most} minutes", most=MOST_SECONDS // 60
            )
        return told.decode("utf-8-sig", "replace")

    def files(self, commit: str, path: str) -> dict[str, str]:
        """Return the ids of the files at a path of a commit, by their paths; links and submodules are left out.

        Raises
        ------
        FileUnusable
            One of them is too large, or there are too many.
        """
        found = dict[str, str]()
        for line in self.read("ls-tree", "-rlz", commit, "--", path).split("\0"):
            entry = re.fullmatch(r"100(?:644|755) blob (\w+) +(\d+)\t(.*)", line, re.DOTALL)
            if entry is not None:
                found[entry[3]] = entry[1]
                if int(entry[2]) > LARGEST_OBJECT or len(found) > MOST_FILES:
                    raise FileUnusable(
                        "git-files-large", "{path}: at most {many:,} files of at most {most:,} bytes are read",
                        path=entry[3][:60], many=MOST_FILES, most=LARGEST_OBJECT,
                    )  # fmt: skip
        return found

    def text(self, id: str) -> str:
        """Return the text of a file by its id."""
        return self.read("cat-file", "blob", id)


def _tables(
    git: _Git, branch: str, scores: str, rules: str, pattern: re.Pattern[str], names: Mapping[str, str]
) -> GitTables:
    """Return the tables of a history that ends with a commit."""
    known = re.fullmatch(r"[\w./+]{1,200}|[\w./+][\w./+-]{0,199}", branch) is not None and ".." not in branch
    start = git.read("rev-parse", "--verify", "--quiet", f"{branch}^{{commit}}").strip() if known else ""
    if not start:
        raise WrongValue("no-such-branch", "the repository has no branch or tag {branch!r}", branch=branch[:60])
    shown = "--format=%H%x00%<(200,trunc)%an%x00%ct%x00%<(200,trunc)%s"
    history = (
        git.read("log", "--first-parent", "--reverse", f"--max-count={MOST_COMMITS + 1}", shown, start)
        .strip("\n")
        .split("\n")
    )  # a subject can have other ends of lines in it
    if len(history) > MOST_COMMITS:
        raise WrongValue("history-too-long", "there are more than {most:,} commits", most=MOST_COMMITS)
    commits, boards, changes = list[list[Any]](), list[list[Any]](), list[list[Any]]()
    files = dict[str, str]()
    for line in history:
        commit, author, seconds, subject = map(str.strip, line.split("\0"))
        at = datetime.fromtimestamp(min(max(int(seconds), 0), 2**37), UTC).replace(tzinfo=None)
        found = pattern.search(subject)
        number = parse_rule_number(next(filter(None, (*found.groups(), found[0])))) if found and found[0] else None
        commits.append([commit, author, at, subject, number])
        here = git.files(commit, rules) if rules else {}
        if number is not None:
            for id in git.files(commit, scores).values() if scores else ():
                rows = _board_rows(git.text(id), scores)
                boards += [[commit, number, names.get(player, player), *row] for player, *row in rows]
            changes += [
                [number, names.get(author, author), *change, "adopted", f"{at:%Y-%m-%d %H:%M}", commit]
                for change in _rule_changes(git, files, here)
            ]  # fmt: skip
        files = here
    return GitTables(
        make_frame(COMMIT_COLUMNS, commits), make_frame(BOARD_COLUMNS, boards), make_frame(CHANGE_COLUMNS, changes)
    )


def _board_rows(text: str, table: str) -> Iterator[list[str]]:
    """Yield (player, counter, value) for each number of a score board, whose first column has the players."""
    heads, *rows = lines_of_text(text, table) or [[]]
    for row in rows:
        for head, cell in zip(heads[1:], row[1:], strict=False):
            if re.fullmatch(r"\s*[+−-]?\d+([./]\d+)?\s*", cell):
                yield [row[0].strip(), head.strip().casefold(), cell.strip()]


def _rule_changes(git: _Git, before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[list[Any]]:
    """Yield (kind, target, rule number, title, wording) for each rule file that differs between two commits."""
    for path in sorted({*before, *now}):
        if before.get(path) == now.get(path):
            continue
        digits = re.search(r"\d{1,9}", path.rpartition("/")[2])
        number = int(digits[0]) if digits else None
        kind = "enact" if path not in before else "amend" if path in now else "repeal"
        wording = git.text(now[path]).strip() if path in now else ""
        target = None if kind == "enact" else number
        yield [kind, target, number if kind == "enact" else None, path[:100] if kind == "enact" else "", wording]
