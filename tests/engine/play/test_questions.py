"""Questions to the table: who must agree, what comes to the same, and what is said meanwhile."""

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
import refusals
from play_helpers import adopt, asks, ballot, idle, law, refused, sit, waiting_for

import nomic_nb as nb
from nomic_nb.engine.law.changes import Change
from nomic_nb.engine.law.new_book import ChangeContext, book_after_change
from nomic_nb.engine.play.agenda_items import Question
from nomic_nb.engine.play.questions import read_answer_to_question


def asked(text="Who goes first?"):
    """A game in which the table is asked something in words."""
    game = sit()
    asks(game, text)
    game.say("Cleo", "ask")
    return game


def test_whoever_goes_away_after_a_question_holds_it_up_no_more():
    game = asked()
    game.choose("Ann", "Ben")
    game.choose("Ben", "Ben")
    assert waiting_for(game, "choose") == ["Cleo"]
    game.host.absent("Cleo")
    assert waiting_for(game, "choose") == []
    assert "settled" in list(game.history["kind"])


def test_where_all_have_gone_away_the_question_waits_for_all():
    game = asked()
    for name in game.players:
        game.host.absent(name)
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]


def test_whoever_comes_back_is_asked_again():
    game = asked()
    game.host.absent("Cleo")
    assert waiting_for(game, "choose") == ["Ann", "Ben"]
    game.host.present("Cleo")
    game.choose("Ann", "Ben")
    game.choose("Ben", "Ben")
    assert waiting_for(game, "choose") == ["Cleo"]


def test_what_others_say_is_seen_and_where_it_differs():
    game = asked()
    game.choose("Ann", "Ben")
    assert "Ann says Ben" in game.pending[0].prompt
    assert "differ" not in game.pending[0].prompt
    game.choose("Ben", "Ann")
    game.choose("Cleo", "Ann")
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    assert "The answers differ" in game.pending[0].prompt
    game.choose("Ann", " ann. ")  # what comes to the same is the same
    assert waiting_for(game, "choose") == []


def test_answers_that_come_to_the_same_number_agree():
    game = sit()
    adopt(game, nb.amend(208, "As we agree.", law=""))
    assert "win.points" in game.pending[0].prompt
    for name, answer in (("Ann", "100"), ("Ben", "50 + 50"), ("Cleo", "2 * 50")):
        game.choose(name, answer)
    assert game.law["win.points"].value == 100


def test_whoever_goes_away_agrees_to_nothing_done_by_hand():
    game = sit()
    idle(game)
    game.apply("Ben", 101, 'award 5 points to "Ben"')
    game.choose("Ann", "yes")
    game.host.absent("Cleo")
    assert game.scores["Ben"] == 5  # of those who are there, all agree
    game.apply("Ben", 101, 'award 5 points to "Ben"')
    game.host.absent("Ann")
    assert game.scores["Ben"] == 5
    assert waiting_for(game, "choose") == []
    assert list(game.history["kind"])[-1] == "disputed"


def torn():
    """A game in which the table disagrees on what a term is."""
    game = sit()
    adopt(game, nb.amend(208, "As we agree.", law=""))
    for name, answer in (("Ann", "100"), ("Ben", "90"), ("Cleo", "90")):
        game.choose(name, answer)
    return game


def judged(game, ruling="80"):
    found = game.judgments[len(game.judgments)]
    game.rule_on(found.judge, ruling)
    return found.judge


@pytest.mark.rule("discordian-nomic", 212)
def test_where_answers_differ_a_judge_can_be_called_and_what_stands_is_the_answer():
    game = torn()
    assert "somebody invokes Judgment" in game.pending[0].prompt
    game.invoke_judgment("Ann", "How many points win?")
    assert [one.action for one in game.pending] == ["rule_on"]
    judge = game.judgments[1].judge
    with refused(game, "name-unknown", kind="a number"):
        game.rule_on(judge, "many")
    with refused(game, "judgment-open", judgment=1):
        game.vote("Ann", "for")
    game.rule_on(judge, "80")
    game.overrule(waiting_for(game, "overrule")[0], "against")  # it takes all the others
    assert game.law["win.points"].value == 80
    assert game.player == "Ann"
    assert waiting_for(game, "roll") == ["Ann"]
    assert_same(game)


def test_an_overruled_answer_goes_to_the_next_judge_and_back_to_the_table_after_the_last():
    game = torn()
    game.invoke_judgment("Ann", "How many points win?")
    judges = []
    while game.state.judgment_of_question is not None:
        judges.append(judged(game))
        for name in waiting_for(game, "overrule"):
            game.overrule(name, "for")
    assert len(set(judges)) == len(judges) >= 1
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]  # with what each has said
    for name in ("Ben", "Cleo"):
        game.choose(name, "100")
    assert game.law["win.points"].value == 100


def test_a_question_waits_for_no_judge_who_goes_away_and_for_no_vote_of_one_who_does():
    game = torn()
    game.invoke_judgment("Ann", "How many points win?")
    first = game.judgments[1].judge
    game.host.absent(first)
    assert game.judgments[1].judge != first
    judge = judged(game)
    for name in waiting_for(game, "overrule"):
        if name != first:
            game.overrule(name, "against")
    assert waiting_for(game, "overrule") == [], judge
    assert game.law["win.points"].value == 80


def test_what_is_asked_of_those_who_have_to_agree_goes_to_no_judge():
    game = sit()
    idle(game)
    game.apply("Ben", 101, 'award 5 points to "Ben"')
    with refused(game, "question-open"):
        game.invoke_judgment("Ann", "Does he?")


def assert_same(game):
    """The record plays again as it was."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        game.save(path)
        assert nb.load(path).state.digest() == game.state.digest()


def silent():
    """A game of four in which no rule says any more how many points win."""
    game = sit("Ann", "Ben", "Cleo", "Dee")
    adopt(game, nb.amend(208, "As we agree.", law=""))
    return game


def test_what_all_agree_on_is_said_once():
    game = silent()
    with refused(game, "agreed-not-asked"):
        game.choose("Ann", "100", agreed=["Eve"])
    game.choose("Ann", "100", agreed=["Ben", "Cleo"])
    assert waiting_for(game, "choose") == ["Dee"]
    game.choose("Dee", "100")
    assert game.law["win.points"].value == 100
    assert_same(game)


def test_an_answer_where_no_rule_speaks_holds_until_one_does():
    game = silent()
    game.choose("Ann", "100", agreed=game.players)
    game.roll("Ann", 1)
    assert (game.player, game.law["win.points"].value) == ("Ben", 100)
    law(game, "set win.points to 70")
    assert game.law["win.points"].value == 70
    assert not [rule for rule in game.rules if rule.answers]


def test_what_was_agreed_is_asked_again_when_somebody_wants_it():
    game = silent()
    game.choose("Ann", "100", agreed=game.players)
    with refused(game, "never-agreed-on", opens="win.points"):
        game.ask_again("Ben", "win.winners")
    game.ask_again("Ben", "win.points")
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo", "Dee"]
    assert_same(game)


def test_an_answer_about_one_case_holds_for_its_turn():
    game = sit()
    adopt(game, nb.amend(203, "As we agree.", law=""))
    game.roll("Ann", 1)
    game.propose("Ben", nb.enact("More."))
    game.choose("Ann", "2", agreed=["Ben", "Cleo"])
    ballot(game)
    game.roll("Ben", 1)
    game.propose("Cleo", nb.enact("Still more."))
    assert game.state.questions


def test_a_question_whether_somebody_may_do_something_names_the_act():
    game = sit()
    law(game, "forbid say when 1 / (turn - 2) == 1\nforbid propose when 1 / (turn - 2) == 1")
    game.say("Ann", "Hello all")
    assert game.state.questions[0].text.endswith(": whether Ann may say (Hello all).")
    game.choose("Ann", "true", agreed=game.players)
    with refusals.refused("permission-open-and-asked"):
        game.propose("Ben", nb.enact("Hi.", title="Greeting"))
    assert game.state.questions[0].text.endswith(": whether Ben may propose (enact “Greeting”).")


def test_a_ruling_that_is_amended_is_a_rule_like_any_other():
    state = sit().state
    book = state.rules
    ruling = replace(next(iter(book)), answers="win.joint", id=book.next_id, number="Q1")
    law = "track stars per player from 0"
    change, making = Change("amend", "Q1", "Stars.", law), ChangeContext(number=301, event=1, turn=1, author="Ann")
    _, amended = book_after_change(book.with_rule(ruling), change, state.law.language.read_clauses(law), making)
    assert amended.answers == ""


def test_an_answer_that_names_many_is_taken_at_any_length():
    """What can be picked is an answer, however many names it has."""
    names = [f"A player of a long name number {n}" for n in range(12)]
    state = nb.new_game("discordian-nomic", names, seed=1).state
    question = Question(1, "Who votes?", state.present_names, "vote.electorate")
    answer = read_answer_to_question(state, question, ", ".join(names))
    assert len(answer) > 400
    assert answer.count("player_named") == 12
