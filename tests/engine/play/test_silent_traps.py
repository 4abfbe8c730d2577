"""What is accepted is obeyed: no effect, event, key or word that does nothing without a word."""

from __future__ import annotations

import pytest
import refusals
from play_helpers import adopt, announced, ballot, law, sit, waiting_for
from refusals import refused

import nomic_nb as nb


def go(game, player="Ann"):
    """Somebody says what rules here listen for; what happened is returned."""
    before = len(game.history)
    game.say(player, "go")
    return [event.kind for event in game.timeline.events[before:]]


def on_go(effects, more=""):
    """Clauses in which this is done once somebody says “go”."""
    return f'on said when text == "go": {effects}\n{more}'


# ------------------------------------------------------------------------------------------------- votes


@pytest.mark.rule("discordian-nomic", 105)
def test_no_vote_waits_for_somebody_who_has_left():
    game = sit()
    adopt(game, nb.transmute(105))
    game.roll("Ann", 1)
    everyone = "Everyone who ever took part may vote."
    number = game.state.rules.find_renumbered(105).number
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
    for clause in ("set proposal.first_number to 3/2", "set proposal.first_number to 1/2 while turn > 5"):
        refusals.check(refused_law(clause), "value-unfit", why="not-whole")


def refused_law(clauses, system="discordian-nomic"):
    """What a rule with these clauses is refused with before anyone votes on it."""
    game = sit(system=system)
    with pytest.raises(nb.LawError) as caught:
        game.propose("Ann", nb.enact("So be it.", law=clauses))
    return caught.value


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
    assert "ballots can’t be changed" in game.state.questions[0].text


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
    refusals.check(refused_law(clauses), "never-has-text", expected=expected)


def test_a_text_that_can_be_is_taken():
    game = sit()
    law(game, 'track gold per player from 0\non counted when counter in ["gold", "points"]: announce "counted"')
    assert announced(game) == ["counted"], "the throw's point"


def test_one_counter_does_not_start_twice():
    game = sit()
    law(game, "track gold per player from 3")
    with refused("started-twice", counter="gold", start="3", other="10"):
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
    assert list(game.history["what"])[-2:] == ["nobody is left to choose word", "So"]


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
    assert any(one.startswith("nobody is left to choose answer; left out as a result") for one in told)
    assert told[-1] == "So"


@pytest.mark.parametrize("who", ['"Cleo"', "[p for p in players if not p.playing]"])
def test_the_table_is_asked_where_only_somebody_who_has_left_is_obliged(who):
    game = sit()
    law(game, on_go(f"oblige {who} to say"))
    game.forfeit("Cleo")
    go(game)
    assert "no player called Cleo can act" in game.state.questions[0].text


def test_whoever_is_left_of_those_who_are_obliged_owes_it():
    game = sit()
    law(game, on_go("oblige [p for p in players if p != mover] to say"))
    game.forfeit("Cleo")
    go(game)
    assert not game.state.questions
    assert waiting_for(game, "say") == ["Ann"]


@pytest.mark.parametrize(
    ("clauses", "said"),
    [
        ("set vote.weight to voter.points - 5", "a weight must be a number, 0 or more"),
        ("set vote.quota to 1 - turn", "a quota must be a number, 0 or more"),
    ],
)
def test_the_table_is_asked_where_a_count_comes_to_mean_nothing(clauses, said):
    game = sit()
    law(game, clauses + "\nprevails over everything")
    game.propose("Ben", nb.enact("Nothing to see here."))
    assert said in game.state.questions[0].text
