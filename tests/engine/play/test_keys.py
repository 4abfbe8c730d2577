"""Every term of the law is changed by an adopted proposal, and play is another than before: precedence, and silence."""

from pathlib import Path

from key_helpers import change_immutable
from play_helpers import (
    law,
    open_up,
    put,
    refused,
    scores,
    sit,
    turn,
)

import nomic_nb as nb
from nomic_nb.engine.extension import installed_extension


def test_every_term_is_named_here():
    folder = Path(__file__).parent
    here, beside = ("".join(one.read_text("utf-8") for one in folder.glob(f"test_*{end}.py")) for end in ("keys", ""))
    of_the_engine = [key for key in sit().law if key not in installed_extension().keys]
    missing = [key for key in of_the_engine if f"{key} " not in here and f'"{key}"' not in here]
    acts = [key.removeprefix("may.") for key in missing]
    assert [act for act in acts if f"forbid {act}" not in beside and f"allow {act}" not in beside] == []


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
    assert not game.rules.void_reason(game.rules[301])
    assert game.law["dice.sides"].value == 20
    assert game.law["vote.duty"].value is True


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
    with refused(game, "not-allowed", rule=number):
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


def test_acts_unregulated_are_not_those_that_a_rule_answers_to():
    game = sit()
    opened = open_up(game, 116)
    changed = 'set acts.unregulated to "forbidden"\non said when text == "please": award 1 points to player'
    number = turn(game, nb.amend(opened, "What no rule speaks of is forbidden.", law=changed)).number
    before = scores(game)["Ann"]
    game.say("Ann", "Please")
    assert scores(game)["Ann"] == before + 1
    with refused(game, "not-allowed", rule=number):
        game.say("Ann", "hello")
