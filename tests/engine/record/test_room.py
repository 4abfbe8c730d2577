"""No game gets into a state that cannot be saved and loaded: what a record could not hold is refused."""

from pathlib import Path

import pytest
from refusals import refused

import nomic_nb as nb
from nomic_nb.engine.play import record_limits
from nomic_nb.engine.record.log import record_lines

ODD = "forbid choose when 1 // (turn - turn) > 0"
GIFT = 'on said when text == "gift": let player choose n from [1, 2, 3] or none; award n points to player'


def comes_back(game: nb.Game, folder: Path) -> nb.Game:
    game.save(folder / "game.jsonl")
    again = nb.load(folder / "game.jsonl")
    assert list(record_lines(again.timeline)) == list(record_lines(game.timeline))
    return again


def begun() -> nb.Game:
    return nb.new_game("discordian-nomic", ["Ann", "Ben", "Cleo"], seed=7)


def test_the_longest_ruling_comes_back(tmp_path: Path) -> None:
    game = begun()
    game.invoke_judgment("Cleo", "🐸" * 500)
    judge = next(one.player or "" for one in game.pending if one.action == "rule_on")
    order = f'announce "{"🐸" * 80}"'
    game.rule_on(judge, "🐸" * 2000, "🐸" * 2000, orders="\n".join([order] * 20))
    assert max(len(line) for line in record_lines(game.timeline)) > 64 * 1024
    comes_back(game, tmp_path)


def test_what_a_line_has_no_room_for_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun()
    monkeypatch.setattr(record_limits, "LARGEST_LINE", 2000)
    was = game.state
    with refused("event-unrecordable"):
        game.say("Ann", "🐸" * 300)
    assert game.state is was
    game.say("Ann", "🐸" * 30)
    comes_back(game, tmp_path)


def test_a_full_record_takes_nothing_more_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun()
    game.propose("Ann", nb.enact("Anything."), debate=True)
    at = game.state.seq
    monkeypatch.setattr(record_limits, "LARGEST_FILE", len("".join(record_lines(game.timeline))) + 20_000)

    def revise_on_and_on() -> None:
        for count in range(100):
            game.revise("Ann", nb.enact(f"{count} {'word ' * 700}"))

    with refused("file-full"):
        revise_on_and_on()
    assert 3 < game.state.seq - at < 100
    game.save(tmp_path / "game.jsonl")
    assert (tmp_path / "game.jsonl").stat().st_size <= record_limits.LARGEST_FILE
    comes_back(game, tmp_path)
    earlier = game.fork(at)
    earlier.revise("Ann", nb.enact("word " * 700))
    comes_back(earlier, tmp_path)


def test_an_undoing_needs_room_too(monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun()
    game.say("Ann", "hello")
    monkeypatch.setattr(
        record_limits, "LARGEST_FILE", game.timeline.record.value_after(game.timeline.moments).size + 150
    )
    with refused("file-full"):
        game.undo()


def test_what_was_agreed_has_to_fit_the_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_limits, "LARGEST_HEADER", 1000)
    with refused("header-too-large", ValueError, largest=1000):
        begun()


@pytest.mark.parametrize(
    "option",
    [None, object(), 1.5, float("nan"), 10**30, b"x", {1, 2}, {"a": object()}, [[1]], "\ud800", {"a": None}, True],
    ids=lambda option: type(option).__name__,
)
def test_an_attempt_that_the_law_leaves_open_comes_back_or_is_refused(tmp_path: Path, option: object) -> None:
    game = begun()
    game.propose("Ann", nb.enact("Say gift.", law=f"{GIFT}\n{ODD}"))
    for name in game.players:
        game.vote(name, "for")
    game.roll("Ann", 1)
    game.say("Ann", "gift")
    try:
        game.choose("Ann", option)
    except (nb.IllegalAction, TypeError) as error:
        assert str(error)  # noqa: PT017 - either is right; what follows is the point
    comes_back(game, tmp_path)


SLOW = "forbid say when count(n for n in numbers(1, 6000) if next_player == none) > 6000"


def test_a_game_takes_no_more_steps_than_loading_it_may_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun()
    game.propose("Ann", nb.enact("So be it.", SLOW))
    for name in game.players:
        game.vote(name, "for")
    monkeypatch.setattr(record_limits, "MOST_WORK", game.state.work + 60_000)

    def talk() -> None:
        for count in range(100):
            game.say("Ann", f"word {count}")

    with refused("loading-too-long", most=63190):
        talk()
    assert comes_back(game, tmp_path).state.work == game.state.work
    monkeypatch.setattr(record_limits, "MOST_WORK", game.state.work - 1)
    with refused("cannot-happen-here"):
        nb.load(tmp_path / "game.jsonl")


def test_what_was_undone_takes_its_steps_when_the_game_is_loaded(tmp_path: Path) -> None:
    game = begun()
    before = game.state.work
    for _ in range(3):
        game.say("Ann", "hello")
        game.undo()
    assert game.state.work > before
    assert comes_back(game, tmp_path).state.work == game.state.work
