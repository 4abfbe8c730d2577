"""A game in a file: every step is there before it is seen, and it comes back as it was."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from panels.pages import Page
from patience import let_go
from refusals import refused
from store.stores import PLAYERS, Notebook, begin, record

import nomic_nb as nb
from nomic_nb.notebook.store.journal import GameStore


def play(game: nb.Game) -> None:
    game.propose("Ann", nb.enact("Ünïcode pays.", 'on said when text == "x": award 1 points to player'))
    for name in game.players:
        game.vote(name, "for")
    game.annotate("bold", "!?")
    game.roll("Ann")
    game.host.absent("Cleo")
    game.undo()


def stored(path: Path, name: str = "game") -> str:
    """How a game is in the file, for whoever looks with another connection."""
    store = GameStore(path)
    return "".join(f"{line}\n" for line in store.lines_leading_to(store.last_line_hash(name))[1])


def test_a_game_comes_back_as_it_was_with_the_same_lines(path: Path, tmp_path: Path, notebook: Notebook) -> None:
    game = begin(path)
    play(game)
    saved, letters = record(game, tmp_path), game.fingerprint
    del game
    notebook.restart()
    again = nb.open(path, "game")
    assert again.fingerprint == letters
    assert record(again, tmp_path) == saved
    assert saved.decode().startswith(stored(path))
    again.say("Ben", "x")
    assert nb.open(path).loc["game", "events"] == again.state.seq


def test_every_step_is_on_the_disk_before_anybody_is_told(path: Path) -> None:
    game = begin(path)
    seen = []
    game.timeline.listeners.append(lambda: seen.append((game.state.seq, stored(path).count("\n") - 1)))
    play(game)
    assert len(seen) >= 8
    assert all(here == there for here, there in seen)


def test_a_game_under_way_is_kept_with_its_forks(path: Path, notebook: Notebook) -> None:
    game = begin()
    play(game)
    fork = game.fork(at=8)
    fork.vote("Ann", "against")
    deeper = fork.fork()
    deeper.say("Ben", "deeper")
    game.keep(path, name="table 1")
    game.say("Ben", "kept")
    fork.say("Ben", "kept too")
    letters = [game.fingerprint, *(way.game.fingerprint for way in game.forks)]
    assert game.fork().kept == "saved in game.sqlite as “table 1”, a branch"
    notebook.restart()
    again = nb.open(path, "table 1")
    assert [again.fingerprint, *(way.game.fingerprint for way in again.forks)][:3] == letters
    assert [way.depth for way in again.forks] == [1, 2, 1]


def test_the_file_is_for_its_owner_only_and_nothing_stays_beside_it(path: Path) -> None:
    begin(path).say("Ann", "hello")
    if os.name != "nt":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    code = f"import nomic_nb as nb; nb.open({str(path)!r}, 'game').say('Ann', 'again')"
    subprocess.run([sys.executable, "-c", code], check=True)
    let_go(path)
    assert [one.name for one in path.parent.iterdir()] == ["game.sqlite"]


def test_several_games_stand_in_one_file(path: Path) -> None:
    one, two = begin(path, name="table 1"), begin(path, ["Dan", "Eve"], name="table 2")
    one.say("Ann", "one")
    two.say("Dan", "two")
    table = nb.open(path)
    assert list(table.index) == ["table 1", "table 2"]
    assert list(table["players"]) == ["Ann, Ben, Cleo", "Dan, Eve"]
    assert list(table["events"]) == [one.state.seq, two.state.seq]
    assert str(table["changed"].dtype) == "datetime64[ms, UTC]"
    assert nb.open(path, "table 2").latest(1) == ["Dan says “two”"]


def test_one_session_has_one_game_however_often_it_is_asked_for(path: Path) -> None:
    game = begin(path)
    assert nb.open(path, "game").timeline is game.timeline
    assert begin(path).timeline is game.timeline
    game.keep(path)
    game.keep(path, name="game")


def test_it_is_said_where_a_game_is_kept(path: Path) -> None:
    game = begin(path)
    assert "saved in game.sqlite as “game”" in str(game)
    assert "Saved in game.sqlite as “game”." in game._repr_html_()
    assert begin().kept == ""


# --------------------------------------------------------------------------------------- file= once more


def test_the_same_game_goes_on_and_says_so(path: Path, notebook: Notebook, capsys: pytest.CaptureFixture[str]) -> None:
    game = begin(path, terms={"win.points": 30})
    play(game)
    letters, at = game.fingerprint, game.state.seq
    assert capsys.readouterr().out == ""
    notebook.restart()
    assert begin(path, terms={"win.points": 30}).fingerprint == letters
    assert capsys.readouterr().out == f"“game” is already in game.sqlite and continues after event {at} (turn 2).\n"
    notebook.restart()
    assert nb.new_game("discordian-nomic", PLAYERS, terms={"win.points": 30}, file=path).seed == 7


@pytest.mark.parametrize(
    ("asked", "there", "wanted"),
    [
        ({"players": ["Ann", "Ben"]}, "Ann, Ben, Cleo; seed 7", "discordian-nomic; Ann, Ben; seed 7"),
        ({"seed": 8}, "Ann, Ben, Cleo; seed 7", "seed 8"),
        ({"terms": {"win.points": 30}}, "seed 7.", "win.points is 30"),
        ({"ruleset": "cabinet-nomic"}, "discordian-nomic;", "cabinet-nomic;"),
        ({"dice": "table"}, "seed 7.", 'dice.source is "table"'),
    ],
)
def test_another_game_of_the_same_name_is_refused_with_both(
    path: Path, asked: dict[str, object], there: str, wanted: str
) -> None:
    before = record(begin(path), path.parent)
    settings: dict[str, object] = {"ruleset": "discordian-nomic", "players": PLAYERS, "seed": 7, **asked}
    with refused("game-agreed-otherwise", game="game") as caught:
        nb.new_game(**settings, file=path)  # type: ignore[arg-type]
    said = str(caught.value)
    assert there in said
    assert wanted in said
    assert record(nb.open(path, "game"), path.parent) == before
    nb.new_game(**settings, file=path, name="another")  # type: ignore[arg-type]
    assert list(nb.open(path).index) == ["game", "another"]


def test_where_others_are_in_the_file_it_is_said_which_is_meant(path: Path) -> None:
    begin(path, name="table 1")
    with refused("store-has-other-games", games="“table 1”"):
        begin(path)
    with refused("store-has-no-such-game", game="table 2", there="it has “table 1”"):
        nb.open(path, "table 2")
    assert list(nb.open(path).index) == ["table 1"]


@pytest.mark.parametrize(
    ("more", "code", "values"),
    [
        ({"name": "x"}, "game-name-without-file", {}),
        ({"file": "x", "anew": True}, "anew-with-file", {}),
        ({"file": "x", "name": " "}, "game-name-without-letters", {}),
        ({"file": "x", "name": "a\u202eb"}, "letter-invisible", {}),
        ({"file": "x", "name": "a" * 61}, "text-too-long", {"longest": 60}),
    ],
)
def test_names_that_mean_nothing_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, object], code: str, values: dict[str, object]
) -> None:
    monkeypatch.chdir(tmp_path)
    with refused(code, ValueError, **values):
        nb.new_game("discordian-nomic", PLAYERS, **more)  # type: ignore[arg-type]


def test_keeping_once_more_goes_on_where_the_game_was(
    path: Path, notebook: Notebook, capsys: pytest.CaptureFixture[str]
) -> None:
    game = begin()
    game.say("Ann", "first")
    game.keep(path)
    play(game)
    letters = game.fingerprint
    notebook.restart()
    game = begin()
    game.say("Ann", "first")
    game.keep(path)
    assert game.fingerprint == letters
    assert "continues after event" in capsys.readouterr().out
    notebook.restart()
    game = begin()
    game.say("Ann", "something else")
    with refused("game-went-on-otherwise", game="game"):
        game.keep(path)
    assert game.kept == ""
    game.say("Ann", "and on")
    game.keep(path, name="other")


def test_a_game_is_kept_in_one_place(path: Path, tmp_path: Path) -> None:
    game = begin(path)
    for elsewhere in ((path, "other"), (tmp_path / "other.sqlite", None)):
        with refused("game-kept-already", where="saved in game.sqlite as “game”"):
            game.keep(*elsewhere)
    with refused("past-game-not-kept"):
        game.at(3).keep(tmp_path / "third.sqlite")


# --------------------------------------------------------------------------------------------- by which hand


def test_the_history_says_by_which_hand_and_when(path: Path, notebook: Notebook) -> None:
    begun = pd.Timestamp.now("UTC").floor("ms")
    game = begin()
    assert "hand" not in game.history.columns
    game.keep(path)
    at = game.state.seq
    notebook.names["game"] = game
    notebook.run("c1", 'game.say("Ann", "in a cell")')
    notebook.run("c2", 'game.host.absent("Cleo")')
    Page(game, "Ann", hand="panel 1").freely("say", text="clicked")
    Page(game, "Ben", hand="seat 1").freely("say", text="tapped")
    game.say("Ann", "neither")
    notebook.restart()
    history = nb.open(path, "game").history
    assert list(history["hand"][at:]) == ["cell", "host", "panel", "seat", "script"]
    assert history["hand"][:at].isna().all()
    assert history["at"][:at].isna().all()
    assert history["at"][at:].is_monotonic_increasing
    assert history["at"][at:].between(begun, pd.Timestamp.now("UTC")).all()
    assert (str(history["hand"].dtype), str(history["at"].dtype)) == ("string", "datetime64[ms, UTC]")


def test_the_history_of_a_fork_and_of_an_earlier_moment_has_hands_too(path: Path) -> None:
    game = begin(path)
    game.say("Ann", "one")
    fork = game.fork()
    fork.say("Ann", "two")
    assert list(fork.history["hand"].dropna()) == ["script", "script"]
    assert list(game.at(game.state.seq).history["hand"].dropna()) == ["script"]
