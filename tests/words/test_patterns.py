"""No group of texts gets more phrases of translated English than it has, and those that it has become fewer."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path

import pytest
from words import patterns as counting
from words.patterns import Hit, find_hits, lower, measure, read_kept, read_patterns
from words.sample import count, draw
from words.texts import GROUPS, SOURCES, collect

#: A sentence with four hits.
ODD = "Whoever has the turn at hand is told of what is wanted."
#: Sources that read files; the others read the package that is imported.
FILES = SOURCES[:-2]
NOTEBOOK = json.dumps({"cells": [{"cell_type": "markdown", "source": [ODD]}]})
#: Where an odd sentence can be planted, by group.
PLANTED = {
    "README": ("README.md", ODD),
    "first notebooks": ("notebooks/00_start_here.ipynb", NOTEBOOK),
    "other notebooks": ("notebooks/02_lesson.ipynb", NOTEBOOK),
    "docs": ("nomic_nb/docs/start.md", f"| A table |\n| --- |\n| {ODD} |"),
    "rule sets": ("nomic_nb/engine/rulesets/dull-nomic.md", f"```law\nset win.points to 9\n```\n\n{ODD}"),
    "library": ("nomic_nb/study/library/dice.toml", f'[rule]\nabout = "{ODD}"'),
    "screen": ("widgets/vote.js", f'    label("{ODD}");  // shown'),
    "messages": ("nomic_nb/engine/play/turns.py", f'def stop():\n    refuse(say("odd", "{ODD}"))'),
    "events": ("nomic_nb/engine/play/dice.py", f'declare_event("odd", told="{ODD}")'),
    "API docstrings": ("nomic_nb/notebook/game.py", f'class Game:\n    def roll(self):\n        """{ODD}"""'),
    "public docstrings": ("nomic_nb/engine/play/clock.py", f'def tick():\n    """{ODD}"""'),
    "private docstrings and comments": ("nomic_nb/engine/play/tables.py", f"x = '#'  # {ODD}"),
    "test names": ("tests/test_odd.py", "def test_whoever_has_the_turn_at_hand_is_told_of_what_is_wanted():\n    pass"),
    "changelog": ("CHANGELOG.md", f"- {ODD}"),
}  # fmt: skip
Texts = Mapping[str, Mapping[str, str]]


@pytest.fixture(scope="session")
def texts() -> Texts:
    return collect()


@pytest.fixture(scope="session")
def hits(texts: Texts) -> list[Hit]:
    return find_hits(texts)


@pytest.fixture(scope="session")
def measured(texts: Texts, hits: list[Hit]) -> dict[str, float]:
    return measure(texts, hits)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder with the files that every clone has: no word in them, and two names of the public API."""
    for name in (
        "README.md",
        "CHANGELOG.md",
        "nomic_nb/notebook/panels/words.toml",
        "nomic_nb/study/views/wording.toml",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    listed = tmp_path / "tests" / "public_names.txt"
    listed.parent.mkdir()
    listed.write_text("nb.Game(timeline)\nnb.Game.roll(player, value=)\nnb.library.tick()\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Return a file that keeps the numbers of two groups."""
    path = tmp_path / "hits.toml"
    path.write_text('docs = 8.0\n"test names" = 3.0\n', encoding="utf-8")
    return path


def test_a_group_has_as_many_hits_as_its_number_says(measured: Mapping[str, float]) -> None:
    """All groups in one, since reading all texts takes longest."""
    numbers = read_kept()
    higher = {group: now for group, now in measured.items() if counting.is_higher(now, numbers[group])}
    assert not higher, (
        f"More hits per 1,000 words than are allowed: {higher}. Rewrite what you added; "
        "`python tests/words/patterns.py --show all --group GROUP` lists hits and what to write instead"
    )
    lower = {group: now for group, now in measured.items() if counting.is_clearly_lower(now, numbers[group])}
    assert not lower, (
        f"Fewer hits per 1,000 words than are allowed: {lower}. "
        "Lower the numbers with `python tests/words/patterns.py --keep`"
    )


def test_every_group_has_texts_and_a_number(texts: Texts) -> None:
    assert tuple(read_kept()) == tuple(texts) == GROUPS
    assert [group for group, found in texts.items() if len(found) < 10] == []


@pytest.mark.parametrize("group", PLANTED)
def test_an_odd_sentence_is_found_in_its_group(group: str, clone: Path) -> None:
    name, text = PLANTED[group]
    path = clone / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    found = find_hits(collect(clone, FILES))
    assert {hit.group for hit in found} == {group}
    assert {"whoever + verb", "at hand", "is told", "odd what is"} <= {hit.pattern for hit in found}


@pytest.mark.parametrize("group", ["meanings", "readings"])
def test_an_odd_meaning_or_reading_would_be_found(group: str, texts: Texts) -> None:
    before, after = (measure(one, find_hits(one)) for one in (texts_of(group, texts), texts_of(group, texts, ODD)))
    assert counting.is_higher(after[group], before[group])


def texts_of(group: str, texts: Texts, *more: str) -> Texts:
    """Return some texts of a group, and more."""
    return {group: {**dict(list(texts[group].items())[:20]), **dict.fromkeys(more, "here")}}


@pytest.mark.parametrize("group", ["README", "first notebooks", "screen", "events", "changelog"])
def test_one_odd_sentence_is_too_much_for_a_small_group(
    group: str, texts: Texts, measured: Mapping[str, float]
) -> None:
    more = {group: {**texts[group], ODD: "here"}}
    number = math.ceil(10 * measured[group]) / 10
    assert counting.is_higher(measure(more, find_hits(more))[group], number)


def test_plain_sentences_and_code_between_backticks_are_no_hits() -> None:
    plain = {"docs": {"Roll the die on your turn.": "here", "Call `thrown anew for ever` when Ann asks.": "here"}}
    assert find_hits(plain) == []


def test_a_hit_ends_with_its_text() -> None:
    found = find_hits({"docs": {"What it says": "first", "Ann is told.": "second"}})
    assert [(hit.pattern, hit.where, hit.excerpt()) for hit in found] == [("is told", "second", "…Ann [is told].")]


def test_a_search_that_checks_the_start_of_a_word_afterwards_finds_the_same(texts: Texts) -> None:
    text = "\n".join(texts["changelog"])
    for pattern in read_patterns():
        assert [one.span() for one in pattern.find(text)] == [one.span() for one in pattern.regex.finditer(text)]


def test_every_pattern_has_a_name_of_its_own_and_a_remedy() -> None:
    patterns = read_patterns()
    assert len({pattern.name for pattern in patterns}) == len(patterns) > 50
    assert all(pattern.better for pattern in patterns)


def test_the_table_has_a_row_for_each_pattern_and_the_sums(texts: Texts, hits: list[Hit]) -> None:
    *_, sums, per_thousand = rows = counting.table(texts, hits).splitlines()
    assert len(rows) == len(read_patterns()) + 4
    assert sums.startswith(f"| **all** | {len(hits)} | ")
    assert per_thousand.count("|") == len(GROUPS) + 3


def test_a_pattern_is_shown_with_some_of_its_hits() -> None:
    found = find_hits({"docs": {f"Ann is told {n}.": "here" for n in range(9)}, "screen": {"Ben was told.": "there"}})
    assert counting.show(found, "is told", 3).count("[is told]") == 3
    assert counting.show(found, "is told", 3, "screen").splitlines()[1:] == ["   there  …Ben [was told]."]


def test_keep_lowers_a_number_and_rounds_it_up(kept: Path) -> None:
    assert lower({"docs": 5.01, "test names": 3.0}, kept) == []
    assert read_kept(kept) == {"docs": 5.1, "test names": 3.0}


def test_keep_refuses_to_raise_a_number(kept: Path) -> None:
    assert lower({"docs": 8.04, "test names": 2.0}, kept) == ["docs"]
    assert read_kept(kept) == {"docs": 8.0, "test names": 2.0}


def test_keep_refuses_to_add_a_group(kept: Path) -> None:
    assert lower({"docs": 8.0, "test names": 3.0, "screen": 1.0}, kept) == ["screen"]
    assert read_kept(kept) == {"docs": 8.0, "test names": 3.0}


def test_the_command_says_which_numbers_it_does_not_raise(
    kept: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = {"docs": {ODD: "here"}, "test names": {"a player votes": "here"}}
    monkeypatch.setattr(counting, "collect", lambda: odd)
    assert counting.main(["--keep"], kept) == 1
    assert capsys.readouterr().out.startswith("docs: its number was not raised.")
    assert read_kept(kept) == {"docs": 8.0, "test names": 0.0}


def test_only_a_clear_fall_asks_for_a_lower_number() -> None:
    assert not counting.is_clearly_lower(2.6, 3.0)
    assert counting.is_clearly_lower(2.4, 3.0)
    assert not counting.is_clearly_lower(19.0, 21.0)
    assert counting.is_clearly_lower(18.8, 21.0)


def test_a_sample_depends_on_its_seed_alone(texts: Texts, tmp_path: Path) -> None:
    backwards = {"docs": dict(reversed(list(texts["docs"].items())))}
    first, again, other = (tmp_path / name for name in ("first.tsv", "again.tsv", "other.tsv"))
    draw(texts, first, seed="1", size=5, kinds=["docs"])
    draw(backwards, again, seed="1", size=5, kinds=["docs"])
    draw(texts, other, seed="2", size=5, kinds=["docs"])
    assert first.read_text(encoding="utf-8") == again.read_text(encoding="utf-8") != other.read_text(encoding="utf-8")
    assert [line.split("\t")[:2] for line in first.read_text(encoding="utf-8").splitlines()] == [
        ["docs", str(number)] for number in range(1, 6)
    ]


def test_the_verdicts_of_a_sample_are_counted(tmp_path: Path) -> None:
    judged = tmp_path / "judged.tsv"
    marks = "nnno" + "x"
    judged.write_text("".join(f"docs\t{n}\there\t{mark}\tA text.\n" for n, mark in enumerate(marks)), encoding="utf-8")
    assert "| docs | 4 | 75% | 0% | 25% | 5%–70% |" in count(judged)
