"""What is fixed stays fixed: the terms of a vote, what rules may do by themselves, what was corrected or asked."""

from __future__ import annotations

from itertools import pairwise

import pytest
from play_helpers import asks, put, sit, turn
from refusals import refused

import nomic_nb as nb


def majority(game: nb.Game) -> None:
    turn(game, nb.library.simple_majority().change(203))


@pytest.mark.rule("discordian-nomic", 109, 110)
@pytest.mark.parametrize("effect", ["transmute", "repeal"])
def test_no_rule_touches_an_immutable_one_by_itself(effect):
    game = sit()
    majority(game)
    law = f"on enacted when rule == this: {effect} item([r for r in rules if r.number == 112], 1)"
    turn(game, nb.enact("By the way.", law=law))
    assert game.rules[112].tier == "immutable"
    assert "does not let rules do this by themselves" in " ".join(game.history["what"])


@pytest.mark.rule("discordian-nomic", 103)
def test_a_rule_may_repeal_itself():
    game = sit()
    turn(game, nb.enact("For one turn.", law="on turn_ended: repeal this"))
    turn(game, nb.enact("Anything."))
    assert 301 not in game.rules


@pytest.mark.rule("discordian-nomic", 105, 106)
def test_who_comes_in_during_a_vote_changes_nothing_in_it():
    game = sit()
    law = 'on balloted when player.name == "Ben" and count(players) == 3: enter player "Dee" as dummy'
    turn(game, nb.enact("Dee comes in.", law=law))
    proposal = put(game, nb.enact("Anything."))
    assert proposal.outcome == "adopted"
    assert (proposal.tally.votes_for, proposal.tally.quota, proposal.tally.eligible) == (3, 3, 3)


@pytest.mark.parametrize(("when", "ends"), [("", ("defeated", 3)), ("opening", ("adopted", 1))])
def test_a_quota_that_looks_at_ballots_is_found_at_the_closing_unless_a_rule_says_the_opening(when, ends):
    game = sit()
    fixed = f'\nset vote.quota_when to "{when}"' if when else ""
    turn(game, nb.amend(203, "One more than against.", law=f"set vote.quota to votes_against + 1{fixed}"))
    proposal = game.propose(game.player, nb.enact("Anything."))
    game.vote("Ann", "for")
    game.vote("Ben", "against")
    game.vote("Cleo", "against")
    assert (proposal.outcome, proposal.tally.quota) == ends


def test_a_vote_goes_on_among_those_who_are_left_and_nobody_else():
    game = sit("Ann", "Ben", "Cleo", "Dan")
    law = 'on balloted when count(players) == 4: enter player "Eve" as person'
    turn(game, nb.enact("Eve comes in.", law=law))
    proposal = game.propose("Ben", nb.enact("Anything."))
    game.vote("Ann", "for")
    assert "Eve" in game.players
    game.forfeit("Dan")
    assert set(proposal.tally.not_voted) == {"Ben", "Cleo"}
    assert (proposal.tally.quota, proposal.tally.eligible) == (3, 3)


def test_blanks_between_quotation_marks_are_kept(tmp_path):
    game = sit("Ann  Lee", "Ben")
    game.apply("Ben", 210, 'announce "a  b"')
    game.host.correct('award 2 points to "Ann  Lee"', agreed=game.players, reason="a slip")
    assert game.scores["Ann  Lee"] == 2
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


def test_it_does_not_matter_who_looked_before(tmp_path):
    names = [f"Player {number}" for number in range(70)]
    every = "sum(unanimity(players) for p in players)"
    terms = {"dice.sides": every, "defeat.points": f"{every} - dice.sides"}
    games = [nb.new_game("discordian-nomic", names, seed=1, terms=terms) for _ in range(2)]
    for game, looks in zip(games, (True, False), strict=True):
        game.propose(names[0], nb.enact("Anything."))
        for name in names[:-1]:
            game.vote(name, "against")
        if looks:
            assert game.law["dice.sides"].outcome in ("decided", "undecided")
        game.vote(names[-1], "against")
    assert games[0].state.digest() == games[1].state.digest()


def test_a_record_comes_back_where_somebody_looked_at_a_long_calculation_before(tmp_path):
    long = "sum(min([n, 1]) for n in numbers(1, 4000)) - 3998"  # once it is within the steps of a question, twice not
    game = sit(terms={"dice.sides": long, "defeat.points": f"{long} - dice.sides"})
    game.propose("Ann", nb.enact("Anything."))
    for name in ("Ann", "Ben"):
        game.vote(name, "against")
    assert game.law["dice.sides"].outcome == "decided"
    game.vote("Cleo", "against")
    assert "takes more than" in game.state.questions[0].text
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


@pytest.mark.rule("discordian-nomic", 111)
def test_where_nobody_may_end_the_debate_the_table_is_asked():
    game = sit()
    turn(game, nb.transmute(111))
    turn(game, nb.repeal(301))
    game.propose("Cleo", nb.enact("Anything."), debate=True)
    assert not game.over
    assert {decision.action for decision in game.pending} == {"choose"}
    assert "debate.ended_by" in game.pending[0].prompt


def test_a_counter_that_starts_from_nothing_is_adopted_without_effect():
    game = sit()
    proposal = put(game, nb.enact("Odd.", law="track coins per player from 1 // (turn - turn)"))
    assert proposal.outcome == "without effect"
    assert not game.over


def test_nothing_is_corrected_while_a_question_is_open():
    game = sit()
    asks(game, "Is this right?")
    game.say("Ann", "ask")
    with refused("question-open"):
        game.host.correct('put points of "Cleo" at 12', agreed=game.players, reason="a slip")
    game.undo()
    with refused("effect-on-nobody", who='"Zed"'):
        game.host.correct('put points of "Zed" at 12', agreed=game.players, reason="a slip")


def test_a_term_that_only_some_cases_fix_is_fixed_where_it_holds_always():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=1, terms={"vote.quota": "2"})
    assert game.law["vote.quota"].value == 2
    assert game.why("vote.quota", nb.transmute(112)).value == 3


def test_a_rule_is_chosen_by_its_number():
    game = sit()
    law = 'on said: let player choose r from [r for r in rules if r.tier == "mutable"]; repeal r'
    turn(game, nb.enact("Choose.", law=law))
    game.say("Ann", "now")
    assert "rule 206" in game.pending[0].options
    game.choose("Ann", "rule 206")
    assert 206 not in game.rules
    assert 205 in game.rules


def test_a_ballot_that_can_be_changed_is_pending():
    game = sit()
    turn(game, nb.enact("Ballots may be changed.", law="set vote.changeable to true"))
    proposal = game.propose("Ben", nb.enact("Anything."))
    game.vote("Ann", "for")
    assert ("Ann", "vote", False) in [(one.player, one.action, one.must) for one in game.pending]
    game.vote("Ann", "against")
    assert proposal.ballots == {"Ann": "against"}


def test_ending_a_turn_lets_go_of_its_throw():
    game = sit()
    turn(game, nb.enact("Stop.", law='on said when text == "stop": end turn\nprevails over 201'))
    put(game, nb.enact("Anything."))
    game.say("Cleo", "stop")
    assert game.player == "Cleo"


@pytest.mark.rule("discordian-nomic", 113)
def test_whoever_is_absent_is_not_asked_and_may_leave():
    game = sit()
    turn(game, nb.repeal(212))  # no law names a Judge
    game.host.absent("Ben")
    game.invoke_judgment("Cleo", "May we go on?")
    assert [decision.player for decision in game.pending] == ["Ann", "Cleo"]
    for name in ("Ann", "Cleo"):
        game.choose(name, "yes")
    game.host.pause()
    game.forfeit("Ben")
    assert game.state.players["Ben"].playing is False


def test_the_game_can_be_looked_at_in_every_moment():
    game = sit()
    turn(game, nb.enact("Nobody leaves.", law="forbid forfeit"))
    turn(game, nb.transmute(113))
    assert game.state.rules.void == {}
    turn(game, nb.repeal(302))
    for event in range(1, game.state.seq + 1):
        then = game.at(event)
        assert str(then.rules)
        assert str(then)
    assert all(one < two for one, two in pairwise(game.history.index))


def test_more_than_a_step_can_hold_comes_to_an_end():
    game = sit()
    turn(game, nb.enact("Later.", law='on said: after 1 turns: announce "x"'))
    for _ in range(101):
        game.say("Ben", "hi")
    turn(game, nb.enact("Anything."))
    assert game.pending


def test_nobody_waits_for_a_dummy():
    game = sit()
    law = 'on said: enter player "Dum" as dummy\non free_act: let player_named("Dum") choose x from [1, 2]'
    turn(game, nb.enact("Dum.", law=law))
    game.say("Ann", "x")
    game.act("Ann", "y")
    assert {decision.player for decision in game.pending} == {"Ann", "Ben", "Cleo"}


def test_nobody_wins_by_a_rule_that_they_alone_applied():
    game = sit()
    game.apply("Ben", 210, 'award 100 points to "Ben"')
    assert not game.over
    assert {decision.action for decision in game.pending} == {"choose"}
    game.undo()
    assert game.scores["Ben"] == 0


def test_a_number_is_given_once():
    game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1, terms={"proposal.first_number": 101})
    numbers = [rule.number for rule in game.rules]
    proposal = put(game, nb.enact("Anything."))
    assert proposal.number not in numbers


def test_a_correction_needs_somebody():
    game = sit()
    for name in game.players:
        game.host.absent(name)
    with refused("nobody-agrees"):
        game.host.correct('award 100 points to "Ann"', agreed=[], reason="x")


def test_no_game_begins_with_a_torn_order(tmp_path):
    path = tmp_path / "torn.md"
    text = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=1).ruleset.text
    torn = 'set precedence.by to ["claims", "lowest number"]\nset precedence.by to ["newest"]'
    path.write_text(text.replace('set precedence.by to ["claims", "lowest number"]', torn), encoding="utf-8")
    with refused("no-game-can-begin", why="no-answer"):
        nb.new_game(path, ["Ann", "Ben"], seed=1)
