"""What the law holds of a case that is named: a kind of piece, an army, a player, a rule."""

import pytest
from board_helpers import chess, law, nothing

import nomic_nb as nb


def test_how_a_kind_of_piece_moves():
    game = chess()
    law(game, 'piece N of army_named("white") moves "NF"')
    assert game.why("piece.moves", kind="N", army="white").value == "NF"
    assert game.why("piece.moves", kind="N").value == "NF"  # of the army on turn
    assert game.why("piece.moves", kind="N", army="white").rule == 301
    assert [one.source.rule.number for one in game.why("piece.moves", kind="N", army="white").defeated] == ["N8"]
    assert game.why("piece.moves", kind="N", army="yellow").rule == "N8"


def test_without_a_case_the_clauses_that_could_apply_are_listed():
    finding = chess().why("piece.moves")
    assert finding.outcome == "depends"
    assert {source.rule.number for source in finding.possible} == {"N4", "N5", "N6", "N7", "N8", "N9"}
    assert "could apply: rule N8" in str(finding)
    assert "could apply" in finding._repr_html_()


def test_boards_pieces_squares_and_players():
    game = chess()
    assert game.why("move.on_push", army="white", push=["white", "yellow"]).value == "any"
    assert game.why("move.on_push", army="white", push=["yellow", "green"]).value == "none"
    case = {"player": "Ann", "army": "white", "piece": "white.e2", "target": "white.e4"}
    law(game, 'forbid move when piece.kind == "P" and target.rank == 4')
    assert game.why("may.move", **case).rule == 301
    assert game.why("may.move", **{**case, "target": "white.e3"}).rule == 202
    assert game.why("change.automatic", nb.amend(203, "More."), rule=203).value is True


def test_a_vote_that_was_held():
    game = chess()
    nothing(game)
    assert game.why("vote.quota", proposal=301).value == 3


@pytest.mark.parametrize(
    ("key", "case", "error", "said"),
    [
        ("piece.moves", {"colour": "red"}, KeyError, "it is asked by army .army., kind .text."),
        ("turn.parts", {"kind": "N"}, KeyError, "asked by nothing"),
        ("piece.moves", {"kind": 5}, TypeError, "kind is a text"),
        ("piece.moves", {"army": "pink"}, KeyError, "no army 'pink'; there are white, yellow, green"),
        ("piece.moves", {"army": ["white"]}, TypeError, "said by name"),
        ("move.on_push", {"push": "white"}, TypeError, "push is a list"),
        ("may.move", {"piece": "white.e3"}, KeyError, "no piece on white.e3"),
        ("may.move", {"target": "e4"}, KeyError, "not a square"),
        ("may.move", {"player": "Zoe"}, KeyError, "no player 'Zoe'"),
        ("change.automatic", {"rule": 999}, KeyError, "999"),
        ("vote.quota", {"proposal": 301}, KeyError, "no proposal 301"),
        ("army.array", {"place": "first"}, TypeError, "place is a number"),
    ],
)
def test_a_case_is_checked_against_the_vocabulary(key, case, error, said):
    with pytest.raises(error, match=said):
        chess().why(key, **case)


def test_there_are_no_boards_in_another_game():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    with pytest.raises(KeyError, match="no boards"):
        game.why("may.move", piece="white.e2")
    with pytest.raises(KeyError, match="there are none"):
        game.why("piece.moves", army="white")
