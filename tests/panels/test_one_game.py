"""Cells and panels play one game."""

from __future__ import annotations

import gc
import threading
import time
import weakref

import ipywidgets as w
import pytest
from IPython.core.interactiveshell import InteractiveShell
from panels.hands import Hand, hand_of, seats, words
from play_helpers import sit

import nomic_nb as nb
from nomic_nb.panels import desk, keyboard, live, panel
from nomic_nb.panels.panel import Panel, refresh_all


def test_moves_in_cells_and_panels_are_one_game(game, ann):
    seat = Panel(game, "Ben")
    game.propose("Ann", nb.enact("By a cell."))
    assert Hand(seat, "Ben").sees("Vote for")
    hand_of(ann, "Ben").press("Vote for")
    assert not Hand(seat, "Ben").sees("Vote for")
    assert "Ben votes for 301." in words(seat.desk.status.value)
    game.undo()
    assert Hand(seat, "Ben").sees("Vote for")
    seat.seen = None
    refresh_all(game.table)
    assert seat.seen is game.state
    seat.close()
    hand_of(ann, "Ben").press("Vote for")
    assert seat.seen is not game.state


def test_a_fork_has_panels_of_its_own(game, ann):
    fork = game.fork()
    fork.say("Ann", "elsewhere")
    assert not fork.table.listeners
    assert ann.panel.seen is game.state


def test_errors_are_shown_and_hurt_nobody(game, ann, monkeypatch):
    monkeypatch.setattr(type(game), "propose", lambda *_, **__: 1 / 0)
    ann.propose("enact", Wording="Boom.")
    assert "Not done, because of an error: ZeroDivisionError: division by zero" in ann.status
    assert keyboard.SAYS in ann.panel.desk.status._dom_classes
    monkeypatch.undo()
    monkeypatch.setattr(panel.said, "heading", lambda _: 1 / 0)
    game.say("Ben", "this is done all the same")
    assert game.latest(1) == ["Ben says “this is done all the same”"]
    assert "ZeroDivisionError" in ann.status
    monkeypatch.undo()
    ann.panel.refresh()
    ann.press("Propose")
    assert game.proposals[301].wording == "Boom."


def test_clicks_come_from_other_threads(game):
    hands = seats(game, hot=False)

    def babble(hand):
        for at in range(15):
            hand.panel.freely.details["say"].fields["text"].value = f"{hand.player} {at}"
            hand.panel.freely.button.click()

    threads = [threading.Thread(target=babble, args=(hand,)) for hand in hands.values()]
    for one in threads:
        one.start()
    for at in range(15):
        game.say("Ann", f"cell {at}")
    for one in threads:
        one.join(60)
    assert (game.history["kind"] == "said").sum() == 60
    for hand in hands.values():
        hand.panel.refresh()
        assert hand.panel.seen is game.state
        hand.panel.close()


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(InteractiveShell, "_instance", None)
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    monkeypatch.setattr(live, "SESSION", None)
    yield shell
    shell.history_manager.end_session()
    InteractiveShell.clear_instance()


@pytest.fixture
def fresh(session, monkeypatch):
    """A session of panels that knows no shell yet."""
    one = live.Session()
    for module in (live, panel, desk):
        monkeypatch.setattr(module, "SESSION", one)
    return one


def run(shell, code, cell=None):
    result = shell.run_cell(code, cell_id=cell)
    result.raise_error()
    return result.result


def test_a_cell_of_many_moves_is_drawn_when_it_is_done(session, fresh, game, monkeypatch):
    drawn = []
    monkeypatch.setattr(Panel, "_draw", lambda self: drawn.append(self) or setattr(self, "seen", self.game.state))
    session.user_ns.update(game=game, Panel=Panel)
    run(session, "panel = Panel(game); None")
    drawn.clear()
    run(session, "for at in range(200): game.say('Ann', str(at))")
    assert 1 <= len(drawn) <= 20
    assert drawn[0].seen is game.state
    session.user_ns["panel"].close()


def test_running_a_cell_again_closes_the_panel_that_it_opened(session, fresh, game):
    session.user_ns.update(game=game, Panel=Panel)
    nb.new_game("discordian-nomic", ["X", "Y"], seed=1)
    first = run(session, "panel = Panel(game); panel", "cell-1")
    other = run(session, "Panel(game)", "cell-2")
    second = run(session, "panel = Panel(game); panel", "cell-1")
    assert first is not second
    assert first.closed
    assert not other.closed
    assert not second.closed
    other.close()
    second.close()


def test_a_cell_that_takes_its_moves_back_is_noticed(session, fresh):
    session.user_ns.update(nb=nb, Panel=Panel)
    run(session, "game = nb.new_game('discordian-nomic', ['Ann', 'Ben'], seed=1)", "cell-1")
    shown = run(session, "Panel(game)", "cell-2")
    run(session, "game.propose('Ann', nb.repeal(204))", "cell-3")
    assert Hand(shown, "Ben").sees("Vote for")
    run(session, "None", "cell-3")
    assert not Hand(shown, "Ben").sees("Vote for")
    assert Hand(shown, "Ann").sees("Propose")
    shown.close()


def test_display_and_freeze(game, monkeypatch):
    shown = Panel(game)
    bundle = shown._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == str(shown)
    assert bundle["text/html"] == game._repr_html_()
    sent = []

    class Handle:
        def update(self, one):
            sent.append(one)

    monkeypatch.setattr("IPython.display.display", lambda data, **_: Handle())
    shown._ipython_display_()
    assert shown.freeze() is game
    assert sent == [game]
    assert shown.closed
    game.say("Ann", "it goes on")
    shown.refresh()
    shown.close()


def test_a_closed_panel_leaves_nothing_behind():
    before = set(w.widget._instances)
    game = sit("Ann", "Ben")
    table = weakref.ref(game.table)
    shown = Panel(game)
    game.propose("Ann", nb.enact("A rule."), debate=True)
    game.call_vote("Ann")
    shown.close()
    after = set(w.widget._instances)
    assert len(after - before) == 0
    del shown, game
    gc.collect()
    assert table() is None


def test_it_opens_quickly_on_a_long_game():
    game = sit("Ann", "Ben", "Cleo", terms={"win.points": 10_000})
    while len(game.table.moments) < 500:
        game.propose(game.player, nb.amend(next(rule.number for rule in game.rules if rule.id == 20), f"{game.turn}."))
        for name in game.players:
            game.vote(name, "for")
        game.roll(game.player, 1)
    start = time.perf_counter()
    shown = Panel(game)
    shown._repr_mimebundle_()
    assert time.perf_counter() - start < 1
    shown.close()
