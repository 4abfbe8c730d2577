"""Several processes on one file: they follow one another, and end with one game."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from panels.pages import Page
from refusals import refused
from store.stores import Elsewhere, Notebook, begin

import nomic_nb as nb
from nomic_nb.notebook.live.cells import CELL_WATCH
from nomic_nb.notebook.store.journal import GameStore


def until(true: object, seconds: float = 10) -> None:
    """Wait until something is so; it is looked at every few milliseconds."""
    end = time.monotonic() + seconds
    while not true():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.mark.slow
def test_processes_that_play_at_the_same_time_end_with_one_game(path: Path) -> None:
    game = begin(path)
    code = (
        "import sys, nomic_nb as nb\n"
        f"game = nb.open({str(path)!r}, 'game')\n"
        "for at in range(6):\n"
        "    game.say(sys.argv[1], f'{sys.argv[1]} {at}')\n"
        "    if at % 4 == 3: game.undo()\n"
        "    print(game.state.seq, flush=True)\n"
        "game.say(sys.argv[1], 'end')\n"
    )
    others = [subprocess.Popen([sys.executable, "-c", code, name], stdout=subprocess.PIPE) for name in game.players]
    for at in range(6):
        game.say("Ann", f"here {at}")
    for one in others:
        assert one.wait(240) == 0
        assert one.stdout is not None
        assert one.stdout.read().count(b"\n") == 6
        one.stdout.close()
    until(lambda: len([one for one in game.timeline.events if one.data.get("text") == "end"]) == 3)
    said = [one.data["text"] for one in game.timeline.events if one.kind == "said"]
    for name in game.players:
        assert [one for one in said if one.startswith(name)] == [f"{name} {at}" for at in range(6)]
    assert [one for one in said if one.startswith("here")] == [f"here {at}" for at in range(6)]
    assert Elsewhere(path).game.fingerprint == game.fingerprint
    assert len(GameStore(path).branches("game")) == 1


def test_what_others_do_is_seen_without_asking(path: Path) -> None:
    game, other = begin(path), Elsewhere(path).game
    ann = Page(game, "Ann", hand="panel 1")
    other.propose("Ann", nb.enact("Anything."))
    until(lambda: "vote:301:Ann" in ann.asked)
    ann.act("vote", ballot="for")
    until(lambda: other.proposals[301].ballots == {"Ann": "for"})
    ann.hub.remove_viewer(ann.viewer)
    assert list(game.history["hand"].dropna().unique()) == ["panel"]


def test_an_act_is_judged_by_how_the_game_stands_by_then(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, other = begin(path), Elsewhere(path).game
    keep, first = GameStore.append_step, []

    def append(store: GameStore, *given: object, **more: object) -> None:
        if not first:
            first.append(store)
            other.say("Ben", "I was first")
        keep(store, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(GameStore, "append_step", append)
    game.say("Ann", "and I")
    assert [one.data["text"] for one in game.timeline.events[-2:]] == ["I was first", "and I"]
    first.clear()
    other.propose("Ann", nb.enact("Anything."))
    with refused("voted-already", player="Ann"):
        vote_twice(game, other)
    assert game.proposals[301].ballots == {"Ann": "against"}


def test_what_a_page_answers_is_looked_up_as_the_game_stands_by_then(path: Path) -> None:
    game, other = begin(path), Elsewhere(path).game
    game.propose("Ann", nb.enact("Anything."))
    ann = Page(game, "Ann")
    until(lambda: other.proposals)
    with game.timeline.lock:  # nothing is followed here meanwhile
        other.vote("Ann", "against")
        answer = ann.act("vote", ballot="for")
    assert answer["code"] == "decided-meanwhile"
    assert game.proposals[301].ballots == {"Ann": "against"}


def vote_twice(game: nb.Game, other: nb.Game) -> None:
    """Let Ann vote here, while she votes over there at the same moment."""
    followed = game.timeline.attempt

    def attempt(act: object) -> object:
        found = followed(bool)
        del found, game.timeline.attempt  # type: ignore[attr-defined]
        other.vote("Ann", "against")
        return followed(act)  # type: ignore[type-var]

    game.timeline.attempt = attempt  # type: ignore[method-assign,assignment]
    game.vote("Ann", "for")


def test_a_way_that_another_process_leaves_is_a_fork_here_too(path: Path, notebook: Notebook) -> None:
    notebook.run("c1", f'game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, file={str(path)!r})')
    notebook.run("c2", 'game.propose("Ann", nb.enact("One."))')
    notebook.run("c3", 'game.vote("Ann", "for")')
    other = Elsewhere(path).game
    before = other.fingerprint
    notebook.run("c2", 'game.propose("Ann", nb.enact("Two."))')
    until(lambda: other.fingerprint == notebook.game.fingerprint)
    assert [way.game.fingerprint for way in other.forks] == [before]
    other.forks[0].game.vote("Ben", "for")
    until(lambda: notebook.game.forks[0].game.fingerprint != before)


def test_what_cells_played_on_a_way_that_others_left_is_forgotten(path: Path, notebook: Notebook) -> None:
    begun = f'game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, file={str(path)!r})'
    notebook.run("c1", begun)
    notebook.run("c2", 'game.propose("Ann", nb.enact("One."))')
    notebook.run("c3", 'game.vote("Ann", "for")')
    other = Elsewhere(path)
    old, start = list(other.game.timeline.moments), notebook.game.state.seq - 1
    del other.game.timeline.moments[start:]
    other.is_rewound = lambda table: True  # type: ignore[method-assign]
    other.game.vote("Ann", "against")
    other.current_hand = CELL_WATCH.current_hand  # type: ignore[method-assign]
    assert other.game.timeline.keeper is not None
    assert other.game.timeline.keeper.replace_kept_game(old, start, "edited there")
    notebook.run("c4", "game.pending")
    until(lambda: notebook.game.fingerprint == other.game.fingerprint)
    with refused("voted-already", player="Ann"):
        notebook.run("c3", 'game.vote("Ann", "for")')
    assert notebook.game.proposals[301].ballots == {"Ann": "against"}


def test_threads_of_one_session_do_not_get_in_each_others_way(path: Path) -> None:
    games = [begin(path, name=f"table {at}") for at in range(3)]

    def play(game: nb.Game) -> None:
        for at in range(20):
            game.say("Ann", str(at))

    threads = [threading.Thread(target=play, args=(game,)) for game in games for _ in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert list(nb.open(path)["events"]) == [games[0].state.seq] * 3
    assert len([one for one in games[0].timeline.events if one.kind == "said"]) == 40


def test_what_a_seat_does_is_kept_as_that(path: Path) -> None:
    game = begin(path)
    ann = Page(game, "Ann", hand="seat 1")
    ann.act("propose", change=nb.enact("Winners sing.").to_json())
    assert list(game.history["hand"].dropna().unique())[-1] == "seat"
    assert Elsewhere(path).game.proposals[301].proponent == "Ann"
    ann.hub.remove_viewer(ann.viewer)
