"""What an author says of a record: the title page, its chapters, and what is in it."""

import pytest
from documents.document_helpers import NASTY, flat, ids, links, of_class, text, tree
from refusals import refused

import nomic_nb as nb

WORDS = {
    "title": "Tea for three",
    "event": "Club evening",
    "date": "1 May 2026",
    "annotator": "Dov",
    "introduction": "A game of tea.\n\n- hot\n- sweet",
    "players": {"Ann": "Ann Archer", "Cleo": "the cook"},
    "chapters": {"turn 2": "Second thoughts", "proposal 304": "Numbers", 1: "The beginning", "event 20": "A throw"},
}


@pytest.fixture(scope="module")
def page(full):
    return tree(full.to_html(**WORDS))


def test_the_title_page_says_what_the_author_says(page):
    assert text(next(page.iter("h1"))) == "Tea for three"
    assert next(page.iter("title")).text == "Tea for three"
    header = text(next(page.iter("header")))
    for said in (
        "Club evening, 1 May 2026",
        "Ann Archer, Ben, the cook (Cleo)",
        "Annotated by Dov",
        "A game of tea. hot",
    ):
        assert said in header, said


def test_chapters_stand_where_they_begin_and_in_the_contents(page, full):
    record = next(one for one in page.iter("section") if one[0].get("id") == "record")
    heads = [text(one).partition(" ·")[0] for one in record.iter("h3")]
    assert heads[:6] == ["The beginning", "Turn 1", "A throw", "Second thoughts", "Turn 2", "Turn 3"]
    assert heads[6:9] == ["Turn 4", "Numbers", "Turn 5"]
    listed = [text(one) for one in of_class(next(page.iter("nav")), "chapter")]
    assert listed == ["The beginning", "A throw", "Second thoughts", "Numbers"]
    assert {link[1:] for link in links(page)} <= set(ids(page))
    del full


def test_a_list_has_a_chapter_for_each_turn(full):
    page = tree(full.to_html(chapters=["One", "", "Three"]))
    heads = [text(one).partition(" ·")[0] for one in page.iter("h3")]
    assert heads[:5] == ["One", "Turn 1", "Turn 2", "Three", "Turn 3"]


def test_markdown_says_the_same(full):
    said = full.to_markdown(**WORDS)
    assert said.startswith("# Tea for three\n\nClub evening, 1 May 2026\n\nAnn Archer, Ben, the cook (Cleo)\n")
    assert "\n- Annotated by: Dov\n" in said
    for heading in ("The beginning", "A throw", "Second thoughts", "Numbers"):
        assert f"\n### {heading}\n" in said


@pytest.mark.parametrize(
    ("part", "gone"),
    [
        ("contents", "Contents"),
        ("game", "Turn 1 ·"),
        ("comments", "Nobody had asked Ann."),
        ("side lines", "Branch (forked)"),
        ("taken back", "Taken back"),
        ("judgments", "Judgment 1 –"),
        ("law", "The law book"),
        ("ledger", "Ledger"),
    ],
)
@pytest.mark.slow
def test_what_is_left_out_is_not_there(full, part, gone):
    whole, without = full.to_html(), full.to_html(without=[part])
    assert gone in text(tree(whole))
    assert gone not in text(tree(without))
    assert {link[1:] for link in links(tree(without))} <= set(ids(tree(without)))


def test_only_what_is_named_is_there(full):
    page = tree(full.to_html(parts=["law"]))
    assert [text(one) for one in page.iter("h2")] == ["The law book"]
    assert "The law book" in full.to_markdown(parts=["law"])
    assert "Turn 1" not in full.to_markdown(parts=["law"])


def test_law_book_and_ledger_open_on_demand(full):
    page = tree(full.to_html())
    folded = of_class(page, "on-demand")
    assert [one.tag for one in folded] == ["details", "details"]
    assert not any(one.get("open") for one in folded)
    assert "made or changed in play" in text(folded[0][0])


@pytest.mark.parametrize("name", ["title", "event", "date", "annotator"])
def test_markup_of_the_authors_comes_out_as_text(full, name):
    page = tree(full.to_html(**{name: NASTY}))
    assert flat(NASTY) in text(next(page.iter("header")))
    assert not list(page.iter("img"))


@pytest.mark.parametrize(
    ("edition", "error", "code", "values"),
    [
        ({"parts": ["boards"]}, ValueError, "no-such-part-of-a-record", {"part": "boards"}),
        ({"without": "law"}, ValueError, "parts-not-a-list", {"argument": "without", "found": "law"}),
        (
            {"players": {"Eve": "Eve"}},
            ValueError,
            "nobody-of-this-name-in-the-record",
            {"player": "Eve", "players": "Ann, Ben, Cleo, Dov"},
        ),
        ({"players": ["Ann"]}, ValueError, "players-not-by-name", {}),
        ({"chapters": {"turn 99": "x"}}, ValueError, "chapter-begins-nowhere", {"what": "turn"}),
        ({"chapters": {"ply 1": "x"}}, ValueError, "chapter-begins-nowhere", {"what": "ply", "there": "none"}),
        ({"chapters": {"event 9999": "x"}}, ValueError, "chapter-begins-nowhere", {"what": "event"}),
        (
            {"chapters": {"move 1": "x"}},
            ValueError,
            "chapter-place-unreadable",
            {"forms": "“turn 3”, “ply 7”, “proposal 303”, “event 40” or the number of a turn"},
        ),
        ({"chapters": {True: "x"}}, ValueError, "chapter-place-unreadable", {}),
        ({"chapters": "Turn"}, ValueError, "too-many-chapters", {}),
        ({"chapters": {1: 7}}, nb.LawError, "text-expected", {"what": "heading of a chapter"}),
        ({"title": 7}, nb.LawError, "text-expected", {"what": "title"}),
        ({"title": "x" * 201}, nb.LawError, "text-too-long", {"what": "title"}),
        ({"introduction": "x" * 20_001}, nb.LawError, "text-too-long", {"what": "introduction"}),
    ],
)
def test_what_is_none_is_refused(full, edition, error, code, values, tmp_path):
    for write in (full.to_html, full.to_markdown):
        with refused(code, error, **values):
            write(tmp_path / "page", **edition)
    assert not list(tmp_path.iterdir())
