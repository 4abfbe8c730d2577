"""Examples of play, each with its id in the name."""

from math import comb

import pytest
from play_helpers import (
    adopt,
    agree,
    ballot,
    by_hand,
    defeat,
    idle,
    judged,
    law,
    majority,
    open_up,
    put,
    refused,
    scores,
    sit,
    turn,
    waiting_for,
)

import nomic_nb as nb

DUMMY = """on enacted when rule == this: enter player "D" as dummy
on vote_opened: roll 1 of 6 as face; cast "for" if face >= 4 else "against" for "D\""""


def numbers(game, tier):
    return [rule.number for rule in game.rules if rule.tier == tier]


@pytest.mark.rule("discordian-nomic", 101)
def test_a1_sixteen_and_thirteen():
    game = sit()
    assert len(numbers(game, "immutable")) == 16
    assert len(numbers(game, "mutable")) == 13


@pytest.mark.rule("discordian-nomic", 212)
def test_a5_how_to_overrule_is_left_open_and_said_so():
    rule = sit().rules[212]
    assert "overruled" in rule.wording
    assert "unanim" not in rule.wording
    assert "missing" in str(rule) or any("missing" in note for note in rule.notes)


@pytest.mark.rule("discordian-nomic", 108)
def test_b1_numbers_of_three_proposals():
    game = sit()
    outcomes = [
        turn(game, nb.enact(f"Number {n}."), against).outcome for n, against in enumerate((("Ben",), ("Ann",), ()))
    ]
    assert outcomes == ["defeated", "defeated", "adopted"]
    assert list(game.proposals.frame.index) == [301, 302, 303]
    assert game.rules[303].tier == "mutable"
    assert 301 not in game.rules
    assert 302 not in game.rules


@pytest.mark.rule("discordian-nomic", 108)
def test_b3_a_rule_amended_twice():
    game = sit()
    cap = game.rules[209].law
    turn(game, nb.amend(209, "Still twenty-five.", law=cap))
    assert game.rules[301].all_versions[0].number == 209
    turn(game, nb.amend(301, "Twenty-five it is.", law=cap))
    assert game.rules[302].wording == "Twenty-five it is."
    assert 301 not in game.rules
    assert 209 not in game.rules


@pytest.mark.rule("discordian-nomic", 108, 103)
def test_b5_an_improper_proposal_takes_no_number():
    game = sit()
    with refused(game, "not-proposable", target=112, tier="immutable", rule=103):
        game.propose("Ann", nb.amend(112, "Cake wins."))
    assert len(game.proposals.frame) == 0
    assert waiting_for(game, "propose") == ["Ann"]
    with refused(game, "nothing-to-throw"):
        game.roll("Ann")
    assert adopt(game, nb.enact("Proper.")).number == 301


@pytest.mark.rule("discordian-nomic", 110)
def test_b9_no_transmutation_by_the_way():
    game = sit()
    adopt(game, nb.enact("Points are blue. This also makes 105 mutable."))
    assert game.rules[105].tier == "immutable"
    assert 301 not in numbers(game, "immutable")


@pytest.mark.rule("discordian-nomic", 107)
def test_b11_nothing_is_retroactive():
    game = sit()
    idle(game, face=6)
    law(
        game,
        "set throw.points to 5 while face == 6",
        "From the start of the game, every 6 ever rolled gives 5.",
        face=2,
    )
    assert scores(game) == {"Ann": 6, "Ben": 2, "Cleo": 0}
    idle(game, face=6)
    assert scores(game)["Cleo"] == 5


@pytest.mark.rule("discordian-nomic", 209)
def test_b13_twelve_more_fit():
    game = sit(terms={"win.points": 1000})
    outcomes = [turn(game, nb.enact(f"Number {n}.")).outcome for n in range(13)]
    assert outcomes == ["adopted"] * 12 + ["without effect"]
    assert len(numbers(game, "mutable")) == 25


@pytest.mark.rule("discordian-nomic", 115)
def test_b15_203_is_amended_by_a_vote_under_203():
    game = sit()
    proposal = adopt(
        game, nb.amend(203, "More than half are enough.", law="set vote.quota to majority(vote.electorate)")
    )
    assert proposal.tally.quota == 3
    game.roll("Ann", 1)
    assert game.propose("Ben", nb.enact("More.")).tally.quota == 2


@pytest.mark.rule("discordian-nomic", 110)
def test_b17_a_rule_against_an_immutable_one_stays_listed():
    game = sit()
    law(game, "set vote.adopted to true", "Players need not obey immutable rules.")
    assert 301 in numbers(game, "mutable")
    reason = game.rules.void_reason(game.rules[301])
    assert "110" in reason
    assert "104" in reason
    assert put(game, nb.enact("More."), against=("Cleo",)).outcome == "defeated"


@pytest.mark.rule("discordian-nomic", 211)
def test_b19_a_claim_beats_the_lower_number():
    game = sit()
    for _ in range(4):
        idle(game)
    assert law(game, "set vote.weight to 2") == 305
    assert game.law["vote.weight"].rule == 207
    turn(game, nb.repeal(305))
    assert law(game, "set vote.weight to 2\nprevails over 207") == 307
    assert game.law["vote.weight"].rule == 307


@pytest.mark.rule("discordian-nomic", 211, 108)
def test_b19_both_claim_so_the_number_decides():
    game = sit()
    for _ in range(4):
        idle(game)
    assert law(game, "set vote.weight to 2\nprevails over 207") == 305
    assert game.law["vote.weight"].rule == 305
    idle(game)
    turn(game, nb.amend(207, law="set vote.weight to 1\nprevails over 305"))
    assert game.rules[307].all_versions[0].number == 207
    assert game.law["vote.weight"].rule == 305


@pytest.mark.rule("discordian-nomic", 211, 108)
def test_b19_both_claim_by_the_numbers_of_today():
    game = sit()
    law(game, "set vote.weight to 2\nprevails over 302, 207")
    assert game.law["vote.weight"].rule == 301
    turn(game, nb.amend(207, law="set vote.weight to 1\nprevails over 301"))
    assert game.law["vote.weight"].rule == 301


@pytest.mark.rule("discordian-nomic", 110, 112)
def test_b23_the_kind_of_victory_stays():
    game = sit(terms={"win.points": 20})
    law(game, 'set win.winners to [p for p in playing if p.name == "Ann"]', "Whoever made most rules wins.")
    assert not game.over
    assert "112" in game.rules.void_reason(game.rules[301])
    turn(game, nb.amend(208, "Ten points win.", law="set win.points to 10"), face=6)
    idle(game, face=6)
    idle(game, face=6)
    assert not game.over
    adopt(game, nb.enact("More."))
    game.roll("Ben", 4)
    assert game.winner == "Ben"


@pytest.mark.rule("discordian-nomic", 104, 109)
def test_b25_without_203_the_next_ordinary_vote_asks():
    game = sit()
    turn(game, nb.repeal(203))
    game.propose("Ben", nb.enact("More."))
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    assert "vote.quota" in game.pending[0].prompt or "104" in game.pending[0].prompt
    assert game.pending[0].rule == 104 or "104" in game.pending[0].prompt
    for player in game.players:
        game.choose(player, "2")
    proposal = game.proposals[302]
    ballot(game, against=("Cleo",))
    assert proposal.tally.quota == 2
    assert proposal.outcome == "adopted"


@pytest.mark.rule("discordian-nomic", 109)
def test_b25_without_203_opening_up_still_needs_everybody():
    game = sit()
    turn(game, nb.repeal(203))
    proposal = put(game, nb.transmute(116), against=("Cleo",))
    assert proposal.tally.quota == 3
    assert proposal.outcome == "defeated"


@pytest.mark.rule("discordian-nomic", 202)
def test_c1_an_adoption_and_a_four():
    game = sit("Ann", "Ben")
    turn(game, nb.enact("More."), face=4)
    assert scores(game) == {"Ann": 4, "Ben": 0}
    assert game.player == "Ben"


@pytest.mark.rule("discordian-nomic", 203)
@pytest.mark.parametrize("circuits", [2, 10])
def test_c3_unanimity_stays(circuits):
    game = sit("Ann", "Ben", terms={"win.points": 1000})
    while game.circuit <= circuits:
        defeat(game, nb.enact("No."))
        game.roll(game.player, 1)
    assert game.law["vote.quota"].value == 2
    assert put(game, nb.enact("More."), against=("Ben",)).outcome == "defeated"


@pytest.mark.rule("discordian-nomic", 204, 205)
def test_c5_the_vote_that_ends_the_bonus_still_pays_it():
    game = sit()
    majority(game)
    proposal = turn(game, nb.repeal(204), against=("Cleo",))
    assert proposal.outcome == "adopted"
    assert scores(game)["Cleo"] == 10
    turn(game, nb.enact("More."), against=("Ann",))
    assert scores(game)["Ann"] == 1


@pytest.mark.rule("discordian-nomic", 208, 204)
def test_c7_dissent_wins_in_another_players_turn():
    game = sit()
    majority(game)
    law(game, "set throw.points to 95 while face == 5", face=5)
    idle(game)
    proposal = put(game, nb.enact("More."), against=("Ben",))
    assert proposal.outcome == "adopted"
    assert game.player == "Ann" or game.over
    assert scores(game)["Ben"] == 105
    assert game.winner == "Ben"
    assert waiting_for(game, "roll") == []  # the die is not thrown any more
    assert scores(game)["Ann"] == 1


@pytest.mark.rule("discordian-nomic", 208)
def test_c9_more_than_enough_is_enough():
    game = sit("Ann", "Ben")
    law(game, "set throw.points to 97 while face == 1", face=1)
    idle(game, face=2)
    adopt(game, nb.enact("More."))
    game.roll("Ann", 6)
    assert scores(game)["Ann"] == 103
    assert game.winner == "Ann"


@pytest.mark.rule("discordian-nomic", 112)
def test_c9_exactly_enough_can_be_made_the_law():
    game = sit("Ann", "Ben")
    number = open_up(game, 112)
    turn(game, nb.amend(number, "Exactly n.", law="set win.winners to [p for p in playing if p.points == win.points]"))
    law(game, "set throw.points to 97 while face == 1", face=2)
    idle(game, face=1)
    law(game, "set defeat.points to -3\nprevails over 206", face=6)
    assert scores(game)["Ben"] == 98
    turn(game, nb.enact("More."), face=6)
    assert scores(game)["Ben"] == 104
    assert not game.over


@pytest.mark.rule("discordian-nomic", 201)
def test_c11_nobody_is_skipped_and_no_throw_left_out():
    game = sit()
    adopt(game, nb.enact("More."))
    with refused(game, "no-skipping", rule=201, opens="Ann: roll"):
        game.skip("Ann")
    with refused(game, "turn-of-another", opens="Ann: roll"):
        game.propose("Ben", nb.enact("Mine."))
    game.roll("Ann", 1)
    with refused(game, "turn-of-another", opens="Ben: propose"):
        game.propose("Cleo", nb.enact("Ben sleeps."))
    with refused(game, "no-skipping", rule=201):
        game.skip("Ben")


@pytest.mark.rule("discordian-nomic", 205, "P7")
def test_c13_sixes_count_zero_at_once():
    game = sit()
    law(game, "set throw.points to 0 while face == 6", "Sixes count zero.", face=6)
    assert scores(game)["Ann"] == 0
    idle(game, face=5)
    assert scores(game)["Ben"] == 5


@pytest.mark.rule("discordian-nomic", "P8")
def test_d1_a_dummy_has_no_turn():
    game = sit("Ann", "Ben")
    law(game, DUMMY)
    order = []
    for _ in range(5):
        order.append(game.player)
        put(game, nb.enact("More."))
        game.roll(game.player, 1)
    assert order == ["Ben", "Ann", "Ben", "Ann", "Ben"]


@pytest.mark.rule("discordian-nomic", "P8", 204)
def test_d3_the_dummy_tips_the_scales():
    outcomes = set()
    for seed in range(12):
        game = sit("Ann", "Ben", seed=seed)
        majority(game)
        law(game, DUMMY)
        before = scores(game)
        proposal = put(game, nb.enact("More."), against=("Ben",))
        yes = proposal.ballots["D"] == "for"
        assert proposal.outcome == ("adopted" if yes else "defeated")
        assert (proposal.tally.votes_for, proposal.tally.votes_against) == ((2, 1) if yes else (1, 2))
        assert scores(game)["Ben"] - before["Ben"] == (10 if yes else 0)
        assert scores(game)["Ann"] - before["Ann"] == (0 if yes else -10)
        outcomes.add(proposal.outcome)
    assert outcomes == {"adopted", "defeated"}


@pytest.mark.rule("discordian-nomic", "P8")
def test_d5_three_dummies_agree_against_one_time_in_eight():
    assert comb(3, 3) / 2**3 == 1 / 8
    names = ("D", "E", "F")
    clauses = "\n".join(
        f'on enacted when rule == this: enter player "{name}" as dummy\n'
        f'on vote_opened: roll 1 of 6 as face; cast "for" if face >= 4 else "against" for "{name}"'
        for name in names
    )
    game = sit("Ann", "Ben", seed=5, terms={"win.points": 100000})
    law(game, clauses)
    votes = []
    for _ in range(64):
        proposal = put(game, nb.enact("More."), against=("Ann", "Ben"))
        votes.append(tuple(proposal.ballots[name] for name in names))
        game.roll(game.player, 1)
    assert 2 <= sum(vote == ("against",) * 3 for vote in votes) <= 16  # 8 are to be expected
    assert 20 <= sum(vote[0] == "against" for vote in votes) <= 44
    assert len(set(votes)) == 8


@pytest.mark.rule("discordian-nomic", 212)
@pytest.mark.parametrize("system", ["discordian-nomic", "cabinet-nomic"])
def test_f1_the_one_before_whoever_is_on_turn_is_judge_and_play_stops(system):
    game = sit(system=system)
    idle(game)
    game.invoke_judgment("Cleo", "May Ben whistle?")
    assert game.judgments[1].judge == "Ann"
    assert waiting_for(game, "rule_on") == ["Ann"]
    assert all("May Ben whistle?" in decision.prompt for decision in game.pending)
    assert all(decision.rule == 212 for decision in game.pending)
    with refused(game, "judgment-open", question="May Ben whistle?", rule=212, opens="rule_on"):
        game.propose("Ben", nb.enact("More."))
    for nobody in ("Ben", "Cleo"):
        with refused(game, "not-the-judge", judge="Ann", rule=212):
            game.rule_on(nobody, "I say so.")
    game.rule_on("Ann", "No.", "Ben would disturb Cleo.", rests_on=[116])
    game.overrule("Cleo", "against")
    assert game.judgments[1].status == "stands"
    assert waiting_for(game, "propose") == ["Ben"]


@pytest.mark.rule("discordian-nomic", 212)
def test_f1_without_a_judge_everyone_is_asked():
    game = sit()
    turn(game, nb.repeal(212))
    game.invoke_judgment("Cleo", "May Ben whistle?")
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    assert all("May Ben whistle?" in decision.prompt for decision in game.pending)
    with refused(game, "question-open", opens="choose"):
        game.propose("Ben", nb.enact("More."))
    for player in game.players:
        game.choose(player, "no")
    assert waiting_for(game, "propose") == ["Ben"]


def ruled_on_bens_turn(**more):
    """Ben is on turn, Cleo insists, and Ann has ruled."""
    game = sit(**more)
    idle(game)
    game.invoke_judgment("Cleo", "May Ben whistle?")
    game.rule_on("Ann", "No.")
    return game


@pytest.mark.rule("cabinet-nomic", 212)
def test_f3_all_the_others_overrule_and_the_one_before_is_judge():
    game = ruled_on_bens_turn(system="cabinet-nomic")
    assert waiting_for(game, "overrule") == ["Ben", "Cleo"]
    with refused(game, "no-say-in-overruling", opens="overrule"):
        game.overrule("Ann", "against")
    game.overrule("Ben", "for")
    assert game.judgments[1].judge == "Ann"  # one of two is not enough
    assert game.judgments[1].status == "ruled"
    with refused(game, "overruling-voted", opens="Cleo: overrule"):
        game.overrule("Ben", "against")
    game.overrule("Cleo", "for")
    assert game.judgments[1].judge == "Cleo"  # before Ann
    assert game.judgments[1].ruling is None
    game.rule_on("Cleo", "Yes.")
    game.overrule("Ann", "for")
    game.overrule("Ben", "for")
    assert game.judgments[1].judge is None  # Ben is on turn, and the others were overruled
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]


@pytest.mark.rule("cabinet-nomic", 212)
def test_f3_one_against_keeps_the_judge():
    game = ruled_on_bens_turn(system="cabinet-nomic")
    game.overrule("Ben", "for")
    game.overrule("Cleo", "against")
    assert (game.judgments[1].judge, game.judgments[1].status) == ("Ann", "stands")


@pytest.mark.rule("cabinet-nomic", 212)
def test_f5_once_the_next_turn_has_begun_it_is_too_late_to_overrule():
    game = sit(system="cabinet-nomic")
    law(game, "set judge.play_waits to false")  # so that play goes on before all have voted
    game.invoke_judgment("Cleo", "May Ben whistle?")
    game.rule_on("Ann", "No.", orders='award 3 points to "Cleo"')
    game.overrule("Ben", "for")
    game.consent("Ann")
    game.consent("Ben")
    idle(game)
    agree(game)
    assert (game.player, game.judgments[1].judge, game.judgments[1].status) == ("Cleo", "Ann", "stands")
    assert scores(game)["Cleo"] == 3
    with refused(game, "judgment-too-late", rule=212):
        game.overrule("Cleo", "for")


@pytest.mark.rule("discordian-nomic", 212, "K7")
def test_f7_one_of_two_does_not_overrule_and_the_threshold_is_said_to_be_imported():
    game = ruled_on_bens_turn()
    game.overrule("Ben", "for")
    game.overrule("Cleo", "against")
    assert (game.judgments[1].judge, game.judgments[1].status) == ("Ann", "stands")
    upheld = game.history[game.history["kind"] == "upheld"].iloc[-1]
    assert "1 of 2 for overruling" in upheld["what"]
    assert upheld["rule"] == "K7" or str(upheld["rule"]) == "K7"
    assert "imported" in game.rules["K7"].title
    assert "other versions" in " ".join(game.rules["K7"].notes)


@pytest.mark.rule("discordian-nomic", 212)
def test_the_next_turn_waits_for_the_consent_of_most_of_the_others():
    game = ruled_on_bens_turn()
    game.overrule("Cleo", "against")
    idle(game)
    assert game.player is None
    assert waiting_for(game, "consent") == ["Ann", "Ben", "Cleo"]
    with refused(game, "nothing-owed"):
        game.propose("Cleo", nb.enact("More."))
    game.consent("Cleo")  # her own says nothing
    game.consent("Ann")
    game.consent("Ben", "against")
    assert game.player is None
    game.consent("Ben")
    assert game.player == "Cleo"
    assert game.pending[0].action == "propose"


@pytest.mark.rule("github-nomic", -102)
def test_f9_nobody_begins_a_turn_without_the_consent_of_most_of_the_others():
    game = sit(system="github-nomic")
    game.begin_turn("Ann")
    game.invoke_judgment("Ben", "Is this a turn?")
    assert waiting_for(game, "choose") == ["Ann"]  # whose turn it is asks anyone else to be Judge
    assert game.pending[0].options == ("Ben", "Cleo")
    game.choose("Ann", "Cleo")
    game.rule_on("Cleo", "It is.")
    game.overrule("Ben", "against")
    for player in ("Ben", "Cleo"):  # neither has a turn open
        with refused(game, "judgment-without-consent", rule=-102):
            game.begin_turn(player)
    game.consent("Cleo")
    game.consent("Ben")
    with refused(game, "judgment-without-consent", rule=-102):
        game.begin_turn("Ben")  # one of the two others
    game.consent("Ann")
    game.begin_turn("Ben")
    assert [turn.player for turn in game.state.turns] == ["Ann", "Ben"]
    game.begin_turn("Cleo")  # the judgment was about a turn that was the last to begin then


@pytest.mark.rule("github-nomic", -102)
def test_the_overruled_judge_asks_the_next_one():
    game = sit("Ann", "Ben", "Cleo", "Dov", system="github-nomic")
    game.begin_turn("Ann")
    game.invoke_judgment("Ann", "Is this a turn?")
    game.choose("Ann", "Cleo")
    game.rule_on("Cleo", "It is not.")
    for player in ("Ann", "Ben", "Dov"):
        game.overrule(player, "for")
    assert waiting_for(game, "choose") == ["Cleo"]
    assert game.pending[0].options == ("Ben", "Dov")
    game.choose("Cleo", "Dov")
    assert game.judgments[1].judge == "Dov"


@pytest.mark.rule("discordian-nomic", 212)
def test_f11_an_old_ruling_does_not_bind_and_both_are_side_by_side():
    game = sit()
    game.invoke_judgment("Cleo", "May Ben whistle?")
    assert judged(game, "Yes.", rests_on=[116]).judge == "Cleo"
    idle(game)
    game.invoke_judgment("Cleo", "May Ben whistle?")
    assert judged(game, "No.", rests_on=[116]).judge == "Ann"
    assert [one.status for one in game.judgments] == ["stands", "stands"]
    assert [(id, ruling.text) for id, ruling in game.judgments.related_rulings(game.judgments[2])] == [(1, "Yes.")]
    assert "Beside judgment 1, by Cleo: Yes." in str(game.judgments)
    assert [one.id for one in game.judgments.resting_on(game.rules[116])] == [1, 2]
    assert list(game.judgments.frame["ruling"]) == ["Yes.", "No."]


@pytest.mark.rule("discordian-nomic", 212)
def test_the_same_judge_settles_all_questions_until_the_next_turn():
    game = sit()
    turn(game, nb.amend(201, law='set turn.sequence to seats\nset turn.start to "automatic"\nforbid skip'))
    game.invoke_judgment("Cleo", "May Ben whistle?")
    judged(game)
    game.invoke_judgment("Ben", "Is Ann rightly the Judge?")
    assert [one.judge for one in game.judgments] == ["Ann", "Ann"]
    judged(game)
    idle(game)
    game.invoke_judgment("Ben", "And now?")
    assert game.judgments[3].judge == "Ben"


@pytest.mark.rule("discordian-nomic", 213, 208)
def test_f13_a_move_as_legal_as_illegal_ends_play():
    game = ruled_on_bens_turn()
    game.undo()
    game.rule_on("Ann", "It is as legal as illegal.", "101 and 301 cannot be told apart.", [101, 301], "end play")
    game.overrule("Ben", "for")
    assert not game.over
    game.overrule("Cleo", "against")
    assert game.over
    assert game.winner == "Ben"  # whose turn it was, with no points at all
    assert scores(game)["Ben"] == 0
    assert "213" in game.result


@pytest.mark.rule("discordian-nomic", 213)
def test_f13_an_overruled_judge_ends_nothing():
    game = ruled_on_bens_turn()
    game.undo()
    game.rule_on("Ann", "It is as legal as illegal.", orders="end play")
    game.overrule("Ben", "for")
    game.overrule("Cleo", "for")
    game.rule_on("Cleo", "It is legal.")
    game.overrule("Ann", "against")
    assert not game.over
    assert waiting_for(game, "propose") == ["Ben"]


@pytest.mark.rule("discordian-nomic", 110, 212)
def test_b17_a_conflict_that_a_judge_finds_makes_a_rule_void():
    game = sit()
    number = law(game, "set throw.points to 6", "Players need not obey immutable rules.")
    assert game.law["throw.points"].rule == number
    game.invoke_judgment("Cleo", "Is that in keeping with 101?")
    order = f"void rule_numbered({number}) against rule_numbered(101)"
    game.rule_on("Ann", "It is not.", rests_on=[101, 110, number], orders=order)
    assert not game.rules.void_reason(game.rules[number])  # it can still be overruled
    game.overrule("Ben", "against")
    reason = game.rules.void_reason(game.rules[number])
    assert "110" in reason
    assert "101" in reason
    assert number in numbers(game, "mutable")
    assert game.law["throw.points"].rule != number


def a_lively_game():
    game = sit("Ann", "Ben", "Cleo", seed=21, terms={"win.points": 60})
    majority(game)
    law(game, DUMMY.replace("D", "Dov"))
    game.say("Cleo", "Here we go.")
    defeat(game, nb.enact("No."))
    game.roll("Cleo")
    game.propose("Ann", nb.enact("Hm."), debate=True)
    game.revise("Ann", nb.enact("A bigger die.", law="set dice.sides to 12\nprevails over everything"))
    game.call_vote("Ann")
    ballot(game, against=("Ben",))
    game.roll("Ann")
    game.invoke_judgment("Ben", "Is twelve a lot?")
    game.rule_on("Ann", "It is.", "Six is not.", orders='award 1 points to "Cleo"')
    game.overrule("Ben", "for")
    game.overrule("Cleo", "for")
    judged(game, "It is not.", orders='announce "Twelve is fine."')
    put(game, nb.transmute(113))
    game.roll("Ben")
    game.forfeit("Cleo")
    return game


@pytest.mark.rule("discordian-nomic", 108)
def test_i1_replay_gives_the_same_everything(tmp_path):
    game = a_lively_game()
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert again.state.digest() == game.state.digest()
    assert again.history.equals(game.history)
    assert again.rules.frame.equals(game.rules.frame)
    assert scores(again) == scores(game)
    again.save(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "game.jsonl").read_bytes()


def test_i1_the_same_seed_and_deeds_give_the_same_game():
    assert a_lively_game().state.digest() == a_lively_game().state.digest()


def test_i1_replayed_at_every_step(tmp_path):
    game = sit(seed=4)
    path = tmp_path / "game.jsonl"
    changes = [
        nb.library.simple_majority().change(203),
        nb.repeal(206),
        nb.amend(208, "Less.", law="set win.points to 90"),
    ]
    for change in changes:
        for step in (
            lambda change=change: game.propose(game.player, change),
            lambda: ballot(game),
            lambda: game.roll(game.player),
        ):
            step()
            game.save(path)
            assert nb.load(path).state.digest() == game.state.digest()


def test_i1_play_goes_on_alike_after_loading(tmp_path):
    game = a_lively_game()
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    for one in (game, again):
        put(one, nb.enact("Goes on."))
        one.roll(one.player)
    assert again.state.digest() == game.state.digest()


@pytest.mark.rule("discordian-nomic", 108)
def test_i2_the_history_of_a_rule_says_how_it_came_about():
    game = sit()
    majority(game)
    turn(
        game,
        nb.amend(206, "Three.", law="set defeat.points to -3\non defeated: award defeat.points to proponent"),
        ("Cleo",),
    )
    turn(game, nb.transmute(302))
    turn(game, nb.enact("More."))
    versions = game.rules.versions
    mine = versions[versions["id"] == game.rules[303].id]
    assert list(mine["number"]) == [206, 302, 303]
    assert list(mine["how"]) == ["initial", "amended", "transmuted"]
    assert list(mine["proposal"])[1:] == [302, 303]
    assert list(mine["author"])[1:] == ["Ben", "Cleo"]
    assert list(mine["votes_for"])[1:] == [2, 3]
    assert list(mine["votes_against"])[1:] == [1, 0]
    assert list(mine["turn"]) == [0, 2, 3]
    assert list(mine["event"]) == sorted(mine["event"])
    for rule in game.rules:
        assert set(versions[versions["number"] == rule.number]["how"]) <= {
            "initial",
            "amended",
            "transmuted",
            "enacted",
        }
        assert (versions["number"] == rule.number).any()
    assert not versions["how"].isna().any()


@pytest.mark.rule("discordian-nomic", 116)
def test_i3_nothing_but_a_proposal_changes_a_rule():
    game = sit()
    book = [(rule.number, rule.wording, rule.law) for rule in game.rules]
    game.act("Ann", "crosses out rule 206")
    game.say("Ben", "Rule 206 is gone.")
    game.report("Cleo", "Ben", "crossing out 206")
    by_hand(game, "Cleo", 'award -1 points to "Ben"', 210)
    game.invoke_judgment("Ben", "Is rule 206 gone?")
    with refused(game, "judge-cannot", what="repeal"):
        game.rule_on("Cleo", "It is.", orders="repeal rule_numbered(206)")
    judged(game, "It is.", rests_on=[206])
    game.propose("Ann", nb.repeal(206))
    for wrong in (AttributeError, TypeError):
        try:
            game.rules[206].wording = "Defeat is free."
        except wrong:
            break
    else:
        pytest.fail("a rule's wording could be set")
    with pytest.raises((AttributeError, TypeError)):
        game.rules[206] = game.rules[207]
    frame = game.rules.frame
    frame.loc[206, "wording"] = "Defeat is free."
    assert [(rule.number, rule.wording, rule.law) for rule in game.rules] == book


@pytest.mark.rule("discordian-nomic", 116)
@pytest.mark.parametrize(
    "effect",
    [
        "repeal item([r for r in rules if r.number == 206], 1)",
        "transmute item([r for r in rules if r.number == 113], 1)",
    ],
)
def test_i3_applying_a_rule_changes_no_rule(effect):
    game = sit()
    with refused(game, "people-cannot"):
        game.apply("Ann", 210, effect)


@pytest.mark.rule("discordian-nomic", 116)
def test_i5_a_rule_only_people_can_keep():
    game = sit()
    adopt(game, nb.enact("Players smile while voting."))
    shown = game.rules[301]._repr_html_()
    assert "Players smile while voting." in shown
    assert "people apply this rule" in shown
    by_hand(game, "Ben", 'award -5 points to "Cleo"', 301)
    entry = list(game.ledger)[-1]
    assert (entry.player, entry.amount, entry.rule) == ("Cleo", -5, 301)
    assert "301" in game.history.iloc[-1]["what"] or 301 in list(game.history["rule"].tail(2))


def test_i6_sums_and_winners_are_the_same_after_a_save(tmp_path):
    game = sit("Ann", "Ben", terms={"win.points": 12})
    law(game, "set throw.points to face / 4", face=3)
    idle(game, face=2)
    game.save(tmp_path / "game.jsonl")
    again = nb.load(tmp_path / "game.jsonl")
    assert list(again.scores.items()) == list(game.scores.items())
    assert str(game.scores["Ann"]) == "3/4"
    assert again.law["vote.quota"].value == game.law["vote.quota"].value
    for one in (game, again):
        for face in (6, 1, 6):
            turn(one, nb.enact("More."), face=face)
        adopt(one, nb.enact("Ten.", law='on enacted when rule == this: award 10 points to "Ann"'))
    assert again.winner == game.winner == "Ann"
    assert again.over
    game.save(tmp_path / "over.jsonl")
    assert nb.load(tmp_path / "over.jsonl").winner == "Ann"
