"""Law, boards and tally below a panel, for whoever reads the notebook without its kernel."""

from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbconvert import HTMLExporter
from nbformat import v4
from play_helpers import sit

import nomic_nb as nb
from nomic_nb.engine import threads
from nomic_nb.notebook.panels import widget
from nomic_nb.notebook.panels.widget import APART, SOON, StaticCopy, static_page_data


class Timers:
    """Timers that go off when a test says so."""

    def __init__(self):
        self.set, self.seconds = [], []

    def __call__(self, seconds, work):
        self.set.append(work)
        self.seconds.append(seconds)
        return self

    def start(self):
        pass

    def go_off(self):
        self.set.pop(0)()


class Output:
    """An output of a notebook, and all that was ever shown in it."""

    def __init__(self, data):
        self.shown = [data]

    def update(self, data, raw):
        assert raw
        self.shown.append(data)


@pytest.fixture
def timers(monkeypatch):
    made = Timers()
    monkeypatch.setattr(threads, "Timer", made)
    return made


@pytest.fixture
def below(game, timers, monkeypatch):
    monkeypatch.setattr(widget, "display", lambda data, raw, display_id: Output(data))
    return StaticCopy(game)


def test_law_boards_and_tally_are_in_it():
    game = nb.new_game("nomic-chess", ["Ann", "Ben", "Cleo"], seed=7)
    game.propose("Ann", nb.enact("Be kind."))
    game.vote("Ann", "for")
    for text in static_page_data(game).values():
        for said in ("enact “Be kind”", "1 for, 0 against", "Armies", "Law book", game.rules[101].title):
            assert said in text


def test_the_score_is_in_it():
    game = sit("Ann", "Ben")
    game.propose("Ann", nb.enact("Be kind."))
    game.votes()
    game.roll("Ann", 4)
    assert '<bdi>Ann</bdi></th><td class="nnb-num">4</td>' in static_page_data(game)["text/html"]


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("proposal", "Enact “Be kind”"),
        ("vote", "1 for, 0 against"),
        ("boards", "Armies"),
        ("law", "Law book"),
        ("history", "Ann votes for proposal 301."),
        ("judge", "No judgment was invoked."),
        ("score", "Players"),
        ("host", "Players"),
    ],
)
def test_a_panel_for_one_thing_leaves_that_thing(part, words):
    game = nb.new_game("nomic-chess", ["Ann", "Ben", "Cleo"], seed=7)
    game.propose("Ann", nb.enact("Be kind."))
    game.vote("Ann", "for")
    for text in static_page_data(game, (part, "selection")).values():
        assert words in text
        assert ("Law book" in text) is (part == "law")


def test_what_is_left_is_open_and_hidden_only_below_a_living_panel(game):
    assert '<details class="nnb-copy" open="open">' in static_page_data(game)["text/html"]
    rule = ".jp-OutputArea-child:has(.nnb-live) + .jp-OutputArea-child .nnb-copy"
    assert rule in widget.Panel._css
    assert rule not in static_page_data(game)["text/html"]


def test_it_says_who_won():
    game = sit("Ann", "Ben", terms={"win.points": 1})
    game.propose("Ann", nb.enact("Be kind."))
    for name in game.players:
        game.vote(name, "for")
    game.roll("Ann", 5)
    assert game.over
    assert game.result in static_page_data(game)["text/plain"]


def test_many_acts_are_one_update(below, timers, game):
    game.propose("Ann", nb.enact("Be kind."))
    for name in ("Ann", "Ben"):
        game.vote(name, "for")
    assert (len(timers.set), len(below._handle.shown)) == (1, 1)
    assert SOON <= timers.seconds[0] <= APART
    timers.go_off()
    assert len(below._handle.shown) == 2
    assert "2 for, 0 against" in below._handle.shown[-1]["text/html"]
    game.say("Ann", "nothing of this is shown below")
    timers.go_off()
    assert len(below._handle.shown) == 2


def test_once_ended_it_follows_no_more(below, timers, game):
    game.propose("Ann", nb.enact("Be kind."))
    below.stop_following()
    timers.go_off()
    game.vote("Ann", "for")
    assert (len(below._handle.shown), timers.set) == (1, [])


def test_while_a_cell_captures_it_waits(below, timers, game, monkeypatch):
    monkeypatch.setattr(InteractiveShell, "_instance", None)
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    try:
        with capture_output():
            game.propose("Ann", nb.enact("Be kind."))
            timers.go_off()
            assert len(below._handle.shown) == 1
        timers.go_off()
        assert len(below._handle.shown) == 2
    finally:
        shell.history_manager.end_session()
        InteractiveShell.clear_instance()


@pytest.mark.parametrize("close", [False, True], ids=["before the close", "the close taken back"])
def test_nothing_sealed_is_in_it(close):
    def shown(ballots):
        game = sit("Ann", "Ben", "Cleo", terms={"vote.ballots": '"sealed"'})
        game.propose("Ann", nb.enact("Be kind."))
        for name, side in zip(game.players, ballots, strict=False):
            game.vote(name, side)
        if close:
            game.vote("Cleo", "against")
            game.undo()
        return static_page_data(game)

    assert shown(["for", "against"]) == shown(["against", "for"])


@pytest.mark.parametrize("template", ["lab", "basic"])  # nbviewer shows the body alone, as the second one makes it
def test_a_saved_notebook_as_html_shows_it_and_runs_nothing(game, template):
    panel = game.panel()
    game.propose("Ann", nb.enact("<script>alert(1)</script> <img src=x onerror=alert(2)>"))
    live, metadata = panel._repr_mimebundle_()
    del live["text/html"]
    outputs = [v4.new_output("display_data", data, metadata=metadata) for data in (live, static_page_data(game))]
    page, _ = HTMLExporter(template_name=template).from_notebook_node(
        v4.new_notebook(cells=[v4.new_code_cell(outputs=outputs)])
    )
    panel.close()
    assert str(panel).splitlines()[0] in page
    assert "Ben and Cleo" in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert(1)" not in page
    assert "<img src=x" not in page
