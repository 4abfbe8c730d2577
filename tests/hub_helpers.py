"""A Jupyter server on loopback that has the pages of a class."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TOKEN, EXTENSION = "only-on-loopback", "nomic_nb.notebook.classroom.hub_pages"
ROOT = Path(__file__).parents[1]


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def jupyter_environment(home: Path) -> dict[str, str]:
    """Return the environment of a Jupyter server that keeps everything of its own in a folder."""
    own = {"HOME": ".", "JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime"}
    return os.environ | {name: str(home / folder) for name, folder in own.items()} | {"PYTHONPATH": str(ROOT)}


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path, status: int = 200) -> None:
    """Wait until an address answers."""
    deadline = time.monotonic() + 30
    while True:
        try:
            urllib.request.urlopen(url, timeout=2).close()  # noqa: S310
            return
        except OSError as error:
            if isinstance(error, urllib.error.HTTPError) and error.code == status:
                return
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(log.read_text()) from None
            time.sleep(0.05)


@contextmanager
def running(command: list[str], home: Path, url: str, **how: str) -> Iterator[None]:
    """Run a server until it is not needed any more."""
    log = home / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(command, env=jupyter_environment(home) | how, stdout=output, stderr=output, cwd=home)
        try:
            wait_for(url, process, log)
            yield
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


@contextmanager
def running_jupyter_server(home: Path, prefix: str = "/") -> Iterator[int]:
    """Run a Jupyter server that wants a token, with the extension; yield its port."""
    port = free_port()
    command = [
        sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}", "--ServerApp.port_retries=0", f"--ServerApp.base_url={prefix}",
        f"--IdentityProvider.token={TOKEN}", f"--ServerApp.jpserver_extensions={{'{EXTENSION}': True}}",
        "--ServerApp.allow_unauthenticated_access=False",
    ]  # fmt: skip
    with running(command, home, f"http://127.0.0.1:{port}{prefix}api/status?token={TOKEN}"):
        yield port
