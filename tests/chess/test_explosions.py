"""Kings that leave the boards by more than a capture on their square: by explosions, and by going over.

python-chess knows this game; only there kings beside each other are in no check, which no rule says here.
"""

from dataclasses import replace

import chess.variant
import pytest
from board_helpers import arrange, controllers, law, on
from board_helpers import chess as chess_game
from hypothesis import example, given
from hypothesis import strategies as st
from nomic_chess_board_helpers import PAIR, ends, two
from often import examples
from play_helpers import by_hand, refused, waiting_for

from nomic_nb.chess.multiverse.pieces import Passing, Piece
from nomic_nb.chess.play.functions import push_under_law
from nomic_nb.chess.play.legal import moves_and_drops

EXPLODE = 'set capture.result to "explode with royals"'
NO_PUSH_MATE = 'set check.enemy_on_push to "nothing"\nprevails over 221'
ATOMIC = f'{EXPLODE}\nset royal.capture to "mate"\npiece K moves "mK"\n{NO_PUSH_MATE}'
#: In the first, one capture answers the check, by blowing up the king that gives it.
ANSWERED = "rnb1kbnr/pp1pQ1pp/1qp2p2/4p3/8/1P1P4/P1P1PPPP/RNB1KBNR b KQkq - 0 1"


@pytest.fixture(scope="module")
def atomic():
    """A game for two in which captures explode."""
    game = two()
    law(game, ATOMIC)
    return game.state


def where(square):
    """The board and square of a square of the whole board."""
    return ("white", square) if square < 32 else ("yellow", 63 - square)


def standing(state, board):
    """The state with the pieces of a board of python-chess."""
    rights, pieces = board.clean_castling_rights(), {}
    for id, (square, piece) in enumerate(board.piece_map().items(), 1):
        army, kind = "white" if piece.color else "yellow", piece.symbol().lower()
        home = chess.BB_RANK_1 if piece.color else chess.BB_RANK_8
        still = (kind == "k" and rights & home) or (kind == "r" and rights & chess.BB_SQUARES[square])
        pieces[id] = Piece(id, kind, army, *where(square), where(square)[0], army, not still)
    passings = ()
    if board.ep_square is not None:
        pawn = where(board.ep_square + (-8 if board.turn else 8))
        (by,) = (one.id for one in pieces.values() if (one.board, one.square) == pawn)
        passings = (Passing(*where(board.ep_square), by),)
    return state.replace(position=replace(state.position, pieces=pieces, passings=passings))


def beside(board):
    return (
        all(board.king(side) is not None for side in chess.COLORS)
        and chess.square_distance(board.king(chess.WHITE), board.king(chess.BLACK)) == 1
    )


def played(board, move):
    board = board.copy(stack=False)
    board.push(move)
    return board


@examples(15)
@example(ANSWERED, [])
@given(st.just(chess.STARTING_FEN), st.lists(st.tuples(st.booleans(), st.integers(0, 100)), min_size=4, max_size=50))
def test_explosions_are_those_of_python_chess(atomic, fen, walk):
    board = chess.variant.AtomicBoard(fen)
    for forcing, pick in walk:
        moves = list(board.legal_moves)
        sharp = [one for one in moves if board.is_capture(one) or board.gives_check(one)]
        moves = sharp if forcing and sharp else moves
        if not moves:
            break
        board.push(moves[pick % len(moves)])
    if beside(board) or board.is_variant_end():
        return
    state = standing(atomic, board)
    push = push_under_law(state.law, state, "white" if board.turn else "yellow", PAIR)
    back = {where(square): chess.square_name(square) for square in chess.SQUARES}
    found = {back[one.origin] + back[one.target] + one.promotion for one in moves_and_drops(state, push)}
    without = {one.uci() for one in board.pseudo_legal_moves if beside(played(board, one))}
    assert found - without == {one.uci() for one in board.legal_moves} - without, board.fen()
    assert bool(push.checkers()) is board.is_check()


def beside_a_knight(clauses, game=None, **armies):
    """Ann can capture a knight with a rook beside Ben's king, and beside hers if she has it there."""
    armies = {"white": "Kh1 Ra1 Qh4", "yellow": "Kd2 white.Nd1 white.Pe1", **armies}
    game = arrange(game or two(), **armies)
    law(game, clauses)
    by_hand(game, "Ann", 'move square_named("yellow.d2").piece to square_named("white.d2")')
    return game


@pytest.mark.parametrize("clauses", ["", '\nset royal.capture to "mate"'])
def test_an_army_whose_king_explodes_is_mated(clauses):
    game = beside_a_knight(EXPLODE + clauses)
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    assert on(game, "white.d2") == ""
    assert game.winner == "Ann"


def test_armies_play_on_without_a_king_only_if_a_rule_says_so():
    game = beside_a_knight(f'{EXPLODE}\nset royal.capture to "capture"')
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    assert (game.over, game.player) == (False, "Ben")


def test_an_army_with_another_king_survives_an_explosion():
    game = beside_a_knight(f"{EXPLODE}\n{NO_PUSH_MATE}", yellow="Kd2 Kb1 white.Nd1")
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    assert controllers(game)["yellow"] == "Ben"


def test_two_kings_that_explode_at_once_are_mated_once():
    game = beside_a_knight(f'{EXPLODE}\ninstead of mated: announce "Boom."', yellow="Kd2 white.Nd1 white.Kc2")
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    assert len(game.history.query("kind == 'announced'")) == 1
    assert not game.over


def test_of_three_armies_the_one_whose_king_explodes_goes_to_who_blew_it_up():
    game = beside_a_knight(EXPLODE, chess_game(), yellow="Kd2 white.Nd1 Pa2", green="Ke1 Pa2")
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    assert controllers(game) == {"white": "Ann", "yellow": "Ann", "green": "Cleo"}


def test_check_is_answered_by_blowing_up_the_king_whose_army_gives_it():
    armies = {"white": "Kh1 Ra1", "yellow": "Kd2 white.Nd1 Ra4"}
    assert ends(beside_a_knight(f"{EXPLODE}\n{NO_PUSH_MATE}", **armies), "white.a1") == {"white.d1"}
    assert (
        ends(beside_a_knight(f'{EXPLODE}\nset royal.capture to "capture"\n{NO_PUSH_MATE}', **armies), "white.a1")
        == set()
    )
    spared = f'{EXPLODE}\ninstead of mated: announce "Boom."\n{NO_PUSH_MATE}'
    assert ends(beside_a_knight(spared, **armies), "white.a1") == set()


def test_check_is_answered_by_capturing_the_last_king_of_the_army_that_gives_it():
    for result, answer in [("mate", {"white.d1"}), ("capture", set())]:
        game = arrange(two(), white="Kh1 Ra1", yellow="Kd2 Ra4")
        law(game, f'set royal.capture to "{result}"\n{NO_PUSH_MATE}')
        by_hand(game, "Ann", 'move square_named("yellow.d2").piece to square_named("white.d1")')
        assert ends(game, "white.a1") == answer


def test_an_explosion_answers_no_check_of_a_third_army():
    game = arrange(chess_game(), white="Kh1 Ra1", yellow="white.Nd1 Ka1", green="Ke1 yellow.Ra4")
    law(game, f"{EXPLODE}\n{NO_PUSH_MATE}")
    by_hand(game, "Ann", 'move square_named("yellow.a1").piece to square_named("white.d2")')
    assert "white.d1" not in ends(game, "white.a1", PAIR)


def test_a_king_who_is_captured_and_goes_over_mates_his_army():
    game = arrange(two(), white="Kh1 Rb1", yellow="white.Kd1 Ph2")
    law(game, f'set capture.result to "convert"\nset royal.capture to "mate"\n{NO_PUSH_MATE}')
    game.move("Ann", "white.b1-white.d1", push=PAIR)
    assert on(game, "white.b1") == "white K"
    assert game.winner == "Ann"


def test_a_capture_that_would_blow_up_the_own_king_is_refused_as_that():
    game = beside_a_knight(EXPLODE, white="Ke2 Ra1 Qh4")
    with refused(game, "move-blows-up-own-king", army="white", rule=221):
        game.move("Ann", "white.a1-white.d1", push=PAIR)


def test_players_are_asked_who_gets_an_army_that_blows_up_its_own_king():
    stay = f'{EXPLODE}\nset check.own_on_push to "may stay"\n{NO_PUSH_MATE}'
    game = beside_a_knight(stay, chess_game(), white="Ke2 Ra1 Pa4", yellow="Kd2 Ka1 white.Nd1", green="Ke1")
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    while game.state.questions:
        game.choose(next(one.player for one in game.pending if one.action == "choose"), "Cleo")
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    assert controllers(game)["white"] == "Cleo"


@pytest.mark.rule("nomic-chess", 214)
def test_no_pawn_becomes_a_royal_piece_on_an_attacked_square():
    game = arrange(two(), white="Ke1 yellow.Pa2 yellow.Ph2", yellow="Kd4 Ra4")
    law(game, f'set promotion.kinds to ["Q", "K"]\n{NO_PUSH_MATE}')
    assert ends(game, "yellow.a2") == {"yellow.a1=Q"}
    assert ends(game, "yellow.h2") == {"yellow.h1=Q", "yellow.h1=K"}
