"""Tables from the history of a repository: score boards and folders of rules, after each commit.

Only objects are read, by git's plumbing from an empty repository that borrows them: nothing in the history is run, no
configuration, hook or filter of the repository is read, and nothing is fetched.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.errors import FileMissing, FileUnusable, WrongValue
from nomic_nb.engine.messages import say
from nomic_nb.study.audit.tables import lines_of_text
from nomic_nb.study.frames import column_types, make_frame
from nomic_nb.study.packages import refuse_in_browser

if TYPE_CHECKING:
    import pandas as pd

#: Commits, files of a folder and bytes of an object that are read; letters of a file that says where a branch is.
MOST_COMMITS, MOST_FILES, LARGEST_OBJECT, LARGEST_REF = 5_000, 2_000, 2**20, 2**20
#: Bytes that are read in all, each object counted as a thousand more.
MOST_BYTES = 2**29
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
COMMIT_COLUMNS = column_types("string: commit author", "datetime64[s]: at", "string: subject", "object: number")
BOARD_COLUMNS = column_types("string: commit", "object: after", "string: player counter value")
CHANGE_COLUMNS = column_types(
    "object: number", "string: proponent kind", "object: target rule_number", "string: title wording outcome",
    "string: closed link",
)  # fmt: skip


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


class _Commit(NamedTuple):
    """A commit: its id, tree, first parent, author, time and subject."""

    id: str
    tree: str
    parent: str
    author: str
    at: datetime
    subject: str


@dataclass
class _Objects:
    """The objects of a repository, read through a process of git that knows nothing but them."""

    process: subprocess.Popen[bytes]
    spent: int = 0

    def read(self, id: str) -> tuple[str, bytes]:
        """Return the kind and the bytes of an object; ("missing", b"") if the repository does not have it.

        Raises
        ------
        FileUnusable
            It is too large, or too much has been read.
        """
        if not _ID.fullmatch(id):
            return "missing", b""
        put, get = self.process.stdin, self.process.stdout
        if put is None or get is None:
            raise FileUnusable(say("git-silent", "git does not answer"))
        put.write(f"{id}\n".encode())
        put.flush()
        head = get.readline().split()
        if len(head) != 3:
            return "missing", b""
        size = int(head[2])
        self.spent += size + 1000
        if self.spent > MOST_BYTES:
            raise FileUnusable(say("git-history-large", "the history is too large: more than {most:,} bytes",
                                   most=MOST_BYTES))  # fmt: skip
        if size > LARGEST_OBJECT:
            raise FileUnusable(
                say("git-object-large", "object {id} has {size:,} bytes; at most {most:,} are read", id=id[:12],
                    size=size, most=LARGEST_OBJECT)
            )  # fmt: skip
        return head[1].decode(), get.read(size + 1)[:-1]

    def commit(self, id: str) -> _Commit | None:
        """Return a commit, also one that a tag names; None if the repository does not have it."""
        kind, data = self.read(id)
        text = data.decode("utf-8", "replace")
        if kind == "tag" and (tagged := re.match(r"object ([0-9a-f]{40,64})\n", text)):
            return self.commit(tagged[1])
        if kind != "commit":
            return None
        head, _, message = text.partition("\n\n")
        fields = dict(re.findall(r"^(tree|author|committer) (.*)$", head, re.MULTILINE))
        parent = re.search(r"^parent ([0-9a-f]{40,64})$", head, re.MULTILINE)
        when = re.search(r" (\d{1,11}) [+-]\d{4}$", fields.get("committer", ""))
        return _Commit(
            id, fields.get("tree", ""), parent[1] if parent else "", fields.get("author", "").partition(" <")[0],
            datetime.fromtimestamp(int(when[1]) if when else 0, UTC).replace(tzinfo=None),
            message.partition("\n")[0][:200],
        )  # fmt: skip

    def entries(self, tree: str) -> dict[str, tuple[str, str]]:
        """Return the mode and the id of each entry of a tree, by name; links and submodules are left out."""
        kind, data = self.read(tree)
        found, at, width = dict[str, tuple[str, str]](), 0, len(tree) // 2
        while kind == "tree" and at < len(data):
            stop = data.find(b"\0", at)
            if stop < 0:
                break
            mode, _, name = data[at:stop].partition(b" ")
            at = stop + 1 + width
            if mode in (b"100644", b"100755", b"40000"):
                found[name.decode("utf-8", "replace")] = mode.decode(), data[stop + 1 : at].hex()
        return found

    def find(self, tree: str, path: str) -> str:
        """Return the id of the file or folder at a path of a tree; empty if there is none."""
        for part in path.strip("/").split("/"):
            tree = self.entries(tree).get(part, ("", ""))[1]
            if not tree:
                return ""
        return tree

    def files(self, tree: str, folder: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
        """Yield the path and the id of each file in a tree, as far as eight folders down."""
        for name, (mode, id) in sorted(self.entries(tree).items()) if tree and depth < 8 else ():
            if mode == "40000":
                yield from self.files(id, f"{folder}{name}/", depth + 1)
            else:
                yield f"{folder}{name}", id


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
        The players, by the names that they have as authors of commits.

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
        raise WrongValue("pattern-unusable", "number is no pattern: {why}", why=str(error)) from None
    folder = _git_folder(Path(path))
    start = _id_of_branch(folder, branch)
    with tempfile.TemporaryDirectory() as empty:
        process = _start_git(folder, Path(empty), len(start))
        try:
            return _tables(_Objects(process), start, scores, rules, pattern, names or {})
        finally:
            process.kill()
            process.communicate()


def _git_folder(path: Path) -> Path:
    """Return the folder with the objects of a repository.

    Raises
    ------
    FileMissing, FileUnusable
        There is no repository, or it borrows its objects.
    """
    for folder in (path / ".git", path):
        if (folder / "objects").is_dir():
            if any((folder / "objects" / "info" / name).exists() for name in ("alternates", "http-alternates")):
                raise FileUnusable(
                    say("git-borrows", "this repository borrows objects from another one; make a full clone")
                )
            return folder
    raise FileMissing(say("no-repository", "there is no git repository in {path}", path=str(path)[-60:]))


def _read_short(path: Path) -> str:
    """Return the text of a small file; empty if there is none."""
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() and (
        path.stat().st_size <= LARGEST_REF
    ) else ""  # fmt: skip


def _id_of_branch(folder: Path, branch: str) -> str:
    """Return the id of the commit, or of the tag, to which a name leads.

    Raises
    ------
    WrongValue
        There is no such branch.
    """
    if _ID.fullmatch(branch):
        return branch
    packed = {
        ref: id for id, ref in re.findall(r"^([0-9a-f]{40,64}) (\S+)$", _read_short(folder / "packed-refs"), re.M)
    }
    names = ["HEAD"] if branch == "HEAD" else [f"refs/{kind}/{branch}" for kind in ("heads", "tags", "remotes/origin")]
    for name in names:
        at = name
        for _ in range(5):  # a name can lead to another
            if not re.fullmatch(r"[\w./+-]{1,200}", at) or ".." in at:
                break
            told = _read_short(folder / at).strip() or packed.get(at, "")
            if _ID.fullmatch(told):
                return told
            at = told.removeprefix("ref: ") if told.startswith("ref: refs/") else ""
    raise WrongValue("no-such-branch", "the repository has no branch or tag {branch!r}", branch=branch[:60])


def _start_git(folder: Path, empty: Path, width: int) -> subprocess.Popen[bytes]:
    """Start git in an empty repository that has the objects of another one, and nothing else of it."""
    (empty / "refs").mkdir()
    (empty / "objects").mkdir()
    (empty / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
    form = "\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n" if width == 64 else (
        "\trepositoryformatversion = 0\n"
    )  # fmt: skip
    (empty / "config").write_text(f"[core]\n{form}\tbare = true\n", encoding="ascii")
    nothing = os.devnull
    plain = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    environment = plain | {
        "GIT_DIR": str(empty), "GIT_OBJECT_DIRECTORY": str((folder / "objects").absolute()), "HOME": str(empty),
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": nothing, "GIT_CONFIG_SYSTEM": nothing, "LC_ALL": "C",
        "GIT_ATTR_NOSYSTEM": "1", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0",
    }  # fmt: skip
    try:
        return subprocess.Popen(
            ["git", "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,  # noqa: S607 - as on PATH
            stderr=subprocess.DEVNULL, cwd=empty, env=environment,
        )  # fmt: skip
    except FileNotFoundError:
        raise FileMissing(say("no-git", "reading a repository needs git, which is not installed")) from None


def _tables(
    objects: _Objects, start: str, scores: str, rules: str, pattern: re.Pattern[str], names: Mapping[str, str]
) -> GitTables:
    """Return the tables of a history that ends with a commit."""
    history = list[_Commit]()
    commit = objects.commit(start)
    while commit is not None:
        history.append(commit)
        if len(history) > MOST_COMMITS:
            raise WrongValue("history-too-long", "there are more than {most:,} commits", most=MOST_COMMITS)
        commit = objects.commit(commit.parent) if commit.parent else None
    commits, boards, changes = list[list[Any]](), list[list[Any]](), list[list[Any]]()
    files = dict[str, str]()
    for commit in reversed(history):
        found = pattern.search(commit.subject)
        number = next(filter(None, (*found.groups(), found[0])), None) if found else None
        number = int(number) if number is not None and re.fullmatch(r"\d{1,15}", number) else number
        commits.append([commit.id, commit.author, commit.at, commit.subject, number])
        now = objects.find(commit.tree, scores) if scores else ""
        if now and number is not None:
            boards += [[commit.id, number, *row] for row in _board_rows(objects.read(now)[1], scores)]
        here = dict(islice(objects.files(objects.find(commit.tree, rules)), MOST_FILES + 1)) if rules else {}
        if len(here) > MOST_FILES:
            raise WrongValue(
                "too-many-rule-files", "{folder} has more than {most} files", folder=rules, most=MOST_FILES
            )
        if number is not None:
            changes += [
                [number, names.get(commit.author, commit.author), *change, "adopted", f"{commit.at:%Y-%m-%d %H:%M}",
                 commit.id] for change in _rule_changes(objects, files, here)
            ]  # fmt: skip
        files = here
    return GitTables(
        make_frame(COMMIT_COLUMNS, commits), make_frame(BOARD_COLUMNS, boards), make_frame(CHANGE_COLUMNS, changes)
    )


def _board_rows(data: bytes, table: str) -> Iterator[list[str]]:
    """Yield (player, counter, value) for each number of a score board, whose first column has the players."""
    text = data.decode("utf-8-sig", "replace")
    if re.search(r"^\s*\|", text, re.MULTILINE):  # a page may have words around its table
        text = "\n".join(line for line in text.splitlines() if line.strip().startswith("|"))
    heads, *rows = lines_of_text(text, table) or [[]]
    for row in rows:
        for head, cell in zip(heads[1:], row[1:], strict=False):
            if re.fullmatch(r"\s*[+−-]?\d+([./]\d+)?\s*", cell):
                yield [row[0].strip(), head.strip().casefold(), cell.strip()]


def _rule_changes(objects: _Objects, before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[list[Any]]:
    """Yield (kind, target, rule number, title, wording) for each rule file that differs between two commits."""
    for path in sorted({*before, *now}):
        if before.get(path) == now.get(path):
            continue
        digits = re.search(r"\d{1,9}", path.rpartition("/")[2])
        number = int(digits[0]) if digits else None
        kind = "enact" if path not in before else "amend" if path in now else "repeal"
        wording = objects.read(now[path])[1].decode("utf-8", "replace").strip() if path in now else ""
        target = None if kind == "enact" else number
        yield [kind, target, number if kind == "enact" else None, path[:100] if kind == "enact" else "", wording]
