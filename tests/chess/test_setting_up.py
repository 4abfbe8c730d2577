"""Boards that are set up, by a FEN or the pieces of every army, before play and in it: python-chess is the oracle."""

import random

import chess
import chess.pgn
import pytest
from board_helpers import nothing
from refusals import refused

import nomic_nb as nb
from nomic_nb.chess.multiverse.arrangement import mirror_fen, write_armies
from nomic_nb.chess.multiverse.notation import START_FEN
from nomic_nb.chess.record.pgn import write_game_pgn
from nomic_nb.engine.play.book_in_play import with_book

TWO = ("Ann", "Ben")
ENDING = "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1"
SYSTEMS = ("nomic-chess", "make-a-rule")


def positions(count, seed):
    """Positions out of random games of chess."""
    chance = random.Random(seed)
    for _ in range(count):
        board = chess.Board()
        for _ in range(chance.randint(0, 60)):
            if board.is_game_over():
                break
            board.push(chance.choice(list(board.legal_moves)))
        yield board


def boards(game):
    return tuple(game.state.position.boards)


def legal(game, army):
    """The legal moves of an army on the boards of two, as on one chessboard."""
    push = game.pushed(*boards(game), army=army)
    places = dict(zip(push.boards, push.places, strict=True))
    name = push.geometry.name
    found = set()
    for one in push.moves():
        ends = [name(places[board][square]) for board, square in (one.origin, one.target)]
        found.add("".join(ends) + one.promotion)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_pieces_move_as_they_do_in_the_position_that_is_set_up(seed):
    game = nb.new_game("nomic-chess", TWO, seed=1)
    for board in positions(8, seed):
        board = board if board.turn == chess.WHITE else board.mirror()
        game.host.set_up(board.fen(en_passant="fen"), agreed=TWO, reason="a problem")
        assert legal(game, "white") == {move.uci() for move in board.legal_moves}, board.fen()


def test_a_fen_is_that_of_the_army_on_turn():
    game = nb.new_game("nomic-chess", TWO, seed=1)
    with refused("fen-names-another-turn", letter="b", side="yellow"):
        game.host.set_up(ENDING.replace(" w ", " b "), agreed=TWO, reason="a problem")
    nothing(game)
    game.move("Ann", "e2e4", push=boards(game))
    game.host.set_up(ENDING.replace(" w ", " b "), agreed=TWO, reason="a problem")
    assert legal(game, "yellow") == {move.uci() for move in chess.Board(ENDING.replace(" w ", " b ")).legal_moves}


@pytest.mark.parametrize("fen", [ENDING, START_FEN, "4k2r/8/8/2pP4/8/8/P7/4K3 w k c6 0 9"])
def test_with_sides_changed_it_is_the_same_position(fen):
    assert mirror_fen(fen).split()[:4] == chess.Board(fen).mirror().fen(en_passant="fen").split()[:4]


@pytest.mark.parametrize("system", SYSTEMS)
def test_kings_and_rooks_castle_if_the_position_says_so(system):
    game = nb.new_game(system, TWO, seed=1, position=ENDING)
    assert {"e1g1"} == legal(game, "white") & {"e1g1", "e1c1"}
    assert {"e8c8"} == legal(game, "yellow") & {"e8g8", "e8c8"}


def test_a_pawn_that_just_passed_is_captured_en_passant():
    fen = "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 9"
    game = nb.new_game("nomic-chess", TWO, seed=1, position=fen)
    assert "d5c6" in legal(game, "white")
    nothing(game)
    game.move("Ann", "d5c6", push=boards(game))
    assert sorted(one.kind for one in game.state.position.pieces.values()) == ["k", "k", "p"]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_an_arrangement_is_set_up_as_it_was_told(players):
    names = ["Ann", "Ben", "Cleo", "Dee", "Eve"][:players]
    game = nb.new_game("nomic-chess", names, seed=1)
    game.host.set_up(game.arrangement, agreed=names, reason="as it stands")
    before, now = game.at(game.state.seq - 1).state, game.state
    assert now.position == before.position
    assert now.gone == before.gone


def test_pieces_stay_the_ones_that_they_were():
    game = nb.new_game("nomic-chess", TWO, seed=1)
    king, queen = (game.state.position.at(f"white.{square}").id for square in ("e1", "d1"))
    game.host.set_up({"white": "Kd1 Qyellow.a4 Qh2", "yellow": "Kd1* a3'"}, agreed=TWO, reason="a problem")
    now = game.state.position
    assert now.at("white.d1").id == king
    assert now.at("yellow.a4").id == queen
    assert now.at("white.h2").id not in game.state.gone
    assert (now.at("yellow.d1").moved, now.at("yellow.a3").moved) == (False, True)
    assert len(game.state.gone) == 32 - 4
    assert game.arrangement == {"white": "Kd1 Qh2 Qyellow.a4", "yellow": "Kd1* a3"}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_game_that_was_set_up_plays_again(system, tmp_path):
    game = nb.new_game(system, TWO, seed=1, position=ENDING)
    path = tmp_path / "game.jsonl"
    again = nb.load(path, fingerprint=game.save(path))
    assert again.arrangement == game.arrangement
    assert again.state.digest() == game.state.digest()
    space = {}
    for cell in nb.to_notebook(game)["cells"]:
        if cell["cell_type"] == "code":
            exec(cell["source"], space)  # noqa: S102 - our own


def test_its_pgn_begins_with_the_position():
    game = nb.new_game("nomic-chess", TWO, seed=1, position=ENDING)
    nothing(game)
    game.move("Ann", "e1g1", push=boards(game))
    text = game.pgn()
    assert '[SetUp "1"]' in text
    assert f'[FEN "{ENDING}"]' in text
    assert "1. O-O" in text
    assert write_game_pgn(game.timeline, {}) != ""


def test_a_game_of_chess_goes_on_under_law():
    (game,) = nb.multiverse.read_pgn("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *")
    played = nb.new_game("nomic-chess", TWO, seed=1, position=game)
    assert legal(played, "white") == {move.uci() for move in game.moves()}


@pytest.mark.parametrize(
    ("position", "code", "values"),
    [
        ("8/8 w - - 0 1", "fen-with-wrong-number-of-ranks", {"field": "field 1 (placement)", "found": 2, "ranks": 8}),
        ("4k3/8/8/8/8/8/8/4K2X w - - 0 1", "cannot-set-up-unmoving-kind", {"kind": "X", "army": "white"}),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "fen-turn-unknown", {}),
        ("4k3/8/8/8/8/8/8/4K3 w Z - 0 1", "fen-castling-unreadable", {}),
        (
            "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1",
            "fen-castling-without-pieces",
            {"field": "field 3 (castling): 'K'", "army": "white", "where": "e1 and h1"},
        ),
        (
            "r3k3/8/8/8/8/8/8/3K3R w K - 0 1",
            "fen-castling-without-pieces",
            {"field": "field 3 (castling): 'K'", "army": "white"},
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            "fen-en-passant-without-double-step",
            {"field": "field 4 (en passant)", "square": "e6"},
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "fen-number-unreadable", {"field": "field 5 (half-move clock)"}),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "fen-number-unreadable", {"field": "field 6 (move number)"}),
        ("", "fen-with-wrong-number-of-fields", {}),
        ({}, "pieces-of-an-army-missing", {"missing": "white, yellow", "is_or_are": "are"}),
        ({"white": "Ke1"}, "pieces-of-an-army-missing", {"missing": "yellow", "is_or_are": "is"}),
        ({"white": "Ke1", "yellow": "", "green": ""}, "no-such-army", {"army": "green"}),
        ({"white": "Ke1 Ra1, Na1", "yellow": ""}, "two-pieces-on-one-square", {"square": "white.a1"}),
        ({"white": "Ke1", "yellow": "Kwhite.e1"}, "two-pieces-on-one-square", {"square": "white.e1"}),
        ({"white": "Ke9", "yellow": ""}, "square-not-on-this-board", {"name": "white", "word": "Ke9", "square": "e9"}),
        ({"white": "Kblue.e1", "yellow": ""}, "no-such-board", {"board": "blue"}),
        ({"white": "castle", "yellow": ""}, "pieces-unreadable", {"name": "white", "word": "castle"}),
        ({"white": 7, "yellow": ""}, "pieces-too-long", {"name": "white"}),
    ],
)
def test_what_cannot_stand_is_refused_and_nothing_happens(position, code, values):
    game = nb.new_game("nomic-chess", TWO, seed=1)
    before = game.state
    with refused(code, **values):
        game.host.set_up(position, agreed=TWO, reason="a problem")
    assert game.state is before


def test_a_fen_says_nothing_of_more_than_one_board():
    game = nb.new_game("nomic-chess", ["Ann", "Ben", "Cleo"], seed=1)
    with refused("fen-needs-one-board-with-two-armies", boards=3, armies=3):
        game.host.set_up(START_FEN, agreed=["Ann", "Ben", "Cleo"], reason="a problem")


def test_en_passant_and_castling_need_a_rule_that_knows_them():
    game = nb.new_game("nomic-chess", TWO, seed=1)
    law = "set castling.on to false\nset passant.on to false"
    game.propose("Ann", nb.enact("Neither.", law=law))
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    with refused("fen-castling-without-rule", field="field 3 (castling): 'K'"):
        game.host.set_up(ENDING, agreed=TWO, reason="a problem")
    with refused("fen-en-passant-without-rule", field="field 4 (en passant)", square="c6"):
        game.host.set_up("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 9", agreed=TWO, reason="a problem")


def test_all_have_to_agree_and_say_why():
    game = nb.new_game("nomic-chess", TWO, seed=1)
    with refused("not-all-agree", who="Ben has"):
        game.host.set_up(ENDING, agreed=["Ann"], reason="a problem")
    with refused("reason-needed"):
        game.host.set_up(ENDING, agreed=TWO, reason=" ")


def test_not_in_the_middle_of_moves_and_choices():
    game = nb.new_game("make-a-rule", ["Ann", "Ben", "Cleo"], seed=1)
    with refused("setup-during-a-decision"):
        game.host.set_up(game.arrangement, agreed=["Ann", "Ben", "Cleo"], reason="a problem")
    game.choose("Ann", game.pending[0].options[0])
    game.host.set_up(game.arrangement, agreed=["Ann", "Ben", "Cleo"], reason="as it stands")
    game.move("Ann", game.pending[0].options[0])
    if game.player == "Ann":
        with refused("setup-during-the-moves"):
            game.host.set_up(game.arrangement, agreed=["Ann", "Ben", "Cleo"], reason="a problem")


def test_a_game_without_boards_has_nothing_to_set_up():
    game = nb.new_game("discordian-nomic", TWO, seed=1)
    with refused("no-boards-to-set-up"):
        game.host.set_up(START_FEN, agreed=TWO, reason="a problem")
    with refused("no-boards", KeyError):
        _ = game.arrangement
    with refused("no-boards-to-set-up"):
        nb.new_game("discordian-nomic", TWO, seed=1, position=START_FEN)


def test_a_file_goes_on_with_the_game_that_was_set_up_so(tmp_path):
    file = tmp_path / "games.sqlite"
    game = nb.new_game("nomic-chess", TWO, seed=1, position=ENDING, file=file)
    again = nb.new_game("nomic-chess", TWO, seed=1, position=ENDING, file=file)
    assert again.fingerprint == game.fingerprint
    with refused("game-agreed-otherwise", another="."):
        nb.new_game("nomic-chess", TWO, seed=1, position=START_FEN, file=file)


def test_a_pawn_away_from_home_can_stand_on_a_board_whose_name_begins_with_a_capital():
    game = nb.new_game("make-a-rule", ["Ann", "Ben", "Cleo"], seed=1)
    game.choose("Ann", game.pending[0].options[0])
    pieces = write_armies(game.state.position, "p")
    first = next(iter(pieces))
    moved = {**pieces, first: pieces[first].replace(" a2", " Zaphod:3.a4")}
    game.host.set_up(moved, agreed=["Ann", "Ben", "Cleo"], reason="a problem")
    piece = game.state.position.at("Zaphod:3.a4")
    assert (piece.army, piece.kind) == (first, "p")


def test_positions_are_told_even_if_no_rule_says_what_a_pawn_is():
    game = nb.new_game("nomic-chess", TWO, seed=1)
    gone = [rule.id for rule in game.rules if "set pawn.kinds" in rule.law or "incorporate fide-chess" in rule.law]
    event, state = game.timeline.moments[-1]
    game.timeline.moments[-1] = (event, with_book(state, state.rules.without_rules(*gone)))
    told = game.arrangement
    assert "a2*" in told["white"]  # no mark may be left out any more
    game.seat("Ann").view()
