"""How long fifteen universes take in play, with six players: `pytest tests/speed --benchmark-enable`.

The decisions of a phase should take less than 60 ms, and an act with its consequences and the new picture less than
120 ms; no time is asserted.
"""

from __future__ import annotations

import random

import pytest
from make_a_rule_helpers import begun, make, moves, name_king

import nomic_nb as nb
from nomic_nb.chess.play import legal
from nomic_nb.engine.play.decisions import decisions
from nomic_nb.notebook.panels.view_model import ViewModels

LAW = 'piece B moves otherwise + "W"'


@pytest.fixture(scope="module")
def game() -> nb.Game:
    """Return a game in its fourth turn: everybody has made two rules, and moved in all universes."""
    game, dice = begun(6, restricted=True), random.Random(3)
    for law in (LAW, *[""] * 11):
        make(game, law)
    while game.circuit < 4:
        while moves(game):
            turn = game.turn
            game.move(game.player, dice.choice(moves(game)))
            if game.turn != turn:
                break
        name_king(game)
    return game


def test_the_decisions_of_a_phase(benchmark, game):
    game = game.fork()
    game.move(game.player, moves(game)[0])  # from now on no rule can be made in this phase
    state = game.state

    def afresh() -> int:
        legal._KNOWN_OPTIONS.clear()  # as if nobody had asked before
        state.law._found.clear()
        return len(decisions(state.replace()))

    assert benchmark.pedantic(afresh, rounds=10) >= 1


def _looked_at(game: nb.Game) -> tuple[nb.Game, ViewModels]:
    other = game.fork()
    pictures = ViewModels(other)
    pictures.current_view()
    return other, pictures


def test_a_move_with_its_consequences_and_the_new_picture(benchmark, game):
    text = moves(game)[5]

    def move(other: nb.Game, pictures: ViewModels) -> int:
        other.move(other.player or "", text)
        return pictures.current_view().state.seq

    assert benchmark.pedantic(move, setup=lambda: (_looked_at(game), {}), rounds=10) > game.state.seq


MOVEMENT = 'piece R moves otherwise + "F"'
#: Rules of several kinds: of words alone, of how pieces move, of which moves are forbidden; each everywhere and in one.
RULES = {
    "of words": {"law": ""},
    "of words, for one": {"law": "", "universe": "Zaphod:3"},
    "of movement": {"law": MOVEMENT},
    "of movement, for one": {"law": MOVEMENT, "universe": "Zaphod:3"},
    "of double steps": {"law": "set pawn.double_step_ranks to [2, 4]"},
    "that forbids moves": {"law": 'forbid move when captures != [] and piece.kind == "Q"'},
}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())
@pytest.mark.slow
def test_a_rule_with_its_consequences_and_the_new_picture(benchmark, game, rule):
    def propose(other: nb.Game, pictures: ViewModels) -> int:
        other.propose(other.player or "", nb.enact("So be it.", **rule))
        return pictures.current_view().state.seq

    assert benchmark.pedantic(propose, setup=lambda: (_looked_at(game), {}), rounds=10) > game.state.seq
