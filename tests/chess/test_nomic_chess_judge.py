"""Nomic Chess, Rules 212 and 213: the Judge, when play cannot go on; ballots, and several armies."""

import pytest
from board_helpers import chess, controllers, finish, law, nothing
from nomic_chess_helpers import NAMES, last_move, rule_for, whole
from play_helpers import ballot, by_hand, refused, waiting_for

import nomic_nb as nb


@pytest.mark.rule("nomic-chess", 212)
def test_f1_the_judge_is_who_comes_before_the_player_on_turn():
    game = chess()
    finish(game)
    game.invoke_judgment("Cleo", "May Ben hum?")
    assert waiting_for(game, "rule_on") == ["Ann"]
    with refused(game, "not-the-judge", who="Ann is Judge of it", rule=212):
        game.rule_on("Cleo", "No.")
    with refused(game, "judgment-open", rule=212, opens="Ann: rule_on"):
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
    assert (game.player, game.state.current_turn.army) == ("Dov", "orange")
    game.invoke_judgment("Ben", "Is it late?")
    assert waiting_for(game, "rule_on") == ["Ann"]  # who has green now, and not Ben, who sits before Dov


@pytest.mark.rule("nomic-chess", 212)
def test_dr21_the_player_on_turn_is_passed_over():
    game = chess()
    by_hand(game, "Ann", 'give army_named("yellow") to "Ann"')
    finish(game)
    assert (game.player, game.state.current_turn.army) == ("Ann", "yellow")
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
    assert "Ruling, by Cleo\n  No." in str(game.judgments)


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
    with refused(game, "judgment-too-late"):
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
    assert "Ruling, by Cleo\n  Yes." in str(game.judgments)
    assert second.status == "stands"
    assert [number for number, _ in game.judgments.related_rulings(second)] == [first.id]


@pytest.mark.rule("nomic-chess", 212)
@pytest.mark.rule("nomic-chess", 110)
def test_b17_a_judge_voids_a_rule_by_a_ruling():
    game = chess()
    whole(game, nb.enact("Players need not obey immutable rules.", law="set castling.on to false"))
    assert game.law["castling.on"].value is False
    game.invoke_judgment("Cleo", "Does 301 conflict with 101?")
    rule_for(game, "Ann", "It does.", rests_on=[110, 101], orders="void rule_numbered(301) against rule_numbered(101)")
    assert "110" in game.rules.void_reason(game.rules[301])
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


@pytest.mark.rule("nomic-chess", 105)
def test_dr20_ballots_are_open_and_can_be_sealed():
    game = chess()
    game.propose("Ann", nb.enact("More."))
    game.vote("Ben", "against")
    assert "Ben votes against proposal 301" in game.latest(1)
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
