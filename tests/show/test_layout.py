"""The layout of wordings as people type them: points within points, letters, paragraphs in a point, columns."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from show.reading import read_html

import nomic_nb as nb
from nomic_nb.notebook.markup.prose import (
    DEEPEST_LIST,
    compare_texts,
    has_changes,
    passage_elements,
    prose_elements,
    read_blocks,
    redline_elements,
    wording_section,
)
from nomic_nb.notebook.markup.tree import build_element, element_html
from nomic_nb.notebook.markup.writer import MarkdownWriter, PlainTextWriter


def outline(text):
    """Kind, depth and text of each block."""
    return [(one.kind, one.depth, one.text) for one in read_blocks(text)]


NESTED = """\
A vote passes in two cases:

1. All are for it, and
   (a) nobody is away, or
   (b) those who are away agree:
       - in writing, or
       - aloud.

   The record names them.
2. The Judge says so.
"""


def test_points_are_within_the_points_to_their_left():
    assert outline(NESTED) == [
        ("p", 0, "A vote passes in two cases:"),
        ("ol", 0, "All are for it, and"),
        ("points", 1, "(a) nobody is away, or"),
        ("points", 1, "(b) those who are away agree:"),
        ("ul", 2, "in writing, or"),
        ("ul", 2, "aloud."),
        ("p", 1, "The record names them."),
        ("ol", 0, "The Judge says so."),
    ]


def test_each_form_of_a_text_keeps_points_apart():
    assert element_html(wording_section(NESTED), output=True) == (
        '<div class="nnb-wording"><p>A vote passes in two cases:</p><ol><li value="1">All are for it, and'
        '<ul class="nnb-lettered"><li>(a) nobody is away, or</li><li>(b) those who are away agree:'
        "<ul><li>in writing, or</li><li>aloud.</li></ul></li></ul><p>The record names them.</p></li>"
        '<li value="2">The Judge says so.</li></ol></div>'
    )
    assert PlainTextWriter().write(wording_section(NESTED)).splitlines() == [
        "A vote passes in two cases:", "1. All are for it, and", "   (a) nobody is away, or",
        "   (b) those who are away agree:", "     - in writing, or", "     - aloud.", "   The record names them.",
        "2. The Judge says so.",
    ]  # fmt: skip
    markdown = [line for line in MarkdownWriter().write(wording_section(NESTED)).splitlines() if line]
    assert markdown[1:5] == ["1. All are for it, and", "   - (a) nobody is away, or",
                             "   - (b) those who are away agree:", "     - in writing, or"]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Either\na) this\nb) that.", ["p0", "points0", "points0"]),
        ("a. this\nb. that", ["points0", "points0"]),
        ("(i) this\n(ii) that\n(iii) more", ["points0"] * 3),
        ("  (i) this\n (ii) that\n(iii) more", ["points0"] * 3),
        ("I. this\n   A. that\n   B. more\nII. other", ["points0", "points1", "points1", "points0"]),
        ("(1) this\n(2) that", ["points0", "points0"]),
        ("1. this\n(a) that\n(b) more\n2. other", ["ol0", "points1", "points1", "ol0"]),
        ("1. this\n\n(a) that\n\n(b) more\n\n2. other", ["ol0", "points1", "points1", "ol0"]),
        ("(a) this\n(i) that\n(ii) more\n(b) other", ["points0", "points1", "points1", "points0"]),
        ("(g) a\n(h) b\n(i) c\n(j) d", ["points0"] * 4),
        ("1. a\n  1. b\n  2. c\n2. d", ["ol0", "ol1", "ol1", "ol0"]),
        (" 9. a\n10. b", ["ol0", "ol0"]),
        ("- a\n  - b\n    - c\n- d", ["ul0", "ul1", "ul2", "ul0"]),
        ("- a\n\n1. b\n2. c", ["ul0", "ol0", "ol0"]),
    ],
)
def test_numbers_letters_and_signs_begin_points(text, expected):
    assert [f"{kind}{depth}" for kind, depth, _ in outline(text)] == expected


def test_what_only_looks_like_a_letter_begins_no_point():
    for text in ("A. Smith said\nthat he won.", "So say\nI. All\nothers agree.", "It was in\n1982. Yes.", "(c) Ann"):
        assert [kind for kind, _, _ in outline(text)] == ["p"]


def test_a_paragraph_within_a_point_does_not_swallow_the_next_point():
    for text in ("1. One\n\n   More.\n2. Two", "1. One\n\nMore.\n2. Two", "- One\n\n  More.\n- Two",
                 "(a) One\n\n    More.\n(b) Two"):  # fmt: skip
        assert [one.text[one.mark :] for one in read_blocks(text)] == ["One", "More.", "Two"]


def test_a_line_to_the_left_of_a_point_goes_on_behind_it():
    assert outline("Either\n   (a) this\n   (b) that\nand no more.")[-1] == ("p", 0, "and no more.")
    assert outline("1. Either\n   (a) this\n   (b) that\n  and no more.")[-1] == ("p", 1, "and no more.")


TABLE = """\
Points are:

    Result    Points
    ------    ------
    Win           10
    A draw         5

and no others."""


def test_columns_stay_below_one_another():
    rows = ["Result    Points", "------    ------", "Win           10", "A draw         5"]
    assert outline(TABLE) == [("p", 0, "Points are:"), *(("row", 0, row) for row in rows), ("p", 0, "and no others.")]
    assert "\n".join(rows) in PlainTextWriter().write(wording_section(TABLE))
    assert "\n".join(["```text", *rows, "```"]) in MarkdownWriter().write(wording_section(TABLE))
    assert re.findall("<code>(.*?)</code>", element_html(wording_section(TABLE))) == rows
    assert [kind for kind, *_ in outline("| a | b |\n|---|---|\n| 1 | 2 |")] == ["row"] * 3
    assert [kind for kind, *_ in outline("win\t10\nlose\t5")] == ["row"] * 2


def test_blanks_within_prose_make_no_columns():
    justified = "This  rule  takes   precedence over  all\nother rules  that may   be  made in\nthe same  game."
    typed = "One is here.  Two is.\nThis is it.  That is."
    for text in (justified, typed, "1.   One\n2.   Two", "(a)    One\n(b)    Two"):
        assert "row" not in {kind for kind, *_ in outline(text)}


def test_a_redline_keeps_points_and_columns():
    new = NESTED.replace("in writing", "in ink").replace("nobody is", "all are")
    page = element_html(build_element("div", passage_elements(compare_texts(read_blocks(NESTED), read_blocks(new)))))
    assert '<ul class="nnb-lettered"><li>(a) <del>nobody is</del><ins>all are</ins> away, or</li>' in page
    assert "<ul><li>in <del>writing</del><ins>ink</ins>, or</li><li>aloud.</li></ul>" in page

    class Rule:
        law = ""

        def __init__(self, wording):
            self.wording = wording

    changed = redline_elements(Rule(TABLE), Rule(TABLE.replace("10", "12")))
    lines = [line.removeprefix("> ") for line in MarkdownWriter().write(changed).splitlines()]
    assert [line for line in lines if line[:1] in "-+"] == ["- Win           10", "+ Win           12"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1. One\n\n   But not here.\n2. Two", "1. One\n2. Two\n\nBut not here."),
        ("1. One\n\n   But not here.", "1. One\n\nBut not here."),
        ("- One\n  - Two", "- One\n- Two"),
        ("So be it.", "- So be it."),
    ],
)
def test_a_redline_shows_what_moves_into_a_point_or_out_of_it(old, new):
    assert has_changes(compare_texts(read_blocks(old), read_blocks(new)))


def test_points_struck_out_of_a_list_leave_the_others_in_theirs():
    page = element_html(
        build_element(
            "div",
            passage_elements(
                compare_texts(read_blocks(NESTED), read_blocks("1. All are for it, and\n2. The Judge says so."))
            ),
        )
    )
    assert page.count("<ol>") == 1
    assert "<del>(a) nobody is away, or</del>" in page


MARKED = st.sampled_from(
    ["- ", "1. ", "2. ", "(a) ", "(b) ", "(i) ", "(ii) ", "A. ", "B. ", "| ", "", "", "a   b", "----", "<b>", "\t"]
)
LINES = st.lists(
    st.tuples(st.integers(0, 12), MARKED, st.sampled_from(["x", "so be it", "5", "", "   7", "<i>&", "x |"])),
    max_size=14,
)
TEXTS = LINES.map(lambda lines: "\n".join(f"{' ' * indent}{mark}{said}" for indent, mark, said in lines))


@given(TEXTS)
def test_no_letter_is_lost_and_none_is_added(text):
    found = read_blocks(text)
    given = re.sub(r"\s", "", text)
    shown = "".join(re.sub(r"\s", "", one.text) for one in found)
    marks = iter(re.sub(r"[-*•\d.)\s]", "", given))
    assert all(letter in marks for letter in re.sub(r"[-*•\d.)\s]", "", shown))
    page = read_html(element_html(build_element("div", prose_elements(text)), output=True))
    assert re.sub(r"\s", "", page.text) == shown
    assert all(one.depth <= DEEPEST_LIST for one in found)
    assert not re.search(
        "<[bi]>", re.sub("```.*?```", "", MarkdownWriter().write(wording_section(text)), flags=re.DOTALL)
    )


@given(TEXTS, TEXTS)
def test_both_sides_of_a_redline_can_be_read_whatever_the_layout(old, new):
    found = compare_texts(read_blocks(old), read_blocks(new))
    for text, other in ((new, "del"), (old, "ins")):
        sides = ["".join(run for mark, run in one.runs if mark != other) for one in found]
        assert [side for side in sides if side] == [one.text for one in read_blocks(text)]
    element_html(build_element("div", passage_elements(found)), output=True)


def test_the_whole_game_keeps_the_layout_of_a_wording():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7)
    game.propose("Ann", nb.enact(NESTED))
    assert "(a) nobody is away, or" in game.to_markdown()
    assert "<li>(a) nobody is away, or</li>" in game.to_html()
    assert any("'   (a) nobody is away, or\\n'" in cell["source"] for cell in nb.to_notebook(game)["cells"])  # as typed


def test_points_go_no_deeper_than_a_page_can_show():
    deep = "\n".join(f"{' ' * (2 * at)}- x" for at in range(500))
    assert max(one.depth for one in read_blocks(deep)) == DEEPEST_LIST
