"""Laws and moves made to break the boards: each is refused, or asked about, and play goes on."""

import pytest
import refusals
from board_helpers import arrange, chess, law, moves, nothing, turns
from play_helpers import refused, waiting_for

import nomic_nb as nb

ALWAYS = "\nprevails over everything"


def agree(game, answer):
    """All who are asked say the same."""
    while voters := waiting_for(game, "choose"):
        game.choose(voters[0], answer)


def asked(game):
    """What the table is asked; empty where it is not."""
    return next((one.prompt for one in game.pending if one.action == "choose"), "")


def replays(game, tmp_path):
    """Whether the record comes back to the same state."""
    game.save(tmp_path / "game.jsonl")
    return nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


@pytest.mark.parametrize(
    ("key", "value", "answer"),
    [
        ("pawn.double_step_ranks", "[count(players) - count(players), 17]", "[2]"),
        ("pawn.double_step_ranks", "[count(players) / 7]", "[2]"),
        ("promotion.ranks", "[96 + count(players)]", "[]"),
        ("promotion.kinds", "[p.name for p in players]", '["Q"]'),
        ("castling.partners", "[item(armies, 1).name]", '["R"]'),
        ("royal.kinds", "[a.name for a in armies]", '["K"]'),
        ("pawn.kinds", "[item(boards, 1).name]", '["P"]'),
        ("move.boards_joined", "[count(players)]", "[2]"),
        ("piece.moves", "army.name", '"K"'),
    ],
)
def test_where_a_term_of_chess_means_nothing_the_table_says_what_holds(key, value, answer, tmp_path):
    game = chess()
    law(game, f"set {key} to {value}{ALWAYS}")
    assert key in asked(game)
    assert not moves(game)
    agree(game, answer)
    assert not asked(game)
    assert moves(game)
    turns(game, 1)
    assert replays(game, tmp_path)


@pytest.mark.parametrize(
    ("key", "value", "match"),
    [
        ("pawn.double_step_ranks", "[0, 17]", "a whole number from 1 to 16, not 0"),
        ("pawn.double_step_ranks", "[1/2]", "not 1/2"),
        ("promotion.ranks", "[99]", "not 99"),
        ("promotion.kinds", '["QQ", "1"]', "one capital letter"),
        ("castling.partners", '["rook"]', "one capital letter"),
        ("royal.kinds", '["king"]', "one capital letter"),
        ("pawn.kinds", '["p"]', "one capital letter"),
        ("move.boards_joined", "[3]", "1 to 2, not 3"),
    ],
)
def test_what_means_nothing_whatever_happens_is_refused_before_the_vote(key, value, match):
    game = chess()
    with refused(game, "value-unfit", what=f"{key}: ", why=match):
        game.propose("Ann", nb.enact("So be it.", law=f"set {key} to {value}{ALWAYS}"))


def test_an_answer_that_means_nothing_is_none():
    game = chess()
    law(game, f"set promotion.ranks to [96 + count(players)]{ALWAYS}")
    with refused(game, "value-unfit", why="not 98"):
        game.choose("Ann", "[98]")
    agree_once = [one.player for one in game.pending]
    for name in agree_once:
        game.choose(name, "[95 + count(players)]")
    assert "promotion.ranks" in asked(game)
    agree(game, "[1]")
    assert moves(game)


def test_while_movement_is_open_the_game_still_shows_itself(tmp_path):
    game = chess()
    turns(game, 1)
    law(game, 'on enacted when rule == this: place "Z" of army at item(empty_squares(army.home), 1)')
    assert "Z moves" in asked(game)
    assert "Z moves" in game._repr_html_()
    assert "Z moves" in game.to_html()
    agree(game, '"K"')
    assert moves(game)
    assert "They cannot be drawn so" not in game._repr_html_()
    assert replays(game, tmp_path)


@pytest.mark.rule("nomic-chess", 217)
def test_half_boards_grow_only_as_far_as_two_fit_together(tmp_path):
    game = chess()
    with refused(game, "half-boards-would-be-too-deep", expected="at most 16 by 16"):
        law(game, "on enacted when rule == this: grow boards by 5")
    assert {board.geometry.ranks for board in game.state.position.boards.values()} == {4}
    law(game, "on enacted when rule == this: grow boards by 4")
    assert {board.geometry.ranks for board in game.state.position.boards.values()} == {8}
    assert moves(game)
    assert replays(game, tmp_path)


def test_holes_that_hang_on_holes_do_not_go_to_and_fro_without_end(tmp_path):
    game = chess()
    law(game, f"set board.holes to [s.name for s in empty_squares(item(boards, 2))]{ALWAYS}")
    assert not asked(game)
    assert moves(game)
    turns(game, 2)
    assert replays(game, tmp_path)


def test_where_nothing_would_be_left_of_a_board_the_table_is_asked(tmp_path):
    game = chess()
    law(
        game,
        f"set board.holes to [s.name for s in empty_squares(item(boards, 2))]{ALWAYS}\n"
        "on enacted when rule == this: remove item(armies, 2).pieces",
    )
    assert "yellow would have no squares left" in asked(game).lower()
    agree(game, "[]")
    assert moves(game)
    assert replays(game, tmp_path)


@pytest.mark.rule("nomic-chess", 201)
@pytest.mark.parametrize(
    "clause", ["on moved: oblige next_player to move", "on turn_begun: oblige item(seats, 3) to move"]
)
def test_nobody_is_obliged_to_move_in_the_turn_of_another(clause):
    game = chess()
    law(game, clause)
    for _ in range(12):
        if asked(game):
            assert "can’t make a move" in asked(game)
            agree(game, "we go on")
        elif found := moves(game):
            game.move(game.player, found[0])
        else:
            nothing(game)
        assert {one.player for one in game.pending if one.action == "move"} <= {game.player}
    assert game.turn > 1


@pytest.mark.rule("nomic-chess", 220)
def test_an_army_that_went_over_during_its_turn_is_not_moved_by_who_had_it():
    game = chess()
    law(
        game,
        'on enacted when rule == this: enter army "silver" for item(seats, 1)\n'
        'on part_begun when part == "moves": give army to next_player',
    )
    assert game.state.position.armies["white"].controller == "Ben"
    assert not [one for one in game.pending if one.player == "Ann" and one.action == "move"]
    assert game.player == "Ben"


@pytest.mark.parametrize("text", ["p16a1", "a1p16", "a16a1", "a٣a4"])
def test_squares_that_are_not_there_are_refused_on_boards_pushed_together(text):
    game = chess()
    nothing(game)
    with refused(game, "square-not-on-this-board", last="h8"):
        game.move("Ann", text, push=("white", "yellow"))


def test_a_movement_with_too_many_ways_is_refused_before_the_vote():
    game = chess()
    with refused(game, "movement-with-too-many-ways", most=400):
        game.propose("Ann", nb.enact("Anywhere.", law='piece N moves "dcmpadcmpadcmpadcmpaQ"'))
    law(game, 'piece N moves "mcpaK"')
    assert moves(game)


@pytest.mark.parametrize("name", ["Ann\nBen", "Ann\tBen"])
def test_a_name_stands_on_one_line(name):
    with refusals.refused("name-too-long", ValueError):
        chess(name, "Ben")


def test_what_replaces_a_capture_nobody_knows_how_is_asked_about_once_it_comes_to_that():
    game = arrange(chess("Ann", "Ben"), white="Ke1 Ra2", yellow="Ke1 white.Pa3 Ph2")
    law(
        game,
        'set capture.result to "explode"\ninstead of captured when item(armies, 9) == mover_army: announce "Gone."',
    )
    assert not asked(game)
    assert "white+yellow: white.a2-white.a3" in moves(game)
    game.move("Ann", "white.a2-white.a3")
    assert "item 9" in asked(game)
    agree(game, "we go on")
    assert not asked(game)


def test_an_answer_about_a_silent_law_settles_no_torn_one():
    game = chess()
    kinds = 'kind == "Z" and army == item(armies, 2)'
    place = 'place "Z" of item(armies, {0}) at item(empty_squares(item(armies, {0}).home), 1)'
    law(game, f'set piece.moves to "N" while {kinds}\nset piece.moves to "Q" while {kinds}\n'
              f"on enacted when rule == this: {place.format(1)}; {place.format(2)}")  # fmt: skip
    assert "Z of white" in asked(game)
    agree_on = [one.player for one in game.pending]
    for name in agree_on:
        game.choose(name, '"R"')
    assert "Z of yellow" in asked(game)
    assert "the rules conflict" in asked(game)


@pytest.mark.parametrize(
    "form",
    [
        "set board.holes to [s.name for s in squares if s.rank == 3 and s.file == 1]",
        "set board.holes to [s.name for s in squares if s.piece == none and count(neighbours(s)) == 3]",
        'set board.wraps to ("none" if any(count(neighbours(s)) > 7 and s.file == 1 for s in squares) else "files")',
        'set board.wraps to "files"\nset board.holes to [s.name for s in squares if s.file == 8 and s.rank == 3]',
        'set join.how to "reflect"\nset board.holes to [s.name for s in squares if s.file == 1 and s.rank == 4]',
    ],
)
def test_a_form_of_boards_that_depends_on_their_form_is_given_once(form):
    game = chess()
    law(game, f"{form}{ALWAYS}")
    assert not asked(game)
    shaped = [kind for kind in game.history["kind"] if kind == "reshaped"]
    assert len(shaped) <= 1
    turns(game, 2)
    assert [kind for kind in game.history["kind"] if kind == "reshaped"] == shaped
