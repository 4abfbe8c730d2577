"""Make a release that anybody can make again.

`python .ci/release.py check [--tag v0.1.0]` says what is still missing; `record` plays the three records that later
versions must open; `pin` writes the versions that Binder installs; `build OUT` checks, builds the wheels and the source
archive twice, and stops unless both builds are equal byte for byte. CONTRIBUTING has the list of steps.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Records of a version that later versions must open.
NEEDED_RECORDS = 3
INSTALL = "pip install 'nomic-nb[play]'"
#: The README says this about its badge before the first release.
UNTRIED = "not verified yet"


def read(root: Path, name: str) -> str:
    """Return the text of a file of the repository."""
    return (root / name).read_text(encoding="utf-8")


def current_version(root: Path = ROOT) -> str:
    """Return the version that the package says it has."""
    found = re.search(r'^__version__ = "(.+)"$', read(root, "nomic_nb/__init__.py"), re.MULTILINE)
    if found is None:
        raise SystemExit("nomic_nb/__init__.py has no line with __version__.")
    return found[1]


def changelog_headings(root: Path = ROOT) -> list[tuple[str, str]]:
    """Return version and date of each part of the changelog, the newest first; a date can be “unreleased”."""
    return re.findall(r"^## (\S+) \((.+)\)$", read(root, "CHANGELOG.md"), re.MULTILINE)


def last_release(root: Path = ROOT) -> str | None:
    """Return the newest version with a date in the changelog; None before the first release."""
    return next((version for version, date in changelog_headings(root) if date != "unreleased"), None)


def records_folder(root: Path = ROOT) -> Path:
    """Return the folder with the records of this version; patch releases share one."""
    return root / "tests" / "records" / ".".join(current_version(root).split(".")[:2])


def readme_faults(readme: str, release: str | None) -> Iterator[str]:
    """Yield a sentence for whatever the README says that is not true before the first release, or after `release`."""
    commands = re.findall(r"```sh\n(.*?)\n```", readme, re.DOTALL)
    badges = re.findall(r"mybinder\.org/v2/gh/[^/]+/[^/]+/([^?]+)\?", readme)
    if not badges:
        yield "README: there is no badge for Binder."
    if release is None:
        if "install nomic-nb" in readme or INSTALL in readme:
            yield "README: it says how to install a package that no registry has yet."
        if UNTRIED not in readme:
            yield f"README: say that the badge is “{UNTRIED}”."
        return
    if not commands or commands[0] != INSTALL:
        yield f"README: its first command must be {INSTALL}"
    yield from (f"README: the badge must name v{release}, not {at}." for at in badges if at != f"v{release}")
    if UNTRIED in readme:
        yield f"README: the badge is still said to be “{UNTRIED}”."


def find_obstacles(root: Path = ROOT, tag: str = "") -> list[str]:
    """Return a sentence for everything that keeps the current version from being released."""
    version = current_version(root)
    heading, date = (changelog_headings(root) or [("nothing", "")])[0]
    found = []
    if heading != version:
        found.append(f"nomic_nb/__init__.py says {version}, but CHANGELOG.md begins with {heading}.")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        found.append(f"CHANGELOG.md: write the date of the release, such as 2026-12-01, instead of “{date}”.")
    if tag and tag != f"v{version}":
        found.append(f"The tag is {tag}, but the version is {version}.")
    folder = records_folder(root)
    there = len(list(folder.glob("*.jsonl")))
    if there < NEEDED_RECORDS:
        where = folder.relative_to(root).as_posix()
        found.append(f"{where} has {there} of {NEEDED_RECORDS} records; run: python .ci/release.py record")
    found += readme_faults(read(root, "README.md"), version)
    return found


def check(tag: str = "") -> None:
    """Print what is missing and stop, or say that nothing is."""
    if obstacles := find_obstacles(tag=tag):
        raise SystemExit("\n".join((*obstacles, "Not released.")))
    print(f"Nothing keeps {current_version()} from being released.")


def record(folder: Path) -> None:
    """Write three records of this version, of games from the gallery, into a folder without any."""
    sys.path.insert(0, str(ROOT / ".site"))
    from gallery import RECORDS

    if any(folder.glob("*.jsonl")):
        raise SystemExit(f"{folder} has records already. They stay; a later version gets a folder of its own.")
    folder.mkdir(parents=True, exist_ok=True)
    for slug in ("majority", "stepping-knights", "making-a-rule"):
        print(slug, RECORDS[slug].play().save(str(folder / f"{slug}.jsonl")))


def pin(path: Path) -> None:
    """Write the versions that pip installs now for the kit, one a line."""
    with tempfile.TemporaryDirectory() as home:
        venv.create(home, with_pip=True)
        pip = [str(Path(home, "Scripts" if os.name == "nt" else "bin", "python")), "-m", "pip"]
        subprocess.run([*pip, "install", "--quiet", str(ROOT)], check=True)
        path.write_text(output_of(*pip, "freeze", "--exclude", "nomic-nb"), encoding="utf-8")


def output_of(*command: str) -> str:
    """Return what a command prints; stop if it fails."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def build_archives(folder: Path, root: Path = ROOT) -> dict[str, bytes]:
    """Build the source archive, the pure wheel and the one with the chess kernel; return their bytes by name.

    All are dated like the last commit. Without a C compiler there is no wheel with the kernel.
    """
    date = os.environ.get("SOURCE_DATE_EPOCH") or output_of("git", "-C", str(root), "log", "-1", "--format=%ct")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), "-t", "wheel"]
    env = {**os.environ, "SOURCE_DATE_EPOCH": date.strip()}
    for more, pure in ((["-t", "sdist"], "1"), ([], "")):
        given = {**env, "NOMIC_NB_PURE": pure}
        subprocess.run([*command, *more], cwd=root, env=given, check=True, stdout=subprocess.DEVNULL)
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def commit_fault(root: Path, tag: str = "") -> str:
    """Return why others would not build the same from the tag or, without one, the last commit; empty if they would."""
    git = ("git", "-C", str(root))
    if changed := output_of(*git, "status", "--porcelain"):
        return f"Commit these files first, or nobody can build the same again:\n{changed}"
    if not tag:
        return ""
    if not output_of(*git, "tag", "--list", tag):
        return f"There is no tag {tag} in this clone.\n"
    head, tagged = output_of(*git, "rev-parse", "HEAD", f"refs/tags/{tag}^{{commit}}").split()
    return (
        "" if head == tagged else f"The last commit here is {head[:8]}, but {tag} is {tagged[:8]}: git checkout {tag}\n"
    )


def write_archives(out: Path, built: dict[str, bytes]) -> None:
    """Write archives into a folder, and remove those of other builds, so that nobody publishes them by mistake."""
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("nomic_nb-*"):
        old.unlink()
    for name, content in built.items():
        (out / name).write_bytes(content)


def build(out: Path, tag: str = "", *, twine: bool = True) -> None:
    """Check, build twice, compare, and have twine look at the result."""
    check(tag)
    if fault := commit_fault(ROOT, tag):
        raise SystemExit(f"{fault}Not released.")
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        built = build_archives(Path(one))
        if built != build_archives(Path(other)):
            raise SystemExit("Two builds of the same commit differ. Not released.")
    write_archives(out, built)
    if twine:
        python = [sys.executable, "-m"]
        subprocess.run([*python, "pip", "install", "--quiet", "twine>=6,<8"], check=True)
        subprocess.run([*python, "twine", "check", "--strict", *(str(out / name) for name in built)], check=True)
    print(*(f"{out / name}, {len(content):,} bytes" for name, content in built.items()), sep="\n")


def main() -> None:
    """Do what the command line says."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("step", choices=["check", "record", "pin", "build"])
    arguments.add_argument("out", type=Path, nargs="?", default=Path("dist"))
    arguments.add_argument("--tag", default="", help="the tag that is released")
    arguments.add_argument("--without-twine", action="store_true", help="do not have twine look at the archives")
    given = arguments.parse_args()
    match given.step:
        case "check":
            check(given.tag)
        case "record":
            record(records_folder())
        case "pin":
            pin(ROOT / "binder" / "constraints.txt")
        case _:
            build(given.out, given.tag, twine=not given.without_twine)


if __name__ == "__main__":
    main()
