"""A kernel that is sent cells as JupyterLab sends them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from jupyter_client.manager import start_new_kernel

ROOT = Path(__file__).parent.parent


class Notebook:
    """A kernel that is sent cells as JupyterLab sends them."""

    def __init__(self, client):
        self.client = client
        #: All that the last cell printed.
        self.printed = ""

    def run(self, cell: str | None, code: str, *, fails: bool = False):
        """Run a cell and return the last line that it prints as JSON; or the error, where it fails."""
        session = self.client.session
        content = {
            "code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False,
            "stop_on_error": True,
        }  # fmt: skip
        metadata = {} if cell is None else {"cellId": cell}
        message = session.msg("execute_request", content, metadata=metadata)
        self.client.shell_channel.send(message)
        self.printed, error = "", ""
        while True:
            reply = self.client.get_iopub_msg(timeout=60)
            if reply["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            kind = reply["msg_type"]
            if kind == "stream":
                self.printed += reply["content"]["text"]
            elif kind == "error":
                error = "\n".join(reply["content"]["traceback"])
            elif kind == "status" and reply["content"]["execution_state"] == "idle":
                break
        assert bool(error) == fails, error or "it should have failed"
        if fails:
            return error
        for line in reversed(self.printed.splitlines()):
            with suppress(ValueError):  # a message of the kit
                return json.loads(line)
        return None


@contextmanager
def kernel(**environment: str) -> Iterator[tuple[object, Notebook]]:
    """Start a kernel; give its manager, and a notebook that runs in it."""
    manager, client = start_new_kernel(
        kernel_name="python3", env={**os.environ, "PYTHONPATH": str(ROOT), **environment}
    )
    try:
        yield manager, Notebook(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
