"""What the rules of Nomic Chess demand that are not about boards, rule by rule."""

import pytest
import refusals
from board_helpers import chess, finish, law, moves, nothing, turns
from play_helpers import ballot, by_hand, refused, waiting_for

import nomic_nb as nb
from nomic_nb.engine.law.values import ThingRef


def count_of(game):
    """What the law says of the number of moves of the army on turn."""
    return game.state.law.find("move.count", game.state, {"army": ThingRef("army", game.state.current_turn.army)})


@pytest.mark.rule("nomic-chess", 101)
def test_the_initial_set_is_in_force():
    game = chess()
    assert [rule.number for rule in game.rules.rules_by_tier()["immutable"]] == list(range(101, 117))
    assert [rule.number for rule in game.rules.rules_by_tier()["mutable"]] == list(range(201, 223))


@pytest.mark.rule("nomic-chess", 101)
def test_only_the_version_in_force_counts():
    game = chess()
    game.propose("Ann", nb.amend(219, "One move a turn.", law='set move.count to 1\nset move.on_push to "any"'))
    ballot(game)
    assert count_of(game).rule == 301
    with refusals.refused("rule-renumbered", KeyError, now=301):
        game.rules[219]


@pytest.mark.rule("nomic-chess", 102)
def test_standing_is_no_matter_of_numbers():
    game = chess()
    game.propose("Ann", nb.transmute(210))
    ballot(game)
    assert game.rules[301].tier == "immutable"


@pytest.mark.rule("nomic-chess", 103)
def test_what_a_rule_change_is():
    game = chess()
    with refused(game, "not-proposable", rule=103):
        game.propose("Ann", nb.amend(112, "Win as you like."))
    with refused(game, "not-proposable", rule=103):
        game.propose("Ann", nb.repeal("N8"))
    assert game.propose("Ann", nb.transmute(112)).number == 301


@pytest.mark.rule("nomic-chess", 104)
@pytest.mark.rule("nomic-chess", 105)
def test_every_proposal_is_voted_on_by_all():
    game = chess()
    proposal = game.propose("Ann", nb.enact("Nothing."))
    assert waiting_for(game, "vote") == ["Ann", "Ben", "Cleo"]
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    with refused(game, "everyone-must-vote", rule=105):
        game.close_vote("Ann")
    game.vote("Cleo", "for")
    assert proposal.outcome == "adopted"


@pytest.mark.rule("nomic-chess", 106)
def test_the_text_is_fixed_once_the_vote_is_open():
    game = chess()
    game.propose("Ann", nb.enact("Nothing."))
    with refused(game, "nothing-debated"):
        game.revise("Ann", nb.enact("Everything."))


@pytest.mark.rule("nomic-chess", 107)
@pytest.mark.rule("nomic-chess", 205)
def test_a_change_works_from_the_end_of_its_vote_on():
    game = chess()
    game.propose("Ann", nb.enact("Knights jump far.", law='piece N moves "A"'))
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    assert 301 not in game.rules
    game.vote("Cleo", "for")
    assert {one.split("-")[1] for one in moves(game, "white.b1")} == {"white.d3"}


@pytest.mark.rule("nomic-chess", 108)
def test_numbers_go_on_from_301():
    game = chess()
    assert nothing(game, against=("Ben",)).number == 301
    game.choose("Ann", game.pending[0].options[0])
    finish(game)
    game.propose("Ben", nb.amend(219, "As before, in other words."))
    ballot(game)
    assert 302 in game.rules
    with refusals.refused("rule-renumbered", KeyError, now=302):
        game.rules[219]


@pytest.mark.rule("nomic-chess", 110)
def test_immutable_rules_prevail():
    game = chess()
    law(game, "set vote.duty to false")
    assert game.law["vote.duty"].rule == 105
    assert "contradicts rule 105" in game.rules.void_reason(game.rules[301])


@pytest.mark.rule("nomic-chess", 111)
def test_debate_is_ended_by_the_proponent():
    game = chess()
    game.propose("Ann", nb.enact("Nothing."), debate=True)
    with refused(game, "debate-not-yours", rule=111):
        game.call_vote("Ben")
    game.revise("Ann", nb.enact("Something."))
    game.call_vote("Ann")
    assert waiting_for(game, "vote") == ["Ann", "Ben", "Cleo"]


@pytest.mark.rule("nomic-chess", 114)
def test_the_game_stays_changeable():
    game = chess()
    game.propose("Ann", nb.amend(202, "Only moves.", law='set turn.parts to ["moves"]\n'
                                 'on part_begun when part == "moves": oblige player to move'))  # fmt: skip
    ballot(game)
    assert game.proposals[301].outcome == "without effect"
    assert game.rules[202].title


@pytest.mark.rule("nomic-chess", 115)
def test_a_rule_may_change_what_it_stands_on():
    game = chess()
    proposal = game.propose("Ann", nb.amend(203, "Two are enough.", law="set vote.quota to 2"))
    ballot(game)
    assert proposal.outcome == "adopted"
    finish(game)
    assert nothing(game, against=("Ann",)).outcome == "adopted"


@pytest.mark.rule("nomic-chess", 116)
def test_what_is_not_forbidden_is_allowed():
    game = chess()
    game.act("Cleo", "sings")
    assert game.latest(1) == ["Cleo: sings"]


@pytest.mark.rule("nomic-chess", 208)
def test_nobody_wins_while_two_are_left():
    game = chess()
    game.forfeit("Cleo")
    assert not game.over
    game.forfeit("Ben")
    assert game.winner == "Ann"


@pytest.mark.rule("nomic-chess", 211)
def test_the_lower_number_prevails_unless_a_claim_says_otherwise():
    game = chess()
    law(game, "set move.count to 9")
    finding = count_of(game)
    assert (finding.rule, finding.value) == (219, 1)
    assert {one.source.rule.number for one in finding.defeated} == {301, "N3"}
    finish(game)
    law(game, "set move.count to 7\nprevails over everything")
    assert (count_of(game).rule, count_of(game).value) == (302, 7)


@pytest.mark.rule("nomic-chess", 212)
def test_the_judge_is_the_player_before_in_the_order_of_armies():
    game = chess()
    finish(game)
    assert game.player == "Ben"
    game.invoke_judgment("Cleo", "May a king be carried?")
    assert waiting_for(game, "rule_on") == ["Ann"]


@pytest.mark.rule("nomic-chess", 212)
def test_with_several_armies_the_one_before_is_somebody_else():
    game = chess()
    by_hand(game, "Ann", 'give army_named("green") to "Ann"')  # so that white follows an army of Ann's
    game.invoke_judgment("Ben", "Is this so?")
    assert waiting_for(game, "rule_on") == ["Ben"]


@pytest.mark.rule("nomic-chess", 204)
def test_no_dissent_no_promotion():
    game = chess()
    turns(game, 6)
    nothing(game)
    assert waiting_for(game, "move") == ["Ann"]
