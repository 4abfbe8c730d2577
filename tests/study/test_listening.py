"""What players say and report, the rules that listen for it, and what reviews and documents say of it."""

from __future__ import annotations

from panels.pages import Page
from play_helpers import law, sit

HEARS = 'on said when text == "Hear me" and not player.in_turn: award 2 points to player'
HUMS = 'on deed when name in ["humming", "Late"]: award -1 points to player'


def test_what_rules_listen_for_stands_beside_what_is_to_be_decided():
    game = sit()
    assert "listen" not in str(game.pending)
    law(game, f"{HEARS}\n{HUMS}")
    line = "rules listen for: say “Hear me” (rule 301); report “humming” (rule 301); report “Late” (rule 301)"
    assert str(game.pending).splitlines()[-1] == line
    assert "Hear me" in game.pending._repr_html_()
    heard = [
        ["say", "Hear me", "say “Hear me” (rule 301)"],
        ["report", "humming", "report “humming” (rule 301)"],
        ["report", "Late", "report “Late” (rule 301)"],
    ]
    assert Page(game, "Ben").table["listens"] == heard


def test_the_panel_gives_the_word_back():
    game = sit()
    assert "It is recorded, but no rule reacts to it" in Page(game, "Ben").freely("say", text="Hello")["said"]
