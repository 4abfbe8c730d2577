"""Questions to the table, on boards."""

import tempfile
from contextlib import nullcontext
from pathlib import Path

import pytest
import refusals
from make_a_rule_helpers import begun
from make_a_rule_helpers import make as make_rule
from play_helpers import asks, refused, sit, waiting_for

import nomic_nb as nb


def asked(text="Who goes first?"):
    """A game in which the table is asked something in words."""
    game = sit()
    asks(game, text)
    game.say("Cleo", "ask")
    return game


def test_what_comes_up_as_a_turn_begins_is_answered_for_that_turn():
    game = begun(2)
    make_rule(game, 'set passant.until to ("next move" if max([n for n in [1] if turn < 0]) > 0 else "next move")')
    for _ in range(2):  # first the table is asked about the turn under way
        game.move("Ben", "Zaphod:1.a7-Zaphod:1.a5")
        (question,) = game.state.questions
        if question.turn == 0:
            game.choose("Ann", '"next move"')
    (question,) = game.state.questions
    assert (game.turn, question.turn, question.key) == (2, 3, "passant.until")
    for name in question.who:
        game.choose(name, '"next move"')
    assert (game.turn, game.state.questions) == (3, ())


UNFAIR = nb.enact("Queens are royal.", law='set royal.kinds to ["K", "Q"]')


def wished(count=3):
    """Ann wants to make a rule, and the others are asked whether it is unfair."""
    game = begun(count, restricted=True)
    with refusals.refused("permission-open-and-asked", question="unfair advantage"):
        game.propose("Ann", UNFAIR)
    return game


@pytest.mark.rule("make-a-rule", "K7", "R8")
@pytest.mark.parametrize(
    ("answer", "refused_then"),
    [("Yes: it is refused", True), ("yes", True), ("false", True), ("No: it may be done", False), ("true", False)],
)
def test_answers_say_what_comes_of_them(answer, refused_then):
    game = wished(2)
    (asked,) = [one for one in game.pending if one.must]
    assert (asked.player, asked.options) == ("Ben", ("Yes: it is refused", "No: it may be done"))
    game.choose("Ben", answer)
    assert f"the question is settled: “{asked.options[0 if refused_then else 1]}”" in list(game.history["what"])
    with refused(game, "not-proposable", rule="Q1") if refused_then else nullcontext():
        game.propose("Ann", UNFAIR)


@pytest.mark.rule("make-a-rule", "K7")
def test_where_those_asked_differ_each_can_answer_anew():
    game = wished()
    game.choose("Ben", "yes")
    game.choose("Cleo", "no")
    assert "Cleo says “No: it may be done”" in game.pending[0].prompt
    assert "they can be changed. Play continues once they agree, or Ann gives up the attempt" in str(game.pending)
    assert waiting_for(game, "choose") == ["Ben", "Cleo", "Ann"]
    game.choose("Ben", "no")
    game.propose("Ann", UNFAIR)
    assert game.player == "Ben"


@pytest.mark.rule("make-a-rule", "K7")
def test_whoever_wanted_it_can_give_it_up_and_do_something_else():
    game = wished()
    game.choose("Ben", "yes")
    with refused(game, "not-asked", player="Ann"):
        game.choose("Ann", "no")
    game.choose("Ann", "give it up")
    assert (game.player, game.state.questions) == ("Ann", ())
    game.move("Ann", "Zaphod:1.e2-Zaphod:1.e4")
    path = Path(tempfile.mkdtemp()) / "game.jsonl"
    game.save(path)
    assert nb.load(path).state.digest() == game.state.digest()


@pytest.mark.rule("make-a-rule", "K7")
def test_what_is_asked_about_somebody_who_leaves_is_asked_no_more():
    game = wished()
    game.choose("Ben", "yes")
    game.choose("Cleo", "no")
    game.forfeit("Ann")
    assert not game.state.questions
    assert game.player == "Ben"


@pytest.mark.rule("make-a-rule", "K7", "R8", "R10")
def test_all_that_people_have_to_say_is_asked_at_once():
    game = begun(3, restricted=True)
    both = nb.enact("Queens, backwards.", law=f"{UNFAIR.law}\nset turn.sequence to reversed(seats)")
    with refusals.refused("permission-open-and-asked", question="unfair advantage (rule R8.2): ") as caught:
        game.propose("Ann", both)
    assert "; or whether it keeps anybody from making rules (rule R10.2)" in caught.value.values["question"]
    assert game.pending[0].options == ("Yes to one of these: it is refused", "No to all of these: it may be done")
