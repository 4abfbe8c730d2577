"""Cells that run again on a game that is kept: unchanged, edited, failed; in the same kernel and in another."""

from __future__ import annotations

from pathlib import Path

import pytest
from panels.pages import Page
from refusals import refused
from store.stores import Elsewhere, Notebook

import nomic_nb as nb
from nomic_nb.notebook.store.journal import GameStore

PROPOSE = 'game.propose("Ann", nb.library.simple_majority().change(203))'
VOTE = "for name in game.players: game.vote(name, 'for')"
AGAINST = "for name in game.players: game.vote(name, 'against')"
ROLL = 'game.roll("Ann", 4)'


def begin(path: Path) -> str:
    return f'game = nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7, file={str(path)!r})'


def cells(path: Path) -> dict[str, str]:
    return {"c1": begin(path), "c2": PROPOSE, "c3": VOTE, "c4": ROLL}


def play(notebook: Notebook, path: Path) -> str:
    for cell, source in cells(path).items():
        notebook.run(cell, source)
    return notebook.game.fingerprint


def stored(path: Path) -> list[str]:
    """The fingerprints of all ways in the file, the game first, as another process sees them."""
    game = Elsewhere(path).game
    return [game.fingerprint, *(way.game.fingerprint for way in game.forks)]


@pytest.fixture(params=["same kernel", "new kernel"])
def again(request: pytest.FixtureRequest, notebook: Notebook, path: Path) -> tuple[Notebook, str]:
    """A notebook whose cells have run once; the kernel may have died since, and the first cell has run again."""
    letters = play(notebook, path)
    if request.param == "new kernel":
        notebook.restart()
        notebook.run("c1", begin(path))
    return notebook, letters


def test_unchanged_nothing_is_written(again: tuple[Notebook, str], path: Path) -> None:
    notebook, letters = again
    store = GameStore(path)
    before = store.steps("game")
    for cell, source in [*cells(path).items(), *cells(path).items()]:
        notebook.run(cell, source)
        assert notebook.game.fingerprint == letters
    assert stored(path) == [letters]
    assert store.steps("game") == before
    notebook.run("c5", 'game.say("Ben", "on we go")')
    assert stored(path) == [notebook.game.fingerprint]


def test_edited_the_game_goes_the_new_way_and_the_old_one_is_a_fork(again: tuple[Notebook, str], path: Path) -> None:
    notebook, letters = again
    notebook.run("c3", AGAINST)
    now = notebook.game.fingerprint
    assert notebook.game.proposals[301].outcome == "defeated"
    assert stored(path) == [now, letters]
    notebook.run("c4", 'game.roll("Ann", 5)')
    assert stored(path) == [notebook.game.fingerprint, letters]
    parted = notebook.game.forks[0].at
    notebook.restart()
    notebook.run("c1", begin(path))
    assert [way.why for way in notebook.game.forks] == ["before cell c3 was edited"]
    assert notebook.game.forks[0].game.fingerprint == letters
    assert notebook.game.forks[0].at == parted


def test_edited_back_and_forth_no_way_is_kept_twice(again: tuple[Notebook, str], path: Path) -> None:
    notebook, letters = again
    for source in (AGAINST, VOTE, AGAINST):
        notebook.run("c3", source)
        here = [notebook.game.fingerprint, *(way.game.fingerprint for way in notebook.game.forks)]
        assert sorted(stored(path)) == sorted(here)
    assert letters in stored(path)


def test_edited_where_a_fork_of_a_fork_stands_as_the_game_did(again: tuple[Notebook, str], path: Path) -> None:
    notebook, letters = again
    notebook.run("f1", "fork = game.fork(at=8)")
    notebook.run("f2", f"{VOTE}\n{ROLL}".replace("game", "fork").replace("fork.players", "game.players"))
    notebook.run("f3", "deeper = fork.fork()\nfork.say('Ben', 'further')")
    notebook.run("c3", AGAINST)
    assert len(stored(path)) == 4
    assert stored(path).count(letters) == 2
    for way in list(notebook.game.forks):
        way.game.say("Ben", "still played")
    assert letters not in stored(path)


def test_edited_to_do_nothing(again: tuple[Notebook, str], path: Path) -> None:
    notebook, letters = again
    notebook.run("c3", "game.pending")
    assert [one.action for one in notebook.game.pending] == ["vote"] * 3
    assert stored(path) == [notebook.game.fingerprint, letters]


def test_failed_the_stored_way_stands(again: tuple[Notebook, str], path: Path) -> None:
    notebook, letters = again
    with pytest.raises(nb.IllegalAction):
        notebook.run("c3", 'game.vote("Ann", "against")\ngame.vote("Nobody", "for")')
    assert notebook.game.fingerprint == letters
    assert stored(path) == [letters]


def test_a_cell_that_fails_takes_back_what_it_stored(again: tuple[Notebook, str], path: Path) -> None:
    notebook, letters = again
    for source in ('game.say("Ben", "x")\ngame.vote("Nobody", "for")', 'game.say("Ben", "y")\n1 / 0'):
        with pytest.raises((nb.IllegalAction, ZeroDivisionError)):
            notebook.run("c5", source)
        assert notebook.game.fingerprint == letters
        assert stored(path) == [letters]
    notebook.run("c5", 'game.say("Ben", "z")')
    assert stored(path) == [notebook.game.fingerprint]
    notebook.restart()
    notebook.run("c1", begin(path))
    assert notebook.game.latest(1) == ["Ben says “z”"]


def test_a_cell_that_fails_takes_back_nothing_that_another_hand_has_built_on(
    again: tuple[Notebook, str], path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook, _ = again
    other = Elsewhere(path)
    notebook.names["other"] = lambda: other.game.say("Ben", "I was here")
    with pytest.raises(ZeroDivisionError):
        notebook.run("c5", 'game.say("Ann", "x")\nother()\ngame.say("Ann", "y")\n1 / 0')
    assert notebook.game.latest(3) == ["Ann says “x”", "Ben says “I was here”", "Ann says “y”"]
    assert stored(path) == [notebook.game.fingerprint]
    assert "stands. To take it back" in capsys.readouterr().out


def test_ballots_cast_together_are_stored_as_one_step(again: tuple[Notebook, str], path: Path) -> None:
    notebook, _ = again
    notebook.run("c5", 'game.propose("Ben", nb.enact("Tea."))')
    before = len(GameStore(path).steps("game"))
    notebook.run("c6", 'game.votes(against="Cleo")')
    assert len(GameStore(path).steps("game")) == before + 1
    assert Elsewhere(path).game.proposals[302].outcome == "adopted"
    notebook.run("c7", "game.undo()")
    assert Elsewhere(path).game.proposals[302].ballots == {}


def test_while_a_cell_runs_again_the_stored_way_stands(again: tuple[Notebook, str], path: Path) -> None:
    notebook, letters = again
    notebook.names["look"] = lambda: seen.append(stored(path))
    seen: list[list[str]] = []
    notebook.run("c3", "game.vote('Ann', 'against')\nlook()\ngame.vote('Ben', 'against')")
    assert seen == [[letters]]
    assert stored(path) == [notebook.game.fingerprint, letters]


def test_where_another_hand_has_played_on_its_way_stays_the_game(
    again: tuple[Notebook, str], path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook, _ = again
    other = Elsewhere(path)
    other.game.say("Ben", "I was here")
    letters = other.game.fingerprint
    notebook.run("c3", AGAINST)
    assert notebook.game.fingerprint == letters
    assert "Others have played on since this cell ran" in capsys.readouterr().out
    fork = notebook.game.forks[0]
    assert fork.why == "before cell c3 was edited; others had played on"
    assert fork.game.proposals[301].outcome == "defeated"
    assert stored(path) == [letters, fork.game.fingerprint]
    notebook.run("c3", AGAINST)
    assert len(stored(path)) == 2
    fork.game.say("Ben", "here too")
    notebook.run("c3", VOTE)
    assert notebook.game.fingerprint == letters
    assert stored(path) == [letters, fork.game.fingerprint]


def test_another_hand_that_plays_while_the_cell_runs_is_not_wiped_out(again: tuple[Notebook, str], path: Path) -> None:
    notebook, _ = again
    other = Elsewhere(path)
    notebook.names["other"] = lambda: other.game.say("Ben", "meanwhile")
    notebook.run("c3", f"{AGAINST}\nother()")
    assert notebook.game.fingerprint == other.game.fingerprint == stored(path)[0]
    assert notebook.game.latest(1) == ["Ben says “meanwhile”"]
    other.game.say("Ben", "once more")
    notebook.names["other"] = lambda: other.game.say("Ben", "in the same cell")
    notebook.run("c3", f"{VOTE}\nother()")
    assert notebook.game.latest(1) == ["Ben says “in the same cell”"]


def test_another_notebook_in_a_new_kernel_is_another_hand(notebook: Notebook, path: Path) -> None:
    letters = play(notebook, path)
    notebook.restart("another notebook")
    notebook.run("c1", begin(path))
    notebook.run("c3", AGAINST)
    assert notebook.game.fingerprint == letters
    assert len(stored(path)) == 2


def test_a_seat_on_a_page_of_its_own_is_another_hand_and_the_panel_is_not(notebook: Notebook, path: Path) -> None:
    play(notebook, path)
    Page(notebook.game, "Ben", hand="panel 1").freely("say", text="clicked")
    notebook.run("c3", AGAINST)
    assert notebook.game.proposals[301].outcome == "defeated"
    Page(notebook.game, "Ben", hand="seat 1").freely("say", text="tapped")
    letters = notebook.game.fingerprint
    notebook.run("c3", VOTE)
    assert notebook.game.fingerprint == letters
    assert len(stored(path)) == 3


def test_a_cell_that_plays_in_the_game_that_it_opens(notebook: Notebook, path: Path) -> None:
    one = "\n".join(cells(path).values())
    notebook.run("all", one)
    notebook.run("more", 'game.say("Ben", "more")')
    letters = notebook.game.fingerprint
    for source in (one, one):
        notebook.restart()
        notebook.run("all", source)
        assert notebook.game.fingerprint == letters
    notebook.run("more", 'game.say("Ben", "more")')
    assert stored(path) == [letters]


def test_a_cell_that_keeps_its_game_and_plays_on(notebook: Notebook, path: Path) -> None:
    made = {
        "c1": begin(path).replace(f", file={str(path)!r}", ""),
        "c2": f"{PROPOSE}\ngame.keep({str(path)!r})\n{VOTE}",
        "c3": ROLL,
    }
    for cell, source in made.items():
        notebook.run(cell, source)
    letters = notebook.game.fingerprint
    for _ in range(2):
        for cell, source in {**made, **made}.items():
            notebook.run(cell, source)
        assert notebook.game.fingerprint == letters
        assert stored(path) == [letters]
        notebook.restart()
    for cell in ("c1", "c2", "c3"):
        notebook.run(cell, made[cell])
    notebook.run("c2", f"{PROPOSE}\ngame.keep({str(path)!r})\n{AGAINST}")
    assert stored(path) == [notebook.game.fingerprint, letters]


def test_forks_that_cells_made_are_known_again(again: tuple[Notebook, str], path: Path) -> None:
    notebook, letters = again
    made = {"f1": "fork = game.fork(at=8)", "f2": 'fork.vote("Ben", "against")', "f3": "now = game.fork()"}
    for cell, source in made.items():
        notebook.run(cell, source)
    notebook.run("c6", 'game.say("Ben", "on")')
    here = stored(path)
    assert len(here) == 3
    for _ in range(2):
        notebook.restart()
        for cell, source in {**cells(path), **made}.items():
            notebook.run(cell, source)
        assert stored(path) == here
    notebook.run("f2", 'fork.vote("Ben", "for")')
    assert sorted(stored(path)[:2]) != sorted(here[:2])
    assert letters != here[0] == stored(path)[0]


def test_a_fork_in_which_nothing_happened_goes_with_the_cell_that_made_it(
    again: tuple[Notebook, str], path: Path
) -> None:
    notebook, letters = again
    notebook.run("f1", "fork = game.fork(at=8)")
    assert len(stored(path)) == 2
    notebook.run("f1", "game.fork(at=8).say('Ann', 'x')\ngame.pending")
    assert len(stored(path)) == 2
    notebook.run("f1", "game.pending")
    assert stored(path)[0] == letters


def test_a_disk_that_is_full_leaves_all_as_it_was(again: tuple[Notebook, str], path: Path) -> None:
    notebook, letters = again
    db = notebook.game.timeline.keeper.store.db  # type: ignore[union-attr]
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    db.execute(f"PRAGMA max_page_count = {pages}")
    with refused("disk-full"):
        notebook.run("c3", f"{AGAINST}\nfor at in range(40): game.say('Ann', 'x' * 400)")
    assert notebook.game.fingerprint == letters
    db.execute("PRAGMA max_page_count = 100000")
    assert stored(path) == [letters]
    notebook.run("c3", AGAINST)
    assert stored(path) == [notebook.game.fingerprint, letters]
