"""A kernel is killed; the notebook, run again from the top in a new one, finds its game where it stood."""

from __future__ import annotations

from pathlib import Path

import kernels
import pytest

CLICK = '{"id": "1", "action": "say", "details": {"text": "clicked"}}'
SAY = "import json; print(json.dumps([game.fingerprint, game.state.seq, len(game.forks)]))"


@pytest.mark.slow
def test_the_notebook_is_run_again_from_the_top(path: Path) -> None:
    cells = {
        "c0": "import nomic_nb as nb",
        "c1": f"game = nb.new_game('discordian-nomic', ['Ann', 'Ben'], dice='committed', file={str(path)!r})\nprint(1)",
        "c2": "game.propose('Ann', nb.library.simple_majority().change(203))",
        "c3": "%load_ext nomic_nb\n%vote Ann for\n%vote Ben for",
        "c4": "game.seal('Ann', 'hush')\ngame.annotate('bold', '!')",
    }
    with kernels.kernel(JPY_SESSION_NAME="/lesson.ipynb") as (manager, notebook):
        for cell, source in cells.items():
            notebook.run(cell, source)
        notebook.run("panel", f"CLICK = {CLICK!r}\npanel = game.panel('Ben')\npanel.hub.receive(panel.viewer, CLICK)")
        stood = notebook.run("look", SAY)
        manager.signal_kernel(9)
    with kernels.kernel(JPY_SESSION_NAME="/lesson.ipynb") as (_, notebook):
        for cell, source in cells.items():
            notebook.run(cell, source)
            if cell != "c0":
                assert notebook.run("look", SAY) == stood
        shown = notebook.run(
            "shown", "print(json.dumps([str(game.panel('Ben')), list(game.history['hand'].dropna())]))"
        )
        assert "Ben – seal" in shown[0]
        assert shown[1][0] == "cell"
        assert shown[1][-1] == "panel"
        notebook.run("c5", "game.seal('Ben')\ngame.reveal('Ann')\ngame.reveal('Ben')")
        notebook.run("c3", "%vote Ann for\n%vote Ben against")
        fingerprint, _, forks = notebook.run("look", SAY)
        assert fingerprint != stood[0]
        assert forks == 1
