"""Chess engines that speak UCI, such as Fairy-Stockfish: trusted only after they count the same moves as the kit."""

from __future__ import annotations

import re
import subprocess
import tempfile
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from nomic_nb.chess.multiverse.definitions import to_ini
from nomic_nb.chess.multiverse.errors import MoveError, MultiverseError
from nomic_nb.chess.multiverse.generator import Move
from nomic_nb.chess.multiverse.move_search import MATE, NODES, check_count, check_seconds, have_same_pieces
from nomic_nb.chess.multiverse.positions import Position
from nomic_nb.engine.arguments import explain_argument_errors
from nomic_nb.engine.errors import PlainRefusal
from nomic_nb.study.packages import refuse_in_browser
from nomic_nb.study.players.commands import end_processes
from nomic_nb.study.players.loop import ask_program
from nomic_nb.study.players.view import View

#: Bytes of a line, and lines of an answer.
LONGEST_LINE, MOST_LINES = 16 * 1024, 20_000
_SCORE = re.compile(r" score (cp|mate) (-?\d{1,6})\b")
#: What engines are told that other pieces and options are called.
VARIANT = "kit"
#: Plies to which the engine and the kit must count the same numbers.
DEPTHS = (1, 2, 3)


class EngineError(PlainRefusal, RuntimeError):
    """An engine that cannot be started, does not answer, or does not play by the same rules."""


class Engine:
    """A program that speaks UCI and plays positions with the same pieces and options; `engine` starts one.

    Use it in a ``with`` statement, or end it with `close`.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments.
    position : Position
    nodes : int
    seconds : float

    Attributes
    ----------
    name : str
        How the engine calls itself.
    line : list of str
        The moves that it expects, its own first.
    value : int
        What the position is worth to the side to move in hundredths of a pawn, as far as the engine says it; for a
        mate, as a `Player` says it.
    """

    kind = "engine"

    def __init__(self, command: Sequence[str], position: Position, nodes: int, seconds: float) -> None:
        if not (command and command[0]):
            raise MultiverseError("engine-without-command", "command must name a program, such as 'fairy-stockfish'")
        self.command = list(command)
        self.nodes, self.seconds = check_count("nodes", nodes, 1), check_seconds(seconds)
        self.rules, self.name, self.value = position.rules, self.command[0], 0
        variant = "" if position.is_orthodox else to_ini(position, VARIANT)
        self.line: list[str] = []
        try:
            self._process: Any = subprocess.Popen(  # noqa: S603 - no shell; the command is the user's own
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise EngineError(
                "engine-not-started", "{command} can’t be started: {error}. Is it installed?",
                command=self.name, error=error.strerror or error,
            ) from error  # fmt: skip
        self._end = weakref.finalize(self, end_processes, self._process)
        try:
            self._set_up(variant)
            self._check_counts(position)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<engine {self.name!r} with nodes={self.nodes}>"

    def close(self) -> None:
        """End the engine."""
        self._end()

    def move(self, position: Position) -> Move:
        """Return the move that the engine makes in a position, which stays as it is.

        Raises
        ------
        MultiverseError
            The position has other pieces or options, or the game is over.
        EngineError
            The engine ends, does not answer in time, or answers with a move that is not legal.
        """
        if not have_same_pieces(position.rules, self.rules):
            raise MultiverseError(
                "engine-of-other-pieces",
                "this engine was started for other pieces or options; start one for this position",
            )
        if position.outcome() is not None:
            raise MoveError("no-move-for-engine", "the game is over, so no move is left to choose")
        self._send(f"position fen {position.fen(en_passant='fen')}")
        lines = self._ask(f"go nodes {self.nodes}", "bestmove")
        told = next((line for line in reversed(lines) if _SCORE.search(line)), "")
        found = _SCORE.search(told)
        number = int(found[2]) if found else 0
        if found and found[1] == "mate":  # in so many moves of the winner
            number = MATE + 1 - 2 * number if number > 0 else -2 * number - MATE
        self.value = number
        self.line = told.partition(" pv ")[2].split()
        words = lines[-1].split()
        text = words[1] if len(words) > 1 else ""
        # The format writes the promotion of promotedPieceType as a sign.
        text = next((move for move in position.moves() if move.promotion and text == f"{move[:-1]}+"), text)
        try:
            return position.find(text)
        except MultiverseError as error:
            self.close()
            raise EngineError(
                "engine-move-not-legal", "{name} answers {move!r}, which isn’t a legal move here",
                name=self.name, move=text[:20],
            ) from error  # fmt: skip

    def _set_up(self, variant: str) -> None:
        """Exchange greetings, and tell the engine the definition of a `variant`, if there is one."""
        lines = self._ask("uci", "uciok")
        names = [line.removeprefix("id name ") for line in lines if line.startswith("id name ")]
        self.name = names[0][:60] if names else self.name
        if variant:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "variants.ini"
                path.write_text(variant, encoding="ascii")
                self._send(f"setoption name VariantPath value {path}")
                self._send(f"setoption name UCI_Variant value {VARIANT}")
                self._ask("isready", "readyok")
        self._ask("isready", "readyok")

    def _check_counts(self, position: Position) -> None:
        """Raise an error if the engine does not count as many moves as the kit."""
        for depth in DEPTHS:
            self._send(f"position fen {position.fen(en_passant='fen')}")
            last = self._ask(f"go perft {depth}", "Nodes searched")[-1].rpartition(":")[2].strip()
            own = position.perft(depth)
            if last != str(own):
                raise EngineError(
                    "engine-counts-otherwise",
                    "{name} counts {theirs} moves at depth {depth}, but there are {own}: it doesn’t know these pieces "
                    "or options, so it can’t play here",
                    name=self.name, theirs=last[:20], depth=depth, own=own,
                )  # fmt: skip

    def _send(self, line: str) -> None:
        """Write a line to the engine; if it has ended, its missing answer tells."""
        with suppress(OSError, ValueError):
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()

    def _ask(self, line: str, last: str) -> list[str]:
        """Send a line, and return the lines of the answer to the one that begins with `last`.

        Raises
        ------
        EngineError
            The engine ends, says too much, or takes too long.
        """
        exchange: Callable[[View], list[str]] = lambda _: self._answer(line, last)  # noqa: E731
        try:
            found: list[str] = ask_program(exchange, View(), self.seconds)
        except TimeoutError:
            self.close()
            raise EngineError(
                "engine-too-slow", "{name} doesn’t answer “{asked}” within {seconds:g} seconds, so it was ended",
                name=self.name, asked=line, seconds=self.seconds,
            ) from None  # fmt: skip
        except BaseException:
            self.close()
            raise
        return found

    def _answer(self, line: str, last: str) -> list[str]:
        """Return the lines up to the one that begins with `last`."""
        self._send(line)
        lines: list[str] = []
        while len(lines) < MOST_LINES and not self._process.stdout.closed:
            got = self._process.stdout.readline(LONGEST_LINE + 1)
            if not got or len(got) > LONGEST_LINE:
                break
            lines.append(got.decode("utf-8", "replace").strip())
            if lines[-1].startswith(last):
                return lines
        raise EngineError(
            "engine-answer-unusable", "{name} has ended or says too much: “{asked}” needs an answer “{wanted}”",
            name=self.name, asked=line, wanted=last,
        )  # fmt: skip


@explain_argument_errors
def engine(command: str | Sequence[str], position: Position, *, nodes: int = NODES, seconds: float = 30.0) -> Engine:
    """Start an engine that speaks UCI, such as ``fairy-stockfish``, to play a position and those that follow it.

    Engine and kit have to count the same moves to a depth of 3; otherwise the engine is refused with both numbers.

    Parameters
    ----------
    command : str or sequence of str
        The program, or the program and its arguments.
    position : Position
        The pieces and options that the engine has to know.
    nodes : int
        How far it looks ahead.
    seconds : float
        Time for each answer. An engine that takes longer is ended.

    Raises
    ------
    MultiverseError
        The engine cannot be told some option of the position, which the message names; or another argument is wrong.
    EngineError
        It cannot be started, does not answer, or plays by other rules.
    """
    refuse_in_browser("run an engine")
    return Engine([command] if isinstance(command, str) else command, position, nodes, seconds)
