"""Hidden tables, and what reviews and documents say of it."""

from __future__ import annotations

import json

import pytest
from play_helpers import NUMBER, law, secretive, sit

import nomic_nb as nb
from nomic_nb.engine.display import html_of
from nomic_nb.notebook.panels.view_model import ViewModels


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


# What each player has is hidden; Ben has more of it than the others.
RICH = "p.gold > 10"


def rich(clauses, owner="Ben"):
    """What everybody sees of a game with these clauses, in which one player has 12 gold and the others have 5."""
    game = sit()
    law(game, "track gold per player from 5 hidden\non said: award 7 gold to player")
    game.say(owner, "gold")
    law(game, clauses)
    return ViewModels(game).current_view().table


@pytest.mark.parametrize(
    "clauses",
    [
        "forbid begin_turn when player.gold > 10\nprevails over 201",
        f"set turn.next to [p for p in playing if {RICH} and p.turns == 0]",
        f"set turn.sequence to playing while all(not {RICH} for p in playing)\nprevails over 201",
        f'set turn.start to "automatic" while any({RICH} for p in playing)\nprevails over 201',
    ],
)
def test_coming_turns_reveal_no_hidden_counter(clauses):
    assert rich(clauses)["turn"]["next"] == []


BEN_IS_RICH, BEN_IS_POOR = 'player_named("Ben").gold > 10', 'player_named("Ben").gold <= 10'


@pytest.mark.parametrize(
    "clauses",
    [
        "set win.points to max([p.gold for p in playing])\nprevails over 208",
        f"set win.points to 30 while {BEN_IS_RICH}\nprevails over 208",
        f"set win.points to 30 while {BEN_IS_RICH}\nset win.points to 40 while {BEN_IS_POOR}\nprevails over 208",
    ],
)
def test_how_to_win_reveals_no_hidden_counter(clauses):
    told = [json.dumps(rich(clauses, owner)["aim"]) for owner in ("Ben", "Cleo")]
    assert told[0] == told[1]
    assert "At the moment" not in told[0]


def test_how_to_win_explains_a_term_with_a_hidden_counter_by_its_clauses():
    told = json.dumps(rich("set win.points to max([p.gold for p in playing])\nprevails over 208")["aim"])
    assert "A player wins by reaching the highest" in told


def test_a_note_on_precedence_tells_nobody_what_a_hidden_table_holds():
    notes = []
    for owner in ("Ben", "Cleo"):
        game = sit()
        law(game, "track gold per player from 0 hidden\non said: award 20 gold to player")
        law(game, 'set win.points to 30 while gold(player_named("Ben")) > 10\nprevails over 208')
        game.say(owner, "x")
        notes.append(str(game.rules[208]) + html_of(game.rules[208]) + game.law_book())
    assert notes[0].replace("Ben", "Cleo").count("takes precedence") == notes[1].count("takes precedence")
