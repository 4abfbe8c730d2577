"""A Judge who is away, and a new Judge: the law says whether play waits for one, and what the other may settle."""

from __future__ import annotations

import pytest
from play_helpers import adopt, law, sit, waiting_for

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
    assert not game.state.questions or "left to judge this" in game.state.questions[0].text
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
    assert "left to judge this" in game.state.questions[0].text
    answer(game, "He may.")
    game.host.present("Ben")
    assert waiting_for(game, "propose") == ["Ben"]


def test_a_game_with_an_absent_judge_can_be_loaded(tmp_path):
    game = insisted("discordian-nomic")
    game.host.absent("Ann")
    answer(game, "go on")
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


def answered(overruled):
    """A term on which the table disagrees and a Judge decides; the first Judge is overruled, or is not."""
    game = sit()
    adopt(game, nb.amend(208, "As we agree.", law=""))  # and "judge.scope" is as the published rule has it
    for name, said in (("Ann", "100"), ("Ben", "90"), ("Cleo", "90")):
        game.choose(name, said)
    game.invoke_judgment("Ann", "How many points win?")
    for stands in (False, True) if overruled else (True,):
        [decision] = game.pending
        game.rule_on(decision.player, "80")
        for name in waiting_for(game, "overrule")[: 1 if stands else None]:
            game.overrule(name, "against" if stands else "for")
    return game, decision.prompt


@pytest.mark.rule("discordian-nomic", 212)
def test_a_new_judge_settles_only_what_makes_a_difference_to_this_turn():
    game, prompt = answered(overruled=True)
    assert "affects this turn" in prompt
    assert game.law["win.points"].value == 80
    game.roll("Ann", 1)
    for name in waiting_for(game, "consent"):
        game.consent(name)
    assert game.law["win.points"].value is None, "the table is asked anew"


@pytest.mark.rule("discordian-nomic", 212)
def test_a_judge_who_comes_after_nobody_settles_all_questions():
    game, prompt = answered(overruled=False)
    assert "makes a difference" not in prompt
    game.roll("Ann", 1)
    for name in waiting_for(game, "consent"):
        game.consent(name)
    assert (game.player, game.law["win.points"].value) == ("Ben", 80)
