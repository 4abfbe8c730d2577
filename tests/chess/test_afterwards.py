"""What a clause can ask of a change at hand, on boards."""

import pytest

import nomic_nb as nb
from nomic_nb.chess.fairplay.hypotheticals import suppose_change
from nomic_nb.engine.law.nodes import View
from nomic_nb.engine.law.resolver import Law
from nomic_nb.engine.play.adoptability import SUPPOSED_CASE, suppose_proposed


@pytest.mark.parametrize(
    ("ruleset", "law"),
    [
        ("discordian-nomic", "set win.points to 50"),
        ("discordian-nomic", "set vote.quota to 1 while turn < 100"),
        ("discordian-nomic", "track gold per player from 3\nset vote.weight to 2"),
        ("nomic-chess", 'piece R moves otherwise + "F"'),
        ("nomic-chess", "set capture.from to []"),
    ],
)
def test_what_the_law_in_force_has_found_counts_only_where_the_change_leaves_it(ruleset, law):
    game = nb.new_game(ruleset, ["Ann", "Ben", "Cleo"], seed=1)
    state = suppose_proposed(game.state, nb.enact("So be it.", law=law), "Ann")
    cases = [{}, {"player": "Ann"}]
    if state.position is not None:
        boards = tuple(state.position.boards)[:2]
        cases += [{"army": army, "push": boards, "kind": kind} for army in state.position.armies for kind in "RPK"]
    asked = [(key, case) for key in state.law.vocabulary.keys for case in cases]
    for key, case in asked:
        state.law.find(key, state, case)
    after = suppose_change(View(state, SUPPOSED_CASE, state.law)).state
    fresh = Law(after.rules, after.law.order, after.law.language)
    for key, case in asked:
        found, anew = after.law.find(key, after, case), fresh.find(key, after, case)
        assert (found.value, found.outcome, found.sources) == (anew.value, anew.outcome, anew.sources), key
