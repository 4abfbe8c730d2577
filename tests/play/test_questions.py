"""Questions to the table: who must agree, what comes to the same, and what is said meanwhile."""

from play_helpers import adopt, asks, idle, sit, waiting_for

import nomic_nb as nb


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
