"""A command as a player: it reads each view as a line of JSON, and writes each reply as one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Self

from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.errors import PlainRefusal, WrongValue
from nomic_nb.engine.messages import say
from nomic_nb.engine.threads import Lock, start_thread
from nomic_nb.study.packages import refuse_in_browser
from nomic_nb.study.players.loop import ask_program
from nomic_nb.study.players.view import View

#: Bytes of a reply.
LONGEST_REPLY = 32 * 1024


class CommandError(PlainRefusal, RuntimeError):
    """A command that plays has ended without a reply, or has written too long a line."""


class CommandPlayer:
    """A player that is a command. End it with `close`, or use it in a ``with`` statement.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments.
    seconds : float
        Time for a reply.
    """

    kind = "program"

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        self.command, self.seconds = list(command), seconds
        self._process: Any = None
        self._end: Callable[[], object] = str
        self._one_at_a_time = Lock()

    def __repr__(self) -> str:
        return f"nb.players.program({self.command!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the command, and all processes that it started."""
        self._process = None  # before it ends, so that nobody who waits for its reply starts it again
        self._end()

    def __call__(self, view: View) -> str | None:
        """Return the line with which the command replies to a view; None for ``null``, which passes."""
        with self._one_at_a_time:
            try:
                reply: str = ask_program(self._exchange, view, self.seconds)
            except BaseException:
                self.close()
                raise
        return None if reply == "null" else reply

    def _exchange(self, view: View) -> str:
        """Send a view to the command, which is started if it does not run, and return its reply.

        Raises
        ------
        CommandError
            It ends without a reply, or writes too long a line.
        """
        process, end, line = self._process, self._end, b""
        is_new = process is None or process.poll() is not None
        if is_new:
            process, end = self._start()
        with suppress(OSError, ValueError):  # it has ended, or was closed by others meanwhile, which is told below
            process.stdin.write(json.dumps(view).encode() + b"\n")
            process.stdin.flush()
            line = process.stdout.readline(LONGEST_REPLY + 1)
        if len(line) > LONGEST_REPLY:
            raise CommandError("command-reply-too-long", "the reply is longer than {most} bytes", most=LONGEST_REPLY)
        if not line:
            is_closed = self._process is not process
            end()
            if not is_new and not is_closed:  # it was about to end after its last reply
                return self._exchange(view)
            code = process.returncode
            raise CommandError(
                "command-without-reply", "the command ended without a reply (exit code {code})", code=code
            )
        return line.decode("utf-8", "replace").strip()

    def _start(self) -> tuple[Any, Callable[[], object]]:
        """Start the command, in a group of processes of its own; return it, and what ends it."""
        self.close()
        self._process = process = subprocess.Popen(  # noqa: S603 - no shell; the command is the user's own
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        self._end = weakref.finalize(self, end_processes, process)
        return process, self._end


def end_processes(process: Any) -> None:
    """End a command and all processes that it started."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)  # noqa: S603, S607
    else:
        with suppress(OSError):  # they have ended
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()

    def close_pipes() -> None:
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                pipe.close()

    with suppress(RuntimeError):  # Python ends, and closes them
        start_thread(close_pipes)  # a process that left the group may still hold them


@explain_argument_errors
def program(command: Sequence[str], seconds: float = 30.0) -> CommandPlayer:
    """Return a player that is a command: it reads each view as a line of JSON, and writes each reply as one.

    No shell reads the command. It is started for the first view, and again if it has ended. A reply of more than 32
    KiB, or none in time, ends it with all processes that it started, and play ends as well.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments, such as ``["python3", "my.py"]``.
    seconds : float
        Time for a reply.

    Returns
    -------
    CommandPlayer
        The player. End it with ``.close()``, or use it in a ``with`` statement.

    Raises
    ------
    TypeError
        The command is a single text.
    ValueError
        It is empty.
    FileUnusable
        This is a browser.
    """
    refuse_in_browser("start other programs")
    if isinstance(command, str):
        raise TypeError
    if not command:
        raise WrongValue(
            say("command-empty", "the command is empty. Give the program and its arguments, such as {example}",
                example='["python3", "my.py"]')
        )  # fmt: skip
    return CommandPlayer(command, seconds)
