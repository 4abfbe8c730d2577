"""What the site is made of: its links, its lists of names, its lexers and its gallery."""

from __future__ import annotations

import re

import pytest
from outside import ROOT, load_script
from public_names import LISTED
from pygments.token import Keyword, Name

import nomic_nb as nb
from nomic_nb.engine.play.vocabulary import language

links = load_script(".site/links.py")
names = load_script(".site/names.py")
conf = load_script(".site/conf.py")


@pytest.fixture
def site(tmp_path):
    """A site of two pages without a fault."""
    (tmp_path / "index.html").write_text('<a href="b.html#there">b</a> <a href="https://example.org/">away</a>')
    (tmp_path / "b.html").write_text('<h1 id="there">B</h1><a href="./">home</a><img src="data:image/png;base64,">')
    return tmp_path


def test_a_site_without_a_fault_has_none(site):
    assert links.find_faults(site) == ([], "2 pages, 2 links inside the site, 0 faults")


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ('<a href="c.html">c</a>', "b.html: c.html leads nowhere"),
        ('<a href="index.html#here">c</a>', "b.html: index.html#here names no place on that page"),
        ('<a href="../c.html">c</a>', "b.html: ../c.html leads out of the site"),
        ('<img src="c.png">', "b.html: c.png leads nowhere"),
        ('<img src="//example.org/c.png">', "b.html loads //example.org/c.png from another host"),
        ('<script src="https://example.org/c.js"></script>', "b.html loads https://example.org/c.js from another host"),
        ('<link rel="stylesheet" href="//example.org/c.css">', "b.html loads //example.org/c.css from another host"),
    ],
)
def test_a_dead_link_and_a_file_from_another_host_are_faults(site, written, fault):
    (site / "b.html").write_text(f'<h1 id="there">B</h1>{written}')
    assert links.find_faults(site)[0] == [fault]


@pytest.mark.parametrize("written", ["@import '//example.org/c.css';", "a { src: url(//example.org/c.css) }"])
def test_a_style_that_loads_from_another_host_is_a_fault(site, written):
    (site / "c.css").write_text(written)
    assert links.find_faults(site)[0] == ["c.css loads //example.org/c.css from another host"]


def test_a_folder_that_another_step_adds_is_checked_once_it_is_there(site):
    (site / "b.html").write_text('<h1 id="there">B</h1><a href="table/index.html">play</a>')
    faults, said = links.find_faults(site, ("table", "play"))
    assert faults == []
    assert said.endswith("; 1 lead to play and table, not built here")
    (site / "table").mkdir()
    assert links.find_faults(site, ("table", "play"))[0] == ["b.html: table/index.html leads nowhere"]


def public_names():
    """Return the public names as the list of the site writes them, without members of classes other than Game."""
    for name in re.findall(r"^((?:nb|engine)\.[\w.]+)", LISTED.read_text(encoding="utf-8"), re.M):
        if method := re.fullmatch(r"nb\.Game\.(\w+)", name):
            yield f"game.{method[1]}"
        elif not name.startswith(("nb.library.", "nb.players")):
            yield re.match(r"nb\.(multiverse|language)\.\w+|(nb|engine)\.\w+", name)[0]
    yield from (f"nb.players.{name}" for name in nb.players.__all__)


def test_each_public_name_has_one_place():
    listed = names.listed_names()
    assert len(listed) == len({*listed})
    elsewhere = {f"engine.{name}" for name in nb.__all__}  # those that the engine shares with nb
    missing, gone = {*public_names()} - elsewhere - {*listed}, {*listed} - {*public_names()}
    assert (missing, gone) == (set(), set()), "give each name a place in .site/names.toml"


def test_what_is_listed_is_written_with_its_docstring():
    assert list(names.directive("game.scores")) == [".. autoproperty:: nomic_nb.Game.scores", ""]
    assert list(names.directive("nb.new_game")) == [".. autofunction:: nomic_nb.new_game", ""]
    page = names.library_page()
    assert all(f"`nb.library.{entry.name}(" in page for entry in nb.library.catalogue)


def tokens(lexer, text):
    return [(kind, word) for kind, word in lexer().get_tokens(text) if word.strip()]


def test_the_lexer_knows_each_word_of_the_grammar():
    verbs = {form.leading_words[0] for form in language().vocabulary.effects.values() if form.leading_words}
    for word in verbs | {"set", "on", "track", "prevails", "over"}:
        assert (Keyword, word) in tokens(conf.Law, word), word


@pytest.mark.parametrize(("lexer", "first"), [("Law", Keyword), ("About", Name.Attribute)])
def test_the_lexers_know_how_every_line_on_every_page_begins(lexer, first):
    pages = [*ROOT.glob("nomic_nb/docs/*.md"), *ROOT.glob("nomic_nb/*/rulesets/*.md")]
    texts = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    found = re.findall(rf"^```{lexer.lower()}\b[^\n]*\n(.*?)^```", texts, re.S | re.M)
    assert len(found) > 5
    for line in "".join(found).splitlines():
        if line.strip() and not line.startswith(("#", " ")):
            assert tokens(getattr(conf, lexer), line)[0][0] is first, line


@pytest.mark.slow
def test_the_gallery_plays_and_its_records_open(tmp_path):
    gallery = load_script(".site/gallery.py")
    page = gallery.write_gallery(tmp_path / "gallery")
    for slug, (title, *_) in gallery.RECORDS.items():
        assert f"## {title}" in page
        game = nb.load(str(tmp_path / "gallery" / f"{slug}.jsonl"))
        assert game.fingerprint in page
        assert len(game.comments) >= 2
        assert title in (tmp_path / "gallery" / f"{slug}.html").read_text(encoding="utf-8")
