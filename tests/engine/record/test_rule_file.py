"""The law of a game as a rule file: the next game begins with the same rules, the same terms, the same voids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from play_helpers import judged, sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.law.rules import RuleBook
from nomic_nb.engine.play.book_in_play import with_book
from nomic_nb.engine.play.vocabulary import language
from nomic_nb.engine.rulesets.literate import read_ruleset

NAMES = ["Ann", "Ben", "Cleo"]


def law(game: nb.Game) -> list[tuple[object, ...]]:
    return [(one.number, one.title, one.tier, one.wording, one.law) for one in game.rules if not one.answers]


def terms(game: nb.Game) -> dict[str, str]:
    return {key: str(game.law[key]) for key in language().vocabulary.keys}


def adopt(game: nb.Game, change: object) -> None:
    player = game.player
    assert player is not None
    game.propose(player, change)  # type: ignore[arg-type]
    for name in game.players:
        game.vote(name, "for")
    game.roll(player, 1)


def after(game: nb.Game, folder: Path) -> nb.Game:
    """The game that begins with the law of another one."""
    game.rule_file(folder / "our-law.md")
    return nb.new_game(folder / "our-law.md", list(game.players), seed=1)


@pytest.mark.parametrize("name", nb.rulesets().index)
def test_every_rule_set_is_the_same_again(tmp_path: Path, name: str) -> None:
    game = nb.new_game(name, NAMES, seed=1)
    again = after(game, tmp_path)
    assert law(again) == law(game)
    assert terms(again) == terms(game)
    assert again.ruleset.name == "our-law"
    assert again.ruleset.title == f"{game.ruleset.title}, as amended"
    assert after(again, tmp_path).ruleset.title == again.ruleset.title


def test_what_was_agreed_before_play_and_changed_in_it_is_the_law_of_the_next(tmp_path: Path) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=1, terms={"win.points": 40})
    adopt(game, nb.transmute(112))
    adopt(game, nb.amend(203, "A majority.", law="set vote.quota to majority(vote.electorate)"))
    adopt(game, nb.amend(302, "Friends are welcome.", add=True))
    adopt(game, nb.repeal(211))
    adopt(game, nb.enact("Winners sing.", title="Song"))
    again = after(game, tmp_path)
    assert law(again) == law(game)
    assert terms(again)["vote.quota"] == terms(game)["vote.quota"]
    assert again.law["win.points"].value == 40
    again.propose("Ann", nb.enact("One more."))
    assert again.proposals.frame.index[0] not in [one.number for one in game.rules]


@pytest.mark.parametrize(
    "wording",
    [
        "# Not a heading", "Setext\n===", "> a quotation", "```\na fence\n```", "```law\nset win.points to 1\n```",
        "~~~\nopen", "```", "````wording\nx\n````", "- a list\n- of two", "1. one\n2. two", "***", "    indented",
        "a\n\n\n\nb", "  leading", "[a]: /link", "| a | b |\n| - | - |", "### 999 A rule", "<b>bold</b>", "\\# escaped",
        "A plain one.\n\nWith two parts.", "$x$ & _y_ *z*",
    ],
)  # fmt: skip
def test_wording_that_looks_like_something_else_stays_wording(tmp_path: Path, wording: str) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=1)
    adopt(game, nb.enact(wording, law="set throw.points to 3", title="## Odd   title"))
    again = after(game, tmp_path)
    assert [one[3:] for one in law(again)] == [one[3:] for one in law(game)]
    assert again.rules[301].title == "Odd title"


def test_a_rule_that_is_void_says_so_and_is_found_void_again(tmp_path: Path) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=1)
    adopt(game, nb.enact("Nobody votes.", law="forbid vote"))
    void = [one.number for one in game.rules if one.id in game.state.rules.void]
    assert void == [301]
    again = after(game, tmp_path)
    assert [one.number for one in again.rules if one.id in again.state.rules.void] == void
    assert (
        str(game.rule_file()).count("> Void when this was written; the next game decides this again when it begins.")
        == 1
    )


def test_what_a_judge_found_void_is_said_to_be_in_force_again() -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=1)
    adopt(game, nb.enact("Whoever throws has thrown a six.", law="set throw.points to 6"))
    game.invoke_judgment("Cleo", "Is that so?")
    judged(game, "No.", rests_on=[101, 301], orders="void rule_numbered(301) against rule_numbered(101)")
    assert "> Void when this was written; not void in the next game." in str(game.rule_file())


def with_rules(game: nb.Game, change: Callable[[RuleBook], RuleBook]) -> nb.Game:
    """The game with another book: no rule of these sets lets players change what was brought in."""
    event, state = game.timeline.moments[-1]
    game.timeline.moments[-1] = (event, with_book(state, change(state.rules)))
    return game


def test_what_a_rule_brings_in_is_left_to_it_but_for_what_was_changed(tmp_path: Path) -> None:
    game = nb.new_game("nomic-chess", NAMES, seed=1)
    one = next(rule for rule in game.rules if rule.ruleset)
    assert f"### {one.number} " not in str(game.rule_file())
    other = replace(one, parts=(replace(one.parts[0], wording="Changed."),))
    again = after(with_rules(game, lambda book: book.with_rule(other)), tmp_path)
    assert again.rules[one.number].wording == "Changed."
    assert sorted(map(str, law(again))) == sorted(map(str, law(game)))


def test_what_was_brought_in_and_repealed_would_be_back_and_is_refused(tmp_path: Path) -> None:
    game = nb.new_game("nomic-chess", NAMES, seed=1)
    one = next(rule for rule in game.rules if rule.ruleset)
    with_rules(game, lambda book: book.without_rules(one.id))
    with refused("incorporated-rules-gone", rules="rule N1"):
        game.rule_file(tmp_path / "our-law.md")
    assert not list(tmp_path.iterdir())


def test_a_rule_that_cannot_be_read_back_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=1)
    one = game.rules[203]
    (tmp_path / "our-law.md").write_text("as it was")
    for wording, said in (
        ("ends with blanks  ", {"code": "rules-not-for-a-file", "rules": "rule 203"}),
        ("x" * 8001, {"code": "law-not-for-a-file"}),
    ):
        other = replace(one, parts=(replace(one.parts[0], wording=f"{wording}\n\n"),))
        with_rules(game, lambda book, other=other: book.with_rule(other))  # type: ignore[misc]
        with refused(**said):
            game.rule_file(tmp_path / "our-law.md")
    assert (tmp_path / "our-law.md").read_text() == "as it was"


def test_the_rule_is_named_that_needs_what_no_rule_sets_up_any_more() -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=1)
    adopt(game, nb.repeal(201))
    with pytest.raises(nb.RecordError, match=r"rule 112: a player has no points\."):
        game.rule_file()


def test_the_next_game_begins_with_scores_as_all_agree(tmp_path: Path) -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=1)
    adopt(game, nb.enact("Winners sing.", title="Song"))
    again = after(game, tmp_path)
    for name, points in game.scores.items():
        if points:
            again.host.correct(f'put points of "{name}" at {points}', agreed=NAMES, reason="as in the last game")
    assert dict(again.scores) == dict(game.scores)
    assert sum(game.scores) > 0


def test_answers_of_the_table_are_no_law_and_that_is_said() -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=1)
    assert "Left out" not in str(game.rule_file())
    game.propose("Ann", nb.amend(208, "As we agree.", law=""))
    for name in NAMES:
        game.vote(name, "for")
    game.choose("Ann", "100", agreed=NAMES)
    text = str(game.rule_file())
    assert "Left out: answers that the players gave (1)." in text
    assert "`ruling`" not in text


def test_where_dates_decide_it_is_said_that_all_begin_equally_old() -> None:
    game = nb.new_game("discordian-nomic", NAMES, seed=1)
    adopt(game, nb.enact("The newer rule prevails.", law='set precedence.by to ["newest"]\nprevails over 211'))
    assert "all rules of this file start out equally old" in str(game.rule_file()).lower()


@pytest.mark.parametrize("name", ["law", "law.txt"])
def test_a_rule_file_has_a_name_with_which_a_game_begins(tmp_path, name):
    with refused("rule-file-name-without-md"):
        sit().rule_file(tmp_path / name)
    assert not (tmp_path / name).exists()


LINKS = "See [x](javascript:alert(1)), <data:text/html,x> and [z].\n\n[z]: vbscript:y\n\n![i](file:///etc)"


def test_no_link_of_a_strangers_comes_alive_in_a_rule_file(tmp_path):
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    for title in ("[t](javascript:t)", r"\[u\](x) <b:c>"):
        game.propose(game.player, nb.enact(LINKS, title=title))
        for player in ("Ann", "Ben"):
            game.vote(player, "for")
        game.roll(game.player, 1)
    path = tmp_path / "our-law.md"
    game.rule_file(path)
    shown = MarkdownIt("commonmark")
    shown.validateLink = lambda _: True
    page = shown.render(path.read_text())
    assert "<a " not in page
    assert "<img" not in page
    again = nb.new_game(path, ["Ann", "Ben"], seed=1)
    assert (again.rules[301].wording, again.rules[301].title) == (LINKS, "[t](javascript:t)")
    assert again.rules[302].title == r"\[u\](x) <b:c>"


@pytest.mark.parametrize(("mark", "end"), [("\ufeff", "\n"), ("", "\r\n"), ("\ufeff", "\r\n")])
def test_a_mark_before_a_rule_file_and_other_line_ends_change_nothing(tmp_path, mark, end):
    text = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1).rule_file()
    (tmp_path / "plain.md").write_bytes(text.encode())
    (tmp_path / "other.md").write_bytes((mark + text.replace("\n", end)).encode())
    plain, other = (nb.new_game(tmp_path / name, ["Ann", "Ben"], seed=1) for name in ("plain.md", "other.md"))
    assert other.ruleset.digest == plain.ruleset.digest
    assert read_ruleset(mark + text, language()).digest == plain.ruleset.digest
    assert other.fingerprint == plain.fingerprint
