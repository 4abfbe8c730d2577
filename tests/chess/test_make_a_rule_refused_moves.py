"""Moves in universes: how they are written, why they are refused, and how long a double step can be answered."""

import pytest
from make_a_rule_helpers import begun, make, phase
from play_helpers import refused

import nomic_nb as nb

ONE, TWO, THREE = "Zaphod:1", "Zaphod:2", "Zaphod:3"


@pytest.mark.parametrize(
    ("text", "code", "values"),
    [("a2a5", "piece-does-not-move-so", {"kind": "pawn"}), ("a7a6", "piece-of-another-army", {})],
)
@pytest.mark.parametrize("push", [ONE, None])
def test_a_wrong_move_in_a_universe_is_refused_and_nobody_is_asked_about_half_boards(text, code, values, push):
    game = begun(3)
    written = text if push else f"{ONE}.{text[:2]}-{ONE}.{text[2:]}"
    with refused(game, code, **values):
        game.move("Ann", written, push=push)


@pytest.mark.rule("make-a-rule", "R1.1")
@pytest.mark.parametrize("push", [ONE, None])
def test_a_second_move_in_a_universe_is_refused_as_that(push):
    game = begun(3)
    game.move("Ann", f"{ONE}.a2-{ONE}.a3")
    with refused(game, "board-moved-on-already", board="Zaphod:1", opens=TWO):
        game.move("Ann", f"{ONE}.b2-{ONE}.b3", push=push)


def test_capitals_do_not_count():
    game = begun(3)
    game.move("Ann", "E2E4", push=ONE)
    game.move("Ann", "ZAPHOD:2.E2-zaphod:2.E4")
    assert list(game.moves["push"]) == [ONE, TWO]


@pytest.mark.rule("make-a-rule", "N11")
def test_moves_in_other_universes_leave_a_double_step_to_be_captured_in_passing():
    game = begun(3)
    phase(game, f"{ONE}.a2-{ONE}.a3", f"{TWO}.a2-{TWO}.a3")
    phase(game, f"{ONE}.d7-{ONE}.d5", f"{THREE}.a2-{THREE}.a3")
    phase(game, f"{TWO}.a7-{TWO}.a6", f"{THREE}.a7-{THREE}.a6")
    phase(game, f"{ONE}.h2-{ONE}.h3", f"{TWO}.b2-{TWO}.b3")
    phase(game, f"{ONE}.d5-{ONE}.d4", f"{THREE}.b2-{THREE}.b3")
    phase(game, f"{TWO}.b7-{TWO}.b6", f"{THREE}.b7-{THREE}.b6")
    phase(game, f"{ONE}.e2-{ONE}.e4", f"{TWO}.c2-{TWO}.c3")
    later = game.fork()
    game.move("Ben", f"{ONE}.d4-{ONE}.e3")
    assert game.state.position.at(f"{ONE}.e4") is None
    phase(later, f"{ONE}.a7-{ONE}.a6", f"{THREE}.c2-{THREE}.c3")
    phase(later, f"{TWO}.c7-{TWO}.c6", f"{THREE}.c7-{THREE}.c6")
    phase(later, f"{ONE}.h3-{ONE}.h4", f"{TWO}.h2-{TWO}.h3")
    with refused(later, "piece-does-not-move-so", kind="pawn"):
        later.move("Ben", f"{ONE}.d4-{ONE}.e3")


def test_a_refusal_names_the_rules_there_that_have_no_clauses_and_no_repeal():
    game = begun(3)
    number = make(game, wording="Pawns may step aside.")
    game.propose("Ben", nb.repeal(number, universe=THREE))
    phase(game)
    with refused(
        game,
        "piece-does-not-move-so",
        by_people="players apply rule P1.1 themselves, without clauses. By the other rules, ",
        kind="pawn",
    ):
        game.move("Cleo", f"{TWO}.a7-{TWO}.b6")
    with refused(game, "piece-does-not-move-so", move="Zaphod:3.a7-Zaphod:3.b6", kind="pawn"):
        game.move("Cleo", f"{THREE}.a7-{THREE}.b6")
