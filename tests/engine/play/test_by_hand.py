"""What people do by hand: how far one alone can go, and when the others are asked."""

import pytest
from play_helpers import adopt, agree, idle, refused, scores, sit, waiting_for

import nomic_nb as nb
from nomic_nb.engine.subjects.host import numbers_named

LAUGH = "Whoever makes another player laugh gets three points. Whoever laughs loses 2."


def laughing():
    """A game in which only people can tell whether a rule was met; it is Ben's turn."""
    game = sit()
    adopt(game, nb.enact(LAUGH))
    game.roll("Ann", 1)
    return game


@pytest.mark.parametrize(
    ("player", "rule", "effect", "why"),
    [
        ("Cleo", 101, 'award 99 points to "Cleo"', "99 points"),
        ("Cleo", 301, 'award 3 points to "Cleo"', "not Cleo’s turn"),
        ("Cleo", 301, 'award -2 points to "Ann"', "not Cleo’s turn"),
        ("Cleo", 301, "award 2 points to players", "not Cleo’s turn"),
        ("Ben", 301, 'award 4 points to "Ann"', "4 points"),
        ("Ben", 101, 'award 1 points to "Ben"', "1 points"),
        ("Ben", 301, 'eliminate "Ann"', "Ann out of the game"),
        ("Ben", 301, 'put points of "Ben" at 100', "make Ben win"),
        ("Cleo", 301, 'oblige "Ben" to say', "not Cleo’s turn"),
    ],
)
def test_the_others_are_asked(player, rule, effect, why):
    game = laughing()
    before = scores(game)
    game.apply(player, rule, effect)
    assert waiting_for(game, "choose") == [name for name in game.players if name != player]
    assert why in game.pending[0].prompt
    assert (scores(game), game.state.names_of_players, game.over) == (before, ("Ann", "Ben", "Cleo"), False)
    with refused(game, "question-open"):
        game.propose("Ben", nb.enact("More."))
    with refused(game, "answer-yes-or-no"):
        game.choose(waiting_for(game, "choose")[0], "perhaps")
    game.choose(waiting_for(game, "choose")[0], "no")
    assert (scores(game), game.state.names_of_players, game.over) == (before, ("Ann", "Ben", "Cleo"), False)
    assert waiting_for(game, "propose") == ["Ben"]
    assert "consent" in game.history.iloc[-1]["what"]
    assert game.history.iloc[-1]["kind"] == "disputed"


@pytest.mark.parametrize(
    ("player", "effect", "change"),
    [
        ("Ben", 'award 3 points to "Ben"', {"Ben": 3}),
        ("Ben", 'award 3 points to "Ann"', {"Ann": 3}),
        ("Ben", 'award -2 points to "Cleo"', {"Cleo": -2}),
        ("Cleo", 'award 3 points to "Ben"', {"Ben": 3}),
        ("Cleo", 'award -2 points to "Cleo"', {"Cleo": -2}),
        ("Cleo", 'announce "Somebody laughed."', {}),
    ],
)
def test_what_the_rule_names_is_done_at_once_where_it_is_not_to_ones_own_good_out_of_turn(player, effect, change):
    game = laughing()
    before = scores(game)
    game.apply(player, 301, effect)
    assert scores(game) == {name: points + change.get(name, 0) for name, points in before.items()}
    assert waiting_for(game, "choose") == []


def test_the_same_rule_twice_in_a_turn_is_asked_about():
    game = laughing()
    game.apply("Ben", 301, 'award 3 points to "Ben"')
    game.apply("Cleo", 301, 'award -2 points to "Cleo"')
    assert "already been applied in this turn" in game.pending[0].prompt
    agree(game)
    idle(game)
    game.apply("Cleo", 301, 'award 3 points to "Cleo"')
    assert waiting_for(game, "choose") == []


def test_what_all_agree_on_is_done_and_marked_as_agreed():
    game = laughing()
    game.apply("Ben", 301, 'award 50 points to "Ann"')
    agree(game)
    assert scores(game)["Ann"] == 51
    entry = list(game.ledger)[-1]
    assert entry.rule == 301
    assert entry.why.startswith("agreed, applied by Ben")


def test_what_makes_somebody_win_ends_the_game_once_it_is_agreed():
    game = laughing()
    game.apply("Ben", 301, 'put points of "Ben" at 100')
    agree(game)
    assert game.winner == "Ben"


def test_what_follows_from_it_counts_too():
    game = laughing()
    adopt(game, nb.enact("So.", law='on counted when counter == "points" and amount == 3: eliminate player'))
    game.apply("Ben", 301, 'award 3 points to "Ann"')
    assert "Ann out of the game" in game.pending[0].prompt


@pytest.mark.parametrize("number", [206, 301])
def test_a_rule_that_has_clauses_is_not_applied_by_hand(number):
    game = sit()
    adopt(game, nb.enact("Sixes count twice.", law="set throw.points to face + face while face == 6"))
    with refused(game, "rule-has-clauses", rule=number):
        game.apply("Ann", number, 'award -10 points to "Ben"')


def test_where_nobody_else_is_there_nothing_is_done():
    game = laughing()
    game.host.absent("Ann")
    game.host.absent("Cleo")
    game.apply("Ben", 301, 'award 50 points to "Ben"')
    assert waiting_for(game, "propose") == ["Ben"]
    assert scores(game)["Ben"] == 0
    assert "nobody is there" in game.history.iloc[-1]["what"]


def test_whoever_leaves_is_asked_no_more():
    game = laughing()
    game.apply("Ben", 301, 'award 50 points to "Ben"')
    game.choose("Ann", "yes")
    game.forfeit("Cleo")
    assert scores(game)["Ben"] == 50


def test_a_doubt_about_several_players_is_told_once():
    game = laughing()
    game.apply("Ben", 301, "award 4 points to players")
    assert game.state.questions[0].text.count("no rule concerned mentions 4 points") == 1


def test_what_was_done_by_hand_is_on_record(tmp_path):
    game = laughing()
    for answer in ("no", "yes"):
        game.apply("Ben", 301, 'award 50 points to "Ben"')
        agree(game, answer)
    idle(game)
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert again.state.digest() == game.state.digest()
    assert list(again.history["what"]) == list(game.history["what"])


def test_numbers_that_a_wording_names():
    assert numbers_named("Twenty-one? No: 21, or twenty, or one.") == {0, 1, 20, 21}
