"""Check the built site: every link inside it leads somewhere, and no page fetches anything from another host.

`python .site/links.py FOLDER [--later NAME …]`; a folder named after `--later` may still be missing.
"""

from __future__ import annotations

import argparse
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Folders whose pages come from another project, and are not read.
NOT_OURS = ("play",)
#: What a page loads by itself, unlike a link that a reader follows.
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("object", "data")}
#: Addresses on other hosts that a style loads.
IN_STYLES = re.compile(r"(?:url\(\s*|@import\s+)[\"']?((?:https?:)?//[^\"')\s]+)")


class Page(HTMLParser):
    """The anchors of a page, its links, and what it loads.

    Parameters
    ----------
    path : Path
        The file.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element refers to."""
        for key, value in attrs:
            if key in ("id", "name") and value:
                self.anchors.add(value)
            elif key in ("href", "src", "data") and value:
                (self.loaded if (tag, key) in LOADED else self.links).append(value)


def find_faults(site: Path, later: tuple[str, ...] = ()) -> tuple[list[str], str]:
    """Return a sentence for each dead link and each file from another host, and a sentence that counts what was read.

    Parameters
    ----------
    site : Path
        Folder of the site.
    later : tuple of str
        Folders that another step adds; links into one that is missing are only counted.
    """
    site = site.resolve()
    away = {name for name in later if not (site / name).exists()}
    found = sorted(site.rglob("*.html"))
    pages = {path: Page(path) for path in found if path.relative_to(site).parts[0] not in NOT_OURS}
    faults, count, waiting = [], 0, 0
    for path, page in pages.items():
        where = path.relative_to(site).as_posix()
        for link in [*page.links, *page.loaded]:
            part = urlsplit(link)
            if part.scheme or part.netloc:
                if link in page.loaded and part.scheme != "data":
                    faults.append(f"{where} loads {link} from another host")
                continue
            count += 1
            target = (path.parent / unquote(part.path)).resolve() if part.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_relative_to(site):
                faults.append(f"{where}: {link} leads out of the site")
            elif target.relative_to(site).parts[0] in away:
                waiting += 1
            elif not target.is_file():
                faults.append(f"{where}: {link} leads nowhere")
            elif part.fragment and target in pages and unquote(part.fragment) not in pages[target].anchors:
                faults.append(f"{where}: {link} names no place on that page")
    for path in sorted(site.rglob("*.css")):
        addresses = IN_STYLES.findall(path.read_text(encoding="utf-8"))
        faults += [f"{path.relative_to(site).as_posix()} loads {one} from another host" for one in addresses]
    said = f"{len(pages)} pages, {count} links inside the site, {len(faults)} faults"
    return faults, said + (f"; {waiting} lead to {' and '.join(sorted(away))}, not built here" if waiting else "")


def check(site: Path, later: tuple[str, ...] = ()) -> bool:
    """Print what `find_faults` finds, and return whether there is no fault."""
    faults, summary = find_faults(site, later)
    print(*faults[:40], summary, sep="\n")
    return not faults


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("site", type=Path)
    arguments.add_argument("--later", nargs="*", default=[], help="folders that may be missing")
    given = arguments.parse_args()
    sys.exit(not check(given.site, tuple(given.later)))
