"""What is accepted is obeyed: no effect, event, key or word that does nothing without a word."""

from __future__ import annotations

import pytest
from board_helpers import arrange, chess
from board_helpers import law as laid_down
from play_helpers import adopt, ballot, law, sit, waiting_for

import nomic_nb as nb

CHESS = "nomic-chess"


def go(game, player="Ann"):
    """Somebody says what rules here listen for; what happened is returned."""
    before = len(game.history)
    game.say(player, "go")
    return [event.kind for event in game.timeline.events[before:]]


def on_go(effects, more=""):
    """Clauses in which this is done once somebody says “go”."""
    return f'on said when text == "go": {effects}\n{more}'


def announced(game):
    return [event.data["text"] for event in game.timeline.events if event.kind == "announced"]


# ------------------------------------------------------------------------------------------------- votes


@pytest.mark.rule("discordian-nomic", 105)
def test_no_vote_waits_for_somebody_who_has_left():
    game = sit()
    adopt(game, nb.transmute(105))
    game.roll("Ann", 1)
    everyone = "Everyone who ever took part may vote."
    number = game.state.rules.successor(105).number
    adopt(game, nb.amend(number, everyone, law="set vote.electorate to players\nset vote.duty to true\nallow vote"))
    game.roll("Ben", 1)
    game.forfeit("Ben")
    proposal = game.propose("Cleo", nb.enact("Nothing to see here."))
    assert waiting_for(game, "vote") == ["Ann", "Cleo"]
    ballot(game)
    assert proposal.outcome == "adopted", "all who are left agree"
    assert not game.over


@pytest.mark.rule("discordian-nomic", 104, 105, 201, 202)
@pytest.mark.parametrize("debate", [True, False])
def test_a_turn_that_a_rule_ends_lasts_until_its_vote_is_complete(debate):
    game = sit()
    law(game, on_go("end turn", "prevails over everything"))
    proposal = game.propose("Ben", nb.enact("Nothing to see here."), debate=debate)
    go(game, "Cleo")
    assert [turn.player for turn in game.turns] == ["Ben"], "turns follow one another"
    if debate:
        game.call_vote("Ben")
    ballot(game)
    assert proposal.outcome == "adopted"
    assert (game.player, waiting_for(game, "roll")) == ("Cleo", []), "the throw is let go"


# ------------------------------------------------------------------------------------------------ boards

WHITE = 'army_named("white")'
SECOND_RANK = 'pieces_on_rank(board_named("white"), 2)'


def proposing(*clauses):
    """A game of chess in which these clauses are in force, before the first move."""
    game = sit(system=CHESS)
    adopt(game, nb.enact("So be it.", law="\n".join(clauses)))
    return game


def test_rules_answer_for_each_piece_that_is_shifted():
    game = proposing(
        on_go(f"shift {SECOND_RANK} by [0, 1]"),
        'on carried when piece.square.file == 5: announce "e-pawn"',
        'on carried when piece.square.file == 1: announce "a-pawn"',
    )
    go(game)
    assert sorted(announced(game)) == ["a-pawn", "e-pawn"]


@pytest.mark.parametrize(
    ("effect", "event"),
    [
        (f"give {WHITE} to {WHITE}.controller", "army_taken"),
        (f'promote {SECOND_RANK} to "P"', "promoted"),
        ("grow boards by 0", "grown"),
    ],
)
def test_what_changes_nothing_is_no_event(effect, event):
    game = proposing(on_go(effect))
    assert event not in go(game)


def test_no_army_enters_for_somebody_who_has_left():
    game = proposing(on_go('enter army "extra" for player_named("Cleo")'))
    game.forfeit("Cleo")
    assert "army_entered" not in go(game)
    assert "Cleo" in game.state.questions[0].text


def test_the_table_is_asked_where_an_effect_is_to_reach_into_a_hand():
    game = arrange(chess("Ann", "Ben"), white="Kh1 Ra1", yellow="Kc1 Pc2 white.Nd1")
    laid_down(game, 'set capture.result to "captor\'s hand"\non in_hand: remove piece')
    game.move("Ann", "white.a1-white.d1", push=("white", "yellow"))
    assert "in a hand" in game.state.questions[0].text


# ------------------------------------------------------------------------------------------------- rules


def test_an_amendment_that_is_repealed_is_no_rule_that_is_repealed():
    game = sit()
    adopt(game, nb.enact("Listen.", law='on repealed: announce "repealed"\non amended: announce "amended"'))
    game.roll("Ann", 1)
    number = adopt(game, nb.amend(207, "One vote each.", law="set vote.weight to 1")).number
    game.roll("Ben", 1)
    adopt(game, nb.repeal(number, part=1))
    assert announced(game) == ["amended", "amended"]


def test_a_void_rule_that_is_repealed_does_not_revive():
    game = sit()
    law(game, 'on revived when rule.number > 0: announce "revived"')
    void = adopt(game, nb.enact("Nobody has to vote.", law="set vote.duty to false")).number
    assert game.state.rules.void
    game.roll("Ben", 1)
    adopt(game, nb.repeal(void))
    assert not game.state.rules.void
    assert not game.state.questions
    assert "revived" not in [event.kind for event in game.timeline.events]


SOON = '\ndraft soon: "It is so."\n    set win.joint to "joint"'


@pytest.mark.rule("discordian-nomic", 103, 110)
def test_an_immutable_rule_comes_to_read_as_it_says_itself():
    game = sit()
    number = law(game, on_go("amend this by soon", "prevails over everything" + SOON))
    number = adopt(game, nb.transmute(number)).number
    game.roll("Ben", 1)
    go(game)
    assert (game.rules[number].tier, game.rules[number].wording) == ("immutable", "It is so.")


@pytest.mark.rule("discordian-nomic", 103, 110)
@pytest.mark.parametrize("effect", ["amend {} by soon", "repeal {}", "transmute {}"])
def test_no_rule_changes_another_that_is_immutable(effect):
    game = sit()
    before = game.rules[116].wording
    number = law(game, on_go(effect.format("rule_numbered(116)"), SOON))
    adopt(game, nb.transmute(number))
    game.roll("Ben", 1)
    assert go(game)[-1] == "without_effect"
    assert (game.rules[116].tier, game.rules[116].wording) == ("immutable", before)


def test_proposals_are_numbered_from_a_whole_number():
    assert "whole number" in refused_law("set proposal.first_number to 3/2")
    assert "whole number" in refused_law("set proposal.first_number to 1/2 while turn > 5")


def refused_law(clauses, system="discordian-nomic"):
    """Why a rule with these clauses is refused before anyone votes on it."""
    game = sit(system=system)
    with pytest.raises(nb.LawError) as caught:
        game.propose("Ann", nb.enact("So be it.", law=clauses))
    return str(caught.value)


TWICE = """
on said: enter player "Dummy" as dummy
on vote_opened: cast "against" for "Dummy"
on balloted when ballot == "against": cast "for" for "Dummy"
"""


def dummys_ballot(game):
    """What is counted for a dummy that votes against first, and then for."""
    game.say("Ben", "Let there be a dummy.")
    proposal = game.propose("Ben", nb.enact("Hm."))
    return game.state.proposals[proposal.number].vote.ballots["Dummy"]


@pytest.mark.rule("discordian-nomic", "K2")
def test_no_rule_casts_over_a_ballot_that_stands():
    game = sit()
    law(game, TWICE)
    assert dummys_ballot(game) == "against"
    assert "ballots stand" in game.state.questions[0].text


def test_a_rule_casts_over_a_ballot_where_ballots_can_be_changed():
    game = sit()
    law(game, "set vote.changeable to true" + TWICE)
    assert dummys_ballot(game) == "for"


@pytest.mark.parametrize(
    ("clauses", "expected"),
    [
        ('on balloted when ballot == "yes": announce "x"', "for, against"),
        ('on counted when counter == "point": announce "x"', "points"),
        ('on proposed when change.kind in ["amend", "strike"]: announce "x"', "repeal"),
        ('forbid propose when "win.pts" in change.keys', "win.points"),
        ('on defeated when proposal.status == "lost": announce "x"', "lapsed"),
        ('set vote.quota to 2 while vote.ballots != "secret"', "sealed"),
        ('on captured when "q" == piece.kind: remove piece', "Q"),
    ],
)
def test_what_waits_for_a_text_that_can_never_be_is_refused(clauses, expected):
    refusal = refused_law(clauses)
    assert "never has the text" in refusal
    assert expected in refusal


def test_a_text_that_can_be_is_taken():
    game = sit()
    law(game, 'track gold per player from 0\non counted when counter in ["gold", "points"]: announce "counted"')
    assert announced(game) == ["counted"], "the throw's point"


# ------------------------------------------------------------------------------------------------ review


@pytest.mark.parametrize(
    ("system", "clauses", "hint"),
    [
        (CHESS, "set win.points to 50", "no rule looks up win.points"),
        ("discordian-nomic", "set win.points to 50", ""),
        ("discordian-nomic", "on game_started: award 5 points to players", "the game has begun"),
    ],
)
def test_a_review_says_what_does_nothing(system, clauses, hint):
    game = sit(system=system)
    review = str(game.review("Ann", nb.enact("So be it.", law=clauses)))
    assert hint in review
    assert ("does nothing yet" in review or "never happens" in review) == bool(hint)


@pytest.mark.parametrize("system", [CHESS, "make-a-rule"])
def test_a_review_says_what_leaves_the_boards_that_there_are_as_they_are(system):
    review = str(sit(system=system).review("Ann", nb.enact("So be it.", law="set board.ranks to 9")))
    assert "changes none of the boards that there are" in review
    assert "`grow` changes those" in review


def test_a_review_knows_what_takes_a_rule_that_allows_it():
    game = sit()
    review = game.review("Ann", nb.enact("Points can be given away.", law="allow give when amount < 3"))
    assert "yes as before" not in str(review)
    assert [one.new.value for one in review.turned if one.key == "may.give"] == [True]


def test_one_counter_does_not_start_twice():
    game = sit()
    law(game, "track gold per player from 3")
    with pytest.raises(nb.LawError, match="gold starts from 3 by one clause, and from 10 by another"):
        game.propose("Ben", nb.enact("Ten.", law="track gold per player from 10"))
    law(game, 'draft ten: "Ten."\n    track gold per player from 10\non said: enact ten')
    assert go(game)[-1] == "without_effect"


def test_who_has_left_seals_nothing_and_that_is_told():
    game = sit()
    law(game, 'track word per player from ""\n' + on_go(
        'let player_named("Cleo") seal word of [player_named("Cleo")] from ["a", "b"]; announce "So"'
    ))  # fmt: skip
    game.forfeit("Cleo")
    go(game)
    assert list(game.history["what"])[-2:] == ["nobody is left to say what word is", "So"]


@pytest.mark.parametrize(
    "asks",
    [
        'let player_named("Cleo") choose answer from any text asking "Who has the ball?"',
        'roll 1 of 6 as answer by player_named("Cleo")',
    ],
)
def test_a_question_to_somebody_who_has_left_goes_to_nobody_and_is_told(asks):
    game = sit()
    law(game, on_go(f'{asks}; announce "So"; award 1 points to [p for p in seats if answer == answer]'))
    game.forfeit("Cleo")
    go(game)
    assert not game.state.questions
    told = list(game.history["what"])
    assert any(one.startswith("nobody is left to say what answer is; what needs it is left out") for one in told)
    assert told[-1] == "So"


@pytest.mark.parametrize("who", ['"Cleo"', "[p for p in players if not p.playing]"])
def test_the_table_is_asked_where_only_somebody_who_has_left_is_obliged(who):
    game = sit()
    law(game, on_go(f"oblige {who} to say"))
    game.forfeit("Cleo")
    go(game)
    assert "nobody called Cleo can act" in game.state.questions[0].text


def test_whoever_is_left_of_those_who_are_obliged_owes_it():
    game = sit()
    law(game, on_go("oblige [p for p in players if p != mover] to say"))
    game.forfeit("Cleo")
    go(game)
    assert not game.state.questions
    assert waiting_for(game, "say") == ["Ann"]


@pytest.mark.parametrize(
    "clauses",
    ['set board.holes to ["e3"]', 'set board.holes to ["white.e3", "white.z9"]', 'set royal.kinds to ["k"]',
     "set move.boards_joined to [3]"],
)  # fmt: skip
def test_a_list_that_surely_means_nothing_is_refused(clauses):
    assert refused_law(clauses, CHESS)


def test_an_army_with_pieces_that_can_push_nothing_is_stuck():
    game = sit(system=CHESS)
    adopt(game, nb.amend(217, "No boards are pushed.", law="set move.boards_joined to []"))
    assert "white has no legal move" in game.state.questions[0].text


@pytest.mark.parametrize(
    ("clauses", "system"),
    [
        ("set vote.weight to -1", "discordian-nomic"), ("set vote.quota to -2", "discordian-nomic"),
        ("set judge.overrule_quota to -1", "discordian-nomic"), ("set dice.sides to 5/2", "discordian-nomic"),
        ('on said: after 1/2 turns: announce "Now."', "discordian-nomic"),
        ("on said: roll 0 of 6 as pips", "discordian-nomic"), ("set move.count to 1/2", CHESS),
        ("on said: grow boards by 1/2", CHESS),
    ],
)  # fmt: skip
def test_a_count_that_means_nothing_is_refused(clauses, system):
    assert "number" in refused_law(clauses, system)


@pytest.mark.parametrize(
    ("clauses", "said"),
    [
        ("set vote.weight to voter.points - 5", "a weight is a number, 0 or more"),
        ("set vote.quota to 1 - turn", "a quota is a number, 0 or more"),
    ],
)
def test_the_table_is_asked_where_a_count_comes_to_mean_nothing(clauses, said):
    game = sit()
    law(game, clauses + "\nprevails over everything")
    game.propose("Ben", nb.enact("Nothing to see here."))
    assert said in game.state.questions[0].text


def test_the_table_is_asked_how_many_moves_a_fraction_is():
    game = proposing("set move.count to turn / 2\nprevails over 219")
    assert "a count of moves is a whole number" in game.state.questions[0].text
