"""Nomic Chess for two is chess (214, 215), and how boards are set up (201, 215, 216)."""

import json
import random
from pathlib import Path

import chess as fide
import pytest
from board_helpers import chess, controllers, finish, law, moves, nothing, on
from nomic_chess_board_helpers import NAMES, four, give, place, square, two
from play_helpers import by_hand

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "multiverse" / "perft.json").read_text())["cases"]
}


def uci(option):
    """A move as it is offered, in the notation of python-chess."""
    start, _, end = option.split(": ")[1].partition("-")
    end, _, kind = end.partition("=")
    return square(start) + square(end) + kind.lower()


def half(at):
    """The name of a square of the joined board on its half-board."""
    name = fide.square_name(at)
    return f"white.{name}" if name[1] < "5" else f"yellow.{'hgfedcba'[ord(name[0]) - 97]}{9 - int(name[1])}"


def from_fen(fen, clauses=""):
    """A game for two whose boards stand so, with this law, and whose next move is due."""
    board = fide.Board(fen)
    game = two()
    if board.turn == fide.BLACK:
        finish(game)
    standing = {"white": [], "yellow": []}
    for at, piece in board.piece_map().items():
        standing["white" if piece.color else "yellow"].append(piece.symbol().upper() + "@" + half(at))
    for army in standing:
        by_hand(game, "Ann", f'remove army_named("{army}").pieces')
    for army, pieces in standing.items():
        for one in pieces:
            kind, _, at = one.partition("@")
            place(game, army, kind, at)
    law(game, clauses)
    return game


def perft(game, depth):
    """How many ways there are to go on for so many moves, each turn with a proposal that changes nothing."""
    found = moves(game)
    if depth == 1:
        return len(found)
    total = 0
    for one in found:
        way = game.fork()
        way.move(way.player, one)
        if not way.over:
            nothing(way)
            total += perft(way, depth - 1)
    return total


@pytest.mark.rule("nomic-chess", 214)
@pytest.mark.rule("nomic-chess", 215)
def test_two_players_begin_with_the_moves_of_chess():
    game = two()
    nothing(game)
    assert sorted(map(uci, moves(game))) == sorted(one.uci() for one in fide.Board().legal_moves)
    assert perft(game, 2) == 400


@pytest.mark.rule("nomic-chess", 214)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_game_of_two_has_the_moves_of_chess_all_the_way(seed):
    draw = random.Random(seed)
    game, board = two(), fide.Board()
    for _ in range(70):
        nothing(game)
        legal = sorted(one.uci() for one in board.legal_moves)
        if not legal:
            assert game.over is board.is_checkmate()
            break
        assert sorted(map(uci, moves(game))) == legal, board.fen()
        chosen = draw.choice(legal)
        game.move(game.player, next(one for one in moves(game) if uci(one) == chosen))
        board.push_uci(chosen)


@pytest.mark.rule("nomic-chess", 214)
@pytest.mark.parametrize(
    "fen",
    [
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1",
        "8/8/8/2k5/2pP4/8/B7/4K3 b - - 0 3",
    ],
)
def test_positions_that_are_set_up_have_the_moves_of_chess(fen):
    game = from_fen(fen)
    assert sorted(map(uci, moves(game))) == sorted(one.uci() for one in fide.Board(fen).legal_moves)


@pytest.mark.rule("nomic-chess", 214)
@pytest.mark.parametrize(
    ("case", "clauses"),
    [
        ("nw/start", 'piece N moves "NW"'),
        ("amazon/start", 'piece Q moves "QN"'),
        ("berolina/start", 'piece P moves "mfFcfWimfnA"\nset passant.on to false'),
        ("sidepawn/start", 'piece P moves "fsmWfceFifmnD"'),
        ("promq/start", 'set promotion.kinds to ["Q"]\nset castling.on to false'),
    ],
)
@pytest.mark.slow
def test_adopted_movements_give_the_counts_of_other_engines(case, clauses):
    game = two()
    law(game, clauses)
    assert CASES[case]["fen"].startswith(fide.STARTING_BOARD_FEN)
    assert [perft(game, depth) for depth in (1, 2)] == CASES[case]["nodes_by_depth"][:2]


@pytest.mark.rule("nomic-chess", 214)
@pytest.mark.parametrize(
    ("case", "clauses"),
    [
        ("nw/pos3", 'piece N moves "NW"'),
        ("promq/promo", 'set promotion.kinds to ["Q"]'),
        ("sidepawn/pos3", 'piece P moves "fsmWfceFifmnD"'),
        ("sidepawn/check2", 'piece P moves "fsmWfceFifmnD"'),
        ("berolina/pos6", 'piece P moves "mfFcfWimfnA"\nset passant.on to false'),
        ("amazon/check2", 'piece Q moves "QN"'),
    ],
)
def test_adopted_movements_give_the_counts_of_other_engines_where_things_are_set_up(case, clauses):
    game = from_fen(CASES[case]["fen"], clauses)
    assert len(moves(game)) == CASES[case]["nodes_by_depth"][0]


@pytest.mark.rule("nomic-chess", 214)
def test_any_rule_beats_the_rules_of_chess():
    game = chess()
    assert game.law["castling.on"].rule == "N13"
    law(game, "set castling.on to false")
    assert game.law["castling.on"].rule == 301
    assert game.rules["N13"].tier == "normal"


@pytest.mark.rule("nomic-chess", 215)
@pytest.mark.rule("nomic-chess", 201)
@pytest.mark.parametrize("count", range(2, 9))
def test_everyone_has_a_half_board_and_half_a_set_that_nobody_takes_for_anothers(count):
    game = chess(*NAMES[:count])
    position = game.state.position
    assert len(position.boards) == len(position.armies) == count
    assert list(controllers(game).values()) == list(NAMES[:count])
    for place_, name in enumerate(position.boards, 1):
        first = "RNBQKBNR" if place_ % 2 else "RNBKQBNR"  # king and queen change sides from army to army
        assert [on(game, f"{name}.{file}1") for file in "abcdefgh"] == [f"{name} {kind}" for kind in first]
        assert [on(game, f"{name}.{file}2") for file in "abcdefgh"] == [f"{name} P"] * 8
        assert not any(on(game, f"{name}.{file}{rank}") for file in "abcdefgh" for rank in "34")
    assert len({(army.colour, army.mark) for army in position.armies.values()}) == count


@pytest.mark.rule("nomic-chess", 216)
def test_the_order_is_what_the_players_said_before_play():
    game = chess("Cleo", "Ann", "Ben")
    assert controllers(game) == {"white": "Cleo", "yellow": "Ann", "green": "Ben"}
    order = []
    for _ in range(6):
        order.append(game.player)
        finish(game)
    assert order == ["Cleo", "Ann", "Ben"] * 2


@pytest.mark.rule("nomic-chess", 216)
@pytest.mark.rule("nomic-chess", 220)
def test_an_army_keeps_its_place_whoever_has_it():
    game = four()
    give(game, "orange", "Ann")
    order = []
    for _ in range(8):
        order.append((game.state.current_turn.army, game.player))
        finish(game)
    assert order == [("white", "Ann"), ("yellow", "Ben"), ("green", "Cleo"), ("orange", "Ann")] * 2


@pytest.mark.rule("nomic-chess", 216)
def test_the_order_is_a_mutable_rule_like_others():
    game = chess()
    law(
        game,
        'set turn.sequence to [army_named("white"), army_named("green"), army_named("yellow")]\nprevails over 201, 216',
    )
    finish(game)
    assert game.player == "Cleo"
