"""``nb.help()``: the pages about the kit in a notebook and in a terminal."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser

import pytest
from refusals import refused

import nomic_nb as nb
from nomic_nb.notebook.markup.prose import page_elements
from nomic_nb.notebook.markup.tree import build_element, element_html
from nomic_nb.study import reference as docs
from nomic_nb.study.help_search import find_help

EMPTY = {"meta", "br", "img", "hr"}


class Page(HTMLParser):
    """Elements, ids and links of what is shown, in order; what does not close is a fault."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.stack: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.titles: list[str] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()
        assert self.stack == []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.stack += [] if tag in EMPTY else [tag]
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if "href" in given else []
        if tag == "h3":
            self.titles.append("")
        assert not any(name.startswith("on") for name in given)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        if "style" not in self.stack:
            self.texts.append(data)
        if "h3" in self.stack:
            self.titles[-1] += data


def shown(name: str) -> Page:
    return Page(nb.help(name)._repr_html_())


@cache
def shown_once(name: str) -> Page:
    """A page that several tests read; where two outputs are compared, each is made anew."""
    return shown(name)


#: Every output holds all pages, so some outputs show what all do.
SOME_PAGES = docs.page_names()[::8]


@pytest.mark.parametrize("name", SOME_PAGES)
def test_a_page_stands_first_and_all_others_below_it(name):
    page = shown_once(name)
    titles = {other: docs.read_page(other).splitlines()[0].removeprefix("# ") for other in docs.page_names()}
    assert page.titles == [titles.pop(name), *titles.values()]


@pytest.mark.parametrize("name", SOME_PAGES)
def test_every_link_leads_to_a_place_in_the_same_output(name):
    page = shown_once(name)
    assert page.links
    assert len(page.ids) == len(set(page.ids))
    assert {f"#{one}" for one in page.ids} >= set(page.links)


def test_no_link_of_a_page_is_lost():
    written_links = sum(len(re.findall(r"\]\(", docs.read_page(name))) for name in docs.page_names())
    assert (
        len(shown("start").links) == written_links + len(docs.page_names()) - 1
    )  # each but the first leads to the first


def test_two_outputs_in_one_notebook_have_no_place_in_common():
    assert not set(shown("writing").ids) & set(shown("writing").ids)


def test_all_words_of_a_page_are_there():
    text = " ".join("".join(shown("writing").texts).split())
    for words in (
        "text + text, text + number, list + list",
        "set throw.points to 0 while face == 6",
        "Cards and choices",
        "1 < n < 5",
    ):
        assert words in text


def test_in_a_terminal_it_is_text():
    assert str(nb.help("kernel")) == repr(nb.help("kernel")) == docs.read_page("kernel")
    assert repr(nb.help()).startswith("# nomic_nb: what to read\n")


@pytest.mark.parametrize("name", nb.rulesets().index)
def test_the_rules_of_a_game_are_a_page(name):
    page = nb.help(name)
    assert str(page).startswith(f"# {nb.rulesets().loc[name, 'title']}\n")
    assert "All pages" in page._repr_html_()


@pytest.mark.parametrize("name", ["qwxyz", "", "../README", "writing.md"])
def test_a_page_that_is_not_there_is_refused_with_those_that_are(name):
    with refused("no-such-page", KeyError):
        nb.help(name)


def test_a_long_text_is_no_search_and_is_found_out_at_once():
    assert find_help("a" * 300_000 + "%") is None
    assert find_help("’tis a round?") is not None


def test_a_link_to_what_is_no_page_is_its_words():
    made = page_elements("[there](nowhere.md) and `<b>`", str, lambda address, said: said)
    assert element_html(build_element("div", made)) == "<div><p>there and <code>&lt;b&gt;</code></p></div>"


def test_what_pages_do_not_have_is_refused():
    with pytest.raises(ValueError, match="pages have no image"):
        page_elements("![x](y.png)", str, lambda address, said: said)
    with pytest.raises(ValueError, match="pages have no hr"):
        page_elements("a\n\n---\n", str, lambda address, said: said)


@pytest.mark.parametrize("name", ["teacher", "explorer", "author", "records"])
def test_the_commands_on_the_page_of_each_reader_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", docs.read_page(name), re.S)
    assert len(blocks) >= 3
    for block in blocks:
        exec(block, names)  # noqa: S102 - our own page


@pytest.mark.slow
def test_links_work_in_a_notebook_that_is_exported_as_a_page():
    import nbformat
    from nbconvert import HTMLExporter

    html = nb.help("writing")._repr_html_()
    output = nbformat.v4.new_output("display_data", {"text/html": html, "text/plain": ""})
    cell = nbformat.v4.new_code_cell('nb.help("writing")', outputs=[output])
    exported, _ = HTMLExporter(template_name="basic").from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    page = Page(html)
    assert set(page.links) <= {f"#{one}" for one in re.findall(r'id="([^"]+)"', exported)}
