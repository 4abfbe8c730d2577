"""Random boards of two to six armies: the generator against one that tries everything."""

import random
from dataclasses import replace

import pytest
from multiverse.reference import KINDS, Slow

from nomic_nb.chess.multiverse.geometry import Geometry
from nomic_nb.chess.multiverse.multiverse import Multiverse
from nomic_nb.chess.multiverse.pieces import Army, Board, army_colour_and_mark
from nomic_nb.chess.multiverse.pushes import Push
from nomic_nb.chess.multiverse.rules import Law, Terms

LAW = Law(
    pieces={kind: notation for kind, (notation, _) in KINDS.items()},
    terms=Terms(castling=False, promotion="", pawns="", en_passant=False, promotion_ranks=None, kings="all"),
)
CHAINS = {"c": "mRpafcR", "g": "gafQ", "h": "afsW", "k": "FW"}
CHAINED = replace(LAW, pieces={**LAW.pieces, **CHAINS})


def random_board(seed):
    chance = random.Random(seed)
    files, ranks = chance.choice([(8, 8), (8, 8), (7, 9), (5, 6), (11, 4)])
    squares = [(file, rank) for file in range(files) for rank in range(ranks)]
    holes = set(chance.sample(squares, chance.choice([0, 0, 3])))
    cylinder = chance.random() < 0.25
    count = chance.randint(2, 6)
    far = [chance.random() < 0.5 for _ in range(count)]
    teams = [chance.randrange(count) for _ in range(count)]
    free = [square for square in squares if square not in holes]
    chance.shuffle(free)
    pieces = {}
    kings = chance.choice([[1], [1], [0, 1], [2, 1]])
    for army in range(count):
        for _ in range(kings[army % len(kings)]):
            pieces[free.pop()] = (army, "k")
    for _ in range(chance.randint(count, len(free) // 2)):
        pieces[free.pop()] = (chance.randrange(count), chance.choice(sorted(set(KINDS) - {"k"})))
    return Slow(files, ranks, holes, cylinder, pieces, far, teams)


def as_multiverse(slow):
    holes = frozenset(rank * slow.files + file for file, rank in slow.holes)
    geometry = Geometry(slow.files, slow.ranks, "files" if slow.cylinder else "", holes)
    state = Multiverse({}, {}, {}).add_board(Board("u", geometry))
    for army, far in enumerate(slow.far):
        colour, mark = army_colour_and_mark(army)
        one = Army(f"a{army}", f"team {slow.teams[army]}", "u", colour, mark, far=far)
        state = state.add_army(one, array=False)
    for (file, rank), (army, kind) in slow.pieces.items():
        state = state.place(kind, f"a{army}", "u", rank * slow.files + file)
    return state


@pytest.mark.parametrize("law", [LAW, CHAINED], ids=["lines", "chains"])
@pytest.mark.parametrize("block", range(5))
@pytest.mark.slow
def test_moves_are_those_of_the_slow_reference(block, law):
    seen = 0
    for seed in range(block * 15, block * 15 + 15):
        slow = random_board(seed)
        state = as_multiverse(slow)
        for army in range(len(slow.far)):
            moves = Push(state, law, f"a{army}", ("u",)).moves()
            found = {(move.origin[1], move.target[1]) for move in moves}
            assert len(found) == len(moves)
            wanted = {
                (start[1] * slow.files + start[0], end[1] * slow.files + end[0]) for start, end in slow.legal(army)
            }
            assert found == wanted, (seed, army)
            seen += len(wanted)
    assert seen > 300


PASSING = {
    "q": "KNADcaKmcabK",
    "r": "mRcaibR",
    "b": "mBcafmB",
    "n": "NptBcaW",
    "c": "mNcdaptafcK",
    "x": "mWicF",
    "g": "FyafsF",
}


@pytest.mark.parametrize("law", [LAW, replace(LAW, pieces={**LAW.pieces, **PASSING})], ids=["lines", "in passing"])
def test_masks_and_trying_every_move_agree(law):
    seen = 0
    for seed in range(1000, 1030):
        slow = random_board(seed)
        state = as_multiverse(slow)
        for army in range(len(slow.far)):
            push = Push(state, law, f"a{army}", ("u",))
            by_masks = sorted(move.text for move in push.moves())
            push.generator.opaque = True
            try:
                assert sorted(move.text for move in push.moves()) == by_masks
            finally:
                push.generator.opaque = False
            seen += len(by_masks)
    assert seen > 300


def test_a_double_capture_of_a_third_army_gives_check():
    law = replace(LAW, pieces={**LAW.pieces, "l": "KcaK"})
    state = Multiverse({}, {}, {}).add_board(Board("u", Geometry(8, 8)))
    for number, name in enumerate("abc"):
        colour, mark = army_colour_and_mark(number)
        state = state.add_army(Army(name, name, "u", colour, mark), array=False)
    state = state.place("k", "a", "u", 4).place("l", "b", "u", 22)
    shielded = state.place("n", "b", "u", 13)
    assert Push(state, law, "a", ("u",)).checkers() == {}
    assert Push(shielded, law, "a", ("u",)).checkers() == {}
    assert Push(state.place("p", "c", "u", 13), law, "a", ("u",)).checkers() == {1: (2,)}
