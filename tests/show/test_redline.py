"""Redlines: with what is put in the new text, with what is struck out the old one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from show.games import begun
from show.reading import read, read_html

import nomic_nb as nb
from nomic_nb.engine.law.changes import Change
from nomic_nb.notebook.markup.prose import (
    ChangedPassage,
    ProseBlock,
    clause_blocks,
    compare_texts,
    passage_elements,
    prose_elements,
    read_blocks,
)
from nomic_nb.notebook.markup.tree import build_element, element_html

WORDS = st.sampled_from(
    ["a", "the", "rule", "rules", "vote,", "(for)", "all", "50", "1/2", "don’t", "–", "“x”", "<b>", "&"]
)
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=12).map(" ".join), max_size=5).map("\n\n".join)


def side(found: list[ChangedPassage], without: str) -> list[str]:
    """Return the text of each passage without one kind of mark, empty ones left out."""
    texts = ["".join(text for mark, text in one.runs if mark != without) for one in found]
    return [text for text in texts if text]


def check(old: tuple[ProseBlock, ...], new: tuple[ProseBlock, ...]) -> None:
    found = compare_texts(old, new)
    assert side(found, "del") == [one.text for one in new]
    assert side(found, "ins") == [one.text for one in old]


@given(TEXTS, TEXTS)
def test_both_sides_can_be_read(old: str, new: str) -> None:
    check(read_blocks(old), read_blocks(new))


@given(TEXTS, TEXTS)
def test_both_sides_can_be_read_on_the_page(old: str, new: str) -> None:
    page = read_html(
        element_html(build_element("div", passage_elements(compare_texts(read_blocks(old), read_blocks(new)))))
    )
    assert page.without("del") == " ".join(one.text for one in read_blocks(new))
    assert page.without("ins") == " ".join(one.text for one in read_blocks(old))


@given(st.text(alphabet="ab.,-1) \n<&", max_size=80), st.text(alphabet="ab.,-1) \n<&", max_size=80))
def test_any_text_at_all(old: str, new: str) -> None:
    check(read_blocks(old), read_blocks(new))
    check(clause_blocks(old), clause_blocks(new))


def test_a_few_words_change() -> None:
    old = "Whoever gets 100 points first has won, and nobody else has."
    new = "Whoever gets 50 points first has won the game, and nobody else has."
    assert compare_texts(read_blocks(old), read_blocks(new))[0].runs == (
        ("", "Whoever gets "), ("del", "100"), ("ins", "50"), ("", " points first has won"), ("ins", " the game"),
        ("", ", and nobody else has."),
    )  # fmt: skip


SENTENCES = st.lists(
    st.builds("{} {} {}.".format, st.sampled_from(["One", "Two", "The rule"]), st.sampled_from(["is", "is not"]),
              st.sampled_from(["here", "here, and there", "here: One is"])),
    min_size=1, max_size=4,
)  # fmt: skip


def struck_and_added(found: list[ChangedPassage]) -> list[tuple[str, str]]:
    return [run for one in found for run in one.runs if run[0]]


@given(SENTENCES, SENTENCES, st.integers(0, 4))
def test_sentences_put_in_or_struck_out_are_marked_as_sentences(old: list[str], more: list[str], at: int) -> None:
    new = [*old[:at], *more, *old[at:]]
    for then, now, mark in [(old, new, "ins"), (new, old, "del")]:
        found = compare_texts(read_blocks(" ".join(then)), read_blocks(" ".join(now)))
        check(read_blocks(" ".join(then)), read_blocks(" ".join(now)))
        changed = struck_and_added(found)
        if sum(len(one.runs) for one in found) == len(changed):
            return  # too little in common
        ((by, text),) = changed
        assert by == mark
        assert len(text.split()) == len(" ".join(more).split())  # not one word more
        assert any(text.strip() == " ".join(new[first : first + len(more)]) for first in range(len(new)))


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("One is here. Three is here.", "One is here. Two is here. Three is here.", " Two is here."),
        ("One is here.", "Zero is here. One is here.", "Zero is here. "),
        ("He says “No.” She says “No.”", "He says “No.” It says “No.” She says “No.”", " It says “No.”"),
        ("A vote, a throw.", "A vote, a turn, a throw.", " a turn,"),
    ],
)  # fmt: skip
def test_a_change_begins_with_a_sentence_or_else_a_clause(old: str, new: str, changed: str) -> None:
    assert changed in [text for _, text in struck_and_added(compare_texts(read_blocks(old), read_blocks(new)))]


def test_points_that_are_lettered_anew_are_the_same_points() -> None:
    old, new = (
        read_blocks("(a) all vote\n(b) all agree"),
        read_blocks("(a) all vote\n(b) nobody is away\n(c) all agree"),
    )
    assert [one.runs for one in compare_texts(old, new)] == [
        (("", "(a) all vote"),), (("ins", "(b) nobody is away"),),
        (("", "("), ("del", "b"), ("ins", "c"), ("", ") all agree")),
    ]  # fmt: skip


def test_what_has_little_in_common_is_not_made_a_patchwork() -> None:
    found = compare_texts(
        read_blocks("All must agree or nothing is adopted."), read_blocks("The game is a walk in the park.")
    )
    assert [one.runs[0][0] for one in found] == ["del", "ins"]


def test_huge_texts_of_one_word_are_not_compared_word_by_word() -> None:
    old, new = read_blocks("x " * 2_000), read_blocks("x y " * 1_000)
    assert [one.runs[0][0] for one in compare_texts(old, new)] == ["del", "ins"]


def test_lines_of_a_paragraph_are_joined_and_lists_are_lists() -> None:
    text = "One line\nand another:\n\n- first,\n  goes on\n- second\n\n3. third\n4. fourth\n\nIn\n1982. Yes."
    page = element_html(build_element("div", prose_elements(text)))
    assert page == (
        "<div><p>One line and another:</p><ul><li>first, goes on</li><li>second</li></ul>"
        '<ol><li value="3">third</li><li value="4">fourth</li></ol><p>In 1982. Yes.</p></div>'
    )


@pytest.mark.parametrize(
    ("change", "gone", "new"),
    [
        (nb.amend(208, "Whoever is first to achieve 60 points wins."), "achieve 100", "achieve 60"),
        (nb.amend(208, law="set win.points to dice.sides"), "to 100", "to dice.sides"),
        (nb.repeal(208), "Whoever is first to achieve 100 points wins.", None),
        (nb.amend(208, "Cheers.", add=True), None, "Cheers."),
        (nb.amend(208, law=""), "set win.points to 100", None),
        (nb.amend(208, title="Enough"), "How many points win", "Enough"),
    ],
)
def test_a_proposal_against_the_rule_it_changes(change: Change, gone: str, new: str) -> None:
    page = read(begun().propose("Ann", change))
    if gone:
        assert gone in page.without("ins")
        assert gone not in page.without("del").replace("“How many points win”", "")
    if new:
        assert new in page.without("del")
        assert new not in page.without("ins")
    else:
        assert not any("ins" in around for around, _ in page.texts)


def test_an_amended_rule_against_the_one_before() -> None:
    game = begun()
    game.propose("Ann", nb.amend(208, "Whoever is first to achieve 60 points wins.", "set win.points to 60"))
    for name in game.players:
        game.vote(name, "for")
    for page in (read(game.rules[301]), read(game.rules)):
        struck = "".join(text for around, text in page.texts if "del" in around)
        added = "".join(text for around, text in page.texts if "ins" in around)
        assert "100" in struck
        assert "60" in added
    assert "What 301 changed" in read(game.rules[301]).text


def test_a_paragraph_is_the_same_whatever_item_stands_before_it():
    assert read_blocks("2. a vote\n\nSo be it.")[1] == read_blocks("So be it.")[0]
