"""Tables, on boards."""

from __future__ import annotations

from board_helpers import chess, finish
from board_helpers import law as on_boards

from nomic_nb.engine.law.values import ThingRef
from nomic_nb.engine.play.tables import find_table


def value(game, name, *keys):
    """What stands in a place of a table."""
    return find_table(game.state, name).value_at(keys)


def test_mud_on_squares_holds_pieces_up():
    game = chess("Ann", "Ben")
    on_boards(game, "track mud per square from 0\non moved: award 1 mud(piece.square)\n"
              'forbid move when mud(target) > 0 and piece.kind != "R"')  # fmt: skip
    finish(game)
    first = game.tables["mud"]
    assert first["value"].tolist() == [1]
    square = first["square"][0]
    kept = game.state.tables["mud"].entries
    assert list(kept) == [(ThingRef("square", square),)]
