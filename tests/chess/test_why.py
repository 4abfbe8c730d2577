"""What the law holds of a case that is named: a kind of piece, an army, a player, a rule."""

import pytest
from board_helpers import chess, law, nothing
from refusals import refused

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
    ("key", "case", "error", "code", "values"),
    [
        ("piece.moves", {"colour": "red"}, KeyError, "case-not-asked", {}),
        ("turn.parts", {"kind": "N"}, KeyError, "case-not-asked", {"known": "nothing"}),
        ("piece.moves", {"kind": 5}, TypeError, "case-of-another-kind", {"name": "kind", "kind": "a text"}),
        (
            "piece.moves",
            {"army": "pink"},
            KeyError,
            "nothing-called-so",
            {"kind": "army", "given": "pink", "known": "white, yellow, green"},
        ),
        ("piece.moves", {"army": ["white"]}, TypeError, "case-said-otherwise", {"said_by": "name"}),
        ("move.on_push", {"push": "white"}, TypeError, "case-not-a-list", {"name": "push"}),
        ("may.move", {"piece": "white.e3"}, KeyError, "no-piece-on-square", {"square": "white.e3"}),
        ("may.move", {"target": "e4"}, KeyError, "square-without-board", {}),
        ("may.move", {"player": "Zoe"}, KeyError, "nothing-called-so", {"kind": "player", "given": "Zoe"}),
        ("change.automatic", {"rule": 999}, KeyError, "rule-unknown", {"rule": 999}),
        ("vote.quota", {"proposal": 301}, KeyError, "nothing-called-so", {"kind": "proposal", "given": 301}),
        ("army.array", {"place": "first"}, TypeError, "case-of-another-kind", {"name": "place", "kind": "a number"}),
    ],
)
def test_a_case_is_checked_against_the_vocabulary(key, case, error, code, values):
    with refused(code, **values):
        chess().why(key, **case)


def test_there_are_no_boards_in_another_game():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1)
    with refused("no-boards", KeyError):
        game.why("may.move", piece="white.e2")
    with refused("nothing-called-so", KeyError, known="none"):
        game.why("piece.moves", army="white")
