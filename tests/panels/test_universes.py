"""A rule for one universe, made and repealed in the panel."""

from __future__ import annotations

from make_a_rule_helpers import begun
from panels.hands import Hand, hand_of

import nomic_nb as nb


def test_a_rule_is_made_for_one_universe_and_repealed_there():
    game = begun(3)
    ann = Hand(game.panel(), "Ann")
    assert [value for _, value in ann.find("Where").options] == ["", *game.boards]
    ann.propose("enact", Wording="Camels.", Law='piece N moves "C"', Where="Zaphod:1")
    assert game.proposals["P1.1"].change == nb.enact("Camels.", 'piece N moves "C"', universe="Zaphod:1")
    assert not ann.sees("Wording")
    while game.player == "Ann":
        ann.press("Make the move")
    ben = hand_of(ann, "Ben")
    ben.press("king of green Zaphod:1.e8")
    ben.propose("repeal", Rule="P1.1 ", Where="Zaphod:1")
    assert "P1.1" not in [rule.number for rule in game.rules]
