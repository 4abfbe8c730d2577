"""The player: the same nodes give the same move, mates are found, no move is illegal, and no side is preferred."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from often import examples
from refusals import refused

from nomic_nb.chess.multiverse import Position, move_search, position
from nomic_nb.chess.multiverse.habits import Board
from nomic_nb.chess.multiverse.move_search import MATE, MOST_NODES, player
from nomic_nb.chess.multiverse.piece_values import mix

LION = "KNADcaKmcabK"
ALTERED = [
    {},
    {"pieces": {"n": "NW"}},
    {"pieces": {"r": "mRcpR", "b": "BW"}},
    {"pieces": {"q": LION, "n": "gQ"}},
    {"pieces": {"p": "fmWfceFfmnD"}, "promotion": "qn", "promotion_ranks": (7, 8)},
    {"check": False},
    {"fen": "rkbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBQKBNR w - - 0 1", "kings": "all", "castling": False},
]


def played(seed, plies, **options):
    """Return a position after random moves."""
    dice, game = random.Random(seed), position(**options)
    for _ in range(plies):
        if game.outcome(draws=True) is not None:
            break
        game.push(dice.choice(game.moves()))
    return game


@pytest.mark.parametrize(
    ("fen", "options", "line", "plies"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", {}, "a1a8", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", {}, "a1a6", 3),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", {}, "f6a6", 5),
        ("2rk1b1r/p1q1pp2/1n5p/PpQ1N1pB/1P1P4/2P3P1/R4P1n/2B1K1NR w K - 3 21", {"pieces": {"n": "NN"}}, "e5f7", 3),
        ("3qkb1r/Rb1n4/2Q5/3ppP2/PR3p1r/5K2/2P1P2P/1NB2B2 w k - 0 21", {"pieces": {"r": "mRcpR"}}, "c6g6", 3),
        ("r1br4/pp1k1p1p/4Nn2/N1bp2p1/7P/1R2Q1P1/1BPPPK2/2n2B2 w - - 2 21", {"pieces": {"q": LION}}, "e3c5", 3),
    ],
)
def test_mates_are_found(fen, options, line, plies):
    game = position(fen, **options)
    bot = player(game, nodes=8_000)
    move = bot.move(game)
    assert move == line
    assert bot.value == MATE - plies
    for one in bot.line:
        game.push(one)
    assert game.outcome().reason == "checkmate"


@pytest.mark.parametrize("fen", ["r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1", "r3k3/8/8/8/8/8/5PPP/6K1 w - - 0 1"])
def test_a_win_of_black_counts_on_a_board_with_python_chess_names(fen):
    bot = player(position(fen), nodes=400)
    found = [(bot.move(game), bot.value, bot.line) for game in (position(fen), Board(fen))]
    assert found[0] == found[1]
    assert abs(bot.value) >= MATE - 1 if " b " in fen else bot.line[0] != "g1h1"


@examples(6)
@given(st.integers(0, 2**32), st.sampled_from(ALTERED), st.integers(0, 60))
def test_every_move_is_legal_and_the_position_stays_as_it_is(seed, options, plies):
    game = played(seed, plies, **options)
    if game.outcome() is not None:
        return
    before, text = game.copy(), game.fen()
    bot = player(game, nodes=60)
    move = bot.move(game)
    assert move in game.moves()
    assert bot.line[0] == move
    assert bot.searched <= 60
    assert (game, game.fen()) == (before, text)
    for one in bot.line:
        assert one in game.moves()
        game.push(one)


@examples(4)
@given(st.integers(0, 2**32), st.sampled_from(ALTERED))
def test_the_same_nodes_give_the_same_move_whatever_was_searched_before(seed, options):
    game = played(seed, 20, **options)
    if game.outcome() is not None:
        return
    fresh, used = player(game, nodes=80), player(game, nodes=80)
    if (other := played(seed + 1, 12, **options)).outcome() is None:
        used.move(other)
    found = [(bot.move(game), bot.line, bot.value, bot.depth, bot.searched) for bot in (fresh, used, used)]
    assert found[0] == found[1] == found[2]


def mirrored(game, options):
    """Return a position with files mirrored, and one with colours swapped."""
    placement, turn, _, _, *clocks = game.fen().split(" ")
    rows = placement.split("/")
    sides = "/".join(row[::-1] for row in rows)
    colours = "/".join(reversed(rows)).swapcase()
    other = {"w": "b", "b": "w"}[turn]
    more = {name: value for name, value in options.items() if name != "fen"} | {"castling": False}
    return [
        position(" ".join([one, side, "-", "-", *clocks]), **more)
        for one, side in ((placement, turn), (sides, turn), (colours, other))
    ]


@examples(6)
@given(st.integers(0, 2**32), st.sampled_from(ALTERED), st.integers(0, 80))
def test_neither_side_and_neither_wing_is_preferred(seed, options, plies):
    game = played(seed, plies, **{**options, "castling": False})
    if game.outcome() is not None:
        return
    values = {player(one).look(one)[0] for one in mirrored(game, options)}
    assert len(values) == 1


def test_positions_that_count_as_the_same_have_the_same_key():
    game, bot = position(), player(position())
    keys = {bot.look(game)[1]}
    for moves in ("Nf3 Nf6 Ng1 Ng8", "Nc3 Nc6 Nb1 Nb8"):
        for move in moves.split():
            game.push(move)
            keys.add(bot.look(game)[1])
    assert len(keys) == 7
    assert (
        bot.look(position("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"))[1]
        != bot.look(position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"))[1]
    )


SPECIFIED = (
    ["b1c3", "b8c6", "g1f3", "g8f6"], 0, 3, 1_000, {"b": 383, "k": 0, "n": 330, "p": 92, "q": 924, "r": 540},
)  # fmt: skip


def test_the_search_follows_its_specification():
    # A second implementation has to find these.
    assert (mix(0), mix(1)) == (16294208416658607535, 7960286522194355700)
    bot = player(position(), nodes=1_000)
    bot.move(position())
    assert (bot.line, bot.value, bot.depth, bot.searched, dict(bot.values)) == SPECIFIED


def test_more_limits_can_be_given_and_the_first_one_ends_the_search():
    game = position()
    bot = player(game, depth=1)
    bot.move(game)
    assert bot.depth == 1
    bot = player(game, depth=2, nodes=10)
    bot.move(game)
    assert (bot.depth, bot.searched) == (0, 10)
    assert repr(bot) == "<player with nodes=10, depth=2>"
    assert player(game, seconds=0.01).move(game) in game.moves()


def test_a_player_can_be_given_values_and_the_moves_to_choose_from():
    game = position("4k3/8/8/3q1n2/4P3/8/8/4K3 w - - 0 1")
    bot = player(game, nodes=200)
    assert bot.move(game) == "e4d5"
    assert bot.move(game, among=["e4f5", "e1e2"]) == "e4f5"
    bot.values = {"q": 10, "n": 900}
    assert (bot.values["q"], bot.values["n"]) == (10, 900)
    assert bot.move(game) == "e4f5"
    with pytest.raises(TypeError):
        bot.values["q"] = 5


def test_pieces_are_worth_what_they_reach():
    values = player(position(pieces={"n": "NW", "z": "mfW"})).values
    assert values["k"] == 0
    assert values["z"] < values["p"] < values["n"] < values["q"]
    assert values["n"] > player(position()).values["n"]


def test_a_player_refuses_what_it_cannot_play():
    game = position()
    bot = player(game)
    for options in ({"nodes": 0}, {"nodes": 1.5}, {"depth": 41}, {"nodes": True}):
        with refused("count-out-of-range"):
            player(game, **options)
    with refused("seconds-not-positive"):
        player(game, seconds=0)
    with refused("player-of-other-pieces"):
        bot.move(position(pieces={"n": "NW"}))
    with refused("no-move-to-choose"):
        bot.move(position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"))
    with refused("no-move-to-choose"):
        bot.move(game, among=["e2e5"])
    for values in ({"x": 3}, {"q": "much"}, {"q": (1, 2, 3)}, {"q": 10**9}):
        with refused("piece-value-unusable"):
            bot.values = values


def test_a_player_that_is_interrupted_leaves_the_position_alone(monkeypatch):
    game, bot = position(), player(position(), nodes=1_000)
    pushes, push = [], Position.push

    def interrupted(self, move):
        pushes.append(move)
        if len(pushes) == 50:
            raise KeyboardInterrupt
        return push(self, move)

    monkeypatch.setattr(Position, "push", interrupted)
    monkeypatch.setattr(move_search, "KERNEL_NODES", MOST_NODES + 1)
    with pytest.raises(KeyboardInterrupt):
        bot.move(game)
    monkeypatch.undo()
    assert game == position()
    assert bot.move(game) in game.moves()
