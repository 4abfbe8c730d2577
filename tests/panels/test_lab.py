"""The widget: what it is in a notebook, and that it holds nothing of a game."""

from __future__ import annotations

import gc
import json
import re
import time
import weakref
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import ipywidgets as w
import pytest
from IPython.core.interactiveshell import InteractiveShell
from play_helpers import sit
from refusals import refused

import nomic_nb as nb
from nomic_nb.notebook.panels import widget
from nomic_nb.notebook.panels.widget import Panel


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(InteractiveShell, "_instance", None)
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    yield shell
    shell.history_manager.end_session()
    InteractiveShell.clear_instance()


def run(shell, code, cell=None):
    result = shell.run_cell(code, cell_id=cell)
    result.raise_error()
    return result.result


def test_running_a_cell_again_closes_the_panel_that_it_made(session, game):
    session.user_ns.update(game=game, Panel=Panel)
    nb.new_game("discordian-nomic", ["X", "Y"], seed=1)
    first = run(session, "panel = Panel(game); panel", "cell-1")
    other = run(session, "Panel(game)", "cell-2")
    second = run(session, "panel = Panel(game); panel", "cell-1")
    assert first.comm is None
    assert [one.comm is not None for one in (other, second)] == [True, True]
    assert first.viewer not in second.hub.viewers
    other.close()
    second.close()


def test_it_plays_by_messages_and_holds_nothing_of_the_game(game):
    panel, sent = game.panel("Ann"), []
    panel.send = lambda message: sent.append(json.loads(message["text"]))
    panel._handle_custom_msg({"text": '{"open": true}'}, [])
    key = sent[-1]["view"]["mine"]["decisions"]["propose:None:Ann"]["key"]
    change = {"kind": "enact", "wording": "A secret of the game."}
    message = {"id": "1", "action": "propose", "key": key, "details": {"change": change}}
    panel._handle_custom_msg({"text": json.dumps(message)}, [])
    assert game.proposals[301].proponent == "Ann"
    assert "secret of the game" not in str(panel.get_state())
    for wrong in ("text", {}, {"text": 7}, None):
        panel._handle_custom_msg(wrong, [])
        assert sent[-1]["why"]
    panel.close()


def test_step_and_decision_can_be_observed_and_not_set(game):
    panel, seen = game.panel("Ben"), []
    panel.observe(lambda change: seen.append(change["new"]), "decision")
    assert (panel.step, panel.decision) == (game.state.seq, "")
    game.propose("Ann", nb.enact("Be kind."))
    panel.hub.send_changes()
    assert seen == ["vote:301:Ben"]
    assert panel.step == game.state.seq
    with pytest.raises(Exception, match="read-only"):
        panel.step = 3
    panel.close()


@pytest.mark.parametrize(
    ("name", "names", "wrong"),
    [
        ("proposal", ["301", ""], "302"),
        ("tally", ["Ann", "against", ""], "Zed"),
        ("multiverse", ["white.e2", "yellow", "hand n", ""], "white.e9"),
    ],
)
def test_what_is_selected_is_observed_and_can_be_set(name, names, wrong):
    game = sit("Ann", "Ben", system="nomic-chess")
    game.propose("Ann", nb.enact("Tea."))
    panel, seen, sent = getattr(game, f"{name}_panel")(), [], []
    panel.send = lambda message: sent.append(json.loads(message["text"]))
    panel.observe(lambda change: seen.append(change["new"]), "selected")
    for one in names:
        panel._handle_custom_msg({"selected": one}, [])
    assert seen == names
    assert sent == []  # the browser knows
    panel._handle_custom_msg({"selected": wrong}, [])
    assert panel.selected == ""
    for one in names:
        panel.selected = one
    assert sent == [{"selected": one} for one in names]
    with refused("nothing-to-select", ValueError, found=wrong):
        panel.selected = wrong
    panel.selected = names[0]
    sent.clear()
    panel._handle_custom_msg({"text": '{"open": true}'}, [])  # a page that is loaded again
    assert sent[-1] == {"selected": names[0]}
    assert "selected" not in panel.get_state()  # a saved notebook keeps nothing of a game
    panel.close()


def test_display_and_freeze(game, monkeypatch):
    panel = game.panel()
    data, _ = panel._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert (data["text/plain"], data["text/html"]) == (str(panel), game._repr_html_())
    sent = []

    class Handle:
        def update(self, one):
            sent.append(one)

    monkeypatch.setattr(widget, "display", lambda data, **_: Handle())
    monkeypatch.setattr(
        widget, "StaticCopy", lambda *_: SimpleNamespace(refresh=lambda: sent.append("law"), stop_following=list)
    )
    panel._ipython_display_()
    assert panel.freeze() is game
    assert sent == [game, "law"]
    game.say("Ann", "it goes on")
    panel.close()


def test_a_closed_panel_leaves_nothing_behind(swept):
    before = set(w.widget._instances)
    game = sit("Ann", "Ben")
    table = weakref.ref(game.timeline)
    panel = game.tally_panel()
    box = w.VBox([panel])
    game.propose("Ann", nb.enact("A rule."))
    for one in (box.layout, box, panel.layout, panel):
        one.close()
    assert not set(w.widget._instances) - before
    del panel, box, game, one
    for _ in range(100):  # what was to be painted soon is given up first
        gc.collect()
        if table() is None:
            break
        time.sleep(0.02)
    assert table() is None


def test_two_panels_stand_beside_a_plot_of_scores_as_the_page_tells(game):
    page = (Path(nb.__file__).parent / "docs" / "panels.md").read_text(encoding="utf-8")
    cell = next(one for one in re.findall(r"```python\n(.*?)```", page, re.S) if "IntProgress" in one)
    *body, last = cell.strip().splitlines()
    names = {"game": game}
    exec("\n".join(body), names)  # noqa: S102 - a cell of the page
    box = eval(last, names)  # noqa: S307 - the same
    assert [type(one).__name__ for one in box.children[0].children] == ["Panel", "Panel"]
    game.propose("Ann", nb.enact("Be kind."))
    for name in game.players:
        game.vote(name, "for")
    game.roll("Ann", 5)
    names["vote"].hub.send_changes()
    assert names["bars"]["Ann"].value == game.scores["Ann"] > 0
    for panel in (names["vote"], names["proposal"]):
        panel.close()


@pytest.mark.parametrize("name", ["law", "history", "host", "judge", "score"])
def test_each_panel_of_the_desk_is_a_widget(game, name):
    panel = getattr(game, f"{name}_panel")()
    assert name in panel.parts
    assert str(panel) == str(game.panel())
    panel.close()


def test_a_seat_is_a_players(game):
    with refused("not-a-player", ValueError, player="Zed", players="Ann, Ben, Cleo"):
        game.panel("Zed")


@pytest.mark.parametrize("bundle", widget.BUNDLES)
def test_a_joined_script_has_everything_that_its_modules_import(bundle):
    for module in widget.BUNDLES[bundle]:
        for names, other in re.findall(r'^import {([^}]*)} from "\./(\w+)\.js";$', source_of(module), re.M):
            exported = re.findall(r"^export (?:async )?(?:function|class|const|let) (\w+)", source_of(other), re.M)
            assert other in widget.BUNDLES[bundle]
            assert set(re.findall(r"\w+", names)) <= set(exported), module


def source_of(module):
    return (widget.WIDGETS / f"{module}.js").read_text(encoding="utf-8")


def test_the_joined_script_has_no_imports_and_no_name_twice():
    text = widget.bundled_modules("notebook")
    assert not re.search(r"^import ", text, re.M)
    assert re.findall(r"^export .*", text, re.M) == ["export default { render };"]
    together = dict.fromkeys((*widget.BUNDLES["notebook"], *widget.BUNDLES["desk"]))
    modules = ((widget.WIDGETS / f"{name}.js").read_text(encoding="utf-8") for name in together)
    names = re.findall(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", "\n".join(modules), re.M)
    assert {name: count for name, count in Counter(names).items() if count > 1} == {}
    assert set(widget.BUNDLES["desk"]) - set(widget.BUNDLES["notebook"]) == {"ways"}  # for served tables alone
    scripts = *map(widget.front_end_source, ("page.js", "theme.js")), widget.bundled_modules("seat")
    assert sum(len(script.encode()) for script in scripts) < 110_000  # what the page of a seat loads
    assert sum(len(widget.front_end_source(name).encode()) for name in widget.STYLES) < 35_000
    for forbidden in ("innerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "http://", "https://"):
        assert forbidden not in text.replace("http://www.w3.org/2000/svg", ""), forbidden


def test_each_module_imports_what_another_exports():
    modules = {path.stem: path.read_text(encoding="utf-8") for path in widget.WIDGETS.glob("*.js")}
    exported = {
        name: set(re.findall(r"^export (?:async )?(?:function|class|const|let) (\w+)", text, re.M))
        for name, text in modules.items()
    }
    missing = {
        (name, wanted, source)
        for name, text in modules.items()
        for names, source in re.findall(r'^import \{([^}]+)\} from "\./(\w+)\.js"', text, re.M)
        for wanted in set(re.findall(r"\w+", names)) - exported[source]
    }
    assert missing == set()
