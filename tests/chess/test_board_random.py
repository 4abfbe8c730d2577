"""Random games on boards: nothing is lost, nothing is doubled, and the record tells it all again."""

from collections import Counter

import pytest

import nomic_nb as nb
from nomic_nb.study.playouts import play_out

GAMES = [(players, seed) for players in (2, 3, 4) for seed in (3, 7)]


def names(count):
    return ["Ann", "Ben", "Cleo", "Dov"][:count]


@pytest.mark.parametrize(("players", "seed"), GAMES)
@pytest.mark.slow
def test_pieces_are_neither_lost_nor_doubled(players, seed):
    game = nb.Game(play_out("nomic-chess", names(players), seed, turns=12).timeline)
    for event, state in game.timeline.moments:
        if state.position is None:
            continue
        position = state.position
        squares = Counter((piece.board, piece.square) for piece in position.pieces.values())
        assert not [place for place, count in squares.items() if count > 1], event
        assert not set(position.pieces) & set(state.gone), event
        assert set(position.pieces) | set(state.gone) == set(range(1, position.next_id)), event
        assert set(position.armies) == {army.name for army in position.armies.values()}


@pytest.mark.parametrize(("players", "seed"), [(2, 5), pytest.param(3, 5, marks=pytest.mark.slow), (4, 5)])
def test_a_game_is_saved_and_comes_back(players, seed, tmp_path):
    game = nb.Game(play_out("nomic-chess", names(players), seed, turns=8).timeline)
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert [state.digest() for _, state in again.timeline.moments[::9]] == [
        state.digest() for _, state in game.timeline.moments[::9]
    ]
    assert again.state.canonical_json() == game.state.canonical_json()
    assert again.moves.equals(game.moves)


def test_undone_moves_do_not_count():
    game = nb.Game(play_out("nomic-chess", names(2), 5, turns=4).timeline)
    made = len(game.moves)
    then = next(event.seq for event in game.timeline.events if event.kind == "pushed") - 1
    before = game.at(then).state.position
    fork = game.fork(at=then)
    game.undo(to=game.timeline.end_of_step(then))
    assert game.state.position == before == fork.state.position
    assert len(game.moves) == len(fork.moves) == 0 < made
