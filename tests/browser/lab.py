"""Start a JupyterLab on loopback, and drive it with a headless Chromium."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FLAGS = [
    "--no-sandbox",  # which a container's root needs
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
]
#: Milliseconds that a wait may take: a first start is slow where others are at work.
PATIENCE = 60_000
TOKEN = "only-on-loopback"
SETTINGS = {
    # No box over the page that asks whether news are wanted.
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    # Lab draws only the cells in view; a test wants them all.
    "notebook-extension/tracker": {"windowingMode": "none"},
}
ROOT = Path(__file__).parents[2]


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def _write_settings(folder: Path) -> None:
    for name, values in SETTINGS.items():
        path = folder / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))


def _wait(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            with urllib.request.urlopen(f"{url}/api/status?token={TOKEN}", timeout=2) as reply:  # noqa: S310
                json.load(reply)
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(log.read_text()) from None
            time.sleep(0.1)
        else:
            return


@contextmanager
def running_lab(root: Path, home: Path) -> Iterator[str]:
    """Serve a folder with a JupyterLab that keeps everything of its own in `home`, and yield its address."""
    port = _free_port()
    own = {
        "HOME": ".", "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime",
        "IPYTHONDIR": "ipython", "JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    }  # fmt: skip
    env = os.environ | {name: str(home / folder) for name, folder in own.items()}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}",
        f"--ServerApp.root_dir={root}",
        "--LabApp.expose_app_in_browser=True",  # window.jupyterapp, for the helpers below
    ]  # fmt: skip
    _write_settings(home / "settings")
    log = home / "lab.log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, env=env, stdout=output, stderr=subprocess.STDOUT)
        url = f"http://127.0.0.1:{port}"
        try:
            _wait(url, process, log)
            yield url
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def write_notebook(path: Path, cells: Sequence[tuple[str, str]]) -> None:
    """Write a notebook of code cells: source, and the HTML of its output (empty for none)."""
    made = [
        {
            "cell_type": "code", "id": f"cell{at}", "execution_count": None, "metadata": {}, "source": source,
            "outputs": [{"output_type": "display_data", "metadata": {}, "data": {"text/html": html}}] if html else [],
        }
        for at, (source, html) in enumerate(cells)
    ]  # fmt: skip
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    content = {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(content))


def open_notebook(page: Any, url: str, name: str) -> None:
    """Show a notebook alone, as a page that was just loaded would, and wait until its kernel answers.

    "Run all" pressed before that is lost without a word, and no mark on the page tells; so the
    application is asked.
    """
    if not page.url.startswith(url):
        page.goto(f"{url}/lab/workspaces/{os.getpid()}?reset&token={TOKEN}")
    page.wait_for_function("() => window.jupyterapp")
    page.evaluate(
        """async ([name, patience]) => {
            const {restored, shell, commands, serviceManager: {sessions}} = window.jupyterapp;
            const late = new Promise((_, fail) => setTimeout(() => fail(Error("no kernel answers")), patience));
            const open = async () => {
                await restored;
                for (const one of [...shell.widgets("main")]) one.dispose();
                await sessions.shutdownAll();
                localStorage.clear();
                sessionStorage.clear();
                const panel = await commands.execute("docmanager:open", {path: name, factory: "Notebook"});
                await panel.context.ready;
                await panel.sessionContext.ready;
                await panel.sessionContext.session.kernel.info;
                shell.activateById(panel.id);
            };
            await Promise.race([open(), late]);
        }""",
        [name, PATIENCE],
    )
    set_theme(page, "Light")
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()


def run_all(page: Any) -> None:
    """Run every cell."""
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")


def run_cell(page: Any, at: int, source: str | None = None) -> None:
    """Run one cell, with another source where one is given."""
    page.evaluate(
        """([at, source]) => {
            const notebook = window.jupyterapp.shell.currentWidget.content;
            notebook.activeCellIndex = at;
            notebook.deselectAll();
            if (source !== null) notebook.activeCell.model.sharedModel.setSource(source);
            return window.jupyterapp.commands.execute('notebook:run-cell');
        }""",
        [at, source],
    )


def set_theme(page: Any, theme: str) -> None:
    """Change Lab's theme: ``Light`` or ``Dark``."""
    page.evaluate(
        "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", f"JupyterLab {theme}"
    )
    page.wait_for_selector(f"body[data-jp-theme-light='{str(theme == 'Light').lower()}']", state="attached")


#: The text of each visible element that has one, and its contrast with what it stands on, as WCAG reckons it.
CONTRASTS = """(elements) => {
    const paint = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const colours = new Map(), grounds = new Map();
    const once = (known, key, make) => known.get(key) ?? known.set(key, make(key)).get(key);
    const parse = (text) => once(colours, text, () => {
        paint.clearRect(0, 0, 1, 1);
        paint.fillStyle = text;
        paint.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = paint.getImageData(0, 0, 1, 1).data;
        return {rgb: [r, g, b], a: a / 255};
    });
    const over = (top, below) => top.rgb.map((c, i) => c * top.a + below[i] * (1 - top.a));
    const groundOf = (element) => element ? once(grounds, element, () =>
        over(parse(getComputedStyle(element).backgroundColor), groundOf(element.parentElement))) : [255, 255, 255];
    const light = (rgb) => rgb.map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    return elements.filter((one) => one.textContent.trim() && one.checkVisibility()).map((element) => {
        const ground = groundOf(element), ink = over(parse(getComputedStyle(element).color), ground);
        const [one, other] = [light(ink), light(ground)].sort((a, b) => b - a);
        return [element.innerText, (one + 0.05) / (other + 0.05)];
    });
}"""
