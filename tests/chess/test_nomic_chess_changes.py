"""Nomic Chess, Rules 101 to 111: rules, rule-changes and votes, when they count, numbers, debate."""

import pytest
import refusals
from board_helpers import arrange, chess, law, moves, nothing
from nomic_chess_helpers import NAMES, PAIR, last_move, majority, numbers, rule_for, whole
from panels.pages import Page
from play_helpers import ballot, put, refused, sit, waiting_for

import nomic_nb as nb


@pytest.mark.rule("nomic-chess", 101)
def test_a1_sixteen_immutable_rules_and_twenty_two_mutable_ones():
    game = chess()
    assert numbers(game, "immutable") == list(range(101, 117))
    assert numbers(game, "mutable") == list(range(201, 223))
    assert all(rule.wording and rule.title for rule in game.rules)


@pytest.mark.rule("nomic-chess", 101)
def test_a_rule_binds_as_it_reads_now():
    game = chess("Ann", "Ben")
    whole(game, nb.amend(206, "Defeat is free.", law=""))
    put(game, nb.enact("More."), against=("Ann",))
    assert waiting_for(game, "move") == ["Ben"]  # nothing to demote: 206 no longer says so


@pytest.mark.rule("nomic-chess", 101)
def test_101_itself_can_be_opened_up_and_amended_and_the_game_goes_on():
    game = chess("Ann", "Ben")
    whole(game, nb.transmute(101))
    assert put(game, nb.amend(301, "Obey the rules on weekdays.")).outcome == "adopted"
    assert game.rules[302].wording == "Obey the rules on weekdays."
    assert waiting_for(game, "move") == ["Ben"]


@pytest.mark.rule("nomic-chess", 102)
def test_standing_is_apart_from_the_number():
    game = chess("Ann", "Ben")
    whole(game, nb.transmute(112))
    whole(game, nb.transmute(218))
    assert (game.rules[301].tier, game.rules[302].tier) == ("mutable", "immutable")
    with refused(game, "not-proposable", target=302, tier="immutable", rule=103):
        game.propose("Ann", nb.repeal(302))
    assert whole(game, nb.repeal(301)).outcome == "adopted"


@pytest.mark.rule("nomic-chess", 103)
@pytest.mark.parametrize(
    "change",
    [
        nb.enact("More."),
        nb.amend(218, "Whisper."),
        nb.amend(218, "Whisper, too.", add=True),
        nb.repeal(218),
        nb.transmute(218),
        nb.transmute(113),
    ],
    ids=lambda change: change.headline,
)
def test_every_kind_of_rule_change_can_be_adopted(change):
    assert put(chess(), change).outcome == "adopted"


@pytest.mark.rule("nomic-chess", 103)
@pytest.mark.parametrize("change", [nb.amend(112, "Win by cake."), nb.repeal(112), nb.amend(112, "Too.", add=True)])
def test_an_immutable_rule_is_neither_amended_nor_repealed_and_the_try_takes_no_number(change):
    game = chess()
    with refused(game, "not-proposable", target=112, tier="immutable", rule=103):
        game.propose("Ann", change)
    assert waiting_for(game, "propose") == ["Ann"]  # DR-11: the part of the turn is not done
    assert nothing(game).number == 301


@pytest.mark.rule("nomic-chess", 103)
def test_what_is_not_there_is_not_changed():
    game = chess()
    for change in (nb.amend(299, "Hm."), nb.repeal(299), nb.transmute(299)):
        with refused(game, "rule-unknown", rule=299):
            game.propose("Ann", change)
    with refused(game, "amendment-unknown"):
        game.propose("Ann", nb.repeal(218, part=1))


@pytest.mark.rule("nomic-chess", 103)
def test_a_new_rule_is_mutable_whatever_it_says_of_itself():
    game = chess()
    put(game, nb.enact("This rule is immutable."))
    assert game.rules[301].tier == "mutable"


@pytest.mark.rule("nomic-chess", 103)
@pytest.mark.rule("nomic-chess", 108)
def test_an_amendment_is_amended_and_repealed_by_itself_and_renumbers_its_rule():
    game = chess("Ann", "Ben")
    before = game.rules[218].wording
    whole(game, nb.amend(218, "Speak French.", add=True))
    whole(game, nb.amend(301, "Speak Latin.", part=1))
    assert "Latin" in game.rules[302].wording
    assert "French" not in game.rules[302].wording
    assert before in game.rules[302].wording
    whole(game, nb.repeal(302, part=1))
    assert game.rules[303].wording == before


@pytest.mark.rule("nomic-chess", 104)
@pytest.mark.parametrize("against", [(), ("Cleo",), ("Ann",), ("Ann", "Ben", "Cleo")])
def test_adopted_exactly_when_it_has_the_votes(against):
    game = chess()
    proposal = nothing(game, against)
    assert proposal.outcome == ("defeated" if against else "adopted")
    assert (301 in game.rules) is (not against)
    assert (proposal.tally.votes_for, proposal.tally.votes_against) == (3 - len(against), len(against))


def test_the_tally_of_a_failed_proposal_names_the_demotion_that_is_due():
    game = sit("Ann", "Ben", system="nomic-chess")
    game.propose("Ann", nb.enact("Be kind."))
    game.votes(against=["Ann", "Ben"])
    failed = "Failed: 0 for, 2 against; 2 of 2 in favour are needed (rule 203)."
    for verdict in (f"{failed} Next: Ann – choose piece to demote (rule 206).", failed):
        assert game.proposals[301].tally.verdict == verdict
        assert Page(game, "Ben").table["proposals"]["301"]["vote"]["verdict"] == verdict
        if game.state.waiting:
            game.choose("Ann", game.pending[0].options[0])


@pytest.mark.rule("nomic-chess", 104)
def test_a_proper_proposal_is_not_dropped_or_moved_past():
    game = chess()
    game.propose("Ann", nb.enact("More."))
    with refused(game, "nothing-owed", opens="vote"):
        game.move("Ann", "white.e2-white.e4", push=PAIR)
    with refused(game, "nothing-owed", opens="vote"):
        game.propose("Ann", nb.enact("Something else."))
    with refused(game, "no-skipping", opens="vote"):
        game.skip("Ann")


@pytest.mark.rule("nomic-chess", 105)
@pytest.mark.parametrize("count", range(2, 9))
def test_all_may_vote_and_all_must(count):
    game = chess(*NAMES[:count])
    proposal = game.propose("Ann", nb.enact("More."))
    assert waiting_for(game, "vote") == list(NAMES[:count])
    assert all(decision.must for decision in game.pending)
    for name in NAMES[: count - 1]:
        game.vote(name, "for")
    assert proposal.outcome == "open"
    last = NAMES[count - 1]
    with refused(game, "everyone-must-vote", who=f"{last} has", rule=105, opens=f"{last}: vote"):
        game.close_vote("Ann")
    with refused(game, "not-one-of"):
        game.vote(last, "abstain")
    game.vote(last, "for")
    assert proposal.outcome == "adopted"


@pytest.mark.rule("nomic-chess", 105)
def test_a_vote_that_is_decided_goes_on():
    game = chess()
    proposal = game.propose("Ann", nb.enact("More."))
    game.vote("Ben", "against")
    assert proposal.outcome == "open"
    assert waiting_for(game, "vote") == ["Ann", "Cleo"]


@pytest.mark.rule("nomic-chess", 106)
def test_what_is_voted_on_is_what_is_in_force():
    game = chess()
    proposal = game.propose("Ann", nb.enact("Knights step, too.", law='piece N moves "NW"'))
    game.vote("Ben", "for")
    with refused(game, "nothing-debated", opens="vote"):
        game.revise("Ann", nb.enact("Knights fly.", law='piece N moves "NQ"'))
    ballot(game)
    assert (proposal.wording, proposal.law) == ("Knights step, too.", 'piece N moves "NW"')
    assert (game.rules[301].wording, game.rules[301].law) == (proposal.wording, proposal.law)


@pytest.mark.rule("nomic-chess", 106)
def test_nothing_is_voted_on_that_is_not_in_writing():
    for wording in ("", "  \n "):
        with refusals.refused("wording-missing"):
            nb.enact(wording)


@pytest.mark.rule("nomic-chess", 107)
def test_nothing_works_before_the_last_ballot():
    game = chess()
    game.propose("Ann", nb.enact("From yesterday on.", law="set castling.on to false"))
    for name in ("Ann", "Ben"):
        game.vote(name, "for")
        assert game.law["castling.on"].value is True
    game.vote("Cleo", "for")
    assert game.law["castling.on"].value is False


@pytest.mark.rule("nomic-chess", 107)
def test_earlier_captures_stay_as_they_were():
    game = arrange(chess("Ann", "Ben"), white="Ke1 Ra1", yellow="Ke1 white.Na3 white.Na4")
    nothing(game)
    game.move("Ann", "white.a1-white.a3")
    said = list(game.history["what"])
    put(game, nb.enact("From the start of the game on, captured pieces change sides.",
        law="instead of captured: convert piece to mover_army"))  # fmt: skip
    assert list(game.history["what"])[: len(said)] == said
    assert sum(piece.army == "white" for piece in game.state.position.pieces.values()) == 2
    game.move("Ben", moves(game, "yellow.e1")[0])
    nothing(game)
    game.move("Ann", "white.a3-white.a4")
    assert sum(piece.army == "white" for piece in game.state.position.pieces.values()) == 3


@pytest.mark.rule("nomic-chess", 108)
def test_numbers_go_up_whatever_the_vote():
    game = chess("Ann", "Ben")
    found = [whole(game, nb.enact("More."), against=against).number for against in (("Ann",), (), ("Ben",), ())]
    assert found == [301, 302, 303, 304]
    assert [number for number in found if number in game.rules] == [302, 304]


@pytest.mark.rule("nomic-chess", 108)
def test_a_changed_rule_has_the_number_of_what_changed_it_and_the_old_one_leads_there():
    game = chess("Ann", "Ben")
    whole(game, nb.amend(217, "Push two half-boards together and make a legal move."))
    whole(game, nb.transmute(301))
    rule = game.rules[302]
    assert [version.number for version in rule.all_versions] == [217, 301, 302]
    assert [version.how for version in rule.all_versions] == ["initial", "amended", "transmuted"]
    for old in (217, 301):
        with refusals.refused("rule-renumbered", KeyError, now=302):
            game.rules[old]
    assert "217" in game.rules[202].wording  # what other rules say keeps the old number


@pytest.mark.rule("nomic-chess", 108)
@pytest.mark.rule("nomic-chess", 211)
def test_a_rule_that_is_amended_goes_behind_the_others():
    game = chess("Ann", "Ben")
    whole(game, nb.enact("Two.", law="set pawn.double_step_ranks to [1, 2]"))
    whole(game, nb.enact("Three.", law="set pawn.double_step_ranks to [3]"))
    assert game.law["pawn.double_step_ranks"].rule == 301
    whole(game, nb.amend(301, "Two and one."))
    assert game.law["pawn.double_step_ranks"].rule == 302


@pytest.mark.rule("nomic-chess", 108)
def test_a_rule_repealed_and_enacted_again_has_the_new_number():
    game = chess("Ann", "Ben")
    wording, clauses = game.rules[206].wording, game.rules[206].law
    whole(game, nb.repeal(206))
    whole(game, nb.enact(wording, law=clauses))
    assert (206 in game.rules, 302 in game.rules) == (False, True)
    put(game, nb.enact("More."), against=("Ben",))
    assert [(one.player, one.rule) for one in game.pending] == [("Ann", 302)]


@pytest.mark.rule("nomic-chess", 109)
def test_an_immutable_rule_is_opened_up_by_all_or_not_at_all():
    game = chess()
    majority(game)
    proposal = whole(game, nb.transmute(112), against=("Cleo",))
    assert (proposal.outcome, proposal.tally.quota) == ("defeated", 3)
    assert "109" in proposal.tally.verdict
    assert whole(game, nb.transmute(112)).outcome == "adopted"


@pytest.mark.rule("nomic-chess", 109)
def test_closing_a_mutable_rule_takes_what_any_change_takes():
    game = chess()
    majority(game)
    proposal = whole(game, nb.transmute(217), against=("Cleo",))
    assert proposal.outcome == "adopted"
    assert game.rules[302].tier == "immutable"


@pytest.mark.rule("nomic-chess", 109)
def test_no_mutable_rule_makes_opening_up_easier():
    game = chess()
    law(game, "set vote.quota to 1\nprevails over everything")
    last_move(game)
    assert whole(game, nb.transmute(112), against=("Cleo",)).outcome == "defeated"


@pytest.mark.rule("nomic-chess", 109)
def test_a_transmutation_is_said_outright():
    game = chess("Ann", "Ben")
    whole(game, nb.enact("This also makes 105 mutable."))
    assert game.rules[105].tier == "immutable"
    with refused(game, "not-proposable", rule=103):
        game.propose("Ben", nb.repeal(105))
    with refused(game, "function-without-brackets"):
        game.propose("Ben", nb.enact("By the way.", law="on enacted when rule == this: transmute rule_numbered"))


@pytest.mark.rule("nomic-chess", 109)
def test_no_clause_transmutes_an_immutable_rule_by_itself():
    game = chess("Ann", "Ben")
    assert whole(
        game, nb.enact("By the way.", law="on enacted when rule == this: transmute rule_numbered(105)")
    ).outcome in ("adopted", "without effect")
    assert game.rules[105].tier == "immutable"


@pytest.mark.rule("nomic-chess", 110)
def test_a_mutable_rule_against_an_immutable_one_is_void_as_a_whole_and_works_again_later():
    game = chess("Ann", "Ben")
    whole(game, nb.enact("Nobody has to vote, and nobody castles.",
        law="set vote.duty to false\nset castling.on to false"))  # fmt: skip
    assert all(number in game.rules.void_reason(game.rules[301]) for number in ("105", "110"))
    assert game.law["vote.duty"].value is True
    assert game.law["castling.on"].value is True
    whole(game, nb.transmute(105))
    assert not game.rules.void_reason(game.rules[301])
    assert game.law["castling.on"].value is False


@pytest.mark.rule("nomic-chess", 110)
def test_claims_do_not_help_against_an_immutable_rule():
    game = chess()
    law(game, "forbid forfeit\nprevails over everything")
    game.forfeit("Cleo")
    assert game.state.names_of_players == ("Ann", "Ben")


@pytest.mark.rule("nomic-chess", 110)
@pytest.mark.parametrize("number", range(101, 117))
def test_to_propose_a_transmutation_is_no_conflict(number):
    assert put(chess("Ann", "Ben"), nb.transmute(number)).outcome == "adopted"


@pytest.mark.rule("nomic-chess", 111)
def test_the_proponent_settles_form_and_time():
    game = chess()
    proposal = game.propose("Ann", nb.enact("Vague."), debate=True)
    with refused(game, "debate-not-yours", rule=111, opens="Ann: call_vote"):
        game.call_vote("Ben")
    with refused(game, "debate-not-yours", rule=111, opens="Ann"):
        game.revise("Cleo", nb.enact("Mine."))
    with refused(game, "no-vote-open"):
        game.vote("Ben", "against")
    game.say("Ben", "That is vague.")
    game.revise("Ann", nb.enact("Clear as day."))
    game.call_vote("Ann")
    ballot(game)
    assert (proposal.number, game.rules[301].wording) == (301, "Clear as day.")


@pytest.mark.rule("nomic-chess", 111)
@pytest.mark.rule("nomic-chess", 212)
def test_once_the_judge_is_asked_the_judge_ends_the_debate():
    game = chess()
    proposal = game.propose("Ann", nb.enact("Vague."), debate=True)
    game.invoke_judgment("Ben", "Was there enough time?", proposal=301)
    (asked,) = waiting_for(game, "rule_on")
    assert asked == "Cleo"  # who has the turn before Ann's
    rule_for(game, "Cleo", "Not yet.")
    with refused(game, "debate-not-yours", rule=111, opens="Cleo"):
        game.call_vote("Ann")
    game.call_vote("Cleo")
    assert proposal.outcome == "open"


@pytest.mark.rule("nomic-chess", 111)
@pytest.mark.parametrize(
    "change",
    [
        nb.enact("This rule is false."),
        nb.enact("Knights fly. Also 206 is gone. Also red is blue."),
        nb.enact("Hm."),
        nb.enact("Nobody may ever move.", law="forbid move"),
    ],
)
def test_a_dubious_proposal_is_proper(change):
    assert chess().propose("Ann", change).outcome == "open"


@pytest.mark.rule("nomic-chess", 111)
def test_so_is_an_amendment_that_changes_nothing():
    game = chess()
    assert game.propose("Ann", nb.amend(218, game.rules[218].wording)).outcome == "open"
