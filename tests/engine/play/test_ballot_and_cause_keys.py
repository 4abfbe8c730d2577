"""What rules know of a ballot before it counts, and of why a number changes."""

from __future__ import annotations

from play_helpers import adopt, agree, law, majority, open_up, refused, replayed, scores, sit, turn

import nomic_nb as nb


def test_a_rule_forbids_some_voters_one_ballot_and_the_form_does_not_offer_it(tmp_path):
    game = sit()
    open_up(game, 105)  # which gives everybody the right to vote
    law(game, 'forbid vote when ballot == "against" and player.points > 0\nprevails over everything')
    proposal = game.propose(game.player, nb.enact("Any."))
    offered = {one.player: one.options for one in game.pending if one.action == "vote"}
    assert offered == {"Ann": ("for",), "Ben": ("for",), "Cleo": ("for", "against")}
    with refused(game, "not-allowed"):
        game.vote("Ann", "against")
    for player in game.players:
        game.vote(player, "for")
    assert proposal.outcome == "adopted"
    replayed(game, tmp_path)


def test_who_may_cast_no_ballot_is_not_asked_for_one():
    game = sit()
    open_up(game, 105)  # which gives everybody the right to vote
    law(game, 'forbid vote when ballot in ["for", "against"] and player.name == "Ben"\n'
              "set vote.quota to 2\nprevails over everything")  # fmt: skip
    game.propose(game.player, nb.enact("Any."))
    assert [one.player for one in game.pending if one.action == "vote"] == ["Ann", "Cleo"]


def test_points_from_rolls_count_double_and_others_do_not():
    game = sit()
    law(game, 'set counter.value to was + 2 * amount while counter == "points" and cause == "thrown"\n'
              "on said: award 3 points to player")  # fmt: skip
    before = scores(game)
    player = game.player
    turn(game, nb.enact("Any."), face=4)
    assert scores(game)[player] == before[player] + 8
    game.say(player, "hello")
    assert scores(game)[player] == before[player] + 11


def test_a_rule_knows_which_rule_gives_and_what_is_a_gift():
    game = sit()
    number = law(game, "on said: award 3 points to player")
    law(game, f"allow give\nset counter.value to was while origin == rule_numbered({number})\n"
              'set counter.value to was + amount * 2 while cause == "gave" and amount > 0')  # fmt: skip
    adopt(game, nb.enact("Any."))
    before = scores(game)
    game.say("Ann", "hello")
    assert scores(game) == before
    giver = max(before, key=before.get)
    receiver = next(name for name in game.players if name != giver)
    game.give(giver, receiver, 1)
    assert scores(game)[receiver] == before[receiver] + 2


def test_a_change_whose_cause_a_rule_misnames_is_refused():
    game = sit()
    majority(game)
    with refused(game, "never-has-text", nb.LawError):
        game.propose(game.player, nb.enact("X.", law='set counter.value to was while cause == "throw"'))


def test_an_order_of_a_judge_has_no_cause():
    game = sit()
    law(game, 'set counter.value to was + 2 * amount while counter == "points" and cause == none')
    game.invoke_judgment("Ann", "What of the slip?")
    game.rule_on(game.judgments[1].judge, "So be it.", "I say so.", [101], 'award 3 points to "Ben"')
    before = scores(game)
    game.overrule("Ben", "against")
    agree(game)
    assert scores(game)["Ben"] == before["Ben"] + 6


def test_one_vote_against_closes_the_vote(tmp_path):
    game = sit()
    law(game, "set vote.closes to otherwise or count(opponents) > 0")
    proposal = game.propose(game.player, nb.enact("Any."))
    game.vote("Ann", "for")
    assert proposal.outcome == "open"
    game.vote("Cleo", "against")
    assert proposal.outcome == "defeated"
    replayed(game, tmp_path)


def test_a_vote_stays_open_until_its_time_is_over(tmp_path):
    game = sit()
    law(game, "set vote.closes to proposal.hours >= 24\nset vote.changeable to true\nprevails over everything")
    game.host.time("2026-11-01 10:00")
    proposal = game.propose(game.player, nb.enact("Any."))
    for player in game.players:
        game.vote(player, "for")
    assert proposal.outcome == "open"
    for player in game.players:  # whether anybody will record the time, only they know
        game.choose(player, "wait")
    game.vote("Cleo", "against")
    game.host.time("2026-11-02 09:00")
    assert proposal.outcome == "open"
    game.host.time("2026-11-02 11:00")
    assert proposal.outcome == "defeated"
    replayed(game, tmp_path)


def test_a_vote_that_could_never_close_does_not_hold_up_a_game_for_ever():
    game = sit()
    law(game, "set vote.closes to false")
    game.propose(game.player, nb.enact("Any."))
    for player in game.players:
        game.vote(player, "for")
    assert game.over or game.pending
