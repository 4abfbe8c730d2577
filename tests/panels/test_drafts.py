"""Rule-changes as they are written: fields are filled, and what is typed stays."""

from __future__ import annotations

from panels.hands import hand_of
from play_helpers import judged

import nomic_nb as nb
from nomic_nb.panels.ready import makers


def test_what_is_typed_stays_while_others_act(game, ann):
    ann.set(Kind="amend", Rule="203 ", Wording="Half typed")
    box, body = ann.panel.groups["Ann"].children, ann.find("Wording")
    game.say("Ben", "hurry")
    game.report("Cleo", "Ben", "hurrying")
    assert ann.panel.groups["Ann"].children == box
    assert ann.find("Wording") is body
    assert body.value == "Half typed"
    assert "reports Ben: hurrying" in ann.status
    game.invoke_judgment("Ben", "May Ann take so long?")
    assert not ann.sees("Wording")
    judged(game)
    assert ann.find("Wording") is body
    ann.press("Propose")
    assert game.proposals[301].change == nb.amend(203, "Half typed")


def test_a_new_turn_begins_with_empty_fields(game, ann):
    ann.propose("enact", Wording="First.")
    for name in game.players:
        hand_of(ann, name).press("Vote for")
    ann.throws(1)
    assert hand_of(ann, "Ben").find("Wording").value == ""
    for name in ("Ben", "Cleo"):
        hand_of(ann, name).propose("enact", Wording=f"By {name}.")
        for voter in game.players:
            hand_of(ann, voter).press("Vote for")
        hand_of(ann, name).throws(1)
    assert ann.find("Wording").value == ""


def test_fields_are_filled_and_what_is_typed_is_not_overwritten(game, ann):
    ann.set(Kind="amend")
    assert ann.find("Rule").label.startswith("201 ")  # what may not be amended stands last
    assert "101 " in ann.find("Rule").options[-1][0] or "(reading)" in ann.find("Rule").options[-1][0]
    ann.set(Rule="208 ")
    assert ann.find("Law").value == "set win.points to 100"
    assert ann.find("Title").value == game.rules[208].title
    ann.set(Law="set win.points to 50")
    ann.set(Rule="203 ")
    assert ann.find("Wording").value == game.rules[203].wording
    assert ann.find("Law").value == "set win.points to 50"
    ann.set(Rule="208 ")
    ann.press("Propose")
    assert game.proposals[301].change == nb.amend(208, law="set win.points to 50")


def test_an_amendment_that_changes_nothing_is_refused_in_the_panel(game, ann):
    ann.propose("amend", Rule="208 ")
    assert "an amendment changes wording or law" in ann.status
    assert not len(game.proposals)


def test_clauses_can_be_taken_away(game, ann):
    ann.propose("amend", Rule="204 ", Law="")
    assert game.proposals[301].change == nb.amend(204, law="")


def test_beside_and_parts(game, ann):
    ann.set(Kind="amend", Rule="208 ")
    assert not ann.sees("Part")
    ann.find("beside what is there").value = True
    assert ann.find("Wording").value == ""
    ann.set(Wording="And a cake.")
    ann.press("Propose")
    assert game.proposals[301].change == nb.amend(208, "And a cake.", add=True)
    for name in game.players:
        hand_of(ann, name).press("Vote for")
    ann.throws(1)
    ben = hand_of(ann, "Ben")
    ben.set(Kind="amend", Rule="301 ", Part="amendment 1")
    assert ben.find("Wording").value == "And a cake."
    assert not ben.sees("beside what is there")
    ben.set(Kind="repeal")
    ben.press("Propose")
    assert game.proposals[302].change == nb.repeal(301, part=1)


def test_every_ready_made_rule_can_be_proposed(game, ann):
    for name in makers():
        ann.set(Kind="propose a ready-made", Ready_made=name)
        if ann.sees("Deed"):
            ann.set(Deed="humming", Points=3)
            assert "Each time a player is reported for humming, that player loses 3" in ann.find("Wording").value
        assert "✓" in ann.text
    ann.set(Ready_made="Dissent", Points=5000)
    assert "a bonus is a whole number from -1000 to 1000; found 5000" in ann.status
    ann.set(Points=7)
    assert ann.find("Rule").label == "a new rule"
    ann.press("Propose")
    assert game.proposals[301].change == nb.library.dissent_bonus(7).change()


def test_the_form_of_a_debated_proposal_is_filled_with_it(game, ann):
    change = nb.amend(208, "Fifty.", "set win.points to 50", title="Fifty")
    game.propose("Ann", change, debate=True)
    assert [ann.find(name).value for name in ("Title", "Wording", "Law")] == [
        "Fifty", "Fifty.", "set win.points to 50"
    ]  # fmt: skip
    ann.press("Revise")
    assert game.proposals[301].change == change
    ann.set(Law="set win.points to")
    assert "Law, line 1, column" in ann.text
    ann.press("Revise")
    assert "Not done" in ann.status
    ann.set(Kind="transmute", Rule="112 ")
    ann.press("Revise")
    assert game.proposals[301].change == nb.transmute(112)
