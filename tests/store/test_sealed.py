"""What was sealed outlives the kernel, is in no record, and is gone once it is revealed."""

from __future__ import annotations

from pathlib import Path

import pytest
from store.stores import Elsewhere, Notebook, record

import nomic_nb as nb
from nomic_nb.notebook.store.journal import GameStore


def begin(path: Path) -> str:
    return (
        f'game = nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=7, dice="committed", file={str(path)!r})\n'
        'if not game.proposals: game.propose("Ann", nb.library.simple_majority().change(203))\n'
    )


CELLS = {
    "vote": 'for name in game.players: game.vote(name, "for")',
    "ann": 'game.seal("Ann", "hush")',
    "ben": 'game.seal("Ben")',
    "reveal": 'game.reveal("Ann")',
    "ben too": 'game.reveal("Ben")',
}


def play(notebook: Notebook, path: Path, until: str) -> nb.Game:
    notebook.run("begin", begin(path))
    for cell, source in CELLS.items():
        notebook.run(cell, source)
        if cell == until:
            break
    return notebook.game


@pytest.mark.parametrize("until", ["ann", "ben", "reveal"])
def test_after_the_kernel_died_it_can_be_revealed(path: Path, tmp_path: Path, notebook: Notebook, until: str) -> None:
    game = play(notebook, path, until)
    assert b"hush" not in record(game, tmp_path) or until == "reveal"
    letters, sealed = game.fingerprint, game.opening("Ann")
    notebook.restart()
    game = nb.open(path, "game")
    assert (game.fingerprint, game.opening("Ann")) == (letters, sealed)
    if until == "ann":
        game.seal("Ben", "mine")
    if until != "reveal":
        game.reveal("Ann")
    game.reveal("Ben")
    assert game.player == "Ben"


def test_the_notebook_from_the_top_seals_the_same_again(path: Path, notebook: Notebook) -> None:
    letters = play(notebook, path, "ben too").fingerprint
    notebook.restart()
    assert play(notebook, path, "ben too").fingerprint == letters
    assert len(GameStore(path).branches("game")) == 1


def test_what_is_revealed_is_no_longer_kept_aside(path: Path, notebook: Notebook) -> None:
    store = GameStore(path, make=True)
    play(notebook, path, "ben")
    assert sorted(one.value == "hush" for one in store.unrevealed_openings("game").values()) == [False, True]
    notebook.run("reveal", CELLS["reveal"])
    assert "hush" not in [one.value for one in store.unrevealed_openings("game").values()]
    notebook.run("ben too", CELLS["ben too"])
    assert store.unrevealed_openings("game") == {}


def test_it_can_be_revealed_in_another_process(path: Path, notebook: Notebook) -> None:
    game, other = play(notebook, path, "vote"), Elsewhere(path).game
    game.seal("Ann")
    other.seal("Ben")
    other.reveal("Ann")
    game.reveal("Ben")
    assert game.player == "Ben"


def test_it_is_sealed_for_the_round_that_stands_when_it_is_kept(
    path: Path, notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, other = play(notebook, path, "vote"), Elsewhere(path).game
    keep, first = GameStore.append_step, []

    def append(store: GameStore, *given: object, **more: object) -> None:
        if not first:
            first.append(store)
            other.undo()
            other.vote("Ben", "for")
        keep(store, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(GameStore, "append_step", append)
    game.seal("Ann")
    game.seal("Ben")
    game.reveal("Ann")
    game.reveal("Ben")
    assert game.player == "Ben"


def test_sealed_before_the_game_was_kept(path: Path, notebook: Notebook) -> None:
    notebook.run("begin", begin(path).replace(f", file={str(path)!r}", ""))
    notebook.run("vote", CELLS["vote"])
    notebook.run("ann", CELLS["ann"])
    notebook.game.keep(path)
    notebook.restart()
    game = nb.open(path, "game")
    game.seal("Ben")
    game.reveal("Ann")
    assert [one.data["value"] for one in game.timeline.events if one.kind == "revealed"] == ["hush"]


def test_a_copy_in_the_same_file_has_its_own(path: Path, tmp_path: Path, notebook: Notebook) -> None:
    game = play(notebook, path, "ben")
    game.save(tmp_path / "copy.jsonl")
    copy = nb.load(tmp_path / "copy.jsonl")
    copy.timeline.kept |= game.timeline.kept
    copy.keep(path, name="copy")
    game.reveal("Ann")
    notebook.restart()
    again = nb.open(path, "copy")
    again.reveal("Ann")
    again.reveal("Ben")
    assert again.player == "Ben"
