"""Nomic Chess, Rules 112 to 116, 210 and 211: winning, leaving, what stays changeable, freedom, talk, precedence."""

import pytest
from board_helpers import arrange, chess, finish, law, moves, nothing, on, turns
from nomic_chess_helpers import PAIR, numbers, whole
from play_helpers import put, refused, waiting_for

import nomic_nb as nb


def answer(game, option):
    """Everyone who is asked gives the same answer."""
    while asked := waiting_for(game, "choose"):
        game.choose(asked[0], option)


@pytest.mark.rule("nomic-chess", 112)
@pytest.mark.parametrize(
    "clauses", ["set win.winners to seats", "set win.winners to [mover]\nprevails over everything"]
)
def test_winning_is_being_the_only_one_left(clauses):
    game = chess()
    law(game, clauses)
    assert not game.over
    assert "112" in game.rules.void_reason(game.rules[301]) or game.law["win.winners"].rule == 112
    finish(game)
    assert not game.over


@pytest.mark.rule("nomic-chess", 112)
def test_how_players_are_eliminated_can_change():
    game = arrange(chess(), white="Ke1 Ra1", yellow="Ke1 white.Qa3", green="Ke1")
    law(game, 'on captured when piece.kind == "Q": eliminate piece.owner')
    game.move("Ann", "white.a1-white.a3", push=PAIR)
    assert game.state.names_of_players == ("Ann", "Cleo")
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
    assert who not in game.state.names_of_players
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
    with refused(game, "turn-of-another", opens="Ann: propose"):
        game.propose("Ben", nb.enact("Out of turn."))
    nothing(game)
    with refused(game, "owes-something-else", opens="Ann: move"):
        game.propose("Ann", nb.enact("A second one."))


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
    with refused(game, "no-skipping", rule=201):
        game.skip("Ben")
    whole(game, nb.enact("Passing is fine, really.", law="allow skip\nprevails over 201"))
    game.skip("Ann")
    assert game.player == "Ben"
