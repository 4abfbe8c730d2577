"""What is refused, on boards."""

import pytest
from make_a_rule_helpers import begun
from play_helpers import (
    refused,
)

import nomic_nb as nb
from nomic_nb.engine.play.lawmaking import check_change


@pytest.mark.parametrize(
    ("law", "found"),
    [
        ('set capture.from to [army_named("purple")]', "purple"),
        ('piece N of army_named("Purple") moves "K"', "Purple"),
        ('set castling.on to false while army == army_named("purple")', "purple"),
        ('on enacted when rule == this: convert square_named("Zaphod:1.e2").piece to army_named("purple")', "purple"),
        ('on enacted when rule == this: move army_named("white").pieces to square_named("Zaphod:9.e4")', "Zaphod:9"),
    ],
)  # fmt: skip
def test_an_army_or_a_board_that_there_is_not(law, found):
    game = begun(3)
    there = "white, yellow, green, orange, blue or red" if "urple" in found else "Zaphod:1, Zaphod:2 or Zaphod:3"
    with refused(
        game,
        "clause-names-nothing-there",
        name=found,
        found=f"'{found}'",
        expected=f"{there}, or a rule that lets it enter the game first",
    ):
        game.propose("Ann", nb.enact("Purple.", law))
    purple = 'on enacted when rule == this: enter army "purple" for player_named("Ann") on ["Zaphod:9"]'
    entering = purple.replace("purple", found) if "urple" in found else purple
    check_change(game.state, nb.enact("Purple.", f"{entering}\n{law}"))


@pytest.mark.parametrize(
    ("law", "code", "values"),
    [
        ('piece n moves "NK"', "misplaced", {"found": "'n'", "expected": "N, one capital letter"}),
        ('piece knights moves "NK"', "misplaced", {"found": "'knights'", "expected": "N, one capital letter"}),
        ('piece "R" moves "NK"', "misplaced", {"expected": "R, one capital letter"}),
        (
            'on enacted when rule == this: place "N" of army_named("white") at square_named("e4")',
            "square-named-without-board",
            {"found": "'e4'", "expected": "Zaphod:1.e4, Zaphod:2.e4, Zaphod:3.e4"},
        ),
    ],
)
def test_a_piece_or_a_square_that_is_written_otherwise(law, code, values):
    game = begun(3)
    with refused(game, code, **values):
        game.propose("Ann", nb.enact("So.", law))


def test_a_label_that_is_written_otherwise():
    game = begun(3)
    for written in ("r1", "R 1", "r 1"):
        with refused(game, "rule-unknown", near="R1", rule=written):
            game.propose("Ann", nb.repeal(written))
