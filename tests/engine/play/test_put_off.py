"""What a clause put off is done only while the clause stands, and the review of a change says so."""

from __future__ import annotations

from play_helpers import adopt, idle, law, put, scores, sit

import nomic_nb as nb


def forgone(game):
    return [event for event in game.timeline.events if event.kind == "forgone"]


def test_an_end_that_is_amended_away_does_not_come():
    game = sit()
    number = law(game, "on enacted when rule == this: after 3 turns: repeal this")
    stays = adopt(game, nb.amend(number, "It stays.", law=""))
    game.roll("Ben", 1)
    for _ in range(3):
        idle(game)
    assert stays.number in {rule.number for rule in game.rules}


def test_a_rule_that_hears_of_its_own_end_can_put_something_off():
    game = sit()
    number = law(game, 'on repealed when rule == this: after 1 turns: award 7 points to player_named("Cleo")')
    before = scores(game)["Cleo"]
    adopt(game, nb.repeal(number))
    game.roll("Ben", 1)
    idle(game)
    assert scores(game)["Cleo"] >= before + 7


def test_a_draft_that_was_to_be_enacted_later_is_not_when_its_rule_is_gone():
    game = sit()
    draft = 'draft soon: "Soon."\n    set win.points to 90\n'
    number = law(game, f"{draft}on enacted when rule == this: after 2 turns: enact soon")
    adopt(game, nb.repeal(number))
    game.roll("Ben", 1)
    for _ in range(2):
        idle(game)
    assert "Soon." not in {rule.wording for rule in game.rules}


def test_a_poll_that_has_its_time_ends_with_its_clause():
    game = sit()
    number = law(
        game,
        'on enacted when rule == this: let seats choose verdict from ["yes", "no"] asking "Well?" within 3 turns; '
        'award 7 points to player_named("Cleo")',
    )
    assert any(one.meanwhile for one in game.state.waiting)
    adopt(game, nb.repeal(number))
    assert forgone(game)
    assert not game.state.waiting or all(not one.meanwhile for one in game.state.waiting)
    game.roll("Ben", 1)
    put(game, nb.enact("Let it rain."))


def test_what_is_suspended_keeps_what_it_put_off():
    game = sit()
    number = law(game, "on enacted when rule == this: void this; after 2 turns: revive this")
    for _ in range(2):
        idle(game)
    rule = next(rule for rule in game.rules if rule.number == number)
    assert rule.id not in game.state.rules.void
