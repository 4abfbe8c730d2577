"""Betza notation: what it means, and what is refused."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

from nomic_nb.chess.multiverse.betza import MAX_LENGTH, parse_betza
from nomic_nb.chess.multiverse.errors import NotationError
from nomic_nb.chess.multiverse.geometry import Geometry
from nomic_nb.chess.multiverse.movement_sentences import sentence
from nomic_nb.chess.multiverse.movement_tables import Movement, compile_movement
from nomic_nb.chess.multiverse.paths import Chain, unmet_squares

BOARD = Geometry(8, 8)


def reached(notation, square, pieces="", own=""):
    """Squares reached from a square with these others occupied: ordinary moves only."""
    movement = compile_movement(notation, BOARD)
    bit = 1 << BOARD.square(square)
    own_bits = bit | sum(1 << BOARD.square(name) for name in own.split())
    occupied = own_bits | sum(1 << BOARD.square(name) for name in pieces.split())
    quiet, capture, spare, destroy = movement.targets(bit, occupied, unmoved=False)
    bits = quiet & ~occupied | (capture | spare) & occupied & ~own_bits | destroy & own_bits & ~bit
    return {BOARD.name(at) for at in range(64) if bits >> at & 1}


def ends(notation, square, pieces="", own=""):
    """Ends of moves that capture in passing: (captured squares, end)."""
    movement = compile_movement(notation, BOARD)
    bit = 1 << BOARD.square(square)
    own_bits = bit | sum(1 << BOARD.square(name) for name in own.split())
    occupied = own_bits | sum(1 << BOARD.square(name) for name in pieces.split())
    return {
        (" ".join(BOARD.name(at) for at in range(64) if taken >> at & 1), BOARD.name(end.bit_length() - 1))
        for taken, end in movement.outcomes(bit, occupied, own_bits, unmoved=False)
    }


@pytest.mark.parametrize(
    ("notation", "squares"),
    [
        ("W", "d3 d5 c4 e4"),
        ("fF", "c5 e5"),
        ("fK", "d5"),
        ("fhK", "c5 d5 e5"),
        ("frK", "e5"),
        ("ffrrN", "c6 e6 f5 f3"),
        ("lfN", "c6"),
        ("flN", "b5"),
        ("fhN", "c6 e6 b5 f5"),
        ("bsN", "b3 f3"),
        ("hrN", "e6 f3 c2 b5"),
        ("hlN", "c6 f5 e2 b3"),
        ("vN", "c6 e6 c2 e2"),
        ("sN", "b5 b3 f5 f3"),
        ("frW", "d5 e4"),
        ("vR1", "d3 d5"),
        ("D", "d2 d6 b4 f4"),
        ("H", "d1 d7 a4 g4"),
        ("G", "a1 a7 g1 g7"),
        ("fC", "c7 e7"),
        ("fL", "c7 e7"),
        ("fZ", "b7 f7"),
        ("fJ", "b7 f7"),
        ("fWW", "d5 d6 d7 d8"),
        ("fW0", "d5 d6 d7 d8"),
        ("fAA", "b6 f6 h8"),
        ("mpafN", "b8 f8 h6 h2"),
        ("jfR3", "d6 d7"),
    ],
)
def test_atoms_ranges_and_directions_from_d4(notation, squares):
    assert reached(notation, "d4") == set(squares.split())


def test_a_notation_of_one_part_means_the_same_as_its_chain():
    for short, long in (("gQ", "gafQ"), ("pR", "pafR"), ("nN", "afsW"), ("pB", "pafB")):
        for pieces in ("", "d5", "d5 d7 e5 f6", "c4 c5 b4 e3 d3 c3 g7"):
            assert reached(short, "d4", pieces) == reached(long, "d4", pieces), (short, pieces)


@pytest.mark.parametrize(
    ("notation", "pieces", "own", "squares"),
    [
        ("nA", "e5", "", "b6 b2 f2"),
        ("jA", "e5", "", "f6"),
        ("nN", "d5", "", "b5 b3 f5 f3 c2 e2"),
        ("nfrZ", "e4", "", ""),
        ("nfrZ", "f5", "", ""),
        ("nfrZ", "e5 f4", "", "g6"),
        ("fpR", "d6", "", "d7 d8"),
        ("fpR", "d6 d7", "", "d7"),
        ("fgR", "d6", "", "d7"),
        ("fptR", "d6", "", ""),
        ("dW", "d5", "d3", "d3"),
        ("cW", "d5", "d3", "d5"),
        ("mW", "d5", "d3", "c4 e4"),
        ("oW", "", "", "d3 d5 c4 e4"),
    ],
)
def test_modifiers_from_d4(notation, pieces, own, squares):
    assert reached(notation, "d4", pieces, own) == set(squares.split())


def test_round_the_side_edges():
    assert reached("oW", "a1") == {"h1", "b1", "a2"}
    assert reached("W", "a1") == {"b1", "a2"}


def test_unmoved_pieces_only():
    movement = compile_movement("fmWifmnD", BOARD)
    bit = 1 << BOARD.square("e2")
    two = 1 << BOARD.square("e4")
    assert movement.targets(bit, bit, unmoved=True)[0] & two
    assert not movement.targets(bit, bit, unmoved=False)[0] & two
    assert not movement.targets(bit, bit | 1 << BOARD.square("e3"), unmoved=True)[0] & two


def test_friendly_hurdles_only():
    assert ends("ptfR", "d4", "d6") == set()
    assert ends("ptfR", "d4", own="d6") == {("", "d7"), ("", "d8")}


def test_rifle_shoots_and_stays():
    assert ends("caibR", "d4", "d7 b4", "f4") == {("d7", "d4"), ("b4", "d4")}


def test_locust_hops_over_what_it_takes():
    assert ends("cafmF", "d4", "e5 c5 b6") == {("e5", "f6")}


def test_lion_takes_two_goes_back_or_passes():
    found = ends("caKmcabK", "d4", "e5 e6")
    assert ("e5", "e6") in found
    assert ("e5", "d4") in found
    assert ("", "d4") in found
    assert ("e5", "f6") in found


@pytest.mark.parametrize(
    "text", ["caKmcabK", "mRcaibR", "cafmF", "ptfR", "mcpdaptafcK", "jcaDptafK", "nmcaDmcaD", "FyafsF", "cagQ"]
)
def test_what_ways_need_is_what_walking_them_finds(text):
    chance = random.Random(text)
    part = parse_betza(text).parts[-1]
    for _ in range(60):
        home = chance.randrange(64)
        chain = Chain(part, BOARD, home, turned=chance.random() < 0.5)
        occupied = sum(1 << at for at in chance.sample(range(64), chance.choice([4, 20, 40]))) | 1 << home
        own = occupied & chance.getrandbits(64) | 1 << home
        others = occupied & ~(1 << home)
        walked = {(taken | end & others, end) for taken, end in chain.outcomes(occupied, own)}
        needed = {
            (walk.gone & ~(1 << home), end)
            for walk, end in chain.walks
            if not unmet_squares((walk.empty, walk.full, walk.foe, walk.own), others, own & ~(1 << home))
        }
        assert needed == walked


def test_a_lame_zebra_goes_as_the_elephant_of_janggi():
    assert reached("fnZ", "d4") == {"b7", "f7"}
    assert reached("fnZ", "d4", "d5") == set()
    assert reached("fnZ", "d4", "e6") == {"b7"}
    assert reached("fnZ", "d4", "e5 d6 c5") == {"b7", "f7"}
    assert "straight on first and then diagonally, unless something stands in between" in sentence("nZ")


def test_bent_rider():
    assert "d7" not in reached("yafsW", "d4")
    assert {"e6", "f7", "g8"} <= reached("yafsW", "d4")
    assert "g8" not in reached("yafsW", "d4", "f7")


@pytest.mark.parametrize(
    ("text", "column", "code"),
    [
        ("", 1, "movement-empty"),
        ("X", 1, "movement-extended-atom"),
        ("NX", 2, "movement-extended-atom"),
        ("N N", 2, "movement-with-spaces"),
        ("fm", 3, "movement-modifiers-without-atom"),
        ("3W", 1, "movement-range-without-atom"),
        ("W123", 2, "movement-range-too-high"),
        ("W05", 2, "movement-range-too-high"),
        ("NN3", 3, "movement-doubled-atom-with-range"),
        ("mW-F", 3, "movement-chain-without-a"),
        ("(W)", 1, "movement-with-round-brackets"),
        ("@", 1, "movement-drops-from-hand"),
        ("qN", 1, "movement-circular-rider"),
        ("hW", 1, "movement-half-direction-misplaced"),
        ("fhF", 2, "movement-half-direction-misplaced"),
        ("hrK", 1, "movement-half-direction-misplaced"),
        ("fsF", 1, "movement-direction-ambiguous"),
        ("mmW", 2, "movement-letter-twice"),
        ("pgQ", 2, "movement-leg-hops-twice"),
        ("njD", 2, "movement-leap-needs-and-shuns"),
        ("jK", 1, "movement-step-jumps"),
        ("pN", 1, "movement-hop-of-one-step"),
        ("gW", 1, "movement-hop-of-one-step"),
        ("yW", 1, "movement-without-next-leg"),
        ("eafW", 1, "movement-en-passant-before-last-leg"),
        ("tafW", 1, "movement-tame-without-hop"),
        ("cafiW", 4, "movement-later-leg-of-same-length"),
        ("npR", 2, "movement-modifiers-clash"),
        ("U2", 2, "movement-universal-atom-doubled"),
        ("UU", 2, "movement-universal-atom-doubled"),
        ("fU", 1, "movement-universal-atom-with-modifier"),
        ("aaaaaW", 5, "movement-with-too-many-legs"),
        ("O", 2, "movement-castling-without-steps"),
        ("fO2", 1, "movement-castling-side-unknown"),
        ("cO2", 1, "movement-castling-with-modifier"),
        ("aO2", 1, "movement-castling-with-legs"),
        ("W" * (MAX_LENGTH + 1), MAX_LENGTH + 1, "movement-too-long"),
        ("Wé", 2, "movement-atom-unknown"),
    ],
)
def test_refusals_name_letter_and_column(text, column, code):
    with refused(code, NotationError, column=column, letter=text[column - 1 : column]) as caught:
        parse_betza(text)
    assert f"column {column}" in str(caught.value)


def test_a_movement_is_text():
    with pytest.raises(TypeError, match="Betza"):
        parse_betza(3)


@settings(deadline=None)
@given(st.text(alphabet="WFDNAHCLZJGRBQKUOfblrvshmcdetpgonjyia0123456789 -(", max_size=12))
def test_any_text_is_read_or_refused(text):
    try:
        notation = parse_betza(text)
    except NotationError as refusal:
        column = refusal.column
    else:
        column = 0
    if column:
        assert column <= len(text) + 1
        return
    words = sentence(text)
    assert words.endswith(".")
    movement = Movement(notation, Geometry(5, 5), turned=False)
    bit = 1 << 12
    for unmoved in (False, True):
        masks = movement.targets(bit, bit | 1 << 13 | 1 << 7, unmoved=unmoved)
        assert all(mask & ~movement.geometry.full == 0 for mask in masks)


@settings(deadline=None)
@given(st.sampled_from(["N", "gQ", "nN", "fhNbsN", "mRcpR", "afsW", "fmWfcF", "jD"]), st.integers(0, 2**64 - 1))
def test_the_far_side_sees_the_board_turned(notation, occupied):
    near, far = compile_movement(notation, BOARD), compile_movement(notation, BOARD, turned=True)

    def turned(bits):
        return int(f"{bits:064b}"[::-1], 2)

    for square in (0, 27, 53):
        here, there = 1 << square, 1 << (63 - square)
        ours = near.targets(here, occupied | here, unmoved=False)
        theirs = far.targets(there, turned(occupied | here), unmoved=False)
        assert [turned(mask) for mask in ours] == list(theirs)


@pytest.mark.parametrize(
    ("notation", "words"),
    [
        ("fmW", "Steps 1 square orthogonally forward, without capturing."),
        ("cB", "Slides diagonally, only to capture."),
        ("isO2", "Castles to either side, going 2 squares towards the corner piece, which jumps over it."),
    ],
)
def test_sentences(notation, words):
    assert sentence(notation) == words
