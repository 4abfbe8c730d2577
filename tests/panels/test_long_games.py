"""What is painted after an act is the same work in a long game as in a short one."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from nomic_chess_helpers import whole
from panels.pages import Page

import nomic_nb as nb
from nomic_nb.chess.record import moves
from nomic_nb.notebook.panels.session import PanelHub

PLAYERS = ["Ann", "Ben", "Cleo", "Dan"]
SHORT, LONG = 100, 500


def work(what: Callable[[], object]) -> int:
    """Count the instructions that Python takes for something: the same on any machine."""
    count = 0

    def counted(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return counted

    before = sys.gettrace()
    gc.collect()
    gc.disable()  # what other tests have left behind is cleared away by callbacks, which would count
    sys.settrace(counted)
    try:
        what()
    finally:
        sys.settrace(before)
        gc.enable()
    return count


def turn(game: nb.Game) -> None:
    player = game.player or ""
    game.propose(player, nb.enact("A note."))
    for name in game.players:
        game.vote(name, "against")
    game.roll(player)


def turn_taken_back(game: nb.Game) -> None:
    turn(game)
    game.undo()
    game.roll(PLAYERS[(game.turn - 1) % len(PLAYERS)])


def grown(events: int, one_more: Callable[[nb.Game], None], **terms: object) -> nb.Game:
    """A game of four of so many events, with a vote under way."""
    game = nb.new_game("discordian-nomic", PLAYERS, seed=7, terms={"win.points": 10**9, **terms})
    while game.state.seq < events:
        one_more(game)
    game.propose(game.player or "", nb.enact("One more note."))
    game.vote("Ann", "for")
    return game


def painted(game: nb.Game) -> list[int]:
    """What it takes to paint four pages after each of a few acts."""
    pages = [Page(game, name) for name in PLAYERS]
    game.timeline.listeners.clear()  # it is painted here, and by no thread
    acts: list[Callable[[], object]] = [
        lambda: game.say("Ann", "hello"), lambda: game.vote("Ben", "for"), lambda: game.vote("Cleo", "against"),
    ]  # fmt: skip
    found = []
    for act in acts:
        act()
        found.append(work(pages[0].hub.send_changes))
        assert pages[0].step == game.state.seq
    return found


@pytest.mark.parametrize(
    ("one_more", "terms"),
    [(turn, {}), (turn, {"vote.ballots": "sealed"}), (turn_taken_back, {})],
    ids=["open ballots", "sealed ballots", "undone"],
)
@pytest.mark.slow
@pytest.mark.usefixtures("swept")
def test_painting_takes_no_more_in_a_long_game(
    one_more: Callable[[nb.Game], None], terms: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PanelHub, "_start_trials", lambda self: None)  # whose remarks are painted once they are found
    short, long = (painted(grown(events, one_more, **terms)) for events in (SHORT, LONG))
    for one, other in zip(short, long, strict=True):
        assert 0 < other <= 1.1 * one


def test_the_last_move_is_found_as_the_last_of_all_moves() -> None:
    game = nb.new_game("nomic-chess", ["Ann", "Ben"], seed=7)
    for _ in range(3):
        whole(game, nb.enact("A note."))
    for _ in range(3):
        game.undo()
    seen = set()
    for seq in range(1, game.state.seq + 1):
        then = game.at(seq)
        found = [one.move for one in moves.played_moves(then.timeline)]
        assert then.last_move == (found[-1] if found else None)
        seen.add(len(found))
    assert seen == {0, 1, 2, 3}
    assert len(found) == 2
