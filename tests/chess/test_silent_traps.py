"""What is accepted is obeyed, on boards."""

from __future__ import annotations

import pytest
from board_helpers import arrange, chess
from board_helpers import law as laid_down
from play_helpers import adopt, announced, sit
from refusals import refused

import nomic_nb as nb

CHESS = "nomic-chess"


def go(game, player="Ann"):
    """Somebody says what rules here listen for; what happened is returned."""
    before = len(game.history)
    game.say(player, "go")
    return [event.kind for event in game.timeline.events[before:]]


def on_go(effects, more=""):
    """Clauses in which this is done once somebody says “go”."""
    return f'on said when text == "go": {effects}\n{more}'


# ------------------------------------------------------------------------------------------------ boards

WHITE = 'army_named("white")'
SECOND_RANK = 'pieces_on_rank(board_named("white"), 2)'


def proposing(*clauses):
    """A game of chess in which these clauses are in force, before the first move."""
    game = sit(system=CHESS)
    adopt(game, nb.enact("So be it.", law="\n".join(clauses)))
    return game


def test_rules_answer_for_each_piece_that_is_shifted():
    game = proposing(
        on_go(f"shift {SECOND_RANK} by [0, 1]"),
        'on carried when piece.square.file == 5: announce "e-pawn"',
        'on carried when piece.square.file == 1: announce "a-pawn"',
    )
    go(game)
    assert sorted(announced(game)) == ["a-pawn", "e-pawn"]


@pytest.mark.parametrize(
    ("effect", "event"),
    [
        (f"give {WHITE} to {WHITE}.controller", "army_taken"),
        (f'promote {SECOND_RANK} to "P"', "promoted"),
        ("grow boards by 0", "grown"),
    ],
)
def test_what_changes_nothing_is_no_event(effect, event):
    game = proposing(on_go(effect))
    assert event not in go(game)


def test_no_army_enters_for_somebody_who_has_left():
    game = proposing(on_go('enter army "extra" for player_named("Cleo")'))
    game.forfeit("Cleo")
    assert "army_entered" not in go(game)
    assert "Cleo" in game.state.questions[0].text


def test_the_table_is_asked_where_an_effect_is_to_reach_into_a_hand():
    game = arrange(chess("Ann", "Ben"), white="Kh1 Ra1", yellow="Kc1 Pc2 white.Nd1")
    laid_down(game, 'set capture.result to "captor\'s hand"\non in_hand: remove piece')
    game.move("Ann", "white.a1-white.d1", push=("white", "yellow"))
    assert "a piece in hand" in game.state.questions[0].text


def refused_law(clauses, system="discordian-nomic"):
    """Why a rule with these clauses is refused before anyone votes on it."""
    game = sit(system=system)
    with refused("value-unfit") as caught:
        game.propose("Ann", nb.enact("So be it.", law=clauses))
    return str(caught.value)


# ------------------------------------------------------------------------------------------------ review


@pytest.mark.parametrize(
    ("system", "clauses", "hint"),
    [
        (CHESS, "set win.points to 50", "no rule uses win.points"),
        ("discordian-nomic", "set win.points to 50", ""),
        ("discordian-nomic", "on game_started: award 5 points to players", "the game has already begun"),
    ],
)
def test_a_review_says_what_does_nothing(system, clauses, hint):
    game = sit(system=system)
    review = str(game.review("Ann", nb.enact("So be it.", law=clauses)))
    assert hint in review
    assert ("does nothing yet" in review or "never happens" in review) == bool(hint)


@pytest.mark.parametrize("system", [CHESS, "make-a-rule"])
def test_a_review_says_what_leaves_the_boards_that_there_are_as_they_are(system):
    review = str(sit(system=system).review("Ann", nb.enact("So be it.", law="set board.ranks to 9")))
    assert "doesn’t change the existing boards" in review
    assert "Use `grow` to change them" in review


@pytest.mark.parametrize(
    "clauses",
    ['set board.holes to ["e3"]', 'set board.holes to ["white.e3", "white.z9"]', 'set royal.kinds to ["k"]',
     "set move.boards_joined to [3]"],
)  # fmt: skip
def test_a_list_that_surely_means_nothing_is_refused(clauses):
    assert refused_law(clauses, CHESS)


def test_an_army_with_pieces_that_can_push_nothing_is_stuck():
    game = sit(system=CHESS)
    adopt(game, nb.amend(217, "No boards are pushed.", law="set move.boards_joined to []"))
    assert "white has no legal move" in game.state.questions[0].text


@pytest.mark.parametrize(
    ("clauses", "system"),
    [
        ("set vote.weight to -1", "discordian-nomic"), ("set vote.quota to -2", "discordian-nomic"),
        ("set judge.overrule_quota to -1", "discordian-nomic"), ("set dice.sides to 5/2", "discordian-nomic"),
        ('on said: after 1/2 turns: announce "Now."', "discordian-nomic"),
        ("on said: roll 0 of 6 as pips", "discordian-nomic"), ("set move.count to 1/2", CHESS),
        ("on said: grow boards by 1/2", CHESS),
    ],
)  # fmt: skip
def test_a_count_that_means_nothing_is_refused(clauses, system):
    assert "number" in refused_law(clauses, system)


def test_the_table_is_asked_how_many_moves_a_fraction_is():
    game = proposing("set move.count to turn / 2\nprevails over 219")
    assert "a count of moves must be a whole number" in game.state.questions[0].text
