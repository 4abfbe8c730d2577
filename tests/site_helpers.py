"""The page that plays without a server: built once for all tests, and served from this machine."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, ClassVar

import pytest

#: Where the scripts are that build the page; they are run from there, and no package.
TABLE = Path(__file__).parents[1] / ".site/table"
sys.path.append(str(TABLE))
downloads: Any = import_module("downloads")


def fetched(config: pytest.Config) -> Path:
    """Return the folder with Pyodide and wheels, filled once; skip the test if they cannot be had."""
    assert config.cache is not None
    try:
        return downloads.fetch(Path(config.cache.mkdir(f"pyodide-{downloads.PYODIDE}")))
    except downloads.MissingDownloadError as missing:
        pytest.skip(f"Not run: what needs Pyodide. {missing}")


def build_script() -> Any:
    """Return the script that builds the page."""
    spec = spec_from_file_location("build_table", TABLE / "build.py")
    assert spec is not None
    assert spec.loader is not None
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def home_cells() -> list[str]:
    """Return the cells of the home page."""
    text = (TABLE.parent / "index.md").read_text(encoding="utf-8")
    return re.findall(r"```{code-cell} python\n(?::tags:[^\n]*\n)?(.*?)```", text, re.DOTALL)


def build_page(out: Path, downloaded: Path) -> Path:
    """Build the page in a folder, with Pyodide and wheels from another one; return it."""
    return Path(build_script().build(out, downloaded))


class _Quiet(SimpleHTTPRequestHandler):
    extensions_map: ClassVar = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, ThreadingHTTPServer]]:
    """Serve a folder; give its address, and the server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
