"""Rule sets as pages: what comes with the kit can be read, and a page with a mistake says where it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import refusals
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.errors import LawError
from nomic_nb.engine.law import clauses as c
from nomic_nb.engine.law.language import fold_blocks, join_lines
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import (
    LONGEST_FILE,
    MOST_RULES,
    RuleSet,
    find_ruleset,
    known_rulesets,
    read_ruleset,
)

ABOUT = "```about\nname: some\ntitle: Some rules\nplayers: any\nsource: none\n```\n"
PAGE = f"""# Some rules

{ABOUT}
An introduction.

## Strong ones `immutable`

### 101 The first

Its wording,
on two lines.

```law
set win.points to 50
```

> A note.

> Another.

## Weak ones `mutable`

### R8 The second

- One.
- Two.

## Notes

These are notes.
"""


def page(text: str = PAGE) -> RuleSet:
    return read_ruleset(text, language())


def refusal(text: str) -> LawError:
    with pytest.raises(LawError) as caught:
        page(text)
    return caught.value


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


# ---------------------------------------------------------------------------- what comes with the kit


def test_there_is_something() -> None:
    assert "discordian-nomic" in known_rulesets()
    assert set(nb.rulesets().index) == set(known_rulesets()) - {"fide-chess"}


@pytest.mark.parametrize("name", known_rulesets())
def test_every_packaged_set_is_read_and_typed(name: str) -> None:
    found = find_ruleset(name, language())
    assert found.name == name
    assert found.title
    assert found.players
    assert found.source
    assert found.introduction
    blocks = re.findall(r"^```law\n(.*?)^```", found.text, re.DOTALL | re.MULTILINE)
    assert len(blocks) == sum(1 for rule in found.rules if rule.law)
    for rule in found.rules:
        assert rule.wording
        assert rule.title
        assert rule.how == "initial"
        assert [line.clause for line in language().read_clauses(rule.law)] == list(rule.clauses)
        for clause in rule.clauses:
            (again,) = language().read_clauses(clause.words)
            assert again.clause == clause
    assert [rule.id for rule in found.rules] == list(range(1, len(found.rules) + 1))


@pytest.mark.parametrize("name", known_rulesets())
def test_each_part_of_an_effect_knows_its_place_in_the_clause(name: str) -> None:
    for line in [line for rule in find_ruleset(name, language()).rules for line in rule.parts[0].lines]:
        flat, _ = fold_blocks(line.source)
        for effect in line.clause.all_effects():
            assert join_lines(flat[effect.at :]).startswith(effect.words)
            for expression in effect.expressions:
                assert flat[expression.at :].lstrip().startswith(expression.text)


@pytest.mark.parametrize("name", nb.rulesets().index)
def test_every_packaged_set_that_is_a_game_can_be_played(name: str) -> None:
    game = nb.new_game(name, ["Ann", "Ben", "Cleo"], seed=1)
    assert game.pending
    own = [rule.number for rule in game.rules if not rule.ruleset]
    assert sorted(map(str, own)) == sorted(str(rule.number) for rule in game.ruleset.rules)


def test_the_discordian_set_is_whole() -> None:
    found = find_ruleset("discordian-nomic", language())
    tiers: dict[str, list[object]] = {}
    for rule in found.rules:
        tiers.setdefault(rule.tier, []).append(rule.number)
    assert tiers["immutable"] == list(range(101, 117))
    assert tiers["mutable"] == list(range(201, 214))
    assert set(tiers) == {"immutable", "mutable", "reading"}


def test_no_rule_of_a_packaged_set_leaves_the_law_torn() -> None:
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    outcomes = {key: game.law[key].outcome for key in game.law}
    assert not {key for key, outcome in outcomes.items() if outcome in ("torn", "undecided")}


# -------------------------------------------------------------------------------- how a page is read


def test_the_parts_of_a_page() -> None:
    found = page()
    assert (found.name, found.title, found.players, found.source) == ("some", "Some rules", "any", "none")
    assert found.introduction == "An introduction."
    one, two = found.rules
    assert (one.number, one.title, one.tier) == (101, "The first", "immutable")
    assert one.wording == "Its wording,\non two lines."
    assert one.law == "set win.points to 50"
    assert one.notes == ("A note.", "Another.")
    assert (two.number, two.title, two.tier, two.law) == ("R8", "The second", "mutable", "")
    assert two.wording == "- One.\n- Two."
    assert found.text == PAGE


@pytest.mark.parametrize("number", ["203", "-110", "R8", "A1", "P7", "R1.6"])
def test_numbers_and_labels(number: str) -> None:
    rule = page(PAGE.replace("R8", number)).rules[1]
    assert str(rule.number) == number
    assert isinstance(rule.number, int) is number.lstrip("-").isdigit()


def test_the_digest_is_that_of_the_text() -> None:
    assert page().digest == page().digest
    assert page().digest != page(PAGE.replace("A note", "a note")).digest


def test_a_page_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text(PAGE, encoding="utf-8")
    assert find_ruleset(path, language()) == page()
    assert find_ruleset(str(path), language()) == page()
    for missing in ("no-such-set", str(tmp_path / "none.md"), str(tmp_path), tmp_path / "mine.txt"):
        with refused("ruleset-unknown", expected="cabinet-nomic, discordian-nomic"):
            find_ruleset(missing, language())


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_bytes(b"\xff\xfe\x00# broken")
    with refused("rule-file-not-unicode"):
        find_ruleset(path, language())


# ------------------------------------------------------------------------------------------ mistakes


@pytest.mark.parametrize(
    ("law", "at", "column"),
    [
        ("set win.points to", 0, 18),
        ("set win.pionts to 5", 0, 5),
        ('set win.points to "a"', 0, 19),
        ("# fine\n\nset win.points to 5\nset win.points 5", 3, 16),
        ("set win.points to\n  (5 +\n   trun)", 2, 4),
        ("on adopted:\n  award 1 points to proponent", 1, 11),
        ("allow skip\non counted: award 1 points to player\ntrack points per player from 0", 1, 1),
    ],
)
def test_an_error_gives_the_line_of_the_file(law: str, at: int, column: int) -> None:
    text = PAGE.replace("set win.points to 50", law)
    error = refusal(text)
    assert (error.line, error.column) == (line_of(text, law) + at, column)


def test_an_error_in_a_later_rule_gives_the_line_of_the_file() -> None:
    text = PAGE.replace("- Two.", "- Two.\n\n```law\nset dice.sides to 6\n\nset dice.sides to six\n```")
    assert refusal(text).line == line_of(text, "set dice.sides to six")


def test_two_rules_of_one_number() -> None:
    text = PAGE.replace("### R8", "### 101")
    error = refusal(text)
    refusals.check(error, "rule-number-twice", rule=101, line=line_of(text, "### 101 The second"))
    assert f"line {line_of(text, '### 101 The first')}" in error.found


def test_a_rule_without_wording() -> None:
    text = PAGE.replace("- One.\n- Two.\n", "> Only a note.\n")
    error = refusal(text)
    refusals.check(error, "rule-without-wording", rule="R8", line=line_of(text, "### R8"))


@pytest.mark.parametrize("name", ["name", "title", "players", "source"])
def test_a_page_that_does_not_say_what_it_is(name: str) -> None:
    for line in ("", f"\n{name}:"):
        refusals.check(refusal(re.sub(rf"\n{name}: .*", line, PAGE, count=1)), "about-incomplete", name=name)


def test_an_about_block_with_a_line_that_says_nothing() -> None:
    text = PAGE.replace("players: any", "players any")
    assert refusal(text).line == line_of(text, "players any")


def test_a_name_in_the_about_block_that_nothing_reads() -> None:
    text = PAGE.replace("players: any", "players: any\nnumber of players: 3")
    assert refusal(text).line == line_of(text, "number of players")
    assert "title, players, source" in refusal(text).expected


@pytest.mark.parametrize("name", ["Law", "laws", "python"])
def test_a_block_that_is_neither_law_nor_wording(name: str) -> None:
    text = PAGE.replace("> A note.", f"```{name}\nset dice.sides to 6\n```\n")
    error = refusal(text)
    refusals.check(error, "block-unknown", line=line_of(text, f"```{name}"))


def test_two_law_blocks() -> None:
    text = PAGE.replace("> A note.", "```law\nset dice.sides to 6\n```\n")
    error = refusal(text)
    refusals.check(error, "two-law-blocks", rule=101, line=line_of(text, "```law\nset dice.sides"))


def test_two_law_blocks_of_which_the_first_is_empty() -> None:
    text = PAGE.replace("set win.points to 50\n", "").replace("> A note.", "```law\nset dice.sides to 6\n```\n")
    refusals.check(refusal(text), "two-law-blocks", rule=101)


@pytest.mark.parametrize("head", ["### The second", "### R8", "### 8.5.1 x", "### r8 small", "###", "### 203. A title"])
def test_a_heading_that_is_none(head: str) -> None:
    text = PAGE.replace("### R8 The second", head)
    error = refusal(text)
    refusals.check(error, "heading-unreadable", line=line_of(text, head + "\n\n- One"))


def test_a_law_block_in_a_section_that_holds_no_rules_is_not_lost_in_silence() -> None:
    error = refusal(PAGE.replace("These are notes.", "```law\nset win.points to 5\n```"))
    assert error.line > 1


@pytest.mark.parametrize("heading", ["## Strong ones `immutable`", "## Weak ones `mutable`"])
def test_what_stands_below_the_heading_of_a_tier_is_of_no_rule(heading: str) -> None:
    read = page(PAGE.replace(heading, f"{heading}\n\nOf these there are few.\n"))
    assert "few" not in read.introduction
    assert [rule.wording for rule in read.rules] == [rule.wording for rule in page().rules]


def test_a_page_without_rules() -> None:
    refusals.check(refusal(f"# None\n\n{ABOUT}\nWords.\n"), "rule-count", most=MOST_RULES)


def test_a_page_that_is_too_long() -> None:
    refusals.check(refusal("a" * (LONGEST_FILE + 1)), "text-too-long", longest=LONGEST_FILE)


def test_characters_that_hide_are_refused_in_wording_with_the_line_of_the_file() -> None:
    text = PAGE.replace("on two lines", "on two\u202e lines")
    error = refusal(text)
    assert error.line == line_of(text, "on two")


@pytest.mark.parametrize("where", ["The first", "A note.", "Some rules", "An introduction", "These are notes"])
def test_characters_that_hide_are_refused_everywhere(where: str) -> None:
    refusal(PAGE.replace(where, f"{where[0]}\u202e{where[1:]}"))


def test_a_counter_tracked_in_two_ways_is_refused() -> None:
    text = PAGE.replace("set win.points to 50", "track points per player from 0").replace(
        "- Two.", "- Two.\n\n```law\ntrack points per game from 0\n```"
    )
    assert refusal(text).line == line_of(text, "track points per game")


# --------------------------------------------------------------------------------------------- terms


def agreed(**terms: object) -> RuleSet:
    named = {key.replace("__", "."): value for key, value in terms.items()}
    return find_ruleset("discordian-nomic", language()).with_terms(named, language())


@pytest.mark.parametrize(
    ("key", "value", "law"),
    [
        ("win.points", 30, "set win.points to 30"),
        ("win.points", "20 + 10", "set win.points to 20 + 10"),
        ("vote.duty", False, "set vote.duty to false"),
        ("vote.ballots", "sealed", 'set vote.ballots to "sealed"'),
        ("turn.parts", '["throw"]', 'set turn.parts to ["throw"]'),
    ],
)
def test_a_term_is_agreed_otherwise(key: str, value: object, law: str) -> None:
    before = find_ruleset("discordian-nomic", language())
    after = before.with_terms({key: value}, language())
    changed = [(old, new) for old, new in zip(before.rules, after.rules, strict=True) if old != new]
    ((old, new),) = changed
    assert law in new.law.splitlines()
    assert len(new.clauses) == len(old.clauses)
    assert (new.id, new.number, new.wording) == (old.id, old.number, old.wording)
    assert key in new.notes[-1]
    assert before == find_ruleset("discordian-nomic", language())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("win.pionts", 30), ("win.joint", "tossed"), ("may.skip", True), ("points", 5), ("win.points", "many"),
        ("win.points", True), ("win.points", 1.5), ("win.points", 10**13), ("win.points", None), ("vote.duty", 1),
        ("vote.ballots", "hidden"), ("vote.ballots", 5), ("turn.parts", "throw"), ("win.points", "__import__('os')"),
        ("win.points", ""), ("win.points", {"a": 1}), ("dice.source", "open\nset win.points to 1"),
    ],
)  # fmt: skip
def test_a_term_that_is_none_is_refused(key: str, value: object) -> None:
    with pytest.raises(LawError):
        find_ruleset("discordian-nomic", language()).with_terms({key: value}, language())
    with pytest.raises(LawError):
        nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1, terms={key: value})


@pytest.mark.parametrize(
    "value",
    ["50\nset dice.sides to 8", "50\nprevails over everything", "50 while turn > 3", "50\n\n# remark", "50\n  + 1"],
)
def test_a_term_is_one_value_and_brings_no_clauses_along(value: str) -> None:
    with pytest.raises(LawError):
        agreed(win__points=value)


def test_terms_agree_in_any_order() -> None:
    one = agreed(vote__ballots="sealed", vote__changeable=True)
    other = agreed(vote__changeable=True, vote__ballots="sealed")
    assert [rule.law for rule in one.rules] == [rule.law for rule in other.rules]
    rule = next(rule for rule in one.rules if rule.number == "K2")
    assert [type(clause) for clause in rule.clauses] == [c.SetClause, c.SetClause]
