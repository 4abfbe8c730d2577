"""The port of a class that is served through a JupyterHub or Binder, noted for the extension that serves it there."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from nomic_nb.engine.errors import WrongValue

#: Where a Jupyter server has the pages; how often, and how soon again, a lock is tried that a reader may have then.
PLACE, TRIES, APART = "nomic/", 20, 0.05


def _port_file() -> Path:
    """Return the file with the port of the class that is served, among the files of this user's Jupyter server."""
    from jupyter_core.paths import jupyter_runtime_dir

    return Path(jupyter_runtime_dir(), "nomic-class-port")


def hub_address(names: Sequence[str], base: str) -> tuple[Sequence[str], str]:
    """Return the names of the hub and the path of the pages there, found in the environment where they are not given.

    Raises
    ------
    ValueError
        Nobody says what the hub is called.
    """
    url = urlsplit(os.environ.get("JUPYTERHUB_PUBLIC_URL", ""))
    if not names and not url.hostname:
        raise WrongValue(
            "hub-without-name",
            "say at which address people open the hub, as in the address bar of your browser:"
            " names=[“https://hub.example”]",
        )
    given = base if base != "/" else os.environ.get("JUPYTERHUB_SERVICE_PREFIX", "/")
    return names or [f"{url.scheme}://{url.netloc}"], given + PLACE


class HubPort:
    """The port of the class that is served, in a file for the Jupyter server, until `close`.

    The file is locked until then. So a port that a killed kernel has left behind leads nowhere, whoever uses it next.

    Parameters
    ----------
    port : int
        The port.

    Raises
    ------
    ValueError
        Another class is served, or there is no such file here.
    """

    def __init__(self, port: int) -> None:
        try:
            import fcntl

            file = _port_file()
            file.parent.mkdir(0o700, parents=True, exist_ok=True)
            self._file = os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT, 0o600), "w")
            for left in reversed(range(TRIES)):
                try:
                    fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if not left:
                        self._file.close()
                        raise
                    time.sleep(APART)
        except BlockingIOError:
            raise WrongValue(
                "hub-has-a-class", "another class is served through this hub. Close it first: room.close()"
            ) from None
        except (ImportError, OSError) as error:
            raise WrongValue(
                "hub-unusable", "no class can be served through a hub here: {why}. Leave out hub", why=str(error)
            ) from None
        self._file.truncate(0)
        self._file.write(str(port))
        self._file.flush()

    def close(self) -> None:
        """Let the pages lead nowhere."""
        self._file.close()


def find_hub_port() -> int | None:
    """Return the port of the class that is served, or None."""
    with suppress(ImportError, OSError, ValueError):
        import fcntl

        with _port_file().open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return int(file.read())
    return None
