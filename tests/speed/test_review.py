"""How long a review takes with forty rules: `pytest tests/speed --benchmark-enable`. No time is asserted."""

from __future__ import annotations

import pytest
from play_helpers import idle, law, sit

import nomic_nb as nb
from nomic_nb.engine.play.proposals import with_proposal
from nomic_nb.engine.play.values import Proposal
from nomic_nb.notebook.show import show_html
from nomic_nb.study.playouts import play_out
from nomic_nb.study.review.remarks import quick_remarks, remarks_on
from nomic_nb.study.review.review import review_change


@pytest.fixture(scope="module")
def forty():
    game = sit(terms={"win.points": 10**9})
    while len(game.rules) < 40:
        law(game, "set dissent.points to 12 while turn > 5") if len(game.rules) % 2 else idle(game)
    return game


CHANGES = {
    "a new rule": nb.enact("Sixes count double.", "set throw.points to face * 2 while face == 6"),
    "an amendment": nb.library.simple_majority().change(203),
    "a repeal": nb.repeal(203),
    "transmuting": nb.transmute(112),
    "what needs steps first": nb.amend(112, "Win at once.", "set win.winners to []"),
    "a way round": nb.amend("P4", "Ten sides.", "set dice.sides to 10"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_review(benchmark, forty, change):
    assert len(forty.rules) == 40
    benchmark(lambda: str(review_change(forty.timeline, "Ann", change)))


@pytest.mark.parametrize("look", [quick_remarks, remarks_on], ids=["at once", "tried"])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_voters_are_told(benchmark, forty, change, look):
    state = with_proposal(forty.state, Proposal(999, change, "Ann", forty.turn, "open"))
    benchmark.pedantic(
        lambda asked: look(asked, 999), setup=lambda: ((state.replace(players=dict(state.players)),), {}), rounds=5
    )


@pytest.fixture(scope="module")
def four_armies():
    return nb.Game(play_out("nomic-chess", ["Ann", "Ben", "Cleo", "Dov"], 8, turns=16).timeline)


BOARD_CHANGES = {
    "a movement": nb.enact("Knights ride, queens step.", 'piece N moves "NN"\npiece Q moves "K"'),
    "a movement of all kinds": nb.enact("All are queens.", "\n".join(f'piece {one} moves "Q"' for one in "PNBR")),
    "what may be moved": nb.enact("Knights stay.", 'forbid move when piece.kind == "N"'),
    "pieces at once": nb.enact("An army is promoted.", 'on enacted: promote item(armies, 1).pieces to "R"'),
    "repealing chess": nb.repeal(214),
}


@pytest.mark.parametrize("change", BOARD_CHANGES.values(), ids=BOARD_CHANGES)
def test_a_review_of_boards_with_four_armies_told_and_painted(benchmark, four_armies, change):
    found = benchmark(lambda: (one := review_change(four_armies.timeline, "Ann", change), str(one), show_html(one))[0])
    assert found.on_boards is not None
