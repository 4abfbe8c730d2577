"""Nomic Chess, Rules 201 to 209: turns, votes, and what they cost."""

import pytest
from board_helpers import arrange, chess, finish, law, moves, nothing, on, turns
from nomic_chess_helpers import NAMES, PAIR, last_move, majority, numbers, whole
from play_helpers import by_hand, put, refused, waiting_for

import nomic_nb as nb


@pytest.mark.rule("nomic-chess", 201)
@pytest.mark.parametrize("count", range(2, 9))
def test_turns_go_round_by_armies(count):
    game = chess(*NAMES[:count])
    names = list(game.state.position.armies)
    assert names == ["white", "yellow", "green", "orange", "blue", "red", "violet", "brown"][:count]
    seen = []
    for _ in range(count + 1):
        seen.append((game.player, game.state.current_turn.army, game.circuit))
        finish(game)
    assert seen == [(NAMES[n % count], names[n % count], 1 + n // count) for n in range(count + 1)]


@pytest.mark.rule("nomic-chess", 201)
def test_no_part_is_left_out():
    game = chess()
    for expected in ("propose", "move"):
        with refused(game, "no-skipping", rule=201, opens=f"Ann: {expected}"):
            game.skip("Ann")
        assert all(one.must for one in game.pending)
        with refused(game, "turns-end-by-themselves", opens=f"Ann: {expected}"):
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
    versions = game.rules[203].all_versions
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
    with refused(game, "answer-not-an-option"):
        game.choose("Ann", "none")
    with refused(game, "somebody-first", who="Ann"):
        game.move("Ann", "white.e2-white.e4", push=PAIR)


@pytest.mark.rule("nomic-chess", 206)
def test_a_demotion_can_lay_ones_own_king_open():
    game = arrange(chess("Ann", "Ben"), white="Ke1 Pc1 Ph2", yellow="Ke4 white.Ra1")
    nothing(game, against=("Ben",))
    pawn = next(option for option in game.pending[0].options if "c1" in str(option))
    game.choose("Ann", pawn)
    assert on(game, "white.c1") == ""
    with refused(game, "move-does-not-parry-check", move="white.h2-white.h3", rule=221):
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
    for again, code in (("for", "voted-already"), ("against", "voted-so")):
        with refused(game, code, player="Ben"):
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
    with refused(game, "game-won", winners="Dov"):
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
