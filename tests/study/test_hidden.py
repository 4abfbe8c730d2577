"""Hidden tables, and what reviews and documents say of it."""

from __future__ import annotations

import json

from play_helpers import law, sit

import nomic_nb as nb
from nomic_nb.engine.display import html_of
from nomic_nb.notebook.panels.view_model import ViewModels

NUMBER = 73519


def secretive():
    """A game in which Ben has a number that nobody else knows."""
    game = sit()
    law(game, f"track gold per player from 0 hidden\n"
        f'on said when text == "find": award {NUMBER} gold to player\n'
        'on said when text == "show": reveal gold of player\n'
        'on said when text == "spend": award -1 gold to player\n'
        'set dice.sides to 6 + 0 * gold(player_named("Ben"))')  # fmt: skip
    game.say("Ben", "find")
    return game


def everything_shown(game):
    """What anybody can see of a game, as texts."""
    picture = ViewModels(game).current_view()
    yield "history", game.history.to_string() + str(game.history["data"].tolist())
    yield "ledger", f"{game.ledger}{game.ledger.frame.to_string()}{html_of(game.ledger)}"
    yield "tables", f"{game.tables}{game.tables['gold'].to_string()}{game.counters.to_string()}"
    yield "scores", game.scores.to_string() + str(game.scores.tolist())
    yield "game", f"{game}{html_of(game)}"
    yield "why", str(game.why("dice.sides"))
    yield "html", game.to_html()
    yield "markdown", game.to_markdown()
    yield "panel", json.dumps(picture.table)
    for seat in ("Ann", "Cleo", None):
        yield f"panel of {seat}", json.dumps(picture.view_for_seat(seat, "player"))


def test_what_is_hidden_is_shown_to_nobody_else():
    game = secretive()
    for where, text in everything_shown(game):
        for clause in (f"award {NUMBER}", f"award&nbsp;{NUMBER}", f"gains {NUMBER} "):  # which all may read
            text = text.replace(clause, "")
        assert str(NUMBER) not in text, where
    assert "a hidden number" in str(game.ledger)
    assert game.counters["gold"]["Ben"] == "a hidden number"
    assert "a hidden number" in str(game.why("dice.sides"))


def test_its_owner_sees_it_in_the_panel_and_whoever_saves_the_game_in_the_file(tmp_path):
    game = secretive()
    own = ViewModels(game).current_view().view_for_seat("Ben", "player")["secrets"]
    assert own == [f"gold: {NUMBER}"]
    assert ViewModels(game).current_view().view_for_seat("Ann", "player")["secrets"] == ["gold: 0"]
    path = tmp_path / "game.jsonl"
    game.save(path)
    assert f'"now":{NUMBER}' in path.read_text(encoding="utf-8")
    again = nb.load(path)
    assert again.state.digest() == game.state.digest()


def test_what_is_revealed_is_seen_by_all_from_then_on():
    game = secretive()
    game.say("Ben", "show")
    assert game.counters["gold"].tolist() == ["a hidden number", NUMBER, "a hidden number"]
    assert f"gold of Ben is revealed to everyone: {NUMBER}" in game.history["what"].tolist()
    game.say("Ben", "spend")
    assert f"Ben: −1 gold, now {NUMBER - 1}" in game.history["what"].tolist()
    assert ViewModels(game).current_view().view_for_seat("Ben", "player")["secrets"] == []
