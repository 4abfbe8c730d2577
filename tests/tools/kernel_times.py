"""How fast the compiled kernel counts, lists, searches and plays, beside python-chess and Python alone in the same run.

`PYTHONPATH=tests python tests/tools/kernel_times.py` prints a table. If `--stockfish` names one, it counts the
orthodox positions, too. Times are those of the processor. Each figure is the median of five runs, with the least and
the most; what is compared takes turns.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from statistics import median
from typing import Any

import chess

import nomic_nb as nb
from nomic_nb.chess import kernel
from nomic_nb.chess.multiverse import move_search, position, positions
from nomic_nb.chess.multiverse.kernel_tables import words_of_rules

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
#: Name, FEN, options, plies for the kernel and for the others.
CASES = [
    ("start position", chess.STARTING_FEN, {}, 6, 4),
    ("Kiwipete", KIWIPETE, {}, 5, 3),
    ("knights NW", KIWIPETE, {"pieces": {"n": "NW"}}, 5, 3),
    ("cannons for rooks", KIWIPETE, {"pieces": {"r": "mRcpR"}}, 5, 3),
    ("griffins for queens", KIWIPETE, {"pieces": {"q": "FyafsF"}}, 5, 3),
    ("rifles for rooks", KIWIPETE, {"pieces": {"r": "mRcaibR"}}, 5, 3),
    ("lions for queens", KIWIPETE, {"pieces": {"q": "KNADcaKmcabK"}}, 5, 3),
    ("captor’s hand", KIWIPETE, {"capture_result": "captor's hand"}, 4, 3),
]


def timed(*works: Callable[[], int], runs: int = 5) -> list[list[float]]:
    """Return how many units a second each work does, in each of some runs, one after the other."""
    speeds: list[list[float]] = [[] for _ in works]
    for _ in range(runs):
        for work, found in zip(works, speeds, strict=True):
            began = time.process_time()
            done = work()
            found.append(done / max(time.process_time() - began, 1e-9))
    return speeds


def told(values: Iterable[float], unit: float = 1, digits: int = 0) -> str:
    """Return the median of some values, with the least and the most."""
    row = sorted(value / unit for value in values)
    return f"{median(row):,.{digits}f} ({row[0]:,.{digits}f} to {row[-1]:,.{digits}f})"


def times(ours: list[float], theirs: list[float], digits: int = 0) -> str:
    """Return how many times as fast one is, run by run."""
    return told((one / other for one, other in zip(ours, theirs, strict=True)), digits=digits)


def chess_perft(board: chess.Board, depth: int) -> int:
    """Return python-chess’s count, in bulk at the last ply."""
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += chess_perft(board, depth - 1)
        board.pop()
    return total


def in_python(work: Callable[[], int]) -> int:
    """Do some work without the kernel."""
    depth, nodes = positions.KERNEL_DEPTH, move_search.KERNEL_NODES
    positions.KERNEL_DEPTH = move_search.KERNEL_NODES = 10**10
    try:
        return work()
    finally:
        positions.KERNEL_DEPTH, move_search.KERNEL_NODES = depth, nodes


def pure(work: Callable[[], int]) -> int:
    """Do some work with the kernel turned off."""
    kernel.turned_off = True
    try:
        return work()
    finally:
        kernel.turned_off = False


def searched(game: positions.Position, nodes: int, *, pure: bool) -> int:
    """Return how many moves a new player makes while it thinks."""
    bot = nb.multiverse.player(game, nodes=nodes)
    if pure:
        in_python(lambda: len(bot.move(game)))
    else:
        bot.move(game)
    return bot.searched


def stockfish_perft(program: str, fen: str, depth: int) -> Callable[[], int]:
    """Return a work that counts leaves with Stockfish."""

    def counts() -> int:
        asked = f"position fen {fen}\ngo perft {depth}\nquit\n"
        said = subprocess.run([program], input=asked, capture_output=True, text=True, check=True).stdout
        return int(re.search(r"Nodes searched: (\d+)", said)[1])  # type: ignore[index]

    return counts


def stockfish_speeds(program: str, fen: str, depth: int, runs: int = 5) -> list[float]:
    """Return how many leaves a second Stockfish counts, without the time that it takes to start."""
    spent: list[list[float]] = [[], []]
    leaves = 0
    for _ in range(runs):
        for at, plies in enumerate((depth, 1)):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            found = stockfish_perft(program, fen, plies)()
            spent[at].append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
            leaves = leaves if at else found
    return [leaves / max(one - median(spent[1]), 1e-9) for one in spent[0]]


def their_lists(fen: str) -> Callable[[], int]:
    """Return a work that lists python-chess’s legal moves in all positions after two moves."""
    boards = []
    for move in (first := chess.Board(fen)).legal_moves:
        first.push(move)
        for reply in first.legal_moves:
            boards.append(first.copy(stack=False))
            boards[-1].push(reply)
        first.pop()
    return lambda: len([list(board.legal_moves) for board in boards])


def our_lists(fen: str, **options: Any) -> tuple[Callable[[], int], Callable[[], int], Callable[[], int]]:
    """Return works that list the same as move objects; as numbers, one position a call; and all of them in one call."""
    game = position(fen, **options)
    after = [one.after(reply) for one in map(game.after, game.moves()) for reply in one.moves()]
    game._lists._first = 0  # as if it had listed many

    def objects() -> int:
        for one in after:
            one._moves = None
            one.moves()
        return len(after)

    return objects, lambda: len([one.packed_moves() for one in after]), lambda: len(game.packed_moves(2))


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--stockfish", help="a program to compare with")
    given = arguments.parse_args()
    if position().backend != "compiled":
        raise SystemExit(position().backend)
    for name, fen, options, deep, shallow in CASES:
        game = position(fen, **options)
        assert game.perft(shallow) == in_python(lambda game=game, depth=shallow: game.perft(depth))
        ours, slow, tables = timed(
            lambda game=game, deep=deep: game.perft(deep),
            lambda game=game, depth=shallow: in_python(lambda: game.perft(depth)),
            lambda game=game: len(words_of_rules(game.rules)) and 1,
        )
        line = f"{name}: {told(ours, 1e6)} M leaves/s; Python {told(slow, 1e6, 1)} M"
        line += f"; tables in {1000 / median(tables):.0f} ms"
        if not options:
            board = chess.Board(fen)
            ours, theirs = timed(
                lambda game=game, deep=deep: game.perft(deep),
                lambda board=board, depth=shallow: chess_perft(board, depth),
            )
            line += f"; {times(ours, theirs)} × python-chess"
            if given.stockfish:
                theirs = stockfish_speeds(given.stockfish, fen, deep)
                line += f"; {times(ours, theirs, 2)} × Stockfish"
        say(line)
    for name, fen, options in (("start position", chess.STARTING_FEN, {}), *(one[:3] for one in CASES[1:3])):
        theirs, objects, one, many = timed(their_lists(fen), *our_lists(fen, **options))
        say(f"lists two plies on, {name}, × python-chess: objects {times(objects, theirs, 1)};"
            f" numbers, one position a call {times(one, theirs, 1)}; in one call {times(many, theirs, 1)}")  # fmt: skip
    for options in (
        {},
        {"pieces": {"n": "NW"}},
        {"capture_result": "captor's hand"},
        {"capture_result": "explode with royals"},
    ):
        work, again = (our_lists(KIWIPETE, **options)[0] for _ in range(2))
        objects, slow = timed(work, lambda work=again: pure(work))
        say(f"lists of move objects with {options}, × Python: {times(objects, slow, 1)}")
    for name, options in (("start position", {}), ("knights NW", {"pieces": {"n": "NW"}})):
        game = position(**options)
        fast, slow = timed(
            lambda game=game: searched(game, 1_000_000, pure=False), lambda game=game: searched(game, 2_000, pure=True)
        )
        say(f"search, {name}: {told(fast)} moves/s; Python {told(slow)}")
    start = position(pieces={"n": "NW"})
    for kind, games, nodes in (("player", 200, 500), ("random", 200, None)):
        speeds = timed(lambda kind=kind, games=games, nodes=nodes: len(
            nb.multiverse.study(start, games, nodes, kind=kind, progress=False).rows
        ))  # fmt: skip
        say(f"study of {games} games, {kind}, {nodes} nodes: {told([games / one for one in speeds[0]], digits=1)} s")
    slow = timed(lambda: pure(lambda: len(nb.multiverse.study(start, 20, kind="random", progress=False).rows)))
    say(f"the same by Python: {told([200 / one for one in slow[0]], digits=1)} s")


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
