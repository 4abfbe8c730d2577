"""Rules on captures know the piece that captures, and voters are told what comes too late for the captured one."""

import pytest
from make_a_rule_helpers import begun, make, multiverse

import nomic_nb as nb

PAWN_TAKES = "4k3/8/8/3p1n2/4P3/8/8/4K3 w - - 0 1"


def after(law, move, position=PAWN_TAKES):
    """The kinds on the squares d5 and e4 once Ben has let Ann capture under a rule of hers."""
    game = multiverse(2, position=position)
    make(game, law)
    game.move("Ben", "Zaphod:1.e8-Zaphod:1.e7")
    game.move("Ann", move)
    squares = (game.state.position.at(f"Zaphod:1.{one}") for one in ("d5", "e4"))
    return [f"{one.army} {one.kind}" if one else "" for one in squares]


@pytest.mark.parametrize(
    ("law", "stands"),
    [
        ('set capture.result to ("convert" if capturer.kind == "P" else "remove")', ["white p", "white p"]),
        ('set capture.result to ("convert" if capturer.kind == "N" else "remove")', ["white p", ""]),
        ('instead of captured when capturer.kind == "P": convert piece to mover_army', ["white p", "white p"]),
        ('on captured when piece.kind == "P": promote capturer to "N"', ["white n", ""]),
    ],
)
def test_rules_on_captures_know_the_capturing_piece(law, stands):
    assert after(law, "Zaphod:1.e4-Zaphod:1.d5") == stands


def test_what_a_capture_brings_by_its_capturer_is_the_same_when_the_game_is_loaded(tmp_path):
    game = multiverse(2, position=PAWN_TAKES)
    make(game, 'set capture.result to ("convert" if capturer.kind == "P" else "remove")')
    game.move("Ben", "Zaphod:1.e8-Zaphod:1.e7")
    game.move("Ann", "Zaphod:1.e4-Zaphod:1.d5")
    game.save(tmp_path / "game.jsonl")
    loaded = nb.load(tmp_path / "game.jsonl")
    assert loaded.state.position.pieces == game.state.position.pieces
    assert loaded.history.equals(game.history)


def remarks(law):
    review = begun(2).review("Ann", nb.enact("So be it.", law=law))
    assert review.error is None
    return [one.evidence for one in review.warnings if one.kind_in_words == "no difference"]


@pytest.mark.parametrize(
    "law",
    [
        "on captured: convert piece to mover_army",
        'on captured when piece.kind == "P": promote [piece] to "N"',
        "on captured: after 2 turns: convert piece to mover_army",
        'on captured: when player.in_turn: promote piece to "N"',
        'on removed: promote piece to "N"',
        "on in_hand: remove piece",
    ],
)
def test_voters_are_told_of_effects_on_a_piece_that_has_left_the_boards(law):
    (said,) = remarks(law)
    assert "does nothing on" in said
    assert "has left the boards by then" in said or "is in a hand by then" in said


@pytest.mark.parametrize(
    "law",
    [
        'set capture.result to "convert"\non captured: promote piece to "N"',
        'instead of captured when piece.kind == "P": convert piece to mover_army',
        'on captured: promote capturer to "N"',
        "track lost per piece from 0\non captured: put lost of piece at 1",
        'on captured: place piece.kind of captured_from at square_named("Zaphod:1.e4")',
        'on moved: promote piece to "N"',
    ],
)
def test_no_such_remark_if_the_piece_is_still_there_or_something_else_is_meant(law):
    assert not [one for one in remarks(law) if "by then" in one]


@pytest.mark.rule("make-a-rule", "R8")
def test_a_capture_that_bears_on_its_capturer_alone_needs_nobody():
    game = begun(2, restricted=True)
    law = 'on captured when capturer.kind == "P": promote capturer to "N"'
    assert game.propose("Ann", nb.enact("So be it.", law=law)).outcome == "adopted"
