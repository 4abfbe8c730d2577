"""Every link in the pages about the kit, and in README, leads to what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from nomic_nb.study import reference as docs

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "nomic_nb" / "docs"
PAGES = sorted([ROOT / "README.md", *DOCS.glob("*.md")])


def parsed(path: Path):
    return MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8"))


def anchors(path: Path) -> set[str]:
    """Return what links call the headings of a page where repositories are shown (github-slugger's rule)."""
    found: list[str] = []
    tokens = parsed(path)
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            said = "".join(one.content for one in tokens[at + 1].children if one.type in ("text", "code_inline"))
            slug = "".join(one for one in said.lower() if one.isalnum() or one in " -_").replace(" ", "-")
            again = sum(re.fullmatch(rf"{re.escape(slug)}(-\d+)?", one) is not None for one in found)
            found.append(f"{slug}-{again}" if again else slug)
    return set(found)


def links(path: Path) -> list[str]:
    return [
        str(one.attrs["href"] if one.type == "link_open" else one.attrs["src"])
        for token in parsed(path)
        for one in token.children or ()
        if one.type in ("link_open", "image")
    ]


LINKS = [(path, link) for path in PAGES for link in links(path)]


@pytest.mark.parametrize(("path", "link"), LINKS, ids=lambda one: one.name if isinstance(one, Path) else one)
def test_a_link_leads_to_a_file_and_to_a_heading_that_are_there(path, link):
    if link.startswith("https://"):
        return
    name, _, heading = link.partition("#")
    target = (path.parent / name).resolve() if name else path
    assert target.is_file(), link
    if heading:
        assert heading in anchors(target), link


def test_what_the_page_on_architecture_names_is_there():
    found = [one for glob in ("*.toml", "nomic_nb/**/*", "tests/**/*") for one in ROOT.glob(glob)]
    files = [f"/{one.relative_to(ROOT).as_posix()}/" for one in found]
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_/]+\.(?:py|js|md|toml|lark)|[a-z_/]+/)`", text))
    subjects = re.search(r"by the word that rules use: (.*?)\.\n", text, re.S)[1]
    named |= {f"{one}.py" for one in re.findall(r"`([a-z_]+)`", subjects)}
    assert len(named) > 60
    assert {one for one in named if not any(file.endswith(f"/{one.rstrip('/')}/") for file in files)} == set()


def test_the_first_page_leads_to_all_others():
    assert {f"{name}.md" for name in docs.page_names()} - {"start.md"} == set(links(DOCS / "start.md"))


def test_a_page_leads_to_no_file_that_a_wheel_has_not():
    # Another page is there in a notebook too; a notebook of the repository, or README, is not.
    own = {f"{name}.md" for name in docs.page_names()}
    for path, link in LINKS:
        if path.parent == DOCS:
            assert link.partition("#")[0] in {"", *own}, (path.name, link)


def test_readme_leads_to_every_page_for_those_who_play():
    there = {link.rpartition("/")[2] for link in links(ROOT / "README.md")}
    assert {f"{name}.md" for name in docs.page_names()} <= there
