"""What rules ask of boards: how a single piece moves where it stands, what it reaches, what attacks a square."""

import pytest
import refusals
from board_helpers import arrange, chess, law, moves, next_turn, on
from play_helpers import refused

import nomic_nb as nb
from nomic_nb.engine.law.nodes import View
from nomic_nb.engine.law.values import value_text

ALIKE = """piece N moves moves_of(army, "B")
piece B moves moves_of(army, "N")
prevails over everything
"""


def asked(game, text, **case):
    """What an expression comes to, as the law language writes it."""
    state = game.state
    return value_text(state.law.language.expression(text).run(View(state, case, state.law)))


def targets(game, start):
    """Where the piece on a square can go, without boards."""
    return {one.partition("-")[2].partition("=")[0].rpartition(".")[2] for one in
            (move.split(": ")[1] for move in moves(game, start))}  # fmt: skip


# ------------------------------------------------------------------------------ how a single piece moves


def test_a_kind_moves_otherwise_on_some_squares():
    game = arrange(chess("Ann", "Ben"), white="Ke1 Na1 Nh4", yellow="Ke1")
    law(game, 'piece N moves otherwise + "W" while square.rank > 3')
    assert {"h3", "g4"} <= targets(game, "white.h4")
    assert targets(game, "white.a1") == {"b3", "c2"}


def test_a_piece_moves_by_what_is_kept_of_it():
    game = arrange(chess("Ann", "Ben"), white="Ke1 Ra1 Rh1", yellow="Ke1")
    law(
        game,
        'track tired per piece from 0\non moved: put tired of piece at 1\npiece R moves "W" while piece.tired == 1',
    )
    assert len(targets(game, "white.a1")) > 4
    game.move("Ann", "white.a1-white.a2")
    while game.player != "Ann" or not moves(game):
        one = next(one for one in game.pending if one.must)
        if one.action == "propose":
            game.propose(one.player, nb.enact("Nothing to see here."))
        elif one.action == "vote":
            game.vote(one.player, "for", one.proposal)
        else:
            game.move(one.player, one.options[0])
    assert targets(game, "white.a2") <= {"a1", "a3", "b2"}
    assert "h4" in targets(game, "white.h1")


def test_it_attacks_as_it_moves_there():
    game = arrange(chess("Ann", "Ben"), white="Ka1 Rh1", yellow="Ke1 white.Nd3 white.Nf3")
    theirs = '[a.square.name for a in covering(square_named("white.e1")) if a.army.name == "yellow"]'
    assert asked(game, theirs) == '["white.d3", "white.f3"]'
    law(game, 'piece N moves "F" while square.name == "white.f3"')
    assert asked(game, theirs) == '["white.d3"]'
    found = [
        game.state.find("piece.moves", army="yellow", kind="N", square=at).value for at in ("white.f3", "white.d3")
    ]
    assert found == ["F", "N"]


def test_a_piece_takes_on_the_ways_of_another_kind():
    game = arrange(chess("Ann", "Ben"), white="Ke1 Na1 Bh1", yellow="Ke1")
    law(game, 'track gained per piece from 0\npiece N moves otherwise + moves_of(army, "R") while piece.gained == 1\n'
              'on enacted when rule == this: put gained of square_named("white.a1").piece at 1')  # fmt: skip
    assert {"b3", "c2", "a4", "d1"} <= targets(game, "white.a1")


def test_two_kinds_that_move_like_each_other_are_asked_about():
    game = arrange(chess("Ann", "Ben"), white="Ke1 Na1", yellow="Ke1")
    proposal = game.propose("Ann", nb.enact("Alike.", law=ALIKE))
    for name in game.players:
        game.vote(name, "for")
    assert proposal.outcome == "adopted"
    assert "depends on itself" in game.state.questions[0].text


# ------------------------------------------------------------------------------------ squares, and what is attacked


def test_squares_by_their_numbers_and_those_around():
    game = arrange(chess("Ann", "Ben"), white="Ke1", yellow="Ke1")
    assert asked(game, 'square_at(board_named("white"), 3, 2)') == "white.c2"
    assert asked(game, 'square_at(board_named("white"), 9, 1) == none') == "true"
    assert asked(game, 'neighbours(square_named("white.a1"))') == "[white.b1, white.a2, white.b2]"
    assert asked(game, "count(squares)") == str(8 * 4 * len(game.state.position.boards))
    assert asked(game, 'count(s for s in squares if s.board.name == "white" and s.rank == 1)') == "8"


def test_what_a_piece_reaches_and_what_attacks_a_square():
    game = arrange(chess("Ann", "Ben"), white="Ke1 Ra1 Pb2", yellow="Ke1 white.Nc3 white.Bh4")
    assert (
        asked(game, 'reach(square_named("white.a1").piece)')
        == "[white.b1, white.c1, white.d1, white.a2, white.a3, white.a4]"
    )
    found = asked(game, '[a.kind for a in covering(square_named("white.e1"))]')
    assert found == '["R", "B"]'  # its own rook guards it, the other's bishop attacks it
    assert asked(game, 'count(covering(square_named("white.c3")))') == "1"  # the pawn
    assert asked(game, 'count(covering(square_named("white.f2")))') == "2"  # an empty one: bishop and king
    with refusals.refused("not-here", what="piece"):
        asked(game, 'reach(square_named("white.b4").piece)')


def test_only_what_nothing_guards_is_captured():
    game = arrange(chess("Ann", "Ben"), white="Kh1 Ra1", yellow="Ke1 white.Na3 white.Nb1 white.Nd3")
    law(game, "forbid move when any(any(a.army == c.army for a in covering(c.square)) for c in captures)")
    assert {"b1", "a2"} & targets(game, "white.a1") == {"a2"}  # two knights guard each other
    assert on(game, "white.b1") == "yellow N"


def test_terms_that_look_at_what_they_make_are_asked_about():
    game = arrange(chess("Ann", "Ben"), white="Ke1 Na1", yellow="Ke1")
    proposal = game.propose("Ann", nb.enact("Safe.", law='piece N moves "W" while count(covering(square)) > 0'))
    for name in game.players:
        game.vote(name, "for")
    assert proposal.outcome == "adopted"
    assert "depends on itself" in game.state.questions[0].text


@pytest.mark.parametrize(
    ("clauses", "code", "values"),
    [
        ('piece N moves "N" while square.rnk > 1', "has-none", {"expected": "rank"}),
        ("set win.points to count(covering(3))", "argument-kind", {"kind": "a square"}),
        ('set win.points to count(reach("N"))', "argument-kind", {"kind": "a piece"}),
        ('piece N moves moves_of("white", "R")', "argument-kind", {"kind": "an army"}),
    ],
)
def test_what_can_never_be_is_refused(clauses, code, values):
    game = chess("Ann", "Ben")
    with refused(game, code, **values):
        game.propose("Ann", nb.enact("Boards.", law=clauses))


def test_a_game_with_single_ways_plays_again(tmp_path):
    game = next_turn(chess("Ann", "Ben"), wait="yellow.e1-yellow.e2", white="Ke1 Na1 Nh4", yellow="Ke1")
    law(game, 'piece N moves otherwise + "W" while square.rank > 3')
    game.move("Ann", "white.h4-white.h3")
    game.save(tmp_path / "ways.jsonl")
    assert nb.load(tmp_path / "ways.jsonl").state.digest() == game.state.digest()


@pytest.mark.parametrize(
    ("clauses", "code", "values"),
    [
        ("on turn_ended: grow boards by 5", "half-boards-would-be-too-deep", {"ranks": 18}),
        (
            'on said: grow board_named("white") by 13',
            "board-would-be-too-large",
            {"board": "white", "files": 8, "ranks": 17},
        ),
        (
            "on turn_ended: when turn > 3: grow boards around by 5",
            "board-would-be-too-large",
            {"files": 18, "ranks": 14},
        ),
        ("set board.files to 17", "value-unfit", {"why": "16"}),
    ],
)
def test_boards_that_would_grow_too_large_are_refused_before_the_vote(clauses, code, values):
    game = chess("Ann", "Ben")
    with refused(game, code, **values):
        game.propose("Ann", nb.enact("Boards.", law=clauses))
