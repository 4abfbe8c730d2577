"""What happened on the boards, as the record and the printed game tell it."""

import pytest
from board_helpers import arrange, chess, law, moves, nothing, turns
from play_helpers import ballot, by_hand

import nomic_nb as nb

PAIR = ("white", "yellow")


def two():
    return chess("Ann", "Ben")


def told(game, kind):
    return list(game.history[game.history["kind"] == kind]["what"])


def test_a_move_is_one_line():
    game = two()
    nothing(game)
    game.move("Ann", "white.e2-white.e4", push=PAIR)
    assert game.latest(2) == ["Ann moves white.e2-white.e4 with white and yellow", "Ben’s turn begins"]
    assert told(game, "pushed") == ["Ann pushes white and yellow together for army white"]


@pytest.mark.rule("nomic-chess", 206)
def test_what_is_demoted_is_named_with_its_square():
    game = arrange(two(), white="Ke1 Ba1 Pa2", yellow="Ke1")
    nothing(game, against=("Ben",))
    (asked,) = game.pending
    assert asked.prompt == "choose piece to demote"
    game.choose("Ann", "bishop white.a1")
    assert told(game, "demoted") == ["white’s bishop on white.a1 becomes a knight"]


@pytest.mark.rule("nomic-chess", 204)
def test_what_is_promoted_is_named_with_its_square():
    game = chess()
    turns(game, 6)
    nothing(game, against=("Cleo",))
    asked = next(one for one in game.pending if one.action == "choose")
    assert asked.prompt == "choose piece to promote"
    game.choose("Cleo", asked.options[0])
    (said,) = told(game, "promoted")
    assert said.startswith("green’s ")
    assert " on green." in said


def test_a_piece_without_a_name_is_told_by_its_letter():
    game = arrange(two(), white="Ke1 yellow.Pa2", yellow="Kh4")
    law(game, 'piece A moves "BN"\nset promotion.kinds to ["A"]')
    game.move("Ann", "yellow.a2-yellow.a1=A")
    assert told(game, "promoted") == ["white’s pawn on yellow.a1 becomes a piece of kind A"]


def test_a_pawn_on_the_last_rank():
    game = arrange(two(), white="Ke1 yellow.Pa2", yellow="Kh4")
    nothing(game)
    game.move("Ann", "yellow.a2-yellow.a1=Q")
    assert told(game, "promoted") == ["white’s pawn on yellow.a1 becomes a queen"]


def test_what_is_chosen_for_something_longer():
    game = arrange(two(), white="Kh1 Ra1", yellow="Kc1 white.Nd1")
    law(game, "on captured: let player choose spot from empty_squares(mover_army.home) or none; "
        "place piece.kind of mover_army at spot")  # fmt: skip
    game.move("Ann", "white.a1-white.d1", push=PAIR)
    (asked,) = game.pending
    assert asked.prompt == "choose spot: place piece.kind of mover_army at spot"
    game.choose("Ann", next(one for one in asked.options if "white.c3" in one))
    assert told(game, "placed")[-1] == "white gets a knight on white.c3"


def test_what_is_removed_or_goes_over():
    game = arrange(two(), white="Kh1", yellow="Kc1 white.Nd1")
    by_hand(game, "Ann", 'convert square_named("white.d1").piece to army_named("white")')
    by_hand(game, "Ann", 'remove square_named("white.d1").piece')
    assert told(game, "converted") == ["yellow’s knight on white.d1 now belongs to white"]
    assert told(game, "removed")[-1] == "white’s knight on white.d1 is removed from the boards"


def test_an_army_without_pieces_has_not_moved():
    game = arrange(two(), yellow="Ke1")
    nothing(game)
    assert told(game, "moves_made") == ["Ann makes no more moves this turn: white has no piece to move"]


@pytest.mark.rule("nomic-chess", 221)
def test_nobody_gives_check_to_an_army_that_is_mated():
    game = arrange(two(), white="Ke1 Ra1 Ph2", yellow="Kh4 Pa2 Pb2 Pc2")
    by_hand(game, "Ann", 'place "R" of army_named("white") at square_named("yellow.a4")')
    nothing(game)
    game.move("Ann", next(one for one in moves(game) if "white.h2" in one))
    assert told(game, "mated") == ["army yellow is mated and will go to Ann"]
    assert told(game, "checked") == []


def test_the_printed_game_shows_armies_and_boards():
    said = str(two())
    assert "Ann: army white (1)" in said
    assert "Ben: army yellow (2)" in said
    assert "1 1R 1N 1B 1Q 1K 1B 1N 1R    1 2R 2N 2B 2K 2Q 2B 2N 2R" in said
    assert "army" not in str(nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1))


def test_nothing_is_counted():
    game = two()
    assert len(game.scores) == 0
    law(game, "track gold per player from 2")
    assert dict(game.scores) == {"Ann": 2, "Ben": 2}


@pytest.mark.rule("nomic-chess", 113)
def test_the_question_on_a_proposal_that_is_left_names_it():
    game = chess()
    game.propose("Ann", nb.enact("Nothing."), debate=True)
    game.forfeit("Ann")
    (asked,) = game.state.questions
    assert "(proposal 301)" in asked.text
    for name in ("Ben", "Cleo"):
        game.choose(name, "lapse")
    assert game.proposals[301].outcome == "lapsed"


def test_the_question_on_a_stale_proposal_names_it():
    game = nb.new_game("github-nomic", ["Ann", "Ben"], seed=1)
    for name in ("Ann", "Ben"):
        game.begin_turn(name)
    game.propose("Ann", nb.repeal(-104), number=5)
    game.propose("Ben", nb.repeal(-104), number=6)
    ballot_all(game, 5)
    (asked,) = game.state.questions
    assert "(proposal 6)" in asked.text


def ballot_all(game, number):
    for name in game.players:
        game.vote(name, "for", number)


def test_ballots_are_still_told_one_by_one():
    game = two()
    game.propose("Ann", nb.enact("Nothing."))
    ballot(game)
    assert told(game, "balloted") == ["Ann votes for proposal 301", "Ben votes for proposal 301"]
