"""The terms of proposals, changes and debate, each changed by an adopted proposal."""

import pytest
import refusals
from key_helpers import change_immutable
from make_a_rule_helpers import begun, phase
from play_helpers import (
    adopt,
    asked_about,
    idle,
    law,
    put,
    refused,
    sit,
    turn,
    waiting_for,
)

import nomic_nb as nb

IN_A_ROW = 'set proposal.numbering to "successive"'  # as 108 has it


def test_proposal_first_number():
    game = sit()
    change_immutable(game, 108, f"set proposal.first_number to 1000\nset rule.takes_number to true\n{IN_A_ROW}")
    proposal = put(game, nb.enact("More."))
    assert proposal.number == 1000
    game.roll("Cleo", 1)
    assert put(game, nb.enact("More.")).number == 1001


def test_proposal_label():
    game = sit()
    law(game, 'set proposal.label to label("X", turn) while proponent.name == "Ben"')
    assert adopt(game, nb.enact("More.")).number == "X2"
    assert game.rules["X2"].wording == "More."
    game.roll("Ben", 1)
    assert put(game, nb.enact("More.")).number == 302


def test_a_label_is_given_once_and_reads_like_one():
    game = sit()
    law(game, 'set proposal.label to "X1"')
    turn(game, nb.enact("More."))
    with refusals.refused("permission-open-and-asked", question="X1 is taken"):
        game.propose("Cleo", nb.enact("More."))
    assert asked_about(game, 301)
    game.choose("Ann", '"X2"', agreed=["Ann", "Ben", "Cleo"])
    assert put(game, nb.enact("More."), player="Cleo").number == "X2"
    with refused(sit(), "value-unfit", why="label-malformed"):
        sit().propose("Ann", nb.enact("Odd.", law='set proposal.label to "x 1"'))


def test_repeal_leaves():
    game = sit()
    number = law(game, "set repeal.leaves to true")
    turn(game, nb.repeal(210))
    assert 210 not in game.rules
    assert game.rules[302].title == "Repeal of 210"
    turn(game, nb.repeal(number))
    assert 303 in game.rules, "the law of the step in which it is repealed still says so"
    turn(game, nb.repeal(303))
    assert 304 not in game.rules


@pytest.mark.rule("make-a-rule", "M2", "R14", "R16")
def test_change_universes():
    game = begun(3, restricted=True)
    with refused(game, "not-proposable", rule="R16"):
        game.propose("Ann", nb.enact("All.", "set change.universes to []"))
    game.propose("Ann", nb.enact("All.", "set change.universes to []", standing="amendment"))
    phase(game)
    for player in ("Ben", "Cleo"):
        game.vote(player, "for")
        phase(game)
    with refused(game, "no-such-universe-for-rules", by=" (rule A1)", found="'Zaphod:1'", expected="no name"):
        game.propose("Ann", nb.enact("Here.", 'piece N moves "C"', universe="Zaphod:1"))
    assert game.propose("Ann", nb.enact("Everywhere.")).number == "P1.2"


def test_proposal_on_leaving():
    for value, outcome in (("lapse", "lapsed"), ("stand", "open")):
        game = sit()
        law(game, f'set proposal.on_leaving to "{value}"')
        proposal = game.propose("Ben", nb.enact("More."))
        game.vote("Ann", "for")
        game.forfeit("Ben")
        assert proposal.outcome == outcome
        assert waiting_for(game, "choose") == []
        if outcome == "open":
            game.vote("Cleo", "for")
            assert proposal.outcome == "adopted"
        assert waiting_for(game, "propose") == ["Cleo"]


def test_rule_takes_number():
    game = sit()
    change_immutable(game, 108, f"set proposal.first_number to 301\nset rule.takes_number to false\n{IN_A_ROW}")
    proposal = turn(game, nb.amend(210, "Whisper."))
    assert proposal.number == 303
    assert game.rules[210].wording == "Whisper."
    assert 303 not in game.rules


def test_enact_tier():
    game = sit()
    change_immutable(
        game,
        103,
        'allow propose\nset enact.tier to "immutable"\nset transmute.tier to "mutable"',
    )
    idle(game)
    assert game.rules[303].tier == "immutable"


def test_transmute_tier():
    game = sit()
    change_immutable(
        game,
        103,
        'allow propose\nset enact.tier to "mutable"\nset transmute.tier to "mutable"',
    )
    turn(game, nb.transmute(210))
    assert game.rules[303].tier == "mutable"


def test_change_effective():
    game = sit()
    law(game, 'set change.effective to "turn ended"\nprevails over 205')
    proposal = put(game, nb.enact("A big die.", law="set dice.sides to 20"))
    assert proposal.outcome == "waiting"
    assert 302 not in game.rules
    with refused(game, "throw-out-of-range", found="20"):
        game.roll("Ben", 20)
    game.roll("Ben", 6)
    assert 302 in game.rules
    assert proposal.outcome == "adopted"
    assert put(game, nb.enact("More.")).outcome == "waiting"
    assert game.roll("Cleo", 20) == 20


def test_change_effective_after_a_circuit():
    game = sit()
    law(game, 'set change.effective to "circuit ended"\nprevails over 205')
    proposal = turn(game, nb.enact("A big die.", law="set dice.sides to 20"))
    assert proposal.outcome == "waiting"
    assert game.law["dice.sides"].value == 6
    turn(game, nb.enact("More."))
    assert game.circuit == 2
    assert game.law["dice.sides"].value == 20


def in_doubt(stands):
    """Adopt a change after which a requirement has no answer, where the law says whether such a change stands."""
    game = sit()
    law(game, f"set change.stands to {stands}")
    limit = len(game.rules) + 2
    law(game, f"require 10 // ({limit} - count(rules)) > -100")
    return game, turn(game, nb.enact("A big die.", law="set dice.sides to 20"))


def test_change_stands():
    game, proposal = in_doubt("false")
    assert proposal.outcome == "without effect"
    assert game.law["dice.sides"].value == 6
    game, proposal = in_doubt("true")
    assert proposal.outcome == "adopted"


def test_debate_ended_by():
    game = sit()
    change_immutable(
        game,
        111,
        "set debate.ended_by to [p for p in playing if p != proponent]\nset debate.final_form_by to [proponent]",
    )
    proposal = game.propose("Cleo", nb.enact("Vague."), debate=True)
    assert set(waiting_for(game, "call_vote")) == {"Ann", "Ben"}
    with refused(game, "debate-not-yours"):
        game.call_vote("Cleo")
    game.call_vote("Ann")
    assert proposal.outcome == "open"


def test_debate_final_form_by():
    game = sit()
    change_immutable(
        game,
        111,
        "set debate.ended_by to [proponent]\nset debate.final_form_by to [p for p in playing if p != proponent]",
    )
    proposal = game.propose("Cleo", nb.enact("Vague."), debate=True)
    with refused(game, "debate-not-yours"):
        game.revise("Cleo", nb.enact("Clear."))
    game.revise("Ben", nb.enact("Clear, by Ben."))
    game.call_vote("Cleo")
    assert proposal.wording == "Clear, by Ben."
