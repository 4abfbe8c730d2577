"""What players say and report, and the rules that listen for it."""

from __future__ import annotations

from play_helpers import law, refused, scores, sit

HEARS = 'on said when text == "Hear me" and not player.in_turn: award 2 points to player'
HUMS = 'on deed when name in ["humming", "Late"]: award -1 points to player'


def test_capitals_outer_blanks_and_an_end_stop_do_not_count_in_what_is_said_or_reported():
    game = sit()
    law(game, f"{HEARS}\n{HUMS}")
    before = scores(game)
    assert game.say("Ann", " hear ME. ") is None
    assert game.report("Cleo", "Ann", "HUMMING.") is game.report("Cleo", "Ann", "late") is None
    assert scores(game)["Ann"] == before["Ann"]
    kept = {"said": "text", "deed": "name"}
    typed = [event.data[kept[event.kind]] for event in game.timeline.events if event.kind in kept]
    assert typed == ["hear ME.", "HUMMING.", "late"]


def test_elsewhere_texts_are_compared_as_they_are():
    game = sit()
    law(game, 'on said when text == "go" and player.name == "ann": award 2 points to player')
    before = scores(game)
    assert game.say("Ann", "Go") is not None
    assert scores(game) == before


def test_what_no_rule_answers_has_a_word_back_with_what_is_listened_for():
    game = sit()
    assert (
        str(game.say("Ann", "Hello"))
        == "It is recorded, but no rule reacts to it: no rule listens for what players say."
    )
    law(game, f"{HEARS}\n{HUMS}")
    assert str(game.say("Ann", "Here me")) == (
        "It is recorded, but no rule reacts to it. Rules listen for: say “Hear me” (rule 301)."
    )
    assert (
        str(game.say("Ben", "Hear me"))
        == f"It is recorded, but no rule reacts to it now. Rule 301 listens for it: {HEARS}"
    )
    said = str(game.report("Cleo", "Ann", "humm"))
    assert said.endswith("report “humming” (rule 301); report “Late” (rule 301).")


def test_a_rule_that_hears_anything_answers_and_so_does_what_is_owed():
    game = sit()
    law(game, "on said: award 0 points to player\non turn_begun: oblige player to say")
    assert game.say(game.player, "As I must.") is None
    assert game.say("Ann", "Anything.") is None


def test_a_phrase_that_may_be_said_is_compared_alike():
    game = sit()
    law(game, 'forbid say when text == "no"')
    with refused(game, "not-allowed"):
        game.say("Ann", "NO.")
