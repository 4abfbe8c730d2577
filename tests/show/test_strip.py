"""The strip of turns below a game: a tick for each, marked by what it changed, which leads to that moment."""

from __future__ import annotations

import base64
import re
from xml.etree.ElementTree import Element

import pytest
from play_helpers import sit
from show.games import all_vote, begun, pass_change, two_changes
from show.reading import SVG, read

import nomic_nb as nb
from nomic_nb.engine.law.changes import Change
from nomic_nb.notebook.show import show_text
from nomic_nb.notebook.show.strip import MOST_BRANCHES, MOST_BYTES, MOST_TURNS
from nomic_nb.study.playouts import play_out

EVIL = ["<script>alert(1)</script>", "'><img src=x>&]]>", "אנה" * 10]


def drawing(game: nb.Game) -> Element:
    """Return the strip that a game shows below everything else."""
    return read(game).images[-1]


def ticks(game: nb.Game) -> list[Element]:
    """Return the ticks of a game's strip: what has a title and leads somewhere."""
    return [one for one in drawing(game).iter(f"{SVG}use") if "game.at(" in (one.findtext(f"{SVG}title") or "")]


def size(game: nb.Game) -> int:
    """Return the bytes of a game's strip."""
    source = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', game._repr_html_())[-1]
    return len(base64.b64decode(source))


def long_game(turns: int, names: list[str] | None = None) -> nb.Game:
    """Return a game of many turns that enact, amend and repeal rules, fail, and are undone now and then."""
    game = begun(names, win__points=10_000)
    title, own = "", None
    while game.turn < turns:
        change: Change = nb.enact(f"Rule {game.turn}.", title=f"No. {game.turn}")
        if own is not None and game.turn % 5 == 1:
            change = nb.amend(own, f"Better {game.turn}.", title=title)
        elif own is not None and game.turn % 5 == 2:
            change = nb.repeal(own)
        player = game.player
        assert player is not None
        game.propose(player, change)
        if game.turn % 7 == 3:
            game.vote(game.players[0], "against")
            game.undo()
        all_vote(game, *([game.players[1]] if game.turn % 5 == 3 else []))
        game.roll(player)
        title = f"No. {game.turn - 1}"
        own = next((rule.number for rule in game.rules if rule.title.startswith("No. ")), None)
    return game


def test_each_tick_names_its_moment_and_the_game_goes_there() -> None:
    game = two_changes()
    story = game.story
    found = [str(one.findtext(f"{SVG}title")) for one in ticks(game)]
    assert len(found) == 3
    for title, turn in zip(found, (1, 2, 3), strict=True):
        assert title.startswith(f"Turn {turn}, {story.loc[turn, 'who']}: ")
        event = int(re.findall(r"game\.at\((\d+)\)$", title)[0])
        assert event == story.loc[turn, "ends"]
        assert game.at(event).turn >= turn
        assert game.at(event).state.seq == event
    assert "rule 208 is amended and is now rule 302" in found[1]
    assert "Ann: +10 points; Ben: +2 points" in found[1]


def test_kinds_of_change_have_shapes_and_colours_of_their_own() -> None:
    game = long_game(12)
    kinds = {one.attrib["href"]: (one.findtext(f"{SVG}title") or "") for one in ticks(game)}
    root = drawing(game)
    shapes = {f"#{one.attrib['id']}": one.attrib["d"] for one in root.iter(f"{SVG}path") if "id" in one.attrib}
    assert len(set(shapes.values())) == len(shapes)
    assert set(kinds) <= set(shapes)
    text = read(game.strip).text
    for mark in ("▲ rule enacted", "◆ amended", "✕ repealed", "○ proposal failed", "❘ score", "‹ undone"):
        assert mark in text
    assert len(kinds) == 5  # the four above the line, and the turn that has just begun


def test_the_marks_of_boards_rulings_and_the_end() -> None:
    chess = nb.Game(play_out("nomic-chess", ["Ann", "Ben"], seed=5, turns=4).timeline)
    assert "■ move" in read(chess.strip).text
    game = begun(win__points=1)
    pass_change(game, nb.enact("Be kind."))
    assert game.over
    assert "★ end of the game" in read(game.strip).text
    judged = begun()
    judged.invoke_judgment("Ben", "May one whistle?")
    judged.rule_on("Cleo", "One may.", "It harms nobody.")
    assert "▭ ruling" in read(judged.strip).text


@pytest.mark.parametrize("names", [None, EVIL])
@pytest.mark.slow
def test_a_hundred_turns_are_small_and_each_is_still_named(names: list[str] | None) -> None:
    game = long_game(MOST_TURNS + 3, names)
    for at in (40, 60, 80):
        game.fork(at=at)
    assert size(game) <= MOST_BYTES
    assert len(ticks(game)) == MOST_TURNS
    for one in ticks(game)[:-1]:
        assert re.search(r"(enacted|amended|repealed|failed) \d+ game\.at\(\d+\)$", str(one.findtext(f"{SVG}title")))
    assert "3 earlier turns" in read(game.strip).text


def test_branches_leave_where_they_left() -> None:
    game = begun()
    pass_change(game, nb.enact("Be kind."))
    first = game.state.seq  # with which the second turn has begun
    pass_change(game, nb.enact("Be quiet."))
    game.fork()
    other = game.fork(at=first)
    pass_change(other, nb.repeal(211))
    last = game.state.seq
    drawn = {
        str(one.findtext(f"{SVG}title")): one.attrib["d"]
        for one in drawing(game).iter(f"{SVG}path")
        if one.find(f"{SVG}title") is not None
    }
    assert list(drawn) == [
        f"forks[1]: leaves after event {last}; game.forks[1].game",
        f"forks[0]: leaves after event {first}; game.forks[0].game",
    ]
    places = [int(one.attrib["x"]) for one in ticks(game)]
    assert [int(re.findall(r"^M(\d+) ", path)[0]) for path in drawn.values()] == [places[2], places[1]]
    assert f"Branch forks[0] leaves after event {first}." in read(game).text
    assert game.forks[0].game.state.seq == other.state.seq
    # Seen from the branch, it is the game that leaves.
    assert f"Branch forks[0] leaves after event {first}." in read(other.strip).text
    for _ in range(MOST_BRANCHES):
        game.fork()
    assert "Not shown: 2 more branches." in read(game.strip).text


def test_in_plain_text_every_turn_is_a_line() -> None:
    text = str(two_changes().strip)
    assert text == show_text(two_changes().strip)
    assert "- Turn 3, Cleo: Nothing changed. game.at(42)" in text
    assert text.count("game.at(") == 3
    assert str(nb.new_game("github-nomic", ["Ann", "Ben"], seed=7).strip) == "No turn has begun yet."


def test_a_hidden_outcome_is_not_told() -> None:
    game = sit("Ann", "Ben", "Cleo", terms={"vote.ballots": "sealed"})
    game.propose("Ann", nb.enact("Be kind."))
    game.vote("Ann", "for")
    game.vote("Ben", "against")
    game.vote("Cleo", "for")
    fork = game.fork()
    game.undo()
    hidden = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    hidden.propose("Ann", nb.enact("Luck.", "track luck per player from 3 hidden\non moved: award 2 luck to player"))
    all_vote(hidden)
    hidden.move("Ann", "white.e2-white.e4", push=("white", "yellow"))
    assert "counted" in hidden.history["kind"].tolist()
    assert "+2 luck" not in str(hidden.strip)
    for one in (game, fork):
        assert not re.search(r"fails|passes|2–1|failed 301", read(one.strip).text + str(one.strip))
