"""Every term of the law is changed by an adopted proposal, and play is another than before."""

from importlib.resources import files
from pathlib import Path

import pytest
from play_helpers import (
    adopt,
    agree,
    asked_about,
    ballot,
    by_hand,
    defeat,
    idle,
    judged,
    law,
    majority,
    open_up,
    put,
    refusal_of,
    refused,
    scores,
    sit,
    turn,
    waiting_for,
)

import nomic_nb as nb

BY_THEMSELVES = 'set turn.start to "automatic"\nset turn.overlap to false'  # as 201 has it
IN_A_ROW = 'set proposal.numbering to "successive"'  # as 108 has it
STUCK = 'on enacted when rule == this: enter player "D" as dummy'  # its ballot never comes


def test_every_term_is_named_here():
    folder = Path(__file__).parent
    here, beside = ("".join(one.read_text("utf-8") for one in folder.glob(f"test_*{end}.py")) for end in ("keys", ""))
    missing = [key for key in sit().law if f"{key} " not in here and f'"{key}"' not in here]
    acts = [key.removeprefix("may.") for key in missing]
    assert [act for act in acts if f"forbid {act}" not in beside and f"allow {act}" not in beside] == []


def change_immutable(game, number, clauses):
    """Open up an immutable rule and amend it, in two turns; its number is returned."""
    opened = open_up(game, number)
    proposal = adopt(game, nb.amend(opened, "As the clauses have it.", law=clauses))
    game.roll(game.player, 1)
    return proposal.number


# who wins


def test_win_winners():
    game = sit()
    opened = open_up(game, 112)
    adopt(
        game,
        nb.amend(opened, "Having three points wins.", law="set win.winners to [p for p in playing if p.points == 3]"),
    )
    assert not game.over
    game.roll("Ben", 3)
    assert game.winner == "Ben"


def test_win_when_stuck():
    game = sit("Ann", "Ben")
    turn(game, nb.amend(213, "The first seat wins.", law="set win.when_stuck to [item(seats, 1)]"))
    idle(game)
    idle(game)
    law(game, STUCK)
    idle_proposal = put(game, nb.enact("More."))
    assert idle_proposal.outcome == "open"
    assert game.winner == "Ann"


def test_win_when_stuck_the_other_way():
    game = sit("Ann", "Ben")
    turn(
        game, nb.amend(213, "The other one wins.", law="set win.when_stuck to [p for p in seats if p != first_unable]")
    )
    law(game, STUCK)
    put(game, nb.enact("More."))
    assert game.turn == 3  # it is Ann's, and she cannot go on
    assert game.winner == "Ben"


def test_play_standstill():
    for value, then in (("wait", "say"), ("cannot continue", "")):
        game = sit()
        clauses = (
            "track heard per game from 0\non said: put heard at game.heard + 1\nforbid call_vote when game.heard < 9"
        )
        law(game, f'{clauses}\nset play.standstill to "{value}"')
        game.propose("Ben", nb.enact("More."), debate=True)
        assert (game.over, waiting_for(game, "say")) == (not then, list(game.players) if then else [])


def test_win_points():
    game = sit()
    law(game, "set win.points to 3\nprevails over 208", face=2)
    adopt(game, nb.enact("More."))
    assert not game.over
    game.roll("Ben", 3)
    assert game.winner == "Ben"


def said_to_all(game):
    return [event.data["text"] for event in game.table.events if event.kind == "announced"]


def test_win_replaced():
    game = sit()
    law(game, 'instead of won: announce "Not yet."\non said: award 200 points to player')
    game.say("Ben", "Mine.")
    assert said_to_all(game) == ["Not yet."]
    assert game.state.questions[0].key == "win.replaced"
    for name in game.players:
        game.choose(name, "not yet")
    assert not game.over
    game.say("Ben", "More.")
    assert said_to_all(game) == ["Not yet."]  # once, as long as he fulfils the condition
    adopt(game, nb.enact("He has won.", law='set win.replaced to "won"'))
    assert game.winner == "Ben"


def test_win_by_change():
    game = sit()
    law(game, 'set win.by_change to ("at once" if turn < 4 else "at the next gain")', face=4)
    idle(game, face=6)
    adopt(game, nb.enact("Six win.", law="set win.points to 6\nprevails over 208"))
    assert game.winner == "Ben"
    game.undo()
    game.vote("Cleo", "against")
    game.roll("Cleo", 1)
    adopt(game, nb.enact("Four win.", law="set win.points to 4\nprevails over 208"))
    assert not game.over
    game.roll("Ann", 1)
    assert game.winner == "Ann"


ALL_AT_ONCE = "on enacted when rule == this: award 100 points to playing"


def test_win_joint():
    game = sit()
    law(game, 'set win.joint to "joint"')
    adopt(game, nb.enact("A hundred for all.", law=ALL_AT_ONCE))
    assert game.over
    assert set(game.winners) == {"Ann", "Ben", "Cleo"}
    assert game.winner is None


def test_win_joint_on_turn():
    game = sit()
    law(game, 'set win.joint to "on turn"')
    adopt(game, nb.enact("A hundred for all.", law=ALL_AT_ONCE))
    assert game.winner == "Ben"


def test_win_joint_on_turn_where_no_winner_is_on_turn():
    game = sit()
    law(game, 'set win.joint to "on turn"')
    others = "\n".join(f'on enacted when rule == this: award 100 points to "{name}"' for name in ("Ann", "Cleo"))
    adopt(game, nb.enact("A hundred for the others.", law=others))
    assert game.table.events[-1].data["winners"] == ["Ann", "Cleo"]


def test_win_joint_unsaid_is_asked():
    game = sit()
    adopt(game, nb.enact("A hundred for all.", law=ALL_AT_ONCE))
    assert not game.over
    assert "joint" in " ".join(game.pending[0].options)
    for player in game.players:
        game.choose(player, game.pending[0].options[0])
    assert set(game.winners) == {"Ann", "Ben", "Cleo"}


def test_an_option_is_chosen_as_it_is_called():
    game = sit()
    adopt(game, nb.enact("A hundred for all.", law=ALL_AT_ONCE))
    for player in game.players:
        game.choose(player, "joint")
    assert set(game.winners) == {"Ann", "Ben", "Cleo"}


# turns


def test_turn_sequence():
    game = sit()
    turn(
        game,
        nb.amend(201, law=f"set turn.sequence to [item(seats, 3), item(seats, 2), item(seats, 1)]\n{BY_THEMSELVES}"),
    )
    order = []
    for _ in range(4):
        order.append(game.player)
        idle(game)
    assert order == ["Cleo", "Ben", "Ann", "Cleo"]  # after Ann, who is last now, it begins again


def test_turn_sequence_of_fewer():
    game = sit()
    turn(game, nb.amend(201, law=f'set turn.sequence to [p for p in seats if p.name != "Ben"]\n{BY_THEMSELVES}'))
    order = []
    for _ in range(4):
        order.append(game.player)
        idle(game)
    assert order == ["Cleo", "Ann", "Cleo", "Ann"]


def test_turn_parts():
    game = sit()
    law(game, 'set turn.parts to ["proposal", "throw", "throw"]\nprevails over 202')
    game.roll("Ann", 1)  # it works at once, so Ann throws twice as well
    adopt(game, nb.enact("More."))
    game.roll("Ben", 2)
    assert game.player == "Ben"
    assert waiting_for(game, "roll") == ["Ben"]
    game.roll("Ben", 3)
    assert scores(game)["Ben"] == 5
    assert game.player == "Cleo"


def test_turn_parts_the_other_way_round():
    game = sit()
    adopt(game, nb.enact("So be it.", law='set turn.parts to ["throw", "proposal"]\nprevails over 202'))
    if game.player == "Ann":
        game.roll("Ann", 1)
    assert waiting_for(game, "roll") == ["Ben"]
    with refused(game, opens="roll"):
        game.propose("Ben", nb.enact("More."))
    game.roll("Ben", 2)
    put(game, nb.enact("More."))
    assert game.player == "Cleo"


# proposals and changes


def test_proposal_first_number():
    game = sit()
    change_immutable(game, 108, f"set proposal.first_number to 1000\nset rule.takes_number to true\n{IN_A_ROW}")
    proposal = put(game, nb.enact("More."))
    assert proposal.number == 1000
    game.roll("Cleo", 1)
    assert put(game, nb.enact("More.")).number == 1001


def test_proposal_label():
    game = sit()
    law(game, 'set proposal.label to label("X", turn) while proponent.name == "Ben"')
    assert adopt(game, nb.enact("More.")).number == "X2"
    assert game.rules["X2"].wording == "More."
    game.roll("Ben", 1)
    assert put(game, nb.enact("More.")).number == 302


def test_a_label_is_given_once_and_reads_like_one():
    game = sit()
    law(game, 'set proposal.label to "X1"')
    turn(game, nb.enact("More."))
    with pytest.raises(nb.IllegalAction, match="X1 is taken"):
        game.propose("Cleo", nb.enact("More."))
    assert asked_about(game, 301)
    game.choose("Ann", '"X2"', agreed=["Ann", "Ben", "Cleo"])
    assert put(game, nb.enact("More."), player="Cleo").number == "X2"
    with refused(sit(), nb.LawError, match="a label is a capital letter"):
        sit().propose("Ann", nb.enact("Odd.", law='set proposal.label to "x 1"'))


def test_repeal_leaves():
    game = sit()
    number = law(game, "set repeal.leaves to true")
    turn(game, nb.repeal(210))
    assert 210 not in game.rules
    assert game.rules[302].title == "Repeal of 210"
    turn(game, nb.repeal(number))
    assert 303 in game.rules, "the law of the step in which it is repealed still says so"
    turn(game, nb.repeal(303))
    assert 304 not in game.rules


def test_proposal_on_leaving():
    for value, outcome in (("lapse", "lapsed"), ("stand", "open")):
        game = sit()
        law(game, f'set proposal.on_leaving to "{value}"')
        proposal = game.propose("Ben", nb.enact("More."))
        game.vote("Ann", "for")
        game.forfeit("Ben")
        assert proposal.outcome == outcome
        assert waiting_for(game, "choose") == []
        if outcome == "open":
            game.vote("Cleo", "for")
            assert proposal.outcome == "adopted"
        assert waiting_for(game, "propose") == ["Cleo"]


def test_rule_takes_number():
    game = sit()
    change_immutable(game, 108, f"set proposal.first_number to 301\nset rule.takes_number to false\n{IN_A_ROW}")
    proposal = turn(game, nb.amend(210, "Whisper."))
    assert proposal.number == 303
    assert game.rules[210].wording == "Whisper."
    assert 303 not in game.rules


def test_enact_tier():
    game = sit()
    change_immutable(
        game,
        103,
        'allow propose\nset enact.tier to "immutable"\nset transmute.tier to "mutable"',
    )
    idle(game)
    assert game.rules[303].tier == "immutable"


def test_transmute_tier():
    game = sit()
    change_immutable(
        game,
        103,
        'allow propose\nset enact.tier to "mutable"\nset transmute.tier to "mutable"',
    )
    turn(game, nb.transmute(210))
    assert game.rules[303].tier == "mutable"


def test_change_effective():
    game = sit()
    law(game, 'set change.effective to "turn ended"\nprevails over 205')
    proposal = put(game, nb.enact("A big die.", law="set dice.sides to 20"))
    assert proposal.outcome == "waiting"
    assert 302 not in game.rules
    with refused(game, match="20"):
        game.roll("Ben", 20)
    game.roll("Ben", 6)
    assert 302 in game.rules
    assert proposal.outcome == "adopted"
    assert put(game, nb.enact("More.")).outcome == "waiting"
    assert game.roll("Cleo", 20) == 20


def test_change_effective_after_a_circuit():
    game = sit()
    law(game, 'set change.effective to "circuit ended"\nprevails over 205')
    proposal = turn(game, nb.enact("A big die.", law="set dice.sides to 20"))
    assert proposal.outcome == "waiting"
    assert game.law["dice.sides"].value == 6
    turn(game, nb.enact("More."))
    assert game.circuit == 2
    assert game.law["dice.sides"].value == 20


def doubtful(game):
    """Take away both rules on how many votes it takes, so that nobody can tell whether changes can be adopted."""
    opened = open_up(game, 109)
    turn(game, nb.repeal(opened))
    return put(game, nb.repeal(203))


def in_doubt(stands):
    """Adopt a change after which a requirement has no answer, where the law says whether such a change stands."""
    game = sit()
    law(game, f"set change.stands to {stands}")
    limit = len(game.rules) + 2
    law(game, f"require 10 // ({limit} - count(rules)) > -100")
    return game, turn(game, nb.enact("A big die.", law="set dice.sides to 20"))


def test_change_stands():
    game, proposal = in_doubt("false")
    assert proposal.outcome == "without effect"
    assert game.law["dice.sides"].value == 6
    game, proposal = in_doubt("true")
    assert proposal.outcome == "adopted"


# debate


def test_debate_ended_by():
    game = sit()
    change_immutable(
        game,
        111,
        "set debate.ended_by to [p for p in playing if p != proponent]\nset debate.final_form_by to [proponent]",
    )
    proposal = game.propose("Cleo", nb.enact("Vague."), debate=True)
    assert set(waiting_for(game, "call_vote")) == {"Ann", "Ben"}
    with refused(game):
        game.call_vote("Cleo")
    game.call_vote("Ann")
    assert proposal.outcome == "open"


def test_debate_final_form_by():
    game = sit()
    change_immutable(
        game,
        111,
        "set debate.ended_by to [proponent]\nset debate.final_form_by to [p for p in playing if p != proponent]",
    )
    proposal = game.propose("Cleo", nb.enact("Vague."), debate=True)
    with refused(game):
        game.revise("Cleo", nb.enact("Clear."))
    game.revise("Ben", nb.enact("Clear, by Ben."))
    game.call_vote("Cleo")
    assert proposal.wording == "Clear, by Ben."


# votes


def test_vote_electorate():
    game = sit()
    change_immutable(
        game, 105, "set vote.electorate to [p for p in playing if p != proponent]\nset vote.duty to true\nallow vote"
    )
    proposal = game.propose("Cleo", nb.enact("More."))
    assert waiting_for(game, "vote") == ["Ann", "Ben"]
    with refused(game):
        game.vote("Cleo", "for")
    ballot(game)
    assert proposal.outcome == "adopted"
    assert (proposal.tally.votes_for, proposal.tally.quota) == (2, 2)


def test_vote_electorate_of_nobody():
    game = sit()
    change_immutable(game, 105, "set vote.electorate to []\nset vote.duty to true\nallow vote")
    proposal = game.propose("Cleo", nb.enact("By decree."))
    assert proposal.outcome == "adopted"
    assert waiting_for(game, "roll") == ["Cleo"]


def test_vote_weight():
    game = sit()
    majority(game)
    turn(game, nb.amend(207, "Ann has three votes.", law='set vote.weight to (3 if voter.name == "Ann" else 1)'))
    proposal = put(game, nb.enact("More."), against=("Ben", "Cleo"))
    assert (proposal.tally.votes_for, proposal.tally.votes_against) == (3, 2)
    assert proposal.outcome == "adopted"


def test_vote_quota():
    game = sit()
    turn(game, nb.amend(203, "One is enough.", law="set vote.quota to 1"))
    assert put(game, nb.enact("More."), against=("Ann", "Cleo")).outcome == "adopted"


def test_vote_adopted():
    game = sit()
    change_immutable(game, 104, "set vote.adopted to votes_for > votes_against")
    proposal = turn(game, nb.enact("More."), against=("Cleo",))
    assert proposal.outcome == "adopted"
    assert turn(game, nb.enact("More."), against=("Ann", "Cleo")).outcome == "defeated"


def test_vote_duty_and_vote_ended_by():
    game = sit()
    majority(game)
    change_immutable(game, 105, "set vote.electorate to playing\nset vote.duty to false\nallow vote")
    proposal = game.propose("Ann", nb.enact("More."))
    game.vote("Ben", "for")
    game.vote("Cleo", "for")
    assert proposal.outcome == "open"
    with refused(game, opens="Ann"):
        game.close_vote("Ben")
    game.close_vote("Ann")
    assert proposal.outcome == "adopted"
    game.roll("Ann", 1)
    law(game, "set vote.ended_by to [p for p in playing if p != proponent]")
    proposal = game.propose("Cleo", nb.enact("Again."))
    with refused(game):
        game.close_vote("Cleo")
    game.close_vote("Ben")
    assert proposal.outcome == "defeated"


def test_vote_ballots():
    game = sit()
    law(game, 'set vote.ballots to "sealed"')
    proposal = game.propose("Ben", nb.enact("More."))
    game.vote("Ann", "against")
    assert "against" not in str(dict(proposal.ballots))
    assert "against" not in " ".join(game.history["what"].tail(2)).lower().replace("for or against", "")
    assert proposal.tally.not_voted == ("Ben", "Cleo")
    assert "1 against" not in str(proposal)
    assert "against" not in list(game.ballots.tail(1)["ballot"].astype(str))
    assert "against" not in str(game.history.tail(1)["data"].iloc[0])
    game.vote("Ben", "for")
    game.vote("Cleo", "for")
    assert dict(proposal.ballots) == {"Ann": "against", "Ben": "for", "Cleo": "for"}
    assert proposal.outcome == "defeated"


def test_vote_changeable():
    game = sit()
    law(game, "set vote.changeable to true")
    proposal = game.propose("Ben", nb.enact("More."))
    game.vote("Ann", "against")
    game.vote("Ann", "for")
    assert (proposal.tally.votes_for, proposal.tally.votes_against) == (1, 0)
    game.vote("Ben", "for")
    game.vote("Cleo", "for")
    assert proposal.outcome == "adopted"
    assert list(game.ballots[game.ballots["proposal"] == 302]["ballot"]).count("for") == 3


# points and dice


def test_dissent_points():
    game = sit()
    majority(game)
    law(game, "set dissent.points to 4\nprevails over 204")
    turn(game, nb.enact("More."), against=("Ann",))
    assert scores(game)["Ann"] == 1 + 4


def test_defeat_points():
    game = sit()
    law(game, "set defeat.points to -3\nprevails over 206")
    defeat(game, nb.enact("No."))
    assert scores(game)["Ben"] == -3


def test_throw_points():
    game = sit()
    law(game, "set throw.points to 7 - face", face=1)
    idle(game, face=6)
    assert scores(game) == {"Ann": 6, "Ben": 1, "Cleo": 0}


def test_throw_points_that_depend_on_the_player():
    game = sit()
    law(game, 'set throw.points to face * 2 while player.name == "Ben"', face=4)
    idle(game, face=4)
    idle(game, face=4)
    assert scores(game) == {"Ann": 4, "Ben": 8, "Cleo": 4}


def test_dice_sides():
    game = sit(seed=2)
    adopt(game, nb.library.another_die(20).change())
    assert game.roll("Ann", 20) == 20
    faces = []
    for _ in range(25):
        defeat(game, nb.enact("No."))
        faces.append(game.roll(game.player))
    assert max(faces) > 6
    assert set(faces) <= set(range(1, 21))


def test_dice_source():
    game = sit()
    law(game, 'set dice.source to "table"')
    adopt(game, nb.enact("More."))
    with refused(game, match="hand", rule=301):
        game.roll("Ben")
    game.roll("Ben", 2)
    adopt(game, nb.amend(301, law='set dice.source to "seeded"'))
    with refused(game, rule=303):
        game.roll(game.player, 3)
    assert 1 <= game.roll(game.player) <= 6
    adopt(game, nb.amend(303, law='set dice.source to "committed"'))
    with refused(game, match="alone", rule=304):
        game.roll("Ann")
    assert waiting_for(game, "seal") == ["Ann", "Ben", "Cleo"]


def seal_and_reveal(game, silent=()):
    """All who are to seal do, and all reveal but those named, who are recorded as overdue."""
    for name in waiting_for(game, "seal"):
        game.seal(name)
    for name in waiting_for(game, "reveal"):
        if name not in silent:
            game.reveal(name)
    for name in silent:
        game.host.overdue(name)


def test_dice_sealed_by():
    game = sit(dice="committed")
    adopt(game, nb.enact("The others seal.", law="set dice.sealed_by to [p for p in seats if p != mover]"))
    assert waiting_for(game, "seal") == ["Ben", "Cleo"]
    seal_and_reveal(game)
    assert 1 <= scores(game)["Ann"] <= 6


def test_secret_kept_by():
    asks = 'on said: let seats choose guess from ["owl", "fox"] in secret'
    game = sit()
    law(game, asks)
    game.say("Ann", "go")
    assert waiting_for(game, "seal") == []
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    game = sit()
    law(game, f'set secret.kept_by to "players"\n{asks}')
    game.say("Ann", "go")
    assert waiting_for(game, "seal") == ["Ann", "Ben", "Cleo"]


def test_dice_unrevealed():
    game = sit(dice="committed")
    adopt(game, nb.enact("On we go.", law='set dice.unrevealed to "without" while player.name == "Cleo"'))
    seal_and_reveal(game, silent=["Cleo"])
    assert game.player == "Ben"
    adopt(game, nb.enact("More."))
    seal_and_reveal(game, silent=["Ben"])
    assert waiting_for(game, "seal") == ["Ann", "Cleo"]


# precedence


def test_precedence_tiers():
    game = sit()
    law(game, "set vote.duty to false")
    assert game.law["vote.duty"].value is True
    change_immutable(
        game, 110, 'set precedence.tiers to ["mutable", "immutable", "reading"]\nset precedence.void to []'
    )
    proposal = game.propose(game.player, nb.enact("More."))
    assert game.law["vote.duty"].value is False
    for voter in ("Ann", "Ben"):
        game.vote(voter, "for")
    game.close_vote(game.player)
    assert proposal.outcome == "defeated"


def test_precedence_by():
    game = sit()
    law(game, "set win.points to 50")
    assert game.law["win.points"].value == 100
    turn(game, nb.amend(211, "The highest number prevails.", law='set precedence.by to ["highest number"]'))
    assert game.law["win.points"].value == 50
    assert game.law["win.points"].rule == 301


def test_precedence_by_without_claims():
    game = sit()
    law(game, "set win.points to 50\nprevails over 208")
    assert game.law["win.points"].value == 50
    turn(game, nb.amend(211, "Only numbers count.", law='set precedence.by to ["lowest number"]'))
    assert game.law["win.points"].value == 100


def test_precedence_void():
    game = sit()
    law(game, "set vote.duty to false\nset dice.sides to 20")
    assert game.law["dice.sides"].value == 6
    change_immutable(
        game, 110, 'set precedence.tiers to ["immutable", "mutable", "reading"]\nset precedence.void to []'
    )
    assert not game.rules.void(game.rules[301])
    assert game.law["dice.sides"].value == 20
    assert game.law["vote.duty"].value is True


# what no rule speaks of


def test_acts_unregulated():
    game = sit()
    opened = open_up(game, 116)
    number = turn(
        game,
        nb.amend(
            opened,
            "What is not allowed is forbidden.",
            law='set acts.unregulated to "forbidden"\nset acts.rule_change to "forbidden"',
        ),
        face=2,
    ).number
    with refused(game, rule=number):
        game.act("Ann", "hums")
    assert scores(game)["Ben"] == 2  # that a player throws, 202 demands
    assert turn(game, nb.enact("More."), face=2).outcome == "adopted"


def test_acts_rule_change():
    game = sit()
    turn(game, nb.transmute(116))
    turn(
        game,
        nb.amend(
            301,
            "Changing the rules is free.",
            law='set acts.unregulated to "allowed"\nset acts.rule_change to "allowed"',
        ),
    )
    opened = open_up(game, 103)
    proposal = turn(game, nb.repeal(opened))
    assert proposal.outcome == "adopted"  # with 116 as it was, this would have had no effect
    assert put(game, nb.enact("More.")).outcome in ("adopted", "open")


# who may do what


def test_may_propose():
    game = sit()
    law(game, 'forbid propose when change.kind == "repeal"\nprevails over 103')
    turn(game, nb.transmute(103))
    assert turn(game, nb.enact("More.")).outcome == "adopted"
    with refused(game, rule=301, opens="amend"):
        game.propose("Ann", nb.repeal(210))
    assert game.propose("Ann", nb.amend(210, "Whisper.")).outcome == "open"
    assert "may.propose" in game.law


def test_may_revise():
    game = sit()
    number = change_immutable(
        game, 111, "set debate.ended_by to [proponent]\nset debate.final_form_by to [proponent]\nforbid revise"
    )
    player = game.player
    game.propose(player, nb.enact("Vague."), debate=True)
    with refused(game, rule=number, opens="call_vote"):
        game.revise(player, nb.enact("Clear."))
    assert waiting_for(game, "revise") == []
    assert "may.revise" in game.law


def test_may_call_vote():
    game = sit()
    law(game, "forbid call_vote when turn == 2")
    before = game.turn, len(game.proposals.frame)
    error = refusal_of(lambda: game.propose("Ben", nb.enact("Vague."), debate=True))
    if error:
        assert error.rule == 301
        assert (game.turn, len(game.proposals.frame)) == before
    else:
        assert waiting_for(game, "call_vote") == []
        with refused(game):
            game.call_vote("Ben")
    assert game.pending or game.winner == "Ben"  # nobody else can end the debate (213)
    assert "may.call_vote" in game.law


def test_may_call_vote_of_others_is_untouched():
    game = sit()
    law(game, 'forbid call_vote when player.name == "Ann"')
    put(game, nb.enact("More."))  # not held back
    game.roll("Ben", 1)
    game.propose("Cleo", nb.enact("Vague."), debate=True)
    assert waiting_for(game, "call_vote") == ["Cleo"]
    game.call_vote("Cleo")
    assert waiting_for(game, "vote") == ["Ann", "Ben", "Cleo"]


def test_may_call_vote_holds_back_what_would_be_voted_on_at_once():
    game = sit()
    number = law(
        game, "on proposed: oblige next_player to say\nforbid call_vote when turn == 2 and next_player.points < 5"
    )
    proposal = game.propose("Ben", nb.enact("More."))
    assert proposal.now.status == "debate"
    with refused(game, rule=number):
        game.call_vote("Ben")
    assert waiting_for(game, "vote") == []


def test_may_vote():
    game = sit()
    change_immutable(game, 105, "set vote.electorate to playing\nset vote.duty to false\nallow vote")
    majority(game)
    law(game, 'forbid vote when player.name == "Ben"\nprevails over 302')
    proposal = game.propose("Ben", nb.enact("More."))
    with refused(game, rule=304):
        game.vote("Ben", "for")
    assert "Ben" not in waiting_for(game, "vote")
    game.vote("Ann", "for")
    game.vote("Cleo", "for")
    assert proposal.outcome == "adopted" or waiting_for(game, "close_vote") == ["Ben"]
    assert "may.vote" in game.law


def test_may_agree():
    game = on_github()
    game.begin_turn("Ann")
    game.propose("Ann", nb.enact("More."), 1)
    assert waiting_for(game, "agree") == ["Ben", "Cleo"]
    scored(game, "Ben", 2, nb.enact("Nobody is asked.", law="forbid agree"))
    with refused(game, rule=2, match="not asked"):
        game.agree("Cleo", "yes", 1)
    assert waiting_for(game, "agree") == []
    assert "may.agree" in game.law


def test_may_close_vote():
    game = sit()
    change_immutable(game, 105, "set vote.electorate to playing\nset vote.duty to false\nallow vote")
    law(game, "forbid close_vote when votes_for + votes_against < 2")
    proposal = game.propose("Ann", nb.enact("More."))
    game.vote("Ben", "for")
    with refused(game, rule=303):
        game.close_vote("Ann")
    game.vote("Cleo", "for")
    game.close_vote("Ann")
    assert proposal.outcome == "defeated"
    assert "may.close_vote" in game.law


def test_may_roll():
    game = sit()
    law(game, "forbid roll when player.points > 0\nprevails over 202")
    assert turn(game, nb.enact("More.")).outcome == "adopted"
    turn(game, nb.enact("More."))
    put(game, nb.enact("More."))  # now Ann can neither throw nor leave it out
    assert game.winner == "Ann"
    assert "may.roll" in game.law


def test_may_seal():
    game = sit(dice="committed")
    adopt(game, nb.enact("Cleo keeps out.", law='forbid seal when player.name == "Cleo"'))
    assert waiting_for(game, "seal") == ["Ann", "Ben"]
    with refused(game):
        game.seal("Cleo")
    assert "may.seal" in game.law


def test_may_reveal():
    game = sit(dice="committed")
    law = 'track shy per player from 0\nforbid reveal when player.name == "Cleo" and player.shy == 0'
    adopt(game, nb.enact("Cleo is shy.", law=f"{law}\non said: award 1 shy to player"))
    for name in game.players:
        game.seal(name)
    assert waiting_for(game, "reveal") == ["Ann", "Ben"]
    with refused(game, rule=301):
        game.reveal("Cleo")
    game.say("Cleo", "Hello.")
    for name in game.players:
        game.reveal(name)
    assert game.player == "Ben"
    assert "may.reveal" in game.law


def test_may_choose():
    game = sit()
    law(
        game,
        'on said when text == "gift": let player choose n from [1, 2, 3]; award n points to player\n'
        'forbid choose when player.name == "Ann"',
    )
    game.say("Ben", "gift")
    game.choose("Ben", 3)
    assert scores(game)["Ben"] == 3
    game.say("Ann", "gift")
    assert scores(game)["Ann"] == 1
    assert "whether this lets play go on" in game.pending[0].prompt  # what Ann may not choose, nobody can
    for name in game.players:
        game.choose(name, "cannot continue")
    assert game.winner == "Ben"  # it is his turn (213)
    assert "may.choose" in game.law


def test_may_skip():
    game = sit()
    turn(game, nb.amend(201, "Skip if you like.", law=f"set turn.sequence to seats\nallow skip\n{BY_THEMSELVES}"))
    game.skip("Ben")
    assert game.player == "Cleo"
    adopt(game, nb.enact("More."))
    game.skip("Cleo")
    assert (game.player, scores(game)["Cleo"]) == ("Ann", 0)
    with refused(game):
        game.skip("Ben")
    assert "may.skip" in game.law


def test_may_say():
    game = sit()
    law(game, 'forbid say when player.name == "Cleo"')
    game.say("Ann", "Hello.")
    with refused(game, rule=301):
        game.say("Cleo", "Hello.")
    assert "may.say" in game.law


def test_may_act():
    game = sit()
    law(game, "forbid act")
    with refused(game, rule=301):
        game.act("Ann", "hums")
    assert "may.act" in game.law


def test_may_report():
    game = sit()
    law(game, 'forbid report when player.name == "Ann"')
    game.report("Ben", "Ann", "humming")
    with refused(game, rule=301):
        game.report("Ann", "Ben", "humming")
    assert "may.report" in game.law


def test_may_apply():
    game = sit()
    law(game, 'forbid apply when player.name == "Ann"')
    by_hand(game, "Ben", 'award -5 points to "Ann"', 210)
    with refused(game, rule=301):
        by_hand(game, "Ann", 'award -5 points to "Ben"', 210)
    assert "may.apply" in game.law


def test_may_invoke_judgment():
    game = sit()
    law(game, 'forbid invoke_judgment when player.name == "Ann"\nprevails over 212')
    with refused(game, rule=301):
        game.invoke_judgment("Ann", "Why?")
    game.invoke_judgment("Cleo", "Why not?")
    assert waiting_for(game, "rule_on") == ["Ann"]
    assert "may.invoke_judgment" in game.law


def test_may_forfeit():
    game = sit()
    change_immutable(game, 113, "forbid forfeit when player.points < 0")
    game.forfeit("Ann")
    defeat(game, nb.enact("No."))
    with refused(game, rule=302):
        game.forfeit("Cleo")
    assert "may.forfeit" in game.law


def test_change_automatic():
    law = "on enacted when rule == this: transmute item([r for r in rules if r.number == 116], 1)"
    game = sit()
    turn(game, nb.enact("By the way.", law=law))
    assert game.rules[116].tier == "immutable"
    game = sit()
    change_immutable(
        game, 110, 'set precedence.tiers to ["immutable", "mutable", "reading"]\nset change.automatic to true'
    )
    turn(game, nb.enact("By the way.", law=law))
    assert game.rules[116].tier == "mutable"


def test_may_give():
    game = sit()
    with refused(game, match="no rule lets"):
        game.give("Ann", "Ben", 1)
    number = law(game, "allow give when amount < 3", face=5)  # sets "may.give"
    game.give("Ann", "Ben", 2)
    assert scores(game)["Ben"] == 2
    with refused(game, rule=number):
        game.give("Ann", "Ben", 3)


# turns that are begun and ended by players


def test_turn_next():
    game = sit()
    law(game, 'set turn.next to [player_named("Ann"), player_named("Cleo")] while turn == 1\nprevails over 201')
    order = []
    for _ in range(4):
        order.append(game.player)
        idle(game)
    assert order == ["Ann", "Ben", "Cleo", "Ann"]  # one more turn, and then the order goes on


def test_turn_next_leaves_the_order_where_it_was():
    game = sit()
    law(game, 'set turn.next to [player_named("Ann")] while turn == 2\n'
              "set turn.sequence to (seats if turn != 2 else [item(seats, 1)])\nprevails over 201")  # fmt: skip
    order = []
    for _ in range(3):
        order.append(game.player)
        idle(game)
    assert order == ["Ben", "Ann", "Cleo"]


def at_will(*players, overlap="false"):
    """A game in which 201 lets turns be begun at will."""
    game = sit(*players)
    law = f'set turn.sequence to seats\nset turn.start to "at will"\nset turn.overlap to {overlap}'
    turn(game, nb.amend(201, "Begin when you like.", law=law))
    return game


def test_turn_start():
    game = at_will()
    assert game.player is None
    assert waiting_for(game, "begin_turn") == ["Ann", "Ben", "Cleo"]
    with refused(game, match="not begun", rule=301, opens="begin_turn"):
        game.propose("Ben", nb.enact("More."))
    game.begin_turn("Cleo")
    idle(game)
    game.begin_turn("Cleo")  # the order does not bind
    assert (game.turn, game.player) == (3, "Cleo")
    game = sit()
    with refused(game, rule=201, match="by themselves", opens="Ann: propose"):
        game.begin_turn("Ben")


def test_turn_overlap():
    game = at_will()
    game.begin_turn("Cleo")
    assert waiting_for(game, "begin_turn") == []
    with refused(game, rule=301, match="Cleo's turn is not over"):
        game.begin_turn("Ben")
    game = at_will(overlap="true")
    game.begin_turn("Cleo")
    game.begin_turn("Ben")
    first = game.propose("Cleo", nb.enact("By Cleo."))
    second = game.propose("Ben", nb.enact("By Ben."))
    assert [one.player for one in game.state.turns] == ["Cleo", "Ben"]
    for player in game.players:
        game.vote(player, "for", proposal=second.number)
    game.roll("Ben", 4)
    assert [one.player for one in game.state.turns] == ["Cleo"]
    for player in game.players:
        game.vote(player, "against", proposal=first.number)
    game.roll("Cleo", 3)
    assert scores(game) == {"Ann": 1, "Ben": 4, "Cleo": 3 - 10}
    assert game.player is None


def test_turn_ended_by():
    game = sit()
    with refused(game, match="by themselves"):
        game.end_turn("Ann")
    law(game, 'set turn.ended_by to "player"')  # at once, so Ann's turn is not over
    assert game.player == "Ann"
    assert waiting_for(game, "end_turn") == ["Ann"]
    with refused(game, opens="Ann: end_turn"):
        game.propose("Ben", nb.enact("More."))
    with refused(game, match="not Ben's turn"):
        game.end_turn("Ben")
    game.end_turn("Ann")
    assert game.player == "Ben"
    with refused(game, rule=301, opens="Ben: propose"):
        game.end_turn("Ben")
    idle(game)
    game.end_turn("Ben")
    assert game.player == "Cleo"


def test_may_ask_again():
    game = sit()
    adopt(game, nb.amend(208, "As we agree.", law=""))
    game.choose("Ann", "100", agreed=game.players)
    assert game.law["may.ask_again"].outcome == "silent"  # so whoever plays may
    game.roll("Ann", 1)
    law(game, "forbid ask_again when not player.in_turn")
    with refused(game, match="not allowed"):
        game.ask_again("Ben", "win.points")
    game.ask_again("Cleo", "win.points")
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]


def test_may_begin_turn():
    game = sit()
    law(game, 'forbid begin_turn when player.name == "Ben"\nprevails over 201')
    order = []
    for _ in range(3):  # where turns begin by themselves, whoever may not begin one is passed over
        order.append(game.player)
        idle(game)
    assert order == ["Cleo", "Ann", "Cleo"]
    game = at_will()
    game.begin_turn("Ben")
    law(game, 'forbid begin_turn when player.name == "Ben"')
    with refused(game, rule=302, opens="Ann: begin_turn"):
        game.begin_turn("Ben")
    assert waiting_for(game, "begin_turn") == ["Ann", "Cleo"]
    assert "may.begin_turn" in game.law


def test_may_end_turn():
    game = sit()
    law(game, 'set turn.ended_by to "player"\nforbid end_turn when player.points < 3', face=3)
    game.end_turn("Ann")
    adopt(game, nb.enact("More."))
    game.roll("Ben", 1)
    assert game.winner == "Ben"  # he can neither end his turn nor do anything else (213)
    assert "may.end_turn" in game.law


# numbers and scores


def test_proposal_numbering():
    game = sit()
    with refused(game, rule=108, match="numbered by the law"):
        game.propose("Ann", nb.enact("Four hundred."), 400)
    clauses = 'set proposal.numbering to "assigned"\nset proposal.first_number to 301\nset rule.takes_number to true'
    change_immutable(game, 108, clauses)
    for wrong in (None, 300, 301, True, "a"):
        with refused(game, error=(nb.IllegalAction, TypeError)):
            game.propose("Cleo", nb.enact("Four hundred."), wrong)
    game.propose("Cleo", nb.enact("Four hundred."), 400)
    ballot(game)
    assert game.rules[400].wording == "Four hundred."
    game.roll("Cleo", 1)
    game.propose("Ann", nb.enact("Three hundred and nine."), 309)  # any that nobody has had
    ballot(game)
    game.roll("Ann", 1)
    with refused(game, match="taken"):
        game.propose("Ben", nb.enact("Again."), 400)


def on_github(*players):
    return sit(*(players or ("Ann", "Ben", "Cleo")), system="github-nomic")


def scored(game, player, number, change, against=(), silent=()):
    """A whole turn on GitHub: begin, propose, vote, and close the vote where somebody is silent."""
    game.begin_turn(player)
    proposal = game.propose(player, change, number)
    for voter in game.players:
        if voter not in silent:
            game.vote(voter, "against" if voter in against else "for", proposal=number)
    for one in [one for one in game.pending if (one.action, one.proposal) == ("agree", number)]:
        game.agree(one.player, "yes", number)
    if silent:
        game.close_vote(player, proposal=number)
    return proposal


def test_proposal_score():
    game = on_github()
    scored(game, "Ann", 1, nb.enact("More."))
    assert scores(game)["Ann"] == 10
    scored(game, "Ben", 2, nb.enact("A hundred.", law="set proposal.score to 100\nprevails over -111"))
    assert scores(game)["Ben"] == 100  # in force before his proposal is scored


def test_vote_automatic():
    game = sit()
    law(game, 'on vote_opened: cast "for" for player_named("Cleo")')
    game.propose("Ben", nb.enact("More."))
    assert "Cleo" in waiting_for(game, "vote")  # who is there votes herself
    assert "rule 105 does not allow it" in " ".join(game.history["what"])
    game = sit()
    law(game, 'on vote_opened: cast "for" for player_named("Cleo")')
    game.host.absent("Cleo")
    number = game.propose("Ben", nb.enact("More.")).number
    assert game.state.proposals[number].vote.ballots == {"Cleo": "for"}
    assert "vote.automatic" in game.law


def test_vote_share():
    game = on_github()
    scored(game, "Ann", 3, nb.enact("More."), silent=("Cleo",))
    assert scores(game)["Ann"] == 12 - 10  # both of two, and defeated
    scored(
        game,
        "Ann",
        4,
        nb.enact("Silence.", law="set vote.share to votes_for / unanimity(vote.electorate)\nprevails over -111"),
    )
    scored(game, "Ben", 9, nb.enact("More."), silent=("Cleo",))
    assert scores(game)["Ben"] == 12 - 10  # two of three of 18


def test_score_half():
    totals = {}
    for way in ("up", "down", "even"):
        game = on_github("Ann", "Ben", "Cleo", "Dov")
        if way != "up":
            scored(game, "Ben", 1, nb.enact("Halves.", law=f'set score.half to "{way}"'))
        scored(game, "Ann", 5, nb.enact("More."), against=("Dov",))
        totals[way] = scores(game)["Ann"]
    assert totals == {"up": 11 - 10, "down": 10 - 10, "even": 10 - 10}
    counted = game.history[game.history["kind"] == "counted"].iloc[-1]
    assert (counted["data"]["exact"], counted["data"]["tie"]) == ("21/2", True)


def test_score_half_between_odd_and_even():
    game = on_github("Ann", "Ben", "Cleo", "Dov")
    scored(game, "Ben", 1, nb.enact("Halves.", law='set score.half to "even"'))
    scored(game, "Ann", 13, nb.enact("More."), against=("Cleo", "Dov", "Ben"))
    assert scores(game)["Ann"] == 6 - 10  # a fourth of 22 is 5 and a half
    scored(game, "Cleo", 17, nb.enact("More."), against=("Ann", "Dov", "Ben"))
    assert scores(game)["Cleo"] == 6 - 10  # a fourth of 26 is 6 and a half


HALVES = """set score.half to "up" while turn > 1
set score.half to "down" while turn > 1"""


def test_score_half_unsaid_is_asked():
    game = on_github("Ann", "Ben", "Cleo", "Dov")
    scored(game, "Ben", 1, nb.enact("Halves as we say.", law=HALVES))
    scored(game, "Ann", 5, nb.enact("More."), against=("Dov",))
    assert "score.half" in game.pending[0].prompt
    for player in game.players:
        game.choose(player, "down")
    assert scores(game)["Ann"] == 10 - 10


def stale(way, second):
    """Two proposals after one rule, the first of which is adopted."""
    game = on_github()
    if way:
        scored(game, "Cleo", 7, nb.enact("What is stale.", law=f'set proposal.when_stale to "{way}"'))
    game.begin_turn("Ann")
    game.begin_turn("Ben")
    game.propose("Ann", nb.amend(-104, "At most thirty.") if way == "retarget" else nb.repeal(-104), 8)
    proposal = game.propose("Ben", second, 9)
    for player in game.players:
        game.vote(player, "for", proposal=8)
    return game, proposal


def all_for(game, number):
    while voters := [one.player for one in game.pending if one.action == "vote" and one.proposal == number]:
        game.vote(voters[0], "for", proposal=number)


def test_proposal_when_stale():
    game, proposal = stale("lapse", nb.amend(-104, "At most forty."))
    assert proposal.outcome == "lapsed"
    game, proposal = stale("stand", nb.amend(-104, "At most forty."))
    assert proposal.outcome == "open"
    all_for(game, 9)
    assert proposal.outcome == "without effect"
    game, proposal = stale("retarget", nb.amend(-104, "At most forty."))
    assert proposal.outcome == "open"
    assert proposal.change.target == 8
    all_for(game, 9)
    assert game.rules[9].wording == "At most forty."
    assert 8 not in game.rules
    game, proposal = stale(None, nb.amend(-104, "At most forty."))
    assert game.pending[0].options == ('"lapse"', '"stand"', '"retarget"')
    assert "proposal.when_stale" in game.pending[0].prompt
    for player in game.players:
        game.choose(player, "lapse")
    assert proposal.outcome == "lapsed"


# the Judge


def insisted(clauses, by="Cleo", face=1):
    """A rule with these clauses is there, and in Ben's turn somebody insists on a question."""
    game = sit()
    law(game, clauses, face=face)
    game.invoke_judgment(by, "May one whistle?")
    return game


def test_team_mates():
    assert insisted("").judgments[1].judge == "Ann"
    game = insisted('set team.mates to [player_named("Ann")] while player.name == "Ben"')
    assert game.judgments[1].judge == "Cleo"  # no team-mate of the one on turn


def test_judge_candidates():
    game = insisted("set judge.candidates to [judgment.by]\nprevails over 212")
    assert game.judgments[1].judge == "Cleo"
    with refused(game):
        game.rule_on("Ann", "It is for me to say.")
    game.rule_on("Cleo", "One may.")


def test_judge_candidates_of_nobody():
    game = insisted("set judge.candidates to []\nprevails over 212")
    assert waiting_for(game, "choose") == ["Ann", "Ben", "Cleo"]
    assert game.judgments[1].status == "table"


def test_judge_chosen_by():
    game = insisted("set judge.chosen_by to judgment.mover\nprevails over 212")
    assert waiting_for(game, "choose") == ["Ben"]
    assert game.pending[0].options == ("Ann", "Cleo")
    with refused(game):
        game.choose("Cleo", "Cleo")
    game.choose("Ben", "Cleo")
    assert game.judgments[1].judge == "Cleo"
    assert waiting_for(game, "rule_on") == ["Cleo"]


def test_judge_open():
    game = insisted("set judge.open to turn <= judgment.turn + 1\nprevails over 212")
    judged(game)
    idle(game)
    game.invoke_judgment("Cleo", "And now?")
    assert game.judgments[2].judge == "Ann"  # who still serves; without the rule it would be Ben
    judged(game)
    while game.player is None or game.player == "Cleo":
        idle(game) if game.player else game.consent(waiting_for(game, "consent")[0])
    assert [one.id for one in game.judgments if one.id in game.state.docket] == [2]


def test_judge_open_no_more_closes_it():
    game = insisted("set judge.open to judgment.by.points < 5\nprevails over 212")
    game.rule_on("Ann", "One may.", orders='award 5 points to "Cleo"')
    game.overrule("Cleo", "against")
    agree(game)
    assert game.state.docket == ()
    idle(game)
    assert game.player == "Cleo"  # nothing is left to consent to


def test_judge_play_waits():
    game = insisted("set judge.play_waits to false")
    assert waiting_for(game, "rule_on") == ["Ann"]
    idle(game)  # before Ann has ruled
    assert scores(game)["Ben"] == 1
    assert game.player is None  # the next turn waits for consent all the same
    game.rule_on("Ann", "One may.")
    game.consent("Ann")
    game.consent("Ben")
    assert game.player == "Cleo"


def test_judge_play_waits_where_turns_are_begun_at_will(tmp_path):
    game = on_github()
    scored(game, "Ann", 1, nb.enact("Play goes on.", law="set judge.play_waits to false"))
    game.begin_turn("Ann")
    game.invoke_judgment("Ben", "May one whistle?")
    game.choose("Ann", "Cleo")
    game.rule_on("Cleo", "One may.", orders='award 3 points to "Cleo"')
    game.consent("Ann")
    game.consent("Cleo")
    assert game.judgments[1].status == "ruled"
    game.begin_turn("Ben")  # and by then nobody has overruled her
    assert game.judgments[1].status == "stands"
    agree(game)
    assert scores(game)["Cleo"] == 3
    with refused(game, match="too late", rule=-102):
        game.overrule("Ann", "for")
    game.save(tmp_path / "game.jsonl")
    assert nb.load(tmp_path / "game.jsonl").state.digest() == game.state.digest()


def test_judge_play_waits_is_asked_about_where_no_rule_says_so(tmp_path):
    rules = files("nomic_nb.rulesets").joinpath("cabinet-nomic.md").read_text(encoding="utf-8")
    path = tmp_path / "without.md"
    path.write_text(rules.replace("set judge.play_waits to true\n", ""), encoding="utf-8")
    game = nb.new_game(path, players=["Ann", "Ben", "Cleo"], seed=7)
    game.invoke_judgment("Cleo", "May one whistle?")
    assert "judge.play_waits" in game.pending[0].prompt
    for player in game.players:
        game.choose(player, "true")
    assert [(one.player, one.action) for one in game.pending] == [("Cleo", "rule_on")]


def test_judge_chosen_by_is_asked_again_where_a_judge_was_overruled():
    game = sit()
    law(game, "set judge.candidates to seats\nset judge.chosen_by to judgment.by\nprevails over 212")
    game.invoke_judgment("Cleo", "May one whistle?")
    game.choose("Cleo", "Ann")
    game.rule_on("Ann", "No.")
    game.overrule("Ben", "for")
    game.overrule("Cleo", "for")
    assert waiting_for(game, "choose") == ["Cleo"]


def test_judge_candidates_can_give_every_question_a_judge_of_its_own():
    game = sit()
    law(game, "set judge.candidates to [p for p in seats if p != judge]\nprevails over 212")
    game.invoke_judgment("Cleo", "May one whistle?")
    assert game.judgments[1].judge == "Ann"
    judged(game)
    game.invoke_judgment("Cleo", "And hum?")
    assert game.judgments[2].judge == "Ben"  # though Ann still serves


def test_judge_consent():
    game = insisted("set judge.consent to count(judgment.consents) >= 1\nprevails over 212")
    game.rule_on("Ann", "One may.")
    game.overrule("Ben", "against")
    idle(game)
    assert game.player is None
    game.consent("Cleo")  # one is enough, and it may be her own
    assert game.player == "Cleo"


def test_judge_overrule_electorate():
    game = insisted("set judge.overrule_electorate to [judgment.by]")
    game.rule_on("Ann", "One may.")
    assert waiting_for(game, "overrule") == ["Cleo"]
    with refused(game, rule=301):
        game.overrule("Ben", "for")
    game.overrule("Cleo", "for")
    assert game.judgments[1].judge == "Cleo"


def test_judge_overrule_quota():
    game = insisted("set judge.overrule_quota to 1")
    game.rule_on("Ann", "One may.")
    game.overrule("Ben", "against")
    assert game.judgments[1].status == "ruled"  # one vote can still overrule
    game.overrule("Cleo", "for")
    assert game.judgments[1].judge == "Cleo"


def test_judge_overrule_quota_that_nobody_reaches():
    for quota in ("0", "7"):
        game = insisted(f"set judge.overrule_quota to {quota}")
        game.rule_on("Ann", "One may.")
        while voters := waiting_for(game, "overrule"):
            game.overrule(voters[0], "against")
        assert game.judgments[1].status == "stands"
        assert waiting_for(game, "propose") == ["Ben"]


def test_may_rule_on():
    game = insisted("forbid rule_on when judgment.by == player")
    game.rule_on("Ann", "One may.")  # Cleo insisted
    game = sit()
    law(game, "forbid rule_on when judgment.by == player and turn == 2")
    put(game, nb.enact("More."))
    game.invoke_judgment("Ann", "May one whistle?")
    assert waiting_for(game, "rule_on") == []
    assert game.winner == "Ben"  # nobody can decide it, and play waits (213)
    assert "may.rule_on" in game.law


def test_may_rule_on_is_refused_where_play_goes_on():
    game = insisted("set judge.play_waits to false\nforbid rule_on when judgment.by == player", by="Ann")
    with refused(game, rule=301):
        game.rule_on("Ann", "One may.")
    assert waiting_for(game, "rule_on") == []
    idle(game)


def test_may_overrule():
    game = insisted('forbid overrule when player.name == "Ben"')
    game.rule_on("Ann", "One may.")
    assert game.judgments[1].status == "stands"  # with Ben silent, both others can never be for it
    game = insisted('forbid overrule when player.name == "Ben"\nset judge.overrule_quota to 1')
    game.rule_on("Ann", "One may.")
    assert waiting_for(game, "overrule") == ["Cleo"]
    with refused(game, rule=301):
        game.overrule("Ben", "for")
    game.overrule("Cleo", "against")
    assert game.judgments[1].status == "stands"
    assert "may.overrule" in game.law


def test_may_consent():
    game = insisted('forbid consent when player.name == "Ben"\nset judge.consent to count(judgment.consents) >= 2\n'
                    "prevails over 212")  # fmt: skip
    judged(game)
    assert list(game.judgments[1].consents) == ["Ann", "Cleo"]
    with refused(game, rule=301):
        game.consent("Ben")
    idle(game)
    assert game.player == "Cleo"
    assert "may.consent" in game.law


def test_play_in_circles():
    game = sit("Ann", "Ben")
    law(game, 'set play.in_circles to "cannot continue"')
    put(game, nb.enact("No turn lasts.", law="on turn_begun: end turn\nprevails over 201"))
    game.roll("Ben", 1)
    assert game.winner is not None
    assert "play cannot continue" in " ".join(game.history["what"])


def test_play_in_circles_is_asked_where_no_rule_says():
    game = sit("Ann", "Ben")
    put(game, nb.enact("No turn lasts.", law="on turn_begun: end turn\nprevails over 201"))
    game.roll("Ann", 1)
    for name in ("Ann", "Ben"):
        game.choose(name, "cannot continue")
    assert game.over


def test_fix_label():
    game = sit()
    game.suggest_fix("Ann", "Turns are shorter.")
    law(game, 'set fix.label to label("X", place * 10)\nforbid suggest_fix when text == "nonsense"')
    game.suggest_fix("Ben", "Turns are longer.")
    assert [one.name for one in game.rules.notes] == ["1", "X20"]
    with refused(game, match="not allowed to suggest"):
        game.suggest_fix("Ben", "nonsense")


def test_a_label_for_all_fixes_keeps_nobody_from_suggesting_one():
    game = sit()
    law(game, 'set fix.label to "X"\non turn_begun: oblige player to suggest_fix')
    name = game.player
    game.suggest_fix(name, "Turns are shorter.")
    game.suggest_fix("Ann", "Turns are longer.")
    assert [one.name for one in game.rules.notes] == ["X", "X"]
    assert waiting_for(game, "suggest_fix") == []


# What a number becomes has tests of its own in test_counter_value.


def test_what_a_number_becomes_is_said_before_it_is_counted():
    game = sit()
    law(game, 'set counter.value to otherwise + 1 while counter == "points" and amount > 0', face=3)
    assert scores(game)["Ann"] == 4
