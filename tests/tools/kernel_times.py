"""How fast the compiled kernel counts and searches, beside python-chess and Python alone in the same run.

`PYTHONPATH=tests python tests/tools/kernel_times.py` prints a table. If `--stockfish` names one, it counts the
orthodox positions, too. Times are those of the processor; of three runs the quickest counts.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import chess

import nomic_nb as nb
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


def quickest(work: Callable[[], int], runs: int = 3) -> tuple[int, float]:
    """Return what the work returns, and the shortest time of the processor for it."""
    times = []
    for _ in range(runs):
        began = time.process_time()
        found = work()
        times.append(time.process_time() - began)
    return found, max(min(times), 1e-9)


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


def searched(game: positions.Position, nodes: int, *, pure: bool) -> int:
    """Return how many moves a new player makes while it thinks."""
    bot = nb.multiverse.player(game, nodes=nodes)
    if pure:
        in_python(lambda: len(bot.move(game)))
    else:
        bot.move(game)
    return bot.searched


def stockfish_perft(program: str, fen: str, depth: int) -> float:
    """Return how many leaves a second Stockfish counts."""
    spent: list[float] = []
    counted = None
    for asked in (f"position fen {fen}\ngo perft {depth}\nquit\n", "quit\n"):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        said = subprocess.run([program], input=asked, capture_output=True, text=True, check=True).stdout
        spent.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        counted = re.search(r"Nodes searched: (\d+)", said) or counted
    assert counted is not None
    return int(counted[1]) / max(spent[0] - spent[1], 1e-9)


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--stockfish", help="a program to compare with")
    given = arguments.parse_args()
    said = sys.stdout.write
    if position().backend != "compiled":
        raise SystemExit(position().backend)
    for name, fen, options, deep, shallow in CASES:
        game = position(fen, **options)
        _, tables = quickest(lambda game=game: len(words_of_rules(game.rules)))
        leaves, spent = quickest(lambda game=game, deep=deep: game.perft(deep))
        slow, slow_spent = quickest(lambda game=game, depth=shallow: in_python(lambda: game.perft(depth)))
        assert game.perft(shallow) == slow
        line = f"{name}: {leaves / spent / 1e6:.0f} M leaves/s; Python {slow / slow_spent / 1e6:.1f} M"
        line += f"; tables in {tables:.3f} s"
        if not options:
            theirs, theirs_spent = quickest(lambda fen=fen, depth=shallow: chess_perft(chess.Board(fen), depth))
            line += f"; {leaves / spent / (theirs / theirs_spent):.0f} × python-chess"
            if given.stockfish:
                line += f"; {leaves / spent / stockfish_perft(given.stockfish, fen, deep):.2f} × Stockfish"
        said(line + "\n")
        sys.stdout.flush()
    for name, options in (("start position", {}), ("knights NW", {"pieces": {"n": "NW"}})):
        game = position(**options)
        for nodes, where in ((1_000_000, "kernel"), (2_000, "Python")):
            found, spent = quickest(
                lambda game=game, nodes=nodes, pure=where == "Python": searched(game, nodes, pure=pure)
            )
            said(f"search, {name}, {where}: {found / spent:,.0f} moves/s\n")
    began = time.process_time()
    study = nb.multiverse.study(position(pieces={"n": "NW"}), games=200, nodes=500)
    spent = time.process_time() - began
    said(f"\nstudy of {len(study.rows)} games with 500 nodes: {spent:.0f} s; {study.figures.said[0]}\n")


if __name__ == "__main__":
    main()
