"""A look ahead on boards under law: positions have the moves that the law offers, and dangers are seen."""

import pytest
from board_helpers import nothing
from refusals import refused

import nomic_nb as nb
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.functions import push_under_law
from nomic_nb.chess.play.legal import joinable_boards
from nomic_nb.chess.record.moves import played_moves
from nomic_nb.study.players.boards_ahead import outlook_on_boards, position_on, promising_moves


def pushes(game):
    """Return every push of every army in a game, for its army."""
    state = game.state
    multiverse = multiverse_of(state)
    return [
        push_under_law(state.law, state, army.name, boards)
        for army in multiverse.armies.values()
        for boards in joinable_boards(state, multiverse, army.name)
    ]


@pytest.mark.parametrize(
    ("system", "players", "law"),
    [
        ("nomic-chess", ["Ann", "Ben", "Cleo"], ""),
        ("nomic-chess", ["Ann", "Ben"], 'piece N moves "NW"'),
        ("make-a-rule", ["Ann", "Ben"], ""),
    ],
)
def test_others_have_as_many_moves_as_their_army_on_these_boards(system, players, law):
    game = nb.new_game(system, players, seed=5, anew=True)
    if law:
        game.propose("Ann", nb.enact("Knights move otherwise.", law=law))
        game.votes()
    there = pushes(game)
    for push in there:
        found = position_on(push)
        (other,) = (one for one in there if set(one.boards) == set(push.boards) and one.army.name != push.army.name)
        assert len(found.moves()) == len(other.moves())


def test_a_player_fears_for_what_others_can_take_and_for_a_king_in_check():
    game = nb.new_game("make-a-rule", ["Ann", "Ben"], seed=5, anew=True)
    nb.play(game, {name: nb.players.sensible(at) for at, name in enumerate(game.players)}, until=2, remarks=False)

    def outlook(white, yellow):
        game.host.set_up({"white": white, "yellow": yellow}, agreed=game.players, reason="for the test")
        return outlook_on_boards(game.state, "Ann")

    even = outlook("Ke1! Qd1 a2", "Ke8! Qd8 a7")
    hanging = outlook("Ke1! Qd3 a2", "Ke8! Qd8 a7")
    checked = outlook("Ke1! Qa1 a2", "Ke8! Qe7 a7")
    assert checked == -1 < hanging < even
    assert outlook("Ke1! Qd1 a2", "Ke8! Qd8 Ra8 a7") < even


def test_players_move_on_boards_where_only_one_of_them_has_a_real_king():
    game = nb.new_game("make-a-rule", ["Ann", "Ben", "Cleo"], seed=5, anew=True)
    nb.play(game, {name: nb.players.sensible(at) for at, name in enumerate(game.players)}, until=3, remarks=False)
    assert "moved" in set(game.history["kind"])
    assert game.turn == 3


def test_the_most_promising_move_is_one_that_the_law_offers():
    game = nb.new_game("make-a-rule", ["Ann", "Ben"], seed=5, anew=True)
    nb.play(game, {name: nb.players.sensible(at) for at, name in enumerate(game.players)}, until=2, remarks=False)
    pieces = {"white": "Ke1! Qd1 a2", "yellow": "Ke8! Qd8 a7"}
    game.host.set_up(pieces, agreed=game.players, reason="for the test")
    (move,) = promising_moves(game.state)
    player = next(
        name for name in game.players if any(one["action"] == "move" for one in game.seat(name).view()["asked"])
    )
    assert move in game.seat(player).view()["moves"]
    assert move.endswith(".d8" if player == "Ann" else ".d1")


def test_a_chess_player_in_a_seat_makes_the_move_that_it_makes_in_the_position():
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=5, anew=True)
    nothing(game)
    bot = nb.multiverse.player(game.position("white", "yellow"), nodes=300)
    wanted = bot.move(game.position("white", "yellow"))
    game.machines["Ann"] = bot
    assert [played.uci for played in played_moves(game.timeline)] == [wanted]
    del game.machines["Ann"]
    assert not game.machines


def test_a_chess_player_finds_a_mate_among_the_moves_that_altered_rules_leave():
    start = nb.multiverse.position(pieces={"q": "RN"})
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=5, anew=True, machines={"Ben": nb.multiverse.player(start)})
    game.propose("Ann", nb.enact("Queens leap.", law='piece Q moves "RN" while turn > 0\nforbid move when turn < 0'))
    game.vote("Ann", "for")
    with refused("rule-beyond-position"):
        game.position("white", "yellow")
    game.host.set_up("4k3/8/8/8/8/4q3/P5r1/7K w - - 0 1", agreed=["Ann", "Ben"], reason="for the test")
    game.move("Ann", "white.a2-white.a3")
    game.votes("for")
    assert game.moves["to"].iloc[-1] == "white.e1"  # from where she guards the rook as a knight would
