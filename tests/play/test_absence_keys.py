"""A Judge who is away holds nothing up for good: the law says whether play waits, or the table does."""

from __future__ import annotations

import pytest
from play_helpers import law, sit, waiting_for

import nomic_nb as nb

NAMES = ("Ann", "Ben", "Cleo", "Dov")
AT_TABLE = ("discordian-nomic", "cabinet-nomic", "nomic-chess")


def insisted(system, clauses=""):
    """Cleo insists on a question, in Ben's turn where there was one before."""
    if system == "discordian-nomic":
        game = sit(*NAMES)
        law(game, clauses)
    else:
        game = sit(*NAMES, system=system)
    if system == "github-nomic":
        game.begin_turn("Ben")
    game.invoke_judgment("Cleo", "May Ben whistle?")
    return game


def answer(game, said):
    for name in waiting_for(game, "choose"):
        game.choose(name, said)


@pytest.mark.rule("discordian-nomic", 212)
@pytest.mark.rule("cabinet-nomic", 212)
@pytest.mark.rule("nomic-chess", 212)
@pytest.mark.parametrize("system", AT_TABLE)
def test_the_table_says_whether_an_absent_judge_is_waited_for(system):
    game = insisted(system)
    first = game.judgments[1].judge
    game.host.absent(first)
    assert first not in waiting_for(game, "choose")
    answer(game, "go on")
    assert game.judgments[1].judges == (first,)
    assert game.judgments[1].judge not in (first, None)
    assert waiting_for(game, "rule_on") == [game.judgments[1].judge]


def test_where_it_waits_the_table_can_be_asked_again():
    game = insisted("discordian-nomic")
    game.host.absent("Ann")
    answer(game, "wait")
    assert waiting_for(game, "rule_on") == ["Ann"]
    game.ask_again("Ben", "judge.while_away")
    answer(game, "go on")
    assert game.judgments[1].judge == "Dov"


def test_a_rule_can_say_so():
    game = insisted("discordian-nomic", 'set judge.while_away to "go on"')
    game.host.absent("Dov")
    assert game.judgments[1].judge == "Ann", "Dov was not waited for"
    game.host.absent("Ann")
    assert not game.state.questions or "could be Judge" in game.state.questions[0].text
    game = insisted("discordian-nomic", 'set judge.while_away to "wait"')
    game.host.absent("Ann")
    assert (game.state.questions, game.judgments[1].judge) == ((), "Ann")


def test_votes_on_overruling_are_not_waited_for_either():
    game = insisted("discordian-nomic", 'set judge.while_away to "go on"')
    game.rule_on("Ann", "He may.")
    game.overrule("Ben", "for")
    game.overrule("Dov", "for")
    assert game.judgments[1].status == "ruled", "Cleo can still overrule with the others"
    game.host.absent("Cleo")
    assert game.judgments[1].status == "stands"


@pytest.mark.rule("github-nomic", -102)
def test_whoever_is_to_choose_a_judge_is_not_waited_for_either():
    game = insisted("github-nomic")
    assert waiting_for(game, "choose") == ["Ben"]
    game.host.absent("Ben")
    answer(game, "go on")
    assert "could be Judge" in game.state.questions[0].text
    answer(game, "He may.")
    game.host.present("Ben")
    assert waiting_for(game, "propose") == ["Ben"]


def test_a_game_with_an_absent_judge_can_be_loaded(tmp_path):
    game = insisted("discordian-nomic")
    game.host.absent("Ann")
    answer(game, "go on")
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()
