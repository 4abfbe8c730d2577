"""Who may do what: each permission given and taken by an adopted proposal."""

from key_helpers import BY_THEMSELVES, change_immutable, on_github, scored
from play_helpers import (
    adopt,
    by_hand,
    defeat,
    law,
    majority,
    put,
    refusal_of,
    refused,
    scores,
    sit,
    turn,
    waiting_for,
)

import nomic_nb as nb


def test_may_propose():
    game = sit()
    law(game, 'forbid propose when change.kind == "repeal"\nprevails over 103')
    turn(game, nb.transmute(103))
    assert turn(game, nb.enact("More.")).outcome == "adopted"
    with refused(game, "not-proposable", rule=301, opens="amend"):
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
    with refused(game, "not-allowed", rule=number, opens="call_vote"):
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
        with refused(game, "question-open"):
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
    assert proposal.as_it_stands.status == "debate"
    with refused(game, "not-allowed", rule=number):
        game.call_vote("Ben")
    assert waiting_for(game, "vote") == []


def test_may_vote():
    game = sit()
    change_immutable(game, 105, "set vote.electorate to playing\nset vote.duty to false\nallow vote")
    majority(game)
    law(game, 'forbid vote when player.name == "Ben"\nprevails over 302')
    proposal = game.propose("Ben", nb.enact("More."))
    with refused(game, "not-allowed", rule=304):
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
    with refused(game, "not-asked-to-agree", rule=2):
        game.agree("Cleo", "yes", 1)
    assert waiting_for(game, "agree") == []
    assert "may.agree" in game.law


def test_may_close_vote():
    game = sit()
    change_immutable(game, 105, "set vote.electorate to playing\nset vote.duty to false\nallow vote")
    law(game, "forbid close_vote when votes_for + votes_against < 2")
    proposal = game.propose("Ann", nb.enact("More."))
    game.vote("Ben", "for")
    with refused(game, "not-allowed", rule=303):
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
    with refused(game, "not-allowed"):
        game.seal("Cleo")
    assert "may.seal" in game.law


def test_may_reveal():
    game = sit(dice="committed")
    law = 'track shy per player from 0\nforbid reveal when player.name == "Cleo" and player.shy == 0'
    adopt(game, nb.enact("Cleo is shy.", law=f"{law}\non said: award 1 shy to player"))
    for name in game.players:
        game.seal(name)
    assert waiting_for(game, "reveal") == ["Ann", "Ben"]
    with refused(game, "not-allowed", rule=301):
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
    assert "would let play continue" in game.pending[0].prompt  # what Ann may not choose, nobody can
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
    with refused(game, "not-your-turn"):
        game.skip("Ben")
    assert "may.skip" in game.law


def test_may_say():
    game = sit()
    law(game, 'forbid say when player.name == "Cleo"')
    game.say("Ann", "Hello.")
    with refused(game, "not-allowed", rule=301):
        game.say("Cleo", "Hello.")
    assert "may.say" in game.law


def test_may_define():
    game = sit()
    game.define("Cleo", "house", "where one lives")
    law(game, 'forbid define when word == "house" and player.name == "Cleo"')
    with refused(game, "not-allowed", rule=301):
        game.define("Cleo", "house", "where all live")
    game.define("Ben", "house", "where all live")


def test_may_act():
    game = sit()
    law(game, "forbid act")
    with refused(game, "not-allowed", rule=301):
        game.act("Ann", "hums")
    assert "may.act" in game.law


def test_may_report():
    game = sit()
    law(game, 'forbid report when player.name == "Ann"')
    game.report("Ben", "Ann", "humming")
    with refused(game, "not-allowed", rule=301):
        game.report("Ann", "Ben", "humming")
    assert "may.report" in game.law


def test_may_apply():
    game = sit()
    law(game, 'forbid apply when player.name == "Ann"')
    by_hand(game, "Ben", 'award -5 points to "Ann"', 210)
    with refused(game, "not-allowed", rule=301):
        by_hand(game, "Ann", 'award -5 points to "Ben"', 210)
    assert "may.apply" in game.law


def test_may_invoke_judgment():
    game = sit()
    law(game, 'forbid invoke_judgment when player.name == "Ann"\nprevails over 212')
    with refused(game, "not-allowed", rule=301):
        game.invoke_judgment("Ann", "Why?")
    game.invoke_judgment("Cleo", "Why not?")
    assert waiting_for(game, "rule_on") == ["Ann"]
    assert "may.invoke_judgment" in game.law


def test_may_forfeit():
    game = sit()
    change_immutable(game, 113, "forbid forfeit when player.points < 0")
    game.forfeit("Ann")
    defeat(game, nb.enact("No."))
    with refused(game, "not-allowed", rule=302):
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
    with refused(game, "gift-without-rule"):
        game.give("Ann", "Ben", 1)
    number = law(game, "allow give when amount < 3", face=5)  # sets "may.give"
    game.give("Ann", "Ben", 2)
    assert scores(game)["Ben"] == 2
    with refused(game, "gift-without-rule", rule=number):
        game.give("Ann", "Ben", 3)
