"""Files are written as a whole, by each writer for itself, and what cannot be read says why."""

import os
import stat
import threading
import zipfile
from pathlib import Path

import pytest
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.record.log import replace_file
from nomic_nb.engine.rulesets import literate


def begun(seed: int = 7) -> nb.Game:
    return nb.new_game("discordian-nomic", ["Ann", "Ben"], seed=seed)


def test_writers_at_the_same_moment_do_not_tear_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    games = [begun(seed) for seed in range(4)]

    def write(game: nb.Game) -> None:
        for _ in range(15):
            game.save(path)

    threads = [threading.Thread(target=write, args=(game,)) for game in games]
    for one in threads:
        one.start()
    while any(one.is_alive() for one in threads):
        if path.exists():
            assert nb.load(path).seed in range(4)
    for one in threads:
        one.join()
    assert [one.name for one in tmp_path.iterdir()] == ["game.jsonl"]


def test_a_link_that_lies_in_wait_is_not_followed(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("precious")
    (tmp_path / "game.jsonl.part").symlink_to(mine)
    begun().save(tmp_path / "game.jsonl")
    assert mine.read_text() == "precious"
    assert nb.load(tmp_path / "game.jsonl").seed == 7


@pytest.mark.skipif(os.name == "nt", reason="files have no modes here")
def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    begun().save(path)
    path.chmod(0o600)
    begun(8).save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert nb.load(path).seed == 8


def test_a_file_is_on_the_disk_before_and_its_name_after_it_takes_the_place_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, seen = tmp_path / "x", []
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", lambda _: seen.append(path.read_text()))
    replace_file(path, "new")
    assert (seen, path.read_text()) == (["old", "new"], "new")


def test_a_write_that_fails_leaves_all_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "x"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with refused("not-writable", path=path, why="No space left on device"):
        replace_file(path, "new")
    assert [one.read_text() for one in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize("way", ["save", "to_html", "to_markdown", "law_book"])
@pytest.mark.parametrize("place", ["nowhere/x", ".", "file/x", "a" * 300])
def test_where_nothing_can_be_written_it_says_why(tmp_path: Path, way: str, place: str) -> None:
    (tmp_path / "file").write_text("")
    with refused("not-writable"):
        getattr(begun(), way)(tmp_path / place)


def test_other_kinds_of_files_are_called_by_their_names(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    begun().save(path)
    text = path.read_text()
    with zipfile.ZipFile(tmp_path / "game.zip", "w") as archive:
        archive.write(path, "game.jsonl")
    (tmp_path / "utf16.jsonl").write_text(text, encoding="utf-16")
    (tmp_path / "page.html").write_text("<!DOCTYPE html>")
    for name, said in {
        "game.zip": "a zip archive (unpack it first)",
        "utf16.jsonl": "text in UTF-16 (save it as UTF-8)",
        "page.html": "an HTML or XML page",
    }.items():
        with refused("not-a-record", kind=said):
            nb.load(tmp_path / name)


def test_a_rule_file_is_read_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands inside a block is not read as Markdown: brackets would take seconds, and are not asked for."""
    from markdown_it.parser_inline import ParserInline

    from nomic_nb.engine.play.vocabulary import language

    def never(*_: object) -> None:
        raise AssertionError

    text = (Path(literate.__file__).parent / "discordian-nomic.md").read_text(encoding="utf-8")
    monkeypatch.setattr(ParserInline, "parse", never)
    assert literate.read_ruleset(text.replace("\n## Immutable", "\n[[[[ \n\n## Immutable", 1), language()).rules
