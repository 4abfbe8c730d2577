"""Rules 101 to 116 in play."""

import pytest
import refusals
from play_helpers import (
    adopt,
    agree,
    asks,
    ballot,
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


@pytest.mark.rule("discordian-nomic", 101)
def test_the_initial_set_is_in_force_at_the_start():
    game = sit()
    numbers = [rule.number for rule in game.rules if rule.tier in ("immutable", "mutable")]
    assert numbers == [*range(101, 117), *range(201, 214)]
    assert all(rule.wording for rule in game.rules)


@pytest.mark.rule("discordian-nomic", 101)
def test_a_rule_binds_in_the_form_it_has_now():
    game = sit()
    turn(game, nb.amend(206, "Defeat costs three points.", law="set defeat.points to -3"), face=1)
    defeat(game, nb.enact("No."))
    assert scores(game)["Ben"] == 0  # what 206 did is no longer said by any clause
    game.roll("Ben", 1)
    law(game, "on defeated: award defeat.points to proponent", face=1)
    defeat(game, nb.enact("No."))
    assert scores(game)["Ann"] == 1 - 3


@pytest.mark.rule("discordian-nomic", 101)
def test_even_101_can_be_changed():
    game = sit()
    number = open_up(game, 101)
    adopt(game, nb.amend(number, "Players obey the rules when they feel like it."))
    assert game.rules[302].wording.startswith("Players obey")
    assert waiting_for(game, "roll") == ["Ben"]


@pytest.mark.rule("discordian-nomic", 102)
def test_standing_does_not_follow_from_the_number():
    game = sit()
    turn(game, nb.transmute(112))
    turn(game, nb.transmute(208))
    assert game.rules[301].tier == "mutable"
    assert game.rules[302].tier == "immutable"
    with refused(game, "not-proposable", target=302, tier="immutable", rule=103):
        game.propose("Cleo", nb.amend(302, "Fewer points are enough."))
    turn(game, nb.amend(301, "To win is to have points."))
    assert game.rules[303].tier == "mutable"


@pytest.mark.rule("discordian-nomic", 102)
def test_the_numbers_tell_the_standing_at_the_start():
    for rule in sit().rules:
        if isinstance(rule.number, int):
            assert rule.tier == ("immutable" if rule.number < 200 else "mutable")


@pytest.mark.rule("discordian-nomic", 103)
@pytest.mark.parametrize(
    "change",
    [nb.enact("More."), nb.amend(210, "Whisper."), nb.repeal(210), nb.transmute(210), nb.transmute(113)],
    ids=lambda change: change.headline,
)
def test_the_kinds_of_rule_change(change):
    game = sit()
    adopt(game, change)
    assert 301 in game.rules or change.headline.startswith("repeal")


@pytest.mark.rule("discordian-nomic", 103)
@pytest.mark.parametrize("change", [nb.amend(112, "Win by cake."), nb.repeal(112), nb.amend(112, "Too.", add=True)])
def test_an_immutable_rule_is_not_amended_or_repealed(change):
    game = sit()
    with refused(game, "not-proposable", target=112, tier="immutable", rule=103) as caught:
        game.propose("Ann", change)
    assert caught.value.options


@pytest.mark.rule("discordian-nomic", 103)
def test_what_is_enacted_is_mutable():
    game = sit()
    adopt(game, nb.enact("This rule is immutable."))
    assert game.rules[301].tier == "mutable"


@pytest.mark.rule("discordian-nomic", 103)
def test_no_rule_is_immune():
    game = sit("Ann", "Ben")
    turn(game, nb.repeal(209))
    for number in range(101, 117):
        proposal = turn(game, nb.transmute(number))
        assert proposal.outcome == "adopted"
    assert not any(rule.tier == "immutable" for rule in game.rules)


@pytest.mark.rule("discordian-nomic", 103)
def test_an_amendment_is_amended_on_its_own():
    game = sit()
    turn(game, nb.amend(210, "Plans are made aloud.", add=True))
    turn(game, nb.amend(301, "Plans are sung.", part=1))
    wording = game.rules[302].wording
    assert "Plans are sung." in wording
    assert "plot together" in wording
    assert "aloud" not in wording


@pytest.mark.rule("discordian-nomic", 103)
def test_repealing_an_amendment_brings_back_what_it_hid():
    game = sit()
    before = game.rules[206].wording, game.rules[206].law
    turn(game, nb.amend(206, "Defeat is free.", law=""))
    assert game.rules[301].wording == "Defeat is free."
    defeat(game, nb.enact("No."))
    assert scores(game)["Ben"] == 0
    game.roll("Ben", 1)
    turn(game, nb.repeal(301, part=1))
    assert (game.rules[303].wording, game.rules[303].law) == before
    defeat(game, nb.enact("No."))
    assert scores(game)["Ann"] == 1 - 10


@pytest.mark.rule("discordian-nomic", 103)
def test_an_amendment_beside_leaves_the_old_clauses_at_work():
    game = sit()
    turn(
        game,
        nb.amend(206, "It costs the others one point, too.", law="on defeated: award -1 points to playing", add=True),
    )
    defeat(game, nb.enact("No."))
    assert scores(game) == {"Ann": 0, "Ben": -11, "Cleo": -1}


@pytest.mark.rule("discordian-nomic", 103)
def test_an_amendment_that_is_not_there_is_refused():
    game = sit()
    for change in (nb.repeal(210, part=1), nb.amend(210, "Sing.", part=3)):
        with refused(game, "amendment-unknown", rule=210):
            game.propose("Ann", change)


@pytest.mark.rule("discordian-nomic", 103)
def test_an_amendment_of_a_rule_made_immutable_is_immutable():
    game = sit()
    turn(game, nb.amend(210, "Plans are made aloud.", add=True))
    turn(game, nb.transmute(301))
    with refused(game, "not-proposable", target=302, tier="immutable", rule=103):
        game.propose("Cleo", nb.repeal(302, part=1))


@pytest.mark.rule("discordian-nomic", 104)
@pytest.mark.parametrize(
    ("against", "outcome"),
    [((), "adopted"), (("Cleo",), "defeated"), (("Ann",), "defeated"), (("Ann", "Ben", "Cleo"), "defeated")],
)
def test_a_proposal_is_adopted_if_it_has_the_votes_and_only_then(against, outcome):
    game = sit()
    proposal = put(game, nb.enact("More."), against)
    assert proposal.outcome == outcome
    assert (301 in game.rules) == (outcome == "adopted")
    assert proposal.tally.votes_for == 3 - len(against)
    assert proposal.tally.votes_against == len(against)


@pytest.mark.rule("discordian-nomic", 104)
def test_a_proposal_cannot_be_passed_over_without_a_vote():
    game = sit()
    game.propose("Ann", nb.enact("More."))
    with refused(game, "nothing-to-throw", opens="vote"):
        game.roll("Ann")
    with refused(game, "nothing-owed", opens="vote"):
        game.propose("Ann", nb.enact("Something else."))
    with refused(game, "turn-of-another", opens="vote"):
        game.propose("Ben", nb.enact("Something else."))
    with refused(game, "no-skipping", opens="vote"):
        game.skip("Ann")


@pytest.mark.rule("discordian-nomic", 104)
def test_the_verdict_says_what_was_counted():
    game = sit()
    proposal = put(game, nb.enact("More."), against=("Cleo",))
    assert proposal.tally.quota == 3
    for part in ("2 for", "1 against", "3", "203"):
        assert part in proposal.tally.verdict
    assert "Failed" in proposal.tally.verdict


@pytest.mark.rule("discordian-nomic", 105)
def test_a_vote_is_open_until_all_have_voted():
    game = sit()
    proposal = game.propose("Ann", nb.enact("More."))
    for voter in ("Cleo", "Ann"):
        game.vote(voter, "for")
        assert proposal.outcome == "open"
    assert proposal.tally.not_voted == ("Ben",)
    assert "Ben" in proposal.tally.verdict
    with refused(game, "everyone-must-vote", players=("Ben",), rule=105, opens="Ben: vote"):
        game.close_vote("Ann")
    game.vote("Ben", "for")
    assert proposal.outcome == "adopted"


@pytest.mark.rule("discordian-nomic", 105)
def test_the_vote_goes_on_though_it_is_decided():
    game = sit()
    proposal = game.propose("Ann", nb.enact("More."))
    game.vote("Ben", "against")
    assert proposal.outcome == "open"
    assert waiting_for(game, "vote") == ["Ann", "Cleo"]


@pytest.mark.rule("discordian-nomic", 105)
def test_there_is_no_abstaining():
    game = sit()
    game.propose("Ann", nb.enact("More."))
    with refused(game, "not-one-of") as caught:
        game.vote("Ben", "abstain")
    assert {"for", "against"} <= set(caught.value.options)
    assert all(decision.must for decision in game.pending)


@pytest.mark.rule("discordian-nomic", 106)
def test_the_text_is_frozen_when_the_vote_opens():
    game = sit()
    proposal = game.propose("Ann", nb.enact("More.", law="set dice.sides to 8"))
    game.vote("Ben", "for")
    with refused(game, "nothing-debated", opens="vote"):
        game.revise("Ann", nb.enact("Less.", law="set dice.sides to 2"))
    ballot(game)
    assert proposal.outcome == "adopted"
    assert game.rules[301].wording == "More."
    assert game.rules[301].law == "set dice.sides to 8"


@pytest.mark.rule("discordian-nomic", 106)
def test_a_change_needs_wording():
    for wording in ("", "  \n "):
        with refusals.refused("wording-missing"):
            nb.enact(wording)


@pytest.mark.rule("discordian-nomic", 107)
def test_nothing_works_before_the_vote_is_complete():
    game = sit()
    game.propose(
        "Ann", nb.enact("From now on, and from yesterday.", law="set defeat.points to -99\nset dice.sides to 8")
    )
    for voter in ("Ann", "Ben"):
        game.vote(voter, "for")
        assert game.law["dice.sides"].value == 6
    game.vote("Cleo", "for")
    assert game.law["dice.sides"].value == 8


@pytest.mark.rule("discordian-nomic", 107)
def test_the_past_stays_as_it_was():
    game = sit()
    idle(game, face=6)
    before = game.ledger.frame.copy()
    said = list(game.history["what"])
    law(game, "set throw.points to face * 100", "All throws, past ones too, count a hundredfold.", face=1)
    assert game.ledger.frame.iloc[: len(before)].equals(before)
    assert list(game.history["what"])[: len(said)] == said
    assert scores(game)["Ann"] == 6


@pytest.mark.rule("discordian-nomic", 108)
def test_numbers_begin_with_301_and_go_on_whatever_the_vote():
    game = sit()
    numbers = [turn(game, nb.enact("More."), against=against).number for against in (("Ann",), (), ("Ben",), ())]
    assert numbers == [301, 302, 303, 304]
    assert {302, 304} <= {rule.number for rule in game.rules}
    assert 301 not in game.rules
    assert 303 not in game.rules


@pytest.mark.rule("discordian-nomic", 108)
def test_a_changed_rule_takes_the_number_of_the_proposal():
    game = sit()
    turn(
        game, nb.amend(209, "There may be thirty.", law='require count(r for r in rules if r.tier == "mutable") <= 30')
    )
    turn(game, nb.transmute(301))
    rule = game.rules[302]
    assert [version.number for version in rule.all_versions] == [209, 301, 302]
    assert [version.how for version in rule.all_versions] == ["initial", "amended", "transmuted"]
    for old in (209, 301):
        with refusals.refused("rule-renumbered", KeyError, now=302):
            game.rules[old]
        with refused(game, "rule-renumbered", now=302, rule=old):
            game.propose(game.player, nb.repeal(old))


@pytest.mark.rule("discordian-nomic", 108)
def test_a_rule_enacted_again_has_the_number_of_the_new_proposal():
    game = sit()
    wording, clauses = game.rules[206].wording, game.rules[206].law
    turn(game, nb.repeal(206))
    assert 206 not in game.rules
    turn(game, nb.enact(wording, law=clauses))
    assert game.rules[302].wording == wording
    defeat(game, nb.enact("No."))
    assert scores(game)["Cleo"] == -10


@pytest.mark.rule("discordian-nomic", 108)
def test_amending_an_amendment_renumbers_the_whole_rule():
    game = sit()
    turn(game, nb.amend(210, "Plans are made aloud.", add=True))
    turn(game, nb.amend(301, "Plans are sung.", part=1))
    assert 301 not in game.rules
    turn(game, nb.repeal(302, part=1))
    assert 302 not in game.rules
    assert "plot together" in game.rules[303].wording
    assert "sung" not in game.rules[303].wording


@pytest.mark.rule("discordian-nomic", 109)
def test_opening_up_an_immutable_rule_needs_everybody():
    game = sit()
    majority(game)
    proposal = turn(game, nb.transmute(112), against=("Cleo",))
    assert proposal.outcome == "defeated"
    assert proposal.tally.quota == 3
    assert "109" in proposal.tally.verdict
    assert game.rules[112].tier == "immutable"
    assert turn(game, nb.transmute(112)).outcome == "adopted"


@pytest.mark.rule("discordian-nomic", 109)
def test_closing_a_mutable_rule_needs_no_more_than_any_change():
    game = sit()
    majority(game)
    proposal = turn(game, nb.transmute(208), against=("Cleo",))
    assert proposal.outcome == "adopted"
    assert game.rules[302].tier == "immutable"


@pytest.mark.rule("discordian-nomic", 109)
def test_a_mutable_rule_cannot_make_it_easier():
    game = sit()
    law(game, "set vote.quota to 1\nprevails over everything")
    proposal = turn(game, nb.transmute(112), against=("Cleo",))
    assert proposal.outcome == "defeated"
    assert proposal.tally.quota == 3


@pytest.mark.rule("discordian-nomic", 110)
def test_a_mutable_rule_that_contradicts_an_immutable_one_is_void():
    game = sit()
    law(game, "set vote.duty to false\nset dice.sides to 20")
    rule = game.rules[301]
    assert "105" in game.rules.void_reason(rule)
    assert "110" in game.rules.void_reason(rule)
    assert game.rules.frame.loc[301, "void"]
    assert game.law["vote.duty"].value is True
    assert game.law["dice.sides"].value == 6  # wholly void


@pytest.mark.rule("discordian-nomic", 110)
def test_a_void_rule_counts_towards_the_limit():
    game = sit(terms={"win.points": 1000})
    law(game, "set vote.duty to false")
    for _ in range(11):
        idle(game)
    assert put(game, nb.enact("One too many.")).outcome == "without effect"


@pytest.mark.rule("discordian-nomic", 110)
def test_a_void_rule_works_again_when_the_clash_is_gone():
    game = sit()
    law(game, "set vote.duty to false")
    open_up(game, 105)
    assert not game.rules.void_reason(game.rules[301])
    assert game.law["vote.duty"].value is False
    assert game.law["vote.duty"].rule == 301


@pytest.mark.rule("discordian-nomic", 110)
def test_claiming_precedence_does_not_help_against_an_immutable_rule():
    game = sit()
    law(game, "set vote.duty to false\nprevails over everything")
    assert game.law["vote.duty"].value is True
    law(game, "forbid forfeit\nprevails over 113")
    game.forfeit("Cleo")
    assert "Cleo" not in game.law["turn.sequence"].value


@pytest.mark.rule("discordian-nomic", 110)
def test_transmuting_is_never_implied():
    game = sit()
    adopt(game, nb.enact("Rule 113 is mutable from now on, and is repealed at once."))
    assert game.rules[113].tier == "immutable"
    game.roll("Ann", 1)
    with refused(game, "not-proposable", rule=103):
        game.propose("Ben", nb.repeal(113))


@pytest.mark.rule("discordian-nomic", 110)
def test_proposing_to_transmute_is_no_clash():
    game = sit()
    proposal = game.propose("Ann", nb.transmute(110))
    assert proposal.outcome == "open"
    ballot(game)
    assert proposal.outcome == "adopted"
    assert game.rules[301].tier == "mutable"


@pytest.mark.rule("discordian-nomic", 111)
def test_the_proponent_holds_back_and_rewrites_and_calls():
    game = sit()
    proposal = game.propose("Ann", nb.enact("Vague."), debate=True)
    assert proposal.outcome == "debate"
    assert proposal.tally is None
    game.say("Ben", "That is vague.")
    game.revise("Ann", nb.enact("Clear as day."))
    assert (proposal.number, proposal.wording) == (301, "Clear as day.")
    game.call_vote("Ann")
    assert proposal.outcome == "open"
    ballot(game)
    assert game.rules[301].wording == "Clear as day."


@pytest.mark.rule("discordian-nomic", 111)
def test_nobody_but_the_proponent_ends_the_debate_or_settles_the_form():
    game = sit()
    game.propose("Ann", nb.enact("Vague."), debate=True)
    with refused(game, "debate-not-yours", rule=111, opens="Ann: call_vote"):
        game.call_vote("Ben")
    with refused(game, "debate-not-yours", rule=111, opens="Ann"):
        game.revise("Cleo", nb.enact("Mine."))
    with refused(game, "no-vote-open"):
        game.vote("Ben", "against")


@pytest.mark.rule("discordian-nomic", 111)
@pytest.mark.parametrize(
    "change",
    [
        nb.enact("This rule is false."),
        nb.enact("Red is blue. Also the die has 8 sides. Also 206 is gone."),
        nb.enact("Hm."),
        nb.enact("Nobody may ever do anything."),
    ],
)
def test_a_dubious_proposal_is_not_refused(change):
    game = sit()
    assert game.propose("Ann", change).outcome == "open"


@pytest.mark.rule("discordian-nomic", 111)
def test_an_amendment_that_makes_no_difference_is_for_the_players():
    game = sit()
    assert game.propose("Ann", nb.amend(210, game.rules[210].wording)).outcome == "open"


@pytest.mark.rule("discordian-nomic", 112)
def test_winning_does_not_become_something_else():
    game = sit(terms={"win.points": 30})
    law(game, "set win.winners to [p for p in playing if p.points <= 0]", "Whoever has nothing wins.")
    assert not game.over
    assert "112" in game.rules.void_reason(game.rules[301]) or game.law["win.winners"].rule == 112
    for face in (1, 1, 6, 6, 6, 6, 6):
        idle(game, face)
    assert not game.over


@pytest.mark.rule("discordian-nomic", 112)
def test_how_many_points_it_takes_can_change():
    game = sit()
    idle(game, face=5)
    put(game, nb.amend(208, "Five points are enough.", law="set win.points to 5"))
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    assert "Ann fulfils" in game.pending[0].prompt
    agree_on(game, "at once")
    assert game.over
    assert game.winner == "Ann"


@pytest.mark.rule("discordian-nomic", 107, 112, 208)
def test_whoever_has_as_many_already_can_have_to_gain_once_more():
    game = sit()
    idle(game, face=5)
    idle(game, face=6)
    put(game, nb.amend(208, "Five points are enough.", law="set win.points to 5"))
    assert "Ann and Ben fulfil" in game.pending[0].prompt
    agree_on(game, "at the next gain")
    assert not game.over
    game.roll("Cleo", 3)
    adopt(game, nb.enact("A fine.", law='on enacted when rule == this: award -1 points to "Ben"'))
    assert not game.over  # to lose some is no gain, and it is asked no more
    game.roll("Ann", 1)
    assert game.winner == "Ann"


@pytest.mark.rule("discordian-nomic", 112, 208)
def test_a_gain_in_the_same_vote_is_a_gain():
    game = sit()
    idle(game, face=5)
    clauses = 'set win.points to 5\non amended when rule == this: award 1 points to "Ann"'
    put(game, nb.amend(208, "Five points, and Ann has one more.", law=clauses))
    assert game.winner == "Ann"


@pytest.mark.rule("discordian-nomic", 112, 208)
def test_whoever_gains_wins_before_those_who_have_to_gain_yet():
    game = sit()
    idle(game, face=5)
    put(game, nb.amend(208, "Five points are enough.", law="set win.points to 5"))
    agree_on(game, "at the next gain")
    game.roll("Ben", 6)
    assert game.winner == "Ben"


@pytest.mark.rule("discordian-nomic", 112, 208)
def test_what_is_above_a_lowered_number_is_forgotten_when_it_rises_again():
    game = sit()
    idle(game, face=5)
    put(game, nb.amend(208, "Five points are enough.", law="set win.points to 5"))
    agree_on(game, "at the next gain")
    game.roll("Ben", 1)
    turn(game, nb.amend(302, "A hundred again.", law="set win.points to 100"))
    put(game, nb.amend(303, "Five after all.", law="set win.points to 5"))
    assert "Ann fulfils" in game.pending[0].prompt  # another change, and another question


@pytest.mark.rule("discordian-nomic", 112, 213)
def test_who_wins_when_play_cannot_go_on_has_nothing_to_gain():
    game = sit()
    idle(game, face=5)
    put(game, nb.amend(208, "Five points are enough.", law="set win.points to 5"))
    agree_on(game, "at the next gain")
    game.invoke_judgment("Cleo", "Is this throw as legal as illegal?")
    judged(game, orders="end play")
    agree(game)
    assert game.winners


def agree_on(game, answer):
    """All who are asked say the same."""
    for name in waiting_for(game, "choose"):
        game.choose(name, answer)


@pytest.mark.rule("discordian-nomic", 112)
def test_how_points_are_earned_can_change():
    game = sit(terms={"win.points": 30})
    law(game, 'on said when text == "please": award 30 points to player')
    game.say("Cleo", "please")
    assert game.winner == "Cleo"


@pytest.mark.rule("discordian-nomic", 112)
def test_who_wins_when_stuck_can_change():
    game = sit("Ann", "Ben")
    turn(game, nb.amend(213, "When play cannot go on, everyone wins.", law="set win.when_stuck to seats"))
    law(game, 'on enacted when rule == this: enter player "D" as dummy')
    put(game, nb.enact("Stuck."))
    assert game.over or game.pending
    assert set(game.winners) == {"Ann", "Ben"} or waiting_for(game, "choose") == ["Ann", "Ben"]


@pytest.mark.rule("discordian-nomic", 112)
def test_several_at_once_are_a_question():
    game = sit(terms={"win.points": 30})
    adopt(game, nb.enact("Thirty for all.", law="on enacted when rule == this: award 30 points to playing"))
    assert not game.over
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    for decision in game.pending:
        assert decision.rule in (112, 208) or "112" in decision.prompt or "208" in decision.prompt


@pytest.mark.rule("discordian-nomic", 113)
@pytest.mark.parametrize("moment", ["before", "debate", "vote", "throw", "question", "judging", "ruled"])
def test_a_player_can_leave_at_any_moment(moment):
    game = sit("Ann", "Ben", "Cleo", "Dov")
    if moment == "debate":
        game.propose("Ann", nb.enact("More."), debate=True)
    elif moment == "vote":
        game.propose("Ann", nb.enact("More."))
        game.vote("Dov", "against")
    elif moment == "throw":
        adopt(game, nb.enact("More."))
    elif moment == "question":
        asks(game, "Is it late?")
        game.say("Ben", "ask")
    elif moment in ("judging", "ruled"):  # Dov is Judge
        game.invoke_judgment("Ben", "Is it late?")
        if moment == "ruled":
            game.rule_on("Dov", "It is.")
    game.forfeit("Dov")
    assert "Dov" not in game.law["turn.sequence"].value
    assert "Dov" not in {decision.player for decision in game.pending}
    assert game.pending


@pytest.mark.rule("discordian-nomic", 113)
def test_the_vote_goes_on_among_those_who_are_left():
    game = sit()
    proposal = game.propose("Ann", nb.enact("More."))
    game.vote("Ann", "for")
    game.vote("Cleo", "against")
    game.forfeit("Cleo")
    assert proposal.tally.votes_against == 0
    assert proposal.tally.quota == 2
    game.vote("Ben", "for")
    assert proposal.outcome == "adopted"


@pytest.mark.rule("discordian-nomic", 113)
def test_the_last_missing_voter_leaving_completes_the_vote():
    game = sit()
    proposal = game.propose("Ann", nb.enact("More."))
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    game.forfeit("Cleo")
    assert proposal.outcome == "adopted"
    assert waiting_for(game, "roll") == ["Ann"]


@pytest.mark.rule("discordian-nomic", 113)
def test_leaving_in_ones_own_turn_passes_play_on():
    game = sit()
    adopt(game, nb.enact("More."))
    game.forfeit("Ann")
    assert game.player == "Ben"
    assert waiting_for(game, "propose") == ["Ben"]


@pytest.mark.rule("discordian-nomic", 113)
def test_whoever_left_is_out():
    game = sit()
    game.forfeit("Cleo")
    with refused(game, "has-left", player="Cleo"):
        game.forfeit("Cleo")
    game.propose("Ann", nb.enact("More."))
    with refused(game, "has-left", player="Cleo"):
        game.vote("Cleo", "for")


@pytest.mark.rule("discordian-nomic", 113)
def test_leaving_is_never_refused_while_113_stands():
    game = sit()
    law(game, "forbid forfeit\nprevails over everything")
    game.forfeit("Ben")
    assert "Ben" not in game.law["turn.sequence"].value


@pytest.mark.rule("discordian-nomic", 114)
def test_the_last_mutable_rule_stays_mutable():
    game = sit("Ann", "Ben")
    proposals = [turn(game, nb.transmute(number)) for number in range(201, 213)]
    assert {proposal.outcome for proposal in proposals} == {"adopted"}
    last = put(game, nb.transmute(213))
    assert last.outcome == "without effect"
    assert game.rules[213].tier == "mutable"
    assert "114" in str(game.proposals.frame.loc[last.number, "note"])


@pytest.mark.rule("discordian-nomic", 114)
def test_the_last_mutable_rule_is_not_repealed():
    game = sit("Ann", "Ben")
    for number in [*range(201, 209), *range(210, 214)]:
        turn(game, nb.transmute(number))
    last = put(game, nb.repeal(209))
    assert last.outcome == "without effect"
    assert 209 in game.rules


@pytest.mark.rule("discordian-nomic", 114)
def test_changing_the_rules_stays_possible_without_103():
    game = sit()
    number = open_up(game, 103)
    proposal = put(game, nb.repeal(number))
    assert proposal.outcome == "adopted"  # 202 asks for rule-changes all the same
    game.roll("Ben", 1)
    assert turn(game, nb.amend(204, "More.")).outcome == "adopted"


@pytest.mark.rule("discordian-nomic", 114)
def test_a_ban_on_all_proposals_has_no_effect():
    game = sit()
    number = open_up(game, 103)
    proposal = put(game, nb.amend(number, "No more changes.", law="forbid propose"))
    assert proposal.outcome == "without effect"
    game.roll("Ben", 1)
    assert waiting_for(game, "propose") == ["Cleo"]


@pytest.mark.rule("discordian-nomic", 114)
def test_114_does_not_stand_in_the_way_of_its_own_repeal():
    game = sit()
    number = open_up(game, 114)
    assert turn(game, nb.repeal(number)).outcome == "adopted"


@pytest.mark.rule("discordian-nomic", 115)
@pytest.mark.parametrize("number", [202, 203, 205, 211])
def test_rules_about_changing_rules_change_like_others(number):
    game = sit()
    proposal = adopt(game, nb.amend(number, game.rules[number].wording + " And why not?"))
    assert game.rules[301].wording.endswith("And why not?")
    assert proposal.tally.quota == 3


@pytest.mark.rule("discordian-nomic", 115)
@pytest.mark.parametrize("number", [103, 104, 105, 108, 109, 110, 115])
def test_rules_about_changing_rules_can_be_opened_up_and_amended(number):
    game = sit()
    opened = open_up(game, number)
    adopt(game, nb.amend(opened, "Much the same as before."))
    assert game.rules[302].wording == "Much the same as before."


@pytest.mark.rule("discordian-nomic", 115)
def test_a_rule_can_repeal_its_own_authority():
    game = sit()
    number = open_up(game, 115)
    assert turn(game, nb.repeal(number)).outcome == "adopted"
    number = law(game, "on adopted: repeal this")
    adopt(game, nb.enact("Goodbye."))
    assert number not in game.rules


@pytest.mark.rule("discordian-nomic", 116)
def test_what_no_rule_speaks_of_is_free_and_changes_nothing():
    game = sit()
    before = [(rule.number, rule.wording) for rule in game.rules], scores(game)
    game.act("Ben", "declares rule 208 repealed and takes 50 points")
    assert ([(rule.number, rule.wording) for rule in game.rules], scores(game)) == before
    assert 208 in game.rules


@pytest.mark.rule("discordian-nomic", 116)
def test_changing_the_rules_needs_permission():
    game = sit()
    with refused(game, "turn-of-another", opens="Ann: propose"):
        game.propose("Ben", nb.enact("Out of turn."))
    adopt(game, nb.enact("In turn."))
    with refused(game, "somebody-first", opens="Ann: roll"):
        game.propose("Ann", nb.enact("A second one."))


@pytest.mark.rule("discordian-nomic", 116)
def test_free_deeds_are_open_to_all_at_all_times():
    game = sit()
    game.say("Cleo", "Hello.")
    game.propose("Ann", nb.enact("More."))
    game.act("Ben", "hums")
    ballot(game)
    game.report("Cleo", "Ben", "humming")
    assert [kind for kind in game.history["kind"] if kind in ("said", "free_act", "acted", "deed")]
    assert waiting_for(game, "roll") == ["Ann"]


@pytest.mark.rule("discordian-nomic", 114)
def test_that_nobody_has_a_turn_is_adopted_without_effect():
    game = sit()
    proposal = put(game, nb.amend(201, "No more turns.", law="set turn.sequence to []"))
    assert proposal.outcome == "without effect"


@pytest.mark.rule("discordian-nomic", 114)
def test_a_quota_that_nobody_can_reach_is_adopted_without_effect():
    game = sit()
    turn(game, nb.transmute(109))
    proposal = put(game, nb.enact("Nine votes.", law="set vote.quota to 9\nprevails over everything"))
    assert proposal.outcome == "without effect"
    assert "114" in proposal.tally.verdict
