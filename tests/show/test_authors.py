"""Who wrote each word of the law: pressing it says so, in a saved notebook, on a page and in a panel."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from panels.pages import Page
from play_helpers import sit
from show.games import begun, pass_change, two_changes
from show.reading import read
from show.test_redline import TEXTS

import nomic_nb as nb
from nomic_nb.notebook.markup.authors import find_authors
from nomic_nb.notebook.markup.prose import WORD_PATTERN, read_blocks
from nomic_nb.notebook.show import show_html, show_text


def notes(game: nb.Game, number: int) -> dict[str, str]:
    """Return the notes on the words of a rule in the law book, by the words."""
    html = show_html(game.rules)
    entry = next(part for part in html.split('class="nnb-entry"') if f'class="nnb-no">{number}<' in part)
    found = re.findall(r'<details class="nnb-wrote"><summary>(.*?)</summary>(.*?)</details>', entry)
    return {words.strip(): re.sub(r"<.*?>", "", note).strip() for words, note in found}


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_all_words_are_there_and_each_is_its_authors(versions: list[str]) -> None:
    found = find_authors(*versions)
    assert [one.block for one in found] == list(read_blocks(versions[-1]))
    for one in found:
        assert "".join(text for _, text in one.runs) == one.block.text
        for version, text in one.runs:
            for word in WORD_PATTERN.findall(text):  # whoever is said to have written a word did write it
                assert word.strip() in {other.strip() for other in WORD_PATTERN.findall(versions[int(version)])}


@given(TEXTS, TEXTS)
def test_a_word_that_was_not_there_is_the_last_authors(old: str, new: str) -> None:
    there = {word.strip() for word in WORD_PATTERN.findall(old)}
    for one in find_authors(old, new):
        for version, text in one.runs:
            assert version == "1" or {word.strip() for word in WORD_PATTERN.findall(text)} <= there


@given(TEXTS, st.integers(1, 4))
def test_a_text_that_never_changes_is_its_first_authors(text: str, times: int) -> None:
    assert {version for one in find_authors(*[text] * times) for version, _ in one.runs} <= {"0"}


def test_each_word_names_its_author_and_the_vote() -> None:
    game = two_changes()
    pass_change(game, nb.amend(302, "Whoever has 60 points first wins, unless somebody objects."))
    assert notes(game, 303) == {
        "Whoever has 60 points first wins": "[amended by 302 (Ben, turn 2), 2 for, 1 against]",
        ", unless somebody objects": "[amended by 303 (Cleo, turn 3), 3 for, 0 against]",
        ".": "[amended by 302 (Ben, turn 2), 2 for, 1 against]",
    }


def test_words_of_the_first_set_are_pressed_only_where_others_stand_beside_them() -> None:
    game = begun()
    assert notes(game, 207) == {}
    first = game.rules[207].wording
    pass_change(game, nb.amend(207, "And none on Sundays.", add=True))
    found = notes(game, 301)
    assert found["And none on Sundays."] == "[amended by 301 (Ann, turn 1), 3 for, 0 against]"
    assert "".join(words for words, note in found.items() if note == "[initial rule 207]") == first


def test_a_rule_that_a_rule_made_had_no_vote() -> None:
    game = sit("Ann", "Ben")
    pass_change(
        game,
        nb.enact(
            "Tea.",
            'draft tea: "Tea is at four."\n    set vote.duty to false\non said when text == "tea": enact tea',
            title="Tea",
        ),
    )
    game.say("Ann", "tea")
    rule = next(one for one in game.rules if one.wording == "Tea is at four.")
    assert "for, " not in notes(game, rule.number)["Tea is at four."]
    assert "by a rule" in notes(game, rule.number)["Tea is at four."]


def test_a_vote_that_is_sealed_again_is_not_told() -> None:
    game = sit("Ann", "Ben", "Cleo", terms={"vote.ballots": "sealed", "vote.quota": 2})
    game.propose("Ann", nb.enact("Be kind."))
    game.vote("Ann", "for")
    game.vote("Ben", "against")
    before = game.state.seq
    game.vote("Cleo", "for")
    assert notes(game, 301)["Be kind."].endswith("2 for, 1 against]")
    fork = game.fork()
    game.undo(before)
    assert "against" not in notes(fork, 301)["Be kind."]


def test_in_the_exported_law_book_and_in_the_panel() -> None:
    game = two_changes()
    words = '<details class="nnb-wrote"><summary>Whoever has 60 points first wins.</summary>'
    assert words in str(game.law_book())
    assert "2 for, 1 against" in str(game.law_book())
    assert "<script" not in str(game.law_book())
    page = Page(game)
    tree = str(page.send({"id": "q", "ask": "rule", "details": {"rule": 302}}))
    assert "nnb-wrote" in tree
    assert "2 for, 1 against" in tree


def test_as_text_the_wording_stays_whole() -> None:
    game = begun()
    pass_change(game, nb.enact("Nobody yawns:\n\n- not once;\n- not twice.", title="Awake"))
    pass_change(game, nb.amend(301, "Nobody yawns or sighs:\n\n- not once;\n- not twice."))
    assert "Nobody yawns or sighs:" in show_text(game.rules[302]).split("What 302")[0]
    assert "Nobody yawns or sighs:" in str(game.to_markdown())
    assert "Nobody yawns or sighs:" in read(game.rules[302]).text.replace(
        " [enacted by 301 (Ann, turn 1)]", ""
    ).replace(" [amended by 302 (Ben, turn 2)]", "")
