"""A look ahead on boards under law: positions have the moves that the law offers, and dangers are seen."""

import pytest

import nomic_nb as nb
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.chess.play.functions import push_under_law
from nomic_nb.chess.play.legal import joinable_boards
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
