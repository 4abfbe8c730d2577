"""Rules 201 to 213 in play."""

import pytest
from play_helpers import (
    adopt,
    ballot,
    by_hand,
    defeat,
    idle,
    law,
    majority,
    put,
    refused,
    scores,
    sit,
    turn,
    waiting_for,
)

import nomic_nb as nb


@pytest.mark.rule("discordian-nomic", 201)
def test_everyone_starts_with_zero():
    assert scores(sit()) == {"Ann": 0, "Ben": 0, "Cleo": 0}


@pytest.mark.rule("discordian-nomic", 201)
def test_turns_go_round_and_circuits_are_counted():
    game = sit()
    seen = []
    for _ in range(7):
        seen.append((game.turn, game.circuit, game.player))
        idle(game)
    assert seen == [
        (1, 1, "Ann"),
        (2, 1, "Ben"),
        (3, 1, "Cleo"),
        (4, 2, "Ann"),
        (5, 2, "Ben"),
        (6, 2, "Cleo"),
        (7, 3, "Ann"),
    ]


@pytest.mark.rule("discordian-nomic", 201)
def test_nothing_is_skipped_or_left_out():
    game = sit()
    with refused(game, "no-skipping", rule=201, opens="Ann: propose"):
        game.skip("Ann")
    with refused(game, "nothing-to-throw", opens="Ann: propose"):
        game.roll("Ann")
    adopt(game, nb.enact("More."))
    with refused(game, "no-skipping", rule=201, opens="Ann: roll"):
        game.skip("Ann")
    with refused(game, "turn-of-another", rule=201, opens="Ann: roll"):
        game.propose("Ben", nb.enact("My turn."))


@pytest.mark.rule("discordian-nomic", 202)
def test_a_turn_is_a_proposal_then_a_throw():
    game = sit()
    assert game.part == "proposal"
    adopt(game, nb.enact("More."))
    assert game.part == "throw"
    assert waiting_for(game, "roll") == ["Ann"]
    assert game.roll("Ann", 4) == 4
    assert scores(game) == {"Ann": 4, "Ben": 0, "Cleo": 0}
    assert (game.player, game.part) == ("Ben", "proposal")


@pytest.mark.rule("discordian-nomic", 202)
def test_one_proposal_and_one_throw():
    game = sit()
    adopt(game, nb.enact("More."))
    with refused(game, "somebody-first", opens="roll"):
        game.propose("Ann", nb.enact("And more."))
    game.roll("Ann")
    with refused(game, "nothing-to-throw", opens="Ben: propose"):
        game.roll("Ann")


@pytest.mark.rule("discordian-nomic", 202)
def test_the_die_is_thrown_after_a_defeat_too():
    game = sit()
    defeat(game, nb.enact("No."))
    assert waiting_for(game, "roll") == ["Ann"]
    game.roll("Ann", 6)
    assert scores(game)["Ann"] == -4


@pytest.mark.rule("discordian-nomic", 202)
def test_the_points_of_a_throw_name_their_rule():
    game = sit()
    idle(game, face=5)
    entry = list(game.ledger)[-1]
    assert (entry.player, entry.amount, entry.now, entry.rule) == ("Ann", 5, 5, 202)


@pytest.mark.rule("discordian-nomic", 202)
def test_a_drawn_throw_counts_what_it_shows():
    game = sit(seed=11)
    adopt(game, nb.enact("More."))
    face = game.roll("Ann")
    assert 1 <= face <= 6
    assert scores(game)["Ann"] == face


@pytest.mark.rule("discordian-nomic", 203)
def test_one_vote_against_is_enough_to_defeat():
    game = sit("Ann", "Ben", "Cleo", "Dov", "Eva")
    proposal = put(game, nb.enact("More."), against=("Eva",))
    assert proposal.outcome == "defeated"
    assert (proposal.tally.votes_for, proposal.tally.quota) == (4, 5)


@pytest.mark.rule("discordian-nomic", 203)
def test_unanimity_does_not_wear_off():
    game = sit(terms={"win.points": 1000})
    for _ in range(18):
        idle(game)
        if game.circuit > 4:
            break
    assert game.rules[203].how == "initial"
    assert game.law["vote.quota"].value == 3


@pytest.mark.rule("discordian-nomic", 203)
def test_unanimity_is_given_up_unanimously():
    game = sit()
    change = nb.library.simple_majority().change(203)
    assert turn(game, change, against=("Cleo",)).outcome == "defeated"
    assert turn(game, change).outcome == "adopted"
    assert turn(game, nb.enact("More."), against=("Ann",)).outcome == "adopted"


@pytest.mark.rule("discordian-nomic", 204)
def test_there_is_no_reward_while_all_must_agree():
    game = sit()
    idle(game)
    put(game, nb.enact("More."), against=("Cleo",))
    assert scores(game) == {"Ann": 1, "Ben": -10, "Cleo": 0}


@pytest.mark.rule("discordian-nomic", 204)
def test_voting_against_a_winning_proposal_pays():
    game = sit("Ann", "Ben", "Cleo", "Dov", "Eva")
    majority(game)
    turn(game, nb.enact("More."), against=("Dov", "Eva"))
    assert scores(game) == {"Ann": 1, "Ben": 1, "Cleo": 0, "Dov": 10, "Eva": 10}
    entries = [entry for entry in game.ledger if entry.player == "Eva"]
    assert [(entry.amount, entry.rule) for entry in entries] == [(10, 204)]


@pytest.mark.rule("discordian-nomic", 204)
def test_it_pays_a_proponent_who_votes_against_and_wins():
    game = sit()
    majority(game)
    proposal = put(game, nb.enact("More."), against=("Ben",))
    assert proposal.outcome == "adopted"
    assert scores(game)["Ben"] == 10


@pytest.mark.rule("discordian-nomic", 204)
def test_it_pays_nobody_for_a_defeat():
    game = sit()
    majority(game)
    put(game, nb.enact("More."), against=("Ann", "Cleo"))
    assert scores(game) == {"Ann": 1, "Ben": -10, "Cleo": 0}


@pytest.mark.rule("discordian-nomic", 205)
def test_a_change_works_at_once():
    game = sit()
    adopt(game, nb.enact("Twenty sides.", law="set dice.sides to 20"))
    assert game.roll("Ann", 17) == 17
    assert scores(game)["Ann"] == 17


@pytest.mark.rule("discordian-nomic", 205)
def test_the_vote_itself_is_settled_by_the_law_it_was_held_under():
    game = sit()
    majority(game)
    turn(
        game,
        nb.amend(
            204, "Fifty for dissent.", law="set dissent.points to 50\non adopted: award dissent.points to opponents"
        ),
        ("Cleo",),
    )
    assert scores(game)["Cleo"] == 10
    turn(game, nb.enact("More."), against=("Ben",))
    assert scores(game)["Ben"] == 1 + 50


@pytest.mark.rule("discordian-nomic", 206)
def test_a_defeat_costs_ten():
    game = sit()
    defeat(game, nb.enact("No."))
    assert scores(game) == {"Ann": -10, "Ben": 0, "Cleo": 0}
    entry = list(game.ledger)[-1]
    assert (entry.player, entry.amount, entry.now, entry.rule) == ("Ann", -10, -10, 206)


@pytest.mark.rule("discordian-nomic", 206)
def test_scores_go_below_zero():
    game = sit("Ann", "Ben")
    for _ in range(6):
        defeat(game, nb.enact("No."))
        game.roll(game.player, 1)
    assert scores(game) == {"Ann": -27, "Ben": -27}


@pytest.mark.rule("discordian-nomic", 207)
def test_each_has_one_vote_and_it_stands():
    game = sit()
    proposal = game.propose("Ann", nb.enact("More."))
    game.vote("Ben", "against")
    for again in ("for", "against"):
        with refused(game, match="Ben", opens="vote"):
            game.vote("Ben", again)
    assert (proposal.tally.votes_for, proposal.tally.votes_against) == (0, 1)
    game.vote("Ann", "for")
    game.vote("Cleo", "for")
    assert sorted(game.ballots["weight"]) == [1, 1, 1]


@pytest.mark.rule("discordian-nomic", 208)
def test_the_first_with_a_hundred_wins():
    game = sit()
    law(game, "set throw.points to face * 16", face=6)
    assert scores(game)["Ann"] == 96
    idle(game, face=1)
    idle(game, face=1)
    adopt(game, nb.enact("More."))
    assert not game.over
    game.roll("Ann", 1)
    assert game.over
    assert game.winner == "Ann"
    assert game.winners == ("Ann",)
    assert len(list(game.pending)) == 0


@pytest.mark.rule("discordian-nomic", 208)
@pytest.mark.parametrize(("points", "over"), [(99, False), (100, True), (101, True)])
def test_a_hundred_exactly_is_enough(points, over):
    game = sit()
    adopt(game, nb.enact("Here.", law=f'on enacted when rule == this: award {points} points to "Ann"'))
    assert game.over is over


@pytest.mark.rule("discordian-nomic", 208)
def test_a_hundred_below_zero_is_not_enough():
    game = sit()
    adopt(game, nb.enact("Ouch.", law='on enacted when rule == this: award -100 points to "Ann"'))
    assert scores(game)["Ann"] == -100
    assert not game.over


@pytest.mark.rule("discordian-nomic", 208)
def test_after_the_end_nothing_more_is_played():
    game = sit(terms={"win.points": 30})
    adopt(game, nb.enact("Here.", law='on enacted when rule == this: award 30 points to "Ann"'))
    assert game.winner == "Ann"
    with refused(game, "game-won"):
        game.roll("Ann")
    with refused(game, "game-won"):
        game.propose("Ben", nb.enact("More."))


@pytest.mark.rule("discordian-nomic", 209)
def test_there_is_room_for_twelve_more_and_no_thirteenth():
    game = sit("Ann", "Ben", terms={"win.points": 1000})
    for _ in range(12):
        idle(game)
    thirteenth = put(game, nb.enact("One too many."))
    assert thirteenth.outcome == "without effect"
    assert thirteenth.number not in game.rules
    assert "209" in str(game.proposals.frame.loc[thirteenth.number, "note"])
    assert scores(game)["Ann"] == 6  # adopted all the same: no penalty
    assert waiting_for(game, "roll") == ["Ann"]


@pytest.mark.rule("discordian-nomic", 209)
def test_transmuting_takes_a_place_and_amending_does_not():
    game = sit("Ann", "Ben", terms={"win.points": 1000})
    for _ in range(12):
        idle(game)
    assert turn(game, nb.transmute(116)).outcome == "without effect"
    assert turn(game, nb.amend(210, "Whisper.")).outcome == "adopted"
    assert turn(game, nb.repeal(212)).outcome == "adopted"
    assert turn(game, nb.transmute(116)).outcome == "adopted"
    assert turn(game, nb.enact("More.")).outcome == "without effect"


@pytest.mark.rule("discordian-nomic", 209)
def test_raising_the_limit_makes_room():
    game = sit("Ann", "Ben", terms={"win.points": 1000})
    for _ in range(12):
        idle(game)
    turn(game, nb.library.cap_on_rules(30).change(209))
    assert turn(game, nb.enact("More.")).outcome == "adopted"


@pytest.mark.rule("discordian-nomic", 210)
def test_plotting_is_left_to_the_players():
    game = sit()
    assert not game.rules[210].law
    game.say("Ann", "Ben, shall we repeal 206 next?")  # recorded, not refused: people judge it
    assert "206" in game.history.iloc[-1]["what"]
    by_hand(game, "Cleo", 'award -5 points to "Ann"', 210)
    entry = list(game.ledger)[-1]
    assert (entry.player, entry.amount, entry.rule) == ("Ann", -5, 210)


@pytest.mark.rule("discordian-nomic", 210)
def test_there_are_no_exceptions_for_computers():
    text = sit().rules[210].wording.lower()
    assert "mail" not in text
    assert "computer" not in text
    assert "teammates" in text


@pytest.mark.rule("discordian-nomic", 211)
def test_the_lowest_number_prevails():
    game = sit()
    law(game, "set win.points to 50")
    assert game.law["win.points"].value == 100
    assert game.law["win.points"].rule == 208
    assert [defeated.source.rule.number for defeated in game.law["win.points"].defeated] == [301]
    assert "301" in str(game.why("win.points"))


@pytest.mark.rule("discordian-nomic", 211)
def test_a_claim_goes_before_the_number():
    game = sit()
    law(game, "set win.points to 50\nprevails over 208")
    assert game.law["win.points"].value == 50
    assert game.law["win.points"].rule == 301


@pytest.mark.rule("discordian-nomic", 211)
def test_giving_way_goes_before_the_number():
    game = sit()
    law(game, "set win.points to 50")
    turn(game, nb.amend(208, law="set win.points to 100\ndefers to everything"))
    assert game.law["win.points"].value == 50


@pytest.mark.rule("discordian-nomic", 211)
def test_where_both_claim_the_number_governs_again():
    game = sit()
    law(game, "set dice.sides to 8\nprevails over 302")
    law(game, "set dice.sides to 10\nprevails over 301")
    assert game.law["dice.sides"].value == 8


@pytest.mark.rule("discordian-nomic", 211)
def test_where_both_give_way_the_number_governs_again():
    game = sit()
    law(game, "set dice.sides to 8\ndefers to 302")
    law(game, "set dice.sides to 10\ndefers to 301")
    assert game.law["dice.sides"].value == 8


@pytest.mark.rule("discordian-nomic", 211, 108)
def test_being_amended_costs_precedence():
    game = sit()
    law(game, "set win.points to 50")
    turn(game, nb.amend(208, "A hundred points win."))
    assert game.law["win.points"].value == 50
    assert game.law["win.points"].rule == 301


@pytest.mark.rule("discordian-nomic", 211)
def test_among_immutable_rules_the_number_decides_too():
    game = sit()
    first = law(game, "set dice.sides to 8")
    second = law(game, "set dice.sides to 10")
    turn(game, nb.transmute(first))
    turn(game, nb.transmute(second))
    assert game.law["dice.sides"].value == 8
    assert not game.rules.void_reason(game.rules[304])


@pytest.mark.rule("discordian-nomic", 211)
def test_forbidding_and_allowing_go_by_number():
    game = sit()
    law(game, "allow skip")
    with refused(game, "no-skipping", rule=201):
        game.skip("Ben")
    law(game, "allow skip\nprevails over 201")
    game.skip("Cleo")
    assert game.player == "Ann"


@pytest.mark.rule("discordian-nomic", 212)
def test_without_a_judge_a_question_stops_play_until_all_agree():
    game = sit()
    turn(game, nb.amend(212, "Whoever insists is heard.", law="allow invoke_judgment"))
    game.propose("Ben", nb.enact("More."))
    game.invoke_judgment("Cleo", "Does a mumbled yes count?")
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    with refused(game, "question-open", question="Does a mumbled yes count?", opens="choose"):
        game.vote("Ann", "for")
    game.choose("Ann", "yes")
    game.choose("Ben", "no")
    game.choose("Cleo", "yes")
    assert waiting_for(game, "vote") == []
    game.choose("Ben", "yes")
    assert waiting_for(game, "vote") == ["Ann", "Ben", "Cleo"]
    assert "yes" in " ".join(game.history["what"].tail(2))


@pytest.mark.rule("discordian-nomic", 212)
def test_anyone_can_insist_at_any_time():
    for player in ("Ann", "Ben", "Cleo"):
        game = sit()
        game.invoke_judgment(player, "Who brought the snacks?")
        assert waiting_for(game, "rule_on") == ["Cleo"]  # the one before Ann, whoever insists
        with refused(game, "judgment-open", question="Who brought the snacks?", rule=212, opens="Cleo: rule_on"):
            game.propose("Ann", nb.enact("More."))


@pytest.mark.rule("discordian-nomic", 212)
def test_what_is_missing_in_212_is_said_to_be_missing():
    notes = " ".join(sit().rules[212].notes)
    assert "missing" in notes
    assert "unanimous" in notes


@pytest.mark.rule("discordian-nomic", 212)
def test_a_dummy_is_no_judge_and_is_not_asked():
    game = sit("Ann", "Ben")
    law(game, 'on enacted when rule == this: enter player "D" as dummy\non vote_opened: cast "for" for "D"')
    game.invoke_judgment("Ann", "Is D real?")
    assert waiting_for(game, "rule_on") == ["Ann"]
    with refused(game, "is-dummy"):
        game.rule_on("D", "I am.")
    game.rule_on("Ann", "Hardly.")
    assert waiting_for(game, "overrule") == ["Ben"]
    with refused(game, "is-dummy"):
        game.overrule("D", "for")
    game.overrule("Ben", "for")  # all the others who are persons; and nobody is left who could be Judge
    assert game.judgments[1].status == "table"
    assert waiting_for(game, "choose") == ["Ann", "Ben"]


@pytest.mark.rule("discordian-nomic", 213)
def test_the_first_who_cannot_complete_a_turn_wins():
    game = sit("Ann", "Ben")
    law(game, 'on enacted when rule == this: enter player "D" as dummy')  # whose vote will never come
    game.propose("Ben", nb.enact("More."))
    ballot(game)
    assert game.over
    assert game.winner == "Ben"
    assert scores(game)["Ben"] < 100
    assert "213" in game.result


@pytest.mark.rule("discordian-nomic", 213)
def test_without_213_being_stuck_is_a_question():
    game = sit("Ann", "Ben")
    turn(game, nb.repeal(213))
    law(game, 'on enacted when rule == this: enter player "D" as dummy')
    put(game, nb.enact("More."))
    assert not game.winners
    assert waiting_for(game, "choose") == ["Ann", "Ben"]


@pytest.mark.rule("discordian-nomic", 213)
def test_213_goes_before_other_rules_on_who_wins_then():
    game = sit("Ann", "Ben")
    law(game, "set win.when_stuck to [p for p in seats if p != first_unable]")
    turn(game, nb.amend(213, "Whoever is first unable to go on wins; this goes before all others."))
    law(game, 'on enacted when rule == this: enter player "D" as dummy')
    assert 302 in game.rules  # a higher number than 301, and yet
    put(game, nb.enact("More."))
    assert game.winner == "Ben"
