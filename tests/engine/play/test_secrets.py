"""What only some may see: hidden entries that a rule shows to one more, and free texts and numbers under seal."""

from __future__ import annotations

import json

import pytest
from play_helpers import law, refused, replayed, sit

import nomic_nb as nb
from nomic_nb.notebook.panels.view_model import ViewModels
from nomic_nb.study.views.tables import secrets_by_player

CARDS = """
track card per player from 0 hidden
on said when text == "deal": put card of player at 777
on said when text == "peek": show card of player to player_named("Cleo")
on said when text == "all": reveal card of player
"""


def everything(game, seat):
    """What a seat can see of a game, as one text."""
    view = ViewModels(game).current_view()
    return json.dumps([view.table, view.view_for_seat(seat, "player")]) + str(game.history["data"].tolist())


def dealt():
    game = sit()
    law(game, CARDS)
    game.say("Ben", "deal")
    return game


def test_an_entry_is_shown_to_one_more_and_to_nobody_else(tmp_path):
    game = dealt()
    assert "card of Ben: 777" not in str(secrets_by_player(game.state)["Cleo"])
    game.say("Ben", "peek")
    secrets = secrets_by_player(game.state)
    assert secrets["Ben"] == ["card: 777"]
    assert secrets["Cleo"] == ["card of Ben: 777 (shown to you)", "card: 0"]
    assert "777" in everything(game, "Cleo").replace("put card of player at 777", "")
    for seat in ("Ann", None):
        assert "777" not in everything(game, seat).replace("at 777", "").replace("to 777", "")
    assert game.counters["card"]["Ben"] == "a hidden number"
    assert "card of Ben is shown to Cleo" in game.history["what"].tolist()
    replayed(game, tmp_path)


def test_it_stays_shown_and_is_shown_once():
    game = dealt()
    game.say("Ben", "peek")
    seq = game.state.seq
    game.say("Ben", "peek")
    assert [event.kind for event in game.timeline.events_in_effect][seq:] == ["said"]
    game.say("Ben", "all")
    assert "Cleo" not in str(secrets_by_player(game.state)) or "777" not in str(secrets_by_player(game.state))
    game.say("Ben", "peek")  # where all see it, nothing is left to show
    assert game.counters["card"]["Ben"] == 777


def test_what_all_see_is_not_shown_to_one():
    game = sit()
    with refused(game, "not-hidden", nb.LawError):
        game.propose(game.player, nb.enact("S.", "track mud per player from 0\non said: show mud of player to playing"))


NOTES = """
track note per player as text from "nothing"
track guess per player from 0
on said when text == "write": let player seal note(player) from any text asking "What do you foresee?"
on said when text == "guess": let player seal guess(player) from any number
on said when text == "read": (open note of player; open guess of player)
"""


def test_any_text_is_sealed_and_opened(tmp_path):
    game = sit()
    law(game, NOTES)
    game.say("Ben", "write")
    assert "any text" in next(one.prompt for one in game.pending if one.action == "seal")
    with refused(game, "text-too-long", nb.LawError):
        game.seal("Ben", "x" * 81)
    game.seal("Ben", "the owl wins")
    assert "owl" not in everything(game, "Ann") + everything(game, "Ben")
    game.say("Ben", "read")
    game.reveal("Ben")
    assert "the owl wins" in game.tables["note"].to_string()
    replayed(game, tmp_path)


@pytest.mark.parametrize(("value", "kept"), [("12", 12), ("1/2", "1/2")])
def test_any_number_is_sealed_and_opened(value, kept):
    game = sit()
    law(game, NOTES)
    game.say("Ben", "guess")
    with refused(game, "sealed-for-a-question"):
        game.seal("Ben", "many")
    game.seal("Ben", value)
    game.say("Ben", "read")
    game.reveal("Ben")
    assert str(game.counters["guess"]["Ben"]) == str(kept)


def test_what_may_be_sealed_fits_the_table():
    game = sit()
    with refused(game, "sealed-otherwise", nb.LawError):
        game.propose(game.player, nb.enact("S.", NOTES.replace("guess(player) from any number",
                                                               "guess(player) from any text")))  # fmt: skip
