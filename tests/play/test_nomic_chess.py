"""Nomic Chess, Rules 101 to 213: what they demand of the kit, rule by rule. The boards have a file of their own."""

import pytest
from board_helpers import arrange, chess, controllers, finish, law, moves, nothing, on, turns
from play_helpers import ballot, by_hand, put, refused, waiting_for

import nomic_nb as nb

NAMES = ("Ann", "Ben", "Cleo", "Dov", "Eve", "Fay", "Gus", "Hal")
PAIR = ("white", "yellow")


def numbers(game, tier):
    """The numbers of the rules that stand so, in order."""
    return sorted(rule.number for rule in game.rules if rule.tier == tier)


def whole(game, change, against=()):
    """A whole turn with this proposal; what it asks for is declined or done with the first thing that will do."""
    proposal = put(game, change, against)
    turn = game.turn
    while game.turn == turn and not game.over:
        decision = next(one for one in game.pending if one.must)
        if decision.action == "move":
            game.move(decision.player, decision.options[0])
        else:
            game.choose(decision.player, decision.options[-1], decision.id)
    return proposal


def majority(game):
    """A whole turn in which all agree that from now on more than half are enough."""
    proposal = whole(game, nb.library.simple_majority().change(203))
    assert proposal.outcome == "adopted"
    return proposal.number


def answer(game, option):
    """Everyone who is asked gives the same answer."""
    while asked := waiting_for(game, "choose"):
        game.choose(asked[0], option)


def rule_for(game, judge, ruling="So it is.", **more):
    """The Judge decides, and nobody overrules."""
    game.rule_on(judge, ruling, **more)
    while voters := waiting_for(game, "overrule"):
        game.overrule(voters[0], "against")


def last_move(game):
    """The player on turn makes the first move that there is."""
    game.move(game.player, moves(game)[0])


# 101 to 106: rules, rule-changes, votes


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
    with refused(game, match="302", rule=103):
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
    with refused(game, match="112", rule=103):
        game.propose("Ann", change)
    assert waiting_for(game, "propose") == ["Ann"]  # DR-11: the part of the turn is not done
    assert nothing(game).number == 301


@pytest.mark.rule("nomic-chess", 103)
def test_what_is_not_there_is_not_changed():
    game = chess()
    for change in (nb.amend(299, "Hm."), nb.repeal(299), nb.transmute(299), nb.repeal(218, part=1)):
        with refused(game, match=str(change.target)):
            game.propose("Ann", change)


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


@pytest.mark.rule("nomic-chess", 104)
def test_a_proper_proposal_is_not_dropped_or_moved_past():
    game = chess()
    game.propose("Ann", nb.enact("More."))
    with refused(game, opens="vote"):
        game.move("Ann", "white.e2-white.e4", push=PAIR)
    with refused(game, opens="vote"):
        game.propose("Ann", nb.enact("Something else."))
    with refused(game, opens="vote"):
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
    with refused(game, rule=105, match=last, opens=f"{last}: vote"):
        game.close_vote("Ann")
    with refused(game, match="abstain"):
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
    with refused(game, opens="vote"):
        game.revise("Ann", nb.enact("Knights fly.", law='piece N moves "NQ"'))
    ballot(game)
    assert (proposal.wording, proposal.law) == ("Knights step, too.", 'piece N moves "NW"')
    assert (game.rules[301].wording, game.rules[301].law) == (proposal.wording, proposal.law)


@pytest.mark.rule("nomic-chess", 106)
def test_nothing_is_voted_on_that_is_not_in_writing():
    for wording in ("", "  \n "):
        with pytest.raises(nb.LawError, match="wording"):
            nb.enact(wording)


# 107 to 111: when, numbers, unanimity, what is void, debate


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
    assert [version.number for version in rule.history] == [217, 301, 302]
    assert [version.how for version in rule.history] == ["initial", "amended", "transmuted"]
    for old in (217, 301):
        with pytest.raises(KeyError, match="302"):
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
    with refused(game, rule=103):
        game.propose("Ben", nb.repeal(105))
    with refused(game, nb.LawError):
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
    assert all(number in game.rules.void(game.rules[301]) for number in ("105", "110"))
    assert game.law["vote.duty"].value is True
    assert game.law["castling.on"].value is True
    whole(game, nb.transmute(105))
    assert not game.rules.void(game.rules[301])
    assert game.law["castling.on"].value is False


@pytest.mark.rule("nomic-chess", 110)
def test_claims_do_not_help_against_an_immutable_rule():
    game = chess()
    law(game, "forbid forfeit\nprevails over everything")
    game.forfeit("Cleo")
    assert game.state.playing == ("Ann", "Ben")


@pytest.mark.rule("nomic-chess", 110)
@pytest.mark.parametrize("number", range(101, 117))
def test_to_propose_a_transmutation_is_no_conflict(number):
    assert put(chess("Ann", "Ben"), nb.transmute(number)).outcome == "adopted"


@pytest.mark.rule("nomic-chess", 111)
def test_the_proponent_settles_form_and_time():
    game = chess()
    proposal = game.propose("Ann", nb.enact("Vague."), debate=True)
    with refused(game, rule=111, opens="Ann: call_vote"):
        game.call_vote("Ben")
    with refused(game, rule=111, opens="Ann"):
        game.revise("Cleo", nb.enact("Mine."))
    with refused(game):
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
    with refused(game, rule=111, opens="Cleo"):
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


# 112 to 116: winning, leaving, staying changeable, self-reference, freedom


@pytest.mark.rule("nomic-chess", 112)
@pytest.mark.parametrize(
    "clauses", ["set win.winners to seats", "set win.winners to [mover]\nprevails over everything"]
)
def test_winning_is_being_the_only_one_left(clauses):
    game = chess()
    law(game, clauses)
    assert not game.over
    assert "112" in game.rules.void(game.rules[301]) or game.law["win.winners"].rule == 112
    finish(game)
    assert not game.over


@pytest.mark.rule("nomic-chess", 112)
def test_how_players_are_eliminated_can_change():
    game = arrange(chess(), white="Ke1 Ra1", yellow="Ke1 white.Qa3", green="Ke1")
    law(game, 'on captured when piece.kind == "Q": eliminate piece.owner')
    game.move("Ann", "white.a1-white.a3", push=PAIR)
    assert game.state.playing == ("Ann", "Cleo")
    assert not game.over


@pytest.mark.rule("nomic-chess", 112)
@pytest.mark.rule("nomic-chess", 213)
def test_who_wins_when_play_cannot_go_on_can_change():
    game = arrange(
        chess("Ann", "Ben", terms={"army.stuck": "play cannot continue"}), white="Ka1", yellow="Ke1 white.Qb3"
    )
    proposal = put(
        game, nb.amend(213, "When play cannot go on, Ben wins.", law="set win.when_stuck to [item(seats, 2)]")
    )
    assert proposal.outcome == "adopted"
    assert game.winner == "Ben"


@pytest.mark.rule("nomic-chess", 113)
@pytest.mark.parametrize("moment", ["before", "debate", "vote", "moves", "question", "promotion", "demotion"])
@pytest.mark.parametrize("who", ["Ann", "Dov"])
def test_leaving_is_possible_at_any_moment(moment, who):
    game = chess("Ann", "Ben", "Cleo", "Dov")
    if moment == "promotion":
        turns(game, 8)
        nothing(game, against=("Dov",))
        assert waiting_for(game, "choose") == ["Dov"]
    elif moment == "demotion":
        nothing(game, against=("Dov",))
        assert waiting_for(game, "choose") == ["Ann"]
    elif moment == "debate":
        game.propose("Ann", nb.enact("More."), debate=True)
    elif moment == "vote":
        game.propose("Ann", nb.enact("More."))
        game.vote("Dov", "against")
    elif moment == "moves":
        nothing(game)
    elif moment == "question":
        game.invoke_judgment("Ben", "Is it late?")
    game.forfeit(who)
    assert who not in game.state.playing
    assert who not in {decision.player for decision in game.pending}
    assert game.pending
    assert not game.over


@pytest.mark.rule("nomic-chess", 113)
def test_dr17_an_open_vote_is_counted_again_among_the_rest():
    game = chess()
    proposal = game.propose("Ann", nb.enact("More."))
    game.vote("Ann", "for")
    game.vote("Cleo", "against")
    game.forfeit("Cleo")
    assert (proposal.tally.votes_against, proposal.tally.quota) == (0, 2)
    game.vote("Ben", "for")
    assert proposal.outcome == "adopted"


@pytest.mark.rule("nomic-chess", 113)
def test_dr17_what_becomes_of_the_open_proposal_of_one_who_leaves_is_asked():
    game = chess()
    game.propose("Ann", nb.enact("More."))
    game.vote("Ben", "for")
    game.forfeit("Ann")
    assert waiting_for(game, "choose") == ["Ben", "Cleo"]
    answer(game, "lapse")
    assert game.proposals[301].outcome == "lapsed"
    assert game.player == "Ben"


@pytest.mark.rule("nomic-chess", 113)
def test_dr34_armies_of_one_who_left_stay_and_can_be_captured():
    game = arrange(chess(), white="Ke1 Ra1", yellow="Kh1 white.Na3", green="Ke1")
    game.forfeit("Ben")
    nothing(game)
    game.move("Ann", "white.a1-white.a3", push=("white", "green"))
    assert on(game, "white.a3") == "white R"
    assert on(game, "yellow.h1") == "yellow K"
    assert game.player == "Cleo"


@pytest.mark.rule("nomic-chess", 114)
def test_one_rule_stays_mutable():
    game = chess("Ann", "Ben")
    outcomes = {whole(game, nb.transmute(number)).outcome for number in range(201, 222)}
    assert outcomes == {"adopted"}
    last = put(game, nb.transmute(222))
    assert last.outcome == "without effect"
    assert numbers(game, "mutable") == [222]
    assert "114" in str(game.proposals.frame.loc[last.number, "note"])


@pytest.mark.rule("nomic-chess", 114)
@pytest.mark.parametrize(
    "clauses", ["forbid propose\nprevails over everything", "set turn.sequence to []\nprevails over everything"]
)
def test_rule_changes_never_become_impossible(clauses):
    game = chess("Ann", "Ben")
    whole(game, nb.transmute(103))
    proposal = put(game, nb.enact("No more changes.", law=clauses))
    assert proposal.outcome == "without effect"
    assert "114" in proposal.tally.verdict
    game.move("Ben", moves(game)[0])
    assert waiting_for(game, "propose") == ["Ann"]


@pytest.mark.rule("nomic-chess", 115)
@pytest.mark.parametrize("number", [202, 203, 204, 205, 206, 211, 212])
def test_a_rule_about_changing_rules_is_changed_by_a_vote_held_under_it(number):
    game = chess()
    proposal = put(game, nb.amend(number, game.rules[number].wording + " And why not?"))
    assert (proposal.outcome, proposal.tally.quota) == ("adopted", 3)
    assert game.rules[301].wording.endswith("And why not?")


@pytest.mark.rule("nomic-chess", 115)
def test_115_goes_the_way_of_all_rules():
    game = chess("Ann", "Ben")
    whole(game, nb.transmute(115))
    assert whole(game, nb.repeal(301)).outcome == "adopted"
    proposal = whole(game, nb.enact("This rule repeals itself at the next adoption.", law="on adopted: repeal this"))
    assert whole(game, nb.enact("Goodbye.")).outcome == "adopted"
    assert proposal.number not in game.rules


@pytest.mark.rule("nomic-chess", 116)
def test_what_no_rule_speaks_of_is_free_and_changes_nothing():
    game = chess()
    before = [(rule.number, rule.wording) for rule in game.rules], game.state.position
    game.act("Ben", "declares rule 208 repealed and puts a second queen on the table")
    game.say("Cleo", "Well!")
    assert ([(rule.number, rule.wording) for rule in game.rules], game.state.position) == before


@pytest.mark.rule("nomic-chess", 116)
def test_rules_are_changed_by_permission_only():
    game = chess()
    with refused(game, opens="Ann: propose"):
        game.propose("Ben", nb.enact("Out of turn."))
    nothing(game)
    with refused(game, opens="Ann: move"):
        game.propose("Ann", nb.enact("A second one."))


# 201 to 209: turns, votes, and what they cost


@pytest.mark.rule("nomic-chess", 201)
@pytest.mark.parametrize("count", range(2, 9))
def test_turns_go_round_by_armies(count):
    game = chess(*NAMES[:count])
    names = list(game.state.position.armies)
    assert names == ["white", "yellow", "green", "orange", "blue", "red", "violet", "brown"][:count]
    seen = []
    for _ in range(count + 1):
        seen.append((game.player, game.state.go.army, game.circuit))
        finish(game)
    assert seen == [(NAMES[n % count], names[n % count], 1 + n // count) for n in range(count + 1)]


@pytest.mark.rule("nomic-chess", 201)
def test_no_part_is_left_out():
    game = chess()
    for expected in ("propose", "move"):
        with refused(game, rule=201, opens=f"Ann: {expected}"):
            game.skip("Ann")
        assert all(one.must for one in game.pending)
        with refused(game, opens=f"Ann: {expected}"):
            game.end_turn("Ann")
        if expected == "propose":
            nothing(game)


@pytest.mark.rule("nomic-chess", 202)
def test_proposal_then_moves_then_takeover():
    game = chess()
    assert game.part == "proposal"
    nothing(game)
    assert game.part == "moves"
    last_move(game)
    assert (game.player, game.part) == ("Ben", "proposal")
    parts = [event["part"] for event in game.history.query("kind == 'part_begun'")["data"]]
    assert parts == ["proposal", "moves", "takeover", "proposal"]


@pytest.mark.rule("nomic-chess", 202)
def test_a_defeat_does_not_spare_the_move():
    game = chess()
    nothing(game, against=("Ben",))
    answer_first(game)
    assert waiting_for(game, "move") == ["Ann"]


def answer_first(game):
    """Whoever is asked takes the first option."""
    decision = next(one for one in game.pending if one.action == "choose")
    game.choose(decision.player, decision.options[0], decision.id)


@pytest.mark.rule("nomic-chess", 203)
@pytest.mark.parametrize("count", range(2, 9))
def test_unanimity_for_two_circuits_then_more_than_half(count):
    game = chess(*NAMES[:count])
    turns(game, 2 * count - 1)
    assert (game.turn, game.circuit) == (2 * count, 2)
    proposal = nothing(game)
    assert proposal.tally.quota == count
    assert game.rules[203].how == "initial"
    last_move(game)
    rule = game.rules[203]
    assert (rule.number, rule.how, rule.tier) == (203, "automatic", "mutable")
    proposal = game.propose("Ann", nb.enact("More."))
    assert proposal.tally.quota == count // 2 + 1  # DR-03: half is not enough


@pytest.mark.rule("nomic-chess", 203)
def test_dr08_the_automatic_change_is_on_record_and_is_nobodys():
    game = chess("Ann", "Ben")
    turns(game, 4)
    versions = game.rules[203].history
    assert [version.how for version in versions] == ["initial", "automatic"]
    assert "more than half" in game.rules[203].wording
    (row,) = game.history.query("kind == 'amended'").to_dict("records")
    assert row["rule"] == 203
    assert nothing(game).number == 305


@pytest.mark.rule("nomic-chess", 203)
def test_dr09_an_amended_203_does_not_change_by_itself():
    game = chess("Ann", "Ben")
    whole(game, nb.amend(203, "All must agree, always."))
    turns(game, 5)
    assert game.rules[301].how == "amended"
    assert game.propose("Ann" if game.player == "Ann" else "Ben", nb.enact("More.")).tally.quota == 2
    assert game.rules[301].wording == "All must agree, always."


@pytest.mark.rule("nomic-chess", 203)
def test_dr09_a_transmuted_203_still_does():
    game = chess()
    whole(game, nb.transmute(203))
    assert game.rules[301].tier == "immutable"
    turns(game, 5)
    assert game.rules[301].how == "automatic"
    assert nothing(game, against=("Cleo",)).outcome == "adopted"


@pytest.mark.rule("nomic-chess", 204)
def test_there_is_no_reward_while_all_must_agree():
    game = chess()
    nothing(game, against=("Cleo",))
    assert waiting_for(game, "choose") == ["Ann"]  # who demotes; Cleo gets nothing


@pytest.mark.rule("nomic-chess", 204)
@pytest.mark.parametrize(("kind", "becomes"), [("P", "N"), ("N", "B"), ("B", "R"), ("R", "Q")])
def test_one_step_up_at_once(kind, becomes):
    game = chess()
    majority(game)
    arrange(game, white="Ke1 Ph2", yellow="Ke1 Ph2", green=f"Ke1 Qa1 {kind}c3")
    nothing(game, against=("Cleo",))
    (asked,) = game.pending
    assert (asked.player, asked.rule) == ("Cleo", 204)
    assert len(asked.options) == 2  # this piece, or none: not the king, not the queen
    game.choose("Cleo", asked.options[0])
    assert on(game, "green.c3") == f"green {becomes}"
    assert waiting_for(game, "move") == ["Ben"]


@pytest.mark.rule("nomic-chess", 204)
def test_a_proponent_who_votes_against_and_wins_is_rewarded():
    game = chess()
    majority(game)
    proposal = nothing(game, against=("Ben",))
    assert proposal.outcome == "adopted"
    assert waiting_for(game, "choose") == ["Ben"]


@pytest.mark.rule("nomic-chess", 204)
def test_nobody_is_rewarded_for_a_defeat():
    game = chess()
    majority(game)
    nothing(game, against=("Ann", "Cleo"))
    assert [(one.player, one.rule) for one in game.pending] == [("Ben", 206)]


@pytest.mark.rule("nomic-chess", 204)
@pytest.mark.rule("nomic-chess", 221)
def test_a_promotion_can_put_a_king_in_check():
    game = chess()
    majority(game)
    arrange(game, white="Ke1 Ph2", yellow="Ke1 Ph2", green="Kh1 yellow.Ba1")
    nothing(game, against=("Cleo",))
    answer_first(game)
    assert on(game, "yellow.a1") == "green R"
    assert [one for one in moves(game) if one.split(": ")[1].startswith("yellow.h2")] == []  # parry with the king
    assert moves(game, "yellow.e1")


@pytest.mark.rule("nomic-chess", 204)
@pytest.mark.rule("nomic-chess", 206)
def test_dr30_what_went_down_and_up_the_ladder_does_not_castle():
    game = chess("Ann", "Ben")
    by_hand(game, "Ann", 'remove [p for p in army_named("white").pieces if p.kind in ["N", "B", "Q"]]')
    by_hand(game, "Ann", 'demote square_named("white.a1").piece')
    by_hand(game, "Ann", 'promote square_named("white.a1").piece')
    assert on(game, "white.a1") == "white R"
    nothing(game)
    ends = {one.split("-")[1] for one in moves(game, "white.e1")}
    assert "white.g1" in ends
    assert "white.c1" not in ends


@pytest.mark.rule("nomic-chess", 205)
def test_an_adopted_change_works_before_the_move():
    game = chess()
    law(game, 'piece P moves "fmR"')
    game.move("Ann", "white.e2-white.e3", push=PAIR)
    assert on(game, "white.e3") == "white P"
    game = chess()
    law(game, 'piece N moves "A"')
    assert {one.split("-")[1] for one in moves(game, "white.b1")} == {"white.d3"}


@pytest.mark.rule("nomic-chess", 205)
@pytest.mark.rule("nomic-chess", 204)
def test_dr07_the_vote_that_ends_the_reward_still_pays_it():
    game = chess()
    majority(game)
    put(game, nb.repeal(204), against=("Cleo",))
    assert waiting_for(game, "choose") == ["Cleo"]
    game.choose("Cleo", "none")
    last_move(game)
    assert nothing(game, against=("Ann",)).outcome == "adopted"
    assert waiting_for(game, "move") == ["Cleo"]


@pytest.mark.rule("nomic-chess", 206)
def test_demotion_is_a_duty_that_comes_before_the_move():
    game = chess()
    nothing(game, against=("Ben",))
    (asked,) = game.pending
    assert (asked.player, asked.rule, asked.must) == ("Ann", 206, True)
    assert not any("king" in str(option) for option in asked.options)
    assert len(asked.options) == 15
    with refused(game):
        game.choose("Ann", "none")
    with refused(game, match="something to do first"):
        game.move("Ann", "white.e2-white.e4", push=PAIR)


@pytest.mark.rule("nomic-chess", 206)
def test_a_demotion_can_lay_ones_own_king_open():
    game = arrange(chess("Ann", "Ben"), white="Ke1 Pc1 Ph2", yellow="Ke4 white.Ra1")
    nothing(game, against=("Ben",))
    pawn = next(option for option in game.pending[0].options if "c1" in str(option))
    game.choose("Ann", pawn)
    assert on(game, "white.c1") == ""
    with refused(game, match="check", rule=221):
        game.move("Ann", "white.h2-white.h3", push=PAIR)


@pytest.mark.rule("nomic-chess", 206)
@pytest.mark.rule("nomic-chess", 220)
def test_a_player_with_two_armies_may_demote_a_piece_of_either():
    game = arrange(chess(), white="Ke1 Qa1", yellow="Ke1 Rb1", green="Ke1")
    by_hand(game, "Ann", 'give army_named("yellow") to "Ann"')
    nothing(game, against=("Cleo",))
    assert {str(one).split()[-1] for one in game.pending[0].options} == {"white.a1", "yellow.b1"}


@pytest.mark.rule("nomic-chess", 207)
def test_one_vote_each_whatever_a_later_rule_says_and_more_once_207_itself_says_so():
    game = chess("Ann", "Ben")
    weigh = "set vote.weight to count(armies_of(voter)) + 1"
    whole(game, nb.enact("Armies vote.", law=weigh))
    assert nothing(game).tally.votes_for == 2
    last_move(game)
    whole(game, nb.amend(207, "Armies vote, and the players with them.", law=weigh))
    assert nothing(game).tally.votes_for == 4


@pytest.mark.rule("nomic-chess", 207)
def test_a_vote_is_cast_once():
    game = chess()
    game.propose("Ann", nb.enact("More."))
    game.vote("Ben", "against")
    for again in ("for", "against"):
        with refused(game, match="Ben"):
            game.vote("Ben", again)


@pytest.mark.rule("nomic-chess", 208)
@pytest.mark.rule("nomic-chess", 222)
def test_dr49_the_last_one_left_wins_by_whatever_hands_the_others_went():
    game = chess("Ann", "Ben", "Cleo", "Dov")
    game.forfeit("Ben")
    by_hand(game, "Ann", 'eliminate "Cleo"')
    assert not game.over
    game.forfeit("Ann")
    assert (game.over, game.winners) == (True, ("Dov",))
    with refused(game, match="over"):
        game.propose("Dov", nb.enact("Encore."))


@pytest.mark.rule("nomic-chess", 202)
@pytest.mark.rule("nomic-chess", 208)
def test_dr50_a_game_that_is_won_by_the_vote_has_no_moves_after_it():
    game = chess("Ann", "Ben")
    put(game, nb.enact("Ben is out.", law='on enacted when rule == this: eliminate player_named("Ben")'))
    assert game.winner == "Ann"
    assert len(list(game.pending)) == 0
    assert "moves" not in [event.get("part") for event in game.history.query("kind == 'part_begun'")["data"]]


@pytest.mark.rule("nomic-chess", 209)
def test_dr14_thirty_five_and_no_more_by_whatever_way():
    game = chess("Ann", "Ben")
    for _ in range(13):
        whole(game, nb.enact("More."))
    assert len(numbers(game, "mutable")) == 35
    assert whole(game, nb.transmute(116)).outcome == "without effect"
    late = whole(game, nb.enact("One too many."))
    assert late.outcome == "without effect"
    assert "209" in str(game.proposals.frame.loc[late.number, "note"])
    assert whole(game, nb.amend(218, "Whisper.")).outcome == "adopted"
    assert whole(game, nb.repeal(215)).outcome == "adopted"
    assert whole(game, nb.transmute(116)).outcome == "adopted"
    assert len(numbers(game, "mutable")) == 35


@pytest.mark.rule("nomic-chess", 209)
def test_a_defeat_is_not_owed_for_a_rule_without_effect():
    game = chess("Ann", "Ben", terms={"ladder.kinds": ["P", "Q"]})
    for _ in range(13):
        whole(game, nb.enact("More."))
    nothing(game)
    assert waiting_for(game, "choose") == []


@pytest.mark.rule("nomic-chess", 209)
@pytest.mark.rule("nomic-chess", 110)
def test_dr13_a_void_rule_takes_a_place():
    game = chess("Ann", "Ben")
    whole(game, nb.enact("No duty.", law="set vote.duty to false"))
    assert game.rules.frame.loc[301, "void"]
    for _ in range(12):
        whole(game, nb.enact("More."))
    assert nothing(game).outcome == "without effect"


# 210 and 211: talk, precedence


@pytest.mark.rule("nomic-chess", 210)
def test_talk_about_plans_is_recorded_and_not_refused():
    game = chess()
    game.say("Ann", "Ben, shall we repeal 206 next?")
    assert "206" in game.history.iloc[-1]["what"]
    assert "computer" in game.rules[210].wording


@pytest.mark.rule("nomic-chess", 210)
def test_the_medium_can_be_said_when_the_game_is_set_up():
    game = chess(medium="table")
    assert waiting_for(game, "propose") == ["Ann"]


@pytest.mark.rule("nomic-chess", 211)
def test_the_lowest_number_prevails_but_for_claims():
    game = chess("Ann", "Ben")
    whole(game, nb.enact("Wazirs.", law="set castling.on to false"))
    whole(game, nb.enact("Ferzes.", law="set castling.on to true"))
    assert game.law["castling.on"].rule == 301
    assert 302 in [one.source.rule.number for one in game.why("castling.on").defeated]
    whole(game, nb.amend(302, law="set castling.on to true\nprevails over 301"))
    assert game.law["castling.on"].rule == 303
    whole(game, nb.amend(301, law="set castling.on to false\nprevails over 303"))
    assert game.law["castling.on"].rule == 303  # both claim, and 301 has become 304


@pytest.mark.rule("nomic-chess", 211)
def test_forbidding_and_allowing_go_by_number():
    game = chess("Ann", "Ben")
    whole(game, nb.enact("Passing is fine.", law="allow skip"))
    with refused(game, rule=201):
        game.skip("Ben")
    whole(game, nb.enact("Passing is fine, really.", law="allow skip\nprevails over 201"))
    game.skip("Ann")
    assert game.player == "Ben"


# 212: the Judge


@pytest.mark.rule("nomic-chess", 212)
def test_f1_the_judge_is_who_comes_before_the_player_on_turn():
    game = chess()
    finish(game)
    game.invoke_judgment("Cleo", "May Ben hum?")
    assert waiting_for(game, "rule_on") == ["Ann"]
    with refused(game, rule=212, match="Ann"):
        game.rule_on("Cleo", "No.")
    with refused(game, rule=212, opens="Ann: rule_on"):
        game.propose("Ben", nb.enact("More."))


@pytest.mark.rule("nomic-chess", 212)
@pytest.mark.parametrize("count", range(2, 9))
def test_f1_the_first_turn_is_judged_by_the_last_player(count):
    game = chess(*NAMES[:count])
    game.invoke_judgment("Ann", "Who brought the snacks?")
    assert waiting_for(game, "rule_on") == [NAMES[count - 1]]


@pytest.mark.rule("nomic-chess", 212)
def test_dr21_before_is_meant_by_armies():
    game = chess("Ann", "Ben", "Cleo", "Dov")
    by_hand(game, "Ann", 'give army_named("green") to "Ann"')
    finish(game)
    finish(game)
    finish(game)
    assert (game.player, game.state.go.army) == ("Dov", "orange")
    game.invoke_judgment("Ben", "Is it late?")
    assert waiting_for(game, "rule_on") == ["Ann"]  # who has green now, and not Ben, who sits before Dov


@pytest.mark.rule("nomic-chess", 212)
def test_dr21_the_player_on_turn_is_passed_over():
    game = chess()
    by_hand(game, "Ann", 'give army_named("yellow") to "Ann"')
    finish(game)
    assert (game.player, game.state.go.army) == ("Ann", "yellow")
    game.invoke_judgment("Cleo", "Is it late?")
    assert waiting_for(game, "rule_on") == ["Cleo"]  # white is Ann's, too


@pytest.mark.rule("nomic-chess", 212)
def test_f3_all_others_overrule_and_the_one_before_is_judge():
    game = chess()
    finish(game)
    game.invoke_judgment("Cleo", "May Ben hum?")
    game.rule_on("Ann", "Yes.", reasons="custom", rests_on=[116])
    assert waiting_for(game, "overrule") == ["Ben", "Cleo"]  # DR-23: all but the Judge
    game.overrule("Cleo", "for")
    assert waiting_for(game, "rule_on") == []
    game.overrule("Ben", "for")
    assert waiting_for(game, "rule_on") == ["Cleo"]
    game.rule_on("Cleo", "No.")
    (judgment,) = game.judgments
    assert judgment.judge == "Cleo"
    assert "Ruling: No." in str(game.judgments)


@pytest.mark.rule("nomic-chess", 212)
def test_f3_one_of_two_is_not_enough():
    game = chess()
    finish(game)
    game.invoke_judgment("Cleo", "May Ben hum?")
    game.rule_on("Ann", "Yes.")
    game.overrule("Cleo", "for")
    game.overrule("Ben", "against")
    (judgment,) = game.judgments
    assert (judgment.judge, judgment.status) == ("Ann", "stands")


@pytest.mark.rule("nomic-chess", 212)
def test_f5_after_the_next_turn_has_begun_it_is_too_late():
    game = chess()
    finish(game)
    game.invoke_judgment("Cleo", "May Ben hum?")
    rule_for(game, "Ann", "Yes.")
    nothing(game)
    last_move(game)
    for name in ("Ann", "Ben"):
        game.consent(name)
    assert game.player == "Cleo"
    with refused(game):
        game.overrule("Ben", "for")


@pytest.mark.rule("nomic-chess", 212)
@pytest.mark.parametrize(("count", "needed"), [(2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_dr25_the_next_turn_waits_for_more_than_half_of_the_others(count, needed):
    game = chess(*NAMES[:count])
    game.invoke_judgment("Ann", "Is it late?")
    rule_for(game, NAMES[count - 1])
    nothing(game)
    last_move(game)
    others = [name for name in NAMES[:count] if name != "Ben"]
    for n, name in enumerate(others[:needed]):
        assert game.player != "Ben", n
        game.consent(name)
    assert game.player == "Ben"
    assert needed == (count - 1) // 2 + 1


@pytest.mark.rule("nomic-chess", 212)
def test_dr25_the_consent_of_the_next_player_does_not_count():
    game = chess()
    game.invoke_judgment("Ann", "Is it late?")
    rule_for(game, "Cleo")
    nothing(game)
    last_move(game)
    if "Ben" in waiting_for(game, "consent"):
        game.consent("Ben")
    game.consent("Ann")
    assert game.player != "Ben"
    game.consent("Cleo")
    assert game.player == "Ben"


@pytest.mark.rule("nomic-chess", 212)
def test_dr24_with_two_players_there_is_no_second_judge_and_the_table_decides():
    game = chess("Ann", "Ben")
    game.invoke_judgment("Ann", "Is it late?")
    game.rule_on("Ben", "No.")
    game.overrule("Ann", "for")
    assert waiting_for(game, "rule_on") == []
    assert set(waiting_for(game, "choose")) == {"Ann", "Ben"}


@pytest.mark.rule("nomic-chess", 212)
def test_f11_a_new_judge_is_free_of_what_an_old_one_decided():
    game = chess()
    game.invoke_judgment("Ann", "May players hum?")
    rule_for(game, "Cleo", "Yes.", rests_on=[116])
    nothing(game)
    last_move(game)
    for name in ("Ann", "Cleo"):
        game.consent(name)
    game.invoke_judgment("Ann", "May players hum?")
    rule_for(game, "Ann", "No.", rests_on=[116])
    first, second = game.judgments
    assert "Ruling: Yes." in str(game.judgments)
    assert second.status == "stands"
    assert [number for number, _ in game.judgments.before(second)] == [first.id]


@pytest.mark.rule("nomic-chess", 212)
@pytest.mark.rule("nomic-chess", 110)
def test_b17_a_judge_voids_a_rule_by_a_ruling():
    game = chess()
    whole(game, nb.enact("Players need not obey immutable rules.", law="set castling.on to false"))
    assert game.law["castling.on"].value is False
    game.invoke_judgment("Cleo", "Does 301 conflict with 101?")
    rule_for(game, "Ann", "It does.", rests_on=[110, 101], orders="void rule_numbered(301) against rule_numbered(101)")
    assert "110" in game.rules.void(game.rules[301])
    assert game.law["castling.on"].value is True
    assert 301 in game.rules


@pytest.mark.rule("nomic-chess", 212)
def test_a_player_who_is_out_is_no_judge():
    game = chess()
    game.forfeit("Ann")
    assert game.player == "Ben"
    game.invoke_judgment("Ben", "Is it late?")
    assert waiting_for(game, "rule_on") == ["Cleo"]


@pytest.mark.rule("nomic-chess", 212)
def test_a_team_mate_of_the_player_on_turn_is_no_judge():
    game = chess("Ann", "Ben", "Cleo", "Dov")
    law(game, 'set team.mates to ([p for p in playing if p.name in ["Ann", "Ben"] and p != player] '
        'if player.name in ["Ann", "Ben"] else [])')  # fmt: skip
    last_move(game)
    game.invoke_judgment("Cleo", "Is it late?")
    assert waiting_for(game, "rule_on") == ["Dov"]


# 213: when play cannot go on


@pytest.mark.rule("nomic-chess", 213)
def test_f13_a_judge_finds_a_move_as_legal_as_illegal_and_the_player_on_turn_wins():
    game = chess()
    finish(game)
    nothing(game)
    game.invoke_judgment("Cleo", "Is castling out of check as legal as illegal here?")
    game.rule_on("Ann", "It is.", rests_on=[213], orders="end play")
    assert not game.over  # the ruling can still be overruled
    game.overrule("Cleo", "against")
    assert game.winner == "Ben"
    assert "213" in game.result


@pytest.mark.rule("nomic-chess", 213)
def test_a_law_under_which_nobody_can_play_on_gives_the_game_to_the_first_who_is_stuck():
    game = chess()
    finish(game)
    law(game, 'on enacted when rule == this: enter player "D" as dummy')  # whose vote will never come
    last_move(game)
    game.propose("Cleo", nb.enact("More."))
    ballot(game)
    assert (game.over, game.winner) == (True, "Cleo")
    assert "213" in game.result


@pytest.mark.rule("nomic-chess", 213)
@pytest.mark.rule("nomic-chess", 211)
def test_213_goes_before_other_rules_on_who_wins_then():
    game = chess()
    law(game, "set win.when_stuck to [p for p in seats if p != first_unable]\nprevails over everything")
    last_move(game)
    law(game, 'on enacted when rule == this: enter player "D" as dummy')
    last_move(game)
    game.propose("Cleo", nb.enact("More."))
    ballot(game)
    assert game.winner == "Cleo"  # both claim, and 213 is the lower number


# ballots (DR-20), several armies (DR-33)


@pytest.mark.rule("nomic-chess", 105)
def test_dr20_ballots_are_open_and_can_be_sealed():
    game = chess()
    game.propose("Ann", nb.enact("More."))
    game.vote("Ben", "against")
    assert "Ben votes against 301" in game.latest(1)
    game = chess(terms={"vote.ballots": "sealed"})
    game.propose("Ann", nb.enact("More."))
    game.vote("Ben", "against")
    assert "against" not in " ".join(str(cell) for cell in game.ballots.to_numpy().ravel())
    assert "against" not in " ".join(game.latest(1))
    ballot(game)
    assert game.proposals[301].outcome == "defeated"
    assert game.proposals[301].ballots["Ben"] == "against"


@pytest.mark.rule("nomic-chess", 202)
@pytest.mark.rule("nomic-chess", 207)
def test_dr33_a_proposal_for_every_army():
    game = chess()
    by_hand(game, "Ann", 'give army_named("yellow") to "Ann"')
    assert controllers(game)["yellow"] == "Ann"
    made = [(game.player, nothing(game).number) for _ in range(3) if last_turn(game)]
    assert made == [("Ann", 301), ("Ann", 302), ("Cleo", 303)]


def last_turn(game):
    """Finish a turn whose proposal is through; a turn that still owes one goes on."""
    if waiting_for(game, "move"):
        last_move(game)
    return waiting_for(game, "propose")
