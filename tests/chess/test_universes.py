"""Universes: a full board for every two players, which law holds on it, and pieces that go from one to another."""

import io

import chess.pgn
import pytest
from make_a_rule_helpers import begun, ends, idle, make, moves, multiverse, name_king, phase
from play_helpers import adopt, refused, sit

import nomic_nb as nb


@pytest.mark.rule("make-a-rule", "D6", "D7", "M3")
@pytest.mark.parametrize(("count", "universes"), [(2, 1), (3, 3), (4, 6), (5, 10), (6, 15)])
def test_every_two_players_share_a_universe(count, universes):
    game = begun(count)
    for _ in game.players[1:]:
        make(game)
    position = game.state.position
    assert game.boards == tuple(f"Zaphod:{number}" for number in range(1, universes + 1))
    assert len(game.armies) == 2 * universes
    pairs = {
        frozenset(army.controller for army in position.armies.values() if army.home == board) for board in game.boards
    }
    assert len(pairs) == universes
    assert all(len(pair) == 2 for pair in pairs)
    kings = [piece for piece in position.pieces.values() if piece.kind == "k"]
    dummies = [piece for piece in kings if piece.royal is False]
    assert len(kings) == 2 * universes
    assert len(dummies) == count * (count - 2)


@pytest.mark.rule("make-a-rule", "D1", "D6")
def test_a_universe_is_set_up_as_in_chess():
    position = multiverse().state.position
    for board in position.boards:
        rows = ["".join(position.at(f"{board}.{file}{rank}").kind for file in "abcdefgh") for rank in (1, 2, 7, 8)]
        assert rows == ["rnbqkbnr", "pppppppp", "pppppppp", "rnbqkbnr"]
        near, far = (position.at(f"{board}.e{rank}").army for rank in (1, 8))
        assert near != far


@pytest.mark.rule("make-a-rule", "D1", "R1.1")
def test_both_sides_play_chess():
    game = begun(2)
    assert len(moves(game)) == 20
    phase(game, "Zaphod:1.e2-Zaphod:1.e4")
    assert len(moves(game)) == 20
    phase(game, "Zaphod:1.d7-Zaphod:1.d5")
    assert ends(game, "Zaphod:1.e4") == {"Zaphod:1.e5", "Zaphod:1.d5"}


@pytest.mark.rule("make-a-rule", "C1")
def test_colours_follow_the_order_of_play():
    game = multiverse(3)
    assert list(game.armies) == ["white", "yellow", "green", "orange", "blue", "red"]
    assert list(game.armies.values()) == ["Ann", "Ann", "Ben", "Ben", "Cleo", "Cleo"]
    position = game.state.position
    facing = [(position.at(f"{board}.e1").army, position.at(f"{board}.e8").army) for board in game.boards]
    assert facing == [("white", "green"), ("yellow", "blue"), ("orange", "red")]


@pytest.mark.rule("make-a-rule", "C1")
def test_with_more_players_than_colours_to_share_each_has_one():
    position = multiverse(4).state.position
    colours = {(army.controller, army.colour) for army in position.armies.values()}
    assert colours == {("Ann", "white"), ("Ben", "yellow"), ("Cleo", "green"), ("Dov", "orange")}
    assert len({(army.colour, army.mark) for army in position.armies.values()}) == 12


@pytest.mark.rule("make-a-rule", "C1")
def test_names_and_order_are_settled_before_play():
    game = multiverse(3, terms={"universe.names": ["Arda:1", "Arda:2", "Arda:3"]}, order=["Cleo", "Ann", "Ben"])
    assert game.boards == ("Arda:1", "Arda:2", "Arda:3")
    assert game.player == "Cleo"
    assert game.armies["white"] == "Cleo"


@pytest.mark.rule("make-a-rule", "M5")
def test_the_law_of_a_square_is_the_law_of_where_it_stands():
    game = begun(3)
    make(game, 'piece N moves "C" while board_named("Zaphod:1") in push')
    idle(game)
    while game.player != "Ann":
        make(game)
    assert ends(game, "Zaphod:1.b1") == {"Zaphod:1.a4", "Zaphod:1.c4"}
    assert ends(game, "Zaphod:2.b1") == {"Zaphod:2.a3", "Zaphod:2.c3"}


@pytest.mark.rule("make-a-rule", "M5")
def test_a_piece_that_crosses_is_under_the_law_there_and_stays_what_it_is():
    game = begun(3)
    make(game, 'piece N moves "C" while board_named("Zaphod:1") in push')
    make(
        game,
        'on enacted when rule == this: move square_named("Zaphod:2.b1").piece to square_named("Zaphod:1.d4")',
    )
    make(game)
    piece = game.state.position.at("Zaphod:1.d4")
    assert (piece.kind, piece.army, piece.home) == ("n", "yellow", "Zaphod:2")
    assert ends(game, "Zaphod:1.d4") == {f"Zaphod:1.{at}" for at in ("a3", "a5", "g3", "g5", "c7", "e7")}
    game.move("Ann", "Zaphod:1.d4-Zaphod:1.e7")
    assert game.state.position.at("Zaphod:1.e7").id == piece.id
    assert not moves(game, "Zaphod:1."), "one move in each universe, whichever army of the player's it is"


def test_all_universes_are_drawn():
    game = begun(3)
    page = game.draw().to_html()
    assert all(board in page for board in game.boards)


def test_a_move_is_named_with_or_without_its_universe():
    for text in (
        "Zaphod:2.e2-Zaphod:2.e4",
        "Zaphod:2: Zaphod:2.e2-Zaphod:2.e4",
        "Zaphod:2: e2e4",
        "zaphod:2.e2-zaphod:2.e4",
    ):
        game = begun(3)
        game.move("Ann", text)
        assert game.state.position.at("Zaphod:2.e4").kind == "p"


def test_a_universe_where_one_has_moved_is_closed():
    game = begun(3)
    game.move("Ann", "Zaphod:1.e2-Zaphod:1.e4")
    with refused(game, "board-moved-on-already", board="Zaphod:1", rule="K1"):
        game.move("Ann", "Zaphod:1.d2-Zaphod:1.d4")


def test_pgn_has_the_near_side_as_white():
    game = begun(3)
    phase(game, "Zaphod:1.e2-Zaphod:1.e4")
    phase(game, "Zaphod:1.e7-Zaphod:1.e5")
    first = game.pgn().split("[Event ")[1]
    assert '[White "white (Ann)"]' in first
    assert '[Black "green (Ben)"]' in first
    assert "1. e4 { ply 1: Zaphod:1.e2-Zaphod:1.e4. } 1... e5" in " ".join(first.split())


def test_pgn_has_the_near_side_as_white_whoever_moves():
    game = begun(3)
    make(game)
    law = 'move square_named("Zaphod:2.b8").piece to square_named("Zaphod:1.b8")'  # a guest: Cleo's knight
    make(game, f'on enacted when rule == this: remove square_named("Zaphod:1.b8").piece; {law}')
    make(game)
    phase(game, "Zaphod:1.e2-Zaphod:1.e4")
    make(game)
    phase(game, "Zaphod:1.b8-Zaphod:1.c6")
    first = game.pgn().split("[Event ")[1]
    assert '[White "white (Ann)"]' in first
    assert '[Black "blue (Cleo), green (Ben)"]' in first
    assert "1. e4" in first
    assert "1... Nc6" in first


@pytest.mark.parametrize(
    ("clauses", "said"),
    [
        ('enter army "azure" for "Ann" on "here there"', "a universe can’t be called"),
        ('enter army "azure" for "Ann" on "azure."', "a universe can’t be called"),
        ('enter army "azure" for "Ann" on "a.b"', "a universe can’t be called"),
        (
            'enter army "blue" for "Ann" on "M"; enter army "pink" for "Ben" on "M"; enter army "red" for "Ann" on "M"',
            "no room",
        ),
    ],
)
def test_armies_that_cannot_enter(clauses, said):
    game = sit()
    adopt(game, nb.enact("Boards.", law=f"incorporate fide-chess\non said: {clauses}"))
    game.say("Ann", "Now.")
    told = [one.prompt for one in game.pending] + list(game.history["what"])
    assert any(said in one for one in told), game.pending


def test_a_half_board_takes_no_second_army():
    game = sit("Ann", "Ben", system="nomic-chess")
    while game.player == "Ann" and any(one.action in ("propose", "vote", "call_vote") for one in game.pending):
        one = game.pending[0]
        if one.action == "propose":
            law = 'on said: enter army "azure" for "Ann" on "white"'
            game.propose("Ann", nb.enact("A guest.", law=law))
        elif one.action == "vote":
            game.vote(one.player, "for")
        else:
            game.call_vote(one.player)
    game.say("Ann", "Now.")
    assert "white is a half-board" in game.latest(1)[-1]


def test_the_third_army_of_a_universe_has_the_array_that_the_law_gives_it():
    game = begun(3)
    make(game, 'on enacted when rule == this: enter army "violet" for "Cleo" on "Zaphod:1"')
    position = game.state.position
    assert position.armies["violet"].home == "Zaphod:1"
    assert not [piece for piece in position.pieces.values() if piece.army == "violet"]


@pytest.mark.rule("make-a-rule", "M3")
def test_before_the_real_king_is_named_nothing_else_is_done():
    game = multiverse(3)
    with refused(game, "somebody-first"):
        game.move("Ann", "Zaphod:1.e2-Zaphod:1.e4")
    with refused(game, "somebody-first"):
        game.propose("Ann", nb.enact("So be it."))
    with refused(game, "answer-not-an-option"):
        game.choose("Ann", "king of green Zaphod:1.e8")
    name_king(game, 1)
    royal = {
        piece.board: piece.royal
        for piece in game.state.position.pieces.values()
        if piece.kind == "k" and piece.army in ("white", "yellow")
    }
    assert royal == {"Zaphod:1": False, "Zaphod:2": True}
    with refused(game, "nothing-to-choose"):
        game.choose("Ann", "king of white Zaphod:1.e1")


def test_pgn_of_a_universe_has_the_rules_in_force_there_and_the_ply_of_the_whole_game():
    one, two = "Zaphod:1", "Zaphod:2"
    game = begun(3)
    phase(game, f"{one}.e2-{one}.e4", f"{two}.d2-{two}.d4")
    make(game, 'piece N moves "C"', title="Leaping }", universe=two)
    phase(game, f"{one}.e7-{one}.e5")  # the rest of Ben's phase
    make(game, title="All agree")
    phase(game, f"{one}.g1-{one}.f3", f"{two}.c1-{two}.f4")
    comments, games = {one: [], two: []}, io.StringIO(game.pgn())
    while (found := chess.pgn.read_game(games)) is not None:
        if found.headers["Pair"] in comments:
            assert found.headers["White"].endswith("(Ann)")
            # What is said first in a comment; what the law has become behind a move follows it.
            comments[found.headers["Pair"]] += [
                node.comment.partition(". ")[0].rstrip(".") for node in found.mainline()
            ]
    plies = [len(game.moves) - 1, len(game.moves)]
    assert comments[one] == [
        f"ply 1: {one}.e2-{one}.e4",
        f"ply 3: {one}.e7-{one}.e5",
        f"ply {plies[0]}: {one}.g1-{one}.f3; in force: P3.1 All agree",
    ]
    assert comments[two] == [
        f"ply 2: {two}.d2-{two}.d4",
        f"ply {plies[1]}: {two}.c1-{two}.f4; in force: P2.1 Leaping ); P3.1 All agree",
    ]


def test_a_piece_is_dropped_in_a_universe():
    game = begun(2)
    make(game, 'set capture.result to "captor\'s hand"')
    phase(game, "Zaphod:1.d7-Zaphod:1.d5")
    phase(game, "Zaphod:1.e2-Zaphod:1.e4")
    phase(game, "Zaphod:1.d5-Zaphod:1.e4")
    make(game)
    drop = next(one for one in moves(game) if "@" in one)
    phase(game, drop)
    assert game.state.position.at(drop.rpartition("-")[2]).army == "yellow"
