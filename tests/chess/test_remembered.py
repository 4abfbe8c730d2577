"""What is remembered of a state is what would be found anew, step for step, in games of random players."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import product

import pytest
from corpus.random_games import SYSTEMS

import nomic_nb as nb
from nomic_nb.chess.fairplay.attacks import Mover, state_at_next_turn
from nomic_nb.chess.play import functions, legal
from nomic_nb.chess.play.boards import multiverse_of
from nomic_nb.engine.law.nodes import StepMeter, Undecided, View
from nomic_nb.engine.law.values import ThingRef
from nomic_nb.engine.play.state import Agenda
from nomic_nb.study.players import standings
from nomic_nb.study.players.view import SeatViews


def with_steps(find):
    """What something finds, or why it finds nothing, and the steps it takes."""
    meter = StepMeter(10**9)
    with meter.as_current_meter():
        try:
            found = find()
        except Undecided as doubt:
            found = str(doubt)
    return found, meter.steps_taken


def forget(state):
    """Forget everything that is remembered of a state, and of those before it."""
    state.law._found.clear()
    legal._KNOWN_OPTIONS.clear()
    functions._LAST_PUSHES.clear()
    standings._LAST_WORTH[0] = (), {}
    for table in state.tables.values():
        table.values_read.clear()


def options_in(state):
    """The moves in a state, board by board, and the steps it takes to find them."""
    return with_steps(lambda: [(way.push.boards, way.reach, way.moves) for way in legal.push_options(state)])


def check_moves(state, kept):
    remembered = options_in(state), options_in(state.replace(work=0, seq=0, agenda=Agenda()))
    forget(state)
    assert remembered == (options_in(state),) * 2
    kept["moves"] += len(remembered[0][0])


def check_offers(state, kept):
    """What offers ask in each case, after what was found in other cases and states, and with nothing known."""
    own = [(source.rule.ref, one) for source in state.law.offers for one in source.clause.asked]
    cases = product(own, [ThingRef("player", name) for name in state.person_names])
    finds = [
        partial(with_steps, partial(state.law.evaluate, one, state, {"this": this, "player": player}))
        for (this, one), player in cases
    ]
    remembered = [find() for find in finds]
    for find, found in zip(finds, remembered, strict=True):
        forget(state)
        assert found == find()
    kept["offers"] += len(finds)


def check_captures(state, kept):
    """The moves that can capture a piece are those of all moves that do."""
    position = multiverse_of(state)
    for army in position.armies:
        asked = state_at_next_turn(state, army)
        with suppress(Undecided):  # players may have repealed what says so
            for boards in legal.joinable_boards(asked, position, army):
                mover = Mover(View(asked, {}, asked.law), asked, army, boards)
                every = mover.pseudo_legal_moves(asked)
                for piece in [one for board in boards for one in position.standing[board].values()]:
                    found = [move for move in mover.pseudo_legal_moves(asked, piece) if piece.id in move.taken]
                    assert found == [move for move in every if piece.id in move.taken]
                    kept["captures"] += len(found)


def check_strength(state, kept):
    """The strength of a player's pieces is the sum of what each is worth."""
    position, remembered = multiverse_of(state), standings.strength_of_players(state)
    forget(state)
    worth = standings._worth_of_kinds(
        state, tuple({(one.army, one.kind, one.board) for one in position.pieces.values()})
    )
    strength = dict.fromkeys(state.person_names, Fraction(0))
    for piece in position.pieces.values():
        player = position.armies[piece.army].controller
        if player in strength:
            strength[player] += worth[piece.army, piece.kind, piece.board]
    assert remembered == {name: str(found) for name, found in strength.items()}
    kept["strength"] += len(position.pieces)


def check_views(game, kept):
    """What a seat sees after what was seen before, and with nothing known."""
    for name in game.state.names_of_players:
        seen, anew = game.seat(name).view(remarks=False), SeatViews()
        forget(game.state)
        asked = anew.decisions_of(game.timeline, name)
        found = anew.view(game.timeline, name, asked, refused=None, remarks=False)
        assert (json.dumps(seen), seen.size) == (json.dumps(found), found.size)
        kept["views"] += 1


def check(state, kept):
    check_offers(state, kept)
    if state.position is not None:
        check_moves(state, kept)
        check_captures(state, kept)
        check_strength(state, kept)


@pytest.mark.slow
@pytest.mark.fuzz
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_remembered_is_what_would_be_found_anew(system):
    kept = Counter()
    for seed in (1, 2):
        game = nb.new_game(system, ["Ann", "Ben", "Cleo"], seed=seed, anew=True)
        seats = {name: (game.seat(name), nb.players.random(seed + at)) for at, name in enumerate(game.state.players)}
        for _ in range(60):
            for seat, player in seats.values():
                reply = player(seat.view(remarks=False))
                if reply is not None and seat.act(reply).get("done"):
                    check_views(game, kept)
                    check(game.state, kept)
    assert min(kept[what] for what in ("moves", "captures", "strength")) > 0 or game.state.position is None
    assert kept["offers"] > 0 or not game.state.law.offers
