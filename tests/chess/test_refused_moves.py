"""A move that cannot be made is refused with the reason, its rule, and how it would be right."""

import pytest
from board_helpers import arrange, chess, controllers, law, moves, nothing, on
from play_helpers import by_hand, refused

import nomic_nb as nb

PAIR = ("white", "yellow")


def two(**more):
    return chess("Ann", "Ben", **more)


@pytest.mark.parametrize("text", ["e4", "Nf3", "O-O", "0-0-0", "white.e2 white.e4", "white.e2", "white.e2-", "-"])
def test_a_text_that_is_no_move_is_told_how_moves_are_written(text):
    game = two()
    nothing(game)
    with refused(game, "not-a-move", how="white.e2-white.e4") as caught:
        game.move("Ann", text)
    assert "=Q" in caught.value.values["how"]
    assert "To castle, move the king" in caught.value.values["how"]


def test_boards_can_be_named_in_one_text():
    game = chess()
    nothing(game)
    game.move("Ann", "white.e2-white.e4", push="white + green")
    assert game.moves["push"].iloc[-1] == "white+green"


@pytest.mark.rule("nomic-chess", 217)
def test_boards_that_are_named_twice_are_the_same():
    game = chess()
    nothing(game)
    with refused(game, "move-names-other-boards", boards="white+yellow and white+green"):
        game.move("Ann", "white+yellow: white.e2-white.e4", push=("white", "green"))
    with refused(game, "board-not-there", board="pink"):
        game.move("Ann", "pink+yellow: white.e2-white.e4", push=PAIR)
    game.move("Ann", "white+yellow: white.e2-white.e4", push=("yellow", "white"))
    assert on(game, "white.e4") == "white P"


@pytest.mark.rule("nomic-chess", 217)
@pytest.mark.parametrize("push", [["white"], ["white", "yellow", "green"]])
def test_two_half_boards_are_pushed_together(push):
    game = chess()
    nothing(game)
    with refused(
        game,
        "boards-not-pushed-like-this",
        boards_joined="push two half-boards together",
        rule=217,
        opens="white+yellow",
    ):
        game.move("Ann", "white.e2-white.e4", push=push)


def test_a_piece_that_has_no_move_at_all():
    game = two()
    nothing(game)
    with refused(game, "piece-does-not-move-so", kind="rook", rule="N6"):
        game.move("Ann", "white.a1-white.b3", push=PAIR)
    with refused(game, "own-piece-stands-there", kind="rook", square="white.a2", rule="N6"):
        game.move("Ann", "white.a1-white.a2", push=PAIR)


def test_a_move_in_uci_is_refused_like_any_other():
    game = two()
    law(game, 'piece N moves "NF"')
    with refused(game, "piece-does-not-move-so", kind="knight", rule=301):
        game.move("Ann", "b1b3", push=PAIR)
    with refused(game, "no-piece-on-square", square="yellow.e4"):
        game.move("Ann", "d5d6", push=PAIR)


@pytest.mark.rule("nomic-chess", 214)
def test_a_pawn_that_must_become_something():
    game = arrange(two(), white="Ke1 yellow.Pa2", yellow="Kh4")
    nothing(game)
    with refused(game, "move-needs-promotion", letters="=Q, =R, =B, =N", rule="N12"):
        game.move("Ann", "yellow.a2-yellow.a1")
    game.move("Ann", "yellow.a2-yellow.a1=N")
    assert on(game, "yellow.a1") == "white N"


@pytest.mark.rule("nomic-chess", 221)
def test_no_castling_out_of_check_or_through_it():
    game = two()
    for piece in ("f1", "g1", "e2", "f2"):
        by_hand(game, "Ann", f'remove square_named("white.{piece}").piece')
    by_hand(game, "Ann", 'place "R" of army_named("yellow") at square_named("white.f4")')
    nothing(game)
    with refused(game, "castling-while-in-check", move="white.e1-white.g1", rule=221):
        game.move("Ann", "white.e1-white.g1")


@pytest.mark.rule("nomic-chess", 220)
def test_what_an_army_may_not_capture():
    game = arrange(two(), white="Ke1 Ra1", yellow="Kh1 white.Na3")
    law(game, "set capture.from to []")
    with refused(game, "army-not-captured", army="yellow", by="white", rule=301):
        game.move("Ann", "white.a1-white.a3", push=PAIR)


def mated_on_all():
    game = arrange(chess(), white="Kh1", yellow="Kb1 white.Rh4 white.Rg4", green="Kb1 white.Qf3")
    nothing(game)
    return game


@pytest.mark.rule("nomic-chess", 221)
def test_whoever_is_mated_on_all_boards_chooses_among_pushes_that_find_other_kings(tmp_path):
    game = mated_on_all()
    assert moves(game) == ["white+yellow: push", "white+green: push"]
    with refused(game, "move-does-not-parry-check"):
        game.move("Ann", "white.h1-white.h2", push=PAIR)
    game.move("Ann", "white+green: push")  # the king of green is in check by yellow there
    assert controllers(game) == {"white": "Ben", "yellow": "Ben", "green": "Ann"}
    assert set(game.state.names_of_players) == {"Ann", "Ben"}
    assert len(game.moves) == 0
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


@pytest.mark.rule("nomic-chess", 221)
def test_whoever_pushes_other_boards_weeps_all_the_same():
    game = mated_on_all()
    game.move("Ann", "push", push=PAIR)
    assert controllers(game)["white"] == "Ben"
    assert game.state.names_of_players == ("Ben", "Cleo")
