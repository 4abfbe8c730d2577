"""Game Cabinet Nomic, rule by rule."""

import pytest
import refusals
from beginnings import new_game
from play_helpers import (
    adopt,
    ballot,
    by_hand,
    defeat,
    idle,
    law,
    majority,
    open_up,
    put,
    refused,
    scores,
    turn,
    waiting_for,
)

import nomic_nb as nb

SYSTEM = "cabinet-nomic"
DUMMY = 'on enacted when rule == this: enter player "D" as dummy\non vote_opened: cast "for" for "D"'
STUCK = 'on enacted when rule == this: enter player "D" as dummy'  # its ballot never comes


def sit(*players, seed=7, **more):
    return new_game(SYSTEM, players or ("Ann", "Ben", "Cleo"), seed=seed, **more)


def initial(game):
    return [rule.number for rule in game.rules if rule.tier in ("immutable", "mutable")]


# 101 and what it is said to name


@pytest.mark.rule("cabinet-nomic", 101)
def test_twenty_nine_rules_are_in_force():
    game = sit()
    assert initial(game) == [*range(101, 117), *range(201, 214)]
    assert all(rule.wording for rule in game.rules)
    assert [rule.number for rule in game.rules if rule.tier == "immutable"] == list(range(101, 117))


@pytest.mark.rule("cabinet-nomic", 101)
def test_101_names_fewer_than_are_printed_and_an_erratum_says_so():
    rule = sit().rules[101]
    assert "201 to 203" in rule.wording
    [erratum] = [note for note in rule.notes if "Erratum" in note]
    assert "213" in erratum
    assert any("strict_101" in note for note in rule.notes)


@pytest.mark.rule("cabinet-nomic", 101)
def test_taken_by_the_letter_only_three_mutable_rules_are_in_force():
    game = sit(terms={"strict_101": True})
    assert initial(game) == [*range(101, 117), 201, 202, 203]
    for number in range(204, 214):
        assert number not in game.rules
    for key in ("dissent.points", "defeat.points", "win.points", "win.when_stuck", "judge.candidates"):
        assert game.law[key].rule is None
    assert len(initial(sit(terms={"strict_101": False}))) == 29


def strict():
    """A game by the letter of 101, in which the table answers what the law leaves out."""
    return answered(sit(terms={"strict_101": True}))


def answered(game):
    """Nobody has won, a ballot weighs one, and so on: wherever the table is asked, the first answer that is offered."""
    while asked := [one for one in game.pending if one.action == "choose"]:
        number = "100" if "win.points" in asked[0].prompt else "1"
        game.choose(asked[0].player, asked[0].options[0] if asked[0].options else number)
    return game


@pytest.mark.rule("cabinet-nomic", 101)
def test_taken_by_the_letter_the_table_is_asked_how_many_points_win():
    game = sit(terms={"strict_101": True})
    assert all("win.points" in one.prompt and one.rule == 112 for one in game.pending)
    answered(game)
    assert waiting_for(game, "propose") == ["Ann"]


@pytest.mark.rule("cabinet-nomic", 101)
def test_taken_by_the_letter_a_rule_must_say_how_many_points_win():
    game = strict()
    game.propose("Ann", nb.enact("Three points win.", law="set win.points to 3"))
    answered(game)
    ballot(game)
    answered(game)
    assert not game.over
    assert game.law["win.points"].value == 3
    game.roll("Ann", 3)
    assert game.winner == "Ann"


@pytest.mark.rule("cabinet-nomic", 101)
def test_taken_by_the_letter_defeat_is_free_and_questions_go_to_the_table():
    game = strict()
    proposal = game.propose("Ann", nb.enact("No."))
    answered(game)
    ballot(game, against=("Cleo",))
    answered(game)
    assert proposal.outcome == "defeated"
    assert scores(game)["Ann"] == 0
    game.roll("Ann", 3)
    answered(game)
    assert scores(game)["Ann"] == 3
    game.invoke_judgment("Cleo", "Who decides this?")
    assert waiting_for(game, "rule_on") == []
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]


@pytest.mark.rule("cabinet-nomic", 101)
def test_taken_by_the_letter_there_is_no_limit_and_no_order():
    game = strict()
    assert game.law["precedence.by"].rule is None
    requirements = " ".join(rule.law for rule in game.rules)
    assert "<= 25" not in requirements
    assert "<= 25" in " ".join(rule.law for rule in sit().rules)


@pytest.mark.rule("cabinet-nomic", 101)
def test_a_rule_binds_in_the_form_it_has_now():
    game = sit()
    turn(game, nb.amend(206, "Three.", law="set defeat.points to -3\non defeated: award defeat.points to proponent"))
    defeat(game, nb.enact("No."))
    assert scores(game)["Ben"] == -3
    game.roll("Ben", 1)
    number = open_up(game, 101)  # even the rule that says so can be changed
    turn(game, nb.amend(number, "Obey when you like."))
    assert game.rules[304].wording == "Obey when you like."


@pytest.mark.rule("cabinet-nomic", 102)
def test_standing_does_not_follow_from_the_number():
    game = sit()
    for rule in game.rules:
        if isinstance(rule.number, int):
            assert rule.tier == ("immutable" if rule.number < 200 else "mutable")
    assert open_up(game, 112) == 301
    turn(game, nb.transmute(208))
    assert (game.rules[301].tier, game.rules[302].tier) == ("mutable", "immutable")
    with refused(game, "not-proposable", target=302, tier="immutable", rule=103):
        game.propose("Cleo", nb.amend(302, "Less."))
    turn(game, nb.amend(301, "To win is to have points."))
    assert game.rules[303].tier == "mutable"


@pytest.mark.rule("cabinet-nomic", 103)
@pytest.mark.parametrize(
    "change",
    [nb.enact("More."), nb.amend(210, "Whisper."), nb.repeal(210), nb.transmute(210), nb.transmute(113)],
    ids=lambda change: change.headline,
)
def test_kinds_of_rule_change(change):
    assert adopt(sit(), change).number == 301


@pytest.mark.rule("cabinet-nomic", 103)
@pytest.mark.parametrize("change", [nb.amend(112, "Cake."), nb.repeal(112), nb.amend(112, "Too.", add=True)])
def test_what_is_immutable_is_not_amended_or_repealed(change):
    game = sit()
    with refused(game, "not-proposable", target=112, tier="immutable", rule=103):
        game.propose("Ann", change)
    assert len(game.proposals) == 0


@pytest.mark.rule("cabinet-nomic", 103)
def test_an_amendment_can_be_amended_and_repealed_on_its_own():
    game = sit()
    before = game.rules[210].wording
    turn(game, nb.amend(210, "Plans are made aloud.", add=True))
    turn(game, nb.amend(301, "Plans are sung.", part=1))
    assert "sung" in game.rules[302].wording
    assert "aloud" not in game.rules[302].wording
    turn(game, nb.repeal(302, part=1))
    assert game.rules[303].wording == before


@pytest.mark.rule("cabinet-nomic", 103)
def test_what_is_enacted_is_mutable_whatever_it_says():
    game = sit()
    adopt(game, nb.enact("This rule is immutable."))
    assert game.rules[301].tier == "mutable"


@pytest.mark.rule("cabinet-nomic", 104)
@pytest.mark.parametrize(("against", "outcome"), [((), "adopted"), (("Cleo",), "defeated"), (("Ann",), "defeated")])
def test_adopted_if_it_has_the_votes_and_only_then(against, outcome):
    game = sit()
    proposal = game.propose("Ann", nb.enact("More."))
    for deed in (
        lambda: game.roll("Ann"),
        lambda: game.propose("Ann", nb.enact("Something else.")),
        lambda: game.skip("Ann"),
    ):
        with refused(game, opens="vote"):
            deed()
    ballot(game, against)
    assert proposal.outcome == outcome
    assert (301 in game.rules) == (outcome == "adopted")


@pytest.mark.rule("cabinet-nomic", 105)
def test_all_must_vote():
    game = sit()
    proposal = game.propose("Ann", nb.enact("More."))
    assert all(decision.must for decision in game.pending)
    with refused(game, "not-one-of"):
        game.vote("Ben", "abstain")
    game.vote("Ann", "for")
    game.vote("Ben", "against")
    assert proposal.outcome == "open"  # decided, and yet not over
    with refused(game, "everyone-must-vote", rule=105, opens="Cleo: vote"):
        game.close_vote("Ann")
    game.vote("Cleo", "for")
    assert proposal.outcome == "defeated"


@pytest.mark.rule("cabinet-nomic", 106)
def test_what_was_voted_on_is_what_applies():
    game = sit()
    proposal = game.propose("Ann", nb.enact("More.", law="set dice.sides to 8"))
    game.vote("Ben", "for")
    with refused(game, "nothing-debated", opens="vote"):
        game.revise("Ann", nb.enact("Less.", law="set dice.sides to 2"))
    ballot(game)
    assert proposal.outcome == "adopted"
    assert (game.rules[301].wording, game.rules[301].law) == ("More.", "set dice.sides to 8")
    with refusals.refused("wording-missing"):
        nb.enact(" \n ")


@pytest.mark.rule("cabinet-nomic", 107)
def test_neither_early_nor_backwards():
    game = sit()
    idle(game, face=6)
    before = game.ledger.frame.copy()
    game.propose(
        "Ben",
        nb.enact("Since the beginning, a throw counts double.", law="set throw.points to face * 2\nprevails over 202"),
    )
    game.vote("Ann", "for")
    game.vote("Ben", "for")
    assert game.law["throw.points"].rule == 202
    game.vote("Cleo", "for")
    assert game.law["throw.points"].rule == 302
    game.roll("Ben", 6)
    assert scores(game) == {"Ann": 6, "Ben": 12, "Cleo": 0}
    assert game.ledger.frame.iloc[: len(before)].equals(before)


@pytest.mark.rule("cabinet-nomic", 108)
def test_proposals_are_counted_from_301_whatever_comes_of_them():
    game = sit()
    assert [turn(game, nb.enact("More."), against).number for against in (("Ann",), (), ("Ben",))] == [301, 302, 303]
    with refused(game, "not-proposable"):
        game.propose("Ann", nb.repeal(101))
    turn(game, nb.amend(302, "Much more."))
    turn(game, nb.transmute(304))
    assert [version.number for version in game.rules[305].all_versions] == [302, 304, 305]
    wording, clauses = game.rules[206].wording, game.rules[206].law
    turn(game, nb.repeal(206))
    turn(game, nb.enact(wording, law=clauses))
    assert game.rules[307].wording == wording
    with refusals.refused("rule-renumbered", KeyError, now=305):
        game.rules[304]


@pytest.mark.rule("cabinet-nomic", 109)
def test_opening_up_an_immutable_rule_needs_everybody_for_ever():
    game = sit()
    majority(game)
    proposal = turn(game, nb.transmute(112), against=("Cleo",))
    assert (proposal.outcome, proposal.tally.quota) == ("defeated", 3)
    assert "109" in proposal.tally.verdict
    assert turn(game, nb.transmute(208), against=("Ann",)).outcome == "adopted"  # the other way needs no more
    law(game, "set vote.quota to 1\nprevails over everything")
    assert turn(game, nb.transmute(112), against=("Cleo",)).outcome == "defeated"
    assert turn(game, nb.transmute(112)).outcome == "adopted"


@pytest.mark.rule("cabinet-nomic", 110)
def test_a_mutable_rule_that_contradicts_an_immutable_one_is_wholly_void():
    game = sit()
    law(game, "set vote.duty to false\nset dice.sides to 20\nprevails over everything")
    reason = game.rules.void_reason(game.rules[301])
    assert "105" in reason
    assert "110" in reason
    assert 301 in game.rules
    assert game.law["vote.duty"].value is True
    assert game.law["dice.sides"].value == 6


@pytest.mark.rule("cabinet-nomic", 110)
def test_transmuting_is_said_outright_or_not_done():
    game = sit()
    assert game.propose("Ann", nb.transmute(110)).outcome == "open"  # to propose it is no clash
    ballot(game, against=("Ben",))
    game.roll("Ann", 1)
    turn(
        game,
        nb.enact(
            "Rule 113 is mutable from now on.",
            law="on enacted when rule == this: transmute rule_numbered(113)",
        ),
    )
    assert game.rules[113].tier == "immutable"


@pytest.mark.rule("cabinet-nomic", 111)
def test_the_proponent_alone_settles_the_form_and_ends_the_debate():
    game = sit()
    proposal = game.propose("Ann", nb.enact("Vague."), debate=True)
    game.say("Ben", "That is vague.")
    with refused(game, "debate-not-yours", rule=111, opens="Ann: call_vote"):
        game.call_vote("Ben")
    with refused(game, "debate-not-yours", rule=111):
        game.revise("Cleo", nb.enact("Mine."))
    with refused(game, "no-vote-open"):
        game.vote("Ben", "against")
    game.revise("Ann", nb.enact("Clear as day."))
    game.call_vote("Ann")
    assert (proposal.number, proposal.outcome, proposal.wording) == (301, "open", "Clear as day.")


@pytest.mark.rule("cabinet-nomic", 111)
def test_only_here_it_must_be_clear_that_a_proposal_wrecks_play():
    assert "clearly" in sit().rules[111].wording
    assert "clearly" not in nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7).rules[111].wording


@pytest.mark.rule("cabinet-nomic", 112)
def test_winning_stays_a_matter_of_points():
    game = sit(terms={"win.points": 30})
    law(game, "set win.winners to [p for p in playing if p.points <= 0]", "Whoever has nothing wins.")
    assert not game.over
    assert "112" in game.rules.void_reason(game.rules[301])
    law(game, 'on said when text == "please": award 30 points to player')  # how they are earned may change
    turn(game, nb.amend(208, "Twenty.", law="set win.points to 20"))  # and how many it takes
    game.say("Cleo", "please")
    assert game.winner == "Cleo"


@pytest.mark.rule("cabinet-nomic", 112)
def test_a_mutable_rule_that_changes_the_kind_of_victory_is_void():
    game = sit()
    law(game, 'set win.winners to [p for p in playing if p.name == "Ann"]', "Whoever made most rules wins.")
    assert not game.over
    assert "112" in game.rules.void_reason(game.rules[301])


@pytest.mark.rule("cabinet-nomic", 113)
@pytest.mark.parametrize("moment", ["before", "debate", "vote", "throw", "question", "ruling"])
def test_leaving_is_always_open(moment):
    game = sit("Ann", "Ben", "Cleo", "Dov")
    if moment == "debate":
        game.propose("Ann", nb.enact("More."), debate=True)
    elif moment == "vote":
        game.propose("Ann", nb.enact("More."))
        game.vote("Dov", "against")
    elif moment == "throw":
        adopt(game, nb.enact("More."))
    elif moment in ("question", "ruling"):
        game.invoke_judgment("Ben", "Is it late?")
    if moment == "ruling":
        game.rule_on("Dov", "It is.")
    game.forfeit("Dov")
    assert "Dov" not in game.law["turn.sequence"].value
    assert "Dov" not in {decision.player for decision in game.pending}
    assert game.pending


@pytest.mark.rule("cabinet-nomic", 113)
def test_no_mutable_rule_can_bar_the_door():
    game = sit()
    law(game, "forbid forfeit\nprevails over everything")
    proposal = game.propose("Ben", nb.enact("More."))
    game.vote("Ben", "for")
    game.vote("Ann", "for")
    game.forfeit("Cleo")
    assert proposal.outcome == "adopted"  # by all who are left


@pytest.mark.rule("cabinet-nomic", 114)
def test_one_mutable_rule_stays():
    game = sit("Ann", "Ben")
    for number in range(201, 213):
        assert turn(game, nb.transmute(number)).outcome == "adopted"
    last = put(game, nb.transmute(213))
    assert last.outcome == "without effect"
    assert game.rules[213].tier == "mutable"
    assert "114" in str(game.proposals.frame.loc[last.number, "note"])


@pytest.mark.rule("cabinet-nomic", 114)
def test_rule_changes_never_become_impossible():
    game = sit()
    number = open_up(game, 103)
    assert turn(game, nb.amend(number, "No more.", law="forbid propose")).outcome == "without effect"
    assert turn(game, nb.repeal(number)).outcome == "adopted"  # 202 asks for rule-changes all the same
    assert game.why("may.propose", nb.amend(203, "More.")).value is True


@pytest.mark.rule("cabinet-nomic", 115)
@pytest.mark.parametrize("number", [103, 104, 108, 115])
def test_a_rule_about_changing_rules_is_opened_up_and_amended(number):
    game = sit()
    opened = open_up(game, number)
    assert adopt(game, nb.amend(opened, "Much the same as before.")).outcome == "adopted"


@pytest.mark.rule("cabinet-nomic", 115)
def test_a_rule_can_change_what_it_stands_on():
    game = sit()
    turn(game, nb.amend(203, "Two votes are enough.", law="set vote.quota to 2"))
    assert turn(game, nb.repeal(301), against=("Ann",)).outcome == "adopted"
    assert 301 not in game.rules


@pytest.mark.rule("cabinet-nomic", 116)
def test_what_is_not_explicitly_forbidden_is_free_save_changing_rules():
    game = sit()
    assert "explicitly" in game.rules[116].wording
    before = [(rule.number, rule.wording) for rule in game.rules], scores(game), str(game.pending)
    game.act("Ben", "declares 208 repealed and takes fifty points")
    game.say("Cleo", "Rule 206 is gone.")
    assert ([(rule.number, rule.wording) for rule in game.rules], scores(game), str(game.pending)) == before
    with refused(game, "turn-of-another", opens="Ann: propose"):
        game.propose("Ben", nb.enact("Out of turn."))


# The mutable rules


@pytest.mark.rule("cabinet-nomic", 201)
def test_turns_go_round_whole():
    game = sit()
    assert scores(game) == {"Ann": 0, "Ben": 0, "Cleo": 0}
    seen = []
    for _ in range(4):
        seen.append((game.circuit, game.player))
        with refused(game, "no-skipping", rule=201):
            game.skip(game.player)
        with refused(game, "nothing-to-throw"):
            game.roll(game.player)
        adopt(game, nb.enact("More."))
        with refused(game, "no-skipping", rule=201):
            game.skip(game.player)
        game.roll(game.player, 1)
    assert seen == [(1, "Ann"), (1, "Ben"), (1, "Cleo"), (2, "Ann")]
    with refused(game, "turns-begin-by-themselves"):
        game.begin_turn("Cleo")


@pytest.mark.rule("cabinet-nomic", 202)
def test_a_proposal_then_one_throw():
    game = sit()
    assert game.part == "proposal"
    defeat(game, nb.enact("No."))
    assert game.part == "throw"
    with refused(game, "somebody-first"):
        game.propose("Ann", nb.enact("Another."))
    for face in (0, 7):
        with refused(game, "throw-out-of-range", found=str(face)):
            game.roll("Ann", face)
    assert game.roll("Ann", 6) == 6
    assert scores(game)["Ann"] == -10 + 6
    assert list(game.ledger)[-1].rule == 202
    assert game.player == "Ben"


@pytest.mark.rule("cabinet-nomic", 202, 211)
def test_what_a_throw_is_worth_is_202s_to_say():
    game = sit()
    law(game, "set throw.points to 0 while face == 6", "Sixes count zero.", face=6)
    assert scores(game)["Ann"] == 6  # 202 has the lower number
    law(game, "set throw.points to 0 while face == 6\nprevails over 202", "Sixes do count zero.", face=6)
    assert scores(game)["Ben"] == 0


@pytest.mark.rule("cabinet-nomic", 203)
def test_unanimity_for_ever():
    game = sit("Ann", "Ben", terms={"win.points": 1000})
    while game.circuit <= 10:
        defeat(game, nb.enact("No."))
        game.roll(game.player, 1)
    assert game.rules[203].how == "initial"
    assert put(game, nb.enact("More."), against=("Ben",)).outcome == "defeated"


@pytest.mark.rule("cabinet-nomic", 203)
def test_unanimity_is_given_up_unanimously():
    game = sit()
    change = nb.library.simple_majority().change(203)
    assert turn(game, change, against=("Cleo",)).outcome == "defeated"
    assert turn(game, change).outcome == "adopted"
    assert turn(game, nb.enact("More."), against=("Ann",)).outcome == "adopted"


@pytest.mark.rule("cabinet-nomic", 204)
def test_voting_against_what_wins_pays_once_it_can_win():
    game = sit()
    turn(game, nb.enact("More."), against=("Cleo",))
    assert scores(game)["Cleo"] == 0
    majority(game)
    turn(game, nb.enact("More."), against=("Cleo",))  # who pays herself: it is her own proposal
    assert scores(game)["Cleo"] == 10 + 1
    turn(game, nb.enact("More."), against=("Ben", "Cleo"))
    assert scores(game) == {"Ann": -10 + 1 - 10 + 1, "Ben": 1, "Cleo": 11}


@pytest.mark.rule("cabinet-nomic", 205, 204)
def test_effective_at_once_and_the_vote_is_settled_by_its_own_law():
    game = sit()
    adopt(game, nb.enact("Twenty sides.", law="set dice.sides to 20"))
    assert game.roll("Ann", 17) == 17
    majority(game)
    turn(game, nb.repeal(204), against=("Ann",))
    assert scores(game)["Ann"] == 17 + 10
    turn(game, nb.enact("More."), against=("Cleo",))
    assert scores(game)["Cleo"] == 1


@pytest.mark.rule("cabinet-nomic", 206)
def test_defeat_costs_ten_without_a_floor():
    game = sit()
    defeat(game, nb.enact("No."))
    assert scores(game)["Ann"] == -10
    assert list(game.ledger)[-1].rule == 206
    game.roll("Ann", 1)
    for _ in range(3):
        defeat(game, nb.enact("No."))
        game.roll(game.player, 1)
    assert scores(game) == {"Ann": -18, "Ben": -9, "Cleo": -9}


@pytest.mark.rule("cabinet-nomic", 207)
def test_one_vote_each():
    game = sit()
    assert "at all times" not in game.rules[207].wording
    proposal = game.propose("Ann", nb.enact("More."))
    game.vote("Ben", "against")
    with refused(game, "voted-already", player="Ben"):
        game.vote("Ben", "for")
    ballot(game)
    assert (proposal.tally.votes_for, proposal.tally.votes_against) == (2, 1)
    game.roll("Ann", 1)
    law(game, "set vote.weight to 2")
    assert game.law["vote.weight"].value == 1
    law(game, "set vote.weight to 2\nprevails over 207")
    assert game.law["vote.weight"].value == 2


@pytest.mark.rule("cabinet-nomic", 208)
@pytest.mark.parametrize(("points", "over"), [(-100, False), (99, False), (100, True), (103, True)])
def test_a_hundred_wins(points, over):
    game = sit()
    adopt(game, nb.enact("Here.", law=f'on enacted when rule == this: award {points} points to "Ann"'))
    assert game.over is over
    assert game.winner == ("Ann" if over else None)


@pytest.mark.rule("cabinet-nomic", 208)
def test_a_dummy_is_no_person():
    game = sit("Ann", "Ben")
    law(game, DUMMY + '\non adopted: award 200 points to "D"')
    assert "person" in game.rules[208].wording
    adopt(game, nb.enact("More."))
    assert scores(game)["D"] >= 200
    assert not game.over


@pytest.mark.rule("cabinet-nomic", 208)
def test_two_at_once_are_a_question():
    game = sit()
    adopt(game, nb.enact("For all.", law="on enacted when rule == this: award 100 points to playing"))
    assert not game.over
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]


@pytest.mark.rule("cabinet-nomic", 209)
def test_no_more_than_twenty_five():
    game = sit("Ann", "Ben", terms={"win.points": 1000})
    for _ in range(12):
        idle(game)
    before = scores(game)["Ann"]
    thirteenth = put(game, nb.enact("One too many."))
    assert thirteenth.outcome == "without effect"
    assert "209" in str(game.proposals.frame.loc[thirteenth.number, "note"])
    assert scores(game)["Ann"] == before  # adopted all the same
    game.roll("Ann", 1)
    assert turn(game, nb.transmute(116)).outcome == "without effect"
    assert turn(game, nb.repeal(210)).outcome == "adopted"
    assert turn(game, nb.transmute(116)).outcome == "adopted"


@pytest.mark.rule("cabinet-nomic", 210)
def test_secret_plans_are_for_the_players_to_find():
    game = sit()
    rule = game.rules[210]
    assert not rule.law
    assert "computer" not in rule.wording.lower()
    assert "people apply this rule" in rule._repr_html_()
    game.say("Ann", "Ben, shall we repeal 206 next?")
    by_hand(game, "Cleo", 'award -5 points to "Ann"', 210)
    entry = list(game.ledger)[-1]
    assert (entry.player, entry.amount, entry.rule) == ("Ann", -5, 210)


@pytest.mark.rule("cabinet-nomic", 211)
def test_lowest_number_then_claims_then_numbers_again():
    game = sit()
    law(game, "set win.points to 50")
    assert game.law["win.points"].rule == 208
    assert "301" in str(game.why("win.points"))
    turn(game, nb.amend(301, law="set win.points to 50\nprevails over 208"))
    assert game.law["win.points"].rule == 302
    turn(game, nb.amend(208, law="set win.points to 100\nprevails over 302"))
    assert game.law["win.points"].rule == 302  # both claim; 302 is lower than 303
    assert "302" in str(game.why("win.points"))


@pytest.mark.rule("cabinet-nomic", 212)
def test_a_judge_from_question_to_consent():
    game = sit()
    idle(game)
    game.invoke_judgment("Cleo", "How is 202 to be applied?")  # application is named here too
    assert "applied" in game.rules[212].wording
    assert waiting_for(game, "rule_on") == ["Ann"]
    game.rule_on("Ann", "As it says.", rests_on=[202])
    game.overrule("Cleo", "for")
    assert game.judgments[1].judge == "Ann"
    game.overrule("Ben", "for")
    assert waiting_for(game, "rule_on") == ["Cleo"]
    game.rule_on("Cleo", "Loosely.")
    game.overrule("Ann", "against")
    adopt(game, nb.enact("More."))
    game.roll("Ben", 1)
    assert game.player != "Cleo"
    game.consent("Ann")
    game.consent("Ben")
    assert game.player == "Cleo"


@pytest.mark.rule("cabinet-nomic", 212)
def test_only_unanimity_of_the_others_overrules_and_the_rule_says_it():
    game = sit()
    assert game.law["judge.overrule_quota"].sources[0].rule.number == 212
    assert not any("missing" in note for note in game.rules[212].notes)


@pytest.mark.rule("cabinet-nomic", 213)
def test_the_first_who_cannot_complete_a_turn_wins():
    game = sit("Ann", "Ben")
    law(game, STUCK)
    game.propose("Ben", nb.enact("More."))
    ballot(game)
    assert game.over
    assert game.winner == "Ben"
    assert "213" in game.result


@pytest.mark.rule("cabinet-nomic", 213)
def test_213_is_mutable_and_without_it_the_table_is_asked():
    game = sit("Ann", "Ben")
    turn(game, nb.repeal(213))
    law(game, STUCK)
    put(game, nb.enact("More."))
    assert not game.winners
    assert waiting_for(game, "choose") == ["Ann", "Ben"]
